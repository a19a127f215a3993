"""What was expected against what came: differences by key, events as an ordered subsequence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from referee.core import ALTERNATIVE, Fields, PositionError, ScenarioError, Texts, Value
from referee.core.game import Game
from referee.core.texts.positiontable import suggest

from .file import WORDS, complaint_codes

Events = tuple[Fields, ...]  # as plain tables, each with its ``kind``
NOTHING = "nothing"
RANKED = ("scores", "balances")  # what places are counted by, the first before the second
MOST_SHOWN = 8  # events of the same kind shown beside one that did not come


class Mismatch(Value, kw_only=False):
    """One key of the file: what it says, and what was found there."""

    where: str
    expected: Any
    found: Any


class FoundState(Value):
    """What came: the position, events as plain tables, the codes of complaints by player."""

    game: Game
    state: Any
    events: Events
    complaints: Mapping[str, Texts]


def differences(where: str, expect: Fields, found: FoundState) -> tuple[Mismatch, ...]:
    """Return the differences of one ``[expect]`` table, key by key.

    Raises:
        ScenarioError: a key is no key of a position, or its value cannot be one.
    """
    result: list[Mismatch] = []
    position = {name: value for name, value in expect.items() if name not in WORDS}
    result += _of_position(where, position, found)
    result += _of_events(f"{where}.events", expect.get("events", []), found.events)
    result += [
        Mismatch(f"{where}.no_events[{place}]", f"none: {each}", event)
        for place, each in enumerate(expect.get("no_events", []), start=1)
        for event in found.events
        if matches(each, event)
    ][:MOST_SHOWN]
    result += _of_exact(f"{where}.exactly", expect.get("exactly", {}), found.events)
    result += _of_lists(f"{where}.complaints", expect.get("complaints", {}), found.complaints)
    result += _of_lists(f"{where}.refused", expect.get("refused", {}), refusal_codes(found.events))
    if "standings" in expect:
        result += _unequal(f"{where}.standings", expect["standings"], standings(found.game.facts(found.state)))
    return tuple(result)


def name_faults(where: str, expect: Fields, found: FoundState) -> Texts:
    """Return a sentence for each event whose kind or fields the game does not have, each company that is not there, and each
    complaint that nobody can hear."""
    return (*_event_faults(where, expect, found), *_code_faults(where, expect, found))


def _event_faults(where: str, expect: Fields, found: FoundState) -> Texts:
    fields = {kind.__name__: {*kind.__struct_fields__} for kind in found.game.event_kinds}
    exact = ({"kind": kind, **event} for kind, listed in expect.get("exactly", {}).items() for event in listed or [{}])
    faults = []
    for event in (*expect.get("events", []), *expect.get("no_events", []), *exact):
        kind = event["kind"]
        if kind not in fields:
            faults.append(f"{where}: there is no event {kind!r} ({suggest(kind, fields)})")
            continue
        wrong = sorted(set(event) - fields[kind] - {"kind"})
        faults += [f"{where}: {kind} has no field {name!r} ({suggest(name, sorted(fields[kind]))})" for name in wrong]
    companies = found.game.facts(found.state)["balances"] if "refused" in expect else {}
    unknown = [code for code in expect.get("refused", {}) if code not in companies]
    return (
        *faults,
        *(f"{where}.refused.{code}: there is no company {code!r} ({', '.join(companies)})" for code in unknown),
    )


def _code_faults(where: str, expect: Fields, found: FoundState) -> Iterator[str]:
    complaints = [
        (f"{where}.{name}", each.get("complaint")) for name in ("events", "no_events") for each in expect.get(name, [])
    ]
    for name in ("complaints", "refused"):
        complaints += [
            (f"{where}.{name}.{code}", each) for code, codes in expect.get(name, {}).items() for each in codes
        ]
    known = complaint_codes(found.game.name)
    for at, code in dict.fromkeys((at, code) for at, code in complaints if isinstance(code, str)):
        if code.removeprefix(ALTERNATIVE) not in known:
            yield f"{at}: there is no complaint {code!r} ({suggest(code, known)})"


def standings(facts: Fields) -> list[str]:
    """Return who stands where, best first: by ``scores``, where a game counts them, then by cash; equal ones together:
    ``GSW = MGW``."""
    counts = [facts[name] for name in RANKED if name in facts]
    ranks = {code: tuple(count[code] for count in counts) for code in facts["balances"]}
    return [
        " = ".join(code for code in ranks if ranks[code] == rank) for rank in sorted(set(ranks.values()), reverse=True)
    ]


def refusal_codes(events: Events) -> dict[str, Texts]:
    """Return the codes of what the rules refused, by company or player, in the order of the events."""
    codes: dict[str, Texts] = {}
    for event in events:
        complaint, company = event.get("complaint"), event.get("company", event.get("player"))
        if isinstance(complaint, dict) and isinstance(company, str):
            codes[company] = (*codes.get(company, ()), complaint["code"])
    return codes


def matches(expected: Any, found: Any) -> bool:
    """Return whether a value found is as expected: of a table only the keys named count; a complaint is named by its code."""
    if isinstance(expected, dict) and isinstance(found, dict):
        table = dict(found["map"]) if "map" in found else found
        return all(name in table and matches(value, table[name]) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(matches, expected, found))
    if isinstance(expected, str) and isinstance(found, dict) and "code" in found:
        return bool(expected == found["code"])
    return type(expected) is type(found) and bool(expected == found)


def _of_position(where: str, written: Fields, found: FoundState) -> list[Mismatch]:
    if not written:
        return []
    known = found.game.facts(found.state)
    unknown = [name for name in written if name not in known]
    if unknown:
        names = ", ".join((*WORDS, *known))
        raise ScenarioError("", tuple(f"{where}.{name}: there is no such key (there is {names})" for name in unknown))
    different = []
    for name, value in written.items():
        expected = _in_its_form(where, name, value, found)
        different += _unequal(f"{where}.{name}", expected, known[name], only=value)
    return different


def _in_its_form(where: str, name: str, value: Any, found: FoundState) -> Any:
    """Return a value of a position in the game's own form, as facts are told: placed and told again. Raises ScenarioError.

    What is well written and cannot be (more cubes than there are, rolls in another phase) is as it was written: not met.
    """
    try:
        return _place(name, value, found)
    except PositionError as error:
        own = (fault for fault in error.faults if re.match(rf"{name}\b", fault))
        unread = tuple(fault for fault in own if fault not in error.clashes)
        if unread:
            raise ScenarioError("", tuple(f"{where}.{fault}" for fault in unread)) from error
    tables = isinstance(value, dict) and isinstance(found.game.facts(found.state)[name], dict)
    return _entries_in_their_form(name, value, found) if tables else value


def _entries_in_their_form(name: str, value: Fields, found: FoundState) -> Fields:
    """Return the entries of a table, each placed by itself; those that still cannot be as they were written."""
    entries: dict[str, Any] = {}
    for key, expected in value.items():
        try:
            placed = _place(name, {key: expected}, found)
        except PositionError:
            placed = {key: expected}
        if key in placed:
            entries[key] = placed[key]
        else:  # it was called by another name
            known = found.game.facts(found.state)[name]
            entries.update({other: each for other, each in placed.items() if each != known[other]})
    return entries


def _place(name: str, value: Any, found: FoundState) -> Any:
    return found.game.facts(found.game.place(found.state, {name: value}))[name]


def _unequal(where: str, expected: Any, found: Any, only: Any = None, whole: bool = False) -> list[Mismatch]:
    """Return the differences of two values, of tables entry by entry. *only*: the entries the file names; all of them are
    compared where it calls one by another name, since what it does not name was placed as it was found. *whole*: nothing
    else may be found than is expected, as within an entry that is a table itself."""
    if isinstance(expected, dict) and isinstance(found, dict):
        named = only if isinstance(only, dict) and only.keys() <= expected.keys() else expected
        names = [name for name in expected if name in named]
        names += [name for name in found if whole and name not in expected]
        return [
            each
            for name in names
            for each in _unequal(f"{where}.{name}", expected.get(name, NOTHING), found.get(name), whole=True)
        ]
    return [] if expected == found else [Mismatch(where, expected, NOTHING if found is None else found)]


def _of_events(where: str, expected: list[Fields], events: Events) -> list[Mismatch]:
    """Each expected event must come, in this order; others may come between them."""
    at = 0
    for place, wanted in enumerate(expected, start=1):
        index = next((index for index in range(at, len(events)) if matches(wanted, events[index])), None)
        if index is None:
            after = f", after {expected[place - 2]['kind']}" if at else ""
            similar = [event for event in events[at:] if event["kind"] == wanted["kind"]]
            shown = similar[:MOST_SHOWN] or f"no {wanted['kind']}"
            return [Mismatch(f"{where}[{place}]{after}", wanted, shown)]
        at = index + 1
    return []


def _of_exact(where: str, expected: Mapping[str, list[Fields]], events: Events) -> Iterator[Mismatch]:
    """Of each kind these events must come, in this order, and no other."""
    for kind, wanted in expected.items():
        came = [event for event in events if event["kind"] == kind]
        if not matches(wanted, came):
            named = {name for each in wanted for name in each}
            shown = [
                {name: field for name, field in event.items() if name in named} if named else event for event in came
            ]
            yield Mismatch(f"{where}.{kind}", wanted, shown)


def _of_lists(where: str, expected: Mapping[str, list[str]], found: Mapping[str, Texts]) -> list[Mismatch]:
    """Compare codes by player. Notes count only where the file names them: they are worth knowing, not wrong."""
    different = []
    for player, codes in expected.items():
        heard = [code for code in found.get(player, ()) if code in codes or not code.startswith("note-")]
        if heard != codes:
            different.append(Mismatch(f"{where}.{player}", codes, heard))
    return different
