"""A question to a game as something that can be explored by its controls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from balance.answers.words.questions.answer import EVENT, in_short
from balance.game.question.answer import EXACT_ONLY, Answer, answer
from balance.game.question.choices import Budget
from balance.game.question.controls import Control, Settings, controls_of
from balance.game.question.question import Question
from balance.verbs.call.explore.code import call_text
from balance.verbs.call.explore.subject import Number, Outcome, Subject, Values, decides

HEADS = {"situation": "situation", "choices": "how it is played", "rules": "rule options"}
TRIALS = 4096
"""Trials where there is no exact answer."""


@dataclass(frozen=True)
class QuestionSubject:
    """A question and the verb that asks it; answers are exact, or from 4,096 trials where they cannot be."""

    question: Question
    verb: str

    @cached_property
    def controls(self) -> tuple[Control, ...]:
        """Every setting of the question, as `controls_of` lists them."""
        return controls_of(self.question)

    @property
    def heads(self) -> Mapping[str, str]:
        """Headings of the columns for the situation, policies and rule options, by group."""
        return HEADS

    def settings(self, values: Values) -> Settings:
        """Return entrants, overrides, turn order and policies with some controls set."""
        return Settings.of(self.question).with_values(dict(values))

    def outcome(self, values: Values) -> Outcome:
        """Return the answer with some controls set; raise BalanceError where the rules do not allow it."""
        settings = self.settings(values)
        reply = self._answer(settings.ask(self.question))
        return Outcome(reply.sentence, tuple(_numbers(reply)), self._code(settings, reply))

    def _answer(self, question: Question) -> Answer:
        return answer(question, Budget(TRIALS) if question.why_no_distribution else EXACT_ONLY)

    def restart(self, values: Values) -> Subject:
        """Return the question with other entrants, less overrides of those replaced; raise BalanceError if illegal."""
        settings = self.settings({control: value for control, value in values.items() if decides(control)})
        return QuestionSubject(settings.ask(self.question), self.verb)

    def paths_that_matter(self, values: Values) -> frozenset[str]:
        """Return the paths of the controls whose other values would change the question as it is now set."""
        controls = controls_of(self.settings(values).ask(self.question))
        return frozenset(control.path for control in controls if control.matters)

    def _code(self, settings: Settings, reply: Answer) -> str:
        game, kind = self.question.game, self.question.kind
        words = [game.definition.called, *([kind.name] if self.verb == "ask" else []), *settings.entrants.values()]
        return call_text(
            self.verb,
            words,
            {
                "first": settings.first if settings.first != kind.usual_first else None,
                "set": settings.changes,
                "choose": settings.choices,
                "trials": reply.simulated.n_trials if reply.simulated is not None else None,
                "catalogue": game.own_catalogue(),
            },
        )


def _numbers(reply: Answer) -> Iterator[Number]:
    """Yield the chances to win, then for each column without codes its mean, or its chance if it is an event."""
    kind, distribution = reply.question.kind, reply.distribution
    if distribution is None:
        return
    for name, chance in reply.question.p_win(distribution).items():
        yield Number(name, f"{name} wins" if name in kind.sides else name, chance, is_chance=True)
    for name in distribution.columns:
        if name not in kind.categories:
            meaning = kind.columns[name].meaning
            yield Number(name, in_short(meaning), float(distribution.mean(name)), meaning.startswith(EVENT))
