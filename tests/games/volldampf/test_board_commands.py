"""`referee map check|draw|new --game volldampf`: a boardmaker's commands, with what the file says."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from referee.cli import main
from referee.games.volldampf import GAME
from referee.games.volldampf.board.boardfile import read_board
from referee.games.volldampf.report.picture.scene import lay_out

TEXT = GAME.board_text("deutschland-1925")


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["map", *map(str, words), "--game", "volldampf"])


def test_the_shipped_board_is_in_order_without_remarks() -> None:
    result = run("check", "deutschland-1925")
    assert (result.exit_code, result.output.count("\n")) == (0, 1)
    assert result.output.endswith("18 merchandise cards: in order\n")


def test_every_fault_of_a_file_is_a_line_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TEXT.replace("Hamburg - Hannover 5", "Hamburg - Hannofer 5\nHamburg"), encoding="utf-8")
    result = run("check", file)
    line = 1 + TEXT.splitlines().index(next(row for row in TEXT.splitlines() if row.startswith("Hamburg - Hannover")))
    assert result.exit_code == 78
    assert [row.partition(": ")[0] for row in result.stdout.splitlines()] == [f"{file}:{line}", f"{file}:{line + 1}"]


def test_a_board_is_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    assert run("draw", "deutschland-1925", "-o", picture).exit_code == 0
    text = picture.read_text(encoding="utf-8")
    assert "<title>Hamburg-Hannover: purple, 5</title>" in text
    assert "Königsberg" not in text


def test_an_empty_sheet_becomes_a_board_with_cards(tmp_path: Path) -> None:
    """What the sheet says of itself is enough: two cities, a link, and whatever is typed in below."""
    file = tmp_path / "isle.toml"
    assert run("new", "--cols", 600, "--rows", 400, "--title", "The Isle", "-o", file).exit_code == 0
    bare = file.read_text(encoding="utf-8")
    assert run("check", file).exit_code == 78
    third = bare.replace("# [[city]]", "[[city]]").replace("# id =", "id =").replace("# name =", "name =")
    third = (
        third.replace('# colour = "red"', 'colour = "red"').replace("# country", "country").replace("# at =", "at =")
    )
    linked = third.replace("Ardee - Boyle 5\n", "Ardee - Boyle 5\nBoyle - Calais 9\n")
    file.write_text(linked.replace('cards = """\n', 'cards = """\n' + "Ardee, Boyle, Calais\n" * 18), encoding="utf-8")
    result = run("check", file)
    assert result.exit_code == 0, result.output
    assert "The Isle, 3 cities (1 blue, 1 violet, 1 red), 2 links" in result.output


def test_an_unfinished_board_is_drawn_with_its_faults_marked(tmp_path: Path) -> None:
    bad, picture = tmp_path / "bad.toml", tmp_path / "board.svg"
    bad.write_text(
        GAME.board_text("deutschland-1925").replace("Hamburg - Hannover 5", "Hamburg - Hannover 500"), "utf-8"
    )
    told = run("draw", bad, "-o", picture)
    assert told.exit_code == 78
    assert "Hamburg - Hannover costs 500: 1 to 99 marks expected." in told.stdout
    drawn = picture.read_text("utf-8")
    assert "Hamburg - Hannover costs 500" in drawn
    x, y = lay_out(read_board(GAME.board_text("deutschland-1925"), "x")).spots["HAM"]
    assert f'<circle cx="{x}" cy="{y}" r="62"/>' in drawn
