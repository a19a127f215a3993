"""What answers and newsletters say around a game's own telling, and what comes with them."""

import re
from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.games import game_named
from referee.mail.compose import read_own
from referee.orderbook.reading import MOST_UNREAD
from referee.report.ics import DayWriter
from referee.service.club import Club
from referee.service.turns import newsletters as told
from referee.service.turns.gamefile import parse_player
from referee.service.turns.turnnews import TurnNews
from referee.store import OutboxRow, PlayerRow, change, transaction
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of

# What answers and newsletters say around a game's own telling, and where mail programs show them.


ZED = "zed@example.org"


def answer(house: PostHouse, *letters: str, subject: str = "Re: [RR1] turn") -> str:
    """Return the answer to the last of some letters of Ann's, as one line."""
    for text in letters:
        house.wait(minutes=1)
        house.send(ANN, text, subject=subject)
    return house.told(ANN)


def begin(house: PostHouse, kind: str, board: str) -> str:
    """Begin a game of Ann's, Bob's and Zed's, and return its opening as one line."""
    written = zip(("A", "B", "C"), ("red", "blue", "green"), (ANN, BOB, ZED), strict=True)
    players = tuple(
        parse_player(f"{code}{code}{code}:{colour}:{code} <{address}>") for code, colour, address in written
    )
    house.new(kind, board, *players, rhythm={"early_delay": 3}, root="root")
    house.tick()
    return line_of(house.post(ANN)[0])


def test_what_is_on_file_in_each_game_is_told_in_the_words_of_that_game(house: PostHouse) -> None:
    begin(house, "dampfross", "ireland")
    begin(house, "volldampf", "deutschland-1925")
    told = answer(house, "STATUS", subject="a question")
    assert "You play in more than one game" in told
    stands, bids = "Without orders your company stands still", "Without orders, of what is asked now: no bonds"
    assert told.index("RR1: on file") < told.index(stands) < told.index("RR2: on file") < told.index(bids)
    told = answer(house, "ORDERS RR1 1\nHOME Belfst\n1a) (Belfast) - AD6\nEND", "STATUS", subject="a question")
    assert "Belfast is not on your network" in told


@pytest.mark.parametrize(("kind", "board"), [("dampfross", "ireland"), ("volldampf", "deutschland-1925")])
def test_an_opening_tells_when_turns_are_played(house: PostHouse, kind: str, board: str) -> None:
    opening = begin(house, kind, board)
    assert opening.count("in order the turn is played 3 hours after the last letter") == 1


@pytest.mark.parametrize(
    ("kind", "board", "form"),
    [
        ("dampfross", "ireland", "ORDERS RR1 1 HOME 1a) 1b) 1c) END"),
        ("volldampf", "deutschland-1925", "ORDERS RR1 1 BONDS LIMIT RANK END"),
    ],
)
def test_who_does_not_know_how_an_order_begins_is_shown_the_form(
    house: PostHouse, kind: str, board: str, form: str
) -> None:
    """Once, and not to who made another mistake; to who has nothing on file also below their prose."""
    begin(house, kind, board)
    assert f"a form like this: {form}" in answer(house, "I should like to be first everywhere.")
    told = answer(house, "ORDERS\nI should like the cheapest\nand then all of it\nEND")
    assert told.count("'and then all of it' does not begin like an order") == 1
    assert told.count(f"What is asked now is ordered on a form like this: {form}") == 1
    assert "a form like this" not in answer(house, "ORDERS\n7a) (Atlantis) - X17\nEND")


def test_of_a_long_text_only_the_first_lines_are_told(race: PostHouse) -> None:
    told = answer(race, "".join(f"Verse {number} of a long poem\n" for number in range(MOST_UNREAD + 1)))
    assert f"- line {MOST_UNREAD}: Verse {MOST_UNREAD - 1} of a long poem - and 1 more line On file" in told
    told = answer(race, "".join(f"Verse {number} of a long poem\n" for number in range(MOST_UNREAD + 40)))
    assert "- and 40 more lines" in told


def test_all_letters_of_a_game_to_a_player_are_one_thread(race: PostHouse) -> None:
    for _ in range(3):
        race.wait(hours=1)
        race.write(ANN, "STEP 1")
        race.send(BOB, "STEP 1")
    opening, *news = [letter for letter in race.post(ANN) if letter["Auto-Submitted"] == "auto-generated"]
    assert (opening["References"], opening["In-Reply-To"]) == (None, None)
    before = opening
    for letter in news:
        assert letter["In-Reply-To"] == before["Message-ID"]
        assert letter["References"].split()[0] == opening["Message-ID"]
        assert letter["References"].split()[-1] == before["Message-ID"]
        before = letter
    assert len(news) == 3


