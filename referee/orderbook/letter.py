"""Which part of a letter the player wrote himself, and which is left: what he quotes, what stands below his signature."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# How mail programs announce what they quote, in the languages our players' programs speak. Each is matched against up to
# three lines joined, since long ones are wrapped; a date, time or address must be in it, so that press may say "wrote:".
_ATTRIBUTION = re.compile(
    r"(?=.*[\d@])(?:"
    r"on\b.*\bwrote|am\b.*\bschrieb\b.*|le\b.*\ba [ée]crit|op\b.*\bschreef\b.*|il\b.*\bha scritto|el\b.*\bescribi[óo]"
    r"|.*\bwrote|.*\bwrites|.*\bschrieb|.*\bschreef|.*\ba [ée]crit"
    r")\s*:",
    re.IGNORECASE,
)
_ATTRIBUTION_BEGINS = re.compile(r"(on|am|le|op|il|el)\b.*\d|.*@|.*\d{2}:\d{2}", re.IGNORECASE)
_ORIGINAL = re.compile(
    r"-{2,}\s*(original message|forwarded message|urspr[üu]ngliche nachricht|weitergeleitete nachricht"
    r"|message d.origine|message transf[ée]r[ée]|oorspronkelijk bericht|doorgestuurd bericht).*",
    re.IGNORECASE,
)
_RULE = re.compile(r"_{20,}")
_FROM = re.compile(r"\*?(from|von|de|van)\s?:\*?\s?\S.*", re.IGNORECASE)
_SENT = re.compile(r"\*?(sent|date|gesendet|datum|envoy[ée]|verzonden)\s?:\*?\s?\S.*", re.IGNORECASE)
_TO = re.compile(r"\*?(to|subject|an|betreff|[àa]|objet|aan|onderwerp)\s?:\*?\s?\S.*", re.IGNORECASE)
_SIGNATURE = re.compile(
    r"--|sent from my .*|sent from (mail|outlook|yahoo|proton).*|sent with .*|get outlook for .*"
    r"|von meinem .* gesendet|gesendet von .*|gesendet mit .*|envoy[ée] de mon .*|envoy[ée] depuis .*"
    r"|verstuurd vanaf .*|verzonden vanaf .*",
    re.IGNORECASE,
)

_QUOTE_MARKS = ">|"  # mail programs' and the newsletter's own, before press


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the player's own. ``number`` counts the letter's lines from 1; ``after_cut``: something quoted stood before."""

    number: int
    text: str
    after_cut: bool = False


def part_lines(text: str) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """Return (the player's own lines, blank ones too; all others less the marks of quotation), both in order.

    What they hold is the same under NFKC.
    """
    lines = _letter_lines(text)
    own: list[Line] = []
    left: list[str] = []
    cut = False
    at = 0
    while at < len(lines):
        if _is_quoted(lines[at]):
            left.append(lines[at])
            cut, at = True, at + 1
            continue
        announced = _attribution(lines, at)
        if _ends_letter(lines, at) or (announced and not _quote_follows(lines, at + announced)):
            left += lines[at:]
            break
        if announced:
            cut, at = True, at + announced
            continue
        own.append(Line(number=at + 1, text=lines[at].strip(), after_cut=cut))
        cut, at = False, at + 1
    return tuple(own), tuple(line.lstrip(_QUOTE_MARKS + " ").rstrip() for line in left)


def _letter_lines(text: str) -> list[str]:
    """Line ends of any system; other characters that break or hide are spaces or nothing."""
    normal = unicodedata.normalize("NFKC", text.replace("\r\n", "\n").replace("\r", "\n"))
    kept = (char for char in normal if unicodedata.category(char) != "Cf")
    return "".join(char if char == "\n" or not char.isspace() else " " for char in kept).split("\n")


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith(tuple(_QUOTE_MARKS))


def _ends_letter(lines: list[str], at: int) -> bool:
    line = lines[at].strip()
    if _SIGNATURE.fullmatch(line) or _ORIGINAL.fullmatch(line) or _RULE.fullmatch(line):
        return True
    if not _FROM.fullmatch(line):
        return False
    block = [other.strip() for other in lines[at + 1 : at + 6]]
    return any(map(_SENT.fullmatch, block)) and any(map(_TO.fullmatch, block))


def _attribution(lines: list[str], at: int) -> int:
    """Return how many lines from here announce a quotation: 0 to 3."""
    if not _ATTRIBUTION_BEGINS.match(lines[at].strip()[:300]):
        return 0
    for count in (1, 2, 3):
        joined = " ".join(line.strip() for line in lines[at : at + count])
        if len(joined) <= 300 and _ATTRIBUTION.fullmatch(joined):
            return count
        if at + count < len(lines) and (not lines[at + count].strip() or _is_quoted(lines[at + count])):
            return 0
    return 0


def _quote_follows(lines: list[str], at: int) -> bool:
    return next((_is_quoted(line) for line in lines[at:] if line.strip()), False)
