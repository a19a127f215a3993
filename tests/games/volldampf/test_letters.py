"""What letters mean and what their writers are told, by ``letters.toml`` and by the letters in ``orders/letters``."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.game import Player
from referee.core.orders import ALTERNATIVE, Complaint
from referee.core.texts.wording import fold
from referee.games.volldampf import schedule
from referee.games.volldampf.forecast import forecast
from referee.games.volldampf.notation import board_terms, format_order
from referee.games.volldampf.state import Bid, Kept, Sabotage, State, Target
from referee.games.volldampf.understand import understand
from referee.mail.letter.message import read_letter
from referee.report.folders import merged_toml
from tests.games.volldampf.desk import BUILDS, CODES, OPENING, TRIPS, asked, at, foreseen, meant, one, read

ROOT = Path(__file__).parents[3]
TABLE: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("letters.toml").read_text("utf-8"))
CATALOGUE = merged_toml((ROOT / "templates/volldampf", ROOT / "templates/common"), "complaints.toml")
LETTERS = sorted((ROOT / "orders/letters").glob("volldampf-*.eml"))
PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "AE", "Ö": "OE", "Ü": "UE"})

each_frame = pytest.mark.parametrize("frame", ["{}", "ORDERS\n{}\nEND"], ids=["loose", "marked"])


def rows(part: str) -> list[tuple[str, str, Any]]:
    """Return (letter, line, what is expected of it) of a part of the table."""
    return [(stage, line, wanted) for stage, lines in TABLE[part].items() for line, wanted in lines.items()]


def frozen(value: Any) -> Any:
    """Return what stands in the table as positions have it: lists as tuples."""
    if isinstance(value, dict):
        return {name: frozen(each) for name, each in value.items()}
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def position(row: Mapping[str, Any]) -> State:
    """Return the position of a row: a letter that is asked for, or one decision."""
    details: dict[str, Any] = {"players": row.get("players", 4), "options": row.get("options", {})}
    if "cards" in row:
        details["actions"] = {**dict.fromkeys(CODES, ()), "ANN": tuple(row["cards"])}
    make = asked if "one" in row else at
    return make(row.get("one") or row["stage"], row.get("number", 0), **details, **frozen(row.get("with", {})))


def fits(found: Complaint, wanted: str | Mapping[str, Any]) -> bool:
    """Return whether a complaint is the one that is expected: its code, or all that is said of it."""
    told = {name: getattr(found, name) for name in ("code", "text", "hint", "line", "paragraph")}
    told |= {"error": found.is_error, "params": dict(found.params)}
    expected: dict[str, Any] = {"code": wanted} if isinstance(wanted, str) else dict(wanted)
    params: dict[str, Any] = expected.pop("params", {})
    return expected.items() <= told.items() and params.items() <= dict(found.params).items()


def assert_filled_in(complaint: Complaint) -> None:
    """Assert that a sentence names nothing that its complaint does not hold, and its paragraph unless it is about writing."""
    given = {"text", "hint", *dict(complaint.params)}
    entry = CATALOGUE.get(complaint.code) or CATALOGUE[complaint.code.removeprefix(ALTERNATIVE)]
    assert {name for each in entry.values() for _, name, _, _ in Formatter().parse(each) if name} <= given, complaint
    assert complaint.paragraph.startswith("V") or complaint.code.removeprefix(ALTERNATIVE).startswith("invalid-")


@each_frame
@pytest.mark.parametrize(("stage", "line", "canonical"), rows("read"))
def test_a_line_is_one_order_and_its_canonical_form_the_same(frame: str, stage: str, line: str, canonical: str) -> None:
    state = at(stage)
    found = one(state, frame.format(line))
    assert format_order(state, found) == canonical
    assert replace(one(state, frame.format(canonical)), line=0) == replace(found, line=0)


@each_frame
@pytest.mark.parametrize(("stage", "line", "wanted"), rows("unmeant"))
def test_what_cannot_be_meant_is_told_once_with_what_might_be(
    frame: str, stage: str, line: str, wanted: list[str]
) -> None:
    understood = meant(at(stage), frame.format(line))
    assert [[found.code, found.hint] for found in understood.complaints] == [wanted]
    assert understood.orders == ()


@pytest.mark.parametrize(("stage", "line", "code"), rows("lacking"))
def test_what_a_line_lacks_is_named(stage: str, line: str, code: str) -> None:
    assert [found.code for found in meant(at(stage), line).complaints] == [code]


@pytest.mark.parametrize("row", TABLE["untimely"], ids=lambda row: row.get("one") or row["stage"])
def test_an_order_for_another_letter_says_what_is_asked_and_when_it_will_be(row: Mapping[str, Any]) -> None:
    for line, code in row["lines"].items():
        understood = meant(position(row), line)
        (found,) = understood.complaints
        assert (found.code, understood.orders) == (code, ())
        assert dict(found.params)["asked"]
        assert (found.hint == "3") == (code == "illegal-too-late")


@pytest.mark.parametrize("row", TABLE["told"], ids=lambda row: row["says"])
def test_a_letter_is_told_what_it_comes_to(row: Mapping[str, Any]) -> None:
    state = position(row)
    for text in [row["text"]] if isinstance(row["text"], str) else row["text"]:
        understood, reckoned = meant(state, text), foreseen(state, text)
        if "orders" in row:
            assert [format_order(state, order) for order in understood.orders] == row["orders"]
        complaints = (*understood.complaints, *reckoned.complaints)
        notes = [each for each in complaints if each.code.startswith("note-")]
        faults = [each for each in complaints if each not in notes]
        for found, wanted in ((faults, row.get("faults")), (notes, row.get("reminders"))):
            if wanted is not None:
                assert len(found) == len(wanted), found
                assert [each for each, one_of in zip(found, wanted, strict=True) if not fits(each, one_of)] == []
        for each in complaints:
            assert_filled_in(each)
        assert list(reckoned.lines) == row.get("lines", list(reckoned.lines))
        below = {entry["line"]: json.loads(json.dumps(entry["notes"])) for entry in reckoned.told["entries"]}
        assert below | row.get("notes", {}) == below


def test_standing_orders_are_told_with_those_kept_from_letters_before() -> None:
    kept = Kept(player="ANN", order=Sabotage(targets=(Target(colour="red"),)))
    state = at(TRIPS, actions={**dict.fromkeys(CODES, ()), "ANN": ("Sabotage",)}, kept=(kept,))
    for text, told in (
        ("DECLINE 1", {"line": "SABOTAGE: red", "at": 0, "notes": [{"what": "stands"}]}),
        ("SABOTAGE Bob: ANY", {"line": "SABOTAGE Bob: ANY", "at": 1, "notes": [{"what": "stands"}]}),
    ):
        assert foreseen(state, text).told["entries"][-1] == told


def test_nothing_of_other_players_hands_or_orders_changes_a_forecast() -> None:
    text = "MOVE 1: violet FROM Magdeburg TO Erfurt\nMOVE 2: red FROM Prag TO Berlin\nSABOTAGE: ANY\nEXTRA 2: Berlin"
    state = at(TRIPS)
    secret = replace(
        state,
        actions={**state.actions, "BOB": ("Sabotage", "Zusatzfracht")},
        kept=(Kept(player="BOB", order=Sabotage(targets=(Target(),))),),
        removed=("green",),
    )
    assert foreseen(secret, text) == foreseen(state, text)
    bids = replace(at(OPENING), kept=(Kept(player="BOB", order=Bid(amounts=(9,))),))
    assert foreseen(bids, "LIMIT 3\nRANK 1") == foreseen(at(OPENING), "LIMIT 3\nRANK 1")
    assert forecast(state, "ANN", ()).complaints == ()


PROSE = """Bonds are expensive|Bid 4 was too much|Limit your losses|Rank and file|Rank 2 is mine|New year, new luck|
New green cars|Build on that|Build 1 was nice|Discard that idea|Move 1 was fine|Move on!|Move to Berlin some day|
Decline and fall|Subsidy for all|Extra time|Extra Berlin beer for everybody|Plan before you build|
Sabotage any time you like|Sabotage was mean of you|Steal from the rich|Home is where the heart is|Run 7 was great"""


@pytest.mark.parametrize("line", PROSE.replace("\n", "").split("|"))
def test_prose_is_no_order(line: str) -> None:
    reading = read(at(TRIPS), f"Hello,\n{line}\n")
    assert (reading.phrases, reading.complaints) == ((), ())
    assert reading.unread == ((1, "Hello,"), (2, line))
    assert read(at(OPENING), "RANK 1\n\nPresse: Dampf!").press == "Dampf!"


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("SABOTAGE RED 1", "SABOTAGE RED 1: ANY"),
        ("SABOTAGE RED: red FROM Prag", "SABOTAGE RED: red FROM Prag"),
        ("Sabotage violet 2: violet OR blue", "SABOTAGE Violet 2: violet OR blue"),
        ("SABOTAGE violet FROM Hamburg", "SABOTAGE: violet FROM Hamburg"),
        ("steal from violet, red", "STEAL FROM Violet, RED"),
    ],
)
def test_a_player_whose_name_is_a_colours_is_meant_where_the_colour_does_not_fit(line: str, canonical: str) -> None:
    state = at(TRIPS)
    names = {"ANN": "Ann", "RED": "", "VIO": "Violet", "DOT": "Dot"}
    seats = tuple(Player(code=code, colour="red", name=name) for code, name in names.items())
    state = replace(state, table=replace(state.table, players=seats))
    assert format_order(state, one(state, line)) == canonical


@pytest.mark.parametrize("file", LETTERS, ids=lambda file: file.stem)
def test_a_letter_gives_the_orders_that_its_expectation_says(file: Path) -> None:
    expected = tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))
    state = at(expected["stage"])
    understood = understand(state, "ANN", read(state, read_letter(file.read_bytes()).text).phrases)
    assert [format_order(state, order) for order in understood.orders] == expected["orders"]
    refused = [f"{each.line} {each.code}{each.hint and f' -> {each.hint}'}" for each in understood.complaints]
    assert refused == expected["refused"]


def test_there_are_letters_for_every_kind_of_letter_of_a_round() -> None:
    stages = {tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))["stage"] for file in LETTERS}
    assert stages == {OPENING, schedule.LETTER_AUCTION, BUILDS, TRIPS}
    assert len(LETTERS) >= 8


def test_the_guide_lists_every_name_of_every_order_word_and_colour() -> None:
    guide = (ROOT / "orders/volldampf/README.md").read_text(encoding="utf-8")
    named = re.findall("`([^`]+)`", guide.partition("## German, French and Dutch words")[2])
    listed = {fold(name) for name in named} | {fold(name.translate(PLAIN)) for name in named}
    tables = tomllib.loads((ROOT / "orders/volldampf/verbs.toml").read_text(encoding="utf-8"))
    names = [name for verb in tables["verb"].values() for name in verb["aliases"]]
    names += [name for verb in tables["verb"].values() for names in verb.get("in", {}).values() for name in names]
    names += [name for words in tables["words"].values() for name in words]
    board = at(OPENING).table.board
    signs = {sign for colour in board.colours for sign in (colour.symbol, colour.code)}
    terms = (term for term in board_terms(board) if term.kind in ("TRACK", "CUBE"))
    names += [term.name for term in terms if term.name not in signs]
    assert [name for name in names if fold(name) not in listed] == []
