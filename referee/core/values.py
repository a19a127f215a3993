"""What values are made of, the world's and the umpire's mistakes, and words round values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar, dataclass_transform

from msgspec import Struct, StructMeta, field
from msgspec.structs import replace as replace

# Values: structs that are given by name and never change, and the few that do.

Fields = Mapping[str, Any]  # plain values by name, as TOML and JSON have them
Texts = tuple[str, ...]  # in an order that counts
Numbers = tuple[int, ...]
Pair = tuple[str, str]
Numbered = tuple[int, str]  # a line with its number
NumberedLines = tuple[Numbered, ...]
Faults = NumberedLines  # of a board file: the line, 0 where it has none, and a sentence
Words = Mapping[str, str]  # by name
Amounts = Mapping[str, int]  # by name: of a company, a colour, a place
Watch = Callable[[int, int], None]  # is told how much is done, and of how much


class _ByName(StructMeta):
    """Structs take their fields by name, those of which a class says ``kw_only=False`` by place as well."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **config: Any) -> Any:
        return super().__new__(mcs, name, bases, namespace, **{"kw_only": True, **config})


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Value(Struct, metaclass=_ByName, frozen=True, gc=False):
    """A value that never changes, so nothing that it holds can hold it. ``unstored``: fields that are no part of what is kept."""

    unstored: ClassVar[frozenset[str]] = frozenset()
    but = Struct.__replace__  # the same value with these fields changed


class Keeper(Value, dict=True, gc=True):
    """A value that keeps what was worked out from it (``cached_property``)."""


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class Mutable(Struct, metaclass=_ByName):
    """What is filled while something is worked out."""


View = dict[str, Any]  # what is told of something, as plain values


def shared_fields(value: Struct, kind: type[Struct]) -> dict[str, Any]:
    """Return the fields of a value that those of another *kind* have as well, by name."""
    return {name: getattr(value, name) for name in kind.__struct_fields__ if hasattr(value, name)}


class Partial(Value, eq=False):
    """A value that is the same as another one whatever stands in its ``uncompared`` fields."""

    uncompared: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Partial) or type(other) is not type(self):
            return False
        return self._comparison() == other._comparison()

    def __hash__(self) -> int:
        return hash(self._comparison())

    def _comparison(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name not in self.uncompared)


# The world's and the umpire's mistakes, sorted by who must act. A player's mistake is a ``Complaint``, never an exception.


class RefereeError(Exception):
    """One sentence that names the thing, what was read and what would be right.

    ``sentence``, with ``values`` to fill it: what a letter may say in its reader's language; without values it stands as it is.
    ``exit_code`` is what a command ends with (sysexits.h): 75 try again later, 74 restore a backup, 78 mend the configuration,
    65 mend the input.
    """

    exit_code = 70

    def __init__(self, sentence: str = "", /, **values: object) -> None:
        self.sentence, self.values = sentence, values
        super().__init__(sentence.format(**values) if values else sentence)


class ConfigError(RefereeError):
    """``referee.toml``, an environment variable or a command's argument is wrong: the umpire mends it."""

    exit_code = 78


class ElsesFile(ConfigError):
    """The settings belong to another account of the machine: nothing of them is wrong."""


class MapError(ConfigError):
    """A map or board file is wrong. Holds every fault found, each with its line."""

    def __init__(self, file: str, faults: Faults) -> None:
        """*faults*: (line, sentence) in order of lines; line 0 where a fault has no line."""
        self.file = file
        self.faults = faults
        super().__init__("\n".join(f"{file}:{line}: {text}" if line else f"{file}: {text}" for line, text in faults))


class OptionError(ConfigError):
    """A game cannot be played with these options, this preset or this number of players."""


class PositionError(ConfigError):
    """A typed-in position is wrong. Holds every fault found, each a sentence that begins with the key (``track.GSW``).

    ``clashes``: those of them that are well written, and cannot be so by the rules or beside what else there is.
    """

    def __init__(self, faults: Texts, clashes: Texts = ()) -> None:
        self.faults = faults
        self.clashes = clashes
        super().__init__("\n".join(f"position.{fault}" for fault in faults))


class ScenarioError(ConfigError):
    """A scenario file cannot be run. Holds every fault found, each a sentence that names the thing."""

    def __init__(self, file: str, faults: Texts) -> None:
        self.file = file
        self.faults = faults
        super().__init__("\n".join(f"{file}: {fault}" for fault in faults))


