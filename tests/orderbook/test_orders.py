"""One order line at a time: what it becomes, and what is said about one that cannot be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.core.orders import Phrase, Term
from referee.orderbook import Book, Reading, read_text
from referee.orderbook.book import ORDER

Read = Callable[[str], Reading]
Spell = Callable[[Phrase], str]


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("HOME Dublin", "home(AB18)"),
        ("home: dublin or BELFAST", "home(AB18 AD7)"),
        ("HOME Dublin, or Belfast", "home(AB18 AD7)"),
        ("HOME Dublin / Belfast", "home(AB18 AD7)"),
        ("HOME AB18", "home(AB18)"),
        ("1a) (Dublin) - Y17", "build(label(1 a) piece(start(AB18) Y17))"),
        ("1A: (Dublin) - Y17.", "build(label(1 a) piece(start(AB18) Y17))"),
        ("1a. (Dublin) Y17", "build(label(1 a) piece(start(AB18) Y17))"),
        ("1a (Dublin)-Y17", "build(label(1 a) piece(start(AB18) Y17))"),
        ("1 a) Dublin-Y17-X18", "build(label(1 a) piece(start(AB18) Y17 X18))"),
        ("* 12c) (Dublin) - Y17 ;", "build(label(12 c) piece(start(AB18) Y17))"),
        ("7) (Dublin) - Y17", "build(label(7) piece(start(AB18) Y17))"),
        ("1b) none", "build(label(1 b))"),
        ("1b) -", "build(label(1 b))"),
        ("BUILD 1: (Dublin) - Y17", "build(roll(1) piece(start(AB18) Y17))"),
        ("build 1a: Dublin - Y17", "build(roll(1 a) piece(start(AB18) Y17))"),
        ("BUILD 2 (Dublin) - Y17", "build(roll(2) piece(start(AB18) Y17))"),
        ("BUILD: (Dublin) - Y17", "build(roll() piece(start(AB18) Y17))"),
        ("BUILD (Dublin) - Y17", "build(roll() piece(start(AB18) Y17))"),
        ("1a) (12) - 16", "build(label(1 a) piece(start(12) 16))"),
        ("1a) (Dublin (AB18)) - Dundalk (AA13)", "build(label(1 a) piece(start(AB18) AA13))"),
        ("1a) (Dublin) - Dundalk (16)", "build(label(1 a) piece(start(AB18) AA13))"),
        ("1a)(Dublin)-Y17;(Dublin)-Dundalk", "build(label(1 a) piece(start(AB18) Y17) piece(start(AB18) AA13))"),
        ("1a) (Larne) -> E41 > AE6 → AE7", "build(label(1 a) piece(start(AE5) AE5 AE6 AE7))"),
        ("1a) (Kingstown) – Y 17 — X17 − W18", "build(label(1 a) piece(start(AC19) Y17 X17 W18))"),
        ("1a) (Dublin) - AA13 [+6] [-1 GSW] [–2 T][+3]", "build(label(1 a) piece(start(AB18) AA13))"),
        ("RUN 7: 12 - X17 - 44", "run(7 route(stop(12) stop(X17) stop(44)))"),
        ("RUN 7 12 - 44", "run(7 route(stop(12) stop(44)))"),
        ("r7) (12) - 44", "run(7 route(stop(12) stop(44)))"),
        ("R 7: 12 - 44 or 12 - Z9 - 44", "run(7 route(stop(12) stop(44)) route(stop(12) stop(Z9) stop(44)))"),
        ("RUN 7: 12 - 44; OR: Dublin - J19", "run(7 route(stop(12) stop(44)) route(stop(AB18) stop(J19)))"),
        ("RUN 7: 12 - Z9[GSW] - 44 [-3 GSW]", "run(7 route(stop(12) stop(Z9 GSW) stop(44)))"),
        ("RUN 7: 12 - Z9 on GSW - 44 via mgw", "run(7 route(stop(12) stop(Z9 GSW) stop(44 MGW)))"),
        ("RUN 7 WITH GSW: 12 - 44", "run(7 partner(GSW) route(stop(12) stop(44)))"),
        ("RUN 7 WITH GSW", "run(7 partner(GSW))"),
        ("JOINT 7 WITH GSW", "run(7 partner(GSW))"),
        ("JR 7: GSW", "run(7 partner(GSW))"),
        ("JOINT 7 WITH GSW: 12 - 44", "run(7 partner(GSW) route(stop(12) stop(44)))"),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "ORDERS\n{}\nEND"], ids=["loose", "marked"])
def test_a_line_becomes_its_phrase(frame: str, line: str, phrase: str, read: Read, spell: Spell) -> None:
    reading = read(frame.format(line))
    assert [spell(found) for found in reading.phrases] == [phrase]
    assert reading.complaints == ()


@pytest.mark.parametrize(
    ("line", "code", "text", "hint"),
    [
        ("HOME Dubln", "invalid-place", "Dubln", "Dublin"),
        ("1a) (Dublin) - Dun Laoghare", "invalid-place", "Dun Laoghare", "Dún Laoghaire"),
        ("1a) (Dublin) - Zanzibar", "invalid-place", "Zanzibar", ""),
        ("1a) (Dublin) - Dun-Laoghare - X17", "invalid-place", "Dun-Laoghare", "Dún Laoghaire"),
        ("1a) (Dublin) - AE50", "invalid-hex", "AE50", "AE5"),
        ("1a) (Dublin) - ZZ9", "invalid-hex", "ZZ9", "Z9"),
        ("1a) (Dublin) - АЕ5", "invalid-letters", "АЕ5", "AE5"),
        ("1a) (Dublin) - Соrk", "invalid-letters", "Соrk", "Cork"),
        ("1a) (Dublin) - GSW", "invalid-place", "GSW", ""),
        ("RUN 7: 12 - 44 [GSV]", "invalid-company", "GSV", "GSW"),
        ("RUN 7: 12 - X17 [44]", "invalid-company", "44", ""),
        ("JOINT 7 WITH Galway", "invalid-company", "Galway", ""),
    ],
)
def test_an_unknown_name_is_complained_of_and_the_phrase_still_counts(
    line: str, code: str, text: str, hint: str, read: Read
) -> None:
    reading = read(line)
    assert [(found.code, found.text, found.line) for found in reading.complaints] == [(code, text, 1)]
    assert reading.complaints[0].hint.startswith(hint)
    assert bool(hint) == bool(reading.complaints[0].hint)
    assert len(reading.phrases) == 1
    assert f"?{text}" in str([reading.phrases]) or text in str(reading.phrases)


def test_a_place_said_twice_differently_is_complained_of(read: Read) -> None:
    reading = read("1a) (Dublin) - Dundalk (Y17)")
    assert [(found.code, found.params) for found in reading.complaints] == [
        ("invalid-two-places", (("first", "Dundalk"), ("second", "Y17")))
    ]


@pytest.mark.parametrize(
    ("line", "code", "params"),
    [
        ("1a) (Dublin) - Y17 X18", "invalid-word", (("found", "X18"), ("verb", "BUILD"))),
        ("1a) (Dublin) - Y17) - X18", "invalid-word", (("found", ")"), ("verb", "BUILD"))),
        ("RUN 7: 12 - X17]", "invalid-word", (("found", "]"), ("verb", "RUN"))),
        ("BUILD 1: (Dublin) -", "invalid-unfinished", (("verb", "BUILD"),)),
        ("RUN 7: 12", "invalid-unfinished", (("verb", "RUN"),)),
        ("1a) (Dublin", "invalid-unfinished", (("verb", "BUILD"),)),
        ("HOME", "invalid-unfinished", (("verb", "HOME"),)),
        ("RUN seven: 12 - 44", "invalid-word", (("found", "seven"), ("verb", "RUN"))),
    ],
)
def test_a_line_that_cannot_be_read_says_where_and_shows_how(
    line: str, code: str, params: tuple[tuple[str, str], ...], read: Read, book: Book
) -> None:
    reading = read(f"ORDERS\n{line}\n1b) (Cork) - Bantry\nEND")
    verb = book.verb(dict(params)["verb"])
    assert verb is not None
    assert [(found.code, found.params, found.line) for found in reading.complaints] == [(code, params, 2)]
    assert (reading.complaints[0].hint, reading.complaints[0].paragraph) == (verb.example, verb.rule)
    assert [phrase.line for phrase in reading.phrases] == [3]


@pytest.mark.parametrize("line", ["1a)", "1a) ______", "1a) ......", "RUN 7:", "BUILD 2:", "7)"])
def test_a_line_of_the_form_left_empty_orders_nothing_and_is_no_error(line: str, read: Read) -> None:
    reading = read(f"ORDERS\n{line}\nEND")
    assert reading.phrases == ()
    assert [(found.code, found.is_error) for found in reading.complaints] == [("note-empty", False)]


@pytest.mark.parametrize(
    "line",
    [
        "Run 7 was great",
        "Run 7: that was great",
        "Run 7 with Ann was fun",
        "Home is where the heart is",
        "Home Dublin was lovely",
        "Home: sweet home",
        "Build on that",
        "Build: I think you should",
        "2) I am not sure",
        "2) Dublin is nice",
        "1a is the roll I like",
        "Pass the salt",
        "Clear as mud",
        "Joint ventures are risky",
        "Enter the dragon",
        "R you sure?",
        "B 52s",
        "12 - 44 is a good race",
        "Orders will follow tomorrow",
        "The END",
        "Notes: none",
        "Press on, I say",
    ],
)
def test_prose_is_no_order(line: str, read: Read) -> None:
    reading = read(f"Hello,\n{line}\n")
    assert (reading.phrases, reading.complaints, reading.commands, reading.press, reading.note) == ((), (), (), "", "")
    assert reading.unread == ((1, "Hello,"), (2, line))


def test_a_slip_in_a_verb_is_told_even_without_markers(read: Read) -> None:
    reading = read("BIULD 1: (Dublin) - Y17 -\nX17\nJust pssing by")
    assert [(found.code, found.hint, found.params) for found in reading.complaints] == [
        ("invalid-verb", "BUILD", (("verb", "BIULD"),))
    ]
    assert reading.unread == ((3, "Just pssing by"),)


def test_words_stand_where_they_say(read: Read) -> None:
    phrase = read("x\n 1a) (Dublin) -\n Y17").phrases[0]
    assert (phrase.line, phrase.text) == (2, "1a) (Dublin) - Y17")
    words = [part for piece in phrase.parts if isinstance(piece, Phrase) for part in _words(piece)]
    assert [(word, phrase.text[column - 1 :][: len(word)]) for word, column in words] == [
        (word, word) for word, _ in words
    ]


def _words(phrase: Phrase) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for part in phrase.parts:
        found += _words(part) if isinstance(part, Phrase) else [(part.text, part.column)]
    return found


def test_a_company_that_is_called_like_a_town_is_read_by_its_place(book: Book) -> None:
    terms = tuple(Term(kind=kind, name="Cork", value=value) for kind, value in (("PLACE", "N32"), ("COMPANY", "CRK")))
    reading = read_text("RUN 7 WITH Cork: Cork [Cork] - 44\nHOME Cork", book, terms)
    assert reading.complaints == ()
    assert "N32" in str(reading.phrases[1])
    assert str(reading.phrases[0]).count("'CRK'") == 2


def test_every_terminal_of_the_grammar_is_a_word_somebody_can_write(book: Book) -> None:
    marks = {"COLON", "LPAR", "RPAR", "LSQB", "RSQB", "DASH", "SEMICOLON", "COMMA", "SLASH", "DOT"}
    written = marks | {verb.name for verb in book.of_kind(ORDER)} | {"NUMBER", "LETTER", "UNKNOWN", "PLACE", "COMPANY"}
    assert {name.strip("_") for name in book.terminals} - written == {"OR", "WITH", "ON", "NONE"}
