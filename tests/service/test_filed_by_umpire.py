"""What the umpire files, tries without writing anything, and has explained."""

import fcntl
import json
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import fields

from referee.core import ConfigError, NotFound
from referee.games import game_named
from referee.service.post.collect import collect
from referee.service.receive import handle_waiting
from referee.service.tally import PassRunning
from referee.service.umpire.filing import file_orders
from referee.service.umpire.overview import standing
from referee.store import games
from tests.posthouse import ANN, BOB, ROOT, UMPIRE, Clubs, PostHouse, verdict_on
from tests.service.test_transfer import BUILDING, RACING, brought

# Orders that the umpire files: corrected ones, and those of a letter that came too late.


WHY = "You wrote STEP 22: STEP 2 is meant."


def last_letter(house: PostHouse) -> int:
    return int(house.value("SELECT max(id) FROM letters"))


def test_an_export_tells_no_reason_before_the_orders_are_played(race: PostHouse) -> None:
    file_orders(race.club, "RR1", "ANN", "STEP 2", WHY)
    text = race.export()
    assert WHY not in text
    assert verdict_on(text).faults == ()
    altered = json.loads(text)
    altered["acts"][0]["withheld"] = "0" * 64
    assert verdict_on(altered).faults
    race.wait(hours=1)
    race.send(BOB, "STEP 1")
    text = race.export()
    assert WHY in text
    assert verdict_on(text).faults == ()


def test_who_takes_a_late_letter_is_told_that_nothing_proves_whose_it_is(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "tokens", identity__policy="token") as house:
        house.begin()
        opening = house.last(ANN)
        house.wait(days=7, hours=9)
        house.write(ANN, "STEP 3")
        handle_now(house)
        *lines, remark = house.act(f"ACCEPT {last_letter(house)}", "Your postman was ill.")["lines"]
        assert lines == ["STEP 3"]
        assert remark.startswith("Nothing proves that ANN wrote it (no code): ask the player")
        house.answer(opening, "STEP 2")
        handle_now(house)
        assert house.act(f"ACCEPT {last_letter(house)}", "Your postman was ill.")["lines"] == ("STEP 2",)


def handle_now(house: PostHouse) -> None:
    """Read what came, without the rest of a pass, which would play the turn."""
    collect(house.club)
    handle_waiting(house.club)


class Held:
    """The lock of a pass, held by somebody else."""

    def __init__(self, house: PostHouse) -> None:
        self.file = (house.folder / "tick.lock").open("w")

    def __enter__(self) -> None:
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        self.file.close()


def missed(house: PostHouse) -> int:
    """Play turn 1 without Ann, whose letter comes a day later; return its number."""
    house.game()
    house.send(BOB, "STEP 1")
    house.later(days=8)
    house.send(ANN, "ORDERS RR1 1\nSTEP 3\nEND")
    return last_letter(house)


def test_nothing_is_filed_while_a_pass_is_running(race: PostHouse) -> None:
    with Held(race), pytest.raises(PassRunning):
        file_orders(race.club, "RR1", "ANN", "STEP 2", WHY)
    with pytest.raises(ConfigError, match="say why: --because"):
        file_orders(race.club, "RR1", "ANN", "STEP 2", " ")


def test_the_commands_file_orders_and_accept_letters(house: PostHouse, tmp_path: Path) -> None:
    number = missed(house)
    file = tmp_path / "orders.txt"
    file.write_text("STEP 2\n", "utf-8")
    told = house.command("orders", "RR1", "ANN", str(file), "--because", WHY)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout == "RR1: on file for ANN from now on, who is told:\nSTEP 2\n"
    file.write_bytes(b"\xff\xfe")
    told = house.command("orders", "RR1", "ANN", str(file), "--because", WHY)
    assert told.returncode == 78
    assert "this is no UTF-8 text" in told.stderr
    told = house.command("accept", str(number))
    assert (told.returncode, "`referee undo RR1 1` first" in told.stderr) == (78, True)
    assert house.command("undo", "RR1", "1", "--because", "x").returncode == 0
    assert house.command("accept", str(number)).stdout == "RR1: the letter of ANN counts. On file from it:\nSTEP 3\n"
    kinds = [each["kind"] for each in json.loads(house.command("log", "RR1", "--json").stdout)]
    assert kinds == ["orders", "undo", "accept"]


