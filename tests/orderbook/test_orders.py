"""Orders as they are written: on one line or more, and as the guide has them."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from referee.core import Phrase, Term, Word
from referee.orderbook import OrderLanguage, Reading, read_text
from referee.orderbook.language import ASKED, COMMAND, ORDER, TEXT, TEXT_TO, TEXT_UNSIGNED, TRIAL, VALUE
from referee.resources import order_texts
from tests.orderbook.conftest import Read, Reads
from tests.tables import Tables, each_frame

CASES = Tables(__file__)

# One order line at a time: what it becomes, and what is said about one that cannot be read.


Spell = Callable[[Phrase], str]


@CASES.rows
@each_frame
def test_a_line_becomes_its_phrase(frame: str, line: str, phrase: str, read: Read, spell: Spell) -> None:
    reading = read(frame.format(line))
    assert [spell(found) for found in reading.phrases] == [phrase]
    assert reading.complaints == ()


@CASES.rows
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


@CASES.rows
def test_a_line_that_cannot_be_read_says_where_and_shows_how(
    line: str, code: str, found: str, hint: str, read: Read, order_language: OrderLanguage
) -> None:
    """Once, whatever follows from it, and the lines below still count."""
    reading = read(f"ORDERS\n{line}\n1c) (Cork) - Bantry\nEND")
    complaint = reading.complaints[0]
    params = dict(complaint.params)
    verb = order_language.verb(str(params["verb"]))
    assert len(reading.complaints) == 1
    assert (complaint.code, complaint.line, complaint.text) == (code, 2, line)
    assert (params.get("found", ""), complaint.hint) == (found, hint)
    assert verb
    assert complaint.paragraph == verb.rule
    assert [phrase.line for phrase in reading.phrases] == [3]


@CASES.rows
def test_without_markers_too_what_is_hardly_ever_prose_is_told(line: str, read: Read) -> None:
    reading = read(f"Hello,\n{line}\n1c) (Cork) - Bantry\n")
    assert any(found.is_error and found.line == 2 for found in reading.complaints)
    assert reading.unread == ((1, "Hello,"),)
    assert 3 in [phrase.line for phrase in reading.phrases]


@CASES.rows
def test_each_unknown_word_is_complained_of_once(line: str, complaints: list[list[str]], read: Read) -> None:
    reading = read(f"ORDERS\n{line}\nEND")
    assert [[found.code, found.text] for found in reading.complaints] == complaints


@CASES.rows
def test_a_line_of_the_form_left_empty_orders_nothing_and_is_no_error(line: str, read: Read) -> None:
    reading = read(f"ORDERS\n{line}\nEND")
    assert reading.phrases == ()
    assert [(found.code, found.is_error) for found in reading.complaints] == [("note-empty", False)]


@CASES.rows
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


def test_a_company_that_is_called_like_a_town_is_read_by_its_place(order_language: OrderLanguage) -> None:
    terms = tuple(Term(kind=kind, name="Cork", value=value) for kind, value in (("PLACE", "N32"), ("COMPANY", "CRK")))
    reading = read_text("RUN 7 WITH Cork: Cork [Cork] - 44\nHOME Cork", order_language.naming(terms))
    assert reading.complaints == ()
    assert "N32" in str(reading.phrases[1])
    assert str(reading.phrases[0]).count("'CRK'") == 2


def test_every_terminal_of_the_grammar_is_a_word_somebody_can_write(order_language: OrderLanguage) -> None:
    words = tomllib.loads(order_texts("dampfross")["verbs"])["words"]
    marks = {"COLON", "LPAR", "RPAR", "LSQB", "RSQB", "DASH", "SEMICOLON", "COMMA", "SLASH", "DOT"}
    written = (
        marks
        | {verb.name for verb in order_language.of_kind(ORDER)}
        | {"NUMBER", "LETTER", "UNKNOWN", "PLACE", "COMPANY"}
    )
    assert {name.strip("_") for name in order_language.terminals} - written == set(words) - marks


@CASES.rows
def test_from_and_to_are_read_as_people_say_them(read: Read, spoken: str, written: str) -> None:
    said, meant = (read(f"ORDERS\n{line}\nEND\n") for line in (spoken, written))
    assert not said.complaints
    assert format_phrases(said) == format_phrases(meant)


def format_phrases(told: Reading) -> list[tuple[str, list[str]]]:
    """Return the phrases of a letter with the values of their words."""
    return [(phrase.rule, values_of(phrase)) for phrase in told.phrases]


def values_of(phrase: Phrase) -> list[str]:
    """Return the values of all words of a phrase, in order."""
    return [each for part in phrase.parts for each in ([part.value] if isinstance(part, Word) else values_of(part))]


def test_a_hex_at_the_beginning_of_a_wrapped_line_is_no_race(read: Read) -> None:
    """R20 is a hex of Ireland, and R is short for RUN: only a space or a stop makes a race of it."""
    told = read("ORDERS\nRUN 7: Dublin - S20 -\nR20 - Q20\nR 8: 12 - 44\nR9: 12 - 45\nEND\n")
    runs = [phrase for phrase in told.phrases if phrase.rule == "run"]
    assert [run.parts[0].text for run in runs if isinstance(run.parts[0], Word)] == ["7", "8", "9"]
    assert not told.complaints


# Orders that a mail program wraps, and lines below an order that are none of its own.


ORDERS = Path(__file__).parents[2] / "orders"
GUIDES = {"dampfross": ORDERS / "README.md", "volldampf": ORDERS / "volldampf/README.md"}
NARROW = 13  # characters: no mail program wraps lines that are shorter


def examples(game: str) -> Iterator[str]:
    """Yield the lines of the examples in a game's guide."""
    for block in re.findall(
        r"^```orders\n(.*?)^```$", GUIDES[game].read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        yield from block.splitlines()


def bare(phrase: Phrase) -> Phrase:
    """Return a phrase without the places of its words."""
    parts = (each.but(column=0) if isinstance(each, Word) else bare(each) for each in phrase.parts)
    return phrase.but(parts=tuple(parts), line=0, text="")


@pytest.mark.parametrize("game", GUIDES)
def test_an_order_broken_at_any_blank_is_the_same_order_or_asked_about(game: str, reads: Reads) -> None:
    read, broken, exact, wrong = reads[game], 0, 0, []
    for line in dict.fromkeys(examples(game)):
        whole = read(line)
        if len(whole.phrases) != 1 or any(each.is_error for each in whole.complaints):
            continue
        for blank in re.finditer(" ", line[NARROW:]):
            text = f"{line[: NARROW + blank.start()]}\n{line[NARROW + blank.end() :]}"
            reading = read(text)
            broken += 1
            if any(each.is_error for each in (*reading.complaints, *reading.asked)):
                continue
            same = [*map(bare, reading.phrases)] == [*map(bare, whole.phrases)]
            exact += same
            wrong += [] if same else [text]
    assert wrong == []
    assert exact / broken > 0.95


@pytest.mark.parametrize("order", ["1a) (Belfast) - AC7", "RUN 7: Dublin - Cork"])
@CASES.rows
def test_a_line_that_begins_like_the_rest_of_an_order_does_not_spoil_it(
    order: str, below: str, asked: bool, reads: Reads
) -> None:
    reading = reads["dampfross"](f"{order}\n{below}\n")
    assert [phrase.text for phrase in reading.phrases] == [order]
    assert [each.code for each in reading.complaints if each.is_error] == []
    assert [each.text for each in reading.asked] == [below] * asked
    assert [text for _, text in reading.unread] == [below] * (not asked)


def test_in_a_closed_block_such_a_line_is_a_complaint_of_its_own(reads: Reads) -> None:
    reading = reads["dampfross"]("ORDERS\n1a) (Belfast) - AC7\n(not sure)\nEND\n")
    assert [phrase.text for phrase in reading.phrases] == ["1a) (Belfast) - AC7"]
    assert [(each.code, each.line) for each in reading.complaints] == [("invalid-line", 3)]


def test_a_slip_in_what_goes_on_is_told_as_one(reads: Reads) -> None:
    reading = reads["dampfross"]("1a) (Belfast) - AC7\n- Dubln\n")
    assert [(each.code, each.hint) for each in reading.complaints] == [("invalid-place", "Dublin")]


def test_a_delivery_wrapped_before_its_fast_loco_is_one_order(reads: Reads) -> None:
    line = "MOVE 1: violet FROM Magdeburg VIA Leipzig TO Erfurt"
    reading = reads["volldampf"](f"{line}\nFAST\nBONDS 3\n")
    assert [phrase.text for phrase in reading.phrases] == [f"{line} FAST", "BONDS 3"]
    assert (reading.complaints, reading.unread, reading.asked) == ((), (), ())


# What players are told is what is read: the guides' examples and those of the verbs, game by game.


EXAMPLES = [
    (game, example)
    for game, guide in GUIDES.items()
    for example in re.findall(r"^```orders\n(.*?)^```$", guide.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
]
OrderLanguages = Mapping[str, OrderLanguage]


@pytest.mark.parametrize(("game", "example"), EXAMPLES)
def test_every_example_of_a_guide_is_read_without_complaint(game: str, example: str, reads: Reads) -> None:
    reading = reads[game](example)
    remarks = (
        "invalid-amendment",
        "invalid-kept",
        "note-payment",
    )  # what waits for orders on file, and a sum noted for oneself
    assert [complaint for complaint in reading.complaints if complaint.code not in remarks] == []
    assert reading.phrases or reading.speaks


@pytest.mark.parametrize("game", GUIDES)
def test_the_guides_show_every_verb(game: str, order_languages: OrderLanguages) -> None:
    """What is the same in every game stands in the first guide."""
    own = "\n".join(example for each, example in EXAMPLES if each == game)
    first = "\n".join(example for each, example in EXAMPLES if each == "dampfross")
    common = {verb.name for verb in order_languages["volldampf"].verbs} & {
        verb.name for verb in order_languages["dampfross"].verbs
    } - {"BUILD"}
    shown = {verb.name: first if verb.name in common else own for verb in order_languages[game].verbs}
    assert [
        name for name, text in shown.items() if not re.search(rf"^{re.escape(name)}(?!\w)", text, re.MULTILINE)
    ] == []


@pytest.mark.parametrize("game", GUIDES)
def test_every_example_of_a_verb_is_read_as_that_verb(game: str, order_languages: OrderLanguages, reads: Reads) -> None:
    for verb in order_languages[game].verbs:
        reading = reads[game](verb.example)
        assert [complaint.code for complaint in reading.complaints if complaint.is_error] == [], verb.name
        assert len(reading.phrases) == (verb.kind == ORDER), verb.name
        assert reading.commands == ((verb.name,) if verb.kind == COMMAND else ()), verb.name
        assert bool(reading.press or reading.note) == (verb.kind == TEXT), verb.name
        assert bool(reading.salt) == (verb.kind == VALUE), verb.name
        assert [each.verb for each in reading.questions] == ([verb.name] if verb.kind in ASKED else []), verb.name
        assert bool(reading.private) == (verb.kind == TEXT_TO), verb.name
        assert bool(reading.unsigned) == (verb.kind == TEXT_UNSIGNED), verb.name
        assert bool(reading.trials) == (verb.kind == TRIAL), verb.name


@pytest.mark.parametrize("game", GUIDES)
def test_every_verb_has_its_help(game: str, order_languages: OrderLanguages) -> None:
    assert [verb.name for verb in order_languages[game].verbs if not (verb.takes and verb.help and verb.example)] == []


@pytest.mark.parametrize("game", GUIDES)
def test_every_alias_opens_as_its_verb(game: str, order_languages: OrderLanguages, reads: Reads) -> None:
    for verb in order_languages[game].of_kind(ORDER):
        for alias in verb.aliases:
            example = verb.example if verb.example.startswith(verb.name) else "BUILD 1: (Dublin) - Y17"
            reading = reads[game](example.replace(verb.name, alias.lower(), 1))
            assert (len(reading.phrases), reading.complaints) == (1, ()), alias
