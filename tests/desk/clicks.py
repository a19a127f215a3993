"""Somebody who orders from a desk alone: they click the buttons that lead to what they want, and type what no button says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

Lines = tuple[str, ...]

# Plans that are wanted and those that a step leads to are compared as values; of the legal steps the one is clicked after which
# most of what is wanted is there and nothing else. The buttons of the list are those of the page, in the order of the view.
CLICK = """wanted => {
  const $ = id => document.getElementById(id), word = key => key;
  const pos = JSON.parse($("position").textContent), reader = $("who").value;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const starts = (all, some) => some.length <= all.length && some.every((each, at) => same(each, all[at]));
  const among = (all, some) => some.every(each => all.some(other => same(each, other)));
  const target = Script.read(pos, reader, wanted, word).plan;
  const size = value => Array.isArray(value) ? value.reduce((sum, each) => sum + 1 + size(each), 0)
    : value && typeof value === "object" ? Object.values(value).reduce((sum, each) => sum + size(each), 0) : value ? 1 : 0;

  // Dampfross: homes, pieces and routes grow hex by hex.
  const ways = (all, some, parts) => some.every((each, at) => all[at] && parts.every(part => starts(all[at][part], each[part]))
    && (at === some.length - 1 || same(all[at].path, each.path)) && (each.aim || "") === (all[at].aim || "")
    && (each.most ?? -1) <= (all[at].most ?? -1));
  const ownWithin = (all, some) => starts(all.home, some.home)
    && Object.keys(some.builds).every(roll => ways(all.builds[roll] || [], some.builds[roll], ["path", "jumps"]))
    && Object.keys(some.runs).every(race => all.runs[race] && ["", all.runs[race].partner].includes(some.runs[race].partner)
      && ["", all.runs[race].condition].includes(some.runs[race].condition)
      && ways(all.runs[race].routes, some.runs[race].routes, ["path", "over"]));
  // Volldampf: lists of wishes grow one by one; a trip or a card that is begun must lead to one that is wanted.
  const deliveries = Object.values(target.trips || {}).flat();
  const meant = each => [each.colour, each.origin, each.goal, each.route, each.loks, each.via];
  const listed = (all, some) => Object.keys(some).every(key => starts((all[key] || []).map(meant), some[key].map(meant)));
  const card = (all, some) => Object.keys(some).filter(key => key !== "card")
    .every(key => key === "cities" ? among(Object.entries(all.cities || {}), Object.entries(some.cities))
      : key === "targets" ? starts(all.targets || [], some.targets) : same(all[key], some[key]));
  const begun = pen => !pen || (pen.card ? [...target.before, ...target.sabotage].some(each => card(each, pen))
    : deliveries.some(each => each.colour === pen.colour && each.origin === pen.route[0] && each.loks >= pen.loks
      && (each.route.length ? starts(each.route, pen.route) : pen.route.length === 1)));
  const within = plan => among(target.rest, plan.rest) && (plan.of
    ? Object.keys(plan.of).every(code => ownWithin(target.of[code], plan.of[code]))
    : [null, target.bonds].includes(plan.bonds) && (!plan.bid || (target.bid && starts(target.bid, plan.bid)))
      && starts(target.rank, plan.rank) && (!plan.groups.length || same(plan.groups, target.groups))
      && Object.keys(plan.steals).every(key => starts(target.steals[key] || [], plan.steals[key]))
      && Object.keys(plan.builds).every(key => starts(target.builds[key] || [], plan.builds[key]))
      && listed(target.trips, plan.trips) && among(target.before, plan.before)
      && among(target.sabotage, plan.sabotage) && begun(plan.pen));
  const reached = plan => 1000 * size({...plan, pen: null, ...(plan.bonds === 0 ? {bonds: 1} : {})}) + size(plan.pen || {});

  let plan = Script.blank(pos, reader), at = "", clicks = 0;
  for (;;) {
    const {tabs, at: open} = Script.show(pos, reader, plan, at, word);
    let best = null;
    for (const tab of [{id: open}, ...tabs.filter(each => each.id !== open)]) {
      Script.show(pos, reader, plan, tab.id, word).steps.forEach((step, index) => {
        const now = reached(step.go);
        if (now > (best ? best.now : reached(plan)) && within(step.go)) best = {tab: tab.id, index, step, now};
      });
      if (best) break;
    }
    if (!best) break;
    if (best.tab !== open) $("tabs").children[tabs.findIndex(tab => tab.id === best.tab)].click();
    $("steps").children[best.index].querySelector("button").click();
    clicks += 1;
    plan = best.step.go;
    at = best.step.at === undefined ? best.tab : best.step.at;
  }
  const done = Script.write(pos, reader, plan).join("\\n") === Script.write(pos, reader, target).join("\\n");
  return {clicks, done};
}"""


class Clicker:
    """Puts order lines into desks and gives back what their text says. ``counted``: clicks; letters that were clicked, typed."""

    def __init__(self, page: Page, file: Path, desk_of: Callable[[Any], str]) -> None:
        self.counted: Counter[str] = Counter()
        self._page, self._file, self._desk_of = page, file, desk_of
        self._shown: Any = None

    def __call__(self, state: Any, player: str, lines: Lines) -> Lines:
        page = self._page
        if self._shown is not state:
            self._file.write_text(self._desk_of(state), "utf-8")
            page.goto(self._file.as_uri())
            self._shown = state
        page.select_option("#who", player)
        done = page.evaluate(CLICK, list(lines))
        self.counted["clicks"] += done["clicks"]
        self.counted["clicked" if done["done"] else "typed"] += 1
        if not done["done"]:
            page.fill("#orders", "\n".join(lines))
            page.focus("#press")
        head, *written = page.input_value("#orders").split("\n")
        if head.startswith("ORDERS "):
            assert written[-1] == "END"
            return tuple(written[:-1])
        return (head, *written)  # with a line that the page cannot read the text stays as it was typed
