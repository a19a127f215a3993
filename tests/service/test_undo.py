"""A turn is undone and played anew; a game ends before its last turn."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core.errors import ConfigError, NotFound
from referee.core.game import ONE_BY_ONE
from referee.service.audit.export import format_revealed, parse_revealed, revealed
from referee.service.audit.verify import verify
from referee.service.club.tally import PassRunning
from referee.service.deadlines.rescheduling import hold, order_play, resume
from referee.service.letters.interpretation import on_file
from referee.service.site.games import shown, winners
from referee.service.site.parts import records
from referee.service.turns.adjudicate import type_throws
from referee.service.umpire.colleagues import seat_anew
from referee.service.umpire.rulings import undo
from referee.store import orders
from referee.store.database.database import transaction
from referee.store.orders import type_throw
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


def test_an_undone_turn_is_awaited_again_and_everybody_told(begun: PostHouse) -> None:
    done = undo(begun.club, "rr1", 2, WHY)
    assert (done.turns, done.played, done.awaited) == ((2,), (), 2)
    row = begun.row()
    assert (row.turn, row.status) == (2, "running")
    assert begun.tick().turns == ()  # though everybody's orders are on file
    for player in (ANN, BOB):
        letter = begun.last(player)
        assert letter["Subject"] == "[RR1] Turn 2 does not count"
        text = text_of(letter)
        assert "The game stands as the newsletter of turn 1 told it." in " ".join(text.split())
        assert "| Ann's letter was read wrong.\n| My mistake." in text
        assert "Your orders for turn 2, received" in text
    assert_in_order(begun)


def test_it_is_played_anew_at_its_deadline_and_told_as_a_correction(begun: PostHouse) -> None:
    wrong = {player: begun.last(player) for player in (ANN, BOB)}
    undo(begun.club, "RR1", 2, WHY)
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
    done = undo(begun.club, "RR1", 2, WHY, play=True)
    after = begun.last_turn()
    assert (done.turns, done.played, done.awaited) == ((2,), (2,), 3)
    assert (after.turn, after.edition) == (2, 2)
    assert (after.seed, after.events, after.state) == (before.seed, before.events, before.state)
    assert after.hash != before.hash
    begun.tick()
    text = begun.told(ANN)
    assert "Accounts, places and track are as they were told" in text
    assert_in_order(begun)


def test_played_at_once_it_keeps_the_deadline_and_the_orders_of_the_turn_awaited(begun: PostHouse) -> None:
    due = begun.row().deadline
    begun.wait(hours=1)
    begun.send(ANN, "STEP 2")
    undo(begun.club, "RR1", 2, WHY, play=True)
    row = begun.row()
    assert (row.turn, row.deadline) == (3, due)
    (kept,) = on_file(orders.sets(begun.club.db, "RR1", 3), "ANN")
    assert kept.clean
    begun.tick()
    assert "Your orders for turn 3, received" in begun.told(ANN)
    assert "stay on file" not in begun.told(BOB)
    assert begun.send(BOB, "STEP 1").turns == ("RR1/3",)


def test_a_turn_that_others_were_built_on_is_undone_with_them_if_that_is_said(begun: PostHouse) -> None:
    play(begun, 1)
    with pytest.raises(ConfigError) as refused:
        undo(begun.club, "RR1", 1, WHY)
    assert str(refused.value) == (
        "turns 2 to 3 of RR1 were built on turn 1: `referee undo RR1 1 --later` undoes them with it, "
        "`referee undo RR1 3` the last alone"
    )
    assert undo(begun.club, "RR1", 1, WHY, later=True, play=True).played == (1, 2, 3)
    rows = [(row.turn, row.edition) for row in begun.turns()]
    assert rows == [(0, 1), (1, 2), (2, 2), (3, 2)]
    begun.tick()
    subjects = [str(letter["Subject"]) for letter in begun.post(ANN, "Corrected")]
    assert subjects == [f"[RR1] Corrected: turn {turn}" for turn in (1, 2, 3)]
    assert "The umpire has undone turn 1 and those after it" in begun.told(ANN)
    assert_in_order(begun)


def test_what_is_undone_for_the_first_time_is_no_second_correction(begun: PostHouse) -> None:
    play(begun, 1)
    undo(begun.club, "RR1", 3, WHY, play=True)
    undo(begun.club, "RR1", 2, WHY, later=True, play=True)
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
        undo(begun.club, "RR1", 2, WHY, play=True)
        begun.tick()
    assert begun.last(ANN)["Subject"] == "[RR1] Corrected again: turn 2"
    assert begun.last(ANN)["In-Reply-To"] == begun.post(ANN)[-2]["Message-ID"]
    ids = begun.column("SELECT message_id FROM outbox")
    assert len(ids) == len(set(ids))
    undo(begun.club, "RR1", 1, WHY, later=True)
    begun.later(days=14)
    assert [(row.turn, row.edition) for row in begun.turns()] == [(0, 1), (1, 4)]
    assert_in_order(begun)


def test_a_finished_game_is_taken_up_again(house: PostHouse) -> None:
    house.game()
    while house.row().status == "running":
        play(house, 1, step=3)
    last = house.row().turn
    done = undo(house.club, "RR1", last, WHY)
    assert done.deadline is not None
    assert house.row().status == "running"
    done = undo(house.club, "RR1", last - 1, WHY, play=True)
    assert done.awaited == last
    assert_in_order(house)


def test_salts_stay_where_the_first_turn_is_undone(house: PostHouse) -> None:
    """Else a player who has seen the seed could choose his word of salt by it."""
    house.game()
    house.write(ANN, "SALT pepper\nSTEP 1")
    house.send(BOB, "STEP 1")
    undo(house.club, "RR1", 1, WHY)
    house.wait(hours=1)
    answer = house.says(ANN, "SALT sugar\nSTEP 1")
    assert "the salt 'sugar' comes too late" in answer
    assert "Your salt" not in answer
    house.later(days=14)
    assert [row.salts for row in house.turns()] == ["", "ANN=pepper"]
    assert_in_order(house)


def test_throws_of_the_umpire_are_typed_before_it_is_played_anew(begun: PostHouse) -> None:
    wind = json.loads(begun.last_turn().events)[0]["length"] - 1
    undo(begun.club, "RR1", 2, WHY)
    type_throws(begun.club, "RR1", {"wind/2": 3 - wind}, ())
    begun.later(days=14)
    assert begun.last_turn().typed == f'{{"wind/2":{3 - wind}}}'
    assert_in_order(begun)


@pytest.mark.parametrize(
    ("turn", "because", "error", "words"),
    [
        (3, WHY, NotFound, "turn 3 of RR1 was not played (the last is turn 2: `referee undo RR1 2`)"),
        (0, WHY, ConfigError, "the opening of RR1 cannot be undone: `referee game new` makes another game"),
        (2, " ", ConfigError, 'say why: --because "the words that the players are to read"'),
    ],
)
def test_what_cannot_be_undone_is_refused_and_nothing_changed(
    begun: PostHouse, turn: int, because: str, error: type[Exception], words: str
) -> None:
    before = begun.tuples("SELECT * FROM games")
    with pytest.raises(error) as refused:
        undo(begun.club, "RR1", turn, because)
    assert str(refused.value) == words
    assert begun.tuples("SELECT * FROM games") == before
    assert begun.rows("SELECT * FROM acts") == []


def test_a_deadline_may_be_given_and_must_be_to_come(begun: PostHouse) -> None:
    with pytest.raises(ConfigError, match="is past"):
        undo(begun.club, "RR1", 2, WHY, deadline="2026-12-01T20:00")
    done = undo(begun.club, "RR1", 2, WHY, deadline="2026-12-20 20:00")
    assert done.deadline == datetime(2026, 12, 20, 20, tzinfo=UTC)


def test_nothing_is_undone_while_a_pass_is_running(begun: PostHouse) -> None:
    with (begun.folder / "tick.lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(PassRunning, match="a pass of the referee is running: nothing was changed"):
            undo(begun.club, "RR1", 2, WHY)
        assert begun.command("undo", "RR1", "2", "--because", "x").returncode == 75


def test_the_last_newsletter_is_that_of_the_position_in_force(begun: PostHouse) -> None:
    undo(begun.club, "RR1", 2, WHY)
    begun.wait(hours=1)
    assert "turn 1" in begun.says(ANN, "RESEND")
    assert "missing: \nDeadline" not in begun.text(ANN)


def test_only_the_game_named_is_touched(begun: PostHouse) -> None:
    begun.game()
    before = begun.tuples("SELECT * FROM games WHERE id = 'RR2'")
    undo(begun.club, "RR1", 2, WHY)
    assert begun.tuples("SELECT * FROM games WHERE id = 'RR2'") == before


def test_an_undo_taken_out_of_the_log_is_noticed(begun: PostHouse) -> None:
    """Editions are counted for each turn: turn 3 was first played after turn 2 had its second."""
    undo(begun.club, "RR1", 2, WHY, play=True)
    begun.later(days=8)
    undo(begun.club, "RR1", 3, WHY, play=True)
    plain = json.loads(format_revealed(revealed(begun.club, "RR1")))
    del plain["acts"]
    faults = verify(parse_revealed(json.dumps(plain).encode())).faults
    text = "edition 1, which was undone: nothing in the umpire's log undoes it"
    assert [(fault.turn, fault.text) for fault in faults if "undone" in fault.text] == [(2, text), (3, text)]


@pytest.mark.parametrize("field", ["seed", "salts", "orders", "events", "hash", "rules", "turn"])
def test_an_undone_turn_is_guarded_like_any(begun: PostHouse, field: str) -> None:
    undo(begun.club, "RR1", 2, WHY, play=True)
    plain = json.loads(format_revealed(revealed(begun.club, "RR1")))
    others = {int: 3, str: "0" * 64, dict: {"BOB": []}, list: []}
    plain["undone"][0][field] = others[type(plain["undone"][0][field])]
    assert verify(parse_revealed(json.dumps(plain).encode())).faults


def test_the_command_says_what_it_did(begun: PostHouse) -> None:
    begun.tick()
    told = begun.command("undo", "rr1", "2", "--because", "My mistake", "--play")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith("RR1: turn 2 is undone and played anew; turn 3 is awaited now.\nRR1: turn 3 is due ")
    assert begun.command("undo", "RR1", "1", "--because", "x").returncode == 78
    assert begun.command("undo", "RR1", "7", "--because", "x").returncode == 65
    (line,) = begun.command("log", "RR1").stdout.splitlines()
    assert line.split("\t")[2:] == ["turn 2", "umpire", "undo", "edition 1, played anew", "My mistake"]
    assert (
        "1 turn, by the umpire's log; played again as they were then, 1 came out as told."
        in begun.command("verify", "RR1").stdout
    )


@pytest.fixture
def coded(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "coded", identity__policy="token") as made:
        made.game()
        for _ in range(2):
            made.tick()
            for player in (ANN, BOB):
                made.answer(player, "STEP 1")
            made.wait(hours=1)
            assert len(made.tick().turns) == 1
        yield made


def test_codes_given_out_before_stay_right(coded: PostHouse) -> None:
    """Also that of the turn which nobody awaits any more: an answer to the wrong newsletter is no stranger's letter."""
    coded.tick()
    wrong = coded.last(ANN)
    undo(coded.club, "RR1", 2, WHY)
    coded.wait(hours=1)
    coded.reply(wrong, "STEP 3")
    assert coded.rows("SELECT status, reason FROM letters ORDER BY id DESC LIMIT 1")[0]["status"] == "done"
    coded.reply(coded.last(BOB, "does not count"), "STEP 2")
    assert coded.value("SELECT status FROM letters ORDER BY id DESC LIMIT 1") == "done"


