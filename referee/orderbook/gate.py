"""The gate: a line of a player's own that was not read, and looks like an order, is asked about. Prose is not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from referee.core.orders import ASKED, Complaint
from referee.orderbook.language.doubts import Doubt
from referee.orderbook.language.language import OrderLanguage
from referee.orderbook.language.names import is_hexlike
from referee.orderbook.language.tokens import END, UNKNOWN, Token, Tongue, is_arrow

MOST_WEIGHED = 250_000  # characters of lines; beyond that any line is asked about
MOST_ASKED = 20
_WINDOW, _STEP = 300, 200  # characters of a line that are looked at together
_MOST_WITHIN = 12  # places in these where an order may begin; where there are more they are asked about
_LABEL = re.compile(r"\W{0,4}(?:[^\W\d_]{1,6}\W)?[^\W\d_]?(\d{1,2})\W{0,3}([a-h])(?![^\W_])", re.IGNORECASE)
_HEXES = {"PLACE": "HEX", UNKNOWN: "HEXLIKE"}
_SPOTS = ("PLACE", *_HEXES.values())

Lines = tuple[tuple[int, str], ...]


def split_doubts(
    unread: Iterable[tuple[int, str]], language: OrderLanguage, tongue: Tongue
) -> tuple[tuple[Complaint, ...], Lines]:
    """Return what is asked about lines that were not read, and the lines that nothing is asked about."""
    asked: list[Complaint] = []
    left: list[tuple[int, str]] = []
    weight = 0
    for number, text in unread:
        weight += len(text)
        doubt = None
        if len(asked) < MOST_ASKED:
            too_much = Complaint(code=f"{ASKED}unweighed", line=number, text=text)
            doubt = too_much if weight > MOST_WEIGHED else doubted(number, text, language, tongue)
        if doubt:
            asked.append(doubt)
        else:
            left.append((number, text))
    return tuple(asked), tuple(left)


def doubted(number: int, text: str, language: OrderLanguage, tongue: Tongue) -> Complaint | None:
    """Return what is asked about a line, None where it is prose."""
    if language.opening(text, tongue):
        return Complaint(code=f"{ASKED}outside", line=number, text=text)
    windows = (text[start : start + _WINDOW] for start in range(0, max(len(text) - _WINDOW, 0) + _STEP, _STEP))
    found = next(filter(None, (_doubt(window, language, tongue) for window in windows)), None)
    return Complaint(code=ASKED + found[0], line=number, text=text, hint=found[1]) if found else None


def _doubt(line: str, language: OrderLanguage, tongue: Tongue) -> tuple[str, str] | None:
    """Return the reason to ask about a line, and how it would be written."""
    places = language.heads_within(line, _MOST_WITHIN)
    if len(places) == _MOST_WITHIN:
        return "within", ""
    for place in places:
        within = language.opening(line[place:], tongue)
        if within and (not within.verb or within.text[: within.end].isupper()):
            return "within", line[place:]
    head = language.head(line)
    tokens = [(_kind(token), token.text) for token in tongue.tokens(line, head.end if head else 0)]
    spoken = " ".join(("", *([head.verb] if head else ()), *(kind for kind, _ in tokens), END, ""))
    strange = sum(len(words.split()) for kind, words in tokens if kind == UNKNOWN)
    found = next((each for each in language.doubts if each.fits(line, spoken, strange)), None)
    return (found.name, _written(found, head.verb if head else found.verb, line, tokens, language)) if found else None


def _kind(token: Token) -> str:
    if token.kind == "DASH":
        return "ARROW" if is_arrow(token.text) else "DASH"
    if token.kind in _HEXES and is_hexlike(token.text):
        return _HEXES[token.kind]
    return token.kind


def _written(doubt: Doubt, name: str, line: str, tokens: Sequence[tuple[str, str]], language: OrderLanguage) -> str:
    """Return how a line would be written, with what it names as far as that can be told."""
    first, *rest = [words for kind, words in tokens if kind in _SPOTS] or [""]
    match, verb = _LABEL.match(line), language.verb(name)
    label = match[1] + match[2].lower() if match else ""
    if doubt.written and rest and name == doubt.verb:
        return doubt.written.format(label=f"{label})" if label else f"{name} 1:", first=first, rest=" - ".join(rest))
    return verb.shaped(label, bare=bool(verb.shapes[1])) if verb else ""
