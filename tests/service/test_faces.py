"""Which faces of a letter its reader is sent: text, page, board, calendar."""

import hashlib
import json
import re
from datetime import datetime
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import field

from referee.core import RefereeError
from referee.core.picture import Drawing, Layer, Text
from referee.games.dampfross import GAME as DAMPFROSS
from referee.report import raster
from referee.service import pictures
from referee.service.pictures import KEPT, Pictures
from referee.service.post.readers import parse_attach, parse_format
from referee.service.tick import tick
from referee.store import GameRow
from referee.store.games import game
from tests.pictures import width_of
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# Which faces of a letter its reader is sent: as the reader wishes, else as the umpire says of the game, else of the club.


BOARD, DRAWN, POSITION = "RR1-turn-{}.png", "RR1-turn-{}.svg", "RR1-turn-{}.json"


@pytest.fixture
def faced(club: Clubs, request: pytest.FixtureRequest) -> PostHouse:
    settings = {"players__attach": "", **getattr(request, "param", {})}
    made = club(**settings)
    made.begin()
    return made


def files(letter: EmailMessage) -> list[str]:
    return [name for part in letter.walk() if (name := part.get_filename())]


def played(house: PostHouse, turn: int) -> None:
    """Have the awaited turn played."""
    for sender in (ANN, BOB):
        house.write(sender, f"ORDERS RR1 {turn}\nSTEP 1\nEND")
    house.tick()


def news(house: PostHouse, reader: str) -> EmailMessage:
    """Return the reader's newest newsletter."""
    return [letter for letter in house.post(reader) if letter["Precedence"] == "bulk"][-1]


def test_without_a_wish_a_newsletter_brings_the_board_alone(faced: PostHouse) -> None:
    played(faced, 1)
    assert files(news(faced, ANN)) == [BOARD.format(1)]


def test_attach_is_remembered_confirmed_and_holds_for_its_writer_alone(faced: PostHouse) -> None:
    faced.send(ANN, "ATTACH json and SVG, please")
    told = faced.text(ANN)
    assert "Beside newsletters and maps you are sent: SVG, JSON." in told
    assert "This holds for all your games." in told
    for turn in (1, 2):
        played(faced, turn)
        assert files(news(faced, ANN)) == [name.format(turn) for name in (BOARD, DRAWN, POSITION)]
        assert files(news(faced, BOB)) == [BOARD.format(turn)]
    faced.send(ANN, "ATTACH NONE")
    assert "No files stand beside newsletters." in faced.text(ANN)
    faced.send(ANN, "MAP")
    assert files(faced.last(ANN)) == [BOARD.format(2)]


def test_who_reads_text_alone_has_the_board_beside_it_or_not(faced: PostHouse) -> None:
    faced.send(ANN, "FORMAT plain text")
    assert "plain text alone" in faced.text(ANN)
    played(faced, 1)
    assert news(faced, ANN).get_body(("html",)) is None
    assert files(news(faced, ANN)) == [BOARD.format(1)]
    faced.send(ANN, "ATTACH none")
    played(faced, 2)
    assert news(faced, ANN).get_content_type() == "text/plain"


def test_two_wishes_in_one_letter_both_count(faced: PostHouse) -> None:
    faced.send(ANN, "FORMAT TEXT\nATTACH SVG")
    played(faced, 1)
    assert files(news(faced, ANN)) == [DRAWN.format(1)]
    faced.send(ANN, "ATTACH")
    assert "Beside newsletters and maps you are sent: SVG." in faced.text(ANN)


@CASES.rows
def test_a_wish_for_what_there_is_not_changes_nothing(faced: PostHouse, line: str, told: str) -> None:
    assert told in faced.says(ANN, line)
    assert faced.rows("SELECT * FROM club WHERE name LIKE 'faces of %'") == []


def test_the_umpire_says_it_for_a_game_and_players_for_themselves(faced: PostHouse) -> None:
    done = faced.command("game", "faces", "RR1", "--format", "text", "--attach", "json")
    assert done.stdout == "RR1: letters are sent with format=text, attach=json\n"
    faced.send(BOB, "ATTACH SVG")
    played(faced, 1)
    assert files(news(faced, ANN)) == [POSITION.format(1)]
    assert files(news(faced, BOB)) == [DRAWN.format(1)]
    assert faced.column("SELECT kind FROM acts") == ["faces"]
    done = faced.command("game", "faces", "RR1", "--format", "", "--attach", "")
    assert done.stdout == "RR1: letters are sent with format=html, attach=none\n"
    told = faced.command("game", "faces", "RR1", "--attach", "svg", "--json").stdout
    assert json.loads(told) == {"format": "html", "attach": ["svg"]}
    wrong = faced.command("game", "faces", "RR1", "--attach", "docx")
    assert (wrong.returncode, "'docx' is no kind of file" in wrong.stderr) == (78, True)
    assert faced.command("game", "faces", "RR9").returncode == 65


