"""The first page of a run whose duels nobody priced: who is strongest, and how even the others are."""

from __future__ import annotations

from balance.base.numbers import show_probability
from balance.reporting import Figure, literal
from balance.reporting.figures.ranges import Range, plot_ranges
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.first_page.page import MOST_MARKS, FirstPage
from balance.reporting.sections.first_page.reply import reply_of_duels
from balance.reporting.sections.first_page.unseen import unseen_text


def duels_page(pages: Pages) -> FirstPage | None:
    """Return the first page of duels of all against all; None if the run has none."""
    if pages.table("prices") is None:
        return None
    unseen, reply = unseen_text(pages, ["duel"]), reply_of_duels(pages)
    return FirstPage("Who wins", _ends_text(pages), _chart(pages), cannot_see=unseen, reply=reply)


def _ends_text(pages: Pages) -> str:
    """Return a sentence on who scores highest and lowest, naming all that are equal."""
    summary, (high, low) = pages.run.summary, pages.ends
    alone = summary["n_entrants"] == 1
    score = f"{literal(pages.words.wins)} in {show_probability(summary['strongest']['score'], 0)} of its duels"
    if high == low:
        field = (
            f"The one {literal(pages.words.entrant)} met itself."
            if alone
            else f"Of {pages.all_of_them()}, each met each."
        )
        return f"{field} {'It' if alone else 'Each of them'} {score} (a draw counts half)."
    return (
        f"Of {pages.all_of_them()}, the strongest {'is' if len(high) == 1 else 'are'} {pages.list_bold(high)}, "
        f"{'which' if len(high) == 1 else 'each of which'} {score} (a draw counts half); the weakest "
        f"{'is' if len(low) == 1 else 'are'} {pages.list_bold(low)} with "
        f"{show_probability(summary['weakest']['score'], 0)}.{_no_price(pages)}"
    )


def _no_price(pages: Pages) -> str:
    """Return a sentence on why no price is judged; "" in a game without prices."""
    return " No price is judged: that takes armies of equal points." if pages.has_prices else ""


def _chart(pages: Pages) -> Figure:
    """Return the picture of mean scores against all, the strongest first."""
    scores = pages.run.table("prices").sort("score", descending=True, maintain_order=True).select("entrant", "score")
    rows = [(pages.name(name), 100 * score) for name, score in scores.head(MOST_MARKS).iter_rows()]
    entrants, texts = literal(pages.words.entrants), [f"{name} {score:.0f}%" for name, score in rows]
    first = f" The first {MOST_MARKS} of {scores.height}." if scores.height > MOST_MARKS else ""
    return Figure(
        plot_ranges([Range(name, score, score, score) for name, score in rows], "mean score against all, in per cent",
                    reference=50.0),
        f"Mean score of {pages.words.entrants} against all: {'; '.join(texts)}.",
        f"What {entrants} score against all of them, a draw counting half.{first}",
        "prices",
    )  # fmt: skip
