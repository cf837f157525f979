"""The changes of a card as the one object that --json prints, and as polars frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from balance.verbs.render.answers.json import estimate_json, known_json

if TYPE_CHECKING:
    import polars as pl

    from balance.analysis.changes.neighbours.neighbour_points import InPoints
    from balance.analysis.changes.neighbours.neighbours import Neighbour, Neighbourhood
    from balance.answers.documents import armies as documents
    from balance.chance.trials.estimate import Estimate
    from balance.game.loaded import LoadedGame

SCHEMA: Final = 1


def as_json(game: LoadedGame, around: Neighbourhood, worth: InPoints | None, seed: int) -> documents.Card:
    """Return the one object that --json prints; the same question gives the same bytes.

    Parameters
    ----------
    game
        The game with its catalogue.
    around
        What every small change of the card does.
    worth
        What the changes are worth in points; None where that was not asked.
    seed
        The seed of all questions.
    """
    return {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "card",
        "card": around.card,
        "holders": list(around.holders),
        "field": list(around.field),
        "score": estimate_json(around.score),
        "actions_to_kill": around.kills,
        "actions_it_stands": around.stands,
        "changes": [_change_json(neighbour, worth) for neighbour in around.neighbours],
        "pairs": [
            {
                "changes": list(pair.words),
                "alone": [estimate_json(estimate) for estimate in pair.alone],
                "together": estimate_json(pair.together),
                "beyond": estimate_json(pair.beyond),
            }
            for pair in around.pairs
        ],
        "refused": [str(change) for change in around.refusals],
        "points": None if worth is None else {"kind": worth.kind or None, "not_measurable_here": worth.why_not or None},
        "seed": seed,
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }


def _change_json(neighbour: Neighbour, worth: InPoints | None) -> documents.SmallChange:
    document: documents.SmallChange = {
        "field": neighbour.change.field,
        "from": neighbour.change.old,
        "to": neighbour.change.new,
        "word": neighbour.change.word or None,
        "score": known_json(neighbour.score if neighbour.has_effect else None),
        "actions_to_kill": neighbour.kills if neighbour.has_effect else None,
        "actions_it_stands": neighbour.stands if neighbour.has_effect else None,
    }
    if worth is not None:
        document["points"] = known_json(worth.points.get(neighbour.change))
    return document


# -- frames -----------------------------------------------------------------------------------------------------------


def frames_of(around: Neighbourhood, worth: InPoints | None) -> dict[str, pl.DataFrame]:
    """Return the tables, by name, the one that matters most first.

    `changes` has what each change adds to the `score`, with its interval, the best first, and to the actions; what is
    not measurable here is null. `pairs` has what two abilities add together `beyond` what each adds alone.

    Parameters
    ----------
    around
        What every small change of the card does.
    worth
        What the changes are worth in points; None where that was not asked.
    """
    import polars as pl

    best_first = sorted(
        around.neighbours, key=lambda neighbour: -neighbour.score.value if neighbour.has_effect else 2.0
    )
    changes = [_change_row(neighbour, worth) for neighbour in best_first]
    pairs = [
        {
            "first": pair.words[0],
            "second": pair.words[1],
            "alone_first": pair.alone[0].value,
            "alone_second": pair.alone[1].value,
            "together": pair.together.value,
            **_ends("beyond", pair.beyond),
        }
        for pair in around.pairs
    ]
    frames = {"changes": pl.DataFrame(changes, infer_schema_length=None)}
    return {**frames, "pairs": pl.DataFrame(pairs, infer_schema_length=None)} if pairs else frames


def _change_row(neighbour: Neighbour, worth: InPoints | None) -> dict[str, object]:
    points = None if worth is None else worth.points.get(neighbour.change)
    return {
        "change": str(neighbour.change),
        **_ends("score", neighbour.score if neighbour.has_effect else None),
        "actions_to_kill": neighbour.kills if neighbour.has_effect else None,
        "actions_it_stands": neighbour.stands if neighbour.has_effect else None,
        **({} if worth is None else {"points": points and points.value, "points_error": points and points.half_width}),
    }


def _ends(name: str, change: Estimate | None) -> dict[str, float | None]:
    """Return a number with the ends of its interval."""
    if change is None:
        return {name: None, "low": None, "high": None}
    return {name: change.value, "low": change.low, "high": change.high}
