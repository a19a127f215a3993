"""The umpire of a year: each morning they read their letters and `referee status`, and do what docs/ say of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from referee.mail.compose import read_own, text_in
from tests.year.people import REFEREE, Person, Posted, Seat
from tests.year.world import UMPIRE, World


@dataclass(slots=True)
class Umpire:
    """``to_do``: what the umpire has in mind, each from a day on; tried each morning until it is done. ``done``: what was."""

    world: World
    newcomers: list[Person]
    to_do: list[tuple[datetime, Callable[[Umpire], bool]]] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    written: int = 0
    answered: list[str] = field(default_factory=list)  # subjects of answers to commands by mail

    def morning(self) -> None:
        """Do the day's work."""
        self._read_letters()
        now = self.world.clock.now
        for one in list(self.to_do):
            if one[0] <= now and one[1](self):
                self.to_do.remove(one)
                self.done.append(f"{now:%d %b} {one[1].__name__}")
                break
        for game in self.status():
            if game["status"] == "running" and game["deadline"] is None and not game["stopped"]:
                self._let_go_on(game)
            for code in self._left(game["game"]):
                self.replace(game["game"], code, "The seat was empty.")

    def status(self) -> list[dict[str, Any]]:
        """Return what `referee status --json` tells."""
        told: list[dict[str, Any]] = json.loads(self.world.machine.run("status", "--json"))
        return told

    def pick(self, kind: str, turns: int = 2, **more: object) -> dict[str, Any] | None:
        """Return a running game of a kind of which so many turns were played, None if there is none."""
        return next(
            (
                game
                for game in self.status()
                if self.world.games[game["game"]].kind == kind
                and game["status"] == "running"
                and game["turn"] > turns
                and game["deadline"] is not None
                and not game["asked"]
                and all(game[name] == value for name, value in more.items())
            ),
            None,
        )

    def seat(self, game: str) -> tuple[Person, Seat]:
        """Return the first player of a game who is there."""
        now = self.world.clock.now
        return next(
            (person, person.seats[game])
            for person in self.world.people.values()
            if game in person.seats and not person.is_gone(now) and person.seats[game].newest
        )

    def writes(self, text: str, answering: bytes = b"") -> None:
        """Write to the referee: a command, or the answer to a letter."""
        self.written += 1
        message_id, to, subject, thread = f"<{self.written}.{UMPIRE}>", REFEREE, "A command", ""
        if answering:
            letter = read_own(answering)
            to, subject = letter["Reply-To"].addresses[0].addr_spec, f"Re: {letter['Subject']}"
            thread = f"In-Reply-To: {letter['Message-ID']}\r\n"
        head = f"From: Umpire <{UMPIRE}>\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: {message_id}\r\n{thread}"
        raw = f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n".encode()
        self.world.post(Posted(at=self.world.clock.now, raw=raw, sender=UMPIRE, message_id=message_id, meant="command"))

    def replace(self, game: str, code: str, because: str) -> None:
        """Give a seat to the first stand-by, or to a friend."""
        world = self.world
        listed = json.loads(world.machine.run("standby", "--json"))
        free = [each["address"] for each in listed if game not in world.people[each["address"]].seats]
        if free:
            world.machine.run("replace", game, code, "--standby", "--because", because)
            newcomer = world.people[free[0]]
        else:
            newcomer = self.newcomers.pop(0)
            world.people[newcomer.address] = newcomer
            told = f"{newcomer.name} <{newcomer.address}>"
            world.machine.run("replace", game, code, told, "--because", because)
        self.done.append(f"{world.clock.now:%d %b} replace {game} {code}")

    def _left(self, game: str) -> list[str]:
        """Return whose seats nobody holds any more by the player's own word."""
        sql = "SELECT code FROM players JOIN games ON id = game WHERE game = ? AND resigned_at IS NOT NULL AND status = 'running'"
        return [row["code"] for row in self.world.rows(sql, game)]

    def _let_go_on(self, game: dict[str, Any]) -> None:
        """A turn has no deadline any more: who has vanished is replaced, and there is another one."""
        now = self.world.clock.now
        for person in list(self.world.people.values()):
            seat = person.seats.get(game["game"])
            if seat and person.is_gone(now):
                self.replace(game["game"], seat.code, f"{person.name} answers no letters.")
        until = (now + timedelta(days=7)).strftime("%Y-%m-%d 20:00")
        because = "Too many orders were missing."
        self.world.machine.run("deadline", game["game"], until, "--because", because)

    def _read_letters(self) -> None:
        letters, self.world.umpires = self.world.umpires, []
        for raw in letters:
            letter = read_own(raw)
            subject = str(letter["Subject"]).partition("] ")[2]
            if subject.startswith("Once more, please"):
                words = [line.lstrip("| ").strip() for line in text_in(letter).split("\n") if line.startswith("|")]
                self.writes("\n\n".join(words), raw)
            elif subject.startswith(
                "Not done: UNDO"
            ):  # a turn was played before the letter was read: now the last alone
                game = subject.split()[3]
                turn = next(each["turn"] for each in self.status() if each["game"] == game) - 1
                self.writes(f"UNDO {game} {turn}\n\nTwo letters lay among the spam: mine is the blame.", raw)
            if subject.startswith(("Done", "Not done", "Once more")):
                self.answered.append(subject)


