"""The first screen of an answer: a sentence, the tables that matter most, and what was asked otherwise than by default.

All of it follows from what the columns of the kind of question are declared to be for, so that it holds for any game.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType

from balance.answers.blocks.bins import Bin, bins_of
from balance.answers.media.screens import first_screen, more_line, rests_on
from balance.answers.media.terminal import Rows, Shortened, bar, distribution_line, line
from balance.base.numbers import show_fixed, show_interval, show_probability
from balance.chance.pmf import Pmf
from balance.game.question.answer import Answer
from balance.game.question.question import Question
from balance.game.question.sentence import mostly_in, name_and_cost, probabilities, show_brief, unit
from balance.verbs.render.answers.text import AGREES, MIDDLE, agreement_text, by_number, marks, short_question_table

MOST_CLASSES = 8
SPARKS = 16, 8
"""Bars of a distribution drawn in a row: one for each value up to so many, else fewer, of several values each."""
LONGEST_MEANING = 40
MOST_NAMES = 3
EVENT = "1 if "
"""How what a column counts begins where it only says whether something happened."""
MORE = "every distribution and setting"


def screen(answer: Answer) -> Iterator[RenderableType]:
    """Yield the first screen: the sentence, as many tables as have room, and what was not asked by default."""
    question = answer.question
    top = [line(answer.sentence, "bold", after=1)]
    foot = [short_question_table(question, _names_told(answer)), *_warnings(answer), *how_played_shortly(question)]
    foot.append(more_line(what_it_rests_on(answer), MORE))
    return first_screen(top, _tables(answer), foot, answer.notes)


def _tables(answer: Answer) -> Iterator[RenderableType]:
    kind, distribution = answer.question.kind, answer.distribution
    if kind.winners:
        yield _who_wins(answer)
    if distribution is None:
        return
    effect = kind.column("effect")
    if effect is not None and len(chances := probabilities(distribution, effect)) > 1:
        yield _chances(answer, effect, chances)
    if answer.kill is not None:
        yield from _falls_by(answer.kill, answer.kill.known_distribution()[0])
    elif kind.about == "duration":
        yield from _falls_by(question=answer.question, distribution=distribution)
    if kind.winners:
        yield from _better_ways(answer)
    yield from _outcomes(answer, distribution)


# -- who wins ---------------------------------------------------------------------------------------------------------


def _who_wins(answer: Answer) -> Rows:
    question, sample = answer.question, answer.simulated
    exact = question.p_win(answer.exact) if answer.exact is not None else {}
    simulated_chances, ends = (sample.p_win(), sample.p_win_interval()) if sample else ({}, {})
    sides = zip(question.kind.sides, question.entrants, strict=True)
    names = {side: f"{side}: {name_and_cost(question, side, entrant)[0]}" for side, entrant in sides}
    first = answer.first_movers if sample is None else {}
    rows = []
    for name in question.kind.winners:
        row: list[object] = [names.get(name, name), *([show_probability(exact[name], 2)] if exact else [])]
        if sample is not None:
            row += [show_probability(simulated_chances[name], 2), show_interval(*ends[name], show=_share)]
        elif first:
            mover = first.get(name)
            row += ["", ""] if mover is None else [_share(mover.first), _share(mover.second)]
        else:
            row.append(bar(exact[name]))
        rows.append(row)
    beside = ["simulated", "95% interval"] if sample else ["if first", "if second"] if first else [""]
    heads = ["who wins", *(["exact"] if exact else []), *beside]
    return Rows(heads, rows, [head for head in heads[1:] if head != "95% interval"])


def _share(p: float) -> str:
    return show_probability(p, 2)


def _better_ways(answer: Answer) -> Iterator[RenderableType]:
    """Yield which way of playing scores surely more than the one that was asked for, for either side."""
    sentences = []
    for habits in answer.habits:
        if habits.plays not in [habit.name for habit in habits.best]:
            best, played_habit = habits.best[0], habits.played_habit
            sentences.append(
                f"{habits.side} would do better by {best.name}: {show_probability(best.score.value)} "
                f"({show_interval(best.score.low, best.score.high, show_probability)}) instead of "
                f"{show_probability(played_habit.score.value)} by {habits.plays}"
            )
    if sentences:
        yield line(f"Simulated, {answer.habits[0].trials_text('way to play')}: {'; '.join(sentences)}.", after=1)


# -- what happens -----------------------------------------------------------------------------------------------------


def _chances(answer: Answer, column: str, chances: Mapping[int, float]) -> Rows:
    """Return the chances of a column's values, or of at most eight classes of them, side by side."""
    bins = bins_of(chances, MOST_CLASSES, MOST_CLASSES)
    shares = [unit(math.fsum(p for value, p in chances.items() if value in value_bin)) for value_bin in bins]
    heads = [column.replace("_", " "), *(value_bin.label for value_bin in bins)]
    method = "exact" if answer.exact is not None else "simulated"
    rows: list[Sequence[object]] = [[f"chance, {method}", *(show_probability(p) for p in shares)]]
    if answer.exact is not None and answer.simulated is not None:
        simulated_chances = probabilities(answer.simulated.distribution, column)
        simulated_shares = [
            unit(math.fsum(p for value, p in simulated_chances.items() if value in value_bin)) for value_bin in bins
        ]
        rows.append(["chance, simulated", *(show_probability(p) for p in simulated_shares)])
    return Rows(heads, rows, heads[1:])


