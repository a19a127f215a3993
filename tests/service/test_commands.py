"""The words players write to the referee besides orders, each as players use it: they write, a pass is made, they read."""

import json
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.turns.gamefile import parse_player
from referee.store.games import game
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of

NEW, EVE = "ann@new.example", "eve@example.com"


def asked(house: PostHouse, text: str, sender: str = ANN, **more: str) -> EmailMessage:
    """Write a letter, make a pass and return its one answer."""
    written = house.write(sender, text, **more)
    own_id = re.search(r"Message-ID: (\S+)", written.read_text())
    assert own_id
    house.tick()
    (answer,) = (each for each in house.post(sender) if str(each["In-Reply-To"]) == own_id[1])
    return answer


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> PostHouse:
    """A club with a game, its opening sent."""
    opened = PostHouse(tmp_path / "club", **getattr(request, "param", {}))
    opened.begin()
    return opened


def names(message: EmailMessage) -> list[str | None]:
    """Return the files of a letter, those that its page shows first."""
    return [name for part in message.walk() if (name := part.get_filename())]


def play(house: PostHouse) -> None:
    """Let the awaited turn be played at its deadline."""
    house.later(days=8)


def test_the_map_comes_as_a_picture_of_the_board_as_it_stands(house: PostHouse) -> None:
    answer = asked(house, "MAP")
    assert names(answer)[:2] == ["RR1-turn-0.png", "RR1-turn-0.svg"]
    (board,) = answer.iter_attachments()
    assert b"<svg" in board.get_content()


def test_a_newsletter_is_sent_again_word_for_word_with_its_files(house: PostHouse) -> None:
    house.write(ANN, "STEP 3")
    play(house)
    opening, first = (each for each in house.post(ANN) if "-turn-" in str(names(each)))
    for words, newsletter in (
        ("resend", first),
        ("Resend turn 1", first),
        ("RESEND turn0", opening),
        ("RESEND RR1 0", opening),
    ):
        answer = asked(house, words)
        assert text_of(newsletter).strip("\n") in text_of(answer)
        assert names(answer) == names(newsletter)
        assert answer["Message-ID"] != newsletter["Message-ID"]
    assert "There is no newsletter of turn 7 yet." in text_of(asked(house, "RESEND 7"))


def test_questions_are_answered_after_the_deadline_and_after_the_end(house: PostHouse) -> None:
    while house.value("SELECT status FROM games") == "running":
        house.write(ANN, "STEP 3")
        house.write(BOB, "STEP 3")
        play(house)
    text = text_of(asked(house, "STATUS\nRESEND"))
    assert "The game is over." in text
    assert "The race is over." in text
    assert "Deadline" not in text
    assert "On file" not in text
    assert "not taken" in asked(house, "STEP 3")["Subject"]


# How long a text may be


LONG = "x" * 70 + "\n"


def test_press_that_is_too_long_is_not_printed_and_its_writer_told_how_long_it_was(house: PostHouse) -> None:
    house.write(BOB, "PRESS: a word of mine")
    told = line_of(asked(house, "STEP 3\nPRESS:\n" + LONG * 2900))
    assert "your press is not printed: it has 205899 characters, and a text may have at most 10000" in told
    assert "Orders for turn 1 received" in house.last(ANN)["Subject"]
    assert "x" * 20 not in told
    (row,) = house.rows("SELECT status, length(raw) AS size FROM letters WHERE sender = ?", ANN)
    assert (row["status"], row["size"] > 205_000) == ("done", True)
    play(house)
    printed = house.text(BOB, "a word of mine")
    assert "x" * 20 not in printed


def test_press_of_before_is_printed_where_a_later_one_is_too_long(house: PostHouse) -> None:
    asked(house, "PRESS: short and good")
    asked(house, "PRESS:\n" + LONG * 200)
    play(house)
    assert house.post(BOB, "short and good")


@pytest.mark.parametrize("house", [{"players__unsigned_press": True, "players__press_limit": 100}], indirect=True)
@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("PRESS:", "your press is not printed: it has 101 characters"),
        ("PRESS ANONYMOUS:", "your press without a name is not printed: it has 101 characters"),
        ("PRESS TO BOB:", "your press to BOB was sent to nobody: it has 101 characters"),
        ("NOTE:", "your note was not sent to the umpire: it has 101 characters"),
    ],
)
def test_each_text_has_the_limit_that_the_umpire_sets(house: PostHouse, word: str, said: str) -> None:
    assert said in line_of(asked(house, f"{word} {'y' * 101}"))
    assert house.post(BOB, "yyyy") == house.post(UMPIRE, "yyyy") == house.rows("SELECT * FROM press") == []
    assert said not in text_of(asked(house, f"{word} {'y' * 100}"))
    assert house.column("SELECT text FROM press") == ["y" * 100]


# Observers


def code_of(house: PostHouse, game_id: str = "RR1") -> str:
    return house.command("game", "watch", game_id).stdout.split()[1]


