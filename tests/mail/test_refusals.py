"""Of whom a server's refusal speaks, by the words of many servers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.errors import MailDown, NotTaken, RefereeError, Refused, TryLater, Unclear
from referee.mail.servers.backoff import alike
from tests.mail.smtpbox import ANN, RAW, REFEREE, transport
from tests.servers.mailhost import MailHost

WORDINGS = tomllib.loads((Path(__file__).parents[1] / "servers" / "refusals.toml").read_text("utf-8"))["refusal"]
ROWS = [
    (row["server"], row.get("at", "recipient"), of, said.replace("{to}", ANN).replace("{from}", REFEREE))
    for row in WORDINGS
    for of in ("us", "reader", "unclear")
    for said in row.get(of, ())
]


@pytest.fixture(scope="module")
def host() -> Iterator[MailHost]:
    with MailHost() as made:
        yield made


@pytest.mark.parametrize(("server", "at", "of", "said"), ROWS)
def test_a_refusal_is_about_us_or_about_its_reader(host: MailHost, server: str, at: str, of: str, said: str) -> None:
    host.to_recipient, host.to_letter = ({ANN: said}, {}) if at == "recipient" else ({}, {ANN: said})
    way = transport(host)
    with pytest.raises(RefereeError) as caught:
        way.send("<1@club.example>", RAW, ANN, REFEREE)
    way.close()
    if of == "us":
        assert isinstance(caught.value, MailDown)
    else:
        assert isinstance(caught.value, NotTaken)
        assert isinstance(caught.value, Refused | TryLater)
        assert isinstance(caught.value, Unclear) == (of == "unclear" and said.startswith("5"))


def test_two_refusals_are_alike_but_for_what_is_the_letters_own() -> None:
    first = "5.7.1 <ann@example.org>: Recipient address rejected: Access denied id=1sRIWI-00dbDH"
    assert alike(first) == alike("5.7.1 <bob@example.net>: Recipient address rejected: Access denied id=7xKK2a-00aaBB")
    assert alike(first) != alike("5.7.1 <bob@example.net>: Recipient address rejected: Go away")
