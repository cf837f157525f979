"""Which nodes are chosen: against every set of nodes there is, on lines with planted bends, and by what they cost."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest

from balance.base.arrays import FloatArray
from balance.chance.rolls.process import take_trials
from balance.games.edadh.duel.duel_state import end_codes
from balance.games.edadh.policies.policy import CardMix, Uniform
from balance.games.edadh.solving.approximate import nodes as module
from balance.games.edadh.solving.approximate.grid import CAP
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.nodes import (
    MIN_OFFSET,
    MOST_NODES,
    OFFSETS,
    Places,
    Reach,
    chosen_nodes,
    every_node,
    least_error,
    nodes_beside,
    sample_places,
)
from tests.games.edadh.solving.worths import moves, reached

EVEN = np.full(len(OFFSETS), 1 / len(OFFSETS))
NONE = np.zeros(0, np.int64)
NOBODY = Places(NONE, (NONE, NONE), (NONE, NONE), (NONE, NONE), 0.0)
"""Where no duel came, to nothing of the group."""


def missed(lines: FloatArray, weights: FloatArray, nodes: tuple[int, ...]) -> float:
    """Return the mean squared error of straight lines between nodes, level beyond the outer ones."""
    places = [node - MIN_OFFSET for node in nodes]
    met = np.stack([np.interp(OFFSETS, nodes, line[places]) for line in lines])
    return float((weights * (lines - met) ** 2).sum(axis=1).mean())


def with_edge(nodes: tuple[int, ...], least: int) -> tuple[int, ...]:
    """Return nodes with those that there are whatever they cost: where a side loses, and at the most MP there are."""
    edge = (0, CAP) if least < 0 else (0, 1, CAP)
    return tuple(sorted({*nodes, *edge}))


def any_lines(seed: int) -> tuple[FloatArray, FloatArray]:
    """Return lines without any sense, and weights, some of which are 0."""
    rng = np.random.default_rng(seed)
    weights = rng.random(len(OFFSETS)) * (rng.random(len(OFFSETS)) < 0.7)
    return rng.random((3, len(OFFSETS))), weights / weights.sum()


def met_at(a: list[int], b: list[int], visits: float = 1.0) -> Places:
    """Return places at these MP above the damage, all of one configuration."""
    rows, own = np.zeros(len(a), np.intp), (np.array(a, np.int16), np.array(b, np.int16))
    return Places(rows, own, own, own, visits)


@pytest.mark.parametrize(("seed", "k"), [(0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (3, 3)])
def test_no_other_nodes_err_less(seed: int, k: int) -> None:
    """Of all sets of so many nodes; also with least nodes that are higher, which leave fewer sets."""
    lines, weights = any_lines(seed)
    for least in (MIN_OFFSET, 20):
        found = least_error(lines, weights, least)
        every = {nodes: missed(lines, weights, nodes) for nodes in combinations(range(least, CAP + 1), k)}
        best = min(every, key=lambda nodes: every[nodes])
        assert found.error[k - 1] == pytest.approx(every[best], abs=1e-12)
        assert every[found.nodes(k)] == pytest.approx(every[best], abs=1e-12)
        assert min(found.nodes(k)) >= least


@pytest.mark.parametrize("seed", range(4))
def test_the_error_that_is_told_is_that_of_the_nodes(seed: int) -> None:
    """For any number of them, which is the number asked for."""
    lines, weights = any_lines(seed)
    found = least_error(lines, weights + 1e-4)
    for k in range(1, MOST_NODES + 1):
        nodes = found.nodes(k)
        assert len(nodes) == k and list(nodes) == sorted(nodes)
        assert found.error[k - 1] == pytest.approx(missed(lines, weights + 1e-4, nodes), abs=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_more_nodes_err_no_more_where_lines_bend_one_way(seed: int) -> None:
    """A falling line that gets less steep: one more node, wherever it is, brings straight lines nearer to it."""
    rng = np.random.default_rng(seed)
    steps = np.sort(rng.random((3, len(OFFSETS))) ** 3, axis=1)[:, ::-1]
    found = least_error(-np.cumsum(steps, axis=1) / len(OFFSETS), any_lines(seed)[1])
    assert (np.diff(found.error) <= 1e-12).all()
    assert found.error[-1] < found.error[2] / 10


def test_bends_are_where_nodes_are() -> None:
    """A line of five straight pieces is met by nodes at its four bends and its two ends; with fewer it is not."""
    bends = (-3, 1, 7, 19, 44, 60)
    lines = np.interp(OFFSETS, bends, [0.1, 0.9, 0.2, 0.7, 0.3, 0.8])[None]
    found = least_error(lines, EVEN)
    assert found.nodes(6) == bends
    assert found.error[5] < 1e-9 < found.error[4] / 100
    level = np.interp(OFFSETS, bends[1:-1], [0.9, 0.2, 0.7, 0.3])[None]
    assert least_error(level, EVEN).nodes(4) == bends[1:-1], "level beyond the outer nodes, which need no more"


def test_a_bend_counts_as_much_as_duels_come_there() -> None:
    """Of two alike bends the one that is met has the node."""
    lines = (np.abs(OFFSETS - 10) < 4) * 1.0 + (np.abs(OFFSETS - 40) < 4) * 1.0
    here, there = ((np.abs(OFFSETS - at) < 8) + 1e-6 for at in (10, 40))
    for weights, at in ((here, 10), (there, 40)):
        nodes = least_error(lines[None], weights / weights.sum()).nodes(4)
        assert all(abs(node - at) <= 8 for node in nodes)


def test_weights_are_shares() -> None:
    """Most where duels come, and a little everywhere; MP beyond the axis count at its ends."""
    places = met_at([5] * 9 + [30], [-50, 200])
    for side in (0, 1):
        weights = places.weights(side)
        assert weights.sum() == pytest.approx(1)
        assert weights.min() >= module.EVEN_SHARE / len(OFFSETS) - 1e-12
    a, b = places.weights(0), places.weights(1)
    assert a.argmax() == 5 - MIN_OFFSET
    assert a[5 - MIN_OFFSET] - a[20 - MIN_OFFSET] == pytest.approx(9 * (a[30 - MIN_OFFSET] - a[20 - MIN_OFFSET]))
    assert a[4 - MIN_OFFSET] > a[3 - MIN_OFFSET] > a[20 - MIN_OFFSET], "MP met count for those around them too"
    assert b[0] == pytest.approx(b[-1])
    assert b[0] > b[20 - MIN_OFFSET]


def test_where_no_duel_came_all_mastery_points_are_alike() -> None:
    assert NOBODY.weights(0) == pytest.approx(EVEN)
    rows, mp = sample_places(NOBODY, 0, slice(7, 10))
    every = set(product((7, 8, 9), (10, 20, 30)))
    assert set(zip(rows.tolist(), mp.tolist(), strict=True)) == every, "few of them often, with any MP"
    assert len(rows) == len(mp) == module.SAMPLE
    for nodes in every_node(NOBODY, 0):
        assert nodes == (*range(2 * module.BEYOND + 1), CAP)


def test_where_no_duel_came_the_rest_of_the_group_tells_at_which_mastery_points() -> None:
    """An opponent who knows the play leads it to other cards, with MP as they are around."""
    around = np.array([12] * 30 + [25] * 10, np.int16)
    unmet = NOBODY._replace(around=(around, around))
    weights = unmet.weights(0)
    assert weights.sum() == pytest.approx(1) and weights.argmax() == 12 - MIN_OFFSET
    met = met_at([40], [40])._replace(around=(around, around)).weights(0)
    assert met.argmax() == 40 - MIN_OFFSET and met[12 - MIN_OFFSET] > 2 * met[55 - MIN_OFFSET], (
        "where it came the group counts, too"
    )
    rows, mp = sample_places(unmet, 1, slice(0, 1000))
    assert len(set(rows.tolist())) == len(mp) == module.SAMPLE
    assert set(mp.tolist()) == {12, 25} and abs((mp == 12).mean() - 0.75) < 0.05
    first, last = (mp[: len(mp) // 2] == 12).mean(), (mp[len(mp) // 2 :] == 12).mean()
    assert abs(first - last) < 0.1, "whatever the configuration"


def test_a_position_of_little_use_is_not_bought() -> None:
    """The higher the price, the fewer nodes; at none as many as there may be, at any price one each beside the edge."""
    rng = np.random.default_rng(2)
    lines, places = [rng.random((4, len(OFFSETS))) for _ in "ab"], met_at([5, 9, 14], [2, 30, 50])
    sizes = []
    for price in (0.0, 1e-7, 3e-6, 1e-5, 3e-5, 1e3):
        one, other = chosen_nodes(places, lines, 40, price)
        sizes.append(len(one) * len(other))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] >= MOST_NODES**2
    assert (one, other) == tuple(
        with_edge(least_error(each, places.weights(side)).nodes(1), MIN_OFFSET) for side, each in enumerate(lines)
    )
    assert len(set(sizes)) > 3


def test_nodes_are_bought_where_they_are_shared_by_few_and_met_often() -> None:
    rng = np.random.default_rng(2)
    lines = [rng.random((4, len(OFFSETS))) for _ in "ab"]

    def bought(visits: float, n_rows: int) -> int:
        one, other = chosen_nodes(met_at([5, 9, 14], [2, 30, 50], visits), lines, n_rows, 1e-6)
        return len(one) * len(other)

    assert bought(3.0, 40) > bought(0.1, 40) > bought(0.1, 4000)


def test_the_nodes_that_are_chosen_cost_least_with_what_they_miss() -> None:
    """Against every pair of numbers of nodes, its error counted by hand; the lowest node is as high as asked.

    Those at the edge, where a side loses, and the steps at the end of a Period come on top.
    """
    rng = np.random.default_rng(3)
    lines = [np.cumsum(rng.normal(size=(4, len(OFFSETS))), axis=1) / 20 for _ in "ab"]
    places, price, n_rows = met_at([5, 9, 14], [2, 30, 50], 0.4), 2e-7, 30
    found = [least_error(each, places.weights(side), 0) for side, each in enumerate(lines)]

    def cost(nodes: tuple[tuple[int, ...], tuple[int, ...]]) -> float:
        error = sum(missed(each, places.weights(side), nodes[side]) for side, each in enumerate(lines))
        return (places.visits + module.RARE) * error + price * n_rows * len(nodes[0]) * len(nodes[1])

    every = [(found[0].nodes(k), found[1].nodes(n)) for k in range(1, MOST_NODES + 1) for n in range(1, MOST_NODES + 1)]
    best = min(every, key=cost)
    one, other = (tuple(sorted({*with_edge(own, 0), *module.STEPS})) for own in best)
    assert chosen_nodes(places, lines, n_rows, price, 0) == (one, other)
    assert min(*best[0], *best[1]) >= 0
    assert 2 < len(best[0]) < MOST_NODES, "neither as few nor as many as there may be"


def test_each_of_the_few_mp_has_a_node_at_the_end_of_a_period() -> None:
    """However dear, and also where no duel came: who answers the play stops at the step that it does not see (8 MP)."""
    lines = [np.zeros((4, len(OFFSETS))) for _ in "ab"]
    met, never = met_at([5, 9, 14], [2, 30, 50], 0.4), met_at([], [], 0.0)
    for places in (met, never):
        assert all(set(range(13)) < set(own) and len(own) < 17 for own in chosen_nodes(places, lines, 30, 1.0, 0))
    assert all(len(own) < 7 for own in chosen_nodes(met, lines, 30, 1.0)), "with a turn left"


def test_every_number_that_was_met_has_a_node() -> None:
    """And a few beyond; above these is one at the most MP that there are."""
    one, other = every_node(met_at([2, 9, 4], [0, 58, 1]), -3)
    assert one == (*range(-3, 9 + module.BEYOND + 1), CAP)
    assert other == tuple(range(-3, CAP + 1))


def test_positions_that_are_looked_at_are_met() -> None:
    """Some of the positions met, each with the MP that it has."""
    n = 25 * module.SAMPLE // 36  # somewhat more positions in all than are looked at
    rows, own = np.array([3] * n + [8] * n), (np.arange(2 * n) % 21, np.arange(2 * n) % 3 - 90)
    places = Places(rows, own, own, own, 1.0)
    some, mp = sample_places(places, 0, slice(0, 20))
    assert set(some.tolist()) == {3, 8} and len(some) == len(mp) == module.SAMPLE
    assert {*zip(some.tolist(), mp.tolist(), strict=True)} <= {*zip(rows.tolist(), own[0].tolist(), strict=True)}
    assert len(set(mp.tolist())) > 15
    assert not sample_places(places, 1, slice(0, 20))[1].any(), "never below no MP above the damage"


def test_where_duels_come() -> None:
    """Every position met is of one group and number of turns left, with its MP; visits are those of a duel."""
    listed = Configurations.of(moves("shieldsmen+archers", "spears/swords"))
    reach = reached(listed)
    n, seen = len(reach.state["turns"]), 0
    assert reach.n_duels == 2 * module.DUELS
    assert (end_codes(reach.state) < 0).all() and (reach.rows >= 0).all()
    for group in listed.groups:
        for turns in range(len(listed.columns)):
            rows = group.rows[turns]
            places, part = reach.places(rows, turns), slice(rows.start, (rows.start + rows.stop) // 2)
            of_part = reach.places(part, turns, rows)
            assert np.array_equal(of_part.rows, places.rows[places.rows < part.stop])
            assert all(np.array_equal(one, other) for one, other in zip(of_part.around, places.offset, strict=True))
            assert ((places.rows >= rows.start) & (places.rows < rows.stop)).all()
            assert places.visits == len(places.rows) / reach.n_duels
            damage = listed.damage(turns, places.rows)
            for own, above, hurt in zip(places.mp, places.offset, damage, strict=True):
                assert np.array_equal(above, own - hurt if turns else own)
            seen += len(places.rows)
    assert seen == n
    start = next(group for group in listed.groups if group.cards == (2, 2))
    turns = int(listed.moves.start()["turns"][0])
    at_start = reach.places(start.rows[turns], turns)
    assert at_start.visits >= 1, "every duel begins there"
    again = listed.rows(take_trials(reach.state, slice(0, 50)), np.ones(50, bool))
    assert np.array_equal(again, reach.rows[:50])


def test_how_often_duels_come_to_each_configuration() -> None:
    """As often as they are met there; to the start at least once each."""
    listed = Configurations.of(moves("shieldsmen+archers", "spears/swords"))
    reach = reached(listed)
    assert [len(each) for each in reach.visits] == [len(columns["over"]) for columns in listed.columns]
    for turns, each in enumerate(reach.visits):
        places = reach.places(slice(0, len(each)), turns)
        assert each.sum() == pytest.approx(places.visits)
        assert np.array_equal(np.flatnonzero(each), np.unique(places.rows))
    begun = listed.moves.start()
    assert reach.visits[int(begun["turns"][0])][listed.rows(begun, np.ones(1, bool))] >= 1


def test_positions_met_stay_where_they_are_when_configurations_are_graded() -> None:
    """The same positions, found in the new order; the first grade of a group holds those most often met."""
    reach = reached(Configurations.of(moves("shieldsmen+archers", "spears/swords")))
    graded = reach.in_grades()
    assert graded.state is reach.state and graded.n_duels == reach.n_duels
    for turns, (often, before) in enumerate(zip(graded.visits, reach.visits, strict=True)):
        assert np.array_equal(often, before[graded.configurations.rows_in(reach.configurations, turns)])
        for group in graded.configurations.groups:
            first, second, never = (often[rows] for rows in group.grades[turns])
            assert first.min(initial=np.inf) >= second.max(initial=0) and second.all() and not never.any()


@pytest.mark.slow("test_where_duels_come")
def test_positions_of_two_are_met_beside_each_other() -> None:
    """Whatever the order of the other's configurations; a duel of either counts as much."""
    one = reached(Configurations.of(moves("shieldsmen+archers", "spears/swords")))
    other, alike = reached(one.configurations, 1).in_grades(), reached(one.configurations, 1)
    both = one.beside(other)
    assert both.configurations is one.configurations and both.n_duels == one.n_duels + other.n_duels
    assert np.array_equal(both.rows, np.concatenate([one.rows, alike.rows]))
    for turns, often in enumerate(both.visits):
        assert often == pytest.approx((one.visits[turns] + alike.visits[turns]) / 2)


