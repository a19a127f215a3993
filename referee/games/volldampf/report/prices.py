"""The price list of a game: what bonds, places, links and trips cost and bring by its options and its board."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from referee.core.game import Price, Setup, price
from referee.games.volldampf.auction import RANGE, share_of
from referee.games.volldampf.board import Board
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
    yield price(BONDS, "start", "V2.1", board.start_money)
    yield price(BONDS, "bond", "V3.3.1", board.bond_money)
    if options.bond_limit:
        yield price(BONDS, "bond-limit", "V3.3.1", options.bond_limit)
    if options.bank_limits:
        yield price(BONDS, "bank-limit", "V1.3", board.bond_points)
    yield price(BONDS, "interest", "V3.3.2", 1)
    yield price(BONDS, f"short-{options.interest_penalty}", "V3.7.2", 1)
    yield price(BONDS, "score", "V5.2", 1)


def _auction(options: Options, players: int) -> Iterator[Price]:
    """Which part of his bid each pays, by sequence cards. Rule: V3.4.1, V3.4.3."""
    yield price(AUCTION, "opening", "V3.4.1", options.opening_min)
    shares = ((share_of(card, players, options.half_pay), str(card)) for card in range(1, players + 1))
    for share, cards in groupby(shares, key=lambda pair: pair[0]):
        what = f"half-{options.half_bid_rounding}" if share == "half" else share
        names = tuple(card for _, card in cards)
        yield price(AUCTION, f"pays-{what}", "V3.4.3", names=names)


def _auction_of_two(options: Options) -> Iterator[Price]:
    """What two players bid and pay. Rule: V6.3."""
    least, most = RANGE[options.two_player_bid]
    if most:
        yield price(AUCTION, "two", "V6.3", least, most)
    else:
        yield price(AUCTION, "two-any", "V6.3")
    yield price(AUCTION, f"tie-{options.two_player_tie}", "V6.3")


def _building(board: Board) -> Iterator[Price]:
    """Marks for links. Rule: V3.5.1, V3.5.2, V4.5."""
    costs = sorted(link.cost for link in board.links)
    yield price(BUILDING, "links", "V3.5.1", costs[0], costs[-1])
    yield price(BUILDING, "bargain", "V4.5", BARGAIN_COST)
    yield price(BUILDING, "discard", "V3.5.2", 0)


def _trips(board: Board, options: Options) -> Iterator[Price]:
    """How far a trip goes, and what it brings. Rule: V3.6.2, V3.6.4, V3.6.5, V3.7.1, V4.3."""
    yield price(TRIPS, "longest", "V3.6.2", board.max_links)
    most = board.max_links + (2 if options.lok_stack else 1)
    yield price(TRIPS, "longest-fast", "V4.3", most)
    yield price(TRIPS, "section", "V3.6.4", 1)
    yield price(TRIPS, "space", "V3.7.1", 1)
    if options.income_max:
        yield price(TRIPS, "last-space", "V1.3", options.income_max)
    first_round = "" if options.round1_decline_card else "-later"
    yield price(TRIPS, f"declined{first_round}", "V3.6.5", 1)
