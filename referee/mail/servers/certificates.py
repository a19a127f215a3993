"""Which certificates of mail servers are trusted; what is wrong with one, and who can mend it."""

from __future__ import annotations

import ssl
from pathlib import Path

from referee.core import ConfigError, Untrusted

from ..letter.text import clean_line

# Codes of OpenSSL (X509_V_ERR_...).
_NOT_YET, _RUN_OUT = 9, 10
_OTHER_NAME, _OTHER_NUMBER = 62, 64

_PLAIN = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST")  # what OpenSSL calls a greeting without TLS
_TLS = {"imap": 993, "smtp": 465}

_LONGEST = 200  # characters of the reason


def trusting(section: str, ca_file: str, folder: Path) -> ssl.SSLContext:
    """Return what trusts the certificates that the system does, and those in *ca_file* below *folder*, if that is not "".

    Raises:
        ConfigError: that file cannot be read; *section* is its table in the settings.
    """
    context = ssl.create_default_context()
    if ca_file:
        path = folder / ca_file
        try:
            context.load_verify_locations(path)
        except (OSError, ssl.SSLError) as error:
            why = clean_line(str(error), _LONGEST)
            raise ConfigError(f"{section}.ca_file: {path} cannot be read as PEM: {why}") from error
    return context


def certificate_error(where: str, section: str, host: str, error: ssl.SSLCertVerificationError) -> Untrusted:
    """Return the error for a server, called *where*, whose certificate is refused; *section*: its table in the settings."""
    text = f"{where}: its certificate is not trusted: {clean_line(error.verify_message, _LONGEST).rstrip('.')}"
    return Untrusted(text, _remedy(section, host, error.verify_code))


def _remedy(section: str, host: str, code: int) -> str:
    if code == _RUN_OUT:
        return "it has run out, and whoever runs the server must renew it; unless this machine's clock is wrong: look at it first"
    if code == _NOT_YET:
        return "it does not hold yet: look whether this machine's clock is right"
    if code in (_OTHER_NAME, _OTHER_NUMBER):
        return f"it is not for {host}: let {section}.host be a name that stands in it, as the provider tells it"
    return f"{section}.ca_file can name a certificate to trust besides the system's"


def no_tls(error: BaseException, section: str) -> str:
    """Return what to do about a server that does not speak TLS from the first byte, "" where the trouble is another."""
    if not isinstance(error, ssl.SSLError) or error.reason not in _PLAIN:
        return ""
    return f'it does not begin with TLS at this port: set {section}.security to "starttls", or {section}.port to {_TLS[section]}'
