"""The first page of a game with prices, from its fair costs: which to change, to what, and what that does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from balance.analysis.prices.over_settings import DEPENDS, OFF_VERDICTS, TOO_CHEAP, TOO_DEAR
from balance.analysis.prices.verdicts import NOT_KNOWN, NOT_MEASURABLE
from balance.answers.words.lists import highest
from balance.base.numbers import show_many, show_odds, show_probability
from balance.reporting import Cell, Column, Figure, Table, literal
from balance.reporting import table as make_table
from balance.reporting.figures.ranges import Family, Range, plot_ranges
from balance.reporting.sections.common.price_verdicts import (
    FAMILIES,
    PriceVerdict,
    all_setting_titles,
    between,
    by_certainty,
    count_verdicts,
    dice_cell,
    points,
    price_source,
    price_verdicts,
)
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.unfair import cycle_texts
from balance.reporting.sections.first_page.page import MOST_CHANGES, MOST_MARKS, FirstPage
from balance.reporting.sections.first_page.unseen import unseen_text

LOOKS: dict[str, tuple[Family, str]] = {
    TOO_DEAR: ("over", TOO_DEAR),
    TOO_CHEAP: ("under", TOO_CHEAP),
    DEPENDS: ("depends", "depends on the setting"),
    NOT_KNOWN: ("unknown", NOT_KNOWN),
    "fair": ("fair", "fair"),
    NOT_MEASURABLE: ("hidden", NOT_MEASURABLE),
}
"""Verdict -> how its marks look, and the key of the picture."""


_SPLIT = "the verdict if the cards of a loadout share its cost as nearly as they do today"


def prices_page(pages: Pages) -> FirstPage | None:
    """Return the first page of a run that judged prices; None if it judged none."""
    loadouts, cards = price_verdicts(pages, "loadouts"), price_verdicts(pages, "cards")
    entries = cards if cards and (_off(cards) or not _off(loadouts)) else loadouts
    if not entries:
        return None
    nouns = ("card", "cards") if entries is cards else (pages.words.entrant, pages.words.entrants)
    chart, source = _chart(pages, entries, nouns), price_source(pages, "cards" if entries is cards else "loadouts")
    return FirstPage(
        _title(entries),
        " ".join(filter(None, (_counts_text(pages, entries, nouns), _foremost(pages, entries)))),
        replace(chart, source=source) if chart else None,
        _changes(pages, entries, nouns),
        pages.run.settings.first_page.cannot_see or unseen_text(pages, _kinds(pages)),
    )


def _off(entries: Sequence[PriceVerdict]) -> list[PriceVerdict]:
    """Return the entries that are surely too dear or too cheap in all settings, the farthest off first."""
    return [entry for entry in by_certainty(entries) if entry.verdict in OFF_VERDICTS]


def _off_as_shared(entries: Sequence[PriceVerdict]) -> list[PriceVerdict]:
    """Return entries with a proposed cost that are off only by `as_proposed`, the farthest off first."""
    turned = [
        entry for entry in entries if entry.is_off and entry.verdict not in OFF_VERDICTS and entry.proposed is not None
    ]
    return sorted(turned, key=lambda entry: (-entry.distance, entry.name))


def _title(entries: Sequence[PriceVerdict]) -> str:
    if _off(entries):
        return "What to change"
    return "No price needs to change" if {entry.verdict for entry in entries} == {"fair"} else "What is known of prices"


def _counts_text(pages: Pages, entries: Sequence[PriceVerdict], nouns: tuple[str, str]) -> str:
    """Return sentences on how many have which verdict, what counts as fair, and in which settings."""
    titles = list(all_setting_titles(pages).values())
    split = ", however a loadout's cost is split" if any("split" in entry.verdict for entry in entries) else ""
    where = f", in each of {len(titles)} settings{split}: {'; '.join(titles)}" if len(titles) > 1 else ""
    counts_text = count_verdicts(entries, *map(literal, nouns))
    return f"{counts_text} Fair is what scores one half at equal points, within {_tolerance_text(pages)}{where}."


def _tolerance_text(pages: Pages) -> str:
    tolerance = _tolerance(pages)
    return (
        f"{show_probability(tolerance['share'], 0)} of the cost or {pages.points(tolerance['points'])} if that is more"
    )


def _tolerance(pages: Pages) -> Mapping[str, float]:
    """Return the tolerance of verdicts: `share` of a cost, or `points` if that is more."""
    tolerance: Mapping[str, float] = pages.run.manifest["study"]["verdicts"]
    return tolerance


def _foremost(pages: Pages, entries: Sequence[PriceVerdict]) -> str:
    """Return a sentence on the entry farthest off, and what it should cost; "" if none is off."""
    off = _off(entries)
    if not off:
        return ""
    first, *more = highest(off, lambda entry: entry.off, show_probability).rows
    fair = f"{between(*first.ends)} {literal(pages.words.points)}"
    should = f"is worth {fair}" if first.proposed is None else f"should cost {first.proposed} ({fair})"
    alike = f" and {show_many(len(more), 'other')} alike" if more else ""
    return (
        f"Farthest outside what is fair, as a share of its cost, lies **{literal(first.name)}**{alike}: it costs "
        f"{points(first.cost)} and {should}."
    )


def _chart(pages: Pages, entries: Sequence[PriceVerdict], nouns: tuple[str, str]) -> Figure | None:
    """Return the picture of today's cost as a mark over the range of fair costs, for all that is measurable."""
    known = [entry for entry in entries if entry.verdict != NOT_MEASURABLE]
    if not known:
        return None
    shown = sorted(by_certainty(known), key=lambda entry: FAMILIES.index(entry.family))[:MOST_MARKS]
    rows = [Range(entry.name, entry.cost, *entry.ends, *LOOKS[entry.family]) for entry in shown]
    texts = [f"{entry.name} {points(entry.cost)} ({between(*entry.ends)}), {entry.verdict}" for entry in shown]
    several = len(all_setting_titles(pages)) > 1
    over = " over all settings, dice included" if several else ", from the dice alone"
    share = show_probability(_tolerance(pages)["share"], 0)
    first = f" The first {MOST_MARKS} of {len(known)}." if len(known) > MOST_MARKS else ""
    return Figure(
        plot_ranges(rows, f"cost, {pages.words.points}", heads=(nouns[0], f"fair cost, {pages.words.points}")),
        f"Today's cost and the range of fair costs: {'; '.join(texts)}.",
        f"Today's cost of each {literal(nouns[0])} (mark) and the range of its fair costs (bar){over}. Colour and "
        f"shape tell the verdict: a mark within {share} of its bar may be fair.{first}",
    )


