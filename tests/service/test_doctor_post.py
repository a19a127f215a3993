"""What the doctor finds at mail servers and name servers, and where setup finds a mailbox's servers."""

import http.server
import socketserver
import ssl
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from imapclient.imap_utf7 import encode

from referee.config import Config, SettingValue, read_config
from referee.core import MailDown
from referee.mail.maildir import MaildirSource
from referee.service import setup
from referee.service.club import make_club, open_club
from referee.service.doctor import examine, examine_post
from referee.service.doctor.dns import dns_findings, dns_lookup
from referee.service.doctor.finding import Finding
from referee.service.post.collect import collect
from referee.service.setup import Endpoint, discover, fetch_page, place_of
from tests.servers.dovecot import PASSWORD, Dovecot, certificate, free_port
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.servers.mailhost import PASSWORD as HOST_PASSWORD
from tests.servers.mailhost import USER, MailHost
from tests.tables import Tables

Records = dict[tuple[str, str], list[str]]

Settings = dict[str, SettingValue]

CASES = Tables(__file__)

# What the doctor finds at mail servers and name servers: real ones, started here.


NOW = datetime.now(UTC)


def club(folder: Path, password: str, **settings: SettingValue) -> Config:
    """Return the settings of a new club whose password for both servers is *password*."""
    given: Settings = {
        "mail.address": USER,
        "imap.password_file": "secret",
        "smtp.password_file": "secret",
    }
    make_club(folder, given | {name.replace("__", "."): value for name, value in settings.items()})
    (folder / "secret").write_text(password, "utf-8")
    (folder / "secret").chmod(0o600)
    return read_config(folder, {})


def found(config: Config, topic: str, send: str = "") -> list[Finding]:
    return [each for each in examine_post(config, NOW, None, "", send) if each.topic == topic]


def utf7(name: str) -> str:
    """Return a folder's name as IMAP writes it."""
    return str(encode(name).decode("ascii"))


def texts(findings: list[Finding], level: str) -> str:
    return "\n".join(f"{each.text}: {each.remedy}" for each in findings if each.level == level)


@pytest.fixture
def ours(dovecot: Dovecot, mailbox: str) -> Settings:
    """The settings of a club whose letters come by an encrypted line."""
    port, ca = dovecot.ports.imaps, str(dovecot.ca_file)
    return {"imap__host": "localhost", "imap__port": port, "imap__user": mailbox, "imap__ca_file": ca}


@pytest.mark.dovecot
def test_a_mailbox_in_order(tmp_path: Path, dovecot: Dovecot, mailbox: str, ours: Settings) -> None:
    """Encrypted, let in, folders made where they are missing, and the letter that waits is left as it was."""
    dovecot.deliver(mailbox, b"From: ann@example.org\r\nSubject: x\r\n\r\nHello\r\n")
    config = club(tmp_path / "club", PASSWORD, **ours)
    first = found(config, "inbox")
    assert "encrypted by TLSv1" in texts(first, "ok")
    assert f"{mailbox} is let in" in texts(first, "ok")
    assert "1 letter waits in INBOX" in texts(first, "ok")
    assert "the folder Referee/Processed was not there; it is now" in texts(first, "ok")
    assert "the server tells of new letters at once (IDLE)" in texts(first, "ok")
    assert "can be put away (MOVE)" in texts(first, "ok")
    # Its certificate is one of two days.
    assert texts(first, "warning").startswith("its certificate runs out on ")
    assert texts(first, "fault") == ""
    assert "the folder Referee/Processed is there" in texts(found(config, "inbox"), "ok")
    ((flags, _),) = dovecot.folder_letters(mailbox)
    assert b"Seen" not in flags


@pytest.mark.dovecot
@pytest.mark.parametrize("folder", ["Junk", "Spam", "Unerwünscht"])
def test_the_folder_of_spam_is_looked_into(
    tmp_path: Path, dovecot: Dovecot, mailbox: str, folder: str, ours: Settings
) -> None:
    letter = b"From: Ann <ann@example.org>\r\nSubject: Re: [RR1-GSW-K7Q2M9XV] my orders\r\n\r\nPASS\r\n"
    with dovecot.client(mailbox) as client:
        name = f'"{utf7(folder)}"'
        client.create(name)
        client.append(name, "", "", letter)
    told = texts(found(club(tmp_path / "club", PASSWORD, **ours), "inbox"), "warning")
    assert f"1 letter lies in {folder}, the last of them: Ann <ann@example.org>: Re: [RR1] my orders" in told


