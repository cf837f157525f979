"""The rating model: strengths, their errors, and how well they fit the games of a log."""
