"""All settings of a question: each field with its range, the kind of control that fits it, and its present value.

A notebook and a page draw their sliders, switches and menus from this alone. Nothing here knows of either, nor of any
game: all of it is read from what the game declares (`EntrantKind.fields`, stances, the situation, rule options,
policies, turn orders) and from the question as it is prepared.

* `controls_of(question)` lists `Control`s: the path that is set, the kind of control, its value now, what is allowed,
  how far a slider goes, the options with a few words on each, and whether it matters to this question at all.
* `Settings.of(question).with_values({control: value}).ask(question)` is the question asked anew. `changes`, `first` and
  `choices` of settings are what a user would write; what the rules forbid raises `BalanceError` in their words.

>>> from balance.game.loaded import load
>>> question = load("warforged").attack("nexus+assault_rifle", "trooper")
>>> precision = next(control for control in controls_of(question) if control.path == "attacker.precision")
>>> precision.kind, precision.value, precision.low, precision.high, precision.matters
('number', 7, 1, 10, True)
>>> after = Settings.of(question).with_values({precision: 8}).ask(question)
>>> after.changes, after.distribution.mean("damage")
(('attacker.precision=8',), 4.1)
"""

from balance.game.question.controls.control import Control, ControlKind, Group, Value
from balance.game.question.controls.listing import controls_of
from balance.game.question.controls.settings import Settings

__all__ = ["Control", "ControlKind", "Group", "Settings", "Value", "controls_of"]
