"""Plain numbers answer as the verbs do: each law to the last digit that a sum of chances has, whole weights exactly.

Simulated answers lie within four standard errors of the exact ones: of some twenty comparisons one fails by chance in
800 sets of seeds, and seeds are fixed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError, DistributionError, Fault, UsageError
from balance.catalogue import Record, columns_of
from balance.chance.pmf import Pmf
from balance.game.loaded import load
from balance.rulebook.opening import open_file
from balance.rulebook.plain.answers import attack, duel, kill, p_win
from balance.rulebook.plain.reading import PlainGame, joined_file, read_plain, split_file
from balance.rulebook.plain.simulation import simulated_attack, simulated_duel, simulated_kill
from balance.rulebook.text.fields import RESERVED, UnitField, unit_columns
from balance.rulebook.text.reading import read_game_file
from balance.rulebook.text.records import unit_record
from balance.rulebook.text.source import is_name
from tests.rulebook.games import SMALL, changed, write
from tests.rulebook.published.random_games import random_game
from tests.rulebook.published.systems import TEMPLATES
from tests.rulebook.test_crowd import MORE
from tests.rulebook.test_playing import IRON

OTHERS = Path(__file__).parents[1] / "published" / "others"
FILES = [path for folder in (TEMPLATES, OTHERS) for path in sorted(folder.glob("*.toml"))]
POLICIES = {"policy_a": "finisher", "policy_b": "all_out"}
WITHOUT = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"numpy", "pydantic", "polars", "typer", "scipy", "matplotlib", "rich"}:
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
from balance.rulebook.plain.reading import read_plain
from balance.rulebook.plain.answers import duel
from balance.rulebook.plain.simulation import simulated_duel
from balance.rulebook.plain.even import even_changes
rules = 'health = "life"\\n[attack]\\nfoe.life = "foe.life - d6"'
game = read_plain(rules, [["id", "life"], ["rat", "3"]], "rats.toml")
rat = game.cards["rat"]
print(round(duel(game, rat, rat).p_win["a"], 9))
"""


def plain(path: Path) -> PlainGame:
    return read_plain(*split_file(path), path.name)


def check(path: Path, *pairs: tuple[int, int], choices: Mapping[str, str] | None = None) -> None:
    """Hold all answers of the plain lane about pairs of units against those of the verbs."""
    game, loaded = plain(path), load(str(path))
    cards = list(game.cards.values())
    for one, other in pairs or ((0, -1), (-1, 0)):
        a, b = cards[one], cards[other]
        law, exact = attack(game, a, b), loaded.ask("attack", a.id, b.id).distribution
        total = sum(map(int, exact.weights.tolist()))
        theirs = {row: Fraction(int(weight), total) for row, weight in _rows(exact)}
        assert law.columns == exact.columns
        assert {row: Fraction(weight, law.total) for row, weight in law.weights.items()} == theirs
        if game.rules.losses:
            kills: dict[tuple[int, ...], float] = {(n,): chance for n, chance in kill(game, a, b).items()}
            assert kills == close(loaded.ask("kill", a.id, b.id).distribution, kills)
        for first in ("a", "b") if game.book.turns.order in ("alternate", "activations") else (None,):
            mine = duel(game, a, b, first or "a", choices)
            verb = loaded.ask("duel", a.id, b.id, first=first, **(choices or {})).distribution
            assert (mine.columns, mine.law) == (verb.columns, close(verb, mine.law))
            assert p_win(game, a, b, first or "a", choices) == pytest.approx(mine.p_win, abs=1e-12)


def _rows(exact: Pmf) -> list[tuple[tuple[int, ...], float]]:
    return [(tuple(row), weight) for row, weight in zip(exact.outcomes.tolist(), exact.weights.tolist(), strict=True)]


def close(exact: Pmf, law: Mapping[tuple[int, ...], float]) -> object:
    """Return what equals a law that is close to an exact one; rows of hardly any chance may be in one of them."""
    theirs = dict(_rows(exact))
    assert sum(chance for row, chance in theirs.items() if row not in law) < 1e-12
    return pytest.approx({row: theirs.get(row, 0.0) for row in law}, abs=1e-12)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_file_is_answered_as_by_the_verbs(path: Path) -> None:
    check(path, (1, 0) if path.stem != "pins" else (-1, 0))


