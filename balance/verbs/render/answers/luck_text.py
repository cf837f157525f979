"""What `balance luck` says of two sides: how much of a result is luck, from which dice, and how it comes about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from balance.answers.media.screens import rests_on, screen_of
from balance.answers.media.terminal import bar, line, table, title
from balance.answers.words.lists import highest, list_words
from balance.base.numbers import show_fixed, show_interval, show_many, show_number, show_probability
from balance.chance.swing import why_no_swing
from balance.game.question.sentence import names_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.luck.question import Luck
    from balance.analysis.luck.sources import LuckSource
    from balance.analysis.luck.texture import Texture
    from balance.answers.documents import sources
    from balance.chance.trials.estimate import Estimate

SCHEMA: Final = 1
LITTLE = 0.1
"""Below this share of the variance, a source of luck settles little by itself."""


def blocks(luck: Luck, more: bool, notes: tuple[str, ...] = ()) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen with room for `notes` below it."""
    from balance.verbs.render.answers.screen import how_played_shortly
    from balance.verbs.render.answers.text import how_played, question_table, short_question_table

    question = luck.question
    method = f"simulated: {show_many(luck.n_games, 'game')}, seed {luck.seed}" if luck.n_games else "exact"
    if not more:
        foot = [short_question_table(question, sentence(luck)), *how_played_shortly(question)]
        return screen_of(sentence(luck), _parts(luck), rests_on(question.game, method), more, notes, foot)
    head = [title(f"{question.game.definition.title}: luck in {question.kind.name}", method), question_table(question)]
    parts = [*head, line(_result(luck), after=1), *_parts(luck)]
    return screen_of(sentence(luck), parts, "", more, foot=how_played(question))


def _parts(luck: Luck) -> Iterator[RenderableType]:
    """Yield the sources of luck, how a fight develops, and why it is simulated."""
    if luck.sd != 0:
        yield from _sources(luck)
    if luck.texture is not None:
        yield from _texture(luck, luck.texture)
    if luck.why_simulated:
        yield line(f"Simulated in part or whole: {luck.why_simulated}.", "dim", after=1)


def sentence(luck: Luck) -> str:
    """Return the result on average, and which source of luck brings most of what differs from it."""
    is_score = luck.result == "score"
    show = show_probability if is_score else show_number
    name_a, name_b = names_of(luck.question).values()
    mean = f"{name_a} scores {show(luck.mean.value)}" if is_score else f"{luck.result} is {show(luck.mean.value)}"
    mean += "" if luck.mean.is_exact else f" ({show_interval(luck.mean.low, luck.mean.high, show)})"
    text = f"{mean[:1].upper()}{mean[1:]} on average against {name_b}"
    if luck.sd == 0 or not luck.sources:
        return f"{text}; nothing to speak of varies: there is no luck in it."
    largest = highest(luck.sources, lambda source: max(_source_share(source), 0.0), show_probability)
    share = max(_source_share(largest.rows[0]), 0.0)
    names = list_words([source.name for source in largest.rows])
    share_text = f"{names}: {largest.text} of all that varies{' each' * (len(largest.rows) > 1)}"
    if share < LITTLE:
        return f"{text}; no source of luck settles much alone, the largest is {share_text}."
    return f"{text}; {'most' if share > 0.5 else 'the largest part'} of the luck is in {share_text}."


def _source_share(source: LuckSource) -> float:
    return source.when_rolled if source.when_rolled is not None else source.alone.value


def _result(luck: Luck) -> str:
    is_score = luck.result == "score"
    side = luck.question.kind.sides[0]
    show = show_probability if is_score else show_number
    mean = f"{side} scores {show(luck.mean.value)}" if is_score else f"Mean {luck.result} {show(luck.mean.value)}"
    error = "" if luck.mean.is_exact else f" ({show_interval(luck.mean.low, luck.mean.high, show)})"
    swing = why_no_swing() if luck.swing is None else show_fixed(luck.swing)
    return f"{mean}{error}, standard deviation {show(luck.sd)}; swing (one over the other) {swing}."


