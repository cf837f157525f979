"""What a rating says, in sentences: the same in the terminal and on the page. Names in them are as in the log."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, copysign, exp, inf, log

from balance.base.errors import first_of, listed
from balance.base.numbers import show_count, show_fixed, show_interval, show_many, show_probability
from balance.playtests.games import Games
from balance.playtests.log.log import Log
from balance.playtests.model.answer import Cycle, FirstMover, Oddity, Rated, RateSettings, Rating
from balance.playtests.model.cautions import FEW_GAMES

__all__ = [
    "also_said",
    "band_in_words",
    "by_strength",
    "cautions_said",
    "chance_means",
    "columns_said",
    "cycle_said",
    "cycles_looked_at",
    "draws_said",
    "first_mover_said",
    "headline",
    "method",
    "more_said",
    "oddities_looked_at",
    "oddity_said",
    "per_cent",
    "play_next",
    "raw_and_model",
    "raw_said",
    "signed",
]

MOST_NAMED = 4
MOST_CHANGES = 3
FAR = 5
"""More games than so many times those that were played are no plan."""
LEAST_EDGE = 0.05
"""Log-odds by which players must be the stronger ones to be named as the reason."""
HELD = {
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
    """Return the band as people say it.

    >>> band_in_words(RateSettings())
    '45% to 55%'
    """
    low, high = settings.band
    return f"{100 * low:g}% to {100 * high:g}%"


def signed(x: float) -> str:
    """Return a rating with its sign and two decimals, so that a column lines up.

    >>> signed(0.5), signed(-0.001)
    ('+0.50', '0.00')
    """
    text = show_fixed(x, 2)
    return f"+{text}" if x > 0 and text.strip("0.") else text


def per_cent(chance: float) -> str:
    """Return a chance in whole per cent without the sign, for a column; one that is not certain never looks so.

    >>> per_cent(0.523), per_cent(0.001), per_cent(0.999), per_cent(1.0)
    ('52', '<1', '>99', '100')
    """
    return show_probability(chance, 0).removesuffix("%")


def chance_means(rated: Rated) -> str:
    """Return what the chance beside an entrant's own score means.

    >>> from types import SimpleNamespace
    >>> chance_means(SimpleNamespace(knows_players=True, ratings=(1, 2, 3)))
    'between equal players, against all others equally often'
    """
    equal = ["between equal players"] if rated.knows_players else []
    if len(rated.ratings) > 2:
        return ", ".join([*equal, "against all others equally often"])
    return equal[0] if equal else "going first as often as second"


def raw_and_model(one: Rating, rated: Rated) -> str:
    """Return what an entrant scored in its games, beside what the model says it would score."""
    how = "between equal players" if rated.knows_players else chance_means(rated)
    games = show_many(round(one.games), "game")
    return f"{per_cent(one.score)}% of {games}; {how} {per_cent(one.chance)}%"


def raw_said(rated: Rated) -> str:
    """Return of whom the model says most else than its own score, both numbers, and why they differ."""
    one = max(by_strength(rated), key=lambda each: round(abs(each.chance - each.score), 3))
    return f"{one.name} scored {raw_and_model(one, rated)}{_why(one)}."


def _why(one: Rating) -> str:
    """Return why the model says something else than the score; players are named where they make most of it."""
    edge, difference = one.skill_edge or 0.0, _log_odds(one.score) - _log_odds(one.chance)
    if abs(edge) >= LEAST_EDGE and edge * difference > 0 and abs(edge) >= abs(difference) / 2:
        return f", as its players were {'stronger' if edge > 0 else 'weaker'} than those they met"
    if one.games < FEW_GAMES:
        return ": scores of few games are drawn towards 50%"
    return "" if one.skill_edge is None else ", which allows for who played, whom it met and who went first"


def _log_odds(chance: float) -> float:
    """Return the log-odds of a chance, infinite where it is 0 or 1."""
    return log(chance / (1 - chance)) if 0 < chance < 1 else copysign(inf, chance - 0.5)


def columns_said(log: Log) -> str:
    """Return the columns that were used, with what they hold where their header does not say it."""
    told = []
    for role, header in log.taken:
        meant = HELD.get(role.split("_")[0], "")
        told.append(f"{header} ({meant})" if meant and meant not in header.casefold() else header)
    return listed(told)


def headline(rated: Rated) -> str:
    """Return who is too strong, too weak and fair, and of how many it is not yet known."""
    named = {word: [one.name for one in by_strength(rated) if one.verdict == word] for word in ORDER}
    parts = [f"{word}: {listed(first_of(names, MOST_NAMED))}" for word, names in named.items() if names]
    rest = [one.name for one in by_strength(rated) if one.verdict not in ORDER]
    if not parts:
        return f"Of none of the {len(rest)} is it yet known whether it is fair."
    if rest:
        parts.append(f"not yet known: {rest[0] if len(rest) == 1 else f'the other {len(rest)}'}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def also_said(rated: Rated) -> str:
    """Return whether there is more than ratings can tell: cycles and oddities; empty where there is not."""
    cycles = [" over ".join((*one.names, one.names[0])) for one in rated.cycles if one.named]
    more = f" (and {show_many(len(cycles) - 1, 'other')})" if len(cycles) > 1 else ""
    told = [f"a cycle, {cycles[0]}{more}"] if cycles else []
    told += [f"{show_many(len(rated.oddities), 'odd group')} of games"] if rated.oddities else []
    return f"Ratings do not tell all: there is {' and '.join(told)}." if told else ""


def by_strength(rated: Rated) -> list[Rating]:
    """Return the entrants, the strongest first."""
    return sorted(rated.ratings, key=lambda one: (-one.rating, one.name))


def play_next(rated: Rated, games: Games) -> str:
    """Return whose games would settle the next verdict, against whom, and in how many evenings."""
    waiting = [one for one in rated.ratings if one.verdict not in ORDER]
    told = [one for one in waiting if one.more_games is not None]
    if not waiting:
        return "Every verdict is reached: what you change next is what to play next."
    if not told:
        return "More playtests like these would not settle the rest: change something, or widen the band."
    one = min(told, key=lambda each: (each.more_games or 0, each.name))
    more = one.more_games or 0
    many = f"about {show_many(more, 'more game of it', 'more games of it')}{_evenings(games, one)}"
    if more > FAR * one.games:
        return f"No verdict is near: the next, on {one.name}, would take {many}. Change something, or widen the band."
    return f"Play {one.name} next{_against(rated, one.name)}: {many} would tell, if it is as it looks now."


def _against(rated: Rated, name: str) -> str:
    """Return whom to play it against: whom it met least, of those the nearest."""
    pairs = [pair for pair in rated.pairs if name in (pair.one, pair.other)]
    if len(pairs) < 2:
        return ""
    least = min(pairs, key=lambda pair: (pair.games, abs(pair.chance - 0.5), pair.one, pair.other))
    other = least.other if least.one == name else least.one
    met = "whom it never met" if least.games == 0 else f"whom it met least ({show_many(int(least.games), 'game')})"
    return f", first against {other}, {met}"


def _evenings(games: Games, one: Rating) -> str:
    if games.session is None or len(games.session_names) < 2 or one.more_games is None:
        return ""
    evenings = ceil(one.more_games / (one.games / len(games.session_names)))
    return f" ({show_many(evenings, 'session')} like these)"


def more_said(one: Rating) -> str:
    """Return how many more games a verdict takes, for a column of numbers; empty where there is one."""
    if one.verdict != "not yet known":
        return ""
    return show_count(one.more_games) if one.more_games is not None else ">10,000"


def first_mover_said(found: FirstMover) -> str:
    """Return what going first is worth."""
    if found.verdict == "not measurable here":
        return "What going first is worth is not measurable here: no game says who went first."
    points = f"{_points(found.advantage)} of chance against an equal"
    ends = show_interval(found.advantage_low, found.advantage_high, lambda x: show_fixed(x, 1))
    word = {
        "fair": "that is fair",
        "overpowered": "too much",
        "underpowered": "going second is too good",
        "not yet known": "not yet known whether that is fair",
    }
    games = show_many(round(found.games), "game")
    return f"Going first is worth {points} ({ends}, from {games}): {word[found.verdict]}."


def _points(points: float) -> str:
    text = f"{show_fixed(points, 1)} points"
    return f"+{text}" if points >= 0.05 else text


def draws_said(rated: Rated) -> str:
    """Return how many games were drawn, and by which model."""
    if not rated.draw_share:
        return ""
    law = {"davidson": "Davidson's (1970)", "rao_kupper": "Rao and Kupper's (1967)"}[rated.settings.draws]
    return f"{show_probability(rated.draw_share, 0)} of the games were drawn; draws come about as {law} model says."


def cycle_said(cycle: Cycle) -> str:
    """Return who beats whom round a cycle, with its size."""
    one, two, three = cycle.names
    size, low, high = (f"{per_cent(1 / (1 + exp(-x)))}%" for x in (cycle.size, cycle.low, cycle.high))
    games = show_many(round(cycle.games), "game")
    return (
        f"{one} over {two}, {two} over {three}, {three} over {one}: each beats the next in about {size} ({low} to "
        f"{high}), where strength alone gives 50% round a circle; from {games}."
    )


def cycles_looked_at(rated: Rated) -> str:
    """Return what was found of cycles; empty where there can be none."""
    if len(rated.ratings) < 3 or not rated.settings.cycles:
        return ""
    if n := sum(one.named for one in rated.cycles):
        return f"{show_many(n, 'cycle stands', 'cycles stand')} out, which no ratings can explain:"
    return "No three beat each other in a circle beyond what chance allows."


def oddities_looked_at(rated: Rated) -> str:
    """Return what was found of odd sessions, players, pairs and scenarios."""
    if not rated.settings.oddities:
        return ""
    if n := len(rated.oddities):
        return f"{show_many(n, 'group of games lies', 'groups of games lie')} further out than chance allows:"
    return "No session, player, pair or scenario that the log tells of lies further out than chance allows."


def oddity_said(oddity: Oddity) -> str:
    """Return what is odd about some games, and what becomes of the verdicts without them."""
    seats = {"first": "who went first", "second": "who went second"}
    whom = seats.get(oddity.whom, oddity.whom) if oddity.what == "seat" else oddity.whom
    scored, expected = (_scored(mean * oddity.games) for mean in (oddity.observed, oddity.expected))
    games, by_chance = show_count(round(oddity.games)), show_probability(oddity.p_value)
    begin = f"{_group(oddity)}: {whom} won {scored} of {games}, {expected} were expected ({by_chance} by chance)."
    if not oddity.changes:
        return f"{begin} Without these games not all could be compared."
    changed = [one for one in oddity.changes if one.verdict != one.verdict_without]
    if not changed:
        return f"{begin} Without these games every verdict stays."
    changed.sort(key=lambda one: (-abs(one.rating - one.rating_without), one.name))
    told = [f"{one.name}: {one.verdict_without} (with them {one.verdict})" for one in changed[:MOST_CHANGES]]
    more = f"; {len(changed) - MOST_CHANGES} more change" if len(changed) > MOST_CHANGES else ""
    return f"{begin} Without these games: {'; '.join(told)}{more}."


def _scored(points: float) -> str:
    return show_fixed(points, 1).removesuffix(".0")


def _group(oddity: Oddity) -> str:
    return oddity.name if oddity.kind == "pair" else f"{oddity.kind.capitalize()} {oddity.name}"


def method(rated: Rated) -> tuple[str, ...]:
    """Return how the ratings were worked out, in sentences: model, prior, level, verdicts."""
    settings = rated.settings
    kinds = [one.kind for one in rated.spread if one.kind != "strengths"]
    effects = f" Random effects: {listed(kinds)}." if kinds else ""
    said = (
        f"Ratings are log-odds, mean 0. The chance beside an entrant is what it scores {chance_means(rated)}, either "
        "seat as likely."
    )
    prior = (
        f"Strengths spread by a standard deviation that is estimated too, with a weak log-normal prior of scale "
        f"{settings.prior:g} log-odds; it pulls wild ratings of a few games towards the middle."
        if settings.prior is not None
        else "No prior: maximum likelihood."
    )
    level, fit = f"{100 * settings.level:g}%", rated.fit
    games = show_many(round(fit.n), "game")
    return (
        said,
        f"Bradley and Terry's model{' with a first mover' if rated.first_mover.games else ''}"
        f"{' and draws' if rated.draw_share else ''}.{effects}",
        prior,
        f"Each interval holds the truth with {level}; verdicts at the band {band_in_words(settings)} hold with {level} "
        "for all at once.",
        f"Fit: deviance {fit.deviance:.1f} on {fit.df} degrees of freedom, {games}."
        if fit.deviance is not None
        else f"Goodness of fit: {fit.verdict}, as no match-up is left over to compare it with ({games}).",
    )


def cautions_said(rated: Rated) -> Sequence[str]:
    """Return what to know before the ratings are believed, a sentence each."""
    return [f"{one.told[:1].upper()}{one.told[1:]}." for one in rated.cautions]
