"""What a letter does to what is on file: whose words count, which of several sets, and each once."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from tests.mail.documents import docx, letter_with
from tests.orderbook.test_attribution import BLOCKS, WROTE
from tests.posthouse import ANN, BOB, PostHouse, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# What a letter does to what is on file, and what its answer says of it.


WILL_RUN = "The orders of this letter will run."
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


@pytest.mark.parametrize(
    ("letters", "words", "played"),
    [
        pytest.param(["STEP 1", "STEP 2"], WILL_RUN, step(2), id="a letter replaces the whole set"),
        pytest.param(
            ["STEP 9"], "the turn is not played early", step(1), id="a faulty set runs where there is no other"
        ),
        pytest.param(["STEP 2", "STEP 9"], BESIDE, step(2), id="a faulty set never overwrites a clean one"),
        pytest.param(["STEP 2", "STEP 9", "CONFIRM"], "The confirmed orders will run", step(1), id="unless confirmed"),
        pytest.param(
            ["STEP 2", "STEP 9\nCONFIRM"], "The confirmed orders will run", step(1), id="or confirmed at once"
        ),
        pytest.param(["STEP 9", "STEP 2", "CONFIRM"], "no set of orders waits", step(2), id="nothing to confirm"),
        pytest.param(["STEP 2", "CLEAR"], "Nothing is on file.", "{}", id="CLEAR withdraws"),
        pytest.param(["CLEAR"], "there was nothing on file to withdraw", "{}", id="CLEAR of nothing"),
        pytest.param(["STEP 2", "STEP 9", "CLEAR", "CONFIRM"], "no set of orders waits", "{}", id="CLEAR takes all"),
        pytest.param(["STEP 2", "CLEAR\nSTEP 3"], WILL_RUN, step(3), id="CLEAR and new orders"),
        pytest.param(["PASS"], "You pass", step(), id="PASS is a word"),
        pytest.param(["STEP 3", "PASS"], "You pass", step(), id="PASS replaces orders"),
        pytest.param(["ORDERS RR1 1\nEND"], "You pass", step(), id="empty orders are a word too"),
        pytest.param(["STEP 3", "PRESS: hello"], "There are no orders in this letter.", step(3), id="press alone"),
        pytest.param(["STEP 3", "Fine weather."], "These lines were not read", step(3), id="nothing to be read"),
        pytest.param(["STEP 3", "ORDERS\nSTAP 1\nEND"], "No order could be taken", step(3), id="nothing understood"),
        pytest.param(["ORDERS RR1 7\nSTEP 3\nEND"], "turn 1 is awaited", "{}", id="another turn's orders"),
        pytest.param(["ORDERS RR1 7\nEND"], "Nothing is on file.", "{}", id="another turn's empty orders are no word"),
        pytest.param(["STEP 1", "ORDERS RR1 7\nCLEAR\nEND"], "will run", step(1), id="CLEAR for another turn"),
    ],
)
def test_what_runs_is_what_the_answer_says(begun: PostHouse, letters: list[str], words: str, played: str) -> None:
    assert words in " ".join(answer_to(begun, *letters).split())
    assert orders_played(begun) == played


def test_a_pass_counts_as_in_and_a_faulty_set_does_not(begun: PostHouse) -> None:
    begun.write(BOB, "STEP 1")
    assert "Your orders are in." not in answer_to(begun, "STEP 9")
    assert begun.value("SELECT turn FROM games") == 1
    assert "Your orders are in." in text_of((begun.write(ANN, "PASS"), begun.tick(), begun.post(ANN, "You pass"))[2][0])
    assert begun.value("SELECT turn FROM games") == 2


def test_an_older_letter_that_comes_late_does_not_replace_a_newer_one(begun: PostHouse) -> None:
    begun.wait(minutes=10)
    answer_to(begun, "STEP 2")
    begun.wait(minutes=-10)
    begun.write(ANN, "STEP 1")
    begun.later(minutes=20)
    assert "The orders you sent before will run" in begun.told(ANN)
    assert orders_played(begun) == step(2)


def test_a_player_is_warned_that_others_got_the_letter_too_but_not_who_they_are(begun: PostHouse) -> None:
    """An answer that named a rival, or was silent at other addresses, would tell whose address is whose."""
    told = []
    for address in (BOB, "nobody@example.com"):
        begun.send(ANN, "STEP 2", Cc=f"{address}, {ANN}")
        told += [re.sub(r"booked as \w+", "", begun.text(ANN)).replace("received", "")]
    assert "your letter went to another address too" in " ".join(told[0].split())
    assert told[0] == told[1]
    assert "BOB" not in told[0]


def test_of_letters_that_others_got_too_a_player_is_warned_three_times_a_day(begun: PostHouse) -> None:
    warnings = []
    for number in range(5):
        begun.send(ANN, f"STEP {1 + number % 3}", Cc=BOB)
        warnings.append("went to another address too" in begun.told(ANN))
    assert warnings == [True, True, True, False, False]
    begun.wait(hours=24)
    assert "went to another address too" in begun.says(ANN, "STEP 2", Cc=BOB)


def test_who_writes_to_us_and_to_himself_is_not_warned(begun: PostHouse) -> None:
    assert "went to another address" not in begun.says(
        ANN, "STEP 2", Cc=ANN.upper(), Delivered_To="mailbox@provider.example"
    )


def test_press_replaces_earlier_press(begun: PostHouse) -> None:
    answer_to(begun, "STEP 1\nPRESS: first words", "PRESS: last words")
    newsletter = begun.says(BOB, "STEP 1")
    assert "last words" in newsletter
    assert "first words" not in newsletter


def test_every_set_ever_received_is_kept(begun: PostHouse) -> None:
    answer_to(begun, "STEP 1", "STEP 9", "CLEAR", "STEP 2")
    assert len(begun.rows("SELECT * FROM order_sets")) == 3


def test_orders_that_stand_in_the_html_version_alone_are_read(begun: PostHouse) -> None:
    letter = EmailMessage()
    letter["From"], letter["Subject"] = ANN, "[RR1]"
    letter.set_content("This letter is best seen as HTML.")
    letter.add_alternative("<p>STEP 2</p>", subtype="html")
    begun.drop(letter.as_bytes())
    begun.tick()
    assert orders_played(begun) == step(2)


@pytest.mark.parametrize("text", ["STATUS", "PRESS: hello", "Dear referee,"])
def test_a_later_answer_says_what_is_wrong_with_a_faulty_set_that_runs(begun: PostHouse, text: str) -> None:
    told = answer_to(begun, "STEP 9", text)
    assert "'STEP 9' is no step of 1 to 3" in told
    assert "the turn is not played early" in told
    assert "answer with the one word CONFIRM" in " ".join(told.split())


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


# Acted upon is only what a letter's writer said himself, can be seen, and was not taken back; of the rest he is told.


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
    """Return the orders on file: their lines, whether they are in order, whether they wait for his word."""
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


def test_what_stands_beside_it_on_its_line_counts(begun: PostHouse) -> None:
    answered(begun, "<p>STEP <s>3</s> 2</p>", "text/html")
    assert filed(begun) == [("STEP 2", 1, 0)]


def test_seen_is_what_has_a_colour_of_its_own_again(begun: PostHouse) -> None:
    page = '<body style="background:black"><div style="color:white">STEP 2</div></body>'
    answered(begun, page, "text/html")
    assert filed(begun) == [("STEP 2", 1, 0)]


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
def test_prose_that_takes_back_what_follows_makes_it_doubtful(begun: PostHouse, words: str, blank: str) -> None:
    told = answered(begun, f"STEP 2\n\n{words}\n{blank}STEP 3\n")
    assert f"'STEP 3' stands below '{words}', which may take it back" in told
    assert "Your orders are in." not in told
    assert filed(begun) == [("STEP 2", 0, 0)]


def test_where_nothing_else_is_ordered_it_waits_for_his_word(begun: PostHouse) -> None:
    told = answered(begun, "If BOB starts in Dublin:\nSTEP 3\n")
    assert "answer with the one word CONFIRM if you mean them" in told
    assert filed(begun) == [("STEP 3", 0, 1)]
    answered(begun, "CONFIRM")
    assert begun.value("SELECT confirmed FROM order_sets WHERE player = 'ANN'")


def test_an_empty_line_ends_what_is_taken_back(begun: PostHouse) -> None:
    answered(begun, "Instead of\nSTEP 3\n\nSTEP 2\n")
    assert filed(begun) == [("STEP 2", 0, 0)]


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


@pytest.mark.parametrize("line", ["Bob wrote:", "Le 02/12/2026 ? 20:00, Bob a ?crit :", "On 2.12.26 20:00 Bob qwqwqw:"])
def test_below_a_name_that_wrote_nothing_is_acted_upon(begun: PostHouse, line: str) -> None:
    told = answered(begun, f"STEP 2\n\n{line}\nSTEP 3\n\nPRESS: Hooray\nRESIGN FOR GOOD\n")
    assert f"'STEP 3' stands below '{line}', so somebody else may have written it" in told
    assert filed(begun) == [("STEP 2", 0, 0)]
    assert not begun.rows("SELECT * FROM press")
    assert not begun.rows("SELECT * FROM players WHERE resigned_at IS NOT NULL")


@pytest.mark.parametrize(
    ("text", "line"),
    CASES.listed("words_that_cannot_be_taken_back_are_asked_back_where_more_is_said"),
)
def test_words_that_cannot_be_taken_back_are_asked_back_where_more_is_said(
    begun: PostHouse, text: str, line: str
) -> None:
    answered(begun, "STEP 3 4\n")
    told = answered(begun, text)
    assert f"if you mean it, send this line alone: {line}" in told
    assert not begun.rows("SELECT * FROM players WHERE resigned_at IS NOT NULL")
    assert not begun.rows("SELECT * FROM order_sets WHERE confirmed OR withdrawn")
    assert not begun.rows("SELECT * FROM players WHERE name = 'Zed?'")


@pytest.mark.parametrize("around", ["{}", "Hello umpire,\n\n{}\n\nBest regards\nAnn", "{}\n\nAnn\n\n> STEP 3\n> hello"])
def test_with_courtesies_alone_they_count(begun: PostHouse, around: str) -> None:
    answered(begun, around.format("RESIGN FOR GOOD"))
    assert begun.rows("SELECT * FROM players WHERE resigned_at IS NOT NULL")
