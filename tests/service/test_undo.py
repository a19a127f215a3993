"""A turn is undone and played anew; a game ends before its last turn."""

import fcntl
import json

import pytest

from referee.service.site.games import show, winners
from referee.service.site.parts import records
from referee.service.tally import PassRunning
from referee.store import transaction, type_throw
from tests.posthouse import ANN, BOB, PostHouse, assert_in_order, text_of, verdict_on

# A turn of one game is undone and played anew: told under a new Message-ID, with what is different, and provable for ever.


WHY = "Ann's letter was read wrong.\nMy mistake."


def play(house: PostHouse, turns: int, step: int = 1) -> None:
    for _ in range(turns):
        house.wait(hours=1)
        house.write(ANN, f"STEP {step}")
        assert len(house.send(BOB, "STEP 1").turns) == 1


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
    plain = json.loads(begun.export())
    del plain["acts"]
    faults = verdict_on(plain).faults
    text = "edition 1, which was undone: nothing in the umpire's log undoes it"
    assert [(fault.turn, fault.text) for fault in faults if "undone" in fault.text] == [(2, text), (3, text)]


@pytest.mark.parametrize("field", ["seed", "salts", "orders", "events", "hash", "rules", "turn"])
def test_an_undone_turn_is_guarded_like_any(begun: PostHouse, field: str) -> None:
    begun.act("UNDO RR1 2 PLAY", WHY)
    plain = json.loads(begun.export())
    others = {int: 3, str: "0" * 64, dict: {"BOB": []}, list: []}
    plain["undone"][0][field] = others[type(plain["undone"][0][field])]
    assert verdict_on(plain).faults


def test_an_undo_that_would_wait_for_typed_throws_changes_nothing(house: PostHouse) -> None:
    house.game(options=(("wind", "typed"),))
    house.act("DICE RR1 wind/1=1")
    play(house, 1)
    with transaction(house.club):
        type_throw(house.club, "RR1", 1, "wind/1", None, house.clock.now)
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


@pytest.mark.parametrize(
    ("proposal", "how", "winner"),
    [
        ("", "umpire", ["ANN"]),
        ("PROPOSE END", "draw", ["ANN", "BOB"]),
        ("PROPOSE WINNER BOB", "won", ["BOB"]),
        ("CONCEDE", "conceded", ["BOB"]),
    ],
)
def test_how_it_ended_and_who_has_won_is_told_on_the_site(
    coded: PostHouse, proposal: str, how: str, winner: list[str]
) -> None:
    coded.answer(ANN, "STEP 2")
    coded.answer(BOB, "STEP 1")
    coded.later(hours=1)
    if proposal:
        coded.reply(ANN, proposal)
        coded.reply(coded.last(BOB, "turn 1"), "AGREE")
    else:
        coded.act("END RR1", "Nobody has written for a month.")
    game = show(coded.club, coded.row())
    (told,) = records(coded.club, [game])["fame"]
    assert sorted(each["code"] for each in winners(game)) == winner
    assert told["ending"]["how"] == how
