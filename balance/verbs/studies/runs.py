"""`balance.run` and `balance.tables`: a whole study, and what it left in the formats of other programs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from balance.answers.form import Terms
from balance.base.errors import UsageError
from balance.verbs.call import parameters
from balance.verbs.call.means import ALL_CORES, engine_for, means_of
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb

if TYPE_CHECKING:
    from balance.answers.words.catalogues.written import Written
    from balance.study.run.answer import DryRun, FinishedRun, WrittenReport

Answer = TypeVar("Answer", "FinishedRun", "WrittenReport")

LIMIT_BROKEN = "limit broken: "
"""What the command says before each limit of a study or a patch that is broken."""


@verb
def run(
    study: Annotated[str | Path, Parameter("The study.", "STUDY.toml")],
    *,
    out: Annotated[str | Path | None, Parameter("Folder of the run (default: runs/STUDY).", "DIR")] = None,
    jobs: parameters.Jobs = ALL_CORES,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    dry_run: Annotated[bool, Parameter("Only say how much work it would be.")] = False,
    game: Annotated[
        str | None, Parameter("Whose code a dry run may run: a game in a folder beside you.", "GAME")
    ] = None,
    quiet: parameters.Quiet = False,
) -> Result[FinishedRun] | Result[DryRun]:
    """Run a study, or go on where it was interrupted.

    Returns
    -------
    Result
        Its `value` has the `folder` and the `summary` of the run, and its `broken_limits` are those of the study; its
        tables are those of the run. With `dry_run` the `value` has a `forecast`.

    Raises
    ------
    BalanceError
        There is no such study, or the folder cannot be written.
    """
    from balance.study import load_study, run_study
    from balance.study.run.answer import FinishedRun

    file, notes = Path(study), list[str]()
    _check_no_game(file)
    if dry_run:
        return _dry_run(file, jobs, game)
    loaded_study, folder = load_study(file), Path(out) if out is not None else Path("runs") / file.stem
    with engine_for(folder, means_of(jobs, executor, scheduler, cache, verify), quiet) as engine:
        finished = run_study(loaded_study, folder, engine, notes.append)
    below = (f"Wrote {finished.folder}", f"For its report: balance report {finished.folder}")
    return result_of(FinishedRun.of(finished), notes, below)


def result_of(answer: Answer, notes: Iterable[str], below: tuple[str, ...]) -> Result[Answer]:
    """Return the result of a run or of its report, with the limits that it breaks; a report prints its files alone."""
    from balance.answers.words.runs import WORDS

    return as_result(
        answer.verb,
        answer,
        WORDS,
        Terms(),
        notes_of=partial(tuple, notes),
        broken_limits=tuple(answer.broken_limits),
        limit_prefix=LIMIT_BROKEN,
        below=below,
        waits_for_more=answer.verb == "report",
    )


def _check_no_game(study: Path) -> None:
    """Raise UsageError if a game is given instead of the file of a study."""
    from balance.game.local_games import is_game_file
    from balance.game.registry import game_names

    if is_game_file(study) or (str(study) in game_names() and not study.exists()):
        tip = f"its report: balance report {study}; a study of your own to start from: balance init {study}"
        raise UsageError(f"{str(study)!r} is a game, and a run takes the file of a study", tip)


def _dry_run(file: Path, jobs: int, game: str | None) -> Result[DryRun]:
    """Return the forecast of a study; of a local game only if `game` names it, since its code must run."""
    from balance.answers.words.dry_run import WORDS
    from balance.study import load_study
    from balance.study.loading.load import game_beside
    from balance.study.run.answer import DryRun
    from balance.study.run.forecast import forecast
    from balance.study.run.run import sides_of

    beside, costs, notes = game_beside(file), None, None
    if beside is None or beside == game:
        study = load_study(file)
        costs = forecast(study, sides_of(study), jobs)
    else:
        notes = (
            f"{file} is about {beside}, a game in a folder beside you. A dry run runs no code of such a game, so what "
            f"the study would cost is not known. If you trust it: balance run {file} --dry-run --game {beside}",
        )
    return as_result("run", DryRun(1, "run", True, costs, jobs, notes), WORDS, Terms())


@verb
def tables(
    run: Annotated[str | Path, Parameter("The folder of a run.", "RUN_DIR")],
    *names: Annotated[str, Parameter("Which tables (default: all).", "[TABLE]...")],
    format: Annotated[str, Parameter("csv, parquet or xlsx.", "FORMAT")] = "csv",
    out: Annotated[str | Path | None, Parameter("Folder to write (default: RUN_DIR/FORMAT).", "DIR")] = None,
) -> Result[Written]:
    """Write the tables of a run in the formats of other programs.

    Returns
    -------
    Result
        Its `value` names the `files` that were written; its table is `files`.

    Raises
    ------
    BalanceError
        There is no such run, table or format, or the folder cannot be written.
    """
    from balance.answers.words.catalogues import written as words
    from balance.base.foreign import lies_in
    from balance.study import load_run
    from balance.study.run.export import export_tables

    place = Path(run)
    folder = Path(out) if out is not None else place / format
    if out is None and not lies_in(folder, place):
        raise UsageError(f"{folder} leads out of the folder of the run", "say where to write with §out")
    files = tuple(map(str, export_tables(load_run(place), format, folder, names)))
    return as_result("tables", words.Written(1, "tables", files, str(folder)), words.WORDS, Terms())
