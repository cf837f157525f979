"""How far the published play of the learning game can be exploited, by opponents who spend ten times as much on it.

`python -m tests.games.edadh.solving.audit` solves the duel as `balance solve --method approximate` does, and answers
it once more by a decision process, on a grid with ten times the positions, from other duels played with another seed,
and by an opponent who learns in play with other features, in ten times as many duels. Each claims a score, and is then
played against the play itself on dice that nothing was trained on. Takes more than an hour on two cores; prints each
figure as it comes.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from balance.games.edadh.solving.approximate import Spent, found_play
from balance.games.edadh.solving.choices import Opponent, Worth
from balance.games.edadh.solving.grid_worth import GridWorth
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.nodes import Reach
from balance.games.edadh.solving.training import Effort, learn, moves_of
from balance.games.edadh.solving.value_iteration import best_responses
from balance.protocol.loaded import load

__all__ = ["main"]

ARMIES = ("angueth_learning", "huaos_dzaa_learning")
SEED, OTHER = 0, 1
FINER = 1e-3
"""The price of a position when the answer's nodes are chosen, beside the play's: ten times as many positions."""
LEARNER = Effort(duels=4000, generations=8, window=200_000)
DUELS = 10_000
BEGAN = time.perf_counter()


def main() -> None:
    """Solve, answer, play, and print."""
    setup = load("edadh").ask("duel", *ARMIES).setup
    moves, players, spent = moves_of(setup.duel), setup.players, Spent()
    found = found_play(moves, players, SEED, spent)
    worth = found.worth
    assert isinstance(worth, GridWorth) and found.bounds is not None
    say("play", f"{found.n_nodes:,} positions, claimed {found.bounds[0]:.4f} to {found.bounds[1]:.4f}")
    play = LookAhead(worth=worth)
    say("against itself", f"{score(moves, (play, play), DUELS, SEED, 'audit itself'):.4f}")

    def played(name: str, answers: tuple[Worth, Worth]) -> None:
        scores = []
        for side, answer in enumerate(answers):
            other = LookAhead(worth=answer, against=Opponent(side, worth))
            pair = (play, other) if side == 0 else (other, play)
            scores.append(score(moves, pair, DUELS, SEED, f"audit {name} {side}"))
        say(f"{name}, played", f"{scores[0]:.4f} to {scores[1]:.4f}: {scores[1] - scores[0]:+.4f}")

    played("one choice ahead", (worth, worth))
    played("the decision process of solve", (found.answers[0], found.answers[1]))
    learnt = [learn(moves, OTHER, LEARNER, Opponent(side, worth)) for side in (0, 1)]
    say("learnt", "")
    played("learnt in play", (learnt[0], learnt[1]))
    reach = Reach.of(worth.listed, tuple(players.values()), OTHER)
    first, last = spent.precision.price
    finer = replace(spent.precision, price=(first * FINER, last * FINER))
    answers = best_responses(worth, reach, finer, lambda text: say("group", text[:40]))
    claims = "{:.4f} to {:.4f}".format(*(answer(moves.begun())[0] for answer in answers))
    say("a decision process on finer grids", f"{answers[0].n_nodes:,} positions, claims {claims}")
    played("a decision process on finer grids", answers)


def say(what: str, text: str) -> None:
    """Print a figure, with how much time was spent by then."""
    print(f"{what}: {text} ({time.perf_counter() - BEGAN:.0f} s, {time.process_time():.0f} s of CPU)", flush=True)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
