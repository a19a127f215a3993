"""Whole games of the built-in players, as recorded, in every preset, with two to six of them: what holds in every turn."""

import json
from functools import reduce
from itertools import product
from typing import get_args

import pytest

from referee.core import SeededDice
from referee.core.game import ONE_BY_ONE, TOGETHER, Setup
from referee.core.picture import Print
from referee.games.volldampf import GAME
from referee.games.volldampf.board import ACTION_CARDS
from referee.games.volldampf.events import (
    BidPaid,
    BondsTaken,
    CardPlayed,
    Event,
    GroupsDealt,
    IncomePaid,
    InterestPaid,
    KeptDropped,
    LinkBuilt,
    OrderKept,
    OrderRefused,
)
from referee.games.volldampf.state import Order, State
from tests.games.everypython import interpreters, printed_by
from tests.games.volldampf.test_secrets import otherwise, retold
from tests.games.volldampf.wholegame import (
    CHOICE,
    FELT,
    PACKED,
    Turn,
    bots_game,
    packs,
    play_game,
    recorded_game,
    setup_of,
    with_pack,
)

ROUNDS = {2: 6, 3: 5, 4: 4, 5: 4, 6: 4}  # Rule: V5.1
SEATS = tuple(ROUNDS)
# Of the recorded games each preset, each number of players and both paces; the others are long tests.
QUICK = [
    ("post", ONE_BY_ONE, 2),
    ("referee", ONE_BY_ONE, 3),
    ("french", TOGETHER, 4),
    ("english", TOGETHER, 5),
    ("dutch", TOGETHER, 6),
]
CUBES, TRACK_CARDS, CARDS = 40, 48, 14
PILE_OUT = {2: 12, 3: 3, 4: 0, 5: 8, 6: 0}  # track cards that are not in play. Rule: V2.4


@pytest.mark.parametrize(
    ("preset", "pace", "players"),
    [row if row in QUICK else pytest.param(*row, marks=pytest.mark.testlong) for row in CHOICE],
)
def test_a_whole_game_is_played_to_its_end(preset: str, pace: str, players: int) -> None:
    """It ends in time, nothing raises, no letter holds an error, and every turn holds what it must."""
    setup, opening, turns = bots_game(players, preset, pace)
    check_game(setup, opening.state, turns)


def check_game(setup: Setup, opened: State, turns: list[Turn]) -> None:
    """Everything that is true of a whole game."""
    final: State = turns[-1].outcome.state
    players = len(setup.players)
    assert final.is_over
    assert final.round == ROUNDS[players]
    assert not any(final.track_pile.values()), "the last groups take the last cards. Rule: V5.1"
    dealt = [event for turn in turns for event in turn.outcome.events if isinstance(event, GroupsDealt)]
    assert len(dealt) == ROUNDS[players] - 1, "the first groups are dealt in the opening"
    check_box(opened)
    for turn in turns:
        check_turn(setup, turn)


def check_turn(setup: Setup, turn: Turn) -> None:
    """The position is the fold of the events, stored values come back, nothing is lost, letters were in order."""
    outcome = turn.outcome
    assert reduce(GAME.apply, outcome.events, turn.before) == outcome.state
    stored = GAME.decode(GAME.encode(outcome.state), setup)
    assert stored == outcome.state
    assert GAME.decode(GAME.encode(outcome.events), setup) == outcome.events
    assert all(GAME.decode(GAME.encode(orders), setup) == orders for orders in turn.orders.values())
    assert outcome.state.is_over or outcome.state.turn == turn.before.turn + 1
    assert not [complaint for complaint in turn.complaints if complaint.is_error]
    check_box(outcome.state)
    check_money(turn)
    check_sections(outcome.state)
    reader = reader_of(outcome.state)
    # Stored tables come back in another order, which nobody may see.
    assert json.dumps(GAME.view(stored, reader)) == json.dumps(GAME.view(outcome.state, reader))
    told = GAME.story(stored, GAME.decode(GAME.encode(outcome.events), setup), reader)
    assert repr(told) == repr(GAME.story(outcome.state, outcome.events, reader))


def reader_of(state: State) -> str | None:
    """Return who looks at a turn: its players and somebody who does not play, one after the other."""
    readers = (*state.codes, None)
    return readers[state.turn % len(readers)]


