"""Names, labels and hands: how people write what an order speaks of."""

from collections.abc import Callable
from typing import Any

import pytest

from referee.core import Phrase, Term, fold
from referee.orderbook.hands import MOST_ON_A_LINE, MOST_TRIED
from referee.orderbook.language import LONGEST_LINE
from referee.orderbook.names import Lexicon, Slips
from referee.orderbook.parse import parse_order
from tests.orderbook.conftest import Read, Reads
from tests.tables import Tables

CASES = Tables(__file__)

# Ways in which two builds are written: read, or asked about; never passed over.


Spell = Callable[[Phrase], str]

LABELS = {
    # written: the two builds are read as
    "label": """1(a)|1(b) 1.a)|1.b) #1a|#1b R1a)|R1b) la)|lb) 1_a)|1_b) 1-a)|1-b) 1a:|1b: 1a.|1b. 1a_-|1b_- [1a]|[1b] (1a)|(1b)
        1A)|1B)
        Roll_1a|Roll_1b 1/a|1/b *1a)*|*1b)* **1a)**|**1b)** -_1a)|-_1b) •_1a)|•_1b) 🚂_1a)|🚂_1b) ➢_1a)|➢_1b) 1️⃣_a)|1️⃣_b) 1a)|1b)
        1a|1b 1a_=|1b_= 1a).|1b). No._1a|No._1b §_1a)|§_1b) "1a"|"1b" １ａ）|１ｂ）""",
    "roll": """a.|b. (a)|(b) 1st:|2nd: Wurf_a)|Wurf_b) roll_a:|roll_b: a:|b: a)|b) i)|ii) first_roll:|second_roll:
        1._Wurf:|2._Wurf:
        erster:|zweiter: 1.)|2.) premier_jet_:|deuxième_jet_: 1ère_:|2ème_: eerste:|tweede: Build_1:|Build_2:""",
}
WAYS = [
    (how, *pair.replace("_", " ").split("|")) for how, pairs in LABELS.items() for pair in pairs.split() if "|" in pair
]
READ = {
    "a table of Markdown": "| Roll | Route |\n|------|-------|\n| 1a) | (Belfast) - AC7 |\n| 1b) | (AC7) - AB7 |",
    "arrows": "1a) Belfast → AC7\n1b) AC7 ➡️ AB7",
    "other arrows": "1a) Belfast => AC7\n1b) AC7 à AB7",
    "dashes": "1a) (Belfast) ⸺ AC7\n1b) AC7 ~ AB7",
    "dots": "1a) Belfast … AC7\n1b) AC7 · AB7",
    "blanks within a hex": "1a)\u00a0(Belfast) -\u00a0A\u00a0C\u00a07\n1b)\u2007(A\u200bC\u20607) - A\u2800B7",
    "a company before each": "GSW 1a) (Belfast) - AC7\nGSW: 1b) (AC7) - AB7",
}
ASKED = {
    "below a line of a signature": "--\n1a) (Belfast) - AC7\n1b) (AC7) - AB7",
    "behind a mark of quotation": "> 1a) (Belfast) - AC7\n> 1b) (AC7) - AB7",
    "bare routes": "Belfast - AC7\nAC7 - AB7",
    "prose": "I would like to build from Belfast to AC7 and then from AC7 to AB7.",
}
FIRST, SECOND = "piece(start(AD7) AC7)", "piece(start(AC7) AB7)"
HEADS = {"label": ("label(1 a)", "label(1 b)"), "roll": ("roll(1)", "roll(2)")}


def test_there_are_as_many_as_were_counted() -> None:
    assert len(WAYS) + len(READ) + len(ASKED) >= 45


@pytest.mark.parametrize(("how", "first", "second"), WAYS, ids=[first for _, first, _ in WAYS])
def test_two_builds_under_such_labels_are_read(how: str, first: str, second: str, reads: Reads, spell: Spell) -> None:
    reading = reads["dampfross"](f"HOME Belfast\n{first} (Belfast) - AC7\n{second} (AC7) - AB7\n")
    heads = HEADS[how]
    assert [spell(phrase) for phrase in reading.phrases] == [
        "home(AD7)",
        f"build({heads[0]} {FIRST})",
        f"build({heads[1]} {SECOND})",
    ]
    assert (reading.complaints, reading.asked, reading.unread) == ((), (), ())


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_two_builds_written_so_are_read(text: str, reads: Reads, spell: Spell) -> None:
    reading = reads["dampfross"](f"HOME Belfast\n{text}\n")
    built = [spell(phrase) for phrase in reading.phrases if phrase.rule == "build"]
    assert built == [f"build(label(1 a) {FIRST})", f"build(label(1 b) {SECOND})"]
    assert (reading.complaints, reading.asked) == ((), ())


