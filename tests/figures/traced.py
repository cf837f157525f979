"""What one command passes through, and what it costs: run from the root of a checkout, as `python traced.py WORDS`.

Prints one JSON object on stderr: the named functions called once their modules are loaded, the files they stand in,
and whether polars was imported. It knows nothing of this checkout, since it measures others too.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from types import FrameType


class Passed:
    """The functions of `balance` that were called outside of imports."""

    def __init__(self, folder: Path) -> None:
        self.folder = f"{folder}/"
        self.loading = 0
        self.functions: set[tuple[str, str]] = set()

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        """Take one event of `sys.setprofile`."""
        if event not in ("call", "return") or not frame.f_code.co_filename.startswith(self.folder):
            return
        name = frame.f_code.co_qualname
        if name == "<module>":
            self.loading += 1 if event == "call" else -1
        elif not self.loading and "<" not in name.replace("<locals>", ""):
            self.functions.add((frame.f_code.co_filename, name))


def command() -> None:
    """Run the command, whichever way this checkout starts it."""
    import balance.__main__ as main

    next(getattr(main, name) for name in ("start", "run") if hasattr(main, name))()


if __name__ == "__main__":
    root = Path.cwd()
    sys.path[0] = str(root)
    sys.argv[0] = "balance"
    passed = Passed(root / "balance")
    threading.setprofile(passed)
    sys.setprofile(passed)
    try:
        command()
    except SystemExit as end:
        if end.code:
            raise
    finally:
        sys.setprofile(None)
    files = {file for file, _ in passed.functions}
    print(json.dumps([len(files), len(passed.functions), "polars" in sys.modules]), file=sys.stderr)
