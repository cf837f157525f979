"""What `balance luck` says of two sides: how much of a result is luck, from which dice, and how it comes about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from balance.base.numbers import show_fixed, show_interval, show_many, show_number, show_probability
from balance.base.swing import why_no_swing
from balance.game.question.sentence import names_of
from balance.verbs.render.screens import rests_on, screen_of
from balance.verbs.render.terminal import bar, line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.luck.question import Luck
    from balance.analysis.luck.sources import LuckSource
    from balance.analysis.luck.texture import Texture
    from balance.chance.trials.estimate import Estimate

__all__ = ["as_json", "blocks"]

SCHEMA = 1


def blocks(found: Luck, more: bool, notes: tuple[str, ...] = ()) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    from balance.verbs.render.answers.screen import how_played_shortly
    from balance.verbs.render.answers.text import asked, asked_shortly, how_played

    question = found.question
    how = f"simulated: {show_many(found.n_games, 'game')}, seed {found.seed}" if found.n_games else "exact"
    if not more:
        foot = [asked_shortly(question, _sentence(found)), *how_played_shortly(question)]
        return screen_of(_sentence(found), _parts(found), rests_on(question.loaded, how), more, notes, foot)
    head = [title(f"{question.loaded.game.title}: luck in {question.kind.name}", how), asked(question)]
    parts = [*head, line(_result(found), after=1), *_parts(found)]
    return screen_of(_sentence(found), parts, "", more, foot=how_played(question))


def _parts(found: Luck) -> Iterator[RenderableType]:
    """Yield where the luck is, how it goes on its way, and why it is simulated."""
    if found.sd != 0:
        yield from _sources(found)
    if found.texture is not None:
        yield from _texture(found, found.texture)
    if found.why_simulated:
        yield line(f"Simulated in part or whole: {found.why_simulated}.", "dim", after=1)


def _sentence(found: Luck) -> str:
    """Return the result on average, and which source of luck brings most of what differs from it."""
    is_score = found.result == "score"
    show = show_probability if is_score else show_number
    one, other = names_of(found.question).values()
    mean = f"{one} scores {show(found.mean.value)}" if is_score else f"{found.result} is {show(found.mean.value)}"
    mean += "" if found.mean.is_exact else f" ({show_interval(found.mean.low, found.mean.high, show)})"
    told = f"{mean[:1].upper()}{mean[1:]} on average against {other}"
    if found.sd == 0 or not found.sources:
        return f"{told}; nothing to speak of varies: there is no luck in it."
    most = max(found.sources, key=_brought)
    return (
        f"{told}; most of the luck is in {most.name}: {show_probability(max(_brought(most), 0.0))} of all that varies."
    )


def _brought(source: LuckSource) -> float:
    return source.when_rolled if source.when_rolled is not None else source.alone.value


def _result(found: Luck) -> str:
    is_score = found.result == "score"
    one = found.question.kind.sides[0]
    show = show_probability if is_score else show_number
    mean = f"{one} scores {show(found.mean.value)}" if is_score else f"Mean {found.result} {show(found.mean.value)}"
    error = "" if found.mean.is_exact else f" ({show_interval(found.mean.low, found.mean.high, show)})"
    swing = why_no_swing() if found.swing is None else show_fixed(found.swing)
    return f"{mean}{error}, standard deviation {show(found.sd)}; swing (one over the other) {swing}."


def _sources(found: Luck) -> Iterator[RenderableType]:
    """Yield the table of sources: what each brings when it is rolled, where that is known, and settles alone."""
    rolled = any(source.when_rolled is not None for source in found.sources)
    rows: list[tuple[object, ...]] = []
    for source in found.sources:
        brought = _brought(source)
        first = (show_probability(max(brought, 0.0)),) if rolled else ()
        rows.append((source.name, *first, _share(source.alone), bar(min(max(brought, 0.0), 1.0))))
    rows.append(("several together", *(("",) if rolled else ()), _share(found.together), ""))
    heads = ["source", *(["when rolled"] if rolled else []), "alone", ""]
    yield table(heads, rows, right=("when rolled", "alone"), whole=("source",))
    if rolled:
        yield line("When rolled: how much of what varies its rolls bring as they fall; these add up to 100%.", "dim")
    told = "Alone: how much is settled once all its dice of the game are known and no others; what no source settles "
    yield line(f"{told}alone, several settle together.", "dim", after=1)


def _share(share: Estimate) -> str:
    if share.is_exact:
        return show_probability(share.value)
    return f"{show_fixed(100 * share.value, 1)}% ± {show_fixed(100 * share.half_width, 1)}"


def _number(one: Estimate) -> str:
    if one.is_exact:
        return show_number(one.value)
    return f"{show_fixed(one.value)} ± {show_fixed(one.half_width)}"


def _texture(found: Luck, goes: Texture) -> Iterator[RenderableType]:
    """Yield how it goes on its way, and what is there when it is over."""
    unit = found.question.kind.column("duration") or "rounds"
    half = goes.half_settled

    def told(name: str) -> str:
        one = goes.estimate(name)
        return show_fixed(one.value) if one.is_exact else _number(one)

    def share(name: str) -> str:
        return _share(goes.estimate(name))

    when = "" if half is None else f"{unit.removesuffix('s')} {half}" if half else "the start"
    rows = [
        ("half of the result is settled by", when),
        ("the winner stands at 90% for good after", f"{told('decided')} of {told('length')} {unit}"),
        ("the lead changes", f"{told('lead_changes')} times"),
        ("winners that were once at 25% or less", share("comebacks")),
        ("one-sided: winners never below 45%", share("one_sided")),
        (f"largest change of one {goes.largest_of}", share("largest").replace("%", "") + " points of chance"),
    ]
    yield table(["how it goes", ""], rows, right=("",))
    if goes.at_end:
        ends = [(end.name, _number(end.winner), "" if end.loser is None else _number(end.loser)) for end in goes.at_end]
        yield table(["at the end, on average", "winner", "loser"], ends, right=("winner", "loser"))


def as_json(found: Luck) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    from balance.verbs.render.answers.json import about, estimate_json

    question, catalogue = found.question, found.question.loaded.catalogue
    return {
        "schema": SCHEMA,
        "game": question.loaded.game.name,
        "verb": "luck",
        "inputs": question.inputs,
        **about(question),
        "result": found.result,
        "mean": estimate_json(found.mean),
        "sd": found.sd,
        "swing": found.swing,
        "shares": {
            source.name: {"alone": estimate_json(source.alone), "when_rolled": source.when_rolled}
            for source in found.sources
        },
        "together": estimate_json(found.together),
        "texture": None if found.texture is None else _texture_json(found.texture),
        "why_simulated": found.why_simulated or None,
        "n_games": found.n_games,
        "seed": found.seed,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _texture_json(goes: Texture) -> dict[str, Any]:
    from balance.analysis.luck.texture import NUMBERS
    from balance.verbs.render.answers.json import estimate_json, known_json

    return {
        **{name: getattr(goes, name) for name in NUMBERS},
        "settled": {str(when): share for when, share in goes.settled},
        "errors": dict(goes.errors),
        "n_trials": goes.n_trials,
        "largest_of": goes.largest_of,
        "at_end": {
            end.name: {"winner": estimate_json(end.winner), "loser": known_json(end.loser)} for end in goes.at_end
        },
    }
