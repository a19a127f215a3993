"""A letter that was misread, as it can be given to those who mend the reading."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random, SystemRandom

from referee.core.orders import Term
from referee.mail.letter.givenaway import Exchange
from referee.mail.letter.message import read_letter
from referee.service.club.club import Club
from referee.store import games, letters

PLAYERS = ("Ann", "Bob", "Cid", "Dot", "Eve", "Flo", "Gil", "Hal")  # those of tests/letters


def given_away(club: Club, number: int) -> bytes:
    """Return a letter with other names, addresses, codes and places, empty where its words are not kept. Raises NotFound."""
    row, others = letters.letter(club.db, number), dict[str, str]()
    names = [read_letter(row.raw).sender_name, row.sender]
    if row.game:
        names += [name for seat in games.players(club.db, row.game) for name in (seat.name, seat.address)]
        position = club.positions.of(club.db, games.game(club.db, row.game))
        others = exchanged(position.rules.lexicon(position.state), SystemRandom())
    return Exchange(words_of(names), others, SystemRandom()).letter(row.raw)


def words_of(names: Iterable[str | None]) -> set[str]:
    """Return the words of names, and of addresses what stands before the @."""
    return {word for name in names if name for word in re.findall(r"[^\W\d_]{2,}", name.partition("@")[0])}


def exchanged(terms: Iterable[Term], drawn: Random) -> dict[str, str]:
    """Return another town for each, of the same length if there is one, with its hex; and other names for players."""
    told = list(terms)
    places = [each for each in told if each.kind == "PLACE" and not each.name.isupper()]
    places.sort(key=lambda each: (len(each.name), drawn.random()))
    plain = [each for each in places if each.name.isascii()]
    pairs = list(zip(places, plain[1:] + plain, strict=False))
    codes = list(dict.fromkeys(each.value for each in told if each.kind == "PLAYER"))
    players = {each.name: PLAYERS[codes.index(each.value)] for each in told if each.kind == "PLAYER"}
    return players | {old.value: new.value for old, new in pairs} | {old.name: new.name for old, new in pairs}
