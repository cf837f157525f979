"""How battles are played: nothing but names hangs on seats, sides and places, and ways of playing are what they say."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from balance.analysis.armies.battles import costs_of
from balance.analysis.armies.legal_armies import legal_armies
from balance.base.arrays import IntArray
from balance.chance.rolls.process import Process, State, start_state
from balance.chance.rolls.rolls import FixedRolls, RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.engine.query import Query
from balance.engine.runner import Engine, Runner
from balance.game.kit.board import lookahead
from balance.game.kit.board.battle import keys_of
from balance.game.loaded import load
from balance.game.question.question import Question
from balance.games.warforged.battle.luck import LUCK
from balance.games.warforged.battle.map.maps import map_of
from balance.games.warforged.battle.play import PLAYERS
from balance.games.warforged.battle.policies.lookahead import Lookahead
from balance.games.warforged.battle.policies.scripts import SCRIPTS
from balance.games.warforged.battle.turns.actions import ATTACK, END, JUMP, MOVE, Action, Player, take_turn
from balance.games.warforged.battle.turns.position import Position
from balance.games.warforged.battle.turns.terms import Battle
from balance.games.warforged.cards import legal_loadouts, parse_loadout
from balance.games.warforged.setup import DuelStance, Side
from tests.games.warforged.battle_twins import Meeting
from tests.games.warforged.test_battle_twins import GREEDY, drawn_meeting

Anybody = TypeVar("Anybody", bound=Player)
OTHER_SIDE = str.maketrans("AB", "BA")
OF_A_UNIT = ("kind", "cell", "health", "shield", "emp", "burn", "moves", "done", "order")


def meeting(policy: str, n: int, seed: int = 0, **changes: Any) -> Meeting:
    """Battles of armies of one to six on a map with nine columns, in which one way of playing meets the next."""
    rows = ["A...+...B", "A.#...#.B", "A...+...B", "..+...+..", "A.#...#.B"]
    names = list(PLAYERS)
    foe = names[(names.index(policy) + 1) % len(SCRIPTS)]
    fixed: dict[str, Any] = {"shape": "hex", "rows": rows, "situation": {"rounds": 4}, "most": 6}
    return drawn_meeting(seed, n, wild=False, policies=(policy, foe), **fixed | changes)


def process_of(met: Meeting, fast: Battle) -> Process:
    """The battles as a process that reports all that is left of them, unit by unit."""
    return replace(met.process(fast), outcome=_all_that_is_left)


def _all_that_is_left(state: State, _: IntArray) -> State:
    found = {name: state[name] for name in ("winner", "round", "choices", "events")}
    for side in range(2):
        for unit in range(state["cell"].shape[2]):
            found |= {f"{'ab'[side]} {unit} {name}": state[name][:, side, unit] for name in ("health", "cell", "emp")}
    return found


def played(met: Meeting) -> dict[str, list[int]]:
    rolls = RandomRolls(met.seed, "play", 0, len(met.armies))
    found = simulate(process_of(met, met.asked()[0]), rolls, in_order=True)
    return {name: values.tolist() for name, values in found.items()}


@pytest.mark.parametrize("policy", PLAYERS)
def test_a_batch_is_its_battles_one_by_one(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Armies of all sizes in one batch, those who look ahead in batches of their own that cut through it."""
    met = meeting(policy, 12)
    monkeypatch.setattr(lookahead, "MOST_COPIES", 15)
    together = played(met)
    keys = keys_of(RandomRolls(met.seed, "play", 0, len(met.armies)), LUCK).tolist()
    monkeypatch.undo()
    fast = met.asked()[0]
    for i, key in enumerate(keys):
        one = replace(met, armies=[met.armies[i]], limits=[met.limits[i]])
        luck = FixedRolls({"luck high": [key >> 32], "luck low": [key & 0xFFFFFFFF]})
        alone = simulate(process_of(one, fast), luck)
        here = {name: values[i] for name, values in together.items()}
        assert {name: int(values[0]) for name, values in alone.items()} == {name: here[name] for name in alone}
        assert all(here[name] <= 0 for name in here.keys() - alone.keys() if "emp" not in name)


