"""Games by mail: whole ones on every map, and situations that postal practice tells of."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from referee.config import read_config
from referee.core.game import ONE_BY_ONE, TOGETHER, Option
from referee.games.volldampf.board import ACTION_CARDS, SUBVENTION
from referee.mail.compose import read_own
from referee.service.audit.replay import replay
from referee.service.club import open_club
from referee.service.demo.players import Newsletter, read_newsletters
from referee.service.demo.show import DemoGame, play_demo
from referee.service.turns.gamefile import Invited, Proposal, parse_player
from referee.service.turns.newgames import new_game
from referee.service.umpire.filing import file_orders
from tests.posthouse import UMPIRE, Clubs, PostHouse, assert_in_order, line_of, text_of, verdict_on
from tests.service.test_transfer import BUILDING, brought

# Whole games by mail on every map, in every preset and both paces: a pairwise choice, some of them short games.


CODES = ("GSW", "MGW", "BNC", "DSE", "GNR", "CDR")
COLOURS = ("red", "blue", "green", "black", "orange", "purple")
IN_TURN = {"order_of_building": "in-turn"}

# (map, preset, pace, players, options on top)
GAMES: list[tuple[str, str, str, int, dict[str, Option]]] = [
    ("ireland", "laurin", ONE_BY_ONE, 2, {"races": 4, "building_ends": "cities-left:27"}),
    ("ireland", "schmidt", TOGETHER, 6, {"game_ends": "target:60", "building_ends": "cities-left:20"}),
    ("bavaria", "postal", TOGETHER, 2, {"building_ends": "rounds:4"}),
    ("bavaria", "schmidt", ONE_BY_ONE, 4, {"game_ends": "target:40", "building_ends": "cities-left:27"}),
    ("russia", "postal", ONE_BY_ONE, 3, {**IN_TURN, "building_ends": "rounds:2", "races": 6}),
    ("russia", "laurin", TOGETHER, 5, {"races": 6, "building_ends": "cities-left:18", "jumps": 2}),
    ("kentucky_tennessee", "laurin", TOGETHER, 4, {"races": 6, "prizes": "shared"}),
]


@pytest.mark.parametrize(
    ("board", "preset", "pace", "players", "options"),
    [*GAMES[:2], *(pytest.param(*row, marks=pytest.mark.testlong) for row in GAMES[2:])],
)
def test_a_whole_game_is_played_by_mail(
    board: str, preset: str, pace: str, players: int, options: dict[str, Option], tmp_path: Path
) -> None:
    """Every letter is taken, the final newsletter names the winners, and the tables add up."""
    pairs = players == 2 and preset != "laurin"
    seats = tuple(_seat(place, pairs) for place in range(players))
    proposal = Proposal(
        kind="dampfross", board=board, preset=preset, pace=pace, options=tuple(options.items()), players=seats
    )
    played = play_demo(
        tmp_path / "club", "dampfross", lambda rounds, of: None, f"{board} {preset}", proposal, slips=False
    )
    assert "The game is over." in played.final
    assert not any("DOES NOT ADD UP" in path.read_text("utf-8") for path in played.newsletters.glob("*.txt"))
    with sqlite3.connect(played.folder / "referee.db") as db:
        status = dict(db.execute("select status, count(*) from letters group by status"))
        faulty = db.execute("select count(*) from order_sets where clean = 0").fetchone()[0]
    db.close()
    assert status == {"done": played.letters}
    assert faulty == 0


def _seat(place: int, pairs: bool) -> Invited:
    seat = Invited(
        code=CODES[place],
        colour=COLOURS[place],
        name=CODES[place].title(),
        address=f"{CODES[place]}@example.org".lower(),
    )
    return seat.but(second_code=CODES[place + 2], second_colour=COLOURS[place + 2]) if pairs else seat


def test_the_choice_holds_every_map_with_every_preset_or_pace() -> None:
    assert {(row[0], row[2]) for row in GAMES} >= {(board, TOGETHER) for board in {row[0] for row in GAMES}}
    assert {(row[1], row[2]) for row in GAMES} == {
        (preset, pace) for preset in ("postal", "laurin", "schmidt") for pace in (TOGETHER, ONE_BY_ONE)
    }
    assert {row[3] for row in GAMES} == {2, 3, 4, 5, 6}


# Whole games of Volldampf by mail, with two to six players: every mail program writes, nobody reads what is another's.


BOARD = "deutschland-1925"
NAMES = ("Ann", "Bob", "Cid", "Dot", "Eva", "Fritz")
CUBES = ("blue", "red", "green", "yellow", "black", "orange")

# (preset, pace, players, options on top)
TABLES_OF: list[tuple[str, str, int, dict[str, Option]]] = [
    ("post", TOGETHER, 2, {}),
    ("referee", ONE_BY_ONE, 3, {"auction": "live"}),
    (
        "dutch",
        TOGETHER,
        6,
        {"auction": "live", "bond_order": "turn_order", "money_visible": False, "route_needed": True},
    ),
]


@pytest.mark.parametrize(
    ("preset", "pace", "players", "options"),
    [TABLES_OF[0], *(pytest.param(*row, marks=pytest.mark.testlong) for row in TABLES_OF[1:])],
)
def test_a_whole_game_of_volldampf_is_played_by_mail(
    preset: str, pace: str, players: int, options: dict[str, Option], tmp_path: Path
) -> None:
    """Every letter is taken, none holds an error, and the last newsletter names who has won; the same letters give the same game
    again, and none of ours tells what is another's.
    """
    proposal = Proposal(
        kind="volldampf",
        board=BOARD,
        preset=preset,
        pace=pace,
        options=tuple(options.items()),
        players=tuple(_chair(place) for place in range(players)),
    )
    played = play_demo(
        tmp_path / "club", "volldampf", lambda rounds, of: None, f"{preset} {players}", proposal, slips=False
    )
    assert re.search(
        r"\w (wins|share the victory|wins by its cash alone)\b.* The game is over\. ", " ".join(played.final.split())
    )
    assert played.rounds == {2: 6, 3: 5}.get(played.players, 4)
    with sqlite3.connect(played.folder / "referee.db") as db:
        status = dict(db.execute("select status, count(*) from letters group by status"))
        faulty = db.execute("select count(*) from order_sets where clean = 0").fetchone()[0]
    db.close()
    assert status == {"done": played.letters}
    assert faulty == 0
    with open_club(read_config(played.folder)) as club:
        compared = list(replay(club, played.game))
    assert [each.turn for each in compared] == list(range(played.turns + 1))
    assert not any(each.differs for each in compared)
    assert_no_newsletter_shows_what_is_anothers(played)
    assert_no_letter_tells_the_address_of_another(played)


def _chair(place: int) -> Invited:
    name = NAMES[place]
    return Invited(code=name.upper(), colour=CUBES[place], name=name, address=f"{name.lower()}@example.org")


def assert_no_newsletter_shows_what_is_anothers(played: DemoGame) -> None:
    """Each names cards of the reader's own hand, and those that were played; of others' waiting orders it says nothing."""
    hidden = kept = 0
    before: dict[str, Newsletter] = {}
    for turn in range(1, played.turns):
        letters = {_reader(letter): letter for letter in read_newsletters(_sent(played), played.game, turn)}
        assert len(letters) == played.players
        for code, letter in letters.items():
            text = " ".join(letter.text.split())
            known = {*_hand(letter, code), *_hand(before.get(code, letter), code), *_discarded(letter)}
            # What a turn brings may be another's before it ends.
            known |= {card for card in ACTION_CARDS if re.search(rf"plays {card}|drew {card}\b", text)}
            held = {card for other, owns in letters.items() if other != code for card in _hand(owns, other)}
            hidden += len(held - known)
            if letter.seen["stage"] == "subsidy":
                known.add(SUBVENTION)  # all are told what is asked of those in last place, whether or not they hold it
            assert not [card for card in ACTION_CARDS if card in text and card not in known], (turn, code)
            assert all(row["actions"] is None for row in letter.seen["players"] if row["code"] != code)
            for line in _kept_by_others(letters, code):
                kept += 1
                assert line not in text, (turn, code)
        before = letters
    assert hidden > 0
    assert kept > 0 or played.players != 3, "one by one, orders that come early wait"


def assert_no_letter_tells_the_address_of_another(played: DemoGame) -> None:
    letters = list(_letters(_sent(played)))
    addresses = {str(letter["To"]) for letter in letters}
    assert len(addresses) == played.players
    for letter in letters:
        own = str(letter["To"])
        words = str(letter.items()) + "".join(_words(letter))
        assert not [other for other in addresses if other != own and other in words]


def _reader(letter: Newsletter) -> str:
    return letter.recipient.partition("@")[0].upper()


def _hand(letter: Newsletter, code: str) -> tuple[str, ...]:
    return next(tuple(row["actions"]) for row in letter.seen["players"] if row["code"] == code)


def _discarded(letter: Newsletter) -> set[str]:
    discards: Mapping[str, Any] = letter.seen["action_discards"]
    return {card for card, count in discards.items() if count}


def _kept_by_others(letters: Mapping[str, Newsletter], code: str) -> Iterator[str]:
    """Give the lines that wait for others, unless one's own says the same."""
    for other, letter in letters.items():
        if other != code:
            yield from (line for line in letter.seen["kept"] if line not in letters[code].seen["kept"])


