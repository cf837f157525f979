"""A whole combat on the board, told a second time: one attack after another, as the rulebook resolves it."""

from __future__ import annotations

from dataclasses import dataclass

from balance.games.battlelore.tables import LoreCard
from tests.games.battlelore.adventure.reference_board import Board, adjacent, neighbours, rear, relative
from tests.games.battlelore.adventure.reference_game import Game
from tests.games.battlelore.adventure.reference_lore import window
from tests.games.battlelore.adventure.reference_moves import begin, step
from tests.games.battlelore.adventure.reference_terms import Unit

FEARLESS = 99
"""Flags that a unit may ignore that ignores any number."""


@dataclass
class Attack:
    """One attack of a unit on another: the throw, and what it has led to.

    `travelled` is the number of hexes that the target retreated, `ignored` that of flags it ignored; `kind` is
    "attack", "bonus" or "back". `agility`, `shield` and `stab` are what Lore cards do to this one throw.
    """

    game: Game
    by: Unit
    on: Unit
    kind: str = "attack"
    travelled: int = 0
    ignored: int = 0
    agility: int = 0
    shield: bool = False
    stab: bool = False

    def __post_init__(self) -> None:
        self.melee = adjacent(self.by.at, self.on.at)

    @property
    def backs(self) -> bool:
        return self.kind == "back"

    def resolve(self) -> None:
        """Throw the dice; then hits, and only then flags (BL-HIT-05)."""
        self._play_before()
        faces = self.game.throw("battle", n_dice(self))
        self.game.happened["melee" if self.melee else "ranged"] += 1
        faces += self._play_after(faces)
        flags = 0 if self.shield else faces.count("F")
        hits = self._hits(faces, flags)
        if self.on.creature:
            die_of(self.game, self.on, "critical", hits)
        else:
            lose(self.game, self.on, hits)
        if self.on.alive and flags and not self.on.webbed:
            self._flags(flags)

    def _play_before(self) -> None:
        """Let both sides play Lore cards before the throw: on the attacker, and then on the target (BL-LORE-12)."""
        game, by, on = self.game, self.by, self.on
        phases = ("combat", "melee" if self.melee else "ranged")
        if self.kind == "attack" and window(game, by.side, phases, lambda card: [by]):
            spell = game.spells[by.side]
            card = game.terms.lore_cards[spell.card]
            if card.mechanism in ("dice", "berserk") and card.phase == "melee":
                by.melee_bonus += spell.value
            elif card.mechanism in ("dice", "berserk"):
                by.bonus += spell.value
        if not self.backs and window(
            game, on.side, ("before_roll",), lambda card: [by if card.mechanism == "parry" else on]
        ):
            self.agility = game.spells[on.side].value * game.has_cast(on.side, "agility")

    def _play_after(self, faces: list[str]) -> list[str]:
        """Return the dice that a raging attacker adds; then let the target's side play a Lore card on the throw."""
        game, by, on = self.game, self.by, self.on
        if self.backs:
            return []
        more = []
        if self.melee and game.has_cast(by.side, "berserk") and game.spells[by.side].unit == by.slot:
            more = game.throw("berserk", swords_that_hit(self, faces.count("S")))
        swords = swords_that_hit(self, (faces + more).count("S"))

        def aims(card: LoreCard) -> list[Unit]:
            if card.mechanism == "backstab":
                return [by] if self.melee and swords else []
            return [on]

        if window(game, on.side, ("after_roll",), aims):
            self.shield, self.stab = game.has_cast(on.side, "shield"), game.has_cast(on.side, "backstab")
        if self.stab and by.creature:
            die_of(game, by, "critical", swords)
        elif self.stab:
            lose(game, by, swords)
        return more

    def _hits(self, faces: list[str], flags: int) -> int:
        """Return the hits of a throw, after the Lore faces have been used."""
        game, by, on, lore = self.game, self.by, self.on, faces.count("L")
        hits = 0 if self.shield else max(0, faces.count(on.helmet) - self.agility)
        hits += 0 if self.stab else swords_that_hit(self, faces.count("S"))
        cries = not self.backs and game.has_cast(by.side, "cry") and game.spells[by.side].unit == by.slot
        hits += lore * (on.poisoned or cries)
        caught = max(0, flags - bold(game, on)) if game.rules.webbed_flags == "taken_hit" else flags
        if game.terms.lore:
            consumed = cries or (on.poisoned and game.rules.poison_lore == "consumed")
            game.use_lore_faces(by, on, hits + caught * on.webbed, 0 if consumed else lore)
        return hits + caught * on.webbed

    def _flags(self, flags: int) -> None:
        """Ignore some flags, and retreat from the others."""
        on, game = self.on, self.game
        most = min(flags, bold(game, on))
        least = most if on.creature else 0
        way = longest_retreat(game, on.side, on.at, flags * on.hexes_per_flag)
        options = {k: k for k in range(least, most) if (flags - k) * on.hexes_per_flag <= way} | {most: most}
        self.ignored = game.decide("ignore", on.side, options)
        game.happened["flag ignored"] += self.ignored > 0
        game.happened["flag taken freely"] += self.ignored < most
        unmet = self._retreat((flags - self.ignored) * on.hexes_per_flag)
        if on.creature:
            unmet = self._trample(unmet)
            again = game.throw("cornered", unmet).count(on.helmet)
            die_of(game, on, "cornered critical", again)
        elif unmet:
            game.happened["blocked retreat"] += 1
            lose(game, on, unmet)
        if on.alive and on.frightened:
            losses = game.throw("panic", self.travelled).count(on.helmet)
            game.happened["panic losses"] += losses > 0
            lose(game, on, losses)

    def _retreat(self, hexes: int) -> int:
        """Go back hex by hex, and return how many hexes could not be travelled; who passes a hex does not hold it."""
        game, on, before = self.game, self.on, self.travelled
        while hexes:
            options = {relative(on.side, cell): cell for cell in rear(on.side, on.at) if game.free(cell)}
            if not options:
                break
            game.put(on, game.decide("retreat", on.side, options))
            game.happened["retreat"] += 1
            self.travelled += 1
            hexes -= 1
        if self.travelled > before:
            game.settle()
        return hexes

    def _trample(self, unmet: int) -> int:
        """Trample the units that bar a creature's way, and return the hexes that it cannot travel in the end."""
        game, on = self.game, self.on
        while unmet:
            barring = [game.standing[cell] for cell in rear(on.side, on.at) if cell in game.standing]
            if not barring:
                break
            victims = game.beside(on) if game.rules.trample == "all_adjacent" else barring
            for unit in victims:
                unit.figures = max(0, unit.figures - unmet)
            game.happened["trample"] += 1
            if dead := [unit for unit in victims if not unit.figures]:
                game.remove(*dead)
            game.happened["trampled to death"] += len(dead)
            game.happened["trampled beside the way"] += len(set(map(id, dead)) - set(map(id, barring)))
            if not (game.rules.trample_clears_way and set(map(id, dead)) & set(map(id, barring))):
                break
            game.happened["way cleared"] += 1
            unmet = self._retreat(unmet)
        return unmet


