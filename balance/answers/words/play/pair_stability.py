"""What `stability` says of entrants that come in pairs: who is favoured, whatever is played and set."""

from __future__ import annotations

from collections.abc import Mapping

from balance.analysis.stability.pair_stability import EVEN, UNSURE, PairScore, PairStability
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.base.errors import comma_list
from balance.base.numbers import show_interval, show_many, show_probability


def sentence(stability: PairStability, terms: Terms) -> str:
    """Return what holds of each pair."""
    texts = []
    for pair, verdict in stability.verdicts.items():
        scores = [row.score for row in stability.rows if row.pair == pair]
        ends = f"{show_probability(min(scores))} to {show_probability(max(scores))}"
        first = next(iter(stability.names[pair].values()))
        texts.append(f"{pair} {_favour(stability, pair, verdict)} ({first} scores {ends})")
    return f"{'; '.join(texts)}."


def tables(stability: PairStability) -> Mapping[str, Records]:
    """Return the scores of each pair by each way of playing and in each setting."""
    return {"pairs": Records(PairScore, stability.rows)}


def _favour(stability: PairStability, pair: str, verdict: str) -> str:
    if verdict in (EVEN, UNSURE):
        return f"is {verdict} everywhere"
    return f"favours {stability.names[pair][verdict]} everywhere" if verdict else "hangs on how it is played"


def _rows(stability: PairStability, terms: Terms, more: bool) -> list[Block]:
    changes = any(row.changes for row in stability.rows)
    heads = ["pair", "both play", *(["changed"] if changes else []), "first scores", "95% interval", "favours"]
    rows = [
        (
            row.pair,
            row.play.replace("_", " "),
            *([comma_list(row.changes)] if changes else []),
            show_probability(row.score),
            show_interval(row.low, row.high, show_probability),
            stability.names[row.pair].get(row.verdict, row.verdict),
        )
        for row in stability.rows
    ]
    return [grid(heads, rows, right=("first scores", "95% interval"))]


def _method(stability: PairStability, terms: Terms, more: bool) -> list[Block]:
    low, high = map(show_probability, stability.settings.band)
    ways = "those that count by the ladder" if stability.ladder is not None else "as named"
    return [plain(f"Even: between {low} and {high}. Ways of playing: {ways}, both sides alike.", "aside")]


def _basis(stability: PairStability, terms: Terms) -> str:
    settings = stability.settings
    return terms.rests_on(f"simulated, {show_many(settings.trials, 'trial')} of each row, seed {settings.seed}")


WORDS = AnswerWords.alike(sentence, _rows, _basis, tables, _method)
