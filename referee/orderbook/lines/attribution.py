"""How mail programs announce what they quote, in the languages our players' programs speak.

en de fr nl it es pt pl ru sv da no fi cs hu. The words stand in this order wherever a language has words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.core.regex import regex
from referee.orderbook.lines.markup import without_markup

LONGEST = 300  # characters of an announcement, over at most so many lines:
MOST_LINES = 3
MOST_BROKEN = 20  # where a program broke it at its address: On … at 20:00 Railway Referee / < / mailto:… / > / wrote:

_VERBS = (
    r"wrote|writes|sent(?=\s*:)|schrieb(?:en sie|st du)?|geschrieben|a écrit|a ecrit|schreef|geschreven|ha scritto|escribió"
    r"|escribio|escreveu|pisze|napisał(?:\(?a\)?)?|пишет|писала?|написала?|написал\(а\)|skrev|skriver|kirjoitti"
    r"|napsal(?:\(?a\)?)?|píše|ezt írta|írta"
)
_WROTE = regex(rf"\b(?:{_VERBS}|quoting|zitat von)\b|写道|寫道|작성", re.IGNORECASE)
_VERB_LAST = regex(rf"\b(?:{_VERBS})\Z", re.IGNORECASE)
# A date or an address must be in it, so that press may say "wrote:", and in its first line, so that no order belongs to it.
_DATED = regex(r"@|\d\D+\d")
_OPENING = regex(r"(?:on|am|le|op|il|in data|el|em|no dia|dnia|w dniu|den|på|dne)\b.*\d", re.IGNORECASE)
_TIME = regex(r"\b\d{1,2}:\d{2}\b")
_DATED_LINE = regex(r".*@|.*\b\d{1,2}[:.]\d{2}\b|.*\b(?:19|20)\d\d\b")
# Some programs name a time and an address, and no verb: ср, 2 дек. 2026 г. в 20:00, Railway Referee <referee@example.org>:
_VERB = 20  # characters of the longest verb
_VERBLESS = regex(
    r".*\b\d{1,2}[:.]\d{2}\b.*(?:<\s*[^<>\s]+@[^<>\s]+\s*>|\b(?:by|von|par|door|da|por|przez|от|från|af|av|od)\s+[^<>\s]+@[^<>\s]+)\s*:"
    # * Railway Referee <referee@example.org> [2026-12-02 20:00]:
    r"|[^<>]{0,80}<\s*[^<>\s]{1,80}@[^<>\s]{1,80}\s*>\s?[\[(]\d{4}-\d{2}-\d{2}[^\]:]{1,12}:\d{2}[^\]]{0,12}[\])]\s?:"
)
_DASHES = regex(r"-{2,}\s*")


def announced(lines: list[str], at: int) -> int:
    """Return how many lines from *at* on announce a quotation, 0 for none: long announcements are wrapped."""
    return next((count for count, joined in _grown(lines, at) if _announces(joined)), 0)


def _grown(lines: list[str], at: int) -> Iterator[tuple[int, str]]:
    """Yield (how many lines, what they say) of what may be an announcement, one line longer each time."""
    joined = _plain(lines[at])
    begun = _DASHES.sub("", joined, count=1)
    opens, is_dated = _OPENING.match(begun) is not None, _DATED_LINE.match(begun) is not None
    if not opens and not is_dated:
        return
    may_break = opens or begun.endswith("<")
    yield 1, joined
    is_broken, told = False, 1
    for place in range(at + 1, min(at + MOST_BROKEN, len(lines))):
        line = _plain(lines[place])
        is_broken = is_broken or not line or told == MOST_LINES
        if (is_broken and not may_break) or _OPENING.match(line):
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
    return not bare or "@" in bare or bare.startswith("mailto:") or _VERB_LAST.match(bare) is not None


def _announces(joined: str) -> bool:
    is_framed = _DASHES.match(joined) is not None  # ---- On …, Railway Referee <referee@example.org> wrote ----
    told = joined.strip("- ") if is_framed else joined
    if told.endswith(":"):
        return bool(_VERBLESS.fullmatch(told) or (_DATED.search(told) and _WROTE.search(told)))
    return "@" in told and _VERB_LAST.search(told[-_VERB:]) is not None and _TIME.search(told) is not None