def test_a_stopped_game_stays_stopped(begun: PostHouse) -> None:
    hold(begun.club, "RR1", "I must look into this")
    with pytest.raises(ConfigError, match="RR1 is stopped"):
        undo(begun.club, "RR1", 2, WHY, play=True)
    assert undo(begun.club, "RR1", 2, WHY).deadline is None
    begun.tick()
    assert "The umpire has stopped the game for now" in begun.told(ANN)
    assert begun.later(days=30).turns == ()
    resume(begun.club, "RR1")
    assert begun.later(days=30).turns == ("RR1/2",)
    assert_in_order(begun)


def test_the_umpire_has_an_undone_turn_played_before_its_deadline(begun: PostHouse) -> None:
    order_play(begun.club, "RR1", 3)
    undo(begun.club, "RR1", 2, WHY)
    assert begun.tick().turns == ()
    order_play(begun.club, "RR1", 2)
    assert begun.tick().turns == ("RR1/2",)
    assert begun.last(ANN)["Subject"] == "[RR1] Corrected: turn 2"
    order_play(begun.club, "RR1", 3)
    undo(begun.club, "RR1", 2, WHY, play=True)
    undo(begun.club, "RR1", 2, WHY)
    assert begun.tick().turns == ()


def test_a_decision_is_undone_where_one_is_asked_after_the_other(house: PostHouse) -> None:
    house.game(pace=ONE_BY_ONE)
    for turn, player in enumerate((ANN, BOB, ANN), 1):
        house.wait(hours=1)
        assert house.send(player, "STEP 1").turns == (f"RR1/{turn}",)
    undo(house.club, "RR1", 2, WHY, later=True)
    house.tick()
    assert "The umpire has undone turns 2 to 3." in house.told(ANN)
    house.wait(hours=1)
    house.send(BOB, "ORDERS RR1 2\nSTEP 3\nEND")
    order_play(house.club, "RR1", 2)
    assert house.tick().turns == ("RR1/2",)
    assert "Places: BOB " in house.text(BOB)
    assert house.tick().turns == ()
    order_play(house.club, "RR1", 3)
    assert house.tick().turns == ("RR1/3",)
    assert house.last(BOB)["Subject"] == "[RR1] Corrected: turn 3"
    assert_in_order(house)


