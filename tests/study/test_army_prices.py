"""Prices where armies of equal points meet, as tables of a run: tug of war, whose fair costs are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.typical_match_up import TypicalMatchUp
from balance.analysis.dominance.unfair_pairs import UnfairPair, UnfairPairs
from balance.analysis.prices.answer import TypicalMatchUps
from balance.analysis.prices.price_list import PriceList, price_list
from balance.base.errors import StudyError
from balance.engine.runner import Engine, Runner
from balance.game.registry import GAMES
from balance.study import load_study, run_study
from balance.study.frames import army_prices
from balance.study.frames.army_prices import (
    ARMY_TABLES,
    _typical_match_ups,
    _unfair_pairs,
    economies_of,
    expected_battles,
    held_out,
    meeting_of,
    tolerance_of,
)
from balance.study.run.folder import Run
from balance.study.run.forecast import forecast
from balance.study.settings.economies import Economy, usual_economies
from balance.study.settings.settings import Study
from tests.tug import write_catalogue

Cards = Sequence[tuple[str, float, int]]
BODIES: Cards = (("ant", 10, 100), ("elk", 20, 200), ("ox", 40, 400))
TOOLS: Cards = (("rope", 0, 100), ("chain", 5, 100))
"""A chain costs 5 and does nothing."""
FEW = "[check]\nmatch_ups = 1\ntrials = 64\n[verdicts]\ndraws = 100\n"
POOL = '[[armies]]\nid = "dry"\ntitle = "on dry ground"\nbattles = 12000\n'
MUD = '[[armies]]\nid = "mud"\ntitle = "in mud"\nset = ["situation.mud=true"]\nbattles = 12000\n'


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tug", "tests.tug.game:GAME")
    monkeypatch.setattr("balance.analysis.play.playing.N_PAIRS", 128)


def study(folder: Path, more: str, bodies: Cards = BODIES, tools: Cards = TOOLS) -> Study:
    folder.mkdir(parents=True, exist_ok=True)
    write_catalogue(folder / "cards", bodies, tools)
    path = folder / "study.toml"
    path.write_text(f'game = "tug"\ncatalogue = "cards"\nmetrics = ["cards"]\n{more}{FEW}')
    return load_study(path)


def ran(folder: Path, more: str = POOL, **cards: Cards) -> Run:
    return run_study(study(folder, more, **cards), folder / "run")


def words(run: Run, table: str = "fair_costs", key: str = "entrant") -> dict[tuple[str, str], str]:
    return {(row["setting"], row[key]): row["verdict"] for row in run.table(table).iter_rows(named=True)}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Run:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "tug", "tests.tug.game:GAME")
        patch.setattr("balance.analysis.play.playing.N_PAIRS", 128)
        return ran(tmp_path_factory.mktemp("both"), POOL + MUD)


@pytest.mark.slow("test_what_a_study_changes_holds_in_every_setting_unless_that_says_otherwise")
def test_every_setting_has_rows_of_its_own_in_tables_of_known_columns(both: Run) -> None:
    for name, schema in ARMY_TABLES.items():
        frame = both.table(name)
        assert dict(frame.schema) == {column: kind if isinstance(kind, pl.DataType) else kind()
                                      for column, kind in schema.items()}  # fmt: skip
        assert name == "unfair_pairs" or frame["setting"].unique(maintain_order=True).to_list() == ["dry", "mud"]
    assert both.table("fair_costs")["entrant"].to_list() == 2 * [f"{one}+{what}" for one, *_ in BODIES
                                                               for what in ("rope", "chain")]  # fmt: skip


def test_what_stays_unfair_is_kept_with_its_pairs() -> None:
    typical = TypicalMatchUps(TypicalMatchUp.of(0.04, 0.001, 99), None, TypicalMatchUp.of(0.01, 0.001, 99))
    proposal: Any = SimpleNamespace(
        typical=typical,
        unfair=UnfairPairs(6, 0.9, (UnfairPair("ant", "ox", 0.8, 0.02, 0.5),), ()),
    )  # fmt: skip
    assert [(row["costs"], row["strength_share"]) for row in _typical_match_ups(proposal)] == [
        ("printed", None),
        ("all", 0.9),
    ]
    numbers = {"score": 0.8, "error": 0.02, "share": 0.5, "n_pairs": 6}
    assert list(_unfair_pairs(proposal)) == [{"kind": "pair", "winner": "ant", "loser": "ox", **numbers}]


def test_what_is_worth_its_points_hangs_on_the_setting(both: Run) -> None:
    """On dry ground what costs twice is worth twice; in mud all are worth the same."""
    found = words(both)
    assert found["dry", "elk+rope"] == found["dry", "ox+rope"] == "fair"
    assert found["mud", "ant+rope"] == "too cheap"
    assert found["mud", "ox+rope"] == "too dear"
    assert both.table("army_scale").select("setting", "verdict").rows()[1] == ("mud", "dear too dear")


def test_a_sum_of_cards_stands_beside_each_fair_cost_and_what_no_sum_can_reach(both: Run) -> None:
    rows = both.table("fair_costs").filter(setting="dry")
    off = float(np.sqrt(np.mean(np.log(rows["sum_points"].to_numpy() / rows["fair_points"].to_numpy()) ** 2)))
    first = both.table("army_play").row(0, named=True)
    assert first["unfair"] <= off < first["unfair"] + first["noise"] + 0.05
    assert "changes no loadout" in first["constant"]
    assert first["constant_low"] <= 0 <= first["constant_high"]


def test_fair_costs_are_checked_by_playing_at_other_budgets(both: Run) -> None:
    checks = both.table("army_checks").filter(setting="mud", armies="alike").row(0, named=True)
    assert (checks["budget"], checks["unit_limit"]) == (141.0, 5.7)
    assert checks["rms_after"] < checks["rms_before"] / 2
    assert checks["slope_before"] < -0.1
    dry = both.table("army_checks").filter(setting="dry", armies="alike").row(0, named=True)
    assert abs(dry["slope_after"]) < 0.05
    scores = both.table("army_scores").filter(setting="mud")
    before, after = (np.abs(scores[name].to_numpy() - 0.5).max() for name in ("score_before", "score_after"))
    assert after < before / 2
    assert both.table("army_checks").filter(armies="mixed")["slope_after"].null_count() == 2


def test_how_it_was_judged_is_kept(both: Run) -> None:
    row = both.table("army_settings").row(1, named=True)
    assert {name: row[name] for name in ("title", "kind", "changes", "play", "budgets", "unit_limits", "seed")} == {
        "title": "in mud", "kind": "lineup", "changes": ["situation.mud=true"], "play": "hard",
        "budgets": [100.0, 200.0], "unit_limits": [4.0, 8.0], "seed": 0,
    }  # fmt: skip
    assert row["n_battles"] >= 12_000
    assert row["n_fighters"] == 1


def test_the_summary_counts_verdicts_and_tells_the_scale_and_the_checks(both: Run) -> None:
    told = both.summary["armies"]
    assert list(told) == ["dry", "mud"]
    assert sum(told["dry"]["verdicts"].values()) == 6
    assert sum(told["dry"]["card_verdicts"].values()) == 5
    assert told["mud"]["scale"]["verdict"] == "dear too dear"
    assert told["mud"]["checked"]["alike"]["after"] == both.table("army_checks")["rms_after"][2]


@pytest.mark.slow("test_what_a_study_changes_holds_in_every_setting_unless_that_says_otherwise")
def test_any_number_of_processes_gives_the_same_bytes(tmp_path: Path) -> None:
    one = ran(tmp_path / "a", POOL)
    two = run_study(study(tmp_path / "b", POOL), tmp_path / "b" / "run", Engine("threads", 2))
    assert {name: one.manifest["tables"][name] for name in ARMY_TABLES} == {
        name: two.manifest["tables"][name] for name in ARMY_TABLES
    }


@pytest.mark.slow("test_what_a_study_changes_holds_in_every_setting_unless_that_says_otherwise")
def test_a_setting_that_is_finished_is_not_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    made = study(tmp_path, POOL)

    def judged(*given: Any, **more: Any) -> PriceList:
        told.append("judged")
        return price_list(*given, **more)

    monkeypatch.setattr(army_prices, "price_list", judged)
    for _ in range(2):
        run = run_study(made, tmp_path / "run", keep_answers=True)
    assert told == ["judged"]
    fresh = run_study(made, tmp_path / "fresh")
    assert run.manifest["tables"] == fresh.manifest["tables"]
    assert told == ["judged", "judged"]


def test_without_a_word_armies_meet_as_the_rules_have_it_and_with_none_they_do_not(tmp_path: Path) -> None:
    silent, none = study(tmp_path, ""), study(tmp_path, "armies = []\n")
    loaded = silent.open()
    assert (
        economies_of(silent, loaded) == usual_economies(loaded) == (Economy(id="armies", title="as the rules have it"),)
    )
    assert economies_of(none, loaded) == ()
    run = run_study(none, tmp_path / "run")
    assert not set(ARMY_TABLES) & set(run.manifest["tables"])
    assert "armies" not in run.summary


@pytest.mark.parametrize(
    ("armies", "told"),
    [
        ('[[armies]]\nid = "x"\ntitle = "x"\nset = ["situation.mudd=true"]\n', "armies.x"),
        ('[[armies]]\nid = "x"\ntitle = "x"\nbudgets = [[9, 2], [9, 3]]\n', "holds budgets that do not rise"),
        (POOL + POOL, "holds 'dry' twice"),
        ('[[armies]]\nid = "x"\ntitle = "x"\n[armies.choices]\npull_a = "softly"\n', "softly"),
    ],
)
def test_a_wrong_setting_is_told_before_anything_is_played(tmp_path: Path, armies: str, told: str) -> None:
    with pytest.raises(StudyError) as error:
        study(tmp_path, armies)
    assert told in str(error.value)


def test_a_game_without_armies_has_no_settings_for_them(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(f'game = "edadh"\n{POOL}')
    with pytest.raises(StudyError) as error:
        load_study(path)
    assert "armies of any members do not meet in this game" in str(error.value)


def test_what_cannot_be_judged_is_left_out_and_said(tmp_path: Path) -> None:
    """Where an entrant does not cost what its cards cost, nothing follows for cards."""
    asked = study(tmp_path, POOL, tools=(("rope", 0, 100), ("chain", 5, 100)))
    loaded = asked.open()
    runner, gaps = Runner(loaded), list[Any]()
    free = replace(loaded.definition.kinds["lineup"], armies=None)
    runner.game = replace(loaded, definition=replace(loaded.definition, kinds={"lineup": free}))
    assert army_prices.army_frames(asked, runner, loaded.entrants, gaps) == {}
    assert [fault.field for fault in gaps] == ["worth its points"]


def test_prices_are_checked_halfway_between_the_budgets_or_where_one_says() -> None:
    setting = ArmySetting("lineup", ((100.0, 4.0), (400.0, 9.0), (900.0, 16.0)))
    usual = Economy(id="x", title="x")
    assert held_out(usual, setting) == ((200.0, 6.0), (600.0, 12.0))
    assert held_out(usual, replace(setting, budgets=((100.0, 4.0),))) == ((100.0, 4.0),)
    assert held_out(Economy(id="x", title="x", checked=[[50, 2]]), setting) == ((50.0, 2.0),)


def test_what_a_study_changes_holds_in_every_setting_unless_that_says_otherwise(tmp_path: Path) -> None:
    made = study(tmp_path, f"{POOL}{MUD}[rules]\nsteep = 5\n[situation.lineup]\nmud = true\n")
    loaded = made.open()
    wet = Economy(id="x", title="x", set=["situation.mud=false"])
    assert meeting_of(wet, loaded, made.changes).changes == ("rules.steep=5", "situation.mud=false")


def test_a_dry_run_counts_the_battles(tmp_path: Path) -> None:
    made = study(tmp_path, POOL + MUD)
    loaded = made.open()
    found = forecast(made, {"base": loaded})
    per_setting = expected_battles(Economy(id="dry", title="x", battles=12_000), loaded, 6)
    assert found.n_battles == 2 * per_setting
    assert per_setting == 2 * 6 * 12_000 + 3 * (16_000 + 8_000) + 2 * 2**2 * 128
    assert found.seconds > 0
    assert json.loads(json.dumps(found.__dict__))["n_battles"] == found.n_battles
    assert forecast(study(tmp_path, "armies = []\n"), {"base": loaded}).n_battles == 0


@pytest.mark.parametrize(
    ("verdicts", "band"),
    [
        ("", (1.0, 3.0)),  # of whole costs neither 1 nor 3 is nearer; half way, as ratios go, is sqrt(2) and sqrt(6)
        ("[verdicts]\npoints = 1.5\n", (0.5, 3.5)),
        ("[verdicts]\nshare = 0.5\npoints = 0\n", (1.0, 3.0)),
    ],
)
def test_a_study_tells_the_tolerance_by_which_it_judges(
    tmp_path: Path, verdicts: str, band: tuple[float, float]
) -> None:
    write_catalogue(tmp_path / "cards", BODIES, TOOLS)
    path = tmp_path / "study.toml"
    path.write_text(f'game = "tug"\ncatalogue = "cards"\nmetrics = ["cards"]\n{verdicts}')
    low, high = tolerance_of(load_study(path).settings.verdicts).band(2.0)
    if verdicts:
        assert (low, high) == pytest.approx(band)
    else:
        assert (low**2, high**2) == pytest.approx((2 * band[0], 2 * band[1]))


@pytest.mark.slow("test_what_a_study_changes_holds_in_every_setting_unless_that_says_otherwise")
def test_armies_alone_are_priced_as_they_are_beside_duels(tmp_path: Path) -> None:
    few = POOL.replace("12000", "200")
    beside, alone = ran(tmp_path / "beside", few), study(tmp_path / "alone", few)
    alone.path.write_text(alone.path.read_text().replace('"cards"]', '"armies"]'))
    run = run_study(load_study(alone.path), tmp_path / "alone" / "run")
    assert set(run.manifest["tables"]) == {"entrants", "provenance", *ARMY_TABLES}
    assert run.table("fair_costs").equals(beside.table("fair_costs"))
    assert run.summary["off_in_every_setting"] == beside.summary["off_in_every_setting"]
