"""What letters mean and what their writers are told, by ``letters.toml`` and by the letters in ``orders/letters``."""

import json
import re
import tomllib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core import ALTERNATIVE, Complaint, Fields, Texts, View, fold
from referee.core.game import Player
from referee.games.volldampf.board import CUBE_COLOURS, REARRANGE, SUBVENTION
from referee.games.volldampf.forecast import forecast
from referee.games.volldampf.notation import board_terms, format_alternative, format_order
from referee.games.volldampf.report.prices import example_lines, form_lines, help_lines
from referee.games.volldampf.routing import legal_deliveries
from referee.games.volldampf.state import (
    DECLINED,
    Bid,
    Build,
    Delivery,
    Extra,
    Kept,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Site,
    Stage,
    State,
    Steal,
    Subsidy,
    TakeBonds,
    Target,
    What,
    Wish,
)
from referee.games.volldampf.understand import understand
from referee.mail.letter.message import read_letter
from referee.report.sentences import merged_toml
from tests.games.volldampf.desk import CODES, asked, at, foreseen, meant, one, read
from tests.tables import Tables, each_frame, frozen_value

CASES = Tables(__file__)


ROOT = Path(__file__).parents[3]
TABLE: Fields = tomllib.loads(Path(__file__).with_name("letters.toml").read_text("utf-8"))
CATALOGUE = merged_toml((ROOT / "templates/volldampf", ROOT / "templates/common"), "complaints.toml")
LETTERS = sorted((ROOT / "orders/letters").glob("volldampf-*.eml"))
PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "AE", "Ö": "OE", "Ü": "UE"})


def rows(part: str) -> list[tuple[Stage, str, Any]]:
    """Return (letter, line, what is expected of it) of a part of the table."""
    return [(stage, line, wanted) for stage, lines in TABLE[part].items() for line, wanted in lines.items()]


def position(row: Fields) -> State:
    """Return the position of a row: a letter that is asked for, or one decision."""
    details: View = {"players": row.get("players", 4), "options": row.get("options", {})}
    if "cards" in row:
        details["actions"] = {**dict.fromkeys(CODES, ()), "ANN": tuple(row["cards"])}
    make = asked if "one" in row else at
    return make(row.get("one") or row["stage"], row.get("number", 0), **details, **frozen_value(row.get("with", {})))


def fits(found: Complaint, wanted: str | Fields) -> bool:
    """Return whether a complaint is the one that is expected: its code, or all that is said of it."""
    told = {name: getattr(found, name) for name in ("code", "text", "hint", "line", "paragraph")}
    told |= {"error": found.is_error, "params": dict(found.params)}
    expected: View = {"code": wanted} if isinstance(wanted, str) else dict(wanted)
    params: View = expected.pop("params", {})
    return expected.items() <= told.items() and params.items() <= dict(found.params).items()


def assert_filled_in(complaint: Complaint) -> None:
    """Assert that a sentence names nothing that its complaint does not hold, and its paragraph unless it is about writing."""
    given = {"text", "hint", *dict(complaint.params)}
    entry = CATALOGUE.get(complaint.code) or CATALOGUE[complaint.code.removeprefix(ALTERNATIVE)]
    assert {name for each in entry.values() for _, name, _, _ in Formatter().parse(each) if name} <= given, complaint
    assert complaint.paragraph.startswith("V") or complaint.code.removeprefix(ALTERNATIVE).startswith("invalid-")


@each_frame
@pytest.mark.parametrize(("stage", "line", "canonical"), rows("read"))
def test_a_line_is_one_order_and_its_canonical_form_the_same(
    frame: str, stage: Stage, line: str, canonical: str
) -> None:
    state = at(stage)
    found = one(state, frame.format(line))
    assert format_order(state, found) == canonical
    assert one(state, frame.format(canonical)).but(line=0) == found.but(line=0)


