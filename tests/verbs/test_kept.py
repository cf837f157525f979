"""Answers that are kept: asked again, they are the same to the byte, and nothing is played."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Callable
from functools import partialmethod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import balance
from balance.base.errors import UsageError
from balance.cli.main import main
from balance.engine import source
from balance.engine.answers import SharedAnswers, pack, unpack
from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.verbs.call import kept
from balance.verbs.call.result import Result, parts_of_result, result_of_parts
from tests.tug import write_catalogue

PAIR = ("warforged", "nexus+shotgun", "trooper+sidearm")
FIELD = [*PAIR[1:]]
CALLS: dict[str, Callable[..., Result[Any]]] = {
    "army": lambda **means: balance.army("tug", 60, **means),
    "card": lambda **means: balance.card("warforged", "sidearm", among=FIELD, **means),
    "handicap": lambda **means: balance.handicap(*PAIR, field="health", **means),
    "a bid": lambda **means: balance.handicap(*PAIR, bid="health", **means),
    "worths": lambda **means: balance.handicap("warforged", *PAIR[1:], worth="b.health", **means),
    "luck": lambda **means: balance.luck("warforged", "attack", *PAIR[1:], **means),
    "luck of a field": lambda **means: balance.luck("warforged", "duel", among=FIELD, **means),
    "match-ups": lambda **means: balance.matchups("warforged", among=FIELD, **means),
    "play": lambda **means: balance.play("warforged", "lineup", ways="focus,spread", pairs=8, slow=8, **means),
    "price": lambda **means: balance.price("tug", battles=100, **means),
    "price of one": lambda **means: balance.price("tug", "b0", battles=100, **means),
    "stability": lambda **means: balance.stability("tug", ways="hard", battles=1000, **means),
    "tune": lambda **means: balance.tune("tug", changes=1, out=None, **means),
}
"""What is asked -> the call."""


@pytest.fixture(autouse=True)
def everything_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep quick answers too, and stand beside a small game."""
    monkeypatch.setattr(kept, "WORTH_KEEPING", 0.0)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BALANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    bodies = [("b0", 10, 1000), ("b1", 12, 1100), ("b2", 16, 1500)]
    write_catalogue(tmp_path / "data" / "tug", bodies, [("rope", 0, 100)])


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function from whose call on all work fails."""

    def forbid() -> None:
        for place in ("runner.Runner.run", "runner.Runner.once", "runner.Runner.__call__"):
            monkeypatch.setattr(f"balance.engine.{place}", lambda *_, **__: pytest.fail("it works again"))

    return forbid


def ask(**means: Any) -> Result[Any]:
    return CALLS["match-ups"](jobs=1, **means)


def files() -> list[Path]:
    return sorted(Path("cache/kept").rglob("*.json"))


@pytest.mark.parametrize("asked", list(CALLS))
def test_who_asks_again_gets_the_same_answer_and_nothing_is_played(asked: str, no_work: Callable[[], None]) -> None:
    first = CALLS[asked](jobs=1)
    assert (first.kept_since, len(files())) == ("", 1)
    no_work()
    again = CALLS[asked](jobs=2, executor="threads", quiet=True)
    assert again.kept_since[:2] == "20"
    assert json.dumps(again.to_dict()) == json.dumps(first.to_dict())
    assert (str(again), str(again.explain()), again.notes) == (str(first), str(first.explain()), first.notes)
    assert repr(again) == repr(first)
    assert {name: frame.rows() for name, frame in again.tables.items()} == {
        name: frame.rows() for name, frame in first.tables.items()
    }


def test_an_answer_that_stands_on_more_than_plain_values_is_worked_out_again() -> None:
    first, again = (balance.tornado(*PAIR[:1], "duel", *PAIR[1:], over="units", jobs=1) for _ in range(2))
    assert (again.kept_since, files(), again.to_dict()) == ("", [], first.to_dict())


def test_a_quick_answer_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "WORTH_KEEPING", 1e9)
    ask()
    assert not files()


def test_the_command_says_so_in_one_line_and_prints_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["luck", "warforged", "attack", *FIELD]
    for form in ((), ("--json",), ("--more",)):
        said = []
        for _ in range(2):
            assert main([*words, *form]) == 0
            said.append(capsys.readouterr())
        assert said[0].out == said[1].out
        assert said[1].err.startswith("kept since 20")
        assert said[1].err.endswith("; --fresh works it out anew\n")
    assert main([*words, "--fresh"]) == 0
    assert capsys.readouterr().err == ""
    assert main([*words, "--no-cache"]) == 0
    assert capsys.readouterr().err == ""


# -- what asks anew ----------------------------------------------------------------------------------------------------


def test_fresh_works_it_out_anew_and_keeps_that(no_work: Callable[[], None]) -> None:
    first = CALLS["price"](jobs=1)
    files()[0].write_bytes(b"")  # which a fresh question does not even read
    again = CALLS["price"](jobs=1, fresh=True)
    assert (again.kept_since, again.to_dict()) == ("", first.to_dict())
    assert CALLS["price"](jobs=1).kept_since
    no_work()
    with pytest.raises(pytest.fail.Exception, match="it works again"):
        CALLS["price"](jobs=1, fresh=True)


def test_without_a_cache_nothing_is_read_or_written() -> None:
    ask()
    (file,) = files()
    before = file.stat().st_mtime_ns
    assert ask(cache=False).kept_since == ""
    assert (files(), file.stat().st_mtime_ns) == ([file], before)


def test_results_that_are_to_be_verified_are_worked_out() -> None:
    ask()
    assert ask(executor="threads", verify="100%").kept_since == ""


def test_another_question_is_asked_anew() -> None:
    ask()
    others = [
        balance.matchups("warforged", among=FIELD, seed=1),
        balance.matchups("warforged", among=FIELD, against=FIELD[:1]),
        balance.matchups("warforged", among=FIELD, set=["rules.faces=0-9"]),
        balance.matchups("warforged", "attack", among=FIELD),
    ]
    assert not any(other.kept_since for other in others)
    assert len(files()) == 5


def test_another_catalogue_is_asked_anew() -> None:
    first = CALLS["price"](jobs=1)
    write_catalogue(Path("data/tug"), [("b0", 10, 1000), ("b1", 12, 1100), ("b2", 17, 1500)], [("rope", 0, 100)])
    again = CALLS["price"](jobs=1)
    assert (again.kept_since, again.to_dict() == first.to_dict()) == ("", False)


@pytest.mark.parametrize("name", ["fingerprint", "_libraries"])
def test_another_program_asks_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ask()
    home = source if name == "fingerprint" else kept
    monkeypatch.setattr(home, name, lambda *_: "another")
    assert ask().kept_since == ""


def test_a_game_file_is_asked_anew_after_any_change_of_it() -> None:
    balance.new_game("iron", template="hit-wound-save")
    file = next(Path().glob("iron*.toml"))
    for text in (file.read_text(), f"{file.read_text()}\n# a word more\n"):
        file.write_text(text)
        balance.matchups(str(file))
    assert len(files()) == 2
    assert balance.matchups(str(file)).kept_since


def test_a_game_whose_sources_nobody_knows_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "package_of", lambda _: "")
    ask()
    assert not files()


def test_a_call_that_writes_a_file_writes_it_every_time() -> None:
    def page(out: str | None) -> Result[Any]:
        return balance.page(*PAIR, out, kinds="attack", answers=1, reach=1)

    for _ in range(2):
        page(None)
        Path("what-if.html").unlink()

    assert (page("one.html").kept_since, page("two.html").kept_since, files()) == ("", "", [])
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()
    with pytest.raises(balance.BalanceError, match="already there"):
        page("one.html")


def test_what_is_wrong_is_said_as_ever() -> None:
    ask()
    with pytest.raises(UsageError, match="nobody"):
        balance.matchups("warforged", among="nobody")
    with pytest.raises(UsageError, match="no game"):
        balance.matchups("nowhere")
    with pytest.raises(UsageError, match="no share"):
        ask(verify="all")


# -- files of others ---------------------------------------------------------------------------------------------------


def _signed(body: object) -> bytes:
    text = json.dumps(body)
    return json.dumps([hashlib.sha256(text.encode()).hexdigest(), text]).encode()


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (Path("harm"), "done")


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", pickle.dumps(Evil()), pickle.dumps([Evil()]), b"\x00" * 100, _signed(["other", [1]])],
)
def test_a_broken_or_foreign_file_counts_as_not_there(content: bytes) -> None:
    first = ask()
    (file,) = files()
    file.write_bytes(content)
    with pytest.warns(UserWarning, match="is damaged"):
        again = ask()
    assert (again.kept_since, again.to_dict()) == ("", first.to_dict())
    assert not Path("harm").exists()
    assert ask().kept_since


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("words", "os:system"),
        ("words", "balance.base.files:write_whole"),
        ("words", "balance.__main__:main"),
        ("words", "balance.answers.words.matchups:nothing"),
        ("drawing", "os:system"),
        ("plain", {"dict": [["no_such_part", 1]]}),
        ("value", {"record": ["subprocess:Popen", {"args": "true"}]}),
    ],
)
def test_a_well_formed_file_of_a_stranger_runs_nothing(part: str, value: object) -> None:
    first = ask()
    (file,) = files()
    name, rows = json.loads(json.loads(file.read_bytes())[1])
    rows[0]["dict"] = [[key, value if key == part else old] for key, old in rows[0]["dict"]]
    file.write_bytes(_signed([name, rows]))
    with pytest.warns(UserWarning, match="is damaged"):
        again = ask()
    assert (again.kept_since, again.to_dict()) == ("", first.to_dict())


def test_a_question_is_packed_as_what_was_asked() -> None:
    game = load("warforged")
    question = game.ask("duel", FIELD[0], FIELD[1], {"a.armour": 3}, "a")
    again = unpack(json.loads(json.dumps(pack(question))), game)
    assert (again, again.setup) == (question, question.setup)
    with pytest.raises(ValueError, match="not known here"):
        unpack(pack(question))


def test_a_result_with_words_of_its_own_is_not_kept() -> None:
    assert parts_of_result(balance.dice("2d6")) is None or result_of_parts(parts_of_result(balance.dice("2d6")) or {})
    assert parts_of_result(balance.duel(*PAIR)) is None  # whose sliders need more than its values


# -- folders -----------------------------------------------------------------------------------------------------------


def test_what_was_longest_unused_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    store = SharedAnswers(Path("cache"), "kept")
    for at, name in enumerate(("aa1", "bb1", "cc1")):
        store.add(name, [np.zeros(1000)])
        os.utime(Path("cache/kept") / name[:2] / f"{name}.json", (at, at))
    assert sum(path.stat().st_size for path in files()) > 30_000
    monkeypatch.setattr(SharedAnswers, "tidy", partialmethod(SharedAnswers.tidy, 12_000))
    ask()  # which makes room
    assert [path.stem for path in files() if path.stem in ("aa1", "bb1", "cc1")] == ["cc1"]


@pytest.mark.parametrize("there", ["a file", "nothing that can be made"])
def test_a_folder_that_cannot_be_used_breaks_no_answer(there: str, tmp_path: Path) -> None:
    first = ask(cache=False)
    place = tmp_path / "full"
    place.write_text("no folder")
    with pytest.warns(UserWarning, match="the cache is not used any more"):
        answer = ask(cache=place if there == "a file" else place / "deep")
    assert answer.to_dict() == first.to_dict()
