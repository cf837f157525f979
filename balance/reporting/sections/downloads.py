"""Tables to download: what nobody acts on, a line each with a link to its numbers as CSV, instead of a page of them."""

from __future__ import annotations

from collections.abc import Iterator

import polars.selectors as cs

from balance.answers.blocks.document import Attachment
from balance.answers.blocks.text import plain
from balance.reporting import Section, literal
from balance.reporting.sections.common.words import Pages
from balance.study.frames.report_tables import frame_name
from balance.study.frames.robustness import part_name
from balance.study.frames.solutions import table_name
from balance.study.run.export import table_bytes
from balance.study.run.folder import TABLES

DIGITS = 6
"""Significant digits of a number in a CSV; the table of the run has all."""
LINES = {
    "prices": "what every {entrant} scores against all",
    "matrix": "every match-up: the chance that the row {wins} against the column",
    "groups": "the same by {group}",
    "first_mover": "what going first is worth in every match-up",
    "endings": "how the duels of every {entrant} end",
    "tasks": "every match-up of the study",
    "even_field": "every {entrant} now, and with all changes in force",
    "fair_costs": "fair costs of every {entrant} where armies of equal points meet, by setting",
    "fair_card_costs": "the same for every card",
    "army_scores": "what every {entrant} scores at equal points, before and after repricing",
    "army_checks": "fair costs held against battles at other budgets, on other dice",
    "army_play": "the ways of playing that verdicts are held against",
    "unfair_pairs": "the pairs farthest from even once everything is repriced",
    "stable_costs": "fair costs of every {entrant} in battles on a board, over all settings",
    "stable_card_costs": "the same for every card, with the settings that disagree",
    "stable_settings": "how well the settings of those battles agree",
    "battle_calibration": "chances foretold for battles on a board, and what came of them",
    "play_ladder": "ways of playing, the best first",
    "play_matrix": "how ways of playing score against each other",
    "arms": "what every {arm} does for its {points}",
    "attacks": "one attack of each on each",
    "kills": "actions that bring a target down",
    "survival": "the chance that a target still stands, action by action",
    "dominance": "who loses alone, one against one, to something that costs no more",
    "dominated_cards": "cards that lose so with every holder, or that another replaces",
    "twins": "cards that no duel tells apart",
    "items": "what every ability and effect is worth to each that has it",
    "item_summary": "the same on average",
    "readings": "what other readings of the rules would change",
    "luck_shares": "what decides a result before the first die, and what is chance",
    "luck_pairs": "how chosen match-ups go: swing, lead changes, comebacks",
    "luck_sources": "which dice their luck comes from",
    "luck_ends": "what stands at their end",
    "neighbours": "what one step of a card does",
    "neighbour_pairs": "what two abilities do together",
    "scaling_sizes": "chances of all groups of each size, by case",
    "scaling_groups": "the chance of every group",
    "check": "duels rolled die by die beside their exact distributions",
    "entrants": "who is in this report, with their cards and costs",
    "provenance": "where every value comes from",
}
"""Table of a run -> what it holds, with the words of the game in braces."""
OF_ROBUSTNESS = {
    "values": "what each assumed value moves",
    "moves": "the moves that flip it",
    "region": "where it holds",
}


def download_section(pages: Pages) -> Section | None:
    """Return a link for each table of the run that says something by itself; None where there is none."""
    blocks = tuple(_attachment(pages, name, line) for name, line in _lines(pages) if pages.table(name) is not None)
    return Section("Tables to download", "downloads", blocks) if blocks else None


def _attachment(pages: Pages, name: str, line: str) -> Attachment:
    frame = pages.run.table(name).with_columns(cs.float().round_sig_figs(DIGITS))
    text = literal(f"{line[:1].upper()}{line[1:].rstrip('.')}:")
    return Attachment(f"{TABLES}/{name}.csv", table_bytes(name, frame, "csv"), text)


def _lines(pages: Pages) -> Iterator[tuple[str, str]]:
    """Yield the name of each table that may be there, and what it holds, plain."""
    settings, words = pages.run.settings, pages.words
    for section in settings.sections:
        yield from ((frame_name(part), plain(part.caption).partition(". ")[0]) for part in section.tables)
    for sweep in settings.sweeps:
        yield f"sweep_{sweep.id}", sweep.title
    for solution in settings.solutions:
        yield from _of_solution(pages, solution.id, solution.title)
    for conclusion in settings.robustness:
        for part, line in OF_ROBUSTNESS.items():
            yield part_name(conclusion.id, part), f"{conclusion.title}: {line}"
    names = {name: getattr(words, name) for name in ("entrant", "group", "arm", "points", "wins")}
    yield from ((name, line.format(**names)) for name, line in LINES.items())


def _of_solution(pages: Pages, solution_id: str, heading: str) -> Iterator[tuple[str, str]]:
    titles = pages.table("solution_tables")
    if titles is not None:
        rows = titles.filter(id=solution_id).select("name", "title").iter_rows()
        yield from ((table_name(solution_id, name), f"{heading}: {title.partition('. ')[0]}") for name, title in rows)
