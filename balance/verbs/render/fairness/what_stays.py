"""What costs leave unfair, in a few lines: how much, of which kind, which pairs, and who is never worth taking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from balance.analysis.dominance.unfair_pairs import UnfairPair, UnfairPairs
from balance.analysis.prices.proposals import CostProposal
from balance.analysis.prices.verdicts import show_cost
from balance.answers.media.terminal import line, table
from balance.base.errors import comma_list
from balance.base.numbers import SURE, show_count, show_many, show_probability
from balance.game.loaded import LoadedGame

if TYPE_CHECKING:
    from rich.console import RenderableType

FEW_NAMED, FEW_PAIRS = 3, 2
"""Names and pairs on a first screen."""
WORTH_TELLING = 0.05
"""The smallest share of what is left that pairs are said to be."""


def what_stays(game: LoadedGame, proposal: CostProposal, more: bool = False) -> Iterator[RenderableType]:
    """Yield a typical match-up before and after, what no cost mends, and for how many cards no cost will do.

    Parameters
    ----------
    game
        The game with its catalogue.
    proposal
        Costs proposed, and what stays unfair.
    more
        Whether every pair has a row of its own.
    """
    if not proposal.before.n_match_ups:
        return
    n, n_all = len(proposal.costs), len(proposal.whole_costs)
    parts = [f"{proposal.before.odds} at printed costs"]
    if proposal.after is not None and n < n_all:
        parts.append(f"{proposal.after.odds} with {show_many(n, 'cost')} changed as proposed")
    parts.append(f"{proposal.after_all.odds} with whole costs for all {n_all}")
    text = f"A typical match-up of armies of one kind is {comma_list(parts)}"
    text += "." if proposal.unfair.pairs else "; no pair is certainly off then."
    if proposal.no_cost:
        count = "For 1 of them" if len(proposal.no_cost) == 1 else f"For {len(proposal.no_cost)} of them"
        text += f" {count} no whole cost is fair: change other numbers (balance price GAME CARD)."
    yield line(text)
    if proposal.unfair.pairs:
        yield line(" ".join(_unfair_texts(game, proposal.unfair, more)))
    if more and proposal.unfair.pairs:
        yield _pair_table(game, proposal.unfair)


def _unfair_texts(game: LoadedGame, unfair: UnfairPairs, more: bool) -> Iterator[str]:
    """Yield of which kind it is what whole costs for all leave unfair, and by whom: a cycle, else the first pairs."""
    if unfair.strength_share is not None:
        strong, rest = (show_probability(share, 0) for share in (unfair.strength_share, 1 - unfair.strength_share))
        example = f" ({_pair_text(game, unfair.pairs[0])})" if unfair.cycle and unfair.strength_share > 0.5 else ""
        of_strength = f"{strong} is {game.words.entrants} too strong or too weak against all{example}"
        yield f"Of what is left, {of_strength} and {rest} who meets whom, which no cost mends."
    if unfair.cycle:
        first, second, third = unfair.cycle
        then = f"which beats {game.label(second.loser)} {second.odds}, which beats the first {third.odds}"
        yield f"Rock, paper, scissors: {_pair_text(game, first)}, {then}."
    elif not more:
        pairs = unfair.pairs[:FEW_PAIRS]
        share = sum(pair.share for pair in pairs)
        part = f", {show_probability(share, 0)} of it" if share >= WORTH_TELLING else ""
        texts = comma_list(_pair_text(game, pair) for pair in pairs)
        yield f"Farthest from even ({len(pairs)} of {show_count(unfair.n_pairs)} pairs{part}): {texts}."


def _pair_text(game: LoadedGame, pair: UnfairPair) -> str:
    return f"{game.label(pair.winner)} beats {game.label(pair.loser)} {pair.odds}"


def _pair_table(game: LoadedGame, unfair: UnfairPairs) -> RenderableType:
    rows = [
        (
            game.label(pair.winner), game.label(pair.loser), show_probability(pair.score),
            f"±{100 * SURE * pair.error:.1f}", show_probability(pair.share),
        )
        for pair in unfair.pairs
    ]  # fmt: skip
    heads = ["farthest from even", "beats", "scores", "95%", "of what is left"]
    return table(heads, rows, right=("scores", "95%", "of what is left"))


def never_worth(rows: Sequence[Mapping[str, Any]], few: bool = False) -> Iterator[RenderableType]:
    """Yield who is never worth taking at equal points beside each witness and its cost, and by how much that leads.

    Parameters
    ----------
    rows
        Of a table of prices, as `PriceList` has it.
    few
        Whether only the first few are named.
    """
    by_name = {row["entrant"] if "entrant" in row else row["card"]: row for row in rows}
    beaten: dict[str, list[Mapping[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: -(row["lead"] or 0.0)):
        if row["dominated_by"] is not None:
            beaten.setdefault(row["dominated_by"][0], []).append(row)
    for witness, losers in sorted(beaten.items(), key=lambda pair: -len(pair[1])):
        row, texts = by_name[witness], [f"{loser['label']} ({_lead(loser, few)})" for loser in losers]
        texts[0] = f"{texts[0].removesuffix(')')} pp behind)"
        names = first_names(texts) if few else comma_list(texts)
        cost = show_cost(row["cost_points"])
        yield line(f"Never worth taking at equal points while {row['label']} costs {cost}: {names}.")


def _lead(row: Mapping[str, Any], few: bool) -> str:
    """Return how far ahead the witness scores on average, with half of the 95 % interval unless there are few."""
    lead = f"{100 * row['lead']:.0f}"
    return lead if few else f"{lead} ± {100 * SURE * row['lead_error']:.0f}"


def first_names(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are.

    >>> first_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(names) - FEW_NAMED
    return ", ".join(names[:FEW_NAMED]) + (f" and {more} more" if more > 0 else "")
