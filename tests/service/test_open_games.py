"""Games that wait for their players: opened, told, signed up for by mail, and begun."""

from __future__ import annotations

import json
from email.message import EmailMessage
from hashlib import sha256
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.dice import CHAIN_END, SeededDice, add_salt, seed_of_turn
from referee.core.errors import ConfigError, NotFound, RefereeError
from referee.games import game_named
from referee.service.audit.verify import verify_game
from referee.service.letters.reliability import is_limited
from referee.service.turns.opengames import close, invite, open_game, remove_signup, signup_list, start
from referee.service.turns.proposals import Proposal, parse_player
from referee.store import games, opengames
from referee.store.letters import Fate
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of

CECIL, DORA, EVE = "cecil@example.com", "dora@example.com", "eve@example.com"


@pytest.fixture
def house(club: Clubs, request: pytest.FixtureRequest) -> PostHouse:
    return club(identity__policy="token", **getattr(request, "param", {}))


def opened(house: PostHouse, seats: int = 3, **more: Any) -> str:
    """Let a tiny race wait for players; return what they write."""
    proposal = Proposal(kind="tinyrace", board="line", rhythm={"days": 7}, **more)
    return signup_list(house.club, open_game(house.club, proposal, seats).id).word


def asked(house: PostHouse, sender: str, text: str) -> EmailMessage:
    """Ask for a seat, and return the question that comes back."""
    house.send(sender, text, subject="a game")
    return house.last(sender, "Do you want a seat")


def joined(house: PostHouse, sender: str, text: str) -> EmailMessage:
    """Take a seat, and return the letter that says so."""
    house.reply(asked(house, sender, text), "CONFIRM")
    return house.last(sender, "Your seat")


def seated(house: PostHouse, game: str = "RR1") -> list[str]:
    return [each.address for each in opengames.seated(house.club.db, game)]


def test_a_stranger_with_the_code_is_asked_back_and_told_where_he_stands(house: PostHouse) -> None:
    word = opened(house)
    question = asked(house, CECIL, f"Dear referee,\n{word}\nFARBEN blau oder rot\nRAILWAY GSW = Great Southern\n")
    assert seated(house) == []
    assert "answer this letter with the one word CONFIRM, within 14 days" in line_of(question)
    assert "Colours, your favourite first: blue, red" in line_of(question)
    assert "Company: GSW, Great Southern" in line_of(question)
    assert "There is a deadline every week. Deadlines fall at 20:00 (UTC)." in line_of(question)
    house.reply(question, "Yes please!\nCONFIRM")
    (told,) = house.post(CECIL, "You have a seat in RR1")
    assert "Seats: 1 of 3 taken, by Somebody" in line_of(told)
    assert "It cannot begin without 1 more player." in line_of(told)
    assert seated(house) == [CECIL]
    (told,) = house.post(UMPIRE, "has a seat")
    assert f"Somebody ({CECIL}) has signed up for RR1" in line_of(told)
    assert house.rows("SELECT DISTINCT status, reason FROM letters")[0]["reason"] == "sign-up"


def test_who_is_asked_or_invited_reads_which_word_brings_the_rules(house: PostHouse) -> None:
    opened(house)
    invite(house.club, "RR1", ("Cyd <cyd@example.org>",))
    house.tick()
    assert "The one word RULES in an answer brings all rules" in line_of(house.post("cyd@example.org")[0])


def test_a_seat_is_changed_and_given_up_until_the_game_begins(house: PostHouse) -> None:
    word = opened(house)
    told = joined(house, CECIL, word)
    house.reply(told, "PREFER black")
    (kept,) = house.post(CECIL, "is kept; your place")
    assert "Colours, your favourite first: black" in line_of(kept)
    house.reply(kept, "Where do I stand?")
    assert "nothing is changed by your letter" in house.told(CECIL)
    house.reply(kept, "Please do not\nWITHDRAW\n")
    assert "'WITHDRAW' was not carried out: as it cannot be taken back" in house.told(CECIL)
    house.reply(kept, "WITHDRAW\n")
    assert "You have no seat in RR1 any more" in house.told(CECIL)
    assert seated(house) == []
    assert house.post(UMPIRE, "has withdrawn")
    house.wait(days=2)
    joined(house, CECIL, word)
    assert seated(house) == [CECIL]


