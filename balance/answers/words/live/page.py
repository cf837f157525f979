"""The page of a game answers what is typed into it: a request in JSON comes in, and parts of the answer go out.

The page runs this very module, and all that it imports, on Python in the browser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from balance.answers.words.live.command import choices_of, command_of
from balance.answers.words.live.match import MOST_TRIALS, Match, can_kill, odds_of, turn_orders
from balance.answers.words.live.odds import (
    ATTACKS,
    Odds,
    Part,
    attack_sentence,
    duel_sentence,
    kill_sentence,
    mean_row,
    picture,
    win_rows,
)
from balance.base.errors import BalanceError, DistributionError, Fault
from balance.base.numbers import show_probability
from balance.base.text import slug
from balance.catalogue.tables.files import rows_of
from balance.chance.clauses import show_brief
from balance.rulebook.plain.answers import Side
from balance.rulebook.plain.even import EvenChange, even_changes, in_order, mean_score
from balance.rulebook.plain.reading import joined_file
from balance.rulebook.play.rules import MOST_ATTACKS
from balance.rulebook.text.columns import SPELLINGS
from balance.rulebook.text.units import with_names

DECIMAL_COMMA = re.compile(r"^\s*(-?\d+),(\d+)\s*$")
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
        yield json.dumps({"faults": [_fault(fault) for fault in error.faults]})


def _fault(fault: Fault) -> Part:
    return {"text": str(fault), "path": fault.path, "row": fault.row, "field": fault.field}


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
        rows = [mean_row(column.replace("_", " "), column, [odds], old) for column in odds.columns]
        yield _view(attack_sentence(odds, match.names), rows, odds, old, {})


def _kill(match: Match, before: Match | None) -> Iterator[Part]:
    if not can_kill(match.game):
        return
    old = _last(before, "kill")
    for odds in odds_of(match, "kill"):
        rows = [mean_row("attacks on average", ATTACKS, [odds], old)]
        sentence, called = kill_sentence(odds, match.names, MOST_ATTACKS), {ATTACKS: "attacks until the target is out"}
        yield _view(sentence, rows, odds, old, called)


def _duel(match: Match, before: Match | None) -> Iterator[Part]:
    """Yield the duel from either first move and from a random one; only once where sides do not act in turn."""
    old = [] if before is None else _orders([_last(before, "duel", first)[0] for first in turn_orders(before.game)])
    called = {"rounds": "rounds"}
    if match.game.book.health in match.game.rules.values:
        health = match.game.book.health
        left = {
            f"{side}_{health}": f"{health.replace('_', ' ')} {name} ({side}) has left"
            for side, name in match.names.items()
        }
        called.update(left)
    for duels in _together([odds_of(match, "duel", first) for first in turn_orders(match.game)]):
        orders = _orders(duels)
        advantages = {}
        if len(orders) > 1 and not orders[-1].n_trials:
            firsts = dict(zip("ab", duels, strict=True))
            advantages = {"a": _advantage(firsts, "a", "b"), "b": _advantage(firsts, "b", "a")}
        sides = {side: f"{name} ({side})" for side, name in match.names.items()}
        rows = [*win_rows(sides, orders, old), *(mean_row(called[column], column, orders, old) for column in called)]
        view = _view(duel_sentence(orders[-1], match.names, advantages), rows, orders[-1], old[-1:], called)
        yield (
            {**view, "heads": [*(f"{name} first" for name in list(sides.values())[: len(duels)]), "either first"]}
            if (len(orders) > 1)
            else view
        )


def _orders(duels: list[Odds]) -> list[Odds]:
    return [*duels, duels[0].either(duels[1])] if len(duels) > 1 else duels


def _advantage(firsts: Mapping[str, Odds], side: str, other: str) -> float:
    return firsts[side].p_win[side] - firsts[other].p_win[side]


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
    """Return what is shown of an answer; `called` are the distributions to draw, all of them where it is empty."""
    names = called or {column: column.replace("_", " ") for column in odds.columns}
    pictures = [
        picture(name, odds.pmf[column], old[0].pmf.get(column, {}) if old else {})
        for column, name in names.items()
        if len(odds.pmf[column]) > 1
    ]
    return {"sentence": sentence, "rows": rows, "pictures": pictures, **odds.document()}


KINDS: dict[str, Callable[[Match, Match | None], Iterator[Part]]] = {"attack": _attack, "kill": _kill, "duel": _duel}


# -- the field, an even match, files ----------------------------------------------------------------------------------


def _cell(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield what two units do to each other: the effect of an attack, attacks until the other is out, and the score."""
    there = Match.of(request, "now")
    back = replace(there, a=there.b, b=there.a)
    yield {"there": _pair(there, request), "back": _pair(back, request)}


def _pair(match: Match, request: Mapping[str, Any]) -> Part:
    effect = _last(match, "attack", most=FEW_TRIALS)[0]
    if "duel" not in request.get("kinds", KINDS):
        return {"texts": [show_brief(effect.mean(effect.columns[0]))]}
    kill = _last(match, "kill", most=FEW_TRIALS)[0].mean(ATTACKS) if can_kill(match.game) else None
    score = _score(match)
    texts = [
        show_brief(effect.mean(effect.columns[0])),
        "" if kill is None else show_brief(kill),
        show_probability(score),
    ]
    return {"score": score, "texts": texts}


def _score(match: Match) -> float:
    """Return what the first side scores over both first moves, a draw counting a half."""
    try:
        return mean_score(match.game, *match.sides, dict(match.choices)).value
    except DistributionError:
        orders = turn_orders(match.game)
        p_win = _orders([_last(match, "duel", first, FEW_TRIALS)[0] for first in orders])[-1].p_win
        return p_win["a"] + p_win["draw"] / 2


def _even(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the changes of single numbers that make a match even, the best first, as they are found."""
    match, changes = Match.of(request, "now"), list[EvenChange]()
    for change in even_changes(match.game, *match.sides, dict(match.choices)):
        changes = in_order([*changes, change])
        yield {"changes": [{**vars(each), "text": show_probability(each.score)} for each in changes]}
    yield {"changes": [{**vars(each), "text": show_probability(each.score)} for each in changes], "is_whole": True}


def _file(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the game as one file."""
    match = Match.of(request, "now")
    yield {"text": joined_file(match.rules, match.table)}


def _table(request: Mapping[str, Any]) -> Iterator[Part]:
    """Yield units that were pasted, or read from a file, as a table."""
    table = with_names(rows_of(request["text"], Path("units"), set(SPELLINGS)))
    (_, header), *body = table.rows
    names = [SPELLINGS.get(slug(cell), cell) for cell in header]
    comma = partial(DECIMAL_COMMA.sub, r"\1.\2") if table.comma else str
    yield {"table": [names, *([*map(comma, cells)] for _, cells in body)]}


ASKS: dict[str, Callable[[Mapping[str, Any]], Iterator[Part]]] = {
    "answers": _answers,
    "cell": _cell,
    "even": _even,
    "file": _file,
    "table": _table,
}
