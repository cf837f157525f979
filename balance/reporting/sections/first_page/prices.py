"""The first page of a game with prices, from its fair costs: which to change, to what, and what that does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import (
    AS_ALL,
    NOT_KNOWN,
    NOT_MEASURABLE,
    NOT_WORTH,
    OFF_VERDICTS,
    TOO_CHEAP,
    TOO_DEAR,
)
from balance.answers.words.lists import highest
from balance.base.numbers import show_many, show_odds, show_probability
from balance.reporting import Cell, Column, Figure, Table, literal
from balance.reporting import table as make_table
from balance.reporting.figures.ranges import Family, Range, plot_ranges
from balance.reporting.sections.common.price_verdicts import (
    FAMILIES,
    PriceVerdict,
    between,
    by_certainty,
    count_verdicts,
    leading_rows,
    points,
    price_source,
    price_verdicts,
    settling_text,
)
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.price_tables import ELSEWHERE_NOTE, FAIR_NOTE, fair_cell
from balance.reporting.sections.costs.unfair import cycle_text
from balance.reporting.sections.first_page.page import MOST_CHANGES, MOST_MARKS, FirstPage
from balance.reporting.sections.first_page.reply import Reply
from balance.reporting.sections.first_page.unseen import unseen_text

LOOKS: dict[str, Family] = {
    TOO_DEAR: "over",
    TOO_CHEAP: "under",
    DEPENDS: "depends",
    NOT_KNOWN: "unknown",
    NOT_WORTH: "hidden",
    AS_ALL: "plain",
    "fair": "fair",
}
"""Verdict -> how its marks look."""


def prices_page(pages: Pages) -> FirstPage | None:
    """Return the first page of a run that judged prices; None if it judged none."""
    loadouts, cards = price_verdicts(pages, "loadouts"), price_verdicts(pages, "cards")
    entries = cards if cards and (_off(cards) or not _off(loadouts)) else loadouts
    if not entries:
        return None
    nouns = ("card", "cards") if entries is cards else (pages.words.entrant, pages.words.entrants)
    chart, source = _chart(pages, entries, nouns), price_source(pages, "cards" if entries is cards else "loadouts")
    return FirstPage(
        _title(pages, entries),
        " ".join(filter(None, _headline(pages, loadouts, cards, entries))),
        replace(chart, source=source) if chart else None,
        _changes(pages, entries, nouns),
        pages.run.settings.first_page.cannot_see or unseen_text(pages, _kinds(pages)),
        reply=next((reply for reply in Reply if reply.lower() == _leading_setting(pages).get("is_fair")), None),
    )


def _headline(
    pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict], entries: Sequence[PriceVerdict]
) -> Iterator[str]:
    """Yield how many have which verdict, a typical match-up, what is farthest off, how it was judged."""
    words, typical = pages.words, _typical_scores(pages)
    for group, nouns in ((loadouts, (words.entrant, words.entrants)), (cards, ("card", "cards"))):
        if group:
            yield count_verdicts(group, *map(literal, nouns))
    if typical:
        yield f"A typical match-up of armies of equal points is {show_odds(0.5 + typical['printed'])}."
    yield _counters_text(pages)
    yield _power_text(pages, typical)
    yield _foremost(pages, entries)
    if not _off(entries):  # else who is off leads, and this is told below
        yield settling_text(pages, [*loadouts, *cards])
    yield _setting_text(pages)


def _counters_text(pages: Pages) -> str:
    """Return which share of lopsided match-ups no cost mends, where costs are right; else ""."""
    if _leading_setting(pages).get("is_fair") != Reply.COSTS_YES.lower():
        return ""
    shares = [row["strength_share"] for row in leading_rows(pages, "typical_match_ups")]
    share = next((share for share in shares if share is not None), 0.0)
    return f"{show_probability(1 - share, 0)} of that is who meets whom, which no cost mends."


def _power_text(pages: Pages, typical: Mapping[str, float]) -> str:
    """Return to which power all costs should be raised and what that does; "" where single costs should change."""
    power = _leading_setting(pages).get("power")
    if power is None:
        return ""
    way = "too slowly" if power > 1 else "too fast"
    then = show_odds(0.5 + typical["proposed"])
    return (
        f"**Costs rise {way}**: all of them to the power {power:.2f} would be fair; played on fresh dice, a typical "
        f"match-up is {then} then."
    )


def _leading_setting(pages: Pages) -> Mapping[str, Any]:
    """Return how the prices that lead were judged, {} where they were not."""
    return next(iter(leading_rows(pages, "army_settings")), {})


def _setting_text(pages: Pages) -> str:
    """Return a sentence on where that was judged, within what is fair, and what stands beside."""
    row = _leading_setting(pages)
    where = f"Judged {literal(row['title'])}" if row else "Judged where armies of equal points meet"
    beside = "; ".join(literal(name) for name in row.get("beside") or [])
    also = f" Beside it, without a vote: {beside}." if beside else ""
    return f"{where}; fair is within {_tolerance_text(pages)}.{also}"


def _off(entries: Sequence[PriceVerdict]) -> list[PriceVerdict]:
    """Return the entries that are surely too dear or too cheap, the farthest off first."""
    return [entry for entry in by_certainty(entries) if entry.verdict in OFF_VERDICTS]


def _title(pages: Pages, entries: Sequence[PriceVerdict]) -> str:
    if _off(entries) or _leading_setting(pages).get("power") is not None:
        return "What to change"
    return "No price needs to change" if {entry.verdict for entry in entries} == {"fair"} else "What is known of prices"


def _tolerance_text(pages: Pages) -> str:
    tolerance = _tolerance(pages)
    share = f"{show_probability(tolerance['share'], 0)} of the cost"
    if tolerance.get("points") is None:
        return f"{share}, or nearer than the next cost"
    return f"{share} or {pages.points(tolerance['points'])} if that is more"


def _tolerance(pages: Pages) -> Mapping[str, float]:
    """Return the tolerance of verdicts: `share` of a cost, or `points` if that is more."""
    tolerance: Mapping[str, float] = pages.run.manifest["study"]["verdicts"]
    return tolerance


def _foremost(pages: Pages, entries: Sequence[PriceVerdict]) -> str:
    """Return a sentence on the entry farthest off, and what it should cost; "" if none is off."""
    off = _off(entries)
    if not off:
        return ""
    first, *more = highest(off, lambda entry: entry.off, "{:.2f}".format).rows
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
    rows = [Range(entry.name, entry.cost, *entry.ends, LOOKS[entry.family], entry.verdict) for entry in shown]
    texts = [f"{entry.name} {points(entry.cost)} ({between(*entry.ends)}), {entry.verdict}" for entry in shown]
    first = f" The first {MOST_MARKS} of {len(known)}." if len(known) > MOST_MARKS else ""
    return Figure(
        plot_ranges(rows, f"cost, {pages.words.points}", heads=(nouns[0], f"fair cost, {pages.words.points}")),
        f"Today's cost and the range of fair costs: {'; '.join(texts)}.",
        f"Today's cost of each {literal(nouns[0])} (mark), coloured by verdict, and the range of fair costs that this "
        f"rests on (bar).{first}",
    )


def _changes(pages: Pages, entries: Sequence[PriceVerdict], nouns: tuple[str, str]) -> Table | None:
    """Return the table of the entries surely off, those with a cost that was played first; None without any."""
    off = sorted(_off(entries), key=lambda entry: entry.proposed is None)
    if not off:
        return None
    shown, unit = off[:MOST_CHANGES], pages.words.points
    elsewhere, proposes = any(entry.elsewhere for entry in shown), any(entry.proposed is not None for entry in shown)
    columns = [
        Column(nouns[0].capitalize()),
        Column("Verdict"),
        Column("Now", "right", literal(unit), unit),
        *([Column("Make it", "right", unit=unit)] if proposes else []),
        Column("Fair", "right", FAIR_NOTE, unit),
        *([Column("Elsewhere", "left", ELSEWHERE_NOTE)] if elsewhere else []),
    ]
    rows: list[list[Cell | str]] = [
        [
            entry.name,
            entry.verdict,
            Cell(points(entry.cost), entry.cost),
            *([Cell("–") if entry.proposed is None else Cell(str(entry.proposed), entry.proposed)] if proposes else []),
            fair_cell(entry),
            *([entry.elsewhere] if elsewhere else []),
        ]
        for entry in shown
    ]
    which = f"What to change: the first {MOST_CHANGES} of {len(off)}." if len(off) > MOST_CHANGES else "What to change."
    return make_table(columns, rows, which + _typical_text(pages, entries, nouns), cycle_text(pages))


def _repriced_text(priced: Sequence[PriceVerdict], noun: str) -> str:
    """Return the clause "if all n cards are repriced", or of what is bought whole."""
    is_bought_whole = not any(row.get("table") for entry in priced for row in entry.rows.values())
    return f"if all {len(priced)} {literal(noun) if is_bought_whole else 'cards'} are repriced"


def _typical_text(pages: Pages, entries: Sequence[PriceVerdict], nouns: tuple[str, str]) -> str:
    """Return what the costs proposed do to a typical match-up, beside all cards repriced; "" if unknown."""
    typical = _typical_scores(pages)
    if not typical:
        return ""
    priced = price_verdicts(pages, "cards") or entries
    repriced = _repriced_text(priced, nouns[1])
    every = f"{show_odds(0.5 + typical['all'])} {repriced}"
    if not _off(priced):
        return f" No single card is surely off, so no cost is proposed; a typical match-up would be {every}."
    if "proposed" not in typical:
        return f" No change of costs that was played brings match-ups nearer to even; a typical one would be {every}."
    n = sum(entry.proposed is not None for entry in priced)
    if not n:  # all costs to a power: the headline tells what that does
        return f" With whole costs of their own, a typical match-up would be {every}."
    costs = f"all {n} costs proposed" if n > 1 else "the cost proposed"
    then = show_odds(0.5 + typical["proposed"])
    return f" With {costs}, played on fresh dice, a typical match-up becomes {then}; {every}."


def _typical_scores(pages: Pages) -> dict[str, float]:
    """Return how far a typical match-up lies from 1/2 in the setting that leads, by kind of costs."""
    return {row["costs"]: row["off"] for row in leading_rows(pages, "typical_match_ups")}


def _kinds(pages: Pages) -> list[str]:
    """Return the names of the kinds of question that prices were judged by."""
    frames = [
        pages.table(settings)
        for settings, costs in (("army_settings", "fair_costs"), ("play_settings", "stable_costs"))
        if pages.table(costs) is not None
    ]
    return list(dict.fromkeys(kind for frame in frames if frame is not None for kind in frame["kind"]))
