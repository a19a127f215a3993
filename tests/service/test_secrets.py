"""What nobody else may learn: secret hands, orders on file, names in anonymous games, codes."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from referee.core import CHAIN_END, next_seed, seed_of_turn
from referee.service.audit.export import parse_revealed
from referee.service.audit.verify import verify, verify_game
from referee.service.post.observers import watch_code
from referee.service.site.publish import publish
from referee.service.turns.gamefile import Proposal, format_proposal, parse_player, parse_proposal, read_proposal
from referee.service.turns.newgames import new_game
from referee.service.turns.newsletters import faces_of_turn
from referee.service.turns.opengames import signup_list
from referee.store import orders
from tests.posthouse import ANN, BOARDS, BOB, UMPIRE, Clubs, PostHouse, text_of, verdict_on
from tests.secrecy import codes_in_text

# Games in which players have secrets: what tells of hands leaves the club's folder only when the game is over.


ROOT = "root of the chain"


@pytest.fixture
def secret(tmp_path: Path) -> PostHouse:
    """Two players of Volldampf, the opening written."""
    house = PostHouse(tmp_path / "club")
    players = (
        parse_player(f"ANN:blue:Ann <{ANN}>"),
        parse_player(f"BOB:red:Bob <{BOB}>"),
    )
    proposal = Proposal(kind="volldampf", board="deutschland-1925", players=players, rhythm={"days": 7})
    new_game(house.club, proposal, root=ROOT)
    house.tick()
    return house


def play(house: PostHouse, turns: int) -> None:
    for turn in range(turns):
        house.later(days=7, hours=0 if turn else 9)


def seeds(turns: int) -> list[str]:
    return [seed_of_turn(ROOT, turn) for turn in range(turns + 1)]


def exported(house: PostHouse) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(house.export())
    return told


def test_no_letter_of_a_running_game_tells_a_seed(secret: PostHouse) -> None:
    play(secret, 5)
    letters = "".join(message.as_string() for message in secret.post())
    assert seed_of_turn(ROOT, CHAIN_END) in letters
    assert [seed for seed in seeds(17) if seed in letters] == []


def test_an_export_of_a_running_game_tells_what_was_agreed_and_the_newest_hash(secret: PostHouse) -> None:
    play(secret, 3)
    told = exported(secret)
    assert told["turns"] == []
    assert told["end"] == seed_of_turn(ROOT, CHAIN_END)
    newest = secret.rows("SELECT turn, hash FROM turns ORDER BY turn DESC LIMIT 1")[0]
    assert told["last"] == {"turn": 3, "hash": newest["hash"]} == dict(newest)
    assert all(newest["hash"] in secret.text(reader) for reader in (ANN, BOB))
    found = verdict_on(told)
    assert found.sealed
    assert found.faults == ()


def test_the_club_itself_verifies_a_running_game(secret: PostHouse) -> None:
    play(secret, 3)
    found = verify_game(secret.club, "RR1")
    assert not found.sealed
    assert [turn for turn, _ in found.played] == [0, 1, 2, 3]
    assert found.faults == ()
    said = secret.command("verify", "RR1").stdout
    assert "All is in order." in said


def test_the_last_newsletter_reveals_all_seeds_and_the_export_all_turns(secret: PostHouse) -> None:
    play(secret, 18)
    last = secret.text(BOB)
    assert seeds(18)[-1] in last
    seed = seeds(18)[-1]
    for turn in reversed(range(18)):
        seed = next_seed(seed)
        assert seed == seeds(18)[turn]
    file = secret.folder / "game.json"
    file.write_text(json.dumps(exported(secret)), "utf-8")
    found = verify(parse_revealed(file.read_bytes()))
    assert (len(found.played), found.over, found.faults) == (19, True, ())
    told = exported(secret)
    drawn = next(turn for turn in told["turns"] if any(event["kind"] == "CubeDrawn" for event in turn["events"]))
    cube = next(event for event in drawn["events"] if event["kind"] == "CubeDrawn")
    cube["colour"] = "red" if cube["colour"] != "red" else "blue"
    assert next(fault.turn for fault in verdict_on(told).faults) == drawn["turn"]


def test_verify_says_that_a_file_of_a_running_game_shows_nothing_yet(secret: PostHouse) -> None:
    play(secret, 1)
    file = secret.folder / "game.json"
    assert secret.command("game", "export", "RR1", "-o", str(file)).returncode == 0
    said = secret.command("verify", str(file))
    assert said.returncode == 0
    assert "no turn is revealed before it is over" in said.stdout
    assert "Hash of turn 1:" in said.stdout


def test_an_export_of_a_brought_game_names_no_hands_before_it_is_over(tmp_path: Path) -> None:
    house = PostHouse(tmp_path / "club")
    players = (
        parse_player(f"ANN:blue:Ann <{ANN}>"),
        parse_player(f"BOB:red:Bob <{BOB}>"),
    )
    position = json.dumps({"round": 6, "stage": "build", "actions": {"BOB": ["Alles neu"]}})
    proposal = Proposal(
        kind="volldampf", board="deutschland-1925", players=players, rhythm={"days": 7}, position=position
    )
    new_game(house.club, proposal, root=ROOT)
    house.tick()
    assert "Alles neu" not in json.dumps(exported(house), ensure_ascii=False)
    assert exported(house)["setup"]["position"] == ""
    play(house, 2)
    assert house.value("SELECT status FROM games") != "running"
    assert "Alles neu" in exported(house)["setup"]["position"]
    assert verdict_on(exported(house)).faults == ()


def test_status_tells_what_the_round_has_decided_and_nothing_of_anothers_orders(secret: PostHouse) -> None:
    """Turn order and accounts after the opening letters; the other's orders for builds, which are on file, are not told."""
    play(secret, 1)
    secret.send(BOB, "BUILD 1: DISCARD\nBUILD 2: DISCARD\nBUILD 3: DISCARD")
    told = secret.says(ANN, "STATUS")
    assert "Round 1 of 6; orders are awaited for: builds." in told
    assert "Turn order: " in told
    assert "Track cards of ANN: " in told
    assert "DISCARD" not in told


