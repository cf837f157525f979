"""The turns and phases of an encounter, played a second time in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.chance.rolls.process import State
from tests.games.immortal_souls.encounter.reference_encounter import Body, Tape
from tests.games.immortal_souls.encounter.reference_items import LAID
from tests.games.immortal_souls.encounter.reference_shadows import Lurking

NUMBERS = ("winner", "rounds", "wounds", "deaths", "kills", "gained", "hero_attacks", "enemy_attacks", "holder",
           "level", "stories", "face_up", "aside", "points", "failed")  # fmt: skip
DECKS = ("enemy_deck", "encounter_deck", "event_deck", "power_deck", "power_owner", "shadow", "shadow_pool", *LAID)
HERO_COLUMNS = {"area": "area", "from": "came_from", "health": "health", "rank": "rank", "shields": "shields",
                "ghost": "ghost", "crowns": "crowns", "curse": "curse", "mend": "mend", "call": "call",
                "ready": "ready"}  # fmt: skip
BODY_COLUMNS = {"card": "card", "area": "area", "from": "came_from", "health": "health", "shields": "shields",
                "owner": "owner", "powers": "powers", "charges": "charges"}  # fmt: skip


class Turns(Lurking):
    """An encounter whose state is read from a row of arrays, and told as such."""

    def read(self, state: State, row: int) -> None:
        scene = self.scene
        self.heroes = [Body(0, 0) for _ in scene.party.names]
        self.bodies = [Body(0, 0) for _ in range(scene.n_bodies)]
        for side, bodies, columns in (("h", self.heroes, HERO_COLUMNS), ("e", self.bodies, BODY_COLUMNS)):
            for place, body in enumerate(bodies):
                for name, attribute in columns.items():
                    if f"{side}_{name}" in state:
                        setattr(body, attribute, state[f"{side}_{name}"][row, place].item())
                body.marks = {name: int(state[f"{side}_{name}"][row, place]) for name in scene.marks[side]}
        for place, hero in enumerate(self.heroes):
            hero.cool = state["cool"][row, place].tolist()
            hero.gear = state["gear"][row, place].tolist() if "gear" in state else []
            if not self.is_companion(place):
                hero.was_ghost = bool(state["was_ghost"][row, place])
        for name in NUMBERS:
            setattr(self, name, state[name][row].item())
        for name in DECKS:
            setattr(self, name, state[name][row].tolist() if name in state else [])
        self.ground = {name: state[f"a_{name}"][row].tolist() for name in ("fire1", "fire2") if f"a_{name}" in state}

    def told(self) -> dict[str, Any]:
        """Return the state as the row of the arrays would say it."""
        found: dict[str, Any] = {}
        for side, bodies, columns in (("h", self.heroes, HERO_COLUMNS), ("e", self.bodies, BODY_COLUMNS)):
            for name, attribute in columns.items():
                found[f"{side}_{name}"] = [getattr(body, attribute) for body in bodies]
            for name in self.scene.marks[side]:
                found[f"{side}_{name}"] = [body.has(name) for body in bodies]
        found["cool"] = [hero.cool for hero in self.heroes]
        found["gear"] = [hero.gear for hero in self.heroes]
        found |= {f"a_{name}": tokens for name, tokens in self.ground.items()}
        found["was_ghost"] = [hero.was_ghost for place, hero in enumerate(self.heroes) if not self.is_companion(place)]
        return found | {name: getattr(self, name) for name in NUMBERS} | {name: getattr(self, name) for name in DECKS}

    def step(self, number: int, tape: Tape) -> None:
        """Play the step of this number within a round."""
        self.tape = tape
        n = self.scene.n_heroes
        if number == 0:
            self.time_phase()
        elif number <= 2 * n:
            (self.hero_turn if number % 2 else self.enemy_turn)((number - 1) // 2)
        else:
            self.event_phase()
        if self.scene.shadows is not None and number not in range(1, 2 * n, 2):
            self.look_round((number - 1) // 2 if 0 < number <= 2 * n else 0)
            self.settle()
        assert tape.place == len(tape.answers), f"the arrays ask for more: {tape.answers[tape.place :]}"

    def hero_turn(self, hero: int) -> None:
        raise NotImplementedError

    def settle(self) -> None:
        scene = self.scene
        lost = not self.in_play() or self.failed
        if scene.goal == "survive":
            won = False
        else:
            masters = [b for b in self.foes() if scene.bestiary.is_master[self.kind(self.bodies[b])]]
            lurks = any(token >= 0 for token in self.shadow)
            won = not (masters if scene.goal == "kill_masters" else self.foes() or lurks)
        if not self.winner:
            self.winner = 2 if lost else int(won)

    # -- the Time Phase and the Event Phase ---------------------------------------------------------------------------

    def time_phase(self) -> None:
        scene, rule = self.scene, self.scene.constants.conditions
        self.rounds += 1
        for body in [*self.heroes, *self.bodies]:
            fires = body.has("fire1") + body.has("fire2")
            lost = min(
                fires * rule.fire_wounds + (0, rule.poison_1_wounds, rule.poison_2_wounds)[body.has("poison")],
                body.health,
            )
            body.health -= lost
            body.marks["fire1"], body.marks["fire2"] = body.has("fire2"), 0
            if any(body is self.heroes[hero] for hero in range(scene.n_heroes)):
                self.wounds += lost
        if self.ground:
            self.ground = {"fire1": self.ground["fire2"], "fire2": [0] * scene.board.n_areas}
        self.buried(None)
        for hero, own in enumerate(self.heroes):
            self.departed(hero)
            if "poison" in scene.marks["h"] and self.save(hero, "poison save"):
                own.marks["poison"] = 0
        for body in self.bodies:
            body.shields = (
                int(scene.bestiary.shields[self.kind(body)] + scene.powers.shields[body.powers])
                if body.card >= 0
                else 0
            )
        for hero, own in enumerate(self.heroes):
            own.shields = 0 if own.ghost else int(scene.party.shields[hero])
            own.cool = [max(left - 1, 0) for left in own.cool]
            own.mend, own.call = max(own.mend - 1, 0), max(own.call - 1, 0)
        self.renew()
        self.spend_souls()
        self.settle()

    def spend_souls(self) -> None:
        heroes = [own for place, own in enumerate(self.heroes) if not self.is_companion(place)]
        for hero, own in enumerate(heroes):
            if own.ghost and own.area in self.scene.altars and own.rank <= self.points:
                self.points -= own.rank
                own.ghost = False
                own.health, own.shields = self.whole(hero), int(self.scene.party.shields[hero])
        costs = self.scene.constants.party.rank_costs
        while self.scene.rank_up:
            held = [own for own in heroes if not own.ghost or self.scene.rules.ghosts_hold_ranks_back]
            lowest = min((own.rank for own in held), default=7)
            able = [hero for hero, own in enumerate(heroes)
                    if not own.ghost and own.rank <= min(lowest, 6) and costs[own.rank] <= self.points]  # fmt: skip
            if not able:
                return
            own, before = self.heroes[able[0]], self.whole(able[0])
            self.points -= costs[own.rank]
            own.rank += 1
            own.health += self.whole(able[0]) - before

    def event_phase(self) -> None:
        scene, card = self.scene, -1
        if self.stories:
            self.stories -= 1
        elif self.face_up < 0:
            left = [place for place, where in enumerate(self.event_deck) if where == 0]
            number = self.tape.take("event")
            card = left[number] if left else -1
            if card >= 0:
                self.event_deck[card] = 2
                if scene.events.set_aside[card]:
                    self.aside = card
                else:
                    self.face_up = card
        else:
            self.face_up = -1
        if self.tape.place == 0:
            self.tape.take("event")
        self.failed = self.face_up < 0 and not self.stories and 0 not in self.event_deck
        self.happen(card, 0, *scene.events.of_deck)
        self.settle()
        if not self.winner and scene.goal == "survive" and self.rounds >= scene.n_rounds:
            self.winner = 1
        if not self.winner and self.rounds >= scene.round_limit:
            self.winner = 2

    # -- events -------------------------------------------------------------------------------------------------------

    def tell(self, card: int, hero: int) -> None:
        """IS-EVT.3: a story, -1 for none, is told at once and covers the Event deck."""
        if card >= 0:
            self.event_deck[card] = 2
            self.stories += 1
        self.happen(card, hero, *self.scene.events.of_map)

    def happen(self, card: int, active: int, most_spawned: int, most_acting: int) -> None:
        """Do what an event says; without one only read what is asked for."""
        events = self.scene.events
        turns = int(events.power_turns[card]) if card >= 0 else 0
        for own in self.heroes:
            most = self.scene.constants.powers.longest_cooldown
            own.cool = [min(max(left - turns, 0), most) if left else 0 for left in own.cool]
            own.mend = min(max(own.mend - turns, 0), most) if own.mend else 0
            own.call = min(max(own.call - turns, 0), most) if own.call else 0
        if card >= 0 and events.rekindles[card]:
            self.ground = {name: tokens.tolist() for name, tokens in self.scene.fires.items()}
        self.spawn(card, active, most_spawned)
        if self.scene.shadows is not None:
            self.lay_shadows(int(events.shadows[card]) if card >= 0 else 0, int(events.shadows.max()))
        number = events.calls.main[card].number if card >= 0 else 0
        self.act(self.in_order(active, self.leaders())[:number], most_acting)

    def spawn(self, card: int, active: int, most: int) -> None:
        scene = self.scene
        if scene.gates is None:
            return
        heroes, enemies = len(self.in_play()), len(self.leaders())
        spawns = scene.events.spawn_few if heroes < scene.from_many else scene.events.spawn_many
        k = int(spawns[card]) if card >= 0 else -99
        number = max(0, heroes - enemies + k) if k > -99 else 0
        number += int(scene.events.spawns[card]) if card >= 0 else 0
        for turn in range(most):
            free = sum(body.card < 0 for body in self.bodies)
            due = turn < number and free >= int(scene.bestiary.minis.max()) and bool(self.open_gates())
            face, drawn = self.tape.take("spawn gate"), None
            number_of_card = self.tape.take("enemy card")
            if due:
                if 0 not in self.enemy_deck:
                    self.enemy_deck = [0 if where == 1 else where for where in self.enemy_deck]
                left = [place for place, where in enumerate(self.enemy_deck) if where == 0]
                drawn = left[number_of_card] if left else None
            if drawn is not None:
                self.enemy_deck[drawn] = 2
                self.enter(drawn, int(scene.gate_areas[self.gate(face)]), active)
            else:
                self.enter(None, 0, active)

    def open_gates(self) -> list[int]:
        """Return the gates that quest rules leave open in this round."""
        return [
            place for place, (first, last) in enumerate(self.scene.gate_rounds) if first <= max(self.rounds, 1) <= last
        ]

    def gate(self, number: int) -> int:
        gates, is_open = self.scene.gates, self.open_gates()
        assert gates is not None
        if len(is_open) == 1:
            return is_open[0]
        faces = [face for face in gates.faces if any(gates.symbols[place] in face for place in is_open)]
        return next(place for place in is_open if gates.symbols[place] in faces[number])

    def enter(self, card: int | None, area: int, active: int) -> int | None:
        """Bring an enemy in, and return its first body; without one only read what is asked for."""
        scene, beasts = self.scene, self.scene.bestiary
        body = None
        if card is not None:
            kind = int(scene.kind_of[card])
            owner = self.owner_of(kind, active)
            if beasts.is_master[kind]:
                owner, self.holder, self.level = -1, active, 1
            for _ in range(int(beasts.minis[kind])):
                slot = next(place for place, one in enumerate(self.bodies) if one.card < 0)
                body = slot if body is None else body
                self.bodies[slot] = Body(
                    area, int(beasts.health[kind]), int(beasts.shields[kind]), self.nowhere, card=card, owner=owner,
                    powers=int(beasts.powers[kind]), charges=int(beasts.charges[kind]),
                )  # fmt: skip
        for number in range(int(beasts.icons.max()) if scene.n_power_cards else 0):
            draws = card is not None and int(beasts.icons[scene.kind_of[card]]) > number
            self.draw_power(body if draws else None, "enemy power")
        return body

    def owner_of(self, kind: int, active: int) -> int:
        owned = [(self.bodies[place].owner, self.kind(self.bodies[place])) for place in self.leaders()]
        same = [owner for owner, other in owned if other == kind and owner >= 0]
        counts = [sum(owner == player for owner, _ in owned) for player in range(self.scene.n_heroes)]
        seats = [(active + place) % self.scene.n_heroes for place in range(self.scene.n_heroes)]
        return same[0] if same else min(seats, key=lambda player: counts[player])


def same(reference: Turns, state: State, row: int) -> str:
    """Return the first difference between the reference and a row of the arrays; empty if there is none."""
    for name, told in reference.told().items():
        if name in state and not np.array_equal(np.asarray(told), state[name][row]):
            return f"{name}: {told} by the reference, {state[name][row].tolist()} by the arrays"
    return ""
