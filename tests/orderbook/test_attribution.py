"""Whose words stand in a letter: quotations, courtesies, prose, marks and footers."""

import os
from itertools import chain
from pathlib import Path

import pytest

from referee.orderbook import OrderLanguage, prose_lines, without_courtesies
from referee.orderbook.letter import part_lines, without_markup
from tests.growth import assert_grows_with, pumped
from tests.orderbook.conftest import Read, Reads
from tests.prose import KEPT, texts_of
from tests.tables import Tables

CASES = Tables(__file__)

# How mail programs announce a quotation, in some fifty languages; and what is no announcement.


WROTE = CASES.listed("WROTE")

DATED_LATE = ("de t-online", "be", "sl thunderbird", "he roundcube")  # the date may stand on the second line

BLOCKS = CASES.listed("BLOCKS")

RULES = CASES.listed("RULES")

SIGNED = CASES.listed("SIGNED")


def test_there_are_forty_languages() -> None:
    assert len({name.split(" ")[0] for name in WROTE}) > 50
    assert len({name.split(" ")[0] for name in BLOCKS}) > 40


def own(text: str) -> list[str]:
    return [line.text for line in part_lines(text)[0] if line.text]


@pytest.mark.parametrize("announcement", WROTE.values(), ids=WROTE)
def test_what_is_quoted_without_marks_below_an_announcement_is_not_the_writers(announcement: str) -> None:
    assert own(f"PASS\n\n{announcement}\n\n1a) (Cork) - Bantry\n") == ["PASS"]


@pytest.mark.parametrize("announcement", [text for name, text in WROTE.items() if name not in DATED_LATE])
def test_an_announcement_is_known_where_it_was_wrapped(announcement: str) -> None:
    words = announcement.split(" ")
    for at in range(max(3, len(words) - 4), len(words)):
        wrapped = " ".join(words[:at]) + "\n" + " ".join(words[at:])
        assert own(f"PASS\n\n{wrapped}\n\n1a) (Cork) - Bantry\n") == ["PASS"], wrapped


@pytest.mark.parametrize("announcement", WROTE.values(), ids=WROTE)
def test_above_marked_quotes_the_announcement_alone_goes(announcement: str) -> None:
    assert own(f"{announcement}\n> rolls 5, 4\n1a) (Cork) - Bantry\n") == ["1a) (Cork) - Bantry"]


@pytest.mark.parametrize("block", [*BLOCKS.values(), *RULES.values(), *SIGNED])
def test_nothing_below_outlooks_block_a_rule_or_a_signature_is_the_writers(block: str) -> None:
    assert own(f"PASS\n\n{block}\n\n1a) (Cork) - Bantry\n") == ["PASS"]


@CASES.rows
def test_what_only_looks_like_an_announcement_is_the_writers(text: str) -> None:
    assert own(text) == [line for line in text.split("\n") if line]


@CASES.rows
def test_a_letter_of_nothing_but_beginnings_takes_no_longer_than_it_is_long(piece: str) -> None:
    assert_grows_with(part_lines, pumped("PASS\n", piece, "x"))


def test_a_line_above_an_announcement_is_the_writers() -> None:
    text = "Ich bin 2026 wieder da\nAm 09.12.26 um 20:00 schrieb Railway Referee:\n> PASS\n"
    assert own(text) == ["Ich bin 2026 wieder da"]


# What is not listed as not read, because nobody meant it for the referee.


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


def test_courtesies_are_told_apart_from_what_is_said(read: Read, order_language: OrderLanguage) -> None:
    told = tuple(without_courtesies(read(LETTER).unread, order_language))
    assert told == (
        (3, "My wife is ill."),
        (7, "Hello, I have a question"),
        (11, "Cork is mine after all!"),
        (13, "7 trains"),
    )


@CASES.rows
def test_what_asks_or_tells_a_person_something(text: str, order_language: OrderLanguage) -> None:
    assert list(prose_lines([(1, text)], order_language)) == [(1, text)]


@CASES.rows
def test_what_only_says_that_orders_follow(text: str, order_language: OrderLanguage) -> None:
    assert list(prose_lines([(1, text)], order_language)) == []


def test_a_banner_goes_down_to_the_next_empty_line(order_language: OrderLanguage) -> None:
    lines = [
        (1, "This e-mail and any attachments are confidential"),
        (2, "and meant for nobody else."),
        (4, "What a game!"),
    ]
    assert list(without_courtesies(lines, order_language)) == [(4, "What a game!")]