def test_wishes_go_with_a_player_to_a_new_address_and_hold_in_all_their_games(faced: PostHouse) -> None:
    faced.send(ANN, "ATTACH JSON")
    assert faced.game() == "RR2"
    faced.command("address", "RR1", "ANN", "ann@new.example")
    faced.tick()
    assert "RR2-turn-0.json" in files(faced.post(ANN, "RR2")[0])
    faced.write("ann@new.example", "ORDERS RR1 1\nSTEP 1\nEND")
    faced.send(BOB, "ORDERS RR1 1\nSTEP 1\nEND")
    assert POSITION.format(1) in files(news(faced, "ann@new.example"))


@pytest.mark.parametrize("faced", [{"players__format": "text", "players__attach": "none"}], indirect=True)
def test_the_club_says_it_for_all_its_games(faced: PostHouse) -> None:
    played(faced, 1)
    assert news(faced, ANN).get_content_type() == "text/plain"


@CASES.rows
def test_words_for_a_format(said: str, read: str) -> None:
    assert parse_format(said) == read


@CASES.rows
def test_words_for_files(said: str, read: str) -> None:
    assert parse_attach(said) == read


def test_the_umpire_has_every_face_of_a_turn_written_as_it_was_mailed(faced: PostHouse) -> None:
    played(faced, 1)
    place = faced.folder / "look"
    done = faced.command("render", "RR1", str(place), "--player", "bob", "--turn", "1")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in place.iterdir()} == {
        "RR1-turn-1.txt",
        "RR1-turn-1.html",
        "RR1-turn-1.pdf",
        "RR1-deadline.ics",
        *(each.format(1) for each in (BOARD, DRAWN, POSITION)),
    }
    words = (place / "RR1-turn-1.txt").read_text("utf-8").partition("\n\n")[2]
    assert words.strip() == text_of(news(faced, BOB)).strip()
    assert (place / BOARD.format(1)).read_bytes().startswith(b"\x89PNG")
    for wrong, told in (
        ({"--turn": "7"}, "turn 7 of RR1 was not played"),
        ({"--lang": "xx"}, "no letters can be written in 'xx'"),
    ):
        failed = faced.command("render", "RR1", str(place), *(each for pair in wrong.items() for each in pair))
        assert told in failed.stderr


BROKEN = """{% extends "letter.txt.j2" %}
{% block subject %}x{% endblock %}
{% block body %}
{{ view.nothing.more }}
{% endblock %}
"""


def test_a_broken_template_is_told_with_file_and_line_and_nothing_of_the_turn_is_sent(faced: PostHouse) -> None:
    mine = faced.folder / "templates" / "tinyrace" / "newsletter.txt.j2"
    mine.parent.mkdir(parents=True)
    mine.write_text(BROKEN, "utf-8")
    sent = len(faced.post())
    for _ in range(2):
        played(faced, 1)
    (told,) = faced.post(UMPIRE)
    assert "newsletter.txt.j2:4: 'dict object' has no attribute 'nothing'" in line_of(told)
    assert [letter for letter in faced.post()[sent:] if letter["Precedence"] == "bulk"] == []
    assert faced.rows("SELECT turn FROM turns WHERE turn > 0") == []
    failed = faced.command("render", "RR1", str(faced.folder / "look"), "--turn", "0")
    assert failed.returncode == 0  # the opening is another template
    mine.write_text(BROKEN.replace("view.nothing.more", "view.goal"), "utf-8")
    assert faced.tick().turns == ("RR1/1",)
    mine.write_text(BROKEN, "utf-8")
    failed = faced.command("render", "RR1", str(faced.folder / "look"))
    assert (failed.returncode, f"{mine}:4: " in failed.stderr) == (78, True)


