"""`balance handicap --worth NUMBER`: each change of a match-up in steps of one number, for people and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from balance.answers.media.screens import changes_line, plays_of, rests_on, screen_of
from balance.answers.media.terminal import line, table
from balance.base.numbers import show_fixed, show_interval, show_many, show_probability, show_probability_change
from balance.verbs.render.fairness.handicap_bids import score_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.changes.handicaps.worth import ChangeWorth, Worths
    from balance.answers.documents import handicaps
    from balance.chance.trials.estimate import Estimate
    from balance.game.loaded import LoadedGame

SCHEMA: Final = 1
FALSE_SHARE = 0.05
"""Share of changes without any effect whose interval of 95 % leaves out 0 by luck."""


def blocks(game: LoadedGame, worths: Worths, seed: int, more: bool) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    plays = plays_of(game, worths.query)
    method = (
        "exact" if worths.score.is_exact else f"simulated, {plays and f'{plays}, '}{_trials_text(worths)}, seed {seed}"
    )
    foot = changes_line(worths.query)
    return screen_of(sentence(worths), _parts(worths, more), rests_on(game, method), more, foot=foot)


def _trials_text(worths: Worths) -> str:
    return f"{worths.score.n_trials:,} trials a change with the same dice, 95% intervals, each by itself"


def sentence(worths: Worths) -> str:
    """Return which change is worth most, and how much that is."""
    query, n_changes = worths.query, show_many(len(worths.changes), "single change")
    as_it_is = f"{query.side_a} against {query.side_b} scores {score_text(worths.score)}"
    if not worths.changes or not worths.changes[0].is_measurable:
        return f"{as_it_is}. Not measurable here: none of {n_changes} is known to do anything."
    best = worths.changes[0]
    worth = ""
    if best.steps is not None:
        worth = f", as much as {_worth(best)} {_unit(worths)}"
    elif best.beyond is not None:
        worth = f", more than any change of {worths.number.name} that was played does"
    return f"{as_it_is}. Of {n_changes} {best.name} is worth most: it then scores {score_text(best.score)}{worth}."


def _unit(worths: Worths) -> str:
    return f"{worths.number.field} of {worths.number.side}"


def _parts(worths: Worths, more: bool) -> Iterator[RenderableType]:
    """Yield the table of measurable changes, the largest effect first, and how many are not measurable."""
    unit, is_exact = _unit(worths), worths.score.is_exact
    measurable = [change for change in worths.changes if change.is_measurable]
    if measurable:
        columns = {
            "change": [change.name for change in measurable],
            "score": [show_probability(change.score.value) for change in measurable] if is_exact or more else [],
            "effect": [_points(change.effect.value) for change in measurable],
            "95% interval": [] if is_exact else [_ends(change.effect, _points) for change in measurable],
            f"in {unit}": [_worth(change) for change in measurable],
            f"95% interval in {unit}": [_worth_ends(change) for change in measurable] if more and not is_exact else [],
        }
        heads = [head for head, cells in columns.items() if cells]
        rows = list(zip(*(columns[head] for head in heads), strict=True))
        yield table(heads, rows, right=heads[1:], whole=heads[:1])
        yield line("Effects are in percentage points of what the first side scores.", "dim", 1)
    if worths.is_flat:
        yield line(
            f"Not measurable here in {unit}: no change of {worths.number.name} is known to do anything.", "dim", 1
        )
    if n_rest := len(worths.changes) - len(measurable):
        names = ", ".join(change.name for change in worths.changes[len(measurable) :])
        which = f": {names}" if more else ", --more names them"
        yield line(f"Not measurable here, as their intervals meet 0: {show_many(n_rest, 'change')}{which}.", "dim", 1)
    if not worths.score.is_exact:
        n_false = max(1, round(FALSE_SHARE * len(worths.changes)))
        text = f"Of {len(worths.changes)} changes that do nothing about {n_false} would be listed by luck alone"
        yield line(f"{text}; the largest effects are flattered by it.", "dim", 1)


def _points(effect: float) -> str:
    return show_probability_change(effect, unit="")


def _ends(estimate: Estimate, show: Callable[[float], str]) -> str:
    return show_interval(estimate.low, estimate.high, show)


def _worth(change: ChangeWorth) -> str:
    """Return the steps of the number with the same effect as a change; "beyond" the last step that was played."""
    if change.beyond is not None:
        return f"beyond {_signed(change.beyond)}"
    return "not measurable" if change.steps is None else _signed(change.steps.value)


def _worth_ends(change: ChangeWorth) -> str:
    return "" if change.steps is None else _ends(change.steps, _signed)


def _signed(steps: float) -> str:
    text = show_fixed(steps, 1)
    return f"+{text}" if steps > 0 else text


def as_json(game: LoadedGame, worths: Worths, seed: int) -> handicaps.Worth:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.verbs.render.answers.json import estimate_json, known_json

    query = worths.query
    return {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "handicap",
        "kind": query.kind,
        "entrants": [query.side_a, query.side_b],
        "first": query.first,
        "changes": list(query.changes),
        "score": estimate_json(worths.score),
        "worth": {
            "side": worths.number.side,
            "field": worths.number.field,
            "measurable": not worths.is_flat,
            "curve": [{"change": change, "effect": estimate_json(effect)} for change, effect in worths.curve.items()],
            "changes": [
                {
                    "side": part.step.side or None,
                    "field": part.step.field,
                    "from": part.step.old,
                    "to": part.step.new,
                    "name": part.name,
                    "score": estimate_json(part.score),
                    "effect": estimate_json(part.effect),
                    "measurable": part.is_measurable,
                    "worth": known_json(part.steps),
                    "beyond": part.beyond,
                }
                for part in worths.changes
            ],
            "trials": worths.score.n_trials,
        },
        "seed": seed,
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }
