"""A turn as the newsletter tells it, and its score table. Postal practice 1.6, 1.8."""

import re
from typing import Any

import pytest

from referee.core import neighbours
from referee.core.game import Outcome
from referee.games.dampfross.events import Event, FeePaid, PrizePaid, TollPaid, TrackLaid, TrainMoved
from referee.games.dampfross.notation import TIE, format_order, money_of, rolls_view
from referee.games.dampfross.report.prices import help_lines, priced_lines, race_lines
from referee.games.dampfross.report.story import story
from referee.games.dampfross.report.summary import summary
from referee.games.dampfross.state import Build, ChooseHome, Order, Piece, State
from tests.games.dampfross.recordedgames import usual_game
from tests.games.dampfross.sketch import build, home, ireland, play, position, race, run, sketch
from tests.tables import Tables

WholeGame = tuple[State, tuple[Event, ...]]

CASES = Tables(__file__)


BOARD = sketch({"A3": (11,), "D3": (12,), "D6": (13,)}, homes="A3 D3")
WAY = "A3 B3 C3 D3"


def tale(outcome: Outcome) -> dict[str, Any]:
    """Return the story of a turn."""
    return story(outcome.state, outcome.events, None)


def building() -> dict[str, Any]:
    """Return the story of a building round: GSW and MGW build, BNC says nothing."""
    state = position(BOARD, {"GSW": "A3", "MGW": "", "BNC": "D3"}, rolls=(4, 5, 6), track={"GSW": ("A3 A4", "D5")})
    orders: dict[str, tuple[Order, ...]] = {
        "GSW": (build(1, "A3 B3"), build(2, "D5 D6")),
        "MGW": (home("A3"), build(2, "A3 B3", "G1 G2")),
    }
    return tale(play(state, orders))


def test_a_building_round() -> None:
    told = building()
    assert (told["phase"], told["round"]) == ("build", 1)
    assert told["homes"] == [{"code": "MGW", "place": "City A3"}]
    gsw, mgw, bnc = told["companies"]
    assert [roll["text"].replace(TIE, " ") for roll in gsw["rolls"]] == ["(City A3) - B3", "(D5) - City D6 [+6]", ""]
    assert [roll["text"].replace(TIE, " ") for roll in mgw["rolls"]] == ["", "(City A3) - B3 [-3 GSW]", ""]
    assert [roll["label"] for roll in gsw["rolls"]] == ["1a)", "1b)", "1c)"]
    assert [stop["piece"] for stop in mgw["rolls"][1]["stops"]] == [2]
    assert (gsw["built"], bnc["built"]) == (True, False)
    assert (gsw["before"], gsw["balance"], mgw["balance"], bnc["balance"]) == (20, 29, 17, 20)


def test_the_score_table_of_a_building_round() -> None:
    """Brought forward, bonus, fees received, fees paid, carried forward; fees sum to zero."""
    table = building()["table"]
    assert [row["cells"] for row in table["rows"]] == [[20, 6, 3, 0, 29], [20, 0, 0, -3, 17], [20, 0, 0, 0, 20]]
    assert table["sums"] == [60, 6, 3, -3, 66]
    assert table["balanced"] is True


def racing() -> dict[str, Any]:
    """Return the story of a racing round: race 1 run by two with tolls, 2 by a joint train, 3 by nobody; then builds."""
    homes = dict.fromkeys(("GSW", "MGW", "BNC"), "A3")
    state = position(
        BOARD,
        homes,
        track={"GSW": WAY, "MGW": "A3 B3", "BNC": "A3 A4"},
        races=(race(1, 11, 12), race(2, 12, 11), race(3, 11, 13)),
    )
    back = "D3 C3 B3 A3"
    orders = {
        "GSW": (run(1, WAY), run(2, back, partner="MGW")),
        "MGW": (run(1, WAY), run(2, partner="GSW"), build(1, "A3 A2")),
        "BNC": (run(1, "A3 A4 A5"), build(1, "A4 A5 A6")),
    }
    return tale(play(state, orders, {"race/1/1/GSW": 3, "race/1/1/MGW": 5}))


