"""Play of duels of any size: by worths on grids where they can be listed, by learnt ones where not, and answered."""

from __future__ import annotations

from typing import Any

import pytest

from balance.game.solution import Solution
from balance.games.edadh.policies.policy import CardMix, Uniform
from balance.games.edadh.solving.approximate import solver as module
from balance.games.edadh.solving.approximate.grid_worth import GridWorth
from balance.games.edadh.solving.approximate.lists.configurations import Configurations
from balance.games.edadh.solving.approximate.solver import (
    BestResponse,
    Effort,
    FoundPlay,
    found_play,
    play_best_responses,
    solve_approximately,
)
from balance.games.edadh.solving.approximate.tables import in_play
from balance.games.edadh.solving.choices import Opponent
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.look_ahead import LookAhead, Pairing
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import LearningEffort
from tests.games.edadh.solving.worths import moves

PLAYERS = {"random": Uniform(), "low": Uniform(CardMix((1,) * 6 + (0,) * 6))}
QUICK = LearningEffort(duels=8, generations=2, window=150)
LITTLE = Effort(learning=QUICK, duels=40)


def found_with(worth: Any, answers: tuple[Any, ...]) -> FoundPlay:
    return FoundPlay(worth, answers, (0.4, 0.5) if answers else None, "How.", 3, 7)


@pytest.mark.parametrize("tabled", [True, False])
def test_the_best_answers_that_were_found_are_scored_anew(monkeypatch: pytest.MonkeyPatch, tabled: bool) -> None:
    """Each is tried in a quarter of the duels; the best for the other side is scored in all of them, on other dice."""
    duel = moves("archers", "gunners", "a.mp=2", "b.mp=2")
    worth, processes = Estimate(duel), (Estimate(duel), Estimate(duel))
    learnt, taught, asked = [Estimate(duel), Estimate(duel)], list[Any](), list[list[Pairing]]()
    told = [[0.6, 0.2, 0.3, 0.55, 0.9], [0.6, 0.7, 0.8, 0.9, 0.7]]
    names = ["one choice ahead", "learnt in play", *(["a decision process"] if tabled else []), *PLAYERS]
    n = len(names)

    def learn(moves: Moves, seed: int, effort: LearningEffort, against: Opponent) -> Estimate:
        taught.append((seed, effort, against))
        return learnt[against.side]

    def scored(moves: Moves, every: list[Pairing], seed: int) -> list[float]:
        assert seed == 7
        asked.append(every)
        return [0.5, *told[0][:n], *told[1][:n]] if len(asked) == 1 else [0.33, 0.44]

    monkeypatch.setattr(module, "n_processes", lambda: 1)
    monkeypatch.setattr(module, "learn", learn)
    monkeypatch.setattr(module, "scores", scored)
    found = found_with(worth, processes if tabled else ())
    answered_ = play_best_responses(found, duel, PLAYERS, 7, Effort(learning=LearningEffort(10, 4, 50), duels=41))
    assert taught == [(7, LearningEffort(5, 2, 50), Opponent(side, worth)) for side in (0, 1)]
    (first, *tried), last = asked
    itself = last[0].policies[0]
    assert first == Pairing((itself, itself), 41, "each other")
    for side, (best, fresh) in enumerate([("learnt in play", 0.33), (names[3], 0.44)]):
        mine, against = tried[side * n : side * n + n], Opponent(side, worth)
        assert [(each.n, each.name) for each in mine] == [(11, f"{'ab'[side]} is answered by {name}") for name in names]
        answers = [each.policies[1 - side] for each in mine]
        looking = [(worth, against), (learnt[side], against), *([(processes[side], against)] if tabled else [])]
        assert all(isinstance(answer, LookAhead) for answer in answers[: len(looking)])
        assert [(own.worth, own.against) for own in answers if isinstance(own, LookAhead)] == looking
        assert answers[len(looking) :] == list(PLAYERS.values())
        assert all(each.policies[side] is itself for each in mine)
        assert last[side][1:] == (41, f"{'ab'[side]} is answered best")
        assert last[side].policies[side] is itself
        assert last[side].policies[1 - side] is answers[names.index(best)]
        assert answered_[side] == BestResponse({"itself": 0.5, **dict(zip(names, told[side], strict=False))}, fresh)