def _sent(played: DemoGame) -> Path:
    return played.folder / "mail" / "out"


def _letters(out: Path) -> Iterator[EmailMessage]:
    for path in sorted((out / "new").iterdir()):
        yield read_own(path.read_bytes())


def _words(letter: EmailMessage) -> Iterator[str]:
    for part in letter.walk():
        if part.get_content_maintype() == "text":
            yield str(part.get_content())
        elif part.get_content_type() in ("application/json", "image/svg+xml"):
            content = part.get_content()
            yield content.decode() if isinstance(content, bytes) else str(content)


# Two situations of postal practice, played by mail: last month's report is corrected, and the umpire rules against an earlier
# ruling.


COMPANIES = ("GSW", "MGW", "BNC")


def last(house: PostHouse, code: str) -> EmailMessage:
    return house.last(f"{code.lower()}@")


def write(house: PostHouse, code: str, text: str) -> None:
    house.answer(last(house, code), text)


@pytest.fixture
def corrected(club: Clubs) -> PostHouse:
    """A game by the month, of which round 4 was played: MGW's line was read wrong."""
    house = club(identity__policy="token", deadlines__days=30)
    brought(house, BUILDING)
    house.tick()
    house.wait(days=20)
    write(house, "GSW", "4a) (Dundalk) - Z13")
    write(house, "MGW", "4a) (Dublin) - AA18\n4b) (AA18) - Z17")
    write(house, "BNC", "PASS")
    assert house.later(hours=1).turns == ("RR1/4",)
    return house


