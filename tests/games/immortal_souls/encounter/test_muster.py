"""The tables of an encounter say what the cards of its heroes and enemies say; numbers are those of the CSV files."""

from __future__ import annotations

import pytest

from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.tables.board import STEPS
from tests.games.immortal_souls.encounter.comparing import SOULS

SETS = {"heroes.rank": "3", "heroes.1.movement": "5", "heroes.2.save": "LEG", "heroes.3.health": "20"}
SCENE: Scene = SOULS.ask("encounter", "auriel,thorgar,shae", "captain", SETS).setup.play


@pytest.mark.rule("IS-HP.9", "IS-POW.3", "IS-POW.10", "IS-SAVE.1")
def test_heroes_are_what_gems_powers_and_settings_say() -> None:
    party = SCENE.party
    assert party.health[:, 1:4].tolist() == [[7, 9, 11], [8, 10, 12], [20, 20, 20]]
    assert (party.activities[:, 3].tolist(), party.actions[:, 1:4].tolist()) == ([1, 1, 1], [[1, 1, 2]] * 3)
    assert (party.movement.tolist(), party.style.tolist(), party.rank.tolist()) == ([5, 3, 4], [2, 1, 0], [3, 3, 3])
    assert (party.armour.tolist(), party.shields.tolist()) == ([0, 1, 0], [2, 0, 0])
    assert (party.save_good.tolist(), party.save_total.tolist()) == ([2, 0, 4], [10, 10, 10])
    named = [[[SCENE.strike_names[one] for one in rank if one >= 0] for rank in hero[1:4]] for hero in party.powers]
    assert named == [
        [["Thunder Lord I"], ["Thunder Lord I"], ["Thunder Lord III"]],
        [[], [], ["Hammer Throw I"]],
        [["Knife Fan I"]] * 3,
    ]
    numbers = dict(
        zip(SCENE.strike_names, zip(party.reach.tolist(), party.cooldown.tolist(), strict=True), strict=True)
    )
    assert numbers == {
        "Wand": (2, 0), "War Hammer": (0, 0), "Dagger": (0, 0), "Short Sword": (0, 0), "Thunder Lord I": (3, 2),
        "Thunder Lord III": (3, 3), "Hammer Throw I": (2, 2), "Knife Fan I": (2, 2),
    }  # fmt: skip


@pytest.mark.rule("IS-POW.1", "IS-POW.2", "IS-POW.8")
def test_heroes_heal_strike_again_and_taunt_as_their_powers_say() -> None:
    party = SCENE.party
    told = [[table[hero, 1:4].tolist() for table in (party.heals, party.heal_reach, party.heal_cooldown)]
            for hero in (0, 1)]  # fmt: skip
    assert told == [[[0, 0, 2], [0, 0, 3], [0, 0, 2]], [[2, 2, 4], [1, 1, 2], [1, 1, 2]]]
    assert [SCENE.strike_names[one] if one >= 0 else "" for one in party.off_hand] == ["", "", "Short Sword"]
    other: Scene = SOULS.ask("encounter", "ecarus_black_rose,shae_assassin,laegon", "captain").setup.play
    assert (other.party.taunts[:, 1].tolist(), other.party.extra[:, 1].tolist()) == ([5, -1, -1], [0, 1, 1])


@pytest.mark.rule("IS-ENE.1", "IS-ENE.3", "IS-ENE.6")
def test_enemies_are_what_their_cards_say() -> None:
    beasts, powers = SCENE.bestiary, SCENE.powers
    assert beasts.names == ("Red Bandit", "Green Bandit", "Blue Bandit", "Green Gremlin")
    columns = {
        "rank": [2, 0, 1, 0], "victim": [0, 0, 0, 2], "health": [12, 7, 8, 7], "armour": [1, 1, 1, 0],
        "shields": [0, 0, 0, 0], "icons": [0, 0, 1, 0], "charges": [1, 1, 1, 0], "soul_points": [4, 1, 2, 1],
        "crowns": [30, 10, 15, 5], "minis": [1, 1, 1, 1], "attacks_within": [4, 4, 4, 4],
    }  # fmt: skip
    assert {name: getattr(beasts, name)[:4].tolist() for name in columns} == columns
    assert (beasts.reach[:4].tolist(), beasts.health[4]) == ([[0, 3], [0, 3], [0, 3], [0, 4]], 0)
    own = [{name for bit, name in enumerate(powers.ids) if mask >> bit & 1} for mask in beasts.powers[:4].tolist()]
    assert own == [
        {"healing_potion", "readiness_2", "twin_strike", "high_command"}, {"healing_potion"},
        {"healing_potion", "readiness_1"}, set(),
    ]  # fmt: skip


