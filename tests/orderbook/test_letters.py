"""Letters as mail programs and people write them: what is read of each."""

import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from referee.core import Complaint, Phrase
from referee.mail.letter.message import read_letter
from referee.orderbook import OrderLanguage, Reading, Readings, lift_form, mark_returned, sent_lines
from referee.orderbook.letter import part_lines
from referee.orderbook.returned import QUOTED
from referee.resources import order_texts
from tests.orderbook.conftest import Read, Reads
from tests.tables import Tables

Marks = Callable[[str], list[str]]

CASES = Tables(__file__)


# Which lines of a letter are the player's own.


def _own(text: str) -> list[str]:
    return [line.text for line in part_lines(text)[0] if line.text]


@CASES.rows
def test_what_follows_an_unquoted_original_or_a_signature_is_not_the_writers(attribution: str) -> None:
    assert _own(f"PASS\n\n{attribution}\n\n1a) (Cork) - Bantry\n") == ["PASS"]


def test_an_attribution_above_a_quotation_is_all_that_goes_with_it() -> None:
    text = "On 2 Dec 2026, Referee wrote:\n\n> rolls 5, 4, 7\nThanks!\n| and this\n1a) (Dublin) - Y17\n"
    assert _own(text) == ["Thanks!", "1a) (Dublin) - Y17"]


@CASES.rows
def test_what_only_looks_like_an_attribution_is_the_writers(line: str) -> None:
    assert _own(f"{line}\nPASS") == [line, "PASS"]


@CASES.rows
def test_quotations_and_press_as_the_newsletter_prints_it_are_not_the_writers(quote: str) -> None:
    own, left, *_ = part_lines(f"yes\n{quote}1a) (Dublin) - Y17\n")
    assert ([line.text for line in own], left) == (["yes", ""], ("1a) (Dublin) - Y17",))


def test_what_stands_below_the_end_of_a_letter_is_left() -> None:
    assert part_lines("yes\n-- \nAnn\n> 1b)")[1] == ("--", "Ann", "1b)")


def test_lines_count_from_one_without_what_is_quoted() -> None:
    lines, left, *_ = part_lines("> quoted\r\nfirst\r\n\r\n | > quoted too\r\nsecond")
    assert left == ("quoted", "quoted too")
    assert [(line.number, line.text, line.after_cut) for line in lines] == [
        (1, "first", True),
        (2, "", False),
        (3, "second", True),
    ]


def test_letters_that_hide_or_break_lines_do_neither() -> None:
    assert _own("1a)\u00a0(Dub\u200blin)\u2028- Y17\x0b; \ufeff(Cork)") == ["1a) (Dublin) - Y17 ; (Cork)"]


def test_a_text_that_is_asked_about_again_is_gone_through_once() -> None:
    text = "PASS\n\n> rolls 5, 4, 7\n"
    assert part_lines(text) is part_lines(text)


# Order letters as mail programs write them: ``orders/letters/*.eml`` and what each must be read as.


LETTERS = sorted((Path(__file__).parents[2] / "orders/letters").glob("*.eml"))
GAMES = ("dampfross", "volldampf")
OF_A_NAME = tuple(f"invalid-{name}" for name in ("hex", "place", "company", "letters", "track", "cube", "player"))


def _spelt(complaint: Complaint) -> str:
    """``4 invalid-hex Z99 -> Z9``; the text only where it is a name, not a whole line."""
    text = f" {complaint.text}" if complaint.code in OF_A_NAME else ""
    hint = f" -> {complaint.hint}" if complaint.hint else ""
    return f"{complaint.line} {complaint.code}{text}{hint}"


@pytest.mark.parametrize("file", LETTERS, ids=lambda file: file.stem)
def test_a_letter_is_read_as_its_expectation_says(file: Path, reads: Reads, spell: Callable[[Phrase], str]) -> None:
    expected = _expected(file)
    for key in ("about", "stage", "orders", "refused"):
        expected.pop(key, None)
    reading = reads[expected.pop("language", GAMES[0])](read_letter(file.read_bytes()).text)
    assert {
        "phrases": [f"{phrase.line} {spell(phrase)}" for phrase in reading.phrases],
        "complaints": [_spelt(complaint) for complaint in reading.complaints],
        "unread": [f"{line} {text}" for line, text in reading.unread],
        "asked": [f"{each.line} {each.code}" for each in reading.asked],
        "commands": list(reading.commands),
        "press": reading.press,
        "note": reading.note,
        "game": reading.game,
        "turn": reading.turn,
        "marked": reading.marked,
        "salt": reading.salt,
        "quoted": len(reading.quoted),
        "amends": [f"{line} {text}" for line, text in reading.amends],
        "keeps": [f"{line} {label}" for line, label in reading.keeps],
        "questions": [f"{each.verb} {each.value}".strip() for each in reading.questions],
        "trials": [f"{phrase.line} {spell(phrase)}" for trial in reading.trials for phrase in trial.phrases],
        "private": [[*each.to, each.text] for each in reading.private],
        "unsigned": reading.unsigned,
    } == {
        "asked": [],
        "salt": "",
        "quoted": 0,
        "amends": [],
        "keeps": [],
        "questions": [],
        "trials": [],
        "private": [],
        "unsigned": "",
        **expected,
    }


def test_every_expectation_has_its_letter() -> None:
    assert [file.stem for file in LETTERS] == sorted(file.stem for file in LETTERS[0].parent.glob("*.toml"))
    assert len(LETTERS) >= 12


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_has_a_letter(game: str, order_languages: Mapping[str, OrderLanguage]) -> None:
    """Of aliases one suffices: what is read is the verb. Verbs of every game may stand in any game's letters."""
    own = tomllib.loads(order_texts(game)["verbs"])["verb"]
    lines, everybodys = ("\n".join(_texts(*games)).upper() for games in ((game,), GAMES))
    missing = [
        verb.name
        for verb in order_languages[game].verbs
        if verb.kind != "text-end"
        and not re.search(
            rf"^(> )?{re.escape(verb.name)}(?!\w)", lines if verb.name in own else everybodys, re.MULTILINE
        )
    ]
    assert missing == []


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_the_language_has_a_letter(game: str) -> None:
    words = tomllib.loads(order_texts(game)["verbs"])["words"]
    written = " ".join(_texts(game)).lower()
    assert [
        word for word, names in words.items() if not any(re.search(rf"\b{name}\b", written) for name in names)
    ] == []


def _expected(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))


def _texts(*games: str) -> list[str]:
    """Return the texts of the letters for these games."""
    files = [file for file in LETTERS if _expected(file).get("language", GAMES[0]) in games]
    return [read_letter(file.read_bytes()).text for file in files]


# Replies of all mail programs, with old orders in what they quote (``replies.toml``): these are not read, and the writer's all
# are.


REPLIES: dict[str, dict[str, str]] = tomllib.loads((Path(__file__).parent / "replies.toml").read_text("utf-8"))
OWN = ("1a) (Dublin) - Y17", "1b) (Y17) - X17 ; (Dublin) - Drogheda")
QUOTE = """\
RR7: Dampfross, map Ireland
Your orders of the last turn:

1a) (Cork) - Bantry
1b) (Galway) - J15 - Westport

Answer this letter with your orders between these two lines:

ORDERS RR7 1
1a) (Cork) - Kinsale
END"""
TEXTS = [(name, kind) for name, reply in REPLIES.items() for kind in reply]


def written(name: str, kind: str) -> str:
    """Return the reply of a program as text or html."""
    end = "<br>" if kind == "html" else "\n"
    marked = "\n".join(f"> {line}" for line in QUOTE.split("\n"))
    told = REPLIES[name][kind].replace("OWN", end.join(OWN)).replace("MARKED", marked)
    return told.replace("QUOTE", QUOTE.replace("\n", end))


def read_body(read: Read, kind: str, body: str) -> Reading:
    """Return what a letter with this body says."""
    plain = "plain" if kind == "text" else kind
    head = f"From: ann@example.com\nContent-Type: text/{plain}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    return read(read_letter(f"{head}{body}".encode()).text)


def is_right(reading: Reading) -> bool:
    """Return whether what the player wrote was read, and nothing else."""
    return tuple(phrase.text for phrase in reading.phrases) == OWN and not (reading.complaints or reading.marked)


def harmed(text: str) -> Iterator[str]:
    """Yield a plain text as servers and programs on its way change it, the player's own lines and marked ones left whole."""

    def folded(line: str, width: int) -> list[str]:
        whole = line in OWN or line.startswith((">", "RR>"))
        return [line] if whole else textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]

    lines = text.split("\n")
    yield text.replace("\n", "\n\n")
    yield text.replace("\n", "  \r\n")
    yield "\n".join(line for line in lines if line.strip())
    yield "\n".join(line if line.startswith(">") else f"\u00a0{line}" for line in lines)
    for width in (76, 60, 40):
        yield "\n".join(piece for line in lines for piece in folded(line, width))


def test_the_family_is_large() -> None:
    assert len(REPLIES) >= 61
    assert {kind for _, kind in TEXTS} == {"text", "html"}


