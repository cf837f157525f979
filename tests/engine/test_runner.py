from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance
from balance.analysis.claims.checking import measure_check
from balance.analysis.claims.items import _measure_marked as measure_marked
from balance.analysis.scores.tables import duel_table, measure_duel, measure_means
from balance.base.errors import Interruption, RulesError, UsageError
from balance.engine.answers import AnswerStore
from balance.engine.jobs import Job, Pool
from balance.engine.query import Query, digest
from balance.engine.runner import Engine, Runner, WorkCounts, _Part, answer, same_distribution, same_distribution_key
from balance.engine.source import Source, fingerprint
from balance.engine.store import BlockStore, SharedStore
from balance.game.loaded import LoadedGame
from balance.game.question.question import Question
from tests.engine.test_query import with_sha
from tests.toy.game import GAME as TOY

FIELD = ("nexus+shotgun", "trooper+laser_carbine", "aegis+smg_pistol")


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def test_questions_are_answered_in_order(warforged: LoadedGame) -> None:
    asks = [Query("attack", one, "trooper") for one in FIELD]
    found = Runner(warforged)(asks, measure_means)
    assert [row and row["damage"] for row in found] == [
        warforged.attack(a.side_a, a.side_b).distribution.mean("damage") for a in asks
    ]


@pytest.mark.parametrize("n", [4, pytest.param(12, marks=pytest.mark.slow)])
def test_processes_change_no_number(warforged: LoadedGame, n: int) -> None:
    names = warforged.entrants[:n]
    with Runner(warforged, Engine(n_jobs=2)) as asker:
        assert duel_table(asker, names).equals(duel_table(Runner(warforged), names))


def test_a_reading_that_cannot_matter_leaves_the_distribution_alone(warforged: LoadedGame) -> None:
    plain = warforged.duel("nexus+shotgun", "trooper+shotgun", first="a")
    idle = warforged.duel("nexus+shotgun", "trooper+shotgun", ["rules.shield_roll=every_attack"], first="a")
    assert same_distribution_key(plain) == same_distribution_key(idle)
    assert idle.p_win() == plain.p_win()


def test_a_reading_that_matters_does_not(warforged: LoadedGame) -> None:
    plain = warforged.duel("nexus+shotgun", "trooper+shotgun", first="a")
    other = warforged.duel("nexus+shotgun", "trooper+shotgun", ["rules.faces=0-9"], first="a")
    assert same_distribution_key(plain) != same_distribution_key(other)


def test_equal_distributions_are_measured_once_and_simulations_each(warforged: LoadedGame) -> None:
    asked: list[Question] = []

    def count(question: Question) -> int:
        asked.append(question)
        return len(asked)

    asks = [
        Query("duel", "nexus+shotgun", "trooper+shotgun", change, "a") for change in ((), ("rules.emp=cumulative",))
    ]
    assert Runner(warforged)(asks, count) == [1, 1]
    assert Runner(warforged)(asks, count, share=False) == [2, 3]


def test_what_was_asked_before_is_not_measured_again(warforged: LoadedGame) -> None:
    calls: list[str] = []

    def measure(question: Question) -> float:
        calls.append(question.first)
        return question.p_win()["a"]

    asker, ask = Runner(warforged), Query("duel", "nexus+shotgun", "trooper+shotgun", (), "a")
    assert asker([ask], measure) == asker([ask], measure)
    assert len(calls) == 1


def test_what_the_rules_forbid_is_skipped_only_if_asked_for(warforged: LoadedGame) -> None:
    asks = [Query("duel", "bulwark+rail_lance", "trooper+shotgun", ("a.abilities=",), "a")]
    assert Runner(warforged)(asks, measure_duel, skip_illegal=True) == [None]
    with pytest.raises(RulesError):
        Runner(warforged)(asks, measure_duel)


def test_progress_is_told(warforged: LoadedGame) -> None:
    told: list[tuple[str, int, int]] = []
    asker = Runner(warforged, Engine(progress=lambda stage: told.append((stage.work, stage.n_done, stage.total))))
    asker([Query("attack", "nexus+shotgun", "trooper")] * 300, measure_means, "attacks")
    assert told == [("attacks", 128, 300), ("attacks", 256, 300), ("attacks", 300, 300)]  # questions, as forecast


def test_being_asked_to_stop_ends_after_the_part_under_way() -> None:
    """The first Ctrl-C of a study only sets a flag; all stages must look at it, not those that simulate alone."""
    done: list[int] = []
    asker = Runner(
        balance.load("warforged"), Engine(progress=lambda told: done.append(told.n_done), halt=lambda: len(done) == 2)
    )
    asks = [Query("attack", "nexus+sidearm", "trooper")] * 10
    with pytest.raises(Interruption):
        asker(asks, lambda question: question.distribution.mean("damage"), share=False)
    assert done == [1, 2]


