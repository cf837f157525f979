"""Creatures in combats on the board: critical hits, morale, trampling, powers and tokens."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games.battlelore.adventure.scenes import POOL, Owner, battle_of, rows_of, scene, where

FOOT, RIDERS, ARCHERS, SPIDER = "blue_foot", "blue_mounted", "green_foot+common_bow", "giant_spider"
GOBLINS, DWARVES = "goblin_blue_foot", "dwarf_blue_foot"
N = 600
WHITE = {"G": 0, "B": 0, "S": 0}
"""A throw that hurts nobody who is not red."""


@pytest.mark.rule("BL-CRE-03", "BL-CRE-04", "BL-WIN-02")
def test_a_creature_dies_if_one_of_the_dice_that_hit_shows_its_colour_again() -> None:
    made = scene(battle_of({"D5": "red_foot+long_sword"}, {"E6": SPIDER}, lore=True), N, b=Owner({"back": [0]}))
    critical = made.fight().check().throws("critical")
    shown = made.first_throw()
    for trial in range(N):
        n_hits = shown[trial][0] + shown[trial][3]
        assert critical.get(trial, np.zeros(6)).sum() == n_hits
        if trial in critical and critical[trial][0]:
            assert made.at(1, 0)[trial] == "" and made.state["banners"][trial, 0] == 1
            assert made.state["tokens"][trial, 0] == shown[trial][5] + 1


@pytest.mark.rule("BL-CRE-05", "BL-CRE-07")
def test_a_creature_must_ignore_one_flag_and_runs_two_hexes_for_each_other() -> None:
    owner = Owner({"back": [0]})
    made = scene(battle_of({"D5": FOOT}, {"E6": SPIDER}, lore=True), N, b=owner).fight().check()
    ends = [{place[0] for place in where(made, 1, 0, made.trials(F=n, G=0, S=0))} for n in (1, 2, 3)]
    assert ends == [{"E"}, {"G"}, {"I"}] and "ignore" not in owner.asked


@pytest.mark.rule("BL-CRE-08", "BL-CRE-09")
@pytest.mark.parametrize(("reading", "lost"), [("in_path", [2, 2, 0, 0]), ("all_adjacent", [2, 2, 2, 2])])
def test_a_blocked_creature_tramples_who_is_in_its_way(reading: str, lost: list[int]) -> None:
    units = {"E6": SPIDER, "F5": FOOT, "F6": FOOT, "E7": FOOT}
    made = scene(battle_of({"D5": FOOT}, units, lore=True, trample=reading), N, b=Owner({"back": [0]})).fight().check()
    flags = made.trials(F=2, G=0, S=0).tolist()
    losses = 4 - made.state["figures"][flags][:, 1, 1:].astype(np.int64)
    own = 4 - made.state["figures"][flags][:, 0, :1].astype(np.int64)
    assert np.concatenate([losses, own], axis=1).tolist() == [lost] * len(flags)
    assert {int(made.throws("cornered")[trial].sum()) for trial in flags} == {2}
    again = made.throws("cornered critical")
    for trial in flags:
        n_again = made.throws("cornered")[trial][0]
        assert again.get(trial, np.zeros(6)).sum() == n_again
        assert (made.at(1, 0)[trial] == "") is bool(trial in again and again[trial][0])


@pytest.mark.rule("BL-CRE-08", "BL-CRE-09")
@pytest.mark.parametrize("reading", ["in_path", "all_adjacent"])
def test_a_creature_that_no_unit_bars_tramples_nobody(reading: str) -> None:
    terrain = dict.fromkeys(("F5", "F6"), "watercourse")
    battle = battle_of({"D5": FOOT}, {"E6": SPIDER, "E7": FOOT}, terrain, lore=True, trample=reading)
    made = scene(battle, N, b=Owner({"back": [0]})).fight().check()
    flags = made.trials(F=2, G=0, S=0)
    assert (made.state["figures"][flags, 1, 1] == 4).all() and (made.state["figures"][flags, 0, 0] == 4).all()
    assert {int(made.throws("cornered")[trial].sum()) for trial in flags} == {2}


@pytest.mark.rule("BL-CRE-08", "BL-WIN-02")
@pytest.mark.parametrize("clears", [True, False])
def test_a_creature_goes_on_over_whom_it_has_trampled(clears: bool) -> None:
    units = {"E6": SPIDER, "F5": FOOT, "F6": FOOT}
    battle = battle_of({"D5": FOOT}, units, lore=True, trample_clears_way=clears)
    made = scene(battle, N, b=Owner({"back": [0], "retreat": ["F5", "G5"]})).put("figures", 1, 1, 2).fight().check()
    flags = made.trials(F=2, G=0, S=0)
    alive = [trial for trial in flags if made.at(1, 0)[trial]]
    assert where(made, 1, 0, np.array(alive)) == {"G5" if clears else "E6"}
    assert set(made.state["banners"][alive, 0]) == {1} and set(made.state["figures"][flags, 1, 2]) == {2}
    assert bool(set(flags) & set(made.throws("cornered"))) is not clears


def test_a_creature_tramples_again_where_it_is_stopped_again() -> None:
    units = {"E6": SPIDER, "F5": FOOT, "F6": FOOT, "G5": FOOT, "G6": FOOT}
    made = scene(battle_of({"D5": FOOT}, units, lore=True), N, b=Owner({"back": [0], "retreat": ["F5"]}))
    made.put("figures", 1, 1, 1).fight().check()
    flags = made.trials(F=2, G=0, S=0)
    assert {tuple(row) for row in made.state["figures"][flags, 1, 1:].tolist()} == {(0, 2, 3, 3)}
    assert {int(made.throws("cornered")[trial].sum()) for trial in flags} == {1}


@pytest.mark.rule("BL-CRE-10", "BL-CRE-11", "BL-CRE-12", "BL-CRE-13", "BL-DIE-03")
def test_lore_faces_of_a_creature_are_for_its_owner_to_use() -> None:
    stores = Owner({"power": [1, 0]})
    made = scene(battle_of({"D5": SPIDER}, {"E6": FOOT}, lore=True), N, a=stores).fight().check()
    lore = made.first_throw()[:, 5]
    assert (made.state["stored"][:, 0, 0] == np.minimum(lore, 2)).all()
    assert (made.state["tokens"][:, 0] == np.maximum(lore - 2, 0)).all()
    assert (made.state["pool"] == POOL - lore).all()
    keeps = scene(battle_of({"D5": SPIDER}, {"E6": FOOT}, lore=True), N, a=Owner({"power": [0]})).fight()
    assert (keeps.state["tokens"][:, 0] == keeps.first_throw()[:, 5]).all() and not keeps.state["stored"].any()


@pytest.mark.rule("BL-CRE-14")
def test_poison_needs_two_lore_and_a_hit_and_then_lore_faces_wound() -> None:
    owner = Owner({"power": [3, 1, 0]})
    made = scene(battle_of({"D5": SPIDER}, {"E6": FOOT}, lore=True), N, a=owner).put("stored", 0, 0, 1).fight().check()
    shown = made.first_throw()
    hits, poisoned = shown[:, 1] + shown[:, 3], made.state["poisoned"][:, 1, 0]
    assert (poisoned == ((hits > 0) & (shown[:, 5] > 0))).all()
    assert (made.state["pool"][poisoned] == POOL + 1).all() and not made.state["stored"][poisoned, 0, 0].any()
    made = scene(battle_of({"D5": FOOT}, {"E6": FOOT}, lore=True), N).put("poisoned", 1, 0, True).fight().check()
    shown = made.first_throw()
    held = made.trials(F=0)
    wounds = np.minimum(shown[:, 1] + shown[:, 3] + shown[:, 5], 4)
    assert (made.state["figures"][held, 1, 0] == 4 - wounds[held]).all() and not made.state["tokens"].any()


@pytest.mark.rule("BL-CRE-15")
def test_a_web_makes_flags_hits_at_once_and_keeps_its_victim_from_battling_back() -> None:
    owner, other = Owner({"power": [2, 1, 0]}), Owner({"back": [1]})
    made = scene(battle_of({"D5": SPIDER}, {"E6": DWARVES}, lore=True), N, a=owner, b=other).fight().check()
    shown, webbed = made.first_throw(), made.state["webbed"][:, 1, 0]
    assert (webbed == (shown[:, 5] > 0)).all() and where(made, 1, 0, np.flatnonzero(webbed)) <= {"E6", ""}
    assert (made.state["figures"][webbed, 1, 0] == 4 - (shown[:, 1] + shown[:, 3] + shown[:, 4])[webbed]).all()
    assert not rows_of(made, "battle", kind="back") & set(np.flatnonzero(webbed).tolist())


@pytest.mark.rule("BL-CRE-11", "BL-LORE-02", "BL-LORE-03")
def test_tokens_come_from_the_pool_and_return_to_it() -> None:
    made = scene(battle_of({"D5": FOOT}, {"E6": SPIDER}, lore=True), N, b=Owner({"back": [0]}))
    made.state["pool"][:] = 0
    made.put("stored", 1, 0, 2).fight().check()
    dead = made.state["figures"][:, 1, 0] == 0
    assert (made.state["tokens"][~dead] == 0).all(), "the pool is empty"
    assert (made.state["tokens"][dead, 0] == 1).all() and (made.state["pool"][dead] == 1).all()


@pytest.mark.rule("BL-DIE-02")
def test_lore_faces_are_misses_in_a_medieval_adventure() -> None:
    made = scene(battle_of({"D5": SPIDER}, {"E6": FOOT}), N).fight().check()
    assert not made.state["tokens"].any() and not made.state["stored"].any()
    assert "power" not in made.asked(0)
