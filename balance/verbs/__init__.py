"""The front door: one function a verb, with the words and defaults of the command, and one kind of result.

`import balance` has all of them; the command parses what is typed, calls them, and prints what they return.
"""
