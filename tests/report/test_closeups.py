"""Close-ups beside the board: where most happened, and each player's own corner, with names that a telephone shows."""

from email.message import EmailMessage
from operator import sub
from pathlib import Path
from typing import Any

import pytest

from bench.turn import BEGIN, played
from referee.config import read_config
from referee.core.picture import Circle, Drawing, Line, Polygon, Print, Text
from referee.core.picture.closeup import LEAST, PHONE, busiest, own
from referee.core.picture.shapes import Box, box_at, overlap, text_width
from referee.games.dampfross import GAME
from referee.games.dampfross.report.picture import COLOURS
from referee.games.dampfross.report.picture.ground import NAME, letters, outline
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.reader.wire import Reader
from referee.report import paper, raster
from referee.service.club import make_club, open_club
from referee.service.turns.gamefile import Proposal, parse_player
from referee.service.turns.newgames import new_game
from referee.service.turns.newsletters import paper_of_turn
from referee.store import outbox
from tests.games.dampfross.recordedgames import games, recorded_game
from tests.games.dampfross.test_drawing_turns import turns
from tests.games.volldampf import wholegame as volldampf
from tests.pictures import words
from tests.posthouse import ANN, BOB, Clubs

CODES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")


def board(turn: int) -> Drawing:
    outcome = turns()[turn].outcome
    return GAME.drawing(outcome.state, str, Print(events=outcome.events))


def seen(turn: int, code: str) -> list[Drawing]:
    """Return the close-ups of a reader."""
    drawn = board(turn)
    return [each for each in (own(drawn, code), busiest(drawn)) if each]


def box(drawing: Drawing) -> Box:
    """Return where a close-up lies on the board, without its key map."""
    return drawing.left, drawing.top, drawing.left + drawing.width, drawing.top + drawing.width


@pytest.mark.parametrize("turn", range(12))
def test_names_on_close_ups_can_be_read_on_a_telephone_and_no_two_show_the_same(turn: int) -> None:
    size = letters(turns()[0].before.table.board, NAME)
    for code in CODES:
        pictures = seen(turn, code)
        assert pictures
        assert all(size * PHONE >= LEAST * each.width for each in pictures)
        if len(pictures) == 2:
            (l1, t1, r1, b1), (l2, t2, r2, b2) = map(box, pictures)
            wide, high = min(r1, r2) - max(l1, l2), min(b1, b2) - max(t1, t2)
            assert max(0, wide) * max(0, high) * 2 <= pictures[0].width ** 2
            assert pictures[0].title == f"{code} in this turn"


def test_a_close_up_is_cut_at_whole_hexes_and_a_key_map_says_where_it_lies() -> None:
    ground = turns()[0].before.table.board.ground
    for each in seen(6, "MGW"):
        left, top, right, bottom = box(each)
        covers = {
            shape.points for shape in each.parts if isinstance(shape, Polygon) and shape.style.fill == each.background
        }
        for label in ground:
            corners = outline(label)
            inside = [left <= x <= right and top <= y <= bottom for x, y in corners]
            if any(inside):
                assert (sorted(corners) in [sorted(cover) for cover in covers]) != all(inside), label
        (frame,) = (
            shape for shape in each.parts if isinstance(shape, Polygon) and shape.style.stroke == COLOURS["border"]
        )
        assert min(y for _, y in frame.points) > bottom


def test_names_of_places_stand_in_a_close_up_with_all_their_letters_and_ways_of_trains_with_them() -> None:
    drawn, picture = board(11), busiest(board(11))
    assert picture
    hexes = {*words(picture)}
    assert {"U", "20", "Mullingar"} <= hexes
    ways = {shape for shape in drawn.shapes if isinstance(shape, Line)} - {*drawn.for_screen.shapes}
    assert ways & {*picture.shapes}  # more than three trains ran


@pytest.mark.parametrize(
    "game", [each if at < 2 else pytest.param(each, marks=pytest.mark.testlong) for at, each in enumerate(games())]
)
def test_each_name_on_a_close_up_has_the_sign_of_its_place_and_each_sign_its_name_which_does_not_cover_it(
    game: str,
) -> None:
    _, opening, following = recorded_game(game)
    for outcome in (opening, *(turn.outcome for turn in following)):
        drawn = GAME.drawing(outcome.state, str, Print(events=outcome.events))
        signs = {each.title.upper(): each for each in drawn.shapes if isinstance(each, Circle | Polygon) and each.title}
        known = signs.keys() & {each.text.upper() for each in drawn.shapes if isinstance(each, Text) and each.halo}
        cuts = (busiest(drawn), *(own(drawn, each.player) for each in outcome.state.table.companies))
        for cut in filter(None, cuts):
            for each in cut.shapes:
                if isinstance(each, Text) and each.halo and (sign := signs.get(each.text.upper())):
                    assert not overlap(place(each), place(sign)), (outcome.state.round, each.text)
                    assert overlap(box(cut), place(sign)), (outcome.state.round, each.text)
            cut_off = [
                place(each) for each in cut.parts if isinstance(each, Polygon) and each.style.fill == cut.background
            ]
            named = {each.text.upper() for each in cut.shapes if isinstance(each, Text)}
            for title in known - named:
                hides = any(overlap(place(signs[title]), each) for each in cut_off)
                assert hides or not overlap(box(cut), place(signs[title])), (outcome.state.round, title)


