"""What is said of a question about two sides: the answer, who wins, what happens, and how sure all of it is.

All of it follows from what the columns of the kind of question are declared to be for, so that it holds for any game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.answers.blocks.bars import distribution_line
from balance.answers.blocks.bins import Bin, bins_of
from balance.answers.blocks.lines import Paragraph, Title, plain
from balance.answers.blocks.tables import Cell, Table, grid
from balance.answers.form import AnswerWords, Screen, Terms
from balance.answers.words.questions.asked import (
    everything_asked,
    how_played,
    how_played_shortly,
    sides_of,
    what_was_asked,
)
from balance.answers.words.questions.durations import falls_by, how_long, how_long_until_it_falls
from balance.answers.words.questions.wins import better_ways, first_movers, ways_of_playing, who_wins
from balance.base.numbers import show_fixed, show_number, show_probability
from balance.chance.clauses import mostly_in, show_brief, unit
from balance.chance.pmf import Pmf
from balance.chance.swing import about_swing, why_no_swing
from balance.game.question.answer import Answer
from balance.game.question.question import Question
from balance.game.question.sentence import probabilities

if TYPE_CHECKING:
    import polars as pl

    from balance.answers.blocks.document import Block
    from balance.answers.words.questions.record import AnswerRecord

MOST_CLASSES = 8
SPARKS = 16, 8
"""Bars of a distribution drawn in a row: one for each value up to so many, else fewer, of several values each."""
LONGEST_MEANING = 40
MOST_NAMES = 3
EVENT = "1 if "
"""How what a column counts begins where it only says whether something happened."""
MORE = "every distribution and setting"


def sentence(answer: Answer, terms: Terms) -> str:
    """Return the answer in one sentence."""
    return answer.sentence


def short(answer: Answer, terms: Terms) -> Screen:
    """Return as many tables as have room, and what was not asked by default."""
    names = [name for name, _ in sides_of(answer.question).values()] if answer.question.kind.winners else []
    asked = what_was_asked(answer.question, " ".join([answer.sentence, *names]))
    foot: list[Block] = [asked, *_warnings(answer), *how_played_shortly(answer.question)]
    basis = terms.rests_on(_method(answer))
    return Screen.of(answer.sentence, _first_tables(answer), basis, foot, answer.notes, MORE)


def full(answer: Answer, terms: Terms) -> Iterator[Block]:
    """Yield everything that there is to say, from top to bottom."""
    from balance.answers.words.questions.distributions import column_blocks
    from balance.answers.words.questions.simulation import shown_swings, simulation_blocks

    question, sample, distribution = answer.question, answer.simulated, answer.distribution
    yield plain(answer.sentence, "strong", gap=True)
    yield Title(f"{terms.title}: {question.kind.name}")
    yield everything_asked(question)
    if answer.exact is None:
        yield plain(f"All of this is simulated: {question.why_no_distribution}.", gap=True)
    if question.kind.winners:
        yield who_wins(answer)
        yield from [first_movers(answer)] if answer.first_movers else []
        yield from ways_of_playing(answer)
    if distribution is not None:
        yield from how_long(question, distribution) if question.kind.unbounded else ()
        yield from column_blocks(answer, distribution)
        yield from _effect(question, distribution, terms)
    if answer.kill is not None:
        yield from how_long_until_it_falls(answer.kill, question.kind.column("effect") or "")
    if sample is not None:
        yield from simulation_blocks(answer, sample)
    swings = shown_swings(answer) if distribution is not None else []
    if swings or answer.kill is not None:
        reason = why_no_swing(is_simulated=sample is not None) if None in swings else ""
        yield plain(about_swing(reason), "aside")
    yield from how_played(question)


def tables(answer: Answer) -> Mapping[str, pl.DataFrame]:
    """Return the tables of an answer, the one that matters most first.

    `wins` holds `result` and its probability `p_win`, `means` holds `column`, `mean`, `sd` and `swing`; both have
    `simulated`, `low` and `high` where there was a simulation. Each other table is the distribution of the column that
    it is called after: its values, and their probabilities `p`.
    """
    import polars as pl

    distribution, kind = answer.distribution, answer.question.kind
    frames = {"wins": pl.DataFrame(_wins(answer))} if kind.winners else {}
    if distribution is None:
        return frames
    columns = {
        column: distribution.marginal(column).to_polars() for column in distribution.columns if column != kind.winner
    }
    effect = kind.column("effect")
    first = {effect: columns[effect]} if not frames and effect in columns else {}
    means = pl.DataFrame(list(_means(answer, distribution)), infer_schema_length=None)
    return {**frames, **first, "means": means, **columns}


def record(answer: Answer) -> AnswerRecord:
    """Return what JSON has of an answer."""
    from balance.answers.words.questions.record import answer_record

    return answer_record(answer)


WORDS = AnswerWords(sentence, short, full, tables, record)


# -- tables -----------------------------------------------------------------------------------------------------------


def _wins(answer: Answer) -> list[dict[str, object]]:
    question, sample = answer.question, answer.simulated
    rows: list[dict[str, object]] = [
        {"result": name, "p_win": chance} for name, chance in question.p_win(answer.distribution).items()
    ]
    if sample is None:
        return rows
    chances, ends = sample.p_win(), sample.p_win_interval()
    return [row | {"simulated": chances[name], **_ends(ends[name])} for row, name in zip(rows, chances, strict=True)]


def _means(answer: Answer, distribution: Pmf) -> Iterator[dict[str, object]]:
    sample = answer.simulated
    for column in distribution.columns:
        if column in answer.question.kind.categories:
            continue
        row = {"column": column, "mean": distribution.mean(column)}
        row |= {"sd": answer.sd[column], "swing": answer.swing[column]}
        if sample is not None:
            row |= {"simulated": sample.distribution.mean(column), **_ends(sample.mean_interval(column))}
        yield row


def _ends(ends: tuple[float, float]) -> dict[str, float]:
    return {"low": ends[0], "high": ends[1]}


# -- the first screen -------------------------------------------------------------------------------------------------


def _first_tables(answer: Answer) -> Iterator[Block]:
    kind, distribution = answer.question.kind, answer.distribution
    if kind.winners:
        yield who_wins(answer, in_short=True)
    if distribution is None:
        return
    effect = kind.column("effect")
    if effect is not None and len(chances := probabilities(distribution, effect)) > 1:
        yield _chances(answer, effect, chances)
    if answer.kill is not None:
        yield falls_by(answer.kill, answer.kill.known_distribution()[0])
    elif kind.about == "duration":
        yield falls_by(answer.question, distribution)
    if kind.winners:
        yield from better_ways(answer)
    yield from _outcomes(answer, distribution)


def _chances(answer: Answer, column: str, chances: Mapping[int, float]) -> Table:
    """Return the chances of a column's values, or of at most eight classes of them, side by side."""
    bins = bins_of(chances, MOST_CLASSES, MOST_CLASSES)
    told = {"exact" if answer.exact is not None else "simulated": chances}
    if answer.exact is not None and answer.simulated is not None:
        told["simulated"] = probabilities(answer.simulated.distribution, column)
    rows = [
        [f"chance, {how}", *(show_probability(unit(value_bin.share_of(shares))) for value_bin in bins)]
        for how, shares in told.items()
    ]
    heads = [column.replace("_", " "), *(value_bin.label for value_bin in bins)]
    return grid(heads, rows, heads[1:])


