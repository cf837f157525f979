"""Questions whose chains are solved together, against each of them alone."""

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from balance.base.errors import BalanceError
from balance.engine import alike
from balance.engine.query import Query
from balance.game.loaded import LoadedGame, load
from balance.game.question.question import Question

TEMPLATE = Path(alike.__file__).parents[1] / "rulebook/templates/hit-wound-save.toml"
SETTINGS = (
    (),
    ("situation.distance_cells=7",),
    ("situation.distance_cells=1", "situation.actions=3"),
    ("situation.round_limit=3", "situation.light_cover=true"),
    ("rules.emp=cumulative", "rules.laser_self=true"),
)


def drawn_queries(game: LoadedGame, kind: str, n: int, changes: tuple[str, ...] = ()) -> list[Query]:
    """Return queries about random pairs, drawn by a fixed seed."""
    draw, (firsts, seconds) = np.random.default_rng(7), (list(game.ids(taken)) for taken in game.kind(kind).takes)
    return [Query(kind, str(draw.choice(firsts)), str(draw.choice(seconds)), changes) for _ in range(n)]


def askable(game: LoadedGame, queries: Iterable[Query]) -> list[Query]:
    """Return the queries that the rules allow."""

    def is_legal(query: Query) -> bool:
        try:
            return bool(query.to(game))
        except BalanceError:
            return False

    return [query for query in queries if is_legal(query)]


def assert_as_alone(game: LoadedGame, queries: Sequence[Query], n_together: int) -> None:
    """Assert that questions solved together are answered as each alone, and that at least so many were together."""
    questions, solved = [query.to(game) for query in queries], list[Question]()
    alike.join(questions)
    for question in questions:
        if "_distribution" in question.__dict__:
            solved.append(question)
        assert question.distribution == question.again().distribution
    assert len(solved) >= n_together


@pytest.mark.parametrize("kind", ["kill", "duel"])
@pytest.mark.parametrize("game", [pytest.param("warforged", id="warforged"), pytest.param(str(TEMPLATE), id="file")])
def test_questions_solved_together_are_answered_as_each_alone(game: str, kind: str) -> None:
    loaded = load(game)
    assert_as_alone(loaded, askable(loaded, drawn_queries(loaded, kind, 24)), 2)


@pytest.mark.parametrize("changes", SETTINGS, ids=",".join)
def test_settings_of_a_duel_change_nothing_about_that(changes: tuple[str, ...]) -> None:
    game = load("warforged")
    pairs = [("colossus+assault_rifle", "colossus+emp_projector"), ("vanguard+sidearm", "aegis+laser_carbine")]
    healths = [(*changes, f"a.health={n}", f"b.health={n + 1}") for n in (2, 3, 5)]
    assert_as_alone(game, [Query("duel", *pair, each) for pair, each in product(pairs, healths)], 4)


def test_a_question_that_has_no_answer_leaves_the_others_theirs() -> None:
    game = load(str(TEMPLATE))
    queries = [Query("duel", "raiders", foe, (f"a.size={size}",)) for foe in ("guard", "brute") for size in (0, 1, 2)]
    questions = [query.to(game) for query in queries]
    alike.join(questions)
    for question in questions:
        if "a.size=0" in question.changes:
            with pytest.raises(BalanceError, match="cannot be divided"):
                _ = question.distribution
        else:
            assert question.distribution == question.again().distribution


def test_chains_too_large_to_be_solved_together_are_solved_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "SHARE", 1e-6)
    game = load(str(TEMPLATE))
    assert_as_alone(game, drawn_queries(game, "duel", 5), 0)


def test_a_chain_that_goes_on_for_long_ends_as_alone() -> None:
    game = load(str(TEMPLATE))
    queries = [Query("kill", "raiders", "guard", (f"attacker.wounds={n}", "defender.save=2")) for n in (1, 2, 10)]
    questions = [query.to(game) for query in queries]
    assert max(question.distribution["attacks"].max() for question in questions) > 128
    assert_as_alone(game, queries, 2)
