"""What pages say where a run holds something that no published one does, or lacks what they hold: short excerpts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from balance.answers.blocks.document import Block
from balance.reporting import Bullets, Document, Paragraph
from balance.reporting.sections.claims.assumptions import assumed_callout
from balance.reporting.sections.claims.solutions import solution_findings, solution_sections
from balance.reporting.sections.common.inexact import inexact_callout
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.worth import price_notes, worth_section
from balance.reporting.sections.fights.duels import duel_section
from balance.reporting.sections.fights.match_ups import match_up_callout, match_up_section
from balance.reporting.sections.method import _method, left_out_section
from balance.reporting.sections.summary import summary_section
from balance.study.frames.army_prices import ARMY_TABLES
from tests.reporting.altered import altered, table

WARFORGED, BATTLELORE, EDADH = "warforged", "battlelore", "edadh"
FOUR = ("nexus+sidearm", "whisper+sidearm", "colossus+rail_lance", "trooper+sidearm")
Summary = Mapping[str, Any]


def some(game: str, name: str, **columns: Sequence[Any]) -> pl.DataFrame:
    """Return the rows of a published table whose columns hold one of some values."""
    return table(game, name).filter(*(pl.col(column).is_in(list(values)) for column, values in columns.items()))


def of(frame: pl.DataFrame, **columns: Sequence[Any]) -> pl.DataFrame:
    """Return a table with other values in some columns."""
    return frame.with_columns(pl.Series(name, values, frame.schema[name]) for name, values in columns.items())


# -- duels -----------------------------------------------------------------------------------------------------------


def scores(*values: float) -> pl.DataFrame:
    return of(some(WARFORGED, "prices", entrant=FOUR), score=values)


def moves(*rows: tuple[str, str]) -> pl.DataFrame:
    return pl.DataFrame([{"a": a, "b": b, "p_first": 0.6, "p_second": 0.4, "advantage": 0.2} for a, b in rows])


def duels() -> dict[str, Any]:
    few = {"n_duels": 16, "n_entrants": 4}
    one = some(WARFORGED, "groups", group=("nexus",), opponent=("nexus",))
    a, b, c, d = FOUR

    def pages(**more: pl.DataFrame | None) -> Pages:
        return altered(WARFORGED, {"prices": scores(0.7, 0.7, 0.3, 0.4), "groups": one} | more, few)

    return {
        "two first, one group, several first moves": duel_section(pages(first_mover=moves((a, b), (c, d), (a, a)))),
        "a first move of one match-up": duel_section(pages(first_mover=moves((a, b), (a, a)))),
        "no first move": duel_section(pages(first_mover=None)),
        "no duels": duel_section(altered(WARFORGED, {"prices": None})),
    }


# -- worth its points ------------------------------------------------------------------------------------------------

NOT_KNOWN, HIDDEN, BY_PLAY = "not yet known", "not measurable here", "depends on play"
PARTS = ("nexus", "whisper", "sidearm", "rail_lance")
Judgement = tuple[float, float, str]
"""The ends of the interval of a fair cost, and the verdict."""


def judgement(setting: str, cost: float, found: Judgement) -> dict[str, Any]:
    low, high, verdict = found
    told = {"setting": setting, "cost_points": cost, "fair_points": (low + high) / 2, "low": low, "high": high}
    why = "plays as sidearm here, which costs 4 less; their points differ for length" if verdict == HIDDEN else "so"
    dice = {"dice_low": low + 0.25, "dice_high": high - 0.25}
    return told | dice | {"verdict": verdict, "because": why, "depends": []}


def judged(
    loadouts: Mapping[str, Sequence[Judgement]], cards: Mapping[str, Sequence[Judgement]], slope: float = 1.0
) -> Pages:
    """Return pages on which armies of equal points met: one judgement of each for each setting."""
    settings = list(loadouts) and ["pool", "per_unit"][: len(next(iter(loadouts.values())))]
    frames: dict[str, list[dict[str, Any]]] = {name: [] for name in ARMY_TABLES}
    for at, setting in enumerate(settings):
        for place, (name, found) in enumerate(loadouts.items()):
            row = judgement(setting, 20.0 + 4 * place, found[at])
            worse = {"strictly_worse_than": PARTS[0], "strictly_worse_fields": ["health"]} if place == 3 else {}
            frames["fair_costs"].append({"entrant": name, **row, "sum_points": 22.0 + 4 * place} | worse)
            scores = {"score_before": 0.4 + place / 10, "score_after": 0.5, "score_cards": 0.45 + place / 20}
            frames["army_scores"].append({"setting": setting, "entrant": name, **scores})
        for name, found in cards.items():
            table_of = "units" if name in ("nexus", "whisper") else "weapons"
            row = {"table": table_of, "card": name, "label": name.replace("_", " ").title()}
            proposed = {"proposed_points": 6} if "too" in found[at][2] else {}
            beside = {"elsewhere": ["lineup: fair, 11 to 13"], "in_every_setting": False}
            frames["fair_card_costs"].append(row | judgement(setting, 12.0, found[at]) | proposed | beside)
        ends = {"slope": slope, "low": slope - 0.1, "high": slope + 0.1}
        word = "fair" if slope == 1 else "dear too cheap"
        frames["army_scale"].append({"setting": setting, **ends, "verdict": word, "because": f"it rises by {slope:g}"})
        frames["army_settings"].append(
            {"setting": setting, "title": f"actions *{setting}*", "kind": "lineup", "changes": [f"x={setting}"][:at],
             "play": "focus", "beside": ["lineup"],
             "budgets": [150.0, 350.0], "unit_limits": [4.0, 10.5], "n_battles": 16_384,
             "n_fighters": 1 + at, "seed": 7}
        )  # fmt: skip
        constant = {"constant": "adding t changes no loadout", "constant_low": -2.0, "constant_high": 3.0}
        for play, behind, place, why in (
            ("focus", 0.0, "in", ""), ("least_overkill", 12.0, "open", ""), ("spread", 300.0, "out", "far behind")
        ):  # fmt: skip
            row = {"setting": setting, "play": play, "behind": behind, "place": place, "because": why}
            frames["army_play"].append(row | {"unfair": 0.08, "noise": 0.01} | (constant if at == 0 else {}))
        for kind, slopes in (("alike", (0.12, 0.01, 0.02)), ("mixed", (None, None, None))):
            row = {"setting": setting, "budget": 194.0, "unit_limit": 5.5, "armies": kind, "n_match_ups": 6}
            rms = {"rms_before": 0.21, "rms_after": 0.08, "rms_cards": 0.1, "n_battles": 128}
            told = dict(zip(("slope_before", "slope_after", "slope_cards"), slopes, strict=True))
            frames["army_checks"].append(row | rms | told)
        for costs, off in (("printed", 0.21), ("proposed", 0.12), ("all", 0.08)):
            row = {"setting": setting, "costs": costs, "off": off, "error": 0.01, "n_match_ups": 2048}
            frames["typical_match_ups"].append(row)
    words = {found[0][2] for found in (*loadouts.values(), *cards.values())}
    is_fair = "no" if {"too dear", "too cheap"} & words else "costs yes, match-ups no"
    for row in frames["army_settings"]:
        row["is_fair"] = "not yet known" if is_fair != "no" and NOT_KNOWN in words else is_fair
    for row in frames["fair_card_costs"]:
        row["battles"] = 4000 if row["verdict"] == NOT_KNOWN else 0
    tables = {name: pl.DataFrame(rows, schema=ARMY_TABLES[name]) for name, rows in frames.items()}
    return altered(WARFORGED, tables | dict.fromkeys(("stable_costs", "stable_card_costs")))


def told_of_prices(*given: Any) -> list[Any]:
    pages = judged(*given)
    return [summary_section(pages), *price_notes(pages)]


def worth() -> dict[str, Any]:
    fair, dear, cheap = (19.0, 33.0, "fair"), (14.0, 17.0, "too dear"), (40.0, 44.25, "too cheap")
    open_one, hidden, played = (10.0, 60.0, NOT_KNOWN), (10.0, 60.0, HIDDEN), (10.0, 60.0, BY_PLAY)
    all_fair = {name: [fair, fair] for name in FOUR}
    cards = {name: [(11.0, 13.0, "fair")] * 2 for name in PARTS}
    mixed = {FOUR[0]: [dear, dear], FOUR[1]: [cheap, fair], FOUR[2]: [cheap, cheap], FOUR[3]: [open_one, fair]}
    many = {row: [dear, dear] for row in table(WARFORGED, "entrants")["entrant"].head(7)}
    thin = {"nexus": [(5.0, 6.0, "too dear")] * 2, "sidearm": [hidden, hidden], "rail_lance": [played, fair]}
    alone = {name: [found[0]] for name, found in mixed.items()}
    unmet = altered(WARFORGED, dict.fromkeys((*ARMY_TABLES, "stable_costs", "stable_card_costs")))
    one = {name: [found[0]] for name, found in cards.items()}
    return {
        "all are fair": told_of_prices(all_fair, cards),
        "all loadouts are fair, some cards are open": told_of_prices(all_fair, {**cards, "nexus": [open_one, fair]}),
        "some are off, one hangs on the setting": told_of_prices(mixed, cards, 1.5),
        "cards are off, or hidden, or hang on play": told_of_prices(mixed, thin),
        "many are off, no card for certain": told_of_prices(many, {"nexus": [open_one, open_one]}),
        "one setting": told_of_prices(alone, one),
        "nothing is off for certain": told_of_prices({name: [open_one, fair] for name in FOUR}, cards),
        "nothing met": summary_section(unmet),
        "the section, two settings": worth_section(judged(mixed, thin)),
        "the section, one setting": worth_section(judged(alone, one)),
        "no section": worth_section(unmet),
    }


# -- first page and last ---------------------------------------------------------------------------------------------


def front() -> dict[str, Any]:
    drawn = table(WARFORGED, "duels").with_columns(n_trials=pl.lit(None, pl.Int64))
    three = drawn.with_columns(n_trials=pl.when(pl.int_range(pl.len()) < 3).then(4096).otherwise(None))
    check = {
        "match_ups": 2,
        "tested": 2,
        "trials": 512,
        "below_5_percent": 1,
        "alarms": 0,
        "control_alarms": 0,
        "level": 0.01,
    }

    def checked(frame: pl.DataFrame, **changes: Any) -> Pages:
        return altered(WARFORGED, {"duels": frame}, {"n_duels": frame.height, "check": check | changes})

    method = {name: _method(checked(drawn, **changes)) for name, changes in METHODS.items()}
    return {
        **method,
        "three simulated": [*inexact_callout(checked(three))],
        "all exact": [*inexact_callout(checked(drawn))],
        "left out": left_out_section(altered(WARFORGED, {}, {"left_out": ["A **thing**.", "Another."]})),
        "no match-ups, no findings": summary_section(
            altered(WARFORGED, dict.fromkeys(("prices", "readings", "endings")), {"match_ups": None})
        ),
    }


METHODS: Mapping[str, Summary] = {
    "a check": {},
    "a check with alarms": {"alarms": 2, "control_alarms": 2, "below_5_percent": 2},
    "no check": {"match_ups": 0},
}


def assumed() -> dict[str, Any]:
    def pages(game: str, *statuses: str, cost: str = "", **tables: Any) -> list[Block]:
        rows = [
            {
                "table": f"table_{n % 2}",
                "id": "x",
                "field": "cost_points" if n == 0 else "y",
                "status": status,
                "where": cost,
            }
            for n, status in enumerate(statuses)
        ]
        return [assumed_callout(altered(game, {"provenance": pl.DataFrame(rows), **tables}))]

    nothing = {"prices": None, "tasks": None}
    return {
        "all stated": pages(WARFORGED, "stated", "stated"),
        "a third": pages(WARFORGED, "stated", "stated", "assumed"),
        "less than a third": pages(WARFORGED, "stated", "stated", "stated", "unknown", "inferred", "stated"),
        "an assumed cost": pages(WARFORGED, "assumed", "stated", "stated", "stated", cost="a *guess*"),
        "an unknown cost": pages(WARFORGED, "unknown", "stated"),
        "no prices judged": pages(BATTLELORE, "assumed", "stated"),
        "match-ups alone": pages(WARFORGED, "unknown", prices=None, tasks=pl.DataFrame({"a": [1]})),
        "nothing concluded": pages(WARFORGED, "unknown", **nothing),
    }


# -- match-ups and solutions -----------------------------------------------------------------------------------------

TASK = {"side": "base", "situation": "", "policies": "", "a": FOUR[0], "b": FOUR[1], "verdict": "fair"}
PLAYED = {
    "n_exact": 2,
    "n_tasks": 2,
    "n_sampled": 0,
    "n_pairs": 0,
    "rule": "r",
    "allocation": "All.",
    "confidence": 0.95,
}


def task(score: float | None, **more: Any) -> dict[str, Any]:
    numbers = {"score": score, "low": None, "high": None, "advantage": 0.1, "n_pairs": None}
    return TASK | numbers | more


def counted(verdicts: Mapping[str, int], **sides: Mapping[str, int]) -> dict[str, Any]:
    return PLAYED | {"verdicts": {"base": verdicts, **sides}, "imbalance": 0.02}


def match_ups() -> dict[str, Any]:
    rows = [task(0.5), task(0.9, situation="far"), task(None), task(0.2, low=0.1, high=0.3, n_pairs=4096)]
    some_known = {"match_ups": counted({"fair": 1, "not yet known": 3})}
    few = altered(WARFORGED, {"tasks": pl.DataFrame(rows, infer_schema_length=None)}, some_known)
    return {
        "exact and not": match_up_section(few),
        **{
            f"counted: {counts}": [match_up_callout(counted(counts))]
            for counts in ({"fair": 1}, {"unfair": 2}, {"even": 1}, {"one-sided": 1, "not yet known": 1}, {})
        },
        "of two sides the first": [match_up_callout(counted({"fair": 2}, dear={"fair": 1}))],
    }


def solutions() -> dict[str, Any]:
    known = table(EDADH, "solutions").filter(id="last_two")
    titles = table(EDADH, "solution_tables").filter(id="last_two").head(1)
    name = f"solution_last_two_{titles['name'][0]}"

    asked = altered(EDADH, {}).run.manifest["report_settings"]["solutions"]
    one = next(one for one in asked if one["id"] == "last_two")

    def pages(**columns: Sequence[Any]) -> list[Any]:
        rows = {"solutions": of(known, **columns), "solution_tables": titles, name: table(EDADH, name).head(2)}
        found = altered(EDADH, rows, None, {"solutions": [one | {"finding": "Spears score {value}."}]})
        return [*solution_findings(found), *solution_sections(found)]

    return {
        "certified": pages(changes=[["a.mp=1", "b.mp=2"]]),
        "solved, not to the end": pages(converged=[False], half_width=[0.0]),
        "found by training": pages(kind=["approximate"], half_width=[0.01], exploitability=[0.1]),
        "of one name": pages(other=known["one"], half_width=[0.01], kind=["approximate"]),
        "no solution": [*solution_sections(altered(EDADH, {"solutions": None}))],
    }


GROUPS = (duels, worth, front, assumed, match_ups, solutions)


def variants(group: Callable[[], dict[str, Any]]) -> Document:
    """Return excerpts as a document, one after another."""
    return Document(
        group.__name__, "", tuple(block for name, found in group().items() for block in _excerpt(name, found))
    )


def _excerpt(name: str, found: Any) -> Iterable[Block]:
    yield Bullets((f"== {name} ==",))
    parts = found if isinstance(found, list) else [found]
    yield from (Paragraph(part or "nothing") if isinstance(part, str | None) else part for part in parts)
    if not parts:
        yield Paragraph("nothing")
