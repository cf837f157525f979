"""A simulation, and whether it agrees with the exact distribution beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.answers.blocks.lines import Title, plain
from balance.answers.blocks.tables import grid
from balance.base.numbers import show_fixed, show_interval, show_number
from balance.chance.pmf import Agreement
from balance.chance.swing import show_swing
from balance.chance.trials.estimate import Estimate
from balance.game.game import Lane
from balance.game.question.answer import Answer
from balance.game.question.question import Sample

if TYPE_CHECKING:
    from balance.answers.blocks.document import Block

HOW_ROLLED: Mapping[Lane, str] = {
    "literal": "every die rolled (literal)",
    "compiled": "finished results looked up (compiled)",
}
AGREES, DISAGREES = 0.01, 1e-6
"""From which p-value on a simulation is said to agree, and below which to disagree."""


def simulation_blocks(answer: Answer, sample: Sample) -> Iterator[Block]:
    """Yield how it was simulated, the means, and whether they agree with the exact ones."""
    details = f"{sample.n_trials:,} trials, seed {sample.seed}, {HOW_ROLLED[sample.lane]}"
    yield Title("Simulated", (details, *(["stopped early; this was kept"] if answer.partial else [])))
    if rows := _mean_rows(answer, sample):
        heads = ["mean of", *(["exact"] if answer.exact is not None else []), "simulated", "95% interval", "swing"]
        yield grid(heads, rows, right=("exact", "simulated", "swing"))
    if answer.agreement is not None:
        yield plain(agreement_text(answer.agreement), gap=True)


def _mean_rows(answer: Answer, sample: Sample) -> list[list[str]]:
    """Return a row for each column that counts something and varies: its mean, exact if known, and as simulated.

    Last is its swing as simulated, with half the width of its interval.
    """
    exact = answer.exact
    return [
        [
            column,
            *([show_fixed(exact.mean(column), 4)] if exact is not None else []),
            show_fixed(sample.distribution.mean(column), 4),
            show_interval(*sample.mean_interval(column), show=lambda x: show_fixed(x, 4)),
            _swing_text(sample.swing(column)),
        ]
        for column in _count_columns(answer)
    ]


def _swing_text(swing: Estimate | None) -> str:
    return show_swing(None) if swing is None else show_swing(swing.value, swing.half_width)


def _count_columns(answer: Answer) -> list[str]:
    """Return the columns without codes that have more than one value, exactly or as simulated."""
    sample, kind = answer.simulated, answer.question.kind
    laws = [law for law in (answer.exact, sample.distribution if sample is not None else None) if law is not None]
    return [
        column
        for column in laws[0].columns
        if column not in kind.categories and any(len(set(law[column].tolist())) > 1 for law in laws)
    ]


def shown_swings(answer: Answer) -> list[float | Estimate | None]:
    """Return every swing (standard deviation over mean) in a table, None for each that is not measurable."""
    columns, sample = _count_columns(answer), answer.simulated
    simulated_swings = [sample.swing(column) for column in columns] if sample is not None else []
    return [*(answer.swing[column] for column in columns), *simulated_swings]


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
