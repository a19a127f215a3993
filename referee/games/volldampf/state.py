"""The position of a game: what lies on the board and in front of the players, what is still to do in the round."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from referee.core import Keeper, Pair, Partial, Value
from referee.core.game import ONE_BY_ONE, TOGETHER, Player

from .board import Board, Codes, Numbers
from .options import Options

# What a player may order: frozen values, as they are stored and adjudicated.

Groups = tuple[Codes, ...]  # of track cards
Holdings = Mapping[str, Codes]  # cards by player, cubes by city

When = Literal["before", "after"]
# What is on the agenda of a round, in its order. What a player has to do are that player's decisions.
What = Literal[
    "goods",  # phase 1
    "deal",  # phase 2
    "letter",  # a letter of everybody's is asked for; ``stage`` says for what
    "bonds",  # a player's bonds. Phase 3
    "reveal",  # sealed bonds or bids are opened
    "new",  # Alles neu, whoever plays it
    "bid",  # a player's bid (auction = live, or sealed)
    "auction",  # the auction by limits, or what follows it: payments and sequence cards. Phase 4
    "choose",  # a player's choice of a group
    "build",  # a player's build number n. Phase 5
    "move",  # a player's trip number n. Phase 6
    "subsidy",  # a player's extra trip
    "draws",  # cards for declined trips (decline_card_when = end_of_phase)
    "income",  # phase 7
    "steal",  # the card of a player in last place; asked for where it comes from a hand
    "close",
    "over",  # nothing: the game has ended
]
# The letters of a round, as ``awaiting`` names them; one by one, and bid by bid, it is the decision's own name.
Stage = Literal[
    "bonds",  # bonds and Alles neu
    "auction",  # limit and ranking
    "opening",  # bonds, Alles neu, limit and ranking: letter (a) of preset post
    "choice",  # ranking alone, after a live auction
    "build",
    "trips",  # both transport rounds and Subvention: letter (c) of preset post
    "trip",  # one transport round; with the second one Subvention. ``number`` of its item says which
    "over",  # none: the game has ended
]
DECLINED = ""  # the colour of a delivery that is none: DECLINE as an alternative


class Written(Value):
    """What stands in a letter, in that ``line``."""

    line: int = 0


class TakeBonds(Written):
    """Take bonds: ``points`` of them, 6 marks each. Rule: V3.3.1."""

    points: int


class Bid(Written):
    """What to bid, in marks. An empty ``amounts`` passes.

    With limits it is one amount, the most that will be paid; bid by bid it is one bid; two players give a list: the first
    bid, the next if that ties, and so on, the last repeated. Rule: V3.4.1, V6.3, R3, R4.
    """

    amounts: tuple[int, ...] = ()


class Wish(Value):
    """A group that is wanted: all that hold at least these ``colours`` (``green, green`` wants two of them), or the group
    with that ``number`` (from 1) as it lies after Alles neu. ``exact``: no other card may be in it. Rule: R7."""

    colours: Codes = ()
    number: int = 0
    exact: bool = False


class Rank(Written):
    """Groups in order of preference; what is not named comes last, in the order in which it lies. Rule: V3.4.4."""

    wishes: tuple[Wish, ...]


class Rearrange(Written):
    """Play Alles neu: the open cards lie in these groups afterwards. Rule: V4.8, R7."""

    groups: Groups


class Site(Value, kw_only=False):
    """One alternative of a build: ``link`` by id, paid with track card ``card`` ("": the card of its colour).

    ``bargain``: with Günstige Gelegenheit, 5 marks and any card. An empty ``link`` discards ``card``. Rule: V3.5, V4.5.
    """

    link: str = ""
    card: str = ""
    bargain: bool = False


class Build(Written, kw_only=False):
    """Alternatives of building round ``number`` (from 1), the first that is possible is built. Rule: V3.5.1."""

    number: int
    sites: tuple[Site, ...]


class Delivery(Value, kw_only=False):
    """One alternative of a trip: a cube of ``colour`` from ``origin`` to ``goal``; ``route`` is every city on the way, both
    ends included, or empty: the referee finds it (DIFF 35). ``via``: cities that a route to be found passes, in this order.

    ``loks``: Schnelle Lok cards announced with it (R8). ``colour`` DECLINED: no delivery is made, whatever follows.
    """

    colour: str
    origin: str = ""
    goal: str = ""
    route: Codes = ()
    via: Codes = ()
    loks: int = 0


class Move(Written, kw_only=False):
    """Alternatives of trip 1 or 2, the first that is legal is made. Rule: V3.6."""

    trip: int
    deliveries: tuple[Delivery, ...]


class Subsidy(Written):
    """Play Subvention for an extra trip, if in last place then. ``trip``: 3, or 4 for a second one (R11). Rule: V4.4."""

    deliveries: tuple[Delivery, ...]
    trip: int = 3


class Extra(Written):
    """Play Zusatzfracht before a trip: ``cities`` gives (colour drawn, city) for all four colours. Rule: V4.7, R13."""

    trip: int
    cities: tuple[Pair, ...]


class Plan(Written):
    """Play Neue Planung ``when`` (BEFORE, AFTER) an own decision: move a cube from ``origin`` to ``goal``.

    ``what`` and ``number`` name the decision as agenda items do: bonds, bid, choose, build 1, move 2, subsidy 3.
    Rule: V4.9, DIFF 62, R15.
    """

    when: When
    what: What
    colour: str
    origin: str
    goal: str
    number: int = 0


class Target(Value):
    """What a standing sabotage waits for; an empty field fits all. ``passing``: a city the route goes through or ends in."""

    colour: str = ""
    origin: str = ""
    goal: str = ""
    passing: str = ""


class Sabotage(Written):
    """Play Sabotage at the first match: ``victim`` ("": whoever), ``trip`` (0: any), one of ``targets``.

    Two such orders may use two cards. It stands to the end of phase 6. Rule: V4.6, V9.
    """

    targets: tuple[Target, ...]
    victim: str = ""
    trip: int = 0


class Steal(Written):
    """From whom to draw when deck and discards are empty, in order of preference; empty: from nobody. Rule: V4.2, DIFF 42.

    ``which``: the player's card of that number in the round ("2"), the one for last place (LAST), "": all others.
    """

    players: Codes
    which: str = ""


Order = TakeBonds | Bid | Rank | Rearrange | Build | Move | Subsidy | Extra | Plan | Sabotage | Steal


def about(order: Order) -> tuple[object, ...]:
    """Return what an order decides: a phase's choice, one trip, the moment or the rival that a card is kept for."""
    said = (getattr(order, name, "") for name in ("when", "what", "number", "trip", "victim", "which"))
    return type(order), *said


