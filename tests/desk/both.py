"""The same orders asked of the referee and of the desk's script in a browser: what both say, in the same words."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from referee.core import Complaint
from referee.games.dampfross import GAME
from referee.games.dampfross.names import place_name
from referee.games.dampfross.state import Build, ChooseHome, Run, State
from referee.report.desk import SCRIPTS
from tests.desk.pages import STATIONERY
from tests.desk.positions import Case

# One call for a whole batch: orders come in as one text, and what they come to goes out as one.
ASK = """text => JSON.stringify(JSON.parse(text).map(batch => batch.cases.map(each => {
  const found = Script.reckon(batch.position, each.reader, each.plan);
  return {
    lines: Script.write(batch.position, each.reader, each.plan),
    complaints: found.complaints.map(one => [one.code, one.paragraph, one.text, one.params, one.hint || ""]),
    rolls: found.rolls.map(one => [one.company, one.roll, one.left,
      one.stops.map(stop => [stop.piece, stop.at, stop.why.code])]),
    money: found.rolls.reduce((all, one) => {
      const [change, paid] = all[one.company] = all[one.company] || [0, {}];
      for (const fee of one.laid.flatMap(step => step.fees)) paid[fee.to] = (paid[fee.to] || 0) + fee.amount;
      const spent = step => step.fees.reduce((sum, fee) => sum + fee.amount, 0)
        + (batch.position.pays && !step.banked ? step.cost : 0);
      all[one.company][0] = change + one.laid.reduce((sum, step) => sum + step.bonus - spent(step), 0);
      return all;
    }, {}),
    entries: found.entries.map(one => [one.company, one.race.number,
      one.trains.map(train => [train.length, train.climbs, train.tolls])]),
    fees: found.rolls.flatMap(one => one.laid.flatMap(step => step.fees.map(fee => step.rival ? "jump" : fee.why))),
    bonuses: found.rolls.flatMap(one => one.laid).filter(step => step.bonus).length,
    banked: found.rolls.flatMap(one => one.laid).filter(step => step.banked).length,
    jumps: found.rolls.flatMap(one => one.laid).filter(step => step.rival).length,
  };
})))"""


def rules_script() -> str:
    """Return what the desk knows of the rules and of its text, without a page."""
    return "\n".join(STATIONERY.source(f"{name}.js", "desk") for name in ("speech", *SCRIPTS["dampfross"]))


def plan_of(case: Case) -> dict[str, Any]:
    """Return a case as the desk keeps it."""
    of: dict[str, Any] = {
        code: {"home": [], "builds": {}, "runs": {}} for code in case.state.companies_under(case.player)
    }
    for order in case.orders:
        own = of[order.company or case.player]
        if isinstance(order, ChooseHome):
            own["home"] = list(order.cities)
        elif isinstance(order, Build):
            own["builds"][order.roll] = [
                {"path": list(piece.path), "jumps": list(piece.jumps)} for piece in order.pieces
            ]
        else:
            routes = [{"path": list(route.path), "over": list(route.over)} for route in order.routes]
            own["runs"][order.race] = {"routes": routes, "partner": order.partner, "condition": ""}
    return {"of": of, "rest": [], "pen": None}


def asked_of_referee(case: Case) -> dict[str, Any]:
    """Return what the referee says of a case."""
    seen = GAME.forecast(case.state, case.player, case.orders)
    rolls, entries, money = [], [], {}
    for company in seen.told["companies"]:
        ordered = {
            each.roll: each
            for each in case.orders
            if isinstance(each, Build) and (each.company or case.player) == company["code"]
        }
        for number, roll in enumerate(company["rolls"], start=1):
            if number in ordered and not _is_anothers(case, company["code"], number):
                stops = [[stop["piece"], stop["at"], stop["complaint"].code] for stop in roll["stops"]]
                rolls.append([company["code"], number, roll["left"], stops])
        runs = [
            each for each in case.orders if isinstance(each, Run) and (each.company or case.player) == company["code"]
        ]
        for run, entry in zip(runs, company["entries"], strict=True):
            trains = [
                [
                    route["length"],
                    route["climbs"],
                    {("*" if toll["code"] == "neutral" else toll["code"]): toll["amount"] for toll in route["tolls"]},
                ]
                for route in entry["routes"]
            ]
            entries.append([company["code"], run.race, trains])
        paid = {each["code"]: each["amount"] for each in company["money"]["paid"]}
        if any(each[0] == company["code"] for each in rolls):
            money[company["code"]] = [company["money"]["change"], paid]
    return {
        "complaints": [_plain(each) for each in seen.complaints],
        "rolls": rolls,
        "entries": entries,
        "money": money,
    }


def _is_anothers(case: Case, company: str, roll: int) -> bool:
    """Return whether another player leads David in a roll."""
    return company == "DAVID" and case.state.david_leader(roll) != case.player


def _plain(complaint: Complaint) -> list[Any]:
    return [complaint.code, complaint.paragraph, complaint.text, dict(complaint.params), complaint.hint]


def asked_of_desk(page: Any, cases: Iterable[Case]) -> list[dict[str, Any]]:
    """Return what the script says of cases, in their order; a position is handed over once."""
    batches: list[dict[str, Any]] = []
    last: State | None = None
    for case in cases:
        if case.state is not last:
            batches.append({"position": GAME.desk(case.state), "cases": []})
            last = case.state
        batches[-1]["cases"].append({"reader": case.player, "plan": plan_of(case)})
    return [each for batch in json.loads(page.evaluate(ASK, json.dumps(batches))) for each in batch]


def differences(cases: list[Case], page: Any) -> tuple[list[str], Counter[str]]:
    """Return where the two do not say the same, and how often each code, fee and so on came up."""
    wrong: list[str] = []
    seen: Counter[str] = Counter()
    for case, said in zip(cases, asked_of_desk(page, cases), strict=True):
        right = asked_of_referee(case)
        at_names = {"rolls": _with_names(case.state, said["rolls"])}
        for key in ("complaints", "rolls", "entries", "money"):
            one, other = right[key], at_names.get(key, said[key])
            if json.loads(json.dumps(one)) != other:
                wrong.append(f"{case.state.table.board.name} {case.player} {key}\n {one}\n {other}\n {said['lines']}")
                break
        seen.update(each[0] for each in said["complaints"])
        seen.update(stop[2] for roll in said["rolls"] for stop in roll[3])
        seen.update(f"fee-{each}" for each in said["fees"])
        seen.update({"bonuses": said["bonuses"], "banked": said["banked"], "jumps": said["jumps"]})
        seen.update(
            f"tolls-{'*' if '*' in train[2] else 'rival'}"
            for entry in said["entries"]
            for train in entry[2]
            if train[2]
        )
    return wrong, seen


def _with_names(state: State, rolls: list[Any]) -> list[Any]:
    board = state.table.board
    return [
        [company, roll, left, [[piece, place_name(board, at) if at else "", code] for piece, at, code in stops]]
        for company, roll, left, stops in rolls
    ]
