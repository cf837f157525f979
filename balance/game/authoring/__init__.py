"""Tools for authors of games: templates to start from, and the conformance check."""
