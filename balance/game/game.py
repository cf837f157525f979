"""The declarations of a game: data, and pure functions gathered in frozen records.

A game answers as many *kinds of question* as it has: one attack, attacks until the target falls, a duel. A kind turns
two entrants and some overrides into a setup (a frozen value), and a setup into processes. Everything else, exact
distributions, simulation, command line, studies and reports, is the same for every game, and reads here what it needs
to know: nothing follows from the name of a kind, a column, a policy or an entrant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from balance.base.paths import short_path
from balance.base.readings import FileReading
from balance.catalogue import Catalogue, CatalogueSpec, Name, Record, TableSpec
from balance.chance.exact.chains import Chains
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Policy, RandomRolls, Rolls
from balance.chance.trials.collect import BLOCK_TRIALS
from balance.chance.trials.together import Joint
from balance.game.armies.armies import ArmyKind
from balance.game.setup import Asked, EntrantKind, Pairs, StepUnits, ready
from balance.game.solution import Method, Solution

if TYPE_CHECKING:
    from balance.game.question.narration import Narration

Lane = Literal["literal", "compiled"]
LANES: tuple[Lane, ...] = ("literal", "compiled")
"""literal: every die is rolled as the rules say. compiled: finished attacks are drawn from their exact distribution."""
USUAL_TRIALS = 65_536
Role = Literal["effect", "loss", "duration", "waste", "winner", "ending", ""]
"""What a column is for: what the first side does to the second, what it loses to it meanwhile, how long it took, what
was beyond need, who won, how it came to an end; or none of these."""


class RuleId(Record):
    """A rule of a rulebook; `level` is where it first matters, and `lines` are line numbers of the rulebook.

    `not_played`: why the game does not play it; empty for a rule that it plays.
    """

    id: Name
    level: Literal["A", "B", "C", "D"]
    lines: Name
    title: Name
    not_played: str = ""


RULE_IDS = TableSpec("rule ids", "rule_ids.csv", RuleId)
"""The table of a rulebook's rules, for `balance.catalogue.load_table`."""


@dataclass(frozen=True)
class Column:
    """A column that every trial reports, an integer.

    * `meaning`: what it counts, in words.
    * `role`: how the toolkit uses it, such as winner, duration, effect or loss; at most one column of a kind of
      question has each role.
    * `per`: the unit that an effect is stated per, such as "action"; empty for no unit.
    * `names`: where its values are codes and no amounts: code -> name. For a winner these are the results, in the order
      to tell them in.
    * `side` and `of`: where it is reported of either side: whose it is, and what of it, such as "a" and "health".
    * `called`: a clearer name for people than `of`; empty where `of` will do.
    * `stand_offs`: of a column for how a trial ended: the codes of endings in which time ran out without a winner.
    * `says`: words for it in an answer's first sentence, before the chance that it is at least 1, such as "hits"; empty
      to leave it out.

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
class Step:
    """A small discrete change of a match-up, such as who goes first or one more unit.

    `side` and `field`: the path `side.field` to set; an empty side sets who goes first. `label`: description of the
    change for people; empty where `side.field=new` will do.
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
    """A command-line option that is short for a field of the situation: `--map dense` for `--set situation.map=dense`.

    Its help is the description of `field`, whose value it calls `metavar`; a shell completes what `offers` returns for
    a catalogue, but other values may be allowed.
    """

    field: str
    metavar: str
    offers: Callable[[Catalogue], Iterable[str]] = _offers_nothing


