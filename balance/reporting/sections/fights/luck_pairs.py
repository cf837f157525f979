"""Which dice the luck of a match-up comes from, and how it comes about: the part of the luck section about pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.numbers import SURE, show_fixed, show_many, show_number, show_probability
from balance.reporting import Bullets, Cell, Column, Figure, Paragraph, literal
from balance.reporting.figures.stacked_bars import plot_shares
from balance.reporting.sections.common.columns import Row, TableColumn, frame_table, number, plain
from balance.reporting.sections.common.words import Pages

TOLERANCE = 1e-6
MOST_PARTS = 8
"""Parts of a bar; of more sources the smallest are drawn as one."""
LEAST_DRAWN = 0.0005
"""Share below which a source is not drawn."""
REST = "several together"


def pair_blocks(pages: Pages, pairs: pl.DataFrame) -> list[Block]:
    """Return the blocks on pairs, grouped by table of the study; `pairs` is the run's table `luck_pairs`."""
    blocks: list[Block] = [Paragraph(_meaning_of_pairs())]
    for (setting,), setting_pairs in pairs.group_by("setting", maintain_order=True):
        blocks += _of_pairs(setting_pairs, pages.run.table("luck_sources").filter(setting=setting))
        ends = pages.run.table("luck_ends").filter(setting=setting)
        blocks += [_end_table(ends, setting_pairs["title"][0])] if ends.height else []
    return blocks


def asked_with(row: Row) -> str:
    """Return changes and choices in brackets, as marked text; "" where all is as printed.

    >>> asked_with({"changes": ["a.dice=3"], "choices": ["policy_a=bold"]})
    ' (`a.dice=3, policy_a=bold`)'
    """
    texts = [*(row["changes"] or ()), *(row.get("choices") or ())]  # tables of before had no choices
    return f" (`{literal(', '.join(texts))}`)" if texts else ""


def share_interval(low: float, high: float) -> str:
    """Return the interval of a share, of 1, in per cent; "exact" for equal ends.

    >>> share_interval(0.1, 0.2), share_interval(0.1, 0.1)
    ('10.0 to 20.0%', 'exact')
    """
    return "exact" if low == high else f"{show_fixed(100 * low, 1)} to {show_fixed(100 * high, 1)}%"


def _meaning_of_pairs() -> str:
    return (
        "Within a match-up the variance comes from the dice. **When rolled:** how much each roll moves what is to be "
        "expected; these shares add up to 100%. **Alone:** what is settled once all dice of that name are known and no "
        "others; what none settles alone, several settle together. **Swing** is the standard deviation over the mean. "
        "A side leads from a chance of 55%; a winner has come back if it had been down to 25%; a match-up is decided "
        "when the winner stays at 90%, and one-sided if the winner was never below 45%."
    )


def _of_pairs(pairs: pl.DataFrame, sources: pl.DataFrame) -> Sequence[Block]:
    rows = pairs.to_dicts()
    intro = "" if rows[0]["named"] else f"The most even of {literal(rows[0]['title'])}, nobody twice:"
    blocks: list[Block] = [Paragraph(intro)] if intro else []
    blocks.append(Bullets(tuple(_of_pair(row, _of(sources, row)) for row in rows)))
    if sources.height:
        blocks += [_pair_figure(rows, sources), _source_table(rows, sources)]
    return [*blocks, _pair_table(pairs)]


def _of(sources: pl.DataFrame, row: Row) -> list[dict[str, Any]]:
    return sources.filter(one=row["one"], other=row["other"]).to_dicts()


def _pair(row: Row) -> str:
    return f"{row['one_label']} against {row['other_label']}"


def _has_when_rolled(sources: Sequence[Row]) -> bool:
    """Return whether every source has a variance share when rolled, so that those can be compared."""
    return all(source["when_rolled"] is not None for source in sources)


def _variance_share(source: Row, when_rolled: bool) -> tuple[float, float, float]:
    """Return a source's share of the variance and its interval, when rolled or alone."""
    if when_rolled:
        return source["when_rolled"], source["when_rolled"], source["when_rolled"]
    return source["alone"], source["alone_low"], source["alone_high"]


def _of_pair(row: Row, sources: Sequence[Row]) -> str:
    """Return sentences on a pair: its mean, its main source of luck, and how it goes."""
    head = f"**{literal(_pair(row))}**, {literal(row['kind'])}{asked_with(row)}: {_mean(row)}"
    if not row["sd"]:
        return f"{head} Nothing varies: there is no luck in it."
    return f"{head} {_foremost(sources)}{_goes(row)}{_simulation_text(row)}"


