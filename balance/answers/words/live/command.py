"""The command that says what a page shows: with changed numbers in it, or about the game as it was saved."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from balance.answers.words.live.match import Match
from balance.rulebook.plain.reading import Card, PlainGame
from balance.rulebook.play.rules import policy_name

SIDES = {"attack": ("attacker", "defender"), "kill": ("attacker", "defender"), "duel": ("a", "b")}


def command_of(kind: str, match: Match, before: Match | None, request: Mapping[str, Any]) -> str:
    """Return what to type in a terminal; `request` has the name of the file, and of the one to be saved."""
    shipped = request.get("shipped")
    sets = list[str]() if before is None else _sets(kind, match, before, shipped)
    is_saved = sets is None or (before is None and bool(request.get("before")))
    words = ["balance", kind, request["saved" if is_saved else "file"], match.a, match.b]
    if shipped and not is_saved:
        words[2:] = [*shipped["game"], *(shipped["entrants"][side] for side in (match.a, match.b))]
        sets = [*shipped["sets"], *(sets or ())]
    words += [word for text in sets or () for word in ("--set", text)]
    if kind == "duel":
        words += [word for name, option in match.choices for word in ("--choose", f"{name}={option}")]
    return shlex.join(words)


def _sets(kind: str, match: Match, before: Match, shipped: Mapping[str, Any] | None) -> list[str] | None:
    """Return the changes to set; None where more differs than numbers and keywords of the two units."""
    pairs = [*zip(SIDES[kind], match.sides, before.sides, strict=True)]
    book = before.game.book
    known = {*book.keywords, *book.card_keywords}
    is_alike = match.rules == before.rules and match.table[0] == before.table[0]
    if not is_alike or any(card.name != old.name or not card.keywords <= known for _, card, old in pairs):
        return None
    if shipped:
        told = [_changes_of_cards(side, card, old, shipped) for side, card, old in pairs]
        return None if None in told else [text for texts in told for text in texts or ()]
    return [text for side, card, old in pairs for text in _changes(side, card, old)]


def _changes_of_cards(side: str, card: Card, old: Card, shipped: Mapping[str, Any]) -> list[str] | None:
    """Return the changes of what an attack of a shipped game reads of a side; None where it has no such field."""
    fields, words = shipped["fields"], shipped["words"]
    changed = {name for name, value in card.numbers.items() if value != old.numbers[name]}
    moved, told = card.keywords ^ old.keywords, list[str]()
    if not changed <= {*chain(*fields.values())} or not moved <= {
        *chain(*chain(*(own.values() for own in words.values())))
    }:
        return None
    told += [f"{side}.{path}={card.numbers[name]}" for name, path in fields[side].items() if name in changed]
    for path, options in words[side].items():
        if moved & {*options}:
            told.append(f"{side}.{path}={','.join(sorted(card.keywords & {*options})) or 'none'}")
    return told


def _changes(side: str, card: Card, old: Card) -> Iterator[str]:
    for name, value in card.numbers.items():
        if value != old.numbers[name]:
            yield f"{side}.{name}={value}"
    if card.keywords != old.keywords:
        yield f"{side}.keywords={','.join(sorted(card.keywords))}"


def choices_of(game: PlainGame) -> list[dict[str, Any]]:
    """Return what each side may be told to choose in a duel: the name that --choose takes, words, and options."""
    choices = game.book.choices.values()
    return [
        {
            "name": f"{policy_name(game.book, choice)}_{side}",
            "label": f"{side}: {choice.name.replace('_', ' ')}",
            "options": [*choice.options, *choice.policies],
        }
        for side in "ab"
        for choice in choices
    ]
