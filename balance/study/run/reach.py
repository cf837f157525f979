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

Cards = set[tuple[str, str]]
MOST_NAMES, MOST_ENTRIES = 8, 500


def hidden_card_texts(game: LoadedGame) -> list[str]:
    """Return one sentence for each kind of card that the game's report will not show, with the reason.

    Raises `StudyError` if its study or `report.toml` does not fit it; each is the one beside the catalogue, else the
    game's own.
    """
    if (n := sum(map(len, game.catalogue.tables.values()))) > MOST_ENTRIES:
        return [f"{n:,} entries are too many to say here which of them the report will not show"]
    study = study_beside(game)
    queries = _report_queries(game, study)
    visible_names = {name for ask in queries for name in (ask.side_a, ask.side_b)}
    visible_names |= set(study.choose(game)) if _plays(study) else set()
    in_play = _all_cards(game, {*visible_names, *game.entrants, *game.targets})
    sentences = []
    for table, reason in game.definition.unused.items():
        if missing := [entry for entry in game.catalogue.tables[table] if (table, entry) not in in_play]:
            sentences.append(f"{table}: {_list_names(missing)} will not appear: {reason}")
    if missing := [name for name in game.entrants if name not in visible_names]:
        reason = "the study leaves it out" if _plays(study) else "no table of report.toml asks about it"
        sentences.append(f"entrants: {_list_names(missing)} will not appear in the report: {reason}")
    return sentences


def _plays(study: Study) -> bool:
    """Return whether a study works out match-ups, armies or battles, whose tables hold every chosen entrant."""
    return study.fights or not {"match_ups", "armies"}.isdisjoint(study.metrics)


def _report_queries(game: LoadedGame, study: Study) -> list[Query]:
    """Return the questions of the report's own tables, solutions and conclusions that this catalogue can be asked."""
    plan = plan_of(study, game)
    beside: tuple[ReportQuestion, ...] = (*plan.solutions, *plan.robustness)
    queries = [question.ask(question.rung, study.changes(question.rung)) for question in beside]
    return [*(ask for table in plan.report.tables for ask in table.askable), *queries]


def _all_cards(game: LoadedGame, names: Iterable[str]) -> Cards:
    cards: Cards = set()
    for name in names:
        try:
            cards |= cards_of(game, name)
        except BalanceError:
            continue
    return cards


def _list_names(names: list[str]) -> str:
    return ", ".join(first_of(names, MOST_NAMES))
