"""`balance run` and `balance report`: a whole study, and its report."""

from __future__ import annotations

import json
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import options
from balance.cli.exits import BROKEN_LIMIT, one_line, say_errors

if TYPE_CHECKING:
    from balance.analysis.study import Run, Study

__all__ = ["report", "run"]

FORMATS = ("html", "pdf")
ALL_CORES = min(options.MOST_JOBS, os.cpu_count() or 1)
"""How many processes a study uses if nobody says; the results do not depend on it."""


def run(
    study: Annotated[Path, typer.Argument(metavar="STUDY.toml", help="The study.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder of the run; runs/STUDY without it.")
    ] = None,
    jobs: options.Jobs = ALL_CORES,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run a study and say where its results are; status 1 if one of its limits is broken."""
    from balance.analysis.study import load_study

    loaded = load_study(study)
    done = _run(loaded, out or Path("runs") / study.stem, jobs, quiet or as_json)
    if as_json:
        sys.stdout.write(json.dumps(_as_json(done), indent=2, allow_nan=False) + "\n")
    else:
        _show(done)
        _say(f"Wrote {done.folder}")
        _say(f"For its report: balance report {done.folder}")
    _judge(done)


def report(
    subject: Annotated[
        str,
        typer.Argument(metavar="GAME|STUDY|RUN_DIR", help="A game, a study, or a run's folder.", show_default=False),
    ],
    formats: Annotated[str, typer.Option("--format", metavar="FORMATS", help="html, pdf or both.")] = ",".join(FORMATS),
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder to write; reports/NAME without it.")
    ] = None,
    open_it: Annotated[
        bool, typer.Option("--open", help="Open the report when it is done.", show_default=False, metavar="")
    ] = False,
    jobs: options.Jobs = ALL_CORES,
    quiet: options.Quiet = False,
) -> None:
    """Write a report and print the paths of its files."""
    wanted = _formats(formats)
    from balance.report.build import report_run

    done, name = _run_of(subject, out, jobs, quiet)
    written = report_run(done, out or Path("reports") / name, wanted)
    for path in written:
        _say(str(path))
    if open_it and written:
        typer.launch(str(written[0]))
    _judge(done)


def _formats(text: str) -> tuple[str, ...]:
    from balance.errors import Fault, UsageError, nearest

    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",")))
    faults = []
    for name in names:
        if name not in FORMATS:
            close = nearest(name, FORMATS)
            tip = f"did you mean {close}?" if close else ""
            faults.append(Fault("is not a format", "--format", found=name, allowed=", ".join(FORMATS), tip=tip))
    if faults:
        raise UsageError(faults)
    return names


def _run_of(subject: str, out: Path | None, jobs: int, quiet: bool) -> tuple[Run, str]:
    """Return the run of a game, a study or a folder, and the name its report goes by."""
    from balance.analysis.study import load_run, load_study, shipped_study
    from balance.errors import UsageError, nearest
    from balance.games.registry import game_names

    path = Path(subject)
    if subject in game_names():
        return _run(shipped_study(subject), out or Path("reports") / subject, jobs, quiet), subject
    if path.is_dir():
        return load_run(path), path.absolute().name
    if path.suffix == ".toml" or path.is_file():
        return _run(load_study(path), out or Path("reports") / path.stem, jobs, quiet), path.stem
    close = nearest(subject, game_names())
    tip = f"did you mean {close}?" if close else f"games are {', '.join(game_names())}"
    raise UsageError(f"{subject!r} is no game, no study and no folder of a run", tip)


def _run(study: Study, folder: Path, jobs: int, quiet: bool) -> Run:
    from balance.analysis.study import run_study

    _check_writable(folder)
    with _watching(quiet) as progress:
        return run_study(study, folder, n_threads=jobs, progress=progress)


def _check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be made before the long work begins; nothing is made yet."""
    from balance.errors import Fault, OutputError

    there = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        reason = "may not be written to" if there.is_dir() else "is not a folder"
        raise OutputError(Fault(reason, str(there), tip="choose another folder with --out"))


def _watching(quiet: bool) -> AbstractContextManager[Any]:
    from balance.cli.stages import stages

    return nullcontext() if quiet else stages()


def _show(done: Run) -> None:
    """Print the summary of a run, whatever it holds."""
    from balance.cli.terminal import say, table

    facts = {name: value for name, value in done.summary.items() if name != "broken_limits"}
    say(table(["summary", ""], [[name.replace("_", " "), _fact(value)] for name, value in facts.items()]))


def _fact(value: object) -> str:
    from balance.report.numbers import show_number

    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_fact(part)}" for name, part in value.items())
    return show_number(value) if isinstance(value, float) else str(value)


def _as_json(done: Run) -> dict[str, Any]:
    return {
        "schema": 1,
        "verb": "run",
        "folder": str(done.folder),
        "broken_limits": list(done.broken_limits),
        "summary": done.summary,
    }


def _judge(done: Run) -> None:
    """Say which limits are broken, and end with the status for it."""
    if done.broken_limits:
        sys.stdout.flush()
        say_errors(f"limit broken: {limit}" for limit in done.broken_limits)
        raise typer.Exit(BROKEN_LIMIT)


def _say(text: str) -> None:
    sys.stdout.write(one_line(text) + "\n")
