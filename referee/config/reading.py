"""Reads ``referee.toml`` and the environment, and says with file and line what is wrong in them."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.core import ConfigError, ElsesFile, NotFound, OptionError, PositionError, RefereeError, Texts, Value, Words
from referee.core.texts import load_toml
from referee.system import name_of

from .settings import SETTINGS
from .values import Config, Setting, Settings, SettingValue, config_of

FILE = "referee.toml"
FOLDER_VARIABLE = "REFEREE_CLUB"
CRASH_VARIABLE = "REFEREE_CRASH_AT"  # names a labelled step at which the process kills itself; for crash tests alone

_HEADING = re.compile(r"\s*\[\[?([\w\s.\"'-]+)\]\]?\s*(?:#.*)?")


def read_config(folder: Path, environment: Words | None = None) -> Config:
    """Return the settings of the club in *folder*; ``REFEREE_MAIL_GRACE``-like variables override the file.

    Raises:
        ConfigError: the file is missing or damaged; the sentence names file and line.
    """
    path = folder / FILE
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path} is missing: make a club folder with `referee init {folder}`") from None
    except PermissionError as error:
        name = owner_of(path.absolute())
        raise ElsesFile(
            f"{path} cannot be read by you: run this as the account {name}, `sudo -u {name} referee ...`"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    return config_from(folder, text, environment)


def config_from(folder: Path, text: str, environment: Words | None = None) -> Config:
    """Return the settings that *text* would be in *folder*. Raises ConfigError as ``read_config``."""
    path = folder / FILE
    environment = os.environ if environment is None else environment
    values = {setting.path: setting.default for setting in SETTINGS}
    values |= _from_file(path, text)
    values |= _from_environment(environment)
    config = config_of(folder.absolute(), values, environment.get(CRASH_VARIABLE, ""))
    _check_identity(path, text, config)
    return config


def wants_colours() -> bool:
    """Return whether a terminal may be sent colours: not where ``NO_COLOR`` says anything (https://no-color.org)."""
    return not os.environ.get("NO_COLOR")


def club_folder(given: str | None, environment: Words | None = None) -> Path:
    """Return the club's folder: the one given, else ``REFEREE_CLUB``, else the current folder if it holds ``referee.toml``.

    Raises:
        ConfigError: none of them.
    """
    environment = os.environ if environment is None else environment
    named = given or environment.get(FOLDER_VARIABLE, "")
    if named:
        return Path(named)
    if Path(FILE).is_file():
        return Path()
    raise ConfigError(
        f"no {FILE} here: name the club's folder with --club DIR or {FOLDER_VARIABLE}, or make one with `referee init DIR`"
    )


def sample_toml(given: Settings) -> str:
    """Return the text of a new ``referee.toml``: every setting with its comment, *given* values over defaults."""
    blocks = ["# The settings of this club. Every line may be left out: the value in brackets then holds.\n"]
    section = ""
    for setting in SETTINGS:
        if setting.section != section:
            section = setting.section
            blocks.append(f"\n[{section}]\n")
        comment = setting.comment.replace("\n", "\n# ")
        value = given.get(setting.path, setting.default)
        blocks.append(f"# {comment} [{_toml(setting.default)}]\n{setting.name} = {_toml(value)}\n")
    return "".join(blocks)


def with_settings(text: str, given: Settings) -> str:
    """Return a ``referee.toml`` with *given* settings in the place of those in *text*; all its other lines stay as they are."""
    lines = text.splitlines()
    for path, value in given.items():
        section, _, name = path.partition(".")
        said, now = f"{name} = {_toml(value)}", "\n".join(lines)
        at, heading = line_of(now, section, name), line_of(now, section)
        if at:
            lines[at - 1] = said
        elif heading:
            lines.insert(heading, said)
        else:
            lines += ["", f"[{section}]", said]
    return "\n".join(lines) + "\n"


def check_toml(path: Path, text: str) -> None:
    """Raises ConfigError, as ``read_config`` does, where *text* would not do as the settings at *path*."""
    for _ in _from_file(path, text):
        pass


def line_of(text: str, section: str, name: str = "", number: int = 0) -> int:
    """Return the line of a TOML text on which a setting stands, or without *name* a section; 0 if it is written otherwise.

    *section* is "" above the first heading; *number* counts the tables of a list (``[[player]]``) from 1.
    """
    here, count = "", 0
    for at, line in enumerate(text.splitlines(), 1):
        heading = _HEADING.fullmatch(line)
        if heading:
            here = re.sub(r"[\s\"']", "", heading[1])
            count += here == section
            if here == section and not name and number in (0, count):
                return at
        elif (
            here == section
            and name
            and number in (0, count)
            and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line)
        ):
            return at
    return 0


def setting_fault(setting: Setting, value: object) -> str:
    """Return what is wrong with the value of a setting, "" if nothing."""
    if isinstance(setting.default, bool):
        return "" if isinstance(value, bool) else f"{value!r} is neither true nor false"
    if isinstance(setting.default, int):
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{value!r} is no whole number"
        if value < setting.least:
            return f"{value} is too small (at least {setting.least})"
        return "" if value <= setting.most else f"{value} is too large (at most {setting.most})"
    if not isinstance(value, str):
        return f"{value!r} is no text (in quotation marks)"
    if any(ord(character) < 32 for character in value):
        return f"{value!r} holds a control character"
    return setting.fault(value) if setting.fault else ""


def owner_of(path: Path) -> str:
    """Return the name of the account to which *path* belongs, or the first folder above it that can be looked at."""
    for place in (path, *path.parents):
        try:
            return name_of(place.stat().st_uid)
        except OSError:
            continue
    return "root"


