"""The page of a log of scores: what it can tell, entrants and units with their errors, and what it cannot tell."""

from __future__ import annotations

from collections.abc import Iterator

from balance.answers.blocks.document import Block, Callout, Document, Figure, Section
from balance.answers.blocks.lines import Bullets, Facts, Paragraph, plain
from balance.answers.blocks.text import literal
from balance.answers.form import Terms
from balance.answers.words.playtests import scores as words
from balance.answers.words.playtests.sentences import band_in_words, per_cent, reading, signed
from balance.base import __version__
from balance.base.numbers import show_interval, show_many
from balance.playtests.people.answer import ScoreAnswer
from balance.reporting.figures.figures import plot_intervals
from balance.reporting.page.report_files import draw_report
from balance.reporting.playtests.ratings import verdict_word, with_capitals

MOST_IN_FIGURE, MOST_IN_TABLE = 40, 400


def draw_scores(answer: ScoreAnswer, form: str) -> bytes:
    """Return the page of a log of scores as `html` or `pdf`; raises `UsageError` for any other form."""
    ((_, content),) = draw_report(scores_document(answer), [form])
    return content


def scores_document(answer: ScoreAnswer) -> Document:
    """Return the page of a log of scores; it holds no name of a player."""
    games = show_many(round(answer.log.n_games), "game")
    sections = {
        "In short": ("in-short", _in_short(answer)),
        "Units": ("units", _units(answer)),
        "Entrants": ("entrants", _entrants(answer)),
        "Forecasts": ("forecasts", _forecasts(answer)),
        "How it was worked out": ("method", _worked_out(answer)),
    }
    blocks = {title: (anchor, tuple(parts)) for title, (anchor, parts) in sections.items()}
    return Document(
        "What these games say",
        f"{answer.log.file}: {games} of {len(answer.ratings)}, band {band_in_words(answer.settings)}",
        tuple(Section(title, anchor, parts) for title, (anchor, parts) in blocks.items() if parts),
        (
            ("File", answer.log.file),
            ("SHA-256", answer.log.sha256[:16]),
            ("Games", games),
            ("Level", f"{100 * answer.settings.level:g}%"),
            ("Seed", str(answer.settings.seed)),
            ("Made with", f"balance {__version__}"),
        ),
    )


def _in_short(answer: ScoreAnswer) -> Iterator[Block]:
    texts = (words.sentence(answer, Terms()), words.lists_text(answer), words.by_text(answer))
    yield Callout("key", "What these games say", literal(" ".join(filter(None, texts))))
    yield _ratings_figure(answer)
    yield plain(" ".join(map(words.edge_text, answer.edges)))
    yield _sources_figure(answer)
    yield Callout("caution", "What may be claimed", literal(words.LIMITS))


def _ratings_figure(answer: ScoreAnswer) -> Figure:
    rated = dict([*words.by_points(answer).items()][:MOST_IN_FIGURE])
    low, high = (100 * end for end in answer.settings.band)
    picture = plot_intervals(
        [*rated],
        [100 * rating.chance for rating in rated.values()],
        [100 * rating.sure_low for rating in rated.values()],
        [100 * rating.sure_high for rating in rated.values()],
        "chance between equal players, in per cent",
        reference=50.0,
        band=(low, high),
        verdicts=[verdict_word(rating.verdict) for rating in rated.values()],
    )
    ends = "; ".join(
        f"{name} {per_cent(rating.chance)}% ({show_interval(rating.sure_low, rating.sure_high, per_cent)})"
        for name, rating in rated.items()
    )
    return Figure(
        picture,
        f"Chance between equal players: {ends}.",
        f"Chance between equal players, with intervals that hold for all at once; from {low:g}% to {high:g}% is fair.",
    )


def _sources_figure(answer: ScoreAnswer) -> Figure:
    columns = ((source.kind, *(100 * x for x in (source.share, source.low, source.high))) for source in answer.sources)
    kinds, shares, lows, highs = zip(*columns, strict=True)
    picture = plot_intervals(kinds, shares, lows, highs, "share of the variance of the scores, in per cent")
    text = "; ".join(f"{kind} {share:.1f}%" for kind, share in zip(kinds, shares, strict=True))
    return Figure(picture, f"Where the scores come from: {text}.", "Where the scores come from.")


def _units(answer: ScoreAnswer) -> Iterator[Block]:
    if answer.lists is None or not answer.lists.units:
        return
    shown = words.strongest_units(answer)[:MOST_IN_FIGURE]
    names = [unit.unit for unit in shown]
    ends = [unit.low for unit in shown], [unit.high for unit in shown]
    x_label = f"{answer.unit} per {words.measure(answer)}"
    picture = plot_intervals(names, [unit.effect for unit in shown], *ends, x_label, reference=0.0)
    text = "; ".join(f"{unit.unit} {signed(unit.effect)}" for unit in shown)
    yield Figure(
        picture, f"Units: {text}.", "Pooled effects of the units furthest from 0; the intervals are for the set."
    )
    yield with_capitals(words.units(answer, MOST_IN_TABLE, "Every unit"))


def _entrants(answer: ScoreAnswer) -> Iterator[Block]:
    yield with_capitals(words.ratings(answer, MOST_IN_TABLE, "Every entrant, the strongest first"))
    if answer.by:
        yield with_capitals(words.by(answer, MOST_IN_TABLE, f"Entrants by {answer.by[0].label}"))


def _forecasts(answer: ScoreAnswer) -> Iterator[Block]:
    if answer.forecasts:
        yield with_capitals(words.forecasts(answer))
    if answer.levels:
        yield with_capitals(words.levels(answer))
    yield with_capitals(words.sources(answer))


def _worked_out(answer: ScoreAnswer) -> Iterator[Block]:
    yield Paragraph("What was read:")
    yield Bullets(tuple(map(literal, reading(answer.log))))
    yield Paragraph("What was done with it:")
    yield Bullets(tuple(map(literal, (*words.METHOD, *(caution.text for caution in answer.cautions)))))
    yield Facts((("SHA-256 of the file", answer.log.sha256),))