def test_no_company_is_known_by_a_word_of_ours_and_none_keeps_a_game_from_beginning(house: PostHouse) -> None:
    proposal = Proposal(kind="tinyrace", board="line", rhythm={"days": 7})
    word = signup_list(house.club, open_game(house.club, proposal, 3, when_full=True).id).word
    railways = {CECIL: "İİİİ = Rails", DORA: "UMPIRE = Rails", EVE: "GSW = Great"}
    for sender, railway in railways.items():
        joined(house, sender, f"{word}\nRAILWAY {railway}\nNAME Some Body")
    assert house.column("SELECT code FROM players ORDER BY code") == ["GSW", "SOM", "SOM2"]


def test_second_companies_of_two_whose_first_are_called_alike_have_codes_of_their_own(house: PostHouse) -> None:
    word = signup_list(
        house.club, open_game(house.club, Proposal(kind="dampfross", board="ireland"), 2, when_full=True).id
    ).word
    for sender in (CECIL, DORA):
        joined(house, sender, f"{word}\nNAME Some Body")
    assert {row["code"] for row in house.rows("SELECT code FROM players")} >= {"SOM", "SOM2"}
    assert house.value("SELECT status FROM games") == "running"


@pytest.mark.parametrize(
    "name", ["The Referee", "Der Spielleiter", "R e f é r e e", "Railway club", "L'arbitre", "spelleider", UMPIRE]
)
def test_nobody_signs_up_under_the_name_of_the_umpire_the_club_or_ours(house: PostHouse, name: str) -> None:
    word = opened(house, 4)
    told = house.says(CECIL, word, subject="a game", From=f'"{name}" <{CECIL}>')
    assert f"The name '{name}' is not to be had" in told
    assert "You are called Newcomer;" in told
    words = f"CONFIRM\nNAME = {name}\nRAILWAY GSW = {name}"
    assert f"The name '{name}' is not to be had" in house.asks(CECIL, words, From=f"Cecil <{CECIL}>")
    (seat,) = opengames.seated(house.club.db, "RR1")
    assert (seat.name, seat.code, seat.company) == ("Newcomer", "GSW", "")


def test_colours_go_by_the_order_of_sign_up_and_everybody_is_told(house: PostHouse) -> None:
    word = opened(house, 4)
    for sender, text in (
        (CECIL, "PREFER blue, red\nRAILWAY SAME"),
        (DORA, ""),
        (EVE, "PREFER blue, red\nRAILWAY SAME"),
        (ANN, "PREFER blue"),
    ):
        joined(house, sender, f"{word}\n{text}")
        house.wait(minutes=1)
    game, seats = start(house.club, "rr1")
    house.tick()
    assert game == "RR1"
    assert [(each.code, each.colour, each.choice) for each in seats] == [
        ("SAME", "blue", 1),
        ("SOM", "green", 0),
        ("SAME2", "red", 2),
        ("SOM2", "black", 0),
    ]
    for player in (CECIL, DORA, EVE, ANN):
        opening = house.told(player, "Who got which seat")
        assert "1. Somebody: SAME, blue, the first choice" in opening
        assert "2. Somebody: SOM, green, without a wish" in opening
        assert "3. Somebody: SAME2, red, choice 2 of blue, red (SAME was taken before.)" in opening
        assert "4. Somebody: SOM2, black, for blue were gone" in opening
    assert not house.faults()
    house.reply(CECIL, "STEP 3")
    assert "STEP 3" in house.value("SELECT text FROM order_sets")


def test_the_dice_are_fixed_before_anybody_signs_up(house: PostHouse) -> None:
    word = opened(house, 2)
    first = joined(house, CECIL, word)
    joined(house, DORA, word)
    start(house.club, "RR1")
    house.tick()
    end = games.chain_end(house.row())
    assert end in text_of(first)
    assert end in house.text(CECIL)


def test_the_map_is_fixed_and_its_hash_told_before_anybody_gives_salt(house: PostHouse) -> None:
    file = house.folder / "maps" / "mine.toml"
    file.parent.mkdir()
    file.write_text(fixed := game_named("dampfross").board_text("ireland"))
    open_game(house.club, Proposal(kind="dampfross", board="mine", rhythm={"days": 7}), 3)
    word = signup_list(house.club, "RR1").word
    told = [joined(house, sender, f"{word}\nSALT dill") for sender in (CECIL, DORA, EVE)]
    assert all(sha256(fixed.encode()).hexdigest() in text_of(letter) for letter in told)
    file.write_text(fixed.replace("numbers = [11]", "numbers = [66]"))
    start(house.club, "RR1")
    assert json.loads(house.value("SELECT setup FROM games"))["board"] == fixed
    assert f"Map: {sha256(fixed.encode()).hexdigest()}." in house.command("verify", "RR1").stdout


