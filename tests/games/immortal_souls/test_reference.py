"""The second telling of Immortal Souls against cases worked out by hand; the arithmetic is beside each.

Unless a test says otherwise the dice have the placeholder faces: a red die shows MIS, HIT, HIT, HIT, HIT HIT, HIT ABI,
HIT ABI, HIT MAG, ABI ABI, MAG LEG; a blue one MIS, HIT, HIT, SHD, SHD, HIT SHD, SHD ABI, ABI, MAG, HIT MAG.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from tests.games.immortal_souls.instances import random_attack, random_duel, written
from tests.games.immortal_souls.reference import Attack, Defender, Outcome, State, attack_outcomes, defended, recaps
from tests.games.immortal_souls.reference import Blow as ABlow
from tests.games.immortal_souls.reference_duel import Fighter, Rules, duel_outcomes
from tests.games.immortal_souls.reference_spending import Game, Token, best, counts, dearest, effects

F = Fraction
GAME = Game()
HERO = Defender(defence_dice=1, spending="fewest_wounds")
COIN = Game(blue=("SHD", "MIS"))
"""A blue die that is a shield or nothing."""


def of(field: str, attack: Attack, *targets: Defender, game: Game = GAME) -> dict[int, F]:
    """Return the distribution of one column of an attack."""
    found: dict[int, F] = {}
    for outcome, p in attack_outcomes(attack, targets or (Defender(),), game).items():
        found[getattr(outcome, field)] = found.get(getattr(outcome, field), F(0)) + p
    return found


def only(attack: Attack, *targets: Defender, game: Game = GAME) -> Outcome:
    """Return the one outcome of an attack that has no chance in it."""
    (outcome,) = attack_outcomes(attack, targets or (Defender(),), game)
    return outcome


def option(**options: str) -> Game:
    return Game(options=tuple(options.items()))


def rolled(results: str, bought: str = "", sure: int = 0, **more: Any) -> Attack:
    return Attack(sure=sure, roll=counts(results), effects=effects(bought), **more)


# The worked examples of the rulebook that can be replayed. `shields` of the d dice rolled: a coin each, so that the
# wounds are (wounds of the example + shields of the example - k) in comb(d, k) of 2**d ways.

REPLAYS = [
    # id, hits, lethal, type, modifiers, armour, magic shields, defence dice, K.O., shields rolled; dice, wounds, left
    ("IS-EX-01", 2, 0, "arcane", (("arcane", 1),), 2, 0, 2, 1, 1, 2, 2, 0),  # 2+1 hits, no armour: 2 dice, 3-1
    ("IS-EX-02", 2, 0, "none", (), 1, 0, 1, 0, 1, 1, 0, 0),  # 2-1=1, 1 die, 1-1
    ("IS-EX-03", 1, 0, "none", (), 1, 0, 1, 0, 0, 0, 0, 0),  # 1-1=0: no dice
    ("IS-EX-04", 2, 1, "none", (), 0, 2, 0, 0, 0, 0, 0, 0),  # the lethal hit takes a magic shield, the other as well
    ("IS-EX-05", 1, 1, "none", (), 1, 0, 1, 0, 0, 0, 1, 0),  # neither armour nor dice
    ("IS-EX-06", 4, 2, "none", (), 2, 0, 2, 0, 0, 0, 2, 0),  # armour stops the two normal hits whole
    ("IS-EX-08a", 4, 0, "none", (), 1, 1, 4, 0, 1, 2, 1, 0),  # 4-1-1=2, 2 dice, 2-1
    ("IS-EX-08b", 2, 0, "none", (), 1, 0, 4, 0, 1, 1, 0, 0),  # 2-1=1, 1 die, 1-1
    ("IS-EX-09", 3, 0, "slashing", (("slashing", -1),), 0, 0, 9, 0, 0, 2, 2, 0),  # 3-1=2
    ("IS-EX-10", 3, 0, "none", (), 2, 0, 0, 0, 0, 0, 1, 0),  # 3-2
    ("IS-EX-11", 3, 0, "none", (), 0, 2, 0, 0, 0, 0, 1, 0),  # 3-2
    ("IS-EX-12a", 1, 0, "none", (), 0, 0, 2, 0, 0, 1, 1, 0),  # as many dice as hits
    ("IS-EX-12b", 5, 0, "none", (), 0, 0, 2, 0, 0, 2, 5, 0),  # at most as many as the value
]


@pytest.mark.parametrize("case", REPLAYS, ids=[case[0] for case in REPLAYS])
def test_a_replay_of_the_rulebook(case: tuple[Any, ...]) -> None:
    _, hits, lethal, kind, modifiers, armour, shields, cap, ko, rolled_shields, dice, wounds, left = case
    blow = ABlow(hits, lethal, False, kind, 0, False, ())
    target = Defender(armour, cap, modifiers, state=State(shields=shields, ko=ko))

    found = defended(blow, target, COIN)

    assert found == {(wounds + rolled_shields - k, left): F(comb(dice, k), 2**dice) for k in range(dice + 1)}


@pytest.mark.parametrize(
    ("results", "bought", "hits"), [("HIT,HIT,ABI,ABI,SHD,MAG,MAG", 1, 4), ("HIT,HIT,ABI,SHD,MAG,MAG,MAG", 2, 4)]
)
def test_the_magma_staff_buys_its_area_first(results: str, bought: int, hits: int) -> None:
    # IS-EX-07: two MAG pay for the area alone (2 is dearer than 1); a third would have paid for Fire II. Two sure hits.
    staff = rolled(results, "fire2@MAG,area0@MAG+MAG", sure=2, spending="dearest")
    one = only(staff)
    assert (one.hits, one.effects_bought, one.fire2) == (hits, bought, bought - 1)


def test_all_but_arcane() -> None:
    # IS-EX-13: arcane hits stay, the others lose one; a fist, without a type, loses one too (IS-Q7), or does not.
    target = Defender(modifiers=(("all_but_arcane", -1),))
    kinds = ("arcane", "blunt", "piercing", "slashing", "none")
    assert [only(Attack(sure=3, damage_type=kind), target).wounds for kind in kinds] == [3, 2, 2, 2, 2]
    assert only(Attack(sure=3), target, game=option(Q7="not")).wounds == 3
    assert only(Attack(sure=3, damage_type="blunt"), target, game=option(Q7="not")).wounds == 2


def test_an_unarmed_hero_against_one_without_armour() -> None:
    # 4 of 10 faces hit; then one die, of which 4 of 10 faces block: 4/10 * 6/10 = 24/100 = 6/25 for a wound.
    assert of("wounds", Attack(blue=1), HERO) == {0: F(19, 25), 1: F(6, 25)}


def test_a_red_die_without_a_defence() -> None:
    # HIT on 6 faces once, on one twice; none on MIS, ABI ABI, MAG LEG. Results left: 1 on four faces, else 2, HIT too.
    assert of("wounds", Attack(red=1)) == {0: F(3, 10), 1: F(6, 10), 2: F(1, 10)}
    assert of("symbols_left", Attack(red=1)) == {1: F(4, 10), 2: F(6, 10)}


# Hits and lethal hits.


def test_hits_that_results_buy_and_those_that_pay() -> None:
    # 1 sure + 2 rolled; +1 for the LEG; a HIT spent on K.O. is no hit: 1 + 1 + 1 = 3 hits.
    attack = rolled("HIT,HIT,LEG,MIS", "hits1@LEG,ko@HIT", sure=1, spending="dearest")
    assert only(attack) == Outcome(3, 0, 3, 2, 2, 1, 0, 0, 0, 0, 0, 0)  # HIT and MIS are left


def test_hits_are_never_fewer_than_none() -> None:
    assert only(rolled("HIT", "lethal1@", bonus_hits=-3)) == Outcome(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0)


def test_bonus_hits_with_a_roll_of_nothing() -> None:
    # IS-Q8: yes, they are part of the total; or no, and then nothing happens.
    assert only(rolled("MIS", bonus_hits=2)).wounds == 2
    assert only(rolled("MIS", bonus_hits=2), game=option(Q8="no")).wounds == 0
    assert only(rolled("HIT", bonus_hits=2), game=option(Q8="no")).wounds == 3


def test_two_lethal_effects() -> None:
    # IS-Q5: 1 + 2 = 3 of 4 hits, or the greatest, 2. Armour 5 stops the rest.
    attack = rolled("HIT,HIT,HIT,HIT,ABI,MAG", "lethal1@ABI,lethal2@MAG")
    target = Defender(armour=5)
    assert only(attack, target)[:3] == (4, 3, 3)
    assert only(attack, target, game=option(Q5="greatest"))[:3] == (4, 2, 2)
    assert only(rolled("HIT,HIT,HIT,ABI,ABI", "lethal@ABI+ABI"), target)[:3] == (3, 3, 3)


@pytest.mark.parametrize(("reading", "wounds"), [("lethal_first", 1), ("normal_first", 2), ("attacker_chooses", 2)])
def test_a_resistance_against_lethal_and_normal_hits(reading: str, wounds: int) -> None:
    # IS-Q3: 2 lethal and 1 normal hit, resistance 1, armour 1. From the lethal ones: 1 lethal, 1 - 1 normal = 1 wound.
    # From the normal one: 2 lethal = 2 wounds, which is also what an attacker would choose.
    attack = rolled("HIT,HIT,HIT,ABI", "lethal2@ABI", damage_type="blunt")
    target = Defender(armour=1, modifiers=(("blunt", -1),))
    assert only(attack, target, game=option(Q3=reading)).wounds == wounds


def test_a_weakness_adds_a_normal_hit_unless_all_are_lethal() -> None:
    # IS-Q6: 2 hits + 1; Lethal II leaves the third to the armour, Lethal makes it lethal.
    target = Defender(armour=1, modifiers=(("arcane", 1),))
    assert only(rolled("HIT,HIT,ABI", "lethal2@ABI", damage_type="arcane"), target).wounds == 2
    assert only(rolled("HIT,HIT,ABI", "lethal@ABI", damage_type="arcane"), target).wounds == 3


def test_a_weakness_and_no_hits() -> None:
    # IS-Q4
    attack, target = rolled("MIS", damage_type="arcane"), Defender(modifiers=(("arcane", 2),))
    assert only(attack, target).wounds == 0
    assert only(attack, target, game=option(Q4="yes")).wounds == 2


def test_shields_rolled_do_not_stop_lethal_hits_and_magic_shields_do() -> None:
    # Of 3 hits 1 is lethal: a magic shield takes it, a second one a normal hit; the last is rolled for: 4 of 10 block.
    attack = rolled("HIT,HIT,HIT,ABI", "lethal1@ABI")
    assert of("wounds", attack, Defender(0, 3, state=State(shields=2))) == {0: F(2, 5), 1: F(3, 5)}
    # Without magic shields: 1 + what 2 dice leave of 2: 1 + (2 with 36/100, 1 with 48/100, 0 with 16/100).
    assert of("wounds", attack, Defender(0, 3)) == {1: F(16, 100), 2: F(48, 100), 3: F(36, 100)}


# Armour, K.O. and conditions.


def test_ko_bought_in_this_attack_switches_armour_off() -> None:
    # 3 hits against armour 2: 1 wound; with K.O. 3. That is why a hero buys it although it costs a hit: 2 > 1.
    assert only(rolled("HIT,HIT,HIT,ABI", "ko@ABI"), Defender(armour=2))[:6] == (3, 0, 3, 3, 1, 1)
    assert only(rolled("HIT,HIT,HIT", "ko@HIT"), Defender(armour=2))[:6] == (2, 0, 2, 2, 1, 1)
    assert only(rolled("HIT,HIT,HIT", "ko@HIT"), Defender(armour=0))[:6] == (3, 0, 3, 3, 0, 0)


def test_armour_taken_off_is_never_below_none() -> None:
    # 2 hits; armour 1 - 2 counts as 0, not as -1.
    assert only(rolled("HIT,HIT,ABI", "armour-2@ABI"), Defender(armour=1)).wounds == 2
    assert only(rolled("HIT,HIT,ABI,MAG", "armour-1@ABI,armour-1@MAG"), Defender(armour=3)).wounds == 1


@pytest.mark.parametrize(
    ("bought", "state", "wounds", "ko", "poison"),
    [
        ("ko@", State(), 0, 1, 0),
        ("ko@", State(ko=1), 1, 1, 0),  # IS-Q21
        ("poison1@", State(), 0, 0, 1),
        ("poison1@", State(poison=1), 1, 0, 1),
        ("poison1@", State(poison=2), 1, 0, 2),  # IS-Q20
        ("poison2@", State(poison=1), 1, 0, 2),  # IS-COND.5: it is turned, and one wound
        ("poison1@,poison2@", State(), 1, 0, 2),
        ("stun@,stun@,slow@,blind@", State(), 1, 0, 0),  # twice in one attack
    ],
)
def test_the_same_condition_again_is_a_wound(bought: str, state: State, wounds: int, ko: int, poison: int) -> None:
    # Nobody is hit, and a condition needs no hit (IS-Q2), so these wounds are those of the conditions alone.
    one = only(rolled("MIS", bought), Defender(armour=9, defence_dice=9, state=state))
    assert (one.wounds, one.ko, one.poison) == (wounds, ko, poison)


def test_what_repeated_conditions_cost_otherwise() -> None:
    target = Defender(state=State(ko=1, blind=1))
    attack = rolled("MIS", "ko@,blind@")
    assert only(attack, target).wounds == 2
    assert only(attack, target, game=option(Q21="nothing")).wounds == 1
    assert only(attack, target, game=option(Q39="no")).wounds == 0


def test_effects_that_need_a_hit() -> None:
    # IS-Q2: the conditions of an attack of no hits hold, or do not; they are bought all the same.
    attack = rolled("ABI", "stun@ABI,poison1@,fire2@,slow@,blind@,ko@")
    assert only(attack) == Outcome(0, 0, 0, 0, 6, 1, 1, 1, 1, 1, 0, 1)
    assert only(attack, game=option(Q2="a hit")) == Outcome(0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0)


def test_fire_adds_up() -> None:
    assert only(rolled("MAG,MAG", "fire1@MAG,fire1@MAG,fire2@")) == Outcome(0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 2, 1)


# Criticals.


def test_a_critical_of_the_placeholder_bag() -> None:
    # 1 hit against armour 1: 5 of 15 tokens a wound, 2 two, 3 take the armour off (so the hit is a wound), 5 nothing.
    attack = rolled("HIT,ABI", "critical@ABI")
    assert of("wounds", attack, Defender(armour=1)) == {0: F(5, 15), 1: F(8, 15), 2: F(2, 15)}
    # A defender without armour: every token leaves the hit; 1 + 1 for five, 1 + 2 for two.
    assert of("wounds", attack) == {1: F(8, 15), 2: F(5, 15), 3: F(2, 15)}


def test_no_critical_without_a_hit() -> None:
    assert only(rolled("ABI", "critical@ABI")) == Outcome(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)


def test_two_criticals_in_one_attack() -> None:
    # Armour twice (3/15 * 3/15): the second is a wound instead. 2 hits, armour 5: wounds are those of the tokens alone.
    tokens = Game(bag=(Token(3, armour=-1), Token(12)))
    attack = rolled("HIT,HIT,ABI,MAG", "critical@ABI,critical@MAG")
    assert of("wounds", attack, Defender(armour=5), game=tokens) == {0: F(24, 25), 1: F(1, 25)}


@pytest.mark.parametrize(("rule", "wounds"), [("wound", 1), ("nothing", 0)])
def test_a_lesser_red_critical_on_a_greater(rule: str, wounds: int) -> None:
    game = Game(bag=(Token(1, armour=-1),), options=(("Q44", rule),))
    target = Defender(armour=9, state=State(red_armour=2))
    assert only(rolled("HIT", "critical@"), target, game=game).wounds == wounds


def test_a_greater_red_critical_replaces_the_lesser() -> None:
    # IS-EX-14: armour 3 - 2, not 3 - 1 - 2: of 2 hits one is left, and no wound besides.
    game, target = Game(bag=(Token(1, armour=-2),)), Defender(armour=3, state=State(red_armour=1))
    assert only(rolled("HIT,HIT", "critical@"), target, game=game).wounds == 1


def test_a_critical_comes_before_the_other_effects() -> None:
    # The token stuns; the stun that is bought is then the second: one wound, beside the hit.
    game = Game(bag=(Token(1, condition="stun"),))
    assert only(rolled("HIT,ABI", "stun@ABI,critical@"), game=game)[:3] == (1, 0, 2)
    assert only(rolled("HIT,ABI", "poison1@ABI,critical@"), game=Game(bag=(Token(1, condition="poison2"),))).poison == 2


# Spending.


def test_a_hero_buys_what_wounds_most() -> None:
    # 2 hits, armour 1, no dice. One ABI: armour -1 gives 2 wounds, Lethal I gives 1 + (1 - 1) = 1, +1 hit gives 2.
    # Armour and the hit are equal, one effect each: the smaller place, which is the armour.
    one = rolled("HIT,HIT,ABI", "lethal1@ABI,armour-1@ABI,hits1@ABI")
    assert only(one, Defender(armour=1))[:3] == (2, 0, 2)
    other = rolled("HIT,HIT,ABI", "lethal1@ABI,hits1@ABI,armour-1@ABI")
    assert only(other, Defender(armour=1))[:3] == (3, 0, 2)


def test_equal_sets_are_decided_by_more_effects_then_by_the_smaller_places() -> None:
    offers = effects("slow@ABI+ABI,stun@ABI,blind@ABI,push1@ABI,fire1@")
    assert best(offers, counts("ABI,ABI"), lambda one: F(0)) == (1, 2, 4)
    assert best(offers, counts("ABI,ABI"), lambda one: F(0 in one)) == (0, 4)
    assert best(offers, counts("ABI,ABI"), lambda one: F(0 in one, 10**10)) == (1, 2, 4)  # equal within 1e-9


def test_an_enemy_buys_the_dearest_first_and_ties_as_printed() -> None:
    offers = effects("slow@ABI,stun@ABI+MAG,blind@MAG+ABI,ko@ABI+ABI,fire1@,push1@MAG")
    # 2 ABI 2 MAG: stun (first of three at 2), then blind with the rest; nothing is left but what is free.
    assert dearest(offers, counts("ABI,ABI,MAG,MAG")) == (1, 2, 4)
    # 2 ABI: stun and blind cannot be paid, K.O. takes both.
    assert dearest(offers, counts("ABI,ABI")) == (3, 4)
    # 2 ABI 1 MAG: stun; the ABI left buys slow, not K.O.
    assert dearest(offers, counts("ABI,ABI,MAG")) == (1, 0, 4)


def test_the_dearest_even_if_it_is_worse() -> None:
    # Two HIT of three buy the push: 1 hit instead of 3. A hero keeps them.
    assert only(rolled("HIT,HIT,HIT", "push1@HIT+HIT", spending="dearest")).wounds == 1
    assert only(rolled("HIT,HIT,HIT", "push1@HIT+HIT")).wounds == 3


def test_an_area_counts_all_whom_it_hits() -> None:
    # 2 hits. Alone: K.O. against armour 1 makes 2 wounds instead of 1. With two more without armour: the area makes
    # 1 + 2 + 2 = 5 wounds, K.O. only 2. The wounds of the first are what is told.
    attack = rolled("HIT,HIT,MAG", "ko@MAG,area0@MAG")
    alone, bare = Defender(armour=1), Defender()
    assert only(attack, alone)[2:6] == (2, 2, 1, 1)
    assert only(attack, alone, bare, bare)[2:6] == (1, 2, 1, 0)


def test_who_draws_a_critical_in_an_area() -> None:
    # IS-Q35. 1 hit; a token is 3 wounds; one ABI for the critical or for 5 more hits; two others have armour 4.
    game = Game(bag=(Token(1, wounds=3),))
    first = Game(bag=game.bag, options=(("Q35", "primary"),))
    attack = rolled("HIT,ABI", "area0@,critical@ABI,hits5@ABI")
    targets = Defender(), Defender(armour=4), Defender(armour=4)
    # +5 hits: 6 + 2 + 2 = 10 wounds; the critical: 4 + 3 + 3 = 10: equal, the smaller place is the critical.
    # For the first alone it is 4 + 0 + 0, less than 10.
    assert only(attack, *targets, game=game).wounds == 4
    assert only(attack, *targets, game=first).wounds == 6


# Re-rolls.


def test_a_hero_rolls_again_if_it_raises_the_wounds_to_be_expected() -> None:
    # A red die has 8/10 hits on average. MIS cannot pay; ABI ABI pays and has no hits: rolled again. HIT ABI has 1 hit,
    # more than 0.8, and stays. So 1/10 of the time there is a new throw.
    found = of("wounds", Attack(red=1, effects=effects("reroll@ABI")))
    assert found == {0: F(2, 10) + F(3, 100), 1: F(6, 10) + F(6, 100), 2: F(1, 10) + F(1, 100)}
    assert of("effects_bought", Attack(red=1, effects=effects("reroll@ABI"))) == {0: F(9, 10), 1: F(1, 10)}


def test_compulsion_rolls_again_whenever_it_can_pay() -> None:
    # ABI is on three faces: these are thrown again, once, and a second effect does nothing.
    found = of("wounds", Attack(red=1, effects=effects("reroll@ABI,reroll@ABI"), spending="dearest"))
    # MIS, MAG LEG: no hits. HIT three times, HIT MAG: 1. HIT HIT: 2. And 3/10 of 3/10, 6/10, 1/10.
    assert found == {0: F(2, 10) + F(9, 100), 1: F(4, 10) + F(18, 100), 2: F(1, 10) + F(3, 100)}


def test_a_defender_rolls_again() -> None:
    # 1 hit, 1 blue die: 4/10 block. SHD ABI could pay and blocks already; ABI pays: again. 4/10 + 1/10 * 4/10 block.
    hero = Defender(0, 1, effects=effects("reroll@ABI"), spending="fewest_wounds")
    assert of("wounds", Attack(sure=1), hero) == {0: F(44, 100), 1: F(56, 100)}
    # An enemy must: SHD ABI is thrown again as well: 3/10 + 2/10 * 4/10.
    enemy = Defender(0, 1, effects=effects("reroll@ABI"))
    assert of("wounds", Attack(sure=1), enemy) == {0: F(38, 100), 1: F(62, 100)}


def test_a_defender_buys_shields() -> None:
    # 2 hits, 1 die: a face cancels one with SHD, two with SHD ABI, one with ABI. 5 faces none (MIS HIT HIT MAG HIT MAG)
    hero = Defender(0, 1, effects=effects("shield1@ABI"), spending="fewest_wounds")
    assert of("wounds", Attack(sure=2), hero) == {0: F(1, 10), 1: F(4, 10), 2: F(5, 10)}
    # An enemy pays with the SHD although it gains nothing by it; a hero who gains nothing buys all the same (ties).
    enemy = Defender(0, 1, effects=effects("shield1@SHD"))
    assert of("wounds", Attack(sure=2), enemy) == {1: F(4, 10), 2: F(6, 10)}


def test_the_results_of_a_settled_roll_stay() -> None:
    assert only(Attack(red=1, effects=effects("reroll@"), roll=counts("MIS"))).wounds == 0


def test_a_recap_of_two_dice_adds_up() -> None:
    found = recaps(Attack(red=1, blue=1, effects=effects("ko@ABI+MAG,lethal1@ABI")), (Defender(armour=1),), GAME)
    assert sum(found.values()) == 1
    # K.O. and Lethal I together cost 2 ABI and 1 MAG; two results a face: ABI ABI of red, and MAG of blue (2 faces).
    assert sum(p for (_, _, bought), p in found.items() if bought == 2) == F(1 * 2, 100)


# Duels. Sure hits without dice: everything is certain but saves and activations.


def fighter(health: int, sure: int = 0, bought: str = "", **more: Any) -> Fighter:
    defender = more.pop("defender", Defender())
    return Fighter(health, Attack(sure=sure, effects=effects(bought)), defender, **more)


ALWAYS = Rules()


def certain(a: Fighter, b: Fighter, rules: Rules = ALWAYS) -> tuple[int, int, int, int]:
    """Return the one end of a duel that has no chance in it."""
    (end,) = [end for end, p in duel_outcomes(a, b, rules).items() if p > 1e-12]
    return end


def test_the_hero_goes_first() -> None:
    # 2 wounds a round each: health 4 is gone in the hero's second turn; b has struck once, in round 1.
    assert certain(fighter(4, 2), fighter(4, 2)) == (1, 2, 2, 0)
    assert certain(fighter(4, 1, combat_activities=2), fighter(3, 1)) == (1, 2, 3, 0)
    assert certain(fighter(1), fighter(1, 3)) == (2, 1, 0, 1)  # never below nothing
    assert certain(fighter(1), fighter(1), Rules(round_limit=3)) == (0, 3, 1, 1)


def test_fire_burns_out() -> None:
    # Fire II burns in rounds 1 and 2, Fire I in round 1: 2 wounds, then 1.
    assert certain(fighter(9, fire1=1, fire2=1), fighter(9), Rules(round_limit=1)) == (0, 1, 7, 9)
    assert certain(fighter(9, fire1=1, fire2=1), fighter(9), Rules(round_limit=5)) == (0, 5, 6, 9)
    # IS-Q46: a Fire II of round 1 burns in rounds 2 and 3.
    assert certain(fighter(9, 0, "fire2@"), fighter(9), Rules(round_limit=2)) == (0, 2, 9, 8)


def test_both_fall_in_the_time_phase() -> None:
    assert certain(fighter(1, fire1=1), fighter(1, defender=Defender(state=State(poison=2)))) == (0, 1, 0, 0)


def test_a_hero_saves_against_poison_after_its_wound() -> None:
    # ABI is on 2 of 10 blue faces. Round 1: 1 wound, then gone with 1/5; if not, the second wound of health 2 kills.
    found = duel_outcomes(fighter(2, defender=Defender(state=State(poison=1)), save="ABI"), fighter(1), Rules(2))
    assert found == pytest.approx({(0, 2, 1, 1): 0.2, (2, 2, 0, 1): 0.8})


def test_an_enemy_stays_poisoned() -> None:
    assert certain(fighter(9), fighter(7, defender=Defender(state=State(poison=2)))) == (1, 4, 9, 0)


def test_magic_shields_come_back_each_round() -> None:
    # 2 attacks of 1 hit against 1 magic shield: 1 wound a round. Armour 1 would have stopped both.
    assert certain(fighter(9, 1, combat_activities=2), fighter(3, defender=Defender(state=State(shields=1)))) == (
        1, 3, 9, 0,
    )  # fmt: skip
    assert certain(fighter(9, 1, combat_activities=2), fighter(3, defender=Defender(armour=1)), Rules(4))[3] == 3


def test_focus_goes_to_the_first_attack_of_each_turn() -> None:
    # 2 + 1 wounds a round.
    assert certain(fighter(9, 1, combat_activities=2, focus=True), fighter(6)) == (1, 2, 9, 0)


def test_a_power_with_two_hourglasses_is_ready_two_rounds_later() -> None:
    # IS-EX-45: 3 in round 1, 0 in round 2, 3 in round 3. Weapon 0.
    hero = fighter(9, power=Attack(sure=3), cooldown=2)
    assert [certain(hero, fighter(20), Rules(n))[3] for n in (1, 2, 3, 4, 5)] == [17, 17, 14, 14, 11]
    # IS-EX-44: with one hourglass it is there every round, but only once in each.
    hero = fighter(9, 1, power=Attack(sure=3), cooldown=1, combat_activities=2)
    assert [certain(hero, fighter(20), Rules(n))[3] for n in (1, 2)] == [16, 12]
    assert certain(fighter(9, 1, power=Attack(sure=3), cooldown=0), fighter(20), Rules(1))[3] == 19


def test_a_stunned_enemy_loses_its_activation() -> None:
    # Stunned in round 1 and each round again.
    assert certain(fighter(5, 0, "stun@"), fighter(5, 1), Rules(3))[2] == 5


def test_a_blinded_enemy_does_not_attack_and_a_slowed_one_once() -> None:
    assert certain(fighter(5, 0, "blind@"), fighter(5, 1, combat_activities=3), Rules(1))[2] == 5
    assert certain(fighter(5, 0, "slow@"), fighter(5, 1, combat_activities=3), Rules(1))[2] == 4
    assert certain(fighter(5), fighter(5, 1, combat_activities=3), Rules(1))[2] == 2


def test_a_token_on_an_enemy_waits_for_its_activation() -> None:
    # Not activated at all: the second stun finds the first still there, which is a wound.
    never = Rules(3, activation_chance=0.0)
    assert certain(fighter(5, 0, "stun@"), fighter(9, 1), never)[3] == 7
    # With 1/4: after round 1 it is gone with 1/4; so the wound of round 2 comes with 3/4.
    found = duel_outcomes(fighter(5, 0, "stun@"), fighter(9), Rules(2, activation_chance=0.25))
    assert found == pytest.approx({(0, 2, 5, 9): 0.25, (0, 2, 5, 8): 0.75})


def test_one_knocked_out_enemy_alone_is_dominated() -> None:
    # Two attacks of a free K.O. and 1 hit: 1, then 1 + 1 supremacy + 1 for the repeated K.O. = 4 a round. It stands up.
    hero = fighter(9, 1, "ko@", combat_activities=2)
    assert certain(hero, fighter(20), Rules(2))[3] == 12
    without = Rules(2, game=option(supremacy="no"))
    assert certain(hero, fighter(20), without)[3] == 14


def test_a_stunned_enemy_that_is_knocked_out_stays_down() -> None:
    # IS-Q40. Round 1: 1 wound, K.O. and stun. Round 2: both repeated (2 wounds unless it stood up and woke).
    hero = fighter(9, 1, "ko@,stun@")
    # Down: 1 hit, 1 for supremacy, 1 for K.O. again = 3 (the stun went with the activation). Up: 1.
    assert certain(hero, fighter(20), Rules(2))[3] == 20 - 1 - 3
    assert certain(hero, fighter(20), Rules(2, game=option(Q40="yes")))[3] == 20 - 1 - 1


def test_a_hero_knocked_out_stands_up_and_attacks_unless_slowed() -> None:
    # The hero's armour 1 is off while down, and the enemy has supremacy over him.
    down, slowed = fighter(9, 1, defender=Defender(1, state=State(ko=1))), State(ko=1, slow=1)
    assert certain(down, fighter(9, 1), Rules(1)) == (0, 1, 9, 8)
    assert certain(fighter(9, 1, defender=Defender(1, state=slowed)), fighter(9, 1), Rules(1)) == (0, 1, 9, 9)
    # Stunned he stays down: 1 hit and 1 for supremacy, no armour.
    stunned = State(ko=1, stun=1)
    assert certain(fighter(9, 1, defender=Defender(1, state=stunned)), fighter(9, 1), Rules(1)) == (0, 1, 7, 9)


def test_a_slowed_hero_has_one_combat_activity() -> None:
    # Slowed in each enemy turn but the first hero turn: 3, then 1. Focus is an activity of its own: not while slowed.
    hero = fighter(9, 1, combat_activities=3)
    assert [certain(hero, fighter(9, 0, "slow@"), Rules(n))[3] for n in (1, 2)] == [6, 5]


def test_a_blinded_hero_saves_before_each_attack() -> None:
    # Save MAG: 2 of 10. Two activities with the power first: what is wasted does not use up the power (IS-Q45).
    hero = fighter(9, 0, power=Attack(sure=1), cooldown=4, combat_activities=2, save="MAG",
                   defender=Defender(state=State(blind=1)))  # fmt: skip
    # The power comes unless both saves fail: 1 - 0.64.
    assert duel_outcomes(hero, fighter(9), Rules(1)) == pytest.approx({(0, 1, 9, 8): 0.36, (0, 1, 9, 9): 0.64})
    spent = Rules(1, game=option(Q45="yes"))
    assert duel_outcomes(hero, fighter(9), spent) == pytest.approx({(0, 1, 9, 8): 0.2, (0, 1, 9, 9): 0.8})
    # The token goes at the end of the turn: in round 2 the power, if it was not used, is.
    assert duel_outcomes(hero, fighter(9), Rules(2)) == pytest.approx({(0, 2, 9, 8): 1.0})


def test_red_criticals_stay() -> None:
    # Maximum health -1: one less once; the same again is a wound. So 2 hits cost 2 + 1, then 2 + 1.
    health = Game(bag=(Token(1, health=-1),))
    assert certain(fighter(9, 2, "critical@"), fighter(20), Rules(2, game=health))[3] == 14
    # Attacks -1: the enemy's 2 hits are 1.
    hits = Game(bag=(Token(1, hits=-1),))
    assert certain(fighter(9, 1, "critical@"), fighter(20, 2), Rules(1, game=hits))[2] == 8
    # Armour -1 from the very attack on: 1 hit against armour 1 wounds; each later token is one more wound.
    armour = Game(bag=(Token(1, armour=-1),))
    target = fighter(20, defender=Defender(armour=1))
    assert [certain(fighter(9, 1, "critical@"), target, Rules(n, game=armour))[3] for n in (1, 2)] == [19, 17]


def test_who_is_silenced_buys_nothing() -> None:
    # 2 hits, and one die that blocks once: silenced in this very attack, the defender has no second shield.
    game = Game(blue=("SHD ABI",), bag=(Token(1, silences=True),))
    target = Defender(0, 1, effects=effects("shield1@ABI"))
    assert only(rolled("HIT,HIT", "critical@"), target, game=game).wounds == 1
    assert only(rolled("HIT,HIT"), target, game=game).wounds == 0
    # Its own free hit of round 1 is gone as well; a hero who strikes again wounds it once more for the same token.
    assert certain(fighter(9, 1, "critical@"), fighter(9, 1, "hits1@"), Rules(2, game=game)) == (0, 2, 7, 6)


def test_chances_add_up() -> None:
    hero = Fighter(4, Attack(red=2, effects=effects("critical@ABI,ko@MAG")), Defender(1, 1, spending="fewest_wounds"))
    enemy = Fighter(3, Attack(1, 1, 1, effects=effects("blind@ABI,fire1@MAG")), Defender(1, 2, state=State(shields=1)))
    found = duel_outcomes(hero, enemy, Rules(8, 0.75))
    assert sum(found.values()) == pytest.approx(1)
    assert {end[0] for end in found} == {0, 1, 2}


# Random ones: what holds whatever the rules of spending are.


@pytest.mark.parametrize("seed", range(40))
def test_who_chooses_wounds_no_less_than_who_must_buy(seed: int) -> None:
    case = random_attack(seed, 1 + seed % 2, bag=True)
    kept = tuple(effect for effect in case.attack.effects if effect.name not in ("reroll", "area"))
    wounds = []
    for spending in ("most_wounds", "dearest"):
        attack = replace(case.attack, effects=kept, spending=spending)
        outcomes = attack_outcomes(attack, case.targets, case.game)
        assert sum(outcomes.values()) == 1
        wounds.append(sum(outcome.wounds * p for outcome, p in outcomes.items()))
    assert wounds[0] >= wounds[1]


@pytest.mark.parametrize("seed", range(20))
def test_chances_of_a_random_duel_add_up(seed: int) -> None:
    case = random_duel(seed, bag=True)
    assert sum(duel_outcomes(case.a, case.b, case.rules).values()) == pytest.approx(1)


def test_effects_are_written_as_they_are_read() -> None:
    text = "lethal1@ABI,lethal@,armour-2@HIT+MAG+MAG,reroll@LEG"
    assert written(effects(text)) == text
