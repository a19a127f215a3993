"""Orders that the umpire files: a player's as the umpire corrects them, and those of a letter that came too late."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from referee.core import N_, Complaint, ConfigError, LetterTooCostly, ReaderLost, Texts, View, Words, fold
from referee.mail.letter.tokens import without_tokens
from referee.reader.understanding import Understanding
from referee.store import (
    ActRow,
    Fate,
    LetterRow,
    OrderSet,
    PlayerRow,
    PressRow,
    codes,
    games,
    insert,
    letters,
    orders,
    outbox,
    transaction,
)

from ..club import Club
from ..deadlines.rescheduling import day_and_time
from ..letters.answers import turns_back
from ..letters.doubts import REASONS
from ..letters.identify import identify, is_vouched_for, prove
from ..letters.interpretation import Case, Verdict, filing, hear, set_to_run, set_values, write_filing, write_verdict
from ..letters.limits import read_again
from ..positions import Position
from ..post.codes import command_names
from ..post.writing import tell_player
from ..umpires import BUILT_IN, Command, CommandFault, checked_reason, log_act, umpires_act
from .overview import text_of
from .rulings import awaiting

_TOLD = 3  # complaints in one sentence
_OVER = N_("{game} is over: no orders are awaited (`referee undo {game} {turn}` takes its last turn back)")


@cache
def _vocabulary() -> Words:
    """Return the commands and the words behind them, by their names in all languages as they are compared."""
    called = {said: name for table in command_names().values() for name, said in table.items()}
    own = {name: name for table in command_names().values() for name in table}
    return {fold(said): name for said, name in {**own, **called}.items()}


def command_word(word: str) -> str:
    """Return the English name of a command, or of a word behind one; "" of any other word."""
    return _vocabulary().get(fold(word), "")


def file_orders(club: Club, game_id: str, code: str, text: str, because: str) -> Texts:
    """File orders of a player for the awaited turn, as the umpire typed them, tell the player, and return them as understood.

    They take the place of what was on file; a letter that the player writes after that takes theirs.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: the game is over, no reason was given, or something is wrong with the orders.
        PassRunning: a pass is being made.
    """
    reason = checked_reason(because, needed=True)
    with umpires_act(club):
        position = awaiting(club, game_id, _OVER)
        player = position.player(code)
        if not position.may_order(player.code):
            asked = ", ".join(position.asked)
            raise ConfigError(N_("{code} is not asked now: {asked} is"), code=player.code, asked=asked)
        read = club.reader.understand_typed(text, player.code, position.in_play)
        _check(club, position, player, read)
        done = _file(club, position, player, read, None)
        act = log_act(club, position.row, "orders", {"player": player.code}, reason)
        _tell(club, position, player, done, act, None)
    return _say_orders(club, position, read.forecast.lines)


def give_orders(club: Club, command: Command) -> View:
    """File orders of a player, a line ORDERS and what the player would write below the words to them, or tell what is on file
    of one or all.
    """
    game, player = command.game, "".join(command.words[1:2])
    if not (command.reason and player):
        return {"on_file": tuple(on_file(club, game, player))}
    words, text = command.reason, command.orders
    if text is None:
        lines = words.split("\n")
        begin = orders_at(lines)
        words, text = "\n".join(lines[:begin]), "\n".join(lines[begin:])
    if not words:
        raise CommandFault("no-orders")
    filed = file_orders(club, game, player, text, words)
    return {"game": game.upper(), "player": player.upper(), "lines": filed}


def orders_at(lines: Iterable[str]) -> int:
    """Return where a player's orders begin below the words to them, 0 if nowhere."""
    firsts = ((line.split() or [""])[0] for line in lines)
    return next((at for at, word in enumerate(firsts) if at and command_word(word) == "ORDERS"), 0)


def on_file(club: Club, game_id: str, code: str = "") -> Iterator[str]:
    """Yield what is on file for the awaited turn, of one player or of all, as it is understood, with what is wrong. Raises as
    ``file_orders``.
    """
    position = awaiting(club, game_id, _OVER)
    sets = orders.sets(club, *position.row.turn_key)
    for player in [position.player(code)] if code else position.players:
        runs = set_to_run(sets, player.code)
        if not runs:
            yield club.word("filing", "no-orders", player=player.code)
            continue
        told = set_values(position, runs)
        when = day_and_time(runs.arrived, club.config.zone)
        yield club.word("filing", "on-file" if told["counts"] else "on-file-faulty", player=player.code, when=when)
        yield from (f"  {line}" for line in _say_orders(club, position, told["lines"]))
        yield from (f"  ! {_sentence(club, position, each)}" for each in told["complaints"] if each.is_error)


def _say_orders(club: Club, position: Position, lines: Texts) -> Texts:
    """Return orders as the club's language has them, PASS where there are none."""
    speak = club.stationery.sentences(position.rules.name, club.config.language).spoken.line
    return tuple(map(speak, lines or ("PASS",)))


