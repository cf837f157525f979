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
from balance.game.question.narration import Line, Narration
from balance.game.setup import Setup
from balance.games.immortal_souls.encounter.board.decks import IN_DECK, ON_MAP, OUT
from balance.games.immortal_souls.encounter.play import encounter_processes
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import in_play

WORDS = {"ko": "is knocked out", "stun": "is stunned", "slow": "is slowed", "blind": "is blinded",
         "poison": "is poisoned", "fire1": "burns", "fire2": "burns", "weakened": "has broken armour",
         "dulled": "has a weaker arm", "frail": "has less health", "silenced": "has no effects",
         "hidden": "hides"}  # fmt: skip
VICTORIES = {"kill_all": "no enemy is left", "kill_masters": "no Master is left", "survive": "they have survived"}


def tell(setup: Setup[Scene], rolls: Rolls, trial: int) -> Narration:
    """Return what happens in trial number `trial`, from 0, of those that `rolls` plays.

    The rolls of a block of a simulation tell the very trials of that block.
    """
    scene: Scene = setup.play
    (process,) = encounter_processes(setup)
    state, place, number = start_state(process, rolls.n, rolls), trial, 0
    first, lines, end = take_trials(state, [place]), list[Line](), "Nobody has won."
    while number < process.max_steps:
        requests: list[tuple[Request[Any], Any]] = []
        after = process.step(number)(state, ProxyRolls(rolls, partial(_note, requests)))
        step = _Step(scene, take_trials(state, [place]), take_trials(after, [place]), requests, place)
        lines += step.lines(number % len(process.steps))
        over = process.over(after)
        if over[place]:
            end = _end(scene, take_trials(after, [place]))
            break
        alive = np.flatnonzero(~over)
        state, place, number = take_trials(after, alive), int(np.searchsorted(alive, place)), number + 1
        rolls.keep(alive)
    return Narration(f"Enemies: {_enemies_text(scene, first)}", tuple(lines), end, _health_left(scene, first))


def _end(scene: Scene, state: State) -> str:
    """Return how the encounter ended, as a sentence."""
    if state["winner"][0] == 1:
        return f"The heroes have won: {VICTORIES[scene.goal]}."
    reason = "all are ghosts" if not in_play(scene, state).any() else "no event is left" if state["failed"][0] else ""
    return f"The heroes have lost: {reason or 'the last round is over'}."


def _short(name: str) -> str:
    return name.partition(",")[0]


def _health_left(scene: Scene, state: State) -> dict[str, int]:
    """Return the health left of each hero and companion, and last that of all enemies together."""
    heroes = map(int, np.where(state["h_ghost"][0], 0, state["h_health"][0]))
    names = map(_short, scene.party.names)
    return {**dict(zip(names, heroes, strict=True)), "enemies together": int(state["e_health"][0].sum())}


def _note(requests: list[tuple[Request[Any], Any]], behind: Rolls, request: Request[Any]) -> Any:
    requests.append((request, behind.answer(request)))
    return requests[-1][1]


def _enemies_text(scene: Scene, state: State) -> str:
    """Return the enemies in play with their areas, for people."""
    cards_and_areas = zip(state["e_card"][0], state["e_area"][0], strict=True)
    bodies = [
        f"{scene.bestiary.names[scene.kind_of[card]]} in {scene.area_names[area]}"
        for card, area in cards_and_areas
        if card >= 0
    ]
    return ", ".join(bodies) or "none"


