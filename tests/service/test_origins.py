"""Acted upon is only what a letter's writer said himself, can be seen, and was not taken back; of the rest he is told."""

from __future__ import annotations

import pytest

from tests.mail.documents import docx, letter_with
from tests.orderbook.test_attribution import BLOCKS, WROTE
from tests.posthouse import ANN, PostHouse

STRUCK = "'STEP 3' is struck out in your letter, so it was not read"
HIDDEN = "'STEP 3' cannot be seen in your letter"
BESIDE = "<div>STEP 2</div><div>{}</div>"

MARKED = {
    "s": (STRUCK, BESIDE.format("<s>STEP 3</s>")),
    "del": (STRUCK, BESIDE.format("<del>STEP 3</del>")),
    "strike": (STRUCK, BESIDE.format("<b><strike>STEP 3</strike></b>")),
    "line-through": (STRUCK, BESIDE.format('<span style="text-decoration: underline line-through">STEP 3</span>')),
    "struck by a class": (
        STRUCK,
        "<style>p.x {margin:0} .gone, .o {text-decoration-line: line-through}</style>"
        + BESIDE.format('<span class="gone">STEP 3</span>'),
    ),
    "hidden by a class": (
        HIDDEN,
        "<style>@media print {.q {color:red}} #a .gone {display : none}</style>"
        + BESIDE.format('<div id="a"><span class="gone">STEP 3</span></div>'),
    ),
    "hidden": (HIDDEN, BESIDE.format("<span hidden>STEP 3</span>")),
    "no size": (HIDDEN, BESIDE.format('<font style="font-size:0px">STEP 3</font>')),
    "see-through": (HIDDEN, BESIDE.format('<p style="opacity: 0">STEP 3</p>')),
    "off the page": (HIDDEN, BESIDE.format('<p style="position:absolute; left:-9999px">STEP 3</p>')),
    "for Outlook": (HIDDEN, BESIDE.format('<span style="mso-hide:all">STEP 3</span>')),
    "white on white": (HIDDEN, BESIDE.format('<font color="#FFFFFF">STEP 3</font>')),
    "white by its style": (HIDDEN, BESIDE.format('<span style="color: rgb(255, 255, 255)">STEP 3</span>')),
    "white by a class": (HIDDEN, "<style>.w{color:white}</style>" + BESIDE.format('<span class="w">STEP 3</span>')),
    "black on black": (
        HIDDEN,
        '<div style="background:#000;color:#fff">' + BESIDE.format('<span style="color:#000">STEP 3</span>') + "</div>",
    ),
}


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.begin()


def answered(house: PostHouse, text: str, kind: str = "text/plain; charset=utf-8", **headers: str) -> str:
    return house.says(ANN, text, Content_Type=kind, Content_Transfer_Encoding="8bit", **headers)


def filed(house: PostHouse) -> list[tuple[str, int, int]]:
    """Return the orders on file: their lines, whether they are in order, whether they wait for his word."""
    return [
        (row["text"], row["clean"], row["doubtful"])
        for row in house.rows("SELECT * FROM order_sets WHERE player = 'ANN'")
    ]


@pytest.mark.parametrize(("why", "page"), MARKED.values(), ids=MARKED)
@pytest.mark.parametrize("has_plain", [False, True])
def test_what_is_struck_out_or_cannot_be_seen_is_not_read_and_told(
    house: PostHouse, why: str, page: str, has_plain: bool
) -> None:
    plain = "--x\nContent-Type: text/plain\n\nSTEP 2\nSTEP 3\n" if has_plain else ""
    text = f"{plain}--x\nContent-Type: text/html; charset=utf-8\n\n{page}\n--x--\n"
    assert why in answered(house, text, "multipart/alternative; boundary=x")
    assert filed(house) == [("STEP 2", 1, 0)]


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (STRUCK, "<w:strike/>"),
        (STRUCK, '<w:dstrike w:val="true"/>'),
        (HIDDEN, "<w:vanish/>"),
        (HIDDEN, '<w:color w:val="FFFFFF"/>'),
    ],
)
def test_nor_is_it_in_a_document(house: PostHouse, why: str, said: str) -> None:
    body = f"<w:p><w:r><w:t>STEP 2</w:t></w:r></w:p><w:p><w:r><w:rPr>{said}</w:rPr><w:t>STEP 3</w:t></w:r></w:p>"
    house.drop(letter_with(docx(body), "orders.docx", sender=ANN))
    house.tick()
    assert why in house.told(ANN)
    assert filed(house) == [("STEP 2", 1, 0)]


def test_what_stands_beside_it_on_its_line_counts(house: PostHouse) -> None:
    answered(house, "<p>STEP <s>3</s> 2</p>", "text/html")
    assert filed(house) == [("STEP 2", 1, 0)]


def test_seen_is_what_has_a_colour_of_its_own_again(house: PostHouse) -> None:
    page = '<body style="background:black"><div style="color:white">STEP 2</div></body>'
    answered(house, page, "text/html")
    assert filed(house) == [("STEP 2", 1, 0)]


@pytest.mark.parametrize(
    "words",
    [
        "I do not want this any more:",
        "Alternatives considered (not chosen):",
        "Example:",
        "Instead of",
        "If BOB starts in Dublin:",
        "Das will ich nicht mehr:",
        "Zum Beispiel:",
        "Statt",
        "Falls BOB in Dublin beginnt:",
        "Je ne veux plus ceci :",
        "Exemple :",
        "Au lieu de",
        "Si BOB commence à Dublin :",
        "Dit wil ik niet meer:",
        "Voorbeeld:",
        "In plaats van",
        "Als BOB in Dublin begint:",
    ],
)
@pytest.mark.parametrize("blank", ["", "\n"])
def test_prose_that_takes_back_what_follows_makes_it_doubtful(house: PostHouse, words: str, blank: str) -> None:
    told = answered(house, f"STEP 2\n\n{words}\n{blank}STEP 3\n")
    assert f"'STEP 3' stands below '{words}', which may take it back" in told
    assert "Your orders are in." not in told
    assert filed(house) == [("STEP 2", 0, 0)]