# What a player has on file leaves no trace in anything that others are sent: two clubs, alike but for orders of one player that


EVE = "eve@example.org"  # watches
PLAYERS = (
    parse_player(f"ANN:red:Ann <{ANN}>"),
    parse_player(f"BOB:blue:Bob <{BOB}>"),
    parse_player("CID:green:Cid <cid@example.org>"),
)
GAMES = [
    ("dampfross", "ireland", "HOME Belfast\n{round}a) (Belfast) - AD9\nRUN 1: FASTEST"),
    (
        "volldampf",
        "deutschland-1925",
        "BONDS 3\nLIMIT 7\nRANK 2, 1, 3\nBUILD Hamburg-Bremen\nTRIP 1: red Essen - Brüssel",
    ),
]
MORE = 5  # turns


def twins(stack: ExitStack, folder: Path, kind: str, board: str) -> Iterator[PostHouse]:
    """Yield two clubs with the same game, as one copy of a folder is like the other."""
    with PostHouse(folder / "one") as house:
        house.new(kind, board, *PLAYERS, rhythm={"days": 7}, root="root")
        house.tick()
        house.write(ANN, "ATTACH svg json ics pdf")
        house.write("cid@example.org", "FORMAT TEXT\nATTACH png svg json")
        house.send(EVE, f"WATCH {house.command('game', 'watch', 'RR1').stdout.split()[1]}")
        house.reply(EVE, "CONFIRM")
        at, dropped = house.clock.now, house._dropped
    shutil.copytree(folder / "one", folder / "two")
    for name in ("one", "two"):
        made = stack.enter_context(PostHouse(folder / name))
        made.clock.now, made._dropped = at, dropped
        yield made


