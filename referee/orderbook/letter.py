"""Which part of a letter is the player's own, and which is left: what it quotes, what stands below the signature."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from referee.core import (
    STRUCK,
    Complaint,
    Numbered,
    Param,
    Texts,
    Value,
    complaint_of,
    find_marks,
    nfkc,
    without_marked,
)

from .quotations import any_of, begins_original, heads, words

# What mail programs make of bold type and links where they write plain text: ``*1a)*
# (Dublin<https://maps.example/Dublin>)``.

_LINK = re.compile(r"\s?<(?:https?://|mailto:|tel:|x-apple-data-detectors:)[^<>]*>", re.IGNORECASE)
_SMILES = re.compile(
    r"(?<=\S)(?:\s{1,4}[:;][-'^]?[)(DP]{1,3}|\s{0,4}[\u2600-\u26ff\u2764\U0001f300-\U0001f6ff\U0001f900-\U0001faff]){1,9}+\Z"
)
_HALF = re.compile(r"(?<=[^\s*])\*{1,3}\Z")  # of a stretch that begins in a line above


def _pair_pattern(mark: str, before: str, after: str) -> re.Pattern[str]:
    """Return the pattern of words between two of these marks; what stands *before* and *after* tells them from arithmetic."""
    return re.compile(
        rf"(?<!{before})(?<!{mark})({mark}{{1,3}})(?=[^\s{mark}])([^{mark}]*[^\s{mark}])\1(?!{after}|{mark})"
    )


_ALNUM = r"[^\W_]"
_EMPHASES = {
    "*": _pair_pattern(r"\*", _ALNUM, _ALNUM),
    "_": _pair_pattern("_", _ALNUM, _ALNUM),
    "/": _pair_pattern("/", r"\S", r"\S"),
}


def without_markup(line: str) -> str:
    """Return a line without the marks of bold, underlined and slanted type, the targets of links and a smile behind its words."""
    plain = _SMILES.sub("", _LINK.sub("", line) if "<" in line else line)
    for mark, pattern in _EMPHASES.items():
        plain = pattern.sub(r"\2", plain) if plain.count(mark) > 1 else plain
    return _HALF.sub("", plain).strip() if "*" in plain else plain.strip()


# How mail programs announce what they quote, in the languages of ``quotations.toml``.

LONGEST = 300  # characters of an announcement, over at most so many lines:
MOST_LINES = 3
MOST_BROKEN = 20  # where a program broke it at its address: On … at 20:00 Railway Referee / < / mailto:… / > / wrote:

# A date or an address must be in it, so that press may say "wrote:", and in its first line, so that no order belongs to it.
_DATED = re.compile(r"@|\d\D+\d")
_TIME = re.compile(r"\b\d{1,2}:\d{2}\b")
_MOMENT = re.compile(
    r"(?<!\d)\d{1,2}[:.]\d{2}(?!\d)|(?<!\d)(?:1[49]|2[05])\d\d(?!\d)"
)  # years of Persia and Thailand too
# Some programs name a moment and an address, and no verb: ср, 2 дек. 2026 г. в 20:00, Railway Referee <referee@example.org>:
_ADDRESSED = re.compile(
    r"<\s?[^<>\s]{1,80}@[^<>\s]{1,80}\s?>|\b(?:by|von|par|door|da|por|przez|от|från|af|av|od)\s[^<>\s]{1,80}@[^<>\s]{1,80}\s?:"
)
_ENDS = (":", "\u0589", "\u17d6")  # colons, of Armenia and of Cambodia too
_LONGEST_BARE = 60  # characters of: Bill wrote:
_DASHES = re.compile(r"-{2,}\s*")


def announcement_length(lines: list[str], at: int) -> int:
    """Return how many lines from *at* on announce a quotation, 0 for none: long announcements are wrapped."""
    return next((count for count, joined in _windows(lines, at) if _announces(joined)), 0)


def _windows(lines: list[str], at: int) -> Iterator[Numbered]:
    """Yield (how many lines, what they say) of what may be an announcement, one line longer each time."""
    joined = _plain(lines[at])
    begun = _DASHES.sub("", joined, count=1)
    opens, is_dated = _opening().match(begun) is not None, "@" in begun or _MOMENT.search(begun) is not None
    if not opens and not is_dated:
        return
    may_break = opens or begun.endswith("<")
    yield 1, joined
    is_broken, told = False, 1
    for place in range(at + 1, min(at + MOST_BROKEN, len(lines))):
        line = _plain(lines[place])
        is_broken = is_broken or not line or told == MOST_LINES
        if (is_broken and not may_break) or _opening().match(line):
            return
        if not line:
            continue
        if not _is_piece(line) if is_broken else line.startswith((">", "|")):
            return
        joined, told = f"{joined} {line}", told + 1
        if len(joined) > LONGEST:
            return
        yield place - at + 1, joined


def _plain(line: str) -> str:
    return without_markup(line.strip()[: LONGEST + 1])


def _is_piece(line: str) -> bool:
    """Return whether a line holds what stands alone in an announcement that is broken at its address."""
    bare = line.strip("<>()[]:- ")
    return not bare or "@" in bare or bare.startswith("mailto:") or _wrote().fullmatch(bare) is not None


def _announces(joined: str) -> bool:
    is_framed = _DASHES.match(joined) is not None  # ---- On …, Railway Referee <referee@example.org> wrote ----
    told = joined.strip("- ") if is_framed else joined
    if told.endswith(_ENDS) or told.startswith(":"):  # a line from right to left may begin with it
        moment = _MOMENT.search(told) and _ADDRESSED.search(told)
        return bool(moment or (_DATED.search(told) and _wrote().search(told)))
    return "@" in told and told.casefold().endswith(words("wrote")) and _TIME.search(told) is not None


def perhaps_announces(line: str) -> bool:
    """Return whether a line names, without a date, who wrote what may follow: ``Bill wrote:``; or tells when that was, in words
    that nobody knows or that were lost on the way.
    """
    told = _wrote().search(line) or (_opening().match(line) and _TIME.search(line))
    return len(line) <= _LONGEST_BARE and line.endswith(_ENDS) and told is not None


@cache
def _wrote() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of('wrote')})(?!\w)|{any_of('glued')}", re.IGNORECASE)


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('opening')})\b.*\d", re.IGNORECASE)


# Lines with which mail programs begin a signature, in the languages of ``attribution``.

_SIGNATURE = re.compile(
    r"--|sent from my .*|sent from (?:mail|outlook|yahoo|proton).*|sent with .*|get outlook for .*"
    r"|von meinem .* gesendet|gesendet von .*|gesendet mit .*|hol(?:en)? (?:sie )?(?:dir |sich )?outlook für .*"
    r"|envoy[ée] de mon .*|envoy[ée] depuis .*|télécharger outlook pour .*|verstuurd vanaf .*|verzonden vanaf .*"
    r"|inviato da(?:l mio)? .*|enviado desde .*|enviado d[eo] (?:mi|meu) .*|wysłan[eo] z .*|отправлено (?:с|из) .*"
    r"|skickat från .*|sendt fra .*|lähetetty .*(?:sta|stä)|odesláno z .*|.*-?r[óőö]l küldve|küldve .*",
    re.IGNORECASE,
)


def signs(line: str) -> bool:
    """Return whether a signature begins with this line."""
    return _SIGNATURE.fullmatch(line.strip()) is not None


_REMEMBERED = 10_000
_TEXTS = 3  # of a letter, of half a megabyte at most each, that are asked about again and again
_QUOTE_MARKS = (">", "|")  # mail programs' and the newsletter's own, before press
_INITIALS = re.compile(r"[^\W\d_]{1,4}>")  # The Bat's mark: RR> ORDERS RR7 3
_HIDDEN = frozenset(("\u034f", "\u20e3", *map(chr, range(0xFE00, 0xFE10))))  # what makes a sign an emoji: 1\ufe0f\u20e3
_BLANK = frozenset("\u2800\u3164\u115f\u1160\uffa0")  # letters that cannot be seen
_MOST_BLANK = 20  # lines between an announcement and what it announces


class LetterLine(Value, kw_only=False):
    """A line of the player's own. ``number`` counts those from 1 (0: it may be quoted), ``place`` all of the letter's
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

    def complaint(self, code: str, hint: str = "", **params: Param) -> Complaint:
        """Return what is said of it."""
        return complaint_of(code, "", self.text, self.number, hint, **params)


