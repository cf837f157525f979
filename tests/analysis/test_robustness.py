"""How far a conclusion stands: planted in a game of coins, where all of it follows in closed form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.analysis.claims.assumptions import Place
from balance.analysis.claims.conclusion import Bench, Claim, Outcome
from balance.analysis.claims.robustness import Move, Robustness, _by_width, _towards, robustness
from balance.analysis.scores.measures import Measure
from balance.chance.trials.estimate import Estimate
from balance.engine.query import Query
from balance.engine.runner import Runner
from tests.analysis.coins import STATED, written

TOSS = Query("toss", "ann", "bob")
HITS = {f"a_{at}": at <= 5 for at in range(1, 7)} | {f"b_{at}": at <= 2 for at in range(1, 7)}
"""Whether each face hits as planted: 5 of a, 2 of b, so that a scores 9/12 and each face turned is worth 1/12."""


def shown(found: Robustness) -> list[Any]:
    """Return all that was found, as plain values that do not hang on the last digits."""
    drawn = found.region
    fewest = found.smallest_flip
    return [
        [(span.place.path, round(span.width, 9), [round(end.value, 9) for end in span.ends]) for span in found.spans],
        list(found.without_effect),
        list(found.fixed),
        fewest and ([(move.path, move.new) for move in fewest.moves], fewest.does_flip, fewest.outcome.verdict),
        drawn and [[cell and round(cell.value.value, 9) for cell in row] for row in drawn.cells],
    ]


def test_each_face_is_worth_what_it_is_in_closed_form(tmp_path: Path) -> None:
    found = robustness(Runner(written(tmp_path)), TOSS)
    assert found.bench.base.value.is_exact
    assert found.bench.base.value.value == pytest.approx(9 / 12)
    assert found.bench.base.verdict == "above"
    assert [span.place.entry for span in found.spans] == sorted(HITS)
    for span in found.spans:
        helps = HITS[span.place.entry] == (span.place.entry[0] == "b")
        low, high = (end.value for end in span.ends)
        assert (low, high) == pytest.approx((9 / 12, 10 / 12) if helps else (8 / 12, 9 / 12))
        assert span.width == pytest.approx(1 / 12)
        assert (span.low is None, span.high is None) == (helps, not helps)
        assert span.flips == ()


def test_what_no_move_shows_is_not_measurable_and_what_is_refused_is_told_apart(tmp_path: Path) -> None:
    found = robustness(Runner(written(tmp_path)), TOSS)
    fields = ("cost_points", "lucky", "purse")
    players = [f"players.{name}.{field}" for name in ("ann", "bob") for field in fields]
    assert list(found.without_effect) == ["faces.box_1.results", "faces.box_2.results", *players]
    assert list(found.fixed) == ["players.ann.kin", "players.bob.kin"]


@pytest.mark.parametrize(
    ("claim", "n", "verdict"),
    [
        (None, 3, "tied"),
        (Claim("at_least", 0.7), 1, "fails"),
        (Claim("at_least", 9 / 12), 1, "fails"),
        (Claim("at_least", 0.6), 2, "fails"),
        (Claim("at_least", 0.5), 4, "fails"),
        (Claim("at_most", 0.76), 1, "fails"),
        (Claim("at_most", 10.5 / 12), 2, "fails"),
        (Claim("at_least", 0.8), 1, "holds"),
        (Claim("at_most", 0.5), 3, "holds"),
        (Claim("side", 11 / 12), 2, "tied"),
    ],
)
def test_the_fewest_moves_are_the_gap_in_steps(tmp_path: Path, claim: Claim | None, n: int, verdict: str) -> None:
    fewest = robustness(Runner(written(tmp_path)), TOSS, claim=claim).smallest_flip
    assert fewest is not None
    assert (fewest.does_flip, len(fewest.moves), fewest.outcome.verdict) == (True, n, verdict)
    assert len({move.path for move in fewest.moves}) == n
    down = 1 if claim is None or ((verdict == "fails") == (claim.kind == "at_least") and claim.kind != "side") else -1
    assert fewest.outcome.value.value == pytest.approx((9 - down * n) / 12)


def test_within_too_few_moves_none_is_found_and_the_nearest_is_told(tmp_path: Path) -> None:
    fewest = robustness(Runner(written(tmp_path)), TOSS, max_moves=2).smallest_flip
    assert fewest is not None
    assert (fewest.does_flip, len(fewest.moves), fewest.outcome.verdict) == (False, 2, "above")
    assert fewest.outcome.value.value == pytest.approx(7 / 12)


def test_where_no_move_helps_nothing_is_nearer(tmp_path: Path) -> None:
    """a always hits, and b never does: no move can bring its score beyond 1."""
    game = written(tmp_path, ["HIT"] * 6, ["MIS"] * 6)
    fewest = robustness(Runner(game), TOSS, claim=Claim("at_most", 1.0)).smallest_flip
    assert fewest is not None
    assert (fewest.does_flip, fewest.moves, fewest.outcome.value.value) == (False, (), 1.0)


def test_a_fair_toss_is_tied_and_any_one_move_unties_it(tmp_path: Path) -> None:
    found = robustness(Runner(written(tmp_path, ["HIT"] * 3 + ["MIS"] * 3, ["MIS"] * 3 + ["HIT"] * 3)), TOSS)
    assert (found.bench.base.value.value, found.bench.base.verdict) == (0.5, "tied")
    assert found.smallest_flip is not None
    assert (found.smallest_flip.does_flip, len(found.smallest_flip.moves)) == (True, 1)
    assert all(len(span.flips) == 1 for span in found.spans)


def test_a_conclusion_may_rest_on_a_reading_and_on_what_a_side_brings(tmp_path: Path) -> None:
    found = robustness(Runner(written(tmp_path, stated=STATED[1:3])), TOSS)
    widest = {span.place.path: [end.value for end in span.ends] for span in found.spans[:2]}
    p, q = 5 / 6, 2 / 6
    sure = p + (1 - p) * (1 - q) + (1 - p) * q / 2  # 1 or 2 hits against 0 or 1
    ties = 9 / 12 + (p * q + (1 - p) * (1 - q)) / 2
    assert widest == {
        "players.ann.more": pytest.approx([9 / 12, sure]),
        "rules.ties": pytest.approx([9 / 12, ties]),
    }


def test_nothing_stated_is_ever_moved(tmp_path: Path) -> None:
    free = ("a_1", "b_3", "b_4")
    faces = [f"faces,{name},results" for name in HITS if name not in free]
    found = robustness(Runner(written(tmp_path, stated=(*STATED, *faces))), TOSS)
    touched = {path for key in found.bench.outcomes for path, _ in key}
    movable = {f"faces.{name}.results" for name in free}
    assert touched & {f"faces.{name}.results" for name in HITS} == movable
    assert found.smallest_flip is not None
    assert {move.path for move in found.smallest_flip.moves} == movable
    assert found.smallest_flip.does_flip


def test_the_order_of_rows_changes_nothing(tmp_path: Path) -> None:
    one, other = (robustness(Runner(written(tmp_path / f"{order}", order=order)), TOSS) for order in (1, -1))
    assert list(one.bench.game.catalogue.tables["faces"]) != list(other.bench.game.catalogue.tables["faces"])
    assert shown(one) == shown(other)


def test_what_is_asked_is_what_moves(tmp_path: Path) -> None:
    """With b's die set aside by a certain hit, its faces still count; a mean has no side, so nothing is concluded."""
    query = Query("toss", "ann", "bob", ("a.more=1",))
    found = robustness(Runner(written(tmp_path)), query, Measure(mean="hits"))
    assert found.bench.base.value.value == pytest.approx(5 / 6 + 1)
    assert (found.bench.base.verdict, found.smallest_flip) == ("", None)
    widths = {span.place.entry: span.width for span in found.spans}
    assert widths == {name: pytest.approx(1 / 6) if name[0] == "a" else 0.0 for name in HITS}
    assert [span.place.entry[0] for span in found.spans] == ["a"] * 6 + ["b"] * 6


