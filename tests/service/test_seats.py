"""Who has a seat: what players say of theirs, stand-bys, successors, and seats of built-in players."""

import json
from datetime import date
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.bots import FIRST, THIRD, dampfross
from referee.core import ConfigError, NotFound
from referee.service.commands.endings import parse_days
from referee.service.turns.gamefile import Proposal, parse_player
from referee.service.turns.newgames import new_game
from referee.store import games, orders
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of
from tests.tables import Tables

CASES = Tables(__file__)

# What players say of their seats by mail: that a turn shall wait, that they are away, that they leave.


@pytest.mark.parametrize(
    ("text", "days"),
    CASES.frozen("days_are_read_as_people_write_them"),
)
def test_days_are_read_as_people_write_them(text: str, days: tuple[tuple[int, int, int], tuple[int, int, int]]) -> None:
    assert parse_days(text) == (date(*days[0]), date(*days[1]))


# Stand-bys sign up by mail, and one of them takes the seat of a player who misses two deadlines in a row.


CECIL, DORA = "cecil@example.com", "dora@example.com"


@pytest.fixture
def standing(club: Clubs) -> PostHouse:
    made = club(identity__policy="token")
    made.begin(rhythm={"days": 7, "missing": "stand-by", "stop_from": 1})
    return made


def names(house: PostHouse) -> list[str]:
    return [each.name for each in orders.standbys(house.club)]


def miss(house: PostHouse) -> None:
    """Let the next deadline pass with Ann's orders alone."""
    house.reply([each for each in house.post(ANN) if each["Reply-To"]][-1], "STEP 2")
    due = house.row().deadline
    assert due
    house.later(seconds=int((due - house.clock.now).total_seconds()) + 700)


def test_a_stand_by_has_the_seat_of_who_misses_two_deadlines(standing: PostHouse) -> None:
    """As by post: the round is held over, and whoever misses the next deadline too has lost the company for good."""
    standing.act(f"STANDBY Ann again <{ANN}>")  # she plays in it already
    standing.act(f"STANDBY Cecil <{CECIL}>")
    standing.act(f"STANDBY Dora <{DORA}>")
    miss(standing)
    (told,) = standing.post(BOB, "Turn 1 is held over")
    assert "Who is missing at the next deadline too loses the seat" in text_of(told)
    miss(standing)
    assert [each.name for each in games.players(standing.club, "RR1")] == ["Ann", "Cecil"]
    assert names(standing) == ["Ann again", "Dora"]
    (briefing,) = standing.post(CECIL)
    assert "You play BOB from now on" in briefing["Subject"]
    row = standing.row()
    assert (row.turn, f"{row.deadline:%a %d %H:%M}") == (1, "Mon 28 20:00")
    assert "Deadline: Monday 28 December 2026, 20:00 UTC" in text_of(briefing)
    (told,) = standing.post(ANN, "is held over once more")
    assert "stand-bys have these seats from now on: BOB." in line_of(told)
    (told,) = standing.post(BOB, "BOB has a new player")
    assert "Your orders for turn 1 were missing at its deadline, and again" in line_of(told)
    assert "Deadline" not in text_of(told)
    (_, told) = standing.post(UMPIRE, "orders are missing")
    assert "Stand-bys have these seats now: BOB" in line_of(told)
    assert standing.reply(briefing, "STEP 3").turns == ("RR1/1",)
    assert standing.post(CECIL, "Turn 1") != []


def test_a_stand_by_who_is_silent_makes_room_for_the_next(standing: PostHouse) -> None:
    for person in (f"Cecil <{CECIL}>", f"Dora <{DORA}>"):
        standing.act(f"STANDBY {person}")
    for _ in range(3):
        miss(standing)
    assert [each.name for each in games.players(standing.club, "RR1")] == ["Ann", "Dora"]
    miss(standing)
    assert not standing.row().deadline  # nobody is left: the umpire decides
    assert standing.post(UMPIRE, "waits for these orders, or for you")


def test_who_cannot_stand_by_is_told_why(standing: PostHouse) -> None:
    for told, words in (
        ("Cecil", "write name and address"),
        ("C <c>", "no mail address"),
        ("C <referee@club.example>", "our own"),
    ):
        with pytest.raises(ConfigError, match=words):
            standing.act(f"STANDBY {told}")
    with pytest.raises(NotFound, match=f"nobody stands by at {CECIL} .there is nobody"):
        standing.act(f"STANDBY WITHDRAW {CECIL}")
    standing.act(f"STANDBY Cecil <{CECIL}>")
    standing.act(f"STANDBY WITHDRAW {CECIL.upper()}")
    assert names(standing) == []


