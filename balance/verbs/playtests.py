"""`balance.rate` and `balance.need`: ratings from a log of games people played, and how many games a verdict takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from balance.base.errors import Fault, UsageError, gathering, unknown
from balance.playtests.shares import Band, Share, band_text, parse_band, parse_band_around_half, parse_share, share_text
from balance.verbs.call import logs, parameters
from balance.verbs.call import people as about_people
from balance.verbs.call.logs import Files, Frame, as_words, read_games
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.people import PeopleQuestion
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import PAGES, check_new_drawing, check_new_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from balance.playtests.log.template import LogTemplate
    from balance.playtests.model.answer import RatingAnswer
    from balance.playtests.need.answer import NeededGames
    from balance.playtests.need.goals import Goal
    from balance.playtests.people.answer import ScoreAnswer

TABLES = (".csv", ".xlsx")
PLANS = ("fixed", "sequential")
MOST_EVENINGS = 100_000
UNSEEN = ("Players who learn, and games that hang together: each game counts as one more like the others.",)
"""What `need` leaves out."""


@verb
def rate(
    log: logs.LogFile,
    *,
    band: Annotated[
        Band, Parameter("The chances against the field, in per cent, between which an entrant is fair.", "LOW:HIGH")
    ] = "45:55",
    column: logs.Column = None,
    draw: logs.DrawWord = None,
    leave_out: logs.LeaveOut = None,
    each_game: logs.EachGame = "",
    sheet: logs.SheetName = "",
    first_goes: logs.FirstGoes = "",
    no_first: logs.NoFirst = False,
    first_only: Annotated[
        bool, Parameter("Of games among three or more only who came first counts, not the places below.")
    ] = False,
    level: logs.Level = 0.95,
    scores: about_people.Scores = "",
    lists: about_people.ListsFile = None,
    by: about_people.By = "",
    patches: about_people.Patches = None,
    later: about_people.Later = None,
    people: about_people.People = "",
    draws: Annotated[str, Parameter("How draws come about: davidson, rao-kupper.", "MODEL")] = "davidson",
    prior: Annotated[
        float | str | None,
        Parameter(
            "How far strengths spread, in log-odds, by the weak prior; none for plain maximum likelihood.", "SCALE|none"
        ),
    ] = None,
    seed: parameters.Seed = 0,
    page: Annotated[
        Files,
        Parameter(
            "Also write it as a page, in a new .html or .pdf file; repeatable.", "FILE", of=list[Path], is_served=False
        ),
    ] = None,
    table: Annotated[
        str | Path | None, Parameter("Also write the ratings, in a new .csv or .xlsx file.", "FILE", is_served=False)
    ] = None,
    template: Annotated[
        bool, Parameter("Write a log to fill in, with an example of games, as the new file LOG.csv.", is_served=False)
    ] = False,
    quiet: parameters.Quiet = False,
) -> Result[RatingAnswer] | Result[ScoreAnswer] | Result[LogTemplate]:
    """Rate the entrants of a log of games: who is too strong, how sure that is, and what to play next.

    Returns
    -------
    Result
        Its `value` is a `RatingAnswer`, such as `result.value.ratings["Elves"].chance`, of a template its file in
        `result.value.template`; its tables are `ratings`, `matrix` of the chances of each against each, `pairs`,
        `cycles` and `spread`. Of a log that scores both sides and names players it is a `ScoreAnswer`, with players
        taken out; its tables are `ratings`, `units`, `by`, `sources`, `edges`, `levels` and `forecasts`.

    Raises
    ------
    BalanceError
        The log has faults, a word makes no sense, or a file cannot be written.

    Examples
    --------
    >>> import balance, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     league = balance.rate(f"{folder}/league.csv", template=True).value.template
    ...     balance.rate(league).to_polars()["entrant"].to_list()
    ['Elves', 'Dwarves', 'Orcs', 'Undead']
    """
    from balance.playtests.log.frames import is_frame
    from balance.playtests.model.rating import rate as rate_games
    from balance.playtests.options import rate_settings
    from balance.playtests.people.several import rate_contests

    place = log if is_frame(log) else Path(log)
    if template:
        return _template(_new_log(place))
    pages, at = [Path(file) for file in as_words(page)], Path(table) if table is not None else None
    question = PeopleQuestion(scores, lists, by, None if patches is None else Path(patches), later, people)
    faults = [*_file_faults(pages, at), *question.faults()]
    settings = rate_settings(faults, level, draws, prior, seed)
    with gathering(faults):
        settings = replace(settings, band=parse_band_around_half(band_text(band)))
    reading = (column, draw, leave_out, each_game, sheet, first_goes, no_first)
    read = read_games(faults, log, *reading)
    answer: RatingAnswer | ScoreAnswer
    if question.takes_scores(read):
        after = None if later is None else read_games((), later, *reading)
        answer = question.rate(read, settings, after)
    elif read.contests is not None:
        answer = rate_contests(read.contests, settings, read.source, first_only)
    else:
        answer = rate_games(read.games, settings, read.source)
    on_page = question.without_people(answer, read.people, is_page=True)
    result = _of_ratings(question.without_people(answer, read.people), at)
    _write_ratings(result, on_page, pages, at)
    return result


def _notes_on(table: Path | None, names: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the names that a .csv table guards with an apostrophe against formulas; empty without any."""
    from balance.catalogue.tables.cells import guard

    guarded = [name for name in names if guard(name) != name] if table and table.suffix.lower() == ".csv" else []
    if not guarded:
        return ()
    subject, it = (f"{guarded[0]!r} has", "it") if len(guarded) == 1 else (f"{len(guarded)} names have", "them")
    return (
        f"{table}: {subject} an apostrophe before {it}, so that no spreadsheet computes {it}; balance takes it off "
        "again, and an .xlsx has none.",
    )


