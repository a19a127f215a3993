"""Does what reads a stranger's text take time in proportion to it? Measured in time of this thread, without the garbage
collector, so that others on the machine count for nothing, and again where it seems not to.
"""

import gc
import signal
import time
from collections.abc import Callable
from itertools import pairwise
from math import isqrt, sqrt

SIZES = (2_000, 8_000, 32_000, 128_000)  # characters; fourfold time is linear, sixteenfold is quadratic
MOST = 8.0  # times as long for a text four times as long
NOTHING = 0.004  # seconds, below which a measurement says nothing
CLEAR = 0.008  # seconds, from which on a text four times as long shows how it grows: a still longer one shows no more
LONGEST = 3.0  # seconds for the longest text

Act = Callable[[str], object]


class TooSlow(Exception):
    """It was broken off: no measurement is needed to see how it grows."""


def assert_grows_with(act: Act, text: Callable[[int], str], sizes: tuple[int, ...] = SIZES) -> None:
    """Assert that *act* takes at most in proportion longer for longer texts; *text* makes one of about so many characters."""
    texts = [text(size) for size in sizes]
    taken = [_seconds(act, texts[0])]
    for shorter, longer in pairwise(sizes):
        taken.append(_seconds(act, text(longer)))
        if _is_steep(*taken[-2:]):  # again, for other work on the machine fills the caches that this thread reads
            between = [text(size) for size in (shorter, isqrt(shorter * longer), longer)]
            again = [min(_seconds(act, each) for _ in range(5)) for each in between]
            # What costs more at once from some length on, as where a letter is cut off, does so in one of the two halves.
            assert not all(more > sqrt(MOST) * less for less, more in pairwise(again)), _told(between, again)
            taken[-2:] = again[::2]
        if taken[-2] > CLEAR:
            break
    longest = taken[-1] * len(texts[-1]) / len(texts[len(taken) - 1])
    assert longest < LONGEST, _told(texts, taken)


def pumped(before: str, piece: str, behind: str) -> Callable[[int], str]:
    """Return what makes texts of a piece said again and again, at least once, with something before it and behind."""
    return lambda size: before + piece * max(1, size // len(piece)) + behind


def _is_steep(shorter: float, longer: float) -> bool:
    return longer > MOST * max(shorter, NOTHING)


def _seconds(act: Act, text: str) -> float:
    def broken_off(*_: object) -> None:
        raise TooSlow(f"more than {LONGEST} seconds for {len(text)} characters: {text[:60]!r}")

    before = signal.signal(signal.SIGVTALRM, broken_off)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2 * LONGEST)
    gc.disable()
    try:
        began = time.thread_time()
        act(text)
        return time.thread_time() - began
    finally:
        gc.enable()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _told(texts: list[str], taken: list[float]) -> str:
    seconds = ", ".join(f"{len(text)}: {each:.3f} s" for text, each in zip(texts, taken, strict=False))
    return f"{texts[0][:60]!r}: {seconds}"
