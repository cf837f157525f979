"""`balance.report` and `balance.compare`, whose work leaves a folder: a report, or what a patch changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import Fault, StudyError, UsageError, unknown
from balance.base.text import one_line
from balance.verbs.call import parameters
from balance.verbs.call.means import ALL_CORES, Means, engine_for, means_of, shared_answers
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import Names, demand_drawing, names_of
from balance.verbs.studies.runs import LIMIT_BROKEN, result_of

if TYPE_CHECKING:
    from balance.game.loaded import LoadedGame
    from balance.study import Run, Study
    from balance.study.compare.answer import Comparison
    from balance.study.run.answer import WrittenReport
    from balance.study.settings.patch import PatchLimits

FORMATS = ("html", "pdf")
REPORTS = Path("reports")
"""Where reports go by themselves, each into a folder of its own, with a page over all of them."""


@verb
def report(
    subject: Annotated[
        str | Path, Parameter("A game, a study, or a run's folder.", "GAME|STUDY|RUN_DIR", of=str, offers="games")
    ],
    *,
    format: Annotated[Names, Parameter("html, pdf or both.", "FORMATS")] = "html,pdf",
    out: Annotated[
        str | Path | None,
        Parameter("Folder to write (default: reports/NAME, listed in reports/index.html).", "DIR", is_served=False),
    ] = None,
    live: Annotated[
        bool, Parameter("Beside the report of a game file, write the page on which it can be changed.", is_served=False)
    ] = False,
    open: Annotated[bool, Parameter("Open the report when it is done.")] = False,
    jobs: parameters.Jobs = ALL_CORES,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    quiet: parameters.Quiet = False,
) -> Result[WrittenReport]:
    """Write the report of a game, a study or a run as HTML and PDF; of a game file also a notebook.

    Returns
    -------
    Result
        Its `value` is a `WrittenReport` about a `Run`, such as `result.value.files[0]`; its tables are those of the
        run, and where match-ups were played first `match_ups`, with what each scores against each.

    Raises
    ------
    BalanceError
        There is no such game, study or run, or the folder cannot be written.
    """
    formats, place = formats_of(format), Path(out) if out is not None else None
    from balance.game.registry import game_names
    from balance.reporting.build import report_run
    from balance.study import load_run

    path, notes = Path(subject), list[str]()
    page = _live_page(str(subject)) if live else ""
    if path.is_dir() and str(subject) not in game_names():
        run = load_run(path)
        with table_errors(run):
            files = report_run(run, place or REPORTS / path.absolute().name, formats)
    else:
        folder, means = place or REPORTS / path.stem, means_of(jobs, executor, scheduler, cache, verify)
        run, files = _run_and_report(str(subject), folder, formats, means, quiet, notes, page)
    if place is None and "html" in formats:
        from balance.reporting.overview import write_overview

        write_overview(REPORTS)
    if open and files:
        import webbrowser

        webbrowser.open(files[0].absolute().as_uri())
    from balance.study.run.answer import WrittenReport

    return result_of(WrittenReport.of(run, files), notes, tuple(map(str, files)))


def _run_and_report(
    subject: str, folder: Path, formats: tuple[str, ...], means: Means, quiet: bool, notes: list[str], page: str
) -> tuple[Run, tuple[Path, ...]]:
    """Run a study and write its report, with a notebook for a game file; return the run and the files written.

    Finished answers are kept until both are there, so that no kill loses one.
    """
    from balance.engine.answers import AnswerStore
    from balance.game.loaded import load
    from balance.game.registry import is_game
    from balance.reporting.build import report_run
    from balance.study import run_study

    study = study_of(subject, "no game, no study and no folder of a run")
    with engine_for(folder, means, quiet) as engine:
        run = run_study(study, folder, engine, notes.append, True)
    files = report_run(run, folder, formats, page)
    if page:
        from balance.reporting.build import LIVE_PAGE

        files = (*files, folder / LIVE_PAGE)
    if is_game(subject) and (game := load(subject)).definition.file is not None:
        from balance.reporting.notebook import write_notebook

        files = (*files, write_notebook(game, game.definition.file, folder))
    AnswerStore(folder).clear()
    return run, files


def _live_page(subject: str) -> str:
    """Return the page of a game file, to lie beside its report; raise UsageError for anything else."""
    from balance.game.loaded import load
    from balance.game.registry import is_game
    from balance.verbs.changes.live_pages import live_page

    return live_page(load(subject) if is_game(subject) else study_of(subject, "no game and no study").open())


@contextmanager
def table_errors(run: Run) -> Iterator[None]:
    """Raise StudyError where tables of somebody else's run do not fit; in a run just made that would be our bug."""
    from polars.exceptions import PolarsError

    try:
        yield
    except (PolarsError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:120]
        message = f"its tables do not hold what this version reports ({reason})"
        raise StudyError(Fault(message, str(run.folder), tip="run the study again")) from error


