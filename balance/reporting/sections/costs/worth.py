"""Worth its points: what everything should cost where armies of equal points meet, and how that was judged.

Sentences beside the tables tell how many prices hold, what depends on the setting, and what is not known.
"""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import NOT_MEASURABLE, OFF_VERDICTS
from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.numbers import SURE, show_count, show_many
from balance.reporting import Bullets, Figure, Paragraph, Section, literal
from balance.reporting.figures.figures import Point, plot_against
from balance.reporting.sections.common.price_verdicts import (
    PriceVerdict,
    all_setting_titles,
    count_verdicts,
    in_setting,
    points,
    price_verdicts,
    setting_titles,
)
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.price_tables import price_tables
from balance.reporting.sections.costs.unfair import unfair_table

WORTH_TITLE = "Worth its points"
MOST_NAMED = 14
"""Loadouts named in a figure, the farthest off first."""
MOST_EXAMPLES = 2


def worth_section(pages: Pages) -> Section | None:
    """Return fair costs and how they were found; None where armies of equal points did not meet."""
    if pages.table("fair_costs") is None:
        return None
    loadouts = price_verdicts(pages, "loadouts")
    *of_cards, of_loadouts = price_tables(pages)
    blocks: list[Block] = [Bullets(tuple(price_notes(pages))), *of_cards, *unfair_table(pages)]
    blocks += [Paragraph(_meaning(pages)), *map(Paragraph, _setting_texts(pages))]
    blocks += [of_loadouts, *(_against(pages, setting, loadouts) for setting in setting_titles(pages))]
    return Section(WORTH_TITLE, "worth", tuple(blocks))


def _meaning(pages: Pages) -> str:
    return (
        "Worth its points is what leaves armies of equal points at one half against each other, whatever share of them "
        f"is spent on it. The **fair cost** of each {literal(pages.words.entrant)} is the one at which that holds; the "
        "typical one keeps its own, since points are only compared with points. Half of the battles are between armies "
        "of one kind each, half between mixed ones."
    )


def _setting_texts(pages: Pages) -> list[str]:
    """Return a paragraph for each setting on budgets, way of playing, battles and seed."""
    texts = []
    for row in pages.run.table("army_settings").iter_rows(named=True):
        budgets = [f"{points(budget)} ({points(limit)} units)" for budget, limit in
                   zip(row["budgets"], row["unit_limits"], strict=True)]  # fmt: skip
        play = f"; both sides play {literal(row['play'].replace('_', ' '))}" if row["play"] else ""
        scale = f"budgets from {budgets[0]} to {budgets[-1]}" if len(budgets) > 1 else f"budget {budgets[0]}"
        head = row["title"] if len(setting_titles(pages)) > 1 else "How armies met"
        texts.append(
            f"**{literal(head[:1].upper() + head[1:])}.** {literal(row['kind'].capitalize())}, {scale}, the unit limit "
            f"in brackets{play}. The last round fought {show_count(row['n_battles'])} battles of "
            f"{show_many(row['n_fighters'], 'fighter')} that play in ways of their own, seed {row['seed']}."
        )
    return texts


def _against(pages: Pages, setting: str, loadouts: list[PriceVerdict]) -> Block:
    """Return the picture of printed against fair costs in a setting; the farthest surely off are named."""
    rows = [entry.rows[setting] for entry in loadouts if setting in entry.rows]
    spots = [
        Point(entry.name, row["cost_points"], row["fair_points"], y_low=row["low"], y_high=row["high"])
        for entry, row in zip(loadouts, rows, strict=True)
    ]
    off = [max(row["low"] / row["cost_points"], row["cost_points"] / row["high"]) for row in rows]
    is_off = [entry.verdict in OFF_VERDICTS for entry in loadouts if setting in entry.rows]
    order = sorted(range(len(rows)), key=lambda at: (-off[at], at))
    places = [place for place in order if is_off[place] and off[place] > 1][:MOST_NAMED]
    picture = plot_against(spots, places, f"printed cost ({pages.words.points})", f"fair cost ({pages.words.points})")
    entrants = literal(pages.words.entrants)
    return Figure(
        picture,
        f"Fair cost against printed cost of {len(spots)} {pages.words.entrants}; on the line both are equal.",
        in_setting(pages, setting, "fair cost with its 95 % interval against printed cost, both as ratios.")
        + f" Above the line a cost is too low, below it too high. Named are the {entrants} whose interval "
        "lies farthest from their cost, as a ratio, of those whose verdict holds in every setting.",
        "fair_costs",
    )


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
