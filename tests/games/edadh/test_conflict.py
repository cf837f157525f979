"""A turn of the conflict on tables of every kind: what each side is asked, what it sees, and every column after it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls, bound
from balance.game.loaded import load
from balance.games.edadh.duel.conflict import UNUSED, choose_cards, give_orders, select_troops, take_turn, troop_options
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import LOSS_CODES, Duel
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.look_up import literally
from balance.games.edadh.rules.unit import COMBINE_ALL, COMBINE_ONE, NO_COLUMN, plays_of
from balance.games.edadh.rules.view import PLAY_COUNT, PUBLIC, SIDES, View, at_rows
from tests.games.edadh.at_random import AT_RANDOM

UNITS = ("archers:2+shieldmaidens/clanmaidens:2+archers", "spears+gunners+swords/blunderbuss:2")
N = 240


def duel_of(changes: Any = None, **choices: str) -> Duel:
    duel: Duel = (
        load("edadh")
        .ask("duel", *UNITS, {"a.movement": "standard", **(changes or {})}, **{**AT_RANDOM, **choices})
        .setup.duel
    )
    return duel


def tables(duel: Duel) -> State:
    """Return states with any arrangement, anything up, any rights, and turns left or not."""
    rng = np.random.default_rng(6)
    state = start_state(duel_process(duel, literally(duel.arena)), N)
    for side, force in zip("ab", duel.arena.forces, strict=True):
        alive = np.flatnonzero(force.unit.n_cards > 0)
        state[f"{side}_unit"] = rng.choice(alive, N).astype(np.int16)
        standing = force.unit.front_mask[state[f"{side}_unit"]]
        up = standing & rng.integers(1, 8, N)
        state[f"{side}_up"] = np.where(up > 0, up, standing).astype(np.uint8)
        for name, most in (("mp", 62), ("damage", 20), ("pile", 4), ("relief", 9), ("combine", 3), ("shaken", 2)):
            state[f"{side}_{name}"] = rng.integers(0, most, N).astype(np.int16)
        state[f"{side}_mp"] = np.where(rng.random(N) < 0.5, state[f"{side}_mp"] % 10, state[f"{side}_mp"])
    state["turns"] = rng.integers(0, 4, N).astype(np.int16)
    state["period"] = rng.integers(1, 6, N).astype(np.int16)
    return state


def bits(mask: int) -> list[int]:
    return [c for c in range(3) if mask & (1, 2, 4)[c]]


def level_at(duel: Duel, state: State, i: int) -> int:
    return int(duel.levels[min(int(state["period"][i]), len(duel.levels)) - 1])


def legal_plays(duel: Duel, me: int, state: State, i: int, role: int) -> tuple[list[int], int]:
    """Return the columns a side may select of, and its right to combine: 0 where it may not."""
    side, rules = "ab"[me], duel.rules
    if not state["turns"][i]:
        return [], 0
    cards = duel.arena.forces[me].unit.arrangements[int(state[f"{side}_unit"][i])]
    up = bits(int(state[f"{side}_up"][i]))
    if role == 0:
        name = ("ballistic_ml", "charge_ml", "melee_ml")[level_at(duel, state, i)]
        ml = {c: getattr(duel.arena.forces[me].troops[cards[c][0]], name) for c in up}
        up = [c for c in up if ml[c] == min(ml.values())]
    able = role > 0 or (role == 0 and rules.combine_on_tie)
    return up, int(state[f"{side}_combine"][i]) if able else 0


@pytest.mark.parametrize("on_tie", [False, True])
def test_what_may_be_selected(on_tie: bool) -> None:
    duel = duel_of({"rules.combine_on_tie": on_tie})
    state = tables(duel)
    for me, role in product((0, 1), (1, 0, -1)):
        mask, right = troop_options(duel, me, state, duel.level(state), np.full(N, role, np.int8))
        for i in range(N):
            columns, told = legal_plays(duel, me, state, i, role)
            assert bits(int(mask[i])) == columns
            assert right[i] == (told if state["turns"][i] else right[i])
    melee = replace(duel, levels=np.array([2], np.int8))
    again = {**state, "period": np.full(N, 9)}
    roles = np.zeros(N, np.int8)
    for found, told_at in zip(troop_options(melee, 0, state, 2, roles),
                              troop_options(duel, 0, again, duel.level(again), roles), strict=True):  # fmt: skip
        assert np.array_equal(found, told_at)


def test_what_a_play_leaves_face_up() -> None:
    for right, mask in product((0, COMBINE_ONE, COMBINE_ALL), range(1, 8)):
        for play in plays_of(mask, right):
            used = {play & 3, *bits(play >> 2)}
            assert bits(int(UNUSED[play])) == [c for c in range(3) if c not in used]
    assert UNUSED[NO_COLUMN] == 7


class Asked:
    """Notes what is asked, of whom, with which options and what is answered."""

    def __init__(self, duel: Duel) -> None:
        self.noted: list[tuple[str, str, list[int], list[int], View]] = []
        players = dict(zip("ab", duel.policies, strict=True))
        self.rolls: Rolls = ProxyRolls(bound(RandomRolls(2, "turn", 0, N), players), self.note)

    def note(self, rolls: Rolls, request: Request[Any]) -> Any:
        """Write a choice down."""
        answer = rolls.answer(request)
        if isinstance(request, Choose):
            legal = np.broadcast_to(request.legal, N).tolist()
            self.noted.append((request.side, request.name, legal, answer.tolist(), request.view))
        return answer


RULES: list[dict[str, Any]] = [{}, {"rules.combine_on_tie": True}]


@pytest.mark.parametrize("rules", RULES)
def test_who_is_asked_for_what_in_which_order(rules: dict[str, Any]) -> None:
    """Both cards at once; the Attacker's troop, or on a tie both; then the Defender's, who knows the Attacker's."""
    duel = duel_of(rules)
    state = tables(duel)
    asked = Asked(duel)
    orders = give_orders(duel, state, asked.rolls)
    assert [each[:2] for each in asked.noted] == [
        ("a", "card"), ("b", "card"), ("a", "troop"), ("b", "troop"), ("a", "answer"), ("b", "answer"),
    ]  # fmt: skip
    playing = state["turns"] > 0
    for me, (_, _, legal, answer, _) in enumerate(asked.noted[:2]):
        assert legal == [12] * N
        assert orders.cards[me].tolist() == ((np.array(answer) + 1) * playing).tolist()
    for i in range(N):
        a, b = int(orders.cards[0][i]), int(orders.cards[1][i])
        ahead = (a - b) % 12
        role = 0 if not playing[i] or ahead % 6 == 0 else 1 if ahead < 6 else -1
        assert orders.role[i] == role
        for me in (0, 1):
            own = role if me == 0 else -role
            columns, right = legal_plays(duel, me, state, i, own)
            plays = plays_of(sum((1, 2, 4)[c] for c in columns), right) or [NO_COLUMN]
            (_, _, troop, chosen, view), (_, _, answer, later, told) = asked.noted[2 + me], asked.noted[4 + me]
            assert troop[i] == (len(plays) if own >= 0 else 1)
            assert answer[i] == (len(plays) if own < 0 else 1)
            assert orders.plays[me][i] == plays[chosen[i] if own >= 0 else later[i]]
            seen = {name: int(values[i]) for name, values in view.facts.items()}
            assert (seen["card"], seen["foe_card"], seen["role"]) == (orders.cards[me][i], orders.cards[1 - me][i], own)
            if playing[i]:
                assert seen["place"] == (right * 8 + sum((1, 2, 4)[c] for c in columns)) * 4 + NO_COLUMN
                assert seen["right"] == right
            assert "foe_play" not in view.facts
            if own < 0:
                assert told.facts["foe_play"][i] == orders.plays[1 - me][i]
    assert choose_cards(duel, {**state, "turns": state["turns"] * 0}, Asked(duel).rolls)[0].tolist() == [0] * N


