"""The last page: method, versions, and where every number comes from; and what a report leaves out."""

from __future__ import annotations

import polars as pl

from balance.answers.blocks.document import Block
from balance.base.numbers import show_count, show_many, show_number, show_probability
from balance.reporting import Bullets, Column, Facts, Paragraph, Section, literal, table
from balance.reporting.sections.claims.assumptions import assumed_callout
from balance.reporting.sections.common.columns import ends, frame_table, number
from balance.reporting.sections.common.inexact import how_duels_were_checked, inexact_callout
from balance.reporting.sections.common.words import Pages
from balance.study.frames.report_tables import frame_name

MOST_CHECKS = 8


def left_out_section(pages: Pages) -> Section | None:
    """Return the section on what the catalogue lacks for the report; None if that is nothing."""
    omissions = pages.run.summary.get("left_out")
    return (
        Section("Left out of this report", "left-out", (Bullets(tuple(map(literal, omissions))),))
        if omissions
        else None
    )


def _certainty(pages: Pages) -> str:
    check_text = how_duels_were_checked(pages)
    if pages.table("fair_costs") is not None:
        return (
            f"**How sure we are.** {check_text} Verdicts on prices are from battles of simulated armies: they hold for "
            "all at once (95 %), in every setting named and for every way of playing that counts. What battles and "
            "duels cannot see is listed below."
        )
    if not pages.has_prices:
        cost = float(pages.run.table("entrants")["cost_points"][0])
        cost_text = f"Every {literal(pages.words.entrant)} costs {pages.points(cost)}"
        return f"**How sure we are.** {check_text} {cost_text}, so no price is judged."
    no_armies = "No price is judged: that takes armies of equal points, and this run played none."
    return f"**How sure we are.** {check_text} {no_armies}"


def facts(pages: Pages) -> tuple[tuple[str, str], ...]:
    """Return (label, value) pairs that fix every number of the report, such as catalogue hash and seed."""
    manifest = pages.run.manifest
    return (
        ("Game", str(manifest["game_title"])),
        ("Rules version", str(manifest["rules_version"])),
        ("Catalogue", str(manifest["catalogue_sha256"])[:16]),
        ("Seed", str(manifest["seed"])),
        ("Made with", f"balance {manifest['balance_version']}"),
    )


def method_section(pages: Pages) -> Section:
    """Return how the numbers were made, what they cannot see, and where the data comes from."""
    blocks: list[Block] = [*(Paragraph(text) for text in _method(pages)), *inexact_callout(pages)]
    if pages.table("prices") is not None:
        blocks.append(Paragraph(_certainty(pages)))
    blocks.append(assumed_callout(pages))
    if (check := pages.table("check")) is not None:
        blocks.append(_least_agreeing(pages, check))
    for kind in _question_kinds(pages):
        blocks.append(Paragraph(f"**{kind.capitalize()}.** {literal(pages.run.play_text(kind))} What it cannot see:"))
        blocks.append(Bullets(tuple(literal(text) for text in pages.run.cannot_see(kind))))
    manifest = pages.run.manifest
    blocks.append(
        Facts(
            (
                *facts(pages),
                ("Catalogue SHA-256", str(manifest["catalogue_sha256"])),
                ("Trials in a block", show_count(int(manifest["block_trials"]))),
            )
        )
    )
    in_force = ", ".join(f"`{literal(name)}` {literal(value)}" for name, value in manifest["rules"].items())
    blocks += [Paragraph(f"**Readings in force:** {in_force}."), *_names(pages), _sources(pages)]
    return Section("Method, versions and sources", "method", tuple(blocks))


