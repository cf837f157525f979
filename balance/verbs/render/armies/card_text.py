"""What `balance card` prints: what every small change of a card does, and what two abilities do together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import line, table
from balance.base.errors import comma_list
from balance.base.numbers import show_many, show_number, show_probability, show_probability_change, show_signed

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.changes.neighbours.neighbour_points import InPoints
    from balance.analysis.changes.neighbours.neighbours import Neighbour, Neighbourhood
    from balance.chance.trials.estimate import Estimate
    from balance.game.loaded import LoadedGame

MOST_PAIRS = 6
SCORE = "score, % points"


def blocks(
    game: LoadedGame, neighbourhood: Neighbourhood, worth: InPoints | None, more: bool
) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen.

    Parameters
    ----------
    game
        The game with its catalogue.
    neighbourhood
        What every small change of the card does.
    worth
        What the changes are worth in points; None where that was not asked.
    more
        Whether everything is printed, instead of the first screen.
    """
    method = "exact" if neighbourhood.score.is_exact else f"simulated, {neighbourhood.score.n_trials:,} trials each"
    return screen_of(
        sentence(neighbourhood),
        _tables(neighbourhood, worth),
        rests_on(game, method),
        more,
        foot=[line(_in_points(game, neighbourhood, worth), "dim")],
    )


def sentence(neighbourhood: Neighbourhood) -> str:
    """Return what a card does as it is, and which change does most."""
    holders_text = (
        "" if neighbourhood.holders == (neighbourhood.card,) else f", held by {comma_list(neighbourhood.holders)},"
    )
    opponents = show_many(len(neighbourhood.field), "opponent")
    text = f"{neighbourhood.card}{holders_text} {_as_it_is(neighbourhood)} against {opponents}"
    visible = [
        neighbour for neighbour in neighbourhood.neighbours if neighbour.has_effect and neighbour.score is not None
    ]
    if visible:
        best = max(visible, key=lambda neighbour: abs(neighbour.score.value))
        text += f"; {best.change} changes its score most, by {_change(best.score)} percentage points"
    return f"{text}."


def _tables(neighbourhood: Neighbourhood, worth: InPoints | None) -> Iterator[RenderableType]:
    """Yield the changes, the best first, the pairs of abilities, and what could not be tried."""
    visible = sorted(
        (neighbour for neighbour in neighbourhood.neighbours if neighbour.has_effect),
        key=lambda neighbour: -neighbour.score.value,
    )
    has = [name for name in ("kills", "stands") if any(getattr(neighbour, name) is not None for neighbour in visible)]
    heads = {"kills": "actions to kill", "stands": "actions it stands"}
    if visible:
        rows = [
            (
                str(neighbour.change),
                _change(neighbour.score),
                *_points(neighbour, worth),
                *(_actions(neighbour, name) for name in has),
            )
            for neighbour in visible
        ]
        point_heads = ("points",) if worth is not None and worth.points else ()
        titles = ["change", SCORE, *point_heads, *(heads[name] for name in has)]
        yield table(titles, rows, right=(SCORE, "points", *heads.values()), whole=("change", "points"))
    yield from _pairs(neighbourhood)
    if without_effect := [str(neighbour.change) for neighbour in neighbourhood.neighbours if not neighbour.has_effect]:
        yield line(f"Not measurable here, as nothing changes: {comma_list(without_effect)}.", "dim", 1)
    if neighbourhood.refusals:
        yield line(f"Refused by the rules: {comma_list(map(str, neighbourhood.refusals))}.", "dim", 1)


def _in_points(game: LoadedGame, neighbourhood: Neighbourhood, worth: InPoints | None) -> str:
    """Return what the points are, or how to have them."""
    verb, price = (
        f"balance card {game.typed()} {neighbourhood.card}",
        f"balance price {game.typed()} {neighbourhood.card}",
    )
    if worth is None:
        return f"In points, in a minute or more: {verb} --points. Its own cost: {price}"
    if worth.why_not:
        return f"Points are not measurable here: {worth.why_not}."
    points_text = f"Points: in {worth.kind}s, in which all printed costs are taken as fair."
    return f"{points_text} Its own cost, and its changes at fair costs: {price}"


def _points(neighbour: Neighbour, worth: InPoints | None) -> tuple[str, ...]:
    """Return the column of points, if there is one."""
    if worth is None or not worth.points:
        return ()
    points = worth.points.get(neighbour.change)
    if points is None:
        return ("not measurable",)
    return (f"{show_signed(points.value, 2)} ± {show_number(points.half_width, 1)}",)


def _pairs(neighbourhood: Neighbourhood) -> Iterator[RenderableType]:
    """Yield the pairs of abilities that do most beyond what each does alone."""
    pairs = sorted(neighbourhood.pairs, key=lambda pair: (-abs(pair.beyond.value), pair.words))[:MOST_PAIRS]
    if pairs:
        rows = [(" and ".join(pair.words), *map(_change, (*pair.alone, pair.together, pair.beyond))) for pair in pairs]
        heads = ["two together, % points", "the first", "the second", "both", "beyond"]
        yield table(heads, rows, right=tuple(heads[1:]))


def _as_it_is(neighbourhood: Neighbourhood) -> str:
    facts = [f"scores {show_probability(neighbourhood.score.value)}"]
    facts += [f"needs {show_number(neighbourhood.kills)} actions to kill"] if neighbourhood.kills is not None else []
    facts += [f"survives {show_number(neighbourhood.stands)}"] if neighbourhood.stands is not None else []
    return ", ".join(facts)


def _change(change: Estimate) -> str:
    error = "" if change.is_exact else f" ± {100 * change.half_width:.1f}"
    return f"{show_probability_change(change.value, unit='')}{error}"


def _actions(neighbour: Neighbour, name: str) -> str:
    value = getattr(neighbour, name)
    return "" if value is None else show_signed(value, 2) if abs(value) > 1e-9 else "0"
