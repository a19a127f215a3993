"""Every letter that is recorded, and whether it is read exactly, asked about, or wrongly."""

import re
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from msgspec import convert

from referee.core import Phrase, Word
from referee.games.volldampf.state import Stage
from referee.mail.letter.message import Letter, read_letter
from referee.orderbook import Readings
from referee.reader.hearing import Hearing
from referee.reader.understanding import InPlay, Understanding, understand_letter
from tests.games.volldampf import desk
from tests.posthouse import PostHouse, begun_games, in_play

FOLDERS = (Path(__file__).parents[2] / "orders/letters", Path(__file__).parent / "recorded")
EXACT, ASKED, WRONG = "exact", "asked", "wrong"
SEATS = {
    "dampfross": ("GSW:red:Ann <ann@example.org>", "MGW:blue:Bob <bob@example.org>", "BNC:green:Cyd <cyd@example.org>"),
    "volldampf": tuple(f"{code}:{colour}:{name} <{name.lower()}@example.org>" for code, colour, name in (
        ("ANN", "red", "Ann"), ("BOB", "blue", "Bob"), ("CID", "green", "Cid"), ("DOT", "yellow", "Dot"))),
}  # fmt: skip

OF_THE_LETTER = ("invalid-two-versions", "invalid-quoted-form", "invalid-form-beside")
PROGRAMS = (
    "gmail",
    "outlook",
    "iphone",
    "apple",
    "gmx",
    "hotmail",
    "kmail",
    "thunderbird",
    "zoho",
    "the-bat",
    "gnus",
    "alpine",
)

Said = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a letter says, wherever it stands in it, and whether it is asked about."""

    said: Said
    asked: bool


@dataclass(frozen=True, slots=True)
class Recorded:
    """A letter that is recorded, and the game it is for."""

    name: str
    raw: bytes
    expected: Mapping[str, object]
    ours: tuple[bytes, ...]

    @property
    def program(self) -> str:
        head = self.raw.partition(b"\n\n")[0].decode("latin-1")
        agent = re.search(r"^(?:User-Agent|X-Mailer): *(?:Mozilla )?([A-Za-z][\w-]*)", head, re.MULTILINE)
        named = next((name for name in PROGRAMS if name in self.name), "of no name")
        return (agent[1] if agent else named).lower()

    @property
    def shape(self) -> str:
        kinds = set(re.findall(rb"^content-type: *text/(plain|html)", self.raw, re.MULTILINE | re.IGNORECASE))
        return " and ".join(sorted(kind.decode() for kind in kinds)) or "no text"


def recorded() -> list[Recorded]:
    """Return all of them; ``answers = "NAME"`` says that one answers our letter ``NAME.ours`` beside it."""
    found = []
    for file in (file for folder in FOLDERS for file in sorted(folder.glob("*.eml"))):
        told = tomllib.loads(file.with_suffix(".toml").read_text("utf-8"))
        ours = (file.with_name(f"{told['answers']}.ours").read_bytes(),) if "answers" in told else ()
        found.append(Recorded(file.stem, file.read_bytes(), told, ours))
    return found


def spelt(part: Phrase | Word) -> str:
    """Write a phrase as ``build(label(1 a) piece(start(AB18) Y17))``; a name nobody knows as ``?Dubln``."""
    if isinstance(part, Word):
        return (part.value or f"?{part.text}").replace(" ", "_")
    return f"{part.rule}({' '.join(map(spelt, part.parts))})"


Hear = Callable[[Recorded, bytes], Heard]


@contextmanager
def hearing() -> Iterator[Hear]:
    """Give what hears letters in a game of each kind."""
    with tempfile.TemporaryDirectory() as folder, PostHouse(Path(folder) / "club") as house:
        positions = begun_games(house, SEATS)

        @cache
        def game(name: str, stage: str) -> InPlay:
            position = positions[name]
            return in_play(position.but(state=desk.at(convert(stage, Stage))) if stage else position)

        def hear(letter: Recorded, raw: bytes) -> Heard:
            found = game(str(letter.expected.get("language", "dampfross")), str(letter.expected.get("stage", "")))
            return heard(found, read_letter(raw), letter.ours)

        yield hear


def heard(game: InPlay, letter: Letter, ours: tuple[bytes, ...] = ()) -> Heard:
    told = Hearing().mark_quotations(letter, ours, game, broken=True)
    return _heard(understand_letter(game, "ANN" if "volldampf" in game.rules.name else "GSW", told, Readings()))


def _heard(read: Understanding) -> Heard:
    reading = read.reading
    said: Said = (
        tuple(map(spelt, reading.phrases)),
        reading.commands,
        tuple(text for _, text in reading.amends),
        tuple(label for _, label in reading.keeps),
    )
    # What only the board has against an order is left out: it would hide what was misread.
    asked = any(each.is_error for each in reading.complaints) or any(
        each.is_asked or each.code in OF_THE_LETTER for each in read.complaints
    )
    silent = not (reading.phrases or reading.commands or reading.marked)  # its writer is told that it orders nothing
    return Heard(said, asked or bool(read.versions) or read.doubted or silent)


def verdict(found: Heard, meant: Said) -> str:
    """Return how a letter was read that means *meant*; other orders are wrong where nobody is asked about them."""
    if found.said == meant:
        return EXACT
    return ASKED if found.asked else WRONG


def wanted(letter: Recorded) -> Said:
    """Return what a letter is expected to say, by the table beside it."""
    told = letter.expected

    def lines(key: str) -> tuple[str, ...]:
        return tuple(str(each).partition(" ")[2] for each in told.get(key, ()))  # type: ignore[attr-defined]

    return (lines("phrases"), tuple(told.get("commands", ())), lines("amends"), lines("keeps"))  # type: ignore[arg-type]
