"""What heroes carry and what of their equipment changes, played a second time in plain Python."""

from __future__ import annotations

from typing import Any

from balance.games.immortal_souls.tables.items import Item
from tests.games.immortal_souls.encounter.reference_encounter import REDS, Encounter

LAID = ("item_bearer", "item_area", "item_left")


class Items(Encounter):
    """An encounter with items; `done` says how often each thing was done."""

    item_bearer: list[int]
    item_area: list[int]
    item_left: list[int]

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.done: dict[str, int] = {}

    def count(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1

    # -- what he attacks with -----------------------------------------------------------------------------------------

    def armed_with(self, hero: int, slot: int = 0) -> int:
        """Return the number of the attack with a hero's weapon, or with his second one, -1 for none."""
        party, own = self.scene.party, self.heroes[hero]
        kit = party.kits[hero]
        if kit is None:
            return int((party.off_hand if slot else party.weapon)[hero])
        form = sum(1 << bit for bit, thing in enumerate(kit.things) if own.gear[bit] >= thing.takes)
        return int(kit.strikes[slot, form])

    def wear(self, hero: int, strike: int, blow: Any) -> None:
        """Take charges that were used, and projectiles that missed."""
        kit, own = self.scene.party.kits[hero], self.heroes[hero]
        if kit is None or blow is None:
            return
        was = list(own.gear)
        for bit, thing in enumerate(kit.things):
            table = kit.uses.get((bit, strike))
            told = blow["chosen"] if thing.kind == "charges" else blow["roll"]
            if table is not None and was[bit] >= thing.takes and table[told]:
                own.gear[bit] -= thing.takes
                self.count(thing.kind)

    # -- what he carries ----------------------------------------------------------------------------------------------

    def sees(self, hero: int, name: str, free: bool) -> bool:
        """Read the save of an activity, if one is asked for; return whether it may go on."""
        if "blind" not in self.scene.marks["h"] or (free and self.scene.rules.blinded_hero_saves == "not_free_ones"):
            return True
        saves = self.save(hero, name)
        return saves or not self.heroes[hero].has("blind")

    def carried(self, hero: int) -> list[int]:
        return [place for place, bearer in enumerate(self.item_bearer) if bearer == hero]

    def held_up(self, hero: int) -> bool:
        return any(self.bodies[place].area == self.heroes[hero].area for place in self.foes())

    def lacks(self, hero: int, item: Item) -> bool:
        """Return whether an item would do a hero good, nothing wasted."""
        own = self.heroes[hero]
        ill = any(own.has(name) for name in REDS) if "critical" in item.removes else False
        ill = ill or any(own.has(name) for name in item.removes)
        return not own.ghost and (ill or 0 < item.heals <= self.whole(hero) - own.health)

    def spend(self, place: int) -> None:
        self.item_left[place] = 0
        if self.scene.party.items[place].limit == "once":
            self.item_bearer[place] = -1

    def pick_up(self, hero: int, able: bool) -> None:
        if not self.scene.party.items:
            return
        sees = self.sees(hero, "pick up save", True)
        if not able or not sees or self.held_up(hero):
            return
        for place, bearer in enumerate(self.item_bearer):
            lies_here = bearer == -1 and self.item_area[place] == self.heroes[hero].area
            if lies_here and len(self.carried(hero)) < int(self.scene.party.carry[hero]):
                self.item_bearer[place], self.item_area[place] = hero, self.nowhere
                self.heroes[hero].marks["hidden"] = 0
                self.count("picked up")

    def use_items(self, hero: int, able: bool, actions: int) -> int:
        """Use what helps; return the actions left."""
        own, able = self.heroes[hero], able and not self.heroes[hero].has("silenced")
        for place, item in self.helping():
            free = item.activation == "free"
            sees = self.sees(hero, "item save", free)
            ready = place in self.carried(hero) and self.item_left[place]
            if not able or not ready or not (free or actions > 0) or not self.lacks(hero, item):
                continue
            actions -= not free
            own.marks["hidden"] = 0
            if not sees:
                continue
            for name in item.removes:
                for mark in REDS if name == "critical" else (name,):
                    own.health += own.has(mark) if mark == "frail" else 0
                    own.marks[mark] = 0
                    self.count("cured")
            own.health += min(item.heals, self.whole(hero) - own.health)
            self.spend(place)
            self.count(item.limit)
        return actions

    def helping(self) -> list[tuple[int, Item]]:
        return [(place, item) for place, item in enumerate(self.scene.party.items) if item.heals or item.removes]

    def hand_over(self, hero: int, able: bool, actions: int) -> int:
        """Hand over what helps others; return the actions left."""
        own = self.heroes[hero]
        for place, item in self.helping():
            sees = self.sees(hero, "exchange save", False)
            ready = place in self.carried(hero) and self.item_left[place] and not self.lacks(hero, item)
            if not able or not ready or actions <= 0 or self.held_up(hero):
                continue
            near = [other for other in self.in_play() if self.heroes[other].area == own.area]
            room = [other for other in near if len(self.carried(other)) < self.scene.party.carry[other]]
            wanting = [other for other in room if self.lacks(other, item)]
            if wanting:
                actions -= 1
                self.count("handed over")
                own.marks["hidden"] = 0
                if sees:
                    self.item_bearer[place] = wanting[0]
        return actions

    def quicken(self, hero: int, about_to: bool) -> None:
        own, may = self.heroes[hero], about_to and not self.heroes[hero].has("silenced")
        for place, item in enumerate(self.scene.party.items):
            if item.hits:
                sees = self.sees(hero, "item save", True)
                if may and sees and place in self.carried(hero) and self.item_left[place] and not own.ready:
                    own.ready = item.hits
                    self.spend(place)
                    self.count("hits")

    def ward(self, hero: int | None, blow: Any) -> None:
        """Read and let a hero use what gives shields against an attack."""
        for place, item in enumerate(self.scene.party.items):
            if item.activation != "reaction":
                continue
            if hero is None or blow is None:
                self.sees(0, "reaction save", True)
                continue
            own, sees = self.heroes[hero], self.sees(hero, "reaction save", True)
            able = sees and not own.has("stun") and not own.has("silenced") and place in self.carried(hero)
            stopped = int(self.scene.party.armour[hero]) + own.shields + item.shields
            if able and self.item_left[place] and blow["hits"] >= stopped:
                own.shields += item.shields
                self.spend(place)
                self.count("reaction")

    def awaken(self, hero: int, about_to: bool) -> None:
        """Pay for soul weapons, unless a ghost might need the points."""
        kit, own = self.scene.party.kits[hero], self.heroes[hero]
        for bit, thing in enumerate(kit.things if kit else ()):
            wants = (
                about_to and thing.kind == "soul" and not own.gear[bit] and len(self.in_play()) == self.scene.n_heroes
            )
            if wants and thing.souls <= self.points:
                own.gear[bit], self.points = 1, self.points - thing.souls
                self.count("soul")

    def renew(self) -> None:
        for kit, own in zip(self.scene.party.kits, self.heroes, strict=True):
            for bit, thing in enumerate(kit.things if kit else ()):
                own.gear[bit] = 0 if thing.kind == "soul" else own.gear[bit]
        for place, item in enumerate(self.scene.party.items):
            if item.limit == "round":
                self.item_left[place] = 1

    def departed(self, hero: int) -> bool:
        where, died = self.heroes[hero].area, super().departed(hero)
        for place in self.carried(hero) if died else []:
            self.item_bearer[place], self.item_area[place] = -1, where
        return died
