"""Who may fight: the armies of the catalogue, Units written out, what may be changed, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.base.errors import BalanceError
from balance.catalogue import check_folder, unsourced_values
from balance.cli.main import main
from balance.games.edadh.cards.armies import parse_army
from balance.games.edadh.cards.catalogue import SPEC
from balance.games.edadh.cards.records import ArmyCard, MasteryValue, Troop

GAME = balance.load("edadh")
DATA = Path(__file__).parents[4] / "data" / "edadh"
EXAMPLES_FILE = Path(__file__).parents[1] / "edadh_examples.json"
EXAMPLES = {example["id"]: example for example in json.loads(EXAMPLES_FILE.read_text("utf-8"))}
LEARNING = ("angueth_learning", "huaos_dzaa_learning")


def asked(one: str, other: str = LEARNING[1], changes: Any = None, **choices: str) -> balance.Question:
    return GAME.ask("duel", one, other, changes, **choices)


@pytest.mark.rule("WE-SETUP.2", "WE-LEVEL.2")
def test_armies_are_the_rulebooks() -> None:
    troops, armies = GAME.catalogue.entries(Troop), GAME.catalogue.entries(ArmyCard)
    for name, kind in (("WE-E19", "learning"), ("WE-E20", "terrain")):
        for faction, letter in (("angueth", "A"), ("huaos_dzaa", "H")):
            army, expect = armies[f"{faction}_{kind}"], EXAMPLES[name]["expect"][letter]
            assert [troops[troop].name for troop in army.front] == expect["front"]
            assert [troops[troop].name for troop in army.second] == expect["second"]
    assert armies["angueth_terrain"].terrain == EXAMPLES["WE-E20"]["given"]["terrain"].lower()


@pytest.mark.rule("WE-NOATT.1")
def test_who_has_no_att() -> None:
    troops = GAME.catalogue.entries(Troop)
    assert troops["blunderbuss"].ballistic_att is None
    assert all(troop.melee_att is not None for troop in troops.values())


@pytest.mark.rule("WE-SETUP.1", "WE-SETUP.2")
@pytest.mark.parametrize(
    ("text", "ranks", "name"),
    [
        ("spears:3/swords:3", (("spears",) * 3, ("swords",) * 3), "3 Spears / 3 Swords"),
        ("spears:2+swords/swords", (("spears", "spears", "swords"), ("swords",)), "2 Spears + 1 Swords / 1 Swords"),
        ("Archers", (("archers",),), "1 Archers"),
        ("gunners:2/gunners/spears", (("gunners",) * 2, ("gunners",), ("spears",)), "2 Gunners / 1 Gunners / 1 Spears"),
    ],
)  # fmt: skip
def test_units_written_out(text: str, ranks: Any, name: str) -> None:
    army = parse_army(GAME.catalogue, text)
    assert (army.ranks, army.name) == (ranks, name)
    assert GAME.cost_points(text) == sum(len(rank) for rank in ranks)


@pytest.mark.rule("WE-SETUP.2")
def test_a_written_unit_fights_as_its_army_does() -> None:
    army, written = (
        asked(text).simulate(4096, seed=2).distribution for text in (LEARNING[0], "shieldsmen:3/shieldmaidens:3")
    )
    assert army.marginal("winner").p == pytest.approx(written.marginal("winner").p, abs=0.05)
    mixed = asked("shieldsmen:2+spears/swords:3", changes={"rules.mixed_units": True})
    assert mixed.setup.inputs["a"]["front"] == ["shieldsmen", "shieldsmen", "spears"]


@pytest.mark.parametrize(
    ("one", "changes", "complaint"),
    [
        (LEARNING[0], {"a.shieldsmen.melee.att": 300}, "0 to 98"),
        (LEARNING[0], {"situation.level": "mounted"}, "ballistic, charge, melee"),
        ("archers:3/clanmaidens:3/shieldsmen:3/shieldmaidens:3", {"situation.level": "charge"}, "too large"),
    ],
)  # fmt: skip
def test_what_is_refused(one: str, changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BalanceError, match=complaint):
        asked(one, changes=changes)


def test_one_stat_moved_by_one() -> None:
    changed = asked(LEARNING[0], changes={"a.shieldsmen.melee.att": 6, "a.shieldmaidens.psyche": 7})
    cards = changed.setup.inputs["a"]["troops"]
    assert (cards["shieldsmen"]["melee_att"], cards["shieldmaidens"]["psyche"]) == (6, 7)
    plain = asked(LEARNING[0]).setup.inputs["a"]["troops"]
    assert (plain["shieldsmen"]["melee_att"], plain["shieldmaidens"]["psyche"]) == (5, 6)
    better, usual = (q.simulate(30_000, seed=4, lane="compiled").p_win()["a"] for q in (changed, asked(LEARNING[0])))
    assert better > usual + 0.02


def test_what_a_card_prints_may_be_written() -> None:
    changed = asked("spears", changes={"a.spears.melee.piercing": "*", "a.spears.melee.att": "*(5)"})
    card = changed.setup.inputs["a"]["troops"]["spears"]
    assert (card["melee_piercing"], card["melee_att"]) == (99, None)
    with pytest.raises(BalanceError, match=r"'\*\*' is not a number; allowed: a whole number from 0 to 99 or \*"):
        asked("spears", changes={"a.spears.melee.piercing": "**"})


def test_a_table_may_hold_what_a_card_prints(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "edadh")
    troops = tmp_path / "edadh" / "troops.csv"
    troops.write_text(troops.read_text("utf-8").replace(",99,8,", ",*,8,").replace(",0,,4,0,", ",0,*(5),4,0,"), "utf-8")
    assert "*(5)" in troops.read_text("utf-8")
    assert balance.load("edadh", tmp_path / "edadh").catalogue.sha256 == GAME.catalogue.sha256


@pytest.mark.parametrize(
    "sides", [("spears", "shieldsmen"), pytest.param(LEARNING, marks=pytest.mark.slow)], ids=["small", "learning"]
)
def test_policies_on_the_command_line(sides: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["duel", "edadh", *sides, "--policy-a", "low", "--policy-b=high", "--trials", "500", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["inputs"]["choices"] == {"policy_a": "low", "policy_b": "high"}
    assert main(["duel", "edadh", *sides, "--policy-a", "lw", "--trials", "9"]) == 2
    assert "did you mean low" in capsys.readouterr().err
    assert main(["duel", "edadh", *sides, "--policy-a", "low", "--choose", "policy_a=high", "--trials", "9"]) == 2
    assert "chosen twice" in capsys.readouterr().err


@pytest.mark.slow("test_policies_on_the_command_line")
def test_a_duel_of_many_cards_is_simulated_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "edadh", *LEARNING, "--trials", "500"]) == 0
    shown = capsys.readouterr().out
    assert "simulated" in shown
    assert "exact  " not in shown, "nothing here is exact"


def test_every_value_has_a_source() -> None:
    assert unsourced_values(GAME.catalogue) == []


@pytest.mark.rule("WE-CARD.1")
def test_a_wrong_catalogue_is_told(tmp_path: Path) -> None:
    assert check_folder(SPEC, DATA) == []
    for file, old, new, complaint in (
        ("mastery.csv", "\n7,1,", "\n7,3,", "is not the other end"),
        ("mastery.csv", "\n12,6,", "\n13,6,", "one row per CV"),
        ("armies.csv", "spears;spears;spears", "spears;spears;speers", "is not in troops"),
        ("stratagems.csv", ",def,1,", ",def,1,knights", "is not in troops"),
        ("mixes.csv", "High cards,0,0,0,0,0,0,1,1,1,1,1,1", "High cards,0,0,0,0,0,0,0,0,0,0,0,0", "needs a card"),
        ("players.csv", "Low cards,low", "Low cards,lowest", "is not in mixes"),
    ):
        folder = tmp_path / f"{file}{len(complaint)}"
        shutil.copytree(DATA, folder)
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1), "utf-8")
        assert any(complaint in fault.message for fault in check_folder(SPEC, folder))
    assert len(GAME.catalogue.entries(MasteryValue)) == 12
