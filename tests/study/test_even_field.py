"""What would even a field, asked by a study: faults by name, and the tables of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.base.errors import StudyError
from balance.study import Run, load_study, run_study

HEAD = 'game = "battlelore"\nmetrics = ["cards"]\narmies = []\n'
SOME = 'entrants = ["blue_foot+short_sword", "red_foot+short_sword", "goblin_red_foot+short_sword"]\n'
CHECK = "[check]\nmatch_ups = 1\ntrials = 100\n"


def run_of(folder: Path, text: str) -> Run:
    path = folder / "study.toml"
    path.write_text(text)
    return run_study(load_study(path), folder / "run")


@pytest.mark.slow("tests/analysis/test_even_field.py::test_an_even_field_needs_no_change")
def test_those_who_play_alike_are_one_row(tmp_path: Path) -> None:
    run = run_of(tmp_path, f'{HEAD}{SOME}{CHECK}[even_field]\nfields = ["dice"]\nmost_changes = 1\n')
    field, changes = run.table("even_field"), run.table("even_changes")
    assert field["entrants"].to_list() == [
        ["red_foot+short_sword", "goblin_red_foot+short_sword"],
        ["blue_foot+short_sword"],
    ]
    duels = run.table("prices").select("entrant", "score")
    scores = dict(duels.iter_rows())
    assert field["score"].to_list() == pytest.approx([scores[names[0]] for names in field["entrants"].to_list()])
    assert changes.select("field", "old", "new").rows() == [("dice", "3", "4")]


@pytest.mark.slow("test_a_fault_says_where_and_what_is_allowed")
def test_without_the_table_nothing_is_asked(tmp_path: Path) -> None:
    assert not run_of(tmp_path, f"{HEAD}{SOME}{CHECK}").has("even_field")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f'{HEAD}[even_field]\nfields = ["dise"]\n', "even_field.fields: 'dise' is no number of a side"),
        (
            f'{HEAD}[even_field]\nfields = ["dice"]\nline = "skirmsh"\nunits = ["a", "b"]\n',
            "even_field.line: 'skirmsh' is not a kind of question",
        ),
        (f'{HEAD}[even_field]\nfields = ["dice"]\nline = "skirmish"\n', "line and units go together"),
        (f'{HEAD}[even_field]\nfields = ["dice"]\nmost_cost = 2\n', "most_cost needs a line"),
        (f'{HEAD}[even_field]\nfields = ["dice"]\nundervalued = ["*bwo"]\n', "'*bwo' matches no entrant"),
        ('game = "battlelore"\nmetrics = ["sections"]\n[even_field]\nfields = ["dice"]\n', "needs duels of all"),
        ('game = "warforged"\n[even_field]\nfields = ["health"]\n', "is for games in which everybody costs the same"),
    ],
)
def test_a_fault_says_where_and_what_is_allowed(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError) as error:
        run_of(tmp_path, text)
    assert told in str(error.value)