def test_orders_in_the_letter_are_filed_when_the_game_begins(house: PostHouse) -> None:
    word = opened(house, 2)
    told = joined(house, CECIL, f"{word}\n\nORDERS\nSTEP 2\nEND")
    assert "Your letter held orders, too" in line_of(told)
    joined(house, DORA, word)
    start(house.club, "RR1")
    house.tick()
    (row,) = house.rows("SELECT player, text FROM order_sets")
    assert (row["player"], "STEP 2" in row["text"]) == ("SOM", True)
    assert house.post(CECIL, "STEP 2")


def test_an_invitation_is_taken_by_one_word_and_names_nobody_else(house: PostHouse) -> None:
    opened(house, 3, players=(parse_player(f"ANN:red:Ann <{ANN}>"),))
    invite(house.club, "RR1", (f"Cecil <{CECIL}>", DORA), "A quick one.")
    house.tick()
    (invitation,) = house.post(CECIL, "You are invited")
    assert "A quick one." in line_of(invitation)
    assert DORA not in text_of(invitation)
    assert "Seats: 1 of 3 taken, by Ann" in line_of(invitation)
    house.reply(invitation, "JOIN\nPREFER red, blue")
    assert seated(house) == [ANN, CECIL]
    told = house.told(CECIL, "You have a seat")
    assert "Seats: 2 of 3 taken, by Ann and Cecil" in told
    # The code of an invitation is its reader's alone.
    house.reply(house.post(DORA, "You are invited")[0], "JOIN", sender=EVE)
    assert seated(house) == [ANN, CECIL]
    assert not house.post(EVE)
    start(house.club, "RR1")
    assert [(each.code, each.colour) for each in games.players(house.club.db, "RR1")] == [
        ("ANN", "red"),
        ("CEC", "blue"),
    ]


def test_players_whom_the_umpire_names_are_told_at_once_and_stand_among_the_signups(house: PostHouse) -> None:
    word = opened(house, 3, players=(parse_player(f"ANN:red:Ann <{ANN}>"), parse_player(f"BOB:blue:Bob <{BOB}>")))
    house.tick()
    (letter,) = house.post(ANN)
    assert "The umpire has given you a seat in RR1." in line_of(letter)
    assert "Seats: 2 of 3 taken, by Ann and Bob" in line_of(letter)
    listed = [line.split("\t")[:5] for line in house.command("game", "signups", "RR1").stdout.splitlines()[3:]]
    assert listed == [["Ann", ANN, "seated", "red", "ANN"], ["Bob", BOB, "seated", "blue", "BOB"]]
    house.write(BOB, word, subject="a game")
    house.reply(letter, "PREFER green")
    assert "You have a seat in RR1" in house.told(BOB)
    assert seated(house) == [ANN, BOB]
    start(house.club, "RR1")
    assert [(each.code, each.colour) for each in games.players(house.club.db, "RR1")] == [
        ("ANN", "green"),
        ("BOB", "blue"),
    ]


def test_a_named_player_withdraws_as_any_other_and_is_told_of_the_end(house: PostHouse) -> None:
    opened(house, 3, players=(parse_player(f"ANN:red:Ann <{ANN}>"), parse_player(f"BOB:blue:Bob <{BOB}>")))
    house.tick()
    house.reply(house.post(ANN)[0], "WITHDRAW")
    assert seated(house) == [BOB]
    close(house.club, "RR1", "Too few.")
    house.tick()
    assert "given RR1 up" in house.told(BOB)
    assert "given RR1 up" not in house.told(ANN)


@pytest.mark.parametrize("by_mail", [False, True])
def test_a_game_that_has_begun_but_played_no_turn_is_given_up_and_all_are_told(house: PostHouse, by_mail: bool) -> None:
    house.begin()
    if by_mail:
        for _ in range(2):
            house.send(UMPIRE, "CLOSE RR1\nBob has no time.")
            house.reply(UMPIRE, "CONFIRM")
        assert "RR1 is given up; all are told." in line_of(house.post(UMPIRE, "given up")[0])
    else:
        done = house.command("game", "close", "RR1", "--because", "Bob has no time.")
        assert (done.returncode, done.stdout) == (0, "RR1 is given up; all are told.\n"), done.stderr
        house.tick()
    for player in (ANN, BOB):
        (told,) = house.post(player, "The game is given up")
        assert "| Bob has no time." in text_of(told)
        assert "Deadline" not in text_of(told)
        assert "To send orders" not in text_of(told)
    house.answer(ANN, "STEP 1")
    house.later(days=30)
    assert house.last_turn().turn == 0
    assert "over" in house.told(ANN)
    assert house.faults() == ()
    assert house.command("status").stdout.find("RR1") == -1


