"""The settings of a club: every line of ``referee.toml`` with its default, its limits and the sentence that explains it."""

from __future__ import annotations

from referee.config.deadlines import DEADLINES
from referee.config.faults import (
    FILES,
    NO_FILES,
    address_fault,
    address_or_none_fault,
    choice_fault,
    files_fault,
    folder_fault,
    host_fault,
    hour_or_none_fault,
    language_fault,
    metrics_fault,
    prefix_fault,
    url_fault,
    zone_fault,
)
from referee.config.values import Setting

SECURITY = ("tls", "starttls", "none")
POLICIES = ("token", "token+auth", "auth-or-confirm", "address")
PROFILES = ("", "microsoft")
FORMATS = ("html", "text")
LOG_LEVELS = ("info", "warning", "error")
LOG_FORMATS = ("text", "json")


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


def _retention(name: str, what: str) -> Setting:
    """Return how long something is kept that no running game needs."""
    return Setting(path=f"retention.{name}", default=0, most=36_600, comment=what)


SETTINGS: tuple[Setting, ...] = (
    Setting(
        path="club.name",
        default="Railway club",
        comment="The club's name, at the foot of every letter and beside its address.",
    ),
    Setting(
        path="club.zone",
        default="UTC",
        fault=zone_fault,
        comment="Time zone of deadlines and of players who named none.",
    ),
    Setting(path="club.language", default="en", fault=language_fault, comment="Language of players who named none."),
    Setting(
        path="club.ahead",
        default=0,
        most=366,
        comment="For so many days ahead what the referee will do, if nobody writes, stands in `ahead.ics` in this folder,\n"
        "for your own calendar: written after passes with letters or turns, and each day; 0: no such file.",
    ),
    Setting(path="zine.name", default="", comment="What the masthead of letters is called; empty: the club's name."),
    Setting(path="zine.issue", default="", comment='Which issue of it letters belong to, as "No. 214"; empty: none.'),
    Setting(path="zine.umpire", default="", comment="The umpire's name, below every letter that has a page (HTML)."),
    Setting(
        path="zine.contact",
        default="",
        comment="How to reach him, as a postal or mail address, or a telephone number.",
    ),
    Setting(path="zine.word", default="", comment="A word from him above every newsletter, until it is another."),
    Setting(path="zine.games", default=True, comment="Whether the club's other games stand below every letter."),
    Setting(
        path="mail.address",
        default="referee@localhost",
        fault=address_fault,
        comment="The referee's own address: players write to it, letters come from it.",
    ),
    Setting(path="mail.name", default="The Referee", comment="The name beside that address, before that of the club."),
    Setting(
        path="mail.umpire",
        default="",
        fault=address_or_none_fault,
        comment="The umpire's own address, told of trouble and of players' notes; empty: nobody is told.",
    ),
    Setting(
        path="mail.umpire_newsletters",
        default=True,
        comment="Whether the umpire is sent the opening and each newsletter too, with what everybody may see.",
    ),
    Setting(
        path="mail.digest",
        default="",
        fault=hour_or_none_fault,
        comment="The time of day, as 07:00 in club.zone, at which the umpire is sent one letter a day with how all games stand\n"
        "and whatever is not urgent; empty: no digest, and everything in letters of its own.",
    ),
    Setting(
        path="mail.digest_page",
        default=False,
        comment="Whether the whole club on one page (`referee desk --umpire`) is beside the digest, as a file.",
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
        path="players.hints",
        default=False,
        comment="Whether HINT tells a player what a strong built-in player would order in his place, and why; a game says it\n"
        "for itself as part of its calendar (`hints`).",
    ),
    Setting(
        path="players.late_from",
        default=0,
        most=100,
        comment="Who missed so many of a hundred turns in which orders were owed (of five at least) is late often, and gets no\n"
        "seat by JOIN while he plays in `late_games` games; 0: there is no such limit.",
    ),
    Setting(
        path="players.late_games",
        default=1,
        least=1,
        most=99,
        comment="So many games somebody late often may play in at once.",
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
    *DEADLINES,
    _retention("letters", "So many days after it came a letter is kept whole that no running game needs; 0: for good."),
    _retention("outbox", "The same of letters of ours; the last newsletters of each game stay. 0: for good."),
    _retention("backups", "The same of copies that were made beside the database before an upgrade; 0: for good."),
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
    Setting(
        path="log.metrics",
        default="",
        fault=metrics_fault,
        comment="A file for Prometheus that each pass writes, as /var/lib/prometheus/node-exporter/rail.prom; empty: none.",
    ),
)
