// The map as a file: the lines that were there stay as they are, with their comments and in their order; only what was changed is
// written anew. A block that came with the file carries the number it has there under "#"; one made at the desk has none.

const MapFile = (() => {
  "use strict";
  const HEADER = /^\s*(\[\[?)([^[\]]+)\]\]?\s*(#.*)?$/, KEY = /^\s*([A-Za-z0-9_.\"'-]+(?:\s+\.\s+[A-Za-z0-9_-]+)*)\s*=/;
  const WIDE = 100; // signs of a line of hex-sides

  const quoted = text => `"${[...text].map(sign => sign === '"' || sign === "\\" ? `\\${sign}` : sign === "\n" ? "\\n" : sign === "\t" ? "\\t"
    : /[\u0000-\u001f\u007f]/.test(sign) ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}` : sign).join("")}"`;
  const bare = key => /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
  /** A value as TOML; long lists of hexes and hex-sides stand on lines of their own. */
  const written = value => {
    if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
    if (typeof value !== "string") {
      if (!Check.isTable(value)) return value.$ ?? String(value);
      const entries = Object.entries(value).filter(([key]) => key !== "#");
      return entries.length ? `{ ${entries.map(([key, each]) => `${bare(key)} = ${written(each)}`).join(", ")} }` : "{}";
    }
    if (value.includes("\n") && !/["\\\u0000-\u0009\u000b-\u001f\u007f]/.test(value)) return `"""\n${value.replace(/^\n/, "")}"""`;
    if (value.length <= WIDE || !/^[A-Z0-9\s-]+$/.test(value)) return quoted(value);
    const lines = [""];
    for (const word of Sheet.words(value)) {
      if (lines[lines.length - 1].length + word.length >= WIDE) lines.push("");
      lines[lines.length - 1] += (lines[lines.length - 1] ? " " : "  ") + word;
    }
    return `"""\n${lines.join("\n")}"""`;
  };
  /** What of a line is no comment, and the comment with the blanks before it. */
  const parted = line => {
    const match = /^((?:[^#"']|"(?:\\.|[^"\\])*"|'[^']*')*?)(\s*#.*)?$/.exec(line);
    return match ? [match[1], match[2] || ""] : [line, ""];
  };
  const inside = (line, open) => {
    if (!open && line.trimStart().startsWith("#")) return "";
    for (const [quotes] of line.matchAll(/"""|'''/g)) open = !open ? quotes : quotes === open ? "" : open;
    return open;
  };
  /** Where headers and keys stand: by section and number [header, last line], by key [first, last]. */
  const survey = lines => {
    const found = new Map([["/0", {header: -1, keys: new Map(), last: -1}]]), counts = new Map();
    let here = found.get("/0"), open = "", key = null;
    lines.forEach((line, n) => {
      const header = !open && HEADER.exec(line), named = !open && !header && KEY.exec(line);
      if (header) {
        const name = header[2].trim(), index = counts.get(name) || 0;
        counts.set(name, index + 1);
        here = {header: n, keys: new Map(), last: n};
        found.set(`${name}/${index}`, here);
        key = null;
      } else if (named) {
        const name = named[1].replace(/[\s"']/g, "");
        key = [n, n];
        if (!here.keys.has(name)) here.keys.set(name, key);
        here.last = n;
      } else if (key && (open || (line.trim() && !line.trimStart().startsWith("#")))) { key[1] = n; here.last = n; }
      open = inside(line, open);
    });
    return found;
  };
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const plain = block => Object.entries(block).filter(([key]) => key !== "#");
  const blockLines = (section, block) => ["", `[[${section}]]`, ...plain(block).flatMap(([key, value]) => `${bare(key)} = ${written(value)}`.split("\n"))];

  /** The rows of a grid that changed, line by line, with the blanks between the cells as they were; null where it is another sheet. */
  const gridLines = (old, now) => {
    const before = old.split("\n"), after = now.split("\n");
    return before.length === after.length ? after.map((line, n) => line === before[n] ? null : line) : null;
  };

  /**
   * The text of a map.
   * @param {string} text  of the file it began with
   * @param {Doc} base     its values
   * @param {Doc} doc      the values now
   */
  const write = (text, base, doc) => {
    const ending = text.includes("\r\n") ? "\r\n" : "\n", lines = text.split(/\r?\n/), places = survey(lines);
    /** @type {(?string[])[]} what stands in the place of a line; null: itself */
    const instead = lines.map(() => null), after = lines.map(() => /** @type {string[]} */ ([]));
    const first = [];
    const drop = (from, to) => { for (let n = from; n <= to; n += 1) instead[n] = []; };
    const insert = (n, added) => (n < 0 ? first : after[n]).push(...added);
    const setKey = (place, key, value, old) => {
      const stands = place.keys.get(key);
      if (value === undefined) { if (stands) drop(stands[0], stands[1]); return Boolean(stands); }
      if (!stands) { insert(place.last, `${bare(key)} = ${written(value)}`.split("\n")); return true; }
      if (typeof value === "string" && typeof old === "string" && old.includes("\n")) {
        const rows = gridLines(old, value), start = stands[0] + (/("""|''')\s*$/.test(lines[stands[0]]) ? 1 : 0);
        const fits = rows && rows.every((row, n) => row === null || lines[start + n] === old.split("\n")[n]);
        if (fits) { rows.forEach((row, n) => { if (row !== null) instead[start + n] = [row]; }); return true; }
      }
      const head = KEY.exec(lines[stands[0]])[0], made = `${head} ${written(value)}`;
      const comment = stands[0] === stands[1] ? parted(lines[stands[0]])[1] : "";
      drop(stands[0], stands[1]);
      instead[stands[0]] = `${made}${comment}`.split("\n");
      return true;
    };
    /** A section that stands in the file in another form than a desk can mend is written anew as a whole. */
    const anew = (section, value) => {
      for (const [name, place] of places) {
        const [of] = name.split("/");
        if (of === section || of.startsWith(`${section}.`)) drop(place.header, place.last);
        if (of === "") for (const [key, [from, to]] of place.keys) if (key === section || key.startsWith(`${section}.`)) { drop(from, to); place.keys.delete(key); }
      }
      if (value === undefined) return;
      const blocks = Array.isArray(value) && value.length > 0 && value.every(Check.isTable);
      if (!blocks && !Check.isTable(value)) { setKey(top, section, value, undefined); return; }
      const made = blocks ? value.flatMap(block => blockLines(section, block)) : ["", `[${section}]`, ...plain(value).map(([key, each]) => `${bare(key)} = ${written(each)}`)];
      insert(gate(section), made);
    };
    /** After which line a new section goes: before the comment above the cells, else at the end. */
    const gate = section => {
      const cells = places.get("cells/0");
      if (!cells || section === "cells") return lines.length - (lines[lines.length - 1] === "" ? 2 : 1);
      let n = cells.header - 1;
      while (n >= 0 && (lines[n].trim().startsWith("#") || !lines[n].trim())) n -= 1;
      return n;
    };
    const top = places.get("/0");
    for (const section of new Set([...Object.keys(base), ...Object.keys(doc)])) {
      const old = base[section], value = doc[section];
      if (same(old, value)) continue;
      const many = Array.isArray(value) && value.length > 0 && value.every(Check.isTable), stood = places.has(`${section}/0`);
      const foreign = [...places.keys()].some(name => name.startsWith(`${section}.`)) || [...top.keys.keys()].some(key => key.startsWith(`${section}.`));
      if (value === undefined || foreign) { anew(section, value); continue; }
      if (top.keys.has(section) || (!stood && !many && (!Check.isTable(value) || ["numbered_grid", "transports"].includes(section)))) { setKey(top, section, value, old); continue; }
      if (!many && (!stood || !Check.isTable(value) || !Check.isTable(old))) { anew(section, value); continue; }
      if (!many) {
        for (const key of new Set([...Object.keys(old), ...Object.keys(value)])) if (!same(old[key], value[key])) setKey(places.get(`${section}/0`), key, value[key], old[key]);
        continue;
      }
      const before = Array.isArray(old) ? old : [], blocks = Array.isArray(value) ? value : [];
      const stands = before.every((_, n) => places.has(`${section}/${n}`));
      const order = blocks.filter(block => block["#"] !== undefined).map(block => block["#"]);
      if ((old !== undefined && !stands) || order.some((n, at) => at && n < order[at - 1])) { anew(section, value); continue; }
      const kept = new Map(blocks.filter(block => block["#"] !== undefined).map(block => [block["#"], block]));
      let last = gate(section);
      before.forEach((block, n) => {
        const place = places.get(`${section}/${n}`), now = kept.get(n);
        last = place.last;
        if (!now) {
          drop(place.header, place.last);
          if (place.header > 0 && !lines[place.header - 1].trim()) instead[place.header - 1] = [];
          return;
        }
        for (const key of new Set([...Object.keys(block), ...Object.keys(now)])) if (key !== "#" && !same(block[key], now[key])) setKey(place, key, now[key], block[key]);
      });
      for (const block of blocks) if (block["#"] === undefined) insert(last, blockLines(section, block));
    }
    return [...first, ...lines.flatMap((line, n) => [...(instead[n] ?? [line]), ...after[n]])].join(ending);
  };
  return {write, written, quoted};
})();
