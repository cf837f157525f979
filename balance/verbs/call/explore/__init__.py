"""Answers that follow sliders in a notebook: what can be set, the answer at once beside the first one, and its code.

* `subject`: what is explored, free of widgets: controls, and the outcome for any values of them.
* `question_subject`, `dice_subject`: questions and expressions of dice as such.
* `code`: the call that gives the same answer, as its user would write it.
* `before_after`: two outcomes as a table.
* `fields`, `panel`: a widget for each control, and all of them with the answer.
* `opening`: the panel where there can be one, else a sentence on why not, and the table.
"""
