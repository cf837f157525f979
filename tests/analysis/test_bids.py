"""What going first is worth: against bids asked by hand, planted edges, and games in which it is worth nothing."""

from __future__ import annotations

import pytest

from balance.analysis.changes.handicaps.bids import field_bid, pair_bid
from balance.analysis.changes.handicaps.moves import why_no_lost_action
from balance.analysis.changes.handicaps.remedies import first_move_remedies, remedies
from balance.base.errors import UsageError
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.engine.runner import Runner
from balance.game.loaded import load

PAIR = Query("duel", "nexus+assault_rifle", "trooper+shotgun")
FOOT = ("blue_foot", "red_foot")


def first_scores(game: str, one: str, other: str, first_has: str, changes: tuple[str, ...] = ()) -> float:
    """Return what going first scores over both seats, asked by hand; `first_has` names the first side as {me}."""
    scores = []
    for me, foe in (("a", "b"), ("b", "a")):
        asked = (*changes, first_has.format(me=me, foe=foe)) if first_has else changes
        chances = load(game).ask("duel", one, other, asked, me).p_win()
        scores.append(chances[me] + chances["draw"] / 2)
    return sum(scores) / 2


def test_a_price_is_where_bids_asked_by_hand_come_to_one_half() -> None:
    found = pair_bid(Runner(load("warforged")), Query("duel", "trooper+shotgun", "trooper+shotgun"), "b.health")
    none, one = (first_scores("warforged", "trooper+shotgun", "trooper+shotgun", has) for has in ("", "{foe}.health=6"))
    assert [offer.score.value for offer in found.offers] == pytest.approx([none, one], abs=1e-12)
    assert all(offer.score.is_exact for offer in found.offers)
    assert found.price is not None
    assert found.worth == found.price.value == pytest.approx((none - 0.5) / (none - one), abs=1e-12)


@pytest.mark.parametrize("who", ["trooper+shotgun", "aegis+emp_projector", "trooper+smg_pistol"])
def test_going_first_is_worth_half_an_action_where_sides_take_turns(who: str) -> None:
    """Who loses the first action goes second, and half the time each is neither: the truth whatever the cards say."""
    found = pair_bid(Runner(load("warforged")), Query("duel", who, who), "lost_actions")
    assert found.price is not None
    assert found.price.value == pytest.approx(0.5, abs=1e-12)
    assert found.fresh is not None
    assert abs(found.fresh.value - 0.5) < 4.5 * (found.fresh.error or 0.0)


def test_half_an_action_in_another_game_and_over_a_field() -> None:
    found = field_bid(Runner(load("battlelore")), "duel", "lost_actions", FOOT)
    assert found.price is not None
    assert found.price.value == pytest.approx(0.5, abs=1e-12)
    swapped = field_bid(Runner(load("battlelore")), "duel", "lost_actions", FOOT[::-1])
    assert swapped.price is not None
    assert swapped.price.value == pytest.approx(found.price.value, abs=1e-12)


def test_swapping_the_sides_changes_nothing() -> None:
    one = pair_bid(Runner(load("warforged")), PAIR, "health")
    two = pair_bid(Runner(load("warforged")), Query("duel", PAIR.side_b, PAIR.side_a), "health")
    assert one.price is not None and two.price is not None
    assert one.price.value == pytest.approx(two.price.value, abs=1e-9)
    assert [offer.steps for offer in one.offers] == [offer.steps for offer in two.offers]
    assert one.price.value == pytest.approx(-2.227, abs=5e-4)
    assert one.worth == -one.price.value


def test_the_order_of_a_field_changes_nothing() -> None:
    one, two = (field_bid(Runner(load("battlelore")), "duel", "dice", names) for names in (FOOT, FOOT[::-1]))
    assert one.price is not None and two.price is not None
    assert one.price.value == pytest.approx(two.price.value, abs=1e-12)
    assert -2 < one.price.value < -1


@pytest.mark.parametrize(("who", "least"), [("spearmen", 1), pytest.param("spearmen+3x2", 2, marks=pytest.mark.slow)])
def test_a_fair_game_has_nothing_to_bid(who: str, least: int) -> None:
    """Both strike at once, so that going first is nothing; and nothing but that was changed."""
    at_once = ("situation.simultaneous=true",)
    found = pair_bid(Runner(load("runewars")), Query("duel", who, who, at_once), "wounds_suffered")
    assert found.price == Estimate.exact(0.0)
    assert found.worth == 0
    control = pair_bid(Runner(load("runewars")), Query("duel", who, who), "wounds_suffered")
    assert control.worth is not None and control.worth > least


def test_a_planted_burden_is_a_bid_below_nothing() -> None:
    """Whoever goes first loses three actions, which is worth two and a half to be rid of."""
    lost = ("a.lost_actions=3", "b.lost_actions=3")
    even = pair_bid(
        Runner(load("warforged")), Query("duel", "trooper+shotgun", "trooper+shotgun", lost), "lost_actions"
    )
    assert even.price is not None and even.price.value == pytest.approx(0.5, abs=1e-12)
    burdened = load("warforged").ask("duel", "trooper+shotgun", "trooper+shotgun", ("a.lost_actions=3",), "a")
    assert burdened.p_win()["a"] < 0.1


