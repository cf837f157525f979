"""What `balance luck GAME KIND` says of a whole field: what is decided before the first die."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from balance.analysis.luck.field import PARTS, FieldLuck, applies
from balance.base.numbers import show_many, show_probability, show_probability_change
from balance.verbs.render.screens import in_one_line, rests_on, screen_of
from balance.verbs.render.terminal import bar, line, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.game.loaded import LoadedGame

__all__ = ["as_json", "blocks"]

SCHEMA = 1


def blocks(loaded: LoadedGame, found: FieldLuck, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    how = f"simulated, {show_many(found.n_trials, 'trial')}" if found.n_trials else "exact"
    played = f"How it is played: {found.kind.played}"
    foot = [line(played) if more else in_one_line(played)] if found.kind.played else []
    where = rests_on(loaded, f"{how}, {show_many(found.n_cells, 'match-up')}")
    return screen_of(_sentence(found), _parts(found), where, more, foot=foot)


def _sentence(found: FieldLuck) -> str:
    """Return what decides most, and what chance does."""
    told = {part: text for part, text in PARTS.items() if applies(found, part)}
    most = max(told, key=lambda part: found.shares[part])
    share = show_probability(found.shares[most])
    first = f"What decides a {found.kind.name} most is {told[most].partition(':')[0]}: {share}"
    return f"{first}." if most == "chance" else f"{first}; chance decides {show_probability(found.shares['chance'])}."


def _parts(found: FieldLuck) -> Iterator[RenderableType]:
    """Yield what the score hangs on, and what going first is worth."""
    kind = found.kind
    yield line(_drawn(found), after=1)
    rows = [
        (told, show_probability(found.shares[part]), bar(found.shares[part]))
        for part, told in PARTS.items()
        if applies(found, part)
    ]
    yield table(["what the score hangs on", "share", ""], rows, right=("share",))
    if found.first_mover is not None:
        told = show_probability_change(found.first_mover, unit="")
        yield line(f"Going first is worth {told} percentage points of the score on average, against second.", after=1)
    if found.ways == ():
        more = " --play lets both sides vary how they play." if kind.habits else ""
        yield line(f"Everybody plays as {_played(found)}, so skill is not measurable here.{more}", "dim", after=1)


def _drawn(found: FieldLuck) -> str:
    sides = " against ".join(show_many(len(ids), "entrant") for ids in found.entrants)
    begun = "" if found.first_mover is None else ", either going first"
    ways = "" if not found.ways else f", each side in any of {', '.join(found.ways[0])}"
    field = f"Any two of {sides}" if len(found.entrants) == 1 else f"Any one of {sides}"
    return f"{field}{begun}{ways}."


def _played(found: FieldLuck) -> str:
    chosen = [f"{name}={value}" for name, value in found.choices]
    return f"chosen ({', '.join(chosen)})" if chosen else "by default"


def as_json(loaded: LoadedGame, found: FieldLuck, seed: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "luck",
        "kind": found.kind.name,
        "entrants": list(map(list, found.entrants)),
        "choices": dict(found.choices),
        "ways": list(map(list, found.ways)),
        "shares": {part: found.shares[part] if applies(found, part) else None for part in PARTS},
        "first_mover": found.first_mover,
        "n_cells": found.n_cells,
        "n_trials": found.n_trials,
        "seed": seed,
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }
