"""Volldampf's order desk in a browser: it reckons as the referee does, and the text of its buttons is understood."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.games.volldampf import GAME
from referee.games.volldampf.notation import format_alternative
from referee.games.volldampf.routing import legal_deliveries
from referee.games.volldampf.state import State
from referee.report.desk import SCRIPTS, script_of
from tests.browser import AXE, new_page
from tests.desk.pages import SPOKEN, STATIONERY, desk_of_volldampf, speaking
from tests.desk.volldampf import Case, answer_of, position_for, random_lines, with_options
from tests.games import lines as letters
from tests.games.volldampf.wholegame import games, recorded_game
from tests.tables import Tables

CASES = Tables(__file__)


if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LARGEST = 500_000  # bytes
MUTATIONS = (
    "BARGAIN_COST = 5=>BARGAIN_COST = 6",
    "OWN = 64=>OWN = 1",
    "HEAVY = 20=>HEAVY = 30",
    "choose: 4=>choose: 9",
)
# What the page makes of each letter: what it could not read, its lines, faults, notes; and where its buttons lead.
RECKON = """text => JSON.stringify(JSON.parse(text).map(({pos, reader, sets}) => sets.map(lines => {
  const {plan, faults} = Script.read(pos, reader, lines), done = Script.reckon(pos, reader, plan);
  const view = Script.show(pos, reader, plan, "", key => key), leads = [];
  for (const tab of view.tabs)
    for (const step of Script.show(pos, reader, plan, tab.id, key => key).steps.slice(0, 40))
      leads.push(Script.write(pos, reader, step.go));
  return {unread: faults, lines: Script.write(pos, reader, plan), faults: done.faults, notes: done.notes, leads};
})))"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Page:
    blank = chromium.new_page()
    blank.set_content("<title>Volldampf</title>")
    blank.evaluate(script_for("") + "; window.Script = Script;")
    return blank


def thrown(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 (no secret)


def script_for(change: str) -> str:
    """Return the script without its start; *change*: ``this=>that`` makes another one of it."""
    script = script_of(STATIONERY, SCRIPTS["volldampf"]).removesuffix("Shell.start();")
    if change:
        this, _, that = change.partition("=>")
        assert this in script
        script = script.replace(this, that, 1)
    return script


def cases_of(names: list[str], each: int, dice: random.Random) -> Iterator[tuple[State, Case]]:
    """Yield positions of recorded games with letters: those that were written, and *each* as many at random."""
    for name in names:
        for turn in recorded_game(name)[2]:
            for player in (owed.player for owed in GAME.awaiting(turn.before)):
                state = with_options(turn.before, dice)
                written = [turn.lines.get(player, ())]
                sets = [*written, *(random_lines(state, player, dice) for _ in range(each))]
                answers = [answer_of(state, player, lines) for lines in sets]
                clean = [(lines, it) for lines, it in zip(sets, answers, strict=True) if it["clean"]]
                position = position_for(state, player)
                yield (
                    state,
                    {
                        "pos": position,
                        "reader": player,
                        "sets": [lines for lines, _ in clean],
                        "answers": [it for _, it in clean],
                    },
                )


def in_order(found: list[Any]) -> list[str]:
    return sorted(json.dumps(each, sort_keys=True, ensure_ascii=False) for each in found)


def differences(page: Page, cases: list[Case], codes: Counter[str]) -> list[str]:
    """Return what the page reckons other than the referee, and count the codes that came up."""
    asked = json.dumps([{key: it[key] for key in ("pos", "reader", "sets")} for it in cases], ensure_ascii=False)
    found: list[str] = []
    for case, made in zip(cases, json.loads(page.evaluate(RECKON, asked)), strict=True):
        for lines, answer, got in zip(case["sets"], case["answers"], made, strict=True):
            codes.update(fault["code"] for fault in answer["faults"])
            faults = [{"hint": "", **fault} for fault in got["faults"]]
            written = sorted(line for line in got["lines"] if line != "PASS")
            same = (
                not got["unread"]
                and written == answer["lines"]
                and in_order(faults) == in_order(answer["faults"])
                and in_order(got["notes"]) == in_order(answer["notes"])
            )
            found += [] if same else [f"{case['reader']}: {lines}\n  {answer}\n  {got}"]
    return found


# Every refusal that today's board can give, but for those that need cards or places which hardly come together.
WANTED = {
    "illegal-no-track-card",
    "illegal-card-colour",
    "illegal-link-taken",
    "illegal-no-card",
    "illegal-no-cube",
    "illegal-wrong-goal",
    "illegal-lok-stack",
    "illegal-not-built",
    "illegal-must-stop",
    "illegal-not-joined",
    "illegal-no-route",
    "illegal-stops-before",
    "illegal-arrangement-cards",
    "illegal-no-group",
    "illegal-subsidy-first",
    "illegal-subsidy-once",
    "illegal-no-subsidy",
    "warning-card-gone",
    "warning-too-dear",
    "warning-bid-over-cash",
    "warning-bid-range",
    "warning-no-card-yet",
    "note-after-decline",
    "note-no-trip",
}


def parity(page: Page, names: list[str], each: int) -> tuple[int, Counter[str]]:
    codes: Counter[str] = Counter()
    cases = [case for _, case in cases_of(names, each, thrown(17))]
    assert differences(page, cases, codes)[:3] == []
    return sum(len(case["sets"]) for case in cases), codes


def test_the_page_reckons_letters_as_the_referee_does(page: Page) -> None:
    count, codes = parity(page, ["post together 3"], 2)
    assert count > 80
    assert len(codes) > 20


def test_a_card_that_an_extra_trip_counts_on_is_there_for_the_next(page: Page) -> None:
    state = state_at("trips").but(actions={"ANN": ()})
    state = state.but(
        table=state.table.but(options=state.options.but(decline_card_when="at_once", subvention_stack=True))
    )
    made = format_alternative(state.board, legal_deliveries(state, "ANN", 1)[0])
    nowhere = "red FROM Hamburg TO Warschau"
    lines = (f"SUBSIDY: {made}", f"SUBSIDY 4: {nowhere}", f"PLAN AFTER SUBSIDY: {nowhere}")
    answer, codes = answer_of(state, "ANN", lines), Counter[str]()
    case = {"pos": position_for(state, "ANN"), "reader": "ANN", "sets": [lines], "answers": [answer]}
    assert differences(page, [case], codes) == []
    assert answer["clean"]
    assert codes["warning-plan-no-trip"] == 1


@pytest.mark.testdesk
def test_the_page_reckons_letters_of_all_recorded_games_as_the_referee_does(page: Page) -> None:
    count, codes = parity(page, list(games()), 12)
    assert count > 10_000
    assert set(codes) >= WANTED, WANTED - set(codes)


def test_what_its_buttons_write_is_understood_without_a_complaint(page: Page) -> None:
    """Whatever a step of the list leads to is read by the order book."""
    tried = 0
    for state, case in cases_of(["post together 3"], 1, thrown(3)):
        asked = json.dumps([{**case, "answers": []}], ensure_ascii=False)
        (made,) = json.loads(page.evaluate(RECKON, asked))
        leads = {tuple(lines) for each in made for lines in each["leads"] if lines}
        for lines in sorted(leads)[::40]:
            _, complaints = letters.understood(GAME, state, case["reader"], lines)
            assert complaints == (), lines
            tried += 1
    assert tried > 40


@pytest.mark.testdesk
def test_no_constant_can_be_changed_without_a_difference(page: Page) -> None:
    cases = [case for _, case in cases_of(["pack 0 4", "post together 3"], 6, thrown(17))]
    alive = []
    for change in MUTATIONS:
        try:
            page.evaluate(script_for(change) + "; window.Script = Script;")
            if not differences(page, cases, Counter()):
                alive.append(change)
        finally:
            page.evaluate(script_for("") + "; window.Script = Script;")
    assert alive == []


@CASES.rows
def test_words_of_other_languages_are_read(page: Page, typed: str, read: str) -> None:
    asked = [speaking(GAME, state_at("trips")), typed]
    found = page.evaluate("([pos, typed]) => Script.write(pos, 'ANN', Script.read(pos, 'ANN', [typed]).plan)", asked)
    assert found == [read]


def test_a_whole_text_in_another_language_is_read(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "desk.html"
    file.write_text(desk_of_volldampf(state_at("trips")), "utf-8")
    sheet = new_page(browser)
    sheet.goto(f"{file.as_uri()}#c=ANN")
    sheet.fill("#orders", "Hallo!\nAUFTRÄGE VD1 6\nSTEHLE VON Bob\nENDE\nPRESSE: Alles einsteigen\n\nBis bald")
    sheet.focus("#press")
    written = sheet.input_value("#orders").splitlines()
    assert written[1:5] == ["STEAL FROM BOB", "END", "", "PRESS: Alles einsteigen"]


def test_buttons_and_text_say_orders_in_the_readers_language_and_read_them_back(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "desk.html"
    file.write_text(desk_of_volldampf(state_at("trips"), SPOKEN), "utf-8")
    sheet = new_page(browser)
    sheet.goto(f"{file.as_uri()}#c=ANN&l=de")
    assert sheet.title() == sheet.inner_text("h1")
    assert sheet.title().endswith(": Zeichenbrett für Aufträge")
    sheet.get_by_role("button", name="STEHLEN", exact=True).click()
    for name in ("Cid", "Bob"):
        sheet.get_by_role("button", name=name, exact=True).click()
    sheet.fill("#press", "None of you will ORDER a red one.")
    text = sheet.input_value("#orders")
    assert text.splitlines()[1:] == [
        "STEHLEN VON CID, BOB",
        "ENDE",
        "",
        "PRESSE: None of you will ORDER a red one.",
    ]
    assert text.startswith("AUFTRÄGE ")
    text = text.replace("STEHLEN", "FAHRT 1: VERZICHT\nSTEHLEN")
    sheet.fill("#orders", text)
    assert not sheet.locator("#unread li").count()
    sheet.focus("#press")
    assert sheet.input_value("#orders") == text


def test_who_is_known_by_company_alone_is_named_once(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "desk.html"
    file.write_text(desk_of_volldampf(state_at("trips")).replace('"name":"Bob"', '"name":"BOB"'), "utf-8")
    sheet = new_page(browser)
    sheet.goto(file.as_uri())
    assert sheet.locator("#who option").all_inner_texts()[1:3] == ["ANN Ann", "BOB"]


def test_whom_to_steal_from_and_a_second_target_are_buttons(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "desk.html"
    state = state_at("trips").but(actions={"ANN": ("Sabotage",)})
    file.write_text(desk_of_volldampf(state), "utf-8")
    sheet = new_page(browser)
    sheet.goto(f"{file.as_uri()}#c=ANN")
    sheet.get_by_role("button", name="STEAL", exact=True).click()
    for name in ("Cid", "Bob"):
        sheet.get_by_role("button", name=name, exact=True).click()
    assert sheet.input_value("#orders").splitlines()[1:-1] == ["STEAL FROM CID, BOB"]
    sheet.get_by_role("button", name="Action cards").click()
    for name in ("Sabotage", "Bob", "Any", "red", "SABOTAGE BOB: red or ...", "FROM Berlin"):
        sheet.get_by_role("button", name=name, exact=True).click()
    assert "SABOTAGE BOB: red OR FROM Berlin" in sheet.input_value("#orders")


def test_no_wish_is_offered_twice_and_a_group_shows_its_cards(browser: Browser, tmp_path: Path) -> None:
    """A goal that stands in the line already is no second wish; RANK shows as many cards as the group has."""
    for stage, name in (("trips", "ANN"), ("opening", "BOB")):
        file = tmp_path / f"{stage}.html"
        file.write_text(desk_of_volldampf(state_at(stage)), "utf-8")
        sheet = new_page(browser)
        sheet.goto(f"{file.as_uri()}#c={name}")
        if stage == "opening":
            sheet.get_by_role("button", name="RANK", exact=True).click()
            rows = sheet.locator("#steps button:has(svg)").evaluate_all(
                "all => all.map(each => [each.textContent, each.children.length])"
            )
            assert len(rows) > 1
            assert all(len(text.split("+")) == cards for text, cards in rows)
            continue
        wishes: list[str] = []
        for _ in range(6):
            begun = sheet.locator("#steps button:not(.main)", has_text=re.compile("^(or )?(blue|red|violet|yellow) "))
            if not begun.count():
                break
            begun.first.click()
            sheet.locator("#steps button", has_text=" - ").first.click()
            wishes = sheet.input_value("#orders").splitlines()[1].partition(" ")[2].partition(" ")[2].split(" OR ")
        assert len(wishes) == len(set(wishes)) > 1


def state_at(stage: str) -> State:
    return next(turn.before for turn in recorded_game("post together 3")[2][3:] if turn.before.stage == stage)


def test_the_file_is_small_and_tells_no_secret() -> None:
    state = state_at("trips")
    assert 100_000 < len(desk_of_volldampf(state).encode()) < LARGEST
    told = GAME.desk(state)
    assert all(each["actions"] is None for each in told["players"].values())
    assert not told["kept"]


@pytest.mark.testlong
@pytest.mark.parametrize(("width", "height", "scheme"), [(375, 800, "dark"), (1280, 900, "light")])
def test_a_round_is_ordered_by_buttons_alone(browser: Browser, width: int, height: int, scheme: Any) -> None:
    """Build, then trips, at the size of a phone and of a desk; axe has nothing to say."""
    errors: list[str] = []
    for stage, verb in (("opening", "BONDS"), ("build", "BUILD 1"), ("trips", "MOVE 1")):
        screen, media = {"width": width, "height": height}, {"color_scheme": scheme}
        sheet = new_page(browser, screen, media)
        sheet.on("pageerror", lambda error: errors.append(str(error)))
        sheet.set_content(desk_of_volldampf(state_at(stage)))
        sheet.select_option("#who", index=1)
        for _ in range(8):
            if re.search(rf"^{verb}\b", sheet.input_value("#orders"), re.MULTILINE):
                break
            sheet.locator("#steps button").first.click()
        assert re.search(rf"^{verb}\b", sheet.input_value("#orders"), re.MULTILINE)
        sheet.click("#undo")
        sheet.click("#redo")
        assert sheet.evaluate("document.documentElement.scrollWidth") <= width
        assert errors == []
        sheet = new_page(browser, screen, media, bypass_csp=True)
        sheet.set_content(desk_of_volldampf(state_at(stage)))
        sheet.select_option("#who", index=1)
        sheet.add_script_tag(path=str(AXE))
        found = sheet.evaluate(
            "axe.run().then(done => done.violations.map(each => each.id + ': ' + each.nodes[0].html))"
        )
        assert found == []
