"""What a game is to the toolkit: data, and pure functions gathered in frozen records.

A game answers as many *kinds of question* as it has: one attack, attacks until the target falls, a duel. A kind turns
two entrants and some overrides into a setup (a frozen value), and a setup into processes. Everything else, exact
distributions, simulation, command line, studies and reports, is the same for every game, and reads here what it needs
to know: nothing follows from the name of a kind, a column, a policy or an entrant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from balance.base.paths import short_path
from balance.base.readings import FileReading
from balance.catalogue import Catalogue, CatalogueSpec, Name, Record, TableSpec
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Policy, RandomRolls, Rolls
from balance.chance.trials.collect import BLOCK_TRIALS
from balance.game.armies.armies import ArmyKind
from balance.game.setup import Asked, AskedSide, HasInputs, ready
from balance.game.solution import Method, Solution

if TYPE_CHECKING:
    from balance.game.question.replay import Narration

Lane = Literal["literal", "compiled"]
LANES: tuple[Lane, ...] = ("literal", "compiled")
"""literal: every die is rolled as the rules say. compiled: finished attacks are drawn from their exact distribution."""
USUAL_TRIALS = 65_536
Role = Literal["effect", "loss", "duration", "waste", "winner", "ending", ""]
"""What a column is for: what the first side does to the second, what it loses to it meanwhile, how long it took, what
was beyond need, who won, how it came to an end; or none of these."""


class RuleId(Record):
    """One rule of a rulebook; `level` is where it first matters and `lines` are the rulebook's."""

    id: Name
    level: Literal["A", "B", "C", "D"]
    lines: Name
    title: Name


RULE_IDS = TableSpec("rule ids", "rule_ids.csv", RuleId)
"""The table of a rulebook's rules, for `balance.catalogue.load_table`."""


@dataclass(frozen=True)
class Column:
    """One thing that every trial reports, as a whole number.

    Attributes
    ----------
    meaning
        What it counts, for people.
    role
        What the toolkit may use it for; at most one column of a kind of question has each.
    per
        What an effect is told per, such as "action"; empty where it is not told so.
    names
        Where its values are codes and no amounts: code -> name. For a winner these are the results, in the order to
        tell them in.
    side, of
        Where it is reported of either side: whose it is, and what of it, such as "a" and "health".
    called
        What people call it, where `of` is too short to be understood alone.
    stand_offs
        Of an ending: its codes by which nobody had won when the time was up.
    says
        What the first sentence of an answer says where it is at least 1, such as "hits"; empty where that is no news.

    Examples
    --------
    >>> Column("armies left", names={0: "none", 1: "one"}).names[0]
    'none'
    """

    meaning: str
    role: Role = ""
    per: str = ""
    names: Mapping[int, str] = field(default_factory=dict)
    side: str = ""
    of: str = ""
    called: str = ""
    stand_offs: tuple[int, ...] = ()
    says: str = ""


@dataclass(frozen=True)
class Groups:
    """Entrants that are groups of so many, such as parties of heroes: every one of a size can be listed.

    Attributes
    ----------
    of_size
        (catalogue, how many members) -> every legal group, in an order that neither ids nor rows decide.
    identity
        (catalogue, id) -> what the group is, whatever its members are called: it names the dice that are rolled.
    name
        (catalogue, id) -> a short name for people.
    """

    of_size: Callable[[Catalogue, int], Sequence[str]]
    identity: Callable[[Catalogue, str], str]
    name: Callable[[Catalogue, str], str]