def watching(house: PostHouse, text: str = "", sender: str = EVE, **more: str) -> EmailMessage:
    """Ask to watch the game and confirm it; return what the observer is told."""
    question = asked(house, text or f"WATCH {code_of(house)}", sender, **more)
    house.reply(question, "CONFIRM")
    return house.last(sender)


def test_a_stranger_with_the_code_watches_and_sees_no_secrets(house: PostHouse) -> None:
    answer = watching(house, f"Hello,\n\nwatch {code_of(house)}\n\nEve", subject="your game")
    assert "From now on you are sent its newsletters" in text_of(answer)
    house.write(ANN, "STEP 3\nPRESS: All aboard!")
    play(house)
    newsletter = house.last(EVE)
    assert "ANN stands on 4" in text_of(newsletter)
    assert "All aboard!" in text_of(newsletter)
    assert "To send orders" not in text_of(newsletter)
    assert newsletter["Reply-To"] is None
    assert newsletter["Precedence"] == "bulk"
    assert re.fullmatch(
        r"<mailto:referee\+rr1-unwatch-\w{8}@club.example\?subject=unsubscribe>", newsletter["List-Unsubscribe"]
    )
    assert all(address not in newsletter.as_string() for address in (ANN, BOB))
    assert [each["List-Unsubscribe"] for each in (*house.post(ANN), *house.post(BOB))] == [None] * 5
    assert house.command("game", "watch", "RR1").stdout.splitlines()[1:] == [EVE]


@pytest.mark.parametrize("how", ["word", "subject", "header", "machine"])
def test_an_observer_ends_it_with_a_word_or_as_a_mail_program_does(house: PostHouse, how: str) -> None:
    watching(house)
    house.write(ANN, "STEP 3")
    play(house)
    there = re.findall(r"mailto:([^?]*)", house.last(EVE)["List-Unsubscribe"])[0]
    before = len(house.post(EVE))
    if how == "word":
        house.write(EVE, "unwatch")
    elif how == "subject":
        house.write(EVE, "", subject="unsubscribe")
    elif how == "header":
        house.write("eve@phone.example", "", subject="unsubscribe", To=there)
    else:
        house.write(EVE, "Unsubscribe request", subject="unsubscribe", To=there, Auto_Submitted="auto-generated")
    house.tick()
    told = house.post(EVE)[before:]
    assert len(told) == (how != "machine")
    assert all("You are sent no more newsletters of RR1." in text_of(each) for each in told)
    play(house)
    assert len(house.post(EVE)) == before + len(told)
    assert house.post("eve@phone.example") == []


def game_of_others(house: PostHouse) -> str:
    """Make a game in which Ann does not play and return its code for observers."""
    seats = (
        parse_player("CID:red:Cid <cid@example.org>"),
        parse_player("DEE:blue:Dee <dee@example.org>"),
    )
    house.new("tinyrace", "line", *seats)
    return code_of(house, "RR2")


def test_players_are_told_why_they_are_not_asked(house: PostHouse) -> None:
    code = game_of_others(house)
    for number in range(10):
        house.write(f"victim{number}@example.com", f"WATCH {code}")
    house.tick()
    assert "Write again tomorrow" in line_of(asked(house, f"WATCH {code}", subject="[RR1]"))
    while house.rows("SELECT 1 FROM games WHERE id = 'RR2' AND status = 'running'"):
        for player in ("cid@example.org", "dee@example.org"):
            house.write(player, "STEP 3", subject="[RR2]")
        play(house)
    assert "That game is over." in text_of(asked(house, f"WATCH {code}", subject="[RR1]"))


@pytest.mark.parametrize(("kind", "board"), [("dampfross", "ireland"), ("volldampf", "deutschland-1925")])
def test_observer_and_umpire_of_every_game_are_shown_what_everybody_may_see(club: Clubs, kind: str, board: str) -> None:
    house = club(mail__umpire_newsletters=True)
    seats = (
        parse_player(f"GSW:red:Ann <{ANN}>"),
        parse_player(f"MGW:blue:Bob <{BOB}>"),
        parse_player("WLW:green:Cid <cid@example.org>"),
    )
    house.new(kind, board, *seats)
    watching(house)
    for _ in range(4):
        house.later(days=20)
    letters = [each for each in house.post(EVE) if names(each)]
    assert len(letters) == 4
    copies = [each for each in house.post(UMPIRE) if names(each)]
    assert len(copies) == 5
    assert "the game opens" in copies[0]["Subject"]
    assert "This is the umpire's copy" in text_of(copies[0])
    assert [text_of(each) for each in copies[1:]] == [text_of(each) for each in letters]
    position = house.club.positions.of(house.club, game(house.club, "RR1"))
    (seen,) = (part for part in letters[-1].iter_attachments() if str(part.get_filename()).endswith(".json"))
    assert json.loads(seen.get_content()) == json.loads(json.dumps(position.rules.view(position.state, None)))
    assert not any("Order form" in text_of(each) or "To send orders" in text_of(each) for each in (*letters, *copies))
