"""What the packaging tests share: the checkout's own files, and a clean environment to run commands in."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def own_files(*folders: str) -> list[str]:
    """Return the committed files (those present, outside a git checkout), as paths from the root."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--", *folders], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split("\0")
        return [name for name in listed if name and (ROOT / name).is_file()]
    places = [ROOT / folder for folder in folders] or [ROOT]
    found = [path.relative_to(ROOT) for place in places for path in place.rglob("*") if path.is_file()]
    return [path.as_posix() for path in found if not {".venv", "__pycache__"} & set(path.parts)]


def clean_environment(**changes: str) -> dict[str, str]:
    """Return the environment without what an outer make or Python left in it."""
    outer = {"JOBS", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON", "PYTHONHOME", "PYTHONPATH", "UPGRADE"}
    return {name: value for name, value in os.environ.items() if name not in outer} | changes
