"""A second telling of the rules in plain Python, one duel at a time, one card after another.

It shares the numbers of the cards with the package, and the names of the dice, and nothing else; a Unit is three lists
of cards, front card first. `die(faces, name)` throws one die; `die.many(faces, k, name)` throws k at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

Card = dict[str, Any]
STAR = 99


class Die(Protocol):
    """Throws dice."""

    def __call__(self, faces: int, name: str) -> int:
        """Throw one die."""
        ...

    def many(self, faces: int, k: int, name: str) -> list[int]:
        """Throw k dice."""
        ...


@dataclass
class Side:
    """One side of a duel."""

    name: str
    columns: list[list[Card]]
    weights: list[int]
    retires: bool = True
    mp: int = 50
    damage: int = 0
    shaken: bool = False
    pile: list[Card] = field(default_factory=list)
    up: list[bool] = field(default_factory=list)
    may_combine: str = ""
    lost: str = ""
    held: int = 0

    @property
    def front(self) -> list[int]:
        return [c for c in range(len(self.columns)) if self.columns[c]]

    @property
    def n_cards(self) -> int:
        return sum(len(column) for column in self.columns)

    def fullest(self) -> list[int]:
        most = max(len(column) for column in self.columns)
        return [c for c in self.front if len(self.columns[c]) == most]


@dataclass
class Table:
    """The mastery cards, the rule options and the numbers."""

    mastery: dict[int, dict[str, Any]]
    rules: dict[str, Any]
    levels: list[str]
    terrain: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    cap: int = 60
    retire_below: int = 30
    mp_loss: int = 5
    max_periods: int = 60


def effective(table: Table, own: int, foe: int) -> int:
    card = table.mastery[own]
    return int(card["alternative"]) if card["alternative"] and foe in card["alternative_against"] else own


def attacker_is(table: Table, a: int, b: int) -> str:
    """Return "a", "b" or "" for a tie."""
    if a == b or table.mastery[a]["other_end"] == b:
        return ""
    if (effective(table, a, b) != a) != (effective(table, b, a) != b):
        return "a" if effective(table, a, b) != a else "b"
    return "a" if a > b else "b"


def cost(table: Table, own: int, foe: int) -> int:
    card = table.mastery[own]
    return int(card["mp_reduced"] if foe in card["mp_reduced_against"] else card["mp_cost"])


def draw_card(side: Side, die: Die) -> int:
    face = die(sum(side.weights), f"{side.name} card")
    for value, weight in enumerate(side.weights, 1):
        face -= weight
        if face <= 0:
            return value
    raise AssertionError("the die has as many faces as the weights sum to")


def pick(options: list[Any], face: int, faces: int) -> Any:
    """Return the option a die's face stands for: equal shares, in order."""
    return options[(face - 1) * len(options) // faces]


def combinations(others: list[int], right: str) -> list[list[int]]:
    if right == "one":
        return [[], *([other] for other in others)]
    return [[], others] if right == "all" and others else [[]]


def able_columns(side: Side, level: str, is_tie: bool) -> list[int]:
    """Return the face-up columns; on a tie those of the lowest ML."""
    able = [c for c in side.front if side.up[c]]
    if is_tie:
        lowest = min(side.columns[c][0][f"{level}_ml"] for c in able)
        able = [c for c in able if side.columns[c][0][f"{level}_ml"] == lowest]
    return able


def choose_troop(
    table: Table, side: Side, level: str, is_tie: bool, is_attacker: bool, face: int
) -> tuple[int, list[int]]:
    """Return the column selected and those combined with it."""
    able = able_columns(side, level, is_tie)
    if table.rules["combine_late"]:
        return pick(able, face, 36), []
    right = side.may_combine if is_attacker or (is_tie and table.rules["combine_on_tie"]) else ""
    options = [(c, more) for c in able for more in combinations([o for o in able if o != c], right)]
    chosen: tuple[int, list[int]] = pick(options, face, 36)
    return chosen


def decide_late(side: Side, level: str, is_tie: bool, column: int, face: int) -> list[int]:
    """Return whom to combine with a troop that is already selected."""
    others = [c for c in able_columns(side, level, is_tie) if c != column]
    chosen: list[int] = pick(combinations(others, side.may_combine), face, 36)
    return chosen


def swap_cards(side: Side, die: Die, reach: int = 2) -> None:
    """WE-SWAP.1: each column becomes anything that swaps of cards at most two ranks apart can make it."""
    for c in range(3):
        face = die(840, f"{side.name} swap")
        if c < len(side.columns):
            side.columns[c] = pick(list(swaps_from(side.columns[c], reach)), face, 840)


def swaps_from(column: list[Card], reach: int) -> list[list[Card]]:
    """Return what a column may become, itself first; no card moves twice."""
    found = [column]

    def go_on(cards: list[Card], start: int, moved: set[int]) -> None:
        for i in range(start, len(cards)):
            for j in range(i + 1, min(i + reach, len(cards) - 1) + 1):
                if i in moved or j in moved:
                    continue
                changed = list(cards)
                changed[i], changed[j] = changed[j], changed[i]
                if changed not in found:
                    found.append(changed)
                go_on(changed, i, moved | {i, j})

    go_on(column, 0, set())
    return found


def protects(table: Table, defender: Side, level: str, cvs: tuple[int, int], att: Card, dfn: Card) -> bool:
    mine, theirs = cvs
    gate = theirs in table.mastery[mine]["protects_against"]
    if table.rules["protection_list"] == "alternative" and effective(table, theirs, mine) != theirs:
        gate = False
    if not gate:
        return False
    piercing, shield = att[f"{level}_piercing"], dfn[f"{level}_protection"]
    wood = table.terrain.get(defender.name, {}).get(level, (0, 0))[1]
    if piercing == STAR:
        shielded = shield == STAR and table.rules["star_vs_star"] == "protected"
        wooded = wood > 0 and table.rules["star_vs_terrain"] == "protected"
    else:
        shielded, wooded = shield > piercing, wood > piercing
    return dfn[f"{level}_ml"] > att[f"{level}_ml"] or shielded or wooded


def strike(
    table: Table, level: str, att_side: Side, def_side: Side, cvs: tuple[int, int], picks: dict[str, Any], is_tie: bool
) -> tuple[list[int], bool]:
    """Return the moves of the defender's damage marker, and whether the defender protected."""
    column, helpers = picks[att_side.name]
    att, dfn = att_side.columns[column][0], def_side.columns[picks[def_side.name][0]][0]
    no_att = att[f"{level}_att"] is None
    protected = protects(table, def_side, level, (cvs[1], cvs[0]), att, dfn)
    if is_tie and table.rules["tie_protect"] == "never":
        protected = False
    if no_att and not table.rules["noatt_protect"]:
        protected = False
    if protected:
        return [0], True
    if no_att:
        def_side.mp -= 0 if is_tie else table.mp_loss
        return [0], False
    total = att[f"{level}_att"] + sum(att_side.columns[c][0][f"{level}_att"] or 0 for c in helpers)
    if total > dfn[f"{level}_def"]:
        base = att[f"{level}_od"]
    else:
        base = (dfn if table.rules["dd_from"] == "defender" else att)[f"{level}_dd"]
    modifier = table.terrain.get(def_side.name, {}).get(level, (0, 0))[0]
    extra = table.mastery[cvs[0]]["extra_damage"]
    first = max(base + modifier, 0)
    if table.rules["terrain_on"] == "total":
        return [first, max(base + extra + modifier, 0) - first], False
    return [first, extra], False


def play_turn(table: Table, a: Side, b: Side, level: str, die: Die) -> bool:
    """Play one turn; return whether the duel ended in it."""
    card = {side.name: draw_card(side, die) for side in (a, b)}
    face = {side.name: die(36, f"{side.name} troop") for side in (a, b)}
    who = attacker_is(table, card["a"], card["b"])
    for side, foe in ((a, b), (b, a)):
        side.mp -= cost(table, card[side.name], card[foe.name])
    if table.rules["mp_zero_check"] == "immediate" and (a.mp <= 0 or b.mp <= 0):
        return mp_gone(a, b)
    picks = {side.name: choose_troop(table, side, level, not who, who == side.name, face[side.name]) for side in (a, b)}
    if table.rules["combine_late"]:
        late = {side.name: die(36, f"{side.name} combine") for side in (a, b)}
        for side in (a, b):
            if who == side.name or (not who and table.rules["combine_on_tie"]):
                column = picks[side.name][0]
                picks[side.name] = (column, decide_late(side, level, not who, column, late[side.name]))
    for side in (a, b):
        side.mp = min(table.cap, side.mp + side.columns[picks[side.name][0]][0][f"{level}_mp_bonus"])
    moves: dict[str, list[int]] = {"a": [0], "b": [0]}
    for att_side, def_side in ((a, b), (b, a)):
        if who in ("", att_side.name):
            cvs = (card[att_side.name], card[def_side.name])
            moves[def_side.name], protected = strike(table, level, att_side, def_side, cvs, picks, not who)
            if protected and not who and table.rules["tie_protect"] == "ends_turn":
                break
    for side in (a, b):
        clean_up(table, side, moves[side.name], *picks[side.name])
    return table.rules["mp_zero_check"] == "immediate" and (a.mp <= 0 or b.mp <= 0) and mp_gone(a, b)


def mp_gone(a: Side, b: Side) -> bool:
    for side in (a, b):
        side.lost = "mp" if side.mp <= 0 else ""
    return True


def clean_up(table: Table, side: Side, moves: list[int], column: int, helpers: list[int]) -> None:
    """WE-DISC: damage is written down, cards turn face down, a troop hit too hard goes at once."""
    side.damage += sum(moves)
    for c in (column, *helpers):
        side.up[c] = False
    if helpers and side.may_combine == "one":
        side.may_combine = ""
    measured = max(moves) if table.rules["instant_on"] == "each_move" else sum(moves)
    if measured > side.columns[column][0]["discard_value"]:
        side.pile.append(side.columns[column].pop(0))
        if table.rules["refill"] == "at_once" and side.columns[column]:
            side.up[column] = True


def begin_period(a: Side, b: Side) -> int:
    """Turn cards up; return the turns of the Period."""
    for side, foe in ((a, b), (b, a)):
        side.pile = []
        side.up = [bool(column) for column in side.columns]
        mine, theirs = len(side.front), len(foe.front)
        side.may_combine = "" if mine <= theirs else "all" if theirs == 1 else "one"
    return min(len(a.front), len(b.front))


def shed(table: Table, side: Side, die: Die, n_dice: int) -> None:
    """EOP3 of one side; all its dice are thrown beforehand, and the n-th card to go uses the n-th."""
    luck = die.many(12, n_dice, f"{side.name} loss")
    gone = 0

    def force() -> None:
        nonlocal gone
        while side.front and side.damage > min(side.columns[c][0]["discard_value"] for c in side.front):
            able = side.fullest()
            if table.rules["discard_choice"] == "lowest_dv":
                least = min(side.columns[c][0]["discard_value"] for c in able)
                able = [c for c in able if side.columns[c][0]["discard_value"] == least]
            card = side.columns[pick(able, luck[gone], 12)].pop(0)
            side.damage = max(side.damage - card["discard_value"], 0)
            side.pile.append(card)
            gone += 1

    force()
    limit = table.retire_below
    while side.front and side.mp < limit:
        choice: Any = pick(["stop", *side.fullest()], luck[gone], 12) if side.retires else "stop"
        if choice == "stop":
            return
        card = side.columns[choice].pop(0)
        side.pile.append(card)
        side.mp = min(table.cap, side.mp + card["psyche"])
        gone += 1
        limit = table.retire_below + (table.rules["retire_at_30"] == "until_above")
        if table.rules["recheck_after_retire"]:
            force()


def end_period(
    table: Table, a: Side, b: Side, die: Die, n_dice: dict[str, int], before_eop4: Callable[[], None] = lambda: None
) -> bool:
    """EOP1 to EOP5; return whether the duel has ended."""
    excess = {side.name: side.damage - side.mp for side in (a, b)}
    for side, foe in ((a, b), (b, a)):
        spared = table.rules["both_defeated"] == "smaller_excess" and 0 < excess[side.name] < excess[foe.name]
        side.lost = "damage" if excess[side.name] > 0 and not spared else ""
    if (a.lost or b.lost) and not table.rules["eop1_pooled"]:
        return True
    for side in (a, b):
        side.damage = max(side.damage - sum(card["discard_value"] for card in side.pile), 0)
        shed(table, side, die, n_dice[side.name])
    before_eop4()
    counted = {side.name: max(len(side.pile) - side.held, 0) for side in (a, b)}
    larger = {"a": counted["a"] > counted["b"], "b": counted["b"] > counted["a"]}
    for side in (a, b):
        if not side.lost:
            if side.shaken and larger[side.name]:
                side.lost = "rout"
            elif side.mp <= 0:
                side.lost = "mp"
            elif not side.n_cards:
                side.lost = "cards"
        side.shaken = larger[side.name]
    return bool(a.lost or b.lost)


def duel(table: Table, a: Side, b: Side, die: Die) -> dict[str, Any]:
    """Play a duel to its end and return what it reports."""
    slots, n_dice = min(len(a.columns), len(b.columns)), {"a": a.n_cards, "b": b.n_cards}
    period = 0
    ended = False
    while not ended and period < table.max_periods:
        period += 1
        level = table.levels[min(period, len(table.levels)) - 1]
        turns = begin_period(a, b)
        for slot in range(slots):
            if slot < turns:
                ended = play_turn(table, a, b, level, die)
                if ended:
                    break
            else:  # a trial that sits a turn out throws its dice all the same
                draw_card(a, die), draw_card(b, die), die(36, "a troop"), die(36, "b troop")
                if table.rules["combine_late"]:
                    die(36, "a combine"), die(36, "b combine")
        ended = ended or end_period(table, a, b, die, n_dice)
        following = table.levels[min(period + 1, len(table.levels)) - 1]
        if not ended and set(table.levels) != {"melee"}:
            able = level != "melee" and (table.rules["swap_last_charge"] or following != "melee")
            for side in (a, b):
                if able:
                    swap_cards(side, die)
                else:
                    for _ in range(3):
                        die(840, f"{side.name} swap")
    return report(a, b, period)


def report(a: Side, b: Side, period: int) -> dict[str, Any]:
    """Return what a duel reports."""
    ways = {"": 0, "damage": 1, "rout": 2, "mp": 3, "cards": 4}
    winner = 1 if b.lost and not a.lost else 2 if a.lost and not b.lost else 0
    return {
        "winner": winner, "periods": period, "a_lost": ways[a.lost], "b_lost": ways[b.lost],
        "a_cards": a.n_cards, "b_cards": b.n_cards,
        "a_mp": a.mp, "b_mp": b.mp, "a_damage": a.damage, "b_damage": b.damage,
    }  # fmt: skip