def test_an_undo_that_would_wait_for_typed_throws_changes_nothing(house: PostHouse) -> None:
    house.game(options=(("wind", "typed"),))
    type_throws(house.club, "RR1", {"wind/1": 1}, ())
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


def test_orders_for_the_turn_after_that_come_meanwhile_are_kept_for_it(begun: PostHouse) -> None:
    """Ann answers the newsletter that does not count any more, by its order form."""
    undo(begun.club, "RR1", 2, WHY)
    begun.wait(hours=1)
    assert "Your orders are kept as they were sent. When turn 3 is awaited" in begun.says(
        ANN, "ORDERS RR1 3\nSTEP 3\nEND"
    )
    order_play(begun.club, "RR1", 2)
    begun.tick()
    begun.write(BOB, "STEP 1")
    begun.later(minutes=1)
    begun.tick()
    events = json.loads(begun.last_turn().events)
    assert begun.last_turn().turn == 3
    assert {event["player"] for event in events if event["kind"] == "Step"} == {"ANN", "BOB"}


def test_an_earlier_edition_is_printed_and_the_status_tells_an_undone_turn(begun: PostHouse) -> None:
    wrong = begun.text(ANN).rstrip()
    undo(begun.club, "RR1", 2, WHY)
    assert ", undone" in begun.command("status", "RR1").stdout
    order_play(begun.club, "RR1", 2)
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


