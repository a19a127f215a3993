"""Sentences kept as data: ``complaints.toml`` (a sentence for each code) and ``words.toml`` (everything short).

A game's folder adds its own; the umpire's folder may say a thing otherwise. Every sentence and word is a msgid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from gettext import NullTranslations
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, Environment, Template, TemplateNotFound, TemplateSyntaxError
from jinja2.loaders import split_template_path

from referee.core import ALTERNATIVE, INSTEAD, Complaint, ConfigError, Fields, Numbers, Words
from referee.core.agreement import display_name
from referee.core.game import Price
from referee.core.texts import load_toml

from .quoting import one_line, stop_once

# The folders where a game's templates lie: the first that has a file wins, for letters, their parts and their words.

Folder = Traversable | Path
Folders = tuple[Folder, ...]

FILES = 32  # whose tables are kept: each game has a few, for readers of all languages


class FoldersLoader(BaseLoader):
    """Jinja2's door to the folders; ``extends``, ``include`` and ``import`` search them all again from the first."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._seen: set[str] = set()  # templates that are as they were read, for the letter that is written
        self._there: tuple[bool, ...] = ()  # which folders there are, for that letter: mostly the last one alone

    def begin_letter(self) -> None:
        """Look at each template's files again, once for all places where the next letter asks for it."""
        self._seen.clear()
        self._there = ()

    def load(self, environment: Environment, name: str, *given: Any, **named: Any) -> Template:
        """Raises TemplateSyntaxError also for what Jinja2 has no error for: no text, or one that nests too deep."""
        try:
            return super().load(environment, name, *given, **named)
        except (RecursionError, ValueError) as error:
            raise TemplateSyntaxError(str(error), 1, name) from error

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool]]:
        """Return (text, file, up to date?); a template the umpire changes or adds is seen with the next letter.

        Raises:
            TemplateNotFound: no folder has it.
        """
        parts = split_template_path(template)
        places = tuple(folder.joinpath(*parts) for folder in self._folders)
        before = self._stamps(places)
        found = next((place for place in places if place.is_file()), None)
        if found is None:
            raise TemplateNotFound(template)

        def up_to_date() -> bool:
            if template not in self._seen and self._stamps(places) != before:
                return False
            self._seen.add(template)
            return True

        return found.read_text(encoding="utf-8"), str(found), up_to_date

    def _stamps(self, places: tuple[Folder, ...]) -> list[Numbers]:
        self._there = self._there or tuple(folder.is_dir() for folder in self._folders)
        return [stamp(place) if there else () for place, there in zip(places, self._there, strict=True)]


def stamp(place: Folder) -> Numbers:
    """Return what is different as soon as somebody writes a file, or makes or removes it; nothing for one in an archive."""
    try:
        told = place.stat() if isinstance(place, Path) else None
    except OSError:
        told = None
    return (told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns) if told else ()


def merged_toml(folders: Folders, name: str) -> Mapping[str, Fields]:
    """Return the tables of all files called *name*; a table's entry is taken from the first folder that has it.

    Raises:
        ConfigError: a file is not TOML or has something outside a table.
    """
    merged: dict[str, dict[str, Any]] = {}
    for folder in reversed(folders):
        file = folder.joinpath(name)
        if not file.is_file():
            continue
        for section, table in _tables(file).items():
            merged.setdefault(section, {}).update(table)
    return merged


def _tables(file: Folder) -> Mapping[str, Fields]:
    try:
        tables = _read(file.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, or not UTF-8
        raise ConfigError(f"{file}: {error}") from error
    for section, table in tables.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{file}: {section!r} stands outside a [table]")
    return tables


@lru_cache(maxsize=FILES)
def _read(text: str) -> Fields:
    """Return the tables of a text: to be looked at, for they are those of all who read the same."""
    return load_toml(text)


COMPLAINTS = "complaints.toml"
WORDS = "words.toml"
MOST_TOLD = 120  # characters of a player's words within a sentence of ours
_RACE_ENDS = ("start", "end")  # in complaints


def _any_of(words: Iterable[str]) -> re.Pattern[str] | None:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w?])") if longest_first else None


