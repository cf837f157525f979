"""How much is luck, as tables of a run: fighters whose only die is the throw, and cards of Warforged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from balance.analysis.luck.field import FieldLuck, luck_of_field
from balance.analysis.luck.question import luck
from balance.base.errors import Interruption, StudyError
from balance.engine.runner import Engine, Runner
from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.study import Run, load_study, run_study, shipped_study
from balance.study.frames.luck import LUCK_TABLES
from balance.study.settings.settings import Study
from tests.packaging.checkout import ROOT

DUELS = '[[luck]]\nid = "duels"\ntitle = "duels"\n'
SHOTS = '[[luck]]\nid = "throws"\ntitle = "throws"\nkind = "attack"\npairs = [["rat", "ogre"], ["ogre", "rat"]]\n'
CARDS = """
metrics = ["luck"]
[[luck]]
id = "few"
title = "a few"
among = ["nexus+s*", "trooper+sidearm"]
even = 2
[[luck]]
id = "shots"
title = "shots"
kind = "attack"
pairs = [["nexus+shotgun", "trooper"], ["nexus+sidearm", "aegis"], ["trooper+sidearm", "nexus"]]
"""


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")


def study(folder: Path, more: str, game: str = "skirmish") -> Study:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "study.toml"
    metrics = "" if "metrics" in more else 'metrics = ["luck"]\n'
    path.write_text(f'game = "{game}"\n{metrics}{more}')
    return load_study(path)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
        folder = tmp_path_factory.mktemp("luck")
        yield run_study(study(folder, DUELS + SHOTS), folder / "run")


@pytest.fixture(scope="module")
def of_cards(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("cards")
    return run_study(study(folder, CARDS, "warforged"), folder / "run")


def test_tables_have_the_columns_they_are_said_to_have(run: Run) -> None:
    for name, schema in LUCK_TABLES.items():
        assert dict(run.table(name).schema) == schema
    assert run.table("luck_fields")["setting"].to_list() == ["duels"]
    assert run.table("luck_pairs")["setting"].unique().sort().to_list() == ["duels", "throws"]


def test_the_only_die_there_is_brings_all_of_it(run: Run) -> None:
    throws = run.table("luck_sources").filter(setting="throws")
    assert throws.select("source", "alone", "when_rolled").rows() == [("throw", 1.0, 1.0)] * 2
    assert run.table("luck_pairs").filter(setting="throws")["together"].to_list() == [0.0, 0.0]


def applying(found: FieldLuck) -> dict[str, float]:
    """Return the shares of the parts that apply."""
    return {part: share.value for part, share in found.shares.items() if share is not None}


def test_numbers_are_those_of_the_command_line(run: Run) -> None:
    game = load("skirmish")
    found = luck_of_field(Runner(game), "duel")
    shares = dict(run.table("luck_shares").select("part", "share").iter_rows())
    assert shares == pytest.approx(applying(found), abs=1e-6)
    assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
    pair = run.table("luck_pairs").filter(setting="duels").row(0, named=True)
    one = luck(game.ask("duel", pair["one"], pair["other"], first="random"))
    assert one.texture is not None
    assert (pair["mean"], pair["swing"]) == pytest.approx((one.mean.value, one.swing), abs=1e-6)
    assert pair["lead_changes"] == pytest.approx(one.texture.lead_changes, abs=1e-6)
    rolled = run.table("luck_sources").filter(setting="duels", one=pair["one"], other=pair["other"])
    assert dict(rolled.select("source", "when_rolled").iter_rows()) == pytest.approx(
        {source.name: source.when_rolled for source in one.sources}, abs=1e-6
    )
    assert rolled["when_rolled"].sum() == pytest.approx(1, abs=1e-5)


BOLD = 'choices = { a_effort = "bold", b_effort = "finisher" }\n'


def test_sides_play_as_the_table_says(tmp_path: Path) -> None:
    """As the command line has it with the same choices, of the field and of the pair; as by default it is another."""
    pair = 'among = ["*"]\npairs = [["knight", "ogre"]]\n'
    game, choices = load("skirmish"), {"a_effort": "bold", "b_effort": "finisher"}
    chosen, usual = (
        run_study(study(tmp_path / name, DUELS + pair + more), tmp_path / name / "run")
        for name, more in (("chosen", BOLD), ("usual", ""))
    )
    row, plain = (found.table("luck_pairs").row(0, named=True) for found in (chosen, usual))
    one = luck(game.ask("duel", "knight", "ogre", first="random", **choices))
    assert (row["mean"], row["swing"]) == pytest.approx((one.mean.value, one.swing), abs=1e-6)
    assert abs(row["mean"] - plain["mean"]) > 0.03
    assert (row["choices"], plain["choices"]) == (["a_effort=bold", "b_effort=finisher"], [])
    shares = dict(chosen.table("luck_shares").select("part", "share").iter_rows())
    field = luck_of_field(Runner(game), "duel", choices=tuple(choices.items()))
    assert shares == pytest.approx(applying(field), abs=1e-6)
    assert shares["chance"] != dict(usual.table("luck_shares").select("part", "share").iter_rows())["chance"]
    assert chosen.table("luck_fields")["choices"].to_list() == [row["choices"]]


@pytest.mark.slow("test_two_names_of_one_fighter_are_no_pair")
def test_the_most_even_pairs_are_told_and_nobody_twice(of_cards: Run) -> None:
    game = load("warforged")
    found = luck_of_field(Runner(game), "duel", of_cards.table("luck_fields")["entrants"][0].to_list())
    pairs = of_cards.table("luck_pairs").filter(setting="few").select("one", "other").rows()
    assert len({name for pair in pairs for name in pair}) == 4
    off = {pair: abs(score - 0.5) for pair, score in found.scores.items() if pair[0] != pair[1]}  # no two are alike
    assert off[pairs[0]] == pytest.approx(min(off.values()))
    left = [distance for pair, distance in off.items() if not set(pair) & set(pairs[0])]
    assert off[pairs[1]] == pytest.approx(min(left))


def test_two_names_of_one_fighter_are_no_pair(tmp_path: Path) -> None:
    """Blue foot of dwarves and goblins are the same but for their name, and even for that reason alone."""
    more = '[[luck]]\nid = "x"\ntitle = "X"\namong = ["blue_foot", "goblin_blue_foot", "red_foot"]\neven = 3\n'
    pairs = run_study(study(tmp_path, more, "battlelore"), tmp_path / "run").table("luck_pairs")
    (pair,) = pairs.select("one", "other").rows()
    assert "red_foot" in pair


def test_exact_numbers_have_no_interval_and_simulated_ones_do(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run.table("luck_shares").filter(pl.col("low") != pl.col("high")).height == 0
    monkeypatch.setattr("balance.chance.exact.enumeration.LARGEST_GRID", 1)
    found = run_study(study(tmp_path, f"{DUELS}groups = 64\n"), tmp_path / "run")
    shares, pairs = found.table("luck_shares"), found.table("luck_pairs")
    assert found.table("luck_fields")["n_trials"][0] > 0
    assert shares.filter(pl.col("low") >= pl.col("high")).height == 0
    assert pairs.filter(pl.col("n_games") == 0).height == 0
    exact = dict(run.table("luck_shares").select("part", "share").iter_rows())
    off = [
        abs(share - exact[part]) / (high - low)
        for part, share, low, high in shares.select("part", "share", "low", "high").iter_rows()
    ]
    assert max(off) < 1  # of four half-widths to either side: eight standard errors


@pytest.mark.parametrize("executor", ["auto", "threads"])
def test_the_same_bytes_wherever_it_is_worked_out(executor: str, of_cards: Run, tmp_path: Path) -> None:
    again = run_study(study(tmp_path, CARDS, "warforged"), tmp_path / "run", Engine(executor, n_jobs=2))
    assert files_of(again.folder) == files_of(of_cards.folder)


@pytest.mark.slow("test_numbers_are_those_of_the_command_line")
def test_the_same_bytes_after_a_kill(of_cards: Run, tmp_path: Path) -> None:
    left = iter([False, False, True])
    with pytest.raises(Interruption):
        run_study(study(tmp_path, CARDS, "warforged"), tmp_path / "run", Engine(halt=lambda: next(left)))
    assert not (tmp_path / "run" / "manifest.json").exists()
    told = list[str]()
    again = run_study(study(tmp_path, CARDS, "warforged"), tmp_path / "run", note=told.append)
    assert "were found finished" in told[-1]
    assert files_of(again.folder) == files_of(of_cards.folder)


def test_a_study_that_does_not_ask_says_nothing_of_it(tmp_path: Path) -> None:
    found = run_study(study(tmp_path, 'metrics = ["match_ups"]\n'), tmp_path / "run")
    assert not set(LUCK_TABLES) & set(found.manifest["tables"])
    kept = (tmp_path / "run" / "manifest.json").read_text()
    assert '"luck"' not in kept
    assert '"neighbours"' not in kept


def test_a_field_is_of_the_entrants_of_the_study(tmp_path: Path) -> None:
    found = run_study(study(tmp_path, f'entrants = ["rat", "ogre"]\n{DUELS}'), tmp_path / "run")
    row = found.table("luck_fields").row(0, named=True)
    assert (row["entrants"], row["n_entrants"], row["n_cells"]) == (["rat", "ogre"], 2, 8)


FEW = '[[luck]]\nid = "x"\ntitle = "X"\n'


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (f'{FEW}kind = "dule"\n', ["luck.x: skirmish has no 'dule'; it has attack, duel; did you mean duel?"]),
        (f'{FEW}kind = "attack"\n', ["luck.x.kind: nobody wins in attack, so there is no field; name pairs"]),
        (f'{FEW}among = ["rat", "orge"]\n', ["orge", "did you mean ogre?"]),
        (f'{FEW}among = ["z*"]\n', ["luck.x.among: 'z*' matches no entrant"]),
        (f'{FEW}among = ["rat"]\n', ["luck.x.among: a field has two entrants or more, found 1; name another one"]),
        (f'entrants = ["rat"]\n{FEW}', ["luck.x.among: a field has two entrants or more, found 1"]),
        (f'{FEW}pairs = [["rat", "orge"]]\n', ["orge", "did you mean ogre?"]),
        (f'{FEW}pairs = [["rat"]]\n', ["luck.pairs: is out of range"]),
        (f'{FEW}set = ["rules.hits"]\n', ["rules.hits"]),
        (f'{FEW}set = ["rules.hits_on=7"]\n', ["hits_on", "4-6"]),
        (f'{FEW}kind = "attack"\nplay = true\npairs = [["rat", "rat"]]\n', ["nobody chooses how to play in attack"]),
        (f'{FEW}choices = {{ a_efort = "bold" }}\n', ["luck.x.choices: ", "a_efort", "did you mean a_effort?"]),
        (f'{FEW}choices = {{ a_effort = "blod" }}\n', ["luck.x.choices: ", "blod", "did you mean bold?"]),
        (f'{FEW}kind = "attack"\npairs = [["rat", "rat"]]\n{BOLD}', ["a_effort", "to choose in attack"]),
        (f"{FEW}{FEW}", ["holds 'x' twice"]),
        ("", ["metrics: 'luck' asks for [[luck]], and there is none"]),
    ],
)
def test_what_a_game_does_not_know_is_told_before_anything_is_played(
    more: str, told: list[str], tmp_path: Path
) -> None:
    with pytest.raises(StudyError) as error:
        study(tmp_path, more)
    assert [text for text in told if text not in str(error.value)] == []


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    wrong = f'{FEW}among = ["rta", "z*"]\npairs = [["knigth", "ogre"]]\nset = ["rules.hits_on=7"]\n'
    with pytest.raises(StudyError) as error:
        study(tmp_path, wrong + '[[luck]]\nid = "y"\ntitle = "Y"\nkind = "dule"\n')
    assert len(error.value.faults) >= 4
    for text in ("did you mean rat?", "'z*' matches no entrant", "knigth", "luck.y"):
        assert text in str(error.value)


def test_how_a_side_plays_is_not_chosen_where_it_is_drawn(tmp_path: Path) -> None:
    """The pair alone may: of it nothing is drawn."""
    wrong = f'{FEW}kind = "duel"\namong = ["spears", "shieldsmen"]\nplay = true\nchoices = {{ policy_a = "low" }}\n'
    with pytest.raises(StudyError, match=r"luck\.x\.choices: 'policy_a' is drawn where play is"):
        study(tmp_path, wrong, "edadh")


def test_too_many_duels_are_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.analysis.luck.field.MOST_CELLS", 10)
    with pytest.raises(StudyError, match=r"luck\.x\.among: that is 18 duels, more than 10; name fewer"):
        study(tmp_path, f'{FEW}among = ["*"]\n')


def test_the_shipped_study_of_battlelore_asks_for_both() -> None:
    found = shipped_study("battlelore")
    assert [one.id for one in found.settings.luck] == ["duels"]
    assert found.settings.neighbours[0].cards == ["blue_foot", "giant_spider"]
    assert "cards" in found.metrics


def test_the_example_of_the_documentation_is_sound(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "reference" / "reports.md").read_text("utf-8").partition("[[luck]]")[2].partition("```")[0]
    found = study(tmp_path, f"[[luck]]{text}", "warforged").settings
    assert (len(found.luck), len(found.neighbours)) == (3, 1)
