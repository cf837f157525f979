"""A command that asks a question of a kind and works as it stands, for help and for pages."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from balance.game.game import QuestionKind
    from balance.game.open_game import OpenGame


def question_command(game: OpenGame, kind: QuestionKind, *options: str) -> str:
    """Return a command that asks a question of this kind, ending in `options`.

    It is about the first entrant and another that shares no part with it; of armies, about two of the first entrant;
    where entrants come in pairs, about the first pair.
    """
    from balance.game.armies.armies import ARMY_FORM

    if pairs := game.pairs_of(kind.name):
        return shlex.join(["balance", kind.name, game.definition.called, pairs[0], *options])
    first_id, *_ = game.ids(kind.takes[0])
    rivals = game.ids(kind.takes[1])
    strangers = (rival for rival in rivals if not {*kind.takes[1].parts(rival)} & {*kind.takes[0].parts(first_id)})
    count_text = ":2" if kind.takes[0].written.startswith(ARMY_FORM) else ""
    return shlex.join(
        ["balance", kind.name, game.definition.called, first_id + count_text, next(strangers, rivals[-1]), *options]
    )