def test_a_newsletter_on_paper_comes_by_wish_and_changes_no_format(faced: PostHouse) -> None:
    faced.send(ANN, "FORMAT TEXT\nATTACH PDF LETTER A2")
    assert "Beside newsletters and maps you are sent: PDF." in faced.text(ANN)
    assert "The PDF has pages of LETTER, its map is on one of A2." in faced.text(ANN)
    played(faced, 1)
    letter = news(faced, ANN)
    assert files(letter) == ["RR1-turn-1.pdf"]
    assert letter.get_body(("html",)) is None
    (paper,) = (part.get_content() for part in letter.walk() if part.get_filename())
    assert paper.startswith(b"%PDF")
    assert b"pdfuaid" in paper
    sizes = [sorted(map(float, box.split()))[-2:] for box in re.findall(rb"/MediaBox ?\[([^]]*)\]", paper)]
    assert [[round(side) for side in page] for page in (sizes[0], sizes[-1])] == [[612, 792], [1191, 1684]]
    assert files(news(faced, BOB)) == [BOARD.format(1)]
    written = faced.folder / "again.pdf"
    done = faced.command("newsletter", "RR1", "1", "--player", "ANN", "--pdf", str(written), "--map-paper", "a3")
    assert (done.returncode, done.stderr) == (0, "")
    assert written.read_bytes().startswith(b"%PDF")


def test_a_broken_template_for_paper_is_told_before_anything_is_sent(faced: PostHouse) -> None:
    mine = faced.folder / "templates" / "common" / "letter.typ"
    mine.parent.mkdir(parents=True)
    mine.write_text("#let it = 1\n#nope()\n", "utf-8")
    faced.send(ANN, "ATTACH PDF")
    played(faced, 1)
    (told,) = faced.post(UMPIRE)
    assert f"{mine}:2: unknown variable: nope" in line_of(told)
    assert faced.rows("SELECT turn FROM turns WHERE turn > 0") == []
    failed = faced.command("render", "RR1", str(faced.folder / "look"), "--turn", "0")
    assert f"{mine}:2: unknown variable" in failed.stderr
    mine.unlink()
    assert faced.tick().turns == ("RR1/1",)


