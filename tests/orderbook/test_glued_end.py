"""END that a mail program glued to the last order (format=flowed does where the line before ends with a space) ends the block."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.orderbook import Reading

Read = Callable[[str], Reading]


@pytest.mark.parametrize(
    "last",
    [
        "1a) (Dublin) - Y17 END",
        "1a) none END",
        "1a) (Dublin) - AB17 [-1 MGW] END ORDERS",
        "HOME Dublin END",
        "RUN 7: FASTEST END",
    ],
)
def test_end_behind_the_last_order_ends_the_block(read: Read, last: str) -> None:
    reading = read(f"ORDERS RR7 1\n1b) (Dublin) - AB17\n{last}\n\nUntil next time\nAnn")
    assert reading.complaints == ()
    assert [phrase.line for phrase in reading.phrases] == [2, 3]
    assert reading.unread == ((5, "Until next time"), (6, "Ann"))


def test_end_behind_a_command_ends_the_block(read: Read) -> None:
    reading = read("ORDERS RR7 1\nPASS END\nRegards, Ann")
    assert (reading.commands, reading.complaints) == (("PASS",), ())
    assert reading.unread == ((3, "Regards, Ann"),)


@pytest.mark.parametrize(
    "text",
    [
        "ORDERS RR7 1\n1a) (Dublin) - AB17 end",  # not in capitals
        "ORDERS RR7 1\n1a) (Dublin) - AB17 END\n1b) (Dublin) - AC18",  # an order follows
        "ORDERS RR7 1\n1a) (Dublin) - AB17 END\nEND",  # the block has an end of its own
        "1a) (Dublin) - AB17 END",  # no block was begun
    ],
)
def test_elsewhere_the_word_is_complained_of(read: Read, text: str) -> None:
    assert "invalid-word" in [complaint.code for complaint in read(text).complaints]


def test_prose_that_ends_so_ends_nothing(read: Read) -> None:
    reading = read("ORDERS RR7 1\n1a) (Dublin) - AB17\nPRESS: We saw THE END\nand then another END")
    assert reading.press == "We saw THE END\nand then another END"
    assert [complaint.code for complaint in reading.complaints] == ["note-no-end"]