def test_a_replay_plays_orders_in_order_of_play(house: PostHouse) -> None:
    """The tiny game tells steps in the order in which orders are handed in, and Zed sits before Ann."""
    players = (parse_player(f"ZED:red:Zed <{ZED}>"), parse_player(f"ANN:blue:Ann <{ANN}>"))
    house.new("tinyrace", "line", *players, root="root of the chain")
    house.write(ANN, "STEP 1")
    assert house.send(ZED, "STEP 2").turns == ("RR1/1",)
    events = house.value("SELECT events FROM turns WHERE turn = 1")
    assert events.index("ZED") < events.index("ANN")
    assert house.differences() == [(), ()]


def test_a_heading_names_the_board_by_its_title(house: PostHouse, tmp_path: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text(game_named("dampfross").board_text("ireland"), "utf-8")
    players = tuple(
        parse_player(f"{code}:{colour}:{code} <{code.lower()}@example.org>")
        for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
    )
    house.new("dampfross", str(file), *players)
    house.tick()
    assert "RR1: Dampfross, map Ireland\n" in text_of(house.post("gsw@example.org")[0])


# The order desk comes with the opening, under a name and with a sentence that say what it is, and again to who asks for it.


PLAYERS = (f"GSW:red:Ann <{ANN}>", f"BOB:blue:Bob <{BOB}>", "CYD:green:Cyd <cyd@example.org>")
DESK = "order-desk-RR1-turn-1.html"


def begun(folder: Path, kind: str, **settings: str) -> PostHouse:
    house = PostHouse(folder, **({"players__attach": ""} | settings))
    board = {"dampfross": "ireland", "volldampf": ""}[kind]
    house.new(kind, board, *PLAYERS)
    house.tick()
    return house


@pytest.fixture
def desked(tmp_path: Path) -> Iterator[PostHouse]:
    with begun(tmp_path / "club", "dampfross") as made:
        yield made


def files(letter: EmailMessage) -> list[str]:
    return [str(part.get_filename()) for part in letter.iter_attachments()]


def asked(house: PostHouse, text: str) -> EmailMessage:
    house.wait(minutes=1)
    house.send(ANN, text)
    return house.last(ANN)


@pytest.mark.parametrize("kind", ["dampfross", "volldampf"])
def test_the_opening_brings_it_and_says_so_before_the_form(tmp_path: Path, kind: str) -> None:
    with begun(tmp_path / "club", kind) as house:
        (opening,) = house.post(ANN)
        assert DESK in files(opening)
        words = line_of(opening)
        assert words.index("Deadline: ") < words.index("LANGUAGE")
        assert words.index("draw your orders on the board") < words.index("ORDERS RR1 1")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"players__attach": "svg"}, ""),
        (
            {"publish__folder": "www", "publish__url": "https://club.example/"},
            "https://club.example/RR1/desk/RR1-1.html",
        ),
    ],
    ids=["other files are named", "it is published"],
)
def test_it_is_no_file_where_others_are_named_or_a_link_leads_to_it(
    tmp_path: Path, settings: dict[str, str], words: str
) -> None:
    with begun(tmp_path / "club", "dampfross", **settings) as house:
        (opening,) = house.post(ANN)
        assert (DESK in files(opening), words in text_of(opening)) == (False, True)


def test_after_attach_desk_map_and_resend_bring_it_and_a_pdf(desked: PostHouse) -> None:
    assert "ATTACH DESK brings it" in line_of(asked(desked, "HELP"))
    asked(desked, "ATTACH DESK PDF")
    for word, pdf in (("MAP", "RR1-turn-0.pdf"), ("RESEND", "RR1-turn-0.pdf")):
        found = files(asked(desked, word))
        assert (DESK in found, pdf in found) == (True, True), (word, found)
    asked(desked, "ATTACH NONE")
    assert DESK not in files(asked(desked, "MAP"))


@pytest.mark.parametrize("words", ["MAP\nATTACH DESK", "ATTACH DESK\nMAP"])
def test_a_board_comes_with_the_files_that_its_letter_is_the_first_to_wish(desked: PostHouse, words: str) -> None:
    asked(desked, "ATTACH NONE")
    assert DESK in files(asked(desked, words))


@pytest.mark.parametrize(("kind", "words"), [("dampfross", "Rolls of round 1"), ("volldampf", "What is asked next")])
def test_a_reminder_tells_what_is_asked_again_and_brings_the_form(tmp_path: Path, kind: str, words: str) -> None:
    with begun(tmp_path / "club", kind, deadlines__reminders="24") as house:
        house.later(days=13, hours=8)
        told = house.text(ANN, "your orders are missing")
        assert words in told
        assert told.index(words) < told.index("ORDERS RR1 1")
        assert "order desk" not in told


