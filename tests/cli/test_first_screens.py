"""First screens: a sentence that answers, then tables, within 24 lines of 80 columns, whatever is asked of any game."""

from __future__ import annotations

import json
import random
import re

import pytest

from balance.answers.form import Terms
from balance.answers.media.answer import screen_of_answer
from balance.answers.media.screens import HEIGHT, first_screen
from balance.answers.media.terminal import line, say, table
from balance.answers.words.questions.answer import WORDS
from balance.chance.clauses import mostly_in, show_brief
from balance.game.loaded import LoadedGame, load
from balance.game.question.answer import Answer, answer
from balance.game.question.choices import Budget
from balance.game.question.sentence import sentence_of
from balance.game.registry import find_game, installed_games
from tests.cli.conftest import Command

KINDS = [(game, kind) for game in installed_games() for kind in find_game(game).kinds]
JARGON = re.compile(r"\b(law|pp|lane|rung|readings|entrants?|loadout|swing)\b")
"""Words of ours that a designer would have to be told."""


@pytest.fixture(autouse=True)
def no_ways_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave ways of playing alone, to save time."""
    monkeypatch.setattr("balance.game.question.answer.compare_habits", lambda *arguments, **options: ())


def printed(answer: Answer, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    terms = Terms.of(answer.question.game, answer.question.kind.name)
    say(*screen_of_answer(WORDS, answer, terms, more=False))
    return capsys.readouterr().out.splitlines()


def pair(loaded: LoadedGame, kind: str, seed: int) -> tuple[str, str]:
    some = random.Random(f"{kind} {seed}")
    if pairs := loaded.pairs_of(kind):
        return loaded.both(kind, some.choice(pairs), "")
    one, other = loaded.definition.kinds[kind].takes
    return some.choice(loaded.ids(one)), some.choice(loaded.ids(other))


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda name: name)
@pytest.mark.parametrize("trials", [None, 64])
def test_the_first_screen_of_every_kind_begins_with_a_sentence_and_fits(
    game: str, kind: str, trials: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = load(game)
    if trials is None and not loaded.definition.kinds[kind].has_distribution:
        trials = 96
    result = answer(loaded.ask(kind, *pair(loaded, kind, 0)), Budget(trials=trials))
    lines = printed(result, capsys)
    assert len(lines) <= HEIGHT
    assert max(map(len, lines)) <= 80
    assert " ".join(" ".join(lines).split()).startswith(result.sentence)
    assert result.sentence.endswith(".")
    assert re.search(r"\d", result.sentence)
    assert not JARGON.search(" ".join(lines))
    assert "--more" in lines[-1] + lines[-2]
    if trials and result.exact is not None:
        assert "exact" in result.sentence
        assert "simulated" in " ".join(lines)


CROWD = "whisper+sidearm:2,trooper+shotgun,detonator+smg_pistol,spectre+marksman_rifle,nexus+assault_rifle"
CHANGES = ("rules.faces=0-9", "situation.actions=per_unit", "b.armour=3", "a.1.health=7", "situation.light_cover=true")


def test_what_was_changed_is_seen_on_the_first_screen(balance: Command) -> None:
    changed = [word for change in CHANGES for word in ("--set", change)]
    asked = ("lineup", "warforged", "trooper+shotgun:2", "vanguard+shotgun", "--policy-a", "spread", *changed)
    done = balance(*asked, "--first", "b", "--trials", "128")
    told = " ".join(done.out.split())
    for change in CHANGES:
        assert change.replace("=", " = ", 1) in told
    assert "faces = 0-9 (default 1-10, WF-Q1)" in told
    assert "policy_a=spread (default focus)" in told
    assert "first b (default random)" in told
    assert "128 trials, seed 0" in told
    assert len((done.out + done.err).splitlines()) <= HEIGHT


@pytest.mark.slow("test_a_table_is_cut_to_the_room_there_is_and_tells_how_much_is_left")
def test_long_names_leave_room_for_the_answer(balance: Command) -> None:
    done = balance("lineup", "warforged", CROWD, CROWD, "--trials", "64")
    lines = done.out.splitlines()
    assert len(lines) <= HEIGHT
    assert lines[0].startswith("  Side a wins ")
    assert "draw" in done.out


def test_more_shows_what_the_first_screen_leaves_out(balance: Command) -> None:
    asked = ("duel", "warforged", "nexus+assault_rifle", "whisper+sidearm")
    brief, whole = balance(*asked).out, balance(*asked, "--more").out
    sentence = json.loads(balance(*asked, "--json").out)["sentence"]
    for out in (brief, whole):
        assert " ".join(out.split()).startswith(sentence)
    assert "Two armed units start" in whole
    assert "what going" not in brief
    assert len(whole.splitlines()) > HEIGHT


def test_the_sentence_says_what_an_attack_does_and_when_its_target_falls() -> None:
    told = sentence_of(answer(load("warforged").attack("nexus+assault_rifle", "whisper")))
    assert told == (
        "Nexus + Assault Rifle against Whisper: hits 82.6%, 3 damage on average, "
        "down in 1.92 actions on average, 95% in 1 to 3."
    )


def test_what_is_simulated_is_told_with_its_error() -> None:
    told = sentence_of(answer(load("edadh").ask("duel", "spears", "shieldsmen"), Budget(trials=500)))
    assert re.search(r"wins \d+\.\d% \(\d+\.\d% to \d+\.\d%\)", told)
    assert told.endswith("(500 simulated trials, 95% intervals).")


@pytest.mark.parametrize(
    ("chances", "ends"),
    [
        ({1: 0.34, 2: 0.46, 3: 0.151, 4: 0.049}, (1, 3)),
        ({0: 1.0}, (0, 0)),
        ({0: 0.02, 5: 0.95, 9: 0.03}, (5, 5)),
        ({0: 0.5, 10: 0.5}, (0, 10)),
        ({1: 0.05, 2: 0.45, 3: 0.45, 4: 0.05}, (1, 3)),
    ],
)
def test_nearly_all_lies_in_the_shortest_range_that_holds_it(chances: dict[int, float], ends: tuple[int, int]) -> None:
    def lengths(share: float) -> list[tuple[int, int, int]]:
        values = list(chances)
        held = ((a, b, sum(p for value, p in chances.items() if a <= value <= b)) for a in values for b in values)
        return sorted((b - a, a, b) for a, b, p in held if b >= a and p >= share - 1e-12)

    assert mostly_in(chances) == ends == lengths(0.95)[0][1:]


def test_a_number_is_as_short_as_it_may_be() -> None:
    assert [show_brief(x) for x in (0, 3.0, 1.916, 0.1339, 12.04, 1234.5, 1e-9, -1e-9)] == [
        "0",
        "3",
        "1.92",
        "0.134",
        "12",
        "1,234",
        "<0.001",
        ">−0.001",
    ]


# -- how a screen is filled -------------------------------------------------------------------------------------------


def test_a_table_is_cut_to_the_room_there_is_and_tells_how_much_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [[str(n), "x"] for n in range(100)]
    say(*first_screen([line("It is so.", after=1)], [table(["n", "what"], rows), line("last")], [line("Exact.")]))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= HEIGHT
    assert lines[0] == "  It is so."
    assert lines[-1] == "  Exact."
    (left,) = re.findall(r"^  and (\d+) more rows$", "\n".join(lines), re.M)
    assert sum(line.endswith(" x") for line in lines) + int(left) == 100


def test_notes_below_a_screen_have_room_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [[str(n)] for n in range(100)]
    notes = ["a note " * 20, "another"]
    say(*first_screen([line("top")], [table(["n"], rows)], [line("foot")], notes))
    assert len(capsys.readouterr().out.splitlines()) <= HEIGHT - 3


def test_what_is_at_the_top_and_the_foot_is_never_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    say(*first_screen([line("top")] * 20, [table(["n"], [["1"]])], [line("foot")] * 20))
    assert capsys.readouterr().out.split() == ["top"] * 20 + ["foot"] * 20
