"""A companion is called, acts in its owner's turn, dies, and can be called again: IS-POW.11, IS-POW.12."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import balance
from balance.chance.rolls.process import State, start_state, take_trials
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls
from balance.chance.trials.lockstep import simulate
from balance.game.kit.board.battle import copy_state
from balance.game.loaded import LoadedGame
from balance.games.immortal_souls import GAME
from balance.games.immortal_souls.encounter.board.control import dominates
from balance.games.immortal_souls.encounter.heroes import hero_turn
from balance.games.immortal_souls.encounter.heroes.companions import command_companion
from balance.games.immortal_souls.encounter.replay import tell
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import enemies_of, heroes_of, in_play, settle_winner
from tests.games.immortal_souls.encounter.comparing import FOLDER, SOULS, TABLES, Case, equipped, played, random_case

PARTY = "ecarus,thorgar,shae,laegon+call_fenrir_1"
LAEGON, FENRIR = 3, 4
COOLDOWN = 3
COMPARED = (10, 5)
"""How many companions come and die at least in the encounters that are compared."""
CALLS = ("+call_fenrir_1", "+call_fenrir_1+aimed_shot_1", "+call_fenrir_4")


@pytest.fixture(scope="module")
def by_rank(tmp_path_factory: pytest.TempPathFactory) -> LoadedGame:
    """Return the game with a ranger who calls by his rank: at III by a combat activity, from IV on by an action.

    Weapons of enemies lay conditions, two of them on everybody in an area, so that a reaction to one may hold another
    up.
    """
    folder = tmp_path_factory.mktemp("companions") / "catalogue"
    shutil.copytree(FOLDER, folder)
    for file, old, new in (
        (
            "weapons.csv",
            "claws_green,Claws (green),slashing,enemy,0,1,2,0,",
            "claws_green,Claws (green),slashing,enemy,0,1,2,0,area0@;ko@",
        ),
        (
            "weapons.csv",
            "sword_green,Sword (green),slashing,enemy,0,2,1,0,",
            "sword_green,Sword (green),slashing,enemy,0,2,1,0,area0@;stun@",
        ),
        (
            "weapons.csv",
            "stone_green,Stone (green),blunt,enemy,4,0,0,2,",
            "stone_green,Stone (green),blunt,enemy,4,0,0,2,stun@",
        ),
        ("companions.csv", "5,9,1,0,2", "5,9,1,2,2"),
        ("heroes.csv", "second_attack;hunters_mark", "second_attack;call_fenrir;hunters_mark"),
        ("powers.csv", "laegon;laegon_archer,1,action,false,3,none", "laegon;laegon_archer,3,combat,false,1,none"),
    ):
        text = (folder / file).read_text("utf-8")
        assert text.count(old) == 1
        (folder / file).write_text(text.replace(old, new), "utf-8")
    return balance.load(GAME, folder)


def with_companion(chance: random.Random) -> Case:
    """Return any encounter of a party with a hero who calls a companion."""
    case, size = random_case(chance), chance.randint(1, 4)
    others = [hero for hero in TABLES["heroes"].values() if hero.person != "laegon"]
    while True:
        heroes = chance.sample(others, size)
        lawful_and_chaos = {"lawful", "chaos"} <= {hero.alignment for hero in heroes}
        if len({hero.person for hero in heroes}) == size and not lawful_and_chaos:
            break
    caller, call = chance.choice(("laegon", "laegon_archer")), chance.choice(CALLS)
    party = equipped(",".join(chance.sample([*(hero.id for hero in heroes), caller], size + 1)), chance)
    veil = "+veil_of_shadows" * (chance.random() < 0.5)
    ids = [name + (call + veil) * name.startswith("laegon") for name in party.split(",")]
    rank = {"heroes.rank": "4"} if call.endswith("_4") else {}
    return replace(case, party=",".join(ids), sets={**case.sets, **rank})


@pytest.mark.rule("IS-POW.11", "IS-POW.12", "IS-SUP.5", "IS-SPAWN.2", "IS-SAVE.2", "IS-ENE.11")
@pytest.mark.parametrize("number", [pytest.param(n, marks=[pytest.mark.slow] * (n > 3)) for n in range(24)])
def test_any_companion_plays_the_same(number: int) -> None:
    assert played(with_companion(random.Random(number)), seed=number, n=3)


def rising(number: int) -> Case:
    """Return any encounter of a ranger who is to rise to the rank of another companion."""
    case, souls = with_companion(random.Random(number)), {"situation.soul_points": "70", "heroes.rank": "3"}
    party = ",".join(name.partition("+")[0].replace("laegon_archer", "laegon") for name in case.party.split(","))
    return replace(case, party=party, sets={**case.sets, **souls, "situation.rank_up": "true"})


@pytest.mark.rule("IS-POW.11", "IS-POW.3")
@pytest.mark.parametrize("number", range(2))
def test_a_companion_by_rank_plays_the_same(number: int, by_rank: LoadedGame) -> None:
    assert played(rising(number), seed=number, n=3, game=by_rank)


@pytest.mark.parametrize("enemies", ["green_gremlin", "green_bandit"])
def test_a_reaction_to_a_companion_may_hold_its_owner_up(enemies: str, by_rank: LoadedGame) -> None:
    """It knocks out or stuns him beside it, who has chosen nobody to attack yet; policies go where others are."""
    places = ";".join(f"{enemies}@village_{area}" for area in (6, 6, 7, 10))
    case = Case("laegon,ecarus", "ambush", "random", {"encounter.enemies": places, "heroes.rank": "4"})
    assert played(case, seed=3, n=12, game=by_rank)


@pytest.mark.slow("test_any_companion_plays_the_same")
def test_companions_come_and_die_in_what_is_compared(by_rank: LoadedGame) -> None:
    compared = [(with_companion(random.Random(number)), number, SOULS) for number in (0, 4, 7)]
    compared.append((rising(0), 0, by_rank))
    found = []
    for case, number, game in compared:
        n_heroes, changes = len(case.party.split(",")), np.zeros(2, int)
        for _, before, after in steps(case, 3, number, game):
            was, now = (~state["h_ghost"][:, n_heroes:] for state in (before, after))
            changes += [(now & ~was).sum(), (was & ~now).sum()]
        found.append(changes)
    assert (np.array(found).sum(axis=0) >= COMPARED).all(), found


@pytest.mark.parametrize(("seed", "n"), [(4, 1), pytest.param(2, 8, marks=pytest.mark.slow)])
def test_a_difference_would_be_seen(seed: int, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def tireless(scene: Scene, hero: int, companion: int, state: State, *given: Any) -> Any:
        state["h_call"][:] = 0
        return command_companion(scene, hero, companion, state, *given)

    case = Case(PARTY, "last_stand")
    assert played(case, seed=seed, n=n)
    monkeypatch.setattr(hero_turn, "command_companion", tireless)
    with pytest.raises(AssertionError):
        played(case, seed=seed, n=n)


def steps(case: Case, n: int, seed: int = 0, game: LoadedGame = SOULS) -> Iterator[tuple[str, State, State]]:
    """Yield each step of n trials with its name, and the state before and after it; they are those of `played`."""
    asked = game.ask("encounter", case.party, case.encounter, case.sets, policy=case.policy)
    (process,) = asked.kind.processes(asked.setup, "literal")
    heroes = range(asked.setup.play.n_heroes)
    names = ["time", *(f"{turn} {hero}" for hero in heroes for turn in ("hero", "enemies")), "event"]
    rolls = RandomRolls(seed, "compared", 0, n)
    state = start_state(process, n, rolls)
    state["trial"] = np.arange(n)
    for number in range(process.max_steps):
        after = process.step(number)(state, rolls)
        yield names[number % len(names)], state, after
        alive = np.flatnonzero(~process.over(after))
        if len(alive) == 0:
            return
        state = take_trials(after, alive)
        rolls.keep(alive)


@pytest.mark.rule("IS-POW.11", "IS-POW.12")
def test_a_companion_comes_and_goes_as_its_card_says() -> None:
    """Checked over all steps of 512 trials: when it may come, what it never does, and that all of it happens.

    No event turns its power.
    """
    case = Case(PARTY, "last_stand", sets={"encounter.events": "patrol;warband;sample;onslaught;raid;night;fog"})
    died, seen = np.full(512, -99), dict.fromkeys(("comes", "comes again", "dies", "acts later", "kills"), 0)
    for name, before, after in steps(case, 512):
        trial, was, now = before["trial"], ~before["h_ghost"][:, FENRIR], ~after["h_ghost"][:, FENRIR]
        comes, dies = now & ~was, was & ~now
        assert name == f"hero {LAEGON}" or not comes.any()
        assert (after["h_area"][~now, FENRIR] == 12).all()  # nowhere: the village has 12 areas
        late = name == "time"  # the Time Phase in which it dies turns the power already
        assert (after["h_call"][dies, LAEGON] == COOLDOWN - late).all()
        assert (before["rounds"][comes] >= died[trial[comes]] + COOLDOWN).all()
        died[trial[dies]] = after["rounds"][dies] - late
        both = was & now
        assert (after["h_health"][both, FENRIR] <= before["h_health"][both, FENRIR]).all()  # nobody heals it
        moved = both & (after["h_area"][:, FENRIR] != before["h_area"][:, FENRIR])
        assert name == f"hero {LAEGON}" or not moved.any()
        seen["comes"] += int(comes.sum())
        seen["comes again"] += int((comes & (before["rounds"] == died[trial] + COOLDOWN)).sum())
        seen["dies"] += int(dies.sum())
        seen["acts later"] += int(moved.sum())
        seen["kills"] += int((was & (after["kills"] > before["kills"])).sum())
    assert min(seen.values()) > 10, seen


@pytest.mark.rule("IS-POW.12", "IS-SPAWN.2", "IS-HP.7")
def test_a_companion_is_no_hero_in_play() -> None:
    """With it or without it as many enemies appear, and with heroes that are all ghosts the quest has failed."""
    asked = SOULS.ask("encounter", PARTY, "ambush")
    (process,) = asked.kind.processes(asked.setup, "literal")
    scene: Scene = asked.setup.play
    state = start_state(process, 64, RandomRolls(0, "spawned", 0, 64))
    for name in ("h_ghost", "h_area", "h_health"):
        state[name] = state[name].copy()
    state["e_card"][:, 1:], state["rounds"], spawned = -1, state["rounds"] + 1, []
    for there in (True, False):
        state["h_ghost"][:, FENRIR] = not there
        after = process.steps[-1](state, RandomRolls(0, "event", 0, 64))
        spawned.append((after["e_card"] >= 0).sum(axis=1))
        assert in_play(scene, state).tolist() == [[True] * 4] * 64
    assert np.array_equal(*spawned)
    assert spawned[0].max() > 1
    state["h_ghost"][:, :FENRIR], state["h_ghost"][:, FENRIR] = True, False
    assert (settle_winner(scene, state)["winner"] == 2).all()


@pytest.mark.rule("IS-MAST.10")
@pytest.mark.parametrize(("hides", "holder"), [(1, 0), (0, 1)])
def test_the_threat_passes_on_to_heroes_alone(hides: int, holder: int) -> None:
    """With one hero dead and the other hidden, the companion beside them does not draw a Master off."""
    asked = SOULS.ask("encounter", "ecarus,laegon+veil_of_shadows+call_fenrir_1", "gorge_troll")
    (process,) = asked.kind.processes(asked.setup, "literal")
    state = copy_state(start_state(process, 4, RandomRolls(0, "threat", 0, 4)))
    state["h_ghost"][:, 0], state["h_ghost"][:, 2], state["h_hidden"][:, 1] = True, False, hides
    state["h_area"][:, 2], state["h_health"][:, 2], state["holder"][:] = 0, 5, 0
    assert process.step(2)(state, RandomRolls(0, "enemies", 0, 4))["holder"].tolist() == [holder] * 4


@pytest.mark.rule("IS-MAST.7")
def test_a_master_that_a_companion_wounds_hunts_its_owner() -> None:
    """Heroes do not attack here, so that nothing else stirs the threat."""
    sets = {"encounter.enemies": "troll@gorge_9", "heroes.combat_activities": "0", "heroes.shields": "9"}
    asked = SOULS.ask("encounter", "ecarus,laegon+call_fenrir_1", "gorge_troll", sets)
    (process,) = asked.kind.processes(asked.setup, "literal")
    rolls = RandomRolls(0, "threat", 0, 256)
    before = copy_state(start_state(process, 256, rolls))
    after = process.step(3)(before, rolls)
    hurt = (after["e_health"] < before["e_health"]).any(axis=1)
    assert 20 < hurt.sum() < 250
    assert np.array_equal(after["holder"], hurt)
    assert set(after["level"][hurt]) == {1, 2}  # its innate power may wound once more
    assert (after["level"][~hurt] == 1).all()


def test_who_guards_stands_by_a_companion_too() -> None:
    asked = SOULS.ask("encounter", PARTY, "ambush", {"encounter.enemies_many": ""}, policy="guard")
    (process,) = asked.kind.processes(asked.setup, "literal")
    state = copy_state(start_state(process, 2, RandomRolls(0, "guard", 0, 2)))
    there = asked.setup.play.area_names.index("village_5")
    state["h_ghost"][0, FENRIR], state["h_area"][0, FENRIR], state["h_health"][0, FENRIR] = False, there, 1
    after = process.step(1)(state, RandomRolls(0, "turn", 0, 2))
    assert (after["h_area"][:, 0] == there).tolist() == [True, False]


@pytest.mark.slow("test_a_companion_comes_and_goes_as_its_card_says")
def test_a_companion_is_no_ghost_at_the_end() -> None:
    asked = SOULS.ask("encounter", PARTY, "last_stand")
    (process,) = asked.kind.processes(asked.setup, "literal")
    found = simulate(process, RandomRolls(0, "ghosts", 0, 64))
    assert (found["ghosts"][found["winner"] == 2] == FENRIR).all()
    assert (found["ghosts"][found["winner"] == 1] < FENRIR).all()


@pytest.mark.rule("IS-SUP.5")
def test_a_companion_counts_for_domination() -> None:
    asked = SOULS.ask("encounter", PARTY, "ambush")
    (process,) = asked.kind.processes(asked.setup, "literal")
    state = start_state(process, 1, RandomRolls(0, "alone", 0, 1))
    state["h_area"][:], state["e_area"][:] = 0, 12
    state["h_area"][0, [LAEGON, FENRIR]], state["e_area"][0, 0] = 1, 1
    for there in (True, False):
        state["h_ghost"][0, FENRIR] = not there
        assert dominates(np.array([1]), heroes_of(state), enemies_of(state)).tolist() == [there]


@pytest.mark.rule("IS-POW.12")
def test_a_companion_saves_as_its_owner_and_has_no_actions() -> None:
    """With Lucky, Blessing or what was set of him; and it begins no fight with what its owner begins with."""
    sets = {"heroes.4.save": "MIS", "heroes.4.ko": "true", "heroes.4.armour": "5", "heroes.4.movement": "1"}
    party = SOULS.ask("encounter", PARTY, "ambush", sets).setup.play.party
    assert party.save_good[LAEGON] == party.save_good[FENRIR] != party.save_good[0]
    assert party.pack.owner.tolist() == [0, 1, 2, 3, LAEGON]
    assert party.pack.calls[LAEGON, :2].tolist() == [-1, FENRIR]
    assert (party.pack.calls[:LAEGON] == -1).all()
    wolf = {name: int(getattr(party, name)[FENRIR]) for name in ("armour", "movement", "shields")}
    assert wolf == {"armour": 0, "movement": 5, "shields": 0}
    assert (party.actions[FENRIR].max(), party.activities[FENRIR].max(), party.extra[FENRIR].max()) == (0, 1, 1)
    assert (party.begins["ko"][LAEGON], party.begins["ko"][FENRIR]) == (1, 0)
    assert party.health[FENRIR].tolist() == [5] * 8
    assert party.powers[FENRIR].max() == -1


@pytest.mark.rule("IS-POW.3")
def test_which_companion_comes_by_rank(by_rank: LoadedGame) -> None:
    grown = by_rank.ask("encounter", "laegon,ecarus", "ambush", {"situation.rank_up": "true"}).setup.play.party
    assert grown.names == ("Laegon, Ranger", "Ecarus, White Rose Knight", "Fenrir, Wolf I", "Fenrir, Wolf IV")
    assert grown.pack.calls.tolist() == [[-1, -1, -1, 2, 3, 3, 3, 3], [-1] * 8]
    assert grown.pack.by_action.tolist() == [False, False, False, True]
    assert grown.pack.cooldown.tolist() == [0, 0, 1, 4]
    assert grown.health[2:, 1].tolist() == [5, 9]
    stays = [by_rank.ask("encounter", "laegon,ecarus", "ambush", {"heroes.rank": rank}).setup.play.party.names[2:]
             for rank in (1, 3, 4)]  # fmt: skip
    assert stays == [(), ("Fenrir, Wolf I",), ("Fenrir, Wolf I", "Fenrir, Wolf IV")]


@pytest.mark.rule("IS-POW.11", "IS-POW.12")
@pytest.mark.parametrize(("rank", "wolf", "by_action"), [(3, 2, False), (4, 3, True)])
def test_when_a_companion_comes_or_acts(rank: int, wolf: int, by_action: bool, by_rank: LoadedGame) -> None:
    """It comes if its power is ready, and acts if it is there; not stunned, and not for a rank without the power.

    Who is blinded saves, here in vain, and has used his activity.
    """
    sets = {"heroes.rank": str(rank), "situation.rank_up": "true"}
    asked = by_rank.ask("encounter", "laegon,ecarus", "ambush", sets)
    (process,) = asked.kind.processes(asked.setup, "literal")
    scene: Scene = asked.setup.play
    scene.party.save_good[0] = 0
    state = copy_state(start_state(process, 8, RandomRolls(0, "bidden", 0, 8)))
    comes, cools, there, stunned, lost, spent, other, blind = range(8)
    state["h_area"][:, 0], state["h_call"][cools, 0], state["h_rank"][lost, 0] = 4, 1, 2
    state["h_ghost"][[there, stunned, lost], wolf], state["h_ghost"][other, 5 - wolf] = False, False
    for name, who in (("h_stun", (stunned, wolf)), ("h_blind", (blind, 0))):
        state[name] = np.zeros_like(state["h_health"])
        state[name][who] = 1
    had = np.where(np.arange(8) == spent, 0, 2), np.full(8, 5)
    actions, to_make = had if by_action else had[::-1]
    acts, *left = command_companion(
        scene, 0, wolf, state, np.ones(8, bool), actions, to_make, RandomRolls(0, "bidden", 0, 8)
    )
    assert np.flatnonzero(acts).tolist() == [comes, there]
    assert [one.tolist() for one in (left if by_action else left[::-1])] == [[1, 2, 1, 2, 2, 0, 2, 1], [5] * 8]
    assert np.flatnonzero(~state["h_ghost"][:, wolf]).tolist() == [comes, there, stunned, lost]
    assert (state["h_area"][comes, wolf], state["h_health"][comes, wolf]) == (4, 9 if by_action else 5)
    assert (state["h_area"][there, wolf], state["h_health"][there, wolf]) == (12, 0)
    assert state["h_shields"][:, wolf].tolist() == [2 * by_action, *[0] * 7]


def test_without_such_a_power_nothing_is_there_or_asked_for() -> None:
    asked, names = SOULS.ask("encounter", "ecarus,laegon", "ambush"), list[str]()
    (process,) = asked.kind.processes(asked.setup, "literal")

    def noted(behind: Rolls, request: Request[Any]) -> Any:
        names.append(request.name)
        return behind.answer(request)

    rolls = RandomRolls(0, "none", 0, 4)
    state = start_state(process, 4, rolls)
    for number in range(len(process.steps)):
        state = process.step(number)(state, ProxyRolls(rolls, noted))
    assert state["h_area"].shape == (4, 2)
    assert "h_call" not in state
    assert "hero roll" in names
    assert not [name for name in names if "companion" in name]


TOLD = """\
Enemies: Green Gremlin in village_1, Green Bandit in village_4, Green Gremlin in village_12.
Round 1. Ecarus: moves to village_1; attacks with Long Sword; Green Gremlin takes 1 wound.
Round 1. Enemies (Advance): Green Gremlin moves to village_10; Ecarus takes 1 wound.
Round 1. Laegon: moves to village_1; Fenrir comes to village_1; Fenrir attacks with Fangs, Pounce; attacks with Short Sword, Dagger; Green Gremlin takes 3 wounds.
Round 1. Enemies (Zeal): Green Bandit moves to village_3; Ecarus takes 2 wounds.
Round 1. Event (Stragglers).
Round 2. Ecarus: attacks with Long Sword; Green Gremlin is killed.
Round 2. Enemies (Hand to Hand): Green Gremlin moves to village_2.
Round 2. Laegon: moves to village_3, takes 1 wound; Fenrir moves to village_3, takes 2 wounds; Fenrir attacks with Fangs, Pounce; attacks with Short Sword, Dagger; Green Bandit takes 4 wounds.
Round 2. Enemies (Blue Rush): Green Bandit recovers 4; Fenrir dies.
Round 3. Ecarus: moves to village_3; attacks with Long Sword; Green Bandit takes 4 wounds.
Round 3. Enemies (Blood): Ecarus takes 2 wounds.
Round 3. Laegon: attacks with Short Sword; Green Bandit is killed.
Round 3. Enemies (Cunning): Green Gremlin moves to village_3.
Round 3. Event (Night).
Round 4. Ecarus: attacks with Long Sword.
Round 4. Laegon: attacks with Short Sword, Dagger; Green Gremlin takes 2 wounds.
Round 4. Event (Day).
Round 5. Ecarus: attacks with Long Sword; Green Gremlin takes 3 wounds.
Round 5. Enemies (Onslaught): Laegon takes 1 wound.
Round 5. Laegon: Fenrir comes to village_3; Fenrir attacks with Fangs; Green Gremlin is killed.
The heroes have won: no enemy is left.
"""  # noqa: E501


def test_a_companion_is_told_in_words() -> None:
    asked = SOULS.ask("encounter", "ecarus,laegon+call_fenrir_1", "ambush")
    told = tell(asked.setup, RandomRolls(3, "r", 0, 64), 1)
    assert f"{told}\n" == TOLD
    assert tuple(told.begun_with) == ("Ecarus", "Laegon", "Fenrir", "enemies together")
    assert [list(left.values()) for left in (told.begun_with, told.lines[1].left, told.lines[2].left)] == [
        [8, 7, 0, 21],
        [7, 7, 0, 20],
        [7, 7, 5, 17],
    ]


@pytest.mark.parametrize("trials", [(4, 8), pytest.param(range(12), marks=pytest.mark.slow)], ids=["2", "12"])
def test_heroes_who_are_all_ghosts_have_lost_beside_a_companion(trials: Sequence[int]) -> None:
    """Nothing else is lost in the Last Stand; in some of these trials Fenrir is left."""
    asked, left = SOULS.ask("encounter", PARTY, "last_stand"), list[int]()
    for trial in trials:
        told = tell(asked.setup, RandomRolls(3, "end", 0, 12), trial)
        assert told.end in ("The heroes have won: they have survived.", "The heroes have lost: all are ghosts.")
        left += [[*told.lines[-1].left.values()][FENRIR]] if told.end.endswith("ghosts.") else []
    assert min(left) == 0 < max(left)


def test_in_a_duel_it_does_nothing() -> None:
    """Nobody is called there, whatever power he has beside it."""
    assert SOULS.ask("duel", "laegon+call_fenrir_1", "green_bandit").distribution == (
        SOULS.ask("duel", "laegon", "green_bandit").distribution
    )
