"""Forms and letters of ours that come back quoted or attached: what of them orders something, and what is asked back."""

import re
from collections.abc import Callable
from email.message import EmailMessage

import pytest

from tests.mail.documents import docx, letter_with, odt, paragraphs
from tests.posthouse import ANN, REFEREE, UMPIRE, Clubs, PostHouse, text_of
from tests.secrecy import codes_in_text
from tests.service.test_dampfross_letters import BOB, CYD, begin, builds_told, told
from tests.tables import Tables

CASES = Tables(__file__)

# The order form filled in where a mail program quotes it.


QUOTED = "You filled in the order form where you quoted it: its lines count."
WILL_RUN = "The orders of this letter will run."
Program = Callable[[str], str]


def marked(text: str) -> str:
    lines = "".join(f"> {line}".rstrip() + "\n" for line in text.split("\n"))
    return f"On Mon, 7 Dec 2026 at 13:00, Railway Referee <{REFEREE}> wrote:\n{lines}"


def outlook(text: str) -> str:
    header = f"From: Railway Referee <{REFEREE}>\nSent: Monday, 7 December 2026 13:00\nTo: Ann <{ANN}>\nSubject: [RR1] turn 1\n"
    return f"\n________________________________\n{header}\n{text}"


def old_outlook(text: str) -> str:
    header = f"From: Railway Referee [mailto:{REFEREE}]\nSent: Monday, 7 December 2026 13:00\nTo: Ann\nSubject: [RR1] turn 1\n"
    return f"\n-----Original Message-----\n{header}\n{text}"


def yahoo(text: str) -> str:
    return f"\nOn Monday, December 7, 2026, 13:00:00 GMT, Railway Referee <{REFEREE}> wrote:\n\n{text}"


def bare(text: str) -> str:
    return f"\n{text}"


def twice_marked(text: str) -> str:
    return "".join(f">> {line}\n" for line in text.split("\n"))


PROGRAMS = (marked, outlook, old_outlook, yahoo, bare, twice_marked)
every_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)


@pytest.fixture
def newsletter(begun: PostHouse) -> EmailMessage:
    return begun.post(ANN)[0]


def filled(newsletter: EmailMessage, *lines: str) -> str:
    """Return our letter with lines written into its form."""
    text = text_of(newsletter)
    assert text.count("ORDERS RR1 1\n") == 1
    before, form, behind = text.partition("ORDERS RR1 1\n")
    blank, end, rest = behind.partition("END\n")
    assert blank == "STEP\n"
    return before + form + "\n".join(lines) + "\n" + end + rest


def answer_to(house: PostHouse, newsletter: EmailMessage, text: str) -> str:
    house.wait(minutes=1)
    house.reply(newsletter, text)
    return house.told(ANN)


def sets(house: PostHouse) -> list[tuple[str, bool, bool]]:
    """Return of each set its lines, whether it is clean, and whether it waits for a word."""
    return [
        (row["text"], bool(row["clean"]), bool(row["doubtful"]))
        for row in house.rows("SELECT text, clean, doubtful FROM order_sets")
    ]


@every_program
def test_a_form_that_is_filled_in_where_it_is_quoted_counts(
    house: PostHouse, newsletter: EmailMessage, program: Program
) -> None:
    told = answer_to(house, newsletter, "Hi, see below.\n\nAnn\n" + program(filled(newsletter, "STEP 2")))
    assert sets(house) == [("STEP 2", True, False)]
    assert WILL_RUN in told


@pytest.mark.parametrize("program", [marked, outlook, old_outlook, yahoo], ids=lambda program: program.__name__)
def test_the_answer_says_so(house: PostHouse, newsletter: EmailMessage, program: Program) -> None:
    assert QUOTED in answer_to(house, newsletter, program(filled(newsletter, "STEP 2")))


@every_program
def test_a_form_that_comes_back_blank_orders_nothing(
    house: PostHouse, newsletter: EmailMessage, program: Program
) -> None:
    told = answer_to(house, newsletter, "What a game!\n" + program(text_of(newsletter)))
    assert sets(house) == []
    assert "Not in order" not in told


