"""The Move of a hero, played a second time in plain Python, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from tests.games.immortal_souls.encounter.reference_board import HERO
from tests.games.immortal_souls.encounter.reference_choices import Choices


@dataclass
class Going:
    """A hero on his way: the areas and what it costs to each, where he is, the points, and whether he goes on."""

    path: list[int]
    costs: list[int]
    at: int
    budget: int
    going: bool


class Moves(Choices):
    """How heroes move."""

    def make_move(self, hero: int, able: bool, slow: bool, actions: int) -> tuple[int, bool]:
        """Choose and go; return the actions left, and whether a slowed hero has done his one thing."""
        scene, own = self.scene, self.heroes[hero]
        down, sprint = own.has("ko") > 0, scene.constants.board.sprint_points
        base = int(scene.party.movement[hero]) - down if able else -1
        points = base + (sprint if able and actions > 0 else 0)
        options = self.options(hero, -1 if slow else points)
        n = scene.n_bodies
        chosen = self.choose(hero, able and not (slow and down), options, "target", min(actions, 1))
        stays = not able or chosen == n or (chosen < n and options[chosen]["now"])
        goal = own.area if stays else options[chosen]["goal"] if chosen < n else self.heroes[chosen - n - 1].area
        if able and (quarry := self.quarry(hero)) is not None:
            goal, stays = quarry, False
        if able and down and base >= 0 and not (slow and stays):
            own.marks["ko"] = 0
        if stays or (slow and down):
            points = -1
        before = own.area
        spent = self.go(hero, goal, points)
        if able and not stays and spent > base:
            actions -= 1
        if able and own.has("ko") and not own.ghost:
            if not stays and base - spent > 0:
                own.marks["ko"] = 0
            elif actions > 0 and (stays or base - spent >= 0):
                own.marks["ko"], actions = 0, actions - 1
        self.entering(hero, own.area != before and not own.ghost)
        return actions, slow and (not stays or down)

    def go(self, hero: int, goal: int, points: int) -> int:
        """Go towards a goal; return the points that were spent, standing up included."""
        scene, own = self.scene, self.heroes[hero]
        longest = int(scene.party.movement[hero]) + scene.constants.board.sprint_points
        path, costs = [own.area], [0]
        while len(path) <= longest:
            there = self.map.next_area(self.walker(hero), path[-1], goal)
            step = self.map.step(self.walker(hero), path[-1], there) if there != path[-1] else None
            if step is None or costs[-1] + step[0] > points:
                break
            path.append(there)
            costs.append(costs[-1] + step[0])
        if self.hindered(hero):
            path, costs = path[:1], costs[:1]
        stop, way = len(path) - 1, Going(path, costs, 0, points, len(path) > 1)
        if scene.shadows is not None and not self.is_companion(hero):
            self.creep(hero, way, stop, longest)
            return costs[way.at] + points - way.budget
        for _ in range(0 if self.is_companion(hero) else scene.n_stories):
            self.stretch(
                hero, way, min([place for place in range(way.at + 1, stop) if self.lies(path[place]) >= 0] or [stop])
            )
            card = self.lies(own.area) if way.going and way.at else -1
            area = own.area
            self.tell(card, hero)
            if card >= 0:
                way.going = not (own.ghost or own.area != area or own.has("stun"))
        self.stretch(hero, way, stop)
        return costs[way.at] + points - way.budget

    def creep(self, hero: int, way: Going, stop: int, longest: int) -> None:
        """Go on area by area, and look round in each."""
        own = self.heroes[hero]
        for _ in range(longest):
            self.stretch(hero, way, min(way.at + 1, stop))
            area = own.area
            self.look_round(hero)
            way.going = way.going and not (own.ghost or own.area != area or own.has("stun"))
            if self.scene.n_stories:
                card = self.lies(own.area) if way.going and way.at else -1
                area = own.area
                self.tell(card, hero)
                if card >= 0:
                    way.going = not (own.ghost or own.area != area or own.has("stun"))

    def lies(self, area: int) -> int:
        """Return the story that still lies in an area, -1 for none."""
        card = int(self.scene.story_at[area])
        return card if card >= 0 and self.event_deck[card] == 3 else -1

    def stretch(self, hero: int, way: Going, to: int) -> None:
        """Go on to a place of the path, past the enemies that react."""
        scene, own, path = self.scene, self.heroes[hero], way.path
        able = [place for place in (self.foes() if scene.rules.horde_attacks == "each_mini" else self.leaders())
                if not self.bodies[place].has("stun")
                and (scene.rules.knocked_out_enemies_react or not self.bodies[place].has("ko"))
                and (scene.rules.blinded_enemies_react or not self.bodies[place].has("blind"))]  # fmt: skip
        queue = sorted((path.index(self.bodies[place].area), -self.rank(place), place) for place in able
                       if self.bodies[place].area in path[way.at : to])  # fmt: skip
        for turn in range(scene.n_bodies):
            place, strikes = -1, False
            if way.going and turn < len(queue):
                there, _, place = queue[turn]
                self.advance(hero, way, there)
                onward = way.going and way.at < len(path) - 1
                leaves = onward and way.costs[way.at + 1] + (own.has("ko") > 0) <= way.budget
                strikes = leaves and not self.dominated(own.area, "h")
            area = own.area
            self.enemy_attack(place if strikes else None, hero, 0, "reaction")
            if strikes and (own.ghost or own.area != area or own.has("stun")):
                way.going = False
        self.advance(hero, way, to)

    def advance(self, hero: int, way: Going, to: int) -> None:
        """Go on step by step, into fire and deadly areas."""
        own, board = self.heroes[hero], self.scene.board
        while way.going and way.at < to:
            up = own.has("ko") > 0
            if way.costs[way.at + 1] + up > way.budget:
                way.going = False
                return
            if up:
                own.marks["ko"], way.budget = 0, way.budget - 1
            if own.area in self.crowded():
                own.marks["hidden"] = 0
            own.came_from, way.at = way.path[way.at], way.at + 1
            own.area = way.path[way.at]
            self.scorch(own, own.area)
            if own.area in board.deadly and self.walker(hero) == HERO:
                lost = min(own.health, self.scene.constants.board.deadly_wounds)
                own.health -= lost
                self.wounds += 0 if self.is_companion(hero) else lost
                way.going = not self.departed(hero)

    def rank(self, place: int) -> int:
        return int(self.scene.bestiary.rank[self.kind(self.bodies[place])])

    def hindered(self, hero: int) -> bool:
        if "blind" not in self.scene.marks["h"]:
            return False
        own = self.heroes[hero]
        moves, evades = self.save(hero, "move save"), self.save(hero, "evade save")
        caught = own.area in self.crowded() and not evades and self.scene.rules.blinded_hero_saves == "every_activity"
        return own.has("blind") > 0 and (not moves or caught)

    def entering(self, hero: int, entered: bool) -> None:
        for power, hand in self.scene.powers.on_entering:
            for place in range(self.scene.n_bodies):
                saves = self.scene.powers.allows_save[power] and self.save(hero, "entering save")
                body, strikes = self.bodies[place], False
                if entered and place in self.leaders() and body.area == self.heroes[hero].area and not body.has("stun"):
                    strikes = hero in self.may_be_aimed_at() and self.may_use(body, power) and not saves
                self.enemy_attack(place if strikes else None, hero, hand, "entering")
