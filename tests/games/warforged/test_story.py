"""Battles told: they are the very trials of the simulation, the rulebook's examples, and what is said is so."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.process import State, take_trials
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.collect import branches, play_block
from balance.chance.trials.lockstep import simulate
from balance.game.question.board_story import BoardStory
from balance.game.question.narration import Narration
from balance.game.question.question import Question
from balance.game.question.replay import replay
from balance.games.warforged.battle.map.battle_map import map_of_drawing
from balance.games.warforged.battle.setup import battle_processes
from balance.games.warforged.battle.story.battle import tell, way
from balance.games.warforged.battle.story.dice import ShotTold, said_of
from balance.games.warforged.battle.turns.actions import ATTACK, EXPLODE, Action
from balance.games.warforged.battle.turns.strike import Wave
from balance.reporting.replay import draw_replay
from tests.games.warforged.written import GAME, Step, at, on_map, written
from tests.reporting.battle_story import trial_of

ALL = (
    "nexus+assault_rifle,whisper+pulse_pistol,detonator+smg_pistol:2,colossus+rocket_battery",
    "aegis+grenade_launcher,trooper+shotgun:2,vanguard+emp_projector,detonator+smg_pistol,spectre+laser_carbine",
)
FEW = "nexus+assault_rifle,detonator+smg_pistol", "aegis+grenade_launcher,vanguard+emp_projector"
HORDES = ("nexus+assault_rifle:3,trooper+shotgun:6", "bulwark+rotary_cannon:2,whisper+smg_pistol:6")
WINNERS = {"Side a has won": 1, "Side b has won": 2, "A draw": 0}


def battle(
    armies: tuple[str, str] = ALL, first: str = "random", a: str = "greedy", b: str = "kite_hold", **situation: Any
) -> Question:
    """Ask for a battle in blocks of 50 trials."""
    rules = {name: value for name, value in situation.items() if "." in name}
    changes = {f"situation.{name}": value for name, value in situation.items() if "." not in name} | rules
    asked = GAME.ask("battle", *armies, changes, first, policy_a=a, policy_b=b)
    return replace(asked, kind=replace(asked.kind, block_trials=50))


def board_of(told: Narration) -> BoardStory:
    assert told.board is not None
    return told.board


def end_of(told: Narration) -> tuple[int, int, tuple[int, ...]]:
    """Return who has won, after how many rounds, and the health left, as the telling has it."""
    story = board_of(told)
    (won,) = (code for words, code in WINNERS.items() if told.end.startswith(words))
    rounds = int(story.frames[-1].moment.removeprefix("Round "))
    return won, rounds, story.health_left(len(story.frames) - 1)


QUESTIONS = {
    "random first": battle(FEW),
    "objective": battle(FEW, map="objective", objective="hold", objective_rounds=2, b="greedy", a="hold"),
    "armies that are drawn": battle(("random:100", "random:100"), scale="tactical"),
    "hordes on squares": battle(HORDES, "b", "random", "focus", map="squares", rounds=2),
}


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("n", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_what_is_told_is_the_trial_of_the_simulation(n: int, asked: Question) -> None:
    processes = asked.kind.processes(asked.setup, "literal")
    found = play_block(processes, RandomRolls(3, asked.task().key, 1, 50), in_order=True)
    for trial in range(n):
        told = replay(asked, 50 + trial, seed=3)
        row = {name: int(values[trial]) for name, values in found.items()}
        assert end_of(told) == (row["winner"], row["rounds"], (row["a_health"], row["b_health"]))
        lost = board_of(told).units_lost(len(board_of(told).frames) - 1)
        armies = [sum(token.side == side for token in board_of(told).tokens) for side in (0, 1)]
        assert tuple(armies[side] - lost[side] for side in (0, 1)) == (row["a_units"], row["b_units"])
        shots = [frame.side for frame in board_of(told).frames if frame.act and frame.act.kind == "shot"]
        assert (shots.count(0), shots.count(1)) == (row["a_attacks"], row["b_attacks"])


@pytest.mark.slow("test_ends_are_told")
def test_who_looks_ahead_is_told_so_too() -> None:
    asked = battle(FEW, a="lookahead", b="kite_hold", map="small", rounds=4)
    asked = replace(asked, kind=replace(asked.kind, block_trials=4))
    processes = asked.kind.processes(asked.setup, "literal")
    found = play_block(processes, RandomRolls(0, asked.task().key, 0, 4), in_order=True)
    for trial in range(4):
        row = {name: int(values[trial]) for name, values in found.items()}
        told = replay(asked, trial)
        assert end_of(told) == (row["winner"], row["rounds"], (row["a_health"], row["b_health"]))


@pytest.mark.parametrize("winner", ["a", "b"])
def test_the_first_that_ends_so_is_found_whoever_goes_first(winner: str) -> None:
    asked = QUESTIONS["random first"]
    wanted = {"a": 1, "b": 2}[winner]
    ends = [end_of(replay(asked, trial, seed=1))[0] for trial in range(10)]
    assert replay(asked, 3, seed=1, winner=winner).trial == ends.index(wanted, 3)


def test_blocks_played_at_once_are_those_that_are_counted() -> None:
    asked = QUESTIONS["random first"]
    processes = asked.kind.processes(asked.setup, "literal")
    whole = play_block(processes, RandomRolls(0, "x", 0, 50), in_order=True)
    parts = branches(2, RandomRolls(0, "x", 0, 50))
    assert sorted(np.concatenate([place for _, place in parts])) == list(range(50))
    for process, (rolls, place) in zip(processes, parts, strict=True):
        assert (simulate(process, rolls, in_order=True)["winner"] == whole["winner"][place]).all()


def lane(row: str, *others: str) -> Any:
    """Return a map of squares."""
    return map_of_drawing("lane", "Lane", "square", [row, *others])


HIT: list[Step] = [("move", 0, at("D1")), ("attack", 0, 0), ("again", -1, 0)]
SHOWN = {0: {"precision": [6], "slim": [4], "armour": [2]}, 1: {"precision": [9]}}


def first_example() -> Narration:
    """Return the rulebook's first example: a move of 3, a hit of the Assault Rifle, and its second shot."""
    asked = GAME.ask("battle", "nexus+assault_rifle", "whisper+smg_pistol", {"situation.unit_limit": 2}, "a")
    return written(asked, lane("A...+...B"), HIT, [], SHOWN)


