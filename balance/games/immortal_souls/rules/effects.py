"""What results are spent on, as it is typed: effects `lethal1@ABI`, and what damage types change, `arcane:+1`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import AfterValidator, BeforeValidator

from balance.base.errors import comma_list, suggestion
from balance.base.text import slug
from balance.catalogue.tables.cells import BadCell

Result = Literal["HIT", "ABI", "MAG", "SHD", "LEG", "MIS"]
DamageType = Literal["arcane", "blunt", "piercing", "slashing", "none"]
RESULTS: tuple[str, ...] = get_args(Result)
"""What a die may show (IS-DIE.3), in the order in which arrays of results count them."""
DAMAGE_TYPES: tuple[str, ...] = get_args(DamageType)
"""The types of damage, and none: an unarmed hero's, a trap's."""


class _Number(NamedTuple):
    """The range of numbers that an effect may be written with, both ends included, and whether it needs one."""

    low: int
    high: int
    is_required: bool = True


Grammar = Mapping[str, _Number | None]
"""Name of an effect -> its numbers, or None if it takes none."""
ATTACK_EFFECTS: Grammar = {
    "lethal": _Number(1, 99, is_required=False),
    "critical": None,
    "ko": None,
    "armour": _Number(-99, -1),
    "poison": _Number(1, 2),
    "blind": None,
    "slow": None,
    "stun": None,
    "fire": _Number(1, 2),
    "hits": _Number(1, 99),
    "push": _Number(1, 9),
    "area": _Number(0, 2),
    "reroll": None,
}
"""What an attacker may buy; `lethal` without a number makes all hits lethal."""
DEFENCE_EFFECTS: Grammar = {"shield": _Number(1, 99), "reroll": None}
"""What a defender may buy."""
_ALIASES = {"hit": "hits", "aoe": "area", "shields": "shield", "armor": "armour", "k_o": "ko"}
_EFFECT = re.compile(r"([^\W\d_][^\d@]*?)\s*([+-]?\d{1,2})?\s*(?:@(.*))?")
_MODIFIER = re.compile(r"([^:]*?)\s*:\s*([+-]?\d)")
_FORM = "NAME[NUMBER]@COST, such as "
_EXAMPLES = {
    True: "lethal1@ABI, ko@ABI+MAG, or slow@ for a free one",
    False: "shield1@ABI, reroll@HIT, or shield1@ for a free one",
}
"""Effects as they are written, for whoever may be lethal, and for whoever defends."""


@dataclass(frozen=True)
class Effect:
    """An effect and its cost.

    `name`: one of `ATTACK_EFFECTS` or `DEFENCE_EFFECTS`. `number`: as written, so below 0 for armour; None if it is
    written without one. `cost`: the results it takes, in the order of `RESULTS`; none for a free effect.
    """

    name: str
    number: int | None
    cost: tuple[str, ...]

    def __str__(self) -> str:
        """Return the canonical form, `NAME[NUMBER]@COST`."""
        return f"{self.name}{'' if self.number is None else self.number}@{'+'.join(self.cost)}"


def parse_effect(text: str, grammar: Grammar = ATTACK_EFFECTS) -> Effect:
    """Read an effect that the grammar knows, written `NAME[NUMBER]@COST`.

    Raise BadCell if its name is unknown, its number not one it may have, or it costs what no die shows.

    >>> parse_effect("ko@MAG+abi")
    Effect(name='ko', number=None, cost=('ABI', 'MAG'))
    >>> str(parse_effect("AoE 0 @ MAG+MAG")), str(parse_effect("armour-1@ABI")), str(parse_effect("slow@"))
    ('area0@MAG+MAG', 'armour-1@ABI', 'slow@')
    """
    form = _EFFECT.fullmatch(text.strip())
    if form is None:
        raise BadCell("is not an effect", allowed=_form(grammar))
    word, number, cost = form.groups()
    name = _ALIASES.get(slug(word), slug(word))
    if name not in grammar:
        raise BadCell("is not a known effect", suggestion(name, grammar), allowed=comma_list(grammar))
    value = _number(name, number, grammar[name])
    if cost is None:
        raise BadCell("does not say what it costs", f"write {text.strip()}@ if it is free", allowed=_form(grammar))
    return Effect(name, value, _cost(cost))


def _form(grammar: Grammar) -> str:
    return _FORM + _EXAMPLES["lethal" in grammar]


def _number(name: str, text: str | None, numbers: _Number | None) -> int | None:
    if numbers is None:
        if text is not None:
            raise BadCell("has a number, and this effect takes none", allowed=f"{name}@COST")
        return None
    within = f"a number from {numbers.low} to {numbers.high}" + ("" if numbers.is_required else ", or none")
    if text is None:
        if numbers.is_required:
            mildest = min(numbers.low, numbers.high, key=abs)
            raise BadCell("has no number", f"such as {name}{mildest}@ABI", allowed=within)
        return None
    if not numbers.low <= int(text) <= numbers.high:
        raise BadCell("has a number that is out of range", allowed=within)
    return int(text)


def _cost(text: str) -> tuple[str, ...]:
    results = [part.strip().upper() for part in text.split("+")] if text.strip() else []
    for part in results:
        if part not in RESULTS:
            tip = suggestion(part, RESULTS)
            raise BadCell(f"costs {part!r}, which no die shows", tip, allowed=f"{comma_list(RESULTS)}, joined by +")
    return tuple(sorted(results, key=RESULTS.index))


class Modifier(NamedTuple):
    """What a weakness or resistance adds to the hits of attacks of a type, or of all types but one (IS-DEF.1)."""

    damage_type: str
    all_but: bool
    change: int

    def __str__(self) -> str:
        """Return the canonical form, `TYPE:CHANGE` or `all_but_TYPE:CHANGE`."""
        return f"{'all_but_' if self.all_but else ''}{self.damage_type}:{self.change:+d}"


def parse_modifier(text: str) -> Modifier:
    """Read what a damage type changes; raise BadCell if it is not `TYPE:CHANGE` or `all_but_TYPE:CHANGE`.

    >>> parse_modifier("arcane:+1"), str(parse_modifier("All but arcane: -1"))
    (Modifier(damage_type='arcane', all_but=False, change=1), 'all_but_arcane:-1')
    """
    types = DAMAGE_TYPES[:-1]
    form = _MODIFIER.fullmatch(text.strip())
    if form is None or not int(form[2]):
        syntax = "TYPE:CHANGE, such as arcane:+1 or all_but_arcane:-1, a change from -9 to +9 but 0"
        raise BadCell("is not a weakness or resistance", allowed=syntax)
    name = slug(form[1])
    damage_type = name.removeprefix("all_but_")
    if damage_type not in types:
        tip = suggestion(damage_type, types)
        raise BadCell("is of an unknown damage type", tip, allowed=f"{comma_list(types)}, or all_but_ before one")
    return Modifier(damage_type, name != damage_type, int(form[2]))


def change_of(modifiers: Iterable[str | Modifier], damage_type: str, *, all_but_untyped: bool = True) -> int:
    """Return the hits that weaknesses and resistances, as typed or read, add to an attack of one of `DAMAGE_TYPES`.

    `all_but_untyped` says whether "all but arcane" holds for damage of no type (IS-Q7).

    >>> change_of(["arcane:+1", "all_but_blunt:-2"], "arcane"), change_of(["all_but_arcane:-1"], "none")
    (-1, -1)
    """
    total = 0
    for modifier in modifiers:
        kind, all_but, change = parse_modifier(modifier) if isinstance(modifier, str) else modifier
        is_other_type = kind != damage_type and (all_but_untyped or damage_type != "none")
        total += change if (is_other_type if all_but else kind == damage_type) else 0
    return total


def _empty_list(texts: object) -> object:
    """Return an empty tuple for the single word "none", anything else unchanged."""
    return () if isinstance(texts, tuple) and [slug(str(text)) for text in texts] == ["none"] else texts


def _attack_effect(text: str) -> str:
    return str(parse_effect(text, ATTACK_EFFECTS))


def _defence_effect(text: str) -> str:
    return str(parse_effect(text, DEFENCE_EFFECTS))


def _modifier(text: str) -> str:
    return str(parse_modifier(text))


_EMPTY_LIST = BeforeValidator(_empty_list)
AttackEffects = Annotated[tuple[Annotated[str, AfterValidator(_attack_effect)], ...], _EMPTY_LIST]
"""A cell of attack effects, each as `Effect` writes it; `none` and an empty cell hold none."""
DefenceEffects = Annotated[tuple[Annotated[str, AfterValidator(_defence_effect)], ...], _EMPTY_LIST]
"""A cell of defence effects."""
Modifiers = Annotated[tuple[Annotated[str, AfterValidator(_modifier)], ...], _EMPTY_LIST]
"""A cell of weaknesses and resistances."""