def test_a_race_with_its_payments_gross_in_both_directions() -> None:
    """Postal practice 1.6: ``20-3[GSW]``; who did not enter has only income."""
    first = racing()["races"][0]
    assert (first["number"], first["status"], first["start"]["name"], first["sum"]) == (1, "run", "City A3", 30)
    gross = [(line["change"], *line["paid"], *line["received"]) for line in first["lines"]]
    assert gross == [(13, {"code": "MGW", "amount": 3}), (17, {"code": "GSW", "amount": 3})]
    assert [(train["train"], train["place"], train["prizes"]) for train in first["trains"]] == [
        ("MGW", 1, {"MGW": 20}),
        ("GSW", 2, {"GSW": 10}),
    ]
    assert [train["throws"] for train in first["trains"]] == [[5], [3]]
    assert [(entry.company, entry.complaint.paragraph) for entry in first["refused"]] == [("BNC", "D5.5")]


def test_who_comes_in_without_a_prize_is_told_with_a_place_and_who_does_not_without() -> None:
    """Rule: D6.7, D6.8: of five trains two are first, one comes in third, two are still on the way."""
    codes = ("GSW", "MGW", "BNC", "DSE", "GNR")
    state = position(BOARD, dict.fromkeys(codes, "A3"), track=dict.fromkeys(codes, (WAY,)), races=race(1, 11, 12))
    throws = {"GSW": 4, "MGW": 4, "BNC": 3, "DSE": 1, "GNR": 2}
    (told,) = tale(
        play(state, {code: (run(1, WAY),) for code in codes}, {f"race/1/1/{code}": n for code, n in throws.items()})
    )["races"]
    assert [(train["train"], train["place"], train["equal"], train["prizes"]) for train in told["trains"]] == [
        ("GSW", 1, True, {"GSW": 15}),
        ("MGW", 1, True, {"MGW": 15}),
        ("BNC", 3, False, {}),
        ("DSE", 0, False, {}),
        ("GNR", 0, False, {}),
    ]


def test_a_joint_race_and_a_race_nobody_entered() -> None:
    joint, nobody = racing()["races"][1:]
    assert [(train["train"], train["prizes"]) for train in joint["trains"]] == [("GSW+MGW", {"GSW": 10, "MGW": 10})]
    assert [line["prizes"] for line in joint["lines"]] == [10, 10]
    assert (nobody["status"], nobody["trains"], nobody["lines"]) == ("carried", [], [])


def test_the_score_table_of_a_racing_round() -> None:
    """A column for each race that was run (30 or 20), one for the builds; crosswise it adds up."""
    table = racing()["table"]
    assert table["races"] == [1, 2]
    assert [row["cells"] for row in table["rows"]] == [[20, 13, 10, 0, 43], [20, 17, 10, -1, 46], [20, 0, 0, -2, 18]]
    assert table["sums"] == [60, 30, 20, -3, 107]
    assert table["balanced"] is True


def test_builds_of_a_racing_round() -> None:
    gsw, mgw, bnc = sorted(racing()["companies"], key=lambda each: ["GSW", "MGW", "BNC"].index(each["code"]))
    assert [roll["label"] for roll in mgw["rolls"]] == ["7)"]
    assert (mgw["rolls"][0]["text"], mgw["money"]["spent"], mgw["balance"]) == ("(City A3) - A2", 1, 46)
    assert (gsw["built"], bnc["rolls"][0]["text"]) == (False, "(A4) - A6")


def test_the_ranking_shares_places() -> None:
    """Rule: D9."""
    state = position(BOARD, {"GSW": "A3", "MGW": "A3", "BNC": "A3"}, balance={"BNC": 30}, races=(), rolls=(1, 1, 1))
    told = tale(play(state, {}))["ranking"]
    assert [(each["code"], each["place"]) for each in told] == [("BNC", 1), ("GSW", 2), ("MGW", 2)]


def test_the_example_is_for_its_reader_and_may_be_built() -> None:
    """From the reader's home, or one that may be chosen; never over the reader's own track, a closed side, or out of the land."""
    state = position(BOARD, {"GSW": "A3", "MGW": "D3", "BNC": ""}, track={"MGW": "D3 C3 B3"})
    assert priced_lines(state, "GSW")[0]["line"].startswith("1a) (City A3) - ")
    line = priced_lines(state, "MGW")[0]["line"]
    assert line.startswith("1a) (City D3) - ")
    assert "B3" not in line
    assert priced_lines(state, None)[0]["line"] == priced_lines(state, "GSW")[0]["line"]
    assert priced_lines(state, "BNC")[0]["line"].startswith("1a) (City A3) - ")  # it has no home yet


