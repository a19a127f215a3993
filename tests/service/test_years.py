"""What grows while a referee runs for years, and what of it an umpire may clear away."""

from __future__ import annotations

from pathlib import Path

from tests.posthouse import ANN, BOB, PostHouse, text_of

ROWS = """SELECT (SELECT count(*) FROM log), (SELECT count(*) FROM outbox), (SELECT count(*) FROM letters),
    (SELECT count(*) FROM club)"""


def size(house: PostHouse) -> int:
    return sum(path.stat().st_size for path in house.folder.glob("referee.db*"))


def test_passes_with_nothing_to_do_write_nothing_more(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        house.game()
        house.tick_again()
        rows = [tuple(row) for row in house.rows(ROWS)]
    before = size(house), sorted(path.name for path in house.folder.rglob("*"))
    for _ in range(30):
        house.clock.advance(minutes=5)
        house.tick_again()
    assert (size(house), sorted(path.name for path in house.folder.rglob("*"))) == before
    assert [tuple(row) for row in house.rows(ROWS)] == rows


def test_a_pass_with_nothing_to_do_says_one_line_and_logs_none(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        house.command("tick")
        told = house.command("tick")
        assert (told.stdout, told.stderr) == ("letters handled: 0, letters sent: 0\n", "")


def test_letters_that_were_put_away_and_sent_may_be_deleted(tmp_path: Path) -> None:
    """What the umpire does as docs/setup.md tells: the store has every letter, and knows those that come again."""
    with PostHouse(tmp_path / "club") as house:
        house.begin()
        raw = house.write(ANN, "STEP 3").read_bytes()
        house.tick()
        house.club.source.close()
        for folder in ("in/cur", "out/new"):
            files = list((house.folder / "mail" / folder).iterdir())
            assert files
            for path in files:
                path.unlink()
        house.drop(raw)
        house.write(BOB, "RESEND 0")
        house.tick_again()
        assert len(house.rows("SELECT * FROM order_sets")) == 1
        (answer,) = house.post()
        assert answer["To"].addresses[0].addr_spec == BOB
        assert "The opening, once more" in text_of(answer)
