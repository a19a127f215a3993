"""Letters that are taken out of a mailbox many at once: whatever the server can or wants, none is lost and none in the way."""

from __future__ import annotations

import pytest

from tests.mail.imapbox import PLAIN, Faulty, Sources, settings
from tests.servers.fixtures import server_with


@pytest.mark.dovecot
@pytest.mark.parametrize("capability", ["IMAP4rev1 MOVE NAMESPACE", "IMAP4rev1 UIDPLUS NAMESPACE", "IMAP4rev1"])
def test_letters_go_together_into_a_folder_that_is_made_for_them(
    mailbox: str, capability: str, source: Sources
) -> None:
    with server_with(capability) as server:
        for number in range(5):
            server.deliver(mailbox, PLAIN + b"%d\r\n" % number)
        made = source(settings(server, mailbox))
        first, _, third, *others = made.waiting()
        made.done(first.key)
        made.done(*(arrival.key for arrival in (first, third, *others)))
        made.done()
        (left,) = made.waiting()
        assert made.read(left.key, 10_000).endswith(b"1\r\n")
        made.close()
        processed = {raw[-3:-2] for _, raw in server.folder_letters(mailbox, "Referee.Processed")}
        assert processed == {b"0", b"2", b"3", b"4"}


def test_one_that_the_server_does_not_move_keeps_none_of_the_others(faulty: Faulty) -> None:
    mailbox, made, _ = faulty
    mailbox.fixed.add(2)
    keys = [arrival.key for arrival in made.waiting()]
    made.done(*keys)
    assert set(mailbox.letters) == {2}
    for _ in range(3):
        made.done(*keys)
    mailbox.heard.clear()
    made.done(*keys)
    assert mailbox.heard == ["MOVE"]  # the one that stays is not tried for ever
    assert set(mailbox.letters) == {2}
