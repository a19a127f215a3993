"""A turn as the newsletter tells it."""

import json
from typing import get_args

import pytest

from referee.core import View
from referee.core.record import Ruled
from referee.games.volldampf.events import (
    ActionDrawn,
    Asked,
    BarsLifted,
    BidMade,
    BidPassed,
    BidsOpened,
    CubeDelivered,
    CubePlanned,
    Event,
    Events,
    GameEnded,
    GameStarted,
    KeptDropped,
    LinkBuilt,
    NothingReceived,
    OrderKept,
    OrderRefused,
    PositionTaken,
    RoundBegan,
    RoundEnded,
    TrackCardDiscarded,
)
from referee.games.volldampf.report import view
from referee.games.volldampf.report.prices import help_lines
from referee.games.volldampf.report.story import private_scene, scene, section_of, story
from referee.games.volldampf.report.summary import summary
from referee.games.volldampf.state import Bid, Kept, Rank, Sabotage, Stage, State, Target, What, Wish
from tests.games.volldampf.told import Turn, asking, events_of, folded, holding, one_by_one, opened, turns
from tests.games.volldampf.wholegame import bots_game
from tests.tables import Tables

CASES = Tables(__file__)


# What is told by other means: at the head of the letter, by the position, or to nobody.
UNTOLD = {
    GameStarted,
    PositionTaken,
    Ruled,
    RoundBegan,
    Asked,
    NothingReceived,
    OrderKept,
    KeptDropped,
    OrderRefused,
    BarsLifted,
    RoundEnded,
    GameEnded,
}


def tale(turn: Turn, reader: str | None = None) -> View:
    """Return the story of a turn."""
    return story(*turn, reader)


def sections(turn: Turn, reader: str | None = None) -> dict[str, View]:
    """Return the sections of a turn by kind."""
    return {section["kind"]: section for section in tale(turn, reader)["sections"]}


def whats(part: View) -> list[str]:
    """Return the kinds of a part's scenes."""
    return [one["what"] for one in part["scenes"]]


def test_every_event_is_told_somewhere_or_named_as_untold() -> None:
    state, _ = turns()["trips"]
    every = [event for turn in turns().values() for event in turn[1]]
    told = {type(event) for event in every if section_of(event) or scene(event, state)}
    missing = set(get_args(Event)) - told - UNTOLD
    assert missing == {BidsOpened}, "told in the auction of two players, tested below"
    assert not told & UNTOLD


def test_phases_come_in_order() -> None:
    kinds = {name: [section["kind"] for section in tale(turn)["sections"]] for name, turn in turns().items()}
    assert kinds == {
        "opening": ["goods", "groups"],
        "auction": ["bonds", "new", "auction", "choice"],
        "builds": ["builds"],
        "trips": ["trips", "income"],
    }
    assert [tale(turn)["phase"] for turn in turns().values()] == ["opening", "auction", "builds", "trips"]
    assert [tale(turn)["round"] for turn in turns().values()] == [0, 1, 1, 1]


def test_cubes_of_the_setup_and_of_cards() -> None:
    goods = sections(turns()["opening"])["goods"]
    assert [(one["city"], one["colour"]) for one in goods["setup"]] == [("Hamburg", "red"), ("Hannover", "blue")]
    cubes = {
        card["card"]: [(one["city"], one.get("colour", one.get("owed"))) for one in card["cubes"]]
        for card in goods["cards"]
    }
    assert cubes == {
        1: [("Hamburg", "violet"), ("Prag", "blue"), ("Wien", True)],
        2: [("Kassel", "violet"), ("Berlin", False)],
    }


def test_an_auction_tells_bids_and_payments() -> None:
    auction = sections(turns()["auction"])["auction"]
    assert [(one.player, getattr(one, "amount", None)) for one in auction["bids"]] == [
        ("BOB", 1),
        ("CAT", 2),
        ("ANN", None),
        ("BOB", 3),
        ("CAT", None),
    ]
    assert auction["out"] == ["ANN", "CAT"]


@CASES.rows
def test_a_table_of_a_section_has_what_its_rows_say(
    phase: str, kind: str, columns: list[str], rows: list[View], options: View, reader: str
) -> None:
    """Rule: DIFF 08: of hidden marks who sees a table of builds or income sees their own in it."""
    section = sections(turns(**options)[phase], reader or None)[kind]
    told = section.get("rows") or section["parts"][0]["rows"]
    assert [{name: row[name] for name in columns if row.get(name) is not None} for row in told] == rows


