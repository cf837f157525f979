"""What attacks do: sweeps over one field, what an attack achieves for its points, actions to bring a target down."""

from __future__ import annotations

import polars as pl

from balance.analysis.scores.equivalence import TIE
from balance.answers.blocks.document import Block
from balance.answers.blocks.tables import Better
from balance.answers.words.lists import highest, list_words
from balance.base.numbers import show_fixed, show_many, show_probability
from balance.reporting import Column, Figure, Paragraph, Section, literal
from balance.reporting.figures.figures import Point, Series, plot_lines, plot_scatter_front
from balance.reporting.sections.common.columns import TableColumn, frame_table, number, plain
from balance.reporting.sections.common.words import Pages, heat_map
from balance.study.frames.report_settings import Sweep


def sweep_sections(pages: Pages) -> list[Section]:
    """Return one section per sweep that the game's settings ask for."""
    return [section for sweep in pages.run.settings.sweeps if (section := _sweep(pages, sweep)) is not None]


def _sweep(pages: Pages, sweep: Sweep) -> Section | None:
    frame = pages.table(f"sweep_{sweep.id}")
    if frame is None or (arms := pages.table("arms")) is None:
        return None
    gain = pages.run.settings.gain
    if gain not in frame.columns:
        return None
    labels = dict(arms.select("attacker", "arm_label").iter_rows())
    wide = frame.pivot("value", index="attacker", values=gain)
    rows = [[float(value) for value in row[1:]] for row in wide.iter_rows()]
    by_first = sorted(range(len(rows)), key=lambda i: -rows[i][0])
    names = [labels.get(name, pages.name(name)) for name in wide["attacker"].to_list()]
    map_ = heat_map(
        [names[i] for i in by_first],
        wide.columns[1:],
        [rows[i] for i in by_first],
        [[show_fixed(value) for value in rows[i]] for i in by_first],
        f"Expected {literal(pages.words.gain)} of one action, by {literal(sweep.value_title)}. Exact.",
        titles=(pages.words.arm, sweep.value_title),
        legend=("0", show_fixed(max(map(max, rows)) / 2, 1), show_fixed(max(map(max, rows)), 1)),
        note=literal(sweep.note),
        source=f"sweep_{sweep.id}",
    )
    steady = [names[i] for i in by_first if rows[i][0] > 0 and rows[i][-1] >= 0.999 * rows[i][0]]
    losses = {names[i]: 1 - rows[i][-1] / rows[i][0] for i in by_first if rows[i][0] > 0 and names[i] not in steady}
    sentences = []
    if max(losses.values(), default=0.0) > 0:
        worst = highest(losses, losses.__getitem__, lambda loss: show_probability(loss, 0))
        lose = worst.clause(lambda name: f"**{literal(name)}**", "loses", "lose")
        of = f"{worst.text} of {'its' if len(worst.rows) == 1 else 'their'} {literal(pages.words.gain)}"
        sentences.append(f"From the first column to the last, {lose} the most: {of}.")
    if steady and len(steady) < len(names):
        lose = "loses" if len(steady) == 1 else "lose"
        sentences.append(f"{list_words([literal(name) for name in steady])} {lose} nothing.")
    text = (Paragraph(" ".join(sentences)),) if sentences else ()
    return Section(sweep.title, f"sweep-{sweep.id}", (*text, map_))


def points_section(pages: Pages) -> Section | None:
    """Return what each arm does for what it costs, with the front of those that nothing beats."""
    arms = pages.table("arms")
    if arms is None or not pages.has_prices:
        return None
    blocks = (Paragraph(_front_text(pages, arms)), _front_figure(pages, arms), _points_table(pages, arms))
    return Section(f"{pages.words.gain.capitalize()} for its {pages.words.points}", "points", blocks)


def _front_text(pages: Pages, arms: pl.DataFrame) -> str:
    words, front_arms = pages.words, arms.filter("on_front").sort("arm_cost", maintain_order=True)
    best = [literal(name) for name in front_arms["arm_label"].to_list()]
    n_beaten = arms.height - len(best)
    front = f"On the front {'is' if len(best) == 1 else 'are'} {list_words(best)}: nothing else does more for less."
    beaten_arms = literal(show_many(n_beaten, words.arm, words.arms))
    are = "is" if n_beaten == 1 else "are"
    rest = f" The other {beaten_arms} {are} beaten by one that costs no more and does at least as much."
    return front + rest if n_beaten else front


def _front_figure(pages: Pages, arms: pl.DataFrame) -> Figure:
    words, gain = pages.words, pages.words.gain
    points = [
        Point(label, cost, gain) for label, cost, gain in arms.select("arm_label", "arm_cost", "gain").iter_rows()
    ]
    return Figure(
        plot_scatter_front(
            points, arms["on_front"].to_list(), f"cost, {words.points}", f"expected {gain} of one action"
        ),
        f"{gain.capitalize()} against cost of {arms.height} {words.arms}; the front joins those that nothing beats.",
        f"Expected {literal(gain)} of one action against what the {words.arm} costs, on average over all targets. "
        "Exact.",
        "arms",
    )


