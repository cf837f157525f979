"""A worker whose every file is written down: `python -m tests.cli.server.watched LOG GUARDED FOLDER...`.

What it opens or lists goes into LOG, a path a line, once the guard has let it pass. Without the guard (GUARDED is
"no"), and with logs taken for paths, it is the negative control: what a worker would read that minds nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from balance.catalogue import forget_catalogues
from balance.cli.server import served, worker
from balance.cli.server.guard import guard as guard_of_server


def main() -> None:
    """Watch, then work as any worker does."""
    log, guarded = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND), sys.argv[2] == "yes"
    del sys.argv[1:3]

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str | bytes | os.PathLike):
            os.write(log, os.path.realpath(os.fsdecode(arguments[0])).encode() + b"\n")

    if not guarded:
        mock.patch.object(served.Served, "log", lambda self, name: Path(name)).start()
    guard = guard_of_server if guarded else lambda folders: forget_catalogues()

    def guard_then_watch(folders: Any) -> None:
        guard(folders)
        sys.addaudithook(look)

    with mock.patch.object(worker, "guard", guard_then_watch):
        worker.main()


if __name__ == "__main__":
    main()