class TemporaryTrouble(RefereeError):
    """Nobody need mend anything: the same may go well later."""

    exit_code = 75


class StoreDamaged(RefereeError):
    """The club's database is damaged (``what``): the umpire restores a backup, and nobody's letter is to blame."""

    exit_code = 74

    def __init__(self, what: str, remedy: str) -> None:
        self.what = what
        super().__init__(f"{what}. {remedy}")


class LetterDamaged(RefereeError):
    """A letter of ours, or a file in it, is damaged in the database: it waits until that is mended, the others leave."""

    exit_code = 74


class StoreBusy(TemporaryTrouble):
    """Somebody else holds the club's database."""


class ClubBusy(TemporaryTrouble):
    """Another process does this work for the club already."""


class MachineShort(TemporaryTrouble):
    """The machine has no memory or no process for us now: nobody's letter is to blame."""


class MailDown(TemporaryTrouble):
    """The post cannot be reached now."""


class LoginRefused(MailDown):
    """A mail server does not take our name and password, or token: the umpire mends them, and tries are rare until then."""


class Untrusted(MailDown):
    """A mail server's certificate is refused: ``told`` says why, ``remedy`` what to do."""

    def __init__(self, told: str, remedy: str) -> None:
        self.told = told
        self.remedy = remedy
        super().__init__(f"{told} ({remedy})")


class Interrupted(MailDown):
    """A mail server was lost while it was given a letter: nobody knows whether that left. The same bytes are sent again."""


class LetterUnreadable(TemporaryTrouble):
    """A mail server does not give this one letter out, though it answers; the others are not to wait for it."""


class LetterTooCostly(RefereeError):
    """Reading a letter takes more time than a letter may: somebody built it for that."""

    exit_code = 65


class LetterDeadly(RefereeError):
    """Whoever handles this letter dies of it, or never comes to an end."""


class ReaderLost(RefereeError):
    """The process that reads letters died of one."""


class ReaderKilled(ReaderLost):
    """Somebody else ended the process that reads letters, most likely the system for want of memory."""


class ReaderFailed(ReaderLost):
    """The process that reads letters met a fault of ours; the sentence ends with its trace."""


class NotTaken(TemporaryTrouble):
    """A mail server does not take a letter of ours, in its words ``text`` with the SMTP code ``code``."""

    def __init__(self, code: int, text: str) -> None:
        self.code = code
        self.text = text
        super().__init__(f"{code} {text}")


class TryLater(NotTaken):
    """Not now, for this recipient (4xx): the letter waits."""


class Refused(NotTaken):
    """Never, for this recipient (5xx): the letter has failed."""


class Unclear(Refused):
    """Refused, and the server's words do not say whether that is about this recipient or about us."""


class Rejected(MailDown):
    """A mail server refuses a letter in words that speak of us: it would refuse the others, too."""


class NotFound(RefereeError):
    """The umpire named a game, player, turn or letter that is not there."""

    exit_code = 65


@contextmanager
def process_wanted() -> Iterator[None]:
    """Begin a process inside. Raises MachineShort: there is none to be had."""
    try:
        yield
    except (OSError, MemoryError) as error:
        raise MachineShort(f"no process can be begun on this machine now: {error or 'out of memory'}") from error


def how_to_install(extra: str) -> str:
    """Return, for the middle of a sentence, how a missing *extra* (``png``) is installed: from the folder, as the rest was."""
    return (
        f"run `pip install '.[{extra}]'` in the folder of this program, with the pip that installed it (docs/setup.md)"
    )


# English words round values, in sentences that umpires and mapmakers read.

N_ = str  # marks words for the catalogue; they are translated where they are shown

TOLD = N_("{what}: {told}")  # French has a blank before the colon


class Sentence(str):
    """A sentence in English that can be said in another language: ``sentence``, marked by ``N_``, and the ``values`` in it."""

    sentence: str
    values: Mapping[str, object]

    def __new__(cls, sentence: str, /, **values: object) -> Sentence:
        told = super().__new__(cls, sentence.format(**values) if values else sentence)
        told.sentence, told.values = sentence, values
        return told


