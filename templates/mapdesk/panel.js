// The right side: what lies in a hex and what players pay there, what is wrong, and every field of the file as a form.

const Panel = (() => {
  "use strict";
  const TABS = [["here", "Here"], ["places", "Named places"], ["lines", "Lines"], ["ends", "Starts, ends"], ["sheet", "Sheet"]];
  const LINES = ["river", "bridge", "ferry", "causeway", "priced", "forbidden", "permitted"];
  const TITLES = {station: "Town", junction: "Junction", special: "Special", river: "River", bridge: "Bridge", ferry: "Ferry", causeway: "Causeway", priced: "Price", forbidden: "Forbidden", permitted: "White line"};
  const LETTERS = ["home_areas", "areas_without_bonus", "areas"];
  let tab = "here", ask = null;
  const open = new Set();

  /** @returns {any} */
  const make = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : String(value));
    }
    made.append(...children.filter(each => each !== "" && each !== null && each !== undefined));
    return made;
  };
  const button = (text, act, attributes = {}) => make("button", {type: "button", onclick: () => { const after = act(); render(); if (typeof after === "string") { const at = /** @type {any} */ (document.getElementById(after)); at?.focus(); at?.select?.(); } }, ...attributes}, text);

  // Fields: a value as it is typed, and what was typed as a value.
  const typed = (value, kind, key) => {
    if (value === undefined) return "";
    if (["lines", "numbers"].includes(kind) && Array.isArray(value)) return value.map(each => typeof each === "object" ? MapFile.written(each) : String(each)).join(kind === "lines" && !LETTERS.includes(key) ? "\n" : " ");
    return typeof value === "string" ? value : MapFile.written(value);
  };
  const number = text => /^-?\d{1,15}$/.test(text) ? Number(text) : /^-?\d+$/.test(text) ? {$: text, int: true} : text;
  const valueOf = (text, kind, key, needed) => {
    const plain = kind === "text" ? text : text.trim();
    if (kind === "lines") {
      const list = plain.split(LETTERS.includes(key) ? /[\s,]+/ : /\n/).map(each => each.trim()).filter(Boolean);
      return list.length || needed ? list : undefined;
    }
    if (kind === "numbers") { const list = plain.split(/[\s,]+/).filter(Boolean).map(number); return list.length || needed ? list : undefined; }
    if (!plain.trim() && !(needed && ["line", "text"].includes(kind))) return undefined;
    return kind === "number" || kind === "count" ? number(plain) : plain;
  };
  const control = (section, index, key, kind, needed, value, set) => {
    const id = `f-${section || "top"}-${index}-${key}`, common = {id, "data-key": `${section || "top"}.${key}`};
    if (kind === "flag") return make("input", {...common, type: "checkbox", checked: value === true, onchange: event => set(event.target.checked ? true : undefined)});
    const text = typed(value, kind, key), large = kind === "text" || (kind === "lines" && !LETTERS.includes(key));
    const made = make(large ? "textarea" : "input", {...common, spellcheck: "false", autocomplete: "off", onchange: event => set(valueOf(event.target.value, kind, key, needed))});
    made.value = text;
    if (large) made.rows = Math.min(9, Math.max(2, kind === "lines" ? text.split("\n").length : Math.ceil(text.length / 38)));
    return made;
  };
  const field = (section, index, key, [kind, needed], value, set, label = key) => {
    const help = ask.keys[`${section || "top"}.${key}`] || "", made = control(section, index, key, kind, needed, value, set);
    made.setAttribute("aria-describedby", `${made.id}-says`);
    return make("div", {class: "field"}, make("label", {for: made.id}, label.replace(/_/g, " ")), made, make("p", {id: `${made.id}-says`}, help));
  };
  const form = (section, index) => {
    const block = Edits.blocks(section)[index] || {}, known = ask.kit.fields[section];
    const strange = Object.keys(block).filter(key => key !== "#" && !(key in known));
    return make("div", {}, ...Object.entries(known).map(([key, type]) => field(section, index, key, type, block[key], value => ask.edit(() => Edits.set(section, index, key, value)))),
      ...strange.map(key => make("p", {class: "fine"}, `${key}: ${Check.shown(block[key])} `, button(T("Take it out"), () => ask.edit(() => Edits.set(section, index, key, undefined))))),
      button(`${T("Remove")}: ${T(TITLES[section])}`, () => { Tools.active.set(section, -1); ask.edit(() => Edits.remove(section, index)); }));
  };
  const blockTitle = (section, index) => {
    const block = Edits.blocks(section)[index] || {}, name = block.name ?? block.title ?? block.edges ?? block.hexes ?? "";
    return `${T(TITLES[section])}${section === "special" ? ` ${block.number}` : ""}: ${String(name).slice(0, 40)}`;
  };
  const blockBox = (section, index) => {
    const id = `${section}/${index}`, made = make("details", {class: "block", id: `b-${section}-${index}`, ontoggle: event => {
      if (event.target.open === open.has(id)) return;
      if (event.target.open) { open.add(id); event.target.append(form(section, index)); Tools.active.set(section, index); } else { open.delete(id); event.target.lastChild.remove(); }
    }}, make("summary", {}, blockTitle(section, index)));
    if (open.has(id)) { made.open = true; made.append(form(section, index)); }
    return made;
  };
  const adder = section => button(`${T("Add")}: ${T(TITLES[section])}`, () => ask.edit(() => {
    const index = Edits.add(section, Tools.fresh(section, ask.board()));
    open.add(`${section}/${index}`);
  }), {"data-add": section});

  // Here.
  const lands = {"~": "sea", o: "lake", "-": "outside"};
  const nameOf = hex => [...ask.board().stations, ...ask.board().junctions].find(each => each.hex === hex)?.name ?? ask.name(hex);
  const ways = hex => {
    const board = ask.board();
    const across = [...board.ferries].filter(([ends]) => ends.split("-").includes(hex)).map(([ends]) => ends.split("-").find(end => end !== hex));
    return [...Sheet.around(hex).map((other, n) => ({other, n})), ...across.map(other => ({other, n: -1}))].filter(({other}) => board.ground.has(other)).map(({other, n}) => {
      const crossing = Sheet.side(hex, other), river = board.courses.find(each => each.sides.includes(crossing)), bridge = board.bridges.get(crossing), ferry = board.ferries.get(crossing);
      const closed = board.closed.has(crossing), abroad = Check.isForeign(board, hex) && board.foreignBuild !== "free" && !board.permitted.has(crossing);
      const why = closed ? (river ? T("{river} is closed", {river: river.name}) : T("that is forbidden")) : abroad ? T("a line ends abroad") : bridge ? T(bridge.built ? "the causeway {name}" : "the bridge {name}", bridge) : ferry ? T("by the ferry {name}", ferry)
        : board.prices.has(crossing) ? T("a price of its own") : [river ? T("the {river} lies between", {river: river.name}) : "", board.ground.get(hex) === "^" || board.ground.get(other) === "^" ? T("hills") : ""].filter(Boolean).join(", ");
      return {other, n, points: closed || abroad ? -1 : Check.pointsOf(board, ask.kit, hex, other), why};
    });
  };
  const sentence = (hex, found) => {
    const open = found.filter(each => each.points >= 0), count = new Map();
    if (!open.length) return T("Nobody builds on from {hex}.", {hex: ask.name(hex)});
    for (const {points} of open) count.set(points, (count.get(points) || 0) + 1);
    const usual = [...count].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0][0], others = found.filter(each => each.points !== usual);
    const told = others.map(({other, points, why}) => `${T(points < 0 ? "none to {place}" : "{points} to {place}", {points, place: nameOf(other)})}${why ? ` (${why})` : ""}`);
    return T(told.length ? "From {place} a hex costs {points}, but {others}." : "From {place} a hex costs {points} on all sides.", {place: nameOf(hex), points: Check.counted(usual, "point"), others: told.join("; ")});
  };
  const rose = (hex, found) => {
    const NS = "http://www.w3.org/2000/svg", svg = document.createElementNS(NS, "svg"), [cx, cy] = [115, 88];
    const add = (tag, attributes, text = "") => { const made = document.createElementNS(NS, tag); for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value)); made.textContent = text; svg.append(made); };
    svg.setAttribute("viewBox", "-30 0 290 176");
    svg.setAttribute("class", "rose");
    svg.setAttribute("aria-hidden", "true");
    add("polygon", {points: Sheet.CORNERS.map(([x, y]) => `${cx + x * 19},${cy + y * 33}`).join(" "), fill: "#fbf1d0", stroke: "#16324a", "stroke-width": 2});
    add("text", {x: cx, y: cy + 4, "font-size": 12, "font-weight": "bold", "text-anchor": "middle"}, ask.name(hex));
    for (const {other, n, points} of found) {
      if (n < 0) continue;
      const [dx, dy] = Sheet.STEPS[n], x = cx + dx * 25, y = cy + dy * 28;
      add("circle", {cx: x, cy: y, r: 12, fill: points > 1 ? "#2f77a6" : "#fff", stroke: "#16324a", "stroke-width": 1.500});
      add("text", {x, y: y + 4, "font-size": 12, "font-weight": "bold", "text-anchor": "middle", fill: points > 1 ? "#fff" : "#1d1d1b"}, points < 0 ? "×" : String(points));
      add("text", {x: x + (n > 3 ? -16 : 16), y: y + 4, "font-size": 10, "text-anchor": n > 3 ? "end" : "start"}, nameOf(other).slice(0, 9));
    }
    return svg;
  };
  const inspector = hex => {
    const board = ask.board(), printed = ask.printed(hex), land = board.ground.get(hex);
    const kind = land ? `${T(land === "^" ? "mountain" : "plain")} · ${board.areas[board.area.get(hex)]}${Check.isForeign(board, hex) ? ` · ${T("foreign")}` : ""}` : T(lands[board.water.get(hex)] ?? "not painted");
    const found = land ? ways(hex) : [], parts = [make("h3", {}, hex), make("p", {class: "fine"}, [printed && printed !== hex ? T("{name} on the printed sheet", {name: printed}) : "", kind].filter(Boolean).join(" · "))];
    if (land) parts.push(rose(hex, found), make("blockquote", {}, sentence(hex, found)));
    for (const [section, places] of /** @type {[string, any[]][]} */ ([["station", board.stations], ["junction", board.junctions]])) {
      for (const place of places.filter(each => each.hex === hex)) parts.push(make("h2", {}, T(TITLES[section])), form(section, place.where[1]));
    }
    const touching = [...LINES, "special"].flatMap(section => Edits.blocks(section).map((block, n) => ({section, n, text: ["edges", "wide", "closed", "hexes", "open", "ends"].map(key => block[key] ?? "").join(" ")})))
      .filter(({text}) => new RegExp(`(?<![A-Z0-9])${hex}(?![0-9])`).test(text));
    if (touching.length) parts.push(make("h2", {}, T("Lies here")), ...touching.map(({section, n}) => blockBox(section, n)));
    return parts;
  };
  const faultList = () => {
    const {faults, remarks} = ask.found(), list = make("ul", {class: "list", id: "faults"});
    faults.slice(0, 60).forEach((fault, n) => {
      const spots = ask.spots(fault.text), act = spots.length ? () => ask.look(spots[0]) : () => ask.openBlock(fault.where);
      list.append(make("li", {}, make("span", {class: "sign"}, String(n + 1)), make("span", {}, fault.text, " ", button(T("Show it"), act, {class: "show"}))));
    });
    for (const remark of remarks) {
      const spots = ask.spots(remark);
      list.append(make("li", {}, make("span", {class: "sign ask"}, "?"), make("span", {}, remark, " ", spots.length ? button(T("Show it"), () => ask.look(spots[0]), {class: "show"}) : "")));
    }
    const missing = faults.find(fault => ["key-missing", "keys-missing"].includes(fault.code));
    if (missing) list.firstChild.before(make("li", {}, make("span", {}, button(T("Place the next town"), () => ask.tool("town"), {class: "show"}))));
    return [make("h2", {}, T("To put right")), faults.length + remarks.length ? list : make("p", {class: "fine"}, ask.found().checked ? T("Nothing: the map is in order.") : T("The whole map is being looked at.")),
      faults.length > 60 ? make("p", {class: "fine"}, T("and {count} more", {count: faults.length - 60})) : ""];
  };
  const prices = () => {
    const board = ask.board(), n = ask.kit.numbers, rows = [[T("plain to plain, towns too"), n.plain]];
    if ([...board.ground.values()].includes("^")) rows.push([T("onto a mountain, or down"), n.slope], [T("mountain to mountain"), n.ridge]);
    const rivers = new Set(board.rivers.values());
    if (rivers.has(2)) rows.push([T("a river on the hex-side"), "+2"]);
    if (rivers.has(4)) rows.push([T("a wide river"), "+4"]);
    if (board.prices.size) rows.push([T("prices of their own"), [...new Set(board.prices.values())].sort((a, b) => a - b).join(", ")]);
    for (const bridge of new Set(board.bridges.values())) rows.push([`${T(bridge.built ? "Causeway" : "Bridge")}: ${bridge.name}`, bridge.built ? T("free") : `${bridge.price}${bridge.banked ? "+" : ""}`]);
    for (const ferry of board.ferries.values()) rows.push([`${T("Ferry")}: ${ferry.name}`, ferry.price]);
    const pays = new Map();
    for (const each of board.stations) pays.set(each.bonus, (pays.get(each.bonus) || 0) + 1);
    for (const [bonus, count] of [...pays].sort((a, b) => b[0] - a[0])) rows.push([T("first into {places}", {places: Check.counted(count, "town")}), T("gets {units}", {units: bonus})]);
    for (const each of board.junctions) if (each.bonus) rows.push([T("first into {places}", {places: each.name}), T("gets {units}", {units: each.bonus})]);
    return [make("h2", {}, T("What players will pay")), make("table", {id: "prices"}, ...rows.map(([what, amount]) => make("tr", {}, make("td", {}, what), make("td", {}, String(amount)))))];
  };
  const here = () => [...(ask.hex() ? inspector(ask.hex()) : [make("p", {class: "fine"}, T("Click a hex with the tool Select, and what lies there stands here."))]), ...faultList(), ...prices()];

  // Places, in rows: tab from cell to cell; a new row begins below the last.
  const rows = (section, keys) => {
    const known = ask.kit.fields[section], body = make("table", {class: "rows", "data-rows": section}, make("tr", {}, ...keys.map(key => make("th", {scope: "col"}, key)), make("td", {})));
    Edits.blocks(section).forEach((block, index) => {
      body.append(make("tr", {}, ...keys.map(key => {
        const [kind, needed] = known[key], made = control(section, index, key, kind, needed, block[key], value => ask.edit(() => Edits.set(section, index, key, value)));
        made.setAttribute("aria-label", `${T(TITLES[section])} ${index + 1}: ${key}`);
        made.id = `r-${section}-${index}-${key}`;
        return make("td", {}, made);
      }), make("td", {}, button("×", () => ask.edit(() => Edits.remove(section, index)), {"aria-label": `${T("Remove")}: ${block.name ?? T(TITLES[section])}`}))));
    });
    return [make("h2", {}, T(`${TITLES[section]}s`)), body, button(`${T("One more")}: ${T(TITLES[section])}`, () => {
      const index = Edits.blocks(section).length;
      ask.edit(() => Edits.add(section, {...Tools.fresh(section, ask.board()), name: "", hex: ""}));
      return `r-${section}-${index}-${keys[0]}`;
    }, {"data-add": section})];
  };
  const places = () => [make("p", {class: "fine"}, T("Names, keys and hexes by typing: Tab goes on. A town of which the hex is known already is quicker on the sheet itself.")),
    ...rows("station", ["numbers", "name", "hex", "alt", "minor", "bonus"]), ...rows("junction", ["name", "hex", "alt", "area", "bonus"])];
  const lines = () => LINES.flatMap(section => [make("h2", {}, T(TITLES[section])), ...Edits.blocks(section).map((_, n) => blockBox(section, n)), adder(section)]);

  // Where companies start, special destinations, races.
  const homeText = value => Array.isArray(value) ? value.join("\n") : Check.isTable(value) ? Object.entries(value).map(([name, each]) => `${name} = ${each}`).join("\n") : typed(value, "line", "");
  const homeValue = text => {
    const list = text.split("\n").map(each => each.trim()).filter(Boolean), quota = list.map(each => /^(.*\S)\s*=\s*(\d+)$/.exec(each));
    if (!list.length) return undefined;
    if (list.length === 1 && /^any city$/i.test(list[0])) return "any city";
    return quota.every(Boolean) ? Object.fromEntries(quota.map(match => [match[1], Number(match[2])])) : list;
  };
  const homeField = (count, value) => {
    const id = `f-home_terminals-0-${count}`, made = make("textarea", {id, "data-key": `home_terminals.${count}`, "aria-describedby": `${id}-says`, spellcheck: "false", onchange: event => ask.edit(() => Edits.set("home_terminals", 0, count, homeValue(event.target.value)))});
    made.value = value === undefined ? "" : homeText(value);
    return make("div", {class: "field"}, make("label", {for: id}, count === "any" ? T("any number of companies") : T("{count} companies", {count})), made, make("p", {id: `${id}-says`}, ask.keys[count === "any" ? "home_terminals.any" : "home_terminals.count"]));
  };
  const ends = () => {
    const homes = Check.isTable(Edits.doc().home_terminals) ? Edits.doc().home_terminals : {}, races = Check.isTable(Edits.doc().transports) ? Edits.doc().transports : {};
    const counts = [...new Set(["any", "2", "3", "4", "5", "6", ...Object.keys(homes)])].filter(count => count !== "first_round_ways");
    const known = ask.kit.fields.transports;
    return [make("h2", {}, T("Where companies start")), ...counts.filter(count => count === "any" || count in homes).map(count => homeField(count, homes[count])),
      make("div", {class: "field"}, make("label", {for: "more-homes"}, T("for another number of companies")), make("select", {id: "more-homes", "data-key": "home_terminals.count", onchange: event => ask.edit(() => { if (event.target.value) Edits.set("home_terminals", 0, event.target.value, "any city"); })},
        ...["", "2", "3", "4", "5", "6", "2-3", "3-4", "4-5", "5-6", "4-6"].filter(count => !(count in homes)).map(count => make("option", {value: count}, count || T("choose")))), make("p", {}, T("The tool Home puts towns into the list that was looked at last, else into that for any number."))),
      field("home_terminals", 0, "first_round_ways", ["number", false], homes.first_round_ways, value => ask.edit(() => Edits.set("home_terminals", 0, "first_round_ways", value))),
      make("h2", {}, T("Special destinations")), ...Edits.blocks("special").map((_, n) => blockBox("special", n)), adder("special"),
      make("h2", {}, T("Races")), ...Object.entries(known).map(([key, type]) => field("transports", 0, key, [type[0], false], races[key], value => ask.edit(() => Edits.set("transports", 0, key, value))))];
  };

  // The sheet.
  const sheet = () => {
    const doc = Edits.doc(), top = ask.kit.fields.top, plain = Object.entries(top).filter(([, [kind]]) => !["table", "tables"].includes(kind));
    const set = key => value => ask.edit(() => {
      if ((key === "cols" || key === "rows") && typeof value === "number" && value >= 1 && value <= (key === "cols" ? 702 : 999)) {
        Edits.resize(key === "cols" ? value : doc.cols, key === "rows" ? value : doc.rows);
      } else Edits.set("", 0, key, value);
    });
    const areas = Check.isTable(doc.areas) ? doc.areas : {}, letters = Check.isTable(doc.numbered_grid) ? doc.numbered_grid.letters : undefined;
    const grid = field("cells", 0, "grid", ["text", true], doc.cells?.grid, value => ask.edit(() => Edits.set("cells", 0, "grid", value)));
    const shown = /** @type {any} */ (document.getElementById("cells-as-text"));
    const rows = make("details", {class: "block", id: "cells-as-text", open: Boolean(shown?.open)}, make("summary", {}, T("The cells as text")), grid);
    return [make("h2", {}, T("The sheet")), ...plain.map(([key, type]) => key === "foreign_build" ? foreignBuild(doc[key], set(key)) : field("", 0, key, type, doc[key], set(key))),
      field("numbered_grid", 0, "letters", ["number", false], letters, value => ask.edit(() => Edits.set("numbered_grid", 0, "letters", value))),
      make("h2", {}, T("Areas")), make("p", {class: "fine"}, ask.keys["areas.letter"]),
      ...Object.entries(areas).map(([letter, title]) => {
        const made = control("areas", 0, letter, "line", true, title, value => ask.edit(() => nameArea(letter, value)));
        made.dataset.key = "areas.letter";
        return make("div", {class: "field"}, make("label", {for: made.id}, T("Area {letter}", {letter})), made, button(T("Remove"), () => ask.edit(() => Edits.set("areas", 0, letter, undefined)), {"aria-label": T("Remove area {letter}", {letter})}));
      }), button(T("One more area"), moreAreas), rows];
  };
  const foreignBuild = (value, set) => {
    const id = "f-top-0-foreign_build", words = ["none", "stop", "free"];
    return make("div", {class: "field"}, make("label", {for: id}, "foreign build"), make("select", {id, "data-key": "top.foreign_build", "aria-describedby": `${id}-says`, onchange: event => set(event.target.value)},
      ...[...new Set([...words, typed(value, "line", "")])].map(word => make("option", {value: word, selected: word === value}, word))), make("p", {id: `${id}-says`}, ask.keys["top.foreign_build"]));
  };
  const newArea = () => {
    const areas = Edits.doc().areas || {}, letter = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find(each => !(each in areas)) ?? "A";
    Edits.set("areas", 0, letter, T("Area {letter}", {letter}));
    Tools.setArea(letter);
  };
  const moreAreas = () => {
    ask.edit(newArea);
    show("sheet");
    const made = /** @type {any} */ (document.getElementById(`f-areas-0-${Tools.area()}`));
    made.focus();
    made.select();
    return made.id;
  };
  /** A country to which nothing belongs yet takes its letter from its name. */
  const nameArea = (letter, title) => {
    const {areas, home_areas: homes} = Edits.doc(), unused = areas[letter] === T("Area {letter}", {letter}) && !String(homes).includes(letter) && ![...ask.board().area.values()].includes(letter);
    const own = unused && [...String(title).toUpperCase()].find(each => each === letter || (/[A-Z]/.test(each) && !(each in areas)));
    Edits.press();
    if (own && own !== letter) Edits.set("areas", 0, letter, undefined);
    if (own) Tools.setArea(own);
    Edits.set("areas", 0, own || letter, title);
  };

  const SHOW = {here, places, lines, ends, sheet};
  /** Whether somebody is typing here: what was typed is no value before they go on. */
  const typing = () => { const at = /** @type {any} */ (document.activeElement); return Boolean(at?.dataset?.was !== undefined && at.value !== at.dataset.was && document.getElementById("panel").contains(at)); };
  const render = () => {
    if (typing()) { document.activeElement.addEventListener("blur", () => setTimeout(render), {once: true}); return; }
    const panel = document.getElementById("panel"), {id: focus, selectionStart: from, selectionEnd: to} = /** @type {any} */ (document.activeElement ?? {}), top = panel.scrollTop;
    document.querySelector("main").classList.toggle("wide", tab === "places");
    const tabs = document.getElementById("tabs");
    // Made once: a button that is made anew between press and release is never clicked.
    if (!tabs.children.length) tabs.append(...TABS.map(([id, text]) => make("button", {type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel", onclick: () => show(id), onkeydown: turn}, T(text))));
    for (const each of /** @type {any} */ (tabs.children)) { each.setAttribute("aria-selected", String(each.id === `tab-${tab}`)); each.tabIndex = each.id === `tab-${tab}` ? 0 : -1; }
    panel.setAttribute("aria-labelledby", `tab-${tab}`);
    panel.replaceChildren(...SHOW[tab]().filter(Boolean));
    for (const each of /** @type {any} */ (panel.querySelectorAll("textarea, input:not([type])"))) each.dataset.was = each.value;
    panel.scrollTop = top;
    if (focus && document.activeElement?.id !== focus) {
      const at = /** @type {any} */ (document.getElementById(focus));
      at?.focus({preventScroll: true});
      if (typeof from === "number") at?.setSelectionRange?.(from, to);
    }
  };
  const turn = event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const n = (TABS.findIndex(([id]) => id === tab) + step + TABS.length) % TABS.length;
    show(TABS[n][0]);
    document.getElementById(`tab-${tab}`).focus();
  };
  const show = id => { const wide = tab === "places" || id === "places"; tab = id; render(); document.getElementById("panel").scrollTop = 0; if (wide) ask.sized(); };
  const openBlock = (section, index) => {
    open.add(`${section}/${index}`);
    show(LINES.includes(section) ? "lines" : ["station", "junction"].includes(section) ? "places" : ["special", "home_terminals", "transports"].includes(section) ? "ends" : "sheet");
    document.getElementById(`b-${section}-${index}`)?.scrollIntoView({block: "nearest"});
  };
  return {start: given => { ask = given; }, render, show, openBlock, tab: () => tab, moreAreas, make, button, TABS};
})();