@pytest.mark.parametrize("more", [*MORE.values(), ""], ids=[*MORE, "something of everything"])
def test_every_rule_is_played_as_by_the_verbs(more: str, tmp_path: Path) -> None:
    more = f"{more}[ends]\nrounds = 5\n" if "[round]" in more else more  # or units heal without end
    text = IRON + more if more else SMALL
    check(write(tmp_path, text), choices=POLICIES if "[policies" in text else None)


@pytest.mark.parametrize("seed", range(12))
def test_a_random_game_is_answered_as_by_the_verbs(seed: int, tmp_path: Path) -> None:
    check(write(tmp_path, random_game(seed, fights=seed < 6)))


def test_a_planted_error_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.rulebook.plain.chain.NEGLIGIBLE_STATE", 1e-9)
    with pytest.raises(AssertionError):
        check(write(tmp_path, IRON))


def test_the_lane_needs_no_library() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("0.769290123\n", "")


# -- reading ----------------------------------------------------------------------------------------------------------

BROKEN_RULES = [
    ("foe.wounds = ", "foe.wonds = "),
    ("me.skill+", "me.skil+"),
    ('hits = "reroll 1"', 'hits = "reroll reroll"'),
    ("rounds = 10", "rounds = 0"),
    ("stunned = 0", "stunned = -1"),
    ('"brute"]', '"brut"]'),
    ('health = "wounds"', 'health = "life"'),
    ("crit = 6", "crit = 99999"),
    ("[tokens]", "[tokens]\nwounds = 0"),
    ("[keywords.tough.attacked]", "[keywords.tough.atacked]"),
]
BROKEN_CELLS = {
    (1, 4): "10000",
    (1, 3): "",
    (2, 2): "many",
    (2, 0): "raider",
    (1, 1): "R" * 81,
    (0, 3): "skil",
    (0, 5): "attacks",
    (2, 5): "-3",
}


def faults_of(rules: str, table: list[list[str]], folder: Path) -> tuple[list[str], list[str]]:
    """Return the faults of the plain lane and those of the whole file, by place: a line of rules or a row of units."""
    text = joined_file(rules, table)
    lines = text.split("\n")
    begin, n_lines = lines.index('units = """') + 1, len(table) + 2
    with pytest.raises(CatalogueError) as mine:
        read_plain(rules, table, "iron.toml")
    with pytest.raises(CatalogueError) as whole:
        open_file(write(folder, text))

    def key(fault: Fault, row: int, is_unit: bool) -> str:
        return re.sub(r"stands in row \d+", "stands in another row", f"{is_unit} {replace(fault, path='', row=row)}")

    theirs = list[str]()
    for fault in whole.value.faults:
        row = fault.row or 0
        is_unit = begin < row < begin + n_lines
        moved = row - begin if is_unit else row - n_lines if row >= begin + n_lines else row
        theirs.append(key(fault, moved if row != begin else 0, is_unit))
    own = [key(fault, fault.row or 0, fault.path == "units") for fault in mine.value.faults]
    return sorted(own), sorted(theirs)


@pytest.mark.parametrize(("old", "new"), BROKEN_RULES)
def test_faults_of_rules_are_those_of_the_whole_file(old: str, new: str, tmp_path: Path) -> None:
    rules, table = split_file(write(tmp_path))
    mine, theirs = faults_of(changed((old, new), text=rules), table, tmp_path)
    assert mine == theirs


@pytest.mark.parametrize(("place", "text"), BROKEN_CELLS.items())
def test_faults_of_cells_are_those_of_the_whole_file(place: tuple[int, int], text: str, tmp_path: Path) -> None:
    rules, table = split_file(write(tmp_path))
    table[place[0]][place[1]] = text
    mine, theirs = faults_of(rules, table, tmp_path)
    assert mine == theirs


@pytest.mark.parametrize("table", [[], [["id", "life"]]])
def test_a_game_needs_units(table: list[list[str]]) -> None:
    with pytest.raises(CatalogueError, match="the table has a header but no entries"):
        read_plain('health = "life"\n[attack]\nfoe.life = "foe.life - d6"', table, "rats.toml")


