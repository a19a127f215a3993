"""Letters that change some of the orders on file, forms that come back, and how little the answers say."""

import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.mail.letter.htmltext import html_text
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player, read_proposal
from referee.service.umpire.overview import read_as
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of

# Letters that change some of the orders on file and keep the rest.


FILED = "HOME Dublin\n1a) none\n1b) none\n1c) (Dublin) - AB16"
OPENING = "BONDS 3\nLIMIT 4\nRANK 1, 2"


def begin(
    house: PostHouse,
    kind: str = "dampfross",
    board: str = "ireland",
    codes: str = "GSW MGW BNC",
    *,
    pairs: bool = False,
    **more: object,
) -> None:
    seats = zip(codes.split(), ("red", "blue", "green"), ("Ann", "Bob", "Cyd"), strict=False)
    players = tuple(
        parse_player(f"{code}:{colour}:{name} <{name.lower()}@example.{'net' if name == 'Bob' else 'org'}>")
        for code, colour, name in seats
    )
    if pairs:
        seconds = (("AAA", "orange"), ("BBB", "black"))
        players = tuple(
            replace(seat, second_code=code, second_colour=colour)
            for seat, (code, colour) in zip(players, seconds, strict=True)
        )
    new_game(house.club, Proposal(kind=kind, board=board, players=players, **more), root="root of the chain")  # type: ignore[arg-type]
    house.tick()


def write(house: PostHouse, *letters: str) -> str:
    """Send letters of Ann's, a minute apart; return the answer to the last."""
    for text in letters:
        house.wait(minutes=1)
        house.send(ANN, text)
    return house.told(ANN)


def on_file(house: PostHouse) -> tuple[str, bool]:
    """Return the lines of Ann's newest set, and whether it is clean."""
    row = house.rows("SELECT text, clean FROM order_sets WHERE NOT withdrawn ORDER BY id DESC LIMIT 1")[0]
    return str(row["text"]), bool(row["clean"])


def test_what_is_withdrawn_without_such_words_is_told_loudly(house: PostHouse) -> None:
    begin(house)
    told = write(house, FILED, "HOME Dublin\n1b) none")
    lost = told.partition("THIS LETTER WITHDRAWS")[2].partition("On file")[0]
    assert "1a) none" in lost
    assert "1c) (Dublin) - AB16" in lost
    assert "HOME" not in lost


def test_each_company_keeps_its_own_lines(house: PostHouse) -> None:
    begin(house, codes="GSW MGW", pairs=True)
    write(house, "HOME Dublin\n1a) none\n1c) none\nFOR AAA\nHOME Belfast\n1a) none\n1b) none")
    write(house, "1c) (Dublin) - AB17\nFOR AAA\n1a) same as before\n1b) (Belfast) - AD8\nrest as before")
    kept = "HOME Dublin\n1a) none\n1c) (Dublin) - AB17\nFOR AAA\nHOME Belfast\n1a) none\n1b) (Belfast) - AD8"
    assert on_file(house)[0] == kept
    lost = (
        write(house, "HOME Dublin\n1a) none\n1c) none\nFOR AAA\nHOME Belfast\n1b) none")
        .partition("THIS LETTER WITHDRAWS")[2]
        .partition("On file")[0]
    )
    assert lost.split(":")[1].split()[:4] == ["FOR", "AAA", "1a)", "none"]


def test_of_volldampf_too_it_is_told_what_is_withdrawn(house: PostHouse) -> None:
    begin(house, "volldampf", "deutschland-1925", "ANN BOB CYD", preset="post")
    told = write(house, OPENING, "LIMIT 5")
    lost = told.partition("THIS LETTER WITHDRAWS")[2].partition("On file")[0]
    assert "BONDS 3" in lost
    assert "RANK 1, 2" in lost
    assert "LIMIT" not in lost


