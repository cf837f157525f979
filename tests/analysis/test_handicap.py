"""The handicap of one member or card: in tug of war it is known, since costs are fair in proportion to strength."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting, play_numbered_blocks
from balance.analysis.changes.handicaps.handicap import ArmyField, Handicap, JudgedGroup, _armies, handicaps
from balance.engine.runner import Engine, Runner
from balance.game.armies.armies import ChangedMember
from balance.game.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue

SETTING = ArmySetting("lineup", ((100.0, 4.0), (200.0, 8.0)))
BODIES = [("ant", 6, 60), ("ox", 20, 200), ("elk", 12, 130)]
TOOLS = [("rope", 4, 100), ("chain", 8, 150)]
FAIR = {f"{body[0]}+{tool[0]}": body[2] * tool[2] / 1000 for body in BODIES for tool in TOOLS}
FIELD = ArmyField(SETTING, tuple(FAIR), tuple(FAIR.values()))
OX = ("ox+rope", "ox+chain")


@pytest.fixture(scope="module")
def tug(tmp_path_factory: pytest.TempPathFactory) -> LoadedGame:
    return load(GAME, write_catalogue(tmp_path_factory.mktemp("tug") / "c", BODIES, TOOLS))


def at(members: tuple[str, ...], off: float = 0.0, **values: str) -> JudgedGroup:
    """Members at their fair costs times exp(off), with fields of the ox set."""
    patch = tuple((f"bodies.ox.{field}", text) for field, text in values.items())
    return JudgedGroup(
        tuple(ChangedMember(one, patch) for one in members), tuple(FAIR[one] * np.exp(off) for one in members)
    )


@pytest.mark.parametrize(
    ("judged", "shift"),
    [
        (at(("ox+rope",)), 0.0),
        (at(("ox+rope",), -0.3), 0.3),
        (at(("ox+rope",), 0.5), -0.5),
        (at(("ant+rope",), 0.9), -0.9),
        (at(OX, -0.2), 0.2),
        (at(("ox+chain",), strength="220"), np.log(1.1)),
        (at(OX, strength="150"), np.log(0.75)),
        (at(OX, 0.4, strength="150"), np.log(0.75) - 0.4),
        (JudgedGroup(("elk+rope",), (FAIR["elk+rope"] * 2,)), -np.log(2)),
    ],
)
def test_planted_errors_and_changes_are_found_with_their_size(
    tug: LoadedGame, judged: JudgedGroup, shift: float
) -> None:
    (found,) = handicaps(Runner(tug), FIELD, [judged], 1)
    assert abs(found.shift - shift) < 3.5 * found.error
    assert found.error < 0.03
    assert (found.score > 0) == (shift > 0) or abs(shift) < 0.05


def spread(tug: LoadedGame, n_seeds: int) -> tuple[np.ndarray, np.ndarray]:
    """Return how many standard errors each of two shifts and their difference are off, `[n, 3]`, and the errors."""
    off, errors = [], []
    for seed in range(n_seeds):
        one, other = handicaps(Runner(tug), FIELD, [at(OX, -0.02, strength="210"), at(OX, -0.02)], seed)
        truth = (one, np.log(1.05) + 0.02), (other, 0.02), (one.beyond(other), np.log(1.05))
        off.append([(found.shift - known) / found.error for found, known in truth])
        errors.append([found.error for found, _ in truth])
    return np.array(off), np.array(errors)


@pytest.mark.parametrize(("n", "mean", "sd"), [(12, 1.2, 0.6), pytest.param(40, 0.7, 0.3, marks=pytest.mark.slow)])
def test_errors_are_as_large_as_they_say(tug: LoadedGame, n: int, mean: float, sd: float) -> None:
    """Means within 4 standard errors, spreads within 3: a right program fails once in a hundred sets of seeds."""
    off, errors = spread(tug, n)
    assert np.abs(off.mean(axis=0)).max() < mean
    assert off.std(axis=0) == pytest.approx(np.ones(3), abs=sd)
    assert np.median(errors[:, 2]) < 0.4 * np.median(errors[:, 0])  # the same armies and dice


@pytest.mark.slow("test_errors_are_as_large_as_they_say")
def test_intervals_cover_as_often_as_they_say(tug: LoadedGame) -> None:
    off, _ = spread(tug, 500)
    covered = np.mean(np.abs(off) < 1.96, axis=0)
    assert ((covered > 0.93) & (covered < 0.97)).all()


def test_what_makes_no_difference_makes_none_at_all(tug: LoadedGame) -> None:
    one, other = handicaps(Runner(tug), FIELD, [at(OX), at(OX, cost_points="21")])
    difference = other.beyond(one)
    assert (difference.shift, difference.score, difference.error, difference.score_error) == (0.0, 0.0, 0.0, 0.0)


def test_a_score_is_what_an_army_of_it_alone_adds_at_the_costs_asked_about(tug: LoadedGame) -> None:
    """Strength a against b wins a^2 / (a^2 + b^2): at a tenth more strength 1/2 + .047, budgets unequal flatten it."""
    (found,) = handicaps(Runner(tug), FIELD, [at(OX, strength="220")], 2, n_battles=32_768)
    assert found.score == pytest.approx(0.045, abs=3 * found.score_error)
    assert found.score_error < 0.005


def test_the_numbers_do_not_hang_on_who_works_them_out(tug: LoadedGame) -> None:
    judged = [at(OX, strength="150"), at(("ant+rope",))]
    alone = handicaps(Runner(tug), FIELD, judged, 3, n_battles=8192)
    with Runner(tug, Engine("threads", 2)) as runner:
        together = handicaps(runner, FIELD, judged, 3, n_battles=8192)
    assert [numbers(one) for one in alone] == [numbers(one) for one in together]


def test_who_else_is_judged_changes_the_dice_alone(tug: LoadedGame) -> None:
    (alone,) = handicaps(Runner(tug), FIELD, [at(OX, 0.1)])
    _, beside, again = handicaps(Runner(tug), FIELD, [at(("elk+rope",)), at(OX, 0.1), at(OX, 0.1)])
    assert numbers(beside) == numbers(again)
    assert abs(alone.shift - beside.shift) < 3 * np.hypot(alone.error, beside.error)


def test_who_is_of_no_use_is_played_no_more(tug: LoadedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """A twentieth of the strength is worth log(1/20) = -3; two steps of at most 0.7 say that it is beyond use."""
    weak, sound = at(OX, strength="10"), at(OX, strength="150")
    rounds = list[int]()

    def counted(*wanted: Any) -> list[Any]:
        rounds.append(1)
        return play_numbered_blocks(*wanted)

    monkeypatch.setattr("balance.analysis.changes.handicaps.handicap.play_numbered_blocks", counted)
    whole = handicaps(Runner(tug), FIELD, [weak, sound], 3)
    n_whole = len(rounds)
    rounds.clear()
    left = handicaps(Runner(tug), FIELD, [weak, sound], 3, within=(-0.4, 0.1))
    assert len(rounds) < n_whole
    assert numbers(left[1]) == numbers(whole[1])
    assert left[0].shift < -0.7 - 0.3
    wide = handicaps(Runner(tug), FIELD, [weak, sound], 3, within=(-9.0, 9.0))
    assert [numbers(one) for one in wide] == [numbers(one) for one in whole]


def test_another_key_or_seed_gives_fresh_battles(tug: LoadedGame) -> None:
    found = [
        handicaps(Runner(tug), FIELD, [at(OX)], seed, key=key)[0].shift
        for seed, key in ((0, "one"), (0, "two"), (1, "one"))
    ]
    assert len(set(found)) == 3


def numbers(found: Handicap) -> tuple[float, float, float, float]:
    return found.shift, found.score, found.error, found.score_error


def test_a_mixed_army_of_the_judged_has_it_once_anywhere_and_as_many_units_as_any() -> None:
    """There is money for more than the unit limit, so that all fill it."""
    setting, judged = ArmySetting("lineup", ((1000.0, 4.0), (2000.0, 8.0))), np.full(500, 2)
    own, other, limits = _armies(setting, np.full(3, 10.0), 2, judged, "mixed", np.random.default_rng(3))
    assert ((own >= 0).sum(axis=1) == limits).all()
    assert ((other >= 0).sum(axis=1) == limits).all()
    assert ((own == 2).sum(axis=1) == 1).all()
    assert set(np.argmax(own == 2, axis=1).tolist()) == set(range(8))
    assert other.max() == 1
