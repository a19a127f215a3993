"""Order letters as mail programs write them: ``orders/letters/*.eml`` and what each must be read as.

``language`` in an expectation names the game it is for, else Dampfross; what the game itself makes of it (``stage``,
``orders``, ``refused``) is tested with the game.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.core.orders import Complaint, Phrase
from referee.mail.letter.message import read_letter
from referee.orderbook import OrderLanguage, Reading
from referee.resources import order_texts

LETTERS = sorted((Path(__file__).parents[2] / "orders/letters").glob("*.eml"))
GAMES = ("dampfross", "volldampf")
OF_A_NAME = tuple(f"invalid-{name}" for name in ("hex", "place", "company", "letters", "track", "cube", "player"))


def _spelt(complaint: Complaint) -> str:
    """``4 invalid-hex Z99 -> Z9``; the text only where it is a name, not a whole line."""
    text = f" {complaint.text}" if complaint.code in OF_A_NAME else ""
    hint = f" -> {complaint.hint}" if complaint.hint else ""
    return f"{complaint.line} {complaint.code}{text}{hint}"


@pytest.mark.parametrize("file", LETTERS, ids=lambda file: file.stem)
def test_a_letter_is_read_as_its_expectation_says(
    file: Path, reads: Mapping[str, Callable[[str], Reading]], spell: Callable[[Phrase], str]
) -> None:
    expected = _expected(file)
    for key in ("about", "stage", "orders", "refused"):
        expected.pop(key, None)
    reading = reads[expected.pop("language", GAMES[0])](read_letter(file.read_bytes()).text)
    assert {
        "phrases": [f"{phrase.line} {spell(phrase)}" for phrase in reading.phrases],
        "complaints": [_spelt(complaint) for complaint in reading.complaints],
        "unread": [f"{line} {text}" for line, text in reading.unread],
        "asked": [f"{each.line} {each.code}" for each in reading.asked],
        "commands": list(reading.commands),
        "press": reading.press,
        "note": reading.note,
        "game": reading.game,
        "turn": reading.turn,
        "marked": reading.marked,
        "salt": reading.salt,
        "quoted": len(reading.quoted),
        "amends": [f"{line} {text}" for line, text in reading.amends],
        "keeps": [f"{line} {label}" for line, label in reading.keeps],
        "questions": [f"{each.verb} {each.value}".strip() for each in reading.questions],
        "trials": [f"{phrase.line} {spell(phrase)}" for trial in reading.trials for phrase in trial.phrases],
        "private": [[*each.to, each.text] for each in reading.private],
        "unsigned": reading.unsigned,
    } == {
        "asked": [],
        "salt": "",
        "quoted": 0,
        "amends": [],
        "keeps": [],
        "questions": [],
        "trials": [],
        "private": [],
        "unsigned": "",
        **expected,
    }


def test_every_expectation_has_its_letter() -> None:
    assert [file.stem for file in LETTERS] == sorted(file.stem for file in LETTERS[0].parent.glob("*.toml"))
    assert len(LETTERS) >= 12


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_has_a_letter(game: str, order_languages: Mapping[str, OrderLanguage]) -> None:
    """Of aliases one suffices: what is read is the verb. Verbs of every game may stand in any game's letters."""
    own = tomllib.loads(order_texts(game)["verbs"])["verb"]
    lines, everybodys = ("\n".join(_texts(*games)).upper() for games in ((game,), GAMES))
    missing = [
        verb.name
        for verb in order_languages[game].verbs
        if verb.kind != "text-end"
        and not re.search(
            rf"^(> )?{re.escape(verb.name)}(?!\w)", lines if verb.name in own else everybodys, re.MULTILINE
        )
    ]
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_the_language_has_a_letter(game: str) -> None:
    words = tomllib.loads(order_texts(game)["verbs"])["words"]
    written = " ".join(_texts(game)).lower()
    assert [
        word for word, names in words.items() if not any(re.search(rf"\b{name}\b", written) for name in names)
    ] == []


def _expected(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))


def _texts(*games: str) -> list[str]:
    """Return the texts of the letters for these games."""
    files = [file for file in LETTERS if _expected(file).get("language", GAMES[0]) in games]
    return [read_letter(file.read_bytes()).text for file in files]
