"""A pass looks up what it needs: no table is read from end to end, so the club's age does not matter."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from referee.mail.letter.tokens import Tag
from referee.service.post import codes
from referee.service.post.collect import collect
from referee.service.post.observers import watch_code
from referee.service.receive import handle_waiting
from referee.service.umpire.letters import commanded
from referee.store import games
from tests.posthouse import ANN, BOB, PostHouse

BY_STATE = re.compile("idx_letters_status|idx_outbox_state")
ASKED = "STATUS\nHELP\nORDERS?\nRESEND\nPRESS TO BOB: hello\nADDRESS new@example.org"


def test_no_query_of_letters_and_turns_reads_a_whole_table(house: PostHouse) -> None:
    house.game()
    asked: dict[str, None] = {}
    house.club.db.conn.set_trace_callback(lambda sql: asked.setdefault(sql))
    for text in ("STEP 3\nPRESS: hello", ASKED, "STEP 3"):
        house.write(ANN, text)
    house.write(BOB, "STEP 2\nNOTE: thanks")
    house.write("eve@example.org", "hello")
    house.write("eve@example.org", f"WATCH {watch_code(house.club, 'RR1')}")
    house.send(ANN, "STEP 1", Cc=BOB)
    (question,) = house.post("eve@example.org")
    house.reply(question, "CONFIRM")
    assert house.post("eve@example.org", "From now on you are sent")
    house.later(days=8)
    house.club.db.conn.set_trace_callback(None)
    queries = [sql for sql in asked if sql.lstrip().startswith(("SELECT", "UPDATE"))]
    assert any("lower(address)" in sql for sql in queries)
    explained = [(sql, house.rows(f"EXPLAIN QUERY PLAN {sql}")) for sql in queries]
    # The indexes of games that wait for players and of those that run hold no other ones; what is asked within a query is
    # searched for by itself; stand-bys are few, and asked for in letters to the umpire alone.
    whole = re.compile(r"SCAN (?!standbys|.*idx_open_games|.*idx_games_created|\(?subquery)", re.IGNORECASE)
    scanned = [sql for sql, plan in explained for row in plan if whole.match(row["detail"])]
    assert scanned == []
    # By these indexes come all letters of a state: few that are still to be handled or sent, and all others of the club.
    by_state = [sql for sql, plan in explained if any(BY_STATE.search(row["detail"]) for row in plan)]
    assert by_state
    assert [sql for sql in by_state if "'done'" in sql or "'sent'" in sql] == []


MOST_OF_A_CODE = 4  # statements: epoch, furthest turn, held letters, addresses
MOST = {
    "STEP 3": 47,
    "STEP 2\nPRESS: hello": 49,
    "STATUS": 46,
}  # for a letter with a code: five prove it before it is read, one tells its turn, two look for codes in answers, one for an end


def test_a_letter_asks_the_store_no_more_than_it_must(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.begin()
        opening, counted = house.post(ANN)[0], {}
        for text in MOST:
            house.answer(opening, text)
            collect(house.club)
            said: list[str] = []
            house.club.db.conn.set_trace_callback(said.append)
            handle_waiting(house.club, commanded)
            house.club.db.conn.set_trace_callback(None)
            counted[text] = len(said)
    assert {text: number for text, number in counted.items() if number > MOST[text]} == {}, counted


def test_a_wrong_code_is_compared_with_all_that_were_given_without_asking_for_each(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.begin()
        row = replace(games.game(house.club.db, "RR1"), turn=100)
        player = next(each for each in games.players(house.club.db, "RR1") if each.address == ANN)
        asked: list[str] = []
        house.club.db.conn.set_trace_callback(asked.append)
        wrong = codes.worth_of(house.club, Tag(game="RR1", player=player.code, token="0" * 8), row, player)
        house.club.db.conn.set_trace_callback(None)
    assert wrong.word == "wrong"
    assert len(asked) <= MOST_OF_A_CODE, asked
