"""The options of a game: every row of the digest's table, with the values of each preset. Rule: D "Options and presets"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import convert

from referee.core import Texts, Value
from referee.core.agreement import Check, checks_of, choose, whole
from referee.core.game import Option


class Options(Value):
    """What was agreed before the game. Fields are the rows of the table, in its order; the last one, ``grid``, changes no rule:
    it says how letters name a hex. The defaults are preset ``postal``.

    Values with a part behind a colon (``rounds:6``) are read with ``word`` and ``number``.
    """

    order_of_building: Literal["simultaneous", "in-turn"] = "simultaneous"
    rolls_per_round: int = 3
    roll: Literal["d6", "drop-lowest", "typed"] = "d6"
    roll_per: Literal["all", "company"] = "all"
    building_ends: str = "rounds:6"
    costs: Literal["standard", "rostherne-3"] = "standard"
    connection_fee: Literal["once", "each-entry"] = "once"
    parallel_fee: int = 2
    adjacent_cities: str = "flat:3"
    home_bonus: bool = False
    late_bonus: bool = True
    homes: Literal["map", "shared", "distinct"] = "map"
    debt: Literal["allowed", "refused"] = "allowed"
    jumps: Literal[0, 1, 2] = 0
    race_schedule: Literal["sectors", "dice"] = "sectors"
    races: Option = "full"
    specials: str = "sectors"
    game_ends: str = "races"
    shortest_race: int = 3
    redraw: Literal["reroll", "next"] = "reroll"
    entries: Option = 4
    races_per_turn: Option = "round"
    toll: Literal["hexes", "hex-sides"] = "hexes"
    toll_cap: Option = 10
    toll_debt: Literal["refused", "allowed"] = "refused"
    own_share: Literal["some", "greater-part"] = "some"
    prizes: Literal["20/10", "shared"] = "20/10"
    race_building: str = "points:20"
    race_build_order: Literal["poorest-first", "clockwise-from-poorest"] = "poorest-first"
    two_players: Literal["david", "pairs"] = "pairs"
    grid: Literal["letters", "numbered"] = "letters"  # AE5, or as the numbered postal grid says it: E41


LAURIN = Options(
    order_of_building="in-turn",
    rolls_per_round=1,
    building_ends="cities-left:3",
    late_bonus=False,
    race_schedule="dice",
    specials="numbers",
    entries="unlimited",
    races_per_turn=2,
    race_building="10 per 2 races",
    race_build_order="clockwise-from-poorest",
    two_players="david",
)
SCHMIDT = Options(
    order_of_building="in-turn",
    rolls_per_round=1,
    roll_per="company",
    building_ends="cities-left:0",
    adjacent_cities="free",
    late_bonus=False,
    race_schedule="dice",
    specials="every:2",
    game_ends="target",
    shortest_race=6,
    entries="unlimited",
    races_per_turn=1,
    race_building="race-income",
)
PRESETS: Mapping[str, Options] = {"postal": Options(), "laurin": LAURIN, "schmidt": SCHMIDT}

AFTER_A_ROUND = ("points", "hexes")
TARGETS: Mapping[int, int] = {2: 250, 3: 250, 4: 225, 5: 200, 6: 200}  # units, by number of players. Rule: options


def word(value: Option) -> str:
    """Return the part before the colon: ``rounds`` of ``rounds:6``."""
    return str(value).partition(":")[0]


def number(value: Option) -> int:
    """Return the part after the colon: 6 of ``rounds:6``."""
    return int(str(value).partition(":")[2])


class Allowance(Value):
    """What option ``race_building`` lets a company build among the races. ``by``: how it is counted; ``most`` of it at a time, 0
    where a race's income says it. Rule: D7.1."""

    by: Literal["points", "hexes", "per 2 races", "race-income", "none"]
    most: int = 0


