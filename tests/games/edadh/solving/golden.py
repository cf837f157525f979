"""Small duels solved, and learnt ones: every field of every answer, in `golden.json`.

Published tables stand on these numbers: `python -m tests.games.edadh.solving.golden` writes the file anew.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.policies.policy import CardMix, Uniform
from balance.games.edadh.solving.approximate import Effort
from balance.games.edadh.solving.choices import Opponent
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.look_ahead import LookAhead
from balance.games.edadh.solving.solve import solve_approximately, solve_exactly
from balance.games.edadh.solving.training import LearningEffort, learn
from tests.games.edadh.solving.met import moves

FILE = Path(__file__).with_name("golden.json")
PLAYERS = {"random": Uniform(), "high": Uniform(CardMix((0,) * 6 + (1,) * 6))}
QUICK = LearningEffort(duels=8, generations=2, window=150)
LITTLE = Effort(learning=QUICK, duels=10)


def _exact() -> Any:
    return asdict(solve_exactly(moves("shieldsmen", "spears", "a.mp=5", "b.mp=5"), {"random": Uniform()}, 0))


def _approximate() -> Any:
    duel = moves("shieldsmen", "spears", "a.mp=5", "b.mp=5", "rules.eop1_pooled=true")
    return asdict(solve_approximately(duel, PLAYERS, 3, LITTLE))


def _learnt() -> Any:
    """Return the sums of W and of its squares for each number of turns left: both sides learning, then one."""
    duel = moves("shieldsmen+archers", "spears/swords", "a.mp=9", "b.mp=7")
    both = learn(duel, 2, QUICK)
    found = [both, *(learn(duel, 2, QUICK.half, Opponent(side, both)) for side in (0, 1))]
    told = [[[w.sum(), (w * w).sum()] for w in (() if e.weights is None else e.weights)] for e in found]
    return np.array(told).tolist()


def _played() -> Any:
    """Return duels of sides who look ahead, one of whom strays, and of one who answers the other."""
    duel = moves("shieldsmen+archers:2/archers:2", "spears:2/swords:2", "a.mp=12", "b.mp=14")
    worth = Estimate(duel, learn(duel, 4, replace(QUICK, generations=0)).weights)
    plain, stray = LookAhead(worth=worth), LookAhead(worth=worth, strays=0.5)
    pairs = {
        "look ahead": (plain, plain),
        "one strays": (stray, plain),
        "b answers": (plain, LookAhead(worth=worth, against=Opponent(0, Estimate(duel)))),
    }
    found = {}
    for name, policies in pairs.items():
        process = duel_process(replace(duel.duel, policies=policies), duel.resolve, markers=True)
        found[name] = {key: values.tolist() for key, values in simulate(process, RandomRolls(1, name, 0, 8)).items()}
    return found


ANSWERS = {"exact": _exact, "approximate": _approximate, "learnt": _learnt, "played": _played}


def rounded(told: Any) -> Any:
    """Return an answer as JSON has it, floats to eight digits."""
    return json.loads(json.dumps(told), parse_float=lambda text: float(f"{float(text):.8g}"))


def write() -> None:
    """Write the file anew."""
    told = {name: rounded(answer()) for name, answer in ANSWERS.items()}
    text = re.sub(r"\[([^\[\]{}]*)\]", lambda row: f"[{' '.join(row[1].split())}]", json.dumps(told, indent=1))
    FILE.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    write()
