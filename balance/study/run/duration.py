"""Estimates of how long the tables of luck and of neighbours take, by timing a small part of each.

* A field of `[[luck]]`: a few of its duels, as many times as there are duels.
* Its pairs: the first one. Where it has to be simulated it is tried with few groups of games, as time grows with them.
* `[[neighbours]]`: the first card against one opponent; each card of the table meets all of them.
* Changes in points: some battles, for the steps that `balance price` takes of each card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from time import perf_counter

from balance.analysis.changes.handicaps.handicap import N_BATTLES
from balance.analysis.changes.neighbours.card_steps import steps_of
from balance.analysis.changes.neighbours.neighbours import FIELD, neighbourhood
from balance.analysis.changes.neighbours.priced_item import as_printed
from balance.analysis.luck.field import check_size, fields_of, measure_score
from balance.analysis.prices.price_list import army_setting
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame
from balance.study.frames.army_prices import try_battles
from balance.study.frames.luck import AskedLuck, PairLuck, asked_luck
from balance.study.frames.neighbours import whom_it_meets
from balance.study.settings.neighbours import NeighbourStudy
from balance.study.settings.settings import Study

N_TRIED_DUELS = 8
"""Duels of a field that are tried, spread over it."""
FEW_GROUPS = 64
"""Groups of games with which a pair is tried."""


def luck_and_neighbour_seconds(study: Study, game: LoadedGame) -> float:
    """Return about how many seconds all `[[luck]]` and `[[neighbours]]` of a study take in one process."""
    questions = [asked_luck(table, study, game) for table in study.settings.luck]
    luck_seconds = sum(_field_seconds(question, game) + _pair_seconds(question, game) for question in questions)
    return luck_seconds + sum(_card_seconds(table, study, game) for table in study.settings.neighbours)


def _sides(question: AskedLuck, game: LoadedGame) -> tuple[Sequence[str], Sequence[str]]:
    """Return the ids that may be drawn for either side of a field."""
    fields = fields_of(game, question.kind, question.field or (), question.seed)
    return fields[0], fields[-1]


def _field_seconds(question: AskedLuck, game: LoadedGame) -> float:
    """Return the seconds of a field: the median of some duels, as the first also pays for setup, times their number."""
    if question.field is None:
        return 0.0
    side_a, side_b = _sides(question, game)
    durations, first = [], (*question.kind.mirrored_orders, None)[0]
    for at in range(0, len(side_a), max(1, len(side_a) // N_TRIED_DUELS)):
        query = replace(question.query(side_a[at], side_b[-1 - at % len(side_b)]), first=first)
        start = perf_counter()
        measure_score(question.seed, query.to(game))
        durations.append(perf_counter() - start)
    return median(durations) * check_size(question.kind, [len(side_a), len(side_b)], question.luck_study.play)


def _pair_seconds(question: AskedLuck, game: LoadedGame) -> float:
    """Return the seconds of the pairs: the first one's, or that of the ends of the field, times their number."""
    pairs = question.pairs
    if not pairs:
        side_a, side_b = _sides(question, game)
        pairs = ((side_a[0], side_b[-1]),) * min(question.luck_study.even, len(side_a) // 2)
    if not pairs:
        return 0.0
    n_groups = min(FEW_GROUPS, question.luck_study.groups)
    try_pair = partial(PairLuck(question.seed, n_groups), question.query(*pairs[0]).to(game))
    start = perf_counter()
    is_exact, times = not try_pair()["pair"]["n_games"], 1.0
    if not is_exact:  # once more, now that everything is set up
        start, times = perf_counter(), question.luck_study.groups / n_groups
        try_pair()
    return (perf_counter() - start) * times * len(pairs)


def _card_seconds(table: NeighbourStudy, study: Study, game: LoadedGame) -> float:
    field, changes = whom_it_meets(table, study, game)
    opponents = field or game.ids(game.kind(game.definition.name_about("winner")).takes[1])
    n_met = len(field) or min(FIELD, len(opponents))
    start = perf_counter()
    neighbourhood(Runner(game), table.cards[0], opponents[:1], changes, study.settings.seed)
    duels = (perf_counter() - start) * n_met * len(table.cards)
    return duels + (_points_seconds(table.cards, study, game) if table.points else 0.0)


def _points_seconds(cards: Sequence[str], study: Study, game: LoadedGame) -> float:
    """Return the seconds of the battles that price every step of some cards and each card as it is."""
    setting = army_setting(game, buys_all=False)
    start = perf_counter()
    n_tried = try_battles(Runner(game), setting, game.members_of(setting.kind), study.settings.seed)
    battle_seconds, n_played = (perf_counter() - start) / n_tried, 0
    for card in cards:
        item = as_printed(game, setting, card)
        steps = steps_of(game, setting.kind, item.cards, item.members, may_add_words=True)
        n_played += 1 + sum(step.has_effect for step in steps)
    return battle_seconds * n_played * N_BATTLES
