"""Witnesses: against a plain search over mixtures, whatever the order, the names and the copies."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import balance
from balance.analysis.dominance.witnesses import (
    Bounds,
    Witness,
    find_dominators,
    single_witnesses,
    witnesses,
    witnesses_between,
)
from balance.analysis.scores.equivalence import TIE
from balance.analysis.scores.scores import Scores, read_scores
from balance.study.run.folder import load_run
from tests.packaging.checkout import ROOT

Field = tuple[list[str], list[float], np.ndarray]


def made(names: list[str], scores: np.ndarray, off: float = 0.0) -> Scores:
    """Return scores over both seats, each known to within `off`."""
    errors = np.full_like(scores, off * 2**0.5 / 5)
    return Scores(tuple(names), scores, errors, np.ones_like(scores), np.ones(len(names)))


def exact(scores: np.ndarray) -> Bounds:
    """Return scores of one situation as they are."""
    return Bounds(scores[None], scores[None], scores[None])


def drawn(rng: np.random.Generator, n: int, steps: int | None = None) -> Field:
    """Return a random field; of few different scores if `steps` are given, so that ties are common."""
    draw = rng.random((n, n)) if steps is None else rng.integers(0, steps + 1, (n, n)) / steps
    scores = np.triu(draw, 1) + np.tril(1 - np.triu(draw, 1).T, -1)
    np.fill_diagonal(scores, 0.5)
    return [f"e{place}" for place in range(n)], rng.integers(1, 9, n).astype(float).tolist(), scores


def ladder(rng: np.random.Generator, n: int) -> Field:
    """Return a field in which the stronger mostly cost more."""
    theta = np.sort(rng.normal(0, 1, n))
    noise = np.triu(rng.normal(0, 0.4, (n, n)), 1)
    scores = 1 / (1 + np.exp(-np.subtract.outer(theta, theta) - noise + noise.T))
    return [f"e{place}" for place in range(n)], (20 * np.exp(theta / 3) + rng.normal(0, 2, n)).round().tolist(), scores


def joined(scores: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Return the scores with one more entrant, who scores this against the others."""
    return np.block([[scores, 1 - row[:, None]], [row, np.array([[0.5]])]])


def assert_true(name: str, witness: Witness, field: Field, slack: float = 0.0) -> None:
    """Assert what a witness says, by plain loops over the exact scores."""
    names, costs, scores = field
    place = {other: at for at, other in enumerate(names)}
    a = place[name]
    assert name not in witness.ids
    assert sum(share for _, share in witness.parts) == pytest.approx(1, abs=1e-12)
    assert all(share > 0 for _, share in witness.parts)
    cost = sum(share * costs[place[part]] for part, share in witness.parts)
    gains = [
        sum(share * scores[place[part], k] for part, share in witness.parts) - scores[a, k] for k in range(len(names))
    ]
    assert cost == pytest.approx(witness.cost, abs=2e-9)
    assert (min(gains), max(gains)) == pytest.approx((witness.margin, witness.largest_gain), abs=2e-9)
    assert cost <= costs[a] + 1e-7
    assert min(gains) >= -slack - 2 * TIE
    assert cost < costs[a] or max(gains) > slack + TIE
    assert witness.error == 0


def on_a_grid(field: Field, parts: int = 12) -> set[str]:
    """Return who is dominated by some mixture in twelfths, as the definition reads."""
    names, costs, scores = field
    n, found = len(names), set()
    shares = [np.array(one) / parts for one in product(range(parts + 1), repeat=n) if sum(one) == parts]
    for mixed in shares:
        gains, cost = mixed @ scores - scores, float(mixed @ costs)
        for a in np.flatnonzero(mixed == 0):
            no_worse = gains[a].min() >= -TIE and cost <= costs[a] + 1e-12
            if no_worse and (cost < costs[a] - 1e-9 or gains[a].max() > TIE):
                found.add(names[a])
    return found