@pytest.mark.parametrize("on_tie", [False, True])
def test_who_combines_late(on_tie: bool) -> None:
    """WE-Q18: a troop alone; then whoever may combine says with whom, knowing the other's troop."""
    duel = duel_of({"rules.combine_late": True, "rules.combine_on_tie": on_tie})
    state = tables(duel)
    rng = np.random.default_rng(3)
    cards = (rng.integers(1, 13, N) * (state["turns"] > 0), rng.integers(1, 13, N) * (state["turns"] > 0))
    role = duel.arena.mastery.roles(*cards)
    asked = Asked(duel)
    plays = select_troops(duel, state, cards, role, asked.rolls)
    names = ["troop", "troop", "answer", "answer", "combine", "combine"]
    assert [each[:2] for each in asked.noted] == list(zip("ababab", names, strict=True))
    for i in range(N):
        alone = []
        for me in (0, 1):
            own = int(role[i]) if me == 0 else -int(role[i])
            columns, _ = legal_plays(duel, me, state, i, own)
            option = asked.noted[(2 if own < 0 else 0) + me][3][i]
            assert asked.noted[me][2][i] == (max(1, len(columns)) if own >= 0 else 1)
            alone.append(columns[option] if columns else NO_COLUMN)
        for me in (0, 1):
            own = int(role[i]) if me == 0 else -int(role[i])
            columns, right = legal_plays(duel, me, state, i, own)
            _, _, legal, answer, view = asked.noted[4 + me]
            if not columns:
                assert (legal[i], plays[me][i]) == (1, NO_COLUMN)
                continue
            told = plays_of(sum((1, 2, 4)[c] for c in columns), right, alone[me])
            assert legal[i] == len(told)
            assert plays[me][i] == told[answer[i]]
            assert view.facts["foe_play"][i] == alone[1 - me]


