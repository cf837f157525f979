"""One number for how strong each is, and what readings of the rules would change."""

from __future__ import annotations

import polars as pl

from balance.answers.blocks.document import Block
from balance.base.numbers import show_many, show_probability, show_probability_change
from balance.reporting import Bullets, Paragraph, Section, literal
from balance.reporting.sections.common.columns import count, frame_table, number, plain, signed
from balance.reporting.sections.common.words import Pages


def ladder_section(pages: Pages) -> Section | None:
    """Return how well a rating model of one number per entrant fits the duels; None where there were none."""
    if pages.table("ladder") is None:
        return None
    return Section("A ladder of strength", "ladder", (Paragraph(_strength_text(pages)),))


def _strength_text(pages: Pages) -> str:
    rating, words = pages.run.summary["ladder"], pages.words
    return (
        f"Strength is read off the duels: one number for each {literal(words.entrant)}, so that the difference of two "
        "gives their chances, and one for going first (a Bradley-Terry ladder). The ladder explains "
        f"{show_probability(rating['explained'], 0)} of the deviance of the matrix from equal chances. On the scale of "
        f"log-odds, {show_probability(rating['cyclic_share'], 0)} of the matrix goes in circles like rock, paper and "
        "scissors (0% is a pure ladder, 100% nothing but circles), which no single number can show."
    )


def reading_section(pages: Pages) -> Section | None:
    """Return which readings of the rules would change a conclusion; None where there are no others."""
    readings = pages.table("readings")
    if readings is None:
        return None
    matter = readings.filter(pl.col("n_changed") > 0)
    told = matter["meaning"].to_list()
    idle = [meaning for meaning in readings["meaning"].unique(maintain_order=True) if meaning not in told]
    match_ups = show_many(int(readings["n_asked"][0]), "match-up")
    text = (
        "Points that the rulebook leaves open and that could matter here: "
        f"{readings['switch'].n_unique()}, with {show_many(readings.height, 'other reading')}. Each was put in force "
        f"by itself, and {match_ups} against a panel that stands for the field asked again. Of these readings, "
        f"{show_many(matter.height, 'changes', 'change')} some match-up."
    )
    blocks: list[Block] = [Paragraph(text)]
    if matter.height:
        blocks.append(_reading_table(pages, matter))
    if idle:
        blocks.append(Paragraph("As these duels are played, none of those asked again depends on these points:"))
        blocks += [Bullets(tuple(map(literal, idle))), Paragraph("What they are worth in other play cannot be told.")]
    return Section("What the open questions of the rules would change", "readings", tuple(blocks))


def _reading_table(pages: Pages, matter: pl.DataFrame) -> Block:
    columns = [
        plain("Question", "meaning"),
        plain("Read as", "sentence"),
        number("Changed", "share", lambda share: show_probability(share, 0), "share of the match-ups asked again"),
        number(
            "Largest change", "largest_change", show_probability_change,
            f"of a chance to {pages.words.win}, percentage points",
        ),
        signed(pages.words.gain.capitalize(), "largest_damage_change", "largest change per action"),
        count("Places", "largest_rank_change", "largest change of rank"),
    ]  # fmt: skip
    rows = matter.with_columns(share=pl.col("n_changed") / pl.col("n_asked"))
    return frame_table(rows, columns, "Readings that change something, the weightiest first. Exact.", source="readings")