@pytest.mark.rule("WF-ATT.1", "WF-ARM.1", "WF-EFF.3", "WF-ACT.3")
def test_the_first_example_of_the_rulebook_is_a_replay() -> None:
    """WF-E01 to WF-E05: 6 hits with precision 7, a 2 blocks nothing, 3 damage, and another attack is free."""
    moved, shot, again = board_of(first_example()).frames[1:4]
    assert (moved.sentence(), moved.act and moved.act.path) == (
        "N1 Nexus: moves 3 cells to D1", tuple(map(at, ("A1", "B1", "C1", "D1")))
    )  # fmt: skip
    assert shot.sentence() == "N1 Nexus: attacks W2 Whisper (I1) with Assault Rifle: hit, 3 damage"
    assert shot.dice == (
        "D10 precision 6: below 7, a hit",
        "D6 Slim 4: not dodged",
        "D6 armour 2: 0 blocked, damage 3 - 0 = 3",
    )
    assert again.sentence() == "N1 Nexus: fires again at W2 Whisper (I1): miss"
    assert again.dice == ("D10 precision 9: above 7, a miss",)
    assert [frame.standings[1].health for frame in (moved, shot, again)] == [4, 1, 1]
    assert [frame.score[-1] for frame in (moved, shot, again)] == [
        ("actions left", "1", "0"), ("actions left", "0", "0"), ("actions left", "0", "0")
    ]  # fmt: skip


@pytest.mark.rule("WF-COV.1")
def test_light_cover_nearer_to_the_target_gives_a_die() -> None:
    asked = GAME.ask("battle", "nexus+assault_rifle", "whisper+smg_pistol", {"situation.unit_limit": 2}, "a")
    dice = {0: {"precision": [6], "slim": [4], "armour": [2, 5]}, 1: {"precision": [9]}}
    told = written(asked, lane("A.....+.B"), HIT, [], dice)
    assert board_of(told).frames[2].dice[2] == "2D6 armour 2 5 (1 armour, 1 cover): 1 blocked, damage 3 - 1 = 2"
    assert board_of(told).frames[2].sentence().endswith("hit, 2 damage")


