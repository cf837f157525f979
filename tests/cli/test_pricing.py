"""`balance price`: what everything should cost, and what one card could change instead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from balance.analysis.prices.price_list import price_list
from balance.base.progress import line_of
from balance.game.loaded import load
from balance.game.registry import GAMES
from tests.analysis.conftest import write_catalogue as write_cards
from tests.cli.conftest import Command
from tests.cli.price_screens import BODIES, SCREENS, TOOLS, kept, printed
from tests.tug import write_catalogue

WORDS = {"fair", "too dear", "too cheap", "not yet known", "not worth taking", "not measurable here"}


@pytest.fixture(autouse=True)
def tug(monkeypatch: pytest.MonkeyPatch, elsewhere: Path) -> None:
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    write_catalogue(elsewhere / "data" / "tug", BODIES, TOOLS)


@pytest.mark.parametrize("name", list(SCREENS))
def test_what_is_printed_is_as_it_was(name: str) -> None:
    assert printed(name) == kept(name)


def found(balance: Command, *arguments: str) -> dict[str, Any]:
    done = balance("price", "tug", *arguments, "--json", "--jobs", "1")
    assert (done.status, done.err) == (0, "")
    return dict(json.loads(done.out))


def test_json_of_all_has_the_keys_that_were_promised(balance: Command) -> None:
    told = found(balance, "--seed", "4")
    assert list(told) == [
        *("schema", "game", "verb", "is_fair", "loadouts", "cards", "proposal", "no_whole_cost"),
        *("typical_match_up", "unfair", "scale", "settings", "card_sums", "other_numbers"),
    ]
    assert (told["schema"], told["game"], told["verb"]) == (1, "tug", "price")
    assert list(told["cards"]) == ["ant", "rope", "chain", "belt", "ox", "elk", "cow"]
    assert list(told["loadouts"]) == [f"{body[0]}+{tool[0]}" for body in BODIES for tool in TOOLS]
    keys = ["label", "cost", "fair", "low", "high", "dice_low", "dice_high"]
    keys += ["verdict", "because", "depends", "tolerance", "battles", "elsewhere", "in_every_setting"]
    keys += ["strictly_worse", "dominated_by", "lead", "lead_error"]
    for row in (*told["cards"].values(), *told["loadouts"].values()):
        assert [key for key in row if key not in ("table", "proposed_cost", "whole_cost")] == keys
        assert (row["lead"] is None) == (row["dominated_by"] is None)
        assert row["low"] <= row["dice_low"] <= row["fair"] <= row["dice_high"] <= row["high"]
        assert row["verdict"] in WORDS
    ox = told["cards"]["ox"]
    assert (told["is_fair"], ox["verdict"], ox["proposed_cost"]) == ("no", "too cheap", 26)
    proposed = {name for name, card in told["cards"].items() if card["proposed_cost"] is not None}
    assert proposed <= {"ox", "ant"}  # an ant costs 7 or 8 with its tool, of which its strength is worth 6 to 6.6
    match_up = told["typical_match_up"]
    assert match_up["before"]["off"] > 0.06 > match_up["after"]["off"] - 2 * match_up["after"]["error"]
    unfair = told["unfair"]
    assert (list(unfair), unfair["of_pairs"]) == (["of_pairs", "share_of_strength", "pairs", "cycle"], 66)
    assert list(told["scale"]) == ["slope", "low", "high", "verdict", "because"]
    settings = told["settings"]
    assert (settings["kind"], settings["seed"], settings["changes"], settings["choices"]) == ("lineup", 4, [], {})
    assert settings["budgets"] == [{"points": 100.0, "units": 4.0}, {"points": 200.0, "units": 8.0}]


UNITS, WEAPONS = ("trooper", "vanguard", "spectre"), ("shotgun", "assault_rifle", "pulse_pistol")


@pytest.mark.slow("test_what_is_printed_is_as_it_was")
def test_prices_of_all_of_warforged_are_told_from_end_to_end(
    balance: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.analysis.prices.price_list.price_list", partial(price_list, n_battles=200))
    monkeypatch.setattr("balance.analysis.play.playing.N_PAIRS", 128)
    write_cards(elsewhere / "few", {name: {} for name in UNITS}, {name: {} for name in WEAPONS})
    words = [
        "price",
        "warforged",
        "--kind",
        "lineup",
        "--catalogue",
        "few",
        "--jobs",
        "1",
        "--cache",
        "cache",
        "--quiet",
    ]
    done = balance(*words, "--json")
    assert (done.status, done.err) == (0, "")
    told = json.loads(done.out)
    check_prices(told, UNITS, WEAPONS)
    assert told["loadouts"]["trooper+shotgun"]["verdict"] == "too cheap"
    assert told["loadouts"]["spectre+pulse_pistol"]["dominated_by"] is not None
    assert told["settings"]["budgets"][0] == {"points": 150.0, "units": 4.0}
    page = balance(*words, "--more")
    assert (page.status, page.err) == (0, "")
    first, *lines = page.out.splitlines()
    assert first == "Warforged, table edition: is it fair?  where armies of equal points meet"
    assert any(line.startswith("  Trooper + Shotgun") and "22" in line.split() for line in lines)
    assert any(line.startswith("  Judged in line-ups without a board") for line in lines)


@pytest.mark.slow
def test_prices_of_every_shipped_card_are_told(balance: Command) -> None:
    done = balance("price", "warforged", "--kind", "lineup", "--json", "--no-cache", "--quiet")
    assert (done.status, done.err) == (0, "")
    loaded = load("warforged")
    check_prices(json.loads(done.out), loaded.catalogue.tables["units"], loaded.catalogue.tables["weapons"])


def check_prices(told: dict[str, Any], units: Iterable[str], weapons: Iterable[str]) -> None:
    """Every legal loadout of these cards has a price, and every card."""
    assert set(told["cards"]) == {*units, *weapons}
    legal = {f"{unit}+{weapon}" for unit in units for weapon in weapons}
    assert set(told["loadouts"]) == legal & {*load("warforged").entrants}
    for row in (*told["cards"].values(), *told["loadouts"].values()):
        assert 0 <= row["low"] <= row["fair"] <= row["high"]
        assert row["verdict"] in WORDS or all(facet in row["verdict"] for facet in ("depends on ", *row["depends"]))
        assert row["because"]
    assert list(told["scale"]) == ["slope", "low", "high", "verdict", "because"]


@pytest.mark.slow("test_json_of_all_has_the_keys_that_were_promised")
def test_a_proposal_of_few_changes_has_those_that_mend_most_and_is_played(balance: Command, elsewhere: Path) -> None:
    """An ox is 30 % too cheap and an elk 60 %; prices do not hang on how much may change."""
    bodies = [("ant", 6, 60), ("ox", 20, 260), ("elk", 13, 208), ("cow", 30, 300), ("yak", 24, 240), ("hen", 9, 90)]
    write_catalogue(elsewhere / "data" / "tug", bodies, TOOLS[:1])
    few, every = found(balance, "--changes", "1"), found(balance)
    assert (few["loadouts"], few["settings"]) == (every["loadouts"], every["settings"])
    assert (list(few["proposal"]["costs"]), {*every["proposal"]["costs"]}) == (["elk"], {"elk", "ox"})
    for told in (few, every):
        proposal, typical = told["proposal"], told["typical_match_up"]
        assert (proposal["before"], proposal["after"]) == (typical["before"], typical["after"])
        assert proposal["gain"] > 2 * proposal["gain_error"] > 0
        changed = {
            name: row["proposed_cost"] for name, row in told["cards"].items() if row["proposed_cost"] is not None
        }
        assert changed == proposal["costs"]
    assert every["proposal"]["after"]["off"] < few["proposal"]["after"]["off"] < few["proposal"]["before"]["off"]


@pytest.mark.slow("test_json_of_all_has_the_keys_that_were_promised")
def test_warforged_is_judged_on_its_board_and_line_ups_stand_beside(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("balance.analysis.play.playing.N_PAIRS", 128)
    words = ["price", "warforged", "--among", "trooper+shotgun,nexus+shotgun,vanguard+pulse_pistol", "--battles", "300"]
    told = json.loads(balance(*words, "--json", "--jobs", "1", "--quiet").out)
    assert (told["settings"]["kind"], told["settings"]["beside"]) == ("battle", ["lineup", "lineup, actions per unit"])
    for row in (*told["cards"].values(), *told["loadouts"].values()):
        assert [other["setting"] for other in row["elsewhere"]] == told["settings"]["beside"]
    screen = balance(*words, "--jobs", "1", "--quiet").out
    assert "Judged in battles on the board" in " ".join(screen.split())


@pytest.mark.parametrize("words", [(), ("ox",), ("ox+rope",), ("ox", "--tolerance", "1:0.5")])
def test_no_row_says_fair_while_its_own_interval_reaches_beyond_the_tolerance(
    balance: Command, words: tuple[str, ...]
) -> None:
    rows = list(judged_rows(found(balance, *words)))
    fair = [row for row in rows if row["verdict"] == "fair"]
    assert fair or "--tolerance" in words
    for row in fair:
        assert row["cost"] - row["tolerance"] <= row["low"] <= row["high"] <= row["cost"] + row["tolerance"]


def judged_rows(told: Any) -> Iterable[dict[str, Any]]:
    """Yield every object that holds a verdict on a cost, wherever it stands."""
    if isinstance(told, dict):
        if {"verdict", "cost"} <= told.keys():
            yield told
        told = list(told.values())
    if isinstance(told, list):
        for one in told:
            yield from judged_rows(one)


@pytest.mark.slow("test_a_tolerance_that_is_none_is_refused")
def test_the_tolerance_can_be_set_and_is_told(balance: Command) -> None:
    narrow = found(balance, "--tolerance", "2,5%:0.5")
    assert narrow["settings"]["tolerance"] == {"share": 0.025, "points": 0.5, "grid": 1.0}
    assert narrow["cards"]["ox"]["tolerance"] == 0.5
    assert found(balance)["settings"]["tolerance"] == {"share": 0.1, "points": None, "grid": 1.0}
    assert found(balance, "--tolerance", "30")["settings"]["tolerance"] == {"share": 0.3, "points": None, "grid": 1.0}
    wide = balance("price", "tug", "--tolerance", "40:9", "--jobs", "1", "--quiet").out
    assert "Fair is within 40%, at least 9 points (--tolerance 40:9)." in " ".join(wide.split())


def test_one_unit_alone_is_judged_nowhere(balance: Command, elsewhere: Path) -> None:
    write_catalogue(elsewhere / "data" / "tug", [("ant", 10, 60)], [("rope", 0, 100)])
    said = "Ant with Rope alone cannot be judged: points are only compared with those of another"
    told = found(balance)
    rows = [*told["loadouts"].values(), *told["cards"].values()]
    assert {(row["verdict"], row["because"]) for row in rows} == {("not measurable here", said)}
    for words in (("--more",), ("ant",), ("ant+rope", "--more")):
        screen = " ".join(balance("price", "tug", *words, "--jobs", "1", "--quiet").out.split())
        assert said.lower() in screen.lower()
        assert ": fair" not in screen
        assert "Nothing to change" not in screen


@pytest.mark.slow("test_what_is_printed_is_as_it_was")
def test_where_everything_costs_a_point_fair_is_what_no_whole_cost_mends(balance: Command, elsewhere: Path) -> None:
    """Of 1 and 2 points the latter is nearer from their geometric mean on, the square root of 2."""
    write_catalogue(elsewhere / "data" / "tug", [("ant", 1, 60), ("elk", 1, 100), ("cow", 1, 190)], [("rope", 0, 100)])
    told = found(balance, "--budget", "8:8,16:16")
    assert [told["loadouts"][name]["verdict"] for name in ("ant+rope", "cow+rope")] == ["fair", "too cheap"]
    assert told["loadouts"]["cow+rope"]["fair"] > 2**0.5


@pytest.mark.parametrize("typed", ["ten", "x:2", "10:", "-1:2", "101:2", "10:1000000", "nan:2", "1e1:2"])
def test_a_tolerance_that_is_none_is_refused(balance: Command, typed: str) -> None:
    done = balance("price", "tug", f"--tolerance={typed}")
    allowed = "allowed: PERCENT or PERCENT:POINTS, up to 100 per cent and 100,000 points; such as 10:2"
    assert (done.status, done.err) == (2, f"error: --tolerance: {typed!r} is no tolerance; {allowed}\n")


@pytest.mark.parametrize("name", [name for name in SCREENS if not name.endswith("more")])
def test_a_first_screen_is_one(name: str) -> None:
    lines = kept(name).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_a_first_screen_with_all_there_is_to_say_is_one(balance: Command) -> None:
    lines = balance("price", "battlelore", "giant_spider", "--no-cache", "--quiet").out.splitlines()
    assert len(lines) <= 24
    assert any(" No whole cost is fair: 2 would be too dear" in text for text in lines)


@pytest.mark.slow("tests/verbs/test_armies.py::test_the_answer_is_that_of_the_command")
def test_json_of_a_card_tells_the_same_price_and_what_could_change(balance: Command) -> None:
    told, every = found(balance, "ox"), found(balance)
    assert list(told) == [
        *("schema", "game", "verb", "card", "table", "price", "alternatives", "steps", "readings", "settings", "holds")
    ]
    assert (told["card"], told["table"]) == ("ox", "bodies")
    whole_costs = {"proposed_cost", "whole_cost"}  # which are told of all cards together
    assert told["price"] | dict.fromkeys(whole_costs) == every["cards"]["ox"] | dict.fromkeys(whole_costs)
    assert told["settings"] == every["settings"] | {"battles_a_change": 4096, "changes_played_in": "lineup"}
    assert told["alternatives"][0]["field"] == "cost_points"
    assert {row["field"] for row in told["steps"]} == {"strength"}
    assert [row["rule"] for row in told["readings"]] == ["steep"]
    loadout = found(balance, "ox+rope")
    assert (loadout["card"], loadout["table"]) == ("ox+rope", None)
    assert loadout["price"] == every["loadouts"]["ox+rope"]


def test_what_is_set_and_chosen_is_played(balance: Command) -> None:
    told = found(balance, "--set", "situation.mud=yes", "--choose", "pull_a=lazily", "--budget", "50:3,90:5")
    settings = told["settings"]
    assert settings["changes"] == ["situation.mud=yes"]
    assert settings["choices"] == {"pull_a": "lazily"}
    assert settings["budgets"] == [{"points": 50.0, "units": 3.0}, {"points": 90.0, "units": 5.0}]
    fair = [row["fair"] for row in told["loadouts"].values()]
    assert max(fair) == pytest.approx(min(fair))  # in mud all are alike


@pytest.mark.slow("tests/verbs/test_armies.py::test_the_answer_is_that_of_the_command")
def test_the_number_of_workers_changes_nothing(balance: Command) -> None:
    one = balance("price", "tug", "ox", "--json", "--jobs", "1").out
    assert one == balance("price", "tug", "ox", "--json", "--jobs", "2", "--executor", "threads").out


REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "card": (
        ("tug", "oxx"),
        "'oxx' is no card and no loadout that has a price; allowed: ant, rope, chain, belt, ox, elk, cow; "
        "or a loadout such as ant+rope; did you mean ox?",
    ),
    "card of no price of its own": (
        ("battlelore", "red_mounted", "--no-cache"),
        "'red_mounted' has no cost of its own; allowed: a loadout that holds it: red_mounted+long_sword",
    ),
    "set": (
        ("tug", "--set", "situation.mod=1"),
        "--set situation: 'mod' is not a field; allowed: mud; did you mean mud?",
    ),
    "side": (("tug", "--set", "a.mud=1"), "--set: 'a' is not something to set here; allowed: situation, rules"),
    "choose": (("tug", "--choose", "pull_a=x"), "'x' is not a choice of pull_a; allowed: hard, lazily"),
    "choice": (("tug", "--choose", "pull"), "--choose: 'pull' is not a choice; allowed: NAME=VALUE"),
    "budget": (
        ("tug", "--budget", "150,x:4,1e9:4,200:0"),
        "\nerror: ".join(
            f"--budget: '{part}' is no budget; allowed: POINTS:UNITS, at most 100,000 points and 64 units; "
            "such as 150:4,250:7"
            for part in ("150", "x:4", "1e9:4", "200:0")
        ),
    ),
    "falling": (("tug", "--budget", "200:8,100:4"), "budgets rise, found 200, 100"),
    "seed": (("tug", "--seed", "-1"), "a seed is a whole number from 0 to 2**128 - 1, found -1"),
    "no armies": (
        ("edadh",),
        "armies are not bought for points in War for Edadh: every army costs 6 cards; so there is no price to judge "
        "and no best army to search for; ask instead: balance duel edadh A B (who wins a duel), or balance report "
        "edadh (who is stronger, and who loses alone)",
    ),
    "few of one": (
        ("tug", "ox", "--changes", "2"),
        "--changes is about all cards together, found 'ox' beside it; leave one of them out",
    ),
    "no change": (
        ("tug", "--changes", "0"),
        "--changes: '0' is out of range; allowed: a whole number from 1 to 20\nTry 'balance price --help'.",
    ),
    "no game": (("tugs",), "there is no game 'tugs'; did you mean tug?"),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_makes_no_sense_is_refused_at_once(name: str, balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "balance.analysis.prices.price_list.price_list", lambda *_, **__: pytest.fail("the long work began")
    )
    arguments, said = REFUSED[name]
    done = balance("price", *arguments, "--json")
    assert (done.status, done.out, done.err) == (2, "", f"error: {said}\n")


@pytest.mark.parametrize(
    ("words", "stages"),
    [
        (("price", "tug", "ox"), ["ways of playing", "battles of armies", "duels", "changes tried"]),
        (("tune", "tug", "--out", "new.toml"), ["battles of armies", "scores of armies"]),
    ],
)
def test_it_is_told_how_far_it_is_with_all_its_stages(
    balance: Command, words: tuple[str, ...], stages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[Any]()
    monkeypatch.setattr(f"balance.verbs.{'prices' if words[0] == 'price' else 'armies'}.tell", told.append)
    assert balance(*words, "--jobs", "1", "--no-cache").status == 0
    shares = [one for one in told if one.total == 1000]
    assert shares[0].n_done == 0
    assert list(dict.fromkeys(one.work for one in shares)) == [one for one in stages if one in {n.work for n in shares}]
    assert {"battles of armies", stages[-1]} <= {one.work for one in shares}
    assert max(one.n_done for one in shares) >= 900
    assert all(" done" in line_of(one) for one in shares)


@pytest.mark.slow("test_it_is_told_how_far_it_is_with_all_its_stages")
def test_what_a_card_should_cost_is_told_with_its_interval_long_before_all_is_done(
    balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()
    monkeypatch.setattr("balance.verbs.prices.tell_estimate", told.append)
    done = balance("price", "tug", "ox", "--jobs", "1", "--no-cache")
    numbers = [re.fullmatch(r"ox ([\d.]+) \(([\d.]+) to ([\d.]+)\), ([\d,]+) battles", one) for one in told]
    assert all(one is not None for one in numbers)
    texts = list(dict.fromkeys(one.groups() for one in numbers if one))
    battles = [int(one[3].replace(",", "")) for one in texts]
    assert battles[0] == 16384
    assert battles == sorted({*battles})
    assert not any(number % 16384 for number in battles)
    low, high = (float(text) for text in texts[0][1:3])
    assert low < 25 < high  # 20 points of strength 200, and this one has 250
    final = re.search(r"armies of equal points say ([\d.]+) \(", done.out)
    assert final is not None
    assert float(texts[-1][1]) <= float(final[1]) <= float(texts[-1][2])
    told.clear()
    assert balance("price", "tug", "--jobs", "1", "--no-cache", "--json").status == 0
    assert re.fullmatch(r"(\S+ [\d.]+ \([\d.]+ to [\d.]+\), ){1,3}[\d,]+ battles", told[0])
    assert not any(word in text for text in told for word in WORDS)


@pytest.mark.slow("test_what_makes_no_sense_is_refused_at_once")
def test_the_next_who_asks_finds_what_was_worked_out(
    balance: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ("--cache", str(tmp_path / "mine"))
    first = found(balance, "ox", *cache)
    kept_files = sorted((tmp_path / "mine" / "answers").rglob("*.json"))
    assert len(kept_files) >= 2  # fair costs, and duels
    monkeypatch.setattr("balance.analysis.prices.fits.fair_costs._solve", lambda *_: pytest.fail("worked out again"))
    assert found(balance, "ox", *cache) == first
    assert sorted((tmp_path / "mine" / "answers").rglob("*.json")) == kept_files
    monkeypatch.undo()


@pytest.mark.slow("test_what_makes_no_sense_is_refused_at_once")
def test_nothing_is_left_where_that_is_asked_for(balance: Command, tmp_path: Path) -> None:
    told = found(balance, "ox", "--no-cache", "--cache", str(tmp_path / "mine"))
    assert not (tmp_path / "mine").exists()
    (tmp_path / "full").write_text("no folder")
    done = balance("price", "tug", "ox", "--json", "--jobs", "1", "--cache", str(tmp_path / "full"))
    assert (done.status, json.loads(done.out)) == (0, told)
    assert done.err.startswith("warning: the cache is not used any more: ")