def check_box(state: State) -> None:
    """Rule: V1.2, V1.3: whatever is drawn, played and moved, the box holds the same cubes and cards."""
    players = len(state.codes)
    cubes = sum(map(len, state.cubes.values())) + sum(state.bag.values())
    assert cubes == CUBES
    cards = sum(map(len, state.actions.values()))
    assert cards + sum(state.action_pile.values()) + sum(state.action_discards.values()) == CARDS
    assert len(state.removed) == {3: 3, 5: 2}.get(players, 0)
    lying = sum(map(len, state.hands.values())) + sum(map(len, state.groups)) + sum(state.track_pile.values())
    gone = TRACK_CARDS - PILE_OUT[players] - lying
    assert gone >= len(state.built), "every section costs a card. Rule: V3.5.1"
    piles = (state.bag, state.action_pile, state.action_discards, state.track_pile, state.cash, state.income)
    assert all(count >= 0 for pile in piles for count in pile.values())


def check_money(turn: Turn) -> None:
    """Rule: V3: money comes from bonds and income, goes for bids, track and interest, and never otherwise."""
    came = went = 0
    for event in turn.outcome.events:
        match event:
            case BondsTaken(points=points, money=money):
                assert money == points * turn.before.board.bond_money
                came += money
            case IncomePaid(amount=amount):
                came += amount
            case BidPaid(paid=paid) | InterestPaid(paid=paid):
                went += paid
            case LinkBuilt(cost=cost):
                went += cost
    after: State = turn.outcome.state
    assert sum(after.cash.values()) == sum(turn.before.cash.values()) + came - went


def check_sections(state: State) -> None:
    """Rule: V2.2, V3.5.1: nobody lays more than they have; each section lies on a printed link of one owner."""
    assert all(state.sections_left(code) >= 0 for code in state.codes)
    assert set(state.built) <= {link.id for link in state.board.links}
    assert set(state.built.values()) <= set(state.codes)


@pytest.mark.parametrize("pace", [TOGETHER, ONE_BY_ONE])
def test_play_goes_on_alike_from_what_was_stored(pace: str) -> None:
    """Stored positions have their tables in another order than those that grew in play: no rule may look at it."""
    setup, opening, turns = bots_game(3, "referee", pace)
    state = opening.state
    for turn in turns:
        stored = GAME.decode(GAME.encode(state), setup)
        outcome = GAME.adjudicate(stored, turn.orders, SeededDice(f"referee {pace} 3/{turn.before.turn}"))
        assert GAME.encode(outcome.events) == GAME.encode(turn.outcome.events)
        assert GAME.encode(outcome.state) == GAME.encode(turn.outcome.state)
        state = outcome.state


def test_the_players_write_every_kind_of_order_and_play_every_card() -> None:
    """What they never do would not be played by these tests."""
    turns = [turn for players in (2, 5, 6) for turn in bots_game(players, "dutch")[2]]
    kinds = {type(order) for turn in turns for orders in turn.orders.values() for order in orders}
    assert kinds == set(get_args(Order))
    played = {event.card for turn in turns for event in turn.outcome.events if isinstance(event, CardPlayed)}
    assert played == set(ACTION_CARDS)


