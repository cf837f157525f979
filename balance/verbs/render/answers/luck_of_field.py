"""`balance luck GAME KIND`: how much of a score in a field depends on who plays, on going first, and on chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from balance.analysis.luck.field import PARTS, FieldLuck, applies
from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import Shortened, bar, line, table
from balance.base.numbers import show_many, show_probability, show_probability_change

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.answers.documents import sources

SCHEMA: Final = 1


def blocks(field_luck: FieldLuck, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    method = f"simulated, {show_many(field_luck.n_trials, 'trial')}" if field_luck.n_trials else "exact"
    play_text = f"How it is played: {field_luck.kind.played}"
    foot = [line(play_text) if more else Shortened(play_text)] if field_luck.kind.played else []
    basis = rests_on(field_luck.game, f"{method}, {show_many(field_luck.n_cells, 'match-up')}")
    return screen_of(sentence(field_luck), _parts(field_luck), basis, more, foot=foot)


def sentence(field_luck: FieldLuck) -> str:
    """Return what decides most, and what chance does."""
    part_texts = {part: text for part, text in PARTS.items() if applies(field_luck, part)}
    largest_part = max(part_texts, key=lambda part: field_luck.shares[part])
    share = show_probability(field_luck.shares[largest_part])
    first = f"What decides a {field_luck.kind_name} most is {part_texts[largest_part].partition(':')[0]}: {share}"
    return (
        f"{first}."
        if largest_part == "chance"
        else f"{first}; chance decides {show_probability(field_luck.shares['chance'])}."
    )


def _parts(field_luck: FieldLuck) -> Iterator[RenderableType]:
    """Yield the table of shares, and how many percentage points going first is worth."""
    kind = field_luck.kind
    yield line(_match_ups_text(field_luck), after=1)
    rows = [
        (text, show_probability(field_luck.shares[part]), bar(field_luck.shares[part]))
        for part, text in PARTS.items()
        if applies(field_luck, part)
    ]
    yield table(["what the score hangs on", "share", ""], rows, right=("share",))
    if field_luck.first_mover is not None:
        text = show_probability_change(field_luck.first_mover, unit="")
        yield line(
            f"Going first is worth {text} percentage points of the score on average over two that differ.", after=1
        )
    if field_luck.ways == ():
        more = " --play lets both sides vary how they play." if kind.habits else ""
        yield line(
            f"Everybody plays as {_choices_text(field_luck)}, so skill is not measurable here.{more}", "dim", after=1
        )


def _match_ups_text(field_luck: FieldLuck) -> str:
    sides = " against ".join(show_many(len(ids), "entrant") for ids in field_luck.entrants)
    first_mover_text = "" if field_luck.first_mover is None else ", either going first"
    ways = "" if not field_luck.ways else f", each side in any of {', '.join(field_luck.ways[0])}"
    field = f"Any two of {sides}" if len(field_luck.entrants) == 1 else f"Any one of {sides}"
    return f"{field}{first_mover_text}{ways}."


def _choices_text(field_luck: FieldLuck) -> str:
    choices = [f"{name}={value}" for name, value in field_luck.choices]
    return f"chosen ({', '.join(choices)})" if choices else "by default"


def as_json(field_luck: FieldLuck, seed: int) -> sources.FieldLuck:
    """Return the one object that --json prints; the seed is that of the simulation, and of the field that was drawn."""
    game = field_luck.game
    return {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "luck",
        "kind": field_luck.kind_name,
        "entrants": list(map(list, field_luck.entrants)),
        "choices": dict(field_luck.choices),
        "ways": list(map(list, field_luck.ways)),
        "shares": {part: field_luck.shares[part] if applies(field_luck, part) else None for part in PARTS},
        "first_mover": field_luck.first_mover,
        "n_cells": field_luck.n_cells,
        "n_trials": field_luck.n_trials,
        "seed": seed,
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }
