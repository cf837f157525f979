"""A log to start from: what to write down each evening, with games of an invented league as an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from balance.base.answers import Doc, Form


@dataclass(frozen=True)
class LogTemplate:
    """A log to fill in was written."""

    schema: Form
    verb: Literal["rate"]
    template: Annotated[str, Doc("The file.")]


TEMPLATE = """\
evening,army_1,army_2,winner,starts,player_1,player_2,scenario
2026-01-09,Elves,Dwarves,Elves,Elves,Dario,Bruno,Open field
2026-01-09,Dwarves,Orcs,Orcs,Dwarves,Dario,Carla,Open field
2026-01-09,Undead,Orcs,Orcs,Undead,Bruno,Ada,Open field
2026-01-09,Elves,Orcs,Elves,Elves,Dario,Carla,Ford
2026-01-09,Dwarves,Elves,Elves,Dwarves,Ada,Bruno,Bridge
2026-01-09,Undead,Dwarves,Dwarves,Undead,Dario,Carla,Open field
2026-01-16,Orcs,Dwarves,Dwarves,Orcs,Dario,Bruno,Ford
2026-01-16,Orcs,Undead,Orcs,Orcs,Carla,Ada,Bridge
2026-01-16,Elves,Undead,Elves,Elves,Dario,Carla,Bridge
2026-01-16,Dwarves,Undead,Dwarves,Dwarves,Carla,Dario,Bridge
2026-01-16,Undead,Elves,Elves,Undead,Ada,Bruno,Ford
2026-01-16,Orcs,Elves,Elves,Orcs,Carla,Dario,Open field
2026-01-30,Elves,Dwarves,Elves,Elves,Bruno,Carla,Bridge
2026-01-30,Dwarves,Orcs,Dwarves,Dwarves,Ada,Dario,Bridge
2026-01-30,Undead,Orcs,Orcs,Undead,Ada,Bruno,Ford
2026-01-30,Elves,Orcs,Elves,Elves,Ada,Bruno,Ford
2026-01-30,Dwarves,Elves,draw,Dwarves,Ada,Carla,Open field
2026-01-30,Undead,Dwarves,Dwarves,Undead,Carla,Dario,Open field
2026-02-06,Orcs,Dwarves,Orcs,Orcs,Bruno,Ada,Open field
2026-02-06,Orcs,Undead,Undead,Orcs,Ada,Dario,Bridge
2026-02-06,Elves,Undead,Elves,Elves,Bruno,Carla,Bridge
2026-02-06,Dwarves,Undead,Undead,Dwarves,Carla,Ada,Bridge
2026-02-06,Undead,Elves,Elves,Undead,Dario,Carla,Ford
2026-02-06,Orcs,Elves,Elves,Orcs,Carla,Bruno,Bridge
2026-02-20,Elves,Dwarves,Elves,Elves,Dario,Bruno,Ford
2026-02-20,Dwarves,Orcs,Dwarves,Dwarves,Dario,Carla,Open field
2026-02-20,Undead,Orcs,Orcs,Undead,Bruno,Ada,Bridge
2026-02-20,Elves,Orcs,Elves,Elves,Carla,Dario,Ford
2026-02-20,Dwarves,Elves,Dwarves,Dwarves,Ada,Carla,Open field
2026-02-20,Undead,Dwarves,Dwarves,Undead,Dario,Bruno,Bridge
2026-03-06,Orcs,Dwarves,Dwarves,Orcs,Bruno,Dario,Bridge
2026-03-06,Orcs,Undead,Orcs,Orcs,Carla,Bruno,Open field
2026-03-06,Elves,Undead,Elves,Elves,Bruno,Dario,Bridge
2026-03-06,Dwarves,Undead,Dwarves,Dwarves,Bruno,Dario,Open field
2026-03-06,Undead,Elves,Elves,Undead,Ada,Dario,Open field
2026-03-06,Orcs,Elves,Elves,Orcs,Bruno,Dario,Ford
2026-03-13,Elves,Dwarves,Elves,Elves,Carla,Dario,Bridge
2026-03-13,Dwarves,Orcs,draw,Dwarves,Carla,Ada,Ford
2026-03-13,Undead,Orcs,Undead,Undead,Carla,Dario,Open field
2026-03-13,Elves,Orcs,Elves,Elves,Ada,Carla,Bridge
2026-03-13,Dwarves,Elves,Elves,Dwarves,Carla,Bruno,Bridge
2026-03-13,Undead,Dwarves,Dwarves,Undead,Dario,Ada,Ford
2026-03-27,Orcs,Dwarves,Dwarves,Orcs,Dario,Carla,Open field
2026-03-27,Orcs,Undead,Orcs,Orcs,Bruno,Ada,Open field
2026-03-27,Elves,Undead,Elves,Elves,Carla,Dario,Ford
2026-03-27,Dwarves,Undead,draw,Dwarves,Carla,Ada,Open field
2026-03-27,Undead,Elves,draw,Undead,Bruno,Dario,Open field
2026-03-27,Orcs,Elves,Elves,Orcs,Ada,Dario,Ford
"""
"""One row per game; everything right of `winner` may be left out, and so may the evening."""
