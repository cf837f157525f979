"""How long it takes to say how much is luck and what one step of a card does: a small part is tried, and times taken.

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

__all__ = ["asked_seconds"]

TRIED = 8
"""Duels of a field that are tried, spread over it."""
FEW_GROUPS = 64
"""Groups of games with which a pair is tried."""


def asked_seconds(study: Study, loaded: LoadedGame) -> float:
    """Return about how many seconds all `[[luck]]` and `[[neighbours]]` of a study take, one after the other."""
    told = [asked_luck(one, study, loaded) for one in study.settings.luck]
    lucky = sum(_field_seconds(asked, loaded) + _pair_seconds(asked, loaded) for asked in told)
    return lucky + sum(_card_seconds(one, study, loaded) for one in study.settings.neighbours)


def _sides(asked: AskedLuck, loaded: LoadedGame) -> tuple[Sequence[str], Sequence[str]]:
    """Return who may be drawn for either side of a field."""
    fields = fields_of(loaded, asked.kind, asked.field or (), asked.seed)
    return fields[0], fields[-1]


def _field_seconds(asked: AskedLuck, loaded: LoadedGame) -> float:
    """Return the seconds of a field; the first duels tried also pay for what is set up once, so a median is taken."""
    if asked.field is None:
        return 0.0
    ones, others = _sides(asked, loaded)
    taken, first = [], (*asked.kind.mirrored_orders, None)[0]
    for at in range(0, len(ones), max(1, len(ones) // TRIED)):
        query = replace(asked.query(ones[at], others[-1 - at % len(others)]), first=first)
        begun = perf_counter()
        measure_score(asked.seed, query.to(loaded))
        taken.append(perf_counter() - begun)
    return median(taken) * check_size(asked.kind, [len(ones), len(others)], asked.told.play)


def _pair_seconds(asked: AskedLuck, loaded: LoadedGame) -> float:
    """Return the seconds of the pairs; without names as many as are to be told, of which the ends of the field meet."""
    pairs = asked.pairs
    if not pairs:
        ones, others = _sides(asked, loaded)
        pairs = ((ones[0], others[-1]),) * min(asked.told.even, len(ones) // 2)
    if not pairs:
        return 0.0
    few = min(FEW_GROUPS, asked.told.groups)
    try_pair = partial(PairLuck(asked.seed, few), asked.query(*pairs[0]).to(loaded))
    begun = perf_counter()
    is_exact, times = not try_pair()["pair"]["n_games"], 1.0
    if not is_exact:  # once more, now that everything is set up
        begun, times = perf_counter(), asked.told.groups / few
        try_pair()
    return (perf_counter() - begun) * times * len(pairs)


def _card_seconds(told: NeighbourStudy, study: Study, loaded: LoadedGame) -> float:
    field, changes = whom_it_meets(told, study, loaded)
    others = field or loaded.ids(loaded.kind(loaded.game.name_about("winner")).takes[1])
    n_met = len(field) or min(FIELD, len(others))
    begun = perf_counter()
    neighbourhood(Runner(loaded), told.cards[0], others[:1], changes, study.settings.seed)
    duels = (perf_counter() - begun) * n_met * len(told.cards)
    return duels + (_points_seconds(told.cards, study, loaded) if told.points else 0.0)


def _points_seconds(cards: Sequence[str], study: Study, loaded: LoadedGame) -> float:
    """Return the seconds that battles take in which every step of some cards is played, beside the card as it is."""
    setting = army_setting(loaded, buys_all=False)
    begun = perf_counter()
    n_tried = try_battles(Runner(loaded), setting, loaded.members_of(setting.kind), study.settings.seed)
    each, n_played = (perf_counter() - begun) / n_tried, 0
    for card in cards:
        priced = as_printed(loaded, setting, card)
        steps = steps_of(loaded, setting.kind, priced.cards, priced.members, may_add_words=True)
        n_played += 1 + sum(step.has_effect for step in steps)
    return each * n_played * N_BATTLES
