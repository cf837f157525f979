"""The page about two cards says what the command says, and the command it names; offline, by keyboard, on a phone."""

from __future__ import annotations

import random
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import balance
from balance.base.paths import data_folder
from tests.browser.conftest import OpenPage
from tests.browser.kit import axe_violations

CARDS = ("warforged", "nexus+shotgun", "trooper+shotgun")
LARGEST = 15_000_000
ANSWERED = "number => Number(document.body.dataset.answered) >= number"
TURN = """setting => {
  turned = new Map(setting);
  history.replaceState(null, "", "#" + linkOf());
  fromLink();
  show();
  return Object.fromEntries(Object.keys(held.kinds).map(kind => [kind, [commandOf(kind, turned),
    answerTo(kind, turned).answer ?? null, byId(kind).querySelector(".now").textContent]]));
}"""
"""Moves dials as a link does, and returns the command, the answer and the words of each kind of question."""


@pytest.fixture(scope="module")
def file_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small page of two cards."""
    out = tmp_path_factory.mktemp("page") / "what-if.html"
    balance.page(*CARDS, out, kinds="attack,duel", answers=100, reach=1, cache=False, quiet=True)
    return out


def opened(open_page: OpenPage, file: Path, **more: Any) -> Page:
    page = open_page(file, **more)
    page.wait_for_function(ANSWERED, arg=1, timeout=30_000)
    return page


def same_as_the_command(page: Page, kinds: list[str], seed: int, many: int) -> int:
    """Move dials at random and ask the command that the page names; return how many answers were in the page."""
    luck, n_held = random.Random(seed), 0
    n_values: list[list[int]] = page.evaluate(
        "held.dials.map(({texts, base}) => texts.map((_, place) => place).filter(place => place !== base))"
    )
    for _ in range(many):
        places = sorted(luck.sample(range(len(n_values)), luck.randint(0, min(3, len(n_values)))))
        answers = page.evaluate(TURN, [[place, luck.choice(n_values[place])] for place in places])
        for kind in kinds:
            command, answer, words = answers[kind]
            if answer is None:
                assert "Not in this page" in words or words
                continue
            n_held += 1
            document = asked(command)["exact"]
            assert document["mean"] == answer["mean"], command
            assert document.get("p_win") == answer.get("p_win"), command
            assert {column: document["pmf"][column] for column in answer["pmf"]} == answer["pmf"], command
    return n_held


def asked(command: str) -> dict[str, Any]:
    """Ask what a command line asks, in this process."""
    program, kind, game, *words = shlex.split(command)
    assert program == "balance"
    n_before = 2 * (words[0] == "--catalogue")
    catalogue, one, other = words[1] if n_before else None, *words[n_before : n_before + 2]
    options: dict[str, list[str]] = {}
    for name, value in zip(words[n_before + 2 :: 2], words[n_before + 3 :: 2], strict=True):
        options.setdefault(name, []).append(value)
    first, changes, choices = options.get("--first", ["random"])[0], options.get("--set"), options.get("--choose")
    result = balance.ask(
        game, kind, one, other, first=first, set=changes, choose=choices, catalogue=catalogue, quiet=True
    )
    return result.to_dict()


def test_random_settings_equal_the_command(open_page: OpenPage, file_page: Path) -> None:
    page = opened(open_page, file_page)
    assert same_as_the_command(page, ["attack", "duel"], 48, 12) >= 12
    assert file_page.stat().st_size <= LARGEST
    assert axe_violations(page) == []


def test_the_command_of_own_cards_gives_the_same_answer_elsewhere(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, sides = tmp_path / "own cards", ("vanguard+shotgun", "aegis+laser_carbine")
    shutil.copytree(data_folder() / "warforged", own)
    text = (own / "weapons.csv").read_text("utf-8").replace("2,3,8,5", "2,3,6,5")
    (own / "weapons.csv").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    balance.page(
        "warforged",
        *sides,
        "x.html",
        kinds="attack",
        answers=1,
        reach=1,
        catalogue="own cards",
        cache=False,
        quiet=True,
    )
    monkeypatch.chdir(tmp_path.parent)
    page = opened(open_page, tmp_path / "x.html")
    command, answer, _ = page.evaluate(TURN, [])["attack"]
    assert asked(command)["exact"]["mean"] == answer["mean"]
    assert answer["mean"] != balance.attack("warforged", *sides, quiet=True).to_dict()["exact"]["mean"]
    assert page.locator("#attack code").text_content() == command
    assert (
        f"catalogue own cards {balance.load('warforged', own).catalogue.sha256[:12]}"
        in page.locator("footer").inner_text()
    )


CASES = [
    ("warforged", "vanguard+shotgun", "aegis+laser_carbine", ["attack", "kill", "duel"]),
    ("battlelore", "green_foot+common_bow", "blue_foot+short_sword", ["attack"]),
    ("immortal_souls", "ecarus", "blue_gremlin", ["attack"]),
    ("runewars", "spearmen+2x1", "spearmen+2x2", ["attack"]),
    ("edadh", "angueth_learning", "huaos_dzaa_learning", ["turn"]),
]


@pytest.mark.slow("test_random_settings_equal_the_command")
@pytest.mark.parametrize(("game", "one", "other", "kinds"), CASES, ids=[case[0] for case in CASES])
def test_two_hundred_random_settings_of_every_game_equal_the_command(
    open_page: OpenPage, tmp_path: Path, game: str, one: str, other: str, kinds: list[str]
) -> None:
    balance.page(game, one, other, tmp_path / "x.html", kinds=kinds, answers=300, reach=2, cache=False, quiet=True)
    page = opened(open_page, tmp_path / "x.html", width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert same_as_the_command(page, kinds, 48, 200) >= 100
    assert axe_violations(page) == []


@pytest.mark.slow("test_random_settings_equal_the_command")
@pytest.mark.parametrize("dark", [False, True])
def test_on_a_phone_by_keyboard_alone(open_page: OpenPage, file_page: Path, dark: bool) -> None:
    page = opened(open_page, file_page, width=390, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert axe_violations(page) == []
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert {f"d{place}" for place in range(page.evaluate("held.dials.length"))} <= reached
    page.locator("input[type=range]").first.focus()
    before = page.evaluate("document.querySelector('#duel .now').textContent")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.querySelector('#duel .now').textContent") != before
    assert page.locator("#summary").is_visible()
    page.locator("#reset").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector('#duel .now').textContent") == before
    assert axe_violations(page) == []


@pytest.mark.slow("test_random_settings_equal_the_command")
def test_a_link_says_what_was_moved(open_page: OpenPage, file_page: Path) -> None:
    page = opened(open_page, file_page)
    page.locator("input[type=range]").first.fill("0")
    address, words = page.evaluate("[location.href, document.querySelector('#duel .now').textContent]")
    other = opened(open_page, file_page, tail=address.partition("html")[2])
    assert "#" in address
    assert other.evaluate("document.querySelector('#duel .now').textContent") == words
    assert other.locator("input[type=range]").first.input_value() == "0"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"one": "nexsus+shotgun"}, "did you mean nexus"),
        ({"kinds": "attak"}, "did you mean attack"),
        ({"answers": 0}, "answers: "),
        ({"reach": 99}, "reach: "),
        ({"other": ""}, "the two cards"),
        ({"set": "x.dice=3"}, "begins no path"),
        ({"out": "page.pdf"}, "end it in .html"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(tmp_path: Path, words: dict[str, Any], said: str) -> None:
    call: dict[str, Any] = {
        **dict(zip(("game", "one", "other"), CARDS, strict=True)),
        "out": tmp_path / "x.html",
        **words,
    }
    with pytest.raises(balance.BalanceError, match=said):
        balance.page(**call)
    assert not [*tmp_path.iterdir()]
