"""What the reply to an order letter foretells: today's board, nobody else moving."""

import json
from collections.abc import Mapping
from itertools import chain, combinations, pairwise
from typing import Any

import pytest

from referee.bots.dampfross import answer
from referee.core import Complaint, SeededDice
from referee.core.game import Outcome, Player, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.board import Bridge
from referee.games.dampfross.events import CityConnected, Event, FeePaid, JumpMade, PointsBanked, TrackLaid
from referee.games.dampfross.forecast import forecast
from referee.games.dampfross.notation import TIE
from referee.games.dampfross.state import Build, Order, Piece, Route, Run, State
from referee.orderbook import OrderLanguage, read_text
from referee.report.templates import Stationery
from referee.resources import order_texts, template_folders
from tests.games.dampfross.sketch import build, home, piece, play, position, race, run, sketch
from tests.games.lines import unnumbered
from tests.tables import Tables

CASES = Tables(__file__)


BOARD = sketch({"A3": (11,), "D6": (12,), "P3": (13,)}, homes="A3 P3")
ROW = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"


def building() -> State:
    """Return a building round where MGW has a line out of GSW's home."""
    return position(BOARD, {"GSW": "A3", "MGW": "A3"}, track={"MGW": "A3 B3 C3"}, rolls=(2, 4, 6))


def codes(state: State, *orders: Order) -> list[tuple[str, int, str]]:
    """Return (code, line, paragraph) of the complaints about GSW's orders."""
    return [(each.code, each.line, each.paragraph) for each in forecast(state, "GSW", orders).complaints]


def test_cost_left_fees_and_bonus_of_each_roll() -> None:
    told = forecast(building(), "GSW", (build(1, "A3 B3"), build(3, "B3 C3"))).told["companies"][0]
    first, second, third = told["rolls"]
    assert (first["cost"], first["left"], first["text"].replace(TIE, " ")) == (1, 1, "(City A3) - B3 [-3 MGW]")
    assert (second["cost"], second["left"], second["text"]) == (0, 4, "")
    assert (third["cost"], third["left"], third["text"].replace(TIE, " ")) == (1, 5, "(B3) - C3 [-5 MGW]")
    assert told["money"]["paid"] == [{"code": "MGW", "amount": 8}]
    assert told["balance"] == 20


def test_each_order_has_a_line_in_canonical_form() -> None:
    state = position(BOARD, {"GSW": "", "MGW": ""})
    told = forecast(state, "GSW", (home("P3"), build(1, "P3 P4 P5")))
    assert told.lines == ("HOME City P3", "1a) (City P3) - P5")
    assert told.told["companies"][0]["home"] == "City P3"
    assert told.complaints == ()


def racing(sides: int, **balance: int) -> State:
    """Return a racing round: the last *sides* hex-sides of row 3 are MGW's, the others GSW's."""
    row = ROW.split()
    track = {"GSW": (" ".join(row[: 16 - sides]),), "MGW": (" ".join(row[15 - sides :]),)}
    races = tuple(race(number, 11, 13) for number in range(1, 7))
    return position(BOARD, {"GSW": "A3", "MGW": "P3"}, track=track, balance=balance, races=races)


FAULT = Complaint(code="invalid-two-ways", line=3, paragraph="R1")
UNREAD = Build(roll=1, pieces=(Piece(path=("A3", "A4"), fault=FAULT), piece("A4 A5")), line=3)
RUNS = tuple(run(number, ROW) for number in range(1, 7))


@pytest.mark.parametrize(
    ("state", "orders", "expected"),
    [
        # What stops a piece is an error on the order's line; a fault of the writing was complained of when it was read.
        (building(), (build(1, "A3 A4 A5 A6").but(line=7),), [("illegal-over-budget", 7, "D4.3")]),
        (building(), (UNREAD,), []),
        (building(), (build(3, "A5 A6"), build(1, "A3 A4 A5")), []),  # on what an earlier roll lays
        (racing(15), RUNS[:1], [("illegal-no-own-track", 0, "D6.2")]),
        (racing(4), (run(1, "A3 B3 C3"),), [("illegal-wrong-end", 0, "D5.5")]),
        # What others may still cure is a warning: netting, the races before, an entry that falls.
        (racing(10), RUNS[:1], [("warning-toll-cap", 0, "D6.4")]),
        (racing(9), RUNS[:1], []),
        (racing(9, GSW=9), RUNS[:1], [("warning-toll-debt", 0, "D6.3")]),
        (racing(4), RUNS, [("warning-too-many-entries", 0, "D5.6")]),
        (racing(4), RUNS[:4], []),
        (racing(4, GSW=1), (build(1, "A3 A4 A5"),), [("warning-unpaid-later", 0, "D7.1")]),
    ],
)
def test_what_is_wrong_today_is_said(
    state: State, orders: tuple[Order, ...], expected: list[tuple[str, int, str]]
) -> None:
    assert codes(state, *orders) == expected


