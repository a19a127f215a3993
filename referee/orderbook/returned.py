"""Lines of our own letters that come back: what a mail program quotes without a mark is known by having been sent.

Where such a quotation begins is decided by position and by kind, for a player may copy a line of ours and mean it as an
order: three lines of ours must follow each other, and the first of them must be prose, no line of orders. From there on
every line of ours is a quotation, except in a form, ORDERS to END, into which something was written: that is the player's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, pairwise

from referee.core import Numbered, NumberedLines, Pair, Texts, Value

from .language import LONGEST_LINE, OrderLanguage
from .letter import fold, part_lines
from .reading import Readings, is_of_form

RUN = 3  # lines of ours, one after the other, that begin a quotation
MOST_LINES = 20_000
LONGEST = 100  # lines of a form
ABOVE = 3  # lines above a form of which one is ours, where the form is
PIECE = 20  # characters: so much of a line of ours that was broken is still ours

_MARKS = ">|"


class ReturnedForm(Value):
    """A form in a letter: ``begun`` is its first line, folded; ``lines``: where each stands and what it says, from that one
    on; ``above``: the lines before it, the nearest last; ``trial``: its orders are only asked about.
    """

    begun: str
    lines: NumberedLines
    above: Texts
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
    what the player writes anew is no line of ours.
    """
    lines = [fold(line) for text in texts for line in text.split("\n")[:MOST_LINES]]
    return Sent(lines=frozenset(line for line in lines if line), whole=" ".join(lines) if broken else "")


def mark_returned(text: str, sent: Sent, language: OrderLanguage, readings: Readings | None = None) -> str:
    """Return *text* with ``> `` before each line of ours that is quoted in it; lines keep their number."""
    lines = text.split("\n")
    ours = [None if at >= MOST_LINES or _is_neutral(line) else sent.has(line) for at, line in enumerate(lines)]
    language = (readings or Readings()).spoken_language(language)
    beginnings = _beginnings(lines, ours, language)
    first = next(beginnings, None)
    if first is None:
        return text
    told = ((at, lines[at]) for at in range(len(lines)) if ours[at] is not None)
    blocks = ([at for at, _ in form.lines] for form in forms(told, language))
    own = {at for block in blocks if not all(ours[at] for at in block) for at in block}
    # No quotation begins within the player's orders: a route of theirs may go on as one of ours did, broken at the same place.
    start = next((at for at in chain((first,), beginnings) if at not in own), None)
    if start is None:
        return text
    returned = [at >= start and ours[at] is True and at not in own for at in range(len(lines))]
    for above, below in pairwise(at for at, is_ours in enumerate(ours) if is_ours is not None):
        if returned[above] and returned[below]:  # so are the rules and empty lines between
            returned[above:below] = [True] * (below - above)
    return "\n".join(f"> {line}" if quoted else line for line, quoted in zip(lines, returned, strict=True))


def forms(lines: Iterable[Numbered], language: OrderLanguage) -> Iterator[ReturnedForm]:
    """Yield the blocks from ORDERS to END among lines, each with where it stands."""
    above: list[str] = []
    block: list[Numbered] = []
    trial = False
    for at, line in lines:
        cut = line[:LONGEST_LINE]
        if begun := language.read_beginning(cut):
            block, trial = [(at, line)], begun.trial
        elif block:
            block.append((at, line))
            if language.ends(cut):
                yield ReturnedForm(begun=fold(block[0][1]), lines=tuple(block), above=tuple(above), trial=trial)
                block, above = [], []
            elif len(block) > LONGEST:
                block = []
        elif any(map(str.isalnum, line)):
            above = [*above, line][-ABOVE:]


def _beginnings(lines: list[str], ours: list[bool | None], language: OrderLanguage) -> Iterator[int]:
    """Yield where a quotation may begin."""
    told = [at for at, is_ours in enumerate(ours) if is_ours is not None]
    for place, at in enumerate(told[: len(told) - RUN + 1]):
        cut = lines[at].strip()[:LONGEST_LINE]
        # No line of orders, and no command, press or word for the dice.
        if all(ours[other] for other in told[place : place + RUN]) and not (
            language.read_value(cut) or language.read_beginning(cut) or language.is_for_us(cut)
        ):
            yield at


def _is_neutral(line: str) -> bool:
    """Return whether a line says nothing of whose it is: empty, a rule, or marked as quoted already."""
    return line.lstrip().startswith(tuple(_MARKS)) or sum(letter.isalnum() for letter in line[:LONGEST_LINE]) < 2


# The order form filled in where it was quoted: behind ``>``, or below a header of the letter that is answered.
#
# What is quoted is not read, but people fill in a form where they see it. A form is taken out of the quotation only
# where its player wrote no orders besides; whether it surely is the one that we sent is told beside.

