"""What ``referee letter NUMBER --anonymise`` prints: nobody's, and read as what it was made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path

import pytest

from referee.core.orders import Term
from referee.mail.letter.givenaway import Exchange
from referee.mail.letter.headers import decode_words
from referee.mail.letter.message import read_letter
from referee.service.umpire.logbook import exchanged, words_of
from tests.bothgames import begun_games
from tests.letters.corpus import SEATS as GAMES
from tests.letters.corpus import Hear, Recorded, hearing, recorded
from tests.letters.mutants import seeded
from tests.posthouse import PostHouse
from tests.understood import in_play

Terms = Mapping[str, tuple[Term, ...]]
PLAYERS = ("Ann", "Bob", "Cid", "Dot")
LETTER = """Return-Path: <rene.smith@smith.uk>
Received: from mx.smith.uk (mx.smith.uk [198.51.100.7]) by mail.club.uk; Wed, 2 Dec 2026 20:00:00 +0000
DKIM-Signature: v=1; d=smith.uk; b=Zm9vYmFyMTIzNDU2Nzg5MA
From: =?utf-8?Q?Ren=C3=A9_Smith?= <rene.smith@smith.uk>
To: referee+rr1-gsw-k7q2m9xv@club.uk
Subject: Re: [RR1-GSW-K7Q2M9XV] turn 1
Message-ID: <abc123@mail.smith.uk>
User-Agent: Mutt/2.2.12
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=_b"

--=_b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

HOME Dub=
lin
Ren=C3=A9 S=
mith, for DUBLIN, www.smith.uk and rr1-gsw-K7Q2M9XV
--=_b
Content-Type: text/html
Content-Transfer-Encoding: base64

PHA+UmVuZSBTbWl0aDwvcD4=
--=_b
Content-Type: image/jpeg; name="smith.jpg"
Content-Transfer-Encoding: base64

c21pdGg=
--=_b--
"""


@pytest.fixture(scope="module")
def hear() -> Iterator[Hear]:
    with hearing() as hears:
        yield hears


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> Terms:
    with PostHouse(tmp_path_factory.mktemp("places") / "club") as house:
        return {kind: in_play(position).terms for kind, position in begun_games(house, GAMES).items()}


def masked(said: object) -> str:
    return re.sub(r"\\?\?[^\s()]+|\b[A-Z]{1,3}\d*\b", "*", str(said))


def kept(raw: bytes) -> tuple[list[str], list[bytes]]:
    """Return what a mail program wrote: the order of fields, boundaries, encodings, and itself."""
    return message_from_bytes(raw).keys(), re.findall(rb"(?m)^(?:--\S+|(?:Content-T\S+|User-Agent|X-Mailer):.*)", raw)


def decoded(raw: bytes) -> str:
    texts = [part.get_payload(decode=True) for part in message_from_bytes(raw).walk() if not part.is_multipart()]
    subject_and_sender = "".join(decode_words(str(value)) for value in message_from_bytes(raw).values())
    return " ".join(
        [subject_and_sender, *(text.decode("latin-1") for text in texts if isinstance(text, bytes))]
    ).lower()


@pytest.mark.parametrize("letter", recorded(), ids=lambda each: each.name)
def test_a_letter_given_away_is_read_as_before_and_names_nobody(hear: Hear, terms: Terms, letter: Recorded) -> None:
    drawn, game, told = seeded(), str(letter.expected.get("language", "dampfross")), read_letter(letter.raw)
    others = exchanged(terms[game], drawn)
    names = words_of((*PLAYERS, told.sender, told.sender_name))
    exchange = Exchange(names, others, drawn)
    given, ours = exchange.letter(letter.raw), tuple(map(exchange.letter, letter.ours))
    before, after = hear(letter, letter.raw), hear(replace(letter, ours=ours), given)
    assert (masked(after.said), after.asked) == (masked(before.said), before.asked)
    assert kept(given) == kept(letter.raw)
    strange = {name.lower() for name in names} - {name.lower() for name in others}
    assert not strange & set(re.findall(r"[^\W_]+", decoded(given)))
    address = re.compile(r"[\w.]+@[\w-]+\.[\w.-]+\w|<[^<>\s]+@[^<>\s]+>")
    assert not set(address.findall(decoded(letter.raw))) & set(address.findall(decoded(given)))


def test_an_umpire_gives_a_misread_letter_away(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        begun_games(
            house, GAMES | {"dampfross": ("GSW:red:Ren\u00e9 Smith <rene.smith@smith.uk>", *GAMES["dampfross"][1:])}
        )
        house.drop(LETTER.encode())
        house.tick()
        done = house.command("letter", "1", "--anonymise")
    given = done.stdout
    assert "look it over" in done.stderr
    for word in ("smith", "ren\u00e9", "k7q2m9xv", "club.uk", "198.51", "zm9v", "abc123", "dublin"):
        assert word not in decoded(given.encode())
    assert given.startswith("Return-Path: <")
    assert re.search(r"To: \w+\+rr1-gsw-[a-hj-np-z2-9]{8}@\w+\.test\n", given)
    assert "\n--=_b\nContent-Type: image/jpeg" in given
