"""What a rating says, in sentences. Names in them are as in the log."""

from __future__ import annotations

from math import ceil, copysign, exp, inf, log

from balance.base.errors import comma_list, first_of
from balance.base.numbers import show_count, show_fixed, show_interval, show_many, show_probability
from balance.playtests.model.answer import Cycle, FirstMover, Oddity, RateSettings, Rating, RatingAnswer
from balance.playtests.model.cautions import FEW_GAMES
from balance.playtests.source import LogSource

MOST_NAMED = 4
MOST_CHANGES = 3
FAR = 5
"""More games than so many times those that were played are no plan."""
LEAST_EDGE = 0.05
"""Log-odds by which players must be the stronger ones to be named as the reason."""
COLUMN_CONTENTS = {
    "session": "session",
    "starts": "who went first",
    "n": "games",
    "player": "player",
    "points": "points",
    "wins": "games won",
    "draws": "games drawn",
    "cost": "cost",
    "scenario": "scenario",
    "winner": "winner",
    "loser": "loser",
    "result": "result",
    "score": "score",
    "draw": "draw",
}
"""What a column holds -> the word for it."""
ORDER = ("overpowered", "underpowered", "fair")


def band_in_words(settings: RateSettings) -> str:
    """Return the band in whole or decimal per cent, for sentences.

    >>> band_in_words(RateSettings())
    '45% to 55%'
    """
    low, high = settings.band
    return f"{100 * low:g}% to {100 * high:g}%"


def signed(x: float) -> str:
    """Return a rating with two decimals and a sign, except for 0, so that a column lines up.

    >>> signed(0.5), signed(-0.001)
    ('+0.50', '0.00')
    """
    text = show_fixed(x, 2)
    return f"+{text}" if x > 0 and text.strip("0.") else text


def per_cent(chance: float) -> str:
    """Return a chance in whole per cent, without %; only certainty is shown as 0 or 100.

    >>> per_cent(0.523), per_cent(0.001), per_cent(0.999), per_cent(1.0)
    ('52', '<1', '>99', '100')
    """
    return show_probability(chance, 0).removesuffix("%")


def raw_text(answer: RatingAnswer) -> str:
    """Return a sentence on the entrant whose modelled chance differs most from its observed score, and why it does."""
    ratings = by_strength(answer)
    name = max(ratings, key=lambda name: round(abs(ratings[name].chance - ratings[name].score), 3))
    entrant, condition = ratings[name], "between equal players" if answer.knows_players else answer.chance_means
    scored = f"{per_cent(entrant.score)}% of {show_many(round(entrant.games), 'game')}"
    return f"{name} scored {scored}; {condition} {per_cent(entrant.chance)}%{_reason(entrant)}."


def _reason(entrant: Rating) -> str:
    """Return why model and observed score differ, as the end of a sentence: the skill of its players, or shrinkage."""
    edge, difference = entrant.skill_edge or 0.0, _log_odds(entrant.score) - _log_odds(entrant.chance)
    if abs(edge) >= LEAST_EDGE and edge * difference > 0 and abs(edge) >= abs(difference) / 2:
        return f", as its players were {'stronger' if edge > 0 else 'weaker'} than those they met"
    if entrant.games < FEW_GAMES:
        return ": scores of few games are drawn towards 50%"
    return "" if entrant.skill_edge is None else ", which allows for who played, whom it met and who went first"


def _log_odds(chance: float) -> float:
    """Return the log-odds of a chance, infinite where it is 0 or 1."""
    return log(chance / (1 - chance)) if 0 < chance < 1 else copysign(inf, chance - 0.5)


def reading(log: LogSource) -> tuple[str, ...]:
    """Return how a log was read, in sentences; a header stands with what it holds where it does not say that itself."""
    texts = []
    for role, header in log.columns.items():
        meaning = COLUMN_CONTENTS.get(role.split("_")[0], "")
        texts.append(f"{header} ({meaning})" if meaning and meaning not in header.casefold() else header)
    read = f"Read: {show_many(log.n_rows, 'row')}; columns {comma_list(texts)}."
    return (read, *log.assumptions, *log.notes)


