"""Play of duels of any size: learnt in play, and answered."""

from __future__ import annotations

from typing import Any

import pytest

from balance.games.edadh.policies.policy import CardMix, Uniform
from balance.games.edadh.solving import approximate as module
from balance.games.edadh.solving.approximate import BestResponse, Effort, play_best_responses, solve_approximately
from balance.games.edadh.solving.choices import Opponent
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.look_ahead import LookAhead, Pairing
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import LearningEffort
from tests.games.edadh.solving.met import moves

PLAYERS = {"random": Uniform(), "low": Uniform(CardMix((1,) * 6 + (0,) * 6))}
LITTLE = Effort(LearningEffort(duels=8, generations=2, window=150), 40)
NAMES = ["one choice ahead", "learnt in play", *PLAYERS]


def test_the_best_answers_that_were_found_are_scored_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is tried in a quarter of the duels; the best for the other side is scored in all of them, on other dice."""
    duel = moves("archers", "gunners", "a.mp=2", "b.mp=2")
    worth, learnt, asked = Estimate(duel), (Estimate(duel), Estimate(duel)), list[list[Pairing]]()
    told, n = [[0.6, 0.2, 0.3, 0.55], [0.6, 0.7, 0.8, 0.9]], len(NAMES)

    def scored(moves: Moves, every: list[Pairing], seed: int) -> list[float]:
        assert seed == 7
        asked.append(every)
        return [0.5, *told[0], *told[1]] if len(asked) == 1 else [0.33, 0.44]

    monkeypatch.setattr(module, "scores", scored)
    found = play_best_responses(worth, learnt, PLAYERS, 7, Effort(duels=41))
    (first, *tried), last = asked
    itself = last[0].policies[0]
    assert first == Pairing((itself, itself), 41, "each other")
    for side, (best, fresh) in enumerate([("learnt in play", 0.33), ("low", 0.44)]):
        mine, against = tried[side * n : side * n + n], Opponent(side, worth)
        assert [(each.n, each.name) for each in mine] == [(11, f"{'ab'[side]} is answered by {name}") for name in NAMES]
        answers = [each.policies[1 - side] for each in mine]
        looking = [own for own in answers[:2] if isinstance(own, LookAhead)]
        assert [(own.worth, own.against) for own in looking] == [(worth, against), (learnt[side], against)]
        assert answers[2:] == list(PLAYERS.values())
        assert all(each.policies[side] is itself for each in mine)
        assert last[side][1:] == (41, f"{'ab'[side]} is answered best")
        assert last[side].policies[side] is itself
        assert last[side].policies[1 - side] is answers[NAMES.index(best)]
        assert found[side] == BestResponse({"itself": 0.5, **dict(zip(NAMES, told[side], strict=True))}, fresh)


def test_play_that_nothing_beats_answers_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    duel, asked = moves("archers", "gunners", "a.mp=2", "b.mp=2"), list[Pairing]()

    def scored(moves: Moves, every: list[Pairing], seed: int) -> list[float]:
        asked[:] = every
        n = len(every) // 2
        return [0.5, *[0.6] * n, *[0.4] * n] if n > 1 else [0.5, 0.5]

    monkeypatch.setattr(module, "scores", scored)
    worth = Estimate(duel)
    play_best_responses(worth, (worth, worth), PLAYERS, 7, LITTLE)
    assert len(asked) == 2 and all(one is other for one, other in (each.policies for each in asked))


def test_who_answers_learns_half_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the same seed, and against the play that was learnt before."""
    taught = list[Any]()

    def learn(moves: Moves, seed: int, effort: LearningEffort, against: Opponent | None = None) -> Estimate:
        taught.append((seed, effort, against))
        return Estimate(moves)

    monkeypatch.setattr(module, "learn", learn)
    monkeypatch.setattr(module, "n_processes", lambda: 1)
    solve_approximately(moves("archers", "gunners", "a.mp=2", "b.mp=2"), {}, 7, LITTLE)
    (*both, nobody), *answers = taught
    assert (both, nobody) == ([7, LITTLE.learning], None)
    assert [(seed, effort, against.side) for seed, effort, against in answers] == [
        (7, LearningEffort(4, 1, 150), side) for side in (0, 1)
    ]


@pytest.mark.slow("test_the_best_answers_that_were_found_are_scored_anew")
@pytest.mark.parametrize("changes", [(), ("rules.eop1_pooled=true",)])
def test_what_is_told_of_play_that_was_found(changes: tuple[str, ...]) -> None:
    """Bounds are those played on fresh dice; the value is what it scores against itself; under any reading."""
    told = solve_approximately(moves("shieldsmen", "spears", "a.mp=5", "b.mp=5", *changes), PLAYERS, 3, LITTLE)
    tables = {table.name: table for table in told.tables}
    assert list(tables) == ["opening", "answers", "skill"]
    assert (told.iterations, told.n_states) == (2, 150)
    rows = {str(row[0]): (float(row[1]), float(row[2])) for row in tables["answers"].rows}
    assert (told.lower, told.upper) == rows["the best of these, on fresh dice"]
    assert told.exploitability == max(0.0, told.upper - told.lower) and not told.converged
    assert told.half_width == pytest.approx(1.96 * 0.5 / 40**0.5, rel=1e-3)
    assert rows["itself"] == (told.value, told.value)
    for name, a, _, b, _ in tables["skill"].rows:
        stated = float(a), 1 - float(b)
        assert rows[str(name)] == pytest.approx(stated), "a number stands in two tables, the same in both"
    first = tables["skill"].rows[0]
    assert float(first[1]) - float(first[2]) == pytest.approx(told.value)
