"""The map reader: reads the shipped map, and names every fault of a bad one with its line."""

import re
import tomllib
from pathlib import Path
from random import Random

import pytest

from referee.core import ConfigError, MapError, label_to_numbered, numbered_to_label
from referee.core.picture import Circle
from referee.core.picture.closeup import RED
from referee.games.dampfross import GAME
from referee.games.dampfross.board import (
    FORM,
    MOUNTAIN,
    PLAIN,
    RailMap,
)
from referee.games.dampfross.board.mapfile import WAYS, read_map
from referee.games.dampfross.report.picture.ground import middle
from referee.report.renderer import svg
from tests.pictures import words
from tests.tables import Tables, repeated

CASES = Tables(__file__)

# A whole small map: two cities carry the 36 keys between them, water, a foreign area with a permitted line.
SMALL = """\
format = "rrmap-1"
id = "small"
title = "Small"
cols = 5
rows = 4
home_areas = ["H"]
foreign_build = "stop"
numbered_grid = { letters = 3 }
[areas]
H = "Home"
F = "Foreign"
[home_terminals]
any = ["Aber", "Bor"]
5-6 = "any city"
[[station]]
numbers = [11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26, 31, 32, 33, 34, 35, 36]
name = "Aber"
hex = "A1"
alt = "Abertown, Old Aber"
[[station]]
numbers = [11, 41, 42, 43, 44, 45, 46, 51, 52, 53, 54, 55, 56, 61, 62, 63, 64, 65, 66]
name = "Bor"
hex = "C3"
[[junction]]
name = "Dorf"
hex = "E2"
area = "F"
[[special]]
number = 1
title = "Abroad"
hexes = "E1 E2"
[[permitted]]
edges = "D1-E1 E1-E2"
[[river]]
name = "Wet"
edges = \"\"\"
  A1-A2 A2-B1
  B2-B1\"\"\"
wide = "B2-C2"
closed = "C2-C3"
[cells]
grid = \"\"\"
     A  B  C  D  E
 1: H. H. H^ H. F.
 2: H. H. H. H. F.
 3: oo H. H. H^ --
 4: ~~ ~~ H. H. --
\"\"\"
"""


def faults_of(text: str) -> tuple[tuple[int, str], ...]:
    with pytest.raises(MapError) as caught:
        read_map(text, "small.toml")
    return caught.value.faults


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def changed(old: str, new: str) -> str:
    assert SMALL.count(old) == 1, old
    return SMALL.replace(old, new)


@pytest.fixture(scope="module")
def ireland() -> RailMap:
    return read_map(GAME.board_text("ireland"), "ireland.toml")


def test_every_shipped_map_is_read_without_a_fault() -> None:
    assert "ireland" in GAME.boards()
    for name in GAME.boards():
        assert read_map(GAME.board_text(name), name).name == name


def test_an_unknown_shipped_map_is_named_beside_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"there is no board .*mapfile"):
        GAME.board_text("../mapfile")


def test_ireland_has_the_sheet_the_stations_and_the_homes_of_the_game(ireland: RailMap) -> None:
    assert (ireland.columns, ireland.rows, len(ireland.ground), len(ireland.stations)) == (32, 36, 667, 34)
    assert sum(kind == MOUNTAIN for kind in ireland.ground.values()) == 147
    assert len(ireland.rivers) + len(ireland.closed) == 220
    assert len(ireland.closed) == 10
    assert ireland.homes == {"any": ("AD7", "AB18")}


def test_key_11_of_ireland_has_three_ends(ireland: RailMap) -> None:
    """Rule: D5.5."""
    assert ireland.ends_of[11] == ("AE5", "AC19", "AB29")
    assert sorted(ireland.ends_of) == [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]
    assert ireland.station_at["AC19"].also == ("Kingstown",)


def test_irelands_numbered_grid_starts_again_at_a(ireland: RailMap) -> None:
    assert label_to_numbered("AE5", ireland.grid_letters, ireland.rows) == "E41"
    assert numbered_to_label("E41", ireland.grid_letters, ireland.rows) == "AE5"