def test_who_wishes_a_pdf_that_cannot_be_made_is_told(faced: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.report.renderer.find_spec", lambda _: None)
    faced.send(ANN, "ATTACH PDF")
    assert "There will be no PDF for now" in faced.text(ANN)
    faced.send(ANN, "ATTACH SVG")
    assert "There will be no PDF for now" not in faced.text(ANN)


def test_the_opening_can_be_had_on_paper_too(faced: PostHouse) -> None:
    faced.command("render", "RR1", str(faced.folder / "look"))
    assert (faced.folder / "look" / "RR1-turn-0.pdf").read_bytes().startswith(b"%PDF")


# MAP: the board is drawn once for all who ask.


def refuse(*_: object) -> bytearray:
    raise RefereeError("ThorVG refused it.")


class Watched(Pictures):
    """Pictures that say which boards they drew."""

    drew: list[str] = field(default_factory=list)

    def draw(self, drawing: Drawing) -> pictures.Picture:
        self.drew.append(drawing.title)
        return super().draw(drawing)


def files_of(house: PostHouse, reader: str) -> list[str]:
    return [name for part in house.last(reader).walk() if (name := part.get_filename())]


def png(house: PostHouse, reader: str) -> EmailMessage:
    """Return the board in the reader's newest letter."""
    return next(part for part in house.last(reader).walk() if part.get_content_type() == "image/png")


@pytest.fixture
def pictured(tmp_path: Path) -> PostHouse:
    made = PostHouse(tmp_path / "club")
    made.begin()
    return made


def test_a_board_that_two_ask_for_is_drawn_once(pictured: PostHouse) -> None:
    watched = Watched()
    pictured.write(ANN, "MAP\nPRESS TO BOB: look at the map")
    pictured.write(BOB, "MAP")
    tick(pictured.club.but(tools=pictured.club.tools.having(pictures=watched)))
    assert len(watched.drew) == 1
    for reader in (ANN, BOB):
        assert files_of(pictured, reader) == ["RR1-turn-0.png", "RR1-turn-0.svg"]
    assert len(pictured.post(BOB, "look at the map")) == 1
    assert pictured.column("SELECT status FROM letters") == ["done", "done"]
    assert len(pictured.rows("SELECT * FROM press")) == 1


def test_a_letter_that_was_held_gets_its_board_too(club: Clubs) -> None:
    house = club(identity__policy="token")
    house.begin()
    house.send(ANN, "STEP 3\nMAP")
    house.answer(house.last(ANN, "Is this letter yours?"), "CONFIRM")
    watched = Watched()
    tick(house.club.but(tools=house.club.tools.having(pictures=watched)))
    assert len(watched.drew) == 1
    assert files_of(house, ANN) == ["RR1-turn-0.png", "RR1-turn-0.svg"]


def test_after_a_turn_the_board_is_drawn_anew(pictured: PostHouse) -> None:
    watched = Watched()
    for turn in (0, 1):
        pictured.write(ANN, "MAP")
        tick(pictured.club.but(tools=pictured.club.tools.having(pictures=watched)))
        assert files_of(pictured, ANN)[0] == f"RR1-turn-{turn}.png"
        pictured.later(days=8)
    assert len(watched.drew) == 2


@pytest.mark.usefixtures("real_pictures")
def test_without_a_renderer_the_map_comes_as_svg_alone(pictured: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "paint", refuse)
    pictured.write(ANN, "MAP")
    tick(pictured.club.but(tools=pictured.club.tools.having(pictures=Pictures())))
    assert files_of(pictured, ANN) == ["RR1-turn-0.svg"]


@pytest.mark.usefixtures("real_pictures")
def test_a_drawing_that_hurts_the_renderer_hurts_none_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sheets = [Drawing(width=40, height=20, background="#ffffff", parts=(), title=name) for name in ("A", "Bad", "C")]
    painted = raster.paint
    monkeypatch.setattr(raster, "paint", lambda each, *rest: (refuse if each.title == "Bad" else painted)(each, *rest))
    assert [Pictures().png(each)[1:4] for each in sheets] == [b"PNG", b"", b"PNG"]


@pytest.mark.usefixtures("real_pictures")
@pytest.mark.parametrize("board", DAMPFROSS.boards())
def test_while_track_is_laid_the_names_of_all_hexes_can_be_read_on_a_file_that_the_letter_names(
    club: Clubs, board: str
) -> None:
    house = club(players__attach="png")
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "WLW:green:Cid <cid@example.org>")
    house.new("dampfross", board, *players)
    house.send(BOB, "MAP", subject="Re: [RR1]")
    position = house.club.positions.of(house.club, game(house.club, "RR1"))
    drawing = position.rules.drawing(position.state, str)
    fine = [each for part in drawing.parts if isinstance(part, Layer) and part.fine for each in part.shapes]
    size = min(each.size for each in fine if isinstance(each, Text))
    for letter in (house.post(ANN)[0], house.last(BOB)):
        pngs = {part.get_filename(): part for part in letter.walk() if part.get_content_type() == "image/png"}
        own = {"RR1-turn-0-GSW.png"}  # the example of an order, drawn
        assert set(pngs) - own == {"RR1-turn-0.png", "RR1-turn-0-hexes.png"}
        named = pngs["RR1-turn-0-hexes.png"].get_content()
        assert width_of(named) * size >= 8 * drawing.width
        assert len(named) < 250_000
    body = house.post(ANN)[0].get_body(("html",))
    assert body is not None
    page = body.get_content()
    assert page.index("Deadline:") < page.index("<img")
    assert "the attached RR1-turn-0-hexes.png" in line_of(house.post(ANN)[0])
    assert not drawing.but(needs_fine=False).legible


@pytest.mark.usefixtures("real_pictures")
@pytest.mark.parametrize("board", DAMPFROSS.boards())
def test_the_first_letter_has_the_order_desk_instead_and_the_map_comes_when_asked_for(club: Clubs, board: str) -> None:
    house = club(players__attach="")
    house.new("dampfross", board, f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "WLW:green:Cid <cid@example.org>")
    house.send(BOB, "MAP", subject="Re: [RR1]")
    opening, answer = house.post(ANN)[0], house.last(BOB)
    files = {part.get_filename() for part in opening.walk()} - {None}
    assert files == {"RR1-turn-0.png", "RR1-turn-0-GSW.png", "order-desk-RR1-turn-1.html"}
    assert "Every hex has its name on the order desk" in line_of(opening)
    assert "RR1-turn-0-hexes.png" in {part.get_filename() for part in answer.walk()}
    assert max(len(bytes(opening)), len(bytes(answer))) < 600_000


def test_who_wants_no_pictures_is_named_none(club: Clubs) -> None:
    house = club(players__format="text", players__attach="svg")
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "WLW:green:Cid <cid@example.org>")
    house.new("dampfross", "ireland", *players)
    house.tick()
    assert "hexes.png" not in text_of(house.post(ANN)[0])


def test_only_the_last_pictures_are_kept(pictured: PostHouse) -> None:
    position = pictured.club.positions.of(pictured.club, game(pictured.club, "RR1"))
    drawn = Watched()
    keys = [("RR1", str(number), "en") for number in range(KEPT + 1)]
    for key in (*keys, keys[-1], keys[0]):
        assert drawn.of(key, lambda: position.rules.drawing(position.state, str)).png
    assert len(drawn.drew) == len(keys) + 1


