"""What the scenario files of Volldampf have to show."""

from collections.abc import Mapping

from referee.core import Texts
from referee.core.game import Option
from referee.games.volldampf import GAME
from referee.games.volldampf.options import Options
from tests.scenario.wanted import Wanted

# Every value of every option of Volldampf, as the digest of its rules gives them.

# The digest's default first. Of a number: 0 for none, and some of those that are taken.
VALUES: dict[str, tuple[Option, ...]] = {
    "income_max": (0, 10, 60, 999),
    "bank_limits": (False, True),
    "start_player": ("lot", "named"),
    "money_visible": (True, False),
    "removed_cards": ("hidden", "shown"),
    "bag_empty": ("skip", "owe"),
    "bond_order": ("clockwise", "turn_order", "simultaneous"),
    "bond_limit": (0, 1, 84),
    "half_bid_rounding": ("down", "up"),
    "half_pay": ("all_between", "second_passer_only_rest_full", "second_passer_only_rest_free"),
    "opening_min": (1, 0),
    "auction": ("limits", "live"),
    "build_connected": (False, True),
    "must_stop": (True, False),
    "red_passes_red": (False, True),
    "own_link_needed": (False, True),
    "round1_decline_card": (False, True),
    "decline_card_when": ("at_once", "end_of_phase"),
    "route_needed": (False, True),
    "interest_penalty": ("shortfall", "whole_interest"),
    "hands_open": (False, True),
    "steal_from": ("chosen", "random"),
    "lok_stack": (False, True),
    "subvention_when": ("own_trip", "start_of_extra_trips"),
    "subvention_stack": (False, True),
    "sabotage_scope": ("cube", "colour"),
    "sabotage_lasts": ("trip", "phase"),
    "neue_planung_phases": ("3-6", "5-6", "6"),
    "final_floor": ("none", "zero"),
    "two_player_bid": ("1-5", "any"),
    "two_player_tie": ("paid_and_repeat", "returned_and_repeat", "raise"),
    "press": ("open", "none"),
}


# Decisions of the digest that nothing in play depends on: where Dresden is drawn (03), advice to beginners (18), and what the
# service decides (72); how many there are of what is in the box is shown by what it is for.
NO_EFFECT = ("DIFF 03", "DIFF 18", "DIFF 72", "V8.1", "V8.2", "V8.3", "V8.4", "V8.7")

# A number is shown as none and as one of its values; the others are shown value by value.
NUMBERS = ("income_max", "bond_limit")
OPTION_VALUES: Mapping[str, Texts] = {
    name: ("0", "[1-9]*") if name in NUMBERS else tuple(str(value) for value in values)
    for name, values in VALUES.items()
}

PENDING = {
    "R32": "about the faults of a board file; a sketch has whatever it needs. tests/games/volldampf/test_boardfile.py",
}

WANTED = Wanted(game=GAME, options=Options, option_values=OPTION_VALUES, pending=PENDING, without=NO_EFFECT)
