// Orders of Volldampf: plans of bonds, bids, track, trips and cards, and their text in both directions.

/** @typedef {{bonds: ?number, bid: ?number[], rank: Wish[], groups: string[][], builds: Object<string, Site[]>, trips: Object<string, Delivery[]>, before: Object[], sabotage: Object[], steals: Object<string, string[]>, rest: string[], pen: ?Object}} Plan */

const Orders = (() => {
  "use strict";
  const R = Rules;
  const PAINT = {blue: "#2d6cd2", violet: "#a682e0", red: "#dc2f3a", yellow: "#f6cf2c"};

  const blank = () => ({bonds: null, bid: null, rank: [], groups: [], builds: {}, trips: {}, before: [], sabotage: [], steals: {}, rest: [], pen: null});
  const with_ = (plan, change) => {
    const made = JSON.parse(JSON.stringify(plan));
    made.rest = made.rest.filter(line => !Speech.isPass(line)); // who orders something does not pass
    change(made);
    return made;
  };
  const tripsIn = plan => Object.keys(plan.trips).sort();

  // --- text ---

  const write = (pos, reader, plan) => {
    const lines = [];
    if (plan.bonds !== null) lines.push(`BONDS ${plan.bonds}`);
    if (plan.groups.length) lines.push(`NEW: ${plan.groups.map(group => group.join("+")).join(" / ")}`);
    if (plan.bid) lines.push(R.bidText(pos, plan.bid));
    if (plan.rank.length) lines.push(`RANK ${plan.rank.map(R.wishText).join(", ")}`);
    for (const number of Object.keys(plan.builds).sort())
      lines.push(`BUILD ${number}: ${plan.builds[number].map(site => R.siteText(pos, site)).join(" OR ")}`);
    lines.push(...plan.before.map(each => R.beforeText(pos, each)));
    for (const trip of tripsIn(plan)) {
      const verb = +trip < R.FIRST_EXTRA ? `MOVE ${trip}` : +trip === R.FIRST_EXTRA ? "SUBSIDY" : `SUBSIDY ${trip}`;
      lines.push(`${verb}: ${plan.trips[trip].map(each => R.deliveryText(pos, each)).join(" OR ")}`);
    }
    lines.push(...plan.sabotage.map(each => R.sabotageText(pos, each)));
    for (const [which, codes] of Object.entries(plan.steals))
      lines.push(`STEAL ${which && `${which.toUpperCase()} `}FROM ${codes.join(", ") || "NOBODY"}`);
    return [...lines, ...plan.rest];
  };

  // --- reading: the forms that the desk writes, and what people shorten them to ---

  const meant = (pos, kind, text) => pos.words[kind][text.trim().replace(/\s+/g, " ").toLowerCase()] || "";
  const all = list => list.length && list.every(Boolean) ? list : null;
  const places = (pos, text, sign) => all(text.split(sign).map(each => meant(pos, "PLACE", each)));
  const colours = (pos, text) => all(text.split(/\s*\+\s*|\s+/).map(each => meant(pos, "TRACK", each)));
  const readWish = (pos, text) => {
    if (/^(?:group\s+)?\d+$/i.test(text)) return {colours: [], number: +text.replace(/\D/g, ""), exact: false};
    const found = /^(only\s+|any\s+)?(.*)$/i.exec(text), named = colours(pos, found[2]);
    return named && {colours: inOrder(pos, named), number: 0, exact: /^only/i.test(found[1] || "")};
  };
  const inOrder = (pos, cards) => [...cards].sort((a, b) => Object.keys(pos.signs).indexOf(a) - Object.keys(pos.signs).indexOf(b));
  const readSite = (pos, text) => {
    const thrown = /^(?:discard\s*(.*)|none)$/i.exec(text);
    if (thrown) {
      const card = thrown[1] ? meant(pos, "TRACK", thrown[1]) : "";
      return thrown[1] && !card ? null : {link: "", card, bargain: false};
    }
    const bargain = /\bbargain\b/i.test(text), [way, named] = text.replace(/\s*\bbargain\b/i, "").split(/\s+with\s+/i);
    const ends = places(pos, way, /\s*-\s*|\s+to\s+/i), link = ends && ends.length === 2 && R.linkOf(pos, ends[0], ends[1]);
    const card = named ? meant(pos, "TRACK", named) : "";
    if (!link || (named && !card)) return null;
    return {link, card: !bargain && card === pos.links[link][2] ? "" : card, bargain};
  };
  const readDelivery = (pos, text) => {
    if (/^(decline|none|no delivery|no trip)$/i.test(text)) return {colour: "", route: [], origin: "", goal: "", via: [], loks: 0};
    const loks = (text.match(/\bfast\b/gi) || []).length, found = /^(\S+)\s+(?:cube\s+)?(.*)$/i.exec(text.replace(/\s*\bfast\b/gi, "").trim());
    const colour = found ? meant(pos, "CUBE", found[1]) : "";
    if (!colour) return null;
    const loose = /^from\s+(.*?)(?:\s+via\s+(.*?))?\s+to\s+(.*?)(?:\s+via\s+(.*))?$/i.exec(found[2]);
    const between = loose && (loose[2] || loose[4] || "");
    const via = between ? places(pos, between, /\s*,\s*|\s+and\s+/i) : [];
    const cities = loose ? (via ? all([meant(pos, "PLACE", loose[1]), ...via, meant(pos, "PLACE", loose[3])]) : null) : places(pos, found[2].replace(/^from\s+/i, ""), /\s*-\s*/);
    if (!cities || cities.length < 2 || new Set(cities).size < cities.length) return null;
    const linked = cities.every((city, at) => !at || R.linkOf(pos, cities[at - 1], city));
    if (!linked && (!loose || pos.options.route_needed)) return null;
    const route = !loose || (via.length && linked) ? cities : [];
    return {colour, route, origin: cities[0], goal: cities[cities.length - 1], via: route.length ? [] : cities.slice(1, -1), loks};
  };
  const readTarget = (pos, text) => {
    const target = {colour: "", origin: "", goal: "", passing: ""};
    if (/^any$/i.test(text)) return target;
    const parts = text.split(/\s*\b(from|to|via)\b\s*/i);
    if (parts[0]) { target.colour = meant(pos, "CUBE", parts[0].replace(/^any\s+|\s+cubes?$/gi, "")); if (!target.colour) return null; }
    for (let at = 1; at < parts.length; at += 2) {
      const city = meant(pos, "PLACE", parts[at + 1]);
      if (!city) return null;
      target[{from: "origin", to: "goal", via: "passing"}[parts[at].toLowerCase()]] = city;
    }
    return target;
  };
  const MOMENTS = {bonds: "bonds", bid: "bid", limit: "bid", choose: "choose", rank: "choose", build: "build", move: "move", trip: "move", subsidy: "subsidy"};
  const ways = text => text.split(/\s*;\s*|\s+or\s+/i).filter(Boolean);
  /** [verb, expression, what it makes of the plan: true if it was understood] */
  /** @type {[RegExp, Function][]} */
  const FORMS = [
    [/^(?:take )?bonds?\s*:?\s*(\d+|none)(?: points?)?$/i, (pos, reader, plan, [points]) => {
      if (plan.bonds !== null || !R.numbers(pos, "bonds").length) return false;
      plan.bonds = +points || 0;
      return true;
    }],
    [/^(?:my )?(?:limit|bids?)\s*:?\s*(pass|none|\d+(?: marks?)?(?:\s*[,/]\s*\d+)*)$/i, (pos, reader, plan, [amounts]) => {
      if (plan.bid || !R.numbers(pos, "bid").length) return false;
      const bid = (amounts.match(/\d+/g) || []).map(Number);
      plan.bid = pos.range.length ? bid : bid.slice(0, 1);
      return true;
    }],
    [/^(?:rank(?:ing)?|choose|groups)\s*:?\s*(.+)$/i, (pos, reader, plan, [text]) => {
      const wishes = all(text.split(/\s*[,;]\s*|\s+or\s+/i).filter(Boolean).map(each => readWish(pos, each)));
      const most = Object.keys(pos.players).length;
      if (plan.rank.length || !wishes || !R.numbers(pos, "choose").length || wishes.some(wish => wish.number > most)) return false;
      plan.rank = wishes;
      return true;
    }],
    [/^(?:new|alles neu|everything new)\s*:?\s*(.+)$/i, (pos, reader, plan, [text]) => {
      const groups = all(text.split(/\s*\/\s*/).map(each => colours(pos, each)));
      if (plan.groups.length || !groups || !R.numbers(pos, "new").length) return false;
      plan.groups = groups.map(group => inOrder(pos, group));
      return true;
    }],
    [/^(build|discard)s?\s+(\d)\s*[:).]?\s*(.*)$/i, (pos, reader, plan, [verb, number, text]) => {
      const sites = /discard/i.test(verb) ? [readSite(pos, `DISCARD ${text}`)] : ways(text).map(each => readSite(pos, each));
      if (plan.builds[number] || !all(sites) || !R.numbers(pos, "build").includes(+number)) return false;
      plan.builds[number] = sites;
      return true;
    }],
    [/^(move|trip|subsidy|decline)s?\s*(\d)?\s*[:).]?\s*(.*)$/i, (pos, reader, plan, [verb, number, text]) => {
      const extra = /subsidy/i.test(verb), trips = R.numbers(pos, "move");
      const trip = extra ? (["2", "4"].includes(number) ? 4 : 3) : +(number || (trips.length === 1 ? trips[0] : 0));
      const made = /decline/i.test(verb) ? [readDelivery(pos, "DECLINE")] : ways(text).map(each => readDelivery(pos, each));
      const asked = extra ? R.numbers(pos, "subsidy").length : trips.includes(trip);
      if (!asked || plan.trips[trip] || !all(made) || (extra && made.some(each => !each.colour))) return false;
      plan.trips[trip] = made;
      return true;
    }],
    [/^(?:extra(?: freight)?|zusatzfracht)\s+(\d)\s*[:).]?\s*(.+)$/i, (pos, reader, plan, [trip, text]) => {
      const one = meant(pos, "PLACE", text), cities = {};
      if (+trip < R.FIRST_EXTRA ? !R.numbers(pos, "move").includes(+trip) : !R.numbers(pos, "subsidy").length) return false;
      for (const pair of one ? [] : text.split(/\s*[,;]\s*/)) {
        const found = /^(\S+?):?\s+(?:(?:to|on|-)\s+)?(.+)$/i.exec(pair), colour = found ? meant(pos, "CUBE", found[1]) : "";
        const city = found ? meant(pos, "PLACE", found[2]) : "";
        if (!colour || !city || cities[colour]) return false;
        cities[colour] = city;
      }
      if (!one && !R.CUBES.every(colour => cities[colour])) return false;
      plan.before.push({trip: +trip, cities: one ? Object.fromEntries(R.CUBES.map(colour => [colour, one])) : cities});
      return true;
    }],
    [/^(?:plan|new plan(?:ning)?|neue planung)\s+(before|after|to)\s+(\w+)\s*(\d)?\s*[:).]?\s*(\S+)\s+from\s+(.+?)\s+to\s+(.+)$/i, (pos, reader, plan, [when, word, number, cube, from, to]) => {
      const what = MOMENTS[word.toLowerCase()], colour = meant(pos, "CUBE", cube), origin = meant(pos, "PLACE", from), goal = meant(pos, "PLACE", to);
      if (!what || !colour || !origin || !goal || origin === goal) return false;
      const asked = R.numbers(pos, what), numbered = ["build", "move"].includes(what);
      const at = numbered ? +(number || (asked.length === 1 ? asked[0] : 0)) : what === "subsidy" && number === "4" ? 4 : 0;
      if (!asked.length || (numbered && !asked.includes(at))) return false;
      plan.before.push({when: /^before$/i.test(when) ? "before" : "after", what, number: at, colour, origin, goal});
      return true;
    }],
    [/^sabotage\s*([^:]*?)\s*(\d)?\s*:\s*(.+)$/i, (pos, reader, plan, [who, trip, text]) => {
      const victim = !who || /^any(body|one)$/i.test(who) ? "" : meant(pos, "PLAYER", who), targets = all(ways(text).map(each => readTarget(pos, each)));
      const now = ["build", "move", "subsidy"].some(what => R.numbers(pos, what).length);
      if (!now || !targets || (who && !victim && !/^any/i.test(who)) || victim === reader || +trip > 4) return false;
      plan.sabotage.push({victim, trip: +(trip || 0), targets});
      return true;
    }],
    [/^steal\b\s*(?:(?:card\s*)?([1-3])\b|(last)\b(?: place)?)?\s*:?\s*(?:from\s+)?(.+)$/i, (pos, reader, plan, [number, last, text]) => {
      const which = number || (last ? "last" : "");
      const named = /^(nobody|none)$/i.test(text) ? [] : all(text.split(/\s*,\s*/).map(each => meant(pos, "PLAYER", each)));
      if (plan.steals[which] || !named || named.includes(reader)) return false;
      plan.steals[which] = [...new Set(named)];
      return true;
    }],
  ];
  const read = (pos, reader, lines) => {
    const plan = blank(), faults = [];
    const names = Object.values(pos.words).flatMap(kind => Object.keys(kind));
    for (const typed of lines) {
      const line = Speech.isPass(typed) ? typed : Speech.plain(pos, names, typed);
      const form = FORMS.find(each => each[0].test(line));
      if (Speech.isPass(line) || (form && form[1](pos, reader, plan, form[0].exec(line).slice(1)))) {
        if (Speech.isPass(line)) plan.rest.push(line);
        continue;
      }
      plan.rest.push(typed);
      faults.push({code: "unread", text: typed, params: {}});
    }
    return {plan, faults};
  };

  return {blank, write, read, with_, PAINT};
})();
