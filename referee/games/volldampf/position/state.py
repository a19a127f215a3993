"""The position of a game: what lies on the board and in front of the players, what is still to do in the round."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import field

from referee.core.game import ONE_BY_ONE, TOGETHER, Player
from referee.core.values import Partial, Value
from referee.games.volldampf.board.board import Board, Numbers
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.options import Options
from referee.games.volldampf.position.orders import Order


class Table(Value, dict=True):
    """What was agreed before the game and never changes. ``players`` sit clockwise in this order."""

    board: Board
    options: Options
    players: tuple[Player, ...]
    pace: str = TOGETHER
    position: str = ""  # typed in, as JSON: the game begins there

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The players' codes, clockwise."""
        return tuple(player.code for player in self.players)

    @property
    def numbers(self) -> Numbers:
        """What depends on the number of players."""
        return self.board.numbers[len(self.players)]

    def player(self, code: str) -> Player:
        """Return a player by his code."""
        return next(player for player in self.players if player.code == code)


class Item(Value):
    """A thing to do: ``what`` of the list above, with a build's or trip's ``number``; with a ``player`` his decision.

    ``stage``: of a LETTER, what is asked for.
    """

    what: str
    number: int = 0
    player: str = ""
    stage: str = ""


class Kept(Value):
    """An order that waits in the position: sealed until it is opened, or standing until its moment. Secret."""

    player: str
    order: Order


class Bar(Value):
    """Cubes that ``player`` may not move now: of ``colour`` in ``city`` ("": in every city). Rule: V4.6, DIFF 51, R9."""

    player: str
    colour: str
    city: str = ""


class State(Partial):
    """The position between two turns (and, inside the rules, between two events). Mappings are never changed in place.

    Piles are counted by kind, not ordered: each card and cube is thrown for when it is drawn.
    """

    unstored = uncompared = frozenset({"table"})

    table: Table
    turn: int = 1  # counts what is adjudicated: letters, or single decisions
    round: int = 0
    agenda: tuple[
        Item, ...
    ] = ()  # still to do in this round; the first is what is asked for. Empty when the game is over
    order: tuple[str, ...] = ()  # holders of sequence cards 1, 2, …
    cash: Mapping[str, int] = field(default_factory=dict)  # marks
    bonds: Mapping[str, int] = field(default_factory=dict)  # points
    income: Mapping[str, int] = field(default_factory=dict)  # the locomotive's space
    built: Mapping[str, str] = field(default_factory=dict)  # link id to owner
    cubes: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # city to colours, in colour order; empty ones left out
    bag: Mapping[str, int] = field(default_factory=dict)  # cubes by colour
    owed: tuple[str, ...] = ()  # cities with a claim on the next cubes that return. Option bag_empty = owe, R14
    track_pile: Mapping[str, int] = field(default_factory=dict)  # track cards by colour
    removed: tuple[str, ...] = ()  # track cards taken out at random. Secret unless removed_cards = shown
    merchandise: tuple[int, ...] = ()  # numbers of the cards still face down, rising
    turned: tuple[int, ...] = ()  # those turned up this round, in order
    actions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # action cards in hand, in card order. Secret
    action_pile: Mapping[str, int] = field(default_factory=dict)
    action_discards: Mapping[str, int] = field(default_factory=dict)
    groups: tuple[tuple[str, ...], ...] = ()  # open groups of track cards, in colour order; () once chosen
    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # track cards in front of each player
    bids: Mapping[str, int] = field(default_factory=dict)  # last bids of the auction that runs
    passed: tuple[str, ...] = ()  # who is out of it, first first
    ties: int = 0  # of two players' bids in this auction
    staked: Mapping[str, int] = field(default_factory=dict)  # what two players have paid in it for tied bids
    kept: tuple[Kept, ...] = ()
    declined: tuple[str, ...] = ()  # who gets a card at the end of phase 6, in the order of declining
    bars: tuple[Bar, ...] = ()
    subsidised: tuple[str, ...] = ()  # who played Subvention this round, once for each trip
    subsidy_for: tuple[str, ...] = ()  # who was last when the extra trips began. Option subvention_when
    rearranged: bool = False  # Alles neu was played this round
    drawn: Mapping[str, int] = field(
        default_factory=dict
    )  # action cards each player drew this round: numbers the throws
    rounds: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # income after each round, round 0 first
    scores: Mapping[str, int] = field(default_factory=dict)  # when the game is over
    winners: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.winners)

    @property
    def one_by_one(self) -> bool:
        """Whether decision after decision is asked for."""
        return self.table.pace == ONE_BY_ONE

    @property
    def stage(self) -> str:
        """What is asked for now: a letter's stage, a decision's name, or ``over``."""
        if self.is_over or not self.agenda:
            return stages.OVER
        return self.agenda[0].stage or self.agenda[0].what

    def sections_left(self, player: str) -> int:
        """Return the track sections a player still has. Rule: V2.2."""
        return self.table.numbers.sections - sum(owner == player for owner in self.built.values())

    def clockwise(self) -> tuple[str, ...]:
        """Return the players clockwise from the holder of sequence card 1. Rule: V1.4."""
        codes = self.table.codes
        first = codes.index(self.order[0])
        return codes[first:] + codes[:first]

    def last_places(self) -> tuple[str, ...]:
        """Return who is furthest back on the income track, in turn order. Rule: V3.7.3, DIFF 46."""
        least = min(self.income.values())
        return tuple(code for code in self.order if self.income[code] == least)

    def score(self, player: str) -> int:
        """Return income space less bond points. Rule: V5.2, DIFF 65."""
        score = self.income[player] - self.bonds[player]
        return max(0, score) if self.table.options.final_floor == "zero" else score
