"""What the parameters of verbs are, said once: Python documents them so, and commands and tools are made from them.

A parameter's annotation holds a `Parameter`, or is one of the annotations of this module, which many verbs share. A
parameter that Python takes by position is an argument of the command, any other an option.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, Literal, TypeVar, Union, get_args, get_origin

from balance.base.errors import in_python
from balance.verbs.call.words import MOST_JOBS, Budgets, Choices, Names

if TYPE_CHECKING:
    from balance.game.loaded import LoadedGame
    from balance.game.question.choices import Changes

Function = TypeVar("Function", bound=Callable[..., Any])
_SECTIONS = ("Returns\n", "Raises\n", "Examples\n")


@dataclass(frozen=True)
class Parameter:
    """What a parameter is, and how it is typed.

    Attributes
    ----------
    text
        What it says; what Python alone may give stands in `python`.
    form
        How it is written, such as "PATH=VALUE"; in brackets where it may be left out.
    python
        What Python takes beside that.
    low, high
        The least and the greatest number that is taken; None where there is no such end.
    of
        Its type where it is typed; without it what the annotation says, a text where that is several things.
    names
        Names of the option beside `--NAME`, or in its place where one begins with two dashes.
    variable
        The environment variable that says it where nobody else does.
    offers
        What a shell offers for it: the name of a function of `balance.cli.completion`.
    is_option
        Whether it is an option though Python takes it by position.
    is_count
        Whether it is a whole number that may be written 1e5 or 100,000.
    is_served
        Whether the tools of the server take it: not, where it says how work is done, or names a file to write.
    is_hidden
        Whether help leaves it out, though it can be typed.
    is_means
        Whether it says how work is done, so that no answer depends on it.
    is_output
        Whether it names a file to write; the answer of a call that writes one is not kept.
    """

    text: str
    form: str = ""
    python: str = ""
    low: float | None = None
    high: float | None = None
    of: Any = None
    names: tuple[str, ...] = ()
    variable: str = ""
    offers: str = ""
    is_option: bool = False
    is_count: bool = False
    is_served: bool = True
    is_hidden: bool = False
    is_means: bool = False
    is_output: bool = False


@dataclass(frozen=True)
class VerbParameter:
    """A parameter of a verb: its name, type and default; whether it is an argument, and whether it takes several."""

    name: str
    about: Parameter
    typed_as: Any
    default: Any
    is_argument: bool
    is_several: bool = False

    @property
    def is_required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty


# -- annotations that verbs share -------------------------------------------------------------------------------------

Game = Annotated[
    "str | LoadedGame",
    Parameter(
        "A game, as `balance games` lists it.", "GAME", python="Or one that `balance.load` opened.", offers="games"
    ),
]
Kind = Annotated[str, Parameter("What `balance games` says can be asked.", "KIND", offers="kinds")]
One = Annotated[str, Parameter("One side.", "ONE", offers="first_side")]
Other = Annotated[
    str,
    Parameter(
        "The other side; where ONE stands for both, as an adventure does, none.", "[OTHER]", offers="second_side"
    ),
]
First = Annotated[str, Parameter("Who goes first.", "a|b|random", offers="first")]
Set = Annotated[
    "Changes | str",
    Parameter(
        "Change a value that `balance show GAME situation` lists, for this call; repeat for several. An empty value "
        "clears a list.",
        "PATH=VALUE",
        python="A mapping path -> value, or such texts.",
        of=list[str],
        offers="paths",
    ),
]
Choose = Annotated[
    Choices,
    Parameter(
        "Choose how a side plays, as `balance show GAME policies` lists it; repeat for several.",
        "NAME=VALUE",
        python="A mapping name -> value, or such texts.",
        of=list[str],
        offers="choices",
    ),
]
PolicyA = Annotated[
    str | None,
    Parameter("How side a plays: §choose policy_a=NAME.", "NAME", offers="policy_a", is_served=False),
]
PolicyB = Annotated[
    str | None,
    Parameter("How side b plays: §choose policy_b=NAME.", "NAME", offers="policy_b", is_served=False),
]
Trials = Annotated[
    int | None,
    Parameter(
        "Also simulate, N times; done anyway where there is no exact distribution, 65,536 times if quick.",
        "N",
        is_count=True,
    ),
]
HalfWidth = Annotated[float | None, Parameter("Also simulate, until each chance to win is known to within W.", "W")]
Seed = Annotated[int, Parameter("Same seed, same trials; 0 is a seed.", "S", variable="BALANCE_SEED")]
Lane = Annotated[
    Literal["literal", "compiled"],
    Parameter("literal plays every roll; compiled looks up finished results, which is faster.", is_served=False),
]
ArmyBudgets = Annotated[
    Budgets,
    Parameter(
        "Budgets and unit limits of armies, rising (default: as the rules pair them).",
        "POINTS:UNITS[,...]",
        python='A text such as "150:4,250:7", or pairs.',
    ),
]
Loadouts = Annotated[
    Names, Parameter("The loadouts that armies are made of, separated by commas (default: all).", "IDS")
]
PriceTolerance = Annotated[
    str | None,
    Parameter(
        "How far a fair price may be off: per cent of its cost, and points at least (default: 10, and as far "
        "as the next cost that can be printed is no better).",
        "PERCENT[:POINTS]",
    ),
]
Catalogue = Annotated[
    str | Path | None,
    Parameter(
        "Folder of the catalogue (default: ./data/GAME if there is one, else the shipped one).",
        "DIR",
        variable="BALANCE_CATALOGUE",
        is_served=False,
    ),
]
Jobs = Annotated[
    int,
    Parameter(
        "How many workers run at once.", "N", low=1, high=MOST_JOBS, names=("-j",), is_served=False,
        is_means=True, python="No number depends on it.",
    ),
]  # fmt: skip
Executor = Annotated[
    str,
    Parameter("Where the work is done: serial, threads, processes or dask.", "KIND", is_served=False, is_means=True),
]
Scheduler = Annotated[
    str | None,
    Parameter(
        "A running Dask scheduler, such as tcp://host:8786 (default: a local cluster).",
        "ADDRESS",
        variable="BALANCE_SCHEDULER",
        is_served=False,
        is_means=True,
    ),
]
Verify = Annotated[
    str | None,
    Parameter(
        "Work out this share of the workers' results again here, such as 2%, and name a worker that differs.",
        "PERCENT",
        is_served=False,
        is_means=True,
    ),
]
CacheFolder = Annotated[
    Path | str | bool | None,
    Parameter(
        "Folder of finished work that commands share (default: the user's cache folder).",
        "DIR",
        python="False shares nothing.",
        variable="BALANCE_CACHE",
        is_served=False,
        is_means=True,
    ),
]
Fresh = Annotated[
    bool, Parameter("Work it out anew, though an answer or a part of it is kept.", is_served=False, is_means=True)
]
Quiet = Annotated[bool, Parameter("Show no progress.", names=("-q",), is_served=False, is_means=True)]
Force = Annotated[bool, Parameter("Replace an existing file.", is_served=False, is_means=True)]


# -- what a signature says ------------------------------------------------------------------------------------------


@cache
def parameters_of(verb: Callable[..., Any]) -> Mapping[str, VerbParameter]:
    """Return the parameters of a verb that are said with a `Parameter`, by name and in order."""
    verb_parameters, names = {}, vars(sys.modules[verb.__module__])
    for name, parameter in inspect.signature(verb).parameters.items():
        annotation = parameter.annotation
        hint = eval(annotation, names) if isinstance(annotation, str) else annotation
        about = next((note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Parameter)), None)
        if about is not None:
            is_argument = parameter.kind is not inspect.Parameter.KEYWORD_ONLY and not about.is_option
            several = parameter.kind is inspect.Parameter.VAR_POSITIONAL
            typed_as = list[str] if several else about.of or _typed_as(get_args(hint)[0])
            default = None if several else parameter.default
            verb_parameters[name] = VerbParameter(name, about, typed_as, default, is_argument, several)
    return verb_parameters


def _typed_as(hint: Any) -> Any:
    """Return the type that a value has where it is typed: a path where it may be one, a text where it may be much."""
    is_union = get_origin(hint) in (Union, UnionType)
    parts = [part for part in get_args(hint) if part is not NoneType] if is_union else [hint]
    if Path in parts:
        return Path
    return parts[0] if len(parts) == 1 and not isinstance(parts[0], str | ForwardRef) else str


def with_parameters(verb: Function) -> Function:
    """Give a verb's documentation numpydoc's section `Parameters`, from its signature, and return the verb."""
    texts = {name: f"{part.about.text} {part.about.python}".strip() for name, part in parameters_of(verb).items()}
    entries = "\n".join(
        f"{name}\n{textwrap.indent(textwrap.fill(in_python(text), 112), '    ')}" for name, text in texts.items()
    )
    text = inspect.cleandoc(verb.__doc__ or "")
    at = min((place for section in _SECTIONS if (place := text.find(f"\n{section}---")) >= 0), default=len(text))
    section = f"\nParameters\n----------\n{entries}\n"
    verb.__doc__ = f"{text[:at].rstrip()}\n{section}{text[at:]}"
    return verb
