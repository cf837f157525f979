"""A log to begin with: what to write down each evening, with games of an invented league as an example."""

from __future__ import annotations

TEMPLATE = """\
evening,first,second,winner,player_first,player_second,scenario
2026-01-09,Elves,Dwarves,Elves,Dario,Bruno,Open field
2026-01-09,Dwarves,Orcs,Orcs,Dario,Carla,Open field
2026-01-09,Undead,Orcs,Orcs,Bruno,Ada,Open field
2026-01-09,Elves,Orcs,Elves,Dario,Carla,Ford
2026-01-09,Dwarves,Elves,Elves,Ada,Bruno,Bridge
2026-01-09,Undead,Dwarves,Dwarves,Dario,Carla,Open field
2026-01-16,Orcs,Dwarves,Dwarves,Dario,Bruno,Ford
2026-01-16,Orcs,Undead,Orcs,Carla,Ada,Bridge
2026-01-16,Elves,Undead,Elves,Dario,Carla,Bridge
2026-01-16,Dwarves,Undead,Dwarves,Carla,Dario,Bridge
2026-01-16,Undead,Elves,Elves,Ada,Bruno,Ford
2026-01-16,Orcs,Elves,Elves,Carla,Dario,Open field
2026-01-30,Elves,Dwarves,Elves,Bruno,Carla,Bridge
2026-01-30,Dwarves,Orcs,Dwarves,Ada,Dario,Bridge
2026-01-30,Undead,Orcs,Orcs,Ada,Bruno,Ford
2026-01-30,Elves,Orcs,Elves,Ada,Bruno,Ford
2026-01-30,Dwarves,Elves,draw,Ada,Carla,Open field
2026-01-30,Undead,Dwarves,Dwarves,Carla,Dario,Open field
2026-02-06,Orcs,Dwarves,Orcs,Bruno,Ada,Open field
2026-02-06,Orcs,Undead,Undead,Ada,Dario,Bridge
2026-02-06,Elves,Undead,Elves,Bruno,Carla,Bridge
2026-02-06,Dwarves,Undead,Undead,Carla,Ada,Bridge
2026-02-06,Undead,Elves,Elves,Dario,Carla,Ford
2026-02-06,Orcs,Elves,Elves,Carla,Bruno,Bridge
2026-02-20,Elves,Dwarves,Elves,Dario,Bruno,Ford
2026-02-20,Dwarves,Orcs,Dwarves,Dario,Carla,Open field
2026-02-20,Undead,Orcs,Orcs,Bruno,Ada,Bridge
2026-02-20,Elves,Orcs,Elves,Carla,Dario,Ford
2026-02-20,Dwarves,Elves,Dwarves,Ada,Carla,Open field
2026-02-20,Undead,Dwarves,Dwarves,Dario,Bruno,Bridge
2026-03-06,Orcs,Dwarves,Dwarves,Bruno,Dario,Bridge
2026-03-06,Orcs,Undead,Orcs,Carla,Bruno,Open field
2026-03-06,Elves,Undead,Elves,Bruno,Dario,Bridge
2026-03-06,Dwarves,Undead,Dwarves,Bruno,Dario,Open field
2026-03-06,Undead,Elves,Elves,Ada,Dario,Open field
2026-03-06,Orcs,Elves,Elves,Bruno,Dario,Ford
2026-03-13,Elves,Dwarves,Elves,Carla,Dario,Bridge
2026-03-13,Dwarves,Orcs,draw,Carla,Ada,Ford
2026-03-13,Undead,Orcs,Undead,Carla,Dario,Open field
2026-03-13,Elves,Orcs,Elves,Ada,Carla,Bridge
2026-03-13,Dwarves,Elves,Elves,Carla,Bruno,Bridge
2026-03-13,Undead,Dwarves,Dwarves,Dario,Ada,Ford
2026-03-27,Orcs,Dwarves,Dwarves,Dario,Carla,Open field
2026-03-27,Orcs,Undead,Orcs,Bruno,Ada,Open field
2026-03-27,Elves,Undead,Elves,Carla,Dario,Ford
2026-03-27,Dwarves,Undead,draw,Carla,Ada,Open field
2026-03-27,Undead,Elves,draw,Bruno,Dario,Open field
2026-03-27,Orcs,Elves,Elves,Ada,Dario,Ford
"""
"""One row a game; everything right of `winner` may be left out, and so may the evening."""