Lines = tuple[LetterLine, ...]


@lru_cache(maxsize=_TEXTS)
def part_lines(text: str) -> tuple[Lines, Texts, Lines, Lines, Lines]:
    """Return (the player's own lines, blank ones too; all others less the marks of quotation; of these the ones below a signature
    that nothing shows to be a quotation, and those behind a mark that no announcement is above; the player's own that are struck
    out or cannot be seen), each in order.

    What they hold is the same under NFKC.
    """
    lines = _letter_lines(text)
    own: list[LetterLine] = []
    left: list[str] = []
    loose: list[LetterLine] = []
    unseen: list[LetterLine] = []
    below: Lines = ()
    marks: Texts = _QUOTE_MARKS
    cut, at, count, is_announced = False, 0, 0, False  # count: of the player's lines above
    while at < len(lines):
        line = _cells(lines[at].strip())
        if line.startswith(marks):
            left.append(line)
            if line.startswith(_QUOTE_MARKS) and not is_announced:
                words = line.lstrip("|> ")
                is_announced = heads(words) or words.endswith(":")
                loose.append(LetterLine(0, without_markup(words), words))
            cut, at = True, at + 1
            continue
        if STRUCK in line and (seen := without_marked(line)) != line:
            if not any(map(str.isalnum, seen)):
                mark, words = find_marks(line)
                # Empty, that what stands below continues nothing above.
                own.append(LetterLine(count + 1, "", "", place=at))
                count, at = count + 1, at + 1
                unseen.append(LetterLine(count, without_markup(words), words, mark=mark))
                continue
            line = " ".join(seen.split())
        above = announcement_length(lines, at) if line else 0
        mark = _mark_below(lines, at + above) if above else ""
        if line and (signs(line) or begins_original(lines, at) or (above and not mark)):
            left += lines[at:]
            below = _signature_lines(lines, at, count)
            break
        if above:
            marks, is_announced = (*_QUOTE_MARKS, mark), True
            cut, at = True, at + above
            continue
        count += 1
        own.append(LetterLine(count, without_markup(line), line, place=at, after_cut=cut))
        cut, at = False, at + 1
    unmarked = tuple(line.lstrip("".join(_QUOTE_MARKS) + " ").rstrip() for line in left)
    return tuple(own), unmarked, below, tuple(loose), tuple(unseen)


