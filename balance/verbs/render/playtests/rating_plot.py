"""The ratings of a log as a picture: each entrant's chance with its interval, the band shaded, verdicts by colour."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from balance.answers.media.plot import INK, MOST_ROWS, SOFT
from balance.playtests.sentences import by_strength, chance_means, headline
from balance.verbs.render.playtests.rating_text import short

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from balance.playtests.model.answer import RatingAnswer

COLOURS = {"overpowered": "#b3261e", "underpowered": "#b3261e", "fair": "#2e7d32"}
BAND = "#eef2e6"


def plot_ratings(ratings: RatingAnswer) -> Figure:
    """Draw the entrants, the strongest on top, as points with their intervals in per cent."""
    from balance.answers.media.drawing import Drawing

    order = by_strength(ratings)[:MOST_ROWS]
    figure = Drawing(figsize=(7, 1.9 + 0.24 * max(len(order), 6)), layout="constrained")
    axes = figure.subplots()
    low, high = (100 * end for end in ratings.settings.band)
    axes.axvspan(low, high, color=BAND, zorder=0, label=f"fair, {low:g} to {high:g} %")
    places = list(range(len(order)))
    ends = [(100 * entrant.chance_low, 100 * entrant.chance_high) for entrant in order]
    axes.hlines(places, [end[0] for end in ends], [end[1] for end in ends], color=SOFT, linewidth=4)
    for verdict in dict.fromkeys(entrant.verdict for entrant in order):
        rows = [at for at in places if order[at].verdict == verdict]
        axes.plot(
            [100 * order[at].chance for at in rows], rows, "o", color=COLOURS.get(verdict, INK), label=verdict, zorder=3
        )
    axes.set_yticks(places, [short(entrant.name) for entrant in order])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"chance in per cent, {100 * ratings.settings.level:g} % intervals\n{chance_means(ratings)}")
    axes.legend(fontsize=7, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False)
    figure.suptitle("\n".join(textwrap.wrap(headline(ratings), 84)), x=0.01, ha="left", fontsize=9)
    return figure
