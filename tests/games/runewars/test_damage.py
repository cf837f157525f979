"""What an attack does to its target: wounds against the defence, figures and trays, and a figure upgrade among them.

File Leader is a figure of defence 2 and health 1 that fills 1 slot, War Beast one of 4 and 2 that fills a tray.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.runewars.plays import duel, end, only, play, printed, strike, told

BEAST = "reanimates+2x1+war_beast"
"""Four figures on one tray, and a beast on the other."""


def icons(*faces: str) -> dict[str, list[str]]:
    return {"attack_blue": list(faces)}


# -- ordinary figures -------------------------------------------------------------------------------------------------


@pytest.mark.rule("RW-DMG.7")
@pytest.mark.parametrize(
    ("hits", "figures", "trays"),
    [(1, 2, 0), (2, 4, 1), (3, 6, 1), (4, 8, 2), (5, 10, 2), (6, 12, 3), (7, 14, 3), (9, 18, 4), (12, 24, 6)],
)
def test_damage_goes_figure_by_figure_through_all_trays_of_the_rear_rank(hits: int, figures: int, trays: int) -> None:
    """Six trays of four in two ranks: 18 damage empty the rear rank, and go on in the front."""
    asked = strike({"add_hits": hits}, {"columns": 3, "ranks": 2})
    lost = {"wounds": figures, "figures_lost": figures, "trays_lost": trays}
    assert only(asked) == told(hits=hits, damage=2 * hits, destroyed=int(figures == 24), **lost)


@pytest.mark.rule("RW-DMG.7")
def test_a_wounded_figure_is_wounded_first() -> None:
    """Golems of 3 wounds: 2 suffered and 2 more remove one, and wound the next."""
    golems: dict[str, Any] = {"wound_threshold": 3, "columns": 2, "ranks": 2}
    for suffered, struck, figures in (
        (0, 2, 0),
        (0, 3, 1),
        (2, 1, 1),
        (2, 3, 1),
        (2, 4, 2),
        (4, 2, 1),
        (4, 1, 0),
        (11, 1, 1),
    ):
        asked = strike({"add_mortal_strikes": struck}, {**golems, "wounds_suffered": suffered}, at="rune_golems+2x2")
        destroyed = int(suffered + struck == 12)
        assert only(asked) == told(
            mortal_strikes=struck, wounds=struck, figures_lost=figures, trays_lost=figures, destroyed=destroyed
        )


def test_no_more_wounds_than_are_left() -> None:
    asked = strike({"add_hits": 9, "add_mortal_strikes": 9}, {"wounds_suffered": 5})
    lost = {"wounds": 3, "figures_lost": 3, "trays_lost": 1, "destroyed": 1}
    assert only(asked) == told(hits=9, mortal_strikes=9, damage=18, **lost)


def test_mortal_strikes_know_no_defence_but_a_ward() -> None:
    for ward, wounds in ((0, 3), (1, 2), (3, 0), (4, 0)):
        asked = strike({"add_mortal_strikes": 3}, {"defence": 99, "mortal_ward": ward})
        assert only(asked) == told(mortal_strikes=wounds, wounds=wounds, figures_lost=wounds)
    knights = strike({"add_mortal_strikes": 3}, {"defence": 99}, at="death_knights")
    assert only(knights) == told(mortal_strikes=2, wounds=2, figures_lost=2, trays_lost=1)


def test_mortal_strikes_and_damage_add_up() -> None:
    asked = strike({"add_hits": 2, "add_mortal_strikes": 1}, {"defence": 3})
    assert only(asked) == told(hits=2, damage=4, mortal_strikes=1, wounds=2, figures_lost=2)


def test_defence_may_hang_on_runes() -> None:
    """Aymhelin Scions have defence 1 and one for each stable rune: 2 or 3, as the third token falls."""
    asked = strike({"add_hits": 3}, {"defence": "1+stable", "wound_threshold": 1}, at="aymhelin_scions+2x2")
    assert play(asked, runes=[1, 1, 1, 1, 1])["wounds"] == 3
    assert play(asked, runes=[1, 1, 2, 1, 1])["wounds"] == 2


# -- a figure upgrade -------------------------------------------------------------------------------------------------


@pytest.mark.rule("RW-FIG.1")
@pytest.mark.parametrize(
    ("hits", "n_icons", "figures", "upgrade"),
    [
        # two damage for each hit on figures of defence 1, on a beast of defence 4 and health 2
        (1, 1, 2, 0),  # 2 are too few for the beast
        (2, 1, 0, 1),  # 4 wound it, and nothing is left
        (3, 1, 2, 1),  # what is left goes to the figures
        (4, 1, 4, 1),  # one icon is one wound, though 8 would be two
        (4, 2, 0, 2),
        (5, 2, 2, 2),
        (4, 0, 4, 0),  # no icon, no wound
        (6, 4, 4, 2),  # and no more than it can take
    ],
)
def test_an_accuracy_icon_is_one_wound_of_the_upgrade(hits: int, n_icons: int, figures: int, upgrade: int) -> None:
    faces = ["accuracy"] * n_icons + ["blank"] * (4 - n_icons)
    asked = strike({"blue": 4, "add_hits": hits}, {"wounds_suffered": 0}, at=BEAST, attacker_accuracy="upgrade")
    lost = {"wounds": figures, "figures_lost": figures, "upgrade_wounds": upgrade}
    trays = int(figures == 4) + int(upgrade == 2)
    assert play(asked, **icons(*faces)) == told(
        hits=hits, accuracy=n_icons, damage=2 * hits, trays_lost=trays, destroyed=int(trays == 2), **lost
    )


@pytest.mark.rule("RW-FIG.1")
def test_accuracy_is_for_the_upgrade_only_if_the_attacker_says_so() -> None:
    fields = {"blue": 1, "add_hits": 2}
    unit, upgrade = (strike(fields, at=BEAST, attacker_accuracy=whom) for whom in ("unit", "upgrade"))
    face = icons("hit+accuracy")
    assert play(unit, **face) == told(hits=3, accuracy=1, damage=6, wounds=4, figures_lost=4, trays_lost=1)
    assert play(upgrade, **face) == told(hits=3, accuracy=1, damage=6, wounds=2, figures_lost=2, upgrade_wounds=1)


@pytest.mark.rule("RW-FIG.1")
def test_accuracy_that_surges_buy_counts_and_mortal_strikes_do_not_reach_the_upgrade() -> None:
    fields = {"blue": 1, "add_hits": 2, "add_mortal_strikes": 2, "surge_abilities": "accuracy@1"}
    asked = strike(fields, at=BEAST, attacker_accuracy="upgrade")
    found = play(asked, **icons("surge+surge"))
    lost = {"wounds": 2, "figures_lost": 2, "upgrade_wounds": 1}
    assert found == told(hits=2, surges=2, accuracy=2, mortal_strikes=2, damage=4, **lost)


@pytest.mark.rule("RW-FIG.1")
def test_defence_and_health_of_the_upgrade_may_be_set() -> None:
    fields = {"blue": 2, "add_hits": 2}
    for defence, health, upgrade, figures in ((1, 2, 2, 2), (2, 1, 1, 2), (3, 9, 1, 1), (5, 1, 0, 4)):
        asked = strike(
            fields, {"upgrade_defence": defence, "upgrade_health": health}, at=BEAST, attacker_accuracy="upgrade"
        )
        found = play(asked, **icons("accuracy", "accuracy"))
        assert (found["wounds"], found["upgrade_wounds"]) == (figures, upgrade)
    without = strike(fields, {"upgrade_health": 0}, at=BEAST, attacker_accuracy="upgrade")
    assert play(without, **icons("accuracy", "accuracy"))["upgrade_wounds"] == 0


@pytest.mark.rule("RW-FIG.2")
def test_trays_close_the_gap_of_a_lost_upgrade() -> None:
    """A beast in the front of seven trays and its 24 figures, two of them lost: six trays are left when it falls."""
    seven = {"columns": 3, "ranks": 2, "partial": 1}
    asked = strike({"blue": 2, "add_hits": 4}, seven, at="reanimates+3x2+war_beast", attacker_accuracy="upgrade")
    lost = {"upgrade_wounds": 2, "trays_lost": 1}
    assert play(asked, **icons("accuracy", "accuracy")) == told(hits=4, accuracy=2, damage=8, **lost)


@pytest.mark.rule("RW-FIG.2")
def test_a_rank_less_is_a_threat_less_once_the_upgrade_is_gone() -> None:
    """Two ranks of two trays and one tray behind them, 15 figures and the beast: in its flank the unit threatens 3.

    Once the beast has fallen, 15 figures stand on four trays, in two full ranks, the last tray with three: 2.
    """
    faces = printed({f"faces.blue_{n}.results": "accuracy" for n in range(1, 9)})
    a = {"blue": 1, "add_hits": 1, "columns": 1, "ranks": 4}
    b = {"add_hits": 1, "brutal": 0, "columns": 2, "ranks": 2, "partial": 1, "wounds_suffered": 1}
    falls = {**b, "upgrade_defence": 1, "upgrade_health": 1}
    where: dict[str, Any] = {"b_edges": "side", "b_touches_partial": "some", "other": "reanimates+2x2+war_beast"}
    for whom, left in (
        ("unit", [(16 - 3, 14, 4, 5), (16 - 6, 13, 3, 5)]),
        ("upgrade", [(16 - 2, 15, 4, 4), (12, 14, 3, 4)]),
    ):
        for rounds, ends_with in enumerate(left, start=1):
            asked = duel(a, falls, game=faces, a_accuracy=whom, round_limit=rounds, **where)
            assert end(asked) == (0, rounds, *ends_with)


@pytest.mark.rule("RW-FIG.3")
@pytest.mark.parametrize(
    ("columns", "ranks", "place", "upgrade", "figures"),
    [
        (3, 1, "end", 2, 0),
        (3, 1, "centre", 1, 4),  # its second wound would split the unit: the rest goes to others
        (4, 1, "centre", 1, 4),
        (2, 1, "centre", 2, 0),  # two trays: nothing to be split
        (3, 2, "centre", 2, 0),  # the rear rank holds the unit together
    ],
)
def test_damage_may_not_split_a_unit(columns: int, ranks: int, place: str, upgrade: int, figures: int) -> None:
    asked = strike(
        {"blue": 2, "add_hits": 4}, {"columns": columns, "ranks": ranks, "upgrade_place": place},
        at="reanimates+3x2+war_beast", attacker_accuracy="upgrade",
    )  # fmt: skip
    found = play(asked, **icons("accuracy", "accuracy"))
    assert (found["upgrade_wounds"], found["wounds"]) == (upgrade, figures)


@pytest.mark.rule("RW-FIG.3")
def test_who_is_left_of_the_rank_says_whether_it_would_be_split() -> None:
    """Four mortal strikes empty one of the other two trays first: then the beast may fall."""
    for mortal, upgrade in ((3, 1), (4, 2)):
        asked = strike(
            {"blue": 2, "add_hits": 4, "add_mortal_strikes": mortal},
            {"columns": 3, "ranks": 1, "upgrade_place": "centre"},
            at="reanimates+3x2+war_beast", attacker_accuracy="upgrade",
        )  # fmt: skip
        found = play(asked, **icons("accuracy", "accuracy"))
        assert (found["upgrade_wounds"], found["figures_lost"]) == (upgrade, mortal + (4 if upgrade == 1 else 0))


@pytest.mark.rule("RW-FIG.4")
def test_the_last_figure_of_another_type_fights_with_the_card_of_its_unit() -> None:
    """All four Reanimates fall in the first round: the beast strikes on with their hits, at the threat of its tray.

    Its own defence and health are what it is struck at: 2 wounds at a defence of 4.
    """
    b = {"add_hits": 2, "brutal": 0}
    a = {"add_hits": 2, "columns": 2, "ranks": 4}
    # 4 damage: four figures; then twice a wound of the beast, which strikes back before the second one
    assert end(duel(a, b, other=BEAST)) == (1, 3, 32 - 2 * 2, 0, 7, 0)
    slow = {"add_mortal_strikes": 4, "columns": 9, "ranks": 4}
    assert end(duel(slow, b, other=BEAST, round_limit=1)) == (0, 1, 144 - 2, 0, 36, 1)
    weak = {"add_mortal_strikes": 1, "columns": 9, "ranks": 4}
    alone = {**b, "wounds_suffered": 3}
    # round 1: the last Reanimate; 2: a wound; 3: the other one. It strikes back twice, with threat 1
    assert end(duel(weak, alone, other=BEAST)) == (1, 3, 144 - 2 * 2, 0, 35, 0)
