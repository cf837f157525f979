"""Stratagems and secondary cards on tables of every kind, against the second telling of the rules, trial by trial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import balance
from balance.base.arrays import IntArray
from balance.chance.rolls.choices import Choose, Legal
from balance.chance.rolls.process import State, start_state
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import FixedRolls, ProxyRolls, RandomRolls, Rolls, bound
from balance.games.edadh.cards.records import LEVELS
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.duel_state import Duel, DuelSetup
from balance.games.edadh.duel.hidden import conceal
from balance.games.edadh.duel.leadership import BONUSES, N_SECONDS, SECONDS, may_play_second
from balance.games.edadh.duel.stratagems import advance, legal_hands, muster, rally, steady
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.commands import IN_DECK, IN_PLAY, IN_PROMOTION, LOCKED, MST, OUT_OF_GAME, TCTS, Command
from balance.games.edadh.rules.look_up import literally
from balance.games.edadh.rules.strike import Boost
from balance.games.edadh.rules.view import View
from tests.games.edadh import led
from tests.games.edadh.at_random import AT_RANDOM
from tests.games.edadh.retold import led_side_of, table_of

GAME = balance.load("edadh")
WARBANDS = ("angueth_warband", "huaos_dzaa_warband")
PLACES = {IN_DECK: "deck", LOCKED: "locked", IN_PROMOTION: "promoted", IN_PLAY: "play", OUT_OF_GAME: "gone"}
LEADERS = {0: "none", 1: "ready", 2: "down", 3: "promotion"}
N = 250


def changed(duel: Duel, side: int) -> Command:
    """Return a deck with a card that needs a troop, one that asks for a troop nobody has, and a free one."""
    changes: dict[str, dict[str, Any]] = {
        "shield_wall": {"needs_troop": ("archers", "gunners")[side]},
        "war_cry": {"needs_troop": ("clanmaidens", "knights")[side]},
        "volley": {"cost": 0},
        "retreat": {"amount": 3 + side},
    }
    deck = tuple(card.model_copy(update=changes.get(card.id, {})) for card in duel.commands[side].deck)
    return replace(duel.commands[side], deck=deck, tactical_ml=3 + side)


def tables(changes: Any = None, a_leads: bool = True) -> tuple[balance.Question, Duel, State]:
    """Return a duel, and states of it in which every stratagem lies anywhere."""
    led_by = {} if a_leads else {"a.battle_master": ""}
    question = GAME.ask("duel", *WARBANDS, {**(changes or {}), **led_by}, **AT_RANDOM)
    asked: Duel = question.setup.duel
    duel = replace(asked, commands=(changed(asked, 0) if a_leads else asked.commands[0], changed(asked, 1)))
    state = start_state(duel_process(duel, literally(duel.arena)), N)
    rng = np.random.default_rng(11)
    for me, side in enumerate("ab"):
        for card in duel.commands[me].deck:
            state[f"{side}_s_{card.id}"] = rng.choice(5, N, p=[0.3, 0.2, 0.1, 0.35, 0.05]).astype(np.int16)
        state[f"{side}_damage"] = rng.integers(0, 8, N).astype(np.int16)
        state[f"{side}_leader"] = rng.integers(1, 4, N).astype(np.int16) * bool(duel.commands[me].deck)
        state[f"{side}_unit"] = rng.integers(0, len(duel.arena.forces[me].unit.arrangements), N).astype(np.int16)
    return question, duel, state


def sides_of(question: balance.Question, duel: Duel, state: State, i: int) -> list[led.LedSide]:
    """Return both sides of a trial as the second telling has them."""
    found = []
    for me, name in enumerate("ab"):
        side, command, force = led_side_of(question, name), duel.commands[me], duel.arena.forces[me]
        side.command.deck = [card.model_dump() for card in command.deck]
        side.command.tactical_ml = command.tactical_ml
        cards = force.unit.arrangements[int(state[f"{name}_unit"][i])]
        side.columns = [[force.troops[kind].model_dump() for kind in column] for column in cards]
        side.damage = int(state[f"{name}_damage"][i])
        side.leader = LEADERS[int(state[f"{name}_leader"][i])]
        side.place = {card.id: PLACES[int(state[f"{name}_s_{card.id}"][i])] for card in command.deck}
        found.append(side)
    return found


RULES: list[dict[str, Any]] = [
    {},
    {"rules.stratagem_budget": "new_only", "rules.stratagem_stay": "one_period"},
]


@pytest.mark.parametrize("a_leads", [True, False])
@pytest.mark.parametrize("rules", RULES)
def test_every_hand_that_may_be_taken(rules: dict[str, Any], a_leads: bool) -> None:
    question, duel, state = tables(rules, a_leads)
    table = table_of(question)
    for me in (0, 1) if a_leads else (1,):
        command = duel.commands[me]
        sets = [tuple(i for i, taken in enumerate(flags) if taken)
                for flags in product((False, True), repeat=len(command.deck))]  # fmt: skip
        payable = [
            hand for hand in sets
            if sum(command.cost(command.deck[i]) for i in hand) <= command.tactical_ml
            and (len(hand) < 2 or all(command.deck[i].cost is not None for i in hand))
        ]  # fmt: skip
        assert list(command.hands) == payable
        assert [tuple(np.flatnonzero(row).tolist()) for row in command.in_hand] == payable
        legal = legal_hands(duel, me, state)
        for i in range(N):
            sides = sides_of(question, duel, state, i)
            own, foe = sides[me], sides[1 - me]
            spent = 0 if rules else sum(own.price(card) for card in own.at("play", "locked"))
            barred = {card["id"] for card in foe.at("play") if card["exclusive"]}
            told = []
            for hand in payable:
                cards = [own.command.deck[k] for k in hand]
                able = all(card in own.at("deck") and own.holds(card) and card["id"] not in barred for card in cards)
                cost = sum(own.price(card) for card in cards)
                told.append(not hand or (able and cost + spent <= own.command.tactical_ml))
            assert legal[i].tolist() == told
    assert table.rules["stratagem_budget"] == rules.get("rules.stratagem_budget", "all")


class Written:
    """Takes these options, by name and trial, where there is more than one; else the first."""

    def __init__(self, options: Mapping[str, IntArray]) -> None:
        self.options = options

    def choose(self, name: str, legal: Legal, view: View, rolls: Rolls) -> IntArray:
        """Return the option written where it is legal."""
        return np.asarray(self.options[name] * (np.asarray(legal) > 1))


class Heading:
    """Dice that show what is written."""

    def __init__(self, faces: dict[str, list[int]]) -> None:
        self.faces = faces

    def __call__(self, faces: int, name: str) -> int:
        return self.many(faces, 1, name)[0]

    def many(self, faces: int, k: int, name: str) -> list[int]:
        return self.faces[name][:k]


@pytest.mark.parametrize("a_leads", [True, False])
@pytest.mark.parametrize("rules", RULES)
def test_every_step_of_eop0(rules: dict[str, Any], a_leads: bool) -> None:
    question, duel, state = tables(rules, a_leads)
    rng = np.random.default_rng(5)
    taken = [{f"remove {card.id}": rng.integers(0, 2, N) for card in command.deck} for command in duel.commands]
    rolls = bound(RandomRolls(1, "none", 0, N), {side: Written(taken[me]) for me, side in enumerate("ab")})
    before = {name: values.copy() for name, values in state.items()}
    after = advance(duel, state, rolls)
    assert all(np.array_equal(before[name], state[name]) for name in state), "what was given is not written into"
    table = table_of(question)
    changing = {"a_damage", "b_damage", "a_leader", "b_leader"}
    changing |= {f"{'ab'[me]}_s_{card.id}" for me in (0, 1) for card in duel.commands[me].deck}
    assert after.keys() == state.keys()
    assert all(np.array_equal(after[name], state[name]) for name in state.keys() - changing)
    for i in range(N):
        sides = sides_of(question, duel, state, i)
        shown = [[2 - int(values[i]) for values in own.values()] for own in taken]
        faces = {f"{side} remove": shown[me] for me, side in enumerate("ab")}
        led.eop0(table, sides[0], sides[1], Heading(faces))
        for me, side in enumerate(sides):
            told = {card.id: PLACES[int(after[f"{side.name}_s_{card.id}"][i])] for card in duel.commands[me].deck}
            assert told == side.place
            assert int(after[f"{side.name}_damage"][i]) == side.damage
            assert LEADERS[int(after[f"{side.name}_leader"][i])] == side.leader


def test_stratagems_are_taken_at_once() -> None:
    """Both sides' hands: each card goes where it belongs, all others stay where they are."""
    _, duel, state = tables()
    asked: dict[str, Any] = {}
    rolls = bound(RandomRolls(4, "muster", 0, N), dict.fromkeys("ab", Uniform()))

    def note(rolls: Rolls, request: Request[Any]) -> Any:
        assert isinstance(request, Choose)
        asked[request.side] = (request.name, np.asarray(request.legal), rolls.answer(request))
        return asked[request.side][2]

    after = muster(duel, state, ProxyRolls(rolls, note))
    assert list(asked) == ["a", "b"]
    for me, side in enumerate("ab"):
        command = duel.commands[me]
        name, legal, hand = asked[side]
        assert name == "stratagems"
        assert np.array_equal(legal, legal_hands(duel, me, state))
        for i in range(N):
            for k, card in enumerate(command.deck):
                column = f"{side}_s_{card.id}"
                goes = (LOCKED if card.secondary else IN_PLAY) if k in command.hands[hand[i]] else state[column][i]
                assert after[column][i] == goes
    _, one, begun = tables(a_leads=False)
    asked.clear()
    muster(one, begun, ProxyRolls(rolls, note))
    assert list(asked) == ["b"]