def test_play_that_nothing_beats_answers_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    duel, asked = moves("archers", "gunners", "a.mp=2", "b.mp=2"), list[Pairing]()

    def scored(moves: Moves, every: list[Pairing], seed: int) -> list[float]:
        asked[:] = every
        n = len(every) // 2
        return [0.5, *[0.6] * n, *[0.4] * n] if n > 1 else [0.5, 0.5]

    monkeypatch.setattr(module, "scores", scored)
    play_best_responses(found_with(Estimate(duel), ()), duel, PLAYERS, 7, LITTLE)
    assert len(asked) == 2 and all(one is other for one, other in (each.policies for each in asked))


@pytest.mark.slow("test_worths_are_learnt_where_there_are_too_many_arrangements")
def test_worths_are_learnt_where_mastery_points_decide_where_cards_go() -> None:
    """And it is said why. Negative control: without that reading they are tabled."""
    asked = ("shieldsmen", "spears", "a.mp=5", "b.mp=5")
    found = found_play(moves(*asked, "rules.eop1_pooled=true"), PLAYERS, 0, LITTLE)
    assert isinstance(found.worth, Estimate)
    assert (found.answers, found.bounds, found.sweeps, found.n_nodes) == ((), None, 2, 150)
    assert "learnt in 2 generations of 8 duels" in found.method
    assert "since there is no table of worths (" in found.method
    assert "rules.eop1_pooled" in found.method
    tabled = found_play(moves(*asked), PLAYERS, 0, LITTLE)
    assert isinstance(tabled.worth, GridWorth) and tabled.bounds is not None
    assert tabled.method.startswith("Value iteration over ") and f"({tabled.n_nodes:,} positions)" in tabled.method


def test_worths_are_learnt_where_there_are_too_many_arrangements(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = Configurations.of
    monkeypatch.setattr(Configurations, "of", lambda moves: listing(moves, max_number=50))
    found = found_play(moves("shieldsmen:2", "spears:2"), PLAYERS, 0, LITTLE)
    assert isinstance(found.worth, Estimate)
    assert "too large for a table of its positions" in found.method


def solved_of(*changes: str) -> Solution:
    return solve_approximately(moves("shieldsmen", "spears", "a.mp=5", "b.mp=5", *changes), PLAYERS, 3, LITTLE)


@pytest.mark.slow("test_the_best_answers_that_were_found_are_scored_anew")
@pytest.mark.parametrize("changes", [(), ("rules.eop1_pooled=true",)])
def test_what_is_told_of_play_that_was_found(monkeypatch: pytest.MonkeyPatch, changes: tuple[str, ...]) -> None:
    """Bounds are those played on fresh dice; the value is what it scores against itself."""
    monkeypatch.setattr(in_play, "DUELS", 20)
    told = solved_of(*changes)
    tables = {table.name: table for table in told.tables}
    assert list(tables)[:4] == ["opening", "usage", "answers", "skill"]
    rows = {str(row[0]): (float(row[1]), float(row[2])) for row in tables["answers"].rows}
    assert (told.lower, told.upper) == rows["the best of these, on fresh dice"]
    assert told.exploitability == max(0.0, told.upper - told.lower) and not told.converged
    assert told.half_width == pytest.approx(1.96 * 0.5 / 40**0.5, rel=1e-3)
    assert rows["itself"] == (told.value, told.value)
    claim = "a decision process, as it claims on the grids"
    if changes:
        assert claim not in rows and "numbers" not in tables
        assert "rules.eop1_pooled" in told.method
    else:
        assert claim in rows and "numbers" in tables and "a decision process" in rows
    for name, a, _, b, _ in tables["skill"].rows:
        assert rows[str(name)] == pytest.approx((float(a), 1 - float(b))), (
            "a number stands in two tables, the same in both"
        )
    first = tables["skill"].rows[0]
    assert float(first[1]) - float(first[2]) == pytest.approx(told.value)
