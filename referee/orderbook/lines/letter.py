"""Which part of a letter the player wrote himself, and which is left: what he quotes, what stands below his signature."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from referee.core.texts.wording import STRUCK, find_marks, nfkc, without_marked
from referee.core.values import Value
from referee.orderbook.lines.attribution import announcement_length
from referee.orderbook.lines.markup import without_markup
from referee.orderbook.lines.originals import begins_original, heads
from referee.orderbook.lines.signatures import signs

_REMEMBERED = 10_000
_TEXTS = 3  # of a letter, of half a megabyte at most each, that are asked about again and again
_QUOTE_MARKS = (">", "|")  # mail programs' and the newsletter's own, before press
_INITIALS = re.compile(r"[^\W\d_]{1,4}>")  # The Bat's mark: RR> ORDERS RR7 3
_HIDDEN = frozenset(("\u034f", "\u20e3", *map(chr, range(0xFE00, 0xFE10))))  # what makes a sign an emoji: 1\ufe0f\u20e3
_BLANK = frozenset("\u2800\u3164\u115f\u1160\uffa0")  # letters that cannot be seen
_MOST_BLANK = 20  # lines between an announcement and what it announces


class Line(Value):
    """A line of the player's own. ``number`` counts his own lines from 1 (0: it may be quoted), ``place`` all of the letter's
    from 0; ``after_cut``: something quoted stood before.

    ``text`` is without the marks of bold type and the like, ``written`` with them, as others are to read it. ``read_as``: the
    orders that it is one of, where several are read from a few words. ``mark``: of ``marks``, where all of it is struck out or
    cannot be seen.
    """

    number: int
    text: str
    written: str
    place: int = 0
    after_cut: bool = False
    read_as: str = ""
    mark: str = ""


@lru_cache(maxsize=_TEXTS)
def part_lines(
    text: str,
) -> tuple[tuple[Line, ...], tuple[str, ...], tuple[Line, ...], tuple[Line, ...], tuple[Line, ...]]:
    """Return (the player's own lines, blank ones too; all others less the marks of quotation; of these the ones below a signature
    that nothing shows to be a quotation, and those behind a mark that no announcement is above; the player's own that are struck
    out or cannot be seen), each in order.

    What they hold is the same under NFKC.
    """
    lines = _letter_lines(text)
    own: list[Line] = []
    left: list[str] = []
    loose: list[Line] = []
    unseen: list[Line] = []
    marks: tuple[str, ...] = _QUOTE_MARKS
    cut, at, count, is_announced = False, 0, 0, False  # count: of his own lines above
    while at < len(lines):
        line = _cells(lines[at].strip())
        if line.startswith(marks):
            left.append(line)
            if line.startswith(_QUOTE_MARKS) and not is_announced:
                words = line.lstrip("|> ")
                is_announced = heads(words) or words.endswith(":")
                loose.append(Line(number=0, text=without_markup(words), written=words))
            cut, at = True, at + 1
            continue
        if STRUCK in line and (seen := without_marked(line)) != line:
            if not any(map(str.isalnum, seen)):
                mark, words = find_marks(line)
                # Empty, that what stands below continues nothing above.
                own.append(Line(number=count + 1, text="", written="", place=at))
                count, at = count + 1, at + 1
                unseen.append(Line(number=count, text=without_markup(words), written=words, mark=mark))
                continue
            line = " ".join(seen.split())
        above = announcement_length(lines, at) if line else 0
        mark = _mark_below(lines, at + above) if above else ""
        if line and (signs(line) or begins_original(lines, at) or (above and not mark)):
            return (
                tuple(own),
                _unmarked(left + lines[at:]),
                _signature_lines(lines, at, count),
                tuple(loose),
                tuple(unseen),
            )
        if above:
            marks, is_announced = (*_QUOTE_MARKS, mark), True
            cut, at = True, at + above
            continue
        count += 1
        own.append(Line(number=count, text=without_markup(line), written=line, place=at, after_cut=cut))
        cut, at = False, at + 1
    return tuple(own), _unmarked(left), (), tuple(loose), tuple(unseen)


def _cells(line: str) -> str:
    """Return a row of a table as Markdown has it, ``| 1a) | Dublin - Y17 |``, as what its cells say; any other line as it is."""
    if line.count("|") < 3 or not (line.startswith("|") and line.endswith("|")):
        return line
    return " ".join(filter(None, map(str.strip, line.split("|"))))


def _unmarked(lines: list[str]) -> tuple[str, ...]:
    return tuple(line.lstrip("".join(_QUOTE_MARKS) + " ").rstrip() for line in lines)


def own_words(text: str) -> tuple[str, ...]:
    """Return the words of the player's own lines: two versions of a letter that have the same say the same."""
    return tuple(word for line in part_lines(text)[0] for word in line.text.casefold().split())


def own_text(text: str) -> str:
    """Return the player's own lines as he wrote them."""
    return "\n".join(line.written for line in part_lines(text)[0]).strip()


def unannounced(text: str) -> tuple[str, ...]:
    """Return those of the player's own lines that stand right above a quotation: what announces one in a language that we know
    is none of his.
    """
    own = {line.place: line.written for line in part_lines(text)[0]}
    told = [(place, line.strip()) for place, line in enumerate(_letter_lines(text)) if line.strip()]
    return tuple(
        own[above] for (above, _), (_, line) in pairwise(told) if above in own and line.startswith(_QUOTE_MARKS)
    )


def quote_alike(text: str, marked: str) -> str:
    """Return *text* with ``> `` before each line that is quoted, and not the player's own, in *marked*: another version of it,
    whose mail program marked quotations better.
    """
    own, left, *_ = part_lines(marked)
    quoted = {fold(line) for line in left} - {fold(line.text) for line in own} - {""}
    return "\n".join(f"> {line}" if fold(line) in quoted else line for line in text.split("\n"))


def _signature_lines(lines: list[str], at: int, count: int) -> tuple[Line, ...]:
    """Return the lines below the signature there, if one is there, down to the first that is quoted; *count* of his own above."""
    told: list[Line] = []
    for place in range(at + 1, len(lines) if signs(lines[at]) else 0):
        line = lines[place].strip()
        if line.startswith(_QUOTE_MARKS) or (
            line and (announcement_length(lines, place) or begins_original(lines, place))
        ):
            break
        told += [Line(number=count + 1 + place - at, text=without_markup(line), written=line)] if line else []
    return tuple(told)


def fold(line: str) -> str:
    """Return a line without regard to capitals and spaces."""
    return " ".join(line.split()).casefold()


def _letter_lines(text: str) -> list[str]:
    """Line ends of any system; other characters that break or hide are spaces or nothing."""
    normal = nfkc(text.replace("\r\n", "\n").replace("\r", "\n"))
    return normal.translate(_PLAIN).split("\n")


class _Plain(dict[int, str]):
    """What stands for each character: asked about a new one it looks it up, and remembers some thousands."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        hides = unicodedata.category(letter) == "Cf" or letter in _HIDDEN
        plain = "" if hides else " " if letter in _BLANK or (letter.isspace() and letter != "\n") else letter
        if len(self) < _REMEMBERED:
            self[code] = plain
        return plain


_PLAIN = _Plain()


def _mark_below(lines: list[str], at: int) -> str:
    """Return the mark with which the next line is quoted, "" where it is not."""
    line = next((line.lstrip() for line in lines[at : at + _MOST_BLANK] if line.strip()), "")
    initials = _INITIALS.match(line)
    return initials[0] if initials else next((mark for mark in _QUOTE_MARKS if line.startswith(mark)), "")
