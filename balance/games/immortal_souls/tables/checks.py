"""What must hold between the tables of Immortal Souls; each check yields the table, the entry and the fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from balance.base.errors import Fault, comma_list, suggestion
from balance.catalogue.tables.schema import CrossCheck, Tables
from balance.game.kit import names_known
from balance.games.immortal_souls.tables.board import Area, Encounter, Scroll, parse_line, parse_placed
from balance.games.immortal_souls.tables.cards import Critical, Enemy, Face, Gem, Hero, Power
from balance.games.immortal_souls.tables.checks_ground import grounds, reachable_areas
from balance.games.immortal_souls.tables.checks_quests import QUEST_CHECKS
from balance.games.immortal_souls.tables.items import Weapon

EntryFault = tuple[str, str, Fault]
RANKS = range(1, 8)


def _fault(
    table: str, entry: str, field: str, value: str, message: str, names: Iterable[str] = (), tip: str = ""
) -> EntryFault:
    """Return a fault of an entry's field; without a tip it suggests the nearest of `names`."""
    return table, entry, Fault(message, field=field, found=value, tip=tip or suggestion(value, names))


def _gems(tables: Tables) -> Iterator[EntryFault]:
    """Yield heroes without exactly one gem for each rank."""
    ranks: dict[str, list[int]] = {hero: [] for hero in tables["heroes"]}
    for entry_id, entry in tables["gems"].items():
        gem = cast("Gem", entry)
        hero_ranks = ranks.setdefault(gem.hero, [])
        if gem.rank in hero_ranks:
            yield _fault("gems", entry_id, "rank", str(gem.rank), f"is a rank that {gem.hero} has a gem for already")
        hero_ranks.append(gem.rank)
    for hero in tables["heroes"]:
        if missing := [str(rank) for rank in RANKS if rank not in ranks[hero]]:
            tip = f"add its rows for rank {comma_list(missing)} to gems"
            yield _fault("heroes", hero, "id", hero, "has no gem for every rank", tip=tip)


def _powers(tables: Tables) -> Iterator[EntryFault]:
    """Yield powers of a hero that do not exist, or that his class may not take."""
    owners: dict[str, set[str]] = {}
    for entry in tables["powers"].values():
        power = cast("Power", entry)
        owners.setdefault(power.power, set()).update(power.hero or tables["heroes"])
    for hero, entry in tables["heroes"].items():
        for name in cast("Hero", entry).powers:
            if name not in owners:
                yield _fault("heroes", hero, "powers", name, "is not in powers", owners)
            elif hero not in owners[name]:
                tip = f"it is of {comma_list(sorted(owners[name]))}"
                yield _fault("heroes", hero, "powers", name, f"is not for {hero}", tip=tip)


def _calls(tables: Tables) -> Iterator[EntryFault]:
    """Yield powers that call companions without an activity or a cooldown, or as attacks (IS-POW.11)."""
    for entry_id, entry in tables["powers"].items():
        power = cast("Power", entry)
        if power.companion is None:
            continue
        if power.activation not in ("combat", "action"):
            tip = "let it take a combat activity or an action"
            yield _fault("powers", entry_id, "activation", power.activation, "calls no companion", tip=tip)
        if not power.cooldown:
            tip = "tell the hourglasses that it shows when the companion has died, 1 to 4"
            yield _fault("powers", entry_id, "cooldown", "0", "would call a companion again at once", tip=tip)
        if power.is_attack:
            tip = "let it have no hits and no dice; the companion has a weapon"
            yield _fault("powers", entry_id, "companion", power.companion, "is called by an attack", tip=tip)


def _fronts(tables: Tables) -> Iterator[EntryFault]:
    """Yield soul weapons whose front side is no ordinary weapon of the same hand (IS-ITEM.6)."""
    weapons = {weapon_id: cast("Weapon", entry) for weapon_id, entry in tables["weapons"].items()}
    for weapon_id, weapon in weapons.items():
        front = weapons.get(weapon.front or "")
        if front is None:
            continue
        if weapon.gem_souls is None:
            tip = "tell what its gem costs in gem_souls"
            yield _fault("weapons", weapon_id, "front", front.id, "is the front side of no soul weapon", tip=tip)
        if front.front or front.hand != weapon.hand:
            tip = f"name an ordinary weapon for the hand {weapon.hand}"
            yield _fault("weapons", weapon_id, "front", front.id, "is no front side", tip=tip)


def _chance(tables: Tables) -> Iterator[EntryFault]:
    """Yield dice without faces, and a bag of criticals without tokens."""
    dice = [cast("Face", entry).die for entry in tables["faces"].values()]
    for die in ("red", "blue"):
        if die not in dice:
            yield _fault("faces", next(iter(tables["faces"])), "die", die, "is a die without a face")
    if not any(cast("Critical", entry).tokens for entry in tables["criticals"].values()):
        yield _fault(
            "criticals", next(iter(tables["criticals"])), "tokens", "0", "leaves the bag empty, as all others do"
        )


def _scrolls(tables: Tables) -> Iterator[EntryFault]:
    """Yield enemies whose scroll does not exist, and scrolls that are not complete."""
    scrolls: dict[str, list[Scroll]] = {}
    for entry in tables["scrolls"].values():
        rule = cast("Scroll", entry)
        scrolls.setdefault(rule.scroll, []).append(rule)
    for enemy, entry in tables["enemies"].items():
        if (scroll_name := cast("Enemy", entry).scroll) not in scrolls:
            yield _fault("enemies", enemy, "scroll", scroll_name, "is not in scrolls", scrolls)
    for name, rules in scrolls.items():
        yield from _rules(name, rules)


