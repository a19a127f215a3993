// The map while it is made: its values, a hundred steps back and forth, and what the browser keeps of them.

const Edits = (() => {
  "use strict";
  const STEPS = 100;
  /** @type {Doc} */
  let doc = {};
  /** @type {Doc} */
  let base = {};
  let text = "", shelf = "";
  /** @type {Object<string, any>[]} each: what the sections changed by a step held before it; undefined: they were not there */
  let past = [], future = [];
  /** @type {?Object<string, any>} */
  let stroke = null;
  let tell = () => {};

  const marked = values => Object.fromEntries(Object.entries(values).map(([section, value]) => [section,
    Array.isArray(value) && value.every(Check.isTable) ? value.map((block, n) => ({"#": n, ...block})) : value]));
  const sum = words => { let all = 7; for (let n = 0; n < words.length; n += 1) all = (all * 31 + words.charCodeAt(n)) >>> 0; return all.toString(36); };
  const pack = step => Object.entries(step).map(([section, value]) => value === undefined ? [section] : [section, value]);
  const unpack = step => Object.fromEntries(step.map(([section, value]) => [section, value]));

  /** Begin with a file; what the browser kept of it is taken up again. Returns whether there was something. */
  const start = (told, changed) => {
    text = told.text;
    base = doc = marked(told.doc);
    past = []; future = []; stroke = null; tell = changed;
    shelf = `mapdesk ${told.file} ${sum(text)}`;
    try {
      const kept = JSON.parse(localStorage.getItem(shelf));
      if (kept && kept.doc) { doc = kept.doc; past = kept.past.map(unpack); return true; }
    } catch { /* nothing was kept that can be read */ }
    return false;
  };
  const keep = () => {
    for (let most = STEPS; most >= 1; most = Math.floor(most / 4)) {
      try { localStorage.setItem(shelf, JSON.stringify({doc, past: past.slice(-most).map(pack)})); return true; } catch { /* full: fewer steps */ }
    }
    return false;
  };
  const put = next => {
    const before = {};
    for (const section of new Set([...Object.keys(doc), ...Object.keys(next)])) if (doc[section] !== next[section]) before[section] = doc[section];
    if (!Object.keys(before).length) return;
    doc = next;
    future = [];
    if (stroke) for (const [section, value] of Object.entries(before)) { if (!(section in stroke)) stroke[section] = value; }
    else { past.push(before); past = past.slice(-STEPS); }
    tell();
  };
  /** Until `lift` all changes are one step. */
  const press = () => { stroke = stroke || {}; };
  const lift = () => {
    if (stroke && Object.keys(stroke).length) { past.push(stroke); past = past.slice(-STEPS); }
    stroke = null;
  };
  const move = (from, to) => {
    lift();
    const step = from.pop();
    if (!step) return false;
    const back = {}, next = {...doc};
    for (const [section, value] of Object.entries(step)) {
      back[section] = doc[section];
      if (value === undefined) delete next[section]; else next[section] = value;
    }
    to.push(back);
    doc = next;
    tell();
    return true;
  };
  const without = (table, key) => Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));
  /** A field of the top, of a table or of a block; undefined takes it away. A table that is left empty goes if it need not be there. */
  const set = (section, index, key, value) => {
    const laid = table => value === undefined ? without(table, key) : {...table, [key]: value};
    if (!section) { put(laid(doc)); return; }
    const old = doc[section];
    if (Array.isArray(old)) put({...doc, [section]: old.map((block, n) => n === index ? laid(block) : block)});
    else {
      const table = laid(Check.isTable(old) ? old : {});
      put(Object.keys(table).length || ["areas", "home_terminals", "cells"].includes(section) ? {...doc, [section]: table} : without(doc, section));
    }
  };
  const blocks = section => Array.isArray(doc[section]) ? doc[section] : [];
  /** Returns the number of the new block. */
  const add = (section, block) => { put({...doc, [section]: [...blocks(section), block]}); return blocks(section).length - 1; };
  const remove = (section, index) => {
    const left = blocks(section).filter((_, n) => n !== index);
    put(left.length ? {...doc, [section]: left} : without(doc, section));
  };

  // The grid of cells, a text.
  const rename = (table, from, to) => Object.fromEntries(Object.entries(table).map(([key, value]) => [key === from ? to : key, value]));
  const cellsOf = (grid, columns, rows) => {
    const {lines} = Sheet.rowsOf(grid || "");
    return [...Array(rows).keys()].map(row => {
      const match = lines[row] && Sheet.ROW.exec(lines[row].text), cells = match ? Sheet.words(match[2]) : [];
      return [...Array(columns).keys()].map(column => cells[column] || "--");
    });
  };
  const gridOf = cells => {
    const margin = String(cells.length).length, head = cells[0].map((_, column) => Sheet.lettersOf(column).padStart(3)).join("");
    return `${" ".repeat(margin + 1)}${head}\n${cells.map((row, n) => `${String(n + 1).padStart(margin)}: ${row.join(" ")}`).join("\n")}\n`;
  };
  const resize = (columns, rows) => put({...doc, cols: columns, rows, cells: {...doc.cells, grid: gridOf(cellsOf(doc.cells?.grid, columns, rows))}});
  /** A grid in which some hexes have other cells: only their lines are written anew, and of these only the cells. */
  const repainted = (grid, painted) => {
    const lines = grid.split("\n"), {lines: rows} = Sheet.rowsOf(grid), byRow = new Map();
    for (const [hex, cell] of painted) {
      const [column, row] = Sheet.parse(hex);
      if (!byRow.has(row)) byRow.set(row, new Map());
      byRow.get(row).set(column, cell);
    }
    for (const [row, cells] of byRow) {
      const {n, text: line} = rows[row], colon = line.indexOf(":");
      let column = -1;
      lines[n] = line.slice(0, colon + 1) + line.slice(colon + 1).replace(/\S+/g, old => { column += 1; return cells.get(column) ?? old; });
    }
    return lines.join("\n");
  };
  /**
   * @param {[string, string][]} painted  hex and cell
   */
  const paint = painted => {
    const {cols: columns, rows} = doc, on = painted.filter(([hex]) => { const [c, r] = Sheet.parse(hex); return c < columns && r < rows; });
    if (!on.length) return;
    let grid = typeof doc.cells?.grid === "string" ? doc.cells.grid : "";
    const {lines} = Sheet.rowsOf(grid);
    const whole = lines.length === rows && lines.every(({text: line}) => { const match = Sheet.ROW.exec(line); return match && Sheet.words(match[2]).length === columns; });
    if (!whole || grid.includes("\r")) grid = gridOf(cellsOf(grid, columns, rows));
    const next = repainted(grid, on);
    if (next !== doc.cells?.grid) put({...doc, cells: {...doc.cells, grid: next}});
  };
  return {
    start, keep, press, lift, set, add, remove, blocks, paint, resize, rename,
    put: (section, value) => put(value === undefined ? without(doc, section) : {...doc, [section]: value}),
    undo: () => move(past, future), redo: () => move(future, past),
    begin: () => { lift(); put(base); },
    doc: () => doc, text: () => MapFile.write(text, base, doc), back: () => past.length + Number(Boolean(stroke && Object.keys(stroke).length)), forth: () => future.length, changed: () => doc !== base,
  };
})();
