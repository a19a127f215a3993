"""The letters of Volldampf, from a turn's events to the words a player reads."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core import Fields, View
from referee.core.game import Player, Setup
from referee.games.volldampf import GAME, notation
from referee.games.volldampf.events import Event, OrderKept
from referee.games.volldampf.report import ranking
from referee.games.volldampf.report.story import private_scene, scene
from referee.games.volldampf.state import Bid, State
from referee.report.html import LINE_WIDTH
from referee.report.sentences import merged_toml
from referee.report.templates import Rendered, Stationery
from tests.games.volldampf.told import CASES as TOLD
from tests.games.volldampf.told import Turn, asking, events_of, folded, holding, one_by_one, opened, turns
from tests.tables import Tables, frozen_value

CASES = Tables(__file__)


TEMPLATES = Path(__file__).parents[3] / "templates"
RULES = Path(__file__).parents[3] / "referee/games/volldampf"
FOLDERS = (TEMPLATES / "volldampf", TEMPLATES / "common")
STATIONERY = Stationery(lambda _: FOLDERS, strict=True)
SEATS = tuple(Player(code=code, colour="red", name=code.title()) for code in ("ANN", "BOB", "CAT"))
SETUP = Setup(
    game="volldampf",
    board_name="deutschland-1925",
    board=GAME.board_text("deutschland-1925"),
    preset="post",
    options=(),
    players=SEATS,
)
DEADLINE = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)
RULE = re.compile(r"-+(  -+)+")


def letter(turn: Turn, reader: str) -> Rendered:
    """Return a player's letter about a turn, as the service would have it written."""
    state, told = turn
    tale = GAME.story(state, told, reader)
    asked = [state.agenda[0].player] if state.agenda and state.agenda[0].player else []
    values: View = {
        "game": {"id": "VD1", "title": "Volldampf", "board_name": "Trial", "preset": "post", "options": {}},
        "reader": {"code": reader, "name": reader.title(), "language": "en"},
        "asked": asked,
        "address": "referee@example.org",
        "turn": state.turn - 1,
        "next_turn": state.turn,
        "deadline": None if state.is_over else DEADLINE,
        "finished": state.is_over,
        "missing": [],
        "seating": [],
        "languages": [("en", "English")],
        "statements_until": None,
        "early": 12,
        "summary": GAME.summary(state, told) if state.is_over else {},
        "chain": {"end": "eee", "seed": "sss", "previous": "ppp", "salts": "", "typed": [], "hash": "hhh", "acts": []},
        "booked": None,
        "press": [{"player": "BOB", "company": "", "text": "Full steam!"}],
        "view": GAME.view(state, reader),
        "story": tale,
        "prices": GAME.prices(SETUP),
    }
    name = "opening" if tale["phase"] == "opening" else "newsletter"
    return STATIONERY.letter(name, "volldampf", "en", "UTC", values)


def turn_of(row: Fields) -> Turn:
    """Return the turn of a row."""
    options, told = row.get("options", {}), events_of(*row.get("events", ()))
    state = opened(row.get("players", 3), **options)
    if "after" in row:
        state, events = turns(**options)[row["after"]]
        told = told if "events" in row else events
    before = events_of(*row.get("before", ()), *row.get("events", ()))
    state = holding(folded(state, before), **row.get("hands", {})).but(**frozen_value(row.get("with", {})))
    ask = one_by_one if "alone" in row else asking
    return ask(state, **row["asked"]) if "asked" in row else state, told


@pytest.mark.parametrize("row", CASES.listed("told"), ids=lambda row: row["says"])
def test_a_letter_tells_its_reader(row: Fields) -> None:
    turn = turn_of(row)
    for kind in ("told", "untold"):
        for reader, words in row.get(kind, {}).items():
            made = letter(turn, reader)
            text = f"Subject: {made.subject}\n{made.text} {' '.join(made.text.split())}"
            assert [each for each in words if (each in text) != (kind == "told")] == []


def prose(text: str) -> list[str]:
    """Return the lines of paragraphs without a table."""
    blocks = re.split(r"\n\s*\n", text)
    return [line for block in blocks if not RULE.search(block) for line in block.split("\n")]


@pytest.mark.parametrize("name", ["opening", "auction", "builds", "trips"])
@pytest.mark.parametrize("options", [{}, {"money_visible": False, "hands_open": True}], ids=["usual", "hidden marks"])
def test_every_turn_is_told_to_everybody_in_lines_that_fit(name: str, options: View) -> None:
    for reader in ("ANN", "BOB", "CAT"):
        told = letter(turns(**options)[name], reader)
        assert told.subject.startswith("[VD1] Trial: ")
        assert [line for line in prose(told.text) if len(line) > LINE_WIDTH] == []


@CASES.rows
def test_one_of_a_thing_is_reckoned_as_one(note: View, words: str) -> None:
    entry = {"line": "MOVE 1", "notes": [{"route": "A - B", "steps": [{"code": "ANN", "steps": 1}], **note}]}
    values = {"forecast": {"told": {"entries": [entry]}}, "prices": ()}
    assert words in " ".join(STATIONERY.text("forecast.txt.j2", "volldampf", "en", "UTC", values).split())