@pytest.mark.parametrize("text", ASKED.values(), ids=ASKED)
def test_two_builds_written_so_are_asked_about(text: str, reads: Reads) -> None:
    reading = reads["dampfross"](f"HOME Belfast\n{text}\n")
    assert len(reading.phrases) == 1
    assert [each.text for each in reading.asked] == [line.lstrip("> ") for line in text.splitlines() if line != "--"]


@CASES.rows
def test_a_home_is_named_in_each_language(text: str, phrase: str, reads: Reads, spell: Spell) -> None:
    assert [spell(each) for each in reads["dampfross"](text).phrases] == [phrase]


@CASES.rows
def test_builds_of_volldampf_under_such_labels_are_read(label: str, reads: Reads, spell: Spell) -> None:
    rest = "Hamburg-Hannover |" if label.startswith("|") else "Hamburg-Hannover"
    reading = reads["volldampf"](f"{label} {rest}")
    assert [spell(phrase) for phrase in reading.phrases] == [
        spell(*reads["volldampf"]("BUILD 1: Hamburg-Hannover").phrases)
    ]
    assert (reading.complaints, reading.asked, reading.unread) == ((), (), ())


@CASES.rows
def test_what_may_be_an_order_of_volldampf_is_asked_about(text: str, reads: Reads) -> None:
    reading = reads["volldampf"](f"BONDS 3\n\n{text}\n")
    assert [each.line for each in (*reading.asked, *reading.complaints)] == [3]


@pytest.mark.parametrize(("game", "order"), [("dampfross", "1a) (Belfast) - AC7"), ("volldampf", "BONDS 4")])
@CASES.rows
def test_a_smile_behind_an_order_is_nothing_to_it(
    game: str, order: str, smile: str, reads: Reads, spell: Spell
) -> None:
    reading, plain = (reads[game](text) for text in (f"{order}{smile}\n", order))
    assert (reading.complaints, reading.asked, reading.unread) == ((), (), ())
    assert [*map(spell, reading.phrases)] == [*map(spell, plain.phrases)]


@pytest.mark.parametrize("arrow", "àèðÀÈÐ")
def test_an_arrow_of_outlooks_is_a_dash(arrow: str, reads: Reads, spell: Spell) -> None:
    (phrase,) = reads["dampfross"](f"1a) (Belfast) {arrow} AC7").phrases
    assert spell(phrase) == f"build({HEADS['label'][0]} {FIRST})"


BESIDE = {
    "BONDS 3": """No, BONDS 4|PS: BONDS 4|also LIMIT 9|# BONDS 4|not BONDS 3|instead of BONDS 3: BONDS 4|my ranking: 3, 4
        I take 4 bonds|nein, ANLEIHEN 4|statt ANLEIHEN 3: ANLEIHEN 4|Ich nehme 4 Anleihen
        meine Rangfolge: 3, 4|Ich biete 9|Mein Gebot: 9
        non, EMPRUNTS 4|au lieu de EMPRUNTS 3: EMPRUNTS 4|je prends 4 emprunts|mon classement : 3, 4|ma mise : 9
        nee, LENINGEN 4|in plaats van LENINGEN 3: LENINGEN 4|ik neem 4 leningen|mijn volgorde: 3, 4|Ik bied 9
        ¦ BONDS 4|¦ no, BONDS 4""",
    "HOME Belfast": """No, HOME Dublin|instead of HOME Belfast: HOME Dublin|RENN 1: Belfast|AC7, AB7|Belfast > AC7|RITT 1: Belfast
        nein, HEIMAT Dublin|statt HEIMAT Belfast: HEIMAT Dublin|non, GARE D'ATTACHE Dublin|nee, THUIS Dublin|¦ 1a) (Belfast) - AC7
        au lieu de GARE D'ATTACHE Belfast: GARE D'ATTACHE Dublin|in plaats van THUIS Belfast: THUIS Dublin
        ¦ 1a) (Belfast) - AC7 ¦""",
}


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (order, text.strip())
        for order, texts in BESIDE.items()
        for line in texts.splitlines()
        for text in line.split("|")
    ],
)
def test_what_may_be_an_order_beside_one_is_asked_about(order: str, text: str, reads: Reads) -> None:
    line = text.replace("¦", "|")
    reading = reads["dampfross" if "HOME" in order else "volldampf"](f"{order}\n{line}\n")
    assert (len(reading.phrases), [each.line for each in reading.asked]) == (1, [0 if line.startswith("|") else 2])


