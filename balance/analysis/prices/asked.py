"""What is asked of prices: where armies meet, which cards loadouts are made of, and which fields are not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.budgets import check_budgets
from balance.analysis.armies.meeting import leading_kind, meeting_kind, priced_members
from balance.analysis.prices.entries import Card
from balance.analysis.scores.cards import cards_of, find_card
from balance.base.errors import UsageError
from balance.game.loaded import LoadedGame

TYPICAL_UNITS = ((4.0, 4.0), (10.0, 10.0))
"""Budgets for a game whose rules pair none: what so many typical members cost, and so many units."""


def army_setting(
    game: LoadedGame,
    kind: str = "",
    changes: Sequence[str] = (),
    budgets: Sequence[tuple[float, float]] | None = None,
    *,
    names: Sequence[str] | None = None,
    buys_all: bool = True,
    option: str = "§budget=",
) -> ArmySetting:
    """Return where prices are judged: the first question kind in which armies meet, at budgets as the rules pair them.

    `names`, `buys_all` and `option` are as in `check_budgets`. Raise UsageError where armies do not meet in this game,
    budgets are not rising or buy too little, or somebody costs nothing.
    """
    kind_name = kind or meeting_kind(game)
    armies = game.definition.kinds[kind_name].armies if kind_name in game.definition.kinds else None
    if armies is None:
        able = [name for name, question in game.definition.kinds.items() if question.armies is not None]
        tip = f"they do in {', '.join(able)}" if able else "prices need that"
        message = f"armies of any members do not meet in {game.definition.name}'s {kind_name!r}"
        raise UsageError(message, f"{tip}{_by_choice(game, kind_name)}")
    costs = priced_members(game, kind_name)
    scales = [(float(points), float(units)) for points, units in budgets or armies.scales(game.catalogue)]
    if not scales:
        typical = float(np.median(list(costs.values())))
        scales = [(typical * points, units) for points, units in TYPICAL_UNITS]
        scales[-1] = (max(scales[-1][0], max(costs.values())), scales[-1][1])
    if any(later[0] <= sooner[0] for sooner, later in pairwise(scales)) or scales[0][0] <= 0:
        raise UsageError(f"budgets rise, found {', '.join(f'{points:g}' for points, _ in scales)}")
    check_budgets(game, kind_name, scales, names, buys_all=buys_all, option=option)
    return ArmySetting(kind_name, tuple(scales), tuple(changes), is_legal=armies.is_legal)


def _by_choice(game: LoadedGame, name: str) -> str:
    """Return the command that tells what a way of playing does for two sides; empty for a kind that has none."""
    kind = game.definition.kinds.get(name)
    if kind is None or not kind.choices:
        return ""
    decision, ways = next(iter(kind.choices.items()))
    sides = " ".join(kind.sides).upper()
    return f"; of two sides, ask balance {name} {game.typed()} {sides} §choose {decision}={ways[:2][-1]}"


def leading_setting(game: LoadedGame) -> ArmySetting:
    """Return the setting in which prices are judged: the game as its rulebook prints it, at the budgets of its rules.

    Raise UsageError as `army_setting`.
    """
    return army_setting(game, leading_kind(game))


def card_of(game: LoadedGame, part: str) -> tuple[str, str, float | None]:
    """Return (table, name, cost) of a part; one that is no card with a cost is an entrant, in the table ""."""
    table, name, cost = find_card(game, part)
    return (table, name, cost) if cost is not None else ("", game.label(part), float(game.cost_points(part)))


def known_cards(cards: Mapping[str, tuple[str, str, float | None]]) -> dict[str, Card]:
    """Return the table and cost of each card that has a cost."""
    return {part: Card(table, cost) for part, (table, _, cost) in cards.items() if cost is not None}


def unseen_fields(
    game: LoadedGame,
    kind: str,
    entrants: Mapping[str, tuple[str, ...]],
    cards: Mapping[str, tuple[str, str, float | None]],
) -> dict[str, dict[str, object]]:
    """Return for every card and entrant its fields that this setting cannot see, with their values.

    `entrants` is id -> ids of its parts; `cards` is id -> (table, name, cost).
    """
    armies = game.definition.kinds[kind].armies
    hidden = armies.irrelevant_fields if armies is not None else ()
    fields: dict[str, dict[str, object]] = {}
    for part, (table, _, _) in cards.items():
        own = {(table, part)} if table else cards_of(game, part) if part in entrants else set()
        entries = [game.catalogue.tables[name][card].model_dump(mode="json") for name, card in sorted(own) if name]
        fields[part] = {label: value for entry in entries for label, value in _hidden(entry, hidden)}
    for name, parts in entrants.items():
        fields.setdefault(name, {
            f"{part} {label}" if len(parts) > len(set(map(_table_of(cards), parts))) else label: value
            for part in parts for label, value in fields[part].items()
        })  # fmt: skip
    return fields


def _table_of(cards: Mapping[str, tuple[str, str, float | None]]) -> Any:
    return lambda part: cards[part][0]


def _hidden(entry: Mapping[str, Any], hidden: Sequence[str]) -> list[tuple[str, object]]:
    """Return (field, value) of an entry's hidden fields; for a hidden "field: word", whether the list has the word."""
    fields: list[tuple[str, object]] = []
    for text in hidden:
        name, _, value = (part.strip() for part in text.partition(":"))
        if name in entry:
            fields.append((value or name.replace("_", " "), value in entry[name] if value else entry[name]))
    return fields
