// What orders of Volldampf come to, phase by phase, if nobody else moved.

const Reckoning = (() => {
  "use strict";
  const R = Rules, {blank, write} = Orders;

  /** Reckon orders as `forecast` does. *until*: [what, number] before which to stop, to see what can be done there. */
  const reckon = (pos, reader, plan, until = null) => {
    const today = R.worldOf(pos, reader), own = pos.players[reader], faults = [], notes = [];
    let world = today, purse = today.cash, groups = pos.groups, better = false, instead = "", row = "";
    const seen = new Set(); // of each order, what was complained of
    const add = found => {
      const wrong = /^(illegal|invalid)-/.test(found.code);
      const made = better && wrong ? {...found, code: `warning-alternative-${found.code}`, params: instead ? {...found.params, instead} : found.params} : found;
      const {hint, ...bare} = made;
      const key = `${row} ${JSON.stringify(made)}`;
      if (!seen.has(key)) faults.push(hint ? made : bare);
      seen.add(key);
    };
    const complain = (code, paragraph, text, params = {}, hint = "") => add({code, paragraph, text, params, ...(hint ? {hint} : {})});
    const tell = (line, ...told) => { notes.push({line, notes: told}); };
    const refused = new Set();
    const refuse = (order, text) => { // one that goes with both extra trips is told of once
      if (!refused.has(order)) tell(text, {what: "refused"});
      refused.add(order);
    };
    let hoped = []; // cubes that Zusatzfracht may bring: [colour, city]
    const reached = (what, number) => Boolean(until) && until[0] === what && until[1] === number;
    const cardsToday = card => R.count(today, card);
    const mayPlay = (card, paragraph, text, later = false) => {
      if (!cardsToday(card) && later && pos.draws) {
        complain("warning-no-card-yet", paragraph, text, {card});
        world = {...world, cards: [...world.cards, card]}; // it is counted on, until it is played
      } else if (!R.count(world, card)) {
        const count = cardsToday(card);
        if (count) complain("warning-card-spent", paragraph, text, {card, count});
        else complain("illegal-no-card", paragraph, text, {card});
      }
      return R.count(world, card) > 0;
    };
    const play = card => { world = {...world, cards: R.without(world.cards, card)}; };
    const replan = (order, over) => {
      const text = R.planText(pos, order), lies = () => (world.cubes[order.origin] || []).includes(order.colour);
      const beside = row;
      row = `plan ${plan.before.indexOf(order)}`; // one that goes with both extra trips is complained of once
      const spoilt = (() => {
        if (R.PHASES[order.what] < +pos.options.neue_planung_phases[0]) { complain("illegal-plan-phase", "V4.9", text, {phases: pos.options.neue_planung_phases}); return true; }
        if (!mayPlay(R.PLANNING, "V4.9", text, order.what === "subsidy" && !over)) return true;
        if (over) { complain("warning-plan-no-trip", "V4.9", text); return true; }
        if (lies()) return false;
        const comes = hoped.some(each => each[0] === order.colour && each[1] === order.origin);
        complain(comes ? "warning-no-cube" : "illegal-no-cube", "V4.9", text, {colour: order.colour, city: R.nameOf(pos, order.origin)}, R.where(pos, world, order.colour));
        return !comes;
      })();
      row = beside;
      if (spoilt) { refuse(order, text); return; }
      play(R.PLANNING);
      if (!lies()) {
        tell(text, {what: "waits"});
        hoped = [...hoped, [order.colour, order.goal]];
        return;
      }
      world = R.moved(world, order.colour, order.origin, order.goal);
      tell(text, {what: "planned", colour: order.colour, origin: R.nameOf(pos, order.origin), goal: R.nameOf(pos, order.goal)});
    };
    const goesWith = (order, when, what, number) => order.when === when && order.what === what && [0, number].includes(order.number);
    const plans = (what, number, when, over = false) => {
      for (const order of plan.before) if (goesWith(order, when, what, number)) replan(order, over);
    };
    const any = write(pos, reader, {...plan, pen: null, rest: []}).length > 0;

    // Bonds, Alles neu, bid, ranking. Rule: V3.3, V3.4, V4.8
    plans("bonds", 0, "before");
    if (plan.bonds !== null) {
      const text = `BONDS ${plan.bonds}`, limits = [plan.bonds, ...(pos.options.bond_limit ? [pos.options.bond_limit] : []), ...(pos.bank >= 0 ? [pos.bank] : [])];
      const points = Math.max(0, Math.min(...limits)), left = pos.last_round - pos.round + 1;
      if (points < plan.bonds) complain("warning-bonds-cut", "V3.3.1", text, {asked: plan.bonds, points});
      purse += points * pos.bond_money;
      const bonds = own.bonds + points;
      if (plan.bonds && (bonds > R.HEAVY || (bonds - own.income) * left > purse)) complain("warning-bonds-heavy", "V3.3.2", text, {bonds, income: own.income, rounds: left});
      tell(text, {what: "bonds", money: points * pos.bond_money, cash: purse, bonds});
    }
    plans("bonds", 0, "after");
    if (plan.groups.length) {
      const text = `NEW: ${plan.groups.map(group => group.join("+")).join(" / ")}`, sorted = list => list.flat().sort().join();
      const wrong = sorted(pos.groups) !== sorted(plan.groups) ? "illegal-arrangement-cards"
        : pos.groups.map(each => each.length).join() !== plan.groups.map(each => each.length).join() ? "illegal-arrangement-sizes" : "";
      if (wrong && R.count(world, R.REARRANGE)) complain(wrong, "V4.8", text, {card: R.REARRANGE});
      if (!mayPlay(R.REARRANGE, "V4.8", "NEW") || wrong) tell(text, {what: "refused"});
      else {
        groups = plan.groups;
        play(R.REARRANGE);
        tell(text, ...groups.map((group, at) => ({what: "group-after", number: at + 1, colours: group})));
      }
    }
    plans("bid", 0, "before");
    if (plan.bid) {
      const text = R.bidText(pos, plan.bid), most = Math.max(0, ...plan.bid);
      if (most > purse) complain("warning-bid-over-cash", "V3.4.1", text, {bid: most, cash: purse});
      if (pos.range.length) {
        const [least, top] = pos.range, outside = plan.bid.find(amount => amount < least || (top && amount > top));
        if (outside !== undefined) complain("warning-bid-range", "V6.3", text, {bid: outside, least, most: top});
        if (!plan.bid.length) complain("warning-no-pass", "V6.3", text);
        let counts = 0;
        if (pos.options.two_player_tie === "raise") plan.bid.forEach((bid, at) => {
          if (at && bid <= counts) complain("note-bid-raised", "V6.3", text, {bid, tie: counts, counts: counts + 1});
          counts = at ? Math.max(bid, counts + 1) : bid;
        });
      } else if (plan.bid.length && plan.bid[0] < pos.least)
        complain(pos.stage === "bid" ? "illegal-bid-low" : "warning-bid-low", "V3.4.1", text, {bid: plan.bid[0], least: pos.least});
      tell(text, plan.bid.length ? {what: "purse", cash: purse} : {what: "pass"});
    }
    plans("bid", 0, "after");
    plans("choose", 0, "before");
    if (plan.rank.length) {
      const text = `RANK ${plan.rank.map(R.wishText).join(", ")}`, hint = groups.filter(each => each.length).map(each => each.join("+")).join(" / ");
      const found = plan.rank.map(wish => groups.map((group, at) => group.length && R.fits(group, at, wish) ? at : -1).filter(at => at >= 0));
      const first = found.findIndex(each => each.length);
      if (first < 0) {
        complain("illegal-no-group", "V3.4.4", text, {}, hint);
        tell(text, {what: "no-group-today"});
      } else {
        found.forEach((each, at) => {
          if (each.length) return;
          const wish = R.wishText(plan.rank[at]);
          if (at < first) complain("warning-no-group-yet", "V3.4.4", wish, {instead: R.wishText(plan.rank[first])}, hint);
          else complain("warning-no-group", "V3.4.4", wish, {}, hint);
        });
        tell(text, ...[...new Set(found.flat())].map(at => ({what: "group-today", number: at + 1, colours: groups[at]})));
      }
    }
    plans("choose", 0, "after");
    if (any && R.numbers(pos, "bonds").length && plan.bonds === null) complain("note-no-bonds", "V7", "");
    if (any && R.numbers(pos, "bid").length && !plan.bid) complain(pos.range.length ? "note-no-bid-of-two" : "note-no-bid", pos.range.length ? "V6.3" : "V7", "");
    if (any && R.numbers(pos, "choose").length && pos.stage !== "bid" && !plan.rank.length) complain("note-no-rank", "V7", "");

    // Track. Rule: V3.5
    const SPENT = {"illegal-no-track-card": "warning-card-gone", "illegal-link-taken": "warning-built-before", "illegal-too-dear": "warning-too-dear", "illegal-no-section": "warning-no-section"};
    const askBack = (text, since, spoilt) => {
      const found = faults.slice(since);
      if (found.length && found.every(each => spoilt.includes(each.code))) complain("illegal-nothing-left", found[0].paragraph, text);
    };
    for (const number of any || until ? R.numbers(pos, "build") : []) {
      if (!world.hand.length || reached("build", number)) return {world, purse, groups, faults, notes};
      plans("build", number, "before");
      const sites = plan.builds[number] || [], line = `BUILD ${number}: ${sites.map(site => R.siteText(pos, site)).join(" OR ")}`, since = faults.length;
      const able = sites.map((site, at) => R.siteFault(pos, world, reader, site) ? -1 : at).filter(at => at >= 0), serving = able.find(at => sites[at].link);
      row = line;
      if (!sites.length) complain("note-no-build", "V3.5.2", "", {number, colour: world.hand[0]});
      sites.forEach((site, at) => {
        better = serving !== undefined;
        instead = better && at < serving ? R.siteText(pos, sites[serving]) : "";
        const now = R.siteFault(pos, world, reader, site), before = R.siteFault(pos, today, reader, site), text = R.siteText(pos, site), paragraph = site.bargain ? "V4.5" : "V3.5.1";
        if (!now || (!before && at > serving)) return; // own builds before it may fail, too
        if (before && (before.code === now.code || before.code !== "illegal-not-connected"))
          complain(before.code, paragraph, text, before.params, before.code === "illegal-no-track-card" ? [...new Set(today.hand)].join(", ") : "");
        if ((SPENT[now.code] || now.code === "illegal-not-connected") && (!before || now.code !== before.code)) complain(SPENT[now.code] || now.code, paragraph, text, now.params);
        if (site.bargain) mayPlay(R.BARGAIN, paragraph, text);
      });
      better = false;
      if (sites.length && !able.length) askBack(line, since, [...Object.values(SPENT), "warning-card-spent"]);
      const done = R.build(pos, world, reader, sites);
      world = done.world;
      if (sites.length) tell(line, done.note, ...(world.hand.length ? [{what: "cards-left", colours: world.hand}] : []));
      plans("build", number, "after");
    }

    // Trips. Rule: V3.6
    const prepare = (what, trip) => {
      for (const order of plan.before) {
        if (order.cities && order.trip === trip) {
          const text = R.extraText(pos, order);
          if (!mayPlay(R.EXTRA, "V4.7", text, trip >= R.FIRST_EXTRA)) { tell(text, {what: "refused"}); continue; }
          tell(text);
          if (!pos.bag) { complain("warning-bag-empty", "V4.7", text, {card: R.EXTRA}); continue; }
          play(R.EXTRA);
          hoped = [...hoped, ...Object.entries(order.cities)];
        } else if (!order.cities && goesWith(order, "before", what, trip)) replan(order, false);
      }
    };
    const trip = (number, line) => {
      row = line;
      const given = plan.trips[number], stop = given.findIndex(each => !each.colour), wishes = stop < 0 ? given : given.slice(0, stop);
      const routes = wishes.map(each => R.routeOf(pos, world, reader, each)), serving = routes.findIndex(each => each.route), told = [], since = faults.length;
      wishes.forEach((each, at) => {
        const text = R.deliveryText(pos, each);
        /** @type {any} */
        const before = R.routeOf(pos, today, reader, each), found = !routes[at].route && serving >= 0 && at > serving && before.route ? before : routes[at];
        if (found.route) {
          const steps = Object.entries(R.sectionsOf(pos, world, found.route)).map(([code, count]) => ({code, steps: count}));
          told.push({what: each.loks ? "route-fast" : "route", route: R.wayName(pos, found.route), length: found.route.length - 1, steps});
          return;
        }
        told.push({what: serving >= 0 && at < serving ? "impossible" : "impossible-last", text});
        better = serving >= 0;
        instead = better && at < serving ? R.deliveryText(pos, wishes[serving]) : "";
        const same = before.code === found.code;
        const blame = fault => {
          const why = R.whyNoRoute(pos, today, reader, each, fault);
          let {code, hint = "", params} = why;
          if (code === "illegal-no-cube") {
            hint = R.where(pos, world, each.colour);
            if (hoped.some(pair => pair[0] === each.colour && pair[1] === each.origin)) code = "warning-no-cube";
          } else if (code === "illegal-no-card" && R.count(world, R.LOK) < cardsToday(R.LOK)) {
            code = "warning-card-spent";
            params = {card: R.LOK, count: cardsToday(R.LOK)};
          } else if (code === "illegal-no-card" && number >= R.FIRST_EXTRA && pos.draws) code = "warning-no-card-yet";
          else if (["illegal-not-built", "illegal-must-stop", "illegal-too-long"].includes(code)) {
            const other = R.bestRoute(pos, world, reader, each.colour, each.origin, each.goal, [], pos.max_links + each.loks);
            hint = other.length ? `${each.colour} ${R.wayName(pos, other)}` : "";
          }
          complain(code, why.paragraph, text, params, hint);
        };
        if (!before.route && (same || before.code !== "illegal-no-cube")) blame(before);
        if (!same && found.code === "illegal-no-cube") complain("warning-cube-gone", "V3.6.1", text, found.params);
        else if (!same) blame(found);
      });
      better = false;
      if (serving < 0 && stop < 0) askBack(line, since, ["warning-cube-gone", "warning-card-spent"]);
      if (stop >= 0) told.push({what: pos.pays ? "declined-card" : "declined"});
      if (told.length < given.length) complain("note-after-decline", "V3.6.5", line);
      tell(line, ...told);
      if (serving >= 0) {
        const each = wishes[serving], {route} = routes[serving], income = {...world.income};
        for (const [code, count] of Object.entries(R.sectionsOf(pos, world, route)))
          income[code] = Math.min(income[code] + count, pos.options.income_max || Infinity);
        for (let at = 0; at < each.loks; at++) play(R.LOK);
        world = {...R.moved(world, each.colour, route[0], ""), income};
      }
      return serving >= 0;
    };
    const lineOf = number => write(pos, reader, {...blank(), trips: {[number]: plan.trips[number]}})[0];
    for (const number of any || until ? R.numbers(pos, "move") : []) {
      if (reached("move", number)) return {world, purse, groups, faults, notes};
      prepare("move", number);
      const made = Boolean(plan.trips[number]) && trip(number, lineOf(number));
      if (!plan.trips[number]) complain("note-no-trip", "V3.6.5", "", {trip: number});
      plans("move", number, "after", !made);
    }
    if (R.numbers(pos, "subsidy").length) {
      const behind = () => pos.stage === "subsidy" ? pos.last.includes(reader) : world.income[reader] === Math.min(...Object.values(world.income));
      const early = behind(), done = [];
      for (const number of [3, 4]) {
        if (reached("subsidy", number)) return {world, purse, groups, faults, notes};
        if (!plan.trips[number]) continue;
        const line = lineOf(number);
        if (number === 4 && !(pos.options.subvention_stack && plan.trips[3])) {
          complain(plan.trips[3] ? "illegal-subsidy-once" : "illegal-subsidy-first", "V4.4", line, {card: R.SUBVENTION});
          tell(line, {what: "refused"});
          continue;
        }
        if (!mayPlay(R.SUBVENTION, "V4.4", line, true)) {
          tell(line, {what: "refused"});
          for (const when of ["before", "after"]) plans("subsidy", number, when, true);
          continue;
        }
        done.push(number);
        prepare("subsidy", number);
        const last = {what: (pos.options.subvention_when === "start_of_extra_trips" ? early : behind()) ? "if-last" : "if-not-last", income: world.income[reader]};
        const made = trip(number, line);
        if (made && R.count(world, R.SUBVENTION)) play(R.SUBVENTION);
        notes[notes.length - 1].notes.push(last);
        plans("subsidy", number, "after", !made);
      }
      for (const order of plan.before.filter(each => each.cities && each.trip >= R.FIRST_EXTRA && !done.includes(each.trip))) {
        complain("illegal-no-subsidy", "V4.7", R.extraText(pos, order));
        tell(R.extraText(pos, order), {what: "refused"});
      }
      if (!done.length) for (const when of ["before", "after"]) plans("subsidy", R.FIRST_EXTRA, when, true);
    }
    const sabotages = cardsToday(R.SABOTAGE), hope = sabotages > 0 || pos.draws;
    plan.sabotage.forEach((order, at) => {
      const text = R.sabotageText(pos, order);
      row = `sabotage ${at}`; // two alike are two
      if (at >= sabotages && sabotages > 0) complain("warning-card-shared", "V4.6", text, {card: R.SABOTAGE, count: sabotages, orders: plan.sabotage.length});
      else if (at >= sabotages) complain(hope ? "warning-no-card-yet" : "illegal-no-card", "V4.6", text, {card: R.SABOTAGE});
      tell(text, {what: hope ? "stands" : "refused"});
    });
    for (const [which, codes] of Object.entries(plan.steals))
      tell(write(pos, reader, {...blank(), steals: {[which]: codes}})[0], {what: which === "last" ? "waits-last" : which ? "waits-card" : "waits", number: which});
    return {world, purse, groups, faults, notes};
  };
  return {reckon};
})();
