from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.analysis.checking import measure_check
from balance.analysis.items import _measure_marked as measure_marked
from balance.analysis.tables import duel_table, measure_duel, measure_means
from balance.engine.query import Query
from balance.engine.runner import Engine, Halted, Runner, same_distribution_key
from balance.errors import RulesError
from balance.protocol.question import LoadedGame, Question
from tests.engine.test_query import with_sha

FIELD = ("nexus+shotgun", "trooper+laser_carbine", "aegis+smg_pistol")


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def test_questions_are_answered_in_order(warforged: LoadedGame) -> None:
    asks = [Query("attack", one, "trooper") for one in FIELD]
    found = Runner(warforged)(asks, measure_means)
    assert [row and row["damage"] for row in found] == [
        warforged.attack(a.one, a.other).distribution.mean("damage") for a in asks
    ]


def test_processes_change_no_number(warforged: LoadedGame) -> None:
    names = warforged.entrants[:12]
    with Runner(warforged, Engine(n_jobs=2)) as asker:
        assert duel_table(asker, names).equals(duel_table(warforged, names))


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
    asker = Runner(warforged, Engine(progress=lambda stage: told.append((stage.what, stage.done, stage.total))))
    asker([Query("attack", "nexus+shotgun", "trooper")] * 300, measure_means, "attacks")
    assert told == [("attacks", 128, 300), ("attacks", 256, 300), ("attacks", 300, 300)]  # questions, as forecast


def test_being_asked_to_stop_ends_after_the_part_under_way() -> None:
    """The first Ctrl-C of a study only sets a flag; all stages must look at it, not those that simulate alone."""
    done: list[int] = []
    asker = Runner(
        balance.load("warforged"), Engine(progress=lambda told: done.append(told.done), halt=lambda: len(done) == 2)
    )
    asks = [Query("attack", "nexus+sidearm", "trooper")] * 10
    with pytest.raises(KeyboardInterrupt):
        asker(asks, lambda question: question.distribution.mean("damage"), share=False)
    assert done == [1, 2]


# -- what is kept ------------------------------------------------------------------------------------------------------

ATTACKS = [Query("attack", one, other) for one in FIELD for other in ("trooper", "whisper")]


def asked_in(folder: Path, loaded: LoadedGame, **how: Any) -> tuple[list[Any], int, int]:
    """Return the answers to some attacks and chances of duels, and how many of them were kept and fresh."""
    duels = [Query("duel", one, "aegis+shotgun", first="a") for one in FIELD]
    with Runner(loaded, Engine(**how), folder) as runner:
        rows = [runner(ATTACKS, measure_means), runner(duels, partial(measure_check, 64, 1), share=False)]
        return rows, runner.counted.kept, runner.counted.fresh


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
        assert (runner.counted.kept, runner.counted.fresh) == (0, 12)


def test_a_runner_that_is_stopped_keeps_what_it_had(warforged: LoadedGame, tmp_path: Path) -> None:
    asked = iter([False] * 3)
    with pytest.raises(Halted):
        asked_in(tmp_path, warforged, halt=lambda: next(asked, True))
    assert asked_in(tmp_path, warforged)[1:] == (8, 1)
