"""Addresses, observers, persons who want to be forgotten, games with umpires of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from referee.config.values import Retention
from referee.core.errors import ConfigError, NotFound
from referee.service.deadlines.rescheduling import hold, resume, set_deadline
from referee.service.post.observers import watch_code
from referee.service.seats import replace_player
from referee.service.turns.opengames import open_game
from referee.service.turns.proposals import Proposal
from referee.service.umpire.colleagues import name_umpire, remove_umpire, umpires_named
from referee.service.umpire.overview import newsletter
from referee.service.umpire.rulings import undo
from referee.service.upkeep.backup import forget
from referee.store.club import OF_READERS, write_fact
from referee.store.database.database import transaction
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, Clubs, PostHouse, line_of, text_of

# Where letters to a player go: a rival who was sent a code cannot lead them away, and the umpire can set it right.


NEW, THIEF = "ann@new.example", "bob@second.example"


@pytest.fixture
def coded(club: Clubs) -> PostHouse:
    house = club(identity__policy="token")
    house.begin()
    return house


def address_of(house: PostHouse, game: str = "RR1") -> str:
    return str(house.value("SELECT address FROM players WHERE code = 'ANN' AND game = ?", game))


def asks(house: PostHouse, address: str) -> tuple[EmailMessage, EmailMessage]:
    """Have Ann ask for an address; return what she, and what that address is written."""
    house.reply(ANN, f"ADDRESS {address}")
    return house.last(ANN, "Did you ask for another address?"), house.last(address)


def test_with_a_code_that_leaked_a_rival_leads_nothing_away(coded: PostHouse) -> None:
    """Bob was on a Cc of Ann's, writes in her name with her code, and confirms from his second address."""
    own, there = asks(coded, THIEF)
    coded.answer(there, "CONFIRM")
    coded.answer(there, "CONFIRM", sender=ANN)
    coded.answer(coded.post(ANN)[0], "CONFIRM")  # the code that he has
    coded.tick()
    assert address_of(coded) == ANN
    coded.reply(own, "ORDERS?")
    assert "What you have on file" in coded.text(ANN)
    coded.send(THIEF, "ORDERS?", subject=str(own["Subject"]).replace("RR1-", "RR1x"))
    assert not coded.post(THIEF, "on file for turn")
    assert "somebody knows your code" in line_of(own)


@pytest.mark.parametrize("first", ["old", "new"])
def test_an_address_that_both_have_confirmed_holds_with_other_codes_in_all_games(coded: PostHouse, first: str) -> None:
    coded.begin()
    before = coded.last(ANN)
    sides = asks(coded, NEW)
    for message in sides if first == "old" else sides[::-1]:
        assert address_of(coded) == ANN
        coded.reply(message, f"CONFIRM\n\n> {text_of(message)[:200]}")
    assert [address_of(coded, game) for game in ("RR1", "RR2")] == [NEW, NEW]
    (half,) = coded.post(ANN if first == "old" else NEW, "Thank you.")
    assert "is answered with CONFIRM too" in line_of(half)
    assert coded.post(UMPIRE, f"referee address RR2 ANN {ANN}")
    assert "confirmed from here and from there" in coded.told(ANN)
    coded.reply(before, "STEP 3", sender=NEW)
    assert coded.value("SELECT reason FROM letters ORDER BY id DESC LIMIT 1") == "code of an earlier turn"
    for message in (coded.last(NEW, "You have a new code with it"), coded.last(NEW, "A new code")):
        coded.answer(message, "STEP 3")
    coded.tick()
    filed = coded.rows("SELECT game FROM order_sets ORDER BY game")
    assert [row["game"] for row in filed] == ["RR1", "RR2"]


def test_a_word_that_confirms_orders_too_is_no_word_about_an_address(coded: PostHouse) -> None:
    own, there = asks(coded, NEW)
    coded.answer(there, "CONFIRM")
    coded.reply(own, "STEP 2\nCONFIRM")
    assert address_of(coded) == ANN
    assert coded.column("SELECT text FROM order_sets") == ["STEP 2"]
    coded.answer(own, "CONFIRM\n\n" + text_of(own))  # quoted without a mark
    coded.tick()
    assert address_of(coded) == NEW


def test_who_has_confirmed_a_fresh_letter_need_not_confirm_his_old_address_again(coded: PostHouse) -> None:
    coded.send(ANN, f"ADDRESS {NEW}", subject="I move")
    coded.reply(coded.last(ANN, "Is this letter yours?"), "CONFIRM")
    coded.reply(NEW, "CONFIRM")
    assert address_of(coded) == NEW


