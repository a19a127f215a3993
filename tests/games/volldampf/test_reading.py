"""Lines of letters become orders, orders become lines again, and what cannot be meant is told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.game import ONE_BY_ONE, Player
from referee.games.volldampf import schedule
from referee.games.volldampf.notation import format_order
from referee.games.volldampf.state import (
    DECLINED,
    LAST,
    Bid,
    Build,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Site,
    State,
    Steal,
    Subsidy,
    TakeBonds,
    Target,
    Wish,
)
from tests.games.volldampf.desk import BUILDS, OPENING, TRIPS, asked, at, meant, one, read

TO_ERFURT = ("MAG", "LEI", "ERF")
NEAR_HAMBURG = ("Hannover", "Bremen", "Kopenhagen", "Magdeburg", "Rostock", "Berlin")
FROM_HAMBURG = ", ".join(f"Hamburg-{city}" for city in NEAR_HAMBURG)


@pytest.mark.parametrize(
    ("stage", "line", "order"),
    [
        (OPENING, "BONDS 3", TakeBonds(points=3)),
        (OPENING, "BONDS three", TakeBonds(points=3)),
        (OPENING, "BONDS: drei Punkte.", TakeBonds(points=3)),
        (OPENING, "bonds: 4 points", TakeBonds(points=4)),
        (OPENING, "Bonds none", TakeBonds(points=0)),
        (OPENING, "LIMIT 7", Bid(amounts=(7,))),
        (OPENING, "Limit: 7 marks", Bid(amounts=(7,))),
        (OPENING, "BID 4", Bid(amounts=(4,))),
        (OPENING, "Höchstgebot 4", Bid(amounts=(4,))),
        (OPENING, "LIMIT PASS", Bid()),
        (OPENING, "LIMIT 0", Bid(amounts=(0,))),
        (
            OPENING,
            "RANK green+pink, any purple, 2",
            Rank(wishes=(Wish(colours=("green", "pink")), Wish(colours=("purple",)), Wish(number=2))),
        ),
        (
            OPENING,
            "rank pink green or GRÜN and grün",
            Rank(wishes=(Wish(colours=("green", "pink")), Wish(colours=("green",) * 2))),
        ),
        (
            OPENING,
            "RANK only grau+lila, group 1",
            Rank(wishes=(Wish(colours=("purple", "grey"), exact=True), Wish(number=1))),
        ),
        (
            OPENING,
            "NEW: pink+green+grey / purple+purple+purple / orange+brown+grey / pink+pink+orange",
            Rearrange(
                groups=(
                    ("green", "pink", "grey"),
                    ("purple", "purple", "purple"),
                    ("orange", "brown", "grey"),
                    ("pink", "pink", "orange"),
                )
            ),
        ),
        (OPENING, "Alles neu (green pink) / (C+S)", Rearrange(groups=(("green", "pink"), ("purple", "orange")))),
        (OPENING, "STEAL FROM Bob, CID", Steal(players=("BOB", "CID"))),
        (OPENING, "STEAL FROM NOBODY", Steal(players=())),
        (OPENING, "STEHLEN VON NIEMANDEM", Steal(players=())),
        (OPENING, "STEAL 2 FROM Bob", Steal(players=("BOB",), which="2")),
        (OPENING, "steal card two: Bob", Steal(players=("BOB",), which="2")),
        (OPENING, "STEAL LAST FROM CID, Bob", Steal(players=("CID", "BOB"), which=LAST)),
        (OPENING, "STEHLEN LETZTER VON NIEMAND", Steal(players=(), which=LAST)),
        (OPENING, "VOLER DERNIÈRE PLACE DE Bob", Steal(players=("BOB",), which=LAST)),
        (OPENING, "STEEL LAATSTE VAN Bob", Steal(players=("BOB",), which=LAST)),
        (
            OPENING,
            "PLAN AFTER CHOOSE: red FROM Prag TO Berlin",
            Plan(when="after", what="choose", colour="red", origin="PRA", goal="BER"),
        ),
        (BUILDS, "BUILD 1: Hamburg-Bremen", Build(number=1, sites=(Site(link="BRE-HAM"),))),
        (BUILDS, "Build 1) bremen to HAM with brown", Build(number=1, sites=(Site(link="BRE-HAM"),))),
        (BUILDS, "BUILD 2 Köln – Frankfurt", Build(number=2, sites=(Site(link="FRA-KOL"),))),
        (BUILDS, "BAU 2: Koeln-Frankfort", Build(number=2, sites=())),
        (
            BUILDS,
            "BUILD 3: Hamburg-Bremen; OR Berlin-Warschau BARGAIN WITH grey, OR DISCARD green",
            Build(
                number=3,
                sites=(Site(link="BRE-HAM"), Site(link="BER-WAR", card="grey", bargain=True), Site(card="green")),
            ),
        ),
        (
            BUILDS,
            "BUILD 1: günstige Gelegenheit: Berlin-Warsaw",
            Build(number=1, sites=(Site(link="BER-WAR", bargain=True),)),
        ),
        (BUILDS, "BUILD 1: none", Build(number=1, sites=(Site(),))),
        (BUILDS, "DISCARD 2: green", Build(number=2, sites=(Site(card="green"),))),
        (
            BUILDS,
            "SABOTAGE Bob 2: red FROM Prag OR ANY",
            Sabotage(victim="BOB", trip=2, targets=(Target(colour="red", origin="PRA"), Target())),
        ),
        (
            BUILDS,
            "SABOTAGE: VIA Leipzig OR blue TO Köln",
            Sabotage(targets=(Target(passing="LEI"), Target(colour="blue", goal="KOL"))),
        ),
        (BUILDS, "Sabotage anybody 1: any red", Sabotage(trip=1, targets=(Target(colour="red"),))),
        (
            BUILDS,
            "PLAN BEFORE BUILD 1: red von Prag nach Berlin",
            Plan(when="before", what="build", number=1, colour="red", origin="PRA", goal="BER"),
        ),
        (
            TRIPS,
            "MOVE 1: violet FROM Magdeburg VIA Leipzig TO Erfurt",
            Move(trip=1, deliveries=(Delivery(colour="violet", origin="MAG", goal="ERF", route=TO_ERFURT),)),
        ),
        (
            TRIPS,
            "move 2 violett: Magdeburg - Leipzig -> Erfurt with fast",
            Move(trip=2, deliveries=(Delivery(colour="violet", origin="MAG", goal="ERF", route=TO_ERFURT, loks=1),)),
        ),
        (
            TRIPS,
            "MOVE 1: violet FROM Magdeburg TO Erfurt VIA Dresden OR blue Berlin-Leipzig OR DECLINE",
            Move(
                trip=1,
                deliveries=(
                    Delivery(colour="violet", origin="MAG", goal="ERF", via=("DRE",)),
                    Delivery(colour="blue", origin="BER", goal="LEI", route=("BER", "LEI")),
                    Delivery(colour=DECLINED),
                ),
            ),
        ),
        (
            TRIPS,
            "MOVE 1: blue cube FROM Berlin TO Leipzig",
            Move(trip=1, deliveries=(Delivery(colour="blue", origin="BER", goal="LEI"),)),
        ),
        (TRIPS, "DECLINE 2", Move(trip=2, deliveries=(Delivery(colour=DECLINED),))),
        (
            TRIPS,
            "SUBVENTION: red FROM Prag TO Kopenhagen",
            Subsidy(deliveries=(Delivery(colour="red", origin="PRA", goal="KOP"),)),
        ),
        (
            TRIPS,
            "SUBSIDY 4: red FROM Prag TO Kopenhagen",
            Subsidy(trip=4, deliveries=(Delivery(colour="red", origin="PRA", goal="KOP"),)),
        ),
        (
            TRIPS,
            "EXTRA 1: yellow Wien, violet Berlin, blue in Hamburg, red: Prag",
            Extra(trip=1, cities=(("blue", "HAM"), ("violet", "BER"), ("red", "PRA"), ("yellow", "WIE"))),
        ),
        (
            TRIPS,
            "EXTRA 3: Berlin",
            Extra(trip=3, cities=tuple((colour, "BER") for colour in ("blue", "violet", "red", "yellow"))),
        ),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "ORDERS\n{}\nEND"], ids=["loose", "marked"])
def test_a_line_is_one_order_and_its_canonical_form_the_same(frame: str, stage: str, line: str, order: Order) -> None:
    state = at(stage)
    if isinstance(order, Build) and not order.sites:  # a near name is told, not guessed
        assert [found.code for found in meant(state, frame.format(line)).complaints][:1] == ["invalid-place"]
        return
    found = one(state, frame.format(line))
    assert replace(found, line=0) == order
    again = one(state, frame.format(format_order(state, found)))
    assert replace(again, line=0) == order


def test_canonical_forms_are_what_players_are_shown() -> None:
    state = at(TRIPS)
    lines = {
        "move 1: violet from magdeburg via leipzig to erfurt or none": "MOVE 1: violet Magdeburg-Leipzig-Erfurt OR DECLINE",
        "extra 2: berlin": "EXTRA 2: Berlin",
        "sabotage bob: any": "SABOTAGE Bob: ANY",
        "Neue Planung vor Fahrt 2: rot von Prag nach Berlin": "PLAN BEFORE MOVE 2: red FROM Prag TO Berlin",
    }
    assert [format_order(state, one(state, line)) for line in lines] == list(lines.values())
    assert format_order(at(OPENING, players=2), Bid(amounts=(3, 2, 1))) == "BID 3, 2, 1"
    assert format_order(at(OPENING), Bid(amounts=(3,))) == "LIMIT 3"


@pytest.mark.parametrize(
    ("stage", "line", "code", "hint"),
    [
        (OPENING, "LIMIT several", "invalid-word", "LIMIT 4"),
        (OPENING, "BID plenty", "invalid-word", "BID 2, 3, 4"),
        (OPENING, "LIMIT -3", "invalid-word", "LIMIT 3"),
        (OPENING, "BONDS many", "invalid-word", "BONDS 3"),
        (OPENING, "RANK greeen+pink", "invalid-track", "green, grey"),
        (OPENING, "RANK 9", "invalid-group", ""),
        (
            BUILDS,
            "BUILD 1: Hamburg-Köln",
            "invalid-link",
            FROM_HAMBURG,
        ),
        (BUILDS, "BUILD 1: Hamburg-Leipzig", "invalid-link", "Hamburg-Magdeburg-Leipzig, Hamburg-Berlin-Leipzig"),
        (BUILDS, "BUILD 1: Hamburg-Bremen WITH purpel", "invalid-track", "purple"),
        (BUILDS, "BUILD: Hamburg-Bremen", "invalid-which", "BUILD 1"),
        (BUILDS, "BUILD 4: Hamburg-Bremen", "invalid-number-of", ""),
        (BUILDS, "SABOTAGE Ann: ANY", "illegal-yourself", "BOB, CID, DOT"),
        (BUILDS, "STEAL 4 FROM BOB", "invalid-number-of", ""),
        (BUILDS, "STEAL FROM ANN", "illegal-yourself", "BOB, CID, DOT"),
        (BUILDS, "SABOTAGE Bobb: ANY", "invalid-player", "BOB"),
        (TRIPS, "MOVE 1: violet Magdeburg-Erfurt-Magdeburg", "invalid-city-twice", ""),
        (
            TRIPS,
            "MOVE 1: violet Magdeburg-Dresden-Berlin",
            "invalid-gap",
            "Magdeburg-Berlin-Dresden, Magdeburg-Leipzig-Dresden",
        ),
        (TRIPS, "MOVE 1: vilet FROM Magdeburg TO Erfurt", "invalid-cube", "violet"),
        (TRIPS, "MOVE 1: violet FROM Magdburg TO Erfurt", "invalid-place", "Magdeburg, Hamburg"),
        (TRIPS, "MOVE 3: blue Berlin-Leipzig", "invalid-number-of", ""),
        (TRIPS, "SUBSIDY: DECLINE", "illegal-subsidy-declined", ""),
        (TRIPS, "EXTRA 1: blue Hamburg, red Prag", "invalid-extra-cities", ""),
        (TRIPS, "EXTRA 1: green Hamburg, red Prag", "invalid-cube", "blue, violet, red, yellow"),
        (TRIPS, "EXTRA 1: blue Hamburg, violet Berlin, rde Prag, yellow Wien", "invalid-cube", "red"),
        (TRIPS, "EXTRA 1: Hamborg", "invalid-place", "Hambourg"),
        (TRIPS, "PLAN BEFORE MOVE 1: red FROM Prag TO Prag", "invalid-same-city", ""),
        (BUILDS, "RUN 7: 12 - X17 - 44", "invalid-other-game", ""),
        (BUILDS, "1a) (Dublin) - Y17", "invalid-other-game", ""),
        (BUILDS, "HOME Dublin", "invalid-other-game", ""),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "ORDERS\n{}\nEND"], ids=["loose", "marked"])
def test_what_cannot_be_meant_is_told_once_with_what_might_be(
    frame: str, stage: str, line: str, code: str, hint: str
) -> None:
    understood = meant(at(stage), frame.format(line))
    assert [(found.code, found.hint) for found in understood.complaints] == [(code, hint)]
    assert understood.orders == ()


@pytest.mark.parametrize(
    ("stage", "line", "code"),
    [
        (TRIPS, "MOVE 1: FROM Hamburg TO Berlin", "invalid-no-colour"),
        (TRIPS, "MOVE 1: Magdeburg-Leipzig-Erfurt", "invalid-no-colour"),
        (TRIPS, "MOVE 1: blue Berlin-Leipzig OR Prag TO Hamburg", "invalid-no-colour"),
        (TRIPS, "PLAN BEFORE MOVE 1: FROM Prag TO Berlin", "invalid-no-colour"),
        (TRIPS, "MOVE 1: violet FROM Magdeburg", "invalid-no-goal"),
        (TRIPS, "MOVE 1: violet FROM Magdeburg Erfurt", "invalid-no-goal"),
        (TRIPS, "MOVE 1: violet", "invalid-no-origin"),
        (BUILDS, "BUILD 1: Hamburg", "invalid-no-goal"),
        (TRIPS, "MOVE 1: foo", "invalid-word"),
        (TRIPS, "MOVE 1: violet - Magdeburg", "invalid-word"),
    ],
)
def test_what_a_line_lacks_is_named(stage: str, line: str, code: str) -> None:
    assert [found.code for found in meant(at(stage), line).complaints] == [code]


@pytest.mark.parametrize(
    ("stage", "line", "code"),
    [
        (BUILDS, "BUILD 1: Hamburg-Erfurt OR Hannover-Kassel", "warning-alternative-invalid-link"),
        (BUILDS, "BUILD 1: Hamburg-Erfurt OR DISCARD green", "invalid-link"),
        (TRIPS, "MOVE 1: red Prag-Hamburg OR blue Berlin-Leipzig", "warning-alternative-invalid-gap"),
        (TRIPS, "MOVE 1: red Prag-Hamburg OR DECLINE", "invalid-gap"),
    ],
)
def test_a_wish_that_the_board_does_not_know_is_a_warning_beside_one_that_it_knows(
    stage: str, line: str, code: str
) -> None:
    assert [found.code for found in meant(at(stage), line).complaints] == [code]


def test_good_lines_and_good_alternatives_count() -> None:
    state = at(TRIPS)
    text = "MOVE 1: violet FROM Magdburg TO Erfurt OR blue Berlin-Leipzig OR red Prag-Hamburg\nMOVE 2: foo\nDECLINE 2"
    understood = meant(state, f"ORDERS\n{text}\nEND")
    assert [format_order(state, order) for order in understood.orders] == [
        "MOVE 1: blue Berlin-Leipzig",
        "MOVE 2: DECLINE",
    ]
    assert [(found.code, found.line) for found in understood.complaints] == [
        ("invalid-place", 2),
        ("invalid-word", 3),
        ("warning-alternative-invalid-gap", 2),
    ]


@pytest.mark.parametrize(
    ("state", "line", "code"),
    [
        (at(BUILDS), "MOVE 1: blue Berlin-Leipzig", "illegal-not-now"),
        (at(BUILDS), "BONDS 3", "illegal-too-late"),
        (at(OPENING), "BUILD 1: Hamburg-Bremen", "illegal-not-now"),
        (at(OPENING), "SABOTAGE: ANY", "illegal-not-now"),
        (at("auction"), "NEW: green / pink", "illegal-too-late"),
        (at("trip", 1), "MOVE 2: blue Berlin-Leipzig", "illegal-not-now"),
        (at("trip", 1), "SUBSIDY: blue Berlin-Leipzig", "illegal-not-now"),
        (at("trip", 2), "MOVE 1: blue Berlin-Leipzig", "illegal-too-late"),
        (asked(schedule.BUILD, 2), "BUILD 1: Hamburg-Bremen", "illegal-too-late"),
        (asked(schedule.BUILD, 2), "BUILD 3: Hamburg-Bremen", "illegal-not-now"),
        (asked(schedule.MOVE, 1), "EXTRA 2: Berlin", "illegal-not-now"),
    ],
)
def test_an_order_for_another_letter_says_what_is_asked_and_when_it_will_be(state: State, line: str, code: str) -> None:
    understood = meant(state, line)
    assert [found.code for found in understood.complaints] == [code]
    assert understood.orders == ()
    assert dict(understood.complaints[0].params)["asked"]
    assert (understood.complaints[0].hint == "3") == (code == "illegal-too-late")


def test_what_stands_or_waits_may_be_ordered_early() -> None:
    assert isinstance(one(asked(schedule.BID), "RANK green"), Rank)
    assert isinstance(one(asked("bonds"), "NEW: green / pink"), Rearrange)
    assert isinstance(one(asked(schedule.BUILD, 1), "SABOTAGE: ANY"), Sabotage)
    assert isinstance(one(at("bonds"), "STEAL FROM Bob"), Steal)


def test_where_one_decision_is_asked_its_number_may_be_left_out() -> None:
    assert one(asked(schedule.BUILD, 2), "BUILD: Hamburg-Bremen") == Build(
        number=2, sites=(Site(link="BRE-HAM"),), line=1
    )
    assert one(asked(schedule.MOVE, 2), "DECLINE") == Move(trip=2, deliveries=(Delivery(colour=DECLINED),), line=1)
    assert one(at("trip", 2), "EXTRA: Berlin").trip == 2  # type: ignore[union-attr]
    assert asked(schedule.MOVE, 2).table.pace == ONE_BY_ONE


@pytest.mark.parametrize(
    ("stage", "text", "kept"),
    [
        (OPENING, "BONDS 3\nBONDS 4", "BONDS 3"),
        (OPENING, "LIMIT 3\nBID 4", "LIMIT 3"),
        (BUILDS, "BUILD 1: Hamburg-Bremen\nDISCARD 1: green", "BUILD 1: Hamburg-Bremen"),
        (TRIPS, "MOVE 1: none\nMOVE 1: blue Berlin-Leipzig", "MOVE 1: DECLINE"),
    ],
)
def test_of_the_same_order_twice_the_first_counts(stage: str, text: str, kept: str) -> None:
    state = at(stage)
    understood = meant(state, text)
    assert [format_order(state, order) for order in understood.orders] == [kept]
    assert [(found.code, found.line) for found in understood.complaints] == [("invalid-twice", 2)]


def test_an_order_that_plays_a_card_may_stand_once_for_each_of_its_two_cards() -> None:
    understood = meant(at(BUILDS), "SABOTAGE: red\nSABOTAGE Bob: ANY\nSABOTAGE: blue")
    assert len(understood.orders) == 2
    assert [found.code for found in understood.complaints] == ["invalid-twice"]


def test_only_two_players_bid_with_a_list() -> None:
    assert one(at(OPENING, players=2), "BID 3, 2, then 1") == Bid(amounts=(3, 2, 1), line=1)
    understood = meant(at(OPENING), "BID 3, 2, 1")
    assert understood.orders == (Bid(amounts=(3,), line=1),)
    assert [found.code for found in understood.complaints] == ["note-one-bid"]


def test_where_routes_are_needed_a_way_with_gaps_is_refused() -> None:
    state = at(TRIPS, options={"route_needed": True})
    assert [found.code for found in meant(state, "MOVE 1: violet FROM Magdeburg TO Hannover").complaints] == []
    assert [found.code for found in meant(state, "MOVE 1: violet FROM Magdeburg TO München").complaints] == [
        "invalid-gap"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Bonds are expensive",
        "Bid 4 was too much",
        "Limit your losses",
        "Rank and file",
        "Rank 2 is mine",
        "New year, new luck",
        "New green cars",
        "Build on that",
        "Build 1 was nice",
        "Discard that idea",
        "Move 1 was fine",
        "Move on!",
        "Move to Berlin some day",
        "Decline and fall",
        "Subsidy for all",
        "Extra time",
        "Extra Berlin beer for everybody",
        "Plan before you build",
        "Sabotage any time you like",
        "Sabotage was mean of you",
        "Steal from the rich",
        "Home is where the heart is",
        "Run 7 was great",
    ],
)
def test_prose_is_no_order(line: str) -> None:
    reading = read(at(TRIPS), f"Hello,\n{line}\n")
    assert (reading.phrases, reading.complaints) == ((), ())
    assert reading.unread == ((1, "Hello,"), (2, line))


@pytest.mark.parametrize(
    "wrapped",
    [
        "MOVE 1: violet FROM Magdeburg VIA Leipzig\nTO Erfurt OR blue FROM Berlin TO Leipzig OR DECLINE",
        "MOVE 1:\nviolet FROM Magdeburg VIA\nLeipzig TO Erfurt\nOR blue FROM Berlin TO Leipzig OR\nDECLINE",
        "MOVE 1: violet\nFROM Magdeburg VIA Leipzig TO Erfurt OR blue FROM Berlin\nTO Leipzig OR DECLINE",
        "MOVE 1: violet Magdeburg-Leipzig-\nErfurt; blue FROM Berlin TO\nLeipzig ;\nOR DECLINE",
    ],
)
@pytest.mark.parametrize("frame", ["{}", "ORDERS\n{}\nEND"], ids=["loose", "marked"])
def test_a_line_that_a_mail_program_wrapped_is_one_order(frame: str, wrapped: str) -> None:
    state = at(TRIPS)
    order = one(state, frame.format(wrapped))
    assert (
        format_order(state, order)
        == "MOVE 1: violet Magdeburg-Leipzig-Erfurt OR blue FROM Berlin TO Leipzig OR DECLINE"
    )


def test_lists_may_be_wrapped_behind_a_comma_or_before_a_name() -> None:
    state = at(TRIPS)
    text = "ORDERS\nEXTRA 1: blue Hamburg, violet\nBerlin, red Prag,\nyellow Wien\nMOVE 1: none\nEND"
    assert [format_order(state, order) for order in meant(state, text).orders] == [
        "EXTRA 1: blue Hamburg, violet Berlin, red Prag, yellow Wien",
        "MOVE 1: DECLINE",
    ]
    assert len(meant(at(BUILDS), "BUILD 1: Hamburg-Bremen OR\nDISCARD green\nBUILD 2: none").orders) == 2


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("SABOTAGE RED 1", "SABOTAGE RED 1: ANY"),
        ("SABOTAGE RED: red FROM Prag", "SABOTAGE RED: red FROM Prag"),
        ("Sabotage violet 2: violet OR blue", "SABOTAGE Violet 2: violet OR blue"),
        ("SABOTAGE violet FROM Hamburg", "SABOTAGE: violet FROM Hamburg"),
        ("steal from violet, red", "STEAL FROM Violet, RED"),
    ],
)
def test_a_player_whose_name_is_a_colours_is_meant_where_the_colour_does_not_fit(line: str, canonical: str) -> None:
    state = at(TRIPS)
    names = {"ANN": "Ann", "RED": "", "VIO": "Violet", "DOT": "Dot"}
    seats = tuple(Player(code=code, colour="red", name=name) for code, name in names.items())
    state = replace(state, table=replace(state.table, players=seats))
    assert format_order(state, one(state, line)) == canonical