def _outcomes(answer: Answer, distribution: Pmf) -> Iterator[Table]:
    """Yield the table of columns that vary: the mean, the shortest range with 95% of the probability, and the shape."""
    kind, is_exact = answer.question.kind, answer.exact is not None
    counts = [name for name in distribution.columns if name != kind.winner and len({*distribution[name].tolist()}) > 1]
    order = sorted(counts, key=lambda name: not kind.columns[name].role)
    if rows := [_outcome(answer, distribution, name) for name in order]:
        mean_heads = ["average" if is_exact else "average, simulated"]
        mean_heads = ["average, exact", "simulated"] if is_exact and answer.simulated is not None else mean_heads
        yield grid(["outcome", *mean_heads, "95% in", ""], rows, mean_heads)


def _outcome(answer: Answer, distribution: Pmf, name: str) -> list[Cell | str]:
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
    shape = distribution_line(chances, *SPARKS, tells=False)
    return [in_short(column.meaning), *means, "" if is_event else Bin(*mostly_in(chances)).label, shape]


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


def _warnings(answer: Answer) -> Iterator[Paragraph]:
    """Yield that simulation and exact numbers differ (p below 0.01), or that the simulation was stopped early."""
    if (agreement := answer.agreement) is not None and agreement.is_tested:
        from balance.answers.words.questions.simulation import AGREES, agreement_text

        if agreement.p_value < AGREES:
            yield plain(agreement_text(agreement), "strong")
    if answer.partial:
        yield plain("Stopped early: fewer trials than were asked for.", "strong")


def _method(answer: Answer) -> str:
    """Return whether numbers are exact or simulated, with trials and seed."""
    sample, agreement = answer.simulated, answer.agreement
    if sample is None:
        return "Exact" if answer.exact is not None else "Simulated"
    trials = f"{sample.n_trials:,} trials, seed {sample.seed}"
    if agreement is None:
        return f"Simulated: {trials}"
    from balance.answers.words.questions.simulation import AGREES

    agrees = agreement.is_tested and agreement.p_value >= AGREES
    return f"Exact and simulated ({trials}){', which agree' if agrees else ''}"


# -- everything -------------------------------------------------------------------------------------------------------


def _effect(question: Question, distribution: Pmf, terms: Terms) -> Iterator[Paragraph]:
    """Yield the mean effect of an action or the like, and per 100 points of cost of the acting side."""
    kind = question.kind
    effect = kind.column("effect")
    if effect is None or not (per := kind.columns[effect].per):
        return
    side, mean = kind.sides[0], distribution.mean(effect)
    _, cost = sides_of(question)[side]
    worth = f", {show_number(100 * mean / cost, 4)} per 100 {terms.points} of the {side}" if cost else ""
    yield plain(f"Expected {effect}: {show_number(mean, 4)} per {per}{worth}.", gap=True)
