"""Whether a club can do its work: a club comes in, findings go out in the order in which it has to work, and how to mend each.
Nothing of the club is changed.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from referee.config import FILE, SETTINGS, Config, line_of, read_config
from referee.core import ConfigError, ElsesFile

from .database import clock_findings, database_findings
from .dns import Lookup, dns_findings
from .finding import Finding, Findings, about, fault, warning
from .folder import folder_findings, inbox_findings, outbox_findings, own_file_findings
from .roundtrip import FORGERY, PLUS, forgery_findings, plus_findings, send_test_letter

TOPIC = "settings"
DEFAULT_ADDRESS = "referee@localhost"


def settings_of(folder: Path) -> tuple[Config | None, Finding]:
    """Return the settings of the club in *folder* with what is to be said of them; None where they cannot be read."""
    try:
        config = read_config(folder)
    except ConfigError as error:
        remedy = "" if isinstance(error, ElsesFile) else f"mend {folder / FILE}; "
        return None, Finding("fault", TOPIC, str(error), f"{remedy}nothing else was looked at")
    return config, Finding("ok", TOPIC, f"{folder / FILE} can be read")


def examine(config: Config, now: datetime) -> Findings:
    """Return what can be found out on this machine alone."""
    yield from about(TOPIC, _settings(config))
    looks = {
        "folder": folder_findings(config),
        "database": database_findings(config, now),
        "clock": clock_findings(config, now),
        "files": own_file_findings(config),
        "inbox": iter(()) if config.imap.host else inbox_findings(config, now),
        "outbox": iter(()) if config.smtp.host else outbox_findings(config),
    }
    for topic, findings in looks.items():
        try:
            yield from about(topic, findings)
        except OSError as error:
            sentence = f"{error.filename or topic} cannot be looked at: {error.strerror or error}"
            yield Finding(
                "fault", topic, sentence, "run this as the account that the club belongs to, or mend owner and mode"
            )


def examine_post(config: Config, now: datetime, lookup: Lookup | None, selector: str, send: str) -> Findings:
    """Return what mail and name servers say; a letter is sent to *send*, and some to ourselves, unless that is ""."""
    if config.imap.host:
        from .servers import imap_findings  # who has Maildirs need not wait for its library

        yield from about("inbox", imap_findings(config, now))
    if config.smtp.host:
        from .servers import smtp_findings

        yield from about("outbox", smtp_findings(config, now))
    yield from about("dns", dns_findings(config, lookup, selector))
    if send:
        yield from about("letter", send_test_letter(config, send, now))
        yield from about(PLUS, plus_findings(config, now))
        yield from about(FORGERY, forgery_findings(config, now))


def _settings(config: Config) -> Findings:
    if config.address == DEFAULT_ADDRESS and (config.imap.host or config.smtp.host):
        yield fault(f"mail.address is {DEFAULT_ADDRESS}", "set it to the address to which players write")
    if not config.umpire:
        yield warning("mail.umpire is empty: nobody is told of trouble", "set it to your own address")
    if config.identity.policy == "address" and config.imap.host:
        sentence = 'identity.policy "address" believes every sender, and anybody can write any'
        yield warning(sentence, 'set it to "token"')
    path = config.folder / FILE
    text = path.read_text("utf-8")
    for setting in SETTINGS:
        if setting.withdrawn and (line := line_of(text, setting.section, setting.name)):
            yield warning(f"{path}:{line}: {setting.path} will be gone in a later version", setting.withdrawn)
    for section, server in (("imap", config.imap), ("smtp", config.smtp)):
        if server.password_file and server.token_command:
            sentence = f"{section}.password_file and {section}.token_command are both set"
            yield warning(sentence, "leave one: the token holds")