def resign(house: PostHouse, player: str) -> None:
    house.reply([each for each in house.post(player) if each["Reply-To"]][-1], "RESIGN FOR GOOD")


def test_a_stand_by_has_the_seat_of_who_leaves_at_once(standing: PostHouse) -> None:
    standing.act(f"STANDBY Cecil <{CECIL}>")
    resign(standing, BOB)
    assert [each.name for each in games.players(standing.club, "RR1")] == ["Ann", "Cecil"]
    assert "You play BOB from now on" in standing.post(CECIL)[0]["Subject"]
    assert standing.post(ANN, "BOB has a new player")
    assert names(standing) == []


def test_a_seat_that_nobody_could_take_goes_to_the_next_who_stands_by(standing: PostHouse) -> None:
    resign(standing, BOB)
    assert [each.name for each in games.players(standing.club, "RR1")] == ["Ann", "Bob"]
    players = tuple(map(parse_player, (f"CEC:red:Cecil <{CECIL}>", f"DOR:blue:Dora <{DORA}>")))
    standing.new("tinyrace", "line", *players)
    standing.tick()
    standing.reply(CECIL, "STANDBY")
    assert [each.name for each in games.players(standing.club, "RR1")] == ["Ann", "Cecil"]
    standing.act(f"STANDBY Dora <{DORA}>")
    assert names(standing) == ["Dora"]


def test_a_game_with_another_policy_leaves_the_seat_to_the_umpire(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "other", identity__policy="token") as house:
        house.begin()
        house.act(f"STANDBY Cecil <{CECIL}>")
        resign(house, BOB)
        assert [each.name for each in games.players(house.club, "RR1")] == ["Ann", "Bob"]
        assert names(house) == ["Cecil"]


# A seat is given to another person: the newcomer has all that is needed, the predecessor can do nothing more with it, all are
# told.


HEIR = "cecil@example.com"


@pytest.fixture
def silent(club: Clubs) -> PostHouse:
    """Letters carry codes; one turn was played, and Bob is silent."""
    made = club(identity__policy="token")
    made.begin()
    made.answer(ANN, "STEP 2")
    assert made.reply(BOB, "STEP 1").turns == ("RR1/1",)
    return made


def replaced(house: PostHouse) -> EmailMessage:
    """Give Bob's seat to Cecil and return the briefing."""
    house.act(f"REPLACE rr1 bob Cecil <{HEIR}>", "Bob has no time.\nThanks, Bob!")
    house.tick()
    (briefing,) = house.post(HEIR)
    return briefing


def test_a_newcomer_is_told_all_that_is_needed(silent: PostHouse) -> None:
    briefing = replaced(silent)
    assert "You play BOB from now on" in briefing["Subject"]
    text = text_of(briefing)
    assert "Welcome, Cecil. You play BOB from now on, in the place of Bob." in text
    assert "| Bob has no time.\n| Thanks, Bob!" in text
    assert "Turn 2 is awaited, and your orders for it." in text
    assert "Deadline: Monday 14 December 2026, 20:00 UTC" in text
    last = silent.text(BOB, "Turn 1")
    assert last.strip("\n").splitlines()[-1] in text
    names = [str(part.get_filename()) for part in briefing.iter_attachments()]
    assert {"RR1-turn-1.svg", "RR1-turn-1.json", "RR1-turn-1.txt", "RR1-turn-0.txt", "RR1-rules.txt"} <= set(names)


def test_boards_and_tables_name_the_newcomer(club: Clubs) -> None:
    house = club()
    players = tuple(
        parse_player(f"{code}:{colour}:{code.title()} <{code.lower()}@example.org>")
        for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
    )
    house.new("dampfross", "ireland", *players, rhythm={"days": 7}, root="root")
    house.act(f"REPLACE RR1 MGW Cecil <{HEIR}>", "x")
    assert house.later(days=7, hours=9).turns == ("RR1/1",)
    (newsletter,) = house.post(HEIR, "(MGW)") or house.post(HEIR, "round 1 of")
    assert "Cecil" in text_of(newsletter)
    assert "Mgw" not in text_of(newsletter)
    assert not any(house.differences())


# Seats that the umpire lets a built-in player play.


WHY = "Bob has no time, and nobody stands by."


PLAYERS = (
    parse_player(f"GSW:red:Ann <{ANN}>"),
    parse_player(f"MGW:blue:Bob <{BOB}>"),
    parse_player(f"BNC:green:Dora <{DORA}>"),
)


