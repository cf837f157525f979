"""Whole battles of Warforged told a second time, from the rulebook and its ledger, in plain Python.

Nothing here is shared with the package but the records of cards: no arrays, no tables of the fast engine. A battle
keeps its pieces as objects, acts on one action after another, and counts in `happened` what came to pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from tests.games.warforged.reference_attack import DOWN, GONE, UP, Gun, Outcome, Piece, after_attack, roll
from tests.games.warforged.reference_board import Line
from tests.games.warforged.reference_luck import face, stream
from tests.games.warforged.reference_turns import DRAW, Turns

END, ATTACK, MOVE, JUMP, RAISE, OVERLOAD = range(6)


class Action(NamedTuple):
    """One action; -1 where a part says nothing."""

    what: int = END
    unit: int = -1
    weapon: int = -1
    target: int = -1
    cell: int = -1


class Blast(NamedTuple):
    """What explodes in one wave: where, of which side, and how hard."""

    cell: int
    seat: int
    damage: int
    radius: int


class Battle(Turns):
    """A battle between two armies; `act` takes it on, and `winner` is 0 while it is open (1 a, 2 b, 3 draw)."""

    # What may be done

    def able(self) -> Iterator[Piece]:
        """Yield the units of the acting side that may act."""
        for piece in self.pieces[self.side]:
            if piece.cell >= 0 and not piece.emp and not piece.done:
                yield piece

    def enemies(self) -> list[Piece]:
        """Return the enemies on the board."""
        return [piece for piece in self.pieces[1 - self.side] if piece.cell >= 0]

    def hits(self, gun: Gun, line: Line) -> bool:
        """Return whether a weapon reaches along a line, whoever stands on it."""
        return line.distance <= gun.reach and not (line.heavy and not (gun.laser and self.read.laser_heavy))

    def cover(self, gun: Gun, line: Line) -> int:
        """Return the extra armour dice along a line (WF-COV.1, WF-Q5, WF-Q26)."""
        if gun.laser or not line.light:
            return 0
        return self.read.cover_dice * (line.light if self.read.cover_stack == "each" else 1)

    def targets(self, piece: Piece, gun: Gun, enemies: list[Piece]) -> Iterator[tuple[Piece, Line]]:
        """Yield whom a unit may attack with a weapon (WF-ACT.4, WF-COV.3)."""
        lines = self.board.lines[piece.cell]
        for enemy in enemies:
            line = lines.get(enemy.cell)
            if line and self.hits(gun, line):
                if self.read.units_block and any(cell in self.on for cell in line.between):
                    continue
                yield enemy, line

    def moves(self, piece: Piece) -> list[int]:
        """Return where a unit may move."""
        if piece.moves >= self.read.max_moves:
            return []
        return self.board.reachable(piece.cell, piece.speed, self.on, piece.slim)

    def jumps(self, piece: Piece) -> list[int]:
        """Return where a unit may jump."""
        if not piece.jumps:
            return []
        return self.board.jumps(piece.cell, piece.speed, self.on, self.read.jump_exact)

    # What an action does

    def act(self, action: Action) -> None:
        """Take one action of the acting side; a later shot of Rapid Fire is an ATTACK too, and END then stops."""
        self.choices += 1
        rapid = self.rapid is not None
        if action.what == ATTACK:
            self._attack(action)
        elif not rapid:
            self._do(action)
        else:
            self.rapid = None
            self.happened["rapid fire stopped"] += 1
        if action.what != END and not rapid:
            self.left -= 1
        self._anybody_left()
        if self.rapid is None and not self.left:
            self.turn_over = True

    def _do(self, action: Action) -> None:
        piece = self.pieces[self.side][action.unit]
        if action.what == END:
            self.left = 0
        elif action.what == MOVE:
            self.put(piece, action.cell)
            piece.moves += 1
            self.happened["second move"] += piece.moves == 2
        elif action.what == JUMP:
            self.put(piece, action.cell)
            piece.done = True
            self.happened["jump"] += 1
        elif action.what == RAISE:
            piece.shield = UP
            self.happened["shield raised"] += 1
        else:
            self._overload(piece)

    def _anybody_left(self) -> None:
        alive = [any(piece.health for piece in army) for army in self.pieces]
        if not all(alive):
            self.winner = DRAW if not any(alive) else 1 if alive[0] else 2
            self.rapid, self.turn_over, self.ended = None, True, 1
            self._note_lead()
            self.happened["both gone" if self.winner == DRAW else "side gone"] += 1

    def _attack(self, action: Action) -> None:
        shooter, target = self.pieces[self.side][action.unit], self.pieces[1 - self.side][action.target]
        gun = shooter.guns[action.weapon]
        line = self.board.lines[shooter.cell][target.cell]
        shots = gun.shots if self.rapid is None else self.rapid[2]
        self._shoot(gun, target, self.cover(gun, line), line)
        self.happened["further shot"] += self.rapid is not None
        self.rapid = None
        if shots > 1:
            if shooter.cell < 0:
                self.happened["shooter fell between shots"] += 1
            elif any(self.targets(shooter, gun, self.enemies())):
                self.rapid = (action.unit, action.weapon, shots - 1)
            elif all(any(piece.health for piece in army) for army in self.pieces):
                self.choices += 1  # nobody is left to choose, and that counts as a choice

    def _shoot(self, gun: Gun, target: Piece, cover: int, line: Line) -> None:
        start = stream(self.key, self.events)
        self.events += 1
        self.attacks[self.side] += 1
        outcome = roll(partial(face, start), gun, target, cover, self.read)
        self._note(outcome, target, line, 0 if gun.piercing else cover)
        after_attack(target, outcome, self.read)
        blasts = []
        if outcome.splash:
            blasts = [Blast(target.cell, self.side, outcome.splash, self.read.splash_radius)]
        if outcome.damage or blasts:
            self._waves(start, target, outcome.damage, blasts)

    def _note(self, outcome: Outcome, target: Piece, line: Line, cover: int) -> None:
        """Count what an attack shows of the rules."""
        self.happened["missed"] += not outcome.hit
        self.happened["dodged"] += outcome.dodged
        if outcome.hit:
            notes = ("hit", "critical", "burn", "emp", "splash", "absorbed", "blocked", "shield_lost")
            self.happened.update(name for name in notes if getattr(outcome, name))
            rolled = not (outcome.critical or outcome.absorbed)
            self.happened["cover dice"] += rolled and cover > 0
            self.happened["dice of several covers"] += rolled and cover > self.read.cover_dice
            self.happened["burnt target hit"] += any(target.burns)
            self.happened["shot through heavy cover"] += line.heavy

    def _overload(self, piece: Piece) -> None:
        start = stream(self.key, self.events)
        self.events += 1
        self.happened["voluntary overload"] += 1
        blast = self._exploding(piece, piece.cell)
        self._remove(piece)
        self._waves(start, None, 0, [blast])

    def _exploding(self, piece: Piece, cell: int) -> Blast:
        return Blast(cell, piece.seat, self.read.overload_damage, self.read.overload_radius)

    def _remove(self, piece: Piece) -> int:
        cell = piece.cell
        del self.on[cell]
        piece.health, piece.cell = 0, -1
        return cell

    def _waves(self, start: int, target: Piece | None, damage: int, blasts: list[Blast]) -> None:
        """Take losses wave by wave: those of an attack and its splash, then of all that exploded in the wave before."""
        wave = 0
        while blasts or target is not None:
            losses, hostile = self._hurt(start, wave, target, blasts)
            if target is not None:
                losses[target], hostile[target] = damage, damage > 0
            blasts = []
            fallen = []
            for piece, loss in losses.items():
                if loss >= piece.health:
                    fallen.append(piece)
                else:
                    piece.health -= loss
            self.happened["unit lost"] += len(fallen)
            for piece in fallen:
                cell = self._remove(piece)
                if piece.overload and self._goes_off(hostile[piece], piece is target):
                    blasts.append(self._exploding(piece, cell))
            target, wave = None, wave + 1
            self.happened[f"explosion in wave {wave}"] += bool(blasts)

    def are_enemies(self, one: int, other: int) -> bool:
        return one != other

    def _goes_off(self, hostile: bool, by_the_shot: bool) -> bool:
        """Return whether a unit with Overload explodes as it falls (WF-Q12)."""
        return {"hostile": hostile, "none": by_the_shot, "any": True}[self.read.overload_chain]

    def _hurt(
        self, start: int, wave: int, target: Piece | None, blasts: list[Blast]
    ) -> tuple[dict[Piece, int], dict[Piece, bool]]:
        """Return what the blasts of one wave take from each unit but the target, and whether an enemy had a part."""
        losses: dict[Piece, int] = {}
        hostile: dict[Piece, bool] = {}
        diagonals = self.read.square_radius == "chebyshev"
        for blast in blasts:
            for cell in self.board.within(blast.cell, blast.radius, diagonals):
                piece = self.on.get(cell)
                if piece is None or piece is target or not blast.damage:
                    continue
                enemy = self.are_enemies(blast.seat, piece.seat)
                if enemy or self.read.friendly_fire:
                    losses[piece] = losses.get(piece, 0) + blast.damage
                    hostile[piece] = hostile.get(piece, False) or enemy
                    self.happened["friendly blast"] += not enemy
        return {piece: loss for piece, loss in losses.items() if not self._saved(start, wave, piece)}, hostile

    def _blast_die(self, start: int, wave: int, name: str, piece: Piece) -> int:
        j = self.board.seen_from(self.side, piece.cell)
        return face(start, self.read.special_faces, f"blast {wave} {name}", j)

    def _saved(self, start: int, wave: int, piece: Piece) -> bool:
        """Return whether Slim (WF-Q4) or a Supershield (WF-Q15) saves a unit from the blasts of a wave."""
        slim = self.read.slim_vs_splash and piece.slim
        if slim and self._blast_die(start, wave, "slim", piece) in self.read.dodges:
            self.happened["blast dodged"] += 1
            return True
        if self.read.shield_vs_splash and piece.shield == UP:
            if self._blast_die(start, wave, "shield", piece) not in self.read.keeps:
                piece.shield = GONE
            self.happened["blast absorbed"] += 1
            return True
        return False


class Legal(Sequence[Action]):
    """The legal actions of the acting side, listed only when somebody looks at them."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._listed: list[Action] | None = None

    def attacks(self) -> Iterator[tuple[Action, Piece, Gun, Piece, Line]]:
        """Yield every attack, with the unit, its weapon, the target and the line between them."""
        battle = self.battle
        enemies = battle.enemies()
        if battle.rapid is not None:
            unit, slot, _ = battle.rapid
            shooters = [(battle.pieces[battle.side][unit], [slot])]
        else:
            shooters = [(piece, list(range(len(piece.guns)))) for piece in battle.able()]
        for piece, slots in shooters:
            for slot in slots:
                gun = piece.guns[slot]
                for enemy, line in battle.targets(piece, gun, enemies):
                    yield Action(ATTACK, piece.place, slot, enemy.place), piece, gun, enemy, line

    def _list(self) -> Iterator[Action]:
        yield Action(END)
        for attack in self.attacks():
            yield attack[0]
        if self.battle.rapid is not None:
            return
        for piece in self.battle.able():
            yield from (Action(MOVE, piece.place, cell=cell) for cell in self.battle.moves(piece))
            yield from (Action(JUMP, piece.place, cell=cell) for cell in self.battle.jumps(piece))
            if piece.raises and piece.shield == DOWN:
                yield Action(RAISE, piece.place)
            if piece.overload:
                yield Action(OVERLOAD, piece.place)

    def listed(self) -> list[Action]:
        if self._listed is None:
            self._listed = list(self._list())
        return self._listed

    def __len__(self) -> int:
        return len(self.listed())

    def __getitem__(self, i: Any) -> Any:
        return self.listed()[i]
