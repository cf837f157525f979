"""Texts below the command name arguments of verbs, marked as in `Fault`; the command alone writes options.

The command prints `--budget` where Python says `budget=`. Rooms that print answers name options of the command and are
not looked at: what `--more` shows is told by a terminal.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.wording import ROOT

OPTION = re.compile(r"(?<![\w-])--[a-z]")
PRINTING = ("cli", "answers", "reporting", "verbs/verb_list.py")
COMMAND_LINE = "a whole command line, to be typed"
ALLOWED = {
    "catalogue/battlescribe/entry_table.py": (2, "`balance roster` is no function of Python"),
    "catalogue/battlescribe/readings.py": (2, "what `balance check --explain` says of a file for `balance roster`"),
    "chance/dice/text/tokens.py": (1, COMMAND_LINE),
    "game/open_game.py": (1, COMMAND_LINE),
    "game/registry.py": (1, COMMAND_LINE),
    "playtests/log/sheets.py": (1, COMMAND_LINE),
    "study/run/folder.py": (2, COMMAND_LINE),
    "study/run/template.py": (2, "comments in a file that `balance init` writes"),
    "verbs/catalogues/check.py": (1, "a note that the command prints, and keeps in its JSON"),
    "verbs/catalogues/roster.py": (2, "options whose parameters stand in the plural"),
    "verbs/catalogues/workbooks.py": (1, "how a folder is named, on a command line or in the environment"),
    "verbs/studies/runs.py": (1, COMMAND_LINE),
    "verbs/call/means.py": (1, "a warning, which Python shows as it is given"),
    "verbs/rolls.py": (1, "what the command prints as JSON is `to_dict()` in Python"),
}
"""Module -> how many of its texts write an option, and why."""


def texts_with_options(package: Path) -> Iterator[tuple[str, int, str]]:
    """Yield module, line and text of each literal that writes an option; docstrings are for who reads the code."""
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if not name.startswith(PRINTING):
            tree = ast.parse(path.read_text("utf-8"))
            docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                match node:
                    case ast.Constant(value=str(text)) if id(node) not in docstrings and OPTION.search(text):
                        yield name, node.lineno, text


def strays(package: Path) -> list[str]:
    """Return a sentence for each text that writes an option, and has no reason to."""
    counts: dict[str, int] = {}
    for name, _, _ in (rows := list(texts_with_options(package))):
        counts[name] = counts.get(name, 0) + 1
    wrong = {name for name in {*counts, *ALLOWED} if counts.get(name, 0) != ALLOWED.get(name, (0, ""))[0]}
    lines = [f"{name}:{line}: for {text!r} write §argument" for name, line, text in rows if name in wrong]
    return lines + [f"{name}: writes {counts.get(name, 0)} options" for name in sorted(wrong & {*ALLOWED})]


def test_only_the_command_writes_options() -> None:
    assert strays(ROOT / "balance") == []


def test_a_planted_option_is_named_and_a_marked_argument_or_a_docstring_is_none(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "cli").mkdir()
    for room in ("game", "cli"):
        text = '"""As --set has it."""\nFIRST = "§first"\nTIP = f"leave out --first {FIRST}"\nDASHES = "a--b ---c"\n'
        (tmp_path / room / "doors.py").write_text(text, "utf-8")
    assert [row[:2] for row in texts_with_options(tmp_path)] == [("game/doors.py", 3)]
    assert strays(tmp_path)[0] == "game/doors.py:3: for 'leave out --first ' write §argument"
