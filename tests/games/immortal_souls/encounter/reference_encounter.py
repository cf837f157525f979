"""An encounter played a second time: one trial, plain Python, a hero and an enemy at a time.

It reads the same answers as the arrays (`Tape`), makes of them what the rules say, and must be in the same state after
every step. Numbers of cards are read from the scene; what a roll buys and how many hits it makes, and the wounds to be
expected of an attack, are looked up in its tables, which other tests hold against single attacks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from balance.games.immortal_souls.encounter.party.arms import Arms
from balance.games.immortal_souls.encounter.scene import Scene
from tests.games.immortal_souls.encounter.reference_board import FLYER, Map

PHYSICAL = ("ko", "stun", "slow", "blind", "poison")
REDS = {"weakened": "armour", "dulled": "hits", "frail": "max_health", "silenced": "silences"}
RED, BLUE = 2, 1


class Tape:
    """The answers of one trial, in the order in which they are asked for."""

    def __init__(self, answers: list[tuple[str, Any]]) -> None:
        self.answers, self.place = answers, 0

    def take(self, name: str) -> int:
        """Return the next answer, which must go by this name."""
        found, value = self.answers[self.place]
        assert found == name, f"asked for {name}, the arrays asked for {found}"
        self.place += 1
        return int(value)

    def take_all(self, name: str) -> list[int]:
        """Return the next answer, which is a whole order of cards."""
        found, values = self.answers[self.place]
        assert found == name, f"asked for {name}, the arrays asked for {found}"
        self.place += 1
        return [int(value) for value in values]


@dataclass
class Body:
    """A hero, or a miniature of an enemy."""

    area: int
    health: int
    shields: int = 0
    came_from: int = -1
    marks: dict[str, int] = field(default_factory=dict)
    rank: int = 0
    ghost: bool = False
    was_ghost: bool = False
    crowns: int = 0
    curse: int = 0
    mend: int = 0
    call: int = 0
    ready: int = 0
    gear: list[int] = field(default_factory=list)
    cool: list[int] = field(default_factory=list)
    card: int = -1
    owner: int = -1
    powers: int = 0
    charges: int = 0

    def has(self, name: str) -> int:
        """Return a condition, token or red critical."""
        return self.marks.get(name, 0)


class Encounter:
    """One trial."""

    heroes: list[Body]
    bodies: list[Body]
    winner: int
    rounds: int
    wounds: int
    deaths: int
    kills: int
    gained: int
    hero_attacks: int
    enemy_attacks: int
    holder: int
    level: int
    stories: int
    face_up: int
    aside: int
    points: int
    failed: bool
    enemy_deck: list[int]
    encounter_deck: list[int]
    event_deck: list[int]
    power_deck: list[int]
    power_owner: list[int]
    ground: dict[str, list[int]]

    def __init__(self, scene: Scene, policy: str) -> None:
        self.scene, self.policy, self.map = scene, policy, Map(scene.board)
        self.tape = Tape([])
        self.nowhere = scene.board.off_map

    def scorch(self, body: Body, area: int) -> None:
        """IS-FIRE.3: whoever moves into an area that is on fire gets as many tokens as lie there."""
        for fire, tokens in self.ground.items():
            body.marks[fire] = body.has(fire) + tokens[area]

    # -- looking ------------------------------------------------------------------------------------------------------

    def kind(self, body: Body) -> int:
        return int(self.scene.kind_of[body.card])

    def walker(self, hero: int) -> int:
        return int(self.scene.party.walker[hero])

    def foes(self) -> list[int]:
        return [place for place, body in enumerate(self.bodies) if body.card >= 0]

    def leaders(self) -> list[int]:
        cards = [body.card for body in self.bodies]
        return [place for place in self.foes() if cards.index(cards[place]) == place]

    def living(self) -> list[int]:
        """Return the heroes and companions who are there."""
        return [place for place, hero in enumerate(self.heroes) if not hero.ghost]

    def in_play(self) -> list[int]:
        """Return the heroes who are there: whoever has a Hero Turn."""
        return [place for place in self.living() if not self.is_companion(place)]

    def is_companion(self, place: int) -> bool:
        return bool(self.scene.party.pack.owner[place] != place)

    def may_be_aimed_at(self) -> list[int]:
        """Return the heroes and companions whom an enemy may aim at."""
        return [hero for hero in self.living() if not self.heroes[hero].has("hidden")]

    def counted(self, side: str, area: int) -> tuple[int, int]:
        """Return the miniatures of a side in an area, and how many of them stand."""
        if side == "h":
            there = [self.heroes[h] for h in self.living() if self.heroes[h].area == area]
        else:
            there = [self.bodies[b] for b in self.foes() if self.bodies[b].area == area]
        return len(there), sum(not one.has("ko") for one in there)

    def dominated(self, area: int, by: str) -> bool:
        own, other = self.counted(by, area), self.counted("e" if by == "h" else "h", area)
        return other[0] > 0 and own[1] > 0 and own[1] >= 2 * other[1]

    def supremacy(self, area: int, by: str) -> int:
        other = self.counted("e" if by == "h" else "h", area)
        has = self.dominated(area, by) and (self.scene.rules.supremacy_over_knocked_out or other[1] > 0)
        return int(has) * self.scene.constants.attack.supremacy_hits

    def lasting(self, side: str) -> int:
        table = self.scene.events.hero_hits if side == "h" else self.scene.events.enemy_hits
        open_ = self.face_up if not self.stories else -1
        return sum(int(table[card]) for card in (open_, self.aside) if card >= 0)

    def whole(self, hero: int) -> int:
        own = self.heroes[hero]
        return int(self.scene.party.health[hero, own.rank]) - own.has("frail")

    def save(self, hero: int, name: str) -> bool:
        return self.tape.take(name) < int(self.scene.party.save_good[hero])

    def expected(self, arms: Arms, strike: int, foe: int, met: dict[str, int]) -> float:
        full = {name: np.array([met.get(name, 0)]) for name in arms.names}
        return float(arms.expected(np.array([strike]), np.array([foe]), full)[0])

    # -- an attack ----------------------------------------------------------------------------------------------------

    def rolled(self, arms: Arms, name: str, strike: int, foe: int, bonus: int, met: dict[str, int], made: bool) -> Any:
        """Read the dice of an attack; return its hits and what it does."""
        roll = self.tape.take(f"{name} roll")
        fresh = self.tape.take(f"{name} roll again") if arms.may_reroll else roll
        if not made:
            return None
        full = {one: np.array([met.get(one, 0)]) for one in arms.names}
        s, k = np.array([strike]), np.array([foe])
        case = arms.case(s, k, full)
        chosen, again = arms.purchase(s, k, case, np.array([roll]))
        if again[0]:
            roll = fresh
            chosen, _ = arms.purchase(s, k, case, np.array([roll]))
        own = int(arms.hits_with(s, np.array([roll]), chosen)[0])
        hits = max(own + bonus, 0) if own > 0 or self.scene.rules.bonus_hits_are_hits else 0  # IS-Q8
        place = int(arms.first_set[strike] + chosen[0])
        deeds = {one: int(values[place]) for one, values in arms.deeds.items()}
        return {"hits": hits, "deeds": deeds, "roll": roll, "chosen": int(chosen[0])}

    def suffered(self, arms: Arms, side: str, target: Body | None, who: int, blow: Any, kind_of_damage: int, name: str,
                 primary: bool = True) -> int:  # fmt: skip
        """Read a defence and let a body suffer what it must; return the wounds."""
        scene, token = self.scene, None
        if arms.draws and (primary or scene.rules.critical_tokens == "each_defender"):
            number = self.tape.take(f"{name} critical")
            if blow and blow["hits"] and blow["deeds"]["critical"]:
                token = [one for one in scene.bag for _ in range(one.tokens)][number]
        left = self.tape.take(f"{name} defence")
        if blow is None or target is None:
            return 0
        rules, hits, deeds = scene.rules, blow["hits"], dict(blow["deeds"])
        if side == "h":
            armour, change = int(scene.party.armour[who]), int(scene.party.change[who, kind_of_damage])
            immune = {"ko"} if self.walker(who) == FLYER else set[str]()
        else:
            kind, own = self.kind(target), target.powers
            armour = max(int(scene.bestiary.armour[kind] + scene.powers.armour[own]), 0)
            change = int(scene.bestiary.change[kind, kind_of_damage] + scene.powers.change[own, kind_of_damage])
            immune = {"ko"} if scene.bestiary.no_ko[kind] else set()
            immune |= {"stun"} if scene.bestiary.no_stun[kind] else set()
        wounds = self.harmed(target, deeds, token, immune, hits)
        armour = max(armour - target.has("weakened") + deeds["armour"], 0) if not target.has("ko") else 0
        lethal = min(hits, deeds["lethal"])
        normal = hits - lethal
        if change > 0 and (hits > 0 or rules.weakness_without_hits):
            lethal, normal = (lethal + change, normal) if deeds["wholly"] and hits else (lethal, normal + change)
        for _ in range(-change):
            first_lethal = rules.resistance_takes == "lethal_first"
            if (lethal and first_lethal) or not normal:
                lethal = max(lethal - 1, 0)
            else:
                normal -= 1
        stopped = min(lethal, target.shields)
        target.shields, lethal = target.shields - stopped, lethal - stopped
        normal = max(normal - armour, 0)
        stopped = min(normal, target.shields)
        target.shields, normal = target.shields - stopped, normal - stopped
        assert left <= normal
        lost: int = min(wounds + lethal + left, target.health)
        target.health -= lost
        if hits or not rules.effects_need_a_hit:
            for fire in ("fire1", "fire2"):
                if deeds[fire]:
                    target.marks[fire] = target.has(fire) + deeds[fire]
        return lost

    def harmed(self, target: Body, deeds: dict[str, int], token: Any, immune: set[str], hits: int) -> int:
        """Lay conditions and criticals; return wounds at once."""
        rules, again = self.scene.rules, self.scene.constants.conditions.repeated_wounds
        wounds = int(token.wounds) if token else 0
        lands = hits > 0 or not rules.effects_need_a_hit
        for name in PHYSICAL:
            if name in immune:
                continue
            bought, drawn = deeds[name] if lands else 0, getattr(token, name) if token else 0
            level = deeds["poison_level"] if name == "poison" and bought else int(bought > 0)
            times = bought + (drawn > 0) + (target.has(name) > 0)
            counts = rules.repeated_condition_wounds and (name != "ko" or rules.knocked_out_again == "wound")
            if bought or drawn:
                wounds += again * (times - 1) if counts else 0
                target.marks[name] = max(target.has(name), level, drawn)
        for name, what in REDS.items():
            more, there = getattr(token, what) if token else 0, target.has(name)
            if more:
                if more == there or (more < there and rules.lesser_critical == "wound"):
                    wounds += again
                wounds += max(more - there, 0) if name == "frail" else 0
                target.marks[name] = max(there, more)
        return wounds

    def buried(self, killer: int | None) -> None:
        """Take the dead enemies away, one body after the other."""
        for body in self.bodies:
            if body.card >= 0 and 0 < body.health <= int(self.scene.bestiary.flips_at[self.kind(body)]):
                self.turn_over(body)
            if body.card < 0 or body.health > 0:
                continue
            card, kind = body.card, self.kind(body)
            body.__dict__.update(Body(self.nowhere, 0, came_from=self.nowhere).__dict__)
            if any(other.card == card for other in self.bodies):
                continue
            beasts = self.scene.bestiary
            self.kills += 1
            self.points += int(beasts.soul_points[kind])
            self.gained += int(beasts.soul_points[kind])
            if killer is not None:
                self.heroes[killer].crowns += int(beasts.crowns[kind])
            self.enemy_deck[card] = 1 if self.scene.returns[card] else 2
            for place, owner in enumerate(self.power_owner):
                if owner == card:
                    self.power_deck[place], self.power_owner[place] = 1, -1

    def turn_over(self, body: Body) -> None:
        """Turn a Master's card over: its wounds and Enemy Power cards stay, its scroll and charges do not."""
        beasts, front, suffered = self.scene.bestiary, self.kind(body), -body.health
        suffered += int(beasts.health[front])
        cards = [place for place, owner in enumerate(self.power_owner) if owner == body.card]
        body.card = int(self.scene.other_side[body.card])
        back = self.kind(body)
        body.health = max(int(beasts.health[back]) - suffered, 1)
        body.powers, body.charges = int(beasts.powers[back]), int(beasts.charges[back])
        for place in cards:
            self.power_owner[place] = body.card
            body.powers |= 1 << int(self.scene.powers.cards[place])

    def departed(self, hero: int) -> bool:
        own = self.heroes[hero]
        if own.ghost or own.health > 0:
            return False
        own.ghost, own.marks, own.shields, own.curse = True, {}, 0, 0
        if self.is_companion(hero):
            pack = self.scene.party.pack
            own.area = own.came_from = self.nowhere
            self.heroes[pack.owner[hero]].call = int(pack.cooldown[hero])
            return True
        own.rank = max(own.rank - self.scene.ranks_lost, 1)
        self.deaths += 1
        return True
