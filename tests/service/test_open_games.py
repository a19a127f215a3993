"""Games that wait for their players: opened, told, signed up for by mail, and begun."""

import json
from email.message import EmailMessage
from hashlib import sha256
from typing import Any

import pytest

from referee.core import CHAIN_END, ConfigError, NotFound, RefereeError, SeededDice, add_salt, seed_of_turn
from referee.games import game_named
from referee.service.audit.verify import verify_game
from referee.service.letters.reliability import is_limited
from referee.service.turns.gamefile import Proposal, parse_player
from referee.service.turns.opengames import open_game, signup_list
from referee.store import Fate, games, opengames
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
    return [each.address for each in opengames.seated(house.club, game)]


def test_the_dice_are_fixed_before_anybody_signs_up(house: PostHouse) -> None:
    word = opened(house, 2)
    first = joined(house, CECIL, word)
    joined(house, DORA, word)
    house.act("START RR1")
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
    house.act("START RR1")
    assert json.loads(house.value("SELECT setup FROM games"))["board"] == fixed
    assert f"Map: {sha256(fixed.encode()).hexdigest()}." in house.command("verify", "RR1").stdout


@pytest.mark.parametrize("by_mail", [False, True])
def test_a_game_that_has_begun_but_played_no_turn_is_given_up_and_all_are_told(begun: PostHouse, by_mail: bool) -> None:
    if by_mail:
        for _ in range(2):
            begun.send(UMPIRE, "CLOSE RR1\nBob has no time.")
            begun.reply(UMPIRE, "CONFIRM")
        assert "RR1 is given up; all are told." in line_of(begun.post(UMPIRE, "given up")[0])
    else:
        done = begun.command("game", "close", "RR1", "--because", "Bob has no time.")
        assert (done.returncode, done.stdout) == (0, "RR1 is given up; all are told.\n"), done.stderr
        begun.tick()
    for player in (ANN, BOB):
        (told,) = begun.post(player, "The game is given up")
        assert "| Bob has no time." in text_of(told)
        assert "Deadline" not in text_of(told)
        assert "To send orders" not in text_of(told)
    begun.answer(ANN, "STEP 1")
    begun.later(days=30)
    assert begun.last_turn().turn == 0
    assert "over" in begun.told(ANN)
    assert begun.faults() == ()
    assert begun.command("status").stdout.find("RR1") == -1


def test_who_is_late_often_gets_no_further_game_but_by_the_umpires_invitation(club: Clubs) -> None:
    house = club(players__late_from=50, deadlines__early_delay=-1)
    house.game(rhythm={"days": 7})
    house.game(rhythm={"days": 300})
    for writer in (BOB, ANN, ANN, ANN):
        house.send(writer, "STEP 1", "[RR1]")
        house.later(days=8)
    row = house.open(3)
    word = signup_list(house.club, row.id).word
    assert is_limited(house.club, BOB) is False  # of too few turns
    house.send(ANN, "STEP 1", "[RR1]")
    house.later(days=8)
    house.later(days=8)
    assert (is_limited(house.club, BOB), is_limited(house.club, ANN)) == (True, False)
    assert "missing so often that you can have no seat in a further game now" in house.says(BOB, word, "a seat")
    joined(house, ANN, word)
    house.act(f"INVITE {row.id} {BOB}")
    house.tick()
    house.reply(BOB, "JOIN")
    assert seated(house, row.id) == [ANN, BOB]
    assert is_limited(house.club.but(config=house.club.config.but(late_games=3)), BOB) is False


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
    assert opengames.waiting(house.club) == ()
    opening()
    with pytest.raises(ConfigError, match="RR1 lacks 2 more players"):
        house.act("START RR1")
    for person, words in (("C <c>", "no mail address"), ("C <referee@club.example>", "our own|referee's own")):
        with pytest.raises(ConfigError, match=words):
            house.act(f"INVITE RR1 Dora <{DORA}>, {person}")
    assert opengames.signups(house.club, "RR1") == ()
    with pytest.raises(NotFound, match=r"nobody at eve@example\.com has signed up"):
        house.act(f"SIGNUPS RR1 WITHDRAW {EVE}")