@dataclass(frozen=True)
class EntrantKind:
    """A kind of what takes the field or is attacked: a unit, an army, a party, a formation.

    Attributes
    ----------
    name
        What one of them is called.
    ids
        catalogue -> the ids of those to be listed; others may be written out.
    label, cost_points
        (catalogue, id) -> its name for people, and what it costs.
    read
        One side as it was typed -> who fights on it, with its stance, after what is set.
    written
        How an id is written, such as "UNIT[+WEAPON]".
    joined_by
        What joins the parts of an id, first what it is, then what it carries; empty where an id has no parts.
    cards
        (catalogue, id) -> (table, entry) of every card that one is made of; None where they are the parts of its id.
    fields
        What may be set of one, beside its stance: first word of the path -> the record whose field follows. The empty
        word stands for fields that need none, an upper-case one for any id that fits.
    marks
        Characters that of all ids of the game only such have: they tell one that is written out and not listed.
    drawn
        How one is written that is another in every trial, such as "random:POINTS", told by what is before the first
        ":"; empty where there is none.
    groups
        How all groups of a size are listed, where an entrant is a group; None where nobody lists them.
    """

    name: str
    ids: Callable[[Catalogue], Sequence[str]]
    label: Callable[[Catalogue, str], str]
    cost_points: Callable[[Catalogue, str], int]
    read: Callable[[AskedSide[Any, Any]], HasInputs]
    written: str = "an id"
    joined_by: str = ""
    cards: Callable[[Catalogue, str], Iterable[tuple[str, str]]] | None = None
    fields: Mapping[str, type[Record]] = field(default_factory=dict)
    marks: str = ""
    drawn: str = ""
    groups: Groups | None = None

    def __repr__(self) -> str:
        """Return it in short."""
        return f"<kind of entrant {self.name}>"

    def draws(self, entrant: str) -> bool:
        """Return whether an id stands for one that is another in every trial."""
        return bool(self.drawn) and entrant.partition(":")[0] == self.drawn.partition(":")[0]

    def parts(self, entrant: str) -> tuple[str, ...]:
        """Return the parts of an id.

        >>> unit = EntrantKind("unit", list, str, int, dict, joined_by="+")
        >>> unit.parts("nexus+shotgun")
        ('nexus', 'shotgun')
        """
        return tuple(entrant.split(self.joined_by)) if self.joined_by else (entrant,)


@dataclass(frozen=True)
class Pairs:
    """Entrants that come in pairs under one id, such as the two forces of an adventure; no others meet.

    Attributes
    ----------
    name
        What a pair is called.
    ids
        Catalogue -> the ids of those to be listed.
    of
        (catalogue, id) -> the two entrants.
    """

    name: str
    ids: Callable[[Catalogue], Sequence[str]]
    of: Callable[[Catalogue, str], tuple[str, str]]


@dataclass(frozen=True)
class Step:
    """A small change of one match-up that is no number, such as who goes first or one more unit.

    Attributes
    ----------
    side, field
        What is set: `side.field`; who goes first where the side is empty.
    old, new
        What it is, and what it is set to, as texts.
    label
        What the change is called, for people; empty where `side.field=new` says it.
    """

    side: str
    field: str
    old: str
    new: str
    label: str = ""


def _offers_nothing(catalogue: Catalogue) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class Short:
    """An option of its own for a field of the situation: `--map dense` for `--set situation.map=dense`.

    Attributes
    ----------
    field, metavar
        The field, whose description its help tells; and what a value of it is called there.
    offers
        Catalogue -> values that can be typed; others may be allowed.
    """

    field: str
    metavar: str
    offers: Callable[[Catalogue], Iterable[str]] = _offers_nothing


@dataclass(frozen=True)
class PolicyKind:
    """Something that the owner of a side decides, by a policy that is chosen beforehand.

    Attributes
    ----------
    meaning
        What is decided.
    options
        What it may be -> what that does, in a sentence; the first is the default.
    side, of
        Whose decision it is, and what of its side, such as "a" and "flags"; empty where it holds for both sides.
    quick
        Where the options are whole ways of playing: those that are quick to play, so that they can be compared.
    parameters
        Option -> the fields of its side's stance that it reads; they are set as such, and explained there.
    plays
        Option -> the policy that it stands for, where that needs no more than the option.
    """

    meaning: str
    options: Mapping[str, str]
    side: str = ""
    of: str = ""
    quick: tuple[str, ...] = ()
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plays: Mapping[str, Policy] = field(default_factory=dict)


