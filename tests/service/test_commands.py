"""The words players write to the referee besides orders, each as a player uses it: he writes, a pass is made, he reads."""

from __future__ import annotations

import json
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.turns.proposals import parse_player
from referee.store.games import game
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, Clubs, PostHouse, line_of, text_of

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


def test_help_lists_every_word_of_the_game_and_files_nothing(house: PostHouse) -> None:
    text = text_of(asked(house, "Help, please!"))
    for word in (
        "STEP 3",
        "ORDERS RR1 1",
        "WHATIF",
        "SALT",
        "PRESS TO BOB:",
        "RESEND 3",
        "ORDERS?",
        "ADDRESS",
        "UNWATCH",
        "NOTE:",
    ):
        assert f"\n  {word}" in text
    assert "PRESS ANONYMOUS" not in text  # not in this club
    assert "There are no orders" not in text
    assert house.rows("SELECT * FROM order_sets") == []


def test_a_word_in_the_subject_is_heard_where_the_letter_says_nothing(house: PostHouse) -> None:
    assert "Moves you on." in text_of(asked(house, "\n", subject="HELP"))
    assert "Your letter was not taken" in asked(house, "\n", subject="Re: hello")["Subject"]


def test_status_says_what_is_ones_own_to_know(house: PostHouse) -> None:
    house.write(BOB, "STEP 3")
    text = text_of(asked(house, "STATUS"))
    assert "Turn 1 is awaited." in text
    assert "BOB" not in text
    assert text.count("The referee still waits for your orders.") == text.count("Deadline: ") == 1
    text = text_of(asked(house, "Status?\nSTEP 2"))
    assert text.count("Your orders are in.") == text.count("Deadline: ") == text.count("long before the deadline") == 1


@pytest.mark.parametrize("house", [{"players__tell_awaited": True}], indirect=True)
def test_status_tells_who_is_awaited_where_the_umpire_wants_it(house: PostHouse) -> None:
    assert "The turn waits for BOB." in text_of(asked(house, "STATUS\nSTEP 2"))


@pytest.mark.parametrize("house", [{"players__tell_awaited": True}], indirect=True)
def test_status_tells_that_the_turn_waits_for_the_deadline_alone(house: PostHouse) -> None:
    house.write(BOB, "STEP 3")
    asked(house, "STEP 2\nWAIT")
    text = text_of(asked(house, "STATUS"))
    assert "All orders are in." in text
    assert "A player has asked to WAIT: the turn is not played before its deadline." in text


def test_status_says_that_it_is_no_oversight_where_it_is_not_told_who_is_awaited(house: PostHouse) -> None:
    assert "Whose orders are in is not told in this club." in text_of(asked(house, "STATUS"))


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
        ("RESEND turn1", first),
        ("RESEND RR1 0", opening),
    ):
        answer = asked(house, words)
        assert text_of(newsletter).strip("\n") in text_of(answer)
        assert names(answer) == names(newsletter)
        assert answer["Message-ID"] != newsletter["Message-ID"]
    assert "There is no newsletter of turn 7 yet." in text_of(asked(house, "RESEND 7"))


def test_what_is_on_file_is_told_to_its_player_alone(house: PostHouse) -> None:
    house.write(BOB, "STEP 1\nPRESS: Bob is coming")
    house.write(ANN, "STEP 3\nNOTE: away on Friday")
    house.write(ANN, "STEP 9")
    text = text_of(asked(house, "my orders?"))
    assert "These orders will run" in text
    assert "- STEP 3" in text
    assert "wait to be confirmed" in text
    assert "away on Friday" in text
    assert "Bob is coming" not in text
    assert "STEP 1" not in text.partition("wait to be confirmed")[0]


def test_whatif_is_answered_and_never_kept(house: PostHouse) -> None:
    house.write(ANN, "STEP 1")
    text = text_of(asked(house, "WHATIF\nSTEP 3\nEND\n\nWHATIF\nSTEP 9\nEND"))
    assert "block 1" in text
    assert "You would stand on" in text
    assert "block 2" in text
    assert "'STEP 9' is no step of 1 to 3" in text
    assert house.column("SELECT text FROM order_sets") == ["STEP 1"]


def test_orders_beside_a_whatif_are_filed_and_its_faults_are_nothing_to_them(house: PostHouse) -> None:
    text = text_of(asked(house, "ORDERS\nSTEP 2\nEND\nWHATIF\nSTEP 9\nJUMP\nEND\nSTATUS"))
    assert "Your orders are in." in text
    assert house.tuples("SELECT text, clean FROM order_sets") == [("STEP 2", 1)]


def test_press_for_some_goes_to_them_at_once_and_to_nobody_else(house: PostHouse) -> None:
    answer = text_of(asked(house, "PRESS: Hello!\nPRESS TO BOB\nThe bridge is mine.\n\nAgreed?\nEND PRESS\nSTEP 1"))
    assert "It was sent, in your name." in answer
    (letter,) = house.post(BOB, "ANN writes to you")
    assert "The bridge is mine." in text_of(letter)
    assert "Hello!" not in text_of(letter)
    assert ANN not in letter.as_string()
    play(house)
    assert len(house.post(containing="bridge is mine")) == 2  # his letter and the answer
    assert house.post(BOB, "Hello!")


def test_press_for_somebody_unknown_is_sent_to_nobody_and_printed_nowhere(house: PostHouse) -> None:
    answer = text_of(asked(house, "PRESS TO BOB, GSWW: secret plan"))
    assert "It was sent to nobody: GSWW" in answer
    play(house)
    assert house.post(BOB, "secret plan") == []


def test_private_press_has_a_limit_a_day(house: PostHouse) -> None:
    for number in range(25):
        house.write(ANN, f"PRESS TO BOB: {number}")
    house.tick()
    assert len(house.post(BOB, "ANN writes to you")) == 20
    assert house.value("SELECT count(*) FROM press") == 20


@pytest.mark.parametrize("house", [{"players__unsigned_press": True}], indirect=True)
def test_unsigned_press_is_printed_without_its_writer(house: PostHouse) -> None:
    assert "does not say whose it is" in text_of(asked(house, "PRESS ANONYMOUS: The bridge will fall."))
    play(house)
    (newsletter,) = house.post(BOB, "The bridge will fall.")
    assert "Somebody who does not sign:\n| The bridge will fall." in text_of(newsletter)


def test_unsigned_press_is_printed_nowhere_unless_the_umpire_wants_it(house: PostHouse) -> None:
    assert "It is not printed" in text_of(asked(house, "PRESS ANONYMOUS: The bridge will fall."))
    play(house)
    assert house.post(BOB, "bridge") == []


def test_the_umpires_words_are_explained(house: PostHouse) -> None:
    assert "write to him with NOTE" in line_of(asked(house, "Extension, please"))
    assert house.value("SELECT status FROM games") == "running"


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


@pytest.mark.parametrize("house", [{"identity__policy": "token"}], indirect=True)
def test_a_subject_without_a_code_is_held_as_a_letter_is(house: PostHouse) -> None:
    house.send(ANN, "", subject="status")
    (question,) = house.post(ANN, "Is this letter yours?")
    house.reply(question, "CONFIRM")
    assert "How RR1 stands" in house.told(ANN)


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


def test_notes_fill_no_mailbox_and_none_is_lost(house: PostHouse) -> None:
    for number in range(10):
        last = asked(house, f"STEP {number % 2 + 1}\nNOTE: number {number}")  # new orders are always answered
    assert "Your note was not mailed" in text_of(last)
    assert len(house.post(UMPIRE, "ANN writes, while turn 1 is awaited")) == 8
    (told,) = house.post(UMPIRE, "Many notes from ANN")
    assert "more than 8 notes" in text_of(told)
    assert house.column("SELECT text FROM press") == [f"number {number}" for number in range(10)]
    house.write(BOB, "NOTE: from Bob")
    house.wait(hours=24)
    assert "not mailed" not in text_of(asked(house, "NOTE: tomorrow"))
    assert house.post(UMPIRE, "tomorrow")
    assert house.post(UMPIRE, "from Bob")


# Another address