def everybody_is_told_once(house: PostHouse) -> None:
    """No Message-ID is used twice, the log proves itself, and no letter was refused or lost."""
    ids = house.column("SELECT message_id FROM outbox")
    assert len(ids) == len(set(ids))
    assert_in_order(house)
    assert {row["status"] for row in house.rows("SELECT status FROM letters")} == {"done"}


def test_a_correction_of_last_month_s_report(corrected: PostHouse) -> None:
    """A month later MGW complains; meanwhile two have written for the next round. Nothing of it is lost."""
    house, wrong = corrected, {code: last(corrected, code) for code in COMPANIES}
    house.wait(days=25)
    write(house, "GSW", "5a) (Z13) - Y13")
    write(house, "MGW", "5a) (Z17) - Y17")
    house.tick()

    house.act("UNDO RR1 4", "MGW wrote AB17, and I read AA18: my mistake.")
    house.tick()
    for code in COMPANIES:
        letter = last(house, code)
        assert str(letter["Subject"]).endswith("] Turn 4 does not count")
        assert letter["In-Reply-To"] == wrong[code]["Message-ID"]
        assert "The game stands as the opening newsletter told it. The umpire writes: | MGW wrote AB17" in line_of(
            letter
        )

    file_orders(house.club, "RR1", "MGW", "4a) (Dublin) - AB17\n4b) (AB17) - AA17\n", "You wrote AB17.")
    house.tick()
    assert "The umpire has corrected your orders for turn 4. The umpire writes: | You wrote AB17." in line_of(
        last(house, "MGW")
    )
    seen = house.act("PREVIEW RR1 MGW")["seen"]
    assert (seen["real"], seen["doubtful"]) == (True, ())

    house.wait(hours=1)
    house.act("PLAY RR1 4")
    assert house.tick().turns == ("RR1/4",)
    for code in COMPANIES:
        letter = last(house, code)
        assert str(letter["Subject"]).endswith("] Corrected: Ireland: round 4 of 12")
        assert letter["Message-ID"] != wrong[code]["Message-ID"]
        assert letter["In-Reply-To"] == wrong[code]["Message-ID"]
        text = text_of(letter)
        head = text[: text.index("Builds")]
        assert "THIS IS A CORRECTION. It replaces the newsletter of turn 4 that was written on" in line_of(letter)
        assert "| MGW wrote AB17, and I read AA18: my mistake." in head
        assert "Units: GSW 34, not 31; MGW 14, not 17\n" in head
        assert "Track: MGW now also AA17-AB17, AB17-Dublin, no longer AA18-Dublin, Z17-AA18 " in line_of(letter)
        names = [part.get_filename() for part in letter.iter_attachments()]
        assert "RR1-turn-4-edition-2.json" in names
        page = letter.get_body(("html",))
        assert page is not None
        html = " ".join(str(page.get_content()).split())
        assert html.index("THIS IS A CORRECTION.") < html.index("Builds")
        assert "MGW wrote AB17, and I read AA18: my mistake." in html
    # Of what came for round 5 each is told how it reads now: GSW's stands, MGW's line has no beginning any more.
    assert "In the corrected position they read: - 5a) (Z13) - Y13 " in line_of(last(house, "GSW"))
    assert "line 1: Z17 is not on your network" in line_of(last(house, "MGW"))
    assert "stay on file" not in line_of(last(house, "BNC"))

    write(house, "MGW", "5a) (AA17) - Z17")
    write(house, "BNC", "PASS")
    assert house.later(hours=1).turns == ("RR1/5",)
    assert "Corrected" not in str(last(house, "MGW")["Subject"])
    assert house.last_turn().edition == 2
    everybody_is_told_once(house)


