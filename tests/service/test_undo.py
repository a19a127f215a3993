"""A turn is undone and played anew; a game ends before its last turn."""

import fcntl
import json

import pytest

from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.verify import verify
from referee.service.site.games import shown, winners
from referee.service.site.parts import records
from referee.service.tally import PassRunning
from referee.store import transaction, type_throw
from tests.posthouse import ANN, BOB, UMPIRE, Clubs, PostHouse, assert_in_order, text_of

# A turn of one game is undone and played anew: told under a new Message-ID, with what is different, and provable for ever.


WHY = "Ann's letter was read wrong.\nMy mistake."


def play(house: PostHouse, turns: int, step: int = 1) -> None:
    for _ in range(turns):
        house.wait(hours=1)
        house.write(ANN, f"STEP {step}")
        house.write(BOB, "STEP 1")
        assert len(house.tick().turns) == 1


@pytest.fixture
def begun(house: PostHouse) -> PostHouse:
    """A game of which two turns were played."""
    house.game()
    play(house, 2)
    return house


def test_it_is_played_anew_at_its_deadline_and_told_as_a_correction(begun: PostHouse) -> None:
    wrong = {player: begun.last(player) for player in (ANN, BOB)}
    begun.act("UNDO RR1 2", WHY)
    begun.wait(hours=1)
    assert begun.send(ANN, "STEP 3").turns == ()
    assert begun.later(days=14).turns == ("RR1/2",)
    for player in (ANN, BOB):
        letter, before = begun.last(player), wrong[player]
        assert letter["Subject"] == "[RR1] Corrected: turn 2"
        assert letter["Message-ID"] != before["Message-ID"]
        assert letter["In-Reply-To"] == before["Message-ID"]
        assert str(letter["References"]).split()[-1] == before["Message-ID"]
        text = text_of(letter)
        assert text.index("THIS IS A CORRECTION. It replaces the newsletter of turn 2") < 200
        assert "Places: ANN " in text
        assert "BOB" not in text[text.index("What is different") : text.index("ANN stands on")]
    assert_in_order(begun)
    play(begun, 1)
    assert begun.last(ANN)["Subject"] == "[RR1] turn 3"
    assert_in_order(begun)


def test_the_same_seed_gives_the_same_dice_and_places_are_listed(begun: PostHouse) -> None:
    before = begun.last_turn()
    done = begun.act("UNDO RR1 2 PLAY", WHY)
    after = begun.last_turn()
    assert (done["last"], done["played"], done["awaited"]) == (2, (2,), 3)
    assert (after.turn, after.edition) == (2, 2)
    assert (after.seed, after.events, after.state) == (before.seed, before.events, before.state)
    assert after.hash != before.hash
    begun.tick()
    text = begun.told(ANN)
    assert "Accounts, places and track are as they were told" in text
    assert_in_order(begun)


def test_what_is_undone_for_the_first_time_is_no_second_correction(begun: PostHouse) -> None:
    play(begun, 1)
    begun.act("UNDO RR1 3 PLAY", WHY)
    begun.act("UNDO RR1 2 LATER PLAY", WHY)
    begun.tick()
    turn2, turn3 = begun.post(ANN, "Corrected")[-2:]
    assert [turn2["Subject"], turn3["Subject"]] == ["[RR1] Corrected: turn 2", "[RR1] Corrected again: turn 3"]
    names = [str(part.get_filename()) for each in (turn2, turn3) for part in each.iter_attachments()]
    assert [name.split(".")[0] for name in names if name.endswith("svg")] == [
        "RR1-turn-2-edition-2",
        "RR1-turn-3-edition-3",
    ]


def test_a_correction_is_corrected_and_no_message_id_is_used_twice(begun: PostHouse) -> None:
    for _ in range(2):
        begun.act("UNDO RR1 2 PLAY", WHY)
        begun.tick()
    assert begun.last(ANN)["Subject"] == "[RR1] Corrected again: turn 2"
    assert begun.last(ANN)["In-Reply-To"] == begun.post(ANN)[-2]["Message-ID"]
    ids = begun.column("SELECT message_id FROM outbox")
    assert len(ids) == len(set(ids))
    begun.act("UNDO RR1 1 LATER", WHY)
    begun.later(days=14)
    assert [(row.turn, row.edition) for row in begun.turns()] == [(0, 1), (1, 4)]
    assert_in_order(begun)


def test_a_finished_game_is_taken_up_again(house: PostHouse) -> None:
    house.game()
    while house.row().status == "running":
        play(house, 1, step=3)
    last = house.row().turn
    done = house.act(f"UNDO RR1 {last}", WHY)
    assert done["deadline"] is not None
    assert house.row().status == "running"
    done = house.act(f"UNDO RR1 {last - 1} PLAY", WHY)
    assert done["awaited"] == last
    assert_in_order(house)


