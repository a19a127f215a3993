// Hexes on a sheet, as core/hexes.py has them, and the words of a map file: what every other script of the map desk stands on.

/** @typedef {{kind: string, needed: boolean}} Field */
/** @typedef {Object<string, Object<string, [string, boolean]>>} Fields  by section ("top", "station" ...) and key: type, and whether it must be there */
/** @typedef {Object<string, any>} Doc  a map as TOML has it: plain values, tables and lists of tables */

/** A sentence in the language of the page, filled in; in English it is its own key. */
const T = (text, values = {}) => (T.words[text] ?? text).replace(/\{(\w+)\}/g, (gap, name) => name in values ? String(values[name]) : gap);
/** @type {Object<string, string>} */
T.words = {};

const Sheet = (() => {
  "use strict";
  const STEPS = [[0, -2], [3, -1], [3, 1], [0, 2], [-3, 1], [-3, -1]]; // N NE SE S SW NW
  const CORNERS = [[-1, -1], [1, -1], [2, 0], [1, 1], [-1, 1], [-2, 0]]; // from the upper left, clockwise

  const columnOf = letters => [...letters].reduce((all, one) => all * 26 + one.charCodeAt(0) - 64, 0) - 1;
  const lettersOf = column => {
    let letters = "";
    for (let left = column + 1; left; left = Math.floor((left - 1) / 26)) letters = String.fromCharCode(65 + (left - 1) % 26) + letters;
    return letters;
  };
  const label = (column, row) => `${lettersOf(column)}${row + 1}`;
  const known = new Map();
  /** @returns {?number[]} column and row from 0 */
  const parse = text => {
    if (known.has(text)) return known.get(text);
    const match = /^([A-Z]{1,2})([1-9][0-9]{0,2})$/.exec(text);
    const found = match && [columnOf(match[1]), Number(match[2]) - 1];
    if (known.size < 1e6) known.set(text, found);
    return found;
  };
  const centre = text => {
    const [column, row] = parse(text);
    return [3 * column, 2 * row + column % 2];
  };
  /** The hex at a point of the lattice; "" where it would lie off the north or west edge. */
  const at = (x, y) => {
    const column = x / 3, row = (y - (((column % 2) + 2) % 2)) / 2;
    return column >= 0 && row >= 0 ? label(column, row) : "";
  };
  const around = text => {
    const [x, y] = centre(text);
    return STEPS.map(([dx, dy]) => at(x + dx, y + dy));
  };
  const near = new Map();
  /** The hexes round one, N first and clockwise, without those off the north or west edge. */
  const neighbours = text => {
    if (!near.has(text)) near.set(text, around(text).filter(Boolean));
    return near.get(text);
  };
  const areNeighbours = (one, other) => neighbours(one).includes(other);
  /** Two hexes in the order of core.hexes.side, as `A1-A2`. */
  const side = (one, other) => {
    const [x1, y1] = centre(one), [x2, y2] = centre(other);
    return x1 < x2 || (x1 === x2 && y1 < y2) ? `${one}-${other}` : `${other}-${one}`;
  };
  /** The two ends of a hex-side in the lattice. */
  const cornersOf = crossing => {
    const [one, other] = crossing.split("-"), [x1, y1] = centre(one), [x2, y2] = centre(other);
    const first = STEPS.findIndex(([dx, dy]) => dx === x2 - x1 && dy === y2 - y1);
    return [first, (first + 1) % 6].map(n => [x1 + CORNERS[n][0], y1 + CORNERS[n][1]]);
  };
  const distance = (one, other) => {
    const [x1, y1] = centre(one), [x2, y2] = centre(other), dx = Math.abs(x1 - x2) / 3, dy = Math.abs(y1 - y2);
    return dx + Math.max(0, Math.floor((dy - dx) / 2));
  };
  const numberedToLabel = (text, letters, rows) => {
    const match = /^([A-Z])([1-9][0-9]{0,2})$/.exec(text);
    if (!match || columnOf(match[1]) >= letters) return "";
    const number = Number(match[2]) - 1;
    return label(columnOf(match[1]) + Math.floor(number / rows) * letters, number % rows);
  };
  const labelToNumbered = (text, letters, rows) => {
    const [column, row] = parse(text);
    return `${lettersOf(column % letters)}${row + 1 + Math.floor(column / letters) * rows}`;
  };
  const compare = (one, other) => {
    const a = parse(one), b = parse(other);
    return a[0] - b[0] || a[1] - b[1];
  };
  const words = text => text.split(/\s+/).filter(Boolean);
  const linesOf = text => {
    const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
    if (lines[lines.length - 1] === "") lines.pop();
    return lines;
  };
  const ROW = /^\s*(\S+?)\s*:(.*)$/;
  /** The lines of a grid that hold something: their number in the text, and whether the first is a header. */
  const rowsOf = grid => {
    const lines = linesOf(grid).map((text, n) => ({n, text})).filter(each => each.text.trim());
    const header = lines.length && !lines[0].text.includes(":") ? lines.shift() : null;
    return {header, lines};
  };
  return {STEPS, CORNERS, lettersOf, columnOf, label, parse, centre, at, around, neighbours, areNeighbours, side, cornersOf, distance, numberedToLabel, labelToNumbered, compare, words, linesOf, rowsOf, ROW};
})();
