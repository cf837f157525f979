"""What a game declares: which column is for what, which question is about what, and whose each entrant is."""

from __future__ import annotations

import pytest

from balance.protocol.game import Column, EntrantKind, Game
from balance.protocol.loaded import load
from balance.protocol.registry import find_game

WARFORGED, BATTLELORE, EDADH = map(find_game, ("warforged", "battlelore", "edadh"))


@pytest.mark.parametrize(
    ("game", "winner", "duration", "effect"),
    [(WARFORGED, "duel", "kill", "attack"), (BATTLELORE, "duel", "", "attack"), (EDADH, "duel", "", "")],
)
def test_the_first_question_about_something_is_found_by_its_columns(
    game: Game, winner: str, duration: str, effect: str
) -> None:
    assert [game.name_about(role) for role in ("winner", "duration", "effect")] == [winner, duration, effect]
    assert (game.kind_about("duration") is None) is (not duration)


def test_a_question_beside_another_is_found_from_either() -> None:
    assert WARFORGED.kinds["attack"].beside == "kill"
    assert [WARFORGED.main_of(name) for name in ("kill", "attack", "duel")] == ["attack", "attack", "duel"]


def test_columns_are_found_by_what_they_are_for() -> None:
    combat, duel = BATTLELORE.kinds["combat"], EDADH.kinds["duel"]
    assert combat.exchange == ("figures_lost", "attacker_figures_lost")
    assert BATTLELORE.kinds["attack"].exchange is None
    assert (duel.winner, duel.column("duration"), duel.column_of("b", "lost")) == ("winner", "periods", "b_lost")
    assert (duel.column("waste"), duel.column_of("b", "nonsense")) == (None, "")
    assert WARFORGED.kinds["kill"].column("waste") == "overkill"


def test_codes_are_named_in_order_the_winner_last() -> None:
    assert list(EDADH.kinds["duel"].categories) == ["a_lost", "b_lost", "winner"]
    assert list(EDADH.kinds["duel"].categories["winner"].items()) == [(0, "draw"), (1, "a"), (2, "b")]
    assert list(EDADH.kinds["duel"].winners) == ["a", "b", "draw"]
    assert not EDADH.kinds["turn"].winners


def test_policies_tell_their_options_the_default_first() -> None:
    turn = EDADH.kinds["turn"]
    assert turn.choices["policy_a"][:2] == ("random", "random-noretire")
    assert "lookahead" in turn.choices["policy_a"]
    assert "lookahead" not in turn.habits["policy_a"]
    assert turn.policies["policy_b"].parameters == {"mix": ("mix",)}
    assert not BATTLELORE.kinds["duel"].habits


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
    loadout, target = WARFORGED.entrant_kinds
    assert (loadout.name, target.name) == ("loadout", "target")
    assert loaded.kind_of("nexus+assault_rifle") is loadout
    assert loaded.kind_of("nexus") is target
    assert loaded.kind_of("nexus+smg_pistol+smg_pistol") is loadout
    assert loaded.parts("nexus+assault_rifle") == ("nexus", "assault_rifle")
    assert load(EDADH).parts("spears:2+swords") == ("spears:2+swords",)


def test_a_kind_whose_ids_have_no_parts_is_whole() -> None:
    plain = EntrantKind("card", list, str, lambda *about: 1, dict)  # type: ignore[arg-type]
    assert plain.parts("a+b") == ("a+b",)
    assert Column("what").names == {}
