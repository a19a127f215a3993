// The order desk, whatever the game: what is drawn and typed becomes orders, and the orders a text that is copied, shared or mailed.
// A game's script (dampfross.js, volldampf.js; plain.js for any other) gives `Script`; the page brings `position`, `words`, `told` as JSON.

/** @typedef {{code: string, paragraph?: string, text?: string, params?: Object<string, string|number>, line?: number, hint?: string, tab?: string}} Fault */
/** @typedef {{label: string, say?: string, go: Object, at?: string, point?: number[], main?: boolean, signs?: string[]}} Step  a legal next step: the plan it leads to; signs: SVG before its label */
/** @typedef {{line?: number[][], at?: number[], r?: number, colour: string, dash?: string, width?: number, fill?: boolean, end?: boolean, text?: string}} Mark */
/** @typedef {{id: string, label: string, below?: string, full?: string}} Tab */
/**
 * @typedef {object} View
 * @property {Tab[]} tabs        what there is to order: rolls, races
 * @property {string} at         the tab that is open
 * @property {string} title      what is asked
 * @property {string[]} told     what the orders of this tab come to, line by line
 * @property {string[]} sum      what all orders come to
 * @property {Step[]} steps      the list of legal next steps
 * @property {{label: string, why: string}[]} refused
 * @property {Fault[]} faults    of all orders
 * @property {Mark[]} marks      on the board
 * @property {number[]} [focus]  [left, top, right, bottom] of the board that matter
 * @property {number[]} [look]   the same of the tab that is open: seen as a whole when it is opened
 * @property {number[]} [tip]    where the line that is drawn ends: dragging from there draws on
 */
/**
 * @typedef {object} GameScript  pure functions: plans are JSON values that are never changed in place
 * @property {(pos: any, reader: string) => Object} blank
 * @property {(pos: any, reader: string, plan: any) => string[]} write  the lines between ORDERS and END
 * @property {(pos: any, reader: string, lines: string[], word: Function) => {plan: Object, faults: Fault[]}} read
 * @property {(pos: any, reader: string, plan: any, at: string, word: Function) => View} show
 * @property {(pos: any) => {id: string, name: string, point: number[], half?: number[], label?: string}[]} places  for the keyboard's cursor; half: of what the board writes at its middle; label: what it does not write
 * @property {(pos: any) => [string, number[]][]} [rulers]  letters and numbers along the board's edges, and where they stand
 * @property {(pos: any, reader: string, plan: any, at: string, place: string, word: Function) => string} say
 */

const MAILTO = 1900; // Windows hands over no longer link

