"""A record of what every verb says of every game, kept outside the repository and held against that of another commit.

A case is a line of `cases/`: a name, a colon, and what is typed after `balance`, several commands joined by `&&`; what
starts with `balance.` is a call of Python. Each case works at a plain terminal of 80 columns, in a folder of its own
that holds the shipped `data` and all of `files/`; finished work is shared, as it is by who types one after the other.

`python -m tests.record DIR [PATTERN...]` writes a text for each case whose name contains one of the patterns: what was
printed, complained and ended with, every other form of the answer, and the files that were left. `python -m
tests.record --diff OLD NEW [PATTERN...]` prints what differs, and ends with 1 where something does.
"""
