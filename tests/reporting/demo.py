"""A made-up report with every kind of block, the sizes a real one reaches and the names a hostile catalogue holds."""

from __future__ import annotations

import math
from functools import cache

from balance.base.numbers import show_interval, show_number, show_points, show_probability
from balance.reporting import (
    Attachment,
    Bullets,
    Callout,
    Column,
    Document,
    Facts,
    Figure,
    HeatMap,
    PageBreak,
    Paragraph,
    Section,
    Verdict,
    Verdicts,
    literal,
    table,
)
from balance.reporting.figures.figures import Point, Series, plot_against, plot_bars, plot_intervals, plot_lines

WEAPONS = (
    *("Assault Rifle", "SMG Pistol", "Sidearm", "Marksman Rifle", "Shotgun", "Laser Carbine", "Pulse Pistol"),
    *("EMP Projector", "Grenade Launcher", "Rotary Cannon", "Rocket Battery", "Rail Lance"),
)
UNITS = ("Nexus", "Whisper", "Vanguard", "Bulwark", "Sentinel", "Trooper", "Aegis", "Detonator", "Colossus", "Spectre")
HOSTILE = (
    "#emph[x] #let a = 1",
    "<script>alert('x')</script>",
    "$x^2$ & \\alpha {{ title }} {% raw %}",
    "`code` **bold** \"quoted\" 'single'",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 2,
    "😀🔥 robot",
    "שלום עולם",
    "مرحبا بالعالم",
    "中文单位",
    "-lots -- of --- dashes... @label <tag> https://example.test/x",
)


EVERYTHING = Attachment("every-match-up.csv", b"a,b\n", "**All of them**, against all:")


def loadouts(n: int = 80) -> tuple[str, ...]:
    """Return n names of a unit with its weapon."""
    return tuple(f"{unit} + {weapon}" for unit in UNITS for weapon in WEAPONS)[:n]


def value(seed: float) -> float:
    """Return a number from 0 to 1 that looks irregular and is the same everywhere."""
    return math.modf(abs(math.sin(seed) * 43758.5453))[0]


@cache
def duel_matrix(n: int = 80) -> HeatMap:
    """Return an n by n win table."""
    names = loadouts(n)
    p = [[0.5 if a == b else 1 / (1 + math.exp((b - a) / 14 + value(a * b) - 0.5)) for b in range(n)] for a in range(n)]
    return HeatMap(
        names,
        names,
        tuple(tuple(f"{100 * x:.0f}" for x in row) for row in p),
        tuple(tuple(2 * x - 1 if a != b else None for b, x in enumerate(row)) for a, row in enumerate(p)),
        "Chance in percent that the loadout of the row wins a duel, **who goes first drawn by lot**.",
        palette="diverging",
        row_title="this loadout",
        column_title="against",
        legend=("0: always loses", "50", "100: always wins"),
        note="Exact, so without an interval. The diagonal is 50 by symmetry and left plain.",
    )


def armour_map() -> HeatMap:
    """Return a small heat map."""
    means = [[max(0.0, 4.2 * value(i + 1) + 1.4 - 0.55 * armour) for armour in range(7)] for i in range(len(WEAPONS))]
    top = max(map(max, means))
    return HeatMap(
        WEAPONS,
        tuple(str(armour) for armour in range(7)),
        tuple(tuple(f"{x:.2f}" for x in row) for row in means),
        tuple(tuple(x / top for x in row) for row in means),
        "Expected damage of one action, by weapon and armour.",
        row_title="weapon",
        column_title="armour of the target",
        legend=("0", f"{top:.2f}"),
    )


@cache
def figures() -> tuple[Figure, ...]:
    """Return one figure of each kind, with names that crowd."""
    points = [
        Point(
            name,
            8 + 34 * value(i),
            0.6 + 4 * value(i + 50),
            y_low=0.5 + 4 * value(i + 50),
            y_high=0.8 + 4 * value(i + 50),
        )
        for i, name in enumerate(loadouts(36))
    ]
    front = [not any(o.x <= p.x and o.y >= p.y and o is not p for o in points) for p in points]
    curves = [
        Series(name, tuple(range(13)), tuple(math.exp(-t * (0.1 + 0.09 * i)) for t in range(13)))
        for i, name in enumerate(UNITS[:7])
    ]
    band = Series(
        "Spectre", (0, 3, 6, 9, 12), (1, 0.9, 0.7, 0.6, 0.5), (1, 0.85, 0.6, 0.5, 0.35), (1, 0.95, 0.8, 0.7, 0.65)
    )
    middles = [value(i) * 8 - 4 for i in range(22)]
    words = ["too dear" if x > 1.5 else "too cheap" if x < -1.5 else "fair" for x in middles]
    words[4] = words[9] = "not yet known"
    intervals = plot_intervals(
        loadouts(22),
        middles,
        [x - 0.9 for x in middles],
        [x + 1.1 for x in middles],
        "cost above its worth (points)",
        reference=0.0,
        verdicts=words,
    )
    return (
        Figure(
            plot_against(
                points, [at for at, best in enumerate(front) if best], "cost (war points)", "expected damage per action"
            ),
            "Scatter of 36 loadouts: cost against expected damage; eight lie on the front.",
            "Damage against cost. Filled dots are the front: nothing cheaper does more.",
        ),
        Figure(
            plot_lines([*curves, band], "actions of the attacker", "still standing", steps=True, percent=True),
            "Eight falling stairs, the Nexus highest at first.",
            "Chance that a target still stands after so many actions.",
        ),
        Figure(intervals, "Dots with whiskers for 22 loadouts around zero.", "Price against worth; n = 40,000 each."),
        Figure(
            plot_bars([0, 3, 5, 6, 8], [0.368, 0.332, 0.2, 0.0996, 0.0004], "damage of one action (points)"),
            "Bars: no damage 36.8%, three points 33.2%.",
            "Damage of one action of the Assault Rifle.",
        ),
    )


