"""Start a new game as one file from a template."""

from __future__ import annotations

import json
import re
from pathlib import Path

from balance.base.errors import Fault, OutputError, UsageError, unknown
from balance.base.files import write_whole
from balance.base.foreign import is_file_name
from balance.base.text import slug
from balance.game.local_games import FILE_ENDING, is_path
from balance.game.registry import installed_games

TEMPLATES = Path(__file__).parents[2] / "rulebook" / "templates"
LONGEST_NAME = 40
_TITLE = re.compile(r"^title\s*=.*$", re.MULTILINE)


def template_kinds() -> list[str]:
    """Return the names of the templates for game files, sorted."""
    return sorted(path.stem for path in TEMPLATES.glob(f"*{FILE_ENDING}"))


def template_texts() -> dict[str, str]:
    """Return the description of each template by its name: the first line of its file."""
    texts = {kind: (TEMPLATES / f"{kind}{FILE_ENDING}").read_text("utf-8") for kind in template_kinds()}
    return {kind: text.partition("\n")[0].lstrip("# ") for kind, text in texts.items()}


def write_file(name: str, kind: str, place: Path) -> Path:
    """Write a new game file NAME.toml from a template, and return its path.

    Parameters
    ----------
    name
        The name of the game, with or without `.toml`.
    kind
        Name of the template, one of `template_kinds`.
    place
        Folder in which to write the file.

    Raises
    ------
    UsageError
        The name is none for a game, or is taken; or there is no such kind, and all are named.
    OutputError
        The file is already there, or cannot be written; nothing is left half-written.
    """
    stem = name[: -len(FILE_ENDING)] if is_path(name) else name
    _check_name(stem)
    if kind not in template_kinds():
        raise UsageError(unknown(kind, template_kinds(), "is no template", "§template"))
    path = place / f"{stem}{FILE_ENDING}"
    if path.exists() or path.is_symlink():
        raise OutputError(Fault("is already there", str(path), tip="choose another name, or another folder"))
    text = (TEMPLATES / f"{kind}{FILE_ENDING}").read_text("utf-8")
    title = f"title = {json.dumps(stem.replace('_', ' ').capitalize(), ensure_ascii=False)}"
    text = _TITLE.sub(lambda _: title, text, count=1) if _TITLE.search(text) else f"{title}\n{text}"
    write_whole(path, text.encode())
    return path


def _check_name(name: str) -> None:
    """Raise UsageError for a name that no game can have, or that a shipped or installed game has."""
    near = slug(name)[:LONGEST_NAME].strip("_")
    if name != near or not name or not is_file_name(name):
        allowed = f"small letters, digits and _, at most {LONGEST_NAME}"
        raise UsageError(Fault("is no name for a game", found=name, allowed=allowed, tip=f"try {near}" if near else ""))
    if name in installed_games():
        raise UsageError(Fault("is taken by a game", found=name, tip=f"try my_{name}"))
