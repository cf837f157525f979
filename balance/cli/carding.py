"""`balance card`: what every small change of a card does, and what two abilities do together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from balance.cli import completing, options
from balance.cli.exits import say_json
from balance.errors import Fault, UsageError, gathering, listed
from balance.numbers import (
    show_many,
    show_number,
    show_probability,
    show_probability_change,
    show_signed,
)
from balance.render.screens import rests_on, screen_of
from balance.render.terminal import line, say, table
from balance.verbs.means import Means, answering
from balance.verbs.words import who_is_nobody, words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.neighbour_points import InPoints
    from balance.analysis.neighbours import Neighbour, Neighbourhood
    from balance.core import Estimate
    from balance.protocol.loaded import LoadedGame

__all__ = ["card"]

SCHEMA = 1
MOST_PAIRS = 6
SCORE = "score, % points"

Card = Annotated[str, options.argument("CARD", "A card, or an entrant that holds several.", completing.priced)]
Points = Annotated[
    bool, options.flag("--points", told="Say too what each change is worth in points; this takes a minute or more.")
]
Among = Annotated[
    str | None,
    options.option("--among", metavar="IDS", told="Whom it meets, parted by commas; without it 12 drawn by the seed."),
]


def card(
    game: options.GameName,
    card: Card,
    among: Among = None,
    changes: options.Changes = None,
    points: Points = False,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    more: options.More = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say what every small change of a card does, and what two abilities do together."""
    from balance.analysis.neighbour_points import neighbour_points
    from balance.analysis.neighbours import neighbourhood
    from balance.core.streams import check_seed
    from balance.protocol.loaded import load

    faults, loaded, field = list[Fault](), None, words(among) if among is not None else []
    with gathering(faults):
        check_seed(seed)
    with gathering(faults):
        loaded = load(game, catalogue)
        faults += _unknown(loaded, card, field)
    if faults or loaded is None:
        raise UsageError(faults)
    with answering(loaded, Means(1, no_cache=True), quiet or as_json) as runner:
        found = neighbourhood(runner, card, field, tuple(changes or ()), seed)
        worth = neighbour_points(runner, found, seed) if points else None
    say_json(_as_json(loaded, found, worth, seed)) if as_json else say(*_blocks(loaded, found, worth, more))


def _unknown(loaded: LoadedGame, card: str, field: Sequence[str]) -> list[Fault]:
    """Return what is wrong with a card that nobody holds, and with those of the field who are nobody."""
    from balance.analysis.neighbours import holders_of

    faults = list[Fault]()
    with gathering(faults):
        holders_of(loaded, card, 0)
    return [*faults, *who_is_nobody(loaded, field)]


def _blocks(loaded: LoadedGame, found: Neighbourhood, worth: InPoints | None, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    how = "exact" if found.score.is_exact else f"simulated, {found.score.n_trials:,} trials each"
    return screen_of(
        _sentence(found),
        _tables(found, worth),
        rests_on(loaded, how),
        more,
        foot=[line(_in_points(loaded, found, worth), "dim")],
    )


def _sentence(found: Neighbourhood) -> str:
    """Return what a card does as it is, and which change does most."""
    held = "" if found.holders == (found.card,) else f", held by {listed(found.holders)},"
    told = f"{found.card}{held} {_as_it_is(found)} against {show_many(len(found.field), 'opponent')}"
    seen = [one for one in found.neighbours if one.seen and one.score is not None]
    if seen:
        best = max(seen, key=lambda one: abs(one.score.value))
        told += f"; of its changes {best.change} moves the score most, by {_change(best.score)} percentage points"
    return f"{told}."


def _tables(found: Neighbourhood, worth: InPoints | None) -> Iterator[RenderableType]:
    """Yield the changes, the best first, the pairs of abilities, and what could not be tried."""
    shown = sorted((one for one in found.neighbours if one.seen), key=lambda one: -one.score.value)
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
    if unseen := [str(one.change) for one in found.neighbours if not one.seen]:
        yield line(f"Not measurable here, as nothing changes: {listed(unseen)}.", "dim", 1)
    if found.refused:
        yield line(f"Refused by the rules: {listed(map(str, found.refused))}.", "dim", 1)


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


def _as_json(loaded: LoadedGame, found: Neighbourhood, worth: InPoints | None, seed: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.render.answer_json import estimate_json

    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "card",
        "card": found.card,
        "holders": list(found.holders),
        "field": list(found.field),
        "score": estimate_json(found.score),
        "actions_to_kill": found.kills,
        "actions_it_stands": found.stands,
        "changes": [_change_json(one, worth) for one in found.neighbours],
        "pairs": [
            {
                "changes": list(pair.words),
                "alone": [estimate_json(one) for one in pair.alone],
                "together": estimate_json(pair.together),
                "beyond": estimate_json(pair.beyond),
            }
            for pair in found.pairs
        ],
        "refused": [str(one) for one in found.refused],
        "points": None if worth is None else {"kind": worth.kind or None, "not_measurable_here": worth.why_not or None},
        "seed": seed,
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }


def _change_json(one: Neighbour, worth: InPoints | None) -> dict[str, Any]:
    from balance.render.answer_json import known_json

    return {
        "field": one.change.field,
        "from": one.change.old,
        "to": one.change.new,
        "word": one.change.word or None,
        "score": known_json(one.score if one.seen else None),
        "actions_to_kill": one.kills if one.seen else None,
        "actions_it_stands": one.stands if one.seen else None,
        **({} if worth is None else {"points": known_json(worth.points.get(one.change))}),
    }