def second_example() -> Narration:
    """Return the rulebook's second example: a Vanguard attacks with the SMG Pistol, and jumps over a wall."""
    asked = GAME.ask("battle", "nexus+assault_rifle", "vanguard+smg_pistol", {"situation.unit_limit": 3}, "b")
    dice = {0: {"precision": [3], "armour": [1, 3]}}
    return written(asked, lane("A...B.#.."), [], [("attack", 0, 0), ("jump", 0, at("I1"))], dice)


@pytest.mark.rule("WF-ABIL.2", "WF-ACT.1", "WF-ACT.4")
def test_the_second_example_of_the_rulebook_is_a_replay() -> None:
    """WF-E06: an attack and a jump of 4 straight over a wall are two actions, and then it may do nothing else."""
    shot, jump, end = board_of(second_example()).frames[1:4]
    assert shot.sentence() == "V2 Vanguard: attacks N1 Nexus (A1) with SMG Pistol: hit, 1 damage"
    assert shot.dice == ("D10 precision 3: below 6, a hit", "2D6 armour 1 3: 1 blocked, damage 2 - 1 = 1")
    assert jump.sentence() == "V2 Vanguard: jumps 4 cells to I1 over heavy cover"
    assert jump.act is not None
    assert (jump.act.kind, jump.act.path) == ("jump", (at("E1"), at("I1")))
    assert [mark.words for mark in jump.standings[1].marks] == ["has jumped: done for the turn"]
    assert end.sentence() == "Side b: ends the turn, 1 action unused"


@pytest.mark.slow("test_the_first_example_of_the_rulebook_is_a_replay")
@pytest.mark.parametrize("form", ["html", "pdf"])
def test_the_examples_are_pages_that_can_be_looked_at(form: str) -> None:
    for told in (first_example(), second_example()):
        page = draw_replay(QUESTIONS["random first"], trial_of(QUESTIONS["random first"], told, 0, 0), form)
        assert page.startswith(b"%PDF" if form == "pdf" else b"<!DOCTYPE html>")


@pytest.mark.rule("WF-ABIL.5")
def test_explosions_are_told_wave_by_wave() -> None:
    """A Detonator is shot and explodes, which sets off the enemy's beside it in the next wave."""
    asked = GAME.ask("battle", "detonator+smg_pistol,nexus+assault_rifle", "detonator+smg_pistol,trooper+sidearm",
                     {"situation.unit_limit": 1, "a.1.health": 3, "b.1.health": 3}, "a")  # fmt: skip
    places = {(0, 0): "D1", (0, 1): "A1", (1, 0): "E1", (1, 1): "B3"}
    field = map_of_drawing("lane", "Lane", "square", ["A...B..", ".......", "A.....B"])
    told = written(asked, field, [("attack", 1, 0)], [], {0: {"precision": [7]}}, places)
    shot = board_of(told).frames[1]
    assert shot.sentence() == (
        "N2 Nexus: attacks D3 Detonator (E1) with Assault Rifle: critical hit, 3 damage; it falls; "
        "D3 Detonator explodes: 3 damage to own D1 Detonator; own D1 Detonator falls; "
        "own D1 Detonator explodes: 3 damage to T4 Trooper"
    )
    assert shot.act is not None
    assert [blast.centre for blast in shot.act.blasts] == [at("E1"), at("D1")]
    assert set(shot.act.blasts[0].cells) == {at(f"{column}{row}") for column in "CDEFG" for row in (1, 2, 3)}


def test_ends_are_told() -> None:
    asked = GAME.ask("battle", "detonator+smg_pistol", "trooper+sidearm", {"b.health": 3, "situation.rounds": 1}, "a")
    both = written(asked, lane("A.B"), [("overload", 0, -1)], [], {})
    assert both.end == "A draw in round 1: the last units of both sides fell at once."
    assert board_of(both).frames[1].sentence() == "D1 Detonator: overloads: 3 damage to T2 Trooper; T2 Trooper falls"
    none = written(asked, lane("A.B"), [], [], {})
    assert none.end == "Side a has won at the limit of 1 round: both sides lost 0 units, but it has 4 health left to 3."
    alone = written(asked, lane("A...B"), [("overload", 0, -1)], [], {})
    assert alone.end == "Side b has won in round 1: Side a has nobody left."
    assert board_of(alone).frames[1].sentence() == "D1 Detonator: overloads: nobody is hurt"


