"""Orders that a mail program wraps, and lines below an order that are none of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.orders import Phrase, Word
from referee.orderbook import Reading

ORDERS = Path(__file__).parents[2] / "orders"
GUIDES = {"dampfross": ORDERS / "README.md", "volldampf": ORDERS / "volldampf/README.md"}
Reads = Mapping[str, Callable[[str], Reading]]
NARROW = 13  # characters: no mail program wraps lines that are shorter


def examples(game: str) -> Iterator[str]:
    """Yield the lines of the examples in a game's guide."""
    for block in re.findall(
        r"^```orders\n(.*?)^```$", GUIDES[game].read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        yield from block.splitlines()


def bare(phrase: Phrase) -> Phrase:
    """Return a phrase without the places of its words."""
    parts = (replace(each, column=0) if isinstance(each, Word) else bare(each) for each in phrase.parts)
    return replace(phrase, parts=tuple(parts), line=0, text="")


@pytest.mark.parametrize("game", GUIDES)
def test_an_order_broken_at_any_blank_is_the_same_order_or_asked_about(game: str, reads: Reads) -> None:
    read, broken, exact, wrong = reads[game], 0, 0, []
    for line in dict.fromkeys(examples(game)):
        whole = read(line)
        if len(whole.phrases) != 1 or any(each.is_error for each in whole.complaints):
            continue
        for blank in re.finditer(" ", line[NARROW:]):
            text = f"{line[: NARROW + blank.start()]}\n{line[NARROW + blank.end() :]}"
            reading = read(text)
            broken += 1
            if any(each.is_error for each in (*reading.complaints, *reading.asked)):
                continue
            same = [*map(bare, reading.phrases)] == [*map(bare, whole.phrases)]
            exact += same
            wrong += [] if same else [text]
    assert wrong == []
    assert exact / broken > 0.95


@pytest.mark.parametrize("order", ["1a) (Belfast) - AC7", "RUN 7: Dublin - Cork"])
@pytest.mark.parametrize(
    ("below", "asked"),
    [
        ("IF that is allowed, of course", False),
        ("NOT that it matters", False),
        ("- not sure about that", False),
        ("- and see you soon", False),
        ("(I hope this works)", False),
        ("(not sure)", False),
        ("NOT AB7", True),
        ("(AB7)", True),
        ("IF", True),
        ("UNLESS MGW wants it", True),
    ],
)
def test_a_line_that_begins_like_the_rest_of_an_order_does_not_spoil_it(
    order: str, below: str, asked: bool, reads: Reads
) -> None:
    reading = reads["dampfross"](f"{order}\n{below}\n")
    assert [phrase.text for phrase in reading.phrases] == [order]
    assert [each.code for each in reading.complaints if each.is_error] == []
    assert [each.text for each in reading.asked] == [below] * asked
    assert [text for _, text in reading.unread] == [below] * (not asked)


def test_in_a_closed_block_such_a_line_is_a_complaint_of_its_own(reads: Reads) -> None:
    reading = reads["dampfross"]("ORDERS\n1a) (Belfast) - AC7\n(not sure)\nEND\n")
    assert [phrase.text for phrase in reading.phrases] == ["1a) (Belfast) - AC7"]
    assert [(each.code, each.line) for each in reading.complaints] == [("invalid-line", 3)]


def test_a_slip_in_what_goes_on_is_told_as_one(reads: Reads) -> None:
    reading = reads["dampfross"]("1a) (Belfast) - AC7\n- Dubln\n")
    assert [(each.code, each.hint) for each in reading.complaints] == [("invalid-place", "Dublin")]


def test_a_delivery_wrapped_before_its_fast_loco_is_one_order(reads: Reads) -> None:
    line = "MOVE 1: violet FROM Magdeburg VIA Leipzig TO Erfurt"
    reading = reads["volldampf"](f"{line}\nFAST\nBONDS 3\n")
    assert [phrase.text for phrase in reading.phrases] == [f"{line} FAST", "BONDS 3"]
    assert (reading.complaints, reading.unread, reading.asked) == ((), (), ())
