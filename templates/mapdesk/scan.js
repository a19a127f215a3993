// A printed sheet beneath the map. It stays in the browser: no file holds anything of it.

const Scan = (() => {
  "use strict";
  const LARGEST = 1600; // pixels of a side of the picture of which colours are taken
  const PROBES = [[0.25, 6], [0.5, 10], [0.72, 12]].flatMap(([far, count]) => [...Array(count).keys()].map(n => [far * Math.cos(2 * Math.PI * n / count), far * Math.sin(2 * Math.PI * n / count)]));
  /** @type {any} what the desk offers */
  let ask = null;
  /** @type {any} the picture, and a small copy of its pixels */
  let picture = null, pixels = null;
  /** From pixels of the picture to the drawing: x = a px + c py + e, y = b px + d py + f. */
  let matrix = [1, 0, 0, 1, 0, 0];
  /** @type {{at: number[], hex: string}[]} */
  let clicks = [];
  let cover = 0.45, mode = "", waiting = null, held = null, chooser = null;
  let numbering = {scheme: "", corner: "upper left", column: 1, row: 1, shifted: "even"};
  const proposed = new Map(), byHand = new Set();
  let shelf = "";

  /** @type {(at: number[]) => number[]} */
  const apply = ([x, y]) => { const [a, b, c, d, e, f] = matrix; return [a * x + c * y + e, b * x + d * y + f]; };
  /** @type {(at: number[]) => number[]} */
  const inverse = ([x, y]) => { const [a, b, c, d, e, f] = matrix, det = a * d - b * c; return [(d * (x - e) - c * (y - f)) / det, (a * (y - f) - b * (x - e)) / det]; };
  const scaleOf = () => Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])) || 1;

  // The grid fitted to the picture: one click moves it, two turn and size it, three and more are the least squares of an affine map.
  const solve = (rows, values) => {
    const n = 3, m = [...Array(n).keys()].map(i => [...[...Array(n).keys()].map(j => rows.reduce((all, row) => all + row[i] * row[j], 0)), rows.reduce((all, row, k) => all + row[i] * values[k], 0)]);
    for (let i = 0; i < n; i += 1) {
      const best = [...Array(n).keys()].slice(i).reduce((a, b) => Math.abs(m[a][i]) >= Math.abs(m[b][i]) ? a : b);
      [m[i], m[best]] = [m[best], m[i]];
      if (Math.abs(m[i][i]) < 1e-9) return null;
      for (let j = 0; j < n; j += 1) if (j !== i) { const by = m[j][i] / m[i][i]; for (let k = i; k <= n; k += 1) m[j][k] -= by * m[i][k]; }
    }
    return m.map((row, i) => row[n] / row[i]);
  };
  const fit = () => {
    const wanted = clicks.map(({hex}) => Paint.middle(hex));
    if (!clicks.length) return;
    if (clicks.length >= 3) {
      const rows = clicks.map(({at: [x, y]}) => [x, y, 1]), xs = solve(rows, wanted.map(([x]) => x)), ys = solve(rows, wanted.map(([, y]) => y));
      if (xs && ys) { matrix = [xs[0], ys[0], xs[1], ys[1], xs[2], ys[2]]; return; }
      ask.say(T("The clicks lie on one line: click a hex beside it, too."));
    }
    if (clicks.length >= 2) {
      const [[x1, y1], [x2, y2]] = [clicks[0].at, clicks[clicks.length - 1].at], [[u1, v1], [u2, v2]] = [wanted[0], wanted[wanted.length - 1]], far = (x2 - x1) ** 2 + (y2 - y1) ** 2;
      const a = ((u2 - u1) * (x2 - x1) + (v2 - v1) * (y2 - y1)) / far, b = ((v2 - v1) * (x2 - x1) - (u2 - u1) * (y2 - y1)) / far;
      matrix = [a, b, -b, a, u1 - a * x1 + b * y1, v1 - b * x1 - a * y1];
      return;
    }
    const [x, y] = apply(clicks[0].at);
    matrix = [...matrix.slice(0, 4), matrix[4] + wanted[0][0] - x, matrix[5] + wanted[0][1] - y];
  };
  /** How far each click is off the hex that it names, in pixels of the picture. */
  const errors = () => clicks.map(({at, hex}) => { const [x, y] = apply(at), [u, v] = Paint.middle(hex); return Math.hypot(x - u, y - v) / scaleOf(); });
  const about = (turned, sheared, sized) => {
    const board = ask.board(), [cx, cy] = Paint.middle(Sheet.label(Math.floor(board.columns / 2), Math.floor(board.rows / 2)));
    const [cos, sin, tan] = [Math.cos(turned), Math.sin(turned), Math.tan(sheared)], m = [cos * sized, sin * sized, (cos * tan - sin) * sized, (sin * tan + cos) * sized];
    const [a, b, c, d, e, f] = matrix;
    const mul = (x, y) => [m[0] * x + m[2] * y, m[1] * x + m[3] * y], [e1, f1] = mul(e - cx, f - cy);
    matrix = [...mul(a, b), ...mul(c, d), e1 + cx, f1 + cy];
  };

  // The numbers of the print.
  const printed = label => {
    if (!numbering.scheme) return "";
    const board = ask.board(), place = Sheet.parse(label), [first, last] = numbering.corner.split(" "), skip = numbering.shifted === "odd" ? 1 : 0;
    const column = (last === "left" ? place[0] - skip : board.columns - 1 - place[0]) + numbering.column, row = (first === "upper" ? place[1] : board.rows - 1 - place[1]) + numbering.row;
    if (column < 0 || row < 0) return "";
    const two = number => String(number).padStart(2, "0");
    return {AA12: () => `${Sheet.lettersOf(column - 1)}${row}`, "0712": () => two(column) + two(row), "1207": () => two(row) + two(column), "7.12": () => `${column}.${row}`}[numbering.scheme]();
  };
  /** The hex that a name of the print, or of ours, means. */
  const meant = text => {
    const board = ask.board(), name = text.trim().toUpperCase();
    if (numbering.scheme) {
      for (let column = 0; column < board.columns; column += 1) for (let row = 0; row < board.rows; row += 1) if (printed(Sheet.label(column, row)) === name) return Sheet.label(column, row);
      return "";
    }
    const label = board.letters && board.rows ? Sheet.numberedToLabel(name, board.letters, board.rows) || name : name, place = Sheet.parse(label);
    return place && place[0] < board.columns && place[1] < board.rows ? label : "";
  };

  // Ground from colours: each hex is as the painted ones whose colours are nearest.
  const lab = (r, g, b) => {
    const [x, y, z] = [r, g, b].map(each => { const c = each / 255; return c > 0.04045 ? ((c + 0.055) / 1.055) ** 2.4 : c / 12.92; });
    const [l, m, s] = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.63]].map(row => Math.cbrt(row[0] * x + row[1] * y + row[2] * z));
    return [0.2105 * l + 0.7936 * m - 0.0041 * s, 1.978 * l - 2.4286 * m + 0.4506 * s, 0.0259 * l + 0.7828 * m - 0.8087 * s];
  };
  const AWAY = 6e-10; // how much less alike hexes are that lie a unit of the sheet apart, squared: lands have hexes together
  /** What the picture looks like within a hex: the middle of its colours, and how much they vary; null where it does not reach. */
  const looks = hex => {
    const [cx, cy] = Paint.middle(hex), found = [];
    for (const [dx, dy] of PROBES) {
      const [x, y] = inverse([cx + dx * 52, cy + dy * 52]).map(each => Math.round(each * pixels.scale));
      if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) continue;
      const n = 4 * (y * pixels.width + x);
      found.push(lab(pixels.data[n], pixels.data[n + 1], pixels.data[n + 2]));
    }
    if (found.length < PROBES.length / 2) return null;
    const sorted = [0, 1, 2].map(n => found.map(each => each[n]).sort((a, b) => a - b)), at = (n, part) => sorted[n][Math.floor((found.length - 1) * part)];
    return [at(0, 0.5), 2 * at(1, 0.5), 2 * at(2, 0.5), 0.7 * at(0, 0.15), 0.7 * (at(0, 0.85) - at(0, 0.15)), at(2, 0.85), at(2, 0.15)];
  };
  const cellOf = hex => { const board = ask.board(), water = board.water.get(hex); return board.ground.has(hex) ? board.area.get(hex) + board.ground.get(hex) : water ? water + water : ""; };
  const propose = () => {
    const board = ask.board(), known = [...byHand].map(hex => ({cell: cellOf(hex), looks: looks(hex), at: Paint.middle(hex)})).filter(each => each.cell && each.looks);
    if (new Set(known.map(each => each.cell)).size < 2) { ask.say(T("Paint a few hexes of each kind first, land and water too: the rest is proposed by their colours.")); return; }
    const painted = [];
    for (let column = 0; column < board.columns; column += 1) {
      for (let row = 0; row < board.rows; row += 1) {
        const hex = Sheet.label(column, row), own = byHand.has(hex) ? null : looks(hex);
        if (!own) continue;
        const [x, y] = Paint.middle(hex), near = known.map(each => ({cell: each.cell, far: each.looks.reduce((all, value, n) => all + (value - own[n]) ** 2, AWAY * ((each.at[0] - x) ** 2 + (each.at[1] - y) ** 2))})).sort((a, b) => a.far - b.far).slice(0, 3), votes = new Map();
        for (const {cell, far} of near) votes.set(cell, (votes.get(cell) || 0) + 1 / (far + 1e-5));
        const cell = [...votes].sort((a, b) => b[1] - a[1])[0][0];
        proposed.set(hex, cell);
        painted.push([hex, cell]);
      }
    }
    ask.edit(() => Edits.paint(painted));
    ask.say(T("{count} hexes are proposed, marked by a cross: paint over what is wrong, then accept the rest.", {count: painted.length}));
    show();
  };
  /** Proposals that stand on the sheet as they were made. */
  const proposals = () => new Map([...proposed].filter(([hex, cell]) => cellOf(hex) === cell));

  // The picture, and what the browser keeps of it.
  const keep = () => { try { localStorage.setItem(shelf, JSON.stringify({matrix, clicks, cover, numbering, byHand: [...byHand], proposed: [...proposed]})); } catch { /* the next page begins anew */ } };
  const store = (mode, act) => new Promise(resolve => {
    try {
      const request = indexedDB.open("mapdesk", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("scans");
      request.onsuccess = () => { const asked = act(request.result.transaction("scans", mode).objectStore("scans")); asked.onsuccess = () => resolve(asked.result); asked.onerror = () => resolve(null); };
      request.onerror = () => resolve(null);
    } catch { resolve(null); }
  });
  const load = async (blob, anew) => {
    let made = null;
    try { made = await createImageBitmap(blob); } catch { ask.say(T("{file} is no picture that this browser can read: a PNG or a JPEG is wanted.", {file: blob.name || T("The file")})); return; }
    picture = made;
    const scale = Math.min(1, LARGEST / Math.max(made.width, made.height)), canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(made.width * scale));
    canvas.height = Math.max(1, Math.round(made.height * scale));
    const ctx = canvas.getContext("2d", {willReadFrequently: true});
    ctx.drawImage(made, 0, 0, canvas.width, canvas.height);
    pixels = {...{width: canvas.width, height: canvas.height, scale}, data: ctx.getImageData(0, 0, canvas.width, canvas.height).data};
    if (anew) {
      const board = ask.board(), width = 90 * board.columns + 60, k = width / made.width;
      matrix = [k, 0, 0, k, -75, -75];
      clicks = []; byHand.clear(); proposed.clear();
      store("readwrite", scans => scans.put(blob, shelf));
      mode = "fit";
    }
    keep();
    show();
    if (anew) ask.whole(); else ask.frame();
  };

  // Its box on the sheet.
  const slider = (text, value, low, high, step, act) => Panel.make("label", {}, Panel.make("span", {}, text), Panel.make("input", {type: "range", min: low, max: high, step, value, oninput: event => { act(Number(event.target.value)); ask.frame(); }, onchange: keep}));
  const choice = (text, value, words, act) => Panel.make("label", {}, Panel.make("span", {}, text), Panel.make("select", {onchange: event => { act(event.target.value); keep(); show(); ask.frame(); }}, ...words.map(([word, label]) => Panel.make("option", {value: word, selected: word === value}, label))));
  const press = (text, act, attributes = {}) => Panel.make("button", {type: "button", onclick: () => { act(); keep(); show(); ask.frame(); }, ...attributes}, text);
  const show = () => {
    const off = errors(), worst = off.length ? Math.max(...off) : 0;
    chooser ??= Panel.make("input", {type: "file", id: "scan-file", accept: "image/png,image/jpeg", onchange: event => { if (event.target.files[0]) load(event.target.files[0], true); }}); // made once: it names the file
    const parts = [Panel.make("p", {}, Panel.make("label", {}, `${T("A picture of the printed sheet, PNG or JPEG")} `, chooser))];
    if (picture) {
      parts.push(slider(T("stronger"), 1 - cover, 0, 1, 0.02, value => { cover = 1 - value; }), Panel.make("p", {}, press(T("Move it"), () => { mode = mode === "move" ? "" : "move"; }, {"aria-pressed": String(mode === "move")}), " ",
        press(T("Fit by clicks"), () => { mode = mode === "fit" ? "" : "fit"; }, {"aria-pressed": String(mode === "fit")}), " ", press(T("Take it away"), () => { picture = null; pixels = null; chooser = null; mode = ""; store("readwrite", scans => scans.delete(shelf)); })));
      if (mode === "move") {
        let [turned, sheared, sized] = [0, 0, 0];
        parts.push(Panel.make("p", {}, T("Drag it on the sheet.")), slider(T("turn"), 0, -45, 45, 0.1, value => { about((value - turned) * Math.PI / 180, 0, 1); turned = value; }), press(T("Turn by a quarter"), () => about(Math.PI / 2, 0, 1)),
          slider(T("shear"), 0, -15, 15, 0.1, value => { about(0, (value - sheared) * Math.PI / 180, 1); sheared = value; }), slider(T("size"), 0, -0.7, 0.7, 0.005, value => { about(0, 0, Math.exp(value - sized)); sized = value; }));
      }
      if (mode === "fit") {
        parts.push(Panel.make("p", {}, waiting ? T("Which hex is that, by its printed name?") : T("Click the middle of a printed hex, then say which it is: three far from each other fit the grid, more make it better. The wheel brings the sheet closer, Shift and a drag move it.")));
        if (waiting) {
          parts.push(Panel.make("form", {onsubmit: event => { event.preventDefault(); named(event.target.elements[0].value); }}, Panel.make("input", {id: "scan-hex", "aria-label": T("Which hex is that, by its printed name?"), autocomplete: "off", value: printed(waiting.guess) || waiting.guess}), " ", Panel.make("button", {type: "submit"}, T("Set"))));
        }
      }
      if (clicks.length) {
        parts.push(Panel.make("ul", {class: "list"}, ...clicks.map(({hex}, n) => Panel.make("li", {}, Panel.make("span", {}, T("{number}: {hex}, {off} pixels off", {number: n + 1, hex: printed(hex) || hex, off: off[n].toFixed(1)})), press(T("Drop"), () => { clicks.splice(n, 1); fit(); }, {class: "show"})))),
          Panel.make("p", {id: "scan-error"}, clicks.length < 3 ? T("{clicks} more to fit the grid.", {clicks: Check.counted(3 - clicks.length, "click")}) : clicks.length === 3 ? T("The grid fits; a fourth click shows how well.") : T("No click is more than {off} pixels off the middle of its hex.", {off: worst.toFixed(1)})));
      }
      parts.push(Panel.make("p", {}, press(T("Propose the ground by colours"), propose), " ", proposals().size ? press(T("Accept {count} proposals", {count: proposals().size}), () => { for (const hex of proposals().keys()) byHand.add(hex); proposed.clear(); ask.hint(); }) : ""));
    }
    parts.push(choice(T("printed names"), numbering.scheme, [["", T("as ours: AE5")], ["AA12", T("AA12: letters, number")], ["0712", T("0712: column, row")], ["1207", T("1207: row, column")], ["7.12", T("7.12: column.row")]], value => { numbering = {...numbering, scheme: value}; }));
    if (numbering.scheme) {
      const count = (key, text) => Panel.make("label", {}, Panel.make("span", {}, text), Panel.make("input", {type: "number", min: 0, max: 99, value: numbering[key], onchange: event => { numbering = {...numbering, [key]: Number(event.target.value)}; keep(); ask.frame(); }}));
      parts.push(choice(T("counted from"), numbering.corner, ["upper left", "upper right", "lower left", "lower right"].map(each => [each, T(each)]), value => { numbering = {...numbering, corner: value}; }), count("column", T("first column")), count("row", T("first row")),
        choice(T("lower columns"), numbering.shifted, [["even", T("the 2nd, 4th, ...")], ["odd", T("the 1st, 3rd, ...: our column A stays free")]], value => { numbering = {...numbering, shifted: value}; }));
    }
    const shown = /** @type {any} */ (document.querySelector("#scanbox details"));
    const box = Panel.make("details", {}, Panel.make("summary", {}, T("A scan beneath")), ...parts);
    box.open = Boolean(shown?.open);
    document.getElementById("scanbox").replaceChildren(box);
    if (waiting) { const field = /** @type {any} */ (document.getElementById("scan-hex")); field?.focus(); field?.select(); }
  };
  const named = text => {
    const hex = meant(text);
    if (!hex) { ask.say(T("{name} is no hex of this sheet.", {name: text})); return; }
    clicks = [...clicks.filter(each => each.hex !== hex), {at: waiting.at, hex}];
    waiting = null;
    fit();
    keep();
    show();
    ask.frame();
  };

  const start = given => {
    ask = given;
    shelf = `mapscan ${given.told.file}`;
    try {
      const kept = JSON.parse(localStorage.getItem(shelf));
      if (kept) { ({matrix, clicks, cover, numbering} = kept); for (const hex of kept.byHand) byHand.add(hex); for (const [hex, cell] of kept.proposed) proposed.set(hex, cell); }
    } catch { /* nothing was kept */ }
    show();
    store("readonly", scans => scans.get(shelf)).then(blob => { if (blob) load(blob, false); });
  };
  return {
    start, proposals, printed,
    layer: () => picture && {cover, draw: ctx => { ctx.transform(...matrix); ctx.drawImage(picture, 0, 0); }},
    points: () => mode === "fit" ? [...clicks.map(({at}, n) => { const [x, y] = apply(at); return {x, y, text: String(n + 1)}; }), ...(waiting ? [waiting.at].map(at => { const [x, y] = apply(at); return {x, y, text: "?"}; }) : [])] : [],
    press: (at, pans) => {
      if (!picture || pans || !mode) return false;
      if (mode === "move") { held = {at, matrix: [...matrix]}; return true; }
      waiting = {at: inverse(at), guess: ask.hexAt(...at)};
      return true;
    },
    drag: at => { if (!held) return false; matrix = [...held.matrix.slice(0, 4), held.matrix[4] + at[0] - held.at[0], held.matrix[5] + at[1] - held.at[1]]; return true; },
    release: () => { held = null; keep(); if (waiting) show(); }, // now: a press takes the keyboard to the sheet
    /** A hex was painted by hand: it is no proposal any more, and others are known by it. */
    accept: label => { if (picture) { proposed.delete(label); byHand.add(label); keep(); } },
    /** A tool was taken: clicks are its own again. */
    rest: () => { if (mode) { mode = ""; waiting = null; show(); } },
    matrix: () => matrix,
  };
})();
