"""Where a mail program wrapped an order: whether a line is the rest of the one before."""

from __future__ import annotations

import re

from msgspec import field

from referee.core.values import Mutable
from referee.orderbook.language.language import LONGEST_LINE, OrderLanguage
from referee.orderbook.language.parse import is_blank
from referee.orderbook.language.tokens import ARROWS, PROSE, UNKNOWN, Token, Tongue, last_word
from referee.orderbook.language.verbs import Head

_DASH_ENDS = f"-–—>{ARROWS}(["  # at a line's end: something must follow
_CONNECTORS = frozenset({"DASH", "SEMICOLON", "LPAR", "LSQB"})
_OF_A_WAY = frozenset(
    {"PLACE", "NUMBER", "HEXLIKE", "NEARLY", "COMPANY", "LPAR", "RPAR", "LSQB", "RSQB", "DASH", "SEMICOLON"}
)
_SPOTS = frozenset({"PLACE", "NUMBER", "HEXLIKE", "LPAR", "PLAYER"})
_NO_NAME = frozenset({UNKNOWN, PROSE})
_RULE = re.compile(r"([-=_*~#])(?:\s?\1){2,}")
_OVERLAP = 40  # characters of the line before that may belong to a name that was broken


class Draft(Mutable):
    """An order line, growing while lines that a mail program wrapped are joined to it. ``head`` is None for one not read;
    ``joined``: those lines, each with its number and how long the text was before it.
    """

    number: int
    text: str
    head: Head | None
    too_long: bool = False
    joined: list[tuple[int, str, int]] = field(default_factory=list)

    def join(self, text: str, number: int) -> None:
        """Take *text* for the rest of the line."""
        self.too_long = self.too_long or len(self.text) + len(text) >= LONGEST_LINE
        if not self.too_long:
            self.joined.append((number, text, len(self.text)))
            self.text = f"{self.text} {text}"


def continues(draft: Draft, line: str, language: OrderLanguage, tongue: Tongue, *, strict: bool) -> bool:
    """Return whether *line* is the rest of *draft*. *strict*: no prose is expected here, so a dash may begin any name."""
    if _RULE.fullmatch(line):
        return False
    if (
        draft.too_long
        or draft.text.rstrip()[-1:] in _DASH_ENDS
        or last_word(draft.text, tongue.words) & language.joints
    ):
        return True
    tokens = list(tongue.tokens(line[:LONGEST_LINE]))
    kinds = [tongue.kind_at_opening(token) for token in tokens]
    if not kinds:
        return "[" in line  # money noted behind a place, alone on its line: [-1 GSW]
    waits = draft.text.rstrip()[-1:] in language.waits or _is_blank(draft, language, tongue)
    words = {kind for kind, _ in tokens[0].kinds} & tongue.words.kinds
    if kinds[0] in _CONNECTORS or words & language.joints or (words and waits):
        return kinds[1:2] != [PROSE] and (kinds[1:2] != [UNKNOWN] or (strict and "DASH" in kinds))
    if kinds[0] in language.leads:
        return kinds[1:2] != [PROSE] and (strict or not _NO_NAME & set(kinds))
    if waits:
        return kinds[0] != PROSE and (
            "DASH" in kinds or (kinds[0] in _SPOTS | language.onward and not _NO_NAME & set(kinds))
        )
    if kinds[0] in language.onward and not _NO_NAME & set(kinds):
        return True
    return (_goes_along(draft, language) and _is_way(kinds)) or _spans(draft.text[-_OVERLAP:], line, tongue)


def is_open(draft: Draft, line: str, language: OrderLanguage) -> bool:
    """Return whether *draft* waits for more and *line* has it, although it begins as an order may: ``(`` / ``12) - Y17``, or
    ``OR`` / ``DISCARD green``.
    """
    if draft.text.endswith(("(", "[")):
        return True
    if not language.holds or not last_word(draft.text, language.words) & language.joints:
        return False
    return any(term.kind in language.holds for term in language.words.longest(line, 0)[1])


def _is_blank(draft: Draft, language: OrderLanguage, tongue: Tongue) -> bool:
    """Return whether the order form's line is still to be filled in: ``1a)``."""
    return draft.head is not None and is_blank(tongue.tokens(draft.text, draft.head.end), draft.head, language)


def _goes_along(draft: Draft, language: OrderLanguage) -> bool:
    """Return whether the line goes from place to place: a line that was complained of may have."""
    verb = language.rule_of(draft.head.verb) if draft.head else None
    return verb is None or verb.along


def _is_way(kinds: list[str]) -> bool:
    """Return whether these are places joined by dashes and nothing else."""
    return "DASH" in kinds and set(kinds) <= _OF_A_WAY and kinds[0] != "COMPANY"


def _spans(before: str, line: str, tongue: Tongue) -> bool:
    """Return whether a known name was broken between the two lines: ``Dún`` / ``Laoghaire``."""

    def is_broken(token: Token) -> bool:
        return token.start < len(before) < token.end and token.kind != UNKNOWN

    return any(map(is_broken, tongue.tokens(f"{before} {line[:_OVERLAP]}")))
