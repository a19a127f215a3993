"""The secret in a reply address and in a subject by which a player's answer is known as theirs: ``[RR7-GSW-K7Q2M9XV]``."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Iterable
from itertools import islice

from referee.core import Value

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # no 0, O, 1, I: players may have to copy one
_FROM_BASE32 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", LETTERS)
_LOCAL_LIMIT = 64  # characters before the @ (RFC 5321)
_GAME, _PLAYER = r"(?P<game>[A-Za-z]{1,6}[0-9]{1,6})", r"(?P<player>[A-Za-z][A-Za-z0-9]{0,7})"
_CODE = r"(?P<token>[A-HJ-NP-Za-hj-np-z2-9]{8})"
_TAG = f"{_GAME}-{_PLAYER}-{_CODE}"
_WHOLE = re.compile(_TAG)
_IN_SUBJECT = re.compile(rf"\[{_TAG}\]")
_IN_ADDRESS = re.compile(rf"\+{_TAG}\Z")
_BROKEN = (
    r"((?:[ \t]{0,9}\n[ \t>|]{0,20})?)"  # a program may have broken the line behind a hyphen, perhaps in a quotation
)
_BEGINNING = r"(?:(?<![A-Za-z0-9])|(?<=%2B)|(?<=%2b))"  # in a mailto: a + is %2B
_END = rf"-{_BROKEN}{_PLAYER}-{_BROKEN}{_CODE}(?![A-Za-z0-9])"
ANYWHERE = re.compile(rf"{_BEGINNING}{_GAME}{_END}")
_ENDS = re.compile(_END)  # is looked for in a thirtieth of the time, and most letters have none
_NO_LETTER = (
    r"(?:<[^<>]{1,99}>|&(?:amp;)?#?\w{1,8};|%[0-9A-Fa-f]{2}|[^A-Za-z0-9])"  # nor a digit, as HTML and links spell them
)
_SPELT = re.compile(_NO_LETTER.replace("|[^A-Za-z0-9]", ""))
_OTHERS = bytes(each for each in range(128) if not chr(each).isalnum())
_MOST = 20  # tags of one letter that are looked at


class Tag(Value):
    """Game, player and token, in capitals, as a letter names them; nothing of it is checked."""

    game: str
    player: str
    token: str

    def __str__(self) -> str:
        return f"{self.game}-{self.player}-{self.token}"


def token_of(key: bytes, *words: str | int) -> str:
    """Return the token for *words*: 40 bits that nobody can guess who has not the *key*."""
    joined = "\n".join(map(str, words)).encode()
    return base64.b32encode(hmac.new(key, joined, hashlib.sha256).digest()[:5]).decode("ascii").translate(_FROM_BASE32)


def is_token(found: str, expected: str) -> bool:
    """Return whether two tokens are the same; how long that takes tells nothing."""
    return hmac.compare_digest(found.upper().encode(), expected.upper().encode())


def tags_in(recipients: Iterable[str], subject: str, own: str) -> tuple[Tag, ...]:
    """Return the tags in a letter, each once: those of *own* address with something behind its +, then the subject's, of which
    the last was written by us most recently and comes first.
    """
    found = [tag for address in recipients if (tag := _tag_of_address(address, own))]
    found += reversed([_tag(match) for match in _IN_SUBJECT.finditer(subject)])
    return tuple(dict.fromkeys(found))[:_MOST]


def tags_in_text(text: str, player: str) -> tuple[Tag, ...]:
    """Return the tags of *player* that stand as words in *text*, the last first."""
    words = (word.strip("[](),.;:!?") for word in reversed(text.split()))
    found = (_tag(match) for word in words if (match := _WHOLE.fullmatch(word)))
    return tuple(islice((tag for tag in found if tag.player == player), _MOST))


def reply_address(own: str, tag: Tag) -> str:
    """Return the address that answers go to, "" where what stands before the @ would be too long."""
    local, _, domain = own.rpartition("@")
    tagged = f"{local}+{str(tag).lower()}"
    return f"{tagged}@{domain}" if len(tagged) <= _LOCAL_LIMIT else ""


def add_code(subject: str, tag: Tag) -> str:
    """Return *subject* with the tag in the place of ``[RR7]``, or before it."""
    plain = f"[{tag.game}]"
    return subject.replace(plain, f"[{tag}]", 1) if plain in subject else f"[{tag}] {subject}"


def without_tokens(text: str, is_given: Callable[[Tag], bool] = lambda tag: True) -> str:
    """Return *text* with ``RR7`` in the place of every tag of which *is_given* says so: what others may read must not hold
    one. Lines keep their number.
    """

    def plain(match: re.Match[str]) -> str:
        return "".join(match.group(1, 2, 4)) if is_given(_tag(match)) else match[0]

    return ANYWHERE.sub(plain, text) if _ENDS.search(text) else text


def squeeze(text: str) -> str:
    """Return the letters and digits of *text* alone, in capitals."""
    return _SPELT.sub("", text).encode("ascii", "ignore").translate(None, _OTHERS).decode().upper()


def without_spelt(text: str, game: str, player: str, is_given: Callable[[Tag], bool]) -> str:
    """Return *text* with the game in the place of each tag of that player's that *is_given*, however its letters are joined."""
    stem = f"{_NO_LETTER}{{0,9}}+".join(f"{game}{player}")
    code = rf"(?:{_NO_LETTER}{{0,9}}+[A-HJ-NP-Za-hj-np-z2-9]){{8}}"

    def plain(match: re.Match[str]) -> str:
        return game if is_given(Tag(game=game, player=player, token=squeeze(match[1]))) else match[0]

    return re.sub(rf"(?<![A-Za-z0-9]){stem}({code})", plain, text, flags=re.IGNORECASE)


def without_letters(text: str, tags: Iterable[Tag]) -> str:
    """Return *text* with the game in the place of each tag's eight letters, however they are joined."""
    for tag in tags:
        if tag.token in squeeze(text):
            spelt = f"{_NO_LETTER}{{0,9}}+".join(tag.token)
            text = re.sub(rf"(?<![A-Za-z0-9]){spelt}(?![A-Za-z0-9])", tag.game, text, flags=re.IGNORECASE)
    return text


def _tag_of_address(address: str, own: str) -> Tag | None:
    local, _, domain = address.rpartition("@")
    own_local, _, own_domain = own.rpartition("@")
    if domain.lower() != own_domain.lower() or not local.lower().startswith(f"{own_local.lower()}+"):
        return None
    match = _IN_ADDRESS.fullmatch(local[len(own_local) :])
    return _tag(match) if match else None


def _tag(match: re.Match[str]) -> Tag:
    return Tag(game=match["game"].upper(), player=match["player"].upper(), token=match["token"].upper())
