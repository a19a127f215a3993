"""Lines with which mail programs begin a signature, in the languages of ``attribution``."""

from __future__ import annotations

import re

_SIGNATURE = re.compile(
    r"--|sent from my .*|sent from (?:mail|outlook|yahoo|proton).*|sent with .*|get outlook for .*"
    r"|von meinem .* gesendet|gesendet von .*|gesendet mit .*|hol(?:en)? (?:sie )?(?:dir |sich )?outlook für .*"
    r"|envoy[ée] de mon .*|envoy[ée] depuis .*|télécharger outlook pour .*|verstuurd vanaf .*|verzonden vanaf .*"
    r"|inviato da(?:l mio)? .*|enviado desde .*|enviado d[eo] (?:mi|meu) .*|wysłan[eo] z .*|отправлено (?:с|из) .*"
    r"|skickat från .*|sendt fra .*|lähetetty .*(?:sta|stä)|odesláno z .*|.*-?r[óőö]l küldve|küldve .*",
    re.IGNORECASE,
)


def signs(line: str) -> bool:
    """Return whether a signature begins with this line."""
    return _SIGNATURE.fullmatch(line.strip()) is not None
