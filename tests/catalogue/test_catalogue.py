"""The catalogue as a value: immutable, picklable, told apart by its content."""

from __future__ import annotations

import dataclasses
import pickle
import time

import pytest

from balance.base.errors import CatalogueError, RulesError
from balance.catalogue import Catalogue, Rules
from balance.catalogue.tables.sources import Moves


def rules_of(catalogue: Catalogue) -> Rules:
    assert isinstance(catalogue.rules, Rules)
    return catalogue.rules


def test_find_reads_ids_and_names(catalogue: Catalogue) -> None:
    assert catalogue.find("weapons", "Assault Rifle") is catalogue.tables["weapons"]["assault_rifle"]


def test_find_names_the_nearest_and_the_option(catalogue: Catalogue) -> None:
    with pytest.raises(CatalogueError) as error:
        catalogue.find("units", "whispr", "ATTACKER")
    (fault,) = error.value.faults
    assert (fault.path, fault.found, fault.tip) == ("ATTACKER", "whispr", "did you mean whisper?")


def test_it_crosses_process_borders_whole(catalogue: Catalogue) -> None:
    again = pickle.loads(pickle.dumps(catalogue))
    assert again == catalogue
    assert hash(again) == hash(catalogue)


def test_it_cannot_be_changed(catalogue: Catalogue) -> None:
    with pytest.raises(TypeError):
        catalogue.tables["units"]["nexus"] = None  # type: ignore[index]
    with pytest.raises(TypeError):
        catalogue.rule_options["faces"] = None  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        catalogue.game = "x"  # type: ignore[misc]


def test_another_reading_is_another_hash(catalogue: Catalogue) -> None:
    changed = dataclasses.replace(catalogue, rules=rules_of(catalogue).replace(faces="0-9"))
    assert changed.sha256 != catalogue.sha256
    assert changed != catalogue


def test_replace_refuses_unknown_rule_options_and_readings(catalogue: Catalogue) -> None:
    with pytest.raises(RulesError) as error:
        rules_of(catalogue).replace(face="0-9", armour="345le", friendly_fire=False)
    assert [fault.field for fault in error.value.faults] == ["face", "armour"]
    assert error.value.faults[0].tip == "did you mean faces?"


def test_the_shipped_readings_are_the_defaults(catalogue: Catalogue) -> None:
    values = rules_of(catalogue).model_dump()
    for name, switch in catalogue.rule_options.items():
        assert str(values[name]).lower() == switch.allowed[0].lower(), name


def test_every_value_has_a_source(catalogue: Catalogue) -> None:
    source = catalogue.source_of("weapons", "assault_rifle", "precision")
    assert source is not None
    assert (source.status, source.where) == ("stated", "rulebook l.174")
    assert catalogue.source_of("weapons", "assault_rifle", "id") is None


@pytest.mark.parametrize(("n_gone", "seconds"), [(4000, 1), pytest.param(20_000, 5, marks=pytest.mark.slow)])
def test_thousands_of_entries_that_are_gone_take_no_time(catalogue: Catalogue, n_gone: int, seconds: float) -> None:
    """20,000 units replaced by 200 others: 20 s when each that is gone was compared with every pair."""
    one = next(iter(catalogue.tables["units"].values()))
    old, new = ({"units": {f"{word}{i}": one for i in range(n)}} for word, n in (("old", n_gone), ("new", 200)))
    start = time.process_time()
    moves = Moves.between(catalogue.spec, old, new)
    assert len(moves.removed_entries) + len(moves.new_ids) == n_gone
    assert time.process_time() - start < seconds
