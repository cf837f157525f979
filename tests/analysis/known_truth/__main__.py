"""`python -m tests.analysis.known_truth GAME CASE N`: print what is said of each of N catalogues of known truth."""

from __future__ import annotations

import argparse

from tests.analysis.known_truth.answers import answer, summary
from tests.analysis.known_truth.cases import CASES, cases_of, planted
from tests.analysis.known_truth.catalogues import GAMES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("case", choices=[*CASES, "all"])
    parser.add_argument("n", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--battles", type=int)
    asked = parser.parse_args()
    for case in cases_of(asked.game) if asked.case == "all" else [asked.case]:
        answers = []
        for run in range(asked.seed, asked.seed + asked.n):
            answers.append(answer(planted(asked.game, case, run), run, run, asked.battles))
            print(answers[-1].row, flush=True)
        print(asked.game, case, *(f"{name} {value}" for name, value in summary(answers).items()), sep="  ")


if __name__ == "__main__":
    main()