@pytest.mark.rule("IS-ENE.4", "IS-ENE.9")
def test_enemy_powers_add_what_they_say() -> None:
    powers = SCENE.powers
    bit = {name: 1 << place for place, name in enumerate(powers.ids)}
    adds = {"armour": "tough_hide", "shields": "magic_ward", "dice": "nimble", "hits": "strong"}
    for name, power in adds.items():
        table = getattr(powers, name)
        assert {other: int(table[mask]) for other, mask in bit.items() if table[mask]} == {power: 1}
    assert powers.change[bit["stone_skin"]].tolist() == [0, -1, -1, -1, -1]
    assert powers.change[bit["spell_ward"] | bit["strong"]].tolist() == [-1, 0, 0, 0, 0]
    assert [powers.variant[bit[name]] for name in ("venomous", "fiery", "strong")] == [1, 2, 0]
    assert powers.group[powers.ids.index("stone_skin")] == bit["stone_skin"] | bit["spell_ward"]
    assert [powers.ids[card] for card in powers.cards] == [
        "tough_hide", "tough_hide", "magic_ward", "magic_ward", "nimble", "nimble", "strong", "strong", "venomous",
        "fiery", "stone_skin", "spell_ward", "second_wind",
    ]  # fmt: skip
    cursed: Scene = SOULS.ask("encounter", "auriel,thorgar", "crypt_of_bones").setup.play
    assert int(cursed.powers.curse[1 << cursed.powers.ids.index("curse_1")]) == 1
    assert [(powers.ids[place], what) for place, what in (*powers.healing, *powers.again_on_wounds)] == [
        ("healing_potion", 4), ("second_wind", 2), ("twin_strike", 1),
    ]  # fmt: skip
    assert [powers.ids[place] for place, _ in powers.on_entering] == ["readiness_1", "readiness_2"]


@pytest.mark.rule("IS-ENE.3", "IS-COND.10")
def test_scrolls_are_programs() -> None:
    def told(scroll: int) -> list[list[tuple[str, int]]]:
        return [[(STEPS[code], int(sentence)) for code, sentence in zip(rule, sentences, strict=True) if code >= 0]
                for rule, sentences in zip(SCENE.programs[scroll], SCENE.sentences[scroll], strict=True)]  # fmt: skip

    bandit = [[("engage", 0), ("attack", 0)], [("attack_off", 0), ("move_2", 1)], [("move_2", 0), ("shoot_2", 1)], []]
    assert told(0) == bandit
    assert told(3) == [[("attack", 0)], [("engage", 0), ("attack", 0)],
                       [("attack_off", 0), ("attack_off", 0), ("move_1", 1)], [("move_2", 0)]]  # fmt: skip
    assert SCENE.scrolls.distances[0] == (frozenset({0, 1, 2}), frozenset({3, 4}))
    assert [bool(SCENE.shoots[0, far]) for far in range(6)] == [False, False, False, True, True, False]


@pytest.mark.rule("IS-ENE.16", "IS-SPAWN.1", "IS-EVT.4")
def test_cards_of_enemies_and_events_are_those_of_the_encounter() -> None:
    assert SCENE.kind_of.tolist() == [0, 1, 1, 2, 2, 3, 3, 4]
    assert SCENE.returns.tolist() == [False, True, True, True, True, True, True]
    assert (SCENE.deck.tolist(), SCENE.start_cards) == ([2, 2, 2, 0, 0, 0, 0], ((0, 8), (1, 3), (2, 12)))
    assert SCENE.events.names == (
        "Stragglers", "Patrol", "Lull", "War Drums", "Stragglers", "Night", "Day", "Raid",
    )  # fmt: skip
    assert SCENE.events.spawn_few.tolist() == [-1, 0, -99, -1, -1, -99, -99, 0, -99]
    assert SCENE.events.spawn_many.tolist() == [-2, -1, -99, -2, -2, -99, -99, 0, -99]
    assert SCENE.events.set_aside.tolist() == [False] * 5 + [True, True, False, False]
    assert (SCENE.events.hero_hits[5], SCENE.events.enemy_hits[3], SCENE.events.power_turns[2]) == (-1, 1, 1)
    assert (SCENE.altars.tolist(), SCENE.gate_areas.tolist()) == ([4], [1, 3, 12])
