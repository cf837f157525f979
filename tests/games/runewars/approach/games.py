"""Games for the referee: two units by chance, on tables by chance, and what is suspicious in their replays."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from balance.base.answers import as_plain
from balance.catalogue import patch_catalogue
from balance.game.loaded import LoadedGame, load
from balance.game.question.replay import replay
from tests.games.runewars import comparing
from tests.games.runewars.approach.referee import suspicions
from tests.games.runewars.reference import How
from tests.games.runewars.reference_trays import Unit

POLICIES = ("charge", "advance", "hold", "stand_and_shoot", "flank", "random")
GROUNDS = ("open_field", "ruined_farm", "old_road", "crowded_line")


@dataclass(frozen=True)
class Played:
    """Which game is refereed: its units, all that is set, and which trial it is."""

    names: tuple[str, str]
    units: tuple[Unit, Unit]
    hows: tuple[How, How]
    changes: dict[str, Any]
    choices: dict[str, str]
    first: str
    seed: int
    numbers: int

    def replay(self) -> dict[str, Any]:
        """Return what is told of it as `balance replay --json` prints it."""
        question = random_catalogue(self.numbers).ask(
            "approach", *self.names, self.changes, first=self.first, **self.choices
        )
        document: dict[str, Any] = json.loads(json.dumps(as_plain(replay(question, 0, self.seed))))
        return document

    def suspicions(self, document: dict[str, Any] | None = None) -> list[str]:
        return suspicions(
            document or self.replay(), self.units, self.hows, random_catalogue(self.numbers).catalogue.tables
        )


def random_game(seed: int) -> Played:
    """Return a game in which everything that may be set is set by chance."""
    dice = Random(seed)
    a, b = random_unit(dice), random_unit(dice)
    a_how, other = comparing.random_how(dice), comparing.random_how(dice)
    hows = a_how, replace(a_how, rerolls=other.rerolls, accuracy=other.accuracy)
    names, units = (a[0], b[0]), (a[1], b[1])
    changes: dict[str, Any] = comparing.rules(a_how)
    choices: dict[str, str] = {}
    for side, name, unit, how in zip("ab", names, units, hows, strict=True):
        changes |= comparing.overrides(side, name, unit) | random_side(dice, side)
        choices |= {f"{side}_rerolls": how.rerolls, f"{side}_accuracy": how.accuracy, f"{side}_surges": how.surges}
        choices[f"policy_{side}"] = dice.choice(POLICIES)
    changes["situation.ground"] = dice.choice(GROUNDS)
    changes["situation.gap_bands"] = 6 if "a.heading_degrees" in changes else dice.choice((0, 1, 2, 3, 4, 6))
    changes["situation.offset_mm"] = dice.choice((0, 0, dice.randrange(-300, 300)))
    changes["situation.arc_degrees"] = dice.choice((45, 45, 20))
    changes["situation.objective_tokens"] = dice.choice((0, 3, 20))
    changes["situation.round_limit"] = dice.choice((6, 10))
    return Played(names, units, hows, changes, choices, dice.choice("ab"), seed, dice.choice((0, 0, 1, 2, 3)))


def random_unit(dice: Random) -> tuple[str, Unit]:
    """Return a unit with its name, more often one that shoots than not."""
    name = comparing.random_name(dice, (*comparing.UNITS, *comparing.SHOOTS * 3))
    card = comparing.card_of(name)
    unit = comparing.random_unit(dice, card, 2, dice.choice((4, 9)), False)
    return name, comparing.changed(dice, replace(unit, **comparing.both(unit, card)), 0.2, trays_added=(1,))


def random_side(dice: Random, side: str) -> dict[str, Any]:
    """Return what is set of a side beside its unit, most of it as it is without."""
    ways: dict[str, tuple[Any, ...]] = {
        "heading_degrees": (dice.randrange(360), 30) if side == "a" else (0,), "speed_bands": (-1, 1, 2),
        "initiative": (-2, 1, 3),
        "enters_terrain": (False,), "aggressive": (True,), "wheel_degrees": (30, 60), "bonus_shift_bands": (1, 2),
        "ignores_sight": (True,), "shoots_engaged": (True,), "range_bands": (1, 3, 5), "overgrowth": (1, 2),
    }  # fmt: skip
    return {f"{side}.{name}": dice.choice(values) for name, values in ways.items() if dice.random() < 0.25}


@cache
def random_catalogue(seed: int) -> LoadedGame:
    """Return the game with other lengths, dials and terrain; 0: as it is shipped."""
    shipped, dice = load("runewars"), Random(seed)
    values = {f"constants.lengths.{name}_mm": str(dice.randrange(40, 90)) for name in ("tray", "band", "edge_gap")}
    for name, dial in shipped.catalogue.tables["dials"].items():
        values[f"dials.{name}.initiative"] = str(dice.randrange(1, 10))
        for field, numbers in (("distance_bands", (1, 2, 3, 4, 5)), ("turn_degrees", (30, 60, 180))):
            if getattr(dial, field):
                values[f"dials.{name}.{field}"] = str(dice.choice(numbers))
    for name in shipped.catalogue.tables["terrain"]:
        places = dice.randrange(-500, 500), dice.randrange(-200, 200), dice.randrange(90, 400), dice.randrange(90, 400)
        fields = ("x_mm", "y_mm", "width_mm", "depth_mm", "heading_degrees")
        for field, number in zip(fields, (*places, dice.choice((0, dice.randrange(360)))), strict=True):
            values[f"terrain.{name}.{field}"] = str(number)
    return load("runewars", patch_catalogue(shipped.catalogue, values)) if seed else shipped