def test_a_game_of_which_a_turn_was_played_is_not_given_up(house: PostHouse) -> None:
    house.game()
    house.later(days=8)
    with pytest.raises(ConfigError, match="a turn of RR1 was played"):
        close(house.club, "RR1", "Why not.")


@pytest.mark.parametrize(
    ("kind", "board", "line", "said"),
    [
        ("dampfross", "ireland", "RULES", "D1 Companies, and some words"),
        ("dampfross", "ireland", "RULES D2.1", "D2.1"),
        ("volldampf", "deutschland-1925", "RULES", "V1"),
    ],
)
def test_rules_are_told_before_a_game_begins(house: PostHouse, kind: str, board: str, line: str, said: str) -> None:
    open_game(house.club, Proposal(kind=kind, board=board), 3)
    invite(house.club, "RR1", (f"Cecil <{CECIL}>",))
    house.tick()
    house.reply(house.post(CECIL)[0], line)
    answer = house.last(CECIL)
    assert f"\n{said}" in text_of(answer)
    assert "The umpire invites you" in text_of(answer)
    assert "not understood" not in text_of(answer)
    assert seated(house) == []
    house.reply(answer, f"JOIN\n{line}")
    assert seated(house) == [CECIL]
    assert f"\n{said}" in house.text(CECIL)


def test_a_game_begins_by_itself_when_it_is_full_if_it_shall(house: PostHouse) -> None:
    proposal = Proposal(kind="tinyrace", board="line", rhythm={"days": 7})
    row = open_game(house.club, proposal, 2, when_full=True)
    word = signup_list(house.club, row.id).word
    assert "begins by itself" in line_of(joined(house, CECIL, word))
    house.reply(asked(house, DORA, word), "CONFIRM")
    assert house.row().status == "running"
    assert house.post(CECIL, "Who got which seat")
    assert house.post(DORA, "Who got which seat")
    assert not house.post(UMPIRE, "START RR1")


def test_the_umpire_is_told_when_all_seats_are_taken(house: PostHouse) -> None:
    word = opened(house, 2)
    joined(house, CECIL, word)
    assert not house.post(UMPIRE, "All seats are taken")
    joined(house, DORA, word)
    assert "START RR1" in line_of(house.post(UMPIRE, "All seats are taken")[0])


def test_who_comes_too_late_is_told_so(house: PostHouse) -> None:
    word = opened(house, 2)
    question = asked(house, EVE, word)
    first = joined(house, CECIL, word)
    joined(house, DORA, word)
    house.reply(question, "CONFIRM")
    assert "All 2 seats of RR1 are taken. You are on its waiting list, as number 1" in house.told(EVE)
    assert "All its seats are taken now: with CONFIRM you are on the waiting list, as number 2" in house.says(
        BOB, word, subject="me too"
    )
    start(house.club, "RR1")
    house.wait(days=1)
    assert "RR1 has begun: nobody can sign up any more" in house.says(BOB, word, subject="and now?")
    assert "RR1 has begun: nobody can sign up any more" in house.told(EVE)
    house.answer(first, "WITHDRAW")  # he plays now: the code of his sign-up proves no letter to the game
    house.tick()
    assert house.post(CECIL, "Is this letter yours?")


def test_a_seat_that_becomes_free_goes_to_the_first_in_turn(house: PostHouse) -> None:
    word = opened(house, 2)
    first = joined(house, CECIL, word)
    joined(house, DORA, word)
    for player in (EVE, BOB):
        house.reply(asked(house, player, word), "CONFIRM")
    assert [each.state for each in opengames.signups(house.club.db, "RR1")] == [
        "seated",
        "seated",
        "waiting",
        "waiting",
    ]
    listed = house.command("game", "signups", "RR1").stdout.splitlines()
    assert [line.split("\t")[0] for line in listed if "waiting" in line] != []
    house.answer(EVE, "PREFER green")  # his place stays
    house.reply(first, "WITHDRAW")
    assert seated(house) == [DORA, EVE]
    assert "A seat in RR1 has become free, and you were the next on its waiting list: it is yours." in house.told(EVE)
    assert "All 2 seats of RR1 are taken" in house.told(BOB)
    remove_signup(house.club, "RR1", DORA, "x")
    house.tick()
    assert seated(house) == [EVE, BOB]
    house.wait(days=2)
    house.reply(asked(house, CECIL, word), "CONFIRM")
    house.reply(CECIL, "WITHDRAW")
    assert opengames.in_turn(house.club.db, "RR1") == ()
    remove_signup(house.club, "RR1", BOB, "x")
    house.tick()
    assert seated(house) == [EVE]


