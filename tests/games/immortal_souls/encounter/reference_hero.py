"""The Hero Turn and the policies of heroes, played a second time in plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.games.immortal_souls.encounter.reference_board import ENEMY, FAR, FLYER, HERO
from tests.games.immortal_souls.encounter.reference_encounter import Body
from tests.games.immortal_souls.encounter.reference_turns import Turns


@dataclass
class Going:
    """A hero on his way: the areas and what it costs to each, where he is, the points, and whether he goes on."""

    path: list[int]
    costs: list[int]
    at: int
    budget: int
    going: bool


class Played(Turns):
    """A whole encounter."""

    def hero_turn(self, hero: int) -> None:
        scene, own = self.scene, self.heroes[hero]
        companions = [place for place in range(len(self.heroes)) if self.is_companion(place) and
                      scene.party.pack.owner[place] == hero]  # fmt: skip
        tokens = {place: {name: self.heroes[place].has(name) > 0 for name in ("stun", "slow", "blind")}
                  for place in (hero, *companions)}  # fmt: skip
        began = tokens[hero]
        own.was_ghost = own.ghost
        if own.ghost and len(scene.altars):
            own.area = int(scene.altars[0])
        able = not own.ghost and not began["stun"]
        actions = int(scene.party.actions[hero, own.rank]) if able and not began["slow"] else 0
        lies_still = scene.rules.knocked_out_hero_may_not == "all"
        actions = self.use_items(hero, able and not (lies_still and own.has("ko")), actions)
        actions, done = self.make_move(hero, able, began["slow"], actions)
        able = able and not own.ghost and (not own.has("stun") or began["stun"])
        most = int(scene.party.activities[hero, own.rank]) if able and not done and not own.has("ko") else 0
        if began["slow"]:
            most = min(most, scene.constants.conditions.slowed_activities)
        able = able and not (lies_still and own.has("ko"))
        actions = self.draw_off(hero, able, actions)
        actions = self.heal_somebody(hero, able, actions)
        self.pick_up(hero, able)
        actions = self.hand_over(hero, able, actions)
        attacks = self.hero_attacks
        for companion in companions:
            actions, most = self.bid(hero, companion, able, actions, most, tokens[companion]["slow"])
            able = able and not own.ghost and (not own.has("stun") or began["stun"])
            most = most if able and not own.has("ko") else 0
        about_to = able and most > 0 and any(one["now"] for one in self.options(hero, -1).values())
        self.awaken(hero, about_to)
        self.quicken(hero, about_to)
        armed = False
        for number in range(int(scene.party.activities[hero].max())):
            armed |= self.attack(hero, number < most, actions > 0 and number == 0)
            self.look_round(hero)
        if scene.party.off_hand[hero] >= 0:
            for number in range(int(scene.party.extra[hero].max())):
                self.attack(hero, armed and number < int(scene.party.extra[hero, own.rank]), False, off_hand=True)
                self.look_round(hero)
        if scene.party.hides[hero]:
            saves = "blind" not in scene.marks["h"] or self.save(hero, "hide save") or not own.has("blind")
            if able and saves and actions > 0 and attacks == self.hero_attacks and not own.ghost:
                own.marks["hidden"] = 1
        for place in (hero, *companions):
            for name, there in tokens[place].items():
                if there or scene.rules.own_turn_token_ends == "this_turn":
                    self.heroes[place].marks[name] = 0
            self.heroes[place].curse = self.heroes[place].ready = 0
        self.settle()

    def bid(self, hero: int, companion: int, able: bool, actions: int, most: int, slow: bool) -> tuple[int, int]:
        """Call a companion or let the one that is there act; return the actions and attacks that the owner has left."""
        scene, own, wolf = self.scene, self.heroes[hero], self.heroes[companion]
        pack = scene.party.pack
        mine = [place for place in self.living() if self.is_companion(place) and pack.owner[place] == hero]
        power, action = int(pack.called[hero, own.rank]), bool(pack.by_action[companion])
        if companion in mine:
            wants = power >= 0 and not wolf.has("stun")
        else:
            wants = power == companion and not mine and not own.call
        wants = wants and able and (actions if action else most) > 0
        acts = wants
        if "blind" in scene.marks["h"]:
            saves = self.save(hero, "companion save")
            acts = wants and (saves or not own.has("blind"))
        if acts:
            own.marks["hidden"] = 0
        if acts and companion not in mine:
            whole = int(scene.party.health[companion, 1])
            self.heroes[companion] = wolf = Body(
                own.area,
                whole,
                int(scene.party.shields[companion]),
                self.nowhere,
                rank=1,
                cool=wolf.cool,
                gear=wolf.gear,
            )
        _, done = self.make_move(companion, acts, slow, 0)
        fights = acts and not done and not wolf.ghost and not wolf.has("ko") and not wolf.has("stun")
        bit = self.attack(companion, fights, False)
        if scene.party.off_hand[companion] >= 0:
            self.attack(companion, bit, False, off_hand=True)
        return actions - int(wants and action), most - int(wants and not action)

    def draw_off(self, hero: int, able: bool, actions: int) -> int:
        """Taunt or provoke a Master; return the actions left."""
        beasts, own = self.scene.bestiary, self.heroes[hero]
        if not beasts.vindictive.any():
            return actions
        saves = "blind" not in self.scene.marks["h"] or self.save(hero, "threat save") or not own.has("blind")
        if not able or not saves or hero == self.holder or own.health <= self.heroes[self.holder].health:
            return actions
        seen = [self.bodies[place].area for place in self.foes() if beasts.vindictive[self.kind(self.bodies[place])]
                and self.map.hero_sees(own.area, self.bodies[place].area, self.crowded())]  # fmt: skip
        reach = int(self.scene.party.taunts[hero, own.rank])
        if any(self.map.points(FLYER, own.area, area) <= reach for area in seen):
            self.holder, self.level, own.marks["hidden"] = hero, 1, 0
        elif seen and actions > 0:
            actions, own.marks["hidden"] = actions - 1, 0
            if self.level == 1:
                self.holder = hero
            self.level = 1
        return actions

    def heal_somebody(self, hero: int, able: bool, actions: int) -> int:
        """Heal the most wounded hero in sight; return the actions left."""
        party, own = self.scene.party, self.heroes[hero]
        if not party.heals[hero].any():
            return actions
        heals, far = int(party.heals[hero, own.rank]), int(party.heal_reach[hero, own.rank])
        hurt = {other: self.whole(other) - self.heroes[other].health for other in self.in_play()
                if self.map.points(FLYER, own.area, self.heroes[other].area) <= far
                and self.map.hero_sees(own.area, self.heroes[other].area, self.crowded())}  # fmt: skip
        most = max(hurt.values(), default=0)
        uses = able and actions > 0 and heals > 0 and not own.mend and most >= heals
        works = uses
        if uses:
            own.marks["hidden"] = 0
        if "blind" in self.scene.marks["h"]:
            saves = self.save(hero, "heal save")
            works = uses and (saves or not own.has("blind"))
        if works:
            target = min(other for other, wounds in hurt.items() if wounds == most)
            for other in self.in_play():
                way = self.map.points(HERO, self.heroes[target].area, self.heroes[other].area)
                if other == target or way <= int(party.heal_radius[hero, own.rank]):
                    self.heroes[other].health += min(heals, self.whole(other) - self.heroes[other].health)
                    self.count("healed" if other == target else "healed around")
        if works or (uses and self.scene.rules.failed_save_turns_power):
            own.mend = int(party.heal_cooldown[hero, own.rank])
        return actions - uses

    # -- whom and from where ------------------------------------------------------------------------------------------

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

    # -- the Move -----------------------------------------------------------------------------------------------------

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
                saves = self.scene.powers.saved[power] and self.save(hero, "entering save")
                body, strikes = self.bodies[place], False
                if entered and place in self.leaders() and body.area == self.heroes[hero].area and not body.has("stun"):
                    strikes = hero in self.may_be_aimed_at() and self.may_use(body, power) and not saves
                self.enemy_attack(place if strikes else None, hero, hand, "entering")

    # -- attacks ------------------------------------------------------------------------------------------------------

    def attack(self, hero: int, makes: bool, focus: bool, off_hand: bool = False) -> bool:
        """Make a combat activity; return whether it was an attack with a weapon."""
        scene, own = self.scene, self.heroes[hero]
        makes = makes and not own.ghost and (not off_hand or self.armed_with(hero, 1) >= 0)
        options = self.options(hero, -1, off_hand)
        chosen = self.choose(hero, makes, options, "attack", int(focus))
        tries = carried = makes and chosen < scene.n_bodies
        if tries:
            own.marks["hidden"] = 0
        if "blind" in scene.marks["h"]:
            saves = self.save(hero, "attack save")
            carried = tries and (saves or not own.has("blind"))
        target = self.bodies[chosen] if tries else None
        strike, power = self.with_what(hero, self.map.points(FLYER, own.area, target.area)) if target else (0, -1)
        if off_hand:
            strike, power = self.armed_with(hero, 1), -1
        if power >= 0 and (carried or scene.rules.failed_save_turns_power):
            own.cool[power] = int(scene.party.cooldown[strike])
        self.strike(hero, target if carried else None, strike, int(focus))
        return carried and power < 0

    def strike(self, hero: int, target: Body | None, strike: int, focus: int) -> None:
        scene, arms = self.scene, self.scene.hero_arms
        own, blow, where, damage, hurt = self.heroes[hero], None, 0, 0, False
        name, master = "companion" if self.is_companion(hero) else "hero", int(scene.party.pack.owner[hero])
        if target is None:
            self.rolled(arms, name, 0, 0, 0, {}, False)
        else:
            self.hero_attacks += name == "hero"
            where, damage = target.area, int(scene.party.damage_type[strike])
            bonus = self.bonus(hero, where, focus)
            blow = self.rolled(
                arms, name, strike, self.kind(target), bonus, self.met(hero, target, bonus, strike), True
            )
            own.ready = 0
            self.wear(hero, strike, blow)
        lost = self.suffered(arms, "e", target, 0, blow, damage, name)
        hurt = target is not None and lost > 0 and bool(scene.bestiary.is_master[self.kind(target)])
        if arms.reaches:
            for body in list(self.bodies):
                hit = blow is not None and blow["deeds"]["area"] > 0 and body.card >= 0 and body is not target
                hit = bool(hit and blow and self.map.points(ENEMY, where, body.area) <= blow["deeds"]["radius"])
                aimed = dict(blow) if hit and blow else None
                if aimed and scene.rules.supremacy_of_area_attacks == "each_area":
                    aimed["hits"] = max(aimed["hits"] + self.supremacy(body.area, "h") - self.supremacy(where, "h"), 0)
                lost = self.suffered(arms, "e", body if hit else None, 0, aimed, damage, "area", False)
                hurt |= lost > 0 and bool(scene.bestiary.is_master[self.kind(body)])
        if blow and target is not None and blow["deeds"]["push"] and blow["hits"]:
            self.push(int(scene.bestiary.walker[self.kind(target)]), target, own)
        if target is not None:
            self.buried(master)
        if hurt and master == self.holder:
            self.level = 2
        elif hurt and self.level == 1:
            self.holder = master
        elif hurt:
            self.level = 1
