"""Games that wait for their players, and who has signed up for them."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import asdict

from referee.core import N_, NotFound, Value

from .database import Column, Database, One, Rows, Update, change, insert, update
from .rows import NumberedRow


class OpenGameRow(Value):
    """A game to come. ``proposal`` is JSON of what it shall be, its first players among it, ``told`` JSON of what everybody may
    know of it; ``chain`` the root of its turn seeds, a secret from now on; ``when_full``: it starts by itself with the last
    seat. ``closed_at``: the umpire has given it up.
    """

    table = "open_games"
    id: str
    proposal: str
    told: str
    kind: str
    seats: int
    when_full: bool
    chain: str
    opened_at: datetime
    started_at: datetime | None = None
    closed_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it waits for players."""
        return self.started_at is None and self.closed_at is None


class SignupRow(NumberedRow):
    """Somebody who was ``invited`` to an open game, or asked for a seat by a ``letter``; ``seated_at``: since when they have
    one, because somebody at their address has said so; ``waits_since``: the same, when all were taken. ``colours``: those that
    they would like, with commas between them, the dearest first; ``code``, ``company``: what their company shall be called, "" if
    they do not mind; ``orders``: their letter that holds orders for the first turn; ``salt``: their word for the dice.
    """

    table = "signups"
    game: str
    address: str
    name: str
    zone: str
    language: str
    colours: str = ""
    code: str = ""
    company: str = ""
    salt: str = ""
    letter: int | None = None
    orders: int | None = None
    invited: bool = False
    asked_at: datetime
    seated_at: datetime | None = None
    ended_at: datetime | None = None
    waits_since: datetime | None = None

    @property
    def state(self) -> str:
        """``seated``, ``waiting`` for a seat to become free, ``invited``, or ``asked`` whether they want the seat that somebody
        asked for at their address.
        """
        if self.seated_at:
            return "seated"
        if self.waits_since:
            return "waiting"
        return "invited" if self.invited else "asked"


# The games that wait for players, the oldest first.
waiting = Rows[OpenGameRow](
    OpenGameRow, "SELECT * FROM open_games WHERE started_at IS NULL AND closed_at IS NULL ORDER BY opened_at, id"
)


# Those of them that start by themselves and have as many players as seats.
full = Rows[OpenGameRow](
    OpenGameRow,
    "SELECT * FROM open_games WHERE started_at IS NULL AND closed_at IS NULL AND when_full = 1 AND seats <= "
    "(SELECT count(*) FROM signups WHERE signups.game = open_games.id AND seated_at IS NOT NULL AND ended_at IS NULL) "
    "ORDER BY opened_at, id",
)


# A game that waits for players, or did once; None if there is none of that name.
known = One[OpenGameRow, str](OpenGameRow, "SELECT * FROM open_games WHERE id = upper(?)")


def open_game(db: Database, game_id: str) -> OpenGameRow:
    """Return a game that waits for players.

    Raises:
        NotFound: there is none of that name, or it waits no longer.
    """
    found = known(db, game_id)
    if found and found.started_at is not None:
        raise NotFound(
            N_("{game} has begun: it waits for no players any more (`referee status {game}`)"), game=found.id
        )
    if found and found.is_open:
        return found
    if names := ", ".join(row.id for row in waiting(db)):
        told = N_("there is no open game {game} (there is {known}; `referee game open` makes one)")
        raise NotFound(told, game=game_id, known=names)
    raise NotFound(N_("there is no open game {game} (`referee game open` makes one)"), game=game_id)


# Says that a game has begun.
start = Update[str, datetime]("UPDATE open_games SET started_at = ?2 WHERE id = ?1")


# Says that a game will not be.
close = Update[str, datetime]("UPDATE open_games SET closed_at = ?2 WHERE id = ?1")


def sign_up(db: Database, row: SignupRow) -> int:
    """Write who is invited or asks for a seat, in the place of what was said of that address before, and return the number.
    Inside a transaction.
    """
    sql = "UPDATE signups SET ended_at = ? WHERE game = ? AND lower(address) = ? AND ended_at IS NULL"
    change(db, sql, row.asked_at, row.game, row.address.lower())
    return insert(db, row)


def rewrite(db: Database, row: SignupRow) -> None:
    """Write what somebody who has signed up says now. Inside a transaction."""
    update(db, "signups", row.id, asdict(row))


_SIGNUPS = "SELECT * FROM signups WHERE game = ? AND ended_at IS NULL"


# Who is invited to a game, has asked for a seat or has one; those who have one first, then those in turn.
signups = Rows[SignupRow, str](
    SignupRow,
    f"{_SIGNUPS} ORDER BY "
    "seated_at IS NULL, seated_at, CASE WHEN seated_at IS NULL THEN coalesce(waits_since, '9') END, id",
)


# Who has a seat, in the order of sign-up.
seated = Rows[SignupRow, str](SignupRow, f"{_SIGNUPS} AND seated_at IS NOT NULL ORDER BY seated_at, id")


# Who waits for a seat to become free, the first in turn first.
in_turn = Rows[SignupRow, str](
    SignupRow, f"{_SIGNUPS} AND seated_at IS NULL AND waits_since IS NOT NULL ORDER BY waits_since, id"
)


# The games in which a seat is free, and somebody waits for one.
with_free_seats = Rows[OpenGameRow](
    OpenGameRow,
    "SELECT * FROM open_games WHERE started_at IS NULL AND closed_at IS NULL AND seats > "
    "(SELECT count(*) FROM signups WHERE signups.game = open_games.id AND seated_at IS NOT NULL AND ended_at IS NULL) "
    "AND EXISTS (SELECT 1 FROM signups WHERE signups.game = open_games.id AND seated_at IS NULL AND ended_at IS NULL "
    "AND waits_since IS NOT NULL) ORDER BY opened_at, id",
)


# What is known of an address in a game, None if nothing is; capitals do not matter.
signup_of = One[SignupRow, str, str](SignupRow, f"{_SIGNUPS} AND lower(address) = lower(?)")


# What an address has signed up for that waits for players.
signups_of = Rows[SignupRow, str](
    SignupRow,
    "SELECT signups.* FROM signups JOIN open_games ON open_games.id = signups.game WHERE lower(address) = lower(?) "
    "AND ended_at IS NULL AND started_at IS NULL AND closed_at IS NULL ORDER BY signups.id",
)


# From which addresses, in small letters, a seat in a game was asked for since then; invitations are not counted.
asked_since = Column[str, str, datetime](
    "SELECT lower(address) FROM signups WHERE game = ? AND asked_at > ? AND invited = 0"
)
