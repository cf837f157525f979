"""A shell is offered what can be typed next, and never an error."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import balance as toolkit
from balance.base.errors import BalanceError
from balance.cli.main import main
from balance.game.authoring.new_game import write_game
from balance.game.registry import GAMES, find_game
from balance.games.warforged.battle.map.maps import map_files
from balance.verbs.verb_list import VERBS

Complete = Callable[[str], list[str]]
"""complete("balance du") -> what a shell is offered for the last word; after a blank, for the next."""


def surroundings(words: str) -> dict[str, str]:
    place = len(words.split()) - (not words.endswith(" "))
    return {"_BALANCE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(place)}


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Complete:
    def offered(words: str) -> list[str]:
        for name, value in surroundings(words).items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as end:
            main([])
        printed = capsys.readouterr()
        assert (end.value.code, printed.err) == (0, "")
        return printed.out.split()

    return offered


@pytest.mark.slow("test_values_of_short_options_are_offered")
def test_a_process_completes() -> None:
    command = [sys.executable, "-m", "balance"]
    for words, offered in (
        ("balance sk", ["skirmish"]),
        ("balance duel warforged nexus+side", ["nexus+sidearm"]),
        ("balance nothing war", []),
    ):
        env = {**os.environ, **surroundings(words)}
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
        assert (done.returncode, done.stdout.split(), done.stderr) == (0, offered, "")


def test_every_verb_and_every_kind_of_question_is_offered(complete: Complete) -> None:
    kinds = {kind for game in GAMES for kind in find_game(game).kinds}
    offered = complete("balance ")
    assert set(offered) == set(VERBS) | kinds
    assert len(offered) == len(set(offered))
    assert complete("balance s") == ["show", "solve", "stability", "schema", "serve", "seats", "skirmish"]
    assert complete("balance qqq") == []


def test_games_are_offered_where_they_can_be_asked(complete: Complete) -> None:
    assert complete("balance duel ") == list(GAMES)
    assert complete("balance skirmish ") == ["battlelore"]
    assert complete("balance report e") == complete("balance compare e") == ["edadh"]
    assert complete("balance ask battlelore ") == list(find_game("battlelore").kinds)


def test_each_side_is_offered_what_it_can_be(complete: Complete) -> None:
    loaded = toolkit.load("warforged")
    assert complete("balance attack warforged ") == list(loaded.entrants)
    assert complete("balance attack warforged nexus+shotgun ") == list(loaded.targets)
    assert complete("balance ask warforged duel nexus+shotgun aegis+si") == ["aegis+sidearm"]
    assert complete("balance solve edadh angueth_l") == ["angueth_learning"]
    assert complete("balance duel nogame nexus") == []


def test_tables_pages_and_entries_are_offered(complete: Complete) -> None:
    assert complete("balance show warforged wea") == ["weapons"]
    assert complete("balance show edadh questi") == ["questions"]
    assert complete("balance show warforged nexu") == ["nexus"]
    assert complete("balance show nogame ") == []


ASKED = {
    "attack warforged nexus+shotgun whisper": {"attacker.weapon.damage=", "situation.n_covers=", "rules.faces="},
    "combat battlelore blue_foot red_foot": {"attacker.dice=", "defender.unit.figures=", "situation.free_hexes="},
    "turn edadh angueth_learning huaos_dzaa_learning": {"a.mp=", "b.front=", "situation.level="},
}


@pytest.mark.parametrize("words", ASKED)
def test_what_can_be_set_is_offered_and_known(words: str, complete: Complete) -> None:
    offered = complete(f"balance {words} --set ")
    assert ASKED[words] <= set(offered)
    kind, game, one, other = words.split()
    loaded = toolkit.load(game)
    for path in offered:
        try:
            loaded.ask(kind, one, other, [path])
        except BalanceError as error:  # most fields need a value
            assert "is not a field" not in str(error), path


def test_a_path_is_offered_by_its_beginning(complete: Complete) -> None:
    assert complete("balance turn edadh --set b.m") == ["b.mp=", "b.mix=", "b.movement="]
    assert complete("balance turn edadh --set nothing") == complete("balance turn --set ") == []


def test_values_of_short_options_are_offered(complete: Complete) -> None:
    assert complete("balance battle warforged random:150 random:150 --map ") == list(map_files())
    assert complete("balance replay warforged battle random:150 random:150 --map de") == ["dense"]
    assert complete("balance battle warforged --ma") == ["--map"]
    assert complete("balance battle --map ") == []


def test_what_can_be_chosen_is_offered(complete: Complete) -> None:
    players = find_game("edadh").kinds["duel"].choices["policy_a"]
    assert complete("balance duel edadh --policy-a ") == list(players)
    assert complete("balance ask edadh duel spears shieldsmen --policy-b c") == ["cautious"]
    assert complete("balance duel battlelore --policy-a ") == []
    assert complete("balance combat battlelore --choose follow_up=b") == [
        "follow_up=bonus_same",
        "follow_up=bonus_other",
    ]
    assert complete("balance duel warforged --first ") == ["a", "b", "random"]
    assert complete("balance turn edadh --first ") == []


def test_options_that_a_kind_lacks_are_not_offered(complete: Complete) -> None:
    assert "--first" in complete("balance duel warforged --")
    assert not {"--first", "--half-width", "--policy-a"} & set(complete("balance attack warforged --"))


def test_a_game_beside_you_is_offered_what_stands_in_its_tables(complete: Complete, elsewhere: Path) -> None:
    write_game("day_rats", elsewhere)
    assert complete("balance battle ") == ["warforged", "battlelore", "day_rats"]
    assert complete("balance skirmish ") == ["battlelore", "day_rats"]
    assert complete("balance battle day_rats gu") == ["guard"]
    assert complete("balance battle day_rats patrol --set a.") == []


def test_a_game_beside_you_that_fails_is_offered_nothing(complete: Complete, elsewhere: Path) -> None:
    (write_game("day_hawks", elsewhere) / "game.py").write_text("1 / 0")
    assert complete("balance battle day_hawks gu") == ["guard"]
    (elsewhere / "day_hawks" / "data" / "armies.csv").write_bytes(b"\x00\xff")
    assert complete("balance battle day_hawks gu") == []


def test_a_catalogue_with_faults_is_offered_nothing(complete: Complete, elsewhere: Path) -> None:
    (elsewhere / "data" / "warforged").mkdir(parents=True)
    (elsewhere / "data" / "warforged" / "rules.toml").write_text("no toml")
    assert complete(shlex.join(["balance", "duel", "warforged", "nexus"])) == []


OF_A_SIDE = (
    *("mp", "damage", "shaken", "mix", "name", "faction", "front", "second", "third", "fourth"),
    *("movement", "terrain", "combat_master", "standard", "battle_master"),
)
"""What of a side of a duel of Edadh can be set: its markers, then the fields of its army, but never the id."""


def test_all_that_can_be_set_is_offered_in_the_order_of_the_pages(complete: Complete) -> None:
    loaded = toolkit.load("edadh")
    assert complete("balance turn edadh spears shieldsmen --set ") == [
        *("situation.level=", "situation.terrain=", "situation.max_periods="),
        *(f"a.{name}=" for name in OF_A_SIDE),
        *(f"b.{name}=" for name in OF_A_SIDE),
        *(f"rules.{name}=" for name in loaded.catalogue.rule_options),
    ]


def test_all_there_is_of_a_game_beside_you_is_offered_once(complete: Complete, elsewhere: Path) -> None:
    write_game("noon_rats", elsewhere)
    assert complete("balance show noon_rats ") == [
        *("armies", "fighters"),
        *("rules", "constants", "sources", "fields", "entrants", "questions", "situation", "policies"),
        *("patrol", "guard", "screen", "vanguard", "scout", "soldier", "knight", "giant"),
    ]


def test_prices_are_asked_of_cards_and_loadouts_where_armies_meet(complete: Complete) -> None:
    offered = complete("balance price warforged ")
    assert offered[:3] == ["nexus", "assault_rifle", "smg_pistol"]
    assert offered[-1] == "spectre+grenade_launcher"
    assert complete("balance price warforged wh")[0] == "whisper"
    assert complete("balance price edadh ") == []
    assert "situation.map=" in complete("balance price warforged whisper --set situation.m")
    in_line_ups = "balance price warforged whisper --kind lineup"
    assert "situation.actions=" in complete(f"{in_line_ups} --set situation.a")
    assert "policy_a=focus" in complete("balance price warforged whisper --choose policy_a")


def test_verbs_are_offered_first_and_then_what_only_some_games_know(complete: Complete) -> None:
    kinds = ["kill", "lineup", "battle", "seats", "combat", "skirmish", "turn", "finish", "encounter", "gamble"]
    kinds += ["quest", "approach", "advance"]
    assert complete("balance ") == [*VERBS, *kinds]
    assert complete("balance ki") == ["kill"]