@pytest.mark.parametrize(
    "nodes", [(0, 60), (-2, 0, 3, 60), (-3, -2, 0, 1, 2, 3, 4, 5, 9, 10, 60), (0, 1, 2, 3, 4), (5, 8, 60), (9,)]
)
def test_nodes_beside_others_see_play_where_it_is_known_and_where_it_is_not(nodes: tuple[int, ...]) -> None:
    """Every other one, and the midst of every other gap; the edge where a side loses has all its nodes."""
    beside = nodes_beside(nodes)
    assert list(beside) == sorted(set(beside)) and beside[-1] == nodes[-1] and beside[0] == nodes[0]
    assert {node for node in nodes if node <= module.EDGE} | set(nodes[::2]) <= set(beside)
    for number, (lower, upper) in enumerate(pairwise(nodes)):
        inside = [node for node in beside if lower < node < upper]
        assert inside == ([(lower + upper) // 2] if number % 2 and upper - lower > 1 else [])
    assert all(min(nodes) <= node <= max(nodes) for node in beside)


@pytest.mark.slow("test_where_duels_come")
def test_every_player_meets_itself_and_the_next_one() -> None:
    """Their duels are as many each, and differ by who plays; the same seed meets the same positions."""
    listed = Configurations.of(moves("shieldsmen", "spears"))
    low, high = (Uniform(CardMix(mix)) for mix in ((1,) * 6 + (0,) * 6, (0,) * 6 + (1,) * 6))
    both, again, other = (Reach.of(listed, [low, high], seed) for seed in (0, 0, 1))
    assert both.n_duels == 4 * module.DUELS
    assert np.array_equal(both.rows, again.rows)
    assert len(both.rows) != len(other.rows) or not np.array_equal(both.rows, other.rows)
    cheap, dear = (Reach.of(listed, [player], 0).state["a_mp"].mean() for player in (low, high))
    assert cheap != dear
