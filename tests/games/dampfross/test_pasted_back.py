"""Orders as the acknowledgement prints them come back in a letter without marks of quotation: they are the same orders."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from referee.bots.dampfross import answer
from referee.core.dice import SeededDice
from referee.core.game import Player, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.board.railmap import Bridge
from referee.games.dampfross.state import State
from referee.orderbook import OrderLanguage, read_text
from referee.report.templates import Stationery
from referee.resources import order_texts, template_folders
from tests.games.dampfross.sketch import position, race, sketch
from tests.games.lines import unnumbered

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
    return GAME.understand(state, player, read_text(text, BOOK, GAME.lexicon(state)).phrases).orders


def check(state: State, player: str, orders: tuple[Any, ...]) -> None:
    """Fail unless the orders come back as they are, in a block and without one."""
    told = printed(state, player, orders)
    for pasted in (told, f"ORDERS RR1\n{told}END\n"):
        reading = read_text(pasted, BOOK, GAME.lexicon(state))
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


@pytest.mark.parametrize(
    "text",
    [
        "HOME Belfast OR Dublin",
        "HOME Dublin\n1a) (Dublin) - AB17 - AA17 - Z16 - Y16 - X15 - W15",  # stops where the roll is spent
        "HOME Dublin\n1b) none",
        "HOME Dublin\n1b) (Belfast) - AD8",  # not on the network: nothing is laid
    ],
)
def test_an_order_that_cannot_be_obeyed_whole_comes_back_whole(text: str) -> None:
    state = opened(pairs=False)
    check(state, "GSW", sent(state, "GSW", text))


@pytest.mark.parametrize(
    "text",
    [
        "RUN 1: FASTEST",
        "RUN 1: Ardee - B1 - C1 - Boyle OR CHEAPEST MAX 3",
        "RUN 1 IF NOT MGW RUNS 1: Ardee - Boyle",
        "RUN 1 WITH BNC: Ardee - B1 - C1 - Boyle",
        "JOINT 1 WITH BNC",
        "7) (Ardee) - A2 - A3 ; (B1) - JUMP D1 - D2",
    ],
)
def test_entries_and_building_between_races_come_back(text: str) -> None:
    """What the referee finds for FASTEST, and the other end of OR, stand behind a bar."""
    board = sketch({"A1": (11,), "D1": (12,)}, homes="A1 D1")
    track = {"GSW": ("A1 B1",), "MGW": ("A1 B1 C1 D1",)}
    homes = {"GSW": "A1", "MGW": "D1", "BNC": "D1"}
    state = position(board, homes, track=track, races=(race(1, 11, 12),), jumps=2)
    named = text.replace("Ardee", "City A1").replace("Boyle", "City D1")
    orders = sent(state, "GSW", named)
    assert orders
    check(state, "GSW", orders)


def test_a_bridge_that_points_are_banked_for_comes_back_with_its_order() -> None:
    """What is laid today ends before the bridge; the order goes on over it. Rule: R28."""
    bridge = {("B1", "C1"): Bridge(name="Great Bridge", price=9, banked=True)}
    board = replace(sketch({"A1": (11,), "D1": (12,)}, homes="A1 D1"), bridges=bridge)
    state = position(board, {"GSW": "A1"})
    orders = sent(state, "GSW", "1a) (City A1) - C1")
    assert "points banked for Great Bridge" in printed(state, "GSW", orders)
    check(state, "GSW", orders)