@pytest.mark.parametrize(("name", "kind"), TEXTS)
def test_what_a_program_quotes_is_no_order_and_what_the_player_wrote_is(name: str, kind: str, read: Read) -> None:
    reading = read_body(read, kind, written(name, kind))
    assert is_right(reading), reading
    assert len(reading.unread) <= 3, "of what is quoted hardly a line is told as not read"


PLAIN = [name for name, kind in TEXTS if kind == "text"]


@pytest.mark.parametrize(
    "every", [3, pytest.param(1, marks=pytest.mark.testlong)]
)  # of the ways of being harmed, by turns
@pytest.mark.parametrize("name", PLAIN)
def test_nor_where_lines_were_broken_doubled_or_set_in(name: str, every: int, read: Read) -> None:
    for text in [*harmed(written(name, "text"))][PLAIN.index(name) % every :: every]:
        reading = read_body(read, "text", text)
        assert is_right(reading), (text, reading)


# Replies to letters with pages: programs quote their HTML, with tables, the form in a frame, moves and orders on file.


# As they were sent: the newsletter of a fourth round, answers to orders with a fault and to prose, a reminder of orders on file.
PAGES = {
    name: (Path(__file__).parent / f"{name}.html").read_text("utf-8")
    for name in ("newsletter", "acknowledgement", "form", "reminder")
}
PAPERS = Path(__file__).parents[2] / "orders" / "letters"
PROGRAMS = [name for name, kinds in REPLIES.items() if "html" in kinds]


def inside(page: str) -> str:
    return page[page.index("<body") :].partition(">")[2].partition("</body>")[0]


def of_word(page: str) -> str:
    """Return a page as Outlook on Windows quotes it: made anew by Word."""
    page = re.sub(r"</?div[^>]*>", "", page)
    page = re.sub(r"<(p|li|h[1-3])\b[^>]*>", r'<\1 class="MsoNormal" style="margin:0cm">', page)
    return page.replace("</p>", "<o:p></o:p></p>")


def of_gmail_app(page: str) -> str:
    """Return a page as Gmail on a telephone quotes it: without styles and roles."""
    return re.sub(r' (style|class|role|scope)="[^"]*"', "", page)


WAYS: dict[str, Callable[[str], str]] = {
    "whole": str,
    "inside": inside,
    "word": lambda page: of_word(inside(page)),
    "app": lambda page: of_gmail_app(inside(page)),
}


def test_the_pages_are_full_of_what_looks_like_orders() -> None:
    assert "ORDERS RR1 5" in PAGES["newsletter"]
    assert len(re.findall(r"\d[abc]\) roll \d: \(", PAGES["newsletter"])) > 10
    assert all("1a) (Dublin) - AA18" in PAGES[name] for name in ("acknowledgement", "reminder"))
    assert "<pre" in PAGES["form"]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("letter", PAGES)
def test_orders_above_a_quoted_page_are_read_and_nothing_in_it(letter: str, name: str, how: str, read: Read) -> None:
    written = REPLIES[name]["html"].replace("OWN", "<br>".join(OWN)).replace("QUOTE", WAYS[how](PAGES[letter]))
    reading = read_body(read, "html", written)
    assert is_right(reading), reading
    assert len(reading.unread) <= 3


@pytest.mark.parametrize("file", sorted(PAPERS.glob("page-*.eml")), ids=lambda file: file.stem)
def test_our_own_picture_that_comes_back_is_no_attachment(file: Path) -> None:
    assert read_letter(file.read_bytes()).attachments == ()


@CASES.frozen_rows
@pytest.mark.parametrize("kind", ["related", "mixed"])
def test_a_picture_of_the_writers_is_named_and_ours_is_not(kind: str, name: str, told: tuple[str, ...]) -> None:
    letter = EmailMessage()
    letter["From"] = "ann@example.com"
    letter.set_content("<p>My orders are on the picture.</p>", subtype="html")
    getattr(letter, f"make_{kind}")()
    getattr(letter, f"add_{'related' if kind == 'related' else 'attachment'}")(
        b"\x89PNG", "image", "png", filename=name, cid="<1@x>", disposition="inline"
    )
    assert read_letter(letter.as_bytes()).attachments == told


# Lines of our own letters that come back without a mark: known by having been sent, and never taken from what is the player's.


OURS = """\
RR7: Dampfross, map Ireland
Turn 1: your letter, received Thu 3 Dec 2026, 20:00

Your orders as understood, on today's board:

1a) (Cork) - Bantry
  | roll 5: costs 4, 1 left
1b) (Galway) - J15 - Westport
PASS

The orders of this letter will run.
----------------------------------------
Answer this letter with your orders between these two lines:

ORDERS RR7 1
1a)
1b)
END
"""


