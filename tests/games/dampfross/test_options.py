"""Options: the table in docs/options.md is what the code plays, and contradictions are refused with a sentence."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import asdict

from referee.core import OptionError, SeededDice, distance
from referee.core.game import Option
from referee.games.dampfross import GAME
from referee.games.dampfross.board import RailMap, ends_of
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.draws import crow_flies, draw_races
from referee.games.dampfross.options import ALLOWED, PRESETS, Options, choose_options
from referee.games.dampfross.state import Race
from tests.games.dampfross.sketch import ireland, play, position
from tests.tables import Tables

CASES = Tables(__file__)


ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs" / "options.md"
RULINGS = ROOT / "referee" / "games" / "dampfross" / "RULINGS.md"

DIGEST: Mapping[str, tuple[Option, ...]] = CASES.frozen("DIGEST")
# Where the German text says otherwise it wins; each departure has its ruling.
DEPARTURES: Mapping[tuple[str, str], tuple[Option, str]] = {
    ("race_build_order", "laurin"): ("clockwise-from-poorest", "R33"),
}


def table() -> dict[str, list[str]]:
    """Return the rows of the table: option, then its values and the value in each preset."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    return {name: [cell.strip() for cell in rest.split("|")] for name, rest in rows}


def shown(value: object) -> str:
    """Return a value as the table writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_the_table_names_every_option_and_no_other() -> None:
    assert list(table()) == list(asdict(Options())) == list(ALLOWED)


@pytest.mark.parametrize(("column", "preset"), list(enumerate(("postal", "laurin", "schmidt"), start=1)))
def test_the_table_tells_the_presets(column: int, preset: str) -> None:
    told = {name: cells[column] for name, cells in table().items()}
    assert told == {name: shown(value) for name, value in asdict(PRESETS[preset]).items()}


@pytest.mark.parametrize(("column", "preset"), list(enumerate(("postal", "laurin", "schmidt"))))
def test_the_presets_are_the_digests_but_for_the_departures_named_here(column: int, preset: str) -> None:
    played = asdict(PRESETS[preset])
    departures = {
        name: (DIGEST[name][column], value) for name, value in played.items() if value != DIGEST[name][column]
    }
    named = {name: (DIGEST[name][column], value) for (name, of), (value, _) in DEPARTURES.items() if of == preset}
    assert departures == named


def test_every_departure_from_the_digest_has_its_ruling() -> None:
    rulings = RULINGS.read_text("utf-8")
    for (name, preset), (value, ruling) in DEPARTURES.items():
        (told,) = re.findall(rf"^- \*\*{ruling}\*\* .*(?:\n  .*)*", rulings, re.MULTILINE)
        assert f"preset `{preset}`" in told
        assert f"`{name} = {value}`" in told


@pytest.mark.parametrize("name", list(ALLOWED))
def test_every_value_of_the_table_is_accepted_and_others_are_refused(name: str) -> None:
    for value in re.split(r", | or ", table()[name][0]):
        words = value.removesuffix(" per half-hex").removesuffix(" hex-sides").removesuffix(" a round")
        sample = re.sub(r"\bn\b", "40" if name == "game_ends" else "2", words)
        read: str | int | bool = sample
        if sample in ("true", "false"):
            read = sample == "true"
        elif sample.isdigit():
            read = int(sample)
        assert ALLOWED[name](read) == "", (name, read)
    assert ALLOWED[name]("nonsense")


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_contradicts_nothing(preset: str) -> None:
    assert choose_options(preset, ()) == PRESETS[preset]


@CASES.frozen_rows
def test_a_contradiction_is_refused_with_a_sentence(preset: str, chosen: tuple[str, str | int], words: str) -> None:
    with pytest.raises(OptionError, match=re.escape(words)):
        choose_options(preset, (chosen,))


def test_an_unknown_option_or_value_names_what_there_is() -> None:
    with pytest.raises(OptionError, match=r"'jump' is not known; there are: .*jumps"):
        choose_options("postal", (("jump", 1),))
    with pytest.raises(OptionError, match="jumps = 3: it is one of 0, 1, 2"):
        choose_options("postal", (("jumps", 3),))
    with pytest.raises(
        OptionError, match=r"race_building = '10 per 5 races': it is points:n, hexes:n, 'n per 2 races'"
    ):
        choose_options("laurin", (("race_building", "10 per 5 races"),))
    with pytest.raises(OptionError, match=r"preset 'queen' is not known"):
        choose_options("queen", ())


# The races of a postal game on Ireland. Rule: D5.6, postal practice 1.5, R13.

KEYS = [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]
SEEDS = [f"seed {number}" for number in range(30)]


def drawn(seed: str) -> tuple[Race, ...]:
    """Return the schedule of a seed."""
    return draw_races(ireland(), SeededDice(seed), 7, 3)


@cache
def kentucky() -> RailMap:
    """Return the shipped map with six specials."""
    return read_map(GAME.board_text("kentucky_tennessee"), "kentucky_tennessee.toml")


def keys_of(races: tuple[Race, ...]) -> list[int]:
    """Return starts and destinations in rising order."""
    return sorted(key for race in races for key in (race.start, race.end))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_schedule_of_a_postal_game(seed: str) -> None:
    """36 races, 6 a round in rounds 7 to 12, numbered through; sectors spread evenly; no race too short, none twice."""
    races = drawn(seed)
    assert [race.number for race in races] == list(range(1, 37))
    assert [race.round for race in races] == [round_number for round_number in range(7, 13) for _ in range(6)]
    assert all(race.status == "open" for race in races)
    for half in (races[:18], races[18:]):
        assert keys_of(half) == KEYS
    for first in range(0, 36, 6):
        of_round = races[first : first + 6]
        sectors = Counter(key // 10 for key in keys_of(of_round))
        assert sectors == dict.fromkeys(range(1, 7), 2)
        pairs = [frozenset((race.start // 10, race.end // 10)) for race in of_round]
        assert len(set(pairs)) == 6
        assert all(len(pair) == 2 for pair in pairs)
    assert len({frozenset((race.start, race.end)) for race in races}) == 36
    assert all(crow_flies(ireland(), race.start, race.end) >= 3 for race in races)


def test_every_sector_races_every_other() -> None:
    """Postal practice 1.1: in each half all fifteen pairs meet."""
    for half in (drawn("x")[:18], drawn("x")[18:]):
        assert len({frozenset((race.start // 10, race.end // 10)) for race in half}) == 15


def test_the_same_seed_draws_the_same_races_and_another_seed_others() -> None:
    assert drawn("x") == drawn("x")
    assert drawn("x") != drawn("y")


def test_a_race_with_key_eleven_is_measured_from_the_nearest_of_its_three_harbours() -> None:
    """Rule: D5.4, D5.5."""
    board = ireland()
    assert len(ends_of(board, 11)) == 3
    (belfast,) = ends_of(board, 21)
    assert crow_flies(board, 11, 21) == min(distance(harbour, belfast) for harbour in ends_of(board, 11))


@CASES.frozen_rows
def test_fewer_specials_take_turns(specials: int, times: tuple[int, ...]) -> None:
    """Rule: R30: twelve races of 42 go to a special, two in each round, whatever their number; each key comes up twice."""
    board = kentucky().but(specials=kentucky().specials[:specials])
    races = draw_races(board, SeededDice("seed"), 7, 3)
    ends = [sorted((race.start, race.end)) for race in races]
    assert [sum(low < 10 for low, _ in ends[first : first + 7]) for first in range(0, 42, 7)] == [2] * 6
    assert Counter(low for low, _ in ends if low < 10) == dict(enumerate(times, start=1))
    assert Counter(key for pair in ends for key in pair if key > 10) == dict.fromkeys(KEYS, 2)


def test_a_sketch_without_some_keys_has_no_races_by_sectors() -> None:
    few = {key: hexes for key, hexes in ireland().ends_of.items() if key not in (34, 56)}
    with pytest.raises(OptionError, match=r"all 36 keys; in 'Ireland' 2 are missing, the first of them 34"):
        draw_races(ireland().but(ends_of=few), SeededDice("seed"), 7, 3)


@CASES.rows
def test_a_short_game_knows_before_its_races_are_drawn_how_many_rounds_it_has(races: str | int, rounds: int) -> None:
    """Rule: D5.6, D9."""
    state = position(ireland(), {"GSW": "AB18", "MGW": "AD7"}, round_number=2)
    options = choose_options("postal", (("building_ends", "rounds:2"), ("races", races)))
    state = state.but(table=state.table.but(options=options))
    ended = play(state, {}).state
    assert (state.last_round, ended.last_round) == (rounds, rounds)
