// What orders of Volldampf come to on today's board if nobody else moved: the player's half of the rules, as `forecast` reckons it.

/** @typedef {{link: string, card: string, bargain: boolean}} Site  an alternative of a build; without a link a card given up */
/** @typedef {{colour: string, route: string[], origin: string, goal: string, via: string[], loks: number}} Delivery  colour "": DECLINE */
/** @typedef {{colours: string[], number: number, exact: boolean}} Wish */

const Rules = (() => {
  "use strict";
  const LOK = "Schnelle Lok", SUBVENTION = "Subvention", BARGAIN = "Günstige Gelegenheit", SABOTAGE = "Sabotage";
  const EXTRA = "Zusatzfracht", REARRANGE = "Alles neu", PLANNING = "Neue Planung";
  const CARDS = [LOK, SUBVENTION, BARGAIN, SABOTAGE, EXTRA, REARRANGE, PLANNING];
  const CUBES = ["blue", "violet", "red", "yellow"], BARGAIN_COST = 5, OWN = 64, HEAVY = 20, FIRST_EXTRA = 3;
  const PHASES = {bonds: 3, bid: 4, choose: 4, build: 5, move: 6, subsidy: 6};

  const nameOf = (pos, city) => pos.cities[city][0];
  const linkOf = (pos, a, b) => { const id = a < b ? `${a}-${b}` : `${b}-${a}`; return pos.links[id] ? id : ""; };
  const linkName = (pos, id) => `${nameOf(pos, pos.links[id][0])}-${nameOf(pos, pos.links[id][1])}`;
  const wayName = (pos, route) => route.map(city => nameOf(pos, city)).join("-");
  const without = (list, one) => { const at = list.indexOf(one); return at < 0 ? list : [...list.slice(0, at), ...list.slice(at + 1)]; };
  const numbers = (pos, what) => pos.asked.filter(each => each[0] === what).map(each => each[1]);

  // --- the order language ---

  const wishText = wish => wish.number ? String(wish.number) : (wish.exact ? "ONLY " : "") + wish.colours.join("+");
  const siteText = (pos, site) => !site.link ? (site.card ? `DISCARD ${site.card}` : "none")
    : linkName(pos, site.link) + (site.bargain ? " BARGAIN" : "") + (site.card ? ` WITH ${site.card}` : "");
  const deliveryText = (pos, each) => {
    if (!each.colour) return "DECLINE";
    const fast = " FAST".repeat(each.loks);
    if (each.route.length) return `${each.colour} ${wayName(pos, each.route)}${fast}`;
    const via = each.via.length ? ` VIA ${each.via.map(city => nameOf(pos, city)).join(", ")}` : "";
    return `${each.colour} FROM ${nameOf(pos, each.origin)}${via} TO ${nameOf(pos, each.goal)}${fast}`;
  };
  const extraText = (pos, each) => {
    const same = CUBES.every(colour => each.cities[colour] === each.cities[CUBES[0]]);
    const cities = same ? nameOf(pos, each.cities[CUBES[0]]) : CUBES.map(colour => `${colour} ${nameOf(pos, each.cities[colour])}`).join(", ");
    return `EXTRA ${each.trip}: ${cities}`;
  };
  const planText = (pos, each) => `PLAN ${each.when.toUpperCase()} ${each.what.toUpperCase()}${each.number ? ` ${each.number}` : ""}: ` +
    `${each.colour} FROM ${nameOf(pos, each.origin)} TO ${nameOf(pos, each.goal)}`;
  const targetText = (pos, each) => [each.colour, ...[["FROM", each.origin], ["VIA", each.passing], ["TO", each.goal]]
    .filter(pair => pair[1]).map(([word, city]) => `${word} ${nameOf(pos, city)}`)].filter(Boolean).join(" ") || "ANY";
  const sabotageText = (pos, each) => `SABOTAGE${each.victim ? ` ${each.victim}` : ""}${each.trip ? ` ${each.trip}` : ""}: ` +
    each.targets.map(target => targetText(pos, target)).join(" OR ");
  const beforeText = (pos, each) => each.cities ? extraText(pos, each) : planText(pos, each);
  const bidText = (pos, bid) => `${pos.bidding} ${bid.join(", ") || "PASS"}`;

  // --- the position while orders are reckoned ---

  /** Action cards are secret: where they are not shown, a player who holds any is taken to hold those that are played. */
  const heldBy = (pos, reader) => {
    const own = pos.players[reader];
    return own.actions || (own.action_count ? CARDS.flatMap(card => Array(Math.min(own.action_count, pos.alike)).fill(card)) : []);
  };
  const worldOf = (pos, reader) => {
    const own = pos.players[reader];
    return {
      cash: own.cash === null ? Infinity : own.cash, hand: own.cards, left: own.sections_left, cards: heldBy(pos, reader), cubes: pos.cubes,
      income: Object.fromEntries(Object.keys(pos.players).map(code => [code, pos.players[code].income])),
      built: Object.fromEntries(Object.entries(pos.links).filter(each => each[1][4]).map(([id, link]) => [id, link[4]])),
    };
  };
  const count = (world, card) => world.cards.filter(each => each === card).length;
  const moved = (world, colour, origin, goal) => {
    const cubes = {...world.cubes, [origin]: without(world.cubes[origin] || [], colour)};
    if (goal) cubes[goal] = [...(cubes[goal] || []), colour];
    return {...world, cubes};
  };

  // --- building. Rule: V3.5, V4.5 ---

  const cardFor = (pos, world, site) => {
    if (site.card || !site.link) return site.card || world.hand[0];
    const colour = pos.links[site.link][2];
    return site.bargain && !world.hand.includes(colour) ? world.hand[0] : colour;
  };
  const costOf = (pos, site) => site.bargain ? BARGAIN_COST : pos.links[site.link][3];
  const touches = (pos, world, reader, id) => {
    const own = Object.keys(world.built).filter(each => world.built[each] === reader), ends = pos.links[id].slice(0, 2);
    return !own.length || own.some(each => ends.some(end => pos.links[each].slice(0, 2).includes(end)));
  };
  /** What keeps an alternative from being built, null if nothing does. */
  const siteFault = (pos, world, reader, site) => {
    const card = cardFor(pos, world, site), fault = (code, params) => ({code, params});
    if (!world.hand.includes(card)) return fault("illegal-no-track-card", {colour: card});
    if (!site.link) return null;
    const needed = pos.links[site.link][2], link = linkName(pos, site.link), cost = costOf(pos, site);
    if (site.bargain && !count(world, BARGAIN)) return fault("illegal-no-card", {card: BARGAIN});
    if (!site.bargain && card !== needed) return fault("illegal-card-colour", {colour: card, needed});
    if (world.built[site.link]) return fault("illegal-link-taken", {link, owner: world.built[site.link]});
    if (pos.options.build_connected && !touches(pos, world, reader, site.link)) return fault("illegal-not-connected", {link});
    if (!world.left) return fault("illegal-no-section", {link});
    if (cost > world.cash) return fault("illegal-too-dear", {link, cost, cash: world.cash});
    return null;
  };
  const build = (pos, world, reader, sites) => {
    const site = sites.find(each => !siteFault(pos, world, reader, each));
    if (site && site.link) {
      const card = cardFor(pos, world, site), cost = costOf(pos, site), cash = world.cash - cost;
      return {
        note: {what: "built", link: linkName(pos, site.link), colour: card, cost, cash},
        world: {...world, cash, left: world.left - 1, hand: without(world.hand, card), built: {...world.built, [site.link]: reader},
          cards: site.bargain ? without(world.cards, BARGAIN) : world.cards},
      };
    }
    const named = sites.map(each => cardFor(pos, world, each)).filter(card => world.hand.includes(card));
    const card = site ? cardFor(pos, world, site) : named[0] || world.hand[0];
    return {note: {what: "discarded", colour: card, cash: world.cash}, world: {...world, hand: without(world.hand, card)}};
  };

  // --- deliveries. Rule: V3.6, V4.3 ---

  const stopsOf = (pos, colour) => !pos.options.must_stop || (pos.options.red_passes_red && colour === "red") ? []
    : Object.keys(pos.cities).filter(city => pos.cities[city][1] === colour);
  /** The built links from each city, in alphabetical order of where they lead: [city, worth]. */
  const waysOf = (pos, world, reader) => {
    const ways = Object.fromEntries(Object.keys(pos.cities).map(city => [city, []]));
    for (const city of Object.keys(pos.cities))
      for (const [id, owner] of Object.entries(world.built)) {
        const [a, b] = pos.links[id];
        if (a === city || b === city) ways[a === city ? b : a].push([city, owner === reader ? OWN : -1]);
      }
    return ways;
  };
  /** The best legal route: most own sections, then fewest of others, then by alphabet; [] if there is none. */
  const bestRoute = (pos, world, reader, colour, origin, goal, via, longest, ways = waysOf(pos, world, reader)) => {
    const stops = stopsOf(pos, colour);
    let best = [], worth = -1e6;
    const way = [];
    const goOn = (city, passed, total) => {
      way.push(city);
      const step = passed < via.length ? via[passed] : goal;
      for (const [other, gain] of ways[city]) {
        if (other === goal) {
          if (step === other && total + gain > worth) { worth = total + gain; best = [...way, other]; }
          continue;
        }
        if (way.length >= longest || way.includes(other) || stops.includes(other) || (via.includes(other) && other !== step)) continue;
        goOn(other, passed + (other === step ? 1 : 0), total + gain);
      }
      way.pop();
    };
    if (origin !== goal && !via.includes(origin) && !via.includes(goal)) goOn(origin, 0, 0);
    return worth >= 0 || !pos.options.own_link_needed ? best : [];
  };
  const fault = (code, paragraph, text, params = {}) => ({code, paragraph, text, params});
  const wrongRoute = (pos, world, reader, colour, route, longest, text) => {
    const stops = stopsOf(pos, colour);
    for (let at = 1; at < route.length; at++) {
      const id = linkOf(pos, route[at - 1], route[at]), city = nameOf(pos, route[at]);
      if (!id) return fault("illegal-no-link", "V3.6.1", text, {link: wayName(pos, [route[at - 1], route[at]])});
      if (!world.built[id]) return fault("illegal-not-built", "V3.6.1", text, {link: linkName(pos, id)});
      if (route.indexOf(route[at]) < at) return fault("illegal-city-twice", "V3.6.2", text, {city});
      if (stops.includes(route[at]) && route[at] !== route[route.length - 1]) return fault("illegal-must-stop", "V3.6.3", text, {colour, city});
    }
    if (route.length - 1 > longest) return fault("illegal-too-long", "V3.6.2", text, {links: route.length - 1, most: longest});
    const owners = route.slice(1).map((city, at) => world.built[linkOf(pos, route[at], city)]);
    return pos.options.own_link_needed && !owners.includes(reader) ? fault("illegal-no-own-link", "V3.6.2", text) : null;
  };
  /** The route of a delivery as {route}, or why it may not be made. */
  const routeOf = (pos, world, reader, each) => {
    const text = deliveryText(pos, each), {colour, origin, goal} = each;
    const city = nameOf(pos, origin), takes = pos.cities[goal][1];
    if (!(world.cubes[origin] || []).includes(colour)) return fault("illegal-no-cube", "V3.6.1", text, {colour, city});
    if (pos.bars.some(bar => bar.player === reader && bar.colour === colour && ["", origin].includes(bar.city))) return fault("illegal-barred", "V4.6", text, {colour, city});
    if (origin === goal) return fault("illegal-same-city", "V3.6.2", text, {city});
    if (takes !== colour) return fault("illegal-wrong-goal", "V3.6.1", text, {colour, city: nameOf(pos, goal), takes});
    if (each.loks > 1 && !pos.options.lok_stack) return fault("illegal-lok-stack", "V4.3", text);
    if (each.loks > count(world, LOK)) return fault("illegal-no-card", "V4.3", text, {card: LOK});
    const longest = pos.max_links + each.loks, chain = [origin, ...each.via, goal];
    const linked = chain.every((one, at) => !at || linkOf(pos, chain[at - 1], one));
    const route = each.route.length ? each.route : pos.options.route_needed && linked ? chain : [];
    if (route.length) return wrongRoute(pos, world, reader, colour, route, longest, text) || {route};
    if (pos.options.route_needed) return fault("illegal-route-needed", "V3.6.1", text);
    const found = bestRoute(pos, world, reader, colour, origin, goal, each.via, longest);
    return found.length ? {route: found} : fault("illegal-no-route", "V3.6.2", text, {most: longest});
  };
  /** Where no route is legal: what stands in the way of the shortest one. */
  const whyNoRoute = (pos, world, reader, each, found) => {
    if (found.code !== "illegal-no-route" || each.via.length) return found;
    const ways = waysOf(pos, world, reader), paths = {[each.origin]: [each.origin]}, open = [each.origin];
    for (const city of open)
      for (const [other] of ways[city]) if (!paths[other]) { paths[other] = [...paths[city], other]; open.push(other); }
    const way = paths[each.goal], ends = {origin: nameOf(pos, each.origin), goal: nameOf(pos, each.goal)}, most = found.params.most;
    const stop = way && way.slice(1, -1).find(city => stopsOf(pos, each.colour).includes(city));
    const why = !way ? fault("illegal-not-joined", "V3.6.1", found.text, ends)
      : way.length - 1 > most ? fault("illegal-too-far", "V3.6.2", found.text, {links: way.length - 1, most, ...ends})
        : stop ? fault("illegal-stops-before", "V3.6.3", found.text, {colour: each.colour, city: nameOf(pos, stop), goal: ends.goal}) : found;
    const goals = pos.printed.filter(city => pos.cities[city][1] === each.colour && city !== each.origin
      && bestRoute(pos, world, reader, each.colour, each.origin, city, [], most, ways).length);
    return {...why, hint: goals.map(city => nameOf(pos, city)).join(", ")};
  };
  const sectionsOf = (pos, world, route) => {
    const steps = {};
    route.slice(1).forEach((city, at) => { const owner = world.built[linkOf(pos, route[at], city)]; if (owner) steps[owner] = (steps[owner] || 0) + 1; });
    return steps;
  };
  const where = (pos, world, colour) => pos.printed.filter(city => (world.cubes[city] || []).includes(colour)).map(city => nameOf(pos, city)).join(", ");
  const fits = (group, place, wish) => {
    if (wish.number) return wish.number === place + 1;
    const left = wish.colours.reduce((rest, colour) => rest && rest.includes(colour) ? without(rest, colour) : null, group);
    return Boolean(left) && !(wish.exact && left.length);
  };
  return {LOK, SUBVENTION, BARGAIN, SABOTAGE, EXTRA, REARRANGE, PLANNING, CUBES, HEAVY, FIRST_EXTRA, PHASES, nameOf, linkOf, linkName, wayName, without,
    numbers, wishText, siteText, deliveryText, beforeText, planText, extraText, sabotageText, bidText, worldOf, count, moved, cardFor, siteFault,
    build, bestRoute, stopsOf, routeOf, whyNoRoute, sectionsOf, where, fits, fault};
})();