def test_the_writers_own_name_and_a_title_below_it_say_nothing(order_language: OrderLanguage) -> None:
    lines = [(1, "GSW (Ann Byrne):"), (3, "Ann"), (4, "Head of Sleepers"), (7, "Bob Byrne")]
    assert list(without_courtesies(lines, order_language, ("Ann", "Ann Byrne", "GSW"))) == [(7, "Bob Byrne")]


FOOTERS = CASES.frozen("FOOTERS")


@pytest.mark.parametrize("footer", FOOTERS)
def test_no_footer_below_press_that_nothing_ends_is_printed(footer: str, read: Read) -> None:
    assert read(f"PRESS: All aboard!\n\nThe Duke waits.\n\n{footer}\n").press == "All aboard!\n\nThe Duke waits."


def test_what_end_press_ends_is_printed_as_it_is(read: Read) -> None:
    assert read("PRESS: All aboard!\nBest regards,\nAnn\nEND PRESS\n").press == "All aboard!\nBest regards,\nAnn"


def test_words_of_press_that_begin_like_a_footer_stay(read: Read) -> None:
    press = "The Duke spoke.\nConfidential sources agree.\nSent from Dublin it came."
    assert read(f"PRESS: {press}\n").press == press


# How many letters that order nothing are asked anything: over the texts in tests/prose, and those that PROSE names.


PATHS = [KEPT, *map(Path, filter(None, os.environ.get("PROSE", "").split(":")))]


@pytest.mark.parametrize("game", ["dampfross", "volldampf"])
def test_of_a_hundred_letters_that_order_nothing_one_at_most_is_asked_anything(game: str, reads: Reads) -> None:
    texts = list(chain.from_iterable(map(texts_of, PATHS)))
    asked = [reading.asked for reading in map(reads[game], texts) if reading.asked]
    assert len(texts) >= 140
    assert len(asked) <= len(texts) / 100, f"{len(asked)} of {len(texts)}: {asked}"


# END that a mail program glued to the last order (format=flowed does where the line before ends with a space) ends the block.


@CASES.rows
def test_end_behind_the_last_order_ends_the_block(read: Read, last: str) -> None:
    reading = read(f"ORDERS RR7 1\n1b) (Dublin) - AB17\n{last}\n\nUntil next time\nAnn")
    assert reading.complaints == ()
    assert [phrase.line for phrase in reading.phrases] == [2, 3]
    assert reading.unread == ((5, "Until next time"), (6, "Ann"))


def test_end_behind_a_command_ends_the_block(read: Read) -> None:
    reading = read("ORDERS RR7 1\nPASS END\nRegards, Ann")
    assert (reading.commands, reading.complaints) == (("PASS",), ())
    assert reading.unread == ((3, "Regards, Ann"),)


@CASES.rows
def test_elsewhere_the_word_is_complained_of(read: Read, text: str) -> None:
    assert "invalid-word" in [complaint.code for complaint in read(text).complaints]


def test_prose_that_ends_so_ends_nothing(read: Read) -> None:
    reading = read("ORDERS RR7 1\n1a) (Dublin) - AB17\nPRESS: We saw THE END\nand then another END")
    assert reading.press == "We saw THE END\nand then another END"
    assert [complaint.code for complaint in reading.complaints] == ["note-no-end"]


# Marks of bold type and targets of links, which a mail program wrote and no player: read over, and nothing else with them.


@CASES.rows
def test_marks_and_targets_are_read_over(written: str, said: str) -> None:
    assert without_markup(written) == said


@CASES.rows
def test_nothing_else_is(line: str) -> None:
    assert without_markup(line) == line


@CASES.rows
def test_it_takes_no_longer_than_the_line_is_long(piece: str) -> None:
    assert_grows_with(without_markup, pumped("x", piece, "x"))


def test_press_keeps_its_stars(read: Read) -> None:
    reading = read("*PRESS:* I am *not* amused,\n*not at all*\n*END PRESS*\n*PASS*")
    assert reading.press == "* I am *not* amused,\n*not at all*"
    assert reading.commands == ("PASS",)


def test_a_rule_ends_an_order(read: Read) -> None:
    reading = read("1a) (Dublin) - Y17\n-----------\nCork\n1b) (Cork) -\nBantry\n= = = =\nAnn")
    assert [phrase.text for phrase in reading.phrases] == ["1a) (Dublin) - Y17", "1b) (Cork) - Bantry"]