class Table(Keeper):
    """What was agreed before the game and never changes. ``players`` sit clockwise in this order."""

    board: Board
    options: Options
    players: tuple[Player, ...]
    pace: str = TOGETHER
    position: str = ""  # typed in, as JSON: the game begins there

    @cached_property
    def codes(self) -> Codes:
        """The players' codes, clockwise."""
        return tuple(player.code for player in self.players)

    @property
    def numbers(self) -> Numbers:
        """What depends on the number of players."""
        return self.board.numbers[len(self.players)]

    def player(self, code: str) -> Player:
        """Return a player by their code."""
        return next(player for player in self.players if player.code == code)


class Item(Value, kw_only=False):
    """A thing to do: ``what``, with a build's or trip's ``number``; with a ``player`` that player's decision.

    ``stage``: of a LETTER, what is asked for.
    """

    what: What
    number: int = 0
    player: str = ""
    stage: Stage | Literal[""] = ""


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
    agenda: tuple[Item, ...] = ()  # still to do in this round, the first is asked for. Empty when the game is over
    order: Codes = ()  # holders of sequence cards 1, 2, …
    cash: Mapping[str, int] = {}  # marks
    bonds: Mapping[str, int] = {}  # points
    income: Mapping[str, int] = {}  # the locomotive's space
    built: Mapping[str, str] = {}  # link id to owner
    cubes: Mapping[str, Codes] = {}  # city to colours, in colour order; empty ones left out
    bag: Mapping[str, int] = {}  # cubes by colour
    owed: Codes = ()  # cities with a claim on the next cubes that return. Option bag_empty = owe, R14
    track_pile: Mapping[str, int] = {}  # track cards by colour
    removed: Codes = ()  # track cards taken out at random. Secret unless removed_cards = shown
    merchandise: tuple[int, ...] = ()  # numbers of the cards still face down, rising
    turned: tuple[int, ...] = ()  # those turned up this round, in order
    actions: Mapping[str, Codes] = {}  # action cards in hand, in card order. Secret
    action_pile: Mapping[str, int] = {}
    action_discards: Mapping[str, int] = {}
    groups: Groups = ()  # open groups of track cards, in colour order; () once chosen
    hands: Mapping[str, Codes] = {}  # track cards in front of each player
    bids: Mapping[str, int] = {}  # last bids of the auction that runs
    passed: Codes = ()  # who is out of it, first first
    ties: int = 0  # of two players' bids in this auction
    kept: tuple[Kept, ...] = ()
    declined: Codes = ()  # who gets a card at the end of phase 6, in the order of declining
    bars: tuple[Bar, ...] = ()
    subsidised: Codes = ()  # who played Subvention this round, once for each trip
    subsidy_for: Codes = ()  # who was last when the extra trips began. Option subvention_when
    rearranged: bool = False  # Alles neu was played this round
    drawn: Mapping[str, int] = {}  # action cards each player drew this round: numbers the throws
    rounds: Mapping[str, tuple[int, ...]] = {}  # income after each round, round 0 first
    scores: Mapping[str, int] = {}  # when the game is over
    winners: Codes = ()

    @property
    def board(self) -> Board:
        """The board."""
        return self.table.board

    @property
    def options(self) -> Options:
        """What was agreed."""
        return self.table.options

    @property
    def codes(self) -> Codes:
        """The players' codes, clockwise."""
        return self.table.codes

    @property
    def numbers(self) -> Numbers:
        """What depends on the number of players."""
        return self.table.numbers

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.winners)

    @property
    def has_begun(self) -> bool:
        """Whether it is played: then all that a typed-in table does not name stays as it is."""
        return bool(self.agenda) or self.is_over

    @property
    def one_by_one(self) -> bool:
        """Whether decision after decision is asked for."""
        return self.table.pace == ONE_BY_ONE

    @property
    def bonds_are_sealed(self) -> bool:
        """Whether everybody decides on bonds in secret; two players always do. Rule: V6.2, DIFF 16."""
        return self.options.bond_order == "simultaneous" or len(self.codes) == 2

    @property
    def is_live(self) -> bool:
        """Whether bid after bid is asked for; two players' bids are sealed. Rule: V6.3."""
        return self.options.auction == "live" and len(self.codes) > 2

    @property
    def declining_pays(self) -> bool:
        """Whether who makes no trip in this round gets an action card for it. Rule: V3.6.5, DIFF 33."""
        return self.round > 1 or self.options.round1_decline_card

    @property
    def draws_at_once(self) -> bool:
        """Whether that card is drawn when the trip is declined, and may be played in the same phase. Rule: DIFF 34.

        When extra trips are asked for no other trip is to come.
        """
        at_once = self.options.decline_card_when == "at_once"
        return self.declining_pays and at_once and self.stage != "subsidy"

    @property
    def asked(self) -> Item:
        """The letter or decision that is asked for now."""
        return self.agenda[0] if self.agenda else Item("over")

    @property
    def stage(self) -> str:
        """What is asked for now: a letter's stage, a decision's name, or ``over``."""
        return "over" if self.is_over else self.asked.stage or self.asked.what

    def sections_left(self, player: str) -> int:
        """Return the track sections a player still has. Rule: V2.2."""
        return self.numbers.sections - sum(owner == player for owner in self.built.values())

    def clockwise(self) -> Codes:
        """Return the players clockwise from the holder of sequence card 1. Rule: V1.4."""
        codes = self.codes
        first = codes.index(self.order[0])
        return codes[first:] + codes[:first]

    def last_places(self) -> Codes:
        """Return who is furthest back on the income track, in turn order. Rule: V3.7.3, DIFF 46."""
        least = min(self.income.values())
        return tuple(code for code in self.order if self.income[code] == least)

    def score(self, player: str) -> int:
        """Return income space less bond points. Rule: V5.2, DIFF 65."""
        score = self.income[player] - self.bonds[player]
        return max(0, score) if self.options.final_floor == "zero" else score
