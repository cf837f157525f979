"""The end of a Period on tables of every kind, each trial told by itself: defeat, losses, rout, and swaps."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import FixedRolls, ProxyRolls, RandomRolls, Rolls, bound
from balance.game.loaded import load
from balance.games.edadh.cards.swaps import swap_results
from balance.games.edadh.duel.duel import duel_process, may_swap, regroup
from balance.games.edadh.duel.duel_state import LOSS_CODES, Duel, begin_period
from balance.games.edadh.duel.period import defeat, discard_and_retire, settle
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.look_up import literally
from tests.games.edadh.at_random import AT_RANDOM

UNITS = ("archers:2+shieldmaidens/clanmaidens:2+archers", "spears+gunners+swords/blunderbuss:2")
N = 300


def duel_of(changes: Any = None) -> Duel:
    duel: Duel = (
        load("edadh").ask("duel", *UNITS, {"a.movement": "standard", **(changes or {})}, **AT_RANDOM).setup.duel
    )
    return duel


def tables(duel: Duel) -> State:
    rng = np.random.default_rng(12)
    state = start_state(duel_process(duel, literally(duel.arena)), N)
    for side, force in zip("ab", duel.arena.forces, strict=True):
        state[f"{side}_unit"] = rng.integers(0, len(force.unit.arrangements), N).astype(np.int16)
        for name, least, most in (
            ("mp", -2, 62),
            ("damage", 0, 14),
            ("pile", 0, 4),
            ("relief", 0, 9),
            ("shaken", 0, 2),
        ):
            state[f"{side}_{name}"] = rng.integers(least, most, N).astype(np.int16)
        low = rng.random(N) < 0.6
        state[f"{side}_mp"] = np.where(low, rng.integers(0, 32, N), state[f"{side}_mp"]).astype(np.int16)
        state[f"{side}_mp"][rng.random(N) < 0.1] = 30
        state[f"{side}_lost"] = (rng.random(N) < 0.1).astype(np.int16)
    state["period"] = rng.integers(1, 6, N).astype(np.int16)
    return state


def one(state: State, i: int) -> dict[str, int]:
    return {name: int(values[i]) for name, values in state.items()}


@pytest.mark.parametrize(("both", "pooled"), product(("draw", "smaller_excess"), (False, True)))
def test_more_damage_than_mp(both: str, pooled: bool) -> None:
    duel = duel_of({"rules.both_defeated": both, "rules.eop1_pooled": pooled})
    state = tables(duel)
    state |= {f"{side}_mp": state[f"{side}_mp"] % 16 for side in "ab"}
    after = defeat(duel, state, FixedRolls({}))
    for i in range(N):
        told = one(state, i)
        excess = {side: told[f"{side}_damage"] - told[f"{side}_mp"] for side in "ab"}
        for side, foe in ("ab", "ba"):
            spared = both == "smaller_excess" and 0 < excess[side] < excess[foe]
            told[f"{side}_lost"] = LOSS_CODES["damage"] if excess[side] > 0 and not spared else 0
        if not pooled:
            told["over"] = int(bool(told["a_lost"] or told["b_lost"]))
        assert one(after, i) == told


class Asked:
    """Notes each choice: of whom, what, how many options, what was answered."""

    def __init__(self, seed: int) -> None:
        self.noted: dict[tuple[str, str], tuple[list[int], list[int], Any]] = {}
        self.rolls: Rolls = ProxyRolls(bound(RandomRolls(seed, "end", 0, N), dict.fromkeys("ab", Uniform())), self.note)

    def note(self, rolls: Rolls, request: Request[Any]) -> Any:
        """Write a choice down."""
        answer = rolls.answer(request)
        if isinstance(request, Choose):
            legal = np.broadcast_to(request.legal, N).tolist()
            self.noted[request.side, request.name] = legal, answer.tolist(), request.view
        return answer


SHED: list[dict[str, Any]] = [
    {},
    {"rules.recheck_after_retire": False, "rules.retire_at_30": "until_above"},
    {"rules.discard_choice": "lowest_dv", "rules.eop3_order": "a_first"},
    {"rules.retire_at_30": "until_above", "rules.eop3_order": "b_first"},
]


def shed_of(duel: Duel, me: int, at: dict[str, int], noted: dict[Any, Any], i: int) -> None:
    """Tell EOP3 of one side, writing into its columns; each choice had the options there were, and no other trial's."""
    side, force, rules = "ab"[me], duel.arena.forces[me], duel.rules
    cards = [list(column) for column in force.unit.arrangements[at[f"{side}_unit"]]]
    retired, going = False, True
    for number in range(1, int(force.unit.n_cards[0]) + 1):
        legal, answer = (column[i] for column in noted[side, f"loss {number}"][:2])
        front = [force.troops[column[0]] for column in cards if column]
        damage, mp = at[f"{side}_damage"], at[f"{side}_mp"]
        must = bool(front) and damage > min(card.discard_value for card in front)
        must = must and (rules.recheck_after_retire or not retired)
        low = mp < 30 or (mp == 30 and retired and rules.retire_at_30 == "until_above")
        if not going or not (must or (low and front)):
            going = False
            assert legal == 1
            continue
        most = max(len(column) for column in cards)
        able = [c for c in range(3) if cards[c] and len(cards[c]) == most]
        if must and rules.discard_choice == "lowest_dv":
            dv = [force.troops[cards[c][0]].discard_value for c in able]
            able = [c for c, value in zip(able, dv, strict=True) if value == min(dv)]
        options = able if must else [None, *able]
        assert legal == len(options)
        column = options[answer]
        if column is None:
            going = False
            continue
        card = force.troops[cards[column].pop(0)]
        at[f"{side}_pile"] += 1
        if must:
            at[f"{side}_damage"] = max(0, damage - card.discard_value)
        else:
            at[f"{side}_mp"], retired = min(60, mp + card.psyche), True
    at[f"{side}_unit"] = force.unit.arrangements.index(tuple(map(tuple, cards)))