@dataclass(frozen=True)
class PolicyKind:
    """A decision that the owner of a side makes beforehand, by choosing a policy.

    * `meaning`: what is decided, in words.
    * `options`: option -> its effect in a sentence; the first option is the default.
    * `side` and `of`: the side that decides and what it decides, such as "a" and "flags"; empty where it holds for both
      sides.
    * `quick`: where options are whole ways of playing: those that are quick to play, so that they can be compared.
    * `parameters`: option -> the fields of its side's stance that it reads.
    * `plays`: option -> its policy, where that depends on nothing else.
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
    """A kind of question that a game answers about two entrants.

    * `name`: what it is called as a command and as a function, such as `duel`.
    * `sides`: names of the two sides, as overrides use them.
    * `takes`: the kind of entrant of each side.
    * `processes`: (setup, lane) -> equally likely processes with the columns of `columns`.
    * `columns`: the columns that a trial reports, by name and in this order.
    * `narrowed`: (setup, lane, names of columns) -> processes that report these columns and skip what work they can: an
      exact distribution is worked out by them; None where there are none such.
    * `setup`: function from what was asked, read and checked, to a frozen, picklable setup with an attribute `inputs`;
      by default the question itself.
    * `asks`: what it answers, in words that follow "tells": "what one Attack action does".
    * `unbounded`: whether the process may go on without end, so that its distribution is solved as a chain in floating
      point instead of enumerated in integers.
    * `turn_orders`: the allowed values of who goes first; empty where there is no such choice.
    * `policies`: the decisions of the owners of the sides, by name.
    * `has_distribution`: whether the exact distribution can be computed at all; without it a question can only be
      simulated.
    * `solve`: (setup, method, seed) -> the solution when both sides choose optimally; None where nobody chooses.
    * `played`: how it is played and won, or when it ends, in a sentence or two that hold for every catalogue and
      override.
    * `cannot_see`: limitations of its answers, one sentence each.
    * `situation`: the record of settings besides the sides; all its fields have defaults.
    * `stances`: for each side the record of settings that its cards do not print; all fields have defaults.
    * `beside`: name of another kind of question with the same sides that is answered together with it; empty for none.
    * `conceal`: (setup, state, side, rolls) -> the state with what that side cannot know redrawn, for a game with
      hidden information: no order of the side may change with it. Where nothing is hidden it may return the state as it
      is.
    * `block_trials`: trials played at a time, fewer where one is long or its state large; part of what fixes simulated
      numbers.
    * `slow_block_trials`: the same where a policy is not quick; 0 for as many.
    * `armies`: how armies that differ from trial to trial meet, where its entrants are armies; None elsewhere.
    * `tell`: (setup, rolls of a block of trials, number of one of them) -> that trial in words; None where it cannot be
      narrated.
    * `shorts`: name of an option on the command line -> the field of the situation that it sets.
    * `pairs`: the fixed pairs of entrants that meet; None where any two may.
    * `usual_trials`: default number of trials where the exact distribution cannot be computed; fewer where a trial is
      long.
    * `reads`: tables of the catalogue that only this kind of question uses.
    * `steps`: (question, side ahead) -> small discrete changes that may make it even; None where there are none.
    * `single_changes`: (question) -> every smallest single change of it, some of which rules may refuse; None where
      none are listed.
    * `joint`: how trials of several questions are played in one run; None where each question is played alone.
    * `chains`: how the exact distributions of several questions are solved in one run; None where each is solved alone.
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
    joint: Joint | None = None
    chains: Chains | None = None

    def __repr__(self) -> str:
        """Return the name and the sides in short."""
        return f"<kind of question {self.name}: {' and '.join(self.sides)}>"

    @property
    def is_long(self) -> bool:
        """Whether a trial takes so long that fewer than usual are played by default."""
        return self.usual_trials < USUAL_TRIALS

    @property
    def roots(self) -> tuple[str, ...]:
        """The first words of paths that overrides may use."""
        return (*self.sides, "situation", "rules")

    @property
    def has_factions(self) -> bool:
        """Whether the sides take different kinds of entrant, so that two of one side never meet."""
        return self.takes[0] != self.takes[1]

    @property
    def usual_first(self) -> str:
        """The default turn order: "random" if that is one, else the first; empty where there is no choice."""
        return "random" if "random" in self.turn_orders else next(iter(self.turn_orders), "")

    @property
    def mirrored_orders(self) -> tuple[str, ...]:
        """The two turn orders of a mirrored pair, each side first once; empty where there is no choice."""
        return self.sides if set(self.sides) <= set(self.turn_orders) else ()

    def column(self, role: Role) -> str | None:
        """Return the name of the column with a role; None if there is none."""
        return next((name for name, column in self.columns.items() if column.role == role), None)

    def column_of(self, side: str, of: str) -> str:
        """Return the name of the column that reports `of` for a side; empty if there is none.

        `side`: name of the side, one of `sides`. `of`: what the column reports, such as "health".
        """
        return next((name for name, column in self.columns.items() if (column.side, column.of) == (side, of)), "")

    @property
    def about(self) -> Role:
        """The role of its main column: winner, else duration, else effect; empty if it has none of them."""
        roles: tuple[Role, ...] = ("winner", "duration", "effect")
        return next((role for role in roles if self.column(role) is not None), "")

    @property
    def winner(self) -> str:
        """The name of the column with the winner; empty if it has none."""
        return self.column("winner") or ""

    @property
    def winners(self) -> Mapping[str, int]:
        """The code of each result, by name, in the column of the winner; empty if it has none."""
        return {name: code for code, name in self.columns[self.winner].names.items()} if self.winner else {}

    @property
    def categories(self) -> Mapping[str, Mapping[int, str]]:
        """The columns of codes with the name of each code, codes rising and the column of the winner last."""
        code_columns = [name for name, column in self.columns.items() if column.names]
        last = sorted(code_columns, key=lambda name: name == self.winner)
        return {name: dict(sorted(self.columns[name].names.items())) for name in last}

    @property
    def exchange(self) -> tuple[str, str] | None:
        """The columns of what the second side and of what the first side lost; None unless it has both."""
        effect, loss = self.column("effect"), self.column("loss")
        return (effect, loss) if effect is not None and loss is not None else None

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """The options of each decision by name, the default first."""
        return {name: tuple(policy.options) for name, policy in self.policies.items()}

    def plays(self, policies: Mapping[str, str]) -> dict[str, Policy]:
        """Return the policy of each side whose chosen option stands for one; `policies` is decision -> option."""
        return {choice.side: choice.plays[policies[name]] for name, choice in self.policies.items() if choice.plays}

    @property
    def habits(self) -> Mapping[str, tuple[str, ...]]:
        """The quick ways of playing of each decision that has some, in the order of the sides."""
        return {name: policy.quick for name, policy in self.policies.items() if policy.quick}