def _mean(row: Row) -> str:
    is_score = row["result"] == "score"
    show = show_probability if is_score else show_number
    subject = f"{literal(row['one_label'])} scores" if is_score else f"{literal(row['result'].replace('_', ' '))} is"
    error = "exact" if row["low"] == row["high"] else f"95%: {show(row['low'])} to {show(row['high'])}"
    swing = "not measurable, as the mean is 0" if row["swing"] is None else show_fixed(row["swing"])
    return f"{subject} {show(row['mean'])} ({error}), swing {swing}."


def _foremost(sources: Sequence[Row]) -> str:
    """Return a sentence on the source with the largest share, and those not told apart from it."""
    if not sources:
        return "It hangs on no die."
    when_rolled = _has_when_rolled(sources)
    ranking = sorted(((*_variance_share(row, when_rolled), row["source"]) for row in sources), key=lambda row: -row[0])
    top = ranking[0]
    level = [source for source in ranking if source is top or source[2] >= top[1] - TOLERANCE]
    share = show_probability(max(top[0], 0.0))
    measure = "when rolled" if when_rolled else "alone"
    error = "" if top[1] == top[2] else f" (95%: {share_interval(top[1], top[2])})"
    if len(level) == 1:
        return f"The largest part comes with `{literal(top[3])}`: {share}{error} of the variance {measure}."
    names = list_words([f"`{literal(source[3])}`" for source in level])
    apart = "as much each" if top[1] == top[2] else "which cannot be told apart"
    return f"The largest parts come with {names}, {apart}: {share}{error} of the variance {measure}."


def _goes(row: Row) -> str:
    if row["lead_changes"] is None:
        return ""
    texts = {name: _number(row, name) for name in ("lead_changes", "decided", "length")}
    texts |= {name: _percent(row, name) for name in ("comebacks", "one_sided")}
    return (
        f" The lead changes {texts['lead_changes']} times; {texts['comebacks']} of the winners come back, "
        f"{texts['one_sided']} of the wins are one-sided. It is decided after {texts['decided']} of {texts['length']} "
        f"{literal(row['unit'])}."
    )


def _number(row: Row, name: str) -> str:
    """Return a number of the course of a game, with half of its 95 % interval if simulated."""
    error = row[f"{name}_error"]
    return f"{show_fixed(row[name])} ± {show_fixed(SURE * error)}" if error else show_fixed(row[name])


def _percent(row: Row, name: str) -> str:
    error = row[f"{name}_error"]
    if not error:
        return show_probability(row[name])
    return f"{show_fixed(100 * row[name], 1)}% ± {show_fixed(100 * SURE * error, 1)}"


def _simulation_text(row: Row) -> str:
    if not row["n_games"]:
        return ""
    return f" Simulated in part or whole ({show_many(row['n_games'], 'game')}, seed {row['seed']}): " + literal(
        f"{row['why_simulated']}."
    )


def _pair_figure(rows: Sequence[Row], sources: pl.DataFrame) -> Figure:
    when_rolled = all(_has_when_rolled(_of(sources, row)) for row in rows)
    pair_shares = [
        {source["source"]: _variance_share(source, when_rolled)[0] for source in _of(sources, row)} for row in rows
    ]
    if not when_rolled:
        pair_shares = [shares | {REST: row["together"]} for shares, row in zip(pair_shares, rows, strict=True)]
    names = _largest(pair_shares)
    bars = [_drawn_shares(shares, names) for shares in pair_shares]
    text = "; ".join(
        f"{_pair(row)}: " + ", ".join(f"{name} {show_probability(max(share, 0.0))}" for name, share in shares.items())
        for row, shares in zip(rows, pair_shares, strict=True)
    )
    method = "as they are rolled" if when_rolled else "alone, and what several settle together"
    return Figure(
        plot_shares([_pair(row) for row in rows], names, bars, "share of the variance of the result"),
        f"Which dice decide. {text}.",
        f"{literal(rows[0]['title'][:1].upper() + rows[0]['title'][1:])}: which dice decide, {method}; a is the side "
        "named first. The parts from left to right in the order of the key.",
        "luck_sources",
    )


def _largest(pair_shares: Sequence[dict[str, float]]) -> list[str]:
    """Return the sources to draw, in order, without those of share 0; the smallest of very many are pooled."""
    sources = dict.fromkeys(name for shares in pair_shares for name in shares)
    largest = {name: max(shares.get(name, 0.0) for shares in pair_shares) for name in sources}
    names = [name for name in sources if largest[name] >= LEAST_DRAWN] or list(sources)[:1]
    if len(names) <= MOST_PARTS:
        return names
    kept_names = sorted(names, key=lambda name: -largest[name])[: MOST_PARTS - 1]
    return [*(name for name in names if name in kept_names), "others"]