# -- what is kept ------------------------------------------------------------------------------------------------------

ATTACKS = [Query("attack", one, other) for one in FIELD for other in ("trooper", "whisper")]


def asked_in(folder: Path, loaded: LoadedGame, **how: Any) -> tuple[list[Any], int, int]:
    """Return the answers to some attacks and chances of duels, and how many of them were kept and fresh."""
    duels = [Query("duel", one, "aegis+shotgun", first="a") for one in FIELD]
    with Runner(loaded, Engine(**how), folder) as runner:
        rows = [runner(ATTACKS, measure_means), runner(duels, partial(measure_check, 64, 1), share=False)]
        return rows, runner.counts.n_kept, runner.counts.n_fresh


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_is_finished_is_found_by_the_next_runner(n_jobs: int, warforged: LoadedGame, tmp_path: Path) -> None:
    first = asked_in(tmp_path, warforged, n_jobs=n_jobs)
    assert first[1:] == (0, 9)
    assert asked_in(tmp_path, warforged) == (first[0], 9, 0)
    assert asked_in(tmp_path / "elsewhere", warforged) == first


def test_a_file_that_is_damaged_is_worked_out_again(warforged: LoadedGame, tmp_path: Path) -> None:
    first = asked_in(tmp_path, warforged)
    next(path for path in tmp_path.rglob("*.json") if "damage" in path.read_text()).write_text("{}")
    with pytest.warns(UserWarning, match="asked again"):
        assert asked_in(tmp_path, warforged) == (first[0], 3, 6)
    assert asked_in(tmp_path, warforged) == (first[0], 9, 0)


def test_another_catalogue_or_measure_finds_nothing(warforged: LoadedGame, tmp_path: Path) -> None:
    asked_in(tmp_path, warforged)
    softer = with_sha(warforged, "0" * 64)
    assert asked_in(tmp_path, softer)[1:] == (0, 9)
    with Runner(warforged, folder=tmp_path) as runner:
        runner(ATTACKS, measure_marked)
        runner(ATTACKS, lambda question: len(question.distribution))
        assert (runner.counts.n_kept, runner.counts.n_fresh) == (0, 12)


def test_what_was_made_once_is_found_by_who_asks_the_same(warforged: LoadedGame, tmp_path: Path) -> None:
    store, made = AnswerStore(tmp_path, "answers"), list[int]()

    def make() -> int:
        made.append(1)
        return len(made)

    asked = [("this", (1,)), ("this", (1,)), ("this", (2,)), ("that", (1,)), ("this", (1,))]
    assert [Runner(warforged, answers=store).once(*facts, make) for facts in asked] == [1, 1, 2, 3, 1]
    assert [Runner(warforged).once("this", (1,), make) for _ in range(2)] == [4, 5]
    alone = Runner(warforged)
    assert [alone.once(*facts, make) for facts in asked] == [6, 6, 7, 8, 6]


def test_a_runner_that_is_stopped_keeps_what_it_had(warforged: LoadedGame, tmp_path: Path) -> None:
    asked = iter([False] * 3)
    with pytest.raises(Interruption):
        asked_in(tmp_path, warforged, halt=lambda: next(asked, True))
    assert asked_in(tmp_path, warforged)[1:] == (8, 1)


# -- where and how -----------------------------------------------------------------------------------------------------

THROWS = [Query("attack", one, other) for one in ("rat", "knight") for other in ("knight", "ogre")]
MEANS = [{"damage": 0.5}, {"damage": 0.5}, {"damage": 1.5}, {"damage": 1.5}]


@pytest.fixture(scope="module")
def toy() -> LoadedGame:
    return balance.load(TOY)


class Backwards:
    """A pool that does its jobs in the opposite order, and says what it was given."""

    n_workers = 2

    def __init__(self) -> None:
        self.given: list[Job] = []
        self.opened: list[tuple[Any, ...]] = []
        self.closed = 0

    @contextmanager
    def open(self, *how: Any) -> Iterator[Pool]:
        self.opened.append(how)
        try:
            yield self
        finally:
            self.closed += 1

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        given = list(jobs)
        self.given += given
        for job in reversed(given):
            yield job, job.function(*job.arguments)


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> Backwards:
    made = Backwards()
    monkeypatch.setattr("balance.engine.runner.open_pool", made.open)
    return made


def lambdas() -> LoadedGame:
    """Return a game that no other process can know."""
    kinds = {name: replace(kind, processes=lambda setup, lane: ()) for name, kind in TOY.kinds.items()}
    return balance.load(replace(TOY, kinds=kinds))


