"""Whole tables of small fields, kept in `golden/`: `python -m tests.analysis.golden_tables` writes them anew.

What a column means is proved by other tests, on plainer numbers; these show that nothing of a table has changed. Who
writes them anew reads the difference and says why.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

import balance
from balance.analysis.claims import checking, items, rule_options
from balance.analysis.claims.provenance import provenance_table
from balance.analysis.dominance import undominated as dominance
from balance.analysis.dominance.twins import fighter_twins
from balance.analysis.scores import cards, endings, field, shape, tables
from balance.analysis.scores import scores as score_tables
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame, load
from tests.toy.feint import GAME as FEINT
from tests.toy.game import GAME as SKIRMISH

FOLDER = Path(__file__).with_name("golden")
FIELD = (
    "trooper+shotgun",
    "trooper+sidearm",
    "aegis+smg_pistol",
    "aegis+shotgun",
    "spectre+shotgun",
    "bulwark+rail_lance",
    "nexus+laser_carbine",
)
"""Loadouts of five units, so that the loadouts of a unit are a group."""
ARMS = ("shotgun", "smg_pistol")
SHOOTERS, TARGETS = FIELD[:1] + FIELD[-2:], ["trooper", "aegis"]
LOG = pl.DataFrame(
    [
        ("elf", "orc", 0.6, 40, 1.0),
        ("orc", "elf", 0.55, 60, 1.0),
        ("elf", "troll", 0.35, 20, 1.0),
        ("orc", "troll", 0.25, 20, 2.0),
        ("orc", "troll", 0.45, 60, 1.0),
        ("troll", "giant", 0.3, 30, 1.0),
        ("giant", "elf", 0.8, 10, 1.0),
        ("imp", "orc", 0.1, 50, 1.0),
        ("imp", "elf", 0.3, 25, 0.5),
        ("imp", "imp", 0.6, 25, 0.5),
    ],
    ["one", "other", "score", "n", "weight"],
    orient="row",
)
"""A designer's log: pairs in one order and in both, met twice, met never, and one against itself."""
MADE_NAMES = tuple(f"{unit}+{arm}" for unit in ("nexus", "trooper", "vanguard", "aegis", "spectre") for arm in ARMS)
CYCLE = pl.DataFrame(
    [
        ("paper", "rock", 0.9),
        ("rock", "scissors", 0.8),
        ("scissors", "paper", 0.7),
        ("rock", "dust", 0.75),
        ("paper", "dust", 0.9),
        ("scissors", "dust", 0.55),
        ("paper", "stone", 0.9),
        ("stone", "scissors", 0.8),
        ("stone", "dust", 0.75),
        ("pebble", "rock", 0.48),
        ("pebble", "stone", 0.48),
        ("pebble", "paper", 0.12),
    ],
    ["one", "other", "score"],
    orient="row",
)
"""A cycle, one that all beat, a copy that never met its original, and one that is a little worse than both."""
CYCLE_COSTS = {"rock": 9, "paper": 8, "scissors": 7, "dust": 4, "stone": 9, "pebble": 5}


@cache
def warforged() -> LoadedGame:
    return balance.load("warforged")


@cache
def duels() -> pl.DataFrame:
    return tables.duel_table(Runner(warforged()), FIELD)


@cache
def panel() -> rule_options.Panel:
    found = score_tables.read_scores(duels())
    return rule_options.choose_panel(found.names, found.first)


def few_panel() -> rule_options.Panel:
    return rule_options.Panel(panel().names[:2], panel().places[:2], np.array([0.75, 0.25]))


@cache
def readings() -> rule_options.ReadingStudy:
    fight, shoot = ("situation.distance_cells=3", "situation.round_limit=3"), ("situation.light_cover=true",)
    return rule_options.compare_readings(Runner(warforged()), FIELD, few_panel(), FIELD[:1], fight, shoot)


