"""Cards that are never worth taking: against a plain search over the loadouts of a field made up."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import balance
from balance.analysis.dominance.dominated_cards import dominated_card_table, dominated_cards
from balance.analysis.dominance.witnesses import witnesses
from balance.analysis.scores.equivalence import TIE
from balance.analysis.scores.scores import Scores, read_scores
from tests.analysis.test_witnesses import joined, made

GAME = balance.load("warforged")
UNITS, ARMS = ("trooper", "nexus", "aegis"), ("shotgun", "sidearm", "smg_pistol")
GRID = [f"{unit}+{arm}" for unit, arm in product(UNITS, ARMS)]


def field(rng: np.random.Generator, names: list[str], steps: int | None = None) -> tuple[Scores, list[float]]:
    """Return scores that follow from values of units and arms, with some noise, and additive costs."""
    parts = sorted({part for name in names for part in name.split("+")})
    value, price = dict(zip(parts, rng.normal(0, 0.7, len(parts)), strict=True)), rng.integers(1, 6, len(parts))
    theta = np.array([sum(value[part] for part in name.split("+")) for name in names])
    noise = np.triu(rng.normal(0, 0.1, (len(names),) * 2), 1)
    scores = 1 / (1 + np.exp(-np.subtract.outer(theta, theta) - noise + noise.T))
    if steps:
        scores = (scores * steps).round() / steps
    costs = dict(zip(parts, price.tolist(), strict=True))
    return made(names, scores), [float(sum(costs[part] for part in name.split("+"))) for name in names]


def search(names: list[str], scores: np.ndarray, costs: list[float]) -> dict[str, dict[str, tuple[float, float]]]:
    """Return each card that another of its kind dominates in every loadout, with the least and the mean gain."""
    place = {frozenset(name.split("+")): at for at, name in enumerate(names)}
    cards: dict[str, list[int]] = {}
    for name in names:
        for part in name.split("+"):
            cards.setdefault(part, []).append(place[frozenset(name.split("+"))])
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for one, other in product(cards, cards):
        if one == other or (one in GAME.catalogue.tables["units"]) != (other in GAME.catalogue.tables["units"]):
            continue
        gains, saved = [], []
        for at in cards[one]:
            new = place.get(frozenset({*names[at].split("+")} - {one} | {other}))
            if new is None:
                break
            gains += [scores[new, k] - scores[at, k] for k in range(len(names))]
            saved.append(costs[at] - costs[new])
        else:
            if min(gains) >= -TIE and min(saved) >= 0 and (max(gains) > TIE or max(saved) > 0):
                found.setdefault(one, {})[other] = min(gains), sum(gains) / len(gains)
    return found


@pytest.mark.parametrize("steps", [None, 8])
def test_it_is_what_a_plain_search_finds(steps: int | None) -> None:
    rng, n_by_card, n_everywhere = np.random.default_rng(31), 0, 0
    for _ in range(40):
        names = [name for name in GRID if rng.random() < 0.9]
        scores, costs = field(rng, names, steps)
        wanted, against = search(names, scores.either_seat, costs), witnesses(scores, costs)
        found = dominated_cards(GAME, scores, costs)
        holders = {part: [n for n in names if part in n.split("+")] for n in names for part in n.split("+")}
        everywhere = {card for card, held in holders.items() if set(held) <= set(against)}
        assert set(found) == set(wanted) | everywhere
        assert list(found) == [card for card in holders if card in found]
        for card, told in found.items():
            gains = wanted.get(card, {})
            assert set(told.by) == set(gains)
            assert (told.card, told.table) == (card, "units" if card in UNITS else "weapons")
            assert told.loadouts == tuple(holders[card])
            assert told.witnesses == {name: against[name] for name in holders[card] if name in against}
            assert told.is_everywhere is (card in everywhere)
            means = [gains[other][1] for other in told.by]
            assert means == sorted(means, reverse=True)
            if told.by:
                assert (told.margin, told.mean_gain) == pytest.approx(gains[told.by[0]], abs=2e-9)
                assert told.ids == told.by[:1]
            else:
                assert (told.margin, told.mean_gain) == (None, None)
                assert told.ids == tuple(sorted({one for w in told.witnesses.values() for one in w.ids}))
        n_by_card += len(wanted)
        n_everywhere += len(everywhere - set(wanted))
    assert n_by_card > 5
    assert n_everywhere > 5


def planted(cost: float = 10.0, less: float = 0.0) -> tuple[Scores, list[float]]:
    """Return a field in which the sidearm is the shotgun at another cost, scoring so much less."""
    names = ["trooper+shotgun", "nexus+shotgun"]
    scores = np.array([[0.5, 0.3], [0.7, 0.5]])
    for row, unit in enumerate(("trooper", "nexus")):
        scores, names = (
            joined(scores, np.append(scores, np.zeros((0, len(scores))), axis=0)[row] - less),
            [*names, f"{unit}+sidearm"],
        )
    return made(names, scores), [20.0, 30.0, 10.0 + cost, 20.0 + cost]


def test_a_card_that_costs_more_for_the_same_is_dominated_and_one_that_is_the_same_is_not() -> None:
    found = dominated_cards(GAME, *planted(11.0))
    assert {card: told.by for card, told in found.items()} == {"sidearm": ("shotgun",)}
    assert (found["sidearm"].margin, found["sidearm"].mean_gain, found["sidearm"].is_everywhere) == (0.0, 0.0, True)
    assert dominated_cards(GAME, *planted(10.0)) == {}
    cheaper = dominated_cards(GAME, *planted(9.0))
    assert {card: told.by for card, told in cheaper.items()} == {"shotgun": ("sidearm",)}
    worse = dominated_cards(GAME, *planted(10.0, 0.05))
    assert {card: told.by for card, told in worse.items()} == {"sidearm": ("shotgun",)}
    assert dominated_cards(GAME, *planted(9.0, 0.05)) == {}
    assert dominated_cards(GAME, *planted(9.0, 0.05), 0.06)["shotgun"].by == ("sidearm",)


@pytest.mark.parametrize(
    ("imbalance", "cost", "by"),
    [(0.0, 20, None), (0.005, 20, None), (0.02, 20, "shotgun"), (0.07, 20, None), (0.07, 19, "shotgun")],
)
def test_a_card_that_loses_a_little_must_gain_more_than_is_overlooked_or_cost_less(
    imbalance: float, cost: float, by: str | None
) -> None:
    """The shotgun gains 0.06 twice and loses 0.01 once."""
    names = ["trooper+shotgun", "nexus+shotgun", "trooper+sidearm"]
    scores = np.array([[0.5, 0.3, 0.56], [0.7, 0.5, 0.69], [0.44, 0.31, 0.5]])
    told = dominated_cards(GAME, made(names, scores), [cost, 90, 20], imbalance).get("sidearm")
    assert (None if told is None else told.by) == (None if by is None else (by,))
    assert told is None or told.margin == -0.01


def test_what_one_card_dominates_outright_it_dominates_whatever_is_overlooked() -> None:
    for imbalance in (0.0, 0.04, 0.06):
        assert dominated_cards(GAME, *planted(10.0, 0.05), imbalance)["sidearm"].by == ("shotgun",)


def test_a_card_that_cannot_be_replaced_everywhere_is_dominated_by_none() -> None:
    scores, costs = planted(11.0)
    keep = np.array([0, 2, 3])
    fewer = dominated_cards(GAME, scores.select(keep), [costs[at] for at in keep])
    assert "sidearm" not in fewer
    more = dominated_cards(GAME, scores.select(np.array([0, 1, 2])), costs[:3])
    assert more["sidearm"].by == ("shotgun",)


def test_of_two_loadouts_it_is_enough_if_one_gains() -> None:
    scores, costs = planted(10.0)
    assert dominated_cards(GAME, scores, [*costs[:3], costs[3] + 1])["sidearm"].by == ("shotgun",)
    assert dominated_cards(GAME, scores, [*costs[:2], costs[2] - 1, costs[3] + 1]) == {}


def test_what_is_simulated_holds_only_as_far_as_is_certain() -> None:
    exact, costs = planted(10.0, 0.05)
    for off, found in ((0.02, True), (0.03, False)):
        told = dominated_cards(GAME, made(list(exact.names), exact.either_seat, off), costs)
        assert ("sidearm" in told) is found


def test_a_card_of_another_table_replaces_none() -> None:
    """A weapon and a unit that stand alone: the one beats the other at a lower cost."""
    scores = made(["trooper", "shotgun"], np.array([[0.5, 0.2], [0.8, 0.5]]))
    found = dominated_cards(GAME, scores, [10, 5])
    assert {card: (told.by, told.ids) for card, told in found.items()} == {"trooper": ((), ("shotgun",))}


def test_order_changes_nothing() -> None:
    rng = np.random.default_rng(32)
    for _ in range(10):
        scores, costs = field(rng, GRID)
        order = rng.permutation(len(GRID))
        moved = dominated_cards(GAME, scores.select(order), [costs[at] for at in order])
        before = dominated_cards(GAME, scores, costs)
        assert set(moved) == set(before)
        for card, told in moved.items():
            known = before[card]
            assert (told.by, told.margin, told.ids, told.witnesses) == (
                known.by,
                known.margin,
                known.ids,
                known.witnesses,
            )
            assert set(told.loadouts) == set(known.loadouts)


def test_two_of_one_weapon_are_both_replaced() -> None:
    names = ["trooper+sidearm+sidearm", "trooper+shotgun+shotgun", "trooper+sidearm"]
    grid = np.array([[0.5, 0.4, 0.6], [0.6, 0.5, 0.7], [0.4, 0.3, 0.5]])
    assert "sidearm" not in dominated_cards(GAME, made(names, grid), [20, 20, 10])
    two = dominated_cards(GAME, made(names[:2], grid[:2, :2]), [20, 20])
    assert two["sidearm"].by == ("shotgun",)
    assert two["sidearm"].loadouts == ("trooper+sidearm+sidearm",)


def test_the_table_says_by_whom_and_by_how_much() -> None:
    names = ["trooper+shotgun", "trooper+sidearm", "nexus+shotgun", "nexus+sidearm"]
    scores, costs = read_scores(GAME, names), [20.0, 25.0, 30.0, 35.0]
    found = dominated_cards(GAME, scores, costs)["sidearm"]
    told = {"card": "sidearm", "label": "Sidearm", "table": "weapons", "cost_points": 3.0, "n_entrants": 2}
    told |= {"everywhere": True, "by": ["shotgun"], "by_label": "Shotgun"}
    told |= {"margin": found.margin, "mean_gain": found.mean_gain}
    assert dominated_card_table(GAME, scores, costs).to_dicts() == [told]
