"""Both sides at random, for tests that write choices down, list them all or are to meet anything the rules allow."""

from __future__ import annotations

AT_RANDOM = {"policy_a": "random", "policy_b": "random"}
"""What `ask` is given; where nothing is said, sides play with care."""
