"""Ours beside the peers, on the same tasks, in one run: `make bench`, or `python -m tests.bench --help`.

* `known`: the tasks' right answers; a contender that misses one stops the bench.
* `contest`: contenders, interleaved timing within some seconds, and the rows of the table.
* `ours`, `exact_peers`, `sampling_peers`: the contenders. `loops.c` is the C program among them.
* `battles`, `battle_rows`: whole battles of Warforged. `battle.c` plays them too, with what `battle_tables` hands it.
* `scaling`: studies on one worker and on two.
* `game_files`: a game told as a file, `skirmishers.toml`, and as a package.
* `explore_rows`: answers that follow a slider in a notebook; `page_rows`: the same of pages in a browser.
* `commands`: memory of 10^9 attacks and start-up times, each in a process of its own.
* `parts`: all of it in the order in which it is measured, in full and quick.
* `table`: the rows as text, Markdown and JSON.
"""
