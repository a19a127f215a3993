"""Every scenario file comes out as it says, and there is one for each paragraph, option value, verb and kind of event."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.games.dampfross import GAME
from referee.games.dampfross.options import Options
from referee.orderbook import Book
from referee.resources import order_texts
from referee.scenario import read_scenario, run_scenario
from referee.scenario.file import Scenario
from referee.scenario.telling import verdict_lines

GAMES = Path(__file__).parent / "games"
FILES = sorted(GAMES.glob("*/scenarios/*.toml"))
RULINGS = Path(__file__).parent.parent / "referee" / "games" / "dampfross" / "RULINGS.md"

PARAGRAPHS = (
    *(f"D1.{number}" for number in (1, 2, 3)),
    *(f"D2.{number}" for number in range(1, 8)),
    *(f"D3.{number}" for number in range(1, 7)),
    *(f"D4.{number}" for number in range(1, 5)),
    *(f"D5.{number}" for number in range(1, 7)),
    *(f"D6.{number}" for number in range(1, 11)),
    "D7.1",
    "D7.2",
    "D8.1",
    "D8.2",
    "D9",
    *(f"D10 {title}" for title in ("Bavaria", "Russia", "Kentucky & Tennessee", "Ireland")),
)

# Every value of the table of options; a pattern stands for the values of one form. A preset does not count: the file says it.
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
}

# What has no scenario yet, each with the reason. An entry that is covered after all must go.
PENDING: Mapping[str, str] = {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_scenario_comes_out_as_its_file_says(file: Path) -> None:
    result = run_scenario(read_scenario(file))
    assert not result.differences, "\n".join(verdict_lines(result))


@cache
def dampfross() -> tuple[Scenario, ...]:
    """Return the scenarios of the game."""
    return tuple(read_scenario(file) for file in FILES if file.parent.parent.name == "dampfross")


def rulings() -> tuple[str, ...]:
    """Return the numbers of the rulings."""
    return tuple(re.findall(r"^- \*\*(R\d+)\*\*", RULINGS.read_text("utf-8"), re.MULTILINE))


def expected_events() -> Iterator[Mapping[str, Any]]:
    """Yield every event that some scenario expects."""
    for scenario in dampfross():
        for expect in (scenario.expect, *(turn.expect for turn in scenario.turns)):
            yield from expect.get("events", [])


def option_values() -> set[str]:
    """Return the values of options that some scenario sets itself, as ``name=form``."""
    chosen = {(name, str(value)) for scenario in dampfross() for name, value in scenario.setup.options}
    return {
        f"{name}={form}"
        for name, forms in OPTION_VALUES.items()
        for form in forms
        if any(option == name and fnmatchcase(value, form) for option, value in chosen)
    }


def verbs() -> set[str]:
    """Return the verbs with which some line of some scenario's letters begins."""
    book = Book.of(**order_texts("dampfross"))
    lines = [
        line
        for each in dampfross()
        for turn in each.turns
        for text in turn.orders.values()
        for line in text.split("\n")
    ]
    return {
        verb.name
        for verb in book.of_kind("order")
        for line in lines
        if re.match(rf"({'|'.join(map(re.escape, verb.aliases))})\b", line)
    }


def missing() -> set[str]:
    """Return everything that no scenario shows."""
    book = Book.of(**order_texts("dampfross"))
    covered = {paragraph for scenario in dampfross() for paragraph in scenario.paragraphs}
    wanted = {*PARAGRAPHS, *rulings()}
    wanted |= {f"{name}={form}" for name, forms in OPTION_VALUES.items() for form in forms}
    wanted |= {f"preset {name}" for name in GAME.presets}
    wanted |= {f"event {kind.__name__}" for kind in GAME.event_kinds}
    wanted |= {f"verb {verb.name}" for verb in book.of_kind("order")}
    covered |= option_values()
    covered |= {f"preset {scenario.setup.preset}" for scenario in dampfross()}
    covered |= {f"event {event['kind']}" for event in expected_events()}
    covered |= {f"verb {name}" for name in verbs()}
    return wanted - covered


def test_everything_has_a_scenario() -> None:
    assert missing() - set(PENDING) == set()


def test_what_is_pending_has_no_scenario_yet() -> None:
    assert set(PENDING) - missing() == set(), "these are covered now: take them out of PENDING"


def test_the_paragraphs_of_scenarios_exist() -> None:
    known = {*PARAGRAPHS, *rulings()}
    wrong = {f"{each.file}: {name}" for each in dampfross() for name in each.paragraphs if name not in known}
    assert wrong == set()


def test_the_table_of_option_values_is_that_of_the_code() -> None:
    assert set(OPTION_VALUES) == {field.name for field in fields(Options)}


def test_each_file_begins_with_the_paragraph_it_is_about() -> None:
    """``d3_2_each_entry.toml`` proves D3.2."""
    for scenario in dampfross():
        match = re.match(r"([dr])(\d+)(?:_(\d+))?_", Path(scenario.file).name)
        if match:
            number = f"{match[1].upper()}{match[2]}" + (f".{match[3]}" if match[3] else "")
            assert any(paragraph.split()[0] == number for paragraph in scenario.paragraphs), scenario.file