class _Step:
    """The state of one trial before and after a step, with the requests made in between."""

    def __init__(
        self, scene: Scene, before: State, after: State, requests: list[tuple[Request[Any], Any]], place: int
    ) -> None:
        self.scene, self.before, self.after, self.requests, self.place = scene, before, after, requests, place

    def lines(self, step: int) -> Iterator[Line]:
        """Yield one line of the replay, unless nothing happened in the step."""
        n, hero = self.scene.n_heroes, (step - 1) // 2
        if step == 0:
            head, parts = "Time", [*self._heroes(), *self._shadows(), *self._enemies()]
        elif step > 2 * n:
            head, parts = self._event(), [*self._heroes(), *self._shadows(), *self._enemies()]
        elif step % 2:
            moves = (*self._heroes(hero), *self._item_lines(hero), *self._stories(), *self._shadows())
            head, parts = self._name(hero), [*moves, *self._attacks(hero), *self._enemies()]
        else:
            head, parts = self._card(), [*self._enemies(), *self._item_lines(), *self._heroes(), *self._shadows()]
        if parts or head.startswith("Event ("):
            moment, left = f"Round {int(self.after['rounds'][0])}", _health_left(self.scene, self.after)
            yield Line(moment, head, "; ".join(parts), left)

    def _name(self, hero: int) -> str:
        return _short(self.scene.party.names[hero])

    def _before(self, name: str, index: int) -> int:
        return int(self.before[name][0, index])

    def _after(self, name: str, index: int) -> int:
        return int(self.after[name][0, index])

    def _area(self, side: str, index: int) -> str:
        return self.scene.area_names[self._after(f"{side}_area", index)]

    def _card(self) -> str:
        """Return a heading with the name of the encounter card drawn."""
        number = next(answer[self.place] for request, answer in self.requests if request.name == "encounter card")
        deck = self.before["encounter_deck"][0]
        cards = np.flatnonzero(deck == IN_DECK) if (deck == IN_DECK).any() else np.arange(len(deck))
        return f"Enemies ({self.scene.card_names[cards[int(number)]]})"

    def _event(self) -> str:
        new = [int(self.after[name][0]) for name in ("face_up", "aside") if self.after[name][0] != self.before[name][0]]
        names = [self.scene.events.names[card] for card in new if card >= 0]
        return f"Event ({names[0]})" if names else "Event"

    def _stories(self) -> Iterator[str]:
        """Yield a phrase for each story that a hero came upon."""
        stories = (self.before["event_deck"][0] == ON_MAP) & (self.after["event_deck"][0] == OUT)
        yield from (f"comes upon {self.scene.events.names[card]}" for card in np.flatnonzero(stories))

    def _item_lines(self, first: int = -1) -> Iterator[str]:
        """Yield what heroes did with items and gear; the hero `first`, whose turn it is, is not named."""
        for hero, text in (*self._items(), *self._gear()):
            yield text if hero == first else f"{self._name(hero)} {text}"

    def _items(self) -> Iterator[tuple[int, str]]:
        for place, item in enumerate(self.scene.party.items):
            before, now = self._before("item_bearer", place), self._after("item_bearer", place)
            if self._after("item_left", place) < self._before("item_left", place):
                yield before, f"uses {item.name}"
            elif before != now and before < 0:
                yield now, f"picks up {item.name}"
            elif before != now:
                yield before, f"hands {item.name} to {self._name(now)}" if now >= 0 else f"drops {item.name}"

    def _gear(self) -> Iterator[tuple[int, str]]:
        for hero, kit in enumerate(self.scene.party.kits):
            for bit, thing in enumerate(kit.things if kit else ()):
                used_charges = int(self.before["gear"][0, hero, bit] - self.after["gear"][0, hero, bit])
                if used_charges and thing.kind == "charges":
                    yield hero, f"uses {show_many(used_charges, 'charge')} of {thing.name}"
                elif used_charges:
                    yield hero, f"loses {thing.name}" if used_charges > 0 else f"pays for {thing.name}"

    def _attacks(self, hero: int) -> Iterator[str]:
        """Yield what a hero's companions and then he himself attacked with."""
        party, names, companion_strikes = self.scene.party, self.scene.strike_names, self._strikes("companion roll")
        for companion in party.pack.of(hero):
            # nobody's attack is told as attack 0, which is that of the first hero's weapon
            strikes = [strike for strike in islice(companion_strikes, 1 + int(party.extra[companion].max())) if strike]
            if strikes:
                yield f"{self._name(companion)} attacks with " + ", ".join(names[strike] for strike in strikes)
        if n_attacks := int(self.after["hero_attacks"][0] - self.before["hero_attacks"][0]):
            yield "attacks with " + ", ".join(names[strike] for strike in islice(self._strikes("hero roll"), n_attacks))

    def _strikes(self, name: str) -> Iterator[int]:
        """Yield the number of the attack in each request of this name."""
        for request, answer in self.requests:
            if isinstance(request, Draw) and request.name == name:
                yield int(np.broadcast_to(request.place, len(answer["roll"]))[self.place])

    def _heroes(self, first: int = -1) -> Iterator[str]:
        """Yield what changed of heroes and companions; first, and unnamed, the hero `first`, whose turn it is."""
        for hero in sorted(range(self.scene.n_allies), key=lambda hero: hero != first):
            ghost_change = self._after("h_ghost", hero) - self._before("h_ghost", hero)
            if ghost_change and hero >= self.scene.n_heroes:
                yield f"{self._name(hero)} " + ("dies" if ghost_change > 0 else f"comes to {self._area('h', hero)}")
                continue
            changes = list(self._changes("h", hero))
            if ghost_change:
                changes.append("becomes a ghost" if ghost_change > 0 else "is resurrected")
            if self._after("h_rank", hero) > self._before("h_rank", hero):
                changes.append(f"rises to rank {self._after('h_rank', hero)}")
            if changes:
                yield ", ".join(changes) if hero == first else f"{self._name(hero)} {', '.join(changes)}"

    def _enemies(self) -> Iterator[str]:
        for body in range(self.scene.n_bodies):
            before, now = self._before("e_card", body), self._after("e_card", body)
            if before >= 0 and now >= 0 and now == self.scene.other_side[before]:
                yield f"{self.scene.bestiary.names[self.scene.kind_of[before]]} is turned over"
                before = now
            if before >= 0:
                name = self.scene.bestiary.names[self.scene.kind_of[before]]
                changes = ["is killed"] if now != before else list(self._changes("e", body))
                if changes:
                    yield f"{name} {', '.join(changes)}"
            if now >= 0 and now != before:
                yield f"{self.scene.bestiary.names[self.scene.kind_of[now]]} appears in {self._area('e', body)}"

    def _shadows(self) -> Iterator[str]:
        """Yield which Shadows were turned over, and where others were laid."""
        pool = self.scene.shadows
        for spot, area in enumerate(pool.areas) if pool is not None else ():
            before, now = self._before("shadow", spot), self._after("shadow", spot)
            name = self.scene.area_names[area]
            if before >= 0 and now != before and pool is not None:
                yield f"the Shadow in {name} is turned over: {pool.names[before]}"
            if now >= 0 and now != before:
                yield f"a Shadow is laid in {name}"

    def _changes(self, side: str, index: int) -> Iterator[str]:
        if self._after(f"{side}_area", index) != self._before(f"{side}_area", index):
            yield f"moves to {self._area(side, index)}"
        health = self._after(f"{side}_health", index) - self._before(f"{side}_health", index)
        if health:
            yield f"takes {show_many(-health, 'wound')}" if health < 0 else f"recovers {health}"
        for name in self.scene.marks[side]:
            if self._after(f"{side}_{name}", index) > self._before(f"{side}_{name}", index):
                yield WORDS[name]