def test_a_long_auction_by_limits_is_told_by_its_last_bids() -> None:
    """Bid by bid it is told in full, since each bid is news."""
    bids: list[Event] = [BidMade(player="BOB" if amount % 2 else "CAT", amount=amount) for amount in range(1, 20)]
    events = (*bids, BidPassed(player="CAT"))
    by_limits = sections((folded(opened(), events), events))["auction"]
    assert (by_limits["bids"], by_limits["out"]) == ([], ["CAT"])
    live = opened(auction="live")
    assert len(sections((folded(live, events), events))["auction"]["bids"]) == 20


def test_sealed_bids_of_two_players() -> None:
    """Rule: V6.3."""
    told = events_of(*CASES.listed("sealed_bids"))
    auction = sections((folded(opened(2), told), told))["auction"]
    assert [one.tie for one in auction["opened"]] == [True, False]
    assert [(row["code"], row["bid"], row["paid"], row["cash"]) for row in auction["rows"]] == [
        ("BOB", 2, 5, 5),
        ("ANN", 1, 4, 6),
    ]


def test_builds_round_by_round_with_cost_and_marks() -> None:
    parts = sections(turns()["builds"])["builds"]["parts"]
    assert [part["number"] for part in parts] == [1, 2, 3]
    assert whats(parts[0]) == ["card-played", "cube-planned", "card-played"]


def test_trips_with_the_cards_that_go_with_them() -> None:
    """A card stands before the act it serves, a card drawn behind the trip that was declined."""
    trips = sections(turns()["trips"])["trips"]["parts"]
    assert [part["number"] for part in trips] == [1, 2, 3]
    assert whats(trips[0]) == [
        "card-played",
        "extra-placed",
        "card-played",
        "card-played",
        "trip-barred",
        "card-returned",
        "no-delivery",
        "drawn-declined",
        "delivered",
        "debt-paid",
        "declined",
        "piles-renewed",
        "card-stolen",
    ]
    assert whats(trips[1]) == ["card-played", "delivered-fast", "no-delivery", "declined", "card-waived"]
    assert trips[2] == {"number": 3, "last": ["ANN", "BOB"], "rows": [], "scenes": []}
    fast = trips[1]["scenes"][1]
    assert (fast["route"], fast["length"]) == ("Prag - Berlin - Hamburg", 2)
    assert fast["steps"] == [{"code": "CAT", "steps": 1}, {"code": "ANN", "steps": 1}]


def test_a_cube_planned_after_a_players_last_act_stays_with_what_was_before() -> None:
    built = LinkBuilt(player="BOB", number=1, link="HAM-HAN", card="purple", cost=5)
    planned = CubePlanned(player="BOB", colour="red", origin="HAM", goal="KAS")
    other = TrackCardDiscarded(player="CAT", number=2, card="pink")
    state, _ = turns()["builds"]
    parts = sections((state, (built, planned, other)))["builds"]["parts"]
    assert [whats(part) for part in parts] == [["cube-planned"], []]
    alone = tale((state, (planned,)))["sections"]
    assert [section["kind"] for section in alone] == ["other"]
    assert whats(alone[0]["parts"][0]) == ["cube-planned"]


def test_places_are_shared_where_score_and_marks_are_equal() -> None:
    """Rule: V5.2, R19. Hidden marks decide nothing before the end."""
    state = opened(4)
    scored = state.but(income={"ANN": 5, "BOB": 3, "CAT": 5, "DAN": 0}, cash={"ANN": 2, "BOB": 9, "CAT": 2, "DAN": 0})
    assert [(one["code"], one["place"]) for one in tale((scored, ()))["ranking"]] == [
        ("ANN", 1),
        ("CAT", 1),
        ("BOB", 3),
        ("DAN", 4),
    ]
    richer = scored.but(cash={**scored.cash, "CAT": 3})
    assert [one["code"] for one in tale((richer, ()))["ranking"] if one["place"] == 1] == ["CAT"]
    hidden = opened(4, money_visible=False)
    hidden = hidden.but(income=scored.income, cash=richer.cash)
    ranking = tale((hidden, ()), "BOB")["ranking"]
    assert [one["code"] for one in ranking if one["place"] == 1] == ["ANN", "CAT"]
    assert [one["cash"] for one in ranking] == [None, None, 9, None]


def stocked() -> State:
    """Return a position in which DAN holds one of each card that may be stolen."""
    return holding(opened(4), DAN="Subvention, Sabotage")


@CASES.rows
@pytest.mark.parametrize("reader", ["BOB", "CAT", None])
def test_others_hear_nothing_of_what_is_secret(one: View, other: View, reader: str | None) -> None:
    """A story that others hear must not differ."""
    tales = [tale((folded(stocked(), events), events), reader) for events in map(events_of, (one, other))]
    assert tales[0] == tales[1]


