"""The ratings of a log as a picture: each entrant's chance with its interval, the band shaded, verdicts by colour."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from balance.answers.media.plot import INK, MOST_ROWS, SOFT
from balance.answers.words.playtests.sentences import by_strength, headline
from balance.base.text import one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from balance.playtests.model.answer import RatingAnswer

COLOURS = {"overpowered": "#b3261e", "underpowered": "#b3261e", "fair": "#2e7d32"}
BAND = "#eef2e6"
LONGEST_NAME = 22


def plot_ratings(answer: RatingAnswer) -> Figure:
    """Draw the entrants, the strongest on top, as points with their intervals in per cent."""
    from balance.answers.media.drawing import Drawing

    ratings = dict([*by_strength(answer).items()][:MOST_ROWS])
    entrants, places = [*ratings.values()], [*range(len(ratings))]
    figure = Drawing(figsize=(7, 1.9 + 0.24 * max(len(ratings), 6)), layout="constrained")
    axes = figure.subplots()
    low, high = (100 * end for end in answer.settings.band)
    axes.axvspan(low, high, color=BAND, zorder=0, label=f"fair, {low:g} to {high:g} %")
    ends = [(100 * entrant.chance_low, 100 * entrant.chance_high) for entrant in entrants]
    axes.hlines(places, [end[0] for end in ends], [end[1] for end in ends], color=SOFT, linewidth=4)
    for verdict in dict.fromkeys(entrant.verdict for entrant in entrants):
        rows = [at for at in places if entrants[at].verdict == verdict]
        chances = [100 * entrants[at].chance for at in rows]
        axes.plot(chances, rows, "o", color=COLOURS.get(verdict, INK), label=verdict, zorder=3)
    axes.set_yticks(places, [_short(name) for name in ratings])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"chance in per cent, {100 * answer.settings.level:g} % intervals\n{answer.chance_means}")
    axes.legend(fontsize=7, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False)
    figure.suptitle("\n".join(textwrap.wrap(headline(answer), 84)), x=0.01, ha="left", fontsize=9)
    return figure


def _short(name: str) -> str:
    """Return a name on one line, its middle left out from 23 characters on."""
    text, half = one_line(name), (LONGEST_NAME - 1) // 2
    return text if len(text) <= LONGEST_NAME else f"{text[:half].rstrip()}…{text[half - LONGEST_NAME + 1 :]}"
