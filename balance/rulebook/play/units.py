"""The units of both sides in every trial: what their cards print, what has changed, and the names that steps use."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.dice.rolling.laws import Values
from balance.chance.exact.chains import CHAIN
from balance.chance.rolls.process import Start, State
from balance.chance.rolls.rolls import Policy, Rolls
from balance.game.kit import Armies
from balance.game.kit.combat.members import any_place, start_of, value_at
from balance.rulebook.play.rules import AT_START, Rules, near
from balance.rulebook.play.script import Script
from balance.rulebook.play.script_laws import Env, draw, play

CARD = "card"
"""Ends the name of the number of the card in each place, where armies differ from trial to trial."""


@dataclass(frozen=True, eq=False)
class Fight:
    """What a question is about: the rules, who fights on each side, and the values in force.

    * `armies`: units from the front to the back.
    * `numbers`: the numbers and options of the rulebook in force, by name.
    * `first`: who goes first; empty where nobody chose.
    * `is_rolled`: whether dice are rolled one by one; otherwise results are drawn from their laws.
    * `inputs`: what was asked, for people.
    * `law_store`: laws by script, which fights of the same cards share.
    * `in_chains`: whether each row of the armies is of a chain, whose number the column `CHAIN` of a state holds.
    """

    rules: Rules
    armies: Armies
    numbers: Mapping[str, int]
    first: str = ""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    is_rolled: bool = True
    inputs: Mapping[str, Any] = field(default_factory=dict)
    law_store: dict[Script, Any] = field(default_factory=dict)
    in_chains: bool = False

    def rolled(self, lane: str) -> Fight:
        """Return the same fight with dice rolled one by one in the lane "literal", or drawn from laws in "compiled"."""
        is_rolled = lane == "literal"
        return self if is_rolled == self.is_rolled else replace(self, is_rolled=is_rolled)

    def alike(self) -> Hashable | None:
        """Return what fights have in common that `together` can join; None for one of armies that differ by trial."""
        widths = tuple(places.shape[1] for places in self.armies.places.values())
        numbers, policies = tuple(self.numbers.items()), tuple(self.policies.items())
        return (self.rules, widths, numbers, self.first, policies) if self.is_fixed else None

    @classmethod
    def together(cls, fights: Sequence[Fight]) -> Fight:
        """Return fights that are alike as one, with a row of each side for each of them."""
        cards, places = dict[str, tuple[Any, ...]](), dict[str, IntArray]()
        for side in fights[0].sides:
            all_cards = [fight.armies.cards[side] for fight in fights]
            cards[side] = tuple(chain.from_iterable(all_cards))
            places[side] = np.arange(len(cards[side]), dtype=np.int16).reshape(len(fights), -1)
        return replace(fights[0], armies=Armies(cards, places), in_chains=True)

    @cached_property
    def sides(self) -> tuple[str, str]:
        """The names of the sides in the order asked: attacker and defender, or a and b."""
        first, second = self.armies.places
        return first, second

    def foe_of(self, side: str) -> str:
        """Return the name of the other side."""
        return self.sides[1] if side == self.sides[0] else self.sides[0]

    def label(self, side: str, place: int, what: str = "") -> str:
        """Return the name of a unit, or of `what` about it, in requests: numbered where its side has several places."""
        return f"{what or side} {place + 1}" if self.armies.places[side].shape[1] > 1 else what or side

    @cached_property
    def is_fixed(self) -> bool:
        """Whether the same units fight in every trial, so that armies have one row."""
        return all(len(places) == 1 for places in self.armies.places.values())

    @cached_property
    def printed(self) -> Mapping[tuple[str, str], IntArray]:
        """(side, name) -> that number on every card, then 0 for nobody, `int64[cards + 1]`."""
        wanted = {name.partition(".")[2].removesuffix(AT_START) for name in self.rules.names}
        wanted |= {name.removesuffix("_near") for name in wanted} | {*self.rules.values}
        return {
            (side, name): np.array([*(_number_of(self.rules, card, name) for card in cards), 0])
            for side, cards in self.armies.cards.items()
            for name in wanted
        }

    def start(self) -> Start:
        """Return the state that a fight starts with, a column for each place in each array `[n, k]`."""
        return start_of(self._first_state())

    def _first_state(self) -> State:
        n_rows = max(len(places) for places in self.armies.places.values())
        columns: State = {}
        for side, places in self.armies.places.items():
            for name in self.rules.values:
                columns[f"{side}_{name}"] = self.printed[side, name][places].astype(np.int16)
            columns[f"{side}_out"] = places < 0
            if not (self.is_fixed or self.in_chains):
                nobody = len(self.armies.cards[side])
                columns[f"{side}_{CARD}"] = np.where(places < 0, nobody, places).astype(np.int16)
        if "round" in self.rules.names or self.rules.book.ends.rounds is not None:
            columns["round"] = np.ones(n_rows, np.int16)
        return columns

    def play(self, script: Script, env: Env, rolls: Rolls, place: str, is_active: BoolArray | None) -> Env:
        """Return all names after a script, as `script_laws.play` does.

        Unless dice are rolled one by one, the whole script is one draw from its joint law.
        """
        if self.is_rolled:
            return play(script, env, rolls, place, is_active, is_rolled=self.is_rolled)
        return draw(script, env, rolls, place, is_active)

    # -- names ------------------------------------------------------------------------------------------------------

    def env(self, state: State, side: str, place: Values, foe_place: Values, script: Script) -> Env:
        """Return the names that a script needs, for the unit at `place` that faces the foe at `foe_place`."""
        values = Env()
        for name, owner, own_name in script.needed_parts:
            if name == "round":
                values[name] = state["round"]
            elif owner in ("me", "foe"):
                who, where = (side, place) if owner == "me" else (self.foe_of(side), foe_place)
                values[name] = self.value(state, who, where, own_name)
            else:
                values[name] = self.numbers.get(name, 0)
        return values

    def env_at_start(self, script: Script) -> Env:
        """Return the names that a script needs, each an integer, at the start of a fight of one unit per side."""
        env = self.env(self._first_state(), self.sides[0], 0, 0, script)
        return {name: int(np.asarray(value).flat[0]) for name, value in env.items()}

    def value(self, state: State, side: str, place: Values, name: str) -> Values:
        """Return a value of the unit in a place: printed, changed, or counted, such as `units` that are not out."""
        if name == "attacker":
            return int(side == self.sides[0])
        if name == "units":
            return np.asarray((~state[f"{side}_out"]).sum(axis=1), np.int16)
        if name in self.rules.values:
            return _at(state[f"{side}_{name}"], place)
        cards = self.armies.places[side]
        if self.in_chains:
            cards = cards[state[CHAIN]]
        if not self.is_printed(name):
            others = (self.printed[side, name.removesuffix("_near")][cards] > 0) & ~state[f"{side}_out"]
            return np.asarray(others.sum(axis=1) > _at(others, place), np.int16)
        numbers = self.printed_on(side, name)[cards]
        if self.in_chains:
            return _at(numbers, place)
        numbers_in_line = numbers[0]
        return int(numbers_in_line[place]) if isinstance(place, int) else np.asarray(numbers_in_line[place])

    def is_printed(self, name: str) -> bool:
        """Whether a value of a unit, such as `skill` or `wounds_at_start`, stays what its card prints."""
        return name not in ("attacker", "units") and name not in self.rules.values and name not in self.near

    @cached_property
    def near(self) -> frozenset[str]:
        """Names that are 1 while another unit with some keyword is not out."""
        return frozenset(near(keyword) for keyword in self.rules.book.keywords)

    def printed_on(self, side: str, name: str) -> IntArray:
        """Return a printed number, or what a value is at the start, on every card of a side, then 0 for nobody."""
        return self.printed[side, name.removesuffix(AT_START)]

    def lives(self, state: State, side: str) -> BoolArray:
        """Return which units of a side are not out, `bool[n, k]`."""
        return np.asarray(~state[f"{side}_out"])

    def is_over(self, state: State) -> BoolArray:
        """Return in which trials a side has nobody left or the last round is over, `bool[n]`."""
        first, second = (any_place(self.lives(state, side)) for side in self.sides)
        rounds = self.rules.book.ends.rounds
        over = ~(first & second)
        return np.asarray(over if rounds is None else over | (state["round"] > rounds))


def _at(values: IntArray | BoolArray, place: Values) -> IntArray:
    """Return the values at one place of `[n, k]` for all trials, or at a place of its own for each, `[n]`."""
    if isinstance(place, int):
        return np.asarray(values[:, place])
    return value_at(np.broadcast_to(values, (len(place), values.shape[1])), place)


def _number_of(rules: Rules, card: Any, name: str) -> int:
    """Return a number of a card: a field, the start of a token, or 1 or 0 for a keyword."""
    if name in rules.book.tokens:
        return rules.book.tokens[name]
    numbers = vars(card)
    value = numbers.get(name)
    if isinstance(value, int) and name != "keywords":
        return value
    return int(name in numbers.get("keywords", ()))