def test_a_new_address_holds_when_somebody_there_confirms_it(house: PostHouse) -> None:
    house.send(ANN, f"ADDRESS {NEW}<mailto:{NEW}>")
    (question,) = house.post(NEW)
    assert ANN not in question.as_string()
    assert house.post(ANN, f"we write to {NEW}")
    house.write(NEW, "STEP 3")  # nobody yet
    assert "STEP 2" in text_of(asked(house, "STEP 2"))
    house.reply(question, "CONFIRM")
    assert "in all your games" in house.text(NEW)
    assert "If that was not you" in house.text(ANN)
    assert house.post(UMPIRE, "ANN has a new address")
    assert "Your orders are in." in text_of(asked(house, "STEP 1", NEW))
    house.write(ANN, "STEP 3")
    before = len(house.post(ANN))
    play(house)
    assert len(house.post(ANN)) == before


def test_a_machine_at_the_new_address_confirms_nothing(house: PostHouse) -> None:
    house.send(ANN, f"ADDRESS {NEW}")
    (question,) = house.post(NEW)
    house.answer(question, "Thank you for your message. I am away.")
    house.reply(question, "CONFIRM", sender=EVE)
    assert house.value("SELECT address FROM players WHERE code = 'ANN'") == ANN


def test_a_change_that_was_taken_back_or_is_old_is_not_confirmed(house: PostHouse) -> None:
    for undo in (lambda: house.write(ANN, f"ADDRESS {ANN}"), lambda: house.wait(days=15)):
        house.send(ANN, f"ADDRESS {NEW}")
        question = house.last(NEW)
        undo()
        house.tick()
        house.reply(question, "CONFIRM")
        assert house.value("SELECT address FROM players WHERE code = 'ANN'") == ANN


def test_strangers_are_written_to_three_times_a_day_at_most(house: PostHouse) -> None:
    for number in range(5):
        house.send(ANN, f"ADDRESS victim{number}@example.com")
    assert len(house.post("@example.com")) == 3
    assert "is no address" in text_of(asked(house, f"ADDRESS {REFEREE}"))


@pytest.mark.parametrize("house", [{"identity__policy": "token"}], indirect=True)
def test_without_the_code_of_its_player_nothing_is_carried_out(house: PostHouse) -> None:
    house.send(ANN, f"ADDRESS {NEW}\nPRESS TO BOB: hello\nMAP\nWHATIF\nSTEP 3\nEND")
    (question,) = house.post(ANN, "Is this letter yours?")
    assert house.post(NEW) == []
    assert house.post(BOB, "hello") == []
    assert f"ADDRESS {NEW}" in text_of(question)
    assert "You would stand" not in text_of(question)
    house.reply(question, "CONFIRM")
    assert house.post(NEW)
    assert house.post(BOB, "hello")
    assert "You would stand on" in house.text(ANN)


# What is not read must not vanish


def test_what_stands_below_a_signature_or_behind_a_quotation_is_named_in_the_answer(house: PostHouse) -> None:
    told = text_of(asked(house, "STEP 3\nPRESS: As Bob wrote:\n> I shall win.\nHa!\n-- \nAnn\nNOTE: away on Friday"))
    assert "- line 6: NOTE: away on Friday" in told
    assert "what you quoted, and what follows, is no part of it" in " ".join(told.split())
    assert house.value("SELECT text FROM press") == "As Bob wrote:"


def test_salt_below_the_end_of_the_orders_is_taken(house: PostHouse) -> None:
    assert "Your salt for the dice of this game, from its second turn on: pepper" in text_of(
        asked(house, "ORDERS\nSTEP 3\nEND\n\nSALT pepper")
    )


def test_every_letter_that_asks_for_orders_names_the_word_for_help(house: PostHouse) -> None:
    asked(house, "STEP 3")
    play(house)
    assert len([each for each in house.post(ANN) if "The one word HELP" in text_of(each)]) == len(house.post(ANN)) == 3


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


def test_nobody_watches_before_he_has_said_so_himself(house: PostHouse) -> None:
    """Whoever has the code can write in anybody's name."""
    question = asked(house, f"WATCH {code_of(house)}", EVE)
    assert "answer this letter with the one word CONFIRM" in line_of(question)
    house.answer(question, "Thank you for your letter. I am away.")
    house.answer(question, "CONFIRM", sender="mallory@example.com")
    house.answer(question, "CONFIRM", Auto_Submitted="auto-replied")
    house.write(EVE, "CONFIRM", subject="Do you want to watch this game?")
    play(house)
    assert len(house.post(EVE)) == 1
    assert house.post("mallory@example.com") == []
    assert house.command("game", "watch", "RR1").stdout.splitlines()[1:] == []