def test_the_words_that_begin_orders_are_not_torn_apart() -> None:
    for turn in range(1, 200, 33):
        state, told = turns()["auction"]
        text = letter((state.but(turn=turn), told), "CAT").text
        assert f'"ORDERS VD1 {turn}"' in text


def test_a_newsletter_begins_with_its_reader_what_they_did_what_they_have_and_what_they_decide() -> None:
    state, _ = turn = turns()["trips"]
    for row in ranking(state, None):
        code = row["code"]
        own, _, told = letter(turn, code).text.partition("The round\n=")
        assert "Your round" in own
        assert f"You have an income of {row['income']} (" in own
        assert f"score {row['score']}, place {row['place']}." in " ".join(own.split())
        assert "Accounts" in told or "Final table" in told
        mine = re.findall(r"^- ([A-Z]{3})\b", own.partition("Your round")[2], re.MULTILINE)
        assert mine
        assert set(mine) == {code}
    watched = letter(turn, "").text
    assert "Your round" not in watched
    assert "You have an income of" not in watched


@CASES.rows
def test_what_all_are_told_in_tables_its_reader_is_told_first(phase: str, table: str, line: str) -> None:
    turn, all_listed = turns()[phase], list[str]()
    for row in ranking(turn[0], None):
        own, _, told = letter(turn, row["code"]).text.partition("The round\n=")
        listed = re.findall(table.format(code=row["code"]), told, re.MULTILINE)
        assert re.findall(line, own, re.MULTILINE) == listed
        all_listed += listed
    assert all_listed


def test_a_sealed_order_is_told_as_such() -> None:
    """One by one nothing else is known of a turn in which a limit was named."""
    letters = []
    for limit in (7, 9):
        told = (OrderKept(player="BOB", order=Bid(amounts=(limit,))),)
        letters.append(letter((one_by_one(folded(turns()["opening"][0], told), "bid", "CAT"), told), "ANN"))
    assert letters[0] == letters[1]
    assert letters[0].subject == "[VD1] Trial: round 1 of 4, sealed orders; CAT is asked"
    assert "stays sealed until everybody has been asked" in " ".join(letters[0].text.split())


VARIANTS = events_of(*TOLD.listed("variants"))


@pytest.mark.parametrize("event", VARIANTS, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("open_hands", [True, False])
def test_each_way_an_event_may_come_has_its_sentence(event: Event, open_hands: bool) -> None:
    state = opened(hands_open=open_hands)
    scenes = [scene(event, state), *(private_scene(event, state, reader) for reader in ("ANN", "BOB"))]
    body = '{% import "parts.txt.j2" as rail with context %}{{ rail.scene(one) }}'
    for told in filter(None, scenes):
        assert re.fullmatch(r"(ANN|BOB|You)\b.*[.1]", rendered(body, {"one": told}))


def test_there_is_a_sentence_for_each_scene_and_a_scene_for_each_sentence() -> None:
    told: list[View] = []
    for state in (opened(4), opened(4, hands_open=True)):
        for event in (*VARIANTS, *(event for turn in turns().values() for event in turn[1])):
            heard = (scene(event, state), *(private_scene(event, state, code) for code in state.codes))
            told += filter(None, heard)
    assert {one["what"] for one in told} == set(merged_toml(FOLDERS, "words.toml")["scene"])


def test_there_is_a_sentence_for_each_note_of_a_forecast() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(RULES.glob("forecast*.py")))
    notes = set(re.findall(r'"what": "([a-z-]+)"', source))
    assert len(notes) > 10
    assert notes <= set(merged_toml(FOLDERS, "words.toml")["forecast"])


def rendered(body: str, values: View) -> str:
    """Return what a template of our own gives, written strictly."""
    made = STATIONERY._environment("volldampf", "en", "UTC")
    return str(made.from_string(body).render(values))


def test_nothing_else_moves_a_letter_than_position_and_events() -> None:
    """The same turn gives the same letter, whatever order the mappings of the position were filled in."""
    state, told = turns()["builds"]
    again: State = state.but(cubes=dict(list(state.cubes.items())[::-1]), built=dict(list(state.built.items())[::-1]))
    assert letter((state, told), "ANN") == letter((again, told), "ANN")


def test_every_question_is_explained_to_those_who_have_never_played() -> None:
    words = merged_toml(FOLDERS, "words.toml")
    asked = set(notation.ASKED) - {"over", "opening", "auction"}  # the last two are explained line by line
    assert asked | {"bonds", "limit", "bid-two", "choice"} <= set(words["explained"])
    book = GAME.rulebook("en")
    assert book
    known = {paragraph.number for paragraph in book.paragraphs}
    named = {number for text in words["explained"].values() for number in re.findall(r"V[0-9.]+[0-9]", text)}
    assert {number for number in named if not any(each.startswith(number) for each in known)} == set()
