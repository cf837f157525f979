"""Do the tests notice when the code is wrong? `make mutants` breaks it in places drawn at random, and counts.

* `sample`: where `balance` can be broken (by the operators of cosmic-ray), and a seeded draw of such places.
* `set_aside.toml`: mutants that change nothing, and constants that only tune; by hand, with a reason each.
* `workshop`: copies of the checkout in which mutants live, and how tests are run there.
* `plugin`: what pytest does there: run the chosen tests, quick files first; note which test executes which line.
* `reach`: the tests that execute a line.
"""