def test_a_question_that_is_two_weeks_old_is_not_confirmed(house: PostHouse) -> None:
    question = asked(house, f"WATCH {code_of(house)}", EVE)
    house.wait(days=15)
    house.reply(question, "CONFIRM")
    assert len(house.post(EVE)) == 1


def test_the_code_of_a_game_has_few_strangers_written_to_in_a_day_and_each_once(house: PostHouse) -> None:
    code = code_of(house)
    for _ in range(2):
        for number in range(13):
            house.write(f"victim{number}@example.com", f"WATCH {code}")
    house.tick()
    assert len(house.post("@example.com")) == len({str(each["To"]) for each in house.post("@example.com")}) == 10
    (told,) = house.post(UMPIRE, "Many ask to watch this game")
    assert "From 10 addresses" in text_of(told)
    house.wait(days=1, minutes=1)
    assert "CONFIRM" in text_of(asked(house, f"WATCH {code}", EVE))


@pytest.mark.parametrize("before", ["", "Re: "])
def test_the_subject_alone_will_do_for_an_observer(house: PostHouse, before: str) -> None:
    answer = watching(house, "Regards\nEve", subject=f"{before}watch {code_of(house)}")
    assert "From now on you are sent its newsletters" in text_of(answer)


def test_strangers_without_the_code_are_told_nothing(house: PostHouse) -> None:
    for text in ("HELP", "STATUS", "UNWATCH", "WATCH RR1-WATCH-AAAAAAAA", "WATCH RR9-WATCH-AAAAAAAA", "WATCH"):
        house.write(EVE, text)
    house.tick()
    assert house.post(EVE) == []


@pytest.mark.parametrize("how", ["word", "subject", "header", "machine"])
def test_an_observer_ends_it_with_a_word_or_as_his_mail_program_does(house: PostHouse, how: str) -> None:
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


def test_an_unsubscribing_player_resigns_nothing(house: PostHouse) -> None:
    assert "You have resigned nothing." in text_of(asked(house, "", subject="unsubscribe"))
    before = len(house.post(ANN))
    play(house)
    assert len(house.post(ANN)) == before + 1


def game_of_others(house: PostHouse) -> str:
    """Make a game in which Ann does not play and return its code for observers."""
    seats = (
        parse_player("CID:red:Cid <cid@example.org>"),
        parse_player("DEE:blue:Dee <dee@example.org>"),
    )
    house.new("tinyrace", "line", *seats)
    return code_of(house, "RR2")


def test_a_player_may_watch_another_game_but_not_his_own(house: PostHouse) -> None:
    assert "You play in it" in text_of(asked(house, f"WATCH {code_of(house)}"))
    house.send(ANN, f"WATCH {game_of_others(house)}\nSTEP 2", subject="Re: [RR1] turn 1")
    answer, question = sorted(house.post(ANN)[-2:], key=lambda each: "Orders" not in str(each["Subject"]))
    assert "A letter goes to you that asks whether you want to watch it" in line_of(answer)
    house.reply(question, "CONFIRM")
    assert "From now on you are sent its newsletters" in house.told(ANN)
    assert house.command("game", "watch", "RR2").stdout.splitlines()[1:] == [ANN]


def test_a_player_is_told_why_he_is_not_asked(house: PostHouse) -> None:
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


def test_eight_questions_in_a_row_are_answered_and_then_no_more(house: PostHouse) -> None:
    """So an answering machine that says one of our words falls silent; an order ends the silence."""
    for _ in range(12):
        house.send(ANN, "STATUS")
        house.wait(hours=5)
    assert len(house.post(ANN, "Turn 1 is awaited.")) == 8
    assert "How RR1 stands" in text_of(asked(house, "STATUS\nSTEP 1"))


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
    position = house.club.positions.of(house.club.db, game(house.club.db, "RR1"))
    (seen,) = (part for part in letters[-1].iter_attachments() if str(part.get_filename()).endswith(".json"))
    assert json.loads(seen.get_content()) == json.loads(json.dumps(position.rules.view(position.state, None)))
    assert not any("Order form" in text_of(each) or "To send orders" in text_of(each) for each in (*letters, *copies))
