"""Everything a real map may have is read as written, and every fault in it is named with its line."""

from pathlib import Path

import pytest

from referee.core import MapError, fold
from referee.games.dampfross import GAME
from referee.games.dampfross.board import Bridge, Ferry, RailMap
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.editor import approach, remarks, summary
from referee.games.dampfross.names import places
from tests.tables import Tables

CASES = Tables(__file__)


TEXT = (Path(__file__).parent / "maps" / "features.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def board() -> RailMap:
    return read_map(TEXT, "features.toml")


def shipped(name: str) -> RailMap:
    return read_map(GAME.board_text(name), name)


def faults_of(text: str) -> tuple[tuple[int, str], ...]:
    with pytest.raises(MapError) as caught:
        read_map(text, "features.toml")
    return caught.value.faults


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) == 1, old
    return TEXT.replace(old, new)


def test_minor_towns_pay_three_or_what_the_map_says(board: RailMap) -> None:
    """Rule: D3.1."""
    paid = {station.name: (station.bonus, station.minor) for station in board.stations}
    assert paid["Alton"] == (6, False)
    assert paid["Crail"] == (3, True)
    assert paid["Ebb"] == (2, True)


def test_towns_in_an_area_without_bonus_pay_nothing(board: RailMap) -> None:
    paid = {station.name: station.bonus for station in board.stations if board.area[station.hex] == "C"}
    assert paid == {"Loam": 0, "Mead": 0}


def test_two_minor_towns_share_a_key(board: RailMap) -> None:
    """Rule: D5.5."""
    assert board.ends_of[16] == ("D1", "C3")


def test_both_grids_may_name_a_hex(board: RailMap) -> None:
    """The numbered grid starts again at A after its last letter: C17 on nine rows is K8."""
    assert {station.name: station.hex for station in board.stations}["Rook"] == "K8"
    assert read_map(changed('ends = "G5-K3"', 'ends = "G5-C12"'), "x").ferries == board.ferries
    header = changed("A  B  C  D  E  F  G  H  I  J  K  L", "A  B  C  D  E  F  G  H  A  B  C  D")
    assert read_map(header, "x").area == board.area


def test_homes_by_number_of_companies_with_quotas(board: RailMap) -> None:
    """Rule: D1.3."""
    assert board.homes["2"] == ("A5", "J9")
    assert board.homes["3"] == ("A5",)
    assert len(board.homes["6"]) == len(board.stations)
    assert board.start_quota == {"4": {"A5": 2, "J9": 2}}
    assert board.first_round_ways == 2


def test_a_bridge_opens_closed_water_at_its_own_price(board: RailMap) -> None:
    assert board.bridges == {
        ("F1", "G1"): Bridge(name="Strait Bridge", price=5, toll=4, single=True),
        ("G8", "G9"): Bridge(name="Dee Bridge", price=2, toll=None, single=False),
    }
    assert ("F1", "G1") not in board.closed
    faults = [
        sentence
        for _, sentence in faults_of(
            TEXT.replace("[[bridge]]", "[[priced]]", 1).replace(
                'name = "Strait Bridge"\nedges = "F1-G1"\npoints = 5\ntoll = 4\nsingle = true',
                'edges = "F1-G1"\npoints = 5',
            )
        )
    ]
    assert faults == ["Hex-side F1-G1 of [[priced]] 1 is closed by river Strait: it has no price."]


def test_ferries_join_hexes_over_water(board: RailMap) -> None:
    assert board.ferries == {
        ("E3", "I3"): Ferry(name="Sound Ferry", price=5, toll=3, owners=1, moves=2),
        ("G5", "K3"): Ferry(name="Night Boat", price=6, toll=4, owners=2, moves=3),
    }


def test_a_ferry_alone_makes_an_island_reachable() -> None:
    bridge = TEXT[TEXT.index('[[bridge]]\nname = "Strait') : TEXT.index("# A bridge anybody")]
    without = TEXT.replace(bridge, "")
    assert read_map(without, "x").bridges.keys() == {("G8", "G9")}
    ferries = without[without.index("[[ferry]]") : without.index("# Nobody builds into")]
    cut_off = [sentence for _, sentence in faults_of(without.replace(ferries, ""))]
    assert "Station Holm (H2) cannot be reached from Alton." in cut_off


def test_forbidden_hexes_are_walled_in_but_for_the_open_side(board: RailMap) -> None:
    around = {("A8", "B8"), ("A9", "B8"), ("B7", "B8"), ("B8", "C8"), ("B8", "C9")}
    assert around <= board.closed
    assert ("B8", "B9") not in board.closed
    assert ("D2", "D3") in board.closed


def test_a_priced_hex_side_has_its_price_in_full(board: RailMap) -> None:
    assert board.prices == {("H7", "H8"): 4, ("H7", "I8"): 4}


def test_special_ends_are_hexes_towns_or_regions(board: RailMap) -> None:
    """Rule: D5.1."""
    ends = {special.number: special.hexes for special in board.specials}
    assert ends[1] == ("J5", "J6")
    assert ends[2] == ("K7", "L8")
    assert ends[3] == ("J5", "J6", "K7", "L8")  # the mountain L7 is no plain, K5 is two hexes abroad
    assert ends[4] == ("G5", "E3", "I6")  # Quayside is another name of Quay
    assert set(ends[5]) == {label for label, letter in board.area.items() if letter == "F"}
    assert ends[6] == ("L7", "K7")