def test_the_small_map_is_read_as_written() -> None:
    board = read_map(SMALL, "small.toml")
    assert board.ground["C1"] == MOUNTAIN
    assert board.ground["A1"] == PLAIN
    assert board.water == {"A3": "o", "E3": "-", "A4": "~", "B4": "~", "E4": "-"}
    assert board.rivers == {("A1", "A2"): 2, ("A2", "B1"): 2, ("B1", "B2"): 2, ("B2", "C2"): 4}
    assert board.closed == {("C2", "C3")}
    assert board.homes == {"any": ("A1", "C3"), "5": ("A1", "C3"), "6": ("A1", "C3")}
    assert board.stations[0].also == ("Abertown", "Old Aber")
    assert board.is_foreign("E2")
    assert board.permitted == {("D1", "E1"), ("E1", "E2")}


@CASES.rows
def test_a_fault_is_named_with_its_line(old: str, new: str, where: str, says: str) -> None:
    text = changed(old, repeated(new))
    faults = faults_of(text)
    found = [line for line, sentence in faults if says in sentence]
    assert found == [line_of(text, where)], faults


def test_a_missing_field_is_named() -> None:
    assert faults_of(changed('hex = "C3"\n', ""))[0][1].startswith('"hex" is missing in [[station]] 2')
    assert (0, '"title" is missing in the map: words in quotes on one line (at most 300 signs) expected.') in faults_of(
        changed('title = "Small"\n', "")
    )


def test_every_fault_is_found_at_once_in_order_of_lines() -> None:
    text = SMALL.replace('hex = "C3"', 'hex = "D3"').replace("B2-B1", "B2-D1").replace("H^ H. F.", "H^ H? F.")
    text = text.replace('format = "rrmap-1"', 'format = "?"')
    faults = faults_of(text)
    assert len(faults) == 4
    assert [line for line, _ in faults] == sorted(line for line, _ in faults)


def test_one_unreadable_row_does_not_blame_the_places_on_it() -> None:
    assert len(faults_of(changed(" 3: oo H. H. H^ --", " 3: oo H. H. H^"))) == 1


def test_a_station_cut_off_by_water_is_named() -> None:
    text = changed(" 2: H. H. H. H. F.", " 2: ~~ ~~ H. H. F.").replace(
        'edges = """\n  A1-A2 A2-B1\n  B2-B1"""\nwide = "B2-C2"\n', ""
    )
    text = text.replace(" 1: H. H. H^", " 1: H. ~~ H^")
    assert [sentence for _, sentence in faults_of(text)] == [
        "Station Bor (C3) cannot be reached from Aber.",
        "Junction Dorf (E2) cannot be reached from Aber.",
        "Special 1 (Abroad): none of its hexes can be reached from Aber.",
    ]
    assert faults_of(text)[0][0] == line_of(text, 'hex = "C3"')
    assert faults_of(text)[2][0] == line_of(text, "[[special]]")


def test_no_track_goes_on_from_a_foreign_hex_unless_permitted() -> None:
    """Rule: D2.6."""
    text = changed('[[permitted]]\nedges = "D1-E1 E1-E2"\n', "").replace(" 2: H. H. H. H. F.", " 2: H. H. H. F. F.")
    text = text.replace("H^ H. F.", "H^ F. F.")
    assert "Junction Dorf (E2) cannot be reached from Aber." in [sentence for _, sentence in faults_of(text)]
    assert read_map(text.replace('"stop"', '"free"'), "small.toml").foreign_build == "free"


@pytest.mark.parametrize(
    "text", ["", "x", "cells = 3", "station = 4", 'station = ["a"]', "[[station]]\n[cells]\ngrid = 1"]
)
def test_a_file_that_is_no_map_at_all_is_faults_and_no_crash(text: str) -> None:
    assert faults_of(text)


