"""Armies of battles: mustered, bought card by card, or drawn at random."""