def _sides(tables: Tables) -> Iterator[EntryFault]:
    """Yield Masters whose card is turned over without another side that is a Master's and stays (IS-MAST.1)."""
    enemies = {name: cast("Enemy", entry) for name, entry in tables["enemies"].items()}
    for name, enemy in enemies.items():
        if (enemy.other_side is None) != (enemy.flips_at_health is None):
            value, tip = enemy.other_side or str(enemy.flips_at_health), "tell both, or neither"
            message = "does not fit the health that it is turned over at"
            yield _fault("enemies", name, "other_side", value, message, tip=tip)
        if enemy.other_side is None or enemy.other_side not in enemies:
            continue
        back = enemies[enemy.other_side]
        if {enemy.rank, back.rank} != {"purple"} or back.other_side or enemy.minis > 1 or back.minis > 1:
            tip = "let both be single purple enemies, and the other side have no other"
            yield _fault("enemies", name, "other_side", back.id, "is no other side of a Master", tip=tip)


def _rules(name: str, rules: list[Scroll]) -> Iterator[EntryFault]:
    """Yield distances that no rule of a scroll covers, and scrolls whose last rule is not + (IS-AI.7, IS-AI.11)."""
    distances = [distance for rule in rules for distance in rule.distances]
    farthest = max((int(distance) for distance in distances if distance != "+"), default=-1)
    if missing := [text for text in (*map(str, range(farthest + 1)), "+") if text not in distances]:
        tip = f"write a rule for {comma_list(missing)}"
        yield _fault("scrolls", rules[0].id, "scroll", name, "leaves a distance open", tip=tip)
    orders = [rule.order for rule in rules]
    for place, rule in enumerate(rules):
        if rule.order in orders[:place]:
            yield _fault("scrolls", rule.id, "order", str(rule.order), f"is the order of two rules of {name}")
        if "+" in rule.distances and (len(rule.distances) > 1 or rule.order < max(orders)):
            value, tip = ";".join(rule.distances), "write the rule for + by itself, as the last of its scroll"
            yield _fault("scrolls", rule.id, "distances", value, "would hide other rules", tip=tip)


def _areas(tables: Tables) -> Iterator[EntryFault]:
    """Yield areas that name areas off their map, and neighbours that are not mutual."""
    areas = {area_id: cast("Area", entry) for area_id, entry in tables["areas"].items()}
    for area_id, area in areas.items():
        map_areas = [neighbour for neighbour in areas if areas[neighbour].map == area.map and neighbour != area_id]
        visible = [neighbour for line in area.lines for neighbour in parse_line(line)]
        for field, names in {"neighbours": area.neighbours, "lines": visible}.items():
            for name in dict.fromkeys(names):
                if name not in map_areas:
                    yield _fault("areas", area_id, field, name, f"is no other area of {area.map}", map_areas)
        for name in area.neighbours:
            if name in map_areas and area_id not in areas[name].neighbours:
                tip = f"name {area_id} there too; a side that is crossed one way only is a barrier"
                yield _fault("areas", area_id, "neighbours", name, f"does not name {area_id} as its neighbour", tip=tip)
        for name in area.barriers:
            if name not in area.neighbours:
                yield _fault("areas", area_id, "barriers", name, f"is no neighbour of {area_id}", area.neighbours)


def _encounters(tables: Tables) -> Iterator[EntryFault]:
    """Yield encounters that name what does not exist, have unreachable areas, or do not say how long to survive."""
    areas = {area_id: cast("Area", entry) for area_id, entry in tables["areas"].items()}
    for name, entry in tables["encounters"].items():
        encounter = cast("Encounter", entry)
        map_areas = [area for area in areas if areas[area].map == encounter.map]
        if not map_areas:
            yield _fault(
                "encounters", name, "map", encounter.map, "has no areas", {area.map for area in areas.values()}
            )
            continue
        places = [("start", encounter.start)]
        for field in ("enemies", "enemies_many"):
            for enemy, area in map(parse_placed, getattr(encounter, field)):
                places.append((field, area))
                if enemy not in tables["enemies"]:
                    yield _fault("encounters", name, field, enemy, "is not in enemies", tables["enemies"])
        for field, area in places:
            if area not in map_areas:
                yield _fault("encounters", name, field, area, f"is not an area of {encounter.map}", map_areas)
        if (encounter.goal == "survive") != (encounter.rounds is not None):
            tip = "tell the rounds if the goal is survive, and else leave them empty"
            yield _fault("encounters", name, "goal", encounter.goal, "does not fit the rounds", tip=tip)
        for area in (
            sorted(set(map_areas) - reachable_areas(areas, encounter.start)) if encounter.start in map_areas else ()
        ):
            yield _fault(
                "areas", area, "id", area, f"cannot be reached from {encounter.start}, where heroes start in {name}"
            )


ENCOUNTER_CHECKS: tuple[CrossCheck, ...] = (
    names_known("encounters", deck="enemies", events="events"),
    _encounters,
    grounds,
)
"""What must hold of an encounter."""
CHECKS: tuple[CrossCheck, ...] = (
    names_known("gems", hero="heroes"),
    names_known("powers", hero="heroes", companion="companions"),
    names_known("companions", weapon="weapons", innate="weapons"),
    names_known("heroes", weapon="weapons", off_hand="weapons", armour="armours", artefacts="artefacts"),
    names_known("weapons", front="weapons"),
    names_known("enemies", weapon="weapons", off_weapon="weapons", powers="enemy_powers", other_side="enemies"),
    _gems,
    _powers,
    _calls,
    _fronts,
    _chance,
    _scrolls,
    _sides,
    _areas,
    *ENCOUNTER_CHECKS,
    *QUEST_CHECKS,
)
"""Every check, in the order in which faults are told."""
