"""The letters of Volldampf, from a turn's events to the words a player reads."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core import View
from referee.core.game import Player, Setup
from referee.games.volldampf import GAME, schedule
from referee.games.volldampf.events import (
    ActionDrawn,
    BidMade,
    Event,
    Events,
    LinkBuilt,
    OrderKept,
    PositionTaken,
    TripDeclined,
)
from referee.games.volldampf.report.prices import prices
from referee.games.volldampf.report.story import private_scene, scene, story
from referee.games.volldampf.report.summary import summary
from referee.games.volldampf.report.view import ranking, view
from referee.games.volldampf.state import Bar, Bid, State, What
from referee.report.html import LINE_WIDTH
from referee.report.sentences import merged_toml
from referee.report.templates import Rendered, Stationery
from tests.games.volldampf.told import CASES as TOLD
from tests.games.volldampf.told import Turn, asking, events_of, folded, holding, one_by_one, opened, turns
from tests.tables import Tables

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


def letter(turn: Turn, reader: str, *, name: str = "newsletter", stationery: Stationery = STATIONERY) -> Rendered:
    """Return a player's letter about a turn, as the service would have it written."""
    state, told = turn
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
        "summary": summary(state, told) if state.is_over else {},
        "chain": {"end": "eee", "seed": "sss", "previous": "ppp", "salts": "", "typed": [], "hash": "hhh", "acts": []},
        "booked": None,
        "press": [{"player": "BOB", "company": "", "text": "Full steam!"}],
        "view": view(state, reader),
        "story": story(state, told, reader),
        "prices": prices(SETUP),
    }
    return stationery.letter(name, "volldampf", "en", "UTC", values)


def written(turn: Turn, reader: str) -> str:
    """Return the text of a newsletter with its lines unfolded."""
    return " ".join(letter(turn, reader).text.split())


def prose(text: str) -> list[str]:
    """Return the lines of paragraphs without a table."""
    blocks = re.split(r"\n\s*\n", text)
    return [line for block in blocks if not RULE.search(block) for line in block.split("\n")]


@pytest.mark.parametrize("name", ["opening", "auction", "builds", "trips"])
@pytest.mark.parametrize("options", [{}, {"money_visible": False, "hands_open": True}], ids=["usual", "hidden marks"])
def test_every_turn_is_told_to_everybody_in_lines_that_fit(name: str, options: View) -> None:
    for reader in ("ANN", "BOB", "CAT"):
        told = letter(turns(**options)[name], reader, name="opening" if name == "opening" else "newsletter")
        assert told.subject.startswith("[VD1] Trial: ")
        assert [line for line in prose(told.text) if len(line) > LINE_WIDTH] == []


def test_subjects_name_round_and_phase() -> None:
    told = turns()
    subjects = [letter(told[name], "ANN").subject for name in ("auction", "builds", "trips")]
    assert subjects == [
        "[VD1] Trial: round 1 of 4, auction",
        "[VD1] Trial: round 1 of 4, building",
        "[VD1] Trial: final table",
    ]
    assert letter(told["opening"], "ANN", name="opening").subject == "[VD1] Trial: the game opens"


def test_the_opening_gives_all_that_the_first_orders_need() -> None:
    text = " ".join(letter(turns()["opening"], "ANN", name="opening").text.split())
    for words in (
        "Everybody begins with 10 marks and 12 track sections.",
        "Wien later (the bag is empty)",
        "Berlin nothing (the bag is empty)",
        "2: purple, purple, green",
        "purple (circle): Hamburg-Hannover 5, Hannover-Kassel 4",
        "You are asked for: bonds, bid and ranking of the groups.",
        "ORDERS VD1 1 BONDS LIMIT RANK END",
        "RANK purple+pink, green, 3",
    ):
        assert words in text


