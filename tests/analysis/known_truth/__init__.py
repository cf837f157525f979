"""Catalogues whose fair costs are known, what is planted in them, and how often `balance.price` says so.

    python -m tests.analysis.known_truth GAME CASE N [--seed S] [--battles B]

prints a row for each of N runs, and how many said a false word, missed what is planted, or told a wrong size. Truth
does not come from what is tested: in `levies` and `tug` it follows from the rules in closed form; of other games it was
measured with many times the battles (`truth`), and armies of equal points that a drawing of its own puts together then
score one half (`twin`). `noise` asks the rule of decision alone, without playing, for thousands of runs.
"""