def _outcomes(answer: Answer, distribution: Pmf) -> Iterator[Rows]:
    """Yield the table of columns that vary: the mean, the shortest range with 95% of the probability, and the shape."""
    kind = answer.question.kind
    counts = [name for name in distribution.columns if name != kind.winner and len({*distribution[name].tolist()}) > 1]
    order = sorted(counts, key=lambda name: not kind.columns[name].role)
    rows = [_outcome(answer, distribution, name) for name in order]
    if rows:
        mean_heads = ["average" if answer.exact is not None else "average, simulated"]
        mean_heads = (
            ["average, exact", "simulated"] if answer.exact is not None and answer.simulated is not None else mean_heads
        )
        yield Rows(["outcome", *mean_heads, "95% in", ""], rows, mean_heads)


def _outcome(answer: Answer, distribution: Pmf, name: str) -> list[object]:
    """Return the row of a column in that table; of an event only its chance."""
    column, chances = answer.question.kind.columns[name], probabilities(distribution, name)
    beside = answer.simulated if answer.exact is not None else None
    if column.names:
        likely = sorted(chances.items(), key=lambda item: -item[1])[:MOST_NAMES]
        shares_text = ", ".join(f"{column.names.get(code, code)} {show_probability(p)}" for code, p in likely)
        return [name.replace("_", " "), "", *([""] if beside is not None else []), "", shares_text]
    is_event = column.meaning.startswith(EVENT) and set(chances) <= {0, 1}
    show = _event_share if is_event else show_brief
    means = [show(distribution.mean(name)), *([show(beside.distribution.mean(name))] if beside else [])]
    if answer.exact is None and answer.simulated is not None:
        low, high = answer.simulated.mean_interval(name)
        means = [f"{means[0]} ± {show_fixed(50 * (high - low), 1) if is_event else show_brief((high - low) / 2)}"]
    return [
        in_short(column.meaning),
        *means,
        "" if is_event else Bin(*mostly_in(chances)).label,
        distribution_line(chances, *SPARKS, tells=False),
    ]


def _event_share(p: float) -> str:
    return show_probability(unit(p))


def in_short(meaning: str) -> str:
    """Return the meaning of a column, cut at a bracket, colon or comma as long as it exceeds 40 characters.

    >>> in_short("rounds begun (a round is one turn of each side)")
    'rounds begun'
    """
    meaning = meaning.removeprefix(EVENT)
    for mark in (" (", ": ", ", "):
        meaning = meaning.partition(mark)[0] if len(meaning) > LONGEST_MEANING else meaning
    return meaning


def _falls_by(question: Question, distribution: Pmf) -> Iterator[RenderableType]:
    """Yield the chance that the target has fallen, or the task is done, within up to eight counts of actions."""
    kind = question.kind
    clock = kind.column("duration") or ""
    numbers, chances = marks(distribution, clock, MIDDLE), probabilities(distribution, clock)
    by = [sum(p for value, p in chances.items() if value <= n) for n in numbers]
    falls = question.game.definition.main_of(kind.name) != kind.name
    yield by_number(clock.replace("_", " "), numbers, "down by" if falls else "done by", by)


# -- what was asked, and what it rests on -----------------------------------------------------------------------------


def _names_told(answer: Answer) -> str:
    """Return the text of a first screen in which names of the sides stand already, so that they are not repeated."""
    question = answer.question
    sides = zip(question.kind.sides, question.entrants, strict=True)
    names = [name_and_cost(question, side, entrant)[0] for side, entrant in sides] if question.kind.winners else []
    return " ".join([answer.sentence, *names])


def _warnings(answer: Answer) -> Iterator[RenderableType]:
    """Yield that simulation and exact numbers differ (p below 0.01), or that the simulation was stopped early."""
    if answer.agreement is not None and answer.agreement.is_tested and answer.agreement.p_value < AGREES:
        yield line(agreement_text(answer.agreement), "bold")
    if answer.partial:
        yield line("Stopped early: fewer trials than were asked for.", "bold")


def what_it_rests_on(answer: Answer) -> str:
    """Return whether numbers are exact or simulated, with trials, seed and catalogue."""
    question, sample = answer.question, answer.simulated
    method = "Exact" if answer.exact is not None else "Simulated"
    if sample is not None:
        trials = f"{sample.n_trials:,} trials, seed {sample.seed}"
        method = f"{method} and simulated ({trials})" if answer.exact is not None else f"{method}: {trials}"
        if answer.agreement is not None and answer.agreement.is_tested and answer.agreement.p_value >= AGREES:
            method += ", which agree"
    return rests_on(question.game, method)


def how_played_shortly(question: Question) -> Iterator[RenderableType]:
    """Yield a line on how it is played, and one on what the answer leaves out, each cut to the terminal's width."""
    kind = question.kind
    if kind.played:
        yield Shortened(f"How it is played: {kind.played}")
    if kind.cannot_see:
        heads = [text.partition(":")[0].rstrip(".") for text in kind.cannot_see]
        yield Shortened(f"What it cannot see: {'; '.join(head[:1].lower() + head[1:] for head in heads)}.")