def test_where_nothing_else_is_ordered_it_waits_for_his_word(house: PostHouse) -> None:
    told = answered(house, "If BOB starts in Dublin:\nSTEP 3\n")
    assert "answer with the one word CONFIRM if you mean them" in told
    assert filed(house) == [("STEP 3", 0, 1)]
    answered(house, "CONFIRM")
    assert house.rows("SELECT confirmed FROM order_sets WHERE player = 'ANN'")[0]["confirmed"]


def test_an_empty_line_ends_what_is_taken_back(house: PostHouse) -> None:
    answered(house, "Instead of\nSTEP 3\n\nSTEP 2\n")
    assert filed(house) == [("STEP 2", 0, 0)]


LANGUAGES = ("tr", "el", "ro", "uk", "he", "ar", "fa", "ko", "ja")
LINES = [lines[name] for name in LANGUAGES for lines in (WROTE, BLOCKS)]


@pytest.mark.parametrize("line", LINES)
def test_nothing_below_the_line_of_any_mail_program_is_acted_upon(house: PostHouse, line: str) -> None:
    answered(house, f"STEP 2\n\n{line}\n\nSTEP 3\nRESIGN FOR GOOD\nCLEAR\n")
    assert filed(house) == [("STEP 2", 1, 0)]
    assert not house.rows("SELECT * FROM players WHERE resigned_at IS NOT NULL")


def test_the_words_that_take_back_are_told_once(house: PostHouse) -> None:
    assert (
        answered(house, "STEP 2\n\nAlternatives considered (not chosen):\nSTEP 3\n").count("Alternatives considered")
        == 1
    )


@pytest.mark.parametrize("line", ["Bob wrote:", "Le 02/12/2026 ? 20:00, Bob a ?crit :", "On 2.12.26 20:00 Bob qwqwqw:"])
def test_below_a_name_that_wrote_nothing_is_acted_upon(house: PostHouse, line: str) -> None:
    told = answered(house, f"STEP 2\n\n{line}\nSTEP 3\n\nPRESS: Hooray\nRESIGN FOR GOOD\n")
    assert f"'STEP 3' stands below '{line}', so somebody else may have written it" in told
    assert filed(house) == [("STEP 2", 0, 0)]
    assert not house.rows("SELECT * FROM press")
    assert not house.rows("SELECT * FROM players WHERE resigned_at IS NOT NULL")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Bob, please don't\nconfirm\nthis letter of mine\n", "CONFIRM"),
        ("I would never\nRESIGN FOR GOOD\nbecause of that\n", "RESIGN FOR GOOD"),
        ("STEP 2\nRESIGN FOR GOOD\n", "RESIGN FOR GOOD"),
        ("Ich würde nie\nENDGÜLTIG AUSSTEIGEN\n", "RESIGN FOR GOOD"),
        ("Je n'ai jamais voulu\nABANDONNER DÉFINITIVEMENT\n", "RESIGN FOR GOOD"),
        ("Ik wil niet\nDEFINITIEF OPGEVEN\n", "RESIGN FOR GOOD"),
        ("PRESS: I never thought that I would\nRESIGN FOR GOOD\n", "RESIGN FOR GOOD"),
        ("Appear as Queen Victoria would be fun\n", "APPEAR as Queen Victoria would be fun"),
        ("Is it true that\nAPPEAR AS Ann\nworks for everybody?\n", "APPEAR AS Ann"),
        ("Please do not\n\nCLEAR\n", "CLEAR"),
        ("RESIGN FOR GOOD?\n", "RESIGN FOR GOOD"),
        ("RESIGN FOR GOOD ??\n", "RESIGN FOR GOOD"),
        ('"RESIGN FOR GOOD"\n', "RESIGN FOR GOOD"),
        ("RESIGN FOR GOOD\n\nP.S. only joking\n", "RESIGN FOR GOOD"),
        ("„ENDGÜLTIG AUSSTEIGEN“\n", "RESIGN FOR GOOD"),
        ("ABANDONNER DÉFINITIVEMENT ?\n", "RESIGN FOR GOOD"),
        ("APPEAR AS Zed?\n", "APPEAR AS Zed"),
        ("CLEAR?\n", "CLEAR"),
        ("CONFIRM?\n", "CONFIRM"),
        ('"CONFIRM"\n', "CONFIRM"),
    ],
)
def test_words_that_cannot_be_taken_back_are_asked_back_where_more_is_said(
    house: PostHouse, text: str, line: str
) -> None:
    answered(house, "STEP 3 4\n")
    told = answered(house, text)
    assert f"if you mean it, send this line alone: {line}" in told
    assert not house.rows("SELECT * FROM players WHERE resigned_at IS NOT NULL")
    assert not house.rows("SELECT * FROM order_sets WHERE confirmed OR withdrawn")
    assert not house.rows("SELECT * FROM players WHERE name = 'Zed?'")


@pytest.mark.parametrize("around", ["{}", "Hello umpire,\n\n{}\n\nBest regards\nAnn", "{}\n\nAnn\n\n> STEP 3\n> hello"])
def test_with_courtesies_alone_they_count(house: PostHouse, around: str) -> None:
    answered(house, around.format("RESIGN FOR GOOD"))
    assert house.rows("SELECT * FROM players WHERE resigned_at IS NOT NULL")
