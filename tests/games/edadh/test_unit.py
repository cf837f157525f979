"""A Unit as tables: every column at every arrangement, and every option at every mask, told again card by card."""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from balance.base.errors import RulesError
from balance.game.loaded import load
from balance.games.edadh.cards.records import LEVELS, Troop
from balance.games.edadh.cards.swaps import Arrangement, swap_results
from balance.games.edadh.rules import unit as unit_module
from balance.games.edadh.rules.forces import N_PLAYS, compile_force
from balance.games.edadh.rules.strike import NO_ATT
from balance.games.edadh.rules.unit import (
    COMBINE_ALL,
    COMBINE_ONE,
    LOSSES,
    N_LOSSES,
    N_OTHERS,
    NO_COLUMN,
    PLAYS,
    STAY,
    plays_of,
    unit_tables,
)

DV, PSY = [4, 3, 6], [5, 9, 2]
ML = np.array([[2, 3, 2], [4, 1, 1], [3, 3, 5]], np.int16)
UNITS: dict[str, tuple[Arrangement, int]] = {
    "one card": (((0,),), 0),
    "uneven columns": (((0, 1), (2,), (1,)), 0),
    "three kinds": (((0, 1), (1, 2), (2, 0)), 0),
    "swaps of neighbours": (((0, 1, 2), (1,)), 1),
    "swaps": (((0, 1, 2), (1, 0)), 2),
}
MASKS = range(8)


def columns_of(mask: int) -> list[int]:
    return [c for c in range(3) if mask & (1, 2, 4)[c]]


def mask_of(columns: Any) -> int:
    return sum((1, 2, 4)[c] for c in columns)


def literal_plays(mask: int, right: int, fixed: int) -> list[int]:
    """Return the plays in order, each a column and those that help it; as numbers, column + 4 * mask of helpers."""
    up = columns_of(mask)
    found = []
    for column in up if fixed == NO_COLUMN else [fixed]:
        others = [c for c in up if c != column]
        helping: dict[int, list[list[int]]] = {0: [[]], COMBINE_ONE: [[], *([c] for c in others)]}
        helping[COMBINE_ALL] = [[], others] if others else [[]]
        found += [column + 4 * mask_of(helpers) for helpers in helping[right]]
    return found


@pytest.mark.parametrize(("right", "mask", "fixed"), product(range(3), MASKS, range(4)))
def test_every_play(right: int, mask: int, fixed: int) -> None:
    place = (right * 8 + mask) * 4 + fixed
    row = PLAYS[place * 9 : place * 9 + 9].tolist()
    plays = literal_plays(mask, right, fixed)
    if not mask:
        assert (row, int(N_OTHERS[place])) == ([NO_COLUMN] * 9, 0), "no turn: one option, and it sends nobody"
        return
    assert row == plays + [NO_COLUMN] * (9 - len(plays))
    assert int(N_OTHERS[place]) == len(plays) - 1
    assert plays_of(mask, right, fixed) == plays
    if fixed == NO_COLUMN:
        assert plays_of(mask, right) == plays


@pytest.mark.parametrize(("must", "mask"), product((0, 1), MASKS))
def test_every_loss(must: int, mask: int) -> None:
    place = must * 8 + mask
    options = [STAY] * (1 - must) + columns_of(mask) if mask else [STAY]
    assert LOSSES[place * 4 : place * 4 + 4].tolist() == options + [STAY] * (4 - len(options))
    assert int(N_LOSSES[place]) == len(options)
    assert (len(PLAYS), len(N_OTHERS), len(LOSSES), len(N_LOSSES)) == (96 * 9, 96, 16 * 4, 16)


def one_gone(cards: Arrangement, column: int) -> Arrangement:
    return tuple(own[1:] if c == column else own for c, own in enumerate(cards))


