"""Says how many letters of orders a second one process receives, reads, checks and answers: python -m bench.mail [LETTERS]

Real letters of Dampfross (bots wrote the orders) come from players who answer with their codes, to copies of one game, so that
no budget is reached. Beside each figure stands the floor, measured in the same run: the same letters only fetched and put away,
the same answers only delivered, by a few lines of plain code (Maildir) or of imapclient and smtplib (Dovecot behind an SMTP
gateway in a process of its own), one letter and one recipient at a time. On a disk the floor is given with waiting for the disk
(fsync), as we do, too.

With the servers, ours and the floor take turns, and what is told is the median of their ratios: whatever else the machine does
hits both. We put letters away in groups, so a second floor does that, too.
"""

from __future__ import annotations

import os
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from imapclient import IMAPClient

from bench.rows import Row, print_rows
from referee.bots.dampfross import answer
from referee.config import SettingValue, read_config
from referee.service.club import Club, make_club, open_club
from referee.service.post.codes import address_of, tag_of_turn
from referee.service.post.collect import GROUP, collect
from referee.service.post.deliver import send_waiting
from referee.service.receive import handle_waiting
from referee.service.tick import tick
from referee.service.turns.gamefile import Invited, Proposal
from referee.service.turns.newgames import new_game
from referee.store import games, insert, transaction
from tests.servers.dovecot import PASSWORD, Dovecot, free_port

LETTERS = 500
ROUNDS = 5  # in which they come to the servers
WARMING = 24  # letters before those that are counted: templates and order languages are read once
A_GAME = 24  # letters about each game: no budget is reached
OWN = "referee@example.org"
PEOPLE = {"GSW": "red", "MGW": "green", "BNC": "blue"}
GATEWAY = "import sys, time; from tests.servers import dovecot; dovecot.free_port = lambda: int(sys.argv[2])\n"
GATEWAY += "import tests.servers.gateway as g; g.free_port = dovecot.free_port\n"
GATEWAY += "with g.gateway(int(sys.argv[1])): time.sleep(3600)\n"


def make_games(club: Club, count: int) -> None:
    """Write one game and its copies, each with players of its own; the opening letters leave."""
    seats = tuple(
        Invited(code=code, colour=colour, name=code.title(), address=f"{code.lower()}.rr1@example.org")
        for code, colour in PEOPLE.items()
    )
    new_game(club, Proposal(kind="dampfross", board="ireland", players=seats, rhythm={"days": 14}))
    tick(club)
    first = games.all_games(club.db)[0]
    with transaction(club.db):
        for number in range(2, count + 1):
            name = f"RR{number}"
            insert(club.db, first.but(id=name))
            for seat in games.players(club.db, first.id):
                own = f"{seat.code.lower()}.{name.lower()}@example.org"
                insert(club.db, seat.but(game=name, address=own))
            for turn in games.turns(club.db, first.id):
                insert(club.db, turn.but(game=name))


