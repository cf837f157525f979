"""What is said of prices: of one loadout or card over all settings, and of all of them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from typing_extensions import Doc

from balance.analysis.armies.typical_match_up import TypicalMatchUp
from balance.analysis.dominance.unfair_pairs import UnfairPairs
from balance.analysis.prices.scale import Scale
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.answers import ASKED_FOR, Budget, Chance, Changes, Choices, Digest, Facets, Points


@dataclass(frozen=True)
class Price:
    """A cost beside the fair one, over all settings."""

    label: Annotated[str, Doc("Its name for people.")]
    cost: Annotated[Points, Doc("As printed.")]
    fair: Annotated[Points, Doc("As it should be, in the setting in force.")]
    low: Annotated[Points, Doc("The least fair cost over all settings, with what dice leave open in each.")]
    high: Annotated[Points, Doc("The greatest, likewise.")]
    dice_low: Annotated[Points, Doc("The lower end of the 95 % interval of `fair` from the dice alone.")]
    dice_high: Annotated[Points, Doc("Its upper end.")]
    verdict: Annotated[str, Doc("What follows.")]
    because: Annotated[str, Doc("Why.")]
    depends: Annotated[tuple[str, ...], Doc("The facets of the settings on which the verdict depends.")]
    as_proposed: Annotated[str, Doc("The verdict where the cost of a loadout is split between its cards as proposed.")]
    tolerance: Annotated[Points, Doc("By how much the cost may miss and be fair.")]


@dataclass(frozen=True)
class LoadoutPrice(Price):
    """The price of a loadout."""

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
        Doc("The whole cost that it should have; null where it should not change, or where no whole cost will do."),
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
    verdicts_hold_over: Annotated[tuple[Facets, ...], Doc("The settings, each by its facets.")]
    budgets: tuple[Budget, ...]
    seed: int
    tolerance: Tolerance
    battles: Annotated[int, Doc("Played in the first setting.")]
    rules_version: str
    catalogue_sha256: Digest
    near_the_top: Annotated[
        Mapping[str, Chance], Doc("Ways of playing by which verdicts must agree: what each scores against the others.")
    ]


@dataclass(frozen=True)
class CardPriceSettings(PriceSettings):
    """How the price of one card was had."""

    battles_a_change: Annotated[int, Doc("Played for each change of the card.")]


@dataclass(frozen=True)
class CardAfter:
    """A card whose cost changes, and what is said of the cost that is proposed."""

    card: str
    cost: Annotated[Points, Doc("As printed.")]
    proposed: Points
    low: Annotated[Points, Doc("The lower end of the 95 % interval of the fair cost.")]
    high: Annotated[Points, Doc("Its upper end.")]
    tolerance: Annotated[Points, Doc("By how much the cost may miss.")]
    verdict: Annotated[str, Doc("What follows.")]


@dataclass(frozen=True)
class LoadoutAfter:
    """A loadout whose cost changes with those of its cards, and what is said of it then."""

    entrant: str
    cost: Annotated[Points, Doc("As printed.")]
    proposed: Points
    low: Annotated[Points, Doc("The lower end of the 95 % interval of the fair cost.")]
    high: Annotated[Points, Doc("Its upper end.")]
    tolerance: Annotated[Points, Doc("By how much the cost may miss.")]
    verdict: Annotated[str, Doc("What follows.")]
    fair: Annotated[Points, Doc("What it should cost.")]


@dataclass(frozen=True)
class Unfairness:
    """The root mean square of log(cost / fair cost) over loadouts."""

    before: Annotated[float, Doc("At printed costs.")]
    after: Annotated[float, Doc("With the few changes.")]
    all_cards: Annotated[float, Doc("With whole costs for all cards.")]


@dataclass(frozen=True)
class FewChanges:
    """A few changes of costs that bring all nearest to fair."""

    most: Annotated[int, Doc("How many cards may change.")]
    cards: Annotated[tuple[CardAfter, ...], Doc("Which do, the largest change first.")]
    unfair: Unfairness
    profit: Annotated[tuple[LoadoutAfter, ...], Doc("Loadouts that get cheaper.")]
    lose: Annotated[tuple[LoadoutAfter, ...], Doc("Loadouts that get dearer.")]
    left: Annotated[tuple[LoadoutAfter, ...], Doc("Those farthest from fair even at the best costs of all cards.")]


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
    loadouts: Annotated[Mapping[str, LoadoutPrice], Doc("By id.")]
    cards: Annotated[Mapping[str, CardPrice], Doc("By id.")]
    no_whole_cost: Annotated[tuple[str, ...], Doc("Cards that should change, but for which no whole cost will do.")]
    typical_match_up: TypicalMatchUps
    unfair: Annotated[UnfairPairs, Doc("What stays unfair where all cards have the best whole costs.")]
    scale: Scale
    settings: PriceSettings
    card_sums: CardSums
    changes: Annotated[FewChanges | None, Doc("The few changes, where they were asked for.")] = field(
        default=None, metadata=ASKED_FOR
    )
    patch: Annotated[PatchFile | None, Doc("The patch of the costs proposed, where it was asked for.")] = field(
        default=None, metadata=ASKED_FOR
    )

    def __repr__(self) -> str:
        """Return how many cards and loadouts are priced."""
        return f"<Prices: {len(self.cards)} cards, {len(self.loadouts)} loadouts>"
