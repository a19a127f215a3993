"""The club's name stands in every letter: in its text, in its page, and beside the referee's address."""

from __future__ import annotations

from pathlib import Path

from referee.mail.compose import read_own
from referee.service.deadlines.rescheduling import set_deadline
from referee.service.turns.opengames import invite, open_game, start
from referee.service.turns.proposals import Proposal
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of

CLUB = "Eisenbahnfreunde <Süd>"
KINDS = {"signup", "newsletter", "acknowledgement", "reminder", "deadline", "command", "note"}


def test_the_name_of_the_club_stands_in_every_letter(tmp_path: Path) -> None:
    settings = {"club.name": CLUB, "players.format": "html", "deadlines.reminders": "48"}
    with PostHouse(tmp_path / "club", identity__policy="token", mail__umpire_newsletters=True, **settings) as house:
        open_game(house.club, Proposal(kind="tinyrace", board="line", rhythm={"days": 7}), 2)
        invite(house.club, "RR1", (f"Ann <{ANN}>", f"Bob <{BOB}>"))
        house.tick()
        for player in (ANN, BOB):
            house.answer(house.last(player), "CONFIRM")
        house.tick()
        start(house.club, "RR1")
        house.tick()
        house.answer(house.last(ANN), "STEP 1\nNOTE\nHello.\nEND NOTE")
        house.reply(house.last(BOB), "HELP")
        house.later(days=6)
        set_deadline(house.club, "RR1", "2027-01-20 20:00", "Holidays.")
        house.write(UMPIRE, "LOG RR1", "a question")
        house.reply(house.last(BOB), "STEP 2")
        letters = house.ours()
        assert {each.kind for each in letters} >= KINDS
        for row in letters:
            letter = read_own(row.raw)
            assert text_of(letter).rstrip().endswith(f"\n{CLUB}"), row.kind
            page = letter.get_body(("html",))
            assert page is None or "Eisenbahnfreunde &lt;Süd&gt;</p>" in page.get_content(), row.kind
            assert str(letter["From"].addresses[0].display_name) == f"The Referee, {CLUB}"
        assert sum(read_own(row.raw).get_body(("html",)) is not None for row in letters) > len(letters) / 2