def written_letters(club: Club, count: int) -> Iterator[bytes]:
    """Write letters of orders as players answer: with the code in the address, no two alike, our letter quoted below."""
    first = games.all_games(club.db)[0]
    position = club.positions.of(club.db, first)
    seen = position.rules.view(position.state, None)
    orders = {code: answer(seen, code) for code in PEOPLE}
    rows = games.all_games(club.db)
    for number in range(count):
        row = rows[number // A_GAME]
        seat = games.players(club.db, row.id)[number % len(PEOPLE)]
        # Each letter says something new: of who says the same again and again not every letter is answered.
        lines = "\r\n".join(orders[seat.code][: -1 if number // len(PEOPLE) % 2 else None])
        head = {
            "From": f"{seat.name} <{seat.address}>",
            "To": address_of(club, tag_of_turn(club, seat, row.turn)),
            "Subject": f"Re: [{row.id}] round 1",
            "Message-ID": f"<{number}.bench@example.org>",
            "Content-Type": "text/plain; charset=utf-8",
        }
        text = f"ORDERS {row.id} {row.turn}\r\n{lines}\r\nEND\r\nPRESS: letter {number}\r\n\r\n> what you wrote\r\n"
        yield ("".join(f"{name}: {value}\r\n" for name, value in head.items()) + "\r\n" + text).encode()


def written(club: Club, count: int) -> tuple[list[bytes], list[bytes]]:
    """Return the letters that warm the process up and those that are counted."""
    letters = list(written_letters(club, WARMING + count))
    return letters[:WARMING], letters[WARMING:]


@contextmanager
def new_club(folder: Path, count: int, **settings: SettingValue) -> Iterator[Club]:
    given: dict[str, SettingValue] = {"mail.address": OWN, "mail.replies_per_day": 1000, "deadlines.early_delay": 1000}
    make_club(folder, given | {name.replace("__", "."): value for name, value in settings.items()})
    with open_club(read_config(folder)) as club:
        make_games(club, -(-count // A_GAME))
        yield club


def ours(club: Club) -> dict[str, float]:
    """Receive, answer and send all that waits; return the seconds of each part."""
    spent = {}
    parts: dict[str, Callable[[Club], object]] = {"collect": collect, "handle": handle, "send": send_waiting}
    for name, act in parts.items():
        began = time.perf_counter()
        act(club)
        spent[name] = time.perf_counter() - began
    return spent


def handle(club: Club) -> None:
    """Handle what waits, as a pass does."""
    handle_waiting(club)


def answers(club: Club) -> list[tuple[str, bytes]]:
    """Return the answers that are out, each with its recipient."""
    sql = "SELECT recipient, raw FROM outbox WHERE kind = 'acknowledgement' AND state = 'sent' ORDER BY id"
    return [(row["recipient"], row["raw"]) for row in club.db.query(sql)]


def maildir_floor(folder: Path, letters: list[bytes], replies: list[tuple[str, bytes]], safe: bool) -> dict[str, float]:
    """Return the seconds in which plain code reads and moves the letters and delivers the answers."""
    for name in ("new", "cur", "tmp", "out"):
        (folder / name).mkdir(parents=True)
    for number, raw in enumerate(letters):
        (folder / "new" / str(number)).write_bytes(raw)
    began = time.perf_counter()
    for number, (_, raw) in enumerate(replies):
        kept = folder / "new" / str(number)
        kept.read_bytes()
        kept.rename(folder / "cur" / str(number))
        draft = folder / "tmp" / str(number)
        with draft.open("wb") as file:
            file.write(raw)
            if safe:
                os.fsync(file.fileno())
        draft.rename(folder / "out" / str(number))
    return {"both": time.perf_counter() - began}


def server_floor(
    server: Dovecot, port: int, box: str, replies: list[tuple[str, bytes]], moved: int = 1
) -> dict[str, float]:
    """Return the seconds in which imapclient fetches letters and moves so many at once, and smtplib delivers the answers."""
    began = time.perf_counter()
    with IMAPClient("127.0.0.1", server.ports.imap, ssl=False) as client:
        client.login(box, PASSWORD)
        client.select_folder("INBOX")
        if not client.folder_exists("Processed"):
            client.create_folder("Processed")
        numbers = client.search("ALL")
        for start in range(0, len(numbers), moved):
            for number in numbers[start : start + moved]:
                assert client.fetch([number], ["BODY.PEEK[]"])[number][b"BODY[]"]
            client.move(numbers[start : start + moved], "Processed")
    fetched = time.perf_counter() - began
    with smtplib.SMTP("127.0.0.1", port) as line:
        line.login(box, PASSWORD)
        for recipient, raw in replies:
            line.sendmail(OWN, [recipient], raw)
    return {"fetch": fetched, "deliver": time.perf_counter() - began - fetched}


def summed(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    return {part: sum(each[part] for each in rounds) for part in rounds[0]}


def told(name: str, count: int, parts: dict[str, float]) -> None:
    detail = "".join(f", {part} {spent / count * 1000:.1f} ms" for part, spent in parts.items())
    print(f"{name:>34}: {count / sum(parts.values()):7.1f} letters/s{detail}", flush=True)


def told_floor(name: str, count: int, us: Sequence[dict[str, float]], floor: Sequence[dict[str, float]]) -> None:
    told(name, count, summed(floor))
    ratios = sorted(sum(ours.values()) / sum(theirs.values()) for ours, theirs in zip(us, floor, strict=True))
    each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"{'':>34}  we take {statistics.median(ratios):.2f} times as long ({each})")


def by_maildir(folder: Path, count: int) -> None:
    with new_club(folder / "club", WARMING + count) as club:
        warming, letters = written(club, count)
        inbox = folder / "club" / "mail" / "in" / "new"
        for part in (warming, letters):
            for number, raw in enumerate(part):
                (inbox / f"{number:06}").write_bytes(raw)
            spent = ours(club)
        replies = answers(club)[WARMING:]
    assert len(replies) == count, f"{len(replies)} of {count} letters were acknowledged"
    told("Maildir", count, spent)
    told("floor, unsafe", count, maildir_floor(folder / "floor", letters, replies, safe=False))
    told("floor, each letter safe on disk", count, maildir_floor(folder / "safe", letters, replies, safe=True))


def rows(count: int = LETTERS) -> Iterator[Row]:
    """Measure what a letter takes of the processor in a running process, beside its bytes alone."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        with new_club(folder / "club", WARMING + count) as club:
            warming, letters = written(club, count)
            inbox, used = folder / "club" / "mail" / "in" / "new", 0.0
            for part in (warming, letters):
                for number, raw in enumerate(part):
                    (inbox / f"{number:06}").write_bytes(raw)
                began = time.process_time()
                ours(club)
                used = time.process_time() - began
            replies = answers(club)[WARMING:]
        assert len(replies) == count, f"{len(replies)} of {count} letters were acknowledged"
        began = time.process_time()
        maildir_floor(folder / "floor", letters, replies, safe=False)
        floor = (time.process_time() - began) * 1000 / count
    each = used * 1000 / count
    title = f"{count} letters in a running process (without the reader's, which works beside it)"
    yield Row(table=title, work="its bytes alone", figure=floor, unit="ms")
    yield Row(table=title, work="a letter", figure=each, unit="ms", beside="its bytes alone", ratio=each / floor)


@contextmanager
def gateway_apart(lmtp: int) -> Iterator[int]:
    """Run the gateway in a process of its own; return its port."""
    port = free_port()
    with subprocess.Popen([sys.executable, "-c", GATEWAY, str(lmtp), str(port)]) as process:  # noqa: S603 (ours)
        try:
            for _ in range(200):
                try:
                    smtplib.SMTP("127.0.0.1", port).quit()
                    break
                except OSError:
                    time.sleep(0.05)
            yield port
        finally:
            process.kill()


def deliver(server: Dovecot, boxes: list[str], letters: list[bytes]) -> None:
    with closing(smtplib.LMTP("127.0.0.1", server.lmtp)) as line:
        for raw in letters:
            for box in boxes:
                line.sendmail("a@example.org", [box], raw)


def by_dovecot(folder: Path, count: int) -> None:
    """Let the same letters come to our mailbox and to those of the floors, round by round."""
    secret = folder / "club" / "secret"
    secret.parent.mkdir()
    secret.write_text(PASSWORD)
    secret.chmod(0o600)
    with Dovecot() as server, gateway_apart(server.lmtp) as port:
        places: dict[str, SettingValue] = {
            "imap__port": server.ports.imap,
            "smtp__port": port,
            "smtp__per_minute": 6000,
        }
        for section in ("imap", "smtp"):
            places |= {f"{section}__host": "127.0.0.1", f"{section}__security": "none"}
            places |= {f"{section}__password_file": "secret", f"{section}__user": "club"}
        with new_club(folder / "club", WARMING + count, **places) as club:
            warming, letters = written(club, count)
            # A mailbox is made with its first letter, which takes long: neither we nor the floor should have to wait for that.
            players = [row["address"] for row in club.db.query("SELECT DISTINCT address FROM players")]
            deliver(server, players, warming[:1])
            rounds: list[tuple[dict[str, float], ...]] = []
            size = -(-count // ROUNDS)
            for part in (warming, *(letters[start : start + size] for start in range(0, count, size))):
                deliver(server, ["club@example.org", "floor@example.org", "groups@example.org"], part)
                spent = ours(club)
                replies = answers(club)[-len(part) :]
                floor = server_floor(server, port, "floor", replies)
                rounds.append((spent, floor, server_floor(server, port, "groups", replies, GROUP)))
            assert len(answers(club)) == WARMING + count, "some letters were not acknowledged"
    us, one, groups = zip(*rounds[1:], strict=True)
    told("Dovecot and SMTP", count, summed(us))
    told_floor("floor, imapclient and smtplib", count, us, one)
    told_floor(f"floor that moves {GROUP} at once", count, us, groups)


def main() -> None:
    """Print the figures; with --json those of a letter in a running process alone, an object a row."""
    if sys.argv[1:] == ["--json"]:
        print_rows(rows(), as_json=True)
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else LETTERS
    places = {"disk": None, "memory": "/dev/shm"}  # noqa: S108 (only where it is)
    for name, place in places.items():
        if place is None or Path(place).is_dir():
            with tempfile.TemporaryDirectory(dir=place) as made:
                print(
                    f"{count} letters, folders on {name}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
                )
                by_maildir(Path(made), count)
    with tempfile.TemporaryDirectory() as made:
        by_dovecot(Path(made), count)


if __name__ == "__main__":
    main()
