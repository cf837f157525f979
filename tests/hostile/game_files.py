"""Game files by the thousand: grown from a grammar, which are mostly sound, and templates with something spoilt.

`python -m tests.hostile.commands tests.hostile.game_files 3000` asks a question about each.
"""

from __future__ import annotations

import random
import re

from balance.game.authoring.new_file import TEMPLATES
from balance.rulebook.text.reading import read_game_file
from tests.hostile.commands import Case
from tests.hostile.mutations import flip, insert, lines, toml_values
from tests.rulebook.test_fuzz import mutate as mutate_text

VERBS = ("check", "show", "attack", "duel", "kill", "battle", "play", "check --explain")
SHARE_GROWN = 0.6
NAMES = ("skill", "armour", "attacks", "power", "speed", "luck", "nerve", "shields", "focus", "bulk")
KEYWORDS = ("tough", "swift", "brutal", "steady")
MEDIUM, LARGE = (1, 2, 3, 4, 5, 6, 8), (0, 12, 40, 300, 2000, 9999)


def case(number: int) -> Case:
    """Return the case of a number: a game file, and a question about it."""
    chance = random.Random(number)
    if chance.random() < SHARE_GROWN:
        text, units = grow(chance)
        content = text.encode()
    else:
        path = chance.choice(sorted(TEMPLATES.glob("*.toml")))
        units = list(read_game_file(path).units.ids)
        content = _spoilt(path.read_text("utf-8"), chance)
    verb, *options = chance.choice(VERBS).split()
    sides = () if verb in ("check", "show", "play") else (chance.choice(units), chance.choice(units))
    return Case(number, (verb, "game.toml", *options, *sides), {"game.toml": content})


def _spoilt(text: str, chance: random.Random) -> bytes:
    """Return a template with another number or another name in one place, or with anything anywhere."""
    if chance.random() < 0.6:
        places = [*re.finditer(r"(?<![\w.])\d+(?![\w.])", text)]
        match = chance.choice(places)
        number = str(chance.choice(LARGE if chance.random() < 0.3 else MEDIUM))
        return (text[: match.start()] + number + text[match.end() :]).encode()
    if chance.random() < 0.5:
        return mutate_text(text, chance).encode("utf-8", "surrogatepass")
    return chance.choice([toml_values, toml_values, lines, insert, flip])(text.encode(), chance)


def grow(chance: random.Random) -> tuple[str, list[str]]:
    """Return a game file grown from a grammar, and its units."""
    fields = chance.sample(NAMES, chance.randint(2, 5))
    tokens = ["stun", "marks"][: chance.randint(0, 2)]
    words = chance.sample(KEYWORDS, chance.randint(0, 3))
    values = [*(f"me.{name}" for name in fields), *(f"foe.{name}" for name in fields), "me.life", "foe.life"]
    values += [f"{side}.{token}" for side in ("me", "foe") for token in tokens]
    units = ["ant", "bee", "cat", "dog"][: chance.randint(1, 4)]
    parts = [f'title = "Grown {chance.randint(0, 99)}"', 'health = "life"', _units(chance, units, fields, words)]
    if tokens:
        parts += ["[tokens]", *(f"{token} = {chance.randint(0, 2)}" for token in tokens)]
    parts += [
        "[numbers]",
        f"bar = {chance.randint(0, 9)}",
        "[tables]",
        f"chart = {[chance.randint(0, 6) for _ in 'abcdef']}",
    ]
    steps = list[str]()
    parts += ["[attack]", *(_step(chance, values, steps) for _ in range(chance.randint(1, 4)))]
    parts += [f'"foe.life" = "foe.life - {chance.choice(steps)}"']
    parts += [f'"{chance.choice(("me", "foe"))}.{token}" = "{_number(chance, values, steps)}"' for token in tokens]
    for word in words:
        role = chance.choice(["", ".attacked", ".friends"])
        parts += [f"[keywords.{word}{role}]", f'{chance.choice(steps)} = "{_change(chance, values, steps)}"']
    parts += _sections(chance, values, steps, fields)
    return "\n".join(parts) + "\n", units