def test_saying_it_twice_is_no_wrong_code(coded: PostHouse) -> None:
    for message in asks(coded, NEW):
        coded.answer(message, "CONFIRM")
        coded.answer(message, "CONFIRM")
    coded.tick()
    coded.reply(coded.post(NEW)[0], "CONFIRM")
    reasons = coded.column("SELECT reason FROM letters")
    assert "wrong code" not in reasons
    assert address_of(coded) == NEW


def test_the_umpire_gives_an_address_and_takes_it_back(coded: PostHouse) -> None:
    coded.begin()
    old = coded.last(ANN)
    asks(coded, THIEF)
    assert coded.command("address", "RR1", "ann").stdout == f"{ANN}\n"
    assert coded.command("address", "RR1", "ANN", "ann@NEW.example").stdout == f"{NEW}\n"
    assert [address_of(coded, game) for game in ("RR1", "RR2")] == [NEW, NEW]
    coded.tick()
    assert "The umpire has given you this address" in line_of(coded.post(NEW)[0])
    assert "as the umpire has arranged" in coded.told(ANN)
    coded.answer(THIEF, "CONFIRM")  # what waited is void
    coded.reply(old, "STEP 1")
    assert coded.rows("SELECT * FROM order_sets") == []
    assert coded.command("address", "RR2", "ANN", ANN).stdout == f"{ANN}\n"
    coded.tick()
    coded.reply(coded.last(ANN, "The umpire has given you this address"), "STEP 3")
    assert coded.column("SELECT game FROM order_sets") == ["RR2"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ann", "is no mail address"),
        (BOB.upper(), f"{BOB.upper().partition('@')[0]}@example.net is the address of BOB in RR1"),
        (REFEREE, "is the referee's own address"),
    ],
)
def test_the_umpire_is_told_what_no_player_can_have(coded: PostHouse, address: str, said: str) -> None:
    refused = coded.command("address", "RR1", "ANN", address)
    assert (refused.returncode, refused.stdout) == (78, "")
    assert said in refused.stderr
    assert address_of(coded) == ANN
    assert coded.command("address", "RR1", "EVE", NEW).returncode == 65


def test_who_sent_a_rival_his_letter_is_told_that_the_rival_has_his_code(coded: PostHouse) -> None:
    assert "your letter went to another address too, and your code with it" in coded.asks(
        coded.post(ANN)[0], "STEP 3", Cc=BOB
    )


# Who watches a game is told what its players are told about deadlines and turns that do not count.


EVE = "eve@example.com"


@pytest.fixture
def watched(club: Clubs) -> PostHouse:
    made = club(identity__policy="token", deadlines__downtime_hold=24)
    made.begin(rhythm={"days": 7, "missing": "hold-over"})
    made.send(EVE, f"WATCH {watch_code(made.club, 'RR1')}")
    made.reply(made.post(EVE)[0], "CONFIRM")
    return made


def played(house: PostHouse) -> None:
    for player in (ANN, BOB):
        house.answer(player, "STEP 1")
    house.tick()
    undo(house.club, "RR1", 1, "My mistake.")


def held_over(house: PostHouse) -> None:
    for _ in range(9):
        house.later(hours=21)


def stopped(house: PostHouse) -> None:
    hold(house.club, "RR1", "Holidays.")
    resume(house.club, "RR1")


def out_of_order(house: PostHouse) -> None:
    house.later(days=7)


def resigned(house: PostHouse) -> None:
    house.answer(BOB, "RESIGN FOR GOOD")


def replaced(house: PostHouse) -> None:
    replace_player(house.club, "RR1", "BOB", "Cecil <cecil@example.com>", "Bob has no time.")


ACTS: dict[str, tuple[Callable[[PostHouse], object], str]] = {
    "deadline": (lambda house: set_deadline(house.club, "RR1", "2026-12-30 20:00", "Exams."), "a new deadline"),
    "stopped": (stopped, "The game goes on, where it was stopped."),
    "held over": (held_over, "is held over for everybody"),
    "postponed": (out_of_order, "the deadline was moved."),
    "resigned": (resigned, "Bob has resigned and plays BOB no longer"),
    "replaced": (replaced, "Cecil plays BOB from now on, in the place of Bob"),
    "undone": (played, "The umpire has undone turn 1"),
}


@pytest.mark.parametrize("act", ACTS)
def test_observers_are_told_what_players_are(watched: PostHouse, act: str) -> None:
    does, words = ACTS[act]
    does(watched)
    watched.tick()
    (told,) = [each for each in watched.post(EVE) if words in line_of(each)]
    assert any(each["Subject"].endswith(str(told["Subject"])[6:]) for each in watched.post(ANN))
    assert "Your" not in text_of(told)
    assert "ORDERS" not in text_of(told)
    watched.send(
        EVE,
        "",
        subject="unsubscribe",
        To=str(told["List-Unsubscribe"]).strip("<>").removeprefix("mailto:").partition("?")[0],
    )
    assert not watched.rows("SELECT * FROM observers WHERE ended_at IS NULL")


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
    made.wait(hours=1)
    assert len(made.tick().turns) == 1
    return made


