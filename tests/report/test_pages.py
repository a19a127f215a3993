"""Pages of newsletters as text: their size, their escaping, and the order in which they tell."""

import copy
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from itertools import cycle, islice
from typing import Any

import pytest
from markupsafe import Markup

from referee.core import Complaint, View, complaint_of
from referee.games.dampfross.events import EntryRefused
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.report.html import (
    as_paragraphs,
    as_text,
    chip_style,
    columns,
    mark_chips,
    split_title,
    tidy,
    with_dashes,
    wrap,
)
from referee.report.paper import blocks_of
from referee.report.quoting import bar_lines
from referee.report.templates import Rendered
from tests.games.volldampf.wholegame import recorded_game as volldampf_game
from tests.pages import (
    STATIONERY,
    opening_page,
    page_of,
    plain_page,
    turns,
    values_of,
    volldampf_page,
    volldampf_turns,
    volldampf_values,
)
from tests.tables import Tables

CASES = Tables(__file__)


def test_a_fat_page_is_under_ninety_kilobytes() -> None:
    """Beyond 102 kB Gmail cuts a letter. Six players, 24 races with 72 trains, which is three times what they may enter, a piece
    of press from everybody.
    """
    values = values_of(12)
    races = [{**race, "trains": race["trains"][:3]} for race in values["story"]["races"] if len(race["trains"]) > 2]
    story: dict[str, Any] = {**values["story"], "races": list(islice(cycle(races), 24))}
    press = [
        {"player": code, "code": code, "name": "", "company": "", "colour": "", "text": "word " * 400}
        for code in "ABCDEF"
    ]
    page = page_of({**values, "story": story, "press": press})
    assert page.count("<h3") >= 24
    assert page.count("dateline") >= 6
    assert len(page.encode()) < 90_000


def test_every_turn_of_a_game_has_a_page() -> None:
    for turn in range(1, len(turns()) + 1):
        for reader in ("MGW", ""):
            page = page_of(values_of(turn, reader))
            assert page.count("<h1") == 1
            assert ("Your round" in page) == bool(reader)
            assert "{{" not in page
            assert "</span> ," not in page  # GSW , Ann
            assert "&lt;" not in page


def test_a_table_has_no_more_columns_than_a_telephone_shows() -> None:
    for turn in range(1, len(turns()) + 1):
        rows = page_of(values_of(turn)).split("<tr")[1:]
        assert max(row.count("<td") + row.count("<th ") for row in rows) <= 8


def test_why_an_order_was_not_carried_out_stands_with_it() -> None:
    values = values_of(4)
    story = copy.deepcopy(values["story"])
    (mine,) = (one for one in story["companies"] if one["code"] == "MGW")
    why = Complaint(code="illegal-no-land", params=(("place", "K99"),))
    mine["rolls"][0]["stops"] = [{"piece": 2, "complaint": why}]
    own = re.compile(r"Your round(.*)What you decide now", re.DOTALL)
    said = "piece 2 stopped: K99 is water or off the map: track can only be laid on land"
    assert said in own.findall(page_of({**values, "story": story}))[0]
    assert said not in own.findall(page_of({**values_of(4, "GSW"), "story": story}))[0]


def test_between_the_fees_of_two_rivals_is_a_blank() -> None:
    values = values_of(9)
    story = copy.deepcopy(values["story"])
    fees = {
        "received": [{"code": "BNC", "amount": 25}, {"code": "GNR", "amount": 25}],
        "paid": [{"code": "CDR", "amount": 1}],
    }
    for one in story["companies"]:
        one["built"], one["money"] = True, {**one["money"], **fees}
    told = {**values, "story": story}
    assert "fees: +25[BNC] +25[GNR] −1[CDR]" in page_of(told)
    assert "fees: +25[BNC] +25[GNR] -1[CDR]" in STATIONERY.letter("newsletter", "dampfross", "en", "UTC", told).text
    own = STATIONERY.letter("newsletter", "dampfross", "en", "UTC", values_of(12)).text.partition("Your round")[2]
    assert "tolls -4[BNC] -2[GNR]" in " ".join(own.split())


