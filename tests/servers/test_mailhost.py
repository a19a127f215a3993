"""The servers of tests leave nothing behind that another test would be blamed for."""

import gc
import socket

from tests.servers.mailhost import MailHost


def test_a_line_that_is_being_opened_when_the_server_goes_is_closed() -> None:
    """A socket left open is a warning when it is collected, and each warning an error."""
    for _ in range(5):
        with MailHost() as host:
            socket.create_connection(("127.0.0.1", host.port)).close()
    gc.collect()
