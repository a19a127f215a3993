"""Order letters as mail programs write them: ``orders/letters/*.eml`` and what each must be read as."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.core.orders import Complaint, Phrase
from referee.mail.message import read_letter
from referee.orderbook import Book, Reading
from referee.resources import order_texts

LETTERS = sorted((Path(__file__).parents[2] / "orders/letters").glob("*.eml"))
OF_A_NAME = ("invalid-hex", "invalid-place", "invalid-company", "invalid-letters")


def _spelt(complaint: Complaint) -> str:
    """``4 invalid-hex Z99 -> Z9``; the text only where it is a name, not a whole line."""
    text = f" {complaint.text}" if complaint.code in OF_A_NAME else ""
    hint = f" -> {complaint.hint}" if complaint.hint else ""
    return f"{complaint.line} {complaint.code}{text}{hint}"


@pytest.mark.parametrize("file", LETTERS, ids=lambda file: file.stem)
def test_a_letter_is_read_as_its_expectation_says(
    file: Path, read: Callable[[str], Reading], spell: Callable[[Phrase], str]
) -> None:
    expected = tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))
    expected.pop("about")
    reading = read(read_letter(file.read_bytes()).text)
    assert {
        "phrases": [f"{phrase.line} {spell(phrase)}" for phrase in reading.phrases],
        "complaints": [_spelt(complaint) for complaint in reading.complaints],
        "unread": [f"{line} {text}" for line, text in reading.unread],
        "commands": list(reading.commands),
        "press": reading.press,
        "note": reading.note,
        "game": reading.game,
        "turn": reading.turn,
        "marked": reading.marked,
        "salt": reading.salt,
        "quoted": reading.quoted,
    } == {"salt": "", "quoted": 0, **expected}


def test_every_expectation_has_its_letter() -> None:
    assert [file.stem for file in LETTERS] == sorted(file.stem for file in LETTERS[0].parent.glob("*.toml"))
    assert len(LETTERS) >= 12


def test_every_verb_has_a_letter() -> None:
    """Of aliases one suffices: what is read is the verb."""
    book = Book.of(**order_texts("dampfross"))
    lines = "\n".join(_texts()).upper()
    named = {verb.name for verb in book.verbs if re.search(rf"^(> )?{verb.name}\b", lines, re.MULTILINE)}
    assert [verb.name for verb in book.verbs if verb.name not in named and verb.kind != "text-end"] == []


def test_every_word_of_the_language_has_a_letter() -> None:
    words = tomllib.loads(order_texts("dampfross")["verbs"])["words"]
    written = " ".join(_texts()).lower()
    assert [
        word for word, names in words.items() if not any(re.search(rf"\b{name}\b", written) for name in names)
    ] == []


def _texts() -> list[str]:
    return [read_letter(file.read_bytes()).text for file in LETTERS]
