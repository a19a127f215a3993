// The sheet as it is seen: ground, lines, places and what the pointer is about to do, on two canvases. The lattice of sheet.js lies
// 30 units of the drawing to the right and 52 down, as on the boards of the referee.

const Paint = (() => {
  "use strict";
  const X = 30, Y = 52;
  const TINTS = ["#fbf6e4", "#e6ecd2", "#f3e3d3", "#e4e6ea", "#efe6f0", "#f6ecc4", "#dfece6", "#f2dede", "#dfe9f7", "#e9f0bd", "#dcd5ef", "#cfe6c4", "#f8dac6"];
  const HILLS = ["#e6d3a4", "#cfd8ad", "#dfc3a6", "#c3c9d2", "#d5c4d8", "#dfcd8b", "#bdd3c9", "#dcbcbc", "#b9cbe4", "#cbd690", "#b9add8", "#a6c998", "#dfb08e"];
  const GROUND = {"~": "#b3cfdb", "o": "#96bfd4", "-": "#d8ceb7"};
  const SHADE = {river: "#2f77a6", wide: "#2f77a6", closed: "#153f5e", forbidden: "#b3261a", permitted: "#ffffff"};

  const middle = hex => { const [x, y] = Sheet.centre(hex); return [x * X, y * Y]; };
  const edge = crossing => Sheet.cornersOf(crossing).map(([x, y]) => [x * X, y * Y]);
  /** The hex at a point of the drawing. */
  const hexAt = (x, y) => {
    const column = Math.round(x / X / 3);
    let best = "", least = Infinity;
    for (const c of [column - 1, column, column + 1]) {
      const row = Math.round((y / Y - ((c % 2) + 2) % 2) / 2);
      for (const r of [row - 1, row, row + 1]) {
        const dx = x - 3 * c * X, dy = y - (2 * r + ((c % 2) + 2) % 2) * Y, far = dx * dx + dy * dy;
        if (c >= 0 && r >= 0 && far < least) { best = Sheet.label(c, r); least = far; }
      }
    }
    return best;
  };
  /** The hex-side nearest to a point, and how near: 0 on it, 1 in the middle of a hex. */
  const sideAt = (x, y) => {
    const hex = hexAt(x, y);
    if (!hex) return null;
    const [cx, cy] = middle(hex), dx = x - cx, dy = y - cy;
    let best = "", most = -Infinity;
    for (const other of Sheet.neighbours(hex)) {
      const [ox, oy] = middle(other), length = Math.hypot(ox - cx, oy - cy), along = (dx * (ox - cx) + dy * (oy - cy)) / length / (length / 2);
      if (along > most) { most = along; best = other; }
    }
    return best ? {side: Sheet.side(hex, best), near: 1 - most} : null;
  };
  const outline = (ctx, hex) => {
    const [x, y] = Sheet.centre(hex);
    Sheet.CORNERS.forEach(([dx, dy], n) => { if (n) ctx.lineTo((x + dx) * X, (y + dy) * Y); else ctx.moveTo((x + dx) * X, (y + dy) * Y); });
    ctx.closePath();
  };
  const stroke = (ctx, shade, width, dash = []) => { ctx.strokeStyle = shade; ctx.lineWidth = width; ctx.setLineDash(dash); ctx.stroke(); ctx.setLineDash([]); };
  const along = (ctx, sides) => {
    ctx.beginPath();
    for (const crossing of sides) { const [[x1, y1], [x2, y2]] = edge(crossing); ctx.moveTo(x1, y1); ctx.lineTo(x2, y2); }
  };
  const across = (ctx, one, other) => { ctx.moveTo(...middle(one)); ctx.lineTo(...middle(other)); };
  const word = (ctx, text, x, y, font, shade = "#1d1d1b", halo = 7) => {
    ctx.font = font;
    ctx.lineJoin = "round";
    if (halo) { ctx.strokeStyle = "#fffdf6"; ctx.lineWidth = halo; ctx.strokeText(text, x, y); }
    ctx.fillStyle = shade;
    ctx.fillText(text, x, y);
  };
  const disc = (ctx, x, y, r, fill, line, width) => { ctx.beginPath(); ctx.arc(x, y, r, 0, 7); ctx.fillStyle = fill; ctx.fill(); if (line) stroke(ctx, line, width); };

  /** Keys as they stand in the ring of a town: 12-14. */
  const keysOf = keys => {
    const sorted = [...keys].sort((a, b) => a - b), runs = [];
    for (const key of sorted) {
      const run = runs[runs.length - 1];
      if (run && key === run[1] + 1) run[1] = key; else runs.push([key, key]);
    }
    return runs.map(([one, other]) => one === other ? String(one) : `${one}-${other}`).join(" ");
  };

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {{x: number, y: number, scale: number, width: number, height: number, ratio: number}} view  x, y: the drawing's point at the upper left
   * @param {{board: Board, homes: Set<string>, scan: any, name: (hex: string) => string, proposals: Map<string, string>}} seen
   */
  const draw = (ctx, view, seen) => {
    const {board, scan} = seen, unit = view.scale;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = "#e7dfca";
    ctx.fillRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    const place = () => ctx.setTransform(unit * view.ratio, 0, 0, unit * view.ratio, -view.x * unit * view.ratio, -view.y * unit * view.ratio);
    place();
    if (scan) scan.draw(ctx);
    place();
    // What is in sight.
    const left = Math.max(0, Math.floor(view.x / X / 3) - 1), right = Math.min(board.columns - 1, Math.ceil((view.x + view.width / unit) / X / 3) + 1);
    const upper = Math.max(0, Math.floor(view.y / Y / 2) - 1), lower = Math.min(board.rows - 1, Math.ceil((view.y + view.height / unit) / Y / 2) + 1);
    const letters = Object.keys(board.areas), fills = new Map(), hills = [], inSight = [], lot = (right - left) * (lower - upper) > 9000;
    const put = (shade, hex) => { if (!fills.has(shade)) fills.set(shade, []); fills.get(shade).push(hex); };
    for (let column = left; column <= right; column += 1) {
      for (let row = upper; row <= lower; row += 1) {
        const hex = Sheet.label(column, row), kind = board.ground.get(hex);
        inSight.push(hex);
        if (!kind) { put(GROUND[board.water.get(hex)] || "#f2b8b0", hex); continue; }
        const tint = Math.max(0, letters.indexOf(board.area.get(hex))) % TINTS.length;
        put(kind === "^" ? HILLS[tint] : TINTS[tint], hex);
        if (kind === "^") hills.push(hex);
      }
    }
    ctx.globalAlpha = scan ? scan.cover : 1;
    for (const [shade, hexes] of fills) {
      ctx.fillStyle = shade;
      ctx.beginPath();
      for (const hex of hexes) {
        if (lot) { const [x, y] = middle(hex); ctx.rect(x - 46, y - 53, 92, 106); } else outline(ctx, hex);
      }
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    if (lot) return;
    const visible = new Set(inSight), sees = crossing => visible.has(crossing.split("-")[0]) || visible.has(crossing.split("-")[1]);
    ctx.beginPath();
    for (const hex of inSight) outline(ctx, hex);
    stroke(ctx, "#0000002e", Math.max(2, 0.6 / unit));
    if (unit > 0.12) {
      ctx.fillStyle = "#96703a";
      ctx.beginPath();
      for (const hex of hills) {
        const [x, y] = middle(hex);
        for (const [dx, dy, h] of [[-16, 22, 34], [10, 22, 44]]) { ctx.moveTo(x + dx - 17, y + dy); ctx.lineTo(x + dx, y + dy - h); ctx.lineTo(x + dx + 17, y + dy); }
      }
      ctx.fill();
    }
    // Borders of areas, and foreign land.
    ctx.beginPath();
    for (const hex of inSight) {
      if (!board.area.has(hex)) continue;
      for (const other of Sheet.neighbours(hex)) {
        if (board.area.has(other) && hex < other && board.area.get(hex) !== board.area.get(other)) { const [[x1, y1], [x2, y2]] = edge(Sheet.side(hex, other)); ctx.moveTo(x1, y1); ctx.lineTo(x2, y2); }
      }
    }
    stroke(ctx, "#b3261a", 5, [18, 9]);
    ctx.beginPath();
    for (const hex of inSight) {
      if (!board.area.has(hex) || !Check.isForeign(board, hex)) continue;
      const [x, y] = middle(hex);
      for (const n of [-1, 0, 1]) { ctx.moveTo(x - 26 + n * 26, y + 22); ctx.lineTo(x + 8 + n * 26, y - 22); }
    }
    stroke(ctx, "#4b3a7a38", 3);
    if (seen.proposals.size) {
      ctx.beginPath();
      for (const hex of seen.proposals.keys()) if (visible.has(hex)) { const [x, y] = middle(hex); ctx.moveTo(x - 30, y - 30); ctx.lineTo(x + 30, y + 30); ctx.moveTo(x + 30, y - 30); ctx.lineTo(x - 30, y + 30); }
      stroke(ctx, "#b3261a", 5);
    }
    // Lines.
    ctx.lineCap = "round";
    const inView = sides => [...sides].filter(sees);
    along(ctx, inView([...board.rivers.keys()].filter(each => board.rivers.get(each) < 4)));
    stroke(ctx, SHADE.river, 11);
    along(ctx, inView([...board.rivers.keys()].filter(each => board.rivers.get(each) >= 4)));
    stroke(ctx, SHADE.wide, 20);
    const shut = inView(board.closed), wet = new Set(board.courses.flatMap(each => each.sides));
    along(ctx, shut.filter(each => wet.has(each)));
    stroke(ctx, SHADE.closed, 20);
    along(ctx, shut.filter(each => !wet.has(each)));
    stroke(ctx, SHADE.forbidden, 13);
    ctx.lineCap = "butt";
    ctx.beginPath();
    for (const crossing of inView(board.permitted)) across(ctx, crossing.split("-")[0], crossing.split("-")[1]);
    stroke(ctx, "#5d584c", 13);
    stroke(ctx, "#ffffff", 8);
    for (const [crossing, bridge] of board.bridges) {
      if (!sees(crossing)) continue;
      const [[x1, y1], [x2, y2]] = crossing.split("-").map(middle), [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2], [dx, dy] = [(x2 - x1) / 104, (y2 - y1) / 104];
      ctx.beginPath();
      for (const n of [-8, 8]) { ctx.moveTo(cx - dx * 24 - dy * n, cy - dy * 24 + dx * n); ctx.lineTo(cx + dx * 24 - dy * n, cy + dy * 24 + dx * n); }
      stroke(ctx, "#1d1d1b", 5);
      if (!bridge.built) badge(ctx, cx, cy, `${bridge.price}${bridge.banked ? "+" : ""}`);
    }
    for (const [crossing, points] of board.prices) if (sees(crossing)) { const [[x1, y1], [x2, y2]] = edge(crossing); badge(ctx, (x1 + x2) / 2, (y1 + y2) / 2, String(points)); }
    for (const [ends, ferry] of board.ferries) {
      const [[x1, y1], [x2, y2]] = ends.split("-").map(middle);
      ctx.beginPath();
      ctx.moveTo(x1, y1);
      ctx.lineTo(x2, y2);
      stroke(ctx, "#16324a", 6, [14, 10]);
      badge(ctx, (x1 + x2) / 2, (y1 + y2) / 2, String(ferry.price));
    }
    // Places.
    ctx.textBaseline = "middle";
    for (const special of board.specials) {
      for (const hex of special.hexes) if (visible.has(hex)) { const [x, y] = middle(hex); ctx.textAlign = "center"; word(ctx, `★${special.number}`, x + 30, y - 30, "bold 26px Verdana, sans-serif", "#7a5b12", 5); }
    }
    for (const each of board.junctions) {
      if (!visible.has(each.hex)) continue;
      const [x, y] = middle(each.hex);
      disc(ctx, x, y, 9, "#1d1d1b", "", 0);
      ctx.textAlign = "left";
      word(ctx, each.bonus ? `${each.name} +${each.bonus}` : each.name, x + 16, y, "italic 30px Georgia, serif");
    }
    for (const each of board.stations) {
      if (!visible.has(each.hex)) continue;
      const [x, y] = middle(each.hex), keys = keysOf(each.keys);
      ctx.font = "bold 24px Verdana, sans-serif";
      const half = Math.max(26, ctx.measureText(keys).width / 2 + 12);
      if (seen.homes.has(each.hex)) { ctx.beginPath(); ctx.roundRect(x - half - 9, y - 35, 2 * half + 18, 70, 35); ctx.fillStyle = "#d8a93a"; ctx.fill(); }
      ctx.beginPath();
      ctx.roundRect(x - half, y - 26, 2 * half, 52, 26);
      ctx.fillStyle = "#ffffff";
      ctx.fill();
      stroke(ctx, "#1d1d1b", each.minor ? 3 : 7);
      ctx.textAlign = "center";
      word(ctx, keys, x, y + 1, "bold 24px Verdana, sans-serif", "#1d1d1b", 0);
      ctx.textAlign = "left";
      word(ctx, each.name, x + half + 8, y, `${each.minor ? "" : "bold "}36px Georgia, serif`);
    }
    if (unit > 0.3) {
      ctx.textAlign = "center";
      ctx.textBaseline = "alphabetic";
      ctx.fillStyle = "#4b4636";
      ctx.font = `${Math.max(15, 9 / unit)}px Verdana, sans-serif`;
      for (const hex of inSight) { const [x, y] = middle(hex); ctx.fillText(seen.name(hex), x, y + 47); }
    }
    for (const {name, sides} of board.courses) {
      if (!sides.length || !name) continue;
      const [[x1, y1], [x2, y2]] = edge(sides[Math.floor(sides.length / 2)]);
      ctx.textAlign = "center";
      word(ctx, name, (x1 + x2) / 2, (y1 + y2) / 2 - 16, "italic 24px Georgia, serif", "#1f5c85", 5);
    }
  };
  const badge = (ctx, x, y, text) => {
    disc(ctx, x, y, 20, "#d8a93a", "#1d1d1b", 3);
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    word(ctx, text, x, y + 1, "bold 22px Verdana, sans-serif", "#1d1d1b", 0);
  };

  /** What lies above the sheet: the cursor, what is chosen, the hex-side under the pointer, the faults by their numbers. */
  const mark = (ctx, view, marks) => {
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    const unit = view.scale * view.ratio;
    ctx.setTransform(unit, 0, 0, unit, -view.x * unit, -view.y * unit);
    ctx.lineCap = "round";
    for (const {hex, shade, dash} of marks.hexes) { ctx.beginPath(); outline(ctx, hex); stroke(ctx, shade, Math.max(7, 2 / view.scale), dash || []); }
    for (const {side, shade, width} of marks.sides) { along(ctx, [side]); stroke(ctx, shade, width); }
    for (const {at, text} of marks.faults) {
      const [x, y] = middle(at);
      disc(ctx, x, y - 4, 26, "#b3261a", "#ffffff", 5);
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      word(ctx, text, x, y - 3, "bold 30px Verdana, sans-serif", "#ffffff", 0);
    }
    for (const {x, y, text} of marks.points) {
      disc(ctx, x, y, 9 / view.scale, "#d8a93a", "#1d1d1b", 2 / view.scale);
      word(ctx, text, x + 14 / view.scale, y, `bold ${12 / view.scale}px Verdana, sans-serif`, "#1d1d1b", 4 / view.scale);
    }
  };
  return {draw, mark, middle, edge, hexAt, sideAt, keysOf, TINTS, HILLS, GROUND, X, Y};
})();