def headline(answer: RatingAnswer) -> str:
    """Return a sentence with the overpowered, underpowered and fair entrants, and how many are not yet known."""
    ratings = by_strength(answer)
    names_by_verdict = {word: [name for name in ratings if ratings[name].verdict == word] for word in ORDER}
    parts = [f"{word}: {comma_list(first_of(names, MOST_NAMED))}" for word, names in names_by_verdict.items() if names]
    rest = [name for name in ratings if ratings[name].verdict not in ORDER]
    if not parts:
        return f"None of the {len(rest)} can be judged yet."
    if rest:
        parts.append(f"not yet known: {rest[0] if len(rest) == 1 else f'the other {len(rest)}'}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def beyond_ratings_text(answer: RatingAnswer) -> str:
    """Return a sentence on significant cycles and odd groups of games; empty where there are none."""
    cycles = [" over ".join((*cycle.names, cycle.names[0])) for cycle in answer.cycles if cycle.named]
    more = f" (and {show_many(len(cycles) - 1, 'other')})" if len(cycles) > 1 else ""
    parts = [f"a cycle, {cycles[0]}{more}"] if cycles else []
    parts += [f"{show_many(len(answer.oddities), 'odd group')} of games"] if answer.oddities else []
    return f"Ratings do not tell all: there is {' and '.join(parts)}." if parts else ""


def by_strength(answer: RatingAnswer) -> dict[str, Rating]:
    """Return the entrants, the strongest first."""
    return dict(sorted(answer.ratings.items(), key=lambda item: (-item[1].rating, item[0])))


def play_next(answer: RatingAnswer) -> str:
    """Return a sentence on whose games would settle the next verdict, against whom, and in about how many evenings."""
    undetermined = {name: entrant for name, entrant in answer.ratings.items() if entrant.verdict not in ORDER}
    attainable = {name: entrant.more_games for name, entrant in undetermined.items() if entrant.more_games is not None}
    if not undetermined:
        return "Every verdict is reached: what you change next is what to play next."
    if not attainable:
        return "More playtests like these would not settle the rest: change something, or widen the band."
    more, name = min((more, name) for name, more in attainable.items())
    played, evenings = answer.ratings[name].games, answer.log.n_sessions
    games_text = f"about {show_many(more, 'more game')}"
    if evenings > 1:
        games_text += f" ({show_many(ceil(more / (played / evenings)), 'session')} like these)"
    if more > FAR * played:
        near = f"No verdict is near: the next, on {name}, would take {games_text}."
        return f"{near} Change something, or widen the band."
    return f"Play {name} next{_against(answer, name)}: {games_text} should settle it, if the trend holds."


def _against(answer: RatingAnswer, name: str) -> str:
    """Return whom `name` should play, as a phrase: of those it met least the most even; "" for a single pair."""
    pairs = [pair for pair in answer.pairs if name in (pair.one, pair.other)]
    if len(pairs) < 2:
        return ""
    rarest = min(pairs, key=lambda pair: (pair.games, abs(pair.chance - 0.5), pair.one, pair.other))
    opponent = rarest.other if rarest.one == name else rarest.one
    meetings_text = (
        "whom it never met" if rarest.games == 0 else f"whom it met least ({show_many(int(rarest.games), 'game')})"
    )
    return f", first against {opponent}, {meetings_text}"


def more_games_text(entrant: Rating) -> str:
    """Return how many more games a verdict takes, ">10,000" at most; empty where there is one."""
    if entrant.verdict != "not yet known":
        return ""
    return show_count(entrant.more_games) if entrant.more_games is not None else ">10,000"


def first_mover_text(first_mover: FirstMover) -> str:
    """Return a sentence on the first-mover advantage, in percentage points with its interval and verdict."""
    if first_mover.verdict == "not measurable here":
        return "What going first is worth is not measurable here: no game says who went first."
    points = f"{_signed_points(first_mover.advantage)} percentage points"
    ends = show_interval(first_mover.advantage_low, first_mover.advantage_high, lambda x: show_fixed(x, 1))
    word = {
        "fair": "that is fair",
        "overpowered": "too much",
        "underpowered": "going second is too good",
        "not yet known": "not yet known whether that is fair",
    }
    games = show_many(round(first_mover.games), "game")
    return f"Between equal sides, going first adds {points} ({ends}, from {games}): {word[first_mover.verdict]}."


def _signed_points(points: float) -> str:
    text = show_fixed(points, 1)
    return f"+{text}" if points >= 0.05 else text


def draws_text(answer: RatingAnswer) -> str:
    """Return a sentence on the share of draws and the law that models them; empty without draws."""
    if not answer.draw_share:
        return ""
    law = {"davidson": "Davidson's (1970)", "rao_kupper": "Rao and Kupper's (1967)"}[answer.settings.draws]
    return f"{show_probability(answer.draw_share, 0)} of the games were drawn; draws come about as {law} model says."


def cycle_text(cycle: Cycle) -> str:
    """Return a sentence on who beats whom in a cycle, and by what chance on average, with its interval."""
    first, second, third = cycle.names
    size, low, high = (f"{per_cent(1 / (1 + exp(-x)))}%" for x in (cycle.size, cycle.low, cycle.high))
    games = show_many(round(cycle.games), "game")
    return (
        f"{first} over {second}, {second} over {third}, {third} over {first}: each beats the next in about {size} "
        f"({low} to {high}), where strength alone gives 50% round a circle; from {games}."
    )


def cycles_looked_at(answer: RatingAnswer) -> str:
    """Return how many cycles are significant, as a sentence; empty for fewer than three entrants."""
    if len(answer.ratings) < 3 or not answer.settings.cycles:
        return ""
    if n := sum(cycle.named for cycle in answer.cycles):
        return f"{show_many(n, 'cycle stands', 'cycles stand')} out, which no ratings can explain:"
    return "No three beat each other in a circle beyond what chance allows."


def oddities_looked_at(answer: RatingAnswer) -> str:
    """Return how many groups of games are odd, as a sentence; empty if they were not looked for."""
    if not answer.settings.oddities:
        return ""
    if n := len(answer.oddities):
        return f"{show_many(n, 'group of games lies', 'groups of games lie')} further out than chance allows:"
    return "No session, player, pair or scenario that the log tells of lies further out than chance allows."


def oddity_text(oddity: Oddity) -> str:
    """Return observed and expected points of an odd group of games, and which verdicts change without it."""
    seats = {"first": "who went first", "second": "who went second"}
    beneficiary = seats.get(oddity.whom, oddity.whom) if oddity.what == "seat" else oddity.whom
    score_text, expected = (_points_text(mean * oddity.games) for mean in (oddity.observed, oddity.expected))
    games, by_chance = show_count(round(oddity.games)), show_probability(oddity.p_value)
    score = f"{beneficiary} won {score_text} of {games}, {expected} were expected ({by_chance} by chance)"
    begin = f"{_group(oddity)}: {score}."
    if not oddity.changes:
        return f"{begin} Without these games not all could be compared."
    changes = [change for change in oddity.changes if change.verdict != change.verdict_without]
    if not changes:
        return f"{begin} Without these games every verdict stays."
    changes.sort(key=lambda change: (-abs(change.rating - change.rating_without), change.name))
    texts = [
        f"{change.name}: {change.verdict_without} (with them {change.verdict})" for change in changes[:MOST_CHANGES]
    ]
    more = f"; {len(changes) - MOST_CHANGES} more change" if len(changes) > MOST_CHANGES else ""
    return f"{begin} Without these games: {'; '.join(texts)}{more}."


def _points_text(points: float) -> str:
    return show_fixed(points, 1).removesuffix(".0")


def _group(oddity: Oddity) -> str:
    return oddity.name if oddity.kind == "pair" else f"{oddity.kind.capitalize()} {oddity.name}"


def method(answer: RatingAnswer) -> tuple[str, ...]:
    """Return how the ratings were worked out, in sentences: model, prior, level, verdicts."""
    settings = answer.settings
    kinds = [spread.kind for spread in answer.spread if spread.kind != "strengths"]
    effects = f" Random effects: {comma_list(kinds)}." if kinds else ""
    chance_text = (
        "Ratings are log-odds, mean 0. The chance beside an entrant is what it scores "
        f"{answer.chance_means}, either seat as likely."
    )
    prior = (
        "Strengths spread by a standard deviation that is estimated too, with a weak log-normal prior of scale "
        f"{settings.prior:g} log-odds; it pulls wild ratings of a few games towards the middle."
        if settings.prior is not None
        else "No prior: maximum likelihood."
    )
    level, fit = f"{100 * settings.level:g}%", answer.fit
    games = show_many(round(fit.n), "game")
    model = "Bradley and Terry's model" if answer.several is None else "Plackett and Luce's model"
    return (
        chance_text,
        f"{model}{' with a first mover' if answer.first_mover.games else ''}"
        f"{' and draws' if answer.draw_share else ''}.{effects}",
        prior,
        f"Each interval holds the truth with {level}; verdicts at the band {band_in_words(settings)} hold with "
        f"{level} for all at once.",
        f"Fit: deviance {fit.deviance:.1f} on {fit.df} degrees of freedom, {games}."
        if fit.deviance is not None
        else f"Goodness of fit: {fit.verdict}, as no match-up is left over to compare it with ({games}).",
    )


def caution_texts(answer: RatingAnswer) -> list[str]:
    """Return what to know before the ratings are believed, a sentence each."""
    return [f"{caution.text[:1].upper()}{caution.text[1:]}." for caution in answer.cautions]
