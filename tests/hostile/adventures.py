"""Random adventures, sound and spoilt, and what is asked of them; `case(number)` is one for `tests.hostile.commands`.

Three in five files are meant to be sound: maps of all terrains, forces of all units, cards or councils, hexes worth
banners, landmarks with owners. The others are spoilt as people spoil them (`SLIPS`) or as machines do (`mutations`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.hostile.commands import Case
from tests.hostile.mutations import BYTES, lines, mutate

CATALOGUE = Path(__file__).parents[2] / "data" / "battlelore"
NAMES = ("south", "north", "few", "many", "dwarves", "goblins", "the old guard", "östlich")
TROOPS = (
    "human_archers", "human_irregular_infantry", "human_infantry", "human_heavy_infantry", "human_cavalry",
    "human_heavy_cavalry", "dwarf_crossbowmen", "dwarf_swordsmen", "dwarf_heavy_swordsmen", "goblin_skirmishers",
    "goblin_swordsmen", "hobgoblin_swordsmen", "hobgoblin_archers", "hobgoblin_cavalry", "giant_spider", "green_foot",
    "red_foot+long_sword", "blue_foot+crossbow", "green_mounted+common_bow", "red_mounted+short_sword",
)  # fmt: skip
LETTERS, LORE_LETTERS = "FHfBLRS", "DTPO"
TERRAINS = ("forest", "hill", "rampart", "ford", "bridge", "healing_pool", "magic_pentacle", "stronghold")
POLICIES = ("greedy", "rush", "hold", "flank", "focus", "careful", "random")
READINGS = (
    "bold_sources=dwarves_only", "bold_sources=never", "short_sword_vs_creature=none", "battle_back_on_bonus=false",
    "ford_pursuit=stop", "trample=all_adjacent", "edge_sight=same_edge", "hill_sight=target_only", "lore_deck=any",
    "heavy_infantry_weapon=long_sword", "bonus_target=other", "battle_back_caps=none", "income=after",
)  # fmt: skip
MASTERS = ("commander", "wizard", "rogue", "cleric", "warrior")
Slip = Callable[[list[str], random.Random], None]


def case(number: int) -> Case:
    """Return one case: a catalogue with an adventure, and a verb that is asked about it."""
    chance = random.Random(f"adventures {number}")
    text = adventure(chance)
    content = text.encode()
    if chance.random() < 0.4:
        if chance.random() < 0.6:
            rows = text.splitlines()
            for _ in range(chance.choice((1, 1, 2))):
                chance.choice(SLIPS)(rows, chance)
            content = "\n".join(rows).encode()
        else:
            content = mutate(content, [*BYTES, lines, lines], chance)
    files = {**_catalogue(), "data/battlelore/adventures/field.txt": content}
    return Case(number, _words(chance), files)


@cache
def _catalogue() -> dict[str, bytes]:
    """Return the shipped catalogue, without its adventures."""
    paths = [path for path in CATALOGUE.iterdir() if path.is_file()]
    return {f"data/battlelore/{path.name}": path.read_bytes() for path in paths}


def _words(chance: random.Random) -> tuple[str, ...]:
    """Return a verb and what is asked and changed."""
    verb = chance.choices(("check", "show", "battle", "replay"), (1, 1, 4, 4))[0]
    if verb == "check":
        return verb, chance.choice(("data/battlelore", "data/battlelore/adventures/field.txt", "data"))
    if verb == "show":
        return verb, "battlelore", chance.choice(("situation", "entrants", "questions", "field"))
    words = [
        "--seed",
        str(chance.randrange(1000)),
        "--set",
        f"situation.turn_limit={chance.choice((1, 2, 6, 20, 120))}",
    ]
    for side in "ab":
        if chance.random() < 0.7:
            words += [f"--policy-{side}", chance.choice(POLICIES)]
    if chance.random() < 0.2:
        words += ["--first", chance.choice(("a", "b", "random"))]
    for change in chance.sample(_changes(chance), chance.choice((0, 0, 1, 2))):
        words += ["--set", change]
    if chance.random() < 0.3:
        words += [chance.choice(("--json", "--more", "--brief"))]
    if verb == "battle":
        return verb, "battlelore", "field", "--trials", str(chance.choice((1, 2, 8, 32))), *words
    return verb, "battlelore", "battle", "field", "--trial", str(chance.randrange(50)), *words


def _changes(chance: random.Random) -> list[str]:
    """Return changes, most of them sound ones."""
    place = _hex(chance)
    return [
        f"rules.{chance.choice(READINGS)}",
        f"{chance.choice('ab')}.banners={chance.choice((1, 3, 7))}",
        f"{chance.choice('ab')}.cards={chance.choice((1, 4, 12))}",
        f"situation.hexes={chance.choice(TERRAINS)}@{place}",
        f"a.more={chance.choice(TROOPS)}@{place}",
        f"b.without={place}",
        f"{chance.choice('ab')}.{chance.choice(MASTERS)}={chance.randrange(4)}",
    ]


def _hex(chance: random.Random) -> str:
    row = chance.randrange(9)
    return f"{'ABCDEFGHI'[row]}{chance.randint(1, 13 - row % 2)}"


def adventure(chance: random.Random) -> str:
    """Return the text of an adventure that is meant to be sound."""
    names = chance.sample(NAMES, 2)
    lore = chance.random() < 0.5
    rows = _board(chance, LETTERS + LORE_LETTERS * lore)
    free = [
        f"{'ABCDEFGHI'[row]}{column + 1}"
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter not in "W"
    ]
    chance.shuffle(free)
    n_units = [chance.randint(1, 12), chance.randint(1, 12)]
    forces = [_force(chance, free, number) for number in n_units]
    heads = ["title: Field", f"lore: {'yes' if lore else 'no'}", f"first: {chance.choice(names)}", "note: by luck"]
    if lore and chance.random() < 0.3:
        heads.append("masters' landmarks: yes")
    camps = chance.sample(("standard", "pennant"), 2)
    for number, name in enumerate(names):
        banners = chance.randint(1, max(1, min(7, n_units[1 - number])))
        heads.append(f"{name}: {camps[number]}, {banners} banner{'s' * (banners > 1)}, {_strength(chance, lore)}")
    board = [" " * (number % 2) + row for number, row in enumerate(rows)]
    blocks = [f"{name}:\n" + "\n".join(force) for name, force in zip(names, forces, strict=True)]
    extras = _extras(chance, rows, names)
    if extras:
        blocks.append("also:\n" + "\n".join(extras))
    return "\n\n".join(["\n".join(heads[:4]) + "\n\n" + "\n".join(heads[4:]), "\n".join(board), *blocks]) + "\n"


def _board(chance: random.Random, letters: str) -> list[str]:
    dense = chance.choice((0.0, 0.05, 0.15, 0.4))
    rows = [
        "".join(chance.choice(letters) if chance.random() < dense else "." for _ in range(13 - row % 2))
        for row in range(9)
    ]
    if chance.random() < 0.3:
        river = ["W"] * 13
        for _ in range(chance.randint(1, 4)):
            river[chance.randrange(13)] = chance.choice("fB")
        rows[4] = "".join(river)
    return rows


def _force(chance: random.Random, free: list[str], n_units: int) -> list[str]:
    """Return the lines of a force; each takes its hexes off the free ones."""
    force = []
    while n_units:
        together = chance.randint(1, min(n_units, 4))
        force.append(f"{', '.join(free.pop() for _ in range(together))} {chance.choice(TROOPS)}")
        n_units -= together
    return force


def _strength(chance: random.Random, lore: bool) -> str:
    if not lore:
        cards = chance.randint(1, 6)
        return f"{cards} card{'s' * (cards > 1)}"
    council = chance.sample(MASTERS, chance.randint(1, 4))
    levels = [chance.randint(1, 2) for _ in council]
    if chance.random() < 0.3:
        levels[0] = 3
    parts = [f"{master} {level}" for master, level in zip(council, levels, strict=True)]
    return ", ".join([*parts, *(["5 tokens"] if chance.random() < 0.2 else [])])


def _extras(chance: random.Random, rows: list[str], names: list[str]) -> list[str]:
    extras = []
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            place = f"{'ABCDEFGHI'[row]}{column + 1}"
            if letter == "S" or (letter in LORE_LETTERS + "L" and chance.random() < 0.6):
                extras.append(f"{place} belongs to {chance.choice(names)}")
            elif letter == "." and chance.random() < 0.02:
                extras.append(f"{place} banner {chance.choice(('for', 'held by'))} {chance.choice(names)}")
    return extras


# -- how people spoil a file ------------------------------------------------------------------------------------------


def _replace(old: str, new: str) -> Slip:
    def slip(rows: list[str], chance: random.Random) -> None:
        del chance
        rows[:] = [row.replace(old, new) for row in rows]

    return slip


def _drop(rows: list[str], chance: random.Random) -> None:
    del rows[chance.randrange(len(rows))]


def _double(rows: list[str], chance: random.Random) -> None:
    rows.insert(chance.randrange(len(rows)), chance.choice(rows))


def _lengthen(rows: list[str], chance: random.Random) -> None:
    at = chance.randrange(len(rows))
    rows[at] += chance.choice((".", "F", "W", " ", "x", ", 3 cards", ", A1 blue_foot", ": yes"))


def _shorten(rows: list[str], chance: random.Random) -> None:
    at = chance.randrange(len(rows))
    rows[at] = rows[at][:-1]


def _number(rows: list[str], chance: random.Random) -> None:
    """Write another number where one stands."""
    at = chance.choice([number for number, row in enumerate(rows) if any(map(str.isdigit, row))])
    digit = chance.choice([number for number, letter in enumerate(rows[at]) if letter.isdigit()])
    rows[at] = rows[at][:digit] + chance.choice(("0", "9", "14", "-1", "99999999999", "x", "½")) + rows[at][digit + 1 :]


def _flood(rows: list[str], chance: random.Random) -> None:
    """Put water everywhere."""
    del chance
    rows[:] = [row.replace(".", "W") if set(row.strip()) <= set(".W" + LETTERS + LORE_LETTERS) else row for row in rows]


def _append(*texts: str) -> Slip:
    def slip(rows: list[str], chance: random.Random) -> None:
        rows.append(chance.choice(texts))

    return slip


SLIPS: tuple[Slip, ...] = (
    _drop, _drop, _double, _double, _lengthen, _lengthen, _shorten, _number, _number, _number, _flood,
    _replace("lore: yes", "lore: maybe"), _replace("lore: no", "lore: yes"), _replace("lore: yes", "lore: no"),
    _replace("standard", "pennant"), _replace("_", " "), _replace(",", ";"), _replace(":", " ="), _replace("\n", "\r"),
    _replace(".", "·"), _replace(" ", "\t"), _replace("first: ", "first: nobody, "), _replace("banner", "medal"),
    _append("also:", "E7 banner", "E7 banner for nobody", "E5 lava", "Z9 forest", "E5 belongs to the king"),
    _append("west:", "A1 blue_foot", "A1, A1 blue_foot", "A1 dragon", "A1 blue_foot+spoon", "A1", "blue_foot A1"),
    _append("", "# a note", "\ufeff", "title: Again", "south:", "x" * 5000, "A1 " * 2000),
)  # fmt: skip