def test_an_island_has_an_example_too() -> None:
    board = sketch({"B2": (11,), "D6": (12,)}, homes="B2", sea="B1 A2 A3 B3 C2 C3")
    assert priced_lines(position(board, {"GSW": ""}), "GSW")[0]["line"] == "1a) none"


@CASES.rows
def test_the_example_costs_no_more_than_each_roll(roll: int, ways: list[str], points: list[int]) -> None:
    """Who sends it as it stands has built it, roll after roll: on the cheapest way to the nearest city.

    Rule: D2.3.
    """
    state = position(sketch({"D4": (11,), "A1": (12,)}, homes="D4"), {"GSW": "D4"}, rolls=(roll, 6, 6))
    told = priced_lines(state, "GSW")
    assert [each["line"].replace(TIE, " ") for each in told] == [
        f"1{roll}) {way}" for roll, way in zip("abc", ways, strict=True)
    ]
    assert [each["points"] for each in told] == points
    assert [each["cities"] for each in told] == [["City A1"] if way.endswith("City A1") else [] for way in ways]


def test_the_example_comes_to_several_cities_and_leaves_home_no_more_often_than_it_may() -> None:
    """Rule: D1.3."""
    board = sketch({"D4": (11,), "D2": (12,), "D6": (13,)}, homes="D4")
    for most, ways in ((0, "(City D4) - City D2 ; (City D4) - City D6"), (1, "(City D4) - City D2")):
        state = position(board.but(first_round_ways=most), {"GSW": "D4"}, rolls=(4, 1, 1))
        assert priced_lines(state, "GSW")[0]["line"].replace(TIE, " ") == f"1a) {ways}"


def test_the_lines_for_a_race_are_for_one_that_the_reader_can_run() -> None:
    """With the route that the referee would take; who can run none is shown none, for FASTEST leads nowhere.

    Rule: D6.1, D6.2.
    """
    races = (race(1, 11, 13), race(2, 11, 12))
    state = position(BOARD, {"GSW": "A3", "MGW": "D6"}, track={"GSW": WAY}, races=races)
    assert race_lines(state, "GSW") == ("RUN 2: FASTEST", "RUN 2: City A3 - B3 - C3 - City D3")
    assert race_lines(state, "MGW") == ()
    abroad = sketch({"A3": (11,), "D3": (12,)}, abroad="B3")  # Rule: D2.6: no train runs through
    assert race_lines(position(abroad, {"GSW": "A3"}, track={"GSW": WAY}, races=race(1, 11, 12)), "GSW") == ()
    assert help_lines(state, "MGW")["RUN"] == "RUN 1: none"


def test_help_shows_lines_of_the_reader_s_own_board() -> None:
    """Builds go on where the reader's home has no free side; without races on offer there is no line for one."""
    around = tuple(f"A3 {hex_}" for hex_ in neighbours("A3"))
    state = position(BOARD, {"GSW": "A3"}, track={"GSW": around}, rolls=(6, 6, 6))
    told = help_lines(state, "GSW")
    assert {verb for verb, line in told.items() if line} == {"BUILD"}
    assert (told["RUN"], told["JOINT"]) == ("", "")  # in a round of building
    assert (told["HOME"], told["FOR"]) == ("", "")  # it is chosen, and the reader leads one company
    assert told["BUILD"].startswith("1a) (")
    assert not told["BUILD"].startswith("1a) (City A3)")
    racing_now = position(BOARD, {"GSW": "A3", "MGW": "A3"}, track={"GSW": WAY}, races=race(2, 11, 12))
    told = help_lines(racing_now, "GSW")
    assert told["RUN"] == "RUN 2: City A3 - B3 - C3 - City D3"
    assert told["JOINT"] == "JOINT 2 WITH MGW"


def test_standings_tell_what_changed_since_the_round_before() -> None:
    """The balance, and the place where it was another."""
    ranked = {one["code"]: (one["place"], one["was"], one["change"]) for one in building()["ranking"]}
    assert ranked == {"GSW": (1, 1, 9), "BNC": (2, 1, 0), "MGW": (3, 1, -3)}


# Statistics of a game that is over: they add up, and tell what its events tell.


@pytest.fixture(scope="module")
def whole() -> WholeGame:
    """The end of a recorded game, with the events of all its turns."""
    _, opening, turns = usual_game(4, "b")
    outcomes = [opening, *(turn.outcome for turn in turns)]
    return outcomes[-1].state, tuple(event for outcome in outcomes for event in outcome.events)


