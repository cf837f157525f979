"""The tools of the server, derived from the commands: their parameters, allowed values and descriptions.

A tool takes what its command takes, except for where work is done and where files are written. Its answer is what
`--brief` prints.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema

import balance
from balance.base.errors import BalanceError, Fault, UsageError, in_python
from balance.cli.kinds import kind_help, kind_parameters
from balance.cli.server.served import Served
from balance.game.game import Game
from balance.verbs.call.parameters import VerbParameter, parameters_of
from balance.verbs.verb_list import VERBS

WORK: Mapping[str, Any] = {"jobs": 1, "executor": "serial", "cache": False, "out": None}
"""What is said of how work is done, in place of the words that no tool takes."""
MOST = {"trials": 1_000_000, "battles": 1_000_000, "pairs": 10_000, "slow": 1_000, "runs": 100_000, "groups": 100_000}
"""The largest numbers of what is played; how long it may take is limited too."""
MOST_LETTERS, MOST_WORDS = 2_000, 64
TOLD_ONCE = {
    "game": "",
    "set": "PATH=VALUE",
    "choose": "NAME=VALUE",
    "seed": "",
    "trials": "Also simulate, N times.",
    "half_width": "Simulate until this sure.",
    "first": "a, b or random.",
}
"""What each tool says of words that many share; the server's instructions say more, once."""
SAID_ONCE = re.compile(r",?( members)? as `balance show \w+ entrants` lists them|(?<=\[,)MEMBER\[:COUNT\](?=\.\.\.)")
"""What the instructions say once of sides, and what repeats itself."""
MOST_GAMES = 24
"""Games that a tool names as those it is for; where there are more, `show` lists them."""
LEFT_TO_THE_CHECK = ("maxLength", "maxItems", "default")
"""What is not told of a word, nor an upper end alone: nobody comes near it or needs it; it is checked all the same."""
Text = Annotated[str, Field(max_length=MOST_LETTERS)]


