"""What a game declares: which column is for what, which question is about what, and whose each entrant is."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from balance.game.authoring.template.game import GAME as SKIRMISHERS
from balance.game.game import Column, Game, QuestionKind, Role
from balance.game.loaded import load
from balance.game.registry import find_game
from balance.game.setup import EntrantKind
from tests.toy.game import GAME as SKIRMISH

WARFORGED, BATTLELORE, EDADH = map(find_game, ("warforged", "battlelore", "edadh"))


# What each kind of question says: its subject, the columns for it, who goes first in a mirrored pair, whether it is
# unbounded, simulated or told beside another, and who decides what, the default first.
DRAWN = {"winner": {0: "draw", 1: "a", 2: "b"}}
PREFERENCES = ("nearest", "leader", "weakest")
PLACES = {0: "nobody", 1: "first", 2: "second", 3: "third", 4: "fourth"}
RESULTS = [("a", 1), ("b", 2), ("draw", 0)]
LOSSES = {0: "did not lose", 1: "damage above MP", 2: "rout", 3: "no MP left", 4: "no cards left"}
FLAGS = ("most", "0", "1", "2", "3")
POWERS = ("chalice", "store", "web", "poison", "poison_or_web", "web_or_poison")
DUEL_POWERS = (POWERS[-1], *POWERS[:-1])
BACK = ("yes", "no")
AIMS = ("opposite", "focus", "spread")
LIKES = ("focus", "least_overkill", "spread")
SCRIPTS = ("greedy", "focus", "kite", "hold", "kite_hold")
PLAYERS = (*SCRIPTS, "random", "lookahead", "rollout")
PLANS = ("cautious", "random", "random-noretire", "low", "high", "mix", "aggressive", "adaptive", "lookahead")
EFFORT = ("steady", "bold", "finisher")
LEADERS = ("greedy", "rush", "hold", "flank", "focus", "careful", "random", "lookahead")
KINDS: dict[tuple[str, str], dict[str, Any]] = {
    ("warforged", "attack"): {"about": "effect", "effect": "damage", "beside": "kill"},
    ("warforged", "kill"): {"about": "duration", "duration": "actions", "waste": "overkill", "unbounded": True},
    ("warforged", "duel"): {"about": "winner", "winner": "winner", "duration": "rounds", "waste": "overkill",
        "categories": DRAWN, "mirrored": ("a", "b"), "unbounded": True},
    ("warforged", "lineup"): {"about": "winner", "winner": "winner", "duration": "rounds", "categories": DRAWN,
        "mirrored": ("a", "b"), "unbounded": True, "choices": {"policy_a": LIKES, "policy_b": LIKES},
        "habits": {"policy_a": LIKES, "policy_b": LIKES}},
    ("warforged", "battle"): {"about": "winner", "winner": "winner", "duration": "rounds",
        "categories": {"ended": {1: "annihilation", 2: "objective", 3: "round limit"}, **DRAWN}, "mirrored": ("a", "b"),
        "simulated": True, "choices": {"policy_a": PLAYERS, "policy_b": PLAYERS},
        "habits": {"policy_a": SCRIPTS, "policy_b": SCRIPTS}},
    ("warforged", "seats"): {"about": "winner", "winner": "winner", "duration": "rounds",
        "categories": {"winner_seat": PLACES, "ended": {1: "annihilation", 2: "objective", 3: "round limit"},
                       "out_seat": PLACES, "out_side": {0: "nobody", 1: "a", 2: "b", 3: "c", 4: "d"},
                       "winner": {0: "draw", 1: "a", 2: "others"}},
        "mirrored": ("a", "others"), "simulated": True,
        "choices": {"policy_a": PLAYERS, "policy_others": PLAYERS, "aim_a": PREFERENCES, "aim_others": PREFERENCES},
        "habits": {"policy_a": SCRIPTS, "policy_others": SCRIPTS}},
    ("battlelore", "attack"): {"about": "effect", "effect": "figures_lost", "choices": {"attacker_powers": POWERS}},
    ("battlelore", "combat"): {"about": "effect", "effect": "figures_lost", "loss": "attacker_figures_lost",
        "exchange": ("figures_lost", "attacker_figures_lost"),
        "choices": {"defender_flags": FLAGS, "attacker_flags": FLAGS, "battle_back": BACK,
                    "follow_up": ("gain_ground", "bonus_same", "bonus_other", "stay"),
                    "attacker_powers": POWERS, "defender_powers": POWERS}},
    ("battlelore", "duel"): {"about": "winner", "winner": "winner", "duration": "turns", "categories": DRAWN,
        "mirrored": ("a", "b"), "unbounded": True,
        "choices": {"a_flags": FLAGS, "b_flags": FLAGS, "battle_back": BACK, "a_powers": DUEL_POWERS,
                    "b_powers": DUEL_POWERS}},
    ("battlelore", "skirmish"): {"about": "winner", "winner": "winner", "duration": "rounds", "categories": DRAWN,
        "mirrored": ("a", "b"), "unbounded": True,
        "choices": {"a_flags": FLAGS, "b_flags": FLAGS, "battle_back": BACK}},
    ("battlelore", "lineup"): {"about": "winner", "winner": "winner", "duration": "rounds", "categories": DRAWN,
        "mirrored": ("a", "b"), "unbounded": True,
        "choices": {"a_flags": FLAGS, "b_flags": FLAGS, "battle_back": BACK, "policy_a": AIMS, "policy_b": AIMS},
        "habits": {"policy_a": AIMS, "policy_b": AIMS}},
    ("battlelore", "battle"): {"about": "winner", "winner": "winner", "duration": "turns",
        "categories": {"ended": {1: "banners", 2: "turn limit"}, **DRAWN}, "mirrored": ("a", "b"), "simulated": True,
        "choices": {"policy_a": LEADERS, "policy_b": LEADERS},
        "habits": {"policy_a": LEADERS[:6], "policy_b": LEADERS[:6]}},
    ("edadh", "turn"): {"categories": {"attacker": {0: "tie", 1: "a", 2: "b"}},
        "choices": {"policy_a": PLANS, "policy_b": PLANS}, "habits": {"policy_a": PLANS[:-1], "policy_b": PLANS[:-1]}},
    ("edadh", "duel"): {"about": "winner", "winner": "winner", "duration": "periods",
        "categories": {"a_lost": LOSSES, "b_lost": LOSSES, **DRAWN}, "simulated": True,
        "choices": {"policy_a": PLANS, "policy_b": PLANS}, "habits": {"policy_a": PLANS[:-1], "policy_b": PLANS[:-1]}},
    ("skirmish", "attack"): {"about": "effect", "effect": "damage"},
    ("skirmish", "duel"): {"about": "winner", "winner": "winner", "duration": "strikes", "categories": DRAWN,
        "mirrored": ("a", "b"), "unbounded": True, "choices": {"a_effort": EFFORT, "b_effort": EFFORT}},
    ("skirmishers", "attack"): {"about": "effect", "effect": "damage"},
    ("skirmishers", "duel"): {"about": "winner", "winner": "winner", "duration": "strikes", "categories": DRAWN,
        "mirrored": ("a", "b"), "unbounded": True, "choices": {"policy_a": EFFORT, "policy_b": EFFORT},
        "habits": {"policy_a": EFFORT, "policy_b": EFFORT}},
}  # fmt: skip
BLOCKS = {
    ("battlelore", "battle"): 8192,
    ("edadh", "duel"): 2**17,
    ("edadh", "finish"): 2**17,
    ("warforged", "lineup"): 2**15,
    ("warforged", "battle"): 2**14,
    ("warforged", "seats"): 2**14,
}
PLAYED = {("skirmish", "duel"): {"a_effort", "b_effort"}, ("battlelore", "lineup"): {"policy_a", "policy_b"}}
"""Decisions that are policies as they stand, whatever is asked."""
KINDS["edadh", "finish"] = KINDS["edadh", "duel"]
KINDS["skirmishers", "battle"] = KINDS["skirmishers", "duel"]
GAMES = {game.name: game for game in (WARFORGED, BATTLELORE, EDADH, SKIRMISH, SKIRMISHERS)}


def told(kind: QuestionKind) -> dict[str, Any]:
    """Return what a kind of question says of itself, without what it says nothing of."""
    roles: tuple[Role, ...] = ("winner", "duration", "effect", "loss", "waste")
    columns: dict[str, str | None] = {role: kind.column(role) for role in roles}
    found = {
        "about": kind.about,
        **columns,
        "categories": dict(kind.categories),
        "mirrored": kind.mirrored_orders,
        "exchange": kind.exchange,
        "unbounded": kind.unbounded,
        "simulated": not kind.has_distribution,
        "beside": kind.beside,
        "choices": dict(kind.choices),
        "habits": dict(kind.habits),
    }
    return {name: value for name, value in found.items() if value}


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_a_kind_of_question_says_what_it_is_about(game: str, kind: str) -> None:
    found, expected = GAMES[game].kinds[kind], KINDS[game, kind]
    assert told(found) == expected
    assert found.winner == expected.get("winner", "")
    results = [(found.sides[code - 1] if code else name, code) for name, code in RESULTS]
    assert list(found.winners.items()) == (results if "winner" in expected else [])
    assert [list(names) for names in found.categories.values()] == [
        sorted(names) for names in found.categories.values()
    ]
    assert list(found.categories) == list(expected.get("categories", {}))
    assert found.roots == (*found.sides, "situation", "rules")
    sides = ("a", "others") if kind == "seats" else ("a", "b")
    assert found.sides == (("attacker", "defender") if found.about in {"effect"} or kind == "kill" else sides)
    orders = ("adventure", "a", "b") if found.pairs else (*found.mirrored_orders, "random")
    assert found.turn_orders == (orders if found.mirrored_orders else ())
    assert found.block_trials == (BLOCKS.get((game, kind), 65_536))
    assert {name for name, policy in found.policies.items() if policy.plays} == (PLAYED.get((game, kind), set()))


def test_the_table_of_kinds_leaves_none_out() -> None:
    assert {(game.name, kind) for game in GAMES.values() for kind in game.kinds} == set(KINDS)


@pytest.mark.parametrize(
    ("game", "winner", "duration", "effect", "taken"),
    [
        (WARFORGED, "duel", "kill", "attack", ["loadout", "army", "army", "target", "other armies"]),
        (BATTLELORE, "duel", "", "attack", ["unit", "army", "force", "target"]),
        (EDADH, "duel", "", "", ["army"]),
        (SKIRMISH, "duel", "", "attack", ["card"]),
        (SKIRMISHERS, "duel", "", "attack", ["fighter", "army"]),
    ],
)
def test_the_first_question_about_something_is_found_by_its_columns(
    game: Game, winner: str, duration: str, effect: str, taken: list[str]
) -> None:
    assert [game.name_about(role) for role in ("winner", "duration", "effect")] == [winner, duration, effect]
    kinds = [game.kind_about(role) for role in ("winner", "duration", "effect")]
    assert [kind and kind.name for kind in kinds] == [winner or None, duration or None, effect or None]
    assert [kind.name for kind in game.entrant_kinds] == taken
    assert {name: game.main_of(name) for name in game.kinds} == {
        name: "attack" if (game, name) == (WARFORGED, "kill") else name for name in game.kinds
    }


def test_columns_are_found_by_whose_they_are() -> None:
    duel = EDADH.kinds["duel"]
    assert [duel.column_of(side, of) for side, of in (("b", "lost"), ("a", "cards"), ("b", "nonsense"))] == [
        "b_lost",
        "a_cards",
        "",
    ]
    assert WARFORGED.kinds["attack"].columns["damage"].per == SKIRMISH.kinds["attack"].columns["damage"].per == "action"


def test_what_a_policy_reads_of_its_side_is_told() -> None:
    assert EDADH.kinds["turn"].policies["policy_b"].parameters == {"mix": ("mix",)}
    assert SKIRMISHERS.kinds["duel"].policies["policy_a"].parameters == {"finisher": ("finish_at",)}


def test_a_game_that_is_not_registered_crosses_to_another_process_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registered one goes by its place, and is the same object there."""
    assert pickle.loads(pickle.dumps(EDADH)) is EDADH
    plain = Game("none", "None", SKIRMISH.spec, {}, unused={"fighters": "as told"}, folder=SKIRMISH.folder)
    assert pickle.loads(pickle.dumps(plain)) == plain


