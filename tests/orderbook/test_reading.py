"""Whole texts: markers, press, notes, commands, wrapped lines, limits."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.core import ConfigError, Phrase, Terms, Word
from referee.orderbook import OrderLanguage, Readings, read_text
from referee.orderbook.gate import MOST_ORDERED
from referee.orderbook.names import LOOK_UPS, VERB_LOOK_UPS, Lexicon
from referee.orderbook.reading import MOST_OWN
from referee.orderbook.sections import MOST_FAULTS
from tests.orderbook.conftest import Read
from tests.tables import Tables, each_frame, repeated

CASES = Tables(__file__)

Spell = Callable[[Phrase], str]
QUICK = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@CASES.rows
def test_the_orders_line_may_name_game_and_turn(line: str, game: str, turn: int, read: Read) -> None:
    reading = read(f"{line}\nPASS\nEND")
    assert (reading.game, reading.turn, reading.marked, reading.commands) == (game, turn, True, ("PASS",))


def test_where_there_is_a_block_nothing_else_is_read_but_press_and_notes(read: Read) -> None:
    reading = read("1a) (Cork) - Bantry\nCLEAR\nORDERS\n1b) (Dublin) - Y17\nEND\nPRESS: Hurrah!\nHOME Cork\nNOTE: ill")
    assert [phrase.line for phrase in reading.phrases] == [4]
    assert (reading.press, reading.note, reading.commands) == ("Hurrah!", "ill", ())
    assert [(each.code, each.line) for each in reading.asked] == [("asked-outside", 1), ("asked-outside", 7)]
    assert reading.unread == ((2, "CLEAR"),)


def test_inside_a_block_a_line_that_is_no_order_is_a_complaint(read: Read) -> None:
    reading = read("ORDERS\nas agreed\nCONFRIM\n1a) (Dublin) - Y17\nEND\nas agreed")
    assert [(found.code, found.line, found.hint) for found in reading.complaints] == [
        ("invalid-line", 2, ""),
        ("invalid-verb", 3, "CONFIRM"),
    ]
    assert reading.unread == ((6, "as agreed"),)


def test_a_block_without_end_goes_on_to_the_end_but_forgives_prose(read: Read) -> None:
    reading = read("Orders:\n1a) (Dublin) - Y17\n\nCheers, Ann")
    assert [found.code for found in reading.complaints] == ["note-no-end"]
    assert (len(reading.phrases), reading.unread) == (1, ((4, "Cheers, Ann"),))


def test_two_blocks_that_differ_are_not_guessed(read: Read) -> None:
    one, other = "ORDERS\n1a) (Dublin) - Y17\nEND\n", "ORDERS\n1a) (Dublin) - AA13\nEND\n"
    reading = read(one + other)
    assert (reading.phrases, reading.commands) == ((), ())
    assert [(found.code, found.params) for found in reading.complaints] == [
        ("invalid-two-blocks", (("first", 1), ("second", 4)))
    ]
    assert read(one + "ORDERS\n1A)  (dublin) – Y17\nEND").complaints == ()


def test_an_order_form_left_empty_is_no_second_block(read: Read) -> None:
    form = "ORDERS RR7 1\n1a)\n1b) ____\nRUN 7:\nEND\n"
    reading = read(f"{form}ORDERS RR7 1\n1a) (Dublin) - Y17\nEND\n{form}")
    assert ([phrase.line for phrase in reading.phrases], reading.complaints) == ([7], ())


def test_press_and_notes_run_to_the_next_order_section_end_quote_or_signature(read: Read) -> None:
    reading = read(
        "PRESS: One\n\ntwo\n1a) (Dublin) - Y17\nprose\nnote: three\nfour\nPRESS: five\nEND PRESS\nprose\n"
        "PRESS:\nsix\n> quoted\nprose\nPRESS: seven\n-- \nAnn"
    )
    assert reading.press == "One\n\ntwo\n\nfive\n\n\nsix\n\nseven"
    assert reading.note == "three\nfour"
    assert [text for _, text in reading.unread] == ["prose", "prose"]
    assert [(each.code, each.line) for each in reading.complaints] == [("warning-cut-text", 13)]


@CASES.rows
@pytest.mark.parametrize("end", ["END PRESS", "END", "NOTE: x", ""])
def test_press_may_stand_below_its_word(head: str, end: str, read: Read) -> None:
    reading = read(f"1a) (Dublin) - Y17\n{head}\nHurrah\n\nfor us\n{end}")
    assert reading.press == "Hurrah\n\nfor us"
    assert len(reading.phrases) == 1
    assert reading.unread == ()


def test_a_word_alone_on_its_line_of_a_note_does_not_begin_press(read: Read) -> None:
    reading = read("NOTE: between us: freedom of the\nPress\nis nothing\nPRESS\nHurrah")
    assert (reading.note, reading.press) == ("between us: freedom of the\nPress\nis nothing", "Hurrah")


@CASES.rows
def test_a_note_begins_by_its_word_in_capitals_where_press_needs_its_colon(line: str, note: str, read: Read) -> None:
    reading = read(f"ORDERS RR7 3\n1a) (Dublin) - Y17\nEND\n{line}\nAnn")
    assert (reading.note.removesuffix("\nAnn"), reading.press, len(reading.phrases)) == (note, "", 1)


def test_private_press_may_stand_below_its_word(read: Read) -> None:
    (private,) = read("PRESS TO GSW\nfor you\nEND PRESS\nbye").private
    assert (private.to, private.text) == (("GSW",), "for you")


def test_press_inside_a_block_ends_with_it(read: Read) -> None:
    reading = read("ORDERS\n1a) (Dublin) - Y17\nPRESS: Hurrah\nfor us\nEND\nBye")
    assert (reading.press, reading.complaints, reading.unread) == ("Hurrah\nfor us", (), ((6, "Bye"),))


@CASES.rows
@each_frame
def test_a_wrapped_line_is_one_order(frame: str, wrapped: str, read: Read, spell: Spell) -> None:
    reading = read(frame.format(wrapped))
    assert [spell(phrase) for phrase in reading.phrases] == [
        "build(label(1 a) piece(start(AB18) Y17 X17) piece(start(N32) G34))"
    ]
    assert (reading.complaints, reading.unread) == ((), ())


def test_a_name_broken_by_the_mail_program_is_whole(read: Read, spell: Spell) -> None:
    reading = read(
        "1a) (Dublin) - Y17 ; (Dún\nLaoghaire) - Wicklow ; (Dublin) - Dun\nLaoghaire ; (Cork) - Q30\nRUN 7: 12 - 44\nOR 12 - 45"
    )
    assert [spell(phrase) for phrase in reading.phrases] == [
        "build(label(1 a) piece(start(AB18) Y17) piece(start(AC19) AD22) piece(start(AB18) AC19) piece(start(N32) Q30))",
        "run(7 route(stop(12) stop(44)) route(stop(12) stop(45)))",
    ]


@CASES.rows
@pytest.mark.parametrize("order", ["1a) (Dublin) - Y17", "1a) none", "HOME Dublin", "RUN 7: FASTEST"])
def test_what_follows_an_order_is_not_drawn_into_it(order: str, after: str, read: Read) -> None:
    reading = read(f"{order}\n{after}")
    assert (len(reading.phrases), reading.complaints) == (1, ())


@pytest.mark.parametrize("after", ["Cheers, Ann", "MGW", "(sorry for the delay)", "- Ann"])
def test_a_semicolon_at_its_end_draws_no_prose_into_an_order(after: str, read: Read) -> None:
    reading = read(f"1a) (Dublin) - Y17 ;\n{after}")
    assert (len(reading.phrases), reading.complaints, reading.unread) == (1, (), ((2, after),))


@CASES.rows
def test_in_a_block_what_is_no_part_of_an_order_does_not_spoil_it(after: str, read: Read) -> None:
    reading = read(f"ORDERS\nHOME Dublin\n{after}\nEND")
    assert [(found.line, found.code) for found in reading.complaints] == [(3, "invalid-line")]
    assert len(reading.phrases) == 1


@CASES.rows
@each_frame
def test_a_line_may_be_broken_at_a_word_and_behind_the_form(
    frame: str, text: str, phrase: str, read: Read, spell: Spell
) -> None:
    reading = read(frame.format(text))
    assert [spell(found) for found in reading.phrases] == [phrase]
    assert (reading.complaints, reading.unread) == ((), ())


def test_commands_stand_alone_and_count_once(read: Read) -> None:
    reading = read("pass.\nPASS\nClear orders\nCONFIRM!\nCONFIRM\n\nI pass the salt")
    assert reading.commands == ("PASS", "CLEAR", "CONFIRM")
    assert reading.unread == ((7, "I pass the salt"),)


@CASES.rows
@each_frame
def test_a_command_may_be_said_politely(frame: str, line: str, command: str, read: Read) -> None:
    reading = read(frame.format(line))
    assert (reading.commands, reading.complaints, reading.unread) == ((command,), (), ())


def test_a_command_in_capitals_among_other_words_is_told_to_stand_alone(read: Read) -> None:
    line = "Please CONFIRM what I sent"
    found = (read(line), read(f"ORDERS\n{line}\nEND"))
    assert [reading.commands for reading in found] == [(), ()]
    assert [(each.code, each.params) for reading in found for each in reading.complaints] == [
        ("note-not-alone", (("verb", "CONFIRM"),)),
        ("invalid-not-alone", (("verb", "CONFIRM"),)),
    ]


def test_beside_orders_pass_is_passed_over_and_clear_withdraws_what_was_before(read: Read) -> None:
    reading = read("PASS\n1a) (Dublin) - Y17\nclear everything")
    assert [(found.line, found.code, found.text) for found in reading.complaints] == [
        (1, "note-pass-and-orders", "PASS"),
        (3, "note-clear-and-orders", "clear everything"),
    ]
    assert (len(reading.phrases), reading.commands) == (1, ("PASS", "CLEAR"))
    assert read("HOME\n1a)\nFOR MGW\nPASS").complaints[-1].code == "note-empty"


def test_an_order_may_stand_on_the_line_of_orders(read: Read, spell: Spell) -> None:
    reading = read("ORDERS RR1 1 HOME Dublin\n1a) (Dublin) - Y17\nEND")
    assert [(phrase.line, spell(phrase)) for phrase in reading.phrases] == [
        (1, "home(AB18)"),
        (2, "build(label(1 a) piece(start(AB18) Y17))"),
    ]
    assert (reading.game, reading.turn, reading.marked, reading.complaints) == ("RR1", 1, True, ())


@CASES.rows
def test_what_stands_behind_orders_is_its_first_line(line: str, phrase: str, read: Read, spell: Spell) -> None:
    reading = read(f"{line}\nEND")
    assert ([spell(found) for found in reading.phrases], reading.complaints) == ([phrase], ())


def test_what_is_no_order_behind_orders_is_complained_of(read: Read) -> None:
    reading = read("ORDERS RR7 1 hello there\n1a) (Dublin) - Y17\nEND")
    assert [(found.line, found.code, found.text) for found in reading.complaints] == [
        (1, "invalid-line", "hello there")
    ]
    assert (len(reading.phrases), reading.marked) == (1, True)


@pytest.mark.parametrize(
    "line", ['ORDERS RR7 3" and a line "END".', "Orders for RR7 will follow", "Ordersheet", "Order it"]
)
def test_a_sentence_about_orders_begins_none(line: str, read: Read) -> None:
    reading = read(line)
    assert (reading.marked, reading.complaints, reading.unread) == (False, (), ((1, line),))


def test_of_many_lines_not_read_the_first_are_told_and_the_rest_counted(read: Read) -> None:
    reading = read("and so on\n" * 60)
    assert (len(reading.unread), reading.unread[-1], reading.more_unread) == (20, (20, "and so on"), 40)


@CASES.rows
def test_orders_where_nothing_is_read_are_counted(text: str, quoted: int, read: Read) -> None:
    assert len(read(text).quoted) == quoted


def test_what_looks_like_an_order_in_press_stays_press_but_is_told(read: Read) -> None:
    reading = read("PRESS: Hurrah\nfor us\nRun 7: great\nI pass\n1b) Dublin AA19")
    assert reading.press == "Hurrah\nfor us\nRun 7: great\nI pass"
    assert [(found.line, found.code) for found in reading.complaints] == [
        (3, "note-order-in-text"),
        (4, "note-order-in-text"),
        (5, "invalid-word"),
    ]


def test_press_goes_on_below_a_line_of_it_that_looks_like_an_order_left_open(read: Read) -> None:
    press = "Hurrah\nRun 7: great (\nand so on)"
    assert read(f"ORDERS\nPRESS: {press}\nEND PRESS\nEND").press == press


def test_an_order_of_more_than_two_thousand_characters_is_refused(read: Read) -> None:
    long = "1a) (Dublin)" + " - Y17 -\nX17" * 300
    reading = read(f"{long}\n1b) (Dublin) - Y17")
    assert [(found.code, found.line, found.params) for found in reading.complaints] == [
        ("invalid-long-line", 1, (("most", 2000),))
    ]
    assert len(reading.phrases) == 1


def test_of_more_than_two_hundred_orders_the_first_are_read(read: Read) -> None:
    reading = read("1a) (Dublin) - Y17\n" * 204 + "1a) (Dublin) - Y17 [pay GSW 1]")
    assert len(reading.phrases) == 200
    assert [(found.code, found.line) for found in reading.complaints] == [("invalid-too-many-lines", 201)]


def test_of_orders_with_more_than_forty_thousand_characters_the_first_are_read(read: Read) -> None:
    line = "1a) (Dublin)" + " - Y17" * 300
    reading = read(f"{line}\n" * 23)
    assert len(reading.phrases) == MOST_ORDERED // len(line) == 22
    assert [(found.code, found.line) for found in reading.complaints] == [("invalid-long-orders", 23)]
    assert read(f"{line}\n" * 22).complaints == ()


def test_of_a_letter_with_thousands_of_lines_the_first_are_read(read: Read) -> None:
    reading = read("1a) (Dublin) - Y17\n" + "> quoted\n" * 4000 + "blah\n\n" * 1501)
    assert len(reading.phrases) == 1
    assert [(found.code, found.line) for found in reading.complaints] == [("invalid-long-letter", 3002)]
    assert len(reading.unread) + reading.more_unread == 1501
    assert read("blah\n" * MOST_OWN + "\n").complaints == ()


@pytest.mark.parametrize(
    "text",
    [
        *map(repeated, CASES.listed("HOSTILE")),
        pytest.param("1b)\nnone\n" * 20_000, marks=pytest.mark.testlong),
        pytest.param("RUN 7: 12 - 44\n" + "OR\n12 - 44\n" * 20_000, marks=pytest.mark.testlong),
        pytest.param(("RUN 7: 12 - 44\n" + "OR\n12 - 44\n" * 40) * 200, marks=pytest.mark.testlong),
        pytest.param(("1a) (Dublin)" + " - Y17" * 300 + "\n") * 100, marks=pytest.mark.testlong),
    ],
    ids=lambda text: repr(text[:30]),
)
def test_a_hostile_letter_is_read_to_its_end(text: str, read: Read) -> None:
    """Each of these once took minutes, or would with a careless pattern; a run that hangs is the failure."""
    assert read(text)


@QUICK
@given(text=st.text())
def test_any_text_is_read(text: str, read: Read) -> None:
    read(text)


def test_of_a_newsletter_in_a_block_only_some_faults_are_told_and_orders_below_are_read(read: Read) -> None:
    reading = read("ORDERS\n" + "pudding for tea\n\n" * 150 + "1a) (Dublin) - Y17\nEND")
    codes = [complaint.code for complaint in reading.complaints]
    assert codes == ["invalid-line"] * (MOST_FAULTS - 1) + ["invalid-more-faults"]
    assert [phrase.line for phrase in reading.phrases] == [302]


def test_a_hundred_remarks_hide_no_fault(read: Read) -> None:
    lost = "PRESS: a\n" + "I pass.\n" * 150 + "END PRESS\n"
    trial = "WHATIF\n" + "pudding for tea\n\n" * 150 + "END\n"
    reading = read(f"{trial}ORDERS\nNONSENSE\n{lost}\nNONSENSE\nEND")
    codes = [each.code for each in reading.complaints]
    assert (codes.count("invalid-line"), codes.count("note-more-faults")) == (2, 1)


@pytest.mark.parametrize("texts", [6, 1])
def test_all_texts_of_a_letter_share_its_look_ups(
    texts: int, order_language: OrderLanguage, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    nearest = Lexicon.nearest

    def counted(lexicon: Lexicon, text: str, *more: Any) -> tuple[str, ...]:
        looked_up.append(text)
        return nearest(lexicon, text, *more)

    monkeypatch.setattr(Lexicon, "nearest", counted)
    readings = Readings()
    for number in range(texts):
        slips = "".join(f"1a) (Dubln{number}x{line}) - Cokr{number}x{line}\nBIULD{line % 7}\n" for line in range(150))
        assert readings.of(f"ORDERS\n{slips}END", order_language).complaints
    assert len(looked_up) <= LOOK_UPS + VERB_LOOK_UPS


JUMBLE = """
IF|NOT|RUNS|MAX|FASTEST|JUMP|FOR|
|ORDERS|END|RR7|1a)|BUILD|1|7|:|(|)|-|;|Dublin|Dubln|Y17|Z99|GSW|[|]|OR|WITH|RUN|JOINT|HOME|PASS|PRESS:|NOTE:|> |-- |on|via|12
|44|[+6]|,|/|.|none|АЕ5|Dún|Laoghaire|->|On 2 Dec wrote:|hello|_____|\t|ﬁ|İ|ß|²|½"""
PIECES = st.sampled_from([*JUMBLE.replace("\n", "").split("|"), "\n", "\n\n"])


@QUICK
@given(pieces=st.lists(PIECES, max_size=60), space=st.sampled_from(["", " "]))
def test_any_jumble_of_the_language_is_read(pieces: list[str], space: str, read: Read) -> None:
    reading = read(space.join(pieces))
    lines = space.join(pieces).count("\n") + 1
    assert all(0 <= complaint.line <= lines for complaint in reading.complaints)
    assert all(1 <= phrase.line <= lines for phrase in reading.phrases)


NAMED = st.sampled_from(["Dublin", "Dún Laoghaire", "Larne", "Cork", "Derry", "Portlaoise", "AE5", "Y17", "A30", "N32"])


@QUICK
@given(
    turn=st.integers(1, 12),
    letter=st.sampled_from("abc"),
    pieces=st.lists(st.lists(NAMED, min_size=2, max_size=6), min_size=1, max_size=5),
)
def test_a_canonical_build_line_is_read_back(
    turn: int, letter: str, pieces: list[list[str]], read: Read, terms: Terms
) -> None:
    line = f"{turn}{letter}) " + " ; ".join(f"({piece[0]}) - " + " - ".join(piece[1:]) for piece in pieces)
    reading = read(line)
    value = {term.name: term.value for term in terms}
    assert reading.complaints == ()
    assert [_places(piece) for piece in reading.phrases[0].parts[1:]] == [
        [value[name] for name in piece] for piece in pieces
    ]


def _places(part: Phrase | Word) -> list[str]:
    if isinstance(part, Word):
        return [part.value]
    return [value for child in part.parts for value in _places(child)]


@CASES.rows
def test_an_order_language_that_cannot_be_read_is_the_umpires_to_mend(common: str, verbs: str, grammar: str) -> None:
    with pytest.raises(ConfigError, match="order language"):
        OrderLanguage.of(common=common, verbs=verbs, grammar=grammar)


def test_a_game_may_know_no_names(order_language: OrderLanguage) -> None:
    assert [
        found.code for found in read_text("HOME: Dublin\n1a) (Dublin) - Y17", order_language.naming(())).complaints
    ] == [
        "invalid-place",
        "invalid-place",
        "invalid-hex",
    ]


@CASES.rows
def test_salt_is_read_in_the_block_else_outside_and_never_taken_from_prose(text: str, salt: str, read: Read) -> None:
    assert read(text).salt == salt


def test_what_is_said_to_us_below_a_signature_is_named(read: Read) -> None:
    """It is not read, and must not vanish; a name, an address and what is quoted there are no loss."""
    signature = (
        "-- \nAnn, Railway Press\nTel. 1234\nNOTE: away on Friday\nCONFIRM\nSALT pepper\nSTATUS?\nDublin calling"
    )
    reading = read(f"PASS\n{signature}\n> NOTE: quoted\nNOTE: below the quotation")
    assert reading.below == ((5, "NOTE: away on Friday"), (6, "CONFIRM"), (7, "SALT pepper"), (8, "STATUS?"))
    assert (reading.note, reading.salt, reading.commands) == ("", "", ("PASS",))
    assert read("PASS\nSent from my phone\nPRESS: hello").below == ((3, "PRESS: hello"),)
    assert read("PASS\nOn 3 December 2026 Bob wrote:\n-- \nNOTE: his").below == ()


@CASES.rows
def test_a_text_that_a_quotation_breaks_off_is_told(text: str, line: int, read: Read) -> None:
    complaints = [(each.code, each.line) for each in read(text).complaints]
    assert complaints == [("warning-cut-text", line)]


@CASES.rows
def test_a_text_that_is_over_before_a_quotation_is_whole(after: str, read: Read) -> None:
    assert [each.code for each in read(f"PRESS: hello\n\n> quoted\n\n{after}").complaints] == []
