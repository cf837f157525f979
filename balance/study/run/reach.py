"""Which cards of a catalogue a report will not show, and why: said when they are brought in, not missed afterwards."""

from __future__ import annotations

from collections.abc import Iterable

from balance.analysis.scores.cards import cards_of
from balance.base.errors import BalanceError, first_of
from balance.engine.query import Query
from balance.game.loaded import LoadedGame
from balance.study.frames.gaps import plan_of
from balance.study.loading.load import study_beside
from balance.study.settings.settings import Study
from balance.study.settings.tables import ReportQuestion

__all__ = ["unseen"]

Cards = set[tuple[str, str]]
MOST_NAMES, MOST_ENTRIES = 8, 500


def unseen(loaded: LoadedGame) -> list[str]:
    """Return one sentence for each kind of card that the game's report will not show, with the reason.

    Raises
    ------
    StudyError
        Its study or `report.toml` does not fit it; each is the one beside the catalogue, else the game's own.

    >>> from balance.game.loaded import load
    >>> unseen(load("warforged"))
    []
    """
    if (n := sum(map(len, loaded.catalogue.tables.values()))) > MOST_ENTRIES:
        return [f"{n:,} entries are too many to say here which of them the report will not show"]
    study = study_beside(loaded)
    asked = _asked(loaded, study)
    shown = {name for ask in asked for name in (ask.side_a, ask.side_b)}
    shown |= set(study.choose(loaded)) if _plays(study) else set()
    in_play = _all_cards(loaded, {*shown, *loaded.entrants, *loaded.targets})
    found = []
    for table, why in loaded.game.unused.items():
        if missing := [entry for entry in loaded.catalogue.tables[table] if (table, entry) not in in_play]:
            found.append(f"{table}: {_some(missing)} will not appear: {why}")
    if missing := [name for name in loaded.entrants if name not in shown]:
        why = "the study leaves it out" if _plays(study) else "no table of report.toml asks about it"
        found.append(f"entrants: {_some(missing)} will not appear in the report: {why}")
    return found


def _plays(study: Study) -> bool:
    """Whether everybody who is chosen is in the tables that any report has."""
    return study.fights or "match_ups" in study.metrics


def _asked(loaded: LoadedGame, study: Study) -> list[Query]:
    """Return every question of the report's own tables, solutions and conclusions."""
    plan = plan_of(study, loaded)
    beside: tuple[ReportQuestion, ...] = (*plan.solutions, *plan.robustness)
    asked = [one.ask(one.rung, study.changes(one.rung)) for one in beside]
    return [*(ask for table in plan.report.tables for ask in table.askable), *asked]


def _all_cards(loaded: LoadedGame, names: Iterable[str]) -> Cards:
    found: Cards = set()
    for name in names:
        try:
            found |= cards_of(loaded, name)
        except BalanceError:
            continue
    return found


def _some(names: list[str]) -> str:
    return ", ".join(first_of(names, MOST_NAMES))
