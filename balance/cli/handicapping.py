"""`balance handicap`: the smallest change that makes a match-up even, or takes the edge off going first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from balance.cli import options
from balance.cli.asking import FIRST, chosen, who_begins
from balance.cli.exits import say_json
from balance.cli.playing import Means, answering
from balance.cli.shares import parse_band_around_half
from balance.cli.terminal import line, say, table, title
from balance.errors import UsageError, listed
from balance.numbers import show_interval, show_many, show_probability

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.remedies import Remedies, Remedy
    from balance.core import Estimate
    from balance.protocol.loaded import LoadedGame

__all__ = ["handicap"]

SCHEMA = 1
MOST_ROWS = 12

Kind = Annotated[
    str,
    options.option("--kind", metavar="KIND", told="Which kind of question with a winner; without it the plainest."),
]
Fields = Annotated[
    list[str] | None,
    options.option(
        "--field",
        metavar="FIELD",
        told="Which number may move: health, or b.health of one side; several parted by commas. Without it all.",
    ),
]
Band = Annotated[
    str, options.option("--band", metavar="LOW:HIGH", told="Between which scores, in per cent, a match-up is even.")
]
Among = Annotated[
    str | None,
    options.option(
        "--among", metavar="IDS", told="Without sides: who is in the field, parted by commas; else 12 drawn."
    ),
]


def handicap(
    game: options.GameName,
    one: Annotated[str, options.entrant("[ONE]", "One side; without both, the first move of a field.", 0)] = "",
    other: Annotated[str, options.entrant("[OTHER]", "The other side.", 1)] = "",
    kind: Kind = "",
    field: Fields = None,
    band: Band = "45:55",
    among: Among = None,
    first: options.First = FIRST,
    changes: options.Changes = None,
    choices: options.Choices = None,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say which smallest change makes a match-up even, or takes the edge off going first."""
    from balance.analysis.remedies import first_move_remedies, remedies
    from balance.core.streams import check_seed
    from balance.engine.query import Query
    from balance.protocol.loaded import load

    check_seed(seed)
    ends, fields = parse_band_around_half(band), options.words(*(field or ()))
    loaded = load(game, catalogue)
    asked = kind or loaded.game.name_about("winner")
    if bool(one) != bool(other):
        raise UsageError(f"against whom is {one}?", "name the other side too, or none for the first move of a field")
    if one and among is not None:
        raise UsageError("--among is about a field, not about two sides", "leave out the sides, or --among")
    if not one and (changes or choices):
        raise UsageError("--set and --choose are about two sides, and a field has none", "name both sides")
    names = options.words(among) if among is not None else []
    with answering(loaded, Means(1, no_cache=True), quiet or as_json) as runner:
        if one:
            begins = who_begins(loaded, asked, first)
            query = Query(asked, one, other, tuple(changes or ()), begins, tuple(chosen(choices).items()))
            found = remedies(runner, query, fields, ends, seed)
        else:
            found = first_move_remedies(runner, asked, names, fields, ends, seed)
    say_json(_as_json(loaded, found, seed)) if as_json else say(*_blocks(loaded, found, bool(one)))


def _blocks(loaded: LoadedGame, found: Remedies, is_pair: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom."""
    query = found.queries[0]
    what = f"{query.one} against {query.other}" if is_pair else f"the first move of {query.kind}s"
    how = "exact" if found.score.is_exact else f"{found.score.n_trials:,} trials each"
    yield title(f"{loaded.game.title}: handicap, {what}", how)
    yield line(_as_it_is(found, is_pair), after=1)
    if found.is_even:
        return
    rows = [_row(one) for one in found.found[:MOST_ROWS]]
    fit = sum(one.fits for one in found.found)
    yield line(
        f"{show_many(fit, 'single change')} would make it even; the smallest first." if fit else NOTHING, after=1
    )
    if rows:
        yield table(["change", "from", "score", "on fresh dice", "even"], rows, right=("score",), whole=("change",))
    if (more := len(found.found) - MOST_ROWS) > 0:
        yield line(f"{show_many(more, 'change')} more that help less: --json lists all.", "dim", 1)
    if not is_pair:
        yield line("a is whoever goes first, b whoever goes second, in every match-up of the field.", "dim", 1)
    if found.unseen:
        yield line(f"Not measurable here, as no move changes anything: {listed(found.unseen)}.", "dim")


NOTHING = "No single number that may move makes it even; these bring it nearest."


def _as_it_is(found: Remedies, is_pair: bool) -> str:
    ends = show_interval(*found.band, show=lambda share: show_probability(share, 0))
    side = found.queries[0].one if is_pair else f"Over {show_many(len(found.queries), 'match-up')} going first"
    verdict = "even as it is" if found.is_even else "not even"
    return f"{side} scores {_number(found.score)}: {verdict}, at a band of {ends}."


def _row(one: Remedy) -> tuple[str, ...]:
    fresh = "" if one.fresh is None else show_interval(one.fresh.low, one.fresh.high, show_probability)
    return one.change, one.old, _number(one.score), fresh, "yes" if one.fits else "no"


def _number(found: Estimate) -> str:
    interval = "" if found.is_exact else f" ({show_interval(found.low, found.high, show_probability)})"
    return f"{show_probability(found.value)}{interval}"


def _as_json(loaded: LoadedGame, found: Remedies, seed: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.cli.answer_json import estimate_json

    query = found.queries[0]
    is_pair = len(found.queries) == 1
    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "handicap",
        "kind": query.kind,
        "entrants": [query.one, query.other] if is_pair else list(dict.fromkeys(one.one for one in found.queries)),
        "first": query.first,
        "changes": list(query.changes),
        "band": list(found.band),
        "score": estimate_json(found.score),
        "is_even": found.is_even,
        "remedies": [
            {
                "side": one.side,
                "field": one.field,
                "from": one.old or None,
                "to": one.new,
                "steps": one.steps,
                "score": estimate_json(one.score),
                "fresh": None if one.fresh is None else estimate_json(one.fresh),
                "even": one.fits,
            }
            for one in found.found
        ],
        "not_measurable_here": list(found.unseen),
        "seed": seed,
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }
