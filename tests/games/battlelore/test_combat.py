"""Level B: morale, retreats, what follows a roll, and what the owners may choose."""

from __future__ import annotations

from typing import Any

import pytest

import balance
from balance.base.errors import BalanceError
from balance.chance.pmf import Pmf
from balance.chance.trials.lockstep import play_fixed
from balance.games.battlelore import GAME as BATTLELORE
from balance.games.battlelore.rules.combat import COMBAT_COLUMNS

GAME = balance.load(BATTLELORE)
COMBAT_CHOICES = BATTLELORE.kinds["combat"].choices


def combat(one: str, other: str, changes: dict[str, Any] | None = None, **choices: str) -> balance.Question:
    return GAME.ask("combat", one, other, changes or {}, **choices)


def distribution(one: str, other: str, changes: dict[str, Any] | None = None, **choices: str) -> Pmf:
    return combat(one, other, changes, **choices).distribution


def play(asked: balance.Question, **dice: list[Any]) -> dict[str, int]:
    """Play on dice named with underscores: attack_battle=["F"]."""
    process = asked.kind.processes(asked.setup, "literal")[0]
    return play_fixed(process, {name.replace("_", " "): faces for name, faces in dice.items()})


def bold(unit: str, changes: dict[str, Any] | None = None) -> int:
    """Return how many flags a defender may ignore."""
    return int(combat("blue_foot", unit, changes).setup.play.clashes[0].encounter.strike.target.bold)


DUG_IN = {"defender.supported": True, "situation.target_terrain": "rampart"}


@pytest.mark.rule("BL-MOR-06", "BL-MOR-07", "BL-MOR-09", "BL-DWF-01", "BL-DWF-02", "BL-TER-06", "BL-LMK-01")
def test_reasons_to_be_bold_add_up() -> None:
    assert bold("blue_foot") == 0
    assert bold("blue_foot", {"defender.supported": True}) == 1
    assert bold("blue_foot", {"situation.target_terrain": "bridge"}) == 1
    assert bold("blue_foot", {"situation.target_terrain": "landmark"}) == 1
    assert bold("blue_foot", {"situation.target_terrain": "hill"}) == 0
    assert bold("blue_foot", DUG_IN) == 2
    assert [bold("dwarf_blue_foot"), bold("dwarf_blue_foot", {"defender.supported": True})] == [1, 2]
    assert bold("dwarf_red_foot", DUG_IN) == 3
    assert bold("dwarf_blue_mounted") == 0, "only dwarves on foot"


@pytest.mark.parametrize(("reading", "human", "dwarf"), [("add", 2, 3), ("dwarves_only", 1, 3), ("never", 1, 1)])
def test_readings_of_bold_sources(reading: str, human: int, dwarf: int) -> None:
    changes = {**DUG_IN, "rules.bold_sources": reading}
    assert (bold("blue_foot", changes), bold("dwarf_blue_foot", changes)) == (human, dwarf)


@pytest.mark.rule("BL-CRE-05", "BL-CRE-06", "BL-MOR-08")
def test_a_creature_ignores_one_flag_wherever_it_stands_and_whoever_is_near() -> None:
    assert bold("giant_spider") == 1
    for changes in ({"defender.supported": True}, {"situation.target_terrain": "landmark"}, DUG_IN,
                    {"situation.target_terrain": "bridge"}):  # fmt: skip
        assert bold("giant_spider", changes) == 1
    stubborn = distribution("blue_foot", "giant_spider")
    assert stubborn == distribution("blue_foot", "giant_spider", defender_flags="0"), "it can never choose to retreat"


@pytest.mark.rule("BL-FLAG-01", "BL-FLAG-05", "BL-FLAG-06", "BL-FLAG-04", "BL-MOV-09")
@pytest.mark.parametrize("free", [0, 1, 2, 99])
def test_each_flag_is_a_hex_and_each_blocked_hex_a_figure(free: int) -> None:
    outcome = distribution(
        "blue_foot", "green_foot", {"situation.free_hexes": free, "situation.retreat_terrain": "forest"}
    )
    flags, moved = outcome["flags"], outcome["hexes_retreated"]
    alive = outcome["hits"] < 4
    assert (moved[alive] == flags[alive].clip(max=free)).all()
    lost = (outcome["hits"] + flags - moved).clip(max=4)
    assert (outcome["figures_lost"] == lost).all()


@pytest.mark.rule("BL-FLAG-07", "BL-MOR-03")
def test_an_owner_may_take_flags_it_could_ignore_but_chooses_no_losses() -> None:
    dwarf = "dwarf_blue_foot"
    takes = distribution("blue_foot", dwarf, defender_flags="0")
    assert (takes["hexes_retreated"] == takes["flags"]).all()
    assert takes.mean("battle_back") < distribution("blue_foot", dwarf).mean("battle_back")
    cornered = {"situation.free_hexes": 0}
    assert distribution("blue_foot", dwarf, cornered, defender_flags="0") == distribution("blue_foot", dwarf, cornered)
    two_bold = {"defender.supported": True}
    one = distribution("blue_foot", dwarf, two_bold, defender_flags="1").where(lambda flags: flags == 3)
    assert set(one["hexes_retreated"].tolist()) == {2}


@pytest.mark.rule("BL-PANIC-01", "BL-PANIC-02", "BL-GOB-03", "BL-GOB-04")
def test_only_hexes_travelled_cost_panic_dice() -> None:
    asked = combat("blue_foot", "goblin_blue_foot", {"situation.free_hexes": 1})
    outcome = play(asked, attack_battle=["F", "L", "R"], attack_panic=[2])
    assert (outcome["hexes_retreated"], outcome["figures_lost"]) == (1, 2), "one blocked, one panicked"
    cornered = distribution("blue_foot", "goblin_blue_foot", {"situation.free_hexes": 0})
    assert (cornered["figures_lost"] == (cornered["hits"] + 2 * cornered["flags"]).clip(max=4)).all()
    supported = distribution("blue_foot", "goblin_blue_foot", {"defender.supported": True})
    kept = supported.where(lambda flags, hits: (flags == 1) & (hits == 0))
    assert kept.mean("hexes_retreated") == 0
    assert kept.mean("battle_back") == 1


@pytest.mark.rule("BL-POST-10", "BL-POST-11", "BL-POST-12", "BL-POST-14")
def test_a_bold_unit_battles_back_once_and_follows_up_never() -> None:
    outcome = distribution("blue_mounted", "dwarf_blue_foot", follow_up="bonus_same")
    held = outcome["vacated"] == 0
    assert (outcome["battle_back"][held] == 1).all(), "no flag need have been rolled"
    assert (outcome["battle_back"][~held] <= outcome["bonus_melee"][~held]).all(), "else only against a bonus attack"
    assert (outcome["gained_ground"] == outcome["vacated"]).all()
    assert (outcome["bonus_melee"][held] == 0).all()
    assert distribution("blue_foot", "blue_foot").mean("battle_back") == 0
    clashes = combat("blue_foot", "dwarf_blue_foot", {"attacker.supported": True}).setup.play.clashes
    assert [clash.name for clash in clashes] == ["attack", "battle back"], "nobody answers a battle back"


def test_reading_of_what_a_battle_back_needs() -> None:
    strict = {"rules.battle_back_needs": "ignored_flag"}
    outcome = distribution("blue_foot", "dwarf_blue_foot", strict)
    assert (outcome["battle_back"] == (outcome["vacated"] == 0) * (outcome["flags"] == 1)).all()
    asked = combat("blue_mounted", "dwarf_blue_foot", strict, follow_up="bonus_same")
    dice = {"attack_battle": ["F", "F", "L"], "bonus_near_battle": ["L", "L", "L"]}
    assert play(asked, **dice)["battle_back"] == 0


@pytest.mark.rule("BL-POST-13")
def test_a_battle_back_rolls_under_the_caps_of_both_hexes_the_other_way_round() -> None:
    """BL-Q53: out of the defender's hex, into the attacker's; BL-Q49: an archer has not moved."""

    def back(changes: dict[str, Any], other: str = "dwarf_red_foot") -> int:
        return int(combat("green_foot", other, changes).setup.play.clashes[1].encounter.strike.n_dice)

    assert back({}) == 4
    assert back({"situation.target_terrain": "hill"}) == 3
    assert back({"situation.attacker_terrain": "hill"}) == 2
    assert back({"situation.attacker_terrain": "hill", "situation.target_terrain": "hill"}) == 3
    assert back({"situation.defender_extra_dice": 1, "situation.extra_dice": 2}) == 5
    assert back({"attacker.moved": True}, "dwarf_red_foot+common_bow") == 4


@pytest.mark.rule("BL-POST-02", "BL-POST-06", "BL-POST-08")
def test_a_pursuit_is_a_choice_and_gives_one_bonus_attack() -> None:
    base = distribution("blue_mounted", "blue_foot")
    same = distribution("blue_mounted", "blue_foot", follow_up="bonus_same")
    assert base.mean("bonus_melee") == 0
    assert distribution("blue_mounted", "blue_foot", follow_up="stay").mean("gained_ground") == 0
    assert set(same["bonus_melee"].tolist()) == {0, 1}
    chased = (same["figures_lost"] < 4) | (same["bonus_figures_lost"] > 0)
    expected = chased & (same["hexes_retreated"] > 0) & (same["hexes_retreated"] <= 2)
    assert (same["bonus_melee"] == expected).all()
    assert same.mean("attacker_banners") > base.mean("attacker_banners")
    assert distribution("blue_foot", "blue_foot", follow_up="bonus_same").mean("bonus_melee") == 0


@pytest.mark.rule("BL-POST-08", "BL-POST-13", "BL-WPN-02")
def test_a_bonus_attack_is_made_by_a_unit_that_moved_and_left_its_hex_free() -> None:
    changes = {"attacker.moved": True, "situation.attacker_free_hexes": 0}
    asked = combat("blue_mounted+common_bow", "dwarf_blue_foot", changes, follow_up="bonus_same")
    near = ["L", "L"]  # the bow still rolls one die fewer
    dice = {"attack_battle": ["F", "F"], "bonus_near_battle": near, "bonus_near_back_battle": ["F", "F", "L"]}
    outcome = play(asked, **dice)
    assert outcome["battle_back"] == 1
    assert (outcome["attacker_hexes_retreated"], outcome["attacker_figures_lost"]) == (1, 1), "one hex to fall back on"


@pytest.mark.parametrize(("flags", "lost"), [(2, 0), (3, 1)])
def test_a_pursuer_two_hexes_on_has_the_two_hexes_behind_it_to_fall_back_on(flags: int, lost: int) -> None:
    """It came from a hex with none free behind; each flag beyond the two it rode over costs a figure."""
    chase = combat("blue_mounted", "dwarf_blue_foot", {"situation.attacker_free_hexes": 0}, follow_up="bonus_same")
    back = ["F"] * flags + ["L"] * (3 - flags)
    outcome = play(chase, attack_battle=["F"] * 3, bonus_far_battle=["L"] * 3, bonus_far_back_battle=back)
    assert (outcome["attacker_hexes_retreated"], outcome["attacker_figures_lost"]) == (2, lost)


def test_prey_that_fled_two_hexes_has_two_fewer_to_flee_to() -> None:
    changes = {"situation.free_hexes": 3}
    chase = combat("blue_mounted", "dwarf_blue_foot", changes, follow_up="bonus_same")
    outcome = play(chase, attack_battle=["F"] * 3, bonus_far_battle=["F", "F", "F"])
    assert (outcome["hexes_retreated"], outcome["bonus_figures_lost"]) == (2, 1), "one hex left for two flags"


@pytest.mark.rule("BL-POST-05", "BL-TER-05", "BL-LMK-01", "BL-LMK-13")
@pytest.mark.parametrize(
    ("terrain", "clashes"),
    [("countryside", 2), ("hill", 2), ("forest", 1), ("ford", 2), ("landmark", 0), ("rampart", 0), ("healing_pool", 1)],
)
def test_terrain_limits_a_pursuit(terrain: str, clashes: int) -> None:
    changes: dict[str, Any] = {"situation.target_terrain": terrain}
    asked = combat("blue_mounted", "blue_foot", changes, follow_up="bonus_same")
    names = [clash.name for clash in asked.setup.play.clashes if clash.name.startswith("bonus")]
    assert [name for name in names if not name.endswith("back")] == ["bonus near", "bonus far"][:clashes]


def test_readings_of_pursuits() -> None:
    ford = {"situation.target_terrain": "ford", "rules.ford_pursuit": "stop"}
    names = [c.name for c in combat("blue_mounted", "blue_foot", ford, follow_up="bonus_same").setup.play.clashes]
    assert names == ["attack", "bonus near"]
    along = {"situation.target_terrain": "rampart", "situation.attacker_terrain": "rampart"}
    names = [c.name for c in combat("blue_mounted", "blue_foot", along, follow_up="bonus_same").setup.play.clashes]
    assert names == ["attack", "battle back", "bonus near", "bonus far"]
    for changes, far in (({}, 1), ({"rules.rampart_along": "stop"}, 0)):
        behind = {**along, "situation.retreat_terrain": "rampart", **changes}
        clashes = combat("blue_mounted", "blue_foot", behind, follow_up="bonus_same").setup.play.clashes
        assert sum(clash.name == "bonus far" for clash in clashes) == far, "from rampart to rampart, as on the board"
    dwarf = {"rules.battle_back_on_bonus": False}
    names = [
        c.name for c in combat("blue_mounted", "dwarf_blue_foot", dwarf, follow_up="bonus_same").setup.play.clashes
    ]
    assert names == ["attack", "battle back", "bonus near", "bonus far"]


@pytest.mark.rule("BL-POST-08", "BL-POST-09", "BL-WIN-02")
def test_a_bonus_attack_on_another_enemy() -> None:
    changes = {"situation.other": "dwarf_green_foot", "situation.other_figures": 1, "defender.figures": 1}
    asked = combat("red_mounted", "blue_foot", changes, follow_up="bonus_other")
    outcome = play(asked, attack_battle=["B"] * 4, bonus_other_battle=["G", "L", "L", "L"])
    assert (outcome["attacker_banners"], outcome["bonus_melee"], outcome["bonus_figures_lost"]) == (2, 1, 1)
    back = {"bonus_other_battle": ["L"] * 4, "bonus_other_back_battle": ["R", "S"]}
    outcome = play(asked, attack_battle=["B"] * 4, **back)
    assert (outcome["attacker_figures_lost"], outcome["battle_back"]) == (1, 0), "of R and S, a short sword loses one"
    with pytest.raises(BalanceError, match="BL-TRP-03"):
        combat("red_mounted", "blue_foot", {"situation.other_figures": 5}, follow_up="bonus_other")


@pytest.mark.rule("BL-POST-07")
def test_an_ambush_strikes_first_and_follows_up_never() -> None:
    """The defending cavalry drives the attackers off: no attack, no ground gained by anybody."""
    asked = combat("blue_foot", "blue_mounted", {"situation.ambush": True}, follow_up="bonus_same")
    driven_off = play(asked, ambush_battle=["F", "L", "L"])
    assert (driven_off["attacker_hexes_retreated"], driven_off["hits"], driven_off["lore"]) == (1, 0, 0)
    assert (driven_off["vacated"], driven_off["gained_ground"], driven_off["bonus_melee"]) == (0, 0, 0)
    stands = play(asked, ambush_battle=["B", "L", "L"], attack_battle=["B", "B", "F"])
    assert (stands["attacker_figures_lost"], stands["figures_lost"], stands["hexes_retreated"]) == (1, 2, 1)
    with pytest.raises(BalanceError, match="BL-POST-07"):
        combat("green_foot+common_bow", "blue_foot", {"situation.ambush": True, "situation.distance": 3})


@pytest.mark.rule("BL-CRE-15", "BL-POST-07")
def test_who_is_webbed_in_an_ambush_does_not_attack() -> None:
    """A flag drives it off and Lore webs it: in 16 of 36 cases it attacks with three dice, each a hit one time in 3."""
    ambushed = distribution("blue_foot", "giant_spider", {"situation.ambush": True}, defender_powers="web")
    assert ambushed.mean("hits") == pytest.approx(16 / 36 * 3 / 3)
    asked = combat("blue_foot", "giant_spider", {"situation.ambush": True}, defender_powers="web")
    caught = play(asked, ambush_battle=["L", "F"])
    assert (caught["attacker_figures_lost"], caught["attacker_hexes_retreated"], caught["battle_back"]) == (1, 0, 0)


@pytest.mark.rule("BL-CRE-08")
@pytest.mark.parametrize(("reading", "own"), [("in_path", 0), ("all_adjacent", 2)])
def test_what_a_creature_has_trampled_stays_trampled(reading: str, own: int) -> None:
    """BL-Q33: a figure each in the attack, the last one in the bonus attack; then the way is open."""
    changes: dict[str, Any] = {"situation.free_hexes": 1, "situation.blockers": 2, "situation.blocker_figures": 2}
    changes["rules.trample"] = reading
    asked = combat("blue_mounted", "giant_spider", changes, follow_up="bonus_same")
    twice = ["F", "F", "L"]
    outcome = play(asked, attack_battle=twice, attack_cornered=[6], bonus_near_battle=twice)
    assert (outcome["trampled"], outcome["attacker_banners"], outcome["attacker_figures_lost"]) == (4, 2, own)
    one = {**changes, "situation.blockers": 1, "rules.trample": "in_path"}
    chased = distribution("blue_mounted+long_sword", "giant_spider", one, follow_up="bonus_same")
    assert (chased.mean("attacker_banners"), chased.mean("trampled")) == pytest.approx((0.17831, 0.07845), abs=5e-6)


@pytest.mark.rule("BL-CRE-07", "BL-CRE-09")
def test_a_cornered_creature_dies_of_one_die_in_36() -> None:
    changes = {"situation.free_hexes": 0, "situation.extra_dice": -1}
    cornered = distribution("blue_foot", "giant_spider", changes).where(lambda flags, hits: (flags == 2) & (hits == 0))
    assert cornered.chance(lambda eliminated: eliminated == 1) == pytest.approx(1 - (35 / 36) ** 2)
    assert cornered.mean("lore_gained") == pytest.approx(1 - (35 / 36) ** 2), "the reward for the kill"
    free = distribution("blue_foot", "giant_spider").where(lambda flags, hits: (flags == 3) & (hits == 0))
    assert free.mean("hexes_retreated") == 4


@pytest.mark.rule("BL-CRE-08")
def test_readings_of_trampling() -> None:
    changes = {"situation.free_hexes": 0, "situation.blockers": 2, "situation.blocker_figures": 2}
    dice = {"attack_battle": ["F", "F", "L"]}
    asked = combat("blue_foot", "giant_spider", {**changes, "rules.trample_clears_way": False}, battle_back="no")
    stays = play(asked, **dice, attack_cornered=[6, 6])
    assert (stays["hexes_retreated"], stays["trampled"]) == (0, 4)
    asked = combat("blue_foot", "giant_spider", {**changes, "rules.trample": "all_adjacent"}, battle_back="no")
    assert play(asked, **dice)["attacker_figures_lost"] == 2
    away = {**changes, "situation.free_hexes": 1, "rules.trample": "all_adjacent"}
    asked = combat("blue_foot", "giant_spider", away, battle_back="no")
    assert play(asked, **dice, attack_cornered=[6])["attacker_figures_lost"] == 0, "one hex away, it is not adjacent"
    behind = {"situation.blockers": 2, "situation.blocker_figures": 2}
    assert distribution("blue_foot", "giant_spider", behind) == distribution("blue_foot", "giant_spider", changes), (
        "in its way: no way back"
    )
    with pytest.raises(BalanceError, match="BL-CRE-08"):
        combat("blue_foot", "blue_foot", {"situation.blockers": 1})


@pytest.mark.rule("BL-CRE-15", "BL-CRE-16")
def test_a_webbed_unit_neither_flees_nor_battles_back_until_it_is_freed() -> None:
    webbed = distribution("blue_foot", "dwarf_blue_foot", {"defender.webbed": True})
    assert webbed.mean("hexes_retreated") == webbed.mean("battle_back") == 0
    assert webbed.mean("hits") == pytest.approx(1.5)
    free = distribution("blue_foot", "blue_foot", {"attacker.webbed": True, "attacker.freed": True})
    assert free.mean("lore_gained") == pytest.approx(0.5 - 1)
    moved = {"attacker.webbed": True, "attacker.freed": True, "attacker.moved": True}
    assert combat("blue_foot", "blue_foot", moved)
    with pytest.raises(BalanceError, match="BL-CRE-16"):
        combat("blue_foot", "blue_foot", {**moved, "rules.freed_unit": "move_or_battle"})
    spared = distribution("blue_foot", "dwarf_blue_foot", {"defender.webbed": True, "rules.webbed_flags": "taken_hit"})
    assert spared.mean("hits") == pytest.approx(1.5 - 91 / 216), "one flag fewer in each roll that has one"


@pytest.mark.rule("BL-CRE-10", "BL-CRE-11", "BL-CRE-13", "BL-CRE-14")
def test_powers_are_the_owners_choice() -> None:
    spider = {"attacker.stored_lore": 1}
    means = {power: distribution("giant_spider", "blue_foot", spider, attacker_powers=power)
             for power in COMBAT_CHOICES["attacker_powers"]}  # fmt: skip
    assert means["chalice"].mean("lore_gained") == pytest.approx(1 / 3)
    assert means["chalice"].mean("stored_lore") == 1
    assert means["store"].mean("stored_lore") > 1
    assert means["web"].mean("webbed") > 0.9
    assert means["poison"].mean("poisoned") == means["poison_or_web"].mean("poisoned") == pytest.approx(4 / 36)
    assert means["poison"].mean("webbed") == 0
    assert means["poison_or_web"].mean("webbed") > 0.5
    none = distribution("giant_spider", "blue_foot", attacker_powers="poison")
    assert none.mean("poisoned") == 0, "Lore in a chalice feeds no power"


