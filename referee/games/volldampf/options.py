"""The options of a game: every decision of the digest that an umpire can switch, with the values of each preset."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.agreement import Check, choose, one_of
from referee.core.game import Option
from referee.core.values import Value

MOST_BONDS = 84  # points in the box


class Options(Value):
    """What was agreed before the game. Fields stand in the order of the digest; the defaults are preset ``referee``."""

    income_max: int = 0  # 0: none. DIFF 05
    bank_limits: bool = False  # DIFF 06
    start_player: str = "lot"  # lot, named. DIFF 07
    money_visible: bool = True  # DIFF 08
    removed_cards: str = "hidden"  # hidden, shown. DIFF 09
    bag_empty: str = "skip"  # skip, owe. DIFF 12
    bond_order: str = "clockwise"  # clockwise, turn_order, simultaneous. DIFF 16
    bond_limit: int = 0  # 0: none. DIFF 17
    half_bid_rounding: str = "down"  # down, up. DIFF 19
    half_pay: str = "all_between"  # all_between, second_passer_only_rest_full, second_passer_only_rest_free. DIFF 20
    opening_min: int = 1  # 1, 0. DIFF 21
    auction: str = "limits"  # limits, live. V9
    build_connected: bool = False  # DIFF 26
    must_stop: bool = True  # DIFF 29
    red_passes_red: bool = False  # DIFF 30
    own_link_needed: bool = False  # DIFF 32
    round1_decline_card: bool = False  # DIFF 33
    decline_card_when: str = "at_once"  # at_once, end_of_phase. DIFF 34
    route_needed: bool = False  # DIFF 35
    interest_penalty: str = "shortfall"  # shortfall, whole_interest. DIFF 36
    hands_open: bool = False  # DIFF 40
    steal_from: str = "chosen"  # chosen, random. DIFF 42
    lok_stack: bool = False  # DIFF 44
    subvention_when: str = "own_trip"  # own_trip, start_of_extra_trips. DIFF 46
    subvention_stack: bool = False  # DIFF 47
    sabotage_scope: str = "cube"  # cube, colour. DIFF 51
    sabotage_lasts: str = "trip"  # trip, phase. DIFF 52
    neue_planung_phases: str = "3-6"  # 3-6, 5-6, 6. DIFF 62
    final_floor: str = "none"  # none, zero. DIFF 65
    two_player_bid: str = "1-5"  # 1-5, any. DIFF 67
    two_player_tie: str = "paid_and_repeat"  # paid_and_repeat, returned_and_repeat, raise. DIFF 68
    press: str = "open"  # open, none. DIFF 70


# By mail: three letters a round. Rule: V9.
POST = Options(bond_order="simultaneous", decline_card_when="end_of_phase")
# Each of the three texts where it says something else than the digest's default; where it is silent the default holds.
ENGLISH = Options(
    start_player="named",
    half_bid_rounding="up",
    half_pay="second_passer_only_rest_full",
    two_player_bid="any",
)
FRENCH = Options(
    bond_order="turn_order",
    must_stop=False,
    round1_decline_card=True,
    interest_penalty="whole_interest",
    sabotage_scope="colour",
    two_player_tie="raise",
)
DUTCH = Options(
    start_player="named",
    half_pay="second_passer_only_rest_free",
    round1_decline_card=True,
)
PRESETS: Mapping[str, Options] = {
    "post": POST,
    "referee": Options(),
    "english": ENGLISH,
    "french": FRENCH,
    "dutch": DUTCH,
}


def choose_options(preset: str, chosen: tuple[tuple[str, Option], ...]) -> Options:
    """Return the preset's options with *chosen* set on top.

    Raises:
        OptionError: an unknown preset or option, a value that is not allowed, two that contradict each other.
    """
    return choose(PRESETS, preset, chosen, ALLOWED, CONTRADICTIONS)


def _whole(least: int, most: int) -> Check:
    def check(value: Option) -> str:
        fits = isinstance(value, int) and not isinstance(value, bool) and (value == 0 or least <= value <= most)
        return "" if fits else f"it is 0 (none) or a number from {least} to {most}"

    return check


_YES_OR_NO = one_of(True, False)

ALLOWED: Mapping[str, Check] = {
    "income_max": _whole(10, 999),
    "bank_limits": _YES_OR_NO,
    "start_player": one_of("lot", "named"),
    "money_visible": _YES_OR_NO,
    "removed_cards": one_of("hidden", "shown"),
    "bag_empty": one_of("skip", "owe"),
    "bond_order": one_of("clockwise", "turn_order", "simultaneous"),
    "bond_limit": _whole(1, MOST_BONDS),
    "half_bid_rounding": one_of("down", "up"),
    "half_pay": one_of("all_between", "second_passer_only_rest_full", "second_passer_only_rest_free"),
    "opening_min": one_of(1, 0),
    "auction": one_of("limits", "live"),
    "build_connected": _YES_OR_NO,
    "must_stop": _YES_OR_NO,
    "red_passes_red": _YES_OR_NO,
    "own_link_needed": _YES_OR_NO,
    "round1_decline_card": _YES_OR_NO,
    "decline_card_when": one_of("at_once", "end_of_phase"),
    "route_needed": _YES_OR_NO,
    "interest_penalty": one_of("shortfall", "whole_interest"),
    "hands_open": _YES_OR_NO,
    "steal_from": one_of("chosen", "random"),
    "lok_stack": _YES_OR_NO,
    "subvention_when": one_of("own_trip", "start_of_extra_trips"),
    "subvention_stack": _YES_OR_NO,
    "sabotage_scope": one_of("cube", "colour"),
    "sabotage_lasts": one_of("trip", "phase"),
    "neue_planung_phases": one_of("3-6", "5-6", "6"),
    "final_floor": one_of("none", "zero"),
    "two_player_bid": one_of("1-5", "any"),
    "two_player_tie": one_of("paid_and_repeat", "returned_and_repeat", "raise"),
    "press": one_of("open", "none"),
}

# Options that cannot be played together, each with the sentence that says so.
CONTRADICTIONS: tuple[tuple[Callable[[Options], bool], str], ...] = (
    (
        lambda it: it.red_passes_red and not it.must_stop,
        "red_passes_red = true is an exception to must_stop = true: with must_stop = false every cube may pass its colour",
    ),
)
