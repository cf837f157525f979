"""Which prices hold: verdicts that are the same by every good way of playing, on every map and at every scale."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl

from balance.analysis.play.stability import MOVE_ERRORS
from balance.analysis.prices.over_settings import DEPENDS
from balance.base.numbers import show_count, show_fixed, show_many, show_probability, show_probability_change
from balance.reporting import Callout, Cell, Column, Figure, Paragraph, Section, literal
from balance.reporting.document.document import Block
from balance.reporting.figures.figures import Point, plot_against
from balance.reporting.sections.common.columns import TableColumn, frame_table, number, plain
from balance.reporting.sections.common.price_verdicts import VERDICT_TEXTS, between, points
from balance.reporting.sections.common.words import Pages, list_some, list_words
from balance.reporting.sections.costs.play_worth import play_titles

HOLD_TITLE = "Which prices hold"
MOST_NAMED = 14
"""Loadouts named in a figure, the farthest off first."""
LEAST_SHOWN = 0.5
"""Points below which nothing is drawn: the axes are ratios."""
SURE = ("too dear", "too cheap")


def holding_section(pages: Pages) -> Section | None:
    """Return what holds in every setting; None where battles did not price anything."""
    costs = pages.table("stable_costs")
    if costs is None:
        return None
    cards = pages.run.table("stable_card_costs")
    blocks: list[Block] = [Paragraph(_meaning(pages))]
    for setting, title in play_titles(pages).items():
        setting_costs, setting_cards = (frame.filter(setting=setting) for frame in (costs, cards))
        if setting_costs.height:
            blocks += [
                Callout("key", _head(pages, title), _verdict_counts(pages, setting_costs, setting_cards)),
                *_depends(pages, setting_cards),
            ]
            blocks += [
                _figure(pages, title, setting_costs),
                _card_table(pages, title, setting_cards),
                _cost_table(pages, title, setting_costs),
            ]
    blocks += [_setting_table(pages), Paragraph(_calibration_text(pages))]
    return Section(HOLD_TITLE, "holding", tuple(blocks))


def holding_findings(pages: Pages) -> list[str]:
    """Return what holds in all settings of each table of battles, as marked text; nothing where none priced."""
    costs = pages.table("stable_costs")
    if costs is None:
        return []
    cards = pages.run.table("stable_card_costs")
    return [
        f"**In battles ({title}).** {_verdict_counts(pages, setting_costs, cards.filter(setting=setting))}"
        for setting, title in play_titles(pages).items()
        if (setting_costs := costs.filter(setting=setting)).height
    ]


def _meaning(pages: Pages) -> str:
    return (
        "Prices are read off battles of random legal armies, each pair played twice on the same luck with the seats "
        f"swapped: what each {literal(pages.words.entrant)} adds to the log-odds to win, beside what a point adds. The "
        "typical one keeps its cost, since points are only compared with points. That is done anew for every way of "
        "playing near the top, and for every map and scale named. **A verdict counts only if it is the same in all of "
        "these settings**; else it depends on play, on the map or on the scale, and that is told."
    )


def _head(pages: Pages, title: str) -> str:
    has_several = len(play_titles(pages)) > 1
    return f"What holds: {title}" if has_several else "What holds"


def _verdict_text(word: str) -> str:
    return VERDICT_TEXTS.get(word, word)


def _verdict_counts(pages: Pages, costs: pl.DataFrame, cards: pl.DataFrame) -> str:
    """Return how many have each verdict, naming those that are certainly wrong whatever is played."""
    sentences = []
    for frame, noun, plural in (
        (cards, "card", "cards"),
        (costs, literal(pages.words.entrant), literal(pages.words.entrants)),
    ):
        counts = Counter(_verdict_text(word) for word in frame["verdict"])
        parts = [f"{n} {word}" for word, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
        sentences.append(f"{show_many(frame.height, noun, plural)}: {literal(list_words(parts))}.")
    for word in SURE:
        names = cards.filter(verdict=word)["label"].to_list()
        if names:
            sentences.append(f"**{_verdict_text(word).capitalize()} in every setting:** {literal(list_some(names))}.")
    return " ".join(sentences)


def _depends(pages: Pages, cards: pl.DataFrame) -> list[Block]:
    """Return the cards whose verdict a setting turns, with what they depend on."""
    rows = cards.filter(pl.col("verdict").str.starts_with(DEPENDS))
    if not rows.height:
        return []
    columns = [plain("Card", "label"), plain("Verdict", "verdict"), plain("Because", "because")]
    return [frame_table(rows, columns, "Cards whose verdict a setting turns: no finding about the card.")]


def _figure(pages: Pages, title: str, costs: pl.DataFrame) -> Block:
    """Return printed against fair costs, the whiskers from the least to the most over all settings."""
    rows = costs.filter(pl.col("fair_points") > LEAST_SHOWN).to_dicts()
    spots = [
        Point(pages.name(row["entrant"]), row["cost_points"], row["fair_points"], y_low=max(row["low"], LEAST_SHOWN),
              y_high=row["high"])
        for row in rows
    ]  # fmt: skip
    off = [max(row["low"] / row["cost_points"], row["cost_points"] / max(row["high"], LEAST_SHOWN)) for row in rows]
    order = sorted(range(len(rows)), key=lambda at: (-off[at], at))
    named_places = [at for at in order if rows[at]["verdict"] in SURE and off[at] > 1][:MOST_NAMED]
    entrants = literal(pages.words.entrants)
    return Figure(
        plot_against(spots, named_places, f"printed cost ({pages.words.points})", f"fair cost ({pages.words.points})"),
        f"Fair cost against printed cost of {len(spots)} {pages.words.entrants}; on the line both are equal.",
        f"{title[:1].upper()}{title[1:]}: fair cost against printed cost, both as ratios. A whisker reaches from the "
        f"least to the most over all settings. Named are the {entrants} farthest off whose verdict holds in "
        "all of them.",
    )


def _columns() -> list[TableColumn]:
    return [
        number("Cost", "cost_points"),
        TableColumn(Column("Fair", "right", "in the first setting; 95 % for each alone"), _fair),
        TableColumn(Column("Over settings", "right", "least to most"), _range),
        plain("Verdict", lambda row: _verdict_text(row["verdict"])),
    ]


def _fair(row: Any) -> Cell:
    return Cell(f"{points(row['fair_points'])} ({between(row['low'], row['high'])})", row["fair_points"])


def _range(row: Any) -> Cell:
    return Cell(between(row["low"], row["high"]), row["high"])


def _by_certainty(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows with those first that are certainly wrong, the farthest off first."""
    off = (pl.col("fair_points") - pl.col("cost_points")).abs() / pl.max_horizontal("cost_points", 1.0)
    return frame.with_columns(off=off, sure=pl.col("verdict").is_in(SURE)).sort(
        "sure", "off", descending=True, maintain_order=True
    )


