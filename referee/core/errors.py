"""The world's and the umpire's mistakes, sorted by who must act. A player's mistake is a ``Complaint``, never an exception."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .values import Texts

Faults = tuple[tuple[int, str], ...]  # of a board file: the line, 0 where it has none, and a sentence


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
