"""Named results, parsed once and then built for any values of the names that they use.

`hits = 10d6 count 3+` is a step, and `hits d6 count 5+` another, which uses it. A step that is dice may be counted in
several ways by later ones: of `roll = 10d6`, `roll count 6` and `roll count 3-5` count the same dice.

A name stands for a number. When a step is built for values, its tokens are parsed again with numbers in the place of
names; so whatever may be written as a number may be a name, and the syntax tree knows no names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from balance.base.errors import Fault, UsageError
from balance.chance.dice.bounds import is_arithmetic, shows_symbols
from balance.chance.dice.text.parser import Expression, Parser
from balance.chance.dice.text.pools import MODIFIERS
from balance.chance.dice.text.tokens import Reader, Token, Vocabulary, number_of, read_tokens, symbols_in
from balance.chance.dice.text.walking import SIGNS
from balance.chance.dice.tree import If, KeptDice, Mix, Name, Node, Pairs, Pool

SAMPLES = (2, 5, 9)
"""Values of all names with which a step is read on trial: whatever can be read in two ways is seen with one of them."""
CHANCE = ("d", "df", "from")
"""Words without which nothing is rolled."""
MADE_FOR = 4096
"""Values of names for which the parts of steps are remembered."""


@dataclass(frozen=True)
class Change:
    """A replacement of a step, or a modifier added to its dice, that applies where a flag is not 0.

    `flag`: name of the value that turns the change on where it is not 0. `tokens`: the tokens that replace those of the
    step, or follow them, without the end token. `is_instead`: True to replace them, False to follow them.
    """

    flag: str
    tokens: tuple[Token, ...]
    is_instead: bool


@dataclass(frozen=True)
class Member:
    """Dice of one step among several that are rolled together, since their dice are compared with each other."""

    label: str
    tokens: tuple[Token, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Step:
    """One result, or several of the same dice, built for values of the names that it uses.

    * `name` and `text`: its name, and its expression as written.
    * `columns`: names of its results: its own, or one for each way in which later steps count its dice.
    * `uses`: names whose values it needs, flags of changes included, in the order of the text.
    * `tokens` and `changes`: the tokens of the expression with their end, and how flags change them.
    * `ways`: the modifiers that each result adds to the dice; empty for the total.
    * `members` and `labels`: where dice of several steps are rolled together: those steps, and the dice that each
      result counts.
    * `has_dice`: whether it rolls anything, for any values.
    """

    name: str
    text: str
    columns: tuple[str, ...]
    uses: tuple[str, ...]
    tokens: tuple[Token, ...] = field(repr=False)
    ways: tuple[tuple[Token, ...], ...] = field(repr=False)
    changes: tuple[Change, ...] = field(repr=False, default=())
    members: tuple[Member, ...] = field(repr=False, default=())
    labels: tuple[str, ...] = field(repr=False, default=())
    vocabulary: Vocabulary = field(repr=False, default_factory=Vocabulary, hash=False, compare=False)
    _made: dict[tuple[int, ...], tuple[Node, ...]] = field(
        default_factory=dict, init=False, repr=False, hash=False, compare=False
    )

    @cached_property
    def has_dice(self) -> bool:
        """Whether anything is rolled for some values or flags."""
        rows = [self.tokens, *(change.tokens for change in self.changes)]
        return any(map(_rolls, rows))

    @cached_property
    def formula(self) -> Node | None:
        """The step as a part without dice, with names in it; None if it rolls or has several results.

        A flag becomes a choice: the last change whose flag is set replaces the step.
        """
        if (
            self.has_dice
            or self.members
            or len(self.ways) != 1
            or any(not change.is_instead for change in self.changes)
        ):
            return None
        node = self._open(self.tokens)
        for change in self.changes:
            other = self._open((*change.tokens, self.tokens[-1]))
            node = If(Name(change.flag), other, node) if node is not None and other is not None else None
        return node

    def _open(self, tokens: Sequence[Token]) -> Node | None:
        reader = Reader(self.text, self.vocabulary, settled=True)
        expression = Parser(reader, list(tokens)).expression(())
        if expression is None or reader.fault_at or not is_arithmetic(expression.part):
            return None
        return expression.part

    def nodes(self, values: tuple[int, ...]) -> tuple[Node, ...]:
        """Return the part of each result for a value of each of `uses`, in its order, cached.

        Raises `UsageError` if nothing can be rolled for these values, such as dice that are rolled again for ever.
        """
        if values not in self._made:
            if len(self._made) == MADE_FOR:
                self._made.clear()
            self._made[values] = self._make(values)
        return self._made[values]

    def _make(self, values: tuple[int, ...]) -> tuple[Node, ...]:
        value_of = dict(zip(self.uses, values, strict=True))
        return self.made_of(lambda token: number_of(token, value_of[token.text]), value_of)

    def made_of(self, number: Callable[[Token], Token], flags: Mapping[str, int]) -> tuple[Node, ...]:
        """Return the part of each result, with other tokens in the place of names.

        `number` gives the token that replaces that of a name; a change applies where the value of its flag in `flags`
        is not 0. Raises `UsageError` if there is nothing that can be rolled so.
        """

        def row(tokens: Iterable[Token]) -> list[Token]:
            return [number(token) if token.kind == "name" else token for token in tokens]

        if not self.members:
            tokens = _changed(self.tokens[:-1], self.changes, flags)
            return tuple(self._read(row([*tokens, *way, self.tokens[-1]])) for way in self.ways)
        dice = dict[str, Pool | Mix]()
        for member in self.members:
            tokens = _changed(member.tokens[:-1], member.changes, flags)
            node = self._read(row([*tokens, member.tokens[-1]]))
            if isinstance(node, Pool | Mix):
                dice[member.label] = replace(node, of=member.label)
        rows = zip(self.labels, self.ways, strict=True)
        return tuple(self._read(row([*_dice_token(label), *way, self.tokens[-1]]), dice) for label, way in rows)

    def _read(self, row: list[Token], dice: Mapping[str, Pool | Mix] | None = None) -> Node:
        reader = Reader(self.text, self.vocabulary, settled=True)
        expression = Parser(reader, row, dice).expression(())
        if expression is None or reader.fault_at:
            raise UsageError(reader.faults)
        return expression.part


def _changed(tokens: Sequence[Token], changes: Iterable[Change], flags: Mapping[str, int]) -> list[Token]:
    """Apply the changes whose flags are set to tokens without their end; equal changes apply once."""
    changed, done = list(tokens), set[tuple[str, ...]]()
    for change in changes:
        texts = tuple(token.text for token in change.tokens)
        if flags.get(change.flag) and texts not in done:  # the same from two sources counts once
            changed = [*([] if change.is_instead else changed), *change.tokens]
            done.add(texts)
    return changed


def _dice_token(label: str) -> tuple[Token, ...]:
    return (Token("dice", label, 0, 0),)


@dataclass
class _Draft:
    """A step that later ones may still count in more ways, link to other dice, or use."""

    name: str
    text: str
    number: int
    tokens: list[Token]
    changes: tuple[Change, ...]
    known_names: frozenset[str]
    node: Node
    symbols: list[str]
    ways: dict[tuple[str, ...], list[Token]] = field(default_factory=dict)
    is_used: bool = False
    linked: set[int] = field(default_factory=set)
    """Numbers of the drafts whose dice are compared with its own, itself among them."""

    @property
    def label(self) -> str:
        """A unique label for its dice, `name·number`."""
        return f"{self.name}·{self.number}"

    @property
    def is_dice(self) -> bool:
        """Whether it is uncounted dice, which later steps can count, keep or compare."""
        return isinstance(self.node, Pool | Mix) and self.node.count is None

    def column(self, way: int) -> str:
        """Return the name of the result of one of its ways, `name·number·way`."""
        return f"{self.name}·{self.number}·{way}"


class StepReader:
    """Parser of steps in sequence; each may use the names of the vocabulary and of steps before it."""

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._vocabulary = vocabulary or Vocabulary()
        self._drafts = list[_Draft]()
        self._latest = dict[str, _Draft]()

    @property
    def vocabulary(self) -> Vocabulary:
        """The names, tables, dice and symbols that the next step may use."""
        symbols = symbols_in(" ".join(draft.text for draft in self._drafts))
        return replace(
            self._vocabulary,
            names=self._vocabulary.names | frozenset(self._latest),
            symbols=symbols | symbols_in(" ".join(self._vocabulary.dice.values())),
        )

    def add(self, name: str, text: str, changes: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
        """Parse one more step, and return notes on how it was read; later steps use the latest step of a name.

        `changes` are (flag, text) of what applies where that flag is not 0: modifiers that follow the dice, if it
        begins with one such as `reroll 1`, or else a replacement of the step. Raises `UsageError` with one fault for
        each thing wrong.
        """
        vocabulary = self.vocabulary
        reader = Reader(text, vocabulary)
        _refuse_parts(reader)
        tokens = self._dice_used_again(reader, read_tokens(reader))
        node, symbols, notes = self._tried(reader, tokens)
        all_changes = tuple(self._change(flag, change_text, tokens) for flag, change_text in changes)
        for token in [*tokens, *(token for change in all_changes for token in change.tokens)]:
            if token.kind == "name" and token.text in self._latest:
                self._latest[token.text].is_used = True
        draft = _Draft(name, text, len(self._drafts), tokens, all_changes, vocabulary.names, node, symbols)
        self._drafts.append(draft)
        self._latest[name] = draft
        return (*notes, *self._rolled_once(tokens))

    def _rolled_once(self, tokens: Sequence[Token]) -> list[str]:
        """Note damage after `hits of` that is a result rolled earlier, and so the same for every hit."""
        notes, is_damage = list[str](), False
        for token in tokens:
            if token.text in ("hits of", "on figures of", ")", ";", ","):
                is_damage = token.text == "hits of"
            draft = self._latest.get(token.text.partition("·")[0]) if is_damage and token.kind == "name" else None
            if draft is not None and self._is_rolled(draft):
                own = draft.text if _rolls(draft.tokens) else "its dice themselves"
                notes.append(
                    f"{draft.name} is rolled once, and every hit does as much; for a roll for each write hits of {own}"
                )
        return notes

    def _is_rolled(self, draft: _Draft) -> bool:
        """Whether a step rolls dice, or uses one that does."""
        before = [other for other in self._drafts if other.number < draft.number]
        names = {token.text.partition("·")[0] for token in draft.tokens if token.kind == "name"}
        return _rolls(draft.tokens) or any(self._is_rolled(other) for other in before if other.name in names)

    def _tried(self, reader: Reader, tokens: list[Token]) -> tuple[Node, list[str], tuple[str, ...]]:
        """Parse tokens with each trial value for all names; return part, symbols and notes of the first sound reading.

        Faults of all values are raised, and readings in doubt with any of them; faults of some values only, such as a
        die of no sides, are raised later, when such values occur.
        """
        tries = [self._try(reader, tokens, value) for value in SAMPLES]
        common_keys = set.intersection(*({*faults} for faults, _, _ in tries))
        for faults, _, _ in tries:
            doubtful = {key: fault for key, fault in faults.items() if "can be read in" in fault.message}
            reader.fault_at |= doubtful | {key: faults[key] for key in common_keys}
        sound = [(parser, expression) for faults, parser, expression in tries if not faults and expression is not None]
        if reader.fault_at or not sound:
            raise UsageError(reader.faults or next(iter(tries[0][0].values())))
        parser, expression = sound[0]
        return expression.part, parser.symbols, expression.notes

    @staticmethod
    def _try(
        reader: Reader, tokens: list[Token], value: int
    ) -> tuple[dict[tuple[int, str], Fault], Parser, Expression | None]:
        """Parse tokens with one value for every name; return the faults, the parser and the expression."""
        own = Reader(reader.text, reader.vocabulary)
        own.fault_at = dict(reader.fault_at)
        parser = Parser(own, _on_trial(tokens, value))
        return own.fault_at, parser, parser.expression(())

    def _change(self, flag: str, text: str, before: list[Token]) -> Change:
        """Parse what a step is where a flag is not 0, and check that it can be read."""
        reader = Reader(text, self.vocabulary)
        tokens = self._dice_used_again(reader, read_tokens(reader))
        is_instead = tokens[0].text not in MODIFIERS
        self._tried(reader, tokens if is_instead else [*before[:-1], *tokens])
        return Change(flag, tuple(tokens[:-1]), is_instead)

    def know(self, name: str) -> None:
        """Add a name to those that later steps may use."""
        self._vocabulary = replace(self._vocabulary, names=self._vocabulary.names | {name})

    @property
    def n_symbols(self) -> int:
        """The largest number of kinds of symbols in one step."""
        return max((len(draft.symbols) for draft in self._drafts), default=0)

    def symbols_without_count(self, wanted: Iterable[str] = ()) -> tuple[str, ...]:
        """Return the names of steps whose symbols are never counted, or are used as a number.

        Steps that are `wanted` are results in their own right.
        """
        wanted_names = {*wanted}
        return tuple(
            draft.name
            for draft in self._drafts
            if shows_symbols(draft.node) and (not draft.ways or draft.is_used or draft.name in wanted_names)
        )

    def steps(self, wanted: Iterable[str] = ()) -> tuple[Step, ...]:
        """Return the steps to roll, with a result for each total and each count that is used later or wanted."""
        return tuple(step for step in self.steps_as_added(wanted) if step is not None)

    def steps_as_added(self, wanted: Iterable[str] = ()) -> tuple[Step | None, ...]:
        """Return a step for each one added; None for dice that are rolled within another step."""
        wanted_names = {*wanted}
        steps: list[Step | None] = []
        for draft in self._drafts:
            linked = [self._drafts[number] for number in sorted(self._linked(draft))]
            if not linked:
                steps.append(self._step(draft, draft.name in wanted_names))
                continue
            place = self._place_of(linked)
            steps.append(self._linked_step(linked, wanted_names) if place is draft else None)
        return tuple(steps)

    def _linked(self, draft: _Draft) -> set[int]:
        """Return the numbers of all drafts whose dice are compared with those of one, directly or through others."""
        numbers, new = set[int](), {*draft.linked}
        while new:
            numbers |= new
            new = {other for number in new for other in self._drafts[number].linked} - numbers
        return numbers

    def _place_of(self, linked: Sequence[_Draft]) -> _Draft | None:
        """Return the first or the last of linked drafts, where all can be rolled; None if neither place will do."""
        first, last = linked[0], linked[-1]
        between = [draft for draft in self._drafts[first.number : last.number] if draft not in linked]
        changed = {draft.name for draft in between}
        own = {name for draft in linked for name in (draft.name, *map(draft.column, range(len(draft.ways) + 1)))}
        rows = [row for draft in linked for row in self._rows(draft)]
        needed = {token.text for row in rows for token in row if token.kind == "name"} - own
        if needed <= first.known_names and not needed & changed:
            return first
        labels = {draft.label for draft in linked}
        used = {token.text for draft in between for row in self._rows(draft) for token in row if token.kind == "name"}
        if any(name.rpartition("·")[0] in labels for name in used) or used & {draft.name for draft in linked}:
            return None
        return last

    @staticmethod
    def _rows(draft: _Draft) -> list[Sequence[Token]]:
        return [draft.tokens, *(change.tokens for change in draft.changes), *draft.ways.values()]

    def _linked_step(self, linked: Sequence[_Draft], wanted: set[str]) -> Step:
        """Return one step that rolls the dice of several, since they are compared with each other."""
        ways, labels = dict[str, tuple[Token, ...]](), list[str]()
        for draft in linked:
            own = self._ways(draft, draft.name in wanted)
            ways |= own
            labels += [draft.label] * len(own)
        known_here = {name: tuple(_column_if(token, ways) for token in way) for name, way in ways.items()}
        rows = [*(row for draft in linked for row in self._rows(draft)[: len(draft.changes) + 1]), *known_here.values()]
        uses = dict.fromkeys(token.text for row in rows for token in row if token.kind == "name")
        uses |= dict.fromkeys(change.flag for draft in linked for change in draft.changes)
        members = tuple(Member(draft.label, tuple(draft.tokens), draft.changes) for draft in linked)
        name, text = (" and ".join(parts) for parts in zip(*((d.name, d.text) for d in linked), strict=True))
        first = linked[0]
        columns = tuple(ways), tuple(uses), tuple(first.tokens), tuple(known_here.values())
        return Step(name, text, *columns, (), members, tuple(labels), self.vocabulary)

    @staticmethod
    def _ways(draft: _Draft, is_wanted: bool) -> dict[str, tuple[Token, ...]]:
        ways = {draft.column(number): tuple(way) for number, way in enumerate(draft.ways.values())}
        return {draft.name: (), **ways} if is_wanted or draft.is_used or not ways else ways

    def _step(self, draft: _Draft, is_wanted: bool) -> Step:
        ways = self._ways(draft, is_wanted)
        rows = [draft.tokens, *(change.tokens for change in draft.changes), *ways.values()]
        uses = dict.fromkeys(token.text for row in rows for token in row if token.kind == "name")
        uses |= dict.fromkeys(change.flag for change in draft.changes)
        columns = tuple(ways), tuple(uses), tuple(draft.tokens), tuple(ways.values())
        return Step(draft.name, draft.text, *columns, draft.changes, vocabulary=self.vocabulary)

    def _dice_used_again(self, reader: Reader, tokens: list[Token]) -> list[Token]:
        """Replace modifiers of dice of earlier steps by the name of their result, which is registered."""
        at = 0
        while at < len(tokens) - 1:
            draft = self._latest.get(tokens[at].text) if tokens[at].kind == "name" else None
            if draft is not None and tokens[at + 1].text in MODIFIERS and tokens[at + 1].kind in ("word", "sign"):
                tokens = self._limits_read(reader, draft, tokens, at)
                end = self._end_of_way(reader, draft, tokens, at)
                way = tokens[at + 1 : end]
                key = tuple(token.text for token in way)
                draft.ways.setdefault(key, way)
                for each in way:
                    if each.kind == "name" and each.text in self._latest:
                        self._latest[each.text].is_used = True
                place = list(draft.ways).index(key)
                token = replace(tokens[at], text=draft.column(place), end=tokens[end - 1].end)
                tokens = [*tokens[:at], token, *tokens[end:]]
            at += 1
        return tokens

    def _limits_read(self, reader: Reader, draft: _Draft, tokens: list[Token], at: int) -> list[Token]:
        """Link what dice are compared with: other dice, or results that are rolled along with them.

        Other dice stand after `pairs` and a sign; results of dice stand in brackets after `count` and a sign.
        """
        word, sign, begin = (tokens[min(at + steps, len(tokens) - 1)] for steps in (1, 2, 3))
        if sign.text not in SIGNS:
            return tokens
        if word.text == "pairs" and begin.kind == "name" and (other := self._latest.get(begin.text)) is not None:
            if not other.is_dice:
                return tokens
            self._link(reader, draft, other, begin)
            return [*tokens[: at + 3], replace(begin, kind="dice", text=other.label), *tokens[at + 4 :]]
        if word.text == "count" and begin.kind == "name":
            after = tokens[min(at + 4, len(tokens) - 1)]
            if after.kind == "word" and after.text in MODIFIERS:
                piece = reader.text[begin.start : after.end]
                problem = "goes on with what each die is compared with"
                reader.fault(after.start, after.end, problem, "", f"put brackets around it: ({piece} ...)")
                raise UsageError(reader.faults)
            read = self._known_with(reader, draft, begin)
            return [*tokens[: at + 3], *(read if read == [begin] else _in_brackets(begin, read)), *tokens[at + 4 :]]
        if word.text != "count" or begin.text != "(":
            return tokens
        end = _closing(tokens, at + 3)
        inner = self._dice_used_again(reader, [*tokens[at + 4 : end], tokens[-1]])[:-1]
        inner = [read for token in inner for read in self._known_with(reader, draft, token)]
        return [*tokens[: at + 4], *inner, *tokens[end:]]

    def _known_with(self, reader: Reader, draft: _Draft, token: Token) -> list[Token]:
        """Return the tokens for a name in a limit: a result of the same roll, a formula written out, or the name."""
        if token.kind != "name" or token.text in draft.known_names:
            return [token]
        label = token.text.rpartition("·")[0]
        other = self._latest.get(token.text) or next((each for each in self._drafts if each.label == label), None)
        if other is None or other.number < draft.number:
            return [token]
        if other.is_dice:
            self._link(reader, draft, other, token)
            other.is_used |= token.text == other.name
            return [replace(token, kind="column")]
        if _rolls(other.tokens) or other.changes:
            return [token]
        inner = [read for each in other.tokens[:-1] for read in self._known_with(reader, draft, each)]
        return _in_brackets(token, inner)

    def _link(self, reader: Reader, draft: _Draft, other: _Draft, token: Token) -> None:
        """Make two drafts roll their dice as one step; raise UsageError if the steps between them prevent it."""
        before = {*draft.linked}, {*other.linked}
        draft.linked |= {draft.number, other.number}
        other.linked |= {draft.number, other.number}
        if self._place_of([self._drafts[number] for number in sorted(self._linked(draft))]) is None:
            draft.linked, other.linked = before
            problem = f"is compared with {draft.name}, and what lies between their steps hangs on one of them"
            reader.fault(
                token.start, token.end, problem, "", f"put the steps of {draft.name} and {other.name} together"
            )
            raise UsageError(reader.faults)

    def _end_of_way(self, reader: Reader, draft: _Draft, tokens: list[Token], at: int) -> int:
        """Return the place after the modifiers of dice of an earlier step; raise UsageError if they cannot apply."""
        begin, dice = tokens[at], draft.node
        if not isinstance(dice, Pool | Mix) or dice.count is not None:
            tip = "count it where its dice are rolled, or roll as many dice: hits d6 count 5+"
            reader.fault(begin.start, begin.end, "is a number and no dice that could be counted", "", tip)
            raise UsageError(reader.faults)
        others = {other.label: other.node for other in self._drafts if isinstance(other.node, Pool | Mix)}
        end, node = Parser(reader, _on_trial(tokens, SAMPLES[0]), others).way(at + 1, dice, draft.symbols)
        for token in tokens[at + 1 : end]:
            label = token.text.rpartition("·")[0]
            before = any(other.label == label and other.number < draft.number for other in self._drafts)
            if token.kind == "name" and token.text not in draft.known_names and not before:
                self._tell_unknown(reader, draft, token)
        inner = node.first if isinstance(node, Pairs) else node.dice if hasattr(node, "dice") else node
        is_same = not isinstance(inner, KeptDice) and _rolls_of(inner) == _rolls_of(dice)
        if not is_same and not reader.fault_at:
            problem = "has its dice rolled on"
            reader.fault(begin.start, tokens[end - 1].end, problem, "", f"say so where {draft.name} is rolled")
        if reader.fault_at:
            raise UsageError(reader.faults)
        return end

    def _tell_unknown(self, reader: Reader, draft: _Draft, token: Token) -> None:
        problem = f"is not known yet where {draft.name} is rolled"
        reader.fault(token.start, token.end, problem, "", f"put its step before {draft.name}")


def _in_brackets(token: Token, inner: Iterable[Token]) -> list[Token]:
    """Wrap tokens in brackets that stand at the place of another token, for faults."""
    return [Token("sign", "(", token.start, token.start), *inner, Token("sign", ")", token.end, token.end)]


def _column_if(token: Token, names: Iterable[str]) -> Token:
    """Mark the token of a name as a result of the same step if it is among `names`."""
    return replace(token, kind="column") if token.kind == "name" and token.text in names else token


def _closing(tokens: Sequence[Token], at: int) -> int:
    """Return the index of the bracket that closes the one at `at`, or of the last token."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].text == "(") - (tokens[place].text == ")")
        if depth == 0:
            return place
    return len(tokens) - 1


