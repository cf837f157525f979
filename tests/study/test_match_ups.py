"""Studies of match-ups: the same tables wherever they are played, whatever is killed, however often resumed."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from balance.base.errors import Interruption, OutputError, RulesError
from balance.base.progress import Progress, Progressing
from balance.chance.pmf import Pmf
from balance.chance.trials.estimate import Estimate
from balance.chance.trials.tally import Tally
from balance.engine.runner import Engine, Runner
from balance.engine.source import Source
from balance.engine.store import BlockStore, locked
from balance.study.loading.load import load_study
from balance.study.match_ups import jobs, match_ups
from balance.study.match_ups.match_ups import (
    MatchUps,
    advantage_estimate,
    columns_of,
    exact_scores,
    match_up_frames,
    match_up_summary,
    play_study,
    rule_words,
    score_estimate,
    solve_tasks,
)
from balance.study.match_ups.plan import MatchUpTask, as_sampled, plan_tasks, stream_id
from balance.study.run.folder import load_run
from balance.study.run.run import run_study
from balance.study.settings.grid import Budget
from balance.study.settings.settings import Study, StudySettings

TABLES = ("tasks", "outcomes")
SMALL: dict[str, Any] = {
    "game": "warforged",
    "entrants": ["nexus+s*", "trooper+s*"],
    "exact": "never",
    "budget": {"half_width": 0.004, "cap": 131_072},
}


def study(**more: Any) -> Study:
    return Study(StudySettings.model_validate(SMALL | more), Path("study.toml"))


def digests(folder: Path) -> dict[str, str]:
    return {name: sha256((folder / "tables" / f"{name}.parquet").read_bytes()).hexdigest() for name in TABLES}


def run(folder: Path, engine: Engine | None = None, **more: Any) -> dict[str, str]:
    run_study(study(**more), folder, engine=engine or Engine())
    return digests(folder)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return run(tmp_path_factory.mktemp("serial"))


# -- executors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "n_jobs"), [("threads", 1), ("threads", 2), ("processes", 2)])
def test_every_executor_gives_the_same_tables(kind: str, n_jobs: int, expected: dict[str, str], tmp_path: Path) -> None:
    assert run(tmp_path, Engine(executor=kind, n_jobs=n_jobs)) == expected


def kill_one_worker(after: int) -> tuple[Progress, list[int]]:
    """Return something to be told of the sampling that kills a worker once, and the list of whom it killed."""
    killed: list[int] = []
    seen = 0

    def watch(told: Progressing) -> None:
        nonlocal seen
        seen += 1
        workers = [child.pid for child in multiprocessing.active_children() if child.pid is not None]
        if seen >= after and not killed and workers:
            os.kill(workers[0], signal.SIGKILL)
            killed.append(workers[0])

    return watch, killed


@pytest.mark.slow("tests/engine/test_pool.py::test_a_killed_worker_takes_nothing_with_it")
def test_a_killed_worker_changes_nothing(expected: dict[str, str], tmp_path: Path) -> None:
    watch, killed = kill_one_worker(3)
    assert run(tmp_path, Engine(executor="processes", n_jobs=2, progress=watch)) == expected
    assert killed


@pytest.mark.slow("test_every_executor_gives_the_same_tables")
@pytest.mark.parametrize("after", [None, 3])
def test_a_cluster_gives_the_same_tables(after: int | None, expected: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    watch, killed = kill_one_worker(after) if after else (None, [])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert run(tmp_path, Engine(executor="dask", n_jobs=2, progress=watch)) == expected
    assert bool(killed) == bool(after)


@pytest.mark.slow("test_every_executor_gives_the_same_tables")
def test_another_seed_gives_other_tables(expected: dict[str, str], tmp_path: Path) -> None:
    assert run(tmp_path, seed=1) != expected


def test_a_worker_with_another_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from balance.base.errors import WorkerError
    from balance.engine import source as module

    source = replace(Source.of(study().open()), program="of another version")
    monkeypatch.setattr(module, "_OPEN_GAMES", {})
    with pytest.raises(WorkerError, match="another version"):
        source.open()


# -- kills and resumption --------------------------------------------------------------------------------------------


def study_file(folder: Path, troopers: str, cap: int) -> Path:
    path = folder / "study.toml"
    path.write_text(
        f'game = "warforged"\nentrants = ["nexus+*", "trooper+{troopers}"]\nexact = "never"\nlane = "literal"\n'
        f"[budget]\nhalf_width = 0.004\ncap = {cap}\n"
    )
    return path


def start(path: Path, out: Path, executor: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "balance", "run", str(path), "--out", str(out), "--no-cache", "--quiet"]
    command += ["--executor", executor, "--jobs", "2"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
@pytest.mark.parametrize(
    ("n_kills", "troopers", "cap", "executor"),
    [
        (3, "s*", 32_768, "serial"),
        pytest.param(20, "*", 131_072, "serial", marks=pytest.mark.slow),
        pytest.param(20, "*", 131_072, "processes", marks=pytest.mark.slow),
    ],
)
def test_kills_at_random_moments_change_no_byte(
    n_kills: int, troopers: str, cap: int, executor: str, tmp_path: Path
) -> None:
    """Kill a run again and again wherever it is; only what follows a last, undisturbed start is looked at."""
    path, out = study_file(tmp_path, troopers, cap), tmp_path / "killed"
    run_study(load_study(path), tmp_path / "whole")
    moments = random.Random(20261121)
    kept: list[int] = []
    for _ in range(n_kills):
        process = start(path, out, executor)
        seen, begun = kept[-1] if kept else 0, time.monotonic()
        while n_blocks(out) <= seen and process.poll() is None and time.monotonic() - begun < 30:
            time.sleep(0.01)  # so that every kill strikes work under way
        time.sleep(moments.uniform(0, 0.5))
        process.kill()
        process.wait()
        kept.append(n_blocks(out))
    assert kept == sorted(kept)
    assert kept[0] > 0
    assert start(path, out, executor).wait() == 0
    assert digests(out) == digests(tmp_path / "whole")
    assert not list(out.rglob("*.part"))


def n_blocks(folder: Path) -> int:
    return len(list(folder.glob("blocks/*/*/*.json")))


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by the blocks of every piece that is played."""
    from balance.study.match_ups import sampling

    blocks, play = list[int](), jobs.play

    def note(sources: Any, seed: int, pieces: Any) -> Any:
        blocks.extend(piece.n_blocks for piece in pieces)
        return play(sources, seed, pieces)

    monkeypatch.setattr(sampling, "play", note)
    return blocks


