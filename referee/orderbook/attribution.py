"""How mail programs announce what they quote, and sign, in the languages our players' programs speak.

en de fr nl it es pt pl ru sv da no fi cs hu. The words stand in this order wherever a language has words of its own.
"""

from __future__ import annotations

import re

LONGEST = 300  # characters of an announcement, over at most so many lines:
MOST_LINES = 3

_WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|a écrit|a ecrit|schreef|ha scritto|escribió|escribio|escreveu|pisze|napisał(?:\(?a\)?)?"
    r"|пишет|писала?|написала?|написал\(а\)|skrev|skriver|kirjoitti|napsal(?:\(?a\)?)?|píše|ezt írta|írta)\b",
    re.IGNORECASE,
)
# A date or an address must be in it, so that press may say "wrote:", and in its first line, so that no order belongs to it.
_DATED = re.compile(r"@|\d\D+\d")
_OPENING = re.compile(r"(?:on|am|le|op|il|el|em|no dia|dnia|w dniu|den|dne)\b.*\d", re.IGNORECASE)
_DATED_LINE = re.compile(r".*@|.*\b\d{1,2}[:.]\d{2}\b|.*\b(?:19|20)\d\d\b")
# Some programs name a time and an address, and no verb: ср, 2 дек. 2026 г. в 20:00, Referee <referee@example.org>:
_VERBLESS = re.compile(r".*\b\d{1,2}[:.]\d{2}\b.*<[^<>\s]+@[^<>\s]+>\s*:")

_ORIGINAL = re.compile(
    r"-{2,}\s*(?:original message|forwarded message|urspr[üu]ngliche nachricht|weitergeleitete nachricht"
    r"|message d.origine|message transf[ée]r[ée]|oorspronkelijk bericht|doorgestuurd bericht"
    r"|messaggio originale|messaggio inoltrato|mensaje original|mensaje reenviado|mensagem original"
    r"|mensagem encaminhada|(?:wiadomość )?oryginalna(?: wiadomość)?|przekazana wiadomość|wiadomość oryginalna"
    r"|исходное сообщение|оригинальное сообщение|пересылаемое сообщение|ursprungligt meddelande"
    r"|vidarebefordrat meddelande|oprindelig meddelelse|videresendt meddelelse|opprinnelig melding|videresendt melding"
    r"|alkuperäinen viesti|välitetty viesti|původní zpráva|přeposlaná zpráva|eredeti üzenet|továbbított üzenet)\b.*",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:réexpédié|transféré)"
    r"|begin doorgestuurd bericht|inizio messaggio inoltrato|inicio del mensaje reenviado"
    r"|início da mensagem (?:reenviada|encaminhada)|początek przekazywanej wiadomości"
    r"|начало переадресованного сообщения|vidarebefordrat brev|start på videresendt besked|videresendt melding"
    r"|välitetty viesti alkaa|začátek přeposílané zprávy|továbbított levél kezdete)\s*:",
    re.IGNORECASE,
)
_RULE = re.compile(r"_{20,}")


def _label(words: str) -> re.Pattern[str]:
    """Return the pattern of a header line of Outlook's block, one of these words before a colon, perhaps in bold."""
    return re.compile(rf"\*?(?:{'|'.join(words.split())})\s?:\*?\s?\S.*", re.IGNORECASE)


_FROM = _label("from von de van da od от från fra lähettäjä feladó")
_SENT = _label(
    "sent date gesendet datum envoyé envoye verzonden inviato data enviado fecha wysłano отправлено дата skickat sendt"
    " dato lähetetty päivämäärä odesláno elküldve küldve dátum"
)
_TO = _label(
    "to subject an betreff à a objet aan onderwerp oggetto para asunto assunto do temat кому тема till ämne til emne"
    " vastaanottaja aihe komu předmět címzett tárgy"
)

_SIGNATURE = re.compile(
    r"--|sent from my .*|sent from (?:mail|outlook|yahoo|proton).*|sent with .*|get outlook for .*"
    r"|von meinem .* gesendet|gesendet von .*|gesendet mit .*|hol(?:en)? (?:sie )?(?:dir |sich )?outlook für .*"
    r"|envoy[ée] de mon .*|envoy[ée] depuis .*|télécharger outlook pour .*|verstuurd vanaf .*|verzonden vanaf .*"
    r"|inviato da(?:l mio)? .*|enviado desde .*|enviado d[eo] (?:mi|meu) .*|wysłan[eo] z .*|отправлено (?:с|из) .*"
    r"|skickat från .*|sendt fra .*|lähetetty .*(?:sta|stä)|odesláno z .*|.*-?r[óőö]l küldve|küldve .*",
    re.IGNORECASE,
)


def announced(lines: list[str], at: int) -> int:
    """Return how many lines from *at* on announce a quotation: 0 to 3, long announcements are wrapped."""
    first = lines[at].strip()[:LONGEST]
    if not _OPENING.match(first) and not _DATED_LINE.match(first):
        return 0
    for count in range(1, MOST_LINES + 1):
        joined = " ".join(line.strip() for line in lines[at : at + count])
        if len(joined) > LONGEST:
            return 0
        if joined.endswith(":") and _announces(joined):
            return count
        following = lines[at + count].strip() if at + count < len(lines) else ""
        if not following or following.startswith((">", "|")) or _OPENING.match(following[:LONGEST]):
            return 0
    return 0


def signs(line: str) -> bool:
    """Return whether a signature begins with this line."""
    return _SIGNATURE.fullmatch(line.strip()) is not None


def ends_letter(lines: list[str], at: int) -> bool:
    """Return whether a signature or an unquoted original begins here: nothing below is the writer's."""
    return signs(lines[at]) or begins_original(lines, at)


def begins_original(lines: list[str], at: int) -> bool:
    """Return whether the letter that is answered, or passed on, begins here without any mark of quotation."""
    line = lines[at].strip()
    if any(pattern.fullmatch(line) for pattern in (_ORIGINAL, _FORWARDED, _RULE)):
        return True
    if not _FROM.fullmatch(line):
        return False
    block = [other.strip() for other in lines[at + 1 : at + 6]]
    return any(map(_SENT.fullmatch, block)) and any(map(_TO.fullmatch, block))


def _announces(joined: str) -> bool:
    if _VERBLESS.fullmatch(joined):
        return True
    return _DATED.search(joined) is not None and _WROTE.search(joined) is not None
