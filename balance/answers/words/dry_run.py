"""What `run` says of a study that is not run yet: what it would cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Verbatim
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.base.numbers import show_many
from balance.base.progress import duration
from balance.study.run.answer import DryRun
from balance.study.run.forecast import Forecast

WORK = {
    "n_tasks": "match-ups",
    "n_exact": "of them exact",
    "pairs": "mirrored pairs to play",
    "n_duels": "duels to solve for the cards",
    "n_battles": "battles of armies for prices",
    "n_tables": "tables the report declares",
    "n_solutions": "games to solve for it",
    "n_conclusions": "conclusions to test",
    "n_luck": "tables of luck",
    "n_cards": "cards changed step by step",
}
"""Part of a forecast -> what there is so much of."""
ROUGHLY = ("pairs", "n_battles")
UNKNOWN = ("n_duels", "n_battles", "n_tables", "n_solutions", "n_conclusions")
"""Work of which nobody knows beforehand how long it takes."""


def sentence(dry: DryRun, terms: Terms) -> str:
    """Return how long it would take, or why that is not known."""
    return " ".join(dry.notes or ()) if dry.forecast is None else f"It would take {_time(dry, dry.forecast)}."


def blocks(dry: DryRun, terms: Terms) -> Iterator[Block]:
    """Yield how much there is of each kind of work, and what it costs."""
    costs = dry.forecast
    if costs is None:
        yield Verbatim((sentence(dry, terms),))
        return
    amounts = {name: getattr(costs, name) for name in WORK}
    shown = {name: amount for name, amount in amounts.items() if amount or (name == "n_exact" and costs.n_tasks)}
    if costs.n_exact >= costs.n_tasks:
        shown.pop("pairs", None)
    rows = [(WORK[name], f"{'about ' if name in ROUGHLY else ''}{amount:,}") for name, amount in shown.items()]
    yield grid(["dry run", ""], [*rows, ("time", _time(dry, costs)), ("size", f"about {_size(costs.size)}")])


def tables(dry: DryRun) -> Mapping[str, Records]:
    """Return what it would cost, in one row."""
    return {"forecast": Records(Forecast, [dry.forecast] if dry.forecast else [])}


WORDS = AnswerWords.whole(sentence, blocks, tables)


def _time(dry: DryRun, costs: Forecast) -> str:
    bound = "at least" if any(getattr(costs, name) for name in UNKNOWN) else "about"
    return f"{bound} {duration(costs.seconds)} with {show_many(dry.workers, 'worker')}"


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e3:,.0f} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:,.1f} MB"
