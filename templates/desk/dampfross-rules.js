// The player's half of the rules of Dampfross: what `forecast` reckons, on the position that `games/dampfross/report/desk.py` compiles.
// Codes and parameters of complaints are those of templates/dampfross/complaints.toml; tests/desk compares both halves.

/** @typedef {{code: string, paragraph: string, text: string, params: Object<string, string|number>, line?: number, hint?: string}} Complaint */
/** @typedef {{path: string[], jumps: number[], fault?: Complaint}} Piece */
/** @typedef {{to: string, amount: number, why: string}} Fee */
/** @typedef {{path: string[], over: string[], aim?: string, most?: number}} Route */

const Rules = (() => {
  "use strict";
  const CITY = 1, FOREIGN = 2, HIGH = 4;
  const STEPS = [[0, -2], [3, -1], [3, 1], [0, 2], [-3, 1], [-3, -1]];
  const MOST_WAYS = 4;

  // --- hexes ---

  const column = letters => [...letters].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1;
  const letters = number => (number < 26 ? "" : letters(Math.floor(number / 26) - 1)) + String.fromCharCode(65 + number % 26);
  const label = (col, row) => letters(col) + (row + 1);

  /** The centre in lattice units. */
  const centre = hex => {
    const found = /^([A-Z]+)(\d+)$/.exec(hex);
    const col = column(found[1]);
    return [3 * col, 2 * (+found[2] - 1) + col % 2];
  };
  const hexAt = ([x, y]) => {
    const col = Math.floor(x / 3), row = Math.floor((y - (((col % 2) + 2) % 2)) / 2);
    return col >= 0 && row >= 0 ? label(col, row) : "";
  };
  const neighbours = hex => {
    const [x, y] = centre(hex);
    return STEPS.map(([dx, dy]) => hexAt([x + dx, y + dy])).filter(Boolean);
  };
  const before = (one, other) => {
    const [a, b] = [centre(one), centre(other)];
    return a[0] !== b[0] ? a[0] < b[0] : a[1] < b[1];
  };
  const side = (one, other) => before(one, other) ? `${one}-${other}` : `${other}-${one}`;
  const distance = (one, other) => {
    const [a, b] = [centre(one), centre(other)];
    const dx = Math.floor(Math.abs(a[0] - b[0]) / 3), dy = Math.abs(a[1] - b[1]);
    return dx + Math.max(0, Math.floor((dy - dx) / 2));
  };
  const straight = (one, other) => {
    const length = distance(one, other), [a, b] = [centre(one), centre(other)];
    if (!length) return [one];
    const way = STEPS.find(([dx, dy]) => b[0] - a[0] === dx * length && b[1] - a[1] === dy * length);
    if (!way) return null;
    const run = Array.from({length: length + 1}, (_, n) => hexAt([a[0] + way[0] * n, a[1] + way[1] * n]));
    return run.includes("") ? null : run;
  };

  // --- names ---

  const hexName = (pos, hex) => {
    if (!pos.grid.length) return hex;
    const found = /^([A-Z]+)(\d+)$/.exec(hex), col = column(found[1]);
    return letters(col % pos.grid[0]) + (+found[2] + Math.floor(col / pos.grid[0]) * pos.grid[1]);
  };
  const placeName = (pos, hex) => pos.names[hex] || hexName(pos, hex);
  const isLand = (pos, hex) => hex in pos.hexes;
  const has = (pos, hex, bit) => isLand(pos, hex) && (pos.hexes[hex][2] & bit) !== 0;

  /** The indexes that a written path names: ends, turns, cities, water. */
  const namedPoints = (pos, path, marked) => path.map((_, index) => index).filter(index => {
    if (index === 0 || index === path.length - 1 || marked.has(index)) return true;
    const hex = path[index];
    if (has(pos, hex, CITY) || !isLand(pos, hex)) return true;
    const [a, b, c] = [index - 1, index, index + 1].map(at => centre(path[at]));
    return b[0] - a[0] !== c[0] - b[0] || b[1] - a[1] !== c[1] - b[1];
  });
  const formatPath = (pos, path) => namedPoints(pos, path, new Set()).map(at => placeName(pos, path[at])).join(" - ");

  // --- what lies on the board while a plan is reckoned ---

  const worldOf = pos => ({
    track: {...pos.track},
    reached: Object.fromEntries(Object.entries(pos.reached).map(([code, hexes]) => [code, new Set(hexes)])),
    balance: {...pos.balance},
    banked: Object.fromEntries(Object.entries(pos.banked).map(([code, own]) => [code, {...own}])),
    home: {...pos.home},
    connected: new Set(pos.connected),
    unpaid: new Set(pos.unpaid),
    jumped: [...pos.jumped],
  });
  const codesOf = pos => pos.companies.map(each => each.code);
  const complaint = (code, paragraph, text, params = {}) => ({code, paragraph, text, params});
  const ferriesFrom = (pos, hex) => Object.keys(pos.ferries).filter(each => each.split("-").includes(hex))
    .map(each => each.split("-").find(end => end !== hex));
  const linked = (pos, hex) => [...neighbours(hex), ...ferriesFrom(pos, hex)];

  const priceOf = (pos, start, end) => {
    const ferry = pos.ferries[side(start, end)];
    return ferry ? ferry[0] : pos.hexes[start][3][end];
  };
  const pointsDue = (pos, world, company, start, end) =>
    priceOf(pos, start, end) - ((world.banked[company] || {})[side(start, end)] || 0);

  // --- fees ---

  const isFree = (pos, hex) => has(pos, hex, CITY) || has(pos, hex, FOREIGN);
  const holders = (pos, world, hex) => new Set(linked(pos, hex).flatMap(other => world.track[side(hex, other)] || []));
  const connections = (pos, world, company, nobody, end) => {
    if (isFree(pos, end) || (world.reached[company].has(end) && pos.once)) return [];
    const there = codesOf(pos).filter(rival => world.reached[rival].has(end) && !nobody.includes(rival));
    const holding = there.length ? holders(pos, world, end) : new Set();
    return there.filter(rival => holding.has(rival)).map(to => ({to, amount: 1, why: "connection"}));
  };
  const parallels = (pos, world, nobody, start, end) => {
    const owners = world.track[side(start, end)] || [];
    const beside = codesOf(pos).filter(rival => owners.includes(rival) && !nobody.includes(rival));
    const adjacent = has(pos, start, CITY) && has(pos, end, CITY);
    const home = [start, end].filter(hex => !has(pos, hex, FOREIGN)).length;
    const halves = [start, end].filter(hex => !isFree(pos, hex)).length;
    const amount = adjacent ? pos.adjacent[home] : halves * pos.parallel;
    return amount ? beside.map(to => ({to, amount, why: adjacent ? "adjacent" : "parallel"})) : [];
  };
  const feesDue = (pos, world, company, start, end, exempt = "") => {
    const bridge = pos.bridges[side(start, end)], nobody = [company, exempt];
    if (bridge && bridge.built) return [];
    return [...connections(pos, world, company, nobody, end), ...parallels(pos, world, nobody, start, end)];
  };

  // --- refusals ---

  /** Why a step may not be laid with *left* points; null if it may. */
  const refusal = (pos, world, company, start, end, left) => {
    const words = formatPath(pos, [start, end]);
    if (!world.reached[company].has(start)) {
      const place = placeName(pos, start);
      return complaint("illegal-off-network", "D2.4", place, {place});
    }
    if (!isLand(pos, end)) {
      const place = hexName(pos, end);
      return complaint("illegal-no-land", "D2.2", place, {place});
    }
    if (priceOf(pos, start, end) === undefined)
      return complaint("illegal-not-adjacent", "D2.2", `${hexName(pos, start)} - ${hexName(pos, end)}`);
    if (!pos.ferries[side(start, end)] && pos.hexes[start][3][end] < 0) return complaint("illegal-closed", "D2.3", words);
    const owners = world.track[side(start, end)] || [];
    if (owners.includes(company)) return complaint("illegal-own-track", "D2.5", words);
    if (pos.abroad !== "free" && !pos.permitted.includes(side(start, end))) {
      if (has(pos, start, FOREIGN)) return complaint("illegal-from-abroad", "D2.6", words);
      if (has(pos, end, FOREIGN) && pos.abroad === "none") return complaint("illegal-abroad", "D2.6", words);
    }
    const most = pos.single[side(start, end)];
    if (most && owners.length >= most) return complaint("illegal-taken", "D2.3", words, {owners: owners.join(" ")});
    const home = world.home[company];
    if (pos.ways && (home === start || home === end)) {
      const used = Object.keys(world.track).filter(each => each.split("-").includes(home) && world.track[each].includes(company));
      if (used.length >= pos.ways) return complaint("illegal-one-way", "D1.3", words, {ways: pos.ways});
    }
    const cost = pointsDue(pos, world, company, start, end);
    return cost > left ? complaint("illegal-over-budget", "D4.3", words, {cost, left}) : null;
  };
  const unpaid = (pos, world, company, due, start, end) => {
    const balance = world.balance[company];
    if (!due || due <= balance || !(pos.pays || pos.refuses)) return null;
    return complaint("illegal-unpaid", pos.pays ? "D7.1" : "D3.6", formatPath(pos, [start, end]), {due, balance});
  };

  // --- jumps ---

  const mayPass = (pos, last, here, after) => !has(pos, here, FOREIGN) || pos.abroad === "free"
    || (pos.permitted.includes(side(last, here)) && pos.permitted.includes(side(here, after)));

  /** Whether track over *sides* joins two hexes within so many sides. */
  const joins = (pos, sides, start, end, within) => {
    /** @type {Object<string, string[]>} */
    const next = {};
    for (const each of sides) {
      const [one, other] = each.split("-");
      (next[one] = next[one] || []).push(other);
      (next[other] = next[other] || []).push(one);
    }
    if (!next[start]) return false;
    const seen = new Set([`${start}|`]);
    let edge = [[start, ""]];
    for (let far = 0; edge.length; far += 1) {
      if (edge.some(([here]) => here === end)) return true;
      if (far >= within) return false;
      const further = [];
      for (const [here, last] of edge)
        for (const after of next[here])
          if ((!last || mayPass(pos, last, here, after)) && !seen.has(`${after}|${here}`)) {
            seen.add(`${after}|${here}`);
            further.push([after, here]);
          }
      edge = further;
    }
    return false;
  };
  const trackOf = (world, code) => Object.keys(world.track).filter(each => world.track[each].includes(code));
  const jumpsMade = (pos, world, company, rival) => world.jumped.filter(([who, whose, start, end]) =>
    who === company && whose === rival && !joins(pos, trackOf(world, who), start, end, Infinity)).length;
  const liesBetween = (pos, world, rival, start, end) => {
    const shut = has(pos, start, FOREIGN) && pos.abroad !== "free";
    const sides = trackOf(world, rival).filter(each => !(shut && each.split("-").includes(start)) || pos.permitted.includes(each));
    return start !== end && joins(pos, sides, start, end, pos.longest);
  };
  /** The rival along whose track a company may jump, or why it may not. */
  const jumpedRival = (pos, world, company, start, end) => {
    const words = formatPath(pos, [start, end]);
    if (!pos.jumps) return complaint("illegal-no-jumps", "D7.2", words);
    if (!world.reached[company].has(start)) return complaint("illegal-off-network", "D2.4", words, {place: words});
    const carrying = codesOf(pos).filter(code => code !== company && liesBetween(pos, world, code, start, end));
    const rival = carrying.find(code => jumpsMade(pos, world, company, code) < pos.jumps);
    const code = carrying.length ? "illegal-jumps-used" : "illegal-jump";
    return rival || complaint(code, "D7.2", words, {jumps: pos.jumps, most: pos.longest});
  };

  // --- a roll ---

  const chooseHome = (pos, world, company, city) => {
    if (pos.homebonus && !world.connected.has(city)) world.unpaid.add(city);
    world.home[company] = city;
    world.reached[company].add(city);
    world.connected.add(city);
  };
  const isOver = (pos, world) =>
    pos.left >= 0 && Object.keys(pos.bonus).filter(city => !world.connected.has(city)).length <= pos.left;
  const pay = (world, from, fees) => {
    for (const fee of fees) {
      world.balance[from] -= fee.amount;
      world.balance[fee.to] += fee.amount;
    }
  };
  const bonusAt = (pos, world, company, city) => {
    if (!(city in pos.bonus)) return 0;
    const earns = !world.connected.has(city) || (world.unpaid.has(city) && world.home[company] !== city);
    if (!earns) return 0;
    const bonus = pos.bonuses ? pos.bonus[city] : 0;
    world.connected.add(city);
    world.unpaid.delete(city);
    world.balance[company] += bonus;
    return bonus;
  };
  const settleBridge = (pos, world, company, laid) => {
    const bridge = pos.bridges[laid];
    if (!bridge || !bridge.banked) return;
    for (const code of pos.single[laid] === 1 ? Object.keys(world.banked) : [company])
      if (world.banked[code]) delete world.banked[code][laid];
  };

  /**
   * Lay the pieces of one roll alone on the board; *world* is what lies there afterwards.
   * @param {Piece[]} pieces
   */
  const build = (pos, world, company, pieces, points, exempt = "") => {
    let left = points;
    const laid = [], stops = [], aside = [];
    // What is put aside counts from the next step that is laid on: pieces that are refused in between are told the old price.
    const settle = () => {
      const own = world.banked[company] = world.banked[company] || {};
      for (const [bridge, points_] of aside.splice(0)) own[bridge] = (own[bridge] || 0) + points_;
    };
    const stop = (piece, at, why) => why && stops.push({piece: piece + 1, at, why});
    pieces.forEach((piece, number) => {
      for (let at = 0; at + 1 < piece.path.length; at += 1) {
        const [start, end] = [piece.path[at], piece.path[at + 1]], words = formatPath(pos, [start, end]);
        if (isOver(pos, world)) return stop(number, start, complaint("illegal-building-over", "D2.7", ""));
        let why = null, rival = "", cost = 0, fees = [];
        if (piece.jumps.includes(at + 1)) {
          settle();
          const found = jumpedRival(pos, world, company, start, end);
          if (typeof found === "string") {
            rival = found;
            fees = connections(pos, world, company, [company, exempt], end);
            why = unpaid(pos, world, company, fees.reduce((sum, fee) => sum + fee.amount, 0), start, end);
          } else why = found;
        } else {
          const bridge = pos.bridges[side(start, end)];
          if (pos.hexwise && left < 1 && !(bridge && bridge.built)) why = complaint("illegal-over-hexes", "D7.1", words);
          else why = refusal(pos, world, company, start, end, pos.hexwise ? Infinity : left);
          if (!why) {
            cost = pointsDue(pos, world, company, start, end);
            fees = feesDue(pos, world, company, start, end, exempt);
            const due = fees.reduce((sum, fee) => sum + fee.amount, 0) + (pos.pays ? cost : 0);
            why = unpaid(pos, world, company, due, start, end);
          } else if (why.code === "illegal-over-budget" && !pos.pays && left && bridge && bridge.banked) {
            aside.push([side(start, end), left]);
            laid.push({piece: number + 1, start, end, cost: left, fees: [], bonus: 0, banked: true});
            left = 0;
            return undefined;
          }
        }
        if (why) return stop(number, start, why);
        settle();
        if (rival) world.jumped.push([company, rival, start, end]);
        else world.track[side(start, end)] = [...(world.track[side(start, end)] || []), company];
        world.reached[company].add(end);
        left -= rival ? 0 : pos.hexwise ? Math.min(1, cost) : cost;
        if (pos.pays) world.balance[company] -= cost;
        if (!rival) settleBridge(pos, world, company, side(start, end));
        pay(world, company, fees);
        const bonus = rival ? 0 : bonusAt(pos, world, company, end);
        laid.push({piece: number + 1, start, end, cost, fees, bonus, rival});
      }
      return stop(number, piece.path[piece.path.length - 1] || "", piece.fault);
    });
    settle();
    return {laid, stops, left};
  };

  // --- from named points to hex by hex ---

  /** The shortest ways from *start* to *goal*, at most MOST_WAYS of them, in order of their hexes. */
  const shortestWays = (start, goal, edges) => {
    const far = {[start]: 0};
    let edge = [start];
    while (edge.length && !(goal in far)) {
      const further = [];
      for (const hex of edge)
        for (const other of edges(hex))
          if (!(other in far)) {
            far[other] = far[hex] + 1;
            further.push(other);
          }
      edge = further;
    }
    if (!(goal in far)) return [];
    const good = new Set([goal]), todo = [goal];
    while (todo.length) {
      const hex = todo.pop();
      for (const other of edges(hex))
        if (other in far && far[other] + 1 === far[hex] && !good.has(other)) {
          good.add(other);
          todo.push(other);
        }
    }
    const found = [];
    const extend = way => {
      if (found.length >= MOST_WAYS) return;
      const last = way[way.length - 1];
      if (last === goal) found.push(way);
      else for (const other of edges(last).sort())
        if (good.has(other) && far[other] === far[last] + 1) extend([...way, other]);
    };
    extend([start]);
    return found;
  };
  const run = (pos, start, end, joined, code, paragraph) => {
    const line = straight(start, end);
    if (line && line.slice(1).every((hex, at) => joined(line[at], hex))) return line;
    const ways = shortestWays(start, end, hex => linked(pos, hex).filter(other => joined(hex, other)));
    if (ways.length === 1) return ways[0];
    const words = `${placeName(pos, start)} - ${placeName(pos, end)}`;
    return ways.length
      ? {...complaint("invalid-two-ways", "R1", words), hint: ways.map(way => formatPath(pos, way)).join(" / ")}
      : complaint(code, paragraph, words);
  };
  /** The hexes of a run for building: an array, or why there is none. */
  const landRun = (pos, start, end) => {
    if (pos.ferries[side(start, end)]) return [start, end];
    const line = straight(start, end);
    if (line && (!isLand(pos, end) || line.length === 2)) return line;
    return run(pos, start, end, (_, other) => isLand(pos, other), "illegal-no-way", "D2.2");
  };
  const runnable = (pos, track, laid) => track[laid] || (pos.permitted.includes(laid) ? ["*"] : []);
  /** The hexes of a run for a train: an array, or why there is none. */
  const trackRun = (pos, track, company, start, end, over) => {
    const joined = whose => (one, other) => {
      const owners = runnable(pos, track, side(one, other));
      return whose ? owners.includes(whose) : owners.length > 0;
    };
    const any = run(pos, start, end, joined(over), "illegal-no-line", "D6.2"), line = straight(start, end);
    if (over || !Array.isArray(any) || (line && any.join() === line.join())) return any;
    const own = run(pos, start, end, joined(company), "illegal-no-line", "D6.2");
    if (!Array.isArray(own) || own.join() === any.join()) return any;
    const words = `${placeName(pos, start)} - ${placeName(pos, end)}`;
    return {...complaint("invalid-two-ways", "R1", words), hint: `${formatPath(pos, any)} / ${formatPath(pos, own)}`};
  };

  // --- trains ---

  const climbs = (pos, path) => path.slice(1).filter((hex, at) =>
    !pos.ferries[side(path[at], hex)] && has(pos, hex, HIGH) && !has(pos, path[at], HIGH)).length;
  const ownerName = code => code === "*" ? "neutral" : code;
  const tollOf = (pos, laid, under) => laid in pos.tolls ? pos.tolls[laid] : under ? 1 : 1 + pos.again;

  /** Whose track each side is used: as named, else own, else cheapest for the whole route. */
  const cheapestOwners = (pos, track, companies, route, sides, free) => {
    const codes = [...codesOf(pos), "*"];
    const usable = sides.map((laid, at) => {
      if (route.over[at]) return [route.over[at]];
      const owners = runnable(pos, track, laid), own = companies.find(code => owners.includes(code));
      return own ? [own] : codes.filter(code => owners.includes(code));
    });
    let ways = new Map([["|" + codes.map(() => 0), {last: "", tolls: codes.map(() => 0), chosen: []}]]);
    const earlier = (one, other) => {
      const at = one.findIndex((place, index) => place !== other[index]);
      return at >= 0 && one[at] < other[at];
    };
    sides.forEach((laid, at) => {
      const further = new Map();
      for (const way of ways.values())
        for (const owner of usable[at]) {
          const place = codes.indexOf(owner), tolls = [...way.tolls], chosen = [...way.chosen, place];
          tolls[place] += companies.includes(owner) || free.includes(owner) ? 0 : tollOf(pos, laid, owner === way.last);
          const key = owner + "|" + tolls, known = further.get(key);
          if (!known || earlier(chosen, known.chosen)) further.set(key, {last: owner, tolls, chosen});
        }
      ways = further;
    });
    const over = way => way.tolls.reduce((sum, toll) => sum + Math.max(0, toll - pos.cap), 0);
    const sum = way => way.tolls.reduce((all, toll) => all + toll, 0);
    const best = [...ways.values()].reduce((one, other) => {
      const [a, b] = [[over(one), sum(one)], [over(other), sum(other)]];
      return b[0] < a[0] || (b[0] === a[0] && (b[1] < a[1] || (b[1] === a[1] && earlier(other.chosen, one.chosen)))) ? other : one;
    });
    return best.chosen.map(place => codes[place]);
  };

  /** The train that runs a drawn route, {path, owners, tolls, length, climbs}, or why it may not. */
  const train = (pos, track, companies, race, route, free = []) => {
    const path = route.path, sides = path.slice(1).map((hex, at) => side(path[at], hex));
    const named = laid => laid.split("-").map(hex => hexName(pos, hex)).join("-");
    for (const [hex, end, code] of [[path[0], race.start, "illegal-wrong-start"], [path[path.length - 1], race.end, "illegal-wrong-end"]])
      if (!end[2].includes(hex)) {
        const place = placeName(pos, hex);
        return complaint(code, "D5.5", place, {place, key: end[0], race: race.number});
      }
    const seen = new Set();
    for (const [at, laid] of sides.entries()) {
      const owners = runnable(pos, track, laid), words = named(laid);
      if (!owners.length) return complaint("illegal-no-track", "D6.2", words, {side: words});
      if (route.over[at] && !owners.includes(route.over[at]))
        return complaint("illegal-not-their-track", "D6.3", words, {side: words, company: ownerName(route.over[at])});
      if (seen.has(laid)) return complaint("illegal-side-twice", "D6.2", words, {side: words});
      seen.add(laid);
    }
    for (let at = 1; at + 1 < path.length; at += 1)
      if (!mayPass(pos, path[at - 1], path[at], path[at + 1])) {
        const place = placeName(pos, path[at]);
        return complaint("illegal-through-abroad", "D2.6", place, {place});
      }
    const owners = cheapestOwners(pos, track, companies, route, sides, free);
    const own = owners.filter(code => companies.includes(code)).length;
    if (!(pos.greater ? 2 * own > owners.length : own > 0))
      return complaint("illegal-no-own-track", "D6.2", "", {own, sides: owners.length});
    /** @type {Object<string, number>} */
    const tolls = {};
    let last = "";
    sides.forEach((laid, at) => {
      const owner = owners[at];
      if (!companies.includes(owner) && !free.includes(owner)) tolls[owner] = (tolls[owner] || 0) + tollOf(pos, laid, owner === last);
      last = owner;
    });
    for (const code of Object.keys(tolls)) if (!tolls[code]) delete tolls[code];
    return {path, owners, tolls, length: sides.length, climbs: climbs(pos, path)};
  };
  /** What may go wrong with a train's tolls when the race comes up. */
  const tollWarnings = (pos, balance, company, companies, found) => {
    const complaints = [];
    for (const [rival, toll] of Object.entries(found.tolls).sort((a, b) => codesOf(pos).concat("*").indexOf(a[0]) - codesOf(pos).concat("*").indexOf(b[0])))
      if (toll > pos.cap)
        complaints.push(complaint(rival === "*" ? "illegal-toll-cap" : "warning-toll-cap", "D6.4", "",
          {rival: ownerName(rival), toll, net: toll, cap: pos.cap}));
    const due = Math.floor(Object.values(found.tolls).reduce((sum, toll) => sum + toll, 0) / companies.length);
    const most = Math.max(0, balance[company]);
    if (due > most && !pos.indebted) complaints.push(complaint("warning-toll-debt", "D6.3", "", {toll: due, balance: most}));
    return complaints;
  };

  // --- chances ---

  const pointsToEnter = (pos, here, ahead) => {
    const ferry = pos.ferries[side(here, ahead)];
    return ferry ? ferry[1] : has(pos, ahead, HIGH) && !has(pos, here, HIGH) ? 2 : 1;
  };
  /** The points of movement of a way: what throws must come to. */
  const movement = (pos, path) => path.slice(1).reduce((sum, hex, at) => sum + pointsToEnter(pos, path[at], hex), 0);
  /** By race-round the probabilities to come in with 0 to 5 points left over. */
  const finishes = points => {
    const rounds = [];
    /** @type {Object<string, number>} */
    let at = {0: 1};
    while (Object.keys(at).length) {
      const next = {}, row = [0, 0, 0, 0, 0, 0];
      for (const [total, chance] of Object.entries(at))
        for (let throw_ = 1; throw_ <= 6; throw_ += 1) {
          const sum = +total + throw_;
          if (sum >= points) row[sum - points] += chance / 6;
          else next[sum] = (next[sum] || 0) + chance / 6;
        }
      rounds.push(row);
      at = next;
    }
    return rounds;
  };
  /** The probability to be first, or equal first, against trains that need so many points. */
  const chance = (points, rivals) => {
    const open = rivals.map(finishes), left = rivals.map(() => 1);
    let sum = 0;
    finishes(points).forEach((row, round) => {
      for (let over = 5; over >= 0; over -= 1) {
        sum += row[over] * left.reduce((all, each) => all * each, 1);
        open.forEach((each, rival) => { left[rival] -= each[round] ? each[round][over] : 0; });
      }
    });
    return sum;
  };
  /** The fewest points of movement a company needs over anybody's track with some of its own; 0 where there is no way. */
  const leastMovement = (pos, track, company, starts, goals) => {
    const best = new Map(), levels = [starts.map(hex => [hex, "", false])];
    for (let cost = 0; cost < levels.length; cost += 1)
      for (const [hex, last, own] of levels[cost] || []) {
        const key = `${hex}|${last}|${own}`;
        if (best.has(key)) continue;
        best.set(key, cost);
        if (own && goals.includes(hex)) return cost;
        for (const next of linked(pos, hex)) {
          const owners = runnable(pos, track, side(hex, next));
          if (!owners.length || next === last || !isLand(pos, next) || (last && !mayPass(pos, last, hex, next))) continue;
          const then = cost + pointsToEnter(pos, hex, next);
          (levels[then] = levels[then] || []).push([next, hex, own || owners.includes(company)]);
        }
      }
    return 0;
  };

  return {movement, finishes, chance, leastMovement, CITY, FOREIGN, HIGH, STEPS, centre, hexAt, neighbours, linked, side, straight, distance, hexName, placeName, isLand, has,
    namedPoints, formatPath, worldOf, codesOf, complaint, priceOf, pointsDue, feesDue, refusal, jumpedRival, chooseHome, isOver, build,
    landRun, trackRun, runnable, train, tollWarnings, climbs, ownerName, joins, trackOf};
})();
