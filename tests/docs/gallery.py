"""The gallery of game files: every template with what `balance` says of it, made anew and never typed."""

from __future__ import annotations

import shutil
from pathlib import Path

from balance.game.authoring.new_file import TEMPLATES, template_kinds, template_texts
from balance.game.loaded import load
from tests.cli.transcripts import plain_terminal
from tests.docs.pages import DOCS
from tests.docs.screens import replayed

PAGE = "reference/gallery.md"
ATTACK_LINES, DUEL_LINES = 9, 8
HEAD = """# A gallery of games

Sixteen kinds of game, each in [a file](game-files.md) of at most 40 lines that you can read aloud, play and change:
`balance new-game NAME --template KIND` writes it. Units and costs are made up; the order of mechanisms is usual for
its kind. Tests compare each with a plain Python program of the same rules, and with a number from outside this
project.

"""


def write() -> None:
    """Write the page anew."""
    (DOCS / PAGE).write_text(page(), "utf-8")


def page() -> str:
    """Return the page as it is now."""
    texts = template_texts()
    return HEAD + "\n".join(section(kind, texts[kind]) for kind in template_kinds())


def section(kind: str, sentence: str) -> str:
    """Return what the page says of one template.

    Parameters
    ----------
    kind
        The kind of game.
    sentence
        What such a game is.
    """
    path = TEMPLATES / f"{kind}.toml"
    rules = path.read_text("utf-8").partition("\n")[2].strip()
    one, other, *_ = load(str(path)).entrants
    with plain_terminal():
        shutil.copy(path, Path.cwd())
        attack = replayed(f"balance attack {kind}.toml {one} {other}", ATTACK_LINES)
        duel = replayed(f"balance duel {kind}.toml {one} {other}", DUEL_LINES)
    link = f'<p><a href="../live/{kind}/index.html">Open it as a page</a></p>'
    return f"## {kind}\n\n{sentence}\n\n{link}\n\n```toml\n{rules}\n```\n\n```console\n{attack}{duel}```\n"