def over(house: PostHouse) -> None:
    """End the game as far as the store knows, with nothing left to send."""
    house.tick()
    house.club.db.execute("UPDATE games SET status = 'finished', deadline = NULL")
    house.club.db.conn.commit()


def bytes_of(house: PostHouse) -> bytes:
    return b"".join(path.read_bytes() for path in house.folder.glob("referee.db*"))


def test_who_plays_gives_his_seat_away_first(forgetful: PostHouse) -> None:
    before = forgetful.rows("SELECT count(*) AS n FROM letters WHERE raw <> x''")
    with pytest.raises(ConfigError, match="plays ANN in RR1: `referee replace RR1 ANN"):
        forget(forgetful.club, ANN)
    with pytest.raises(NotFound, match="nobody here has the address nobody"):
        forget(forgetful.club, "nobody@example.org")
    asked = forgetful.command("forget", ANN)  # without --yes: what cannot be is said before anything is asked
    assert ("Go on?" in asked.stdout, "plays ANN in RR1" in asked.stderr) == (False, True)
    assert forgetful.rows("SELECT count(*) AS n FROM letters WHERE raw <> x''") == before


def test_what_somebody_has_said_of_himself_goes_with_him(forgetful: PostHouse) -> None:
    over(forgetful)
    with transaction(forgetful.club.db):
        for kind in OF_READERS:
            write_fact(forgetful.club.db, f"{kind} {ANN.lower()}", "said by Ann")
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
    replace_player(forgetful.club, "RR1", "ANN", "Cecil <cecil@example.org>", "She has left.")
    forgetful.tick()
    forget(forgetful.club, ANN)
    assert forgetful.faults() == ()
    forgetful.write("cecil@example.org", "STEP 2")
    forgetful.write(BOB, "STEP 2")
    forgetful.wait(hours=1)
    assert len(forgetful.tick().turns) == 1
    assert "ANN stands on 6" in forgetful.told("cecil@example.org")


