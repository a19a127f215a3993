"""The club's pages: what stands on them, what never does, and when they are written."""

import json
import os
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.report import paper
from referee.report.renderer import has_pdf, svg
from referee.service.pictures import Pictures
from referee.service.post.observers import watch_code
from referee.service.site.publish import publish
from referee.service.turns.gamefile import Invited, Proposal, parse_player
from referee.service.turns.newgames import new_game
from referee.store import games
from tests.pictures import tiny_picture
from tests.posthouse import ANN, BOARDS, BOB, UMPIRE, Clubs, PostHouse, begun_games, text_of

PLAYERS = (
    Invited(code="ANN", colour="red", name="Annabel Smith", address=ANN, company="Northern Line"),
    Invited(code="BOB", colour="blue", name="Robert Jones", address=BOB, company="Southern & Co"),
)
ATOM = "{http://www.w3.org/2005/Atom}"
_VOID = {"meta", "link", "br", "img", "input", "hr", "wbr", "path", "rect", "circle"}


@pytest.fixture
def house(club: Clubs, request: pytest.FixtureRequest) -> PostHouse:
    settings = {"publish__folder": "www", "publish__url": "https://club.example/", **getattr(request, "param", {})}
    made = club(**settings)
    made.new("tinyrace", "line", *PLAYERS, rhythm={"days": 7}, root="root of the chain")
    made.tick()
    return made


def played(house: PostHouse, turn: int) -> None:
    house.write(ANN, f"ORDERS RR1 {turn}\nSTEP 1\nEND\nPRESS: Full steam ahead")
    house.send(BOB, f"ORDERS RR1 {turn}\nSTEP 1\nEND")


def pages(house: PostHouse) -> dict[str, str]:
    """Return the text of all pages by their places."""
    www = house.folder / "www"
    found = [path for path in www.rglob("*") if path.suffix in (".html", ".xml", ".ics", ".css", ".json")]
    return {str(path.relative_to(www)): path.read_text("utf-8") for path in found}


class Tags(HTMLParser):
    """Notes links, ids, and tags that are not closed in their order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.links += [value for name in ("href", "src") if (value := told.get(name))]
        self.ids += [told["id"] or ""] if "id" in told else []
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def test_a_pass_that_played_a_turn_writes_it_on_the_pages(house: PostHouse) -> None:
    made = pages(house)
    assert "No turn was played yet." in made["RR1/index.html"]
    assert 'src="RR1-turn-0.png"' in made["RR1/index.html"]
    assert 'src="RR1/RR1-turn-0.png"' in made["index.html"]
    played(house, 1)
    told = pages(house)
    assert {"index.html", "records.html", "feed.xml", "sitemap.xml", "deadlines.ics"} <= told.keys()
    assert {"RR1/turn-1.html", "RR1/whole.html", "RR1/feed.xml", "RR1/deadline.ics"} <= told.keys()
    assert 'href="RR1/turn-1.html"' in told["index.html"]
    assert 'property="og:image" content="https://club.example/RR1/RR1-turn-1.png"' in told["RR1/turn-1.html"]


def test_every_link_leads_somewhere_and_every_tag_is_closed(house: PostHouse) -> None:
    played(house, 1)
    www = house.folder / "www"
    for place, text in pages(house).items():
        if place.endswith(".html"):
            found = Tags(text)
            assert (found.open, found.wrong) == ([], []), place
            assert len(found.ids) == len(set(found.ids)), place
            for link in found.links:
                local = link.removeprefix("https://club.example/") if link.startswith("https:") else None
                file, _, anchor = link.partition("#")
                target = www / local if local is not None else (www / place).parent / file if file else www / place
                assert target.exists(), (place, link)
                assert not anchor or anchor in Tags(target.read_text("utf-8")).ids, (place, link)


def test_the_turns_that_were_corrected_are_named_and_all_who_lead(house: PostHouse) -> None:
    """Both have gone as far; of two turns that were played after an undo one was never told otherwise."""
    played(house, 1)
    house.act("UNDO RR1 1 PLAY", "Ann's letter was read wrong.")
    played(house, 2)
    played(house, 2)
    found = pages(house)
    turns = re.findall(
        r"<li>.*?</li>", found["RR1/index.html"][found["RR1/index.html"].index('class="turns rounds"') :]
    )
    assert ["corrected" in each for each in turns[:2]] == [False, True]
    assert found["index.html"].count('<span class="place">1</span>') == 2


def test_neither_address_nor_code_nor_name_nor_press_is_on_any_page(house: PostHouse) -> None:
    played(house, 1)
    played(house, 2)
    row = house.row()
    secret = [ANN, BOB, house.club.config.address, "Full steam ahead", "Annabel", "Smith", "Robert", "Jones"]
    secret += [watch_code(house.club, "RR1").token, row.chain]
    for place, text in pages(house).items():
        assert [word for word in secret if word in text] == [], place


def test_a_whole_club_that_is_published_as_it_plays_holds_no_name_in_any_byte(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pictures and paper are kept as the text of which they are drawn; players' own letters name everybody meanwhile."""
    monkeypatch.setattr(Pictures, "png", lambda _, drawing: tiny_picture(svg(drawing)))
    monkeypatch.setattr(paper, "set_pdf", lambda _, told, *arguments: told.encode())
    players = (*PLAYERS, parse_player("CYD:green:Cydonia Wight <cyd@example.org>"))
    for kind, board in BOARDS.items():
        house.new(kind, board, *players, rhythm={"days": 7})
    house.wait(days=8)
    while house.row().status == "running":
        for player in (ANN, BOB):
            house.write(player, "STEP 3\nMAP", subject="RR1")
        house.tick()
    names = [name.encode() for each in players for name in each.name.split()]
    files = {str(path): path.read_bytes() for path in (house.folder / "www").rglob("*") if path.is_file()}
    assert {"RR1", "RR2", "RR3"} <= {Path(path).parent.name for path in files if path.endswith(".png")}
    assert any(path.endswith(".pdf") for path in files)
    assert sorted(path for path, raw in files.items() if any(name in raw for name in names)) == []
    mailed = [part for part in house.last(BOB, "[RR2]").walk() if part.get_content_type() == "image/png"]
    assert any(names[0] in part.get_content() for part in mailed)


