"""What typer reads of the command line: the options before the verb, and the verbs; loaded where it is needed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from balance.cli.examples import START
from balance.cli.process.exits import Settings
from balance.cli.verbs import Verbs

__all__ = ["app"]

app = typer.Typer(
    cls=Verbs,
    name="balance",
    help="Is this wargame fair? Exact and simulated balance analysis for tabletop wargame designers.",
    epilog=START,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _say_version(value: bool) -> None:
    if value:
        from balance import __version__

        sys.stdout.write(f"balance {__version__}\n")
        raise typer.Exit


@app.callback()
def before_the_verb(
    ctx: typer.Context,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of a bug.", show_default=False, metavar="")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", help="Say the version and end.", is_eager=True, metavar="", callback=_say_version),
    ] = False,
) -> None:
    """Is this wargame fair? Exact and simulated balance analysis for tabletop wargame designers."""
    if isinstance(ctx.obj, Settings):
        ctx.obj.debug = debug
    if ctx.invoked_subcommand is None:
        sys.stdout.write(ctx.get_help() + "\n")
