"""The rules as a letter asks for them: whole, or paragraph by paragraph, with the options of the game that they depend on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.game import Game, Option
from referee.core.regex import regex
from referee.core.texts.rulebook import Paragraph, Rulebook
from referee.core.texts.wording import as_written
from referee.report.columns import TIE

_NUMBER = regex(r"[A-Z]? ?\d+(?:\.\d+)*")
_MARKED = regex(r"`([^`]+)`")
_GAME = regex(r"[A-Z]{2,6}\d{1,6}(?!\S)")  # a paragraph has one letter


def rules_values(
    rules: Game, preset: str, options: Mapping[str, Option], language: str, asked: list[str]
) -> dict[str, Any]:
    """Return what ``answers.txt.j2`` tells of the rules. *asked*: the words behind RULES, "" for none: then all of them."""
    book = rules.rulebook(language)
    if book is None:
        return {"kind": "rules", "title": "", "preface": [], "paragraphs": [], "missing": [], "chapters": []}
    numbers = [_NUMBER.findall(_GAME.sub("", value.upper(), count=1)) for value in asked]
    whole = not all(numbers)
    names = list(dict.fromkeys(number for each in numbers for number in each))
    found = [paragraph for name in names for paragraph in book.find(name)]
    agreed = {**rules.presets[preset], **options}
    return {
        "kind": "rules",
        "title": book.title,
        "preface": [plain(block) for block in book.preface] if whole else [],
        "paragraphs": [_told(book, each, agreed) for each in (book.paragraphs if whole else dict.fromkeys(found))],
        "missing": [name for name in names if not book.find(name)],
        "chapters": [f"{each.number} {each.title}" for each in book.paragraphs if "." not in each.number],
    }


def _told(book: Rulebook, paragraph: Paragraph, options: Mapping[str, Option]) -> dict[str, Any]:
    agreed = [f"{name}{TIE}={TIE}{as_written(options[name])}" for name in paragraph.quoted if name in options]
    return {
        "number": paragraph.number,
        "title": paragraph.title,
        "about": book.settled_by(paragraph),
        "chapter": "." not in paragraph.number and paragraph in book.paragraphs,
        "blocks": [plain(block) for block in paragraph.blocks],
        "options": agreed,
        "rulings": [each.number for each in book.rulings_on(paragraph)],
    }


def plain(block: str) -> str:
    """Return a block without the marks of Markdown: what might be read as a word of the sentence stands in quotes."""

    def said(match: re.Match[str]) -> str:
        word = match[1]
        is_name = word.isupper() or ("_" in word and " = " not in word)
        return word if is_name else f'"{word.replace(" ", TIE)}"'

    return _MARKED.sub(said, block)
