"""An answer for people: what was asked, the exact law, what follows from it, and the simulation beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from balance.analysis.settings import load_settings
from balance.catalogue import show_value
from balance.cli.answer import Answer, clock_of, probabilities
from balance.cli.exits import one_line
from balance.cli.terminal import bar, line, sparkline, table, title
from balance.core import wilson_interval
from balance.games.question import Question, Sample
from balance.pmf import Agreement, Pmf
from balance.report.numbers import (
    NO_BREAK,
    show_fixed,
    show_interval,
    show_number,
    show_points,
    show_probability,
    show_probability_change,
)

__all__ = ["asked", "blocks", "short_path"]

MOST_VALUES = 16
"""A column with more values than this gets no row for each of them."""

MOST_SPARKS = 32
WITHIN = range(1, 9)
LOW, MIDDLE, HIGH, LATE = 0.05, 0.5, 0.95, 0.99
ROUNDING = 1e-12
AGREES, DISAGREES = 0.01, 1e-6
"""From which p-value on a simulation is said to agree, and below which to disagree."""


def short_path(path: Path) -> str:
    """Return a path as seen from here, if it lies below."""
    whole = Path(path).absolute()
    return os.fspath(whole.relative_to(Path.cwd())) if whole.is_relative_to(Path.cwd()) else os.fspath(whole)


def blocks(answer: Answer) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom."""
    question, sample = answer.question, answer.sample
    law = answer.law or (sample.law if sample else None)
    yield title(f"{question.loaded.game.title}: {question.rung.name}")
    yield asked(answer)
    if answer.law is None:
        yield line("The exact law is out of reach here; all of this is simulated.", after=1)
    if question.rung.winners:
        yield from _who_wins(answer)
    if law is not None and clock_of(question):
        yield from _how_long(question, law)
    if law is not None:
        yield from _columns(answer, law)
    if answer.kill is not None:
        yield from _kill(answer.kill)
    if sample is not None:
        yield from _simulated(answer, sample)


# -- what was asked ---------------------------------------------------------------------------------------------------


def asked(answer: Answer) -> RenderableType:
    """Return the lines that say what was asked: the sides, and what is not as by default."""
    question, catalogue = answer.question, answer.question.loaded.catalogue
    shown = Table.grid(padding=(0, 2))
    shown.add_column(style="dim")
    shown.add_column(overflow="fold")
    for side, entrant in zip(question.rung.sides, question.entrants, strict=True):
        name, cost = _name_and_cost(answer, side, entrant)
        shown.add_row(f"  {side}", f"{one_line(name)}, {show_points(cost, _points(answer)).replace(NO_BREAK, ' ')}")
    if question.first:
        shown.add_row("  first", question.first)
    for number, change in enumerate(answer.changes):
        shown.add_row("" if number else "  changed", one_line(change.replace("=", " = ", 1)))
    for number, choice in enumerate(_chosen(question)):
        shown.add_row("" if number else "  chosen", one_line(choice))
    shown.add_row("  readings", _readings(answer))
    shown.add_row("  catalogue", f"{one_line(short_path(catalogue.path))} ({catalogue.sha256[:12]})")
    return Padding(shown, (0, 0, 1, 0))


def _chosen(question: Question) -> list[str]:
    """Return the choices that are not the default."""
    allowed = question.rung.choices
    return [
        f"{name} = {value} (default {allowed[name][0]})"
        for name, value in question.choices
        if value != allowed[name][0]
    ]


def _name_and_cost(answer: Answer, side: str, entrant: str) -> tuple[str, int]:
    """Return the name and cost of a side after overrides where the game tells them, else as the catalogue has them."""
    told, loaded = answer.inputs.get(side), answer.question.loaded
    facts = told if isinstance(told, dict) else {}
    name = facts["name"] if "name" in facts else loaded.label(entrant)
    return str(name), int(facts["cost_points"] if "cost_points" in facts else loaded.cost_points(entrant))


def _points(answer: Answer) -> str:
    """Return what the game counts cost in, such as `points`."""
    return load_settings(answer.question.loaded.game).words.points


def _readings(answer: Answer) -> str:
    """Return the readings of rules that are not the default."""
    rules = answer.inputs.get("rules", {})
    switches = answer.question.loaded.catalogue.switches
    other = [
        f"{name} = {show_value(rules[name])} (default {switch.allowed[0]}, {switch.ambiguity})"
        for name, switch in switches.items()
        if name in rules and show_value(rules[name]) != switch.allowed[0]
    ]
    return "\n".join(other) if other else "every rule as by default"


