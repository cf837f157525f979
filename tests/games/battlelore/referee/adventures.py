"""An adventure read from its file, as `docs/reference/games/adventures.md` says it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from tests.games.battlelore.referee.ground import LETTERS, ROWS, name_of
from tests.games.battlelore.referee.tables import SHIPPED

SIDES = ("a", "b")
MASTERS = ("wizard", "rogue", "cleric", "warrior")


@dataclass
class Force:
    """One side of an adventure: what its line says, and where its units stand, in the order of the file."""

    name: str
    camp: str = ""
    banners: int = 0
    cards: int = 0
    tokens: int | None = None
    council: dict[str, int] = field(default_factory=dict)
    units: list[tuple[str, str]] = field(default_factory=list)

    @property
    def highest(self) -> int:
        """The highest level of a Lore Master, 0 without one."""
        return max((self.council.get(master, 0) for master in MASTERS), default=0)


@dataclass
class Adventure:
    """What an adventure brings to the table."""

    title: str
    lore: bool
    first: str
    masters_landmarks: bool
    forces: dict[str, Force]
    ground: dict[str, list[str]]
    owners: dict[str, str]
    banner_hexes: list[tuple[str, str, bool]]


def shipped(name: str, folder: Path = SHIPPED) -> str:
    """Return the text of an adventure of a catalogue."""
    return (folder / "adventures" / f"{name}.txt").read_text("utf-8")


def read_adventure(text: str) -> Adventure:
    """Return a sound adventure from the text of its file."""
    heads, forces, board, place = dict[str, str](), dict[str, Force](), list[str](), ""
    ground, owners, banners = dict[str, list[str]](), dict[str, str](), list[tuple[str, str, bool]]()
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon and not value.strip():
            place = key.strip()
        elif colon and ("standard" in value or "pennant" in value) and key not in ("note", "title"):
            forces[key] = _force(key, value)
        elif colon:
            heads[key] = value.strip()
        elif place == "also" and line.strip():
            _add(line, ground, owners, banners)
        elif place and line.strip():
            forces[place].units += _units(line)
        elif line.strip():
            board.append(line.strip())
    sides = dict(zip(forces, SIDES, strict=True))
    for row, letters in enumerate(board):
        for number, letter in enumerate(letters):
            if letter != ".":
                ground.setdefault(name_of((row, 2 * number + row % 2)), []).insert(0, LETTERS[letter])
    assert len(board) == ROWS
    return Adventure(
        heads["title"],
        heads.get("lore") == "yes",
        sides[heads["first"]],
        heads.get("masters' landmarks") == "yes",
        {sides[name]: force for name, force in forces.items()},
        ground,
        {hex_name: sides[name] for hex_name, name in owners.items()},
        [(hex_name, sides[name], held) for hex_name, name, held in banners],
    )


def _force(name: str, text: str) -> Force:
    force = Force(name)
    for part in (part.strip() for part in text.split(",")):
        numbered = re.fullmatch(r"(\d+) (banners?|cards?|tokens?)", part)
        if numbered is not None:
            setattr(force, numbered[2].rstrip("s") + "s", int(numbered[1]))
        elif " " in part:
            master, level = part.split()
            force.council[master] = int(level)
        else:
            force.camp = part
    return force


def _units(line: str) -> list[tuple[str, str]]:
    places, unit = re.fullmatch(r"((?:\w+, )*\w+) (\S+)", line.strip()).groups()  # type: ignore[union-attr]
    return [(unit, place) for place in places.split(", ")]


def _add(line: str, ground: dict[str, list[str]], owners: dict[str, str], banners: list[tuple[str, str, bool]]) -> None:
    """Add a line of what letters cannot say."""
    place, _, rest = line.strip().partition(" ")
    if rest.startswith("belongs to "):
        owners[place] = rest.removeprefix("belongs to ")
    elif match := re.fullmatch(r"(?:(\d+) )?banners? (for|held by) (\w+)", rest):
        banners.append((place, match[3], match[2] != "for"))
    else:
        ground.setdefault(place, []).append(rest)
