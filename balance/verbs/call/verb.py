"""What makes a function a verb: its documentation has its parameters, and it shows how far it has come."""

from __future__ import annotations

from balance.verbs.call.parameters import Function, with_parameters
from balance.verbs.call.watch import shows_progress


def verb(function: Function) -> Function:
    """Return a function as a verb: documented from its signature, with a line of progress unless it is `quiet`."""
    return with_parameters(shows_progress(function))
