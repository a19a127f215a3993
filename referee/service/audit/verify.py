"""Whether a game was played as its seeds and orders say: seeds, hashes, and every turn played again. Values alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.core import CHAIN_END, Value
from referee.core.game import Game, Setup
from referee.core.texts import canonical
from referee.games import game_named
from referee.store import LoggedTurn, booking, damaged_letters, games, hash_of_letters, letters
from referee.store.games import act_faults, sealed_letters

from ..club import Club
from ..positions import ADJUST, OPENING, parse_setup, ruling_of
from ..turns.inputs import are_of
from .export import Edition, GameLog, edition_of, leads, place_of, tells_orders, whole_log
from .replay import Fault, Faults, Note, Replayer, Throw, Watch, kept_states, printable, rulings_in

# Whether turns that were undone were played as they say, and the umpire's log undoes them and no others. Values alone.


def undone_faults(log: GameLog) -> Faults:
    """What the log of acts undoes must be the turns that are said to be undone; their seeds and hashes must be right."""
    undoing, there = [act for act in log.acts if act.kind == "undo"], {each.hash for each in log.undone}

    def is_undone(turn: LoggedTurn) -> bool:
        return any(act.turn <= turn.turn and turn.edition <= _edition(act.parameters) for act in undoing)

    for act in undoing:
        if (
            json.loads(act.parameters).get("hash") not in there
        ):  # it covers all that was undone: each hash goes over the one before
            yield Fault(act.turn, f"what act {act.number} of the umpire's log undid is missing or another one")
    for turn in log.turns:
        if is_undone(turn):
            yield Fault(turn.turn, "it is in force, but the umpire's log undoes it")
    for turn in log.undone:
        if not is_undone(turn):
            yield _fault(log, turn, "nothing in the umpire's log undoes it")
        if not log.is_seed(turn):
            yield _fault(log, turn, "its seed does not lead to the published end of the chain")
        before = log.before(turn)
        if not before or log.hash_over(turn, before.hash) != turn.hash:
            yield _fault(
                log,
                turn,
                "its hash does not fit its rules, seed, salts, typed throws, orders and events, and the turn before",
            )
        elif turn.salts != log.salts:
            yield _fault(log, turn, "its salts are not those of the turn before")


def replay_undone(log: GameLog, replayer: Replayer, after: Mapping[Edition, Any]) -> Faults:
    """Play the turns that were undone again, each from the position before it; *after*: positions after turns in force."""
    states = dict(after)
    for turn in sorted(log.undone, key=place_of):
        before = log.before(turn)
        state = states.get(edition_of(before)) if before else None
        if state is None:
            yield _fault(log, turn, "it was not played again: the turn before it did not come out")
            continue
        yield from (_fault(log, turn, fault.text) for fault in replayer.play_from(state, turn))
        if replayer.state is not None:
            states[edition_of(turn)] = replayer.state


def _fault(log: GameLog, turn: LoggedTurn, text: str) -> Fault:
    count = sum(each.turn == turn.turn and each.edition <= turn.edition for each in log.played)
    return Fault(turn.turn, f"edition {count}, which was undone: {text}")


def _edition(parameters: str) -> int:
    edition = json.loads(parameters).get("edition")
    return edition if type(edition) is int else 0


class Verified(Value):
    """What was checked, and what was found. ``played``: turns played again that came out the same, with their events.

    A turn of another version of the rules that does not come out the same is no fault: one of the ``notes`` tells of it.
    ``undone``: turns that were undone and came out the same. ``over``: the last turn was reached, and nobody owes orders any
    more. ``sealed``: a game with secrets that is not over, of which no turn has been revealed, so that none could be checked.
    """

    log: GameLog
    rules: Game
    setup: Setup
    played: tuple[tuple[int, int], ...]
    undone: int = 0
    throws: tuple[Throw, ...]
    over: bool
    sealed: bool = False
    faults: tuple[Fault, ...]
    notes: tuple[Note, ...]


def verify_game(club: Club, game_id: str, watch: Watch = iter) -> Verified:
    """Check a game of the club: as ``verify``, and the positions and letters that the club keeps.

    Raises:
        NotFound: there is no such game.
    """
    log = whole_log(club, game_id)
    found = verify(log, kept_states(club, log.game), watch)
    faults = [*found.faults]
    for each in damaged_letters(club, log.game):  # what was written to the players must be there as it was
        numbers = ", ".join(map(str, each.letters))
        faults.append(Fault(each.turn or OPENING, f"{each.what} (letters {numbers})"))
    faults += _booking_faults(club, log.game)
    return found.but(faults=tuple(sorted(faults, key=lambda fault: fault.turn)))


def _booking_faults(club: Club, game: str) -> Faults:
    """Each letter of a player that a turn covers must be there, and each that was handled before a turn be covered by then."""
    row, covered = games.game(club, game), set[str]()
    known = {booking(row.chain, each.hash): each for each in letters.of_players(club, row.id)}
    played = (*games.superseded(club, game), *games.turns(club, game))
    for turn in sorted((each for each in played if each.booked), key=place_of):
        booked = json.loads(turn.booked)
        if canonical(sealed_letters(game, turn.turn, booked)) != turn.letters:
            yield Fault(turn.turn, "the letters kept with it are not those that its hash covers")
        names = {(player, name) for player, told in booked.items() for names in told.values() for name in names}
        covered |= {name for _, name in names}
        for player, name in sorted(names):
            if name not in known or known[name].player != player:
                yield Fault(turn.turn, f"letter {name} of {player}, which it covers, is missing")
        for name, each in known.items():
            if name not in covered and each.handled_at < turn.adjudicated_at:
                covered.add(name)
                told = f"letter {each.id} of {each.player} ({name}) was received before it was played, and it does not cover it"
                yield Fault(turn.turn, told)


def verify(log: GameLog, states: Mapping[Edition, str] | None = None, watch: Watch = iter) -> Verified:
    """Check what was revealed of a game; *states*: encoded positions by turn and edition, to be compared too.

    Raises:
        NotFound: it is a game that is not installed here.
    """
    setup = parse_setup(log.setup)
    rules = game_named(setup.game)
    sealed = rules.has_secrets and not log.turns
    faults = [] if sealed else [*_order_faults(log)]
    again, before = (Replayer(log=log, rules=rules, setup=setup, states=states or {}) for _ in range(2))
    over = False
    if not faults:  # else nothing follows from anything
        try:
            faults += [*_last_faults(log), *_seed_faults(log), *_hash_faults(log), *_salt_faults(log, setup)]
            faults += [*_act_faults(log, rules, setup), *undone_faults(log)]
            faults += () if faults else _seal_faults(log, setup)
            faults += again.play(log.turns, watch)
            faults += replay_undone(log, before, again.after)
            over = again.state is not None and bool(log.turns) and not rules.awaiting(again.state)
        except Exception as error:  # whatever acts and events that no referee wrote lead to
            faults.append(Fault(OPENING, f"no referee wrote this: {printable(error)}"))
    return Verified(
        log=log,
        rules=rules,
        setup=setup,
        played=tuple(again.played),
        undone=len(before.played),
        throws=tuple(again.throws),
        over=over,
        sealed=sealed,
        faults=tuple(sorted(faults, key=lambda fault: fault.turn)),
        notes=(*again.notes, *before.notes),
    )


def _order_faults(log: GameLog) -> Faults:
    """Turns must stand in their order, from the opening on."""
    before = -1
    for turn in log.turns:
        if turn.turn <= before:
            yield Fault(turn.turn, f"it stands behind turn {before}")
        before = turn.turn
    if not log.turns or log.turns[0].turn != OPENING:
        yield Fault(OPENING, "the opening is not where the game begins")


def _last_faults(log: GameLog) -> Faults:
    """The turn that is said to be the last must be that, with the hash that is said; what stands before it is checked."""
    number, told_hash = log.last
    if not log.turns:
        return
    if log.turns[-1].turn != number:
        yield Fault(number, f"it is said to be the last, but turn {log.turns[-1].turn} is")
    elif told_hash != log.turns[-1].hash:
        yield Fault(number, "its hash is not the one that is said to be the last")


def _seed_faults(log: GameLog) -> Faults:
    """A seed is right if it leads to the seed before, or past that one, where it was altered, to the last right one."""
    right = before = (CHAIN_END, log.end)
    for turn in log.turns:
        here = (turn.turn, turn.seed)
        if leads(here, right):
            right = here
        elif not leads(here, before):
            name = "the published end of the chain" if turn.turn == OPENING else f"that of turn {before[0]}"
            yield Fault(turn.turn, f"its seed does not hash to {name}")
        before = here


def _act_faults(log: GameLog, rules: Game, setup: Setup) -> Faults:
    """The umpire's acts must stand in the log as they were written, each over the one before."""
    for act, text in act_faults(log.acts, log.agreed):
        yield Fault(act.turn, text)
    heads, newest = {f"{act.number} {act.hash}": act.number for act in log.acts}, 0
    for turn in log.played:
        if heads.get(turn.acts, newest) < newest or (newest and not turn.acts):
            yield Fault(turn.turn, f"it covers less of the umpire's log than act {newest}, which was covered before")
        newest = max(newest, heads.get(turn.acts, 0))
        if turn.acts and turn.acts not in heads:
            number = turn.acts.partition(" ")[0]
            yield Fault(turn.turn, f"it covers act {number} of the umpire's log, which is missing or another one")
    made = {(act.turn, ruling_of(act)) for act in log.acts if act.kind == ADJUST}
    for turn in log.played:
        for ruling in rulings_in(rules, turn.events, setup):
            if (turn.turn, ruling) not in made:
                yield Fault(turn.turn, f"its ruling {ruling.paragraph} is not one of the umpire's log")