def test_a_race_with_tolls_and_an_entry_that_is_void_is_named_once_in_your_round() -> None:
    values = values_of(12)
    race = next(race for race in values["story"]["races"] if any(line["code"] == "MGW" for line in race["lines"]))
    complaint = complaint_of("illegal-game-over", "R21", text="RUN 1")
    void = EntryRefused(race=race["number"], company="MGW", complaint=complaint, paragraph="R21")
    lines: list[View]
    for lines in (race["lines"], []):
        told = {**values, "story": {**values["story"], "races": [{**race, "refused": [void], "lines": lines}]}}
        for face in (STATIONERY.letter("newsletter", "dampfross", "en", "UTC", told).text, page_of(told)):
            own, void_too, _ = face.partition("Your round")[2].partition("MGW's entry is void")
            assert void_too
            assert own.count(race["end"]["name"]) == 1


def test_a_letter_without_a_page_of_its_own_says_as_html_what_it_says_as_text() -> None:
    said = "RR1: Tiny Race\n==============\nTurn 2 <b>\n\n- one\n- two\n"
    page = STATIONERY.page(
        "newsletter", "tinyrace", "en", "UTC", values_of(1), Rendered(subject="Turn 2", text="", loose=said)
    )
    body = re.sub(r' style="[^"]*"', "", page)
    assert '<p class="sub">RR1: Tiny Race · Turn 2 &lt;b&gt;</p>' in body
    assert 'src="cid:a@b"' in body
    assert "<h1>Turn 2</h1>" in body
    assert "<ul><li>one</li><li>two</li></ul>" in body


def test_a_letter_without_a_heading_has_its_subject_as_one() -> None:
    assert split_title("One\n===\ntwo\n", "Subject") == ("One", "two\n")
    assert split_title("One\ntwo\n", "Subject") == ("Subject", "One\ntwo\n")
    assert split_title("", "Subject") == ("Subject", "")


def test_what_stands_behind_marks_is_a_list_a_quotation_an_example_or_a_form() -> None:
    words = "word " * 20
    assert as_paragraphs(wrap(f"- {words}\n- b", 76, 2)) == f"<ul><li>{words.strip()}</li><li>b</li></ul>"
    told = bar_lines(wrap(f"{words}\nORDERS RR1 1", 74))
    assert as_paragraphs(told) == f"<blockquote>{words.strip()}<br>ORDERS RR1 1</blockquote>"
    so = f"{'so ' * 24}so:"
    assert as_paragraphs(f"{so}\n    STEP 1\n    STEP 2") == f"<p>{so}</p><pre>STEP 1\nSTEP 2</pre>"
    words = " ".join(f"word{n}" for n in range(20)) + ":"
    assert as_paragraphs(f"{wrap(words, 76)}\n    STEP 1") == f"<p>{words}</p><pre>STEP 1</pre>"
    listed = f"{wrap(words, 76)}\n{wrap(f'- {words}', 76, 2)}"
    assert as_paragraphs(listed) == f"<p>{words}</p><ul><li>{words}</li></ul>"
    form = "ORDERS RR1 2\n\n1) ...\nEND"
    assert as_paragraphs(f"Form\n----\n{form}\nbelow") == f"<h2>Form</h2>\n<pre>{form}</pre>\n<p>below</p>"
    way = f"DECLINE red {'Prag-' * 11}Prag OR"
    assert as_paragraphs(wrap(f"{way} DECLINE", 72, 0, 4)) == f"<p>{way} DECLINE</p>"
    assert as_paragraphs(f"{'-' * 40}\nTo send") == "<hr><p>To send</p>"


def test_a_line_goes_on_below_where_its_next_word_had_no_room() -> None:
    words = " ".join(f"word{n}" for n in range(40))
    assert as_paragraphs(wrap(f"{words}\nand on\n{words}")) == f"<p>{words}<br>and on<br>{words}</p>"
    assert as_paragraphs(f"{'a' * 60}\nb") == f"<p>{'a' * 60}<br>b</p>"


