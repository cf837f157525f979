"""Steps of a game file as rules of a game: functions of arrays and rolls."""