def test_an_umpire_s_ruling_against_an_earlier_one(corrected: PostHouse) -> None:
    """The umpire charges MGW by a ruling, is shown the paragraph a month later, and takes it back by another one."""
    house = corrected
    house.act("ADJUST RR1 money.MGW-=3 money.GSW+=3", "MGW owes GSW 3 for running beside it in round 4.")
    house.tick()
    for code in COMPANIES:
        letter = last(house, code)
        assert str(letter["Subject"]).endswith("] A ruling of the umpire (U1)")
        assert "Units: GSW 34, not 31; MGW 14, not 17" in line_of(letter)
    for code in COMPANIES:
        write(house, code, "PASS")
    assert house.later(hours=1).turns == ("RR1/5",)
    charged = line_of(last(house, "MGW"))
    assert "Rulings of the umpire" in charged
    assert "U1: | MGW owes GSW 3 for running beside it in round 4. Units: GSW 34, not 31; MGW 14, not 17" in charged

    house.wait(days=29)
    house.act(
        "ADJUST RR1 money.MGW+=3 money.GSW-=3",
        "I was wrong last month: cities are free (D3.4). The 3 go back to MGW, with my apologies.",
    )
    house.act("NOTE RR1", "My thanks to MGW for reading the rules better than I do.")
    house.tick()
    assert "Units: GSW 31, not 34; MGW 17, not 14" in line_of(last(house, "GSW"))
    for code in COMPANIES:
        write(house, code, "PASS")
    assert house.later(hours=1).turns == ("RR1/6",)
    reversed_ = line_of(last(house, "MGW"))
    assert "From the umpire --------------- My thanks to MGW" in reversed_
    assert "U2: | I was wrong last month: cities are free (D3.4)." in reversed_
    assert reversed_.index("Rulings of the umpire") < reversed_.index("Accounts")
    assert "Column check: fees sum to zero, every line adds up." in reversed_
    everybody_is_told_once(house)