def test_who_is_late_often_gets_no_further_game_but_by_the_umpires_invitation(club: Clubs) -> None:
    house = club(players__late_from=50, deadlines__early_delay=-1)
    house.game(rhythm={"days": 7})
    house.game(rhythm={"days": 300})
    for _ in range(4):
        house.send(ANN, "STEP 1", "[RR1]")
        house.later(days=8)
    row = open_game(house.club, Proposal(kind="tinyrace", board="line", rhythm={"days": 7}), 3)
    word = signup_list(house.club, row.id).word
    assert is_limited(house.club, BOB) is False  # of too few turns
    house.send(ANN, "STEP 1", "[RR1]")
    house.later(days=8)
    house.later(days=8)
    assert (is_limited(house.club, BOB), is_limited(house.club, ANN)) == (True, False)
    assert "missing so often that you can have no seat in a further game now" in house.says(BOB, word, "a seat")
    joined(house, ANN, word)
    invite(house.club, row.id, (BOB,))
    house.tick()
    house.reply(BOB, "JOIN")
    assert seated(house, row.id) == [ANN, BOB]
    assert is_limited(replace(house.club, config=replace(house.club.config, late_games=3)), BOB) is False


def test_who_asks_twice_has_one_seat_and_a_wrong_code_no_answer(house: PostHouse) -> None:
    word = opened(house)
    joined(house, CECIL, word)
    house.wait(days=2)
    assert "nothing is changed by your letter" in house.says(CECIL, word, subject="once more")
    assert seated(house) == [CECIL]
    house.write(EVE, f"{word[:-3]}222", subject="may I?")
    house.send(EVE, "May I join?", subject="may I?")
    assert not house.post(EVE)
    assert house.post(UMPIRE, "A letter from a stranger")
    house.write(DORA, word, subject="a")
    house.send(DORA, word, subject="b")
    assert len(house.post(DORA)) == 1


def test_a_question_holds_for_two_weeks_and_a_robot_takes_no_seat(house: PostHouse) -> None:
    word = opened(house)
    question = asked(house, CECIL, word)
    house.reply(question, "CONFIRM", Auto_Submitted="auto-replied")
    house.wait(days=14)
    house.reply(question, "CONFIRM")
    assert seated(house) == []
    assert "within 14 days" in house.told(CECIL)


def test_a_player_of_another_game_signs_up_in_a_letter_with_orders(house: PostHouse) -> None:
    house.begin()
    proposal = Proposal(kind="tinyrace", board="line")
    word = signup_list(house.club, open_game(house.club, proposal, 2).id).word
    house.reply(ANN, f"STEP 3\n{word}\nPREFER green\nJOIN RR2-JOIN-ABCDEFGH")
    answer = house.last(ANN, "A seat in RR2")
    assert "A letter goes to you that asks whether you want it" in line_of(answer)
    assert "A game that waits for players has a code" in line_of(answer)
    house.reply(house.last(ANN, "Do you want a seat"), "CONFIRM")
    (signup,) = opengames.seated(house.club.db, "RR2")
    assert (signup.name, signup.colours) == ("Ann", "green")
    assert house.rows("SELECT text FROM order_sets WHERE player = 'ANN'")
    assert "What you would like is kept" in house.asks(house.last(ANN, "A seat in RR2"), "PREFER red")
    assert opengames.seated(house.club.db, "RR2")[0].colours == "red"
    assert "has a code, which the umpire gives out" in house.asks(BOB, "PREFER red\nJOIN")


def test_a_game_is_given_up_and_somebody_removed_with_the_umpires_words(house: PostHouse) -> None:
    word = opened(house)
    joined(house, CECIL, word)
    told = joined(house, DORA, word)
    remove_signup(house.club, "RR1", DORA, "Not again.")
    with pytest.raises(ConfigError, match="say why"):
        close(house.club, "RR1", "")
    close(house.club, "RR1", "Too few of you.")
    house.tick()
    assert "taken your name from the list of RR1. The umpire writes: | Not again." in house.told(DORA)
    assert "given RR1 up before it began. The umpire writes: | Too few of you." in house.told(CECIL)
    house.answer(told, "WITHDRAW")
    assert "given RR1 up" in house.asks(house.post(CECIL, "Your seat")[0], "CONFIRM")
    assert "given RR1 up" in house.told(DORA)
    with pytest.raises(NotFound, match="there is no open game RR1"):
        start(house.club, "RR1")
    assert house.game() == "RR2"


