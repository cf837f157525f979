"""The parts of a balance report, each a function from a finished run to a section, or None if there is nothing."""
