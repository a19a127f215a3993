"""The servers of tests leave nothing behind that another test would be blamed for, and need not be installed as a whole."""

import gc
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers import dovecot
from tests.servers.fixtures import need_dovecot
from tests.servers.mailhost import MailHost


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Let Dovecot lack the program of a protocol, by its name; all that it has must be readable for an account of its own."""
    need_dovecot()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        for each in dovecot.programs().iterdir():
            (Path(folder) / each.name).symlink_to(each)
        monkeypatch.setattr(dovecot, "programs", lambda: Path(folder))
        yield lambda program: (Path(folder) / program).unlink(missing_ok=True)


@pytest.mark.dovecot
def test_without_lmtp_letters_are_read_and_a_test_that_delivers_one_is_skipped_with_that_reason(
    lacking: Callable[[str], None], mailbox: str
) -> None:
    """As on a machine with dovecot-imapd alone."""
    lacking("lmtp")
    with dovecot.Dovecot() as server:
        assert server.folder_letters(mailbox) == []
        with pytest.raises(pytest.skip.Exception, match="dovecot-lmtpd"):
            server.deliver(mailbox, b"Subject: Orders\r\n\r\nSTEP 1\r\n")


@pytest.mark.dovecot
def test_without_imap_no_test_begins_a_server(lacking: Callable[[str], None]) -> None:
    lacking("imap")
    with pytest.raises(pytest.skip.Exception, match="dovecot-imapd"):
        need_dovecot()


def test_a_line_that_is_being_opened_when_the_server_goes_is_closed() -> None:
    """A socket left open is a warning when it is collected, and each warning an error."""
    for _ in range(5):
        with MailHost() as host:
            socket.create_connection(("127.0.0.1", host.port)).close()
    gc.collect()
