"""What a report leaves out because this catalogue lacks it: found in seconds, before anything is computed.

A game's `report.toml` names cards. A designer's own catalogue may have dropped or renamed some, and then what speaks
of them is left out and said, instead of ending the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from balance.base.errors import BalanceError, Fault, as_typed, first_of
from balance.game.loaded import LoadedGame
from balance.study.frames.report_settings import GameSettings, load_settings
from balance.study.frames.report_tables import TablePlan
from balance.study.frames.robustness import ReportRobustness
from balance.study.frames.solutions import ReportSolution
from balance.study.scaling.settings import ReportScaling, scaling_faults
from balance.study.settings.first_page import FirstPage
from balance.study.settings.settings import Study
from balance.study.settings.tables import ReportQuestion, in_report, leave_out

MOST_PLACES = 4


@dataclass(frozen=True)
class ReportPlan:
    """What `report.toml` asks for and this catalogue can answer, and what it cannot."""

    report: TablePlan
    solutions: tuple[ReportSolution, ...]
    robustness: tuple[ReportRobustness, ...]
    scaling: tuple[ReportScaling, ...]
    gaps: tuple[Fault, ...]


def plan_report(
    game: LoadedGame, settings: GameSettings, changes: Callable[[str], tuple[str, ...]] = lambda kind: ()
) -> ReportPlan:
    """Return what of a report's declarations can be asked, without computing anything.

    `changes` gives a study's assignments for a kind of question. Raises `StudyError` for settings that do not fit the
    game, whatever its cards.

    >>> from balance.study.frames.report_settings import load_settings
    >>> from balance.game.loaded import load
    >>> game = load("battlelore")
    >>> plan_report(game, load_settings(game)).gaps
    ()
    """
    report, gaps = TablePlan.of(game, settings, changes), list[Fault]()

    def asks(question: ReportQuestion, feature: str) -> bool:
        """Return whether a question can be asked; if not, its faults join the gaps."""
        try:
            question.ask(question.rung, changes(question.rung)).to(game)
        except BalanceError as error:
            leave_out(error.faults, f"{feature} {question.id}", gaps)
            return False
        return True

    solutions = tuple(question for question in settings.solutions if asks(question, "solution"))
    conclusions = tuple(question for question in settings.robustness if asks(question, "robustness"))
    scaling = list[ReportScaling]()
    for wanted in settings.scaling:
        faults = list(scaling_faults(wanted, game, changes(wanted.rung)))
        leave_out(faults, f"scaling {wanted.id}", gaps)
        scaling += [] if faults else [wanted]
    for sweep in settings.sweeps:
        if sweep.target not in game.targets:
            problem = f"is no target here; {game.targets[0]} stands in"
            gaps.append(in_report(Fault(problem, found=sweep.target), f"sweep {sweep.id}"))
    return ReportPlan(report, solutions, conclusions, tuple(scaling), (*report.gaps, *gaps))


def plan_of(study: Study, game: LoadedGame) -> ReportPlan:
    """Return what of the game's `report.toml` a study works out; see `plan_report`."""
    left_out: dict[str, object] = {}
    if "sections" not in study.metrics:
        left_out = {"sections": [], "solutions": [], "robustness": [], "scaling": [], "first_page": FirstPage()}
    if "cards" not in study.metrics or game.definition.kind_about("effect") is None:
        left_out["sweeps"] = []
    settings = load_settings(game, study.report_path).model_copy(update=left_out)
    return plan_report(game, settings, study.changes)


@dataclass
class LeftOut:
    """Collects what a report leaves out, and passes each new sentence to `note` at once."""

    note: Callable[[str], None]
    texts: list[str] = field(default_factory=list)

    def add(self, gaps: Sequence[Fault]) -> None:
        """Note and keep the sentences for some gaps."""
        for text in tell_gaps(gaps):
            self.texts.append(text)
            self.note(text)


def tell_gaps(gaps: Sequence[Fault]) -> tuple[str, ...]:
    """Return one sentence for each reason, with the places it concerns.

    >>> fault = Fault("is not in units", found="ogre", tip="did you mean ogres?")
    >>> tell_gaps([in_report(fault, "table a", "row 'x'"), in_report(fault, "table a"), in_report(fault, "table b")])
    ("'ogre' is not in units; did you mean ogres? Concerns table a, table b.",)
    """
    places: dict[str, dict[str, None]] = {}
    for gap in gaps:
        reason = as_typed(Fault(gap.message, found=gap.found, tip=gap.tip)).rstrip(".")
        if (field_name := gap.field.rpartition(", ")[2]) in ("finding", "caution", "first_page.headline"):
            reason = f"A {field_name.rpartition('.')[2]} speaks of cells that its table lacks, and is left out"
        places.setdefault(reason, {})[gap.field.partition(",")[0]] = None
    return tuple(
        f"{reason}{'' if reason.endswith('?') else '.'} {_concerns(place)}" for reason, place in places.items()
    )


def _concerns(places: Iterable[str]) -> str:
    return f"Concerns {', '.join(first_of(list(places), MOST_PLACES))}."
