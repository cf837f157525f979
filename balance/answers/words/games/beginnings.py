"""What `new-game` and `init` say: what was written, and what to do with it."""

from __future__ import annotations

from collections.abc import Mapping

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Verbatim, plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.games.beginnings import NewGame, NewStudy, Template, Templates


def templates_sentence(answer: Templates, terms: Terms) -> str:
    """Return how many templates there are, and how to use one."""
    return f"{len(answer.templates)} kinds of game to begin with: balance new-game NAME --template KIND"


def templates_blocks(answer: Templates, terms: Terms) -> list[Block]:
    """Return the table of templates."""
    rows = [(template.template, template.about) for template in answer.templates]
    return [
        plain(templates_sentence(answer, terms), "strong", gap=True),
        grid(["kind", "what such a game is"], rows, whole=["kind"]),
    ]


def templates_table(answer: Templates) -> Mapping[str, Records]:
    """Return the table of templates."""
    return {"templates": Records(Template, answer.templates)}


def game_sentence(game: NewGame, terms: Terms) -> str:
    """Return what was written."""
    return f"Wrote {game.path}: {game.holds}. Change it into yours; it answers already:"


def game_blocks(game: NewGame, terms: Terms) -> list[Block]:
    """Return what was written, what it can be asked, and what to do next."""
    commands = Verbatim(tuple(f"  {command}" for command in game.commands))
    return [plain(game_sentence(game, terms)), commands, plain(game.next)]


def study_sentence(study: NewStudy, terms: Terms) -> str:
    """Return what was written, and how to learn its cost."""
    return f"Wrote {study.path}. What it would cost: {study.command}"


def study_blocks(study: NewStudy, terms: Terms) -> list[Block]:
    """Return that, in a line that can be copied."""
    return [Verbatim((study_sentence(study, terms),))]


TEMPLATES = AnswerWords.whole(templates_sentence, templates_blocks, templates_table)
GAME = AnswerWords.whole(game_sentence, game_blocks)
STUDY = AnswerWords.whole(study_sentence, study_blocks)
