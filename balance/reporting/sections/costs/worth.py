"""Worth its points: what everything should cost where armies of equal points meet, and how that was judged.

Sentences beside the tables tell what nobody should take, what ways of playing turn, and what is not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.analysis.play.ways import OUT
from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import NOT_KNOWN, NOT_MEASURABLE, NOT_WORTH, OFF_VERDICTS
from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.errors import first_of
from balance.base.numbers import SURE, show_count, show_many
from balance.reporting import Bullets, Paragraph, Section, literal
from balance.reporting.sections.common.price_verdicts import (
    PriceVerdict,
    leading_rows,
    points,
    price_verdicts,
    settling_text,
)
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.price_tables import MOST_NAMED, cost_figure, price_tables
from balance.reporting.sections.costs.unfair import unfair_table

WORTH_TITLE = "Worth its points"
MOST_EXAMPLES = 2


def worth_section(pages: Pages) -> Section | None:
    """Return fair costs and how they were found; None where armies of equal points did not meet."""
    if pages.table("fair_costs") is None:
        return None
    of_loadouts, *of_cards = price_tables(pages)
    blocks: list[Block] = [Bullets(tuple(price_notes(pages))), of_loadouts, *of_cards, *unfair_table(pages)]
    blocks += [Paragraph(_meaning(pages)), *map(Paragraph, _setting_texts(pages)), _against(pages)]
    return Section(WORTH_TITLE, "worth", tuple(blocks))


def _meaning(pages: Pages) -> str:
    return (
        "Worth its points is what leaves armies of equal points at one half against each other, whatever share of them "
        f"is spent on it. The **fair cost** of each {literal(pages.words.entrant)} is the one at which that holds; the "
        "typical one keeps its own, since points are only compared with points. Half of the battles are between armies "
        "of one kind each, half between mixed ones."
    )


def _setting_texts(pages: Pages) -> list[str]:
    """Return a paragraph for each setting on budgets, ways of playing, battles and seed."""
    texts = []
    settings = pages.run.table("army_settings")
    for row in settings.iter_rows(named=True):
        budgets = [f"{points(budget)} ({points(limit)} units)" for budget, limit in
                   zip(row["budgets"], row["unit_limits"], strict=True)]  # fmt: skip
        scale = f"budgets from {budgets[0]} to {budgets[-1]}" if len(budgets) > 1 else f"budget {budgets[0]}"
        head = row["title"] if settings.height > 1 else "How armies met"
        texts.append(
            f"**{literal(head[:1].upper() + head[1:])}.** {literal(row['kind'].capitalize())}, {scale}, the unit limit "
            f"in brackets{_play_text(pages, row)}. The last round fought {show_count(row['n_battles'])} battles of "
            f"{show_many(row['n_fighters'], 'fighter')} that play in ways of their own, seed {row['seed']}."
        )
    return texts


def _play_text(pages: Pages, setting: Mapping[str, Any]) -> str:
    """Return by which ways of playing a verdict must hold, and why not by the others; "" where nobody chooses."""
    frame = pages.run.table("army_play").filter(setting=setting["setting"])
    ways = frame.to_dicts() if "place" in frame.columns else [{"play": setting["play"], "place": "in"}]
    counted = [_in_words(way["play"]) for way in ways if way["place"] != OUT and way["play"]]
    text = f"; both sides play {list_words(counted)}" if counted else ""
    others = [f"{_in_words(way['play'])} ({literal(way['because'])})" for way in ways if way["place"] == OUT]
    return text + (f", not {list_words(others)}" if others else "")


def _in_words(play: str) -> str:
    return literal(play.replace("_", " "))


def _against(pages: Pages) -> Block:
    """Return the picture of printed against fair costs of all loadouts; the farthest surely off are named."""
    return cost_figure(
        pages,
        [{**entry.leading, "label": entry.name} for entry in price_verdicts(pages, "loadouts")],
        "Fair cost, with the range that its verdict rests on, against printed cost, both as ratios. Above the line a "
        f"cost is too low, below it too high. Named are the {literal(pages.words.entrants)} whose range lies farthest "
        "from their cost, as a ratio, of those too dear or too cheap.",
        "fair_costs",
    )


def price_notes(pages: Pages) -> list[str]:
    """Return marked sentences on scale, on what nobody should take, and on what is open.

    How many are off, and the cards to change, are on the first page.
    """
    loadouts, cards = price_verdicts(pages, "loadouts"), price_verdicts(pages, "cards")
    return [
        *_dependent_prices(pages, loadouts, cards),
        *_scale(pages),
        *_useless(loadouts, cards),
        *_strictly_worse(pages),
        *_never_worth(pages),
        *_unknown(pages, loadouts, cards),
    ]


def _dependent_prices(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict]) -> list[str]:
    """Return a sentence on prices that ways of playing or maps turn, with a few examples; [] without any."""
    dependents = [entry for entry in (*cards, *loadouts) if entry.family == DEPENDS]
    if not dependents:
        return []
    joint = ", such as " if len(dependents) > MOST_EXAMPLES else ": "
    examples = "; ".join(f"{literal(entry.name)} ({_reason(entry)})" for entry in dependents[:MOST_EXAMPLES])
    texts = [entry.verdict.removeprefix(DEPENDS).replace(" and ", ", ") for entry in dependents]
    facets = list(dict.fromkeys(facet for text in texts for facet in text.split(", ")))
    head = f"Depends on {list_words(facets)}:"
    return [f"**{head}** {_count_text(pages, loadouts, cards, DEPENDS)}{joint}{examples}."]


def _reason(entry: PriceVerdict) -> str:
    """Return why a verdict is what it is, as marked text."""
    return literal(entry.leading["because"])


def _count_text(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict], word: str) -> str:
    """Return how many loadouts and how many cards have a verdict; "" if none."""
    words = pages.words
    counts = [
        (sum(entry.family == word for entry in loadouts), literal(words.entrant), literal(words.entrants)),
        (sum(entry.family == word for entry in cards), "card", "cards"),
    ]
    return list_words([show_many(n, noun, plural) for n, noun, plural in counts if n])


def _scale(pages: Pages) -> list[str]:
    return [
        f"**Is a point worth the same in dear and in cheap ones?** {_sentence(row['because'])}."
        for row in leading_rows(pages, "army_scale")
    ]


def _sentence(text: str) -> str:
    return literal(f"{text[:1].upper()}{text[1:]}")


def _useless(loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict]) -> list[str]:
    """Return a sentence on whom no cost makes worth taking, cards rather than all that carry them; [] without any."""
    entries = [entry for entry in cards or loadouts if entry.verdict == NOT_WORTH]
    names = first_of([f"**{literal(entry.name)}**" for entry in entries], MOST_NAMED)
    return [f"**Not worth taking at any cost:** {list_words(names)}; other numbers have to change."] if names else []


def _strictly_worse(pages: Pages) -> list[str]:
    """Return a sentence on whom another beats by the numbers printed, which needs no dice; [] without any."""
    texts = [
        f"**{pages.marked_name(row['entrant'])}** beside {pages.marked_name(row['strictly_worse_than'])} "
        f"({literal(list_words(row['strictly_worse_fields']))})"
        for row in leading_rows(pages, "fair_costs")
        if row.get("strictly_worse_than")
    ]
    named = list_words(first_of(texts, MOST_NAMED))
    return [f"**Strictly worse by the numbers alone, so never worth taking:** {named}."] if texts else []


def _never_worth(pages: Pages) -> list[str]:
    """Return a sentence on who is dominated in battles, by whom and by how much; [] without any."""
    rows = [row for row in leading_rows(pages, "fair_costs") if row["lead"] is not None]
    beaten = sorted(rows, key=lambda row: -row["lead"])
    texts = [
        f"**{pages.marked_name(row['entrant'])}** beside {pages.marked_name(row['dominated_by'][0])}, which scores "
        f"{100 * row['lead']:.0f} ± {100 * SURE * row['lead_error']:.0f} points more against all others"
        for row in beaten[:MOST_EXAMPLES]
    ]
    more = f"; and {len(beaten) - MOST_EXAMPLES} more" if len(beaten) > MOST_EXAMPLES else ""
    return [f"**Never worth taking at equal points:** {'; '.join(texts)}{more}."] if texts else []


def _unknown(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict]) -> list[str]:
    """Return a sentence on verdicts not yet known, or not measurable; [] without any."""
    sentences = []
    if open_ones := _count_text(pages, loadouts, cards, NOT_KNOWN):
        sentences.append(f"{open_ones} (the range reaches across the tolerance)")
    hidden = [entry for group in (cards, loadouts) for entry in group if entry.verdict == NOT_MEASURABLE]
    if hidden:
        count_text = _count_text(pages, loadouts, cards, NOT_MEASURABLE)
        sentences.append(f"{count_text} not measurable here ({literal(hidden[0].name)} {_reason(hidden[0])})")
    is_told_first = not any(entry.verdict in OFF_VERDICTS for entry in (*loadouts, *cards))
    settling = "" if is_told_first else settling_text(pages, [*loadouts, *cards])
    texts = [f"**What cannot be known from here:** {'; '.join(sentences)}.", *filter(None, [settling])]
    return [" ".join(texts)] if sentences else []
