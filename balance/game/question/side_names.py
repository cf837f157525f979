"""What the sides of a question are called, and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from balance.game.question.question import Question

__all__ = ["name_and_cost"]


def name_and_cost(question: Question, side: str, entrant: str) -> tuple[str, int]:
    """Return the name and cost of a side after overrides where the game tells them, else as the catalogue has them.

    Parameters
    ----------
    question
        The question.
    side
        Name of the side.
    entrant
        Id of its entrant.

    >>> from balance.game.loaded import load
    >>> shot = load("warforged").attack("nexus+assault_rifle", "whisper")
    >>> name_and_cost(shot, "attacker", shot.entrants[0])
    ('Nexus + Assault Rifle', 38)
    """
    side_inputs, game = question.inputs.get(side), question.game
    facts = side_inputs if isinstance(side_inputs, dict) else {}
    name = facts["name"] if "name" in facts else game.label(entrant)
    return str(name), int(facts["cost_points"] if "cost_points" in facts else game.cost_points(entrant))
