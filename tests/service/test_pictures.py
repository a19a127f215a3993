"""MAP: the board is drawn once for all who ask."""

from __future__ import annotations

import hashlib
from email.message import EmailMessage
from pathlib import Path

import pytest
from msgspec import field
from msgspec.structs import replace

from referee.core.errors import RefereeError
from referee.core.picture.drawing import Drawing, Layer, Text
from referee.games.dampfross import GAME as DAMPFROSS
from referee.report import raster
from referee.service.club import pictures
from referee.service.club.pictures import KEPT, Pictures
from referee.service.tick import tick
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from referee.store.games import game
from tests.pictures import width_of
from tests.posthouse import ANN, BOB, PostHouse, line_of, text_of


def refuse(*_: object) -> bytearray:
    raise RefereeError("ThorVG refused it.")


class Watched(Pictures):
    """Pictures that say which boards they drew."""

    drew: list[pictures.Key] = field(default_factory=list)

    def drawn(self, key: pictures.Key, *drawings: Drawing) -> tuple[pictures.Picture, ...]:
        self.drew.append(key)
        return super().drawn(key, *drawings)


def files(house: PostHouse, reader: str) -> list[str]:
    return [name for part in house.last(reader).walk() if (name := part.get_filename())]


def png(house: PostHouse, reader: str) -> EmailMessage:
    """Return the board in the reader's newest letter."""
    return next(part for part in house.last(reader).walk() if part.get_content_type() == "image/png")


@pytest.fixture
def house(tmp_path: Path) -> PostHouse:
    made = PostHouse(tmp_path / "club")
    made.begin()
    return made


def test_a_board_that_two_ask_for_is_drawn_once(house: PostHouse) -> None:
    watched = Watched()
    house.write(ANN, "MAP\nPRESS TO BOB: look at the map")
    house.write(BOB, "MAP")
    tick(replace(house.club, tools=house.club.tools.having(pictures=watched)))
    assert len(watched.drew) == 1
    for reader in (ANN, BOB):
        assert files(house, reader) == ["RR1-turn-0.png", "RR1-turn-0.svg"]
    assert len(house.post(BOB, "look at the map")) == 1
    assert [row["status"] for row in house.rows("SELECT status FROM letters")] == ["done", "done"]
    assert len(house.rows("SELECT * FROM press")) == 1


def test_a_letter_that_was_held_gets_its_board_too(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.begin()
        house.send(ANN, "STEP 3\nMAP")
        house.answer(house.last(ANN, "Is this letter yours?"), "CONFIRM")
        watched = Watched()
        tick(replace(house.club, tools=house.club.tools.having(pictures=watched)))
        assert len(watched.drew) == 1
        assert files(house, ANN) == ["RR1-turn-0.png", "RR1-turn-0.svg"]


def test_after_a_turn_the_board_is_drawn_anew(house: PostHouse) -> None:
    watched = Watched()
    for turn in (0, 1):
        house.write(ANN, "MAP")
        tick(replace(house.club, tools=house.club.tools.having(pictures=watched)))
        assert files(house, ANN)[0] == f"RR1-turn-{turn}.png"
        house.later(days=8)
    assert len(set(watched.drew)) == 2


@pytest.mark.usefixtures("real_pictures")
def test_without_a_renderer_the_map_comes_as_svg_alone(house: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "paint", refuse)
    house.write(ANN, "MAP")
    tick(replace(house.club, tools=house.club.tools.having(pictures=Pictures())))
    assert files(house, ANN) == ["RR1-turn-0.svg"]


@pytest.mark.usefixtures("real_pictures")
def test_a_drawing_that_hurts_the_renderer_hurts_none_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sheets = [Drawing(width=40, height=20, background="#ffffff", parts=(), title=name) for name in ("A", "Bad", "C")]
    painted = raster.paint
    monkeypatch.setattr(raster, "paint", lambda each, *rest: (refuse if each.title == "Bad" else painted)(each, *rest))
    assert [png[1:4] for png in Pictures().pngs(sheets)] == [b"PNG", b"", b"PNG"]


@pytest.mark.usefixtures("real_pictures")
@pytest.mark.parametrize("board", DAMPFROSS.boards())
def test_while_track_is_laid_the_names_of_all_hexes_can_be_read_on_a_file_that_the_letter_names(
    tmp_path: Path, board: str
) -> None:
    with PostHouse(tmp_path / "club", players__attach="png") as house:
        players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "WLW:green:Cid <cid@example.org>")
        new_game(house.club, Proposal(kind="dampfross", board=board, players=tuple(map(parse_player, players))))
        house.send(BOB, "MAP", subject="Re: [RR1]")
        position = house.club.positions.of(house.club.db, game(house.club.db, "RR1"))
        drawing = position.rules.drawing(position.state, str)
        fine = [each for part in drawing.parts if isinstance(part, Layer) and part.fine for each in part.shapes]
        size = min(each.size for each in fine if isinstance(each, Text))
        for letter in (house.post(ANN)[0], house.last(BOB)):
            pngs = {part.get_filename(): part for part in letter.walk() if part.get_content_type() == "image/png"}
            assert set(pngs) == {"RR1-turn-0.png", "RR1-turn-0-hexes.png"}
            named = pngs["RR1-turn-0-hexes.png"].get_content()
            assert width_of(named) * size >= 9 * drawing.width
            assert len(named) < 350_000
        body = house.post(ANN)[0].get_body(("html",))
        assert body is not None
        page = body.get_content()
        assert page.index("Deadline:") < page.index("<img")
        assert "the attached RR1-turn-0-hexes.png" in line_of(house.post(ANN)[0])
        assert replace(drawing, needs_fine=False).legible is None


