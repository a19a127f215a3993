"""What is not listed as not read, because nobody meant it for the referee."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.orderbook import OrderLanguage, Reading, prose_lines, without_courtesies

LETTER = """Dear Peter,
Round 3:
My wife is ill.
Subject: orders
1a) (Dublin) - Y17
--------------------
Hello, I have a question
Kind regards,

Ann Murphy
Cork is mine after all!
Thanks
7 trains"""


def test_courtesies_are_told_apart_from_what_is_said(
    read: Callable[[str], Reading], order_language: OrderLanguage
) -> None:
    told = tuple(without_courtesies(read(LETTER).unread, order_language))
    assert told == (
        (3, "My wife is ill."),
        (7, "Hello, I have a question"),
        (11, "Cork is mine after all!"),
        (13, "7 trains"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "My wife is ill.",
        "Why?",
        "Please send me the rules",
        "Sorry, my orders will be late",
        "Merci de me dire ce que coûte un pont",
    ],
)
def test_what_asks_or_tells_a_person_something(text: str, order_language: OrderLanguage) -> None:
    assert list(prose_lines([(1, text)], order_language)) == [(1, text)]


@pytest.mark.parametrize(
    "text",
    [
        "Hi Peter, here are my orders for round 3",
        "Orders below:",
        "Thanks a lot, see you next turn!",
        "Ann Murphy",
        "CAUTION: External mail. Who sent it?",
        "1870",
        "Cher Paul,",
        "Bonsoir à tous,",
        "Salut Paul, voici mes ordres pour le tour 3 :",
        "Merci d'avance !",
        "Bien à vous,",
        "Bonne soirée,",
    ],
)
def test_what_only_says_that_orders_follow(text: str, order_language: OrderLanguage) -> None:
    assert list(prose_lines([(1, text)], order_language)) == []


def test_a_banner_goes_down_to_the_next_empty_line(order_language: OrderLanguage) -> None:
    lines = [
        (1, "This e-mail and any attachments are confidential"),
        (2, "and meant for nobody else."),
        (4, "What a game!"),
    ]
    assert list(without_courtesies(lines, order_language)) == [(4, "What a game!")]


def test_the_writers_own_name_and_his_title_below_it_say_nothing(order_language: OrderLanguage) -> None:
    lines = [(1, "GSW (Ann Byrne):"), (3, "Ann"), (4, "Head of Sleepers"), (7, "Bob Byrne")]
    assert list(without_courtesies(lines, order_language, ("Ann", "Ann Byrne", "GSW"))) == [(7, "Bob Byrne")]


FOOTERS = (
    "This email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
    "Virus-free.www.avg.com",
    "--\nDiese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.",
    "L'absence de virus dans ce courrier électronique a été vérifiée par le logiciel antivirus Avast.",
    "Scanned by MailScanner",
    "________________________________\nCONFIDENTIALITY NOTICE: this message is for its reader.\nDelete it otherwise.",
    "This e-mail and any attachments are confidential.",
    "Der Inhalt dieser E-Mail ist vertraulich.",
    "Les informations contenues dans ce message sont confidentielles.",
    "De informatie in dit bericht is vertrouwelijk.",
    "Please consider the environment before printing this e-mail.",
    "Registered in England, No 1234567",
    "The content of this email is confidential.",
    "You received this message because you are subscribed to a group.\nTo unsubscribe from this group, write to us.",
    "Sent from Outlook for iOS",
    "Get Outlook for Android",
    "Sent from Yahoo Mail on Android",
    "Sent with Proton Mail secure email.",
    "Sent from my iPhone",
    "Von meinem iPhone gesendet",
    "Gesendet mit der GMX Mail App",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Envoyé de mon iPhone",
    "Verzonden vanaf mijn iPhone",
    "Sent via BlueMail",
    "Sent using Zoho Mail",
    "Click here to report this email as spam.",
    "Best regards,\nAnn Smith",
    "Viele Grüße\nAnn",
)


@pytest.mark.parametrize("footer", FOOTERS)
def test_no_footer_below_press_that_nothing_ends_is_printed(footer: str, read: Callable[[str], Reading]) -> None:
    assert read(f"PRESS: All aboard!\n\nThe Duke waits.\n\n{footer}\n").press == "All aboard!\n\nThe Duke waits."


def test_what_end_press_ends_is_printed_as_it_is(read: Callable[[str], Reading]) -> None:
    assert read("PRESS: All aboard!\nBest regards,\nAnn\nEND PRESS\n").press == "All aboard!\nBest regards,\nAnn"


def test_words_of_press_that_begin_like_a_footer_stay(read: Callable[[str], Reading]) -> None:
    press = "The Duke spoke.\nConfidential sources agree.\nSent from Dublin it came."
    assert read(f"PRESS: {press}\n").press == press
