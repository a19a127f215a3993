"""The board reader: reads the shipped board, names every fault of a bad one with its line, remarks on what may play badly."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from msgspec.structs import asdict

from referee.core import MapError, View
from referee.core.texts.shipped import shipped_table
from referee.games.volldampf import GAME
from referee.games.volldampf.board import BOX, CUBE_COLOURS, FORM, NUMBERS, Board
from referee.games.volldampf.board.boardfile import board_of, read_board
from referee.games.volldampf.editor import ATLAS, remarks, summary
from referee.games.volldampf.report.picture import LINK_PAINT, lay_out
from referee.games.volldampf.report.picture.legend import SAID
from tests.forkedcommands import run_here
from tests.tables import Tables

CASES = Tables(__file__)


DOCS = (Path(__file__).parents[3] / "docs" / "boards.md").read_text(encoding="utf-8")
SMALL, WRONG = (block for block in re.findall(r"```toml\n(.*?)```", DOCS, flags=re.DOTALL) if "format" in block)
TEXT = GAME.board_text("deutschland-1925")


GERMANY = read_board(TEXT, "deutschland-1925.toml")


def faults(text: str) -> list[str]:
    with pytest.raises(MapError) as caught:
        read_board(text, "bad.toml")
    return str(caught.value).split("\n")


def changed(old: str, new: str, text: str = TEXT) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_germany_ships() -> None:
    assert GAME.boards() == ("deutschland-1925",)


def test_germany_keeps_what_the_rules_texts_say_of_the_printed_board() -> None:
    link = GERMANY.link_by_id("HAM-HAN")
    assert (link.colour, link.cost, GERMANY.link_name(link.id)) == ("purple", 5, "Hamburg-Hannover")
    symbols = {colour.id: colour.symbol for colour in GERMANY.colours}
    assert (symbols["green"], symbols["pink"], symbols["purple"]) == ("octagon", "triangle", "circle")


def test_germany_has_what_was_counted() -> None:
    colours = [sum(city.colour == colour for city in GERMANY.cities) for colour in CUBE_COLOURS]
    assert (len(GERMANY.cities), colours) == (27, [9, 10, 4, 4])
    costs = {colour: [link.cost for link in GERMANY.links if link.colour == colour] for colour in GERMANY.colour_ids}
    assert {colour: [len(each), sum(each)] for colour, each in costs.items()} == CASES.listed("links_and_marks")
    named = [city for card in GERMANY.merchandise for city in card.cities]
    assert len(GERMANY.merchandise) == 18
    assert {city.id: named.count(city.id) for city in GERMANY.cities} == dict.fromkeys(
        (c.id for c in GERMANY.cities), 2
    )


def test_dresden_is_drawn_further_west_than_it_lies() -> None:
    moved = changed("board_lon = 13.45", "board_lon = 13.74")
    assert GERMANY.city("DRE").at[0] < read_board(moved, "x").city("DRE").at[0]


def test_cities_lie_on_paper_as_on_the_globe() -> None:
    """A degree of longitude is 0.63 of one of latitude there: Hamburg-München is 1.6 times as far as Köln-Dresden."""
    ham, mun, kol, dre = (GERMANY.city(code).at for code in ("HAM", "MUN", "KOL", "DRE"))
    assert mun[1] - ham[1] == 541
    assert (dre[0] - kol[0], kol[0] < dre[0], ham[1] < kol[1]) == (408, True, True)


def test_germany_has_nothing_to_remark() -> None:
    assert remarks(GERMANY) == ()
    assert summary(GERMANY) == (
        "Deutschland, um 1925, 27 cities (9 blue, 10 violet, 4 red, 4 yellow), 60 links for 3 to 10 in 6 colours, "
        "18 merchandise cards"
    )


@pytest.mark.parametrize("count", NUMBERS)
def test_track_cards_sections_and_merchandise_last_exactly_to_the_end(count: int) -> None:
    """V8.1-V8.3."""
    each = NUMBERS[count]
    deck = 6 * (8 - each.remove_per_colour) - each.remove_random
    assert deck == count * each.group_size * each.rounds
    assert each.sections == each.group_size * each.rounds
    assert each.setup_cards + each.rounds * each.round_cards <= 18


def test_a_wrong_file_is_told_all_its_faults_at_once() -> None:
    """The example of docs/boards.md, with the answer that stands there."""
    told = re.search(r"```text\n(.*?)```", DOCS, flags=re.DOTALL)
    assert told
    answer = [line.replace("bad.toml", "strait.toml") for line in faults(WRONG)]
    assert answer == told[1].splitlines()
    assert len(answer) >= 10


def test_the_small_board_of_the_documentation_is_in_order() -> None:
    assert [link.id for link in read_board(SMALL, "x").links] == ["ARD-BOY", "BOY-CAL", "ARD-DOV"]


@CASES.rows
def test_a_fault_is_a_sentence_with_its_line(old: str, new: str, sentence: str) -> None:
    found = faults(changed(old, new))
    assert any(re.search(sentence, line) for line in found), found
    assert all(re.match(r"bad\.toml:\d+: .*[.?]$", line) for line in found)


def test_a_city_that_no_link_touches_is_a_fault() -> None:
    lost = "\n".join(line for line in TEXT.splitlines() if " - Zürich" not in line)
    (fault,) = faults(lost)
    line = TEXT.splitlines().index('name = "Zürich"') + 1
    assert fault == f"bad.toml:{line}: No link touches Zürich."


@CASES.rows
def test_what_may_play_badly_is_remarked_and_no_fault(old: str, new: str, sentence: str) -> None:
    found = remarks(read_board(changed(old, new), "x"))
    assert any(sentence in remark for remark in found), found


def test_cities_apart_from_the_others_are_remarked() -> None:
    island = "\n".join(line for line in TEXT.splitlines() if not re.search(r"- (Prag|Wien|Breslau|Warschau) \d", line))
    text = island.replace(
        "Berlin - Dresden 5", "Berlin - Dresden 5\nWarschau - Wien 9\nPrag - Breslau 3\nWien - Prag 3"
    )
    found = remarks(read_board(text, "x"))
    assert "No links lead from Hamburg to Breslau, Warschau, Prag, Wien." in found


def test_every_field_is_described() -> None:
    known = [name for section, fields in FORM.items() for name in fields if section != "sketch"]
    assert [name for name in known if not re.search(rf"`{name}`|\[\[?{name}[.\]]", DOCS)] == []


def test_every_colour_of_links_has_paint_and_words() -> None:
    colours = shipped_table("referee.games.volldampf.board", "checks")["colour"]["id"][0].split("|")
    assert set(colours) == set(LINK_PAINT) == set(SAID["links"])


@pytest.mark.parametrize("number", range(0, len(WRONG.splitlines()), 2))
def test_a_lost_line_never_confuses_the_reader(number: int) -> None:
    """Of a board full of faults, too, only faults are told: nothing else is ever raised."""
    for text in (SMALL, WRONG):
        lines = text.splitlines()
        with suppress(MapError):
            read_board("\n".join(lines[:number] + lines[number + 1 :]), "x")


def test_an_empty_sheet_lacks_nothing_but_cards() -> None:
    found = faults(ATLAS.sheet(600, 400, "isle", "The Isle"))
    assert len(found) == 1
    assert "4 players need 10 merchandise cards, there are 0; 5 players" in found[0]


def test_the_survey_and_the_numbers_of_a_file_are_those_it_sets() -> None:
    board = read_board(changed("[merchandise]", "[players.3]\nsections = 16\n[merchandise]"), "x")
    assert asdict(board.numbers[3]) == asdict(NUMBERS[3]) | {"sections": 16}
    assert ATLAS.survey(TEXT, "x").contents == summary(read_board(TEXT, "x"))


# Sketches: small boards for scenarios, in a few lines.

CITIES = "Ardee blue\nBoyle violet\nCöln (KOL) red\nBoyne blue  # BOY is taken"
SKETCHED = "Ardee - Boyle purple 5\nBoyle - Coeln grey 10"


def sketched(**told: Any) -> Board:
    return board_of(json.dumps({"cities": CITIES, "links": SKETCHED, **told}), "s.toml")


def test_a_line_is_a_city_with_an_id_of_its_own() -> None:
    board = sketched()
    assert [f"{city.id} {city.name} {city.colour}" for city in board.cities] == CASES.listed("sketched_cities")


def test_a_line_is_a_link_whose_cities_are_named_as_in_orders() -> None:
    board = sketched(links=["Ardee - Boyle purple 5", "Boyle - KOL grey 10", "coeln - boyne orange 3"])
    assert {(link.a, link.b, link.colour, link.cost) for link in board.links} == {
        ("ARD", "BOY", "purple", 5),
        ("BOY", "KOL", "grey", 10),
        ("KOL", board.cities[3].id, "orange", 3),
    }
    assert board.neighbours("KOL") == (board.cities[3].id, "BOY")  # orange before grey, as in a board file


def test_a_sketch_has_the_box_and_the_numbers_of_the_rules() -> None:
    board = sketched()
    assert board.numbers == NUMBERS
    assert [getattr(board, name) for name in BOX] == [6, 8, 10, 2, 84, 10, 6]
    assert board.colour_ids == ("purple", "green", "pink", "orange", "brown", "grey")


def test_cards_are_dealt_round_the_cities_if_none_are_told() -> None:
    board = sketched()
    assert len(board.merchandise) == 18
    assert board.merchandise[0].cities == ("ARD", "BOY", "KOL")
    assert board.merchandise[3].cities == (board.cities[3].id, "ARD", "BOY")


def test_cards_numbers_and_box_can_be_told() -> None:
    board = sketched(cards="Boyle, Ardee\nKOL", numbers={"rounds": 1, "setup_cards": 0}, cubes=2, max_links=3)
    assert [card.cities for card in board.merchandise] == [("BOY", "ARD"), ("KOL",)]
    assert {(each.rounds, each.setup_cards, each.group_size) for each in board.numbers.values()} == {
        (1, 0, 3),
        (1, 0, 2),
    }
    assert (board.cubes, board.max_links) == (2, 3)


def test_a_city_is_drawn_where_it_is_put_else_on_a_ring() -> None:
    board = sketched(cities="Ardee blue at 30, 40\nBoyle violet\nCöln red\nBoyne blue")
    assert board.cities[0].at == (30, 0)  # from the uppermost
    assert len({city.at for city in board.cities}) == 4


def test_a_board_file_is_read_as_a_board_file() -> None:
    text = GAME.board_text("deutschland-1925")
    assert board_of(text, "x") is board_of(text, "x")


@CASES.rows
def test_every_fault_of_a_sketch_is_told_at_once(told: View, places: list[str]) -> None:
    with pytest.raises(MapError) as caught:
        sketched(**told)
    assert [place for place in places if place not in str(caught.value)] == []


def test_an_unknown_key_is_told_those_there_are() -> None:
    with pytest.raises(MapError, match="known are cities, links, cards, numbers, max_links"):
        sketched(map="x")


# `referee map check|draw|new --game volldampf`: a boardmaker's commands, with what the file says.


def run(*words: object) -> Result:
    return run_here("map", *words, "--game", "volldampf")


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