def literal_swaps(column: tuple[int, ...], reach: int) -> list[tuple[int, ...]]:
    """Return what a column may become: every set of pairs of places that share none, each at most `reach` apart."""
    pairs = [pair for pair in combinations(range(len(column)), 2) if pair[1] - pair[0] <= reach]
    found = []
    for n in range(len(pairs) + 1):
        for chosen in permutations(pairs, n):
            if len({place for pair in chosen for place in pair}) == 2 * n:
                cards = list(column)
                for i, j in chosen:
                    cards[i], cards[j] = cards[j], cards[i]
                found.append(tuple(cards))
    return list(dict.fromkeys(found))


def reachable(start: Arrangement, reach: int) -> set[Arrangement]:
    found, pending = {start}, [start]
    while pending:
        cards = pending.pop()
        after = [one_gone(cards, c) for c in range(3) if cards[c]]
        after += [(*cards[:c], own, *cards[c + 1 :]) for c in range(3) for own in literal_swaps(cards[c], reach)]
        pending += set(after) - found
        found |= set(after)
    return found


@pytest.mark.parametrize("name", UNITS)
def test_every_table_at_every_arrangement(name: str) -> None:
    columns, reach = UNITS[name]
    tables = unit_tables(columns, DV, PSY, ML, reach)
    start = (*columns, (), (), ())[:3]
    found = tables.arrangements
    assert found[0] == start
    assert (set(found), len(set(found))) == (reachable(start, reach), len(found))
    number = {cards: u for u, cards in enumerate(found)}
    for u, cards in enumerate(found):
        front = [own[0] if own else None for own in cards]
        standing = [c for c in range(3) if cards[c]]
        sizes = [len(own) for own in cards]
        fullest = [c for c in standing if sizes[c] == max(sizes)]
        dv = [0 if kind is None else DV[kind] for kind in front]
        least = min((dv[c] for c in fullest), default=0)
        assert tables.front[u * 4 : u * 4 + 4].tolist() == [*(3 if kind is None else kind for kind in front), 3]
        leaves = [number[one_gone(cards, c)] if cards[c] else u for c in range(3)]
        assert tables.behind[u * 4 : u * 4 + 4].tolist() == [*leaves, u], "who stays loses nothing"
        assert tables.front_mask[u] == mask_of(standing)
        assert tables.fullest[u] == mask_of(fullest)
        assert tables.cheapest[u] == mask_of(c for c in fullest if dv[c] == least)
        assert (tables.n_cards[u], tables.n_front[u]) == (sum(sizes), len(standing))
        assert tables.lowest_dv[u] == min((dv[c] for c in standing), default=9999)
        assert tables.front_dv[u * 4 : u * 4 + 4].tolist() == [*dv, 0]
        psyche = [0 if kind is None else PSY[kind] for kind in front]
        assert tables.front_psy[u * 4 : u * 4 + 4].tolist() == [*psyche, 0]
        for level, mask in product(range(3), MASKS):
            shown = {c: int(ML[level, kind]) for c in columns_of(mask) if (kind := front[c]) is not None}
            lowest = [c for c in shown if shown[c] == min(shown.values())]
            if set(columns_of(mask)) <= set(standing):
                assert tables.lowest_ml[level, u * 8 + mask] == mask_of(lowest)


@pytest.mark.parametrize("name", UNITS)
def test_every_swap_at_every_arrangement(name: str) -> None:
    columns, reach = UNITS[name]
    tables = unit_tables(columns, DV, PSY, ML, reach)
    number = {cards: u for u, cards in enumerate(tables.arrangements)}
    most = int(tables.swaps.n.max())
    for u, cards in enumerate(tables.arrangements):
        listed = tables.swaps.choices(np.arange(u * 4, u * 4 + 4, dtype=np.intp)).tolist()
        for c, row in enumerate(listed):
            told = literal_swaps(cards[c], reach) if c < 3 else []
            to = [number[(*cards[:c], own, *cards[c + 1 :])] for own in told] or [u]
            assert row[0] == u, "first of all, nothing changes"
            assert sorted(row[: len(to)]) == sorted(to)
            assert row[len(to) :] == [row[len(to) - 1]] * (most - len(to))
            assert tables.swaps.n[u * 4 + c] == len(to)