@pytest.mark.slow("test_of_89_loadouts_48_have_a_single_witness_and_16_more_a_mixture")
@pytest.mark.parametrize("steps", [None, 4, 10])
def test_who_is_named_is_dominated_and_whoever_a_grid_of_mixtures_beats_is_named(steps: int | None) -> None:
    rng = np.random.default_rng(11)
    n_mixed = 0
    for _ in range(60):
        field = drawn(rng, int(rng.integers(2, 6)), steps)
        found = witnesses(made(field[0], field[2]), field[1])
        for name, witness in found.items():
            assert_true(name, witness, field)
            assert witness.outright
            assert witness.is_mixture == (witness.n_dominating == 0) == (len(witness.ids) > 1)
        assert on_a_grid(field) <= set(found)
        n_mixed += sum(witness.is_mixture for witness in found.values())
    assert n_mixed > 2


def test_singles_are_told_as_ever_and_no_mixture_takes_their_place() -> None:
    rng = np.random.default_rng(12)
    for _ in range(60):
        names, costs, scores = drawn(rng, int(rng.integers(2, 7)), 4)
        by_one = find_dominators(names, costs, scores[None], scores[None])
        found = witnesses(made(names, scores), costs)
        assert {name for name, witness in found.items() if not witness.is_mixture} == set(by_one)
        assert {name: witness for name, witness in found.items() if not witness.is_mixture} == single_witnesses(
            names, costs, exact(scores)
        )
        for name, by in by_one.items():
            assert set(found[name].alike[0]) <= set(by)
            assert found[name].n_dominating == len(by)
            assert found[name].ids == (min(found[name].alike[0]),)


