"""Every scenario file comes out as it says, and there is one for each paragraph, option value, verb and kind of event."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields

from referee.orderbook import OrderLanguage
from referee.resources import order_texts
from referee.scenario import read_scenarios, run_scenario
from referee.scenario.file import Scenario, is_paragraph
from referee.scenario.run import verdict_lines
from tests.games.dampfross.wanted import WANTED as DAMPFROSS
from tests.games.volldampf.wanted import WANTED as VOLLDAMPF
from tests.scenario.wanted import Wanted

GAMES = Path(__file__).parent / "games"
FILES = sorted(GAMES.glob("*/scenarios/*.toml"))

each_game = pytest.mark.parametrize("wanted", [DAMPFROSS, VOLLDAMPF], ids=lambda wanted: wanted.game.name)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.parent.name}-{file.stem}")
def test_a_scenario_comes_out_as_its_file_says(file: Path) -> None:
    for scenario in read_scenarios(file):
        result = run_scenario(scenario)
        assert not result.differences, "\n".join(verdict_lines(result))
        every = [
            event for told in result.turns for event in told.events if event["kind"] != "Ruled"
        ]  # its own paragraph
        printed = {event["paragraph"] for event in every if event["paragraph"]}
        assert {name for name in printed if not is_paragraph(name, scenario.game.paragraphs())} == set()


@cache
def scenarios(game: str) -> tuple[Scenario, ...]:
    """Return the scenarios of a game."""
    files = (file for file in FILES if file.parent.parent.name == game)
    return tuple(scenario for file in files for scenario in read_scenarios(file))


def expected_events(game: str) -> Iterator[Mapping[str, Any]]:
    """Yield every event that some scenario expects."""
    for scenario in scenarios(game):
        for expect in (scenario.expect, *(turn.expect for turn in scenario.turns)):
            yield from expect.get("events", [])
            yield from ({"kind": kind} for kind, listed in expect.get("exactly", {}).items() if listed)


def option_values(wanted: Wanted) -> set[str]:
    """Return the values of options that some scenario sets itself, as ``name=form``."""
    chosen = {(name, str(value)) for each in scenarios(wanted.game.name) for name, value in each.setup.options}
    return {
        f"{name}={form}"
        for name, forms in wanted.option_values.items()
        for form in forms
        if any(option == name and fnmatchcase(value, form) for option, value in chosen)
    }


def verbs(game: str) -> set[str]:
    """Return the verbs with which some line of some scenario's letters begins."""
    language = OrderLanguage.of(**order_texts(game))
    lines = [
        line
        for each in scenarios(game)
        for turn in each.turns
        for text in turn.orders.values()
        for line in text.split("\n")
    ]
    return {
        verb.name
        for verb in language.of_kind("order")
        for line in lines
        if re.match(rf"({'|'.join(map(re.escape, verb.aliases))})\b", line)
    }


def missing(wanted: Wanted) -> set[str]:
    """Return everything that no scenario of a game shows."""
    game = wanted.game
    language = OrderLanguage.of(**order_texts(game.name))
    covered = {paragraph for scenario in scenarios(game.name) for paragraph in scenario.paragraphs}
    needed = {*wanted.paragraphs, *wanted.rulings}
    needed |= {f"{name}={form}" for name, forms in wanted.option_values.items() for form in forms}
    needed |= {f"preset {name}" for name in game.presets}
    needed |= {f"event {kind.__name__}" for kind in game.event_kinds}
    needed |= {f"verb {verb.name}" for verb in language.of_kind("order")}
    covered |= option_values(wanted)
    covered |= {f"preset {scenario.setup.preset}" for scenario in scenarios(game.name)}
    covered |= {f"event {event['kind']}" for event in expected_events(game.name)}
    covered |= {f"verb {name}" for name in verbs(game.name)}
    return needed - covered


@each_game
def test_everything_has_a_scenario(wanted: Wanted) -> None:
    assert missing(wanted) - set(wanted.pending) == set()


@each_game
def test_what_is_pending_has_no_scenario_yet(wanted: Wanted) -> None:
    assert set(wanted.pending) - missing(wanted) == set(), "these are covered now: take them out of what is pending"


@each_game
def test_the_paragraphs_of_scenarios_exist(wanted: Wanted) -> None:
    known = {*wanted.paragraphs, *wanted.rulings}
    wrong = {
        f"{each.file}: {name}" for each in scenarios(wanted.game.name) for name in each.paragraphs if name not in known
    }
    assert wrong == set()


@each_game
def test_the_table_of_option_values_is_that_of_the_code(wanted: Wanted) -> None:
    assert set(wanted.option_values) == {field.name for field in fields(wanted.options)}


@each_game
def test_each_file_begins_with_the_paragraph_it_is_about(wanted: Wanted) -> None:
    """``d3_2_each_entry.toml`` proves D3.2, ``r1_bent_run.toml`` R1, ``v3_4_3_half_bids_….toml`` V3.4.3."""
    for scenario in scenarios(wanted.game.name):
        match = re.match(r"([drv])((?:\d+_)+)", Path(scenario.file).name)
        if match:
            told = [paragraph.split()[0] for paragraph in scenario.paragraphs]
            whole = f"{match[1].upper()}{match[2].rstrip('_').replace('_', '.')}"
            assert whole in told, scenario.file


def test_every_scenario_belongs_to_a_game_that_is_checked() -> None:
    assert {file.parent.parent.name for file in FILES} == {DAMPFROSS.game.name, VOLLDAMPF.game.name}
