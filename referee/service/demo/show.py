"""Plays the demo: makes a club and a game, lets the players write, makes passes until the game is over."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from referee.config import FILE, Value
from referee.core.errors import ConfigError
from referee.service.club import Club, make_club, open_club
from referee.service.demo.players import Newsletter, orders_of, read_newsletters
from referee.service.demo.programs import PROGRAMS, Answer
from referee.service.games import new_game
from referee.service.proposals import Invited, Proposal, parse_player
from referee.service.tick import tick

MARK = ".demo"  # lies in a folder that the demo made and may therefore clear away
REFEREE = "referee@example.org"
PLAYERS = (
    "GSW:red:Ann <ann@example.org>",
    "MGW:blue:Bill <bill@example.org>",
    "BNC:green:Cate <cate@example.org>",
    "DSE:black:Dónal <donal@example.org>",
    "GNR:orange:Eva Müller <eva@example.org>",
)
COMPANIES = {
    "GSW": "Great Southern & Western",
    "MGW": "Midland Great Western",
    "BNC": "Belfast & Northern Counties",
    "DSE": "Dublin & South Eastern",
    "GNR": "Great Northern",
}
SLIP_TURNS = (2, 5)  # when one player mistypes, reads the acknowledgement, and writes again
MOST_TURNS = 2000

Told = Callable[[int, int], None]  # (rounds played, rounds in all)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What the demo leaves behind."""

    folder: Path
    game: str
    turns: int
    letters: int
    final: str  # the last newsletter
    newsletters: Path
    board: Path


def play_demo(
    folder: Path, kind: str, told: Told, seed: str = "", proposal: Proposal | None = None, slips: bool = True
) -> Played:
    """Play a whole game by mail in *folder*, which is made anew; *seed* makes the game come out the same each time.

    *proposal*: the game to be played, the usual one if None; *slips*: whether a player mistypes now and then.

    Raises:
        ConfigError: the folder is there and was not made by a demo.
    """
    _clear(folder)
    settings: dict[str, Value] = {"club.name": "The Demo Club", "mail.address": REFEREE, "deadlines.early_delay": 0}
    settings["mail.replies_per_day"] = 100  # a year's letters are written in a minute
    settings["deadlines.downtime_hold"] = 0  # a machine that sleeps in the middle of a demo is no outage
    config = make_club(folder, settings)
    (folder / MARK).touch()
    with open_club(config) as club:
        agreed = proposal or Proposal(kind=kind, board="ireland", players=_seats())
        game = new_game(club, agreed, root=seed)
        tick(club)
        return _play(club, kind, game, told, agreed.players, slips)


def _clear(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        if not (folder / MARK).exists():
            raise ConfigError(f"{folder} is not empty and was not made by the demo; name another folder")
        shutil.rmtree(folder)
    if (folder / FILE).exists():
        raise ConfigError(f"{folder} holds a club; name another folder")


def _seats() -> tuple[Invited, ...]:
    players = tuple(parse_player(text) for text in PLAYERS)
    return tuple(replace(player, company=COMPANIES[player.code]) for player in players)


def _play(club: Club, kind: str, game: str, told: Told, players: tuple[Invited, ...], slips: bool) -> Played:
    seats = {player.address: player for player in players}
    numbers = count(1)
    for turn in range(MOST_TURNS):
        post = read_newsletters(club.config.mail_out, game, turn)
        _file(club.config.folder, game, post[0])
        told(turn, int(post[0].seen["last_round"]))
        if post[0].finished:
            return _played(club.config.folder, game, post[0], next(numbers) - 1)
        if slips and turn + 1 in SLIP_TURNS:
            _post(club, _answer(club, kind, game, post[0], seats, next(numbers), slip=True))
            tick(club)
        for newsletter in post:
            asked = newsletter.seen.get("asked")
            if asked and asked["player"] != seats[newsletter.recipient].code:
                continue  # another company is asked
            _post(club, _answer(club, kind, game, newsletter, seats, next(numbers), slip=False))
        tick(club)
    raise AssertionError(f"the game was not over after {MOST_TURNS} turns")


def _answer(
    club: Club, kind: str, game: str, newsletter: Newsletter, seats: dict[str, Invited], number: int, slip: bool
) -> tuple[int, bytes]:
    """Return a letter's number and bytes; every letter is written by the next of the mail programs."""
    player = seats[newsletter.recipient]
    text = orders_of(kind, newsletter, player.code, game, player.company)
    answer = Answer(
        sender=player.address,
        sender_name=player.name,
        recipient=REFEREE,
        subject=newsletter.subject,
        text=mistyped(text) if slip else text,
        original=newsletter.text,
        original_id=newsletter.message_id,
        written=club.clock(),
        message_id=f"<{number}.{game}@example.org>",
    )
    return number, PROGRAMS[number % len(PROGRAMS)](answer)


def mistyped(text: str) -> str:
    """Return a letter with a slip: its last line of orders goes on to a hex that is on no map."""
    head, end, tail = text.partition("\nEND")
    return f"{head} - ZZ99{end}{tail}"


def _post(club: Club, letter: tuple[int, bytes]) -> None:
    """Deliver a letter into the referee's Maildir as a mail server does: written aside, then moved."""
    number, raw = letter
    name = f"{number:05}.demo"
    aside = club.config.mail_in / "tmp" / name
    aside.write_bytes(raw)
    aside.rename(club.config.mail_in / "new" / name)


def _file(folder: Path, game: str, newsletter: Newsletter) -> None:
    """Keep a newsletter and its board where a visitor finds them."""
    place = folder / "newsletters"
    place.mkdir(exist_ok=True)
    name = f"{game}-turn-{newsletter.turn:02}"
    (place / f"{name}.txt").write_text(f"Subject: {newsletter.subject}\n\n{newsletter.text}", "utf-8")
    (place / f"{name}.svg").write_text(newsletter.board, "utf-8")


def _played(folder: Path, game: str, last: Newsletter, letters: int) -> Played:
    place = folder / "newsletters"
    return Played(
        folder=folder,
        game=game,
        turns=last.turn,
        letters=letters,
        final=last.text,
        newsletters=place,
        board=place / f"{game}-turn-{last.turn:02}.svg",
    )
