"""Shares of luck: exact against nested simulation over many questions of all games, and what must hold of each."""

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.stats import chi2

from balance.analysis.luck import question as luck_module
from balance.analysis.luck.question import SEAT, Luck, luck, result_of
from balance.base.errors import DistributionError, UsageError
from balance.base.progress import Progressing
from balance.chance.exact.course import run_through
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.rolls.streams import stream
from balance.chance.trials.nested import Groups, play_groups
from balance.game.loaded import load
from balance.game.question.question import Question

KINDS = [
    ("warforged", "attack"),
    ("warforged", "kill"),
    ("warforged", "duel"),
    ("battlelore", "attack"),
    ("battlelore", "combat"),
    ("battlelore", "duel"),
    ("immortal_souls", "attack"),
    ("runewars", "attack"),
]
SMALL_DUELS = [("ecarus", "red_bandit"), ("thorgar", "red_bandit"), ("thorgar", "green_gremlin")]
"""Duels of Immortal Souls that are small enough to be listed; most are simulated."""


RARE = 0.005
"""Variance below which results that differ are so rare that groups of games tell too little of their error."""


def some_questions(game: str, kind: str, n: int) -> Iterator[Question]:
    """Return questions about entrants drawn by a seed."""
    loaded = load(game)
    takes = loaded.definition.kinds[kind].takes
    draw = stream(14, "luck questions", 0, f"{game} {kind}")
    for _ in range(n):
        one, other = (str(draw.choice(loaded.ids(entrants))) for entrants in takes)
        yield loaded.ask(kind, one, other)


def z_values(question: Question, n_groups: int, n_games: int, at_once: bool) -> list[float]:
    """Return by how many standard errors nested simulation differs from the exact shares, for each process and name.

    One set of games serves all names at once, or each has games of its own.
    """
    value = result_of(question.kind)[1]
    found = list[float]()
    for place, process in enumerate(question.kind.processes(question.setup, "literal")):
        course = run_through(process, value)
        if course.variance < RARE:
            continue
        played = dict[str, Groups]()
        for names in [course.names] if at_once else [(name,) for name in course.names]:
            rolls = RandomRolls(5, f"{question.task_id}/{place}/{names}", 0, n_groups)
            played |= play_groups(process, value, names, rolls, n_games)
        for name, groups in played.items():
            exact = course.shared_by(name) / course.variance
            if groups.error == 0:
                assert abs(groups.share - exact) < 0.02
            else:
                found.append((groups.share - exact) / groups.error)
    return found


def agree(z: list[float]) -> None:
    """Check that differences are those of chance.

    Shares of few groups are skewed, so what is asked is that hardly any lies beyond 3 standard errors (1 in 50, where
    chance alone gives 1 in 370), none beyond 6, and that together they are no larger than chance has them (1 in 1,000).
    """
    found = np.array(z)
    assert (np.abs(found) > 3).mean() <= 0.02, np.sort(np.abs(found))[-10:]
    assert np.abs(found).max() < 6
    assert np.median(found**2) < chi2.ppf(0.5, 1) * 1.6


@pytest.mark.parametrize(
    ("left_out", "n", "groups", "least"),
    [({("warforged", "duel")}, 1, (100, 20), 10), pytest.param(set(), 2, (400, 40), 31, marks=pytest.mark.slow)],
    ids=["1", "2"],
)
def test_exact_shares_are_those_of_nested_simulation(
    left_out: set[tuple[str, str]], n: int, groups: tuple[int, int], least: int
) -> None:
    asked = [one for game, kind in KINDS if (game, kind) not in left_out for one in some_questions(game, kind, n)]
    z = [one for question in asked for one in z_values(question, *groups, at_once=True)]
    assert len(z) >= least
    agree(z)


@pytest.mark.slow("test_exact_shares_are_those_of_nested_simulation")
def test_exact_shares_are_those_of_nested_simulation_on_a_hundred_questions() -> None:
    """200 groups of 1,000 games for each source, as in the paper."""
    asked = [one for game, kind in KINDS for one in some_questions(game, kind, 13)]
    asked += [load("immortal_souls").ask("duel", *pair) for pair in SMALL_DUELS]
    assert len(asked) > 100
    agree([z for question in asked for z in z_values(question, 200, 1000, at_once=False)])


