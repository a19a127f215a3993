"""Whole games, in which everything secret is put otherwise: no reader but its owner sees or hears a difference."""

from collections.abc import Iterator

import pytest

from referee.core import SeededDice, Texts
from referee.core.game import ONE_BY_ONE, TOGETHER, Outcome
from referee.games.volldampf import GAME
from referee.games.volldampf.board import ACTION_CARDS
from referee.games.volldampf.events import ActionDrawn, Event, GameStarted, OrderKept, OrderRefused
from referee.games.volldampf.position import start
from referee.games.volldampf.report import view
from referee.games.volldampf.report.story import story
from referee.games.volldampf.round import adjudicate
from referee.games.volldampf.state import Bid, Kept, Order, Rank, Sabotage, State, Steal, TakeBonds, Target, Wish
from tests.games.volldampf.desk import table

OTHER_ORDER = Bid(amounts=(99,))


def games(players: int, pace: str) -> Iterator[Outcome]:
    """Yield the turns of a game in which all bid and wait to sabotage, and nobody delivers: many cards are drawn."""
    outcome = start(State(table=table(players, pace)), SeededDice("opening"))
    yield outcome
    while not outcome.state.is_over:
        state: State = outcome.state
        orders = {code: letter(state, code) for code in state.codes}
        asked = state.agenda[0].player
        outcome = adjudicate(state, {asked: orders[asked]} if asked else orders, SeededDice(f"turn {state.turn}"))
        yield outcome


def letter(state: State, code: str) -> tuple[Order, ...]:
    """Return what a player orders, whatever is asked."""
    seat = state.codes.index(code)
    rivals = tuple(other for other in state.codes if other != code)
    return (
        TakeBonds(points=seat % 3),
        Bid(amounts=(seat + 2,)),
        Rank(wishes=(Wish(number=seat + 1),)),
        Sabotage(targets=(Target(colour="blue"),)),
        Steal(players=rivals),
    )


def otherwise(state: State, reader: str | None) -> State:
    """Return the position with everything put otherwise that *reader* may not know: hands, orders kept, hidden cards."""
    kept = tuple(each if each.player == reader else Kept(player=each.player, order=OTHER_ORDER) for each in state.kept)
    hands = {code: cards if code == reader else swapped(cards) for code, cards in state.actions.items()}
    pile = dict.fromkeys(ACTION_CARDS, 0) | {ACTION_CARDS[0]: sum(state.action_pile.values())}
    return state.but(kept=kept, actions=hands, removed=state.removed[::-1] or (), track_pile={}, action_pile=pile)


def swapped(cards: Texts) -> Texts:
    """Return as many other cards."""
    return tuple(ACTION_CARDS[(ACTION_CARDS.index(card) + 1) % len(ACTION_CARDS)] for card in cards)


def retold(event: Event, reader: str | None) -> Event:
    """Return an event with what *reader* may not know of it put otherwise."""
    match event:
        case ActionDrawn() if reader is None or reader not in (event.player, event.source):
            return event.but(card=swapped((event.card,))[0])
        case OrderKept() if event.player != reader:
            return event.but(order=OTHER_ORDER)
        case OrderRefused() if event.secret and event.player != reader:
            return event.but(complaint=event.complaint.but(text="other", line=99))
        case GameStarted():
            return event.but(removed=("grey",) * len(event.removed))
        case _:
            return event


@pytest.mark.parametrize(
    ("players", "pace"),
    [(2, TOGETHER), (5, TOGETHER), pytest.param(3, ONE_BY_ONE, marks=pytest.mark.testlong)],
)
def test_no_view_no_story_and_no_film_tells_a_secret(players: int, pace: str) -> None:
    drawn = kept = 0
    for outcome in games(players, pace):
        if outcome.state.is_over:
            break
        drawn += sum(isinstance(event, ActionDrawn) for event in outcome.events)
        kept += len(outcome.state.kept)
        everybody = (*outcome.state.codes, None)
        # One by one a turn is one decision: a reader of each shows as much as all of every fourth.
        turn = outcome.state.turn % len(everybody)
        for reader in everybody if pace == TOGETHER else everybody[turn : turn + 1]:
            hidden = otherwise(outcome.state, reader)
            heard = tuple(retold(event, reader) for event in outcome.events)
            assert view(hidden, reader) == view(outcome.state, reader)
            assert story(hidden, heard, reader) == story(outcome.state, outcome.events, reader)
        hidden = otherwise(
            outcome.state, None
        )  # the club's pages: the film's board, what moves on it, the scores beside it
        assert GAME.drawing(hidden, str) == GAME.drawing(outcome.state, str)
        assert GAME.film(hidden, tuple(retold(event, None) for event in outcome.events)) == GAME.film(
            outcome.state, outcome.events
        )
        assert GAME.facts(hidden)["scores"] == GAME.facts(outcome.state)["scores"]
    assert drawn > players, "cards were drawn in this game"
    assert kept > players, "orders waited in this game"
