"""How we prove to a mail server who we are: a password, or an OAuth2 token that a command of the umpire's prints; how
long one that fails is left alone, and of whom it speaks.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import time
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from referee.core import ConfigError, LoginRefused, MailDown, Value

Line = TypeVar("Line")

TOKEN_TIMEOUT = 60  # seconds that a token command may take: it may have to ask a server itself

_TOKEN = re.compile(r"[A-Za-z0-9._~+/=:-]{1,16000}")
_REFUSED = "the token command {program!r} {what}"


class Login(Value):
    """Who logs in, with a password or a token; without both, nobody needs to."""

    user: str
    password: str = ""
    token: str = ""

    def __repr__(self) -> str:
        return f"Login(user={self.user!r})"


Credentials = Callable[[], Login]  # asked anew at each login, because tokens run out and passwords are changed


def credentials(user: str, password: Callable[[], str], token_command: str) -> Credentials:
    """Return what gives the login: by *token_command* if there is one, else by *password*.

    Asking raises ConfigError, or LoginRefused if the token command fails.
    """

    def ask() -> Login:
        if token_command:
            return Login(user=user, token=token_of(token_command))
        return Login(user=user, password=password())

    return ask


def login_with(ask: Credentials, log_in: Callable[[Login], Line]) -> Line:
    """Return what *log_in* returns; a refused token is asked for once more, for it may have run out a moment ago.

    Raises:
        LoginRefused: the server does not know us; and whatever *ask* and *log_in* raise.
    """
    login = ask()
    try:
        return log_in(login)
    except LoginRefused:
        newer = ask() if login.token else login
        if newer == login:
            raise
        return log_in(newer)


def token_of(command: str, timeout: float = TOKEN_TIMEOUT) -> str:
    """Return the first line that the umpire's *command* prints. No shell reads it; what it prints is never logged.

    Raises:
        ConfigError: it is no command.
        LoginRefused: it fails, takes too long or prints no token.
    """
    words = _words(command)
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)  # noqa: S603 (the umpire's own command)
    except subprocess.TimeoutExpired:
        raise LoginRefused(_REFUSED.format(program=words[0], what=f"said nothing for {timeout:g} seconds")) from None
    except BlockingIOError as error:  # the machine has no process for it now
        raise MailDown(_REFUSED.format(program=words[0], what=f"cannot be run: {error.strerror}")) from None
    except OSError as error:
        raise ConfigError(_REFUSED.format(program=words[0], what=f"cannot be run: {error.strerror}")) from None
    if done.returncode:
        raise LoginRefused(_REFUSED.format(program=words[0], what=f"failed with exit code {done.returncode}"))
    token = done.stdout.decode("ascii", "replace").partition("\n")[0].strip()
    if not _TOKEN.fullmatch(token):
        raise LoginRefused(_REFUSED.format(program=words[0], what="printed no token"))
    return token


def xoauth2(login: Login) -> str:
    """Return what a client says for the mechanism XOAUTH2 (Google, Microsoft)."""
    return f"user={login.user}\1auth=Bearer {login.token}\1\1"


def oauthbearer(login: Login, host: str, port: int) -> str:
    """Return what a client says for the mechanism OAUTHBEARER (RFC 7628)."""
    user = login.user.replace("=", "=3D").replace(",", "=2C")
    return f"n,a={user},\1host={host}\1port={port}\1auth=Bearer {login.token}\1\1"


def mechanism(offered: frozenset[str]) -> str:
    """Return by which mechanism a token is shown to a server that offers these; XOAUTH2 if it does not say."""
    return "OAUTHBEARER" if "OAUTHBEARER" in offered and "XOAUTH2" not in offered else "XOAUTH2"


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"token_command: {error}") from None
    if not words:
        raise ConfigError("token_command is empty")
    return words


# How long a server that fails is left alone.

FIRST = 5.0  # seconds
LONGEST = 900.0


class Patience:
    """Seconds to wait after failures in a row: 5, 10, 20 ... 15 minutes, and by chance up to a quarter more.

    *chance* gives numbers from 0 to below 1; *clock* gives seconds that never go back.
    """

    def __init__(self, chance: Callable[[], float], clock: Callable[[], float] = time.monotonic) -> None:
        self._chance = chance
        self._clock = clock
        self._failures = 0
        self._until = 0.0

    def count_failure(self) -> None:
        """Count a failure."""
        wait = min(LONGEST, FIRST * 2 ** min(self._failures, 20))
        self._failures += 1
        self._until = self._clock() + wait * (1 + self._chance() / 4)

    def forget_failures(self) -> None:
        """Forget the failures."""
        self._failures, self._until = 0, 0.0

    def seconds_left(self) -> float:
        """Return how many seconds are still to be waited."""
        return max(0.0, self._until - self._clock()) if self._failures else 0.0


# Of whom a mail server speaks that does not take a letter: known by ``refusals.toml``.

_STATUS = re.compile(r"[45](\.[0-9]{1,3}){2}")


def speaks_of(words: str) -> str:
    """Return ``us``, ``reader`` (of the letter's own reader or size), or "" where that is not clear."""
    known, said = _read_failures(), words.lower()
    codes = {f"5{found[0][1:]}" for found in _STATUS.finditer(said)}
    if codes.intersection(known["reader"]["codes"]):
        return "reader"
    for whom in ("us", "reader"):
        if codes.intersection(known[whom]["codes"]) or any(each in said for each in known[whom]["words"]):
            return whom
    return ""


def alike(words: str) -> str:
    """Return what is left of a refusal without what differs from letter to letter: addresses, numbers, names of queues."""
    return " ".join(re.findall(r"(?<!\S)[a-z.,:;'-]+(?!\S)", re.sub(r"<[^>]*>|\S+@\S+", " ", words.lower())))


@cache
def _read_failures() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("refusals.toml").read_text("utf-8"))
