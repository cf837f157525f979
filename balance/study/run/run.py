"""Run a study: every question asked, every number of the report worked out, and one folder that holds it all.

The folder of a run holds `manifest.json` (what was asked, with which versions, and what came out in short) and
`tables/*.parquet`. Nothing in it depends on the time or the number of processes: the same inputs give the same bytes.
Only an approximate solution, which is learnt in floating point, may come out otherwise on another kind of processor; it
is told as an estimate. Reports are written from this folder alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from balance.analysis.changes.handicaps.even_field import EvenFieldQuestion, even_field
from balance.analysis.changes.handicaps.even_tables import even_field_tables
from balance.analysis.claims import checking, items
from balance.analysis.claims import rule_options as readings
from balance.analysis.claims.provenance import provenance_table
from balance.analysis.dominance.dominated_cards import dominated_card_table
from balance.analysis.dominance.twins import fighter_twins, unmeasured_entrants
from balance.analysis.dominance.undominated import dominance_table
from balance.analysis.scores import cards, shape, tables
from balance.analysis.scores.endings import ending_table
from balance.analysis.scores.ratings import Ratings, cyclic_share, fit_ratings
from balance.analysis.scores.scores import Scores, duel_matrix, first_mover_advantage, read_scores
from balance.base.errors import BalanceError, Fault, StudyError
from balance.engine.runner import Engine, Runner
from balance.engine.store import BlockStore, locked
from balance.game.loaded import LoadedGame
from balance.study.frames.army_prices import army_frames
from balance.study.frames.battles import battle_frames
from balance.study.frames.gaps import LeftOut, ReportPlan, plan_of
from balance.study.frames.luck import luck_frames
from balance.study.frames.neighbours import neighbour_frames
from balance.study.frames.report_settings import GameSettings, Sweep, load_settings
from balance.study.frames.report_tables import report_frames
from balance.study.frames.robustness import robustness_frames
from balance.study.frames.solutions import solution_frames
from balance.study.match_ups.match_ups import match_up_frames, play_study
from balance.study.match_ups.plan import BASE
from balance.study.run.folder import Run, begin_run, load_run, sweep_run, write_run
from balance.study.run.summary import summarise
from balance.study.scaling.frames import scaling_frames
from balance.study.settings.entrants import named_entrants
from balance.study.settings.patch import load_patch
from balance.study.settings.settings import Study

Frames = dict[str, pl.DataFrame]


def run_study(
    study: Study,
    out: Path | str,
    engine: Engine | None = None,
    note: Callable[[str], None] = lambda text: None,
    keep_answers: bool = False,
) -> Run:
    """Run a study and write its tables and manifest into `out`, whole or not at all.

    Whatever is finished is kept in the folder as it comes, so that the same call continues where an earlier one was
    interrupted or killed; an earlier run's files are replaced, others stay. Results do not depend on the engine. `note`
    gets a sentence at once for what the report will leave out and for what was already finished; `keep_answers` leaves
    the answers that a resume finds. Raises `BalanceError` if the study does not fit the catalogue, or the folder cannot
    be written or is in use, and `Halted` if the engine was asked to stop; what is finished is kept.
    """
    sides = sides_of(study)
    game = sides[BASE]
    names, settings = study.choose(game), load_settings(game, study.report_path)
    plan, left_out = plan_of(study, game), LeftOut(note)
    left_out.add(plan.gaps)
    with locked(Path(out)), Runner(game, engine, Path(out)) as runner:
        sweep_run(Path(out))
        begin_run(Path(out), study)
        asked = {study.settings.level, *(part.table.rung for part in plan.report.tables)}
        frames = {"entrants": cards.entrant_table(game, names), "provenance": provenance_table(game, asked)}
        if "match_ups" in study.metrics:
            BlockStore(Path(out)).sweep()
            frames |= match_up_frames(play_study(study, sides, runner))
        if "cards" in study.metrics:
            frames |= _attacks(runner, study, settings, names)
            frames |= _duels(runner, study, settings, names, frames)
        if study.judges_prices:
            faults: list[Fault] = []
            frames |= army_frames(study, runner, names, faults)
            left_out.add(faults)
        if study.fights:
            frames |= battle_frames(study, runner, names)
        frames |= luck_frames(study, runner) | neighbour_frames(study, runner)
        frames |= _even_field(runner, study, frames)
        if settings.endings and "duels" in frames:
            changes = study.changes(game.definition.name_about("winner"))
            frames["endings"] = ending_table(runner, names, settings.endings, changes)
        if "sections" in study.metrics:
            frames |= _report_tables(runner, study, plan, left_out)
        frames = {name: tables.round_floats(frame) for name, frame in frames.items()}
        summary = summarise(study, frames) | ({"left_out": left_out.texts} if left_out.texts else {})
        write_run(Path(out), study, game, settings, frames, summary)
        if not keep_answers:
            runner.clear()
    if runner.counts.n_kept:
        note(f"{runner.counts.n_kept:,} answers were found finished, {runner.counts.n_fresh:,} were worked out now")
    return load_run(out)


def _even_field(runner: Runner, study: Study, frames: Frames) -> Frames:
    """Return the tables of changes that would bring every score to one half; {} where the study does not ask."""
    settings, duels = study.settings.even_field, frames.get("duels")
    if settings is None or duels is None:
        return {}
    scores = read_scores(duels)
    groups: dict[int, list[str]] = {}
    for name, copy in zip(scores.names, scores.copies().tolist(), strict=True):
        groups.setdefault(copy, []).append(name)
    question = EvenFieldQuestion(
        tuple(map(tuple, groups.values())),
        tuple(settings.fields),
        runner.game.definition.name_about("winner"),
        settings.line,
        tuple(settings.units),
        settings.most_cost,
        study.changes,
        most_changes=settings.most_changes,
        undervalued=frozenset(named_entrants(runner.game, scores.names, settings.undervalued, [])),
    )
    return even_field_tables(even_field(runner, question, study.settings.seed))


def _report_tables(runner: Runner, study: Study, plan: ReportPlan, left_out: LeftOut) -> Frames:
    """Return the tables that `report.toml` asks for; what turns out not to be askable is noted in `left_out`."""
    faults, seed = list[Fault](), study.settings.seed
    frames = report_frames(runner, plan.report, seed)
    frames |= solution_frames(runner, plan.solutions, seed, study.changes, faults)
    frames |= robustness_frames(runner, plan.robustness, seed, study.changes, faults)
    frames |= scaling_frames(runner, plan.scaling, seed, study.changes, faults)
    left_out.add(faults)
    return frames


def sides_of(study: Study) -> dict[str, LoadedGame]:
    """Return the game with the catalogue of each side of a study: as it is, and with each of its patches.

    Raises `BalanceError` if a catalogue or patch is wrong, or two sides have one name.
    """
    base = study.open()
    patches = [load_patch(path) for path in study.patch_paths]
    names = [BASE, *(patch.name for patch in patches)]
    if duplicates := [str(patch.path) for patch in patches if names.count(patch.name) > 1]:
        tip = f"rename the file: a patch goes by its name, and the catalogue as it is by {BASE}"
        raise StudyError([Fault("has the name of another side of the study", path, tip=tip) for path in duplicates])
    return {BASE: base} | {patch.name: patch.apply(base) for patch in patches}


def _attacks(runner: Runner, study: Study, settings: GameSettings, names: tuple[str, ...]) -> Frames:
    """Return the tables of entrants and their attacks, with sweeps and kills where the game has them."""
    game, attack = runner.game, runner.game.definition.name_about("effect")
    frames, changes = {"entrants": cards.entrant_table(game, names)}, study.changes(attack)
    able_names = _able_to_attack(game, attack, names, changes)
    if not able_names:
        return frames
    frames["attacks"] = tables.attack_table(runner, able_names, changes=changes)
    gain = settings.gain if settings.gain in frames["attacks"].columns else frames["attacks"].columns[-1]
    frames["arms"] = shape.arm_table(frames["entrants"], frames["attacks"], gain)
    attackers = frames["arms"]["attacker"].to_list()
    for sweep in settings.sweeps:
        frames[f"sweep_{sweep.id}"] = _sweep(runner, sweep, attackers, changes)
    if game.definition.kind_about("duration") is not None:
        frames["kills"] = tables.kill_table(runner, attackers, changes=changes)
        curves = shape.choose_curves(frames["arms"], frames["kills"])
        frames["survival"] = tables.survival_table(runner, curves, changes)
    return frames


def _able_to_attack(game: LoadedGame, attack: str, names: tuple[str, ...], changes: tuple[str, ...]) -> list[str]:
    """Return the entrants that the game lets attack on their own; some, as with several weapons, it may not."""
    attackers = []
    for name in names:
        try:
            game.ask(attack, name, game.targets[0], list(changes))
        except BalanceError:
            continue
        attackers.append(name)
    return attackers


def _sweep(runner: Runner, sweep: Sweep, attackers: list[str], changes: tuple[str, ...]) -> pl.DataFrame:
    """Return a sweep against its target, or against the game's first one if this catalogue lacks it."""
    target = sweep.target if sweep.target in runner.game.targets else runner.game.targets[0]
    return tables.sweep_table(runner, sweep.path, sweep.values, attackers, target, (*changes, *sweep.changes))


