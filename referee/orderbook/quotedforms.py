"""The order form filled in where it was quoted: behind ``>``, or below a header of the letter that is answered.

What is quoted is not read, but people fill in a form where they see it. A form is taken out of the quotation only where its
player wrote no orders of his own; whether it surely is the one that we sent is told beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from referee.core.orders import Term
from referee.orderbook.language.language import LONGEST_LINE, OrderLanguage
from referee.orderbook.language.tokens import Tongue
from referee.orderbook.lines.letter import fold, part_lines
from referee.orderbook.reading import Readings, is_of_form
from referee.orderbook.returned import Form, Sent, forms

# What ``lift_form`` says of a letter: its form counts; it may not be meant; orders stand in the letter and, others, in its form.
QUOTED, DOUBTED, BESIDE = "form-quoted", "form-doubted", "form-beside"

MOST_LINES = 2000  # quoted lines that are looked at

AS_BEFORE = "as before"  # a word of letters for what is on file (orders/common/verbs.toml)

_MARKS = "> |"


def lift_form(
    text: str,
    sent: Callable[[], tuple[Sent, tuple[str, ...]]],
    language: OrderLanguage,
    terms: tuple[Term, ...],
    readings: Readings,
) -> tuple[str, str]:
    """Return *text* with the filled form that it quotes no longer quoted, and what it is; the text and "" where there is none.

    Lines keep their number. *sent*: letters of ours, as lines and as texts; asked only where a form is quoted.
    """
    lines, tongue = text.split("\n"), readings.tongue(language, terms)
    own = {line.place for line in part_lines(text)[0]}
    left = [(at, line.strip().lstrip(_MARKS)) for at, line in enumerate(lines) if at not in own][:MOST_LINES]
    found = [form for form in forms(left, language, tongue) if not form.trial]
    if not found:
        return text, ""
    ours, texts = sent()
    known = _form_lines(texts, language, tongue)
    filled = [form for form in found if _entries(form, known, language, tongue)]
    said = readings.of(text, language, terms)
    if not filled or "CONFIRM" in said.commands:
        return text, ""
    contents = {tuple(fold(line) for _, line in _entries(form, known, language, tongue)) for form in filled}
    if said.phrases or said.keeps or said.trials or said.commands or any(each.is_error for each in said.complaints):
        own_lines = {fold(lines[at]) for at in own}
        told_above = all(line in own_lines for content in contents for line in content)
        return text, BESIDE if any(_is_ours(form, ours, known) for form in filled) and not told_above else ""
    taken = filled if len(contents) > 1 else filled[:1]
    sure = _is_ours(taken[0], ours, known) and not _orders_elsewhere(left, found, ours, language, tongue)
    his = {at: line for form in taken for at, line in _order_lines(form, known, language, tongue)}
    return _without_marks(lines, own, his), QUOTED if sure else DOUBTED


def _form_lines(texts: Iterable[str], language: OrderLanguage, tongue: Tongue) -> dict[str, frozenset[str]]:
    """Return the lines of each form in letters of ours, by its first one."""
    known: dict[str, frozenset[str]] = {}
    for text in texts:
        for form in forms(list(enumerate(text.split("\n")))[:MOST_LINES], language, tongue):
            known[form.begun] = known.get(form.begun, frozenset()) | {fold(line) for _, line in form.lines}
    return known


def _entries(
    form: Form, known: dict[str, frozenset[str]], language: OrderLanguage, tongue: Tongue
) -> tuple[tuple[int, str], ...]:
    """Return what somebody wrote into a form: neither its frame and what stands blank in it, nor a line as we sent it."""
    inside = form.lines[1:-1]
    return tuple(
        (at, line)
        for at, line in inside
        if line and fold(line) not in known.get(form.begun, ()) and not _is_blank(line, language, tongue)
    )


def _is_blank(line: str, language: OrderLanguage, tongue: Tongue) -> bool:
    head = language.opening(line[:LONGEST_LINE], tongue)
    return head is not None and is_of_form(head.text, head, language, tongue)


def _is_ours(form: Form, ours: Sent, known: dict[str, frozenset[str]]) -> bool:
    """Return whether a form stands where we have put it: its writer's own letters, quoted again, have the same lines."""
    return form.begun in known and any(ours.has(line) for line in form.above)


def _orders_elsewhere(
    left: list[tuple[int, str]], found: list[Form], ours: Sent, language: OrderLanguage, tongue: Tongue
) -> bool:
    """Return whether other lines of the quotation, and no lines of ours, begin like orders."""
    inside = {at for form in found for at, _ in form.lines}
    rest = (line for at, line in left if at not in inside and line and not ours.has(line))
    return any(language.opening(line[:LONGEST_LINE], tongue) and not _is_blank(line, language, tongue) for line in rest)


def _order_lines(
    form: Form, known: dict[str, frozenset[str]], language: OrderLanguage, tongue: Tongue
) -> Iterator[tuple[int, str]]:
    """Yield the lines of a form as they are read. What we had filled in, because it was on file, orders nothing anew when it
    comes back: it stays as it is on file by then.
    """
    for at, line in form.lines:
        if (
            fold(line) not in known.get(form.begun, ())
            or _is_blank(line, language, tongue)
            or at in (form.lines[0][0], form.lines[-1][0])
        ):
            yield at, line
        elif label := language.label(line[:LONGEST_LINE], tongue)[0]:
            yield at, f"{label} {AS_BEFORE}"


def _without_marks(lines: list[str], own: set[int], his: dict[int, str]) -> str:
    """Return the letter with the lines in *his* as its player's own; all else that is quoted is marked."""
    return "\n".join(
        line if at in own else his.get(at, line if line.lstrip().startswith(">") else f"> {line}")
        for at, line in enumerate(lines)
    )