@every_program
def test_orders_above_an_empty_form_count_as_ever(house: PostHouse, newsletter: EmailMessage, program: Program) -> None:
    told = answer_to(house, newsletter, "STEP 1\n\n" + program(text_of(newsletter)))
    assert sets(house) == [("STEP 1", True, False)]
    assert "quoted" not in told


@every_program
def test_orders_above_and_others_in_the_form_are_asked_back(
    house: PostHouse, newsletter: EmailMessage, program: Program
) -> None:
    told = answer_to(house, newsletter, "STEP 1\n\n" + program(filled(newsletter, "STEP 2")))
    unmarked = program is bare
    assert sets(house) == [("STEP 2" if unmarked else "STEP 1", False, False)]
    assert ("'STEP 1' looks like an order" if unmarked else "Orders stand above, and others in the form") in told
    assert "will run" in answer_to(house, newsletter, "CONFIRM")


def test_the_same_orders_above_and_in_the_form_are_one(house: PostHouse, newsletter: EmailMessage) -> None:
    answer_to(house, newsletter, "STEP 2\n\n" + marked(filled(newsletter, "STEP 2")))
    assert sets(house) == [("STEP 2", True, False)]


def test_two_forms_that_say_the_same_are_one(house: PostHouse, newsletter: EmailMessage) -> None:
    text = filled(newsletter, "STEP 2")
    answer_to(house, newsletter, marked(f"{text}\n{text}"))
    assert sets(house) == [("STEP 2", True, False)]


def test_a_form_filled_in_twice_differently_is_not_guessed(house: PostHouse, newsletter: EmailMessage) -> None:
    told = answer_to(house, newsletter, marked(filled(newsletter, "STEP 2") + filled(newsletter, "STEP 1")))
    assert sets(house) == []
    assert "two different sets between ORDERS and END" in told


def test_a_form_of_another_letter_of_the_players_is_asked_back(house: PostHouse, newsletter: EmailMessage) -> None:
    """What was sent once stands in the quotation of that letter too, without what we wrote above it."""
    own = "Hello Peter,\n\nORDERS RR1 1\nSTEP 2\nEND\n\nAnn"
    told = answer_to(house, newsletter, "Did you get this?\n\n" + marked(own))
    assert sets(house) == [("STEP 2", False, True)]
    assert "stood in a quotation, so they stand beside and will not run" in told
    assert "STEP 2" in told
    assert "Nothing on file will run as it stands." in told
    assert "The confirmed orders will run" in answer_to(house, newsletter, "Yes, confirm please.")


def test_other_orders_in_the_quotation_are_asked_back_too(house: PostHouse, newsletter: EmailMessage) -> None:
    told = answer_to(
        house, newsletter, marked("STEP 3 is what I had in mind first\nSTEP 3\n" + filled(newsletter, "STEP 2"))
    )
    assert sets(house) == [("STEP 2", False, True)]
    assert "answer with the one word CONFIRM" in told


def test_a_form_of_another_turn_waits_for_a_word(house: PostHouse, newsletter: EmailMessage) -> None:
    text = filled(newsletter, "STEP 2").replace("ORDERS RR1 1", "ORDERS RR1 4")
    answer_to(house, newsletter, marked(text))
    assert sets(house) == [("STEP 2", False, True)]


# A reply below which a mail program puts our letter without any mark does not order old things again.


@pytest.fixture
def answered(race: PostHouse) -> PostHouse:
    assert "- STEP 1" in race.says(ANN, "STEP 1")
    return race


def on_file(house: PostHouse) -> str:
    return str(house.value("SELECT text FROM order_sets ORDER BY id DESC LIMIT 1"))


