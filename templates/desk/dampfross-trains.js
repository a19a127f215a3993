// What a train comes to: whose track it uses, its tolls, what may go wrong with it, and how likely it comes in first.

/** @typedef {{path: string[], over: string[], aim?: string, most?: number}} Route */

const Trains = (() => {
  "use strict";
  const {HIGH, side, hexName, placeName, isLand, has, codesOf, complaint, linked, mayPass, runnable} = Hexes;

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
    if (!(pos.options.own_share === "greater-part" ? 2 * own > owners.length : own > 0))
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
    if (due > most && pos.options.toll_debt === "refused") complaints.push(complaint("warning-toll-debt", "D6.3", "", {toll: due, balance: most}));
    return complaints;
  };

  // --- chances ---

  const pointsToEnter = (pos, here, ahead) => {
    const ferry = pos.ferries[side(here, ahead)];
    return ferry ? ferry.moves : has(pos, ahead, HIGH) && !has(pos, here, HIGH) ? 2 : 1;
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

  return {ownerName, train, tollWarnings, movement, chance, leastMovement};
})();
