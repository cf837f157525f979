"""What every small change of a card does, as tables of a run: fighters of whom only the health counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from balance.analysis.changes.neighbours.card_changes import InPoints
from balance.analysis.changes.neighbours.neighbours import Neighbourhood, neighbourhood
from balance.base.errors import Interruption, StudyError
from balance.chance.trials.estimate import Estimate
from balance.engine.runner import Engine, Runner
from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.study import Run, load_study, run_study
from balance.study.frames.neighbours import NEIGHBOUR_TABLES
from balance.study.settings.settings import Study
from tests.toy import game as toy

KNIGHT = '[[neighbours]]\nid = "few"\ntitle = "a few"\ncards = ["knight"]\n'
GUN = """
[[neighbours]]
id = "guns"
title = "guns"
cards = ["trooper+sidearm"]
among = ["nexus+sidearm"]
"""


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


def study(folder: Path, more: str, game: str = "skirmish") -> Study:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "study.toml"
    path.write_text(f'game = "{game}"\nmetrics = ["neighbours"]\n{more}')
    return load_study(path)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def gun(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("guns")
    return run_study(study(folder, GUN, "warforged"), folder / "run")


def always_three(setup: Any, side: str, name: str, rolls: Any, times: Any = 1) -> Any:
    """Throw three dice whatever the card says."""
    return rolls.count(6, 6, (4, 5, 6), name, 3 * times)


def test_of_a_card_whose_health_alone_counts_only_that_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "throw", always_three)
    found = run_study(study(tmp_path, KNIGHT), tmp_path / "run").table("neighbours")
    seen = dict(found.filter("seen").select("change", "score").iter_rows())
    assert set(seen) == {"health 5 to 6", "health 5 to 4"}
    assert seen["health 5 to 6"] > 0.01
    assert seen["health 5 to 4"] < -0.01
    dice = found.filter(field="dice", refused=False)
    assert dice.height == 2
    assert dice["score"].to_list() == [0.0, 0.0]


def test_with_the_rules_as_they_are_dice_are_seen_too(tmp_path: Path) -> None:
    """The control: the test above would pass of no card whose dice count."""
    run = run_study(study(tmp_path, KNIGHT), tmp_path / "run")
    found, printed = run.table("neighbours"), run.table("neighbour_cards").row(0, named=True)
    assert found.filter("seen").height == 4
    told = neighbourhood(Runner(load("skirmish")), "knight")
    assert printed["score"] == pytest.approx(told.score.value, abs=1e-6)
    assert dict(found.filter("seen").select("change", "score").iter_rows()) == pytest.approx(
        {one.change.change: one.score.value for one in told.neighbours if one.has_effect}, abs=1e-6
    )


@pytest.mark.slow("test_with_the_rules_as_they_are_dice_are_seen_too")
def test_tables_have_the_columns_they_are_said_to_have(gun: Run) -> None:
    for name, schema in NEIGHBOUR_TABLES.items():
        assert dict(gun.table(name).schema) == schema
    assert gun.table("neighbour_cards")["label"].to_list() == ["Trooper + Sidearm"]
    assert gun.table("neighbours").filter("refused").drop_nulls("score").height == 0
    assert gun.table("neighbour_pairs").height > 0


@pytest.mark.slow("tests/study/test_luck_frames.py::test_the_same_bytes_wherever_it_is_worked_out")
@pytest.mark.parametrize("executor", ["auto", "threads"])
def test_the_same_bytes_wherever_it_is_worked_out(executor: str, gun: Run, tmp_path: Path) -> None:
    again = run_study(study(tmp_path, GUN, "warforged"), tmp_path / "run", Engine(executor, n_jobs=2))
    assert files_of(again.folder) == files_of(gun.folder)


@pytest.mark.slow("tests/study/test_luck_frames.py::test_numbers_are_those_of_the_command_line")
def test_the_same_bytes_after_a_kill_and_one_line_of_progress_a_card(gun: Run, tmp_path: Path) -> None:
    left = iter([False] * 20)
    halting = Engine(halt=lambda: next(left, True))
    with pytest.raises(Interruption):
        run_study(study(tmp_path, GUN, "warforged"), tmp_path / "run", halting)
    told, stages = list[str](), list[str]()
    watched = Engine(progress=lambda stage: stages.append(f"{stage.work} {stage.n_done} {stage.total}"))
    again = run_study(study(tmp_path, GUN, "warforged"), tmp_path / "run", watched, told.append)
    assert "were found finished" in told[-1]
    assert stages == ["neighbourhoods of cards 1 1"]
    assert files_of(again.folder) == files_of(gun.folder)


FEW = '[[neighbours]]\nid = "x"\ntitle = "X"\n'


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (f'{FEW}cards = ["knigth"]\n', ["neighbours.x.cards: 'knigth' is no card that somebody holds", "mean knight?"]),
        (f"{FEW}cards = []\n", ["neighbours.cards: is out of range"]),
        (f"{FEW}", ["cards: is missing"]),
        (f'{FEW}cards = ["rat"]\namong = ["orge"]\n', ["did you mean ogre?"]),
        (f'{FEW}cards = ["rat"]\nset = ["rules.hits_on=7"]\n', ["hits_on"]),
        ("", ["metrics: 'neighbours' asks for [[neighbours]], and there is none"]),
    ],
)
def test_what_a_game_does_not_know_is_told_before_anything_is_played(
    more: str, told: list[str], tmp_path: Path
) -> None:
    with pytest.raises(StudyError) as error:
        study(tmp_path, more)
    assert [text for text in told if text not in str(error.value)] == []


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(StudyError) as error:
        study(tmp_path, f'{FEW}cards = ["knigth", "rta"]\namong = ["z*"]\nset = ["rules.hits_on=7"]\n')
    assert len(error.value.faults) == 4


@pytest.mark.slow("test_with_the_rules_as_they_are_dice_are_seen_too")
def test_changes_are_told_in_points_where_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `neighbour_points` finds stands beside its change, and nothing beside others; no points without the word."""

    def three(_: object, found: Neighbourhood, seed: int) -> InPoints:
        assert seed == 0
        most = max((one for one in found.neighbours), key=lambda one: abs(one.score.value))
        return InPoints("lineup", points={most.change: Estimate(3.0, 2.5, 3.5, 100, "fitted")})

    monkeypatch.setattr("balance.study.frames.neighbours.neighbour_points", three)
    run = run_study(study(tmp_path, f"{GUN}points = true", "warforged"), tmp_path / "run")
    found = run.table("neighbours").sort(pl.col("score").abs(), descending=True, nulls_last=True)
    points = found.select("points", "points_low", "points_high").rows()
    assert points[0] == (3.0, 2.5, 3.5)
    assert set(points[1:]) == {(None, None, None)}
    assert run.table("neighbour_cards")["points_in"].to_list() == ["lineup"]


def test_without_the_word_nothing_is_told_in_points(gun: Run) -> None:
    assert gun.table("neighbours")["points"].is_null().all()
    assert gun.table("neighbour_cards")["points_in"].to_list() == [None]


def test_points_where_nothing_is_bought_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"neighbours\.few\.points"):
        run_study(study(tmp_path, f"{KNIGHT}points = true"), tmp_path / "run")
