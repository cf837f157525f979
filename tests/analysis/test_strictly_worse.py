"""Who is strictly worse by the cards alone, against a reading of the tables that shares no code with it."""

from __future__ import annotations

import csv
import random
import shutil
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from balance.analysis.dominance.strictly_worse import StrictlyWorse, strictly_worse, worse_cards
from balance.game.loaded import LoadedGame, load
from balance.game.registry import find_game, shipped_folder
from tests.rulebook.games import write

TEMPLATES = sorted((Path(__file__).parents[2] / "balance" / "rulebook" / "templates").glob("*.toml"))
Row = dict[str, str]
MORE, LESS = 1, -1

# -- a second reading: rows of text, directions by hand ----------------------------------------------------------------

WARFORGED = {
    "units": {"speed_cells": MORE, "health": MORE, "armour": MORE, "handling": MORE},
    "weapons": {"handling": LESS, "range_cells": MORE, "precision": MORE, "damage": MORE},
}
GOOD_WORDS = {"heavy", "jump", "slim", "supershield", "piercing", "rapid_fire", "emp", "laser"}
CLASSES = ["heavy", "main", "secondary"]
PLAIN = {"id", "name", "kind", "copies", "cost_points"}


def rows_of(folder: Path, table: str) -> list[Row]:
    with (folder / f"{table}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(folder: Path, table: str, rows: list[Row]) -> None:
    with (folder / f"{table}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def card_gaps(table: str, worse: Row, better: Row) -> list[float] | None:
    """Return by how much a Warforged card is better in each field or word; None where the two cannot be compared."""
    gaps = list[float]()
    for field, one in worse.items():
        other = better[field]
        if field in PLAIN:
            continue
        if field in WARFORGED[table]:
            gaps.append(WARFORGED[table][field] * (int(other) - int(one)))
        elif field == "class":
            gaps.append(CLASSES.index(other) - CLASSES.index(one))
        else:
            words, other_words = ({*filter(None, text.split(";"))} for text in (one, other))
            if (words ^ other_words) - GOOD_WORDS:
                return None
            gaps += [(word in other_words) - (word in words) for word in words | other_words]
    return gaps


def worse_loadouts(folder: Path, names: list[str]) -> dict[str, set[str]]:
    """Return loadout of one unit and one weapon -> all that are strictly better."""
    cards = {row["id"]: (table, row) for table in WARFORGED for row in rows_of(folder, table)}
    result = dict[str, set[str]]()
    for name in names:
        for other in names:
            pairs = [(cards[one], cards[two]) for one, two in zip(name.split("+"), other.split("+"), strict=True)]
            gaps = [card_gaps(table, row, other_row) for (table, row), (_, other_row) in pairs]
            saved = sum(int(row["cost_points"]) - int(other_row["cost_points"]) for (_, row), (_, other_row) in pairs)
            flat = [saved, *(gap for card in gaps for gap in card or ())]
            if None not in gaps and min(flat) >= 0 and max(flat) > 0:
                result.setdefault(name, set()).add(other)
    return result


# -- planted -----------------------------------------------------------------------------------------------------------


def planted(
    tmp_path: Path, game: str, table: str, card: str, change: Callable[[Row], Row], seed: int = 0
) -> LoadedGame:
    """Return a game with a changed copy of a card, called `copy`, rows in random order."""
    folder = tmp_path / game
    shutil.copytree(shipped_folder(find_game(game)), folder)
    rng = random.Random(seed)
    for name in {table, *(["formations"] if game == "runewars" else [])}:
        rows = rows_of(folder, name)
        if name == "formations":
            rows += [row | {"id": f"copy_{row['id']}", "unit": "copy"} for row in rows if row["unit"] == card]
        else:
            rows += [change(row) | {"id": "copy", "name": "Copy"} for row in rows if row["id"] == card]
        rng.shuffle(rows)
        write_rows(folder, name, rows)
    return load(game, folder)


def named(game: LoadedGame, kind: str) -> Mapping[str, StrictlyWorse]:
    armies = game.definition.kinds[kind].armies
    assert armies is not None
    return strictly_worse(game, kind, game.ids(armies.member))


def one_less(field: str) -> Callable[[Row], Row]:
    return lambda row: row | {field: str(int(row[field]) - 1)}


PLANTED = [
    *(("warforged", "battle", "units", "bulwark", field, field.removesuffix("_cells")) for field in WARFORGED["units"]),
    *(("warforged", "lineup", "weapons", "sidearm", field, field.removesuffix("_cells"))
      for field in ("range_cells", "precision", "damage")),
    *(("battlelore", "lineup", "units", "blue_mounted", field, field.replace("_", " "))
      for field in ("figures", "dice")),
    *(("runewars", "lineup", "units", card, field, field.replace("_", " ")) for card, field in (
        ("death_knights", "defence"), ("carrion_lancers", "wound_threshold"), ("spearmen", "melee_red"),
        ("death_knights", "mortal_ward"), ("heavy_crossbowmen", "ranged_red"))),
]  # fmt: skip


@pytest.mark.parametrize(("game", "kind", "table", "card", "field", "label"), PLANTED)
def test_of_a_copy_with_one_number_less_exactly_its_loadouts_are_named(
    tmp_path: Path, game: str, kind: str, table: str, card: str, field: str, label: str
) -> None:
    opened = planted(tmp_path, game, table, card, one_less(field))
    worse = named(opened, kind)
    own = {name for name in worse if "copy" in name.split("+")}
    armies = opened.definition.kinds[kind].armies
    assert armies is not None
    assert own == {name for name in opened.ids(armies.member) if "copy" in name.split("+")} == {*worse}
    assert own
    for name in own:
        original = name.replace("copy", card)
        assert original not in opened.ids(armies.member) or worse[name] == StrictlyWorse(original, (label,))


@pytest.mark.parametrize(
    ("game", "kind", "table", "card", "change"),
    [
        ("warforged", "battle", "units", "nexus", lambda row: row | {"health": "7", "abilities": "overload"}),
        (
            "warforged",
            "battle",
            "weapons",
            "sidearm",
            lambda row: row | {"range_cells": "2", "effects": "high_explosive"},
        ),
        ("warforged", "battle", "units", "nexus", lambda row: row | {"health": "7", "speed_cells": "5"}),
        ("warforged", "battle", "units", "nexus", lambda row: row | {"health": "7", "cost_points": "23"}),
        ("warforged", "battle", "units", "nexus", lambda row: row),
        ("battlelore", "lineup", "units", "blue_mounted", lambda row: row | {"figures": "2", "hexes_per_flag": "2"}),
        ("runewars", "lineup", "units", "spearmen", lambda row: row | {"melee_red": "0", "not_played": "Runs"}),
        ("runewars", "lineup", "units", "spearmen", lambda row: row | {"melee_red": "0", "brutal": "stable"}),
    ],
)
def test_nothing_is_claimed_where_a_field_has_no_direction_or_something_is_better(
    tmp_path: Path, game: str, kind: str, table: str, card: str, change: Callable[[Row], Row]
) -> None:
    assert named(planted(tmp_path, game, table, card, change), kind) == {}


@pytest.mark.parametrize("game", ["warforged", "battlelore", "runewars", "immortal_souls", "edadh", *TEMPLATES])
def test_nobody_that_ships_is_strictly_worse(game: str | Path) -> None:
    opened = load(str(game))
    assert worse_cards(opened.catalogue) == {}
    kinds = opened.definition.kinds
    assert not any(named(opened, kind) for kind, question in kinds.items() if question.armies is not None)


def test_the_order_of_rows_and_of_names_changes_nothing(tmp_path: Path) -> None:
    first, second = (
        planted(tmp_path / str(seed), "warforged", "units", "nexus", one_less("health"), seed) for seed in (1, 2)
    )
    assert [*first.catalogue.tables["units"]] != [*second.catalogue.tables["units"]]
    worse = named(first, "battle")
    assert worse == named(second, "battle")
    assert worse == strictly_worse(first, "battle", [*reversed(first.entrants)])
    assert len(worse) == 9


@pytest.mark.parametrize(("cost", "expected"), [(25, "copy"), (23, "nexus")])
def test_of_two_alike_the_dearer_is_strictly_worse(tmp_path: Path, cost: int, expected: str) -> None:
    game = planted(tmp_path, "warforged", "units", "nexus", lambda row: row | {"cost_points": str(cost)})
    than = "copy" if expected == "nexus" else "nexus"
    assert strictly_worse(game, "battle", ["nexus", "copy", "rail_lance"]) == {expected: StrictlyWorse(than, ("cost",))}
    assert worse_cards(game.catalogue) == {("units", expected): StrictlyWorse(than, ("cost",))}
    assert {name.partition("+")[0] for name in named(game, "battle")} == {expected}


def test_all_fields_are_told_and_of_several_the_best_is_named(tmp_path: Path) -> None:
    game = planted(tmp_path, "warforged", "units", "spectre", lambda row: row | {"health": "4", "abilities": "slim"})
    folder = game.catalogue.path
    rows = rows_of(folder, "units")
    rows += [
        row | {"id": "worst", "name": "Worst", "health": "3", "cost_points": "30"}
        for row in rows
        if row["id"] == "copy"
    ]
    write_rows(folder, "units", rows)
    assert worse_cards(load("warforged", folder).catalogue) == {
        ("units", "copy"): StrictlyWorse("spectre", ("health", "jump")),
        ("units", "worst"): StrictlyWorse("spectre", ("health", "jump", "cost")),
    }


def test_weapons_in_any_order_are_held_against_each_other(tmp_path: Path) -> None:
    game = planted(tmp_path, "warforged", "weapons", "smg_pistol", one_less("damage"))
    names = ["nexus+copy+sidearm", "nexus+sidearm+smg_pistol", "nexus+smg_pistol", "nexus+copy+copy"]
    assert strictly_worse(game, "battle", names) == {
        "nexus+copy+sidearm": StrictlyWorse("nexus+sidearm+smg_pistol", ("damage",))
    }


@pytest.mark.parametrize("seed", range(4))
def test_random_catalogues_are_read_as_by_a_second_reader(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    folder = tmp_path / "warforged"
    shutil.copytree(shipped_folder(find_game("warforged")), folder)
    for table in WARFORGED:
        rows = rows_of(folder, table)
        for at in range(6):
            row = rng.choice(rows[:4]) | {"id": f"new_{table}_{at}", "name": f"New {table} {at}"}
            for field in rng.sample([*WARFORGED[table], "cost_points"], 2):
                row[field] = str(max(1, int(row[field]) + rng.choice([-1, 0, 1])))
            words = ["", "slim", "jump", "overload"] if table == "units" else ["", "emp", "high_explosive"]
            field = "abilities" if table == "units" else "effects"
            row[field] = row[field] if rng.random() < 0.6 else rng.choice(words)
            row |= {"class": rng.choice(["main", "secondary"])} if table == "weapons" and rng.random() < 0.3 else {}
            rows.append(row)
        write_rows(folder, table, rows)
    game = load("warforged", folder)
    names = rng.sample(game.entrants, 120)
    expected, worse = worse_loadouts(folder, names), strictly_worse(game, "battle", names)
    assert {*worse} == {*expected}
    assert expected
    assert all(better.than in expected[name] and better.than not in expected for name, better in worse.items())


# -- games of one file -------------------------------------------------------------------------------------------------


def with_rows(path: Path, template: Path, change: Callable[[Row], Row], seed: int = 0) -> LoadedGame:
    """Return a template's game with a changed copy of its first unit, rows in random order."""
    text = template.read_text("utf-8")
    table = tomllib.loads(text)["units"]
    lines = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    header, rows = lines[0], lines[1:]
    rows.append([*change(dict(zip(header, rows[0], strict=True)) | {"name": "Copy"}).values()])
    random.Random(seed).shuffle(rows)
    drawn = "\n".join(" | ".join(row) for row in (header, *rows))
    return load(str(write(path, text.replace(table, f"{drawn}\n", 1), f"{template.stem.replace('-', '_')}.toml")))


def one_more(field: str, row: Row) -> Row:
    return row | {field: str(int(row[field]) + 1)}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_in_a_game_file_a_copy_with_one_more_is_better_or_worse_as_the_file_says(
    tmp_path: Path, template: Path
) -> None:
    file = tomllib.loads(template.read_text("utf-8"))
    header, first, *_ = ([cell.strip() for cell in line.split("|")] for line in file["units"].strip().splitlines())
    original, directions = first[0].lower().replace(" ", "_"), file["better"]
    for field in header[2:]:
        if field == "keywords":
            continue
        game = with_rows(tmp_path, template, partial(one_more, field))
        pair = (original, "copy") if field in directions["more"] else ("copy", original)
        is_known = field in (*directions["more"], *directions.get("less", ()))
        expected = {pair[0]: StrictlyWorse(pair[1], (field,))} if is_known else {}
        assert named(game, "battle") == expected, field
        assert {name: better for (_, name), better in worse_cards(game.catalogue).items()} == expected


def test_a_good_keyword_is_missed_and_any_other_may_be_a_drawback(tmp_path: Path) -> None:
    template = next(path for path in TEMPLATES if path.stem == "symbol-dice")
    steady = with_rows(tmp_path, template, lambda row: row | {"keywords": "foot; steady"})
    assert named(steady, "battle") == {
        "infantry": StrictlyWorse("copy", ("steady",)),
        "guards": StrictlyWorse("copy", ("cost",)),
    }
    armoured = with_rows(tmp_path, template, lambda row: row | {"keywords": "foot; armour"})
    assert named(armoured, "battle") == {}


ONE_LESS = 'units = """\nname | cost | life | shots\nRat | 5 | 3 | 2\nLame rat | 5 | 2 | 2\n"""\nhealth = "life"\n'


@pytest.mark.parametrize(
    ("rules", "is_known"),
    [
        ('[attack]\n"foe.life" = "foe.life - me.shots d6 count 5+"', True),
        ('[attack]\n"foe.life" = "foe.life - 1"\n[ends]\nrounds = 9\nscore = "me.life"', True),
        ('[attack]\n"foe.life" = "foe.life - d(max(1, me.life))"', False),
        ('[attack]\nrage = "me.life < 2"\n"foe.life" = "foe.life - rage"', False),
        ('[attack]\nhurt = "foe.life_at_start - 1"\n"foe.life" = "foe.life - hurt"', False),
        ('[attack]\n"foe.life" = "foe.life - 1"\n[armies]\ntarget = "weakest"', False),
        ('[attack]\n"foe.life" = "foe.life + 1"\n[ends]\nout = "me.life >= 9"', False),
    ],
)
def test_of_the_health_more_is_better_unless_rules_do_more_with_it_than_to_take_from_it(
    tmp_path: Path, rules: str, is_known: bool
) -> None:
    for better, expected in (("", is_known), ('better.less = ["life"]\n', None), ('better.more = ["life"]\n', True)):
        game = load(str(write(tmp_path, f"{ONE_LESS}{better}{rules}\n")))
        lame, rat = {"lame_rat": StrictlyWorse("rat", ("life",))}, {"rat": StrictlyWorse("lame_rat", ("life",))}
        assert named(game, "battle") == ({} if expected is False else lame if expected else rat)
