"""Where armies of equal points meet, and what is said where they do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from balance.analysis.meeting import meeting_kind
from balance.errors import UsageError
from balance.protocol.loaded import load

SO = "so there is no price to judge and no best army to search for"
REPORT = "(who is stronger, and who is never worth taking)"


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)


def test_armies_of_warforged_meet_in_line_ups() -> None:
    assert meeting_kind(load("warforged")) == "lineup"


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (
            "edadh",
            "armies are not bought for points in War for Edadh: every army costs 6 cards; "
            f"{SO}; ask instead: balance duel edadh A B (who wins a duel), or balance report edadh {REPORT}",
        ),
        (
            "battlelore",
            f"armies are not bought for points in BattleLore: every unit costs 1 banner; {SO}; ask instead: balance "
            f"lineup battlelore A B (which of two armies in line wins), or balance report battlelore {REPORT}",
        ),
    ],
)
def test_where_nothing_is_bought_it_is_said_what_to_ask_instead(game: str, told: str) -> None:
    with pytest.raises(UsageError) as refused:
        meeting_kind(load(game))
    assert str(refused.value).replace("\N{NO-BREAK SPACE}", " ") == told


def test_where_costs_differ_it_is_said_that_no_armies_meet() -> None:
    loaded = load("warforged")
    kinds = {name: replace(kind, armies=None, asks="") for name, kind in loaded.game.kinds.items()}
    attacks = load(replace(loaded.game, kinds={"attack": kinds["attack"]}), loaded.catalogue)
    line_ups = load(replace(loaded.game, kinds={"duel": kinds["duel"], "lineup": kinds["lineup"]}), loaded.catalogue)
    never = (
        "armies are not bought for points in Warforged, table edition: no kind of question sets armies of any members "
        f"against each other; {SO}; ask instead: "
    )
    for game, asked in ((attacks, ""), (line_ups, "balance lineup warforged A B (who wins), or ")):
        with pytest.raises(UsageError) as refused:
            meeting_kind(game)
        assert str(refused.value) == f"{never}{asked}balance report warforged {REPORT}"
