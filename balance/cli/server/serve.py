"""`balance serve`: answer the questions of an assistant about the games that ship and about folders of yours."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from balance.base.parts import demand
from balance.cli.process.exits import say_note

GIGABYTE = 2**30

Folders = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[FOLDER]...",
        help="Folders with catalogues, game files or logs, the only ones it reads; the games that ship are served "
        "anyway.",
        show_default=False,
    ),
]
Seconds = Annotated[int, typer.Option(metavar="N", help="How long an answer may take, in seconds.", min=1, max=3600)]
Memory = Annotated[int, typer.Option(metavar="GB", help="How much memory it may use.", min=1, max=1024)]


def serve(folders: Folders = None, seconds: Seconds = 120, memory: Memory = 4) -> None:
    """Serve an assistant over standard input and output, until it hangs up."""
    demand("a server for assistants", "mcp")
    from balance.cli.server.calls import Worker
    from balance.cli.server.protocol import run
    from balance.cli.server.served import serve_folders
    from balance.cli.server.tools import tools_of

    served = serve_folders(folders or ())
    tools = tools_of(served)
    if sys.stdin.isatty():
        say_note(
            f"Serving {', '.join(served.places)}: {len(tools)} tools. An assistant starts this itself; end: Ctrl-C."
        )
    worker, clerk = (Worker(served.folders, seconds, memory * GIGABYTE) for _ in range(2))
    run(tools, worker, clerk)
