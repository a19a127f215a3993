"""Letters received, as they came, and how far each has been handled."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum

from referee.core import N_, NotFound, Value

from .database import (
    Column,
    Database,
    Number,
    Rows,
    Update,
    all_but_raw,
    column,
    first,
    format_time,
    insert,
    parse_time,
    select,
    update,
)
from .rows import LetterRow


class Handled(Value):
    """What is left of a player's letter, whatever becomes of its words."""

    id: int
    player: str
    hash: str
    handled_at: datetime


def keep(db: Database, row: LetterRow) -> bool:
    """Write a letter unless its very bytes are there; return whether it was new. Inside a transaction.

    One that has the hash of another, but not its bytes, is written beside it under a longer hash: whether it is a copy is seen
    when it is known what became of the first (``find_alike``).
    """
    for hash_ in (row.hash, f"{row.hash}-{hashlib.sha256(row.raw).hexdigest()[:16]}"):
        number = number_of(db, hash_)
        if not number:
            insert(db, row.but(hash=hash_))
            return True
        if bytes_of(db, number) in (row.raw, b""):  # of a letter that was given up its hash alone is left
            return False
    return False


def find_alike(db: Database, row: LetterRow) -> LetterRow | None:
    """Return a letter that was taken, or refused with an answer, and that differs in no more than what mail servers write."""
    stem = row.hash.partition("-")[0]
    # The sign before "status" has SQLite look for the hash: by their status it would look through all letters of the club.
    sql = (
        "SELECT * FROM letters WHERE hash >= ? AND hash < ? AND id <> ? AND +status IN ('done', 'refused') ORDER BY id"
    )
    return first(db, LetterRow, sql, stem, f"{stem}.", row.id)


# The number of the letter with that hash, 0 if there is none.
number_of = Number[str]("SELECT id FROM letters WHERE hash = ?")


# The number of the last letter, 0 if there is none.
highest = Number[()]("SELECT max(id) FROM letters")


# The numbers of the letters still to be handled, in their order of arrival.
unhandled = Column[int]("SELECT id FROM letters WHERE status = 'stored' ORDER BY arrived, id")


def first_unhandled(db: Database) -> datetime | None:
    """Return when the first of the letters arrived that are still to be handled, None if there are none."""
    (arrived,) = column(db, "SELECT min(arrived) FROM letters WHERE status = 'stored'")
    return parse_time(arrived) if arrived else None


def letter(db: Database, number: int) -> LetterRow:
    """Return one letter.

    Raises:
        NotFound: there is none of that number.
    """
    found = select(db, LetterRow, "SELECT * FROM letters WHERE id = ?", number)
    if not found:
        raise NotFound(N_("there is no letter {number}: `referee letters` lists them"), number=number)
    return found[0]


# The letters of a game's players that were handled.
of_players = Rows[Handled, str](
    Handled,
    "SELECT id, player, hash, handled_at FROM letters WHERE game = ?1 AND player IS NOT NULL UNION SELECT letters.id, "
    "order_sets.player, hash, handled_at FROM order_sets JOIN letters ON letters.id = letter WHERE order_sets.game = ?1",
)


def bytes_of(db: Database, number: int) -> bytes:
    """Return a letter as it came, b"" if there is none of that number."""
    return b"".join(column(db, "SELECT raw FROM letters WHERE id = ?", number))


# The numbers of the letters taken from a sender under a Message-ID, one number excepted.
taken_with_id = Column[int, str, str, int](
    "SELECT id FROM letters WHERE message_id = ? AND message_id <> '' AND lower(sender) = lower(?) "
    "AND status = 'done' AND id <> ? ORDER BY id"
)


# How many letters about a game had a reason like this one, in which ``%`` stands for anything.
times_of = Number[str, str]("SELECT count(*) FROM letters WHERE game = ? AND reason LIKE ?")


# The letters of one status, or with "" of all, in their order of arrival; without their bytes, which are many.
listed = Rows[LetterRow, str](
    LetterRow,
    f"{all_but_raw(LetterRow)} WHERE ? IN ('', status) ORDER BY arrived, id",
)


# Count that work on a letter begins; ``fail`` and ``finish`` say that it came to an end. Inside a transaction.
begin = Update[int]("UPDATE letters SET begun = begun + 1 WHERE id = ?")


# Count work on a letter as not begun: something else was in its way. Inside a transaction.
take_back = Update[int]("UPDATE letters SET begun = begun - 1 WHERE id = ?")


# The letters that are parked for a reason, in their order of arrival; without their bytes.
parked_for = Rows[LetterRow, str](
    LetterRow, f"{all_but_raw(LetterRow)} WHERE status = 'parked' AND reason = ? ORDER BY arrived, id"
)


