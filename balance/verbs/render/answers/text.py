"""An answer for people: what was asked, the exact distribution, what follows from it, and the simulation beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from balance.answers.media.screens import RANDOM
from balance.answers.media.terminal import bar, line, table, title
from balance.base.numbers import (
    NO_BREAK,
    show_interval,
    show_number,
    show_points,
    show_probability,
    show_probability_change,
)
from balance.base.paths import short_path
from balance.base.text import one_line
from balance.catalogue import show_value
from balance.chance.pmf import Agreement, Pmf
from balance.chance.swing import about_swing, show_swing, why_no_swing
from balance.game.game import Lane
from balance.game.question.answer import Answer
from balance.game.question.habits import Habit
from balance.game.question.question import Question, Sample
from balance.game.question.sentence import mostly_in, name_and_cost, probabilities, unit
from balance.game.question.spread import spread_of
from balance.verbs.render.answers.distributions import column_blocks, mean_rows, shown_swings

MOST_UNSEEN = 240
"""Characters of what cannot be seen that are printed in full."""
HOW_ROLLED: Mapping[Lane, str] = {
    "literal": "every die rolled (literal)",
    "compiled": "finished results looked up (compiled)",
}
WITHIN = range(1, 9)
LOW, MIDDLE, LATE = 0.05, 0.5, 0.99
AGREES, DISAGREES = 0.01, 1e-6
"""From which p-value on a simulation is said to agree, and below which to disagree."""


def blocks(answer: Answer) -> Iterator[RenderableType]:
    """Yield everything that there is to print, from top to bottom; the first screen is in `render.answers.screen`."""
    question, sample = answer.question, answer.simulated
    distribution = answer.distribution
    yield line(answer.sentence, "bold", after=1)
    yield title(f"{question.game.definition.title}: {question.kind.name}")
    yield question_table(question)
    if answer.exact is None:
        yield line(f"All of this is simulated: {question.why_no_distribution}.", after=1)
    if question.kind.winners:
        yield from _who_wins(answer)
    if distribution is not None and question.kind.unbounded:
        yield from _how_long(question, distribution)
    if distribution is not None:
        yield from column_blocks(answer, distribution)
        yield from _effect(question, distribution)
    if answer.kill is not None:
        yield from _kill(answer.kill, question.kind.column("effect") or "")
    if sample is not None:
        yield from _simulation(answer, sample)
    swings = shown_swings(answer) if distribution is not None else []
    if swings or answer.kill is not None:
        reason = why_no_swing(is_simulated=sample is not None) if None in swings else ""
        yield line(about_swing(reason), "dim")
    yield from how_played(question)


# -- what was asked ---------------------------------------------------------------------------------------------------


def question_table(question: Question, choices: Sequence[Text] | None = None) -> RenderableType:
    """Return the sides with costs, who goes first, changes, policies, rule options and the catalogue, a line each.

    `choices` stand in place of the policies that the question was asked with.
    """
    catalogue = question.game.catalogue
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column(overflow="fold")
    for side, entrant in zip(question.kind.sides, question.entrants, strict=True):
        name, cost = name_and_cost(question, side, entrant)
        costs = f", {show_points(cost, question.game.words.points).replace(NO_BREAK, ' ')}" if cost else ""
        grid.add_row(f"  {side}", f"{one_line(name)}{costs}")
    if question.first:
        grid.add_row("  first", question.first)
    for number, change in enumerate(question.changes):
        grid.add_row("" if number else "  changed", one_line(change.replace("=", " = ", 1)))
    for number, choice in enumerate(_choice_lines(question) if choices is None else choices):
        grid.add_row("" if number else "  choices", choice)
    grid.add_row("  rules", "\n".join(_other_readings(question)) or "every rule as by default")
    grid.add_row("  catalogue", f"{one_line(short_path(catalogue.path))} ({catalogue.sha256[:12]})")
    return Padding(grid, (0, 0, 1, 0))


def short_question_table(question: Question, known_text: str = "") -> RenderableType:
    """Return what was asked otherwise than by default, the costs of the sides, and names not in `known_text`."""
    kind, points = question.kind, question.game.words.points
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    costs = []
    for side, entrant in zip(kind.sides, question.entrants, strict=True):
        name, cost = name_and_cost(question, side, entrant)
        costs += [f"{side} {show_points(cost, points)}".replace(NO_BREAK, " ")] if cost else []
        if one_line(name) not in known_text:
            grid.add_row(f"  {side}", one_line(name))
    if costs:
        grid.add_row("  costs", ", ".join(costs))
    usual = RANDOM if RANDOM in kind.turn_orders else "".join(kind.turn_orders[:1])
    if question.first not in ("", usual):
        grid.add_row("  first", f"{question.first} (default {usual})")
    changes = [one_line(change.replace("=", " = ", 1)) for change in question.changes]
    choices, other_readings = _other_choices(question), _other_readings(question)
    for head, texts in (("changed", changes), ("choices", choices), ("rules", other_readings)):
        if texts:
            grid.add_row(f"  {head}", "; ".join(texts))
    return Padding(grid, (0, 0, 0, 0))


def _other_choices(question: Question) -> list[str]:
    """Return "name=value (default ...)" for each choice that is not the default."""
    options = question.kind.choices
    return [
        f"{name}={value} (default {options[name][0]})" for name, value in question.choices if value != options[name][0]
    ]


def _choice_lines(question: Question) -> list[Text]:
    """Return a line for each choice that is not the default, and one for all others."""
    options = question.kind.choices
    usual = [f"{name}={value}" for name, value in question.choices if value == options[name][0]]
    by_default = [Text(f"by default {', '.join(usual)}", "dim")] if usual else []
    return [*map(Text, _other_choices(question)), *by_default]


def how_played(question: Question) -> Iterator[RenderableType]:
    """Yield how it is played, and what the answer leaves out: over 240 characters only what stands before colons."""
    kind = question.kind
    if kind.played:
        yield line(f"How it is played: {kind.played}", "dim")
    limits = " ".join(kind.cannot_see)
    if len(limits) > MOST_UNSEEN:
        heads = [text.partition(":")[0].rstrip(".") for text in kind.cannot_see]
        limits = f"{'; '.join(head[:1].lower() + head[1:] for head in heads)} (--json says more)."
    if limits:
        yield line(f"What it cannot see: {limits}", "dim")


def _other_readings(question: Question) -> list[str]:
    """Return each rule option that is not read as by default, with its default and the id of the ambiguity."""
    rules = question.inputs.get("rules", {})
    rule_options = question.game.catalogue.rule_options
    return [
        f"{name} = {show_value(rules[name])} (default {option.allowed[0]}, {option.ambiguity})"
        for name, option in rule_options.items()
        if name in rules and show_value(rules[name]) != option.allowed[0]
    ]


# -- who wins, and how long it takes ----------------------------------------------------------------------------------


def _who_wins(answer: Answer) -> Iterator[RenderableType]:
    question, sample = answer.question, answer.simulated
    exact = question.p_win(answer.exact) if answer.exact is not None else {}
    simulated_chances, ends = (sample.p_win(), sample.p_win_interval()) if sample else ({}, {})
    sides = zip(question.kind.sides, question.entrants, strict=True)
    names = {side: f"{side}: {name_and_cost(question, side, entrant)[0]}" for side, entrant in sides}
    rows = [
        [
            names.get(name, name),
            *([show_probability(exact[name], 2)] if exact else []),
            *([show_probability(simulated_chances[name], 2), _interval(ends[name])] if sample else [bar(exact[name])]),
        ]
        for name in question.kind.winners
    ]
    heads = ["who wins", *(["exact"] if exact else []), *(["simulated", "95% interval"] if sample else [""])]
    yield table(heads, rows, right=("exact", "simulated"))
    if answer.first_movers:
        yield _first_movers(answer, names)
    yield from _habits(answer)


def _first_movers(answer: Answer, names: Mapping[str, str]) -> RenderableType:
    rows = [
        [
            names[side],
            show_probability(value.first, 2),
            show_probability(value.second, 2),
            show_probability_change(value.advantage, 2, unit=""),
        ]
        for side, value in answer.first_movers.items()
    ]
    heads = ["first-mover advantage", "wins if first", "if second", "gain, % points"]
    return table(heads, rows, right=heads[1:])


def _habits(answer: Answer) -> Iterator[RenderableType]:
    """Yield the score of each side's way of playing, and which does best against what the other side plays."""
    for habits in answer.habits:
        equal_habits = ", ".join(habit.name for habit in habits.best[1:])
        top = f"{habits.best[0].name} does best: {_score(habits.best[0])}"
        alike = f"; not distinguishable from that: {equal_habits}" if equal_habits else ""
        plays = f"{habits.side} plays {habits.plays} and scores {_score(habits.played_habit)} in simulation"
        yield line(f"{plays}. Against {habits.against}, {top}{alike}.")
    for habits in answer.habits[:1]:
        text = f"{len(habits.ranking)} ways to play were simulated, {habits.trials_text()}, seed {habits.seed}"
        yield line(f"{text}; a draw counts half; 95% intervals.", "dim", after=1)