def test_an_entry_is_told_with_length_and_tolls() -> None:
    told = forecast(racing(4), "GSW", (run(1, ROW),)).told["companies"][0]
    (entry,) = told["entries"]
    assert (entry["race"], entry["start"]["key"], entry["end"]["name"]) == (1, 11, "City P3")
    assert entry["routes"][0]["length"] == 15
    assert entry["routes"][0]["tolls"] == [{"code": "MGW", "amount": 5}]
    assert told["limit"] == 4


@CASES.rows
def test_where_the_referee_finds_no_route_it_says_what_is_in_the_way(
    sides: int, end: int, most: int, code: str
) -> None:
    """Rule: D6.2, D6.4."""
    state = racing(sides).but(races=(race(1, 11, end),))
    sought = Run(race=1, routes=(Route(path=(), over=(), aim="fastest", most=most),))
    assert codes(state, sought) == [(code, 0, "D6.2")]


def test_a_joint_run_reminds_of_the_partners_order() -> None:
    """Rule: D6.5."""
    told = forecast(racing(12), "GSW", (run(1, ROW, partner="MGW"),))
    assert [each.code for each in told.complaints] == ["note-needs-partner"]
    assert told.told["companies"][0]["entries"][0]["routes"][0]["tolls"] == []


def test_a_forecast_changes_nothing() -> None:
    state = building()
    before = dict(state.track), dict(state.balance)
    forecast(state, "GSW", (build(1, "A3 B3"),))
    assert (dict(state.track), dict(state.balance)) == before


# Where an order is cut into pieces changes nothing of what is laid, jumped and paid. Rule: D4.2, R8.

# RED's line lies along row 3; BLU and GRN meet beyond it, in the same steps.
CITIES = {"A3": (11,), "C1": (12,), "D6": (13,), "G5": (14,), "A1": (15,), "A2": (16,)}
BRIDGED = sketch(CITIES).but(bridges={("G5", "G6"): Bridge(name="Britannia", price=9, banked=True)})
HOMES = {"RED": "A3", "BLU": "C1", "GRN": "D6"}
TRACK = {"RED": ("A3 B3 C3 D3 E3 F3 G3 H3",)}
# BLU builds down to RED's line, jumps twice along it, and banks what is left for a bridge.
BLU = Piece(path=("C1", "C2", "C3", "E3", "E4", "E5", "F5", "G5", "G6"), jumps=(3,))
AGAIN = Piece(path=("C2", "D2", "D3", "F3", "F4", "G4"), jumps=(3,))
GRN = {"GRN": (build(1, "D6 D5 E5 E4 F4 G4"), build(2, "E5 F5 G5"))}
TOLD = (TrackLaid, JumpMade, FeePaid, CityConnected, PointsBanked)


def cut(whole: Piece, places: tuple[int, ...]) -> tuple[Piece, ...]:
    """Return a piece cut at these indexes of its path."""
    return tuple(
        Piece(
            path=whole.path[start : end + 1],
            jumps=tuple(jump - start for jump in whole.jumps if start < jump <= end),
        )
        for start, end in pairwise((0, *places, len(whole.path) - 1))
    )


def every_cut(whole: Piece) -> list[tuple[Piece, ...]]:
    """Return all ways to cut a piece."""
    inside = range(1, len(whole.path) - 1)
    places = chain.from_iterable(combinations(inside, count) for count in range(len(inside) + 1))
    return [cut(whole, each) for each in places]


def happened(outcome: Outcome) -> list[Event]:
    """Return what was laid, jumped, paid and banked, without the numbers of pieces."""
    events = [event for event in outcome.events if isinstance(event, TOLD)]
    return [event if isinstance(event, FeePaid | CityConnected) else event.but(piece=1) for event in events]


def played(state: State, orders: Mapping[str, tuple[Build, ...]]) -> tuple[list[Event], State]:
    outcome = play(state, orders)
    return happened(outcome), outcome.state


def test_a_roll_cut_into_pieces_is_the_same_roll() -> None:
    """Rule: D4.2, D4.3, R8: also where the next piece begins with a jump."""
    state = position(BRIDGED, HOMES, track=TRACK, jumps=2, rolls=(8, 6, 6))
    whole = played(state, {"BLU": (build_of(1, BLU), build_of(2, AGAIN)), **GRN})
    assert [len([event for event in whole[0] if isinstance(event, kind)]) for kind in TOLD] == [17, 2, 12, 1, 1]
    for first in every_cut(BLU):
        for second in every_cut(AGAIN) if first == (BLU,) else [(AGAIN,)]:
            cuts = {"BLU": (build_of(1, *first), build_of(2, *second)), **GRN}
            assert played(state, cuts) == whole, (first, second)


