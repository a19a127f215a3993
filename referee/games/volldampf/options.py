"""The options of a game: every decision of the digest that an umpire can switch, with the values of each preset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import convert

from referee.core import Value
from referee.core.agreement import checks_of, choose, whole
from referee.core.game import Option
from referee.core.texts.shipped import shipped_table

MOST_BONDS = 84  # points in the box


class Options(Value):
    """What was agreed before the game. Fields stand in the order of the digest; the defaults are preset ``referee``."""

    income_max: int = 0  # 0: none. DIFF 05
    bank_limits: bool = False  # DIFF 06
    start_player: Literal["lot", "named"] = "lot"  # DIFF 07
    money_visible: bool = True  # DIFF 08
    removed_cards: Literal["hidden", "shown"] = "hidden"  # DIFF 09
    bag_empty: Literal["skip", "owe"] = "skip"  # DIFF 12
    bond_order: Literal["clockwise", "turn_order", "simultaneous"] = "clockwise"  # DIFF 16
    bond_limit: int = 0  # 0: none. DIFF 17
    half_bid_rounding: Literal["down", "up"] = "down"  # DIFF 19
    half_pay: Literal["all_between", "second_passer_only_rest_full", "second_passer_only_rest_free"] = (
        "all_between"  # DIFF 20
    )
    opening_min: Literal[1, 0] = 1  # DIFF 21
    auction: Literal["limits", "live"] = "limits"  # V9
    build_connected: bool = False  # DIFF 26
    must_stop: bool = True  # DIFF 29
    red_passes_red: bool = False  # DIFF 30
    own_link_needed: bool = False  # DIFF 32
    round1_decline_card: bool = False  # DIFF 33
    decline_card_when: Literal["at_once", "end_of_phase"] = "at_once"  # DIFF 34
    route_needed: bool = False  # DIFF 35
    interest_penalty: Literal["shortfall", "whole_interest"] = "shortfall"  # DIFF 36
    hands_open: bool = False  # DIFF 40
    steal_from: Literal["chosen", "random"] = "chosen"  # DIFF 42
    lok_stack: bool = False  # DIFF 44
    subvention_when: Literal["own_trip", "start_of_extra_trips"] = "own_trip"  # DIFF 46
    subvention_stack: bool = False  # DIFF 47
    sabotage_scope: Literal["cube", "colour"] = "cube"  # DIFF 51
    sabotage_lasts: Literal["trip", "phase"] = "trip"  # DIFF 52
    neue_planung_phases: Literal["3-6", "5-6", "6"] = "3-6"  # DIFF 62
    final_floor: Literal["none", "zero"] = "none"  # DIFF 65
    two_player_bid: Literal["1-5", "any"] = "1-5"  # DIFF 67
    two_player_tie: Literal["paid_and_repeat", "returned_and_repeat", "raise"] = "paid_and_repeat"  # DIFF 68
    press: Literal["open", "none"] = "open"  # DIFF 70


PRESETS: Mapping[str, Options] = {
    name: convert(chosen, Options) for name, chosen in shipped_table(__package__, "presets").items()
}


def choose_options(preset: str, chosen: tuple[tuple[str, Option], ...]) -> Options:
    """Return the preset's options with *chosen* set on top.

    Raises:
        OptionError: an unknown preset or option, a value that is not allowed, two that contradict each other.
    """
    return choose(PRESETS, preset, chosen, ALLOWED, CONTRADICTIONS)


ALLOWED = checks_of(Options, income_max=whole(10, 999, 0), bond_limit=whole(1, MOST_BONDS, 0))

# Options that cannot be played together, each with the sentence that says so.
CONTRADICTIONS: tuple[tuple[Callable[[Options], bool], str], ...] = (
    (
        lambda it: it.red_passes_red and not it.must_stop,
        "red_passes_red = true is an exception to must_stop = true: with must_stop = false every cube may pass its colour",
    ),
)