def test_the_umpire_reads_such_a_letter_as_it_would_be_filed(house: PostHouse) -> None:
    begin(house)
    write(house, FILED)
    told = read_as(house.club, f"From: {ANN}\nSubject: [RR1]\n\n1c) none, rest as before\n".encode())
    assert told is not None
    assert told["orders"] == ["HOME Dublin", "1a) none", "1b) none", "1c) none"]
    assert on_file(house) == (FILED, True)


def test_a_reminder_says_nothing_of_the_letter_that_kept_the_rest(house: PostHouse) -> None:
    begin(house, rhythm={"days": 7, "reminders": "72"})
    write(house, FILED.replace("1a) none", "1a) (Dublin) - Z3"), "1b) none\nREST AS BEFORE")
    house.later(days=4, hours=9)
    told = house.text(ANN, "your orders have errors")
    assert "Not in order" in told
    assert "those of this letter" not in " ".join(told.split())


def test_a_corrected_line_alone_does_not_take_the_place_of_the_others_in_silence(house: PostHouse) -> None:
    """Who was asked for a corrected set and sends the one line is asked back; all lines, or CONFIRM, count."""
    begin(house)
    alone = "HOME Dublin\n1b) (Dublin) - AA19"
    told = write(house, "HOME Dublin\n1a) (Dublin) - AA18\n1b) (Dublin) - Z3\n1c) none", alone)
    assert "the corrected ones alone below a line REST AS BEFORE" in told
    assert "this letter has fewer lines than the one with faults before it" in told
    assert on_file(house) == (alone, False)
    told = write(house, "HOME Dublin\n1a) (Dublin) - AA18\n1b) (Dublin) - AA19\n1c) none")
    assert "fewer lines" not in told
    assert on_file(house)[1]
    write(house, "1a) (Dublin) - Z3", f"{alone}\nCONFIRM")
    assert on_file(house)[0] == alone


RACES = """
[position]
round = 12
homes = { GSW = "Dublin", MGW = "Dublin", BNC = "Belfast" }
races = [
  { number = 36, start = 12, end = 15, round = 12 },
  { number = 35, start = 21, end = 16, round = 12 },
]

[position.track]
GSW = ["Dublin - Drogheda"]
"""


@pytest.mark.parametrize("line", ["RUN 35: none", "RUN 35: -", "FAHRT 35: nichts"])
def test_a_line_that_stays_is_taken_out_by_none(house: PostHouse, line: str) -> None:
    """That no train can run in a race is no reason to have the fault told with each letter."""
    file = house.folder / "game.toml"
    seats = (
        ("GSW", "red", "Ann", ANN),
        ("MGW", "blue", "Bob", "bob@example.net"),
        ("BNC", "green", "Cyd", "cyd@example.org"),
    )
    names = ("code", "colour", "name", "address")
    players = ("".join(f'{key} = "{value}"\n' for key, value in zip(names, seat, strict=True)) for seat in seats)
    file.write_text(
        'game = "dampfross"\nmap = "ireland"\n' + RACES + "[[player]]\n" + "[[player]]\n".join(players), "utf-8"
    )
    new_game(house.club, read_proposal(file), root="root of the chain")
    house.tick()
    said = write(house, "ORDERS RR1 12\nRUN 36: FASTEST\nRUN 35: FASTEST\nEND")
    assert "nobody's track joins Belfast and Dundalk" in said
    said = write(house, f"REST AS BEFORE\n{line}")
    assert "nobody's track" not in said
    assert "WITHDRAWS what you had on file" in said
    assert "Your orders are in." in said
    assert "RUN 36: FASTEST" in said