# What ``lift_form`` says of a letter: its form counts; it may not be meant; orders stand in the letter and, others, in its form.
QUOTED, DOUBTED, BESIDE = "form-quoted", "form-doubted", "form-beside"

MOST_QUOTED = 2000  # quoted lines that are looked at

AS_BEFORE = "as before"  # a word of letters for what is on file (orders/common/verbs.toml)

_QUOTE_MARKS = "> |"

Known = dict[str, frozenset[str]]  # the lines of each form in letters of ours, by its first one


def lift_form(
    text: str,
    sent: Callable[[], tuple[Sent, Texts]],
    language: OrderLanguage,
    readings: Readings,
) -> Pair:
    """Return *text* with the filled form that it quotes no longer quoted, and what it is; the text and "" where there is none.

    Lines keep their number. *sent*: letters of ours, as lines and as texts; asked only where a form is quoted.
    """
    lines, spoken = text.split("\n"), readings.spoken_language(language)
    own = {line.place for line in part_lines(text)[0]}
    left = [(at, line.strip().lstrip(_QUOTE_MARKS)) for at, line in enumerate(lines) if at not in own][:MOST_QUOTED]
    found = [form for form in forms(left, spoken) if not form.trial]
    if not found:
        return text, ""
    ours, texts = sent()
    known = _form_lines(texts, spoken)
    filled = [form for form in found if _entries(form, known, spoken)]
    said = readings.of(text, language)
    if not filled or "CONFIRM" in said.commands:
        return text, ""
    contents = {tuple(fold(line) for _, line in _entries(form, known, spoken)) for form in filled}
    if said.phrases or said.keeps or said.trials or said.commands or any(each.is_error for each in said.complaints):
        own_lines = {fold(lines[at]) for at in own}
        told_above = all(line in own_lines for content in contents for line in content)
        return text, BESIDE if any(_is_ours(form, ours, known) for form in filled) and not told_above else ""
    taken = filled if len(contents) > 1 else filled[:1]
    sure = _is_ours(taken[0], ours, known) and not _orders_elsewhere(left, found, ours, spoken)
    ordered = {at: line for form in taken for at, line in _order_lines(form, known, spoken)}
    # Those lines are their player's own; all else that is quoted is marked.
    unmarked = (
        line if at in own else ordered.get(at, line if line.lstrip().startswith(">") else f"> {line}")
        for at, line in enumerate(lines)
    )
    return "\n".join(unmarked), QUOTED if sure else DOUBTED


def _form_lines(texts: Iterable[str], language: OrderLanguage) -> Known:
    """Return the lines of each form in letters of ours, by its first one."""
    known: Known = {}
    for text in texts:
        for form in forms(list(enumerate(text.split("\n")))[:MOST_QUOTED], language):
            known[form.begun] = known.get(form.begun, frozenset()) | {fold(line) for _, line in form.lines}
    return known


def _entries(form: ReturnedForm, known: Known, language: OrderLanguage) -> NumberedLines:
    """Return what somebody wrote into a form: neither its frame and what stands blank in it, nor a line as we sent it."""
    inside = form.lines[1:-1]
    return tuple(
        (at, line)
        for at, line in inside
        if line and fold(line) not in known.get(form.begun, ()) and not _is_blank(line, language)
    )


def _is_blank(line: str, language: OrderLanguage) -> bool:
    head = language.opening(line[:LONGEST_LINE])
    return head is not None and is_of_form(head.text, head, language)


def _is_ours(form: ReturnedForm, ours: Sent, known: Known) -> bool:
    """Return whether a form stands where we have put it: its writer's own letters, quoted again, have the same lines."""
    return form.begun in known and any(ours.has(line) for line in form.above)


def _orders_elsewhere(left: list[Numbered], found: list[ReturnedForm], ours: Sent, language: OrderLanguage) -> bool:
    """Return whether other lines of the quotation, and no lines of ours, begin like orders."""
    inside = {at for form in found for at, _ in form.lines}
    rest = (line for at, line in left if at not in inside and line and not ours.has(line))
    return any(language.opening(line[:LONGEST_LINE]) and not _is_blank(line, language) for line in rest)


def _order_lines(form: ReturnedForm, known: Known, language: OrderLanguage) -> Iterator[Numbered]:
    """Yield the lines of a form as they are read. What we had filled in, because it was on file, orders nothing anew when it
    comes back: it stays as it is on file by then.
    """
    for at, line in form.lines:
        if (
            fold(line) not in known.get(form.begun, ())
            or _is_blank(line, language)
            or at in (form.lines[0][0], form.lines[-1][0])
        ):
            yield at, line
        elif label := language.label(line[:LONGEST_LINE])[0]:
            yield at, f"{label} {AS_BEFORE}"
