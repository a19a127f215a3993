"""Persons who want to be forgotten, and letters that are kept no longer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.config.values import Retention
from referee.core.errors import ConfigError, NotFound
from referee.service.audit.verify import verify_game
from referee.service.seats import replace_player
from referee.service.umpire.overview import newsletter
from referee.service.upkeep.forget import forget
from referee.store.club import OF_READERS, write_fact
from referee.store.database.database import transaction
from referee.store.games import acts
from tests.posthouse import ANN, BOB, PostHouse

EVE = "eve@example.com"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A game of which a turn was played."""
    with PostHouse(tmp_path / "club", identity__policy="address") as made:
        made.begin()
        for player in (ANN, BOB):
            made.write(player, "STEP 1\nPRESS: a word from " + player)
        made.write(EVE, "May I play?", "a question")
        made.clock.advance(hours=1)
        assert len(made.tick().turns) == 1
        yield made


def over(house: PostHouse) -> None:
    """End the game as far as the store knows, with nothing left to send."""
    house.tick()
    house.club.db.execute("UPDATE games SET status = 'finished', deadline = NULL")
    house.club.db.conn.commit()


def bytes_of(house: PostHouse) -> bytes:
    return b"".join(path.read_bytes() for path in house.folder.glob("referee.db*"))


def test_who_plays_gives_his_seat_away_first(house: PostHouse) -> None:
    before = house.rows("SELECT count(*) AS n FROM letters WHERE raw <> x''")
    with pytest.raises(ConfigError, match="plays ANN in RR1: `referee replace RR1 ANN"):
        forget(house.club, ANN)
    with pytest.raises(NotFound, match="nobody here has the address nobody"):
        forget(house.club, "nobody@example.org")
    asked = house.command("forget", ANN)  # without --yes: what cannot be is said before anything is asked
    assert ("Go on?" in asked.stdout, "plays ANN in RR1" in asked.stderr) == (False, True)
    assert house.rows("SELECT count(*) AS n FROM letters WHERE raw <> x''") == before


def test_what_somebody_has_said_of_himself_goes_with_him(house: PostHouse) -> None:
    over(house)
    with transaction(house.club.db):
        for kind in OF_READERS:
            write_fact(house.club.db, f"{kind} {ANN.lower()}", "said by Ann")
    forget(house.club, ANN)
    assert house.rows("SELECT name FROM club WHERE value = 'said by Ann'") == []


def test_the_game_stays_and_the_person_goes(house: PostHouse) -> None:
    over(house)
    orders = house.rows("SELECT orders FROM order_sets ORDER BY id")
    done = forget(house.club, ANN.upper())
    assert done.seats == ("RR1 ANN",)
    (seat,) = house.rows("SELECT name, address FROM players WHERE code = 'ANN'")
    assert dict(seat) == {"name": "ANN", "address": done.alias}
    assert house.rows("SELECT orders FROM order_sets ORDER BY id") == orders
    left = house.rows("SELECT * FROM letters WHERE sender = ?", done.alias)
    assert [row["raw"] for row in left] == [b""]
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["forget"]
    assert verify_game(house.club, "RR1").faults == ()
    assert house.rows("SELECT 1 FROM letters WHERE sender = ? AND raw <> x''", BOB)
    house.tick()
    assert not re.search(re.escape(ANN).encode(), bytes_of(house), re.IGNORECASE)


def test_whose_seat_went_to_another_is_forgotten_while_the_game_goes_on(house: PostHouse) -> None:
    replace_player(house.club, "RR1", "ANN", "Cecil <cecil@example.org>", "She has left.")
    house.tick()
    forget(house.club, ANN)
    assert verify_game(house.club, "RR1").faults == ()
    house.write("cecil@example.org", "STEP 2")
    house.write(BOB, "STEP 2")
    house.clock.advance(hours=1)
    assert len(house.tick().turns) == 1
    assert "ANN stands on 6" in house.told("cecil@example.org")


def test_what_is_old_and_needed_by_no_game_loses_its_bytes(house: PostHouse) -> None:
    folder = house.folder
    (folder / "referee-before-upgrade-m001.db").write_bytes(b"old")
    old = house.clock.now.timestamp() - 90 * 86_400
    os.utime(folder / "referee-before-upgrade-m001.db", (old, old))
    house.club = replace(
        house.club, config=replace(house.club.config, retention=Retention(letters=30, outbox=30, backups=30))
    )
    house.later(days=40)  # the game still runs: a stranger's letter alone is nobody's
    assert [row["sender"] for row in house.rows("SELECT sender FROM letters WHERE raw = x''")] == [EVE]
    assert not (folder / "referee-before-upgrade-m001.db").exists()
    over(house)
    house.clock.advance(days=40)
    for _ in range(3):
        house.tick()
    assert house.rows("SELECT 1 FROM letters WHERE raw <> x''") == []
    last = house.rows("SELECT max(turn) AS turn FROM turns")[0]["turn"]
    whole = house.rows("SELECT DISTINCT kind, turn FROM outbox WHERE raw <> x'' ORDER BY turn")
    assert [tuple(row) for row in whole] == [("newsletter", last)]
    assert verify_game(house.club, "RR1").faults == ()
    with pytest.raises(NotFound, match="kept without its words"):
        newsletter(house.club, "RR1", 0)
    with closing(house.club.db.execute("SELECT hash FROM files")) as found:
        names = " ".join(row["enclosed"] for row in house.rows("SELECT enclosed FROM outbox"))
        assert all(row[0] in names for row in found)
