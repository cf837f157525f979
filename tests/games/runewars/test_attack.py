"""One attack: the damage pool and its order, conditions, re-rolls by ranks, and what hangs on nothing."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from balance.chance.exact.enumeration import exact_distribution
from tests.games.runewars.plays import COLUMNS, GAME, chances, duel, end, only, play, printed, strike, told

F = Fraction
RED = {"blank": 2, "hit": 2, "morale": 1, "hit+hit": 1, "hit+morale": 1, "hit+surge": 1}
BLUE = {
    "blank": 1, "hit": 2, "surge": 1, "accuracy": 1, "hit+surge": 1, "hit+accuracy": 1, "surge+surge": 1,
}  # fmt: skip


@pytest.mark.parametrize("rerolls", ["no_hit", "best", "none"])
@pytest.mark.parametrize("guard", [0, 2, "stable"])
def test_dice_rolled_colour_by_colour_fall_as_those_rolled_at_once(rerolls: str, guard: int | str) -> None:
    for fields in (
        {"red": 2, "blue": 1, "columns": 2, "ranks": 2, "partial": 1},
        {"white": 2, "columns": 1, "ranks": 3, "add_hits": 1, "surge_abilities": "hits@1,blight@2"},
        {"blue": 2, "white": 1, "columns": 3, "ranks": 1, "partial": 2, "precise": 1},
        {"columns": 2, "ranks": 2, "partial": 1},
    ):
        asked = strike(fields, {"defence": 3, "guard_rerolls": guard}, attacker_rerolls=rerolls)
        (literal,) = asked.kind.processes(asked.setup, "literal")
        assert asked.distribution == exact_distribution(literal)


# -- the damage pool --------------------------------------------------------------------------------------------------


@pytest.mark.rule("RW-DMG.1")
def test_all_hits_fill_one_pool_before_anybody_suffers() -> None:
    """Three hits of threat 2 are 6 damage: against a defence of 4 one wound, not none as 2 and 2 and 2 would be."""
    assert only(strike({"add_hits": 3}, {"defence": 4})) == told(hits=3, damage=6, wounds=1, figures_lost=1)
    assert only(strike({"add_hits": 3}, {"defence": 3})) == told(hits=3, damage=6, wounds=2, figures_lost=2)
    assert only(strike({"add_hits": 3}, {"defence": 7})) == told(hits=3, damage=6)


@pytest.mark.rule("RW-DMG.2")
def test_the_pool_is_gone_after_its_attack() -> None:
    """6 damage on a defence of 4, eight times: what is left over never makes a second wound of a round."""
    assert end(duel({"add_hits": 3}, {"defence": 4})) == (1, 8, 8, 0, 2, 0)
    assert end(duel({"add_hits": 3}, {"defence": 4}, round_limit=7)) == (0, 7, 8, 1, 2, 1)
    assert end(duel({"add_hits": 3}, {"defence": 7})) == (0, 8, 8, 8, 2, 2)


@pytest.mark.rule("RW-DMG.2")
def test_what_changes_the_pool_changes_no_mortal_strikes() -> None:
    asked = strike({"add_mortal_strikes": 2}, {"protected": 9, "defence": 99})
    assert only(asked) == told(mortal_strikes=2, wounds=2, figures_lost=2)
    with_lethal = strike({"add_mortal_strikes": 2, "lethal": 3}, {"defence": 4})
    assert only(with_lethal) == told(mortal_strikes=2, damage=3, wounds=2, figures_lost=2)


@pytest.mark.rule("RW-DMG.3")
@pytest.mark.parametrize(
    ("hits", "lethal", "protected", "damage"),
    [(0, 1, 2, 0), (0, 2, 1, 1), (1, 1, 2, 1), (1, 1, 3, 0), (1, 3, 4, 1), (2, 1, 2, 3)],
)
def test_the_attacker_adds_first_and_the_defender_takes_off(
    hits: int, lethal: int, protected: int, damage: int
) -> None:
    """Were Protected first, an empty pool would stay 0, and Lethal would be left whole: 1, 2, 1, 1, 3 and 3."""
    found = only(strike({"add_hits": hits, "lethal": lethal}, {"protected": protected, "defence": 99}))
    assert found == told(hits=hits, damage=damage)


@pytest.mark.rule("RW-DMG.4")
@pytest.mark.parametrize(("hits", "columns", "brutal", "damage"), [(0, 2, 0, 3), (1, 2, 0, 5), (2, 3, 1, 11)])
def test_lethal_is_added_and_not_multiplied(hits: int, columns: int, brutal: int, damage: int) -> None:
    asked = strike({"add_hits": hits, "columns": columns, "lethal": 3, "brutal": brutal}, {"defence": 99})
    assert only(asked) == told(hits=hits, damage=damage)


@pytest.mark.rule("RW-DMG.4")
def test_lethal_may_need_damage() -> None:
    needs = {"lethal_without_damage": "needs_damage"}
    hurt = {"defence": 99}
    assert only(strike({"lethal": 3}, hurt, rules=needs)) == told()
    assert only(strike({"lethal": 3, "add_hits": 1}, hurt, rules=needs)) == told(hits=1, damage=5)
    bought = {"lethal": 3, "blue": 1, "surge_abilities": "damage@1"}
    assert play(strike(bought, hurt, rules=needs), attack_blue=["surge"])["damage"] == 4
    assert play(strike(bought, hurt, rules=needs), attack_blue=["blank"])["damage"] == 0
    branded = {"defence": 99, "conditions": "branded"}
    assert only(strike({"lethal": 3}, branded, rules=needs)) == told(damage=4)


@pytest.mark.rule("RW-DMG.5")
@pytest.mark.parametrize(("protected", "damage"), [(0, 4), (1, 3), (3, 1), (4, 0), (5, 0)])
def test_protected_takes_from_the_pool_once_and_not_below_none(protected: int, damage: int) -> None:
    asked = strike({"add_hits": 2}, {"protected": protected})
    assert only(asked) == told(hits=2, damage=damage, wounds=damage, figures_lost=damage, trays_lost=damage // 4)


@pytest.mark.rule("RW-DMG.6")
def test_keywords_of_a_unit_and_its_upgrades_add_up() -> None:
    """Honed Blades and War Cry are Lethal 1 and 2, Broad Shields Protected 1 on a card of Protected 1."""
    hurt = {"defence": 99}
    for by, damage in (("spearmen", 2), ("spearmen+honed_blades", 3), ("spearmen+honed_blades+war_cry", 5)):
        assert only(strike({"add_hits": 1}, hurt, by=by))["damage"] == damage
        assert (
            only(strike({"add_hits": 1}, hurt, by=by, game=printed({"units.spearmen.lethal": "4"})))["damage"]
            == damage + 4
        )
    protected = [only(strike({"add_hits": 3}, hurt, at=at))["damage"] for at in ("spearmen", "spearmen+broad_shields",
                 "heavy_crossbowmen", "heavy_crossbowmen+broad_shields")]  # fmt: skip
    assert protected == [6, 5, 5, 4]


@pytest.mark.rule("RW-DMG.6")
def test_brutal_of_an_upgrade_joins_that_of_the_card_runes_included() -> None:
    """Rune golems have Brutal by stable runes, 1 or 2 of them; Crushing Weight is one more."""
    plain, heavy = (
        strike({"add_hits": 1}, {"defence": 99}, by=f"rune_golems+2x1{more}") for more in ("", "+crushing_weight")
    )
    assert chances(plain, "damage") == {3: F(1, 2), 4: F(1, 2)}
    assert chances(heavy, "damage") == {4: F(1, 2), 5: F(1, 2)}


@pytest.mark.rule("RW-GEN.2")
@pytest.mark.parametrize("surges", ["listed", "best", "none"])
@pytest.mark.parametrize("rerolls", ["no_hit", "best", "none"])
def test_an_upgrade_works_whether_its_owner_would_have_it_or_not(surges: str, rerolls: str) -> None:
    """No choice leaves a Lethal or a Protected out: the pool of every roll is one more, or one less."""
    choices: dict[str, Any] = {"attacker_surges": surges, "attacker_rerolls": rerolls}
    fields = {"red": 1, "blue": 1}
    plain = chances(strike(fields, {"defence": 99}, **choices), "damage")
    honed = chances(strike(fields, {"defence": 99}, by="spearmen+honed_blades", **choices), "damage")
    assert honed == {damage + 1: chance for damage, chance in plain.items()}
    both = strike(fields, {"defence": 99}, by="spearmen+honed_blades", at="reanimates+broad_shields", **choices)
    assert chances(both, "damage") == plain


# -- conditions -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RW-COND.1")
def test_a_condition_holds_while_it_is_there() -> None:
    """Branded adds 1 to the pool of attacks on who has it; blight is what Carrion Lancers' surges ask for."""
    for conditions, damage in (("", 2), ("branded", 3), ("blight", 2), ("branded,blight", 3)):
        asked = strike({"add_hits": 1}, {"defence": 99, **({"conditions": conditions} if conditions else {})})
        assert only(asked) == told(hits=1, damage=damage)
    lancers: dict[str, Any] = {"by": "carrion_lancers+1x1"}
    ability = {"blue": 1, "surge_abilities": "mortal_strikes@1?blight"}
    with_it, without = (
        strike(ability, {"defence": 99, "conditions": held}, **lancers) for held in ("blight", "branded")
    )
    assert play(with_it, attack_blue=["surge+surge"]) == told(surges=2, mortal_strikes=2, wounds=2, figures_lost=2)
    assert play(without, attack_blue=["surge+surge"]) == told(surges=2, damage=1)


