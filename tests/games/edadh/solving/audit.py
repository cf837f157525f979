"""How far the published play of the learning game can be exploited, by opponents who spend more on it than it had.

`python -m tests.games.edadh.solving.audit` solves the duel as `balance solve --method approximate` does, and answers
it once more by a decision process that has nodes everywhere, some four times as many positions, chosen by other duels,
played with another seed against the answers there were; and by an opponent who learns in play with other features, in
ten times as many duels. Each claims a score, and is then played against the play itself on dice that nothing was
trained on. `... audit PLAY.pickle` keeps the play there, and answers it if it is there already. Takes half an hour on
two cores; prints each figure as it comes.
"""

from __future__ import annotations

import pickle
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from balance.chance.rolls.process import Policy
from balance.chance.solvers.team import n_processes, shares
from balance.game.loaded import load
from balance.games.edadh.solving.approximate import chosen_grids, value_iteration
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.nodes import Reach
from balance.games.edadh.solving.approximate.solver import Effort
from balance.games.edadh.solving.approximate.value_iteration import Play, Precision, iterate
from balance.games.edadh.solving.choices import Opponent, Worth
from balance.games.edadh.solving.look_ahead import LookAhead, Pairing, score, scores
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import LearningEffort, learn, moves_of
from tests.games.edadh.solving.worths import best_responses

ARMIES = ("angueth_learning", "huaos_dzaa_learning")
SEED, OTHER = 0, 1
FINER = 0.75
"""The price of a position when the answer's nodes are chosen, beside the play's."""
NEVER = 10**9
"""Configurations of which the answer tells worths from a few points only."""
LEARNER = LearningEffort(duels=4000, generations=8, window=200_000)
DUELS = 10_000
BEGAN = time.perf_counter()


def main() -> None:
    """Solve, answer, play, and print."""
    setup = load("edadh").ask("duel", *ARMIES).setup
    moves, precision = moves_of(setup.duel), Effort().precision
    found = _found(moves, tuple(setup.players.values()), precision)
    worth, play = found.worth, LookAhead(worth=found.worth)
    say("play", f"{worth.n_nodes:,} positions, claimed " + "{:.4f} to {:.4f}".format(*found.bounds))
    say("against itself", f"{score(moves, (play, play), DUELS, SEED, 'audit itself'):.4f}")

    def played(name: str, answers: tuple[Worth, Worth]) -> None:
        one, other = (LookAhead(worth=own, against=Opponent(side, worth)) for side, own in enumerate(answers))
        pairs = enumerate([(play, one), (other, play)])
        held, conceded = scores(moves, [Pairing(pair, DUELS, f"audit {name} {side}") for side, pair in pairs], SEED)
        say(f"{name}, played", f"{held:.4f} to {conceded:.4f}: {conceded - held:+.4f}")

    played("one choice ahead", (worth, worth))
    played("the decision process of solve", found.answers)
    chosen_grids.POINTS_FROM = NEVER
    reach = value_iteration._reach_of_play(worth, found.answers, OTHER)
    finer = replace(precision, price=(precision.price[1] * FINER,) * 2)
    answers = best_responses(worth, reach, finer, lambda text: say("group", text[:40]))
    claims = "{:.4f} to {:.4f}".format(*(answer(moves.start())[0] for answer in answers))
    say("a decision process on finer grids", f"{answers[0].n_nodes:,} positions, claims {claims}")
    played("a decision process on finer grids", answers)
    learners = [partial(learn, moves, OTHER, LEARNER, Opponent(side, worth)) for side in (0, 1)]
    one, other = shares(learners, n_processes())
    played("learnt in play", (one, other))


def _found(moves: Moves, players: tuple[Policy, ...], precision: Precision) -> Play:
    """Return the play that is kept, or find it."""
    kept = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if kept is not None and kept.exists():
        found: Play = pickle.loads(kept.read_bytes())
        return found
    listed = Configurations.of(moves)
    found = iterate(listed, Reach.of(listed, players, SEED), precision)
    if kept is not None:
        kept.write_bytes(pickle.dumps(found))
    return found


def say(what: str, text: str) -> None:
    """Print a figure, with how much time was spent by then."""
    print(f"{what}: {text} ({time.perf_counter() - BEGAN:.0f} s, {time.process_time():.0f} s of CPU)", flush=True)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
