// What a click, a drag or a key does to the map with the tool in hand.

/** @typedef {{section?: string, key?: string, kind: string, cell?: (hex: string, area: string, board: Board) => string}} Tool */

const Tools = (() => {
  "use strict";
  let gives = false; // whether hills and plains give the area, too, or leave it as it is
  const land = mark => (hex, area, board) => (!gives && board.area.get(hex) || area) + mark;
  /** @type {Object<string, Tool>} kinds: brush, sides, hexes, ends, place, home, select */
  const ALL = {
    select: {kind: "select"},
    plain: {kind: "brush", cell: land(".")},
    mountain: {kind: "brush", cell: land("^")},
    lake: {kind: "brush", cell: () => "oo"},
    sea: {kind: "brush", cell: () => "~~"},
    outside: {kind: "brush", cell: () => "--"},
    area: {kind: "brush", cell: (hex, area, board) => board.ground.has(hex) ? area + board.ground.get(hex) : ""},
    river: {kind: "sides", section: "river", key: "edges"},
    wide: {kind: "sides", section: "river", key: "wide"},
    closed: {kind: "sides", section: "river", key: "closed"},
    bridge: {kind: "sides", section: "bridge", key: "edges"},
    ferry: {kind: "ends", section: "ferry", key: "ends"},
    causeway: {kind: "sides", section: "causeway", key: "edges"},
    priced: {kind: "sides", section: "priced", key: "edges"},
    forbidden: {kind: "sides", section: "forbidden", key: "edges"},
    walled: {kind: "hexes", section: "forbidden", key: "hexes"},
    open: {kind: "sides", section: "forbidden", key: "open"},
    permitted: {kind: "sides", section: "permitted", key: "edges"},
    town: {kind: "place", section: "station"},
    junction: {kind: "place", section: "junction"},
    home: {kind: "home"},
    special: {kind: "hexes", section: "special", key: "hexes"},
  };
  /** @type {[string, string[]][]} */
  const GROUPS = [["Ground", ["plain", "mountain", "lake", "sea", "outside", "area"]], ["Lines", ["river", "wide", "closed", "bridge", "ferry", "causeway", "priced", "forbidden", "walled", "open", "permitted"]],
    ["Named places", ["town", "junction", "home", "special", "select"]]];
  const H = '<path d="M7 3h10l5 8-5 8H7L2 11z" fill="FILL" stroke="#5d584c"/>', hex = (fill, more = "") => H.replace("FILL", fill) + more;
  const icons = {
    plain: hex("#fbf6e4"), mountain: hex("#e6d3a4", '<path d="M5 16l4-7 4 7zM11 16l4-9 4 9z" fill="#96703a"/>'), lake: hex("#96bfd4"), sea: hex("#b3cfdb", '<path d="M6 9q3-3 6 0t6 0M6 14q3-3 6 0t6 0" fill="none" stroke="#16324a"/>'),
    outside: hex("#d8ceb7"), area: hex("#e6ecd2", '<path d="M12 3v16" stroke="#b3261a" stroke-width="2" stroke-dasharray="3 2"/>'),
    river: hex("#fff", '<path d="M17 3l5 8-5 8" fill="none" stroke="#2f77a6" stroke-width="3"/>'), wide: hex("#fff", '<path d="M17 3l5 8-5 8" fill="none" stroke="#2f77a6" stroke-width="6"/>'),
    closed: hex("#fff", '<path d="M17 3l5 8-5 8" fill="none" stroke="#153f5e" stroke-width="6"/>'), bridge: '<path d="M1 14q11-12 22 0M1 18h22" fill="none" stroke="currentColor" stroke-width="2"/>',
    ferry: '<path d="M3 12h18l-3 5H6zM8 12V6h7v6" fill="none" stroke="currentColor" stroke-width="2"/>', causeway: '<path d="M1 8h22M1 14h22M4 8v6M9 8v6M14 8v6M19 8v6" stroke="currentColor" stroke-width="1.5"/>',
    priced: '<circle cx="12" cy="11" r="9" fill="#d8a93a" stroke="#1d1d1b"/><text x="12" y="15" font-size="11" text-anchor="middle" fill="#1d1d1b">4</text>', forbidden: hex("#fff", '<path d="M17 3l5 8-5 8" fill="none" stroke="#b3261a" stroke-width="4"/>'),
    walled: '<path d="M7 3h10l5 8-5 8H7L2 11z" fill="#fff" stroke="#b3261a" stroke-width="3"/>', open: '<path d="M17 19H7L2 11l5-8h10" fill="#fff" stroke="#b3261a" stroke-width="3"/>',
    permitted: '<path d="M1 11h22" stroke="#5d584c" stroke-width="7"/><path d="M1 11h22" stroke="#fff" stroke-width="4"/>', town: '<circle cx="12" cy="11" r="8" fill="#fff" stroke="#1d1d1b" stroke-width="3"/><text x="12" y="15" font-size="9" text-anchor="middle" fill="#1d1d1b">15</text>',
    junction: '<path d="M12 11V2M12 11l-8 7M12 11l8 7" stroke="currentColor" stroke-width="2"/><circle cx="12" cy="11" r="3.5" fill="currentColor"/>', home: '<path d="M2 12l10-9 10 9M5 11v8h14v-8" fill="#d8a93a" stroke="#1d1d1b"/>',
    special: '<path d="M12 1l3 7 8 .5-6 5 2 7.500-7-4-7 4 2-7.500-6-5 8-.5z" fill="#d8a93a" stroke="#1d1d1b"/>', select: '<path d="M6 2l12 9-6 1 3 7-3 1-3-7-4 4z" fill="currentColor"/>',
  };

  let chosen = "select", area = "", ferry = "", count = "any";
  /** By section: the block that is being drawn; -1: the next click begins one. */
  const active = new Map();
  const at = section => { const n = active.get(section) ?? -1; return n < Edits.blocks(section).length ? n : -1; };

  const nextKey = board => Check.KEYS.find(key => !board.stations.some(each => each.keys.includes(key))) ?? 11;
  const free = (section, word) => { const names = new Set(Edits.blocks(section).map(each => each.name)); let n = Edits.blocks(section).length + 1; while (names.has(`${word} ${n}`)) n += 1; return `${word} ${n}`; };
  /** A new block as it begins, with what must be there. */
  const fresh = (section, board) => ({
    river: () => ({name: free("river", T("River"))}), forbidden: () => ({}), priced: () => ({points: 4}), bridge: () => ({name: free("bridge", T("Bridge")), points: 4}), causeway: () => ({name: free("causeway", T("Causeway"))}),
    ferry: () => ({name: free("ferry", T("Ferry")), points: 4, toll: 2}), permitted: () => ({}), station: () => ({numbers: [nextKey(board)]}), junction: () => ({}),
    special: () => { const number = [1, 2, 3, 4, 5, 6].find(n => !Edits.blocks("special").some(each => each.number === n)) ?? 6; return {number, title: T("Special {number}", {number})}; },
  })[section]();

  /** The words of a list with one of them put in or taken out; as the same side may be written from either end, *is* compares. */
  const toggled = (list, word, is) => list.some(is) ? list.filter(each => !is(each)) : [...list, word];
  const sideOf = (token, board) => {
    const ends = token.split("-").map(each => board.letters ? Sheet.numberedToLabel(each, board.letters, board.rows) || each : each);
    return ends.length === 2 && ends.every(Sheet.parse) ? Sheet.side(ends[0], ends[1]) : token;
  };
  const setList = (section, n, key, list) => {
    const block = Edits.blocks(section)[n], others = Object.keys(block).some(each => ["edges", "wide", "closed", "hexes", "open", "towns", "areas"].includes(each) && each !== key);
    if (list.length) Edits.set(section, n, key, list.join(" "));
    else if (others || (section === "special")) Edits.set(section, n, key, undefined);
    else { Edits.remove(section, n); active.set(section, -1); }
  };
  const putWord = (section, key, word, board, is, only) => {
    Edits.press(); // a block and its first word are one step
    let n = at(section);
    if (n < 0 && only) n = Edits.blocks(section).findIndex(block => Sheet.words(block[key] || "").some(is));
    if (n < 0) { n = Edits.add(section, fresh(section, board)); active.set(section, n); }
    const list = Sheet.words(String(Edits.blocks(section)[n][key] ?? ""));
    const next = only === "add" && list.some(is) ? list : toggled(list, word, is);
    if (next !== list) setList(section, n, key, next);
    return true;
  };
  /** A hex-side for the tool in hand; *adding*: while dragging nothing is taken away. Returns a sentence where it cannot be. */
  const side = (crossing, board, adding) => {
    const tool = ALL[chosen], ends = crossing.split("-"), is = token => sideOf(token, board) === crossing;
    if (ends.some(hex => !board.ground.has(hex) && !board.unread.has(hex))) return T("A hex-side lies between two hexes of land.");
    if (tool.section === "river") {
      // What stands there as another water goes first: a hex-side belongs to one river only.
      const taken = Edits.blocks("river").flatMap((block, n) => ["edges", "wide", "closed"].filter(key => Sheet.words(String(block[key] ?? "")).some(is)).map(key => ({n, key})))[0];
      if (taken && (taken.key !== tool.key || taken.n !== at("river"))) {
        if (adding) return "";
        Edits.press();
        const list = Sheet.words(Edits.blocks("river")[taken.n][taken.key]).filter(token => !is(token));
        if (taken.key === tool.key) { active.set("river", taken.n); setList("river", taken.n, taken.key, list); return ""; }
        active.set("river", taken.n);
        setList("river", taken.n, taken.key, list);
        if (at("river") < 0) { active.set("river", -1); }
      }
    }
    putWord(tool.section, tool.key, crossing, board, is, adding ? "add" : "");
    return "";
  };
  const hexOf = (token, board) => board.letters && board.rows ? Sheet.numberedToLabel(token, board.letters, board.rows) || token : token;
  /** A click on a hex. Returns what is to be told or done: a sentence, or {place} whose name is to be typed. */
  const press = (hex, board) => {
    const tool = ALL[chosen];
    if (tool.kind === "brush") return brush([hex], board);
    if (tool.kind === "hexes") {
      if (!board.ground.has(hex)) return T("A hex of land is needed here.");
      putWord(tool.section, tool.key, hex, board, token => hexOf(token, board) === hex, "");
      return "";
    }
    if (tool.kind === "ends") {
      if (!board.ground.has(hex)) return T("A ferry begins and ends on land.");
      if (!ferry) { ferry = hex; return T("The ferry begins in {hex}: click its other end.", {hex}); }
      const from = ferry;
      ferry = "";
      if (from === hex) return T("The ferry is left alone.");
      active.set("ferry", Edits.add("ferry", {...fresh("ferry", board), ends: `${from}-${hex}`}));
      return {block: ["ferry", at("ferry")]};
    }
    if (tool.kind === "place") {
      const there = [["station", board.stations], ["junction", board.junctions]].map(([section, places]) => [section, places.find(each => each.hex === hex)]).find(([, place]) => place);
      if (there) return {place: [there[0], there[1].where[1]]};
      if (!board.ground.has(hex)) return T("A place lies on land.");
      return {place: [tool.section, -1]};
    }
    if (tool.kind === "home") {
      const town = board.stations.find(each => each.hex === hex);
      if (!town) return T("Companies start in towns: click one.");
      home(town.name);
      return "";
    }
    return "";
  };
  /** A town becomes a home, or is none any more, for the number of companies that is chosen. */
  const home = name => {
    const table = Check.isTable(Edits.doc().home_terminals) ? Edits.doc().home_terminals : {}, old = table[count];
    const list = Array.isArray(old) ? old : old === "any city" ? [] : Check.isTable(old) ? Object.keys(old) : [];
    const next = toggled(list, name, each => each === name);
    Edits.set("home_terminals", 0, count, next.length ? next : undefined);
  };
  const brush = (hexes, board) => {
    const tool = ALL[chosen], painted = hexes.map(hex => [hex, tool.cell(hex, area, board)]).filter(([, cell]) => cell);
    Edits.paint(/** @type {[string, string][]} */ (painted));
    return "";
  };
  /** The last hex-side of the line that is drawn is taken back. */
  const back = () => {
    const tool = ALL[chosen], n = tool.section ? at(tool.section) : -1;
    if (n < 0 || !tool.key || tool.kind === "ends") return false;
    const list = Sheet.words(String(Edits.blocks(tool.section)[n][tool.key] ?? ""));
    if (!list.length) return false;
    setList(tool.section, n, tool.key, list.slice(0, -1));
    return true;
  };
  const end = () => { ferry = ""; if (ALL[chosen].section) active.set(ALL[chosen].section, -1); };
  return {
    ALL, GROUPS, icons, press, side, brush, back, end, home, fresh, active, at, nextKey, sideOf,
    choose: name => { chosen = name; ferry = ""; }, chosen: () => chosen, tool: () => ALL[chosen],
    setArea: letter => { area = letter; }, area: () => area, setGives: value => { gives = value; }, gives: () => gives, setCount: value => { count = value; }, count: () => count, ferry: () => ferry,
  };
})();