def test_throws_of_the_umpire_are_typed_before_it_is_played_anew(begun: PostHouse) -> None:
    wind = json.loads(begun.last_turn().events)[0]["length"] - 1
    begun.act("UNDO RR1 2", WHY)
    begun.act(f"DICE RR1 wind/2={3 - wind}")
    begun.later(days=14)
    assert begun.last_turn().typed == f'{{"wind/2":{3 - wind}}}'
    assert_in_order(begun)


def test_nothing_is_undone_while_a_pass_is_running(begun: PostHouse) -> None:
    with (begun.folder / "tick.lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(PassRunning, match="a pass of the referee is running: nothing was changed"):
            begun.act("UNDO RR1 2", WHY)
        assert begun.command("undo", "RR1", "2", "--because", "x").returncode == 75


def test_only_the_game_named_is_touched(begun: PostHouse) -> None:
    begun.game()
    before = begun.tuples("SELECT * FROM games WHERE id = 'RR2'")
    begun.act("UNDO RR1 2", WHY)
    assert begun.tuples("SELECT * FROM games WHERE id = 'RR2'") == before


def test_an_undo_taken_out_of_the_log_is_noticed(begun: PostHouse) -> None:
    """Editions are counted for each turn: turn 3 was first played after turn 2 had its second."""
    begun.act("UNDO RR1 2 PLAY", WHY)
    begun.later(days=8)
    begun.act("UNDO RR1 3 PLAY", WHY)
    plain = json.loads(format_revealed(revealed(begun.club, "RR1")))
    del plain["acts"]
    faults = verify(parse_revealed(json.dumps(plain).encode())).faults
    text = "edition 1, which was undone: nothing in the umpire's log undoes it"
    assert [(fault.turn, fault.text) for fault in faults if "undone" in fault.text] == [(2, text), (3, text)]


@pytest.mark.parametrize("field", ["seed", "salts", "orders", "events", "hash", "rules", "turn"])
def test_an_undone_turn_is_guarded_like_any(begun: PostHouse, field: str) -> None:
    begun.act("UNDO RR1 2 PLAY", WHY)
    plain = json.loads(format_revealed(revealed(begun.club, "RR1")))
    others = {int: 3, str: "0" * 64, dict: {"BOB": []}, list: []}
    plain["undone"][0][field] = others[type(plain["undone"][0][field])]
    assert verify(parse_revealed(json.dumps(plain).encode())).faults


def test_an_undo_that_would_wait_for_typed_throws_changes_nothing(house: PostHouse) -> None:
    house.game(options=(("wind", "typed"),))
    house.act("DICE RR1 wind/1=1")
    play(house, 1)
    with transaction(house.club.db):
        type_throw(house.club.db, "RR1", 1, "wind/1", None, house.clock.now)
    told = house.command("undo", "RR1", "1", "--because", "x", "--play")
    assert (told.returncode, told.stdout) == (78, "")
    assert told.stderr == (
        "referee: nothing was undone: a turn asks for throws of your own; undo it without playing it, and type them: "
        "`referee dice RR1 wind/1=NUMBER`\n"
    )
    assert house.last_turn().turn == 1
    assert house.column("SELECT kind FROM acts") == ["dice"]


def test_an_earlier_edition_is_printed_and_the_status_tells_an_undone_turn(begun: PostHouse) -> None:
    wrong = begun.text(ANN).rstrip()
    begun.act("UNDO RR1 2", WHY)
    assert ", undone" in begun.command("status", "RR1").stdout
    begun.act("PLAY RR1 2")
    begun.tick()
    assert ", undone" not in begun.command("status", "RR1").stdout
    assert begun.command("newsletter", "RR1", "2", "--edition", "1").stdout.rstrip() == wrong
    assert "THIS IS A CORRECTION" in begun.command("newsletter", "RR1", "2").stdout
    missing = begun.command("newsletter", "RR1", "2", "--edition", "3")
    assert (missing.returncode, missing.stderr) == (
        65,
        "referee: there is no edition 3 of turn 2 of RR1 (there is 1, 2)\n",
    )


# A game that ends before its last turn: by the umpire, or because all people who play it agree, each by a letter.


BECAUSE = "Nobody has written for a month."


@pytest.fixture
def early(club: Clubs) -> PostHouse:
    """A game of which a turn was played: ANN has 3, BOB 2."""
    made = club(identity__policy="token")
    made.begin()
    made.answer(ANN, "STEP 2")
    made.answer(BOB, "STEP 1")
    made.later(hours=1)
    return made


def says(house: PostHouse, address: str, text: str) -> str:
    """Answer the last letter that carries a code, and return what is answered, in one line."""
    house.wait(minutes=1)
    house.reply(next(each for each in reversed(house.post(address)) if "-" in str(each["Subject"]).split("]")[0]), text)
    return house.told(address)


def fame(house: PostHouse) -> tuple[list[str], str]:
    game = shown(house.club, house.row())
    (told,) = records(house.club, [game])["fame"]
    return [each["code"] for each in winners(game)], told["ending"]["how"]


def test_the_umpire_ends_a_game_as_it_stands_and_undo_takes_it_back(early: PostHouse) -> None:
    result = early.command("game", "end", "RR1", "--because", BECAUSE)
    told = "RR1 is over; all are told, and asked for closing statements. `referee undo RR1 2`\ntakes it back.\n"
    assert result.stdout == told
    early.tick()
    for address in (ANN, BOB):
        told = early.text(address)
        assert f"| {BECAUSE}" in told
        assert "ANN  3\nBOB  2" in told
        assert "Closing statements" in told
    assert early.row().status == "finished"
    assert fame(early) == (["ANN"], "umpire")
    assert early.faults() == ()
    back = early.command("undo", "RR1", "2", "--because", "They have.", "--deadline", "2026-12-20 20:00")
    assert "RR1 goes on: turn 2 is awaited again; all are told.\nRR1: turn 2 is due" in back.stdout
    early.tick()
    assert "turn 2 is awaited again. He writes: | They have." in early.told(ANN)
    assert early.row().status == "running"
    assert "STEP 1" in says(early, ANN, "STEP 1")
    assert early.faults() == ()


def test_statements_are_asked_for_and_mailed_and_the_game_can_be_put_away(early: PostHouse) -> None:
    early.command("game", "end", "RR1", "--because", BECAUSE)
    early.tick()
    assert "It is kept, and is mailed to all" in says(early, ANN, "PRESS: It was fun.")
    early.later(days=20)
    assert "It was fun." in early.told(BOB)
    assert early.command("game", "archive", "RR1").returncode == 0


@pytest.mark.parametrize(
    ("proposal", "how", "winner"),
    [("PROPOSE END", "draw", ["ANN", "BOB"]), ("PROPOSE WINNER BOB", "won", ["BOB"]), ("CONCEDE", "conceded", ["BOB"])],
)
def test_a_game_ends_when_all_people_agree_by_mail(
    early: PostHouse, proposal: str, how: str, winner: list[str]
) -> None:
    assert "These have not agreed yet: BOB. Silence agrees to nothing" in says(early, ANN, proposal)
    assert "ANN proposes to end the game" in early.last(BOB)["Subject"]
    assert early.row().status == "running"
    assert "All people who play have agreed: the game is over" in says(early, BOB, "AGREE")
    assert early.row().status == "finished"
    assert sorted(fame(early)[0]) == winner
    assert fame(early)[1] == how
    assert "All people who play have agreed to end the game" in early.told(ANN)
    assert "The game is over, as all have agreed" in early.last(UMPIRE)["Subject"]
    assert early.did() == ["propose", "agree", "end"]
    assert early.faults() == ()


def test_a_built_in_seat_goes_with_the_people(club: Clubs) -> None:
    house = club(identity__policy="token")
    new = house.command(
        *("game", "new", "dampfross", "--map", "ireland"),
        *("--player", f"GSW:red:Ann <{ANN}>", "--player", f"MGW:blue:Bob <{BOB}>"),
        *("--player", "BNC:green:Cyd <cyd@example.com>"),
    )
    assert new.stdout == "RR1\n"
    house.tick()
    house.act("REPLACE RR1 BNC BUILT-IN STRENGTH second", "Cyd left.")
    house.tick()
    says(house, ANN, "PROPOSE END")
    says(house, BOB, "AGREE")
    assert house.row().status == "finished"
    assert house.post("bnc@") == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("RR1",), "--because"), (("RR9", "--because", BECAUSE), "there is no game RR9")],
)
def test_a_wrong_command_ends_nothing(early: PostHouse, arguments: tuple[str, ...], said: str) -> None:
    assert said in early.command("game", "end", *arguments).stderr
    assert early.row().status == "running"


def test_a_game_without_a_turn_is_given_up_instead(club: Clubs) -> None:
    house = club()
    house.game()
    assert "`referee game close RR1` gives it up" in house.command("game", "end", "RR1", "--because", BECAUSE).stderr
