"""What is said of prices: of one loadout or card over all settings, and of all of them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from balance.analysis.armies.typical_match_up import TypicalMatchUp
from balance.analysis.dominance.strictly_worse import StrictlyWorse
from balance.analysis.dominance.unfair_pairs import UnfairPairs
from balance.analysis.play.ways import CountedWay
from balance.analysis.prices.scale import Scale
from balance.analysis.prices.verdicts import show_cost
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.answers import ASKED_FOR, Budget, Changes, Choices, Digest, Doc, Facets, Points, formula
from balance.base.numbers import show_interval


@dataclass(frozen=True)
class Price:
    """A cost beside the fair one, over all settings."""

    label: Annotated[str, Doc("Its name for people.")]
    cost: Annotated[Points, Doc("As printed.")]
    fair: Annotated[Points, Doc("As it should be, in the setting in force.")]
    low: Annotated[
        Points,
        Doc("The least fair cost, at 95 % for all that is judged at once, over all settings that count: as `verdict`."),
    ]
    high: Annotated[Points, Doc("The greatest, likewise.")]
    dice_low: Annotated[Points, Doc("The lower end of the 95 % interval of `fair` alone, from the dice.")]
    dice_high: Annotated[Points, Doc("Its upper end.")]
    verdict: Annotated[str, Doc("What the range from `low` to `high` says of the cost.")]
    because: Annotated[str, Doc("Why.")]
    depends: Annotated[tuple[str, ...], Doc("The facets of the settings on which the verdict depends.")]
    tolerance: Annotated[Points, Doc("By how much the cost may miss and be fair.")]
    battles: Annotated[
        int, Doc("How many battles for each loadout should settle what is not yet known; 0 where none would.")
    ]


@dataclass(frozen=True)
class ElsewherePrice:
    """What an abstraction or a house rule says of a price."""

    setting: Annotated[str, Doc("Which it is.")]
    verdict: Annotated[str, Doc("What the range there says of the cost.")]
    fair: Annotated[Points, Doc("As it should be there.")]
    low: Annotated[Points, Doc("The lower end of its interval.")]
    high: Annotated[Points, Doc("Its upper end.")]

    @formula
    def value(self) -> Annotated[str, Doc("All of it in words.")]:
        """Put it in words."""
        return f"{self.setting}: {self.verdict}, {show_interval(self.low, self.high, show_cost)}"


@dataclass(frozen=True)
class LoadoutPrice(Price):
    """The price of a loadout."""

    elsewhere: Annotated[tuple[ElsewherePrice, ...], Doc("What other settings say, which do not count.")] = ()
    in_every_setting: Annotated[
        bool, Doc("Whether the verdict holds in all of these, too, and however a loadout's cost is split.")
    ] = False
    strictly_worse: Annotated[
        StrictlyWorse | None, Doc("Another that is better by what the cards print, without dice; null for nobody.")
    ] = None
    dominated_by: Annotated[
        tuple[str, ...] | None,
        Doc("Whom nobody would take it before, or a mixture of several; null where it is worth taking."),
    ] = None
    lead: Annotated[float | None, Doc("By how much those score more.")] = None
    lead_error: Annotated[float | None, Doc("The standard error of that.")] = None


@dataclass(frozen=True)
class CardPrice(LoadoutPrice):
    """The price of a card."""

    table: Annotated[str, Doc("Where the catalogue has it; empty for what is bought whole.")] = ""
    proposed_cost: Annotated[
        int | None,
        Doc("The cost that it should have, right in every setting that counts; null where it should not change."),
    ] = None
    whole_cost: Annotated[
        int | None, Doc("Its cost where all cards change, such that everything is as fair as can be.")
    ] = None


@dataclass(frozen=True)
class TypicalMatchUps:
    """How far a match-up of armies of one loadout each lies from even."""

    before: Annotated[TypicalMatchUp, Doc("At printed costs.")]
    after: Annotated[TypicalMatchUp | None, Doc("At the costs proposed; null where none is.")]
    after_all: Annotated[TypicalMatchUp, Doc("At whole costs for all cards.")]


@dataclass(frozen=True)
class Proposal:
    """Changes of costs that were played on dice of their own, in the same match-ups before and after, and help."""

    costs: Annotated[Mapping[str, int], Doc("Card to its cost then, of those that change.")]
    power: Annotated[float | None, Doc("To which all costs are raised; null where single cards change.")]
    before: Annotated[TypicalMatchUp, Doc("A typical match-up at printed costs.")]
    after: Annotated[TypicalMatchUp, Doc("At the costs proposed.")]
    gain: Annotated[float, Doc("By how much the mean of (score - 1/2)^2 falls.")]
    gain_error: Annotated[float, Doc("The standard error of that, by match-ups that are the same.")]
    candidate: Annotated[int, Doc("Which candidate it was: the second and the third are tested more strictly.")]


@dataclass(frozen=True)
class FreeSplit:
    """A way to move cost between cards that changes no loadout, by t points beside the costs proposed."""

    sentence: Annotated[str, Doc("Which cards take t, which give it, and for which t every cost stays legal.")]
    low: Annotated[float | None, Doc("The least t; null where nothing ends it.")]
    high: Annotated[float | None, Doc("The greatest t, likewise.")]


@dataclass(frozen=True)
class CardSums:
    """How near sums of costs of cards come to the fair costs of loadouts."""

    unfair: Annotated[float, Doc("The root mean square of log(sum / fair cost) that no costs of cards remove.")]
    noise: Annotated[float, Doc("What simulation adds to it.")]
    free: Annotated[tuple[FreeSplit, ...], Doc("How the cost of a loadout may be split otherwise.")]


@dataclass(frozen=True)
class PriceSettings:
    """How prices were had."""

    kind: Annotated[str, Doc("The kind of question in which armies meet.")]
    changes: Changes
    choices: Choices
    verdicts_hold_over: Annotated[tuple[Facets, ...], Doc("The settings that count, each by its facets.")]
    beside: Annotated[tuple[str, ...], Doc("Abstractions and house rules of which it is told what they say.")]
    budgets: tuple[Budget, ...]
    seed: int
    tolerance: Tolerance
    battles: Annotated[int, Doc("Played in the first setting.")]
    rules_version: str
    catalogue_sha256: Digest
    ways: Annotated[tuple[CountedWay, ...], Doc("The ways of playing, and which count; none where nobody chooses.")]


@dataclass(frozen=True)
class CardPriceSettings(PriceSettings):
    """How the price of one card was had."""

    battles_a_change: Annotated[int, Doc("Played for each change of the card.")]
    changes_played_in: Annotated[str, Doc("The kind of question in which these are played.")]


@dataclass(frozen=True)
class CardChange:
    """A change of one number or word of a card."""

    table: str
    card: str
    field: str
    old: Annotated[str, Doc("The number, or of a list the word that goes; empty for a word that comes.")]
    new: Annotated[str, Doc("The number, or the word that comes; empty for a word that goes.")]
    value: Annotated[str, Doc("What the field holds then.")]


@dataclass(frozen=True)
class Alternative(CardChange):
    """What could change instead of the cost, or another cost, played again on fresh seeds."""

    cost: Annotated[Points, Doc("Its cost then.")]
    fair: Annotated[Points, Doc("Its fair cost then.")]
    low: Annotated[Points, Doc("The lower end of the 95 % interval of `fair`.")]
    high: Annotated[Points, Doc("Its upper end.")]
    score: Annotated[float, Doc("What armies of it score beyond one half at that cost.")]
    score_low: Annotated[float, Doc("The lower end of the 95 % interval of that.")]
    score_high: Annotated[float, Doc("Its upper end.")]
    tolerance: Annotated[Points, Doc("By how much the cost may miss and be fair.")]
    verdict: Annotated[str, Doc("What follows: not yet known where the interval reaches beyond the tolerance.")]


@dataclass(frozen=True)
class PatchFile:
    """The file of a patch that was asked for, and the commands that look at it, apply it and judge it again."""

    file: Annotated[str, Doc("Its name.")]
    compare: Annotated[str | None, Doc("Says what it does to everything; null, as the others, where none was written.")]
    apply: Annotated[str | None, Doc("Writes the changed catalogue, or the changed game file.")]
    again: Annotated[str | None, Doc("Prices what that wrote.")]


@dataclass(frozen=True, repr=False)
class Prices:
    """What every card and loadout should cost."""

    schema: Literal[1]
    game: str
    verb: Literal["price"]
    is_fair: Annotated[str, Doc('"yes", "costs yes, match-ups no", "no" or "not yet known".')]
    loadouts: Annotated[Mapping[str, LoadoutPrice], Doc("By id.")]
    cards: Annotated[Mapping[str, CardPrice], Doc("By id.")]
    proposal: Annotated[Proposal | None, Doc("What to change of the costs; null where nothing is off or would help.")]
    no_whole_cost: Annotated[tuple[str, ...], Doc("Cards that should change, but for which no whole cost will do.")]
    typical_match_up: TypicalMatchUps
    unfair: Annotated[UnfairPairs, Doc("What stays unfair where all cards have the best whole costs.")]
    scale: Scale
    settings: PriceSettings
    card_sums: CardSums
    other_numbers: Annotated[
        Mapping[str, tuple[Alternative, ...]],
        Doc("Of cards not worth taking at any cost: what else of each to change, played again; none where nothing is."),
    ] = field(default_factory=dict)
    patch: Annotated[PatchFile | None, Doc("The patch of the costs proposed, where it was asked for.")] = field(
        default=None, metadata=ASKED_FOR
    )

    def __repr__(self) -> str:
        """Return how many cards and loadouts are priced."""
        return f"<Prices: {len(self.cards)} cards, {len(self.loadouts)} loadouts>"