PAD = "and what a wonderful game this is, dear umpire, with all its trains and its letters "


@pytest.mark.parametrize(
    "text",
    [
        "Hello again\n" * 1000 + "No, BONDS 4",
        PAD * 9 + "No, BONDS 4",
        "x" * 295 + ";BONDS 4",
        (PAD * 200 + "\n") * 60,
    ],
    ids=["lines", "characters", "without a blank", "too much to be looked at"],
)
def test_no_padding_hides_what_may_be_an_order(text: str, reads: Reads) -> None:
    reading = reads["volldampf"](f"BONDS 3\n\n{text}\n")
    assert (len(reading.phrases), bool(reading.asked)) == (1, True)


@CASES.rows
def test_prose_beside_orders_stays_harmless(text: str, reads: Reads) -> None:
    for game, order in (("dampfross", "HOME Belfast"), ("volldampf", "BONDS 3")):
        reading = reads[game](f"{order}\n\n{text}\n")
        assert (len(reading.phrases), reading.asked, reading.complaints) == (1, (), ())


@CASES.rows
def test_the_question_shows_how_the_line_would_be_written(game: str, text: str, hint: str, reads: Reads) -> None:
    assert [each.hint for each in reads[game](text).asked] == [hint]


# Orders as people write them by hand: one line at a time, and what stays prose.


DUBLIN = "piece(start(AB18) Y17)"


@CASES.rows
def test_what_hands_write_is_read(text: str, phrases: list[str], read: Read, spell: Spell) -> None:
    reading = read(text)
    assert [spell(phrase).replace("does_not", "NOT") for phrase in reading.phrases] == phrases
    assert [found.code for found in reading.complaints if found.is_error] == []
    assert reading.commands == (() if phrases else ("PASS",))


@CASES.rows
def test_a_payment_noted_beside_orders_is_said_to_book_nothing(
    text: str, told: list[list[str | int]], read: Read
) -> None:
    """Once a letter, and the set stays clean; sums that a player notes in private ask for nothing."""
    found = read(text).complaints
    assert [[each.code, each.line, each.text] for each in found] == told
    assert not any(each.is_error for each in found)


@CASES.rows
def test_prose_stays_prose(text: str, read: Read) -> None:
    reading = read(text)
    assert (reading.phrases, reading.complaints, [line for _, line in reading.unread]) == ((), (), [text])


@CASES.rows
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


@CASES.rows
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


# Names as people type them.


NAMES = (
    "Nischny-Nowgorod",
    "Nischny-Tagil",
    "Dún Laoghaire",
    "King's Lynn",
    "München",
    "Fürth",
    "St. Pölten",
    "Straßburg",
    "Y17",
)
LEXICON = Lexicon(Term(kind="PLACE", name=name, value=name) for name in (*NAMES, "Enns", "Ennis", "Q12", "Q1", "E41"))


@CASES.rows
def test_the_longest_name_is_found_however_it_is_typed(typed: str, name: str) -> None:
    end, terms = LEXICON.longest(typed, 0)
    assert [term.value for term in terms] == [name]
    assert fold(typed[:end]) in (fold(name), fold(typed[:end]))


@CASES.rows
def test_a_part_of_a_name_or_of_a_word_is_none(typed: str) -> None:
    assert LEXICON.longest(typed, 0) == (0, ())


def test_zeros_before_a_hexs_number_do_not_count() -> None:
    assert [term.value for term in LEXICON.exactly("E041")] == ["E41"]


def test_what_was_meant_is_looked_for_among_names_of_its_sort() -> None:
    slips = Slips(LEXICON)
    assert slips.hint("Nischni Nowgrod", frozenset({"PLACE"})) == "Nischny-Nowgorod"
    assert slips.hint("Y71", frozenset({"PLACE"})) == "Y17"
    assert slips.hint("Nischny-Nowgrod", frozenset({"COMPANY"})) == ""
    assert slips.is_slip("Muncen")
    assert not slips.is_slip("Hello")


def test_a_letter_full_of_slips_gets_only_so_many_suggestions() -> None:
    slips = Slips(LEXICON)
    for number in range(200):
        slips.hint(f"Nowhere {number}", frozenset())
    assert slips.hint("Muncen", frozenset()) == ""