def test_who_does_the_work_follows_from_how_much_and_whether_the_game_can_travel(warforged: LoadedGame) -> None:
    assert Engine() == Engine("auto", 1, None, None, None, None)
    assert [
        Runner(game, engine).executor
        for game in (warforged, lambdas())
        for engine in (Engine(), Engine(n_jobs=2), Engine("threads"), Engine("dask", 1), Engine("serial", 4))
    ] == ["serial", "processes", "threads", "dask", "serial", "serial", "threads", "threads", "dask", "serial"]


def test_workers_are_opened_once_for_what_is_worth_handing_out(toy: LoadedGame, backwards: Backwards) -> None:
    with Runner(toy, Engine("threads", 3, "tcp://host:1")) as runner:
        assert runner(THROWS[:1], measure_means) == MEANS[:1]  # one part is done here
        assert list(runner.run([Job("j", abs, (-1,))], locally=True)) == [(Job("j", abs, (-1,)), 1)]
        assert backwards.opened == []
        assert runner(THROWS[:3], measure_means, share=False) == MEANS[:3]
        assert runner(THROWS[2:], measure_means, share=False) == MEANS[2:]
        assert (backwards.opened, backwards.closed) == ([("threads", 3, "tcp://host:1", None)], 0)
    assert backwards.closed == 1
    assert [job.name for job in backwards.given] == [f"questions, part {n}" for n in (1, 2, 3, 1, 2)]
    assert [job.tag for job in backwards.given] == [0, 1, 2, 0, 1]
    assert list(runner.run([Job("j", abs, (-2,))])) == [(Job("j", abs, (-2,)), 2)]  # which opens them again
    assert len(backwards.opened) == 2


def test_nobody_to_do_the_work_is_told(toy: LoadedGame) -> None:
    with pytest.raises(UsageError) as told, Runner(toy, Engine(n_jobs=0)) as runner:
        runner(THROWS, measure_means, share=False)
    assert str(told.value) == "workers must be 1 or more, found 0"


@pytest.mark.parametrize(("executor", "kind"), [("serial", LoadedGame), ("threads", LoadedGame), ("dask", Source)])
def test_only_another_process_needs_the_game_packed(
    executor: str, kind: type, toy: LoadedGame, backwards: Backwards
) -> None:
    with Runner(toy, Engine(executor, 2)) as runner:
        runner(THROWS, measure_means, share=False)
    assert {type(job.arguments[0]) for job in backwards.given} == {kind}