@pytest.mark.rule("RW-COND.1")
def test_a_condition_of_the_attacker_is_nothing_to_its_own_attack() -> None:
    asked = strike({"add_hits": 1, "conditions": "branded"}, {"defence": 99})
    assert only(asked) == told(hits=1, damage=2)


@pytest.mark.rule("RW-COND.2")
def test_a_unit_cannot_receive_a_condition_that_it_has() -> None:
    """A die shows two surges: in the first round one of them brings the condition, and later both buy what needs it.

    A brand adds 1 to the pool once it is there, whether it is there already, is bought, or would be bought again.
    """
    faces = printed({f"faces.blue_{n}.results": "surge+surge" for n in range(1, 9)})
    b = {"columns": 2, "ranks": 3}
    for abilities, had, lost in (
        ("blight@1,mortal_strikes@1?blight", "", [1, 3, 5, 7]),
        ("mortal_strikes@1?blight,blight@1", "", [0, 2, 4, 6]),
        ("blight@1,mortal_strikes@1?blight", "blight", [2, 4, 6, 8]),
        ("branded@1", "", [1, 2, 3, 4]),
        ("branded@1,branded@1", "", [1, 2, 3, 4]),
        ("branded@1", "branded", [1, 2, 3, 4]),
        ("branded@1,mortal_strikes@1", "", [2, 5, 8, 11]),
    ):
        a = {"blue": 1, "surge_abilities": abilities}
        held = {**b, "conditions": had} if had else b
        found = [end(duel(a, held, game=faces, round_limit=n))[3] for n in (1, 2, 3, 4)]
        assert found == [24 - n for n in lost], (abilities, had)


