"""The price list of a game: what bonds, places, links and trips cost and bring by its options and its board."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from referee.core.game import Price, Setup
from referee.games.volldampf.auction import RANGE, share_of
from referee.games.volldampf.board.board import Board
from referee.games.volldampf.board.sketch import board_of
from referee.games.volldampf.building import BARGAIN_COST
from referee.games.volldampf.options import Options, choose_options

BONDS, AUCTION, BUILDING, TRIPS = "bonds", "auction", "building", "trips"


@lru_cache(maxsize=16)
def prices(setup: Setup) -> tuple[Price, ...]:
    """Return the list for a game as it was agreed. Raises OptionError, MapError."""
    options = choose_options(setup.preset, setup.options)
    board = board_of(setup.board, setup.board_name)
    players = len(setup.players)
    return (
        *_bonds(board, options),
        *(_auction(options, players) if players > 2 else _auction_of_two(options)),
        *_building(board),
        *_trips(board, options),
    )


def _bonds(board: Board, options: Options) -> Iterator[Price]:
    """Marks had and borrowed, and what they cost later. Rule: V2.1, V3.3, V3.7.2."""
    yield Price(part=BONDS, what="start", amounts=(board.start_money,), paragraph="V2.1")
    yield Price(part=BONDS, what="bond", amounts=(board.bond_money,), paragraph="V3.3.1")
    if options.bond_limit:
        yield Price(part=BONDS, what="bond-limit", amounts=(options.bond_limit,), paragraph="V3.3.1")
    if options.bank_limits:
        yield Price(part=BONDS, what="bank-limit", amounts=(board.bond_points,), paragraph="V1.3")
    yield Price(part=BONDS, what="interest", amounts=(1,), paragraph="V3.3.2")
    yield Price(part=BONDS, what=f"short-{options.interest_penalty}", amounts=(1,), paragraph="V3.7.2")
    yield Price(part=BONDS, what="score", amounts=(1,), paragraph="V5.2")


def _auction(options: Options, players: int) -> Iterator[Price]:
    """Which part of his bid each pays, by sequence cards. Rule: V3.4.1, V3.4.3."""
    yield Price(part=AUCTION, what="opening", amounts=(options.opening_min,), paragraph="V3.4.1")
    shares = ((share_of(card, players, options.half_pay), str(card)) for card in range(1, players + 1))
    for share, cards in groupby(shares, key=lambda pair: pair[0]):
        what = f"half-{options.half_bid_rounding}" if share == "half" else share
        names = tuple(card for _, card in cards)
        yield Price(part=AUCTION, what=f"pays-{what}", names=names, paragraph="V3.4.3")


def _auction_of_two(options: Options) -> Iterator[Price]:
    """What two players bid and pay. Rule: V6.3."""
    least, most = RANGE[options.two_player_bid]
    if most:
        yield Price(part=AUCTION, what="two", amounts=(least, most), paragraph="V6.3")
    else:
        yield Price(part=AUCTION, what="two-any", paragraph="V6.3")
    yield Price(part=AUCTION, what=f"tie-{options.two_player_tie}", paragraph="V6.3")


def _building(board: Board) -> Iterator[Price]:
    """Marks for links. Rule: V3.5.1, V3.5.2, V4.5."""
    costs = sorted(link.cost for link in board.links)
    yield Price(part=BUILDING, what="links", amounts=(costs[0], costs[-1]), paragraph="V3.5.1")
    yield Price(part=BUILDING, what="bargain", amounts=(BARGAIN_COST,), paragraph="V4.5")
    yield Price(part=BUILDING, what="discard", amounts=(0,), paragraph="V3.5.2")


def _trips(board: Board, options: Options) -> Iterator[Price]:
    """How far a trip goes, and what it brings. Rule: V3.6.2, V3.6.4, V3.6.5, V3.7.1, V4.3."""
    yield Price(part=TRIPS, what="longest", amounts=(board.max_links,), paragraph="V3.6.2")
    most = board.max_links + (2 if options.lok_stack else 1)
    yield Price(part=TRIPS, what="longest-fast", amounts=(most,), paragraph="V4.3")
    yield Price(part=TRIPS, what="section", amounts=(1,), paragraph="V3.6.4")
    yield Price(part=TRIPS, what="space", amounts=(1,), paragraph="V3.7.1")
    if options.income_max:
        yield Price(part=TRIPS, what="last-space", amounts=(options.income_max,), paragraph="V1.3")
    first_round = "" if options.round1_decline_card else "-later"
    yield Price(part=TRIPS, what=f"declined{first_round}", amounts=(1,), paragraph="V3.6.5")
