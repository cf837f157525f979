"""What each ability and effect is worth, and which of them the duels cannot show."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.blocks.tables import Cell
from balance.answers.words.lists import list_words
from balance.base.numbers import show_fixed, show_many, show_probability_change, show_unit
from balance.reporting import Column, Paragraph, Section
from balance.reporting.sections.common.columns import TableColumn, count, frame_table, number, signed
from balance.reporting.sections.common.words import Pages


def item_section(pages: Pages) -> Section | None:
    """Return what scores lose without each ability and effect; None where none can legally be taken away."""
    items = pages.table("item_summary")
    if items is None:
        return None
    legal_items = items.filter(pl.col("status") != "not legal")
    if legal_items.height == 0:
        return None
    text = "Each is taken away from every card that has it, and the duels against a panel are asked again, exactly."
    blocks: list[Block] = [Paragraph(text)]
    if hidden := unseen_items(pages):
        blocks.append(Paragraph(_unseen_text(hidden)))
    if (legal_items["status"] == "measured").any():
        blocks.append(_item_table(pages, legal_items, _item_note(pages, items)))
    return Section("What abilities and effects are worth", "abilities", tuple(blocks))


def unseen_items(pages: Pages) -> list[str]:
    """Return the displayed names, marked, of abilities and effects without any effect in the duels."""
    items = pages.table("item_summary")
    if items is None:
        return []
    return [pages.marked_name(name) for name in items.filter(status="not measurable")["item"]]


def _unseen_text(names: list[str]) -> str:
    return (
        f"**Not measurable in a duel:** {list_words(names)}. With and without, every duel asked again comes out the "
        "same in every detail, not only on average; what that is worth in a battle cannot be told from duels."
    )


def _item_note(pages: Pages, items: pl.DataFrame) -> str:
    panel = pages.table("panel")
    note = _panel_note(pages, panel) if panel is not None else ""
    if left_out := int(items["n_not_legal"].sum()):
        cases = show_many(left_out, "case was", "cases were")
        note += f" {cases} left out, because without the ability the {pages.words.entrant} is not legal."
    if (items["n_measured"] + items["n_not_legal"] < items["n_entrants"]).any():
        note += " Not measurable: the same with and without, in every detail, against all of the panel."
    return f"{note.strip()} {_use_note(pages, items)}".strip()


def _use_note(pages: Pages, items: pl.DataFrame) -> str:
    """Return a note on items measured by play that uses them, unlike the duels of all against all."""
    used_items = [pages.name(name) for name in items["item"].to_list() if name in pages.run.settings.uses]
    entrant = pages.words.entrant
    return (
        f"{list_words(used_items)}: here the {entrant} plays for it; in the duels of all it does not."
        if used_items
        else ""
    )


def _item_table(pages: Pages, legal_items: pl.DataFrame, note: str) -> Block:
    gain = pages.words.gain.capitalize()
    columns = [
        pages.names("Ability or effect", "item"),
        count("On", "n_measured", f"{pages.words.entrants} that have it and show it"),
        _or_not_measurable(
            Column("Score", "right", f"gain in mean chance to {pages.words.win}, percentage points"),
            "score_gain", show_probability_change,
        ),
        signed(f"{gain} dealt", "damage_gain", "gain per action, on the target alone"),
        signed(f"{gain} taken", "damage_taken_gain", "change per action against it"),
    ]  # fmt: skip
    rows = legal_items.sort("score_gain", descending=True, maintain_order=True, nulls_last=True)
    return frame_table(rows, columns, "With and without. Exact.", note, "items")


def _panel_note(pages: Pages, panel: pl.DataFrame) -> str:
    names = list_words([pages.marked_name(name) for name in panel["entrant"].to_list()])
    gap = pages.run.summary["ladder"]["panel_gap"]
    return (
        f"Played against a panel that stands for the field: {names}. Scores against it differ from those against the "
        f"whole field by at most {show_unit(show_fixed(100 * gap, 1), 'pp')}."
    )


def _or_not_measurable(column: Column, name: str, show: Callable[[float], str]) -> TableColumn:
    number_column = number(column.name, name, show)
    return TableColumn(
        column, lambda row: Cell("not measurable") if row["status"] == "not measurable" else number_column.cell(row)
    )