@each_frame
@pytest.mark.parametrize(("stage", "line", "wanted"), rows("unmeant"))
def test_what_cannot_be_meant_is_told_once_with_what_might_be(
    frame: str, stage: Stage, line: str, wanted: list[str]
) -> None:
    understood = meant(at(stage), frame.format(line))
    assert [[found.code, found.hint] for found in understood.complaints] == [wanted]
    assert understood.orders == ()


@pytest.mark.parametrize(("stage", "line", "code"), rows("lacking"))
def test_what_a_line_lacks_is_named(stage: Stage, line: str, code: str) -> None:
    assert [found.code for found in meant(at(stage), line).complaints] == [code]


@pytest.mark.parametrize("row", TABLE["untimely"], ids=lambda row: row.get("one") or row["stage"])
def test_an_order_for_another_letter_says_what_is_asked_and_when_it_will_be(row: Fields) -> None:
    for line, code in row["lines"].items():
        understood = meant(position(row), line)
        (found,) = understood.complaints
        assert (found.code, understood.orders) == (code, ())
        assert dict(found.params)["asked"]
        assert (found.hint == "3") == (code == "illegal-too-late")


@pytest.mark.parametrize("row", TABLE["told"], ids=lambda row: row["says"])
def test_a_letter_is_told_what_it_comes_to(row: Fields) -> None:
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
    state = at("trips", actions={**dict.fromkeys(CODES, ()), "ANN": ("Sabotage",)}, kept=(kept,))
    for text, told in (
        ("DECLINE 1", {"line": "SABOTAGE: red", "at": 0, "notes": [{"what": "stands"}]}),
        ("SABOTAGE Bob: ANY", {"line": "SABOTAGE BOB: ANY", "at": 1, "notes": [{"what": "stands"}]}),
    ):
        assert foreseen(state, text).told["entries"][-1] == told


def test_nothing_of_other_players_hands_or_orders_changes_a_forecast() -> None:
    text = "MOVE 1: violet FROM Magdeburg TO Erfurt\nMOVE 2: red FROM Prag TO Berlin\nSABOTAGE: ANY\nEXTRA 2: Berlin"
    state = at("trips")
    secret = state.but(
        actions={**state.actions, "BOB": ("Sabotage", "Zusatzfracht")},
        kept=(Kept(player="BOB", order=Sabotage(targets=(Target(),))),),
        removed=("green",),
    )
    assert foreseen(secret, text) == foreseen(state, text)
    bids = at("opening").but(kept=(Kept(player="BOB", order=Bid(amounts=(9,))),))
    assert foreseen(bids, "LIMIT 3\nRANK 1") == foreseen(at("opening"), "LIMIT 3\nRANK 1")
    assert forecast(state, "ANN", ()).complaints == ()


@pytest.mark.parametrize("line", CASES.listed("prose"))
def test_prose_is_no_order(line: str) -> None:
    reading = read(at("trips"), f"Hello,\n{line}\n")
    assert (reading.phrases, reading.complaints) == ((), ())
    assert reading.unread == ((1, "Hello,"), (2, line))
    assert read(at("opening"), "RANK 1\n\nPresse: Dampf!").press == "Dampf!"


@CASES.rows
def test_a_player_whose_name_is_a_colours_is_meant_where_the_colour_does_not_fit(line: str, canonical: str) -> None:
    state = at("trips")
    names = {"ANN": "Ann", "RED": "", "VIO": "Violet", "DOT": "Dot"}
    seats = tuple(Player(code=code, colour="red", name=name) for code, name in names.items())
    state = state.but(table=state.table.but(players=seats))
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
    assert stages == {"opening", "auction", "build", "trips"}
    assert len(LETTERS) >= 8


