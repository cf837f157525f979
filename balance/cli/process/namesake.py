"""Another project that the package index calls `balance` keeps its code in a folder of the same name as ours."""

from __future__ import annotations

import sys
from pathlib import Path

SITE = Path(__file__).parents[3]
"""The folder that our package lies in."""
CURE = "pip uninstall -y balance, then pip install --force-reinstall --no-deps tabletop-balance"
OVERWRITTEN = f"another project called balance has overwritten a part of this one; keep one of them: {CURE}"
"""Also after that project was removed, which takes the part along."""


def is_overwritten() -> bool:
    """Return whether what `import balance` finds is not ours."""
    return not hasattr(sys.modules["balance"], "_HOMES")


def namesake(folder: Path = SITE) -> str:
    """Return a sentence on the other project where it is installed in this folder too, empty where it is not."""
    for path in folder.glob("balance-*.dist-info"):
        version = path.stem.removeprefix("balance-")
        return f"another project, balance {version}, is installed beside this one and breaks it; keep one: {CURE}"
    return ""
