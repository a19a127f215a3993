"""Fuzzing the reader by coverage, by hand: needs ``pip install atheris``; runs until stopped or something is found.

    python -m tests.fuzz.reader -max_total_time=600 -timeout=5 -rss_limit_mb=512 FOLDER

FOLDER keeps what was found interesting; it is filled with the letters of the tests at first. Whatever bytes come, the
reader returns a letter that may be stored, and the order book reads its texts; no letter may be ``unreadable``, for that
says that an exception was not foreseen.
"""

import sys
from functools import cache
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["referee", "email", "html", "quopri"]):
    from referee.mail.letter.message import Letter, read_letter
    from referee.orderbook import OrderLanguage, mark_returned, own_words, quote_alike, read_text, sent_lines
    from referee.resources import order_texts

ROOT = Path(__file__).parents[1]
SEEDS = (ROOT / "mail" / "letters", ROOT.parent / "orders" / "letters")
OURS = "RR1: a heading of ours\nanother line of ours\nand a third one of ours\nPASS\n"


@cache
def language() -> OrderLanguage:
    return OrderLanguage.of(**order_texts("dampfross"))


def assert_sound(letter: Letter) -> None:
    """What the store, a header and the order book take for granted."""
    lines = (letter.sender, letter.sender_name, letter.subject, letter.message_id, *letter.attachments)
    assert all(line.isprintable() for line in (*lines, *letter.references, *letter.recipients))
    for text in (letter.text, *letter.alternatives, *letter.pieces, *letter.enclosed):
        text.encode()
        assert "\0" not in text
        assert "\r" not in text
    assert "unreadable" not in letter.problems


def read(raw: bytes) -> None:
    letter = read_letter(raw)
    assert_sound(letter)
    for text in (letter.text, *letter.alternatives):
        read_text(text, language())
        own_words(quote_alike(text, letter.text))
        marked = mark_returned(text, sent_lines([OURS]), language())
        assert marked.count("\n") == text.count("\n")


def fill(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in (path for seeds in SEEDS for path in seeds.glob("*.eml")):
        (folder / path.name).write_bytes(path.read_bytes())


def main() -> None:
    folders = [Path(each) for each in sys.argv[1:] if not each.startswith("-")]
    for folder in folders[:1]:
        fill(folder)
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