def test_the_guide_lists_every_name_of_every_order_word_and_colour() -> None:
    guide = (ROOT / "orders/volldampf/README.md").read_text(encoding="utf-8")
    named = re.findall("`([^`]+)`", guide.partition("## German, French and Dutch words")[2])
    listed = {fold(name) for name in named} | {fold(name.translate(PLAIN)) for name in named}
    tables = tomllib.loads((ROOT / "orders/volldampf/verbs.toml").read_text(encoding="utf-8"))
    names = [name for verb in tables["verb"].values() for name in verb["aliases"]]
    names += [name for verb in tables["verb"].values() for names in verb.get("in", {}).values() for name in names]
    names += [name for words in tables["words"].values() for name in words]
    board = at("opening").table.board
    signs = {sign for colour in board.colours for sign in (colour.symbol, colour.code)}
    terms = (term for term in board_terms(board) if term.kind in ("TRACK", "CUBE"))
    names += [term.name for term in terms if term.name not in signs]
    assert [name for name in names if fold(name) not in listed] == []


# Whatever may be ordered is read back from its canonical form as the same order.

QUICK = settings(max_examples=60)
SEVERAL: tuple[Stage, ...] = ("opening", "build", "trips")
STATES: Mapping[str, State] = {stage: at(stage, options={"lok_stack": True}) for stage in SEVERAL}
BOARD = STATES["build"].table.board
TRACKS = BOARD.colour_ids

colours = st.sampled_from(CUBE_COLOURS)
cities = st.sampled_from([city.id for city in BOARD.cities])
tracks = st.sampled_from(TRACKS)
few = st.integers(min_value=0, max_value=2)


def group(most: int) -> st.SearchStrategy[Texts]:
    """Return cards in colour order."""
    return st.lists(tracks, min_size=1, max_size=most).map(lambda cards: tuple(sorted(cards, key=TRACKS.index)))


@st.composite
def sites(draw: Any) -> Site:
    if draw(st.booleans()):
        return Site(card=draw(st.sampled_from(("", *TRACKS))))
    link, bargain = draw(st.sampled_from(BOARD.links)), draw(st.booleans())
    card = draw(st.sampled_from(("", *TRACKS)))
    return Site(link=link.id, card="" if card == link.colour and not bargain else card, bargain=bargain)


@st.composite
def deliveries(draw: Any) -> Delivery:
    """A route along links, or cities of which not each is linked to the next."""
    colour, loks = draw(colours), draw(few)
    named = draw(st.lists(cities, min_size=2, max_size=4, unique=True))
    if draw(st.booleans()):
        route = named[:1]
        while len(route) < 4 and (near := [city for city in BOARD.neighbours(route[-1]) if city not in route]):
            route.append(draw(st.sampled_from(near)))
        return Delivery(colour=colour, origin=route[0], goal=route[-1], route=tuple(route), loks=loks)
    whole = all(BOARD.link(here, there) for here, there in pairwise(named))
    via = () if whole else tuple(named[1:-1])
    return Delivery(colour=colour, origin=named[0], goal=named[-1], via=via, loks=loks)


