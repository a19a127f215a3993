"""Letters as other programs, other hands and other languages would have written a recorded one.

What a mutant must be read as is what its letter is read as, or that letter without the line that was struck out: never else,
unless somebody is asked.
"""

import base64
import html
import quopri
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from tests.letters.corpus import Hear, Recorded, verdict, wanted

LABEL = re.compile(r"(?m)^((?:<[^>\n]*>)*)(\d)([a-h])\)")
LABELS = ("{}.{})", "{}({})", "{}{}.", "{}{}:", "#{}{})", "{} {})", "{}{}) ", "({}{})", "R{}{})", "{}{} -")
TWICE, LOST = "utf-8 made of utf-8", "accents lost"
CHARSETS = (
    *("utf-8", "iso-8859-1", "windows-1252", "utf-16", "iso-8859-15", "utf-7", "macintosh", "x-unknown", ""),
    *(TWICE, LOST),
)
ENCODINGS = ("7bit", "8bit", "quoted-printable", "base64", "")
ATTRIBUTIONS = (
    "On Wed, 2 Dec 2026 at 20:00, Bob <bob@example.net> wrote:",
    "Am 02.12.26 um 20:00 schrieb Bob:",
    "Le 02/12/2026 à 20:00, Bob a écrit :",
    "Op 2-12-2026 om 20:00 schreef Bob:",
    "El mié, 2 dic 2026 a las 20:00, Bob (<bob@example.net>) escribió:",
    "Il giorno mer 2 dic 2026 alle ore 20:00 Bob <bob@example.net> ha scritto:",
    "W dniu 2.12.2026 o 20:00, Bob pisze:",
    "Den ons 2 dec. 2026 kl 20:00 skrev Bob <bob@example.net>:",
    "2 Ara 2026 Çar, 20:00 tarihinde Bob <bob@example.net> şunu yazdı:",
    "Στις Τετ 2 Δεκ 2026 στις 8:00 μ.μ., ο χρήστης Bob <bob@example.net> έγραψε:",
    "ср, 2 груд. 2026 р. о 20:00 Bob <bob@example.net> пише:",
    "În mie., 2 dec. 2026 la 20:00, Bob <bob@example.net> a scris:",
    "-----Original Message-----\nFrom: Bob\nSent: Wednesday, 2 December 2026 20:00\nTo: Ann\nSubject: orders\n",
    "-----Ursprüngliche Nachricht-----\nVon: Bob\nGesendet: Mittwoch, 2. Dezember 2026 20:00\nAn: Ann\nBetreff: Zug\n",
    "________________________________\nDe : Bob\nEnvoyé : mercredi 2 décembre 2026 20:00\nÀ : Ann\nObjet : ordres\n",
    "Bob wrote:",
)
OTHERS = {"dampfross": "1a) (Cork) - N31\nHOME Galway", "volldampf": "BUILD 1: Berlin-Dresden\nBID 5"}
STRIKES = ("s", "del", "strike", 'span style="text-decoration:line-through"', 'span style="display:none"')
GONE = "\ue000"  # around what is struck out, until the letter has its form


@dataclass(frozen=True, slots=True)
class Mutant:
    """A letter, the same without what is struck out in it, and what was done to it."""

    of: Recorded
    raw: bytes
    without: bytes
    done: tuple[str, ...]


def seeded(seed: int = 1) -> random.Random:
    return random.Random(seed)  # noqa: S311


def mutants(letters: list[Recorded], number: int, seed: int = 1) -> Iterator[Mutant]:
    """Give so many, in the same order for the same *seed*."""
    drawn = seeded(seed)
    for at in range(number):
        yield _mutant(letters[at % len(letters)], drawn)


def _mutant(letter: Recorded, drawn: random.Random) -> Mutant:
    words = drawn.choice(("label", "quotation", "strike", "quoted line", "none"))
    # A marked line below an attribution is a quotation; of two texts that differ the other one may count.
    if (words == "quoted line" and re.search(rb"(?m)^\w{0,3}>|-----|____", letter.raw)) or b"multipart/" in letter.raw:
        words = "none" if words in ("strike", "quoted line") else words
    parts = drawn.choice(("html", "both", "footer", "inline", "same", "same"))
    charset, encoding = drawn.choice(CHARSETS), drawn.choice(ENCODINGS)
    label, strike, line = drawn.choice(LABELS), drawn.choice(STRIKES), drawn.random()
    game = str(letter.expected.get("language", "dampfross"))
    below = f"\n\n{drawn.choice(ATTRIBUTIONS)}\n{drawn.choice(('', '> '))}{{}}\n"

    def written(text: str, *, is_html: bool) -> str:
        if words == "label":
            return LABEL.sub(lambda found: found[1] + label.format(found[2], found[3]), text)
        if words == "quotation":
            mark = below[below.rstrip("\n").rindex("\n") + 1 :].partition("{")[0]
            others = f"\n{mark}".join(OTHERS[game].split("\n"))
            added = below.format(others)
            added = html.escape(added, quote=False).replace("\n", "<br>") if is_html else added
            return text.replace("</body>", f"{added}</body>") if "</body>" in text else text + added
        if words in ("strike", "quoted line") and not is_html:
            lines = text.split("\n")
            own = [at for at, each in enumerate(lines) if re.match(r"\w[^>]*[-–] ?\w", each)]
            if own:
                at = own[int(line * len(own))]
                lines[at] = f"> {lines[at]}" if words == "quoted line" else f"{GONE}{lines[at]}{GONE}"
            return "\n".join(lines)
        return text

    def built(*, keep: bool) -> bytes:
        message = message_from_bytes(letter.raw)
        for part in list(message.walk()):
            if part.get_content_maintype() == "text" and not part.get_filename():
                is_html = part.get_content_subtype() == "html"
                text = written(_text(part), is_html=is_html)
                _shape(part, text, parts if not message.is_multipart() else "same", strike if keep else "")
                for leaf in [part] if not part.is_multipart() else part.get_payload():
                    _encode(leaf, charset, encoding)  # type: ignore[arg-type]
        if parts == "footer":
            _add(message, "text/plain", b"--\nThis e-mail is confidential. Scanned by Mailguard 2.1 - all well\n", "")
        if parts == "inline":
            _add(message, "image/png", b"iVBORw0KGgo=\n", "base64")
        return bytes(message)

    done = tuple(each for each in (words, parts, charset or "no charset", encoding or "no encoding") if each)
    done += (label,) if words == "label" else (strike,) if words == "strike" else ()
    return Mutant(letter, built(keep=True), built(keep=False), done)


