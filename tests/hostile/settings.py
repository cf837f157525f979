"""Values of `--set` by the thousand, over all games: mostly such as a field may hold, else what nobody could mean.

`python -m tests.hostile.commands tests.hostile.settings 2000` asks `attack`, `duel`, `card` and `show` with them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from balance.base.errors import BalanceError
from balance.catalogue.overrides import field_paths
from balance.catalogue.tables.columns import Column
from balance.game.loaded import LoadedGame
from balance.game.loaded import load as load_game
from balance.game.registry import installed_games
from tests.hostile.commands import Case
from tests.hostile.mutations import TEXTS

VERBS = ("attack", "attack", "duel", "card", "show")
SHARE_SOUND = 0.9
"""Of the values, such as a field may hold by its own range; rules of the game may refuse them all the same."""
MOST_LETTERS = 300
load = cache(load_game)


def case(number: int) -> Case:
    """Return the case of a number: a verb, a game, who meets, and one to three values that are set."""
    chance = random.Random(number)
    verb, game = chance.choice(VERBS), load(chance.choice(installed_games()))
    kind = "duel" if verb in ("duel", "card") else "attack"
    kind = kind if kind in game.definition.kinds else next(iter(game.definition.kinds))
    one, other = chance.choice(game.entrants_of(kind)), chance.choice(game.others_of(kind))
    settable = fields(game.definition.name, kind)
    places = chance.sample(settable, min(len(settable), chance.choice((1, 1, 1, 2))))
    changes = [word for path, column in places for word in ("--set", f"{path}={_value(column, chance)}")]
    name = game.definition.name
    words = {
        "show": (
            "show",
            name,
            chance.choice(("situation", "rules", "entrants", "fields", one, _value(places[0][1], chance))),
        ),
        "card": ("card", name, one, "--among", other, *changes, "--quiet"),
    }.get(verb, ("ask", name, kind, one, other, *changes, "--quiet"))
    return Case(number, tuple(word.replace("\0", "¿") for word in words))


@cache
def fields(name: str, kind: str) -> list[tuple[str, Column]]:
    """Return the fields that can be set of a kind of question, by their paths."""
    return [*_fields(load(name), kind)]


def _fields(game: LoadedGame, kind: str) -> Iterator[tuple[str, Column]]:
    about = game.definition.kinds[kind]
    records = [("situation", about.situation), ("rules", type(game.catalogue.rules))]
    records += [*zip(about.sides, about.stances, strict=True)]
    for side, role in zip(about.sides, about.takes, strict=True):
        records += [(f"{side}.{word}".rstrip("."), record) for word, record in role.fields.items() if word.islower()]
    for root, record in records:
        yield from ((f"{root}.{path}", column) for path, (name, column) in field_paths(record).items() if path == name)


def _value(column: Column, chance: random.Random) -> str:
    if chance.random() > SHARE_SOUND:
        return str(chance.choice(TEXTS))[:MOST_LETTERS]
    if column.choices:
        n = chance.randint(1, 2) if column.is_list else 1
        return ",".join(chance.sample(column.choices, min(n, len(column.choices))))
    low, high = int(column.low or 0), int(column.high if column.high is not None else 9)
    match column.kind:
        case "flag":
            return chance.choice(("true", "false", "yes", "no"))
        case "integer":
            return str(chance.choice((low, min(high, low + chance.randint(0, 6)), high)))
        case "number":
            return f"{chance.uniform(low, high):.2f}"
    return chance.choice(("none", "1", "2"))


def is_sound(number: int) -> bool:
    """Return whether the values of a case are accepted by the game; nothing is played."""
    words = case(number).words
    if words[0] != "ask":
        return True
    changes = [words[at + 1] for at, word in enumerate(words) if word == "--set"]
    try:
        load(words[1]).ask(words[2], words[3], words[4], changes)
    except BalanceError:
        return False
    return True