def lose(game: Game, unit: Unit, figures: int) -> None:
    """Take figures from a unit; with its last, the banner's bearer, it is eliminated (BL-TRP-04)."""
    unit.figures = max(0, unit.figures - figures)
    if not unit.figures:
        game.remove(unit)


def die_of(game: Game, creature: Unit, name: str, n_dice: int) -> None:
    """Throw again the dice that hit a creature: it dies if one shows its colour (BL-CRE-03)."""
    if creature.helmet in game.throw(name, n_dice):
        game.happened[name] += 1
        game.remove(creature)


def n_dice(attack: Attack) -> int:
    """Colour, weapon after a move, the lowest cap, then dice of cards, which no cap limits (BL-DICE-02)."""
    game, by, on, rules = attack.game, attack.by, attack.on, attack.game.rules
    if not attack.backs and game.has_cast(on.side, "parry") and game.spells[on.side].unit == by.slot:
        return game.spells[on.side].value
    dice, after = by.fighter.unit.dice, by.fighter.weapon.after_moving
    if by.moved and not attack.backs:
        if after == "bow" and rules.bow_after_moving == "to_one":
            dice = min(dice, 1)
        elif after == "bow" or (after == "crossbow" and rules.crossbow_after_moving == "one_fewer"):
            dice = max(dice - 1, 0)
    if not attack.backs or rules.battle_back_caps == "swapped":
        dice = min([dice, *caps(game.board, by.at, on.at)])
    if attack.backs:
        return dice
    return max(0, dice + by.bonus + (by.melee_bonus if attack.melee else 0))


def caps(board: Board, start: int, goal: int) -> list[int]:
    """Return the caps of both hexes: a hill has none against those who stand as high."""
    out = [t.cap_out for t in board.terrain[start] if t.cap_out is not None]
    into = [
        t.cap_in for t in board.terrain[goal] if t.cap_in is not None and (t.cap_in_level or not board.has(start, t.id))
    ]
    return out + into


