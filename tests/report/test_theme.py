from __future__ import annotations

import pytest

from balance.report.theme import DARK, LIGHT, PALETTES, STEPS, VERDICT_KEYS, Theme, contrast, step_of, swatches


@pytest.mark.parametrize("key", PALETTES)
def test_every_shade_is_readable(key: tuple[str, str]) -> None:
    tones = swatches(*key)
    assert len(tones) == STEPS
    assert min(contrast(tone.ink, tone.ground) for tone in tones) >= 4.5


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