@pytest.mark.parametrize("level", range(3))
def test_what_stratagems_in_play_add(level: int) -> None:
    _, duel, state = tables()
    for me, side in enumerate("ab"):
        for given in (level, np.full(N, level)):
            boost = duel.commands[me].boost(state, side, given)
            for i in range(N):
                told = dict.fromkeys(Boost._fields, 0)
                for card in duel.commands[me].deck:
                    if state[f"{side}_s_{card.id}"][i] == IN_PLAY and LEVELS[level] in card.levels and not card.instant:
                        field = "ground" if card.assignment == "terrain" else card.effect.replace("def", "defence")
                        told[field] += card.amount
                found = {name: int(np.broadcast_to(values, N)[i]) for name, values in boost._asdict().items()}
                assert found == told


def test_what_each_effect_raises() -> None:
    """One card per value, of different amounts, at every level; the champion's are added by him."""
    _, duel, state = tables()
    card = duel.commands[0].deck[0]
    effects = ("att", "def", "ml", "protection", "damage")
    deck = tuple(
        card.model_copy(update={"id": effect, "effect": effect, "amount": i, "levels": LEVELS})
        for i, effect in enumerate(effects, 1)
    )
    twice = (*deck, deck[0].model_copy(update={"id": "again", "amount": 10}))
    here = {**state, **{f"a_s_{one.id}": np.full(N, IN_PLAY, np.int16) for one in twice}}
    boost = replace(duel.commands[0], deck=twice).boost(here, "a", 1)
    told = {name: set(np.asarray(values).ravel().tolist()) for name, values in boost._asdict().items()}
    assert told == {
        "att": {11}, "defence": {2}, "ml": {3}, "protection": {4}, "damage": {5},
        "mp_bonus": {0}, "ground": {0}, "relief": {0},
    }  # fmt: skip