def _check_identity(path: Path, text: str, config: Config) -> None:
    """Raises ConfigError where nobody could ever prove who they are, or the umpire's letters would come to the referee."""
    if config.umpire and config.umpire.lower() == config.address.lower():
        line = line_of(text, "mail", "umpire") or line_of(text, "mail")
        raise ConfigError(f"{path}:{line}: mail.umpire is the referee's own address: name the umpire's own mailbox")
    identity = config.identity
    if identity.policy == "token+auth" and not (identity.authserv_id or identity.profile or identity.dkim):
        line = line_of(text, "identity", "policy")
        raise ConfigError(
            f'{path}:{line}: identity.policy "token+auth" needs a way to know who sent a letter: set authserv_id, profile or dkim'
        )


def _from_file(path: Path, text: str) -> Iterator[tuple[str, SettingValue]]:
    try:
        tables = load_toml(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else len(text.splitlines())
        reason = re.sub(r" \(at .*", "", str(error))
        if reason.startswith(("Illegal character", "Invalid value", "Unterminated string")):
            reason += '; texts stand between quotation marks, as name = "Our club"'
        raise ConfigError(f"{path}:{line}: this is not TOML: {reason}") from None
    known, sections = {setting.path: setting for setting in SETTINGS}, {setting.section for setting in SETTINGS}
    for section, table in tables.items():
        if not isinstance(table, dict):
            raise _fault(path, text, "", section, f"{section!r} stands outside a section")
        if section not in sections:
            raise _fault(path, text, section, "", _unknown(f"[{section}]", [f"[{each.section}]" for each in SETTINGS]))
        for name, value in table.items():
            setting = known.get(f"{section}.{name}")
            if not setting:
                names = [each.name for each in SETTINGS if each.section == section]
                raise _fault(path, text, section, name, _unknown(name, names))
            fault = setting_fault(setting, value)
            if fault:
                raise _fault(path, text, section, name, f"{name}: {fault}")
            yield setting.path, value


def _from_environment(environment: Words) -> Iterator[tuple[str, SettingValue]]:
    for setting in SETTINGS:
        variable = "REFEREE_" + setting.path.replace(".", "_").upper()
        if variable not in environment:
            continue
        text = environment[variable]
        value: SettingValue = text  # as it stands where it is none of the setting's kind
        if isinstance(setting.default, bool):
            value = {"true": True, "false": False}.get(text, text)
        elif isinstance(setting.default, int) and re.fullmatch(r"\d{1,9}", text):
            value = int(text)
        fault = setting_fault(setting, value)
        if fault:
            raise ConfigError(f"environment variable {variable}: {fault}")
        yield setting.path, value


def _unknown(name: str, names: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, names, 1)
    known = ", ".join(dict.fromkeys(names))
    return f"unknown setting {name}" + (f" (did you mean {near[0]}?)" if near else f" (known: {known})")


def _fault(path: Path, text: str, section: str, name: str, sentence: str) -> ConfigError:
    line = line_of(text, section, name)
    return ConfigError(f"{path}:{line}: {sentence}" if line else f"{path}: {sentence}")


def _toml(value: SettingValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Where a game was described, so that what is wrong with it is told with file and line.

PLAYER = "player"  # the tables of players; their ``number`` counts from 1, 0 is one of the command line


class Misplaced(ConfigError):
    """A setting of a game to come is wrong, or missing. The place is that of a game's file: ``[section]`` and ``name``."""

    def __init__(self, sentence: str, *, section: str = "", name: str = "", number: int = 0) -> None:
        """*number*: of the table, where *section* is a list of tables."""
        self.section, self.name, self.number = section, name, number
        super().__init__(sentence)


class Origin(Value):
    """The file that describes a game. ``overruled``: settings that the command line gave otherwise, as ``options.speed``."""

    file: Path
    text: str
    overruled: frozenset[str] = frozenset()

    def with_place(self, sentence: str, section: str = "", name: str = "", number: int = 0) -> str:
        """Return a sentence with the file before it, and the line of the setting or else of its section, if it has one."""
        if f"{section}.{name}".strip(".") in self.overruled or (section == PLAYER and not number):
            return sentence
        line = line_of(self.text, section, name, number) if name else 0
        line = line or (line_of(self.text, section, "", number) if section else 0)
        return f"{self.file}:{line}: {sentence}" if line else f"{self.file}: {sentence}"

    def told_position(self, fault: str) -> str:
        """Return a fault of a typed-in position with the file and the line of the key that it begins with."""
        keys = ["position", *fault.partition(":")[0].split(".")]
        places = [(".".join(keys[:depth]), keys[depth]) for depth in range(len(keys) - 1, 0, -1)]
        found = next((place for place in places if line_of(self.text, *place)), ("position", ""))
        return self.with_place(f"position.{fault}", *found)


@contextmanager
def locate(origin: Origin | None, options: Texts = ()) -> Iterator[None]:
    """Whatever is wrong with a game is told with the place in the file that says so; *options*: the names of those chosen."""
    try:
        yield
    except RefereeError as error:
        if origin:
            error.args = (_fault_text(origin, error, options),)
        raise


def _fault_text(origin: Origin, error: RefereeError, options: Texts) -> str:
    match error:
        case Misplaced():
            return origin.with_place(str(error), error.section, error.name, error.number)
        case PositionError():
            return "\n".join(map(origin.told_position, error.faults))
        case OptionError():
            sections = dict.fromkeys(("preset", "pace"), "") | dict.fromkeys(options, "options")
            named = next((word for word in re.findall(r"[\w-]+", str(error)) if word in sections), "")
            return origin.with_place(str(error), sections.get(named, ""), named)
        case NotFound():
            return origin.with_place(str(error), "", "game")
    return str(error)