def test_the_opening_tells_the_setup_from_the_first_round_and_who_was_drawn_to_be_first() -> None:
    text = " ".join(letter(turns()["opening"], "ANN", name="opening").text.split())
    for words in (
        "Turn order, the first player drawn by lot and the others clockwise: BOB, CAT, ANN",
        "Turned up before the first round: Card 1: Hamburg violet",
        "Turned up for round 1: Card 2: Kassel violet",
    ):
        assert words in text
    named = letter(turns(start_player="named")["opening"], "ANN", name="opening").text
    assert "\nTurn order: BOB, CAT, ANN\n" in named


def test_what_is_laid_out_for_the_next_round_says_so() -> None:
    """A newsletter of round 1 ends with what the first phases of round 2 brought."""
    ahead = events_of(*CASES.listed("ahead"))
    state, _ = turns()["builds"]
    text = letter((folded(state, ahead), ahead), "ANN").text
    assert "Round 1 of 4" in text
    assert "\nMerchandise for round 2\n" in text
    assert "\nGroups of track cards for round 2\n" in text
    own = letter(turns()["opening"], "ANN", name="opening").text
    assert "\nMerchandise\n" in own
    assert "Groups of track cards" not in own
    assert own.partition("What is asked next")[2].count("\nThe groups now:\n1: ") == 1


def test_one_of_a_thing_is_told_as_one() -> None:
    state, told = turns()["auction"]
    assert "You have 8 marks." in written((state, told), "CAT")
    assert "You have 1 mark." in written((replace(state, cash={**state.cash, "CAT": 1}), told), "CAT")


@CASES.rows
def test_one_of_a_thing_is_reckoned_as_one(note: View, words: str) -> None:
    entry = {"line": "MOVE 1", "notes": [{"route": "A - B", "steps": [{"code": "ANN", "steps": 1}], **note}]}
    values = {"forecast": {"told": {"entries": [entry]}}, "prices": ()}
    assert words in " ".join(STATIONERY.text("forecast.txt.j2", "volldampf", "en", "UTC", values).split())


def test_the_words_that_begin_orders_are_not_torn_apart() -> None:
    for turn in range(1, 200, 33):
        state, told = turns()["auction"]
        text = letter((replace(state, turn=turn), told), "CAT").text
        assert f'"ORDERS VD1 {turn}"' in text


def test_the_auction_is_told_with_payments_and_new_groups() -> None:
    text = written(turns()["auction"], "CAT")
    for words in (
        "BOB 3 +18 3 28",
        "ANN plays Alles neu. The groups now: 1: purple, purple, pink",
        "Bids: BOB 1, CAT 2, ANN passes, BOB 3, CAT passes.",
        "2 CAT 2 2 all 8",
        "ANN: purple, green, green",
        "CAT: RANK pink: you have no grey track card left [V3.5.1]",
        "ORDERS VD1 2 BUILD 1: BUILD 2: BUILD 3: END",
    ):
        assert words in text


def test_a_builder_sees_the_free_links_of_his_colours_and_of_all_with_a_bargain() -> None:
    state, told = turns()["auction"]
    plain = letter((state, told), "CAT").text
    assert "Free links of your colours and their costs" in plain
    assert "purple (circle)" not in plain.split("Free links of your colours")[1]
    bargain = letter((holding(state, CAT="Günstige Gelegenheit"), told), "CAT").text
    assert "purple (circle)" in bargain.split("Free links and their costs")[1]


def test_trips_are_told_with_routes_and_steps() -> None:
    text = written(turns()["trips"], "ANN")
    for words in (
        "BOB stops CAT: blue, Prag - Berlin - Hamburg. Cubes of that colour may not leave Prag.",
        "BOB: blue, Hannover - Hamburg (1): BOB +1",
        "CAT: blue, Prag - Berlin - Hamburg (2, Schnelle Lok): CAT +1, ANN +1",
        "ANN owes 2 marks of interest and pays 1: 1 back on the income track.",
        "ANN 16 +1 -1 16 -1 0",
    ):
        assert words in text
    assert "Extra trips" not in text


