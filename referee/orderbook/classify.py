"""What kind of line a line of a letter is, where it stands: asked once a line, all tries in one place."""

from __future__ import annotations

from enum import Enum

from referee.core.orders import Complaint
from referee.core.values import Value
from referee.orderbook.joining import Draft, continues, is_open
from referee.orderbook.language.language import ASKED, LONGEST_LINE, OrderLanguage
from referee.orderbook.language.parse import parse_order
from referee.orderbook.language.tokens import Tongue
from referee.orderbook.language.verbs import Begun, Head, TextHead, Valued, Verb
from referee.orderbook.lines.letter import Line

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


class Kept(Value, kw_only=False):
    """A line that says that its order stays as it is on file; ``label``: which one that is."""

    label: str


class Other(Enum):
    """Lines of which nothing is read but what they are."""

    REST = "the rest of the order above"
    TEXT = "a line of a text"
    AMENDS = "asks to keep the rest of what is on file"
    UNREAD = "nothing to us"
    LEFT_OUT = "one fault too many, whichever"


Said = Verb | TextHead | Valued | Kept | Head  # what a line says by itself
Kind = Begun | Said | Other | Complaint


def classify(line: Line, place: Place, language: OrderLanguage, tongue: Tongue) -> Kind:
    """Return what kind of line this is, with what was read. A ``Complaint``: it was meant as something that it is not."""
    # A bracket that is still open is stronger than a line that looks like an order: (\\n12) - Y17
    if place.above and is_open(place.above, line.text, language):
        return Other.REST
    # How all that follows is read depends on ORDERS, which alone is also the name of a question.
    return place.begun or said(line, place, language, tongue) or _going_on(line, place, language, tongue)


def said(line: Line, place: Place, language: OrderLanguage, tongue: Tongue) -> Said | None:
    """Return what a line says by itself, or what stands behind ORDERS on its line; None for nothing."""
    return (
        # In press "I pass" is more likely to be a tale than an order.
        language.alone(line.text, courteous=not place.in_text)
        # As it was written, for what stands behind the colon is printed with its marks. In a note, which is for one alone, a word
        # on its line does not begin what is for all.
        or language.text_head(line.written, titled=not place.in_text)
        or language.text_head(line.text, titled=not place.in_text)
        or _valued(line.text, place, language)
        # Before orders: 1c) same as before begins like one.
        or _kept(line.text, place, language, tongue)
        or _order(line.text, place, language, tongue)
    )


def _valued(line: str, place: Place, language: OrderLanguage) -> Valued | None:
    """Return a word for the referee: SALT pepper. Where prose may stand it must be shouted or have its colon."""
    valued = language.valued(line)
    if valued is None or place.strict:
        return valued
    asks = valued.verb.kind in ASKED and not place.in_text
    plain = asks or ":" in line or line.startswith((valued.verb.name, *valued.verb.aliases))
    return valued if valued.value and plain else None


def _kept(line: str, place: Place, language: OrderLanguage, tongue: Tongue) -> Kept | None:
    label = language.kept(line, tongue) if place.reads and not place.trial and not place.in_text else ""
    return Kept(label) if label else None


def _order(line: str, place: Place, language: OrderLanguage, tongue: Tongue) -> Head | None:
    """Return how an order begins; one that cannot be read as it stands only where its writer is told what is wrong with it."""
    head = language.opening(line, tongue)
    if head is None and place.reads:
        # In a closed block the verb alone makes it one; in a text only what cannot be prose.
        nearly = language.nearly_bare if place.in_text else language.nearly
        head = (language.head(line) if place.strict else None) or nearly(line, tongue)
    return None if head is None or _goes_on(head, line, place.above, language, tongue) else head


def _goes_on(head: Head, line: str, above: Draft | None, language: OrderLanguage, tongue: Tongue) -> bool:
    """Return whether a line without a label, ``(Metz) - G69``, is the rest of the order above: unless that is whole without it
    and could not be read with it.
    """
    if head.verb or not line.startswith("(") or above is None or above.head is None:
        return False
    if above.head.verb == "" or language.rule_of(above.head.verb) is language.rule_of(""):
        return True

    def is_read(text: str, begins: Head) -> bool:
        return parse_order(text[:LONGEST_LINE], begins, 0, language, tongue)[0] is not None

    return not (is_read(above.text, above.head) and not is_read(f"{above.text} {line}", above.head))


def _going_on(line: Line, place: Place, language: OrderLanguage, tongue: Tongue) -> Kind:
    """Return the kind of a line that says nothing by itself."""
    text = line.text
    if place.in_text:
        is_lost = place.reads and (language.nearly(text, tongue) or language.alone(text))
        return Complaint(code="note-order-in-text", line=line.number, text=text) if is_lost else Other.TEXT
    if language.amends(text):
        # What is only asked about is reckoned alone.
        return Complaint(code="note-trial-alone", line=line.number, text=text) if place.trial else Other.AMENDS
    if place.reads and place.above and continues(place.above, text, language, tongue, strict=place.strict):
        return Other.REST
    if place.torn:
        return Complaint(code=CUT_TEXT, line=line.number, text=text)
    if place.full:
        return Other.LEFT_OUT
    return (_fault(line, place, language, tongue) if place.reads else None) or Other.UNREAD


def _fault(line: Line, place: Place, language: OrderLanguage, tongue: Tongue) -> Complaint | None:
    """Return what is wrong with a line that is no order: where only orders may stand always, elsewhere what a slip spoilt."""
    text = line.text
    game = language.elsewhere(text, strict=place.strict)
    if game:
        return Complaint(code="invalid-other-game", line=line.number, text=text, params=(("game", game),))
    word, verb, _ = language.slip(text, tongue) or ("", "", 0)
    if word and (place.strict or language.slip_opens(text, tongue) or _is_slipped_command(text)):
        return Complaint(code="invalid-verb", line=line.number, text=text, hint=verb, params=(("verb", word),))
    command = language.command_within(text)
    if command:
        code = "invalid-not-alone" if place.strict else "note-not-alone"
        return Complaint(code=code, line=line.number, text=text, params=(("verb", command.name),))
    return Complaint(code="invalid-line", line=line.number, text=text) if place.strict else None


def _is_slipped_command(line: str) -> bool:
    """A command stands alone; one with a slip must be shouted, or every ``Passed.`` in a letter would be one."""
    return line.isupper() and line.rstrip(".!").isalpha()
