"""What makes a function a verb: documentation of its parameters, a line of progress, answers that are kept."""

from __future__ import annotations

from balance.verbs.call.kept import keeps_answers
from balance.verbs.call.parameters import Function, with_parameters
from balance.verbs.call.watch import shows_progress


def verb(function: Function) -> Function:
    """Return a function as a verb, documented from its signature.

    It shows a line of progress unless it is `quiet`, and reads an answer that is kept unless it is to be `fresh`.
    """
    return with_parameters(shows_progress(keeps_answers(function)))