def _of_ratings(answer: RatingAnswer | ScoreAnswer, table: Path | None) -> Result[Any]:
    from balance.answers.form import Terms
    from balance.answers.words.playtests import rating, scores
    from balance.playtests.people.answer import ScoreAnswer

    terms = Terms(cannot_see=tuple(caution.text for caution in answer.cautions))
    notes = partial(_notes_on, table, [*answer.ratings])
    if isinstance(answer, ScoreAnswer):
        return as_result("rate", answer, scores.WORDS, terms, notes_of=notes)
    return as_result("rate", answer, rating.WORDS, terms, drawing=_draw, notes_of=notes)


def _draw(result: Result[RatingAnswer], table: str) -> Figure:
    """Return the ratings as a picture with the band; any other table as every verb draws it."""
    from balance.answers.media.plot import plot_table
    from balance.reporting.playtests.plot import plot_ratings

    is_main = table in ("", "ratings")
    return plot_ratings(result.value) if is_main else plot_table(result.to_polars(table), result.sentence)


def _file_faults(pages: Sequence[Path], table: Path | None) -> list[Fault]:
    """Return a fault for each page or table that exists, cannot be made, or has a wrong ending."""
    faults: list[Fault] = []
    for file in pages:
        with gathering(faults):
            check_new_drawing(file, "§page", "a page")
    if table is not None:
        with gathering(faults):
            check_new_file(table, "§table", "a table", TABLES)
    return faults


def _write_ratings(
    result: Result[Any], on_page: RatingAnswer | ScoreAnswer, pages: Sequence[Path], table: Path | None
) -> None:
    """Write the pages, and the ratings as a table whose names a spreadsheet never takes for formulas."""
    from balance.base.files import write_whole
    from balance.playtests.people.answer import ScoreAnswer

    for file in pages:
        from balance.reporting.playtests.ratings import draw_ratings
        from balance.reporting.playtests.scores import draw_scores

        draw: Callable[[Any, str], bytes] = draw_scores if isinstance(on_page, ScoreAnswer) else draw_ratings
        write_whole(file, draw(on_page, PAGES[file.suffix.lower()]))
    if table is not None:
        from balance.study.run.export import table_bytes

        write_whole(table, table_bytes("ratings", result.to_polars(), table.suffix.lower().removeprefix(".")))


def _new_log(place: Path | Frame) -> Path:
    """Return the file for a template; raise UsageError for a frame."""
    if not isinstance(place, Path):
        raise UsageError(Fault("is written to a file", "template", tip="name a new .csv file"))
    return place


def _template(log: Path) -> Result[LogTemplate]:
    """Write the example log of playtests to a new .csv file, to be filled in."""
    from balance.answers.form import Terms
    from balance.answers.words.playtests.template import WORDS
    from balance.base.files import write_whole
    from balance.playtests.log.template import TEMPLATE, LogTemplate

    check_new_file(log, "LOG", "a log", (".csv",))
    write_whole(log, TEMPLATE.encode())
    template = LogTemplate(1, "rate", str(log))
    return as_result("rate", template, WORDS, Terms(), below=(WORDS.sentence(template, Terms()),), waits_for_more=True)


# -- how many games ---------------------------------------------------------------------------------------------------


