"""The odds of dice as a page in a browser draws them: sentences, bars and their numbers, each line by itself.

The page runs this very module, and all that it imports, on Python in the browser. What is too large to be exact is
rolled there, more and more often.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from balance.answers.form import Terms
from balance.answers.words.dice.sentence import RESULT_NAMES, interval_text, number_text, sentence, short_fraction
from balance.base.answers import as_plain
from balance.base.errors import BalanceError, UsageError
from balance.base.numbers import show_count, show_many
from balance.chance.dice.answer import DiceOdds
from balance.chance.dice.columns import ColumnNumbers
from balance.chance.dice.exact.weights import TooLarge
from balance.chance.dice.odds import Odds, exact_odds, rolled_odds
from balance.chance.dice.rolling.plain import PlainRoller
from balance.chance.dice.text.parsing import check_rows, parse_family
from balance.chance.swing import show_swing

if TYPE_CHECKING:
    from balance.chance.dice import Expression, Family

MOST_PICTURES = 12
"""Distributions that a page draws."""
MOST_VALUES = 2_000
"""Values of a distribution that a page draws and lists."""
MOST_TRIALS = 65_536
QUICK = 1 / 16
"""Share of the work for an exact answer after which dice are rolled first, for something to see."""
FIRST, NEXT = 0.3, 1.0
"""Seconds of rolling before the first view, and before each other."""
PENDING = "the exact answer is being worked out"
Place: TypeAlias = tuple[int, int]
"""A line, from 1, and the number of a row of its family."""


class Rolls:
    """Rolls of one expression so far, and why it is rolled."""

    def __init__(self, expression: Expression) -> None:
        self.expression, self.reason = expression, PENDING
        self.outcomes, self.n_trials, self.roller = Counter[int](), 0, PlainRoller(Random(0))

    def more(self, seconds: float) -> None:
        """Roll for so long, once at least."""
        end = monotonic() + seconds
        while self.n_trials < MOST_TRIALS and (monotonic() < end or not self.n_trials):
            self.outcomes[self.roller.run(self.expression.node)] += 1
            self.n_trials += 1

    @property
    def odds(self) -> Odds:
        """What the rolls show."""
        return rolled_odds(self.expression, self.outcomes, self.reason)


class Question:
    """The lines that were typed: what is wrong with which, and the odds of the others as far as they are known."""

    def __init__(self, text: str) -> None:
        self.faults: dict[int, list[str]] = {}
        self.families: dict[int, Family] = {}
        self.odds: dict[Place, Odds] = {}
        self.rolls: dict[Place, Rolls] = {}
        lines = {number: line.strip() for number, line in enumerate(text.split("\n"), 1) if line.strip()}
        for number, line in lines.items():
            with self._at(number):
                family = parse_family(line)
                check_rows([*self.families.values(), family])
                self.families[number] = family
        if not lines:
            with self._at(1):
                raise UsageError("there is nothing to tell the odds of", "type an expression, such as 3d6 keep 2")

    @contextmanager
    def _at(self, line: int) -> Iterator[None]:
        """Note what is wrong with a line, which is then left out."""
        try:
            yield
        except BalanceError as error:
            self.faults[line] = [str(fault) for fault in error.faults]
            self.families.pop(line, None)

    @property
    def expressions(self) -> dict[Place, Expression]:
        """All expressions without a fault."""
        return {(line, row): it for line, family in self.families.items() for row, it in enumerate(family.rows)}

    @property
    def pending(self) -> list[Place]:
        """Where the expressions are that are not known exactly."""
        return [place for place in self.expressions if place not in self.odds]

    def work_out(self, place: Place, share: float) -> None:
        """Work out one expression exactly, unless that takes more than a share of the work."""
        expressions = self.expressions
        if place not in expressions:  # another row of its line makes no sense
            return
        with self._at(place[0]):
            try:
                self.odds[place] = exact_odds(expressions[place], len(expressions), share)
                self.rolls.pop(place, None)
            except TooLarge as error:
                rolls = self.rolls.setdefault(place, Rolls(expressions[place]))
                rolls.reason = str(error) if share == 1 else PENDING

    def roll(self, seconds: float) -> bool:
        """Roll what is not exact for so long; return whether there is more to roll."""
        places = self.pending
        for place in places:
            with self._at(place[0]):
                self.rolls[place].more(seconds / len(places))
        return any(self.rolls[place].n_trials < MOST_TRIALS for place in self.pending)

    def view(self, working: str = "") -> dict[str, Any]:
        """Return what is known, as `views_of` says."""
        faults = [{"line": line, "text": text} for line, texts in sorted(self.faults.items()) for text in texts]
        if not self.families:
            return {"faults": faults, "working": ""}
        rows = [self.odds.get(place) or self.rolls[place].odds for place in self.expressions]
        return {"faults": faults, "working": working, **_answer(list(self.families.values()), rows)}


def views_of(text: str) -> Iterator[dict[str, Any]]:
    """Yield what a page shows of expressions of dice, one per line of the text: once, or better and better.

    It has `faults`, each with its `line` and `text`, and what is still `working`; unless all lines have faults, of the
    others `sentence`, `notes`, the `command` that says the same, `pictures` (each with its `label`, a line of `about`,
    and by place in its distribution the `names`, `chances`, `at_least`, `at_most`, `exactly`, and of rolls
    `intervals`), and as `answer` the document of `--json`.

    >>> [view["sentence"] for view in views_of("2d6 >= 7")]
    ['Chance 58.33%, 7/12.']
    """
    question = Question(text)
    for place in question.pending:
        question.work_out(place, QUICK)
    question.roll(FIRST)
    for place in question.pending:
        yield question.view(PENDING)
        question.work_out(place, 1)
    while question.roll(NEXT):
        yield question.view("rolling on")
    yield question.view()


def view_texts(text: str) -> Iterator[str]:
    """Yield what `views_of` yields as JSON.

    >>> next(view_texts("3d6 keep"))[:36]
    '{"faults": [{"line": 1, "text": "3d6'
    """
    return map(json.dumps, views_of(text))


def _answer(families: Sequence[Family], rows: Sequence[Odds]) -> dict[str, Any]:
    dice = DiceOdds.of(families, rows)
    n_trials = max(odds.n_trials for odds in rows)
    command = ["balance dice", *(_quoted(family.text) for family in families)]
    command += [f"--trials {n_trials} --seed 0"] if n_trials else []
    pictures = [picture for odds in rows for picture in _pictures(odds)]
    notes = [*dice.notes, *(_rolled(odds) for odds in rows if odds.n_trials)]
    if (n_left := len(pictures) - MOST_PICTURES) > 0:
        notes.append(f"{show_many(n_left, 'distribution')} more than are drawn here: {' '.join(command)}")
    return {
        "sentence": sentence(dice, Terms()),
        "notes": notes,
        "command": " ".join(command),
        "pictures": pictures[:MOST_PICTURES],
        "answer": as_plain(dice),
    }


def _rolled(odds: Odds) -> str:
    rolls = show_many(odds.n_trials, "roll")
    return f"{odds.text} is simulated: {rolls} in this page, with 95% intervals; {odds.reason}."


def _quoted(line: str) -> str:
    """Return an expression as a shell takes it."""
    return "'" + line.replace("'", "'\\''") + "'"


def _pictures(odds: Odds) -> Iterator[dict[str, Any]]:
    """Yield each distribution of an expression: a total or margin, each symbol, and who wins a contest."""
    if odds.kind == "chance":
        yield _results(odds, odds.text, ["yes", "no"], [odds.chance(1), odds.chance(0)])
        return
    if odds.kind == "contest":
        yield _results(odds, f"{odds.text}: who wins", list(RESULT_NAMES.values()), [*odds.results.values()])
    for numbers in odds.numbers:
        quantity = "margin" if odds.kind == "contest" else numbers.column
        yield {
            "label": odds.text if quantity == "total" else f"{odds.text}: {quantity}",
            "about": _about(numbers),
            "quantity": quantity,
            **_distribution(odds, numbers.column),
        }


def _results(odds: Odds, label: str, names: list[str], chances: list[float]) -> dict[str, Any]:
    intervals = [interval_text(odds, round(chance * odds.total)) for chance in chances] if odds.n_trials else []
    picture = {"label": label, "about": "", "quantity": "result", "names": names, "chances": chances}
    return {**picture, "intervals": intervals}


def _about(numbers: ColumnNumbers) -> str:
    """Return mean, deviation, swing and quantiles of a distribution in a sentence."""
    low, middle, high = map(show_count, (numbers.q5, numbers.q50, numbers.q95))
    swing = f", swing {show_swing(numbers.swing)}" if numbers.swing is not None else ""
    spread = f"Mean {number_text(numbers.mean)}, deviation {number_text(numbers.sd)}{swing}"
    return f"{spread}; 5% up to {low}, half up to {middle}, 95% up to {high}."


def _distribution(odds: Odds, name: str) -> dict[str, Any]:
    weights, chances, at_least = odds.weights_of(name), odds.chances(name), odds.tail_chances(name)
    values = sorted(sorted(chances, key=lambda value: -chances[value])[:MOST_VALUES])
    return {
        "names": [show_count(value) for value in values],
        "values": values,
        "chances": [chances[value] for value in values],
        "at_least": [at_least[value] for value in values],
        "at_most": [min(1.0, max(0.0, 1 - at_least[value] + chances[value])) for value in values],
        "exactly": [short_fraction(odds, value, name) for value in values],
        "intervals": [interval_text(odds, weights[value]) for value in values] if odds.n_trials else [],
    }