def test_who_wants_no_pictures_is_named_none(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", players__format="text", players__attach="svg") as house:
        players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "WLW:green:Cid <cid@example.org>")
        new_game(house.club, Proposal(kind="dampfross", board="ireland", players=tuple(map(parse_player, players))))
        house.tick()
        assert "hexes.png" not in text_of(house.post(ANN)[0])


def test_only_the_last_pictures_are_kept(house: PostHouse) -> None:
    position = house.club.positions.of(house.club.db, game(house.club.db, "RR1"))
    drawn = Watched()
    keys = [("RR1", str(number), "en") for number in range(KEPT + 1)]
    for key in (*keys, keys[-1], keys[0]):
        assert drawn.of(key, lambda: position.rules.drawing(position.state, str)).png
    assert drawn.drew == [*keys, keys[0]]


@pytest.mark.usefixtures("real_pictures")
def test_everybody_sees_the_board_in_his_newsletter_and_it_is_kept_once(house: PostHouse) -> None:
    house.later(days=8)
    first, second = (png(house, reader) for reader in (ANN, BOB))
    assert first.get_content_disposition() == "inline"
    assert first["Content-ID"] == "<RR1-turn-1.png@club.example>"
    picture = first.get_content()
    assert picture == second.get_content()
    assert width_of(picture) == 1000
    assert len(picture) < 250_000
    kept = house.rows("SELECT hash FROM files WHERE size = ?", len(picture))
    assert [row["hash"] for row in kept] == [hashlib.sha256(picture).hexdigest()]
    # Who asks is sent the same.
    house.send(ANN, "MAP")
    assert png(house, ANN).get_content() == picture


def test_the_lines_of_one_company_are_drawn_alone(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        house.begin()
        house.send(ANN, "MAP BOB\nMAP")
        names = files(house, ANN)
        assert sorted(names) == ["RR1-turn-0-BOB.png", "RR1-turn-0-BOB.svg", "RR1-turn-0.png", "RR1-turn-0.svg"]


@pytest.mark.usefixtures("real_pictures")
def test_a_later_pass_takes_the_picture_that_an_earlier_one_drew(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under cron each pass is a process of its own."""
    fresh = house.club.tools.having
    house.write(ANN, "MAP")
    tick(replace(house.club, tools=fresh()))
    first = png(house, ANN).get_content()
    monkeypatch.setattr(raster, "paint", refuse)
    house.write(BOB, "MAP")
    tick(replace(house.club, tools=fresh()))
    assert png(house, BOB).get_content() == first
    position = house.club.positions.of(house.club.db, game(house.club.db, "RR1"))
    drawing = position.rules.drawing(position.state)
    other = replace(drawing, title="Another board")
    assert fresh().pictures.pngs([other, drawing]) == [b"", first]