def _score(habit: Habit) -> str:
    score = habit.score
    return f"{show_probability(score.value)} ({show_interval(score.low, score.high, show_probability)})"


def _interval(ends: tuple[float, float]) -> str:
    return show_interval(*ends, show=lambda p: show_probability(p, 2))


def _how_long(question: Question, distribution: Pmf) -> Iterator[RenderableType]:
    if (clock := question.kind.column("duration")) is None:
        return
    yield line(f"{clock.capitalize()}: {_typically(distribution, clock)}.", after=1)
    chances = probabilities(distribution, clock)
    numbers = marks(distribution, clock, LATE)
    yield by_number(clock, numbers, "not over", [sum(p for value, p in chances.items() if value > n) for n in numbers])


def _typically(distribution: Pmf, clock: str, swing: str = "") -> str:
    low, high = mostly_in(probabilities(distribution, clock))
    mean, middle = show_number(distribution.mean(clock)), distribution.quantile(MIDDLE, clock)
    return f"{mean} on average{swing}, at most {middle} half of the time, {low} to {high} in 95% of cases"


def marks(distribution: Pmf, clock: str, mostly: float) -> Sequence[int]:
    """Return up to eight values of the column `clock` at which to tell probabilities.

    They are 1 to 8 where these hold the share `mostly` of the distribution, else spread from its 5% to its 99%
    quantile.
    """
    if distribution.quantile(mostly, clock) <= len(WITHIN):
        return WITHIN
    low, late = distribution.quantile(LOW, clock), distribution.quantile(LATE, clock)
    step = (late - low) / (len(WITHIN) - 1)
    return sorted({round(low + step * place) for place in range(len(WITHIN))})


