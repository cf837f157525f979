"""What is explored in a notebook: every answer is that of the verb, and so is the code that is shown for it."""

from __future__ import annotations

import ast
import random
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat as untyped
import pytest
from nbclient import NotebookClient

import balance
from balance.base.errors import UsageError
from balance.chance.dice import odds
from balance.game.question.controls import Control, Value
from balance.verbs.call.explore import opening
from balance.verbs.call.explore import panel as panels
from balance.verbs.call.explore.code import call_text
from balance.verbs.call.explore.dice_subject import DiceSubject
from balance.verbs.call.explore.panel import Panel, answer_html
from balance.verbs.call.explore.question_subject import QuestionSubject
from balance.verbs.call.explore.subject import Number, Outcome
from balance.verbs.call.result import Result

nbformat: Any = untyped
SKIRMISHERS = str(Path(__file__).parents[1] / "bench" / "skirmishers.toml")
WIDGET = "application/vnd.jupyter.widget-view+json"
QUESTIONS = (
    ("warforged", "attack", "nexus+assault_rifle", "colossus"),
    ("warforged", "kill", "nexus+assault_rifle", "trooper"),
    ("warforged", "duel", "sentinel+smg_pistol+shotgun", "trooper+shotgun"),
    ("battlelore", "attack", "red_foot", "blue_foot"),
    ("battlelore", "duel", "red_foot", "giant_spider"),
    ("edadh", "turn", "spears", "shieldsmen"),
    ("immortal_souls", "attack", "ecarus", "green_gremlin"),
    ("immortal_souls", "gamble", "ecarus", "MIS"),
    ("runewars", "attack", "spearmen+2x1", "ventala_skirmishers+2x3"),
    (SKIRMISHERS, "duel", "scout", "giant"),
    (SKIRMISHERS, "attack", "scout", "giant"),
)

LARGER = (
    ("immortal_souls", "duel", "ecarus", "green_gremlin"),
    ("runewars", "duel", "spearmen+2x1", "ventala_skirmishers+2x3"),
    ("battlelore", "combat", "green_foot+common_bow", "giant_spider"),
    ("warforged", "lineup", "trooper+shotgun:2", "nexus+shotgun,trooper+shotgun"),
    ("runewars", "lineup", "spearmen+2x1", "spearmen+2x1:2"),
    (SKIRMISHERS, "battle", "scout", "giant"),
)
"""Questions that take longer, or are about armies."""


def panel_of(result: Result[Any]) -> Panel:
    """Return the panel of an answer, without a notebook."""
    return Panel(QuestionSubject(result.value.question, result.verb))


def numbers_of(result: Result[Any]) -> dict[str, float]:
    """Return the chances to win and the means of an answer, read from the answer itself."""
    reply = result.value
    kind, distribution = reply.question.kind, reply.distribution
    means = {name: distribution.mean(name) for name in distribution.columns if name not in kind.categories}
    return {**reply.question.p_win(distribution), **means}


def drawn(control: Control, draw: random.Random) -> Value:
    """Return some value of a control."""
    if control.kind == "number":
        low, high = control.reach
        return draw.randint(int(low), int(high)) if control.step == 1 else draw.choice((low, high))
    if control.kind == "switch":
        return draw.random() < 0.5
    if control.kind == "menu":
        return draw.choice(control.options)
    return tuple(option for option in control.options if draw.random() < 0.3)


def steps(panel: Panel, draw: random.Random, n: int) -> Iterator[None]:
    """Set something and look, so many times, and undo what is refused; now and then somebody else takes part."""
    for _ in range(n):
        fields = [field for field in panel.fields.values() if field.control.kind != "text"]
        group = draw.choice(["side", "side", "side", "situation", "rules", "choices", "first", "entrants"])
        among = [
            field for field in fields if field.control.group == group and (field.control.matters or group != "side")
        ]
        if among:
            field = draw.choice(among)
            before, field.value = field.value, drawn(field.control, draw)
            yield
            if panel.outcome is None:
                field.value = before


def check_steps(question: tuple[str, str, str, str], n: int) -> int:
    """Hold each answer of some steps to what the shown code answers; return how many the rules allowed."""
    panel, allowed = panel_of(balance.ask(question[0], question[1], *question[2:])), 0
    for _ in steps(panel, random.Random(f"{question} {n}"), n):
        if panel.outcome is None:
            assert 'role="alert"' in panel.answer.value
            assert "Traceback" not in panel.answer.value
            assert panel.code.value == ""
            continue
        again: Result[Any] = eval(panel.code.value, {"balance": balance})
        assert {number.name: number.value for number in panel.outcome.numbers} == numbers_of(again)
        assert panel.outcome.sentence == again.sentence
        allowed += 1
    return allowed


