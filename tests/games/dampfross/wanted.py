"""What the scenario files of Dampfross have to show."""

from collections.abc import Mapping

from referee.games.dampfross import GAME
from referee.games.dampfross.options import Options
from tests.scenario.wanted import Wanted

OPTION_VALUES: Mapping[str, tuple[str, ...]] = {
    "order_of_building": ("simultaneous", "in-turn"),
    "rolls_per_round": ("[1-9]",),
    "roll": ("d6", "drop-lowest", "typed"),
    "roll_per": ("all", "company"),
    "building_ends": ("rounds:*", "cities-left:*"),
    "costs": ("standard", "rostherne-3"),
    "connection_fee": ("once", "each-entry"),
    "parallel_fee": ("[0-9]",),
    "adjacent_cities": ("flat:*", "half-hex:*", "free"),
    "home_bonus": ("True", "False"),
    "late_bonus": ("True", "False"),
    "homes": ("map", "shared", "distinct"),
    "debt": ("allowed", "refused"),
    "jumps": ("0", "1", "2"),
    "race_schedule": ("sectors", "dice"),
    "races": ("full", "[1-9]*"),
    "specials": ("sectors", "numbers", "every:*"),
    "game_ends": ("races", "target", "target:*"),
    "shortest_race": ("[1-9]*",),
    "redraw": ("reroll", "next"),
    "entries": ("[1-9]*", "unlimited"),
    "races_per_turn": ("round", "[1-9]"),
    "toll": ("hexes", "hex-sides"),
    "toll_cap": ("[1-9]*", "none"),
    "toll_debt": ("refused", "allowed"),
    "own_share": ("some", "greater-part"),
    "prizes": ("20/10", "shared"),
    "race_building": ("* per 2 races", "points:*", "hexes:*", "race-income", "none"),
    "race_build_order": ("poorest-first", "clockwise-from-poorest"),
    "two_players": ("david", "pairs"),
    "grid": ("letters", "numbered"),
}

# The maps are named by their titles: D10 Ireland.
MAPS = ("D10.1", "D10.2", "D10.3", "D10.4")

WANTED = Wanted(game=GAME, options=Options, option_values=OPTION_VALUES, without=MAPS)
