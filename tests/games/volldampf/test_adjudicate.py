"""Rounds and games: what is asked for when, what is kept, how the game ends; whole games of guesses. Rule: V3, V5, V9."""

from collections.abc import Mapping
from functools import reduce
from itertools import product

import pytest

from referee.core import Fields, SeededDice
from referee.core.game import ONE_BY_ONE, TOGETHER
from referee.games.volldampf import GAME
from referee.games.volldampf.board import NUMBERS, REARRANGE
from referee.games.volldampf.events import GroupsRearranged, KeptDropped, OrderKept, RoundEnded
from referee.games.volldampf.position import start
from referee.games.volldampf.round import adjudicate, players_asked
from referee.games.volldampf.state import Bid, Item, Rank, Rearrange, Sabotage, State, Steal, TakeBonds, Target, Wish
from tests.games.volldampf.tables import (
    CODES,
    cards_in_all,
    cubes_in_all,
    everything,
    laid,
    of_kind,
    opened,
    turn,
)
from tests.tables import Tables

CASES = Tables(__file__)
PLAYED: Mapping[str, Fields] = CASES.listed("options")
POST = PLAYED["post"]
BAR = Sabotage(targets=(Target(colour="red"),))


def _stages(state: State) -> list[str]:
    """Return what is asked for in round 1 while nobody says anything, with the player where one is asked."""
    found = []
    while state.round == 1 and not state.is_over:
        item = state.agenda[0]
        found.append(" ".join(filter(None, (state.stage, str(item.number or ""), item.player))))
        state = turn(state).state
    return found


@CASES.rows
def test_which_letters_a_round_asks_for(players: int, options: Fields, stages: list[str]) -> None:
    assert _stages(opened(players, **options)) == stages


def test_one_by_one_every_decision_is_asked_for_in_its_order() -> None:
    """Silent players pass in turn, so the order turns round; the last group needs no choice; all are last, so all are asked."""
    turned = ["CID", "BOB", "ANN"]
    assert _stages(opened(3, ONE_BY_ONE)) == [
        *(f"bonds {code}" for code in CODES[:3]),
        *(f"bid {code}" for code in CODES[:3]),
        *(f"choose {code}" for code in turned[:2]),
        *(f"build {number} {code}" for number in (1, 2, 3) for code in turned),
        *(f"move {number} {code}" for number in (1, 2) for code in turned),
        *(f"subsidy 3 {code}" for code in turned),
    ]


# What is kept


def test_one_by_one_early_orders_wait_for_their_moment() -> None:
    """The bonds letter rearranges, bids and ranks; each is dropped when its moment is over."""
    state = opened(3, ONE_BY_ONE)
    state = state.but(actions={**state.actions, "ANN": (REARRANGE,)})
    groups = (state.groups[1], state.groups[0], state.groups[2])
    early = (TakeBonds(points=1), Rearrange(groups=groups), Bid(amounts=(4,)), Rank(wishes=(Wish(number=3),)))
    first = turn(state, ANN=early)
    assert [type(each.order) for each in first.state.kept] == [Rearrange, Bid, Rank]
    third = turn(turn(first.state, BOB=()).state, CID=())
    assert of_kind(third, GroupsRearranged)[0].groups == groups
    assert third.state.agenda[0] == Item(what="bid", player="ANN")
    bids = turn(turn(turn(third.state).state, BOB=()).state, CID=())
    assert bids.state.order[0] == "ANN"
    # Whose wishes are kept is not asked for them again.
    assert bids.state.hands["ANN"] == groups[2]
    assert bids.state.agenda[0] == Item(what="choose", player=bids.state.order[1])
    assert bids.state.kept == ()


def test_a_new_letter_replaces_what_was_kept() -> None:
    first = turn(opened(3, ONE_BY_ONE), ANN=(TakeBonds(points=1), Bid(amounts=(1,))))
    state = turn(turn(first.state).state).state
    second = turn(state, ANN=Bid(amounts=(7,)))
    assert [each.order for each in second.state.kept] == [Bid(amounts=(7,))]


def _building() -> State:
    """Return the building letter of round 1."""
    state: State = turn(turn(opened(3)).state).state
    assert state.agenda[0] == Item(what="letter", stage="build")
    return state


def test_a_sabotage_of_the_building_letter_stands_to_the_end_of_phase_6() -> None:
    """V9; a later letter without one leaves it."""
    built = turn(_building(), ANN=BAR)
    assert [each.order for each in built.state.kept] == [BAR]
    assert built.state.agenda[0] == Item(what="letter", stage="trip", number=1)
    moved = turn(built.state, ANN=())
    assert [each.order for each in moved.state.kept] == [BAR]
    assert turn(moved.state).state.kept == ()


def test_a_letter_with_a_sabotage_replaces_the_older_ones() -> None:
    other = Sabotage(targets=(), victim="BOB")
    state = turn(_building(), ANN=(BAR, BAR)).state
    outcome = turn(state, ANN=other)
    assert [(event.player, event.order_kind) for event in of_kind(outcome, KeptDropped)] == [("ANN", "Sabotage")]
    assert [each.order for each in outcome.state.kept] == [other]