def _units(chance: random.Random, units: list[str], fields: list[str], words: list[str]) -> str:
    rows = [["name", "cost", *fields, "life", "keywords"]]
    for unit in units:
        numbers = [str(chance.choice(LARGE if chance.random() < 0.1 else MEDIUM)) for _ in fields]
        life = str(chance.choice(LARGE if chance.random() < 0.15 else MEDIUM))
        rows.append(
            [unit, str(chance.randint(0, 30)), *numbers, life, "; ".join(chance.sample(words, len(words) // 2))]
        )
    table = "\n".join(" | ".join(row) for row in rows)
    return f'units = """\n{table}\n"""'


def _step(chance: random.Random, values: list[str], steps: list[str]) -> str:
    name = f"step_{'abcdef'[len(steps)]}"
    text = _expression(chance, values, steps)
    steps.append(name)
    return f'{name} = "{text}"'


def _number(chance: random.Random, values: list[str], steps: list[str]) -> str:
    return chance.choice([*values, *steps, *steps, str(chance.randint(0, 9)), "bar", "round"])


def _expression(chance: random.Random, values: list[str], steps: list[str]) -> str:
    """Return a text for a step: dice that are counted, kept, rolled again, explode, or numbers of such."""
    one, two = (_number(chance, values, steps) for _ in range(2))
    die, face = chance.choice(["d6", "d6", "d10", "d20", "d3", "2d6", "df"]), chance.randint(2, 6)
    return chance.choice(
        [
            f"({one}) d6 count {face}+", f"({one}) d6 count ({two})+", f"({one}) d10 count {face}..9", f"{die} + {one}",
            f"max(0, {die} - {two})", f"if({one} > {two}, {die}, {face})", f"({one})d6! count {face}+", "3d6 keep 2",
            f"4d6 drop lowest 1 + {one}", f"({one}) d6 reroll 1 count {face}+", f"{one} - {two}", f"min({one}, {two})",
            f"(2d6) >= {one}", f"chart[min(6, max(1, {one}))]", "d6 gives (1: 0; 6: 2; else: 1)", f"{one} * {two}",
            f"{one} // 3", f"({one}) d6 count {face}+ double 6", f"(d6 + {one}) vs (d6 + {two})",
            f"({one})d{{hit,hit,-}} count hit", f"(2d6 + {one}) >= 8 and {two} > 0",
            f"({one}) d6 count failing ({two})+",
        ]
    )  # fmt: skip


def _change(chance: random.Random, values: list[str], steps: list[str]) -> str:
    return chance.choice(
        ["+ 1", "- 1", "* 2", _expression(chance, values, []), f"instead: {_number(chance, values, [])}"]
    )


def _sections(chance: random.Random, values: list[str], steps: list[str], fields: list[str]) -> list[str]:
    """Return sections that a file may have."""
    parts = list[str]()
    if chance.random() < 0.3:
        acts = chance.choice(["2", "d3", f"me.{fields[0]}"])
        parts += ["[turn]", f'acts = "{acts}"', *(['passes = "d6 = 1"'] if chance.random() < 0.5 else [])]
    if chance.random() < 0.2:
        parts += ["[after]", f'"me.{fields[0]}" = "me.{fields[0]} - {chance.randint(0, 1)}"']
    if chance.random() < 0.3:
        parts += ["[round]", f'"me.{fields[-1]}" = "{_number(chance, values, [])}"']
    if chance.random() < 0.4:
        order = chance.choice(["alternate", "activations", "simultaneous", "attacker only"])
        parts += ["[turns]", f'order = "{order}"', *(["strike_back = true"] if chance.random() < 0.4 else [])]
    if chance.random() < 0.5:
        parts += [
            "[ends]",
            f"rounds = {chance.randint(1, 12)}",
            *(['score = "me.life"'] if chance.random() < 0.5 else []),
        ]
    if chance.random() < 0.4:
        parts += ["[choices.effort]", "plain = {}", f'full = {{ {chance.choice(steps)} = "+ 1" }}']
        parts += ["[policies.effort.late]", f'full = "me.life <= {chance.randint(1, 5)}"']
    if chance.random() < 0.3:
        target, excess = chance.choice(["front", "weakest", "spread"]), chance.choice(["lost", "carried"])
        parts += ["[armies]", f"front = {chance.randint(1, 3)}", f'target = "{target}"', f'excess = "{excess}"']
    return parts