def _card_table(pages: Pages, title: str, cards: pl.DataFrame) -> Block:
    columns = [plain("Card", "label"), plain("Kind", "table"), *_columns()]
    return frame_table(
        _by_certainty(cards), columns, f"Cards ({title}): the costs whose sums come nearest to the fair ones."
    )


def _cost_table(pages: Pages, title: str, costs: pl.DataFrame) -> Block:
    columns = [pages.names(pages.words.entrant.capitalize(), "entrant"), *_columns()]
    caption = f"Every {literal(pages.words.entrant)} ({title}); the reasons are in the run's table `stable_costs`."
    return frame_table(_by_certainty(costs), columns, caption)


def _setting_table(pages: Pages) -> Block:
    """Return how the fair costs of each setting agree with those of the first."""
    frame, titles = pages.run.table("stable_settings"), play_titles(pages)
    columns = [
        *([plain("Of", lambda row: row["setting"].replace("_", " "))] if len(titles) > 1 else []),
        plain("Setting", "scene"),
        number(
            "Correlation", "correlation", lambda value: show_fixed(value, 3), "of fair costs with the first setting"
        ),
        TableColumn(
            Column("Off", "right", f"by more than {MOVE_ERRORS:g} standard errors of the difference"),
            lambda row: Cell("–") if row["moved"] is None else Cell(f"{row['moved']} of {row['n']}", row["moved"]),
        ),
        number("Typical difference", "rms", show_probability, "root mean square, without what simulation adds"),
        number("Known to", "worst", show_probability, "largest standard error, as a share of the cost"),
        number("Going first", "going_first", lambda value: show_fixed(value, 2), "log-odds"),
        number("Battles", "n_battles", show_count),
    ]
    return frame_table(frame, columns, "The settings, and how fair costs there agree with those of the first.")


def _calibration_text(pages: Pages) -> str:
    """Return how well the fits foretell battles that they were not fitted to."""
    frame = pages.run.table("battle_calibration").with_columns(off=pl.col("observed") - pl.col("predicted"))
    worst = frame.sort(pl.col("off").abs(), descending=True, maintain_order=True).row(0, named=True)
    rms = float(((frame["off"] ** 2 - frame["error"] ** 2).mean()) or 0.0)  # type: ignore[arg-type]
    return (
        "**Out of sample.** Each fit foretold battles that it had not seen, in tenths by the predicted chance: they "
        f"came out {show_probability(max(rms, 0.0) ** 0.5)} off (root mean square, without what luck adds), at worst "
        f"{show_probability_change(worst['off'])} with {literal(worst['scene'])}, where "
        f"{show_probability(worst['predicted'])} was foretold and {show_probability(worst['observed'])} seen. That "
        "much is lost by adding members up."
    )