@pytest.mark.parametrize("n", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_a_planted_clone_is_named_with_its_witness_in_every_one_of_200_catalogues(n: int) -> None:
    rng = np.random.default_rng(13)
    alone = 0
    for _ in range(n):
        names, costs, scores = ladder(rng, 8)
        b = int(rng.integers(8))
        worse = np.where(rng.random(8) < 0.5, 0.01, 0.0)
        field = [*names, "clone"], [*costs, costs[b] + float(rng.integers(1, 4))], joined(scores, scores[b] - worse)
        witness = witnesses(made(field[0], field[2]), field[1])["clone"]
        assert_true("clone", witness, field)
        by = find_dominators(field[0], field[1], field[2][None], field[2][None])["clone"]
        assert names[b] in by
        assert witness.ids[0] in by
        alone += witness.ids == (names[b],)
    assert alone > n / 2


@pytest.mark.parametrize("n", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_what_half_and_half_dominate_is_named_with_both_in_every_one_of_200_catalogues(n: int) -> None:
    rng, alone = np.random.default_rng(14), 0
    for _ in range(n):
        names, _, scores = drawn(rng, 7)
        b, c = rng.choice(7, 2, replace=False).tolist()
        costs = [60.0] * 7
        costs[b], costs[c] = 12.0, 30.0
        field = [*names, "planted"], [*costs, 21.0], joined(scores, ((scores[b] + scores[c]) / 2 - 0.02).clip(0, 1))
        found = witnesses(made(field[0], field[2]), field[1])
        assert_true("planted", found["planted"], field)
        if not found["planted"].is_mixture:
            assert found["planted"].ids == (names[b],)
        elif names[c] not in found:
            assert dict(found["planted"].parts) == {names[b]: 0.5, names[c]: 0.5}
            assert (found["planted"].cost, found["planted"].n_dominating) == (21.0, 0)
            alone += 1
    assert alone > (0.6 if n == 200 else 0.3) * n


def test_of_three_thirds_all_three_are_told() -> None:
    """Each beats its own opponent; only all three together do no worse against all."""
    rows = np.full((3, 3), 0.2) + 0.6 * np.eye(3)
    scores = np.full((7, 7), 0.5)
    scores[:3, 3:6], scores[3:6, :3] = rows, 1 - rows.T
    scores[6, 3:6], scores[3:6, 6] = 0.35, 0.65
    names = [*"abc", *"xyz", "poor"]
    found = witnesses(made(names, scores), [10, 10, 10, 90, 90, 90, 10])
    assert found == {
        "poor": Witness(
            (("a", 1 / 3), ("b", 1 / 3), ("c", 1 / 3)),
            (("a",), ("b",), ("c",)),
            cost=10.0,
            margin=0.0,
            error=0.0,
            mean_gain=round(0.15 / 7, 9),
            largest_gain=0.05,
            n_dominating=0,
            outright=True,
        )
    }


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_in_a_symmetric_catalogue_nobody_is_dominated(n: int) -> None:
    """All alike; and a circle, in which each does against the next as that against the one after it."""
    alike, turn = np.full((n, n), 0.5), np.array([0.5, *np.linspace(0.9, 0.6, n // 2)])
    circle = np.array(
        [[turn[d] if (d := (j - i) % n) <= n // 2 else 1 - turn[n - d] for j in range(n)] for i in range(n)]
    )
    if n % 2 == 0:
        circle[np.abs(np.subtract.outer(range(n), range(n))) == n // 2] = 0.5
    names = [f"e{place}" for place in range(n)]
    for scores in (alike, circle):
        assert witnesses(made(names, scores), [10.0] * n) == {}
        assert witnesses(made(names, scores), [10.0] * n, 0.02) == {}


def renamed(witness: Witness, new: dict[str, str]) -> Any:
    """Return all that a witness says, with other names; those that nothing tells apart in any order."""
    parts = sorted(
        (sorted(new[one] for one in alike), share)
        for alike, (_, share) in zip(witness.alike, witness.parts, strict=True)
    )
    numbers = witness.cost, witness.margin, witness.error, witness.mean_gain, witness.largest_gain
    return parts, numbers, witness.n_dominating, witness.outright


@pytest.mark.slow("test_all_costs_doubled_change_only_the_cost_of_the_witness")
@pytest.mark.parametrize("imbalance", [0.0, 0.03])
def test_order_and_names_change_nothing_but_names(imbalance: float) -> None:
    rng, n_found = np.random.default_rng(15), 0
    for turn in range(30):
        names, costs, scores = ladder(rng, 9) if turn % 2 else drawn(rng, 7, 10)
        order = rng.permutation(len(names))
        new = {name: f"x{(5 * place + 3) % len(names)}{place}" for place, name in enumerate(names)}
        moved = witnesses(
            made([new[names[i]] for i in order], scores[np.ix_(order, order)]), [costs[i] for i in order], imbalance
        )
        same = dict(zip(new.values(), new.values(), strict=True))
        before = witnesses(made(names, scores), costs, imbalance)
        assert {name: renamed(one, same) for name, one in moved.items()} == {
            new[name]: renamed(one, new) for name, one in before.items()
        }
        assert list(moved) == [new[names[i]] for i in order if names[i] in before]
        n_found += sum(one.is_mixture for one in before.values())
    assert n_found > 10


@pytest.mark.slow("test_all_costs_doubled_change_only_the_cost_of_the_witness")
def test_order_alone_changes_no_byte() -> None:
    rng = np.random.default_rng(16)
    for _ in range(40):
        names, costs, scores = drawn(rng, 7, 4)
        order = rng.permutation(7)
        moved = witnesses(made([names[i] for i in order], scores[np.ix_(order, order)]), [costs[i] for i in order])
        assert moved == witnesses(made(names, scores), costs)


@pytest.mark.slow("test_copies_of_a_part_stand_for_each_other")
def test_a_copy_changes_nothing_for_the_others() -> None:
    rng, n_mixed = np.random.default_rng(17), 0
    for turn in range(30):
        names, costs, scores = ladder(rng, 9) if turn % 2 else drawn(rng, 6, 10)
        before = witnesses(made(names, scores), costs)
        twice = int(rng.integers(len(names)))
        order = [*range(len(names)), twice]
        after = witnesses(made([*names, "zz"], scores[np.ix_(order, order)]), [costs[i] for i in order])
        copied = after.pop("zz", None)
        assert copied == after.get(names[twice])
        assert list(after) == list(before)
        for name, witness in after.items():
            alike = tuple(tuple(one for one in part if one != "zz") for part in witness.alike)
            more = "zz" in sum(witness.alike, ()) or before[name].n_dominating != witness.n_dominating
            assert (witness.parts, alike) == (before[name].parts, before[name].alike)
            assert (
                renamed(witness, {n: n for n in [*names, "zz"]})[1] == renamed(before[name], {n: n for n in names})[1]
            )
            assert witness.n_dominating in {before[name].n_dominating, before[name].n_dominating + more}
            n_mixed += witness.is_mixture
    assert n_mixed > 10


HALVES = np.array([[0.5, 0.4, 0.2, 0.4], [0.6, 0.5, 0.3, 0.1], [0.8, 0.7, 0.5, 0.9], [0.6, 0.9, 0.1, 0.5]])
"""Half the second and half the third gain 0.2, 0.2, 0.2 and 0.1 on the first."""


def test_copies_of_a_part_stand_for_each_other() -> None:
    order = [0, 1, 2, 3, 1]
    scores = made(["a", "twin", "c", "d", "b"], HALVES[np.ix_(order, order)])
    parts = (("b", 0.5), ("c", 0.5))
    wanted = Witness(parts, (("b", "twin"), ("c",)), 19.0, 0.1, 0.0, 0.175, 0.2, 0, outright=True)
    assert witnesses(scores, [20, 8, 30, 25, 8]) == {"a": wanted}
    assert witnesses(scores, [20, 9, 30, 25, 8])["a"].alike == (("b",), ("c",))


@pytest.mark.slow("test_of_89_loadouts_48_have_a_single_witness_and_16_more_a_mixture")
def test_parts_are_worth_taking_themselves() -> None:
    rng = np.random.default_rng(18)
    n_mixed = 0
    for _ in range(25):
        names, costs, scores = ladder(rng, 12)
        found = witnesses(made(names, scores), costs)
        mixed = [witness for witness in found.values() if witness.is_mixture]
        n_mixed += len(mixed)
        assert not [part for witness in mixed for part in witness.ids if part in found]
    assert n_mixed > 20


def test_a_simulated_mixture_must_hold_at_the_ends_of_all_intervals() -> None:
    """The planted one loses 0.02 to half and half, each score within `off`: the two together may be off by 2 off."""
    rng = np.random.default_rng(19)
    names, _, scores = drawn(rng, 9)
    field = joined(scores, ((scores[0] + scores[1]) / 2 - 0.02).clip(0, 1))
    costs = [12.0, 30.0, *[60.0] * 7, 21.0]
    for off, found in ((0.0, True), (0.0099, True), (0.0101, False), (0.02, False)):
        told = witnesses(made([*names, "planted"], field, off), costs).get("planted")
        assert (told is not None) is found
        if told is not None:
            assert told.parts == (("e0", 0.5), ("e1", 0.5)) or told.parts == (("e1", 0.5), ("e0", 0.5))
            assert told.margin == pytest.approx(0.02, abs=1e-9)
            assert told.error == pytest.approx(2 * off, abs=1e-9)
    overlooked = witnesses(made([*names, "planted"], field, 0.0101), [*costs[:-1], 22.0], 0.001)["planted"]
    assert (overlooked.is_mixture, overlooked.outright) == (True, False)


@pytest.mark.parametrize(("n", "least"), [(6, 1), pytest.param(30, 11, marks=pytest.mark.slow)])
def test_one_who_is_overlooked_a_little_is_told_before_a_mixture_and_that_before_one_overlooked(
    n: int, least: int
) -> None:
    rng, n_nearly = np.random.default_rng(20), 0
    for _ in range(n):
        field = ladder(rng, 8)
        names, costs, scores = field
        outright, nearly = (witnesses(made(names, scores), costs, slack) for slack in (0.0, 0.04))
        assert set(outright) <= set(nearly)
        for name, witness in nearly.items():
            assert witness.outright is (witness == outright.get(name))
            assert witness.outright or name not in outright or not witness.is_mixture
        for name, witness in nearly.items():
            assert_true(name, witness, field, 0.0 if witness.outright else 0.04)
        n_nearly += sum(witness.is_mixture and not witness.outright for witness in nearly.values())
    assert n_nearly >= least


def test_a_sliver_of_somebody_cheap_is_no_reason() -> None:
    """Three do alike within what is overlooked, at one price: none is dominated, cheap as the other may be."""
    scores = np.array([[0.5, 0.51, 0.9, 0.49], [0.49, 0.5, 0.9, 0.51], [0.1, 0.1, 0.5, 0.1], [0.51, 0.49, 0.9, 0.5]])
    assert witnesses(made(list("abcd"), scores), [10, 10, 1, 10], 0.02) == {}


def test_several_situations_are_all_opponents() -> None:
    near, far = (np.array([[0.5, x], [1 - x, 0.5]]) for x in (0.4, 0.6))
    assert set(witnesses_between(["a", "b"], [9, 9], exact(near))) == {"a"}
    assert set(witnesses_between(["a", "b"], [9, 9], exact(far))) == {"b"}
    both = np.stack([near, far])
    assert witnesses_between(["a", "b"], [9, 9], Bounds(both, both, both)) == {}
    twice = np.stack([near, near])
    loose = Bounds(twice, twice - np.array([[[0.0]], [[0.08]]]), twice + np.array([[[0.0]], [[0.12]]]))
    found = witnesses_between(["a", "b"], [9, 8], loose, 0.2)
    assert (found["a"].margin, found["a"].error, found["a"].outright) == (0.1, 0.2, False)


def test_who_never_met_somebody_is_taken_to_lose_there_as_a_part() -> None:
    """Half and half dominate; not if one of them never met an opponent that the other could not make up for."""
    scores = HALVES
    costs = [20, 8, 30, 25]
    assert set(witnesses_between(list("abcd"), costs, exact(scores))) == {"a"}
    unmet = scores.copy()
    unmet[2, 3] = unmet[3, 2] = np.nan
    assert witnesses_between(list("abcd"), costs, exact(unmet)) == {}
    unmet[0, 3] = unmet[3, 0] = np.nan
    found = witnesses_between(list("abcd"), costs, exact(unmet))
    assert {name: witness.ids for name, witness in found.items()} == {"a": ("b",), "c": ("d",)}


def test_all_costs_doubled_change_only_the_cost_of_the_witness() -> None:
    names, costs, scores = ladder(np.random.default_rng(21), 12)
    one, two = (witnesses(made(names, scores), [factor * cost for cost in costs]) for factor in (1, 2))
    assert {name: renamed(w, {n: n for n in names})[0] for name, w in one.items()} == {
        name: renamed(w, {n: n for n in names})[0] for name, w in two.items()
    }
    assert [2 * witness.cost for witness in one.values()] == pytest.approx([witness.cost for witness in two.values()])
    assert any(witness.is_mixture for witness in one.values())


def test_of_89_loadouts_48_have_a_single_witness_and_16_more_a_mixture() -> None:
    game = balance.load("warforged")
    scores = read_scores(load_run(ROOT / "reports" / "warforged").table("duels"))
    costs = [float(game.cost_points(name)) for name in scores.names]
    found = witnesses(scores, costs)
    mixed = {name: witness for name, witness in found.items() if witness.is_mixture}
    assert (len(scores.names), len(found), len(mixed)) == (89, 64, 16)
    field = list(scores.names), costs, scores.either_seat
    for name, witness in found.items():
        assert_true(name, witness, field)
    assert mixed["aegis+emp_projector"].parts == (("vanguard+shotgun", 0.5), ("aegis+marksman_rifle", 0.5))
    assert mixed["whisper+sidearm"].parts == (("trooper+sidearm", 0.75), ("trooper+shotgun", 0.25))
    assert sorted(len(witness.parts) for witness in mixed.values()) == [*[2] * 13, 3, 3, 5]