def test_our_acknowledgement_below_new_orders_orders_nothing(answered: PostHouse) -> None:
    ours = answered.last(ANN)
    answered.send(ANN, f"STEP 3\n\nThe Referee sa:\n{text_of(ours)}", In_Reply_To=str(ours["Message-ID"]))
    assert on_file(answered) == "STEP 3"


def test_it_is_known_too_where_a_server_gave_our_letter_another_id(answered: PostHouse) -> None:
    text = f"STEP 3\n\nThe Referee sa:\n{answered.text(ANN)}"
    answered.send(ANN, text, References="<0100018c-another-0000@email.amazonses.com>")
    assert on_file(answered) == "STEP 3"


@pytest.mark.parametrize("letters_since", [0, 5])
@pytest.mark.parametrize("which", [0, -1], ids=["the newsletter", "the last letter"])
def test_it_is_known_too_where_a_program_names_no_letter_that_it_answers(
    answered: PostHouse, which: int, letters_since: int
) -> None:
    """As GMX, Zoho and old Hotmail do; here below an announcement that nobody knows."""
    for number in range(letters_since):
        answered.write(ANN, f"STEP {number % 3 + 1}\nPRESS: number {number}")
    answered.tick()
    quoted = text_of(answered.post(ANN)[which])
    answered.send(ANN, f"STEP 3\n\nThe Referee sa:\n{quoted}\nSTEP 3\n")
    assert on_file(answered) == "STEP 3\nSTEP 3"


def test_it_is_known_in_html_that_marks_no_quotation(answered: PostHouse) -> None:
    ours = answered.last(ANN)
    lines = "<br>\r\n".join(text_of(ours).split("\n"))
    head = f"From: {ANN}\r\nSubject: Re: [RR1]\r\nIn-Reply-To: {ours['Message-ID']}\r\nContent-Type: text/html\r\n\r\n"
    raw = f"{head}<div>STEP 3</div><div>The Referee sa:</div><div>{lines}</div>".encode()
    answered.drop(raw)
    answered.tick()
    assert on_file(answered) == "STEP 3"


def test_it_is_known_in_html_of_which_the_plain_text_has_the_answer_alone(answered: PostHouse) -> None:
    ours = answered.last(ANN)
    lines = "<br>\r\n".join(text_of(ours).split("\n"))
    head = f"From: {ANN}\r\nSubject: Re: [RR1]\r\nIn-Reply-To: {ours['Message-ID']}\r\nMIME-Version: 1.0\r\n"
    plain = "--b\r\nContent-Type: text/plain\r\n\r\nSTEP 3\r\n"
    html = f"--b\r\nContent-Type: text/html\r\n\r\n<div>STEP 3</div><div>The Referee sa:</div><div>{lines}</div>\r\n--b--\r\n"
    answered.drop(f"{head}Content-Type: multipart/alternative; boundary=b\r\n\r\n{plain}{html}".encode())
    answered.tick()
    assert on_file(answered) == "STEP 3"


def test_a_form_filled_in_below_our_letter_counts(answered: PostHouse) -> None:
    ours = answered.post(ANN)[0]
    text = text_of(ours).replace("STEP\nEND\n", "STEP 2\nEND\n")
    assert "STEP 2" in text
    answered.send(ANN, f"see below\n\n{text}", In_Reply_To=str(ours["Message-ID"]))
    assert on_file(answered) == "STEP 2"


def test_an_order_copied_out_of_our_letter_counts(answered: PostHouse) -> None:
    ours = answered.last(ANN)
    answered.send(ANN, "Yes, as before:\n\n- STEP 1\n\nGreetings", In_Reply_To=str(ours["Message-ID"]))
    assert len(answered.rows("SELECT * FROM order_sets")) == 2
    assert on_file(answered).endswith("STEP 1")


