"""Every text can be translated, and how far the translations are."""

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from gettext import NullTranslations
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from jinja2 import nodes

from hatch_build import compile_catalogues
from referee import locale
from referee.core import Complaint
from referee.report.sentences import merged_toml
from referee.report.templates import Stationery, bare_environment
from tests import catalogue
from tests.tables import Tables

CASES = Tables(__file__)


# Every text that players read is in the catalogue, and the catalogue is up to date.


COMMON = catalogue.ROOT / "templates" / "common"
LETTERS = re.compile(r"[^\W\d_]{2,}")
# Words of the order language and of mail stay as they are in every language.
FIXED = {
    "Subject",
    "HOME",
    "RUN",
    "FOR",
    "ORDERS",
    "END",
    "PRESS",
    "NOTE",
    "PASS",
    "CLEAR",
    "CONFIRM",
    "LANGUAGE",
    "UTC",
}
GETTEXT = {"_", "gettext", "ngettext", "pgettext", "npgettext"}
# A constant that is said: a word that begins like a sentence, or several words.
SAID = re.compile(r"[A-Z][a-z]|[^\W\d_]{2,} [^\W\d_]{2,}")
TEMPLATES = [file for file in catalogue.text_files() if file.name.endswith(".txt.j2")]
PAGES = [file for file in catalogue.text_files() if file.name.endswith(".html.j2")]


def test_the_catalogue_is_up_to_date() -> None:
    assert catalogue.POT.is_file(), "run `make catalogue`"
    assert catalogue.POT.read_text(encoding="utf-8") == catalogue.pot_text(), "texts have changed: run `make catalogue`"


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_template_says_nothing_outside_the_catalogue(file: Path) -> None:
    assert list(untranslated(file.read_text(encoding="utf-8"))) == [], "put it into {% trans %} or _()"


@pytest.mark.parametrize("file", PAGES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_page_says_nothing_outside_the_catalogue(file: Path) -> None:
    tree = bare_environment().parse(file.read_text(encoding="utf-8"))
    page = "".join(each.data if isinstance(each, nodes.TemplateData) else " " for each in tree.find_all(nodes.Node))
    page = re.sub(r"(?s)<(style|script).*?</\1>", "", page)
    called = re.findall(r'(?:alt|title|aria-label|summary|placeholder)="([^"]*)"', page)
    said = LETTERS.findall(" ".join((re.sub(r"<[^>]*>|<[^>]*$", " ", page), *called)))
    assert [word for word in said if word not in FIXED] == []
    assert [text for text in _constants(tree) if SAID.search(text) and text not in FIXED] == []


@CASES.rows
def test_the_search_finds_words_in_templates(template: str, found: list[str]) -> None:
    assert list(untranslated(template)) == found


def untranslated(template: str) -> Iterator[str]:
    """Return the words of a template that do not go through gettext, and constants that look like words said."""
    tree = bare_environment().parse(template)
    for data in tree.find_all(nodes.TemplateData):
        yield from (word for word in LETTERS.findall(data.data) if word not in FIXED)
    for text in _constants(tree):
        if SAID.search(text) and text not in FIXED:
            yield text


def _constants(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in GETTEXT:
        for argument in (*node.kwargs, *node.args[2:]):
            yield from _constants(argument)
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    for child in node.iter_child_nodes():
        yield from _constants(child)


class Pseudo(NullTranslations):
    """A language in which every msgid is said in «»."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"«{msgid1 if n == 1 else msgid2}»"


def unmarked(text: str) -> set[str]:
    """Return the words of *text* outside all «»."""
    while (shorter := re.sub("«[^«»]*»", " ", text)) != text:
        text = shorter
    return set(LETTERS.findall(text))


PARTS = """{% extends "letter.txt.j2" %}
{% block subject %}{% trans %}Trial{% endtrans %}{% endblock %}
{% block body %}
{{ post.section(_("Part")) }}
{{ post.deadline(deadline) }}
{{ post.deadline(none) }}
{{ post.complaints(complaints) }}
{{ post.unread(((4, "qqq"),)) }}
{{ post.press(press) }}
{% call post.order_form(game.id, turn) %}
1a)
{% endcall %}
{{ ["qqq", "rrr", "sss"] | joined }}, {{ deadline | day }}
{% endblock %}
"""


def every_complaint() -> list[Complaint]:
    """Return a complaint for each code of the house, with all the parameters its sentence names."""
    made = []
    for code, entry in merged_toml((COMMON,), "complaints.toml").items():
        names = {name for text in entry.values() for _, name, _, _ in Formatter().parse(text) if name}
        params = tuple((name, 3 if name == entry.get("count") else "rrr") for name in sorted(names))
        made.append(Complaint(code=code, line=4, text="qqq", hint="rrr", paragraph="QQ2", params=params))
    return made


def pseudo_values() -> dict[str, Any]:
    return {
        "game": {"id": "QQ7", "title": "qqq", "board_name": "qqq"},
        "turn": 3,
        "address": "qqq@qqq.qqq",
        "deadline": datetime(2026, 12, 4, 20, 0, tzinfo=UTC),
        "complaints": every_complaint(),
        "press": [{"player": "QQQ", "company": "rrr", "text": "sss"}],
    }


def test_a_letter_in_a_pseudo_language_has_no_words_of_ours(tmp_path: Path) -> None:
    (tmp_path / "trial.txt.j2").write_text(PARTS, encoding="utf-8")
    stationery = Stationery(lambda _: (tmp_path, COMMON), translations=lambda _: Pseudo(), strict=True)
    letter = stationery.letter("trial", "", "xx", "Europe/Dublin", pseudo_values())
    shown = unmarked(f"{letter.subject}\n{letter.text}")
    assert shown <= {"ORDERS", "END", "QQ", "qqq", "rrr", "sss", "QQQ"}
    assert "«" in letter.subject
    assert "«December»" in letter.text


def test_a_language_without_a_catalogue_is_told_in_english() -> None:
    for language in ("en", "xx", "", "../../etc", "de_DE.UTF-8"):
        assert locale.translations(language).gettext("Friday") == "Friday"


def test_a_regional_language_takes_the_rest_from_its_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for language, words in (("de", {"January": "Januar", "Friday": "Freitag"}), ("de_AT", {"January": "Jänner"})):
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        compiled = Catalog(locale=language, charset="utf-8")
        for msgid, text in words.items():
            compiled.add(msgid, text)
        with (folder / "referee.mo").open("wb") as stream:
            write_mo(stream, compiled)
    monkeypatch.setattr(locale, "files", lambda _: tmp_path)
    locale.translations.cache_clear()
    try:
        austrian, german = locale.translations("de-AT"), locale.translations("de")
    finally:
        locale.translations.cache_clear()
    assert (austrian.gettext("January"), austrian.gettext("Friday")) == ("Jänner", "Freitag")
    assert german.gettext("January") == "Januar"
    assert austrian.gettext("Monday") == "Monday"


# What is translated fits what it translates: the same things are filled in, and the same blanks stand around it.


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
