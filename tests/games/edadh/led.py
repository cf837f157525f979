"""The second telling of level D: combat masters, standards, battle masters and stratagems; see `reference`."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tests.games.edadh.reference import (
    Card,
    Die,
    Side,
    Table,
    attacker_is,
    begin_period,
    choose_troop,
    cost,
    draw_card,
    end_period,
    pick,
    report,
    strike,
    swap_cards,
)


@dataclass
class Command:
    """The cards behind a Unit."""

    champion: Card | None
    standard: Card | None
    tactical_ml: int
    deck: list[Card]


@dataclass
class LedSide(Side):
    """A side with cards behind it; `place` says where each stratagem is, `up` flags tell who may still act."""

    command: Command = field(default_factory=lambda: Command(None, None, 0, []))
    champion_up: bool = True
    leader: str = "ready"
    place: dict[str, str] = field(default_factory=dict)

    def price(self, card: Card) -> int:
        return self.command.tactical_ml if card["cost"] is None else int(card["cost"])

    def at(self, *places: str) -> list[Card]:
        return [card for card in self.command.deck if self.place.get(card["id"], "deck") in places]

    def holds(self, card: Card) -> bool:
        needed = card["needs_troop"]
        return needed is None or any(troop["id"] == needed for column in self.columns for troop in column)


def muster(table: Table, a: LedSide, b: LedSide, die: Die) -> None:
    """Both choose stratagems at once."""
    chosen = {side.name: choose_hand(table, side, foe, die) for side, foe in ((a, b), (b, a))}
    for side in (a, b):
        for card in chosen[side.name]:
            side.place[card["id"]] = "locked" if card["secondary"] else "play"


def choose_hand(table: Table, side: LedSide, foe: LedSide, die: Die) -> list[Card]:
    deck = side.command.deck
    if not deck:
        return []
    face = die(30_000, f"{side.name} stratagems")
    spent = sum(side.price(card) for card in side.at("play", "locked"))
    if table.rules["stratagem_budget"] == "new_only":
        spent = 0
    barred = {card["id"] for card in foe.at("play") if card["exclusive"]}
    hands = []
    for flags in product((False, True), repeat=len(deck)):
        hand = [card for card, taken in zip(deck, flags, strict=True) if taken]
        total = sum(side.price(card) for card in hand)
        able = all(card in side.at("deck") and side.holds(card) and card["id"] not in barred for card in hand)
        if able and total <= side.command.tactical_ml and (total == 0 or total + spent <= side.command.tactical_ml):
            hands.append(hand)
    found: list[Card] = hands[(face - 1) * len(hands) // 30_000]
    return found


def eop0(table: Table, a: LedSide, b: LedSide, die: Die) -> None:
    """WE-STR.7, step by step."""
    for side in (a, b):
        if table.rules["stratagem_stay"] == "one_period":
            move(side, side.at("play"), "deck")
        if not side.at("promoted"):
            move(side, side.at("locked"), "deck")
        move(side, side.at("promoted"), "play")
        if side.leader == "promotion":
            side.leader = "ready"
    twins = [card["id"] for card in a.at("play") if card["exclusive"] and card in b.at("play")]
    for side in (a, b):
        move(side, [card for card in side.at("play") if card["id"] in twins], "deck")
    shown = {side.name: side.at("play") for side in (a, b)}
    for side in (a, b):
        move(side, [card for card in shown[side.name] if card["instant"]], "deck")
    for side, foe in ((a, b), (b, a)):
        for card in shown[side.name]:
            if card["effect"] == "recover":
                side.damage = max(side.damage - card["amount"], 0)
            targets = [other for other in shown[foe.name] if other["counterable"]]
            if card["effect"] == "counter" and targets:
                dearest = max(foe.price(other) for other in targets)
                move(foe, [next(other for other in targets if foe.price(other) == dearest)], "gone")
    for side in (a, b):
        if side.command.deck:
            luck = die.many(2, len(side.command.deck), f"{side.name} remove")
            move(side, [card for card in side.at("play") if not side.holds(card)], "deck")
            taken = [card for card, face in zip(side.command.deck, luck, strict=True) if face == 1]
            move(side, [card for card in side.at("play") if card in taken], "deck")


def move(side: LedSide, cards: list[Card], to: str) -> None:
    for card in cards:
        side.place[card["id"]] = to


def second_card(table: Table, side: LedSide, die: Die) -> str:
    options = [""]
    blocked = table.rules["failed_tactics"] == "both_sides" and side.leader == "down" and side.command.deck
    if side.command.champion is not None and side.champion_up and not blocked:
        options.append("mst")
    if side.command.deck and side.leader == "ready":
        options.append("tcts")
    found: str = pick(options, die(6, f"{side.name} second"), 6)
    return found


def boosted(side: LedSide, card: Card, level: str, bonus: str) -> Card:
    """Return the Selected Troop with what its champion and its stratagems add."""
    added = dict(card)

    def add(name: str, amount: int) -> None:
        if name == "protection" and card[f"{level}_protection"] == 99:
            return
        if added[f"{level}_{name}"] is not None:
            added[f"{level}_{name}"] += amount

    champion = side.command.champion
    if champion is not None and bonus in ("ml", "att", "def"):
        add(bonus, champion["defence" if bonus == "def" else bonus])
    for other in side.at("play"):
        raises = other["assignment"] != "terrain" and other["effect"] in ("att", "def", "ml", "protection")
        if raises and level in other["levels"] and not other["instant"]:
            add(other["effect"], other["amount"])
    return added


def more_damage(side: LedSide, level: str, bonus: str) -> int:
    found = side.command.champion["damage"] if side.command.champion is not None and bonus == "damage" else 0
    played = [card for card in side.at("play") if card["effect"] == "damage" and level in card["levels"]]
    return int(found) + sum(int(card["amount"]) for card in played)


def with_palisades(table: Table, a: LedSide, b: LedSide, level: str) -> Table:
    """Return the table with what stratagems add to the protection of either half."""
    terrain = {name: dict(halves) for name, halves in table.terrain.items()}
    for side in (a, b):
        played = [c for c in side.at("play") if c["assignment"] == "terrain" and level in c["levels"]]
        modifier, wood = terrain.setdefault(side.name, {}).get(level, (0, 0))
        terrain[side.name][level] = (modifier, wood + sum(card["amount"] for card in played))
    return Table(**{**vars(table), "terrain": terrain})


def name_bonus(table: Table, side: LedSide, who: str, face: int) -> str:
    harms = who == side.name or (not who and table.rules["champion_tie_damage"])
    found: str = pick(["mp", "ml", "att", "def", *(["damage"] if harms else [])], face, 20)
    return found


def play_turn(table: Table, a: LedSide, b: LedSide, level: str, die: Die) -> bool:
    """Play one turn; return whether the duel ended in it."""
    second = {side.name: second_card(table, side, die) for side in (a, b)}
    card = {side.name: draw_card(side, die) for side in (a, b)}
    face = {side.name: die(36, f"{side.name} troop") for side in (a, b)}
    named = {side.name: die(20, f"{side.name} bonus") for side in (a, b)}
    flags = {side.name: die(2, f"{side.name} standard") for side in (a, b)}
    who = attacker_is(table, card["a"], card["b"])
    both = second["a"] == second["b"] == "mst"
    picks = {s.name: choose_troop(table, s, level, not who, who == s.name, face[s.name]) for s in (a, b)}
    bonus = {
        s.name: name_bonus(table, s, who, named[s.name]) if second[s.name] == "mst" and (who or not both) else ""
        for s in (a, b)
    }
    for side, foe in ((a, b), (b, a)):
        gain = side.columns[picks[side.name][0]][0][f"{level}_mp_bonus"]
        if bonus[side.name] == "mp" and side.command.champion is not None:
            gain += side.command.champion["mp"]
        side.mp = min(table.cap, side.mp - cost(table, card[side.name], card[foe.name]) + gain)
    moves = exchange(table, a, b, level, card, picks, bonus, who)
    for side in (a, b):
        wound(table, side, moves[side.name], flags[side.name], picks[side.name], both)
        if second[side.name] == "mst":
            side.champion_up = False
        if second[side.name] == "tcts":
            side.leader = "promotion" if who == side.name else "down"
            if who == side.name:
                move(side, side.at("locked"), "promoted")
    return False


def exchange(
    table: Table, a: LedSide, b: LedSide, level: str, card: dict[str, int], picks: Any, bonus: dict[str, str], who: str
) -> dict[str, list[int]]:
    """Return the moves of both damage markers, the boosted troops standing in for the printed ones."""
    printed = {side.name: side.columns[picks[side.name][0]][0] for side in (a, b)}
    for side in (a, b):
        side.columns[picks[side.name][0]][0] = boosted(side, printed[side.name], level, bonus[side.name])
    ground = with_palisades(table, a, b, level)
    moves: dict[str, list[int]] = {"a": [0], "b": [0]}
    for att, dfn in ((a, b), (b, a)):
        if who in ("", att.name):
            cvs = (card[att.name], card[dfn.name])
            moves[dfn.name], protected = strike(ground, level, att, dfn, cvs, picks, not who)
            no_att = att.columns[picks[att.name][0]][0][f"{level}_att"] is None
            if not protected and not no_att:
                moves[dfn.name] = [*moves[dfn.name], more_damage(att, level, bonus[att.name])]
    for side in (a, b):
        side.columns[picks[side.name][0]][0] = printed[side.name]
    return moves


def wound(table: Table, side: LedSide, moves: list[int], flag: int, chosen: tuple[int, list[int]], both: bool) -> None:
    """Write damage down, less what a standard takes away; then whoever falls."""
    damage, column = sum(moves), chosen[0]
    if side.command.standard is not None and damage > 0 and flag == 1:
        damage = max(damage - side.command.standard["damage"], 0)
        side.command = Command(side.command.champion, None, side.command.tactical_ml, side.command.deck)
    side.damage += damage
    measured = min(max(moves), damage) if table.rules["instant_on"] == "each_move" else damage
    for c in (column, *chosen[1]):
        side.up[c] = False
    if chosen[1] and side.may_combine == "one":
        side.may_combine = ""
    champion = side.command.champion
    if both and champion is not None and measured > champion["discard_value"]:
        side.command = Command(None, side.command.standard, side.command.tactical_ml, side.command.deck)
        side.pile += [champion] if table.rules["champion_in_pile"] else []
    elif measured > side.columns[column][0]["discard_value"]:
        side.pile.append(side.columns[column].pop(0))


def use_resolve(side: LedSide, thrown: int) -> None:
    """WE-STD.3: count fewer cards in the own pile."""
    side.held = 0
    standard = side.command.standard
    if standard is not None and side.pile and thrown == 1:
        side.held = int(standard["res"])
        side.command = Command(side.command.champion, None, side.command.tactical_ml, side.command.deck)


def idle(a: LedSide, b: LedSide, die: Die) -> None:
    """Throw the dice of a turn that is not played."""
    for side in (a, b):
        draw_card(side, die)
        for faces, name in ((36, "troop"), (6, "second"), (20, "bonus"), (2, "standard")):
            die(faces, f"{side.name} {name}")


def duel(table: Table, a: LedSide, b: LedSide, die: Die) -> dict[str, Any]:
    """Play a duel to its end and return what it reports."""
    slots, n_dice = min(len(a.columns), len(b.columns)), {"a": a.n_cards, "b": b.n_cards}
    flags = {side.name: side.command.standard is not None for side in (a, b)}
    period = 0
    ended = False
    while not ended and period < table.max_periods:
        period += 1
        level = table.levels[min(period, len(table.levels)) - 1]
        muster(table, a, b, die)
        turns = begin_period(a, b)
        for slot in range(slots):
            if slot < turns:
                play_turn(table, a, b, level, die)
            else:
                idle(a, b, die)
        eop0(table, a, b, die)

        def resolve() -> None:
            for side in (a, b):
                thrown = die(2, f"{side.name} resolve") if flags[side.name] else 2
                use_resolve(side, thrown)

        ended = end_period(table, a, b, die, n_dice, resolve)
        for side in (a, b):
            side.champion_up = True
            side.leader = "ready" if side.leader == "down" else side.leader
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
