"""A copy of a club's folder from which it can be set up again."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import secrets
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from referee import system
from referee.config import FILE, Config, address_fault
from referee.core import ConfigError, Fields, NotFound, Texts, Value, Watch
from referee.core.game import Game, Setup
from referee.games import game_named
from referee.store import UMPIRES, GameRow, copy_store, files, games, opengames, orders, outbox, transaction, wholegame

from .audit.export import format_revealed, parse_revealed, whole_log
from .audit.replay import Fault
from .audit.verify import verify_game
from .club import Club, make_folder
from .deadlines.rescheduling import check_rhythm
from .duetimes import next_deadline, rhythm_of
from .positions import parse_complaints, parse_setup
from .post.readers import faces_of
from .tally import between_passes
from .turns.gamefile import Invited, Proposal, checked_players
from .umpires import Umpires, is_any_umpires, log_act, umpires_act, umpires_in

OWN_FOLDERS = ("maps", "templates", "orders")  # what an umpire may have put into the club's folder


class Backup(Value):
    """A copy that was made: where, of what, and the ``secrets`` that are deliberately not in it (settings that name files)."""

    folder: Path
    copied: Texts
    secrets: Texts


def back_up(config: Config, into: Path, watch: Watch | None = None) -> Backup:
    """Copy settings, database and the umpire's own files of a club into the new folder *into*.

    The referee may run meanwhile. *watch*: as of ``copy_store``.

    Every letter is in the database, so the Maildirs are not copied; passwords are not either.

    Raises:
        ConfigError: the folder is there already, or something cannot be read or written.
        StoreBusy: the database cannot be copied now.
    """
    if into.exists():
        raise ConfigError(f"{into} is there already: name a folder that is not, so that no backup is ever overwritten")
    draft = into.with_name(f".{into.name}.{os.getpid()}.part")
    try:
        make_folder(draft.parent)
        draft.mkdir(mode=0o700)
        copied = _copy(config, draft, watch)
        for path in (*draft.rglob("*"), draft):  # a power cut shall not take them
            system.sync(path)
        draft.rename(into)
    except OSError as error:
        raise ConfigError(f"{into} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    servers = {"imap": config.imap, "smtp": config.smtp}
    secrets = tuple(f"{section}.password_file" for section, server in servers.items() if server.password_file)
    return Backup(folder=into, copied=copied, secrets=secrets)


def _copy(config: Config, draft: Path, watch: Watch | None) -> Texts:
    copy_store(config.database, draft / config.database.name, watch)
    _copy_file(config.folder / FILE, draft / FILE)
    copied = [FILE, config.database.name]
    for name in OWN_FOLDERS:
        if (config.folder / name).is_dir():
            _copy_folder(config.folder / name, draft / name)
            copied.append(f"{name}/")
    return tuple(copied)


def _copy_folder(source: Path, copy: Path) -> None:
    copy.mkdir(mode=0o700)
    for entry in sorted(source.iterdir()):
        if entry.is_dir():
            _copy_folder(entry, copy / entry.name)
        elif entry.is_file():
            _copy_file(entry, copy / entry.name)


def _copy_file(source: Path, copy: Path) -> None:
    with os.fdopen(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(source.read_bytes())


# A whole game in a file that only a passphrase opens: scrypt makes the key, Fernet (AES and HMAC) keeps what is inside.

HEAD = b"referee-whole-game-1"  # first line: this, salt, and the hash of the second one, by which damage is known
LEAST = 12  # characters of a passphrase
MOST = 100_000_000  # bytes of such a file, and of what is in it

_COST = {"n": 2**16, "r": 8, "p": 1, "length": 32}  # of scrypt: 64 MB, some tenths of a second
_BYTES = "base64"  # the name under which bytes stand in JSON


def seal(plain: Any, passphrase: str) -> bytes:
    """Return a value that JSON can hold (and bytes in it) as the bytes of such a file.

    Raises:
        ConfigError: the passphrase is too short, or the library is not installed.
    """
    if len(passphrase) < LEAST:
        raise ConfigError(f"the passphrase has {len(passphrase)} characters: take {LEAST} or more, several words say")
    salt = secrets.token_bytes(16)
    packed = zlib.compress(
        json.dumps(plain, default=lambda value: {_BYTES: base64.b64encode(value).decode()}, ensure_ascii=False).encode()
    )
    token = _fernet(passphrase, salt).encrypt(packed)
    return b"%s %s %s\n%s\n" % (HEAD, salt.hex().encode(), _hash(token), token)


def check_sealed(raw: bytes) -> None:
    """Raise ConfigError where a file is no whole game: nobody is asked for a passphrase then."""
    if len(raw) > MOST:
        raise ConfigError(f"this is no whole game: it has more than {MOST:,} bytes")
    if raw[: len(HEAD) + 1].split() != [HEAD]:
        raise ConfigError("this is no whole game: `referee game export GAME --secrets` writes one")


def unseal(raw: bytes, passphrase: str) -> Any:
    """Return what such a file holds.

    Raises:
        ConfigError: it is none, is damaged, or another passphrase opens it; or the library is not installed.
    """
    check_sealed(raw)
    head, _, token = raw.partition(b"\n")
    words, token = head.split(), token.strip()
    if len(words) != 3 or words[2] != _hash(token) or not re.fullmatch(rb"[0-9a-f]{32}", words[1]):
        raise ConfigError("the file is damaged or was cut off: copy it once more")
    fernet = _fernet(passphrase, bytes.fromhex(words[1].decode()))
    from cryptography.fernet import InvalidToken

    try:
        packed = fernet.decrypt(token)
    except InvalidToken:
        raise ConfigError("another passphrase opens this file") from None
    try:
        return json.loads(
            files.unpack(packed, MOST),
            object_hook=lambda value: base64.b64decode(value[_BYTES]) if value.keys() == {_BYTES} else value,
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise ConfigError(f"this is no whole game: {error}") from error


def _fernet(passphrase: str, salt: bytes) -> Any:
    try:
        from cryptography.fernet import Fernet
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
    except ImportError as error:
        raise ConfigError("whole games need the extra `secrets`: pip install '.[secrets]'") from error
    return Fernet(base64.urlsafe_b64encode(Scrypt(salt=salt, **_COST).derive(passphrase.encode())))


def _hash(token: bytes) -> bytes:
    return hashlib.sha256(token).hexdigest().encode()


# A whole game taken from one club to another: with its secrets, letters and log, in a file that a passphrase opens.

# What a row that nobody's referee wrote may lead to where it is read.
DAMAGED = (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError)


def check_movable(club: Club, game_id: str) -> GameRow:
    """Return a game that can be taken to another club. Raises as ``whole_game``."""
    row = games.game(club, game_id)
    if not row.is_over and not row.stopped_at:
        stop = f'`referee hold {row.id} --because "It moves to another machine."`'
        raise ConfigError(f"{row.id} runs, and would be played here and there: {stop} first")
    if any(each.game == row.id and each.state == "waiting" for each in outbox.unsent(club)):
        raise ConfigError(f"letters about {row.id} wait to be sent: `referee tick` first, else they would leave twice")
    return row


def whole_game(club: Club, game_id: str, passphrase: str) -> bytes:
    """Return a game with everything that another club needs to go on with it, as a file that only the passphrase opens.

    Raises:
        NotFound: there is no such game.
        ConfigError: it still runs here, letters of it wait to be sent, or the passphrase is too short.
        PassRunning: a pass is being made.
    """
    with umpires_act(club):
        row = check_movable(club, game_id)
        log_act(club, row, "export", {"secrets": True})
        return seal({"game": row.id, "rows": wholegame.rows_of(club, row.id)}, passphrase)


class WholeGame(Value):
    """A whole game as its file has it, each row of its own; ``size`` of the file in bytes."""

    row: Fields
    rules: Game
    setup: Setup
    rows: wholegame.Rows
    size: int

    @property
    def umpires(self) -> Umpires:
        """The umpires that it has of its own."""
        name = f"{UMPIRES} {self.row['id']}"
        return tuple(
            one for each in self.rows.get("club", ()) if each["name"] == name for one in umpires_in(each["value"])
        )

    def lines(self) -> Iterator[str]:
        """Yield what is about to be taken, in lines."""
        rows = {table: self.rows.get(table, ()) for table in ("players", "turns", "outbox", "letters", "observers")}
        umpires = ", ".join(f"{each.name} <{each.address}>" for each in self.umpires)
        awaited = f"turn {self.row['turn']} is awaited" if self.row["status"] == "running" else "it is over"
        yield f"{self.row['id']}: {self.rules.title}, map {self.setup.board_name}, preset {self.setup.preset}"
        yield from (f"  {each['code']}: {each['name']} <{each['address']}>" for each in rows["players"])
        yield f"Turns played: {max((each['turn'] for each in rows['turns']), default=0)}; {awaited}"
        yield f"Umpires of its own, who may command it here: {umpires or 'none'}"
        watching = [each["address"] for each in rows["observers"] if each["ended_at"] is None]
        yield f"Observers, who are sent its newsletters: {', '.join(watching) or 'none'}"
        yield f"Letters: {len(rows['letters'])} that came, {len(rows['outbox'])} of the referee's"
        yield f"The file has {self.size:,} bytes"


def read_whole_game(config: Config, raw: bytes, passphrase: str) -> WholeGame:
    """Return what is in a file of a whole game; nothing in it belongs to another one, or to a club.

    Raises:
        ConfigError: the file is none, is damaged or of a newer referee, or another passphrase opens it.
        NotFound: it is a game that is not installed here.
    """
    held = unseal(raw, passphrase)
    try:
        rows = held["rows"]
        wholegame.check_rows(rows, held["game"])
        (row,) = rows["games"]
        setup, rules = parse_setup(row["setup"]), game_named(row["kind"])
        if setup.game != rules.name:
            raise ValueError(f"it is called {rules.name}, and agreed as {setup.game}")
        _check_players(config, rules, setup, rows)
        found = WholeGame(row=row, rules=rules, setup=setup, rows=rows, size=len(raw))
        others = (*(each.address for each in found.umpires), *(each["address"] for each in rows.get("observers", ())))
        if fault := next(filter(None, map(address_fault, others)), ""):
            raise ValueError(f"umpire or observer: {fault}")
        tuple(found.lines())
    except DAMAGED as error:
        raise ConfigError(f"this is no whole game that fits here: {error}") from error
    return found


def _check_players(config: Config, rules: Game, setup: Setup, rows: wholegame.Rows) -> None:
    """Raises ValueError, ConfigError: they are not the players that were agreed, or could not have been taken by `game new`."""
    seats = {seat.code: seat for seat in setup.players}
    if sorted(seats) != sorted(each["code"] for each in rows["players"]):
        raise ValueError("its players are not those that were agreed")
    invited = tuple(
        Invited(
            **{**asdict(seats[each["code"]]), **{name: each[name] for name in ("name", "address", "zone", "language")}}
        )
        for each in rows["players"]
    )
    checked_players(Proposal(players=invited), rules, config)


def take_in(club: Club, whole: WholeGame) -> str:
    """Put a whole game into this club, verify it, and return its id. A game that ran is stopped, and waits to be resumed.

    Raises:
        ConfigError: it was written by a newer referee, is here already, or does not verify; nothing is kept of it.
        PassRunning: a pass is being made.
    """
    game = str(whole.row["id"])
    with umpires_act(club):
        if game in games.all_names(club):
            raise ConfigError(f"{game} is here already, and its hashes cover its name: import it into another club")
        try:
            wholegame.write_rows(club, whole.rows)
        except DAMAGED as error:
            raise ConfigError(f"{game} was written by another release of the referee: {error}") from error
        try:
            faults = [f"turn {each.turn}: {each.text}" for each in _verify(club, game)]
        except DAMAGED as error:
            faults = [str(error)]
        if faults:
            raise ConfigError(f"{game} is not in order, nothing is kept of it: {faults[0]}")
        log_act(club, games.game(club, game), "import")
    return game


def _verify(club: Club, game: str) -> tuple[Fault, ...]:
    """Return what is wrong with a game. Raises what is in DAMAGED: something of it cannot even be read."""
    parse_revealed(format_revealed(whole_log(club, game)).encode())
    position = club.position(game)
    check_rhythm({name: value for name, value in json.loads(position.row.rhythm).items() if name != "begins"})
    next_deadline(rhythm_of(club.config, position.row), club.now)
    faces_of(club, game, "")
    for each in orders.sets(club, game, position.row.turn):
        parse_complaints(each.complaints)
        position.decode(each.orders)
    return verify_game(club, game).faults


# A person who wants to be forgotten: their games stay as they were played, all that the club still knows of them goes.


class Forgotten(Value):
    """Somebody who was forgotten: what stands in the place of their ``address``, and their ``seats`` (RR7 MGW)."""

    alias: str
    seats: Texts


def forget(club: Club, address: str) -> Forgotten:
    """Forget whoever writes from an address: letters from there and to there lose their words, and address and name are taken
    out of everything but what hashes cover (the setup of a game, its turns, the umpire's log).

    Raises:
        NotFound: nobody here has that address.
        ConfigError: a game still needs that person; nothing was changed.
        PassRunning: a pass is being made.
    """
    with between_passes(club), files.overwriting(club), transaction(club):
        check_forgettable(club, address)
        seats = games.seats_of(club, address)
        alias = f"forgotten-{files.next_alias(club)}@example.invalid"
        for seat in seats:
            log_act(club, games.game(club, seat.game), "forget", {"player": seat.code})
        files.forget_address(club, address, alias)
        club.log("forgotten", alias)
    return Forgotten(alias=alias, seats=tuple(f"{seat.game} {seat.code}" for seat in seats))


def check_forgettable(club: Club, address: str) -> None:
    """Raise as ``forget`` where a person cannot be forgotten now."""
    seats = games.seats_of(club, address)
    for seat in seats:
        row = games.game(club, seat.game)
        if not row.is_over:
            instead = (
                f'`referee replace {row.id} {seat.code} "NAME <ADDRESS>" --because "…"` gives the seat to somebody else'
            )
            raise ConfigError(f"{address} plays {seat.code} in {row.id}: {instead} first")
        if row.statements_due:
            raise ConfigError(
                f"{address} is still sent the closing statements of {row.id}: forget them once these are out"
            )
    for signup in opengames.signups_of(club, address):
        instead = f"`referee game signups {signup.game} --withdraw {address}` first"
        raise ConfigError(f"{address} has signed up for {signup.game}: {instead}")
    if is_any_umpires(club, address):
        raise ConfigError(
            f"{address} is an umpire's: mend mail.umpire, or `referee game umpire GAME --remove {address}` first"
        )
    if any(row.recipient.lower() == address.lower() for row in outbox.unsent(club) if row.state == "waiting"):
        raise ConfigError(
            f"letters to {address} wait to be sent: forget their reader after the next pass that sends them"
        )
    if not seats and not files.is_known(club, address):
        raise NotFound(
            f"nobody here has the address {address}: `referee players` and `referee letters` name whom we know"
        )
