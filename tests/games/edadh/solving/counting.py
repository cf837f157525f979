"""How large the shipped duels are: lines of play of the first Period, and positions by turns left.

`python -m tests.games.edadh.solving.counting` prints the table of `docs/explanation/edadh.md`; it takes some minutes.
"""

from __future__ import annotations

from balance.game.loaded import load
from balance.games.edadh.rules.look_up import quickest
from tests.games.edadh.solving.probes import CountEstimate, count_positions, lines_of_play

DUELS = (
    ("angueth_learning", "huaos_dzaa_learning"),
    ("angueth_terrain", "huaos_dzaa_terrain"),
    ("angueth_warband", "huaos_dzaa_warband"),
)
LINES, POSITIONS = 200_000, 1_000_000
SEED = 0


def main() -> None:
    """Count, and print."""
    for one, other in DUELS:
        duel = load("edadh").ask("duel", one, other).setup.duel
        resolve = quickest(duel.arena)
        print(f"{one} against {other}: {shown(lines_of_play(duel, resolve, LINES, SEED))} lines of play in a Period")
        for turns, (met, least) in count_positions(duel, resolve, POSITIONS, SEED).items():
            print(f"  {turns} turns left: {met:,} positions met, at least {shown(least)}", flush=True)


def shown(found: CountEstimate) -> str:
    """Return a number with its error.

    >>> shown(CountEstimate(1_960_000.0, 29_000.0))
    '1.960e+06 +- 2.9e+04'
    """
    return f"{found.number:.3e} +- {found.half_width:.1e}"


if __name__ == "__main__":
    main()
