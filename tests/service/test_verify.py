"""What has been revealed of a game suffices to check it anywhere, by whichever rules it was played."""

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from referee.core import RefereeError, SeededDice, add_salt, seed_of_turn
from referee.service.audit.export import parse_revealed
from referee.service.audit.replay import replay
from referee.service.audit.verify import verify, verify_game
from referee.store import hash_of_agreement, hash_of_turn
from tests.forkedcommands import run_here
from tests.posthouse import ANN, BOB, PostHouse, line_of, text_of, verdict_on
from tests.tables import Tables, repeated

CASES = Tables(__file__)

# What has been revealed of a game suffices to check it anywhere; whatever was altered is named by its turn.


ROOT = "root of the chain"
TURNS = (0, 1, 2, 3)
Plain = dict[str, Any]


def play(house: PostHouse, turns: int = 3, first: str = "SALT pepper\nSTEP 1", second: str = "STEP 2") -> None:
    """Play turns of a tiny race: Ann gives salt with her first orders."""
    house.game()
    for turn in range(turns):
        house.wait(hours=1)
        house.write(ANN, first if turn == 0 else "STEP 1")
        house.send(BOB, second if turn == 0 else "STEP 1")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The export of a running game with three turns played."""
    with PostHouse(tmp_path_factory.mktemp("verify") / "club") as house:
        play(house)
        return house.export()


@pytest.fixture
def plain(exported: str) -> Plain:
    told: Plain = json.loads(exported)
    return told


def faults(plain: Plain) -> list[tuple[int, str]]:
    """Return the faults of an export; a file that is refused has one, without a turn."""
    try:
        return [(fault.turn, fault.text) for fault in verdict_on(plain).faults]
    except (ValueError, RefereeError) as error:
        return [(-1, str(error))]


def test_an_untouched_export_is_in_order(plain: Plain, exported: str) -> None:
    found = verdict_on(exported)
    assert found.faults == ()
    assert [turn for turn, _ in found.played] == list(TURNS)
    assert [(throw.turn, throw.name, throw.sides) for throw in found.throws] == [
        (1, "wind/1", 2),
        (2, "wind/2", 2),
        (3, "wind/3", 2),
    ]
    assert found.throws[0].number == SeededDice(plain["turns"][1]["seed"]).throw("wind/1", 2)
    assert not found.over


def other(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, dict):
        return {**value, "BOB": []} if value.get("BOB") else {**value, "BOB": [{"kind": "Step"}]}
    if isinstance(value, list):
        return value[:-1] if value else [["speed", 4]]
    return value + 1 if isinstance(value, int) else f"{value[:-1]}{'0' if value[-1:] != '0' else '1'}"


@CASES.rows
@pytest.mark.parametrize("turn", TURNS)
def test_every_field_of_every_turn_is_guarded_and_named_by_its_turn(plain: Plain, turn: int, field: str) -> None:
    plain["turns"][turn][field] = other(plain["turns"][turn][field])
    assert faults(plain)[0][0] == turn
    assert any(field in text for named, text in faults(plain) if named == turn), faults(plain)


@CASES.rows
def test_what_is_wrong_is_said(plain: Plain, turn: int, field: str, words: str) -> None:
    plain["turns"][turn][field] = other(plain["turns"][turn][field])
    assert words in " ".join(text for named, text in faults(plain) if named == turn)
    assert {named for named, _ in faults(plain)} == {turn}


@CASES.rows
def test_an_act_that_no_referee_wrote_is_a_fault_and_no_error(plain: Plain, parameters: Plain) -> None:
    act = {"number": 1, "turn": 1, "at": "2026-12-04T20:00:00.000000Z", "actor": "umpire", "kind": "adjust"}
    plain["acts"] = [{**act, "reason": "", "hash": "", "parameters": parameters}]
    assert any(text.startswith("no referee wrote this: ") for _, text in faults(plain))


def test_an_altered_event_is_told_with_what_it_should_be(plain: Plain) -> None:
    plain["turns"][2]["events"][1]["length"] += 1
    told = [text for turn, text in faults(plain) if turn == 2]
    assert any('event 2 has {"kind": "Step", "length": ' in text for text in told)
    assert told[-1] == "the turns after it were not played again"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to everything in a JSON value that holds nothing further."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inside:
        yield from leaves(each, (*path, name))
    if path and not (isinstance(value, (dict, list)) and value):
        yield path


def altered(plain: Plain, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Plain:
    told = copy.deepcopy(plain)
    place: Any = told
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = change(place[path[-1]])
    return told


def test_no_single_value_can_be_altered_left_out_or_doubled(plain: Plain) -> None:
    """Whatever lies within a turn is named with that turn, the setup with the opening or by its own name."""
    for path in leaves(plain):
        found = faults(altered(plain, path, other))
        assert found, path
        if path[0] == "turns" and path[2] != "turn":
            assert path[1] in {turn for turn, _ in found}, (path, found)
        if path[0] in ("setup", "end"):
            assert found[0][0] in (0, -1), (path, found)
        assert faults(altered(plain, path, lambda value: None)), path


def test_turns_left_out_shuffled_or_doubled_are_named(plain: Plain) -> None:
    turns = plain["turns"]
    told = {
        "it stands behind turn 2": [turns[0], turns[2], turns[1], turns[3]],
        "it stands behind turn 1": [turns[0], turns[1], turns[1], turns[2], turns[3]],
        "it is missing, turn 3 stands in its place": [turns[0], turns[1], turns[3]],
        "it is said to be the last, but turn 2 is": turns[:3],
        "the opening is not where the game begins": turns[1:],
    }
    for words, order in told.items():
        assert words in [text for _, text in faults({**plain, "turns": order})]
    assert faults({**plain, "turns": []}) == [(0, "the opening is not where the game begins")]


def test_the_turns_before_one_that_was_cut_off_are_checked_all_the_same(plain: Plain) -> None:
    found = verdict_on({**plain, "turns": plain["turns"][:3]})
    assert [turn for turn, _ in found.played] == [0, 1, 2]
    assert [(fault.turn, fault.text) for fault in found.faults] == [(3, "it is said to be the last, but turn 2 is")]


def test_a_shorter_game_is_an_earlier_export_only_if_it_says_so(plain: Plain) -> None:
    last = plain["turns"][2]
    shorter = {**plain, "turns": plain["turns"][:3], "last": {"turn": 2, "hash": last["hash"]}}
    assert faults(shorter) == []


def test_turns_after_the_end_are_named(house: PostHouse) -> None:
    play(house, 8, "STEP 3")
    told: Plain = json.loads(house.export())
    assert verify_game(house.club, "RR1").over
    told["turns"].append({**told["turns"][-1], "turn": told["turns"][-1]["turn"] + 1})
    assert faults(told)[0] == (4, "it is said to be the last, but turn 5 is")
    told["last"]["turn"] = 5
    assert (5, "it was played when the game was over") in faults(told)


def test_a_file_with_random_bytes_flipped_is_in_order_only_if_it_says_the_same(exported: str, plain: Plain) -> None:
    chance = random.Random(1876)  # noqa: S311 (which bytes are flipped is no secret)
    for _ in range(1500):
        raw = bytearray(exported.encode())
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            raw[chance.randrange(len(raw))] = chance.choice((chance.randrange(256), *b'0123456789"{}[],: \n'))
        try:
            found = verify(parse_revealed(bytes(raw))).faults
        except (ValueError, RefereeError):
            continue
        assert found or json.loads(raw) == plain


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seed": "', '"seed": '),
        ('"rules": 1', '"rules": 1.1'),
        ('"salts"', '"seed"'),
        ('"hash": "', '"hash": "\udcff'),
    ],
)
def test_a_byte_that_breaks_the_json_is_named_by_its_turn(exported: str, turn: int, old: str, new: str) -> None:
    """Each break is of another kind: no JSON, no whole number, a name that stands twice, no UTF-8."""
    at = exported.index(old, exported.index(f'"turn": {turn},'))
    broken = exported[:at] + new + exported[at + len(old) :]
    with pytest.raises(ValueError, match=f"in turn {turn}$|in turn {turn}: "):
        parse_revealed(broken.encode(errors="surrogateescape"))


def test_what_breaks_the_json_beside_the_turns_is_named_by_its_neighbours(exported: str, plain: Plain) -> None:
    with pytest.raises(ValueError, match="before the opening"):
        parse_revealed(exported.replace('"setup": {', '"setup": ', 1).encode())
    with pytest.raises(ValueError, match=f"behind turn {plain['last']['turn']}"):
        parse_revealed(exported.replace('"last": {', '"last": ', 1).encode())
    with pytest.raises(ValueError, match="behind turn 1"):
        parse_revealed(re.sub(r'"turn": 2,(\s*"rules")', r'"turn: 2,\1', exported).encode())


@CASES.rows
def test_what_is_no_export_is_one_sentence(raw: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        parse_revealed(repeated(raw).encode("latin-1"))


@CASES.rows
def test_a_damaged_export_is_told_with_the_place(plain: Plain, path: tuple[Any, ...], value: Any, words: str) -> None:
    place: Any = plain
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    ((turn, text),) = faults(plain)
    assert (turn, words in text) == (-1, True), text


def test_an_export_of_a_running_game_reveals_nothing_that_is_to_come(house: PostHouse) -> None:
    play(house)
    house.send(ANN, "STEP 3\nNOTE: nobody must know\nPRESS: soon")
    text = house.export()
    for secret in (ROOT, seed_of_turn(ROOT, 4), seed_of_turn(ROOT, 5), ANN, BOB, "example", "nobody must know", "soon"):
        assert secret not in text
    assert seed_of_turn(ROOT, 3) in text


def test_the_club_checks_its_own_games_as_replay_does(house: PostHouse) -> None:
    play(house)
    assert house.faults("rr1") == ()
    assert not any(house.differences())
    house.club.execute("DROP TRIGGER turns_unchanged")
    house.club.execute("UPDATE turns SET state = replace(state, '\"ANN\",', '\"ANN\",1') WHERE turn = 2")
    (fault,) = house.faults()
    assert (fault.turn, fault.text[:35]) == (2, "the position that the club keeps di")
    assert [each.turn for each in replay(house.club, "RR1") if each.differs] == [2]


def test_a_log_that_is_no_json_is_told(house: PostHouse) -> None:
    play(house)
    house.club.execute("DROP TRIGGER turns_unchanged")
    house.club.execute("UPDATE turns SET events = '[', orders = '{' WHERE turn = 2")
    assert {fault.turn for fault in house.faults()} == {2}
    with pytest.raises(RefereeError, match="the log of RR1 is damaged"):
        house.export()


# Salt


def salts(house: PostHouse) -> list[str]:
    return [row.salts for row in house.turns()]


def test_salts_are_printed_with_the_first_turn_and_mixed_into_all_dice_from_the_second_on(house: PostHouse) -> None:
    play(house, first="STEP 1\nSALT pepper", second="ORDERS RR1 1\nSTEP 2\nsalt Dún2\nEND")
    assert salts(house) == ["", *["ANN=pepper BOB=Dún2"] * 3]
    assert [(throw.name, throw.number) for throw in verify_game(house.club, "RR1").throws] == [
        (f"wind/{turn}", SeededDice(seed).throw(f"wind/{turn}", 2))
        for turn in (1, 2, 3)
        for seed in [add_salt(seed_of_turn(ROOT, turn), "" if turn == 1 else "ANN=pepper BOB=Dún2")]
    ]
    assert "The players' salts: ANN=pepper BOB=Dún2" in house.told(BOB, "turn 1")
    assert "from its second turn on: pepper" in text_of(house.post(ANN, "Your salt")[0])


def test_without_salts_the_seed_is_thrown_from(house: PostHouse) -> None:
    play(house, first="STEP 1")
    assert salts(house) == [""] * 4
    assert add_salt("seed", "") == "seed"
    assert not house.post(containing="salts")


def test_the_newest_salt_counts_and_stays_when_orders_are_replaced_or_none_are_sent(race: PostHouse) -> None:
    for text in ("SALT one", "STEP 3\nSALT two", "STEP 1"):
        race.wait(minutes=1)
        race.send(ANN, text)
    race.later(days=8)
    assert salts(race) == ["", "ANN=two"]


def test_a_salt_that_comes_too_late_changes_nothing_and_is_told(house: PostHouse) -> None:
    play(house, 1)
    house.wait(hours=1)
    house.write(ANN, "STEP 1\nSALT more")
    house.send(BOB, "STEP 1\nSALT dill")
    assert salts(house) == ["", "ANN=pepper", "ANN=pepper"]
    answer = line_of(house.post(ANN, "turn 2 received")[0])
    assert "the salt 'more' comes too late" in answer
    assert "Your orders are in." in answer


def test_the_hash_of_the_log_is_printed_with_each_newsletter(house: PostHouse) -> None:
    play(house)
    stored = house.turns()
    for row in stored[1:]:
        (letter,) = [each for each in house.post(ANN) if each["Subject"] == f"[RR1] turn {row.turn}"]
        assert f"Hash of the game's log so far: {row.hash}" in line_of(letter)


# The commands


@pytest.fixture
def referee(house: PostHouse) -> Callable[..., Result]:
    play(house)
    return lambda *arguments: run_here("--club", house.folder, *arguments)


def test_an_export_is_verified_without_a_club(referee: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    assert referee("game", "export", "rr1", "-o", str(file)).output == ""
    assert referee("game", "export", "RR1").stdout == file.read_text("utf-8")
    alone = run_here("--club", tmp_path / "nowhere", "verify", file)
    assert (alone.exit_code, alone.stdout) == (0, referee("verify", "RR1").stdout)
    assert alone.stdout.splitlines()[0] == (
        "RR1: Tiny Race, map line, preset plain, players ANN, BOB; the opening and 3 turns."
    )
    assert "byte by byte; 3 throws recomputed." in alone.stdout
    assert "Salts: ANN=pepper." in alone.stdout
    assert alone.stdout.endswith("All is in order. Compare end, salts and last hash with those in your newsletters.\n")


def test_every_throw_is_listed(referee: Callable[..., Result]) -> None:
    listed = referee("verify", "RR1", "--throws").stdout.splitlines()[:3]
    number = SeededDice(add_salt(seed_of_turn(ROOT, 2), "ANN=pepper")).throw("wind/2", 2)
    assert listed[1] == f"turn 2\twind/2\td2\t{number}"


def test_a_difference_ends_with_1_and_names_the_turn(
    referee: Callable[..., Result], tmp_path: Path, plain: Plain
) -> None:
    plain["turns"][2]["seed"] = "0" * 64
    file = tmp_path / "game.json"
    file.write_text(json.dumps(plain))
    told = referee("verify", str(file))
    assert told.exit_code == 1
    assert "turn 2: its seed does not hash to that of turn 1\n" in told.stdout
    assert "NOT IN ORDER: " in told.stdout
    assert "the first in turn 2.\n" in told.stdout
    assert "All is in order" not in told.stdout


def test_no_game_no_file_and_a_damaged_file_are_one_sentence(referee: Callable[..., Result], tmp_path: Path) -> None:
    cut = tmp_path / "cut.json"
    cut.write_text(referee("game", "export", "RR1").stdout[:-400])
    told = {
        ("verify", "RR9"): (65, "there is no game RR9 (there is RR1)"),
        ("game", "export", "RR9"): (65, "there is no game RR9 (there is RR1)"),
        ("verify", "nowhere.json"): (65, "there is no file nowhere.json"),
        ("verify", str(tmp_path)): (78, f"{tmp_path} cannot be read: Is a directory"),
        ("verify", str(cut)): (78, f"{cut}: this is no JSON, or was cut off, in turn 3: line"),
        ("game", "export", "RR1", "-o", f"{tmp_path}/no/such"): (78, "cannot be written: No such file or directory"),
    }
    for arguments, (code, words) in told.items():
        result = referee(*arguments)
        assert (result.exit_code, result.stdout) == (code, "")
        assert words in result.stderr
        assert result.stderr.count("\n") == 1


# A turn that was played by another version of the rules is told as such: what can be proved of it is, and the rest is a note.


PLAYED = [0, 1, 2, 3]


def rehashed(plain: Plain) -> Plain:
    """Return an export whose hashes fit what it tells."""
    told = parse_revealed(json.dumps(plain).encode())
    before = hash_of_agreement(told.game, told.setup, told.end)
    for turn, written in zip(told.turns, plain["turns"], strict=True):
        before = written["hash"] = hash_of_turn(before, told.game, turn)
    plain["last"]["hash"] = before
    return plain


def of_versions(plain: Plain, *versions: int) -> Plain:
    """Return an export whose turns say that they were played by these versions; a step of turn 2 came out otherwise then."""
    for turn, version in zip(plain["turns"], versions, strict=True):
        turn["rules"] = version
    plain["turns"][2]["events"][1]["length"] += 1
    return rehashed(plain)


def test_a_turn_of_other_rules_that_comes_out_alike_is_proved(plain: Plain) -> None:
    for turn, version in zip(plain["turns"], (0, 0, 1, 2), strict=True):
        turn["rules"] = version
    found = verdict_on(rehashed(plain))
    assert (found.faults, found.notes) == ((), ())
    assert [turn for turn, _ in found.played] == PLAYED


@pytest.mark.parametrize("version", [0, 2])
def test_a_turn_of_other_rules_that_comes_out_otherwise_is_a_note_and_the_next_is_played_from_it(
    plain: Plain, version: int
) -> None:
    found = verdict_on(of_versions(plain, 1, 1, version, 1))
    assert found.faults == ()
    (note,) = found.notes
    assert note.turn == 2
    assert note.text.startswith(f"it was played by version {version} of the rules; by version 1 its events differ")
    assert note.text.endswith("so its events were taken as they stand")
    assert [turn for turn, _ in found.played] == [0, 1, 3]
    assert [throw.turn for throw in found.throws] == [1, 3]


def test_events_of_other_rules_that_nobody_knows_end_the_replay_and_are_no_fault(plain: Plain) -> None:
    plain["turns"][2]["events"][1]["kind"] = "Stride"
    found = verdict_on(of_versions(plain, 0, 0, 0, 1))
    assert found.faults == ()
    assert [note.turn for note in found.notes] == [2, 2]
    assert "unknown kind 'Stride'" in found.notes[0].text
    assert found.notes[1].text == "the turns after it were not played again"


def test_with_the_program_s_own_version_the_same_difference_is_a_fault(plain: Plain) -> None:
    assert [turn for turn, _ in faults(of_versions(plain, 0, 0, 1, 1))] == [2, 2]


def test_a_fault_behind_a_turn_of_other_rules_names_that_turn(plain: Plain) -> None:
    plain["turns"][3]["events"][1]["length"] += 1
    ((turn, text),) = faults(of_versions(plain, 1, 1, 0, 1))
    assert (turn, text.partition(" (")[2]) == (3, "turn 2, played by other rules, may have led there)")


def test_the_club_goes_on_from_the_position_it_keeps(house: PostHouse) -> None:
    """A turn's events of other rules may add up to another position by these; play went on from the one that was stored."""
    play(house)
    house.club.execute("DROP TRIGGER turns_unchanged")
    house.club.execute(
        "UPDATE turns SET rules = 0, events = replace(events, '\"length\":2', '\"length\":3') WHERE turn = 2"
    )
    found = verify_game(house.club, "RR1")
    assert [fault.text[:22] for fault in found.faults if "hash" not in fault.text] == []
    assert "from the position that the club keeps" in found.notes[0].text
    assert [turn for turn, _ in found.played] == [0, 1, 3]


def test_the_command_says_which_rules_each_turn_was_played_by(tmp_path: Path, plain: Plain) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(of_versions(plain, 0, 0, 0, 1)))
    told = run_here("verify", file)
    lines = told.stdout.splitlines()
    assert told.exit_code == 0
    assert lines[1].startswith("Turns: 3 of 4, played again from orders and seed")
    assert lines[2].startswith("note, turn 2: it was played by version 0 of the rules; by version 1 its events differ")
    assert lines[3] == "Rules: turns 0 to 2 by version 0, turn 3 by version 1; this program has version 1."
    assert lines[-2] == "In order, but 1 turn not proved, because of other rules: see the notes."
    assert "All is in order" not in told.stdout