@pytest.mark.parametrize(
    "house", [{"publish__names": "names", "publish__press": True, "publish__invite": True}], indirect=True
)
def test_the_umpire_may_show_names_press_and_the_words_to_watch(house: PostHouse) -> None:
    played(house, 1)
    told = pages(house)
    for each in games.players(house.club, "RR1"):
        assert escape(each.name) in told["RR1/index.html"]
        assert each.address not in "".join(told.values())
    assert "Full steam ahead" in told["RR1/turn-1.html"]
    assert re.search(r"<code>WATCH \S+</code>", told["RR1/index.html"])


@pytest.mark.parametrize("house", [{}, {"publish__invite": True}], indirect=True)
def test_a_game_that_waits_for_players_says_how_many_seats_are_free(house: PostHouse) -> None:
    house.open(2)
    house.tick()
    told = pages(house)["index.html"]
    assert "<h3>RR2: Tiny Race, line</h3>" in told
    assert "Free seats: 2 of 2" in told
    assert ("JOIN RR2-" in told) == house.club.config.publish.invite


def test_the_sitemap_names_every_page_but_keepsakes_and_desks(club: Clubs) -> None:
    seats = (f"A:red:Ann <{ANN}>", f"B:blue:Bob <{BOB}>", "C:green:Cy <cy@example.org>")
    house = club(publish__folder="www", publish__url="https://club.example/")
    begun_games(house, dict.fromkeys(BOARDS, seats))
    house.tick()
    told = pages(house)
    named = {
        link.removesuffix("/") for link in re.findall("<loc>https://club.example/(.*?)</loc>", told["sitemap.xml"])
    }
    places = {place.removesuffix("index.html").removesuffix("/") for place in told if place.endswith(".html")}
    assert named == {place for place in places if "keepsake" not in place and "/desk/" not in place}


def test_who_has_no_company_is_named_once(club: Clubs) -> None:
    players = tuple(each.but(company="") for each in PLAYERS)
    house = club(publish__folder="www")
    house.new("tinyrace", "line", *players, rhythm={"days": 7})
    house.tick()
    assert [
        word for word in ("<td>ANN</td>", "</span> ANN", ">player<") if word in pages(house)["RR1/index.html"]
    ] == []


def test_feeds_are_atom_and_dated_by_the_turns(house: PostHouse) -> None:
    played(house, 1)
    for place in ("feed.xml", "RR1/feed.xml"):
        feed = ElementTree.fromstring(pages(house)[place])  # noqa: S314 (our own)
        entry = feed.find(f"{ATOM}entry")
        assert entry is not None
        at = house.last_turn().adjudicated_at
        assert entry.findtext(f"{ATOM}updated") == feed.findtext(f"{ATOM}updated") == f"{at:%Y-%m-%dT%H:%M:%SZ}"
        assert entry.findtext(f"{ATOM}id") == "https://club.example/RR1/turn-1.html"
        assert "<article><h1>" in (entry.findtext(f"{ATOM}content") or "")


