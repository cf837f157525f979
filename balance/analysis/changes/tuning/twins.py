"""Cards whose cost is left alone because this setting does not tell them from a twin of another cost."""

from __future__ import annotations

from balance.analysis.prices.card_costs import fit_card_costs
from balance.analysis.prices.entries import price_entries
from balance.analysis.prices.fair_costs import FairCosts
from balance.analysis.prices.price_list import card_of, known_cards, unseen_fields
from balance.analysis.prices.verdicts import NOT_MEASURABLE, price_verdicts
from balance.analysis.scores.cards import priced_parts
from balance.game.loaded import LoadedGame


def unmeasured(game: LoadedGame, fair: FairCosts) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids of cards, and of entrants, whose price is not measurable here, by the rule of price lists."""
    armies = game.definition.kinds[fair.setting.kind].armies
    if armies is None or not armies.irrelevant_fields:
        return frozenset(), frozenset()
    parts = priced_parts(game, fair.entrants)
    cards = {part: card_of(game, part) for own_parts in parts for part in own_parts}
    fields = unseen_fields(game, fair.setting.kind, dict(zip(fair.entrants, parts, strict=True)), cards)
    costs = fit_card_costs(price_entries(fair, parts, known_cards(cards)))
    verdicts = price_verdicts(costs, parts, hidden_fields=fields)
    of_cards, of_entrants = (
        frozenset(name for name, verdict in some.items() if verdict.verdict == NOT_MEASURABLE)
        for some in (verdicts.cards, verdicts.loadouts)
    )
    return of_cards, of_entrants