def name_of(question: tuple[str, str, str, str]) -> str:
    return f"{Path(question[0]).name}-{question[1]}"


@pytest.mark.parametrize("question", QUESTIONS, ids=name_of)
@pytest.mark.up_to(0.6)
def test_a_few_steps_answer_as_their_code_does(question: tuple[str, str, str, str]) -> None:
    assert check_steps(question, 5)


@pytest.mark.slow("test_a_few_steps_answer_as_their_code_does")
@pytest.mark.parametrize("question", [*QUESTIONS, *LARGER], ids=name_of)
def test_many_steps_answer_as_their_code_does(question: tuple[str, str, str, str]) -> None:
    assert check_steps(question, 40) >= 10


@pytest.mark.slow("test_a_few_steps_answer_as_their_code_does")
def test_what_the_widgets_say_is_what_is_asked() -> None:
    panel = panel_of(balance.duel("warforged", "nexus+shotgun", "trooper+shotgun", set={"b.armour": 3}, first="a"))
    panel.fields["a.health"].value = 12
    panel.fields["b.effects"].value = ("laser", "emp")
    panel.fields["situation.light_cover"].value = True
    panel.fields["rules.faces"].value = "0-9"
    panel.fields["first"].value = "b"
    asked = balance.duel(
        "warforged",
        "nexus+shotgun",
        "trooper+shotgun",
        first="b",
        set={
            "b.armour": 3,
            "a.health": 12,
            "b.effects": "emp,laser",
            "situation.light_cover": True,
            "rules.faces": "0-9",
        },
    )
    assert panel.outcome is not None
    assert {number.name: number.value for number in panel.outcome.numbers} == numbers_of(asked)
    assert panel.outcome.sentence in panel.answer.value
    words = ast.literal_eval(panel.code.value.partition("set=")[2].rpartition(",\n)")[0].rpartition("}")[0] + "}")
    assert words == {
        "b.armour": 3,
        "a.health": 12,
        "b.effects": ["emp", "laser"],
        "situation.light_cover": True,
        "rules.faces": "0-9",
    }


def test_a_value_set_back_is_not_in_the_code() -> None:
    panel = panel_of(balance.attack("warforged", "nexus+assault_rifle", "trooper"))
    code = panel.code.value
    assert code == 'balance.attack("warforged", "nexus+assault_rifle", "trooper")'
    panel.fields["attacker.precision"].value = 9
    assert panel.code.value != code
    panel.fields["attacker.precision"].value = 7
    assert panel.code.value == code


def test_what_the_rules_forbid_is_told_beside_the_widgets_until_it_is_set_right() -> None:
    panel = panel_of(balance.duel("warforged", "nexus+shotgun", "trooper+shotgun"))
    panel.fields["b.unit.handling"].value = 0
    assert "is too much handling" in panel.answer.value
    assert (panel.code.value, panel.outcome) == ("", None)
    panel.fields["b.unit.handling"].value = 2
    assert panel.outcome is not None
    assert "alert" not in panel.answer.value


def test_somebody_else_brings_their_own_cards() -> None:
    panel = panel_of(balance.duel("warforged", "nexus+shotgun", "trooper+shotgun"))
    panel.fields["a.health"].value = 9
    panel.fields["b.health"].value = 9
    panel.fields["b"].value = "whisper+sidearm"
    assert panel.code.value == 'balance.duel("warforged", "nexus+shotgun", "whisper+sidearm", set={"a.health": 9})'
    assert (
        panel.fields["b.health"].value
        == balance.load("warforged").catalogue.tables["units"]["whisper"].model_dump()["health"]
    )
    assert "Before: Nexus + Shotgun (a) wins" in panel.answer.value


def test_what_begins_to_matter_is_no_longer_folded_away() -> None:
    panel = panel_of(balance.attack("warforged", "nexus+assault_rifle", "colossus"))
    assert not is_in_sight(panel, "rules.laser_self")
    panel.fields["attacker.effects"].value = ("laser",)
    assert is_in_sight(panel, "rules.laser_self")


def is_in_sight(panel: Panel, path: str) -> bool:
    _, columns, *_ = panel.box.children[1].children
    return any(panel.fields[path].widget in column.children for column in columns.children)


def test_start_again_sets_all_as_it_was() -> None:
    panel = panel_of(balance.attack("warforged", "nexus+assault_rifle", "trooper"))
    first = panel.answer.value
    panel.fields["attacker"].value = "bulwark+shotgun"
    panel.fields["attacker.damage"].value = 9
    panel.box.children[-1].click()
    assert panel.answer.value == first
    assert panel.fields["attacker"].value == "nexus+assault_rifle"
    assert panel.values == {}


