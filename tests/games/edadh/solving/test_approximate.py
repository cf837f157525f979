"""Play of duels of any size: by worths on grids where they can be listed, by learnt ones where not, and answered."""

from __future__ import annotations

from typing import Any

import pytest

from balance.games.edadh.policies.policy import CardMix, Uniform
from balance.games.edadh.solving import approximate as module
from balance.games.edadh.solving import in_play
from balance.games.edadh.solving.approximate import Answered, Found, Spent, answered, found_play, solve_approximately
from balance.games.edadh.solving.choices import Opponent
from balance.games.edadh.solving.configurations import Configurations
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.grid_worth import GridWorth
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.training import Effort
from balance.protocol.solution import Solution
from tests.games.edadh.solving.worths import moves

PLAYERS = {"random": Uniform(), "low": Uniform(CardMix((1,) * 6 + (0,) * 6))}
QUICK = Effort(duels=8, generations=2, window=150)
LITTLE = Spent(effort=QUICK, duels=40)


def found_with(worth: Any, answers: tuple[Any, ...]) -> Found:
    return Found(worth, answers, (0.4, 0.5) if answers else None, "How.", 3, 7)


@pytest.mark.parametrize("tabled", [True, False])
@pytest.mark.parametrize(("side", "best"), [(0, 2), (1, 4)])
def test_the_best_answer_that_was_found_is_scored_anew(
    monkeypatch: pytest.MonkeyPatch, side: int, best: int, tabled: bool
) -> None:
    """Each is tried in a quarter of the duels; the best for the other side is scored in all of them, on other dice."""
    duel = moves("archers", "gunners", "a.mp=2", "b.mp=2")
    worth, learnt, processes, asked = Estimate(duel), Estimate(duel), (Estimate(duel), Estimate(duel)), list[Any]()
    shares = [0.5, 0.6, 0.2, 0.55, 0.9, 0.7] if tabled else [0.5, 0.6, 0.2, 0.55, 0.9]
    n = len(shares)

    def taught(moves: Moves, seed: int, effort: Effort, against: Opponent) -> Estimate:
        asked.append((seed, effort, against))
        return learnt

    def scored(moves: Moves, policies: Any, n: int, seed: int, name: str) -> float:
        asked.append((policies, n, seed, name))
        return [*shares[1:], 0.33][len(asked) - 2]

    monkeypatch.setattr(module, "learn", taught)
    monkeypatch.setattr(module, "score", scored)
    found = found_with(worth, processes if tabled else ())
    told = answered(found, duel, side, PLAYERS, 7, Spent(effort=Effort(10, 4, 50), duels=41), shares[0])
    seed, spent, against = asked[0]
    assert (seed, spent, against) == (7, Effort(5, 2, 50), Opponent(side, worth))
    tried, last = asked[1:-1], asked[-1]
    names = ["one choice ahead", "learnt in play", *(["a decision process"] if tabled else []), *PLAYERS]
    assert [(n, seed, name) for _, n, seed, name in tried] == [
        (11, 7, f"{'ab'[side]} is answered by {name}") for name in names
    ]
    answers = [policies[1 - side] for policies, *_ in tried]
    looking = [(worth, against), (learnt, against), *([(processes[side], against)] if tabled else [])]
    assert [(a.worth, a.against) for a in answers[: len(looking)]] == looking
    assert answers[len(looking) :] == list(PLAYERS.values())
    assert all(policies[side].worth is worth and policies[side].against is None for policies, *_ in tried)
    assert last[1:] == (41, 7, f"{'ab'[side]} is answered best")
    itself = last[0][side]
    assert last[0][1 - side] is ([itself, *answers][best])
    assert told == Answered(dict(zip(["itself", *names], shares, strict=True)), 0.33)
    assert len(shares) == n == len(tried) + 1


def test_worths_are_learnt_where_mastery_points_decide_where_cards_go() -> None:
    """And it is said why. Negative control: without that reading they are tabled."""
    asked = ("shieldsmen", "spears", "a.mp=5", "b.mp=5")
    found = found_play(moves(*asked, "rules.eop1_pooled=true"), PLAYERS, 0, LITTLE)
    assert isinstance(found.worth, Estimate)
    assert (found.answers, found.bounds, found.sweeps, found.n_nodes) == ((), None, 2, 150)
    assert "learnt in 2 generations of 8 duels" in found.how
    assert "since there is no table of worths (" in found.how
    assert "rules.eop1_pooled" in found.how
    tabled = found_play(moves(*asked), PLAYERS, 0, LITTLE)
    assert isinstance(tabled.worth, GridWorth) and tabled.bounds is not None
    assert tabled.how.startswith("Value iteration over ") and f"({tabled.n_nodes:,} positions)" in tabled.how


def test_worths_are_learnt_where_there_are_too_many_arrangements(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = Configurations.of
    monkeypatch.setattr(Configurations, "of", lambda moves: listing(moves, most=50))
    found = found_play(moves("shieldsmen:2", "spears:2"), PLAYERS, 0, LITTLE)
    assert isinstance(found.worth, Estimate)
    assert "too large for a table of its positions" in found.how


def solved_of(*changes: str) -> Solution:
    return solve_approximately(moves("shieldsmen", "spears", "a.mp=5", "b.mp=5", *changes), PLAYERS, 3, LITTLE)


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
