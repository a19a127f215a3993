"""What a letter does to what is on file: whose words count, which of several sets, and each once."""

import re
from email.message import EmailMessage

import pytest

from tests.mail.documents import docx, letter_with
from tests.orderbook.test_attribution import BLOCKS, WROTE
from tests.posthouse import ANN, BOB, PostHouse

# What a letter does to what is on file, and what its answer says of it.


BESIDE = "so they stand beside and will not run"


def answer_to(house: PostHouse, *letters: str) -> str:
    """Return the answer to the last of some letters of Ann's, a minute apart."""
    for text in letters:
        house.wait(minutes=1)
        house.send(ANN, text)
    return house.text(ANN)


def orders_played(house: PostHouse) -> str:
    """Let the deadline pass and return the orders of Ann's that were played."""
    house.later(days=8)
    (row,) = house.rows("SELECT orders FROM turns WHERE turn = 1")
    return str(row["orders"])


def step(*lengths: int) -> str:
    steps = ",".join(f'{{"kind":"Step","length":{length},"paragraph":"T1","player":"ANN"}}' for length in lengths)
    return f'{{"ANN":[{steps}]}}'


def test_a_player_is_warned_that_others_got_the_letter_too_but_not_who_they_are(begun: PostHouse) -> None:
    """An answer that named a rival, or was silent at other addresses, would tell whose address is whose."""
    told = []
    for address in (BOB, "nobody@example.com"):
        begun.send(ANN, "STEP 2", Cc=f"{address}, {ANN}")
        told += [re.sub(r"booked as \w+", "", begun.text(ANN)).replace("received", "")]
    assert "your letter went to another address too" in " ".join(told[0].split())
    assert told[0] == told[1]
    assert "BOB" not in told[0]


def test_orders_that_stand_in_the_html_version_alone_are_read(begun: PostHouse) -> None:
    letter = EmailMessage()
    letter["From"], letter["Subject"] = ANN, "[RR1]"
    letter.set_content("This letter is best seen as HTML.")
    letter.add_alternative("<p>STEP 2</p>", subtype="html")
    begun.drop(letter.as_bytes())
    begun.tick()
    assert orders_played(begun) == step(2)


def test_a_later_answer_says_what_is_wrong_with_a_faulty_set_that_stands_beside(begun: PostHouse) -> None:
    told = answer_to(begun, "STEP 2", "STEP 9", "STATUS")
    assert BESIDE in " ".join(told.split())
    assert told.count("'STEP 9' is no step of 1 to 3") == 1
    assert answer_to(begun, "STEP 9").count("'STEP 9' is no step of 1 to 3") == 1


def test_orders_for_another_turn_are_not_called_nothing(begun: PostHouse) -> None:
    answer_to(begun, "STEP 1")
    assert begun.send(BOB, "STEP 1").turns == ("RR1/1",)
    for told in (answer_to(begun, "ORDERS RR1 1\nSTEP 2\nEND"), answer_to(begun, "STATUS")):
        assert "Nothing is on file." not in told
        assert "Nothing on file will run as it stands." in told
        assert "are written for another turn, so they stand beside" in " ".join(told.split())
        assert told.count("Not in order:") == 1


# Acted upon is only what is a letter's writer's own, can be seen, and was not taken back; of the rest the writer is told.


STRUCK = "'STEP 3' is struck out in your letter, so it was not read"
HIDDEN = "'STEP 3' cannot be seen in your letter"
NEXT_TO = "<div>STEP 2</div><div>{}</div>"