# Lets a parked letter be handled with the next pass, for a reason; none where it is not parked.
handle_again = Update[int, str](
    "UPDATE letters SET status = 'stored', reason = ?2, attempts = 0, handled_at = NULL, game = NULL, player = NULL "
    "WHERE id = ?1 AND status = 'parked'"
)


# An attempt to handle a letter failed by its fault: the traceback is kept. Inside a transaction.
fail = Update[str, int]("UPDATE letters SET attempts = attempts + 1, begun = 0, trace = ? WHERE id = ?")


# Let letters that are still to be handled count as stored when they arrived, those that did until then. Inside a
# transaction.
date_back = Update[datetime]("UPDATE letters SET stored_at = arrived WHERE status = 'stored' AND arrived <= ?")


def finish(
    db: Database,
    number: int,
    status: str,
    now: datetime,
    reason: str = "",
    game: str | None = None,
    player: str | None = None,
    **columns: object,
) -> None:
    """Say what became of a letter, and what else is kept of it: its header, what it took. Inside a transaction."""
    columns |= {"status": status, "reason": reason, "begun": 0, "handled_at": now, "game": game, "player": player}
    update(db, "letters", number, columns)


# Letters as a mail server names them: those we had need not be fetched again, those it does not give out are given up.

# How many letters of that name and size were had or given up: one or none.
is_arrival_taken = Number[str, int]("SELECT count(*) FROM arrivals WHERE key = ? AND size = ? AND taken_at IS NOT NULL")


# How many letters of that name cannot be taken out of the inbox: one or none.
arrival_stays = Number[str]("SELECT count(*) FROM arrivals WHERE key = ? AND error = 'stays'")


# Keeps that a letter cannot be taken out of the inbox.
let_arrival_stay = Update[str]("UPDATE arrivals SET error = 'stays' WHERE key = ?")


# Keep that a letter was had or given up. Inside a transaction.
take_arrival = Update[str, int, datetime](
    "INSERT INTO arrivals (key, size, attempts, error, taken_at) VALUES (?, ?, 0, '', ?) "
    "ON CONFLICT (key) DO UPDATE SET size = excluded.size, taken_at = excluded.taken_at"
)


# Keeps that a letter could not be had, and gives how often by now. Inside a transaction.
fail_arrival = Number[str, int, str](
    "INSERT INTO arrivals (key, size, attempts, error) VALUES (?, ?, 1, ?) "
    "ON CONFLICT (key) DO UPDATE SET attempts = attempts + 1, error = excluded.error RETURNING attempts"
)


# How many letters came from somebody, and how many answers went out: what limits of both are measured by.

# Those to commands have a limit of their own: anybody can write in an umpire's name.
_ANSWERS = "FROM outbox WHERE letter IS NOT NULL AND kind <> 'command' AND created > ?"
UNSURE = 5000  # letters, of which each further one is one of too many


# How many answers to letters were written since then to an address.
answers_to = Number[datetime, str](f"SELECT count(*) {_ANSWERS} AND lower(recipient) = lower(?)")


def times_of_answers(
    db: Database, recipient: str, game: str, since: datetime, *, asking: bool
) -> tuple[tuple[datetime, ...], tuple[datetime, ...]]:
    """Return when answers to letters were written since then, the oldest first: to an address, and about a game. To the address
    those to letters that only asked, or asked for a seat, are counted apart (*asking*) from all others.
    """
    asked = "(kind = 'signup' OR letter IN (SELECT id FROM letters WHERE stored_at > ? AND reason = ?))"
    sql = (
        f"SELECT 0 AS about, created {_ANSWERS} AND lower(recipient) = ? AND {asked} = ? "
        f"UNION ALL SELECT 1, created {_ANSWERS} AND game = ? ORDER BY created"
    )
    day = format_time(since)
    found = list(db.query(sql, [day, recipient.lower(), day, Fate.ONLY_ASKS, asking, day, game]))
    to, about = ([parse_time(row["created"]) for row in found if row["about"] == each] for each in (0, 1))
    return tuple(to), tuple(about)


# How many letters of a kind were written to an address since then.
written = Number[str, str, datetime]("SELECT count(*) FROM outbox WHERE recipient = ? AND kind = ? AND created > ?")


# How many letters of strangers about seats were answered since then, whatever the game.
signups_answered = Number[datetime](f"SELECT count(*) {_ANSWERS} AND game IS NULL AND kind = 'signup'")