def file_as_written(club: Club, position: Position, code: str, text: str) -> bool:
    """File orders that a built-in player wrote, as those of a player, and return whether they could be: nothing may be wrong with
    them. Inside a transaction.
    """
    player = position.player(code)
    read = club.reader.understand_typed(text, player.code, position.in_play)
    if any(each.is_error for each in read.complaints) or not read.gives_orders:
        return False
    _file(club, position, player, read, None)
    log_act(club, position.row, "orders", {"player": player.code}, actor=BUILT_IN)
    return True


def accept(club: Club, command: Command) -> View:
    """File the orders of a letter that came too late, or for a turn that was undone since, as if it had been in time; tell its
    player. The ``lines``: the orders as understood, and behind them a sentence where nothing proves that it is theirs.

    A letter that the player wrote after it still counts before it.

    Raises:
        NotFound: there is no such letter.
        ConfigError: nothing in it is an order for the awaited turn, it is on file already, or nobody knows whose it is.
        PassRunning: a pass is being made.
    """
    number = command.number(0, "letter")
    row = letters.letter(club, number)
    with read_for(number):
        letter = club.reader.read(row.raw)
    if not games.seats_of(club, letter.sender):
        raise ConfigError(N_("letter {number} is from no player: nothing was changed"), number=number)
    vouched = is_vouched_for(club, row.raw, letter, row.arrived)
    with umpires_act(club), read_for(number):
        _, found, read, _ = hear(club, letter, identify(club, letter), row.arrived)
        if found.why is not None:
            told = N_("letter {number} cannot be taken ({why}): nothing was changed")
            raise ConfigError(told, number=number, why=found.why)
        position, player = found.position, found.player
        _check_letter(club, position, number, read)
        done = _file(club, position, player, read, row)
        # Of a held one the umpire knows that already.
        doubt = prove(club, letter, found, vouched).why if row.status != "held" else None
        if row.status == "held":
            codes.release(club, number, number, club.now)
        kept = {"player": player.code, "letter": number}
        act = log_act(club, position.row, "accept", kept, command.reason)
        _tell(club, position, player, done, act, row)
    lines = _say_orders(club, position, read.forecast.lines)
    if doubt:
        why = REASONS[doubt]
        lines += (
            f"Nothing proves that {player.code} wrote it ({why}): ask the player, unless the player has told you.",
        )
    return {"game": position.id, "player": player.code, "lines": lines}


def release(club: Club, command: Command) -> View:
    """Let a letter count that waits, or did before it was discarded: a held one as its player's own, by the umpire's word, told
    as by ``accept``; a parked one is read by the next pass.

    Raises:
        NotFound: there is no such letter.
        ConfigError: it neither waits nor is parked, or nothing in a held one is an order.
        PassRunning: a pass is being made.
    """
    number = command.number(0, "letter")
    row = letters.letter(club, number)
    if row.reason.startswith(f"{Fate.DISCARDED}: "):  # it waits again, and counts then as it would have
        row = row.but(status="held" if row.player else "parked", reason=row.reason.partition(": ")[2])
        with transaction(club):
            letters.finish(club, number, row.status, club.now, row.reason, row.game, row.player)
    if row.status == "parked":
        read_again(club, number)
        return {"number": number, "game": "", "player": "", "lines": ()}
    if row.status != "held":
        raise _not_waiting(row)
    return {"number": number, **accept(club, command)}


def discard(club: Club, command: Command) -> View:
    """Have a held or parked letter wait no longer; it is kept, and its player can still confirm a held one.

    Raises:
        NotFound: there is no such letter.
        ConfigError: it neither waits nor is parked.
        PassRunning: a pass is being made.
    """
    number = command.number(0, "letter")
    with umpires_act(club):
        row = letters.letter(club, number)
        if row.status not in ("held", "parked"):
            raise _not_waiting(row)
        done = Fate.DISCARDED
        letters.finish(club, number, done.status, club.now, f"{done}: {row.reason}", row.game, row.player)
        if row.game:
            log_act(club, games.game(club, row.game), "discard", {"letter": number}, command.reason)
    return {"number": number}


def _not_waiting(row: LetterRow) -> ConfigError:
    told = N_("letter {number} is neither held nor parked: nothing was changed; `referee letters {number}` tells of it")
    return ConfigError(told, number=row.id)


@contextmanager
def read_for(number: int) -> Iterator[None]:
    """Raise ConfigError where that letter breaks its reader."""
    try:
        yield
    except (LetterTooCostly, ReaderLost) as error:
        raise ConfigError(N_("letter {number} cannot be read: {why}"), number=number, why=error) from error


