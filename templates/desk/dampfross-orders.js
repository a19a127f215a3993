// Orders of Dampfross: plans of homes, builds and runs, their text in both directions, and what they come to.

/** @typedef {{home: string[], builds: Object<string, Piece[]>, runs: Object<string, Run>}} Own  what a company is ordered */
/** @typedef {{routes: Route[], partner: string, condition: string}} Run */

const Orders = (() => {
  "use strict";
  const H = Hexes, B = Building, T = Trains;

  const blank = (pos, reader) => ({
    of: Object.fromEntries((pos.led[reader] || []).map(code => [code, {home: [], builds: {}, runs: {}}])), rest: [], pen: null,
  });
  const copy = plan => JSON.parse(JSON.stringify(plan));
  const with_ = (plan, change) => {
    const made = copy(plan);
    made.rest = made.rest.filter(line => !Speech.isPass(line)); // who orders something does not pass
    change(made);
    return made;
  };

  // --- text ---

  const writtenPiece = (pos, piece) => {
    const ends = new Set(piece.jumps.flatMap(at => [at - 1, at]));
    return H.namedPoints(pos, piece.path, ends).map(at => {
      const name = H.placeName(pos, piece.path[at]);
      return at === 0 ? `(${name})` : piece.jumps.includes(at) ? `JUMP ${name}` : name;
    }).join(" - ");
  };
  const writtenRoute = (pos, route) => {
    if (route.aim) return route.aim.toUpperCase() + (route.most >= 0 ? ` MAX ${route.most}` : "");
    const changes = new Set(route.over.map((_, at) => at).filter(at => at && route.over[at] !== route.over[at - 1]));
    return H.namedPoints(pos, route.path, changes).map(at => {
      const over = at ? route.over[at - 1] : "";
      return H.placeName(pos, route.path[at]) + (over ? ` [${T.ownerName(over)}]` : "");
    }).join(" - ");
  };
  const writtenRun = (pos, number, order) => {
    const joint = order.partner && !order.routes.length;
    const head = `${joint ? "JOINT" : "RUN"} ${number}${order.partner ? ` WITH ${order.partner}` : ""}${order.condition ? ` ${order.condition}` : ""}`;
    const routes = order.routes.map(route => writtenRoute(pos, route)).join(" OR ");
    return routes ? `${head}: ${routes}` : head;
  };
  const write = (pos, reader, plan) => {
    const lines = [];
    for (const company of pos.led[reader] || []) {
      const own = plan.of[company], mine = [];
      if (own.home.length) mine.push(`HOME ${own.home.map(city => H.placeName(pos, city)).join(" OR ")}`);
      for (const number of Object.keys(own.runs).sort((a, b) => +a - +b)) {
        const order = own.runs[number];
        const whole = {...order, routes: order.routes.filter(route => route.aim || route.path.length > 1)};
        if (whole.routes.length || order.partner) mine.push(writtenRun(pos, number, whole));
      }
      for (const roll of Object.keys(own.builds)) {
        const pieces = own.builds[roll].filter(piece => piece.path.length > 1).map(piece => writtenPiece(pos, piece));
        if (pieces.length) mine.push(`${pos.labels[+roll - 1]} ${pieces.join(" ; ")}`);
      }
      if (mine.length && company !== reader) mine.unshift(`FOR ${company}`);
      lines.push(...mine);
    }
    return [...lines, ...plan.rest];
  };

  // --- reading ---

  const namesOf = (() => {
    let made = null, of = null;
    return pos => {
      if (of === pos) return made;
      made = new Map(Object.entries(pos.known));
      for (const [hex, name] of Object.entries(pos.names)) made.set(name.toLowerCase(), hex);
      for (const hex of Object.keys(pos.hexes)) made.set(H.hexName(pos, hex).toLowerCase(), hex);
      of = pos;
      return made;
    };
  })();
  const DASHES = /\s+(?:[-–—]+>?|>|to)\s+|\s*(?:[–—>]|->)\s*/i;
  const placeOf = (pos, text, race = null) => {
    const name = text.trim().replace(/\s+/g, " ").replace(/^\((.*)\)$/, "$1").trim().toLowerCase();
    const double = /^(.*\S)\s*\(([^()]+)\)$/.exec(name);
    if (double && namesOf(pos).has(double[1])) return namesOf(pos).get(double[1]);
    if (namesOf(pos).has(name)) return namesOf(pos).get(name);
    if (/^\d+$/.test(name)) {
      const hexes = pos.keys[name] || (race ? [race.start, race.end].filter(end => end[0] === +name).flatMap(end => end[2]) : []);
      return hexes.length === 1 ? hexes[0] : "";
    }
    return "";
  };
  /** The points of a written way; names with a dash in them are put together again. */
  const pointsOf = (pos, text) => {
    const rough = text.split(DASHES).flatMap(word => placeOf(pos, word.replace(/^jump\s+/i, "").replace(/\[[^\]]*\]/g, "")) ? [word] : word.split(/\s*-\s*/));
    return rough.map(word => word.trim()).filter(Boolean);
  };
  const readPiece = (pos, text) => {
    let path = [];
    const jumps = [], faults = [];
    const bracket = /^\s*\(([^)]*)\)\s*(?![-–—>])(\S.*)$/.exec(text);
    for (const word of pointsOf(pos, bracket ? `(${bracket[1]}) - ${bracket[2]}` : text)) {
      const jump = /^(?:jump(?: to)?|leap(?: to)?)\s+(.*)$/i.exec(word), hex = placeOf(pos, jump ? jump[1] : word);
      if (!hex) {
        const fault = H.complaint("illegal-unreadable", "D4.3", word);
        return {piece: {path, jumps, fault}, faults: [fault]};
      }
      if (!path.length) { path = [hex]; continue; }
      if (hex === path[path.length - 1]) continue;
      if (jump) { jumps.push(path.length); path.push(hex); continue; }
      const found = H.landRun(pos, path[path.length - 1], hex);
      if (!Array.isArray(found)) return {piece: {path, jumps, fault: found}, faults: [found]};
      path.push(...found.slice(1));
    }
    return {piece: {path, jumps}, faults};
  };
  const readRoute = (pos, track, company, text, race) => {
    const aim = /^(fastest|cheapest)?\s*(?:max(?:imum)?\s+(\d+))?$/i.exec(text.trim());
    if (text.trim() && aim) return {route: {path: [], over: [], aim: (aim[1] || "fastest").toLowerCase(), most: aim[2] ? +aim[2] : -1}};
    let path = [];
    const over = [];
    for (const word of pointsOf(pos, text)) {
      const owner = /\[([^\]]+)\]\s*$/.exec(word), hex = placeOf(pos, word.replace(/\[[^\]]*\]/, ""), race);
      if (!hex) return {fault: H.complaint("invalid-key", "D5.5", word, {key: word})};
      if (!path.length) { path = [hex]; continue; }
      if (hex === path[path.length - 1]) continue;
      const whose = owner ? (/^neutral$/i.test(owner[1]) ? "*" : owner[1].toUpperCase()) : "";
      const found = H.trackRun(pos, track, company, path[path.length - 1], hex, whose);
      const run = Array.isArray(found) ? found : race.later ? H.landRun(pos, path[path.length - 1], hex) : found;
      if (!Array.isArray(run)) return {fault: found};
      path.push(...run.slice(1));
      over.push(...run.slice(1).map(() => whose));
    }
    if (path.length < 2) return {fault: H.complaint("invalid-short-route", "D6.2", text)};
    if (race.end[2].includes(path[0]) && race.start[2].includes(path[path.length - 1]) && !race.start[2].includes(path[0]))
      return {route: {path: path.reverse(), over: over.reverse()}};
    return {route: {path, over}};
  };
  const rollOf = (pos, head) => {
    const named = /^(\d+)\s*([a-z])?\s*[).:]?\s*$/i.exec(head), build = /^b(?:uild)?s?\s*(\d+)?\s*([a-z])?\s*[:.)]?\s*$/i.exec(head);
    if (named && +named[1] === pos.round) return named[2] ? named[2].toLowerCase().charCodeAt(0) - 96 : pos.labels.length === 1 ? 1 : 0;
    if (build) return build[2] ? (+build[1] === pos.round ? build[2].toLowerCase().charCodeAt(0) - 96 : 0) : +(build[1] || (pos.labels.length === 1 ? 1 : 0));
    return 0;
  };
  const read = (pos, reader, lines) => {
    const plan = blank(pos, reader), faults = [];
    let company = (pos.led[reader] || [])[0];
    const leads = line => {
      const found = /^(?:for|company)\s*:?\s*(\S+?):?$/i.exec(line), code = found ? found[1].toUpperCase() : "";
      if (plan.of[code]) company = code;
      return Boolean(plan.of[code]);
    };
    const lay = line => {
      const home = /^home(?: terminal)?\s*:?\s+(.*)$/i.exec(line);
      if (home) {
        const cities = home[1].split(/\s*(?:,|\/|\bor\b)\s*/i).filter(Boolean).map(name => placeOf(pos, name));
        if (!cities.every(city => pos.homes[company].includes(city))) return false;
        plan.of[company].home = cities;
        return true;
      }
      const race = /^(run|r|race|enter|joint|j)\s*(\d+)\s*(?:with\s+(\w+))?\s*((?:if|unless)\s+(?:not\s+)?\w+\s+runs\s+\d+)?\s*[:.)]?\s*(.*)$/i.exec(line);
      const offered = race && pos.races.find(each => each.number === +race[2]);
      if (offered) {
        const order = {routes: [], partner: (race[3] || "").toUpperCase(), condition: (race[4] || "").toUpperCase()};
        if (order.partner && (!H.codesOf(pos).includes(order.partner) || order.partner === company)) return false;
        const track = trackFor(pos, plan, company, offered);
        for (const text of race[5] ? race[5].split(/\s*;?\s+or\s+/i) : []) {
          const found = readRoute(pos, track, company, text, offered);
          if (!found.route) { faults.push(found.fault); return false; }
          order.routes.push(found.route);
        }
        if (!order.routes.length && !order.partner) return true; // the form's own line, nothing behind it
        plan.of[company].runs[race[2]] = order;
        return true;
      }
      const built = /^((?:b(?:uild)?s?\s*)?\d+\s*[a-z]?\s*[):.]|b(?:uild)?s?\s*\d*\s*[a-z]?\s*[):.])\s*(.*)$/i.exec(line);
      const roll = built ? rollOf(pos, built[1]) : 0;
      if (!built || roll < 1 || roll > pos.labels.length) return false;
      if (!built[2] || /^(none|nothing|nil|pass|no builds?|-)$/i.test(built[2])) return true;
      const pieces = built[2].replace(/;\s*$/, "").split(/\s*;\s*/).map(text => readPiece(pos, text));
      for (const each of pieces) faults.push(...each.faults);
      if (pieces.some(each => each.faults.length)) return false;
      plan.of[company].builds[roll] = pieces.map(each => each.piece);
      return true;
    };
    // What is built is read first: a route may lead over it.
    for (const racing of [false, true]) {
      company = (pos.led[reader] || [])[0];
      for (const typed of lines) {
        const line = Speech.plain(pos, [...namesOf(pos).keys()], typed);
        if (!leads(line) && /^(run|r|race|enter|joint|j)\s*\d/i.test(line) === racing && !lay(line)) {
          plan.rest.push(Speech.isPass(line) ? line : typed);
          if (!Speech.isPass(line)) faults.push({code: "unread", text: typed, params: {}});
        }
      }
    }
    return {plan, faults};
  };
  const plannedTrack = (pos, plan, company) => {
    const track = {...pos.track};
    if (!pos.pays) return track;
    for (const [code, own] of Object.entries(plan.of))
      for (const pieces of Object.values(own.builds))
        for (const piece of pieces)
          piece.path.slice(1).forEach((hex, at) => {
            const laid = H.side(piece.path[at], hex);
            if (!piece.jumps.includes(at + 1)) track[laid] = [...(track[laid] || []), code || company];
          });
    return track;
  };

  /** The track that a train of a race may find: what is built today serves only races that come up after it. */
  const trackFor = (pos, plan, company, race) => race.later ? plannedTrack(pos, plan, company) : pos.track;

  // --- what the orders come to ---

  /** Reckon all orders as `forecast` does: rolls, entries, complaints, what lies on the board then. */
  const reckon = (pos, reader, plan, until = null) => {
    const world = H.worldOf(pos), complaints = [], rolls = [], entries = [];
    for (const company of pos.led[reader] || []) {
      const own = plan.of[company], before = {...pos.track, ...world.track}, money = {...world.balance};
      // A piece that is only begun is not in the text yet: it makes a home where nothing else does.
      const begun = Object.values(own.builds).flat().filter(piece => piece.path.length), laid = begun.filter(piece => piece.path.length > 1);
      const starts = (laid.length ? laid : begun).map(piece => piece.path[0]);
      const city = [...own.home, ...(own.home.length || pos.home[company] ? [] : starts.slice(0, 1))].find(each => pos.homes[company].includes(each));
      if (city) B.chooseHome(pos, world, company, city);
      for (const [number, order] of Object.entries(own.runs)) {
        const race = pos.races.find(each => each.number === +number);
        const since = complaints.length;
        if (race) entries.push(entryOf(pos, before, money, company, race, order, complaints));
        for (const each of complaints.slice(since)) each.tab = `race ${company} ${number}`;
      }
      const runnable = entries.filter(each => each.company === company && (each.trains.length || !each.order.routes.length));
      if (runnable.length > pos.entries && pos.pays)
        complaints.push(H.complaint("warning-too-many-entries", "D5.6", runnable.slice(pos.entries).map(each => each.race.number).join(", "), {limit: pos.entries}));
      pos.rolls[company].forEach((points, index) => {
        if (until && until[0] === company && until[1] === index + 1) return;
        const pieces = own.builds[index + 1];
        if (!pieces) return;
        const leader = company === "DAVID" ? pos.david[index] : "";
        if (leader && leader !== reader) {
          complaints.push(H.complaint("illegal-not-leading", "D8.1", "", {leader}));
          return;
        }
        const done = B.build(pos, world, company, pieces.filter(piece => piece.path.length > 1), points, leader);
        rolls.push({company, roll: index + 1, points, ...done});
        for (const stop of done.stops) {
          if (pieces.some(piece => piece.fault === stop.why)) continue;
          const why = {...stop.why};
          if (pos.pays && (why.code === "illegal-unpaid" || (why.code === "illegal-over-budget" && pos.income))) why.code = "warning-unpaid-later";
          if (why.code === "illegal-building-over") why.code = "warning-building-over";
          const same = each => JSON.stringify({...each, tab: ""}) === JSON.stringify({...why, tab: ""});
          if (!complaints.some(same)) complaints.push({...why, tab: `roll ${company} ${index + 1}`});
        }
      });
    }
    return {world, complaints, rolls, entries};
  };
  const CURED = ["illegal-no-best-route", "illegal-no-own-track", "illegal-no-track", "illegal-not-their-track"];
  const entryOf = (pos, track, balance, company, race, order, complaints) => {
    const companies = H.codesOf(pos).filter(code => code === company || code === order.partner), trains = [];
    for (const route of order.routes.filter(each => each.aim || each.path.length > 1)) {
      if (route.aim) { trains.push({aim: route.aim, tolls: {}}); continue; }
      const found = T.train(pos, track, companies, race, route);
      if (found.code) {
        const cured = race.later && CURED.includes(found.code) ? {...found, code: "warning-no-route-yet", params: {race: race.number}} : found;
        complaints.push(trains.length && /^(illegal|invalid)-/.test(cured.code) ? {...cured, code: `warning-alternative-${cured.code}`} : cured);
        continue;
      }
      complaints.push(...T.tollWarnings(pos, balance, company, companies, found));
      trains.push(found);
    }
    if (order.partner) complaints.push(H.complaint("note-needs-partner", "D6.5", order.partner));
    return {company, race, order, trains};
  };

  return {blank, write, read, reckon, with_, trackFor};
})();