@CASES.rows
def test_what_is_for_one_reader_alone(event: View, what: dict[str, str]) -> None:
    events = events_of(event)
    state = folded(stocked(), events)
    told = {code: private_scene(events[0], state, code) for code in ("ANN", "BOB", "CAT", "DAN")}
    assert {code: one["what"] for code, one in told.items() if one is not None} == what


def test_refusals_are_told_to_everybody_or_to_the_one_who_ordered() -> None:
    turn = turns()["auction"]
    assert [one.player for one in tale(turn, "ANN")["refused"]] == ["CAT"]
    assert [one.complaint.text for one in tale(turn, "ANN")["private"]["refused"]] == ["RANK"]
    assert tale(turn, "BOB")["private"]["refused"] == []


def test_own_cards_come_with_a_line_that_plays_them() -> None:
    state = holding(opened(), BOB="Sabotage, Sabotage, Schnelle Lok")
    line = help_lines(state, "BOB")["SABOTAGE"]
    assert tale((state, ()), "BOB")["private"]["cards"] == [
        {"card": "Sabotage", "count": 2, "example": line},
        {"card": "Schnelle Lok", "count": 1, "example": "..."},
    ]
    assert tale((state, ()), "ANN")["private"]["cards"] == []


def test_open_hands_are_told() -> None:
    """Rule: DIFF 40."""
    drawn = ActionDrawn(player="ANN", card="Sabotage", why="declined")
    told = scene(drawn, opened(hands_open=True))
    assert told is not None
    assert (told["what"], told["card"]) == ("drawn-declined-open", "Sabotage")


# Statistics of a game that is over: they add up, and tell what its events tell.


@pytest.fixture(scope="module")
def whole() -> tuple[State, Events]:
    """The end of a game of three built-in players, with the events of all its turns."""
    _, opening, played = bots_game(3)
    outcomes = [opening, *(turn.outcome for turn in played)]
    return outcomes[-1].state, tuple(event for outcome in outcomes for event in outcome.events)


def test_money_adds_up_from_the_start_to_the_cash_at_the_end(whole: tuple[State, Events]) -> None:
    state, events = whole
    for one in summary(state, events)["money"]:
        assert one["start"] == state.board.start_money
        flows = sum(one[flow] for flow in ("start", "bonds", "income", "auction", "building", "interest"))
        assert flows == one["cash"] == state.cash[one["code"]]
        assert one["bonds"] == one["points"] * state.board.bond_money > 0
        assert one["building"] < 0 <= one["income"]


def test_spaces_add_up_to_what_every_delivery_brought(whole: tuple[State, Events]) -> None:
    state, events = whole
    told = summary(state, events)
    made = [event for event in events if isinstance(event, CubeDelivered)]
    spaces = sum(len(event.route) - 1 for event in made)
    assert (
        sum(one["deliveries"] for one in told["trips"]) == sum(one["cubes"] for one in told["cities"]) == len(made) > 0
    )
    assert (
        sum(one["own"] + one["others"] for one in told["trips"]) == sum(one["links"] for one in told["trips"]) == spaces
    )
    assert sum(one["spaces"] for one in told["cities"]) == spaces
    for code in state.codes:
        moved = sum(told["moved"][other].get(code, 0) for other in state.codes)
        assert moved >= state.income[code], "only interest that is not paid takes a locomotive back"
    assert sum(one["deliveries"] + one["declined"] for one in told["trips"]) >= 2 * 5 * 3
    assert sum(one["built"] + one["discarded"] for one in told["trips"]) == 45


def test_a_card_that_was_taken_back_was_not_played() -> None:
    """CAT's Schnelle Lok was played twice and taken back once."""
    state, events = turns()["trips"]
    played = {one["card"]: one["players"] for one in summary(state, events)["cards"]}
    assert played == {"Schnelle Lok": {"CAT": 1}, "Sabotage": {"BOB": 1}, "Zusatzfracht": {"CAT": 1}}


# What may be seen of a position, and by whom.


def secretive() -> tuple[State, State]:
    """Return two positions that differ in what ANN holds, has ordered and what was taken out, and in nothing else."""
    state = asking(turns()["builds"][0], "letter", stage="trips")
    one = holding(state, ANN="Sabotage, Alles neu").but(
        kept=(Kept(player="ANN", order=Bid(amounts=(7,))),),
        removed=("pink",),
        track_pile={"purple": 1, "green": 2, "pink": 3},
        action_pile={"Sabotage": 2, "Subvention": 1},
    )
    other = holding(state, ANN="Zusatzfracht, Neue Planung").but(
        kept=(Kept(player="ANN", order=Sabotage(targets=(Target(colour="red"),))),),
        removed=("green",),
        track_pile={"purple": 1, "green": 3, "pink": 2},
        action_pile={"Sabotage": 1, "Subvention": 2},
    )
    return one, other


