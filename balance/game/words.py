"""A game's own words for entrants, points and wins: the table `[words]` of the `report.toml` with its catalogue."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from balance.catalogue.toml_model import Frozen

FILE = "report.toml"

Text = Annotated[str, Field(min_length=1, max_length=600)]


class Words(Frozen):
    """Words for things in this game, singular and plural; `win` and `wins` are the verb for the winner of a duel."""

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
    """The part of `report.toml` with the words; all else in it is ignored."""

    model_config = ConfigDict(extra="ignore")

    words: Words = Words()