def _check(club: Club, position: Position, player: PlayerRow, read: Understanding) -> None:
    """Raise ConfigError where something is not in order: what an umpire types must be clean."""
    faults = [each for each in read.complaints if each.is_error]
    if faults or read.reading.unread:
        told = [_sentence(club, position, each) for each in faults]
        told += [club.word("filing", "unread", line=line, text=repr(text)) for line, text in read.reading.unread]
        rest = [club.word("filing", "more", number=len(told) - _TOLD)] if len(told) > _TOLD else []
        values = {"code": player.code, "turn": position.row.turn, "faults": "; ".join((*told[:_TOLD], *rest))}
        raise ConfigError(N_("the orders of {code} for turn {turn}: {faults}"), **values)
    if read.later:
        sentence = N_("the orders of {code} are for turn {turn}, but turn {awaited} is awaited")
        raise ConfigError(sentence, code=player.code, turn=read.reading.turn, awaited=position.row.turn)
    if not read.gives_orders:
        sentence = N_("nothing in the orders of {code} is an order: PASS says that a player does nothing")
        raise ConfigError(sentence, code=player.code)


def _check_letter(club: Club, position: Position, number: int, read: Understanding) -> None:
    game, awaited, written, back = *position.row.turn_key, read.reading.turn, turns_back(read)
    if back:
        written = awaited - back
        told = N_(
            "letter {number} has orders for turn {turn} of {game}, which was played: `referee undo {game} {turn}` first"
        )
        raise ConfigError(told, number=number, turn=written, game=game)
    if read.other_turn:
        told = N_("letter {number} has orders for turn {turn} of {game}, but turn {awaited} is awaited")
        raise ConfigError(told, number=number, turn=written, game=game, awaited=awaited)
    if read.versions:
        raise ConfigError(N_("letter {number} says two different things: nothing was changed"), number=number)
    if not read.gives_orders:
        told = N_("nothing in letter {number} is an order for turn {turn} of {game}")
        raise ConfigError(told, number=number, turn=awaited, game=game)
    filed = orders.sets(club, game, awaited)
    if any(each.letter == number and not each.withdrawn for each in filed):
        told = N_("the orders of letter {number} are on file for turn {turn} already")
        raise ConfigError(told, number=number, turn=awaited)


def _sentence(club: Club, position: Position, complaint: Complaint) -> str:
    return club.stationery.sentences(position.rules.name, club.config.language).complaint(complaint)


def _file(
    club: Club, position: Position, player: PlayerRow, read: Understanding, letter: LetterRow | None
) -> OrderSet | None:
    """File what was read, and the press in it; return the set that runs then. Inside a transaction."""
    row = position.row
    number, arrived = (letter.id, letter.arrived) if letter else (None, club.now)
    before = orders.sets(club, *row.turn_key)
    done = filing(position, player.code, read, before, number, arrived)
    press = PressRow(
        game=row.id,
        turn=row.turn,
        player=player.code,
        letter=number,
        kind="press",
        text=without_tokens(read.reading.press),
        arrived=arrived,
    )
    write_filing(club, done)
    if press.text:
        insert(club, press)
    if letter:
        verdict = Verdict(Fate.ACCEPTED, game=row.id, player=player.code)
        write_verdict(club, Case(row=letter, arrived=arrived), verdict)
    return done.runs


def _tell(
    club: Club, position: Position, player: PlayerRow, runs: OrderSet | None, act: ActRow, letter: LetterRow | None
) -> None:
    """Tell a player what is on file for them now, and why. Inside a transaction."""
    values = {
        "because": act.reason,
        "arrived": letter.arrived if letter else None,
        "waited": letter is not None and letter.status == "held",
        "running": set_values(position, runs) if runs else None,
        "counts": runs is not None and (runs.letter == letter.id if letter else True),
    }
    tell_player(club, position, player, "filed", values, f"filed:{position.id}:{act.number}:{player.code}")


# What was read from a letter that came: its lines that are orders, and what its writer was answered.


def read_back(club: Club, number: int) -> str:
    """Return what became of a letter, the lines that were read as orders, and our answer to it as it was sent.

    Raises:
        NotFound: there is no letter of that number.
    """
    row = letters.letter(club, number)
    whose = f", {row.game} {row.player or ''}".rstrip() if row.game else ""
    reason = f" ({row.reason})" if row.reason else ""
    parts = [f"letter {row.id} from {row.sender or 'nobody'}: {row.status}{reason}{whose}"]
    for read in orders.of_letter(club, number):
        marks = [word for word, is_so in (("confirmed", read.confirmed), ("withdrawn", read.withdrawn)) if is_so]
        how = ", ".join(["in order" if read.clean else "with faults", *marks])
        parts.append(f"read as orders for turn {read.turn}, {how}:\n{read.text or 'nothing'}")
    answers = [f"answered:\n{text_of(each)}".removesuffix("\n") for each in outbox.answers_to(club, row.id)]
    return "\n\n".join((*parts, *(answers or ["it was not answered"])))