def _cells(line: str) -> str:
    """Return a row of a table as Markdown has it, ``| 1a) | Dublin - Y17 |``, as what its cells say; any other line as it is."""
    if line.count("|") < 3 or not (line.startswith("|") and line.endswith("|")):
        return line
    return " ".join(filter(None, map(str.strip, line.split("|"))))


def own_words(text: str) -> Texts:
    """Return the words of the player's own lines: two versions of a letter that have the same say the same."""
    return tuple(word for line in part_lines(text)[0] for word in line.text.casefold().split())


def own_text(text: str) -> str:
    """Return the player's own lines as they were written."""
    return "\n".join(line.written for line in part_lines(text)[0]).strip()


def announcements(text: str) -> Texts:
    """Return those of the player's own lines that stand right above a quotation: what announces one in a language that we know
    is no such line.
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


def _signature_lines(lines: list[str], at: int, count: int) -> Lines:
    """Return the lines below the signature there, if there is one, down to the first quoted one; *count* of own ones above."""
    told: list[LetterLine] = []
    for place in range(at + 1, len(lines) if signs(lines[at]) else 0):
        line = lines[place].strip()
        if line.startswith(_QUOTE_MARKS) or (
            line and (announcement_length(lines, place) or begins_original(lines, place))
        ):
            break
        told += [LetterLine(count + 1 + place - at, without_markup(line), line)] if line else []
    return tuple(told)


def fold(line: str) -> str:
    """Return a line without regard to capitals and spaces."""
    return " ".join(line.split()).casefold()


def _letter_lines(text: str) -> list[str]:
    """Line ends of any system; other characters that break or hide are spaces or nothing."""
    return nfkc(text.replace("\r\n", "\n").replace("\r", "\n")).translate(_PLAIN).split("\n")


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
