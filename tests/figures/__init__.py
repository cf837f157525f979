"""How large and how tangled the code is: the figures of a redesign, measured by one script before and after.

`python -m tests.figures` measures this checkout, `python -m tests.figures --root DIR` another one.
"""