class Spoken:
    """The words of orders in one language. ``words``: by a word as orders are kept, ``FASTEST``, what the reader calls it."""

    def __init__(self, words: Words) -> None:
        self.words = {**words}
        self._in_lines = _any_of(words)
        # Within a sentence "none" may be a word like any other; orders stand there in capitals.
        self._in_sentences = _any_of(word for word in words if word.isupper())

    def line(self, text: str) -> str:
        """Return lines of orders in the reader's words; names of places and players stay."""
        return self._in_lines.sub(self._say, text) if self._in_lines else text

    def sentence(self, text: str) -> str:
        """Return a sentence of ours in which words of orders stand in capitals."""
        return self._in_sentences.sub(self._say, text) if self._in_sentences else text

    def _say(self, match: re.Match[str]) -> str:
        return self.words[match[0]]


ENGLISH = Spoken({})


class SpokenTranslations(NullTranslations):
    """A catalogue whose sentences name the words of orders in the reader's language, too."""

    def __init__(self, translations: NullTranslations, spoken: Spoken) -> None:
        super().__init__()
        self._translations, self._spoken = translations, spoken

    def gettext(self, message: str) -> str:
        """Return the sentence in the reader's language."""
        return self._spoken.sentence(self._translations.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the sentence for so many."""
        return self._spoken.sentence(self._translations.ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        """Return the sentence as it is meant in *context*."""
        return self._spoken.sentence(self._translations.pgettext(context, message))


class Sentences:
    """The catalogues of one game in one language.

    ``strict`` (tests) raises KeyError for a code, word or parameter that is missing; a letter on its way to a player
    shows code and parameters instead: a bug of ours must not keep the answer from the player.
    """

    def __init__(
        self, folders: Folders, translations: NullTranslations, spoken: Spoken = ENGLISH, *, strict: bool = False
    ) -> None:
        """Raises ConfigError when a catalogue cannot be read."""
        self.translations, self.spoken = translations, spoken
        self._complaints = merged_toml(folders, COMPLAINTS)
        self._words = merged_toml(folders, WORDS)
        self._strict = strict

    def complaint(self, complaint: Complaint) -> str:
        """Return ``line 4: hex 'Z99' is not on this map (did you mean Z9?) [D2.2]``, one line.

        A sentence that names the hint itself gets no ``did you mean``; an entry's own ``hint`` says it in other words.
        """
        sentence = self._sentence(complaint)
        if complaint.paragraph:
            sentence = self.word("complaint", "with-paragraph", sentence=sentence, paragraph=complaint.paragraph)
        if complaint.line > 0:
            sentence = self.word("complaint", "with-line", sentence=sentence, line=complaint.line)
        return sentence

    def word(self, section: str, key: str, /, **values: object) -> str:
        """Return the entry *key* of the table *section* in ``words.toml``, filled with *values*; else *key* itself."""
        entry = self._words.get(section, {}).get(key)
        if entry is None:
            if self._strict:
                raise KeyError(f"{section}.{key}")
            return key
        translated = self._translation(entry)
        return translated.format_map(stop_once(translated, values)) if values else translated

    def price(self, price: Price) -> str:
        """Return a line of a price list: ``a river on the hex-side: +2 [D2.3]``."""
        amounts = [f"+{amount}" if price.more else str(amount) for amount in price.amounts]
        values = {"amount": ", ".join(amounts), "first": amounts[0], "last": amounts[-1]} if amounts else {}
        sentence = self.word("price", price.what, **values, names=self.joined(price.names), count=price.count)
        return self.word("complaint", "with-paragraph", sentence=sentence, paragraph=price.paragraph)

    def named(self, title: str) -> str:
        """Return what a board or an area is called in the reader's language; one of the umpire's own as the umpire calls it."""
        return self.translations.gettext(title) if title else ""

    def joined(self, items: Sequence[object], conjunction: str = "and") -> str:
        """Return ``a, b and c``; *conjunction* is ``and`` or ``or``."""
        *before, last = [*items] or [""]
        return self.word("list", conjunction, first=self.apart(before, "more"), last=last) if before else str(last)

    def decimal(self, number: str) -> str:
        """Return ``+3.5`` with the sign that parts its digits in the reader's language; a whole number as it is."""
        whole, point, part = number.partition(".")
        return self.word("number", "decimal", whole=whole, part=part) if point else number

    def apart(self, items: Sequence[object], how: str = "apart") -> str:
        """Return ``a; b; c``: what has commas of its own. *how*: the entry that says so."""
        texts = [str(item) for item in items]
        return reduce(lambda first, each: self.word("list", how, first=first, next=each), texts) if texts else ""

    def _sentence(self, complaint: Complaint) -> str:
        """Return the sentence with its hint, without line and paragraph."""
        if complaint.code.startswith(ALTERNATIVE):
            alone = complaint.but(code=complaint.code.removeprefix(ALTERNATIVE))
            instead = one_line(str(dict(complaint.params).get(INSTEAD, "")))
            kind = "alternative-instead" if instead else "alternative"
            return self.word("complaint", kind, sentence=self._sentence(alone), instead=instead)
        values = {key: self._value_words(key, each) for key, each in _values(complaint).items()}
        try:
            entry = self._complaints[complaint.code]
            sentence = self._entry_text(entry, values)
            if not complaint.hint or "{hint}" in entry["sentence"]:
                return sentence
            hint = self._translation(entry["hint"]).format_map(values) if "hint" in entry else ""
            return self.word(
                "complaint", "with-hint", sentence=sentence, hint=hint or self.word("complaint", "hint", **values)
            )
        except KeyError:
            if self._strict:
                raise
            return _bare(complaint)

    def _value_words(self, key: str, value: object) -> object:
        """Return what a sentence names: it stands there as orders are kept, or is the end of a race, which may be an area."""
        if not isinstance(value, str):
            return value
        return self.named(value) if key in _RACE_ENDS else self.spoken.line(value)

    def _entry_text(self, entry: Fields, values: Mapping[str, object]) -> str:
        """Return the sentence of an entry; one with ``plural`` and ``count`` goes by the parameter that *count* names."""
        if "plural" not in entry:
            return self._translation(entry["sentence"]).format_map(values)
        number = int(str(values[entry["count"]]))
        return self.translations.ngettext(entry["sentence"], entry["plural"], number).format_map(values)

    def _translation(self, msgid: str) -> str:
        return self.translations.gettext(msgid)


def with_names(value: Any, translate: Callable[[str], str]) -> Any:
    """Return plain values that a template is given with names of players as its reader knows them."""
    if isinstance(value, str):
        return display_name(value, translate)
    if type(value) is dict:
        return {key: with_names(each, translate) for key, each in value.items()}
    return type(value)(with_names(each, translate) for each in value) if type(value) in (list, tuple) else value


def _values(complaint: Complaint) -> dict[str, object]:
    """Return what a sentence may name. Words a player wrote are cleaned: they stand in the middle of our line."""
    return {
        **{name: _short(value) if isinstance(value, str) else value for name, value in complaint.params},
        "text": _short(complaint.text),
        "hint": one_line(complaint.hint),
        "line": complaint.line,
        "paragraph": complaint.paragraph,
    }


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= MOST_TOLD else f"{line[:MOST_TOLD].rstrip()} ..."


def _bare(complaint: Complaint) -> str:
    """Return code and parameters, for a complaint without a sentence."""
    told = [("text", complaint.text), ("hint", complaint.hint), *complaint.params]
    words = [f"{name}: {one_line(str(value))}" for name, value in told if value != ""]
    return f"{complaint.code} ({', '.join(words)})" if words else complaint.code