def several(each: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[Any]:
    return st.lists(each, min_size=1, max_size=most).map(tuple)


wishes = st.one_of(st.builds(Wish, number=st.integers(1, 4)), st.builds(Wish, colours=group(3), exact=st.booleans()))
trips = several(st.one_of(deliveries(), st.just(Delivery(colour=DECLINED))))
targets = st.builds(Target, **dict.fromkeys(("origin", "goal", "passing"), st.one_of(st.just(""), cities))).flatmap(
    lambda target: st.sampled_from(("", *CUBE_COLOURS)).map(lambda colour: target.but(colour=colour))
)
moves = st.builds(Plan, when=st.sampled_from(("before", "after")), what=st.just("move"), number=st.sampled_from((1, 2)),
                  colour=colours, origin=cities, goal=cities).filter(lambda plan: plan.origin != plan.goal)  # fmt: skip

ORDERS: dict[str, tuple[str, st.SearchStrategy[Order]]] = {
    "bonds": ("opening", st.builds(TakeBonds, points=st.integers(0, 84))),
    "bid": ("opening", st.lists(st.integers(0, 99), max_size=1).map(lambda figures: Bid(amounts=tuple(figures)))),
    "rank": ("opening", st.builds(Rank, wishes=several(wishes))),
    "rearrange": ("opening", st.builds(Rearrange, groups=several(group(3)))),
    "build": ("build", st.builds(Build, number=st.integers(1, 3), sites=several(sites()))),
    "sabotage": ("build", st.builds(Sabotage, victim=st.sampled_from(("", "BOB", "CID")), trip=few, targets=several(targets))),
    "steal": ("build", st.builds(Steal, players=st.sampled_from(((), ("BOB",), ("DOT", "CID"))))),
    "move": ("trips", st.builds(Move, trip=st.sampled_from((1, 2)), deliveries=trips)),
    "subsidy": ("trips", st.builds(Subsidy, trip=st.sampled_from((3, 4)), deliveries=several(deliveries()))),
    "extra": (
        "trips",
        st.lists(cities, min_size=4, max_size=4).map(
            lambda named: Extra(trip=1, cities=tuple(zip(CUBE_COLOURS, named, strict=True)))
        ),
    ),
    "plan": ("trips", moves),
}  # fmt: skip


@pytest.mark.parametrize("kind", ORDERS)
@QUICK
@given(data=st.data())
def test_a_canonical_form_is_read_back_as_the_same_order(kind: str, data: st.DataObject) -> None:
    stage, orders = ORDERS[kind]
    order = data.draw(orders)
    text = format_order(STATES[stage], order)
    assert one(STATES[stage], text).but(line=0) == order
    assert one(STATES[stage], f"ORDERS\n{text}\nEND").but(line=0) == order


def test_every_legal_delivery_can_be_written_and_read() -> None:
    state = STATES["trips"]
    found = legal_deliveries(state, "ANN", 6)
    assert len(found) > 5
    for delivery in found:
        order = one(state, f"MOVE 1: {format_alternative(BOARD, delivery)}")
        assert order == Move(trip=1, deliveries=(delivery,), line=1)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(CASES.listed("jumbled")), max_size=25))
def test_no_jumble_of_words_is_too_much(found: list[str]) -> None:
    text = " ".join(found)
    for state in STATES.values():
        foreseen(state, text)
        for order in meant(state, text).orders:
            assert one(state, format_order(state, order)).but(line=0) == order.but(line=0)


# The order form and its examples, read back by the order book.

STAGES = ("opening", "bonds", "auction", "choice", "build", "trips")


@pytest.mark.parametrize("stage", STAGES)
def test_examples_are_orders_of_this_board(stage: Stage) -> None:
    state = at(stage)
    lines = example_lines(state)
    understood = meant(state, "\n".join(["ORDERS VD1 6", *lines, "END"]))
    assert understood.complaints == ()
    assert len(understood.orders) == len(lines) > 0


@pytest.mark.parametrize("what", ["bonds", "bid", "choose", "build", "move", "steal"])
def test_examples_of_single_decisions_are_orders_too(what: What) -> None:
    state = asked(what, 1 if what in ("build", "move") else 0)
    lines = example_lines(state)
    understood = meant(state, "\n".join(lines))
    assert (understood.complaints, len(understood.orders)) == ((), 1)


def test_examples_are_of_the_position_and_the_readers_cards() -> None:
    hands = {"ANN": ("pink", "grey"), "BOB": ("green",), "CID": (), "DOT": ()}
    for player, colours in (("ANN", ("pink", "grey")), ("BOB", ("green",))):
        state = at("build", hands=hands)
        (line,) = example_lines(state, player)
        build = one(state, line, player)
        assert isinstance(build, Build)
        link = state.board.link_by_id(build.sites[0].link)
        assert link.colour in colours
        assert line.endswith(f"DISCARD {link.colour}")


@pytest.mark.parametrize("row", TABLE["example"], ids=lambda row: row["says"])
def test_an_example_is_of_its_position(row: Fields) -> None:
    assert example_lines(position(row), "ANN") == [row["line"]]


