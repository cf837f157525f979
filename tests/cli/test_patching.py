"""A patch is written by `price`, looked at, applied by `export`, and judged again, each by the command that is told."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from balance.analysis.changes.tuning.movable import cost_paths
from balance.answers.words.changes.patches import patch_lines, written
from balance.game.loaded import load
from balance.game.registry import GAMES, find_game, shipped_folder
from balance.study.settings.patch import Assignment, load_patch, patch_text
from tests.cli.conftest import Command
from tests.cli.price_screens import BODIES, TOOLS
from tests.tug import write_catalogue

PRICE = ("price", "tug", "--jobs", "1", "--quiet")
RAIL_LANCE = "weapons.rail_lance.cost_points"
OLD_PATCHES = {
    "a quoted path in set": '[set]\n"weapons.rail_lance.cost_points" = 28  # was 24\n',
    "tables in set": 'title = "Dearer"\n[set.weapons.rail_lance]\ncost_points = 28\n',
    "dotted keys in set": "set.weapons.rail_lance.cost_points = 28\n",
    "bare keys in set": "[set]\nweapons.rail_lance.cost_points = 28\n[limits]\nmax_newly_unfair = 4\n",
    "found by tune": "# Found by balance tune warforged, seed 0: Reached: 1 change, and all lie in it.\n\n"
    'title = "Tuned to 45% to 55%"\n\n[set]\n"weapons.rail_lance.cost_points" = 28  # was 24\n',
}


@pytest.fixture(autouse=True)
def tug(monkeypatch: pytest.MonkeyPatch, elsewhere: Path) -> None:
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    write_catalogue(elsewhere / "data" / "tug", BODIES, TOOLS)


def cost_of(balance: Command, game: str, card: str, *words: str) -> int:
    """Return what `show` says that a card costs."""
    (line,) = (line for line in balance("show", game, card, *words).out.splitlines() if line.startswith("  cost"))
    return int(re.findall(r"\d+", line)[0])


def test_costs_proposed_are_written_and_applied_by_the_command_that_is_told(balance: Command, elsewhere: Path) -> None:
    done = balance(*PRICE, "--patch", "costs.toml")
    assert (done.status, done.err) == (0, "")
    assert (elsewhere / "costs.toml").read_text("utf-8").partition("\n")[2] == (
        '\ntitle = "Costs proposed for Tug of war"\n\n'
        '[set]\n"bodies.ox.cost_points" = 26  # was 20; too cheap: 25 to 26.2\n'
        '"bodies.ant.cost_points" = 5  # was 6; too dear: 5 to 5.3\n'
    )
    assert done.out.endswith(
        "\nWrote costs.toml. What it does to everything: balance compare tug --patch costs.toml\n"
        "To apply it: balance export tug costs_catalogue --patch costs.toml\n"
        "To judge what that wrote: balance price tug --catalogue costs_catalogue\n"
    )
    assert balance("export", "tug", "costs_catalogue", "--patch", "costs.toml").out == (
        "Wrote 4 files into costs_catalogue. To use it: --catalogue costs_catalogue, or "
        "BALANCE_CATALOGUE=costs_catalogue\n"
    )
    assert cost_of(balance, "tug", "ox", "--catalogue", "costs_catalogue") == 26
    assert cost_of(balance, "tug", "ox") == 20


@pytest.mark.slow("test_costs_proposed_are_written_and_applied_by_the_command_that_is_told")
def test_costs_applied_are_compared_and_judged_by_the_commands_that_are_told(balance: Command, elsewhere: Path) -> None:
    patch = json.loads(balance(*PRICE, "--patch", "costs.toml", "--json").out)["patch"]
    compare, apply, again = (shlex.split(patch[name])[1:] for name in ("compare", "apply", "again"))
    compared = balance(*compare, "--format", "html", "--jobs", "1", "--quiet")
    assert (compared.status, compared.err) == (0, "")
    assert balance(*apply).status == 0
    judged = json.loads(balance(*again, "--json", "--jobs", "1", "--patch", "none.toml").out)
    ox = judged["cards"]["ox"]
    assert (ox["cost"], ox["proposed_cost"]) == (26, None)
    assert judged["patch"] == {"file": "none.toml", "compare": None, "apply": None, "again": None}
    assert not (elsewhere / "none.toml").exists()


def test_where_nothing_is_proposed_that_is_said_and_nothing_is_written(balance: Command, elsewhere: Path) -> None:
    write_catalogue(elsewhere / "fair", [("ant", 10, 1000), ("elk", 20, 2000)], [("rope", 0, 100)])
    done = balance(*PRICE, "--catalogue", "fair", "--patch", "costs.toml")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("\nNo change of costs is proposed, so costs.toml was not written.\n")
    assert not (elsewhere / "costs.toml").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ox", "--patch", "new.toml"), "--patch is about all cards together, found 'ox' beside it"),
        (("--patch", "old.toml"), "old.toml: is already there; name another file, or replace it with --force"),
        (("--patch", "new.txt"), "--patch: 'new.txt' is not a name for a patch; end it in .toml"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_long_work(
    balance: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr(
        "balance.analysis.prices.price_list.price_list", lambda *_, **__: pytest.fail("the long work began")
    )
    (elsewhere / "old.toml").write_text("mine")
    done = balance("price", "tug", *words)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert [path.name for path in elsewhere.glob("*.t*")] == ["old.toml"]
    assert (elsewhere / "old.toml").read_text() == "mine"


def test_costs_that_stand_on_no_card_are_refused_at_once(balance: Command) -> None:
    done = balance("price", "battlelore", "--patch", "costs.toml")
    assert done.status == 2
    assert done.err.startswith("error: --patch sets costs on cards, and ")
    assert done.err.endswith(" more have none there; leave it out\n")


def test_a_folder_that_holds_something_is_replaced_only_if_asked(balance: Command, elsewhere: Path) -> None:
    words = ("export", "warforged", "mine", "--patch", "patch_example.toml")
    assert balance(*words).status == 0
    assert cost_of(balance, "warforged", "rail_lance", "--catalogue", "mine") == 28
    assert "sound" in balance("check", "mine").out
    again = balance(*words)
    assert (again.status, again.out) == (2, "")
    assert again.err == "error: mine: is already there; name another folder, or replace it with --force\n"
    (elsewhere / "dearer.toml").write_text(f'[set]\n"{RAIL_LANCE}" = 33\n')
    forced = balance("export", "warforged", "mine", "--catalogue", "mine", "--patch", "dearer.toml", "--force")
    assert forced.status == 0
    assert cost_of(balance, "warforged", "rail_lance", "--catalogue", "mine") == 33
    assert load("warforged", "mine").catalogue.tables["weapons"]["shotgun"] == (
        load("warforged", "mine").catalogue.tables["weapons"]["shotgun"].model_copy(update={"precision": 7})
    )


def test_a_patched_workbook_is_imported_with_the_new_cost(balance: Command) -> None:
    assert balance("export", "warforged", "new.xlsx", "--patch", "patch_example.toml").status == 0
    assert balance("import", "warforged", "new.xlsx", "--to", "new").status == 0
    assert cost_of(balance, "warforged", "rail_lance", "--catalogue", "new") == 28


def test_a_patch_of_a_game_file_is_applied_to_a_new_file(balance: Command, elsewhere: Path) -> None:
    assert balance("new-game", "iron", "--template", "hit-wound-save").status == 0
    text = (elsewhere / "iron.toml").read_text("utf-8")
    game = load("iron.toml")
    path = cost_paths(game, game.entrants)["brute"]
    (elsewhere / "costs.toml").write_text(patch_text("Cheaper", [Assignment(path, "150", "135", "too dear: 1 to 2")]))
    lines = patch_lines(written(Path("costs.toml"), game))
    assert lines == (
        "Wrote costs.toml. What it does to everything: balance compare iron.toml --patch costs.toml",
        "To apply it: balance export iron.toml iron_costs.toml --patch costs.toml",
        "To judge what that wrote: balance price iron_costs.toml",
    )
    done = balance(*shlex.split(lines[1].partition(": ")[2])[1:])
    assert done.out == "Wrote iron_costs.toml. To use it, name it as the game: balance check iron_costs.toml\n"
    assert cost_of(balance, "iron_costs.toml", "brute") == 135
    assert cost_of(balance, "iron.toml", "brute") == 150
    assert balance("check", "iron_costs.toml").status == 0
    assert (elsewhere / "iron.toml").read_text("utf-8") == text
    assert (elsewhere / "iron_costs.toml").read_text("utf-8") == text.replace("|  150 |", "|  135 |")
    assert balance(*shlex.split(lines[1].partition(": ")[2])[1:]).status == 2


def test_commands_name_the_folder_of_the_catalogue_and_the_place_of_the_patch(elsewhere: Path) -> None:
    shutil.copytree(shipped_folder(find_game("warforged")), elsewhere / "my own")
    patch = written(Path("out/new costs.toml"), load("warforged", "my own"))
    assert (patch.compare, patch.apply, patch.again) == (
        "balance compare warforged --base 'my own' --patch 'out/new costs.toml'",
        "balance export warforged 'out/new costs_catalogue' --catalogue 'my own' --patch 'out/new costs.toml'",
        "balance price warforged --catalogue 'out/new costs_catalogue'",
    )


@pytest.mark.parametrize("name", list(OLD_PATCHES))
def test_patches_in_every_form_that_was_ever_read_still_load(name: str, elsewhere: Path) -> None:
    (elsewhere / "old.toml").write_text(OLD_PATCHES[name])
    patch = load_patch(elsewhere / "old.toml")
    assert patch.assignments == {RAIL_LANCE: "28"}
    assert patch.apply(load("warforged")).catalogue.tables["weapons"]["rail_lance"].model_dump()["cost_points"] == 28
