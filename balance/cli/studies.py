"""`balance run` and `balance report`: a whole study, and its report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import completing, options
from balance.cli.exits import say_json, say_line, say_notes
from balance.cli.playing import Cache, Executor, NoCache, Scheduler, judge, working
from balance.errors import Fault, StudyError, UsageError, unknown
from balance.numbers import show_count, show_many, show_number, show_probability
from balance.render.screens import screen_of
from balance.render.terminal import say, table
from balance.verbs.means import ALL_CORES, Means

if TYPE_CHECKING:
    from balance.study import Run, Study

__all__ = ["formats_of", "report", "run", "study_of"]

FORMATS = ("html", "pdf")
REPORTS = Path("reports")
"""Where reports go by themselves, each into a folder of its own, with a page over all of them."""
Subject = Annotated[
    str, options.argument("GAME|STUDY|RUN_DIR", "A game, a study, or a run's folder.", completing.games)
]


def run(
    study: Annotated[Path, options.argument("STUDY.toml", "The study.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder of the run; runs/STUDY without it.")
    ] = None,
    jobs: options.Jobs = ALL_CORES,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    dry_run: Annotated[bool, options.flag("--dry-run", told="Only say what it would cost.")] = False,
    more: options.More = False,
    game: Annotated[
        str | None,
        options.option("--game", metavar="GAME", told="Whose code a dry run may run: a game in a folder beside you."),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run a study and say where its results are; status 1 if one of its limits is broken."""
    from balance.study import load_study

    _no_game(study)
    if dry_run:
        _forecast(study, jobs, game, as_json)
        return
    loaded = load_study(study)
    folder = out or Path("runs") / study.stem
    done = _run(loaded, folder, Means(jobs, executor, scheduler, cache, no_cache), quiet or as_json)
    if as_json:
        say_json(_as_json(done))
    else:
        _show(done, more)
        say_line(f"Wrote {done.folder}")
        say_line(f"For its report: balance report {done.folder}")
    judge(done.broken_limits)


def _forecast(study: Path, jobs: int, game: str | None, as_json: bool) -> None:
    """Say what a study would cost; where the game beside it was not named, that its code would have to run."""
    from balance.cli.planning import game_beside, show_forecast, show_no_forecast
    from balance.study import load_study

    beside = game_beside(study)
    if beside is None or beside == game:
        show_forecast(load_study(study), jobs, as_json)
    else:
        show_no_forecast(study, beside, as_json)


def report(
    subject: Subject,
    formats: Annotated[str, typer.Option("--format", metavar="FORMATS", help="html, pdf or both.")] = ",".join(FORMATS),
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Folder to write; without it reports/NAME, listed in reports/index.html."
        ),
    ] = None,
    open_it: Annotated[bool, options.flag("--open", told="Open the report when it is done.")] = False,
    jobs: options.Jobs = ALL_CORES,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    quiet: options.Quiet = False,
) -> None:
    """Write a report and print the paths of its files."""
    wanted = formats_of(formats)
    from balance.protocol.registry import game_names
    from balance.report.build import report_run
    from balance.report.overview import write_overview
    from balance.study import load_run

    path, means = Path(subject), Means(jobs, executor, scheduler, cache, no_cache)
    if path.is_dir() and subject not in game_names():
        done = load_run(path)
        with _trusting(done):
            written = report_run(done, out or REPORTS / path.absolute().name, wanted)
    else:
        folder = out or REPORTS / path.stem
        done, written = _reported(subject, folder, wanted, means, quiet)
    if out is None and "html" in wanted:
        write_overview(REPORTS)
    for path in written:
        say_line(path)
    if open_it and written:
        typer.launch(str(written[0]))
    judge(done.broken_limits)


def _reported(
    subject: str, folder: Path, formats: tuple[str, ...], means: Means, quiet: bool
) -> tuple[Run, tuple[Path, ...]]:
    """Run a study and write its report; answers are kept until both are there, so that no kill loses one."""
    from balance.engine.answers import AnswerStore
    from balance.report.build import report_run

    study = study_of(subject, "no game, no study and no folder of a run")
    done = _run(study, folder, means, quiet, keep_answers=True)
    written = report_run(done, folder, formats)
    AnswerStore(folder).clear()
    return done, written


