"""Whether a game was played as its seeds and orders say: seeds, hashes, and every turn played again. Values alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from referee.core.dice import CHAIN_END, NotedDice, next_seed
from referee.core.game import Game, Outcome, Setup
from referee.games import game_named
from referee.service.club import Club
from referee.service.export import Revealed, RevealedTurn, whole_log
from referee.service.positions import OPENING, parse_orders, parse_setup
from referee.service.salts import are_of
from referee.service.throws import dice_of, parse_typed
from referee.store import games
from referee.store.hashes import hash_of_agreement, hash_of_turn

_LONGEST = 120  # characters of an event or a mistake that are told


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that is not as it should be; the sentence follows the words ``turn 7:``."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A throw as it was recomputed; ``typed``: no seed made it, the umpire typed it."""

    turn: int
    name: str
    sides: int
    number: int
    typed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was checked, and what was found. ``played``: turns played again that came out the same, with their events.

    ``over``: the last turn was reached, and nobody owes orders any more. ``sealed``: a game with secrets that is not over, of
    which no turn has been revealed, so that none could be checked.
    """

    told: Revealed
    rules: Game
    setup: Setup
    played: tuple[tuple[int, int], ...]
    throws: tuple[Throw, ...]
    over: bool
    sealed: bool = False
    faults: tuple[Fault, ...]


def verify_game(club: Club, game_id: str) -> Verified:
    """Check a game of the club: as ``verify``, and the positions that the club keeps.

    Raises:
        NotFound: there is no such game.
    """
    told = whole_log(club, game_id)
    return verify(told, {row.turn: row.state for row in games.turns(club.db, told.game)})


def verify(told: Revealed, states: Mapping[int, str] | None = None) -> Verified:
    """Check what was revealed of a game; *states*: encoded positions by turn, to be compared too.

    Raises:
        NotFound: it is a game that is not installed here.
    """
    setup = parse_setup(told.setup)
    rules = game_named(setup.game)
    sealed = rules.has_secrets and not told.turns
    faults = [] if sealed else [*_order_faults(told)]
    again = _Again(rules=rules, setup=setup, states=states or {})
    if not faults:  # else nothing follows from anything
        faults += [*_seed_faults(told), *_hash_faults(told), *_salt_faults(told, setup)]
        faults += again.play(told.turns)
    return Verified(
        told=told,
        rules=rules,
        setup=setup,
        played=tuple(again.played),
        throws=tuple(again.throws),
        over=again.state is not None and bool(told.turns) and not rules.awaiting(again.state),
        sealed=sealed,
        faults=tuple(sorted(faults, key=lambda fault: fault.turn)),
    )


def _order_faults(told: Revealed) -> Iterator[Fault]:
    """Turns must stand in their order, from the opening to the one that is said to be the last."""
    before = -1
    for turn in told.turns:
        if turn.turn <= before:
            yield Fault(turn=turn.turn, text=f"it stands behind turn {before}")
        before = turn.turn
    if not told.turns or told.turns[0].turn != OPENING:
        yield Fault(turn=OPENING, text="the opening is not where the game begins")
    if told.turns and told.turns[-1].turn != told.last[0]:
        yield Fault(turn=told.last[0], text=f"it is said to be the last, but turn {told.turns[-1].turn} is")


def _seed_faults(told: Revealed) -> Iterator[Fault]:
    """A seed is right if it leads to the seed before, or past that one, where it was altered, to the last right one."""
    right = before = (CHAIN_END, told.end)
    for turn in told.turns:
        here = (turn.turn, turn.seed)
        if _leads(here, right):
            right = here
        elif not _leads(here, before):
            name = "the published end of the chain" if turn.turn == OPENING else f"that of turn {before[0]}"
            yield Fault(turn=turn.turn, text=f"its seed does not hash to {name}")
        before = here


def _leads(later: tuple[int, str], earlier: tuple[int, str]) -> bool:
    seed = later[1]
    for _ in range(later[0] - earlier[0]):
        seed = next_seed(seed)
    return seed == earlier[1]


def _hash_faults(told: Revealed) -> Iterator[Fault]:
    """A hash is right if it follows from the one before as written or, where that was altered, as recomputed."""
    before = {hash_of_agreement(told.game, told.setup, told.end)}
    for turn in told.turns:
        found = {_hashed(told.game, turn, each): each for each in sorted(before)}
        if turn.hash not in found:
            what = (
                "the game's id, setup and end of the chain" if turn.turn == OPENING else "the hash of the turn before"
            )
            yield Fault(
                turn=turn.turn,
                text=f"its hash does not fit its rules, seed, salts, typed throws, orders and events, and {what}",
            )
        before = {turn.hash, *found}
    if told.turns and told.last[1] != told.turns[-1].hash:
        yield Fault(turn=told.last[0], text="its hash is not the one that is said to be the last")


def _hashed(game: str, turn: RevealedTurn, before: str) -> str:
    return hash_of_turn(
        before,
        game=game,
        turn=turn.turn,
        rules=turn.rules,
        seed=turn.seed,
        salts=turn.salts,
        orders=turn.orders,
        events=turn.events,
        typed=turn.typed,
    )


def _salt_faults(told: Revealed, setup: Setup) -> Iterator[Fault]:
    """The opening has no salts; those of the first turn are the players', and stay."""
    codes = tuple(player.code for player in setup.players)
    first = before = told.turns[1].salts if len(told.turns) > 1 else ""
    for turn in told.turns:
        if turn.turn == OPENING:
            if turn.salts:
                yield Fault(turn=OPENING, text="it has salts, which the opening cannot have")
            continue
        if not are_of(turn.salts, codes):
            yield Fault(turn=turn.turn, text=f"its salts {turn.salts!r} are not the players' words in order of play")
        elif turn.salts not in (before, first):
            yield Fault(turn=turn.turn, text="its salts are not those of the turn before")
        before = turn.salts


