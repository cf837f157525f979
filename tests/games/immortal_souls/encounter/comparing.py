"""Random encounters, and how the arrays and the second telling are played on the same answers."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np

import balance
from balance.chance.rolls.process import Process, State, start_state, take_trials
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls
from balance.game.loaded import LoadedGame
from balance.games.immortal_souls import GAME
from balance.games.immortal_souls.encounter.policies import PLAYERS
from balance.games.immortal_souls.encounter.scene import Scene
from tests.games.immortal_souls.encounter.reference_encounter import Tape
from tests.games.immortal_souls.encounter.reference_hero import Played
from tests.games.immortal_souls.encounter.reference_turns import same

Answers: TypeAlias = list[tuple[str, Any]]
FOLDER = Path(__file__).parents[4] / "data/immortal_souls"
SOULS = balance.load(GAME, FOLDER)
TABLES: Mapping[str, Mapping[str, Any]] = SOULS.catalogue.tables
SWITCHES = tomllib.loads((FOLDER / "rules.toml").read_text("utf-8"))["switches"]


@dataclass(frozen=True)
class Case:
    """An encounter to be asked about."""

    party: str
    encounter: str
    policy: str = "focus"
    sets: Mapping[str, str] = field(default_factory=dict)


def random_case(chance: random.Random) -> Case:
    """Return any encounter: party, policy, rule options, ranks, conditions, weapons, enemies and goals."""
    encounter = chance.choice(list(TABLES["encounters"]))
    areas = [one for one, area in TABLES["areas"].items() if area.map == TABLES["encounters"][encounter].map]
    sets = {f"rules.{name}": str(chance.choice(switch["allowed"])).lower() for name, switch in SWITCHES.items()
            if chance.random() < 0.4}  # fmt: skip
    effects = [
        "push1@ABI",
        "area1@HIT",
        "area0@",
        "stun@;blind@",
        "critical@",
        "ko@",
        "slow@ABI",
        "reroll@MIS",
        "fire2@",
    ]
    maybe = {
        "heroes.rank": str(chance.randint(1, 4)), "situation.soul_points": str(chance.randint(0, 60)),
        "situation.rank_up": "true", "situation.enemy_turns": "once", "heroes.ko": "true", "heroes.poison": "2",
        "heroes.1.flying": "true",
        "heroes.effects": chance.choice(effects), "encounter.deck": ";".join(chance.sample(list(TABLES["enemies"]), 3)),
    }  # fmt: skip
    sets |= {name: value for name, value in maybe.items() if chance.random() < 0.3}
    if chance.random() < 0.7:
        kinds = [chance.choice(list(TABLES["enemies"])) for _ in range(chance.randint(1, 4))]
        sets["encounter.enemies"] = ";".join(f"{kind}@{chance.choice(areas)}" for kind in kinds)
        sets["encounter.enemies_many"] = ""
    if chance.random() < 0.2:
        sets |= {"encounter.goal": "survive", "encounter.rounds": "8"}
    if chance.random() < 0.5:
        sets |= some_ground(chance, TABLES["encounters"][encounter].map)
    if chance.random() < 0.15 or TABLES["encounters"][encounter].shadows:
        sets |= some_shadows(chance, encounter, sets)
    party, policy = _party(chance), chance.choice(list(PLAYERS))
    return Case(equipped(party, chance), encounter, policy, sets)


EQUIPMENT = {
    "dexterity": ("dagger+knives", "elven_knives", "soul_bow", "veil_of_shadows"), "faith": ("soul_hammer",),
    "strength": ("soul_blade",),
    "magic": ("talisman_of_fire", "talisman_of_fire+talisman_of_fire"),
}  # fmt: skip
"""What changes in an encounter, by the style that may use it."""


def equipped(party: str, chance: random.Random) -> str:
    """Return a party of which every other hero carries items, and every other one equipment that changes."""
    heroes = []
    for hero in party.split(","):
        own = chance.choices(list(TABLES["items"]), k=chance.randint(1, 3)) if chance.random() < 0.5 else []
        own += [chance.choice(EQUIPMENT[TABLES["heroes"][hero].style])] if chance.random() < 0.5 else []
        heroes.append("+".join([hero, *own]))
    return ",".join(heroes)


WALLS = {
    "village": "village_2/village_6;village_11/village_7",
    "crypt": "crypt_13/crypt_12",
    "gorge": "gorge_7/gorge_12",
}
"""Wall tokens that leave a way to every area."""


def some_ground(chance: random.Random, board: str) -> dict[str, str]:
    """Return what quest rules may lay on a map: walls, fire, gates that open and close, and stories."""
    areas = [one for one, area in TABLES["areas"].items() if area.map == board]
    stories = [one for one, event in TABLES["events"].items() if event.kind == "story"]
    gates = [one for one, area in TABLES["areas"].items() if area.map == board and area.gate]
    laid = {
        "walls": WALLS[board],
        "gates": ";".join(f"{gate}@{chance.choice(['2', '1-3', '3-4'])}" for gate in gates if chance.random() < 0.8),
        "fires": ";".join(f"{area}:{chance.randint(1, 2)}" for area in chance.sample(areas, 5)),
        "stories": ";".join(f"{chance.choice(stories)}@{area}" for area in chance.sample(areas, 3)),
        "events": "sample;sparks;mill_gives_way;alarm_bell;fog;night",
    }
    return {f"encounter.{name}": value for name, value in laid.items() if chance.random() < 0.7}


def some_shadows(chance: random.Random, encounter: str, sets: Mapping[str, str]) -> dict[str, str]:
    """Return Shadows in two areas, with an enemy of the deck and a story that they may be."""
    card = TABLES["encounters"][encounter]
    areas = [one for one, area in TABLES["areas"].items() if area.map == card.map]
    stories = [one for one, event in TABLES["events"].items() if event.kind == "story"]
    deck = sets["encounter.deck"].split(";") if "encounter.deck" in sets else card.deck
    return {
        "encounter.shadows": ";".join(f"{area}:{chance.randint(1, 4)}" for area in chance.sample(areas, 2)),
        "situation.round_limit": "6",
        "encounter.quest_enemy": chance.choice(["", *deck]),
        "encounter.quest_moment": chance.choice(["", *stories]),
        "encounter.events": "nightfall;nightfall;sample;fog;lull;night",
    }


def _party(chance: random.Random) -> str:
    size = chance.randint(2, 5)
    while True:
        heroes = [TABLES["heroes"][one] for one in chance.sample(list(TABLES["heroes"]), size)]
        if len({hero.person for hero in heroes}) == size and not {"lawful", "chaos"} <= {h.alignment for h in heroes}:
            return ",".join(hero.id for hero in heroes)


def played(
    case: Case,
    seed: int,
    n: int,
    seconds: list[float] | None = None,
    game: LoadedGame = SOULS,
    done: dict[str, int] | None = None,
) -> int:
    """Play n trials both ways, step by step; return the steps compared.

    Parameters
    ----------
    seconds, done
        Filled with what each step of the second telling took, and with how often heroes did what with their things.

    Raises
    ------
    AssertionError
        A state differs.
    """
    asked = game.ask("encounter", case.party, case.encounter, case.sets, policy=case.policy)
    (process,) = asked.kind.processes(asked.setup, "literal")
    reference, compared = Played(asked.setup.play, case.policy), 0
    for number, state, given, after in recorded(process, RandomRolls(seed, "compared", 0, n)):
        for row in range(len(state["rounds"])):
            reference.read(state, row)
            tape, began = Tape([(name, values[row]) for name, values in given]), perf_counter()
            reference.step(number % len(process.steps), tape)
            if seconds is not None:
                seconds.append(perf_counter() - began)
            why = same(reference, after, row)
            assert not why, f"{case}, seed {seed}, step {number}, trial {row}: {why}"
            compared += 1
        if done is not None:
            done |= reference.done
    return compared


def recorded(process: Process, rolls: RandomRolls) -> Iterator[tuple[int, State, Answers, State]]:
    """Yield each step of the trials that are not over: its number, the state before, all answers, the state after."""
    state = start_state(process, rolls.n, rolls)
    for number in range(process.max_steps):
        given: Answers = []
        after = process.step(number)(state, ProxyRolls(rolls, partial(_noted, given)))
        yield number, state, given, after
        alive = np.flatnonzero(~process.over(after))
        if len(alive) == 0:
            return
        state = take_trials(after, alive)
        rolls.keep(alive)


def states_of(case: Case, n_steps: int, n: int = 16, seed: int = 0) -> tuple[Scene, list[State]]:
    """Play so many steps of n trials, all of them to the end; return the scene, and the states from the start on."""
    asked = SOULS.ask("encounter", case.party, case.encounter, case.sets, policy=case.policy)
    (process,) = asked.kind.processes(asked.setup, "literal")
    rolls = RandomRolls(seed, "states", 0, n)
    states = [start_state(process, n, rolls)]
    for number in range(n_steps):
        states.append(process.step(number)(states[-1], rolls))
    return asked.setup.play, states


def areas_of(scene: Scene, state: State, column: str, who: int) -> set[str]:
    """Return the areas where somebody is in any trial."""
    names = (*scene.area_names, "nowhere")
    return {names[area] for area in state[column][:, who]}


def _noted(given: Answers, behind: Rolls, request: Request[Any]) -> Any:
    """Answer a request, and write the answer down."""
    answer = behind.answer(request)
    given.append((request.name, next(iter(answer.values())) if isinstance(answer, dict) else answer))
    return answer
