"""What kind of line a line of a letter is, where it stands: asked once a line, all tries in one place."""

from __future__ import annotations

import re
from enum import Enum

from msgspec import field

from referee.core import Complaint, Mutable, Value

from .language import ASKED, LONGEST_LINE, OrderLanguage
from .letter import LetterLine
from .names import Begun, Head, TextHead, Valued, Verb
from .parse import is_blank, parse_order
from .tokens import ARROWS, PROSE, UNKNOWN, Token, last_word

# Where a mail program wrapped an order: whether a line is the rest of the one before.

_DASH_ENDS = f"-–—>{ARROWS}(["  # at a line's end: something must follow
_CONNECTORS = frozenset({"DASH", "SEMICOLON", "LPAR", "LSQB"})
_OF_A_WAY = frozenset(
    {"PLACE", "NUMBER", "HEXLIKE", "NEARLY", "COMPANY", "LPAR", "RPAR", "LSQB", "RSQB", "DASH", "SEMICOLON"}
)
_SPOTS = frozenset({"PLACE", "NUMBER", "HEXLIKE", "LPAR", "PLAYER"})
_NO_NAME = frozenset({UNKNOWN, PROSE})
_RULE = re.compile(r"([-=_*~#])(?:\s?\1){2,}")
_OVERLAP = 40  # characters of the line before that may belong to a name that was broken


class Draft(Mutable, kw_only=False):
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


def continues(draft: Draft, line: str, language: OrderLanguage, *, strict: bool) -> bool:
    """Return whether *line* is the rest of *draft*. *strict*: no prose is expected here, so a dash may begin any name."""
    if _RULE.fullmatch(line):
        return False
    if (
        draft.too_long
        or draft.text.rstrip()[-1:] in _DASH_ENDS
        or last_word(draft.text, language.tongue.words) & language.joints
    ):
        return True
    tokens = list(language.tongue.tokens(line[:LONGEST_LINE]))
    kinds = [language.tongue.kind_at_opening(token) for token in tokens]
    if not kinds:
        return "[" in line  # money noted behind a place, alone on its line: [-1 GSW]
    waits = draft.text.rstrip()[-1:] in language.waits or _is_blank(draft, language)
    words = {kind for kind, _ in tokens[0].kinds} & language.tongue.words.kinds
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
    verb = language.rule_of(draft.head.verb) if draft.head else None
    goes_along = verb is None or verb.along  # from place to place: a line that was complained of may have
    is_way = "DASH" in kinds and set(kinds) <= _OF_A_WAY and kinds[0] != "COMPANY"
    return (goes_along and is_way) or _spans(draft.text[-_OVERLAP:], line, language)


def is_open(draft: Draft, line: str, language: OrderLanguage) -> bool:
    """Return whether *draft* waits for more and *line* has it, although it begins as an order may: ``(`` / ``12) - Y17``, or
    ``OR`` / ``DISCARD green``.
    """
    if draft.text.endswith(("(", "[")):
        return True
    if not language.holds or not last_word(draft.text, language.words) & language.joints:
        return False
    return any(term.kind in language.holds for term in language.words.longest(line, 0)[1])


def _is_blank(draft: Draft, language: OrderLanguage) -> bool:
    """Return whether the order form's line is still to be filled in: ``1a)``."""
    return draft.head is not None and is_blank(language.tongue.tokens(draft.text, draft.head.end), draft.head, language)


def _spans(before: str, line: str, language: OrderLanguage) -> bool:
    """Return whether a known name was broken between the two lines: ``Dún`` / ``Laoghaire``."""

    def is_broken(token: Token) -> bool:
        return token.start < len(before) < token.end and token.kind != UNKNOWN

    return any(map(is_broken, language.tongue.tokens(f"{before} {line[:_OVERLAP]}")))


CUT_TEXT = "warning-cut-text"


class Place(Value):
    """Where a line stands. ``begun``: it begins this block; ``reads``: orders are read there; ``strict``: in a block that END
    closes, where no prose is expected; ``trial``: in one that is only asked about; ``in_text``: a text runs on; ``torn``: below a
    quotation that stands right below a line of a text; ``full``: nobody is told of one more fault; ``above``: the order above.
    """

    begun: Begun | None
    reads: bool
    strict: bool
    trial: bool
    in_text: bool
    torn: bool
    full: bool
    above: Draft | None


class KeptLine(Value, kw_only=False):
    """A line that says that its order stays as it is on file; ``label``: which one that is."""

    label: str


class Other(Enum):
    """Lines of which nothing is read but what they are."""

    REST = "the rest of the order above"
    TEXT = "a line of a text"
    AMENDS = "asks to keep the rest of what is on file"
    UNREAD = "nothing to us"
    LEFT_OUT = "one fault too many, whichever"