def test_races_are_counted_as_the_map_says_or_as_the_rules_do(board: RailMap) -> None:
    """Rule: D5.1."""
    assert (board.race_count, board.special_races) == (21, (4, 7, 11, 14, 18, 21))
    silent = read_map(changed("transports = { total = 21, special = [4, 7, 11, 14, 18, 21] }\n", ""), "x")
    assert (silent.race_count, silent.special_races) == (21, (4, 7, 11, 14, 18, 21))
    ireland = shipped("ireland")
    assert (ireland.race_count, ireland.special_races) == (18, ())


@CASES.rows
def test_a_fault_is_named_with_its_line(old: str, new: str, where: str, says: str) -> None:
    text = changed(old, new)
    faults = faults_of(text)
    found = [line for line, sentence in faults if says in sentence]
    assert found == [text[: text.index(where)].count("\n") + 1], faults


def test_the_facts_of_bavaria() -> None:
    """Rule: D10."""
    board = shipped("bavaria")
    at = {station.hex: station for station in board.stations}
    assert {at[label].name for label in board.homes["any"]} == {"München", "Nürnberg"}
    junctions = {junction.hex: junction.name for junction in board.junctions}
    ends = [{junctions[label] for label in special.hexes} for special in board.specials]
    assert [special.title for special in board.specials][:5] == [
        "Württemberg",
        "Hessen",
        "Thüringen",
        "Böhmen",
        "Österreich",
    ]
    assert [len(names) for names in ends] == [4, 2, 2, 3, 4, 5]
    assert not any(board.is_foreign(label) for label in board.specials[5].hexes)
    assert board.foreign_build == "stop"
    assert board.permitted


def test_the_facts_of_russia() -> None:
    """Rule: D1.3, D10."""
    board = shipped("russia")
    keys = {station.name: station.keys for station in board.stations}
    assert (keys["Moskwa"], keys["Wjatka"], keys["Zarizyn"], keys["St. Petersburg"]) == (
        (51, 52, 53),
        (23,),
        (62,),
        (11, 12),
    )
    assert board.homes == {"any": (board.ends_of[51][0],)}
    assert board.first_round_ways == 1
    assert [special.title for special in board.specials] == [
        "Finljandija or Estonija",
        "Latvija or Belorussija",
        "Ukraina",
        "Ukraina",
        "Grusija or Aserbaidschan",
        "Kasachstan",
    ]
    assert board.specials[2].hexes == board.specials[3].hexes
    assert sum(len(special.hexes) for special in board.specials) == 87 + len(board.specials[3].hexes)


def test_the_facts_of_kentucky_and_tennessee() -> None:
    """Rule: D1.3, D2.6, D10."""
    board = shipped("kentucky_tennessee")
    names = {station.name: station.hex for station in board.stations}
    assert board.homes["3"] == (names["Louisville"],)
    assert board.start_quota == {"4": {names["Louisville"]: 2, names["Nashville"]: 2}}
    assert len(board.homes["5"]) == len(board.homes["6"]) == len(board.stations)
    assert "any" not in board.homes
    assert board.foreign_build == "free"
    assert [len(special.hexes) for special in board.specials] == [2, 5, 3, 5, 7, 10]
    for label in board.specials[0].hexes:  # every way over the Mississippi costs 4 more
        ways = {crossing: points for crossing, points in board.rivers.items() if label in crossing}
        assert ways
        assert set(ways.values()) == {4}


EXONYMS = {
    "bavaria": {
        "Nürnberg": "Nuremberg Neurenberg Nuernberg Nurnberg",
        "München": "Munich Muenchen",
        "Regensburg": "Ratisbonne",
        "Salzburg": "Salzbourg",
        "Eger": "Cheb",
        "Taus": "Domažlice Domazlice",
        "Garmisch": "Garmisch-Partenkirchen Partenkirchen",
    },
    "russia": {
        "Moskwa": "Moscow Moskau Moscou Moskou Moskva",
        "St. Petersburg": "Sankt-Petersburg Saint-Pétersbourg Sint-Petersburg Leningrad",
        "Woronesh": "Voronezh Voronej Voronezj",
        "Zarizyn": "Tsaritsyn Stalingrad Wolgograd",
    },
    "ireland": {"Dún Laoghaire": "Kingstown Dun-Laoghaire", "Portlaoise": "Maryborough", "Londonderry": "Derry"},
}


@pytest.mark.parametrize("name", EXONYMS)
def test_towns_are_known_by_what_they_are_called_in_four_languages(name: str) -> None:
    board = shipped(name)
    known = {fold(term.name): term.value for term in places(board)}
    towns = {place.name: place.hex for place in board.named}
    for town, others in EXONYMS[name].items():
        assert {known.get(fold(other)) for other in (town, *others.split())} == {towns[town]}


# A mapmaker's remarks: what plays badly is named, what plays well is not.

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


@CASES.rows
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
