"""Colours, for both renderers and the figures: quiet paper, one accent, palettes that survive colour blindness.

A shade becomes one of `STEPS` steps, each a background with the ink (black or white) that reads best on it; the better
of the two always has a contrast of at least 4.5 to 1. Sequential is the Blues, diverging the PuOr of ColorBrewer;
categories are Okabe and Ito's, darkened where they would fade on white.

One convention holds everywhere: blue or purple is more for whoever the row is about, orange less; the stronger the
colour, the more so.
"""

from __future__ import annotations

from dataclasses import dataclass

STEPS = 21
CATEGORIES = ("#0072b2", "#d55e00", "#009e73", "#c0689a", "#3c8dc5", "#b07a00", "#5b5b5b", "#111111")
_DARK_CATEGORIES = ("#4aa3e0", "#f58a4b", "#2fc79a", "#e29bc4", "#a8dcff", "#f5bd45", "#a8a8a8", "#f2f2f2")
VERDICT_KEYS = {
    "too dear": "over",
    "too cheap": "under",
    "overpowered": "over",
    "underpowered": "under",
    "fair": "fair",
    "not yet known": "unknown",
}
VERDICT_SIGNS = dict(zip(VERDICT_KEYS, "▲▼▲▼●?", strict=True))

PALETTES = {
    ("sequential", "light"): ("#f6f9fc", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#084594"),
    ("sequential", "dark"): ("#1c2229", "#1f3347", "#22466a", "#2a5f92", "#3d7fb8", "#64a3d4", "#97c6e8", "#cfe6f7"),
    ("diverging", "light"): (
        *("#b35806", "#d9750f", "#f0a04b", "#fbcb92", "#fce8cf", "#f7f7f5"),
        *("#e4e3ef", "#c5c1de", "#9f97c5", "#75659f", "#542788"),
    ),
    ("diverging", "dark"): (
        *("#ffb45e", "#e08a2e", "#b5661c", "#7d4a1c", "#483320", "#24262a"),
        *("#332f47", "#4a4272", "#6a5ea3", "#9488c9", "#c5bcf0"),
    ),
}


@dataclass(frozen=True)
class Tone:
    """An ink and the ground it stands on, as ``#rrggbb``."""

    ink: str
    ground: str


@dataclass(frozen=True)
class Theme:
    """The colours of a page; `tones` holds one for each verdict key and each kind of callout."""

    page: Tone
    quiet: str
    rule: str
    faint: str
    grid: str
    accent: str
    tones: dict[str, Tone]


LIGHT = Theme(
    page=Tone("#1d2126", "#ffffff"),
    quiet="#555c64",
    rule="#cfd2d6",
    faint="#f5f5f2",
    grid="#e4e5e7",
    accent="#1f4e79",
    tones={
        "over": Tone("#8a3b00", "#fbe9db"),
        "under": Tone("#0b4f80", "#e1edf6"),
        "fair": Tone("#005a41", "#def1ea"),
        "unknown": Tone("#4b5056", "#ececea"),
        "key": Tone("#1f4e79", "#eef4f9"),
        "caution": Tone("#8a3b00", "#fdf3ea"),
        "note": Tone("#4b5056", "#f4f4f1"),
    },
)
DARK = Theme(
    page=Tone("#e6e5e1", "#16191d"),
    quiet="#a9afb6",
    rule="#3a4048",
    faint="#1e2227",
    grid="#2b3037",
    accent="#8fbfe8",
    tones={
        "over": Tone("#f5b98a", "#45291a"),
        "under": Tone("#a5d0f2", "#17324a"),
        "fair": Tone("#8fdcc0", "#143a2e"),
        "unknown": Tone("#c5c9cd", "#30353b"),
        "key": Tone("#a5d0f2", "#1a2733"),
        "caution": Tone("#f5b98a", "#2c221b"),
        "note": Tone("#c5c9cd", "#22262b"),
    },
)


def figure_colours() -> dict[str, str]:
    """Return, for each colour that a figure may hold, its counterpart on dark paper.

    >>> figure_colours()["#ffffff"] == DARK.page.ground
    True
    """
    pairs = [(LIGHT.page.ink, DARK.page.ink), (LIGHT.page.ground, DARK.page.ground)]
    pairs += [(getattr(LIGHT, name), getattr(DARK, name)) for name in ("quiet", "rule", "grid")]
    return dict([*pairs, *zip(CATEGORIES, _DARK_CATEGORIES, strict=True)])


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    shares = (channel / 255 for channel in _channels(colour))
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the WCAG contrast ratio, 1 to 21, of two colours as `#rrggbb`.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def ink_on(ground: str) -> str:
    """Return black or white, whichever reads better on `ground`.

    >>> ink_on("#ffffff"), ink_on("#084594")
    ('#000000', '#ffffff')
    """
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, ground))


def step_of(shade: float, palette: str) -> int:
    """Return the step, 0 to ``STEPS - 1``, of a shade (0 to 1 if sequential, -1 to 1 if diverging).

    >>> step_of(0.5, "sequential"), step_of(0.0, "diverging"), step_of(-1.0, "diverging")
    (10, 10, 0)
    """
    share = shade if palette == "sequential" else (shade + 1) / 2
    return round(share * (STEPS - 1))


def swatches(palette: str, scheme: str = "light") -> tuple[Tone, ...]:
    """Return the `STEPS` tones of a palette, `sequential` or `diverging`, lowest first; `scheme` is `light` or `dark`.

    >>> swatches("diverging")[10].ground
    '#f7f7f5'
    """
    stops = PALETTES[palette, scheme]
    grounds = [_between(stops, step / (STEPS - 1)) for step in range(STEPS)]
    return tuple(Tone(ink_on(ground), ground) for ground in grounds)


def _between(stops: tuple[str, ...], share: float) -> str:
    """Return the colour at a share, 0 to 1, along evenly spaced stops, interpolated in RGB."""
    place = share * (len(stops) - 1)
    index = min(int(place), len(stops) - 2)
    pairs = zip(_channels(stops[index]), _channels(stops[index + 1]), strict=True)
    return "#" + "".join(f"{round(low + (high - low) * (place - index)):02x}" for low, high in pairs)
