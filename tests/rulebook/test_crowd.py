"""Battles of any armies come out as the same battles do die by die, in every template and with every kind of rule.

The twin tells once more who does what to whom (`tests.rulebook.twin`), makes every activation in every trial and rolls
each die; with the same dice the player of fights of the same units has the very numbers of the twin. Shares of wins,
and means of rounds and of health left, agree within four standard errors of their difference: for each of some hundred
comparisons that fails by chance in one of 16,000 sets of seeds, and seeds are fixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

import balance.rulebook.play.law_store as law_store
from balance.analysis.armies.batches import Battles, outcomes_of
from balance.analysis.armies.battles import scores_of
from balance.base.arrays import FloatArray
from balance.chance.rolls.rolls import RandomRolls
from balance.chance.trials.lockstep import simulate
from balance.game.loaded import LoadedGame, load
from tests.rulebook.test_playing import IRON
from tests.rulebook.twin import told_again

N = 200
TEMPLATES = sorted((Path(law_store.__file__).parents[1] / "templates").glob("*.toml"))
CHOICE = """
[choices.effort]
steady = {}
all_out = { may = "me.wounds > 1", hits = "(me.attacks + 2) d6 count me.skill+", "me.wounds" = "me.wounds - 1" }
[policies.effort.finisher]
all_out = "foe.wounds <= 1"
"""
TURN = '[turn]\nacts = "d3 - 1"\npasses = "acts = 2"\n[turns]\nmost_acts = 2\n'
FRIENDS = """
[keywords.reliable.friends]
hits = "+ 1"
[ends]
out = "me.wounds = 0 or (me.units = 1 and me.wounds < 2)"
"""
MORE = {
    "carried": '[armies]\nexcess = "carried"\n',
    "weakest": '[armies]\ntarget = "weakest"\n',
    "strongest": '[armies]\ntarget = "strongest"\n',
    "spread": '[armies]\ntarget = "spread"\nfront = 2\n',
    "at once": '[turns]\norder = "simultaneous"\n',
    "activations": '[turns]\norder = "activations"\n',
    "initiative": '[turns]\norder = "initiative"\ninitiative = "d6 + me.attacks"\n',
    "a coin": '[turns]\norder = "initiative"\ninitiative = "d3"\nties = "random"\n',
    "struck back": '[turns]\nstrike_back = "d6 >= 3"\n',
    "score": '[ends]\nrounds = 2\nscore = "me.wounds + me.units"\n',
    "choice": CHOICE,
    "turn": TURN,
    "after more attacks": TURN + '[after]\n"foe.wounds" = "foe.wounds - (d6 = 1)"\n',
    "spread and struck back": '[armies]\ntarget = "spread"\nfront = 2\n[turns]\nstrike_back = "d6 >= 3"\n',
    "after": '[after]\n"me.wounds" = "me.wounds - (d6 = 1)"\n[round]\n"me.wounds" = "me.wounds + (d6 = 6)"\n',
    "friends": FRIENDS,
}


def check(game: LoadedGame, play: Mapping[str, str] = MappingProxyType({})) -> None:
    units = game.members_of("battle")[:3]
    armies = [[0, 1 % len(units), 0], [1 % len(units), len(units) - 1]]
    a, b = (np.tile(np.array(army), (10 * N, 1)) for army in armies)
    of_crowd = simulate(game.arena("battle", units, **play).process(a, b), RandomRolls(0, "crowd", 0, 10 * N))
    texts = [",".join(units[number] for number in army) for army in armies]
    first = "a" if game.definition.kinds["battle"].turn_orders else None
    question = game.ask("battle", texts[0], texts[1], None, first, **play)
    (process,) = question.kind.processes(question.setup, "literal")
    fixed, die_by_die = (
        simulate(each, RandomRolls(0, "twin", 0, N)) for each in (process, told_again(process, question.setup))
    )
    assert all(np.array_equal(fixed[name], die_by_die[name]) for name in question.kind.columns)
    for name in question.kind.columns:
        facts = [columns[name] == 1 if name == "winner" else columns[name] for columns in (of_crowd, die_by_die)]
        check_equal(name, *(np.asarray(fact, np.float64) for fact in facts))


def check_equal(name: str, values: FloatArray, others: FloatArray) -> None:
    error = float(np.sqrt(values.var() / len(values) + others.var() / len(others)))
    assert abs(values.mean() - others.mean()) <= 4 * error + 1e-9, (name, values.mean(), others.mean(), error)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_every_template_is_played_as_die_by_die(path: Path) -> None:
    check(load(str(path)))


def test_draws_hang_on_no_order_of_a_set(tmp_path: Path) -> None:
    """Results of a section stand in the order of the file, by which its joint law is drawn from."""
    (tmp_path / "iron.toml").write_text(IRON + TURN, "utf-8")
    game = load(str(tmp_path / "iron.toml"))
    one, other = game.members_of("battle")[:2]
    rules = game.ask("duel", one, other, first="a").setup.rules
    assert rules.turn.results == ("acts", "passes")


@pytest.mark.parametrize("more", MORE.values(), ids=MORE)
def test_every_rule_is_played_as_die_by_die(more: str, tmp_path: Path) -> None:
    (tmp_path / "iron.toml").write_text(IRON + more, "utf-8")
    game = load(str(tmp_path / "iron.toml"))
    check(game, {"policy_a": "finisher", "policy_b": "all_out"} if more == CHOICE else {})


@pytest.mark.parametrize("more", [MORE["carried"], MORE["friends"], CHOICE])
def test_where_laws_are_too_large_steps_are_drawn_one_by_one(
    more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(law_store, "MOST_EACH", 3)
    monkeypatch.setattr(law_store, "N_TRIED", 0)
    (tmp_path / "iron.toml").write_text(IRON + more, "utf-8")
    check(load(str(tmp_path / "iron.toml")))


def test_blocks_of_a_file_are_played_in_one_run(tmp_path: Path) -> None:
    """Blocks that are played at a time score as each does alone, whatever sizes of armies they have."""
    (tmp_path / "iron.toml").write_text(IRON, "utf-8")
    game = load(str(tmp_path / "iron.toml"))
    arena = game.arena("battle", game.members_of("battle"))
    groups = list[Battles]()
    for at, armies in enumerate([([0, 2], [1]), ([2, 2, 2, 2], [0, 0]), ([1], [0, -1, 0])]):
        a, b = (np.tile(np.array(army), (10 * N, 1)) for army in armies)
        groups.append(Battles(arena, a, b, np.full(10 * N, 9), RandomRolls(0, "one", at, 10 * N)))
    together = outcomes_of(groups, ("winner", "rounds"))
    for battles, columns in zip(groups, together, strict=True):
        (alone,) = outcomes_of([battles], ("winner", "rounds"))
        check_equal("score", scores_of(columns["winner"]), scores_of(alone["winner"]))
        check_equal("rounds", columns["rounds"].astype(np.float64), alone["rounds"].astype(np.float64))