const Shell = (() => {
  "use strict";
  /** @type {(id: string) => any} the page has each of them */
  const $ = id => document.getElementById(id);
  /** @type {(selector: string) => NodeListOf<HTMLElement>} */
  const all = selector => document.querySelectorAll(selector);
  /** Tables without what every object has: a word or a language called __proto__ is in none of them. */
  const data = id => JSON.parse($(id).textContent, (_, value) =>
    value && typeof value === "object" && !Array.isArray(value) ? Object.assign(Object.create(null), value) : value);
  const make = (tag, text = "", attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  const chip = shade => make("span", "", {class: "chip", style: `background: ${shade}`});

  /** {{name}} of a sentence is filled in; a sentence that is missing shows its key. */
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  /** What stands behind # of the address. A damaged one is as none. */
  const fragment = text => {
    const found = {};
    for (const pair of text.replace(/^#/, "").split("&")) {
      const [name, value = ""] = pair.split("=");
      try {
        if (/^[a-z]{1,4}$/.test(name)) found[name] = decodeURIComponent(value.replace(/\+/g, "%2B"));
      } catch { found.damaged = "1"; }
    }
    return found;
  };
  const isAddress = text => /^[^\s@<>"',;?&]{1,120}@[^\s@<>"',;?&]{1,120}$/.test(text);
  const mailto = (to, subject, text) => {
    const body = encodeURIComponent(text.replace(/\r?\n/g, "\r\n"));
    return `mailto:${encodeURIComponent(to).replace(/%40/g, "@").replace(/%2B/g, "%2B")}?subject=${encodeURIComponent(subject)}&body=${body}`;
  };
  const store = key => ({
    get() { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } },
    set(value) { try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; } },
  });

  /** The lines of a text that are orders: between ORDERS and END where they are there; press; the rest. */
  const parted = (text, headed = line => line) => {
    const lines = text.replace(/\r/g, "").split("\n"), orders = [], press = [];
    let inside = true, pressing = false;
    if (lines.some(line => /^\s*ORDERS\b/i.test(headed(line)))) inside = false;
    for (const typed of lines) {
      const plain = headed(typed), line = /^\s*PRESS\b/i.test(plain) ? plain : typed;
      if (/^\s*ORDERS\b/i.test(plain)) { inside = true; continue; }
      if (/^\s*PRESS\b/i.test(line)) pressing = true;
      else if (!pressing && /^\s*END\s*$/i.test(plain)) { inside = false; continue; }
      else if (pressing && /^\s*END PRESS\s*$/i.test(plain)) { pressing = false; continue; }
      if (pressing) press.push(line);
      else if (inside && line.trim()) orders.push(line.trim());
    }
    return {orders, press: press.join("\n").trim()};
  };

  const start = () => {
    const position = data("position"), told = data("told"), languages = data("words"), sentences = data("sentences");
    const asked = fragment(location.hash);
    const speech = [asked.l, ...(navigator.languages || []).map(each => each.slice(0, 2)), told.language].find(each => each in languages);
    const words = languages[speech], spoken = data("spoken")[speech] || {};
    /** What the reader sees of orders: they are kept in English. */
    const tell = text => Speech.said(spoken, text);
    const word = (key, values = {}) => key in words ? fill(words[key], values)
      : key in sentences[speech] ? sentence({code: key, text: String(values.text || ""), params: values}) : key;
    /** A complaint as a sentence in the reader's language. */
    const sentence = fault => {
      const entry = (sentences[speech] || {})[fault.code.replace(/^warning-alternative-/, "")];
      if (!entry) return fill(words[fault.code] ?? fault.code, {text: fault.text || "", hint: fault.hint || "", ...fault.params});
      const values = {text: fault.text || "", hint: fault.hint || "", ...fault.params};
      const one = entry.count === undefined || Number(values[entry.count]) === 1;
      const hint = fault.hint && !entry.sentence.includes("{hint}") ? ` (${fill(entry.hint || words.hint, values)})` : "";
      return fill(one ? entry.sentence : entry.plural, values) + hint + (fault.paragraph ? ` [${fault.paragraph}]` : "");
    };
    document.documentElement.lang = speech;
    document.title = all("h1")[0].textContent = word("title", {game: told.game, turn: told.turn});
    for (const each of all("[data-w]")) each.textContent = word(each.dataset.w);
    for (const each of all("[data-a]")) each.setAttribute("aria-label", word(each.dataset.a));

    const alone = told.players.length === 1 ? told.players[0].code : ""; // at practice
    let reader = told.players.some(each => each.code === asked.c) ? asked.c : alone;
    const named = isAddress(asked.to || "") ? asked.to : "";
    // Anybody can make a link to this page: nothing is sent from it to where the club has no mail.
    const address = told.domain && named.toLowerCase().endsWith(`@${told.domain}`) ? named : "";
    /** @type {any} what is shown, the step that is aimed at, the store: there as soon as the reader is known */
    let view = null, ghost = null, kept = null;
    let tries = [], current = 0, at = "", keyed = false;
    const notes = [];
    if (asked.damaged || (asked.c && reader !== asked.c)) notes.push(word("damaged"));
    const now = () => tries[current];
    const plan = () => now().past[now().past.length - 1];

    const text = () => {
      const lines = Script.write(position, reader, plan()), press = now().press.trim();
      return [tell([`ORDERS ${told.game} ${told.turn}`, ...lines, "END"].join("\n")),
        ...(press ? ["", /^PRESS\b/i.test(press) ? press : `${tell("PRESS")}: ${press}`] : [])].join("\n");
    };
    const blank = () => ({past: [Script.blank(position, reader)], future: [], press: "", raw: ""});
    const say = words_ => { $("live").textContent = words_; };

    const begin = code => {
      reader = who.value = code;
      document.body.classList.remove("asking");
      kept = store(`order-desk|${told.club}|${told.game}|${told.turn}|${reader}`);
      const before = kept.get();
      tries = before && Array.isArray(before.tries) && before.tries.length
        ? before.tries.map(each => ({past: [each.plan], future: [], press: String(each.press || ""), raw: ""})) : [blank()];
      current = Math.min(tries.length - 1, Math.max(0, (before && before.current) | 0));
      at = "";
      try { render(); } catch (error) { // what an older page kept
        tries = [blank()];
        current = 0;
        render();
      }
      Board.begin(view.look || view.focus);
    };
    const save = () => {
      if (!kept.set({tries: tries.map(each => ({plan: each.past[each.past.length - 1], press: each.press})), current}) && !notes.includes(word("unkept")))
        notes.push(word("unkept"));
    };
    const go = (step, how = "") => {
      now().past.push(step.go);
      now().future = [];
      if (step.at !== undefined) at = step.at;
      ghost = null;
      render();
      if (view.tip) Board.reveal(view.tip, view.look ? 0 : .12);
      say([step.say || tell(step.label), how, view.told[view.told.length - 1] || ""].filter(Boolean).join(". "));
    };
    const undo = () => {
      if (now().past.length < 2) return;
      now().future.push(now().past.pop());
      ghost = null;
      render();
      say(word("undone"));
    };
    const redo = () => {
      if (!now().future.length) return;
      now().past.push(now().future.pop());
      render();
      say(word("redone"));
    };

    const turnTo = tab => {
      at = tab.id;
      ghost = null;
      render();
      if (view.look) Board.look(view.look);
    };
    /** What a tab is about, without its points and its tick. */
    const bare = tab => tell(tab.label).replace(/ ([●○ ]+\d+|✓)$/, "");
    const list = (id, items) => $(id).replaceChildren(...items);
    const render = () => {
      // Who works with the keyboard stays in place, though all buttons are made anew.
      const focused = keyed ? ["steps", "tabs", "next"].find(id => $(id).contains(document.activeElement)) : "";
      view = Script.show(position, reader, plan(), at, word);
      at = view.at;
      list("tabs", view.tabs.map(tab => {
        const button = make("button", tell(tab.label), {type: "button", "aria-pressed": String(tab.id === at)});
        if (tab.below) button.append(make("small", tell(tab.below)));
        if (tab.full) button.title = tell(tab.full);
        button.onclick = () => { turnTo(tab); };
        return button;
      }));
      $("title").textContent = tell(view.title);
      list("told-lines", view.told.map(line => make("li", tell(line))));
      list("steps", view.steps.map(step => {
        const item = make("li"), button = make("button", tell(step.label), {type: "button"});
        if (step.main) button.className = "main";
        button.prepend(...(step.signs || []).map(sign => new DOMParser().parseFromString(sign, "image/svg+xml").documentElement));
        button.onclick = () => { go(step); };
        // A finger's touch aims at nothing: what is told of the step would move the button away from under it.
        button.onfocus = () => { if (keyed && step.point) point(step); };
        button.onpointerenter = event => { if (event.pointerType === "mouse" && step.point) point(step); };
        item.append(button);
        return item;
      }));
      $("no-steps").hidden = view.steps.length > 0;
      $("lay").hidden = $("aim").hidden = !view.steps.some(step => step.point);
      const next = view.tabs[view.tabs.findIndex(tab => tab.id === at) + 1];
      $("next").hidden = !next || !at;
      if (next) {
        $("next").textContent = word("next", {tab: bare(next)});
        $("next").onclick = () => { turnTo(next); };
      }
      list("refused", view.refused.map(each => make("li", tell(`${each.label}: ${each.why}`))));
      $("refused-box").hidden = !view.refused.length;
      list("sum", view.sum.map(line => make("li", tell(line))));
      list("faults", view.faults.map(fault => {
        const tab = view.tabs.find(each => each.id === fault.tab);
        return make("li", (tab ? `${bare(tab)} `.replace(/([^:)]) $/, "$1: ") : "") + tell(sentence(fault)));
      }));
      $("faults-box").hidden = !view.faults.length;
      $("undo").disabled = now().past.length < 2;
      $("redo").disabled = !now().future.length;
      list("tries", tries.map((_, number) => {
        const button = make("button", word("try", {number: number + 1}), {type: "button", "aria-pressed": String(number === current)});
        button.onclick = () => { current = number; ghost = null; render(); };
        return button;
      }));
      if (document.activeElement !== $("press")) $("press").value = now().press;
      if (document.activeElement !== $("orders") || !now().raw) $("orders").value = text();
      sending();
      save();
      list("notes", notes.map(note => make("li", note)));
      Board.draw(view, ghost);
      if (focused === "tabs") $("tabs").querySelector("[aria-pressed=true]").focus();
      else if (focused) ($("steps").querySelector("button") || ($("next").hidden ? $("undo") : $("next"))).focus();
    };
    const point = step => { ghost = step; Board.draw(view, ghost); $("ghost").textContent = tell(step.label); $("lay").disabled = false; };

    // --- the text, read and sent ---

    const typed = () => {
      const written = $("orders").value, parts = parted(written, line => Speech.headed(position, line));
      const read = Script.read(position, reader, parts.orders, word);
      now().raw = read.faults.length ? written : "";
      list("unread", read.faults.map(fault => make("li", tell(sentence(fault)))));
      if (JSON.stringify(read.plan) !== JSON.stringify(plan())) {
        now().past.push(read.plan);
        now().future = [];
      }
      now().press = parts.press.replace(/^PRESS\s*:\s*/i, "") || now().press;
      view = Script.show(position, reader, plan(), at, word);
      ghost = null;
      const caret = $("orders").selectionStart;
      render();
      $("orders").value = written;
      $("orders").setSelectionRange(caret, caret);
      sending();
    };
    const whole = () => (now().raw ? $("orders").value : text()) + "\n";
    const sending = () => {
      const link = address ? mailto(address, `${told.game} ${told.turn}`, whole()) : "";
      const fits = link.length > 0 && link.length <= MAILTO;
      $("mail").hidden = !fits;
      if (fits) $("mail").href = link;
      $("how").textContent = word(!named ? "answer" : !address ? "strange" : fits ? "mailed" : "long", {address: named});
      $("share").hidden = typeof navigator.share !== "function";
      $("orders").rows = $("orders").value.split("\n").length; // where the browser does not fit the field to its text
    };
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(whole());
        say(word("copied"));
        $("done").textContent = word("copied");
      } catch {
        $("orders").focus();
        $("orders").select();
        const done = (() => { try { return document.execCommand("copy"); } catch { return false; } })();
        $("done").textContent = word(done ? "copied" : "selected");
        say($("done").textContent);
      }
    };

    const hint = async () => {
      if (address && !alone) location.href = mailto(address, `${told.game} ${told.turn}`, "HINT\n");
      const copied = await navigator.clipboard.writeText("HINT").then(() => true, () => false);
      $("done").textContent = word(copied ? "advised" : "unadvised");
      say($("done").textContent);
    };

    // --- the page ---

    const who = $("who");
    who.replaceChildren(...[["", word("choose")], ...told.players.map(each => [each.code, each.name === each.code ? each.code : `${each.code} ${each.name}`])]
      .map(([value, label]) => make("option", label, {value})));
    who.value = reader;
    who.onchange = () => { if (who.value) begin(who.value); };
    const shades = Object.fromEntries((position.companies || []).map(each => [each.code, each.shade]));
    list("readers", told.players.map(each => {
      const item = make("li"), button = make("button", each.name === each.code ? each.code : `${each.code} ${each.name}`, {type: "button"});
      const shade = shades[each.code] || ((position.players || {})[each.code] || {}).shade;
      if (shade) button.prepend(chip(shade));
      button.onclick = () => {
        begin(each.code);
        if (keyed) $("tabs").querySelector("button").focus();
      };
      item.append(button);
      return item;
    }));
    $("undo").onclick = undo;
    $("redo").onclick = redo;
    $("clear").onclick = () => { go({label: word("cleared"), go: Script.blank(position, reader)}); };
    $("another").onclick = () => {
      tries.push({past: [plan()], future: [], press: now().press, raw: ""});
      current = tries.length - 1;
      render();
    };
    $("drop").onclick = () => {
      if (tries.length > 1) tries.splice(current, 1); else tries = [blank()];
      current = Math.min(current, tries.length - 1);
      render();
    };
    $("lay").onclick = () => { if (ghost) go(ghost); };
    $("orders").oninput = typed;
    // Nothing else is drawn anew here: the button on which the finger lies must stay.
    $("orders").onblur = () => { if (!now().raw) { $("unread").replaceChildren(); $("orders").value = text(); } };
    $("press").oninput = () => { now().press = $("press").value; render(); };
    $("copy").onclick = copy;
    $("hint").hidden = !told.hints;
    $("hint").onclick = hint;
    $("share").onclick = () => { navigator.share({title: `${told.game} ${told.turn}`, text: whole()}).catch(() => {}); };
    const places = Script.places(position);
    /** What is told of a place: its name, as long as nobody's orders are written. */
    const about = id => reader ? Script.say(position, reader, plan(), at, id, word) : (places.find(each => each.id === id) || {name: id}).name;
    Board.start({
      places, rulers: Script.rulers ? Script.rulers(position) : [], view: () => view, ghost: () => ghost,
      say: place => say(about(place)),
      point, go, undo, redo,
      none: place => {
        ghost = null;
        Board.draw(view, ghost);
        $("ghost").textContent = place ? about(place) : word("nothing-there");
        say($("ghost").textContent);
      },
    });
    addEventListener("pointerdown", () => { keyed = false; }, true);
    addEventListener("keydown", () => { keyed = true; }, true);
    addEventListener("keydown", event => {
      if (!(event.ctrlKey || event.metaKey) || document.activeElement.tagName === "TEXTAREA") return;
      if (event.key === "z" && !event.shiftKey) { undo(); event.preventDefault(); }
      if (event.key === "y" || (event.key === "z" && event.shiftKey)) { redo(); event.preventDefault(); }
    });
    $("plain").remove();
    $("top").hidden = false;
    $("desk").hidden = false;
    list("notes", notes.map(note => make("li", note)));
    if (reader) begin(reader); else Board.begin(null);
  };
  return {start, fragment, mailto, parted, fill, isAddress};
})();
