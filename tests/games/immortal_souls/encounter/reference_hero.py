"""The Hero Turn and the attacks of heroes, played a second time in plain Python."""

from __future__ import annotations

from tests.games.immortal_souls.encounter.reference_board import ENEMY, FLYER, HERO
from tests.games.immortal_souls.encounter.reference_encounter import Body
from tests.games.immortal_souls.encounter.reference_moves import Moves


class Played(Moves):
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
        power, action = int(pack.calls[hero, own.rank]), bool(pack.by_action[companion])
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
