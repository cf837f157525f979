"""What `balance card` prints: what every small change of a card does, and what two abilities do together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from balance.base.errors import listed
from balance.base.numbers import show_many, show_number, show_probability, show_probability_change, show_signed
from balance.verbs.render.screens import rests_on, screen_of
from balance.verbs.render.terminal import line, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.changes.neighbours.neighbour_points import InPoints
    from balance.analysis.changes.neighbours.neighbours import Neighbour, Neighbourhood
    from balance.chance.trials.estimate import Estimate
    from balance.game.loaded import LoadedGame

__all__ = ["blocks", "sentence"]

MOST_PAIRS = 6
SCORE = "score, % points"


def blocks(loaded: LoadedGame, found: Neighbourhood, worth: InPoints | None, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    how = "exact" if found.score.is_exact else f"simulated, {found.score.n_trials:,} trials each"
    return screen_of(
        sentence(found),
        _tables(found, worth),
        rests_on(loaded, how),
        more,
        foot=[line(_in_points(loaded, found, worth), "dim")],
    )


def sentence(found: Neighbourhood) -> str:
    """Return what a card does as it is, and which change does most."""
    held = "" if found.holders == (found.card,) else f", held by {listed(found.holders)},"
    told = f"{found.card}{held} {_as_it_is(found)} against {show_many(len(found.field), 'opponent')}"
    seen = [one for one in found.neighbours if one.has_effect and one.score is not None]
    if seen:
        best = max(seen, key=lambda one: abs(one.score.value))
        told += f"; of its changes {best.change} moves the score most, by {_change(best.score)} percentage points"
    return f"{told}."


def _tables(found: Neighbourhood, worth: InPoints | None) -> Iterator[RenderableType]:
    """Yield the changes, the best first, the pairs of abilities, and what could not be tried."""
    shown = sorted((one for one in found.neighbours if one.has_effect), key=lambda one: -one.score.value)
    has = [name for name in ("kills", "stands") if any(getattr(one, name) is not None for one in shown)]
    heads = {"kills": "actions to kill", "stands": "actions it stands"}
    if shown:
        rows = [
            (str(one.change), _change(one.score), *_points(one, worth), *(_actions(one, name) for name in has))
            for one in shown
        ]
        priced = ("points",) if worth is not None and worth.points else ()
        titles = ["change", SCORE, *priced, *(heads[name] for name in has)]
        yield table(titles, rows, right=(SCORE, "points", *heads.values()), whole=("change", "points"))
    yield from _pairs(found)
    if unseen := [str(one.change) for one in found.neighbours if not one.has_effect]:
        yield line(f"Not measurable here, as nothing changes: {listed(unseen)}.", "dim", 1)
    if found.refusals:
        yield line(f"Refused by the rules: {listed(map(str, found.refusals))}.", "dim", 1)


def _in_points(loaded: LoadedGame, found: Neighbourhood, worth: InPoints | None) -> str:
    """Return what the points are, or how to have them."""
    verb, price = f"balance card {loaded.game.name} {found.card}", f"balance price {loaded.game.name} {found.card}"
    if worth is None:
        return f"In points, in a minute or more: {verb} --points. Its own cost: {price}"
    if worth.why_not:
        return f"Points are not measurable here: {worth.why_not}."
    taken = f"Points: in {worth.kind}s, in which all printed costs are taken as fair."
    return f"{taken} Its own cost, and its changes at fair costs: {price}"


def _points(one: Neighbour, worth: InPoints | None) -> tuple[str, ...]:
    """Return the column of points, if there is one."""
    if worth is None or not worth.points:
        return ()
    points = worth.points.get(one.change)
    if points is None:
        return ("not measurable",)
    return (f"{show_signed(points.value, 2)} ± {show_number(points.half_width, 1)}",)


def _pairs(found: Neighbourhood) -> Iterator[RenderableType]:
    """Yield the pairs of abilities that do most beyond what each does alone."""
    pairs = sorted(found.pairs, key=lambda pair: (-abs(pair.beyond.value), pair.words))[:MOST_PAIRS]
    if pairs:
        rows = [(" and ".join(pair.words), *map(_change, (*pair.alone, pair.together, pair.beyond))) for pair in pairs]
        heads = ["two together, % points", "the first", "the second", "both", "beyond"]
        yield table(heads, rows, right=tuple(heads[1:]))


def _as_it_is(found: Neighbourhood) -> str:
    told = [f"scores {show_probability(found.score.value)}"]
    told += [f"kills in {show_number(found.kills)} actions"] if found.kills is not None else []
    told += [f"stands {show_number(found.stands)} actions"] if found.stands is not None else []
    return ", ".join(told)


def _change(change: Estimate) -> str:
    error = "" if change.is_exact else f" ± {100 * change.half_width:.1f}"
    return f"{show_probability_change(change.value, unit='')}{error}"


def _actions(one: Neighbour, name: str) -> str:
    value = getattr(one, name)
    return "" if value is None else show_signed(value, 2) if abs(value) > 1e-9 else "0"
