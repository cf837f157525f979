"""Questions whose chains are alike: whoever asks for the distribution of one has those of others solved with it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import islice

from balance.base.errors import BalanceError, DistributionError
from balance.chance.budget import exact_budget
from balance.chance.exact.chains import Chains, chain_distributions
from balance.chance.pmf import Pmf, mixture
from balance.game.question.question import Question

FIRST = 16
"""Questions of which the first are solved in one run, until it is known how large their chains are."""
SHARE = 1 / 2
"""Part of what one exact answer may cost up to which several are solved in one run: of more, time is not saved."""


class Alike:
    """Questions of one key that wait, in the order in which they are going to be asked."""

    def __init__(self, chains: Chains) -> None:
        self._chains, self._size, self._n_alone, self._pause = chains, FIRST, 0, 1
        self._waiting = dict[int, Question]()

    def add(self, question: Question) -> None:
        """Let a question wait for the others."""
        self._waiting[id(question)] = question

    def solve(self, question: Question) -> list[tuple[Question, Pmf]]:
        """Return the distributions of a question and of those after it; none if it is to be solved alone."""
        self._waiting.pop(id(question), None)
        batch = [question, *islice(self._waiting.values(), self._size - 1)]
        self._n_alone -= 1
        if self._n_alone >= 0 or len(batch) < 2:
            return []
        try:
            with exact_budget(SHARE) as budget:
                solved = _together(self._chains, [each.setup for each in batch])
        except BalanceError as error:  # or of one of them, which its own answer says
            if isinstance(error, DistributionError):
                self._n_alone = self._pause = 2 * self._pause
            self._size = max(2, len(batch) // 2)
            return []
        self._size = max(2, int(len(batch) * SHARE / 2 / budget.part))
        for each in batch[1:]:
            del self._waiting[id(each)]
        return list(zip(batch, solved, strict=True))


def _together(chains: Chains, setups: Sequence[object]) -> list[Pmf]:
    """Return the distributions of setups; those that are the same share one."""
    places = dict[Hashable, int]()
    which = [places.setdefault(chains.same(setup), len(places)) for setup in setups]
    firsts = [setups[which.index(place)] for place in range(len(places))]
    laws = [law for run in chains.runs(firsts) for law in chain_distributions(run)]
    own = [laws[at :: len(firsts)] for at in range(len(firsts))]
    joined = [parts[0] if len(parts) == 1 else mixture((1, law) for law in parts) for parts in own]
    return [joined[place] for place in which]


def join(questions: Iterable[Question]) -> None:
    """Have the chains of questions that are about to be asked, in this order, solved with others alike."""
    groups = dict[Hashable, Alike]()
    for question in questions:
        chains = question.kind.chains
        if chains is not None and (key := chains.key(question.setup)) is not None:
            group = groups.setdefault((question.kind.name, key), Alike(chains))
            group.add(question)
            question.__dict__["_solved_with_others"] = group.solve
