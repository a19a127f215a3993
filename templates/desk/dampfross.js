// The order desk of Dampfross: what can be done next, as buttons and on the board.

/** @type {GameScript} */
const Script = (() => {
  "use strict";
  const H = Hexes, B = Building, T = Trains, {blank, write, read, reckon, with_, trackFor} = Orders;
  const PIECE_MARK = "22 14";

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
        tabs.push({id: `race ${company} ${race.number}`, label: `${of}${word("race", {number: race.number})}${entered ? " ✓" : ""}`, below: `${race.start[1]} – ${race.end[1]}`});
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
      if (pos.options.jumps)
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
    for (const end of [...race.start[2], ...race.end[2]]) if (pos.hexes[end]) view.marks.push({at: middle(pos, end), r: 44, colour: "#c2410c", end: true});
    const used = new Set(tip ? drawn.path.slice(1).map((hex, at) => H.side(drawn.path[at], hex)) : []);
    /** @type {Step[]} the next hex-sides: they stand below the ways that lead on to the end */
    const on = [];
    if (tip && !arrived) {
      view.tip = middle(pos, tip);
      for (const next of H.linked(pos, tip)) {
        const owners = H.runnable(pos, track, H.side(tip, next));
        if (!owners.length || used.has(H.side(tip, next)) || !pos.hexes[next]) continue;
        // A rival is named: others may lay track beside it before the train runs.
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
  /** How likely a drawn train is first against each rival who could run today, by the rival's best route, and against all of them. */
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

  const places = pos => Object.keys(pos.hexes).map(hex => ({id: hex, name: H.placeName(pos, hex), point: middle(pos, hex), half: pos.discs[hex], label: pos.names[hex] ? "" : H.placeName(pos, hex)}));
  const rulers = pos => pos.rulers;
  const say = (pos, reader, plan, at, hex, word) => {
    const view = show(pos, reader, plan, at, word), [x, y] = middle(pos, hex);
    const step = view.steps.find(each => each.point && each.point[0] === x && each.point[1] === y);
    if (step) return step.label;
    const refused = view.refused.find(each => each.label === H.placeName(pos, hex));
    const here = [H.placeName(pos, hex), H.has(pos, hex, H.HIGH) ? word("mountain") : "",
      ...H.codesOf(pos).filter(code => pos.reached[code].includes(hex))].filter(Boolean).join(", ");
    return refused ? `${here}: ${refused.why}` : here;
  };
  return {blank, write, read, show, places, rulers, say, reckon};
})();
