"""Exact distributions of a process: every way the dice can fall, as a list, as a tree or as a Markov chain."""
