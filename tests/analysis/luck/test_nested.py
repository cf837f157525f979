"""Games that serve several sources at once, luck that follows from a key, and how games go that cannot be listed."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from balance.analysis.luck.nested import asked_names
from balance.analysis.luck.question import luck, result_of
from balance.analysis.luck.replays import N_TRIALS, replayed_texture
from balance.analysis.luck.texture import NUMBERS, Texture, texture
from balance.base.arrays import Array, FloatArray
from balance.chance.exact.course import run_through
from balance.chance.rolls.keyed_rolls import KeyedRolls, KeyRequest, key_of
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.lockstep import simulate
from balance.chance.trials.nested import SharingRolls, play_groups
from balance.game.game import Column, QuestionKind
from balance.game.loaded import load
from balance.game.question.question import ask
from balance.games.warforged.battle.luck import LUCK, PURCHASES
from tests.analysis.luck.test_question import RARE, some_questions
from tests.analysis.luck.test_texture import race, rounds

SOURCES = ("one", "other", "")


def keyed(faces: tuple[int, int] = (2, 2)) -> Process:
    """Return a game of two coins (or dice), whose luck follows from a key with a source for each, in two steps."""

    def begin(rolls: Rolls, n: int) -> State:
        return {"luck": rolls.answer(KeyRequest("luck", SOURCES)), "shown": np.zeros(n, np.int64)}

    def step(place: int, state: State, _: Rolls) -> State:
        n = len(state["shown"])
        coin = KeyedRolls(state["luck"], np.full(n, place), lambda name: SOURCES.index(name))
        return {**state, "shown": state["shown"] * 100 + coin.d(faces[place], 1, SOURCES[place])[:, 0]}

    def total(state: State, _: Array) -> Mapping[str, Array]:
        return {"total": state["shown"] // 100 + state["shown"] % 100}

    steps = (lambda s, r: step(0, s, r), lambda s, r: step(1, s, r))
    return Process(begin, steps, lambda s: s["shown"] >= 100, total, 2, key="luck")


def total(outcome: Mapping[str, Array]) -> FloatArray:
    return np.asarray(outcome["total"], np.float64)


def test_sources_of_a_key_have_their_shares() -> None:
    """A die with two faces and one with six add 1/4 and 35/12 to the variance."""
    found = play_groups(keyed((2, 6)), total, ["one", "other"], RandomRolls(1, "keyed", 0, 2000), 20)
    assert asked_names(keyed()) == ["one", "other"]
    for name, share in (("one", 3 / 38), ("other", 35 / 38)):
        assert abs(found[name].share - share) < 4 * found[name].error
        assert found[name].error < 0.04


@pytest.mark.slow("test_replayed_duels_go_as_exact_ones_do")
def test_battles_told_apart_by_source_are_the_same_battles() -> None:
    """The whole engine on one key for all sources and on that key seven times."""
    asked = load("warforged").ask("battle", "random:150", "random:150", first="a")
    (process,) = asked.kind.processes(asked.setup, "literal")
    assert asked_names(process) == list(LUCK)
    rolls = RandomRolls(3, "same", 0, 200)
    one = simulate(process, RandomRolls(3, "same", 0, 200), in_order=True)

    class Repeated(SharingRolls):
        def answer(self, request):  # type: ignore[no-untyped-def]
            return request.told_apart(lambda _: keys)

    keys = rolls.answer(KeyRequest("luck", LUCK))
    other = simulate(process, Repeated(rolls, {}), in_order=True)
    assert all((one[name] == other[name]).all() for name in one)


def test_shared_shopping_is_the_same_armies() -> None:
    """And nothing else is the same: of battles with the same armies not all go alike."""
    asked = load("warforged").ask("battle", "random:150", "random:150", first="a")
    (process,) = asked.kind.processes(asked.setup, "literal")
    copies = np.repeat(np.arange(20), 10)
    rolls = RandomRolls(3, "armies", 0, 20)
    common = {"shopping": rolls.copies_of("common", copies)}
    found = simulate(process, SharingRolls(rolls.child("own", 200), common), in_order=True)
    for name in ("a_cost", "b_cost"):
        assert (np.ptp(found[name].reshape(20, 10), axis=1) == 0).all()
        assert np.ptp(found[name]) > 0
    assert (np.ptp(found["a_health"].reshape(20, 10), axis=1) > 0).mean() > 0.5
    assert key_of(np.arange(14, dtype=np.uint64).reshape(2, 7), PURCHASES).tolist() == [0, 7]


def test_armies_that_are_written_have_no_shopping() -> None:
    asked = load("warforged").ask("battle", "nexus+shotgun", "trooper+shotgun", first="a")
    (process,) = asked.kind.processes(asked.setup, "literal")
    assert asked_names(process) == list(LUCK[1:])


@pytest.mark.slow("test_replayed_duels_go_as_exact_ones_do")
def test_errors_of_games_that_serve_all_sources_are_as_large_as_they_say() -> None:
    """Of 360 shares, at most 9 % lie beyond two standard errors (chance alone: 4.6 %; fails 1 run in 100).

    Negative control: without what groups of other names tell in common, it would be more.
    """
    inside, without = list[float](), list[float]()
    for game, kind in (("warforged", "kill"), ("battlelore", "duel"), ("immortal_souls", "attack")):
        for asked in some_questions(game, kind, 2):
            (process, *_), value = asked.kind.processes(asked.setup, "literal"), result_of(asked.kind)[1]
            course = run_through(process, value)
            if course.variance < RARE:
                continue
            for seed in range(24):
                rolls = RandomRolls(seed, f"errors {asked.task_id}", 0, 300)
                for name, one in play_groups(process, value, course.names, rolls, 20).items():
                    off = abs(one.share - course.shared_by(name) / course.variance)
                    inside.append(off / max(one.error, 1e-9))
                    without.append(off / max(np.sqrt(max(one.error**2 - one.tied_variance, 0.0)), 1e-9))
    assert len(inside) >= 300
    assert np.mean(np.array(inside) > 2) <= 0.09
    assert np.mean(np.array(without) > 2) > 0.09


# -- how games go -----------------------------------------------------------------------------------------------------


def duel_of_points() -> QuestionKind:
    """Return a kind of question for races: who scores what is their only column."""
    loaded = load("warforged")
    kind = loaded.definition.kinds["duel"]
    columns = {"won": Column("what a scores")}
    return QuestionKind("race", ("a", "b"), kind.takes, kind.processes, columns)


def won(outcome: Mapping[str, Array]) -> FloatArray:
    return np.asarray(outcome["won"], np.float64)


def off(exact: Texture, found: Texture) -> FloatArray:
    """Return by how many standard errors numbers differ; the largest change is of a round, and not compared."""
    names = [name for name in NUMBERS if name != "largest"]
    return np.array([(getattr(found, name) - getattr(exact, name)) / max(found.errors[name], 1e-9) for name in names])


@pytest.mark.parametrize("to, faces", [(3, 50), (8, 50), (10, 55)])
def test_replayed_races_go_as_all_races_do(to: int, faces: int) -> None:
    """Each number within 4 standard errors: 15 numbers, a false alarm in 1 of 1,000 runs."""
    process = race(to, faces)
    exact = texture(run_through(process, won), rounds)
    found = replayed_texture(duel_of_points(), process, won, RandomRolls(1, "race", 0, N_TRIALS))
    assert (np.abs(off(exact, found)) < 4).all()
    for when, share in exact.settled.items():
        assert abs(found.settled[when] - share) < 0.1
    assert found.largest == pytest.approx(exact.largest, abs=0.04)  # a round of a race is one step
    assert (found.n_trials, found.largest_of) == (N_TRIALS, "round")


@pytest.mark.parametrize("most_steps", [15, 12])
def test_states_after_several_rounds_are_played_on_together_as_alone(
    most_steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A race whose luck follows from a key, whole and cut short."""
    plain = race(8, 50)

    def begin(rolls: Rolls, n: int) -> State:
        return {name: np.zeros(n, np.int64) for name in "ab"} | {"luck": rolls.answer(KeyRequest("luck", ()))}

    def step(state: State, _: Rolls) -> State:
        return {**state, **plain.steps[0](state, KeyedRolls(state["luck"], state["a"] + state["b"]))}

    process = replace(plain, start=begin, steps=(step,), max_steps=most_steps, key="luck")
    together = replayed_texture(duel_of_points(), process, won, RandomRolls(1, "race", 0, 64))
    monkeypatch.setattr("balance.analysis.luck.replays.MOST_COPIES", 0)
    assert replayed_texture(duel_of_points(), process, won, RandomRolls(1, "race", 0, 64)) == together
    if most_steps == plain.max_steps:
        assert (np.abs(off(texture(run_through(plain, won), rounds), together)) < 4).all()


