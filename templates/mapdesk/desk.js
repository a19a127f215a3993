// The map desk: the sheet under the pointer, the tools beside it, what is found while one paints, and the way back into a file.

const Desk = (() => {
  "use strict";
  const TAP = 5, STRIDE = 12, SOON = 60, LATER = 350, SETTLE = 140;
  /** @type {(id: string) => any} the page has each of them */
  const $ = id => document.getElementById(id);
  let told, kit;
  /** @type {{faults: Fault[], remarks: string[], checked: boolean}} */
  let found = {faults: [], remarks: [], checked: false};
  /** @type {Board} */
  let board;
  let homes = new Set();
  let view = {x: 0, y: 0, scale: 1, width: 1, height: 1, ratio: 1}, drawn = {...view};
  let hex = "", cursor = "", over = null, sideOver = "";
  const pointers = new Map();
  let drag = null, timers = {}, framed = false;

  // What is known of the map now.
  const look = () => {
    const read = Check.read(Edits.doc(), kit);
    board = read.board;
    found = {faults: read.faults, remarks: read.faults.length ? [] : found.remarks, checked: read.faults.length > 0};
    const table = Edits.doc().home_terminals, named = new Set(Object.values(Check.isTable(table) ? table : {}).flatMap(value => Array.isArray(value) ? value : Check.isTable(value) ? Object.keys(value) : []));
    homes = new Set(board.stations.filter(each => [each.name, ...each.also].some(name => named.has(name))).map(each => each.hex));
  };
  const later = (name, wait, act) => { clearTimeout(timers[name]); timers[name] = setTimeout(act, wait); };
  const changed = () => {
    look();
    frame();
    facts();
    later("panel", SOON, aside);
    later("remarks", LATER, () => {
      if (!found.faults.length) found.remarks = Check.remarks(board, kit);
      found.checked = true;
      Edits.keep();
      if (Panel.tab() === "here") Panel.render();
    });
  };
  const aside = () => { palette(); Panel.render(); };
  const facts = () => {
    const painted = board.ground.size + board.water.size;
    $("name").textContent = typeof Edits.doc().title === "string" ? Edits.doc().title : "";
    $("facts").textContent = [T("{columns} columns, {rows} rows", board), T("{land} hexes of land, {water} of water or outside", {land: board.ground.size, water: painted - board.ground.size}), Check.counted(board.stations.length, "town"), found.faults.length ? Check.counted(found.faults.length, "fault") : T("no fault")].join(" · ");
    $("undo").disabled = !Edits.back();
    $("redo").disabled = !Edits.forth();
    $("begin").disabled = !Edits.changed();
  };
  const edit = act => { act(); Edits.lift(); later("panel", 0, aside); };
  const say = text => { $("live").textContent = text; if (text) $("hint-on").textContent = text; };

  // Drawing.
  const frame = () => { if (!framed) { framed = true; requestAnimationFrame(() => { framed = false; paint(); }); } };
  const paint = () => {
    drawn = {...view};
    for (const canvas of [$("sheet"), $("over")]) canvas.style.transform = "";
    Paint.draw($("sheet").getContext("2d", {alpha: false}), view, {board, homes, scan: Scan.layer(), name, proposals: Scan.proposals()});
    overlay();
  };
  /** While one moves, the picture that is there is moved; it is drawn anew when one rests, or when it is too far off. */
  const moved = () => {
    const k = view.scale / drawn.scale, x = (drawn.x - view.x) * view.scale, y = (drawn.y - view.y) * view.scale;
    for (const canvas of [$("sheet"), $("over")]) canvas.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
    later("settle", SETTLE, frame);
  };
  const overlay = () => {
    const hexes = [], sides = [], faults = [];
    if (hex) hexes.push({hex, shade: "#16324a"});
    if (cursor && document.activeElement === $("over") && $("over").dataset.keys) hexes.push({hex: cursor, shade: "#d8a93a", dash: [16, 10]});
    if (over && over !== hex) hexes.push({hex: over, shade: "#16324a66"});
    if (Tools.ferry()) hexes.push({hex: Tools.ferry(), shade: "#d8a93a"});
    const tool = Tools.tool(), n = tool.section && tool.kind === "sides" ? Tools.at(tool.section) : -1;
    if (n >= 0) for (const token of Sheet.words(String(Edits.blocks(tool.section)[n][tool.key] ?? ""))) { const side = Tools.sideOf(token, board), ends = side.split("-"); if (ends.length === 2 && Sheet.areNeighbours(ends[0], ends[1])) sides.push({side, shade: "#d8a93a", width: 5}); }
    if (sideOver) sides.push({side: sideOver, shade: "#d8a93acc", width: 14});
    found.faults.slice(0, 60).forEach((fault, at) => { const spot = spots(fault.text)[0]; if (spot) faults.push({at: spot, text: String(at + 1)}); });
    Paint.mark($("over").getContext("2d"), drawn, {hexes, sides, faults, points: Scan.points()});
  };
  const sized = () => {
    const box = $("middle").getBoundingClientRect(), ratio = Math.min(2, window.devicePixelRatio || 1);
    view.x += (view.width - box.width) / 2 / view.scale; // what was in the middle stays there
    Object.assign(view, {width: box.width, height: box.height, ratio});
    for (const canvas of [$("sheet"), $("over")]) {
      canvas.width = Math.max(1, Math.round(box.width * ratio));
      canvas.height = Math.max(1, Math.round(box.height * ratio));
      canvas.style.width = `${box.width}px`;
      canvas.style.height = `${box.height}px`;
    }
    frame();
  };
  const whole = () => {
    const width = 90 * (board.columns || 1) + 60, height = 104 * (board.rows || 1) + 60;
    const box = $("scanbox"), left = box.querySelector("details[open]") ? box.offsetLeft + box.offsetWidth : 0; // beside it, not beneath
    view.scale = Math.min((view.width - left) / width, view.height / height);
    view.x = -75 - (left + (view.width - left - width * view.scale) / 2) / view.scale;
    view.y = -75 - (view.height / view.scale - height) / 2;
    frame();
  };
  const zoom = (factor, x, y) => {
    const scale = Math.min(3, Math.max(0.01, view.scale * factor));
    view.x += x / view.scale - x / scale;
    view.y += y / view.scale - y / scale;
    view.scale = scale;
    moved();
  };
  const onSheet = event => {
    const box = $("over").parentElement.getBoundingClientRect();
    return [view.x + (event.clientX - box.left) / view.scale, view.y + (event.clientY - box.top) / view.scale];
  };
  const showHex = label => {
    const [x, y] = Paint.middle(label);
    if (view.scale < 0.25) view.scale = 0.5;
    view.x = x - view.width / 2 / view.scale;
    view.y = y - view.height / 2 / view.scale;
    hex = cursor = label;
    frame();
    Panel.show("here");
  };
  /** The hexes that a sentence names, by themselves or by what lies in them. */
  const spots = text => {
    const named = [...text.matchAll(/(?<![A-Za-z])([A-Z]{1,2}[1-9]\d{0,2})(?!\w)/g)].map(match => match[1]).filter(label => { const [column, row] = Sheet.parse(label); return column < board.columns && row < board.rows; });
    if (named.length) return named;
    return [...board.stations, ...board.junctions].filter(each => each.name && text.includes(each.name)).map(each => each.hex);
  };
  const printed = label => Scan.printed(label) || (board.letters && board.rows ? Sheet.labelToNumbered(label, board.letters, board.rows) : "");
  const name = label => Scan.printed(label) || label;

  // Tools.
  const hint = () => {
    const [title, , says] = told.tools[Tools.chosen()], tool = Tools.tool(), n = tool.section ? Tools.at(tool.section) : -1;
    $("hint-name").textContent = title;
    $("hint-says").textContent = says;
    const block = n >= 0 ? Edits.blocks(tool.section)[n] : null;
    $("hint-on").textContent = block && tool.key ? `${block.name ?? block.title ?? T("Number {number}", {number: n + 1})}, ${Check.counted(Sheet.words(String(block[tool.key] ?? "")).length, tool.kind === "sides" ? "side" : "hex", tool.kind === "sides" ? "sides" : "hexes")}. ${T("Esc ends it here, Backspace takes the last back.")}` : "";
  };
  const palette = () => {
    const made = Tools.GROUPS.flatMap(([title, names]) => [Panel.make("h2", {}, T(title)), Panel.make("div", {class: "tools"}, ...names.map(each => {
      const [label, key] = told.tools[each], one = Panel.make("button", {type: "button", class: "tool", "data-tool": each, "aria-pressed": String(each === Tools.chosen()), "aria-keyshortcuts": key, title: `${label} (${key})`, onclick: () => choose(each)});
      one.innerHTML = `<svg viewBox="0 0 24 22" aria-hidden="true">${Tools.icons[each]}</svg>`;
      one.append(label);
      return one;
    }))]);
    const areas = Object.entries(Check.isTable(Edits.doc().areas) ? Edits.doc().areas : {});
    if (!areas.some(([letter]) => letter === Tools.area())) Tools.setArea(areas.length ? areas[0][0] : "A");
    made.push(Panel.make("h2", {}, T("Areas here")), ...areas.map(([letter, title], n) => Panel.make("button", {type: "button", class: "area", "data-area": letter, "aria-pressed": String(letter === Tools.area()), onclick: () => { Tools.setArea(letter); if (!["plain", "mountain"].includes(Tools.chosen())) choose("area"); else palette(); }},
      Panel.make("i", {style: `background: ${Paint.TINTS[n % Paint.TINTS.length]}`}), `${letter} ${typeof title === "string" ? title : ""}`)), Panel.make("button", {type: "button", class: "area", onclick: Panel.moreAreas}, `+ ${T("One more")}`));
    if (areas.length > 1) made.push(Panel.make("button", {type: "button", class: "area", id: "gives", "aria-pressed": String(Tools.gives()), onclick: () => { Tools.setGives(!Tools.gives()); palette(); }}, `${Tools.gives() ? "☑" : "☐"} ${T("Plain and Mountain give it, too")}`));
    if (made.map(each => each.outerHTML).join("") !== $("palette").dataset.shown) { $("palette").dataset.shown = made.map(each => each.outerHTML).join(""); $("palette").replaceChildren(...made); }
  };
  const choose = each => { Edits.lift(); Scan.rest(); Tools.choose(each); palette(); hint(); sideOver = ""; over = null; overlay(); };
  const done = result => {
    if (typeof result === "string") { if (result) say(result); else hint(); } else if (result?.block) { Panel.openBlock(...result.block); hint(); } else if (result?.place) quick(...result.place);
    palette();
  };

  // A place's name and keys, typed where it lies.
  let placing = null;
  const quick = (section, index) => {
    const at = index < 0 ? hex : board[section === "station" ? "stations" : "junctions"].find(each => each.where[1] === index).hex, block = index < 0 ? Tools.fresh(section, board) : Edits.blocks(section)[index];
    placing = {section, index, at};
    const [x, y] = Paint.middle(at);
    $("quick").style.left = `${Math.max(4, Math.min(view.width - 330, (x - view.x) * view.scale - 40))}px`;
    $("quick").style.top = `${Math.max(4, Math.min(view.height - 60, (y + 60 - view.y) * view.scale))}px`;
    $("quick-name").value = block.name ?? "";
    $("quick-keys").value = (block.numbers ?? []).join(" ");
    $("quick-keys-of").hidden = section !== "station";
    $("quick").hidden = false;
    $("quick-name").focus();
    $("quick-name").select();
  };
  const placed = event => {
    event.preventDefault();
    if (!placing) return;
    const {section, index, at} = placing, title = $("quick-name").value.trim(), numbers = $("quick-keys").value.split(/[\s,]+/).filter(Boolean).map(Number);
    const fields = {...(section === "station" ? {numbers} : {}), name: title, hex: at};
    const hills = section === "station" && board.ground.get(at) === "^"; // ink is proposed as hills, and no town lies there
    placing = null;
    $("quick").hidden = true;
    edit(() => {
      Edits.press();
      if (hills) Edits.paint([[at, `${board.area.get(at)}.`]]);
      if (index < 0) Edits.add(section, fields);
      else for (const [key, value] of Object.entries(fields)) if (key !== "hex") Edits.set(section, index, key, value);
    });
    $("over").focus();
    say(`${T("{name} lies in {hex}.", {name: title, hex: at})}${hills ? ` ${T("The hex is plain now, as that of every town.")}` : ""}`);
  };

  // Pointer and keys.
  const hover = event => {
    const [x, y] = onSheet(event), near = Paint.sideAt(x, y), tool = Tools.tool();
    sideOver = tool.kind === "sides" && near ? near.side : "";
    over = tool.kind === "sides" ? null : inSheet(Paint.hexAt(x, y));
    if (cursor) delete $("over").dataset.keys;
    const card = $("hint").getBoundingClientRect();
    $("hint").classList.toggle("faint", event.clientX < card.right && event.clientY < card.bottom);
    overlay();
  };
  const inSheet = label => { const place = label && Sheet.parse(label); return place && place[0] < board.columns && place[1] < board.rows ? label : ""; };
  const down = event => {
    pointers.set(event.pointerId, event);
    $("over").setPointerCapture(event.pointerId);
    const pans = event.button === 1 || event.button === 2 || event.shiftKey || pointers.size > 1 || drag?.pans;
    if (pointers.size > 1) Edits.lift();
    drag = {x: event.clientX, y: event.clientY, at: onSheet(event), pans, view: {...view}, moved: false, last: "", spread: pinch()};
    if (Scan.press(onSheet(event), pans)) { drag.scan = true; frame(); return; }
    if (pans) return;
    const [x, y] = onSheet(event), label = inSheet(Paint.hexAt(x, y)), tool = Tools.tool();
    if (tool.kind === "brush" && label) { Edits.press(); Scan.accept(label); Tools.press(label, board); drag.last = label; }
    if (tool.kind === "select") drag.pans = true;
  };
  const pinch = () => { const [one, other] = [...pointers.values()]; return other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0; };
  const move = event => {
    if (!pointers.has(event.pointerId)) { hover(event); return; }
    pointers.set(event.pointerId, event);
    if (!drag) return;
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > TAP) drag.moved = true;
    if (drag.scan) { if (Scan.drag(onSheet(event))) frame(); return; }
    if (drag.pans) {
      if (pointers.size > 1 && drag.spread) { const now = pinch(); zoom(now / drag.spread, view.width / 2, view.height / 2); drag.spread = now; return; }
      view.x = drag.view.x - (event.clientX - drag.x) / view.scale;
      view.y = drag.view.y - (event.clientY - drag.y) / view.scale;
      moved();
      return;
    }
    const tool = Tools.tool();
    if (tool.kind === "sides" && !drag.moved) return;
    // A quick hand leaves gaps: what lies on the way from the last place is drawn over, too, the place where it began first.
    for (const each of event.getCoalescedEvents?.().length ? event.getCoalescedEvents() : [event]) {
      const [x0, y0] = drag.at, [x1, y1] = onSheet(each), steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0) / STRIDE);
      for (let n = drag.drew || tool.kind === "brush" ? 1 : 0; n <= steps; n += 1) stroke(tool, x0 + (x1 - x0) * n / (steps || 1), y0 + (y1 - y0) * n / (steps || 1));
      drag.at = [x1, y1];
    }
  };
  const stroke = (tool, x, y) => {
    const near = Paint.sideAt(x, y), label = inSheet(Paint.hexAt(x, y));
    if (tool.kind === "brush" && label && label !== drag.last) { drag.last = label; Scan.accept(label); Tools.press(label, board); }
    if (tool.kind === "sides" && near && near.near < 0.42 && near.side !== drag.last && joins(drag.last, near.side)) { drag.last = near.side; drag.drew = true; const why = Tools.side(near.side, board, true); if (why) say(why); else hint(); }
  };
  /** A line that is dragged goes on from corner to corner. */
  const joins = (last, next) => !last || Sheet.cornersOf(last).some(one => Sheet.cornersOf(next).some(other => one[0] === other[0] && one[1] === other[1]));
  const up = event => {
    pointers.delete(event.pointerId);
    const was = drag;
    if (pointers.size) return;
    drag = null;
    if (!was) return;
    if (was.scan) { Scan.release(); frame(); return; }
    const [x, y] = onSheet(event), label = inSheet(Paint.hexAt(x, y)), tool = Tools.tool();
    if (!was.moved && event.button === 0 && !event.shiftKey) {
      if (tool.kind === "sides") { const near = Paint.sideAt(x, y); if (near) done(Tools.side(near.side, board, false)); } else if (label) {
        hex = cursor = label;
        if (tool.kind !== "brush") done(Tools.press(label, board));
        if (tool.kind === "select") Panel.show("here"); else if (Panel.tab() === "here") Panel.render();
      }
    }
    Edits.lift();
    palette();
    overlay();
  };
  const keys = event => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key) && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { event.preventDefault(); if (event.key.toLowerCase() === "y" || event.shiftKey) Edits.redo(); else Edits.undo(); }
      return;
    }
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { if (event.key === "Escape") { $("quick").hidden = true; placing = null; $("over").focus(); } return; }
    const tool = Object.entries(told.tools).find(([, [, key]]) => key === event.key);
    if (tool) { choose(tool[0]); return; }
    if (event.key === "Escape") { Tools.end(); hint(); overlay(); return; }
    if (document.activeElement !== $("over")) return;
    $("over").dataset.keys = "1";
    cursor = cursor || "A1";
    const [column, row] = Sheet.parse(cursor), step = {ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0]}[event.key];
    if (step) {
      const [c, r] = [column + step[0], row + step[1]];
      if (c >= 0 && r >= 0 && c < board.columns && r < board.rows) cursor = Sheet.label(c, r);
      const [x, y] = Paint.middle(cursor), [px, py] = [(x - view.x) * view.scale, (y - view.y) * view.scale];
      if (px < 40 || py < 40 || px > view.width - 40 || py > view.height - 40) { view.x = x - view.width / 2 / view.scale; view.y = y - view.height / 2 / view.scale; frame(); }
      const place = [...board.stations, ...board.junctions].find(each => each.hex === cursor), kind = board.ground.get(cursor);
      $("live").textContent = [cursor, kind === "^" ? T("mountain") : kind ? T("plain") : T(Check.WATER[board.water.get(cursor)] ?? ""), place?.name ?? ""].filter(Boolean).join(", ");
    } else if (event.key === "Enter" || event.key === " ") {
      hex = cursor;
      if (Tools.tool().kind !== "sides") done(Tools.press(cursor, board));
      Edits.lift();
      if (Panel.tab() === "here" || Tools.tool().kind === "select") Panel.show("here");
    } else if (/^[1-6]$/.test(event.key) && Tools.tool().kind === "sides") {
      const other = Sheet.around(cursor)[Number(event.key) - 1];
      if (other) done(Tools.side(Sheet.side(cursor, other), board, false));
      Edits.lift();
    } else if (event.key === "Backspace") { Tools.back(); Edits.lift(); hint(); } else if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.25 : 0.8, view.width / 2, view.height / 2);
    else return;
    event.preventDefault();
    overlay();
  };
  const save = event => {
    event.preventDefault();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([Edits.text()], {type: "application/toml"}));
    link.download = told.file.split(/[\\/]/).pop();
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    say(T("The map is downloaded: {command} puts it in its place.", {command: `referee map edit ${told.file} --take ~/Downloads/${link.download}`}));
  };

  const start = () => {
    told = JSON.parse($("told").textContent);
    kit = told.kit;
    T.words = told.words;
    const kept = Edits.start(told, changed);
    Panel.start({edit, board: () => board, found: () => found, hex: () => hex, kit, keys: told.keys, name, printed, spots, look: showHex, sized, tool: choose,
      openBlock: ([section, index, key]) => { if (section === "cells" && Sheet.parse(key)) showHex(key); else Panel.openBlock(section, index); }});
    look();
    Scan.start({frame, whole, say, hint, told, board: () => board, edit, hexAt: Paint.hexAt});
    palette();
    hint();
    sized();
    whole();
    facts();
    Panel.render();
    later("remarks", LATER, changed);
    if (kept) say(T("What you had made of this file is here again; Back to the file begins anew."));
    const sheet = $("over");
    sheet.addEventListener("pointerdown", down);
    sheet.addEventListener("pointermove", move);
    sheet.addEventListener("pointerup", up);
    sheet.addEventListener("pointercancel", event => { pointers.delete(event.pointerId); drag = null; Edits.lift(); });
    sheet.addEventListener("pointerleave", () => { over = null; sideOver = ""; overlay(); });
    sheet.addEventListener("contextmenu", event => event.preventDefault());
    sheet.addEventListener("wheel", event => { event.preventDefault(); const box = $("middle").getBoundingClientRect(); zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - box.left, event.clientY - box.top); }, {passive: false});
    document.addEventListener("keydown", keys);
    window.addEventListener("resize", sized);
    $("closer").addEventListener("click", () => zoom(1.25, view.width / 2, view.height / 2));
    $("farther").addEventListener("click", () => zoom(0.8, view.width / 2, view.height / 2));
    $("whole").addEventListener("click", whole);
    $("undo").addEventListener("click", Edits.undo);
    $("redo").addEventListener("click", Edits.redo);
    $("begin").addEventListener("click", Edits.begin);
    $("save").addEventListener("click", save);
    $("quick").addEventListener("submit", placed);
    document.body.dataset.ready = "1";
  };
  return {
    start, choose, showHex, view: () => view, board: () => board, frame,
    /** What `map check` would say, the whole of it at once. */
    said: () => { const read = Check.read(Edits.doc(), kit); return {faults: read.faults.map(each => each.text), codes: read.faults.map(each => each.code), remarks: read.faults.length ? [] : Check.remarks(read.board, kit)}; },
    /** Where a point of the sheet lies on the screen. */
    onScreen: (x, y) => { const box = $("middle").getBoundingClientRect(); return [box.left + (x - view.x) * view.scale, box.top + (y - view.y) * view.scale]; },
  };
})();
