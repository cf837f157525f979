"""A patch: a few changed values in a TOML file, applied to a catalogue and checked as if they stood in its files.

title = "Rail Lance down to 28 points"

[set]
"weapons.rail_lance.cost_points" = 28    # table.entry.column
"constants.cover.extra_dice" = 3         # a number of the rulebook

[rules]
min_damage = "always_one"                # another reading of a rule

[limits]
max_unfair = 10                          # of equal points and touched; `balance compare` ends with status 1 above it
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from balance.base.errors import Fault, StudyError, gathering
from balance.base.limits import MOST_NAMED, MOST_SETTINGS
from balance.catalogue import patch_catalogue
from balance.catalogue.toml_model import Frozen, read_model
from balance.game.game import Game
from balance.game.loaded import LoadedGame
from balance.game.registry import shipped_folder
from balance.study.settings.grid import Value, show_setting

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class PatchLimits(Frozen):
    """What a patch must not do; None for no limit. A simulated limit is broken only once that is certain.

    Only match-ups that the patch can touch count: whose score it may change, or whose points it makes equal.
    """

    max_unfair: Count | None = None
    max_newly_unfair: Count | None = None
    max_newly_dominated: Count | None = None
    max_change: Share | None = None
    max_first_mover_advantage: Share | None = None
    max_first_mover_increase: Share | None = None


class PatchSettings(Frozen):
    """The content of a patch file."""

    title: Annotated[str, Field(max_length=200)] = ""
    set: Annotated[dict[str, Any], Field(max_length=MOST_NAMED)] = Field(default={})
    rules: Annotated[dict[str, Value], Field(max_length=MOST_SETTINGS)] = Field(default={})
    limits: PatchLimits = PatchLimits()


@dataclass(frozen=True)
class Patch:
    """A patch that was read; it is named by its file, without the suffix."""

    name: str
    settings: PatchSettings
    path: Path

    @property
    def title(self) -> str:
        """The title in the file, else the patch's name."""
        return self.settings.title or self.name.replace("_", " ").capitalize()

    @property
    def assignments(self) -> dict[str, str]:
        """Path -> text of everything it sets, in the order of the file."""
        flat = dict(_flatten(self.settings.set))
        return flat | {f"rules.{name}": show_setting(value) for name, value in self.settings.rules.items()}

    def apply(self, game: LoadedGame) -> LoadedGame:
        """Return the game with the patched catalogue.

        Raises `StudyError` with every fault: no such table, entry or field, a value out of range, or entries that no
        longer fit.
        """
        faults: list[Fault] = []
        with gathering(faults):
            catalogue = patch_catalogue(game.catalogue, self.assignments)
        if not faults and not self.assignments:
            faults.append(Fault("changes nothing"))
        if faults:
            raise StudyError([replace(fault, path=str(self.path)) for fault in faults])
        return LoadedGame(game.definition, catalogue)


def _flatten(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{before}{name}.")
        else:
            is_list = isinstance(value, list)
            yield f"{before}{name}", ",".join(map(show_setting, value)) if is_list else show_setting(value)


def load_patch(path: Path | str) -> Patch:
    r"""Read a patch file; whether it fits a catalogue is seen when it is applied.

    Raises `StudyError` with all faults of the file at once.
    """
    patch_path = Path(path)
    return Patch(patch_path.stem, read_model(PatchSettings, patch_path), patch_path)


def find_patch(path: Path, game: Game) -> Patch:
    """Read a patch file as `load_patch` does; one that is only a name may be one that ships with the game."""
    shipped_patch = shipped_folder(game) / path.name
    is_shipped = not path.exists() and path.parent == Path() and shipped_patch.is_file()
    return load_patch(shipped_patch if is_shipped else path)


class Assignment(NamedTuple):
    """A line of a patch: where a value stands, as it is and as it should be, and why."""

    path: str
    old: str
    new: str
    why: str = ""


def patch_text(title: str, lines: Iterable[Assignment], comment: str = "") -> str:
    """Return a patch file; old values, reasons and `comment` become comments.

    >>> cheap = Assignment("weapons.shotgun.cost_points", "10", "1", "too dear: 1 to 3")
    >>> print(patch_text("Cheap", [cheap, Assignment("rules.faces", "1-10", "0-9")]), end="")
    title = "Cheap"
    <BLANKLINE>
    [set]
    "weapons.shotgun.cost_points" = 1  # was 10; too dear: 1 to 3
    <BLANKLINE>
    [rules]
    faces = "0-9"  # was "1-10"
    """
    rows: dict[str, list[str]] = {"set": [], "rules": []}
    for path, old, new, why in lines:
        root, _, option = path.partition(".")
        section, name = ("rules", option) if root == "rules" else ("set", json.dumps(path))
        rows[section].append(f"{name} = {_toml(new)}  # was {_toml(old)}" + (f"; {why}" if why else ""))
    top = [f"# {comment}\n"] if comment else []
    sections = [f"\n[{name}]\n" + "\n".join(texts) for name, texts in rows.items() if texts]
    return "\n".join([*top, f"title = {json.dumps(title)}", *sections]) + "\n"


def _toml(text: str) -> str:
    """Return a value as TOML: a number or a truth value bare, anything else in quotes."""
    plain = text in ("true", "false") or re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", text)
    return text if plain else json.dumps(text)
