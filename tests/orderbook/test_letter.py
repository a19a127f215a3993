"""Which lines of a letter are the player's own."""

from __future__ import annotations

import pytest

from referee.orderbook.lines.letter import part_lines


def _own(text: str) -> list[str]:
    return [line.text for line in part_lines(text)[0] if line.text]


@pytest.mark.parametrize(
    "attribution",
    [
        "On Wed, 2 Dec 2026 at 20:00, Railway Referee <referee@example.org> wrote:",
        "On Wed, 2 Dec 2026 at 20:00, Railway Referee <referee@example.org>\nwrote:",
        "On 02/12/2026 20:00, Railway Referee wrote:",
        "Am 02.12.26 um 20:00 schrieb Railway Referee:",
        "Am Mittwoch, dem 02.12.2026 schrieb Railway\nReferee <referee@example.org>:",
        "Le mer. 2 déc. 2026 à 20:00, Railway Referee <referee@example.org> a écrit :",
        "Op wo 2 dec 2026 om 20:00 schreef Railway Referee <referee@example.org>:",
        "Railway Referee <referee@example.org> writes:",
        "-----Original Message-----",
        "-------- Original Message --------",
        "---------- Forwarded message ---------",
        "-----Ursprüngliche Nachricht-----",
        "-----Message d'origine-----",
        "-----Oorspronkelijk bericht-----",
        "________________________________",
        "From: Railway Referee <referee@example.org>\nSent: Wednesday\nTo: Ann\nSubject: [RR7]",
        "*From:* Railway Referee\n*Sent:* Wednesday\n*To:* Ann",
        "Von: Referee\nGesendet: Mittwoch\nAn: Ann\nBetreff: [RR7]",
        "De : Referee\nEnvoyé : mercredi\nÀ : Ann\nObjet : [RR7]",
        "Van: Referee\nVerzonden: woensdag\nAan: Ann\nOnderwerp: [RR7]",
        "-- ",
        "--",
        "Sent from my iPhone",
        "Get Outlook for iOS",
        "Von meinem iPhone gesendet",
    ],
)
def test_what_follows_an_unquoted_original_or_a_signature_is_not_his(attribution: str) -> None:
    assert _own(f"PASS\n\n{attribution}\n\n1a) (Cork) - Bantry\n") == ["PASS"]


def test_an_attribution_above_a_quotation_is_all_that_goes_with_it() -> None:
    text = "On 2 Dec 2026, Referee wrote:\n\n> rolls 5, 4, 7\nThanks!\n| and this\n1a) (Dublin) - Y17\n"
    assert _own(text) == ["Thanks!", "1a) (Dublin) - Y17"]


@pytest.mark.parametrize(
    "line",
    [
        "On Monday the Fat Controller wrote:",
        "From: Cork",
        "From Cork we go on to Bantry",
        "-- and so on",
        "On 3 December we meet",
        "He wrote:",
    ],
)
def test_what_only_looks_like_an_attribution_is_his(line: str) -> None:
    assert _own(f"{line}\nPASS") == [line, "PASS"]


@pytest.mark.parametrize("quote", ["> ", ">", "| ", " | ", ">> ", "> | "])
def test_quotations_and_press_as_the_newsletter_prints_it_are_not_his(quote: str) -> None:
    own, left, *_ = part_lines(f"yes\n{quote}1a) (Dublin) - Y17\n")
    assert ([line.text for line in own], left) == (["yes", ""], ("1a) (Dublin) - Y17",))


def test_what_stands_below_the_end_of_his_letter_is_left() -> None:
    assert part_lines("yes\n-- \nAnn\n> 1b)")[1] == ("--", "Ann", "1b)")


def test_lines_count_from_one_without_what_is_quoted() -> None:
    lines, left, *_ = part_lines("> quoted\r\nfirst\r\n\r\n | > quoted too\r\nsecond")
    assert left == ("quoted", "quoted too")
    assert [(line.number, line.text, line.after_cut) for line in lines] == [
        (1, "first", True),
        (2, "", False),
        (3, "second", True),
    ]


def test_letters_that_hide_or_break_lines_do_neither() -> None:
    assert _own("1a)\u00a0(Dub\u200blin)\u2028- Y17\x0b; \ufeff(Cork)") == ["1a) (Dublin) - Y17 ; (Cork)"]


def test_a_text_that_is_asked_about_again_is_gone_through_once() -> None:
    text = "PASS\n\n> rolls 5, 4, 7\n"
    assert part_lines(text) is part_lines(text)
