"""What the manifest of a run may hold: anybody may hand us one, so types and ranges are checked before it is used.

What a later version adds is let pass; what a report needs must be there.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from balance.base.errors import Fault, StudyError
from balance.catalogue.toml_model import FileName, Frozen, check_model
from balance.study.frames.report_settings import GameSettings
from balance.study.settings.settings import StudySettings

SCHEMA = 1
AGAIN = "run the study again"
Count = Annotated[int, Field(ge=0, lt=2**53)]
Share = Annotated[float, Field(ge=0, le=1)]
Text = Annotated[str, Field(max_length=1000)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Counts = dict[Text, Count]


class _Open(Frozen):
    """A part of the manifest to which later versions may add fields, which are ignored."""

    model_config = ConfigDict(extra="ignore")


def _drop_unknown(model: type[Frozen]) -> BeforeValidator:
    """Return a validator that leaves out fields which this version of a model does not have."""
    return BeforeValidator(
        lambda values: (
            {name: values[name] for name in values if name in model.model_fields} if type(values) is dict else values
        )
    )


class _Advantage(_Open):
    mean: float
    least: float
    largest: float


class _Extreme(_Open):
    entrant: Text
    score: Share


class _Ladder(_Open):
    first_mover_logits: float
    deviance: float
    explained: float
    mean_misfit: float
    largest_misfit: float
    panel_gap: float
    cyclic_share: float


class _Check(_Open):
    match_ups: Count
    tested: Count
    trials: Count
    below_5_percent: Count
    least_adjusted: float
    alarms: Count
    control_alarms: Count
    level: Share


class _MatchUps(_Open):
    n_tasks: Count
    n_exact: Count
    n_sampled: Count
    n_pairs: Count
    verdicts: Annotated[dict[Text, Counts], Field(min_length=1)]
    unfair: Count
    imbalance: Share
    confidence: Share
    widest_half_width: float | None
    rule: Text
    allocation: Text


class _Dominance(_Open):
    outright: Count
    overlooking_the_smallest_imbalance: Count
    by_a_mixture: Count | None = None
    by_any_overlooking: Count | None = None
    smallest_imbalance: Share


class _ArmyScale(_Open):
    slope: float | None
    low: float | None
    high: float | None
    verdict: Text


class _Unfair(_Open):
    before: float | None
    after: float | None
    cards: float | None


class _Armies(_Open):
    verdicts: Counts
    card_verdicts: Counts
    scale: _ArmyScale
    checked: dict[Text, _Unfair]


class RunSummary(_Open):
    """A run in a few numbers; what its study does not ask is not there."""

    n_entrants: Annotated[Count, Field(ge=1)]
    provenance: Counts
    broken_limits: list[Text]
    n_duels: Count | None = None
    first_mover_advantage: _Advantage | None = None
    dominated: _Dominance | None = None
    cards_that_are_the_same_fighter: Count | None = None
    strongest: _Extreme | None = None
    weakest: _Extreme | None = None
    ladder: _Ladder | None = None
    check: _Check | None = None
    armies: Annotated[dict[Text, _Armies], Field(min_length=1)] | None = None
    off_in_every_setting: Counts | None = None
    match_ups: _MatchUps | None = None
    left_out: list[str] | None = None


_OF_DUELS = ("n_duels", "first_mover_advantage", "strongest", "weakest", "ladder", "check", "dominated")


class _QuestionKind(_Open):
    played: str = ""
    cannot_see: list[str] = Field(default=[])


class _Manifest(_Open):
    schema_: Annotated[Literal[1], Field(alias="schema")]
    game: Text
    game_title: Text
    title: Text
    balance_version: Text
    rules_version: Text
    catalogue_sha256: Sha256
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    block_trials: Annotated[Count, Field(ge=1)]
    study: Annotated[StudySettings, _drop_unknown(StudySettings)]
    rules: dict[Text, Text]
    rungs: dict[Text, _QuestionKind] = Field(default={})
    report_settings: Annotated[GameSettings, _drop_unknown(GameSettings)]
    summary: RunSummary
    tables: dict[FileName, Sha256]

    @model_validator(mode="after")
    def _check_summary(self) -> Self:
        """Raise `ValueError` if the summary lacks numbers of tables that the run has."""
        required_names = [name for name in _OF_DUELS if "prices" in self.tables]
        required_names += ["match_ups"] if "tasks" in self.tables else []
        required_names += ["armies"] if "fair_costs" in self.tables else []
        if missing_names := [name for name in required_names if getattr(self.summary, name) is None]:
            raise ValueError(f"the summary lacks {', '.join(missing_names)}")
        return self


def read_manifest(path: Path, content: bytes) -> dict[str, Any]:
    """Return the content of a sound manifest, its settings with every default filled in; `path` is for messages.

    Raises `StudyError`, naming the first field at fault, if it holds what no run writes.
    """
    try:
        manifest: dict[str, Any] = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        reason = str(error)[:80] or "nested too deeply"
        raise StudyError(Fault(f"is not a manifest of schema {SCHEMA} ({reason})", str(path), tip=AGAIN)) from None
    try:
        model = check_model(_Manifest, manifest, lambda field: Fault("", str(path), field=field))
    except StudyError as error:
        first, n = error.faults[0], len(error.faults)
        more = f" (and {n - 1} more)" if n > 1 else ""
        message = f"{first.message}{more}: no run of schema {SCHEMA} writes this"
        raise StudyError(replace(first, message=message, tip=AGAIN)) from None
    return manifest | model.model_dump(mode="json", include={"study", "report_settings", "rungs"})


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number")
