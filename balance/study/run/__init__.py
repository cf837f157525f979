"""A study from end to end: its forecast, its run, and the folder that a run leaves."""
