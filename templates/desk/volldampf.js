// The order desk of Volldampf: what can be done next, as buttons and on the board.

/** @type {GameScript} */
const Script = (() => {
  "use strict";
  const R = Rules, O = Orders, {with_} = Orders, {reckon} = Reckoning;
  const SHORT = {bonds: "BONDS", bid: "BID", choose: "RANK", new: "NEW", build: "BUILD", move: "MOVE", subsidy: "SUBSIDY", cards: ""};
  const DISC = 38; // half of a city's disc, with its edge
  const point = (pos, city) => pos.cities[city].slice(2);
  const middle = (pos, id) => { const [a, b] = pos.links[id].map(city => pos.cities[city] && point(pos, city)); return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]; };
  const purseWords = (pos, word, cash) => Number.isFinite(cash) ? word("purse", {cash}) : "";

  const tabsOf = (pos, reader, word) => [
    ...pos.asked.filter(each => !["new", "steal"].includes(each[0])).map(([what, number]) => ({
      id: `${what} ${number || (what === "subsidy" ? 3 : 0)}`,
      label: `${what === "bid" ? pos.bidding : SHORT[what]}${number ? ` ${number}` : ""}`,
    })),
    ...(R.worldOf(pos, reader).cards.length ? [{id: "cards 0", label: word("cards")}] : []),
    ...(pos.options.steal_from === "chosen" ? [{id: "steal 0", label: "STEAL"}] : []),
  ];
  /** What an order comes to, in words. */
  const noteWords = (pos, word, note) => {
    if (note.what === "built") return word("built", {...note, left: purseWords(pos, word, note.cash)});
    if (note.steps) return `${note.route}: ${note.steps.map(each => `${each.code} +${each.steps}`).join(", ")}`;
    if (note.what === "bonds") return `+${note.money}. ${purseWords(pos, word, note.cash)}`;
    if (note.what === "discarded") return word("thrown", note);
    if (note.what === "cards-left") return word("cards-left", {cards: note.colours.join(", ")});
    if (note.colours) return `${note.number}: ${note.colours.join("+")}`;
    return note.what === "planned" ? `${note.colour}: ${note.origin} - ${note.goal}` : note.text || "";
  };
  /** A track card as it lies below the board. */
  const card = ([code, paint, corners]) => {
    const sign = `fill="#fff" stroke="${paint}" stroke-width="6"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 64 86" aria-hidden="true"><path d="M0 0h62v84h-62z" fill="#fff" stroke="#222" stroke-width="2"/>
      <path d="M6 6h50v72h-50z" fill="${paint}" fill-opacity=".22"/>${corners.length ? `<polygon points="${corners.join(" ")}" ${sign}/>` : `<circle cx="31" cy="42" r="20" ${sign}/>`}
      <text x="31" y="49" font-size="20" font-weight="bold" text-anchor="middle" fill="#222">${code}</text></svg>`;
  };
  const legs = (pos, route, colour, dash = "") => ({line: route.map(city => point(pos, city)), colour, width: 16, dash});

  // --- what is asked, one tab each: [title, steps, refused] ---

  const bonds = (pos, reader, plan, word) => [word("bonds-title", {money: pos.bond_money}), Array.from({length: 13}, (_, points) => ({
    label: String(points), say: `BONDS ${points}`, go: with_(plan, made => { made.bonds = points; }), at: "bonds 0",
  })), []];
  const bid = (pos, reader, plan, word) => {
    const {purse} = reckon(pos, reader, plan), two = pos.range.length > 0, most = Math.min(two && pos.range[1] ? pos.range[1] : 40, Number.isFinite(purse) ? purse : 40);
    const least = two ? pos.range[0] : pos.least, amounts = Array.from({length: Math.max(0, most - least + 1)}, (_, at) => least + at);
    const steps = amounts.map(amount => ({label: String(amount), say: `${pos.bidding} ${amount}`, go: with_(plan, made => { made.bid = [...(two && plan.bid || []), amount]; })}));
    return [word(two ? "bids-title" : "bid-title", {left: purseWords(pos, word, purse)}), [...steps, ...(two ? [] : [{label: "PASS", go: with_(plan, made => { made.bid = []; })}])], []];
  };
  const choose = (pos, reader, plan, word) => {
    const {groups} = reckon(pos, reader, plan), texts = plan.rank.map(R.wishText);
    const open = groups.map((group, at) => [group.join("+"), at, group]).filter(([text, at, group]) => text && !texts.includes(text) && !texts.includes(String(at + 1)));
    return [word("rank-title"), open.map(([text, , group]) => ({label: text, signs: group.map(each => card(pos.signs[each])), go: with_(plan, made => { made.rank.push({colours: group, number: 0, exact: false}); })})), []];
  };
  const build = (pos, reader, plan, number, word) => {
    const {world} = reckon(pos, reader, plan, ["build", number]), own = plan.builds[number] || [];
    const put = site => with_(plan, made => { made.builds[number] = [...own, site]; });
    const or = own.length ? `${word("or")} ` : "", steps = [], cheaper = [], refused = [];
    const there = site => own.some(each => R.siteText(pos, each) === R.siteText(pos, site));
    for (const [id, [, , colour, cost]] of Object.entries(pos.links)) {
      const site = {link: id, card: "", bargain: false}, wrong = R.siteFault(pos, world, reader, site);
      if (there(site)) continue;
      if (!wrong) steps.push({label: `${or}${R.linkName(pos, id)}: ${word("link", {colour, cost})}`, go: put(site), point: middle(pos, id)});
      else if (world.hand.includes(colour)) refused.push({label: R.linkName(pos, id), why: word(wrong.code, {...wrong.params, text: R.linkName(pos, id)})});
      const cheap = {...site, bargain: true};
      if (R.count(world, R.BARGAIN) && cost > 5 - 5 * (wrong ? 1 : 0) && !there(cheap) && !R.siteFault(pos, world, reader, cheap))
        cheaper.push({label: `${or}${R.linkName(pos, id)} BARGAIN: ${word("link", {colour: R.cardFor(pos, world, cheap), cost: 5})}`, go: put(cheap), ...(wrong ? {point: middle(pos, id)} : {})});
    }
    for (const card of new Set(world.hand)) if (!there({link: "", card, bargain: false})) steps.push({label: `${or}DISCARD ${card}`, go: put({link: "", card, bargain: false})});
    return [`${word("build-title", {number})} ${purseWords(pos, word, world.cash)}; ${word("cards-left", {cards: world.hand.join(", ")})}`, [...steps, ...cheaper], refused];
  };
  const trip = (pos, reader, plan, number, word) => {
    const {world} = reckon(pos, reader, plan, [number < R.FIRST_EXTRA ? "move" : "subsidy", number]), own = plan.trips[number] || [];
    const put = each => with_(plan, made => { made.trips[number] = [...own, each]; made.pen = null; });
    const wished = ({colour, loks}, way) => ({colour, route: pos.options.route_needed ? way : [], origin: way[0], goal: way[way.length - 1], via: [], loks});
    const there = each => own.some(wish => R.deliveryText(pos, wish) === R.deliveryText(pos, each));
    const or = own.length ? `${word("or")} ` : "", pen = plan.pen && plan.pen.trip === number ? plan.pen : null;
    const gains = route => Object.entries(R.sectionsOf(pos, world, route)).map(([code, count]) => `${code} +${count}`).join(", ");
    if (!pen) {
      /** @type {Step[]} */
      const steps = Object.keys(pos.cities).flatMap(city => R.CUBES.filter(colour => (world.cubes[city] || []).includes(colour)).map(colour => ({
        label: `${or}${colour} ${R.nameOf(pos, city)}`, point: point(pos, city), go: with_(plan, made => { made.pen = {trip: number, colour, route: [city], loks: 0}; }),
      })).filter(step => goalsOf(pos, world, reader, step.go.pen).some(([, way]) => !there(wished(step.go.pen, way)))));
      if (number < R.FIRST_EXTRA && !own.some(each => !each.colour)) steps.push({label: `${or}DECLINE`, go: put({colour: "", route: [], origin: "", goal: "", via: [], loks: 0})});
      return [word("trip-title", {number}), steps, []];
    }
    const {colour, route, loks} = pen, here = route[route.length - 1], most = pos.max_links + loks, stops = R.stopsOf(pos, colour);
    const made = way => ({...wished(pen, way), route: way});
    const steps = [];
    for (const city of Object.keys(pos.cities)) {
      const id = R.linkOf(pos, here, city), owner = id && world.built[id];
      if (!owner || route.includes(city) || route.length > most) continue;
      const ends = pos.cities[city][1] === colour, way = [...route, city];
      if (ends && !there(made(way))) steps.push({label: `${word("arrive", {city: R.nameOf(pos, city)})}: ${gains(way)}`, point: point(pos, city), go: put(made(way)), main: true});
      if ((!ends || !stops.includes(city)) && leadsOn(pos, world, pen, way)) steps.push({label: `${word("on-to", {city: R.nameOf(pos, city)})} (${owner})`, ...(ends ? {} : {point: point(pos, city)}), go: with_(plan, next => { next.pen.route = way; })});
    }
    if (route.length === 1)
      for (const [goal, way] of goalsOf(pos, world, reader, pen)) {
        const wish = wished(pen, way);
        if (!there(wish)) steps.push({label: `${R.deliveryText(pos, {...wish, route: []})}: ${R.wayName(pos, way)}, ${gains(way)}`, point: point(pos, goal), go: put(wish)});
      }
    if (!loks && R.count(world, R.LOK)) steps.push({label: "FAST", say: R.LOK, go: with_(plan, next => { next.pen.loks = 1; })});
    return [`${colour} ${R.wayName(pos, route)}`, steps, []];
  };
  /** Whether a way that is begun can still come to a city that takes the cube. */
  const leadsOn = (pos, world, pen, way) => way.length <= pos.max_links + pen.loks && Object.keys(pos.cities).some(city => {
    if (!world.built[R.linkOf(pos, way[way.length - 1], city)] || way.includes(city)) return false;
    return pos.cities[city][1] === pen.colour || leadsOn(pos, world, pen, [...way, city]);
  });
  const goalsOf = (pos, world, reader, pen) => Object.keys(pos.cities).filter(city => pos.cities[city][1] === pen.colour && city !== pen.route[0])
    .filter(() => !pos.bars.some(bar => bar.player === reader && bar.colour === pen.colour && ["", pen.route[0]].includes(bar.city)))
    .map(city => [city, R.bestRoute(pos, world, reader, pen.colour, pen.route[0], city, [], pos.max_links + pen.loks)]).filter(each => each[1].length);

  /** Cards with their moments: which card, then what it needs, one thing after the other. */
  const cards = (pos, reader, plan, word) => {
    const {world} = reckon(pos, reader, plan), pen = plan.pen && plan.pen.card ? plan.pen : null;
    const ask = (title, steps) => [title, steps, []], on = change => with_(plan, made => { change(made.pen); });
    const now = what => R.numbers(pos, what), trips = [...now("move"), ...(now("subsidy").length ? [3] : [])];
    const cities = (change, from = Object.keys(pos.cities)) => from.map(city => ({label: R.nameOf(pos, city), point: point(pos, city), go: change(city)}));
    if (!pen) {
      const may = {[R.EXTRA]: trips.length && pos.bag, [R.PLANNING]: pos.asked.some(each => R.PHASES[each[0]] >= +pos.options.neue_planung_phases[0]),
        [R.SABOTAGE]: ["build", "move", "subsidy"].some(what => now(what).length), [R.REARRANGE]: now("new").length && !plan.groups.length};
      return ask(word("cards-title"), Object.keys(may).filter(card => may[card] && R.count(world, card)).map(card => ({label: card, go: with_(plan, made => { made.pen = {card}; })}))
        .concat(plan.sabotage.map(({victim, trip: number}, at) => ({ // one more target of a sabotage that is planned
          label: `${R.sabotageText(pos, plan.sabotage[at])} ${word("or")} ...`, go: with_(plan, made => { made.pen = {card: R.SABOTAGE, victim, trip: number, more: at}; }),
        }))));
    }
    if (pen.card === R.EXTRA) {
      if (!pen.trip) return ask(word("before-which"), trips.map(number => ({label: `EXTRA ${number}`, go: on(next => { next.trip = number; next.cities = {}; })})));
      const colour = R.CUBES.find(each => !pen.cities[each]);
      return ask(word("extra-where", {colour}), cities(city => with_(plan, made => {
        made.pen.cities[colour] = city;
        if (R.CUBES.every(each => made.pen.cities[each])) { made.before.push({trip: pen.trip, cities: made.pen.cities}); made.pen = null; }
      })));
    }
    if (pen.card === R.PLANNING) {
      const moments = pos.asked.filter(each => each[0] !== "new" && R.PHASES[each[0]] >= +pos.options.neue_planung_phases[0]);
      if (!pen.what) return ask(word("plan-when"), moments.flatMap(([what, number]) => ["before", "after"].map(when => ({
        label: `${when.toUpperCase()} ${what.toUpperCase()}${number ? ` ${number}` : ""}`, go: on(next => { Object.assign(next, {when, what, number}); })}))));
      if (!pen.origin) return ask(word("plan-cube"), Object.keys(pos.cities).flatMap(city => R.CUBES.filter(colour => (world.cubes[city] || []).includes(colour)).map(colour => ({
        label: `${colour} ${R.nameOf(pos, city)}`, point: point(pos, city), go: on(next => { Object.assign(next, {colour, origin: city}); })}))));
      return ask(word("plan-to"), cities(city => with_(plan, made => {
        const {when, what, number, colour, origin} = pen;
        made.before.push({when, what, number, colour, origin, goal: city});
        made.pen = null;
      }), Object.keys(pos.cities).filter(city => city !== pen.origin)));
    }
    if (pen.card === R.SABOTAGE) {
      if (pen.victim === undefined) return ask(word("sabotage-whom"), ["", ...Object.keys(pos.players).filter(code => code !== reader)]
        .map(code => ({label: code ? pos.players[code].name : word("whoever"), go: on(next => { next.victim = code; })})));
      if (pen.trip === undefined) return ask(word("sabotage-trip"), [0, 1, 2, 3].map(number => ({label: number ? String(number) : word("any"), go: on(next => { next.trip = number; })})));
      const put = part => with_(plan, made => {
        const target = {colour: "", origin: "", goal: "", passing: "", ...part};
        if (pen.more === undefined) made.sabotage.push({victim: pen.victim, trip: pen.trip, targets: [target]});
        else made.sabotage[pen.more].targets.push(target);
        made.pen = null;
      });
      return ask(word("sabotage-what"), [{label: "ANY", go: put({})}, ...R.CUBES.map(colour => ({label: colour, go: put({colour})})),
        ...Object.keys(pos.cities).map(city => ({label: `FROM ${R.nameOf(pos, city)}`, point: point(pos, city), go: put({origin: city})}))]);
    }
    const groups = pen.groups || pos.groups, all = groups.flatMap((group, at) => [...new Set(group)].map(colour => [at, colour]));
    const named = ([at, colour]) => `${at + 1}: ${colour}`, text = groups.map(group => group.join("+")).join(" / ");
    if (!pen.first) return ask(`${word("new-title")} ${text}`, [...all.map(each => ({label: named(each), go: on(next => { next.first = each; })})),
      ...(pen.groups ? [{label: `NEW: ${text}`, main: true, go: with_(plan, made => { made.groups = pen.groups; made.pen = null; })}] : [])]);
    const [at, colour] = pen.first;
    return ask(`${word("new-with")} ${named(pen.first)}`, all.filter(each => each[0] !== at && each[1] !== colour).map(([other, card]) => ({
      label: named([other, card]),
      go: on(next => {
        const swapped = groups.map((group, place) => place === at ? [...R.without(group, colour), card] : place === other ? [...R.without(group, card), colour] : group);
        next.groups = swapped.map(group => [...group].sort((a, b) => Object.keys(pos.signs).indexOf(a) - Object.keys(pos.signs).indexOf(b)));
        delete next.first;
      }),
    })));
  };

  const steal = (pos, reader, plan, word) => {
    const named = plan.steals[""] || [], set = codes => with_(plan, made => { made.steals[""] = codes; });
    const steps = Object.keys(pos.players).filter(code => code !== reader && !named.includes(code)).map(code => ({label: pos.players[code].name, go: set([...named, code])}));
    return [word("steal-title"), [...steps, ...(plan.steals[""] ? [] : [{label: "NOBODY", go: set([])}])], []];
  };

  const VIEWS = {bonds, bid, choose, build, move: trip, subsidy: trip, cards, steal};
  const show = (pos, reader, plan, at, word) => {
    const tabs = tabsOf(pos, reader, word), open = (tabs.find(tab => tab.id === at) || tabs[0] || {id: ""}).id, [what, number] = open.split(" ");
    const waits = pos.whose && pos.whose !== reader, done = reckon(pos, reader, plan);
    const view = VIEWS[what], numbered = ["build", "move", "subsidy"].includes(what);
    const [title, steps, refused] = !view || waits ? [waits ? word("others-turn", {player: pos.whose}) : "", [], []]
      : numbered ? view(pos, reader, plan, +number, word) : view(pos, reader, plan, word);
    if (tabs.length && !waits && !O.write(pos, reader, plan).length) steps.push({label: "PASS", go: with_(plan, made => { made.rest = ["PASS"]; made.pen = null; })});
    const lines = {bonds: /^BONDS/, bid: /^(LIMIT|BID)/, choose: /^RANK/, build: new RegExp(`^BUILD ${number}`), move: new RegExp(`^MOVE ${number}`), subsidy: /^SUBSIDY/, cards: /^(NEW|EXTRA|PLAN|SABOTAGE)/, steal: /^STEAL/}[what] || /^$/;
    const words = ({line, notes}) => [line, ...notes.map(note => noteWords(pos, word, note)).filter(Boolean)].join(" | ");
    const marks = [], shade = pos.players[reader].shade, pen = plan.pen;
    for (const [id, owner] of Object.entries(done.world.built)) if (!pos.links[id][4] && owner === reader) marks.push(legs(pos, pos.links[id].slice(0, 2), shade));
    for (const trip of Object.values(plan.trips)) for (const each of trip) if (each.colour) {
      const way = each.route.length ? each.route : R.bestRoute(pos, R.worldOf(pos, reader), reader, each.colour, each.origin, each.goal, each.via, pos.max_links + each.loks);
      if (way.length) marks.push(legs(pos, way, O.PAINT[each.colour], "30 14"));
    }
    if (pen && pen.route) marks.push(legs(pos, pen.route, O.PAINT[pen.colour]), {at: point(pos, pen.route[0]), r: 52, colour: O.PAINT[pen.colour]});
    const own = Object.values(pos.links).filter(link => link[4] === reader).flatMap(link => link.slice(0, 2)), near = (own.length ? own : Object.keys(pos.cities)).map(city => point(pos, city));
    const [xs, ys] = [near.map(each => each[0]), near.map(each => each[1])], spent = purseWords(pos, word, R.numbers(pos, "build").length ? done.world.cash : done.purse);
    return {
      tabs, at: open, title, steps, refused, marks, faults: done.faults,
      told: done.notes.filter(each => lines.test(each.line)).map(words),
      sum: [...done.notes.map(words), ...(plan.bid && plan.bid.length ? [word("after-bid", {cash: done.purse - Math.max(...plan.bid)})] : []), spent].filter(Boolean),
      focus: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
      ...(pen && pen.route ? {tip: point(pos, pen.route[pen.route.length - 1])} : {}),
    };
  };
  const places = pos => Object.entries(pos.cities).map(([id, [name, , x, y]]) => ({id, name, point: [x, y], half: [DISC, DISC]}));
  const say = (pos, reader, plan, at, place, word) => {
    const {world} = reckon(pos, reader, plan);
    return word("city", {city: R.nameOf(pos, place), colour: pos.cities[place][1], cubes: (world.cubes[place] || []).join(", ") || "-"});
  };
  return {blank: O.blank, write: O.write, read: O.read, reckon, show, places, say};
})();