OPTIONS: dict[str, dict[str, Any]] = {
    "by default": {},
    "blasts that are saved from": {"rules.slim_vs_splash": True, "rules.shield_vs_splash": True},
    "any fall explodes": {"rules.overload_chain": "any", "rules.shield_vs_splash": True},
    "blasts set off nothing": {"rules.overload_chain": "none", "rules.he_hits_primary": True},
    "enemies only": {"rules.friendly_fire": False, "rules.slim_vs_splash": True},
    "other dice": {"rules.faces": "0-9", "rules.armour": "le", "rules.shield_roll": "every_attack"},
    "other burns": {"rules.laser_self": True, "rules.burn_stack": "cap", "rules.cover_stack": "each"},
    "other effects": {"rules.effects_through_shield": False, "rules.crit_is_hit": False},
    "squares": {"situation.map": "squares", "rules.square_radius": "manhattan"},
}


@pytest.mark.slow("test_explosions_are_told_wave_by_wave")
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_blasts_and_dice_are_those_of_the_engine(options: dict[str, Any]) -> None:
    """What is told of every attack and Overload of 50 battles by luck leads to the state that the engine has."""
    armies = (
        "detonator+pulse_pistol:3,colossus+rocket_battery,whisper+smg_pistol:2,aegis+laser_carbine",
        "spectre+laser_carbine:2,aegis+grenade_launcher:2,detonator+smg_pistol:3,colossus+rocket_battery",
    )
    asked = battle(armies, "a", "random", "greedy", **{"map": "small", "rounds": 4, **_shields_up()}, **options)
    fought, seen = asked.setup.play.battle, {"shots": 0, "waves": 0, "saves": 0, "chains": 0}

    def watch(
        side: int, action: Action, before: State, after: State, rows: Any, said: State, waves: list[Wave]
    ) -> None:
        attacks = np.flatnonzero(action.verb == ATTACK)
        seen["waves"] += sum(len(wave.rows) for wave in waves)
        seen["saves"] += sum(int((faces > 0).sum()) for wave in waves for faces, _ in wave.saves.values())
        seen["chains"] += sum(len(wave.rows) for wave in waves if wave.number > 1)
        for row in map(int, np.flatnonzero((action.verb == ATTACK) | (action.verb == EXPLODE))):
            one, then = take_trials(before, [row]), take_trials(after, [row])
            unit, target = (side, int(action.unit[row])), (1 - side, int(action.target[row]))
            struck, health = unit, 0
            if action.verb[row] == ATTACK:
                told = said_of(take_trials(said, [int(np.searchsorted(attacks, row))]))
                weapon = int(fought.muster.slots[one["kind"][0][unit], action.slot[row]])
                agree(ShotTold(fought, one, unit, target, weapon, told))
                struck, health = target, max(int(one["health"][0][target]) - told["damage"], 0)
                one["shield"][0][target] = 2 if told["shield_lost"] else one["shield"][0][target]
                seen["shots"] += 1
            parts = [(wave, place) for wave in waves for place in np.flatnonzero(wave.rows == rows[row])]
            one["health"][0][struck] = health
            agree_on_losses(one, then, parts)

    (process,) = battle_processes(asked.setup, "literal", watch)
    simulate(process, RandomRolls(1, "told", 0, 50))
    assert seen["shots"] > 500
    assert seen["waves"] > 100
    saves = options.keys() & {"rules.slim_vs_splash", "rules.shield_vs_splash"}
    assert bool(seen["saves"]) == bool(saves)
    assert bool(seen["chains"]) == (options.get("rules.overload_chain") != "none") or "situation.map" in options


def _shields_up() -> dict[str, str]:
    return {"a.4.shield": "up", "b.2.shield": "up"}


def agree_on_losses(before: State, after: State, parts: list[tuple[Wave, Any]]) -> None:
    """Check that health and shields, as what set the waves off left them, are led by these to those after the action.

    `parts` are waves, and the place of the battle in each.
    """
    for wave, place in parts:
        health = np.maximum(before["health"][0].astype(int) - wave.losses[place], 0)
        fallen = (before["cell"][0] >= 0) & (health == 0)
        assert (wave.casualties[place] == fallen).all() or wave.number == 0
        before["health"][0], before["cell"][0] = health, np.where(fallen, -1, before["cell"][0])
        if "shield" in wave.saves:
            faces, saved = (values[place] for values in wave.saves["shield"])
            before["shield"][0][faces > 0] = np.where(saved, 1, 2)[faces > 0]
    assert (before["health"] == after["health"]).all()
    assert (before["shield"] == after["shield"]).all()