def test_a_reminder_leads_to_the_order_desk_where_the_club_has_pages(tmp_path: Path) -> None:
    place, url = f"{tmp_path}/www", "https://club.example/"
    settings = {"publish__folder": place, "publish__url": url, "players__format": "html", "deadlines__reminders": "24"}
    with begun(tmp_path / "club", "dampfross", **settings) as house:
        house.later(days=13, hours=8)
        letter = house.last(ANN, "your orders are missing")
        link, page = f"{url}RR1/desk/RR1-1.html#c=GSW", letter.get_body(("html",))
        assert f"open the order desk:\n{link}" in text_of(letter)
        assert page
        button, *more = re.findall(rf'<a href="{link}[^>]*>([^<]*)<', page.get_content())
        assert (button, more) == ("Draw your orders on the board: the order desk", [])


# The club's name stands in every letter: in its text, in its page, and beside the referee's address.


CLUB = "Eisenbahnfreunde <Süd>"
KINDS = {"signup", "newsletter", "acknowledgement", "reminder", "deadline", "command", "note"}


def test_the_name_of_the_club_stands_in_every_letter(club: Clubs) -> None:
    settings = {"club.name": CLUB, "players.format": "html", "deadlines.reminders": "48"}
    house = club(identity__policy="token", mail__umpire_newsletters=True, **settings)
    house.open(2)
    house.act(f"INVITE RR1 Ann <{ANN}>, Bob <{BOB}>")
    house.tick()
    for player in (ANN, BOB):
        house.answer(player, "CONFIRM")
    house.tick()
    house.act("START RR1")
    house.tick()
    house.answer(ANN, "STEP 1\nNOTE\nHello.\nEND NOTE")
    house.reply(BOB, "HELP")
    house.later(days=6)
    house.act("DEADLINE RR1 2027-01-20 20:00", "Holidays.")
    house.write(UMPIRE, "LOG RR1", "a question")
    house.reply(BOB, "STEP 2")
    letters = house.ours()
    assert {each.kind for each in letters} >= KINDS
    for row in letters:
        letter = read_own(row.raw)
        assert text_of(letter).rstrip().endswith(f"\n{CLUB}"), row.kind
        page = letter.get_body(("html",))
        assert page is None or "Eisenbahnfreunde &lt;Süd&gt;</p>" in page.get_content(), row.kind
        assert str(letter["From"].addresses[0].display_name) == f"The Referee, {CLUB}"
    assert sum(read_own(row.raw).get_body(("html",)) is not None for row in letters) > len(letters) / 2


# What all readers of a newsletter are told alike is made once, and every letter is what it would be by itself.


PEOPLE = {"GSW": ("red", "ann"), "MGW": ("blue", "bob"), "BNC": ("green", "cyd"), "DSE": ("black", "dan")}
ZONES = {"MGW": "Europe/Dublin", "DSE": "Asia/Tokyo"}  # the others have the club's


@pytest.fixture
def started(house: PostHouse) -> PostHouse:
    """A game of four players in three zones."""
    seats = tuple(
        parse_player(f"{code}:{colour}:{name} <{name}@example.org>") for code, (colour, name) in PEOPLE.items()
    )
    house.new("dampfross", "ireland", *seats, rhythm={"days": 7})
    with transaction(house.club):
        for code, zone in ZONES.items():
            change(house.club, "UPDATE players SET zone = ? WHERE code = ?", zone, code)
    house.tick()
    house.send("ann@example.org", "1a) (Dublin) - Y17\nPRESS: All aboard!")
    house.wait(days=8)
    return house


def test_each_letter_is_what_it_would_be_by_itself(started: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def told_both_ways(club: Club, turn: TurnNews) -> tuple[OutboxRow, ...]:
        made, enclosed = told.newsletters(club, turn), told._Telling.to

        def by_itself(self: told._Telling, reader: PlayerRow, code: str | None) -> dict[str, object]:
            return {name: value for name, value in enclosed(self, reader, code).items() if name != "once"}

        with monkeypatch.context() as patch:
            patch.setattr(told._Telling, "to", by_itself)
            assert told.newsletters(club, turn) == made
        compared.append(len(made))
        return made

    monkeypatch.setattr("referee.service.turns.adjudicate.newsletters", told_both_ways)
    assert started.tick().turns == ("RR1/1",)
    assert compared == [len(PEOPLE)]
    texts = [started.text(f"{name}@example.org") for _, name in PEOPLE.values()]
    assert all("All aboard!" in text for text in texts)
    assert ["(Asia/Tokyo)" in text for text in texts] == [code == "DSE" for code in PEOPLE]
    assert len(set(texts)) == len(texts), "each has a form of their own"


def test_what_is_told_alike_is_made_once_for_a_zone(started: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[DayWriter] = []
    plain = DayWriter.deadline

    def counted(self: DayWriter, value: datetime) -> str:
        asked.append(self)
        return plain(self, value)

    monkeypatch.setattr(DayWriter, "deadline", counted)
    assert started.tick_again().turns == ("RR1/1",)
    zones = {*ZONES.values(), started.club.config.zone}
    assert len(asked) <= 3 * len(zones) + 1  # in words, on the page and beside its subject
