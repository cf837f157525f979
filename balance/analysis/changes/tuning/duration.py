"""Expected stages of answers about prices and their sizes, from which the remaining time is forecast.

Nothing here changes a number. What is foreseen is how often rounds are played, as a rule; how long a part takes on this
machine is seen from the first of them (see `balance.base.progress.Forecast`).
"""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.armies import battles, mean_scores
from balance.analysis.armies.battles import ArmySetting
from balance.analysis.changes.handicaps import handicap
from balance.analysis.changes.tuning.bench import FEW, TuneEffort, fair_battles
from balance.analysis.prices.fits import fair_costs
from balance.base.progress import Part
from balance.game.loaded import LoadedGame

FEW_ROUNDS, FULL_ROUNDS = 3, 2
"""Rounds of fair costs as they usually go: with a quarter of the battles, and with all."""
SEARCHES = 4
"""How often armies are played to look for changes, as a rule: most often little (see `Bench.first_look`)."""
LADDER = 0.25
"""How long a block of battles of ways of playing takes, beside a block of fair costs."""
CARD_BLOCKS, CARD_BLOCK = 12, 6.0
"""Blocks in which changes of one card are played, as a rule, and how long one takes beside a block of fair costs."""


def price_parts(
    game: LoadedGame, setting: ArmySetting, one_card: bool = False, entrants: Sequence[str] | None = None
) -> dict[str, Part]:
    """Return the stages of a price list of some entrants, by default of all, and of the price of one card after it.

    >>> from balance.analysis.prices.asked import army_setting
    >>> from balance.game.loaded import load
    >>> runewars = load("runewars")
    >>> price_parts(runewars, army_setting(runewars))["battles of armies"].count
    7
    """
    n = len(game.members_of(setting.kind) if entrants is None else entrants)
    kind = game.definition.kinds[setting.kind]
    ways = max(len(next(iter(kind.habits.values()), ())) - 1, 0)
    parts = {battles.TASK: Part(_fair_blocks(n, fair_costs.usual_battles(n)))}
    parts |= {"ways of playing": Part(4 * ways, LADDER)} if ways else {}
    return parts | ({handicap.TASK: Part(CARD_BLOCKS, CARD_BLOCK)} if one_card else {})


def tune_parts(game: LoadedGame, setting: ArmySetting, effort: TuneEffort | None = None) -> dict[str, Part]:
    """Return the stages of a search for changes, by default of the effort of `tune`."""
    n, used_effort = len(game.members_of(setting.kind)), effort or TuneEffort()
    pairs = (SEARCHES * used_effort.search + 2 * used_effort.check) / FEW
    scores = Part(n * pairs / mean_scores.BLOCK, 2 * mean_scores.BLOCK / fair_costs.BLOCK)
    return {battles.TASK: Part(_fair_blocks(n, fair_battles(used_effort, n))), mean_scores.TASK: scores}


def _fair_blocks(n: int, n_battles: int) -> int:
    """Return about how many blocks fair costs of n members take."""
    few_blocks, full_blocks = (
        max(1, -(-n * n_per_member // fair_costs.BLOCK)) for n_per_member in (n_battles // 4, n_battles)
    )
    return FEW_ROUNDS * few_blocks + FULL_ROUNDS * full_blocks
