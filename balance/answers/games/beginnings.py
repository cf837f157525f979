"""What is written for somebody to begin with: a game of one's own, a study of a game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from balance.base.answers import Doc, Form
from balance.base.errors import Fault, OutputError
from balance.base.files import write_whole
from balance.base.numbers import show_many
from balance.game.authoring.new_file import template_texts, write_file
from balance.game.authoring.new_game import write_game
from balance.rulebook.text import read_game_file


@dataclass(frozen=True)
class Template:
    """A kind of game that a game file can begin as."""

    template: str
    about: Annotated[str, Doc("What such a game is.")]


@dataclass(frozen=True)
class Templates:
    """The templates that a game file can be started from."""

    schema: Form
    verb: Literal["new-game"]
    templates: tuple[Template, ...]


@dataclass(frozen=True)
class NewGame:
    """A small game that was written, to be changed into one's own."""

    schema: Form
    verb: Literal["new-game"]
    path: Annotated[str, Doc("The game file, or the folder of the Python package.")]
    template: Annotated[str | None, Doc("The template of a game file; null for a Python package.")]
    holds: Annotated[str, Doc("What the game is, in short.")]
    commands: Annotated[tuple[str, ...], Doc("Commands that it answers as it is.")]
    next: Annotated[str, Doc("What to do next.")]


@dataclass(frozen=True)
class NewStudy:
    """A study that was written, with every setting explained."""

    schema: Form
    verb: Literal["init"]
    path: Annotated[str, Doc("The file.")]
    command: Annotated[str, Doc("The command that tells what the study would cost.")]


def templates() -> Templates:
    """Return what a game file can begin as."""
    return Templates(1, "new-game", tuple(Template(*pair) for pair in template_texts().items()))


def new_package(name: str) -> NewGame:
    """Write a Python package into a folder NAME, as `write_game` does."""
    folder = write_game(name, Path())
    return NewGame(
        *(1, "new-game", str(folder), None, "a whole game"),
        commands=(f"balance duel {name} knight giant", f"balance report {name}"),
        next=f"Its rules are {folder / 'game.py'}, its cards {folder / 'data'}. "
        f"What to do next: {folder / 'README.md'}",
    )


def new_file(name: str, template: str) -> NewGame:
    """Write a game file from a template, as `write_file` does."""
    path = write_file(name, template, Path())
    file = read_game_file(path)
    ids, n_keywords = file.units.ids, len(file.rulebook.keywords)
    attack = f"an attack of {show_many(len(file.rulebook.attack), 'step')}"
    keywords = f" and {show_many(n_keywords, 'keyword')}" if n_keywords else ""
    return NewGame(
        *(1, "new-game", str(path), template, f"{show_many(len(ids), 'unit')}, {attack}{keywords}"),
        commands=(f"balance duel {path} {ids[0]} {ids[min(1, len(ids) - 1)]}", f"balance price {path}"),
        next=f"What is wrong with it while you change it: balance check {path}",
    )


def new_study(game: str, file: Path, force: bool) -> NewStudy:
    """Write a study of a game; raise OutputError where the file is there, unless it may be replaced by `force`."""
    from balance.study.loading.load import game_beside
    from balance.study.run.template import study_text

    text = study_text(game)
    if file.exists() and not force:
        raise OutputError(Fault("is already there", str(file), tip="name another file, or replace it with §force"))
    write_whole(file, text.encode())
    game_option = f" --game {game}" if game_beside(file) else ""
    return NewStudy(1, "init", str(file), f"balance run {file} --dry-run{game_option}")
