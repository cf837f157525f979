from collections.abc import Sequence

import numpy as np
import pytest

from balance.analysis.armies.batches import Battles, outcomes_of
from balance.base.errors import RollsError
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.chance.trials.together import play_processes
from balance.game.loaded import load

MEMBERS = ("trooper+shotgun", "aegis+laser_carbine", "whisper+sidearm", "vanguard+grenade_launcher")
WAYS = (("greedy", "kite"), ("kite", "greedy"), ("greedy", "greedy"))


def groups(
    game: str, kind: str, members: Sequence[str], ways: Sequence[tuple[str, str]], changes: str
) -> list[Battles]:
    """Return battles of random armies of one to four units, by different ways of playing, each on dice of its own."""
    habits, drawn = load(game).kind(kind).habits, []
    for number, ways_of_sides in enumerate(ways):
        choices = dict(zip(habits, ways_of_sides, strict=True))
        arena = load(game).arena(kind, members, changes, **choices)
        rng, n = np.random.default_rng(number), 24 + 8 * number
        a, b = (np.where(rng.random((n, 4)) < 0.8, rng.integers(0, len(members), (n, 4)), -1) for _ in range(2))
        a[:, 0], b[:, 0] = 0, 1
        rolls = RandomRolls(7, "meetings", number, n // 2, is_paired=True)
        drawn.append(Battles(arena, a, b, np.full(n, 3), rolls))
    return drawn


@pytest.mark.parametrize(
    ("game", "kind", "members", "ways", "changes"),
    [
        ("warforged", "battle", MEMBERS, WAYS, "situation.rounds=3"),
        ("warforged", "lineup", MEMBERS, (("focus", "spread"),) * 2, "situation.round_limit=3"),
    ],
)
def test_no_number_hangs_on_which_blocks_are_played_together(
    game: str, kind: str, members: Sequence[str], ways: Sequence[tuple[str, str]], changes: str
) -> None:
    drawn, columns = groups(game, kind, members, ways, changes), ("winner", "rounds", "a_health", "b_units")
    alone = [outcomes_of([battles], columns)[0] for battles in drawn]
    for one, together in zip(alone, outcomes_of(drawn, columns), strict=True):
        assert all(np.array_equal(one[name], together[name]) for name in columns)
    assert len({tuple(one["winner"][:24]) for one in alone}) == len(drawn)


def test_steps_that_ask_for_luck_are_refused() -> None:
    def step(state: State, rolls: Rolls) -> State:
        return {"health": state["health"] - rolls.d(6, 1, "blow")[:, 0]}

    walk = Process(
        {"health": 9}, (step,), lambda state: state["health"] <= 0, lambda state, steps: state, 9, key="luck"
    )
    with pytest.raises(RollsError, match=r"cannot answer .* 'blow'"):
        play_processes([walk, walk], [RandomRolls(0, "walk", at, 3) for at in range(2)])