def day(month: int, number: int) -> datetime:
    """Return the beginning of a day of the year."""
    return datetime(2026, month, number, tzinfo=UTC)


def undo_and_play(umpire: Umpire) -> bool:
    """Undo the last turn of a game of Dampfross, and have it played anew with an account put right."""
    game = umpire.pick("dampfross")
    if game is None:
        return False
    because = "I charged a bridge twice: my mistake."
    umpire.world.machine.run("undo", game["game"], str(game["turn"] - 1), "--because", because, "--play")
    return True


def undo_by_mail(umpire: Umpire) -> bool:
    """Undo the last turn of a game of Volldampf by a letter; it is played at its deadline."""
    game = umpire.pick("volldampf")
    if game is not None:
        umpire.writes(f"UNDO {game['game']} {game['turn'] - 1}\n\nTwo letters lay among the spam: mine is the blame.")
    return game is not None


def undo_later(umpire: Umpire) -> bool:
    """Undo two turns of a game, and have both played anew."""
    game = umpire.pick("dampfross", 3)
    if game is None:
        return False
    words = ("--because", "The fee two rounds ago was wrong.", "--later", "--play")
    umpire.world.machine.run("undo", game["game"], str(game["turn"] - 2), *words)
    return True


def rule(umpire: Umpire) -> bool:
    """Give a company money by a ruling."""
    game = umpire.pick("dampfross")
    if game is None:
        return False
    code = umpire.seat(game["game"])[1].code
    because = "The fee in the last round was mine to refuse."
    umpire.world.machine.run("adjust", game["game"], f"money.{code}+=5", "--yes", "--because", because)
    return True


def rule_against_an_earlier_ruling(umpire: Umpire) -> bool:
    """Rule in a game of Volldampf, and take that back the same day."""
    game = umpire.pick("volldampf")
    if game is None:
        return False
    code = umpire.seat(game["game"])[1].code
    run, name = umpire.world.machine.run, game["game"]
    number = run("adjust", name, f"money.{code}+=3", "--yes", "--because", "A mark too few was paid.").split()[1]
    umpire.world.make_pass()
    run(
        "adjust",
        name,
        "--withdraw",
        number.strip(":."),
        "--because",
        "No: it was right as it stood. I rule against myself.",
    )
    return True


def hold(umpire: Umpire) -> bool:
    """Stop a game for a week."""
    game = umpire.pick("volldampf", 1)
    if game is None:
        return False
    name = game["game"]
    umpire.world.machine.run("hold", name, "--because", "A player is in hospital.")

    def resume(umpire: Umpire) -> bool:
        umpire.world.machine.run("resume", name, "--because", "She is well again.")
        return True

    umpire.to_do.append((umpire.world.clock.now + timedelta(days=7), resume))
    return True


def look(umpire: Umpire) -> bool:
    """Look at a game: preview, explain, log, letters; write a paragraph into its next newsletter; change its calendar."""
    game = umpire.pick("dampfross", 1)
    if game is None:
        return False
    name, run = game["game"], umpire.world.machine.run
    run("preview", name)
    run("explain", name, str(game["turn"] - 1))
    run("log", name)
    run("letters", "--status", "parked")
    run("outbox")
    run("note", name, "I am on holiday until the 3rd; the deadline stands.")
    run("calendar", name, "notice=72", "--because", "Newsletters take their time.")
    return True


def replace_by_wish(umpire: Umpire) -> bool:
    """Give a seat to another person, as its player asked."""
    game = umpire.pick("dampfross", 1)
    if game is not None:
        umpire.replace(game["game"], umpire.seat(game["game"])[1].code, "He has no time any more.")
    return game is not None


def accept_late(umpire: Umpire) -> bool:
    """Take a letter that came too late, once its turn is undone, and order the turn to be played."""
    sql = """SELECT letters.id, letters.game, letters.raw FROM letters JOIN games ON games.id = letters.game JOIN turns ON
        turns.game = games.id AND turns.turn = games.turn - 1 AND turns.adjudicated_at < letters.arrived
        WHERE letters.reason IN ('late', 'nothing new in it', 'for a turn that was played')
        AND games.status = 'running' AND games.deadline IS NOT NULL
        ORDER BY letters.id DESC"""
    running = {game["game"]: game for game in umpire.status()}
    for row in umpire.world.rows(sql):
        game, turn = row["game"], running[row["game"]]["turn"] - 1
        if turn < 1 or running[game]["asked"] or f"ORDERS {game} {turn}" not in _words(row["raw"]):
            continue
        run = umpire.world.machine.run
        run("undo", game, str(turn), "--because", "A letter was held up by its provider.")
        run("accept", str(row["id"]), "--because", "Your provider held it up.")
        run("preview", game)
        run("play", game, str(turn))
        return True
    return False


def _words(raw: bytes) -> str:
    letter = read_own(raw)
    part = letter.get_body(("plain", "html"))
    return str(part.get_content()) if part is not None else ""