@pytest.fixture
def waiting(club: Clubs) -> PostHouse:
    """A game to which ANN has written without her code: her letter is held."""
    made = club(identity__policy="token", mail__digest="07:00")
    made.begin()
    made.send(ANN, "STEP 2")
    assert standing(made.club, "RR1").held == ("ANN",)
    return made


def test_a_parked_letter_is_released_to_the_next_pass_or_discarded(waiting: PostHouse) -> None:
    waiting.send(ANN, "x" * 2_100_000)
    number = last_letter(waiting)
    assert not waiting.act(f"RELEASE {number}")["lines"]
    waiting.tick()
    result = waiting.command("letter", str(number), "--discard")
    assert (result.returncode, result.stderr) == (0, "")
    assert waiting.command("letters", "--status", "parked").stdout == ""
    assert waiting.command("letter", str(number), "--discard", "--release").returncode == 2
    assert waiting.command("letter", "99", "--discard").returncode == 65


# The newsletter that would go out, and what is doubtful about it; nothing is written.


def everything(house: PostHouse) -> list[list[tuple[object, ...]]]:
    tables = ("games", "turns", "outbox", "order_sets", "acts", "letters", "typed_throws")
    return [house.tuples(f"SELECT * FROM {name}") for name in tables]  # noqa: S608


def test_it_is_the_newsletter_that_goes_out_and_nothing_is_written(race: PostHouse) -> None:
    race.send(ANN, "STEP 2")
    race.act("ADJUST RR1 money.BOB+=1", "BOB's start was mine to delay.")
    race.act("NOTE RR1", "A word from me.")
    race.wait(days=8)
    before = everything(race)
    seen = race.act("PREVIEW rr1 bob DICE")["seen"]
    assert everything(race) == before
    race.tick()
    assert seen["newsletter"].rstrip("\n") == race.text(BOB).rstrip("\n")
    assert "A word from me." in seen["newsletter"]
    assert "U1:" in seen["newsletter"]


def test_stand_in_dice_tell_no_seed(race: PostHouse) -> None:
    seen = race.act("PREVIEW RR1")["seen"]
    assert not seen["real"]
    race.later(days=8)
    assert race.last_turn().seed not in seen["newsletter"]
    race.act("UNDO RR1 1", "again")
    seen = race.act("PREVIEW RR1")["seen"]
    assert seen["real"]
    assert games.replaced(race.club, "RR1", 1).seed in seen["newsletter"]  # type: ignore[union-attr]
    assert seen["newsletter"].index("THIS IS A CORRECTION") < 200


def test_doubtful_points_come_with_the_command_that_helps(race: PostHouse) -> None:
    race.send(ANN, "STEP 9")
    race.wait(days=7, hours=9)
    race.write(BOB, "STEP 1")
    collect(race.club)
    handle_waiting(race.club)
    race.act("HOLD RR1", "I must look at this")
    told = "\n".join(race.act("PREVIEW RR1")["seen"]["doubtful"])
    assert "RR1 is stopped: no turn is played before `referee resume RR1`" in told
    assert "ANN: faulty: line 1: " in told
    assert "`referee orders RR1 ANN FILE --because ...`" in told
    assert "BOB: nothing is on file" in told
    assert "BOB: letter 2 came too late; `referee accept 2` takes it after all" in told


def test_what_is_to_be_typed_is_said_in_the_clubs_language(club: Clubs) -> None:
    house = club(club__language="de")
    house.game(options=(("wind", "typed"),))
    assert "wind/1=ZAHL" in " ".join(house.act("PREVIEW RR1")["seen"]["doubtful"])


def test_a_ruling_that_fits_no_more_and_throws_that_lack_are_told(house: PostHouse) -> None:
    house.game(options=(("wind", "typed"),))
    seen = house.act("PREVIEW RR1")["seen"]
    assert seen["newsletter"] == ""
    assert any("`referee dice RR1 wind/1=NUMBER`" in point for point in seen["doubtful"])


