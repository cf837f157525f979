"""The study that `balance init` writes: every setting there is, explained, with the defaults in force."""

from __future__ import annotations

from collections.abc import Iterable

from balance.game.game import Game, QuestionKind
from balance.game.loaded import LoadedGame, load
from balance.study.settings.economies import usual_economies
from balance.study.settings.grid import show_setting

TEMPLATE = """# A study of {title}. Lines that begin with # are ignored; take the # away from what you want to say.
# What would it cost?  balance run THIS_FILE --dry-run
# Run it:              balance run THIS_FILE        (run it again to go on after an interruption)
# What would a change do?  balance compare THIS_FILE --patch PATCH.toml

game = "{name}"
title = "Match-ups of {title}"
seed = 0  # any whole number; the same seed gives the same numbers

# catalogue = "my_catalogue"  # folder of your own tables, relative to this file; the shipped ones without it

level = "{level}"  # what is played: {levels}
metrics = ["match_ups"]  # scores; "cards": prices, attacks, rules; "sections": tables of the report; "battles": play

entrants = "all"  # or a list of ids and patterns: ["{example}"]
# max_cost_points = 60  # leave out what costs more

exact = "auto"  # exact distributions where they can be had; "never": simulate everything; "always": simulate nothing
lane = "compiled"  # how to simulate: "compiled" draws finished attacks, "literal" rolls every die
confidence = 0.95  # of all intervals of the study together

# patches = ["patch.toml"]  # play these too, beside the catalogue as it is

# [rules]  # other readings of the rules:
{rules}
# [situation.{level}]  # circumstances of every match-up
{situation}
# [[situations]]  # circumstances by name; every match-up is played in each
# name = "as usual"
# set = {{}}

# [grid]  # several values each; every combination is played
{grid}
# [policies]  # how sides play; every combination is played
{policies}
{armies}[budget]  # when a simulated match-up has been played enough; a trial is a pair of games with the seats swapped
verdict = 0.02  # until it is known whether the score is within this of 1/2; or one of these two instead:
# half_width = 0.01  # until the score is known to within this
# trials = 100_000  # so many pairs
cap = 1_048_576  # pairs of one match-up at most
# total = 1_000_000_000  # pairs of the whole study at most; the widest interval is served first

# [limits]  # `balance run` ends with status 1 if one is broken
# max_unfair = 0  # match-ups of equal points whose score is not within that of 1/2; of unequal ones none is judged
"""

ARMIES = """# [[armies]]  # prices: how armies of equal points meet; a table for each setting, none for the usual one
# id = "{id}"
# title = "{title}"
# kind = "{kind}"  # the kind of question in which they meet
# set = {set}  # circumstances, rules or cards of every battle, as --set has them
# choices = {choices}  # how sides play
# budgets = {budgets}  # from the first to the last: points, and how many units they may buy
# checked = {checked}  # where the prices found are checked by playing; between the budgets without it
# battles = {battles}  # of the last round, for each member

"""

BATTLES = """# [[battles]]  # what play is worth, and which prices hold whatever is played, where and at what scale
# id = "{id}"
# title = "{title}"
# kind = "{kind}"  # the kind of question in which armies meet
# ways = [{ways}]  # ways of playing that meet; those that are quick to play without it
# pairs = 512  # pairs of armies for each match-up of ways
# near = 20  # rating points that a way may be behind the best and count
# over = {{}}  # what verdicts must hold over: {{ "situation.FIELD" = ["VALUE", "VALUE"] }}
# scales = {budgets}  # budgets with unit limits over which they must hold too
# battles = 131_072  # in each setting, at most; 0 judges no price
# precision = 0.05  # until every price is known to this share of its cost

"""

LUCK_AND_NEIGHBOURS = """\
# [[luck]]  # how much is luck: of any two of a field, and by dice; metrics = ["luck"] works out nothing else
# id = "{kind}"
# title = "{kind}s"
# kind = "{kind}"
# among = ["*"]  # who is in the field, by id or pattern; the entrants of the study without it, 24 drawn of more
# play = false  # true: either side plays in any of the ways that are quick to play
# choices = {choices}  # how sides play
# pairs = [["{one}", "{other}"]]  # told by dice; the most even of the field without it
# even = 3  # how many of those

# [[neighbours]]  # what one step of each field of a card does; metrics = ["neighbours"] works out nothing else
# id = "cards"
# title = "cards"
# cards = ["{one}"]  # cards, or entrants that hold several
# among = ["*"]  # whom they meet; twelve of the entrants of the study, drawn, without it
# points = false  # true: what each change is worth in points, too; a minute a card or more

"""


def study_text(game_name: str) -> str:
    r"""Return a commented study of a game; raises `UsageError` if there is no such game.

    >>> 'game = "warforged"' in study_text("warforged")
    True
    """
    game = load(game_name)
    definition = game.definition
    levels = [name for name, kind in definition.kinds.items() if kind.winners] or [""]
    first = game.entrants_of(levels[0])[0]
    kind = game.kind_of(first)
    values = _situation(game, levels[0])
    return TEMPLATE.format(
        name=definition.called,
        title=definition.title,
        level=levels[0],
        levels=", ".join(levels),
        example=kind.joined_by.join([kind.parts(first)[0], "*"]) if len(kind.parts(first)) > 1 else first,
        rules=_lines(
            [f"{name} = {_quote(str(option.allowed[0]))}" for name, option in game.catalogue.rule_options.items()][:3]
        ),
        situation=_lines([f"{name} = {text}" for name, text in values.items()][:3]),
        grid=_lines([f"{name} = [{text}]" for name, text in values.items()][:1]),
        policies=_lines(_policies(definition, levels[0])),
        armies=_armies(game) + _luck_and_neighbours(game),
    )


def _luck_and_neighbours(game: LoadedGame) -> str:
    """Return commented tables that ask about luck and cards; "" in a game that nobody wins."""
    kind = game.definition.kind_about("winner")
    if kind is None:
        return ""
    side_a, side_b = (game.ids(part) for part in kind.takes)
    names = {"one": side_a[0], "other": side_b[-1]} if side_a and side_b else {}
    return LUCK_AND_NEIGHBOURS.format(kind=kind.name, choices=_usual_choices(kind), **names) if names else ""


def _armies(game: LoadedGame) -> str:
    """Return a commented table with how armies of equal points meet by default; "" where they do not."""
    from balance.study.frames.army_prices import held_out, meeting_of

    tables = []
    for usual in usual_economies(game):
        setting = meeting_of(usual, game)
        kind = game.definition.kinds[setting.kind]
        first = next(iter(kind.situation.model_fields.items()), None) if kind.situation is not None else None
        tables.append(
            ARMIES.format(
                id=usual.id,
                title=usual.title,
                kind=setting.kind,
                set="[]" if first is None else f'["situation.{first[0]}={show_setting(first[1].default)}"]',
                choices=_usual_choices(kind),
                budgets=_scales(setting.budgets),
                checked=_scales(held_out(usual, setting)),
                battles=usual.battles,
            )
        )
        if len(kind.habits) == len(kind.sides):
            ways = ", ".join(_quote(name) for name in next(iter(kind.habits.values())))
            facts = {"id": usual.id, "title": usual.title, "kind": kind.name, "budgets": _scales(setting.budgets)}
            tables.append(BATTLES.format(ways=ways, **facts))
    return "".join(tables)


def _usual_choices(kind: QuestionKind) -> str:
    """Return the default choices of a kind of question as an inline TOML table."""
    choices = ", ".join(f'{name} = "{values[0]}"' for name, values in kind.choices.items())
    return f"{{ {choices} }}" if choices else "{}"


def _scales(scales: Iterable[tuple[float, float]]) -> str:
    return f"[{', '.join(f'[{points:g}, {units:g}]' for points, units in scales)}]"


def _policies(game: Game, level: str) -> list[str]:
    choices = game.kinds[level].choices if level in game.kinds else {}
    return [f"{name} = [{', '.join(map(_quote, values))}]" for name, values in choices.items()]


def _situation(game: LoadedGame, level: str) -> dict[str, str]:
    """Return name -> default value of a situation's fields, as TOML."""
    if level not in game.definition.kinds:
        return {}
    setup = game.ask(level, game.entrants_of(level)[0], game.others_of(level)[-1]).setup
    inputs = getattr(setup, "inputs", {})
    circumstances = inputs.get("situation", {}) if isinstance(inputs, dict) or hasattr(inputs, "get") else {}
    return {
        name: show_setting(value)
        for name, value in dict(circumstances).items()
        if isinstance(value, bool | int | float)
    }


def _quote(text: str) -> str:
    return text if text in {"true", "false"} else f'"{text}"'


def _lines(lines: list[str]) -> str:
    return "".join(f"# {line}\n" for line in lines)