@pytest.mark.parametrize("policy", PLAYERS)
def test_on_the_mirrored_map_from_the_other_seats_only_names_differ(policy: str) -> None:
    met = meeting(policy, 16, seed=1)
    there = replace(
        met,
        rows=[row[::-1].translate(OTHER_SIDE) for row in met.rows],
        armies=[(b, a) for a, b in met.armies],
        policies=(met.policies[1], met.policies[0]),
        first=1 - met.first,
    )
    here, mirrored = played(met), played(there)
    board = met.board()
    assert len(set(here["winner"])) > 1
    assert mirrored["winner"] == [(0, 2, 1, 3)[winner] for winner in here["winner"]]
    for name in here.keys() - {"winner"}:
        side, *rest = name.split(" ", 1)
        other = " ".join(["ba"["ab".index(side)], *rest]) if rest else name
        values = here[name]
        if name.endswith("cell"):
            values = [cell if cell < 0 else board.seen_from(1, cell) for cell in values]
        assert mirrored[other] == values, name


@pytest.mark.parametrize("policy", PLAYERS)
def test_units_in_other_places_of_their_army_do_the_same(policy: str) -> None:
    """Once they stand on the board: who stands where at the start is luck."""
    met = meeting(policy, 16, seed=2)
    fast, rolls = met.asked()[0], RandomRolls(met.seed, "play", 0, len(met.armies))
    process = process_of(met, fast)
    start = start_state(process, rolls.n, rolls)
    places = [np.random.default_rng(side).permutation(start["cell"].shape[2]) for side in range(2)]
    moved = start | {
        name: np.stack([start[name][:, side, places[side]] for side in range(2)], axis=1) for name in OF_A_UNIT
    }
    here, there = (_from(process, state) for state in (start, moved))
    for name, values in there.items():
        side, *rest = name.split(" ")
        if rest:
            name = f"{side} {places['ab'.index(side)][int(rest[0])]} {rest[1]}"
        if not name.endswith("cell"):
            np.testing.assert_array_equal(values, here[name], name)


def _from(process: Process, state: State) -> State:
    rolls = RandomRolls(0, "from there", 0, len(state["winner"]))
    return simulate(replace(process, start=lambda _rolls, _n: dict(state)), rolls, in_order=True)


@pytest.mark.parametrize(("n", "most"), [(1, 2), pytest.param(8, 6, marks=pytest.mark.slow)])
def test_every_battle_ends_whoever_plays(n: int, most: int) -> None:
    for policy in PLAYERS:
        found = played(meeting(policy, n, seed=3, most=most))
        assert set(found["winner"]) <= {1, 2, 3}


class Watched:
    """Takes down which actions a side makes, and how many it leaves unused in its first turns."""

    def __init__(self, player: Player) -> None:
        self.player, self.what, self.unused = player, list[IntArray](), 0

    def decide(self, position: Position) -> Action:
        action = self.player.decide(position)
        self.what.append(action.verb.copy())
        self.unused += int(position.remaining_actions[(position.column("round") == 1) & (action.verb == END)].sum())
        return action

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        return self.player.again(position, unit, slot)

    def share(self, what: int) -> float:
        return float(np.mean(np.concatenate(self.what) == what))


class Beside:
    """Plays by one script, and takes down how many enemies reach the cells to which it goes, and another would go."""

    def __init__(self, played: Player, other: Player) -> None:
        self.played, self.other, self.reached = played, other, list[IntArray]()

    def decide(self, position: Position) -> Action:
        actions = [player.decide(position) for player in (self.played, self.other)]
        rows = np.flatnonzero((actions[0].verb == MOVE) & (actions[1].verb == MOVE))
        self.reached.append(np.stack([position.exposure[rows, action.cell[rows]] for action in actions]))
        return actions[0]

    def again(self, position: Position, unit: IntArray, slot: IntArray) -> IntArray:
        return self.played.again(position, unit, slot)


def watched(player: Anybody, name: str = "ledger") -> Anybody:
    """Return the player after 64 battles, six against six, as side a against greedy play; on the chasm all can jump."""
    field = map_of(None, name)
    rows: dict[str, Any] = {"shape": field.grid.shape, "rows": field.drawing, "situation": {"rounds": 10}}
    met = drawn_meeting(4, 64, wild=False, policies=GREEDY, limits=[6], first=0, **rows)
    able = [i for i, side in enumerate(met.sides) if name != "chasm" or "jump" in side.loadout.unit.abilities]
    a, b = np.random.default_rng(4).choice(able, (2, 64, 6)).tolist()
    process = replace(met, armies=list(zip(a, b, strict=True))).process(met.asked()[0], (player, PLAYERS["greedy"]))
    simulate(process, RandomRolls(4, "habits", 0, 64))
    return player


