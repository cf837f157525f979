"""What things are called in a game: the table `[words]` of `report.toml`, which goes with its catalogue."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from balance.catalogue.toml_model import Frozen

FILE = "report.toml"

Text = Annotated[str, Field(min_length=1, max_length=600)]


class Words(Frozen):
    """What things are called in this game, one and many; `win` and `wins` say what a winner of a duel does."""

    entrant: Text = "entrant"
    entrants: Text = "entrants"
    arm: Text = "attacker"
    arms: Text = "attackers"
    group: Text = "kind"
    groups: Text = "kinds"
    points: Text = "points"
    gain: Text = "damage"
    win: Text = "win"
    wins: Text = "wins"


class ReportFile(Frozen):
    """The words of `report.toml`, whatever else it holds."""

    model_config = ConfigDict(extra="ignore")

    words: Words = Words()
