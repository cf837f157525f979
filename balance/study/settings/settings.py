"""Study files: what to play, against whom, under which rules, and when to call the result broken.

>>> from balance.study import shipped_study
>>> study = shipped_study("warforged")
>>> study.settings.game, study.settings.seed
('warforged', 0)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from balance.base.errors import Fault, StudyError
from balance.base.foreign import real_path
from balance.base.limits import MOST_NAMED, MOST_SCENES, MOST_SETTINGS, MOST_TASKS
from balance.catalogue.toml_model import Frozen
from balance.game.game import Lane
from balance.game.loaded import LoadedGame, load
from balance.game.registry import find_game, is_game, usual_place
from balance.study.settings.battles import BattleStudies
from balance.study.settings.economies import Economies
from balance.study.settings.entrants import named_entrants
from balance.study.settings.even_field import EvenFieldStudy
from balance.study.settings.grid import Budget, CrossCheck, Options, Scene, Situations, Value, scenes, show_setting
from balance.study.settings.luck import LuckStudies
from balance.study.settings.neighbours import NeighbourStudies

USUAL = "study.toml"
"""The study that a report of the game runs; a game may ship others beside it."""
Share = Annotated[float, Field(ge=0, le=1)]
SettingsLimit = Field(max_length=MOST_SETTINGS)


class VerdictSettings(Frozen):
    """How far a price may lie from fair and still pass: the larger of a `share` of the cost and of `points`.

    Without `points`, as far as the next cost that can be printed is no better.
    """

    share: Annotated[float, Field(ge=0, le=10)] = 0.10
    points: Annotated[float, Field(ge=0, le=10_000)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_draws(cls, data: object) -> object:
        """Ignore `draws`, which older studies set and nothing uses any more."""
        return {name: value for name, value in data.items() if name != "draws"} if isinstance(data, dict) else data


_TOO_DEAR = AliasChoices("max_too_dear", "max_overpriced")
_TOO_CHEAP = AliasChoices("max_too_cheap", "max_underpriced")


class Limits(Frozen):
    """What must not be exceeded; None for no limit. Older studies call dear and cheap over- and underpriced."""

    max_first_mover_advantage: Share | None = None
    max_score: Share | None = None
    min_score: Share | None = None
    max_too_dear: Annotated[int, Field(ge=0)] | None = Field(default=None, validation_alias=_TOO_DEAR)
    max_too_cheap: Annotated[int, Field(ge=0)] | None = Field(default=None, validation_alias=_TOO_CHEAP)
    max_cyclic_share: Share | None = None
    max_unfair: Annotated[int, Field(ge=0)] | None = None


Metric = Literal["cards", "match_ups", "sections", "armies", "battles", "luck", "neighbours"]
"""What a study works out: everything about cards by exact distributions, with its `[[armies]]` and `[[battles]]`; the
score of each match-up in each situation; the sections that the game declares in its `report.toml`; or `[[armies]]`
(prices without any duel), `[[battles]]`, `[[luck]]` or `[[neighbours]]` alone. The last two are worked out wherever a
study has any."""
OPTIONAL_TABLES: tuple[str, ...] = ("luck", "neighbours")
"""Those that a study asks for by their tables; a manifest tells them only where there are some."""


class StudySettings(Frozen):
    """The content of a study file."""

    game: str
    title: Annotated[str, Field(max_length=200)] = ""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    catalogue: Annotated[str, Field(min_length=1)] | None = None
    report: Annotated[str, Field(min_length=1)] | None = None
    metrics: Annotated[list[Metric], Field(min_length=1)] | None = None
    level: Annotated[str, Field(min_length=1)] = ""
    entrants: Literal["all"] | Annotated[list[str], Field(min_length=1, max_length=MOST_NAMED)] = "all"
    max_cost_points: Annotated[int, Field(ge=0)] | None = None
    rules: Annotated[dict[str, Value], SettingsLimit] = Field(default={})
    situation: Annotated[dict[str, Annotated[dict[str, Value], SettingsLimit]], SettingsLimit] = Field(default={})
    situations: Situations = Field(default=[])
    grid: Annotated[dict[str, Options[Value]], SettingsLimit] = Field(default={})
    policies: Annotated[dict[str, Options[str]], SettingsLimit] = Field(default={})
    exact: Literal["auto", "always", "never"] = "auto"
    lane: Lane = "compiled"
    confidence: Annotated[float, Field(ge=0.5, lt=1)] = 0.95
    patches: Annotated[list[str], SettingsLimit] = Field(default=[])
    budget: Budget = Budget()
    check: CrossCheck = CrossCheck()
    verdicts: VerdictSettings = VerdictSettings()
    armies: Economies | None = None
    battles: BattleStudies = Field(default=[])
    luck: LuckStudies = Field(default=[])
    neighbours: NeighbourStudies = Field(default=[])
    even_field: EvenFieldStudy | None = None
    limits: Limits = Limits()

    @property
    def n_scenes(self) -> int:
        """The number of combinations of situations, grid values and policies."""
        sizes: list[int] = [len(values) for values in self.grid.values()]
        sizes += [len(names) for names in self.policies.values()]
        return max(1, len(self.situations)) * prod(sizes)

    @model_serializer(mode="wrap")
    def _without_empty_tables(self, usual: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out tables that are there only where they are asked for, so that other manifests stay as they were."""
        optional = (*OPTIONAL_TABLES, "even_field", "report")
        return {name: value for name, value in usual(self).items() if value or name not in optional}

    @model_validator(mode="before")
    @classmethod
    def _usual_level(cls, data: object) -> object:
        """Play the game's first kind of question that somebody wins, where nothing else is said."""
        values = data if isinstance(data, dict) else {}
        if "level" in values or not is_game(str(values.get("game"))):
            return data
        return {**values, "level": find_game(values["game"]).name_about("winner") or "none"}

    @model_validator(mode="after")
    def _few_scenes(self) -> Self:
        if self.n_scenes > MOST_SCENES:
            message = f"its situations, grid and policies make {self.n_scenes:,} combinations"
            raise ValueError(f"{message}; at most {MOST_SCENES:,} are played: name fewer, or make several studies")
        return self


@dataclass(frozen=True)
class Study:
    """A study that was found sound; its path is for messages and for files it names, not part of the results."""

    settings: StudySettings
    path: Path

    def changes(self, kind: str) -> tuple[str, ...]:
        """Return the assignments for every question of a kind; a kind asked beside another shares that one's."""
        place = find_game(self.settings.game).main_of(kind)
        rules = [f"rules.{name}={show_setting(value)}" for name, value in self.settings.rules.items()]
        situation = self.settings.situation.get(place, {})
        return (*rules, *(f"situation.{name}={show_setting(value)}" for name, value in situation.items()))

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What to work out: what the file says, else match-ups if it says anything about them, else all the rest."""
        settings = self.settings
        if settings.metrics is not None:
            return tuple(dict.fromkeys(settings.metrics))
        about = {"situations", "grid", "policies", "budget", "exact", "lane", "confidence", "patches"}
        usual = find_game(settings.game).name_about("winner")
        return ("match_ups",) if about & settings.model_fields_set or settings.level != usual else ("cards", "sections")

    @property
    def judges_prices(self) -> bool:
        """Whether armies of equal points meet, in each of its `[[armies]]`, to judge prices."""
        return bool({"cards", "armies"} & set(self.metrics))

    @property
    def fights(self) -> bool:
        """Whether it works out its `[[battles]]`."""
        return bool({"cards", "battles"} & set(self.metrics))

    @property
    def is_shipped(self) -> bool:
        """Whether it is what `balance report GAME` runs, wherever that lies."""
        usual = usual_place(find_game(self.settings.game), USUAL)
        return not self.path.is_file() or real_path(self.path) == real_path(usual)

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """Every situation with every choice of policies, on top of what `changes` makes."""
        return scenes(self.settings.situations, self.settings.grid, self.settings.policies)

    @property
    def report_path(self) -> Path | None:
        """The file in which the study declares its report; None where the game's `report.toml` does."""
        return None if self.settings.report is None else self.path.parent / self.settings.report

    @property
    def patch_paths(self) -> tuple[Path, ...]:
        """The patches to play beside the catalogue as it is."""
        return tuple(self.path.parent / name for name in self.settings.patches)

    def has_factions(self, game: LoadedGame) -> bool:
        """Whether what is played has sides of different kinds, so that nobody of one meets another of it."""
        kind = game.definition.kinds.get(self.settings.level)
        return kind is not None and kind.has_factions

    def field(self, game: LoadedGame) -> tuple[str, ...]:
        """Return everybody who plays: the entrants, and all of the other faction where there is one."""
        opponents = game.others_of(self.settings.level) if self.has_factions(game) else ()
        return (*self.choose(game), *opponents)

    def open(self) -> LoadedGame:
        """Return the game with its catalogue."""
        catalogue = self.settings.catalogue
        return load(self.settings.game, None if catalogue is None else self.path.parent / catalogue)

    def choose(self, game: LoadedGame) -> tuple[str, ...]:
        """Return the ids of the entrants, in the order of the game; an id the game does not list comes last.

        Raises `StudyError` for a name that means nobody, and if nobody is left.
        """
        faults: list[Fault] = []
        names = entrants = game.entrants_of(self.settings.level)
        if self.settings.entrants != "all":
            names = tuple(named_entrants(game, entrants, self.settings.entrants, faults))
        if faults:
            raise StudyError([replace(fault, path=str(self.path), field="entrants") for fault in faults])
        limit = self.settings.max_cost_points
        affordable = tuple(name for name in names if limit is None or game.cost_points(name) <= limit)
        if not affordable:
            field = "entrants" if limit is None else "max_cost_points"
            raise StudyError(Fault("leaves nobody to play", str(self.path), field=field))
        self._check_size(len(affordable))
        return affordable

    def among(self, game: LoadedGame, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the study's entrants if `names` are all entrants of its level; any other list as it is."""
        return self.choose(game) if names == game.entrants_of(self.settings.level) else names

    def _check_size(self, n: int) -> None:
        """Raise `StudyError` if there are more than `MOST_TASKS` match-ups."""
        settings = self.settings
        n_match_ups = n * (n + 1) // 2 * settings.n_scenes * (1 + len(settings.patches))
        n_tasks = max(n_match_ups if "match_ups" in self.metrics else 0, n * n if "cards" in self.metrics else 0)
        if n_tasks > MOST_TASKS:
            tip = "name fewer entrants, situations or policies"
            message = f"with {n:,} entrants there are {n_tasks:,} match-ups to play, more than {MOST_TASKS:,}"
            raise StudyError(Fault(message, str(self.path), field="entrants", tip=tip))