def test_a_building_between_races_cut_into_pieces_is_the_same_building() -> None:
    """Rule: D7.1, R32: what the first building does not pay for is gone on with at the next, in whatever piece it lies."""
    races = tuple(race(number, 11, 12) for number in (1, 2, 3, 4))
    options: dict[str, Any] = {
        "race_schedule": "dice",
        "specials": "numbers",
        "races_per_turn": 4,
        "race_building": "4 per 2 races",
    }
    state = position(BRIDGED, HOMES, track=TRACK, races=races, jumps=1, **options)
    whole = played(state, {"BLU": (build_of(1, BLU),)})
    assert [event.left for event in whole[0] if isinstance(event, TrackLaid)] == [3, 2, 1, 0, 3, 2]
    for first in every_cut(BLU):
        assert played(state, {"BLU": (build_of(1, *first),)}) == whole, first


def build_of(roll: int, *pieces: Piece) -> Build:
    """Return the order for a roll with these pieces."""
    return Build(roll=roll, pieces=pieces)


# Orders as the acknowledgement prints them come back in a letter without marks of quotation: they are the same
# orders.

BOOK = OrderLanguage.of(**order_texts("dampfross"))
STATIONERY = Stationery(lambda game: template_folders(game, None), strict=True)


def agreed(pairs: bool) -> Setup:
    """Return the opening of a game on Ireland with two rounds of building."""
    second = {"GSW": ("BNC", "green"), "MGW": ("WLW", "pink")} if pairs else {}
    codes = (("GSW", "red"), ("MGW", "blue")) if pairs else (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
    players = tuple(
        Player(
            code=code,
            colour=colour,
            name=code,
            second_code=second.get(code, ("", ""))[0],
            second_colour=second.get(code, ("", ""))[1],
        )
        for code, colour in codes
    )
    return Setup(
        game="dampfross",
        board_name="ireland",
        board=GAME.board_text("ireland"),
        preset="postal",
        options=(("building_ends", "rounds:2"),),
        players=players,
    )


def opened(pairs: bool) -> State:
    """Return the opening of such a game."""
    state = GAME.start(GAME.lay_out(agreed(pairs)), SeededDice("pasted/0")).state
    assert isinstance(state, State)
    return state


def printed(state: State, player: str, orders: tuple[Any, ...]) -> str:
    """Return the part of an acknowledgement that tells a player's orders."""
    forecast = GAME.forecast(state, player, orders)
    values = {"forecast": forecast, "prices": GAME.prices(agreed(pairs=False))}
    return STATIONERY.text("forecast.txt.j2", "dampfross", "en", "UTC", values)


def sent(state: State, player: str, text: str) -> tuple[Any, ...]:
    return GAME.understand(state, player, read_text(text, BOOK.naming(GAME.lexicon(state))).phrases).orders


def check(state: State, player: str, orders: tuple[Any, ...]) -> None:
    """Fail unless the orders come back as they are, in a block and without one."""
    told = printed(state, player, orders)
    for pasted in (told, f"ORDERS RR1\n{told}END\n"):
        reading = read_text(pasted, BOOK.naming(GAME.lexicon(state)))
        again = GAME.understand(state, player, reading.phrases).orders
        assert (reading.complaints, reading.unread, reading.quoted) == ((), (), ()), told
        assert unnumbered(again) == unnumbered(orders), told


def test_what_the_acknowledgement_prints_is_read_as_the_same_orders() -> None:
    """Costs, tolls and rolls stand behind a bar, fees in brackets: nothing of it is complained of or left unread."""
    state = opened(pairs=True)
    for turn in range(1, 4):
        seen = json.loads(json.dumps(GAME.view(state, None)))
        taken = {player: sent(state, player, "\n".join(answer(seen, player))) for player in ("GSW", "MGW")}
        for player, orders in taken.items():
            check(state, player, orders)
        state = GAME.adjudicate(state, taken, SeededDice(f"pasted/{turn}")).state


@CASES.rows
def test_an_order_that_cannot_be_obeyed_whole_comes_back_whole(text: str) -> None:
    state = opened(pairs=False)
    check(state, "GSW", sent(state, "GSW", text))


@CASES.rows
def test_entries_and_building_between_races_come_back(text: str) -> None:
    """What the referee finds for FASTEST, and the other end of OR, stand behind a bar."""
    board = sketch({"A1": (11,), "D1": (12,)}, homes="A1 D1")
    track = {"GSW": ("A1 B1",), "MGW": ("A1 B1 C1 D1",)}
    homes = {"GSW": "A1", "MGW": "D1", "BNC": "D1"}
    state = position(board, homes, track=track, races=race(1, 11, 12), jumps=2)
    named = text.replace("Ardee", "City A1").replace("Boyle", "City D1")
    orders = sent(state, "GSW", named)
    assert orders
    check(state, "GSW", orders)


def test_a_bridge_that_points_are_banked_for_comes_back_with_its_order() -> None:
    """What is laid today ends before the bridge; the order goes on over it. Rule: R28."""
    bridge = {("B1", "C1"): Bridge(name="Great Bridge", price=9, banked=True)}
    board = sketch({"A1": (11,), "D1": (12,)}, homes="A1 D1").but(bridges=bridge)
    state = position(board, {"GSW": "A1"})
    orders = sent(state, "GSW", "1a) (City A1) - C1")
    assert "points banked for Great Bridge" in printed(state, "GSW", orders)
    check(state, "GSW", orders)