@pytest.mark.parametrize("reader", ["BOB", "CAT", None])
def test_others_see_nothing_of_what_is_secret(reader: str | None) -> None:
    one, other = secretive()
    assert view(one, reader) == view(other, reader)


def test_players_see_their_own_hand_and_what_they_ordered() -> None:
    seen, other = (view(state, "ANN") for state in secretive())
    assert seen["players"][0]["actions"] == ["Sabotage", "Alles neu"]
    assert (seen["kept"], other["kept"]) == (["LIMIT 7"], ["SABOTAGE: red"])
    assert seen["players"][1]["actions"] is None
    assert seen["removed"] is None


def test_a_view_is_json() -> None:
    for state, _ in turns().values():
        for reader in ("ANN", None):
            assert json.loads(json.dumps(view(state, reader))) == view(state, reader)


def test_marks_may_be_hidden() -> None:
    """Rule: DIFF 08."""
    state = opened(money_visible=False)
    assert [one["cash"] for one in view(state, "BOB")["players"]] == [None, 10, None]
    assert [one["cash"] for one in view(state, None)["players"]] == [None, None, None]
    assert [one["cash"] for one in view(opened(), None)["players"]] == [10, 10, 10]


def test_hands_may_be_open_and_removed_cards_shown() -> None:
    """Rule: DIFF 40, DIFF 09."""
    state = holding(opened(hands_open=True, removed_cards="shown"), ANN="Sabotage")
    assert view(state, "BOB")["players"][0]["actions"] == ["Sabotage"]
    assert view(state, "BOB")["removed"] == ["pink"]


def test_nothing_is_secret_once_the_game_is_over() -> None:
    ended = GameEnded(scores={"ANN": 0, "BOB": 0, "CAT": 0}, winners=("ANN",))
    seen = view(folded(holding(opened(money_visible=False), ANN="Sabotage"), (ended,)), "BOB")
    assert (seen["players"][0]["actions"], seen["players"][0]["cash"], seen["removed"]) == (["Sabotage"], 10, ["pink"])
    assert (seen["stage"], seen["asked"], seen["form"], seen["winners"]) == ("over", {}, [], ["ANN"])


def test_links_cities_and_players_are_told_with_names() -> None:
    seen = view(turns()["builds"][0], None)
    assert seen["links"][0] == {
        "id": "HAM-HAN",
        "name": "Hamburg-Hannover",
        "a": "HAM",
        "b": "HAN",
        "colour": "purple",
        "cost": 5,
        "owner": "BOB",
    }
    kassel = next(city for city in seen["cities"] if city["id"] == "KAS")
    assert (kassel["colour"], kassel["cubes"], kassel["home"]) == ("blue", ["violet", "red"], True)
    bob = seen["players"][1]
    assert (bob["cash"], bob["bonds"], bob["score"], bob["sections_left"]) == (16, 3, -3, 10)


@CASES.rows
def test_the_order_form_asks_for_what_a_letter_is_about(what: What, stage: Stage, number: int, form: list[str]) -> None:
    """Cards that are held get a line of their own, in the holder's letter alone."""
    state = holding(asking(opened(), what, stage=stage, number=number), ANN="Subvention, Alles neu")
    assert view(state, "ANN")["form"] == form
    assert view(state, "BOB")["form"] == [line for line in form if line not in ("NEW:", "SUBSIDY:")]


@CASES.rows
def test_the_order_form_of_a_single_decision(what: What, number: int, form: str) -> None:
    seen = view(one_by_one(opened(), what, "ANN", number), "BOB")
    assert seen["form"] == [form]
    assert seen["asked"] == {"player": "ANN", "what": what, "number": number}


def test_two_players_and_live_bidders_bid_and_others_name_a_limit() -> None:
    two, live = opened(2), opened(auction="live")
    assert view(asking(two, "letter", stage="auction"), None)["form"] == ["BID", "RANK"]
    assert view(asking(live, "bid", player="ANN"), None)["form"] == ["BID"]


def test_orders_that_wait_stand_in_canonical_form() -> None:
    rank = Rank(wishes=(Wish(colours=("green", "pink")), Wish(number=2)))
    state = opened().but(kept=(Kept(player="BOB", order=rank),))
    assert view(state, "BOB")["kept"] == ["RANK green+pink, 2"]


def test_a_table_before_the_game_can_be_seen() -> None:
    """The title of the board is asked for before anything is dealt."""
    seen = view(State(table=opened().table), None)
    assert (seen["title"], seen["round"], [one["score"] for one in seen["players"]]) == ("Trial", 0, [0, 0, 0])