def test_names_of_cities_stand_by_them_in_close_ups_where_signs_have_codes() -> None:
    """Of a name that is cut off the code says enough."""
    _, _, following = volldampf.recorded_game(next(iter(volldampf.games())))
    seen = 0
    for outcome in (turn.outcome for turn in following):
        drawn = VOLLDAMPF.drawing(outcome.state, str, Print(events=outcome.events))
        known = {each.text: each.at for each in drawn.shapes if isinstance(each, Text) and each.halo and each.serif}
        for cut in filter(None, (busiest(drawn), *(own(drawn, each.code) for each in outcome.state.table.players))):
            named = [each for each in cut.shapes if isinstance(each, Text) and each.halo and each.text in known]
            assert [each.text for each in named if max(map(abs, map(sub, each.at, known[each.text]))) > 60] == []
            seen += len(named)
    assert seen > 50


def place(shape: Text | Circle | Polygon) -> Box:
    """Return where a name in the middle of its place, or a sign, stands."""
    if isinstance(shape, Text):
        (x, y), half = shape.at, text_width(shape.text, shape.size, shape.bold, shape.serif) // 2
        return x - half, y - shape.size * 86 // 100, x + half, y + shape.size * 14 // 100
    if isinstance(shape, Circle):
        return box_at(shape.at, 2 * shape.radius, 2 * shape.radius)
    across, down = zip(*shape.points, strict=True)
    return min(across), min(down), max(across), max(down)


def test_what_the_close_ups_of_a_turn_have_in_common_is_painted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, painted, paint = board(11), list[int](), raster.paint

    def counted(drawing: Drawing, width: int, *given: Any) -> bytearray:
        painted.append(width)
        return paint(drawing, width, *given)

    raster._paint.cache_clear()
    monkeypatch.setattr(raster, "paint", counted)
    cuts = [each for each in (busiest(drawn), *(own(drawn, code) for code in CODES)) if each]
    for each in cuts:
        raster.letter_png(each)
    ground, in_common, *rest = painted
    assert ground == in_common > cuts[0].pixels
    assert rest == [each.pixels for each in cuts]


@pytest.mark.usefixtures("real_pictures")
def test_a_letter_brings_its_readers_close_ups_and_stays_under_600_kb(club: Clubs) -> None:
    house = club()
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cyd <cyd@example.org>")
    new_game(house.club, Proposal(kind="dampfross", board="ireland", players=tuple(map(parse_player, players))))
    house.tick()
    house.write(ANN, "HOME Cork\n1a) (Cork) - Kilkenny", subject="Re: [RR1]")
    house.write(BOB, "HOME Belfast\n1a) (Belfast) - Portadown", subject="Re: [RR1]")
    house.send(
        "cyd@example.org", "HOME Dublin\n1a) (Dublin) - Drogheda\n\nFORMAT TEXT\nATTACH NONE", subject="Re: [RR1]"
    )
    house.later(days=15)

    def pngs(letter: EmailMessage) -> list[str]:
        return [name for part in letter.walk() if (name := part.get_filename() or "").endswith(".png")]

    letters = {each: house.last(each) for each in (ANN, BOB, "cyd@example.org")}
    assert "RR1-turn-1-closeup.png" in pngs(letters[ANN])
    assert sum(name == "RR1-turn-1-GSW.png" for name in pngs(letters[ANN])) <= 1
    assert not {"RR1-turn-1-GSW.png"} & {*pngs(letters[BOB])}
    assert pngs(letters["cyd@example.org"]) == []
    assert max(len(bytes(each)) for each in letters.values()) < 600_000
    page = letters[ANN].get_body(("html",))
    assert page is not None
    assert page.get_content().count("cid:RR1-turn-1-") == len(pngs(letters[ANN])) - 1


def test_the_last_letter_of_a_game_brings_the_keepsake_in_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But on paper, where it would stand in a column."""
    printed = list[Any]()

    def kept(*given: Any) -> bytes:
        printed.append(given[5])
        return b""

    monkeypatch.setattr(paper, "letter_pdf", kept)
    make_club(tmp_path / "club", {"mail.address": "referee@example.org"})
    with open_club(read_config(tmp_path / "club", {}), lambda: BEGIN, reader=Reader()) as club:
        _, game = played(club, None)
        for turn, over in ((11, False), (12, True)):
            letter = outbox.newsletters(club.db, game, turn)[0].raw.decode("ascii", "replace")
            assert (f"{game}-keepsake.png" in letter) == over
            assert (f"{game}-turn-{turn}-closeup.png" in letter) != over
            paper_of_turn(club, game, turn, "", "a4", "a4")
            assert (f"{game}-turn-{turn}-closeup.png" in printed[-1]) != over
            assert f"{game}-keepsake.png" not in printed[-1]


def test_a_newcomer_sees_a_first_order_drawn_with_the_price_of_each_hex_side() -> None:
    _, opening, _ = recorded_game("usual 6 d")
    drawn = GAME.drawing(opening.state, str, Print(events=opening.events))
    assert not busiest(drawn)
    for company in opening.state.table.companies:
        cut = own(drawn, company.player)
        assert cut
        story = GAME.story(opening.state, opening.events, company.player)
        prices = [
            shape for shape in cut.shapes if isinstance(shape, Text) and shape.text.isdigit() and shape.size == 34
        ]
        assert sum(int(each.text) for each in prices) == sum(each["points"] for each in story["example"]) > 0
