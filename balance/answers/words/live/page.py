"""The page of a game answers what is typed into it: a request in JSON comes in, and parts of the answer go out.

The page runs this very module, and all that it imports, on Python in the browser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from balance.answers.words.live import odds as words
from balance.answers.words.live.command import choices_of, command_of
from balance.answers.words.live.match import MOST_TRIALS, Match, odds_of
from balance.answers.words.live.odds import ATTACKS, Odds, Part
from balance.base.errors import BalanceError, DistributionError
from balance.base.numbers import show_probability
from balance.base.text import slug
from balance.catalogue.tables.files import rows_of
from balance.chance.clauses import show_brief
from balance.rulebook.plain.answers import Side, turn_orders
from balance.rulebook.plain.even import EvenChange, even_changes, in_order, mean_score
from balance.rulebook.plain.reading import joined_file
from balance.rulebook.play.rules import MOST_ATTACKS
from balance.rulebook.text.columns import SPELLINGS
from balance.rulebook.text.units import with_names

DECIMAL_COMMA = re.compile(r"^\s*(-?\d+),(\d+)\s*$")
PLACE = ("path", "row", "field")
FEW_TRIALS = 2_000
"""Trials of a cell of the matrix that is too large to be exact."""


def answer(text: str) -> Iterator[str]:
    """Yield the answer to a request so far, the whole of it last, as JSON; faults take the place of an answer.

    A request says what it asks by `ask`, a key of `ASKS`, and of which game: `now` and `before`, each with its `rules`
    and `table`.
    """
    request = json.loads(text)
    try:
        for part in ASKS[request["ask"]](request):
            yield json.dumps(part)
    except BalanceError as error:
        faults = [
            {"text": str(fault), "path": fault.path, "row": fault.row, "field": fault.field} for fault in error.faults
        ]
        yield json.dumps({"faults": faults})


# -- two units --------------------------------------------------------------------------------------------------------


def _answers(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield what an attack, attacks until the target is out and a duel do: each as soon as it is known."""
    match, before = Match.of(request, "now"), _before(request)
    cards = match.game.cards
    so_far: Part = {"units": [[card.id, card.name] for card in cards.values()], "choices": choices_of(match.game)}
    if match.a in cards and match.b in cards:
        for kind, views in ((kind, KINDS[kind]) for kind in KINDS if kind in request.get("kinds", KINDS)):
            command = command_of(kind, match, before, request)
            for view in views(match, before):
                so_far = {**so_far, kind: {**view, "command": command}}
                yield so_far
    yield {**so_far, "is_whole": True}


def _before(request: Mapping[str, Any]) -> Match | None:
    """Return the same match in the game as its file has it; None if it was not asked for, or has no such units."""
    if not request.get("before"):
        return None
    match = Match.of(request, "before")
    return match if {match.a, match.b} <= {*match.game.cards} else None


def _attack(match: Match, before: Match | None) -> Iterator[Part]:
    old = _last(before, "attack")
    for odds in odds_of(match, "attack"):
        called = {column: column.replace("_", " ") for column in odds.columns}
        rows = [words.mean_row(name, column, [odds], old) for column, name in called.items()]
        yield _view(words.attack_sentence(odds, match.names), rows, odds, old, called)


def _kill(match: Match, before: Match | None) -> Iterator[Part]:
    old = _last(before, "kill")
    for odds in odds_of(match, "kill") if match.game.rules.losses else ():
        rows = [words.mean_row("attacks on average", ATTACKS, [odds], old)]
        sentence = words.kill_sentence(odds, match.names, MOST_ATTACKS)
        yield _view(sentence, rows, odds, old, {ATTACKS: "attacks until the target is out"})


def _duel(match: Match, before: Match | None) -> Iterator[Part]:
    """Yield the duel from either first move and from a random one; only once where sides do not act in turn."""
    old = [] if before is None else _orders(_last(before, "duel", first) for first in turn_orders(before.game))
    sides, health = {side: f"{name} ({side})" for side, name in match.names.items()}, match.game.book.health
    left = {f"{side}_{health}": f"{health.replace('_', ' ')} {name} has left" for side, name in sides.items()}
    called = {words.ROUNDS: "rounds", **(left if health in match.game.rules.values else {})}
    for duels in _together([odds_of(match, "duel", first) for first in turn_orders(match.game)]):
        orders = _orders([duel] for duel in duels)
        rows = [*words.win_rows(sides, orders, old)]
        rows += [words.mean_row(name, column, orders, old) for column, name in called.items()]
        sentence = words.duel_sentence(orders[-1], match.names, _advantages(duels))
        heads = {"heads": [*(f"{name} first" for name in sides.values()), "either first"]} if len(duels) > 1 else {}
        yield {**_view(sentence, rows, orders[-1], old[-1:], called), **heads}


