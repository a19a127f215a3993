"""What may be seen of a position, and by whom."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from referee.games.volldampf.events import GameEnded
from referee.games.volldampf.report.view import view
from referee.games.volldampf.state import Bid, Kept, Rank, Sabotage, State, Target, Wish
from tests.games.volldampf.told import asking, folded, holding, one_by_one, opened, turns


def secretive() -> tuple[State, State]:
    """Return two positions that differ in what ANN holds, has ordered and what was taken out, and in nothing else."""
    state = asking(turns()["builds"][0], "letter", stage="trips")
    one = replace(
        holding(state, ANN="Sabotage, Alles neu"),
        kept=(Kept(player="ANN", order=Bid(amounts=(7,))),),
        removed=("pink",),
        track_pile={"purple": 1, "green": 2, "pink": 3},
        action_pile={"Sabotage": 2, "Subvention": 1},
    )
    other = replace(
        holding(state, ANN="Zusatzfracht, Neue Planung"),
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


def test_a_player_sees_his_own_hand_and_what_he_ordered() -> None:
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


@pytest.mark.parametrize(
    ("what", "stage", "number", "form"),
    [
        ("letter", "opening", 0, ["BONDS", "NEW:", "LIMIT", "RANK"]),
        ("letter", "bonds", 0, ["BONDS", "NEW:"]),
        ("letter", "auction", 0, ["LIMIT", "RANK"]),
        ("letter", "choice", 0, ["RANK"]),
        ("letter", "build", 0, ["BUILD 1:", "BUILD 2:", "BUILD 3:"]),
        ("letter", "trips", 0, ["MOVE 1:", "MOVE 2:", "SUBSIDY:"]),
        ("letter", "trip", 1, ["MOVE 1:"]),
        ("letter", "trip", 2, ["MOVE 2:", "SUBSIDY:"]),
    ],
)
def test_the_order_form_asks_for_what_a_letter_is_about(what: str, stage: str, number: int, form: list[str]) -> None:
    """Cards that are held get a line of their own, in the holder's letter alone."""
    state = holding(asking(opened(), what, stage=stage, number=number), ANN="Subvention, Alles neu")
    assert view(state, "ANN")["form"] == form
    assert view(state, "BOB")["form"] == [line for line in form if line not in ("NEW:", "SUBSIDY:")]


@pytest.mark.parametrize(
    ("what", "number", "form"),
    [
        ("bonds", 0, "BONDS"),
        ("bid", 0, "LIMIT"),
        ("choose", 0, "RANK"),
        ("build", 2, "BUILD 2:"),
        ("move", 1, "MOVE 1:"),
        ("subsidy", 3, "SUBSIDY:"),
        ("subsidy", 4, "SUBSIDY 4:"),
    ],
)
def test_the_order_form_of_a_single_decision(what: str, number: int, form: str) -> None:
    seen = view(one_by_one(opened(), what, "ANN", number), "BOB")
    assert seen["form"] == [form]
    assert seen["asked"] == {"player": "ANN", "what": what, "number": number}


def test_two_players_and_live_bidders_bid_and_others_name_a_limit() -> None:
    two, live = opened(2), opened(auction="live")
    assert view(asking(two, "letter", stage="auction"), None)["form"] == ["BID", "RANK"]
    assert view(asking(live, "bid", player="ANN"), None)["form"] == ["BID"]


def test_orders_that_wait_stand_in_canonical_form() -> None:
    rank = Rank(wishes=(Wish(colours=("green", "pink")), Wish(number=2)))
    state = replace(opened(), kept=(Kept(player="BOB", order=rank),))
    assert view(state, "BOB")["kept"] == ["RANK green+pink, 2"]


def test_a_table_before_the_game_can_be_seen() -> None:
    """The title of the board is asked for before anything is dealt."""
    seen = view(State(table=opened().table), None)
    assert (seen["title"], seen["round"], [one["score"] for one in seen["players"]]) == ("Trial", 0, [0, 0, 0])
