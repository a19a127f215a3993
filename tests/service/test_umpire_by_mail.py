"""What the umpire orders and says by mail: with his code it is carried out and answered; without one nothing is changed."""

import tomllib
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.core import fold
from referee.mail.compose import read_own
from referee.resources import word_texts
from referee.service.post.collect import collect
from referee.service.receive import handle_waiting
from referee.service.umpire.colleagues import name_umpire
from referee.service.umpire.commands import CONFIRM, TABLE, as_written, misspelt_command, parse_command
from referee.service.umpires import Command
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# The umpire's commands by mail: with his code they are carried out and answered; without one nothing is changed.


@pytest.fixture
def begun(club: Clubs) -> PostHouse:
    """A game of which a turn was played; letters carry codes."""
    house = club(identity__policy="token")
    house.begin()
    turn(house)
    return house


def turn(house: PostHouse) -> None:
    for player in (ANN, BOB):
        house.answer(house.last(player, "turn") if len(house.post(player)) > 1 else house.last(player), "STEP 1")
    house.wait(hours=1)
    assert len(house.tick().turns) == 1


def told(house: PostHouse) -> EmailMessage:
    """Return the last letter to the umpire."""
    return house.last(UMPIRE)


def order(house: PostHouse, text: str) -> EmailMessage:
    """Write a command as the umpire, without a code, and once more as he is asked to; return the last answer."""
    house.wait(minutes=1)
    house.send(UMPIRE, text, "a command")
    assert "Once more, please" in house.last(UMPIRE)["Subject"]
    return answered(house, text)


def answered(house: PostHouse, text: str) -> EmailMessage:
    """Answer the last letter to the umpire, and return the answer to that."""
    house.wait(minutes=1)
    house.reply(UMPIRE, text)
    return house.last(UMPIRE)


def test_a_command_is_confirmed_by_the_code_carried_out_and_answered(begun: PostHouse) -> None:
    answer = order(begun, "UNDO RR1 1 PLAY\n\nAnn's letter was read wrong.\n-- \nThe umpire")
    assert str(answer["Subject"]).endswith("Done: UNDO RR1 1 PLAY")
    assert "RR1: turn 1 is undone and played anew; turn 2 is awaited now." in text_of(answer)
    letter = begun.last(ANN)
    assert "Corrected: turn 1" in letter["Subject"]
    assert "| Ann's letter was read wrong." in text_of(letter)
    assert "The umpire\n" not in text_of(letter)[: text_of(letter).index("ANN stands")]
    (act,) = begun.acts()
    number = begun.value("SELECT max(id) FROM letters")
    begun.send(UMPIRE, "LOG RR1", "a question")
    assert begun.text(UMPIRE).count("Ann's letter was read wrong.") == 1
    assert (act.kind, act.actor) == ("undo", f"umpire by mail, letter {number}")
    assert begun.faults() == ()
    assert begun.rows("SELECT status, reason FROM letters WHERE id = ?", number)[0]["reason"] == "command of the umpire"


@pytest.mark.parametrize(
    "changes",
    ["track.GSW+=Dublin - AB17 money.GSW+=1", '"track.GSW+=Dublin - AB17" money.GSW+=1', 'track.GSW+="Dublin - AB17"'],
)
def test_a_change_of_track_is_written_with_its_blanks(club: Clubs, changes: str) -> None:
    players = ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>")
    house = club(identity__policy="token")
    house.new("dampfross", "ireland", *players)
    house.tick()
    assert "Ruling U1 is made" in text_of(order(house, f"ADJUST RR1 home.GSW=Dublin {changes}\nForgotten."))
    state = house.position().state
    assert [*state.track.values()] == [("GSW",)]
    assert state.balance["GSW"] == (21 if "money" in changes else 20)


