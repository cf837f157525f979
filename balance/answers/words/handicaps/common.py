"""What all answers about an even match-up say alike: a score, what was asked otherwise than usual, and the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from balance.analysis.changes.handicaps.answer import MatchUpSource
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.form import Terms
from balance.base.numbers import show_interval, show_probability
from balance.chance.trials.estimate import Estimate

RANDOM = "random"
"""Who goes first where nobody is said to."""


def score_text(score: Estimate) -> str:
    """Return a score in per cent, with its 95 % interval if it is simulated.

    >>> score_text(Estimate.exact(0.5)), score_text(Estimate.of_share(0.5, 1000))
    ('50.0%', '50.0% (46.9% to 53.1%)')
    """
    interval = "" if score.is_exact else f" ({show_interval(score.low, score.high, show_probability)})"
    return f"{show_probability(score.value)}{interval}"


def band_text(band: tuple[float, float]) -> str:
    """Return between which scores something is even."""
    return f"at a band of {show_interval(*band, show=lambda share: show_probability(share, 0))}"


def even_text(score: Estimate, band: tuple[float, float]) -> str:
    """Return whether a score is even, and by which band."""
    return f"{'even' if score.is_within(band) else 'not even'}, {band_text(band)}"


def changes_line(source: MatchUpSource, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield what is asked otherwise than by default, in a line; of a field it goes without saying who begins."""
    changes = [change.replace("=", " = ", 1) for change in source.changes]
    texts = [*changes, *map("=".join, source.choices.items())]
    if source.match_ups is None and source.first not in (None, "", RANDOM):
        texts.append(f"{source.first} goes first")
    if texts:
        yield plain(f"Changed: {'; '.join(texts)}.")


def basis(source: MatchUpSource, score: Estimate, trials: str, terms: Terms) -> str:
    """Return what numbers rest on: so many `trials`, if they are simulated, and how both sides play."""
    if score.is_exact:
        return terms.rests_on("exact")
    ways = list(dict.fromkeys(source.plays or ()))
    plays = [f"both play {ways[0]}" if len(ways) == 1 else f"{' against '.join(ways)} play"] if ways else []
    return terms.rests_on(", ".join(["simulated", *plays, trials, f"seed {source.seed}"]))