class _WithoutTitles(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


@dataclass(frozen=True)
class Tool:
    """A tool of the server.

    `words`: a model of its parameters. `answer`: function from what is served and the parameters to the answer.
    That is an object of `--brief`; of `show` it has one field, `text`.
    """

    name: str
    about: str
    words: type[BaseModel]
    answer: Callable[[Served, dict[str, Any]], dict[str, Any]]

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its parameters, shortened, since an assistant reads that of every tool."""
        made = self.words.model_json_schema(schema_generator=_WithoutTitles)
        for part in made["properties"].values():
            for inner in (part, part.get("items", {})):
                needless = [*LEFT_TO_THE_CHECK, *(["type"] if {"enum", "const"} & {*inner} else [])]
                needless += ["description"] * (inner.get("description") == "") + ["maximum"] * ("minimum" not in inner)
                for key in needless:
                    inner.pop(key, None)
        return {name: part for name, part in made.items() if name not in ("title", "additionalProperties")}

    def read(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of a call, checked and with defaults.

        Raise UsageError with one fault for each that is missing, unknown or of the wrong type.
        """
        try:
            said = {name: value for name, value in arguments.items() if value is not None}
            return self.words.model_validate(said).model_dump()
        except ValidationError as error:
            raise UsageError(
                [
                    _fault(part, self.words.model_fields)
                    for part in error.errors(include_url=False, include_context=False)
                ]
            ) from None


def _fault(part: Any, words: Iterable[str]) -> Fault:
    """Translate one validation error of pydantic into a fault in our words."""
    place = ".".join(str(step)[:60] for step in part["loc"])
    if part["type"] == "missing":
        return Fault("is missing", place)
    if part["type"] == "extra_forbidden":
        return Fault("is no word of this tool", place, allowed=", ".join(words))
    allowed = part["msg"].removeprefix("Input should be ")
    return Fault("is no value for it", place, found=str(part["input"])[:120], allowed=allowed[:600])


def tools_of(served: Served) -> dict[str, Tool]:
    """Return the tools by name: one for each verb, and one for each kind of question of the games without faults."""
    games: dict[str, Game] = {}
    for name in served.places:
        try:
            games[name] = served.game(name)
        except BalanceError:  # told to whoever asks about it
            continue
    made = {"show": _show(served), **{verb: _of_verb(verb, served) for verb in VERBS if VERBS[verb].is_tool}}
    kinds = {kind: None for game in games.values() for kind in game.kinds if kind not in made}
    for kind in kinds:
        knowing = {name: game for name, game in games.items() if kind in game.kinds}
        made[kind] = _of_kind(kind, knowing)
    return made


def _of_verb(verb: str, served: Served) -> Tool:
    """Return the tool of a verb, which answers with its brief result."""
    function = VERBS[verb].function()

    def answer(served: Served, words: dict[str, Any]) -> dict[str, Any]:
        if "log" in words:
            words["log"] = served.log(words["log"])
        return _brief(function, served, words)

    words = _model(verb, parameters_of(function))
    return Tool(verb, VERBS[verb].help_text, words, answer)


def _of_kind(kind: str, games: Mapping[str, Game]) -> Tool:
    """Return the tool of a kind of question, for the games that have it."""
    about = kind_help(kind, list(games.values()))

    def answer(served: Served, words: dict[str, Any]) -> dict[str, Any]:
        return _brief(balance.ask, served, {**words, "kind": kind})

    titles = ", ".join(game.title for game in games.values())  # `game` allows their names
    text = about.help_text.removesuffix(f" ({titles}).") + "."
    names = tuple(games) if len(games) <= MOST_GAMES else ()
    return Tool(kind, text, _model(kind, kind_parameters(about), names), answer)


def _show(served: Served) -> Tool:
    """Return the tool that shows all games, one of them, or a table, page or entry of it, as text."""

    def answer(served: Served, words: dict[str, Any]) -> dict[str, Any]:
        from balance.answers.media.brief import MOST_BYTES
        from balance.answers.media.notebook import as_text

        if not words["game"]:
            return {"text": "\n".join(f"{name}: {line}" for name, line in overview(served).items())}
        text = as_text(balance.show(served.open(words["game"]), words["table"]).screen(True))
        cut = text.encode()[: MOST_BYTES - 200].decode(errors="ignore")
        return {"text": cut if len(cut) == len(text) else f"{cut}\n... cut here; name one entry to see it whole"}

    parameters = parameters_of(balance.show)
    words = _model("show", {**parameters, "game": replace(parameters["game"], default="")})
    return Tool("show", f"{VERBS['show'].help_text} Without a game: lists them.", words, answer)


def overview(served: Served) -> dict[str, str]:
    """Return what is said of each game that is served: its title and kinds of question, which are tools; or a fault."""

    def line(name: str) -> str:
        try:
            game = served.game(name)
        except BalanceError as error:
            return f"has faults: {error.faults[0]}"
        return f"{game.title}; tools {', '.join(game.kinds)}"

    return {name: line(name) for name in served.places}


def _brief(call: Callable[..., Any], served: Served, words: dict[str, Any]) -> dict[str, Any]:
    """Call a verb with these parameters, in this process and without cache, and return its brief result."""
    parameters = inspect.signature(call).parameters
    if "game" in words:
        words["game"] = served.open(words["game"])
    words |= {name: value for name, value in WORK.items() if name in parameters}
    expressions = words.pop("expressions", ()) or ()
    return dict(call(*expressions, **words).to_brief())


# -- the words of a command -------------------------------------------------------------------------------------------


def _model(name: str, parameters: Mapping[str, VerbParameter], games: tuple[str, ...] = ()) -> type[BaseModel]:
    """Return a model of a tool's parameters from those of its verb.

    `games` are the names that `game` allows, without which it is looked up later.
    """
    served = {key: part for key, part in parameters.items() if part.about.is_served and not part.about.is_hidden}
    fields: Any = {key: _field(part, games) for key, part in served.items()}
    return create_model(name, __config__=ConfigDict(extra="forbid"), **fields)


def _field(part: VerbParameter, games: tuple[str, ...]) -> tuple[Any, FieldInfo]:
    """Return the type of a parameter, with limits on texts and lists, and its help, how it is written and its range."""
    if part.name == "game":
        default = ... if part.is_required else part.default
        return Literal[games] if games else Text, Field(default, description=TOLD_ONCE["game"])
    if part.name == "log":
        return Text, Field(description="A log of games: where it lies in a folder served here.")
    about, default = part.about, ... if part.is_required else part.default
    high = min(filter(None, (MOST.get(part.name), about.high)), default=None)
    limits: dict[str, Any] = {key: value for key, value in (("ge", about.low), ("le", high)) if value is not None}
    text = SAID_ONCE.sub("", in_python(about.text))
    text += f" Written {about.form.removesuffix('[,...]')}." if any(sign in about.form for sign in ":=|") else ""
    types = {str: Text, list[str]: Annotated[list[Text], Field(max_length=MOST_WORDS)]}
    field: FieldInfo = Field(default, description=TOLD_ONCE.get(part.name, text), **limits)
    return types.get(part.typed_as, part.typed_as), field
