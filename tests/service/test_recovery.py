"""A database that lost something: what came since is taken again in its order, and all comes out as in the undisturbed run."""

from __future__ import annotations

import imaplib
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from referee.config import Value
from referee.service.umpire.backup import back_up
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse
from tests.servers.dovecot import PASSWORD, Dovecot

TABLES = {  # what must come out alike: columns that do not count how often something was done
    "games": "id, status, turn, deadline",
    "turns": "*",
    "letters": "hash, size, arrived, sender, subject, message_id, status, reason, game, player, trace, raw",
    "order_sets": "game, turn, player, orders, complaints, text, arrived, changed_at, clean, confirmed, withdrawn, held",
    "press": "game, turn, player, kind, text, arrived",
    "held_letters": "hash, game, player, turn, why, held_at, released_at",
    "outbox": "key, game, turn, player, kind, recipient, message_id, raw, state, created",
}

Settings = dict[str, Value]
Houses = Callable[[], PostHouse]


class OnServer(PostHouse):
    """A club whose letters arrive on a mail server, at the house's time."""

    def __init__(self, folder: Path, server: Dovecot, user: str) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "secret").write_text(PASSWORD)
        (folder / "secret").chmod(0o600)
        self._server, self._user = server, user
        given: Settings = {"imap__host": "127.0.0.1", "imap__port": server.ports.imap, "imap__security": "none"}
        given |= {"imap__user": user, "imap__password_file": "secret", "identity__policy": "token"}
        super().__init__(folder, **given)

    def drop(self, raw: bytes) -> Path:
        self._dropped += 1
        with self._server.client(self._user) as client:
            client.append("INBOX", "", imaplib.Time2Internaldate(self.clock.now), raw)
        return Path()


@pytest.fixture(params=["Maildir", pytest.param("IMAP", marks=pytest.mark.dovecot)])
def houses(tmp_path: Path, request: pytest.FixtureRequest) -> Houses:
    """Return what opens the club, again and again, that is asked for codes."""
    if request.param == "Maildir":
        return lambda: PostHouse(tmp_path / "club", identity__policy="token")
    server, user = request.getfixturevalue("dovecot"), request.getfixturevalue("mailbox")
    return lambda: OnServer(tmp_path / "club", server, user)


def begin(house: PostHouse) -> None:
    """Begin a long game some years ago: a mail server takes no letter that is yet to come."""
    house.clock.now = datetime(2024, 3, 4, 12, 0, tzinfo=UTC)
    (house.folder / "maps").mkdir()
    (house.folder / "maps" / "line.toml").write_text("goal = 90")
    house.game()
    house.tick()


def newest(house: PostHouse, reader: str) -> EmailMessage:
    sql = "SELECT message_id FROM outbox WHERE kind = 'newsletter' AND recipient = ? ORDER BY id DESC LIMIT 1"
    ((wanted,),) = house.rows(sql, reader)
    return next(each for each in house.post(reader) if each["Message-ID"] == wanted)


def play(house: PostHouse, turn: int) -> None:
    """Play a turn: an odd one ends when both orders are in, an even one by its deadline."""
    house.clock.advance(hours=20)
    house.answer(newest(house, ANN), f"STEP {turn % 3 + 1}\nPRESS: turn {turn}\nNOTE: hello")
    house.clock.advance(minutes=3)
    house.tick()
    house.clock.advance(hours=3)
    house.write(BOB, "STEP 3", "Re: [RR1] without a code")
    house.clock.advance(minutes=1)
    house.tick()
    house.clock.advance(hours=1)
    if turn % 2:
        house.answer(newest(house, BOB), "STEP 1")
    else:
        house.answer(newest(house, ANN), "STEP 1")
        house.clock.advance(days=8)
    house.clock.advance(minutes=2)
    assert house.tick().turns == (f"RR1/{turn}",)


def come_out(house: PostHouse) -> dict[str, list[tuple[Any, ...]]]:
    """Return what the club has come to: its tables, and what left."""
    found = {name: house.rows(f"SELECT {columns} FROM {name}") for name, columns in TABLES.items()}  # noqa: S608
    told = {name: sorted(map(tuple, rows), key=repr) for name, rows in found.items()}
    told["outbox"] = [row for row in told["outbox"] if not row[0].startswith("umpire:recovered")]
    told["mail/out"] = [(path.name, path.read_bytes()) for path in house.sent_files() if "recovered" not in path.name]
    return told


def put_back(copy: Path, folder: Path) -> None:
    """Restore a backup as docs/setup.md tells."""
    for path in folder.glob("referee.db*"):
        path.unlink()
    shutil.copytree(copy, folder, dirs_exist_ok=True)


def after(before: PostHouse, house: PostHouse, **time: int) -> PostHouse:
    """Let a club that was opened anew go on some time later."""
    house.clock.now, house._dropped = before.clock.now, before._dropped
    house.clock.advance(**time)
    return house


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_club_restored_across_turns_comes_out_as_the_undisturbed_run(
    houses: Houses, tmp_path: Path, turns: int
) -> None:
    with houses() as house:
        begin(house)
        play(house, 1)
        house.clock.advance(minutes=1)
        back_up(house.club.config, tmp_path / "copy")
        for turn in range(2, 2 + turns):
            play(house, turn)
        before, undisturbed = house, come_out(house)
    put_back(tmp_path / "copy", tmp_path / "club")
    with after(before, houses(), minutes=10) as house:
        done = house.tick()
        assert done.turns == tuple(f"RR1/{turn}" for turn in range(2, 2 + turns))
        for name, rows in come_out(house).items():
            assert rows == undisturbed[name], name
        assert len(house.post(UMPIRE, "The database was brought back")) == 1
        house.clock.advance(minutes=10)
        assert house.tick().letters == 0
        play(house, 2 + turns)
