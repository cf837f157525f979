"""Whether the sizes of a party win alike: the first page of a game that asks it, and its section with every case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.blocks.tables import Cell
from balance.answers.words.lists import Extreme, highest, list_words, lowest
from balance.base.numbers import show_count, show_probability
from balance.reporting import Column, Figure, Paragraph, Section, Table, literal, table
from balance.reporting.figures.ranges import Family
from balance.reporting.figures.strips import Strip, plot_strips
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.first_page.page import MOST_CHANGES, FirstPage
from balance.reporting.sections.first_page.reply import Reply
from balance.study.scaling.settings import ReportScaling

Row = Mapping[str, Any]
SURE = 0.975
"""How sure a verdict must be, by the dice."""
ENDS = {"best": "best", "upper": "upper quarter", "median": "median", "lower": "lower quarter", "worst": "worst"}
WORDS: dict[Family, str] = {"over": "too easy", "under": "too hard", "fair": "in the band"}


@dataclass(frozen=True)
class Scaling:
    """The tables of a run on one scaling; `ways` is None where no other way of playing was asked about."""

    asked: ReportScaling
    groups: pl.DataFrame
    sizes: pl.DataFrame
    changes: pl.DataFrame
    ways: pl.DataFrame | None = None

    @property
    def first_case(self) -> str:
        """The label of the case to which changes are applied."""
        return self.asked.cases[0].label

    def medians(self, column: str) -> list[float]:
        """Return the medians of all sizes in the first case, today ("median") or after the changes ("then_median")."""
        return self.changes[column].to_list()

    def named(self, size: int) -> str:
        """Return a size in words, such as "4 heroes"."""
        return f"{size} {self.asked.member if size == 1 else self.asked.members}"


def scalings_of(pages: Pages) -> list[Scaling]:
    """Return the declared scalings that the run worked out."""
    names = ("scaling_groups", "scaling_sizes", "scaling_changes")
    frames = [pages.table(name) for name in names]
    if frames[0] is None or frames[1] is None or frames[2] is None:
        return []
    groups, sizes, changes = (frame for frame in frames if frame is not None)
    ways = pages.table("scaling_ways")

    def part(frame: pl.DataFrame, asked: ReportScaling) -> pl.DataFrame:
        return frame.filter(pl.col("id") == asked.id)

    scalings = [
        Scaling(asked, part(groups, asked), part(sizes, asked), part(changes, asked),
                None if ways is None else part(ways, asked))
        for asked in pages.run.settings.scaling
    ]  # fmt: skip
    return [scaling for scaling in scalings if scaling.changes.height]


# -- the first page --------------------------------------------------------------------------------------------------


def scaling_page(pages: Pages) -> FirstPage | None:
    """Return the first page on whether a game scales; None where the run does not say."""
    if not (scalings := scalings_of(pages)):
        return None
    scaling = scalings[0]
    chart, reply = _chart(pages, scaling), verdict(scaling.changes.row(0, named=True)["sure_today"])
    return FirstPage(
        *(scaling.asked.title, headline(scaling), chart, _changes(pages, scaling), scaling.asked.cannot_see),
        reply=reply,
    )


def verdict(sure: float) -> Reply:
    """Return the reply to whether all sizes win alike: yes or no if `sure`, a probability, is near 1 or 0.

    >>> [str(verdict(sure)) for sure in (0.0, 0.5, 0.99)]
    ['No', 'Not yet known', 'Yes']
    """
    return Reply.YES if sure >= SURE else Reply.NO if sure <= 1 - SURE else Reply.UNKNOWN


def headline(scaling: Scaling) -> str:
    """Return what the reply rests on, and how far changes bring it, as marked text."""
    row, asked = scaling.changes.row(0, named=True), scaling.asked
    sizes = [str(size) for size in scaling.changes["size"]]
    widest = max(scaling.changes.iter_rows(named=True), key=lambda line: line["best"] - line["worst"])
    return (
        f"{literal(scaling.first_case)}: the median {literal(asked.group)} of "
        f"{list_words(sizes)} {literal(asked.members)} wins {_percents(scaling.medians('median'))}, "
        f"{_apart(scaling.medians('median'))} apart where {_points(asked.band)} would pass. Which "
        f"{literal(asked.members)} go matters {_as_much(scaling, widest)}: "
        f"{literal(scaling.named(widest['size']))} win {100 * widest['worst']:.0f} to {100 * widest['best']:.0f} %."
        f"{_then(scaling, row)}{_ways_text(scaling)}"
    )


def _as_much(scaling: Scaling, widest: Row) -> str:
    """Return whether the groups of a size lie farther apart than the medians of the sizes, in words."""
    more = _distance([widest["best"], widest["worst"]]) - _distance(scaling.medians("median"))
    return "more" if more > 0 else "less" if more < 0 else "as much"


def _then(scaling: Scaling, row: Row) -> str:
    """Return a sentence on how near the medians lie after the changes; "" if none is needed."""
    if not scaling.changes.filter(pl.col("change") != "").height:
        return "" if row["sure_today"] >= SURE else " No change that was offered brings them nearer."
    word = {Reply.YES: "near enough", Reply.NO: "nearer, but not near enough"}
    sure = f"less than {_points(scaling.asked.band)} with {show_probability(row['sure'], 0)} certainty"
    apart = _apart(scaling.medians("then_median"))
    return f" With the changes below they lie {apart} apart: {word.get(verdict(row['sure']), sure)}."


def _ways_text(scaling: Scaling) -> str:
    """Return a sentence on the distance of the medians in the first other way of playing; "" if not asked."""
    if scaling.ways is None or not scaling.ways.height:
        return ""
    first = scaling.ways.filter(pl.col("choices") == scaling.ways["choices"][0])
    changed = scaling.changes.filter(pl.col("change") != "").height
    then = f", {_apart(first['then_median'].to_list())} with the changes" if changed else ""
    return f" By other play (last column): {_apart(first['median'].to_list())} today{then}."


def _percents(shares: Sequence[float]) -> str:
    return f"{list_words([show_probability(share, 0).removesuffix('%').strip() for share in shares])} %"


def _points(share: float) -> str:
    return f"{100 * share:.0f}"


def _apart(shares: Sequence[float]) -> str:
    """Return the range of some shares in whole percentage points, as rounded where they are shown."""
    return f"{_distance(shares)} points"


def _distance(shares: Sequence[float]) -> int:
    return round(100 * max(shares)) - round(100 * min(shares))


def _chart(pages: Pages, scaling: Scaling) -> Figure:
    """Return the picture of every group of every size in the first case, today and where something is changed."""
    rows = list(scaling.changes.iter_rows(named=True))
    strips = [strip for row in rows for strip in _strips(scaling, row)]
    goal = rows[0]["goal_low"], rows[0]["goal_high"]
    picture = plot_strips(strips, scaling.asked.axis, band=(100 * goal[0], 100 * goal[1]))
    texts = [
        f"{strip.name}: {min(strip.values):.0f} to {max(strip.values):.0f}, median {strip.median:.0f}, {strip.word}"
        for strip in strips
    ]
    return Figure(
        picture, f"{scaling.asked.axis}: {'; '.join(texts)}.",
        f"{literal(scaling.first_case)}: every legal {literal(scaling.asked.group)} is a dot, the large mark is their "
        f"median. The medians should lie in the shaded band. {_how_played(pages, scaling)}",
        "scaling_groups",
    )  # fmt: skip


def _strips(scaling: Scaling, row: Row) -> list[Strip]:
    """Return the strip of a size today and, where it is changed, after the change, in per cent."""
    moments = [("", "", row["median"])] + ([(row["change"], ", changed", row["then_median"])] if row["change"] else [])
    strips = []
    for change, more, median in moments:
        groups = scaling.groups.filter(case=scaling.first_case, change=change, size=row["size"])
        family, chances = _family(median, row), tuple(100 * chance for chance in groups["chance"])
        strips.append(Strip(f"{scaling.named(row['size'])}{more}", chances, 100 * median, family, WORDS[family],
                            tuple(groups["name"])))  # fmt: skip
    return strips


def _family(median: float, row: Row) -> Family:
    return "over" if median > row["goal_high"] else "under" if median < row["goal_low"] else "fair"


def _changes(pages: Pages, scaling: Scaling) -> Table:
    """Return the table of what to change for each size, `MOST_CHANGES` rows at most."""
    rows = list(scaling.changes.iter_rows(named=True))[:MOST_CHANGES]
    asked, other = scaling.asked, _other_way(scaling)
    heads = [
        Column(asked.group.capitalize()), Column("today, %", "right", "median (worst to best)"),
        Column("what to change"), Column("then, %", "right"),
        Column("95 % interval, %", "right", "of the median then, by the dice"),
        *([Column("other play, %", "right")] if other else []),
    ]  # fmt: skip
    body = [
        [
            (scaling.named(row["size"]), float(row["size"])),
            _range_cell(row, ""),
            row["change"] or "none",
            _range_cell(row, "then_"),
            f"{100 * row['then_low']:.0f} to {100 * row['then_high']:.0f}",
            *([other[row["size"]]] if other else []),
        ]
        for row in rows
    ]
    caption = (
        f"What to change. {literal(scaling.first_case)}: the median of {_count_groups(scaling, rows)}; in brackets the "
        f"worst to the best {literal(asked.group)}. Each size gets the smallest change that was tried and brings it "
        f"near the others.{_otherwise(pages, scaling)}"
    )
    return table(heads, body, caption, source="scaling_changes")


def _other_way(scaling: Scaling) -> dict[int, str]:
    """Return size -> medians today and after the changes in the first other way of playing, in per cent."""
    if scaling.ways is None or not scaling.ways.height:
        return {}
    first = scaling.ways.filter(pl.col("choices") == scaling.ways["choices"][0])
    return {
        row["size"]: f"{100 * row['median']:.0f}, then {100 * row['then_median']:.0f}"
        for row in first.iter_rows(named=True)
    }


def _otherwise(pages: Pages, scaling: Scaling) -> str:
    """Return a sentence on what the first other way of playing is; "" without any."""
    if scaling.ways is None or not scaling.ways.height:
        return ""
    names, row = pages.run.settings.names, scaling.ways.row(0, named=True)
    ways = [names.get(value, value) for _, _, value in (choice.partition("=") for choice in row["choices"].split(","))]
    most = max(scaling.ways["n_groups"].to_list())
    way, groups = literal(", ".join(ways)), literal(scaling.asked.groups)
    return f" Other play: {way}; median of up to {most} {groups} a size."


def _range_cell(row: Row, when: str) -> Cell:
    worst, median, best = (100 * row[f"{when}{name}"] for name in ("worst", "median", "best"))
    ends = f"{worst:.0f}", f"{best:.0f}"
    text = f"{median:.0f}" if ends[0] == ends[1] else f"{median:.0f} ({ends[0]} to {ends[1]})"
    return Cell(text, median, worst, best)


def _count_groups(scaling: Scaling, rows: Sequence[Row]) -> str:
    counts = list_words([show_count(row["n_groups"]) for row in rows])
    return f"all {counts} {literal(scaling.asked.groups)}"


# -- the section -----------------------------------------------------------------------------------------------------


def scaling_sections(pages: Pages) -> list[Section]:
    """Return a section for each scaling: every case and size in numbers."""
    return [_section(pages, scaling) for scaling in scalings_of(pages)]


def _section(pages: Pages, scaling: Scaling) -> Section:
    asked = scaling.asked
    blocks: list[Block] = [Paragraph(asked.text)] if asked.text else []
    blocks += [Paragraph(_case_text(scaling)), _overview(pages, scaling)]
    return Section(asked.title, f"scaling-{asked.id}", tuple(blocks))


def _case_text(scaling: Scaling) -> str:
    """Return a sentence on the range of the sizes' medians in each case, the widest first."""
    cases = [part.select("case", "size", "median").rows() for part in scaling.sizes.partition_by("case")]
    texts = [
        f"{literal(rows[0][0])}: {_apart([median for *_, median in rows])}, {_sizes(highest, rows, 'easiest')}, "
        f"{_sizes(lowest, rows, 'hardest')}"
        for rows in sorted(cases, key=lambda rows: -_distance([median for *_, median in rows]))
    ]
    return f"**How far the medians of the sizes lie apart.** {'; '.join(texts)}."