MARKED = {
    "s": (STRUCK, NEXT_TO.format("<s>STEP 3</s>")),
    "del": (STRUCK, NEXT_TO.format("<del>STEP 3</del>")),
    "strike": (STRUCK, NEXT_TO.format("<b><strike>STEP 3</strike></b>")),
    "line-through": (STRUCK, NEXT_TO.format('<span style="text-decoration: underline line-through">STEP 3</span>')),
    "struck by a class": (
        STRUCK,
        "<style>p.x {margin:0} .gone, .o {text-decoration-line: line-through}</style>"
        + NEXT_TO.format('<span class="gone">STEP 3</span>'),
    ),
    "hidden by a class": (
        HIDDEN,
        "<style>@media print {.q {color:red}} #a .gone {display : none}</style>"
        + NEXT_TO.format('<div id="a"><span class="gone">STEP 3</span></div>'),
    ),
    "hidden": (HIDDEN, NEXT_TO.format("<span hidden>STEP 3</span>")),
    "no size": (HIDDEN, NEXT_TO.format('<font style="font-size:0px">STEP 3</font>')),
    "see-through": (HIDDEN, NEXT_TO.format('<p style="opacity: 0">STEP 3</p>')),
    "off the page": (HIDDEN, NEXT_TO.format('<p style="position:absolute; left:-9999px">STEP 3</p>')),
    "for Outlook": (HIDDEN, NEXT_TO.format('<span style="mso-hide:all">STEP 3</span>')),
    "white on white": (HIDDEN, NEXT_TO.format('<font color="#FFFFFF">STEP 3</font>')),
    "white by its style": (HIDDEN, NEXT_TO.format('<span style="color: rgb(255, 255, 255)">STEP 3</span>')),
    "white by a class": (HIDDEN, "<style>.w{color:white}</style>" + NEXT_TO.format('<span class="w">STEP 3</span>')),
    "black on black": (
        HIDDEN,
        '<div style="background:#000;color:#fff">'
        + NEXT_TO.format('<span style="color:#000">STEP 3</span>')
        + "</div>",
    ),
}


def answered(house: PostHouse, text: str, kind: str = "text/plain; charset=utf-8", **headers: str) -> str:
    return house.says(ANN, text, Content_Type=kind, Content_Transfer_Encoding="8bit", **headers)


def filed(house: PostHouse) -> list[tuple[str, int, int]]:
    """Return the orders on file: their lines, whether they are in order, whether they wait for a word."""
    return house.tuples("SELECT text, clean, doubtful FROM order_sets WHERE player = 'ANN'")


@pytest.mark.parametrize(("why", "page"), MARKED.values(), ids=MARKED)
@pytest.mark.parametrize("has_plain", [False, True])
def test_what_is_struck_out_or_cannot_be_seen_is_not_read_and_told(
    begun: PostHouse, why: str, page: str, has_plain: bool
) -> None:
    plain = "--x\nContent-Type: text/plain\n\nSTEP 2\nSTEP 3\n" if has_plain else ""
    text = f"{plain}--x\nContent-Type: text/html; charset=utf-8\n\n{page}\n--x--\n"
    assert why in answered(begun, text, "multipart/alternative; boundary=x")
    assert filed(begun) == [("STEP 2", 1, 0)]


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (STRUCK, "<w:strike/>"),
        (STRUCK, '<w:dstrike w:val="true"/>'),
        (HIDDEN, "<w:vanish/>"),
        (HIDDEN, '<w:color w:val="FFFFFF"/>'),
    ],
)
def test_nor_is_it_in_a_document(begun: PostHouse, why: str, said: str) -> None:
    body = f"<w:p><w:r><w:t>STEP 2</w:t></w:r></w:p><w:p><w:r><w:rPr>{said}</w:rPr><w:t>STEP 3</w:t></w:r></w:p>"
    begun.drop(letter_with(docx(body), "orders.docx", sender=ANN))
    begun.tick()
    assert why in begun.told(ANN)
    assert filed(begun) == [("STEP 2", 1, 0)]


LANGUAGES = ("tr", "el", "ro", "uk", "he", "ar", "fa", "ko", "ja")
LINES = [lines[name] for name in LANGUAGES for lines in (WROTE, BLOCKS)]


@pytest.mark.parametrize("line", LINES)
def test_nothing_below_the_line_of_any_mail_program_is_acted_upon(begun: PostHouse, line: str) -> None:
    answered(begun, f"STEP 2\n\n{line}\n\nSTEP 3\nRESIGN FOR GOOD\nCLEAR\n")
    assert filed(begun) == [("STEP 2", 1, 0)]
    assert not begun.rows("SELECT * FROM players WHERE resigned_at IS NOT NULL")


def test_the_words_that_take_back_are_told_once(begun: PostHouse) -> None:
    assert (
        answered(begun, "STEP 2\n\nAlternatives considered (not chosen):\nSTEP 3\n").count("Alternatives considered")
        == 1
    )
