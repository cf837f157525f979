"""Declared tables: what they say is what the game answers, and what is wrong with them is told by its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import balance
from balance.analysis.scores.measures import Answer, Measure, read_off
from balance.base.errors import StudyError
from balance.catalogue.toml_model import read_model
from balance.chance.pmf import Pmf
from balance.engine.runner import Runner
from balance.game.game import Game
from balance.game.loaded import LoadedGame, load
from balance.study.frames.estimates import solve_steps
from balance.study.frames.report_settings import GameSettings, load_settings
from balance.study.frames.report_tables import TablePlan, check_sections, report_frames
from tests.toy.game import GAME as TOY
from tests.toy.renamed import GAME as RENAMED

TABLE = """
[[sections]]
id = "throws"
title = "Throws"

[[sections.tables]]
id = "damage"
caption = "Damage"
rung = "attack"
other = "ogre"
measure = { mean = "damage" }
rows = [{ each = "attacker.dice", of = [1, 2, 3] }]
columns = [{ each = "one", of = ["knight", "ogre"] }]
"""
HEAD = TABLE[: TABLE.index("rows = ")]


def settings_of(folder: Path, text: str) -> GameSettings:
    (folder / "report.toml").write_text(text, "utf-8")
    return read_model(GameSettings, folder / "report.toml")


def frames_of(
    folder: Path, text: str, game: LoadedGame | None = None, strict: bool = True, **how: Any
) -> dict[str, pl.DataFrame]:
    loaded = game or load(TOY)
    plan = TablePlan.of(loaded, settings_of(folder, text), how.pop("changes", lambda kind: ()))
    if plan.gaps and strict:
        raise StudyError(plan.gaps)
    return report_frames(Runner(loaded), plan, **how)


def faults_of(folder: Path, text: str) -> str:
    with pytest.raises(StudyError) as error:
        frames_of(folder, text)
    return str(error.value)


def value(frame: pl.DataFrame, row: str, column: str) -> float:
    return float(frame.filter(pl.col("row") == row, pl.col("column") == column)["value"].item())


def test_a_cell_is_the_answer_to_its_question(tmp_path: Path) -> None:
    frame = frames_of(tmp_path, TABLE)["declared_damage"]
    assert frame["kind"].unique().to_list() == ["exact"]
    assert value(frame, "2", "Knight") == load(TOY).attack("knight", "ogre", {"attacker.dice": 2}).distribution.mean(
        "damage"
    )
    assert frame["low"].null_count() == frame.height == 6


def test_a_number_for_each_point_is_told_by_what_the_row_costs(tmp_path: Path) -> None:
    """Two dice do a damage, whoever throws them: 10 points of a Knight at 20 buy half of it, of an Ogre at 35 2/7."""
    text = TABLE.replace('mean = "damage"', 'mean = "damage", per_points = 10')
    frame = frames_of(tmp_path, text)["declared_damage"]
    assert [value(frame, "2", name) for name in ("Knight", "Ogre <b>of</b> Ys")] == pytest.approx([1 / 2, 2 / 7])
    assert set(frame["measure"]) == {"mean damage per 10 points"}


def test_a_column_goes_before_its_row_and_a_row_before_its_table(tmp_path: Path) -> None:
    own = '{ label = "own", one = "knight", set = { "attacker.dice" = 5 } }'
    axes = f'rows = [{{ label = "all", set = {{ "attacker.dice" = 2 }} }}]\ncolumns = [{{ label = "row" }}, {own}]\n'
    frame = frames_of(tmp_path, f'{HEAD}one = "knight"\nset = {{ "attacker.dice" = 1 }}\n{axes}')["declared_damage"]
    assert frame["value"].to_list() == [1.0, 2.5]
    assert frame["changes"].to_list() == [["attacker.dice=2"], ["attacker.dice=5"]]


def test_a_table_overrules_what_a_study_changes(tmp_path: Path) -> None:
    frame = frames_of(tmp_path, TABLE, changes=lambda kind: ("attacker.dice=9", "rules.hits_on=5-6"))["declared_damage"]
    assert value(frame, "3", "Knight") == 1.0


READ = 'set = { "rules.hits_on" = "5-6" }\nbaseline = { set = { "rules.hits_on" = "4-6" } }\n'
THREE = 'rows = [{ label = "3 dice" }]\ncolumns = [{ each = "one", of = ["knight"] }]\n'


def test_a_difference_is_taken_from_the_baseline(tmp_path: Path) -> None:
    """A die does 1/2 damage as the rules stand and 1/3 under the other reading."""
    frame = frames_of(tmp_path, f'{HEAD}{READ}show = "difference"\n{THREE}')["declared_damage"]
    assert frame["value"].to_list() == pytest.approx([-0.5])
    frame = frames_of(tmp_path, f'{HEAD}{READ}show = "baseline"\n{THREE}')["declared_damage"]
    assert frame["value"].to_list() == pytest.approx([1.5])


@pytest.mark.parametrize(
    ("worth", "value", "beyond"),
    [
        ('{ path = "attacker.dice", low = 1, high = 9 }', 4.5, None),
        ('{ path = "attacker.dice", low = 1, high = 4 }', None, 4),
        ('{ path = "attacker.cost_points", low = 0, high = 9 }', None, None),  # cost does not change a throw
    ],
)
def test_what_makes_up_for_a_reading(worth: str, value: float | None, beyond: int | None, tmp_path: Path) -> None:
    """With a third of the faces instead of a half, four dice and a half do the work of three."""
    frame = frames_of(tmp_path, f'{HEAD}{READ}show = "worth"\nworth = {worth}\n{THREE}')["declared_damage"]
    assert frame.select("value", "beyond", "kind").row(0) == (value, beyond, "exact")


def test_steps_are_solved_for_rising_and_falling_numbers() -> None:
    assert solve_steps([0, 1, 2], [3.0, 2.0, 1.0], 2.5) == (0.5, None)
    assert solve_steps([0, 1, 2], [3.0, 2.0, 1.0], 4.0) == (None, 0)
    assert solve_steps([0, 1, 2], [0.0, 0.0, 0.0], 1.0) == (None, None)
    assert solve_steps([0, 1, 2], [0.0, 2.0, 1.0], 1.5) == (None, None)


def test_colours_are_worth_the_dice_that_they_differ_by(tmp_path: Path) -> None:
    text = """
