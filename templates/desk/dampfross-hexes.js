// The player's half of the rules of Dampfross: what `forecast` reckons, on the position that `games/dampfross/report/__init__.py` compiles.
// Codes and parameters of complaints are those of templates/dampfross/complaints.toml; tests/desk compares both halves.
// Here the board, what lies on it, and how a written way is followed over it.

/** @typedef {{code: string, paragraph: string, text: string, params: Object<string, string|number>, line?: number, hint?: string}} Complaint */

const Hexes = (() => {
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
  /** Whether a way may pass through a hex: one abroad only over hex-sides where that is permitted. */
  const mayPass = (pos, last, here, after) => !has(pos, here, FOREIGN) || pos.abroad === "free"
    || (pos.permitted.includes(side(last, here)) && pos.permitted.includes(side(here, after)));

  const priceOf = (pos, start, end) => {
    const ferry = pos.ferries[side(start, end)];
    return ferry ? ferry.price : pos.hexes[start][3][end];
  };
  const pointsDue = (pos, world, company, start, end) =>
    priceOf(pos, start, end) - ((world.banked[company] || {})[side(start, end)] || 0);

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

  return {CITY, FOREIGN, HIGH, side, distance, hexName, placeName, isLand, has, namedPoints, formatPath, worldOf, codesOf, complaint,
    linked, mayPass, priceOf, pointsDue, landRun, runnable, trackRun};
})();
