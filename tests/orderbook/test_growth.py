"""Whatever a stranger writes, reading it takes time in proportion to its length: every expression and classifier of both games'
order languages, with texts that were made to lead them astray.

A text that is read at once even where it is long is not measured further (``growth.assert_grows_with``).
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TypeGuard

import pytest

from referee import orderbook
from referee.core import ConfigError, Terms, fold, restore_marks
from referee.orderbook import (
    OrderLanguage,
    Readings,
    expressions,
    gate,
    lift_form,
    mark_returned,
    own_words,
    quote_alike,
    read_text,
    sent_lines,
)
from referee.orderbook import classify as classifying
from referee.orderbook.classify import Draft, Place
from referee.orderbook.letter import (
    LONGEST,
    LetterLine,
    announcement_length,
    part_lines,
    perhaps_announces,
    signs,
    without_markup,
)
from referee.orderbook.names import is_hexlike, latin
from referee.orderbook.parse import parse_order
from referee.orderbook.quotations import begins_original
from referee.resources import order_texts
from tests.games import lines
from tests.growth import assert_grows_with, pumped
from tests.tables import Tables, repeated

CASES = Tables(__file__)

GAMES = ("dampfross", "volldampf")
PIECES = CASES.frozen("PIECES")  # fmt: skip
ENDS = ("", "x", ":x", "?", "!")
LINES = tuple(map(repeated, CASES.listed("LINES")))
LINE = (500, 2_000)  # characters: as long as an order may be; of a longer line most look at no more
LONG_LINE = (2_000, 8_000)
TEXT = (1_000, 4_000, 16_000)
SHARES = 4  # of the pairs of beginnings and pieces; no multiple of the number of ends
FEW = 41
EVERY = pytest.mark.parametrize("every", [FEW, pytest.param(1, marks=pytest.mark.testlong)])  # of the pieces
OURS = sent_lines(["RR1: a heading of ours\nanother line of ours\nand a third one of ours\nPASS\n> x\n"])


def is_expression(value: object) -> TypeGuard[re.Pattern[str]]:
    return isinstance(value, re.Pattern)


@pytest.fixture(params=GAMES)
def order_language(request: pytest.FixtureRequest, terms: Terms) -> OrderLanguage:
    return lines.order_language(request.param).naming(terms)


def hostile(
    befores: Iterable[str], pieces: Iterable[str], ends: Sequence[str], turn: int = 0, turns: int = 1
) -> Iterator[Callable[[int], str]]:
    """Yield every piece behind every beginning; the ends by turns, so that each of both has each end. Of some *turns* each has
    its share of these pairs: all beginnings and all pieces, but not each with each.
    """
    for (row, before), (column, piece) in product(enumerate(befores), enumerate(pieces)):
        if (row + column) % turns == turn % turns:
            yield pumped(before, piece, ends[(row + column) % len(ends)])


def sizes_of_lines(every: int) -> tuple[int, int]:
    """Few pieces are measured where lines are longer than an order may be, too."""
    return LONG_LINE if every == FEW else LINE


def beginnings(order_language: OrderLanguage) -> tuple[str, ...]:
    """How lines of each kind begin."""
    said = {verb.kind: verb.name for verb in order_language.verbs}
    orders = [f"{verb.name}: 1" for verb in order_language.of_kind("order")]
    return ("", "1a) ", "- ", *said.values(), *orders, "ADDRESS ", "RESEND ")


def expressions_of(order_language: OrderLanguage) -> Iterator[re.Pattern[str]]:
    """Every expression that is tried at a line; those over kinds of words see the first eight words alone."""
    for value in vars(order_language).values():
        told = value.values() if isinstance(value, dict) else [value]
        yield from (each for each in told if is_expression(each))


def test_the_walk_finds_the_expressions(order_language: OrderLanguage) -> None:
    assert len(list(expressions_of(order_language))) >= 10


@EVERY
def test_every_expression_of_an_order_language(order_language: OrderLanguage, every: int) -> None:
    for text in hostile((*beginnings(order_language), "a@", "RR1", "K7Q2M9XV"), PIECES[::every], ("!", "x")):
        for expression in expressions_of(order_language):
            assert_grows_with(expression.fullmatch, text, sizes_of_lines(every))


def parsed(order_language: OrderLanguage, line: str) -> object:
    head = order_language.opening(line) or order_language.nearly(line)
    return head and parse_order(head.text[:2000], head, 1, order_language)


def classified(order_language: OrderLanguage, line: str) -> object:
    """What kind of line it is wherever it may stand."""
    above = Draft(number=1, text="1a) (Dublin) - Y17", head=order_language.opening("1a) (Dublin) - Y17"))
    place = Place(begun=None, reads=True, strict=True, trial=False, in_text=False, torn=False, full=False, above=above)
    places = (place, place.but(strict=False, in_text=True, above=None), place.but(strict=False, reads=False))
    told = LetterLine(number=2, text=line, written=line)
    return [classifying.classify(told, each, order_language) for each in places]


CLASSIFIERS: dict[str, Callable[[OrderLanguage, str], object]] = {
    "classified": classified,
    "read_beginning": lambda order_language, line: order_language.read_beginning(line),
    "alone": lambda order_language, line: (
        order_language.alone(line),
        order_language.alone(line, courteous=False),
        order_language.ends(line),
    ),
    "command_within": lambda order_language, line: order_language.command_within(line),
    "elsewhere": lambda order_language, line: (
        order_language.elsewhere(line, strict=True),
        order_language.elsewhere(line, strict=False),
    ),
    "text_head": lambda order_language, line: order_language.text_head(line),
    "read_value": lambda order_language, line: order_language.read_value(line),
    "opening": lambda order_language, line: order_language.opening(line),
    "nearly": lambda order_language, line: (
        order_language.nearly(line),
        order_language.nearly_bare(line),
    ),
    "slip": lambda order_language, line: (
        order_language.slip(line),
        order_language.slip_opens(line),
    ),
    "hands": lambda order_language, line: (
        list(order_language.hands_at(line)),
        order_language.heads_within(line, 30),
    ),
    "doubted": lambda order_language, line: gate.doubt_of(1, line, order_language),
    "amending": lambda order_language, line: (
        order_language.amending(line),
        order_language.read_kept(line),
        order_language.label(line),
    ),
    "courtesies": lambda order_language, line: (
        order_language.greets(line),
        order_language.closes(line),
        order_language.prose.is_banner(line),
    ),
    "head": lambda order_language, line: (
        order_language.head(line),
        order_language.titles(line),
        order_language.is_for_us(line),
    ),
    "parsed": parsed,
}


def test_the_walk_asks_all_that_is_asked_about_a_line(
    order_language: OrderLanguage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()

    def noted(name: str, method: Callable[..., object]) -> Callable[..., object]:
        def noting(*told: object, **more: object) -> object:
            asked.add(name)
            return method(*told, **more)

        return noting

    named = {
        name: each
        for name, each in vars(OrderLanguage).items()
        if inspect.isfunction(each) and not name.startswith("_")
    }
    methods = {name: each for name, each in named.items() if "line" in inspect.signature(each).parameters}
    for name, method in methods.items():
        monkeypatch.setattr(OrderLanguage, name, noted(name, method))
    for name in ("classify", "read_line"):
        monkeypatch.setattr(classifying, name, noted(name, getattr(classifying, name)))
    spoken = Readings().spoken_language(order_language)
    for classifier in CLASSIFIERS.values():
        classifier(spoken, "BIULD 1a: (Dublin) - Y17")
    assert asked == {*methods, "classify", "read_line"}


@EVERY
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_of_a_line(name: str, order_language: OrderLanguage, every: int) -> None:
    """The first asks what all others ask, and is given every pair; these share them."""
    spoken = Readings().spoken_language(order_language)
    turn = list(CLASSIFIERS).index(name)
    turns = SHARES if turn and every != FEW else 1
    for text in hostile(beginnings(order_language), PIECES[::every], ("", ":x", "?")[::every], turn, turns):
        assert_grows_with(partial(CLASSIFIERS[name], spoken), text, sizes_of_lines(every))


def expressions_of_the_order_book() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every expression that stands in a module, by its place."""
    for module in pkgutil.walk_packages(orderbook.__path__, "referee.orderbook."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if is_expression(value):
                yield f"{module.name.rpartition('.')[2]}.{name}", value


SHARED = dict(expressions_of_the_order_book())
assert {"letter", "hands", "tokens"} <= {name.partition(".")[0] for name in SHARED}  # in every room
ANNOUNCING = {f"letter.{name}" for name in ("_DATED", "_TIME", "_MOMENT", "_ADDRESSED", "_DASHES")}


@EVERY
@pytest.mark.parametrize("name", SHARED)
def test_every_expression_of_the_order_book(name: str, every: int) -> None:
    """Those of announcements are asked about their longest alone, those of the umpire's own words about these."""
    befores = ("", "1a) ", "12. ", "On 3 Dec 2026 at 20:00 ", "From: a@", "RR1 ", "ORDERS RR1 ")
    for text in hostile(befores, PIECES[::every], ("!", "x:", "wrote:")):
        sizes = (LONGEST // 4, LONGEST) if name in ANNOUNCING or name.startswith("expressions.") else LONG_LINE
        assert_grows_with(SHARED[name].fullmatch, text, sizes)
        assert_grows_with(SHARED[name].match, text, sizes)


WORDS: dict[str, Callable[[str], object]] = {
    "folded": lambda text: (fold(text), latin(text), is_hexlike(text)),
    "marked": without_markup,
    "quoted": lambda line: (announcement_length([line, line], 0), begins_original([line] * 6, 0), signs(line)),
    "parted": lambda text: (part_lines(text), own_words(text)),
    "alike": lambda text: (quote_alike(text, text), restore_marks(text, text)),
    "prose": lambda line: (lines.order_language("dampfross").prose.takes_back(line), perhaps_announces(line)),
}


@EVERY
@pytest.mark.parametrize("name", WORDS)
def test_what_no_order_language_is_asked_about(name: str, every: int) -> None:
    pieces = (*LINES, *PIECES)[::every]
    for text in hostile(("", "On 3 Dec 2026 at 20:00 ", "From: a\n", "-- "), pieces, ("\nx:",)):
        assert_grows_with(WORDS[name], text, TEXT)


READERS: dict[str, Callable[[OrderLanguage, str], object]] = {
    "read": lambda order_language, text: read_text(text, order_language),
    "lifted": lambda order_language, text: lift_form(
        text, lambda: (OURS, ("ORDERS RR1 1\n1a)\nEND",)), order_language, Readings()
    ),
    "returned": lambda order_language, text: mark_returned(text, OURS, order_language),
}


@EVERY
@pytest.mark.parametrize("act", READERS)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_text(act: str, game: str, order_languages: Mapping[str, OrderLanguage], every: int) -> None:
    read = partial(READERS[act], order_languages[game])
    for text in hostile(("", "ORDERS\n", "PRESS: a\n"), (*LINES, *PIECES)[::every], ("\nEND\n",)):
        assert_grows_with(read, text, TEXT)


@CASES.rows
def test_an_expression_of_the_umpires_that_can_be_read_in_too_many_ways_is_refused(text: str) -> None:
    own = f"[verb.SALT]\nvalue = '{text}'\n"
    texts = order_texts("dampfross")
    with pytest.raises(ConfigError, match=r"verbs\.toml: .*repeats a bracket"):
        OrderLanguage.with_own((texts["common"], texts["verbs"]), texts["grammar"], [("verbs.toml", own)])


@CASES.rows
def test_other_expressions_of_an_umpires_are_taken(text: str) -> None:
    assert expressions.own(text).pattern == text
