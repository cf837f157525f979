"""What may be wrong in a game file is told where it stands, all at once: names, blank cells, ranges, keywords."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.errors import BalanceError
from balance.game.loaded import load
from balance.rulebook.opening import open_file
from balance.rulebook.text import read_game_file
from balance.rulebook.trying import doubtful_changes, faults_when_asked
from tests.rulebook.games import SMALL, changed, write
from tests.rulebook.test_playing import damage


def faults(folder: Path, *pairs: tuple[str, str], text: str = SMALL) -> list[str]:
    with pytest.raises(BalanceError) as error:
        load(open_file(write(folder, changed(*pairs, text=text))))
    return [str(fault).replace(f"{folder}/", "") for fault in error.value.faults]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        # names of values that are set
        ("foe.wounds =", "foe.wonds =", "attack.foe.wonds: 'foe.wonds' is no value of a unit; allowed: foe.attacks, "),
        ("foe.wounds =", "foe.lfe =", "a value that no card prints is a token: [tokens] lfe = 0"),
        ("foe.stunned =", "foe.stuned =", "did you mean foe.stunned?"),
        ("foe.stunned =", "foe.attacker =", "attack.foe.attacker: 'foe.attacker' cannot be set"),
        ("foe.stunned =", "foe.wounds_at_start =", "'foe.wounds_at_start' cannot be set"),
        ("foe.stunned =", "foe.tough =", "'foe.tough' is a keyword, which cannot be set; set a token: [tokens]"),
        ('"me.wounds" = "me', '"me.wound" = "me', "choices.effort.all_out.me.wound: 'me.wound' is no value of a unit"),
        ('hits = "reroll 1"', '"me.atacks" = "+ 1"', "keywords.reliable.me.atacks: 'me.atacks' is no value of a unit"),
        # names of values that are read
        ("me.skill+", "me.skil+", "attack.hits: 'me.skil' me.attacks d6 count ^me.skil+: is no name that is known"),
        ("foe.wounds <= 2", "foe.wonds <= 2", "policies.effort.finisher.all_out: 'foe.wonds' ^foe.wonds <= 2: is no"),
        ("me.wounds > 1", "me.wouds > 1", "choices.effort.all_out.may: 'me.wouds' ^me.wouds > 1: is no name"),
        ("past * (1 + crits_double)", "past * (1 + crits_doubel)", "'crits_doubel' "),
        ("to_wound[me", "to_wond[me", "attack.past: 'to_wond' hits d6 count ^to_wond["),
        ("max(0, past - 1)", "max(0, psat - 1)", "keywords.tough.attacked.past: 'psat' max(0, ^psat - 1): is not"),
        ("(1 + crits_double)", "(me.relaible)", "'me.relaible' "),
        # names of parts
        ("[keywords.tough.attacked]", "[keywords.tough.atacked]", "'atacked' is no part of a keyword; allowed: attack"),
        ("[keywords.tough.attacked]\npast", "[keywords.tough.attacked]\npats", "'pats' is no step; allowed: hits"),
        ("all_out = {", "all_out = { hist = \"1\",", "choices.effort.all_out.hist: 'hist' is no step"),
        ('"brute"]', '"brut"]', "armies.lists.patrol.units: 'brut' is no unit; allowed: raider, brute"),
        ("front = 2", "frnt = 2", "armies.frnt: 'frnt' is unknown; allowed: front, target, excess, lists"),
        ("rounds = 10", "ronds = 10", "ends.ronds: 'ronds' is unknown"),
        # values out of range
        ("stunned = 0", "stunned = -1", "tokens.stunned: '-1' is out of range; allowed: a whole number from 0 to 9999"),
        ("wounds = 4", "wounds = -2", "wounds: '-2' is out of range; allowed: a whole number from 0 to 9999"),
        ("skill = 5", "skill = 10000", "skill: '10000' is out of range; allowed: a whole number from -9999 to 9999"),
        ("crit = 6", "crit = -10000", "numbers.crit: '-10000' is out of range"),
        ('"0" = 4', '"0" = 99999', "tables.to_wound.0: '99999' is out of range"),
        ("cost_points = 30", "cost_points = -1", "cost_points: '-1' is out of range; allowed: a whole number from 0"),
        ("Iron and Dust", "I" * 81, "title: 'IIIIIIIIIIIIIIIIIIII…' has 81 characters; allowed: at most 80"),
        ("front = 2", f'lists.mob = {{ name = "{"M" * 81}", units = "brute" }}', "has 81 characters"),
        # which way numbers are better
        ("[units.raider]", '[better]\nmore = ["wonds"]\n[units.raider]', "better.more: 'wonds' is no column of n"),
        ("[units.raider]", '[better]\nkeywords = ["quick"]\n[units.raider]', "better.keywords: 'quick' is no keyword"),
        ("[units.raider]", '[better]\nmost = []\n[units.raider]', "better.most: 'most' is unknown; allowed: more, l"),
        ("[units.raider]", '[better]\nless = "skill"\n[units.raider]', "better.less: 'skill' is no list of names; al"),
        ("[units.raider]", "[better]\nless = [4]\n[units.raider]", "better.less: '[4]' is no list of names"),
        (
            "[units.raider]",
            '[better]\nmore = ["skill"]\nless = ["skill"]\n[units.raider]',
            "better.less: 'skill' is better with more and with less",
        ),
        # keywords and options that would change nothing
        ('hits = "reroll 1"', 'acts = "2"', "keywords.reliable.acts: 'acts' changes nothing: no step says so"),
    ],
)  # fmt: skip
def test_what_is_misspelt_or_out_of_range_is_told_where_it_stands(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    messages = faults(tmp_path, (old, new))
    assert any(words in message and ", row " in message for message in messages), messages


def test_a_keyword_that_holds_while_its_unit_is_attacked_changes_no_step_of_a_turn(tmp_path: Path) -> None:
    more = '[turn]\nacts = "1"\n[keywords.tough.attacked]\nacts = "2"\n'
    (message,) = faults(tmp_path, ('[keywords.tough.attacked]\npast = "max(0, past - 1)"\n', more))
    assert "keywords.tough.attacked.acts: is a step of [turn], and holds while it is attacked alone" in message


def test_faults_of_form_of_cells_and_of_expressions_come_together(tmp_path: Path) -> None:
    messages = faults(
        tmp_path,
        ("crit = 6", "crit = 6.5"),
        ("skill = 5", 'skill = "x"'),
        ("armour = [6, 5, 4]", "armour = [true]"),
        ("me.skill+", "me.skil+"),
        ("foe.stunned)", "foe.stuned)"),
        ("past * (1 + crits_double)", "past * crit * (armour[1] + crti)"),
        ("max(0, past - 1)", "max(0, past -)"),
    )
    places = [message.partition(": ")[0].rpartition(", ")[2] for message in messages]
    expected = ["numbers.crit", "tables.armour", "attack.hits", "attack.foe.stunned", "keywords.tough.attacked.past"]
    assert places == [
        *expected,
        "skill",
    ]  # nothing of `crit` or `armour`, which are there; of their line nothing at all


# -- blank cells ------------------------------------------------------------------------------------------------------

RULES = 'health = "wounds"\nunits = "units.csv"\n[attack]\nhits = "me.attacks d6 count foe.save+"\n'
RULES += '"foe.wounds" = "foe.wounds - hits"\n'


@pytest.mark.parametrize("blank", ["", " ", "-", "–", "—"])
@pytest.mark.parametrize(
    ("column", "value"),
    [("attacks", None), ("save", None), ("wounds", None), ("ward", 0), ("keywords", ()), ("cost", 0), ("notes", None)],
)
def test_a_blank_cell_is_none_or_its_message_says_what_to_write(
    tmp_path: Path, blank: str, column: str, value: object
) -> None:
    if column == "cost" and blank.strip():
        return
    row = {"name": "Witch", "cost": "3", "attacks": "2", "save": "4+", "ward": "5", "wounds": "4", "keywords": "tough"}
    other = row | {"name": "Guard", column: blank, "notes": ""}
    head = [*row, "notes"]
    lines = [head, [row.get(name, "brave") for name in head], [other[name] for name in head]]
    (tmp_path / "units.csv").write_text("\n".join(map(",".join, lines)), "utf-8")
    path = write(tmp_path, RULES)
    if value is not None or column == "notes":
        guard = load(open_file(path)).catalogue.tables["units"]["guard"].model_dump()
        assert guard.get({"cost": "cost_points"}.get(column, column), "") == ("" if column == "notes" else value)
        return
    with pytest.raises(BalanceError) as error:
        open_file(path)
    (message,) = map(str, error.value.faults)
    assert f"units.csv, row 3, {column}: is empty; allowed: a whole number; write 0 for none" in message
    assert f"[blanks] {column} = 0" in message
    _, answer = write(tmp_path, f"{RULES}[blanks]\n{column} = 7\n", "other.toml"), tmp_path / "other.toml"
    assert load(open_file(answer)).catalogue.tables["units"]["guard"].model_dump()[column] == 7


def test_a_column_that_rules_read_and_that_holds_texts_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_text("name,attacks,save,wounds\nRat,2,good,3\nOgre,3,bad,9\n")
    (message,) = faults(tmp_path, text=RULES)
    assert "units.csv, row 1, header: 'save' is read by the rules, and no cell of it is a number" in message


@pytest.mark.parametrize("name", ["wards", "name", "attacks_"])
def test_a_blank_of_no_column_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "units.csv").write_text("name,attacks,save,wounds\nRat,2,4,3\n")
    (message,) = faults(tmp_path, text=f"{RULES}[blanks]\n{name} = 0\n")
    assert f"blanks.{name}: '{name}' is no column of numbers; allowed: attacks, save, wounds" in message


# -- keywords on steps that set a value -------------------------------------------------------------------------------

SHELL = """
health = "wounds"
units = \"\"\"
name  | cost | wounds | keywords
Sword |   10 |      9 |
Shell |   10 |      9 | armoured
\"\"\"
[attack]
blow = "d6"
"foe.wounds" = "foe.wounds - blow"
[keywords.armoured.attacked]
"""


@pytest.mark.parametrize(
    ("line", "mean"),
    [
        ('blow = "max(0, blow - 2)"', 10 / 6),
        ('"foe.wounds" = "instead: foe.wounds - max(0, blow - 2)"', 10 / 6),
        ('"foe.wounds" = "Then: foe.wounds - max(0, blow - 2)"', 30 / 6),  # of 9 wounds no more than 9 are lost
        ('"foe.wounds" = "+ 2"', 1.5),
        ('"foe.wounds" = "- 1"', 4.5),
        ('"foe.wounds" = "max(7, foe.wounds)"', 11 / 6),
        ('"foe.wounds" = "foe.wounds"', 3.5),
        ('"foe.wounds" = "instead: foe.wounds - 1"', 1),
        ('"foe.wounds" = "8"', 1),
        ('blow = "+ 1"', 4.5),
        ('blow = "reroll 6"', 3.5 - 0.5 + 3.5 / 6 - 0.5),
        ('blow = "d4"', 2.5),
        ('blow = "instead: 2 * d2"', 3),
    ],
)
def test_a_keyword_on_any_kind_of_step_has_the_mean_by_hand(tmp_path: Path, line: str, mean: float) -> None:
    game = load(open_file(write(tmp_path, SHELL + line)))
    law = damage(game, "sword", "shell")
    assert float(sum(value * chance for value, chance in law.items())) == pytest.approx(mean)
    assert sum(value * chance for value, chance in damage(game, "sword", "sword").items()) == 3.5


def test_a_keyword_that_would_lose_what_is_lost_twice_is_refused_with_both_readings(tmp_path: Path) -> None:
    line = '"foe.wounds" = "foe.wounds - max(0, blow - 2)"'
    (message,) = faults(tmp_path, text=SHELL + line)
    assert "keywords.armoured.attacked.foe.wounds: " in message
    assert "can be read in two ways, as attack.foe.wounds sets foe.wounds too" in message
    assert '"instead: foe.wounds - max(0, blow - 2)" takes the place of that step' in message


def test_a_keyword_that_goes_on_with_what_is_left_is_noted(tmp_path: Path) -> None:
    book = read_game_file(write(tmp_path, SHELL + '"foe.wounds" = "foe.wounds - 1"')).rulebook
    (note,) = doubtful_changes(book)
    assert "goes on with what attack.foe.wounds has left; to take the place of that step" in str(note)


def test_what_is_added_to_a_value_that_would_be_negative_counts_from_there(tmp_path: Path) -> None:
    text = SHELL.replace("      9 | armoured", "      1 | armoured") + '"foe.wounds" = "+ 2"'
    law = damage(load(open_file(write(tmp_path, text))), "sword", "shell")  # 1 - d6 + 2 is left, 0 at least
    assert {value: float(chance) for value, chance in law.items()} == pytest.approx({-1: 1 / 6, 0: 1 / 6, 1: 4 / 6})


# -- parts that cannot be asked ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("armour = [6, 5, 4]", "armour = [6]", ""),
        ("to_wound[me.attacks - foe.skill]+", "armour[me.wounds]+", "attack.past: '4' the table armour has nothing"),
        ("max(0, past - 1)", "armour[past]", "keywords.tough.attacked.past: '0' the table armour has nothing"),
        ("hits d6 count to_wound[me.attacks - foe.skill]+", "20000 * hits", "attack.past: "),
        ('"foe.wounds <= 2"', '"armour[foe.wounds - 2] > 1"', "policies.effort.finisher.all_out: "),
        ('"+ 2"', '"armour[hits - 9]"', "choices.effort.all_out.hits: "),
        ("[ends]", '[round]\n"me.wounds" = "armour[me.wounds + 2]"\n[ends]', "round.me.wounds: "),
        ("[ends]", '[ends]\nout = "armour[me.wounds]"', "ends.out: "),
        ("[ends]", '[turns]\nstrike_back = "armour[me.wounds + 1]"\n[ends]', "turns.strike_back: "),
    ],
)  # fmt: skip
def test_check_tries_every_part(tmp_path: Path, old: str, new: str, words: str) -> None:
    found = faults_when_asked(load(open_file(write(tmp_path, changed((old, new))))))
    assert (not found) if not words else any(words in str(fault) and fault.row for fault in found), found
