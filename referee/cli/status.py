"""How the games of a club stand, at a glance, and in numbers for a monitor."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from msgspec.structs import asdict

from referee.cli.base import CommandMaker
from referee.cli.printing import say, say_coloured, say_json, utc
from referee.core.texts.wording import counted
from referee.service.club import Club
from referee.service.deadlines.downtime import leap
from referee.service.deadlines.missing import AWAY, IN, NOTHING_OWED
from referee.service.deadlines.rescheduling import due_words
from referee.service.post.lockout import lockout
from referee.service.site.publish import trouble
from referee.service.turns.opengames import signup_list
from referee.service.umpire.ahead import foretell, span, told
from referee.service.umpire.overview import Standing, by_urgency, standing
from referee.store import codes, games, letters, opengames, outbox

command = CommandMaker(__file__)


@command("status")
def status(club: Club, game_id: str | None, ahead: str | None, as_json: bool) -> None:
    """Say how the games stand: what waits for whom, what is due when, and what went wrong.

    Of several games a line each, what needs you first: whose orders are missing, and what is doubtful (errors in the orders, a
    letter that waits for its player's CONFIRM, letters that come back, a player who has resigned). Of GAME, or of the only game
    that runs, a line for each player.
    """
    if ahead:
        _print_ahead(club, ahead, games.game(club.db, game_id).id if game_id else "", as_json)
        return
    rows = [games.game(club.db, game_id)] if game_id else games.all_games(club.db)
    standings = [standing(club, row.id) for row in rows if game_id or not row.is_archived]
    if as_json:
        say_json([asdict(each) | {"missing": each.missing, "doubtful": each.doubtful} for each in standings])
        return
    running = by_urgency(standings)
    if len(running) > 1:
        for line, colour in _table(running, club.config.zone):
            say_coloured((line, colour))
        over = [each.game for each in standings if each.status != "running"]
        if over:
            say(f"over: {', '.join(over)}")
    else:
        for each in standings:
            _print_game(each, club.config.zone)
    troubles = [] if game_id else [*_troubles(club)]
    for line in troubles:
        say_coloured((line, "yellow"))
    if not standings and not troubles:
        say(
            "no game runs: `referee game open KIND` lets players sign up for one, `referee game new KIND` begins one",
            err=True,
        )


def _print_ahead(club: Club, ahead: str, game: str, as_json: bool) -> None:
    seen = [each for each in foretell(club, span(ahead)) if game in ("", each.game)]
    if as_json:
        say_json(seen)
        return
    for each in seen:
        when = f"{each.at.astimezone(ZoneInfo(club.config.zone)):%a %Y-%m-%d %H:%M}"
        say(f"{when}  {each.game:<6} {told(club, each)}")
    if not seen:
        say(f"nothing will happen within {ahead} if nobody writes", err=True)


def _table(standings: list[Standing], zone: str) -> Iterator[tuple[str, str | None]]:
    """Yield the lines of the table, each with its colour: red for what stands still, yellow for what is missing or doubtful."""
    head = ("game", "turn", f"due ({zone})", "in", "missing", "doubtful", "")
    rows = [head, *(_row(each, zone) for each in standings)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    for row, colour in zip(rows, ("bold", *map(_colour, standings)), strict=True):
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip(), colour


def _colour(each: Standing) -> str | None:
    if each.stopped or each.overdue or each.deadline is None:
        return "red"
    return "yellow" if each.missing or each.doubtful else None


def _row(each: Standing, zone: str) -> tuple[str, ...]:
    owed = [word for word in each.orders.values() if word != NOTHING_OWED]
    away = [code for code, word in each.orders.items() if word == AWAY]
    if each.stopped:
        due = "stopped"
    elif each.deadline is None:
        due = "when all are in"
    else:
        due = f"{each.deadline.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"
    remarks = (
        "overdue" if each.overdue else "",
        "given more time" if each.extended else "",
        "undone" if each.undone else "",
        f"away: {' '.join(away)}" if away else "",
        f"asked: {' '.join(each.asked)}" if each.asked else "",
    )
    return (
        each.game,
        str(each.turn),
        due,
        f"{sum(word == IN for word in owed)}/{len(owed)}",
        " ".join(each.missing) or "-",
        " ".join(each.doubtful) or "-",
        ", ".join(filter(None, remarks)),
    )


def _print_game(each: Standing, zone: str) -> None:
    head = f"{each.game}  {each.title}, {each.board}  "
    if each.status != "running":
        say(f"{head}over after turn {each.turn}")
        return
    due = "stopped for now" if each.stopped else due_words(each.deadline, zone)
    asked = f", {' and '.join(each.asked)} asked" if each.asked else ""
    say(
        f"{head}turn {each.turn}, {due}{asked}{', given more time' if each.extended else ''}{', undone' if each.undone else ''}"
    )
    for code, orders in each.orders.items():
        lost = ", unreachable: letters to this player come back" if code in each.unreachable else ""
        waits = ", a letter waits for the player's word" if code in each.held else ""
        colour = "green" if orders == IN else "red" if orders == "missing" else "yellow" if orders == "faulty" else None
        say_coloured((f"  {code:<8} ", None), (orders, colour), (f"{waits}{lost}", "yellow"))


def _troubles(club: Club) -> Iterator[str]:
    """Yield what waits for the umpire in all the club, or went wrong."""
    for row in opengames.waiting(club.db):
        free = signup_list(club, row.id).stand["free"]
        begins = f", begin it with `referee game start {row.id}`" if not free else ""
        yield f"{row.id} waits for players, {free} of {row.seats} seats are free{begins}: see `referee game signups {row.id}`"
    for word, number in (("parked", len(letters.listed(club.db, "parked"))), ("held", len(codes.to_decide(club.db)))):
        if number:
            sentence = counted(number, f"letter is {word}", f"letters are {word}")
            yield f"{sentence}: see `referee letters --status {word}`"
    failed = sum(row.state == "failed" for row in outbox.unsent(club.db))
    if failed:
        yield f"{counted(failed, 'letter of ours has failed', 'letters of ours have failed')}: see `referee outbox`"
    for section in ("imap", "smtp"):
        refused = lockout(club.db, section)
        if refused is not None:
            often = counted(refused.count, "time", "times")
            rest = refused.rests_until
            then = f"not before {utc(rest)}, unless the login is mended" if rest else "with the next pass"
            last = f"refused {often}, last at {utc(refused.at)}; tried again {then}"
            yield f"{section}: {refused.why} ({last})"
    since, why = trouble(club)
    if why:
        yield f"publish: the club's pages could not be written since {since}: {why}"
    leapt = leap(club.config, club.db, club.uptime(), club.clock())
    if leapt:
        yield f"clock: {leapt}"
    paused = outbox.pause(club.db)
    if paused is not None:
        yield f"smtp: no letter could leave since {utc(paused.since)}: {paused.why}"


@command("metrics")
def metrics(club: Club) -> None:
    """Print how the club is doing in the text format of Prometheus.

    Letters in and out by what became of them, the oldest that waits, turns due and late, bounces, seconds of CPU, size of the
    database. With the setting `log.metrics` each pass writes the same into a file for the node exporter.
    """
    from referee.service.metrics import exposition  # here, because all other commands need not wait for it

    say(exposition(club).rstrip("\n"))