def reading_table() -> pl.DataFrame:
    """Return the readings that change a score; where none does, who is named is a matter of the last digits."""
    found = rule_options.reading_table(readings(), FIELD, few_panel())
    return found.filter(pl.col("n_changed") > 0).drop("meaning", "sentence")


def made_readings() -> pl.DataFrame:
    """Return what three readings change of scores that are made up: enough to change ranks."""
    rng, names = np.random.default_rng(8), MADE_NAMES
    few = rule_options.Panel((names[1], names[6]), np.array([1, 6]), np.array([0.6, 0.4]))
    known = rule_options.other_readings(warforged())[:3]
    first, second = rng.uniform(0.2, 0.8, (2, 4, 10, 2))
    study = rule_options.ReadingStudy(tuple(known), first, second, rng.uniform(0, 3, (4, 5)))
    return rule_options.reading_table(study, names, few).drop("meaning", "sentence")


def made_panels() -> pl.DataFrame:
    """Return panels of a rough field of eight groups of three: one of each, and five."""
    rng = np.random.default_rng(9)
    names = [f"{unit}+{arm}" for unit in "abcdefgh" for arm in "xyz"]
    strength = rng.normal(0, 1, 24)
    score = 1 / (1 + np.exp(strength[None, :] - strength[:, None] + rng.normal(0, 1, (24, 24))))
    found = [("all", rule_options.choose_panel(names, score)), ("five", rule_options.choose_panel(names, score, 5))]
    return pl.DataFrame(
        [
            (size, name, place, weight, rule_options.panel_gap(panel, score))
            for size, panel in found
            for name, place, weight in zip(panel.names, panel.places.tolist(), panel.weights.tolist(), strict=True)
        ],
        ["groups", "name", "place", "weight", "gap"],
        orient="row",
    )


@cache
def item_table() -> pl.DataFrame:
    names = ["aegis+smg_pistol", "spectre+shotgun", "bulwark+rail_lance"]
    far = ("situation.distance_cells=30", "situation.actions=4", "situation.round_limit=4")
    found = items.find_items(warforged(), names)
    few = few_panel()
    return items.item_table(Runner(warforged()), found, few, FIELD[:2], far, ("situation.light_cover=true",))


def arms() -> pl.DataFrame:
    known = cards.entrant_table(warforged(), FIELD)
    return shape.arm_table(known, tables.attack_table(Runner(warforged()), FIELD, TARGETS))


def panel_frame() -> pl.DataFrame:
    found = panel()
    return pl.DataFrame({"name": found.names, "place": found.places, "weight": found.weights})


def scores_frame(source: pl.DataFrame) -> pl.DataFrame:
    """Return what is read from a score table, one row per ordered pair."""
    found = score_tables.read_scores(source)
    n = len(found.names)
    return pl.DataFrame(
        {
            "one": np.repeat(found.names, n),
            "other": np.tile(found.names, n),
            "first": found.first.ravel(),
            "error": found.error.ravel(),
            "weight": found.weight.ravel(),
            "half_width": found.half_widths.ravel(),
            "mean": np.repeat(found.mean, n),
        }
    )


def spider_ends() -> pl.DataFrame:
    dead = endings.Ending(label="eliminated", column="figures", value=0, points=2)
    gone = endings.Ending(label="driven off", column="left", value=1, points=1)
    names = ["giant_spider", "green_foot+short_sword", "dwarf_red_foot+long_sword"]
    return endings.ending_table(Runner(balance.load("battlelore")), names, [dead, gone], ("situation.turn_limit=3",))


def check() -> pl.DataFrame:
    pairs = checking.sample_pairs(FIELD, 5, seed=3)
    return checking.check_duels(Runner(warforged()), pairs, 512, 4, ("situation.distance_cells=3",))