AFTER: list[dict[str, Any]] = [
    {},
    {"rules.refill": "at_once"},
    {"rules.mp_zero_check": "immediate", "rules.instant_on": "each_move"},
]


@pytest.mark.parametrize("rules", AFTER)
def test_every_column_after_a_turn(rules: dict[str, Any]) -> None:
    """Told for each trial by itself; what is not named stays as it was."""
    duel = duel_of(rules, policy_b="adaptive")
    state = tables(duel)
    before = {name: values.copy() for name, values in state.items()}
    asked = bound(RandomRolls(9, "orders", 0, N), {"a": Uniform(), "b": Uniform()})
    orders = give_orders(duel, state, asked)
    after = take_turn(duel, literally(duel.arena), state, orders.cards, orders.plays)
    assert all(np.array_equal(before[name], state[name]) for name in state)
    assert after.keys() == state.keys()
    stops = 0
    for i in range(N):
        told = {name: int(values[i]) for name, values in state.items()}
        told["turns"] = max(0, told["turns"] - 1)
        cards = tuple(int(card[i]) for card in orders.cards)
        plays = tuple(int(play[i]) for play in orders.plays)
        units = [force.unit for force in duel.arena.forces]
        sent = tuple(force.fighter[int(state[f"{side}_unit"][i]) * 32 + play]
                     for force, side, play in zip(duel.arena.forces, "ab", plays, strict=True))  # fmt: skip
        turn = literally(duel.arena)(level_at(duel, state, i), cards, sent)
        paid = [told[f"{side}_mp"] - int(turn.cost[me]) for me, side in enumerate("ab")]
        stopped = "mp_zero_check" in str(rules) and min(paid) <= 0
        for me, side in enumerate("ab"):
            told[f"{side}_mp"] = min(60, paid[me] + int(turn.bonus[me])) - int(turn.mp_loss[me])
            if side == "a":
                for value in range(1, 13):
                    told[f"a_played_{value}"] += cards[me] == value
            if stopped:
                told[f"{side}_mp"] = paid[me]
                continue
            told[f"{side}_damage"] += int(turn.damage[me])
            used = {plays[me] & 3, *bits(plays[me] >> 2)}
            up = [c for c in bits(told[f"{side}_up"]) if c not in used]
            if told[f"{side}_combine"] == COMBINE_ONE and plays[me] >> 2:
                told[f"{side}_combine"] = 0
            if turn.is_discarded[me]:
                place = told[f"{side}_unit"] * 4 + (plays[me] & 3)
                told[f"{side}_pile"] += 1
                told[f"{side}_relief"] += int(units[me].front_dv[place])
                told[f"{side}_unit"] = int(units[me].behind[place])
                if rules.get("rules.refill") and units[me].arrangements[told[f"{side}_unit"]][plays[me] & 3]:
                    up = sorted({*up, plays[me] & 3})
            told[f"{side}_up"] = sum((1, 2, 4)[c] for c in up)
        if "mp_zero_check" in str(rules):
            for side in "ab":
                told[f"{side}_lost"] = LOSS_CODES["mp"] if told[f"{side}_mp"] <= 0 else 0
            told["over"] = int(told["a_lost"] > 0 or told["b_lost"] > 0)
            stops += stopped
        assert {name: int(values[i]) for name, values in after.items()} == told
    assert (stops > 20) == ("mp_zero_check" in str(rules))


