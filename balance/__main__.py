"""`python -m balance` is the command `balance`; an interruption is heeded from the first moment on."""

from __future__ import annotations

from balance.cli.signals import end_at_once, heed

__all__ = ["start"]


def start() -> None:
    """Run the command; while its parts are still being loaded, an interruption ends it at once."""
    heed(end_at_once(3, b"Interrupted; nothing was left half-written.\n"))
    from balance.cli.main import run

    run()


if __name__ == "__main__":
    start()