def test_what_is_old_and_needed_by_no_game_loses_its_bytes(forgetful: PostHouse) -> None:
    folder = forgetful.folder
    (folder / "referee-before-upgrade-m001.db").write_bytes(b"old")
    old = forgetful.clock.now.timestamp() - 90 * 86_400
    os.utime(folder / "referee-before-upgrade-m001.db", (old, old))
    forgetful.club = replace(
        forgetful.club, config=replace(forgetful.club.config, retention=Retention(letters=30, outbox=30, backups=30))
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
    with closing(forgetful.club.db.execute("SELECT hash FROM files")) as found:
        names = " ".join(row["enclosed"] for row in forgetful.rows("SELECT enclosed FROM outbox"))
        assert all(row[0] in names for row in found)


# Games with umpires of their own, and games that an umpire begins by mail.


BEA, CARL = "bea@example.org", "carl@example.org"


@pytest.fixture
def several(club: Clubs) -> PostHouse:
    """A club whose letters carry codes, with a game that has just begun."""
    made = club(identity__policy="token")
    made.game()
    return made


def order(house: PostHouse, sender: str, text: str) -> EmailMessage:
    """Write a command without a code, and once more in an answer to what comes; return the last answer."""
    house.wait(minutes=1)
    house.send(sender, text, "a command")
    assert "Once more, please" in house.last(sender)["Subject"]
    house.wait(minutes=1)
    house.reply(sender, text)
    return house.last(sender)


def test_a_game_s_own_umpires_are_written_to_and_command_it_alone(several: PostHouse) -> None:
    name_umpire(several.club, "rr1", f"Bea <{BEA}>")
    name_umpire(several.club, "RR1", f"Carl <{CARL}>")
    several.tick()
    named = several.last(CARL)
    assert str(named["Subject"]).endswith("You are an umpire of RR1")
    assert "Beside you: Bea." in line_of(named)
    several.wait(minutes=1)
    several.answer(BEA, "HOLD RR1\n\nBob is in hospital.")  # the letter that named her carries her code
    several.tick()
    assert str(several.last(BEA)["Subject"]).endswith("Done: HOLD RR1")
    number = several.value("SELECT max(id) FROM letters")
    held = several.acts()[-1]
    assert (held.kind, held.actor) == ("hold", f"Bea, umpire by mail, letter {number}")
    several.wait(minutes=1)
    several.answer(BEA, "RESUME RR1", sender=CARL)  # with a code that is hers, not his
    several.tick()
    assert "Once more, please" in several.last(CARL)["Subject"]
    assert several.did() == ["umpire", "umpire", "hold"]
    assert order(several, UMPIRE, "RESUME RR1")["Subject"].endswith("Done: RESUME RR1")
    assert several.faults() == ()


def test_players_notes_go_to_the_game_s_umpires_and_to_the_club_s_again(several: PostHouse) -> None:
    several.tick()
    name_umpire(several.club, "RR1", f"Bea <{BEA}>")
    name_umpire(several.club, "RR1", f"Carl <{CARL}>")
    several.reply(ANN, "NOTE: is the fee right?")
    assert "is the fee right?" in several.told(BEA)
    assert "is the fee right?" in several.told(CARL)
    assert several.post(UMPIRE) == []
    for address in (BEA, CARL):
        remove_umpire(several.club, "RR1", address)
    several.wait(hours=1)
    several.answer(ANN, "NOTE: and the second one?")
    several.send(BEA, "HOLD RR1\nI am ill.", "x")
    assert "no more" in several.last(BEA)["Subject"]
    assert any("and the second one?" in line_of(letter) for letter in several.post(UMPIRE))
    assert several.did() == ["umpire"] * 4


def test_an_umpire_of_one_game_is_refused_another(several: PostHouse) -> None:
    other = several.game()
    name_umpire(several.club, "RR1", f"Bea <{BEA}>")
    assert f"You are no umpire of {other}, which is led by the club's umpire" in several.says(
        BEA, f"HOLD {other}\nI am ill.", "x"
    )
    assert several.acts(other) == ()


def test_of_two_who_stop_a_game_at_once_one_is_refused(several: PostHouse) -> None:
    name_umpire(several.club, "RR1", f"Bea <{BEA}>")
    several.tick()
    several.wait(minutes=1)
    several.send(UMPIRE, "LOG RR1", "x")
    for sender in (BEA, UMPIRE):
        several.answer(sender, "HOLD RR1\n\nBob is in hospital.")
    several.later(minutes=1)
    subjects = [str(several.last(sender)["Subject"]) for sender in (BEA, UMPIRE)]
    assert several.did().count("hold") == 1
    assert sorted("Not done" in subject for subject in subjects) == [False, True]


@pytest.mark.parametrize(
    ("person", "said"),
    [
        ("Bea", 'write name and address as "Cecil <cecil@example.org>"'),
        ("Bea <bea>", "bea"),
        (f"Bea <{BEA}>", "has this name or address already"),
        (f"Ref <{REFEREE}>", "the referee itself"),
    ],
)
def test_who_cannot_be_an_umpire_is_a_sentence(several: PostHouse, person: str, said: str) -> None:
    name_umpire(several.club, "RR1", f"Bea <{BEA}>")
    with pytest.raises(ConfigError, match=said):
        name_umpire(several.club, "RR1", person)
    with pytest.raises(NotFound, match="there is Bea <bea@example"):
        remove_umpire(several.club, "RR1", CARL)
    assert [each.name for each in umpires_named(several.club, "RR1")] == ["Bea"]


def test_a_game_is_filled_and_begun_by_mail(several: PostHouse) -> None:
    game = open_game(several.club, Proposal(kind="tinyrace", board="line", rhythm={"days": 7}), 3).id
    assert "is invited" in line_of(order(several, UMPIRE, f"INVITE {game} Ann <{ANN}>, {BOB}\n\nA quick one."))
    for player in (ANN, BOB):
        assert "A quick one." in several.told(player, game)
        several.answer(several.last(player, game), "JOIN")
    several.later(minutes=1)
    assert f"- Ann <{ANN}>, has a seat" in several.says(UMPIRE, f"SIGNUPS {game}", "x")
    assert f"{game} begins:" in line_of(order(several, UMPIRE, f"START {game}"))
    kinds = several.did(game)
    assert kinds == ["open", "invite", "start"]  # what came before the beginning is told of by its log, too
    assert several.faults(game) == ()
    act = several.acts(game)[-1]
    assert act.actor.startswith("umpire by mail, letter ")


def test_orders_are_filed_by_mail_below_the_words_to_their_player(several: PostHouse) -> None:
    several.tick()
    assert "It is written so: ORDERS RR7 MGW" in line_of(order(several, UMPIRE, "ORDERS RR1 ANN\n\nSTEP 2"))
    answer = order(several, UMPIRE, "ORDERS RR1 ANN\n\nYou wrote STEP Z.\n\nORDERS\nSTEP 2\nEND")
    assert "on file for ANN from now on" in line_of(answer)
    letter = several.told(ANN)
    assert "You wrote STEP Z." in letter
    assert several.did() == ["orders"]
