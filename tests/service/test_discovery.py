"""Where a mailbox's servers are found, and what of a stranger's words is not taken."""

from __future__ import annotations

import http.server
import ssl
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.core.errors import MailDown
from referee.service import setup
from referee.service.setup import Place, discover, fetched, place_of
from tests.servers.dovecot import certificate

XML = '<clientConfig><emailProvider id="x">{}</emailProvider></clientConfig>'
SERVER = '<{0}Server type="{1}"><hostname>{2}</hostname><port>{3}</port><socketType>{4}</socketType></{0}Server>'
SRV = {("_imaps._tcp.club.test", "SRV"): ("10 1 993 far.club.test.", "5 1 993 imap.club.test.")}
SUBMISSION = {("_submission._tcp.club.test", "SRV"): ("0 1 587 smtp.club.test.",)}
AUTOCONFIG = "autoconfig.club.test"


def listed(*servers: tuple[str, str, str, str, str]) -> bytes:
    return XML.format("".join(SERVER.format(*each) for each in servers)).encode()


def found(address: str, pages: Mapping[str, bytes], records: Mapping[tuple[str, str], tuple[str, ...]]) -> str:
    """Return what is found out where these hosts answer and these records are there."""

    def fetch(host: str, path: str) -> bytes:
        if host not in pages:
            raise OSError(f"{host}{path}")
        return pages[host]

    servers = discover(address, lambda name, kind: records.get((name, kind), ()), fetch)
    return f"{servers.imap} {servers.smtp} {servers.vouched}" if servers else ""


IN, OUT = ("incoming", "imap", "imap.p.test", "993", "SSL"), ("outgoing", "smtp", "smtp.p.test", "587", "STARTTLS")
PLAIN, POP = ("incoming", "imap", "imap.p.test", "143", "plain"), ("incoming", "pop3", "pop.p.test", "995", "SSL")
RIGHT = "imap.p.test:993/tls smtp.p.test:587/starttls True"


@pytest.mark.parametrize(
    ("pages", "records", "expected"),
    [
        ({AUTOCONFIG: listed(POP, PLAIN, IN, OUT)}, {}, RIGHT),
        ({"club.test": listed(IN, OUT)}, {}, RIGHT),
        ({AUTOCONFIG: b"<html>no such page", "club.test": listed(IN, OUT)}, {}, RIGHT),
        ({}, {**SRV, **SUBMISSION}, "imap.club.test:993/tls smtp.club.test:587/starttls True"),
        ({}, {**SRV, ("_submissions._tcp.club.test", "SRV"): ("0 1 465 x.t.test.",)},
         "imap.club.test:993/tls x.t.test:465/tls False"),
        ({}, {**SRV, ("_submission._tcp.club.test", "SRV"): ("0 0 0 .",)}, ""),
        ({}, {("club.test", "MX"): ("1 aspmx.l.google.com.",)}, "imap.gmail.com:993/tls smtp.gmail.com:465/tls True"),
        ({}, {("club.test", "MX"): ("1 aspmx.notgoogle.com.",)}, ""),
        ({AUTOCONFIG: listed(PLAIN, OUT)}, {}, ""),
    ],
)  # fmt: skip
def test_the_domain_names_its_servers(
    pages: dict[str, bytes], records: dict[tuple[str, str], tuple[str, ...]], expected: str
) -> None:
    assert found("ref@club.test", pages, records) == expected


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "[::1]", "a b.test", "x.test/../y", "-x.test", "x.test:1", "user@x.test", ""]
)
@pytest.mark.parametrize("port", ["993", "0", "65536", "-1", "99999999999", "²", "993 "])
def test_no_answer_is_taken_further_than_a_host_and_a_port(host: str, port: str) -> None:
    if port.strip() != "993":
        host = host and "imap.p.test"
    assert found("ref@club.test", {AUTOCONFIG: listed(("incoming", "imap", host, port, "SSL"), OUT)}, {}) == ""


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY h "imap.p.test">]>' + listed(IN, OUT).replace(b"imap.p.test", b"&h;")
    assert found("ref@club.test", {AUTOCONFIG: bomb}, {}) == ""


def test_name_servers_that_are_not_there_are_as_good_as_none() -> None:
    def lookup(name: str, kind: str) -> tuple[str, ...]:
        raise MailDown("away")

    def fetch(host: str, path: str) -> bytes:
        raise OSError

    assert discover("ref@club.test", lookup, fetch) is None
    assert discover("ref@club.test", None, fetch) is None


def test_each_provider_of_the_table_is_found_and_begins_with_tls() -> None:
    table = tomllib.loads(Path(setup.__file__).with_name("providers.toml").read_text())
    for name, said in table.items():
        assert not said.keys() - {"domains", "mx", "imap", "smtp", "note", "profile"}, name
        for domain in said.get("domains", ()):
            servers = discover(f"ref@{domain}", None)
            assert servers, domain
            assert servers.by.endswith(name)
            assert {servers.imap.security, servers.smtp.security} <= {"tls", "starttls"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("imap.x.test", Place(host="imap.x.test", port=993, security="tls")),
        ("imap.x.test:143", Place(host="imap.x.test", port=143, security="starttls")),
        (" [::1]:1143/none ", Place(host="[::1]", port=1143, security="none")),
        ("x.test:0", None),
        ("x.test:70000", None),
        ("https://x.test/", None),
        ("x.test:993/ssl", None),
    ],
)
def test_a_place_is_read_as_an_umpire_writes_it(text: str, place: Place | None) -> None:
    assert place_of(text, "imap") == place


@contextmanager
def https(folder: Path) -> Iterator[int]:
    """Answer over HTTPS on a port of localhost."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status = {"/moved": 302, "/gone": 404}.get(self.path, 200)
            self.send_response(status)
            self.send_header("Location", "/right")
            self.end_headers()
            self.wfile.write(b"x" * (200_000 if self.path == "/large" else 4))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_page_comes_over_https_from_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in certificate().items():
        (tmp_path / name).write_text(text)
    with https(tmp_path) as port:
        with pytest.raises(ssl.SSLCertVerificationError):
            fetched("localhost", "/right", port)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        assert fetched("localhost", "/right", port) == b"xxxx"
        for path in ("/moved", "/gone", "/large"):
            with pytest.raises(OSError, match="localhost answers"):
                fetched("localhost", path, port)
