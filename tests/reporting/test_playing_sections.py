"""Which prices hold in battles on a board, on the page, by tables of a run."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from balance.answers.blocks.document import Attachment, Figure, Section
from balance.answers.blocks.lines import Paragraph
from balance.reporting.build import build_document
from balance.reporting.sections.common.words import Pages
from balance.reporting.sections.costs.stability import holding_section
from balance.study.frames.battles import BATTLE_TABLES
from tests.reporting.altered import altered, said

WAYS = {"kite_hold": 0.0, "greedy": 30.0, "random": 600.0}
VERDICTS = ("too cheap", "too dear", "depends on play", "not yet known", "fair")
FOUR = ("nexus+shotgun", "whisper+sidearm", "vanguard+shotgun", "trooper+sidearm", "trooper+shotgun")


def ladder(setting: str, stand_offs: float | None) -> list[dict[str, Any]]:
    return [
        {"setting": setting, "play": play, "rating": 200 - behind, "error": 9.0, "behind": behind,
         "behind_low": max(behind - 24, 0), "behind_high": behind and behind + 24,
         "place": "in" if not behind else "open" if behind < 60 else "out", "because": "far behind" if behind else "",
         "score": 0.7 - behind / 1000, "advantage": 0.02,
         "stand_offs": stand_offs}
        for play, behind in WAYS.items()
    ]  # fmt: skip


def matrix(setting: str) -> list[dict[str, Any]]:
    return [
        {"setting": setting, "first": one, "second": other, "score": 0.5, "both_seats": 1 / (1 + 10 ** ((x - y) / 400)),
         "error": 0.012 if one != other else 0.0, "stand_offs": None, "n_battles": 1024}
        for one, x in WAYS.items() for other, y in WAYS.items()
    ]  # fmt: skip


def setting(name: str, cycles: list[str]) -> dict[str, Any]:
    return {
        "setting": name, "title": f"battles *{name}*", "kind": "battle", "changes": [f"situation.map={name}"],
        "budgets": [150.0, 250.0], "unit_limits": [4.0, 7.0], "near_points": 20.0, "gap": 600.0, "gap_error": 12.0,
        "going_first": 22.0, "cyclic": 0.03, "cyclic_noise": 0.01, "cycles": cycles, "n_battles": 9216, "seed": 7,
    }  # fmt: skip


def costs(name: str) -> list[dict[str, Any]]:
    return [
        {"setting": name, "entrant": one, "cost_points": 20.0 + at, "fair_points": 12.0 * at + 0.2, "low": 11.0 * at,
         "high": 14.0 * at + 1, "dice_low": 12.0 * at, "dice_high": 12.0 * at + 2, "verdict": VERDICTS[at],
         "because": f"because of {at}", "depends": ["play"] if at == 2 else []}
        for at, one in enumerate(FOUR)
    ]  # fmt: skip


def pages(names: tuple[str, ...] = ("open",), stand_offs: float | None = 0.4, priced: bool = True) -> Pages:
    frames: dict[str, list[dict[str, Any]]] = {name: [] for name in BATTLE_TABLES}
    for name in names:
        frames["play_ladder"] += ladder(name, stand_offs)
        frames["play_matrix"] += matrix(name)
        frames["play_settings"].append(setting(name, ["kite_hold > greedy > random"] if name == "dense" else []))
        if not priced:
            continue
        frames["stable_costs"] += costs(name)
        frames["stable_card_costs"] += [
            {"table": "units", "card": f"card_{at}", "label": f"Card *{at}*"}
            | {key: value for key, value in row.items() if key != "entrant"}
            for at, row in enumerate(costs(name))
        ]
        for at, way in enumerate(("kite hold", "greedy")):
            agrees = {"correlation": 0.79, "moved": 39, "rms": 0.31} if at else {}
            frames["stable_settings"].append({
                "setting": name, "scene": way, "facets": [f"play={way}"], "n_battles": 65_536, "worst": 0.049,
                "per_point": 0.03, "going_first": 0.25, "going_first_error": 0.01, "n": 89, **agrees,
            })  # fmt: skip
            frames["battle_calibration"].append({
                "setting": name, "scene": way, "bin": 1, "predicted": 0.1, "observed": 0.1 + at / 20, "error": 0.01,
                "n_battles": 6554,
            })  # fmt: skip
    made = {name: pl.DataFrame(rows, schema=BATTLE_TABLES[name]) for name, rows in frames.items()}
    return altered("warforged", {**made})


def words_of(section: Section | None) -> str:
    return " ".join(" ".join(said(section)).replace("~", " ").split())


def test_prices_on_a_board_are_drawn_and_nothing_gets_a_second_verdict() -> None:
    section = holding_section(pages(("open", "dense")))
    assert section is not None
    assert [type(block) for block in section.blocks] == [Paragraph, Figure, Figure]


def test_nothing_is_said_where_nothing_was_asked() -> None:
    assert holding_section(altered("warforged", dict.fromkeys(BATTLE_TABLES))) is None
    assert holding_section(pages(priced=False)) is None


@pytest.mark.slow("test_prices_on_a_board_are_drawn_and_nothing_gets_a_second_verdict")
def test_how_ways_of_playing_score_is_to_download() -> None:
    document = build_document(pages().run)
    names = [block.name for block in document.blocks[-1].blocks if isinstance(block, Attachment)]
    assert {"tables/play_ladder.csv", "tables/play_matrix.csv", "tables/stable_settings.csv"} <= set(names)