def test_who_has_no_card_for_a_free_link_gets_an_example_without() -> None:
    state = at("build", hands={"ANN": ("purple",)})
    state = state.but(built={link.id: "BOB" for link in state.board.links if link.colour == "purple"})
    assert example_lines(state, "ANN") == ["BUILD 1: DISCARD purple"]


@CASES.rows
def test_the_form_has_a_line_for_each_extra_trip_that_may_be_made(cards: int, stack: bool, asked: int) -> None:
    """Rule: DIFF 47, R11."""
    hands = {"ANN": (SUBVENTION,) * cards, "BOB": (SUBVENTION, SUBVENTION)}
    lines = form_lines(at("trips", actions=hands, options={"subvention_stack": stack}), "ANN")
    assert lines == ["MOVE 1:", "MOVE 2:", "SUBSIDY:", "SUBSIDY 4:"][: 2 + asked]


@pytest.mark.parametrize("stage", STAGES)
def test_a_form_sent_back_empty_orders_nothing_and_is_no_error(stage: Stage) -> None:
    state = at(stage, actions={"ANN": (SUBVENTION, REARRANGE), "BOB": (), "CID": (), "DOT": ()})
    understood = meant(state, "\n".join(["ORDERS VD1 6", *form_lines(state, "ANN"), "END"]))
    assert understood.orders == ()
    assert [complaint.code for complaint in understood.complaints if complaint.is_error] == []


def test_the_form_of_who_is_asked_for_a_hand_is_read_empty_and_filled_in() -> None:
    state = asked("steal")
    (line,) = form_lines(state, "ANN")
    assert [complaint.code for complaint in meant(state, line).complaints if complaint.is_error] == []
    assert one(state, f"{line} Bob") == Steal(players=("BOB",), line=1)


def test_lines_of_help_name_what_lies_on_the_board() -> None:
    """Each is read as it stands, where it is asked for; the groups, cards and cubes are those of the position."""
    told = help_lines(at("trips"), "ANN")
    verbs_of: Mapping[Stage, str] = {
        "opening": "RANK NEW",
        "build": "BUILD DISCARD",
        "trips": "MOVE SUBSIDY EXTRA PLAN SABOTAGE STEAL",
    }
    for stage, verbs in verbs_of.items():
        for verb in verbs.split():
            understood = meant(at(stage), told[verb])
            assert (understood.complaints, len(understood.orders)) == ((), 1), told[verb]
    assert told["RANK"] == "RANK green+grey, purple, ONLY pink+pink+orange, 4"
    assert (
        told["MOVE"]
        == "MOVE 1: violet FROM Magdeburg VIA Leipzig TO Berlin OR violet Magdeburg-Leipzig-Erfurt OR DECLINE"
    )
    assert told["SABOTAGE"].startswith("SABOTAGE BOB 2: violet FROM Hamburg")
    assert help_lines(at("trips"), "BOB")["SABOTAGE"].startswith("SABOTAGE ANN")
    assert foreseen(at("opening"), f"BONDS 0\nLIMIT 3\n{told['RANK']}").complaints == ()


def test_lines_of_help_where_nothing_is_built_or_open() -> None:
    told = help_lines(at("trips", built={}, cubes={"PRA": ("red",), "MAG": ("violet",)}, groups=()), "ANN")
    assert "RANK" not in told
    closed = help_lines(at("build", groups=((), (), (), ())), "ANN")
    for line in (told["NEW"], closed["NEW"]):
        assert line == "NEW: orange+brown+grey / purple+green+pink / orange+brown+grey / purple+green+pink"
    assert told["MOVE"].startswith("MOVE 1: violet FROM Magdeburg VIA ")
    routed = help_lines(at("trips", options={"route_needed": True}), "ANN")
    assert meant(at("trips", options={"route_needed": True}), routed["MOVE"]).complaints == ()