@dataclass(frozen=True)
class QuestionKind:
    """One kind of question a game can answer about two entrants.

    Attributes
    ----------
    name
        What is typed to ask it.
    sides
        What the two entrants are called in overrides.
    takes
        What kind of entrant each of them is.
    processes
        (setup, lane) -> equally likely processes with the columns of `columns`.
    columns
        What a trial reports, by name and in this order.
    narrowed
        (setup, lane, names of columns) -> processes that report these columns only and work out nothing that they do
        not need; None where the whole is to be played whatever is asked.
    setup
        What was asked, read and checked -> a frozen, picklable setup with an attribute `inputs`; as it is, by default.
    asks
        What it tells, in words that follow "tells": "what one Attack action does".
    unbounded
        Whether the process may go on without end, so that its distribution is solved as a chain in floating point
        instead of enumerated in integers.
    turn_orders
        Choices of who goes first; empty where there is no such choice.
    policies
        What the owners of the sides decide, by name.
    has_distribution
        Whether the exact distribution can be had at all; without it a question can only be simulated.
    solve
        (setup, method, seed) -> the game solved, for sides who choose as well as they can; None where nobody chooses.
    played
        How it is played and won, or when it ends, in a sentence or two that hold for every catalogue and override.
    cannot_see
        What its answers leave out, one sentence each.
    situation
        The record of what it depends on beside the sides; all its fields have defaults.
    stances
        For each side the record of what it brings that its cards do not print, likewise.
    beside
        Name of another kind of question with the same sides that is answered beside it; empty for none.
    conceal
        (setup, state, side, rolls) -> the state with what that side cannot know dealt anew, for a game in which sides
        hide something from each other: no order of the side may change with it. It may leave a duel as it is in which
        nothing is hidden.
    block_trials
        Trials played at a time, fewer where one is long or its state large; part of what fixes simulated numbers.
    slow_block_trials
        The same where somebody plays in a way that is not quick; 0 for as many.
    armies
        How armies meet that are others in every trial, where its entrants are armies.
    tell
        (setup, rolls of a block of trials, which of them) -> that trial in words; None where none is told.
    shorts
        Name of an option on the command line -> the field of the situation that it sets.
    pairs
        Which two entrants meet, where not any two do; None where any do.
    usual_trials
        Trials of a question whose exact distribution cannot be had, if nothing is said; fewer where one is long.
    reads
        Tables of the catalogue that no other kind of question looks at.
    steps
        (question, side ahead) -> small changes that are no numbers and may make it even; None where there are none.
    single_changes
        (question) -> every single smallest change of it, some of which rules may refuse; None where none are listed.
    """

    name: str
    sides: tuple[str, str]
    takes: tuple[EntrantKind, EntrantKind]
    processes: Callable[[Any, Lane], tuple[Process, ...]]
    columns: Mapping[str, Column]
    setup: Callable[[Asked[Any, Any, Any]], Any] = ready
    asks: str = ""
    unbounded: bool = False
    turn_orders: tuple[str, ...] = ()
    policies: Mapping[str, PolicyKind] = field(default_factory=dict)
    has_distribution: bool = True
    solve: Callable[[Any, Method, int], Solution] | None = None
    played: str = ""
    cannot_see: tuple[str, ...] = ()
    situation: type[Record] = Record
    stances: tuple[type[Record], type[Record]] = (Record, Record)
    beside: str = ""
    conceal: Callable[[Any, State, str, Rolls], State] | None = None
    block_trials: int = BLOCK_TRIALS
    slow_block_trials: int = 0
    armies: ArmyKind | None = None
    tell: Callable[[Any, RandomRolls, int], Narration] | None = None
    shorts: Mapping[str, Short] = field(default_factory=dict)
    narrowed: Callable[[Any, Lane, tuple[str, ...]], tuple[Process, ...]] | None = None
    pairs: Pairs | None = None
    usual_trials: int = USUAL_TRIALS
    reads: tuple[str, ...] = ()
    steps: Callable[[Any, str], Iterable[Step]] | None = None
    single_changes: Callable[[Any], Iterator[Step]] | None = None

    def __repr__(self) -> str:
        """Return it in short."""
        return f"<kind of question {self.name}: {' and '.join(self.sides)}>"

    @property
    def is_long(self) -> bool:
        """Whether a trial takes so long that fewer are played than of other kinds of question."""
        return self.usual_trials < USUAL_TRIALS

    @property
    def roots(self) -> tuple[str, ...]:
        """The first words of paths that overrides may use."""
        return (*self.sides, "situation", "rules")

    @property
    def has_factions(self) -> bool:
        """Whether the sides are of different kinds, so that nobody of one side meets another of it."""
        return self.takes[0] != self.takes[1]

    @property
    def usual_first(self) -> str:
        """Who goes first where nobody says it: either side with equal chances, if it can be so; empty for nobody."""
        return "random" if "random" in self.turn_orders else next(iter(self.turn_orders), "")

    @property
    def mirrored_orders(self) -> tuple[str, ...]:
        """The turn orders of a mirrored pair, each side going first once; empty where there is no such choice."""
        return self.sides if set(self.sides) <= set(self.turn_orders) else ()

    def column(self, role: Role) -> str | None:
        """Return the name of the column that has a role, if there is one."""
        return next((name for name, column in self.columns.items() if column.role == role), None)

    def column_of(self, side: str, of: str) -> str:
        """Return the name of the column that reports something of a side; empty if there is none.

        Parameters
        ----------
        side
            Name of the side.
        of
            What the column reports, such as "health".
        """
        return next((name for name, column in self.columns.items() if (column.side, column.of) == (side, of)), "")

    @property
    def about(self) -> Role:
        """What it is about: who wins, else how long it takes, else what the first side does to the second."""
        roles: tuple[Role, ...] = ("winner", "duration", "effect")
        return next((role for role in roles if self.column(role) is not None), "")

    @property
    def winner(self) -> str:
        """Name of the column that says who won; empty where nobody wins."""
        return self.column("winner") or ""

    @property
    def winners(self) -> Mapping[str, int]:
        """Result -> its code in the column of the winner; empty where nobody wins."""
        return {name: code for code, name in self.columns[self.winner].names.items()} if self.winner else {}

    @property
    def categories(self) -> Mapping[str, Mapping[int, str]]:
        """For columns whose values are codes: column -> {code: its name}, codes rising and the winner last."""
        code_columns = [name for name, column in self.columns.items() if column.names]
        last = sorted(code_columns, key=lambda name: name == self.winner)
        return {name: dict(sorted(self.columns[name].names.items())) for name in last}

    @property
    def exchange(self) -> tuple[str, str] | None:
        """The columns that tell what the second side and the first one lost to each other, if there are such."""
        effect, loss = self.column("effect"), self.column("loss")
        return (effect, loss) if effect is not None and loss is not None else None

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """Name of each policy -> what it may be, the default first."""
        return {name: tuple(policy.options) for name, policy in self.policies.items()}

    def plays(self, policies: Mapping[str, str]) -> dict[str, Policy]:
        """Return side -> the policy that its option chosen stands for, where the game says so."""
        return {choice.side: choice.plays[policies[name]] for name, choice in self.policies.items() if choice.plays}

    @property
    def habits(self) -> Mapping[str, tuple[str, ...]]:
        """For policies that are whole ways of playing, in the order of the sides: name -> those quick to play."""
        return {name: policy.quick for name, policy in self.policies.items() if policy.quick}


