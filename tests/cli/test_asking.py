"""Whatever `balance games` lists can be typed as it is listed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import balance as toolkit
from balance.base.errors import UsageError
from balance.cli.kinds import KINDS as LISTED
from balance.cli.kinds import KindHelp, kind_help
from balance.game.authoring.new_game import write_game
from balance.game.loaded import load
from balance.game.registry import GAMES, find_game
from balance.verbs.call.words import choices_of
from tests.cli.conftest import Command
from tests.toy import game as toy

TOY = toy.GAME
PAIRS = {
    "warforged": ("nexus+assault_rifle", "trooper+shotgun"),
    "battlelore": ("blue_foot", "goblin_blue_foot"),
    "edadh": ("shieldsmen", "spears"),
}
KINDS = [(game, kind) for game in PAIRS for kind in find_game(game).kinds]


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_a_kind_typed_as_it_is_listed_is_asked(
    game: str, kind: str, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.game.question.habits.TRIALS", 64)
    entrants = [entrant.partition("+")[0] if kind in ("attack", "kill") else entrant for entrant in PAIRS[game][1:]]
    entrants = [f"{entrants[0]} / {entrants[0]}"] if kind == "seats" else entrants
    pairs = load(game).pairs_of(kind)
    words = [*(pairs[:1] or [PAIRS[game][0], *entrants]), "--trials", "64", "--json"]
    typed, asked = balance(kind, game, *words), balance("ask", game, kind, *words)
    assert (typed.status, typed.out, typed.err) == (asked.status, asked.out, asked.err)
    assert (typed.status, json.loads(typed.out)["verb"]) == (0, kind)


def test_the_sides_of_a_kind_are_named_in_its_help(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert "balance kill [OPTIONS] {GAME} {ATTACKER} {DEFENDER}" in balance("kill", "--help").out
    assert "Which of two lines of units wins (BattleLore)." in balance("skirmish", "--help").out


ALWAYS = {
    "--set",
    "--trials",
    "--seed",
    "--lane",
    "--catalogue",
    "--jobs",
    "--executor",
    "--scheduler",
    "--verify",
    "--more",
    "--json",
    "--brief",
    "--quiet",
    "--help",
}


def has(kind: str) -> set[str]:
    """Return the options that only some kinds of question have, for one that any of the games may know."""
    known = [game.kinds[kind] for game in map(find_game, PAIRS) if kind in game.kinds]
    choices = {name for found in known for name in found.choices}
    return {
        *(["--first"] if any(found.turn_orders for found in known) else []),
        *(["--choose"] if choices else []),
        *(f"--policy-{side}" for side in "ab" if f"policy_{side}" in choices),
        *(["--half-width"] if any(found.winners for found in known) else []),
        *(f"--{short}" for found in known for short in found.shorts),
    }


@pytest.mark.parametrize("kind", sorted({kind for _, kind in KINDS}))
def test_the_help_of_a_kind_shows_what_it_has(kind: str, balance: Command) -> None:
    shown = [line.split()[1] for line in balance(kind, "--help").out.splitlines() if line.startswith("│ --")]
    assert set(shown) == ALWAYS | has(kind)
    assert "half-width" in balance("ask", "--help").out


def test_what_the_list_of_verbs_says_of_kinds_is_what_the_games_declare() -> None:
    words = {"first": "--first", "choose": "--choose", "half_width": "--half-width"}
    for kind, listed in LISTED.items():
        assert {words.get(name, f"--{name.replace('_', '-')}") for name in listed.uses} == has(kind)
        assert {game.kinds[kind].sides for game in map(find_game, PAIRS) if kind in game.kinds} == {listed.sides}


def test_who_takes_part_is_told_by_its_kind(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert "The defender (target): an id, as `balance show warforged entrants` lists" in balance("kill", "--help").out
    assert "Side b (army): an id, as `balance show edadh entrants` lists them" in balance("turn", "--help").out
    assert "Side b: an id, as `balance show GAME entrants` lists them" in balance("duel", "--help").out
    lineup = balance("lineup", "--help").out
    written = "MEMBER[:COUNT][,MEMBER[:COUNT]...], members as `balance show GAME entrants` lists them."
    assert f"Side b (army): {written}" in lineup
    assert "Example: balance lineup warforged nexus+assault_rifle:2 nexus+smg_pistol" in lineup


ATTACK = ("attack", "warforged", "nexus+shotgun", "trooper")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ((*ATTACK, "--first", "a"), "attack has no first side; in warforged, duel, lineup, battle, seats can have one"),
        (
            (*ATTACK, "--half-width", "0.1"),
            "attack has no winner; in warforged, duel, lineup, battle, seats can have one",
        ),
        ((*ATTACK, "--policy-a", "low"), "'policy_a' is not something to choose in attack; allowed: nothing"),
        (
            ("turn", "edadh", "spears", "shieldsmen", "--first", "b"),
            "turn has no first side; nothing that edadh is asked has one",
        ),
    ],
)
def test_an_option_that_a_kind_lacks_is_refused_with_what_has_it(
    typed: tuple[str, ...], told: str, balance: Command
) -> None:
    done = balance(*typed)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


def test_what_stays_out_of_the_help_can_still_be_typed(balance: Command) -> None:
    assert balance(*ATTACK, "--first", "random", "--json").out == balance(*ATTACK, "--json").out


def test_options_may_stand_before_the_game(balance: Command) -> None:
    after = balance("kill", "warforged", "nexus+shotgun", "trooper", "--json").out
    assert balance("kill", "--json", "warforged", "nexus+shotgun", "trooper").out == after


def test_a_kind_that_the_game_lacks_is_refused_by_name(balance: Command) -> None:
    done = balance("skirmish", "warforged", "nexus", "trooper")
    assert (done.status, done.out) == (2, "")
    assert "warforged has no 'skirmish'; it has attack, kill, duel, lineup, battle, seats" in done.err


@pytest.mark.slow("test_a_kind_that_the_game_lacks_is_refused_by_name")
def test_a_word_that_is_no_verb_names_the_nearest(balance: Command) -> None:
    for word, close in (("skirmsh", "skirmish"), ("atack", "attack"), ("tabels", "tables")):
        done = balance(word, "battlelore", "a", "b")
        assert (done.status, done.out) == (2, "")
        assert done.err == f"error: No such command {word!r}. Did you mean {close!r}?\nTry 'balance --help'.\n"
    assert balance("qqq").err == "error: No such command 'qqq'.\nTry 'balance --help'.\n"


@pytest.mark.slow("test_a_kind_of_another_package_is_a_verb_too")
def test_a_kind_of_a_game_beside_you_needs_its_name(balance: Command, elsewhere: Path) -> None:
    rules = write_game("night_rats", elsewhere) / "game.py"
    rules.write_text(rules.read_text("utf-8").replace('name="battle"', 'name="brawl"'), "utf-8")
    assert balance("brawl", "--help").err.startswith(
        "error: No such command 'brawl'. To ask night_rats, name it too: balance brawl night_rats\n"
    )
    assert "Who wins a battle of armies (Night rats)." in balance("brawl", "night_rats", "--help").out
    assert "night_rats" not in balance("braw", "night_rats", "patrol", "guard").err.partition("Try")[0]


def test_a_kind_of_another_package_is_a_verb_too(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    raid = replace(TOY.kinds["attack"], name="raid")
    monkeypatch.setattr(toy, "GAME", replace(TOY, kinds={**TOY.kinds, "raid": raid}))
    one, other = toolkit.load(TOY).entrants[:2]
    assert "No such command 'raid'" in balance("raid", "skirmish", one, other).err
    monkeypatch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
    assert balance("raid", "skirmish", one, other).status == 0


def test_a_game_that_cannot_be_imported_does_not_stand_in_the_way(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib.metadata import EntryPoint

    from balance.game import registry

    broken = [EntryPoint("broken", "no_such_package.game:GAME", "balance.games")]
    monkeypatch.setattr(registry, "entry_points", lambda group: broken)
    assert balance("kill", "warforged", "nexus+shotgun", "trooper").status == 0
    assert "the game 'broken' is not at" in balance("kill", "broken", "a", "b").err


@pytest.mark.parametrize(
    ("kind", "games", "verb"),
    [
        (
            "kill",
            ["warforged"],
            KindHelp(
                ("attacker", "defender"),
                "How many Attack actions it takes until a target falls (Warforged, table edition).",
                frozenset(),
                ("loadout", "target"),
                "warforged",
            ),
        ),
        (
            "skirmish",
            ["battlelore"],
            KindHelp(
                ("a", "b"),
                "Which of two lines of units wins (BattleLore).",
                frozenset({"choose", "first", "half_width"}),
                ("unit", "unit"),
                "battlelore",
            ),
        ),
        (
            "lineup",
            ["battlelore"],
            KindHelp(
                ("a", "b"),
                "Which of two armies in line wins (BattleLore).",
                frozenset({"choose", "first", "policy_a", "policy_b", "half_width"}),
                ("army", "army"),
                "battlelore",
                "MEMBER[:COUNT][,MEMBER[:COUNT]...]",
            ),
        ),
        (
            "attack",
            ["warforged", "battlelore"],
            KindHelp(
                ("attacker", "defender"),
                "What one Attack action does (Warforged, table edition, BattleLore).",
                frozenset({"choose"}),
                ("loadout or unit", "target"),
                "GAME",
            ),
        ),
        (
            "finish",
            ["edadh"],
            KindHelp(
                ("a", "b"),
                "Who wins a duel, and with what markers (War for Edadh).",
                frozenset({"choose", "policy_a", "policy_b", "half_width"}),
                ("army", "army"),
                "edadh",
            ),
        ),
    ],
)
def test_the_verb_of_a_kind_has_what_any_of_its_games_has(kind: str, games: list[str], verb: KindHelp) -> None:
    assert kind_help(kind, [find_game(name) for name in games]) == verb


def test_a_kind_that_says_nothing_of_itself_is_told_by_its_name() -> None:
    silent = replace(TOY, kinds={"raid": replace(TOY.kinds["attack"], name="raid", asks="")})
    assert kind_help("raid", [silent]).help_text == f"Ask about a raid ({TOY.title})."


def test_choices_are_read_with_their_blanks_taken_off_and_a_value_may_hold_an_equals_sign() -> None:
    assert choices_of(None, None, None) == {}
    read = choices_of([" policy_x = low ", "y=a=b"], "high", None)
    assert read == {"policy_x": "low", "y": "a=b", "policy_a": "high"}


def test_all_that_is_wrong_with_choices_is_told_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        choices_of(["z=1", "x", "z=2", "y=", "=w", "policy_b=low"], None, "low")
    assert [str(fault) for fault in caught.value.faults] == [
        "choose: 'x' is not a choice; allowed: NAME=VALUE",
        "choose: 'y=' is not a choice; allowed: NAME=VALUE",
        "choose: '=w' is not a choice; allowed: NAME=VALUE",
        "choose: 'policy_b' is chosen twice",
        "choose: 'z' is chosen twice",
    ]


DRAWN = "warforged", "random:30", "random:30"


@pytest.mark.slow("test_a_short_option_that_names_nothing_or_twice_is_refused")
def test_a_kind_may_have_a_short_option_for_a_field_of_the_situation(balance: Command) -> None:
    few = "trooper+sidearm", "trooper+sidearm"
    asked = ["--trials", "4", "--set", "situation.rounds=2", "--json"]
    short = balance("battle", "warforged", *few, "--map", "small", *asked)
    long = balance("battle", "warforged", *few, *asked, "--set", "situation.map=small")
    assert (short.status, json.loads(short.out)["inputs"]["situation"]["map"]) == (0, "small")
    assert json.loads(short.out) == json.loads(long.out)
    other = balance("ask", "warforged", "battle", *few, "--map", "small", *asked)
    assert (other.status, other.out) == (0, short.out)


@pytest.mark.slow("test_an_option_that_a_kind_lacks_is_refused_with_what_has_it")
def test_only_kinds_that_declare_a_short_option_have_it(balance: Command) -> None:
    for words in (["duel", *DRAWN], ["ask", "warforged", "duel", *DRAWN[1:]], ["replay", "edadh", "duel", "x", "y"]):
        refused = balance(*words, "--map", "small")
        assert (refused.status, "No such option: --map" in refused.err) == (2, True)
        assert not re.search(r"--map +NAME", balance(*words[: 1 + words.index("duel")], "--help").out)
    assert re.search(r"--map +NAME", balance("replay", "warforged", "battle", "--help").out)


def test_a_short_option_that_names_nothing_or_twice_is_refused(balance: Command) -> None:
    told = balance("battle", *DRAWN, "--map", "smal").err
    assert told.startswith("error: situation.map: 'smal' is no map;")
    assert told.endswith("did you mean small?\n")
    assert balance("replay", "warforged", "battle", *DRAWN[1:], "--map", "smal").err == told
    twice = balance("battle", *DRAWN, "--map", "small", "--set", "situation.map=open")
    assert (twice.status, twice.err) == (2, "error: --set: 'situation.map' is set twice\n")


@pytest.mark.slow("test_a_short_option_that_names_nothing_or_twice_is_refused")
def test_an_army_may_be_drawn(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert "MEMBER[:COUNT][,MEMBER[:COUNT]...] or random:POINTS[:UNITS], members as" in balance("battle", "--help").out
    assert "random:POINTS" not in balance("lineup", "--help").out
    assert "random army of at most 4, 30 war points" in balance("battle", *DRAWN, "--trials", "64", "--more").out
    assert "random:POINTS[:UNITS]" in balance("show", "warforged", "entrants").out
