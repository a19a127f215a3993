"""Where the letter that is answered, or passed on, begins without a mark: below a rule or a block of its header lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from referee.core.regex import regex

LONGEST = 300  # characters of a line that is looked at
MOST_LINES = 10  # of a block of header lines, empty ones not counted
MOST_OTHERS = 3  # of these that are no header lines: long ones are wrapped

_RULED = regex(
    r"-{2,}\s*(?:original(?: message|\s*-{2,})|reply message|forwarded message|urspr[üu]ngliche (?:nachricht|mail)"
    r"|original-?nachricht|weitergeleitete nachricht|message d.origine|(?:message|mail|e-mail) original|message transf[ée]r[ée]"
    r"|oorspronkelijk bericht|doorgestuurd bericht|messaggio originale|messaggio inoltrato|mensaje original"
    r"|mensaje reenviado|mensagem original|mensagem encaminhada|(?:wiadomość )?oryginalna(?: wiadomość)?"
    r"|przekazana wiadomość|wiadomość oryginalna|исходное сообщение|оригинальное сообщение|пересылаемое сообщение"
    r"|ursprungligt meddelande|vidarebefordrat meddelande|oprindelig (?:meddelelse|besked)|videresendt (?:meddelelse|besked)"
    r"|opprinnelig melding|videresendt melding|alkuperäinen viesti|välitetty viesti|původní (?:zpráva|e-?mail)"
    r"|přeposlaná zpráva|eredeti üzenet|továbbított üzenet|原始邮件|原始郵件)(?!\w).*",
    re.IGNORECASE,
)
_FORWARDED = regex(
    r"(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:réexpédié|transféré)"
    r"|begin doorgestuurd bericht|inizio messaggio inoltrato|inicio del mensaje reenviado"
    r"|início da mensagem (?:reenviada|encaminhada)|początek przekazywanej wiadomości"
    r"|начало переадресованного сообщения|vidarebefordrat brev|start på videresendt besked|videresendt melding"
    r"|välitetty viesti alkaa|začátek přeposílané zprávy|továbbított levél kezdete)\s*:",
    re.IGNORECASE,
)
_RULE = regex(r"_{20,}")

_LABELS = {
    "from": "from von absender de expéditeur remitente van da mittente od от från fra lähettäjä feladó 发件人 寄件者 差出人",
    "sent": "sent date gesendet datum envoyé envoye verzonden inviato data enviado enviada fecha wysłano отправлено дата skickat"
    " sendt dato lähetetty päivämäärä odesláno elküldve küldve dátum 发送时间 日期 送信日時",
    "to": "to an empfänger à a destinataire aan para do кому till til vastaanottaja komu címzett 收件人 收件者 宛先",
    "subject": "subject betreff objet onderwerp oggetto asunto assunto temat тема ämne emne aihe předmět tárgy 主题 主旨 件名",
}
_KINDS = {word: kind for kind, words in _LABELS.items() for word in words.split()}
_LABEL = regex(r"[*_]{0,2}([^\W\d_]{1,14})(?: (?:le|el|em|il|am|op))?[ \t]{0,14}:", re.IGNORECASE)
_DATED = regex(r"message du \d", re.IGNORECASE)  # Orange
# Notes puts a name, a date, and then each label on a line of its own.
_BARE = frozenset(("to", "an", "à", "cc", "kopie", "copie", "subject", "thema", "betreff", "objet"))
_DATE_ALONE = regex(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?\s+\d{1,2}[:.]\d{2}.{0,12}")


def begins_original(lines: list[str], at: int) -> bool:
    """Return whether the letter that is answered, or passed on, begins here without any mark of quotation."""
    line = lines[at].strip()[:LONGEST]
    if line.startswith("-") and _RULED.fullmatch(line):
        return True
    if _FORWARDED.fullmatch(line) or _RULE.fullmatch(line):
        return True
    if _kind(line):
        return _is_header(_following(lines, at))
    return "@" in line and _is_header_of_notes(_following(lines, at))


def heads(line: str) -> bool:
    """Return whether this is a header line: ``Subject: orders``."""
    return bool(_kind(line[:LONGEST]))


def _following(lines: list[str], at: int) -> Iterator[str]:
    """Yield the line there and the next ones, without empty ones."""
    near = (line.strip()[:LONGEST] for line in lines[at : at + 2 * MOST_LINES])
    return islice(filter(None, near), MOST_LINES)


def _kind(line: str) -> str:
    """Return what a header line names: from, sent, to, subject; "" for any other line."""
    match = _LABEL.match(line)
    return _KINDS.get(match[1].lower(), "") if match else "sent" if _DATED.match(line) else ""


def _is_header(block: Iterator[str]) -> bool:
    """Return whether these lines begin with a header: who wrote, when, and to whom or about what, in any order, each once."""
    kinds: set[str] = set()
    others, undated = 0, False
    for line in block:
        kind = _kind(line)
        undated = (undated or kind == "sent") and not any(letter.isdecimal() for letter in line)
        others += not kind or kind in kinds
        if others > MOST_OTHERS:
            return False
        kinds.add(kind)
        if {"from", "sent"} <= kinds and kinds & {"to", "subject"} and not undated:
            return True
    return False


def _is_header_of_notes(block: Iterator[str]) -> bool:
    next(block, "")
    if not _DATE_ALONE.fullmatch(next(block, "")):
        return False
    return len(_BARE & {line.lower() for line in block}) >= 2