def forge(house: PostHouse, number: int, domain: str) -> None:
    """Let so many letters that ask for a seat lie parked, as they would after a flood."""
    raw = house.rows("SELECT raw, arrived FROM letters WHERE status = 'parked' LIMIT 1")[0]
    with house.club.conn:
        for each in range(number):
            sender = f"y{each}@{domain.format(each)}"
            values = [
                f"forged {each} {domain}",
                b"From: " + sender.encode() + b"\r\n" + raw["raw"].partition(b"\r\n")[2],
            ]
            house.club.execute(
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


def test_salt_that_came_with_sign_ups_is_in_all_throws_from_the_opening_on(house: PostHouse) -> None:
    row = open_game(house.club, Proposal(kind="dampfross", board="ireland", rhythm={"days": 7}), 3)
    end = seed_of_turn(row.chain, CHAIN_END)
    for sender, text in ((CECIL, "RAILWAY GSW\nSALT pepper"), (DORA, "RAILWAY BNC"), (EVE, "RAILWAY MGW")):
        question = asked(house, sender, f"{signup_list(house.club, 'RR1').word}\n{text}")
        assert end in text_of(question)
        house.reply(question, "CONFIRM" + ("\nSALT dill" if sender == EVE else ""))
        house.wait(minutes=1)
    assert "Salt for the dice: dill" in house.told(EVE)
    house.act("START RR1")
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
    house.act("START RR1")
    house.tick()
    opening = house.text(CECIL, "Who got which seat")
    assert all(code in opening for code in ("GSW2", "BNC2"))
    house.tick()
    assert house.post(CECIL, "HOME Dublin")
    (kept,) = house.rows("SELECT player, text FROM order_sets")
    assert (kept["player"], "HOME Dublin" in kept["text"]) == ("GSW", True)


def test_what_was_ordered_before_the_game_began_does_not_count_as_in(house: PostHouse) -> None:
    """Its player has not read what was rolled: else HOME alone would have the turn played without that player's track."""
    row = open_game(house.club, Proposal(kind="dampfross", board="ireland", rhythm={"days": 7, "early_delay": 0}), 3)
    word = signup_list(house.club, row.id).word
    for who, orders in ((CECIL, "RAILWAY GSW\nHOME Dublin"), (DORA, "RAILWAY BNC"), (EVE, "RAILWAY MGW")):
        joined(house, who, f"{word}\n{orders}")
    house.wait(minutes=5)
    house.act("START RR1")
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
    assert house.reply(told, "ORDERS RR1 1\nREST AS BEFORE\n1a) (Dublin) - Dun Laoghaire\nEND").turns == ("RR1/1",)
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
    assert [each.name for each in opengames.seated(house.club, "RR1")] == ["Dora Kent"]


@pytest.mark.parametrize("house", [{"club__language": "de"}], indirect=True)
def test_who_tells_no_name_is_called_by_a_word_of_the_clubs_language(house: PostHouse) -> None:
    word = opened(house)
    house.act(f"INVITE RR1 {EVE}")
    house.send(DORA, word, From=DORA)
    question = house.last(DORA)
    assert "also lesen die anderen von dir als Neuling." in line_of(question)
    for letter in (question, house.last(EVE)):
        house.answer(letter, "JOIN" if letter is not question else "CONFIRM")
    house.tick()
    assert [each.name for each in opengames.seated(house.club, "RR1")] == ["Neuling", "Neuling"]


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
    house.act("CLOSE RR1", "no")
    for number in range(45):
        house.write(f"eve@victim{number}.example", word, subject="a seat")
    house.tick()
    assert len([row for row in house.ours() if "victim" in row.recipient]) <= 30
