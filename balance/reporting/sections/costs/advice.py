"""Sentences on prices beside their tables: how many hold, what depends on the setting, and what is not known."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import NOT_MEASURABLE
from balance.answers.words.lists import list_words
from balance.base.numbers import SURE, show_many
from balance.reporting import literal
from balance.reporting.sections.common.price_verdicts import (
    PriceVerdict,
    all_setting_titles,
    count_verdicts,
    in_setting,
    price_verdicts,
)
from balance.reporting.sections.common.words import Pages

MOST_EXAMPLES = 2


def price_notes(pages: Pages) -> list[str]:
    """Return marked sentences on verdicts of loadouts, settings that matter, scale, dominance, and open questions.

    The cards to change are on the first page.
    """
    loadouts, cards = price_verdicts(pages, "loadouts"), price_verdicts(pages, "cards")
    words = pages.words
    return [
        *([count_verdicts(loadouts, literal(words.entrant), literal(words.entrants))] if cards else []),
        *_dependent_prices(pages, loadouts, cards),
        *_scale(pages),
        *_never_worth(pages),
        *_unknown(pages, loadouts, cards),
    ]


def _dependent_prices(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict]) -> list[str]:
    """Return a sentence on prices whose verdict depends on the setting, with a few examples; [] without any."""
    dependents = [entry for entry in (*cards, *loadouts) if entry.family == DEPENDS]
    if not dependents:
        return []
    joint = ", such as " if len(dependents) > MOST_EXAMPLES else ": "
    examples = "; ".join(_by_setting(pages, entry) for entry in dependents[:MOST_EXAMPLES])
    return [f"**Depends on the setting:** {_count_text(pages, loadouts, cards, DEPENDS)}{joint}{examples}."]


def _by_setting(pages: Pages, entry: PriceVerdict) -> str:
    titles = all_setting_titles(pages)
    words = [f"{literal(row['verdict'])} with {titles[setting]}" for setting, row in entry.rows.items()]
    return f"{literal(entry.name)} ({', '.join(words)})"


def _count_text(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict], word: str) -> str:
    """Return how many loadouts and how many cards have a verdict; "" if none."""
    words = pages.words
    counts = [
        (sum(entry.family == word for entry in loadouts), literal(words.entrant), literal(words.entrants)),
        (sum(entry.family == word for entry in cards), "card", "cards"),
    ]
    return list_words([show_many(n, noun, plural) for n, noun, plural in counts if n])


def _scale(pages: Pages) -> list[str]:
    frame = pages.table("army_scale")
    if frame is None:
        return []
    texts = [in_setting(pages, row["setting"], literal(row["because"])) for row in frame.iter_rows(named=True)]
    return [f"**Is a point worth the same in dear and in cheap ones?** {'. '.join(texts)}."]


def _never_worth(pages: Pages) -> list[str]:
    """Return a sentence on entrants dominated in the first setting, by whom and by how much; [] without any."""
    frame = pages.table("fair_costs")
    if frame is None:
        return []
    beaten = frame.filter(setting=frame["setting"][0]).drop_nulls("lead").sort("lead", descending=True).to_dicts()
    texts = [
        f"**{pages.marked_name(row['entrant'])}** beside {pages.marked_name(row['dominated_by'][0])}, which scores "
        f"{100 * row['lead']:.0f} ± {100 * SURE * row['lead_error']:.0f} points more against all others"
        for row in beaten[:MOST_EXAMPLES]
    ]
    more = f"; and {len(beaten) - MOST_EXAMPLES} more" if len(beaten) > MOST_EXAMPLES else ""
    return [f"**Never worth taking at equal points:** {'; '.join(texts)}{more}."] if texts else []


def _unknown(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict]) -> list[str]:
    """Return a sentence on verdicts not yet known or not measurable, and why; [] without any."""
    sentences = []
    if open_ones := _count_text(pages, loadouts, cards, "not yet known"):
        sentences.append(
            f"{open_ones} (the interval reaches across the tolerance, or another setting or split is open)"
        )
    hidden = [entry for group in (cards, loadouts) for entry in group if entry.verdict == NOT_MEASURABLE]
    if hidden:
        first = next(row for row in hidden[0].rows.values() if row["verdict"] == NOT_MEASURABLE)
        count_text = _count_text(pages, loadouts, cards, NOT_MEASURABLE)
        sentences.append(f"{count_text} not measurable here ({literal(hidden[0].name)} {literal(first['because'])})")
    return [f"**What cannot be known from here:** {'; '.join(sentences)}."] if sentences else []
