"""From a finished run to its report: the order of the sections, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from balance.answers.blocks.document import Attachment
from balance.reporting import Document, Figure, Section, write_report
from balance.reporting.sections.claims.solutions import solution_sections
from balance.reporting.sections.common.report_tables import report_sections
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.even_field import even_field_section
from balance.reporting.sections.costs.stability import holding_section
from balance.reporting.sections.costs.worth import worth_section
from balance.reporting.sections.downloads import download_section
from balance.reporting.sections.fights.duels import duel_section
from balance.reporting.sections.fights.match_ups import match_up_section
from balance.reporting.sections.fights.scaling import scaling_sections
from balance.reporting.sections.method import facts, left_out_section, method_section
from balance.reporting.sections.summary import summary_section
from balance.study.run.folder import TABLES, Run

LIVE_PAGE, LIVE_TEXT = "live.html", "Every unit and every rule can be changed in a page that answers at once, exactly:"


def build_document(run: Run, tables_beside: bool = False, live: str = "") -> Document:
    """Return the report of a run; sections whose tables the run lacks are left out.

    `tables_beside` is whether the report will be in the folder of the run, so that it can link to its tables; `live`
    the page of the game, where one is to lie beside it.
    """
    pages = Pages(run)
    sections = [
        summary_section(pages),
        Section("Try a change", "try", (Attachment(LIVE_PAGE, live.encode(), LIVE_TEXT),)) if live else None,
        left_out_section(pages),
        worth_section(pages),
        holding_section(pages),
        even_field_section(pages),
        *scaling_sections(pages),
        duel_section(pages),
        match_up_section(pages),
        *report_sections(pages),
        *solution_sections(pages),
        method_section(pages),
        download_section(pages),
    ]
    return Document(
        title=str(run.manifest["title"]),
        subtitle=f"A balance report on {run.manifest['game_title']}",
        blocks=chart_first([section for section in sections if section is not None]),
        facts=facts(pages),
        files=tuple(f"{TABLES}/{name}.parquet" for name in run.manifest["tables"]) if tables_beside else (),
    )


def chart_first(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return the sections with a chart in the first: if it has none, the next one below moves up to it.

    >>> from balance.reporting import Paragraph, Picture
    >>> chart = Figure(Picture("<svg/>"), "One bar.", "A chart")
    >>> summary, more = Section("In one page", "a", (Paragraph("Yes."),)), Section("More", "b", (chart,))
    >>> [[type(block).__name__ for block in section.blocks] for section in chart_first([summary, more])]
    [['Paragraph', 'Figure'], []]
    """
    charts = [(place, block) for place, section in enumerate(sections) for block in section.blocks
              if isinstance(block, Figure)]  # fmt: skip
    if not charts or charts[0][0] == 0:
        return tuple(sections)
    place, chart = charts[0]
    blocks = sections[0].blocks
    first = replace(sections[0], blocks=(*blocks[:1], chart, *blocks[1:]))
    without = replace(sections[place], blocks=tuple(block for block in sections[place].blocks if block is not chart))
    return (first, *sections[1:place], without, *sections[place + 1 :])


def report_run(
    run: Run, folder: Path | str, formats: Sequence[str] = ("html", "pdf"), live: str = ""
) -> tuple[Path, ...]:
    """Write the report of a run into a folder, made if need be; `formats` are `html` and `pdf`.

    Return the file of each format; beside them lie the tables to download, and the page of the game if `live` is one.

    In the folder of the run the page links to its tables. Raises `OutputError` if the folder cannot be written, and
    `StudyError` if a table of the run is missing or was changed.
    """
    place = Path(folder)
    files = write_report(build_document(run, place.resolve() == run.folder.resolve(), live), place, formats)
    return files[: len(set(formats))]
