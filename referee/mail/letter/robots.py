"""The loop guard. Two questions, never one: did a machine write this, so that nobody meant what it says? And may it be answered?

A header that asks for no automatic answer does not make a player's orders a machine's letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .headers import HeaderFields, decoded_line, read_head
from .text import WORDS

OWN_HEADER = "X-Referee-Game"  # in every letter we send

_ROBOTS = WORDS["robots"]
SUBJECT_READ = 100  # characters

_EXCHANGE_DAEMON = re.compile(r"microsoftexchange[0-9a-f]{8,40}")
_DEAF = re.compile(r"(?:no|do-?not|donot)[._-]?reply(?:[+._-].*)?", re.IGNORECASE)
# What the programs of most countries put before the subject of a note of absence; a person's reply to one begins with Re:.
_ABSENT = re.compile(
    r"(?:auto(?:mat(?:ic|ed))?[ -]?(?:reply|response)|auto:|out of (?:the )?office|i am out of the office|on vacation"
    r"|abwesenheits(?:notiz|assistent|nachricht)|abwesend|automatische antwort|ich bin (?:nicht )?im urlaub"
    r"|réponse automatique|absence du bureau|message d'absence|respuesta autom[aá]tica|fuera de (?:la )?oficina"
    r"|risposta automatica|fuori (?:sede|ufficio)|resposta autom[aá]tica|automatisch (?:antwoord|beantwoorden)"
    r"|afwezigheid|autosvar|automatisk svar|automatiskt svar|frånvaro|fravær|automaattinen vastaus|poissa"
    r"|odpowiedź automatyczna|autoodpowiedź|automatická odpov[eě]ď|automatikus válasz|otomatik yanıt"
    r"|автоматический ответ|автоответ|自動応答|自動返信|自动回复|자동 회신)(?!\w)",
    re.IGNORECASE,
)
# What a machine says of itself in the first words of a text, or in a subject: Note: This is an automated response.
_AUTOMATIC = re.compile(
    r"(?:\W*(?:note|notice|please note|attention|hinweis|achtung|bitte beachten|nota|remarque|attenzione|let op)\s*:)?\W*"
    r"(?:this (?:is|was) an? (?:auto(?:mat(?:ed|ic))?|automatically generated|auto-?generated)[ -](?:e-?mail )?"
    r"(?:response|reply|message|e-?mail|notification|answer)"
    r"|this (?:message|e-?mail) (?:is|was|has been) (?:auto-?|automatically )(?:generated|sent)"
    r"|(?:dies|das) ist eine automatisch(?:e| erzeugte| generierte| erstellte) (?:antwort|nachricht|e-?mail|mail|mitteilung)"
    r"|diese (?:antwort|nachricht|e-?mail|mail) wurde automatisch"
    r"|ceci est (?:une réponse|un message|un courriel|un e-?mail) (?:automatique|généré)"
    r"|(?:est[ae] es|esto es) un[a ] ?(?:respuesta|mensaje|correo) autom[aá]tic[ao]"
    r"|quest[ao] è un[a ]? ?(?:risposta|messaggio|e-?mail) automatic[ao]"
    r"|dit is een automatisch(?:e)? (?:gegenereerd )?(?:antwoord|bericht|e-?mail)"
    r"|est[ae] é uma? (?:resposta|mensagem|e-?mail) autom[aá]tic[ao]"
    r"|to jest (?:automatyczna )?(?:odpowiedź|wiadomość) ?(?:automatyczna|wygenerowana automatycznie)?"
    r"|это автоматическ(?:ий|ое) (?:ответ|сообщение|письмо)"
    r"|detta är ett automatiskt (?:svar|meddelande)|dette er (?:et|en) automatisk (?:svar|besked|melding)"
    r"|tämä on automaattinen (?:vastaus|viesti)|toto je automatická (?:odpověď|zpráva)|ez egy automatikus (?:válasz|üzenet))",
    re.IGNORECASE,
)
_FIRST_LINES, _FIRST_WORDS = 5, 300  # in which a text says that nobody wrote it; _FIRST_WORDS are characters


def robot_reason(head: HeaderFields, sender: str) -> str:
    """Return why the letter was written by a machine, "" where a person may have written it: a reason of ``MACHINES``."""
    return next((reason for reason, shows in MACHINES.items() if shows(head, sender)), "")


def is_answerable(head: HeaderFields, sender: str) -> bool:
    """Return whether an automatic answer may go to *sender*, the address in From ("" for none)."""
    return bool(sender) and not any(shows(head, sender) for shows in (*MACHINES.values(), *UNANSWERED.values()))


def says_automatic(text: str) -> bool:
    """Return whether a text says at its beginning that a machine answers."""
    lines = (line.strip() for line in text[: 4 * _FIRST_WORDS].split("\n"))
    first = [line for line in lines if line and not line.startswith(">")][:_FIRST_LINES]
    return any(_AUTOMATIC.match(line[:_FIRST_WORDS]) for line in first)


def is_daemon(head: HeaderFields, sender: str) -> bool:
    """Return whether the letter says that a mail server writes: in From, or as who sent it on its way."""
    local = _local(sender)
    return (
        local in _ROBOTS["daemons"]
        or any(_local(path) in _ROBOTS["daemons"] for path in (*head.all("return-path"), head.envelope))
        or _EXCHANGE_DAEMON.fullmatch(local) is not None
        or any("mailer-daemon" in value.lower() for value in head.all("from"))
        or any(map(head.all, _ROBOTS["bounce"]))
    )


def is_absent(raw: bytes, letter_text: str) -> bool:
    """Return whether a letter says that a machine answers in the place of somebody who is away."""
    return _is_absent(read_head(raw)[0]) or says_automatic(letter_text)


def _local(address: str) -> str:
    return address.strip(" <>").partition("@")[0].lower()


def _is_bounce(head: HeaderFields, sender: str) -> bool:
    kind = head.first("content-type").lower().partition(";")[0].strip()
    return (
        kind in ("multipart/report", "message/delivery-status")
        or any(re.sub(r"\s", "", path) == "<>" for path in head.all("return-path"))
        or is_daemon(head, sender)
    )


def _is_suppressed(head: HeaderFields) -> bool:
    words = {word.strip().lower() for value in head.all("x-auto-response-suppress") for word in value.split(",")}
    # DR, NDR, RN, NRN and OOF ask for no reports and no absence notes; only these two mean an answer like ours.
    return bool(words & {"all", "autoreply"})


def _is_absent(head: HeaderFields) -> bool:
    subject = decoded_line(head.first("subject"), SUBJECT_READ)
    return bool(_ABSENT.match(subject) or _AUTOMATIC.match(subject))


def _precedence(head: HeaderFields) -> set[str]:
    return {_token(value) for name in ("precedence", "x-precedence") for value in head.all(name)}


def _token(value: str) -> str:
    """Return the first word of a header, without comments and parameters, in lower case."""
    return re.split(r"[\s;(]", value.strip(), maxsplit=1)[0].lower()


# Something in a header by which a letter is not answered, by its reason; asked with the header and the address in From, "" for
# none. docs/letters.md has a row for each.
Shows = Callable[[HeaderFields, str], bool]

# Nobody wrote it, so nothing in it is carried out.
MACHINES: Mapping[str, Shows] = {
    "own letter": lambda head, _: bool(head.all(OWN_HEADER.lower())),
    "receipt": lambda head, _: "disposition-notification" in head.first("content-type").lower(),
    "bounce": _is_bounce,
    "auto-submitted": lambda head, _: any(_token(value) not in ("no", "") for value in head.all("auto-submitted")),
    "auto-reply": lambda head, _: any(map(head.all, _ROBOTS["auto"])) or "auto_reply" in _precedence(head),
}
UNANSWERED: Mapping[str, Shows] = {
    "list": lambda head, _: (
        bool(_precedence(head).intersection(_ROBOTS["bulk"])) or any(map(head.all, _ROBOTS["list"]))
    ),
    "suppressed": lambda head, _: _is_suppressed(head),
    "absence": lambda head, _: _is_absent(head),
    "no-reply": lambda _, sender: _DEAF.fullmatch(sender.partition("@")[0]) is not None,
}