def test_where_there_is_no_exact_distribution_all_are_simulated_with_the_same_dice(tmp_path: Path) -> None:
    query = Query("series", "ann", "bob")
    found = robustness(Runner(written(tmp_path)), query, trials=4096, seed=3)
    exact = robustness(Runner(written(tmp_path)), TOSS)
    assert list(found.without_effect) == list(exact.without_effect)
    assert found.bench.base.value.n_trials == 4096
    for span, sure in zip(sorted(found.spans, key=path), sorted(exact.spans, key=path), strict=True):
        for one, other in zip(span.ends, sure.ends, strict=True):
            assert abs(one.value - other.value) < 4 * 0.5 / 4096**0.5
    assert found.smallest_flip is not None
    assert (found.smallest_flip.does_flip, found.smallest_flip.outcome.verdict) == (
        True,
        "below",
    )  # a tie is never certain
    assert len(found.smallest_flip.moves) == 4
    again = robustness(Runner(written(tmp_path)), query, trials=4096, seed=3)
    assert shown(again) == shown(found) != shown(robustness(Runner(written(tmp_path)), query, trials=4096, seed=4))


def path(span: Any) -> str:
    return str(span.place.path)


def test_what_is_not_known_of_few_trials_flips_nothing(tmp_path: Path) -> None:
    found = robustness(
        Runner(written(tmp_path)), Query("series", "ann", "bob"), claim=Claim("at_least", 0.75), trials=256
    )
    assert (found.bench.base.verdict, found.smallest_flip) == ("not yet known", None)
    assert all(span.flips == () for span in found.spans)