def test_who_is_in_last_place_is_told_where_it_decides_something() -> None:
    state, told = turns()["trips"]
    text = written((asking(replace(state, winners=()), "subsidy"), told), "ANN")
    assert "Extra trips ----------- Last on the income track after the second trips: ANN and BOB." in text


def test_what_happens_to_several_alike_is_one_line() -> None:
    state, _ = turns()["trips"]
    text = written((state, events_of(*CASES.listed("alike"))), "ANN")
    assert "ANN, BOB, CAT: no delivery, by choice." in text
    assert "DAN: no delivery; none of the trips ordered was possible." in text
    assert text.partition("The round =")[2].count("an action card for being last on the income track") == 1


def test_a_newsletter_begins_with_its_reader_what_he_did_what_he_has_and_what_he_decides() -> None:
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


def test_standings_show_the_change_of_income_since_the_round_before() -> None:
    state, told = turns()["builds"]
    state = replace(state, income={**state.income, "CAT": 7}, rounds=dict.fromkeys(state.codes, (0, 3)))
    assert "1. CAT 2 7 +4 " in written((state, told), "ANN")


def test_the_end_has_a_table_winners_and_the_seed() -> None:
    text = written(turns()["trips"], "BOB")
    for words in ("The winner is CAT.", "Final table", "1. CAT", "Seed of this turn: sss", "out of the game: pink."):
        assert words in text
    assert "The draws --------- Seed of this turn: sss" in text  # a game of cards and cubes has no dice
    assert "Order form" not in text


def test_seeds_are_not_told_before_the_end() -> None:
    """They would tell what is secret: the pile of action cards, the hands, the track cards taken out."""
    for name in ("opening", "auction", "builds"):
        text = letter(turns()[name], "BOB", name="opening" if name == "opening" else "newsletter").text
        assert "sss" not in text
        assert "ppp" not in text
        assert "hhh" in text


def test_a_newsletter_keeps_the_secrets_of_others() -> None:
    """A card drawn, one held, an order that waits and a refusal stand in their owner's letter and in no other."""
    state = holding(turns()["builds"][0], BOB="Sabotage")
    told: Events = (
        TripDeclined(player="ANN", trip=1, wished=True),
        ActionDrawn(player="ANN", card="Zusatzfracht", why="declined"),
        turns()["auction"][1][5],
        turns()["auction"][1][17],
    )
    turn = (asking(folded(state, told), "letter", stage="trip", number=2), told)
    secrets = {"Zusatzfracht": "ANN", "RANK": "ANN", "SABOTAGE: blue": "BOB", "Sabotage: phase 6": "BOB"}
    letters = {reader: letter(turn, reader).text for reader in ("ANN", "BOB", "CAT")}
    for secret, owner in secrets.items():
        assert {reader for reader, text in letters.items() if secret in text} == {owner}, secret


def test_one_by_one_only_who_is_asked_gets_board_and_form() -> None:
    told: Events = (LinkBuilt(player="BOB", number=1, link="HAM-HAN", card="purple", cost=5),)
    state = folded(turns()["auction"][0], told)
    turn = (one_by_one(state, "build", "CAT", 1), told)
    asked, other = written(turn, "CAT"), written(turn, "ANN")
    assert "ORDERS VD1 2 BUILD 1: END" in asked
    assert "Order form" not in other
    assert "CAT is asked now: build 1." in other
    assert "Free links" not in other
    assert letter(turn, "ANN").subject == "[VD1] Trial: round 1 of 4, building; CAT is asked"


def test_a_sealed_order_is_told_as_such() -> None:
    """One by one nothing else is known of a turn in which a limit was named."""
    letters = []
    for limit in (7, 9):
        told = (OrderKept(player="BOB", order=Bid(amounts=(limit,))),)
        letters.append(letter((one_by_one(folded(turns()["opening"][0], told), "bid", "CAT"), told), "ANN"))
    assert letters[0] == letters[1]
    assert letters[0].subject == "[VD1] Trial: round 1 of 4, sealed orders; CAT is asked"
    assert "stays sealed until everybody has been asked" in " ".join(letters[0].text.split())


