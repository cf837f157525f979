"""`python -m balance` is the command `balance`; an interruption is heeded from the first moment on."""

from __future__ import annotations

import os

from balance.base.limits import ONE_THREAD
from balance.base.signals import end_at_once, heed


def start() -> None:
    """Run the command; while its parts are still being loaded, an interruption ends it at once.

    Like its workers it uses one thread, so that `--jobs` turns no last bit of a sum, nor what is learnt from it.
    """
    heed(end_at_once(3, b"Interrupted; nothing was left half-written.\n"))
    os.environ.update(ONE_THREAD)
    from balance.cli.main import run

    run()


if __name__ == "__main__":
    start()