def test_the_comparison_notices_another_race() -> None:
    """Negative control: a race to 10 is not one to 8."""
    exact = texture(run_through(race(10, 50), won), rounds)
    found = replayed_texture(duel_of_points(), race(8, 50), won, RandomRolls(1, "race", 0, N_TRIALS))
    assert (np.abs(off(exact, found)) > 4).any()


@pytest.mark.parametrize("game", ["warforged", "battlelore"])
def test_replayed_duels_go_as_exact_ones_do(game: str) -> None:
    """Numbers of three duels within 4 standard errors, but for one whose chances may lie on a threshold."""
    every = list[float]()
    for question in some_questions(game, "duel", 3):
        asked = ask(question.game, "duel", question.entrants, first="a")
        whole, (process,) = luck(asked), asked.kind.processes(asked.setup, "literal")
        if (exact := whole.texture) is None or whole.sd**2 < RARE:
            continue
        found = replayed_texture(asked.kind, process, result_of(asked.kind)[1], RandomRolls(2, "duel", 0, N_TRIALS))
        every += off(exact, found).tolist()
        assert [end.name for end in found.at_end] == [end.name for end in exact.at_end]
        for end, exactly in zip(found.at_end, exact.at_end, strict=True):
            assert abs(end.winner.value - exactly.winner.value) <= 4 * (end.winner.error or 0.0)
    assert (np.abs(every) > 4).sum() <= 1
    assert len(every) >= 5


