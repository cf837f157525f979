"""`balance handicap`: the smallest single changes that make a match-up even, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from balance.base.errors import listed
from balance.base.numbers import show_interval, show_many, show_probability
from balance.verbs.render.screens import changes_said, rests_on, screen_of
from balance.verbs.render.terminal import line, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.changes.handicaps.remedies import Remedies, Remedy
    from balance.chance.trials.estimate import Estimate
    from balance.game.loaded import LoadedGame

__all__ = ["as_json", "blocks"]

SCHEMA = 1
MOST_ROWS = 12


def blocks(loaded: LoadedGame, found: Remedies, is_pair: bool, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    how = "exact" if found.score.is_exact else f"simulated, {found.score.n_trials:,} trials each, seed {seed}"
    changed = changes_said(found.queries[0], of_field=not is_pair)
    return screen_of(
        _sentence(found, is_pair), _parts(loaded, found, is_pair), rests_on(loaded, how), more, foot=changed
    )


def _sentence(found: Remedies, is_pair: bool) -> str:
    """Return whether it is even as it is, and which smallest change would make it so."""
    told = _as_it_is(found, is_pair)
    if found.is_even:
        return told
    fit = [one for one in found.remedies if one.fits]
    if not fit:
        return f"{told} {NOTHING}{NEAREST if found.remedies else ''}."
    best = fit[0]
    ways = "one change makes it even" if len(fit) == 1 else f"each of {show_many(len(fit), 'change')} makes it even"
    return f"{told} {ways[:1].upper()}{ways[1:]}, the smallest {best.change}: it then scores {_number(best.score)}."


def _parts(loaded: LoadedGame, found: Remedies, is_pair: bool) -> Iterator[RenderableType]:
    """Yield the changes, the smallest that help first, and what could not be tried."""
    if found.is_even:
        return
    query, rows = found.queries[0], [_row(one) for one in found.remedies[:MOST_ROWS]]
    if rows:
        yield table(["change", "from", "score", "on fresh dice", "even"], rows, right=("score",), whole=("change",))
    if (more := len(found.remedies) - MOST_ROWS) > 0:
        yield line(f"{show_many(more, 'change')} more that help less: --json lists all.", "dim", 1)
    if not is_pair:
        yield line("a is whoever goes first, b whoever goes second, in every match-up of the field.", "dim", 1)
    if found.without_effect:
        yield line(f"Not measurable here, as no move changes anything: {listed(found.without_effect)}.", "dim", 1)
    if found.no_lost_action:
        yield line(f"A lost first action is not applicable here: {found.no_lost_action}.", "dim", 1)
    if not is_pair:
        yield line(f"As a bid: balance handicap {loaded.game.name} --kind {query.kind} --bid FIELD", "dim")


NOTHING = "No single number that may move makes it even"
NEAREST = "; these bring it nearest"


def _as_it_is(found: Remedies, is_pair: bool) -> str:
    ends = show_interval(*found.band, show=lambda share: show_probability(share, 0))
    query = found.queries[0]
    side = (
        f"{query.side_a} against {query.side_b}"
        if is_pair
        else f"Over {show_many(len(found.queries), 'match-up')} going first"
    )
    verdict = "even as it is" if found.is_even else "not even"
    return f"{side} scores {_number(found.score)}: {verdict}, at a band of {ends}."


def _row(one: Remedy) -> tuple[str, ...]:
    fresh = "" if one.fresh is None else show_interval(one.fresh.low, one.fresh.high, show_probability)
    return one.change, one.old, _number(one.score), fresh, "yes" if one.fits else "no"


def _number(found: Estimate) -> str:
    interval = "" if found.is_exact else f" ({show_interval(found.low, found.high, show_probability)})"
    return f"{show_probability(found.value)}{interval}"


def as_json(loaded: LoadedGame, found: Remedies, seed: int) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.verbs.render.answers.json import estimate_json, known_json

    query = found.queries[0]
    is_pair = len(found.queries) == 1
    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "handicap",
        "kind": query.kind,
        "entrants": [query.side_a, query.side_b]
        if is_pair
        else list(dict.fromkeys(one.side_a for one in found.queries)),
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
                "fresh": known_json(one.fresh),
                "even": one.fits,
            }
            for one in found.remedies
        ],
        "not_measurable_here": list(found.without_effect),
        "no_lost_action": found.no_lost_action or None,
        "seed": seed,
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }
