"""How large and how tangled the code is: the figures of a redesign, measured by one script before and after.

`python -m tests.figures` measures this checkout, `python -m tests.figures --root DIR` another one; `--tests` counts the
tests of the default run as well. `python -m tests.figures --names balance/chance/dice` lists the names of a room, or of
a file, that are a bare participle or pronoun.
"""
