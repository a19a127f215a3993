// The order desk of Dampfross: plans of homes, builds and runs, their text in both directions, and what can be done next.

/** @typedef {{home: string[], builds: Object<string, Piece[]>, runs: Object<string, Run>}} Orders of a company */
/** @typedef {{routes: Route[], partner: string, condition: string}} Run */

/** @type {GameScript} */
const Script = (() => {
  "use strict";
  const H = Hexes, B = Building, T = Trains;
  const PIECE_MARK = "22 14";

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

  // --- what can be done next ---

  const middle = (pos, hex) => pos.hexes[hex] ? [pos.hexes[hex][0], pos.hexes[hex][1]] : null;
  const shade = (pos, code) => (pos.companies.find(each => each.code === code) || {shade: "#6c675c"}).shade;
  const tollWords = tolls => Object.entries(tolls).map(([to, toll]) => `${toll} ${T.ownerName(to)}`).join(", ");
  const feeWords = (fees, word) => fees.map(fee => word("fee", {amount: fee.amount, to: fee.to})).join(", ");

  const tabsOf = (pos, reader, reckoned, word) => {
    const tabs = [];
    for (const company of pos.led[reader] || []) {
      const of = (pos.led[reader].length > 1 ? `${company} ` : "");
      if (pos.homes[company].length) tabs.push({id: `home ${company}`, label: of + word("home")});
      for (const race of pos.races) {
        const entered = reckoned.entries.some(each => each.company === company && each.race === race && (each.trains.length || !each.order.routes.length));
        tabs.push({id: `race ${company} ${race.number}`, label: `${of}${word("race", {number: race.number})}${entered ? " ✓" : ""}`, full: `${race.start[1]} - ${race.end[1]}`});
      }
      pos.rolls[company].forEach((points, index) => {
        if (company === "DAVID" && pos.david[index] !== reader) return;
        const done = reckoned.rolls.find(each => each.company === company && each.roll === index + 1);
        const left = done ? done.left : points;
        tabs.push({id: `roll ${company} ${index + 1}`, label: `${of}${pos.labels[index]} ${"●".repeat(Math.min(6, left))}${"○".repeat(Math.min(6, Math.max(0, points - left)))} ${left}`, full: word("left", {left, points})});
      });
    }
    return tabs;
  };

  const show = (pos, reader, plan, at, word) => {
    const reckoned = reckon(pos, reader, plan), tabs = tabsOf(pos, reader, reckoned, word);
    const open = tabs.some(tab => tab.id === at) ? at : (tabs[0] || {id: ""}).id;
    const [kind, company, number] = open.split(" ");
    const view = {tabs, at: open, title: "", told: [], sum: [], steps: [], refused: [], faults: reckoned.complaints, marks: [], focus: null, tip: null};
    if (kind === "home") showHome(pos, plan, company, view, word);
    if (kind === "roll") showRoll(pos, reader, plan, company, +number, reckoned, view, word);
    if (kind === "race") showRace(pos, reader, plan, company, +number, reckoned, view, word);
    if (tabs.length && !write(pos, reader, plan).length) view.steps.push({label: "PASS", go: with_(plan, made => { made.rest = ["PASS"]; made.pen = null; })});
    marksOf(pos, reckoned, view);
    view.sum = sumOf(pos, reader, reckoned, word);
    view.focus = view.focus || focusOf(pos, reader, reckoned);
    return view;
  };
  const sumOf = (pos, reader, reckoned, word) => (pos.led[reader] || []).map(company => {
    const after = reckoned.world.balance[company];
    const bonus = reckoned.rolls.filter(each => each.company === company).flatMap(each => each.laid).reduce((sum, step) => sum + step.bonus, 0);
    const said = [word("account", {company, before: pos.balance[company], after, bonus})], tolls = {};
    for (const each of reckoned.entries.filter(entry => entry.company === company && entry.trains.length))
      for (const [to, toll] of Object.entries(each.trains[0].tolls)) tolls[to] = (tolls[to] || 0) + toll;
    if (Object.keys(tolls).length) said.push(word("tolls", {tolls: tollWords(tolls)}));
    return said.join("; ");
  });
  const focusOf = (pos, reader, reckoned) => {
    const hexes = (pos.led[reader] || []).flatMap(code => [...reckoned.world.reached[code]]).filter(hex => pos.hexes[hex]);
    const spots = (hexes.length ? hexes : Object.values(pos.homes).flat()).map(hex => middle(pos, hex)).filter(Boolean);
    if (!spots.length) return null;
    return boxOf(spots);
  };
  const boxOf = spots => {
    const [xs, ys] = [spots.map(each => each[0]), spots.map(each => each[1])];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  };
  const marksOf = (pos, reckoned, view) => {
    for (const roll of reckoned.rolls)
      for (const step of roll.laid)
        view.marks.push({line: [middle(pos, step.start), middle(pos, step.end)], colour: shade(pos, roll.company), dash: step.rival || step.banked ? "4 26" : PIECE_MARK, width: 20});
    for (const hex of view.routed || [])
      view.marks.push({at: middle(pos, hex), r: 12, colour: "#c2410c", fill: true});
  };

  const showHome = (pos, plan, company, view, word) => {
    const own = plan.of[company];
    view.title = word("home-title");
    view.told = own.home.map((city, index) => `${index + 1}. ${H.placeName(pos, city)}`);
    view.steps = pos.homes[company].filter(city => !own.home.includes(city)).map(city => ({
      label: H.placeName(pos, city), point: middle(pos, city),
      go: with_(plan, made => { made.of[company].home.push(city); }),
    }));
  };

  const stepWords = (pos, word, step) => [
    pos.hexwise ? "" : word("points", {points: step.cost}), feeWords(step.fees, word), step.bonus ? `+${step.bonus}` : "",
    H.has(pos, step.end, H.HIGH) ? word("mountain") : ""].filter(Boolean).join(", ");

  const showRoll = (pos, reader, plan, company, roll, reckoned, view, word) => {
    const own = plan.of[company], pieces = own.builds[roll] || [], done = reckoned.rolls.find(each => each.company === company && each.roll === roll);
    const points = pos.rolls[company][roll - 1], left = done ? done.left : points, world = reckoned.world;
    const exempt = company === "DAVID" ? pos.david[roll - 1] : "";
    view.title = word("roll-title", {label: pos.labels[roll - 1], left, points});
    for (const step of done ? done.laid : [])
      view.told.push(`${H.placeName(pos, step.start)} - ${H.placeName(pos, step.end)}: ${step.rival ? word("jumped", {rival: step.rival}) + " " : ""}${step.banked ? word("put-aside", {points: step.cost}) : stepWords(pos, word, step)}`);
    const last = pieces[pieces.length - 1], stopped = done && done.stops.length > 0;
    const tip = last && last.path.length ? last.path[last.path.length - 1] : "";
    const extend = (hex, jump) => with_(plan, made => {
      const piece = (made.of[company].builds[roll] || [])[pieces.length - 1];
      if (jump) piece.jumps.push(piece.path.length);
      piece.path.push(hex);
    });
    const begin = hex => with_(plan, made => {
      const kept = (made.of[company].builds[roll] || []).filter(piece => piece.path.length > 1);
      made.of[company].builds[roll] = [...kept, {path: [hex], jumps: []}];
      if (!world.reached[company].size) made.of[company].home = [hex]; // said, whatever becomes of the piece
    });
    if (tip && !stopped) {
      view.tip = middle(pos, tip);
      for (const next of H.linked(pos, tip)) {
        if (!H.isLand(pos, next)) continue;
        const why = (pos.hexwise && left < 1 && H.complaint("illegal-over-hexes", "D7.1", H.formatPath(pos, [tip, next])))
          || B.refusal(pos, world, company, tip, next, pos.hexwise ? Infinity : left);
        if (why) { view.refused.push({label: H.placeName(pos, next), why: word(why.code, {...why.params, text: why.text})}); continue; }
        const cost = H.pointsDue(pos, world, company, tip, next), fees = B.feesDue(pos, world, company, tip, next, exempt);
        const bonus = next in pos.bonus && !world.connected.has(next) && pos.bonuses ? pos.bonus[next] : 0;
        view.steps.push({label: `${H.placeName(pos, next)}: ${stepWords(pos, word, {cost, fees, bonus, end: next})}`, point: middle(pos, next), main: false, go: extend(next, false)});
      }
      if (pos.jumps)
        for (const next of jumpEnds(pos, world, company, tip))
          view.steps.push({label: word("jump-to", {place: H.placeName(pos, next)}), go: extend(next, true)});
      view.steps.push({label: word("piece-done"), go: with_(plan, made => { made.of[company].builds[roll].push({path: [], jumps: []}); })});
    } else if (left > 0 || pos.pays) {
      const starts = [...world.reached[company]].filter(hex => pos.hexes[hex]);
      const homes = !starts.length ? pos.homes[company] : [];
      const open = hex => H.linked(pos, hex).some(next => H.isLand(pos, next) && !B.refusal(pos, world, company, hex, next, pos.hexwise ? Infinity : left));
      const name = hex => H.placeName(pos, hex);
      // Where the line was left comes first, then cities.
      const ends = Object.values(own.builds).flat().map(piece => piece.path[piece.path.length - 1]), rank = hex => ends.includes(hex) ? 2 : H.has(pos, hex, H.CITY) ? 1 : 0;
      for (const hex of [...homes, ...starts.filter(open)].sort((a, b) => rank(b) - rank(a) || name(a).localeCompare(name(b))))
        view.steps.push({label: word("begin-at", {place: name(hex)}), point: middle(pos, hex), go: begin(hex)});
    }
    if (stopped) view.steps.unshift({label: word("take-back"), main: true, go: with_(plan, made => {
      const kept = made.of[company].builds[roll], stop = done.stops[done.stops.length - 1], piece = kept.filter(each => each.path.length > 1)[stop.piece - 1];
      if (piece) piece.path = piece.path.slice(0, Math.max(1, piece.path.indexOf(stop.at) + 1));
    })});
  };
  const jumpEnds = (pos, world, company, from) => {
    const near = Object.keys(world.track).flatMap(each => each.split("-")).filter((hex, at, all) => all.indexOf(hex) === at && hex !== from && H.distance(from, hex) <= pos.longest);
    return near.filter(hex => typeof B.jumpedRival(pos, world, company, from, hex) === "string").sort();
  };

  const showRace = (pos, reader, plan, company, number, reckoned, view, word) => {
    const race = pos.races.find(each => each.number === number), order = plan.of[company].runs[number] || {routes: [], partner: "", condition: ""};
    const entry = reckoned.entries.find(each => each.company === company && each.race === race);
    view.title = word("race-title", {number, start: race.start[1], end: race.end[1]});
    const track = trackFor(pos, plan, company, race);
    for (const found of entry ? entry.trains : []) {
      view.told.push(found.aim ? `${found.aim.toUpperCase()}: ${word(found.aim)}` : word("train", {
        length: found.length, climbs: found.climbs,
        tolls: tollWords(found.tolls) || "0",
      }));
      if (!found.aim) view.told.push(...chancesOf(pos, reader, track, race, order, found, word));
    }
    const change = how => with_(plan, made => {
      made.of[company].runs[number] = made.of[company].runs[number] || {routes: [], partner: "", condition: ""};
      how(made.of[company].runs[number]);
    });
    const drawn = order.routes[order.routes.length - 1], tip = drawn && !drawn.aim ? drawn.path[drawn.path.length - 1] : "";
    const arrived = tip && drawn.path.length > 1 && race.end[2].includes(tip);
    const spots = [...race.start[2], ...race.end[2]].map(hex => middle(pos, hex)).filter(Boolean);
    if (spots.length) view.look = boxOf(spots);
    view.routed = order.routes.flatMap(route => route.path || []).filter(hex => pos.hexes[hex]);
    for (const end of [...race.start[2], ...race.end[2]]) if (pos.hexes[end]) view.marks.push({at: middle(pos, end), r: 44, colour: "#c2410c"});
    const used = new Set(tip ? drawn.path.slice(1).map((hex, at) => H.side(drawn.path[at], hex)) : []);
    /** @type {Step[]} the next hex-sides: they stand below the ways that lead on to the end */
    const on = [];
    if (tip && !arrived) {
      view.tip = middle(pos, tip);
      for (const next of H.linked(pos, tip)) {
        const owners = H.runnable(pos, track, H.side(tip, next));
        if (!owners.length || used.has(H.side(tip, next)) || !pos.hexes[next]) continue;
        // A rival is named: others may lay track beside his before the train runs.
        const over = owners.includes(company) ? [""] : owners.map(owner => owner === "*" && owners.length === 1 ? "" : owner);
        for (const owner of over)
          on.push({
            label: `${H.placeName(pos, next)}: ${owners.includes(company) ? word("own-track") : word("over", {owner: T.ownerName(owner || owners[0])})}`,
            point: middle(pos, next),
            go: change(made => { const route = made.routes[made.routes.length - 1]; route.path.push(next); route.over.push(owner); }),
          });
      }
    }
    // One rival alone is named here, too, or the text might lead another way over own track.
    const onlyRival = owners => owners.length === 1 && owners[0] !== company && owners[0] !== "*" ? owners[0] : "";
    const to = new Set(race.end[2]);
    for (const whose of ["own", "any"]) {
      const way = tip && !arrived ? shortest(pos, track, company, tip, to, whose === "own", used) : null;
      if (way) view.steps.push({label: word(`way-${whose}`, {length: way.length - 1}), go: change(made => {
        const route = made.routes[made.routes.length - 1];
        route.path.push(...way.slice(1));
        route.over.push(...way.slice(1).map((hex, at) => onlyRival(H.runnable(pos, track, H.side(way[at], hex)))));
      })});
    }
    view.steps.push(...on);
    if (!tip || arrived || drawn.aim) {
      const ends = [race.start, race.end].map(end => end[2].filter(hex => H.linked(pos, hex).some(next => H.runnable(pos, track, H.side(hex, next)).length)));
      [race.start, race.end].forEach((end, at) => { if (!ends[at].length) view.told.push(word("no-track", {place: end[1]})); });
      for (const start of ends[0])
        view.steps.push({label: word(order.routes.length ? "or-from" : "from", {place: H.placeName(pos, start)}), point: middle(pos, start), go: change(made => { made.routes.push({path: [start], over: []}); })});
      for (const aim of ["fastest", "cheapest"])
        if (!order.routes.some(route => route.aim === aim)) view.steps.push({label: `${aim.toUpperCase()}: ${word(aim)}`, go: change(made => { made.routes.push({path: [], over: [], aim, most: -1}); })});
      if (drawn && drawn.aim) for (const most of [0, 3, 6, 10])
        view.steps.push({label: `MAX ${most}`, go: change(made => { made.routes[made.routes.length - 1].most = most; })});
      for (const rival of H.codesOf(pos).filter(code => !pos.led[reader].includes(code) && code !== order.partner))
        view.steps.push({label: word("with", {rival}), go: change(made => { made.partner = rival; })});
    }
    if (plan.of[company].runs[number]) view.steps.push({label: word("no-entry"), go: with_(plan, made => { delete made.of[company].runs[number]; })});
  };
  /** How likely a drawn train is first against each rival who could run today, by his best route, and against all of them. */
  const chancesOf = (pos, reader, track, race, order, found, word) => {
    const own = T.movement(pos, found.path);
    const rivals = H.codesOf(pos).filter(code => !pos.led[reader].includes(code) && code !== order.partner)
      .map(code => ({code, points: T.leastMovement(pos, track, code, race.start[2], race.end[2])})).filter(each => each.points);
    const percent = points => (100 * T.chance(own, points)).toFixed(0);
    const against = rivals.map(each => word("chance", {rival: `${each.code} (${each.points})`, points: own, percent: percent([each.points])}));
    if (rivals.length > 1) against.push(word("chance", {rival: rivals.map(each => each.code).join(", "), points: own, percent: percent(rivals.map(each => each.points))}));
    return against;
  };
  const shortest = (pos, track, company, start, goals, own, used) => {
    const before = {[start]: ""};
    let edge = [start];
    while (edge.length) {
      const end = edge.find(hex => goals.has(hex));
      if (end) {
        const way = [end];
        while (before[way[0]]) way.unshift(before[way[0]]);
        return way.length > 1 ? way : null;
      }
      edge = edge.flatMap(hex => H.linked(pos, hex).filter(next => {
        const owners = H.runnable(pos, track, H.side(hex, next));
        if (next in before || used.has(H.side(hex, next)) || !(own ? owners.includes(company) : owners.length)) return false;
        if (before[hex] && H.has(pos, hex, H.FOREIGN) && pos.abroad !== "free") return false;
        before[next] = hex;
        return true;
      }));
    }
    return null;
  };

  const places = pos => Object.keys(pos.hexes).map(hex => ({id: hex, name: H.placeName(pos, hex), point: middle(pos, hex)}));
  const say = (pos, reader, plan, at, hex, word) => {
    const view = show(pos, reader, plan, at, word), [x, y] = middle(pos, hex);
    const step = view.steps.find(each => each.point && each.point[0] === x && each.point[1] === y);
    if (step) return step.label;
    const refused = view.refused.find(each => each.label === H.placeName(pos, hex));
    const here = [H.placeName(pos, hex), H.has(pos, hex, H.HIGH) ? word("mountain") : "",
      ...H.codesOf(pos).filter(code => pos.reached[code].includes(hex))].filter(Boolean).join(", ");
    return refused ? `${here}: ${refused.why}` : here;
  };
  return {blank, write, read, show, places, say, reckon};
})();
