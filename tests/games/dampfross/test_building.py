"""What a step costs in points and in fees, and bridges and causeways on a map. Rules: D2.3, D3.2-D3.5, R28, R29."""

from pathlib import Path

import pytest

from referee.core import MapError, PositionError
from referee.core.game import Player, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.board import Bridge, RailMap
from referee.games.dampfross.board.mapfile import read_map
from referee.games.dampfross.costs import fees_due, points_of
from referee.games.dampfross.editor import ATLAS
from referee.games.dampfross.report.drawing import draw
from referee.games.dampfross.state import State
from tests.games.dampfross.sketch import position, sketch
from tests.pictures import words
from tests.tables import Tables

CASES = Tables(__file__)


# What a step costs in points and in fees. Rules: D2.2-D2.6, D3.2-D3.6.

HILLS = sketch(
    {"A3": (11,)},
    mountains="C3 D3 E3",
    rivers={"A3-A4": 2, "B3-C3": 2, "D3-E3": 2, "F3-G3": 4, "A3-B3": 2},
    closed=("A3-A2",),
    sea="G1",
    abroad="P3",
)

PLAIN = sketch({"A3": (11,), "H3": (12,), "H4": (13,)})


@CASES.rows
def test_the_table_of_building_costs(start: str, end: str, points: int) -> None:
    """Rule: D2.3, the German text's figure 1 with its examples."""
    assert points_of(HILLS, "standard", start, end) == points
    assert points_of(HILLS, "standard", end, start) == points


def test_a_city_lies_in_the_plain() -> None:
    """Rule: D2.3."""
    assert points_of(PLAIN, "standard", "G3", "H3") == 1
    assert points_of(HILLS, "standard", "B3", "A3") == 3  # with the river


@CASES.rows
def test_the_third_edition_has_dearer_hills(start: str, end: str, points: int) -> None:
    """Rule: D2.3, option ``costs``: hills 4 and 6, a hill with a river as the hill."""
    assert points_of(HILLS, "rostherne-3", start, end) == points


def due(state: State, company: str, start: str, end: str) -> list[tuple[str, int, str]]:
    """Return (rival, units, why) of a step's fees."""
    return [(fee.to, fee.amount, fee.why) for fee in fees_due(state, company, start, end)]


ENTRIES = {"GSW": ("A3 B3 C3", "B3 B4"), "MGW": ("C2 C3 C4 H3",)}  # both are in C3 already


@CASES.frozen_rows
def test_what_a_step_owes_whom(track: dict[str, tuple[str, ...]], step: str, fees: tuple[object, ...]) -> None:
    state = position(PLAIN, {"GSW": step[:2], "MGW": "H3", "BNC": "H4"}, track=track)
    assert due(state, "GSW", *step.split()) == [*fees]


def test_with_each_entry_every_connection_is_paid() -> None:
    """Rule: D3.2, option ``connection_fee``."""
    state = position(PLAIN, {"GSW": "A3", "MGW": "H3"}, track=ENTRIES, connection_fee="each-entry")
    assert due(state, "GSW", "B4", "C3") == [("MGW", 1, "connection")]


@CASES.rows
def test_abroad_nothing_is_due_between_neighbouring_cities(option: str, abroad: str, units: int) -> None:
    """Rule: D3.5, R31."""
    board = sketch({"A3": (11,), "H3": (12,), "H4": (13,)}, abroad=abroad)
    state = position(board, {"GSW": "H3", "MGW": "H4"}, track={"MGW": "H4 H3"}, adjacent_cities=option)
    assert sum(amount for _, amount, _ in due(state, "GSW", "H3", "H4")) == units


@CASES.rows
def test_the_fee_between_neighbouring_cities_is_an_option(option: str, units: int) -> None:
    """Rule: D3.4, option ``adjacent_cities``."""
    state = position(PLAIN, {"GSW": "H3", "MGW": "H4"}, track={"MGW": "H4 H3"}, adjacent_cities=option)
    assert sum(amount for _, amount, _ in due(state, "GSW", "H3", "H4")) == units


# Bridges that points are banked for and causeways: read from a map, drawn, remarked on, told to players. Rule: R28,
# R29.

TEXT = (Path(__file__).parent / "maps" / "features.toml").read_text(encoding="utf-8")
DEE = 'edges = "G8-G9"\npoints = 2\n'
CAUSEWAY = '\n[[causeway]]\nname = "Long Dam"\nedges = "D4-E5 E4-E5"\n\n[cells]'


def written(dee: str = DEE, causeway: str = CAUSEWAY) -> str:
    assert TEXT.count(DEE) == 1
    return TEXT.replace(DEE, dee).replace("\n[cells]", causeway)