def statements_of(text: str) -> list[str]:
    """Split a program at semicolons outside brackets; after a final semicolon comes an empty text.

    >>> statements_of("n = 2d6; d6 gives (1: n; else: 0)")
    ['n = 2d6', ' d6 gives (1: n; else: 0)']
    """
    depth, statements = 0, [""]
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ";" and depth <= 0:
            statements.append("")
        else:
            statements[-1] += letter
    return statements


def _refuse_parts(reader: Reader) -> None:
    """Raise UsageError for several results in one step: `roll = d100; roll <= 5`."""
    first, *others = statements_of(reader.text)
    if others:
        tip = "write each result as a step of its own, on its own line"
        reader.fault(len(first), len(first) + 1, "parts several results", "one result for each step", tip)
        raise UsageError(reader.faults)


def _rolls(tokens: Iterable[Token]) -> bool:
    return any(token.kind == "word" and token.text in CHANCE for token in tokens)


def _rolls_of(node: Node) -> list[tuple[object, ...]]:
    pools: Sequence[Node] = node.parts if isinstance(node, Mix) else (node,)
    return [(pool.n_dice, pool.die, pool.reroll, pool.explosion, pool.each) for pool in pools if isinstance(pool, Pool)]


def _on_trial(tokens: Sequence[Token], value: int) -> list[Token]:
    return [number_of(token, value) if token.kind == "name" else token for token in tokens]
