"""What `luck` says of two sides: how much of a result is luck, from which dice, and how it comes about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from balance.analysis.luck.end_totals import EndTotals
from balance.analysis.luck.question import Luck
from balance.analysis.luck.sources import LuckSource
from balance.analysis.luck.texture import NUMBERS, Texture
from balance.answers.blocks.bars import bar
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, plain
from balance.answers.blocks.tables import Cell, grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.lists import highest, list_words
from balance.answers.words.questions.asked import everything_asked, how_played, how_played_shortly, what_was_asked
from balance.base.numbers import show_fixed, show_interval, show_many, show_number, show_probability
from balance.chance.swing import why_no_swing
from balance.chance.trials.estimate import Estimate
from balance.game.question.sentence import names_of

if TYPE_CHECKING:
    import polars as pl

LITTLE = 0.1
"""Below this share of the variance, a source of luck settles little by itself."""


def sentence(luck: Luck, terms: Terms) -> str:
    """Return the result on average, and which source of luck brings most of what differs from it."""
    name_a, name_b = names_of(luck.question).values()
    mean = f"{name_a} scores {_mean(luck)}" if luck.result == "score" else f"{luck.result} is {_mean(luck)}"
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


def short(luck: Luck, terms: Terms) -> Screen:
    """Return the sources of luck and how a fight develops, as far as there is room."""
    text = sentence(luck, terms)
    foot: list[Block] = [what_was_asked(luck.question, text), *how_played_shortly(luck.question)]
    return Screen.of(text, _parts(luck), terms.rests_on(_method(luck)), foot, luck.notes)


def full(luck: Luck, terms: Terms) -> Iterator[Block]:
    """Yield the sources of luck, how a fight develops, and what was asked."""
    side = luck.question.kind.sides[0]
    show = show_probability if luck.result == "score" else show_number
    mean = f"{side} scores {_mean(luck)}" if luck.result == "score" else f"Mean {luck.result} {_mean(luck)}"
    swing = why_no_swing() if luck.swing is None else show_fixed(luck.swing)
    yield plain(sentence(luck, terms), "strong", gap=True)
    yield Title(f"{terms.title}: luck in {luck.question.kind.name}", (_method(luck),))
    yield everything_asked(luck.question)
    yield plain(f"{mean}, standard deviation {show(luck.sd)}; swing (one over the other) {swing}.", gap=True)
    yield from _parts(luck)
    yield from how_played(luck.question)


def tables(luck: Luck) -> Mapping[str, Records | pl.DataFrame]:
    """Return the sources; where somebody wins, how a fight develops, and what is left at its end."""
    sources = {"sources": Records(LuckSource, luck.sources)}
    if luck.texture is None:
        return sources
    from balance.analysis.records import frame_of

    texture = frame_of(Estimate, {name: luck.texture.estimate(name) for name in NUMBERS}, "number")
    return {**sources, "texture": texture, "at_end": Records(EndTotals, luck.texture.at_end)}


WORDS = AnswerWords(sentence, short, full, tables)


def _method(luck: Luck) -> str:
    return f"simulated: {show_many(luck.n_games, 'game')}, seed {luck.seed}" if luck.n_games else "exact"


def _mean(luck: Luck) -> str:
    show = show_probability if luck.result == "score" else show_number
    error = "" if luck.mean.is_exact else f" ({show_interval(luck.mean.low, luck.mean.high, show)})"
    return f"{show(luck.mean.value)}{error}"


def _source_share(source: LuckSource) -> float:
    return source.when_rolled if source.when_rolled is not None else source.alone.value


def _parts(luck: Luck) -> Iterator[Block]:
    """Yield the sources of luck, how a fight develops, and why it is simulated."""
    if luck.sd != 0:
        yield from _sources(luck)
    if luck.texture is not None:
        yield from _texture(luck, luck.texture)
    if luck.why_simulated:
        yield plain(f"Simulated in part or whole: {luck.why_simulated}.", "aside", gap=True)


def _sources(luck: Luck) -> Iterator[Block]:
    """Yield the table of sources: the share of the variance each brings when it is rolled, where known, and alone."""
    has_roll_shares = any(source.when_rolled is not None for source in luck.sources)
    rows: list[list[Cell | str]] = []
    for source in luck.sources:
        share = max(_source_share(source), 0.0)
        first = [show_probability(share)] if has_roll_shares else []
        rows.append([source.name, *first, _share(source.alone), bar(min(share, 1.0))])
    rows.append(["several together", *([""] if has_roll_shares else []), _share(luck.together), ""])
    heads = ["source", *(["when rolled"] if has_roll_shares else []), "alone", ""]
    yield grid(heads, rows, right=("when rolled", "alone"), whole=("source",))
    if has_roll_shares:
        yield plain("When rolled: how much of what varies its rolls bring as they fall; these add up to 100%.", "aside")
    text = "Alone: how much is settled once all its dice of the game are known and no others; what no source settles "
    yield plain(f"{text}alone, several settle together.", "aside", gap=True)


def _share(share: Estimate) -> str:
    if share.is_exact:
        return show_probability(share.value)
    return f"{show_fixed(100 * share.value, 1)}% ± {show_fixed(100 * share.half_width, 1)}"


def _number(estimate: Estimate) -> str:
    if estimate.is_exact:
        return show_number(estimate.value)
    return f"{show_fixed(estimate.value)} ± {show_fixed(estimate.half_width)}"


def _texture(luck: Luck, goes: Texture) -> Iterator[Block]:
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
    yield grid(["how it goes", ""], rows, right=("",))
    if goes.at_end:
        ends = [(end.name, _number(end.winner), "" if end.loser is None else _number(end.loser)) for end in goes.at_end]
        yield grid(["at the end, on average", "winner", "loser"], ends, right=("winner", "loser"))
