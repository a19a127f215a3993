"""Everything that can become of a letter."""

from __future__ import annotations

from enum import StrEnum


class Fate(StrEnum):
    """What became of a letter: its value is how the reason begins that its row bears, ``status`` what else that says. The page
    ``docs/letters.md`` tells of each.
    """

    status: str

    def __new__(cls, reason: str, status: str) -> Fate:
        fate = str.__new__(cls, reason)
        fate._value_ = reason
        fate.status = status
        return fate

    FILED = "", "done"
    KEPT = "kept for a later turn", "done"
    OTHER_TURN = "for a turn that was played", "done"
    NOTHING_NEW = "nothing new in it", "done"
    ONLY_ASKS = "it only asks", "done"
    OBSERVER = "observer", "done"
    SIGNUP = "sign-up", "done"
    STATEMENT = "closing statement", "done"
    ADDRESS_HALF = "address confirmed by one side", "done"
    ADDRESS = "address confirmed", "done"
    ACCEPTED = "accepted by the umpire", "done"

    COMMAND = "command of the umpire", "done"
    COMMAND_REFUSED = "command not done", "refused"

    # Its writer is told why, in the words of rejected.txt.j2.
    OVER = "over", "refused"
    WHICH_GAME = "which-game", "refused"
    UNKNOWN_GAME = "unknown-game", "refused"
    LATE = "late", "refused"
    EMPTY = "empty", "refused"
    TWO_VERSIONS = "two-versions", "refused"
    ENCRYPTED = "encrypted", "refused"
    WINMAIL = "winmail", "refused"
    BAD_CHARSET = "bad-charset", "refused"
    UNREADABLE = "unreadable", "refused"
    HELD_OLD = "held-old", "refused"
    RELEASED = "released", "refused"

    HELD = "held", "held"

    DISCARDED = "discarded by the umpire", "ignored"
    UNPROVED = "not proved", "ignored"
    SHUT_OUT = "no code after too many wrong ones", "ignored"
    COPY = "copy", "ignored"
    ROBOT = "robot", "ignored"
    NO_SENDER = "no sender", "ignored"
    OWN_ADDRESS = "our own address", "ignored"
    STRANGER = "stranger", "ignored"

    FLOOD = "flood", "parked"
    SIGNUP_WAITS = "sign-up waits for its turn", "parked"  # it is handled again by itself
    TOO_LARGE = "too-large", "parked"
    TOO_COSTLY = "too-costly", "parked"
    UNHANDLED = "could not be handled", "parked"
    UNFETCHED = "could not be fetched", "parked"