@dataclass(slots=True, kw_only=True)
class _Again:
    """Plays turns again, as long as each comes out as it was told: what follows a turn that differs follows from that."""

    rules: Game
    setup: Setup
    states: Mapping[int, str]
    state: Any = None
    played: list[tuple[int, int]] = field(default_factory=list)
    throws: list[Throw] = field(default_factory=list)

    def play(self, turns: tuple[RevealedTurn, ...]) -> Iterator[Fault]:
        try:
            self.state = self.rules.lay_out(self.setup)
        except Exception as error:  # whatever a setup that was altered leads the rules to
            yield Fault(turn=OPENING, text=f"the game cannot be laid out: {_shown(error)}")
            return
        for turn in turns:
            if turn.turn != OPENING and not self.rules.awaiting(self.state):
                yield Fault(turn=turn.turn, text="it was played when the game was over")
                return
            awaited = OPENING if turn.turn == OPENING else self.rules.turn(self.state)
            if turn.turn != awaited:
                yield Fault(turn=awaited, text=f"it is missing, turn {turn.turn} stands in its place")
                return
            faults = list(self._turn(turn))
            yield from faults
            if self.state is None:
                if turn != turns[-1]:
                    yield Fault(turn=turn.turn, text="the turns after it were not played again")
                return

    def _turn(self, turn: RevealedTurn) -> Iterator[Fault]:
        """Play a turn; the state is None after one that went another way."""
        before, self.state = self.state, None
        try:
            if turn.rules != self.rules.rules:
                yield Fault(turn=turn.turn, text=_other_rules(turn, self.rules))
                told = self.rules.decode(turn.events, self.setup)
                self.state = reduce(self.rules.apply, told, before)
                return
            typed = parse_typed(turn.typed)
            dice = NotedDice(dice_of(turn.seed, turn.salts, turn.typed))
            outcome = self._outcome(before, turn, dice)
        except Exception as error:  # whatever orders that were altered lead the rules to
            yield Fault(turn=turn.turn, text=f"it cannot be played: {_shown(error)}")
            return
        self.throws += [
            Throw(turn=turn.turn, name=name, sides=sides, number=number, typed=name in typed)
            for (name, sides), number in dice.thrown.items()
        ]
        events = self.rules.encode(outcome.events)
        if events != turn.events:
            yield Fault(
                turn=turn.turn, text=f"its events differ from what orders and seed give: {_difference(turn, events)}"
            )
            return
        yield from self._typed_faults(turn, before, {name for name, _ in dice.thrown}, set(typed))
        yield from self._state_faults(turn, before, outcome)
        self.played.append((turn.turn, len(outcome.events)))
        self.state = outcome.state

    def _outcome(self, before: Any, turn: RevealedTurn, dice: NotedDice) -> Outcome:
        if turn.turn == OPENING:
            return self.rules.start(before, dice)
        return self.rules.adjudicate(before, parse_orders(self.rules, turn.orders, self.setup), dice)

    def _typed_faults(self, turn: RevealedTurn, before: Any, thrown: set[str], typed: set[str]) -> Iterator[Fault]:
        """Typed throws must have been asked for; where only typed ones will do, seeds must not stand in for them."""
        if typed - thrown:
            yield Fault(
                turn=turn.turn, text=f"nothing asks for the typed throws {_shown(', '.join(sorted(typed - thrown)))}"
            )
        needed = self.rules.needs_typed(before)
        untyped = sorted(name for name in thrown - typed if name.startswith(needed))
        if untyped:
            yield Fault(
                turn=turn.turn, text=f"the throws {_shown(', '.join(untyped))} were not typed, as they should be"
            )

    def _state_faults(self, turn: RevealedTurn, before: Any, outcome: Outcome) -> Iterator[Fault]:
        if turn.turn not in self.states:
            return
        encoded = self.rules.encode(outcome.state)
        if encoded != self.states[turn.turn]:
            yield Fault(turn=turn.turn, text="the position that the club keeps differs from what orders and seed give")
        if encoded != self.rules.encode(reduce(self.rules.apply, outcome.events, before)):
            yield Fault(turn=turn.turn, text="its events do not add up to its position")


def _other_rules(turn: RevealedTurn, rules: Game) -> str:
    return (
        f"it says that it was played by version {turn.rules} of the rules; this program has version {rules.rules}, "
        "so that its events were taken as they stand"
    )


def _difference(turn: RevealedTurn, events: str) -> str:
    """Return where the events told and those recomputed part."""
    try:
        told, given = json.loads(turn.events), json.loads(events)
    except ValueError:
        return "they are no JSON"
    for number, (one, other) in enumerate(zip(told, given, strict=False), 1):
        if one != other:
            one, other = _parted(one, other)
            return f"event {number} has {_shown(_plain(one))}, it should be {_shown(_plain(other))}"
    if len(told) != len(given):
        return f"there are {len(told)}, there should be {len(given)}"
    return "they are written in another way"


def _parted(one: Any, other: Any) -> tuple[Any, Any]:
    """Return of two events of a kind only that in which they differ, of any others all."""
    if not (isinstance(one, dict) and isinstance(other, dict)) or one.get("kind") != other.get("kind"):
        return one, other
    names = [name for name in sorted({*one, *other}) if name == "kind" or one.get(name) != other.get(name)]
    return tuple({name: each[name] for name in names if name in each} for each in (one, other))  # type: ignore[return-value]


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _shown(what: object) -> str:
    """Return a piece of somebody else's text, fit for a terminal."""
    text = f"{type(what).__name__}: {what}" if isinstance(what, Exception) else str(what)
    text = "".join(char if char.isprintable() else " " for char in text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"