def _duels(runner: Runner, study: Study, settings: GameSettings, names: tuple[str, ...], before: Frames) -> Frames:
    """Return the tables of duels and what follows from them; {} where the game has no duel."""
    game, study_settings = runner.game, study.settings
    duel, attack = (game.definition.name_about(role) for role in ("winner", "effect"))
    if not duel:
        return {}
    changes = study.changes(duel)
    duels = tables.duel_table(runner, names, changes, marks=True)
    scores = read_scores(duels)
    ladder = fit_ratings(scores.first, scores.weight, scores.share)
    panel = readings.choose_panel(names, scores.first)
    attackers = before["arms"]["attacker"].to_list() if "arms" in before else []
    shared: dict[str, Any] = {"changes": changes, "attack_changes": study.changes(attack), "gain": settings.gain}
    read = readings.compare_readings(runner, names, panel, attackers, **shared)
    item_frame = items.item_table(runner, items.find_items(game, names), panel, attackers, **shared, uses=settings.uses)
    pairs = checking.sample_pairs(names, study_settings.check.match_ups, study_settings.seed)
    return {
        **_field(game, duels, scores, study_settings.budget.imbalance),
        "groups": shape.group_matrix(before["entrants"], duels),
        "prices": before["entrants"].select(
            "entrant", "cost_points", strength=pl.Series(ladder.theta), score=pl.Series(scores.mean)
        ),
        "ladder": rating_frame(ladder, panel, scores),
        "panel": pl.DataFrame({"entrant": list(panel.names), "weight": panel.weights}),
        "readings": readings.reading_table(read, names, panel),
        "items": item_frame,
        "item_summary": items.item_summary(item_frame),
        "check": checking.check_duels(runner, pairs, study_settings.check.trials, study_settings.seed, changes),
    }


