"""The kind of question in which armies of any members meet at equal points, or else what to ask instead."""

from __future__ import annotations

from dataclasses import replace

from balance.analysis.scores.cards import find_card
from balance.base.errors import Fault, UsageError
from balance.base.numbers import show_points
from balance.catalogue import columns_of, faults_of_entries
from balance.game.armies.armies import ARMY_FORM
from balance.game.loaded import LoadedGame

ADVICE = (
    "to have prices, give the kind of question in which armies fight "
    "`armies=kit.any_armies(MEMBER, setup, processes)`, as docs/tutorial/adding-a-game.md tells under `An army`"
)
CONSEQUENCE = "so there is no price to judge and no best army to search for"


def meeting_kind(game: LoadedGame) -> str:
    """Return the first question kind in which any armies meet, or raise UsageError with why there is none."""
    kind_name = next((name for name, kind in game.definition.kinds.items() if kind.armies is not None), "")
    if not kind_name:
        is_local = game.definition.folder is not None  # whose code can be changed
        tip = f"{_alternatives(game)}; {ADVICE}" if is_local else _alternatives(game)
        raise UsageError(f"{_refusal(game, _reason(game))}; {CONSEQUENCE}", tip)
    return kind_name


def leading_kind(game: LoadedGame) -> str:
    """Return the kind of question in which prices are judged: the game as its rulebook prints it.

    Raise UsageError as `meeting_kind`.

    >>> from balance.game.loaded import load
    >>> leading_kind(load("warforged")), leading_kind(load("battlelore"))
    ('battle', 'lineup')
    """
    return game.definition.priced_in or meeting_kind(game)


def priced_members(game: LoadedGame, kind: str) -> dict[str, float]:
    """Return the cost in points of every member of which armies are made in a kind of question.

    Raise UsageError where there is none, or for all that cost nothing, with file, row and field.
    """
    costs = {name: float(game.cost_points(name)) for name in game.members_of(kind)}
    if not costs:
        raise UsageError(f"{_refusal(game, f'there is no {game.words.entrant} to be bought')}; {CONSEQUENCE}")
    if max(costs.values()) <= 0:
        reason = f"no {game.words.entrant} costs anything"
        tip = f"give each a cost to begin with, 10 for all if you know no better; or {_alternatives(game)}"
        raise UsageError(f"{_refusal(game, reason)}; {CONSEQUENCE}", tip)
    if free := [name for name, cost in costs.items() if cost <= 0]:
        raise UsageError([fault for name in free for fault in _free(game, name)])
    return costs


def _free(game: LoadedGame, name: str) -> list[Fault]:
    """Return the fault that a member costs nothing, located in its file where its cost is on a card of its own."""
    table, _, cost = find_card(game, name)
    fault = Fault("costs nothing, and points are compared as ratios", "", None, "", name, "at least 1")
    if cost is None:
        return [fault]
    record = next(spec.record for spec in game.catalogue.spec.tables if spec.name == table)
    header = next(column.header for column in columns_of(record) if column.name == "cost_points")
    return faults_of_entries(game.catalogue, [(table, name, replace(fault, field=header))])


def _refusal(game: LoadedGame, reason: str) -> str:
    return f"armies are not bought for points in {game.definition.title}: {reason}"


def _reason(game: LoadedGame) -> str:
    costs = {float(game.cost_points(name)) for name in game.entrants}
    if len(costs) == 1:
        return f"every {game.words.entrant} costs {show_points(costs.pop(), game.words.points)}"
    return "no kind of question sets armies of any members against each other"


def _alternatives(game: LoadedGame) -> str:
    """Return commands to try instead, each with what it answers: one about armies, else who wins; and the report."""
    definition = game.definition
    able = {name: kind for name, kind in definition.kinds.items() if kind.winners}
    army_kinds = [name for name, kind in able.items() if ARMY_FORM in kind.takes[0].written] or list(able)
    commands = [f"balance {name} {game.typed()} A B ({able[name].asks or 'who wins'})" for name in army_kinds[:1]]
    commands.append(f"balance report {definition.called} (who is stronger, and who loses alone)")
    return f"ask instead: {', or '.join(commands)}"
