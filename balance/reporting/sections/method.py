"""How numbers were made, and where every value comes from; and what a report leaves out."""

from __future__ import annotations

import polars as pl

from balance.answers.blocks.document import Block
from balance.answers.words.lists import list_words
from balance.base.numbers import show_count, show_many, show_probability
from balance.game.registry import GAMES
from balance.reporting import Bullets, Column, Paragraph, Section, literal, table
from balance.reporting.sections.claims.assumptions import assumed_callout
from balance.reporting.sections.common.inexact import inexact_callout
from balance.reporting.sections.common.words import Pages
from balance.study.frames.report_tables import frame_name


def left_out_section(pages: Pages) -> Section | None:
    """Return the section on what the catalogue lacks for the report; None if that is nothing."""
    omissions = pages.run.summary.get("left_out")
    return (
        Section("Left out of this report", "left-out", (Bullets(tuple(map(literal, omissions))),))
        if omissions
        else None
    )


def facts(pages: Pages) -> tuple[tuple[str, str], ...]:
    """Return (label, value) pairs that fix every number of the report, such as catalogue hash and seed."""
    manifest = pages.run.manifest
    return (
        ("Game", str(manifest["game_title"])),
        ("Rules version", str(manifest["rules_version"])),
        ("Catalogue SHA-256", str(manifest["catalogue_sha256"])),
        ("Seed", str(manifest["seed"])),
        ("Trials in a block", show_count(int(manifest["block_trials"]))),
        ("Made with", f"balance {manifest['balance_version']}"),
    )


def method_section(pages: Pages) -> Section:
    """Return how the numbers were made, what they cannot see, and where the data comes from."""
    blocks: list[Block] = [Paragraph(_method(pages)), *inexact_callout(pages), assumed_callout(pages)]
    for kind in _question_kinds(pages):
        blocks.append(Paragraph(f"**{kind.capitalize()}.** {literal(pages.run.play_text(kind))} What it cannot see:"))
        blocks.append(Bullets(tuple(literal(text) for text in pages.run.cannot_see(kind))))
    in_force = ", ".join(f"`{literal(name)}` {literal(value)}" for name, value in pages.run.manifest["rules"].items())
    blocks += [Paragraph(f"**Readings in force:** {in_force}."), *_again(pages), _sources(pages)]
    return Section("Method and sources", "method", tuple(blocks))


def _question_kinds(pages: Pages) -> list[str]:
    """Return the kinds of question whose answers are shown and that say how they are played, in the game's order."""
    settings = pages.run.settings
    kinds = {"duel"} if pages.table("prices") is not None else set[str]()
    shown = [table for section in settings.sections if section.shown for table in section.tables]
    kinds |= {table.rung for table in shown if pages.run.has(frame_name(table))}
    kinds |= {solution.rung for solution in settings.solutions} | {scaling.rung for scaling in settings.scaling}
    if pages.table("tasks") is not None:
        kinds.add(str(pages.run.manifest["study"]["level"]))
    for name in ("army_settings", "play_settings", "luck_fields", "neighbour_cards"):
        if (frame := pages.table(name)) is not None:
            kinds |= set(frame["kind"])
    return [kind for kind in pages.run.manifest.get("rungs", {}) if kind in kinds and pages.run.cannot_see(kind)]


def _again(pages: Pages) -> list[Block]:
    """Return the commands that answer the same questions again, as a list; [] of a game that another may not have."""
    game = str(pages.run.manifest["game"])
    if game not in GAMES:
        return []
    commands = [f"`balance price {game}`"] if pages.table("fair_costs") is not None else []
    commands += [f"`balance {kind} {game} A B`" for kind in _question_kinds(pages)]
    return [Paragraph(f"**To ask again:** {list_words(commands)}.")] if commands else []


def _method(pages: Pages) -> str:
    """Return how exact and simulated numbers differ, and how they were held against each other, as marked text."""
    text = (
        "**Exact** numbers list every way the dice can fall and carry no interval; **simulated** ones come from "
        "playing and carry a 95 % interval (`docs/explanation/trust.md`)."
    )
    check = pages.run.summary.get("check")
    if not (check and check["match_ups"]):
        return text
    return (
        f"{text} {show_many(check['match_ups'], 'duel')} drawn at random "
        f"{'was' if check['match_ups'] == 1 else 'were'} also rolled die by die, {show_count(check['trials'])} times "
        f"in all: {show_count(check['alarms'])} of the {show_count(check['tested'])} open enough to test disagree "
        f"({show_probability(check['level'], 0)}, Holm); of the same with the seats changed, as a control, "
        f"{show_count(check['control_alarms'])}."
    )


def _sources(pages: Pages) -> Block:
    sources = pages.run.table("provenance")
    counts = sources.group_by("table", "status", maintain_order=True).len()
    rows = []
    for name in counts["table"].unique(maintain_order=True).to_list():
        by_status = dict(counts.filter(pl.col("table") == name).select("status", "len").iter_rows())
        rows.append((name, *(str(by_status.get(word, 0)) for word in ("stated", "inferred", "assumed", "unknown"))))
    return table(
        ["Table", *(Column(name, "right") for name in ("Stated", "Inferred", "Assumed", "No source"))],
        rows,
        "Where the values come from, by SOURCES: printed in the rulebook, inferred from it, assumed, or not told.",
        source="provenance",
    )