@pytest.mark.parametrize("rules", SHED)
def test_every_loss(rules: dict[str, Any]) -> None:
    duel = duel_of(rules)
    state = tables(duel)
    asked = Asked(3)
    after = discard_and_retire(duel, state, asked.rolls)
    order = "ba" if duel.rules.eop3_order == "b_first" else "ab"
    n_cards = {side: int(force.unit.n_cards[0]) for side, force in zip("ab", duel.arena.forces, strict=True)}
    told_in = [(side, f"loss {number}") for side in order for number in range(1, n_cards[side] + 1)]
    assert list(asked.noted) == told_in
    for i in range(N):
        told = one(state, i)
        for side in "ab":
            told[f"{side}_damage"] = max(0, told[f"{side}_damage"] - told[f"{side}_relief"])
        before = dict(told)
        for side in order:
            shed_of(duel, "ab".index(side), told, asked.noted, i)
        assert one(after, i) == told
        view = asked.noted[order[1], "loss 1"][2]
        rows = view.rows.tolist()
        if i in rows:
            known = before if duel.rules.eop3_order == "simultaneous" else told
            for name in ("pile", "mp", "damage", "unit"):
                assert view.foe_column(name)[rows.index(i)] == known[f"{order[0]}_{name}"]


def test_how_a_period_ends_and_the_next_begins() -> None:
    duel = duel_of({"situation.max_periods": 4})
    state = tables(duel)
    after = settle(duel, state, FixedRolls({}))
    ways = set()
    for i in range(N):
        told, at = one(state, i), one(state, i)
        for me, side in enumerate("ab"):
            foe = "ba"[me]
            larger = at[f"{side}_pile"] > at[f"{foe}_pile"]
            cards = sum(map(len, duel.arena.forces[me].unit.arrangements[at[f"{side}_unit"]]))
            lost = at[f"{side}_lost"]
            lost = lost or (LOSS_CODES["rout"] if larger and at[f"{side}_shaken"] else 0)
            lost = lost or (LOSS_CODES["mp"] if at[f"{side}_mp"] <= 0 else 0)
            lost = lost or (LOSS_CODES["cards"] if not cards else 0)
            told |= {f"{side}_lost": lost, f"{side}_shaken": int(larger), f"{side}_pile": 0, f"{side}_relief": 0}
            ways.add(lost)
        told["over"] = int(bool(told["a_lost"] or told["b_lost"] or at["period"] >= 4))
        told["period"] = at["period"] + (not told["over"])
        begun = begin_period(duel, {name: np.array([value]) for name, value in told.items()})
        assert one(after, i) == one(begun, 0)
    assert ways == {0, *LOSS_CODES.values()}


@pytest.mark.parametrize("last", [True, False])
def test_every_swap(last: bool) -> None:
    """Column by column, among what cards up to two ranks apart can make of it; not once it has fought in Melee."""
    duel = duel_of({"rules.swap_last_charge": last})
    state = tables(duel)
    asked = Asked(5)
    after = regroup(duel, state, asked.rolls)
    assert list(asked.noted) == [(side, f"swap {column}") for side in "ab" for column in range(3)]
    levels = [0, 0, 1, 2, 2, 2]
    able = may_swap(duel, state)
    for i in range(N):
        period = int(state["period"][i])
        fought, following = levels[max(0, period - 2)], levels[period - 1]
        assert bool(able[i]) == (fought < 2 and (last or following < 2))
        told = one(state, i)
        for me, side in enumerate("ab"):
            unit = duel.arena.forces[me].unit
            for column in range(3):
                cards = unit.arrangements[told[f"{side}_unit"]]
                may_be = swap_results(cards[column], 2) if able[i] else [cards[column]]
                legal, answer, view = (part[i] if k < 2 else part for k, part in
                                       enumerate(asked.noted[side, f"swap {column}"]))  # fmt: skip
                assert legal == len(may_be)
                assert view.own_column("unit")[i] == told[f"{side}_unit"]
                changed = (*cards[:column], may_be[answer], *cards[column + 1 :])
                told[f"{side}_unit"] = unit.arrangements.index(changed)
        assert one(after, i) == told
