from __future__ import annotations

import pytest

import balance
from balance.analysis.tables import duel_table, measure_duel, measure_means
from balance.engine.runner import Ask, Asker, same_law_key
from balance.errors import RulesError
from balance.protocol.question import LoadedGame, Question

FIELD = ("nexus+shotgun", "trooper+laser_carbine", "aegis+smg_pistol")


@pytest.fixture(scope="module")
def warforged() -> LoadedGame:
    return balance.load("warforged")


def test_questions_are_answered_in_order(warforged: LoadedGame) -> None:
    asks = [Ask("attack", one, "trooper") for one in FIELD]
    found = Asker(warforged)(asks, measure_means)
    assert [row and row["damage"] for row in found] == [
        warforged.attack(a.one, a.other).law.mean("damage") for a in asks
    ]


def test_processes_change_no_number(warforged: LoadedGame) -> None:
    names = warforged.entrants[:12]
    with Asker(warforged, n_jobs=2) as asker:
        assert duel_table(asker, names).equals(duel_table(warforged, names))


def test_a_reading_that_cannot_matter_leaves_the_law_alone(warforged: LoadedGame) -> None:
    plain = warforged.duel("nexus+shotgun", "trooper+shotgun", first="a")
    idle = warforged.duel("nexus+shotgun", "trooper+shotgun", ["rules.shield_roll=every_attack"], first="a")
    assert same_law_key(plain) == same_law_key(idle)
    assert idle.p_win() == plain.p_win()


def test_a_reading_that_matters_does_not(warforged: LoadedGame) -> None:
    plain = warforged.duel("nexus+shotgun", "trooper+shotgun", first="a")
    other = warforged.duel("nexus+shotgun", "trooper+shotgun", ["rules.faces=0-9"], first="a")
    assert same_law_key(plain) != same_law_key(other)


def test_equal_laws_are_measured_once_and_simulations_each(warforged: LoadedGame) -> None:
    asked: list[Question] = []

    def count(question: Question) -> int:
        asked.append(question)
        return len(asked)

    asks = [Ask("duel", "nexus+shotgun", "trooper+shotgun", change, "a") for change in ((), ("rules.emp=cumulative",))]
    assert Asker(warforged)(asks, count) == [1, 1]
    assert Asker(warforged)(asks, count, share=False) == [2, 3]


def test_what_was_asked_before_is_not_measured_again(warforged: LoadedGame) -> None:
    calls: list[str] = []

    def measure(question: Question) -> float:
        calls.append(question.first)
        return question.p_win()["a"]

    asker, ask = Asker(warforged), Ask("duel", "nexus+shotgun", "trooper+shotgun", (), "a")
    assert asker([ask], measure) == asker([ask], measure)
    assert len(calls) == 1


def test_what_the_rules_forbid_is_skipped_only_if_asked_for(warforged: LoadedGame) -> None:
    asks = [Ask("duel", "bulwark+rail_lance", "trooper+shotgun", ("a.abilities=",), "a")]
    assert Asker(warforged)(asks, measure_duel, skip_illegal=True) == [None]
    with pytest.raises(RulesError):
        Asker(warforged)(asks, measure_duel)


def test_progress_is_told(warforged: LoadedGame) -> None:
    told: list[tuple[str, int, int]] = []
    asker = Asker(warforged, progress=lambda *words: told.append(words))
    asker([Ask("attack", "nexus+shotgun", "trooper")] * 300, measure_means, "attacks")
    assert told == [("attacks", 128, 300), ("attacks", 256, 300), ("attacks", 300, 300)]  # questions, as forecast


def test_being_asked_to_stop_ends_after_the_part_under_way() -> None:
    """The first Ctrl-C of a study only sets a flag; all stages must look at it, not those that simulate alone."""
    done: list[int] = []
    asker = Asker(balance.load("warforged"), progress=lambda _, n, __: done.append(n), halt=lambda: len(done) == 2)
    asks = [Ask("attack", "nexus+sidearm", "trooper")] * 10
    with pytest.raises(KeyboardInterrupt):
        asker(asks, lambda question: question.law.mean("damage"), share=False)
    assert done == [1, 2]
