"""Twenty logs and more of each of eight kinds are read for what they say, or refused by the name of their shape."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from balance.base.errors import CatalogueError
from balance.playtests.log.log import Log, LogSettings, read_log
from tests.playtests.kinds_of_logs import EVERY_KIND, WHO_FIRST, Kind

MARKS = {1.0: ">", 0.0: "<", 0.5: "="}


def read(path: Path, text: str, options: str) -> Log:
    path.write_text(text, "utf-8")
    columns = [part.partition("=") for part in re.split(r" (?=\w+=)", options) if part]
    return read_log(path, LogSettings({what: header for what, _, header in columns}))


def said(log: Log) -> str:
    g = log.games
    rows = zip(g.side_a.tolist(), g.side_b.tolist(), g.score.tolist(), strict=True)
    return ", ".join(f"{g.names[one]}{MARKS.get(score, f' {score:g} ')}{g.names[other]}" for one, other, score in rows)


def test_there_are_twenty_of_each() -> None:
    assert min(len(logs) for kind, logs in EVERY_KIND.items() if kind != "quirks") >= 20


@pytest.mark.parametrize(
    ("kind", "place"), [(kind, at) for kind, logs in EVERY_KIND.items() for at in range(len(logs))]
)
def test_a_log_is_read_for_what_it_says_or_refused_by_its_shape(kind: str, place: int, tmp_path: Path) -> None:
    case: Kind = EVERY_KIND[kind][place]
    path = tmp_path / "log.csv"
    if case.says.startswith("!"):
        with pytest.raises(CatalogueError) as caught:
            read(path, case.text, case.options)
        assert case.says[1:] in str(caught.value), caught.value
        assert all(fault.tip for fault in caught.value.faults)
        return
    log = read(path, case.text, case.options)
    assert said(log) == case.says
    if case.evenings is not None:
        assert len(log.games.session_names) == case.evenings, log.source.notes


@pytest.mark.parametrize("place", range(len(WHO_FIRST)))
def test_who_went_first_is_what_the_log_says_and_never_the_order_of_a_row(place: int, tmp_path: Path) -> None:
    case, movers = WHO_FIRST[place]
    log = read(tmp_path / "log.csv", case.text, case.options)
    assert said(log) == case.says
    assert tuple(log.games.mover.tolist()) == movers, log.source.assumptions
    if case.options.startswith(("first=army1", "home")):
        assert "add --first-goes one" in log.source.assumptions[0]


TIPS = [
    (kind, at)
    for kind, logs in EVERY_KIND.items()
    for at, case in enumerate(logs)
    if case.says.startswith(("!--column", "!row 1, header", "!none"))
]


@pytest.mark.parametrize(("kind", "place"), TIPS)
def test_what_a_refusal_recommends_is_accepted(kind: str, place: int, tmp_path: Path) -> None:
    case: Kind = EVERY_KIND[kind][place]
    path = tmp_path / "log.csv"
    with pytest.raises(CatalogueError) as caught:
        read(path, case.text, case.options)
    tips = [fault.tip for fault in caught.value.faults]
    ways = [re.findall(r"column=(\w+)=('[^']+'|[^ ;,]+)", way) for tip in tips for way in tip.split(" or ")]
    if any(header == "HEADER" for way in ways for _, header in way):
        return  # nothing in the log looks like it, so that the reader is asked
    assert any(ways), tips
    said_before = [part.partition("=")[::2] for part in re.split(r" (?=\w+=)", case.options) if part]
    for way in filter(None, ways):
        columns = dict(said_before) | {what: header.strip("'") for what, header in way}
        assert read_log(path, LogSettings(columns)).games.n_games
