"""`balance.fit`: whether the players of a log agree with the simulation of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import Fault, UsageError, unknown
from balance.verbs.call import logs, parameters
from balance.verbs.call.means import means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import changes_of, choices_of, open_game

if TYPE_CHECKING:
    from balance.game.loaded import LoadedGame
    from balance.playtests.people.agreement import Agreement

UNSEEN = (
    "An association in these games, not a cause: who picks what, house rules and what players learn are part of it.",
)


@verb
def fit(
    game: parameters.Game,
    log: logs.LogFile,
    *,
    by: Annotated[
        str,
        Parameter(
            "The question whose chances are held against the log: duel, lineup, battle or another with a winner "
            "(default: duel, or else the first that has one; of armies the first in which they meet).",
            "KIND",
        ),
    ] = "",
    column: logs.Column = None,
    draw: logs.DrawWord = None,
    leave_out: logs.LeaveOut = None,
    each_game: logs.EachGame = "",
    sheet: logs.SheetName = "",
    first_goes: logs.FirstGoes = "",
    no_first: logs.NoFirst = False,
    level: logs.Level = 0.95,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    trials: Annotated[
        int | None,
        Parameter(
            "Of meetings without an exact chance (default: until their noise is below 1 %, up to 65,536).",
            "N",
            is_count=True,
        ),
    ] = None,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = 1,
    cache: parameters.CacheFolder = None,
    quiet: parameters.Quiet = False,
) -> Result[Agreement]:
    """Hold a catalogue's own predictions against a log of who met whom: whether players agree with the simulation.

    The slope of the results on the simulated log-odds is 1 where they do and 0 where it says nothing of these games;
    players are taken out where the log names them.

    Returns
    -------
    Result
        Its `value` is an `Agreement`, such as `result.value.slope`; its tables are `fit`, what foretells the results,
        `cards`, those that play otherwise than simulated first, and `pairs`.

    Raises
    ------
    BalanceError
        The log has faults, names what the catalogue lacks, or tells nothing of a slope.

    Examples
    --------
    >>> import balance, polars
    >>> one, other = ["nexus+shotgun"] * 9, ["trooper+shotgun"] * 9
    >>> met = polars.DataFrame({"one": one, "other": other, "winner": one[:5] + other[:4]})
    >>> balance.fit("warforged", met).value.verdict
    'cannot tell'
    """
    from balance.answers.form import Terms
    from balance.answers.words.playtests.fit import WORDS
    from balance.playtests.options import rate_settings
    from balance.playtests.people.agreement import agreement_of
    from balance.playtests.people.predictions import Oracle, with_ids

    opened_game, faults = open_game(game, catalogue), list[Fault]()
    settings = rate_settings(faults, level, "davidson", None, seed)
    if trials is not None and trials < 1:
        faults.append(Fault("is out of range", "§trials", found=str(trials), allowed="1 or more"))
    kind = _kind(opened_game, by, faults)
    read = logs.read_games(faults, log, column, draw, leave_out, each_game, sheet, first_goes, no_first)
    if not by and any({",", ":"} & {*name} for name in read.games.names):
        kinds = opened_game.definition.kinds
        kind = next((name for name, question in kinds.items() if question.armies is not None), kind)
    games = with_ids(opened_game, kind, read)
    means = means_of(jobs, cache=cache)
    with runner_for(opened_game, means, quiet) as runner:
        oracle = Oracle(opened_game, kind, games, runner, changes_of(set), tuple(choices_of(choose).items()))
        agreement = agreement_of(oracle, read.source, settings.level, trials, settings.seed)
    terms = Terms.of(opened_game, kind)
    return as_result("fit", agreement, WORDS, replace(terms, cannot_see=(*UNSEEN, *terms.cannot_see)))


def _kind(game: LoadedGame, by: str, faults: list[Fault]) -> str:
    """Return the kind of question with a winner; without a name the duel, or else the first one."""
    kinds = [name for name, kind in game.definition.kinds.items() if kind.winners]
    if not kinds:
        raise UsageError(f"nobody wins in what can be asked of {game.definition.name}: no chance to hold a log against")
    if by and by not in kinds:
        faults.append(unknown(by, kinds, "is no question with a winner", "§by"))
    return by if by in kinds else "duel" if "duel" in kinds else kinds[0]