def test_each_name_before_a_colon_has_a_line_of_its_own() -> None:
    """Also where the city behind the second one had no room in the line of the first."""
    told = [wrap(f"{code}: Magdeburg-Berlin, Magdeburg-Erfurt, Nürnberg-München", 76, 0, 4) for code in ("PRE", "SAX")]
    assert as_paragraphs("\n".join(told)).count("<br>") == 1
    names = ", ".join(["Magdeburg-Berlin"] * 8)
    assert as_paragraphs(wrap(f"PRE: {names}", 76, 0, 4)).replace("\u00a0", " ") == f"<p>PRE: {names}</p>"


@pytest.mark.parametrize("words", range(60, 76))
def test_what_had_no_room_behind_a_colon_is_no_example(words: int) -> None:
    told = f"DOT: {'a' * (words - 10)} (5): DOT +4, EVA +1"
    assert "<pre>" not in as_paragraphs(wrap(f"{told}\n{told}", 76, 0, 4))
    assert "<pre>" not in as_paragraphs(wrap(f"- line 6: {'a' * (words - 12)}: it goes on", 76, 2))
    assert "<pre>" not in as_paragraphs(wrap(f"- line 6 {'a ' * 36}{'b' * (words - 12)}: it goes on", 76, 2))


@pytest.mark.parametrize("width", range(30, 76))
def test_a_route_is_one_line_wherever_it_is_folded(width: int) -> None:
    told = f"PRE: {'a' * (width - 12)} - Köln - Mannheim - Frankfurt - Berlin - Warschau (7): PRE +5\nBAD: none"
    assert as_paragraphs(wrap(told, 76, 0, 4)).replace("\u00a0", " ") == f"<p>{told.replace(chr(10), '<br>')}</p>"


def test_a_table_cut_in_two_repeats_whose_its_rows_are_and_no_numbers() -> None:
    told = columns([["GSW", 20, 1, 2, 3, 4, 5, "-34.5"]], head=["company", "start", *"abcdef"])
    page = as_paragraphs(told)
    assert [page.count(f">{head}</th>") for head in ("company", "start", "a", "f")] == [2, 1, 1, 1]
    assert '<td align="right">-34.5</td>' in page


def test_columns_become_tables_that_fit_on_a_telephone() -> None:
    told = columns(
        [["1.", "CID", 2, "+12", 3, -1, 16, 6, 1], ["2.", "<i>", 3, "-1", 3, 0, 5, "?", 2]],
        "rlrrrrrrr",
        head=["", "player", "turn", "+/-", "bonds", "score", "cash", "sections", "cards"],
    )
    page = as_paragraphs(f"Accounts\n--------\n{told}\n+/-: the change")
    assert page.count("<table") == 2
    assert page.startswith("<h2>Accounts</h2><table ")
    assert page.count('<th scope="col" align="left">player</th>') == 2
    assert page.count("<td>&lt;i&gt;</td>") == 2
    assert '<td align="right">-1</td>' in page
    assert page.endswith("<p>+/-: the change</p>")


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_tables_of_volldampf_have_72_columns_at_the_most_as_text(language: str) -> None:
    for turn in (4, len(volldampf_turns())):
        values = volldampf_values(turn)
        values["reader"] = {**values["reader"], "language": language}
        letter = STATIONERY.letter("newsletter", "volldampf", language, "UTC", values)
        assert "---- -" in letter.text
        assert [line for line in letter.text.splitlines() if len(line) > 72] == []


def test_lines_that_hang_go_on_and_seeds_stand_alone() -> None:
    long = "Bremen-Essen 6, Bremen-Amsterdam 8, Hannover-Essen 6, Hannover-Kassel 4, Kassel-Erfurt 5"
    assert as_paragraphs(f"purple: {long},\n    Köln-Kassel 7\ngreen: {long}\ngrey: none") == (
        f"<p>purple: {long}, Köln-Kassel 7<br>green: {long}<br>grey: none</p>"
    )
    seed = "0123456789abcdef" * 4
    assert as_paragraphs(f"Seed of this turn: {seed}\nand more") == f"<p>Seed of this turn: {seed}<br>and more</p>"