def _question_kinds(pages: Pages) -> list[str]:
    """Return the kinds of question that this run asked and that say how they are played, in the game's order."""
    settings, tables = pages.run.settings, {"arms": "attack", "kills": "kill", "duels": "duel"}
    kinds = {kind for name, kind in tables.items() if pages.run.has(name)}
    if not set(pages.run.manifest["study"].get("metrics") or ["cards"]) <= {"armies", "battles", "luck", "neighbours"}:
        kinds.add(str(pages.run.manifest["study"]["level"]))
    kinds |= {
        table.rung for section in settings.sections for table in section.tables if pages.run.has(frame_name(table))
    }
    kinds |= {solution.rung for solution in settings.solutions}
    if (armies := pages.table("army_settings")) is not None:
        kinds |= set(armies["kind"])
    for name in ("play_settings", "luck_fields", "luck_pairs", "neighbour_cards"):
        if (frame := pages.table(name)) is not None:
            kinds |= set(frame["kind"])
    return [kind for kind in pages.run.manifest.get("rungs", {}) if kind in kinds and pages.run.cannot_see(kind)]


def _method(pages: Pages) -> list[str]:
    texts = [
        "**Exact** numbers come from listing every way the dice can fall, and for duels from following every state "
        "that can be reached until less than one part in a million million million is undecided. They carry no "
        "interval. **Simulated** numbers come from playing as the rules say, with every die and every random choice "
        "rolled; they carry a 95 % interval."
    ]
    check = pages.run.summary.get("check")
    if check and check["match_ups"]:
        expected, low = show_number(0.05 * check["tested"], 2), check["below_5_percent"]
        control_text = ", so the check does notice a wrong rule" if check["control_alarms"] else ""
        texts.append(
            f"The two are held against each other: {show_many(check['match_ups'], 'match-up')} drawn at random, "
            f"{show_count(check['trials'])} duels in all, seed {pages.run.manifest['seed']}. Of the "
            f"{show_count(check['tested'])} whose outcome is open enough to test, {show_many(low, 'has', 'have')} a "
            f"p-value below 5 % (about {expected} would be expected by chance). After Holm's correction for testing "
            f"many at once, {show_many(check['alarms'], 'falls', 'fall')} below "
            f"{show_probability(check['level'], 0)}, which is also the chance of any false alarm in this check. As a "
            "control, the same dice were held against the distribution of the duel with the seats changed, which is "
            "wrong wherever going first matters: "
            f"{show_many(check['control_alarms'], 'alarm')}{control_text}."
        )
    return texts


def _least_agreeing(pages: Pages, check: pl.DataFrame) -> Block:
    """Return the table of checked match-ups whose simulation is farthest from the exact distribution."""
    columns = [
        pages.names("First", "a"),
        pages.names("Second", "b"),
        number("Exact", "p_a", show_probability, "chance that the first wins"),
        number("Simulated", "won", show_probability, "share of duels that the first won"),
        ends("95 % interval", "low", "high", show_probability, "of the simulated share, for each row by itself"),
        number("p-value", "p_value", _two_digits, "chance of a difference at least this large"),
        number("Adjusted", "adjusted", _two_digits, "after Holm's correction, all else that a duel reports tested too"),
    ]
    checks = check.sort("p_value", maintain_order=True).head(MOST_CHECKS)
    rows = checks.with_columns(won=pl.col("wins_a") / pl.col("n_trials"))
    trials = show_count(int(check["n_trials"].max() or 0))  # type: ignore[arg-type]  # a column of integers
    match_ups = show_many(rows.height, "simulated match-up that agrees", "simulated match-ups that agree")
    caption = f"The {match_ups} least with the exact distribution, {trials} duels each."
    return frame_table(rows, columns, caption, source="check")


def _two_digits(value: float) -> str:
    return show_number(value, 2)


def _names(pages: Pages) -> list[Block]:
    """Return a table, as a list, of entrants whose name does not tell their parts; [] without any."""
    entrants = pages.run.table("entrants").select("label", "group", "arm_label")
    rows = [
        (label, pages.name(group), "" if arm == label else arm)
        for label, group, arm in entrants.iter_rows()
        if pages.name(group) not in label
    ]
    words = pages.words
    heads = [words.entrant.capitalize(), words.group.capitalize(), words.arm.capitalize()]
    caption = f"Which {words.group} and {words.arm} stand behind each name of a {words.entrant}."
    return [table(heads, rows, caption)] if rows else []


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
