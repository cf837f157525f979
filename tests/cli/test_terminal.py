"""What the terminal shows, cell by cell."""

from __future__ import annotations

from typing import Any

import pytest
from rich.text import Text

from balance.answers.blocks.bars import bar, sparkline
from balance.answers.media.terminal import console, line, picture, say, table, table_in_parts, title


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Any:
    """shown(...) -> the lines that are printed of some parts."""

    def lines(*parts: Any) -> list[str]:
        say(*parts)
        return capsys.readouterr().out.split("\n")

    return lines


def test_a_title_stands_before_its_details(shown: Any) -> None:
    assert shown(title("Two\nlines", "one", "t\x1bo")) == ["Two lines  one  t\ufffdo", ""]


def test_a_sentence_is_set_in_where_it_wraps_too(shown: Any) -> None:
    assert shown(line("word " * 20, after=2)) == [
        "  " + " ".join(["word"] * 15),
        "  " + " ".join(["word"] * 5),
        *[""] * 3,
    ]
    assert shown(line("a")) == ["  a", ""]


def test_a_table_has_no_frame_and_takes_nothing_for_markup(shown: Any) -> None:
    rows = [["[red]x[/]", 7, Text("t\u00a0S")], ["y\nz", 1000, ":tada:"]]
    assert shown(table(["name", "number", "what"], rows, right=["number"])) == [
        "  name        number   what",
        " " + "─" * 29,
        "  [red]x[/]        7   t\u00a0S",
        "  y z           1000   :tada:",
        "",
        "",
    ]


def test_a_wide_table_goes_on_below_with_its_first_column(shown: Any) -> None:
    heads = ["id", *(f"long_column_{n}" for n in range(10))]
    parts = table_in_parts(heads, [["a", *range(10)], ["bb", *range(10, 20)]], right=["long_column_1"])
    assert shown(*parts) == [
        "       long       long   long     long     long     long     long     long",
        "       column   column   column   column   column   column   column   column",
        "  id   0             1   2        3        4        5        6        7",
        " " + "─" * 76,
        "  a    0             1   2        3        4        5        6        7",
        "  bb   10           11   12       13       14       15       16       17",
        "",
        "       long     long",
        "       column   column",
        "  id   8        9",
        " " + "─" * 22,
        "  a    8        9",
        "  bb   18       19",
        "",
        "",
    ]


def test_a_table_is_parted_where_the_next_column_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    def parted(width: int, *widths: int) -> list[int]:
        monkeypatch.setenv("COLUMNS", str(width))
        parts = table_in_parts(["h"] * len(widths), [["x" * n for n in widths]])
        return [len(part.headers) for part in parts]

    assert parted(40, 10, 10, 10) == [3]
    assert parted(39, 10, 10, 10) == [2, 2]
    assert parted(20, 10, 30, 10) == [2, 2]
    assert parted(60, 10, 10, 10, 10, 10, 10, 10) == [4, 4]


def test_bars_and_sparks_round_to_what_can_be_seen() -> None:
    assert [bar(share).text for share in (0.01, 0.025, 0.5)] == ["", "▌", "█" * 10]
    assert [span.style for span in picture(bar(0.5).text).spans] == ["cyan"]
    assert sparkline([-0.1, 0, 1e-9, 0.125, 0.126, 0.5, 0.875, 0.876, 1, 1.2]) == "  ▁▁▂▄▇███"


def test_a_console_adds_no_colours_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    console().print("[b]12[/] 'x' :tada:")
    assert capsys.readouterr().out == "[b]12[/] 'x' :tada:\n"


def test_what_matters_less_is_dim_and_headings_are_bold() -> None:
    heading = title("Game", "of old")
    assert [(heading.plain[span.start : span.end], span.style) for span in heading.spans] == [
        ("Game", "bold"),
        ("  of old", "dim"),
    ]
    shown: Any = next(iter(table(["a"], [["x"]]).__rich_console__(console(), console().options)))
    assert (shown.renderable.header_style, shown.renderable.border_style) == ("dim", "dim")
    told: Any = line("x", "dim")
    assert (told.renderable.style, told.left, told.right, told.top, told.bottom) == ("dim", 2, 0, 0, 0)


def test_ids_are_not_broken_where_other_columns_can_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    say(table(["id", "said"], [["vanguard+shotgun", "too cheap and too dear"]], whole=["id"]))
    assert [text.rstrip() for text in capsys.readouterr().out.splitlines()] == [
        "  id                 said",
        " ─────────────────────────────",
        "  vanguard+shotgun   too",
        "                     cheap",
        "                     and too",
        "                     dear",
        "",
    ]