# -- who wins, and how long it takes ----------------------------------------------------------------------------------


def _who_wins(answer: Answer) -> Iterator[RenderableType]:
    question, sample = answer.question, answer.sample
    exact = question.p_win(answer.law) if answer.law is not None else {}
    seen, ends = (sample.p_win(), sample.p_win_interval()) if sample else ({}, {})
    sides = zip(question.rung.sides, question.entrants, strict=True)
    names = {side: f"{side}: {question.loaded.label(entrant)}" for side, entrant in sides}
    rows = [
        [
            names.get(name, name),
            *([show_probability(exact[name], 2)] if exact else []),
            *([show_probability(seen[name], 2), _interval(ends[name])] if sample else [bar(exact[name])]),
        ]
        for name in question.rung.winners
    ]
    heads = ["who wins", *(["exact"] if exact else []), *(["simulated", "95% interval"] if sample else [""])]
    yield table(heads, rows, right=("exact", "simulated"))
    if answer.first_movers:
        yield _first_movers(answer, names)


def _first_movers(answer: Answer, names: Mapping[str, str]) -> RenderableType:
    rows = [
        [
            names[side],
            show_probability(value.first, 2),
            show_probability(value.second, 2),
            show_probability_change(value.advantage, 2),
        ]
        for side, value in answer.first_movers.items()
    ]
    heads = ["first-mover advantage", "wins if first", "if second", "gain"]
    return table(heads, rows, right=heads[1:])


def _interval(ends: tuple[float, float]) -> str:
    return show_interval(*ends, show=lambda p: show_probability(p, 2))


def _how_long(question: Question, law: Pmf) -> Iterator[RenderableType]:
    if (clock := clock_of(question)) is None:
        return
    yield line(f"{clock.capitalize()}: {_typically(law, clock)}.", after=1)
    chances = probabilities(law, clock)
    numbers = _marks(law, clock, LATE)
    yield _by_number(clock, numbers, "not over", [sum(p for value, p in chances.items() if value > n) for n in numbers])


def _typically(law: Pmf, clock: str) -> str:
    low, middle, high = (law.quantile(q, clock) for q in (LOW, MIDDLE, HIGH))
    return (
        f"{show_number(law.mean(clock))} on average, at most {middle} half of the time, {low} to {high} in 90% of cases"
    )


def _marks(law: Pmf, clock: str, mostly: float) -> Sequence[int]:
    """Return eight numbers to tell of: from one on if so much of the law lies there, else spread over a long story."""
    low, late = law.quantile(LOW, clock), law.quantile(LATE, clock)
    if law.quantile(mostly, clock) <= len(WITHIN):
        return WITHIN
    step = (late - low) / (len(WITHIN) - 1)
    return sorted({round(low + step * place) for place in range(len(WITHIN))})


def _by_number(head: str, numbers: Sequence[int], label: str, chances: Sequence[float]) -> RenderableType:
    heads = [f"{n:,}" for n in numbers]
    return table([head, *heads], [[label, *(show_probability(_unit(p)) for p in chances)]], heads)


def _unit(p: float) -> float:
    """Return a sum of probabilities without what rounding added."""
    return 0.0 if p < ROUNDING else 1.0 if p > 1 - ROUNDING else p


def _kill(kill: Question) -> Iterator[RenderableType]:
    clock, law = clock_of(kill), kill.law
    if clock is None:
        return
    text = f"{clock.capitalize()} until the {kill.rung.sides[1]} falls: {_typically(law, clock)}."
    if "overkill" in law.columns:
        text += f" Overkill: {show_number(law.mean('overkill'))} damage wasted on average."
    yield line(text, after=1)
    chances = probabilities(law, clock)
    numbers = _marks(law, clock, MIDDLE)
    yield _by_number(
        clock, numbers, "falls by", [sum(p for value, p in chances.items() if value <= n) for n in numbers]
    )


# -- the law of each column -------------------------------------------------------------------------------------------


def _columns(answer: Answer, law: Pmf) -> Iterator[RenderableType]:
    question = answer.question
    laws = {column: probabilities(law, column) for column in law.columns if column != "winner"}
    still = {column: next(iter(chances)) for column, chances in laws.items() if len(chances) == 1}
    moving = {column: chances for column, chances in laws.items() if column not in still}
    if moving:
        yield _summary(question, law, moving)
    for value in sorted(set(still.values())):
        names = ", ".join(column for column, found in still.items() if found == value)
        yield line(f"Always {value}: {names}.", "dim", after=1)
    if question.rung.endless:
        return
    if "damage" in law.columns:
        yield _per_cost(answer, law)
    if few := {column: chances for column, chances in moving.items() if len(chances) <= MOST_VALUES}:
        yield _values(few, answer.sample) if answer.law is not None else _values(few, None, "simulated")


