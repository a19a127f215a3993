"""A mapmaker's remarks: what plays badly is named, what plays well is not."""

from __future__ import annotations

import pytest

from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.editor import approach, remarks, summary

KEYS = [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]


def board_of(cells: str, towns: dict[str, str], extra: str = "", homes: str = 'any = "any city"') -> RailMap:
    """Return a map of one area and a foreign one (F). *towns*: name to hex; the first has all keys left over."""
    rows = cells.strip().splitlines()
    columns = len(rows[0].split())
    names = list(towns)
    keys = {name: [key] for name, key in zip(names[1:], KEYS, strict=False)}
    keys[names[0]] = KEYS[len(names) - 1 :]
    stations = "".join(f'[[station]]\nnumbers = {keys[n]}\nname = "{n}"\nhex = "{towns[n]}"\n' for n in names)
    grid = "\n".join(f"{n}: {row.strip()}" for n, row in enumerate(rows, start=1))
    return read_map(
        f'format = "rrmap-1"\nid = "x"\ntitle = "X"\ncols = {columns}\nrows = {len(rows)}\nhome_areas = ["H"]\n'
        f'foreign_build = "stop"\n[areas]\nH = "Home"\nF = "Far"\n[home_terminals]\n{homes}\n'
        f'{stations}{extra}[cells]\ngrid = """\n{grid}\n"""\n',
        "x.toml",
    )


NEAR = {"Aber": "A1", "Bor": "C1", "Cor": "E1", "Dor": "G1"}
LAND = "H. H. H. H. H. H. H. H. H. H. H. H. H. H. H. H. H. H. H. H."


def test_a_map_without_oddities_gets_no_remark() -> None:
    assert remarks(board_of("H. H. H. H. H. H. H.", NEAR)) == ()


def test_a_town_that_costs_three_times_the_usual_is_named() -> None:
    assert remarks(board_of(LAND, NEAR | {"Far End": "Q1"})) == (
        "Far End (Q1) is dear to reach: 10 points from Dor, the nearest town; half of the towns cost 2 or less.",
    )


def test_a_town_that_three_rolls_reach_is_never_dear() -> None:
    assert remarks(board_of(LAND.replace(" H.", "", 7), NEAR | {"Far End": "M1"})) == ()


@pytest.mark.parametrize(
    ("edges", "before"),
    [
        ("C1-C2 C2-D1", ""),
        ("A1-A2 B1-C1", ""),  # both end at the sheet's edge
        ("C1-D1 C2-D2 C1-C2", "C2-D2"),
        ("C2-C3 F2-F3 F2-G2 F2-G3 C2-D2", "F2-F3"),
    ],
)
def test_a_river_with_a_gap_is_named(edges: str, before: str) -> None:
    river = f'[[river]]\nname = "Wet"\nedges = "{edges}"\n'
    found = remarks(board_of("\n".join(["H. H. H. H. H. H. H."] * 4), NEAR, river))
    gap = f"River Wet has a gap before {before}: nothing that stands before joins it."
    assert found == ((gap,) if before else ())


def test_a_side_that_no_roll_pays_is_no_way() -> None:
    board = board_of(
        "H. H. H^ H^ H. H.", {"Aber": "A1", "Bor": "B1", "Cor": "F1"}, '[[river]]\nname = "W"\nedges = "C1-D1"\n'
    )
    assert remarks(board) == (
        "Cor (F1) can be reached from no other town with rolls up to 6.",
        "1 hex-side cost more than a roll of 6: C1-D1.",
    )
    assert approach(board, ("F1",), ("A1", "B1")) is None
    assert approach(board, ("C1",), ("A1", "B1")) == (3, "B1")


def test_a_ferry_is_a_way_and_may_be_too_dear() -> None:
    ferry = '[[ferry]]\nname = "Boat"\nends = "B1-D1"\npoints = %s\ntoll = 3\n'
    towns = {"Aber": "A1", "Bor": "B1", "Cor": "D1"}
    assert remarks(board_of("H. H. ~~ H.", towns, ferry % 2)) == ()
    assert "Ferry Boat (B1-D1) costs 7: more than a roll of 6." in remarks(board_of("H. H. ~~ H.", towns, ferry % 7))


def test_remote_hexes_and_ends_of_specials_are_named() -> None:
    special = '[[special]]\nnumber = 1\ntitle = "Away"\nhexes = "T1 S1"\n[[special]]\nnumber = 2\ntitle = "Near"\nhexes = "H1"\n'
    assert remarks(board_of(LAND, {"Aber": "A1", "Bor": "B1", "Cor": "C1", "Dor": "D1"}, special)) == (
        "Special 1 (Away) is dear to reach: 15 points from the nearest town.",
        "4 hexes cost more than 12 points from the nearest town: Q1, R1, S1, T1.",
    )


def test_foreign_hexes_behind_the_first_are_no_end() -> None:
    special = '[[special]]\nnumber = 1\ntitle = "Away"\nareas = ["F"]\n'
    assert remarks(board_of("H. H. F. F.", {"Aber": "A1", "Bor": "B1"}, special)) == (
        "Special 1 (Away): no way to D1.",
        "1 hex cannot be reached from any town: D1.",
    )


def test_numbers_of_companies_without_a_home_are_named() -> None:
    board = board_of("H. H. H.", {"Aber": "A1", "Bor": "C1"}, homes='3-4 = ["Aber"]')
    assert remarks(board) == ("There are no home terminals for 5 or 6 companies.",)


@pytest.mark.parametrize("name", GAME.boards())
def test_the_shipped_maps_play_well(name: str) -> None:
    """Every hex can be built in, every end of a special has a price; one town alone is dear, and its file says why."""
    board = read_map(GAME.board_text(name), name)
    told = remarks(board)
    assert [
        remark for remark in told if "cannot be reached" in remark or "no way" in remark or "Special" in remark
    ] == []
    dear = [remark for remark in told if "is dear to reach" in remark]
    assert [remark.split(" (")[0] for remark in dear] == (["Workuta"] if name == "russia" else [])
    assert summary(board).startswith(board.title)
