"""A whole game taken from one club to another, where it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from referee.core.errors import ConfigError
from referee.service.audit.verify import verify_game
from referee.service.deadlines.rescheduling import hold, resume
from referee.service.umpire.archive import archive
from referee.service.upkeep.sealed import opened, sealed
from referee.service.upkeep.transfer import take_in, whole_game
from referee.store import games, outbox
from referee.store.acts import acts
from tests.posthouse import ANN, BOB, PostHouse, text_of

pytest.importorskip("cryptography")
WORDS = "correct horse battery staple"
QUICK = {"n": 2**4, "r": 8, "p": 1, "length": 32}


@pytest.fixture(autouse=True)
def _quick_scrypt() -> Iterator[None]:
    with patch("referee.service.upkeep.sealed._COST", QUICK):
        yield


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A game of which a turn was played, with orders of Ann's on file for the next one."""
    with PostHouse(tmp_path / "old", identity__policy="token") as made:
        made.game()
        made.tick()
        for player in (ANN, BOB):
            made.answer(made.post(player)[-1], "STEP 1")
        made.clock.advance(hours=1)
        assert len(made.tick().turns) == 1
        made.answer(made.post(ANN, "turn")[-1], "STEP 3")
        made.tick()
        yield made


def exported(house: PostHouse) -> bytes:
    hold(house.club, "RR1", "It moves.")
    house.tick()
    return whole_game(house.club, "rr1", WORDS)


def test_a_game_goes_on_in_another_club_as_if_nothing_had_been(house: PostHouse, tmp_path: Path) -> None:
    raw = exported(house)
    assert ANN.encode() not in raw
    root = games.game(house.club.db, "RR1").chain
    with PostHouse(tmp_path / "new", identity__policy="token") as new:
        new.clock.now = house.clock.now
        assert take_in(new.club, raw, WORDS) == "RR1"
        assert games.game(new.club.db, "RR1").chain == root
        assert verify_game(new.club, "RR1").faults == ()
        assert [act.kind for act in acts(new.club.db, "RR1")] == ["hold", "export", "import"]
        assert len(outbox.newsletters(new.club.db, "RR1", 1)) == len(outbox.newsletters(house.club.db, "RR1", 1))
        resume(new.club, "RR1", "", "The game goes on here.")
        new.tick()
        new.answer(new.post(BOB, "The game goes on here.")[-1], "STEP 2")
        new.clock.advance(hours=1)
        assert len(new.tick().turns) == 1
        told = text_of(new.post(ANN, "turn 2")[-1])
        assert "ANN stands on 7" in told  # by the orders that lay on file in the other club
        assert verify_game(new.club, "RR1").faults == ()
        with pytest.raises(ConfigError, match="RR1 is here already"):
            take_in(new.club, raw, WORDS)


def test_who_writes_to_the_old_club_is_answered_with_where_the_game_is(house: PostHouse) -> None:
    """By the umpire's words when he stopped it."""
    exported(house)
    house.answer(house.post(BOB, "turn")[-1], "STEP 2")
    house.tick()
    told = " ".join(text_of(house.post(BOB)[-1]).split())
    assert "The umpire has stopped the game for now" in told
    assert "The umpire writes: | It moves." in told


def test_a_game_that_was_given_away_goes_on_here_only_if_the_umpire_says_so(house: PostHouse) -> None:
    exported(house)
    with pytest.raises(ConfigError, match=r"the whole of RR1 was exported \(U2\).*`referee resume RR1 --here`"):
        resume(house.club, "RR1")
    assert games.game(house.club.db, "RR1").stopped_at is not None
    assert resume(house.club, "RR1", here=True).stopped_at is None
    hold(house.club, "RR1", "I am away.")
    assert resume(house.club, "RR1").stopped_at is None


def test_a_game_that_was_given_away_can_be_put_away(house: PostHouse) -> None:
    with pytest.raises(ConfigError, match="RR1 is not over: turn 2 is awaited"):
        archive(house.club, "RR1")
    exported(house)
    assert archive(house.club, "RR1").is_archived
    assert "RR1" not in house.command("status").stdout
    assert not resume(house.club, "RR1", here=True).is_archived


def test_what_is_no_such_file_or_has_another_passphrase_is_one_sentence(house: PostHouse, tmp_path: Path) -> None:
    raw = exported(house)
    with PostHouse(tmp_path / "new") as new:
        for given, words, said in (
            (raw, "another passphrase", "another passphrase opens this file"),
            (raw[:-9], WORDS, "damaged or was cut off"),
            (raw.replace(raw[-20:-10], b"0123456789"), WORDS, "damaged or was cut off"),
            (b"PK\3\4", WORDS, "this is no whole game"),
        ):
            with pytest.raises(ConfigError, match=said):
                take_in(new.club, given, words)
        assert games.all_names(new.club.db) == frozenset()


def test_a_game_that_does_not_verify_or_is_of_a_newer_release_is_not_kept(house: PostHouse, tmp_path: Path) -> None:
    plain = opened(exported(house), WORDS)
    plain["rows"]["turns"][1]["salts"] = "forged"
    with PostHouse(tmp_path / "new") as new:
        with pytest.raises(ConfigError, match="RR1 is not in order, nothing is kept of it: turn 1"):
            take_in(new.club, sealed(plain, WORDS), WORDS)
        plain["rows"]["turns"][1]["weather"] = "fine"
        with pytest.raises(ConfigError, match="another release of the referee: table turns has no column weather"):
            take_in(new.club, sealed(plain, WORDS), WORDS)
        assert games.all_names(new.club.db) == frozenset()
        assert new.rows("SELECT * FROM letters") == []


def test_a_game_that_runs_or_has_letters_to_send_stays_where_it_is(house: PostHouse) -> None:
    with pytest.raises(ConfigError, match="RR1 runs, and would be played here and there: `referee hold RR1"):
        whole_game(house.club, "RR1", WORDS)
    hold(house.club, "RR1", "It moves.")
    with pytest.raises(ConfigError, match="letters about RR1 wait to be sent"):
        whole_game(house.club, "RR1", WORDS)
    house.tick()
    with pytest.raises(ConfigError, match="the passphrase has 5 characters"):
        whole_game(house.club, "RR1", "short")
    assert [act.kind for act in acts(house.club.db, "RR1")] == ["hold"]