def test_answers_stand_in_the_order_of_their_questions_and_are_told_in_it(
    toy: LoadedGame, backwards: Backwards, tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    engine = Engine("threads", 2, progress=lambda stage: told.append((stage.n_done, stage.total)))
    with Runner(toy, engine, tmp_path) as runner:
        assert runner(THROWS[1:2], measure_means, share=False) == MEANS[1:2]
        assert runner([*THROWS, THROWS[0]], measure_means, share=False) == [*MEANS, MEANS[0]]
        assert (runner.counts.n_kept, runner.counts.n_fresh) == (1, 5)
        assert [job.tag for job in backwards.given] == [0, 2, 3, 4]
        told.clear()
        assert runner(THROWS, measure_means, share=False) == MEANS
        assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
        assert (runner.counts.n_kept, runner.counts.n_fresh) == (5, 5)
        runner.clear()
    assert list(tmp_path.iterdir()) == []


def test_nobody_need_watch_and_nothing_need_be_asked(toy: LoadedGame) -> None:
    runner = Runner(toy)
    assert runner([], measure_means) == []
    assert (runner.stores, runner.counts) == ([], WorkCounts(n_kept=0, n_fresh=0))
    runner.clear()
    assert runner.game is toy


def test_blocks_are_looked_for_in_the_run_and_then_in_the_cache(toy: LoadedGame, tmp_path: Path) -> None:
    run, cache = tmp_path / "run", tmp_path / "cache"
    stores = Runner(toy, Engine(cache=cache), run).stores
    assert [(type(store), store.folder) for store in stores] == [(BlockStore, run), (SharedStore, cache)]


def test_what_answers_are_kept_under_holds_all_that_fixes_them(toy: LoadedGame) -> None:
    """A contract: what was kept is found again by the same program, and by no other."""
    part = _Part(tuple(THROWS), measure_means, skip_illegal=True, share=True)
    program, measure = fingerprint("balance", "tests.toy"), {"call": "balance.analysis.scores.tables:measure_means"}
    assert part.name(toy) == digest([program, measure, True, [query.id(toy) for query in THROWS]])
    assert part.name(toy) == replace(part, share=False).name(toy)
    assert replace(part, measure=lambda question: 1).name(toy) is None


def test_a_part_has_so_many_questions_as_may_share_answers(toy: LoadedGame) -> None:
    told: list[int] = []
    runner = Runner(toy, Engine(progress=lambda stage: told.append(stage.n_done)))
    runner([THROWS[0]] * 257, measure_means)
    assert told == [128, 256, 257]


def test_being_asked_to_stop_gives_out_no_more_and_finishes_what_was_begun(toy: LoadedGame) -> None:
    done: list[int] = []
    runner = Runner(toy, Engine(halt=lambda: len(done) >= 2))
    with pytest.raises(Interruption):
        for _, result in runner.run(Job("j", abs, (-n,)) for n in range(9)):
            done.append(result)
    assert done == [0, 1]


def test_being_asked_to_stop_when_all_is_done_stops_nothing(toy: LoadedGame) -> None:
    done: list[int] = []
    runner = Runner(toy, Engine(halt=lambda: len(done) >= 3))
    for _, result in runner.run(Job("j", abs, (-n,)) for n in range(3)):
        done.append(result)
    assert done == [0, 1, 2]


# -- which questions share an answer -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """A setup of these tests."""

    inputs: str
    dice: Any


def asked_with(setup: Any) -> Question:
    question = balance.load(TOY).attack("rat", "ogre")
    return replace(question, setup=setup)


def test_the_key_of_a_distribution_is_the_kind_and_the_setup_without_what_was_asked() -> None:
    assert same_distribution_key(asked_with(Setting("asked", 3))) == ("attack", 3)
    assert same_distribution_key(asked_with(Setting("otherwise", 3))) == ("attack", 3)
    assert same_distribution_key(asked_with(Setting("asked", [3]))) is None
    assert same_distribution_key(asked_with({"dice": 3})) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Setting("asked", 3), Setting("otherwise", 3), True),
        (Setting("asked", 3), Setting("asked", 4), False),
        (Setting("asked", {"a": [3]}), Setting("otherwise", {"a": [3]}), True),
        (Setting("asked", {"a": [3]}), Setting("asked", {"a": [4]}), False),
        (Setting("asked", np.arange(2)), Setting("otherwise", np.arange(2)), True),
        (Setting("asked", np.arange(2)), Setting("asked", np.arange(1, 3)), False),
        (Setting("asked", [lambda: 3]), Setting("asked", [lambda: 3]), False),
        (Setting("asked", 3), {"dice": 3}, False),
        ({"dice": 3}, {"dice": 3}, False),
    ],
)
def test_equal_setups_have_the_same_distribution_and_of_what_cannot_be_compared_nobody_knows(
    one: Any, other: Any, same: bool
) -> None:
    assert same_distribution(asked_with(one), asked_with(other)) is same
    assert not same_distribution(asked_with(one), balance.load(TOY).duel("rat", "ogre"))


def test_a_part_takes_what_is_known_and_measures_the_rest_once(toy: LoadedGame) -> None:
    measured: list[str] = []

    def measure(question: Question) -> str:
        measured.append(question.entrants[0])
        return f"{question.entrants[0]}, measured"

    rat, knight = Query("duel", "rat", "ogre"), Query("duel", "knight", "ogre")
    part = _Part((rat, knight, rat, knight), measure, skip_illegal=False, share=True)
    assert answer(toy, part, {knight: "known"}) == ["rat, measured", "known", "rat, measured", "known"]
    assert measured == ["rat"]
    assert answer(toy, replace(part, share=False), {}) == [f"{name}, measured" for name in ("rat", "knight") * 2]
    assert answer(Source.of(toy), replace(part, queries=(rat,)), {}) == ["rat, measured"]


def test_answers_given_before_are_told_to_the_same_measure_alone(toy: LoadedGame) -> None:
    counts = {"one": 0, "other": 0}

    def one(question: Question) -> int:
        counts["one"] += 1
        return counts["one"]

    def other(question: Question) -> int:
        counts["other"] += 1
        return counts["other"]

    runner = Runner(toy)
    assert [runner(THROWS[:1], measure) for measure in (one, one, other)] == [[1], [1], [1]]
    assert runner(THROWS[:1], one, share=False) == [2]
    assert runner(THROWS[:1], one) == [1]


def test_what_the_rules_forbid_has_no_answer_among_others_that_have(warforged: LoadedGame) -> None:
    fights = [
        Query("duel", "trooper+shotgun", "trooper+shotgun", (), "a"),
        Query("duel", "bulwark+rail_lance", "trooper+shotgun", ("a.abilities=",), "a"),
        Query("duel", "trooper+shotgun", "trooper+shotgun", (), "a"),
    ]
    measured: list[int] = []

    def measure(question: Question) -> int:
        measured.append(1)
        return len(measured)

    runner = Runner(warforged)
    assert runner(fights, measure, skip_illegal=True) == [1, None, 1]
    assert runner(fights, measure, skip_illegal=True) == [1, None, 1]
