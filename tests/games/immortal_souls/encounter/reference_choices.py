"""Whom a hero can attack, from where and with what, and the policies of heroes, in plain Python."""

from __future__ import annotations

from typing import Any

from tests.games.immortal_souls.encounter.reference_board import ENEMY, FAR, FLYER
from tests.games.immortal_souls.encounter.reference_encounter import Body
from tests.games.immortal_souls.encounter.reference_turns import Turns


class Choices(Turns):
    """What heroes choose."""

    def ready(self, hero: int) -> list[tuple[int, int, int]]:
        """Return (place, attack, reach) of the powers that are ready."""
        own = self.heroes[hero]
        numbers = self.scene.party.powers[hero, own.rank]
        return [(place, int(number), int(self.scene.party.reach[number])) for place, number in enumerate(numbers)
                if number >= 0 and not own.cool[place]]  # fmt: skip

    def reach(self, hero: int) -> int:
        weapon = int(self.scene.party.reach[self.armed_with(hero)])
        return max([weapon, *(far for _, _, far in self.ready(hero))])

    def crowded(self) -> set[int]:
        return {self.bodies[place].area for place in self.foes()}

    def can_hit_from(self, hero: int, area: int, body: Body, off_hand: bool = False) -> bool:
        crowded, party = self.crowded(), self.scene.party
        reach = int(party.reach[self.armed_with(hero, 1)]) if off_hand else self.reach(hero)
        if area in crowded:
            return body.area == area
        near = self.map.points(FLYER, area, body.area) <= reach
        return near and self.map.hero_sees(area, body.area, crowded)

    def options(self, hero: int, points: int, off_hand: bool = False) -> dict[int, dict[str, Any]]:
        """Return each enemy with whether it is in reach, from where, and the points to there."""
        here, found, crowded = self.heroes[hero].area, {}, self.crowded()
        for place in self.foes():
            body = self.bodies[place]
            if self.can_hit_from(hero, here, body, off_hand):
                found[place] = {"now": True, "reach": True, "goal": here, "points": 0}
                continue
            stands = [(self.map.points(self.walker(hero), here, area), area) for area in self.map.areas
                      if area not in crowded and self.can_hit_from(hero, area, body)]  # fmt: skip
            stands = [stand for stand in stands if stand[0] <= points] if self.reach(hero) else []
            cost, goal = min(stands) if stands else (self.map.points(self.walker(hero), here, body.area), body.area)
            found[place] = {"now": False, "reach": points >= 0 and cost <= points, "goal": goal, "points": cost}
        return found

    def choose(self, hero: int, able: bool, options: dict[int, dict[str, Any]], name: str, focus: int) -> int:
        """Return the option of the policy: a body, nobody (their number), or a hero beyond."""
        random = self.tape.take(f"heroes {name}") if self.policy == "random" else 0
        n, own = self.scene.n_bodies, self.heroes[hero]
        if not able:
            return n
        enemies = [place for place, one in options.items() if (one["points"] < FAR if name == "target" else one["now"])]

        def least(score: Any, among: list[int]) -> int:
            near = [place for place in among if options[place]["reach"]]
            if near:
                return min(near, key=lambda place: (score(place), place))
            return min(among, key=lambda place: (options[place]["points"], place), default=n)

        if self.policy == "random":
            near = [place for place in enemies if options[place]["reach"]]
            return (near or enemies or [n])[random]
        if self.policy == "nearest":
            return least(lambda place: options[place]["points"], enemies)
        if self.policy == "focus":
            return least(lambda place: self.bodies[place].health, enemies)
        if self.policy == "guard":
            return self.guard(hero, options, enemies, name, least)
        dealt = {place: self.dealt(hero, place, options[place], focus) for place in enemies if options[place]["reach"]}
        if self.policy == "spend_for_kill":
            return least(lambda place: -dealt[place] / self.bodies[place].health, enemies)
        return least(
            lambda place: (
                self.feared(hero, options[place]["goal"]) / own.health
                - min(dealt[place] / self.bodies[place].health, 1.0)
            ),
            enemies,
        )

    def guard(self, hero: int, options: Any, enemies: list[int], name: str, least: Any) -> int:
        here = self.heroes[hero].area
        ways = {
            other: self.map.points(self.walker(hero), here, self.heroes[other].area)
            for other in self.living()
            if other != hero
        }
        wards = [other for other, way in ways.items() if way < FAR and (name == "target" or way == 0)]
        if not wards:
            return int(least(lambda place: self.bodies[place].health, enemies))
        ward = min(wards, key=lambda other: (self.heroes[other].health - self.whole(other), other))
        if ways[ward] and name == "target":
            return self.scene.n_bodies + 1 + ward
        here_now = [place for place in enemies if options[place]["points"] == 0]
        return int(least(lambda place: self.bodies[place].health, here_now))

    def with_what(self, hero: int, distance: int) -> tuple[int, int]:
        for place, number, far in self.ready(hero):
            if distance <= far:
                return number, place
        return self.armed_with(hero), -1

    def bonus(self, hero: int, where: int, focus: int) -> int:
        own = self.heroes[hero]
        more = focus * self.scene.constants.attack.focus_hits + self.lasting("h") - own.curse - own.has("dulled")
        more += own.ready
        return more + self.supremacy(where, "h")

    def met(self, hero: int, body: Body, bonus: int, strike: int) -> dict[str, int]:
        far = int(self.scene.hero_arms.radius[strike])
        near = [place for place in self.foes() if self.map.points(ENEMY, body.area, self.bodies[place].area) <= far]
        own = {"shields": body.shields, "bonus": bonus, "cannot_buy": self.heroes[hero].has("silenced")}
        return {**body.marks, **own, "others": max(len(near) - 1, 0), "left": body.health}

    def dealt(self, hero: int, place: int, option: dict[str, Any], focus: int) -> float:
        body = self.bodies[place]
        strike, _ = self.with_what(hero, self.map.points(FLYER, option["goal"], body.area))
        bonus = self.bonus(hero, body.area, focus)
        return self.expected(self.scene.hero_arms, strike, self.kind(body), self.met(hero, body, bonus, strike))

    def feared(self, hero: int, goal: int) -> float:
        total, beasts = 0.0, self.scene.bestiary
        for place in self.foes():
            body = self.bodies[place]
            kind = self.kind(body)
            if self.map.points(int(beasts.walker[kind]), body.area, goal) <= int(beasts.attacks_within[kind]):
                strike = int(beasts.strike[kind, 0, self.scene.powers.variant[body.powers]])
                total += self.expected(self.scene.enemy_arms, strike, hero, {})
        return total