def test_what_cannot_be_opened_or_begun_is_told_in_a_sentence(house: PostHouse) -> None:
    def opening(seats: int = 2, **more: Any) -> None:
        open_game(house.club, Proposal(**{"kind": "tinyrace", "board": "line"} | more), seats)

    players = tuple(map(parse_player, (f"ANN:red:Ann <{ANN}>", f"BOB:blue:Bob <{BOB}>")))
    for more, words in (
        ({"kind": "whist"}, "no game"),
        ({"board": "moon"}, "moon"),
        ({"seats": 9}, "2 to"),
        ({"players": players}, "2 players are named for 2 seats"),
        ({"deadline": "2027-01-01"}, "no deadline"),
        ({"preset": "lost"}, "no preset"),
        ({"rhythm": {"weekday": "Someday"}}, "weekday"),
    ):
        with pytest.raises((ConfigError, NotFound), match=words):
            opening(**more)
    assert opengames.waiting(house.club.db) == ()
    opening()
    with pytest.raises(ConfigError, match="RR1 lacks 2 more players"):
        start(house.club, "RR1")
    for person, words in (("C <c>", "no mail address"), ("C <referee@club.example>", "our own|referee's own")):
        with pytest.raises(ConfigError, match=words):
            invite(house.club, "RR1", (f"Dora <{DORA}>", person))
    assert opengames.signups(house.club.db, "RR1") == ()
    with pytest.raises(NotFound, match=r"nobody at eve@example\.com has signed up"):
        remove_signup(house.club, "RR1", EVE)


def test_many_who_ask_at_once_are_asked_back_another_day(house: PostHouse) -> None:
    word = opened(house)
    for number in range(22):
        house.write(f"x{number}@example.com", word, subject="a seat")
    house.tick()
    assert len(house.post("example.com", "Do you want a seat")) == 20
    assert len(house.post(UMPIRE, "Many ask for a seat")) == 1
    house.later(days=1, minutes=1)
    assert len(house.post("example.com", "Do you want a seat")) == 22


def forge(house: PostHouse, number: int, domain: str) -> None:
    """Let so many letters that ask for a seat lie parked, as they would after a flood."""
    raw = house.rows("SELECT raw, arrived FROM letters WHERE status = 'parked' LIMIT 1")[0]
    with house.club.db.conn:
        for each in range(number):
            sender = f"y{each}@{domain.format(each)}"
            values = [
                f"forged {each} {domain}",
                b"From: " + sender.encode() + b"\r\n" + raw["raw"].partition(b"\r\n")[2],
            ]
            house.club.db.execute(
                "INSERT INTO letters (hash, source, size, raw, arrived, stored_at, sender, subject, message_id, status, "
                "reason, attempts, trace) VALUES (?, 'x', 1, ?, ?, ?, ?, '', '', 'parked', ?, 0, '')",
                [*values, raw["arrived"], raw["arrived"], sender, f"{Fate.SIGNUP_WAITS}: RR1"],
            )


@pytest.mark.parametrize("domain", ["example.com", "mail{}.example.com"])
def test_after_a_thousand_forged_sign_ups_a_newcomer_is_asked(house: PostHouse, domain: str) -> None:
    word = opened(house)
    for number in range(31):
        house.write(f"x{number}@{domain.format(number)}", word, subject="a seat")
    house.tick()
    forge(house, 1000, domain)
    house.send("new@example.org", word, subject="a seat")
    assert len(house.post("new@example.org")) == (domain == "example.com")  # the day has room for a domain that is new
    house.later(days=1, minutes=1)
    assert len(house.post("new@example.org", "Do you want a seat")) == 1
    house.reply("new@example.org", "CONFIRM")
    assert seated(house) == ["new@example.org"]
    assert 30 <= len(house.rows("SELECT 1 FROM signups")) <= 62