def test_no_board_shows_a_secret() -> None:
    """A board is drawn for all alike, so that nothing on it may depend on what anybody does not know."""
    _, _, turns = bots_game(3, "referee")
    state = turns[len(turns) * 2 // 3].before
    assert any(state.actions.values())
    assert GAME.drawing(hidden(state, None)) == GAME.drawing(state)
    for turn in turns[::3]:
        after, events = turn.outcome.state, turn.outcome.events
        heard = tuple(event for event in events if not is_private(event, None))
        assert GAME.drawing(hidden(after, None), str, Print(events=heard)) == GAME.drawing(
            after, str, Print(events=events)
        )


@pytest.mark.parametrize(("players", "pace"), [(2, TOGETHER), (4, TOGETHER), (3, ONE_BY_ONE)])
def test_nothing_that_is_told_or_foreseen_shows_a_secret(players: int, pace: str) -> None:
    """What others hold, keep and were refused is put otherwise; what a player reads and sees stays the same."""
    _, _, turns = bots_game(players, "referee", pace)
    for turn in turns:
        state = turn.outcome.state
        # One by one a turn is one decision: a reader of each shows as much as all of every third.
        readers = (*state.codes, None) if pace == TOGETHER else (reader_of(state),)
        for reader in () if state.is_over else readers:
            check_told(turn, reader)
        for code, orders in turn.orders.items():
            assert GAME.forecast(hidden(turn.before, code), code, orders) == GAME.forecast(turn.before, code, orders)


def check_told(turn: Turn, reader: str | None) -> None:
    state, events = turn.outcome.state, turn.outcome.events
    other = hidden(state, reader)
    heard = tuple(retold(event, reader) for event in events if not is_private(event, reader))
    assert GAME.view(other, reader) == GAME.view(state, reader)
    assert GAME.story(other, heard, reader) == GAME.story(state, events, reader)


def hidden(state: State, reader: str | None) -> State:
    """Return the position with what *reader* may not know put otherwise; that others keep orders is among it."""
    return otherwise(state, reader).but(kept=tuple(each for each in state.kept if each.player == reader))


def is_private(event: Event, reader: str | None) -> bool:
    """Return whether an event is another's alone, so that nobody else may notice it at all."""
    match event:
        case OrderKept() | KeptDropped():
            return event.player != reader
        case OrderRefused():
            return event.secret and event.player != reader
        case _:
            return False


# Whole games with every value of every option, in every preset, at both paces, with two to six players.

# Of each preset the numbers of players that are not among the recorded games (``CHOICE``, which has each one by one).
OTHERS = [
    (preset, players)
    for preset, players in product(sorted(GAME.presets), SEATS)
    if not any((preset, players) == (row[0], row[2]) for row in CHOICE)
]


@pytest.mark.parametrize(("pack", "players"), [*PACKED[:-1], pytest.param(*PACKED[-1], marks=pytest.mark.testlong)])
def test_a_recorded_game_with_a_pack_of_options_holds(pack: int, players: int) -> None:
    setup, opening, turns = recorded_game(f"pack {pack} {players}")
    check_game(setup, opening.state, turns)


@pytest.mark.testlong
@pytest.mark.parametrize(("pack", "players"), [row for row in product([0, 1, 2], SEATS) if row not in PACKED])
def test_a_whole_game_is_played_with_every_value_of_every_option(pack: int, players: int) -> None:
    setup = with_pack(pack, players)
    opening, turns = play_game(setup, f"all of pack {pack} {players}")
    check_game(setup, opening.state, turns)


def test_the_packs_hold_every_value() -> None:
    for name, values in FELT.items():
        assert {pack[name] for pack in packs()} == set(values)


@pytest.mark.testlong
@pytest.mark.parametrize(("preset", "players"), OTHERS)
def test_a_whole_game_is_played_in_every_preset_with_every_number_of_players(preset: str, players: int) -> None:
    setup = setup_of(players, preset, TOGETHER)
    opening, turns = play_game(setup, f"{preset} {players}")
    check_game(setup, opening.state, turns)


# The same seed gives the same bytes, on every interpreter there is: a committed hash says which.

# Changes only with a change of the rules (raise Game.rules then) or of the built-in players.
EVENTS = "2fd6e76104b466af9176591ff2fe0548990b26daee022625db518e4890e772f2"

PLAY = """
import hashlib, json
from referee.bots.volldampf import choose_orders
from referee.bots.volldampf.seeing import position_of
from referee.core.dice import SeededDice
from referee.core.game import Player, Setup
from referee.games.volldampf import GAME
players = tuple(Player(code=c, colour=k, name=c) for c, k in (("ANN", "red"), ("BOB", "blue"), ("CID", "green")))
name = "deutschland-1925"
setup = Setup(
    game="volldampf", board_name=name, board=GAME.board_text(name), preset="post", options=(), players=players
)
outcome = GAME.start(GAME.lay_out(setup), SeededDice("bytes/0"))
digest = hashlib.sha256(GAME.encode(outcome.events).encode())
while GAME.awaiting(outcome.state):
    turn = outcome.state.turn
    views = {player.code: json.loads(json.dumps(GAME.view(outcome.state, player.code))) for player in players}
    orders = {code: choose_orders(position_of(seen), seen, code) for code, seen in views.items()}
    outcome = GAME.adjudicate(outcome.state, orders, SeededDice(f"bytes/{turn}"))
    digest.update(GAME.encode(outcome.events).encode())
print(turn, digest.hexdigest())
"""
TURNS = 15  # five rounds of three letters. Rule: V5.1


@pytest.mark.parametrize("python", interpreters())
def test_a_whole_game_of_the_same_seed_gives_the_same_bytes(python: str) -> None:
    assert printed_by(python, PLAY) == [str(TURNS), EVENTS]