@pytest.mark.slow("test_exact_distributions_are_kept_too")
def test_a_second_run_plays_nothing(expected: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = counted(monkeypatch)
    run(tmp_path)
    assert sum(blocks) > 0
    blocks.clear()
    assert run(tmp_path) == expected
    assert blocks == []


@pytest.mark.slow("test_exact_distributions_are_kept_too")
def test_studies_share_blocks_through_the_cache(
    expected: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, blocks = Engine(cache=tmp_path / "cache"), counted(monkeypatch)
    fewer = {"entrants": ["nexus+s*"], "budget": {"half_width": 0.004, "cap": 65_536}}
    run(tmp_path / "one", engine, **fewer)
    known = sum(blocks)
    blocks.clear()
    assert run(tmp_path / "two", engine) == expected
    alone = sum(blocks)
    blocks.clear()
    run(tmp_path / "three")
    assert sum(blocks) == known + alone
    blocks.clear()
    assert run(tmp_path / "four", engine) == expected
    assert blocks == []


@pytest.mark.slow("tests/engine/test_store.py::test_a_damaged_file_is_set_aside_and_its_blocks_run_again")
def test_a_damaged_block_is_played_again_with_a_warning(expected: dict[str, str], tmp_path: Path) -> None:
    run(tmp_path)
    victim = sorted(tmp_path.glob("blocks/*/*/*.json"))[5]
    victim.write_bytes(victim.read_bytes()[:-30])
    with pytest.warns(UserWarning, match="set aside"):
        assert run(tmp_path) == expected
    assert len(list((tmp_path / "damaged").iterdir())) == 1


def test_exact_distributions_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(tmp_path, exact="auto")
    monkeypatch.setattr(match_ups, "solve", None)
    assert run(tmp_path, exact="auto") == first


@pytest.mark.slow("tests/engine/test_store.py::test_who_waits_for_a_folder_gets_it_when_it_is_let_go")
def test_a_run_in_use_is_refused(tmp_path: Path) -> None:
    code = "import sys; from tests.study.test_match_ups import run; from pathlib import Path; run(Path(sys.argv[1]))"
    with locked(tmp_path):
        done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "another run is at work" in done.stderr


@pytest.mark.slow("tests/engine/test_store.py::test_a_full_disk_is_a_clear_error_and_nothing_is_lost")
def test_a_full_disk_loses_nothing(expected: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, left = os.fsync, [9]  # the command that resumes, and eight blocks

    def fill_up(descriptor: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        real(descriptor)

    with monkeypatch.context() as full, pytest.raises(OutputError, match="no space left"):
        full.setattr(os, "fsync", fill_up)
        run(tmp_path)
    assert n_blocks(tmp_path) == 8
    assert run(tmp_path) == expected


@pytest.mark.slow("test_a_cache_that_fails_does_no_harm_to_exact_distributions")
def test_a_cache_that_fails_does_no_harm(expected: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.warns(UserWarning, match="cache is not used"):
        assert run(tmp_path / "out", Engine(cache=tmp_path / "cache")) == expected


@pytest.mark.slow("tests/cli/test_comparing.py::test_ctrl_c_keeps_what_is_finished")
def test_being_asked_to_stop_keeps_what_is_finished(expected: dict[str, str], tmp_path: Path) -> None:
    asked = iter([False] * 2)
    with pytest.raises(Interruption):
        run(tmp_path, Engine(halt=lambda: next(asked, True)))
    assert n_blocks(tmp_path) > 0
    assert not (tmp_path / "manifest.json").exists()
    assert run(tmp_path) == expected


# -- what is in the tables -------------------------------------------------------------------------------------------


def table(name: str, folder: Path) -> pl.DataFrame:
    return load_run(folder).table(name)


def largest(values: pl.Series) -> float:
    return max(abs(float(value)) for value in values.to_list())


@pytest.mark.slow("tests/study/test_compare.py::test_before_and_after_are_kept_apart")
def test_simulated_match_ups_agree_with_exact_ones(tmp_path: Path) -> None:
    for out, how in (("sampled", "never"), ("exact", "auto")):
        run_study(study(exact=how, entrants=["nexus+*"]), tmp_path / out)
    both = table("tasks", tmp_path / "exact").join(table("tasks", tmp_path / "sampled"), on=["a", "b"])
    assert both.height == 36
    for name, low, high in (("score", "low", "high"), ("advantage", "advantage_low", "advantage_high")):
        assert largest(both[f"{name}_right"] - both[name]) < 0.02
        assert (both[f"{low}_right"] <= both[name]).all()
        assert (both[name] <= both[f"{high}_right"]).all()
    assert both["low"].null_count() == both.height
    assert both["low_right"].null_count() == 0


@pytest.mark.slow("test_a_match_up_that_was_not_played_has_no_numbers")
def test_outcomes_add_up_to_their_tasks(tmp_path: Path) -> None:
    run_study(study(), tmp_path)
    tasks, outcomes = table("tasks", tmp_path), table("outcomes", tmp_path)
    added = outcomes.group_by("task_id", maintain_order=True).agg(pl.col("n").sum(), pl.col("p").sum())
    assert added["n"].to_list() == tasks["n_pairs"].to_list()
    assert added["p"].to_list() == pytest.approx([1.0] * tasks.height)


@pytest.mark.slow("test_a_store_gives_every_range")
def test_trials_go_where_the_answer_is_open(tmp_path: Path) -> None:
    run_study(study(budget={"half_width": 0.004}), tmp_path)
    tasks = table("tasks", tmp_path)
    assert set(tasks["reason"]) == {"half-width"}
    assert largest((tasks["high"] - tasks["low"]) / 2) <= 0.004
    assert tasks["n_blocks"].n_unique() > 1


def test_a_total_serves_the_widest_interval_first(tmp_path: Path) -> None:
    n_pairs = 15 * 16_384 + 5 * 16_384
    run_study(study(budget={"half_width": 0.0001, "total": n_pairs}), tmp_path)
    tasks = table("tasks", tmp_path)
    assert tasks["n_pairs"].sum() == n_pairs
    assert set(tasks["reason"]) == {"total"}
    once, twice = (tasks.filter(pl.col("n_blocks") == n) for n in (1, 2))
    assert (once.height, twice.height) == (10, 5)
    assert largest(twice["score"] - 0.5) < largest(once["score"] - 0.5)


@pytest.mark.slow("tests/study/test_verdict.py::test_scenes_are_every_combination")
def test_situations_and_patches_are_sides_of_one_study(tmp_path: Path) -> None:
    patch = tmp_path / "soft.toml"
    patch.write_text('[set]\n"weapons.shotgun.precision" = 5\n')
    settings = StudySettings.model_validate(
        SMALL | {"exact": "auto", "patches": ["soft.toml"], "grid": {"distance_cells": [2, 4]}}
    )
    run_study(Study(settings, tmp_path / "study.toml"), tmp_path / "out")
    tasks = table("tasks", tmp_path / "out")
    assert tasks["side"].unique(maintain_order=True).to_list() == ["base", "soft"]
    assert tasks["situation"].unique(maintain_order=True).to_list() == ["distance_cells 2", "distance_cells 4"]
    both = tasks.filter(side="base").join(tasks.filter(side="soft"), on=["situation", "a", "b"])
    armed = both["a"].str.contains("shotgun") | both["b"].str.contains("shotgun")
    assert (both["score"] == both["score_right"]).to_list() == (~armed).to_list()


@pytest.mark.slow("tests/engine/test_store.py::test_what_a_killed_writer_left_is_swept_and_nothing_else")
def test_what_a_killed_writer_left_is_swept(tmp_path: Path) -> None:
    run(tmp_path)
    left = next(tmp_path.glob("blocks/*/*")) / ".x.json.1.part"
    left.write_text("half")
    (tmp_path / ".balance-1.part").mkdir()
    run(tmp_path)
    assert not left.exists()
    assert not (tmp_path / ".balance-1.part").exists()


def test_a_store_gives_every_range(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    for first, n in ((0, 1), (0, 4), (1, 1)):
        store.add("ab", Tally(Pmf.of({0: n}, "x"), first, n))
    assert [(t.first_block, t.n_blocks) for t in store.ranges("ab")] == [(0, 4), (0, 1), (1, 1)]


def test_a_cache_that_fails_does_no_harm_to_exact_distributions(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.warns(UserWarning, match="cache is not used") as told:
        found = run(tmp_path / "out", Engine(cache=tmp_path / "cache"), exact="auto")
    assert found == run(tmp_path / "alone", exact="auto")
    assert len(told) == 1


# -- what is exact ---------------------------------------------------------------------------------------------------


class Kept:
    """A store that holds one distribution and notes what is added."""

    def __init__(self, held: Mapping[str, Tally]) -> None:
        self.held, self.added = held, list[tuple[str, int, int]]()

    def ranges(self, name: str, expected: Any) -> list[Tally]:
        for tally in (found := [self.held[name]] if name in self.held else []):
            expected.check(tally)
        return found

    def add(self, name: str, tally: Tally) -> None:
        self.added.append((name, tally.first_block, tally.n_blocks))


def test_numbers_of_tables_have_twelve_digits_and_chances_fifteen() -> None:
    third = Estimate(1 / 3, 1 / 7, 2 / 3, 9)
    assert columns_of(third, "x", "l", "h") == {"x": 0.333333333333, "l": 0.142857142857, "h": 0.666666666667}
    assert columns_of(Estimate.exact(2 / 3), "x", "l", "h") == {"x": 0.666666666667}
    chances = Pmf(("seat", "winner"), np.array([[0, 1], [1, 1]]), np.array([2 / 3, 1 / 3]))
    rows = match_ups._outcome_rows(chances, {"a": 1})
    assert [row["p"] for row in rows] == [0.666666666666667, 0.333333333333333]


def solved(monkeypatch: pytest.MonkeyPatch, stores: list[Kept]) -> tuple[list[Any], list[tuple[int, int]], list[int]]:
    """Solve six match-ups of three, two at a time: what is found, what is told, and how many each job solves."""
    told, sizes, real = list[tuple[int, int]](), list[int](), jobs.solve

    def solve(source: Source, tasks: Sequence[MatchUpTask]) -> list[Pmf | None]:
        sizes.append(len(tasks))
        return real(source, tasks)

    monkeypatch.setattr(match_ups, "SOLVE_AT_ONCE", 2)
    monkeypatch.setattr(match_ups, "solve", solve)
    monkeypatch.setattr(Runner, "stores", property(lambda self: stores))
    what = study(exact="auto", entrants=["nexus+s*", "trooper+sidearm"])
    loaded = what.open()
    tasks = plan_tasks(what, {"base": loaded})
    tasks = (*tasks[:5], as_sampled(tasks[5]))
    engine = Engine(progress=lambda one: told.append((one.n_done, one.total)))
    with Runner(loaded, engine) as runner:
        ids = [task.query.id(loaded) for task in tasks]
        found = solve_tasks(runner, tasks, ids, {"base": Source.of(loaded)})
    return found, told, sizes


def test_exact_match_ups_are_solved_a_few_at_a_time_and_kept_in_every_store(monkeypatch: pytest.MonkeyPatch) -> None:
    stores = [Kept({}), Kept({})]
    found, told, sizes = solved(monkeypatch, stores)
    assert (told, sizes) == ([(2, 5), (4, 5), (5, 5)], [2, 2, 1])
    assert [one is None for one in found] == [False] * 5 + [True]
    assert stores[0].added == stores[1].added
    assert [(first, n) for _, first, n in stores[0].added] == [(0, 1)] * 5
    names = [name for name, _, _ in stores[0].added]
    loaded = study().open()
    (task, *_) = plan_tasks(study(exact="auto", entrants=["nexus+s*"]), {"base": loaded})
    assert names[0] == stream_id([task.query.id(loaded)], "exact", "", 0, Source.of(loaded).program)
    held = {name: Tally(found[at], 0, 1) for at, name in enumerate(names) if at in (1, 2)}
    again, told, sizes = solved(monkeypatch, [Kept({}), Kept(held)])
    assert (told, sizes) == ([(4, 5), (5, 5)], [2, 1])
    assert again[1:3] == found[1:3]
    assert [one is None for one in again] == [False] * 5 + [True]


@pytest.mark.parametrize("exact", ["auto", "always"])
def test_what_is_too_large_to_be_exact_is_simulated_or_refused(
    exact: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_ups, "solve", lambda source, tasks: [None] * len(tasks))
    told = {"exact": exact, "entrants": ["nexus+s*"], "budget": {"trials": 10}}
    if exact == "auto":
        run_study(study(**told), tmp_path)
        assert set(table("tasks", tmp_path)["method"]) == {"sampled"}
        assert set(table("tasks", tmp_path)["n_pairs"]) == {16_384}
        return
    with pytest.raises(RulesError) as error:
        run_study(study(**told), tmp_path)
    assert (
        str(error.value)
        == 'nexus+smg_pistol against nexus+sidearm: the exact distribution is too large; say exact = "auto"'
    )


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        ({"trials": 10_000}, "10,000 pairs each, rounded up to whole blocks"),
        (
            {"trials": 10_000, "total": 50_000},
            "10,000 pairs each, rounded up to whole blocks, and 50,000 pairs in all",
        ),
        ({"half_width": 0.0125}, "until the score is known to within 0.0125, at most 1,048,576 pairs"),
        ({}, "until it is known whether the score is within 0.02 of 1/2, at most 1,048,576 pairs"),
        (
            {"verdict": 0.05, "cap": 2000},
            "until it is known whether the score is within 0.05 of 1/2, at most 2,000 pairs",
        ),
    ],
)
def test_when_a_match_up_is_closed_is_said_in_words(budget: dict[str, Any], words: str) -> None:
    assert rule_words(Budget.model_validate(budget)) == words


def test_a_game_without_seats_has_one_score_and_no_advantage() -> None:
    counts = Pmf(("game",), np.array([[0], [1], [2]]), np.array([100, 200, 700]))
    winners = {"a": 1, "b": 2, "draw": 0}
    assert score_estimate(counts, winners, 0.95).value == 0.25
    assert advantage_estimate(counts, winners, 0.95) is None
    alone = Pmf(("seat", "winner"), np.array([[0, 0], [0, 1], [0, 2]]), np.array([0.1, 0.2, 0.7]))
    assert exact_scores(alone, winners) == pytest.approx([0.25])
    played = MatchUps((), winners, 0.95, Budget())
    score, advantage = match_ups._score_and_advantage(alone, played)
    assert score.value == pytest.approx(0.25)
    assert score.is_exact
    assert advantage is None
    assert match_ups._outcome_rows(counts, {"a": 1, "b": 2}) == [
        {"a_first": "0", "n": 100, "p": 0.1},
        {"a_first": "a", "n": 200, "p": 0.2},
        {"a_first": "b", "n": 700, "p": 0.7},
    ]
    assert match_ups._outcome_rows(alone, {"a": 1})[2] == {"a_first": "2", "p": 0.7}


def test_a_match_up_that_was_not_played_has_no_numbers() -> None:
    what = study(entrants=["nexus+s*"], budget={"trials": 10, "total": 10})
    loaded = what.open()
    with Runner(loaded) as runner:
        frames = match_up_frames(play_study(what, {"base": loaded}, runner))
    assert frames["outcomes"].height == 0
    shown = frames["tasks"].select("method", "n_pairs", "n_blocks", "score", "verdict", "reason", "more_pairs")
    assert shown.row(0) == ("sampled", 0, 0, None, "not yet known", "total", None)
    summary = match_up_summary(what, frames["tasks"])
    assert (summary["n_sampled"], summary["n_pairs"], summary["widest_half_width"]) == (3, 0, None)