def _field(game: LoadedGame, duels: pl.DataFrame, scores: Scores, imbalance: float) -> Frames:
    """Return the tables that are counted from the duels without a model: matrix, first move, dominance, twins."""
    costs, twins = [float(game.cost_points(name)) for name in scores.names], fighter_twins(game, duels)
    withheld = unmeasured_entrants(game, twins, scores.names)
    return {
        "duels": duels.drop("mark"),
        "matrix": duel_matrix(scores),
        "first_mover": first_mover_advantage(scores),
        "dominance": dominance_table(scores, costs, imbalance, withheld),
        "dominated_cards": dominated_card_table(game, scores, costs, withheld),
        "twins": twins,
    }


def rating_frame(ladder: Ratings, panel: readings.Panel, scores: Scores) -> pl.DataFrame:
    """Return one row on the fit of the ratings, its misfit, and how well the panel stands for the field."""
    residual = np.abs(ladder.predict() - scores.first)
    values: dict[str, Any] = {
        "first_mover_logits": ladder.first_mover,
        "deviance": ladder.deviance,
        "explained": ladder.explained_share,
        "mean_misfit": float(residual.mean()),
        "largest_misfit": float(residual.max()),
        "panel_gap": readings.panel_gap(panel, scores.first),
        "cyclic_share": cyclic_share(scores.first),
    }
    return pl.DataFrame({name: [round(value, 10)] for name, value in values.items()})