@pytest.mark.dovecot
@CASES.rows
def test_a_mailbox_that_cannot_be_read(
    tmp_path: Path, ours: Settings, settings: Settings, password: str, words: str
) -> None:
    findings = found(club(tmp_path / "club", password, **(ours | settings)), "inbox")
    assert words in texts(findings, "fault")
    assert password not in str(findings)


def test_a_server_that_can_neither_tell_nor_move_is_worth_a_warning(tmp_path: Path) -> None:
    mailbox = Mailbox(capability="IMAP4rev1", letters={3: b"x"}, dates={3: '"07-Dec-2099 12:00:00 +0000"'})
    with fake_imap(mailbox) as port:
        config = club(tmp_path / "club", PASSWORD, imap__host="127.0.0.1", imap__port=port, imap__security="none")
        told = texts(found(config, "inbox"), "warning")
    assert "no IDLE" in told
    assert "no MOVE, no UIDPLUS" in told
    assert "arrived at 2099-12-07 12:00 UTC, which is still to come" in told
    assert not {"STORE", "COPY", "EXPUNGE", "APPEND"} & set(mailbox.heard)


def test_a_way_out_in_order_sends_nothing_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MaildirSource, "wait", lambda *_: None)  # the letters to ourselves never come back here
    with MailHost(mechanisms="PLAIN LOGIN") as host:
        config = club(tmp_path / "club", HOST_PASSWORD, **host.smtp)
        findings = found(config, "outbox")
        assert texts(findings, "fault") + texts(findings, "warning") == ""
        assert f"{USER} is let in" in texts(findings, "ok")
        assert f"letters may be sent from {USER}" in texts(findings, "ok")
        assert "bytes are taken" in texts(findings, "ok")
        assert host.letters == []
        assert "left; look whether it arrives" in texts(found(config, "letter", "ann@example.org"), "ok")
        assert len(host.to("ann@example.org")) == 1
        host.to_recipient["bob@example.net"] = "550 5.1.1 no such user"
        assert "550 5.1.1 no such user" in texts(found(config, "letter", "bob@example.net"), "fault")


@CASES.rows
def test_a_forged_field_that_the_server_lets_through_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """What a mail server does with a letter between taking and delivering it."""
    with MailHost(mechanisms="PLAIN LOGIN") as host:
        ours = host.smtp | {"identity__authserv_id": "mx.club.example", "identity__policy": "auth-or-confirm"}
        config = club(tmp_path / "club", HOST_PASSWORD, **ours)

        def deliver(source: MaildirSource, seconds: float, stop: threading.Event) -> None:
            for raw in host.to(USER) if way != "lost" else []:
                kept = raw.partition(b"\r\n")[2] if way == "stripped" else raw
                kept = b"Authentication-Results: mx.club.example; none\r\n" * (way == "covered") + kept
                (config.mail_in / "new" / "1.test").write_bytes(b"Received: from us by mx.club.example; now\r\n" + kept)
            if way == "taken":  # by a pass of the service
                with open_club(config, lambda: NOW) as opened:
                    collect(opened)

        monkeypatch.setattr(MaildirSource, "wait", deliver)
        findings = found(config, "forgery", "ann@example.org")
    words = {
        "stripped": ("ok", "takes out a forged Authentication-Results of mx.club.example"),
        "lost": ("warning", f"a letter to {USER} with a forged Authentication-Results is not back"),
    }
    words["covered"] = ("warning", "lets a forged")
    level, told = words.get(way, ("fault", "lets a forged Authentication-Results of mx.club.example through"))
    assert told in texts(findings, level)
    assert len(findings) == 1