def test_money_adds_up_from_the_start_to_the_balance_at_the_end(whole: WholeGame) -> None:
    state, events = whole
    told = summary(state, events)
    for one in told["money"]:
        assert one["start"] == state.totals[one["code"]][0]
        assert sum(one[flow] for flow in ("start", "bonus", "prizes", "received", "paid", "track")) == one["now"]
    tolls = sum(event.amount for event in events if isinstance(event, FeePaid | TollPaid))
    assert sum(sum(to.values()) for to in told["paid"].values()) == tolls > 0
    assert all(code not in to for code, to in told["paid"].items()), "nobody pays themselves"


def test_track_races_and_dice_are_counted(whole: WholeGame) -> None:
    state, events = whole
    told = summary(state, events)
    assert sum(one["sides"] for one in told["track"]) == sum(isinstance(event, TrackLaid) for event in events) > 0
    assert 0 < sum(one["mountains"] for one in told["track"]) < sum(one["sides"] for one in told["track"])
    thrown = [event.throw for event in events if isinstance(event, TrainMoved) and "+" not in event.train]
    assert sum(one["sum"] for one in told["races"]) >= sum(thrown) > 0
    won = {(event.race, event.company) for event in events if isinstance(event, PrizePaid) and event.place == 1}
    assert sum(one["won"] for one in told["races"]) == len(won) > 0
    brought = sum(event.amount for event in events if isinstance(event, PrizePaid))
    assert 0 < sum(one["prizes"] for one in told["cities"]) <= 2 * brought
    assert [one["bonus"] + one["prizes"] for one in told["cities"]] == sorted(
        (one["bonus"] + one["prizes"] for one in told["cities"]), reverse=True
    )


def test_luck_is_written_in_halves(whole: WholeGame) -> None:
    for one in summary(*whole)["races"]:
        assert float(one["luck"]) == one["sum"] - 3.5 * one["throws"]
        assert re.fullmatch(r"[+-]\d+(\.5)?|0", one["luck"])


# Orders in canonical form, builds and payments as the hobby writes them. Postal practice 1.3.

COAST = sketch({"A3": (11,), "D6": (12,), "P3": (13,)}, homes="A3 P3", sea="G4")


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (ChooseHome(cities=("AD7", "AB18")), "HOME Belfast OR Dublin"),
        (build(1, "AB18 AB17 AB16 AB15 AB14"), "1a) (Dublin) - Drogheda - AB14"),  # a straight run, a town on it
        (build(2, "AB18 AB17 AA17 Z16", "AB18 AC18"), "1b) (Dublin) - AB17 - Z16 ; (Dublin) - AC18"),  # a turn
        (build(3, "AB18 AB17 AB18"), "1c) (Dublin) - AB17 - Dublin"),  # back again
    ],
)
def test_an_order_in_canonical_form(order: Order, text: str) -> None:
    """The start in brackets, turning points and towns alone, ``;`` between pieces, ``a`` for the first roll."""
    assert format_order(position(ireland(), {"GSW": "AB18"}), order) == text


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (run(7, "A3 B3 C3 D3", "A3 A4 A5"), "RUN 7: City A3 - B3 - C3 - D3 OR City A3 - A5"),
        (run(7, "A3 A4 A5", partner="MGW"), "RUN 7 WITH MGW: City A3 - A5"),
        (run(7, partner="MGW"), "JOINT 7 WITH MGW"),
        (run(7, "A3 A4 A5[MGW] A6[MGW] A7"), "RUN 7: City A3 - A4 - A6 [MGW] - A7"),
        (build(1, "A3 A4 A5"), "7) (City A3) - A5"),
    ],
)
def test_an_order_of_a_racing_round_in_canonical_form(order: Order, text: str) -> None:
    """A company in square brackets says over whose track the leg before it runs."""
    state = position(COAST, {"GSW": "A3", "MGW": "P3"}, races=race(7, 11, 12))
    assert format_order(state, order) == text


def test_a_hex_of_water_is_always_named() -> None:
    """Else reading the line back would lead round the water."""
    state = position(COAST, {"GSW": "A3"})
    assert format_order(state, build(1, "G2 G3 G4 G5")) == "1a) (G2) - G4 - G5"


def test_a_roll_with_nothing_to_build_says_so() -> None:
    assert format_order(position(COAST, {"GSW": "A3"}), build(2)) == "1b) none"