@contextmanager
def _trusting(done: Run) -> Iterator[None]:
    """Tell that tables of a folder that may be anybody's do not fit; of a run just made that would be our bug."""
    from polars.exceptions import PolarsError

    try:
        yield
    except (PolarsError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:120]
        message = f"its tables do not hold what this version reports ({reason})"
        raise StudyError(Fault(message, str(done.folder), tip="run the study again")) from error


def _no_game(study: Path) -> None:
    """Tell who gives a game where a study is to be given what to do."""
    from balance.protocol.registry import game_names

    if str(study) in game_names() and not study.exists():
        tip = f"its report: balance report {study}; a study of your own to start from: balance init {study}"
        raise UsageError(f"{str(study)!r} is a game, and a run takes the file of a study", tip)


def formats_of(text: str) -> tuple[str, ...]:
    """Return the formats of a report that a text names."""
    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",")))
    if strange := [name for name in names if name not in FORMATS]:
        raise UsageError([unknown(name, FORMATS, "is not a format", "--format") for name in strange])
    return names


def study_of(subject: str, otherwise: str) -> Study:
    """Return the shipped study of a game, or the one in a file."""
    from balance.protocol.registry import game_meant, game_names
    from balance.study import load_study, shipped_study

    if subject in game_names():
        return shipped_study(subject)
    if Path(subject).suffix == ".toml" or Path(subject).is_file():
        return load_study(Path(subject))
    raise UsageError(f"{subject!r} is {otherwise}", game_meant(subject))


def _run(study: Study, folder: Path, means: Means, quiet: bool, keep_answers: bool = False) -> Run:
    from balance.study import run_study

    with working(folder, means, quiet) as engine:
        return run_study(study, folder, engine, lambda note: say_notes([note]), keep_answers)


FOR_THE_FEW = ("provenance", "typical_half_width", "drawn", "ladder", "check")
"""Parts of the summary that say how the numbers were had; they wait for --more."""


def _sentence(done: Run) -> str:
    """Return what a run found in a sentence: who is strongest, who weakest, and what going first is worth."""
    found, told = done.summary, [f"{show_many(int(done.summary.get('n_entrants') or 0), 'entrant')} were compared"]
    told += [
        f"the {name} is {one['entrant']}, which scores {show_probability(one['score'])}"
        for name in ("strongest", "weakest")
        if isinstance(one := found.get(name), dict) and one.get("score") is not None
    ]
    advantage = found.get("first_mover_advantage")
    if isinstance(advantage, dict) and advantage.get("mean") is not None:
        told.append(f"going first is worth {show_number(100 * advantage['mean'])} percentage points on average")
    return f"{'; '.join(told)}."


def _show(done: Run, more: bool) -> None:
    """Print the summary of a run, whatever it holds."""
    from balance.analysis.prices import PRICE_WORDS

    facts = {
        name: value for name, value in done.summary.items() if name not in ("broken_limits", "match_ups", "left_out")
    }
    facts.pop("card_verdicts", None)  # how much of an excess falls to which kind of card is a convention
    for name in facts.keys() & {"verdicts", "verdicts_as_read"}:
        facts[name] = {PRICE_WORDS.get(word, word): n for word, n in facts[name].items()}
    for name, value in done.summary.get("match_ups", {}).items():
        if name not in ("allocation", "unfair"):
            facts[f"match-ups, {name}"] = value
    rows = [[_words(name), _fact(value)] for name, value in facts.items() if more or name not in FOR_THE_FEW]
    where = "" if more else f"Study {done.folder.name}"
    written = ["", "", f"{done.folder} {done.folder}", *map(str, done.broken_limits)]
    say(*screen_of(_sentence(done), [table(["summary", ""], rows)], where, more, written))


def _words(name: str) -> str:
    """Return a key of the summary as people say it.

    >>> _words("n_entrants"), _words("match-ups, n_pairs")
    ('entrants', 'match-ups, pairs')
    """
    return re.sub(r"\bn (?=\w)", "", name.replace("_", " "))


def _fact(value: object) -> str:

    if isinstance(value, dict):
        return ", ".join(f"{_words(name)} {_fact(part)}" for name, part in value.items())
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, int):
        return show_count(value)
    return show_number(value) if isinstance(value, float) else str(value)


def _as_json(done: Run) -> dict[str, Any]:
    return {
        "schema": 1,
        "verb": "run",
        "folder": str(done.folder),
        "broken_limits": list(done.broken_limits),
        "summary": done.summary,
    }
