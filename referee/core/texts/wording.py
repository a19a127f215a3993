"""English words round values, in sentences that umpires and mapmakers read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from ..values import Pair, Texts

N_ = str  # marks words for the catalogue; they are translated where they are shown

TOLD = N_("{what}: {told}")  # French has a blank before the colon


class Sentence(str):
    """A sentence in English that can be said in another language: ``sentence``, marked by ``N_``, and the ``values`` in it."""

    sentence: str
    values: Mapping[str, object]

    def __new__(cls, sentence: str, /, **values: object) -> Sentence:
        told = super().__new__(cls, sentence.format(**values) if values else sentence)
        told.sentence, told.values = sentence, values
        return told


def said(text: object, translate: Callable[[str], str]) -> object:
    """Return a value as *translate* says it: a ``Sentence`` with those inside it, anything else as it is."""
    if not isinstance(text, Sentence):
        return text
    values = {name: said(value, translate) for name, value in text.values.items()}
    sentence = translate(text.sentence)
    return sentence.format(**values) if values else sentence


def counted(number: int, one: str, many: str = "") -> str:
    """Return ``1 letter waits`` or ``2 letters wait``: the number with the words that fit it; *many*: else *one* with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def first_of(words: Sequence[str], most: int) -> str:
    """Return the first *most* words, and how many there are more."""
    shown = ", ".join(words[:most])
    return f"{shown} and {len(words) - most} more" if len(words) > most else shown


def as_written(value: object) -> str:
    """Return a value as it stands in files and in the rules: ``true``, ``cube``, ``3``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# How plain text says that something in it was struck out, ``~~1a) none~~``, or cannot be seen, ``~~~1a) none~~~``.

STRUCK, HIDDEN = "~~", "~~~"

_MARKED = re.compile(r"(?<!~)(~{2,3})(?=[^\s~])([^~\n]*[^\s~])\1(?!~)")


def render_marks(pieces: Iterable[Pair]) -> str:
    """Return the text of pieces, each a mark, or "", and what it marks; no mark goes over the end of a line."""
    grouped = ((mark, "".join(text for _, text in of)) for mark, of in groupby(pieces, itemgetter(0)))
    return "".join(
        "\n".join(_wrap_in_marks(line, mark) for line in text.split("\n")) if mark else text for mark, text in grouped
    )


def _wrap_in_marks(line: str, mark: str) -> str:
    """Return *line* between marks, the blanks around it outside of them."""
    bare = line.strip()
    inner = bare.replace("~", " ").strip()
    return line.replace(bare, f"{mark}{inner}{mark}", 1) if inner else ""


def without_marked(line: str) -> str:
    """Return what is left of a line to be seen and to count."""
    return _MARKED.sub("", line) if STRUCK in line else line


def find_marks(line: str) -> Pair:
    """Return the first mark in a line, and all that stands between marks there; "" where there are none."""
    found = _MARKED.findall(line)
    return (found[0][0] if found else ""), " ".join(text for _, text in found)


def restore_marks(text: str, version: str) -> str:
    """Return *text* with the marks of another *version* of it, line by line, which its mail program lost."""
    lines = version.split("\n") if STRUCK in version else []
    known = {_bare(line): line for line in lines if find_marks(line)[0]}
    for line in lines:
        if not find_marks(line)[0]:
            known.pop(_bare(line), None)
    return "\n".join(known.get(_bare(line), line) for line in text.split("\n")) if known else text


def _bare(line: str) -> str:
    return "".join(filter(str.isalnum, line)).casefold()


# Strangers' characters in one spelling, in time in proportion to their number.

_CHUNK = 1000  # characters; ordering a long run of combining marks takes quadratic time


def nfkc(text: str) -> str:
    """Return *text* under NFKC, line by line; of a line longer than anybody's, piece by piece."""
    if text.isascii():
        return text
    return "\n".join(line if line.isascii() else _nfkc(line) for line in text.split("\n"))


def _nfkc(line: str) -> str:
    chunks = (line[start : start + _CHUNK] for start in range(0, len(line), _CHUNK))
    return "".join(unicodedata.normalize("NFKC", chunk) for chunk in chunks)


# Names as people type them.

_PLAIN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"}
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa", "Å": "Aa"})


@lru_cache(maxsize=4096)
def fold_letter(letter: str) -> str:
    """Return what is compared of one character: small, without accent; "" for spaces, dashes, apostrophes and the like."""
    plain = unicodedata.normalize("NFKD", _PLAIN.get(letter.casefold(), letter.casefold()))
    return "".join(char for char in plain if char.isalnum())


def fold(text: str) -> str:
    """Return *text* as it is compared: ``Dún Laoghaire``, ``DUN-LAOGHAIRE`` and ``dunlaoghaire`` are the same."""
    return "".join(map(fold_letter, text))


def spellings(name: str) -> Texts:
    """Return the ways in which a name is written, as they are compared: ``köln`` also answers to ``koeln``."""
    return tuple(dict.fromkeys((fold(name), fold(name.translate(_UMLAUTS)))))
