"""What decides a duel in a field: against an analysis of variance worked out by hand, and of fields whose shares are
known."""

from itertools import product

import numpy as np
import pytest

from balance.analysis.luck.field import PARTS, FieldLuck, luck_of_field
from balance.analysis.scores.scores import first_mover_advantage
from balance.analysis.scores.shape import mean_advantage
from balance.base.errors import BalanceError, UsageError
from balance.engine.runner import Runner
from balance.game.game import QuestionKind
from balance.game.loaded import load


def parts(found: FieldLuck) -> dict[str, float]:
    """Return the shares of the parts that apply."""
    return {part: share.value for part, share in found.shares.items() if share is not None}


THREE = ["trooper+sidearm", "nexus+shotgun", "aegis+laser_carbine"]


def test_shares_add_up_and_are_those_of_all_duels_one_by_one() -> None:
    """The whole variance from every duel by itself; the seat and the entrants from plain means of scores."""
    loaded = load("warforged")
    found = luck_of_field(Runner(loaded), "duel", THREE)
    scores, within = {}, []
    for one, other, first in product(THREE, THREE, "ab"):
        chances = loaded.duel(one, other, first=first).p_win()
        scores[one, other, first] = mean = chances["a"] + chances["draw"] / 2
        within.append(chances["a"] + chances["draw"] / 4 - mean**2)
    whole = np.var(list(scores.values())) + np.mean(within)
    by_seat = [np.mean([score for key, score in scores.items() if key[2] == first]) for first in "ab"]
    by_one = [np.mean([score for key, score in scores.items() if key[0] == name]) for name in THREE]
    assert sum(parts(found).values()) == pytest.approx(1)
    assert parts(found)["chance"] == pytest.approx(np.mean(within) / whole)
    assert parts(found)["seat"] == pytest.approx(np.var(by_seat) / whole)
    assert parts(found)["entrants"] == pytest.approx(2 * np.var(by_one) / whole)  # of both sides, which are alike
    assert (found.n_cells, found.n_trials) == (18, 0)


@pytest.mark.parametrize("name", ["battlelore", "warforged"])
def test_going_first_is_worth_what_the_duels_say_it_is(name: str) -> None:
    """One definition: over all two that differ, as a report has it; with everybody against itself it is another."""
    runner = Runner(load(name))
    some = list(runner.game.entrants[:4])
    found, moves = luck_of_field(runner, "duel", some), first_mover_advantage(runner, some)
    assert found.first_mover == pytest.approx(mean_advantage(moves)["mean"])
    assert found.first_mover != pytest.approx(np.mean(moves["advantage"].to_list()), abs=0.001)


def test_order_and_repeats_of_the_names_change_nothing() -> None:
    loaded = load("warforged")
    one, other = (luck_of_field(Runner(loaded), "duel", names) for names in (THREE, [*reversed(THREE), THREE[0]]))
    assert parts(one) == pytest.approx(parts(other))


def test_a_field_of_equals_is_all_chance_and_seat() -> None:
    """Two ids of one card: nothing hangs on whom one takes."""
    loaded = load("battlelore")
    twins = luck_of_field(Runner(loaded), "duel", ["blue_foot+short_sword", "blue_foot"])
    assert parts(twins)["entrants"] == pytest.approx(0, abs=1e-12)
    assert parts(twins)["match-up"] == pytest.approx(0, abs=1e-12)
    assert parts(twins)["seat"] + parts(twins)["chance"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("n_ways", "least"), [(2, 0.001), pytest.param(None, 0.01, marks=pytest.mark.slow)], ids=["2", "all"]
)
def test_play_is_a_part_where_sides_choose(n_ways: int | None, least: float, monkeypatch: pytest.MonkeyPatch) -> None:
    few = {side: ways[:n_ways] for side, ways in load("edadh").definition.kinds["duel"].habits.items()}
    monkeypatch.setattr(QuestionKind, "habits", few)
    found = luck_of_field(Runner(load("edadh")), "duel", ["spears", "shieldsmen"], play=True)
    assert parts(found)["play"] > least
    assert set(found.ways[0]) == set(few["policy_a"])
    assert luck_of_field(Runner(load("edadh")), "duel", ["spears", "shieldsmen"]).shares["play"] is None


def test_heroes_meet_enemies_only() -> None:
    names = ["ecarus", "thorgar", "red_bandit", "green_gremlin"]
    found = luck_of_field(Runner(load("immortal_souls")), "duel", names)
    assert found.entrants == (("ecarus", "thorgar"), ("green_gremlin", "red_bandit"))
    assert found.first_mover is None
    assert set(found.shares) == set(PARTS)


def test_a_large_field_is_drawn_by_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.analysis.luck.field.MOST_DRAWN", 3)
    loaded = load("battlelore")
    one, same, other = (luck_of_field(Runner(loaded), "duel", seed=seed).entrants for seed in (0, 0, 1))
    assert len(one[0]) == 3
    assert one == same != other


@pytest.mark.parametrize(
    "game, kind, names, message",
    [
        ("warforged", "attack", [], "nobody wins in attack"),
        ("warforged", "dull", [], "has no 'dull'"),
        ("warforged", "duel", ["nexus+shotgun"], "two entrants or more"),
        ("immortal_souls", "duel", ["ecarus", "sauron"], "'sauron' is not in the field"),
    ],
)
def test_what_makes_no_sense_is_refused(game: str, kind: str, names: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        luck_of_field(Runner(load(game)), kind, names)


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(BalanceError, match="did you mean"):
        luck_of_field(Runner(load("warforged")), "duel", ["nexus+shotgun", "nexsus+shotgun"])


def test_too_many_duels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.analysis.luck.field.MOST_CELLS", 10)
    with pytest.raises(UsageError, match="18 duels"):
        luck_of_field(Runner(load("warforged")), "duel", THREE)