def _sources(luck: Luck) -> Iterator[RenderableType]:
    """Yield the table of sources: the share of the variance each brings when it is rolled, where known, and alone."""
    has_roll_shares = any(source.when_rolled is not None for source in luck.sources)
    rows: list[tuple[object, ...]] = []
    for source in luck.sources:
        share = _source_share(source)
        first = (show_probability(max(share, 0.0)),) if has_roll_shares else ()
        rows.append((source.name, *first, _share(source.alone), bar(min(max(share, 0.0), 1.0))))
    rows.append(("several together", *(("",) if has_roll_shares else ()), _share(luck.together), ""))
    heads = ["source", *(["when rolled"] if has_roll_shares else []), "alone", ""]
    yield table(heads, rows, right=("when rolled", "alone"), whole=("source",))
    if has_roll_shares:
        yield line("When rolled: how much of what varies its rolls bring as they fall; these add up to 100%.", "dim")
    text = "Alone: how much is settled once all its dice of the game are known and no others; what no source settles "
    yield line(f"{text}alone, several settle together.", "dim", after=1)


def _share(share: Estimate) -> str:
    if share.is_exact:
        return show_probability(share.value)
    return f"{show_fixed(100 * share.value, 1)}% ± {show_fixed(100 * share.half_width, 1)}"


def _number(estimate: Estimate) -> str:
    if estimate.is_exact:
        return show_number(estimate.value)
    return f"{show_fixed(estimate.value)} ± {show_fixed(estimate.half_width)}"


def _texture(luck: Luck, goes: Texture) -> Iterator[RenderableType]:
    """Yield how a fight develops (changes of the lead, comebacks, when it is decided), and what is left at its end."""
    unit = luck.question.kind.column("duration") or "rounds"
    half = goes.half_settled

    def amount(name: str) -> str:
        estimate = goes.estimate(name)
        return show_fixed(estimate.value) if estimate.is_exact else _number(estimate)

    def share(name: str) -> str:
        return _share(goes.estimate(name))

    half_time = "" if half is None else f"{unit.removesuffix('s')} {half}" if half else "the start"
    rows = [
        ("half of the result is settled by", half_time),
        ("the winner stands at 90% for good after", f"{amount('decided')} of {amount('length')} {unit}"),
        ("the lead changes", f"{amount('lead_changes')} times"),
        ("winners that were once at 25% or less", share("comebacks")),
        ("one-sided: winners never below 45%", share("one_sided")),
        (f"largest change of one {goes.largest_of}", share("largest").replace("%", "") + " percentage points"),
    ]
    yield table(["how it goes", ""], rows, right=("",))
    if goes.at_end:
        ends = [(end.name, _number(end.winner), "" if end.loser is None else _number(end.loser)) for end in goes.at_end]
        yield table(["at the end, on average", "winner", "loser"], ends, right=("winner", "loser"))


def as_json(luck: Luck) -> sources.Luck:
    """Return the object that --json prints, the same bytes for the same question."""
    from balance.verbs.render.answers.json import about, estimate_json

    question, catalogue = luck.question, luck.question.game.catalogue
    return {
        "schema": SCHEMA,
        "game": question.game.definition.name,
        "verb": "luck",
        **about(question),
        "result": luck.result,
        "mean": estimate_json(luck.mean),
        "sd": luck.sd,
        "swing": luck.swing,
        "shares": {
            source.name: {"alone": estimate_json(source.alone), "when_rolled": source.when_rolled}
            for source in luck.sources
        },
        "together": estimate_json(luck.together),
        "texture": None if luck.texture is None else _texture_json(luck.texture),
        "why_simulated": luck.why_simulated or None,
        "n_games": luck.n_games,
        "seed": luck.seed,
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _texture_json(goes: Texture) -> sources.Texture:
    from balance.verbs.render.answers.json import estimate_json, known_json

    return {
        "lead_changes": goes.lead_changes,
        "comebacks": goes.comebacks,
        "one_sided": goes.one_sided,
        "decided": goes.decided,
        "length": goes.length,
        "largest": goes.largest,
        "settled": {str(moment): share for moment, share in goes.settled_shares},
        "errors": dict(goes.errors),
        "n_trials": goes.n_trials,
        "largest_of": goes.largest_of,
        "at_end": {
            end.name: {"winner": estimate_json(end.winner), "loser": known_json(end.loser)} for end in goes.at_end
        },
    }
