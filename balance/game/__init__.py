"""The declarations that a game consists of, and the questions that can be asked of it; knows no game and runs no work.

What the author of a game needs can be imported from here:

>>> from balance.game import Game, Process, Rolls, kit
>>> kit.orders("random")
('ab', 'ba')
"""

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import Fault
from balance.catalogue import Catalogue, EntryId, Name, Record, Rules, Tables
from balance.chance.rolls.choices import Legal
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Policy, Rolls
from balance.chance.trials.lockstep import play_fixed
from balance.game import kit
from balance.game.armies.armies import Arena, Army, ArmyKind, AskedArena, army_of
from balance.game.armies.copies import Copies
from balance.game.armies.lost_actions import LostActions, acting, lost_at_start
from balance.game.game import Column, Game, Lane, PolicyKind, QuestionKind
from balance.game.setup import Asked, AskedSide, EntrantKind, Setup

__all__ = [
    "Arena",
    "Army",
    "ArmyKind",
    "Asked",
    "AskedArena",
    "AskedSide",
    "BoolArray",
    "Catalogue",
    "Column",
    "Copies",
    "EntrantKind",
    "EntryId",
    "Fault",
    "Game",
    "IntArray",
    "Lane",
    "Legal",
    "LostActions",
    "Name",
    "Policy",
    "PolicyKind",
    "Process",
    "QuestionKind",
    "Record",
    "Rolls",
    "Rules",
    "Setup",
    "State",
    "Tables",
    "acting",
    "army_of",
    "kit",
    "lost_at_start",
    "play_fixed",
]