@dataclass(frozen=True)
class Game:
    """A game: its catalogue's shape, and what it can be asked.

    Attributes
    ----------
    name, title
        The id used in commands, and the name for people.
    spec
        Shape of the catalogue.
    kinds
        Kinds of question by name, the plainest first: of several about the same, reports show the first.
    rule_ids
        Shape of the table of rulebook rules.
    unused
        Table -> why an entry of it is in no entrant and no target, for those tables whose entries should be.
    folder
        Its data folder, for a game that does not ship with the toolkit.
    file
        The file that holds all of it, for a game without code.
    remake
        Makes it anew in another process, for a game that no package holds.
    drawings
        Kind of text file that it plays on, such as "adventure" -> how such a file is read, piece by piece.
    """

    name: str
    title: str
    spec: CatalogueSpec
    kinds: Mapping[str, QuestionKind]
    rule_ids: TableSpec = RULE_IDS
    unused: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    file: Path | None = None
    remake: Callable[[], Game] | None = None
    drawings: Mapping[str, Callable[[Path, Catalogue], FileReading]] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return it in short."""
        return f"<game {self.name}: {self.title}>"

    @property
    def called(self) -> str:
        """What commands call it: its name, or the path of its file."""
        return self.name if self.file is None else short_path(self.file)

    @property
    def entrant_kinds(self) -> tuple[EntrantKind, ...]:
        """Every kind of entrant that some question takes, first sides first; what armies are made of before armies."""
        pairs = [kind.takes for kind in self.kinds.values()]
        members = [kind.armies.member for kind in self.kinds.values() if kind.armies is not None]
        kinds: list[EntrantKind] = []
        for kind in members + [first for first, _ in pairs] + [second for _, second in pairs]:
            kinds += [kind] if kind not in kinds else []
        return tuple(kinds)

    def kind_about(self, about: Role) -> QuestionKind | None:
        """Return the first kind of question that is about this: a winner, a duration, or an effect."""
        return next((kind for kind in self.kinds.values() if kind.about == about), None)

    def main_of(self, name: str) -> str:
        """Return the kind of question beside which another is answered; itself for any other."""
        return next((kind.name for kind in self.kinds.values() if kind.beside == name), name)

    def name_about(self, about: Role) -> str:
        """Return the name of that kind of question; empty if there is none, and then nobody can ask it."""
        kind = self.kind_about(about)
        return kind.name if kind is not None else ""
