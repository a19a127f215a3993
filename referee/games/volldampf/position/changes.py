"""How each event changes the position: the position is the fold of the events.

Cards are spent by ``CardPlayed`` alone; events that say what a card did (a rearrangement, an extra cube, a bar) do not touch
hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from msgspec.structs import replace

from referee.core.bykind import ByKind, complete
from referee.core.record import Record as CoreRecord
from referee.core.rulings import Ruled
from referee.games.volldampf.board.board import ACTION_CARDS, CUBE_COLOURS, SUBVENTION
from referee.games.volldampf.position import events, stages
from referee.games.volldampf.position.asking import declining_pays, draws_at_once
from referee.games.volldampf.position.state import Bar, Kept, State

Record = CoreRecord[State, events.Event]
CHANGES = ByKind[[State], State]()


def unchanged(event: events.Event, state: State) -> State:
    """Return the position after an event that only tells."""
    return state


@CHANGES.of(events.course.GameStarted)
def after_game_started(event: events.course.GameStarted, state: State) -> State:
    board, numbers, codes = state.table.board, state.table.numbers, state.table.codes
    cards = board.track_cards - numbers.remove_per_colour
    return replace(
        state,
        order=event.order,
        cash=dict.fromkeys(codes, event.cash),
        bonds=dict.fromkeys(codes, 0),
        income=dict.fromkeys(codes, 0),
        rounds=dict.fromkeys(codes, (0,)),
        bag=dict.fromkeys(CUBE_COLOURS, board.cubes),
        track_pile={colour: cards - event.removed.count(colour) for colour in board.colour_ids},
        removed=event.removed,
        merchandise=tuple(sorted(card.number for card in board.merchandise)),
        actions=dict.fromkeys(codes, ()),
        action_pile=dict.fromkeys(ACTION_CARDS, board.action_cards),
        action_discards=dict.fromkeys(ACTION_CARDS, 0),
        hands=dict.fromkeys(codes, ()),
    )


@CHANGES.of(events.course.RoundBegan)
def after_round_began(event: events.course.RoundBegan, state: State) -> State:
    return replace(
        state,
        round=event.round,
        turned=(),
        bids={},
        passed=(),
        ties=0,
        staked={},
        declined=(),
        bars=(),
        subsidised=(),
        subsidy_for=(),
        rearranged=False,
        drawn={},
    )


@CHANGES.of(events.goods.MerchandiseTurned)
def after_merchandise_turned(event: events.goods.MerchandiseTurned, state: State) -> State:
    left = tuple(number for number in state.merchandise if number != event.card)
    return replace(state, merchandise=left, turned=(*state.turned, event.card))


@CHANGES.of(events.goods.CubeDrawn)
def after_cube_drawn(event: events.goods.CubeDrawn, state: State) -> State:
    return _out_of_bag(state, event.colour, event.city)


@CHANGES.of(events.goods.CityMissed)
def after_city_missed(event: events.goods.CityMissed, state: State) -> State:
    return replace(state, owed=(*state.owed, event.city)) if event.owed else state


@CHANGES.of(events.auction.GroupsDealt)
def after_groups_dealt(event: events.auction.GroupsDealt, state: State) -> State:
    pile = state.track_pile
    for colour in (card for group in event.groups for card in group):
        pile = _moved(pile, colour, -1)
    return replace(state, groups=event.groups, track_pile=pile)


@CHANGES.of(events.course.Asked)
def after_asked(event: events.course.Asked, state: State) -> State:
    return replace(state, agenda=event.agenda, turn=event.turn)


@CHANGES.of(events.course.OrderKept)
def after_order_kept(event: events.course.OrderKept, state: State) -> State:
    return replace(state, kept=(*state.kept, Kept(player=event.player, order=event.order)))


@CHANGES.of(events.course.KeptDropped)
def after_kept_dropped(event: events.course.KeptDropped, state: State) -> State:
    return replace(
        state,
        kept=tuple(
            each for each in state.kept if each.player != event.player or type(each.order).__name__ != event.order_kind
        ),
    )


@CHANGES.of(events.auction.BondsTaken)
def after_bonds_taken(event: events.auction.BondsTaken, state: State) -> State:
    return replace(
        state,
        bonds=_moved(state.bonds, event.player, event.points),
        cash=_moved(state.cash, event.player, event.money),
    )


@CHANGES.of(events.auction.GroupsRearranged)
def after_groups_rearranged(event: events.auction.GroupsRearranged, state: State) -> State:
    return replace(state, groups=event.groups, rearranged=True)


@CHANGES.of(events.cards.CardPlayed)
def after_card_played(event: events.cards.CardPlayed, state: State) -> State:
    return replace(
        state,
        actions=_without(state.actions, event.player, event.card),
        action_discards=_moved(state.action_discards, event.card, 1),
        subsidised=(*state.subsidised, event.player) if event.card == SUBVENTION else state.subsidised,
    )


@CHANGES.of(events.cards.CardReturned)
def after_card_returned(event: events.cards.CardReturned, state: State) -> State:
    return replace(
        state,
        actions=_into_hand(state, event.player, event.card),
        action_discards=_moved(state.action_discards, event.card, -1),
    )


@CHANGES.of(events.auction.BidMade)
def after_bid_made(event: events.auction.BidMade, state: State) -> State:
    return replace(state, bids={**state.bids, event.player: event.amount})


@CHANGES.of(events.auction.BidPassed)
def after_bid_passed(event: events.auction.BidPassed, state: State) -> State:
    return replace(state, passed=(*state.passed, event.player))


@CHANGES.of(events.auction.BidsOpened)
def after_bids_opened(event: events.auction.BidsOpened, state: State) -> State:
    return replace(state, bids=event.bids, ties=state.ties + event.tie)


@CHANGES.of(events.auction.BidPaid)
def after_bid_paid(event: events.auction.BidPaid, state: State) -> State:
    tied = state.ties > 0 and len(set(state.bids.values())) == 1
    return replace(
        state,
        cash=_moved(state.cash, event.player, -event.paid),
        staked=_moved(state.staked, event.player, event.paid) if tied else state.staked,
    )


@CHANGES.of(events.auction.OrderSettled)
def after_order_settled(event: events.auction.OrderSettled, state: State) -> State:
    return replace(state, order=event.order, bids={}, passed=(), ties=0, staked={})


@CHANGES.of(events.auction.GroupChosen)
def after_group_chosen(event: events.auction.GroupChosen, state: State) -> State:
    # The place of a group that is gone stays empty, since rankings may name places. Rule: R7.
    place = state.groups.index(event.cards)
    groups = (*state.groups[:place], (), *state.groups[place + 1 :])
    return replace(state, groups=groups if any(groups) else (), hands={**state.hands, event.player: event.cards})


@CHANGES.of(events.building.LinkBuilt)
def after_link_built(event: events.building.LinkBuilt, state: State) -> State:
    return replace(
        state,
        built={**state.built, event.link: event.player},
        hands=_without(state.hands, event.player, event.card),
        cash=_moved(state.cash, event.player, -event.cost),
    )


@CHANGES.of(events.building.TrackCardDiscarded)
def after_track_card_discarded(event: events.building.TrackCardDiscarded, state: State) -> State:
    return replace(state, hands=_without(state.hands, event.player, event.card))


@CHANGES.of(events.transport.CubePlanned)
def after_cube_planned(event: events.transport.CubePlanned, state: State) -> State:
    taken = _without_cube(state.cubes, event.origin, event.colour)
    return replace(state, cubes=_with_cube(taken, event.goal, event.colour))


@CHANGES.of(events.transport.ExtraPlaced)
def after_extra_placed(event: events.transport.ExtraPlaced, state: State) -> State:
    return _out_of_bag(state, event.colour, event.city)


@CHANGES.of(events.transport.TripBarred)
def after_trip_barred(event: events.transport.TripBarred, state: State) -> State:
    return replace(state, bars=(*state.bars, Bar(player=event.victim, colour=event.colour, city=event.city)))


@CHANGES.of(events.transport.BarsLifted)
def after_bars_lifted(event: events.transport.BarsLifted, state: State) -> State:
    return replace(state, bars=tuple(bar for bar in state.bars if bar.player != event.player))


@CHANGES.of(events.transport.CubeDelivered)
def after_cube_delivered(event: events.transport.CubeDelivered, state: State) -> State:
    # The track may have an end, beyond which steps are lost. Rule: DIFF 05, R20.
    end = state.table.options.income_max
    income = dict(state.income)
    for owner, steps in event.steps.items():
        income[owner] = min(income[owner] + steps, end) if end else income[owner] + steps
    return replace(
        state,
        cubes=_without_cube(state.cubes, event.route[0], event.colour),
        bag=_moved(state.bag, event.colour, 1),
        income=income,
    )


@CHANGES.of(events.goods.DebtPaid)
def after_debt_paid(event: events.goods.DebtPaid, state: State) -> State:
    place = state.owed.index(event.city)
    owed = state.owed[:place] + state.owed[place + 1 :]
    return replace(_out_of_bag(state, event.colour, event.city), owed=owed)


@CHANGES.of(events.transport.TripDeclined)
def after_trip_declined(event: events.transport.TripDeclined, state: State) -> State:
    if event.trip > stages.TRIPS or not declining_pays(state) or draws_at_once(state):
        return state
    return replace(state, declined=(*state.declined, event.player))


@CHANGES.of(events.cards.PilesRenewed)
def after_piles_renewed(event: events.cards.PilesRenewed, state: State) -> State:
    return replace(state, action_pile=state.action_discards, action_discards=dict.fromkeys(ACTION_CARDS, 0))


@CHANGES.of(events.cards.ActionDrawn)
def after_action_drawn(event: events.cards.ActionDrawn, state: State) -> State:
    pile = state.action_pile if event.source else _moved(state.action_pile, event.card, -1)
    actions = _into_hand(state, event.player, event.card)
    return replace(
        state,
        action_pile=pile,
        actions=_without(actions, event.source, event.card) if event.source else actions,
        drawn=_moved(state.drawn, event.player, 1),
        declined=_served(state, event.player, event.why),
    )


@CHANGES.of(events.cards.NoCardLeft)
def after_no_card_left(event: events.cards.NoCardLeft, state: State) -> State:
    drawn = _moved(state.drawn, event.player, 1)  # a card that is waived has a number, too
    return replace(state, drawn=drawn, declined=_served(state, event.player, event.why))


@CHANGES.of(events.transport.ExtraTripsBegan)
def after_extra_trips_began(event: events.transport.ExtraTripsBegan, state: State) -> State:
    return replace(state, subsidy_for=event.last)


@CHANGES.of(events.income.IncomePaid)
def after_income_paid(event: events.income.IncomePaid, state: State) -> State:
    return replace(state, cash=_moved(state.cash, event.player, event.amount))


@CHANGES.of(events.income.InterestPaid)
def after_interest_paid(event: events.income.InterestPaid, state: State) -> State:
    return replace(
        state,
        cash=_moved(state.cash, event.player, -event.paid),
        income=_moved(state.income, event.player, -event.back),
    )


@CHANGES.of(events.course.RoundEnded)
def after_round_ended(event: events.course.RoundEnded, state: State) -> State:
    rounds = {code: (*state.rounds[code], event.income[code]) for code in state.table.codes}
    return replace(state, rounds=rounds, kept=())


@CHANGES.of(events.course.GameEnded)
def after_game_ended(event: events.course.GameEnded, state: State) -> State:
    return replace(state, scores=event.scores, winners=event.winners, agenda=())


CHANGES.update(dict.fromkeys((events.course.NothingReceived, events.course.OrderRefused), unchanged))
# A typed-in position is read, and so applied, where positions are.
complete(get_args(events.Event), CHANGES, but=(events.course.PositionTaken, Ruled))


def _moved(counts: Mapping[str, int], key: str, by: int) -> Mapping[str, int]:
    """Return a copy of *counts* with one of them raised."""
    return {**counts, key: counts.get(key, 0) + by}


def _without(hands: Mapping[str, tuple[str, ...]], player: str, card: str) -> Mapping[str, tuple[str, ...]]:
    """Return the hands after *player* laid down one card. Raises ValueError if he has none."""
    cards = list(hands[player])
    cards.remove(card)
    return {**hands, player: tuple(cards)}


def _into_hand(state: State, player: str, card: str) -> Mapping[str, tuple[str, ...]]:
    """Return the hands of action cards with one more, in card order."""
    cards = sorted((*state.actions[player], card), key=ACTION_CARDS.index)
    return {**state.actions, player: tuple(cards)}


def _served(state: State, player: str, why: str) -> tuple[str, ...]:
    """Return who still waits for a card at the end of phase 6 after *player* had one of his, or went without."""
    if why != events.cards.LATE or player not in state.declined:
        return state.declined
    place = state.declined.index(player)
    return state.declined[:place] + state.declined[place + 1 :]


def _out_of_bag(state: State, colour: str, city: str) -> State:
    return replace(state, bag=_moved(state.bag, colour, -1), cubes=_with_cube(state.cubes, city, colour))


def _with_cube(cubes: Mapping[str, tuple[str, ...]], city: str, colour: str) -> Mapping[str, tuple[str, ...]]:
    there = sorted((*cubes.get(city, ()), colour), key=CUBE_COLOURS.index)
    return {**cubes, city: tuple(there)}


def _without_cube(cubes: Mapping[str, tuple[str, ...]], city: str, colour: str) -> Mapping[str, tuple[str, ...]]:
    """Return the cubes after one left *city*. Raises ValueError if there is none of that colour."""
    there = list(cubes[city])
    there.remove(colour)
    if there:
        return {**cubes, city: tuple(there)}
    return {other: colours for other, colours in cubes.items() if other != city}