def test_a_slider_drawn_to_its_end_reaches_further_where_more_is_allowed() -> None:
    panel = panel_of(balance.attack("warforged", "nexus+assault_rifle", "trooper"))
    damage, precision = panel.fields["attacker.damage"].widget, panel.fields["attacker.precision"].widget
    for _ in range(9):
        damage.value, precision.value = damage.max, precision.max
    assert (damage.max, precision.max) == (99, 10)


def test_a_value_beyond_the_cards_stays_when_the_other_side_changes() -> None:
    panel = panel_of(balance.duel("warforged", "nexus+shotgun", "trooper+shotgun"))
    panel.fields["a.health"].value = 50
    panel.fields["b"].value = "whisper+sidearm"
    assert panel.fields["a.health"].value == 50
    assert 'set={"a.health": 50}' in panel.code.value


def test_what_is_left_to_the_cards_can_be_set_and_left_again() -> None:
    panel = panel_of(balance.ask("edadh", "turn", "spears", "shieldsmen"))
    mp = panel.fields["a.mp"]
    assert mp.value is None
    mp.value = 3
    assert '"a.mp": 3' in panel.code.value
    mp.value = None
    assert "a.mp" not in panel.code.value


@pytest.mark.slow("test_a_list_that_is_typed_is_left_as_it_is")
def test_a_question_without_an_exact_answer_is_simulated_with_few_trials() -> None:
    panel = panel_of(balance.ask("edadh", "duel", "spears", "shieldsmen", trials=64))
    assert "trials=4096" in panel.code.value
    again: Result[Any] = eval(panel.code.value, {"balance": balance})
    assert panel.outcome is not None
    assert {number.name: number.value for number in panel.outcome.numbers} == numbers_of(again)


def test_a_catalogue_of_ones_own_is_named_in_the_code(tmp_path: Path) -> None:
    cards = tmp_path / "my cards"
    shutil.copytree(balance.load("warforged").catalogue.path, cards)
    units = cards / "units.csv"
    units.write_text(units.read_text("utf-8").replace("trooper,Trooper,", "trooper,Trooper Mk 2,"), "utf-8")
    panel = panel_of(balance.attack("warforged", "nexus+shotgun", "trooper", catalogue=cards))
    panel.fields["defender.armour"].value = 4
    assert f'catalogue="{cards}"' in panel.code.value
    again: Result[Any] = eval(panel.code.value, {"balance": balance})
    assert panel.outcome is not None
    assert "Trooper Mk 2" in panel.outcome.sentence
    assert panel.outcome.sentence == again.sentence


def test_an_answer_that_takes_its_time_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels, "PATIENCE_SECONDS", 0.0)
    panel, shown = Panel(DiceSubject(("3d6",), balance.dice)), list[str]()
    panel.answer.observe(lambda change: shown.append(change["new"]), names="value")
    panel.fields["[3]d6"].value = 4
    assert shown[0].startswith("<p>Working it out;")
    assert shown[-1].startswith("<p><b>4d6: ")


def test_a_list_that_is_typed_is_left_as_it_is() -> None:
    panel = panel_of(balance.ask("runewars", "attack", "spearmen+2x1", "spearmen+2x1"))
    panel.fields["attacker.add_hits"].value = 1
    assert (
        panel.code.value.endswith('set={"attacker.add_hits": 1})')
        or '    set={"attacker.add_hits": 1},\n' in panel.code.value
    )
    panel.fields["attacker.conditions"].value = "blight"
    assert '"attacker.conditions": "blight"' in panel.code.value


def test_dice_follow_their_numbers_and_their_text() -> None:
    panel = Panel(DiceSubject(("3d6 keep 2",), balance.dice))
    assert list(panel.fields) == ["expression", "[3]d6 keep 2", "3d[6] keep 2", "3d6 keep [2]"]
    panel.fields["[3]d6 keep 2"].value = 10
    panel.fields["3d6 keep [2]"].value = 3
    assert panel.code.value == 'balance.dice("10d6 keep 3")'
    assert panel.outcome is not None
    numbers = {number.label: number.value for number in panel.outcome.numbers}
    assert numbers["mean"] == odds("10d6 keep 3").mean()
    assert numbers["18"] == odds("10d6 keep 3").chance(18)
    panel.fields["3d[6] keep 2"].value = 0
    assert 'role="alert"' in panel.answer.value
    panel.fields["expression"].value = "2d6 >= 7"
    assert [number.value for number in panel.outcome.numbers] == [odds("2d6 >= 7").mean()]


def test_a_kind_that_is_no_verb_is_asked_by_name() -> None:
    question = balance.ask("battlelore", "combat", "red_foot", "blue_foot").value.question
    code = QuestionSubject(question, "ask").outcome({}).code
    assert code == 'balance.ask("battlelore", "combat", "red_foot", "blue_foot")'