def test_the_rest_stays_where_the_umpire_rules_or_takes_such_a_letter_too_late(house: PostHouse) -> None:
    begin(house)
    write(house, FILED, "1b) (Dublin) - AA19\nREST AS BEFORE")
    merged = (FILED.replace("1b) none", "1b) (Dublin) - AA19"), True)
    assert on_file(house) == merged
    for _ in range(2):
        house.act("ADJUST RR1 money.GSW+=5", "A present.")
    assert on_file(house) == merged
    for sender in ("bob@example.net", "cyd@example.org"):
        house.write(sender, FILED)
    assert house.tick().turns == ("RR1/1",)
    write(house, "ORDERS RR1 1\n1c) none\nREST AS BEFORE\nEND")
    house.act("UNDO RR1 1", "Ann's letter was late.")
    number = house.value("SELECT max(id) FROM letters")
    house.act(f"ACCEPT {number}")
    assert on_file(house)[0] == merged[0].replace("1c) (Dublin) - AB16", "1c) none")


# The form of a newsletter is filled in with what is on file for the turn already.


DECIDED = "2b) (AA18) - Z17"


@pytest.fixture
def newsletter(house: PostHouse) -> EmailMessage:
    """Ann's newsletter of the first turn; her orders for the second were there before it was played."""
    begin(house)
    house.send(ANN, "ORDERS RR1 1\nHOME Dublin\n1a) (Dublin) - AA18\nEND")
    house.wait(minutes=1)
    house.send(ANN, f"ORDERS RR1 2\n{DECIDED}\nEND")
    house.write(BOB, "HOME Belfast")
    assert house.send("cyd@example.org", "PASS").turns == ("RR1/1",)
    house.tick()
    return house.last(ANN, "Ireland: round 1")


def form_of(letter: EmailMessage) -> list[str]:
    text = text_of(letter)
    return text[text.index("\nORDERS RR1 2\n") :].partition("\nEND\n")[0].strip().split("\n")


def sets(house: PostHouse) -> list[str]:
    return house.column("SELECT text FROM order_sets WHERE turn = 2 AND player = 'GSW'")


def answer(house: PostHouse, newsletter: EmailMessage, was: str = "", now: str = "") -> str:
    """Answer a newsletter, quoted with a line of its form written anew; return the answer to that."""
    house.wait(hours=1)
    quoted = text_of(newsletter)
    assert quoted.count(was) == 1 or not was
    quoted = quoted.replace(was, now) if was else quoted
    house.reply(
        newsletter, "Hi\n\nOn Monday Railway Referee wrote:\n" + "".join(f"> {x}\n" for x in quoted.split("\n"))
    )
    return house.told(ANN)


def test_the_form_has_the_lines_that_were_sent_beforehand(house: PostHouse, newsletter: EmailMessage) -> None:
    assert form_of(newsletter) == ["ORDERS RR1 2", "2a)", DECIDED, "2c)"]
    page = newsletter.get_body(("html",))
    assert page is not None
    assert f"2a)\n{DECIDED}\n2c)" in page.get_content().replace("\r\n", "\n")
    assert form_of(house.last(BOB, "Ireland: round 1")) == ["ORDERS RR1 2", "2a)", "2b)", "2c)"]


def test_a_line_that_comes_back_as_it_was_stays_as_it_is_on_file(house: PostHouse, newsletter: EmailMessage) -> None:
    """It orders nothing anew, by itself or beside a line that was filled in, and that one does not withdraw it."""
    assert sets(house) == [DECIDED]
    answer(house, newsletter)
    assert sets(house) == [DECIDED]
    told = answer(house, newsletter, "2a)\n", "2a) (AA18) - AA17\n")
    assert sets(house) == [DECIDED, f"{DECIDED}\n2a) (AA18) - AA17"]
    assert "You filled in the order form where you quoted it: its lines count." in told
    assert "The orders of this letter will run. Your orders are in." in told
    assert "withdrawn" not in told


def test_a_corrected_newsletter_has_what_stays_on_file(house: PostHouse, newsletter: EmailMessage) -> None:
    house.act("UNDO RR1 1 PLAY", "Bob's letter came in time.")
    house.tick()
    assert form_of(house.last(ANN, "Ireland: round 1")) == ["ORDERS RR1 2", "2a)", DECIDED, "2c)"]


