"""What every room may use: faults and errors, files, limits, numbers as text, progress and Ctrl-C."""

__version__ = "0.2.0"
