"""What comes with a game in its package: board files in ``maps``, an empty one in ``editor``, its rules in ``rules``, rulings in
``RULINGS.md``, and in ``rulings`` in other languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

from .. import ConfigError, Fields, Texts, Value
from . import load_toml

# The rules of a game as players read them: one Markdown text, cut into paragraphs that letters, pages and programs
# may show.
#
# A heading ``### D4.3 Impossible steps`` begins a paragraph; those with fewer marks are chapters, and may have text of their
# own. A comment alone on its line below a heading names what else the paragraph is called: ``<!-- DIFF 33 -->``. Options stand
# in backquotes, alone or with a value: `` `debt` ``, `` `debt = refused` ``.

_HEADING = re.compile(r"#{2,4} ([A-Z]\d+(?:\.\d+)*) (.+)")
_ALSO = re.compile(r"<!-- (.+) -->")
_QUOTED = re.compile(r"`([^` ]+)[^`]*`")
_RULING = re.compile(r"- \*\*(R\d+)\*\* (?:\(([^)]*)\) )?")
_NUMBER = re.compile(r"([A-Z])? ?(\d+(?:\.\d+)*)\.?")
_LIST = "- "


class Paragraph(Value):
    """A paragraph or a chapter. ``blocks`` are lines without a break, those of a list begin with ``- ``; none in a chapter that
    only has paragraphs. ``also``: other names it answers to. ``about``: the paragraphs that a ruling settles."""

    number: str
    title: str = ""
    blocks: Texts = ()
    also: Texts = ()
    about: Texts = ()

    @property
    def quoted(self) -> Texts:
        """What stands in backquotes, the first word of each, each once: the options it names, and other words."""
        return tuple(dict.fromkeys(word for block in self.blocks for word in _QUOTED.findall(block)))


class Rulebook(Value):
    """A game's rules in one language: ``preface`` stands before the first chapter. Rulings come after all paragraphs."""

    title: str
    preface: Texts
    paragraphs: tuple[Paragraph, ...]
    rulings: tuple[Paragraph, ...] = ()

    def find(self, name: str) -> tuple[Paragraph, ...]:
        """Return the paragraph of that name or number, a chapter with all that belongs to it; () where there is none.

        Small letters, spaces and a missing letter do no harm: ``d 4.3``, ``4.3``.
        """
        number = self._number(name)
        found = [each for each in self.paragraphs if (f"{each.number}.").startswith(f"{number}.")]
        named = [each for each in self.paragraphs if number in map(_plain, each.also)]
        return tuple(found or named or (each for each in self.rulings if each.number == number))

    def rulings_on(self, paragraph: Paragraph) -> tuple[Paragraph, ...]:
        """Return the rulings that settle what a paragraph leaves open."""
        names = {paragraph.number, *paragraph.also}
        return tuple(each for each in self.rulings if names & set(each.about))

    def paragraphs_of(self, ruling: Paragraph) -> Texts:
        """Return the numbers of the paragraphs that a ruling is about, in the order of the rules."""
        return tuple(each.number for each in self.paragraphs if ruling in self.rulings_on(each))

    def _number(self, name: str) -> str:
        wanted = _plain(name)
        match = _NUMBER.fullmatch(wanted)
        if not match or not self.paragraphs:
            return wanted
        return (match[1] or self.paragraphs[0].number[:1]) + match[2]


def parse_rulebook(text: str, rulings: str = "") -> Rulebook:
    """Return the rulebook that a Markdown text holds; *rulings*: that of a list of rulings, each ``- **R1** (D2.2) …``."""
    preface, *chapters = _cut(text, _HEADING)
    title, *before = preface
    return Rulebook(
        title=title.removeprefix("# "),
        preface=_blocks(before),
        paragraphs=tuple(_paragraph(lines) for lines in chapters),
        rulings=tuple(_ruling(lines) for lines in _cut(rulings, _RULING)[1:]),
    )


