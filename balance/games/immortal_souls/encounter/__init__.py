"""A party against the rules on a map: functions of arrays with a row for each trial, which a process composes."""
