"""How long a server that fails is left alone."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

FIRST = 5.0  # seconds
LONGEST = 900.0


class Patience:
    """Seconds to wait after failures in a row: 5, 10, 20 ... 15 minutes, and by chance up to a quarter more.

    *chance* gives numbers from 0 to below 1; *clock* gives seconds that never go back.
    """

    def __init__(self, chance: Callable[[], float], clock: Callable[[], float] = time.monotonic) -> None:
        self._chance = chance
        self._clock = clock
        self._failures = 0
        self._until = 0.0

    def failed(self) -> None:
        """Count a failure."""
        wait = min(LONGEST, FIRST * 2 ** min(self._failures, 20))
        self._failures += 1
        self._until = self._clock() + wait * (1 + self._chance() / 4)

    def succeeded(self) -> None:
        """Forget the failures."""
        self._failures, self._until = 0, 0.0

    def left(self) -> float:
        """Return how many seconds are still to be waited."""
        return max(0.0, self._until - self._clock()) if self._failures else 0.0


# Of whom a mail server speaks that does not take a letter: known by ``refusals.toml``.

_STATUS = re.compile(r"[45](\.[0-9]{1,3}){2}")


def speaks_of(words: str) -> str:
    """Return ``us``, ``reader`` (of the letter's own reader or size), or "" where that is not clear."""
    known, said = _known(), words.lower()
    codes = {f"5{found[0][1:]}" for found in _STATUS.finditer(said)}
    if codes.intersection(known["reader"]["codes"]):
        return "reader"
    for whom in ("us", "reader"):
        if codes.intersection(known[whom]["codes"]) or any(each in said for each in known[whom]["words"]):
            return whom
    return ""


def alike(words: str) -> str:
    """Return what is left of a refusal without what differs from letter to letter: addresses, numbers, names of queues."""
    return " ".join(re.findall(r"(?<!\S)[a-z.,:;'-]+(?!\S)", re.sub(r"<[^>]*>|\S+@\S+", " ", words.lower())))


@cache
def _known() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("refusals.toml").read_text("utf-8"))
