"""The command `balance`: the one place where every way to end gets its exit status."""

from __future__ import annotations

import gc
import os
import shlex
import sys
from collections.abc import Sequence

from balance.base.errors import BalanceError, Interruption
from balance.base.parts import EXTRAS, lack
from balance.base.signals import end_at_once, heed, interrupt
from balance.cli.process.exits import OUR_BUG, PARTIAL, SUCCESS, WRONG_INPUT, Settings, say_errors, say_note
from balance.cli.process.memory import OUT_OF_MEMORY, fit_into_limit, out_of_memory
from balance.cli.process.namesake import OVERWRITTEN, is_overwritten, namesake
from balance.cli.process.streams import open_streams

PLAIN_FLAGS = ("--json", "--brief", "--every", "--more")
"""Options of `balance dice` with which it is answered at once."""


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; see `balance.cli.process.exits`.

    >>> main(["--version"])  # doctest: +ELLIPSIS
    balance ...
    0
    """
    settings = Settings("--debug" in arguments[:1])
    try:
        status = SUCCESS if _dice_at_once(arguments) else _run_typer(arguments, settings)
        sys.stdout.flush()
        return status
    except (KeyboardInterrupt, Interruption) as stop:
        say_note(f"Interrupted; {stop}." if str(stop) else "Interrupted; nothing was left half-written.")
        return PARTIAL
    except BalanceError as error:
        say_errors(error.faults)
        return WRONG_INPUT
    except SystemExit:  # how shell completion ends
        raise
    except BaseException as error:
        if not out_of_memory(error):
            return _report_error(error, settings, arguments)
    say_errors([OUT_OF_MEMORY])  # here, where the frames that hold the memory are gone
    return WRONG_INPUT


def _dice_at_once(arguments: Sequence[str]) -> bool:
    """Answer a plain `balance dice` without typer, and return whether that was possible.

    typer reads every value through pydantic, and loading that takes a tenth of a second; a designer who tries one pool
    after the other waits for nothing else. Any option but plain flags goes the usual way.

    >>> _dice_at_once(["dice", "2d6", "--seed", "1"])
    False
    """
    if arguments[:1] != ["dice"] or "BALANCE_SEED" in os.environ:
        return False
    flags = [word for word in arguments[1:] if word in PLAIN_FLAGS]
    expressions = [word for word in arguments[1:] if word not in PLAIN_FLAGS]
    if not expressions or any(word.startswith("-") for word in expressions):
        return False
    gc.disable()  # nothing that imports make goes before the end; to look for it takes a twentieth of the time
    try:
        from balance.cli.process.exits import say_result
        from balance.verbs.rolls import dice

        result = dice(*expressions, every="--every" in flags, quiet=True)
        say_result(result, "--more" in flags, "--json" in flags, "--brief" in flags)
    finally:
        gc.enable()
    return True


def _run_typer(arguments: Sequence[str], settings: Settings) -> int:
    """Run a command through typer, whose import is slow, and return its exit status."""
    import logging

    import typer

    from balance.cli.verbs import app

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it would tell where it keeps its own files
    command = typer.main.get_command(app)
    status = command.main(list(arguments), prog_name="balance", standalone_mode=False, obj=settings)
    return status if isinstance(status, int) else SUCCESS


def _report_error(error: BaseException, settings: Settings, arguments: Sequence[str]) -> int:
    """Report an error that is neither one of ours nor an interruption, and return its exit status."""
    if isinstance(error, OSError):
        say_errors([": ".join(str(part) for part in (error.filename, error.strerror or error) if part)])
        return WRONG_INPUT
    if hasattr(error, "format_message"):
        return _usage(error)
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        say_errors(lack("this", error.name).faults)
        return WRONG_INPUT
    from balance.game.registry import fault_of_game

    if (fault := fault_of_game(error)) is None:
        return _bug(error, settings, arguments)
    if settings.debug:
        _show_traceback(error)
    say_errors([fault])
    return WRONG_INPUT


def _show_traceback(error: BaseException) -> None:
    import traceback

    traceback.print_exception(error)


def _usage(error: BaseException) -> int:
    """Report an error in the arguments, and return its exit status."""
    from balance.cli.process.usage import usage_message

    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "balance"
    say_errors([usage_message(error)])
    say_note(f"Try '{path} --help'.")
    return WRONG_INPUT


def _bug(error: BaseException, settings: Settings, arguments: Sequence[str]) -> int:
    if settings.debug:
        _show_traceback(error)
    say_note(f"Sorry, balance has a bug: {type(error).__name__}: {error}")
    tip = "Please report it with the command you ran" + ("." if settings.debug else " and what --debug shows:")
    say_note(tip if settings.debug else f"{tip} balance --debug {shlex.join(arguments)}")
    return OUR_BUG


def run() -> None:
    """Run the command with `sys.argv`, and exit with its status."""
    out, _ = open_streams()
    heed(interrupt)
    if (reason := fit_into_limit()) is not None:
        say_errors([reason])
        sys.exit(WRONG_INPUT)
    if is_overwritten():
        say_errors([OVERWRITTEN])
        sys.exit(WRONG_INPUT)
    if note := namesake():
        say_note(f"note: {note}")
    status = main(sys.argv[1:])
    heed(end_at_once(status or PARTIAL))
    out.flush()
    if out.write_error is not None:
        say_errors([f"standard output cannot be written: {(out.write_error.strerror or str(out.write_error)).lower()}"])
        status = status or WRONG_INPUT
    exec("")  # Python would die of an interruption inside an exec, though caught; this makes it forget
    sys.exit(status)
