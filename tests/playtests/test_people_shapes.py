"""Logs of teams, of three or more, of placings and of lists are read for what they say, or refused with the way out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance.base.errors import CatalogueError
from balance.playtests.contests import Contests
from balance.playtests.games import games_of
from balance.playtests.log.lists import read_lists
from balance.playtests.log.log import read_log
from balance.playtests.readings import log_reading
from tests.playtests.people_shapes import LISTS, LOGS


def said(contests: Contests) -> str:
    games = []
    for game in range(len(contests.n_sides)):
        sides = np.flatnonzero(contests.contest == game)
        mark = {at: "*" * bool(contests.went_first[at]) for at in sides}
        text = {
            at: mark[at] + "&".join(sorted(contests.names[one] for one in contests.entrant[contests.side == at]))
            for at in sides
        }
        places = sorted({int(place) or 99 for place in contests.place[sides]})
        tied = [sorted(text[at] for at in sides if (contests.place[at] or 99) == place) for place in places]
        games.append(
            ">".join(("|" if place == 99 else "=").join(group) for place, group in zip(places, tied, strict=True))
        )
    return "; ".join(games)


@pytest.mark.parametrize("text", LOGS)
def test_a_log_is_read_for_what_it_says_or_refused_by_its_shape(text: str, tmp_path: Path) -> None:
    path, expected = tmp_path / "log.csv", LOGS[text]
    path.write_text(text, "utf-8")
    if expected.startswith("!"):
        with pytest.raises(CatalogueError) as caught:
            read_log(path)
        assert expected[1:] in str(caught.value), caught.value
        assert all(fault.tip for fault in caught.value.faults)
        return
    log, reading = read_log(path), log_reading(path)
    g = log.games
    pairs = zip(g.side_a, g.side_b, g.score, strict=True)
    sides = [(g.names[a], g.names[b])[:: 1 if score else -1] for a, b, score in pairs]
    assert expected == (said(log.contests) if log.contests else "; ".join(map(">".join, sides))), log.source.notes
    assert "red_1" in text if reading is None else not reading.faults


@pytest.mark.parametrize("text", LISTS)
def test_lists_are_read_for_what_they_say_or_refused(text: str, tmp_path: Path) -> None:
    path, players = tmp_path / "lists.csv", [("Ada", "Bo"), ("Bo", "Ada")]
    path.write_text(text, "utf-8")
    games = games_of(["Elves", "Orcs"], ["Orcs", "Elves"], [1, 0], players=players, game_ids=["g1", "g2"])
    if LISTS[text].startswith("!"):
        with pytest.raises(CatalogueError, match=LISTS[text][1:]):
            read_lists(path, games)
        return
    lists = read_lists(path, games)
    rows = zip(lists.game, lists.side, lists.unit, lists.amount, strict=True)
    assert "; ".join(f"g{g + 1}{'ab'[s]} {lists.names[u]} {a:g}" for g, s, u, a in rows) == LISTS[text], lists.notes
