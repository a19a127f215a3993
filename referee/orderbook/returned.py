"""Lines of our own letters that come back: what a mail program quotes without a mark is known by having been sent.

Where such a quotation begins is decided by position and by kind, for a player may copy a line of ours and mean it as his
order: three lines of ours must follow each other, and the first of them must be prose, no line of orders. From there on
every line of ours is a quotation, except in a form, ORDERS to END, into which something was written: that is his.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from referee.core.orders import Term
from referee.core.values import Value
from referee.orderbook.language.language import LONGEST_LINE, OrderLanguage
from referee.orderbook.language.tokens import Tongue
from referee.orderbook.lines.letter import fold
from referee.orderbook.reading import Readings

RUN = 3  # lines of ours, one after the other, that begin a quotation
MOST_LINES = 20_000
LONGEST = 100  # lines of a form
ABOVE = 3  # lines above a form of which one is ours, where the form is
PIECE = 20  # characters: so much of a line of ours that was broken is still ours

_MARKS = ">|"


class Form(Value):
    """A form in a letter: ``begun`` is its first line, folded; ``lines``: where each stands and what it says, from that one
    on; ``above``: the lines before it, the nearest last; ``trial``: its orders are only asked about.
    """

    begun: str
    lines: tuple[tuple[int, str], ...]
    above: tuple[str, ...]
    trial: bool


class Sent(Value):
    """What letters of ours said, without regard to capitals and spaces; ``whole`` is "" where their lines count alone."""

    lines: frozenset[str]
    whole: str

    def has(self, line: str) -> bool:
        """Return whether *line*, or the long line that it is a piece of, was in a letter of ours."""
        plain = fold(line)
        return plain in self.lines or (len(plain) >= PIECE and plain in self.whole)


def sent_lines(texts: Iterable[str], *, broken: bool = True) -> Sent:
    """Return the lines of letters of ours; not *broken*: no piece of a line is ours. We say much of a player's words again, and
    what he writes anew is his.
    """
    lines = [fold(line) for text in texts for line in text.split("\n")[:MOST_LINES]]
    return Sent(lines=frozenset(line for line in lines if line), whole=" ".join(lines) if broken else "")


def mark_returned(
    text: str, sent: Sent, language: OrderLanguage, terms: tuple[Term, ...], readings: Readings | None = None
) -> str:
    """Return *text* with ``> `` before each line of ours that is quoted in it; lines keep their number."""
    lines = text.split("\n")
    ours = [None if at >= MOST_LINES or _is_neutral(line) else sent.has(line) for at, line in enumerate(lines)]
    tongue = (readings or Readings()).tongue(language, terms)
    beginnings = _beginnings(lines, ours, language, tongue)
    first = next(beginnings, None)
    if first is None:
        return text
    told = ((at, lines[at]) for at in range(len(lines)) if ours[at] is not None)
    blocks = ([at for at, _ in form.lines] for form in forms(told, language, tongue))
    his = {at for block in blocks if not all(ours[at] for at in block) for at in block}
    # No quotation begins within his orders: a route of his may go on as one of ours did, broken at the same place.
    start = next((at for at in chain((first,), beginnings) if at not in his), None)
    if start is None:
        return text
    returned = [at >= start and ours[at] is True and at not in his for at in range(len(lines))]
    for above, below in pairwise(at for at, is_ours in enumerate(ours) if is_ours is not None):
        if returned[above] and returned[below]:  # so are the rules and empty lines between
            returned[above:below] = [True] * (below - above)
    return "\n".join(f"> {line}" if quoted else line for line, quoted in zip(lines, returned, strict=True))


def forms(lines: Iterable[tuple[int, str]], language: OrderLanguage, tongue: Tongue) -> Iterator[Form]:
    """Yield the blocks from ORDERS to END among lines, each with where it stands."""
    above: list[str] = []
    block: list[tuple[int, str]] = []
    trial = False
    for at, line in lines:
        cut = line[:LONGEST_LINE]
        if begun := language.begun(cut, tongue):
            block, trial = [(at, line)], begun.trial
        elif block:
            block.append((at, line))
            if language.ends(cut):
                yield Form(begun=fold(block[0][1]), lines=tuple(block), above=tuple(above), trial=trial)
                block, above = [], []
            elif len(block) > LONGEST:
                block = []
        elif any(map(str.isalnum, line)):
            above = [*above, line][-ABOVE:]


def _beginnings(lines: list[str], ours: list[bool | None], language: OrderLanguage, tongue: Tongue) -> Iterator[int]:
    """Yield where a quotation may begin."""
    told = [at for at, is_ours in enumerate(ours) if is_ours is not None]
    for place, at in enumerate(told[: len(told) - RUN + 1]):
        cut = lines[at].strip()[:LONGEST_LINE]
        # No line of orders, and no command, press or word for the dice.
        if all(ours[other] for other in told[place : place + RUN]) and not (
            language.valued(cut) or language.begun(cut, tongue) or language.is_for_us(cut, tongue)
        ):
            yield at


def _is_neutral(line: str) -> bool:
    """Return whether a line says nothing of whose it is: empty, a rule, or marked as quoted already."""
    return line.lstrip().startswith(tuple(_MARKS)) or sum(letter.isalnum() for letter in line[:LONGEST_LINE]) < 2
