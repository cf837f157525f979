"""The neighbourhood of a card: against duels asked one by one, and planted abilities."""

import pytest

from balance.analysis.changes.neighbours.neighbours import neighbourhood
from balance.base.errors import BalanceError
from balance.engine.runner import Runner
from balance.game.loaded import load

FIELD = ["nexus+assault_rifle", "aegis+sidearm"]


def score(*changes: str, one: str = "trooper+shotgun") -> float:
    """Return the mean score against the field, from duels asked one by one."""
    chances = [load("warforged").duel(one, other, list(changes)).p_win() for other in FIELD]
    return sum(each["a"] + each["draw"] / 2 for each in chances) / len(FIELD)


def kill(*changes: str) -> float:
    asked = [load("warforged").kill("trooper+shotgun", other.split("+")[0], list(changes)) for other in FIELD]
    return sum(each.distribution.mean("actions") for each in asked) / len(FIELD)


def test_changes_are_those_of_duels_asked_one_by_one() -> None:
    found = {
        one.change.change: one for one in neighbourhood(Runner(load("warforged")), "trooper+shotgun", FIELD).neighbours
    }
    for told, change in {
        "health 5 to 6": "health=6",
        "precision 8 to 7": "precision=7",
        "with piercing": "effects=piercing",
        "with slim": "abilities=slim",
    }.items():
        assert found[told].score.value == pytest.approx(score(f"a.{change}") - score())
    assert found["precision 8 to 7"].kills == pytest.approx(kill("attacker.precision=7") - kill())
    assert found["health 5 to 6"].kills == pytest.approx(0)


@pytest.mark.slow("test_changes_are_those_of_duels_asked_one_by_one")
def test_pairs_are_what_both_do_beyond_each() -> None:
    pairs = {pair.changes: pair for pair in neighbourhood(Runner(load("warforged")), "trooper+shotgun", FIELD).pairs}
    pair = pairs["with slim", "with supershield"]
    both = score("a.abilities=slim,supershield") - score()
    assert pair.together.value == pytest.approx(both)
    assert pair.beyond.value == pytest.approx(both - sum(one.value for one in pair.alone))


@pytest.mark.slow("test_changes_are_those_of_duels_asked_one_by_one")
def test_what_a_duel_cannot_see_is_not_measurable() -> None:
    found = {
        one.change.change: one for one in neighbourhood(Runner(load("warforged")), "trooper+shotgun", FIELD).neighbours
    }
    assert not found["speed_cells 4 to 5"].has_effect
    assert found["armour 1 to 2"].has_effect


@pytest.mark.slow("test_changes_are_those_of_duels_asked_one_by_one")
def test_of_a_card_only_what_it_prints_is_changed() -> None:
    found = neighbourhood(Runner(load("warforged")), "shotgun", FIELD)
    fields = {one.change.field for one in found.neighbours}
    assert fields == {"handling", "range_cells", "precision", "damage", "effects"} - {
        change.field for change in found.refusals if change.field not in fields
    }
    assert len(found.holders) == 3
    assert all("shotgun" in name for name in found.holders)


@pytest.mark.slow("test_changes_are_those_of_duels_asked_one_by_one")
def test_the_field_hangs_on_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("balance.analysis.changes.neighbours.neighbours.FIELD", 2)
    one, same, other = (neighbourhood(Runner(load("battlelore")), "blue_foot", seed=seed) for seed in (0, 0, 1))
    assert one == same
    assert one.field != other.field


def test_a_card_that_nobody_holds_is_told() -> None:
    with pytest.raises(BalanceError, match="did you mean shotgun"):
        neighbourhood(Runner(load("warforged")), "shotgunn")


def test_a_setting_that_duels_do_not_have_is_told_with_who_has_it() -> None:
    changes = ("situation.actions=pool", "situation.xx=3", "a.precision=x")
    with pytest.raises(BalanceError) as caught:
        neighbourhood(Runner(load("warforged")), "trooper+shotgun", FIELD, changes)
    actions, unknown, precision = caught.value.faults
    assert actions.tip == "a card is asked about by duel, which has no setting situation.actions=pool; lineup has"
    assert unknown.tip == "a card is asked about by duel, which has no setting situation.xx=3"
    assert (precision.path, precision.field, precision.tip) == ("§set a", "precision", "")