@pytest.mark.rule("BL-CRE-14", "BL-CRE-15")
def test_flags_against_a_webbed_unit_are_hits_that_poison_and_kill() -> None:
    caught = {"attacker.stored_lore": 1, "defender.webbed": True}
    asked = combat("giant_spider", "blue_foot", caught, attacker_powers="poison")
    assert play(asked, attack_battle=["F", "L"])["poisoned"] == 1
    asked = combat("giant_spider", "blue_foot", {**caught, "defender.figures": 1}, attacker_powers="poison")
    assert play(asked, attack_battle=["F", "L"])["poisoned"] == 0, "nor is Poison wasted on the dead"


@pytest.mark.rule("BL-CRE-11")
def test_stored_lore_is_lost_with_the_creature() -> None:
    asked = combat("giant_spider", "dwarf_blue_foot", {"attacker.stored_lore": 2})
    dead = play(asked, attack_battle=["L", "L"], battle_back_battle=["G", "L", "L"], battle_back_critical=[1])
    assert (dead["attacker_eliminated"], dead["stored_lore"]) == (1, 0)
    assert play(asked, attack_battle=["L", "L"], battle_back_battle=["L"] * 3)["stored_lore"] == 2


def test_powers_are_not_wasted_on_the_dead() -> None:
    last = {"attacker.stored_lore": 1, "defender.figures": 1}
    assert distribution("giant_spider", "blue_foot", last, attacker_powers="poison").mean("poisoned") == 0
    web = distribution("giant_spider", "blue_foot", last, attacker_powers="web")
    assert web.where(lambda hits, flags: (hits == 1) & (flags == 0)).mean("webbed") == 0


@pytest.mark.rule("BL-TER-04")
@pytest.mark.parametrize("place", ["target_terrain", "retreat_terrain", "other_terrain"])
def test_nobody_stands_in_a_watercourse_nor_in_a_terrain_that_is_not(place: str) -> None:
    with pytest.raises(BalanceError, match="BL-TER-04"):
        combat("blue_foot", "blue_foot", {f"situation.{place}": "watercourse"})
    with pytest.raises(BalanceError, match="forest"):
        combat("blue_foot", "blue_foot", {f"situation.{place}": "forrest"})


def test_every_choice_changes_something() -> None:
    asked: dict[str, tuple[str, str, dict[str, Any]]] = {
        "defender_flags": ("red_foot+long_sword", "dwarf_red_foot", {"defender.supported": True, "defender.bold": 1}),
        "attacker_flags": ("dwarf_red_foot", "dwarf_red_foot", {"attacker.supported": True, "attacker.bold": 1}),
        "battle_back": ("blue_foot", "dwarf_blue_foot", {}),
        "follow_up": ("blue_mounted", "blue_foot", {"situation.other": "green_foot"}),
        "attacker_powers": ("giant_spider", "blue_foot", {"attacker.stored_lore": 1}),
        "defender_powers": ("blue_foot", "giant_spider", {"defender.stored_lore": 1}),
    }
    assert set(asked) == set(COMBAT_CHOICES)
    for name, (one, other, changes) in asked.items():
        distributions = [distribution(one, other, changes, **{name: value}) for value in COMBAT_CHOICES[name]]
        alike = [
            value for value, found in zip(COMBAT_CHOICES[name], distributions, strict=True) if found == distributions[0]
        ]
        assert alike in ([COMBAT_CHOICES[name][0]], ["most", "3"]), f"{name}: {alike}"


def test_lanes_agree_on_a_long_combat() -> None:
    asked = combat("goblin_red_mounted", "dwarf_red_foot", {"situation.free_hexes": 1}, follow_up="bonus_same")
    assert tuple(asked.distribution.columns) == tuple(COMBAT_COLUMNS)
    for lane in ("literal", "compiled"):
        assert asked.simulate(60_000, seed=7, lane=lane).agreement.p_value > 1e-3
    easier = combat("goblin_red_mounted", "dwarf_red_foot", {"situation.free_hexes": 2}, follow_up="bonus_same")
    assert asked.distribution.agreement(easier.simulate(60_000, seed=7).distribution).p_value < 1e-9, (
        "a changed rule is told apart"
    )
