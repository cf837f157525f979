"""Whole turns told again in plain Python, for every pair of cards and of fighters; and the tables of turns."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.game.loaded import load
from balance.games.edadh.cards.records import MasteryValue
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.rules import look_up
from balance.games.edadh.rules.forces import Arena
from balance.games.edadh.rules.look_up import TurnTable, literally, quickest, quickly, resolve_literally
from balance.games.edadh.rules.mastery import A_ATTACKS, B_ATTACKS, TIE, Mastery, effective_value
from balance.games.edadh.rules.strike import Boost, Ground, Profile, RuleOptions, strike
from balance.games.edadh.rules.turn import Outcome

CARDS = load("edadh").catalogue.entries(MasteryValue)
RULES: dict[str, dict[str, Any]] = {
    "as shipped": {},
    "ties end": {"rules.tie_protect": "ends_turn"},
    "ties bare": {"rules.tie_protect": "never"},
    "each move": {"rules.instant_on": "each_move"},
    "placed or turned": {"rules.protection_list": "alternative", "situation.level": "ballistic"},
    "dd of the defender": {"rules.dd_from": "defender", "rules.terrain_on": "total"},
}
LIFTS = (Boost(damage=np.array(1), relief=np.array(2)), Boost(att=np.array(3), relief=np.array(4), ground=np.array(2)))


def duel_of(*changes: dict[str, Any], a: str = "shieldsmen+archers", b: str = "blunderbuss") -> Duel:
    merged = {"situation.terrain": "forest"}
    for each in changes:
        merged |= each
    duel: Duel = load("edadh").ask("duel", a, b, merged).setup.duel
    return duel


def who_attacks(a: int, b: int) -> int:
    """WE-INIT by the ring of twelve: whoever is 1 to 5 ahead attacks."""
    ahead = (a - b) % 12
    return TIE if ahead in (0, 6) else A_ATTACKS if ahead < 6 else B_ATTACKS


def test_every_pair_of_mastery_cards() -> None:
    """All four tables, with "no card" at 0, told from the printed cards."""
    for from_placed in (True, False):
        mastery = Mastery.of(CARDS, protect_from_placed=from_placed)
        for own, foe in product(range(13), repeat=2):
            pair = (mastery.cost[own, foe], mastery.initiative[own, foe], mastery.may_protect[own, foe])
            if not own or not foe:
                assert pair == (0, 0, False)
                continue
            card, other = CARDS[str(own)], CARDS[str(foe)]
            cost = card.mp_reduced if foe in card.mp_reduced_against else card.mp_cost
            turned = own in other.alternative_against
            protects = foe in card.protects_against and (from_placed or not turned)
            assert pair == (cost, who_attacks(own, foe), protects), (own, foe)
            assert effective_value(CARDS, foe, own) == (other.alternative if turned else foe)
        assert mastery.extra.tolist() == [0, *(CARDS[str(own)].extra_damage for own in range(1, 13))]
        a, b = (np.array(side) for side in zip(*product(range(13), repeat=2), strict=True))
        sign = {TIE: 0, A_ATTACKS: 1, B_ATTACKS: -1}
        roles = [sign[who_attacks(one, other)] if one and other else 0 for one, other in product(range(13), repeat=2)]
        assert mastery.roles(a, b).tolist() == roles
    assert Mastery.of(CARDS).may_protect.tolist() == Mastery.of(CARDS, protect_from_placed=True).may_protect.tolist()


def test_cards_that_turn_both_or_are_equal_then() -> None:
    """No printed pair does: both turned, the higher one attacks; equal then, they tie; one turned, it attacks."""
    turned = {"alternative": 20, "alternative_against": (2,)}
    cards = {**CARDS, "1": CARDS["1"].model_copy(update=turned)}
    for alternative, told in ((20, TIE), (19, A_ATTACKS), (21, B_ATTACKS)):
        two = CARDS["2"].model_copy(update={"alternative": alternative, "alternative_against": (1,)})
        mastery = Mastery.of({**cards, "2": two})
        assert mastery.initiative[1, 2] == told
        assert mastery.initiative[2, 1] == {TIE: TIE, A_ATTACKS: B_ATTACKS, B_ATTACKS: A_ATTACKS}[told]
    plain = CARDS["2"].model_copy(update={"alternative": None})
    assert Mastery.of({**cards, "2": plain}).initiative[1, 2] == A_ATTACKS
    assert Mastery.of({**cards, "2": plain}).initiative[2, 1] == B_ATTACKS


def raised(troop: Profile[int], boost: Boost) -> Profile[int]:
    att = troop.att if troop.att < 0 else troop.att + int(boost.att)
    return troop._replace(att=att)


def told(arena: Arena, level: int, cards: tuple[int, int], fighters: tuple[int, int], boosts: Any) -> Any:
    """Return a whole turn: for each field of `Outcome`, side a and side b."""
    read, nothing = arena.read, cards == (0, 0)
    sent = []
    for force, fighter, boost in zip(arena.forces, fighters, boosts, strict=True):
        values = [int(column[level, fighter]) for column in force.profile[:-1]]
        sent.append(raised(Profile._make([*values, int(force.profile.dv[fighter])]), boost))
    who = who_attacks(*cards)
    damage, largest, mp_loss = [0, 0], [0, 0], [0, 0]
    ended = False
    for me, foe in ((0, 1), (1, 0)):
        if nothing or ended or who == (B_ATTACKS, A_ATTACKS)[me]:
            continue
        own, other = cards[me], cards[foe]
        gate = bool(arena.mastery.may_protect[other, own]) and not (who == TIE and read.tie_protect == "never")
        ground = arena.grounds[foe]
        wood = Ground(
            int(np.asarray(ground.modifier)[level]),
            int(np.asarray(ground.protection)[level]) + int(boosts[foe].ground),
        )
        blow = strike(
            sent[me], sent[foe], gate, CARDS[str(own)].extra_damage, read, has_initiative=who != TIE, ground=wood,
            helpers_att=int(arena.forces[me].helpers_att[level, fighters[me]]),
            champion_damage=int(boosts[me].damage),
        )  # fmt: skip
        damage[foe], largest[foe], mp_loss[foe] = int(blow.damage), int(blow.largest_move), int(blow.mp_loss)
        ended = bool(blow.is_protected) and who == TIE and read.tie_protect == "ends_turn"
    damage = [max(0, hurt - int(boost.relief)) for hurt, boost in zip(damage, boosts, strict=True)]
    largest = [min(move, hurt) for move, hurt in zip(largest, damage, strict=True)]
    measured = largest if read.discard_on_each_move else damage
    return [
        [int(arena.mastery.cost[cards[0], cards[1]]), int(arena.mastery.cost[cards[1], cards[0]])],
        [0 if nothing else troop.mp_bonus for troop in sent],
        mp_loss,
        damage,
        measured,
        [hurt > troop.dv for hurt, troop in zip(measured, sent, strict=True)],
    ]


def flat(outcome: Outcome) -> list[list[int]]:
    return [[np.asarray(side).ravel()[0].item() for side in pair] for pair in outcome]


@pytest.mark.parametrize("lifted", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_every_turn_told_again(name: str, lifted: bool) -> None:
    arena = duel_of(RULES[name]).arena
    boosts = LIFTS if lifted else (Boost(), Boost())
    n = [force.n_fighters for force in arena.forces]
    pairs = [(0, 0), *product(range(1, 13), repeat=2)]
    cases: list[Any] = list(product(range(3), pairs, [(i, j) for i in range(n[0]) for j in range(n[1])]))[
        :: 7 if lifted else 5
    ]
    level = np.array([case[0] for case in cases])
    cards = tuple(np.array([case[1][me] for case in cases]) for me in (0, 1))
    fighters = tuple(np.array([case[2][me] for case in cases]) for me in (0, 1))
    args: Any = (arena, level, cards, fighters, boosts)
    found = resolve_literally(*args) if lifted else literally(arena)(*args[1:4])
    columns = [[np.broadcast_to(side, len(cases)).tolist() for side in pair] for pair in found]
    for i, case in enumerate(cases):
        assert [[side[i] for side in pair] for pair in columns] == told(arena, case[0], case[1], case[2], boosts), case


@pytest.mark.parametrize("levels", [(0, 1, 2), (1,), (0, 2), (2,)])
def test_the_table_of_turns_says_what_the_rules_say(levels: tuple[int, ...]) -> None:
    arena = duel_of().arena
    table = TurnTable.of(arena, levels)
    n = tuple(force.n_fighters for force in arena.forces)
    cells = list(product(levels, range(13), range(13), range(n[0]), range(n[1])))
    level, *rest = (np.array(column) for column in zip(*cells, strict=True))
    one, other = (
        table(level, (rest[0], rest[1]), (rest[2], rest[3])),
        resolve_literally(arena, level, (rest[0], rest[1]), (rest[2], rest[3])),
    )
    for name, found, known in zip(Outcome._fields, one, other, strict=True):
        for mine, theirs in zip(found, known, strict=True):
            assert np.array_equal(np.broadcast_to(mine, len(cells)), np.broadcast_to(theirs, len(cells))), name
    assert table.n_fighters == n
    sizes = {column.size for column in table.columns}
    assert sizes <= {1, len(levels) * 169 * n[0] * n[1]}
    single = table(levels[-1], (rest[0], rest[1]), (rest[2], rest[3]))
    again = resolve_literally(arena, levels[-1], (rest[0], rest[1]), (rest[2], rest[3]))
    assert np.array_equal(np.broadcast_to(single.damage[0], len(cells)), np.broadcast_to(again.damage[0], len(cells)))


def test_a_column_that_is_the_same_everywhere_is_one_number() -> None:
    """At Melee level everybody has an att, so nobody loses MP to *(5); and `discard_damage` is the damage itself."""
    table = TurnTable.of(duel_of({"situation.level": "melee"}).arena, [2])
    places = dict(zip(Outcome._fields, table.places, strict=True))
    assert [table.columns[place].shape for place in places["mp_loss"]] == [(), ()]
    assert places["discard_damage"] == places["damage"]
    assert all(table.columns[place].ndim == 1 for place in places["damage"])


def test_what_fits_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look_up.MOST_CELLS == 4_000_000
    arena = duel_of().arena
    n_a, n_b = (force.n_fighters for force in arena.forces)
    for levels, cells in (((0, 1, 2), 3 * 169 * n_a * n_b), ((2,), 169 * n_a * n_b)):
        monkeypatch.setattr(look_up, "MOST_CELLS", cells)
        assert isinstance(quickest(arena, levels), TurnTable)
        monkeypatch.setattr(look_up, "MOST_CELLS", cells - 1)
        assert not isinstance(quickest(arena, levels), TurnTable)
    monkeypatch.setattr(look_up, "MOST_CELLS", 3 * 169 * n_a * n_b)
    assert isinstance(quickest(arena), TurnTable)
    monkeypatch.setattr(look_up, "MOST_CELLS", 3 * 169 * n_a * n_b - 1)
    assert not isinstance(quickest(arena), TurnTable)


def test_the_quickest_way_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    arena = replace(duel_of().arena, read=RuleOptions())
    assert isinstance(quickly(arena), TurnTable)
    assert quickly(arena) is quickly(arena)
    monkeypatch.setattr(look_up, "MOST_CELLS", 10)
    large = replace(arena)
    nine = (np.array([9]), np.array([2])), (np.array([1]), np.array([1]))
    assert flat(quickly(large)(2, *nine)) == flat(quickly(arena)(2, *nine))
    assert not isinstance(quickly(large), TurnTable)