def test_it_orders_by_itself_is_labelled_and_makes_room_for_a_person(club: Clubs) -> None:
    house = club(players__format="text", players__attach="none")
    proposal = Proposal(kind="dampfross", board="ireland", players=PLAYERS, rhythm={"days": 7})
    new_game(house.club, proposal, root="root of the chain")
    house.tick()
    house.act("REPLACE RR1 mgw BUILT-IN", WHY)
    house.tick()
    assert [(act.kind, act.actor) for act in house.acts()] == [
        ("replace", "umpire"),
        ("orders", "built-in player"),
    ]
    assert "Built-in player plays MGW from now on, in the place of Bob." in house.told(ANN)
    house.tick()  # its orders are on file: no more are written
    for player in (ANN, DORA):
        house.write(player, "HOME Dublin OR Belfast")
    assert len(house.later(hours=1).turns) == 1
    assert "Built-in player" in house.told(ANN, "round 1")
    assert "No orders were received" not in house.told(ANN, "round 1")
    house.tick()
    assert [act.turn for act in house.acts() if act.kind == "orders"] == [1, 2]
    assert house.post("built-in.invalid") == []
    assert {row["state"] for row in house.rows("SELECT state FROM outbox")} == {"sent"}
    house.act(f"REPLACE RR1 MGW Cecil <{CECIL}>", "Cecil has time.")
    assert len(house.later(days=8).turns) == 1
    house.tick()
    assert [act.turn for act in house.acts() if act.kind == "orders"] == [1, 2]
    assert house.faults() == ()


def test_it_plays_as_well_as_was_asked_for(club: Clubs) -> None:
    """Two seats on the same position, of different strengths: each writes what one of its strength writes."""
    house = club(players__format="text", players__attach="none")
    house.new("dampfross", "ireland", *PLAYERS, root="root of the chain")
    house.tick()
    strengths = {"MGW": FIRST, "BNC": THIRD}
    for code, strength in strengths.items():
        house.act(f"REPLACE RR1 {code} BUILT-IN STRENGTH {strength}", WHY)
    position = house.position()
    seen = json.loads(json.dumps(position.rules.view(position.state, None)))
    house.tick()
    for code, strength in strengths.items():
        (text,) = house.column("SELECT text FROM order_sets WHERE player = ?", code)
        assert text.splitlines() == [*dampfross.answer(seen, code, strength)]


def test_each_reader_knows_it_by_a_name_in_their_language(club: Clubs) -> None:
    house = club(players__format="text", players__attach="svg")
    players = (PLAYERS[0].but(language="de"), PLAYERS[1], PLAYERS[2].but(language="fr"))
    house.new("dampfross", "ireland", *players, root="root of the chain")
    house.tick()
    house.act("REPLACE RR1 mgw BUILT-IN", WHY)
    house.tick()
    told = {player: house.last(player) for player in (ANN, DORA)}
    for player in told:
        house.write(player, "HOME Dublin OR Belfast")
    assert len(house.later(hours=1).turns) == 1
    for player, name in ((ANN, "Eingebauter Spieler"), (DORA, "Joueur intégré")):
        news = house.last(player)
        said = (
            text_of(told[player]),
            text_of(news),
            *(each.get_content().decode() for each in news.iter_attachments()),
        )
        assert len(said) == 3
        for text in said:
            assert name in text
            assert "Built-in" not in text
    assert house.value("SELECT name FROM players WHERE code = 'MGW'") == "Built-in player"


def test_what_was_written_for_another_turn_does_not_keep_it_from_ordering(house: PostHouse) -> None:
    proposal = Proposal(kind="dampfross", board="ireland", players=PLAYERS, rhythm={"days": 7})
    new_game(house.club, proposal, root="root of the chain")
    for player in (ANN, BOB, DORA):
        house.write(player, "ORDERS RR1 1\nHOME Dublin OR Belfast\nEND")
    assert len(house.tick().turns) == 1
    house.send(BOB, "ORDERS RR1 1\n2a) (Dublin) - Dun Laoghaire\nEND")
    assert house.column("SELECT doubtful FROM order_sets WHERE turn = 2") == [1]
    house.act("REPLACE RR1 MGW BUILT-IN", WHY)
    house.tick()
    assert [act.turn for act in house.acts() if act.kind == "orders"] == [2]


def test_a_game_without_a_built_in_player_is_one_sentence(race: PostHouse) -> None:
    with pytest.raises(ConfigError, match="has no built-in player: name a person or a stand-by"):
        race.act("REPLACE RR1 BOB BUILT-IN", WHY)
    assert race.acts() == ()