def _summary(question: Question, law: Pmf, laws: Mapping[str, Mapping[int, float]]) -> RenderableType:
    """Return the table of means: with the chance of any for one action, with quantiles for a longer story."""
    endless = question.rung.endless
    rows: list[list[object]] = []
    for column, chances in laws.items():
        row: list[object] = [column, show_fixed(law.mean(column), 4)]
        if endless:
            row += [*(law.quantile(q, column) for q in (LOW, MIDDLE, HIGH)), _law_line(chances)]
        else:
            some = _unit(sum(p for value, p in chances.items() if value >= 1))
            row += [show_probability(some, 2), question.rung.columns[column]]
        rows.append(row)
    quantiles = ["5%", "50%", "95%"]
    heads = ["outcome", "mean", *([*quantiles, "law"] if endless else ["at least 1", "what it counts"])]
    return table(heads, rows, right=("mean", "at least 1", *quantiles))


def _law_line(chances: Mapping[int, float]) -> Text:
    """Draw a law as a line from its smallest value on, cut where almost nothing is left."""
    low, high = min(chances), max(chances)
    shares = [chances.get(low + place, 0.0) for place in range(min(MOST_SPARKS, high - low + 1))]
    highest = max(shares) or 1.0
    drawn = sparkline([p / highest if p > 5e-4 * highest else 0.0 for p in shares]).rstrip()
    return Text(f"{low} ", "dim") + Text(drawn, "cyan") + Text(f" {low + len(drawn) - 1}", "dim")


def _per_cost(answer: Answer, law: Pmf) -> RenderableType:
    side, entrant = answer.question.rung.sides[0], answer.question.entrants[0]
    _, cost = _name_and_cost(answer, side, entrant)
    mean = law.mean("damage")
    worth = f", {show_number(100 * mean / cost, 4)} per 100 {_points(answer)} of the {side}" if cost else ""
    return line(f"Expected damage: {show_number(mean, 4)} per action{worth}.", after=1)


def _values(laws: Mapping[str, Mapping[int, float]], sample: Sample | None, known_as: str = "exact") -> RenderableType:
    """Return the table of every value's chance; beside it, what a sample has of it."""
    rows: list[list[object]] = []
    for column, chances in laws.items():
        for place, (value, p) in enumerate(chances.items()):
            seen = _seen(sample, column, value) if sample else []
            rows.append(["" if place else column, value, show_probability(p, 2), bar(p, 16 if sample else 30), *seen])
    heads = ["outcome", "value", known_as, "", *(["simulated", "95% interval"] if sample else [])]
    return table(heads, rows, right=("value", "exact", "simulated"))


def _seen(sample: Sample, column: str, value: int) -> list[object]:
    law = sample.law.marginal(column)
    count = int(law.weights[law[column] == value].sum())
    ends = wilson_interval(count, sample.n_trials, sample.level)
    return [show_probability(count / sample.n_trials, 2), _interval(ends)]


# -- the simulation beside it -----------------------------------------------------------------------------------------


def _simulated(answer: Answer, sample: Sample) -> Iterator[RenderableType]:
    exact = answer.law
    details = f"{sample.n_trials:,} trials, seed {sample.seed}, {sample.lane} lane"
    yield title("Simulated", details, *(["stopped early; this was kept"] if answer.partial else []))
    rows = [
        [
            column,
            *([show_fixed(exact.mean(column), 4)] if exact is not None else []),
            show_fixed(sample.law.mean(column), 4),
            show_interval(*sample.mean_interval(column), show=lambda x: show_fixed(x, 4)),
        ]
        for column in sample.law.columns
        if column != "winner" and any(len(set(law[column].tolist())) > 1 for law in (sample.law, exact or sample.law))
    ]
    heads = ["mean of", *(["exact"] if exact is not None else []), "simulated", "95% interval"]
    yield table(heads, rows, right=("exact", "simulated"))
    if exact is not None:
        yield line(_agreement(sample.agreement))


def _agreement(test: Agreement) -> str:
    found = f"Agreement: p = {show_number(test.p_value)} (G-test, {test.degrees} degrees of freedom)."
    if test.p_value >= AGREES:
        return f"{found} The simulation agrees with the exact law."
    if test.p_value >= DISAGREES:
        return f"{found} That is rare for a simulation that is right; try another seed or more trials."
    return f"{found} They do not agree: one of the two is wrong. Please report this."