def say_in(text: object, translate: Callable[[str], str]) -> object:
    """Return a value as *translate* says it: a ``Sentence`` with those inside it, anything else as it is."""
    if not isinstance(text, Sentence):
        return text
    values = {name: say_in(value, translate) for name, value in text.values.items()}
    sentence = translate(text.sentence)
    return sentence.format(**values) if values else sentence


def count_of(number: int, one: str, many: str = "") -> str:
    """Return ``1 letter waits`` or ``2 letters wait``: the number with the words that fit it; *many*: else *one* with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def first_of(words: Sequence[str], most: int) -> str:
    """Return the first *most* words, and how many there are more."""
    shown = ", ".join(words[:most])
    return f"{shown} and {len(words) - most} more" if len(words) > most else shown


def as_written(value: object) -> str:
    """Return a value as it stands in files and in the rules: ``true``, ``cube``, ``3``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# How plain text says that something in it was struck out, ``~~1a) none~~``, or cannot be seen, ``~~~1a) none~~~``.

STRUCK, HIDDEN = "~~", "~~~"

_MARKED = re.compile(r"(?<!~)(~{2,3})(?=[^\s~])([^~\n]*[^\s~])\1(?!~)")


def render_marks(pieces: Iterable[Pair]) -> str:
    """Return the text of pieces, each a mark, or "", and what it marks; no mark goes over the end of a line."""
    grouped = ((mark, "".join(text for _, text in of)) for mark, of in groupby(pieces, itemgetter(0)))
    return "".join(
        "\n".join(_wrap_in_marks(line, mark) for line in text.split("\n")) if mark else text for mark, text in grouped
    )


def _wrap_in_marks(line: str, mark: str) -> str:
    """Return *line* between marks, the blanks around it outside of them."""
    bare = line.strip()
    inner = bare.replace("~", " ").strip()
    return line.replace(bare, f"{mark}{inner}{mark}", 1) if inner else ""


def without_marked(line: str) -> str:
    """Return what is left of a line to be seen and to count."""
    return _MARKED.sub("", line) if STRUCK in line else line


def find_marks(line: str) -> Pair:
    """Return the first mark in a line, and all that stands between marks there; "" where there are none."""
    found = _MARKED.findall(line)
    return (found[0][0] if found else ""), " ".join(text for _, text in found)


def restore_marks(text: str, version: str) -> str:
    """Return *text* with the marks of another *version* of it, line by line, which its mail program lost."""
    lines = version.split("\n") if STRUCK in version else []
    known = {_bare(line): line for line in lines if find_marks(line)[0]}
    for line in lines:
        if not find_marks(line)[0]:
            known.pop(_bare(line), None)
    return "\n".join(known.get(_bare(line), line) for line in text.split("\n")) if known else text


def _bare(line: str) -> str:
    return "".join(filter(str.isalnum, line)).casefold()


# Strangers' characters in one spelling, in time in proportion to their number.

_CHUNK = 1000  # characters; ordering a long run of combining marks takes quadratic time


def nfkc(text: str) -> str:
    """Return *text* under NFKC, line by line; of a line longer than anybody's, piece by piece."""
    if text.isascii():
        return text
    return "\n".join(line if line.isascii() else _nfkc(line) for line in text.split("\n"))


def _nfkc(line: str) -> str:
    chunks = (line[start : start + _CHUNK] for start in range(0, len(line), _CHUNK))
    return "".join(unicodedata.normalize("NFKC", chunk) for chunk in chunks)


# Names as people type them.

_PLAIN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"}
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa", "Å": "Aa"})


@lru_cache(maxsize=4096)
def fold_letter(letter: str) -> str:
    """Return what is compared of one character: small, without accent; "" for spaces, dashes, apostrophes and the like."""
    plain = unicodedata.normalize("NFKD", _PLAIN.get(letter.casefold(), letter.casefold()))
    return "".join(char for char in plain if char.isalnum())


def fold(text: str) -> str:
    """Return *text* as it is compared: ``Dún Laoghaire``, ``DUN-LAOGHAIRE`` and ``dunlaoghaire`` are the same."""
    return "".join(map(fold_letter, text))


def spellings(name: str) -> Texts:
    """Return the ways in which a name is written, as they are compared: ``köln`` also answers to ``koeln``."""
    return tuple(dict.fromkeys((fold(name), fold(name.translate(_UMLAUTS)))))
