"""``referee.toml`` and the environment, read here alone: texts come in, one frozen ``Config`` goes out, or what is wrong."""

from referee.config.faults import (
    LONGEST,
    WEEKDAYS,
    address_fault,
    closed_fault,
    days_fault,
    hour_fault,
    language_fault,
    weekday_fault,
    zone_fault,
)
from referee.config.reading import (
    CRASH_VARIABLE,
    FILE,
    FOLDER_VARIABLE,
    check_toml,
    club_folder,
    line_of,
    read_config,
    sample_toml,
    setting_fault,
)
from referee.config.settings import POLICIES, SETTINGS, Setting, Value
from referee.config.values import Config, Identity, Imap, Log, Server, Smtp

__all__ = [
    "CRASH_VARIABLE",
    "FILE",
    "FOLDER_VARIABLE",
    "LONGEST",
    "POLICIES",
    "SETTINGS",
    "WEEKDAYS",
    "Config",
    "Identity",
    "Imap",
    "Log",
    "Server",
    "Setting",
    "Smtp",
    "Value",
    "address_fault",
    "check_toml",
    "closed_fault",
    "club_folder",
    "days_fault",
    "hour_fault",
    "language_fault",
    "line_of",
    "read_config",
    "sample_toml",
    "setting_fault",
    "weekday_fault",
    "zone_fault",
]