def test_the_umpire_s_commands_open_tell_and_begin_a_game(house: PostHouse) -> None:
    made = house.command("game", "open", "tinyrace", "--map", "line", "--seats", "2", "--days", "7")
    assert made.returncode == 0, made.stderr
    name, word, end = made.stdout.split("\n")[:3]
    assert name == "RR1"
    assert house.command("game", "list").stdout == "RR1\ttinyrace\topen\t-\t-\n"
    assert "2 of 2 seats are free" in house.command("status").stdout
    joined(house, CECIL, f"{word}\nPREFER blue")
    assert "cannot begin" not in house.command("game", "invite", "RR1", f"Dora <{DORA}>").stdout
    told = house.command("game", "signups", "RR1").stdout.split("\n")
    assert told[:3] == [word, end, "1 of 2 seats are free, it cannot begin without 1 more"]
    assert [line.split("\t")[:4] for line in told[3:5]] == [
        ["Somebody", CECIL, "seated", "blue"],
        ["Dora", DORA, "invited", "-"],
    ]
    early = house.command("game", "start", "RR1")
    assert (early.returncode, "RR1 lacks 1 more player" in early.stderr) == (78, True)
    house.tick()
    house.reply(house.post(DORA)[0], "JOIN")
    assert '"state": "seated"' in house.command("game", "signups", "RR1", "--json").stdout
    begun = house.command("game", "start", "RR1", "--deadline", "2099-01-01T20:00")
    assert begun.stdout == "RR1 begins\nSOM\tblue\tSomebody\t1\nDOR\tred\tDora\t0\n"
    assert house.command("game", "list").stdout.startswith("RR1\ttinyrace\trunning\t1\t2099-01-01T20:00:00Z")
    logged = [line.split("\t")[3:6] for line in house.command("log", "RR1").stdout.splitlines()]
    assert [line[:2] for line in logged] == [["umpire", "open"], ["umpire", "invite"], ["umpire", "start"]]
    assert logged[1][2].endswith("people 1")
    again = house.command("game", "signups", "RR1")
    assert (again.returncode, "RR1 has begun" in again.stderr) == (65, True)


def test_salt_that_came_with_sign_ups_is_in_all_throws_from_the_opening_on(house: PostHouse) -> None:
    row = open_game(house.club, Proposal(kind="dampfross", board="ireland", rhythm={"days": 7}), 3)
    end = seed_of_turn(row.chain, CHAIN_END)
    for sender, text in ((CECIL, "RAILWAY GSW\nSALT pepper"), (DORA, "RAILWAY BNC"), (EVE, "RAILWAY MGW")):
        question = asked(house, sender, f"{signup_list(house.club, 'RR1').word}\n{text}")
        assert end in text_of(question)
        house.reply(question, "CONFIRM" + ("\nSALT dill" if sender == EVE else ""))
        house.wait(minutes=1)
    assert "Salt for the dice: dill" in house.told(EVE)
    start(house.club, "RR1")
    house.tick()
    salts = "GSW=pepper MGW=dill"
    opening = house.told(DORA)
    assert (end in opening, f"The players' salts: {salts}" in opening) == (True, True)
    assert "the salt 'late' comes too late" in house.asks(DORA, "PASS\nSALT late")
    house.later(days=9)
    found = verify_game(house.club, "RR1")
    assert found.faults == ()
    assert {turn.salts for turn in found.log.turns} == {salts}
    dice = SeededDice(add_salt(seed_of_turn(row.chain, 0), salts))
    thrown = [throw for throw in found.throws if not throw.turn]
    assert [each.number for each in thrown] == [dice.throw(each.name, each.sides) for each in thrown]


@pytest.mark.parametrize("kind", ["dampfross", "volldampf"])
def test_where_nobody_signed_up_the_opening_says_that_it_has_no_salt(house: PostHouse, kind: str) -> None:
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", f"BNC:green:Cecil <{CECIL}>")
    board = {"dampfross": "ireland"}.get(kind, "")
    house.new(kind, board, *players)
    house.tick()
    assert "This opening has no salt" in house.told(ANN)


def test_two_who_sign_up_for_dampfross_lead_two_companies_each(house: PostHouse) -> None:
    row = open_game(house.club, Proposal(kind="dampfross", board="ireland", rhythm={"days": 7}), 3)
    word = signup_list(house.club, row.id).word
    joined(house, CECIL, f"{word}\nPREFER blue\nRAILWAY GSW = Great Southern\nHOME Dublin")
    joined(house, DORA, f"{word}\nRAILWAY BNC")
    start(house.club, "RR1")
    house.tick()
    opening = house.text(CECIL, "Who got which seat")
    assert all(code in opening for code in ("GSW2", "BNC2"))
    house.tick()
    assert house.post(CECIL, "HOME Dublin")
    (kept,) = house.rows("SELECT player, text FROM order_sets")
    assert (kept["player"], "HOME Dublin" in kept["text"]) == ("GSW", True)


