"""A game on the board that is shipped, at any letter or decision of round 2, and what a letter's text means there."""

from typing import Any

from referee.core import Understood, View
from referee.core.game import ONE_BY_ONE, TOGETHER, Forecast, Player
from referee.games.volldampf import GAME
from referee.games.volldampf.board.boardfile import board_of
from referee.games.volldampf.forecast import forecast
from referee.games.volldampf.notation import lexicon
from referee.games.volldampf.options import Options
from referee.games.volldampf.state import Item, Order, Stage, State, Table, What
from referee.games.volldampf.understand import understand
from referee.orderbook import Reading, read_text
from tests.games.lines import order_language

NAMES = {"ANN": "Ann", "BOB": "Bob", "CID": "Cid", "DOT": "Dot", "EVA": "Eva", "FRI": "Fritz"}
CODES = tuple(NAMES)
BOARD = "deutschland-1925"

# Ann's line runs from Magdeburg to Nürnberg, Bob's from Hamburg to Magdeburg, Cid's is Berlin-Leipzig.
BUILT = {
    "LEI-MAG": "ANN",
    "ERF-LEI": "ANN",
    "ERF-NUR": "ANN",
    "HAM-HAN": "BOB",
    "HAN-MAG": "BOB",
    "BER-LEI": "CID",
}
CUBES = {
    "MAG": ("violet",),
    "HAM": ("violet", "red"),
    "BER": ("blue",),
    "NUR": ("blue",),
    "PRA": ("red",),
    "ERF": ("blue",),
}


def table(players: int = 4, pace: str = TOGETHER, **options: Any) -> Table:
    """Return a table of that many players."""
    seats = tuple(
        Player(code=code, colour=f"colour {code}", name=NAMES[code], company=f"{NAMES[code]}s Bahn")
        for code in CODES[:players]
    )
    board = board_of(GAME.board_text(BOARD), BOARD)
    return Table(board=board, options=Options(**options), players=seats, pace=pace)


def at(stage: Stage, number: int = 0, *, players: int = 4, options: View | None = None, **changes: Any) -> State:
    """Return a position of round 2 in which everybody's letter for *stage* is asked."""
    # Both trips stand in one letter where cards for declining come at the end of the phase. Rule: R24.
    late = {"decline_card_when": "end_of_phase"} if stage == "trips" else {}
    seated = table(players, **{**late, **(options or {})})
    codes = seated.codes
    state = State(
        table=seated,
        turn=6,
        round=2,
        agenda=(Item(what="letter", stage=stage, number=number),),
        order=codes,
        cash=dict.fromkeys(codes, 10),
        bonds=dict.fromkeys(codes, 2),
        income=dict.fromkeys(codes, 3),
        built=BUILT,
        cubes=CUBES,
        bag={"blue": 5, "violet": 6, "red": 7, "yellow": 9},
        groups=(
            ("green", "pink", "grey"),
            ("purple", "orange", "grey"),
            ("purple", "purple", "brown"),
            ("pink", "pink", "orange"),
        )[:players],
        hands=dict.fromkeys(codes, ("purple", "green", "pink")),
        actions=dict.fromkeys(codes, ()),
    )
    return state.but(**changes)


def asked(what: What, number: int = 0, player: str = "ANN", **changes: Any) -> State:
    """Return a position of pace one-by-one in which one decision of a player's is asked."""
    state = at("build", **changes)
    agenda = (Item(what=what, number=number, player=player),)
    return state.but(table=state.table.but(pace=ONE_BY_ONE), agenda=agenda)


def read(state: State, text: str) -> Reading:
    """Return what the order book reads in a text."""
    return read_text(text, order_language("volldampf").naming(lexicon(state)))


def meant(state: State, text: str, player: str = "ANN") -> Understood:
    """Return a letter's orders, and all that was wrong with it before it was reckoned with."""
    reading = read(state, text)
    understood = understand(state, player, reading.phrases)
    return Understood(orders=understood.orders, complaints=(*reading.complaints, *understood.complaints))


def one(state: State, line: str, player: str = "ANN") -> Order:
    """Return the only order of a line without fault."""
    understood = meant(state, line, player)
    assert understood.complaints == (), line
    (order,) = understood.orders
    assert isinstance(order, Order)
    return order


def foreseen(state: State, text: str, player: str = "ANN") -> Forecast:
    """Return what a letter would do on today's board."""
    return forecast(state, player, meant(state, text, player).orders)
