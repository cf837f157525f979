"""Two units that fight on plain numbers: what an activation, a turn and a round make of a state.

A state is a tuple: the values of a that change, whether a is out, the same of b, and the round if it counts. The rules
are those of `balance.rulebook.play.turns` and `rounds` for one unit on each side, where nobody is spared a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import TypeAlias, TypeVar

from balance.base.errors import UsageError, unknown
from balance.rulebook.plain.chain import Chain, Layer, Stage, State, States
from balance.rulebook.plain.laws import Pick, Section, Values, pick, section_of
from balance.rulebook.plain.reading import Card, PlainGame
from balance.rulebook.play.rules import flag_of, near, policy_name
from balance.rulebook.play.script import Script
from balance.rulebook.text import Choice

Key = TypeVar("Key")
Draw: TypeAlias = Callable[[Section, Values], Values]
"""Draws results of a section for values of what it needs."""
SIDES = ("a", "b")
Choices: TypeAlias = Mapping[str, str] | None


@dataclass(frozen=True, eq=False)
class Play:
    """A script that side 0 or 1 plays: its section, what picks its needs, and what writes into a state.

    `needs`: picks them from a state, the flags and `constants`, and who lives where `is_counted`. `written`: picks the
    next state from a state and the results, of which those from number `n_written` on are not written.
    """

    section: Section
    needs: Pick
    constants: Values
    written: Pick
    n_written: int
    outs: tuple[int, int]
    is_counted: bool
    draw: Draw | None = None

    def law(self, state: State, flags: Values) -> list[tuple[Values, float]]:
        """Return the law of the results, or a single outcome drawn from it."""
        values = self.values(state, flags)
        return self.section.law(values) if self.draw is None else [(self.draw(self.section, values), 1.0)]

    def values(self, state: State, flags: Values) -> Values:
        """Return the values of what the script needs."""
        whole = state + flags + self.constants
        if self.is_counted:
            whole += (1 - state[self.outs[0]], 1 - state[self.outs[1]])
        return self.needs(whole)

    def after(self, state: State, flags: Values) -> Iterator[tuple[State, Values, float]]:
        """Yield (state, results that are not written, chance) after the script."""
        for results, chance in self.law(state, flags):
            yield self.written(state + results), results[self.n_written :], chance

    def value(self, state: State, flags: Values) -> int:
        """Return the value of an expression without dice."""
        return self.law(state, flags)[0][0][-1]


class Fight:
    """A fight of one unit against another; `choices` are the policies of the verb, such as `policy_a`.

    With `draw` every law is a single outcome, drawn at random. `place_of`: value of a unit -> its place among those of
    its side; the last, of an empty name, is whether it is out, and `outs` where that stands in a state. `start`: the
    state it starts with. `no_flags`: the flags of who chooses nothing. `p_win`: who wins, by who goes first, if known.
    """

    def __init__(
        self, game: PlainGame, cards: tuple[Card, Card], choices: Choices = None, draw: Draw | None = None
    ) -> None:
        self.game, self.cards, self.choices, self.draw = game, cards, choices or {}, draw
        rules, book = game.rules, game.book
        names = [f"{policy_name(book, choice)}_{side}" for choice in book.choices.values() for side in SIDES]
        if faults := [unknown(n, names, "is not something to choose in duel") for n in self.choices if n not in names]:
            raise UsageError(faults)
        self.place_of = {name: place for place, name in enumerate((*rules.values, ""))}
        self.outs = self.place(0), self.place(1)
        self.has_round = "round" in rules.names or book.ends.rounds is not None
        self.flag_names = [flag_of(name, option) for name, choice in book.choices.items() for option in choice.options]
        self.no_flags: Values = (0,) * len(self.flag_names)
        numbers = [number for card in cards for number in (*(game.printed(card, name) for name in rules.values), 0)]
        self.start: State = (*numbers, *([1] if self.has_round else []))
        self.p_win = dict[str, Mapping[str, float]]()
        self._plays = dict[object, Play]()
        self._marks = dict[State, State]()
        self._turns = dict[tuple[int, State], States]()

    # -- states -------------------------------------------------------------------------------------------------------

    def place(self, side: int, name: str = "") -> int:
        """Return the place of a value of a side in a state, or of whether it is out."""
        return side * len(self.place_of) + self.place_of[name]

    def start_value(self, name: str) -> int:
        """Return the value of a name such as `foe.wounds` before an attack of a; 0 for the result of a step."""
        owner, _, own_name = name.partition(".")
        return self.game.printed(self.cards[owner == "foe"], own_name) if own_name else 0

    def ending(self, state: State) -> Values | None:
        """Return the outcome where a side is out or the last round is over; None where the fight goes on."""
        rounds = self.game.book.ends.rounds
        is_over = state[self.outs[0]] or state[self.outs[1]] or (rounds is not None and state[-1] > rounds)
        return self.outcome(state) if is_over else None

    # -- scripts ------------------------------------------------------------------------------------------------------

    def play(self, script: Script, side: int, *names: str, changes: tuple[str, ...] | None = None) -> Play:
        """Return a script as a side plays it, with `names` as results that are not written."""
        written = script.changes if changes is None else changes
        key = (script, side, names, written)
        if key not in self._plays:
            self._plays[key] = self._made(script, side, written, names)
        return self._plays[key]

    def _made(self, script: Script, side: int, changes: tuple[str, ...], names: tuple[str, ...]) -> Play:
        n_numbers, flags = len(self.start), self.flag_names
        written, needs, constants = list(range(n_numbers)), list[int](), list[int]()
        for number, change in enumerate(changes):
            owner, _, own_name = change.partition(".")
            written[self.place(side if owner == "me" else 1 - side, own_name)] = n_numbers + number
        for need, owner, name in script.needed_parts:
            who = side if owner == "me" else 1 - side
            is_of_unit = owner in ("me", "foe")
            if is_of_unit and name in self.game.rules.values:
                needs.append(self.place(who, name))
            elif need == "round":
                needs.append(n_numbers - 1)
            elif need in flags:
                needs.append(n_numbers + flags.index(need))
            elif is_of_unit and name == "units":
                needs.append(who - 2)
            else:
                needs.append(n_numbers + len(flags) + len(constants))
                constants.append(self._constant(who, name) if is_of_unit else self.game.numbers.get(need, 0))
        section, is_counted = section_of(script, (*changes, *names)), any(place < 0 for place in needs)
        parts = pick(needs), tuple(constants), pick(written), len(changes), self.outs, is_counted
        return Play(section, *parts, self.draw)

    def _constant(self, who: int, name: str) -> int:
        """Return a number of a unit that never changes; 0 for a keyword of friends, as there are none."""
        has_no_friends = any(name == near(keyword) for keyword in self.game.book.keywords)
        return 1 - who if name == "attacker" else 0 if has_no_friends else self.game.printed(self.cards[who], name)

    def _single(self, name: str, side: int) -> Play | None:
        script = self.game.rules.singles.get(name)
        return None if script is None else self.play(script, side, name, changes=())

    def value_of(self, script: Script, side: int, state: State) -> int:
        """Return the value of an expression without dice for a side."""
        return self.play(script, side, script.name, changes=()).value(state, self.no_flags)

    # -- an activation ------------------------------------------------------------------------------------------------

    def marked(self, state: State) -> State:
        """Return a state with those out whom the rule `out`, or else health 0, puts out."""
        marked = self._marks.get(state)
        if marked is None:
            marked = self._judged(state)
            if self.draw is None:
                self._marks[state] = marked
        return marked

    def _judged(self, state: State) -> State:
        script, after = self.game.rules.singles.get("out"), list(state)
        for side in (0, 1):
            if state[self.place(side)]:
                continue
            if script is None:
                is_out = state[self.place(side, self.game.book.health)] <= 0
            else:
                is_out = self.value_of(script, side, state) != 0
            after[self.place(side)] = int(is_out)
        return tuple(after)

    def turn(self, side: int, state: State) -> States:
        """Return the states after a side acted, worked out once for all states that differ in what it does not see."""
        if self.draw is not None or self.marked(state) != state:
            return self._acted(side, state)
        seen, joined = self._views[side]
        states = self._turns.get((side, seen(state)))
        if states is None:
            states = self._turns[side, seen(state)] = self._acted(side, state)
        return {joined(state + after): chance for after, chance in states.items()}

    @cached_property
    def _views(self) -> list[tuple[Pick, Pick]]:
        """For each side what picks the values that its turn sees from a state, and what joins the rest to a result."""
        rules, n_numbers, views = self.game.rules, len(self.start), list[tuple[Pick, Pick]]()
        back, out = rules.singles.get("strike_back"), rules.singles.get("out")
        for side in (0, 1):
            own = (rules.turn, rules.attack, rules.after, *rules.may.values(), *rules.takes.values())
            scripts = [(script, side) for script in own]
            scripts += [] if back is None else [(back, 1 - side), (rules.attack, 1 - side)]
            writes = {place for script, who in scripts for place in self._places(script.changes, who)}
            seen = writes.union(self.outs, *(self._places(script.needs, who) for script, who in scripts))
            for who in (0, 1):
                looks = {self.place(who, self.game.book.health)} if out is None else self._places(out.needs, who)
                seen |= looks if looks & writes else set()
            joins = [n_numbers + place if place in seen else place for place in range(n_numbers)]
            views.append((pick(sorted(seen)), pick(joins)))
        return views

    def _places(self, names: Sequence[str], side: int) -> set[int]:
        """Return the places in a state of those names that a side uses which stand there."""
        parts = [(name, *name.partition(".")[::2]) for name in names]
        places = {
            self.place(side if owner == "me" else 1 - side, own) for _, owner, own in parts if own in self.place_of
        }
        return places | {len(self.start) - 1 for name, _, _ in parts if name == "round"}

    def _acted(self, side: int, state: State) -> States:
        """Return the states after a side chose, had its turn, made its attacks, and did what follows them."""
        rules = self.game.rules
        if state[self.outs[0]] or state[self.outs[1]]:
            return {self.marked(self.marked(state)): 1.0}
        flags, acting = self._chosen(side, state) if self.flag_names else (), {(state, 1): 1.0}
        if rules.turn.deeds:
            has_acts = "acts" in rules.turn.results
            play = self.play(rules.turn, side, *(["acts"] if has_acts else []))
            parts = play.after(state, flags)
            acting = merged(((after, acts[0] if acts else 1), chance) for after, acts, chance in parts)
        states = self._attacks(side, flags, acting)
        if rules.after.deeds:
            states = self._played(self.play(rules.after, side), states, flags)
        return states

    def _played(self, play: Play, states: States, flags: Values) -> States:
        """Return the states after a script is played and those are out whom it puts out."""
        after, written, marked = States(), play.written, self.marked
        for state, p in states.items():
            for results, chance in play.law(state, flags):
                new = marked(written(state + results))
                after[new] = after.get(new, 0.0) + p * chance
        return after

    def _attacks(self, side: int, flags: Values, acting: Mapping[tuple[State, int], float]) -> States:
        """Return the states after all attacks of an activation; `acting` are the chances of (state, attacks)."""
        attack, outs, number, done = self.play(self.game.rules.attack, side), self.outs, 0, States()
        most = self.game.book.turns.most_acts
        while acting:
            more = dict[tuple[State, int], float]()
            for (state, acts), p in acting.items():
                is_able = number == 0 or not (state[outs[0]] or state[outs[1]])
                if acts > number and is_able:
                    after = self._strikes_back(side, self._played(attack, {state: p}, flags))
                else:
                    after = {self.marked(state): p}
                if min(acts, most) > number + 1:
                    more |= merged(chain(more.items(), (((each, acts), chance) for each, chance in after.items())))
                else:
                    done = merged(chain(done.items(), after.items())) if done else after
            acting, number = more, number + 1
        return done

    def _strikes_back(self, side: int, states: States) -> States:
        """Return the states after the target, if it is not out and the rules let it, attacked back."""
        condition = self._single("strike_back", 1 - side)
        if condition is None:
            return states
        attack, parts = self.play(self.game.rules.attack, 1 - side), list[tuple[State, float]]()
        for state, p in states.items():
            if state[self.outs[0]] or state[self.outs[1]]:
                parts.append((self.marked(state), p))
                continue
            is_allowed = sum(chance for _, (flag,), chance in condition.after(state, self.no_flags) if flag)
            if is_allowed < 1:
                parts.append((self.marked(state), p * (1 - is_allowed)))
            if is_allowed:
                parts += self._played(attack, {state: p * is_allowed}, self.no_flags).items()
        return merged(parts)

    # -- choices ------------------------------------------------------------------------------------------------------

    def _chosen(self, side: int, state: State) -> Values:
        """Return 1 or 0 for each option of each choice, as the policy of a side takes it."""
        choices = self.game.book.choices.values()
        taken = [(choice, self._taken(choice, side, state)) for choice in choices]
        return tuple(int(option == name) for choice, name in taken for option in choice.options)

    def _taken(self, choice: Choice, side: int, state: State) -> str:
        """Return the option that a policy takes: the first whose condition holds and that is allowed, else the usual.

        Where that is not allowed, it is the first option that is.
        """
        may, takes = self.game.rules.may, self.game.rules.takes
        options, policy = list(choice.options), self.policy(choice, side)
        scripts = {option: may.get((choice.name, option)) for option in options}
        allowed = [o for o, script in scripts.items() if script is None or self.value_of(script, side, state)]
        usual = options[0] if options[0] in allowed or not allowed else allowed[0]
        if policy in options:
            return policy if policy in allowed else options[0]
        for option in allowed:
            condition = takes.get((choice.name, policy, option))
            if condition is not None and self.value_of(condition, side, state):
                return option
        return usual

    def policy(self, choice: Choice, side: int) -> str:
        """Return the policy of a side for a choice: an option, or the name of one of the file."""
        policy = self.choices.get(f"{policy_name(self.game.book, choice)}_{SIDES[side]}", next(iter(choice.options)))
        if policy not in choice.options and policy not in choice.policies:
            raise UsageError(unknown(policy, [*choice.options, *choice.policies], "is no policy", field=choice.name))
        return policy

    # -- rounds -------------------------------------------------------------------------------------------------------

    def steps(self, first: int) -> tuple[Stage, ...]:
        """Return the steps of a round; side `first` goes first in the orders that take turns."""
        turns = self.game.book.turns
        if turns.alternates:
            return partial(self.turn, first), lambda state: self._ended(self.turn(1 - first, state))
        if turns.order == "attacker only":
            return (lambda state: self._ended(self.turn(0, state)),)
        return (lambda state: self._ended(self._both(state)),)

    def chain(self, first: int) -> Chain:
        """Return the steps of rounds as a chain."""
        return Chain([Layer(step) for step in self.steps(first)], self.start, self.ending)

    def _ended(self, states: States) -> States:
        """Return the states after the steps at the end of a round, and the next number of it."""
        script = self.game.rules.round
        if script.deeds:
            for side in (0, 1):
                play, out = self.play(script, side), self.place(side)
                idle = ((state, p) for state, p in states.items() if state[out])
                lives = ((state, p) for state, p in states.items() if not state[out])
                parts = ((new, p * q) for state, p in lives for new, _, q in play.after(state, self.no_flags))
                states = merged(chain(idle, parts))
            states = merged((self.marked(state), p) for state, p in states.items())
        if self.has_round:
            states = {(*state[:-1], state[-1] + 1): p for state, p in states.items()}
        return states

    def _both(self, state: State) -> States:
        """Return the states after both sides acted: at once, or in the order of their initiative, if there is one."""
        plays = [self._single("initiative", side) for side in (0, 1)]
        if plays[0] is None or plays[1] is None:
            return self._together(state)
        first, second = ([(value, p) for _, (value,), p in play.after(state, self.no_flags)] for play in plays if play)
        leads = merged(((x > y) - (x < y), p * q) for x, p in first for y, q in second)
        is_random, tie = self.game.book.turns.ties == "random", leads.get(0, 0.0)
        parts = list[tuple[State, float]]()
        for lead, side in ((1, 0), (-1, 1)):
            p = leads.get(lead, 0.0) + (tie / 2 if is_random else 0.0)
            before = state if side == 0 else self.marked(self.marked(state))
            if p:
                parts += self._then(self._then({before: p}, side), 1 - side).items()
        if tie and not is_random:
            parts += ((self.marked(after), tie * chance) for after, chance in self._together(state).items())
        return merged(parts)

    def _then(self, states: States, side: int) -> States:
        """Return the states after a side acted, and the other, which has no turn, is looked at again."""
        parts = ((after, p * chance) for state, p in states.items() for after, chance in self.turn(side, state).items())
        return merged((self.marked(self.marked(state)), p) for state, p in merged(parts).items())

    def _together(self, state: State) -> States:
        """Return the states after both sides acted on the same state: their changes are added, and clipped at 0."""

        def added(first: State, second: State) -> State:
            values = [max(0, x + y - before) for x, y, before in zip(first, second, state, strict=True)]
            for out in self.outs:
                values[out] = state[out]
            return tuple(values)

        laws = [self.turn(side, state).items() for side in (0, 1)]
        both = merged((added(first, second), p * q) for first, p in laws[0] for second, q in laws[1])
        return merged((self.marked(after), p) for after, p in both.items())

    # -- how it ends --------------------------------------------------------------------------------------------------

    def outcome(self, state: State) -> Values:
        """Return the winner (1, 2, or 0 for nobody) and the health of both, if health is lost at all."""
        lives = [not state[self.place(side)] for side in (0, 1)]
        winner = lives[0] + 2 * lives[1] if lives[0] != lives[1] else 0
        script, health = self.game.rules.singles.get("score"), self.game.book.health
        if all(lives) and script is not None:
            a, b = (self.value_of(script, side, state) for side in (0, 1))
            winner = 1 if a > b else 2 if b > a else 0
        is_lost = health in self.game.rules.values
        return (winner, *(state[self.place(side, health)] for side in (0, 1) if is_lost))


def merged(parts: Iterable[tuple[Key, float]]) -> dict[Key, float]:
    """Return key -> the sum of its chances."""
    chances = dict[Key, float]()
    for key, chance in parts:
        chances[key] = chances.get(key, 0.0) + chance
    return chances
