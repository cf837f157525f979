"""Single changes of a card: every number one step up and down, every word taken off or put on, as far as legal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from balance.analysis.armies.batches import Battles, outcomes_of
from balance.base.errors import BalanceError
from balance.catalogue import Catalogue, Column, columns_of, patch_catalogue, show_value
from balance.chance.rolls.rolls import RandomRolls
from balance.game.armies.armies import ChangedMember
from balance.game.loaded import LoadedGame

NO_STEP = ("id", "name", "cost_points")
"""Fields of a card that are no step: what it is called, and its cost, which is asked about."""
TRIALS = 8
"""Battles against each opponent by which a change of a game file is tried out."""


@dataclass(frozen=True)
class CardStep:
    """One field of one card with another value.

    `old` and `new`: the value as a catalogue writes it; of a list of words the word that comes or goes, else "". `by`:
    by how much a number changes; 0 where a word does. `value`: the whole value as a catalogue writes it. `has_effect`:
    whether the field can make a difference where armies meet.
    """

    table: str
    card: str
    field: str
    old: str
    new: str
    by: float
    value: str
    has_effect: bool

    @property
    def path(self) -> str:
        """Path of the field in a patch, `table.card.field`."""
        return f"{self.table}.{self.card}.{self.field}"

    def apply_to(self, member: str) -> ChangedMember:
        """Return a member with this change in its cards."""
        return ChangedMember(member, ((self.path, self.value),))


def steps_of(
    game: LoadedGame, kind: str, cards: Sequence[tuple[str, str]], members: Collection[str], may_add_words: bool = False
) -> list[CardStep]:
    """Return the single steps of cards, (table, id) each, after which their holders, `members`, stay legal.

    With `may_add_words`, words that a card does not have may be put on it, too.
    """
    steps = (step for table, card in cards for step in _steps(game, kind, table, card, may_add_words))
    return [step for step in steps if _legal(game, kind, step, members)]


def further(game: LoadedGame, kind: str, step: CardStep, times: float, members: Collection[str]) -> CardStep | None:
    """Return a number's step made so many times as large; None for a word, or if a member would become illegal."""
    if not step.by * times:
        return None
    value = _text(float(step.old) + times * step.by)
    longer_step = replace(step, new=value, value=value, by=times * step.by)
    return longer_step if _legal(game, kind, longer_step, members) else None


def _steps(game: LoadedGame, kind: str, table: str, card: str, may_add_words: bool) -> Iterator[CardStep]:
    entry = game.catalogue.tables[table][card]
    armies = game.definition.kinds[kind].armies
    invisible = armies.irrelevant_fields if armies is not None else ()
    for column in columns_of(type(entry)):
        value = getattr(entry, column.name)
        if column.name in NO_STEP:
            continue
        if column.is_list and column.kind == "choice":
            for word in column.choices if may_add_words else value:
                has_effect = not {column.name, f"{column.name}: {word}"} & set(invisible)
                yield _word(table, card, column, value, word, has_effect)
        elif column.kind in ("integer", "number") and not column.is_list and value is not None:
            for by in (1.0, -1.0):
                text = _text(value + by)
                has_effect = column.name not in invisible
                yield CardStep(table, card, column.name, _text(value), text, by, text, has_effect)


def _word(table: str, card: str, column: Column, value: tuple[str, ...], word: str, has_effect: bool) -> CardStep:
    has = word in value
    rest = tuple(item for item in value if item != word) if has else (*value, word)
    return CardStep(
        table, card, column.name, word if has else "", "" if has else word, 0.0, show_value(rest), has_effect
    )  # fmt: skip


def _text(value: float) -> str:
    return f"{value:.10g}"


def _legal(game: LoadedGame, kind: str, step: CardStep, members: Collection[str]) -> bool:
    """Return whether the patched catalogue is valid and still has all members, and a file's rules can play them."""
    try:
        after: Catalogue = patch_catalogue(game.catalogue, {step.path: step.value})
        has_all = set(members) <= set(LoadedGame(game.definition, after).members_of(kind))
        if has_all and game.definition.file is not None:
            _try_out(game, kind, [step.apply_to(member) for member in members])
    except BalanceError:
        return False
    return has_all


def _try_out(game: LoadedGame, kind: str, changed: Sequence[ChangedMember]) -> None:
    """Play changed members against all as they are; `BalanceError` for a value that a rule of the file cannot take."""
    foes = game.members_of(kind)
    arena = game.arena(kind, [*foes, *changed])
    a, b = (side.reshape(-1, 1) for side in np.indices((len(changed), len(foes) * TRIALS)))
    limits = np.full(len(a), len(foes), np.int16)
    dice = RandomRolls(0, "analysis/try_out", 0, len(a))
    outcomes_of([Battles(arena, len(foes) + a, b % len(foes), limits, dice)], ("winner",))
