"""What a question was asked with, in a form in which it can be asked again with other values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from balance.game.question.controls.control import Control, Value
from balance.game.question.question import Question, ask


@dataclass(frozen=True)
class Settings:
    """The entrants by side, overrides by path, turn order and policies of a question.

    `first` is empty where there is no turn order; `choices` has the option of each decision that is not the default.
    """

    entrants: Mapping[str, str]
    changes: Mapping[str, Value]
    first: str
    choices: Mapping[str, str]

    @classmethod
    def of(cls, question: Question) -> Settings:
        """Return the settings that a question of any kind was asked with."""
        usual = {name: options[0] for name, options in question.kind.choices.items()}
        return cls(
            dict(zip(question.kind.sides, question.entrants, strict=True)),
            {f"{root}.{path}": text for root, path, text in question.overrides.entries},
            question.first,
            {name: option for name, option in question.choices if option != usual[name]},
        )

    def with_values(self, values: Mapping[Control, Value]) -> Settings:
        """Return the settings with some controls set; these must be controls of the question that they come from.

        Setting the present value changes nothing. Another entrant removes all overrides of its side, which were meant
        for other cards.
        """
        changed_values = {control: value for control, value in values.items() if not control.is_now(value)}
        settings = self
        for control, value in sorted(changed_values.items(), key=lambda item: item[0].group == "entrants"):
            settings = settings._with_value(control, value)
        return settings

    def _with_value(self, control: Control, value: Value) -> Settings:
        match control.group:
            case "entrants":
                other_changes = {
                    path: text for path, text in self.changes.items() if path.split(".")[0] != control.path
                }
                return replace(self, entrants={**self.entrants, control.path: str(value)}, changes=other_changes)
            case "first":
                return replace(self, first=str(value))
            case "choices":
                return replace(self, choices={**self.choices, control.path: str(value)})
            case _ if value is None:
                return replace(self, changes={k: text for k, text in self.changes.items() if k != control.path})
            case _:
                return replace(self, changes={**self.changes, control.path: value})

    def ask(self, question: Question) -> Question:
        """Ask a question of the same game and kind with these settings; raise BalanceError if the rules forbid it."""
        a, b = self.entrants.values()
        return ask(question.game, question.kind.name, (a, b), self.changes, self.first or None, self.choices)
