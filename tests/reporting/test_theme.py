from __future__ import annotations

import re

import pytest

from balance.reporting import Document, HeatMap
from balance.reporting.build import build_document
from balance.reporting.figures.canvas import for_both_schemes
from balance.reporting.figures.theme import (
    CATEGORIES,
    DARK,
    LIGHT,
    PALETTES,
    STEPS,
    VERDICT_KEYS,
    Theme,
    contrast,
    figure_colours,
    step_of,
    swatches,
)
from balance.reporting.page.model import as_model
from balance.study.run.folder import load_run
from tests.packaging.checkout import ROOT
from tests.reporting.demo import figures


@pytest.mark.parametrize("key", PALETTES)
def test_every_shade_is_readable(key: tuple[str, str]) -> None:
    tones = swatches(*key)
    assert len(tones) == STEPS
    assert min(contrast(tone.ink, tone.ground) for tone in tones) >= 4.5


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ff0000", 3.998477),
        ("#00ff00", "#ffffff", 1.372190),
        ("#0000ff", "#ffffff", 8.592471),
        ("#0a0a0a", "#000000", 1.060705),
        ("#0b0b0b", "#000000", 1.066931),
        ("#123456", "#123456", 1.0),
    ],
)
def test_contrast_is_that_of_the_accessibility_guidelines(one: str, other: str, ratio: float) -> None:
    """Worked out apart from the code, from the definition in WCAG 2.2."""
    assert contrast(one, other) == contrast(other, one) == pytest.approx(ratio, abs=1e-5)


def test_the_measure_of_contrast_can_fail() -> None:
    assert contrast("#777777", "#ffffff") < 4.5 < contrast("#767676", "#ffffff")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_text_is_readable(theme: Theme) -> None:
    ground = theme.page.ground
    inks = [theme.page.ink, theme.quiet, theme.accent]
    assert min(contrast(ink, other) for ink in inks for other in (ground, theme.faint)) >= 4.5
    assert min(contrast(tone.ink, tone.ground) for tone in theme.tones.values()) >= 4.5
    assert min(contrast(theme.page.ink, tone.ground) for tone in theme.tones.values()) >= 4.5
    assert min(contrast(tone.ink, ground) for tone in theme.tones.values()) >= 3.0


def test_every_verdict_has_a_tone() -> None:
    assert set(VERDICT_KEYS.values()) <= set(LIGHT.tones) == set(DARK.tones)


def test_steps_span_the_palette() -> None:
    assert [step_of(shade, "sequential") for shade in (0.0, 1.0)] == [0, STEPS - 1]
    assert [step_of(shade, "diverging") for shade in (-1.0, 0.0, 1.0)] == [0, 10, 20]


def test_figures_are_readable_on_light_and_on_dark_paper() -> None:
    pairs = figure_colours()
    for side, theme in enumerate((LIGHT, DARK)):
        marks = [pair[side] for pair in pairs.items() if pair[0] in CATEGORIES]
        assert min(contrast(mark, theme.page.ground) for mark in marks) >= 3.0
        assert {pairs[LIGHT.page.ink], pairs[LIGHT.quiet]} == {DARK.page.ink, DARK.quiet}


@pytest.mark.slow("test_a_screen_swaps_every_colour_of_a_figure")
def test_a_figure_holds_no_colour_without_a_dark_twin() -> None:
    for figure in figures():
        assert set(re.findall(r"#[0-9a-f]{6}\b", figure.picture.wide + figure.picture.narrow)) <= set(figure_colours())


def test_a_screen_swaps_every_colour_of_a_figure() -> None:
    shown = for_both_schemes(figures()[0].picture.wide)
    style, drawing = shown.split("</style>", 1)
    assert "prefers-color-scheme:dark" in style
    assert not re.search(r"(fill|stroke): ?#[0-9a-f]{6}", drawing)
    assert f"var(--{LIGHT.page.ink[1:]})" in drawing


def test_more_for_the_row_has_one_colour_in_every_map() -> None:
    def steps(better: str, palette: str) -> list[int]:
        cells, shades = (("0", "9"),), ((0.0 if palette == "sequential" else -1.0, 1.0),)
        heat = HeatMap(("a",), ("b", "c"), cells, shades, "c", palette=palette, legend=("0", "9"), better=better)
        block = as_model(Document("t", "", (heat,)))["front"][0]
        assert block["scale"] == ["worse for the row", "better for the row"]
        assert block["legend"] == (["0", "9"] if better == "more" else ["9", "0"])
        return [cell["step"] for cell in block["rows"][0]["cells"]]

    for palette in ("sequential", "diverging"):
        assert steps("more", palette) == [0, STEPS - 1]
        assert steps("less", palette) == [STEPS - 1, 0]


@pytest.mark.slow("test_more_for_the_row_has_one_colour_in_every_map")
def test_heat_maps_say_what_their_colours_mean() -> None:
    document = build_document(load_run(ROOT / "reports" / "warforged"))
    maps = [block for section in document.blocks for block in section.blocks if isinstance(block, HeatMap)]
    assert maps
    assert all(heat.legend and heat.favours for heat in maps)
    fewer = [heat.better for heat in maps if "actions until" in heat.caption or "wasted" in heat.caption]
    assert fewer == ["less"] * len(fewer)
