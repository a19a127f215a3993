"""What an acknowledgement says of a letter's orders on today's board, and that it reads nobody else's secrets."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.orders import Complaint
from referee.games.volldampf import schedule
from referee.games.volldampf.forecast import forecast
from referee.games.volldampf.state import Bid, Kept, Sabotage, State, Target
from tests.games.volldampf.desk import BUILDS, BUILT, CUBES, OPENING, TRIPS, asked, at, foreseen, meant


def hand(state: State, *cards: str) -> State:
    """Give Ann action cards."""
    return replace(state, actions={**state.actions, "ANN": cards})


def notes(state: State, text: str) -> dict[str, list[dict[str, Any]]]:
    """Return the notes below each line."""
    return {entry["line"]: entry["notes"] for entry in foreseen(state, text).told["entries"]}


def codes(state: State, text: str) -> list[str]:
    return [complaint.code for complaint in foreseen(state, text).complaints]


def complaint(state: State, text: str) -> Complaint:
    """Return the only complaint that is more than a note."""
    (found,) = (each for each in foreseen(state, text).complaints if not each.code.startswith("note-"))
    return found


def test_bonds_tell_money_and_interest_and_are_in_the_purse_of_the_bid() -> None:
    told = notes(at(OPENING), "BONDS 3\nLIMIT 60\nRANK 1")
    assert told["BONDS 3"] == [{"what": "bonds", "money": 18, "cash": 28, "bonds": 5}]
    assert told["LIMIT 60"] == [{"what": "purse", "cash": 28}]
    found = complaint(at(OPENING), "BONDS 3\nLIMIT 60\nRANK 1")
    assert (found.code, found.line, found.params) == ("warning-bid-over-cash", 2, (("bid", 60), ("cash", 28)))


def test_a_limit_within_the_purse_is_no_fault_and_a_pass_says_so() -> None:
    assert codes(at(OPENING), "BONDS none\nLIMIT 10\nRANK 1") == []
    assert notes(at(OPENING), "LIMIT PASS\nRANK 1")["LIMIT PASS"] == [{"what": "pass"}]


@pytest.mark.parametrize("options", [{"bond_limit": 2}, {"bank_limits": True}])
def test_bonds_beyond_a_limit_are_cut_down(options: dict[str, Any]) -> None:
    found = foreseen(at(OPENING, options=options), "BONDS 80\nLIMIT PASS\nRANK 1").complaints[0]
    assert (found.code, dict(found.params)["asked"]) == ("warning-bonds-cut", 80)


def test_a_ranking_names_the_groups_of_today_in_its_order() -> None:
    told = notes(at(OPENING), "LIMIT 1\nRANK pink+pink, any purple, orange+orange, 1")
    (ranked,) = (found for line, found in told.items() if line.startswith("RANK"))
    assert [note["number"] for note in ranked] == [4, 2, 3, 1]
    found = complaint(at(OPENING), "LIMIT 1\nRANK pink+pink, any purple, orange+orange, 1")
    assert (found.code, found.text, found.is_error) == ("warning-no-group", "orange+orange", False)
    assert notes(at(OPENING), "LIMIT 1\nRANK brown+brown")["RANK brown+brown"] == [{"what": "no-group-today"}]


def test_a_ranking_that_no_group_is_like_is_asked_back_and_a_vain_wish_names_the_one_that_counts() -> None:
    found = complaint(at(OPENING), "LIMIT 1\nRANK brown+brown, grey+grey")
    assert (found.code, found.is_error, found.text) == ("illegal-no-group", True, "RANK brown+brown, grey+grey")
    found = complaint(at(OPENING), "LIMIT 1\nRANK brown+brown, pink+pink, 1")
    assert (found.code, dict(found.params)) == ("warning-no-group-yet", {"instead": "pink+pink"})


def test_alles_neu_is_told_as_the_groups_will_lie_and_the_ranking_reckons_with_it() -> None:
    text = (
        "NEW: green+pink+grey / purple+purple+purple / orange+brown+grey / pink+pink+orange\nRANK purple+purple+purple"
    )
    told = notes(hand(at(OPENING), "Alles neu"), text)
    assert told["RANK purple+purple+purple"] == [
        {"what": "group-today", "number": 2, "colours": ("purple", "purple", "purple")}
    ]
    new = next(found for line, found in told.items() if line.startswith("NEW"))
    assert [note["number"] for note in new] == [1, 2, 3, 4]
    assert complaint(at(OPENING), text.split("\n")[0]).code == "illegal-no-card"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("NEW: green / pink / grey / purple", "illegal-arrangement-cards"),
        (
            "NEW: green+pink / grey+purple+orange+grey / purple+purple+brown / pink+pink+orange",
            "illegal-arrangement-sizes",
        ),
    ],
)
def test_groups_that_cannot_lie_so_are_complained_of(line: str, code: str) -> None:
    assert complaint(hand(at(OPENING), "Alles neu"), line).code == code


def test_builds_are_reckoned_in_sequence_with_cost_cash_and_cards_left() -> None:
    told = notes(at(BUILDS), "BUILD 1: Hannover-Kassel\nBUILD 2: Magdeburg-Erfurt\nBUILD 3: none")
    assert list(told.values()) == [
        [
            {"what": "built", "link": "Hannover-Kassel", "colour": "purple", "cost": 4, "cash": 6},
            {"what": "cards-left", "colours": ("green", "pink")},
        ],
        [
            {"what": "built", "link": "Magdeburg-Erfurt", "colour": "green", "cost": 5, "cash": 1},
            {"what": "cards-left", "colours": ("pink",)},
        ],
        [{"what": "discarded", "colour": "pink", "cash": 1}],
    ]
    assert codes(at(BUILDS), "BUILD 1: Hannover-Kassel\nBUILD 2: Magdeburg-Erfurt\nBUILD 3: none") == []


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("BUILD 1: Hamburg-Bremen", "illegal-no-track-card", "purple, green, pink"),
        ("BUILD 1: Hamburg-Hannover", "illegal-link-taken", ""),
        ("BUILD 1: Köln-Paris WITH green", "illegal-card-colour", ""),
        ("BUILD 1: Hamburg-Bremen BARGAIN WITH green", "illegal-no-card", ""),
        (
            "BUILD 1: Hannover-Kassel OR DISCARD grey",
            "warning-alternative-illegal-no-track-card",
            "purple, green, pink",
        ),
    ],
)
def test_what_cannot_be_built_today_is_an_error(line: str, code: str, hint: str) -> None:
    found = complaint(at(BUILDS), line)
    assert (found.code, found.hint, found.line) == (code, hint, 1)


def test_a_wish_beside_one_that_can_be_made_is_a_warning_with_its_reason() -> None:
    """The order stands by the one that serves, which is named to a wish before it; an order of which none does is an error."""
    found = complaint(at(BUILDS), "BUILD 1: Hannover-Kassel OR Hamburg-Hannover\nBUILD 2: none\nBUILD 3: none")
    assert (found.code, found.is_error) == ("warning-alternative-illegal-link-taken", False)
    trips = "MOVE 1: violet FROM Magdeburg TO Erfurt OR red FROM Berlin TO Prag OR violet Magdeburg-Kassel-Erfurt"
    found_all = [*meant(at(TRIPS), trips).complaints, *foreseen(at(TRIPS), f"{trips}\nDECLINE 2").complaints]
    assert [each.code.removeprefix("warning-alternative-") for each in found_all] == ["invalid-gap", "illegal-no-cube"]
    assert not any(each.is_error for each in found_all)
    first = complaint(at(TRIPS), "MOVE 1: red FROM Berlin TO Prag OR violet FROM Magdeburg TO Erfurt\nDECLINE 2")
    assert (first.code, first.is_error) == ("warning-alternative-illegal-no-cube", False)
    assert dict(first.params)["instead"] == "violet FROM Magdeburg TO Erfurt"
    first = complaint(at(BUILDS), "BUILD 1: Hamburg-Hannover OR Hannover-Kassel\nBUILD 2: none\nBUILD 3: none")
    assert (first.is_error, dict(first.params)["instead"]) == (False, "Hannover-Kassel")
    # What gives a card up, or declines, is no wish that a set would be in order by.
    assert complaint(at(TRIPS), "MOVE 1: red FROM Berlin TO Prag OR DECLINE\nDECLINE 2").is_error
    assert complaint(at(BUILDS), "BUILD 1: Hamburg-Hannover OR DISCARD green").is_error
    assert complaint(at(TRIPS), "MOVE 1: violet Magdeburg-Berlin\nMOVE 2: none").code == "illegal-not-built"


def test_what_only_own_builds_before_spoil_is_a_warning_where_something_is_left_to_do() -> None:
    found = complaint(at(BUILDS), "BUILD 1: Hannover-Kassel\nBUILD 2: Bremen-Essen OR Magdeburg-Erfurt\nBUILD 3: none")
    assert (found.code, found.text) == ("warning-card-gone", "Bremen-Essen")
    assert dict(found.params) == {"colour": "purple"}
    poor = replace(at(BUILDS), cash=dict.fromkeys(("ANN", "BOB", "CID", "DOT"), 5))
    found = complaint(poor, "BUILD 1: Hannover-Kassel\nBUILD 2: Magdeburg-Erfurt OR DISCARD green")
    assert (found.code, dict(found.params)) == (
        "warning-too-dear",
        {"link": "Magdeburg-Erfurt", "cost": 5, "cash": 1},
    )
    text = "BUILD 1: Hannover-Kassel\nBUILD 2: Magdeburg-Erfurt\nBUILD 3: none"
    assert codes(poor, text) == ["warning-too-dear", "illegal-nothing-left"]
    assert complaint(poor, "BUILD 1: Bremen-Essen").code == "illegal-too-dear"


def test_a_link_that_own_builds_before_it_leave_out_of_reach_is_a_fault() -> None:
    """Without a section the first link may lie anywhere; the next one then may not. Rule: DIFF 27, R21."""
    state = at(BUILDS, options={"build_connected": True}, built={"HAM-HAN": "BOB"})
    text = "BUILD 1: Hannover-Kassel\nBUILD 2: Magdeburg-Erfurt\nBUILD 3: none"
    found = complaint(state, text)
    assert (found.code, found.line, found.text) == ("illegal-not-connected", 2, "Magdeburg-Erfurt")
    assert notes(state, text)["BUILD 2: Magdeburg-Erfurt"][0]["what"] == "discarded"


def test_a_build_or_trip_left_out_is_mentioned() -> None:
    assert codes(at(BUILDS), "BUILD 2: Magdeburg-Erfurt") == ["note-no-build", "note-no-build"]
    # Without an order for build 1 the first card in colour order goes, and it was meant for build 2.
    assert "warning-card-gone" in codes(at(BUILDS), "BUILD 2: Hannover-Kassel")
    assert codes(at(TRIPS), "DECLINE 1") == ["note-no-trip"]
    assert codes(at(OPENING), "BONDS 1") == ["note-no-bid", "note-no-rank"]
    assert codes(at(OPENING), "LIMIT 3\nRANK 1") == ["note-no-bonds"]
    assert codes(at(OPENING), "BONDS 0\nLIMIT 3\nRANK 1") == []
    assert codes(at("auction"), "LIMIT 3") == ["note-no-rank"]
    assert codes(asked(schedule.BID), "LIMIT 3") == []
    assert codes(at(TRIPS), "PRESS: hello") == []


def test_a_trip_is_told_with_its_route_and_whose_sections_it_uses() -> None:
    told = notes(at(TRIPS), "MOVE 1: violet FROM Magdeburg TO Erfurt OR blue Berlin-Leipzig\nDECLINE 2")
    assert list(told.values()) == [
        [
            {"what": "route", "route": "Magdeburg-Leipzig-Erfurt", "length": 2, "steps": [{"code": "ANN", "steps": 2}]},
            {"what": "route", "route": "Berlin-Leipzig", "length": 1, "steps": [{"code": "CID", "steps": 1}]},
        ],
        [{"what": "declined-card"}],
    ]


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("MOVE 1: red FROM Berlin TO Prag", "illegal-no-cube", "Hamburg, Prag"),
        ("MOVE 1: violet Magdeburg-Berlin", "illegal-not-built", "violet Magdeburg-Leipzig-Berlin"),
        ("MOVE 1: violet FROM Magdeburg TO Leipzig", "illegal-wrong-goal", ""),
        ("MOVE 1: red FROM Prag TO Kopenhagen", "illegal-not-joined", ""),
        ("MOVE 1: violet FROM Magdeburg TO Erfurt FAST", "illegal-no-card", ""),
        (
            "MOVE 1: blue Nürnberg-Erfurt-Leipzig-Magdeburg",
            "illegal-must-stop",
            "blue Nürnberg-Erfurt-Leipzig-Magdeburg",
        ),
        ("SUBSIDY: violet FROM Magdeburg TO Erfurt", "illegal-no-card", ""),
        ("EXTRA 1: Berlin", "illegal-no-card", ""),
        ("PLAN BEFORE MOVE 1: red FROM Prag TO Berlin", "illegal-no-card", ""),
        ("SABOTAGE: ANY", "illegal-no-card", ""),
    ],
)
def test_what_is_not_legal_today_is_told(line: str, code: str, hint: str) -> None:
    found = complaint(at(TRIPS), line)
    assert found.code == code
    assert found.paragraph.startswith("V")
    assert found.hint == hint or code == "illegal-must-stop"


@pytest.mark.parametrize(
    ("wish", "code", "paragraph", "params", "hint"),
    [
        # Everything built is one line: Hamburg-Hannover-Magdeburg-Leipzig-Erfurt-Nürnberg, with Leipzig-Berlin.
        ("blue FROM Nürnberg TO Magdeburg", "stops-before", "V3.6.3", {"city": "Leipzig", "colour": "blue"}, "Leipzig"),
        ("red FROM Hamburg TO Prag", "not-joined", "V3.6.1", {"origin": "Hamburg", "goal": "Prag"}, ""),
        ("violet FROM Hamburg TO Berlin", "stops-before", "V3.6.3", {"city": "Hannover"}, "Hannover"),
        ("yellow FROM Nürnberg TO Amsterdam", "too-far", "V3.6.2", {"links": 7, "most": 6}, ""),
    ],
)
def test_where_no_route_is_legal_the_city_or_distance_in_the_way_is_named(
    wish: str, code: str, paragraph: str, params: dict[str, Any], hint: str
) -> None:
    """Rule: V3.6.1-V3.6.3; with where such a cube can go."""
    further = {"BRE-HAM": "BOB", "AMS-BRE": "BOB"} if code == "too-far" else {}
    state = replace(at(TRIPS), built={**BUILT, **further}, cubes={**CUBES, "NUR": ("blue", "yellow")})
    found = complaint(state, f"MOVE 1: {wish}\nDECLINE 2")
    assert (found.code, found.paragraph) == (f"illegal-{code}", paragraph)
    assert params.items() <= dict(found.params).items()
    assert hint in found.hint.split(", ")


def test_cubes_that_own_cards_bring_are_reckoned_with() -> None:
    state = hand(at(TRIPS), "Zusatzfracht", "Neue Planung")
    assert codes(state, "PLAN BEFORE MOVE 1: blue FROM Berlin TO Erfurt\nMOVE 1: blue Erfurt-Leipzig\nDECLINE 2") == []
    assert complaint(state, "EXTRA 1: Hannover\nMOVE 1: blue Hannover-Magdeburg").code == "warning-no-cube"
    assert complaint(state, "MOVE 1: blue Hannover-Magdeburg").code == "illegal-no-cube"


def test_a_cube_that_may_be_drawn_before_trip_1_may_still_lie_there_on_trip_2() -> None:
    state = hand(at(TRIPS), "Zusatzfracht")
    text = "EXTRA 1: Hannover\nMOVE 1: violet FROM Magdeburg TO Erfurt\nMOVE 2: blue Hannover-Magdeburg-Leipzig"
    assert complaint(state, text).code == "warning-no-cube"


def test_a_card_for_a_second_extra_trip_that_is_not_made_is_told_of() -> None:
    state = hand(at(TRIPS, options={"subvention_stack": True}), "Subvention", "Neue Planung")
    trip = "violet FROM Magdeburg TO Erfurt"
    plan = "PLAN BEFORE SUBSIDY 4: red FROM Prag TO Berlin"
    text = f"DECLINE 1\nDECLINE 2\nSUBSIDY: {trip}\nSUBSIDY 4: blue FROM Berlin TO Leipzig\n{plan}"
    assert codes(state, text) == ["warning-plan-no-trip", "warning-card-spent"]
    assert notes(state, text)[plan] == [{"what": "refused"}]


def test_a_cube_that_may_be_drawn_before_it_is_planned_on_in_the_order_of_the_lines() -> None:
    """Rule: R35: what comes out of the bag is not known, so nothing of it is refused."""
    state = hand(at(TRIPS), "Zusatzfracht", "Neue Planung")
    extra, plan = "EXTRA 1: Hannover", "PLAN BEFORE MOVE 1: violet FROM Hannover TO Magdeburg"
    state = replace(state, cubes={"BER": ("blue",)})
    rest = "MOVE 1: violet FROM Magdeburg TO Erfurt\nDECLINE 2"
    found = foreseen(state, f"{extra}\n{plan}\n{rest}")
    assert [each.code for each in found.complaints] == ["warning-no-cube", "warning-no-cube"]
    assert plan in found.lines
    assert notes(state, f"{extra}\n{plan}\n{rest}")[plan] == [{"what": "waits"}]
    found = foreseen(state, f"{plan}\n{extra}\n{rest}")
    assert [each.code for each in found.complaints] == ["illegal-no-cube", "illegal-no-cube"]
    assert plan not in found.lines


def test_of_two_sabotages_with_one_card_the_second_is_warned_of_and_both_stand() -> None:
    """Whichever fits first plays the card: no line is to be refused. Rule: R34."""
    state, text = hand(at(TRIPS), "Sabotage"), "SABOTAGE: red FROM Prag\nSABOTAGE: blue"
    found = complaint(state, text)
    assert (found.code, found.line) == ("warning-card-shared", 2)
    assert dict(found.params) == {"card": "Sabotage", "count": 1, "orders": 2}
    assert list(notes(state, text).values()) == [[{"what": "stands"}]] * 2


@pytest.mark.parametrize(
    "line",
    [
        "SUBSIDY: violet FROM Magdeburg TO Erfurt",
        "SUBSIDY: violet FROM Magdeburg TO Erfurt\nEXTRA 3: Berlin",
        "SUBSIDY: violet FROM Magdeburg TO Erfurt\nPLAN BEFORE SUBSIDY: red FROM Prag TO Berlin",
        "SUBSIDY: violet FROM Magdeburg TO Erfurt\nPLAN AFTER SUBSIDY: red FROM Prag TO Berlin",
        "SUBSIDY: violet FROM Magdeburg TO Erfurt FAST",
        "SABOTAGE: ANY",
    ],
)
def test_a_card_that_declining_may_bring_in_time_is_warned_of_and_reckoned_with(line: str) -> None:
    """Rule: DIFF 33, DIFF 34: DECLINE 2 draws it at once, and extra trips come after that."""
    for number, text in ((2, f"DECLINE 2\n{line}"), (2, f"MOVE 2: blue FROM Berlin TO Leipzig\n{line}")):
        found = foreseen(at("trip", number), text)
        assert {each.code for each in found.complaints} == {"warning-no-card-yet"}
        assert found.lines[1] == line.split("\n")[0]
    state = at("trip", 2, round=1)
    assert "illegal-no-card" in codes(state, f"DECLINE 2\n{line}")
    state = at("trip", 2, round=1, options={"round1_decline_card": True})
    assert set(codes(state, f"DECLINE 2\n{line}")) == {"warning-no-card-yet"}


@pytest.mark.parametrize("line", ["EXTRA 2: Berlin", "PLAN BEFORE MOVE 2: red FROM Prag TO Berlin"])
def test_a_card_for_the_trip_itself_must_be_in_hand_before_it(line: str) -> None:
    assert complaint(at("trip", 2), f"DECLINE 2\n{line}").code == "illegal-no-card"


def test_in_an_extra_trip_asked_for_alone_no_card_can_come_any_more() -> None:
    state = asked(schedule.SUBSIDY, 3)
    assert complaint(state, "SUBSIDY: violet FROM Magdeburg TO Erfurt").code == "illegal-no-card"
    assert complaint(state, "SABOTAGE: ANY").code == "illegal-no-card"


def test_after_a_declined_trip_nothing_is_planned() -> None:
    state = hand(at(TRIPS), "Neue Planung")
    assert complaint(state, "DECLINE 1\nPLAN AFTER MOVE 1: red FROM Prag TO Berlin").code == "warning-plan-no-trip"


def test_a_cube_moved_on_trip_1_is_not_there_on_trip_2() -> None:
    trip = "violet FROM Magdeburg TO Erfurt"
    assert codes(at(TRIPS), f"MOVE 1: {trip}\nMOVE 2: {trip}") == ["warning-cube-gone", "illegal-nothing-left"]
    found = complaint(at(TRIPS), f"MOVE 1: {trip}\nMOVE 2: {trip} OR DECLINE")
    assert (found.code, dict(found.params)) == ("warning-cube-gone", {"colour": "violet", "city": "Magdeburg"})


def test_subvention_says_whether_its_player_would_be_last_today() -> None:
    state = hand(at(TRIPS), "Subvention")
    (entry,) = foreseen(state, "SUBSIDY: violet FROM Magdeburg TO Erfurt").told["entries"]
    assert entry["notes"][-1] == {"what": "if-last", "income": 3}
    ahead = replace(state, income={**state.income, "ANN": 4})
    (entry,) = foreseen(ahead, "SUBSIDY: violet FROM Magdeburg TO Erfurt").told["entries"]
    assert entry["notes"][-1] == {"what": "if-not-last", "income": 4}


def test_standing_orders_are_told_with_those_kept_from_letters_before() -> None:
    kept = Kept(player="ANN", order=Sabotage(targets=(Target(colour="red"),)))
    state = replace(hand(at(TRIPS), "Sabotage"), kept=(kept,))
    assert notes(state, "DECLINE 1")["SABOTAGE: red"] == [{"what": "stands"}]
    assert list(notes(state, "SABOTAGE Bob: ANY")) == ["SABOTAGE Bob: ANY"]


def test_nothing_of_other_players_hands_or_orders_changes_a_forecast() -> None:
    text = "MOVE 1: violet FROM Magdeburg TO Erfurt\nMOVE 2: red FROM Prag TO Berlin\nSABOTAGE: ANY\nEXTRA 2: Berlin"
    state = at(TRIPS)
    secret = replace(
        state,
        actions={**state.actions, "BOB": ("Sabotage", "Zusatzfracht")},
        kept=(Kept(player="BOB", order=Sabotage(targets=(Target(),))),),
        removed=("green",),
    )
    assert foreseen(secret, text) == foreseen(state, text)
    bids = replace(at(OPENING), kept=(Kept(player="BOB", order=Bid(amounts=(9,))),))
    assert foreseen(bids, "LIMIT 3\nRANK 1") == foreseen(at(OPENING), "LIMIT 3\nRANK 1")


def test_a_live_bid_below_the_least_is_an_error() -> None:
    state = replace(asked(schedule.BID, options={"auction": "live"}), bids={"BOB": 4})
    found = complaint(state, "BID 4")
    assert (found.code, dict(found.params)) == ("illegal-bid-low", {"bid": 4, "least": 5})


def test_two_players_bid_within_their_range() -> None:
    assert codes(at(OPENING, players=2), "BONDS 0\nBID 7, 2\nRANK 1") == ["warning-bid-range"]
    assert codes(at(OPENING, players=2), "BONDS 0\nBID PASS\nRANK 1") == ["warning-no-pass"]


def test_lines_are_the_orders_in_canonical_form_in_the_order_of_writing() -> None:
    text = "decline 2\nmove 1: blue from berlin to leipzig"
    assert foreseen(at(TRIPS), text).lines == ("MOVE 2: DECLINE", "MOVE 1: blue FROM Berlin TO Leipzig")
    assert forecast(at(TRIPS), "ANN", ()).complaints == ()
    assert meant(at(TRIPS), text).complaints == ()