def test_a_way_out_that_is_closed(tmp_path: Path) -> None:
    with MailHost(mechanisms="PLAIN LOGIN") as host:
        wrong = club(tmp_path / "wrong", "wrong", **host.smtp)
        assert "check smtp.user and the password" in texts(found(wrong, "outbox"), "fault")
        host.to_sender = "553 5.7.1 not your address"
        right = club(tmp_path / "right", HOST_PASSWORD, **host.smtp)
        assert "does not let us send from" in texts(found(right, "outbox"), "fault")
        plain = host.smtp | {"smtp__security": "starttls"}
        assert "offers no STARTTLS" in texts(found(club(tmp_path / "tls", HOST_PASSWORD, **plain), "outbox"), "fault")
        noisy = host.smtp | {"smtp__security": "tls"}
        told = texts(found(club(tmp_path / "noisy", HOST_PASSWORD, **noisy), "outbox"), "fault")
        assert 'set smtp.security to "starttls", or smtp.port to 465' in told
    assert "cannot be reached" in texts(found(right, "outbox"), "fault")


def test_letters_that_arrive_by_imap_should_leave_by_smtp(tmp_path: Path) -> None:
    config = club(tmp_path / "club", "x", imap__host="127.0.0.1", imap__port=free_port(), imap__security="none")
    here = [each for each in examine(config, NOW) if each.topic == "outbox"]
    assert "set smtp.host" in texts(here, "warning")


@contextmanager
def name_server(records: Records) -> Iterator[int]:
    """Answer for *records* by (name, kind) on a port of 127.0.0.1; of other names: there is none."""
    message = pytest.importorskip("dns.message", reason="dnspython is not installed (extra dns)")
    rcode, rdatatype, rrset = (pytest.importorskip(f"dns.{name}") for name in ("rcode", "rdatatype", "rrset"))

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            asked = message.from_wire(self.request[0])
            (question,) = asked.question
            name, kind = question.name.to_text(omit_final_dot=True), rdatatype.to_text(question.rdtype)
            answer = message.make_response(asked)
            told = records.get((name, kind))
            if told:
                answer.answer.append(rrset.from_text(question.name, 60, "IN", kind, *told))
            elif not any(known == name for known, _ in records):
                answer.set_rcode(rcode.NXDOMAIN)
            self.request[1].sendto(answer.to_wire(), self.client_address)

    with socketserver.ThreadingUDPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


DOMAIN = "trains.org"
SPF = (DOMAIN, "TXT"), ['"v=spf1 include:provider.net -all"', '"other=1"']
RECORDS: Records = {
    (DOMAIN, "MX"): ["10 mx.provider.net."],
    SPF[0]: SPF[1],
    ("k1._domainkey.trains.org", "TXT"): ['"v=DKIM1; k=rsa; " "p=MIIB"'],
    ("_dmarc.trains.org", "TXT"): ['"v=DMARC1; p=none"'],
    ("smtp.provider.net", "A"): ["192.0.2.7"],
    ("7.2.0.192.in-addr.arpa", "PTR"): ["out.provider.net."],
}


def asked(folder: Path, records: Records, selector: str = "k1") -> list[Finding]:
    given: Settings = {"mail.address": f"referee@club.{DOMAIN}" if selector == "up" else f"referee@{DOMAIN}"}
    make_club(folder, given | {"smtp.host": "smtp.provider.net"})
    with name_server(records) as port:
        return list(dns_findings(read_config(folder, {}), dns_lookup("127.0.0.1", port), selector))


def test_a_domain_in_order(tmp_path: Path) -> None:
    findings = asked(tmp_path / "club", RECORDS)
    assert [each.level for each in findings] == ["ok"] * 5
    assert [each.text for each in findings] == [
        "MX of trains.org: 10 mx.provider.net.",
        "SPF of trains.org: v=spf1 include:provider.net -all",
        "there is a DKIM key at k1._domainkey.trains.org",
        "DMARC at _dmarc.trains.org: v=DMARC1; p=none",
        "PTR of 192.0.2.7: out.provider.net",
    ]


def test_a_domain_without_records_is_told_which_to_add(tmp_path: Path) -> None:
    findings = asked(tmp_path / "club", {}, selector="")
    assert [each.level for each in findings] == ["fault", "warning", "warning", "warning", "warning"]
    remedies = " ".join(each.remedy for each in findings)
    assert all(word in remedies for word in ("v=spf1", "v=DMARC1; p=none", "--dkim-selector", "add one", "A record"))


