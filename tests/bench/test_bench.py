"""The bench runs: answers are checked before they are timed, a wrong one stops it, and the table holds every row."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from subprocess import CalledProcessError
from time import process_time
from typing import Any, cast

import numpy as np
import pytest

import balance
from balance.game.game import LANES
from balance.games.warforged.battle.turns.terms import Battle
from balance.verbs.call.explore.panel import Panel
from balance.verbs.call.explore.question_subject import QuestionSubject
from tests.bench import (
    adventure_rows,
    adventures,
    battle_rows,
    battlelore,
    battles,
    commands,
    dice_rows,
    edadh,
    explore_rows,
    game_files,
    immortal_souls,
    known,
    line_ups,
    ours,
    page_rows,
    question_rows,
    runewars,
    solving,
    souls_encounters,
    table,
)
from tests.bench.battle_tables import handed_over
from tests.bench.commands import Usage, run_command
from tests.bench.contest import Budget, Contender, Contest, Row, SkippedError, run_contest
from tests.bench.sampling_peers import PLAIN, PYTHON, TUNED, CLoop
from tests.bench.targets import Target, judge


def test_our_exact_answers_are_the_known_ones() -> None:
    known.check("attack", ours.attack(), known.ONE_ATTACK)
    known.check("kill", ours.kill(), known.KILLS)
    known.check("duel", ours.duel(), known.DUEL)
    known.check("creature", ours.creature(), known.CREATURE)
    for n_dice in (4, 8, 12, 24):
        known.check("pool", ours.dice_pool(n_dice), known.pool(n_dice))


def test_one_column_is_the_same_alone_and_of_all() -> None:
    known.check("attack", ours.attack_of_all(), known.ONE_ATTACK)
    known.check("kill", ours.kill_of_all(), known.KILLS)


def test_everybody_tells_the_same_odds_of_dice() -> None:
    for contest in dice_rows.contests():
        for one in (*contest.ours, *contest.peers):
            if isinstance(one, Contender):
                contest.check(one.name, one.work())
    with pytest.raises(known.WrongAnswerError):
        known.check("ours", dice_rows.ends_of("3d6 keep 2"), dice_rows.kept_ends(3, 6, 1))


def test_our_samples_fit_the_known_chances() -> None:
    for lane in LANES:
        known.check_counts(lane, ours.sampled(lane, 1, 2**16), known.ONE_ATTACK)
        known.check_counts(lane, ours.kills_sampled(lane, 2**14), [0.0, 0.0, *known.KILLS])


def test_everybody_fights_the_same_combat() -> None:
    known.check("exact", battlelore.combat(), battlelore.LOSSES)
    known.check("12 dice", battlelore.combat(8, 9), battlelore.LOSSES_TO_12_DICE)
    known.check_counts("loop", battlelore.combats_looped(2000), battlelore.LOSSES)
    for lane in LANES:
        known.check_counts(lane, battlelore.combats_sampled(lane, 1, 2**15), battlelore.LOSSES)
    with pytest.raises(known.WrongAnswerError):
        known.check("exact", battlelore.combat(), battlelore.LOSSES[::-1])


@pytest.mark.slow("test_everybody_fights_the_same_combat")
def test_everybody_meets_in_the_same_line_up() -> None:
    known.check_counts("loop", battlelore.lineups_looped(500), battlelore.WINNERS)
    for lane in LANES:
        known.check_counts(lane, battlelore.lineups_sampled(lane, 1, 2**14), battlelore.WINNERS)
    with pytest.raises(known.WrongAnswerError):
        known.check_counts("compiled", battlelore.lineups_sampled("compiled", 1, 2**14), battlelore.WINNERS[::-1])


@pytest.mark.slow("test_everybody_makes_the_same_attack_in_ranks")
def test_everybody_makes_the_same_attack() -> None:
    known.check("exact", immortal_souls.attack(), immortal_souls.TO_THE_FIRST)
    known.check_counts("loop", immortal_souls.attacks_looped(1000), immortal_souls.WOUNDS)
    for lane in LANES:
        known.check_counts(lane, immortal_souls.attacks_sampled(lane, 1, 2**15), immortal_souls.WOUNDS)
        known.check_counts(lane, immortal_souls.duels_sampled(lane, 1, 2**14), immortal_souls.WINNERS)
    with pytest.raises(known.WrongAnswerError):
        known.check("exact", immortal_souls.attack(), immortal_souls.TO_THE_FIRST[::-1])


@pytest.mark.slow("test_everybody_fights_the_same_combat")
def test_everybody_plays_the_same_encounters() -> None:
    known.check_counts("blocks", souls_encounters.encounters_played(1, 1024), souls_encounters.WINNERS)
    known.check_counts("loop", souls_encounters.encounters_looped(8), souls_encounters.WINNERS)
    with pytest.raises(known.WrongAnswerError):
        known.check_counts("blocks", souls_encounters.encounters_played(1, 1024), souls_encounters.WINNERS[::-1])


def test_everybody_makes_the_same_attack_in_ranks() -> None:
    known.check("exact", runewars.attack(), runewars.EXACT)
    known.check_counts("loop", runewars.attacks_looped(2000), runewars.WOUNDS)
    for lane in LANES:
        known.check_counts(lane, runewars.attacks_sampled(lane, 1, 2**15), runewars.WOUNDS)
        known.check_counts(lane, runewars.duels_sampled(lane, 1, 2**14), runewars.WINNERS)
    with pytest.raises(known.WrongAnswerError):
        known.check_counts("compiled", runewars.duels_sampled("compiled", 1, 2**14), runewars.WINNERS[::-1])


def test_a_game_file_and_its_package_have_the_same_laws() -> None:
    for kind, columns in (("attack", ["damage"]), ("duel", ["winner", "a_health", "b_health"])):
        laws = [game_files.question(told, kind).distribution.marginal(*columns) for told in game_files.TOLD]
        assert np.array_equal(laws[0].outcomes, laws[1].outcomes)
        assert np.allclose(laws[0].p, laws[1].p, rtol=0, atol=1e-12)
        seconds, chances = game_files.first_exact(kind)
        assert seconds > 0
        known.check("file", chances, game_files.exact("package", kind))
    for contest in game_files.contests():
        for one in (*contest.ours, *contest.peers):
            assert isinstance(one, Contender)
            contest.check(one.name, one.timed(2**14)[1])


@pytest.mark.slow("test_everybody_fights_the_same_combat")
def test_everybody_fights_the_same_duel() -> None:
    known.check_counts("loop", edadh.duels_looped(500), edadh.WINNERS)
    for lane in LANES:
        known.check_counts(lane, edadh.duels_sampled(lane, 1, 2**15), edadh.WINNERS)
    with pytest.raises(known.WrongAnswerError):
        known.check_counts("compiled", edadh.duels_sampled("compiled", 1, 2**15), [0.1, 0.5, 0.4])


@pytest.mark.slow("test_everybody_fights_the_same_combat")
def test_everybody_fights_the_same_line_up() -> None:
    known.check_counts("loop", line_ups.battles_looped(400), line_ups.WINNERS)
    for lane in LANES:
        known.check_counts(lane, line_ups.battles_sampled(lane, 1, 2**14), line_ups.WINNERS)
    (contest,) = line_ups.contests()
    for one in contest.ours:
        contest.check(one.name, one.work(2**12))
    with pytest.raises(known.WrongAnswerError):
        known.check_counts("compiled", line_ups.battles_sampled("compiled", 1, 2**14), [0.0, 0.3, 0.7])


@pytest.mark.slow("test_our_exact_answers_are_the_known_ones")
def test_everybody_values_the_same_matrix_games() -> None:
    (games,) = solving.contests(200)
    for one in (games.ours[0], games.peers[0]):
        assert isinstance(one, Contender)
        games.check(one.name, one.work(one.trials))
    with pytest.raises(known.WrongAnswerError, match="otherwise"):
        games.check("ours", solving.solved(200) + 1e-6)


ONCE = Budget(60.0, 1)


def contest(answer: list[float]) -> Contest:
    return Contest(
        "a task",
        [Contender("ours", lambda: answer)],
        [Contender("peer", lambda: [0.5]), "another (not installed)"],
        lambda name, found: known.check(name, found, [0.5]),
    )


def test_a_wrong_answer_stops_the_bench() -> None:
    with pytest.raises(known.WrongAnswerError, match="ours answers"):
        run_contest(contest([0.6]), ONCE)


def test_each_pair_of_ours_and_a_peer_is_a_row() -> None:
    rows = run_contest(contest([0.5]), ONCE)
    assert [(row.peer, row.ratio is None) for row in rows] == [("peer", False), ("another (not installed)", True)]


def test_a_sample_that_does_not_fit_stops_the_bench() -> None:
    counts = ours.sampled("compiled", 1, 2**18)
    with pytest.raises(known.WrongAnswerError, match="draws"):
        known.check_counts("ours", counts, [0.31, 0.065, *known.ONE_ATTACK[2:]])


@pytest.mark.parametrize("dice", ["each", "packed"])
def test_the_c_program_rolls_what_we_roll(dice: str, tmp_path: Path) -> None:
    try:
        c_loop = CLoop(tmp_path)
    except SkippedError as reason:
        pytest.skip(str(reason))
    for task, answer in (("attacks", known.ONE_ATTACK), ("kills", [0.0, 0.0, *known.KILLS])):
        seconds, counts = c_loop.run(task, dice, 2**18)
        assert seconds > 0
        assert counts.sum() == 2**18
        known.check_counts(task, counts, answer)


def test_numpy_and_python_roll_what_we_roll() -> None:
    for ways, n_trials in ((PLAIN, 2**16), (TUNED, 2**16), (PYTHON, 2000)):
        known.check_counts("attacks", ways["attacks"](n_trials), known.ONE_ATTACK)
        known.check_counts("kills", ways["kills"](n_trials), [0.0, 0.0, *known.KILLS])


@pytest.mark.slow("test_everybody_fights_the_same_combat")
@pytest.mark.parametrize("size", [8, 4])
def test_everybody_fights_the_same_battles_to_the_last_point_of_health(size: int, tmp_path: Path) -> None:
    meeting = battles.met(64, size)
    ends = battles.played(meeting)
    battles.check_same("plain Python", battles.told(battles.met(8, size)), battles.played(battles.met(8, size)))
    wrong = ends.copy()
    wrong[17, -1] += 1
    with pytest.raises(known.WrongAnswerError, match="1 of 64"):
        battles.check_same("ours", wrong, ends)
    try:
        c_loop = battles.CBattles(tmp_path)
    except SkippedError as reason:
        pytest.skip(str(reason))
    battles.check_same("C", c_loop.played(meeting), ends)


def test_the_c_program_refuses_rules_that_it_does_not_know() -> None:
    battle = battles.met(1, 4).battle
    other = Battle(battle.ground, replace(battle.terms, units_block=True), battle.muster)
    with pytest.raises(ValueError, match="default"):
        handed_over(other, 4, 4)


@pytest.mark.slow("test_everybody_fights_the_same_combat")
def test_battles_are_counted_on_one_process_and_on_two(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        greedy, _, *others = battle_rows.battle_contests(tmp_path, pool, 1024)
        rows = battle_rows.battle_rows(greedy, ONCE)
        assert {row.ours for row in rows} == {"1 process, blocks of 16", "2 processes, blocks of 16"}
        battles_of, decisions = rows[0], rows[-1]
        assert (battles_of.task, decisions.task) == (greedy.task, battle_rows.in_decisions(greedy.task))
        assert battles_of.our_cost > 10 * rows[-2].our_cost  # a battle has many decisions
        random = next(one for one in others if "random" in one.task)
        random.check("ours", random.ours[1].work(16))


@pytest.mark.slow("test_everybody_fights_the_same_combat")
@pytest.mark.parametrize("name", list(adventures.SIDES))
def test_everybody_plays_the_same_adventures_to_the_last_figure(name: str) -> None:
    ends = adventures.played(name, ("random", "random"), 4)
    told = adventures.told(name, 2)
    adventures.check_same("plain Python", told, ends)
    told[1, -1] += 1
    with pytest.raises(known.WrongAnswerError, match="ends 1 of 2 adventures otherwise; number 1"):
        adventures.check_same("plain Python", told, ends)


@pytest.mark.slow("test_everybody_fights_the_same_combat")
def test_adventures_are_counted_on_one_process_and_on_two() -> None:
    with ThreadPoolExecutor(2) as pool:
        random, _, greedy, *_ = adventure_rows.adventure_contests(pool, 2048)
        rows = [*run_contest(random, ONCE), *run_contest(greedy, ONCE)]
    assert [row.ours.split(",")[0] for row in rows] == ["2 processes", "1 process"] * 2
    assert {row.task for row in rows} == {random.task, greedy.task} and rows[0].peer.startswith("Python")
    with pytest.raises(known.WrongAnswerError, match="leaves adventures open"):
        greedy.check("ours", [np.full((2, 8), 3, np.int32)])


ROWS = [
    Row("T5 duel", "exact", 1e-3, "slow peer", 0.1, "time"),
    Row("T5 duel", "exact", 1e-3, "quick peer", 0.05, "time"),
    Row("T5 duel", "exact", 1e-3, "absent peer", None, "time"),
    Row("1e9 attacks", "compiled", 200.0, "none", None, "memory"),
]


@pytest.mark.parametrize(
    ("target", "met"),
    [
        (Target("the strictest peer counts", "T5", least_ratio=80), False),
        (Target("one peer", "T5", peer="slow", least_ratio=80), True),
        (Target("time", "T5", most_cost=5e-3), True),
        (Target("memory", "1e9", most_cost=100.0), False),
        (Target("nobody there", "T5", peer="absent", least_ratio=1), None),
        (Target("never measured", "T9", most_cost=1.0), None),
    ],
)
def test_targets_are_judged_by_the_rows_they_name(target: Target, met: bool | None) -> None:
    assert judge(ROWS, [target])[0].met is met


@pytest.mark.parametrize("paper", [table.Text(), table.Markdown()])
def test_the_table_shows_every_row_in_each_form(paper: table.Paper) -> None:
    verdicts = judge(ROWS)
    assert json.loads(table.as_json(ROWS, verdicts))["rows"][0]["ratio"] == 100
    text = "\n".join([paper.opening(), *map(paper.line, ROWS), paper.closing(verdicts)])
    assert all(row.peer in text for row in ROWS)
    assert "NOT MET" in text and "targets were measured" in text
    assert "1 ms" in text and "200 MB" in text


@pytest.mark.slow("test_targets_are_judged_by_the_rows_they_name")
def test_100_000_line_ups_of_six_against_six_take_less_than_10_seconds() -> None:
    start = process_time()
    won = line_ups.battles_of_others(10_000)
    assert won.sum() == 10_000
    assert process_time() - start < 2.0  # 100,000 in 10 s on two cores, tables and all


def test_memory_is_that_of_processes_that_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def run(*arguments: str) -> Usage:
        asked.append(arguments[1].splitlines()[1])
        return Usage(2.0, 1.0, f"{100 + len(asked)}\n")

    monkeypatch.setattr(commands, "run_command", run)
    rows = [commands.memory_row("T1 attacks", 10**6), commands.memory_row("line-ups", 1000)]
    found = [(row.task, row.our_cost, row.peer, row.peer_cost, row.kind) for row in rows]
    assert found == [
        ("1e6 T1 attacks", 101.0, "a thousandth of the attacks, 2.0 s", 102.0, "memory"),
        ("1e3 line-ups", 103.0, "a thousandth of the line-ups, 2.0 s", 104.0, "memory"),
    ]
    work = [f"ours.sampled('compiled', 1, {n})" for n in (10**6, 1000)]
    assert asked == [*work, "line_ups.battles_of_others(1000)", "line_ups.battles_of_others(1)"]
    assert line_ups.battles_of_others(1).sum() == 1


@pytest.mark.slow("test_memory_is_that_of_processes_that_do_the_work")
def test_a_process_reports_its_own_size_not_that_of_its_parent() -> None:
    ballast = np.ones(2**25)
    script = "from tests.bench.commands import peak_megabytes; print(peak_megabytes())"
    assert 5 < float(run_command("-c", script).printed) < ballast.nbytes / 2**20


def test_a_command_that_fails_is_an_error() -> None:
    with pytest.raises(CalledProcessError):
        run_command("-c", "raise SystemExit(3)")


def test_a_question_is_told_in_loops_beside_its_seconds_and_in_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[tuple[str, ...]] = []

    def run(*arguments: str) -> Usage:
        asked.append(arguments[2:])
        return Usage(2.0, 1.0, f"[{len(asked)}, 80.5]\n")

    monkeypatch.setattr(question_rows, "run_command", run)
    monkeypatch.setattr(question_rows, "plain_loop", lambda: 0.5)
    monkeypatch.setattr(question_rows, "LOGS", {20: 4})
    again = question_rows.Question("Price", "price @four.toml --cache @kept", 4, is_again=True)
    time, memory = question_rows.question_rows(again, tmp_path)
    assert asked == [("price", str(tmp_path / "four.toml"), "--cache", str(tmp_path / "kept"))] * 2
    assert (time.ours, time.our_cost, time.peer_cost) == ("processor time, 4.0 loops", 2, 0.5)
    assert (memory.our_cost, memory.kind) == (80.5, "memory")
    assert len(balance.load(str(tmp_path / "eight.toml")).entrants) == 8
    assert len(balance.load(str(tmp_path / "three.toml")).entrants) == 3
    assert balance.rate(tmp_path / "log_20.csv").sentence


def test_each_question_has_a_target_of_its_own() -> None:
    tasks = [one.task for one in question_rows.QUESTIONS]
    of_time = [row for task in tasks for row in [Row(task, "processor time, 1.0 loops", 1e-3, "", None, "time")]]
    for row in of_time:
        asked = [verdict for verdict in judge([row]) if verdict.met is not None]
        assert [verdict.met for verdict in asked] == [True], row.task


def test_what_follows_a_slider_is_what_its_code_answers() -> None:
    panel = Panel(QuestionSubject(balance.load("warforged").attack("nexus+assault_rifle", "colossus"), "attack"))
    assert len(explore_rows.seconds_of_moves(panel, 2)) == 2
    panel.fields["attacker.precision"].value = 10
    panel.code.value = 'balance.attack("warforged", "nexus+assault_rifle", "colossus")'
    with pytest.raises(known.WrongAnswerError, match="answers otherwise"):
        explore_rows.check(panel)


class StubbornPage:
    """A page that says the same whatever is typed into it."""

    def evaluate(self, script: str, text: str = "") -> object:
        return 7.0 if text else "On average 3.5000."


def test_a_page_that_answers_otherwise_than_the_command_stops_the_bench() -> None:
    with pytest.raises(known.WrongAnswerError, match="2d6 keep 1 otherwise"):
        page_rows.type_into(cast(Any, StubbornPage()), 0)