def test_the_message_names_file_and_line() -> None:
    with pytest.raises(MapError, match=r"^small\.toml:4: "):
        read_map(changed("cols = 5", "cols = 0"), "small.toml")


# Every example in docs/maps.md is a map, or a part that fits into the whole map it begins with.

DOCS = (Path(__file__).parents[3] / "docs" / "maps.md").read_text(encoding="utf-8")
EXAMPLES: list[str] = re.findall(r"```toml\n(.*?)```", DOCS, flags=re.DOTALL)
WHOLE, *PARTS = EXAMPLES


def merged(part: str) -> str:
    """Return the whole map with the part in it: its top fields and tables take the place of those that are there."""
    text = WHOLE
    values = tomllib.loads(part)
    table = min((match.start() for match in re.finditer(r"^\[", part, flags=re.MULTILINE)), default=len(part))
    for key, value in values.items():
        if isinstance(value, dict) and f"\n[{key}]" in text:
            text = re.sub(rf"^\[{key}\]\n.*?(?=^\[)", "", text, flags=re.DOTALL | re.MULTILINE)
        elif not isinstance(value, (dict, list)) or key == "home_areas":
            text = re.sub(rf"^{key} = .*\n", "", text, flags=re.MULTILINE)
    return part[:table] + text.replace("[cells]", f"{part[table:]}\n[cells]")


def test_the_whole_map_is_in_order() -> None:
    assert read_map(WHOLE, "maps.md").title == "The Strait"


@pytest.mark.parametrize("part", PARTS, ids=[part.strip().splitlines()[0] for part in PARTS])
def test_a_part_fits_into_the_whole_map(part: str) -> None:
    read_map(merged(part), "maps.md")


@pytest.mark.parametrize("section", [*(each for each in FORM if each != "sketch"), "homes"])
def test_every_field_is_described(section: str) -> None:
    fields = FORM.get(section, (WAYS,))
    missing = [
        name for name in fields if f"`{name}`" not in DOCS and not re.search(rf"\b{name} = |\[\[?{name}\]", DOCS)
    ]
    assert missing == []


# `map draw` of maps that are not finished: each fault lies where it is, whatever is wrong.

IRELAND = GAME.board_text("ireland")


def test_a_fault_is_marked_on_the_hex_that_it_names() -> None:
    assert GAME.atlas
    text = IRELAND.replace('hex = "AB18"', 'hex = "A1"')
    drawing, faults = GAME.atlas.drawing_of_draft(text, "x.toml")
    assert faults
    rings = {shape.at for shape in drawing.shapes if isinstance(shape, Circle) and shape.style.stroke == RED}
    assert middle("A1") in rings
    shown = words(drawing)
    for line, fault in faults:
        assert any(text.startswith(f"{line}: {fault[:40]}") for text in shown)


def test_a_finished_map_is_drawn_as_it_was() -> None:
    assert GAME.atlas
    drawing, faults = GAME.atlas.drawing_of_draft(IRELAND, "x.toml")
    assert (svg(drawing), faults) == (svg(GAME.atlas.drawing(IRELAND, "x.toml")), ())


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_missing_or_wrong_a_map_is_drawn_or_its_faults_are_told(seed: int) -> None:
    """Lines are lost, doubled, and changed in one letter."""
    assert GAME.atlas
    chance = Random(seed)  # noqa: S311 (no secret)
    lines = IRELAND.splitlines()
    for _ in range(4):
        at = chance.randrange(len(lines))
        kind = chance.randrange(3)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[at])
        elif lines[at]:
            n = chance.randrange(len(lines[at]))
            lines[at] = lines[at][:n] + chance.choice('AZ09"-^ ') + lines[at][n + 1 :]
    try:
        drawing, faults = GAME.atlas.drawing_of_draft("\n".join(lines), "x.toml")
    except MapError:
        return
    listed = {*words(drawing)}
    assert all(str(number) in listed for number in range(1, len(faults) + 1))