def test_several_expressions_each_have_their_numbers() -> None:
    panel = Panel(DiceSubject(("2d6", "d8 vs 2d4"), balance.dice))
    panel.fields["2: d8 vs [2]d4"].value = 3
    assert panel.code.value == 'balance.dice("2d6", "d8 vs 3d4")'
    assert panel.outcome is not None
    numbers = {number.label: number.value for number in panel.outcome.numbers}
    contest = odds("d8 vs 3d4")
    assert numbers == {
        "2d6: mean": 7.0,
        "2d6: standard deviation": odds("2d6").sd(),
        **{f"{contest.expression}: {name}": chance for name, chance in contest.results.items()},
    }


def test_numbers_of_dice_are_those_of_the_expression() -> None:
    texts = ("hits = 2d10; hits + 3", "dF + d3", "{1..5}d6 count 5-6")
    paths = [[control.path for control in DiceSubject((text,), balance.dice).controls[1:]] for text in texts]
    assert paths == [
        ["hits = [2]d10; hits + 3", "hits = 2d[10]; hits + 3", "hits = 2d10; hits + [3]"],
        ["dF + d[3]"],
        ["{1..5}d[6] count 5-6", "{1..5}d6 count [5]-6", "{1..5}d6 count 5-[6]"],
    ]


def test_at_a_prompt_it_says_so_and_shows_the_table() -> None:
    shot = balance.attack("warforged", "nexus+assault_rifle", "trooper")
    told = shot.explore()
    assert repr(told) == f"{opening.NO_NOTEBOOK}\n\n{shot}"
    assert told._repr_html_() == f"<p>{opening.NO_NOTEBOOK}</p>{shot._repr_html_()}"


def test_without_widgets_it_says_so_and_shows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "in_notebook", lambda: True)
    assert isinstance(balance.dice("2d6").explore(), Panel)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    shot = balance.dice("2d6")
    assert str(shot.explore()) == f"{opening.NO_WIDGETS}\n\n{shot}"


def test_what_takes_long_says_so_and_shows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "in_notebook", lambda: True)
    monkeypatch.setattr(opening, "MOST_SECONDS", 0.0)
    assert "too long to follow a slider" in str(balance.dice("2d6").explore())


def test_a_verb_that_asks_nothing_says_so() -> None:
    with pytest.raises(UsageError, match="need has nothing to explore"):
        Result("need", None, lambda more: [], dict, dict, str).explore()


def test_a_call_is_written_as_people_write_it() -> None:
    changes = {f"attacker.field_{place}": place for place in range(6)}
    text = call_text("attack", ["a file.toml", "one", "other"], {"first": None, "set": changes, "choose": {}})
    assert text.startswith(
        'balance.attack(\n    "a file.toml", "one", "other",\n    set={\n        "attacker.field_0": 0,\n'
    )
    assert text.endswith("    },\n)")
    ast.parse(text)


def test_what_people_wrote_is_shown_as_text() -> None:
    outcome = Outcome("<b>", (Number("a", "<i>", 0.5, is_chance=True),), "")
    assert "<i>" not in answer_html(outcome, outcome)
    assert "&lt;b&gt;" in answer_html(outcome, outcome)


def test_a_change_is_told_in_points_and_drawn() -> None:
    first, now = (
        Outcome("", (Number("a", "a wins", p, is_chance=True), Number("r", "rounds", r, is_chance=False)), "")
        for p, r in ((0.5, 2.0), (0.625, 1.5))
    )
    shown = " ".join(re.sub(r"<[^>]*>", " ", answer_html(first, now)).split())
    assert shown == "before now change a wins 50.00% 62.50% +12.50 pp rounds 2.000 1.500 −0.500"
    assert "width:50.0%" in answer_html(first, now)
    assert "width:62.5%" in answer_html(first, now)


def test_a_notebook_gets_a_widget() -> None:
    panel = Panel(DiceSubject(("2d6",), balance.dice))
    shown = panel._repr_mimebundle_()
    assert WIDGET in shown
    assert shown["text/html"].startswith("<p><b>2d6: On average 7")  # what is seen where nothing runs
    assert shown["text/plain"] == repr(panel) == f"<explored: 2d6: {balance.dice('2d6').sentence}>"


@pytest.mark.slow("test_a_notebook_gets_a_widget")
def test_a_notebook_shows_it() -> None:
    cell = nbformat.v4.new_code_cell(
        'import balance\nbalance.duel("warforged", "nexus+shotgun", "trooper+shotgun").explore()'
    )
    notebook = nbformat.v4.new_notebook(cells=[cell])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    (output,) = notebook.cells[0].outputs
    assert WIDGET in output["data"]
