"""How mail programs announce what they quote, in the languages of ``quotations.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from referee.orderbook.lines.markup import without_markup
from referee.orderbook.lines.quotations import any_of, words

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


def _windows(lines: list[str], at: int) -> Iterator[tuple[int, str]]:
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