def formats_of(formats: Names) -> tuple[str, ...]:
    """Return formats of a report in lower case, each once; raise UsageError for one that cannot be drawn here."""
    names = tuple(dict.fromkeys(name.lower() for name in names_of(formats) or ()))
    if strange := [name for name in names if name not in FORMATS]:
        raise UsageError([unknown(name, FORMATS, "is not a format", "§format") for name in strange])
    demand_drawing("a report", *names)
    return names


def study_of(subject: str, otherwise: str) -> Study:
    """Return the shipped study of a game, or the one in a .toml file; raise UsageError if `subject` is neither.

    `otherwise` says so in that error, such as "no game and no study".
    """
    from balance.game.registry import game_meant, is_game
    from balance.study import load_study, shipped_study

    if is_game(subject):
        return shipped_study(subject)
    if Path(subject).suffix == ".toml" or Path(subject).is_file():
        return load_study(Path(subject))
    raise UsageError(f"{subject!r} is {otherwise}", game_meant(subject))


@verb
def compare(
    subject: Annotated[
        str | Path, Parameter("Whose match-ups: a study, or a game.", "STUDY.toml|GAME", of=str, offers="games")
    ],
    *,
    patch: Annotated[
        str | Path, Parameter("What changes: a patch, or another catalogue.", "PATCH.toml|DIR", is_served=False)
    ],
    base: Annotated[
        str | Path | None, Parameter("The catalogue before (default: the study's own).", "DIR", is_served=False)
    ] = None,
    out: Annotated[
        str | Path | None, Parameter("Folder to write (default: reports/compare_PATCH).", "DIR", is_served=False)
    ] = None,
    format: Annotated[Names, Parameter("html, pdf or both.", "FORMATS")] = "html,pdf",
    jobs: parameters.Jobs = ALL_CORES,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[Comparison]:
    """Work out what a patch or another catalogue does: at equal points, then in every match-up, on the same dice.

    Returns
    -------
    Result
        Its `value` has what is said of the change, such as `value.summary.n_touched`, and `value.files`, which were
        written; its `broken_limits` are those of the patch. Its tables are, where armies are bought, `equal_points`,
        what they score, `typical_match_ups` and `prices`; then `standing`, the mean score of each entrant in duels,
        and `changes`, every match-up.

    Raises
    ------
    BalanceError
        There is no such study or patch, or the folder cannot be written.
    """
    from balance.answers.form import Terms
    from balance.answers.words.changes import comparison as words
    from balance.engine.store import locked
    from balance.reporting.changes.comparison import write_comparison

    formats, study = formats_of(format), study_of(str(subject), "no game and no study")
    place = Path(patch)
    before, after, title, limits = _sides(study, Path(base) if base is not None else None, place)
    folder = Path(out) if out is not None else REPORTS / f"compare_{place.stem}"
    means = means_of(jobs, executor, scheduler, cache, verify, fresh)
    with engine_for(folder, means, quiet) as engine, locked(folder):
        from balance.study.compare.compare import compare_catalogues
        from balance.study.compare.equal_points import compare_armies

        armies = compare_armies(study, before, after, engine, shared_answers(means))
        comparison = compare_catalogues(
            study, before, after, title=title, limits=limits, engine=engine, folder=folder, equal_points=armies
        )
        terms = Terms.of_level(before, study.settings.level)
        comparison = replace(comparison, files=write_comparison(comparison, terms, folder, formats))
    if out is None and "html" in formats:
        from balance.reporting.overview import write_overview

        write_overview(REPORTS)
    return as_result(
        "compare",
        comparison,
        words.WORDS,
        terms,
        broken_limits=comparison.broken_limits,
        limit_prefix=LIMIT_BROKEN,
        below=tuple(map(str, comparison.files)),
    )


def _sides(study: Study, base: Path | None, patch: Path) -> tuple[LoadedGame, LoadedGame, str, PatchLimits | None]:
    """Return the game before and after, the title of the change, and the limits of a patch; a catalogue has none."""
    from balance.game.local_games import is_game_file
    from balance.study.settings.patch import find_patch

    before = study.open() if base is None else _other(study, base)
    if patch.is_dir() or is_game_file(patch):
        title = one_line(f"{before.catalogue.path.name} and {patch.name}")
        return before, _other(study, patch), title, None
    read = find_patch(patch, before.definition)
    return before, read.apply(before), read.title, read.settings.limits


def _other(study: Study, path: Path) -> LoadedGame:
    """Return the game of a study with another catalogue, or the game in another version of its game file."""
    from balance.game.loaded import load
    from balance.game.local_games import is_game_file

    return load(str(path)) if is_game_file(path) else load(study.settings.game, path)
