"""Whole games of Volldampf by mail, with two to six players: every mail program writes, nobody reads what is another's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from referee.config import read_config
from referee.core.game import ONE_BY_ONE, TOGETHER, Option
from referee.games.volldampf import schedule
from referee.games.volldampf.board.board import ACTION_CARDS, SUBVENTION
from referee.mail.compose import read_own
from referee.service.audit.replay import replay
from referee.service.club.club import open_club
from referee.service.demo.players import Newsletter, read_newsletters
from referee.service.demo.show import Played, play_demo
from referee.service.turns.proposals import Invited, Proposal

BOARD = "deutschland-1925"
NAMES = ("Ann", "Bob", "Cid", "Dot", "Eva", "Fritz")
COLOURS = ("blue", "red", "green", "yellow", "black", "orange")

# (preset, pace, players, options on top)
GAMES: list[tuple[str, str, int, dict[str, Option]]] = [
    ("post", TOGETHER, 2, {}),
    ("referee", ONE_BY_ONE, 3, {"auction": "live"}),
    (
        "dutch",
        TOGETHER,
        6,
        {"auction": "live", "bond_order": "turn_order", "money_visible": False, "route_needed": True},
    ),
]


@pytest.fixture(
    params=[GAMES[0], *(pytest.param(row, marks=pytest.mark.testlong) for row in GAMES[1:])],
    ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}",
    scope="module",
)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return a game played by mail to its end."""
    preset, pace, players, options = request.param
    proposal = Proposal(
        kind="volldampf",
        board=BOARD,
        preset=preset,
        pace=pace,
        options=tuple(options.items()),
        players=tuple(_seat(place) for place in range(players)),
    )
    folder = tmp_path_factory.mktemp("club") / "club"
    return play_demo(folder, "volldampf", lambda rounds, of: None, f"{preset} {players}", proposal, slips=False)


def _seat(place: int) -> Invited:
    name = NAMES[place]
    return Invited(code=name.upper(), colour=COLOURS[place], name=name, address=f"{name.lower()}@example.org")


def test_a_whole_game_is_played_by_mail(played: Played) -> None:
    """Every letter is taken, none holds an error, and the last newsletter names who has won."""
    assert "The game is over. The winner is " in " ".join(played.final.split())
    assert played.rounds == {2: 6, 3: 5}.get(played.players, 4)
    with sqlite3.connect(played.folder / "referee.db") as db:
        status = dict(db.execute("select status, count(*) from letters group by status"))
        faulty = db.execute("select count(*) from order_sets where clean = 0").fetchone()[0]
    db.close()
    assert status == {"done": played.letters}
    assert faulty == 0


def test_stored_letters_give_the_same_game_again(played: Played) -> None:
    with open_club(read_config(played.folder)) as club:
        compared = list(replay(club, played.game))
    assert [each.turn for each in compared] == list(range(played.turns + 1))
    assert not any(each.differs for each in compared)


def test_no_newsletter_shows_what_is_anothers(played: Played) -> None:
    """Each names cards of the reader's own hand, and those that were played; of others' waiting orders it says nothing."""
    hidden = kept = 0
    before: dict[str, Newsletter] = {}
    for turn in range(1, played.turns):
        letters = {_reader(letter): letter for letter in read_newsletters(_sent(played), played.game, turn)}
        assert len(letters) == played.players
        for code, letter in letters.items():
            text = " ".join(letter.text.split())
            known = {*_hand(letter, code), *_hand(before.get(code, letter), code), *_discarded(letter)}
            # What a turn brings may be another's before it ends.
            known |= {card for card in ACTION_CARDS if f"plays {card}" in text or f"You drew {card}." in text}
            held = {card for other, owns in letters.items() if other != code for card in _hand(owns, other)}
            hidden += len(held - known)
            if letter.seen["stage"] == schedule.SUBSIDY:
                known.add(SUBVENTION)  # all are told what is asked of those in last place, whether or not they hold it
            assert not [card for card in ACTION_CARDS if card in text and card not in known], (turn, code)
            assert all(row["actions"] is None for row in letter.seen["players"] if row["code"] != code)
            for line in _kept_by_others(letters, code):
                kept += 1
                assert line not in text, (turn, code)
        before = letters
    assert hidden > 0
    assert kept > 0 or played.players != 3, "one by one, orders that come early wait"


def test_no_letter_tells_the_address_of_another_player(played: Played) -> None:
    letters = list(_letters(_sent(played)))
    addresses = {str(letter["To"]) for letter in letters}
    assert len(addresses) == played.players
    for letter in letters:
        own = str(letter["To"])
        words = str(letter.items()) + "".join(_words(letter))
        assert not [other for other in addresses if other != own and other in words]


def _reader(letter: Newsletter) -> str:
    return letter.recipient.partition("@")[0].upper()


def _hand(letter: Newsletter, code: str) -> tuple[str, ...]:
    return next(tuple(row["actions"]) for row in letter.seen["players"] if row["code"] == code)


def _discarded(letter: Newsletter) -> set[str]:
    discards: Mapping[str, Any] = letter.seen["action_discards"]
    return {card for card, count in discards.items() if count}


def _kept_by_others(letters: Mapping[str, Newsletter], code: str) -> Iterator[str]:
    """Give the lines that wait for others, unless one's own says the same."""
    for other, letter in letters.items():
        if other != code:
            yield from (line for line in letter.seen["kept"] if line not in letters[code].seen["kept"])


def _sent(played: Played) -> Path:
    return played.folder / "mail" / "out"


def _letters(out: Path) -> Iterator[EmailMessage]:
    for path in sorted((out / "new").iterdir()):
        yield read_own(path.read_bytes())


def _words(letter: EmailMessage) -> Iterator[str]:
    for part in letter.walk():
        if part.get_content_maintype() == "text":
            yield str(part.get_content())
        elif part.get_content_type() in ("application/json", "image/svg+xml"):
            content = part.get_content()
            yield content.decode() if isinstance(content, bytes) else str(content)