def test_what_changes_nothing_is_not_measurable_and_what_cannot_be_paid_has_no_price() -> None:
    unseen = pair_bid(Runner(load("warforged")), PAIR, "speed_cells")
    assert (unseen.price, unseen.worth, unseen.measurable) == (None, None, False)
    poor = pair_bid(Runner(load("warforged")), Query("duel", "trooper+shotgun", "trooper+shotgun"), "health")
    assert (poor.price, poor.measurable) == (None, True)
    assert [one.steps for one in poor.offers] == [0, -1, -2, -3, -4]
    assert poor.nearest.steps == -1


def test_fresh_dice_agree_with_what_is_exact() -> None:
    """Two prices within 4.5 standard errors."""
    for field in ("precision", "b.armour"):
        found = pair_bid(Runner(load("warforged")), PAIR, field, seed=2)
        assert found.price is not None and found.fresh is not None
        assert abs(found.fresh.value - found.price.value) < 4.5 * (found.fresh.error or 0.0)


@pytest.mark.parametrize(
    ("game", "kind", "field", "message"),
    [
        ("warforged", "duel", "helth", "did you mean health"),
        ("warforged", "duel", "cost_points", "no number that can be bid"),
        ("warforged", "attack", "health", "nobody wins in attack"),
        ("immortal_souls", "duel", "health", "no first side to bid for"),
        ("edadh", "duel", "lost_actions", "no first side to bid for"),
    ],
)
def test_what_makes_no_sense_is_refused(game: str, kind: str, field: str, message: str) -> None:
    loaded = load(game)
    with pytest.raises(UsageError, match=message):
        field_bid(Runner(loaded), kind, field, loaded.ids(loaded.kind(kind).takes[0])[:1] or ["trooper+shotgun"])


def test_a_lost_first_action_is_among_the_remedies_even_where_it_goes_too_far() -> None:
    query = Query("duel", "trooper+shotgun", "trooper+shotgun", first="a")
    found = {one.change: one for one in remedies(Runner(load("warforged")), query, ["lost_actions"]).remedies}
    assert set(found) == {"a.lost_actions=1"}
    one = found["a.lost_actions=1"]
    assert not one.even
    assert one.score.value == pytest.approx(1 - remedies(Runner(load("warforged")), query, ["health"]).score.value)


def test_a_planted_lost_action_is_mended_by_one_of_the_other_side() -> None:
    query = Query("duel", "trooper+shotgun", "trooper+shotgun", ("a.lost_actions=2",), "random")
    found = remedies(Runner(load("warforged")), query, ["lost_actions"], (0.49, 0.51))
    assert {(one.change, one.even) for one in found.remedies} == {
        ("a.lost_actions=0", True),
        ("b.lost_actions=2", True),
    }


def test_the_first_move_may_be_mended_by_a_lost_action() -> None:
    """Between four mirrored pairs, in a band wide enough for what an action is worth."""
    units = ["spearmen+3x2", "reanimates+3x2"]
    found = first_move_remedies(Runner(load("runewars")), "duel", units, ["lost_actions"], (0.4, 0.6))
    assert found.score.low > 0.6 or found.is_even
    exact = {one.change: one.score.value for one in found.remedies}
    assert set(exact) == {"a.lost_actions +1"}
    rows = [
        load("runewars").ask("duel", one, other, ("a.lost_actions=1",), "a").p_win() for one in units for other in units
    ]
    assert exact["a.lost_actions +1"] == pytest.approx(sum(row["a"] + row["draw"] / 2 for row in rows) / 4)


def test_where_nobody_can_lose_an_action_it_is_said_why() -> None:
    found = remedies(Runner(load("edadh")), Query("duel", "spears", "shieldsmen"), ["damage"])
    assert found.no_lost_action == "in duel no side goes before the other by choice"
    assert remedies(Runner(load("warforged")), Query("duel", *FOES, first="random"), ["health"]).no_lost_action is None
    with pytest.raises(UsageError, match="not applicable here"):
        remedies(Runner(load("edadh")), Query("duel", "spears", "shieldsmen"), ["a.lost_actions"])


def test_going_first_with_several_units_is_worth_about_half_a_turn() -> None:
    """Losing the whole turn of two actions turns the score over; the price is that at which it crosses one half."""
    army = "trooper+shotgun:2"
    found = pair_bid(Runner(load("warforged")), Query("lineup", army, army), "lost_actions")
    assert found.price is not None and [one.steps for one in found.offers] == [0, 1, 2]
    assert found.offers[0].score.value == pytest.approx(1 - found.offers[2].score.value, abs=1e-12)
    assert 0.9 < found.price.value < 1.2


def test_every_fight_in_turns_has_a_lost_action() -> None:
    """Only where both sides act at once there is none, in adventures, which say who begins, and in quests."""
    for game in ("warforged", "battlelore", "runewars", "immortal_souls", "edadh"):
        kinds = load(game).definition.kinds.values()
        fights = [kind for kind in kinds if "winner" in kind.columns and kind.pairs is None and kind.name != "quest"]
        assert fights
        assert {why_no_lost_action(kind) == "" for kind in fights} == {game != "edadh"}


FOES = ("trooper+shotgun", "trooper+shotgun")