def _cut(text: str, beginning: re.Pattern[str]) -> list[list[str]]:
    """Return the lines of a text in parts: what comes before the first *beginning*, then each with its own."""
    parts: list[list[str]] = [[]]
    for line in text.split("\n"):
        if beginning.match(line):
            parts.append([])
        parts[-1].append(line)
    return parts


def _paragraph(lines: list[str]) -> Paragraph:
    match = _HEADING.fullmatch(lines[0])
    assert match  # it was cut there
    comments = [comment[1] for line in lines if (comment := _ALSO.fullmatch(line))]
    also = tuple(name for comment in comments for name in comment.split(", "))
    blocks = _blocks([line for line in lines[1:] if not _ALSO.fullmatch(line)])
    return Paragraph(number=match[1], title=match[2], blocks=blocks, also=also)


def _ruling(lines: list[str]) -> Paragraph:
    match = _RULING.match(lines[0])
    assert match  # it was cut there
    own = [lines[0][match.end() :]]
    for line in lines[1:]:
        if not line.startswith("  "):
            break
        own.append(line)
    about = re.sub(r"(DIFF \d+), (?=\d)", r"\1, DIFF ", match[2] or "").split(", ")
    return Paragraph(number=match[1], blocks=_blocks(own), about=tuple(filter(None, about)))


def _blocks(lines: list[str]) -> Texts:
    """Return the blocks of some lines: parted by empty lines, each item of a list one by itself."""
    blocks: list[str] = []
    goes_on = False
    for line in lines:
        words = line.strip()
        if goes_on and words and not words.startswith(_LIST):
            blocks[-1] += f" {words}"
        elif words:
            blocks.append(words)
        goes_on = bool(words)
    return tuple(blocks)


def _plain(name: str) -> str:
    return " ".join(name.upper().split())


ENGLISH = "en"


def shipped_names(package: str) -> Texts:
    """Return the names of a package's board files, in alphabetical order."""
    folder = resources.files(package) / "maps"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def shipped_text(package: str, name: str) -> str:
    """Return the text of one of them.

    Raises:
        ConfigError: there is none of that name.
    """
    if name not in shipped_names(package):
        raise ConfigError(f"there is no board {name!r}; shipped with the game: {', '.join(shipped_names(package))}")
    return (resources.files(package) / "maps" / f"{name}.toml").read_text(encoding="utf-8")


def shipped_sheet(package: str) -> str:
    """Return the empty board file ``empty.toml`` of a game, with braces round what is filled in."""
    return (resources.files(package) / "empty.toml").read_text(encoding="utf-8")


@lru_cache(maxsize=16)
def shipped_table(package: str, name: str) -> Fields:
    """Return a table that comes with a package: ``faults.toml``, the sentences of faults by their codes."""
    return load_toml((resources.files(package) / f"{name}.toml").read_text(encoding="utf-8"))


def shipped_faults(package: str) -> Fields:
    """Return the sentences of a package's ``faults.toml`` by their codes."""
    return shipped_table(package, "faults")


@lru_cache(maxsize=8)
def shipped_form(package: str) -> Mapping[str, Mapping[str, tuple[str, bool]]]:
    """Return the sections of a game's board files, as ``fields.toml`` has them: field to (type, must it be there)."""
    return {
        section: {name: (kind.rstrip("?"), not kind.endswith("?")) for name, kind in fields.items()}
        for section, fields in shipped_table(package, "fields").items()
    }


@lru_cache(maxsize=16)
def shipped_rulebook(package: str, language: str) -> Rulebook:
    """Return a game's rules in a language; ``de_AT`` is served by ``de``, and all by English where there are none in it."""
    folder = resources.files(package)
    wanted = (language, re.split(r"[-_]", language)[0], ENGLISH)
    texts = [folder / "rules" / f"{name}.md" for name in wanted]
    rulings = [*(folder / "rulings" / f"{name}.md" for name in wanted[:2]), folder / "RULINGS.md"]
    text, decided = (next(file for file in files if file.is_file()) for files in (texts, rulings))
    return parse_rulebook(text.read_text(encoding="utf-8"), decided.read_text(encoding="utf-8"))