def test_a_late_letter_is_accepted_and_a_ruling_taken_back_by_mail(begun: PostHouse) -> None:
    begun.wait(days=9)
    begun.answer(begun.last(ANN, "turn 1"), "ORDERS RR1 2\nSTEP 3\nEND")
    collect(begun.club)
    handle_waiting(begun.club)
    number = begun.value("SELECT max(id) FROM letters WHERE reason = 'late'")
    begun.write(UMPIRE, f"ACCEPT {number}", "x")
    for text in (f"ACCEPT {number}", "ADJUST RR1 money.ANN+=1\nMine.", "CONFIRM", "WITHDRAW RR1 U2\nNot mine.", ""):
        collect(begun.club)
        handle_waiting(begun.club)
        begun.answer(read_own(begun.ours("kind = 'command'")[-1].raw), text)
    assert begun.did() == ["accept", "adjust", "withdraw"]
    begun.tick()
    assert "your late letter counts" in " ".join(str(letter["Subject"]) for letter in begun.post(ANN))


def test_what_a_letter_cannot_order_is_named_as_it_is_typed() -> None:
    assert as_written("see `referee adjust RR1 money.CODE+=5 --because ...`") == "see ADJUST RR1 money.CODE+=5"
    assert as_written("`referee resume RR1 --here`") == "RESUME RR1 HERE"
    assert as_written("`referee letters` lists them") == "LETTERS lists them"
    assert as_written("`referee doctor` helps") == "`referee doctor` helps"


BEHIND = (
    "AHEAD",
    "ALL",
    "OBSERVERS",
    "WITH",
    "LATER",
    "HERE",
    "BUILT-IN",
    "FORGET",
    "BACK",
    "HELD",
    "PARKED",
)
COMMANDS = tomllib.loads(word_texts("")[0])["commands"]


@pytest.mark.parametrize("language", COMMANDS)
def test_a_command_has_a_name_of_its_own_in_each_language(language: str) -> None:
    names = COMMANDS[language]
    assert {*TABLE, CONFIRM, *BEHIND} == {*names}
    for name in (*TABLE, CONFIRM):
        words = "RR7 MGW" if name == "ORDERS" else "RR7 3"
        for said in (names[name], names[name].lower()):
            line = f"{said} {words}"
            assert parse_command(line) == Command(line=line, name=name, words=tuple(words.split()), reason="")
    meant = [(fold(said), name) for table in COMMANDS.values() for name, said in table.items()]
    assert len({said for said, _ in meant}) == len({*meant}), "a name means two commands"
    assert not {said for said, _ in meant} & (
        {fold(name) for name in (*TABLE, CONFIRM)} - {fold(name) for name, _ in meant}
    )


@pytest.mark.parametrize(
    ("language", "texts"),
    CASES.listed("commands_are_understood_and_answered_in_the_club_s_language"),
)
def test_commands_are_understood_and_answered_in_the_club_s_language(
    club: Clubs, language: str, texts: dict[str, str]
) -> None:
    house = club(identity__policy="token", club__language=language)
    house.begin()
    turn(house)
    house.send(UMPIRE, next(iter(texts)), "a command")
    for text, said in texts.items():
        assert said in line_of(answered(house, text)), text


def test_a_letter_that_comes_twice_is_carried_out_once(begun: PostHouse) -> None:
    order(begun, "ADJUST RR1 money.ANN+=3\nMine.")
    raw = begun.value("SELECT raw FROM letters ORDER BY id DESC LIMIT 1")
    begun.wait(minutes=1)
    begun.drop(b"Received: by another.example; Mon, 7 Dec 2026 13:30:00 +0000\r\n" + bytes(raw))
    begun.tick()
    assert len(begun.acts()) == 1


def test_a_power_cut_between_act_and_answer_does_nothing_twice(begun: PostHouse) -> None:
    """The act is there, and the letter is handled again."""
    order(begun, "ADJUST RR1 money.ANN+=3\nMine.")
    begun.club.db.execute("UPDATE letters SET status = 'stored' WHERE id = (SELECT max(id) FROM letters)")
    begun.club.db.conn.commit()
    begun.tick()
    assert len(begun.acts()) == 1
    assert begun.value("SELECT status FROM letters ORDER BY id DESC LIMIT 1") == "done"