@pytest.mark.parametrize("name", ["dutch together 6", "post together 3"])
def test_every_turn_of_volldampf_has_a_page(name: str) -> None:
    setup, _, turns = volldampf_game(name)
    for turn in turns:
        state, events = turn.outcome.state, turn.outcome.events
        for reader in (setup.players[0].code, None):
            over = not VOLLDAMPF.awaiting(state)
            told = {
                **values_of(12 if over else 4, reader or ""),
                "game": {**values_of(4)["game"], "title": VOLLDAMPF.title, "name": VOLLDAMPF.name},
                "prices": VOLLDAMPF.prices(setup),
                "view": VOLLDAMPF.view(state, reader),
                "story": VOLLDAMPF.story(state, events, reader),
                "summary": VOLLDAMPF.summary(state, events) if over else {},
                "players": [
                    {"code": each.code, "name": each.name, "company": "", "colour": each.colour}
                    for each in setup.players
                ],
            }
            page = STATIONERY.page("newsletter", "volldampf", "en", "UTC", told, Rendered(subject="", text=""))
            assert page.count("<h1") == 1
            assert len(page.encode()) < 90_000
            assert max(row.count("<td") + row.count("<th ") for row in page.split("<tr")[1:]) <= 8
            if reader and not over and turn.before.table.pace == "together":
                assert page.index("ORDERS RR1") < page.index("Accounts")


def test_plain_text_becomes_paragraphs_and_is_escaped() -> None:
    assert as_text(Markup("\n<b>\n")) == "&lt;b&gt;"
    folded = f"{'long ' * 14}length\nends here"
    said = f"Head <i>\n--------\n{folded}\n- one\n- two\n\nlast"
    told = as_paragraphs(Markup(said))  # noqa: S704 (as a template without escaping gives it)
    assert told == (
        f"<h2>Head &lt;i&gt;</h2><p>{'long ' * 14}length ends here</p><ul><li>one</li><li>two</li></ul>\n<p>last</p>"
    )


def test_a_code_is_black_or_white_whichever_reads_better_on_its_colour() -> None:
    assert chip_style("blue") == "background-color:#0f98ff;color:#000"
    assert chip_style("purple") == "background-color:#780e8c;color:#fff"
    assert chip_style("no colour of ours").startswith("background-color:#")