# What nobody need be told is told to nobody; what is told says first what counts.


ORDERS = "HOME Dublin\n1a) (Dublin) - AB17\n1b) none\n1c) none"
POLITE = (
    "here are mine for the first turn.",
    "Thank you very much!",
    "Sorry for being so late",
    "Good luck to you all",
    "Have a nice weekend",
    "Viel Glück euch allen",
    "Bonne chance à tous",
    "Veel succes allemaal",
)


def answer_to(house: PostHouse, text: str) -> str:
    house.wait(minutes=1)
    return house.says(ANN, text)


@pytest.mark.parametrize("line", POLITE)
def test_a_polite_line_is_not_mailed_to_the_umpire(house: PostHouse, line: str) -> None:
    begin(house)
    answer_to(house, f"Hi Peter,\n{line}\n\n{ORDERS}\n")
    assert house.post(UMPIRE) == []


def test_of_a_faulty_second_set_the_answer_says_first_that_it_will_not_run(house: PostHouse) -> None:
    begin(house)
    assert "WILL NOT RUN" not in answer_to(house, ORDERS)
    told = answer_to(house, ORDERS.replace("1b) none", "1b) (AZ1) - AB3"))
    assert told.index("WILL NOT RUN as they stand") < told.index("HOME Dublin") < told.index("have faults")


@pytest.mark.parametrize("signature", ["Railway poet", "Name: Ann", "Join us on the net"])
def test_a_signature_is_told_to_nobody(house: PostHouse, signature: str) -> None:
    begin(house)
    assert "below your signature" not in answer_to(house, f"{ORDERS}\n-- \nAnn\n{signature}\n")


# What is wrong with a line of a letter stands below the order that came of it, in text and on the page.


LETTERS = (
    (
        "dampfross",
        "ireland",
        "HOME Dublin\n1a) (Dublin) - AB17\n1b) (AZ1) - AB3\n1c) none",
        r"1b\) none Not in order: line 3: hex 'AZ1' is not on this map .{20,40} roll 3",
    ),
    (
        "volldampf",
        "deutschland-1925",
        "BONDS 30\nLIMIT 4\nRANK 1, 2",
        r"BONDS 30 .{0,400}(?:Beware|Please note|Not in order): line 1: .*LIMIT 4",
    ),
)


@pytest.mark.parametrize(("kind", "board", "text", "told"), LETTERS, ids=["dampfross", "volldampf"])
def test_a_complaint_stands_below_its_line(house: PostHouse, kind: str, board: str, text: str, told: str) -> None:
    begin(house, kind, board)
    house.send(ANN, text)
    answer = house.last(ANN)
    page = answer.get_body(("html",))
    assert page is not None
    for version in (text_of(answer), html_text(str(page.get_content()))):
        assert re.search(told, " ".join(re.sub("[|>]", " ", version).split())), version
    assert "nothing of this can be laid" not in text_of(answer)


# The same orders as thirty-four programs and hands send them (``programs/*.eml``): each arrives as it was meant.


PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.eml"))
MEANT = ("HOME Dublin", "1a) (Dublin) - AB17", "1b) none", "1c) (AB17) - AB16")


@pytest.mark.parametrize("letter", PROGRAMS, ids=lambda path: path.stem)
def test_a_letter_arrives_as_it_was_meant(house: PostHouse, letter: Path) -> None:
    """It is filed, clean, and nothing in it is told as not read, left to the umpire or waiting for a word."""
    begin(house)
    house.wait(hours=1)
    house.drop(letter.read_bytes())
    house.tick()
    told = house.told(ANN)
    rows = house.rows("SELECT * FROM order_sets")
    assert [bool(row["clean"]) for row in rows] == [True], told
    assert all(line in told.partition("On file for turn 1")[0] for line in MEANT), told
    assert "The orders of this letter will run." in told
    assert "not read as orders" not in told
    assert house.post(UMPIRE) == []


