"""Each player is written to in their own language, and an umpire's own words are understood."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.config import NO_FILES
from referee.core import ConfigError
from referee.orderbook.expressions import spoken_words
from referee.resources import word_texts
from referee.service.positions import OrderLanguages
from referee.service.post.readers import parse_attach, parse_language
from referee.service.turns.gamefile import Proposal, parse_player
from referee.service.turns.newgames import new_game
from tests.desk.pages import unpacked
from tests.games import lines
from tests.posthouse import ANN, BOB, Clubs, PostHouse, line_of, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# All players are written to in their own language: as they ask by mail, or as the umpire says.


def test_a_newsletter_asked_for_once_more_is_in_the_language_of_now(begun: PostHouse) -> None:
    opening = begun.told(ANN)
    assert begun.last(ANN)["Content-Language"] == "en"
    assert opening in begun.says(ANN, "RESEND 0")
    told = begun.says(ANN, "SPRACHE de\nNOCHMALS 0")
    assert opening not in told
    assert "Die Eröffnung, noch einmal" in told
    assert told.count("Abgabetermin:") == 2  # in it, and below it
    assert "Deadline:" not in told
    assert {part.get_filename() for part in begun.last(ANN).walk()} >= {"RR1-turn-0.svg", "RR1-turn-0.json"}
    assert "Deadline:" in begun.says(BOB, "RESEND 0")


@pytest.mark.parametrize(
    ("text", "code"),
    CASES.listed("languages_are_known_by_code_and_by_name"),
)
def test_languages_are_known_by_code_and_by_name(text: str, code: str) -> None:
    assert parse_language(text) == code


FORMS = {
    "de": ("AUFTRÄGE", "STARTBAHNHOF", "ENDE"),
    "fr": ("ORDRES", "GARE DE DÉPART", "FIN"),
    "nl": ("OPDRACHTEN", "STARTSTATION", "EINDE"),
}


@pytest.mark.parametrize("language", FORMS)
def test_forms_and_answers_say_orders_in_the_readers_language_and_count_when_they_come_back(
    club: Clubs, language: str
) -> None:
    """The form of the opening, filled in where it stands in the quotation; then what the answer echoes, sent as it stands."""
    begin, home, end = FORMS[language]
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cyd <cyd@example.org>")
    made = club(club__language=language)
    made.new("dampfross", "ireland", *players)
    made.tick()
    opening = made.last(ANN)
    form = text_of(opening).partition(f"{begin} RR1 1\n")[2].partition(f"{end}\n")[0]
    assert form == f"{home}\n1a)\n1b)\n1c)\n"
    quoted = "\n".join(f"> {line}" for line in text_of(opening).split("\n"))
    quoted = quoted.replace(f"> {home}\n> 1a)", f"> {home} Dublin\n> 1a) (Dublin) - AA19")
    made.reply(opening, f"On Mon the referee wrote:\n{quoted}\n", ANN)
    echo = f"{home} Dublin\n1a) (Dublin) - AA19"
    assert echo in made.text(ANN)
    made.reply(ANN, f"{begin} RR1 1\n{echo}\n1b) {spoken_none(language)}\n{end}", ANN)
    rows = made.rows("SELECT clean FROM order_sets ORDER BY id")
    assert [bool(row["clean"]) for row in rows] == [True, True]


HELPED = CASES.frozen("HELPED")


@pytest.mark.parametrize("language", HELPED)
def test_help_shows_words_and_examples_that_are_of_the_readers_language_and_are_understood(
    begun: PostHouse, language: str
) -> None:
    *words, rest, nothing, press = HELPED[language]
    told = begun.says(ANN, "\n".join(words))
    for english in ("rest as before", "EXTENSION", "ATTACH", "bankers", "bridge?", "away until"):
        assert english not in told
    assert all(each in told for each in (words[2], nothing, press))
    assert rest in told.lower()
    assert lines.order_language("dampfross").amending(rest)
    assert parse_attach(nothing.partition(" ")[2]) == NO_FILES


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Ireland"), ("de", "Irland"), ("fr", "Irlande"), ("nl", "Ierland")]
)
def test_letters_boards_and_calendars_name_the_map_in_the_readers_language(
    club: Clubs, language: str, title: str
) -> None:
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cyd <cyd@example.org>")
    made = club(club__language=language, players__attach="svg ics")
    made.new("dampfross", "ireland", *players)
    made.tick()
    opening = made.last(ANN)
    assert f"] {title}" in opening["Subject"]
    assert f" {title}\n====" in text_of(opening)
    files = {part.get_filename(): part.get_content() for part in opening.iter_attachments()}
    assert title in files["RR1-turn-0.svg"].decode().partition("</title>")[0]
    assert f"Dampfross\\, {title}" in re.sub(r"\r?\n ", "", files["RR1-deadline.ics"])


@pytest.mark.parametrize(
    ("language", "end", "area"),
    [
        ("en", "Finljandija or Estonija", "Kasachstan"),
        ("de", "Finnland oder Estland", "Kasachstan"),
        ("fr", "Finlande ou Estonie", "Kazakhstan"),
        ("nl", "Finland of Estland", "Kazachstan"),
    ],
)
def test_letters_boards_and_desks_name_areas_in_the_readers_language(
    club: Clubs, language: str, end: str, area: str
) -> None:
    position = {
        "round": 12,
        "homes": dict.fromkeys(("GSW", "MGW", "BNC"), "Moskau"),
        "races": [{"number": 4, "start": 23, "end": 1, "round": 12}],
    }
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cyd <cyd@example.org>")
    made = club(club__language=language, players__attach="svg desk")
    seats = tuple(map(parse_player, players))
    made.new("dampfross", "russia", *seats, position=position)
    made.tick()
    opening = made.last(ANN)
    files = {part.get_filename(): part.get_content() for part in opening.iter_attachments()}
    assert f" - 1 {end}" in line_of(opening)
    assert area in files["RR1-turn-0.svg"].decode()
    desk = unpacked(str(files["order-desk-RR1-turn-12.html"]))
    assert f'"{end}"' in desk
    told = made.says(ANN, "RUN 4: FASTEST")
    assert f" - 1 {end}" in told
    assert " ".join(told.replace("| ", "").split()).count(end) == 2  # nobody's track joins them, either
    for text in (line_of(opening), told, files["RR1-turn-0.svg"].decode(), desk):
        assert language == "en" or "Finljandija" not in text


@pytest.mark.parametrize("language", FORMS)
def test_answers_and_rules_name_words_of_orders_in_the_readers_language(club: Clubs, language: str) -> None:
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cyd <cyd@example.org>")
    words = spoken_words(word_texts("dampfross"), language)
    made = club(club__language=language)
    made.new("dampfross", "ireland", *players)
    made.tick()
    told = made.says(ANN, "ATTACH SVG\nEXTENSION\nRULES D1.3, D6.2")
    for word in ("ATTACH", "EXTENSION", "HOME", "FASTEST", "CHEAPEST"):
        assert (word in told, words[word] in told) == (False, True), word


def spoken_none(language: str) -> str:
    return spoken_words(word_texts("dampfross"), language)["none"]


# An umpire's own words for orders, in the club's folder ``orders``: they are understood beside the shipped ones.


STEP = '[verb.STEP]\naliases = ["SCHRITT"]\nhelp = "Bringt dich weiter."\nexample = "SCHRITT 3"\n'


def write(folder: Path, place: str, text: str) -> None:
    path = folder / "orders" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def answered(house: PostHouse, text: str) -> str:
    house.send(ANN, text)
    return house.text(ANN)


def test_a_word_of_the_umpires_is_an_order_and_the_shipped_one_stays_one(club: Clubs) -> None:
    house = club()
    write(house.folder, "tinyrace/verbs.toml", STEP)
    house.begin()
    assert "- STEP 3" in answered(house, "ORDERS\nSCHRITT 3\nEND")
    assert "- STEP 2" in answered(house, "ORDERS\nSTEP 2\nEND")
    told = answered(house, "HELP")
    assert "SCHRITT 3" in told
    assert "Bringt dich weiter." in told


def test_a_word_for_all_games_is_heard_with_the_next_letter(club: Clubs) -> None:
    """No referee has to be started anew for it."""
    house = club()
    house.begin()
    assert "WEITER" in answered(house, "ORDERS\nWEITER\nEND").partition("Not in order:")[2]
    write(house.folder, "common/verbs.toml", '[verb.PASS]\naliases = ["WEITER"]\n')
    assert "You pass" in answered(house, "ORDERS\nWEITER\nEND")
    (house.folder / "orders" / "common" / "verbs.toml").unlink()
    assert "WEITER" in answered(house, "ORDERS\nWEITER\nEND").partition("Not in order:")[2]


def test_a_letter_waits_until_words_that_cannot_be_read_are_mended(club: Clubs) -> None:
    house = club()
    house.begin()
    write(house.folder, "common/verbs.toml", "[verb.PASS\n")
    house.write(ANN, "STEP 3")
    for _ in range(4):
        with pytest.raises(ConfigError, match=r"orders/common/verbs\.toml: Expected"):
            house.tick()
    write(house.folder, "common/verbs.toml", "")
    house.tick()
    assert "Orders for turn 1 received" in house.last(ANN)["Subject"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[verbs.PASS]\n", r"there is no verbs \(did you mean verb\?\)"),
        ("verb = 3\n", "verb must be a table"),
        ("[verb]\nPASS = 3\n", r"verb\.PASS must be a table"),
        ("[verb.PAUSE]\naliases = []\n", r"there is no verb\.PAUSE \(did you mean verb\.PASS\?\)"),
        ('[verb.PASS]\nalias = ["X"]\n', r"there is no verb\.PASS\.alias \(did you mean verb\.PASS\.aliases\?\)"),
        ('[verb.PASS]\naliases = "X"\n', r"verb\.PASS\.aliases must be a list"),
        ('[verb.PASS]\naliases = ["clear"]\n', r"verb\.PASS: 'clear' means CLEAR already"),
        ('[verb.PASS]\naliases = ["step"]\n', r"verb\.PASS: 'step' means STEP already"),
        ('[verb.PASS]\naliases = ["X"]\n[verb.CLEAR]\naliases = ["x"]\n', r"verb\.CLEAR: 'x' means PASS already"),
        ('[verb.SALT]\nvalue = "("\n', "missing \\)"),
        (f'[verb.PASS.in]\nde = ["{"X" * 301}"]\n', r"verb\.PASS\.in\.de: a list has texts of at most 300 signs"),
        ("[verb.PASS]\naliases = [1]\n", r"verb\.PASS\.aliases: a list has texts of at most 300 signs"),
    ],
)
def test_what_is_wrong_with_such_words_is_named_with_their_file(tmp_path: Path, text: str, fault: str) -> None:
    write(tmp_path, "common/verbs.toml", text)
    with pytest.raises(ConfigError, match=fault) as caught:
        OrderLanguages(tmp_path / "orders").of("tinyrace")
    assert str(tmp_path / "orders" / "common" / "verbs.toml") in str(caught.value)


def test_lists_are_added_to_and_all_else_is_said_otherwise(tmp_path: Path) -> None:
    shipped = OrderLanguages(tmp_path).of("dampfross")
    write(
        tmp_path,
        "dampfross/verbs.toml",
        '[words]\nOR = ["sonst"]\n[verb.BUILD]\naliases = ["BAUT"]\nexample = "BAUT 1a: ..."\n',
    )
    own = OrderLanguages(tmp_path / "orders").of("dampfross")
    build, before = own.verb("BUILD"), shipped.verb("BUILD")
    assert build
    assert before
    assert {*build.aliases} == {*before.aliases, "BAUT"}
    assert (build.example, build.help) == ("BAUT 1a: ...", before.help)
    assert [term.kind for term in own.words.exactly("sonst")] == ["OR"]
    assert own.words.exactly("oder") == shipped.words.exactly("oder")


# What is told of races that dice draw: how many, which go to a special, which keys are gone. D5.1-D5.4.


CYD = "cyd@example.org"
SEATS = tuple(map(parse_player, (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", f"BNC:green:Cyd <{CYD}>")))
LEFT = (61, 62, 63, 65)  # München and Rosenheim: nearer to each other than shortest_race
USED = [10 * red + black for red in range(1, 7) for black in range(1, 7) if 10 * red + black not in LEFT]
POSITION = {
    "round": 12,
    "homes": {"GSW": "München", "MGW": "München", "BNC": "Nürnberg"},
    "races": [
        {"number": number, "start": start, "end": end, "round": 12, "status": "open" if number == 16 else "run"}
        for number, (start, end) in enumerate(zip(USED[::2], USED[1::2], strict=True), start=1)
    ],
    "track": {"GSW": ["München - V29 - Rosenheim"]},
}


@pytest.fixture
def drawn(club: Clubs) -> PostHouse:
    options = (("shortest_race", 12),)
    proposal = Proposal(
        kind="dampfross",
        board="bavaria",
        preset="laurin",
        players=SEATS,
        position=json.dumps(POSITION),
        options=options,
    )
    made = club()
    new_game(made.club, proposal, root="root")
    made.tick()
    return made


def told(house: PostHouse) -> tuple[str, str, Any]:
    """Return the newest letter to Ann, as one line and as HTML, and the position for programs."""
    letter = house.last(ANN)
    html = letter.get_body(("html",))
    position = next(part for part in letter.iter_attachments() if str(part.get_filename()).endswith(".json"))
    return line_of(letter), html.get_content() if html else "", json.loads(position.get_content())


def test_the_opening_names_specials_with_their_places_and_how_many_races_are_drawn(drawn: PostHouse) -> None:
    text = told(drawn)[0]
    assert "2 Hessen: Hanau (A6), Schlüchtern (F4)" in text
    assert "Races drawn: 16 of 21. Races to a special: 4, 7, 11, 14, 18, 21. Keys struck off: 11, 12, 13" in text
    assert "Keys left: 61, 62, 63, 65." in text


def test_a_newsletter_tells_which_keys_a_cancelled_race_strikes(drawn: PostHouse) -> None:
    """Race 17 has no end that is far enough, race 18 goes to a special, which is no key."""
    for name in (ANN, BOB, CYD):
        drawn.write(name, "PASS")
    drawn.tick()
    text, html, view = told(drawn)
    html = html.replace("–", "-")
    for said in (
        "Race 17 from 63 München: no destination far enough; key 63 is struck off",
        "Race 18: 62 München - 4 Böhmen: not connected; key 62 is struck off",
        "Races drawn: 18 of 21. Races to a special: 4, 7, 11, 14, 18, 21. Keys struck off: 11, 12, 13",
        "Keys left: 61, 65.",
    ):
        assert said in text
        assert said in html
    assert view["draws"]["free"] == [61, 65]
    assert len(view["draws"]["struck"]) == 34


def test_with_unlimited_entries_races_long_over_count_for_nothing(drawn: PostHouse) -> None:
    assert "Each company may enter 1 race." in told(drawn)[0]
