"""What pages say where a run holds something that no published one does, or lacks what they hold: short excerpts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import polars as pl

from balance.answers.blocks.document import Block
from balance.reporting import Bullets, Document, Paragraph
from balance.reporting.sections.claims.assumptions import assumed_callout
from balance.reporting.sections.claims.solutions import solution_findings, solution_sections
from balance.reporting.sections.common.inexact import how_duels_were_checked, inexact_callout
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.worth import price_notes, worth_section
from balance.reporting.sections.fights.attacks import kill_section, points_section, sweep_sections
from balance.reporting.sections.fights.dominance import (
    dominance_section,
    twin_findings,
)
from balance.reporting.sections.fights.duels import (
    duel_section,
    ending_table_of,
    ending_text,
    first_move_section,
    matrix_section,
    rankings,
)
from balance.reporting.sections.fights.items import item_section
from balance.reporting.sections.fights.match_ups import match_up_callout, match_up_section
from balance.reporting.sections.fights.strength import reading_section
from balance.reporting.sections.method import _certainty, _method, _names, left_out_section
from balance.reporting.sections.summary import summary_section
from balance.study.frames.army_prices import ARMY_TABLES
from tests.reporting.altered import altered, table

WARFORGED, BATTLELORE, EDADH = "warforged", "battlelore", "edadh"
FOUR = ("nexus+sidearm", "whisper+sidearm", "colossus+rail_lance", "trooper+sidearm")
UNITS = ("giant_spider", "blue_foot+short_sword", "red_foot+short_sword", "green_foot+common_bow")
Summary = Mapping[str, Any]


def some(game: str, name: str, **columns: Sequence[Any]) -> pl.DataFrame:
    """Return the rows of a published table whose columns hold one of some values."""
    return table(game, name).filter(*(pl.col(column).is_in(list(values)) for column, values in columns.items()))


def of(frame: pl.DataFrame, **columns: Sequence[Any]) -> pl.DataFrame:
    """Return a table with other values in some columns."""
    return frame.with_columns(pl.Series(name, values, frame.schema[name]) for name, values in columns.items())


# -- attacks ---------------------------------------------------------------------------------------------------------


def kills(*means: float | None) -> pl.DataFrame:
    """Two attackers against two targets."""
    found = some(WARFORGED, "kills", attacker=("nexus+sidearm", "nexus+shotgun"), target=("nexus", "trooper"))
    within = [None if mean is None else 0.5 for mean in means]
    return of(found, mean_actions=means, p_within_2=within, mean_overkill=means)


def arms(**columns: Sequence[Any]) -> pl.DataFrame:
    return of(some(WARFORGED, "arms", arm=("sidearm", "shotgun", "rail_lance")), **columns)


def sweep(*damage: float) -> pl.DataFrame:
    found = some(WARFORGED, "sweep_armour", attacker=("nexus+sidearm", "nexus+shotgun"), value=("0", "6"))
    return of(found, damage=damage)


def attacks() -> dict[str, Any]:
    curve = some(WARFORGED, "survival", attacker=("nexus+sidearm",), actions=(0, 1, 2))
    return {
        "one cannot hurt": kill_section(altered(WARFORGED, {"kills": kills(2.0, None, 1.5, 4.25), "survival": curve})),
        "nobody can hurt": kill_section(
            altered(WARFORGED, {"kills": kills(None, None, None, None), "survival": None}, rungs={})
        ),
        "as hard to bring down": kill_section(
            altered(WARFORGED, {"kills": kills(2.0, 2.0, 3.0, 3.0), "arms": None, "survival": curve})
        ),
        "nothing killed": kill_section(altered(WARFORGED, {"kills": None})),
        "a sweep that some lose by": sweep_sections(altered(WARFORGED, {"sweep_armour": sweep(4.0, 3.0, 2.0, 2.0)})),
        "a sweep without harm": sweep_sections(altered(WARFORGED, {"sweep_armour": sweep(0.0, 0.0, 0.0, 0.0)})),
        "a sweep without gain": sweep_sections(
            altered(WARFORGED, {"sweep_armour": table(WARFORGED, "sweep_armour").drop("damage")})
        ),
        "a sweep without arms": sweep_sections(altered(WARFORGED, {"arms": None})),
        "one beaten": points_section(
            altered(
                WARFORGED,
                {
                    "arms": arms(
                        on_front=[True, False, True], shared=[True, False, True], gain_per_point=[None, 0.3, 0.2]
                    )
                },
            )
        ),
        "one not beaten": points_section(altered(WARFORGED, {"arms": arms(on_front=[False, False, True])})),
        "no prices": points_section(altered(BATTLELORE, {"arms": arms()})),
    }


# -- duels -----------------------------------------------------------------------------------------------------------


def ended(*nets: float) -> dict[str, pl.DataFrame | None]:
    rows = [
        {"entrant": unit, "ending": ending, "dealt": 0.1 * place + 0.2, "met": 0.1, "net_points": net}
        for (unit, net), (place, ending) in product(
            zip(UNITS, nets, strict=True), enumerate(("eliminated", "driven off"))
        )
    ]
    scores = of(some(BATTLELORE, "prices", entrant=UNITS), score=[0.6, 0.7, 0.5, 0.5])
    return {"endings": pl.DataFrame(rows), "prices": scores}


def endings(*nets: float) -> list[Block]:
    pages = altered(BATTLELORE, ended(*nets))
    ranked = rankings(pages)
    assert ranked is not None
    return [Paragraph(ending_text(pages)), ending_table_of(pages, ranked, 3 if nets[0] else 0)]


def scores(game: str, *values: float) -> pl.DataFrame:
    names = FOUR if game == WARFORGED else UNITS
    return of(some(game, "prices", entrant=names), score=values)


def moves(*rows: tuple[str, str, float, float]) -> pl.DataFrame:
    told = [{"a": a, "b": b, "p_first": p, "p_second": q, "advantage": p - q} for a, b, p, q in rows]
    return pl.DataFrame(told)


def duels() -> dict[str, Any]:
    few = {"n_duels": 16, "n_entrants": 4}
    best = {"strongest": {"score": 0.7}, "weakest": {"score": 0.3}}
    one = some(WARFORGED, "groups", group=("nexus",), opponent=("nexus",))
    a, b, c, d = FOUR
    return {
        "points won and lost": endings(0.2, -0.1, -0.0002, 0.0003),
        "no points": endings(0.0, 0.0, 0.0, 0.0),
        "the same ranking": endings(0.1, 0.4, 0.1, 0.3),
        "two first, nothing played for, one group": duel_section(
            altered(WARFORGED, {"prices": scores(WARFORGED, 0.7, 0.7, 0.3, 0.4), "groups": one}, few | best, rungs={})
        ),
        "no duels": duel_section(altered(WARFORGED, {"prices": None})),
        "a first move worth as much elsewhere": first_move_section(
            altered(WARFORGED, {"first_mover": moves((a, b, 0.6, 0.4), (c, d, 0.7, 0.5), (a, a, 0.55, 0.45))})
        ),
        "a first move of one match-up": first_move_section(
            altered(WARFORGED, {"first_mover": moves((a, b, 0.6, 0.4), (a, a, 0.5, 0.5))})
        ),
        "no first move": first_move_section(altered(WARFORGED, {"first_mover": None})),
        "no matrix": matrix_section(altered(WARFORGED, {"matrix": None})),
        "a matrix of one": matrix_section(altered(WARFORGED, {"matrix": table(WARFORGED, "matrix").head(1)})),
    }


# -- what is worth taking --------------------------------------------------------------------------------------------


def dominance() -> dict[str, Any]:
    found = {"smallest_imbalance": 0.02}
    columns = ["entrant", "cost_points", "outright", "witnesses", "witness_cost", "mean_gain", "least_gain"]
    frame = table(WARFORGED, "dominance").select(*columns, "largest_gain", "n_dominating").head(6)
    pair = table(WARFORGED, "twins")
    plain = of(pair, cost_points=[None], twin_cost=[None], n_pairs=[1], differ=[[]], n_only=[2], n_twin_only=[0])

    def pages(outright: int, overlooking: int, n: int = 6) -> Pages:
        counts = found | {"outright": outright, "overlooking_the_smallest_imbalance": overlooking}
        kept = frame.head(n).with_columns(outright=pl.int_range(pl.len()) < outright)
        return altered(
            WARFORGED,
            {"dominance": kept if n else None, "twins": pl.concat([pair, plain]), "dominated_cards": None},
            {"dominated": counts},
        )

    return {
        **mixtures(frame, pair),
        "twins": twin_findings(pages(0, 0)),
        "many twins": twin_findings(altered(WARFORGED, {"twins": pl.concat([plain] * 6)})),
        "six lose alone": dominance_section(pages(6, 8)),
        "one more if little is overlooked": dominance_section(pages(1, 2, 2)),
        "no more": dominance_section(pages(0, 0, 0)),
        "no prices": dominance_section(altered(BATTLELORE, {})),
    }


def mixtures(frame: pl.DataFrame, twins: pl.DataFrame) -> dict[str, Any]:
    """Return what is said of mixtures, and of cards that are dominated: rows of each kind, made up of one."""
    names = ["nexus+sidearm", "nexus+shotgun", "trooper+sidearm"]
    halves, parts = [0.5, 0.5], [0.3, 0.66, 0.04]
    single = frame.with_columns(shares=pl.lit(None, pl.List(pl.Float64)), error=pl.lit(0.0))
    mixed = of(
        single.head(4), witnesses=[names[:2], names[:2], names, names[:2]], shares=[halves, halves, parts, halves]
    )
    mixed = of(mixed, n_dominating=[0] * 4, witness_cost=[31.0, 20 / 3, 21.98, 9.0])

    def pages(outright: Sequence[bool], error: float = 0.0, cards: pl.DataFrame | None = None, n: int = 2) -> Pages:
        rows = of(mixed.head(len(outright)), outright=outright).with_columns(error=pl.lit(error))
        counts = {"outright": n, "overlooking_the_smallest_imbalance": n, "smallest_imbalance": 0.02}
        counts |= {"by_a_mixture": sum(outright), "by_any_overlooking": n + len(outright)}
        tables = {"dominance": pl.concat([of(single.head(n), outright=[True] * n), rows]), "twins": twins}
        return altered(WARFORGED, tables | {"dominated_cards": cards}, {"dominated": counts})

    card = {"card": "x", "label": "A *card*", "table": "weapons", "cost_points": 3.0, "n_entrants": 2}
    other = {"label": "Another", "everywhere": False, "by": ["y"], "by_label": "Y", "margin": 0.0, "mean_gain": 0.1}
    nowhere = card | {"everywhere": True, "by": None, "by_label": None, "margin": None, "mean_gain": None}
    cards = pl.DataFrame([nowhere, card | other, card | other | {"everywhere": True, "label": "Third"}])
    return {
        "mixtures, one of which overlooks something": dominance_section(pages([True, True, False], cards=cards)),
        "a mixture that was simulated": dominance_section(pages([True], 0.0125, cards.head(1))),
        "a mixture that overlooks something": dominance_section(pages([False], cards=cards.slice(1, 1))),
        "no mixture": dominance_section(pages([])),
    }


def readings() -> dict[str, Any]:
    found = table(WARFORGED, "readings").head(2)
    unmoved = of(found, n_changed=[0, 0])
    return {
        "readings that change nothing": reading_section(altered(WARFORGED, {"readings": unmoved})),
        "readings that all change something": reading_section(
            altered(WARFORGED, {"readings": of(found, n_changed=[3, 1], n_asked=[4, 4])})
        ),
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
    return told | dice | {"verdict": verdict, "because": why, "depends": [], "as_proposed": verdict}


def judged(
    loadouts: Mapping[str, Sequence[Judgement]], cards: Mapping[str, Sequence[Judgement]], slope: float = 1.0
) -> Pages:
    """Return pages on which armies of equal points met: one judgement of each for each setting."""
    settings = list(loadouts) and ["pool", "per_unit"][: len(next(iter(loadouts.values())))]
    frames: dict[str, list[dict[str, Any]]] = {name: [] for name in ARMY_TABLES}
    for at, setting in enumerate(settings):
        for place, (name, found) in enumerate(loadouts.items()):
            row = judgement(setting, 20.0 + 4 * place, found[at])
            frames["fair_costs"].append({"entrant": name, **row, "sum_points": 22.0 + 4 * place})
            scores = {"score_before": 0.4 + place / 10, "score_after": 0.5, "score_cards": 0.45 + place / 20}
            frames["army_scores"].append({"setting": setting, "entrant": name, **scores})
        for name, found in cards.items():
            table_of = "units" if name in ("nexus", "whisper") else "weapons"
            row = {"table": table_of, "card": name, "label": name.replace("_", " ").title()}
            frames["fair_card_costs"].append(row | judgement(setting, 12.0, found[at]))
        ends = {"slope": slope, "low": slope - 0.1, "high": slope + 0.1}
        word = "fair" if slope == 1 else "dear too cheap"
        frames["army_scale"].append({"setting": setting, **ends, "verdict": word, "because": f"it rises by {slope:g}"})
        frames["army_settings"].append(
            {"setting": setting, "title": f"actions *{setting}*", "kind": "lineup", "changes": [f"x={setting}"][:at],
             "play": "focus", "budgets": [150.0, 350.0], "unit_limits": [4.0, 10.5], "n_battles": 16_384,
             "n_fighters": 1 + at, "seed": 7}
        )  # fmt: skip
        ways = [("focus", 0.5, 0.0, True, 0.08), ("least_overkill", 0.48, 0.003, True, 0.07)]
        constant = {"constant": "adding t changes no loadout", "constant_low": -2.0, "constant_high": 3.0}
        for play, score, error, near, unfair in [*ways, ("spread", 0.3, 0.003, False, None)]:
            row = {"setting": setting, "play": play, "score": score, "error": error, "near": near, "unfair": unfair}
            frames["army_play"].append(row | {"noise": 0.01} | (constant if at == 0 else {}))
        for kind, slopes in (("alike", (0.12, 0.01, 0.02)), ("mixed", (None, None, None))):
            row = {"setting": setting, "budget": 194.0, "unit_limit": 5.5, "armies": kind, "n_match_ups": 6}
            rms = {"rms_before": 0.21, "rms_after": 0.08, "rms_cards": 0.1, "n_battles": 128}
            told = dict(zip(("slope_before", "slope_after", "slope_cards"), slopes, strict=True))
            frames["army_checks"].append(row | rms | told)
        for costs, off in (("printed", 0.21), ("proposed", 0.12), ("all", 0.08)):
            row = {"setting": setting, "costs": costs, "off": off, "error": 0.01, "n_match_ups": 2048}
            frames["typical_match_ups"].append(row)
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


def items() -> dict[str, Any]:
    frame = table(WARFORGED, "item_summary").head(3)
    unseen = of(frame, status=["not measurable", "not legal", "not measurable"], n_measured=[0, 0, 0])
    partly = of(
        frame,
        status=["measured", "not measurable", "measured"],
        n_not_legal=[1, 0, 0],
    )
    whole = of(frame, n_not_legal=[0, 0, 0], n_measured=frame["n_entrants"].to_list())
    uses = {"uses": {"rapid_fire": {"x": "y"}}}
    return {
        "nothing legal": item_section(altered(WARFORGED, {"item_summary": of(frame, status=["not legal"] * 3)})),
        "nothing measurable": item_section(altered(WARFORGED, {"item_summary": unseen})),
        "some measurable": item_section(altered(WARFORGED, {"item_summary": partly}, None, uses)),
        "all measured, no panel": item_section(altered(WARFORGED, {"item_summary": whole, "panel": None})),
        "no items": item_section(altered(WARFORGED, {"item_summary": None})),
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
        "alarms": [how_duels_were_checked(checked(drawn, alarms=1))],
        "no alarm": [how_duels_were_checked(checked(drawn))],
        "three simulated": [how_duels_were_checked(checked(three)), *inexact_callout(checked(three))],
        "three simulated, none checked": [how_duels_were_checked(checked(three, match_ups=0))],
        "all exact": [*inexact_callout(checked(drawn))],
        "nothing that readings turn": [_certainty(altered(WARFORGED, {"readings": None}, rungs={}))],
        "left out": left_out_section(altered(WARFORGED, {}, {"left_out": ["A **thing**.", "Another."]})),
        "names": _names(
            altered(WARFORGED, {"entrants": of(some(WARFORGED, "entrants", entrant=FOUR[:2]), label=["Ann", "Bob"])})
        ),
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
        "no table of it": [
            *solution_sections(altered(EDADH, {"solutions": known, "solution_tables": titles, name: None}))
        ],
    }


GROUPS = (attacks, duels, dominance, readings, worth, items, front, assumed, match_ups, solutions)


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
