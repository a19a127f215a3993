"""A reply below which a mail program puts our letter without any mark does not order old things again."""

from __future__ import annotations

import pytest

from tests.posthouse import ANN, PostHouse, text_of


@pytest.fixture(autouse=True)
def answered(house: PostHouse) -> None:
    house.game()
    assert "- STEP 1" in house.says(ANN, "STEP 1")


def on_file(house: PostHouse) -> str:
    return str(house.rows("SELECT text FROM order_sets ORDER BY id DESC LIMIT 1")[0]["text"])


def test_our_acknowledgement_below_new_orders_orders_nothing(house: PostHouse) -> None:
    ours = house.last(ANN)
    house.send(ANN, f"STEP 3\n\nThe Referee sa:\n{text_of(ours)}", In_Reply_To=str(ours["Message-ID"]))
    assert on_file(house) == "STEP 3"


def test_it_is_known_too_where_a_server_gave_our_letter_another_id(house: PostHouse) -> None:
    text = f"STEP 3\n\nThe Referee sa:\n{house.text(ANN)}"
    house.send(ANN, text, References="<0100018c-another-0000@email.amazonses.com>")
    assert on_file(house) == "STEP 3"


@pytest.mark.parametrize("letters_since", [0, 5])
@pytest.mark.parametrize("which", [0, -1], ids=["the newsletter", "the last letter"])
def test_it_is_known_too_where_a_program_names_no_letter_that_it_answers(
    house: PostHouse, which: int, letters_since: int
) -> None:
    """As GMX, Zoho and old Hotmail do; here below an announcement that nobody knows."""
    for number in range(letters_since):
        house.write(ANN, f"STEP {number % 3 + 1}\nPRESS: number {number}")
    house.tick()
    quoted = text_of(house.post(ANN)[which])
    house.send(ANN, f"STEP 3\n\nThe Referee sa:\n{quoted}\nSTEP 3\n")
    assert on_file(house) == "STEP 3\nSTEP 3"


def test_it_is_known_in_html_that_marks_no_quotation(house: PostHouse) -> None:
    ours = house.last(ANN)
    lines = "<br>\r\n".join(text_of(ours).split("\n"))
    head = f"From: {ANN}\r\nSubject: Re: [RR1]\r\nIn-Reply-To: {ours['Message-ID']}\r\nContent-Type: text/html\r\n\r\n"
    raw = f"{head}<div>STEP 3</div><div>The Referee sa:</div><div>{lines}</div>".encode()
    house.drop(raw)
    house.tick()
    assert on_file(house) == "STEP 3"


def test_it_is_known_in_html_of_which_the_plain_text_has_the_answer_alone(house: PostHouse) -> None:
    ours = house.last(ANN)
    lines = "<br>\r\n".join(text_of(ours).split("\n"))
    head = f"From: {ANN}\r\nSubject: Re: [RR1]\r\nIn-Reply-To: {ours['Message-ID']}\r\nMIME-Version: 1.0\r\n"
    plain = "--b\r\nContent-Type: text/plain\r\n\r\nSTEP 3\r\n"
    html = f"--b\r\nContent-Type: text/html\r\n\r\n<div>STEP 3</div><div>The Referee sa:</div><div>{lines}</div>\r\n--b--\r\n"
    house.drop(f"{head}Content-Type: multipart/alternative; boundary=b\r\n\r\n{plain}{html}".encode())
    house.tick()
    assert on_file(house) == "STEP 3"


def test_a_form_filled_in_below_our_letter_counts(house: PostHouse) -> None:
    ours = house.post(ANN)[0]
    text = text_of(ours).replace("STEP\nEND\n", "STEP 2\nEND\n")
    assert "STEP 2" in text
    house.send(ANN, f"see below\n\n{text}", In_Reply_To=str(ours["Message-ID"]))
    assert on_file(house) == "STEP 2"


def test_an_order_copied_out_of_our_letter_counts(house: PostHouse) -> None:
    ours = house.last(ANN)
    house.send(ANN, "Yes, as before:\n\n- STEP 1\n\nGreetings", In_Reply_To=str(ours["Message-ID"]))
    assert len(house.rows("SELECT * FROM order_sets")) == 2
    assert on_file(house).endswith("STEP 1")


def test_what_he_writes_anew_is_his_although_we_said_it_again(house: PostHouse) -> None:
    """Our answer has told him his lines; a new letter with them that names no letter of ours is no quotation."""
    prose = "Dear referee, how good to hear of you,\nand here is what I would like to order\nwith greetings from the seaside,\n"
    for orders in (
        "STEP 9\nNOTE: The second order is the one that I mean",
        "STEP 1\nNOTE: The second order is the one that I mean",
    ):
        house.send(ANN, f"{prose}{orders}")
    assert on_file(house) == "STEP 1"
    assert "line 1: Dear referee" in house.told(ANN)
