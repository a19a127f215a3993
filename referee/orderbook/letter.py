"""Which part of a letter the player wrote himself, and which is left: what he quotes, what stands below his signature."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from referee.orderbook.attribution import announced, begins_original, ends_letter, signs
from referee.orderbook.markup import without_markup

_REMEMBERED = 10_000
_QUOTE_MARKS = ">|"  # mail programs' and the newsletter's own, before press


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the player's own. ``number`` counts the letter's lines from 1; ``after_cut``: something quoted stood before.

    ``text`` is without the marks of bold type and the like, ``written`` with them, as others are to read it.
    """

    number: int
    text: str
    written: str
    after_cut: bool = False


def part_lines(text: str) -> tuple[tuple[Line, ...], tuple[str, ...], tuple[Line, ...]]:
    """Return (the player's own lines, blank ones too; all others less the marks of quotation; of these the ones below a signature
    that nothing shows to be a quotation), each in order.

    What they hold is the same under NFKC.
    """
    lines = _letter_lines(text)
    own: list[Line] = []
    left: list[str] = []
    below: tuple[Line, ...] = ()
    cut = False
    at = 0
    while at < len(lines):
        if _is_quoted(lines[at]):
            left.append(lines[at])
            cut, at = True, at + 1
            continue
        count = announced(lines, at)
        if ends_letter(lines, at) or (count and not _quote_follows(lines, at + count)):
            left += lines[at:]
            below = tuple(_signed(lines, at + 1)) if signs(lines[at]) else ()
            break
        if count:
            cut, at = True, at + count
            continue
        written = lines[at].strip()
        own.append(Line(number=at + 1, text=without_markup(written), written=written, after_cut=cut))
        cut, at = False, at + 1
    return tuple(own), tuple(line.lstrip(_QUOTE_MARKS + " ").rstrip() for line in left), below


def own_words(text: str) -> tuple[str, ...]:
    """Return the words of the player's own lines: two versions of a letter that have the same say the same."""
    return tuple(word for line in part_lines(text)[0] for word in line.text.casefold().split())


def quote_alike(text: str, marked: str) -> str:
    """Return *text* with ``> `` before each line that is quoted, and not the player's own, in *marked*: another version of it,
    whose mail program marked quotations better.
    """
    own, left, _ = part_lines(marked)
    quoted = {_folded(line) for line in left} - {_folded(line.text) for line in own} - {""}
    return "\n".join(f"> {line}" if _folded(line) in quoted else line for line in text.split("\n"))


def _signed(lines: list[str], at: int) -> Iterator[Line]:
    """Yield the lines from there on, down to the first that is quoted."""
    for place in range(at, len(lines)):
        if _is_quoted(lines[place]) or announced(lines, place) or begins_original(lines, place):
            return
        if lines[place].strip():
            yield Line(number=place + 1, text=without_markup(lines[place]), written=lines[place])


def _folded(line: str) -> str:
    return " ".join(line.split()).casefold()


def _letter_lines(text: str) -> list[str]:
    """Line ends of any system; other characters that break or hide are spaces or nothing."""
    normal = unicodedata.normalize("NFKC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return normal.translate(_PLAIN).split("\n")


class _Plain(dict[int, str]):
    """What stands for each character: asked about a new one it looks it up, and remembers some thousands."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        plain = "" if unicodedata.category(letter) == "Cf" else " " if letter.isspace() and letter != "\n" else letter
        if len(self) < _REMEMBERED:
            self[code] = plain
        return plain


_PLAIN = _Plain()


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith(tuple(_QUOTE_MARKS))


def _quote_follows(lines: list[str], at: int) -> bool:
    return next((_is_quoted(line) for line in lines[at:] if line.strip()), False)