def test_a_game_with_secrets_is_corrected_without_telling_them(club: Clubs) -> None:
    """Volldampf: no seed, no hand and no order leaves the club by an undo, a ruling or an export before the game is over."""
    players = tuple(
        parse_player(f"{code}:{colour}:{code.title()} <{code.lower()}@example.org>")
        for code, colour in (("ANN", "red"), ("BOB", "blue"), ("CYD", "green"))
    )
    house = club()
    house.new("volldampf", "deutschland-1925", *players)
    for _ in range(2):
        assert len(house.later(days=20).turns) == 1
    turn = house.last_turn().turn
    house.act("ADJUST RR1 actions.ANN+=Sabotage", "ANN was dealt one card too few.")
    house.tick()
    assert "Action cards: ANN now also Sabotage" in house.told("ann@")
    told = house.told("bob@")
    assert "Action cards in hand: ANN 1, not 0" in told
    assert "Sabotage" not in told
    house.act("ADJUST RR1 track_pile.green-=1", "A card was torn.")
    house.tick()
    assert "Nothing on the board, on the accounts or in open hands." in house.told("bob@")
    house.act(f"UNDO RR1 {turn} PLAY", "I dealt wrong.")
    house.tick()
    seeds = house.column("SELECT seed FROM turns")
    for letter in house.post():
        assert not [seed for seed in seeds if seed in text_of(letter)]
    text = house.export()
    assert "Sabotage" not in text
    assert not [seed for seed in seeds if seed in text]
    assert verdict_on(text).faults == ()
    assert house.faults() == ()


# The four situations that postal practice tells of, played by mail in a game of Dampfross: a round held over, a stand-by taking


ANN, BOB, CYD, DORA = (f"{name}@example.org" for name in ("ann", "bob", "cyd", "dora"))
SEATS = {"GSW": ("red", "Ann", ANN), "MGW": ("blue", "Bob", BOB), "BNC": ("green", "Cyd", CYD)}
RHYTHM: dict[str, str | int | bool] = {
    "every": "2 weeks",
    "weekday": "Friday",
    "zone": "Europe/Dublin",
    "missing": "stand-by",
    "outlook": 24,
}


@pytest.fixture
def rounds(club: Clubs) -> PostHouse:
    """Monday 7 December; the first deadline is on Friday 25, and Bob writes nothing."""
    made = club(identity__policy="token")
    players = tuple(
        Invited(code=code, colour=colour, name=name, address=address, zone="Europe/Dublin")
        for code, (colour, name, address) in SEATS.items()
    )
    proposal = Proposal(kind="dampfross", board="ireland", players=players, rhythm=RHYTHM | {"reminders": "72, 24"})
    new_game(made.club, proposal, "root of the chain")
    made.act(f"STANDBY Dora <{DORA}>")
    made.tick()
    made.answer(ANN, "ORDERS RR1 1\nHOME Dublin\nPASS\nEND")
    made.reply(CYD, "ORDERS RR1 1\nHOME Belfast\nPASS\nEND")
    return made


def pass_days(house: PostHouse, days: int) -> None:
    """Let days pass with four passes each."""
    for _ in range(4 * days):
        house.later(hours=6)


def subjects(house: PostHouse, reader: str) -> list[str]:
    return [str(each["Subject"]).partition("] ")[2] for each in house.post(reader)]


def test_a_round_is_held_over(rounds: PostHouse) -> None:
    pass_days(rounds, 12)
    missing = "Turn 1: your orders are missing"
    assert subjects(rounds, BOB) == ["Ireland: the game opens", missing, missing, "Turn 1 is held over"]
    assert subjects(rounds, ANN)[1:] == ["Orders for turn 1 received", "Turn 1 is held over"]
    notice = rounds.told(ANN, "is held over")
    assert "Orders came from: GSW and BNC Missing: MGW" in notice
    assert "Yours are on file and stand." in notice
    assert "Deadline: Friday 1 January 2027, 20:00 (Europe/Dublin)" in notice
    assert "From you nothing has come." in rounds.told(BOB, "is held over")
    assert subjects(rounds, UMPIRE) == ["Turn 1 before its deadline: 1 missing", "Turn 1: orders are missing"]
    assert "the turn is held over for everybody, once" in rounds.told(UMPIRE, "before its deadline")
    assert rounds.reply(BOB, "ORDERS RR1 1\nHOME Dublin\nPASS\nEND").turns == ("RR1/1",)