@dataclass(frozen=True)
class Game:
    """A game: the schema of its catalogue, and its kinds of question.

    * `name` and `title`: the id used in commands, and the name for people.
    * `spec`: schema of the catalogue.
    * `kinds`: kinds of question by name, the simplest first: of several with the same role, reports show the first.
    * `rule_ids`: schema of the table of rulebook rules.
    * `unused`: table -> why an entry of it is in no entrant, for those tables whose entries should be in one.
    * `folder`: its data folder, for a game that does not ship with the toolkit.
    * `file`: the game file that the game was read from; None for a game of Python code.
    * `remake`: function that makes it again in another process, for a game that is in no package.
    * `drawings`: kind of text file that it can play on, such as "adventure" -> how to read such a file, piece by piece.
    * `priced_in`: kind of question that is the game as its rulebook prints it, where prices are judged; the first in
      which armies meet without one.
    * `steps`: its units as the steps of its `steps.toml` read them, which say its attacks; None where none do.
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
    priced_in: str = ""
    steps: StepUnits | None = None

    def __repr__(self) -> str:
        """Return the name and the title in short."""
        return f"<game {self.name}: {self.title}>"

    @property
    def called(self) -> str:
        """The word for the game in commands: its name, or the path of its file."""
        return self.name if self.file is None else short_path(self.file)

    @property
    def entrant_kinds(self) -> tuple[EntrantKind, ...]:
        """Every kind of entrant once: members of armies, then those of first sides, then of second sides."""
        pairs = [kind.takes for kind in self.kinds.values()]
        members = [kind.armies.member for kind in self.kinds.values() if kind.armies is not None]
        kinds: list[EntrantKind] = []
        for kind in members + [first for first, _ in pairs] + [second for _, second in pairs]:
            kinds += [kind] if kind not in kinds else []
        return tuple(kinds)

    def kind_about(self, about: Role) -> QuestionKind | None:
        """Return the first kind of question whose main column has this role; None if there is none."""
        return next((kind for kind in self.kinds.values() if kind.about == about), None)

    def main_of(self, name: str) -> str:
        """Return the name of the kind that a kind is answered beside; the name itself for any other."""
        return next((kind.name for kind in self.kinds.values() if kind.beside == name), name)

    def name_about(self, about: Role) -> str:
        """Return the name of the first kind of question whose main column has this role; empty if none."""
        kind = self.kind_about(about)
        return kind.name if kind is not None else ""


def which_has(game: Game, feature: str) -> str:
    """Return the tip that names the kinds of question of a game with a feature, an attribute such as "winner"."""
    able = [kind.name for kind in game.kinds.values() if getattr(kind, feature)]
    return f"in {game.name}, {', '.join(able)} can have one" if able else f"nothing that {game.name} is asked has one"