def agree(shot: ShotTold) -> None:
    """Check that the dice as they are told lead to what came of the attack."""
    said, read, dice = shot.outcome, shot.battle.terms.read, list(shot.dice())
    by_name = {die.split(":")[0].split()[1]: die for die in dice}
    first = by_name["precision"]
    assert (
        first.endswith({"miss": "a miss", "hit": "a hit", "critical": "a critical hit"}[shot.result]) or shot.is_dodged
    )
    assert shot.is_dodged == by_name.get("Slim", "").endswith(": dodged")
    assert bool(said["shield_lost"]) == by_name.get("Supershield", "").endswith("burns out")
    assert bool(said["burn"]) == (": armour" in by_name.get("burn", ""))
    told = re.match(
        r"\d?D6 armour ([\d ]+?)(?: \(\d armour, \d cover\))?: (\d) blocked, damage (\d) - (\d)(, at least| =) (\d)",
        by_name.get("armour", ""),
    )
    if told is None:
        assert shot.result != "hit" or shot.shielded or "no armour dice" in " ".join(dice)
        return
    blocked, base, damage = int(told[2]), int(told[3]), int(told[6])
    assert blocked == int(told[4])
    assert damage == max(base - blocked, 1) == said["damage"] - said["splash"] * read.splash_hits_primary
    if read.blocking_faces is not None:
        assert blocked == sum(face in "345" for face in told[1].split())


def test_a_way_is_a_shortest_one_over_free_cells_that_may_be_walked() -> None:
    ways = 0
    for trial in range(6):
        story = board_of(replay(QUESTIONS["hordes on squares"], trial, seed=2))
        for before, frame in pairwise(story.frames):
            if frame.act is None or frame.act.kind != "move":
                continue
            path, unit = frame.act.path, frame.act.unit
            assert path[0] == before.standings[unit].cell
            assert path[-1] == frame.standings[unit].cell
            steps = [abs(a // 16 - b // 16) + abs(a % 16 - b % 16) for a, b in pairwise(path)]
            assert set(steps) == {1}
            others = {s.cell for number, s in enumerate(before.standings) if number != unit}
            if "Whisper" not in story.tokens[unit].name:
                assert not others & set(path)
            assert len(path) <= 1 + 6
            assert all(story.ground.terrain[cell] in (0, 1) for cell in path)
            ways += 1
    assert ways > 50


@pytest.mark.rule("WF-ABIL.3")
def test_slim_units_walk_through_others() -> None:
    asked = GAME.ask("battle", "nexus+sidearm,whisper+sidearm", "trooper+sidearm", None, "a")
    battle_, _ = on_map(asked, map_of_drawing("lane", "Lane", "square", ["AA...B"]))
    state = {"cell": np.array([[[16, 0], [80, -1]]]), "kind": np.array([[[0, 2], [1, 3]]])}
    assert way(battle_, state, (0, 1), 32) == (0, 16, 32)


@pytest.mark.slow("test_explosions_are_told_wave_by_wave")
def test_late_entries_and_the_objective_are_told() -> None:
    hordes = QUESTIONS["hordes on squares"]
    assert any("enter" in frame.text for trial in range(5) for frame in board_of(replay(hordes, trial)).frames)
    entered = next(
        (story.frames[number - 1], frame)
        for trial in range(20)
        for story in [board_of(replay(hordes, trial))]
        for number, frame in enumerate(story.frames)
        if "enter" in frame.text
    )
    before, after = ([s.cell for s in frame.standings] for frame in entered)
    assert sum(a != b for a, b in zip(before, after, strict=True)) == int(entered[1].text.split()[0])
    held = [replay(QUESTIONS["objective"], trial) for trial in range(20)]
    words = {frame.text for told in held for frame in board_of(told).frames if frame.side == -1}
    assert "ends: Side b has held the objective for 1 round of 2" in words
    assert any(told.end.endswith("it has held the objective for 2 rounds in a row.") for told in held)


def test_it_is_told_the_same_from_any_block_that_holds_it() -> None:
    asked = QUESTIONS["random first"]
    told = tell(asked.setup, RandomRolls(5, "k", 0, 50), 7)
    assert told == tell(asked.setup, RandomRolls(5, "k", 0, 50), 7)