def _changes(pages: Pages, entries: Sequence[PriceVerdict], nouns: tuple[str, str]) -> Table | None:
    """Return the table of the entries surely off, farthest first, with proposed costs; None without any."""
    sure, shared = _off(entries), _off_as_shared(entries)
    off = [*sure, *shared]
    if not off:
        return None
    several = len(all_setting_titles(pages)) > 1
    columns = [
        Column(nouns[0].capitalize()),
        Column("Verdict"),
        *([Column("Split as now", "left", _SPLIT)] if shared else []),
        Column("Now", "right", literal(pages.words.points), pages.words.points),
        Column("Make it", "right", unit=pages.words.points),
        Column(
            "Fair",
            "right",
            "the range over all settings, dice included" if several else "95 %, from the dice",
            pages.words.points,
        ),
        *([Column("Dice alone", "right", _dice_note(pages), pages.words.points)] if several else []),
    ]
    rows: list[list[Cell | str]] = [
        [
            entry.name,
            entry.verdict,
            *([entry.as_proposed] if shared else []),
            Cell(points(entry.cost), entry.cost),
            Cell("–") if entry.proposed is None else Cell(str(entry.proposed), entry.proposed),
            Cell(between(*entry.ends), None, *entry.ends),
            *([dice_cell(entry)] if several else []),
        ]
        for entry in off[:MOST_CHANGES]
    ]
    repriced = _repriced_text(price_verdicts(pages, "cards") or entries, nouns[1])
    caption = f"{_which_text(sure, shared, several)}{_typical_text(pages, sure, repriced)}"
    return make_table(columns, rows, caption, next(iter(cycle_texts(pages)), ""))


def _repriced_text(priced: Sequence[PriceVerdict], noun: str) -> str:
    """Return the clause "if all n cards are repriced", or of what is bought whole."""
    is_bought_whole = not any(row.get("table") for entry in priced for row in entry.rows.values())
    return f"if all {len(priced)} {literal(noun) if is_bought_whole else 'cards'} are repriced"


def _which_text(sure: Sequence[PriceVerdict], shared: Sequence[PriceVerdict], several: bool) -> str:
    """Return how many are off, and which of them are shown."""
    n, where = len(sure) + len(shared), " in every setting" if several else ""
    if shared:
        which = f"What to change: {len(sure)} off{where}, {len(shared)} more if the cost of a loadout is split as now"
    else:
        which = f"What to change{where}"
    return f"{which}: the first {MOST_CHANGES} of {n}." if n > MOST_CHANGES else f"{which}."


def _dice_note(pages: Pages) -> str:
    return f"95 %, of the cost that **make it** rounds, with {next(iter(all_setting_titles(pages).values()))}"


def _typical_text(pages: Pages, sure: Sequence[PriceVerdict], repriced: str) -> str:
    """Return a sentence on typical match-ups at today's and at fair costs; "" if unknown."""
    before, after, at = _typical_scores(pages, len(sure), repriced)
    if not before:
        return ""
    text = f" A typical match-up of two armies, each of one {literal(pages.words.entrant)}, is {_pairs(before)}"
    return f"{text}." if not after else f"{text} at today's costs, {_pairs(after)} {at}."


def _typical_scores(pages: Pages, n_changes: int, repriced: str) -> tuple[list[float], list[float], str]:
    """Return distances of typical match-ups from 1/2 in each setting, before and after, and at which costs.

    Several settings propose more than what all of them agree on: there it is asked at whole costs for all.
    """
    frame = pages.table("typical_match_ups")
    if frame is None:
        return [], [], ""
    is_one = len(all_setting_titles(pages)) == 1
    costs, at = ("proposed", f"with all {n_changes} changed") if is_one else ("all", repriced)
    before, after = (frame.filter(costs=name)["off"].to_list() for name in ("printed", costs))
    return before, after, at


def _pairs(offs: Sequence[float]) -> str:
    """Return distances from 1/2 as ratios of per cents, the least and the most of them.

    >>> _pairs([0.42]), _pairs([0.42, 0.381])
    ('92:8', 'between 88:12 and 92:8')
    """
    ends = list(dict.fromkeys(show_odds(0.5 + off) for off in (min(offs), max(offs))))
    return f"between {ends[0]} and {ends[1]}" if len(ends) > 1 else ends[0]


def _kinds(pages: Pages) -> list[str]:
    """Return the names of the kinds of question that prices were judged by."""
    frames = [
        pages.table(settings)
        for settings, costs in (("army_settings", "fair_costs"), ("play_settings", "stable_costs"))
        if pages.table(costs) is not None
    ]
    return list(dict.fromkeys(kind for frame in frames if frame is not None for kind in frame["kind"]))
