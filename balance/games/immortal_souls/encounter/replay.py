"""One encounter told in words: what changes from step to step, who moved, who attacked with what, who was hurt."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from balance.base.numbers import show_many
from balance.chance.rolls.process import State, start_state, take_trials
from balance.chance.rolls.requests import Draw, Request
from balance.chance.rolls.rolls import ProxyRolls, Rolls
from balance.game.question.replay import Line, Told
from balance.game.setup import Setup
from balance.games.immortal_souls.encounter.board.decks import IN_DECK, ON_MAP, OUT
from balance.games.immortal_souls.encounter.play import encounter_processes
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import in_play

__all__ = ["tell"]

WORDS = {"ko": "is knocked out", "stun": "is stunned", "slow": "is slowed", "blind": "is blinded",
         "poison": "is poisoned", "fire1": "burns", "fire2": "burns", "weakened": "has broken armour",
         "dulled": "has a weaker arm", "frail": "has less health", "silenced": "has no effects",
         "hidden": "hides"}  # fmt: skip
WON = {"kill_all": "no enemy is left", "kill_masters": "no Master is left", "survive": "they have survived"}


def tell(setup: Setup[Scene], rolls: Rolls, trial: int) -> Told:
    """Return what happens in one of the trials that `rolls` plays.

    Parameters
    ----------
    rolls
        Those of a block of a simulation tell the very trials of that block.
    trial
        Which of its trials, from 0.
    """
    scene: Scene = setup.play
    (process,) = encounter_processes(setup)
    state, place, number = start_state(process, rolls.n, rolls), trial, 0
    first, lines, end = take_trials(state, [place]), list[Line](), "Nobody has won."
    while number < process.max_steps:
        asked: list[tuple[Request[Any], Any]] = []
        after = process.step(number)(state, ProxyRolls(rolls, partial(_noted, asked)))
        step = _Step(scene, take_trials(state, [place]), take_trials(after, [place]), asked, place)
        lines += step.lines(number % len(process.steps))
        over = process.over(after)
        if over[place]:
            end = _end(scene, take_trials(after, [place]))
            break
        alive = np.flatnonzero(~over)
        state, place, number = take_trials(after, alive), int(np.searchsorted(alive, place)), number + 1
        rolls.keep(alive)
    counted = (*(_short(name) for name in scene.party.names), "enemies together")
    return Told(f"Enemies: {_standing(scene, first)}", tuple(lines), end, counted, _left(first))


def _end(scene: Scene, state: State) -> str:
    """Return who has won, and why."""
    if state["winner"][0] == 1:
        return f"The heroes have won: {WON[scene.goal]}."
    lost = "all are ghosts" if not in_play(scene, state).any() else "no event is left" if state["failed"][0] else ""
    return f"The heroes have lost: {lost or 'the last round is over'}."


def _short(name: str) -> str:
    return name.partition(",")[0]


def _left(state: State) -> tuple[int, ...]:
    """Return the health that each hero and companion has left, and all enemies together."""
    heroes = np.where(state["h_ghost"][0], 0, state["h_health"][0])
    return (*map(int, heroes), int(state["e_health"][0].sum()))


def _noted(asked: list[tuple[Request[Any], Any]], behind: Rolls, request: Request[Any]) -> Any:
    asked.append((request, behind.answer(request)))
    return asked[-1][1]


def _standing(scene: Scene, state: State) -> str:
    """Return which enemies there are, and where."""
    there = zip(state["e_card"][0], state["e_area"][0], strict=True)
    bodies = [
        f"{scene.bestiary.names[scene.kind_of[card]]} in {scene.area_names[area]}" for card, area in there if card >= 0
    ]
    return ", ".join(bodies) or "none"


class _Step:
    """What one step changed in one trial."""

    def __init__(
        self, scene: Scene, before: State, after: State, asked: list[tuple[Request[Any], Any]], place: int
    ) -> None:
        self.scene, self.before, self.after, self.asked, self.place = scene, before, after, asked, place

    def lines(self, step: int) -> Iterator[Line]:
        """Yield a line if something happened."""
        n, mine = self.scene.n_heroes, (step - 1) // 2
        if step == 0:
            head, parts = "Time", [*self._heroes(), *self._shadows(), *self._enemies()]
        elif step > 2 * n:
            head, parts = self._event(), [*self._heroes(), *self._shadows(), *self._enemies()]
        elif step % 2:
            moves = (*self._heroes(mine), *self._handled(mine), *self._stories(), *self._shadows())
            head, parts = self._name(mine), [*moves, *self._attacks(mine), *self._enemies()]
        else:
            head, parts = self._card(), [*self._enemies(), *self._handled(), *self._heroes(), *self._shadows()]
        if parts or head.startswith("Event ("):
            yield Line(f"Round {int(self.after['rounds'][0])}", head, "; ".join(parts), _left(self.after))

    def _name(self, hero: int) -> str:
        return _short(self.scene.party.names[hero])

    def _was(self, name: str, who: int) -> int:
        return int(self.before[name][0, who])

    def _is(self, name: str, who: int) -> int:
        return int(self.after[name][0, who])

    def _area(self, side: str, who: int) -> str:
        return self.scene.area_names[self._is(f"{side}_area", who)]

    def _card(self) -> str:
        """Return the encounter card that is drawn."""
        number = next(answer[self.place] for request, answer in self.asked if request.name == "encounter card")
        deck = self.before["encounter_deck"][0]
        left = np.flatnonzero(deck == IN_DECK) if (deck == IN_DECK).any() else np.arange(len(deck))
        return f"Enemies ({self.scene.card_names[left[int(number)]]})"

    def _event(self) -> str:
        new = [int(self.after[name][0]) for name in ("face_up", "aside") if self.after[name][0] != self.before[name][0]]
        shown = [self.scene.events.names[card] for card in new if card >= 0]
        return f"Event ({shown[0]})" if shown else "Event"

    def _stories(self) -> Iterator[str]:
        """Yield what stories a hero came upon."""
        told = (self.before["event_deck"][0] == ON_MAP) & (self.after["event_deck"][0] == OUT)
        yield from (f"comes upon {self.scene.events.names[card]}" for card in np.flatnonzero(told))

    def _handled(self, first: int = -1) -> Iterator[str]:
        """Yield what heroes did with what they carry; of who has the turn without a name."""
        for hero, told in (*self._items(), *self._gear()):
            yield told if hero == first else f"{self._name(hero)} {told}"

    def _items(self) -> Iterator[tuple[int, str]]:
        for place, item in enumerate(self.scene.party.items):
            was, now = self._was("item_bearer", place), self._is("item_bearer", place)
            if self._is("item_left", place) < self._was("item_left", place):
                yield was, f"uses {item.name}"
            elif was != now and was < 0:
                yield now, f"picks up {item.name}"
            elif was != now:
                yield was, f"hands {item.name} to {self._name(now)}" if now >= 0 else f"drops {item.name}"

    def _gear(self) -> Iterator[tuple[int, str]]:
        for hero, own in enumerate(self.scene.party.kits):
            for bit, thing in enumerate(own.things if own else ()):
                used = int(self.before["gear"][0, hero, bit] - self.after["gear"][0, hero, bit])
                if used and thing.kind == "charges":
                    yield hero, f"uses {show_many(used, 'charge')} of {thing.name}"
                elif used:
                    yield hero, f"loses {thing.name}" if used > 0 else f"pays for {thing.name}"

    def _attacks(self, hero: int) -> Iterator[str]:
        """Yield what a hero attacked with, and his companion before him."""
        party, names, rolled = self.scene.party, self.scene.strike_names, self._strikes("companion roll")
        for companion in party.pack.of(hero):
            # nobody's attack is told as attack 0, which is that of the first hero's weapon
            strikes = [strike for strike in islice(rolled, 1 + int(party.extra[companion].max())) if strike]
            if strikes:
                yield f"{self._name(companion)} attacks with " + ", ".join(names[strike] for strike in strikes)
        if made := int(self.after["hero_attacks"][0] - self.before["hero_attacks"][0]):
            yield "attacks with " + ", ".join(names[strike] for strike in islice(self._strikes("hero roll"), made))

    def _strikes(self, name: str) -> Iterator[int]:
        """Yield the attacks of requests of a name."""
        for request, answer in self.asked:
            if isinstance(request, Draw) and request.name == name:
                yield int(np.broadcast_to(request.which, len(answer["roll"]))[self.place])

    def _heroes(self, first: int = -1) -> Iterator[str]:
        """Yield what became of heroes and companions; of who has the turn first, and without a name."""
        for hero in sorted(range(self.scene.n_allies), key=lambda hero: hero != first):
            gone = self._is("h_ghost", hero) - self._was("h_ghost", hero)
            if gone and hero >= self.scene.n_heroes:
                yield f"{self._name(hero)} " + ("dies" if gone > 0 else f"comes to {self._area('h', hero)}")
                continue
            found = list(self._changes("h", hero))
            if gone:
                found.append("becomes a ghost" if gone > 0 else "is resurrected")
            if self._is("h_rank", hero) > self._was("h_rank", hero):
                found.append(f"rises to rank {self._is('h_rank', hero)}")
            if found:
                yield ", ".join(found) if hero == first else f"{self._name(hero)} {', '.join(found)}"

    def _enemies(self) -> Iterator[str]:
        for body in range(self.scene.n_bodies):
            was, now = self._was("e_card", body), self._is("e_card", body)
            if was >= 0 and now >= 0 and now == self.scene.other_side[was]:
                yield f"{self.scene.bestiary.names[self.scene.kind_of[was]]} is turned over"
                was = now
            if was >= 0:
                name = self.scene.bestiary.names[self.scene.kind_of[was]]
                found = ["is killed"] if now != was else list(self._changes("e", body))
                if found:
                    yield f"{name} {', '.join(found)}"
            if now >= 0 and now != was:
                yield f"{self.scene.bestiary.names[self.scene.kind_of[now]]} appears in {self._area('e', body)}"

    def _shadows(self) -> Iterator[str]:
        """Yield what Shadows that were turned over are, and where others were laid."""
        pool = self.scene.shadows
        for spot, area in enumerate(pool.areas) if pool is not None else ():
            was, now = self._was("shadow", spot), self._is("shadow", spot)
            name = self.scene.area_names[area]
            if was >= 0 and now != was and pool is not None:
                yield f"the Shadow in {name} is turned over: {pool.names[was]}"
            if now >= 0 and now != was:
                yield f"a Shadow is laid in {name}"

    def _changes(self, side: str, who: int) -> Iterator[str]:
        if self._is(f"{side}_area", who) != self._was(f"{side}_area", who):
            yield f"moves to {self._area(side, who)}"
        health = self._is(f"{side}_health", who) - self._was(f"{side}_health", who)
        if health:
            yield f"takes {show_many(-health, 'wound')}" if health < 0 else f"recovers {health}"
        for name in self.scene.marks[side]:
            if self._is(f"{side}_{name}", who) > self._was(f"{side}_{name}", who):
                yield WORDS[name]
