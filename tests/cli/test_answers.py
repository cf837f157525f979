"""What people read: the right words and numbers, at 80 columns, without colour, in plain ASCII too."""

from __future__ import annotations

import pytest

from balance.answers.words.questions.simulation import agreement_text
from balance.chance.pmf import Pmf
from tests.cli.conftest import Command

ATTACK = ("attack", "warforged", "nexus+assault_rifle", "whisper", "--more")
DUEL = ("duel", "warforged", "nexus+assault_rifle", "vanguard+laser_carbine", "--more")


@pytest.mark.parametrize("question", [ATTACK, DUEL, (*ATTACK, "--trials", "1000"), (*DUEL, "--trials", "1000")])
@pytest.mark.parametrize("columns", [80, 120])
def test_an_answer_fits_the_terminal(
    question: tuple[str, ...], columns: int, balance: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = balance(*question)
    assert done.status == 0
    assert max(map(len, done.out.splitlines())) <= columns
    assert "\x1b" not in done.out
    assert "…" not in done.out
    assert all(line == line.rstrip() for line in done.out.splitlines())


def test_an_attack_tells_what_was_asked_and_what_follows(balance: Command) -> None:
    out = balance(*ATTACK).out
    assert "Nexus + Assault Rifle, 38 war points" in out
    assert "every rule as by default" in out
    assert "Expected damage: 3.000 per action, 7.895 per 100 war points of the attacker." in out
    assert "Always 0: shield_lost, burn, emp, splash." in out
    assert "Actions until the defender falls: 1.92 on average" in out
    assert "Simulated" not in out


def test_readings_and_changes_are_told(balance: Command) -> None:
    out = balance(*ATTACK, "--set", "rules.faces=0-9", "--set", "attacker.unit.cost_points=86").out
    assert "faces = 0-9 (default 1-10, WF-Q1)" in out
    assert "attacker.unit.cost_points = 86" in out
    assert "Nexus + Assault Rifle, 100 war points" in out


def test_a_duel_tells_who_wins_and_what_going_first_is_worth(balance: Command) -> None:
    out = balance(*DUEL).out
    assert "a: Nexus + Assault Rifle      93.45%" in out
    assert "first-mover advantage" in out
    assert "gain, % points" in out
    assert "+7.86" in out
    assert "Rounds: 2.46 on average" in out


def test_a_long_story_is_told_where_it_happens(balance: Command) -> None:
    def numbers(*pair: str) -> list[str]:
        lines = balance("attack", "warforged", *pair, "--more").out.splitlines()
        return next(line.split()[1:] for line in lines if line.startswith("  actions ") and line.split()[1].isdigit())

    assert numbers("nexus+assault_rifle", "whisper") == list("12345678")
    assert numbers("trooper+sidearm", "aegis")[0] == "9"


def test_a_simulation_stands_beside_the_exact_distribution(balance: Command) -> None:
    out = balance(*DUEL, "--trials", "50000", "--seed", "3").out
    assert "50,000 trials, seed 3, every die rolled (literal)" in out
    assert "95% interval" in out
    assert "The simulation agrees" in " ".join(out.split())


def test_a_catalogue_of_ones_own_is_used_and_named(balance: Command, elsewhere: object) -> None:
    balance("export", "warforged", "cards.xlsx")
    balance("import", "warforged", "cards.xlsx")
    assert "catalogue  data/warforged (" in balance(*ATTACK).out


def test_a_name_in_markup_prints_as_it_is(balance: Command, elsewhere: object) -> None:
    from pathlib import Path

    balance("export", "warforged", "cards.xlsx")
    balance("import", "warforged", "cards.xlsx")
    units = Path("data/warforged/units.csv")
    units.write_text(units.read_text().replace("nexus,Nexus,", "nexus,[red]Nexus[/],"))
    assert "[red]Nexus[/] + Assault Rifle" in balance(*ATTACK).out
    assert "[red]Nexus[/]" in balance("show", "warforged", "nexus").out


def test_the_agreement_says_what_was_tested_and_which_column_disagrees() -> None:
    distribution = Pmf.of({(1, 5): 1, (1, 6): 1, (2, 5): 1, (2, 6): 1}, ("winner", "turns"))
    fair, loaded = (
        Pmf.of({(1, 5): n, (1, 6): n, (2, 5): 1000, (2, 6): 1000}, ("winner", "turns")) for n in (1000, 1500)
    )
    agrees, differs = (agreement_text(distribution.agreement(sample)) for sample in (fair, loaded))
    assert "all columns together, 3 degrees of freedom, and of each by itself" in agrees
    assert agrees.endswith("The simulation agrees with the exact distribution.")
    assert "do not agree in winner:" in differs
    assert "nothing to test" in agreement_text(
        distribution.agreement(Pmf.of({(1, 5): 1, (2, 6): 2}, ("winner", "turns")))
    )
