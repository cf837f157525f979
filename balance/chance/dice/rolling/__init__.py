"""Expressions rolled die by die."""