def test_a_running_game_that_is_taken_over_shows_its_position() -> None:
    state, _ = turns()["builds"]
    told: Events = (PositionTaken(told="{}"),)
    opening = letter((asking(state, "letter", stage="trips"), told), "CAT", name="opening")
    assert opening.subject == "[VD1] Trial: the game goes on from round 1"
    text = " ".join(opening.text.split())
    assert "1. CAT 2 0 0 0 0 3 11 0" in text
    assert "BOB: Hamburg-Hannover, Hannover-Kassel" in text


def test_bars_debts_played_cards_and_the_trip_that_is_asked_for_are_told() -> None:
    state = asking(turns()["builds"][0], "letter", stage="trip", number=2)
    bars = (Bar(player="ANN", colour="red", city="PRA"), Bar(player="BOB", colour="blue"))
    turn: Turn = (replace(state, bars=bars, owed=("WIE", "BER")), ())
    assert "You are asked for: trip 2." in written(turn, "ANN")
    assert "to a city of the cube's colour" in written(turn, "ANN")
    assert "By Sabotage you may not move red from Prag now." in written(turn, "ANN")
    assert "By Sabotage you may not move blue now." in written(turn, "BOB")
    assert "By Sabotage" not in written(turn, "CAT")
    assert "The next cubes that come back go to: Wien, Berlin." in written(turn, "CAT")
    assert "Action cards in the pile: 14. Played: Günstige Gelegenheit 1" in written(turn, "CAT")


def test_who_bids_sees_the_bids_so_far() -> None:
    told: Events = (BidMade(player="BOB", amount=2),)
    state = asking(folded(turns(auction="live")["opening"][0], told), "bid", player="CAT")
    assert "Bids so far: BOB 2." in written((state, told), "CAT")


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
    again: State = replace(
        state, cubes=dict(list(state.cubes.items())[::-1]), built=dict(list(state.built.items())[::-1])
    )
    assert letter((state, told), "ANN") == letter((again, told), "ANN")


def test_every_question_is_explained_to_those_who_have_never_played() -> None:
    words = merged_toml(FOLDERS, "words.toml")
    asked = {what for what in schedule.ASKED if what != "over"}
    assert asked | {"opening-two", "auction-two"} <= set(words["explained"])
    book = GAME.rulebook("en")
    assert book
    known = {paragraph.number for paragraph in book.paragraphs}
    named = {number for text in words["explained"].values() for number in re.findall(r"V[0-9.]+[0-9]", text)}
    assert {number for number in named if not any(each.startswith(number) for each in known)} == set()


@CASES.rows
def test_two_players_are_told_how_they_bid(options: View, words: str) -> None:
    text = written((asking(opened(2, **options), "letter", stage="opening"), ()), "ANN")
    assert words in text
    assert "BID 3, 2, 1" in text
    assert "You two" not in written((asking(opened(3), "letter", stage="opening"), ()), "ANN")


def test_who_is_asked_for_a_bid_is_told_the_least_one() -> None:
    state = replace(one_by_one(opened(3, auction="live"), "bid", "ANN"), bids={"BOB": 10})
    text = written((state, ()), "ANN")
    assert "The least bid that counts is 11" in text
    assert "BID 11" in text


@pytest.mark.parametrize(("what", "words"), [("build", "build 2"), ("move", "trip 2")])
def test_a_single_decision_is_asked_for_by_its_number(what: What, words: str) -> None:
    state = one_by_one(opened(3), what, "ANN", number=2)
    assert f"You are asked for: {words}." in written((state, ()), "ANN")
    assert f"ANN is asked now: {words}." in written((state, ()), "BOB")
