"""Solvers against published values, closed forms, brute force and linear programs."""
