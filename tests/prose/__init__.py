"""Letters and other texts of people and programs that order nothing: where they are from says README.md beside."""

from collections.abc import Iterator
from pathlib import Path

from referee.mail.letter.message import read_letter

KEPT = Path(__file__).parent / "letters.txt"
SHORTEST = 3  # words
LONGEST = 20_000  # characters


def texts_of(path: Path) -> Iterator[str]:
    """Yield the texts of a file, or of all files in a folder: of letters what they say, of others their parts, between form feeds
    or lines ``%``.
    """
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    for file in files:
        raw = file.read_bytes()
        head = raw.partition(b"\n\n")[0].lower()
        is_letter = b"\f" not in raw and (b"\nsubject:" in head or b"\nmessage-id:" in head)
        said = read_letter(raw).text if is_letter else raw.decode("utf-8", "replace")
        for text in [said] if is_letter else said.replace("\n%\n", "\f").split("\f"):
            if len(text.split()) >= SHORTEST and len(text) <= LONGEST and "\0" not in text:
                yield text
