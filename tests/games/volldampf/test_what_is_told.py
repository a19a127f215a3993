"""What a player is told of a letter that is partly wrong: the right fault, once, with its reason and what may be meant."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf import schedule
from referee.games.volldampf.notation import board_terms
from referee.games.volldampf.round import adjudicate
from referee.games.volldampf.state import Bid, Item, Kept, Rank, Sabotage, State, Wish
from referee.orderbook.language.names import fold
from tests.games.volldampf.desk import BUILDS, OPENING, TRIPS, asked, at, foreseen, meant, one, read
from tests.games.volldampf.tables import dice
from tests.games.volldampf.test_newsletter import written
from tests.games.volldampf.test_sentences import CATALOGUE
from tests.games.volldampf.told import asking, one_by_one, opened

ORDERS = Path(__file__).parents[3] / "orders/volldampf"
PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "AE", "Ö": "OE", "Ü": "UE"})
TRIP = "violet FROM Magdeburg TO Erfurt"


def hand(state: State, *cards: str) -> State:
    """Give Ann action cards."""
    return replace(state, actions={**state.actions, "ANN": cards})


def notes(state: State, text: str) -> list[list[dict[str, Any]]]:
    """Return the notes below each line."""
    return [entry["notes"] for entry in foreseen(state, text).told["entries"]]


def blamed(state: State, text: str) -> list[tuple[str, str]]:
    """Return code and text of all complaints that are more than notes."""
    found = (*meant(state, text).complaints, *foreseen(state, text).complaints)
    return [(each.code, each.text) for each in found if not each.code.startswith("note-")]


# --- Subvention is judged where the markers stand as the extra trip begins ---


@pytest.mark.parametrize("when", ["own_trip", "start_of_extra_trips"])
def test_last_place_is_judged_before_the_extra_trip_and_after_the_own_ones(when: str) -> None:
    state = hand(at(TRIPS, options={"subvention_when": when}), "Subvention")
    state = replace(state, income={"ANN": 2, "BOB": 3, "CID": 3, "DOT": 3})
    told = notes(state, f"DECLINE 1\nDECLINE 2\nSUBSIDY: {TRIP}")
    assert told[-1][-1] == {"what": "if-last", "income": 2}
    told = notes(state, f"MOVE 1: {TRIP}\nDECLINE 2\nSUBSIDY: blue FROM Nürnberg TO Leipzig")
    assert told[-1][-1] == {"what": "if-not-last", "income": 4}


# --- Cards that are not held, or not often enough ---


def test_a_card_that_is_not_held_is_an_error_whatever_else_spoils_its_order() -> None:
    text = "DECLINE 1\nDECLINE 2\nPLAN AFTER MOVE 2: red FROM Prag TO Berlin"
    assert [code for code, _ in blamed(at(TRIPS), text)] == ["illegal-no-card"]
    assert [code for code, _ in blamed(hand(at(TRIPS), "Neue Planung"), text)] == ["warning-plan-no-trip"]
    # No extra trip is ordered at all.
    text = "DECLINE 1\nDECLINE 2\nPLAN BEFORE SUBSIDY: red FROM Prag TO Berlin"
    assert [code for code, _ in blamed(at(TRIPS), text)] == ["illegal-no-card"]


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("Neue Planung", "PLAN BEFORE MOVE 1: red FROM Prag TO Berlin\nPLAN BEFORE MOVE 1: blue FROM Berlin TO Prag"),
        ("Zusatzfracht", "EXTRA 1: Berlin\nEXTRA 2: Berlin"),
        ("Schnelle Lok", f"MOVE 1: {TRIP} FAST\nMOVE 2: blue FROM Berlin TO Leipzig FAST OR DECLINE"),
    ],
)
def test_a_second_order_for_one_card_says_that_there_is_only_one(card: str, text: str) -> None:
    (found,) = (each for each in foreseen(hand(at(TRIPS), card), text).complaints if not each.code.startswith("note-"))
    assert (found.code, dict(found.params)) == ("warning-card-spent", {"card": card, "count": 1})


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        (TRIPS, "SABOTAGE: ANY"),
        (TRIPS, "EXTRA 1: Berlin"),
        (TRIPS, f"SUBSIDY: {TRIP}"),
        (TRIPS, "PLAN BEFORE MOVE 1: red FROM Prag TO Berlin"),
        (OPENING, "NEW: pink+green+grey / purple+purple+purple / orange+brown+grey / pink+pink+orange"),
    ],
)
def test_a_refused_order_is_told_as_refused_and_not_among_those_that_run(stage: str, text: str) -> None:
    state = at(stage, round=1)
    assert notes(state, text) == [[{"what": "refused"}]]
    assert foreseen(state, text).lines == ()


def test_an_alternative_that_is_impossible_is_named_and_the_last_one_has_no_next() -> None:
    told = notes(at(TRIPS), f"MOVE 1: red FROM Berlin TO Prag OR {TRIP} OR blue FROM Berlin TO Prag\nDECLINE 2")[0]
    assert [(note["what"], note.get("text")) for note in told] == [
        ("impossible", "red FROM Berlin TO Prag"),
        ("route", None),
        ("impossible-last", "blue FROM Berlin TO Prag"),
    ]


# --- Builds: what own orders before them use up ---


def test_a_card_that_an_own_build_uses_is_gone_by_then_and_a_missing_opportunity_is_told_all_the_same() -> None:
    text = "BUILD 1: Hannover-Kassel\nBUILD 2: Bremen-Essen BARGAIN WITH purple\nBUILD 3: none"
    assert blamed(at(BUILDS), text) == [
        ("illegal-no-card", "Bremen-Essen BARGAIN WITH purple"),
        ("warning-card-gone", "Bremen-Essen BARGAIN WITH purple"),
    ]
    text = "BUILD 1: Bremen-Essen BARGAIN WITH orange\nBUILD 2: none\nBUILD 3: none"
    assert [code for code, _ in blamed(at(BUILDS), text)] == ["illegal-no-track-card", "illegal-no-card"]


def test_what_own_builds_take_the_money_or_the_link_for_says_how_much_and_which() -> None:
    state = at(BUILDS, cash=dict.fromkeys(("ANN", "BOB", "CID", "DOT"), 7))
    found = foreseen(state, "BUILD 1: Hannover-Kassel\nBUILD 2: Magdeburg-Erfurt\nBUILD 3: none").complaints[0]
    assert (found.code, dict(found.params)) == ("warning-too-dear", {"link": "Magdeburg-Erfurt", "cost": 5, "cash": 3})
    state = at(BUILDS, hands=dict.fromkeys(("ANN", "BOB", "CID", "DOT"), ("purple", "purple", "pink")))
    text = "BUILD 1: Hannover-Kassel\nBUILD 2: Hannover-Kassel\nBUILD 3: none"
    assert blamed(state, text)[0] == ("warning-built-before", "Hannover-Kassel")


def test_an_unknown_city_is_complained_of_once() -> None:
    assert blamed(at(BUILDS), "BUILD 1: Hambrg-Bremen") == [("invalid-place", "Hambrg")]


# --- Names that cannot be meant ---


def test_a_player_nobody_knows_is_no_colour_and_those_there_are_told() -> None:
    for line, paragraph in (("SABOTAGE Zed 1: blue FROM Köln", "V4.6"), ("STEAL FROM Zed", "V4.2")):
        (found,) = meant(at(TRIPS), line).complaints
        assert (found.code, found.text, found.hint) == ("invalid-player", "Zed", "ANN, BOB, CID, DOT")
        assert found.paragraph == paragraph
    (found,) = meant(at(TRIPS), "SABOTAGE: vilet FROM Prag").complaints
    assert (found.code, found.hint) == ("invalid-cube", "violet")


def test_a_colour_of_other_things_spoils_its_own_alternative_alone() -> None:
    understood = meant(at(TRIPS), f"MOVE 1: green FROM Köln TO Essen OR {TRIP}")
    (found,) = understood.complaints
    assert (found.code, found.text, found.hint, found.paragraph) == (
        "invalid-cube",
        "green",
        "blue, violet, red, yellow",
        "V3.6",
    )
    assert understood.orders == (replace(one(at(TRIPS), f"MOVE 1: {TRIP}"), line=1),)
    assert [each.code for each in meant(at(TRIPS), "PLAN BEFORE MOVE 1: purple FROM Köln TO Essen").complaints] == [
        "invalid-cube"
    ]
    understood = meant(at(TRIPS), "SABOTAGE: purple FROM Köln OR red FROM Prag")
    (order,) = understood.orders
    assert isinstance(order, Sabotage)
    assert [target.colour for target in order.targets] == ["red"]
    understood = meant(at(OPENING), "RANK nur violett+grün, any pink")
    (found,) = understood.complaints
    assert (found.code, found.paragraph) == ("invalid-track", "V3.4.4")
    assert "purple" in found.hint
    assert understood.orders == (Rank(wishes=(Wish(colours=("pink",)),), line=1),)


# --- Lines that go on ---


@pytest.mark.parametrize("frame", ["{}", "ORDERS\n{}\nEND"], ids=["loose", "marked"])
def test_a_line_that_begins_with_plus_slash_or_comma_is_the_rest_of_the_one_above(frame: str) -> None:
    wrapped = "RANK green+pink\n + grey, any\nbrown, only\ngreen+orange+grey\n, 2"
    (order,) = meant(at(OPENING), frame.format(wrapped)).orders
    assert replace(order, line=0) == Rank(
        wishes=(
            Wish(colours=("green", "pink", "grey")),
            Wish(colours=("brown",)),
            Wish(colours=("green", "orange", "grey"), exact=True),
            Wish(number=2),
        )
    )
    (order,) = meant(at(OPENING), frame.format("NEW: green+pink\n / green+orange+grey")).orders
    assert len(order.groups) == 2


# --- Two players ---


def test_two_players_bids_read_as_a_list_and_silence_is_a_bid_of_0() -> None:
    state = at(OPENING, players=2)
    assert one(state, "BID: 3, 2 und 2") == Bid(amounts=(3, 2, 2), line=1)
    found = [each for each in foreseen(state, "BONDS 1").complaints if "bid" in each.code]
    assert [(each.code, each.paragraph) for each in found] == [("note-no-bid-of-two", "V6.3")]


def test_a_bid_that_is_not_above_the_tie_is_noted_where_it_must_be() -> None:
    raises = at(OPENING, players=2, options={"two_player_tie": "raise"})
    found = [each for each in foreseen(raises, "BID 2, 1, 5\nRANK 1").complaints if "bid" in each.code]
    assert [(each.code, dict(each.params)) for each in found] == [
        ("note-bid-raised", {"bid": 1, "tie": 2, "counts": 3})
    ]
    assert foreseen(at(OPENING, players=2), "BONDS 0\nBID 2, 1\nRANK 1").complaints == ()


# --- Bonds ---


def test_bonds_whose_interest_nobody_can_bear_draw_a_warning() -> None:
    (found,) = foreseen(at(OPENING), "BONDS 1000\nLIMIT 1\nRANK 1").complaints
    assert (found.code, dict(found.params)["bonds"], found.is_error) == ("warning-bonds-heavy", 1002, False)
    assert foreseen(at(OPENING), "BONDS 6\nLIMIT 1\nRANK 1").complaints == ()
    assert foreseen(at(OPENING, bonds={"ANN": 40}), "BONDS 0\nLIMIT 1\nRANK 1").complaints == ()


# --- Wishes sent with a bid ---


def test_whose_wishes_came_with_his_bid_is_not_asked_for_them_again() -> None:
    wishes = Rank(wishes=(Wish(colours=("pink", "pink")),))
    state = asked(schedule.BID, player="DOT")
    agenda = (*state.agenda, Item(what=schedule.AUCTION))
    played = adjudicate(replace(state, agenda=agenda), {"DOT": (Bid(amounts=(4,)), wishes)}, dice()).state
    assert played.order[0] == "DOT"
    assert played.hands["DOT"] == ("pink", "pink", "orange")
    assert (played.agenda[0].what, played.agenda[0].player) == (schedule.CHOOSE, played.order[1])


def test_a_letter_for_wishes_alone_is_not_asked_where_all_have_sent_theirs() -> None:
    kept = tuple(Kept(player=code, order=Rank(wishes=(Wish(number=1),))) for code in ("ANN", "BOB", "CID", "DOT"))
    live = {"auction": "live"}
    agenda = (Item(what=schedule.BID, player="DOT"), Item(what=schedule.AUCTION))
    state = at("build", options=live, agenda=agenda, passed=("ANN", "BOB"), bids={"CID": 3})
    played = adjudicate(replace(state, kept=kept), {}, dice()).state
    assert played.stage == "build"
    played = adjudicate(replace(state, kept=kept[1:]), {}, dice()).state
    assert played.agenda[0] == Item(what=schedule.LETTER, stage=schedule.LETTER_CHOICE)


# --- Sentences ---


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        (TRIPS, f"MOVE 1: {TRIP} FAST\nMOVE 2: {TRIP} OR blue FROM Berlin TO Leipzig FAST\nEXTRA 3: Berlin"),
        (TRIPS, "SABOTAGE Zed 1: blue FROM Köln\nSABOTAGE: green FROM Köln"),
        (BUILDS, "BUILD 1: Hannover-Kassel\nBUILD 2: Bremen-Essen OR Hannover-Kassel BARGAIN WITH pink\nBUILD 3: none"),
        (BUILDS, "BUILD 1: Magdeburg-Erfurt\nBUILD 2: Bremen-Essen\nBUILD 3: none"),
        (OPENING, "BONDS 1000\nBID 2, 1"),
    ],
)
def test_each_of_these_has_its_sentence_filled_in_without_holes(stage: str, text: str) -> None:
    two = 2 if "BID" in text else 4
    state = hand(at(stage, players=two, options={"two_player_tie": "raise"}), "Schnelle Lok", "Zusatzfracht")
    found = (*meant(state, text).complaints, *foreseen(state, text).complaints)
    assert found
    for each in found:
        entry = CATALOGUE[each.code]
        asked_for = {name for part in entry.values() for _, name, _, _ in Formatter().parse(part) if name}
        assert asked_for <= {"text", "hint", *dict(each.params)}, each.code


# --- The guide ---


def test_the_guide_lists_every_name_of_every_order_word_and_colour() -> None:
    guide = (ORDERS / "README.md").read_text(encoding="utf-8").partition("## German, French and Dutch words")[2]
    listed = {fold(name) for name in re.findall("`([^`]+)`", guide)}
    tables = tomllib.loads((ORDERS / "verbs.toml").read_text(encoding="utf-8"))
    names = [name for verb in tables["verb"].values() for name in verb["aliases"]]
    names += [name for verb in tables["verb"].values() for names in verb.get("in", {}).values() for name in names]
    names += [name for words in tables["words"].values() for name in words]
    board = at(OPENING).table.board
    symbols = {colour.symbol for colour in board.colours} | {colour.code for colour in board.colours}
    terms = (term for term in board_terms(board) if term.kind in ("TRACK", "CUBE"))
    names += [term.name for term in terms if term.name not in symbols]
    umlauts = {fold(name.translate(PLAIN)) for name in re.findall("`([^`]+)`", guide)}
    assert [name for name in names if fold(name) not in listed | umlauts] == []


@pytest.mark.parametrize("line", ["WUNSCH grün+rosa", "Wünsche: grün+rosa"])
def test_wishes_may_be_called_so_in_german(line: str) -> None:
    assert one(at(OPENING), line) == Rank(wishes=(Wish(colours=("green", "pink")),), line=1)
    assert read(at(OPENING), "RANK 1\n\nPresse: Dampf!").press == "Dampf!"


# --- What newsletters say of bids and single decisions ---


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "Each bid is one of 1 to 5. Tied bids are paid"),
        ({"two_player_bid": "any", "two_player_tie": "raise"}, "as high as your cash. After a tie both bid more"),
    ],
)
def test_two_players_are_told_how_they_bid(options: dict[str, Any], words: str) -> None:
    text = written((asking(opened(2, **options), schedule.LETTER, stage=OPENING), ()), "ANN")
    assert words in text
    assert "BID 3, 2, 1" in text
    assert "You two" not in written((asking(opened(3), schedule.LETTER, stage=OPENING), ()), "ANN")


def test_who_is_asked_for_a_bid_is_told_the_least_one() -> None:
    state = replace(one_by_one(opened(3, auction="live"), schedule.BID, "ANN"), bids={"BOB": 10})
    text = written((state, ()), "ANN")
    assert "The least bid that counts is 11" in text
    assert "BID 11" in text


@pytest.mark.parametrize(("what", "words"), [("build", "build 2"), ("move", "trip 2")])
def test_a_single_decision_is_asked_for_by_its_number(what: str, words: str) -> None:
    state = one_by_one(opened(3), what, "ANN", number=2)
    assert f"You are asked for: {words}." in written((state, ()), "ANN")
    assert f"ANN is asked now: {words}." in written((state, ()), "BOB")
