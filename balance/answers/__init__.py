"""Answers, told once: what each says, in blocks, and how a terminal, a notebook or a program is given them."""