def test_which_secondary_cards_there_are() -> None:
    assert SECONDS.reshape(4, 3).tolist() == [[0, 0, 0], [0, MST, 0], [0, TCTS, 0], [0, MST, TCTS]]
    assert N_SECONDS.tolist() == [1, 2, 2, 3]
    assert BONUSES == ("", "mp_bonus", "ml", "att", "defence", "damage")
    for blocks in (False, True):
        changes = {"rules.failed_tactics": "both_sides" if blocks else "tactics_only"}
        duel = GAME.ask("duel", *WARBANDS, changes, **AT_RANDOM).setup.duel
        cases = list(product(range(3), range(4), range(3)))
        champion, leader, turns = (np.array(column) for column in zip(*cases, strict=True))
        for me, side in enumerate("ab"):
            state = {f"{side}_champion": champion, f"{side}_leader": leader, "turns": turns}
            told = [
                (MST * (c == 1 and not (blocks and own == 2)) + TCTS * (own == 1)) if left else 0
                for c, own, left in cases
            ]
            assert may_play_second(duel, me, state).tolist() == told


def test_masters_turn_face_up_again() -> None:
    _, duel, state = tables()
    cases = np.resize(np.arange(4), N).astype(np.int16)
    names = [f"{side}_{name}" for side in "ab" for name in ("champion", "leader")]
    state |= {name: np.roll(cases, k) for k, name in enumerate(names)}
    after = rally(duel, state, FixedRolls({}))
    for name in names:
        assert after[name].tolist() == [1 if place == 2 else place for place in state[name].tolist()]
    assert all(np.array_equal(after[name], state[name]) for name in state if name not in names)