def preheader(page: str) -> str:
    """Return what mail programs show beside the subject: the first words of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page.partition("<body")[2].partition(">")[2])).split())


NEWS: dict[str, Callable[[], str]] = {
    "Six and six carry CDR away towards Drogheda Next deadline: Monday 21 December 2026, 20:00 UTC": lambda: page_of(
        values_of(9)
    ),
    "BNC wins the game": lambda: page_of(values_of(12)),
    "The first goods roll from Köln to Nürnberg Next deadline:": lambda: volldampf_page(4),
    "Everybody borrows from the bank Next deadline:": lambda: volldampf_page(1),
    "Hello": opening_page,
    "One two three": lambda: plain_page("RR1: Tiny\n=========\nTurn 2\n\nOne\n  two\n\nthree"),
    "One two: word": lambda: plain_page(f"RR1: Tiny\n=========\nOne two: {'word ' * 40}"),
}


@pytest.mark.parametrize("news", NEWS)
def test_the_line_beside_the_subject_says_what_is_new_and_not_the_title_again(news: str) -> None:
    page = NEWS[news]()
    heading = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)[0].strip()
    assert preheader(page).startswith(news)
    assert preheader(page).count(heading) == 1
    assert heading not in re.findall(r"<title>(.*?)</title>", page)[0]


def test_what_is_to_be_filled_in_stands_above_the_board() -> None:
    """Where pictures are blocked the board is an empty box."""
    for page in (page_of(values_of(4)), opening_page(), volldampf_page(12)):
        assert page.index("ORDERS RR1") < page.index("<img")


@pytest.mark.parametrize("game", ["dampfross", "volldampf"])
def test_the_standings_come_first_in_both_faces(game: str) -> None:
    values, page = (
        (values_of(9), page_of(values_of(9))) if game == "dampfross" else (volldampf_values(15), volldampf_page(15))
    )
    text = STATIONERY.letter("newsletter", game, "en", "UTC", values).text
    for face in (text, page):
        at = [face.index(head) for head in ("Standings", "Your round", "ORDERS RR1", "Accounts")]
        assert at == sorted(at)
    told = [f"{one['place']}. {one['code']}" for one in values["story"]["ranking"][:3]]
    assert [line in " ".join(text.split()) for line in told] == [True] * 3
    ranks = page.partition(">Standings</h2>")[2].partition("<h2")[0]
    bars = [len(bar) for bar in re.findall(r'class="bar"[^>]*>\xa0+', ranks)]
    assert len(bars) == len(values["story"]["ranking"])
    assert bars == sorted(bars, reverse=True)


def test_accounts_and_income_of_volldampf_are_one_table() -> None:
    page = volldampf_page(15)
    accounts = page.partition(">Accounts</h2>")[2].partition("<h2")[0]
    assert accounts.count("<table") == 1
    assert re.findall(r'scope="row"[^>]*>([^<]+)<', accounts) == [
        "income",
        "interest",
        "cash",
        "turn",
        "sections",
        "action cards",
    ]
    assert ">Income and interest</h2>" not in page
    assert page.count('class="chip"') > 20


def test_codes_and_words_for_colours_stand_on_them() -> None:
    text = "SAX: by green\nBADEN, evergreen\nORDERS RR1 1\nRANK green\nEND"
    told = mark_chips(as_paragraphs(text), {"SAX": "red", "BAD": "blue", "green": "#1f7a41"})
    assert re.sub(r' style="[^"]*"', "", told) == (
        '<p><span class="chip">SAX</span>: by <span class="chip">green</span><br>BADEN, evergreen</p>\n'
        "<pre>ORDERS RR1 1\nRANK green\nEND</pre>"
    )


@pytest.mark.parametrize("width", range(40, 80))
def test_no_line_of_an_answer_goes_on_in_the_next_one(width: int) -> None:
    roll = {"label": "2a)", "order": "2a) x", "line": 0, "by": "roll", "points": 6, "cost": 6, "left": 0, "charges": []}
    rolls = [{**roll, "text": f"({'A' * (width - 10)}) - K26", "stops": [1], "banked": []}]
    company = {"home_order": "", "entries": [], "rolls": rolls, "money": {"paid": [], "bonus": 0}}
    told = {"forecast": {"told": {"several": False, "phase": "build", "companies": [company]}}, "prices": []}
    text = STATIONERY.text("forecast.txt.j2", "dampfross", "en", "UTC", told)
    assert as_paragraphs(text).endswith("K26<br>roll 6: costs 6, 0 left</blockquote>")
    assert tidy(text).endswith("K26\n  | roll 6: costs 6, 0 left\n")


@CASES.rows
def test_each_race_and_each_build_is_a_card_of_its_own(turn: int, what: str) -> None:
    part = page_of(values_of(turn)).partition(f">{what}</h2>")[2].partition("<h2")[0]
    assert part.count('class="card"') == part.count("<h3") > 1


def test_each_delivery_is_drawn_with_its_cube_and_a_piece_of_line_for_each_owner() -> None:
    page, story = volldampf_page(15), volldampf_values(15)["story"]
    hauls = [
        each for section in story["sections"] for part in section["parts"] for each in part["scenes"] if "ends" in each
    ]
    drawn = re.findall(r'<p class="haul".*?</p>', page, re.DOTALL)
    assert len(drawn) == len(hauls) > 1
    for said, haul in zip(drawn, hauls, strict=True):
        assert re.findall(r'class="bar"[^>]*>(\xa0+)<', said) == ["\xa0" * 3 * each["steps"] for each in haul["steps"]]
        assert all(end in said for end in haul["ends"])


def test_an_auction_shows_what_was_paid_as_coins_and_the_groups_as_cards() -> None:
    pages = [volldampf_page(turn) for turn in range(2, 7)]
    assert any("●" in page for page in pages)
    assert any('class="hand"' in page for page in pages)


def test_a_blank_before_a_sign_does_not_end_a_line_and_columns_in_a_line_are_words() -> None:
    assert with_dashes("<p>« Oui » ?</p><pre>A ; B</pre>") == "<p>«\u00a0Oui\u00a0»\u00a0?</p><pre>A ; B</pre>"
    assert as_paragraphs("Missing:\u00a0\u00a0\u00a0ANN") == "<p>Missing: ANN</p>"


def test_a_form_in_any_language_stays_as_it_is() -> None:
    form = "AUFTRÄGE RR1 1\nANLEIHEN\nENDE"
    assert as_paragraphs(f"{form}\nbelow", "AUFTRÄGE", "ENDE") == f"<pre>{form}</pre>\n<p>below</p>"


def test_an_answers_headline_is_its_subject_and_rules_are_no_news() -> None:
    letter = Rendered(
        subject="[RR1] Orders received", text="", loose="RR1: Ireland\n====\nTurn 2\n\nRules\n-----\nRead | them"
    )
    page = STATIONERY.page("plain", "dampfross", "en", "UTC", values_of(1), letter)
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", page) == ["Orders received"]
    assert preheader(page).startswith("Rules Read them")


def test_a_letter_says_what_it_is_about_once() -> None:
    letter = Rendered(subject="[RR1] ANN writes", text="", loose="Hello\n\nANN writes.")
    page = STATIONERY.page("plain", "dampfross", "en", "UTC", {**values_of(1), "deadline": None}, letter)
    assert re.findall(r'<p class="sub"[^>]*>(.*?)</p>', page) == ["RR1 · Hello"]


@CASES.rows
def test_a_deadline_that_has_a_line_of_its_own_is_drawn_as_one(hours: int, left: str) -> None:
    due = values_of(1)["today"] + timedelta(hours=hours)
    said = f"Take care.\n\nIt is near.\nDeadline:\u00a0{due:%A} {due.day} December 2026, {due:%H:%M} UTC\nTake more."
    letter = Rendered(subject="Look", text="", loose=said)
    page = STATIONERY.page("plain", "dampfross", "en", "UTC", {**values_of(1), "deadline": due}, letter)
    box = page.partition('class="due"')[2].partition("</table>")[0]
    assert [each.strip() for each in re.findall(r">([^<>]*\w[^<>]*)<", unescape(box))] == [said.split("\n")[3], left]


@pytest.mark.parametrize("game", ["dampfross", "volldampf"])
def test_the_last_letter_asks_what_all_say_of_the_game_above_the_board(game: str) -> None:
    last = values_of(12) if game == "dampfross" else volldampf_values(len(volldampf_turns()))
    last |= {"statements_until": last["today"], "revealed": [{"code": "MGW", "name": "Ann"}]}
    page = STATIONERY.page("newsletter", game, "en", "UTC", last, Rendered(subject="", text=""))
    places = [page.index(each) for each in ("Who played", "Closing statements", "<img", "Seed of this turn")]
    assert places == sorted(places)
    assert page.count("Closing statements") == 1


def test_names_of_companies_are_escaped_once() -> None:
    told = opening_page("MGW", "Belfast & Northern").count("Belfast &amp; Northern")
    assert told == 2 + len(values_of(1)["view"]["companies"])


@CASES.rows
def test_what_a_page_says_comes_in_order_with_its_looks(page: str, blocks: list[dict[str, Any]]) -> None:
    assert blocks_of(page) == blocks