@cache
def habits(policy: str, name: str = "ledger") -> Watched:
    return watched(Watched(PLAYERS[policy]), name)


@pytest.mark.slow("test_those_who_move_to_attack_go_where_the_enemy_has_no_cover")
def test_those_who_advance_jump_on_and_those_who_hold_do_not() -> None:
    for policy in ("greedy", "focus"):
        assert habits(policy, "chasm").share(JUMP) > 0.002, policy
    assert habits("hold", "chasm").share(JUMP) == 0


@pytest.mark.parametrize(
    ("advancing", "holding"),
    [(("greedy",), ("hold",)), pytest.param(("focus", "kite"), ("kite_hold",), marks=pytest.mark.slow)],
    ids=["two", "three more"],
)
def test_those_who_hold_save_actions_until_the_enemy_comes(
    advancing: tuple[str, ...], holding: tuple[str, ...]
) -> None:
    """Of six in each of 64 first turns; who advances leaves none."""
    for policy in advancing:
        assert habits(policy).unused == 0, policy
    for policy in holding:
        assert habits(policy).unused > 64 * 3, policy


@pytest.mark.slow("test_those_who_move_to_attack_go_where_the_enemy_has_no_cover")
@pytest.mark.parametrize(("one", "other"), [("focus", "kite"), ("kite", "focus"), ("hold", "kite_hold")])
def test_those_who_kite_go_to_where_fewer_enemies_reach_them(one: str, other: str) -> None:
    """Where both go in the very same position; three standard errors: by luck once in 700."""
    found = watched(Beside(PLAYERS[one], PLAYERS[other]))
    less = np.diff(np.concatenate(found.reached, axis=1).astype(float), axis=0)[0] * (1 if one == "kite" else -1)
    assert less.mean() > 3 * less.std() / len(less) ** 0.5


RIFLE, PISTOL = (Side(parse_loadout(load("warforged").catalogue, name), DuelStance()) for name in (
    "nexus+assault_rifle", "trooper+sidearm",
))  # fmt: skip


def position_of(rows: list[str], armies: tuple[tuple[int, ...], tuple[int, ...]], limit: int, seed: int) -> Position:
    """The first turn on a board of squares, a rifle being member 0 and a pistol 1."""
    fixed: dict[str, Any] = {"shape": "square", "sides": [RIFLE, PISTOL], "first": 0}
    met = meeting("greedy", 1, rows=rows, armies=[armies], limits=[limit], **fixed)
    fast = met.asked()[0]
    state = start_state(met.process(fast), 1, RandomRolls(seed, "position", 0, 1))
    return Position(fast, 0, state, np.array([limit]))