@verb
def need(
    *,
    difference: Annotated[
        Share | None,
        Parameter(
            "How far from 50% a win chance must lie to be named; 5pp, 5, 5% and 0.05 are the same (default: 5pp, "
            "unless a band is given).",
            "5pp",
        ),
    ] = None,
    band: Annotated[
        Band | None, Parameter("What counts as fair: plans the games after which a fair side is called fair.", "45:55")
    ] = None,
    options: Annotated[
        int, Parameter("This many factions or weapons play a round robin (default: a pair).", "K", is_count=True)
    ] = 2,
    power: Annotated[Share, Parameter("How often it is named or called fair (default: 80%).", "80%")] = "80%",
    error: Annotated[Share, Parameter("How often anything at all may be named wrongly (default: 5%).", "5%")] = "5%",
    draws: Annotated[
        Share, Parameter("The share of draws, each half a win (default: none, which is the safe side).", "20%")
    ] = "0%",
    games_per_evening: Annotated[int, Parameter("Games of one evening (default: 4).", "G", is_count=True)] = 4,
    evenings: Annotated[int | None, Parameter("Show what this many evenings can show.", "N", is_count=True)] = None,
    plan: Annotated[
        str, Parameter("The plan to spell out: one look at the end, or one after every evening.", "fixed|sequential")
    ] = "fixed",
    runs: Annotated[
        int, Parameter("How often each plan is played out as a check (default: 10,000).", "N", is_count=True)
    ] = 10_000,
    seed: parameters.Seed = 0,
    out: Annotated[
        str | Path | None,
        Parameter("Write when to stop after each evening, in a new file.", "FILE.csv", is_served=False),
    ] = None,
    quiet: parameters.Quiet = False,
) -> Result[NeededGames]:
    """Work out how many games it takes to tell, and what fewer can tell.

    Returns
    -------
    Result
        Its `value` is a `NeededGames`, such as `result.value.plans["fixed"].games`; its tables are `plans`, `outcomes`,
        `looks`, `few`, and `after` so many evenings.

    Raises
    ------
    BalanceError
        A number makes no sense, or the file cannot be written.

    Examples
    --------
    >>> import balance
    >>> balance.need(difference=0.2, runs=500).to_polars().select("plan", "games").rows()
    [('fixed', 51), ('sequential', 60), ('sprt', 200)]
    """
    from balance.answers.form import Terms
    from balance.answers.words.playtests.need import WORDS
    from balance.base.files import write_whole
    from balance.playtests.need.plans import need as plans_for

    file = Path(out) if out is not None else None
    faults = [*_faults(plan, options, evenings, file), *_faults_of_numbers(seed, runs)]
    texts = {"§power": share_text(power), "§error": share_text(error), "§draws": share_text(draws)}
    off = None if difference is None else share_text(difference)
    goal = _goal(faults, off, None if band is None else band_text(band), options, texts, games_per_evening)
    if faults or goal is None:
        raise UsageError(faults)
    answer = plans_for(goal, runs, seed, plan, evenings)  # type: ignore[arg-type]  # one of PLANS
    result = as_result("need", answer, WORDS, Terms(cannot_see=UNSEEN))
    if file is not None:
        write_whole(file, result.to_polars("looks").filter(plan=plan).write_csv().encode())
    return result


def _faults(plan: str, options: int, evenings: int | None, out: Path | None) -> list[Fault]:
    """Return faults of an unknown plan, one unfit for a round robin, evenings out of range, and a file not writable."""
    faults = list[Fault]()
    if plan not in PLANS:
        faults.append(unknown(plan, PLANS, "is not a plan", "§plan"))
    elif plan == "sequential" and options > 2:
        message = "looks after every evening of one pair, not of a round robin"
        faults.append(Fault(message, "§plan", found=plan, tip="plan for one pair, or with §plan=fixed"))
    if evenings is not None and not 1 <= evenings <= MOST_EVENINGS:
        faults.append(Fault("is out of range", "§evenings", found=str(evenings), allowed=f"1 to {MOST_EVENINGS:,}"))
    with gathering(faults):
        if out is not None:
            check_new_file(out, "§out", "a table", (".csv",))
    return faults


def _faults_of_numbers(seed: int, runs: int) -> list[Fault]:
    from balance.chance.rolls.streams import check_seed
    from balance.playtests.need.plans import check_runs

    faults = list[Fault]()
    with gathering(faults):
        check_seed(seed)
    with gathering(faults):
        check_runs(runs)
    return faults


def _goal(
    faults: list[Fault],
    difference: str | None,
    band: str | None,
    options: int,
    texts: Mapping[str, str],
    games_per_evening: int,
) -> Goal | None:
    """Return the goal of a plan; None if a number makes no sense, and a fault for each that does not goes to `faults`.

    `texts` holds --power, --error and --draws as shares. Without a band the difference is 0.05.
    """
    from balance.playtests.need.goals import Goal

    usual = {"§power": 0.8, "§error": 0.05, "§draws": 0.0}
    for name, text in texts.items():
        with gathering(faults):
            usual[name] = parse_share(text, name)
    off, scores = 0.05 if band is None else None, None
    with gathering(faults):
        off = off if difference is None else parse_share(difference, "§difference")
    with gathering(faults):
        scores = None if band is None else parse_band(band)
    if off is None and scores is None:
        off = 0.05  # the band is no band, which is told; what else is wrong is too
    goals = list[Goal]()
    with gathering(faults):
        goals.append(Goal(off, scores, options, usual["§power"], usual["§error"], usual["§draws"], games_per_evening))
    return goals[0] if goals else None
