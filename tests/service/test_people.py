"""What the umpire is sent of each turn, persons who want to be forgotten, and letters that are kept no longer."""

import os
import re
from contextlib import closing

import pytest

from referee.config.values import Retention
from referee.core import ConfigError, NotFound
from referee.service.backup import forget
from referee.service.umpire.overview import newsletter
from referee.store import OF_READERS, transaction, write_fact
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, text_of

EVE = "eve@example.com"


def test_the_umpire_is_sent_each_newsletter_with_what_everybody_may_see(club: Clubs) -> None:
    house = club(mail__umpire_newsletters=True)
    house.game()
    house.write(ANN, "STEP 1")
    house.send(BOB, "STEP 1")
    opening, letter = house.post(UMPIRE)
    assert opening["Subject"] == "[RR1] the race opens"
    assert "Hello" not in text_of(opening)
    assert letter["Subject"] == "[RR1] turn 1"
    assert "ANN stands on" in text_of(letter)
    assert "To send orders" not in text_of(letter)


# Persons who want to be forgotten, and letters that are kept no longer.


@pytest.fixture
def forgetful(club: Clubs) -> PostHouse:
    """A game of which a turn was played."""
    made = club(identity__policy="address")
    made.begin()
    for player in (ANN, BOB):
        made.write(player, "STEP 1\nPRESS: a word from " + player)
    made.write(EVE, "May I play?", "a question")
    assert len(made.later(hours=1).turns) == 1
    return made


def over(house: PostHouse) -> None:
    """End the game as far as the store knows, with nothing left to send."""
    house.tick()
    house.club.execute("UPDATE games SET status = 'finished', deadline = NULL")
    house.club.conn.commit()


def bytes_of(house: PostHouse) -> bytes:
    return b"".join(path.read_bytes() for path in house.folder.glob("referee.db*"))


def test_who_plays_gives_the_seat_away_first(forgetful: PostHouse) -> None:
    before = forgetful.rows("SELECT count(*) AS n FROM letters WHERE raw <> x''")
    with pytest.raises(ConfigError, match="plays ANN in RR1: `referee replace RR1 ANN"):
        forget(forgetful.club, ANN)
    with pytest.raises(NotFound, match="nobody here has the address nobody"):
        forget(forgetful.club, "nobody@example.org")
    asked = forgetful.command("forget", ANN)  # without --yes: what cannot be is said before anything is asked
    assert ("Go on?" in asked.stdout, "plays ANN in RR1" in asked.stderr) == (False, True)
    assert forgetful.rows("SELECT count(*) AS n FROM letters WHERE raw <> x''") == before


def test_what_somebody_has_said_of_themselves_goes_with_them(forgetful: PostHouse) -> None:
    over(forgetful)
    with transaction(forgetful.club):
        for kind in OF_READERS:
            write_fact(forgetful.club, f"{kind} {ANN.lower()}", "said by Ann")
    forget(forgetful.club, ANN)
    assert forgetful.rows("SELECT name FROM club WHERE value = 'said by Ann'") == []


def test_the_game_stays_and_the_person_goes(forgetful: PostHouse) -> None:
    over(forgetful)
    orders = forgetful.rows("SELECT orders FROM order_sets ORDER BY id")
    done = forget(forgetful.club, ANN.upper())
    assert done.seats == ("RR1 ANN",)
    (seat,) = forgetful.rows("SELECT name, address FROM players WHERE code = 'ANN'")
    assert dict(seat) == {"name": "ANN", "address": done.alias}
    assert forgetful.rows("SELECT orders FROM order_sets ORDER BY id") == orders
    left = forgetful.rows("SELECT * FROM letters WHERE sender = ?", done.alias)
    assert [row["raw"] for row in left] == [b""]
    assert forgetful.did() == ["forget"]
    assert forgetful.faults() == ()
    assert forgetful.rows("SELECT 1 FROM letters WHERE sender = ? AND raw <> x''", BOB)
    forgetful.tick()
    assert not re.search(re.escape(ANN).encode(), bytes_of(forgetful), re.IGNORECASE)


def test_whose_seat_went_to_another_is_forgotten_while_the_game_goes_on(forgetful: PostHouse) -> None:
    forgetful.act("REPLACE RR1 ANN Cecil <cecil@example.org>", "She has left.")
    forgetful.tick()
    forget(forgetful.club, ANN)
    assert forgetful.faults() == ()
    forgetful.write("cecil@example.org", "STEP 2")
    forgetful.write(BOB, "STEP 2")
    assert len(forgetful.later(hours=1).turns) == 1
    assert "ANN stands on 6" in forgetful.told("cecil@example.org")


def test_what_is_old_and_needed_by_no_game_loses_its_bytes(forgetful: PostHouse) -> None:
    folder = forgetful.folder
    (folder / "referee-before-upgrade-m001.db").write_bytes(b"old")
    old = forgetful.clock.now.timestamp() - 90 * 86_400
    os.utime(folder / "referee-before-upgrade-m001.db", (old, old))
    forgetful.club = forgetful.club.but(
        config=forgetful.club.config.but(retention=Retention(letters=30, outbox=30, backups=30))
    )
    forgetful.later(days=40)  # the game still runs: a stranger's letter alone is nobody's
    assert forgetful.column("SELECT sender FROM letters WHERE raw = x''") == [EVE]
    assert not (folder / "referee-before-upgrade-m001.db").exists()
    over(forgetful)
    forgetful.wait(days=40)
    for _ in range(3):
        forgetful.tick()
    assert forgetful.rows("SELECT 1 FROM letters WHERE raw <> x''") == []
    last = forgetful.value("SELECT max(turn) FROM turns")
    whole = forgetful.rows("SELECT DISTINCT kind, turn FROM outbox WHERE raw <> x'' ORDER BY turn")
    assert [tuple(row) for row in whole] == [("newsletter", last)]
    assert forgetful.faults() == ()
    with pytest.raises(NotFound, match="kept without its words"):
        newsletter(forgetful.club, "RR1", 0)
    with closing(forgetful.club.execute("SELECT hash FROM files")) as found:
        names = " ".join(row["enclosed"] for row in forgetful.rows("SELECT enclosed FROM outbox"))
        assert all(row[0] in names for row in found)