def test_there_are_as_many_as_the_page_says() -> None:
    assert len(PROGRAMS) == 34


# The answer never grows with the letter: at most 3 kB of any letter is shown, to its player and to the umpire.


LONG_LETTERS = {
    "a line of 520 kB of words": "steam " * 87_000,
    "a word of 520 kB": "x" * 520_000,
    "an order of 500 kB": "1a) (Dublin) - " + "AB17 - " * 70_000,
    "an order without sense": "1b) " + "zq " * 170_000,
    "3,000 lines that ask": "\n".join(f"I would like to know {number} why" for number in range(2900)),
    "190 faulty orders": "\n".join(f"1a) (Dublin) - ZZ{number} {'y' * 150}" for number in range(190)),
    "2,000 lines below a signature": "1a) none\n-- \n" + "1b) (Dublin) - AB17 \n" * 2000,
    "press of 480 kB": "PRESS: " + "steam " * 80_000,
}


@pytest.mark.parametrize("text", LONG_LETTERS.values(), ids=LONG_LETTERS)
def test_the_answer_never_grows_with_the_letter(house: PostHouse, text: str) -> None:
    begin(house)
    before = len(house.ours())
    house.send("ann@example.org", text)
    sizes = [len(row.raw) for row in house.ours()[before:]]
    assert sizes
    assert max(sizes) < 36_000


def lines(tag: str, count: int, line: str) -> str:
    """Return so many lines of sixty words each, by which their writer's words are known again in an answer."""
    words = " ".join(f"{tag}{number}" for number in range(60))
    return "\n".join(line.format(number, words) for number in range(count))


@pytest.mark.parametrize("block", ["", "ORDERS RR1 1\n"])
def test_of_a_letter_that_is_long_in_every_way_three_kilobytes_are_shown(house: PostHouse, block: str) -> None:
    begin(house)
    texts = "\n".join(
        f"{head}: {lines('W', 18, '{1}')}\nEND PRESS" for head in ("PRESS", "PRESS TO MGW", "PRESS TO BNC")
    )
    faults = lines("W", 30, "1b) (Dublin) - ZZ{0} {1}") + "\n\n" + lines("W", 30, "Belfast - AC{0} is {1}")
    house.send("ann@example.org", f"{block}{faults}\n{'END' if block else ''}\n{lines('W', 30, 'Why {1}?')}\n{texts}")
    told = house.text("ann@", containing="Your letter")
    assert sum(len(word) + 1 for word in told.split() if word.strip("'?.,").startswith("W")) < 3_500


LONG = " ".join(f"word{number}" for number in range(900))


@pytest.mark.parametrize(
    ("text", "whole"),
    [(f"PRESS: {LONG}", 3), (f"NOTE: {LONG}", 0), (f"PRESS TO MGW: {LONG}", 1)],
)
def test_of_long_press_and_notes_the_beginning_is_shown_and_all_is_printed(
    house: PostHouse, text: str, whole: int
) -> None:
    begin(house)
    before = len(house.ours())
    for player in ("bob@example.net", "cyd@example.org", "ann@example.org"):
        house.write(player, f"PASS\n\n{text if 'ann' in player else ''}")
    house.tick()
    sent = [text_of(each) for each in house.post()[before:] if "@club" not in str(each["To"])]
    assert sum("word899" in each for each in sent) == whole
    answer = house.told("ann@", containing="Your letter")
    assert "beginning alone; all of it is kept" in answer
    assert "word400" not in answer


def test_nor_does_the_question_whether_a_letter_is_ones_own(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", **{"identity.policy": "token"}) as house:
        begin(house)
        house.send("ann@example.org", f"HOME Dublin\n\nPRESS: {LONG}\nEND PRESS\n\nNOTE: {LONG}")
        asked = house.told(containing="Is this letter yours?")
    assert asked.count("beginning alone") == 2
    assert "word400" not in asked