def weapon_table(rows: int = 60) -> tuple[Column | str, ...]:
    """Return a table long enough to cross pages."""
    columns = (
        Column("Loadout"),
        Column("Cost", "right", "war points of unit and weapons together"),
        Column("Hit", "right"),
        Column("Damage per action", "right", "the mean, **after** armour and cover"),
        Column("Interval", "right"),
        Column("Verdict", "center"),
    )
    body = []
    for i, name in enumerate(loadouts(rows)):
        p, d = value(i), 5 * value(i + 9)
        verdict = ("fair", "too dear", "too cheap")[i % 3]
        body.append(
            [
                name,
                (str(20 + i), float(20 + i)),
                (show_probability(p), p),
                (show_number(d), d),
                show_interval(d - 0.1, d + 0.1),
                verdict,
            ]
        )
    return table(columns, body, "All loadouts, by the order of the catalogue.", "Exact values carry **no** interval.")


def wide_table():
    """Return a table with more columns than an upright page holds."""
    heads = [Column("Unit"), *(Column(f"Armour {i}", "right") for i in range(16)), Column("Remark")]
    rows = [[u, *(f"{10 * value(i + j):.2f}" for j in range(16)), "assumed"] for i, u in enumerate(UNITS)]
    return table(heads, rows, "A wide table.")


def demo(hostile: bool = True) -> Document:
    """Return the whole report."""
    summary = Section(
        "In one page",
        "summary",
        (
            Callout("key", "What to change", "The **Rail Lance** costs 6 points too much; two others are too cheap."),
            Paragraph(
                "Of 80 legal loadouts, **71 are priced fairly** within two points. The costs rest on `rules.toml`; "
                "eleven numbers in it are assumed, and two of those would change a verdict."
            ),
            Verdicts(
                (
                    Verdict(
                        "Rail Lance",
                        "too dear",
                        "Costs **6.1 points** more than its damage is worth at any armour.",
                        "95% interval 4.9 to 7.2 points",
                    ),
                    Verdict("Whisper + SMG Pistol", "too cheap", "Wins 61.4% of its duels at equal cost.", "exact"),
                    Verdict(
                        "Nexus + Assault Rifle",
                        "fair",
                        f"Within {show_points(2)} of its worth.",
                        "95% interval −0.8 to 1.1 points",
                    ),
                    Verdict(
                        "Colossus",
                        "not yet known",
                        "About 40,000 more trials would decide.",
                        "95% interval −1.2 to 3.9 points",
                    ),
                )
            ),
            Bullets(
                (
                    "The side that goes first wins **54.2%** of equal duels.",
                    "Assumed numbers are marked in table 1.",
                    "No verdict rests on the reading of WF-COV.",
                )
            ),
            Callout("caution", "What this rests on", "Costs of nine units are placeholders, not the designer's."),
        ),
    )
    scatter, lines, intervals, bars = figures()
    sections = [
        summary,
        Section(
            "Weapons against armour",
            "armour",
            (Paragraph("Each weapon once, at medium range, no cover."), armour_map(), bars),
        ),
        Section("Damage for its points", "points", (scatter, weapon_table(), intervals)),
        Section(
            "Duels",
            "duels",
            (
                Section("How long a target stands", "standing", (lines,)),
                Section(
                    "Who beats whom",
                    "matrix",
                    (
                        Paragraph("Read along a row."),
                        duel_matrix(),
                        Paragraph("After the matrix."),
                        wide_table(),
                        EVERYTHING,
                    ),
                ),
            ),
        ),
        Section(
            "Method",
            "method",
            (
                PageBreak(),
                Facts((("Trials", "1,000,000"), ("Method", "exact chain"))),
                Callout("note", "", "A note without title."),
            ),
        ),
    ]
    if hostile:
        sections.append(hostile_section())
    facts = (
        ("Game", "Warforged"),
        ("Rules version", "2026-01 (draft)"),
        ("Catalogue", "sha256 3f1c9a5b0f7e4d2288aa01"),
        ("Seed", "0"),
        ("balance", "0.1.0"),
        ("Date", "1 March 2026"),
    )
    return Document("Is Warforged fair?", "A balance report on the shipped catalogue", tuple(sections), facts)


@cache
def hostile_section() -> Section:
    """Return a section in which every text is hostile."""
    n = len(HOSTILE)
    rows = [[name, (f"{i}.5", i + 0.5), name] for i, name in enumerate(HOSTILE)]
    heat = HeatMap(HOSTILE, HOSTILE, ((("7",) * n),) * n, ((0.5,) * n,) * n, literal(HOSTILE[0]), row_title=HOSTILE[1])
    picture = plot_intervals(HOSTILE, list(range(n)), [i - 1 for i in range(n)], [i + 1 for i in range(n)], HOSTILE[2])
    cards = Verdicts(tuple(Verdict(name, "fair", literal(name), name) for name in HOSTILE))
    return Section(
        HOSTILE[1],
        HOSTILE[1],
        (
            Paragraph(literal(" / ".join(HOSTILE))),
            cards,
            table(["Name", Column("Number", "right"), Column(HOSTILE[0])], rows, literal(HOSTILE[3])),
            heat,
            Figure(picture, HOSTILE[1], literal(HOSTILE[2])),
        ),
    )
