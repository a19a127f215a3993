"""The settings of a club: every line of ``referee.toml`` with its default, its limits and the sentence that explains it."""

from __future__ import annotations

from collections.abc import Callable

from referee.config.faults import (
    FILES,
    LONGEST,
    NO_FILES,
    address_fault,
    address_or_none_fault,
    choice_fault,
    closed_fault,
    every_fault,
    files_fault,
    folder_fault,
    host_fault,
    hour_fault,
    hour_or_none_fault,
    hours_fault,
    language_fault,
    prefix_fault,
    url_fault,
    weekday_fault,
    zone_fault,
)
from referee.core.values import dataclass

Value = str | int | bool

LATE = ("refuse", "until-adjudication")
MISSING = ("extend", "hold-over", "stand-by", "play")
SECURITY = ("tls", "starttls", "none")
POLICIES = ("token", "token+auth", "auth-or-confirm", "address")
PROFILES = ("", "microsoft")
FORMATS = ("html", "text")
LOG_LEVELS = ("info", "warning", "error")
LOG_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting. ``path`` is ``section.name``; ``fault`` says what is wrong with a text, "" if nothing; numbers lie between
    ``least`` and ``most``.
    """

    path: str
    default: Value
    comment: str
    fault: Callable[[str], str] | None = None
    least: int = 0
    most: int = 0

    @property
    def section(self) -> str:
        """The heading under which it stands."""
        return self.path.split(".")[0]

    @property
    def name(self) -> str:
        """What stands before the ``=``."""
        return self.path.split(".")[1]


def _server(section: str, port: int, maildir: str, what: str) -> tuple[Setting, ...]:
    """Return what is said of a mail server in the same words for both directions."""
    return (
        Setting(
            path=f"{section}.host",
            default="",
            fault=host_fault,
            comment=f"The server {what}; empty: the Maildir {maildir}.",
        ),
        Setting(path=f"{section}.port", default=port, least=1, most=65_535, comment="Its port."),
        Setting(
            path=f"{section}.security",
            default="tls",
            fault=choice_fault(*SECURITY),
            comment='"tls" from the first byte, "starttls" (refused if the server has none), or "none" (this machine alone).',
        ),
        Setting(
            path=f"{section}.ca_file", default="", comment="Certificates to trust besides the system's, a PEM file."
        ),
        Setting(path=f"{section}.user", default="", comment="Who logs in; empty: mail.address."),
        Setting(
            path=f"{section}.password_file",
            default="",
            comment="A file with the password, readable by its owner alone (mode 0600). Instead of it the variable\n"
            f"REFEREE_{section.upper()}_PASSWORD, or the systemd credential {section}-password. Never write a password in here.",
        ),
        Setting(
            path=f"{section}.token_command",
            default="",
            comment="A command that prints an OAuth2 token, asked at each login, instead of a password.",
        ),
        Setting(
            path=f"{section}.timeout",
            default=60,
            least=1,
            most=3600,
            comment="Seconds to wait for an answer of the server.",
        ),
    )


def _retained(name: str, what: str) -> Setting:
    """Return how long something is kept that no running game needs."""
    return Setting(path=f"retention.{name}", default=0, most=36_600, comment=what)


SETTINGS: tuple[Setting, ...] = (
    Setting(path="club.name", default="Railway club", comment="The club's name, at the foot of every letter."),
    Setting(
        path="club.zone",
        default="UTC",
        fault=zone_fault,
        comment="Time zone of deadlines and of players who named none.",
    ),
    Setting(path="club.language", default="en", fault=language_fault, comment="Language of players who named none."),
    Setting(
        path="mail.address",
        default="referee@localhost",
        fault=address_fault,
        comment="The referee's own address: players write to it, letters come from it.",
    ),
    Setting(path="mail.name", default="The Referee", comment="The name beside that address."),
    Setting(
        path="mail.umpire",
        default="",
        fault=address_or_none_fault,
        comment="The umpire's own address, told of trouble and of players' notes; empty: nobody is told.",
    ),
    Setting(
        path="mail.digest",
        default="",
        fault=hour_or_none_fault,
        comment="The time of day, as 07:00 in club.zone, at which the umpire is sent one letter a day with how all games stand\n"
        "and whatever is not urgent; empty: no digest, and everything in letters of its own.",
    ),
    Setting(
        path="mail.redirected",
        default=False,
        comment="Whether a rule of a mail server (as Exchange has) sends the club's letters here and marks each as a machine's:\n"
        "then `Auto-Submitted: auto-generated` or `auto-forwarded` and an empty Return-Path say nothing.",
    ),
    Setting(path="mail.in", default="mail/in", comment="Maildir in which letters arrive; seen from this folder."),
    Setting(path="mail.out", default="mail/out", comment="Maildir into which letters are sent; seen from this folder."),
    Setting(
        path="mail.replies_per_day",
        default=10,
        most=10_000,
        comment="So many letters of one player are answered within 24 hours.",
    ),
    Setting(
        path="mail.replies_per_game",
        default=50,
        most=10_000,
        comment="So many letters about one game are answered within 24 hours, whoever wrote them.",
    ),
    Setting(
        path="mail.poll",
        default=60,
        least=1,
        most=86_400,
        comment="So many seconds `referee run` waits between two passes.",
    ),
    *_server("imap", 993, "mail.in", "on which letters arrive (IMAP)"),
    Setting(path="imap.folder", default="INBOX", fault=folder_fault, comment="The folder in which letters arrive."),
    Setting(
        path="imap.processed",
        default="Referee/Processed",
        fault=folder_fault,
        comment="Where letters go that were stored; made when needed.",
    ),
    Setting(
        path="imap.parked",
        default="Referee/Parked",
        fault=folder_fault,
        comment="Where letters go that are too large to be kept whole; made when needed.",
    ),
    Setting(
        path="imap.idle", default=True, comment="Whether `referee run` lets the server tell it of new letters (IDLE)."
    ),
    *_server("smtp", 465, "mail.out", "through which letters leave (SMTP)"),
    Setting(
        path="smtp.per_minute",
        default=60,
        least=1,
        most=6000,
        comment="So many letters a minute at most, as the provider allows.",
    ),
    Setting(
        path="identity.policy",
        default="token",
        fault=choice_fault(*POLICIES),
        comment='Whose letter is a player\'s: "token" (his address and the code of his game and turn), "token+auth" (also\n'
        'proved by the mail servers), "auth-or-confirm" (proved, or confirmed by an answer), or "address" (the address alone,\n'
        "which anybody can write: for letters that you deliver yourself).",
    ),
    Setting(
        path="identity.plus",
        default=True,
        comment="Whether referee+anything@... arrives too: then answers to our letters carry the code by themselves.",
    ),
    Setting(
        path="identity.authserv_id",
        default="",
        comment="The name under which our own mail server writes Authentication-Results; empty: none is believed.",
    ),
    Setting(
        path="identity.profile",
        default="",
        fault=choice_fault(*PROFILES),
        comment='"microsoft" where the mailbox is one of Microsoft\'s, which names no such server.',
    ),
    Setting(
        path="identity.dkim", default=False, comment="Whether DKIM signatures are checked here (needs DNS and dkimpy)."
    ),
    Setting(
        path="identity.wrong_codes",
        default=10,
        least=1,
        most=1000,
        comment="After so many wrong codes in 24 hours letters from an address are passed over for a day, but for those with\n"
        "a right one.",
    ),
    Setting(
        path="players.unsigned_press",
        default=False,
        comment="Whether newsletters print what players write under PRESS ANONYMOUS, without their names.",
    ),
    Setting(
        path="players.press_limit",
        default=10_000,
        least=100,
        most=1_000_000,
        comment="So many characters of press, or of a note to the umpire, a player may write in one text; a longer one is not\n"
        "passed on, and he is told.",
    ),
    Setting(
        path="players.tell_awaited",
        default=False,
        comment="Whether STATUS tells a player whose orders are still awaited, where all are asked at once.",
    ),
    Setting(
        path="players.format",
        default="html",
        fault=choice_fault(*FORMATS),
        comment='What players are sent who have not said FORMAT themselves: "html" (pages with pictures, beside the text) or\n'
        '"text". `referee game faces` says it for one game.',
    ),
    Setting(
        path="players.attach",
        default="",
        fault=files_fault,
        comment=f'Files beside their newsletters and maps: {", ".join(FILES)}, with spaces between them, or "{NO_FILES}";\n'
        "empty: the board as PNG where letters are text, and nothing beside pages, which have it in them.",
    ),
    Setting(path="games.prefix", default="RR", fault=prefix_fault, comment="Games are called RR1, RR2 ..."),
    Setting(
        path="deadlines.days",
        default=14,
        least=1,
        most=LONGEST,
        comment="So many days lie between deadlines, where a game says nothing else.",
    ),
    Setting(
        path="deadlines.every",
        default="",
        fault=every_fault,
        comment='The same in words, as "10 days", "3 weeks" or "1 month"; empty: so many days.',
    ),
    Setting(
        path="deadlines.weekday",
        default="",
        fault=weekday_fault,
        comment='The day on which deadlines fall, as Friday, or several, as "Sunday, Wednesday"; empty: any day.',
    ),
    Setting(
        path="deadlines.hour", default="20:00", fault=hour_fault, comment="The time of day at which deadlines fall."
    ),
    Setting(
        path="deadlines.closed",
        default="",
        fault=closed_fault,
        comment="Days on which no deadline falls, with commas between them: weekdays, dates, dates of every year, or from one\n"
        'to another, as "Sunday, 2027-03-26, 12-24..01-06".',
    ),
    Setting(
        path="deadlines.notice",
        default=-1,
        least=-1,
        most=LONGEST * 24,
        comment="So many hours lie at least between a newsletter and the deadline that it names; -1: half the time from one\n"
        "deadline to the next.",
    ),
    Setting(
        path="deadlines.grace",
        default=10,
        most=LONGEST * 24 * 60,
        comment="Minutes after the deadline in which a letter is still in time.",
    ),
    Setting(
        path="deadlines.early_delay",
        default=12,
        least=-1,
        most=LONGEST * 24,
        comment="When everybody's clean orders are in, a turn is adjudicated so many hours after the last change; -1: never\n"
        "before its deadline.",
    ),
    Setting(
        path="deadlines.late",
        default="refuse",
        fault=choice_fault(*LATE),
        comment='Orders after deadline and grace: "refuse", or take them "until-adjudication".',
    ),
    Setting(
        path="deadlines.reminders",
        default="72, 24",
        fault=hours_fault,
        comment="So many hours before the deadline those are reminded whose orders are missing or have errors, with commas\n"
        "between them; what falls into the first half of a turn is left out.",
    ),
    Setting(
        path="deadlines.outlook",
        default=24,
        most=LONGEST * 24,
        comment="So many hours before the deadline the umpire is told who is in, who is missing and what is doubtful; 0: never.",
    ),
    Setting(
        path="deadlines.missing",
        default="extend",
        fault=choice_fault(*MISSING),
        comment='What becomes of a turn whose orders are missing at its deadline: "extend" (once, by a few days), "hold-over"\n'
        '(once, to the next deadline of the calendar), "stand-by" (the same, and then a stand-by has the seat), or "play" (on\n'
        "without them). Who has errors in his orders is not missing.",
    ),
    Setting(
        path="deadlines.missing_from",
        default=1,
        least=1,
        most=99,
        comment="So many players must be missing for that; with fewer the turn is played without them.",
    ),
    Setting(
        path="deadlines.extension", default=3, least=1, most=LONGEST, comment="So many days a turn is extended by."
    ),
    Setting(
        path="deadlines.stop_from",
        default=2,
        most=99,
        comment="If so many are still missing after that, the game waits, and the umpire decides; 0: it is always played on.",
    ),
    Setting(
        path="deadlines.absence",
        default=7,
        most=LONGEST,
        comment="A turn waits for players who said before its deadline when they are away (ABSENT), if they are back within so\n"
        "many days after it, and once; else it is played without them. 0: it never waits.",
    ),
    Setting(
        path="deadlines.statements",
        default=14,
        most=LONGEST,
        comment="So many days after the last turn players may send closing statements, which are then mailed to all;\n"
        "0: none are asked for.",
    ),
    Setting(
        path="deadlines.downtime_hold",
        default=24,
        most=LONGEST * 24,
        comment="If letters could not be read or sent for so many hours, no deadline falls in as many hours after that; nor if\n"
        "the clock was set over it. 0: never moved.",
    ),
    _retained("letters", "So many days after it came a letter is kept whole that no running game needs; 0: for good."),
    _retained("outbox", "The same of letters of ours; the last newsletters of each game stay. 0: for good."),
    _retained("backups", "The same of copies that were made beside the database before an upgrade; 0: for good."),
    Setting(
        path="publish.folder",
        default="",
        comment="A folder for the club's pages, written after each pass; empty: none.",
    ),
    Setting(
        path="publish.url", default="", fault=url_fault, comment="Where it is found, as https://club.example/trains/."
    ),
    Setting(
        path="publish.names",
        default="companies",
        fault=choice_fault("companies", "names"),
        comment='Players who have not said how they appear there: as "companies" or by their "names".',
    ),
    Setting(path="publish.press", default=False, comment="Whether what players say in newsletters stands there, too."),
    Setting(path="publish.invite", default=False, comment="Whether it says with what words all can watch and sign up."),
    Setting(
        path="log.level",
        default="warning",
        fault=choice_fault(*LOG_LEVELS),
        comment='What is written on stderr: "info" (every letter, turn and sending by its number), "warning" or "error".',
    ),
    Setting(
        path="log.format",
        default="text",
        fault=choice_fault(*LOG_FORMATS),
        comment='"text" for people, or "json": an object a line, for programs.',
    ),
)