def swords_that_hit(attack: Attack, swords: int) -> int:
    weapon, kind = attack.by.fighter.weapon, attack.on.kind
    if attack.melee and not weapon.swords_point_blank:
        return 0
    rule = weapon.swords_vs_foot if kind == "foot" else weapon.swords_vs_mounted
    if kind == "creature" and rule == "all_but_one":
        rule = attack.game.rules.short_sword_vs_creature
    return {"all": swords, "all_but_one": max(0, swords - 1), "none": 0}[rule]


def bold(game: Game, unit: Unit) -> int:
    """Return how many flags a unit may ignore now, where it stands (BL-MOR)."""
    morale, rules = game.terms.constants.morale, game.rules
    if game.has_cast(unit.side, "fearless") and game.spells[unit.side].unit == unit.slot:
        return FEARLESS
    if game.has_cast(1 - unit.side, "mists"):
        return 0
    ground = game.board.flags_ignored_at(unit.at, unit.side, unit.creature)
    if unit.creature:
        return max(morale.creature_bold, ground)
    race = unit.fighter.race.mounted_bold if unit.kind == "mounted" else unit.fighter.race.foot_bold
    friends = [other for other in game.beside(unit) if other.side == unit.side and not other.webbed]
    support = morale.support_bold if len(friends) >= morale.friends_for_support else 0
    adds = rules.bold_sources == "add" or (rules.bold_sources == "dwarves_only" and race > 0)
    return sum((race, support, ground)) if adds else max(race, support, ground)


def longest_retreat(game: Game, side: int, cell: int, most: int) -> int:
    """Return how many hexes a unit could retreat from a hex, `most` at most."""
    if most == 0:
        return 0
    behind = [there for there in rear(side, cell) if game.free(there)]
    return max((1 + longest_retreat(game, side, there, most - 1) for there in behind), default=0)


def fight(game: Game, by: Unit, on: Unit) -> None:
    """Fight a whole combat: an attack, then what follows of it (BL-POST)."""
    home, place = by.at, on.at
    attack = Attack(game, by, on)
    attack.resolve()
    if attack.melee and by.alive and place not in game.standing:
        if _gains_ground(game, by, place) and by.kind == "mounted":
            _pursue(game, by, on, home)
    else:
        _battle_back(game, attack)


def _gains_ground(game: Game, by: Unit, cell: int) -> bool:
    gains = game.decide("gain", by.side, {0: False, 1: True})
    if gains:
        game.happened["gain"] += 1
        game.put(by, cell)
        game.settle()
    return gains


def _pursue(game: Game, by: Unit, first: Unit, home: int) -> None:
    """Let a mounted unit that has gained ground go on by a hex, and attack once more (BL-POST-04 to BL-POST-09)."""
    board, along_stops = game.board, game.rules.rampart_along == "stop"
    unstopped = frozenset({"ford"} if game.rules.ford_pursuit == "pass" else ())
    entered = step(board, begin(board, home), by.at, along_stops=along_stops, unstopped=unstopped)
    ways = {relative(by.side, by.at): entered}
    for cell in neighbours(by.at) if entered.goes_on else ():
        if game.free(cell):
            ways[relative(by.side, cell)] = step(board, entered, cell, along_stops=along_stops)
    way = game.decide("pursuit", by.side, ways)
    if way.cell != by.at:
        game.happened["pursuit"] += 1
        game.put(by, way.cell)
        game.settle()
    _bonus_melee(game, by, first, may_battle=way.clear)


def _bonus_melee(game: Game, by: Unit, first: Unit, *, may_battle: bool) -> None:
    targets: dict[int, Unit | None] = {0: None}
    for enemy in game.enemies_beside(by) if may_battle else ():
        if enemy is not first or game.rules.bonus_target == "any":
            targets[1 + relative(by.side, enemy.at)] = enemy
    target = game.decide("bonus", by.side, targets)
    if target is None:
        return
    game.happened["bonus melee"] += 1
    place = target.at
    attack = Attack(game, by, target, "bonus")
    attack.resolve()
    if by.alive and place not in game.standing:
        _gains_ground(game, by, place)
    elif game.rules.battle_back_on_bonus:
        _battle_back(game, attack)


def _battle_back(game: Game, attack: Attack) -> None:
    """Let a target that held its hex and is Bold now attack in turn; nobody follows up (BL-POST-10 to BL-POST-14)."""
    by, on = attack.by, attack.on
    if not (attack.melee and by.alive and on.alive and not attack.travelled and not on.webbed):
        return
    willing = attack.ignored if game.rules.battle_back_needs == "ignored_flag" else bold(game, on)
    if willing and game.decide("back", on.side, {0: False, 1: True}):
        game.happened["battle back"] += 1
        Attack(game, on, by, "back").resolve()
