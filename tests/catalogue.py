"""Collects every text that players read into ``referee/locale/referee.pot``: ``make catalogue`` writes it.

The file has no dates, line numbers or versions: it changes when a text changes, and not otherwise.
"""

from __future__ import annotations

import io
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.pofile import write_po
from jinja2.ext import babel_extract

from referee.report.templates import EXTENSIONS

ROOT = Path(__file__).parent.parent
POT = ROOT / "referee" / "locale" / "referee.pot"
WORD = "N_"  # marks words in Python that are translated where they are shown
DATA = ("complaints.toml", "words.toml", "events.toml")
VERBS = "verbs.toml"  # their help is told to players who ask for it
KEYWORDS = ("_", "gettext", "ngettext", "pgettext", "npgettext")

HEADER = """\
# Every text that players read. Made by `make catalogue`; a translation starts from here.
# What stands in braces or as %(name)s is filled in and stays as it is.
msgid ""
msgstr ""
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""

OPTIONS = {
    "extensions": ",".join(name for name in EXTENSIONS if not name.endswith(".i18n")),
    "trim_blocks": "true",
    "lstrip_blocks": "true",
    "keep_trailing_newline": "true",
    "newstyle_gettext": "true",
    "trimmed": "true",
    "silent": "false",  # a template that cannot be read fails the extraction
}


class Message(NamedTuple):
    """A text to translate: ``flag`` says what it is filled in with, for the programs of translators."""

    msgid: str
    plural: str = ""
    context: str | None = None
    flag: str = ""


def text_files() -> tuple[Path, ...]:
    """Return the templates and data catalogues of the house and of the games' own packages, and the games' modules that
    mark words, in order of their paths."""
    games = ROOT / "referee" / "games"
    folders = [ROOT / "templates", *sorted(games.glob("*/templates"))]
    found = {file for folder in folders for file in folder.rglob("*") if file.suffix == ".j2" or file.name in DATA}
    found |= {file for file in games.rglob("*.py") if f"{WORD}(" in file.read_text(encoding="utf-8")}
    found |= set((ROOT / "orders").glob(f"*/{VERBS}"))
    return tuple(sorted(found))


def messages(file: Path) -> tuple[Message, ...]:
    """Return what players read of one file, in order of writing."""
    readers: dict[str, Callable[[Path], Iterator[Message]]] = {
        ".j2": _template_messages,
        ".toml": _data_messages,
        ".py": _marked_messages,
    }
    return tuple(readers[file.suffix](file))


def pot_text() -> str:
    """Return the catalogue as it should be: messages in order, each with the files it stands in."""
    catalogue = Catalog(charset="utf-8")
    for file in text_files():
        place = file.relative_to(ROOT).as_posix()
        for message in messages(file):
            key = (message.msgid, message.plural) if message.plural else message.msgid
            # Babel guesses flags of its own, other ones in other versions: only ours are written.
            before = catalogue.get(message.msgid, message.context)
            flags = {message.flag} - {""} | (before.flags if before is not None else set())
            catalogue.add(key, locations=[(place, 1)], context=message.context).flags = flags
    written = io.BytesIO()
    write_po(written, catalogue, width=0, omit_header=True, sort_output=True, include_lineno=False)
    return HEADER + written.getvalue().decode("utf-8").lstrip("\n")


def _template_messages(file: Path) -> Iterator[Message]:
    with file.open("rb") as stream:
        for _, function, found, _ in babel_extract(stream, KEYWORDS, (), OPTIONS):
            texts = [text for text in (found if isinstance(found, tuple) else (found,)) if text is not None]
            context = texts.pop(0) if "pgettext" in function else None
            plural = texts[1] if function.startswith("n") else ""
            flag = "python-format" if any("%(" in text for text in texts) else ""
            yield Message(texts[0], plural, context, flag)


def _data_messages(file: Path) -> Iterator[Message]:
    """Return the strings of each table; in an entry that is a sentence, those that are said."""
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    if file.name == VERBS:
        yield from (Message(verb["help"]) for verb in told["verb"].values())
        return
    for table in told.values():
        if "sentence" not in table:
            yield from (Message(text, flag=_brace_flag(text)) for text in table.values())
            continue
        yield Message(table["sentence"], table.get("plural", ""), flag=_brace_flag(table["sentence"]))
        if "hint" in table:
            yield Message(table["hint"], flag=_brace_flag(table["hint"]))


def _marked_messages(file: Path) -> Iterator[Message]:
    """Return the words in ``N_("...")``: what a drawing says."""
    with file.open("rb") as stream:
        for _, _, text, _ in extract_python(stream, {WORD: None}, [], {}):
            for words in (text,) if isinstance(text, str) else text:
                yield Message(words, flag=_brace_flag(words))


def _brace_flag(text: str) -> str:
    return "python-brace-format" if "{" in text else ""


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        POT.write_text(pot_text(), encoding="utf-8")
    else:
        sys.stdout.write(pot_text())