@pytest.mark.parametrize(("n", "reach"), product(range(5), range(4)))
def test_what_a_column_may_become(n: int, reach: int) -> None:
    """Cards change places in pairs; with a card kept, the order is that of the first place changed, then the next."""
    column = tuple(range(n))
    found = swap_results(column, reach)
    assert found[0] == column
    assert sorted(found) == sorted(literal_swaps(column, reach))
    assert sorted(swap_results((7, 7, 8)[:n], reach)) == sorted(literal_swaps((7, 7, 8)[:n], reach)), "alike cards"


def test_the_order_of_swaps() -> None:
    assert swap_results((0, 1, 2), 2) == [(0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 2, 1)]
    assert swap_results((0, 1, 2, 3), 1) == [(0, 1, 2, 3), (1, 0, 2, 3), (1, 0, 3, 2), (0, 2, 1, 3), (0, 1, 3, 2)]


def test_a_unit_may_have_as_many_arrangements_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = ((0, 1), (1, 2), (2, 0))
    assert unit_module.MOST_ARRANGEMENTS == 30_000
    monkeypatch.setattr(unit_module, "MOST_ARRANGEMENTS", 27)
    assert len(unit_tables(columns, DV, PSY, ML, 0).arrangements) == 27
    monkeypatch.setattr(unit_module, "MOST_ARRANGEMENTS", 26)
    with pytest.raises(RulesError) as caught:
        unit_tables(columns, DV, PSY, ML, 0)
    assert str(caught.value) == (
        "a Unit with more than 26 arrangements is too large to simulate; fewer ranks, or fewer kinds of troop in a "
        "column"
    )


@pytest.mark.parametrize("columns", [((0, 1), (1, 2), (2, 0)), ((0, 0), (0, 0), (0, 0)), ((2,), (1,))])
def test_every_fighter(columns: Arrangement) -> None:
    """What every play sends at every arrangement: the values of one card, and the att of those who help."""
    entries = load("edadh").catalogue.entries(Troop)
    troops = [entries[name] for name in ("spears", "blunderbuss", "gunners")]
    force = compile_force(tuple(troops), columns)
    names = ("ml", "mp_bonus", "protection", "piercing", "att", "def", "od", "dd")
    assert force.troops == tuple(troops)
    assert force.fighter.shape == (len(force.unit.arrangements) * N_PLAYS,)
    assert force.n_fighters == force.fighter.max() + 1 == len(set(force.fighter.tolist()))
    for u, cards in enumerate(force.unit.arrangements):
        standing = [c for c in range(3) if cards[c]]
        for right in range(3):
            for play in plays_of(mask_of(standing), right):
                fighter = force.fighter[u * N_PLAYS + play]
                selected = troops[cards[play & 3][0]]
                helpers = [troops[cards[c][0]] for c in columns_of(play >> 2)]
                for level, known in enumerate(LEVELS):
                    values = [getattr(selected, f"{known}_{name}") for name in names]
                    told = [NO_ATT if value is None else value for value in values]
                    assert [int(column[level, fighter]) for column in force.profile[:-1]] == told
                    att = sum(getattr(troop, f"{known}_att") or 0 for troop in helpers)
                    assert force.helpers_att[level, fighter] == att
                assert force.profile.dv[fighter] == selected.discard_value
        nobody = force.fighter[u * N_PLAYS + NO_COLUMN]
        assert [int(column[level, nobody]) for column in force.profile[:-1] for level in range(3)] == [0] * 24
        assert (int(force.profile.dv[nobody]), force.helpers_att[:, nobody].tolist()) == (0, [0, 0, 0])
        assert {int(force.fighter[u * N_PLAYS + play]) for play in range(N_PLAYS) if play & 3 == 3} == {int(nobody)}
        for column in set(range(3)) - set(standing):
            assert force.fighter[u * N_PLAYS + column] == nobody, "nobody stands there"
