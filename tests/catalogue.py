"""Collects every text that players read into ``referee/locale/referee.pot``: ``make catalogue`` writes it.

``python -m tests.catalogue --update`` brings the translations beside it up to date: what is new stands in them untranslated, what
was written a little differently before keeps its translation, marked as fuzzy (not used until somebody has looked at it).
``--state`` says how far each has come.

The files have no dates, line numbers or versions: they change when a text changes, and not otherwise.
"""

import io
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from referee.report.desk import SAID
from referee.report.templates import EXTENSIONS

ROOT = Path(__file__).parent.parent
POT = ROOT / "referee" / "locale" / "referee.pot"
WORD = "N_"  # marks words in Python that are translated where they are shown
DATA = ("complaints.toml", "words.toml", "events.toml")
VERBS = "verbs.toml"  # their help is told to players who ask for it, and what an example of a text says
MAPS = "maps"  # what they and the areas on them are called; their towns keep their names
TEXTS = "text"  # kinds of verbs behind which prose stands
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
    """Return the templates and data catalogues of the house and of the games' own packages, and the modules that mark words, in
    order of their paths."""
    games = ROOT / "referee" / "games"
    folders = [ROOT / "templates", *sorted(games.glob("*/templates"))]
    found = {file for folder in folders for file in folder.rglob("*") if file.suffix == ".j2" or file.name in DATA}
    found |= {file for file in (ROOT / "referee").rglob("*.py") if f"{WORD}(" in file.read_text(encoding="utf-8")}
    found |= set((ROOT / "templates" / "mapdesk").glob("*.[jht][sto]*"))  # the map desk's script, page and sentences
    found |= set((ROOT / "referee").rglob("faults.toml"))  # of boards: what the map desk says of them
    found |= set(games.rglob("legend.toml"))
    found |= set((ROOT / "orders").glob(f"*/{VERBS}"))
    found |= set(games.glob(f"*/{MAPS}/*.toml"))
    return tuple(sorted(found))


def messages(file: Path) -> tuple[Message, ...]:
    """Return what players read of one file, in order of writing."""
    readers: dict[str, Callable[[Path], Iterator[Message]]] = {
        ".j2": _template_messages,
        ".js": _desk_messages,
        ".html": _desk_messages,
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
    if file.parent.name == MAPS:
        yield from map(Message, _named_on_map(told))
        return
    if file.name in ("sentences.toml", "faults.toml", "legend.toml"):
        yield from (Message(text, flag=_brace_flag(text)) for text in _strings(told) if len(text) > 1)
        return
    if file.name == VERBS:
        for verb in told["verb"].values():
            yield Message(verb["help"])
            if verb["kind"].startswith(TEXTS) and ": " in verb["example"]:
                yield Message(verb["example"].partition(": ")[2])
        return
    for table in told.values():
        if "sentence" not in table:
            yield from (Message(text, flag=_brace_flag(text)) for text in table.values())
            continue
        yield Message(table["sentence"], table.get("plural", ""), flag=_brace_flag(table["sentence"]))
        if "hint" in table:
            yield Message(table["hint"], flag=_brace_flag(table["hint"]))


def _strings(told: Any) -> Iterator[str]:
    """Yield the sentences of a table of tables and lists, but for what is said of a scenario's sketch."""
    if isinstance(told, str):
        yield told
        return
    for name, each in told.items() if isinstance(told, dict) else enumerate(told):
        if not str(name).startswith("sketch-"):
            yield from _strings(each)


def _desk_messages(file: Path) -> Iterator[Message]:
    """Return what the map desk says in ``T("...")`` and its page in ``_("...")``."""
    said = SAID if file.suffix == ".js" else re.compile(r'_\("([^"]+)"\)')
    yield from (Message(text, flag=_brace_flag(text)) for text in said.findall(file.read_text("utf-8")))


def _named_on_map(told: dict[str, Any]) -> Iterator[str]:
    """Yield the title of a map, its areas, the specials with what a legend says of them, and the regions of colours."""
    yield told["title"]
    yield from told.get("areas", {}).values()
    for special in told.get("special", ()):
        yield special["title"]
        if "*" in special["title"]:
            yield special["note"]
    yield from (each["region"] for each in told.get("colour", ()) if "region" in each)


def _marked_messages(file: Path) -> Iterator[Message]:
    """Return the words in ``N_("...")``: what a drawing says, or who refuses a command."""
    with file.open("rb") as stream:
        for _, _, text, _ in extract_python(stream, {WORD: None}, [], {}):
            for words in (text,) if isinstance(text, str) else text:
                yield Message(words, flag=_brace_flag(words))


def _brace_flag(text: str) -> str:
    return "python-brace-format" if "{" in text else ""


def translations() -> tuple[Path, ...]:
    """Return the translations that there are: ``de.po`` and so on."""
    return tuple(sorted(POT.parent.glob("*.po")))


def read(file: Path) -> Catalog:
    """Return a catalogue, or a translation of the language that its name says."""
    with file.open("rb") as stream:
        return read_po(stream, locale=file.stem if file.suffix == ".po" else None, abort_invalid=True)


def updated(file: Path) -> str:
    """Return a translation with the texts that there are now, in their order."""
    translation, before = read(file), file.read_text(encoding="utf-8")
    template = read_po(io.StringIO(pot_text()))
    translation.update(template, no_fuzzy_matching=False, update_header_comment=False)
    for message in translation:
        message.locations = []
        if message.id and (texts := template.get(message.id, message.context)) is not None:
            message.flags = texts.flags | (message.flags & {"fuzzy"})
    written = io.BytesIO()
    write_po(written, translation, width=120, omit_header=True, include_previous=True)
    text = re.sub(
        r"^# \| ", "#| ", written.getvalue().decode("utf-8"), flags=re.MULTILINE
    )  # Babel reads these as comments
    return before.partition("\n\n")[0] + "\n\n" + text.lstrip("\n")


def state(file: Path) -> str:
    """Return how far a translation has come: what is translated, what is not, and what waits to be looked at."""
    translation, texts = read(file), [message for message in read_po(io.StringIO(pot_text())) if message.id]
    found = [translation.get(text.id, text.context) for text in texts]
    fuzzy = sum(message is not None and message.fuzzy for message in found)
    done = sum(message is not None and not message.fuzzy and is_translated(message.string) for message in found)
    known = {(text.id, text.context) for text in texts}
    gone = sum((message.id, message.context) not in known for message in translation if message.id)
    gone += len(translation.obsolete)
    return f"{file.stem}: {done} of {len(texts)} translated, {len(texts) - done - fuzzy} missing, {fuzzy} fuzzy, {gone} obsolete"


def is_translated(string: object) -> bool:
    """Return whether something is written in every form of a translation."""
    return all(string) if isinstance(string, (tuple, list)) else bool(string)


def main(wish: str) -> None:
    """Do what the command line says: ``--write``, ``--update``, ``--state``; print the catalogue if it says nothing."""
    if wish == "--write":
        POT.write_text(pot_text(), encoding="utf-8")
    elif wish == "--update":
        for file in translations():
            file.write_text(updated(file), encoding="utf-8")
    elif wish == "--state":
        print(*map(state, translations()), sep="\n")
    else:
        sys.stdout.write(pot_text())


if __name__ == "__main__":
    main("".join(sys.argv[1:2]))
