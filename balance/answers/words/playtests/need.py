"""What `need` says: how many games, how they go on average, when to stop, and what fewer can tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Title, plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.base.numbers import show_count, show_fixed, show_many, show_probability
from balance.playtests.need.answer import After, FewGames, Look, NeededGames, Outcome, Plan
from balance.playtests.need.goals import HALF, Goal

MOST_LOOKS, FIRST_LOOKS = 12, 6
"""Looks that a screen shows of a plan, and the first screen."""
_FROM_EVEN = (
    "This plan tells a side from an even one. `balance rate` asks more: whether a side lies outside a band, 45% to 55% "
    "unless you say otherwise."
)
_BAND = 0.05
"""How far from one half the band ends that `rate` takes without being told another."""
LONG = 30
"""Evenings from which on an answer is told to be long."""
_NAMES = {"fixed": "one look, at the end", "sequential": "a look every evening", "sprt": "Wald's SPRT"}


def sentence(need: NeededGames, terms: Terms) -> str:
    """Return what so many evenings can tell, or where nobody asks that, how many games to play."""
    return _games_text(need) if need.after is None else _after_text(need.goal, need.after)


def short(need: NeededGames, terms: Terms) -> Screen:
    """Return how many games to play, and when to stop or what fewer can tell."""
    few = [_few_games(need)] if need.plan != "sequential" and need.after is None else []
    more = "--more: the plans side by side, how to judge, and how it was done."
    return Screen([*_first(need, FIRST_LOOKS), *few, plain(more, "aside")])


def full(need: NeededGames, terms: Terms) -> Iterator[Block]:
    """Yield how many games to play, all plans, what they say of whom, and how that was worked out."""
    yield from _first(need, MOST_LOOKS)
    yield _plans(need)
    yield _outcomes(need)
    yield _few_games(need)
    yield from (plain(note, "aside") for note in _notes(need))


def tables(need: NeededGames) -> Mapping[str, Records]:
    """Return the plans, what they say of whom, when to stop, what few games tell, and so many evenings if asked."""
    named = {
        "plans": Records(Plan, need.plans, "plan"),
        "outcomes": Records(Outcome, need.outcomes),
        "looks": Records(Look, need.looks),
        "few": Records(FewGames, need.few),
    }
    return named if need.after is None else named | {"after": Records(After, [need.after])}


WORDS = AnswerWords(sentence, short, full, tables)


def _first(need: NeededGames, most_looks: int) -> Iterator[Block]:
    """Yield the goal, what so many evenings tell, how many games to play, and when to stop."""
    yield Title("Games needed", (_goal_text(need.goal),))
    if need.after is not None:
        yield plain(_after_text(need.goal, need.after), "strong")
        power = show_probability(need.after.power)
        yield plain(f"What is asked for here would be found in {power} of such series.", gap=True)
    yield plain(_games_text(need), "strong")
    *promises, last = filter(None, (_promise(need), _counts(need)))
    yield from map(plain, promises)
    yield from (plain(text, gap=True) for text in (last, *_beside(need)))
    if need.plan == "sequential":
        yield from _looks(need, most_looks)


def _goal_text(goal: Goal) -> str:
    low, high = (_score(end) for end in goal.band or (HALF, HALF))
    parts = [] if goal.difference is None else [f"50% against {_score(goal.sides[1])}"]
    parts += [f"fair is {low} to {high}"] if goal.band else []
    parts += [f"{goal.options} options"] if goal.options > 2 else []
    return ", ".join([*parts, f"{_score(goal.draws)} draws"] if goal.draws else parts)


def _score(share: float) -> str:
    return f"{100 * share:.4g}%"


def _after_text(goal: Goal, after: After) -> str:
    begin = f"After {show_many(after.evenings, 'evening')}, {show_many(after.games, 'game')},"
    if after.difference is None:
        return f"{begin} no difference can be told with a power of {_score(goal.power)}."
    return f"{begin} you can tell 50% from {_score(HALF + after.difference)}: {_points(after.difference)}."


def _points(difference: float, digits: int = 1) -> str:
    return f"{show_fixed(100 * difference, digits)} points or more"


def _games_text(need: NeededGames) -> str:
    goal, plan = need.goal, need.plans["fixed"]
    robin = f" ({show_count(plan.games_a_pair)} a pair, {show_count(plan.games_an_option)} an option)"
    return (
        f"Play {show_many(plan.games, 'game')}{robin if goal.options > 2 else ''}: "
        f"{show_many(plan.evenings, 'evening')} of {show_count(goal.games_per_evening)}."
    )


def _promise(need: NeededGames) -> str:
    """Return the power of the plan with one look and its error, as shares of series of games, in a sentence."""
    goal, plan = need.goal, need.plans["fixed"]
    power, error = show_probability(plan.power), show_probability(plan.error)
    subject = "an option" if goal.options > 2 else "a side"
    if goal.band is None:
        fair = "of all fair options any is named" if goal.options > 2 else "a fair one is named"
        return (
            f"Then {subject} that scores {_score(goal.sides[1])} is named in {power} of such series; {fair} in {error}."
        )
    off = "" if goal.difference is None else f" (and one of {_score(goal.sides[1])} unfair)"
    return (
        f"Then {subject} of 50% is called fair{off} in {power} of such series; "
        f"one on the edge of the band is called fair in {error}."
    )


def _counts(need: NeededGames) -> str:
    """Return how many wins give which verdict at the end; empty where draws or several options count too."""
    look = next((look for look in need.looks if look.plan == "fixed"), None)
    if need.goal.options > 2 or look is None:
        return ""
    worse, better = _verdict_words(need.goal)
    down, low, high, up = _bounds(need.goal, look)
    parts = [f"wins {up} or more of the {show_count(look.games)} games is {better}"] if up else []
    parts += [f"wins {low} to {high} is fair"] if low else []
    parts += [f"wins {down} or fewer is {worse}"] if down else []
    return f"A side that {', one that '.join(parts)}." if parts else ""


def _bounds(goal: Goal, look: Look) -> list[str]:
    """Return the ends of the verdicts at a look, in wins or with draws as a lead; empty where there is no such end."""
    leads = (
        look.underpowered_if_lead_at_most,
        look.fair_if_lead_from,
        look.fair_if_lead_to,
        look.overpowered_if_lead_at_least,
    )
    if goal.draws:
        return ["" if lead is None else f"{lead:+d}" if lead else "0" for lead in leads]
    return ["" if lead is None else f"{(look.games + lead) // 2}" for lead in leads]


def _verdict_words(goal: Goal) -> tuple[str, str]:
    """Return what a plan calls a side that wins too little and one that wins too much: by a band, or against even."""
    return ("underpowered", "overpowered") if goal.band is not None else ("worse than even", "better than even")


def _beside(need: NeededGames) -> Iterator[str]:
    """Yield what else to know of the plan: what it does not ask, what looks would save, and that it is long."""
    if need.goal.band is None:
        yield f"{_FROM_EVEN} To plan for that: {_command_with_a_band(need.goal)}."
    if "sequential" in need.plans:
        yield _with_looks(need)
    if need.plans["fixed"].evenings > LONG and need.plan == "fixed":
        known = ((few.games, few.difference) for few in need.few if few.games >= 40 and few.difference)
        example = next((f" {games} games tell {_points(difference, 0)}." for games, difference in known), "")
        simulate = "For smaller ones simulate: `balance` plays a game whose rules it has a million times in minutes."
        yield f"That is a long time.{example} {simulate}"


def _command_with_a_band(goal: Goal) -> str:
    """Return the command that plans for a verdict by the band of `rate`, 45% to 55%."""
    is_beyond = goal.difference is not None and goal.difference > _BAND + 1e-9
    difference = f" --difference {100 * (goal.difference or 0):.4g}pp" if is_beyond else ""
    options = f" --options {goal.options}" if goal.options > 2 else ""
    return f"balance need --band 45:55{difference}{options}"


def _with_looks(need: NeededGames) -> str:
    """Return the mean number of games of the sequential plan, and the most it takes, in a sentence."""
    goal, plan = need.goal, need.plans["sequential"]

    def mean_games(score: float) -> str:
        outcomes = [outcome for outcome in need.outcomes if outcome.plan == "sequential"]
        return show_count(round(min(outcomes, key=lambda outcome: abs(outcome.score - score)).games))

    averages = f"{mean_games(HALF)} games on average if it is 50%"
    if goal.difference is not None:
        averages += f", {mean_games(goal.sides[1])} if it is {_score(goal.sides[1])}"
    latest = f"{show_many(plan.games, 'game')} ({show_many(plan.evenings, 'evening')})"
    return f"With looks after every evening you would stop after {averages}, and after {latest} at the latest."


# -- tables ------------------------------------------------------------------------------------------------------------


def _looks(need: NeededGames, most: int) -> Iterator[Block]:
    """Yield the table of looks at which the plan can stop, at most so many of them, evenly spread."""
    goal, looks = need.goal, [look for look in need.looks if look.plan == "sequential"]
    stops = [
        look for look in looks if look.overpowered_if_lead_at_least is not None or look.fair_if_lead_from is not None
    ]
    sample = stops
    if len(stops) > most:
        sample = [stops[round(at * (len(stops) - 1) / (most - 1))] for at in range(most)]
    worse, better = _verdict_words(goal)
    yield plain(f"When to stop, by {'wins less losses' if goal.draws else 'wins'}:")
    yield grid(["after evening", "games", worse, "fair", better], [_look(goal, look) for look in sample])
    if len(stops) > len(sample):
        yield plain(f"{show_many(len(looks), 'look')} in all: --out FILE.csv or --json lists each.", "aside", gap=True)


def _look(goal: Goal, look: Look) -> Sequence[str]:
    down, low, high, up = _bounds(goal, look)
    fair = low if low == high else f"{low} to {high}"
    ends = (down and f"{down} or fewer", fair, up and f"{up} or more")
    return show_count(look.evening), show_count(look.games), *ends


def _plans(need: NeededGames) -> Table:
    """Return the most games of each plan, with power and error as worked out and as played out."""
    rows = [
        (
            _NAMES[name],
            f"{show_count(plan.games)}{'*' if name == 'sprt' else ''}",
            show_count(plan.evenings),
            show_probability(plan.power),
            show_probability(plan.error),
            f"{show_probability(plan.simulated.power)} and {show_probability(plan.simulated.error)}",
        )
        for name, plan in need.plans.items()
    ]
    heads = ["plan", "at most", "evenings", "power", "error", "played out"]
    return grid(heads, rows, right=heads[1:5])


def _outcomes(need: NeededGames) -> Table:
    """Return the chances of each verdict of the plan by true score, with the mean number of games."""
    calls_fair = need.goal.band is not None or need.plan == "sequential"
    rows = [
        (
            _score(outcome.score),
            show_probability(outcome.underpowered),
            *([show_probability(outcome.fair)] if calls_fair else []),
            show_probability(outcome.overpowered),
            show_probability(outcome.unknown),
            show_count(round(outcome.games)),
        )
        for outcome in need.outcomes
        if outcome.plan == need.plan
    ]
    worse, better = _verdict_words(need.goal)
    heads = ["if it scores", worse, *(["fair"] if calls_fair else []), better, "not yet known", "games"]
    return grid(heads, rows, right=heads[1:])


def _few_games(need: NeededGames) -> Table:
    rows = [
        (show_count(few.games), "nothing" if few.difference is None else _points(few.difference)) for few in need.few
    ]
    return grid([f"games of one {'pair' if need.goal.options == 2 else 'option'}", "tell from 50%"], rows)


def _notes(need: NeededGames) -> Iterator[str]:
    """Yield how to judge, the number of simulated series, and the error of peeking and the dips of the power."""
    goal, plan, fixed = need.goal, need.plans[need.plan], need.plans["fixed"]
    yield f"How to judge: {plan.analysis}."
    yield f"Played out: {show_count(plan.simulated.runs)} whole series of games for each number."
    if "sprt" in need.plans:
        yield "* 99% of its series end by then; it has no last evening."
    if need.peeking_error is not None and need.peeking_error > goal.error:
        yield (
            "Whoever looks at the one-look plan every evening and stops as soon as it says so is wrong in "
            f"{show_probability(need.peeking_error)}: take the plan with looks for that."
        )
    if need.for_good > fixed.games_an_option:
        unit = "games" if goal.options == 2 else "games of an option"
        dip = show_probability(need.least_power_from_there_on)
        yield (
            f"With some numbers of games a little above {show_count(fixed.games_an_option)} the power dips to {dip}; "
            f"from {show_count(need.for_good)} {unit} on it never does."
        )
    if goal.draws:
        yield "With fewer draws than that the plan with looks errs more often: --draws 0 is the safe side."
    if (false_names := fixed.simulated.false_names) is not None:
        yield f"With one option off, another one is named on its own account in {show_probability(false_names)}."