def test_a_pass_after_which_nothing_reads_otherwise_touches_no_file(house: PostHouse) -> None:
    played(house, 1)
    www = house.folder / "www"
    before = {path: path.stat().st_mtime_ns for path in www.rglob("*")}
    house.send(ANN, "STATUS")
    assert publish(house.club, www).written == ()
    assert {path: path.stat().st_mtime_ns for path in www.rglob("*")} == before


def test_a_name_that_is_another_one_is_followed(house: PostHouse) -> None:
    played(house, 1)
    assert "Ann of Cork" not in pages(house)["RR1/index.html"]
    house.send(ANN, "APPEAR AS Ann of Cork")
    assert "Ann of Cork" in pages(house)["RR1/index.html"]


def test_a_moved_deadline_is_followed_and_touches_no_turn_before_the_last(house: PostHouse) -> None:
    played(house, 1)
    played(house, 2)
    before = pages(house)
    house.act("DEADLINE RR1 2027-02-25", "Carnival")
    house.tick()
    after = pages(house)
    changed = {place for place in after if after[place] != before.get(place)}
    assert {"RR1/index.html", "RR1/deadline.ics", "deadlines.ics", "index.html"} <= changed
    assert "RR1/turn-1.html" not in changed
    assert "DTSTART:20270225" in after["deadlines.ics"]


def test_a_folder_that_cannot_be_written_stops_no_pass_and_is_told_once(house: PostHouse) -> None:
    www = house.folder / "www"
    aside = www.rename(house.folder / "aside")
    www.write_text("in the way")
    for turn in (1, 2):
        played(house, turn)
    house.tick()
    assert house.club.execute("SELECT max(turn) FROM turns").fetchone() == (2,)
    told = [letter for letter in house.post(UMPIRE) if "pages could not be written" in letter["Subject"]]
    assert len(told) == 1
    assert "www" in text_of(told[0])
    assert "publish: the club's pages could not be written since" in house.command("status").stdout
    www.unlink()
    aside.rename(www)
    house.tick()
    assert "RR1/turn-2.html" in pages(house)
    assert "could not be written" not in house.command("status").stdout


