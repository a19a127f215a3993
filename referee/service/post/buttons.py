"""What the umpire can do about a letter of ours: buttons in its page, each a letter with a whole command and a code for that.

Nothing happens before that letter is sent.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from referee.core.values import Value
from referee.orderbook.language.expressions import COMMANDS
from referee.report.sentences import Spoken
from referee.resources import word_texts
from referee.service.club import Club
from referee.service.duetimes import rhythm_of
from referee.service.post.codes import CLUB, address_of, code_of_umpire, tag_of_code
from referee.service.post.readers import language_of
from referee.service.umpires import umpire_at
from referee.store import codes, games, seats
from referee.store.rows import CodeRow

_DAYS = timedelta(days=3)  # that a button gives a turn


class Button(Value):
    """``label`` on it; the ``command`` that it sends, with words to the players below it; ``href``: the letter; the ``code`` in
    that, None where the command needs none.
    """

    label: str
    command: str
    href: str
    code: CodeRow | None = None


class Choice(Value):
    """What waits for the umpire under a ``title``, "" for all that the letter says; ``nothing``: what comes of doing nothing."""

    buttons: tuple[Button, ...]
    title: str = ""
    nothing: str = ""


@cache
def command_names() -> Mapping[str, Mapping[str, str]]:
    """Return what each language calls the commands, by their English names."""
    tables: Mapping[str, Mapping[str, str]] = tomllib.loads(word_texts("")[0])[COMMANDS]
    return tables


def spoken_commands(language: str) -> Spoken:
    """Return the names that a language has for commands."""
    return Spoken(command_names().get(language, {}))


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("buttons.toml").read_text("utf-8"))


def choices_of(
    club: Club, address: str, kind: str, game: str | None, values: Mapping[str, Any], key: str
) -> tuple[Choice, ...]:
    """Return what an umpire at an *address* can do in a case of a *kind*, by ``buttons.toml``: one choice, or none, without the
    buttons whose command names more than there is among the *values*. *key*: what their codes are made of; "" for none.
    """
    cases = _table()["cases"]
    asked = cases.get(f"{kind}-{values.get('how')}") or cases.get(kind, ())
    given = {"game": game or values.get("tag", CLUB), **_reckoned(club, game, values), **values}
    made = (_button(club, address, name, given, key) for name in asked)
    title, nothing = _word(club, address, "case", kind, given), str(given.get("then", kind))
    nothing = _word(club, address, "nothing", nothing, given)
    return (Choice(buttons=tuple(filter(None, made)), title=title, nothing=nothing),) if asked else ()


def issue(club: Club, cases: Iterable[Choice]) -> None:
    """Keep the codes of buttons. Inside a transaction."""
    for code in codes_in(cases):
        codes.issue(club.db, code)


def codes_in(cases: Iterable[Choice]) -> tuple[CodeRow, ...]:
    """Return the codes of buttons."""
    return tuple(each.code for found in cases for each in found.buttons if each.code)


def _reckoned(club: Club, game: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    row = games.known(club.db, game) if game else None
    told: dict[str, Any] = {"turn": row.turn, "last": row.turn - 1} if row else {}
    times = (
        {"later": (values.get("deadline") or row.deadline, _DAYS), "was": (values.get("before"), timedelta())}
        if row
        else {}
    )
    for name, (at, more) in times.items():
        if row and isinstance(at, datetime):
            told[name] = f"{at.astimezone(ZoneInfo(rhythm_of(club.config, row).zone)) + more:%Y-%m-%d %H:%M}"
    if len(missing := values.get("missing", ())) == 1:
        told |= {"player": missing[0]}
    if seats.standbys(club.db):
        told |= {"STANDBY": "STANDBY"}
    return told


def _button(club: Club, address: str, name: str, values: Mapping[str, Any], key: str) -> Button | None:
    asked = _table()["commands"][name]
    try:
        line = str(asked["line"]).format_map(values)
    except KeyError:
        return None
    line = text = spoken_commands(language_of(club, address)).sentence(line)
    if asked.get("words"):
        text = f"{line}\n\n{_word(club, address, 'button-words', name, values)}"
    game = CLUB if asked.get("club") else str(values["game"])
    umpire = umpire_at(club, address, game)
    if umpire is None:
        return None
    code = tag = None
    if key and not asked.get("looks"):
        bound = values.get("bound")  # what is confirmed, by the code that the letter brings anyway
        code = code_of_umpire(club, game, umpire, key if bound else f"{key}:{name}", bound or text)
        tag = tag_of_code(code)
    to = (address_of(club, tag) if tag else "") or club.config.address
    subject = f"[{tag}] {line}" if tag else line
    body = text.replace("\n", "\r\n")
    href = f"mailto:{to}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
    return Button(label=_word(club, address, "button", name, values), command=line, href=href, code=code)


def _word(club: Club, address: str, section: str, name: str, values: Mapping[str, Any]) -> str:
    """Return a word for an umpire, "" where there is none of that name."""
    told = club.stationery.sentences("", language_of(club, address)).word(section, name, **values)
    return "" if told == name else told
