"""`balance.fit`: whether the players of a log agree with the simulation of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import Fault, unknown
from balance.verbs.call import logs, parameters
from balance.verbs.call.means import means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import changes_of, choices_of, open_game

if TYPE_CHECKING:
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
        Its `value` is an `Agreement`, such as `result.value.slope`; its tables are `fit`, `cards` and `pairs`.

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
    kinds = {name: kind for name, kind in opened_game.definition.kinds.items() if kind.winners}
    if (by or not kinds) and by not in kinds:
        faults.append(unknown(by, kinds, "is no question with a winner", "§by"))
    read = logs.read_games(faults, log, column, draw, leave_out, each_game, sheet, first_goes, no_first)
    of_armies = [name for name in kinds if kinds[name].armies and {",", ":"} & {*"".join(read.games.names)}]
    kind = by or next(name for name in (*of_armies, "duel", *kinds) if name in kinds)
    with runner_for(opened_game, means_of(jobs, cache=cache), quiet) as runner:
        games, choices = with_ids(opened_game, kind, read), tuple(choices_of(choose).items())
        oracle = Oracle(opened_game, kind, games, runner, changes_of(set), choices)
        agreement = agreement_of(oracle, read.source, settings.level, settings.seed)
    terms = Terms.of(opened_game, kind)
    return as_result("fit", agreement, WORDS, replace(terms, cannot_see=(*UNSEEN, *terms.cannot_see)))