def allowed_building(options: Options) -> Allowance:
    """Return the allowance: ``points:20`` or ``hexes:3`` after a round, ``10 per 2 races`` in units after every second race."""
    value = options.race_building
    if value.endswith("per 2 races"):
        return Allowance(by="per 2 races", most=int(value.removesuffix("per 2 races")))
    return convert({"by": word(value), "most": number(value) if ":" in value else 0}, Allowance)


def choose_options(preset: str, chosen: tuple[tuple[str, Option], ...]) -> Options:
    """Return the preset's options with *chosen* set on top.

    Raises:
        OptionError: an unknown preset or option, or a value that is not in the table.
    """
    return choose(PRESETS, preset, chosen, ALLOWED, CONTRADICTIONS)


def _tag_check(least: int, most: int, tags: Texts, *words: str) -> Check:
    def check(value: Option) -> str:
        tag, _, rest = str(value).partition(":")
        fits = value in words or (tag in tags and rest.isdigit() and least <= int(rest) <= most)
        forms = [*words, *(f"{tag}:n (n from {least} to {most})" for tag in tags)]
        return "" if fits else "it is " + " or ".join(forms)

    return check


def _race_building(value: Option) -> str:
    if re.fullmatch(r"[1-9][0-9]? per 2 races", str(value)) or value in ("race-income", "none"):
        return ""
    return _tag_check(1, 99, AFTER_A_ROUND)(value) and "it is points:n, hexes:n, 'n per 2 races', race-income or none"


ALLOWED = checks_of(
    Options,
    rolls_per_round=whole(1, 6),
    building_ends=_tag_check(0, 99, ("rounds", "cities-left")),
    parallel_fee=whole(0, 9),
    adjacent_cities=_tag_check(0, 9, ("flat", "half-hex"), "free"),
    races=whole(1, 42, "full"),
    specials=_tag_check(1, 9, ("every",), "sectors", "numbers"),
    game_ends=_tag_check(30, 999, ("target",), "races", "target"),
    shortest_race=whole(1, 12),
    entries=whole(1, 42, "unlimited"),
    races_per_turn=whole(1, 9, "round"),
    toll_cap=whole(1, 99, "none"),
    race_building=_race_building,
)

# Options that cannot be played together, each with the sentence that says so.
CONTRADICTIONS: tuple[tuple[Callable[[Options], bool], str], ...] = (
    (
        lambda it: it.race_schedule == "sectors" and it.specials != "sectors",
        "race_schedule = sectors draws the specials with the sectors: set specials = sectors, or race_schedule = dice",
    ),
    (
        lambda it: it.race_schedule == "dice" and it.specials == "sectors",
        "race_schedule = dice needs specials = numbers or every:n: there are no sectors to draw them with",
    ),
    (
        lambda it: it.race_schedule == "sectors" and it.races_per_turn != "round",
        "race_schedule = sectors offers the races of a round together: set races_per_turn = round",
    ),
    (
        lambda it: it.race_schedule == "dice" and it.races_per_turn == "round",
        "race_schedule = dice has no rounds of races: say with races_per_turn how many are drawn for a turn",
    ),
    (
        lambda it: it.race_schedule == "sectors" and word(it.game_ends) == "target",
        "game_ends = target goes on until somebody has the money, but race_schedule = sectors has a fixed number of races",
    ),
    (
        lambda it: it.game_ends != "races" and it.races != "full",
        "races = n and game_ends = target contradict each other: a game ends by one of them",
    ),
    (
        lambda it: it.race_schedule == "dice" and allowed_building(it).by in AFTER_A_ROUND,
        "race_building = points:n or hexes:n comes after a round of races: with dice say 'n per 2 races', race-income or none",
    ),
    (
        lambda it: it.race_schedule == "sectors" and allowed_building(it).by == "per 2 races",
        "race_building = 'n per 2 races' belongs to race_schedule = dice: with sectors say points:n, hexes:n or none",
    ),
    (
        lambda it: it.building_ends == "rounds:0",
        "building_ends = rounds:0 leaves no round to build in",
    ),
    (
        lambda it: it.roll_per == "company" and it.roll == "typed",
        "roll = typed types one roll for everybody: set roll_per = all",
    ),
)
