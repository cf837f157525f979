"""The best army is known in tug of war: the one with most strength. Its score is known too, by listing all it meets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.armies.best_army import ArmySearch, BestArmy, SearchSize, _distinct, _thin, best_army
from balance.analysis.armies.legal_armies import ArmyOrder
from balance.analysis.armies.random_armies import EMPTY
from balance.base.errors import BalanceError
from balance.engine.runner import Engine, Runner
from balance.game.armies.armies import Arena, AskedArena, army_text
from balance.game.armies.copies import Copies
from balance.game.loaded import LoadedGame, load
from tests.tug import GAME, write_catalogue
from tests.tug.game import TEAM, arena

BODIES = [("ant", 6, 60), ("ox", 21, 230), ("elk", 12, 130), ("hen", 3, 20)]
TOOLS = [("rope", 4, 100), ("chain", 9, 150)]
COPIES = {"ant": 2, "ox": 1, "elk": 2, "hen": 4, "rope": 2, "chain": 2}
SETTING = ArmySetting("lineup", ((60, 3),), ("rules.steep=5",))
QUICK = ArmySearch(n_random=40, n_rounds=2, n_near=40, n_new=8, n_fresh=1024)
TEAMS = [f"{body}+{tool}" for body, *_ in BODIES for tool, *_ in TOOLS]
COSTS = {f"{body}+{tool}": own + more for body, own, _ in BODIES for tool, more, _ in TOOLS}
STRENGTHS = {f"{body}+{tool}": own * more / 100 for body, _, own in BODIES for tool, _, more in TOOLS}


def few_copies(asked: AskedArena[Any, Any, Any]) -> Arena:
    cards = [[(card, COPIES[card]) for card in team.split("+")] for team in asked.members]
    return replace(arena(asked), copies=Copies.of(cards))


@pytest.fixture(scope="module")
def tug(tmp_path_factory: pytest.TempPathFactory) -> LoadedGame:
    kind = GAME.kinds["lineup"]
    assert kind.armies is not None
    game = replace(GAME, kinds={"lineup": replace(kind, armies=replace(kind.armies, field=few_copies))})
    return load(game, write_catalogue(tmp_path_factory.mktemp("tug"), BODIES, TOOLS))


def fits(army: tuple[str, ...]) -> bool:
    taken = [card for team in army for card in team.split("+")]
    return (
        len(army) <= 3 and sum(COSTS[team] for team in army) <= 60 and all(taken.count(c) <= COPIES[c] for c in taken)
    )


def drawn(army: tuple[str, ...] = (), chance: float = 1.0) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the armies that are drawn after this one, in the order in which they are, each with its chance."""
    fit = [team for team in TEAMS if fits((*army, team))]
    if not fit:
        yield army, chance
    for team in fit:
        yield from drawn((*army, team), chance / len(fit))


@cache
def truth() -> dict[str, float]:
    """Every full legal army as it is written -> its exact score against the field, the best first."""
    field = [(sum(STRENGTHS[team] for team in army) ** 5, chance) for army, chance in drawn()]
    found = {army_text(TEAMS, [TEAMS.index(team) for team in army]): army for army, _ in drawn()}
    pulls = {text: sum(STRENGTHS[team] for team in army) ** 5 for text, army in found.items()}
    scores = {text: sum(part * pull / (pull + other) for other, part in field) for text, pull in pulls.items()}
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


@pytest.fixture(scope="module", params=[12, pytest.param(60, marks=pytest.mark.slow)])
def searched(tug: LoadedGame, request: pytest.FixtureRequest) -> list[BestArmy]:
    return [best_army(Runner(tug), SETTING, seed, search=QUICK) for seed in range(request.param)]


def test_the_best_of_all_legal_armies_is_found_by_95_of_100_seeds(searched: list[BestArmy]) -> None:
    """Of 60 seeds 57 do; of 12 ten, which a search that is as good as this fails once in 50 sets of seeds."""
    best, second, *_ = truth().items()
    assert (len(truth()), best[0]) == (55, "ox+chain,elk+chain,hen+rope")
    assert 0.01 < best[1] - second[1] < 0.1, "it is neither plain nor beyond telling"
    assert sum(found.best.army == best[0] for found in searched) >= {12: 10, 60: 57}[len(searched)]


