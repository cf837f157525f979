"""The Enemy Turn and the attacks of enemies, played a second time in plain Python."""

from __future__ import annotations

from balance.games.immortal_souls.tables.board import STEPS
from tests.games.immortal_souls.encounter.reference_board import FAR, FLYER, HERO
from tests.games.immortal_souls.encounter.reference_encounter import BLUE, Body
from tests.games.immortal_souls.encounter.reference_items import Items


class Enemies(Items):
    """The enemies of an encounter."""

    def settle(self) -> None:
        raise NotImplementedError

    def draw_power(self, body: int | None, name: str) -> None:
        number, cards = self.tape.take(name), self.scene.powers.cards
        if body is None:
            return
        own = self.bodies[body]
        if self.power_owner.count(own.card) >= self.scene.constants.enemies.most_power_cards:
            return
        fits = [place for place, power in enumerate(cards) if not own.powers & int(self.scene.powers.group[power])]
        if not any(self.power_deck[place] == 0 for place in fits):
            self.power_deck = [0 if where == 1 else where for where in self.power_deck]
        left = [place for place in fits if self.power_deck[place] == 0]
        if left:
            drawn = left[number]
            self.power_deck[drawn], self.power_owner[drawn] = 2, own.card
            before = int(self.scene.powers.shields[own.powers])
            for other in self.bodies:
                if other.card == own.card:
                    other.powers |= 1 << int(cards[drawn])
                    other.shields += int(self.scene.powers.shields[other.powers]) - before

    # -- the Enemy Turn -----------------------------------------------------------------------------------------------

    def enemy_turn(self, hero: int) -> None:
        scene, own = self.scene, self.heroes[hero]
        happens = bool(self.foes())
        if scene.enemy_turns == "once":
            happens &= hero == scene.n_heroes - 1
        else:
            happens &= not (own.was_ghost if scene.rules.enemy_turn_after_death else own.ghost)
        order = self.called(hero, happens)
        self.act(order, scene.n_bodies)
        self.settle()

    def act(self, order: list[int], most: int) -> None:
        """Activate enemies one after the other, with nobody where the arrays may ask for more."""
        for turn in range(min(most, self.scene.n_bodies)):
            self.activate(order[turn] if turn < len(order) else None)

    def in_order(self, active: int, found: list[int]) -> list[int]:
        """Return enemies in the order in which they act: by player, the stunned last, the highest rank first."""

        def key(place: int) -> tuple[int, bool, int, int]:
            body, rank = self.bodies[place], int(self.scene.bestiary.rank[self.kind(self.bodies[place])])
            seat = 0 if rank == 3 else (body.owner - active) % self.scene.n_heroes
            return seat, body.has("stun") > 0, -rank, place

        return sorted(found, key=key)

    def called(self, active: int, happens: bool) -> list[int]:
        """Draw an encounter card and return whom it activates, in order."""
        scene, number = self.scene, self.tape.take("encounter card")
        if not happens:
            return []
        if 0 not in self.encounter_deck:
            self.encounter_deck = [0] * len(self.encounter_deck)
        card = [place for place, where in enumerate(self.encounter_deck) if where == 0][number]
        if scene.cards.reshuffles[card]:
            self.encounter_deck = [0] * len(self.encounter_deck)
        self.encounter_deck[card] = 1
        main, other = scene.cards.main[card], scene.cards.otherwise[card]
        found = [place for place in self.leaders() if self.matches(place, main.group)]
        call = main
        if not found and main.number:
            if other is None:
                return []
            call, found = other, [place for place in self.leaders() if self.matches(place, other.group)]
        return self.in_order(active, found)[: call.number]

    def matches(self, place: int, whom: str) -> bool:
        beasts, body = self.scene.bestiary, self.bodies[place]
        kind = self.kind(body)
        ranks, styles = ("green", "blue", "red", "purple"), ("dexterity", "faith", "magic", "strength")
        if whom in ranks:
            return int(beasts.rank[kind]) == ranks.index(whom)
        if whom in styles:
            return int(beasts.style[kind]) in (styles.index(whom), 4)
        if whom == "engaged":
            return any(self.heroes[hero].area == body.area for hero in self.living())
        if whom == "wounded":
            own = [other for other in self.bodies if other.card == body.card]
            full = int(beasts.health[kind])
            return len(own) < int(beasts.minis[kind]) or any(one.health < full - one.has("frail") for one in own)
        if whom == "highest_rank":
            return int(beasts.rank[kind]) == max(
                int(beasts.rank[self.kind(self.bodies[one])]) for one in self.leaders()
            )
        return True

    def activate(self, place: int | None) -> None:
        scene, killed = self.scene, False
        body = self.bodies[place] if place is not None else None
        if body is not None and body.card < 0:
            body = None
        stun = slow = blind = 0
        rule, victim = -1, -1
        if body is not None and place is not None:
            stun, slow, blind = body.has("stun"), body.has("slow"), body.has("blind")
            if not stun or scene.rules.stunned_knocked_out_stands_up:
                for other in self.bodies:
                    if other.card == body.card:
                        other.marks["ko"] = 0
            body.marks["stun"] = 0
            if not stun:
                body.marks["slow"] = body.marks["blind"] = 0
                self.heal(body)
        heirs = [hero for hero in self.in_play() if hero in self.may_be_aimed_at()]
        if scene.has_masters and self.holder not in heirs and heirs:
            self.holder, self.level = heirs[0], 1
        if body is not None and place is not None and not stun:
            rule, victim = self.aim(body, bool(blind))
        killed = self.behave(place if rule >= 0 else None, rule, victim, bool(slow), bool(blind))
        if scene.n_power_cards:
            draws = killed and place is not None and body is not None
            rank = int(scene.bestiary.rank[self.kind(body)]) if draws and body is not None else 9
            self.draw_power(place if draws and rank <= BLUE else None, "card for a kill")

    def heal(self, body: Body) -> None:
        own = int(self.scene.bestiary.powers[self.kind(body)])  # what its scroll names comes before its cards
        for power, heals in sorted(self.scene.powers.healing, key=lambda one: not own >> one[0] & 1):
            full = int(self.scene.bestiary.health[self.kind(body)]) - body.has("frail")
            if body.health < full and self.may_use(body, power):
                body.health = min(body.health + heals, full)

    def may_use(self, body: Body, power: int) -> bool:
        """Return whether an enemy uses a power, and take its charge."""
        if not body.powers >> power & 1 or (self.scene.powers.takes_charge[power] and body.charges <= 0):
            return False
        body.charges -= int(self.scene.powers.takes_charge[power])
        return True

    def aim(self, body: Body, blind: bool) -> tuple[int, int]:
        scene, beasts, kind = self.scene, self.scene.bestiary, self.kind(body)
        walker, by_rule = int(beasts.walker[kind]), {}
        may = [
            hero for hero in self.may_be_aimed_at() if self.map.points(walker, body.area, self.heroes[hero].area) < FAR
        ]
        if beasts.vindictive[kind]:
            may = [hero for hero in may if hero == self.holder]
        far = {hero: self.map.points(walker, body.area, self.heroes[hero].area) for hero in may}
        if scene.rules.scroll_distances == "attack":
            far |= {hero: shot for hero in may if scene.shoots[int(beasts.scroll[kind]), shot := self.map.points(
                FLYER, body.area, self.heroes[hero].area)]}  # fmt: skip
        rules = scene.scrolls.distances[int(beasts.scroll[kind])]
        for number, distances in enumerate(rules):
            by_rule[number] = [hero for hero in may if not blind and far[hero] in distances
                               and self.map.sees(body.area, self.heroes[hero].area)]  # fmt: skip
        by_rule[len(rules)] = may
        rule = next((number for number, heroes in by_rule.items() if heroes), -1)
        if rule < 0:
            return -1, -1

        def key(hero: int) -> tuple[int, ...]:
            own, victim = self.heroes[hero], int(beasts.victim[kind])
            hurt = max(self.whole(hero) - own.health, 0)
            liked = (hurt, -far[hero], own.crowns, *(int(scene.party.style[hero]) == style for style in range(4)))[
                victim
            ]
            return int(liked), hurt, -own.health, -far[hero], -hero

        return rule, max(by_rule[rule], key=key)

    def behave(self, place: int | None, rule: int, victim: int, slow: bool, blind: bool) -> bool:
        """Carry out a rule; return whether a hero died."""
        scene = self.scene
        body = self.bodies[place] if place is not None else None
        struck = hurt = killed = False
        codes = [[STEPS[code] for code in scene.programs[:, :, step].ravel() if code >= 0]
                 for step in range(scene.programs.shape[2])]  # fmt: skip
        attacks = [any(code in ("attack", "attack_off", "shoot_2") for code in one) for one in codes]
        for step, asks in enumerate(attacks):
            what = ""
            if body is not None:
                scroll = int(scene.bestiary.scroll[self.kind(body)])
                code = int(scene.programs[scroll, rule, step])
                done = code < 0 or (slow and scene.sentences[scroll, rule, step] > 0)
                what = "" if done else STEPS[code]
                self.walk(body, what, victim)
            if not asks:
                continue
            whom, hand = self.shot_at(body, what, victim, blind)
            each = scene.rules.horde_attacks == "each_mini"
            for number in range(int(scene.bestiary.minis.max()) if each else 1):
                minis = sum(other.card == body.card for other in self.bodies) if body is not None else 0
                made = whom is not None and number < max(minis, 1) and not self.heroes[whom].ghost
                lost, dead = self.enemy_attack(place if made else None, whom, hand, "enemy")
                struck, hurt, killed = struck or made, hurt or lost > 0, killed or dead
        for powers, due in ((scene.powers.again_on_attack, struck), (scene.powers.again_on_wounds, hurt)):
            for power, hand in powers:
                made = due and body is not None and body.card >= 0 and self.reaches(body, victim, hand)
                made = bool(made and body is not None and self.may_use(body, power))
                killed |= self.enemy_attack(place if made else None, victim, hand, "enemy again")[1]
        return killed

    def walk(self, body: Body, what: str, victim: int) -> None:
        walker, goal = int(self.scene.bestiary.walker[self.kind(body)]), body.area
        if what == "engage" or what.startswith("move"):
            goal = self.map.walk(walker, body.area, self.heroes[victim].area, 99 if what == "engage" else int(what[-1]))
        elif what == "retreat":
            nearest = min(
                self.living() or [0], key=lambda hero: self.map.points(FLYER, body.area, self.heroes[hero].area)
            )
            taken = [one.area for one in [*self.heroes, *self.bodies]]
            goal = self.map.step_back(walker, body.area, self.heroes[nearest].area, body.came_from, taken, True)
        else:
            return
        for other in self.bodies:
            if other.card == body.card and other.area != goal:
                here = other.area
                while (ahead := self.map.next_area(walker, here, goal)) != here:
                    self.scorch(other, ahead)
                    here = ahead
                other.came_from, other.area = other.area, goal

    def shot_at(self, body: Body | None, what: str, victim: int, blind: bool) -> tuple[int | None, int]:
        """Return whom an attack step hits, and the hand that it uses."""
        if body is None or blind or what not in ("attack", "attack_off", "shoot_2"):
            return None, 0
        if what == "shoot_2":
            seen = [hero for hero in self.may_be_aimed_at() if self.map.sees(body.area, self.heroes[hero].area)
                    and self.map.points(FLYER, body.area, self.heroes[hero].area) <= 2]  # fmt: skip
            if not seen:
                return None, 1
            victim = min(seen, key=lambda hero: self.map.points(FLYER, body.area, self.heroes[hero].area))
        hand = int(what != "attack")
        return (victim if self.reaches(body, victim, hand) else None), hand

    def reaches(self, body: Body, victim: int, hand: int) -> bool:
        there = self.heroes[victim].area
        near = self.map.points(FLYER, body.area, there) <= int(self.scene.bestiary.reach[self.kind(body), hand])
        return near and self.map.sees(body.area, there) and not self.heroes[victim].ghost

    def enemy_attack(self, place: int | None, victim: int | None, hand: int, name: str) -> tuple[int, bool]:
        """Read an attack of an enemy and carry it out; return the wounds, and whether the victim died."""
        scene, arms, powers = self.scene, self.scene.enemy_arms, self.scene.powers
        blow, lost, kind, where, bonus = None, 0, 0, 0, 0
        body = self.bodies[place] if place is not None else None
        target = self.heroes[victim] if body is not None and victim is not None else None
        who = victim if victim is not None else 0
        if body is not None and target is not None:
            kind, where = self.kind(body), target.area
            bonus = self.enemy_bonus(body, where)
            self.enemy_attacks += 1
            strike = int(scene.bestiary.strike[kind, hand, powers.variant[body.powers]])
            blow = self.rolled(arms, name, strike, who, bonus, {"cannot_buy": body.has("silenced")}, True)
        else:
            self.rolled(arms, name, 0, 0, 0, {}, False)
        damage = int(scene.bestiary.damage_type[kind, hand])
        if name not in ("reaction", "entering"):
            self.ward(who if target is not None else None, blow)
        lost = self.suffered(arms, "h", target, who, blow, damage, name)
        self.wounds += 0 if self.is_companion(who) else lost
        if arms.reaches:
            for other, hero in enumerate(self.heroes):
                hit = blow is not None and blow["deeds"]["area"] > 0 and other != who and not hero.ghost
                hit = bool(hit and blow and self.map.points(HERO, where, hero.area) <= blow["deeds"]["radius"])
                aimed = dict(blow) if hit and blow else None
                if aimed and body is not None and scene.rules.supremacy_of_area_attacks == "each_area":
                    aimed["hits"] = max(
                        aimed["hits"] + self.enemy_bonus(body, hero.area) - self.enemy_bonus(body, where), 0
                    )
                more = self.suffered(arms, "h", hero if hit else None, other, aimed, damage, "enemy area", False)
                self.wounds += 0 if self.is_companion(other) else more
            for other in range(len(self.heroes)):
                if body is not None and other != who:
                    self.departed(other)
        if blow and body is not None and target is not None and blow["deeds"]["push"] and blow["hits"]:
            self.push(self.walker(who), target, body)
        if powers.curse.any():
            saves = (
                self.save(who, f"{name} curse save")
                if target is not None
                else bool(self.tape.take(f"{name} curse save") < 0)
            )
            if target is not None and body is not None and not saves:
                target.curse = max(target.curse, int(powers.curse[body.powers]))
        return lost, self.departed(who) if target is not None else False

    def enemy_bonus(self, body: Body, where: int) -> int:
        powers = self.scene.powers
        leads = int(powers.leading_hits[body.powers]) if self.dominated(body.area, "e") else 0
        return (
            self.supremacy(where, "e") + int(powers.hits[body.powers]) + leads + self.lasting("e") - body.has("dulled")
        )

    def push(self, walker: int, target: Body, attacker: Body) -> None:
        first = {"attackers_way": attacker.came_from, "defenders_way": target.came_from, "away": self.nowhere}
        taken = [one.area for one in [*self.heroes, *self.bodies]]
        goal = self.map.step_back(
            walker, target.area, attacker.area, first[self.scene.rules.push_direction], taken, False
        )
        target.came_from, target.area = target.area, goal
