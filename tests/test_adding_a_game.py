"""The tutorial is true: built block by block, its game answers as shown and is the one that `new-game` writes."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from balance.cli.main import main
from balance.game.authoring.new_game import write_game
from tests.packaging.checkout import clean_environment

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "tutorial" / "adding-a-game.md"
BLOCK = re.compile(r"^```(\w+) ?(\S*)( \+)?\n(.*?)^```$", re.S | re.M)
GAME = "skirmishers/game.py"
LAST = ("ATTACK", "DUEL", "BATTLE", "KINDS", "TABLES", "GAME")
LONG = ("report", "compare", "run", "price")


@dataclass(frozen=True)
class Block:
    """A block of the page: what it is written in, the file it belongs to, and whether it goes to the end of it."""

    language: str
    file: str
    more: bool
    text: str


BLOCKS = [
    Block(language, file, bool(more), text) for language, file, more, text in BLOCK.findall(PAGE.read_text("utf-8"))
]


def definitions(code: str) -> dict[str, str]:
    """Return the text of every definition of a module by its name; imports and the docstring go by "", as one."""
    found: dict[str, str] = {}
    for node in ast.parse(code).body:
        if isinstance(node, ast.Assign):
            name = ast.unparse(node.targets[0])
        else:
            name = node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else ""
        text = ast.get_source_segment(code, node) or ""
        for decorator in reversed(getattr(node, "decorator_list", [])):
            text = f"@{ast.unparse(decorator)}\n{text}"
        found[name] = f"{found[name]}\n{text}" if not name and name in found else text
    return found


def told(code: str) -> list[str]:
    """Return what code says, however it is laid out; imports in any order."""
    words = ast.unparse(ast.parse(code))
    return sorted(re.findall(r"\w+", words)) if "import " in words else [words]


def add(code: str, block: str) -> str:
    """Return a module with a block added as the page says.

    What has the name of an earlier one takes its place; kinds of question go above KINDS, all else above the first.
    """
    whole = definitions(code) | definitions(block)
    order = [*(name for name in whole if name not in LAST), *(name for name in LAST if name in whole)]
    return "\n\n\n".join(whole[name] for name in order) + "\n"


def write(block: Block) -> None:
    path = Path(block.file)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text("utf-8") if path.exists() else ""
    text = add(before, block.text) if block.file == GAME else before + block.text if block.more else block.text
    path.write_text(text, "utf-8")


def forget() -> None:
    """Let the games of the page be imported anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("skirmishers", "my_game")]:
        del sys.modules[name]


def run(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what a command prints, on both streams."""
    words = shlex.split(command)
    if words[0] == "python" or words[1] in LONG:
        arguments = [sys.executable, *(["-m", *words] if words[0] == "balance" else words[1:])]
        done = subprocess.run(arguments, env=clean_environment(), capture_output=True, text=True)
        return (done.stdout + done.stderr).splitlines()
    forget()
    capsys.readouterr()
    main(words[1:])
    printed = capsys.readouterr()
    return (printed.out + printed.err).splitlines()


def fits(shown: list[str], printed: list[str]) -> str | None:
    """Return the first line shown that was not printed in its place; `...` stands for any lines or end of a line."""
    rest, loose = iter(line.rstrip() for line in printed), False
    for line in shown:
        if line == "...":
            loose = True
            continue
        start = line.removesuffix("...")
        for found in rest:
            if found.startswith(start) if line != start else found == line:
                break
            if not loose and found:
                return line
        else:
            return line
        loose = False
    return None


def sessions(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a console block with the lines shown under it."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, *shown = part.splitlines()
        yield command, shown


def test_what_is_shown_is_found_and_what_is_not_is_missed() -> None:
    assert fits(["a", "...", "c"], ["a", "b", "c"]) is None
    assert fits(["a", "c"], ["a", "b", "c"]) == "c"
    assert fits(["3 passed ..."], ["3 passed in 2 s"]) is None
    assert fits(["...", "d"], ["a", "b", "c"]) == "d"


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to read the page in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BALANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("BALANCE_CATALOGUE", "BALANCE_SEED", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    yield tmp_path
    forget()


@pytest.mark.parametrize("all_of_it", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_page_from_top_to_bottom(all_of_it: bool, reader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in BLOCKS:
        if block.file:
            write(block)
            continue
        for command, shown in sessions(block.text):
            if shlex.split(command)[1] in LONG and not all_of_it:
                continue
            printed = run(command, capsys)
            missed = fits(shown, printed)
            assert missed is None, "\n".join([f"$ {command}", f"lacks: {missed}", *printed])
    write_game("written", reader)
    whole = (reader / "written" / "game.py").read_text("utf-8").replace("written", "skirmishers")
    built = definitions((reader / GAME).read_text("utf-8"))
    for name, text in definitions(whole.replace("Written", "Skirmishers")).items():
        assert told(built.pop(name)) == told(text), name
    assert built == {}
    for part in ("data", "tests"):
        for path in sorted((reader / "written" / part).glob("*.*")):
            text = path.read_text("utf-8").replace("written", "skirmishers").replace("Written", "Skirmishers")
            assert (reader / "skirmishers" / part / path.name).read_text("utf-8") == text, path.name


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE.read_text("utf-8")):
        assert (PAGE.parent / link).exists(), link