def _drawn_shares(shares: dict[str, float], names: Sequence[str]) -> list[float]:
    rest = sum(max(share, 0.0) for name, share in shares.items() if name not in names)
    return [max(shares.get(name, rest if name == "others" else 0.0), 0.0) for name in names]


def _source_table(rows: Sequence[Row], sources: pl.DataFrame) -> Block:
    together = [
        {name: row.get(name) for name in sources.columns}
        | {"source": REST, "when_rolled": None}
        | {name: row[f"together{name.removeprefix('alone')}"] for name in ("alone", "alone_low", "alone_high")}
        for row in rows
        if row["sd"]
    ]
    frame = pl.concat([sources, pl.DataFrame(together, schema=sources.schema)]) if together else sources
    order = {(row["one"], row["other"]): at for at, row in enumerate(rows)}
    at = pl.struct("one", "other").map_elements(lambda pair: order[pair["one"], pair["other"]], pl.Int64)
    columns = [
        *([plain("Match-up", lambda row: _pair(row))] if len(rows) > 1 else []),
        plain("Source", "source"),
        number("When rolled", "when_rolled", _positive),
        TableColumn(Column("Alone", "right"), lambda row: _alone(row)),
    ]
    caption = f"Where the luck comes from: {literal(rows[0]['title'])}."
    note = "" if len(rows) > 1 else f"{literal(_pair(rows[0]))}."
    return frame_table(frame.sort(at, maintain_order=True), columns, caption, note, "luck_sources")


def _positive(share: float) -> str:
    return show_probability(max(share, 0.0))


def _alone(row: Row) -> Cell:
    value, low, high = (row[name] for name in ("alone", "alone_low", "alone_high"))
    if low == high:
        return Cell(_positive(value), value)
    return Cell(f"{show_fixed(100 * value, 1)}% ± {show_fixed(50 * (high - low), 1)}", value, low, high)


def _pair_table(pairs: pl.DataFrame) -> Block:
    unit, step = pairs["unit"][0], " or ".join(pairs["largest_of"].drop_nulls().unique(maintain_order=True))
    goes = [
        _course_column("Lead changes", "lead_changes", _number),
        _course_column("Comebacks", "comebacks", _percent),
        _course_column("One-sided", "one_sided", _percent),
        _course_column("Decided", "decided", _number, f"in {literal(unit)}"),
        _course_column("Length", "length", _number, f"in {literal(unit)}"),
        number("Half settled", "half_settled", "{:g}".format, f"by when half of the variance is, in {literal(unit)}"),
        _course_column(
            "Largest", "largest", _percent, f"largest change of the chance that one {step} makes, on average"
        ),
    ]
    columns = [
        plain("Match-up", lambda row: _pair(row)),
        TableColumn(
            Column("Mean", "right", "of the score, or else of what it does"), lambda row: Cell(_value(row), row["mean"])
        ),
        number("Swing", "swing", show_fixed, "standard deviation over the mean"),
        *(goes if not pairs["lead_changes"].is_null().all() else []),
    ]
    caption = f"Swing, and how it goes: {literal(pairs['title'][0])}."
    return frame_table(pairs, columns, caption, source="luck_pairs")


def _end_table(ends: pl.DataFrame, title: str) -> Block:
    def cell(row: Row, name: str) -> Cell:
        if row[name] is None:
            return Cell("–")
        low, high = row[f"{name}_low"], row[f"{name}_high"]
        half = (high - low) / 2
        return Cell(f"{show_fixed(row[name])}{f' ± {show_fixed(half)}' if half else ''}", row[name], low, high)

    columns = [
        plain("Match-up", _pair),
        plain("At the end", lambda row: row["counted"].replace("_", " ")),
        TableColumn(Column("Winner", "right"), lambda row: cell(row, "winner")),
        TableColumn(Column("Loser", "right"), lambda row: cell(row, "loser")),
    ]
    return frame_table(
        ends,
        columns,
        f"At the end, on average: {literal(title)}.",
        "What was wasted has one mean, over all.",
        "luck_ends",
    )


def _course_column(head: str, name: str, show: Callable[[Row, str], str], note: str = "") -> TableColumn:
    """Return a column of a number of the course of a game; a dash where it is not known."""

    def cell(row: Row) -> Cell:
        return Cell("–") if row[name] is None else Cell(show(row, name), row[name])

    return TableColumn(Column(head, "right", note), cell)


def _value(row: Row) -> str:
    show = show_probability if row["result"] == "score" else show_number
    return show(row["mean"])
