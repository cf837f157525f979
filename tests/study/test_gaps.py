"""A catalogue that lost, gained or renamed a card: its report says what it leaves out, and shows what is new."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from balance.base.errors import CatalogueError, Fault, StudyError
from balance.game.loaded import LoadedGame, load
from balance.game.registry import GAMES, game_names, shipped_folder
from balance.reporting.build import report_run
from balance.study import load_study, run_study
from balance.study.frames.gaps import LeftOut, ReportPlan, plan_of, plan_report, tell_gaps
from balance.study.frames.report_settings import load_settings
from balance.study.run.reach import hidden_card_texts
from balance.study.settings.settings import Study, StudySettings
from balance.study.settings.tables import in_report
from tests.toy import game as module
from tests.toy.game import GAME as TOY


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str, str], LoadedGame]:
    """Return a game whose catalogue had one text of a file replaced; its sources are left out."""
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)

    def edit(game: str, file: str, old: str, new: str) -> LoadedGame:
        folder = tmp_path / game
        copytree(shipped_folder(load(game).definition), folder, dirs_exist_ok=True)
        (folder / "SOURCES.csv").unlink(missing_ok=True)
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), "utf-8")
        return load(game, folder)

    return edit


def planned(game: LoadedGame) -> ReportPlan:
    return plan_report(game, load_settings(game))


def told(plan: ReportPlan) -> tuple[str, ...]:
    return tell_gaps(plan.gaps)


def cells(plan: ReportPlan, table: str) -> tuple[set[str], set[str]]:
    laid = next(x for x in plan.report.tables if x.table.id == table)
    return {cell.row for cell in laid.cells}, {cell.column for cell in laid.cells}


@pytest.mark.parametrize("name", game_names())
def test_the_shipped_reports_lack_nothing_and_show_everything(name: str) -> None:
    game = load(name)
    assert told(planned(game)) == ()
    left_out = [text for text in hidden_card_texts(game) if not text.endswith("the study leaves it out")]
    assert left_out == []


WOLF = "wolf_riders,Wolf riders,green,mounted,3,3,4,4,1,long_sword,\n"
SPIDER = "giant_spider,Giant Spider,green,creature,1,2,4,4,2,bite,poison;web\n"


@pytest.mark.slow("test_a_new_army_and_a_new_troop_reach_the_report")
def test_a_new_unit_is_in_tables_of_all_units_and_takes_the_field(edited: Callable[..., LoadedGame]) -> None:
    game = edited("battlelore", "units.csv", SPIDER, SPIDER + WOLF)
    rows, columns = cells(planned(game), "exchange_figures")
    assert "Wolf riders" in rows & columns
    assert "wolf_riders+long_sword" in game.entrants  # no row of troops names it
    assert hidden_card_texts(game) == []


@pytest.mark.slow("test_what_is_not_there_is_said_at_once_and_in_the_report_and_the_rest_is_shown")
def test_a_unit_that_was_removed_is_left_out_and_said(edited: Callable[..., LoadedGame]) -> None:
    game = edited("battlelore", "units.csv", SPIDER, "")
    plan = planned(game)
    assert "Giant Spider" not in cells(plan, "exchange_figures")[0]
    (text,) = (text for text in told(plan) if "'giant_spider'" in text)
    assert text.startswith("'giant_spider' is not in units")
    assert "Concerns table weapons, table exchange_alone," in text


@pytest.mark.slow("test_what_is_not_there_is_said_at_once_and_in_the_report_and_the_rest_is_shown")
def test_a_renamed_unit_goes_by_its_new_name_and_a_finding_about_the_old_one_is_said(
    edited: Callable[..., LoadedGame],
) -> None:
    game = edited("battlelore", "units.csv", "Red foot", "Heavy foot")
    plan = planned(game)
    assert "Heavy foot" in cells(plan, "worth_dice")[1]
    assert "Red foot" not in cells(plan, "worth_dice")[1]
    (text,) = told(plan)
    assert text.startswith("A finding speaks of cells that its table lacks, and is left out. Concerns table worth_dice")


@pytest.mark.slow("test_an_army_that_nobody_could_play_is_a_fault_of_its_row")
def test_two_units_of_one_name_are_told_apart_by_their_ids(edited: Callable[..., LoadedGame]) -> None:
    game = edited("battlelore", "units.csv", "Red foot", "Blue foot")
    assert {"Blue foot (blue_foot)", "Blue foot (red_foot)"} <= cells(planned(game), "exchange_figures")[0]


ARMY = 'my_army,My army,angueth,archers;archers,,,,melee,,,,\nangueth_learning,"'


def test_a_new_army_and_a_new_troop_reach_the_report(edited: Callable[..., LoadedGame]) -> None:
    game = edited("edadh", "armies.csv", 'angueth_learning,"', ARMY)
    assert "My army" in cells(planned(game), "every_army")[0]
    assert hidden_card_texts(game) == []


@pytest.mark.slow("test_a_new_army_and_a_new_troop_reach_the_report")
def test_cards_that_nobody_has_are_named_with_the_reason(edited: Callable[..., LoadedGame]) -> None:
    game = edited("battlelore", "weapons.csv", "\ncrossbow,", "\nhalberd,Halberd,1,all,all,true,full,false\ncrossbow,")
    assert hidden_card_texts(game) == ["weapons: halberd will not appear: no row of troops or units names it"]
    game = edited("edadh", "standards.csv", "\nbanner,", "\nflag,Flag,3,1\nbanner,")
    assert hidden_card_texts(game) == ["standards: flag will not appear: no army has it"]


TOY_REPORT = """
[[sections]]
id = "duels"
title = "Duels"
[[sections.tables]]
id = "shares"
caption = "Who wins"
rung = "duel"
measure = { wins = "a" }
rows = "all fighters"
columns = [{ each = "other", of = ["knight", "giant"] }]
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game whose report names a fighter that is not there."""
    copytree(TOY.folder or Path(), tmp_path / "cards")
    (tmp_path / "cards" / "report.toml").write_text(TOY_REPORT, "utf-8")
    monkeypatch.setattr(module, "GAPPED", replace(TOY, folder=tmp_path / "cards"), raising=False)
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAPPED")
    (tmp_path / "study.toml").write_text('game = "skirmish"\nmetrics = ["sections"]\n', "utf-8")
    return tmp_path


def test_what_is_not_there_is_said_at_once_and_in_the_report_and_the_rest_is_shown(toy: Path) -> None:
    notes: list[str] = []
    run = run_study(load_study(toy / "study.toml"), toy / "run", note=notes.append)
    assert notes == ["'giant' is not in fighters. Concerns table shares."]
    assert run.table("declared_shares")["column"].unique().to_list() == ["Knight"]
    page = report_run(run, toy / "report", ("html",))[0].read_text("utf-8")
    assert "Left out of this report" in page
    assert "is not in fighters" in page


def test_an_army_that_nobody_could_play_is_a_fault_of_its_row(edited: Callable[..., LoadedGame]) -> None:
    holes = ARMY.replace("archers;archers,,,,", "archers,archers;archers,,,")
    with pytest.raises(CatalogueError, match=r"armies.csv, row 2: '1/2' a card would stand behind nobody"):
        edited("edadh", "armies.csv", 'angueth_learning,"', holes)


def test_more_than_a_table_has_room_for_is_said(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.study.frames.cells.MOST_OF_ALL", 1)
    game = load("skirmish")
    plan = planned(game)
    assert len(cells(plan, "shares")[0]) == 1
    assert any("and the first 1 are shown. Concerns table shares." in text for text in told(plan))


def test_all_of_what_there_is_not_is_a_fault(toy: Path) -> None:
    (toy / "cards" / "report.toml").write_text(TOY_REPORT.replace("all fighters", "all fihgters"), "utf-8")
    with pytest.raises(StudyError, match=r"rows.of: 'all fihgters' is not a kind of card.*did you mean all fighters"):
        planned(load("skirmish"))


@pytest.mark.parametrize(
    ("metrics", "n_gaps"), [(["sections", "cards"], 1), (["sections"], 0), (["cards"], 1), (["match_ups"], 0)]
)
def test_what_a_study_does_not_ask_for_is_not_missed(
    metrics: list[str], n_gaps: int, edited: Callable[..., LoadedGame]
) -> None:
    """A sweep belongs to the cards of a game that has an effect: without its target it is a gap, but not if unasked."""
    game = edited("warforged", "report.toml", 'target = "', 'target = "no_')
    study = Study(StudySettings.model_validate({"game": "warforged", "metrics": metrics}), Path("study.toml"))
    found = [gap for gap in plan_of(study, game).gaps if "is no target here" in gap.message]
    assert bool(found) == bool(n_gaps)


def test_of_many_places_the_first_four_are_named_and_of_many_reasons_each() -> None:
    fault = Fault("is not in units", found="ogre", allowed="orc", tip="did you mean ogres?")
    gaps = [in_report(fault, f"table {place}", f"row {row!r}") for place in "abcd" for row in "xy"]
    more = [in_report(Fault("is no cell of this table", field="finding"), f"table {place}") for place in "abcdef"]
    box = [in_report(Fault("is no cell of this table", field="caution"), "table a")]
    plain = [in_report(Fault("too large."), "solution s")]
    assert tell_gaps(gaps) == (
        "'ogre' is not in units; did you mean ogres? Concerns table a, table b, table c, table d.",
    )
    assert tell_gaps([*gaps, *more, *box, *plain])[1:] == (
        "A finding speaks of cells that its table lacks, and is left out. "
        "Concerns table a, table b, table c, table d, 2 more.",
        "A caution speaks of cells that its table lacks, and is left out. Concerns table a.",
        "too large. Concerns solution s.",
    )


def test_what_is_left_out_is_told_as_it_comes_and_kept() -> None:
    heard = list[str]()
    left_out = LeftOut(heard.append)
    for words in ("one", "two"):
        left_out.add([in_report(Fault(words), "table a")])
    assert heard == left_out.texts == ["one. Concerns table a.", "two. Concerns table a."]