@pytest.mark.rule("WF-COV.1")
@pytest.mark.parametrize("policy", ["greedy", "focus", "kite"])
def test_those_who_move_to_attack_go_where_the_enemy_has_no_cover(policy: str) -> None:
    """Light cover lies to the left of the enemy: it counts along the row, and not down the column."""
    for seed in range(8):
        action = PLAYERS[policy].decide(position_of(["...+B", "..A..", "....."], ((0,), (1,)), 2, seed))
        assert (action.verb[0], action.cell[0] // 16) == (MOVE, 4)


def test_focus_attacks_what_falls_and_greedy_what_loses_most() -> None:
    for seed in range(4):
        position = position_of(["A.B", "...", "B.."], ((0,), (1, 1)), 1, seed)
        position.column("health")[0, 1, 1] = 1
        greedy, focus = (PLAYERS[name].decide(position) for name in ("greedy", "focus"))
        assert (greedy.verb[0], greedy.target[0]) == (ATTACK, 0)
        assert (focus.verb[0], focus.target[0]) == (ATTACK, 1)


def score(player: Player, foe: Player, n: int, seed: int, size: int = 8) -> tuple[float, float]:
    """What a player scores, and its standard error, in n pairs of battles of up to so many units on the ledger's map.

    Armies cost 31 points a unit; each pair of armies is fought from both sides, on the same luck.
    """
    loaded, field, luck = load("warforged"), map_of(None, "ledger"), np.random.default_rng(seed)
    loadouts = legal_loadouts(loaded.catalogue, 1)
    names = [one.id for one in loadouts]
    copies = loaded.arena("battle", names).copies
    assert copies is not None
    budgets, sizes, costs = np.full(n, 31.25 * size), np.full(n, size), costs_of(loaded, names)
    x, y = (legal_armies(budgets, sizes, costs, copies.per_unit, copies.available, luck).tolist() for _ in "xy")
    sides, armies = [Side(one, DuelStance()) for one in loadouts], list(zip(x, y, strict=True))
    met = Meeting(field.grid.shape, field.drawing, sides, armies, GREEDY, situation={"rounds": 10}, limits=[size])
    fast, found = met.asked()[0], []
    for seat, players in ((1, (player, foe)), (2, (foe, player))):
        columns = simulate(met.process(fast, players), RandomRolls(seed, "skill", 0, n))
        found.append(np.where(columns["winner"] == 0, 0.5, columns["winner"] == seat))
    pairs = np.mean(found, axis=0)
    return float(pairs.mean()), float(pairs.std() / n**0.5)


@pytest.mark.slow("test_focus_attacks_what_falls_and_greedy_what_loses_most")
def test_greedy_play_beats_random_play() -> None:
    """The score is above .99 with a standard error below .01, so that .95 is missed once in many thousand lucks."""
    mean, error = score(PLAYERS["greedy"], PLAYERS["random"], 256, 11)
    assert mean - 3 * error > 0.95


class Worst(Lookahead):
    """Looks ahead as well, and plays the script that does worst."""

    def _play_on(self, *given: Any) -> IntArray:
        return -super()._play_on(*given)


@pytest.mark.slow("test_focus_attacks_what_falls_and_greedy_what_loses_most")
def test_looking_ahead_tells_good_scripts_from_bad_ones() -> None:
    """The script found worst scores less: three standard errors, by luck once in 700 if nothing were foreseen."""
    best = PLAYERS["lookahead"]
    assert isinstance(best, Lookahead)
    worst = Worst(best.scripts, best.reply, best.samples, best.turns, best.interval)
    (good, error), (bad, other) = (score(player, SCRIPTS["greedy"], 128, 12, 4) for player in (best, worst))
    assert good - bad > 3 * (error**2 + other**2) ** 0.5


@pytest.mark.slow("test_focus_attacks_what_falls_and_greedy_what_loses_most")
def test_looking_ahead_beats_every_script_it_knows() -> None:
    """In 1,024 pairs, 95 % bounds one by one; against greedy play at least .60."""
    best = PLAYERS["lookahead"]
    assert isinstance(best, Lookahead)
    for script in best.scripts:
        mean, error = score(best, script, 1024, 13)
        assert mean - 1.645 * error > 0.5
        assert mean >= 0.6 or script is not SCRIPTS["greedy"]


def measure_ends(question: Question) -> dict[str, float]:
    sample = question.simulate(256, seed=1).distribution
    return {name: float(sample.mean(name)) for name in sample.columns}


@pytest.mark.parametrize(("army", "rounds"), [("random:30", 1), pytest.param("random:60", 8, marks=pytest.mark.slow)])
def test_every_executor_and_a_second_look_give_the_same_numbers(tmp_path: Path, army: str, rounds: int) -> None:
    """Nothing is played twice either: what a first run kept is found by the next."""
    changes = ("situation.scale=tactical", f"situation.rounds={rounds}")
    queries = [Query("battle", army, army, changes, first=first) for first in "ab"]
    found = []
    alone, two, threads = Engine(), Engine(n_jobs=2), Engine("threads", 2)
    for engine, folder in ((alone, "one"), (two if rounds > 1 else threads, "two"), (threads, "three"), (alone, "two")):
        with Runner(load("warforged"), engine, tmp_path / folder) as runner:
            found.append(runner(queries, measure_ends, share=False))
    assert runner.counts.n_kept == len(queries)
    assert all(rows == found[0] for rows in found)


def test_a_turn_with_a_lost_action_begins_with_a_look_ahead() -> None:
    """Where an action is lost the first one left is not the limit's; it looks ahead once, however long the turn is."""
    met, looks = meeting("lookahead", 4, 3), list[int]()

    class Looks(Lookahead):
        def _best(self, position: Position) -> IntArray:
            looks.extend(position.remaining_actions.tolist())
            return super()._best(position)

    best, fast = PLAYERS["lookahead"], met.asked()[0]
    assert isinstance(best, Lookahead)
    player = Looks(best.scripts, best.reply, 1, 1, 99)
    state = start_state(met.process(fast), 4, RandomRolls(5, "lost", 0, 4))
    after = take_turn(fast, 0, player, {**state, "a_lost_actions": np.ones(4, np.int16)})
    assert looks == (state["limit"] - 1).tolist()
    assert (after["a_lost_actions"] == 0).all()
