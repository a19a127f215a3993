"""Replies of all mail programs, with old orders in what they quote (``replies.toml``): these are not read, and his all are."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.mail.letter.message import read_letter
from referee.orderbook import Reading

REPLIES: dict[str, dict[str, str]] = tomllib.loads((Path(__file__).parent / "replies.toml").read_text("utf-8"))
OWN = ("1a) (Dublin) - Y17", "1b) (Y17) - X17 ; (Dublin) - Drogheda")
QUOTE = """\
RR7: Dampfross, map Ireland
Your orders of the last turn:

1a) (Cork) - Bantry
1b) (Galway) - J15 - Westport

Answer this letter with your orders between these two lines:

ORDERS RR7 1
1a) (Cork) - Kinsale
END"""
TEXTS = [(name, kind) for name, reply in REPLIES.items() for kind in reply]


def written(name: str, kind: str) -> str:
    """Return the reply of a program as text or html."""
    end = "<br>" if kind == "html" else "\n"
    marked = "\n".join(f"> {line}" for line in QUOTE.split("\n"))
    told = REPLIES[name][kind].replace("OWN", end.join(OWN)).replace("MARKED", marked)
    return told.replace("QUOTE", QUOTE.replace("\n", end))


def read_body(read: Callable[[str], Reading], kind: str, body: str) -> Reading:
    """Return what a letter with this body says."""
    plain = "plain" if kind == "text" else kind
    head = f"From: ann@example.com\nContent-Type: text/{plain}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    return read(read_letter(f"{head}{body}".encode()).text)


def is_right(reading: Reading) -> bool:
    """Return whether what he wrote was read, and nothing else."""
    return tuple(phrase.text for phrase in reading.phrases) == OWN and not (reading.complaints or reading.marked)


def harmed(text: str) -> Iterator[str]:
    """Yield a plain text as servers and programs on its way change it, the player's own lines and marked ones left whole."""

    def folded(line: str, width: int) -> list[str]:
        whole = line in OWN or line.startswith((">", "RR>"))
        return [line] if whole else textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]

    lines = text.split("\n")
    yield text.replace("\n", "\n\n")
    yield text.replace("\n", "  \r\n")
    yield "\n".join(line for line in lines if line.strip())
    yield "\n".join(line if line.startswith(">") else f"\u00a0{line}" for line in lines)
    for width in (76, 60, 40):
        yield "\n".join(piece for line in lines for piece in folded(line, width))


def test_the_family_is_large() -> None:
    assert len(REPLIES) >= 61
    assert {kind for _, kind in TEXTS} == {"text", "html"}


@pytest.mark.parametrize(("name", "kind"), TEXTS)
def test_what_a_program_quotes_is_no_order_and_what_the_player_wrote_is(
    name: str, kind: str, read: Callable[[str], Reading]
) -> None:
    reading = read_body(read, kind, written(name, kind))
    assert is_right(reading), reading
    assert len(reading.unread) <= 3, "of what is quoted hardly a line is told as not read"


PLAIN = [name for name, kind in TEXTS if kind == "text"]


@pytest.mark.parametrize(
    "every", [3, pytest.param(1, marks=pytest.mark.testlong)]
)  # of the ways of being harmed, by turns
@pytest.mark.parametrize("name", PLAIN)
def test_nor_where_lines_were_broken_doubled_or_set_in(name: str, every: int, read: Callable[[str], Reading]) -> None:
    for text in [*harmed(written(name, "text"))][PLAIN.index(name) % every :: every]:
        reading = read_body(read, "text", text)
        assert is_right(reading), (text, reading)