# -- dice and re-rolls ------------------------------------------------------------------------------------------------


def test_dice_are_written_by_the_names_of_their_faces() -> None:
    """Two ranks and a partial one: a re-roll of any number of dice, then of one, of those without a hit."""
    asked = GAME.ask("attack", "spearmen+2x2", "reanimates", {"attacker.partial": 1, "defender.defence": 3})
    once = play(asked, attack_red=["hit+hit"], attack_blue=["hit+surge"])
    assert once == told(hits=3, surges=1, damage=6, wounds=2, figures_lost=2)
    again = {"attack_red": ["blank"], "attack_blue": ["surge+surge"], "attack_red_again_1": ["morale"]}
    partial = play(asked, **again, attack_blue_again_1=["hit+accuracy"], attack_red_partial=["hit+morale"])
    assert partial == told(hits=2, accuracy=1, morale=1, damage=4, wounds=1, figures_lost=1)
    red_first = play(asked, **again, attack_blue_again_1=["surge"], attack_red_partial=["blank"])
    assert red_first == told(surges=1)


def test_runes_are_thrown_before_the_dice_and_dice_guarded_before_they_are_rolled_again() -> None:
    """Wraiths guard by stable runes: the second token always shows one, the third one if it shows its other side."""
    asked = strike({"red": 2}, at="wraiths", attacker_rerolls="no_hit")
    two, one = [2, 1, 2, 1, 1], [1, 1, 1, 1, 1]
    hits = ["hit+hit", "hit"]
    assert play(asked, runes=two, attack_red=hits, attack_red_guard=["blank", "hit"])["hits"] == 1
    assert play(asked, runes=one, attack_red=hits, attack_red_guard=["blank"])["hits"] == 1
    assert play(asked, runes=one, attack_red=["hit", "morale"], attack_red_guard=["hit+hit"])["hits"] == 2
    assert play(asked, runes=two, attack_red=["blank", "morale"])["hits"] == 0
    precise = strike({"red": 2, "precise": 1}, at="wraiths")
    found = play(precise, runes=one, attack_red=hits, attack_red_guard=["blank"], attack_red_again_1=["hit+hit"])
    assert found["hits"] == 3