@pytest.mark.usefixtures("real_pictures")
def test_everybody_sees_the_board_in_their_newsletter_and_it_is_kept_once(pictured: PostHouse) -> None:
    pictured.later(days=8)
    first, second = (png(pictured, reader) for reader in (ANN, BOB))
    assert first.get_content_disposition() == "inline"
    assert first["Content-ID"] == "<RR1-turn-1.png@club.example>"
    picture = first.get_content()
    assert picture == second.get_content()
    assert width_of(picture) == 1000
    assert len(picture) < 250_000
    kept = pictured.rows("SELECT hash FROM files WHERE size = ?", len(picture))
    assert [row["hash"] for row in kept] == [hashlib.sha256(picture).hexdigest()]
    # Who asks is sent the same.
    pictured.send(ANN, "MAP")
    assert png(pictured, ANN).get_content() == picture


def test_the_lines_of_one_company_are_drawn_alone(club: Clubs) -> None:
    house = club()
    house.begin()
    house.send(ANN, "MAP BOB\nMAP")
    names = files_of(house, ANN)
    assert sorted(names) == ["RR1-turn-0-BOB.png", "RR1-turn-0-BOB.svg", "RR1-turn-0.png", "RR1-turn-0.svg"]


# The deadline in calendars: beside newsletters, reminders and letters that move it, for who wants it.


icalendar = pytest.importorskip("icalendar", reason="icalendar is not installed")


def row(house: PostHouse) -> GameRow:
    return house.row()


def deadlines(letters: list[EmailMessage]) -> list[tuple[str, int, datetime]]:
    """Return UID, SEQUENCE and time of all deadlines that letters bring, in their order."""
    parts = [part for letter in letters for part in letter.walk() if part.get_content_type() == "text/calendar"]
    assert [part.get_filename() for part in parts] == ["RR1-deadline.ics"] * len(parts)
    events = [icalendar.Calendar.from_ical(part.get_payload(decode=True)).walk("VEVENT")[0] for part in parts]
    return [(str(event["UID"]), event["SEQUENCE"], event.start) for event in events]


def test_a_deadline_goes_on_in_calendars_whoever_moves_it(club: Clubs) -> None:
    house = club(players__attach="")
    house.game(rhythm={"days": 7, "reminders": "24"})
    house.send(ANN, "ATTACH ICS")
    first = house.row().deadline
    house.act("DEADLINE RR1 2026-12-25", "Advent")
    moved = house.row().deadline
    house.later(days=17, hours=12)  # the reminder
    for sender in (ANN, BOB):
        house.write(sender, "ORDERS RR1 1\nSTEP 1\nEND")
    house.tick()  # the next newsletter
    after = house.row().deadline
    assert first != moved != after
    uid = "rr1-deadline@club.example"
    # The letter that tells of another deadline, the reminder, the newsletter.
    assert deadlines(house.post(ANN)) == [(uid, 1, moved), (uid, 1, moved), (uid, 2, after)]
    assert house.row().moved == 2
    assert deadlines(house.post(BOB)) == []
    assert "\nURL" not in str(house.last(ANN))


def test_who_is_told_that_a_deadline_moved_has_it_for_their_calendar(club: Clubs) -> None:
    settings = {"players__attach": "ics", "deadlines__missing": "extend"}
    house = club(**settings)
    house.game(rhythm={"days": 7})
    house.send(ANN, "ORDERS RR1 1\nSTEP 1\nEND")
    house.act("HOLD RR1", "Christmas")
    house.later(days=3)
    assert len(deadlines(house.post(BOB))) == 1  # the opening: a game that stands still has no deadline
    house.act("RESUME RR1", "Over")
    resumed = house.row().deadline
    house.later(days=8)  # Bob's orders are missing
    extended = house.row().deadline
    for sender in (ANN, BOB):
        house.write(sender, "ORDERS RR1 1\nSTEP 1\nEND")
    house.tick()
    played = house.row().deadline
    house.act("UNDO RR1 1", "Once more")
    house.tick()
    told = deadlines(house.post(BOB))[1:]
    assert [each[2] for each in told] == [resumed, extended, played, house.row().deadline]
    assert {each[0] for each in told} == {"rr1-deadline@club.example"}
    for earlier, later in pairwise(told):
        assert later[1] == earlier[1] + (later[2] != earlier[2])