def test_a_standards_resolve_on_every_pile() -> None:
    _, duel, state = tables()
    standard = duel.commands[1].standard
    assert standard is not None
    strong = replace(duel.commands[1], standard=standard.model_copy(update={"res": 2}))
    duel = replace(duel, commands=(replace(duel.commands[0], standard=None), strong))
    pile, left, used = (np.array(column, np.int16) for column in zip(*product(range(4), (0, 1), (0, 1)), strict=True))
    state = {name: values[:16] for name, values in state.items()} | {"b_pile": pile, "b_standard": left, "a_pile": pile}
    asked = {"b": Written({"resolve": used})}
    after = steady(duel, state, bound(RandomRolls(1, "none", 0, 16), asked))
    raised = [bool(use and has and cards) for cards, has, use in zip(pile, left, used, strict=True)]
    assert after["b_pile"].tolist() == [max(0, cards - 2 * up) for cards, up in zip(pile.tolist(), raised, strict=True)]
    assert after["b_standard"].tolist() == [has and not up for has, up in zip(left.tolist(), raised, strict=True)]
    assert np.array_equal(after["a_pile"], pile)


def test_what_is_locked_is_dealt_anew_from_what_could_be() -> None:
    """As many others, such as side b could have taken; where there are none, they stay; each as often as another."""
    _, duel, state = tables()
    draws = 60
    setup = DuelSetup(duel, {}, {})
    command = duel.commands[1]
    rng = np.random.default_rng(2)
    for card in command.deck:
        if card.secondary:
            state[f"b_s_{card.id}"] = rng.choice([IN_DECK, LOCKED, IN_PLAY], N, p=[0.6, 0.3, 0.1]).astype(np.int16)
        else:
            state[f"b_s_{card.id}"] = rng.choice([IN_DECK, IN_PLAY], N, p=[0.9, 0.1]).astype(np.int16)
    rows = np.repeat(np.arange(40), draws)
    many = {name: values[rows] for name, values in state.items()}
    after = conceal(setup, many, "a", RandomRolls(2, "deal", 0, len(rows)))
    secret = [card.id for card in command.deck if card.secondary]
    moved = 0
    for i in range(40):
        own = {card.id: int(state[f"b_s_{card.id}"][i]) for card in command.deck}
        locked = frozenset(name for name, place in own.items() if place == LOCKED)
        opened = {name: values[i : i + 1].copy() for name, values in state.items()}
        opened |= {f"b_s_{name}": np.array([IN_DECK], np.int16) for name in locked}
        hands = [frozenset(command.deck[k].id for k in command.hands[h])
                 for h in np.flatnonzero(legal_hands(duel, 1, opened)[0])]  # fmt: skip
        others = {hand for hand in hands if hand <= set(secret) and len(hand) == len(locked) and hand != locked}
        told = set()
        for k in range(i * draws, (i + 1) * draws):
            found = frozenset(name for name in own if after[f"b_s_{name}"][k] == LOCKED)
            told.add(found)
            for name, place in own.items():
                stays = IN_DECK if place == LOCKED else place
                assert after[f"b_s_{name}"][k] == (LOCKED if name in found else stays)
        assert told == (others or {locked})
        moved += len(others) > 1
    assert moved > 2
    assert all(np.array_equal(after[name], many[name]) for name in many if not name.startswith("b_s_"))
    bare = GAME.ask("duel", *WARBANDS, {"b.battle_master": ""}).setup
    begun = start_state(duel_process(bare.duel, literally(bare.duel.arena)), 2)
    assert conceal(bare, begun, "a", RandomRolls(1, "none", 0, 2)) is begun
    assert conceal(bare, begun, "b", RandomRolls(1, "none", 0, 2)) is not begun