def _sizes(end: Callable[..., Extreme[tuple[str, int, float]]], rows: Sequence[Any], word: str) -> str:
    """Return with which sizes a case is easiest or hardest, as the medians are printed."""
    sizes = end(rows, lambda row: row[2], _points).rows
    return f"{word} with {list_words([str(size) for _, size, _ in sizes])}{' alike' * (len(sizes) > 1)}"


def _overview(pages: Pages, scaling: Scaling) -> Table:
    asked = scaling.asked
    heads = [
        Column("Encounter"), Column(asked.members, "right"), Column(asked.groups, "right"),
        *(Column(f"{ENDS[end]}, %", "right") for end in ENDS),
        Column("dice, %", "right", f"Share of the variance between {literal(asked.groups)} that the dice of so few "
               "trials explain; it is taken out of the other numbers. In brackets: a 95 % interval by the dice"),
    ]  # fmt: skip
    body = [
        [
            row["case"], (str(row["size"]), float(row["size"])), (str(row["n_groups"]), float(row["n_groups"])),
            *((_end_text(row, end), row[end]) for end in ENDS),
            (f"{100 * row['dice_share']:.0f}", row["dice_share"]),
        ]
        for row in scaling.sizes.iter_rows(named=True)
    ]  # fmt: skip
    caption = f"Chance of all legal {literal(asked.groups)} of each size to win. {_how_played(pages, scaling)}"
    return table(heads, body, caption, source="scaling_sizes")


def _end_text(row: Row, end: str) -> str:
    """Return one of the five quantiles in per cent, the median with its interval."""
    interval = f" ({100 * row['low']:.0f} to {100 * row['high']:.0f})" if end == "median" else ""
    return f"{100 * row[end]:.0f}{interval}"


def _how_played(pages: Pages, scaling: Scaling) -> str:
    """Return the choices of play and the number of trials, in sentences."""
    settings = pages.run.settings
    choices = dict(choice.split("=", 1) for choice in scaling.sizes["choices"][0])
    played = [f"{name.capitalize()}: {settings.names.get(choices[name], choices[name])}. " for name in settings.players
              if name in choices]  # fmt: skip
    return f"{''.join(map(literal, played))}Simulated, {show_count(scaling.asked.trials)} trials for each."