def test_a_jump_and_a_step_of_the_same_number_bear_their_own_payments() -> None:
    """Rule: R8: the line laid in the same step, along the very hex-side of the jump, does not show its fee once more."""
    state = position(COAST, {"GSW": "A3", "MGW": "P3"}, track={"MGW": "A4 B4 C5"}, jumps=1)
    jump = Piece(path=("A4", "B4"), jumps=(1,))
    order = Build(roll=1, pieces=(*build(1, "A3 A4").pieces, jump, *build(1, "A4 B4").pieces))
    (roll, *_) = rolls_view(state, "GSW", play(state, {"GSW": order}).events, (6, 6, 6))
    fee, line = f"[-1{TIE}MGW]", f"[-4{TIE}MGW]"
    assert roll["text"] == f"(City A3) - A4 {fee} ; (A4) - JUMP B4 {fee} ; (A4) - B4 {line}"


def test_builds_are_annotated_with_bonuses_and_fees() -> None:
    """Postal practice 1.3: ``[+6]`` and ``[-1 purple]`` behind the hex where they fell due; both fees of a step in one."""
    state = position(
        COAST,
        {"GSW": "A3", "MGW": "P3", "BNC": "P3"},
        track={"GSW": "A3 B3", "MGW": "B3 C3 D3", "BNC": "D1 D2 D3 D4"},
    )
    outcome = play(state, {"GSW": (build(1, "B3 C3 D3 D4 D5 D6"), build(3, "B3 B2", "A3 C9"))})
    told = rolls_view(state, "GSW", outcome.events, (6, 6, 6))
    assert told[0]["text"].replace(TIE, " ") == "(B3) - C3 [-5 MGW] - D3 [-5 MGW] [-1 BNC] - D4 [-5 BNC] - City D6 [+6]"
    assert (told[0]["label"], told[0]["points"], told[0]["cost"], told[0]["left"]) == ("1a)", 6, 5, 1)
    assert (told[1]["label"], told[1]["text"], told[1]["left"]) == ("1b)", "", 6)
    assert told[0]["charges"] == [
        ("plain", ""),
        ("connection-once", ""),
        ("parallel", ""),
        ("city", ""),
    ]
    assert told[2]["text"] == "(B3) - B2"
    assert [stop["complaint"].paragraph for stop in told[2]["stops"]] == ["D2.2"]
    money = money_of("GSW", outcome.events)
    assert (money["bonus"], money["change"]) == (6, 6 - 16)
    assert money["paid"] == [{"code": "MGW", "amount": 10}, {"code": "BNC", "amount": 6}]
    assert money_of("MGW", outcome.events)["received"] == [{"code": "GSW", "amount": 10}]


def test_another_companys_steps_never_mark_a_build() -> None:
    state = position(COAST, {"GSW": "A3", "MGW": "A3"}, track={"GSW": "D5"})
    outcome = play(state, {"GSW": build(1, "D5 D6"), "MGW": build(1, "A3 A4")})
    assert rolls_view(state, "MGW", outcome.events, (6, 6, 6))[0]["text"] == "(City A3) - A4"


def test_the_money_of_a_turn_is_the_change_of_the_account() -> None:
    """Whatever happened: bonus, fees, builds, tolls, prizes."""
    row = "A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3 L3 M3 N3 O3 P3"
    state = position(
        COAST,
        {"GSW": "A3", "MGW": "A3"},
        track={"GSW": row, "MGW": "A3 B3 C3 D3 E3 F3 G3 H3 I3"},
        races=race(1, 11, 13),
    )
    outcome = play(state, {"GSW": run(1, row), "MGW": (run(1, row), build(1, "A3 A4", "C3 B4 A5"))})
    assert any(isinstance(event, TrackLaid) for event in outcome.events)
    for code in ("GSW", "MGW"):
        assert state.balance[code] + money_of(code, outcome.events)["change"] == outcome.state.balance[code]


def test_among_races_builds_are_told_as_they_were_laid() -> None:
    homes = {"GSW": "A3", "MGW": "A3", "BNC": "D3"}
    state = position(BOARD, homes, balance={"GSW": 30, "MGW": 20, "BNC": 10}, races=race(1, 11, 12))
    told = tale(play(state, {"GSW": (build(7, "A3 B3"),), "MGW": (), "BNC": (build(7, "D3 D4"),)}))
    assert [each["code"] for each in told["companies"]] == ["BNC", "GSW", "MGW"]
