"""What is not listed as not read, because nobody meant it for the referee."""

from __future__ import annotations

from collections.abc import Callable

from referee.orderbook import Book, Reading, without_courtesies

LETTER = """Dear Peter,
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


def test_courtesies_are_told_apart_from_what_is_said(read: Callable[[str], Reading], book: Book) -> None:
    told = tuple(without_courtesies(read(LETTER).unread, book))
    assert told == (
        (2, "My wife is ill."),
        (6, "Hello, I have a question"),
        (10, "Cork is mine after all!"),
        (12, "7 trains"),
    )