# How many letters were written about a game since then that ask at an address, or with "" at any, who wants to watch it.
watches_asked = Number[datetime, str, str](
    f"SELECT count(*) {_ANSWERS} AND kind = 'watch' AND game = ? AND lower(?3) IN ('', lower(recipient))"
)


def unsure_since(db: Database, sender: str, since: datetime) -> dict[str, tuple[int, float]]:
    """Return how many letters whose header does not prove them came to us since then by our own clock, and how many seconds
    reading them took: of a ``sender``, of that ``domain``, in the whole ``club``. Of more than UNSURE the last are counted.
    """
    sql = (
        "SELECT total(s), total(s * seconds), total(d), total(d * seconds), count(*), total(seconds) FROM (SELECT seconds, "
        "sender = ? COLLATE NOCASE AS s, substr(sender, ?) = ? COLLATE NOCASE AS d FROM letters "
        "WHERE stored_at > ? AND NOT sure AND status <> 'stored' ORDER BY stored_at DESC LIMIT ?)"
    )
    domain = sender[sender.rfind("@") :]
    (row,) = db.query(sql, [sender, -len(domain), domain, format_time(since), UNSURE])
    told = [float(each) for each in row.values()]
    return {of: (int(told[at]), told[at + 1]) for at, of in zip((0, 2, 4), ("sender", "domain", "club"), strict=True)}


def letters_about_games(db: Database, address: str, since: datetime) -> dict[str, int]:
    """Return how many such letters are about each running game in which an address has a seat."""
    sql = (
        "SELECT id, (SELECT count(*) FROM letters WHERE letters.game = games.id AND stored_at > ? AND NOT sure) AS number "
        "FROM games WHERE status = 'running' AND id IN (SELECT game FROM players WHERE lower(address) = ?) ORDER BY id"
    )
    return {row["id"]: int(row["number"]) for row in db.query(sql, [format_time(since), address.lower()])}


# The reasons of a sender's last letters that were taken, or refused with an answer, the newest first; so many at the most.
last_reasons = Column[str, str, int](
    "SELECT reason FROM letters WHERE lower(sender) = lower(?) AND status IN ('done', 'refused') "
    "ORDER BY stored_at DESC, id DESC LIMIT ?"
)


# Everything that can become of a letter.


class Fate(StrEnum):
    """What became of a letter: its value is how the reason begins that its row bears, ``status`` what else that says. The page
    ``docs/letters.md`` tells of each.
    """

    status: str

    def __new__(cls, reason: str, status: str) -> Fate:
        fate = str.__new__(cls, reason)
        fate._value_ = reason
        fate.status = status
        return fate

    FILED = "", "done"
    KEPT = "kept for a later turn", "done"
    OTHER_TURN = "for a turn that was played", "done"
    NOTHING_NEW = "nothing new in it", "done"
    ONLY_ASKS = "it only asks", "done"
    OBSERVER = "observer", "done"
    SIGNUP = "sign-up", "done"
    STATEMENT = "closing statement", "done"
    ADDRESS_HALF = "address confirmed by one side", "done"
    ADDRESS = "address confirmed", "done"
    ACCEPTED = "accepted by the umpire", "done"

    COMMAND = "command of the umpire", "done"
    COMMAND_REFUSED = "command not done", "refused"

    # Its writer is told why, in the words of rejected.txt.j2.
    OVER = "over", "refused"
    WHICH_GAME = "which-game", "refused"
    UNKNOWN_GAME = "unknown-game", "refused"
    LATE = "late", "refused"
    EMPTY = "empty", "refused"
    TWO_VERSIONS = "two-versions", "refused"
    ENCRYPTED = "encrypted", "refused"
    WINMAIL = "winmail", "refused"
    BAD_CHARSET = "bad-charset", "refused"
    UNREADABLE = "unreadable", "refused"
    HELD_OLD = "held-old", "refused"
    RELEASED = "released", "refused"

    HELD = "held", "held"

    DISCARDED = "discarded by the umpire", "ignored"
    UNPROVED = "not proved", "ignored"
    SHUT_OUT = "no code after too many wrong ones", "ignored"
    COPY = "copy", "ignored"
    ROBOT = "robot", "ignored"
    NO_SENDER = "no sender", "ignored"
    OWN_ADDRESS = "our own address", "ignored"
    STRANGER = "stranger", "ignored"

    FLOOD = "flood", "parked"
    SIGNUP_WAITS = "sign-up waits for its turn", "parked"  # it is handled again by itself
    TOO_LARGE = "too-large", "parked"
    TOO_COSTLY = "too-costly", "parked"
    UNHANDLED = "could not be handled", "parked"
    UNFETCHED = "could not be fetched", "parked"