def test_what_was_ordered_before_the_game_began_does_not_count_as_in(house: PostHouse) -> None:
    """Its player has not read what was rolled: else HOME alone would have the turn played without his track."""
    row = open_game(house.club, Proposal(kind="dampfross", board="ireland", rhythm={"days": 7, "early_delay": 0}), 3)
    word = signup_list(house.club, row.id).word
    for who, orders in ((CECIL, "RAILWAY GSW\nHOME Dublin"), (DORA, "RAILWAY BNC"), (EVE, "RAILWAY MGW")):
        joined(house, who, f"{word}\n{orders}")
    house.wait(minutes=5)
    start(house.club, "RR1")
    house.tick()
    house.tick()
    (kept,) = house.rows("SELECT player, text, clean FROM order_sets")
    assert (kept["player"], kept["text"], kept["clean"]) == ("GSW", "HOME Dublin", 0)
    told = house.last(CECIL, "Turn 1: your orders of before are on file")
    assert "sent before the game began: add what it has asked for since" in line_of(told)
    assert "The referee still waits for your orders" in line_of(told)
    for who in (DORA, EVE):
        house.answer(who, "ORDERS RR1 1\nHOME Belfast\nEND")
    assert house.tick().turns == ()
    house.answer(told, "ORDERS RR1 1\nREST AS BEFORE\n1a) (Dublin) - Dun Laoghaire\nEND")
    assert house.tick().turns == ("RR1/1",)
    assert "1a) roll" in house.told(CECIL, "round 1 of")
    assert "GSW: Dublin" in house.told(CECIL, "round 1 of")


def test_whose_letters_tell_no_name_may_say_it(house: PostHouse) -> None:
    word = opened(house)
    question = asked(house, CECIL, word)
    assert "Name: Somebody" in line_of(question)
    house.send(DORA, word, From=DORA)
    question = house.last(DORA)
    assert "Name: your letters tell none, so the others read of you as Newcomer." in line_of(question)
    house.reply(question, "CONFIRM\nNAME = Dora  Kent")
    assert "Name: Dora Kent" in house.told(DORA)
    assert [each.name for each in opengames.seated(house.club.db, "RR1")] == ["Dora Kent"]


@pytest.mark.parametrize("house", [{"club__language": "de"}], indirect=True)
def test_who_tells_no_name_is_called_by_a_word_of_the_clubs_language(house: PostHouse) -> None:
    word = opened(house)
    invite(house.club, "RR1", (EVE,))
    house.send(DORA, word, From=DORA)
    question = house.last(DORA)
    assert "also lesen die anderen von dir als Neuling." in line_of(question)
    for letter in (question, house.last(EVE)):
        house.answer(letter, "JOIN" if letter is not question else "CONFIRM")
    house.tick()
    assert [each.name for each in opengames.seated(house.club.db, "RR1")] == ["Neuling", "Neuling"]


def test_what_keeps_a_game_from_being_played_is_named_for_any_number_of_seats(house: PostHouse) -> None:
    """Not the colours that would be lacking, if each of six led two companies."""
    proposal = Proposal(kind="dampfross", board="ireland", options=(("building_ends", "rounds:0"),), rhythm={"days": 7})
    with pytest.raises(RefereeError, match="rounds:0"):
        open_game(house.club, proposal)


@pytest.mark.parametrize("line", ["SPRACHE de", "I should like orange if it is free", "COLOUR orange please"])
def test_who_signs_up_is_told_what_was_not_understood(house: PostHouse, line: str) -> None:
    question = asked(house, CECIL, f"Dear referee,\n{opened(house)}\n{line}\n")
    told = line_of(question).partition("not understood, and changes nothing:")[2]
    assert line.split()[-1] in told
    house.reply(question, f"CONFIRM\n{line}")
    assert "not understood, and changes nothing:" in house.told(CECIL)


def test_a_game_is_tried_before_it_is_opened_and_told_as_a_zine_prints_it(house: PostHouse) -> None:
    words = ("game", "open", "tinyrace", "--map", "line", "--seats", "2")
    tried = house.command(*words, "--dry-run")
    assert (tried.returncode, tried.stdout) == (0, "the game can be played with 2 seats; nothing was kept\n")
    assert house.rows("SELECT * FROM open_games") == []
    name, word, _, zine = house.command(*words).stdout.splitlines()
    assert (name, zine.startswith("for a zine: "), f'"{word}" to {house.club.config.address}' in zine) == (
        "RR1",
        True,
        True,
    )


def test_a_game_that_takes_nobody_writes_to_no_more_strangers_than_an_open_one(house: PostHouse) -> None:
    word = opened(house)
    close(house.club, "RR1", "no")
    for number in range(45):
        house.write(f"eve@victim{number}.example", word, subject="a seat")
    house.tick()
    assert len([row for row in house.ours() if "victim" in row.recipient]) <= 30
