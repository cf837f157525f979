"""`balance handicap`: the smallest single changes that make a match-up even, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from balance.analysis.changes.handicaps.match_up_score import search_trials
from balance.answers.media.screens import changes_line, plays_of, rests_on, screen_of
from balance.answers.media.terminal import line, table
from balance.base.errors import comma_list
from balance.base.numbers import show_interval, show_many, show_probability
from balance.verbs.render.fairness.handicap_bids import score_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.changes.handicaps.remedies import Remedies, Remedy
    from balance.answers.documents import handicaps
    from balance.game.loaded import LoadedGame

SCHEMA: Final = 1
MOST_ROWS = 12


def blocks(game: LoadedGame, remedies: Remedies, is_pair: bool, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    plays = plays_of(game, remedies.queries[0])
    method = (
        "exact"
        if remedies.score.is_exact
        else f"simulated, {plays and f'{plays}, '}{_trials_text(game, remedies)}, seed {seed}"
    )
    foot = changes_line(remedies.queries[0], of_field=not is_pair)
    return screen_of(
        sentence(remedies, is_pair), _parts(game, remedies, is_pair), rests_on(game, method), more, foot=foot
    )


def _trials_text(game: LoadedGame, remedies: Remedies) -> str:
    """Return the number of trials of each change, or from the fewest to the most in a search that narrows down."""
    *fewer, most = search_trials(game.kind(remedies.queries[0].kind))
    return f"{fewer[0]:,} to {most:,} trials a change" if fewer else f"{remedies.score.n_trials:,} trials each"


def sentence(remedies: Remedies, is_pair: bool) -> str:
    """Return whether it is even as it is, and which smallest change would make it so."""
    text = _as_it_is(remedies, is_pair)
    if remedies.is_even:
        return text
    fit = [remedy for remedy in remedies.remedies if remedy.fits]
    if not fit:
        return f"{text} {NO_REMEDY}{NEAREST if remedies.remedies else ''}."
    best = fit[0]
    ways = "one change makes it even" if len(fit) == 1 else f"each of {show_many(len(fit), 'change')} makes it even"
    return f"{text} {ways[:1].upper()}{ways[1:]}, the smallest {best.change}: it then scores {score_text(best.score)}."


def _parts(game: LoadedGame, remedies: Remedies, is_pair: bool) -> Iterator[RenderableType]:
    """Yield the table of changes, the smallest that help first, and which had no effect or could not be tried."""
    if remedies.is_even:
        return
    query, rows = remedies.queries[0], [_row(remedy) for remedy in remedies.remedies[:MOST_ROWS]]
    if rows:
        yield table(["change", "from", "score", "on fresh dice", "even"], rows, right=("score",), whole=("change",))
    if (more := len(remedies.remedies) - MOST_ROWS) > 0:
        yield line(f"{show_many(more, 'change')} more that help less: --json lists all.", "dim", 1)
    if not is_pair:
        yield line("a is whoever goes first, b whoever goes second, in every match-up of the field.", "dim", 1)
    if remedies.without_effect:
        yield line(
            f"Not measurable here, as no move changes anything: {comma_list(remedies.without_effect)}.", "dim", 1
        )
    if remedies.no_lost_action:
        yield line(f"A lost first action is not applicable here: {remedies.no_lost_action}.", "dim", 1)
    if is_pair and game.kind(query.kind).solve is not None:
        ask = f"balance solve {game.typed()} {query.side_a} {query.side_b} --method approximate"
        yield line(f"What makes it even when both sides play as well as can be found: {ask}", "dim", 1)
    if not is_pair:
        yield line(f"As a bid: balance handicap {game.typed()} --kind {query.kind} --bid FIELD", "dim")


NO_REMEDY = "No single number that may move makes it even"
NEAREST = "; these bring it nearest"


def _as_it_is(remedies: Remedies, is_pair: bool) -> str:
    ends = show_interval(*remedies.band, show=lambda share: show_probability(share, 0))
    query = remedies.queries[0]
    side = (
        f"{query.side_a} against {query.side_b}"
        if is_pair
        else f"Over {show_many(len(remedies.queries), 'match-up')} going first"
    )
    verdict = "even as it is" if remedies.is_even else "not even"
    return f"{side} scores {score_text(remedies.score)}: {verdict}, at a band of {ends}."


def _row(remedy: Remedy) -> tuple[str, ...]:
    fresh = "" if remedy.fresh is None else show_interval(remedy.fresh.low, remedy.fresh.high, show_probability)
    return remedy.change, remedy.old, score_text(remedy.score), fresh, "yes" if remedy.fits else "no"


def as_json(game: LoadedGame, remedies: Remedies, seed: int) -> handicaps.Remedies:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.verbs.render.answers.json import estimate_json, known_json

    query = remedies.queries[0]
    is_pair = len(remedies.queries) == 1
    return {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "handicap",
        "kind": query.kind,
        "entrants": [query.side_a, query.side_b]
        if is_pair
        else list(dict.fromkeys(match_up.side_a for match_up in remedies.queries)),
        "first": query.first,
        "changes": list(query.changes),
        "band": list(remedies.band),
        "score": estimate_json(remedies.score),
        "is_even": remedies.is_even,
        "remedies": [
            {
                "side": remedy.side,
                "field": remedy.field,
                "from": remedy.old or None,
                "to": remedy.new,
                "steps": remedy.steps,
                "score": estimate_json(remedy.score),
                "fresh": known_json(remedy.fresh),
                "even": remedy.fits,
            }
            for remedy in remedies.remedies
        ],
        "not_measurable_here": list(remedies.without_effect),
        "no_lost_action": remedies.no_lost_action or None,
        "seed": seed,
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }
