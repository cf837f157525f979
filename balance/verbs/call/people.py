"""How `rate` takes what people's logs hold beside results: lists, patches, later games, and whether names are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from balance.base.errors import Fault, UsageError, gathering
from balance.base.limits import MOST_LOG_EFFECTS
from balance.verbs.call.logs import Frame
from balance.verbs.call.parameters import Parameter

if TYPE_CHECKING:
    from balance.playtests.log.log import Log
    from balance.playtests.model.answer import RateSettings
    from balance.playtests.people.answer import ScoreAnswer
    from balance.playtests.source import LogSource

Answer = TypeVar("Answer")
FEWEST_LISTED = 10
"""Games with lists from which units are told apart."""
SHOWN, HIDDEN, USED, IGNORED = "shown", "hidden", "used", "ignored"

Scores = Annotated[
    str,
    Parameter(
        "Whether scores of both sides count, not only who won (default: where a log names players).",
        "used|ignored",
    ),
]
ListsFile = Annotated[
    str | Path | Frame | None,
    Parameter("What each side took: a row per unit (game, side, unit, cost), a column per unit, or rosters.", "FILE"),
]
By = Annotated[
    str,
    Parameter(
        "Tell entrants apart by this.", "month|patch|event|deployment|map|scenario|band", python="Or another label."
    ),
]
Patches = Annotated[str | Path | None, Parameter("When each patch began: columns patch, from.", "FILE", of=Path)]
Later = Annotated[str | Path | Frame | None, Parameter("A later log, to see how well this one foretells it.", "LOG")]
People = Annotated[
    str,
    Parameter("Whether people's names are shown (default: hidden on a page, shown elsewhere).", "shown|hidden"),
]


@dataclass(frozen=True)
class PeopleQuestion:
    """What is asked of a log beside who is too strong."""

    scores: str
    lists: Any
    by: str
    patches: Path | None
    later: Any
    people: str

    def faults(self) -> list[Fault]:
        """Return a fault for each word that is none of those allowed, and for scores that are needed and ignored."""
        allowed = {"§scores": (self.scores, (USED, IGNORED)), "§people": (self.people, (SHOWN, HIDDEN))}
        faults = [
            Fault("is neither of the two", option, found=word, allowed=", ".join(words))
            for option, (word, words) in allowed.items()
            if word and word not in words
        ]
        files = (file for file in (self.lists, self.patches, self.later) if isinstance(file, str | Path))
        faults += [Fault("there is no such file", str(file)) for file in files if not Path(file).exists()]
        if self.scores == IGNORED and self.needs_scores:
            faults.append(Fault("and §lists, §by, §later exclude each other", "§scores=ignored", tip="leave one out"))
        return faults

    @property
    def needs_scores(self) -> bool:
        """Whether something is asked that only the model of scores answers."""
        return self.lists is not None or self.later is not None or bool(self.by)

    def takes_scores(self, log: Log) -> bool:
        """Return whether the log is rated by its scores; raise UsageError where that is asked of too few games."""
        from balance.playtests.people.score import knows_enough

        is_asked = self.needs_scores or self.scores == USED
        if is_asked and log.contests is not None:
            tip = "leave §scores, §lists, §by and §later out"
            raise UsageError("scores are rated between two sides; this log has games among three or more", tip)
        games, n_effects = log.games, len(log.games.names) + len(log.games.player_names)
        is_told = games.points is not None or n_effects > MOST_LOG_EFFECTS  # which no ladder tells apart
        is_usual = is_told and games.players is not None and log.contests is None and self.scores != IGNORED
        is_enough = (is_asked or is_usual) and knows_enough(games)
        if is_asked and not is_enough:
            tip = "leave §scores, §lists, §by and §later out: who won is rated from the first game on"
            raise UsageError("there are too few games: scores take ten, and two for each entrant", tip)
        return is_enough

    def rate(self, log: Log, settings: RateSettings, later: Log | None) -> ScoreAnswer:
        """Return what the scores tell; raise UsageError for lists, patches and labels that make no sense."""
        from balance.playtests.log.lists import read_lists
        from balance.playtests.people.by import read_patches, with_patches
        from balance.playtests.people.rating import rate_scores

        games, after, lists, faults = log.mirrors or log.games, None, None, list[Fault]()
        if later is not None:
            after = later.mirrors or later.games
        with gathering(faults):
            if self.patches is not None:
                patches = read_patches(Path(self.patches))
                games, after = with_patches(games, patches), None if after is None else with_patches(after, patches)
        with gathering(faults):
            lists = None if self.lists is None else read_lists(self.lists, games)
            if lists is not None and len({*lists.game.tolist()}) < FEWEST_LISTED:
                tip = f"give those of {FEWEST_LISTED} games or more"
                faults.append(Fault("there are too few lists to tell units apart", "§lists", tip=tip))
        if faults:
            raise UsageError(faults)
        return rate_scores(games, settings, _with_mirrors(log), lists, self.by, after)

    def without_people(self, answer: Answer, people: Sequence[str], is_page: bool = False) -> Answer:
        """Return the answer as it is shown: without names of people where they are hidden."""
        from balance.playtests.people.privacy import without_people

        is_hidden = self.people == HIDDEN or (is_page and self.people != SHOWN)
        return without_people(answer, people) if is_hidden else answer


def _with_mirrors(log: Log) -> LogSource:
    """Return where a log comes from, without the note that games of one against itself are left out."""
    from balance.playtests.log.rows import SELF_PLAY

    if log.mirrors is None:
        return log.source
    kept = [re.sub(rf"[\d,]+ rows? {SELF_PLAY}(; )?", "", note) for note in log.source.notes]
    notes = tuple(note for note in kept if note != "Left out: .")
    return replace(log.source, n_games=log.mirrors.n_games, notes=notes)
