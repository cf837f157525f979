"""Kinds of question as verbs: each is `ask` with its own sides, and with options that are short for its situation."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from balance.base.errors import BalanceError
from balance.verbs.call.parameters import Parameter, VerbParameter, parameters_of

if TYPE_CHECKING:
    from balance.game.game import Game, QuestionKind
    from balance.verbs.call.result import Result

RARE = frozenset({"first", "choose", "policy_a", "policy_b", "half_width"})
"""Parameters of `ask` that only some kinds of question have a use for."""


@dataclass(frozen=True)
class ShortOption:
    """An option that is short for `--set situation.FIELD=VALUE`; `meaning` is its help."""

    field: str
    metavar: str
    meaning: str


@dataclass(frozen=True)
class KindHelp:
    """The help of a kind of question as a verb.

    * `sides`: names of the two sides in usage, such as attacker and target.
    * `uses`: options of `RARE` that are of use for it; others can be typed, are refused by name, and stay out of its
      help.
    * `takes`: what either entrant is, such as "army"; empty where that depends on the game.
    * `game`: the game that has it; "GAME" where there are several.
    * `notation`: how a side made of several entrants is written; empty where it is one of those listed.
    * `shorts`: options that are short for a field of the situation, by name.
    * `pairs`: what one id may be that stands for both sides, such as "adventure"; empty where none does.
    """

    sides: tuple[str, str]
    help_text: str
    uses: frozenset[str] = RARE
    takes: tuple[str, str] = ("", "")
    game: str = "GAME"
    notation: str = ""
    shorts: Mapping[str, ShortOption] = field(default_factory=dict)
    pairs: str = ""


KINDS = {
    "attack": KindHelp(
        ("attacker", "defender"),
        "What one Attack action does: its exact distribution, and a simulation if asked.",
        frozenset({"choose"}),
    ),
    "duel": KindHelp(("a", "b"), "Who wins a duel: the exact chances, and a simulation beside them if asked."),
}
"""Kinds of question that nearly every game can answer, told for all of them without importing one."""


# -- games -----------------------------------------------------------------------------------------------------------


def games_knowing(kind: str, words: Sequence[str] = ()) -> list[Game]:
    """Return the games that have a kind of question, those named on the command line first.

    Games in local folders count only if `words`, what was typed after the verb, name them.
    """
    return [game for game in games_to_ask(words) if kind in game.kinds]


def games_to_ask(words: Sequence[str]) -> list[Game]:
    """Return the installed games, and games in local folders that `words` name; named ones first."""
    from balance.game.registry import find_game, installed_games

    games = named_games(words)
    names = [game.name for game in games]
    for name in installed_games():
        with contextlib.suppress(BalanceError):  # what is wrong with a game is told to those who name it
            games += [] if name in names else [find_game(name)]
    return games


def named_games(words: Sequence[str]) -> list[Game]:
    """Return the games that the words on the command line name."""
    from balance.game.registry import find_game, game_names, is_game

    names = [name for name in game_names() if name in words]
    return [find_game(name) for name in [*names, *(word for word in words if word not in names and is_game(word))]]


# -- their help and their parameters ---------------------------------------------------------------------------------


def kind_help(name: str, games: Sequence[Game]) -> KindHelp:
    """Return the help of a kind of question, with every option that any of these games (one at least) uses for it.

    >>> from balance.game.registry import find_game
    >>> sorted(kind_help("turn", [find_game("edadh")]).uses)
    ['choose', 'policy_a', 'policy_b']
    """
    from balance.game.armies.armies import ARMY_FORM

    kinds = [game.kinds[name] for game in games]
    asks = kinds[0].asks or f"ask about a {name}"
    uses = {policy for kind in kinds for policy in kind.policies} & RARE
    for option, has in (("first", "turn_orders"), ("choose", "policies"), ("half_width", "winner")):
        uses |= {option} if any(getattr(kind, has) for kind in kinds) else set()
    first_name, second_name = (" or ".join(dict.fromkeys(kind.takes[side].name for kind in kinds)) for side in (0, 1))
    titles = ", ".join(game.title for game in games)
    game_name = games[0].name if len(games) == 1 else "GAME"
    help_text = f"{asks[:1].upper()}{asks[1:]} ({titles})."
    drawn_forms = [kind.takes[0].drawn for kind in kinds]
    written_forms = [kind.takes[0].written for kind in kinds if kind.pairs is not None]
    forms = "".join(f" or {form}" for form in dict.fromkeys(drawn_forms + written_forms) if form)
    notation = ARMY_FORM + forms if any(ARMY_FORM in kind.takes[0].written for kind in kinds) else ""
    pairs = " or ".join(dict.fromkeys(kind.pairs.name for kind in kinds if kind.pairs is not None))
    takes, shorts = (first_name, second_name), shorts_of(kinds)
    return KindHelp(kinds[0].sides, help_text, frozenset(uses), takes, game_name, notation, shorts, pairs)


def shorts_of(kinds: Iterable[QuestionKind]) -> dict[str, ShortOption]:
    """Return the options that are short for a field of the situation in any of these kinds, by name."""
    return {
        name: ShortOption(short.field, short.metavar, kind.situation.model_fields[short.field].description or "")
        for kind in kinds
        for name, short in kind.shorts.items()
    }


def kind_parameters(kind: KindHelp) -> dict[str, VerbParameter]:
    """Return the parameters of `ask` for a kind of question, with its own sides and short options."""
    from balance.verbs.questions import ask

    parameters = {name: part for name, part in parameters_of(ask).items() if name != "kind"}
    for side, name in enumerate(("one", "other")):
        parameters[name] = _changed(parameters[name], form=kind.sides[side].upper(), text=_side_text(kind, side))
    if kind.pairs:
        sides = [side.upper() for side in kind.sides]
        text = f"Side {kind.sides[1]}, likewise; none where {sides[0]} is one {kind.pairs} with both."
        parameters["other"] = _changed(parameters["other"], form=f"[{sides[1]}]", text=text)
    else:
        parameters["other"] = replace(parameters["other"], default=inspect.Parameter.empty)
    for name in RARE - kind.uses:
        parameters[name] = _changed(parameters[name], is_hidden=True)
    return with_shorts(parameters, kind.shorts)


def _side_text(kind: KindHelp, place: int) -> str:
    side, role = kind.sides[place], kind.takes[place]
    subject = f"{'Side' if len(side) == 1 else 'The'} {side}{f' ({role})' if role else ''}"
    notation = f"{kind.notation}, members" if kind.notation else "an id,"
    return f"{subject}: {notation} as `balance show {kind.game} entrants` lists them."


def _changed(part: VerbParameter, **words: Any) -> VerbParameter:
    return replace(part, about=replace(part.about, **words))


def with_shorts(parameters: Mapping[str, VerbParameter], shorts: Mapping[str, ShortOption]) -> dict[str, VerbParameter]:
    """Return parameters with options, after `--set`, that are short for fields of the situation."""
    parts: dict[str, VerbParameter] = {}
    for name, part in parameters.items():
        parts[name] = part
        for short, of in shorts.items() if name == "set" else ():
            text = f"{of.meaning} Short for §set situation.{of.field}={of.metavar}."
            about = Parameter(text, of.metavar, names=(f"--{short}",), offers=f"short:{short}", is_served=False)
            parts[_parameter(short)] = VerbParameter(_parameter(short), about, str, None, is_argument=False)
    return parts


def reading_shorts(verb: Callable[..., Result[Any]], shorts: Mapping[str, ShortOption]) -> Callable[..., Result[Any]]:
    """Return a verb that takes short options too, and adds what they say to `set`."""

    def ask_with_shorts(**arguments: Any) -> Result[Any]:
        values = {short.field: arguments.pop(_parameter(name)) for name, short in shorts.items()}
        changes = [f"situation.{name}={value}" for name, value in values.items() if value is not None]
        return verb(**{**arguments, "set": [*(arguments["set"] or []), *changes]})

    return ask_with_shorts if shorts else verb


def _parameter(name: str) -> str:
    """Return the parameter name of a short option, prefixed so that it cannot clash."""
    return f"short_{name}"
