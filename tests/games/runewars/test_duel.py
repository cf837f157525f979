"""A duel: who strikes first and what is left, round by round, and that drawn attacks are those that are rolled."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from balance import Question
from balance.chance.exact.chain import chain_distribution
from balance.game.game import Lane
from tests.games.runewars.plays import GAME, chances, duel, end, play, printed

F = Fraction
BEAST = "spearmen+2x1+war_beast"
BIG = {"columns": 9, "ranks": 4}
"""144 plain figures on 36 trays."""


def ends_in(question: Question, lane: Lane) -> dict[tuple[int, ...], float]:
    """Return the chances of the ends of a duel, attacks rolled (`literal`) or drawn (`compiled`)."""
    found: dict[tuple[int, ...], float] = {}
    processes = question.kind.processes(question.setup, lane)
    for whole in map(chain_distribution, processes):
        for row, weight in zip(whole.outcomes.tolist(), whole.weights.tolist(), strict=True):
            found[tuple(row)] = found.get(tuple(row), 0.0) + weight / whole.total / len(processes)
    return found


# -- rounds -----------------------------------------------------------------------------------------------------------


def test_a_destroyed_unit_does_not_strike_back() -> None:
    """Eight figures each, 4 hits of threat 2: who is first is the only one to strike."""
    both = {"add_hits": 4}
    assert end(duel(both, both, first="a")) == (1, 1, 8, 0, 2, 0)
    assert end(duel(both, both, first="b")) == (2, 1, 0, 8, 0, 2)
    asked = duel(both, both, first="random")
    assert chances(asked, *asked.kind.columns) == {(1, 1, 8, 0, 2, 0): F(1, 2), (2, 1, 0, 8, 0, 2): F(1, 2)}


def test_both_strike_at_once_with_what_they_had() -> None:
    both = {"add_hits": 4}
    for first in ("a", "b", "random"):
        assert end(duel(both, both, simultaneous=True, first=first)) == (0, 1, 0, 0, 0, 0)
    assert end(duel({"add_hits": 2}, {"add_hits": 4}, simultaneous=True)) == (2, 1, 0, 4, 0, 1)
    # four figures fall first: one tray is left to strike back, at threat 1, unless both strike at once
    assert end(duel({"add_hits": 2}, {"add_hits": 1}, round_limit=1)) == (0, 1, 7, 4, 2, 1)
    assert end(duel({"add_hits": 2}, {"add_hits": 1}, round_limit=1, simultaneous=True)) == (0, 1, 6, 4, 2, 1)


def test_nobody_wins_at_the_limit_and_the_edge_is_kept() -> None:
    """One wound a round: eight rounds are just enough for eight figures."""
    one = {"add_mortal_strikes": 1}
    assert end(duel(one)) == (1, 8, 8, 0, 2, 0)
    assert end(duel(one, round_limit=7)) == (0, 7, 8, 1, 2, 1)
    assert end(duel(one, {"columns": 3}, round_limit=20)) == (1, 12, 8, 0, 2, 0)
    asked = duel({"add_hits": 1, "ranks": 3}, BIG, a_edges="side", b_edges="rear", round_limit=3)
    assert end(asked) == (0, 3, 24, 144 - 3 * 3, 6, 34)


def test_each_side_has_edges_of_its_own() -> None:
    """a, three wide and three deep, is struck in the flank; b, two wide and four deep, at its rear."""
    a, b = ({"add_hits": 1, **shape} for shape in ({"columns": 3, "ranks": 3}, {"columns": 2, "ranks": 4}))
    b["ranks"], b["partial"] = 3, 1
    where: dict[str, Any] = {"a_edges": "side", "b_edges": "rear", "b_touches_partial": "only"}
    assert end(duel(a, b, round_limit=1, first="b", **where)) == (0, 1, 36 - 1, 28 - 3, 9, 7)
    assert end(duel(a, b, round_limit=1, first="b", a_edges="front", b_edges="side,front")) == (0, 1, 33, 25, 9, 7)


def test_ranks_shrink_and_with_them_threat_and_re_rolls() -> None:
    """Four trays of which one falls a round: a rank is left for a re-roll as long as it is full behind the front.

    The red die shows a hit on half its faces, else nothing: its chance of a hit is 3/4 with a re-roll, with a partial
    rank as well, and 1/2 when only the front is left.
    """
    faces = {f"faces.red_{n}.results": "hit" if n <= 4 else "blank" for n in range(1, 9)}
    asked = duel(
        {"red": 1, "columns": 2, "ranks": 2}, {"add_mortal_strikes": 4, **BIG}, game=printed(faces), round_limit=3,
        first="b",
    )  # fmt: skip
    # b strikes first: three trays (2 and 1), two, one; threat 2, 2, 1
    p: Counter[int] = Counter()
    for one, two, three in product((0, 1), repeat=3):
        p[144 - 2 * one - 2 * two - three] += 3 if one else 1
    assert chances(asked, "b_figures") == {figures: F(n, 16) for figures, n in p.items()}


def test_figures_come_back_into_empty_slots() -> None:
    """Reanimates come back by natural runes into slots of the trays that are left, and never onto a tray that fell."""
    three = {"add_mortal_strikes": 3}
    asked = duel(three, {"regenerate": 1}, round_limit=1)
    assert end(asked) == (0, 1, 8, 6, 8 // 4, 2)
    assert end(duel(three, {"regenerate": 9}, round_limit=1)) == (0, 1, 8, 8, 2, 2)
    assert end(duel({"add_mortal_strikes": 4}, {"regenerate": 9}, round_limit=1)) == (0, 1, 8, 4, 2, 1)
    assert end(duel({"add_mortal_strikes": 8}, {"regenerate": 9}, round_limit=1)) == (1, 1, 8, 0, 2, 0)
    natural = duel(three, {"regenerate": "natural"}, round_limit=1)
    for runes, figures in (([1, 1, 2, 1, 2], 5), ([1, 1, 1, 1, 2], 6), ([1, 1, 1, 2, 1], 8)):
        assert play(natural, runes=runes)["b_figures"] == figures
    printed_card = {"a.red": 0, "a.blue": 0, "a.add_mortal_strikes": 3, "b.red": 0, "situation.round_limit": 1}
    by_card = GAME.ask("duel", "spearmen", "reanimates", printed_card)
    assert chances(by_card, "b_figures") == chances(natural, "b_figures") == {
        5: F(1, 8), 6: F(3, 8), 7: F(3, 8), 8: F(1, 8)
    }  # fmt: skip


@pytest.mark.parametrize("health", [1, 2])
def test_nobody_comes_back_into_the_slots_of_a_beast(health: int) -> None:
    """Four figures stand beside a beast that fills a tray of its own, however it is hurt."""
    b = {"regenerate": 9, "upgrade_health": health}
    assert end(duel({"add_mortal_strikes": 3}, b, other=BEAST, round_limit=2)) == (0, 2, 8, 4, 2, 2)


def test_a_figure_that_comes_back_has_all_its_wounds() -> None:
    """Two golems of 2 wounds on a tray: 3 wounds leave one of 1, and another one comes back with 2."""
    b = {"wound_threshold": 2, "figures_per_tray": 2, "columns": 1, "ranks": 1, "regenerate": 1}
    assert end(duel({"add_mortal_strikes": 3}, b, other="rune_golems+1x1", round_limit=1)) == (0, 1, 8, 2, 2, 1)
    assert end(duel({"add_mortal_strikes": 3}, b, other="rune_golems+1x1")) == (1, 2, 8, 0, 2, 0)
    assert end(duel({"add_mortal_strikes": 2}, b, other="rune_golems+1x1")) == (0, 8, 8, 2, 2, 1)


def test_volleys_are_rounds_in_which_only_shots_are_made() -> None:
    """Archers shoot at threat 2 of their front, whatever edge is touched later; Spearmen cannot shoot back."""
    faces = printed({f"faces.blue_{n}.results": "hit" for n in range(1, 9)})
    archers: dict[str, Any] = {"one": "reanimate_archers+2x1", "other": "spearmen+2x2", "game": faces}
    shoots: dict[str, Any] = {"red": 0, "blue": 1, "white": 0, "add_hits": 0}
    for volleys, rounds, lost in ((0, 2, 2), (1, 2, 2 + 1), (2, 2, 2 + 2), (2, 3, 2 + 2 + 1), (8, 3, 6)):
        asked = duel(shoots, {"add_hits": 1}, a_edges="side", volleys=volleys, round_limit=rounds, **archers)
        contact = max(0, rounds - volleys)
        assert end(asked) == (0, rounds, 8 - 2 * contact, 16 - lost, 2 - (2 * contact) // 4, 4 - lost // 4)


# -- what is drawn ----------------------------------------------------------------------------------------------------

BEST: dict[str, Any] = {"a_rerolls": "best", "a_surges": "best"}
DUELS: dict[str, Question] = {
    "ranks that shrink": GAME.ask("duel", "spearmen+2x2", "reanimates+2x2", {"situation.round_limit": 2}),
    "runes on both sides": GAME.ask("duel", "rune_golems+2x1", "wraiths+2x1", {"situation.round_limit": 2}),
    "runes and the best re-rolls": GAME.ask(
        "duel", "rune_golems+2x1", "aymhelin_scions+2x1", {"situation.round_limit": 2},
        a_rerolls="best", b_rerolls="best",
    ),
    "trays added": duel({"blue": 2, "trays_added": 1, "partial": 1}, {"red": 1, "ranks": 2}, round_limit=3),
    "conditions": duel(
        {"blue": 2, "ranks": 2, "surge_abilities": "branded@1,mortal_strikes@1?branded"}, {"defence": 2, "ranks": 2},
        round_limit=3, **BEST,
    ),
    "a beast that is left alone": duel(
        {"blue": 1, "red": 1, "columns": 1, "ranks": 2, "surge_abilities": "mortal_strikes@1"},
        {"wounds_suffered": 2, "defence": 2, "upgrade_defence": 3, "upgrade_health": 3},
        other=BEAST, round_limit=6, **BEST,
    ),
    "a beast in the middle of many": duel(
        {"blue": 1, "columns": 1, "ranks": 2, "surge_abilities": "accuracy@1,hits@1"},
        {"columns": 3, "figures_per_tray": 6, "wound_threshold": 2, "upgrade_defence": 1, "upgrade_health": 1,
         "upgrade_place": "centre", "defence": 2},
        other=BEAST, round_limit=2, a_accuracy="upgrade", **BEST,
    ),
    "more figures than an attack can take": duel(
        {"blue": 1, "columns": 1, "ranks": 2, "surge_abilities": "hits@1u"}, {"columns": 3, "ranks": 3, "defence": 2},
        round_limit=2, **BEST,
    ),
    "a dial that defends": GAME.ask(
        "duel", "spearmen+2x2", "reanimates+2x1",
        {"situation.round_limit": 2, "a.blue": 1, "a.red": 0, "a.columns": 1, "b.red": 0,
         "a.surge_abilities": "mortal_strikes@1"},
        a_dial="quickest", b_dial="defend", a_rerolls="best",
    ),
    "a card that exhausts": GAME.ask(
        "duel", "spearmen+2x1+war_cry", "reanimates+2x1", {"situation.round_limit": 2, "b.red": 1}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DUELS)
def test_drawn_attacks_are_those_that_are_rolled(name: str) -> None:
    rolled, drawn = (ends_in(DUELS[name], lane) for lane in ("literal", "compiled"))
    exact = DUELS[name].distribution
    for law in (drawn, dict(zip(map(tuple, exact.outcomes.tolist()), exact.p.tolist(), strict=True))):
        assert rolled.keys() == law.keys()
        assert max(abs(rolled[row] - law[row]) for row in rolled) < 1e-12
    assert len(rolled) > 1


@pytest.mark.parametrize("name", ["ranks that shrink", "conditions", "a beast that is left alone"])
@pytest.mark.parametrize("lane", ["literal", "compiled"])
def test_random_duels_agree_with_the_chain(name: str, lane: Lane) -> None:
    simulated = DUELS[name].simulate(20_000, seed=6, lane=lane)
    assert simulated.agreement is not None
    assert simulated.agreement.p_value > 0.001


def test_a_dial_that_adds_a_surge_pays_with_it() -> None:
    """One red die of archers shows a surge at most; with the one of their dial two are paid for a hit.

    Dice are rolled for both places in the order; the later one is theirs, at initiative 9.
    """
    asked = GAME.ask(
        "duel", "reanimate_archers+2x1", "spearmen+2x1",
        {"a.surge_abilities": "hits@2", "situation.round_limit": 1, "b.red": 0, "b.blue": 0}, first="a",
        a_dial="strongest", b_dial="quickest",
    )  # fmt: skip
    assert play(asked, a_attack_red=["hit+surge", "hit+surge"])["b_figures"] == 8 - 2 * 2
    assert play(asked, a_attack_red=["hit+surge", "hit"])["b_figures"] == 8 - 2