def test_what_an_umpire_writes_as_a_player_or_observer_is_no_command() -> None:
    """Orders for a turn of his own game, and words to a game that he watches, are read where everybody's are."""
    for text in ("ORDERS RR1 2\nSTEP 1\nEND", "orders RR1 2", "UNWATCH RR9", "WATCH RR9"):
        assert (parse_command(text), misspelt_command(text)) == (None, None)


# A word to all, now: the umpire's letter to players in his words, answerable to him, in the log, shown first if he likes.


SAID = "The server moves on Friday."


@pytest.fixture
def coded(club: Clubs) -> PostHouse:
    made = club(identity__policy="token")
    made.begin()
    return made


def words_to(house: PostHouse, address: str) -> list[str]:
    return [line_of(each) for each in house.post(address, SAID)]


@pytest.mark.parametrize(
    ("arguments", "to", "reason"),
    CASES.frozen("words_are_mailed_at_once_and_stand_in_the_log"),
)
def test_words_are_mailed_at_once_and_stand_in_the_log(
    coded: PostHouse, arguments: tuple[str, ...], to: tuple[str, ...], reason: str
) -> None:
    assert coded.command("write", *arguments, SAID).returncode == 0
    coded.tick()
    assert [address for address in (ANN, BOB) if words_to(coded, address)] == [*to]
    letter = coded.last(BOB, SAID)
    assert letter["Subject"] == "[RR1] A word from the umpire"
    assert letter["Reply-To"].addresses[0].addr_spec == UMPIRE
    assert "Monday 14 December 2026, 20:00" in text_of(letter)
    (act,) = coded.acts()
    assert (act.kind, act.reason) == ("write", reason)
    assert SAID not in act.parameters


def test_words_come_from_a_file_and_are_shown_first(coded: PostHouse, tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text(SAID)
    seen = coded.command("write", "RR1", "BOB", "--file", str(file), "--preview")
    assert SAID in seen.stdout
    assert "A word" not in str(coded.acts())
    coded.tick()
    assert words_to(coded, BOB) == []


def test_by_mail_they_are_signed_by_the_umpire_who_wrote_and_answers_go_to_him(coded: PostHouse) -> None:
    bea = "bea@example.com"
    name_umpire(coded.club, "RR1", f"Bea <{bea}>")
    coded.tick()
    assert "RR1: written to ANN, BOB" in coded.asks(bea, f"WRITE RR1\n\n{SAID}\nSee you.")
    assert f"{SAID} See you. Bea, umpire" in coded.told(ANN, SAID)
    assert coded.last(ANN, SAID)["Reply-To"].addresses[0].addr_spec == bea
    assert "Bea, umpire by mail, letter" in coded.acts()[-1].actor


def test_who_watches_reads_them_if_the_umpire_likes(coded: PostHouse) -> None:
    code = coded.command("game", "watch", "RR1").stdout.split("\n")[0]
    coded.send("eve@example.com", code)
    coded.reply("eve@example.com", "CONFIRM")
    coded.command("write", "RR1", SAID)
    coded.tick()
    assert words_to(coded, "eve@example.com") == []
    coded.command("write", "RR1", "--observers", SAID)
    coded.tick()
    assert len(words_to(coded, "eve@example.com")) == 1


def test_each_reads_them_in_a_letter_of_his_language(coded: PostHouse) -> None:
    coded.reply(ANN, "LANGUAGE de")
    coded.command("write", "RR1", SAID)
    coded.tick()
    assert "Ein Wort des Spielleiters" in coded.last(ANN, SAID)["Subject"]


def test_what_both_have_written_stands_together(coded: PostHouse) -> None:
    coded.reply(BOB, "NOTE: May I build there?")
    coded.wait(hours=1)
    coded.says(UMPIRE, f"WRITE RR1 BOB\n{SAID}")
    coded.reply(UMPIRE, "CONFIRM")
    seen = coded.command("letters", "--with", "bob").stdout
    assert [line for line in seen.split("\n") if line] == [
        "2026-12-07T12:00:00Z\tRR1\tBOB to you",
        "May I build there?",
        "2026-12-07T13:00:00Z\tRR1\tyou to BOB",
        SAID,
    ]
    told = coded.says(UMPIRE, "LETTERS WITH BOB")
    assert (
        f"RR1: BOB to the umpire | May I build there? Monday 7 December 2026, 13:00 UTC, RR1: the umpire to BOB | {SAID}"
        in told
    )
    assert coded.command("letters", "--with", "ann").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    CASES.frozen("what_is_wrong_is_named_and_nobody_is_written_to"),
)
def test_what_is_wrong_is_named_and_nobody_is_written_to(
    coded: PostHouse, arguments: tuple[str, ...], said: str
) -> None:
    result = coded.command(*arguments)
    assert result.returncode
    assert said in result.stderr
    assert coded.acts() == ()


