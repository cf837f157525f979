"""`balance run`: a whole study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.answers.media.terminal import say
from balance.base.answers import as_plain
from balance.base.errors import UsageError
from balance.cli.options import options
from balance.cli.options.work import Cache, Executor, NoCache, Scheduler, Verify, judge, study_engine
from balance.cli.process.exits import say_json, say_line, say_notes
from balance.verbs.call.means import ALL_CORES, Means, share_of

if TYPE_CHECKING:
    from balance.study import Run, Study


def run(
    study: Annotated[Path, options.argument("STUDY.toml", "The study.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Folder of the run (default: runs/STUDY).")
    ] = None,
    jobs: options.Jobs = ALL_CORES,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    verify: Verify = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    dry_run: Annotated[bool, options.flag("--dry-run", help_text="Only say how much work it would be.")] = False,
    more: options.More = False,
    game: Annotated[
        str | None,
        options.option(
            "--game", metavar="GAME", help_text="Whose code a dry run may run: a game in a folder beside you."
        ),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run a study and say where its results are; status 1 if one of its limits is broken."""
    from balance.answers.form import Terms
    from balance.answers.media.answer import screen_of_answer
    from balance.answers.words.runs import WORDS
    from balance.study import load_study
    from balance.study.run.answer import FinishedRun

    _no_game(study)
    if dry_run:
        _forecast(study, jobs, game, as_json)
        return
    loaded_study = load_study(study)
    folder = out or Path("runs") / study.stem
    means = Means(jobs, executor, scheduler, cache, no_cache, share_of(verify))
    result = FinishedRun.of(_run(loaded_study, folder, means, quiet or as_json))
    if as_json:
        say_json(as_plain(result))
    else:
        say(*screen_of_answer(WORDS, result, Terms(), more))
        say_line(f"Wrote {result.folder}")
        say_line(f"For its report: balance report {result.folder}")
    judge(result.broken_limits)


def _forecast(study: Path, jobs: int, game: str | None, as_json: bool) -> None:
    """Print the forecast of a study; of a local game only if `game` names it, since its code must run."""
    from balance.cli.studies.init import show_forecast, show_no_forecast
    from balance.study import load_study
    from balance.study.loading.load import game_beside

    beside = game_beside(study)
    if beside is None or beside == game:
        show_forecast(load_study(study), jobs, as_json)
    else:
        show_no_forecast(study, beside, as_json)


def _no_game(study: Path) -> None:
    """Raise UsageError if a game is given instead of the file of a study."""
    from balance.game.local_games import is_game_file
    from balance.game.registry import game_names

    if is_game_file(study) or (str(study) in game_names() and not study.exists()):
        tip = f"its report: balance report {study}; a study of your own to start from: balance init {study}"
        raise UsageError(f"{str(study)!r} is a game, and a run takes the file of a study", tip)


def _run(study: Study, folder: Path, means: Means, quiet: bool) -> Run:
    from balance.study import run_study

    with study_engine(folder, means, quiet) as engine:
        return run_study(study, folder, engine, lambda note: say_notes([note]))