@pytest.mark.parametrize(
    ("n", "changes"), [(32, ("situation.rounds=2",)), pytest.param(64, (), marks=pytest.mark.slow)], ids=["32", "64"]
)
def test_what_is_settled_by_drawn_armies_is_settled_at_the_start(
    n: int, changes: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fresh luck from a state on: with a key as with dice that are asked for, what is drawn before is settled."""
    monkeypatch.setattr("balance.analysis.luck.question.N_TRIALS", n)
    asked = load("warforged").ask("battle", "random:150", "random:150", changes, first="a")
    found = luck(asked, n_groups=n, n_games=8)
    shares = {source.name: source.alone for source in found.sources}
    assert found.texture is not None
    start = found.texture.settled[0]
    assert abs(start - shares["shopping"].value) < 4 * (shares["shopping"].error or 0.0) + 0.1
    assert shares["shopping"].value > 0.2
    assert max(found.texture.settled.values()) == pytest.approx(1, abs=1e-9)
    assert sum(share.value for share in shares.values()) + found.together.value == pytest.approx(1)
    ends = {end.name: end for end in found.texture.at_end}
    assert ends["points"].loser is not None
    assert ends["points"].winner.value > ends["points"].loser.value


def test_a_game_without_luck_has_no_texture_of_chance() -> None:
    """A coin with one face: nothing varies, whoever plays it on."""
    found = replayed_texture(duel_of_points(), race(3, 100), won, RandomRolls(1, "sure", 0, 16))
    assert [getattr(found, name) for name in NUMBERS] == [0, 0, 1, 0, 3, 0]
