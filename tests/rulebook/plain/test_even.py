"""Making two units even on plain numbers: the changes of `handicap` itself, whatever units and rows are called."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance
import balance.rulebook
from balance.analysis.changes.handicaps import remedies
from balance.analysis.changes.handicaps.match_up_score import measure_score
from balance.game.question.question import Question
from balance.rulebook.plain.even import EvenChange, even_changes, in_order, mean_score
from balance.rulebook.plain.reading import PlainGame, read_plain, split_file

TEMPLATES = Path(balance.rulebook.__file__).parent / "templates"
QUICK = ("block-dice", "combat-factors", "fleet")


def opened(name: str) -> PlainGame:
    return read_plain(*split_file(TEMPLATES / f"{name}.toml"), name)


def told(changes: list[EvenChange], decimals: int = 9) -> list[tuple[object, ...]]:
    return [(*(c.change, str(c.from_), c.steps), round(c.score, decimals), c.is_even) for c in in_order(changes)]


def same_as_the_verb(name: str, monkeypatch: pytest.MonkeyPatch, n_pairs: int = 2) -> None:
    def without_fresh_dice(seed: int, fresh: bool, question: Question) -> object:
        return measure_score(seed, False, question)

    monkeypatch.setattr(remedies, "measure_score", without_fresh_dice)
    game = opened(name)
    first, second, *_, last = game.cards.values()
    for one, other in ((last, second), (first, second))[:n_pairs]:
        verb = balance.handicap(str(TEMPLATES / f"{name}.toml"), one.id, other.id, cache=False).value
        assert isinstance(verb, remedies.Remedies)
        assert verb.score.is_exact
        assert abs(mean_score(game, one, other).value - verb.score.value) < 1e-9
        changes = told(list(even_changes(game, one, other)))
        assert [row[:3] for row in changes] == [(part.change, part.from_, part.steps) for part in verb.remedies]
        assert [row[4] for row in changes] == [part.even for part in verb.remedies]
        assert [row[3] for row in changes] == pytest.approx([part.score.value for part in verb.remedies], abs=2e-9)


@pytest.mark.parametrize("name", QUICK)
def test_the_changes_are_those_of_the_verb(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    same_as_the_verb(name, monkeypatch, n_pairs=1)


@pytest.mark.slow("test_the_changes_are_those_of_the_verb")
@pytest.mark.parametrize("name", sorted(path.stem for path in TEMPLATES.glob("*.toml")))
def test_the_changes_of_every_template_are_those_of_the_verb(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    same_as_the_verb(name, monkeypatch)


def test_names_and_rows_change_nothing_and_sides_mirror() -> None:
    rules, (header, *rows) = split_file(TEMPLATES / "block-dice.toml")
    game = read_plain(rules, [header, *rows], "teams")
    one, other, *_ = game.cards
    changes = told(list(even_changes(game, game.cards[one], game.cards[other])))
    assert changes
    renamed = [[f"x_{cells[0]}", f"Unit {n}", *cells[2:]] for n, cells in enumerate(reversed(rows))]
    again = read_plain(rules, [header, *renamed], "teams")
    assert told(list(even_changes(again, again.cards[f"x_{one}"], again.cards[f"x_{other}"]))) == changes
    mirrored = list(even_changes(game, game.cards[other], game.cards[one]))
    swapped = {"a": "b", "b": "a"}
    assert {(swapped[c.side], c.field, c.to, round(1 - c.score, 9)) for c in mirrored} == {
        (c.side, c.field, c.to, round(c.score, 9)) for c in even_changes(game, game.cards[one], game.cards[other])
    }
    assert list(even_changes(game, game.cards[one], game.cards[one])) == []