def test_an_attack_without_dice() -> None:
    """Nothing is rolled, whatever ranks could roll again; what joins a roll joins nothing."""
    shape = {"columns": 2, "ranks": 3, "partial": 1, "precise": 2}
    for rerolls in ("no_hit", "none", "best"):
        for surges in ("listed", "none", "best"):
            choices: dict[str, Any] = {"attacker_rerolls": rerolls, "attacker_surges": surges}
            assert only(strike(shape, **choices)) == told()
            assert only(strike({**shape, "add_hits": 1}, **choices)) == told(hits=1, damage=2, wounds=2, figures_lost=2)
    simulated = strike(shape).simulate(50, seed=1, lane="literal").distribution
    assert simulated.outcomes.tolist() == [[0] * len(COLUMNS)]


@pytest.mark.parametrize(
    ("attacker", "defender"),
    [
        ({"red": 1, "blue": 1}, {}),
        ({"red": 1, "blue": 1, "surge_abilities": "damage2@1+", "lethal": 1}, {"protected": 2, "defence": 2}),
        ({"red": 1, "blue": 1, "surge_abilities": "hits@2,accuracy@1"}, {"defence": 2, "wounds_suffered": 3}),
    ],
)
def test_the_distribution_is_that_of_every_fall_of_the_dice(attacker: dict[str, Any], defender: dict[str, Any]) -> None:
    asked = strike(attacker, defender)
    seen: Counter[tuple[int, ...]] = Counter()
    for (red, n), (blue, m) in product(RED.items(), BLUE.items()):
        seen[tuple(play(asked, attack_red=[red], attack_blue=[blue]).values())] += n * m
    assert chances(asked, *COLUMNS) == {row: F(n, 64) for row, n in seen.items()}


def test_a_die_that_is_rolled_again() -> None:
    """Of a red die with one rank behind the front: hits of 5 faces in 8 stand, the others are as a fresh die."""
    asked = strike({"red": 1, "ranks": 2})
    assert chances(asked, "hits") == {0: F(9, 64), 1: F(44, 64), 2: F(11, 64)}
    twice = strike({"red": 1, "ranks": 3})
    assert chances(twice, "hits")[0] == F(27, 512)
    assert chances(strike({"red": 1, "ranks": 2}, attacker_rerolls="none"), "hits") == {
        0: F(3, 8),
        1: F(4, 8),
        2: F(1, 8),
    }
    assert chances(strike({"red": 1, "precise": 1}), "hits") == chances(asked, "hits")
    assert chances(strike({"red": 1, "partial": 1}), "hits") == chances(asked, "hits")