@pytest.mark.parametrize(("n", "most"), [(8, 4), pytest.param(40, 12, marks=pytest.mark.slow)])
def test_a_control_that_tries_few_random_armies_finds_it_seldom(tug: LoadedGame, n: int, most: int) -> None:
    lazy = ArmySearch(n_random=6, n_rounds=0, n_fresh=2)
    found = [best_army(Runner(tug), SETTING, seed, search=lazy) for seed in range(n)]
    assert sum(one.best.army == next(iter(truth())) for one in found) <= most


def test_the_score_that_is_reported_is_that_of_new_battles_and_holds_the_truth(searched: list[BestArmy]) -> None:
    rows = [row for found in searched for row in (found.best, *found.runners_up)]
    assert len(rows) == 5 * len(searched)
    held = [row.score.low <= truth()[row.army] <= row.score.high for row in rows]
    assert np.mean(held) == pytest.approx(0.95, abs=4 * (0.05 * 0.95 / len(held)) ** 0.5)
    off = np.array([(row.score.value - truth()[row.army]) * 1024**0.5 / 0.5 for row in rows])
    assert abs(off.mean()) < 4 / len(off) ** 0.5, "no luck of the choice is in it"
    assert {row.score.battles for row in rows} == {1024}


def test_armies_are_told_with_what_they_cost_the_best_first(searched: list[BestArmy]) -> None:
    found = searched[0]
    assert found.setting == ArmyOrder("lineup", 60, 3, ("rules.steep=5",), {})
    assert (found.seed, found.against) == (0, None)
    rows = [found.best, *found.runners_up]
    for row in rows:
        assert row.army in truth()
        units = [
            team for part in row.army.split(",") for team in [part.split(":")[0]] * int((part + ":1").split(":")[1])
        ]
        assert (row.cost_points, row.units) == (sum(COSTS[team] for team in units), len(units))
    assert [row.promised for row in rows] == sorted((row.promised for row in rows), reverse=True)
    assert len({row.army for row in rows}) == 5
    assert found.search.armies <= len(truth())


@pytest.mark.parametrize("n", [6, pytest.param(30, marks=pytest.mark.slow)])
def test_what_promised_most_among_equals_was_luck(tmp_path: Path, n: int) -> None:
    """Ten teams alike but for their names: every army scores one half, and whoever is chosen has been lucky."""
    alike = load(GAME, write_catalogue(tmp_path, [(f"ant_{n}", 6, 60) for n in range(10)], [("rope", 4, 100)]))
    where = ArmySetting("lineup", ((30, 3),))
    found = [best_army(Runner(alike), where, seed, search=QUICK).best for seed in range(n)]
    error = 0.5 / (n * 1024) ** 0.5
    assert abs(np.mean([one.score.value for one in found]) - 0.5) < 4 * error
    assert np.mean([one.promised for one in found]) > 0.505


def test_against_a_given_army_whoever_pulls_hardest_wins_most(tug: LoadedGame) -> None:
    """One side pulls with half its strength: the score is the mean of going first and second."""
    lazily = replace(SETTING, choices=(("pull_a", "lazily"),))
    found = best_army(Runner(tug), lazily, 1, "ox+chain:2", QUICK)
    own, other = 345 + 195 + 20, 2 * 345
    chances = [(part * own) ** 5 / ((part * own) ** 5 + (whole * other) ** 5) for part, whole in ((0.5, 1), (1, 0.5))]
    assert found.best.army == next(iter(truth()))
    assert found.against == "ox+chain:2"
    assert found.best.score.value == pytest.approx(np.mean(chances), abs=0.05)
    assert found.best.score.low < np.mean(chances) < found.best.score.high


