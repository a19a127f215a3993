// What building comes to: the fees of a step, what may not be laid, jumps, the pieces of a roll.

/** @typedef {{path: string[], jumps: number[], fault?: Complaint}} Piece */
/** @typedef {{to: string, amount: number, why: string}} Fee */

const Building = (() => {
  "use strict";
  const {CITY, FOREIGN, side, hexName, placeName, isLand, has, formatPath, codesOf, complaint, linked, mayPass, priceOf, pointsDue} = Hexes;

  // --- fees ---

  const isFree = (pos, hex) => has(pos, hex, CITY) || has(pos, hex, FOREIGN);
  const holders = (pos, world, hex) => new Set(linked(pos, hex).flatMap(other => world.track[side(hex, other)] || []));
  const connections = (pos, world, company, nobody, end) => {
    if (isFree(pos, end) || (world.reached[company].has(end) && pos.options.connection_fee === "once")) return [];
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
    const amount = adjacent ? pos.adjacent[home] : halves * pos.options.parallel_fee;
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
    if (!due || due <= balance || !(pos.pays || pos.options.debt === "refused")) return null;
    return complaint("illegal-unpaid", pos.pays ? "D7.1" : "D3.6", formatPath(pos, [start, end]), {due, balance});
  };

  // --- jumps ---

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
    if (!pos.options.jumps) return complaint("illegal-no-jumps", "D7.2", words);
    if (!world.reached[company].has(start)) return complaint("illegal-off-network", "D2.4", words, {place: words});
    const carrying = codesOf(pos).filter(code => code !== company && liesBetween(pos, world, code, start, end));
    const rival = carrying.find(code => jumpsMade(pos, world, company, code) < pos.options.jumps);
    const code = carrying.length ? "illegal-jumps-used" : "illegal-jump";
    return rival || complaint(code, "D7.2", words, {jumps: pos.options.jumps, most: pos.longest});
  };

  // --- a roll ---

  const chooseHome = (pos, world, company, city) => {
    if (pos.options.home_bonus && !world.connected.has(city)) world.unpaid.add(city);
    world.home[company] = city;
    world.reached[company].add(city);
    world.connected.add(city);
  };
  const isOver = (pos, world) =>
    pos.left >= 0 && Object.keys(pos.bonus).filter(city => has(pos, city, CITY) && !world.connected.has(city)).length <= pos.left;
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

  return {feesDue, refusal, jumpedRival, chooseHome, build};
})();
