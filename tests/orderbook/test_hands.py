"""Orders as people write them by hand: one line at a time, and what stays prose."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.core.orders import Phrase
from referee.orderbook import Reading

Read = Callable[[str], Reading]
Spell = Callable[[Phrase], str]
DUBLIN = "piece(start(AB18) Y17)"


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("3a): (Dublin) - Y17", [f"build(label(3 a) {DUBLIN})"]),
        ("3a/ (Dublin) - Y17", [f"build(label(3 a) {DUBLIN})"]),
        (
            "3a) none\nb) (Dublin) - Y17\nC: none",
            ["build(label(3 a))", f"build(label(3 b) {DUBLIN})", "build(label(3 c))"],
        ),
        ("a) (Dublin) - Y17\nb) none", [f"build(roll(1) {DUBLIN})", "build(roll(2))"]),
        ("2nd roll: (Dublin) - Y17", [f"build(roll(2) {DUBLIN})"]),
        ("Round 7 build: (Dublin) - Y17", [f"build(label(7) {DUBLIN})"]),
        ("7) (Dublin) - Y17 [pay GSW 1] (+6)", [f"build(label(7) {DUBLIN})"]),
        ("(Dublin) - Y17. (Cork) - Bantry", [f"build({DUBLIN} piece(start(N32) G34))"]),
        ("Race 4: enter", ["run(4 aim(FASTEST))"]),
        ("Enter races 1, 3, and 5", ["run(1 aim(FASTEST))", "run(3 aim(FASTEST))", "run(5 aim(FASTEST))"]),
        ("Races 1 & 3: own track", ["run(1 aim(OWN))", "run(3 aim(OWN))"]),
        ("RUN 4 over own track OR FASTEST", ["run(4 aim(OWN) aim(FASTEST))"]),
        ("RUN 9 IF GSW DOES NOT RUN 8: FASTEST", ["run(9 condition(GSW negated(NOT) 8) aim(FASTEST))"]),
        ("1. PASS", []),
    ],
)
def test_what_hands_write_is_read(text: str, phrases: list[str], read: Read, spell: Spell) -> None:
    reading = read(text)
    assert [spell(phrase).replace("does_not", "NOT") for phrase in reading.phrases] == phrases
    assert [found.code for found in reading.complaints if found.is_error] == []
    assert reading.commands == (() if phrases else ("PASS",))


@pytest.mark.parametrize(
    "text",
    [
        "Races 1 and 3 were great.",
        "b) was the better idea",
        "1. See you at the convention",
        "(Dublin) - what a town",
        "The run 7 and run 8 were great",
        "Round 7 build was a joy",
    ],
)
def test_prose_stays_prose(text: str, read: Read) -> None:
    reading = read(text)
    assert (reading.phrases, reading.complaints, [line for _, line in reading.unread]) == ((), (), [text])


@pytest.mark.parametrize("text", ["1a is the roll I like", "Run 7: that was great", "1c) same as last time"])
def test_a_label_that_is_not_understood_is_a_complaint(text: str, read: Read) -> None:
    reading = read(text)
    assert (reading.phrases, [found.code for found in reading.complaints]) == ((), ["invalid-word"])


def test_press_keeps_the_words_of_its_writer(read: Read) -> None:
    reading = read("PRESS: As I said\n2b or not 2b\n1. see you\n3d prints for all")
    assert reading.press == "As I said\n2b or not 2b\n1. see you\n3d prints for all"


def test_a_line_in_brackets_below_an_order_that_waits_for_more_is_its_rest(read: Read, spell: Spell) -> None:
    reading = read("RUN 7: Cork - Dundalk\n(AA13) - Dublin\n1a) (Dublin) - Y17 ;\n(Cork) - Bantry")
    assert [spell(phrase) for phrase in reading.phrases] == [
        "run(7 route(stop(N32) stop(AA13) stop(AB18)))",
        f"build(label(1 a) {DUBLIN} piece(start(N32) G34))",
    ]


def test_words_that_ask_to_keep_the_rest_make_a_set_that_is_not_clean(read: Read) -> None:
    reading = read("Only change the last one, rest as before:\n1c) (Dublin) - Y17")
    assert [(found.code, found.line) for found in reading.complaints] == [("invalid-amendment", 1)]
    assert len(reading.phrases) == 1
