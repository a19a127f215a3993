"""What the scenario files of Volldampf have to show."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.volldampf import GAME
from referee.games.volldampf.options import Options
from tests.scenario.wanted import Wanted

# Decisions of the digest that nothing in play depends on: where Dresden is drawn (03), advice to beginners (18), and what the
# service decides (72).
NO_EFFECT = (3, 18, 72)

PARAGRAPHS = (
    *(f"V1.{number}" for number in range(1, 5)),
    *(f"V2.{number}" for number in range(1, 8)),
    "V3",
    "V3.1.1",
    "V3.2.1",
    "V3.3.1",
    "V3.3.2",
    *(f"V3.4.{number}" for number in range(1, 5)),
    "V3.5.1",
    "V3.5.2",
    *(f"V3.6.{number}" for number in range(1, 6)),
    *(f"V3.7.{number}" for number in range(1, 4)),
    *(f"V4.{number}" for number in range(1, 10)),
    "V5.1",
    "V5.2",
    *(f"V6.{number}" for number in range(1, 4)),
    "V7",
    "V9",
    *(f"DIFF {number:02}" for number in range(1, 73) if number not in NO_EFFECT),
)

YES_OR_NO = ("True", "False")
OPTION_VALUES: Mapping[str, tuple[str, ...]] = {
    "income_max": ("0", "[1-9]*"),
    "bank_limits": YES_OR_NO,
    "start_player": ("lot", "named"),
    "money_visible": YES_OR_NO,
    "removed_cards": ("hidden", "shown"),
    "bag_empty": ("skip", "owe"),
    "bond_order": ("clockwise", "turn_order", "simultaneous"),
    "bond_limit": ("0", "[1-9]*"),
    "half_bid_rounding": ("down", "up"),
    "half_pay": ("all_between", "second_passer_only_rest_full", "second_passer_only_rest_free"),
    "opening_min": ("1", "0"),
    "auction": ("limits", "live"),
    "build_connected": YES_OR_NO,
    "must_stop": YES_OR_NO,
    "red_passes_red": YES_OR_NO,
    "own_link_needed": YES_OR_NO,
    "round1_decline_card": YES_OR_NO,
    "decline_card_when": ("at_once", "end_of_phase"),
    "route_needed": YES_OR_NO,
    "interest_penalty": ("shortfall", "whole_interest"),
    "hands_open": YES_OR_NO,
    "steal_from": ("chosen", "random"),
    "lok_stack": YES_OR_NO,
    "subvention_when": ("own_trip", "start_of_extra_trips"),
    "subvention_stack": YES_OR_NO,
    "sabotage_scope": ("cube", "colour"),
    "sabotage_lasts": ("trip", "phase"),
    "neue_planung_phases": ("3-6", "5-6", "6"),
    "final_floor": ("none", "zero"),
    "two_player_bid": ("1-5", "any"),
    "two_player_tie": ("paid_and_repeat", "returned_and_repeat", "raise"),
    "press": ("open", "none"),
}

PENDING = {
    "R32": "about the faults of a board file; a sketch has whatever it needs. tests/games/volldampf/test_boardfile.py",
}

WANTED = Wanted(game=GAME, options=Options, paragraphs=PARAGRAPHS, option_values=OPTION_VALUES, pending=PENDING)