[[sections]]
id = "dice"
title = "Dice"
[[sections.tables]]
id = "extra"
caption = "Dice"
rung = "attack"
other = "blue_foot"
measure = { mean = "hits" }
show = "worth"
worth = { path = "situation.extra_dice", low = -4, high = 4 }
baseline = { one = "blue_foot" }
rows = [{ each = "one", of = ["green_foot", "blue_foot", "red_foot"] }]
columns = [{ label = "dice" }]
"""
    shown = frames_of(tmp_path, text, load("battlelore"))["declared_extra"]["value"].to_list()
    assert shown == pytest.approx([1.0, 0.0, -1.0])  # 2, 3 and 4 dice


def simulated(toy: Game) -> LoadedGame:

    kinds = {**toy.kinds, "duel": replace(toy.kinds["duel"], has_distribution=False)}
    return load(replace(toy, kinds=kinds))


DUELS = (
    TABLE.replace('"attack"', '"duel"')
    .replace('{ mean = "damage" }', '{ score = "a" }\ntrials = 4000')
    .replace("attacker.dice", "a.dice")
)


def test_what_two_tables_print_is_one_sample(tmp_path: Path) -> None:
    """However the question is put, with as many trials as the table that wants most; what changes nothing is 0."""
    same = '"a.dice" = 3'  # as on the card
    more = f"""