def test_a_sabotage_sent_with_bonds_is_not_kept() -> None:
    assert turn(opened(3), ANN=(TakeBonds(points=1), BAR)).state.kept == ()


def test_whom_to_rob_stands_to_the_end_of_the_round() -> None:
    steal = Steal(players=("BOB",))
    state = turn(opened(3), ANN=steal).state
    for _ in range(3):
        assert [each.order for each in state.kept] == [steal]
        state = turn(state).state
    assert (state.round, state.agenda[0].number) == (1, 2)
    assert turn(state).state.kept == ()


def test_a_newer_wish_for_one_card_leaves_those_for_others() -> None:
    kept = turn(opened(3), ANN=(Steal(players=("BOB",)), Steal(players=("CID",), which="last"))).state
    newer = Steal(players=(), which="last")
    assert [each.order for each in turn(kept, ANN=newer).state.kept] == [Steal(players=("BOB",)), newer]


def test_the_same_order_sent_twice_is_kept_once() -> None:
    steal = Steal(players=("BOB",))
    outcome = turn(turn(opened(3), ANN=steal).state, ANN=steal)
    assert of_kind(outcome, OrderKept) == []


# Whole games


def _check(state: State) -> None:
    """Assert what holds after every turn."""
    board = state.board
    assert min(state.cash.values()) >= 0
    assert min(state.income.values()) >= 0
    assert set(cubes_in_all(state).values()) == {board.cubes}
    assert cards_in_all(state) == 14
    assert min((*state.bag.values(), *state.track_pile.values(), *state.action_pile.values())) >= 0
    assert all(state.sections_left(code) >= 0 for code in state.codes)
    assert not (state.owed and any(state.bag.values()))


def _play(state: State, seed: str, *, sabotages: bool = True, absent: str = "") -> list[State]:
    """Play a game of guesses to its end; return the position after each turn."""
    played = [state]
    while not state.is_over:
        orders = {
            code: everything(state, code, seed, sabotages=sabotages) for code in players_asked(state) if code != absent
        }
        outcome = adjudicate(state, orders, SeededDice(f"{seed}/{state.round}"))
        assert reduce(GAME.apply, outcome.events, state) == outcome.state
        state = outcome.state
        assert isinstance(state, State)
        _check(state)
        played.append(state)
    return played


PACES = (TOGETHER, ONE_BY_ONE)


@pytest.mark.parametrize(
    ("players", "pace", "options"),
    [
        # Every pair of options and players with every change, at both paces by turns; at the other pace as a long test.
        pytest.param(
            players,
            pace,
            options,
            id=f"{name}-{pace}-{players}",
            marks=[pytest.mark.testlong] if pace != PACES[(players + place) % 2] else [],
        )
        for (place, (name, options)), pace, players in product(enumerate(PLAYED.items()), PACES, range(2, 7))
    ],
)
def test_whole_games_end_in_their_rounds_and_lose_nothing(players: int, pace: str, options: Fields) -> None:
    """V5.1, digest 8.1: 6, 5, 4, 4, 4 rounds use the track cards up; one player of each table never writes."""
    begun = start(laid(players, pace, **options), SeededDice("whole")).state
    played = _play(begun, f"{players}/{pace}", absent="BOB")
    final = played[-1]
    assert final.round == NUMBERS[players].rounds
    assert not any(final.track_pile.values())
    assert not any(final.hands.values())
    assert [len(final.rounds[code]) for code in final.codes] == [final.round + 1] * players
    assert [state.turn for state in played[:-1]] == list(range(1, len(played)))
    assert final.built


@pytest.mark.parametrize(
    ("players", "seed"),
    [
        (2, "a"),
        (3, "b"),
        (5, "a"),
        *(pytest.param(*each, marks=pytest.mark.testlong) for each in ((2, "b"), (3, "a"), (5, "b"))),
    ],
)
def test_both_paces_play_the_same_game(players: int, seed: str) -> None:
    """With everything sealed that is sealed together, each decision on its own comes to the same positions."""
    ends = []
    for pace in (TOGETHER, ONE_BY_ONE):
        begun = start(laid(players, pace, **POST), SeededDice(seed)).state
        final = _play(begun, seed, sabotages=False)[-1]
        ends.append(final.but(table=begun.table, turn=0))
    assert ends[0] == ends[1]
    assert any(any(spaces) for spaces in ends[0].rounds.values())


def test_cards_are_played_in_games_of_guesses() -> None:
    """Else the games above would show little."""
    state = start(laid(4, ONE_BY_ONE), SeededDice("cards")).state
    kinds: set[str] = set()
    while not state.is_over:
        orders = {code: everything(state, code, "cards") for code in players_asked(state)}
        outcome = adjudicate(state, orders, SeededDice(f"cards/{state.round}"))
        kinds |= {type(event).__name__ for event in outcome.events}
        state = outcome.state
    assert kinds >= {"CardPlayed", "ActionDrawn", "LinkBuilt", "CubeDelivered", "InterestPaid", "TripDeclined"}
    assert next(event.round for event in outcome.events if isinstance(event, RoundEnded)) == 4
