"""A party against the rules on a map: functions of arrays with a row for each trial, which a process composes.

A `hero` is a number in the party, companions after all heroes; a `body` is the number of a miniature of enemies. Where
`rows` are given, numbers of the trials concerned, `int[m]`, values beside them are `[m]`. Otherwise values are of all n
trials, such as `able`, where the hero can act, `bool[n]`, and `actions`, those that he has left, `int[n]`. Functions
that return no state write into the columns of `state`; `name` is that of a request to `rolls`.
"""
