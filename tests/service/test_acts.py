"""What the umpire does stands in a log that nobody can change unnoticed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.errors import ConfigError
from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.verify import verify, verify_game
from referee.service.club.umpires import checked_reason, log_act
from referee.service.commands.addresses import give_address, renew
from referee.service.turns.preview import type_throws
from referee.store.database.database import transaction
from referee.store.games import acts
from tests.posthouse import PostHouse


def act(house: PostHouse, kind: str, reason: str = "") -> None:
    with transaction(house.club.db):
        log_act(house.club, "RR1", 1, kind, {"days": 3}, reason)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club") as made:
        made.game()
        act(made, "hold", "Ann is ill")
        made.clock.advance(hours=1)
        act(made, "resume", "She is well\n\nand sends her love")
        yield made


def test_acts_are_numbered_and_cannot_be_changed(house: PostHouse) -> None:
    assert [(each.number, each.kind, each.actor) for each in acts(house.club.db, "RR1")] == [
        (1, "hold", "umpire"),
        (2, "resume", "umpire"),
    ]
    for sql in (
        "UPDATE acts SET reason = 'x'",
        "DELETE FROM acts",
        "INSERT OR REPLACE INTO acts SELECT * FROM acts WHERE number = 1",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="an act of the umpire is never"), transaction(house.club.db):
            house.club.db.execute(sql)


def test_a_log_that_was_altered_behind_the_back_of_the_store_is_noticed(house: PostHouse) -> None:
    assert verify_game(house.club, "RR1").faults == ()
    house.club.db.execute("DROP TRIGGER acts_unchanged")
    house.club.db.execute("UPDATE acts SET reason = 'Ann is away' WHERE number = 1")
    found = verify_game(house.club, "RR1").faults
    assert [(fault.turn, fault.text) for fault in found] == [
        (1, "act 1 of the umpire's log does not fit its hash, and the act before it")
    ]


def test_an_act_that_was_left_out_is_noticed(house: PostHouse) -> None:
    house.club.db.execute("DROP TRIGGER acts_undeleted")
    house.club.db.execute("DELETE FROM acts WHERE number = 1")
    assert [fault.text for fault in verify_game(house.club, "RR1").faults] == ["act 1 of the umpire's log is missing"]


def test_an_export_holds_the_log_and_proves_it(house: PostHouse) -> None:
    text = format_revealed(revealed(house.club, "RR1"))
    assert verify(parse_revealed(text.encode())).faults == ()
    plain = json.loads(text)
    assert [each["reason"] for each in plain["acts"]] == ["Ann is ill", "She is well\n\nand sends her love"]
    for name, other in {"reason": "x", "kind": "play", "turn": 2, "parameters": {}, "actor": "referee"}.items():
        altered = json.loads(text)
        altered["acts"][1][name] = other
        faults = verify(parse_revealed(json.dumps(altered).encode())).faults
        assert [fault.text for fault in faults] == [
            "act 2 of the umpire's log does not fit its hash, and the act before it"
        ], name
    for name, other in {"at": "today", "reason": "\x1b[2J", "parameters": []}.items():
        plain["acts"][0] = {**json.loads(text)["acts"][0], name: other}
        with pytest.raises(ValueError, match="entry 1 of the acts"):
            parse_revealed(json.dumps(plain).encode())


def test_a_game_without_acts_is_exported_as_ever(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as made:
        made.game()
        assert "acts" not in json.loads(format_revealed(revealed(made.club, "RR1")))


def test_log_lists_a_game_s_acts(house: PostHouse) -> None:
    lines = house.command("log", "rr1").stdout.splitlines()
    told = "2\t2026-12-07T13:00:00Z\tturn 1\tumpire\tresume\tdays 3\tShe is well and sends her love"
    assert lines[1:] == [told]
    plain = json.loads(house.command("log", "RR1", "--json").stdout)
    assert plain[0]["parameters"] == {"days": 3}
    assert plain[1]["reason"] == "She is well\n\nand sends her love"
    assert house.command("log", "RR9").returncode == 65


def test_a_reason_is_asked_for_and_bounded() -> None:
    assert checked_reason("  why\r\nnot ") == "why\nnot"
    with pytest.raises(ConfigError, match="say why: --because"):
        checked_reason(" ", needed=True)
    with pytest.raises(ConfigError, match="4001 characters"):
        checked_reason("x" * 4001)
    with pytest.raises(ConfigError, match="cannot be printed"):
        checked_reason("\x1b[2J")


def test_addresses_codes_and_throws_are_acts_too_without_what_nobody_may_read(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as made:
        made.game()
        made.game()
        give_address(made.club, "RR1", "ANN", "new@example.org")
        renew(made.club, "RR1", "BOB")
        type_throws(made.club, "RR1", {"wind/1": 2}, ())
        type_throws(made.club, "RR1", {"wind/1": 2}, ())
        told = [(each.game, each.kind, each.parameters) for name in ("RR1", "RR2") for each in acts(made.club.db, name)]
        assert told == [
            ("RR1", "address", '{"player":"ANN"}'),
            ("RR1", "code", '{"player":"BOB"}'),
            ("RR1", "dice", '{"throws":1}'),
            ("RR2", "address", '{"player":"ANN"}'),
        ]