def test_a_stand_by_takes_over(rounds: PostHouse) -> None:
    pass_days(rounds, 26)
    assert "a stand-by has your seat for good" in rounds.told(BOB, "your orders are missing")
    assert "That was your seat." in rounds.told(BOB, "MGW has a new player")
    assert "Dora plays MGW from now on, in the place of Bob." in rounds.told(CYD, "MGW has a new player")
    briefing = rounds.told(DORA, "You play MGW from now on")
    assert "Turn 1 is awaited, and your orders for it." in briefing
    assert "Deadline: Friday 15 January 2027, 20:00 UTC" in briefing
    assert rounds.reply(DORA, "ORDERS RR1 1\nHOME Dublin\n1a) (Dublin) - Y17\nEND").turns == ("RR1/1",)
    newsletter = rounds.told(ANN, "Round 1 of 12")
    assert "MGW (blue), Dora" in newsletter
    assert "Bob" not in newsletter
    assert rounds.faults() == ()


def all_order(house: PostHouse, turn: int, **lines: str) -> None:
    """Have all three answer their newest letters, with PASS who has no lines; the turn is played."""
    for address in (ANN, BOB, CYD):
        text = lines.get(address.partition("@")[0], "PASS")
        house.wait(minutes=1)
        house.answer(address, f"ORDERS RR1 {turn}\n{text}\nEND")
    assert house.tick().turns == (f"RR1/{turn}",)


def test_last_month_s_report_is_corrected(rounds: PostHouse) -> None:
    all_order(rounds, 1, ann="HOME Dublin\n1a) (Dublin) - Z17 - Z16", bob="HOME Dublin\nPASS", cyd="HOME Belfast\nPASS")
    all_order(rounds, 2, ann="2a) (Z16) - Y16")
    wrong = rounds.last(BOB)
    rounds.act("UNDO RR1 2", "Ann's letter said Z15. I read Y16: my mistake.")
    file_orders(rounds.club, "RR1", "GSW", "2a) (Z16) - Z15", "Your letter said Z15.")
    rounds.tick()
    assert "| Ann's letter said Z15. I read Y16: my mistake." in text_of(rounds.post(BOB, "Turn 2 does not count")[0])
    assert "- 2a) (Z16) - Z15" in rounds.told(ANN, "the umpire has corrected your orders")
    rounds.act("PLAY RR1 2")
    assert rounds.tick().turns == ("RR1/2",)
    right = rounds.last(BOB)
    assert str(right["Subject"]).endswith("] Corrected: Ireland: round 2 of 12")
    assert right["Message-ID"] != wrong["Message-ID"]
    assert str(right["In-Reply-To"]) == str(wrong["Message-ID"])
    assert "THIS IS A CORRECTION. It replaces the newsletter of turn 2" in text_of(right)
    assert "Track: GSW now also Z15-Z16, no longer Y16-Z16" in text_of(right)
    assert rounds.faults() == ()


def test_an_umpire_rules_against_an_earlier_ruling(rounds: PostHouse) -> None:
    all_order(rounds, 1, ann="HOME Dublin\n1a) (Dublin) - Z17 - Z16", bob="HOME Dublin\nPASS", cyd="HOME Belfast\nPASS")
    rounds.act("ADJUST RR1 money.GSW+=5", "The fee was not due: GSW gets it back.")
    rounds.act("ADJUST RR1 money.GSW-=5", "I ruled wrongly: it was due after all [D3.2].")
    rounds.tick()
    first, second = (line_of(each) for each in rounds.post(BOB, "A ruling of the umpire"))
    assert "| The fee was not due: GSW gets it back." in first
    assert "Units: GSW 25, not 20" in first
    assert "| I ruled wrongly: it was due after all [D3.2]." in second
    assert "Units: GSW 20, not 25" in second
    all_order(rounds, 2)
    newsletter = rounds.told(CYD, "round 2 of 12")
    assert newsletter.index("U1: | The fee was not due") < newsletter.index("U2: | I ruled wrongly")
    assert rounds.faults() == ()