def test_the_umpire_ends_a_game_by_mail_and_takes_it_back(early: PostHouse) -> None:
    early.says(UMPIRE, f"END RR1\n{BECAUSE}")
    assert "RR1 is over; all are told" in early.asks(UMPIRE, "CONFIRM")
    early.wait(minutes=1)
    assert "RR1 goes on: turn 2 is awaited again" in early.asks(UMPIRE, "UNDO RR1 2\nI was too fast.")
    assert early.row().status == "running"


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


def test_a_proposal_is_dropped_by_a_no_and_with_the_turn(early: PostHouse) -> None:
    says(early, ANN, "PROPOSE END")
    assert "The proposal is dropped" in says(early, BOB, "DISAGREE")
    assert "BOB) does not agree: the game goes on." in early.told(ANN)
    assert "Nothing is proposed now" in says(early, ANN, "AGREE")
    says(early, ANN, "PROPOSE END")
    early.later(days=8)
    assert early.row().turn == 3
    assert "Nothing is proposed now" in says(early, BOB, "AGREE")
    assert early.row().status == "running"


def test_a_built_in_seat_goes_with_the_people(club: Clubs) -> None:
    house = club(identity__policy="token")
    new = house.command(
        *("game", "new", "dampfross", "--map", "ireland"),
        *("--player", f"GSW:red:Ann <{ANN}>", "--player", f"MGW:blue:Bob <{BOB}>"),
        *("--player", "BNC:green:Cyd <cyd@example.com>"),
    )
    assert new.stdout == "RR1\n"
    house.tick()
    seat_anew(house.club, "RR1", "BNC", "", "Cyd left.", built_in="second")
    house.tick()
    says(house, ANN, "PROPOSE END")
    says(house, BOB, "AGREE")
    assert house.row().status == "finished"
    assert house.post("bnc@") == []


def test_a_vote_from_an_unproved_address_is_held_as_orders_are(early: PostHouse) -> None:
    says(early, ANN, "PROPOSE END")
    early.send(BOB, "AGREE", "Re: [RR1] x")
    assert "Is this letter yours?" in early.last(BOB)["Subject"]
    assert early.row().status == "running"
    early.reply(BOB, "CONFIRM")
    assert early.row().status == "finished"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AGREE", "Nothing is proposed now that you could agree to."),
        ("PROPOSE WINNER XYZ", "Nobody plays XYZ here; there is ANN and BOB."),
        ("EINVERSTANDEN", "Nothing is proposed now"),
    ],
)
def test_what_is_wrong_is_named_and_nobody_is_told(early: PostHouse, text: str, said: str) -> None:
    assert said in says(early, ANN, text)
    assert early.acts() == ()


def test_one_proposal_at_a_time(early: PostHouse) -> None:
    says(early, ANN, "PROPOSE END")
    assert "There is a proposal of ANN already" in says(early, BOB, "PROPOSE WINNER BOB")
    assert "These have not agreed yet: BOB" in says(early, ANN, "AGREE")


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