@pytest.fixture
def marked(order_language: OrderLanguage) -> Marks:
    """Give the lines of a text that are marked as returned."""

    def found(text: str) -> list[str]:
        after = mark_returned(text, sent_lines([OURS]), order_language).split("\n")
        assert [line.removeprefix("> ") for line in after] == [line.removeprefix("> ") for line in text.split("\n")]
        return [line.removeprefix("> ") for line in after if line.startswith("> ")]

    return found


def test_our_letter_below_a_players_words_is_a_quotation_whole(marked: Marks) -> None:
    assert marked("1a) (Dublin) - Y17\n\nReferee a dit:\n" + OURS) == OURS.rstrip("\n").split("\n")


def test_a_players_lines_between_ours_stay_the_players(marked: Marks) -> None:
    text = OURS.replace(
        "1b) (Galway) - J15 - Westport", "1b) (Galway) - J15 - Westport\n1b) (Dublin) - Y17\nMuch better"
    )
    found = marked(text)
    assert "1b) (Galway) - J15 - Westport" in found
    assert not {"1b) (Dublin) - Y17", "Much better"} & set(found)


def test_a_form_into_which_a_player_wrote_is_the_players(marked: Marks) -> None:
    found = marked(OURS.replace("1b)\nEND", "1b) (Dublin) - Y17\nEND"))
    assert "The orders of this letter will run." in found
    assert not {"ORDERS RR7 1", "1a)", "END"} & set(found)


@CASES.rows
def test_what_a_player_copied_to_order_it_again_is_the_players(text: str, marked: Marks) -> None:
    assert not [line for line in marked(text) if line.startswith("1")]


def test_a_route_that_goes_on_as_one_of_ours_did_is_the_players(order_language: OrderLanguage) -> None:
    """It is broken at the same place, and END below it was in our form."""
    route = "M29 - L28 - Galway - J15 -\nWestport - K15 - Sligo\n"
    text = f"ORDERS RR7 1\nRUN 2: Cork - N30 -\n{route}END\n"
    assert mark_returned(text, sent_lines([f"{OURS}RUN 1: Dublin -\n{route}"]), order_language) == text


def test_capitals_spaces_and_lines_broken_anew_do_not_hide_ours(marked: Marks) -> None:
    text = (
        OURS.replace("board:", "BOARD:").replace("as understood, on", "as\n   understood,  on").replace("1a)", " 1a) ")
    )
    assert " 1a)  (Cork) - Bantry" in marked("yes\n" + text)


def test_an_old_order_in_a_bare_quotation_orders_nothing(order_language: OrderLanguage, read: Read) -> None:
    text = mark_returned("1b) (Dublin) - Y17\n\nReferee sa:\n\n" + OURS, sent_lines([OURS]), order_language)
    reading = read(text)
    assert [phrase.text for phrase in reading.phrases] == ["1b) (Dublin) - Y17"]
    assert reading.quoted == ()  # they stand outside the form, and only in a form a quotation has orders


# The form that is filled in where it is quoted, told apart from what we had filled in ourselves.


def test_a_line_that_we_had_filled_in_orders_nothing_anew_when_it_comes_back(
    read: Read, order_language: OrderLanguage
) -> None:
    ours = "The rolls are 5, 4 and 7.\n\nORDERS RR7 1\nHOME Dublin\n1a)\n1b)\nEND\n\nDeadline: Friday"
    quoted = "".join(f"> {line}\n" for line in ours.replace("1b)", "1b) (Dublin) - Y17").split("\n"))
    sent = (sent_lines([ours], broken=False), (ours,))
    text, found = lift_form(f"See below.\n{quoted}", lambda: sent, order_language, Readings())
    assert found == QUOTED
    assert [phrase.text for phrase in read(text).phrases] == ["1b) (Dublin) - Y17"]
    assert read(text).keeps == ((3, "HOME"),)
    assert [len(each.split("\n")) for each in (text, quoted)] == [len(quoted.split("\n")) + 1, len(quoted.split("\n"))]


def test_a_form_in_which_nothing_is_new_is_left_where_it_stands(order_language: OrderLanguage) -> None:
    ours = "The rolls are 5, 4 and 7.\n\nORDERS RR7 1\nHOME Dublin\n1a)\nEND"
    text = "".join(f"> {line}\n" for line in ours.split("\n"))
    assert lift_form(text, lambda: (sent_lines([ours]), (ours,)), order_language, Readings()) == (text, "")
