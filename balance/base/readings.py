"""How a file was read, piece by piece: what stands there and what it was taken for.

`balance check FILE --explain` prints it, before any number that follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from balance.base.errors import Fault


@dataclass(frozen=True)
class Reading:
    """One piece of a file and what it was taken for.

    Attributes
    ----------
    where
        Where it stands, as a person would point at it: `column winner`, `line 12`, `[attack] wounds`, `hex E7`.
    text
        What is written there.
    meaning
        What it was taken for, in words that need no knowledge of the code: "who won, by name".

    Examples
    --------
    >>> Reading("column 3", "Sieger", "who won, by name").meaning
    'who won, by name'
    """

    where: str
    text: str
    meaning: str


@dataclass(frozen=True)
class FileReading:
    """What a file is, and how each piece of it was read.

    * `kind`: what the file is: "log of games", "roster", "game file", "adventure".
    * `summary`: what it holds, in a few words: "48 games of 4 entrants, one row per game".
    * `readings`: its pieces, in the order of the file.
    * `notes`: sentences on what is left out, ambiguous or assumed.
    * `faults`: what is wrong with it; the pieces that could be read all the same are in `readings`.
    """

    kind: str
    summary: str
    readings: tuple[Reading, ...] = ()
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