[[sections.tables]]
id = "again"
caption = "Again"
rung = "duel"
measure = {{ wins = "a" }}
trials = 256
rows = [{{ label = "r", one = "knight", other = "ogre" }}]
columns = [{{ label = "plain" }}, {{ label = "as printed", set = {{ {same} }} }}]
[[sections.tables]]
id = "change"
caption = "Change"
rung = "duel"
measure = {{ wins = "a" }}
trials = 512
show = "difference"
set = {{ {same} }}
baseline = {{ }}
rows = [{{ label = "r", one = "knight", other = "ogre" }}]
columns = [{{ label = "c" }}]
"""
    frames = frames_of(tmp_path, TABLE + more, simulated(TOY))
    assert frames["declared_again"]["value"].n_unique() == 1
    assert set(frames["declared_again"]["n_trials"]) == {512}
    assert frames["declared_change"].select("value", "kind").row(0) == (0.0, "exact")


def test_a_kind_without_a_distribution_is_simulated_and_its_intervals_hold_the_truth(tmp_path: Path) -> None:
    exact = frames_of(tmp_path, DUELS)["declared_damage"]
    found = frames_of(tmp_path, DUELS, simulated(TOY), seed=3)["declared_damage"]
    assert found["kind"].unique().to_list() == ["simulated"]
    assert found["n_trials"].unique().to_list() == [4000]
    inside = (found["low"] <= exact["value"]) & (exact["value"] <= found["high"])
    assert inside.sum() >= found.height - 1
    assert frames_of(tmp_path, DUELS, simulated(TOY), seed=3)["declared_damage"].equals(found)
    assert not frames_of(tmp_path, DUELS, simulated(TOY), seed=4)["declared_damage"].equals(found)


def test_a_score_is_read_from_the_column_of_the_winner_whatever_it_is_called(tmp_path: Path) -> None:
    played = [frames_of(tmp_path, DUELS, load(toy))["declared_damage"] for toy in (TOY, RENAMED)]
    assert played[0].equals(played[1])
    assert played[0]["value"].is_between(0.01, 0.99).any()


def test_a_score_of_what_nobody_wins_is_a_fault(tmp_path: Path) -> None:
    text = faults_of(tmp_path, TABLE.replace('{ mean = "damage" }', '{ wins = "a" }'))
    assert "'winner' is no column of attack; allowed: damage" in text


def test_variances_of_simulated_numbers_add() -> None:
    counts = Answer(Pmf.of({0: 50, 1: 50}, "winner"), 100)
    one = read_off(Measure(wins="a"), counts, {"a": 1}, "winner")
    assert (one.low, one.high) == pytest.approx((0.4038, 0.5962), abs=1e-4)  # Wilson, 50 of 100
    apart = one - one
    assert apart.error == pytest.approx(2**0.5 * 0.05)
    assert apart.error is not None
    assert (apart.low, apart.high) == pytest.approx((-1.96 * apart.error, 1.96 * apart.error), rel=1e-3)


@pytest.mark.parametrize(
    ("found", "instead", "told"),
    [
        ('rung = "attack"', 'rung = "atack"', "did you mean attack?"),
        ('"damage" }', '"damge" }', "did you mean damage?"),
        ('measure = { mean = "damage" }\n', "", "table damage, measure: is missing"),
        ('{ mean = "damage" }', '{ mean = "damage", chance = "damage" }', "give one of mean, chance, wins and score"),
        ('"knight", "ogre"', '"knight", "knight"', "columns.label: 'Knight' stands twice"),
        ('"knight", "ogre"', '"knight", "oger"', "column 'Oger': 'oger' is not in fighters"),
        ("[1, 2, 3]", "[1, 2, 12]", "row '12', column 'Knight', dice: '12'"),
        ("rung =", 'show = "difference"\nrung =', "needs a baseline"),
        ("rung =", 'finding = "{most} of {most_rows}"\nrung =', "'most_rows' is no field of a finding"),
        ("rung =", 'finding = "{cell[9][Knight]}"\nrung =', "is no cell of this table"),
        ("rung =", 'finding = "{most"\nrung =', "braces that do not fit"),
        ("rung =", 'caution = "{most} of {most_rows}"\nrung =', "caution: 'most_rows' is no field of a caution"),
        ("rung =", 'caution = "{cell[9][Knight]}"\nrung =', "caution: 'cell[9][Knight]' is no cell of this table"),
        ("rung =", 'caution = "{most"\nrung =', "caution: has braces that do not fit"),
        ("rung =", 'finding = "{damage.most}"\nrung =', "'damage.most' is no field of a finding"),
        ('id = "damage"', 'id = "throws"', "names two sections or tables"),
        ("{ each", '{ label = "x", each', "the values are the labels"),
    ],
)
def test_what_is_wrong_is_told_by_its_place(found: str, instead: str, told: str, tmp_path: Path) -> None:
    assert told in faults_of(tmp_path, TABLE.replace(found, instead))


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ('change = "damge"', "first_page.change: 'damge' is no table of this report; allowed: damage"),
        (
            'chart = { table = "damage", axis = "x", solution = "duel" }',
            "first_page.chart.solution: 'duel' is no solution",
        ),
        ('chart = { table = "dmage", axis = "x" }', "first_page.chart.table: 'dmage' is no table"),
        ('chart = { table = "damage", axis = "x", column = "Oger" }', "chart.column: 'Oger' is no column of this"),
        ('chart = { table = "damage", axis = "x", fair = [2, 1] }', "fair goes from 2 to 1: the lower end comes first"),
        ('headline = "{damge.most}"', "first_page.headline: 'damge' is no table of this report; allowed: damage"),
        ('headline = "{most}"', "first_page.headline: 'most' is no table of this report"),
        ('headline = "{damage.mst}"', "first_page.headline: 'damage.mst' is no field of a headline"),
        ('headline = "{damage.cell[9][Knight]}"', "'damage.cell[9][Knight]' is no cell of this table"),
        ('headline = "{damage.most"', "first_page.headline: has braces that do not fit"),
    ],
)
def test_a_first_page_speaks_of_tables_that_are_there(page: str, told: str, tmp_path: Path) -> None:
    assert told in faults_of(tmp_path, f"[first_page]\n{page}\n{TABLE}")


def test_a_sound_first_page_is_no_fault(tmp_path: Path) -> None:
    page = '[first_page]\nheadline = "{damage.most} {cell[1][Knight]}"\nchange = "damage"\n'
    page += 'chart = { table = "damage", axis = "x", column = "Knight", fair = [1, 2] }\n'
    assert "declared_damage" in frames_of(tmp_path, page + TABLE)


@pytest.mark.parametrize("kind", ["mean", "chance"])
def test_codes_have_neither_mean_nor_order(kind: str, tmp_path: Path) -> None:
    text = TABLE.replace('rung = "attack"', 'rung = "duel"').replace('mean = "damage"', f'{kind} = "winner"')
    assert "measure: 'winner' holds codes, which have no mean and no order" in faults_of(tmp_path, text)


def test_a_fault_stands_in_the_line_of_its_own_table(tmp_path: Path) -> None:
    second = TABLE[TABLE.index("[[sections.tables]]") :].replace('"damage"\ncap', '"more"\ncap')
    text = TABLE + second.replace("rung", "rang")
    row = text[: text.index("rang")].count("\n") + 1
    assert f"report.toml, row {row}, sections.tables.rang" in faults_of(tmp_path, text)


def test_what_the_rules_forbid_is_left_empty_if_the_table_says_so(tmp_path: Path) -> None:
    text = TABLE.replace("attacker.dice", "situation.adjacent").replace("[1, 2, 3]", "[true, false]")
    text = (
        text.replace("knight", "green_foot")
        .replace('"ogre"', '"green_foot+common_bow"', 1)
        .replace('mean = "damage"', 'mean = "hits"')
    )
    text = text.replace(', "ogre"]', ', "green_foot+common_bow"]')
    game = load("battlelore")
    with pytest.raises(StudyError, match="attacks adjacent units only"):
        frames_of(tmp_path, text, game)
    frame = frames_of(tmp_path, text.replace("rung", "skip_illegal = true\nrung"), game)["declared_damage"]
    assert frame["kind"].to_list() == ["exact", "exact", "not asked", "exact"]


def test_a_catalogue_that_lacks_a_card_leaves_its_cells_out(tmp_path: Path) -> None:
    text = TABLE.replace('"knight", "ogre"', '"knight", "giant"')
    frame = frames_of(tmp_path, text, strict=False)["declared_damage"]
    assert frame["column"].unique().to_list() == ["Knight"]


def test_the_chances_that_players_print() -> None:
    """The table that players print: with a sword, two of six faces hit, so n dice hit at least once 1 - (2/3)^n."""
    game = balance.load("battlelore")
    settings = load_settings(game)
    only = settings.model_copy(update={"sections": settings.sections[:1]})
    frame = report_frames(Runner(game), TablePlan.of(game, only))["declared_dice_swords"]
    one_hit = frame.filter(pl.col("column") == "1 hit")["value"].to_list()
    assert one_hit == pytest.approx([1 - (2 / 3) ** n for n in range(1, 7)])
    assert frame.filter(pl.col("column") == "1 flag")["value"].to_list() == pytest.approx(
        [1 - (5 / 6) ** n for n in range(1, 7)]
    )


def test_the_policies_of_a_cell_are_kept_where_they_are_the_default_too() -> None:
    loaded = load("edadh")
    table = {"id": "t", "caption": "c", "rung": "duel", "one": "spears", "other": "shieldsmen", "trials": 100}
    table |= {"rows": [{"label": "r", "choices": {"policy_b": "low"}}], "columns": [{"label": "c"}]}
    table |= {"measure": {"score": "a"}}
    settings = GameSettings.model_validate({"sections": [{"id": "s", "title": "S", "tables": [table]}]})
    (frame,) = report_frames(Runner(loaded), TablePlan.of(loaded, settings)).values()
    assert frame["choices"].to_list() == [["policy_a=cautious", "policy_b=low"]]


def test_choices_that_no_question_has_are_faults() -> None:
    settings = GameSettings(players=["policy_c"], uses={"web": {"powers": "web"}})
    with pytest.raises(StudyError) as error:
        check_sections(load("edadh"), settings)
    assert [(fault.field, fault.found) for fault in error.value.faults] == [
        ("players", "policy_c"),
        ("uses.web", "powers"),
    ]
