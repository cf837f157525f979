"""Where armies of equal points meet, and what is said where they do not."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from balance.analysis.armies.meeting import meeting_kind, priced_members
from balance.analysis.changes.tuning.movable import numbers_to_move
from balance.analysis.prices.asked import army_setting
from balance.analysis.prices.price_list import price_list
from balance.base.errors import UsageError
from balance.engine.runner import Runner
from balance.game.authoring.new_game import write_game
from balance.game.authoring.template.game import GAME as SKIRMISHERS
from balance.game.loaded import load

SO = "so there is no price to judge and no best army to search for"
REPORT = "(who is stronger, and who loses alone)"


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)


def test_armies_of_warforged_meet_in_line_ups() -> None:
    assert meeting_kind(load("warforged")) == "lineup"


def test_armies_of_battlelore_meet_in_line_ups_of_units_that_cost_a_banner_each() -> None:
    loaded = load("battlelore")
    assert meeting_kind(loaded) == "lineup"
    assert set(priced_members(loaded, "lineup").values()) == {1.0}
    assert list(priced_members(loaded, "lineup")) == list(loaded.entrants)


def test_where_nothing_is_bought_it_is_said_what_to_ask_instead() -> None:
    told = (
        "armies are not bought for points in War for Edadh: every army costs 6 cards; "
        f"{SO}; ask instead: balance duel edadh A B (who wins a duel), or balance report edadh {REPORT}"
    )
    with pytest.raises(UsageError) as refused:
        meeting_kind(load("edadh"))
    assert str(refused.value).replace("\N{NO-BREAK SPACE}", " ") == told


def test_a_game_of_ones_own_without_such_a_battle_is_told_what_its_code_needs() -> None:
    kinds = {name: replace(kind, armies=None) for name, kind in SKIRMISHERS.kinds.items()}
    with pytest.raises(UsageError) as refused:
        meeting_kind(load(replace(SKIRMISHERS, kinds=kinds)))
    assert "`armies=kit.any_armies(MEMBER, setup, processes)`" in str(refused.value)
    assert "ask instead: balance battle skirmishers A B (who wins a battle of armies)" in str(refused.value)


def test_every_unit_that_costs_nothing_is_told_with_file_row_and_field(tmp_path: Path) -> None:
    folder = write_game("rats", tmp_path) / "data"
    cards = folder / "fighters.csv"
    cards.write_text(cards.read_text("utf-8").replace("Scout,5", "Scout,0").replace("Giant,30", "Giant,0"), "utf-8")
    with pytest.raises(UsageError) as refused:
        army_setting(load(SKIRMISHERS, folder))
    nothing = "costs nothing, and points are compared as ratios; allowed: at least 1"
    assert [str(fault) for fault in refused.value.faults] == [
        f"{cards}, row {row}, cost_points: '{name}' {nothing}" for row, name in ((2, "scout"), (5, "giant"))
    ]


def test_units_that_all_cost_nothing_are_not_bought_and_the_way_out_is_told(tmp_path: Path) -> None:
    folder = write_game("rats", tmp_path) / "data"
    cards = folder / "fighters.csv"
    cards.write_text(re.sub(r"(\w+,\w+),\d+,", r"\1,0,", cards.read_text("utf-8")), "utf-8")
    with pytest.raises(UsageError) as refused:
        army_setting(load(SKIRMISHERS, folder))
    assert "armies are not bought for points in Skirmishers: no fighter costs anything" in str(refused.value)
    assert "give each a cost to begin with, 10 for all if you know no better" in str(refused.value)


def test_where_costs_differ_it_is_said_that_no_armies_meet() -> None:
    loaded = load("warforged")
    kinds = {name: replace(kind, armies=None, asks="") for name, kind in loaded.definition.kinds.items()}
    attacks = load(replace(loaded.definition, kinds={"attack": kinds["attack"]}), loaded.catalogue)
    line_ups = load(
        replace(loaded.definition, kinds={"duel": kinds["duel"], "lineup": kinds["lineup"]}), loaded.catalogue
    )
    never = (
        "armies are not bought for points in Warforged, table edition: no kind of question sets armies of any members "
        f"against each other; {SO}; ask instead: "
    )
    for game, asked in ((attacks, ""), (line_ups, "balance lineup warforged A B (who wins), or ")):
        with pytest.raises(UsageError) as refused:
            meeting_kind(game)
        assert str(refused.value) == f"{never}{asked}balance report warforged {REPORT}"


@pytest.mark.parametrize("n_battles", [64, pytest.param(2048, marks=pytest.mark.slow)])
def test_costs_of_the_template_hang_neither_on_the_order_of_its_rows_nor_on_names(
    tmp_path: Path, n_battles: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.analysis.prices.fits.fair_costs.BLOCK", 8 * n_battles)

    def fair(of: Path) -> dict[str, float]:
        prices = price_list(Runner(load(SKIRMISHERS, of)), n_battles=n_battles)
        return {card: price.fair for card, price in prices.cards.items()}

    one, other = (write_game(name, tmp_path) / "data" for name in ("rats", "cats"))
    header, *rows = (one / "fighters.csv").read_text("utf-8").splitlines()
    renamed = "\n".join([header, *(f"z{row}" for row in reversed(rows))]) + "\n"
    (other / "fighters.csv").write_text(renamed, "utf-8")
    armies = "id,name,fighters\npatrol,Patrol,zsoldier;zscout\n"
    (other / "armies.csv").write_text(armies, "utf-8")
    (other / "SOURCES.csv").unlink()
    assert fair(other) == {f"z{name}": cost for name, cost in fair(one).items()}


@pytest.mark.slow("test_where_nothing_is_bought_it_is_said_what_to_ask_instead")
def test_where_no_card_has_a_cost_it_is_said_that_none_can_move() -> None:
    loaded = load("battlelore")
    with pytest.raises(UsageError, match=r"no unit of BattleLore has a cost on a card that could move.*--move f"):
        numbers_to_move(loaded, list(loaded.entrants), ())
