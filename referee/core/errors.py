"""The world's and the umpire's mistakes, sorted by who must act. A player's mistake is a ``Complaint``, never an exception."""

from __future__ import annotations


class RefereeError(Exception):
    """One sentence that names the thing, what was read and what would be right.

    ``exit_code`` is what a command ends with (sysexits.h): 75 try again later, 78 mend the configuration, 65 mend the input.
    """

    exit_code = 70


class ConfigError(RefereeError):
    """``referee.toml``, an environment variable or a command's argument is wrong: the umpire mends it."""

    exit_code = 78


class MapError(ConfigError):
    """A map or board file is wrong. Holds every fault found, each with its line."""

    def __init__(self, file: str, faults: tuple[tuple[int, str], ...]) -> None:
        """*faults*: (line, sentence) in order of lines; line 0 where a fault has no line."""
        self.file = file
        self.faults = faults
        super().__init__("\n".join(f"{file}:{line}: {text}" if line else f"{file}: {text}" for line, text in faults))


class OptionError(ConfigError):
    """A game cannot be played with these options, this preset or this number of players."""


class PositionError(ConfigError):
    """A typed-in position is wrong. Holds every fault found, each a sentence that begins with the key (``track.GSW``)."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        self.faults = faults
        super().__init__("\n".join(f"position.{fault}" for fault in faults))


class ScenarioError(ConfigError):
    """A scenario file cannot be run. Holds every fault found, each a sentence that names the thing."""

    def __init__(self, file: str, faults: tuple[str, ...]) -> None:
        self.file = file
        self.faults = faults
        super().__init__("\n".join(f"{file}: {fault}" for fault in faults))


class StoreBusy(RefereeError):
    """Somebody else holds the club's database: try again later."""

    exit_code = 75


class MailDown(RefereeError):
    """The post cannot be reached now: try again later."""

    exit_code = 75


class NotFound(RefereeError):
    """The umpire named a game, player, turn or letter that is not there."""

    exit_code = 65
