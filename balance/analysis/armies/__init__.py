"""Armies of equal points: drawn, set against each other, and searched for the best one."""
