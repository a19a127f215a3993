"""The servers as fixtures; a test that asks for one is skipped, with the reason, where it cannot be started."""

import secrets
from collections.abc import Iterator

import pytest

from tests.servers.dovecot import Dovecot, why_no_dovecot


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """A Dovecot for all tests that leave it as it is."""
    need_dovecot()
    with Dovecot() as server:
        yield server


@pytest.fixture
def mailbox() -> str:
    """The name of a mailbox that no other test uses."""
    return f"box{secrets.token_hex(6)}"


def need_dovecot() -> None:
    """Skip the test where no Dovecot can be started."""
    why = why_no_dovecot()
    if why:
        pytest.skip(why)


def server_with(capability: str = "", more: str = "", mechanisms: str = "plain") -> Dovecot:
    """Return a Dovecot of the test's own, to be started; the test is skipped where there is none."""
    need_dovecot()
    return Dovecot(capability, more, mechanisms)