def test_what_can_be_seen_of_either_side() -> None:
    duel = duel_of(policy_b="adaptive")
    state = tables(duel)
    level = duel.level(state)
    assert (SIDES, PLAY_COUNT) == ("ab", "played_")
    assert PUBLIC == (
        "mp", "damage", "unit", "up", "pile", "shaken", "combine", "champion", "standard", "leader", "second",
    )  # fmt: skip
    for me, side in enumerate("ab"):
        view = duel.view(me, state, level)
        foe = "ba"[me]
        assert (view.side_index, view.foe, view.rows, dict(view.facts)) == (me, 1 - me, None, {})
        for name in ("mp", "damage", "unit", "up", "pile", "shaken", "combine"):
            assert np.array_equal(view.foe_column(name), state[f"{foe}_{name}"])
            assert np.array_equal(view.own_column(name), state[f"{side}_{name}"])
        assert np.array_equal(view.own_column("relief"), state[f"{side}_relief"]), "what is private, of the own side"
        for hidden in ("relief", "lost"):
            with pytest.raises(KeyError) as caught:
                view.foe_column(hidden)
            assert caught.value.args == (f"{hidden} of the opponent cannot be seen",)
    counted = duel.view(1, state, level).foe_column("played_3")
    assert np.array_equal(counted, state["a_played_3"])


def test_a_view_of_some_trials() -> None:
    duel = duel_of()
    state = tables(duel)
    view = duel.view(0, state, duel.level(state))
    rows, fewer = np.arange(3, N, 4), np.array([0, 2, 5])
    extra = np.arange(N) * 2
    some = view.with_facts(extra=extra, a_mp=extra + 1).only(rows)
    assert np.array_equal(some.facts["extra"], extra[rows])
    assert np.array_equal(some.own_column("mp"), extra[rows] + 1), "as it is by then"
    assert np.array_equal(some.foe_column("mp"), state["b_mp"][rows])
    assert np.array_equal(np.asarray(some.level), np.asarray(view.level)[rows])
    again = some.only(fewer)
    assert np.array_equal(np.asarray(again.rows), rows[fewer])
    assert np.array_equal(again.foe_column("damage"), state["b_damage"][rows[fewer]])
    trials = again.of_trials()
    assert trials.keys() == state.keys()
    assert np.array_equal(trials["a_mp"], (extra + 1)[rows][fewer])
    assert np.array_equal(trials["b_mp"], state["b_mp"][rows][fewer])
    whole = view.with_facts(a_mp=extra).of_trials()
    assert np.array_equal(whole["a_mp"], extra) and np.array_equal(whole["b_mp"], state["b_mp"])
    assert (at_rows(2, rows), at_rows(np.arange(9), fewer).tolist()) == (2, [0, 2, 5])  # type: ignore[union-attr]
    assert view.with_facts(extra=extra).with_facts(more=extra).facts.keys() == {"extra", "more"}
