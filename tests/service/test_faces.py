"""Which faces of a letter its reader is sent: as he wishes, else as the umpire says of the game, else of the club."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.service.post.readers import parse_attach, parse_format
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of

BOARD, DRAWN, POSITION = "RR1-turn-{}.png", "RR1-turn-{}.svg", "RR1-turn-{}.json"


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[PostHouse]:
    settings = {"players__attach": "", **getattr(request, "param", {})}
    with PostHouse(tmp_path / "club", **settings) as made:
        made.begin()
        yield made


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


def last(house: PostHouse, reader: str) -> EmailMessage:
    return house.last(reader)


def test_without_a_wish_a_newsletter_brings_the_board_alone(house: PostHouse) -> None:
    played(house, 1)
    assert files(news(house, ANN)) == [BOARD.format(1)]


def test_attach_is_remembered_confirmed_and_holds_for_him_alone(house: PostHouse) -> None:
    house.send(ANN, "ATTACH json and SVG, please")
    told = text_of(last(house, ANN))
    assert "Beside newsletters and maps you are sent: SVG, JSON." in told
    assert "This holds for all your games." in told
    for turn in (1, 2):
        played(house, turn)
        assert files(news(house, ANN)) == [name.format(turn) for name in (BOARD, DRAWN, POSITION)]
        assert files(news(house, BOB)) == [BOARD.format(turn)]
    house.send(ANN, "ATTACH NONE")
    assert "No files stand beside newsletters." in text_of(last(house, ANN))
    house.send(ANN, "MAP")
    assert files(last(house, ANN)) == [BOARD.format(2)]


def test_who_reads_text_alone_has_the_board_beside_it_or_not(house: PostHouse) -> None:
    house.send(ANN, "FORMAT plain text")
    assert "plain text alone" in text_of(last(house, ANN))
    played(house, 1)
    assert news(house, ANN).get_body(("html",)) is None
    assert files(news(house, ANN)) == [BOARD.format(1)]
    house.send(ANN, "ATTACH none")
    played(house, 2)
    assert news(house, ANN).get_content_type() == "text/plain"


def test_two_wishes_in_one_letter_both_count(house: PostHouse) -> None:
    house.send(ANN, "FORMAT TEXT\nATTACH SVG")
    played(house, 1)
    assert files(news(house, ANN)) == [DRAWN.format(1)]
    house.send(ANN, "ATTACH")
    assert "Beside newsletters and maps you are sent: SVG." in text_of(last(house, ANN))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("FORMAT pdf", 'letters have no format "pdf". Write FORMAT TEXT or FORMAT HTML.'),
        ("ATTACH docx", '"docx" names something else than files that letters bring'),
        ("ATTACH PDF A4 LETTER", "Beside PDF stands one size of its paper, A4 or LETTER"),
    ],
)
def test_a_wish_for_what_there_is_not_changes_nothing(house: PostHouse, line: str, told: str) -> None:
    house.send(ANN, line)
    assert told in line_of(last(house, ANN))
    assert house.rows("SELECT * FROM club WHERE name LIKE 'faces of %'") == []


def test_the_umpire_says_it_for_a_game_and_a_player_for_himself(house: PostHouse) -> None:
    done = house.command("game", "faces", "RR1", "--format", "text", "--attach", "json")
    assert done.stdout.splitlines() == ["format\ttext", "attach\tjson"]
    house.send(BOB, "ATTACH SVG")
    played(house, 1)
    assert files(news(house, ANN)) == [POSITION.format(1)]
    assert files(news(house, BOB)) == [DRAWN.format(1)]
    assert [row["kind"] for row in house.rows("SELECT kind FROM acts")] == ["faces"]
    done = house.command("game", "faces", "RR1", "--format", "", "--attach", "")
    assert done.stdout.splitlines() == ["format\thtml", "attach\tnone"]
    told = house.command("game", "faces", "RR1", "--attach", "svg", "--json").stdout
    assert json.loads(told) == {"format": "html", "attach": ["svg"]}
    wrong = house.command("game", "faces", "RR1", "--attach", "docx")
    assert (wrong.returncode, "'docx' is no kind of file" in wrong.stderr) == (78, True)
    assert house.command("game", "faces", "RR9").returncode == 65


def test_wishes_go_with_a_player_to_his_new_address_and_hold_in_all_his_games(house: PostHouse) -> None:
    house.send(ANN, "ATTACH JSON")
    assert house.game() == "RR2"
    house.command("address", "RR1", "ANN", "ann@new.example")
    house.tick()
    assert "RR2-turn-0.json" in files(house.post(ANN, "RR2")[0])
    house.write("ann@new.example", "ORDERS RR1 1\nSTEP 1\nEND")
    house.send(BOB, "ORDERS RR1 1\nSTEP 1\nEND")
    assert POSITION.format(1) in files(news(house, "ann@new.example"))


@pytest.mark.parametrize("house", [{"players__format": "text", "players__attach": "none"}], indirect=True)
def test_the_club_says_it_for_all_its_games(house: PostHouse) -> None:
    played(house, 1)
    assert news(house, ANN).get_content_type() == "text/plain"


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("HTML", "html"),
        ("plain text please", "text"),
        ("Plain.", "text"),
        ("html text", ""),
        ("texte", "text"),
        ("TEKST", "text"),
        ("", ""),
        ("pdf", ""),
    ],
)
def test_words_for_a_format(said: str, read: str) -> None:
    assert parse_format(said) == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("svg, json", "svg json"),
        ("NONE", "none"),
        ("no files", "none"),
        ("rien", "none"),
        ("PNG et SVG", "png svg"),
        ("json+svg + png", "png svg json"),
        ("all", ""),
        ("PDF A3 grau", "pdf a3 grey"),
        ("grey", "pdf grey"),
    ],
)
def test_words_for_files(said: str, read: str) -> None:
    assert parse_attach(said) == read


def test_the_umpire_has_every_face_of_a_turn_written_as_it_was_mailed(house: PostHouse) -> None:
    played(house, 1)
    place = house.folder / "look"
    done = house.command("render", "RR1", str(place), "--player", "bob", "--turn", "1")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in place.iterdir()} == {
        "RR1-turn-1.txt",
        "RR1-turn-1.html",
        "RR1-turn-1.pdf",
        "RR1-deadline.ics",
        *(each.format(1) for each in (BOARD, DRAWN, POSITION)),
    }
    words = (place / "RR1-turn-1.txt").read_text("utf-8").partition("\n\n")[2]
    assert words.strip() == text_of(news(house, BOB)).strip()
    assert (place / BOARD.format(1)).read_bytes().startswith(b"\x89PNG")
    for wrong, told in (
        ({"--turn": "7"}, "turn 7 of RR1 was not played"),
        ({"--lang": "xx"}, "no letters can be written in 'xx'"),
    ):
        failed = house.command("render", "RR1", str(place), *(each for pair in wrong.items() for each in pair))
        assert told in failed.stderr


BROKEN = """{% extends "letter.txt.j2" %}
{% block subject %}x{% endblock %}
{% block body %}
{{ view.nothing.more }}
{% endblock %}
"""


def test_a_broken_template_is_told_with_file_and_line_and_nothing_of_the_turn_is_sent(house: PostHouse) -> None:
    mine = house.folder / "templates" / "tinyrace" / "newsletter.txt.j2"
    mine.parent.mkdir(parents=True)
    mine.write_text(BROKEN, "utf-8")
    sent = len(house.post())
    for _ in range(2):
        played(house, 1)
    (told,) = house.post(UMPIRE)
    assert "newsletter.txt.j2:4: 'dict object' has no attribute 'nothing'" in line_of(told)
    assert [letter for letter in house.post()[sent:] if letter["Precedence"] == "bulk"] == []
    assert house.rows("SELECT turn FROM turns WHERE turn > 0") == []
    failed = house.command("render", "RR1", str(house.folder / "look"), "--turn", "0")
    assert failed.returncode == 0  # the opening is another template
    mine.write_text(BROKEN.replace("view.nothing.more", "view.goal"), "utf-8")
    assert house.tick().turns == ("RR1/1",)
    mine.write_text(BROKEN, "utf-8")
    failed = house.command("render", "RR1", str(house.folder / "look"))
    assert (failed.returncode, f"{mine}:4: " in failed.stderr) == (78, True)


def test_a_newsletter_on_paper_comes_by_wish_and_changes_no_format(house: PostHouse) -> None:
    house.send(ANN, "FORMAT TEXT\nATTACH PDF LETTER A2")
    assert "Beside newsletters and maps you are sent: PDF." in text_of(last(house, ANN))
    assert "The PDF has pages of LETTER, its map is on one of A2." in text_of(last(house, ANN))
    played(house, 1)
    letter = news(house, ANN)
    assert files(letter) == ["RR1-turn-1.pdf"]
    assert letter.get_body(("html",)) is None
    (paper,) = (part.get_content() for part in letter.walk() if part.get_filename())
    assert paper.startswith(b"%PDF")
    assert b"pdfuaid" in paper
    sizes = [sorted(map(float, box.split()))[-2:] for box in re.findall(rb"/MediaBox ?\[([^]]*)\]", paper)]
    assert [[round(side) for side in page] for page in (sizes[0], sizes[-1])] == [[612, 792], [1191, 1684]]
    assert files(news(house, BOB)) == [BOARD.format(1)]
    written = house.folder / "again.pdf"
    done = house.command("newsletter", "RR1", "1", "--player", "ANN", "--pdf", str(written), "--map-paper", "a3")
    assert (done.returncode, done.stderr) == (0, "")
    assert written.read_bytes().startswith(b"%PDF")


def test_a_broken_template_for_paper_is_told_before_anything_is_sent(house: PostHouse) -> None:
    mine = house.folder / "templates" / "common" / "letter.typ"
    mine.parent.mkdir(parents=True)
    mine.write_text("#let it = 1\n#nope()\n", "utf-8")
    house.send(ANN, "ATTACH PDF")
    played(house, 1)
    (told,) = house.post(UMPIRE)
    assert f"{mine}:2: unknown variable: nope" in line_of(told)
    assert house.rows("SELECT turn FROM turns WHERE turn > 0") == []
    failed = house.command("render", "RR1", str(house.folder / "look"), "--turn", "0")
    assert f"{mine}:2: unknown variable" in failed.stderr
    mine.unlink()
    assert house.tick().turns == ("RR1/1",)


def test_who_wishes_a_pdf_that_cannot_be_made_is_told(house: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.report.renderer.find_spec", lambda _: None)
    house.send(ANN, "ATTACH PDF")
    assert "There will be no PDF for now" in text_of(last(house, ANN))
    house.send(ANN, "ATTACH SVG")
    assert "There will be no PDF for now" not in text_of(last(house, ANN))


def test_the_opening_can_be_had_on_paper_too(house: PostHouse) -> None:
    house.command("render", "RR1", str(house.folder / "look"))
    assert (house.folder / "look" / "RR1-turn-0.pdf").read_bytes().startswith(b"%PDF")