def test_records_that_do_harm(tmp_path: Path) -> None:
    """Two SPF records count as none, a DKIM key without a key is revoked, a domain takes the DMARC of the one above."""
    records = {**RECORDS, SPF[0]: ['"v=spf1 -all"', '"v=spf1 mx -all"']}
    records |= {("k1._domainkey.trains.org", "TXT"): ['"v=DKIM1; p="']}
    told = texts(asked(tmp_path / "club", records), "fault")
    assert "has 2 SPF records" in told
    assert "was revoked" in told
    above = asked(tmp_path / "above", RECORDS, selector="up")
    assert "DMARC at _dmarc.trains.org" in texts(above, "ok")


def test_a_name_server_that_is_silent_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dns", reason="dnspython is not installed (extra dns)")
    monkeypatch.setattr("referee.service.doctor.dns.PATIENCE", 0.01)  # seconds: nobody will answer
    make_club(tmp_path / "club", {"mail.address": f"referee@{DOMAIN}"})
    lookup = dns_lookup("127.0.0.1", free_port())
    (told,) = dns_findings(read_config(tmp_path / "club", {}), lookup, "")
    assert told.level == "warning"
    assert told.text.startswith("MX of trains.org cannot be asked for: ")


def test_without_dnspython_the_way_to_it_is_named(tmp_path: Path) -> None:
    make_club(tmp_path / "club", {"mail.address": f"referee@{DOMAIN}"})
    (told,) = dns_findings(read_config(tmp_path / "club", {}), None, "")
    assert (told.level, "pip install '.[dns]'" in told.remedy) == ("warning", True)


# Where a mailbox's servers are found, and what of a stranger's words is not taken.


XML = '<clientConfig><emailProvider id="x">{}</emailProvider></clientConfig>'
SERVER = '<{0}Server type="{1}"><hostname>{2}</hostname><port>{3}</port><socketType>{4}</socketType></{0}Server>'
SRV = {("_imaps._tcp.club.test", "SRV"): ("10 1 993 far.club.test.", "5 1 993 imap.club.test.")}
SUBMISSION = {("_submission._tcp.club.test", "SRV"): ("0 1 587 smtp.club.test.",)}
AUTOCONFIG = "autoconfig.club.test"


def listed(*servers: tuple[str, str, str, str, str]) -> bytes:
    return XML.format("".join(SERVER.format(*each) for each in servers)).encode()


def discovered(address: str, pages: Mapping[str, bytes], records: Mapping[tuple[str, str], tuple[str, ...]]) -> str:
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
    assert discovered("ref@club.test", pages, records) == expected


@CASES.rows
@pytest.mark.parametrize("port", ["993", "0", "65536", "-1", "99999999999", "²", "993 "])
def test_no_answer_is_taken_further_than_a_host_and_a_port(host: str, port: str) -> None:
    if port.strip() != "993":
        host = host and "imap.p.test"
    assert discovered("ref@club.test", {AUTOCONFIG: listed(("incoming", "imap", host, port, "SSL"), OUT)}, {}) == ""


def test_entities_are_not_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY h "imap.p.test">]>' + listed(IN, OUT).replace(b"imap.p.test", b"&h;")
    assert discovered("ref@club.test", {AUTOCONFIG: bomb}, {}) == ""


def test_name_servers_that_are_not_there_are_as_good_as_none() -> None:
    def lookup(name: str, kind: str) -> tuple[str, ...]:
        raise MailDown("away")

    def fetch(host: str, path: str) -> bytes:
        raise OSError

    assert not discover("ref@club.test", lookup, fetch)
    assert not discover("ref@club.test", None, fetch)


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
        ("imap.x.test", Endpoint(host="imap.x.test", port=993, security="tls")),
        ("imap.x.test:143", Endpoint(host="imap.x.test", port=143, security="starttls")),
        (" [::1]:1143/none ", Endpoint(host="[::1]", port=1143, security="none")),
        ("x.test:0", None),
        ("x.test:70000", None),
        ("https://x.test/", None),
        ("x.test:993/ssl", None),
    ],
)
def test_a_place_is_read_as_an_umpire_writes_it(text: str, place: Endpoint | None) -> None:
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
            fetch_page("localhost", "/right", port)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        assert fetch_page("localhost", "/right", port) == b"xxxx"
        for path in ("/moved", "/gone", "/large"):
            with pytest.raises(OSError, match="localhost answers"):
                fetch_page("localhost", path, port)