def test_a_fault_of_ours_stops_no_pass(house: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr("referee.service.site.publish.publish", fails)
    played(house, 1)
    house.tick()
    assert any("ZeroDivisionError: of ours" in text_of(letter) for letter in house.post(UMPIRE))


def test_the_first_page_shows_each_board_with_who_leads_and_the_page_of_a_game_what_a_turn_brought(
    tmp_path: Path,
) -> None:
    """Of Volldampf, too: what its players hide stands in no film (tests/games/volldampf/test_secrets.py)."""
    seats = (f"A:red:Ann <{ANN}>", f"B:blue:Bob <{BOB}>", "C:green:Cy <cy@example.org>")
    with PostHouse(tmp_path / "club", publish__folder="www", publish__press=True) as house:
        begun_games(house, dict.fromkeys(BOARDS, seats))
        house.write(ANN, "ORDERS RR1 1\nEND\nPRESS: Late again?", subject="RR1")
        house.later(days=30)
        told = pages(house)
    assert [name for name in ("RR1", "RR2") if f'src="{name}/{name}-turn-1.png"' in told["index.html"]] == [
        "RR1",
        "RR2",
    ]
    for name in ("RR1", "RR2"):
        assert len(re.findall('class="length"', told[f"{name}/index.html"])) == 3
        assert len(re.findall(r'<span class="fine(?: up| down|)">[+−]?\d', told[f"{name}/index.html"])) == 3
        assert 'href="film.html"' in told[f"{name}/index.html"]
        headline = re.search("<h1>(.*?)</h1>", told[f"{name}/turn-1.html"], re.DOTALL)[1]  # type: ignore[index]
        assert f"<h1>{headline}</h1>" in told[f"{name}/index.html"]
        assert f'turn-1.html">{headline}</a>' in told[f"{name}/index.html"]
        assert headline in told["index.html"]
    far = re.findall(r'<p class="fine">(RR\d · .*?)</p>', told["index.html"])
    assert [each.split(" · ")[2] for each in far] == ["round 1 of 12", "round 1 of 5, auction"]
    assert "Late again?" in told["RR1/index.html"]


def test_the_command_writes_the_pages_anywhere(house: PostHouse, tmp_path: Path) -> None:
    played(house, 1)
    done = house.command("publish", str(tmp_path / "web"))
    assert done.returncode == 0, done.stderr
    assert "+ RR1/turn-1.html" in done.stdout
    assert house.command("publish", str(tmp_path / "web")).stdout == "0 files were written, 0 removed\n"
    assert (tmp_path / "web/index.html").stat().st_mode & os.R_OK
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    refused = house.command("publish", str(tmp_path / "full"))
    assert (refused.returncode, "holds no pages of ours" in refused.stderr) == (78, True)


@pytest.mark.parametrize("house", [{"publish__folder": ""}], indirect=True)
def test_without_a_folder_the_command_asks_for_one(house: PostHouse) -> None:
    done = house.command("publish")
    assert (done.returncode, "name a folder for the pages" in done.stderr) == (78, True)
    assert not (house.folder / "www").exists()


def test_the_film_is_one_file_that_fetches_nothing_and_shows_the_last_turn_without_its_script(house: PostHouse) -> None:
    played(house, 1)
    played(house, 2)
    film = pages(house)["RR1/film.html"]
    assert [link for link in Tags(film).links if link != "index.html"] == []
    assert not re.search(r"@import|url\(|fetch\(|import\(|XMLHttpRequest|<script src", film)
    told = json.loads(re.search(r'id="told">(.*?)</script>', film)[1])  # type: ignore[index]
    assert [each["turn"] for each in told["frames"]] == [0, 1, 2]
    assert '[data-to]:not([data-to="2"])' in film
    assert "<noscript>" in film


@pytest.mark.parametrize("house", [{"club__language": "fr"}], indirect=True)
def test_the_film_has_the_colon_of_its_language(house: PostHouse) -> None:
    played(house, 1)
    film = pages(house)["RR1/film.html"]
    assert json.loads(re.search(r'id="words">(.*?)</script>', film)[1])["told"] == "{what}\u00a0: {told}"  # type: ignore[index]
    assert "}: ${" not in film


def test_a_keepsake_is_made_for_each_player_when_the_game_is_over(house: PostHouse) -> None:
    for turn in range(1, 20):
        if house.row().status != "running":
            break
        assert not [*(house.folder / "www/RR1").glob("keepsake-*"), *(house.folder / "www/RR1").glob("*.pdf")]
        played(house, turn)
    told = pages(house)
    assert {"RR1/keepsake-ANN.html", "RR1/keepsake-BOB.html"} <= told.keys()
    assert 'href="keepsake-ANN.html"' in told["RR1/index.html"]
    assert (house.folder / "www/RR1/keepsake.png").read_bytes().startswith(b"\x89PNG")
    assert 'href="keepsake.png"' in told["RR1/index.html"]
    assert '"keeper":"ANN"' in told["RR1/keepsake-ANN.html"]
    printed = house.folder / "www/RR1/whole.pdf"
    assert printed.is_file() == has_pdf() == ('href="whole.pdf"' in told["RR1/index.html"])
    if has_pdf():
        assert printed.read_bytes().startswith(b"%PDF")
    assert "Won by" in told["index.html"]
    assert "RR1" in told["records.html"]


@pytest.mark.parametrize("house", [{"club__language": "nl"}], indirect=True)
def test_rules_name_the_words_of_orders_in_the_clubs_language(house: PostHouse) -> None:
    cyd = parse_player("CYD:green:Cyd Black <cyd@example.org>")
    new_game(house.club, Proposal(kind="dampfross", board="ireland", players=(*PLAYERS, cyd)))
    house.tick()
    assert "met je eerste opdrachten: <code>STARTSTATION</code> en een stad" in pages(house)["rules/dampfross.html"]


def test_options_stand_out_in_the_rules(club: Clubs) -> None:
    """*is said by homes: with map the map does* would be no sentence."""
    house = club(publish__folder="www")
    begun_games(
        house,
        dict.fromkeys(BOARDS, (f"A:red:Ann <{ANN}>", f"B:blue:Bob <{BOB}>", "C:green:Cy <cy@example.org>")),
    )
    publish(house.club, house.folder / "www")
    assert "is said by <code>homes</code>: with <code>map</code> the map does" in pages(house)["rules/dampfross.html"]