def twins() -> pl.DataFrame:
    names = [f"{unit}+{arm}" for unit in ("sentinel", "trooper", "nexus") for arm in ("shotgun", "smg_pistol")]
    found = tables.duel_table(
        Runner(warforged()), [*names, "sentinel+rail_lance"], ("situation.distance_cells=2",), marks=True
    )
    return fighter_twins(warforged(), found)


GOLDEN: dict[str, Callable[[], pl.DataFrame]] = {
    "arms": arms,
    "attacks": lambda: tables.attack_table(Runner(warforged()), SHOOTERS, TARGETS, ("situation.light_cover=true",)),
    "attacks_of_skirmish": lambda: tables.attack_table(Runner(load(SKIRMISH))),
    "check": check,
    "cycle_dominance": lambda: dominance.never_worth_taking(CYCLE, imbalance=0.05),
    "cycle_dominance_at_a_price": lambda: dominance.never_worth_taking(CYCLE, costs=CYCLE_COSTS),
    "cycle_ratings": lambda: field.rating_table(CYCLE, seed=2),
    "cycle_ratings_once": lambda: field.rating_table(CYCLE, seed=2, once=True),
    "duels": lambda: tables.duel_table(Runner(warforged()), FIELD[:3], ("situation.distance_cells=3",), marks=True),
    "duels_of_feint": lambda: tables.duel_table(Runner(load(FEINT)), marks=True),
    "duels_of_skirmish": lambda: tables.duel_table(Runner(load(SKIRMISH)), marks=True),
    "endings": spider_ends,
    "entrants": lambda: cards.entrant_table(
        warforged(), ["nexus+shotgun", "trooper+smg_pistol+sidearm", "whisper+sidearm"]
    ),
    "entrants_of_skirmish": lambda: cards.entrant_table(load(SKIRMISH), ["rat", "ogre"]),
    "first_moves": lambda: score_tables.first_mover_advantage(duels(), FIELD[:3]),
    "groups": lambda: shape.group_matrix(cards.entrant_table(warforged(), FIELD), duels()),
    "items": item_table,
    "items_summed_up": lambda: items.item_summary(item_table()),
    "items_with_and_without": lambda: items.with_and_without(Runner(warforged()), FIELD[3:6]),
    "kills": lambda: tables.kill_table(Runner(warforged()), SHOOTERS, TARGETS, ("situation.light_cover=true",)),
    "log_first_moves": lambda: score_tables.first_mover_advantage(LOG),
    "log_matrix": lambda: score_tables.duel_matrix(LOG),
    "log_matrix_going_second": lambda: score_tables.duel_matrix(LOG, first="b"),
    "log_ratings": lambda: field.rating_table(LOG, seed=5),
    "log_scores": lambda: scores_frame(LOG),
    "matrix_of_feint": lambda: score_tables.duel_matrix(load(FEINT), first="a"),
    "panel": panel_frame,
    "panels_made_up": made_panels,
    "provenance_of_skirmish": lambda: provenance_table(load(SKIRMISH)),
    "ratings": lambda: field.rating_table(warforged(), FIELD, seed=3, once=True),
    "readings": reading_table,
    "readings_made_up": made_readings,
    "readings_of_skirmish": lambda: rule_options.rule_readings(Runner(load(SKIRMISH))),
    "survival": lambda: tables.survival_table(Runner(warforged()), [(FIELD[0], "aegis"), (FIELD[1], "trooper")]),
    "sweep": lambda: tables.sweep_table(Runner(warforged()), "defender.armour", [0, 3], FIELD[:2], "trooper"),
    "twins": twins,
}
"""Name of a golden file -> the table it holds."""


def written(frame: pl.DataFrame) -> str:
    """Return a table as CSV: numbers with eight digits, nulls empty, lists with blanks between."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(frame.columns)
    rows.writerows([_cell(value) for value in row] for row in frame.rows())
    return out.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.8g}"
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    return "" if value is None else str(value)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, make in GOLDEN.items():
        (FOLDER / f"{name}.csv").write_text(written(make()), "utf-8")
