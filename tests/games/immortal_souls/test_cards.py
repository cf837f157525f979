"""The tables of Immortal Souls: what the rulebook states, and what is told of a broken table."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from balance.base.errors import UsageError
from balance.catalogue import Catalogue, apply, load_catalogue, load_table, unsourced_values, write_folder
from balance.game.kit import RULE_IDS
from balance.games.immortal_souls.tables.board import parse_line, parse_placed, parse_sentence
from balance.games.immortal_souls.tables.tables import (
    SPEC,
    Area,
    Armour,
    Critical,
    Encounter,
    EncounterCard,
    Enemy,
    EnemyPower,
    Event,
    Face,
    Gem,
    Hero,
    Power,
    Scroll,
    Weapon,
    constants_of,
    rules_of,
)

DATA = Path(__file__).parents[3] / "data" / "immortal_souls"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(SPEC, DATA)


def profile(card: Weapon | Power) -> tuple[int, int, int, tuple[str, ...]]:
    """Return what an attack rolls and what may be bought with it."""
    return card.sure, card.red, card.blue, card.effects


def test_weapons_and_powers_are_the_rulebooks(catalogue: Catalogue) -> None:
    weapons, powers = catalogue.entries(Weapon), catalogue.entries(Power)
    assert profile(weapons["sword_red"]) == (3, 1, 0, ("blind@ABI",))
    assert profile(weapons["knife_red"]) == (2, 0, 0, ("poison1@",))
    assert profile(weapons["magma_staff"]) == (2, 1, 4, ("area0@MAG+MAG", "fire2@MAG"))
    assert profile(powers["thunder_lord_1"]) == (0, 1, 1, ("ko@ABI+MAG",))
    assert profile(powers["call_lightning_3"]) == (1, 2, 2, ("area0@MAG+MAG", "ko@ABI+MAG"))
    assert profile(powers["call_lightning_5"]) == (1, 3, 3, ("area0@MAG+MAG", "ko@ABI+MAG", "lethal3@ABI+ABI"))
    assert [powers[f"call_lightning_{rank}"].cooldown for rank in (3, 5)] == [3, 4]


def test_armour_and_enemies_are_the_rulebooks(catalogue: Catalogue) -> None:
    scale = catalogue.entries(Armour)["scale_armour_forged"]
    assert (scale.armour, scale.shields, scale.defence_dice, scale.defence_effects) == (1, 1, 4, ("reroll@ABI",))
    enemies = catalogue.entries(Enemy)
    orc, shaman, gremlin = enemies["red_orc_warrior"], enemies["green_orc_shaman"], enemies["red_gremlin"]
    assert (orc.armour, orc.shields, orc.defence_dice, orc.modifiers) == (2, 0, 2, ("arcane:+1",))
    assert (shaman.armour, shaman.shields, shaman.defence_dice) == (0, 2, 0)
    assert (gremlin.armour, gremlin.shields) == (1, 0)
    assert enemies["blue_gremlin"].modifiers == ("slashing:-1",)


def test_the_dice_and_the_bag_are_the_placeholders(catalogue: Catalogue) -> None:
    faces = catalogue.entries(Face).values()
    shown = {die: Counter(face.results for face in faces if face.die == die) for die in ("red", "blue")}
    assert shown["red"] == Counter(
        {
            ("MIS",): 1,
            ("HIT",): 3,
            ("HIT", "HIT"): 1,
            ("HIT", "ABI"): 2,
            ("HIT", "MAG"): 1,
            ("ABI", "ABI"): 1,
            ("MAG", "LEG"): 1,
        }
    )
    assert shown["blue"] == Counter(
        {
            ("MIS",): 1,
            ("HIT",): 2,
            ("SHD",): 2,
            ("HIT", "SHD"): 1,
            ("SHD", "ABI"): 1,
            ("ABI",): 1,
            ("MAG",): 1,
            ("HIT", "MAG"): 1,
        }
    )
    bag = [(c.tokens, c.colour, c.wounds, c.armour) for c in catalogue.entries(Critical).values()]
    assert bag == [(5, "green", 1, 0), (2, "green", 2, 0), (3, "red", 0, -1), (5, "green", 0, 0)]


def test_five_persons_have_two_classes_and_seven_gems_each(catalogue: Catalogue) -> None:
    heroes = catalogue.entries(Hero)
    assert Counter(hero.person for hero in heroes.values()) == dict.fromkeys(
        ("ecarus", "thorgar", "shae", "laegon", "auriel"), 2
    )
    assert {hero.id for hero in heroes.values()} >= {hero.person for hero in heroes.values()}
    aligned = {hero.id: hero.alignment for hero in heroes.values()}
    assert aligned["shae"] == "lawful"
    assert aligned["shae_assassin"] == aligned["thorgar_rune_master"] == "chaos"
    assert aligned["laegon"] == aligned["laegon_archer"] == "neutral"
    assert heroes["ecarus"].movement == 3
    gems = catalogue.entries(Gem).values()
    assert sorted((gem.hero, gem.rank) for gem in gems) == sorted(
        (hero, rank) for hero in heroes for rank in range(1, 8)
    )
    assert all(gem.id == f"{gem.hero}_{gem.rank}" for gem in gems)


def test_the_constants_are_the_rulebooks(catalogue: Catalogue) -> None:
    told = constants_of(catalogue)
    assert (told.attack.unarmed_sure, told.attack.unarmed_red, told.attack.unarmed_blue) == (0, 0, 1)
    assert (told.attack.focus_hits, told.attack.supremacy_hits, told.defence.unarmoured_dice) == (1, 1, 1)
    assert [told.conditions.poison_1_wounds, told.conditions.poison_2_wounds, told.conditions.fire_wounds] == [1, 2, 1]
    assert (told.board.sight_areas, told.board.difficult_cost, told.board.deadly_wounds) == (5, 2, 1)
    assert told.party.rank_costs == (0, *(rank**2 for rank in range(2, 8)))
    assert (told.party.fewest, told.party.most, told.party.many, told.party.ranks_lost) == (2, 5, 4, 1)
    assert (told.enemies.most_power_cards, told.powers.longest_cooldown) == (2, 4)
    economy = told.economy
    assert (economy.sale_per_act, economy.forging, economy.pony_stake, economy.pony_prizes) == (25, 50, 5, (10, 25, 50))


def test_every_open_question_that_moves_a_result_is_a_rule_option(catalogue: Catalogue) -> None:
    questions = (2, 3, 4, 5, 7, 8, 9, 11, 13, 14, 15, 16, 18, 19, 21, 22, 23, 24, 27, 35, 39, 40, 44, 45)
    asked = [option.ambiguity for option in catalogue.rule_options.values()]
    assert sorted(asked) == sorted(["IS-SUP.4", *(f"IS-Q{question}" for question in questions)])
    for name, option in catalogue.rule_options.items():
        in_force = getattr(rules_of(catalogue), name)
        assert option.allowed[0] == (json.dumps(in_force) if isinstance(in_force, bool) else in_force)
    assert rules_of(catalogue).supremacy_over_knocked_out is True
    assert rules_of(catalogue).untyped_is_all_but is True
    assert rules_of(catalogue).effects_need_a_hit is False


def test_scrolls_and_powers_of_enemies_are_the_rulebooks(catalogue: Catalogue) -> None:
    rules = catalogue.entries(Scroll)
    told = {rule.distances: rule.do for rule in rules.values() if rule.scroll == "blue_gremlin"}
    assert told == {
        ("0",): ("attack",),
        ("1", "2", "3"): ("engage+attack",),
        ("4",): ("attack_off+attack_off", "move_1"),
        ("+",): ("move_2",),
    }
    assert (rules["red_bandit_1"].distances, rules["red_bandit_1"].do) == (("0", "1", "2"), ("engage+attack",))
    assert (rules["blue_orc_warrior_1"].distances, rules["red_orc_shaman_3"].distances) == (("0", "1"), ("2", "3"))
    powers, enemies = catalogue.entries(EnemyPower), catalogue.entries(Enemy)
    assert (powers["healing_potion"].heals, powers["healing_potion"].charged) == (4, True)
    assert (powers["twin_strike"].trigger, powers["twin_strike"].extra_attack) == ("wounds_dealt", "secondary")
    assert (powers["curse_2"].save, powers["readiness_2"].save) == (True, True)
    assert sum(power.copies for power in powers.values()) == 13
    assert enemies["red_bandit"].powers == ("readiness_2", "twin_strike", "healing_potion", "high_command")
    assert [enemy.id for enemy in enemies.values() if enemy.vindictive] == ["troll", "witch_queen_wrath"]
    assert all(enemy.health == enemy.health_many for enemy in enemies.values() if enemy.rank in ("green", "blue"))


def test_encounter_cards_and_events_are_the_rulebooks(catalogue: Catalogue) -> None:
    cards = catalogue.entries(EncounterCard)
    assert sum(card.copies for card in cards.values()) == 15
    assert (cards["e"].name, cards["e"].who, cards["e"].otherwise) == ("Master Assault", "purple", "highest_rank")
    assert (cards["h"].name, cards["h"].who, cards["h"].number) == ("Fight", "any", 3)
    shuffled = {card.id for card in cards.values() if card.reshuffle}
    assert shuffled == {card.id for card in cards.values() if card.who == "none" or card.number == 3}
    sample = catalogue.entries(Event)["sample"]
    assert (sample.spawn_few, sample.spawn_many) == (-1, -2)
    spawned = {k for event in catalogue.entries(Event).values() for k in (event.spawn_few, event.spawn_many)}
    assert spawned == {None, -2, -1, 0, 1}


def test_maps_and_encounters_hang_together(catalogue: Catalogue) -> None:
    areas = catalogue.entries(Area)
    assert Counter(area.map for area in areas.values()) == {"village": 12, "crypt": 13, "gorge": 12}
    for name in ("village", "crypt", "gorge"):
        gates = [area.gate for area in areas.values() if area.map == name and area.gate]
        assert 2 <= len(set(gates)) == len(gates)
        assert any(area.altar for area in areas.values() if area.map == name)
    assert (areas["gorge_7"].neighbours, areas["gorge_7"].barriers) == (
        ("gorge_4", "gorge_6", "gorge_8", "gorge_12"),
        ("gorge_4",),
    )
    assert parse_line(areas["crypt_5"].lines[2]) == ("crypt_6", "crypt_7", "crypt_8", "crypt_9")
    assert {encounter.goal for encounter in catalogue.entries(Encounter).values()} == {
        "kill_all",
        "kill_masters",
        "survive",
    }


def test_an_encounter_is_set_as_it_is_typed(catalogue: Catalogue) -> None:
    ambush = catalogue.entries(Encounter)["ambush"]
    set_ = apply(ambush, {"enemies": "Troll @ village_12, green gremlin@village_1", "rounds": "4", "goal": "survive"})
    assert [parse_placed(text) for text in set_.enemies] == [("troll", "village_12"), ("green_gremlin", "village_1")]
    assert set_.rounds == 4
    with pytest.raises(UsageError) as caught:
        apply(ambush, {"enemies": "troll"})
    allowed = "ENEMY@AREA, such as green_gremlin@crypt_5"
    assert str(caught.value) == f"set, enemies: 'troll' does not say who stands where; allowed: {allowed}"
    assert parse_sentence(" move 1 + shoot 2") == ("move_1", "shoot_2")


def test_every_value_has_a_source(catalogue: Catalogue) -> None:
    assert unsourced_values(catalogue) == []
    assert {source.status for source in catalogue.sources} == {"stated", "inferred", "assumed"}
    found = {(source.table, source.id, source.field): source.status for source in catalogue.sources}
    assert {found["faces", face, "results"] for face in catalogue.entries(Face)} == {"assumed"}
    assert {found["gems", gem, "health"] for gem in catalogue.entries(Gem)} == {"assumed"}
    assert {found["enemies", enemy, "health"] for enemy in catalogue.entries(Enemy)} == {"assumed"}
    assert found["armours", "scale_armour_forged", "defence_dice"] == "stated"
    assert found["enemies", "red_orc_warrior", "defence_dice"] == "inferred"
    assert found["rules", "supremacy_over_knocked_out", "value"] == "stated"
    assert found["rules", "effects_need_a_hit", "value"] == "assumed"


def test_the_rule_ids_are_the_ledgers() -> None:
    ids = load_table(RULE_IDS, DATA)
    groups = Counter(rule.partition(".")[0].removeprefix("IS-") for rule in ids)
    assert sum(groups.values()) == 230
    assert (groups["HIT"], groups["DEF"], groups["AI"], groups["MAST"], groups["LOS"]) == (16, 7, 18, 12, 4)
    with (DATA / "coverage.csv").open(encoding="utf-8") as file:
        assert [row["rule"] for row in csv.DictReader(file)] == list(ids)


def test_the_catalogue_is_written_as_it_was_read(catalogue: Catalogue, tmp_path: Path) -> None:
    write_folder(catalogue, tmp_path)
    assert load_catalogue(SPEC, tmp_path) == catalogue
    for path in tmp_path.iterdir():
        assert path.read_text("utf-8") == (DATA / path.name).read_text("utf-8"), path.name
