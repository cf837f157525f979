"""Simulated trials: blocks of them side by side, tallies, estimates with their errors, and when to stop."""