def test_what_a_player_writes_anew_counts_although_we_said_it_again(answered: PostHouse) -> None:
    """Our answer has quoted the player's lines; a new letter with them that names no letter of ours is no quotation."""
    prose = "Dear referee, how good to hear of you,\nand here is what I would like to order\nwith greetings from the seaside,\n"
    for orders in (
        "STEP 9\nNOTE: The second order is the one that I mean",
        "STEP 1\nNOTE: The second order is the one that I mean",
    ):
        answered.send(ANN, f"{prose}{orders}")
    assert on_file(answered) == "STEP 1"
    assert "line 1: Dear referee" in answered.told(ANN)


# Orders in an attached document, and letters that bring nothing but a file.


FILE = b"%PDF-1.7 \x89PNG"


def answer_to_file(house: PostHouse, raw: bytes) -> str:
    house.drop(raw)
    house.tick()
    return house.told(ANN)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (docx(paragraphs("ORDERS RR1 1", "STEP 2", "END")), "orders.docx"),
        (odt("<text:p>ORDERS RR1 1</text:p><text:p>STEP 2</text:p><text:p>END</text:p>"), "orders.odt"),
    ],
)
@pytest.mark.parametrize("text", ["", "Hi, the orders are attached.\r\n\r\nAnn"])
def test_orders_in_a_document_count(begun: PostHouse, content: bytes, name: str, text: str) -> None:
    told = answer_to_file(begun, letter_with(content, name, text=text))
    assert "STEP 2" in told
    assert "The orders of this letter will run." in told
    assert "This was read from the attached file" in told


@pytest.mark.parametrize(
    ("content", "name", "media", "words"),
    [
        (FILE, "orders.pdf", "application/pdf", "Attachments are not read: orders.pdf."),
        (FILE, "IMG_1.png", "image/png", "Attachments are not read: IMG_1.png."),
        (FILE, "orders.docx", "", "orders.docx is no document that can be opened"),
        (docx(" " * 9_000_000), "orders.docx", "", "orders.docx is far larger than a document with orders"),
    ],
)
@pytest.mark.parametrize("text", ["", "Hi, the orders are attached.\r\n\r\nAnn"])
def test_of_a_file_that_is_not_read_its_name_is_told_and_what_to_do(
    begun: PostHouse, content: bytes, name: str, media: str, words: str, text: str
) -> None:
    told = answer_to_file(begun, letter_with(content, name, media, text=text))
    assert words in told
    assert "Please write your orders into the letter itself." in told
    assert told.count(f"{name}") <= 2
    assert begun.value("SELECT count(*) FROM order_sets") == 0


def test_a_letter_with_orders_is_not_asked_to_hold_them(begun: PostHouse) -> None:
    told = answer_to_file(begun, letter_with(FILE, "map.pdf", "application/pdf", text="STEP 2"))
    assert "Attachments are not read: map.pdf." in told
    assert "into the letter itself" not in told


# What a mail program writes of our header into a reply holds its player's code: no letter and no row says it again.


@pytest.fixture
def unsigned(club: Clubs) -> PostHouse:
    house = club(identity__policy="token", players__unsigned_press=True)
    house.begin()
    return house


def answered_with(house: PostHouse, ours: EmailMessage) -> str:
    """Return what Ann's answer was answered with; no letter to anybody, and nothing on file, holds her code."""
    token = ours["Reply-To"].addresses[0].username.rpartition("-")[2].upper()
    assert len(token) == 8
    assert not any(codes_in_text(file.read_bytes()) for file in house.sent_files())
    kept = house.rows("SELECT text, orders || complaints FROM order_sets UNION ALL SELECT text, '' FROM press")
    assert token not in str([tuple(row) for row in kept]).upper()
    return house.told(ANN)


def gmx(ours: EmailMessage, before: str) -> str:
    """Return a reply as GMX wrote it: header lines without a mark, in an order of its own, and no frame."""
    to = str(ours["Reply-To"]).replace('"', "")
    return f"{before}\n\nGesendet: Montag\nBetreff: {ours['Subject']}\nRe an: {to}\n\nSTEP 1\n"