def test_whom_only_the_opponent_has_cannot_be_bought(tmp_path: Path) -> None:
    kind = GAME.kinds["lineup"]
    assert kind.armies is not None
    member = replace(kind.armies.member, ids=lambda catalogue: ["ant+rope", "ant+chain"])
    game = replace(GAME, kinds={"lineup": replace(kind, armies=replace(kind.armies, member=member))})
    listed = load(game, write_catalogue(tmp_path, BODIES, TOOLS))
    found = best_army(Runner(listed), ArmySetting("lineup", ((20, 2),)), 0, "ox+chain", replace(QUICK, n_fresh=16_384))
    assert TEAM.name == "team"
    assert (found.best.army, found.search.armies) == ("ant+rope:2", 2)
    assert found.best.score.value == pytest.approx(120**2 / (120**2 + 345**2), abs=0.016)


def test_how_far_it_is_is_told_by_round(tug: LoadedGame) -> None:
    told: list[str] = []
    found = best_army(Runner(tug, Engine(progress=lambda stage: told.append(stage.work))), SETTING, 0, search=QUICK)
    rounds = ["round 0", "round 1", "round 2", "the best of all", "new battles"]
    assert list(dict.fromkeys(told)) == [f"best army, {name}" for name in rounds]
    assert found.search == SearchSize(48, 48_416)


def test_the_numbers_do_not_hang_on_who_works_them_out(tmp_path: Path) -> None:
    loaded = load(GAME, write_catalogue(tmp_path, BODIES, TOOLS))
    alone = best_army(Runner(loaded), SETTING, 3, search=QUICK)
    with Runner(loaded, Engine("threads", 2)) as runner:
        together = best_army(runner, SETTING, 3, search=QUICK)
    assert alone == together
    assert alone != best_army(Runner(loaded), SETTING, 4, search=QUICK)


@pytest.mark.parametrize(
    ("budget", "limit", "against", "said"),
    [
        (6, 3, "", "'6' points buy nobody; allowed: at least 7, for hen+rope"),
        (60, 0, "", "'0' is no unit limit of an army; allowed: 1 to 64"),
        (
            *(60, 3, "cat+rope,ox+rope,hen+robe"),
            "against, cat+rope: 'cat' is not in bodies; allowed: ant, ox, elk, hen; did you mean ant?\n"
            "against, hen+robe: 'robe' is not in tools; allowed: rope, chain; did you mean rope?",
        ),
        (
            60,
            3,
            "ox+rope:0",
            "against, ox+rope: '0' is no number of units; allowed: 1 to 64; leave out whom the army does not have",
        ),
    ],
)
def test_what_cannot_be_searched_is_refused(tug: LoadedGame, budget: int, limit: int, against: str, said: str) -> None:
    with pytest.raises(BalanceError) as error:
        best_army(Runner(tug), ArmySetting("lineup", ((budget, limit),)), 0, against, QUICK)
    assert str(error.value) == said


def test_armies_are_the_same_in_any_order() -> None:
    armies = np.array([[2, EMPTY, 0], [0, 2, EMPTY], [1, 1, 0], [EMPTY, EMPTY, 5]], np.int16)
    found = _distinct(armies)
    assert found.tolist() == [[0, 1, 1], [0, 2, EMPTY], [5, EMPTY, EMPTY]]
    assert found.dtype == np.int16


def test_one_or_two_units_leave_each_as_often() -> None:
    rows = np.tile(np.array([4, 5, 6, EMPTY], np.int16), (6000, 1))
    found = _thin(rows, np.random.default_rng(1))
    gone = (rows != EMPTY) & (found == EMPTY)
    assert np.bincount(gone.sum(axis=1)).tolist()[:1] == [0]
    assert np.bincount(gone.sum(axis=1))[1:] == pytest.approx([3000, 3000], abs=4 * 1500**0.5)
    assert gone.sum(axis=0)[:3] == pytest.approx([3000] * 3, abs=4 * 1500**0.5)
    assert (found[:, 3] == EMPTY).all()