def test_the_parameters_of_policies_are_fields_of_a_stance() -> None:
    for game in (WARFORGED, BATTLELORE, EDADH):
        for kind in game.kinds.values():
            stances = dict(zip(kind.sides, kind.stances, strict=True))
            for policy in kind.policies.values():
                for fields in policy.parameters.values():
                    assert set(fields) <= set(stances[policy.side].model_fields)


def test_every_record_that_is_declared_has_defaults() -> None:
    for game in (WARFORGED, BATTLELORE, EDADH):
        for kind in game.kinds.values():
            assert all(record() is not None for record in (kind.situation, *kind.stances))
            assert kind.asks


def test_entrants_are_of_the_kind_that_lists_them_and_else_of_the_first() -> None:
    loaded = load(WARFORGED)
    loadout, army, either, target, _ = WARFORGED.entrant_kinds
    assert (loadout.name, army.name, either.name, target.name) == ("loadout", "army", "army", "target")
    assert loaded.kind_of("nexus+assault_rifle") is loadout
    assert loaded.kind_of("nexus") is target
    assert loaded.kind_of("nexus+smg_pistol+smg_pistol") is loadout
    assert loaded.kind_of("nexus+assault_rifle:2") is army
    assert loaded.kind_of("random:150") is either
    assert loaded.parts("nexus+assault_rifle") == ("nexus", "assault_rifle")
    assert load(EDADH).parts("spears:2+swords") == ("spears:2+swords",)


def test_a_kind_whose_ids_have_no_parts_is_whole() -> None:
    plain = EntrantKind("card", list, str, lambda *about: 1, dict)  # type: ignore[arg-type]
    assert plain.parts("a+b") == ("a+b",)
    assert Column("what").names == {}
