"""One adventure told step by step: every card, order, move and combat, with its dice, in words and as data.

What is brought to the table comes first, as plain data: what a referee must know before the first event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from balance.base.arrays import IntArray
from balance.base.numbers import show_many
from balance.chance.rolls.keyed_rolls import Keys
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import RandomRolls, Rolls
from balance.game.kit.board.battle import DRAW
from balance.game.question.board_story import Act, BoardStory, Frame, cell_name
from balance.game.question.narration import Narration, told_on_board
from balance.game.setup import Setup
from balance.games.battlelore.adventure.play import PLAYERS, battle_process, luck_of
from balance.games.battlelore.adventure.question.columns import AskedAdventure
from balance.games.battlelore.adventure.story.board import SIDES, Board
from balance.games.battlelore.adventure.story.events import Event, Events
from balance.games.battlelore.adventure.story.state import Record
from balance.games.battlelore.adventure.story.words import Line, Words
from balance.games.battlelore.adventure.terms.battle import Battle
from balance.games.battlelore.adventure.turns.begin import start, undealt


def tell(setup: Setup[AskedAdventure], rolls: RandomRolls, trial: int) -> Narration:
    """Return the story of adventure `trial`, from 0, of those that `rolls`, a block of a simulation, plays.

    `IndexError` if the block has no such adventure.
    """
    plan = setup.play
    keys = luck_of(plan.battle, rolls)
    if not 0 <= trial < len(keys):
        raise IndexError(trial)
    return Teller(plan.battle, plan.first, plan.policies).story(keys[trial : trial + 1], rolls)


@dataclass
class Scene:
    """What goes into the next frame of a replay, with its dice and events.

    `texts` are what the actor does, `effects` what follows from it.
    """

    actor: str = ""
    texts: list[str] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)
    is_attack: bool = False
    act: Act | None = None
    dice: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    opened_by: str = ""

    def begin(self, line: Line) -> None:
        """Take actor, drawing and kind of frame from a line that opens a frame."""
        self.actor, self.act, self.is_attack, self.opened_by = line.actor, line.act, line.is_attack, line.opened_by

    def add(self, line: Line) -> None:
        """Add the text and dice of a line, to `texts` if it opens a frame and to `effects` otherwise."""
        if line.text:
            (self.texts if line.opens else self.effects).append(line.text.removeprefix(f"{self.actor} "))
        self.dice += [line.dice] if line.dice else []
        if line.hits and self.act is not None and self.act.kind == "shot":
            self.act = replace(self.act, result="hit")

    @property
    def text(self) -> str:
        """The frame in words: texts, and effects after a colon if it is an attack."""
        said = "; ".join(self.texts)
        if self.is_attack:
            return f"{said}: {'; '.join(self.effects) or 'no effect'}"
        return "; ".join([said, *self.effects])


@dataclass(eq=False)
class Teller:
    """Watches one adventure and turns it into a story; `first` is the side that begins, 0 or 1."""

    battle: Battle
    first: int
    policies: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        """Start an empty story."""
        self.board = Board(self.battle)
        self.words, self.events, self.record = Words(self.board), Events(self.board), Record(self.board)
        self._frames: list[Frame] = []
        self._scene = Scene()
        self._moment, self._side = "Start", -1

    def story(self, keys: Keys, rolls: Rolls) -> Narration:
        """Play one adventure to its end with its luck `keys`, `uint64[1, ...]`, and return the story."""
        players = PLAYERS[self.policies[0]], PLAYERS[self.policies[1]]
        process = battle_process(self.battle, players, self.first, self.watch)
        before = undealt(self.battle, keys, self.first)
        begin = self.record.begin(before)
        self._see(before)
        self._frames = [self._frame(Scene(texts=["The sides deploy"]))]
        state = start(self.battle, keys, self.first, players, self.watch)
        self._close()
        placed = state["ground"].copy() if "ground" in state else None
        state = self._play(process, state, rolls)
        ground = self.board.ground(None if placed is None else placed[0])
        story = BoardStory(ground, self.board.sides, self.board.tokens, tuple(self._frames))
        record = record_of(self.board, self.first, self.policies)
        return replace(told_on_board(self._start(), story, self._end(state)), record=record, begin=begin)

    def _play(self, process: Process, state: State, rolls: Rolls) -> State:
        """Play turn by turn until it is over, and return the final state."""
        for number in range(process.max_steps):
            if process.over(state)[0]:
                break
            self._moment, self._side = f"Turn {number + 1}", (self.first + number) % 2
            state = process.step(number)(state, rolls)
            self._close()
        return state

    def _start(self) -> str:
        adventure = self.battle.adventure
        needs = self.battle.terms.banners
        sides = [
            f"{name}{f' ({policy})' if policy else ''} needs {show_many(needed, 'banner')}"
            for name, policy, needed in zip(self.board.sides, self.policies, needs, strict=True)
        ]
        return ". ".join([f"{adventure.title}: {self.board.sides[self.first]} begins", *sides])

    def _end(self, state: State) -> str:
        winner, turns = int(state["winner"][0]), show_many(int(state["turn"][0]), "turn")
        banners = " to ".join(str(int(count)) for count in state["banners"][0])
        if winner == DRAW:
            return f"Nobody has won after {turns}: {banners} banners."
        return f"{self.board.sides[winner - 1]} has won after {turns}: {banners} banners."

    # -- watching ------------------------------------------------------------------------------------------------------

    def watch(self, what: str, side: int, rows: IntArray, fields: Mapping[str, Any], state: State) -> None:
        """Take an event of the one trial that is played into the story; the `Watch` of `battle_process`.

        `what` names the event, `fields` are its data, and `state` is the state after it.
        """
        if not len(rows):
            return
        line, events = self.words.of(what, side, fields, state), self.events.of(what, side, fields, state)
        if line is not None and line.opens and not (line.joins and line.joins == self._scene.opened_by):
            self._close()
            self._scene.begin(line)
        if line is not None:
            self._scene.add(line)
        if events:
            events[0]["after"] = self.record.changes(state)
            self._scene.events += events
            self._see(state)

    def _see(self, state: State) -> None:
        """Store figures and hexes of all units and the score, for the next frame."""
        needed, counts = self.battle.terms.banners, state["banners"][0].tolist()
        a, b = (f"{count} of {most}" for count, most in zip(counts, needed, strict=True))
        a_cards, b_cards = (str(count) for count in state["hand"][0].sum(axis=1).tolist())
        self._standings = self.board.standings(state)
        self._score: tuple[tuple[str, str, str], ...] = (("banners", a, b), ("command cards", a_cards, b_cards))
        if self.battle.lore:
            a_lore, b_lore = (str(count) for count in state["tokens"][0].tolist())
            pool = str(int(state["pool"][0]))
            self._score += (("Lore", a_lore, b_lore), ("Lore in the pool", pool, pool))

    def _close(self) -> None:
        """End the current frame; a scene without words yet goes on into the next."""
        scene = self._scene
        if not scene.texts:
            return
        self._frames.append(self._frame(scene))
        self._scene = Scene()

    def _frame(self, scene: Scene) -> Frame:
        return Frame(
            self._moment,
            self._side,
            scene.actor,
            scene.text,
            self._standings,
            scene.act,
            tuple(scene.dice),
            self._score,
            tuple(scene.events),
        )


def record_of(board: Board, first: int, policies: tuple[str, str]) -> dict[str, Any]:
    """Return what does not change while an adventure is played: sides, units, cards and the values in force."""
    battle, adventure = board.battle, board.battle.adventure
    record: dict[str, Any] = {
        "lore": battle.lore,
        "masters_landmarks": adventure.masters_landmarks,
        "first": SIDES[first],
        "turn_limit": battle.terms.turn_limit,
        "sides": {side: _side(board, number, policies[number]) for number, side in enumerate(SIDES)},
        "units": dict(_units(board)),
        "banner_hexes": [
            {"hex": cell_name(b.cell), "side": SIDES[b.side], "banners": b.banners, "held": b.held}
            for b in adventure.blazons
        ],
        "command_cards": {card.id: card.model_dump(mode="json", exclude={"id"}) for card in battle.deck.cards},
    }
    if battle.lore:
        record["lore_cards"] = dict(_lore_cards(board))
    return record


def _side(board: Board, number: int, policy: str) -> dict[str, Any]:
    force, terms = board.battle.adventure.forces[number], board.battle.terms
    told = {"name": board.sides[number], "camp": force.camp, "banners": terms.banners[number]}
    told |= {"cards": terms.cards[number], "policy": policy}
    return told | ({"council": asdict(force.council)} if board.battle.lore else {})


def _units(board: Board) -> Iterator[tuple[str, dict[str, Any]]]:
    for label, (side, slot) in board.by_label.items():
        fighter, (_, cell) = board.fighters[side, slot], board.battle.members[side][slot]
        unit, race = fighter.unit, "" if fighter.is_creature else fighter.race.id
        told = {"side": SIDES[side], "unit": board.battle.adventure.forces[side].units[slot].unit, "race": race}
        told |= {"kind": unit.kind, "colour": unit.colour, "weapon": fighter.weapon.id}
        yield label, {**told, "figures": unit.figures, "hex": cell_name(cell)}


def _lore_cards(board: Board) -> Iterator[tuple[str, dict[str, Any]]]:
    deck = board.battle.lore_deck
    for number, card in enumerate(deck.cards):
        told = card.model_dump(mode="json", exclude={"id"})
        told["price"] = {side: int(deck.cost[which, number]) for which, side in enumerate(SIDES)}
        told["strength"] = {side: int(deck.value[which, number]) for which, side in enumerate(SIDES)}
        yield card.id, told