def told(house: PostHouse) -> dict[str, bytes]:
    """Return what was sent to anybody but Bob, by its Message-ID."""
    return {row.message_id: row.raw for row in house.ours() if row.recipient != BOB}


@pytest.mark.parametrize("turns", [2, pytest.param(MORE, marks=pytest.mark.testlong)])
@pytest.mark.parametrize(("kind", "board", "orders"), GAMES, ids=[game[0] for game in GAMES])
def test_orders_that_were_taken_back_leave_no_trace(
    tmp_path: Path, kind: str, board: str, orders: str, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But in a turn's hash, which covers all letters under names that nobody can guess."""
    monkeypatch.setattr("referee.service.turns.adjudicate.sealed_letters", lambda *_: {})
    with ExitStack() as stack:
        houses = tuple(twins(stack, tmp_path, kind, board))
        for turn in range(1, turns + 1):
            for house, said in zip(houses, ("PASS", orders.format(round=turn)), strict=True):
                house.send(BOB, f"ORDERS RR1 {turn}\n{said}\nEND")
                house.send(ANN, "STATUS\nMAP")
                house.send(BOB, f"ORDERS RR1 {turn}\nPASS\nEND")
                assert house.later(days=7, hours=9 if turn == 1 else 0).turns == (f"RR1/{turn}",)
        one, two = (told(house) for house in houses)
        letters_to_bob = [[row.raw for row in house.ours() if row.recipient == BOB] for house in houses]
        assert any(row.recipient == EVE for row in houses[0].ours())
        assert letters_to_bob[0] != letters_to_bob[1]
        assert len(one) > 4 * turns
        assert any(b"application/pdf" in raw for raw in one.values())
        assert any(b"text/calendar" in raw for raw in one.values())
        assert list(one) == list(two)
        assert [name for name in one if one[name] != two[name]] == []


# Anonymous games: until the end nothing that is sent names a player, but what goes to the umpire.


CECIL, WATCHER = "cecil@example.com", "eve@example.com"
NAMES = ("Annabel", "Bertram", "Cecilia")
NAMELESS = tuple(map(parse_player, (f"GSW:red:Annabel Stone <{ANN}>", f"MGW:blue:Bertram Flint <{BOB}>")))


@pytest.fixture
def anonymous(club: Clubs) -> PostHouse:
    made = club(identity__policy="token")
    told = Proposal(kind="tinyrace", board="line", players=NAMELESS, rhythm={"days": 7}, anonymous=True)
    assert new_game(made.club, told) == "RR1"
    made.tick()
    return made


def say(house: PostHouse, player: str, text: str) -> None:
    house.reply([each for each in house.post(player) if each["Reply-To"]][-1], text)


def named(house: PostHouse) -> list[str]:
    """Return which letters of ours name a player, but for those to the umpire."""
    ours = [each for each in house.post() if UMPIRE not in str(each["To"])]
    return [
        f"{each['To']}: {each['Subject']}"
        for each in ours
        for part in each.walk()
        if any(name in f"{each.items()}{part.get_content() if not part.is_multipart() else ''}" for name in NAMES)
    ]


def test_nothing_sent_over_a_whole_game_names_a_player_before_its_end(anonymous: PostHouse) -> None:
    anonymous.send(WATCHER, f"WATCH {watch_code(anonymous.club, 'RR1')}")
    anonymous.reply(anonymous.post(WATCHER)[0], "CONFIRM")
    say(
        anonymous,
        ANN,
        "STATUS\nMAP\nHELP\nRESEND\nORDERS?\nPRESS: All aboard!\nEND PRESS\nPRESS TO MGW: Shall we?\nEND PRESS",
    )
    say(anonymous, ANN, "STANDBY\nABSENT 2026-12-20 to 2026-12-21\nNO STANDBY\nADDRESS annabel@new.example")
    say(anonymous, BOB, "WHATIF\nSTEP 2\nEND\nRESIGN FOR GOOD")
    anonymous.act(f"REPLACE RR1 MGW Cecilia Wood <{CECIL}>", "Bertie has left.")
    anonymous.tick()
    while anonymous.row().status == "running":
        assert named(anonymous) == []
        assert not any(name in anonymous.export() for name in NAMES)
        for player in (ANN, CECIL):
            say(anonymous, player, "STEP 3")
    last = [anonymous.text(reader, "Who played") for reader in (ANN, CECIL, WATCHER)]
    assert ["GSW: Annabel Stone\nMGW: Cecilia Wood" in each for each in last] == [True] * 3
    assert not anonymous.faults()
    assert {row["name"] for row in anonymous.rows("SELECT name FROM players")} == {"Annabel Stone", "Cecilia Wood"}


def test_who_stands_by_is_on_the_list_by_their_own_name(anonymous: PostHouse) -> None:
    say(anonymous, ANN, "STANDBY")
    assert [each.name for each in orders.standbys(anonymous.club)] == ["Annabel Stone"]


def test_who_signs_up_for_an_anonymous_game_is_told_of_no_name(anonymous: PostHouse) -> None:
    row = anonymous.open(3, anonymous=True)
    word = signup_list(anonymous.club, row.id).word
    for sender, name in ((CECIL, "Cecilia Wood"), (WATCHER, "Bertram Flint")):
        anonymous.send(sender, word, subject="a seat", From=f"{name} <{sender}>")
        anonymous.reply(sender, "CONFIRM")
    told = anonymous.told(WATCHER)
    assert "Seats: 2 of 3 taken" in told
    assert "known by their companies alone" in told
    seats = anonymous.act(f"START {row.id}")["seats"]
    anonymous.tick()
    assert [each.code for each in seats] == ["CO1", "CO2"]
    opening = anonymous.text(WATCHER, "Who got which seat")
    assert "1. CO1: CO1, red, without a wish" in opening
    assert not any(name in opening for name in NAMES)


def test_a_file_says_that_a_game_is_anonymous(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text('game = "tinyrace"\nanonymous = true\n', "utf-8")
    assert read_proposal(file).anonymous
    for anonymous in (True, False):
        assert parse_proposal(format_proposal(Proposal(anonymous=anonymous))).anonymous is anonymous


@pytest.mark.testlong
def test_no_face_of_an_anonymous_game_names_a_player(tmp_path: Path) -> None:
    """Neither a letter with its page, pictures and files, nor the newsletter for print, nor the club's pages, desks and film."""
    with PostHouse(tmp_path / "club", publish__names="names") as house:
        players = (*NAMELESS, parse_player(f"BNC:green:Cecilia Wood <{CECIL}>"))
        house.new("dampfross", "ireland", *players, anonymous=True)
        house.tick()
        house.send(ANN, "FORMAT HTML\nATTACH SVG JSON ICS DESK")
        for player, town in ((ANN, "Belfast"), (BOB, "Dublin"), (CECIL, "Galway")):
            house.write(player, f"HOME {town} OR Dublin OR Belfast OR Cork\nPASS")
        assert house.later(days=15).turns == ("RR1/1",)
        assert named(house) == []
        house.send(ANN, "APPEAR AS Annabel Stone")
        files = {code: faces_of_turn(house.club, "RR1", 1, code) for code in ("GSW", "MGW", "BNC")}
        publish(house.club, tmp_path / "pages")
        pages = {path: path.read_bytes() for path in (tmp_path / "pages").rglob("*") if path.is_file()}
        faces = [(Path(code, name), raw) for code, each in files.items() for name, raw in each.items()]
        told = [*pages.items(), *faces]
        assert {".html", ".svg", ".json", ".png", ".txt", ".ics", ".xml"} <= {path.suffix for path, _ in told}
        assert [path for path, raw in told if any(each.encode() in raw for each in NAMES)] == []
        assert any("desk" in str(path) for path, _ in told)


@pytest.mark.parametrize(("kind", "board"), BOARDS.items())
def test_who_is_known_by_company_alone_is_named_once(anonymous: PostHouse, kind: str, board: str) -> None:
    players = (*NAMELESS, parse_player(f"BNC:green:Cecilia Brook <{CECIL}>"))
    anonymous.new(kind, board, *players, rhythm={"days": 7}, anonymous=True)
    anonymous.tick()
    opening = anonymous.text(CECIL)
    assert re.findall(r"^[A-Z]{3} \(.*", opening, re.MULTILINE) == ["GSW (red)", "MGW (blue)", "BNC (green)"]


# A code of the umpire's and one of a player's, planted wherever a person's words go: nothing that leaves holds either.


GUEST, DORA = "cecil@example.com", "dora@example.com"
SHAPES = ("[{tag}]", "<referee+{low}@club.example>", "mailto:referee%2B{low}%40club.example", "{low}")


@pytest.fixture
def prying(club: Clubs) -> PostHouse:
    made = club(identity__policy="token", publish__folder="www", players__unsigned_press=True)
    made.begin()
    return made


def given(house: PostHouse) -> list[str]:
    """Return a code of Ann's and one of the umpire's, which is open, as letters brought them."""
    house.send(UMPIRE, "LOG RR1", "a question")
    subjects = (str(house.last(who)["Subject"]) for who in (ANN, UMPIRE))
    return [found[1] for subject in subjects if (found := re.match(r"\[([A-Z0-9-]+)\]", subject))]


def planted(tags: list[str]) -> str:
    """Return words of a person's with these codes as programs write them."""
    return " and ".join(shape.format(tag=tag, low=tag.lower()) for tag in tags for shape in SHAPES)


def held_by(house: PostHouse, tags: list[str], more: str = "") -> list[str]:
    """Return where one of the tags stands that is not the reader's, or stands in words: letters, pages, exports, what is kept."""
    publish(house.club, house.folder / "www")
    files = {str(path): path.read_bytes() for path in (house.folder / "www").rglob("*") if path.is_file()}
    kept = (
        "SELECT text FROM press",
        "SELECT reason, parameters FROM acts",
        "SELECT text FROM log",
        "SELECT name, company FROM players",
    )
    files |= {sql: str([tuple(row) for row in house.rows(sql)]).encode() for sql in kept}
    files["export"] = (house.export() + more).encode()
    found = [name for name, content in files.items() for tag in tags if tag.encode() in content.upper()]
    found += [str(row.kind) for row in house.ours() if codes_in_text(row.raw)]
    others = [row for row in house.ours() if row.recipient not in (ANN, UMPIRE)]
    return found + [row.kind for row in others for tag in tags if tag.encode() in row.raw.upper()]


def test_words_of_persons_carry_no_code_out(prying: PostHouse) -> None:
    tags = given(prying)
    words = planted(tags)
    for command in (
        f"NOTE RR1\n{words}",
        f"HOLD RR1\n{words}",
        f"RESUME RR1 HERE\n{words}",
        f"ADJUST RR1 money.ANN+=1\n{words}",
    ):
        prying.wait(minutes=1)
        prying.send(UMPIRE, command, "a command")
        prying.reply(prying.last(UMPIRE, "Once more"), "CONFIRM")
    prying.act("NOTE RR1", f"typed on the machine: {words}")
    texts = (f"PRESS: {words}\nEND PRESS", f"PRESS TO BOB: {words}\nEND PRESS", f"PRESS ANONYMOUS: {words}\nEND PRESS")
    prying.answer(ANN, "\n".join(("STEP 1", *texts, f"NOTE: {words}", "END NOTE")))
    prying.answer(BOB, f"STEP 1\n\nI had this from Ann: {words}", Subject=f"Re: {prying.last(BOB)['Subject']}")
    prying.send("stranger@example.com", f"Dear umpire, {words}", subject=words)
    prying.later(days=8)
    log = prying.command("log", "RR1").stdout
    assert len(prying.rows("SELECT * FROM acts")) == 5
    assert "typed on the machine" in prying.text(BOB, "turn 1")
    assert held_by(prying, tags, log) == []


def test_names_carry_no_code_out(prying: PostHouse) -> None:
    tags = given(prying)
    joining = signup_list(prying.club, prying.open(2).id).word
    for person, words in (
        (GUEST, f"RAILWAY GSW = {tags[1].lower()} Line"),
        (DORA, f"NAME Dora {tags[1]}"),
    ):
        prying.send(person, f"{joining}\n{words}", subject="a game", From=f"Me {tags[0]} <{person}>")
        prying.reply(person, "CONFIRM")
    prying.act("START RR2")
    prying.tick()
    assert "GSW" in prying.column("SELECT code FROM players WHERE game = 'RR2'")
    assert held_by(prying, tags) == []


DISGUISES = ("_", " - ", ".", " ", "", "\n", "%2d", "&#45;", " / ", "‐", "*")


@pytest.mark.parametrize("joint", DISGUISES)
def test_a_code_in_disguise_leaves_without_itself(prying: PostHouse, joint: str) -> None:
    """Letters and digits of a code are compared alone; a code that nobody was given is words."""
    game, player, token = given(prying)[0].split("-")
    spelt = [joint.join(parts) for parts in ((game, player, token), (*game, *player.lower(), *token.lower()))]
    prose = f"RR1: ANN plays faster, RR1 - ANN - {token[::-1]}"
    prying.reply(ANN, f"STEP 1\nPRESS: Look: {spelt[0]}, and {spelt[1]}! {prose}\nEND PRESS")
    prying.write(ANN, "CONFIRM", subject=f"Re: {prying.last(ANN)['Subject']}")
    prying.later(days=8)
    publish(prying.club, prying.folder / "www")
    told = prying.text(BOB, "turn 1")
    assert prose[:22] in " ".join(told.replace("\n|", "").split())
    assert token[::-1] in told
    pages = [path.read_text("latin-1") for path in (prying.folder / "www").rglob("*") if path.is_file()]
    letters = [row.raw.decode("latin-1") for row in prying.ours() if row.recipient == BOB]
    plain = [
        re.sub(r"&(?:amp;)?#?\w+;|%2d|[\W_]", "", text, flags=re.IGNORECASE).upper()
        for text in (told, *pages, *letters)
    ]
    assert [text for text in plain if game + player + token in text] == []


@pytest.mark.parametrize("joint", DISGUISES[:6])
def test_the_letters_of_a_writers_own_code_alone_are_kept_from_the_words_of_a_letter_that_it_came_with(
    prying: PostHouse, joint: str
) -> None:
    token = given(prying)[0].split("-")[2]
    spelt = f"mine is {joint.join(token.lower())}, or {token[:4]}{joint}{token[4:]}"
    prying.reply(ANN, f"STEP 1\nPRESS: Look, {spelt}!\nEND PRESS\nNOTE: {spelt}")
    prying.later(days=8)
    letters = [text_of(each) for each in prying.post()]
    assert any("Look, mine is" in text for text in letters)
    assert [text for text in letters if token in re.sub(r"[\W_]", "", text).upper()] == []


def test_what_was_kept_with_a_code_leaves_without_it(prying: PostHouse) -> None:
    """The last door alone: as if a station before it had looked away."""
    tags = given(prying)
    kept = prying.club
    kept.execute("UPDATE players SET company = ? WHERE code = 'ANN'", [f"{tags[0]} {tags[1]} Line"])
    prying.reply(ANN, "STEP 1\nPRESS: old words\nEND PRESS")
    kept.execute("UPDATE press SET text = ?", [f"old words {planted(tags)}"])
    kept.conn.commit()
    prying.later(days=8)
    publish(prying.club, prying.folder / "www")
    assert "old words [RR1] and" in prying.text(BOB, "turn 1")
    pages = [path for path in (prying.folder / "www").rglob("*") if path.is_file()]
    assert [path for path in pages for tag in tags if tag.encode() in path.read_bytes().upper()] == []