def _points_table(pages: Pages, arms: pl.DataFrame) -> Block:
    gain = pages.words.gain
    columns = [
        plain(pages.words.arm.capitalize(), "arm_label"),
        number("Cost", "arm_cost", note=pages.words.points),
        number(gain.capitalize(), "gain", show_fixed, "expected, of one action, mean over all targets"),
        number("Per 10 points", "gain_per_ten", show_fixed, f"expected {gain} for ten points of cost"),
        TableColumn(
            Column("Front", "center", "yes: nothing does more for less"), lambda row: "yes" if row["on_front"] else ""
        ),
    ]  # fmt: skip
    rows = arms.with_columns(gain_per_ten=10 * pl.col("gain_per_point"))
    rows = rows.sort("gain_per_point", descending=True, nulls_last=True, maintain_order=True)
    note = (
        "Some carriers do more than others with the same weapon; the mean is shown."
        if not arms["shared"].all()
        else "Only the weapon counts here: whoever carries it does the same."
    )
    return frame_table(rows, columns, f"{gain.capitalize()} and cost. Exact.", note, "arms")


def kill_section(pages: Pages) -> Section | None:
    """Return how many actions it takes to bring each target down, what is wasted, and a few curves."""
    kills = pages.table("kills")
    if kills is None:
        return None
    blocks: list[Block] = [Paragraph(text)] if (text := _kill_text(pages, kills)) else []
    blocks.append(
        _kill_map(pages, kills, "mean_actions", "Mean number of actions until the target falls. Exact.", "less")
    )
    blocks.append(
        _kill_map(pages, kills, "p_within_2", "Chance in percent that two actions are enough. Exact.", "more", 100)
    )
    blocks.append(_kill_map(pages, kills, "mean_overkill", "Damage wasted on the last hit, on average. Exact.", "less"))
    blocks += _curves(pages)
    return Section("Actions to bring a target down", "actions", tuple(blocks))


def _kill_text(pages: Pages, kills: pl.DataFrame) -> str:
    able = kills.drop_nulls("mean_actions")
    by_target = able.group_by("target", maintain_order=True).agg(pl.col("mean_actions").mean())
    by_target = by_target.sort("mean_actions", maintain_order=True)
    sentences = []
    if by_target.height > 1 and by_target["mean_actions"].item(-1) - by_target["mean_actions"].item(0) > TIE:
        soft, hard = by_target.row(0), by_target.row(-1)
        able_to = " that can hurt it" * (able.height < kills.height)
        sentences.append(
            f"Averaged over all {literal(pages.words.arms)}{able_to}, **{pages.marked_name(hard[0])}** takes "
            f"{show_fixed(hard[1], 1)} actions to bring down and **{pages.marked_name(soft[0])}** "
            f"{show_fixed(soft[1], 1)}."
        )
    if able.height < kills.height:
        sentences.append("A dash marks an attacker that cannot hurt the target at all.")
    return " ".join([*sentences, literal(pages.run.play_text("kill"))]).strip()


def _kill_map(pages: Pages, kills: pl.DataFrame, column: str, caption: str, better: Better, percent: int = 0) -> Block:
    arms = pages.table("arms")
    labels = dict(arms.select("attacker", "arm_label").iter_rows()) if arms is not None else {}
    wide = kills.pivot("target", index="attacker", values=column)
    values = [[None if value is None else float(value) for value in row[1:]] for row in wide.iter_rows()]
    order = sorted(range(len(values)), key=lambda i: sum(value or 0.0 for value in values[i]))
    top = max((value for row in values for value in row if value is not None), default=1.0) or 1.0
    return heat_map(
        [labels.get(wide["attacker"][i], pages.name(wide["attacker"][i])) for i in order],
        [pages.name(name) for name in wide.columns[1:]],
        [values[i] for i in order],
        [[_in_cell(value, percent) for value in values[i]] for i in order],
        caption,
        titles=(pages.words.arm, "target"),
        legend=tuple(_in_cell(share * top, percent) for share in (0.0, 0.5, 1.0)),
        better=better,
        source="kills",
    )


def _in_cell(value: float | None, percent: int) -> str:
    if value is None:
        return "–"
    return show_fixed(percent * value, 0) if percent else show_fixed(value, 1)


def _curves(pages: Pages) -> list[Block]:
    survival, arms = pages.table("survival"), pages.table("arms")
    if survival is None or arms is None:
        return []
    labels = dict(arms.select("attacker", "arm_label").iter_rows())
    blocks: list[Block] = []
    for target in survival["target"].unique(maintain_order=True).to_list():
        rows = survival.filter(pl.col("target") == target)
        series = [
            Series(
                labels.get(str(name), pages.name(str(name))),
                tuple(part["actions"].to_list()),
                tuple(part["p_stands"].to_list()),
            )
            for (name,), part in rows.group_by("attacker", maintain_order=True)
        ]
        blocks.append(
            Figure(
                plot_lines(series, "actions", "chance that it still stands", steps=True, percent=True),
                f"Chance that {pages.name(target)} still stands after 0, 1, 2... actions, for {len(series)} attackers.",
                f"How long **{pages.marked_name(target)}** lasts. Exact.",
                "survival",
            )
        )
    return blocks
