"""An attack of Immortal Souls with five effects to buy, on one target and on three; and duels of a hero and an enemy.

The peer is a plain Python loop of the same rules, one die after another; what to buy it knows from the second telling
of the tests, which it asks once for each roll.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

import balance
from balance.chance.rolls import symbols
from balance.chance.trials.collect import collect
from balance.chance.trials.stopping import FixedTrials
from balance.game.game import Lane
from balance.games.immortal_souls.rules import defence
from tests.bench import known, ours
from tests.bench.contest import Contender, Contest, in_lanes
from tests.games.immortal_souls import reference
from tests.games.immortal_souls.reference_spending import Game, counts, effects

EFFECTS = "lethal2@ABI,ko@ABI+MAG,armour-1@ABI,area0@MAG,hits1@LEG"
TARGETS = "red_orc_warrior,red_bandit,blue_gremlin"
SHOT = {"attacker.sure": 0, "attacker.red": 4, "attacker.blue": 4, "attacker.damage_type": "none"}
SHOT |= {"attacker.effects": EFFECTS}
PLAIN = {"defender.armour": 2, "defender.shields": 1, "defender.defence_dice": 3, "defender.modifiers": "none"}
PLAIN |= {"defender.defence_effects": "none", "attacker.effects": "lethal2@ABI,armour-1@ABI+ABI,hits1@LEG"}
WOUNDS = [
    0.03096010368, 0.32521923072, 0.31734262784, 0.19966977792, 0.08899107328, 0.03042096384, 0.00654890368,
    0.00080169984, 0.00004506624, 0.00000055296,
]  # fmt: skip
"""P(a lone target takes 0, 1, ... wounds), as the tests' second telling of the rules has it."""
TO_THE_FIRST = [
    0.0048080896, 0.0174548416, 0.1930666792, 0.2414659052, 0.228436174, 0.1751654008, 0.0947902024, 0.0350820472,
    0.008432172, 0.00120808, 0.0000881904, 0.0000022176,
]  # fmt: skip
"""P(the first of three targets takes 0, 1, ... wounds), likewise."""
WINNERS = [0.0, 0.7143129609698531, 0.285687039030147]
"""P(draw), P(the hero wins), P(the enemy wins): the exact chain, which the tests hold against a second telling."""
DUEL = "thorgar", "red_bandit", {"a.rank": 3}


@cache
def _question(targets: str = TARGETS) -> balance.Question:
    changes = SHOT if targets == TARGETS else SHOT | PLAIN
    return balance.load("immortal_souls").ask("attack", "ecarus", targets, changes)


@cache
def _duel() -> balance.Question:
    one, other, changes = DUEL
    return balance.load("immortal_souls").ask("duel", one, other, changes)


def attack() -> list[float]:
    """Return the distribution of the target's wounds, from the joint distribution of all columns, built anew."""
    ours.forget_tables()
    symbols.forget()
    defence.left_distribution.cache_clear()
    return list(replace(_question()).distribution.marginal("wounds").p)


def attacks_sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often a lone target took 0, 1, ... wounds; tables are kept between calls."""
    found = collect(_question("red_orc_warrior").task(lane), FixedTrials(n_trials), seed=0, n_threads=n_threads)
    wounds = found.counts.marginal("wounds")
    return np.bincount(wounds["wounds"], wounds.weights, minlength=len(WOUNDS)).astype(np.int64)


def duels_sampled(lane: Lane, n_threads: int, n_trials: int) -> npt.NDArray[Any]:
    """Return how often nobody, the hero and the enemy won; tables are kept between calls."""
    won = collect(_duel().task(lane), FixedTrials(n_trials), seed=0, n_threads=n_threads).counts.marginal("winner")
    return np.bincount(won["winner"], won.weights, minlength=3).astype(np.int64)


def attacks_looped(n_trials: int) -> npt.NDArray[Any]:
    """Return the wounds of a lone target from a plain Python loop."""
    rng, found = random.Random(0), np.zeros(len(WOUNDS), np.int64)
    game = Game()
    shot = reference.Attack(red=4, blue=4, effects=effects(str(PLAIN["attacker.effects"])))
    target = reference.Defender(armour=2, defence_dice=3, state=reference.State(shields=1))
    for _ in range(n_trials):
        faces = [rng.choice(game.red) for _ in range(4)] + [rng.choice(game.blue) for _ in range(4)]
        results = counts(" ".join(faces))
        blow, _ = reference.blow_of(shot, results, reference.bought_of(shot, results, (target,), game), game)
        shields, lethal = 1, blow.lethal
        armour = max(2 + sum(number for name, number in blow.marks if name == "armour"), 0)
        stopped = min(lethal, shields)
        lethal, shields = lethal - stopped, shields - stopped
        normal = max(blow.hits - blow.lethal - armour, 0)
        normal -= min(normal, shields)
        dice = [rng.choice(game.blue) for _ in range(min(normal, 3))]
        found[lethal + max(normal - sum(face.count("SHD") for face in dice), 0)] += 1
    return found


def contests() -> list[Contest]:
    """Return the contests of Immortal Souls."""
    loop = Contender("Python loop", attacks_looped, 2**14, 512)
    return [
        Contest(
            "Souls attack, exact",
            [Contender("tables built anew", attack)],
            ["(none)"],
            known.checker(known.check, TO_THE_FIRST),
        ),
        Contest("Souls attacks, sampled", in_lanes(attacks_sampled), [loop], known.checker(known.check_counts, WOUNDS)),
        Contest(
            "Souls duels, sampled",
            in_lanes(duels_sampled),
            ["(none)"],
            known.checker(known.check_counts, WINNERS),
            weight=2,
        ),
    ]