# A whole new game from one letter of the club's umpire, proved by a code of the club that is sent the same way.


OPEN_GAME = f"OPEN dampfross ireland\nseats=3\nevery=3 weeks\nplayer=GSW:red:Ann <{ANN}>"


def test_a_game_is_opened_filled_and_begun_by_letters_alone(club: Clubs) -> None:
    house = club(identity__policy="token")
    told = house.says(UMPIRE, OPEN_GAME, "a new game")
    assert "Once more, please" in house.last(UMPIRE)["Subject"]
    assert house.rows("SELECT id FROM open_games") == []
    house.wait(minutes=1)
    told = house.asks(UMPIRE, "CONFIRM")
    assert "RR1 waits for players: 2 of 3 seats are free. A newcomer writes: JOIN RR1-" in told
    house.send(BOB, told.partition("A newcomer writes: ")[2].partition(" End")[0], "a seat")
    house.reply(BOB, "JOIN")
    assert "1 of 3 seats" in house.says(UMPIRE, "SIGNUPS RR1", "x")
    house.wait(minutes=1)
    assert "RR1 begins" in house.asks(UMPIRE, "START RR1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("OPEN", "The kind of game is missing"),
        ("OPEN chess", "there is no game 'chess'"),
        ("OPEN dampfross atlantis", "atlantis"),
        ("OPEN dampfross /etc/passwd", "a map is named as the club has it"),
        ("OPEN dampfross ireland\nHello all", "Hello all: below the command stand lines such as seats=4"),
        ("OPEN dampfross ireland\nseats=many", "seats=many: below the command"),
    ],
)
def test_what_is_wrong_is_named_and_no_game_is_opened(club: Clubs, text: str, said: str) -> None:
    house = club(identity__policy="token")
    assert said in house.says(UMPIRE, text, "a new game")
    assert house.rows("SELECT id FROM open_games") == []


def test_its_answer_is_about_the_new_game_and_brings_a_code_for_it(club: Clubs) -> None:
    house = club(identity__policy="token")
    house.send(UMPIRE, OPEN_GAME, "a new game")
    house.reply(UMPIRE, "CONFIRM")
    told = house.last(UMPIRE)
    assert "SIGNUPS RR1 (See" in text_of(told)
    assert "CLOSE RR1 (Take it back" in text_of(told)
    house.reply(told, f"INVITE RR1 Bob <{BOB}>")
    assert "Bob <bob@example.net> is invited" in house.told(UMPIRE)


def test_a_power_cut_before_the_answer_opens_no_second_game(club: Clubs) -> None:
    house = club(identity__policy="token")
    house.send(UMPIRE, OPEN_GAME, "a new game")
    house.reply(UMPIRE, "CONFIRM")
    house.club.db.execute("UPDATE letters SET status = 'stored' WHERE id = (SELECT max(id) FROM letters)")
    house.club.db.conn.commit()
    house.tick()
    assert house.column("SELECT id FROM open_games") == ["RR1"]
    assert house.value("SELECT status FROM letters ORDER BY id DESC LIMIT 1") == "done"


def test_an_umpire_of_one_game_opens_none(club: Clubs) -> None:
    house = club(identity__policy="token")
    house.game()
    house.command("game", "umpire", "RR1", "Cyd <cyd@example.com>")
    house.tick()
    assert "The club's umpire alone can order this." in house.says("cyd@example.com", OPEN_GAME, "x")