def test_a_wrong_game_or_player_is_one_sentence(race: PostHouse) -> None:
    with pytest.raises(NotFound, match="there is no player CYD in RR1"):
        race.act("PREVIEW RR1 CYD")["seen"]
    with pytest.raises(NotFound):
        race.act("PREVIEW RR9")["seen"]
    while race.row().status == "running":
        race.wait(hours=1)
        race.write(ANN, "STEP 3")
        race.send(BOB, "STEP 3")
    with pytest.raises(ConfigError, match="RR1 is over: `referee newsletter RR1`"):
        race.act("PREVIEW RR1")["seen"]


def test_the_command_prints_points_first(race: PostHouse) -> None:
    told = " ".join(race.command("preview", "RR1").stdout.split())
    gives = "; `referee deadline RR1 TIME --because ...` gives more time"
    points = "".join(f"- {code}: nothing is on file{gives} " for code in ("ANN", "BOB"))
    assert told.startswith(f"{points}RR1, turn 1, as it would go out now, with stand-in dice: ")
    assert told.count('"ORDERS RR1 2"') == 1  # as its players read it


def test_who_passes_has_that_on_file_in_the_words_of_the_club(club: Clubs) -> None:
    house = club(club__language="de")
    house.game()
    house.send(ANN, "PASS")
    assert house.command("orders", "RR1", "ANN").stdout.endswith("\n  PASSE\n")
    assert house.act("ORDERS RR1 BOB", "Er rief an.\nORDERS RR1 1\nPASS\nEND")["lines"] == ("PASSE",)


def test_letters_of_no_status_and_no_game_are_not_looked_for(race: PostHouse) -> None:
    race.send(UMPIRE, "LETTERS FOO")
    assert "there is no game FOO (there is RR1)" in race.told(UMPIRE)
    race.send(UMPIRE, "LETTERS DONE")
    assert "There are no such letters." in race.told(UMPIRE)


def test_by_mail_the_points_name_commands_as_letters_have_them(race: PostHouse) -> None:
    race.send(UMPIRE, "PREVIEW RR1")
    told = race.told(UMPIRE)
    assert "ANN: nothing is on file; DEADLINE RR1 TIME gives more time" in told
    assert "`referee" not in told


# Why something happened: each event of a turn with the paragraph behind it, and its words.


def letter(house: PostHouse, code: str, text: str) -> None:
    house.write(f"{code.lower()}@example.org", text)


def built(house: PostHouse) -> None:
    """A building round in which MGW joins and follows GSW's line, and is stopped."""
    brought(house, BUILDING)
    house.tick()
    house.wait(hours=1)
    letter(house, "GSW", "ORDERS RR1 4\n4a) (Dundalk) - Z13\nEND")
    letter(house, "MGW", "ORDERS RR1 4\n4a) (Dublin) - AA18 - Z17\n4b) (Dublin) - Drogheda\nEND")
    house.later(days=15)


def test_every_charge_and_refusal_names_its_paragraph(house: PostHouse) -> None:
    built(house)
    told = house.act("EXPLAIN rr1 4")["explained"]
    said = {(reason["text"], reason["paragraph"]) for reason in told["reasons"]}
    assert ("BNC: no orders were received", "") in said
    assert ("MGW lays Dublin - AA18 for 3; 0 of the roll are left", "D2.3") in said
    assert any(text.startswith("MGW pays GSW 1 for ") and number == "D3.2" for text, number in said)
    assert any(text.startswith("MGW pays GSW 2 for ") and number == "D3.3" for text, number in said)
    assert ("MGW goes no further than AA18 with piece 1: AA18 - Z17 costs 1, and 0 are left", "D4.3") in said
    book = game_named("dampfross").rulebook("en")
    assert book
    assert told["paragraphs"]["D3.2"].title == book.find("D3.2")[0].title
    assert 'With "connection_fee = once" it is due once' in " ".join(told["paragraphs"]["D3.2"].blocks)
    assert {"D2.3", "D3.2", "D3.3", "D4.3", "D4.4", "D2.1"} <= set(told["paragraphs"])
    assert [reason["text"].split(":")[0] for reason in told["throws"]] == ["rolls/5/1", "rolls/5/2", "rolls/5/3"]