def map_with(dee: str = DEE, causeway: str = CAUSEWAY) -> RailMap:
    return read_map(written(dee, causeway), "x.toml")


def state_of(text: str) -> State:
    players = tuple(Player(code=code, colour=colour, name=code) for code, colour in (("GSW", "red"), ("MGW", "blue")))
    players += (Player(code="BNC", colour="green", name="BNC"),)
    setup = Setup(game="dampfross", board_name="x", board=text, preset="postal", options=(), players=players)
    state = GAME.lay_out(setup)
    assert isinstance(state, State)
    return state


def test_a_causeway_is_a_free_bridge_that_trains_use_unbuilt() -> None:
    """It opens closed water, and nothing on it has a price."""
    board = map_with()
    dam = Bridge(name="Long Dam", price=0, toll=0, built=True)
    assert board.causeways == {("D4", "E5"): dam, ("E4", "E5"): dam}
    assert board.causeways.keys() <= board.permitted
    assert not board.causeways.keys() & board.closed


def test_points_are_banked_only_where_the_map_says_so() -> None:
    assert not map_with().bridges["G8", "G9"].banked
    assert map_with(DEE + "banked = true\n").bridges["G8", "G9"].banked


@CASES.rows
def test_faults_of_a_causeway_are_named(causeway: str, says: str) -> None:
    with pytest.raises(MapError) as caught:
        map_with(causeway=f'\n[[causeway]]\nname = "Dam"\n{causeway}\n\n[cells]')
    assert [sentence for _, sentence in caught.value.faults] == [says]


def test_a_bridge_dearer_than_a_roll_is_remarked_on_unless_points_are_banked_for_it() -> None:
    dear = DEE.replace("points = 2", "points = 9")
    remark = "1 hex-side cost more than a roll of 6: G8-G9."
    assert remark in ATLAS.survey(written(dear), "x.toml").remarks
    assert remark not in ATLAS.survey(written(dear + "banked = true\n"), "x.toml").remarks


def test_causeways_are_counted_apart_from_bridges() -> None:
    assert "2 bridges, 1 causeway, 2 ferries" in ATLAS.survey(written(), "x.toml").contents


def test_the_board_names_both_and_the_legend_explains_them() -> None:
    shown = words(draw(map_with(DEE + "banked = true\n"), {}, (), {}, "x"))
    assert {"Dee Bridge 2+", "Strait Bridge 5", "Long Dam"} <= set(shown)
    assert {"price with +: points may be banked", "causeway: free for everybody"} <= set(shown)
    plain = words(draw(map_with(causeway="\n[cells]"), {}, (), {}, "x"))
    assert not {"price with +: points may be banked", "causeway: free for everybody"} & set(plain)


def test_a_map_of_causeways_alone_shows_no_bridges_in_its_legend() -> None:
    without = TEXT[: TEXT.index("[[bridge]]")] + TEXT[TEXT.index("[[ferry]]") :]
    without = without.replace("\n[cells]", '\n[[causeway]]\nname = "Dam"\nedges = "F1-G1"\n\n[cells]')
    shown = words(draw(read_map(without, "x.toml"), {}, (), {}, "x"))
    assert "causeway: free for everybody" in shown
    assert "bridge, with its price in points" not in shown


def test_every_reader_sees_what_is_banked() -> None:
    state = GAME.place(state_of(written(DEE + "banked = true\n")), {"banked": {"MGW": {"G8-G9": 1}}})
    told = {company["code"]: company["banked"] for company in GAME.view(state, "GSW")["companies"]}
    assert told == {
        "GSW": [],
        "MGW": [{"side": "G8-G9", "bridge": "Dee Bridge", "points": 1, "price": 2}],
        "BNC": [],
    }


@CASES.rows
def test_a_position_with_points_that_nobody_can_have_banked_is_a_fault(told: dict[str, object], says: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.place(state_of(written(DEE + "banked = true\n")), {"banked": told})
    assert says in str(caught.value)


def test_what_is_banked_survives_the_store() -> None:
    text = written(DEE + "banked = true\n")
    state = GAME.place(state_of(text), {"banked": {"MGW": {"G8-G9": 1}}, "rolls": [1, 2, 3]})
    setup = Setup(
        game="dampfross", board_name="x", board=text, preset="postal", options=(), players=state.table.players
    )
    assert GAME.decode(GAME.encode(state), setup).banked == {"MGW": {("G8", "G9"): 1}}
    assert GAME.place(state, GAME.facts(state)).banked == state.banked