def by_number(head: str, numbers: Sequence[int], label: str, chances: Sequence[float]) -> RenderableType:
    """Return a table of one row, `label`: the chance at each number of `head`, such as rounds or actions."""
    heads = [f"{n:,}" for n in numbers]
    return table([head, *heads], [[label, *(show_probability(unit(p)) for p in chances)]], heads)


def _effect(question: Question, distribution: Pmf) -> Iterator[RenderableType]:
    """Yield the mean effect of an action or the like, and per 100 points of cost of the acting side."""
    kind, points = question.kind, question.game.words.points
    effect = kind.column("effect")
    if effect is None or not (per := kind.columns[effect].per):
        return
    side, mean = kind.sides[0], distribution.mean(effect)
    _, cost = name_and_cost(question, side, question.entrants[0])
    worth = f", {show_number(100 * mean / cost, 4)} per 100 {points} of the {side}" if cost else ""
    yield line(f"Expected {effect}: {show_number(mean, 4)} per {per}{worth}.", after=1)


def _kill(kill: Question, effect: str) -> Iterator[RenderableType]:
    if (clock := kill.kind.column("duration")) is None:
        return
    distribution, n_trials = kill.known_distribution()

    def swing(column: str) -> str:
        value = spread_of(kill.kind, distribution, column, n_trials is None).swing
        return "" if value is None else f" (swing {show_swing(value)})"

    typically = _typically(distribution, clock, swing(clock))
    text = f"{clock.capitalize()} until the {kill.kind.sides[1]} falls: {typically}."
    if (waste := kill.kind.column("waste")) is not None:
        mean = show_number(distribution.mean(waste))
        text += f" {waste.capitalize()}: {mean} {effect} wasted on average{swing(waste)}."
    if n_trials is not None:
        text += f" Simulated, {n_trials:,} trials, seed 0: {kill.why_no_distribution}."
    yield line(text, after=1)
    chances = probabilities(distribution, clock)
    numbers = marks(distribution, clock, MIDDLE)
    yield by_number(clock, numbers, "falls by", [sum(p for value, p in chances.items() if value <= n) for n in numbers])


# -- the simulation beside it -----------------------------------------------------------------------------------------


def _simulation(answer: Answer, sample: Sample) -> Iterator[RenderableType]:
    exact = answer.exact
    details = f"{sample.n_trials:,} trials, seed {sample.seed}, {HOW_ROLLED[sample.lane]}"
    yield title("Simulated", details, *(["stopped early; this was kept"] if answer.partial else []))
    if rows := mean_rows(answer, sample):
        heads = ["mean of", *(["exact"] if exact is not None else []), "simulated", "95% interval", "swing"]
        yield table(heads, rows, right=("exact", "simulated", "swing"))
    if answer.agreement is not None:
        yield line(agreement_text(answer.agreement), after=1)


def agreement_text(agreement: Agreement) -> str:
    """Return the G-test of a simulation against the exact distribution: it agrees from p = 0.01, differs below 1e-6."""
    if not agreement.is_tested:
        return "Agreement: nothing to test; the trials are too few, or the outcome is all but certain."
    test_text = f"G-test, {agreement.degrees} degrees of freedom"
    if agreement.columns:
        test_text = (
            f"G-tests of all columns together, {agreement.degrees} degrees of freedom, and of each by itself, by Holm"
        )
    p_text = f"Agreement: p = {show_number(agreement.p_value)} ({test_text})."
    if agreement.p_value >= AGREES:
        return f"{p_text} The simulation agrees with the exact distribution."
    columns = ", ".join(agreement.columns_that_differ(AGREES)) or "all columns together"
    if agreement.p_value >= DISAGREES:
        return f"{p_text} That is rare for a simulation that is right (in {columns}); try another seed or more trials."
    return f"{p_text} They do not agree in {columns}: one of the two is wrong. Please report this."
