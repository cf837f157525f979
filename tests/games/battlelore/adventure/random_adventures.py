"""Adventures that are drawn by luck: maps of all terrains, forces of all units, cards, banners and readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from balance.games.battlelore.adventure.map.adventure import Blazon, Council
from balance.games.battlelore.sides import Fighter, parse_fighter
from balance.games.battlelore.tables import CommandCard, LoreCard, Terrain
from tests.games.battlelore.adventure.adventure_twins import SHIPPED, Encounter
from tests.games.battlelore.adventure.reference_board import CELLS

OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "bold_sources": ("dwarves_only", "never"),
    "short_sword_vs_creature": ("all_but_one", "none"),
    "crossbow_after_moving": ("full",),
    "bow_after_moving": ("to_one",),
    "battle_back_needs": ("ignored_flag",),
    "battle_back_on_bonus": (False,),
    "ford_pursuit": ("stop",),
    "trample": ("all_adjacent",),
    "trample_clears_way": (False,),
    "edge_sight": ("same_edge",),
    "hill_sight": ("target_only",),
    "rampart_along": ("stop",),
    "bonus_target": ("other",),
    "battle_back_caps": ("none",),
}
"""The other readings of every rule option that a medieval adventure may meet."""
LORE_OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "webbed_flags": ("taken_hit",),
    "freed_unit": ("move_or_battle",),
    "poison_lore": ("collected",),
    "lore_deck": ("any",),
    "income": ("after",),
}
"""Those that only a Lore adventure may meet."""
TERRAINS = tuple(SHIPPED.entries(Terrain))
RIVER = ("watercourse", "ford", "bridge")
OWNED = ("landmark", "stronghold", "rogues_den", "training_camp", "magic_pentacle", "healing_pool")
RACES, COLOURS, KINDS = ("", "dwarf_", "goblin_"), ("green", "blue", "red"), ("foot", "mounted")
WEAPONS = ("short_sword", "long_sword", "common_bow", "crossbow")
TROOPS = [f"{r}{c}_{k}+{w}" for r in RACES for c in COLOURS for k in KINDS for w in WEAPONS]


def some_options(rng: Random, chance: float, *, lore: bool = False) -> dict[str, Any]:
    options = {**OPTIONS, **LORE_OPTIONS} if lore else OPTIONS
    return {name: rng.choice(values) for name, values in options.items() if rng.random() < chance}


def random_fighter(rng: Random, texts: Sequence[str], *, wild: bool) -> Fighter:
    """Return a fighter of some texts, or any; a `wild` one may have numbers that no catalogue has."""
    text = rng.choice(texts or (TROOPS if rng.random() < 0.8 else ["giant_spider"]))
    fighter = parse_fighter(SHIPPED, text)
    return _wild(rng, fighter) if wild and rng.random() < 0.6 else fighter


def _wild(rng: Random, fighter: Fighter) -> Fighter:
    battle_move, dice = rng.randint(0, 4), rng.randint(0, 5)
    numbers = {"dice": dice, "battle_move": battle_move, "move": battle_move + rng.choice((0, 0, 1, 2))}
    numbers |= {"hexes_per_flag": rng.randint(1, 2), "figures": 1 if fighter.is_creature else rng.randint(1, 4)}
    unit = fighter.unit.model_copy(update=numbers)
    if fighter.is_creature:
        return Fighter(unit, fighter.race, fighter.weapon)
    morale: dict[str, Any] = {"foot_bold": rng.choice((0, 0, 1, 2)), "mounted_bold": rng.choice((0, 0, 1))}
    morale |= {"panics": rng.random() < 0.4, "charge_hexes": rng.choice((0, 2, 3)), "hexes_per_flag": rng.randint(1, 3)}
    return Fighter(unit, fighter.race.model_copy(update=morale), fighter.weapon)


def random_terrain(rng: Random, kinds: Sequence[str], *, arena: bool | None) -> dict[int, tuple[str, ...]]:
    """Return the terrains of hexes that are no countryside, of some kinds or any; an arena has water all around."""
    terrain: dict[int, tuple[str, ...]] = {}
    dense = rng.choice((0.25, 0.5) if kinds else (0.0, 0.1, 0.25, 0.5))
    favourites = kinds or rng.sample(TERRAINS, rng.randint(1, 5))
    for cell in CELLS:
        if rng.random() < dense:
            names = rng.sample(favourites, min(len(favourites), rng.choice((1, 1, 1, 2))))
            terrain[cell] = tuple(name for name in names if name != "watercourse") or ("countryside",)
    if rng.random() < 0.3:
        terrain |= _river(rng)
    if rng.random() < 0.5 if arena is None else arena:
        first, width, deep = rng.randint(0, 7), rng.randint(3, 6), rng.choice((1, 2))
        terrain |= {c: ("watercourse",) for c in CELLS if abs(c // 16 - 4) > deep or not 0 <= c % 16 - first < width}
    return terrain


def _river(rng: Random) -> dict[int, tuple[str, ...]]:
    """Return a watercourse from rim to rim, with fords and bridges."""
    if rng.random() < 0.5:
        place = rng.randrange(2, 10)
        cells = [16 * row + min(12 - row % 2, max(0, place + rng.choice((-1, 0, 0, 1)))) for row in range(9)]
    else:
        row = rng.choice((3, 4, 5))
        cells = [16 * row + place for place in range(13 - row % 2)]
    return {cell: (rng.choices(RIVER, (5, 2, 2))[0],) for cell in cells}


def random_encounter(
    seed: int,
    *,
    wild: bool = False,
    texts: Sequence[str] = (),
    terrains: Sequence[str] = (),
    arena: bool | None = None,
    mixed: bool = False,
    lore: bool = False,
    **changes: Any,
) -> Encounter:
    """Return a batch of which everything is drawn by luck but what is said; `mixed` sides stand among each other."""
    rng = Random(f"adventure {seed}")
    terrain = random_terrain(rng, terrains, arena=arena)
    owned = [cell for cell, names in terrain.items() if set(names) & set(OWNED) and rng.random() < 0.8]
    dry = [cell for cell in CELLS if "watercourse" not in terrain.get(cell, ())]
    homes = _homes(rng, dry, mixed=mixed)
    units = [[(random_fighter(rng, texts, wild=wild), cell) for cell in cells] for cells in homes]
    counts = {card.id: rng.choice((0, 0, 1, 2)) for card in SHIPPED.entries(CommandCard).values()}
    terms: dict[str, Any] = {
        "terrain": terrain,
        "owners": {cell: rng.randrange(2) for cell in owned},
        "units": (units[0], units[1]),
        "blazons": _blazons(rng, dry),
        "counts": None if rng.random() < 0.5 else counts,
        "banners": (rng.randint(1, 4), rng.randint(1, 4)),
        "hands": (rng.randint(1, 6), rng.randint(1, 6)),
        "first": rng.randrange(2),
        "turn_limit": rng.choice((10, 30, 60)),
        "seed": seed,
    }
    return Encounter(**{**terms, **(_lore_terms(rng) if lore else {}), **changes})


def _lore_terms(rng: Random) -> dict[str, Any]:
    """Return councils, tokens, and perhaps a small Lore deck or pool of tokens."""
    counts = {card.id: rng.choice((0, 0, 1, 2)) for card in SHIPPED.entries(LoreCard).values()}
    return {
        "lore": True,
        "councils": (random_council(rng), random_council(rng)),
        "tokens": (rng.choice((None, 3, 8, 15)), rng.choice((None, 3, 8, 15))),
        "lore_counts": None if rng.random() < 0.6 else counts,
    }


def _homes(rng: Random, dry: Sequence[int], *, mixed: bool) -> list[list[int]]:
    """Return where the units of each side begin: near to each other, or less so."""
    near = rng.choice((1, 1, 2, 4))
    homes: list[list[int]] = []
    taken: set[int] = set()
    for rows in (range(9), range(9)) if mixed else (range(4 - near, 5), range(4, 5 + near)):
        cells = [cell for cell in dry if cell // 16 in rows and cell not in taken]
        homes.append(rng.sample(cells, min(len(cells), rng.choice((3, 6, 9, 14)))))
        taken |= set(homes[-1])
    return homes


def _blazons(rng: Random, cells: Sequence[int]) -> tuple[Blazon, ...]:
    middle = [cell for cell in cells if 2 <= cell // 16 <= 6]
    return tuple(
        Blazon(rng.randrange(2), cell, rng.choice((1, 1, 2)), rng.random() < 0.5)
        for cell in rng.choices(middle, k=rng.choice((0, 0, 1, 3)))
    )


def random_council(rng: Random) -> Council:
    """Return a war council, of any levels, or without Lore Masters."""
    levels = [rng.choice((0, 0, 1, 2, 3)) for _ in range(5)]
    return Council(*levels) if rng.random() < 0.9 else Council(commander=levels[0])