def test_a_partial_rank_rolls_one_die_again_and_a_full_one_any() -> None:
    """Two red dice, 3 blank faces of 8 each: no hit at all after both are rolled again, or one of them."""
    assert chances(strike({"red": 2, "ranks": 2}), "hits")[0] == F(9, 64) ** 2
    assert chances(strike({"red": 2, "partial": 1}), "hits")[0] == F(3, 8) ** 3


# -- simulated --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "at", "changes", "choices"),
    [
        ("spearmen+3x2", "reanimates+3x2", {"attacker.partial": 1}, {}),
        ("rune_golems+2x1", "wraiths+2x2", {"attacker.add_hits": 1}, {}),
        ("oathsworn_cavalry+2x3", "aymhelin_scions+2x1", {}, {"attacker_rerolls": "best"}),
        (
            "carrion_lancers+2x2",
            "spearmen+3x3+war_beast",
            {"defender.conditions": "blight"},
            {"attacker_accuracy": "upgrade"},
        ),
        ("ankaur_maro", "spearmen", {"situation.attack": "ranged"}, {"attacker_surges": "best"}),
    ],
)
def test_random_dice_agree_with_the_distribution(
    by: str, at: str, changes: dict[str, Any], choices: dict[str, str]
) -> None:
    asked = GAME.ask("attack", by, at, changes, **choices)
    for lane in ("literal", "compiled"):
        simulated = asked.simulate(20_000, seed=4, lane=lane)
        assert simulated.agreement is not None
        assert simulated.agreement.p_value > 0.001


def test_random_dice_of_another_attack_do_not_agree() -> None:
    right, wrong = (GAME.ask("attack", "spearmen+2x2", "reanimates", {"attacker.lethal": n}) for n in (0, 1))
    assert right.distribution.agreement(wrong.simulate(20_000, seed=4).distribution).p_value < 0.001


# -- what changes nothing ---------------------------------------------------------------------------------------------


def test_a_unit_under_another_name_is_the_same() -> None:
    """A copy of the card, with its formations, in place of the card of another unit."""
    card = GAME.catalogue.tables["units"]["spearmen"].model_dump(mode="json")
    fields = {name: value for name, value in card.items() if name not in ("id", "name", "faction")}
    values = {f"units.outland_scouts.{name}": _cell(value) for name, value in fields.items()}
    other = printed(values)
    for by, copy in (
        ("spearmen+3x2", "outland_scouts+3x2"),
        ("spearmen+2x1+honed_blades", "outland_scouts+2x1+honed_blades"),
    ):
        for at in ("reanimates", "wraiths"):
            original = GAME.ask("attack", by, at).distribution
            assert other.ask("attack", copy, at).distribution == original
            assert GAME.ask("attack", copy, at).distribution != original
            assert other.ask("attack", at, copy).distribution == GAME.ask("attack", at, by).distribution
            assert other.ask("duel", copy, at).distribution == GAME.ask("duel", by, at).distribution


def _cell(value: object) -> str:
    return "" if value is None else ",".join(value) if isinstance(value, list) else str(value)


def test_upgrades_may_be_told_in_any_order() -> None:
    plain = "honed_blades", "steady_drill", "file_leader", "quick_wits", "crushing_weight"
    by = [GAME.ask("attack", f"spearmen+{'+'.join(order)}+3x2", "reanimates") for order in (plain, plain[::-1])]
    assert by[0].distribution == by[1].distribution
    at = [GAME.ask("attack", "reanimates", f"spearmen+{'+'.join(order)}") for order in (plain, plain[::-1])]
    assert at[0].distribution == at[1].distribution
