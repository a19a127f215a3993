"""A certificate that is refused is told with what would mend it: another name, another day, another signature."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from referee.config import Smtp
from referee.core.errors import Untrusted
from referee.mail.servers.login import Login
from referee.mail.servers.smtp import open_line
from referee.service.doctor.servers import not_opened
from tests.servers.mailhost import MailHost

SIGNING = """\
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
subjectAltName = DNS:localhost
"""


def certificate(folder: Path, begins: str, ends: str) -> Path:
    """Write a certificate for localhost that holds between two days, with its key."""
    for name, text in {"ca.conf": SIGNING, "index.txt": "", "serial": "01\n"}.items():
        (folder / name).write_text(text)
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem"
    asking = f"req -new {key} -subj /CN=localhost -out request.pem"
    signing = "ca -selfsign -batch -notext -config ca.conf -keyfile key.pem -in request.pem -out cert.pem"
    for command in (asking, f"{signing} -startdate {begins}000000Z -enddate {ends}000000Z"):
        subprocess.run(("openssl", *command.split()), cwd=folder, capture_output=True, check=True)
    whole = folder / "host.pem"
    whole.write_text((folder / "cert.pem").read_text() + (folder / "key.pem").read_text())
    return whole


@pytest.mark.parametrize(
    ("days", "host", "remedy"),
    [
        (("20200101", "20200201"), "localhost", "whoever runs the server must renew it"),
        (("20980101", "20980201"), "localhost", "look whether this machine's clock is right"),
        (("20200101", "20980101"), "127.0.0.1", "let smtp.host be a name that stands in it"),
        (("20200101", "20980101"), "", "smtp.ca_file can name a certificate"),
    ],
    ids=["run out", "not yet", "another name", "nobody's"],
)
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_the_remedy_is_the_one_for_what_is_wrong(
    tmp_path: Path, days: tuple[str, str], host: str, remedy: str, security: str
) -> None:
    path = certificate(tmp_path, *days)
    with MailHost(security=security, certificate=path) as server:
        settings = Smtp(
            host=host or "localhost",
            port=server.port,
            security=security,
            ca_file=str(path) if host else "",
            user="",
            password_file="",
            token_command="",
            timeout=5,
            per_minute=60,
        )
        with pytest.raises(Untrusted, match="certificate is not trusted") as caught:
            open_line(settings, lambda: Login(user=""), tmp_path)
    told = not_opened("out", "smtp", caught.value)
    assert remedy in told.remedy
    assert "firewall" not in told.remedy
    assert remedy not in told.text
    assert not told.text.endswith(".")  # the remedy follows behind a colon
    assert remedy in str(caught.value)