def test_what_is_paid_for_is_said_in_the_clubs_language(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", club__language="de") as house:
        built(house)
        texts = [reason["text"] for reason in house.act("EXPLAIN RR1 4")["explained"]["reasons"]]
    assert "MGW zahlt GSW 1 für Dublin - AB17 (Anschluss)" in texts
    assert "MGW zahlt GSW 2 für Dublin - AB17 (Parallelstrecke)" in texts


def test_a_company_is_told_what_it_did_and_what_was_done_to_it(house: PostHouse) -> None:
    built(house)
    texts = [reason["text"] for reason in house.act("EXPLAIN RR1 4 gsw")["explained"]["reasons"]]
    assert any(text.startswith("GSW lays ") for text in texts)
    assert any(text.startswith("MGW pays GSW ") for text in texts)
    assert not any("BNC" in text or text.startswith("MGW lays") for text in texts)


def test_places_prizes_and_rulings_are_explained(house: PostHouse) -> None:
    brought(house, RACING)
    house.tick()
    house.act("ADJUST RR1 money.BNC-=1", "BNC's last build was dearer.")
    letter(house, "GSW", "ORDERS RR1 12\nRUN 36: Dublin - Drogheda\nEND")
    house.later(days=15)
    said = [(reason["text"], reason["paragraph"]) for reason in house.act("EXPLAIN RR1 12")["explained"]["reasons"]]
    assert said[0] == ("the umpire rules: BNC's last build was dearer.", "U1")
    assert ("GSW is number 1 in race 36", "D6.8") in said
    assert ("GSW gets 20 for place 1 in race 36", "D6.8") in said
    assert ("the game is over; won by GSW", "D9") in said


def test_a_turn_or_company_that_is_not_there_is_one_sentence(race: PostHouse) -> None:
    with pytest.raises(NotFound, match=r"turn 3 of RR1 was not played \(the last is turn 0\)"):
        race.act("EXPLAIN RR1 3")["explained"]
    with pytest.raises(NotFound, match=r"there is no company CYD in RR1 \(there is ANN, BOB\)"):
        race.act("EXPLAIN RR1 0 CYD")["explained"]


def test_the_command_prints_the_words_of_a_paragraph_once(house: PostHouse) -> None:
    built(house)
    text = house.command("explain", "RR1", "4").stdout
    assert text.startswith("RR1, turn 4\n\n")
    assert text.count("\nD3.3 Building beside a rival\n") == 1
    assert text.count("[D3.3]") == 2
    assert "as parallel_fee says" in " ".join(text.split())  # as letters quote the rules
    assert "`" not in text
    assert "rolls/5/1: " in text[text.index("Throws:") :]
    plain = json.loads(house.command("explain", "RR1", "4", "MGW", "--json").stdout)
    assert plain["paragraphs"]["D3.2"]["title"] == "Joining a rival's line"
    assert house.command("explain", "RR1", "9").returncode == 65
    assert house.command("explain", "RR1", "0").stdout.startswith("RR1, turn 0\n")


def test_a_game_without_words_of_its_own_is_told_by_its_kinds(race: PostHouse) -> None:
    race.write(ANN, "STEP 1")
    race.send(BOB, "STEP 1")
    told = race.act("EXPLAIN RR1 1 ANN")["explained"]
    assert [(reason["text"], reason["paragraph"]) for reason in told["reasons"]] == [("Step", "T1")]


@pytest.mark.parametrize("name", ["dampfross", "volldampf"])
def test_every_kind_of_event_and_throw_has_its_sentence(name: str) -> None:
    words = tomllib.loads((ROOT / "templates" / name / "words.toml").read_text("utf-8"))
    game = game_named(name)
    assert set(words["event"]) == {kind.__name__ for kind in game.event_kinds}
    for kind in game.event_kinds:
        names = [field.name for field in fields(kind)]
        words["event"][kind.__name__].format_map(dict.fromkeys(names, "x"))
    book = game.rulebook("en")
    assert book
    assert all(book.find(number) for number in words["throw"].values())
