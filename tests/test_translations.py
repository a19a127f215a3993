"""What is translated fits what it translates: the same things are filled in, and the same blanks stand around it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Message

from hatch_build import compile_catalogues
from referee import locale
from tests import catalogue

FILES = catalogue.translations()
FILLED = re.compile(r"%\(\w+\)[sd]|\{\w*\}")
PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "nl": "nplurals=2; plural=(n != 1);",
}
SEVERAL = '\nmsgid "{n} point"\nmsgid_plural "{n} points"\nmsgstr[0] "{n} Punkt"\nmsgstr[1] "%s"\n'


def faults(message: Message) -> Iterator[str]:
    """Yield what does not fit in a translated message."""
    texts, strings = forms(message.id), forms(message.string)
    if len(texts) != len(strings):
        yield f"{texts[0]!r}: {len(strings)} forms"
    for text, string in zip(texts, strings, strict=False):
        if {*FILLED.findall(text)} != {*FILLED.findall(string)}:
            yield f"{text!r}: {string!r} fills in something else"
        if edges(text) != edges(string):
            yield f"{text!r}: {string!r} begins or ends otherwise"


def forms(text: Any) -> tuple[str, ...]:
    """Return a text's singular and plural, or the only one there is."""
    return (text,) if isinstance(text, str) else tuple(text)


def edges(text: str) -> tuple[str, str]:
    """Return the blanks and ends of lines before and after a text."""
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_translation_fills_in_what_its_text_does(file: Path) -> None:
    translated = [
        each for each in catalogue.read(file) if each.id and catalogue.is_translated(each.string) and not each.fuzzy
    ]
    assert len(translated) > 100
    assert [fault for each in translated for fault in faults(each)] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_left_in_english(file: Path) -> None:
    translated = {
        (each.context, forms(each.id)[0])
        for each in catalogue.read(file)
        if each.id and catalogue.is_translated(each.string) and not each.fuzzy
    }
    texts = {(each.context, forms(each.id)[0]) for each in catalogue.read(catalogue.POT) if each.id}
    assert sorted(text for _, text in texts - translated) == [], "`make translations`, then translate these"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_to_be_filled_into_a_command_is_said_in_the_language(file: Path) -> None:
    english = re.compile(r"\breferee .*\b(NUMBER|TIME|FILE|NAME|ADDRESS)\b")
    assert [each.id for each in catalogue.read(file) if any(map(english.search, forms(each.string)))] == []


def test_french_has_a_blank_before_a_colon() -> None:
    (french,) = (file for file in FILES if file.stem == "fr")
    texts = [text for each in catalogue.read(french) if each.id for text in forms(each.string)]
    assert [text for text in texts if re.search(r"[)}]: ", text)] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_head_says_how_it_counts_and_no_day(file: Path) -> None:
    head = file.read_text(encoding="utf-8").partition("\n\n")[0]
    assert f"Plural-Forms: {PLURALS[file.stem]}" in head
    assert "Date" not in head


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('msgid "of %(n)s"\nmsgstr "von"\n', "fills in something else"),
        ('msgid "of {n}"\nmsgstr "von {m}"\n', "fills in something else"),
        ('msgid "of "\nmsgstr "von"\n', "begins or ends otherwise"),
        (SEVERAL % "Punkte", "fills in something else"),
        (SEVERAL % "{n} Punkte", ""),
    ],
)
def test_what_does_not_fit_is_found(entry: str, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "de.po"
    file.write_text(head("de") + entry, encoding="utf-8")
    found = [fault for each in catalogue.read(file) if each.id for fault in faults(each)]
    assert [fault in each for each in found] == [True] * bool(fault)


def test_an_update_keeps_what_is_translated_and_marks_what_was_written_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "de.po"
    file.write_text(
        head("de") + 'msgid "The board of the game"\nmsgstr "Das Brett"\n\nmsgid "Gone"\nmsgstr "Weg"\n',
        encoding="utf-8",
    )
    pot = 'msgid "The board of this game"\nmsgstr ""\n\nmsgid "You"\nmsgstr ""\n'
    monkeypatch.setattr(catalogue, "pot_text", lambda: catalogue.HEADER + pot)
    assert catalogue.state(file) == "de: 0 of 2 translated, 2 missing, 0 fuzzy, 2 obsolete"
    text = catalogue.updated(file)
    file.write_text(text, encoding="utf-8")
    assert text.startswith(head("de"))
    assert '#, fuzzy\n#| msgid "The board of the game"\nmsgid "The board of this game"\nmsgstr "Das Brett"\n' in text
    assert '#~ msgid "Gone"\n' in text
    assert catalogue.state(file) == "de: 0 of 2 translated, 1 missing, 1 fuzzy, 1 obsolete"
    assert '#| msgid "The board of the game"\n' in catalogue.updated(file)


def test_what_is_fuzzy_is_said_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = 'msgid "Friday"\nmsgstr "Freitag"\n\n#, fuzzy\nmsgid "Monday"\nmsgstr "Mond"\n'
    (tmp_path / "de.po").write_text(head("de") + entries, encoding="utf-8")
    (made,) = compile_catalogues(tmp_path)
    first = made.read_bytes()
    shutil.rmtree(tmp_path / "de")
    compile_catalogues(tmp_path)
    assert made.read_bytes() == first
    monkeypatch.setattr(locale, "files", lambda _: tmp_path)
    locale.translations.cache_clear()
    try:
        german = locale.translations("de")
    finally:
        locale.translations.cache_clear()
    assert (german.gettext("Friday"), german.gettext("Monday")) == ("Freitag", "Monday")


def head(language: str) -> str:
    """Return how a translation begins."""
    first = next(file for file in FILES if file.stem == language)
    return first.read_text(encoding="utf-8").partition("\n\n")[0] + "\n\n"
