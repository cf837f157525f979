"""What all answers about an even match-up have in common: what was asked, and a single change of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from balance.analysis.armies.battles import ArmySetting
from balance.base.answers import (
    ASKED_FOR,
    Budget,
    Chance,
    Changes,
    Choices,
    Count,
    Digest,
    Doc,
    Form,
    GameName,
    RulesVersion,
    Seed,
    formula,
)
from balance.engine.query import Query
from balance.game.loaded import LoadedGame

Band = Annotated[tuple[Chance, Chance], Doc("Scores from 0 to 1 that count as even.")]


@dataclass(frozen=True)
class Source:
    """Who was to be made even, and in which setting."""

    schema: Form
    game: GameName
    verb: Literal["handicap"]
    kind: Annotated[str, Doc("The kind of question.")]
    entrants: Annotated[tuple[str, ...], Doc("Who takes part.")]
    changes: Changes
    choices: Choices
    seed: Seed
    rules_version: RulesVersion
    catalogue_sha256: Digest


@dataclass(frozen=True)
class MatchUpSource(Source):
    """Which match-ups were to be made even."""

    match_ups: Annotated[Count | None, Doc("How many there are in a field.")] = field(metadata=ASKED_FOR)
    first: Annotated[str | None, Doc("Who goes first; null where the game says so, or either does equally often.")]
    plays: Annotated[tuple[str, ...] | None, Doc("How either side plays, where they come in pairs.")] = field(
        metadata=ASKED_FOR
    )


@dataclass(frozen=True)
class ArmySource(Source):
    """Whose armies of equal points were to be made even."""

    budgets: Annotated[tuple[Budget, ...], Doc("What armies cost, and how many units they have at most.")]
    band: Band


def source(game: LoadedGame, setting: Query | ArmySetting, entrants: Iterable[str], seed: int) -> dict[str, Any]:
    """Return the fields of `Source`, for a record that begins with them."""
    return vars(
        Source(
            1,
            game.definition.name,
            "handicap",
            setting.kind,
            tuple(entrants),
            setting.changes,
            dict(setting.choices),
            seed,
            game.catalogue.rules_version,
            game.catalogue.sha256,
        )
    )


def match_up_source(game: LoadedGame, queries: Sequence[Query], is_field: bool, seed: int) -> dict[str, Any]:
    """Return the fields of `MatchUpSource`; two sides that are no field may be asked in several ways."""
    query = queries[0]
    members = dict.fromkeys(match_up.side_a for match_up in queries) if is_field else (query.side_a, query.side_b)
    of_field = {"match_ups": len(queries) if is_field else None, "first": query.first, "plays": _plays(game, query)}
    return source(game, query, members, seed) | of_field


def army_source(
    game: LoadedGame, setting: ArmySetting, entrants: Iterable[str], seed: int, band: tuple[float, float]
) -> dict[str, Any]:
    """Return the fields of `ArmySource`."""
    budgets = tuple(Budget(*budget) for budget in setting.budgets)
    return source(game, setting, entrants, seed) | {"budgets": budgets, "band": band}


def _plays(game: LoadedGame, query: Query) -> tuple[str, ...] | None:
    kind, chosen = game.kind(query.kind), dict(query.choices)
    if kind.pairs is None or not kind.policies:
        return None
    return tuple(chosen.get(name) or next(iter(policy.options)) for name, policy in kind.policies.items())


@dataclass(frozen=True)
class SingleChange:
    """One number of one side moved, or another who goes first."""

    side: Annotated[str, Doc("Whose number it is; empty for who goes first.")]
    field: Annotated[str, Doc("Which number.")]
    from_: Annotated[str | None, Doc("The value as it is; null in a field of match-ups.")]
    to: Annotated[str, Doc("The value as it is set then; in a field by how much it is more or less.")]

    @formula
    def change(self) -> Annotated[str, Doc("The assignment that makes it; in a field such as `a.dice −1`.")]:
        """Return it in words, such as `b.health=6`."""
        place = f"{self.side}.{self.field}" if self.side else self.field
        return f"{place}{' ' if self.from_ is None else '='}{self.to}"