def _orders(parts: Iterable[list[Odds]]) -> list[Odds]:
    """Return the duels of each first move, and of a random one."""
    duels = [odds for part in parts for odds in part]
    return [*duels, duels[0].either(duels[1])] if len(duels) > 1 else duels


def _advantages(duels: list[Odds]) -> dict[str, float]:
    """Return what going first adds to the chance of each side; empty where it is simulated or makes no sense."""
    if len(duels) < 2 or any(odds.n_trials for odds in duels):
        return {}
    first, second = (odds.p_win for odds in duels)
    return {"a": first["a"] - second["a"], "b": second["b"] - first["b"]}


def _together(parts: list[Iterator[Odds]]) -> Iterator[list[Odds]]:
    """Yield the latest of each, until all have come to their end."""
    latest: list[Odds] = [next(part) for part in parts]
    yield latest
    for odds in zip_longest(*parts):
        latest = [new or last for new, last in zip(odds, latest, strict=True)]
        yield latest


def _last(match: Match | None, kind: str, first: Side = "a", most: int = MOST_TRIALS) -> list[Odds]:
    return [] if match is None else [*odds_of(match, kind, first, most)][-1:]


def _view(sentence: str, rows: list[Part], odds: Odds, old: list[Odds], called: Mapping[str, str]) -> Part:
    """Return what is shown of an answer; `called` are the distributions to draw."""
    pictures = [
        words.picture(name, odds.pmf[column], old[0].pmf.get(column, {}) if old else {})
        for column, name in called.items()
        if len(odds.pmf[column]) > 1
    ]
    return {"sentence": sentence, "rows": rows, "pictures": pictures, **odds.document()}


KINDS: dict[str, Callable[[Match, Match | None], Iterator[Part]]] = {"attack": _attack, "kill": _kill, "duel": _duel}


# -- the field, an even match, files ----------------------------------------------------------------------------------


def _cell(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield what two units do to each other: the effect of an attack, attacks until the other is out, and the score."""
    there = Match.of(request, "now")
    yield {"there": _pair(there, request), "back": _pair(replace(there, a=there.b, b=there.a), request)}


def _pair(match: Match, request: Mapping[str, Any]) -> Part:
    (attack,) = _last(match, "attack", most=FEW_TRIALS)
    effect = show_brief(attack.mean(attack.columns[0]))
    if "duel" not in request.get("kinds", KINDS):
        return {"texts": [effect]}
    kill = show_brief(_last(match, "kill", most=FEW_TRIALS)[0].mean(ATTACKS)) if match.game.rules.losses else ""
    score = _score(match)
    return {"score": score, "texts": [effect, kill, show_probability(score)]}


def _score(match: Match) -> float:
    """Return what the first side scores over both first moves, a draw counting a half."""
    try:
        return mean_score(match.game, *match.sides, dict(match.choices)).value
    except DistributionError:
        p_win = _orders(_last(match, "duel", first, FEW_TRIALS) for first in turn_orders(match.game))[-1].p_win
        return p_win["a"] + p_win["draw"] / 2


def _even(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the changes of single numbers that make a match even, the best first, as they are found."""
    match, changes, rows = Match.of(request, "now"), list[EvenChange](), list[Part]()
    for change in even_changes(match.game, *match.sides, dict(match.choices)):
        changes = in_order([*changes, change])
        rows = [{**vars(each), "text": show_probability(each.score)} for each in changes]
        yield {"changes": rows}
    yield {"changes": rows, "is_whole": True}


def _file(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the game as one file."""
    yield {"text": joined_file(request["now"]["rules"], request["now"]["table"])}


def _table(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield units that were pasted, or read from a file, as a table."""
    table = with_names(rows_of(request["text"], Path("units"), set(SPELLINGS)))
    (_, header), *body = table.rows
    names = [SPELLINGS.get(slug(cell), cell) for cell in header]
    comma = partial(DECIMAL_COMMA.sub, r"\1.\2") if table.comma else str
    yield {"table": [names, *([*map(comma, cells)] for _, cells in body)]}


ASKS = {"answers": _answers, "cell": _cell, "even": _even, "file": _file, "table": _table}