Said = Verb | TextHead | Valued | KeptLine | Head  # what a line says by itself
Kind = Begun | Said | Other | Complaint


def classify(line: LetterLine, place: Place, language: OrderLanguage) -> Kind:
    """Return what kind of line this is, with what was read. A ``Complaint``: it was meant as something that it is not."""
    # A bracket that is still open is stronger than a line that looks like an order: (\\n12) - Y17
    if place.above and is_open(place.above, line.text, language):
        return Other.REST
    # How all that follows is read depends on ORDERS, which alone is also the name of a question.
    return place.begun or read_line(line, place, language) or _going_on(line, place, language)


def read_line(line: LetterLine, place: Place, language: OrderLanguage) -> Said | None:
    """Return what a line says by itself, or what stands behind ORDERS on its line; None for nothing."""
    return (
        # In press "I pass" is more likely to be a tale than an order.
        language.alone(line.text, courteous=not place.in_text)
        # As it was written, for what stands behind the colon is printed with its marks. In a note, which is for one alone, a word
        # on its line does not begin what is for all.
        or language.text_head(line.written, titled=not place.in_text)
        or language.text_head(line.text, titled=not place.in_text)
        or _read_value(line.text, place, language)
        # Before orders: 1c) same as before begins like one.
        or _read_kept(line.text, place, language)
        or _order(line.text, place, language)
    )


def _read_value(line: str, place: Place, language: OrderLanguage) -> Valued | None:
    """Return a word for the referee: SALT pepper. Where prose may stand it must be shouted or have its colon."""
    valued = language.read_value(line)
    if not valued or place.strict:
        return valued
    asks = valued.verb.kind in ASKED and not place.in_text
    plain = asks or ":" in line or line.startswith((valued.verb.name, *valued.verb.aliases))
    return valued if valued.value and plain else None


def _read_kept(line: str, place: Place, language: OrderLanguage) -> KeptLine | None:
    label = language.read_kept(line) if place.reads and not place.trial and not place.in_text else ""
    return KeptLine(label) if label else None


def _order(line: str, place: Place, language: OrderLanguage) -> Head | None:
    """Return how an order begins; one that cannot be read as it stands only where its writer is told what is wrong with it."""
    head = language.opening(line)
    if not head and place.reads:
        # In a closed block the verb alone makes it one; in a text only what cannot be prose.
        nearly = language.nearly_bare if place.in_text else language.nearly
        head = (language.head(line) if place.strict else None) or nearly(line)
    return None if not head or _goes_on(head, line, place.above, language) else head


def _goes_on(head: Head, line: str, above: Draft | None, language: OrderLanguage) -> bool:
    """Return whether a line without a label, ``(Metz) - G69``, is the rest of the order above: unless that is whole without it
    and could not be read with it.
    """
    if head.verb or not line.startswith("(") or not above or above.head is None:
        return False
    if above.head.verb == "" or language.rule_of(above.head.verb) is language.rule_of(""):
        return True

    def is_read(text: str, begins: Head) -> bool:
        return parse_order(text[:LONGEST_LINE], begins, 0, language)[0] is not None

    return not (is_read(above.text, above.head) and not is_read(f"{above.text} {line}", above.head))


def _going_on(line: LetterLine, place: Place, language: OrderLanguage) -> Kind:
    """Return the kind of a line that says nothing by itself."""
    text = line.text
    if place.in_text:
        is_lost = place.reads and (language.nearly(text) or language.alone(text))
        return line.complaint("note-order-in-text") if is_lost else Other.TEXT
    if language.amending(text):
        # What is only asked about is reckoned alone.
        return line.complaint("note-trial-alone") if place.trial else Other.AMENDS
    if place.reads and place.above and continues(place.above, text, language, strict=place.strict):
        return Other.REST
    if place.torn:
        return line.complaint(CUT_TEXT)
    if place.full:
        return Other.LEFT_OUT
    return (_fault(line, place, language) if place.reads else None) or Other.UNREAD


def _fault(line: LetterLine, place: Place, language: OrderLanguage) -> Complaint | None:
    """Return what is wrong with a line that is no order: where only orders may stand always, elsewhere what a slip spoilt."""
    text = line.text
    game = language.elsewhere(text, strict=place.strict)
    if game:
        return line.complaint("invalid-other-game", game=game)
    word, verb, _ = language.slip(text) or ("", "", 0)
    # A command stands alone; one with a slip must be shouted, or every ``Passed.`` in a letter would be one.
    shouts = text.isupper() and text.rstrip(".!").isalpha()
    if word and (place.strict or shouts or language.slip_opens(text)):
        return line.complaint("invalid-verb", verb, verb=word)
    command = language.command_within(text)
    if command:
        code = "invalid-not-alone" if place.strict else "note-not-alone"
        return line.complaint(code, verb=command.name)
    return line.complaint("invalid-line") if place.strict else None