def test_a_game_with_python_steps_is_refused() -> None:
    rules = '[attack]\nfoe.life = { python = "shop.rules:hit" }\n'
    with pytest.raises(CatalogueError, match="is a Python function: a game with one is played by the command alone"):
        read_plain(rules, [["id", "life"], ["rat", "3"]], "rats.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_cut_and_joined_without_loss(path: Path, tmp_path: Path) -> None:
    rules, table = split_file(path)
    new = write(tmp_path, joined_file(rules, table), path.name)
    assert split_file(new) == (rules, table)
    assert read_game_file(new).rulebook.digest == read_game_file(path).rulebook.digest
    assert [line for line in path.read_text("utf-8").split("\n") if line.startswith("#") and line not in rules] == []


def test_strange_cells_come_back(tmp_path: Path) -> None:
    cells = ["=1+1 | 2", '"""', "back\\slash"]
    table = [["id", "name", "life", "note"], *([f"u{n}", f"U{n}", "3", cell] for n, cell in enumerate(cells))]
    new = write(tmp_path, joined_file('health = "life"\n[attack]\nfoe.life = "foe.life - d6"', table))
    assert [row[4] for row in split_file(new)[1][1:]] == cells


def test_columns_are_those_of_the_records() -> None:
    fields = (UnitField("attacks"), UnitField("morale", low=-1), UnitField("note", "text"))
    assert all(columns_of(unit_record(fields, words)) == unit_columns(fields, words) for words in ([], ["b", "a"]))
    names = {name for name in (*dir(Record), *dir(type(Record))) if is_name(name) and hasattr(Record, name)}
    assert names == RESERVED


# -- what is too large ------------------------------------------------------------------------------------------------

LOSES = 'health = "wounds"\n[attack]\nfoe.wounds = "foe.wounds - {}"\n'


@pytest.mark.parametrize("loss", ["(9999 d10000 keep 9)", "3d6"])
def test_what_is_too_much_work_is_refused(loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.rulebook.plain.answers.SHARE", 0.02)
    game = read_plain(LOSES.format(loss), [["id", "wounds"], ["rat", "9999"]], "rats.toml")
    rat = game.cards["rat"]
    for answer in (kill, duel, p_win):
        with pytest.raises(DistributionError):
            answer(game, rat, rat)


def test_a_duel_that_does_not_end_is_a_draw() -> None:
    game = read_plain(LOSES.format("(d6 count 7+)"), [["id", "wounds"], ["rat", "9"]], "rats.toml")
    rat = game.cards["rat"]
    assert duel(game, rat, rat).law == {(0, 1000, 9, 9): 1.0}
    assert kill(game, rat, rat) == {10_000: 1.0}
    with pytest.raises(UsageError, match="policy_a"):
        duel(game, rat, rat, "a", {"policy_a": "bold"})


@pytest.mark.parametrize("is_rolled", [False, True])
@pytest.mark.parametrize("more", [MORE["initiative"], MORE["struck back"], MORE["choice"]])
def test_trials_agree_with_exact_answers(
    more: str, is_rolled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_rolled:
        monkeypatch.setattr("balance.rulebook.plain.simulation.MOST_LAWS", 0)
    game, n = plain(write(tmp_path, IRON + more)), 1500
    a, b = list(game.cards.values())[:2]
    *_, fights = simulated_duel(game, a, b, "a", n, 1)
    for name, chance in duel(game, a, b).p_win.items():
        assert abs(fights.p_win[name] - chance) <= 4 * (chance * (1 - chance) / n) ** 0.5 + 1e-9
    exact, law = attack(game, a, b), [*simulated_attack(game, a, b, n, 2)][-1]
    for row, weight in exact.weights.items():
        chance = weight / exact.total
        assert abs(law.weights.get(row, 0) / law.total - chance) <= 4 * (chance * (1 - chance) / n) ** 0.5 + 1e-9
    parts = [*simulated_kill(game, a, b, 100, 3)]
    assert [part.n_trials for part in parts] == [25, 50, 100]
    assert parts[-1].weights.keys() <= {(number,) for number in kill(game, a, b)}