@CASES.rows
def test_a_code_that_a_letter_quotes_is_said_again_nowhere(unsigned: PostHouse, quoted: str) -> None:
    ours = unsigned.last(ANN)
    address = ours["Reply-To"].addresses[0].addr_spec
    bare = address.partition("+")[2].partition("@")[0]
    unsigned.reply(
        ours,
        quoted.format(
            subject=ours["Subject"],
            address=address,
            bare=bare,
            mailto=address.replace("+", "%2B").replace("@", "%40"),
            broken=bare.replace("-", "-\n"),
        ),
    )
    unsigned.later(days=8)
    assert "RR1" in answered_with(unsigned, ours).upper()
    assert unsigned.post(UMPIRE) or "NOTE" not in quoted


def test_a_reply_whose_header_lines_are_not_known_as_such_is_told_them_without_the_code(unsigned: PostHouse) -> None:
    ours = unsigned.last(ANN)
    unsigned.reply(ours, gmx(ours, "STEP 3\nSTEP"))
    answered_with(unsigned, ours)


def test_a_part_that_is_called_by_our_subject_is_named_without_the_code(unsigned: PostHouse) -> None:
    ours = unsigned.last(ANN)
    head = f"From: Ann <{ANN}>\r\nTo: {ours['Reply-To']}\r\nSubject: Re: {ours['Subject']}\r\nMIME-Version: 1.0\r\n"
    parts = (
        "--b\r\nContent-Type: text/plain\r\n\r\nSTEP 3\r\n"
        f'--b\r\nContent-Type: message/rfc822; name="{ours["Subject"]}.eml"\r\n\r\nSubject: x\r\n\r\nSTEP 1\r\n--b--\r\n'
    )
    unsigned.drop(f"{head}Content-Type: multipart/mixed; boundary=b\r\n\r\n{parts}".encode())
    unsigned.tick()
    assert "Attachments are not read: [RR1] " in answered_with(unsigned, ours)


def test_places_that_look_like_a_code_are_left_as_they_are(unsigned: PostHouse) -> None:
    assert "Y17-Coburg-Augsburg" in unsigned.asks(ANN, "STEP 3\n\nY17-Coburg-Augsburg\n")


# Exact or asked: a line of a player's own that looks like an order and was not read keeps the turn from being played early.


# Each is a way to write two builds that nothing reads.
UNREAD = {
    "a route": "HOME Belfast\nthen AD7 to AC7 and on - with luck - to AB7 it is, I say, whatever the others do",
    "prose": "HOME Belfast\nI would like to build from Belfast to AC7, then from AC7 to AB7",
    "behind a word": "HOME Belfast\nNo, HOME Dublin",
    "behind a bar": "HOME Belfast\n| 1a) (Belfast) - AC7",
    "below much else": "HOME Belfast\n" + "Hello again\n" * 400 + "No, 1a) (Belfast) - AC7",
    "outside": "ORDERS\nHOME Belfast\nEND\n1a) (Belfast) - AC7",
}


@pytest.mark.parametrize("text", UNREAD.values(), ids=UNREAD)
def test_what_may_be_an_order_and_is_not_read_is_asked_and_its_turn_waits(house: PostHouse, text: str) -> None:
    begin(house, "ireland", players=3)
    house.write(BOB, "HOME Dublin")
    house.write(CYD, "HOME Dublin")
    assert house.send(ANN, text).turns == ()
    answer = told(house, ANN)
    _, _, below = answer.partition("Not everything in your letter was understood:")
    assert 0 < below.index("'" + text.splitlines()[-1].lstrip("| ")[:20]) < below.index("Your orders as understood")
    assert not {"These lines were not read", "Not in order"} & {*answer.split(":")}
    assert "please look" in house.last(ANN)["Subject"]
    assert house.send(ANN, "CONFIRM").turns == ("RR1/1",)


def test_where_it_is_written_otherwise_the_turn_is_played(house: PostHouse) -> None:
    begin(house, "ireland", players=3)
    house.write(BOB, "HOME Dublin")
    house.write(CYD, "HOME Dublin")
    assert house.send(
        ANN, "HOME Belfast\n\nHi Peter, 2 more rounds - and then? I loved Dublin. Run 7 was great!\n"
    ).turns == ("RR1/1",)


