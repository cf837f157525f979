"""`balance compare`: what a patch, or another catalogue, does to the match-ups of a study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import completing, options
from balance.cli.exits import say_json, say_line
from balance.cli.playing import Cache, Executor, NoCache, Scheduler, judge, working
from balance.cli.studies import formats_of, study_of
from balance.numbers import one_line, show_many, show_probability, show_probability_change
from balance.render.screens import screen_of
from balance.render.terminal import line, say, table
from balance.verbs.means import ALL_CORES, Means, shared_answers

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.protocol.loaded import LoadedGame
    from balance.study import Study
    from balance.study.compare import Comparison
    from balance.study.patch import PatchLimits

__all__ = ["compare"]

Subject = Annotated[str, options.argument("STUDY.toml|GAME", "Whose match-ups: a study, or a game.", completing.games)]
Base = Annotated[
    Path | None, typer.Option("--base", metavar="DIR", help="The catalogue before; the study's own without it.")
]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Folder to write; reports/compare_PATCH without it.")
]


def compare(
    subject: Subject,
    patch: Annotated[
        Path,
        options.option("--patch", metavar="PATCH.toml|DIR", told="What changes: a patch, or another catalogue."),
    ],
    base: Base = None,
    out: Out = None,
    formats: Annotated[str, typer.Option("--format", metavar="FORMATS", help="html, pdf or both.")] = "html,pdf",
    jobs: options.Jobs = ALL_CORES,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    more: options.More = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say what a change does to every match-up, before and after on the same dice; status 1 if a limit is broken."""
    from balance.engine.store import locked
    from balance.report.comparison import comparison_json, write_comparison

    wanted = formats_of(formats)
    study = study_of(subject, "no game and no study")
    before, after, title, limits = _sides(study, base, patch)
    folder = out or Path("reports") / f"compare_{patch.stem}"
    means = Means(jobs, executor, scheduler, cache, no_cache)
    with working(folder, means, quiet or as_json) as engine, locked(folder):
        from balance.study.compare import compare_catalogues
        from balance.study.compared_prices import army_prices

        pricing = army_prices(study, (before, after), engine, shared_answers(means))
        found = compare_catalogues(
            study, before, after, title=title, limits=limits, engine=engine, folder=folder, pricing=pricing
        )
        written = write_comparison(found, folder, wanted)
    if as_json:
        say_json(comparison_json(found))
    else:
        _show(found, written, more)
    judge(found.broken_limits)


def _sides(study: Study, base: Path | None, patch: Path) -> tuple[LoadedGame, LoadedGame, str, PatchLimits | None]:
    """Return the game before and after, what the change is called, and what it must not do."""
    from balance.protocol.loaded import load
    from balance.protocol.registry import find_game, shipped_folder
    from balance.study.patch import load_patch

    before = study.open() if base is None else load(study.settings.game, base)
    if patch.is_dir():
        title = one_line(f"{before.catalogue.path.name} and {patch.name}")
        return before, load(study.settings.game, patch), title, None
    shipped = shipped_folder(find_game(study.settings.game)) / patch.name
    read = load_patch(shipped if not patch.exists() and patch.parent == Path() and shipped.is_file() else patch)
    return before, read.apply(before), read.title, read.settings.limits


MOST = 24, 12, 6
"""Rows of values, of entrants that contain a changed one, and of others; of match-ups as many as of the last."""
LONGEST_WHOLE = 30
"""Letters of an id that is not broken over lines."""


def _show(found: Comparison, written: Sequence[Path] = (), more: bool = True) -> None:
    """Print whom the change affects, then the match-ups that it can touch and the files that were written."""
    from balance.report.affected import lead, turned_around

    parts = [*_affected(found), *(line(text) for text in turned_around(found, str)), *_match_ups(found)]
    files = [str(path) for path in written]
    say(*screen_of(lead(found, str), parts, f"{found.before.game.title}: {found.title}", more, files))
    for path in files:
        say_line(path)


def _affected(found: Comparison) -> Iterator[RenderableType]:
    """Yield a table of each kind of what is affected."""
    from balance.report.affected import affected_tables

    for shown in affected_tables(found, str, MOST, brief=True):
        heads = [column.name.lower() for column in shown.columns]
        right = [head for head, column in zip(heads, shown.columns, strict=True) if column.align == "right"]
        cells = [[cell.text for cell in row] for row in shown.rows]
        ids = heads[:1] if max((len(row[0]) for row in cells), default=0) <= LONGEST_WHOLE else []
        yield table(heads, cells, right, ids)
        if shown.note:
            yield line(shown.note.replace("`", ""), "dim", after=1)


def _match_ups(found: Comparison) -> Iterator[RenderableType]:
    """Yield the match-ups that change most."""
    numbers = found.summary
    moved = found.changes.filter(found.changes["effect"].is_in(["changed", "small"]))
    top = moved.sort(moved["difference"].abs(), descending=True, maintain_order=True).head(MOST[-1])
    if numbers["n_touched"]:
        effects = ", ".join(f"{n:,} {word}" for word, n in numbers["effects_touched"].items())
        yield line(f"{show_many(numbers['n_touched'], 'match-up')} can be touched: {effects}", after=1)
    rows = [
        (a, b, show_probability(old), show_probability(new), show_probability_change(by, unit=""))
        for a, b, old, new, by in top.select("a", "b", "before", "after", "difference").iter_rows()
    ]
    if rows:
        yield table(["a", "b", "before", "after", "change, % points"], rows, ("before", "after", "change, % points"))
    if numbers["n_not_touched"]:
        rest = show_many(numbers["n_not_touched"], "match-up stays as it was", "match-ups stay as they were")
        yield line(f"{rest}: counted in mean scores, and nowhere else", "dim")