def test_the_comparison_notices_a_share_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: were other dice shared than those that are told, the differences would be far beyond chance."""
    asked = load("warforged").duel("vanguard+shotgun", "aegis+laser_carbine", first="a")
    value = result_of(asked.kind)[1]
    (process,) = asked.kind.processes(asked.setup, "literal")
    course = run_through(process, value)
    groups = play_groups(process, value, ["b precision"], RandomRolls(5, "wrong", 0, 400), 40)["b precision"]
    assert abs(groups.share - course.shared_by("a precision") / course.variance) > 3 * groups.error


@pytest.mark.parametrize("game, kind", KINDS)
def test_shares_add_up_to_one(game: str, kind: str) -> None:
    for asked in some_questions(game, kind, 3):
        found = luck(asked, n_groups=64, n_games=8)
        if found.sd == 0:
            assert all(source.alone.value == 0 for source in found.sources)
            continue
        assert sum(source.alone.value for source in found.sources) + found.together.value == pytest.approx(1)
        assert sum(source.when_rolled or 0.0 for source in found.sources) == pytest.approx(1)
        assert all(-1e-12 <= source.alone.value <= 1 for source in found.sources if source.alone.is_exact)


@pytest.mark.slow("test_the_comparison_notices_a_share_that_is_wrong")
def test_mean_and_spread_are_those_of_the_answer() -> None:
    asked = load("warforged").duel("vanguard+shotgun", "aegis+laser_carbine", first="random")
    chances, found = asked.p_win(), luck(asked)
    assert found.mean.value == pytest.approx(chances["a"] + chances["draw"] / 2)
    assert found.sd**2 == pytest.approx(chances["a"] + chances["draw"] / 4 - found.mean.value**2)
    assert found.swing == pytest.approx(found.sd / found.mean.value)


def test_the_seat_is_a_source_where_either_may_go_first() -> None:
    pair = ("trooper+shotgun", "trooper+shotgun")
    either = luck(load("warforged").duel(*pair, first="random"))
    seat = either.sources[0]
    first = load("warforged").duel(*pair, first="a").p_win()["a"]
    assert seat.name == SEAT
    assert seat.alone.value == pytest.approx((first - 0.5) ** 2 / 0.25, abs=1e-9)
    assert SEAT not in [source.name for source in luck(load("warforged").duel(*pair, first="a")).sources]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("trooper+shotgun", "nexus+shotgun"),
        pytest.param("vanguard+shotgun", "aegis+laser_carbine", marks=pytest.mark.slow),
    ],
)
def test_swapping_the_sides_swaps_the_sources(a: str, b: str) -> None:
    loaded = load("warforged")
    one = luck(loaded.duel(a, b, first="random"))
    other = luck(loaded.duel(b, a, first="random"))
    swapped = {"a": "b", "b": "a", "seat": "seat"}
    told = {name.replace(name.split()[0], swapped[name.split()[0]], 1): x for name, x in shares(one).items()}
    assert told == pytest.approx(shares(other))


def shares(found: Luck) -> dict[str, float]:
    return {source.name: source.alone.value for source in found.sources}


@pytest.mark.slow("test_a_share_too_large_to_follow_is_simulated_alone")
def test_what_cannot_be_listed_is_simulated_and_says_why() -> None:
    asked = load("edadh").ask("duel", "spears", "shieldsmen")
    found = luck(asked, n_groups=64, n_games=8)
    assert "no exact" in (found.why_simulated or "")
    assert found.n_games == 64 * 8 * 2  # once for the mean, and once for all sources
    assert all(source.when_rolled is None for source in found.sources)
    assert found == luck(asked, n_groups=64, n_games=8)
    assert found.mean != luck(asked, n_groups=64, n_games=8, seed=1).mean


@pytest.mark.parametrize(
    ("a", "b", "n_groups", "near"),
    [
        ("trooper+shotgun", "nexus+shotgun", 512, 0.05),
        pytest.param("vanguard+shotgun", "aegis+laser_carbine", 2048, 0.01, marks=pytest.mark.slow),
    ],
    ids=["512", "2048"],
)
def test_simulated_shares_hold_the_exact_ones(
    a: str, b: str, n_groups: int, near: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A duel that has an exact answer, simulated as if it had none: 8 shares within 4 standard errors (1 in 2,000)."""
    asked = load("warforged").duel(a, b, first="random")
    exact = luck(asked)

    def refuse(*_: object) -> None:
        raise DistributionError("too large")

    monkeypatch.setattr(luck_module, "run_through", refuse)
    found = luck(asked, n_groups=n_groups)
    assert found.why_simulated == "too large"
    for one, other in zip(exact.sources, found.sources, strict=True):
        assert abs(one.alone.value - other.alone.value) < 4 * (other.alone.error or 0.0) + 1e-9, one.name
    assert abs(found.mean.value - exact.mean.value) < 4 * (found.mean.error or 0.0)
    assert found.sd == pytest.approx(exact.sd, rel=near)


def test_a_share_too_large_to_follow_is_simulated_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.chance.exact.course.LARGEST_SHARED", 10)
    found = luck(load("warforged").duel("trooper+shotgun", "nexus+shotgun", first="a"), n_groups=64, n_games=8)
    assert "too many" in (found.why_simulated or "")
    assert found.mean.is_exact
    assert not any(source.alone.is_exact for source in found.sources)


def test_too_few_groups_are_refused() -> None:
    with pytest.raises(UsageError, match="2 groups of 2 games"):
        luck(load("edadh").ask("duel", "spears", "shieldsmen"), n_groups=1)


@pytest.mark.parametrize(
    "changes", [("situation.rounds=2",), pytest.param((), marks=pytest.mark.slow)], ids=["2 rounds", "all"]
)
def test_how_far_the_games_have_come_is_told_and_changes_nothing(changes: tuple[str, ...]) -> None:
    loaded, told = load("warforged"), list[Progressing]()
    battle = loaded.ask("battle", "nexus+shotgun", "trooper+shotgun", changes, first="random")
    found = luck(battle, n_groups=4, n_games=8, progress=told.append)
    assert found == luck(battle, n_groups=4, n_games=8)
    games = [one.n_done for one in told if one.work == "games on shared dice"]
    assert (games[-1], len(games), told[0].total) == (found.n_games, 2 * 2, found.n_games)
    assert games == sorted(games)
    last = {one.work: (one.n_done, one.total) for one in told}
    assert [what for what in last if what.startswith("rounds")] == [
        "rounds played on, turn order 1",
        "rounds played on, turn order 2",
    ]
    assert all(done == total for done, total in last.values())
