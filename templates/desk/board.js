// The board of the desk: pan, pinch and zoom by its viewBox; a click takes the nearest legal step, a finger aims at it first; dragging
// from the end of a line draws on; a cursor for the keyboard.

const Board = (() => {
  "use strict";
  const NS = "http://www.w3.org/2000/svg", NEAR = 90, TAP = 8;
  // Names of hexes in units of the board; in pixels at least; units in a pixel up to which they have room; height of a ruler in pixels.
  const NAME = 20, SMALLEST = 9, ROOMY = 3.2, BAND = 18;
  const TAG = 7, GROWN = 1.2; // what else the board writes: in pixels at least, and how much larger than it was drawn
  const CARTOUCHE = "#fbf7e9"; // its ground
  const INK = .8; // so much of a line's height above its baseline capitals take
  const PLATE = 1.5; // so many times as high as its words a plate is at the most; what is higher, a cube or a space, is none
  const NOTHING = {steps: [], marks: []}; // before anybody's orders are written
  /** @type {any} what the page has, once it was started: the svg, its layer of marks, its title, what the shell offers */
  let svg = null, layer = null, names = null, rulers = null, title = null, ask = null;
  const seen = () => ask.view() || NOTHING;
  let box = [0, 0, 1, 1], whole = [0, 0, 1, 1];
  /** @type {any} the map without rulers and legend: left, top, right, bottom */
  let area = [0, 0, 1, 1];
  /** @type {?{id: string, name: string, point: number[]}} */
  let cursor = null;
  /** @type {any[]} texts of the board, the names of places first: where each lies beside its point, and how large it was drawn */
  let written = [], told = 0; // and for how many units in a pixel they were last gone through
  /** @type {any[]} the parts of the board's cartouche: with lines whose words are left out nothing is said */
  let cartouche = [];
  /** @type {any[]} the parts of its legend, where it has one below its frame: symbols say nothing without most of their words */
  let legend = [];
  /** By a place's middle: half of the width and height of what is written there. */
  let halves = new Map();
  /** @type {number[][]} what lies there: left, top, right, bottom */
  let discs = [];
  const pointers = new Map();
  /** @type {?{from?: number[], pinch?: number[][], box: number[], moved: boolean, draws?: boolean, by?: ?number[]}} */
  let drag = null;

  const element = (tag, attributes) => {
    const made = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    return made;
  };
  /** An attribute is written only where it changes: each costs the board its layout. */
  const set = (node, name, value) => {
    if (node.getAttribute(name) === value) return;
    if (value === null) node.removeAttribute(name); else node.setAttribute(name, value);
  };
  const show = () => {
    svg.setAttribute("viewBox", box.map(each => Math.round(each * 10) / 10).join(" "));
    svg.dataset.shown = "";
    legible();
    letter();
    rule();
  };
  const scale = () => {
    const shown = svg.getBoundingClientRect();
    return Math.max(box[2] / shown.width, box[3] / shown.height) || 1;
  };
  /** Where on the drawing something on the screen lies. */
  const onSheet = (x, y) => {
    const shown = svg.getBoundingClientRect(), unit = scale();
    return [box[0] + box[2] / 2 + (x - shown.left - shown.width / 2) * unit, box[1] + box[3] / 2 + (y - shown.top - shown.height / 2) * unit];
  };
  /** The names of the hexes in sight, where there is room for them: the letters left of the track that leaves to the north, the numbers right of it. */
  const letter = () => {
    const unit = scale(), size = Math.max(NAME, SMALLEST * unit);
    const shown = svg.getBoundingClientRect(), [left, top] = onSheet(shown.left, shown.top), [right, bottom] = onSheet(shown.right, shown.bottom);
    names.setAttribute("font-size", String(size));
    names.replaceChildren(...unit > ROOMY ? [] : ask.places.filter(({label, point: [x, y]}) => label && x > left && x < right && y > top && y < bottom).flatMap(lettered));
  };
  /** What the board writes is left out as long as it would be too small to read; names that meet no other are written larger. */
  const legible = () => {
    const unit = scale(), kept = [];
    if (unit === told) return;
    told = unit;
    if (!written.length) written = [...svg.querySelectorAll("[aria-hidden] > g[font-size] text")].map(node => {
      const group = node.parentNode, {x, y, width, height} = node.getBBox();
      const at = [x - Number(node.getAttribute("x")), y - Number(node.getAttribute("y")), width, height];
      const name = group.hasAttribute("paint-order");
      return {node, at, size: Number(group.getAttribute("font-size")), name, bold: group.hasAttribute("font-weight"), below: name ? [] : plates(node, group)};
    }).sort((one, other) => Number(other.bold) - Number(one.bold));
    if (!cartouche.length) cartouche = parts();
    if (!legend.length) legend = [...svg.querySelector("[aria-hidden]").children].filter(each => each.getBBox().y > frame()[3]);
    for (const {node, at, size, name, below} of written) {
      const least = (name ? SMALLEST : TAG) * unit, grown = Math.max(1, least / size), [x, y] = [Number(node.getAttribute("x")), Number(node.getAttribute("y"))];
      const {by, on, meets} = name ? room(at, x, y, grown, kept) : {by: 0, on: null, meets: grown > GROWN};
      if (name && !meets) kept.push(on);
      set(node, "hidden", meets ? "" : null);
      for (const each of below) set(each, "hidden", node.getAttribute("hidden"));
      if (!node.hasAttribute("hidden")) {
        set(node, "font-size", grown > 1 ? String(Math.ceil(size * grown)) : null);
        set(node, "dx", by ? String(Math.round(by)) : null);
      }
    }
    const bare = cartouche.some(each => each.querySelector("text[hidden]"));
    for (const each of cartouche) set(each, "hidden", bare ? "" : null);
    const words = legend.flatMap(each => [...each.querySelectorAll("text")]), unread = words.filter(each => each.hasAttribute("hidden"));
    for (const each of legend) set(each, "hidden", unread.length * 2 > words.length ? "" : null);
  };
  /** Where a name stands that is written larger, and by how much it is moved: it meets no name that is kept and covers least of the discs. */
  const room = (at, x, y, grown, kept) => {
    const [left, top, wide, high] = at.map(each => each * grown);
    const edges = [0, at[0], at[0] + at[2]]; // it grows in place, from its left edge on, or to its right one
    const spots = edges.slice(0, grown > 1 ? 3 : 1).map(edge => {
      const from = x + left + edge * (1 - grown), to = grown > 1 ? Math.max(area[0], from) + Math.min(0, area[2] - from - wide) : from;
      const on = [to, y + top, to + wide, y + top + high];
      const covers = discs.reduce((all, each) => all + common([to, y + top * INK, to + wide, y], each), 0);
      return {by: to - x - left, on, covers, meets: grown > 1 && kept.some(each => common(on, each))};
    });
    const free = spots.filter(each => !each.meets);
    return free.length ? free.reduce((best, each) => each.covers < best.covers ? each : best) : spots[0];
  };
  /** How much two boxes have in common. */
  const common = (one, other) => [0, 1].reduce((all, at) => all * Math.max(0, Math.min(one[at + 2], other[at + 2]) - Math.max(one[at], other[at])), 1);
  /** The plate below words on the map, with its border: what is drawn right before them, alone, around them and little larger. */
  const plates = (node, group) => {
    const found = [], words = node.getBBox(), [left, top, right, bottom] = area;
    if (node !== group.firstElementChild || words.x < left || words.y < top || words.x > right || words.y > bottom) return found;
    for (let one = group.previousElementSibling; one && one.childElementCount === 1 && one.querySelector("path"); one = one.previousElementSibling) {
      const {x, y, width, height} = one.getBBox(), [across, middle] = [words.x + words.width / 2, words.y + words.height / 2];
      if (height > PLATE * words.height || width < words.width || Math.abs(x + width / 2 - across) > 5 || y > middle || y + height < middle) break;
      found.push(one);
    }
    return found;
  };
  /** The map with its rulers or track around it. @returns {any} */
  const frame = () => [0, area[1] - area[0], area[2] + area[0], area[3] + area[0]];
  const parts = () => {
    const ground = svg.querySelector(`[fill="${CARTOUCHE}"]`), edge = ground ? ground.getBBox() : null;
    return ground ? [...ground.parentNode.children].filter(each => {
      const {x, y, width, height} = each.getBBox();
      return x >= edge.x && y >= edge.y && x + width <= edge.x + edge.width && y + height <= edge.y + edge.height;
    }) : [];
  };
  const lettered = place => {
    if (!place.written) place.written = place.label.match(/[A-Z]+|\d+/g).map((text, at) => {
      const made = element("text", {x: place.point[0] + (at ? 5 : -5), y: place.point[1] - 48, dy: ".78em", "text-anchor": at ? "start" : "end"});
      made.textContent = text;
      return made;
    });
    return place.written;
  };
  /** The rulers along the upper and left edge, as long as those of the board are out of sight: in pixels, and moved with the board. */
  const rule = () => {
    const unit = scale(), shown = svg.getBoundingClientRect(), [left, top] = onSheet(shown.left, shown.top), made = [];
    const text = (x, y, words) => { const one = element("text", {x, y}); one.textContent = words; return one; };
    for (const across of [true, false]) {
      const at = across ? 0 : 1, from = across ? left : top, edge = Math.min(...ask.rulers.map(([, spot]) => spot[1 - at]));
      if (unit > ROOMY || !ask.rulers.length || (across ? top : left) < edge) continue;
      const band = element("rect", across ? {width: shown.width, height: BAND} : {width: 26, height: shown.height}), moving = element("g", {"data-way": across ? "x" : "y"});
      for (const [words, spot] of ask.rulers.filter(each => each[1][1 - at] === edge)) {
        const on = (spot[at] - from) / unit;
        if (on > (across ? 34 : BAND) && on < (across ? shown.width : shown.height)) moving.append(across ? text(on, 13, words) : text(13, on, words));
      }
      made.push(band, moving);
    }
    rulers.replaceChildren(...made);
  };
  const zoom = (factor, centre = [box[0] + box[2] / 2, box[1] + box[3] / 2]) => {
    const width = Math.min(whole[2] * 1.2, Math.max(whole[2] / 12, box[2] / factor)), by = width / box[2];
    box = [centre[0] - (centre[0] - box[0]) * by, centre[1] - (centre[1] - box[1]) * by, width, box[3] * by];
    show();
  };
  /** A box moved so that it shows the board and not what lies beside it; a larger one shows it whole. */
  const onBoard = ([x, y, width, height]) => {
    const kept = (at, size, from, all) => Math.min(Math.max(from, from + all - size), Math.max(Math.min(from, from + all - size), at));
    return [kept(x, width, whole[0], whole[2]), kept(y, height, whole[1], whole[3]), width, height];
  };
  const onTelephone = () => svg.getBoundingClientRect().width < 500;
  const fit = ([left, top, right, bottom], ring = svg && onTelephone() ? 200 : 500) => {
    if (!svg) return;
    const shown = svg.getBoundingClientRect(), shape = shown.height / shown.width || 1;
    const most = Math.max(right - left, (bottom - top) / shape) + ring;
    const width = Math.min(Math.max(whole[2], whole[3] / shape), Math.max(whole[2] / 9, most));
    box = onBoard([(left + right - width) / 2, (top + bottom - width * shape) / 2, width, width * shape]);
    show();
  };

  /** Show a part of the board for the first time, or all of it. */
  const begin = part => { if (svg) part ? fit(part) : all(); };
  /** All of the board; without the legend where that could not be read. */
  const all = () => {
    const shown = svg.getBoundingClientRect(), unit = Math.max(whole[2] / shown.width, whole[3] / shown.height);
    const below = [...svg.querySelectorAll("[aria-hidden] > g[font-size] text")].filter(each => Number(each.getAttribute("y")) > area[3]);
    const small = below.some(each => Number(each.parentNode.getAttribute("font-size")) * GROWN < TAG * unit);
    fit(small ? frame() : [whole[0], whole[1], whole[0] + whole[2], whole[1] + whole[3]], 0);
  };
  /** Show a part of the board that is not seen as a whole. */
  const look = ([left, top, right, bottom]) => {
    const [x, y, width, height] = box, ring = 60;
    if (svg && (left - ring < x || top - ring < y || right + ring > x + width || bottom + ring > y + height)) fit([left, top, right, bottom]);
  };
  /** Move the board so that a point is inside, by so great a part of what is seen. */
  const reveal = ([x, y], margin = .12) => {
    const inside = (at, from, size) => at > from + size * margin && at < from + size * (1 - margin);
    if (!svg || (inside(x, box[0], box[2]) && inside(y, box[1], box[3]))) return;
    box = onBoard([x - box[2] / 2, y - box[3] / 2, box[2], box[3]]);
    show();
  };

  const mark = each => {
    if (each.line) return element("polyline", {
      points: each.line.map(point => point.join(",")).join(" "), fill: "none", stroke: each.colour, "stroke-width": each.width || 18,
      "stroke-dasharray": each.dash || "", "stroke-linecap": "round", "stroke-linejoin": "round",
    });
    if (each.text) {
      const words = element("text", {x: each.at[0], y: each.at[1], class: "label"});
      words.textContent = each.text;
      return words;
    }
    return ring(each.at, each.r || 30, {class: each.end ? "mark end" : "mark", fill: each.fill && !open(each.at) ? each.colour : "none", stroke: each.colour}, 20);
  };
  const open = at => halves.has(String(at)) ? "open" : "";
  /** A ring as large as is said, and no nearer to what is written in its middle. */
  const ring = (at, least, attributes, off = 10) => {
    const [wide, high] = (halves.get(String(at)) || [least - off, least - off]).map(half => Math.max(least, half + off));
    return element("rect", {x: at[0] - wide, y: at[1] - high, width: 2 * wide, height: 2 * high, rx: high, ...attributes});
  };
  /** Draw a view's marks, its legal steps as rings, the ghost and the cursor. */
  const draw = (what, ghost) => {
    if (!svg) return;
    const view = what || NOTHING;
    const steps = view.steps.filter(step => step.point);
    const made = [...view.marks.map(mark),
      ...steps.map(step => ring(step.point, 26, {class: `step ${open(step.point)}`}))];
    if (view.tip) made.push(ring(view.tip, 20, {class: `tip ${open(view.tip)}`}));
    if (ghost && ghost.point) {
      if (view.tip) made.push(element("line", {x1: view.tip[0], y1: view.tip[1], x2: ghost.point[0], y2: ghost.point[1], class: "ghost"}));
      made.push(ring(ghost.point, 34, {class: "ghost"}, 14));
    }
    if (cursor) made.push(ring(cursor.point, 46, {class: "cursor"}, 28));
    layer.replaceChildren(...made);
    if (!ghost) {
      document.getElementById("ghost").textContent = "";
      /** @type {any} */ (document.getElementById("lay")).disabled = true;
    }
  };

  const far = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const nearest = (items, point, within) => items.filter(each => each.point)
    .reduce((best, each) => far(each.point, point) < (best ? far(best.point, point) : within) ? each : best, null);

  /** A finger aims first and lays with the second tap; a mouse, which hits what it means, lays at once where one step lies alone. */
  const tap = (point, exact) => {
    const unit = scale(), within = Math.max(NEAR, 22 * unit);
    const step = nearest(seen().steps, point, within);
    if (!step) {
      const place = nearest(ask.places, point, within);
      return ask.none(place ? place.id : "");
    }
    const alone = seen().steps.filter(each => each.point && far(each.point, step.point) < 5).length === 1;
    return (exact && alone) || ask.ghost() === step || (ask.ghost() && ask.ghost().label === step.label) ? ask.go(step) : ask.point(step);
  };

  const down = event => {
    settle();
    svg.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const at = onSheet(event.clientX, event.clientY), tip = seen().tip;
    drag = pointers.size === 1
      ? {from: [event.clientX, event.clientY], box: [...box], moved: false, draws: Boolean(tip && far(tip, at) < Math.max(50, 16 * scale()))}
      : {pinch: [...pointers.values()], box: [...box], moved: true};
  };
  /** A mouse that rests is told what lies below it. */
  const hover = event => {
    const place = nearest(ask.places, onSheet(event.clientX, event.clientY), NEAR), told = place ? place.name || place.id : "";
    if (title.textContent !== told) title.textContent = told;
  };
  const move = event => {
    if (!pointers.size && event.pointerType === "mouse") hover(event);
    if (!pointers.has(event.pointerId) || !drag) return;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (drag.pinch && pointers.size >= 2) {
      const [a, b] = [...pointers.values()], [c, d] = drag.pinch;
      const by = far(a, b) / (far(c, d) || 1), centre = onSheet((a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      drag.pinch = [a, b];
      zoom(by, centre);
      return;
    }
    if (!drag.from) return;
    const by = [event.clientX - drag.from[0], event.clientY - drag.from[1]];
    drag.moved = drag.moved || Math.hypot(...by) > TAP;
    if (!drag.moved) return;
    if (drag.draws) {
      const step = nearest(seen().steps, onSheet(event.clientX, event.clientY), 52);
      if (step) ask.go(step);
      return;
    }
    // The picture is moved, and drawn anew when the finger is lifted: so the largest board follows it.
    drag.by = by;
    svg.style.transform = `translate(${by[0]}px, ${by[1]}px)`;
    for (const each of rulers.querySelectorAll("g")) each.setAttribute("transform", `translate(${each.dataset.way === "x" ? `${by[0]}, 0` : `0, ${by[1]}`})`);
  };
  const settle = () => {
    if (!drag || !drag.by) return;
    svg.style.transform = "";
    const unit = scale();
    box = [drag.box[0] - drag.by[0] * unit, drag.box[1] - drag.by[1] * unit, box[2], box[3]];
    drag.by = null;
    show();
  };
  const up = event => {
    pointers.delete(event.pointerId);
    settle();
    if (drag && !drag.moved && event.type === "pointerup") tap(onSheet(event.clientX, event.clientY), event.pointerType === "mouse");
    if (!pointers.size) drag = null;
  };

  const WAYS = {ArrowUp: 270, w: 270, ArrowDown: 90, s: 90, ArrowLeft: 180, ArrowRight: 0, q: 210, e: 330, a: 150, d: 30};
  const key = event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[event.key];
    if (way !== undefined) {
      const view = seen();
      const from = cursor ? cursor.point : view.tip || (view.focus ? [(view.focus[0] + view.focus[2]) / 2, (view.focus[1] + view.focus[3]) / 2] : whole);
      const turned = Math.PI * way / 180, ahead = ([x, y]) => {
        const [dx, dy] = [x - from[0], y - from[1]], along = dx * Math.cos(turned) + dy * Math.sin(turned);
        return along <= 1 ? Infinity : along + 3 * Math.abs(-dx * Math.sin(turned) + dy * Math.cos(turned));
      };
      const next = ask.places.reduce((best, each) => ahead(each.point) < (best ? ahead(best.point) : Infinity) ? each : best, null);
      if (next) {
        cursor = next;
        reveal(next.point);
        draw(view, ask.ghost());
        ask.say(next.id);
      }
    } else if (event.key === "Enter" && cursor) {
      const step = nearest(seen().steps, cursor.point, 5);
      if (step) ask.go(step); else ask.none(cursor.id);
    } else if (event.key === "Backspace") ask.undo();
    else if (event.key === "+") zoom(1.5);
    else if (event.key === "-") zoom(1 / 1.5);
    else if (event.key === "0") all();
    else return;
    event.preventDefault();
  };

  /** @param {object} how  what the shell offers: places, rulers, view, ghost, say, point, go, undo, none */
  const start = how => {
    ask = how;
    svg = document.getElementById("board");
    if (!svg) return;
    halves = new Map(ask.places.filter(each => each.half).map(each => [String(each.point), each.half]));
    discs = ask.places.filter(each => each.half).map(({point: [x, y], half: [wide, high]}) => [x - wide, y - high, x + wide, y + high]);
    whole = svg.getAttribute("viewBox").split(" ").map(Number);
    box = [...whole];
    area = (svg.dataset.area || `0 0 ${whole[2]} ${whole[3]}`).split(" ").map(Number);
    const [, , wide, high] = whole, ground = {x: -wide, y: -high, width: 3 * wide, height: 3 * high}; // the sheet's colour lies beside it, too
    for (const [name, value] of Object.entries(ground)) svg.querySelector("rect").setAttribute(name, String(value));
    svg.querySelector("[aria-hidden]").append(...svg.querySelectorAll("g[paint-order]")); // whatever is written larger lies above the places
    [layer, names, rulers] = ["marks", "names", "rulers"].map(each => document.getElementById(each));
    title = svg.insertBefore(element("title", {}), svg.firstChild);
    svg.addEventListener("pointerdown", down);
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", up);
    svg.addEventListener("pointercancel", up);
    svg.addEventListener("keydown", key);
    svg.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== svg) return;
      zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, onSheet(event.clientX, event.clientY));
      event.preventDefault();
    }, {passive: false});
    document.getElementById("closer").onclick = () => {
      const {tip} = seen(), inSight = tip && tip[0] > box[0] && tip[0] < box[0] + box[2] && tip[1] > box[1] && tip[1] < box[1] + box[3];
      zoom(1.5);
      if (inSight) reveal(tip, .2); // where the line goes on stays in sight
    };
    document.getElementById("farther").onclick = () => zoom(1 / 1.5);
    document.getElementById("all").onclick = all;
    document.getElementById("own").onclick = () => { if (seen().focus) fit(seen().focus); };
  };
  return {start, begin, draw, fit, look, reveal};
})();
