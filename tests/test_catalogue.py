"""Every text that players read is in the catalogue, and the catalogue is up to date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from gettext import NullTranslations
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from jinja2 import nodes

from referee import locale
from referee.core.orders import Complaint
from referee.report.folders import merged_toml
from referee.report.templates import Stationery, bare_environment
from tests import catalogue

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


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("Hello {{ name }}\n", ["Hello"]),
        ("{{ post.section('Races') }}", ["Races"]),
        ("{{ name or 'nobody there' }}", ["nobody there"]),
        ("{% if x == 'Cork' %}a{% endif %}", ["Cork"]),
        ("Subject: {% trans %}Hello{% endtrans %} {{ _('You') }}{{ rows | columns('llr') }}\nORDERS RR7\nEND", ["RR"]),
        ("{% trans n=x %}{{ n }} track{% pluralize %}{{ n }} tracks{% endtrans %}{# a comment #}", []),
    ],
)
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
