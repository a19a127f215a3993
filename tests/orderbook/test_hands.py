"""Orders as people write them by hand: one line at a time, and what stays prose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.core.orders import Phrase
from referee.orderbook import Reading
from referee.orderbook.hands import MOST_ON_A_LINE, MOST_TRIED
from referee.orderbook.language.language import LONGEST_LINE
from referee.orderbook.language.parse import parse_order

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
        ("7) (Dublin) - Y17 (pay GSW 1)", [f"build(label(7) {DUBLIN})"]),
        ("7) (Dublin) (pay 1 to GSW) - Y17 [pays 2 GSW]", [f"build(label(7) {DUBLIN})"]),
        ("a) none b) (Dublin) - Y17", ["build(roll(1))", f"build(roll(2) {DUBLIN})"]),
        (
            "2a) none\n3a) (Dublin) - Y17 b) none c) (Dublin) - Y17",
            ["build(label(2 a))", f"build(label(3 a) {DUBLIN})", "build(label(3 b))", f"build(label(3 c) {DUBLIN})"],
        ),
        ("1a (Dublin) - Y17, 1b (Dublin) - Y17", [f"build(label(1 a) {DUBLIN})", f"build(label(1 b) {DUBLIN})"]),
        ("41. Cork - Dundalk", ["run(41 route(stop(N32) stop(AA13)))"]),
        ("46: Cork - AA13 via GSW [+20]", ["run(46 route(stop(N32) stop(AA13 GSW)))"]),
        ("Start: Dublin, else Cork", ["home(AB18 N32)"]),
        ("Race 4: enter", ["run(4 aim(FASTEST))"]),
        ("Enter races 1, 3, and 5", ["run(1 aim(FASTEST))", "run(3 aim(FASTEST))", "run(5 aim(FASTEST))"]),
        ("R4 FASTEST", ["run(4 aim(FASTEST))"]),
        ("R4 cheapest", ["run(4 aim(CHEAPEST))"]),
        ("R 4: le plus rapide", ["run(4 aim(FASTEST))"]),
        ("Races 1 & 3: own track", ["run(1 aim(OWN))", "run(3 aim(OWN))"]),
        ("1. Wurf: (Dublin) - Y17", [f"build(roll(1) {DUBLIN})"]),
        ("Zweiter Wurf: (Dublin) - Y17", [f"build(roll(2) {DUBLIN})"]),
        ("Wurf 3: (Dublin) - Y17", [f"build(roll(3) {DUBLIN})"]),
        ("1er jet : (Dublin) - Y17", [f"build(roll(1) {DUBLIN})"]),
        ("2ème jet : (Dublin) - Y17", [f"build(roll(2) {DUBLIN})"]),
        ("Troisième jet : (Dublin) - Y17", [f"build(roll(3) {DUBLIN})"]),
        ("1e worp: (Dublin) - Y17", [f"build(roll(1) {DUBLIN})"]),
        ("Tweede worp: (Dublin) - Y17", [f"build(roll(2) {DUBLIN})"]),
        ("3a) von Dublin nach Y17", [f"build(label(3 a) {DUBLIN})"]),
        ("7) von Dublin nach Y17", [f"build(label(7) {DUBLIN})"]),
        ("Fahrt 41: von Cork nach Dundalk", ["run(41 route(stop(N32) stop(AA13)))"]),
        ("Rit 41 van Cork naar Dundalk", ["run(41 route(stop(N32) stop(AA13)))"]),
        ("Runde 7, Bau: (Dublin) - Y17", [f"build(label(7) {DUBLIN})"]),
        ("Manche 7, construction : (Dublin) - Y17", [f"build(label(7) {DUBLIN})"]),
        ("Bouw voor ronde 7: (Dublin) - Y17", [f"build(label(7) {DUBLIN})"]),
        ("Fahrten 1, 3 und 5", ["run(1 aim(FASTEST))", "run(3 aim(FASTEST))", "run(5 aim(FASTEST))"]),
        ("Courses 1 et 3 : voie propre", ["run(1 aim(OWN))", "run(3 aim(OWN))"]),
        ("Ritten 1 en 3: eigen spoor", ["run(1 aim(OWN))", "run(3 aim(OWN))"]),
        ("Fahrt 4: teilnehmen", ["run(4 aim(FASTEST))"]),
        ("Course 4 : je participe", ["run(4 aim(FASTEST))"]),
        ("Rit 4: meedoen", ["run(4 aim(FASTEST))"]),
        ("R4 nur eigene Strecke", ["run(4 aim(OWN))"]),
        ("Startstadt: Dublin, sonst Cork", ["home(AB18 N32)"]),
        ("Départ : Dublin ou Cork", ["home(AB18 N32)"]),
        ("Startstad: Dublin of Cork", ["home(AB18 N32)"]),
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
    ("text", "told"),
    [
        ("7) (Dublin) - Y17 [pay GSW 1]\n8) (Dublin) - Y17 (pays 2 to MGW)", [("note-payment", 1, "[pay GSW 1]")]),
        ("RUN 41: Cork - Dundalk (pay 1 to GSW)", [("note-payment", 1, "(pay 1 to GSW)")]),
        ("7) (Dublin) - Y17 (+6) [-1 GSW]", []),
        ("Thanks! [pay GSW 1]", []),
    ],
)
def test_a_payment_noted_beside_orders_is_said_to_book_nothing(
    text: str, told: list[tuple[str, int, str]], read: Read
) -> None:
    """Once a letter, and the set stays clean; sums that a player notes for himself ask for nothing."""
    found = read(text).complaints
    assert [(each.code, each.line, each.text) for each in found] == told
    assert not any(each.is_error for each in found)


@pytest.mark.parametrize(
    "text",
    [
        "Races 1 and 3 were great.",
        "1. Cork is mine after all",
        "2. See you in Dublin - perhaps",
        "12: 30 is when we meet",
        "b) was the better idea",
        "1. See you at the convention",
        "(Dublin) - what a town",
        "The run 7 and run 8 were great",
        "Round 7 build was a joy",
        "Die 1. Fahrt war großartig.",
        "1. Wurf war besser als der zweite",
        "Fahrten 1 und 3 waren großartig.",
        "Fahrt 4 war großartig",
        "Courses 1 et 3 étaient superbes.",
        "Ritten 1 en 3 waren geweldig.",
        "Runde 7, Bau war eine Freude",
        "Départ : demain matin",
        "3 van de 4 waren van mij",
    ],
)
def test_prose_stays_prose(text: str, read: Read) -> None:
    reading = read(text)
    assert (reading.phrases, reading.complaints, [line for _, line in reading.unread]) == ((), (), [text])


@pytest.mark.parametrize(
    "text", ["Yes, confirm please.", "yes - I confirm", "OK, confirm!", "Yes please, confirm them", "I confirm it."]
)
def test_whoever_says_yes_confirms(text: str, read: Read) -> None:
    assert read(text).commands == ("CONFIRM",)


@pytest.mark.parametrize("text", ["Yes.", "Yes, clear.", "OK, pass it on", "Can you confirm the date?"])
def test_a_yes_alone_commands_nothing(text: str, read: Read) -> None:
    reading = read(text)
    assert (reading.commands, [line for _, line in reading.unread]) == ((), [text])


@pytest.mark.parametrize("text", ["1a is the roll I like", "Run 7: that was great", "1c) same as 1b, further"])
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


@pytest.mark.parametrize(
    ("text", "count", "amends", "keeps"),
    [
        ("Only change the last one, rest as before:\n1c) (Dublin) - Y17", 1, 1, []),
        ("Only change the last one, rest as before: 1c) (Dublin) - Y17", 1, 1, []),
        ("1c) (Dublin) - Y17 and the rest unchanged.", 1, 1, []),
        ("ORDERS RR7 3\nkeep the rest\n1c) (Dublin) - Y17\nEND", 1, 1, []),
        ("1a) none; 1b) as before; 1c) none", 2, 0, ["1b)"]),
        ("3a) none\nb) same as last time, please", 1, 0, ["3b)"]),
        ("Race 7 as before\nHOME stays", 0, 0, ["Race 7", "HOME"]),
        ("See you! Keep the rest.", 0, 1, []),
    ],
)
def test_words_that_keep_what_is_on_file_are_found(
    text: str, count: int, amends: int, keeps: list[str], read: Read
) -> None:
    """Until it is known what is on file they make a set faulty."""
    reading = read(text)
    assert (len(reading.phrases), len(reading.amends), [label for _, label in reading.keeps]) == (count, amends, keeps)
    asked = ["invalid-amendment"] * bool(count and amends) + ["invalid-kept"] * len(keeps)
    assert [found.code for found in reading.complaints] == asked
    assert reading.unread == ()


@pytest.mark.parametrize("text", ["PRESS: keep the rest\n1c) as before", "WHATIF\n1a) none\nEND\n\n1c) as beforehand"])
def test_in_press_and_in_other_words_they_are_none(text: str, read: Read) -> None:
    reading = read(text)
    assert (reading.amends, reading.keeps) == ((), ())


@pytest.mark.parametrize("line", ["1a) (Dubln) - Y17 ", "RUN 7 Dubln - Corkk OR "])
def test_a_letter_full_of_orders_behind_each_other_is_tried_within_bounds(
    line: str, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each place where an order may begin is tried to the end of its line: of 200 kB that would take half a minute."""
    tried = 0

    def counted(text: str, *more: Any) -> Any:
        nonlocal tried
        tried += len(text)
        return parse_order(text, *more)

    monkeypatch.setattr("referee.orderbook.hands.parse_order", counted)
    long = (line * 200)[:LONGEST_LINE].rstrip()
    read("\n".join(("ORDERS", *(100 * [long]), "END")))
    assert MOST_TRIED < tried <= MOST_TRIED + MOST_ON_A_LINE * LONGEST_LINE


def test_what_is_only_asked_about_is_reckoned_alone(read: Read) -> None:
    reading = read("WHATIF\n1c) none\nrest as before\nEND")
    assert reading.amends == ()
    assert [(found.code, found.line) for found in reading.trials[0].complaints] == [("note-trial-alone", 3)]