def _seal_faults(log: GameLog, setup: Setup) -> Faults:
    """Each turn covers letters, and orders without one among them are the umpire's, by an act of the log; only reasons of acts
    that speak of orders to come may be withheld.
    """
    codes, filed = (
        {player.code for player in setup.players},
        {(act.turn, str(json.loads(act.parameters).get("player", ""))) for act in log.acts if act.kind == "orders"},
    )
    for act in log.acts:
        if act.withheld and (act.reason or not tells_orders(act, log.last[0])):
            yield Fault(act.turn, f"the reason of act {act.number} is withheld, or stands beside its hash")
    for turn in log.played:
        if turn.turn == OPENING:
            continue
        sealed = json.loads(turn.letters or "{}")
        if set(sealed) != codes or any(set(each) != {"received", "counted"} for each in sealed.values()):
            yield Fault(
                turn.turn,
                "it does not cover the letters that were received from each player, and those that counted",
            )
            continue
        for code in json.loads(turn.orders):
            none = hash_of_letters(log.game, turn.turn, code, "counted", ())
            if sealed.get(code, {}).get("counted") == none and (turn.turn, code) not in filed:
                yield Fault(
                    turn.turn,
                    f"orders of {code} were played without a letter, and no act says who filed them",
                )


def _hash_faults(log: GameLog) -> Faults:
    """A hash is right if it follows from the one before as written or, where that was altered, as recomputed."""
    before = {log.agreed}
    for turn in log.turns:
        found = {log.hash_over(turn, each): each for each in sorted(before)}
        if turn.hash not in found:
            what = (
                "the game's id, setup and end of the chain" if turn.turn == OPENING else "the hash of the turn before"
            )
            yield Fault(
                turn.turn,
                f"its hash does not fit its rules, seed, salts, typed throws, orders and events, and {what}",
            )
        before = {turn.hash, *found}


def _salt_faults(log: GameLog, setup: Setup) -> Faults:
    """Salts are the players', and stay: from the opening on, or, where that has none, from the first turn on."""
    codes, before = tuple(player.code for player in setup.players), log.salts
    for turn in log.turns:
        if not are_of(turn.salts, codes):
            yield Fault(turn.turn, f"its salts {turn.salts!r} are not the players' words in order of play")
        elif turn.turn != OPENING and turn.salts not in (before, log.salts):
            yield Fault(turn.turn, "its salts are not those of the turn before")
        before = turn.salts