def test_a_letter_of_such_lines_alone_says_how_they_would_be_written(house: PostHouse) -> None:
    begin(house, "ireland", players=3)
    answer = house.says(ANN, "So 1a from AD7 to AC7 then")
    assert "Not everything in your letter was understood" in answer


def test_two_builds_under_labels_of_her_own_are_built(house: PostHouse) -> None:
    """It was played without her track in the very pass that read the letter."""
    begin(house, "ireland", players=3)
    house.write(BOB, "HOME Dublin")
    house.write(CYD, "HOME Dublin")
    assert house.send(ANN, "HOME Belfast\n1(a) (Belfast) - AC7\n1(b) (AC7) - AB7").turns == ("RR1/1",)
    assert "1a) roll 1: (Belfast) - AC7" in builds_told(house, ANN)


QUOTATIONS = "HOME Belfast\n\n> 1a) (Belfast) - AC7\n"


def test_orders_behind_a_mark_that_are_no_letter_of_ours_are_asked_about(house: PostHouse) -> None:
    begin(house, "ireland", players=3)
    house.send(ANN, QUOTATIONS)
    # It has no number: a line's number counts her own lines.
    assert (
        "- '1a) (Belfast) - AC7' looks like an order, but stands behind a mark, > or |, as what is quoted does"
        in told(house, ANN)
    )


@pytest.mark.parametrize("mark", ["> ", ""])
def test_lines_of_our_own_letters_are_never_asked_about(house: PostHouse, mark: str) -> None:
    begin(house, "ireland", players=3)
    house.send(ANN, "HELP")
    ours = house.text(ANN)
    assert "\n  1a) (Belfast) - " in ours
    house.send(ANN, "HOME Belfast\n\n" + "".join(f"{mark}{line}\n" for line in ours.splitlines()))
    assert "Not everything in your letter was understood" not in told(house, ANN)


@pytest.mark.parametrize("program", [marked, bare], ids=["marked", "unmarked"])
def test_a_lines_number_counts_her_own_lines(house: PostHouse, program: Callable[[str], str]) -> None:
    begin(house, "ireland", players=3)
    ours = house.text(ANN)
    house.send(ANN, f"Hello!\n{program(ours)}\n\nHOME Belfast\nNo, HOME Dublin\n")
    assert re.search(r"line [5-9]: 'No, HOME Dublin'", told(house, ANN))


@pytest.mark.parametrize(("more", "is_warned"), [("", False), ("> RUN 1: Cork - Dublin\n", True)])
def test_our_own_examples_quoted_below_a_letter_are_not_warned_of(house: PostHouse, more: str, is_warned: bool) -> None:
    begin(house, "ireland", players=3)
    house.send(ANN, "HELP")
    ours = "".join(f"> {line}\n" for line in house.text(ANN).splitlines())
    house.send(ANN, f"HELP\n\nThe referee wrote on 3 May 2026:\n{ours}{more}")
    assert ("that is quoted (with >)" in told(house, ANN)) is is_warned
    assert "lines that are quoted" not in told(house, ANN)


def test_press_of_a_newsletter_that_comes_back_is_never_asked_about(house: PostHouse) -> None:
    begin(house, "ireland", players=3)
    for player, text in ((BOB, "HOME Dublin\nPRESS: 1a) (Dublin) - Y17\n1b) (Y17) - Y18"), (CYD, "HOME Dublin")):
        house.write(player, text)
    house.send(ANN, "HOME Belfast")
    assert house.send(BOB, "CONFIRM").turns == ("RR1/1",)
    ours = house.text(ANN)
    assert "\n| 1a) (Dublin) - Y17\n" in ours
    house.send(ANN, "1a) (Belfast) - AC7\n\n" + ours)
    assert "Not everything in your letter was understood" not in told(house, ANN)