def _text(part: Message) -> str:
    raw = part.get_payload(decode=True)
    assert isinstance(raw, bytes)
    try:
        return raw.decode(part.get_content_charset("utf-8")).replace("\r\n", "\n")
    except (LookupError, UnicodeDecodeError):
        return raw.decode("latin-1")


def _shape(part: Message, text: str, shape: str, strike: str) -> None:
    """Give a part its text: as HTML, as both, or as it is. What is struck out in plain text is struck out in HTML alone."""
    if part.get_content_subtype() == "html" or (shape not in ("html", "both") and GONE not in text):
        part.set_payload(text.encode())
        return
    plain = re.sub(f"{GONE}(.*?){GONE}", r"\1" if strike else "", text)
    tag = strike.partition(" ")[0]
    opened, closed = (f"<{strike}>", f"</{tag}>") if strike else ("", "")
    rich = "".join(f"<div>{html.escape(each, quote=False) or '<br>'}</div>\n" for each in text.split("\n"))
    rich = re.sub(f"{GONE}(.*?){GONE}", lambda found: opened + found[1] + closed if strike else "", rich)
    if shape != "both":
        part.set_type("text/html")
        part.set_payload(f"<html><body>{rich}</body></html>".encode())
        return
    leaves = []
    for kind, words in (("text/plain", plain), ("text/html", f"<html><body>{rich}</body></html>")):
        leaf = Message()
        leaf["Content-Type"] = f"{kind}; charset=utf-8"
        leaf.set_payload(words.encode())
        leaves.append(leaf)
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        del part[name]
    part["Content-Type"] = 'multipart/alternative; boundary="=_alt"'
    part.set_payload([*leaves])


def _encode(part: Message, charset: str, encoding: str) -> None:
    text = str(part._payload).encode("utf-8", "surrogateescape").decode()  # type: ignore[attr-defined]  # not by its old label
    if part["Content-Type"] is None:
        part["Content-Type"] = "text/plain"
    part.del_param("charset")
    if charset == TWICE:
        text = text.encode().decode("latin-1")
    elif charset == LOST:
        text = text.encode("ascii", "replace").decode()
    charset = "utf-8" if charset in (TWICE, LOST) else charset
    used = charset if charset not in ("x-unknown", "") else "utf-8"
    used = used.replace("macintosh", "mac-roman")
    try:
        data = text.encode(used)
    except UnicodeEncodeError:
        data, charset = text.encode(), "utf-8"
    if charset:
        part.set_param("charset", charset)
    del part["Content-Transfer-Encoding"]
    if encoding == "base64" or charset == "utf-16":
        part["Content-Transfer-Encoding"] = "base64"
        part.set_payload(base64.encodebytes(data).decode())
    elif encoding == "quoted-printable":
        part["Content-Transfer-Encoding"] = encoding
        part.set_payload(quopri.encodestring(data).decode())
    else:
        if encoding:
            part["Content-Transfer-Encoding"] = encoding
        part.set_payload(data.decode("ascii", "surrogateescape"))


def _add(message: Message, kind: str, data: bytes, encoding: str) -> None:
    """Add a part at the end, around what the letter had alone."""
    added = Message()
    added["Content-Type"] = kind
    if encoding:
        added["Content-Transfer-Encoding"] = encoding
    added.set_payload(data.decode())
    first = Message()
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        if message[name]:
            first[name] = message[name]
            del message[name]
    first.set_payload(message._payload)  # type: ignore[attr-defined]  # as it stands: get_payload would decode it
    message["Content-Type"] = 'multipart/mixed; boundary="=_mixed"'
    message.set_payload([first, added])


# Recorded letters and their mutants with the verdict on each: exact, asked or wrong.


def judged(hear: Hear, letters: list[Recorded]) -> Iterator[tuple[Recorded, str]]:
    for letter in letters:
        yield letter, verdict(hear(letter, letter.raw), wanted(letter))


def judged_mutants(hear: Hear, letters: list[Recorded], number: int) -> Iterator[tuple[Mutant, str]]:
    """Give mutants, each held against its letter as that is read, or without what is struck out."""
    meant = {letter.name: hear(letter, letter.raw).said for letter in letters}
    for mutant in mutants(letters, number):
        found = hear(mutant.of, mutant.raw)
        result = verdict(found, meant[mutant.of.name])
        if "strike" in mutant.done:
            result = verdict(found, hear(mutant.of, mutant.without).said)
        yield mutant, result