# -- the search by itself, on a bench that knows all answers ----------------------------------------------------------


def place(name: str) -> Place:
    return Place("cards", name, "n", "0", ("1",))


def known(values: Mapping[str, float], tmp_path: Path, limit: float) -> tuple[Bench, list[list[Move]]]:
    """Return a bench on which each set of moves, named by its letters, brings the number to a value; others refused."""
    claim = Claim("at_most", limit)
    found = {name: Outcome(Estimate.exact(x), x, claim.of(Estimate.exact(x))) for name, x in values.items()}
    bench = Bench(written(tmp_path), TOSS, Measure(mean="hits"), claim)
    bench.__dict__["base"] = found[""]
    letters = sorted({letter for name in values for letter in name})
    for mask in range(2 ** len(letters)):
        name = "".join(letter for at, letter in enumerate(letters) if mask >> at & 1)
        bench.outcomes[frozenset((place(letter).path, "1") for letter in name)] = found.get(name)
    return bench, [[Move(place(letter).path, "0", "1", found[letter])] for letter in letters if letter in found]


def made(values: Mapping[str, float], tmp_path: Path, limit: float, most: int = 4) -> tuple[str, bool]:
    flip = _towards(*known(values, tmp_path, limit), 1, most)
    return "".join(move.path.split(".")[1] for move in flip.moves), flip.does_flip


def test_moves_that_do_more_together_are_taken_together(tmp_path: Path) -> None:
    """c by itself does least, beside a most."""
    assert made({"": 0, "a": 3, "b": 2, "c": 1, "ab": 4, "ac": 9, "bc": 3}, tmp_path, 8) == ("ac", True)


def test_a_move_that_later_ones_make_needless_is_left_out(tmp_path: Path) -> None:
    values = {"": 0, "a": 3, "b": 2, "c": 2, "ab": 4, "ac": 4, "bc": 8, "abc": 9}
    assert made(values, tmp_path, 7) == ("bc", True)
    assert made(values, tmp_path, 8.5) == ("abc", True)


def test_moves_that_together_are_refused_or_do_less_are_not_made(tmp_path: Path) -> None:
    assert made({"": 0, "a": 3, "b": 2}, tmp_path, 5) == ("a", False)
    assert made({"": 0, "a": 3, "b": 2, "ab": 1}, tmp_path, 5) == ("a", False)
    assert made({"": 0, "a": -3}, tmp_path, 5) == ("", False)
    assert made({"": 0, "a": 1, "b": 1, "ab": 2}, tmp_path, 1.5, most=1) == ("a", False)


def test_equally_wide_values_stand_by_path(tmp_path: Path) -> None:
    spans = robustness(Runner(written(tmp_path)), TOSS).spans
    assert [_by_width(span) for span in spans] == sorted(_by_width(span) for span in spans)
    assert np.ptp([span.width for span in spans]) < 1e-12
