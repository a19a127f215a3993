// What `referee map check` says of a map, said at the desk: the rules of the reader (games/dampfross/board) once more, with its own
// sentences (faults.toml). tests/mapdesk/test_parity.py holds the two together.

/** @typedef {{text: string, where: any[], code: string}} Fault  where: section, index of its block, key */
/** @typedef {{fields: Fields, says: Object<string, string>, types: Object<string, string>, numbers: Object<string, number>, choices: string[]}} Kit  what the referee's own files say */
/**
 * @typedef {Object} Board
 * @property {number} columns
 * @property {number} rows
 * @property {number} letters
 * @property {Map<string, string>} ground
 * @property {Map<string, string>} water
 * @property {Map<string, string>} area
 * @property {Set<string>} unread
 * @property {Object<string, string>} areas
 * @property {Map<string, number>} rivers
 * @property {{name: string, sides: string[]}[]} courses
 * @property {Map<string, number>} prices
 * @property {Map<string, any>} bridges
 * @property {Map<string, any>} ferries
 * @property {Set<string>} permitted
 * @property {Set<string>} closed
 * @property {any[]} stations
 * @property {any[]} junctions
 * @property {any[]} specials
 * @property {string[]} homeAreas
 * @property {string} foreignBuild
 * @property {Set<string>} homes  the numbers of companies that have homes, or any
 */

const Check = (() => {
  "use strict";
  const WATER = {"~": "sea", "o": "lake", "-": "outside"};
  const KEYS = [1, 2, 3, 4, 5, 6].flatMap(tens => [1, 2, 3, 4, 5, 6].map(ones => 10 * tens + ones));
  const MOST = {cols: 702, rows: 999, pitch_km: 999};
  const FOREIGN = ["none", "stop", "free"];
  const SPECIAL_RACES = [4, 7, 11, 14, 18, 21];
  const POINTS = {edges: 2, wide: 4};

  const isTable = value => value !== null && typeof value === "object" && !Array.isArray(value) && !("$" in value);
  const isText = value => typeof value === "string";
  const isWhole = value => typeof value === "number" || (value && value.int !== undefined);
  const size = value => typeof value === "number" ? value : Number(value.$);
  const printable = text => /^(?:[^\p{C}\p{Z}]| )*$/u.test(text);
  const hasType = (value, kind) => {
    if (kind === "line") return isText(value) && [...value].length <= 300 && value.trim() !== "" && printable(value);
    if (kind === "text") return isText(value);
    if (kind === "number" || kind === "count") return isWhole(value) && size(value) >= (kind === "number" ? 1 : 0);
    if (kind === "flag") return typeof value === "boolean";
    if (["lines", "numbers", "counts"].includes(kind)) return Array.isArray(value) && value.length <= 1000 && value.every(each => hasType(each, kind.slice(0, -1)));
    if (kind === "table") return isTable(value);
    return Array.isArray(value) && value.length > 0 && value.length <= 1000;
  };
  /** A value as Python writes it in lists and tables. */
  const repr = value => {
    if (typeof value === "boolean") return value ? "True" : "False";
    if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
    if (isTable(value)) return `{${Object.entries(value).filter(([name]) => name !== "#").map(([name, each]) => `${repr(name)}: ${repr(each)}`).join(", ")}}`;
    if (!isText(value)) return value.$ ?? String(value);
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    return quote + value.replace(/\\/g, "\\\\").replace(quote === "'" ? /'/g : /(?!)/g, "\\'").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t") + quote;
  };
  const shown = value => {
    const text = (isText(value) ? `"${value}"` : typeof value === "boolean" ? String(value) : repr(value)).split(/\s+/).filter(Boolean).join(" ");
    return [...text].length <= 40 ? text : `${[...text].slice(0, 37).join("")}...`;
  };
  const fold = text => text.toLowerCase().replace(/ß/g, "ss").replace(/ς/g, "σ");
  const counted = (count, one, many = `${one}s`) => `${count} ${T(count === 1 ? one : many)}`;
  const firstOf = (all, most) => all.slice(0, most).join(", ") + (all.length > most ? ` ${T("and {count} more", {count: all.length - most})}` : "");
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

  /**
   * Everything that is wrong with a map, and the map as far as it can be read.
   * @param {Doc} doc
   * @param {Kit} kit
   * @returns {{faults: Fault[], board: Board}}
   */
  const read = (doc, kit) => {
    /** @type {Fault[]} */
    const faults = [];
    const says = (code, values = {}) => fill(kit.says[code], values);
    const blame = (where, code, values = {}) => { faults.push({text: says(code, values), where, code}); };
    /** The good fields of a table; wrong, missing and unknown ones are blamed. */
    const fields = (plain, where, known, what) => {
      if (!isTable(plain)) { blame(where, "no-table", {what, shown: shown(plain), kind: kit.types.table}); return {}; }
      /** @type {Object<string, any>} */
      const good = {};
      for (const [name, value] of Object.entries(plain)) {
        if (name === "#") continue; // the desk's own mark of a block
        if (!(name in known)) blame([where[0], where[1], name], "unknown", {field: name, what, known: Object.keys(known).join(", ")});
        else if (!hasType(value, known[name][0])) blame([where[0], where[1], name], "wrong", {field: name, what, shown: shown(value), kind: kit.types[known[name][0]]});
        else good[name] = value;
      }
      for (const [name, [kind, needed]] of /** @type {[string, [string, boolean]][]} */ (Object.entries(known))) {
        if (needed && !(name in plain)) blame([where[0], where[1], name], "missing", {field: name, what, kind: kit.types[kind]});
      }
      return good;
    };
    const top = fields(doc, ["", 0, ""], kit.fields.top, "the map");
    const blocks = section => (top[section] || []).map((plain, n) => [[section, n, ""], fields(plain, [section, n, ""], kit.fields[section], `[[${section}]] ${n + 1}`)]);
    /** @type {(section: string) => Object<string, any>} */
    const table = section => section in top ? fields(top[section], [section, 0, ""], kit.fields[section], `[${section}]`) : {};
    const at = (where, key) => [where[0], where[1], key];

    // The heading.
    for (const [field, allowed] of /** @type {[string, string[]][]} */ ([["format", kit.choices], ["foreign_build", FOREIGN]])) {
      if (field in top && !allowed.includes(top[field])) blame(["", 0, field], "choice", {field, found: top[field], words: allowed.map(each => `"${each}"`).join(" or ")});
    }
    if ("id" in top && !/^[a-z][a-z0-9_]*$/.test(top.id)) blame(["", 0, "id"], "id", {found: top.id});
    for (const [field, most] of Object.entries(MOST)) {
      if (field in top && size(top[field]) > most) { blame(["", 0, field], "most", {field, found: repr(top[field]), most}); delete top[field]; }
    }

    // The ground.
    const columns = top.cols || 0, rows = top.rows || 0;
    const letters = "letters" in table("numbered_grid") ? size(top.numbered_grid.letters) : 0;
    if (letters > 26) blame(["numbered_grid", 0, "letters"], "letters", {letters: repr(top.numbered_grid.letters)});
    const areas = {}, ground = new Map(), water = new Map(), area = new Map(), unread = new Set();
    for (let column = 0; column < columns; column += 1) for (let row = 0; row < rows; row += 1) unread.add(Sheet.label(column, row));
    const areaLetters = (where, list, what) => {
      for (const letter of list) if (!Object.hasOwn(areas, letter)) blame(where, "no-area", {what, letter, areas: Object.keys(areas).join(", ")});
      return list.filter(letter => Object.hasOwn(areas, letter));
    };
    for (const [letter, title] of /** @type {[string, any][]} */ (Object.entries(top.areas || {}))) {
      if (!/^[A-Z]$/.test(letter)) blame(["areas", 0, letter], "area-letter", {letter});
      else if (!hasType(title, "line")) blame(["areas", 0, letter], "area-title", {letter, shown: shown(title), kind: kit.types.line});
      else areas[letter] = title;
    }
    areaLetters(["", 0, "home_areas"], top.home_areas || [], T("Home area"));
    const labelOf = text => letters && rows ? Sheet.numberedToLabel(text, letters, rows) || text : text;
    const readCell = (hex, cell) => {
      const where = ["cells", 0, hex];
      if (cell.length === 2 && cell[0] === cell[1] && cell[0] in WATER) { water.set(hex, cell[0]); unread.delete(hex); return; }
      const signs = [...cell];
      if (signs.length !== 2 || !".^".includes(signs[1])) blame(where, "cell-unread", {cell, hex, plain: ".", mountain: "^", waters: Object.entries(WATER).map(([mark, word]) => `${mark}${mark} ${word}`).join(", ")});
      else if (!Object.hasOwn(areas, signs[0])) blame(where, "cell-area", {cell, hex, letter: signs[0], areas: Object.keys(areas).join(", ")});
      else { area.set(hex, signs[0]); ground.set(hex, signs[1]); unread.delete(hex); }
    };
    const grid = table("cells").grid;
    if (grid !== undefined && columns && rows) {
      const where = ["cells", 0, "grid"], {header, lines} = Sheet.rowsOf(grid);
      if (header) {
        const expected = [...Array(columns).keys()].map(Sheet.lettersOf), found = Sheet.words(header.text);
        const again = letters ? expected.map((_, n) => Sheet.labelToNumbered(Sheet.label(n, 0), letters, 1)[0]) : [];
        const same = other => found.length === other.length && found.every((each, n) => each === other[n]);
        if (!same(expected) && !(letters && same(again))) {
          const wrong = found.slice(0, columns).findIndex((each, n) => each !== expected[n]);
          const span = {first: expected[0], last: expected[columns - 1]};
          if (wrong < 0) blame(where, "header-count", {found: found.length, ...span});
          else blame(where, "header-letter", {found: found[wrong], column: expected[wrong], ...span});
        }
      }
      if (lines.length !== rows) blame(where, "grid-rows", {found: lines.length, rows});
      lines.slice(0, rows).forEach(({text}, row) => {
        const match = Sheet.ROW.exec(text);
        if (!match) { blame(where, "row-unread", {row: row + 1, columns}); return; }
        if (match[1] !== String(row + 1)) blame(where, "row-number", {found: match[1], row: row + 1});
        const cells = Sheet.words(match[2]);
        if (cells.length !== columns) { blame(where, "row-cells", {row: row + 1, found: cells.length, columns}); return; }
        cells.forEach((cell, column) => readCell(Sheet.label(column, row), cell));
      });
    }
    const homeAreas = top.home_areas || [];
    const foreign = [...area].filter(([, letter]) => !homeAreas.includes(letter));
    if (homeAreas.length && foreign.length && top.foreign_build === "none") blame(["", 0, "foreign_build"], "foreign-none", {count: foreign.length, first: foreign[0][0]});

    // Hexes and hex-sides named anywhere.
    const hexFault = text => {
      const hex = labelOf(text), place = Sheet.parse(hex), as = hex === text ? text : `${text} (${hex})`;
      if (!place) return says("not-hex", {text});
      if (!(columns && rows) || ground.has(hex) || unread.has(hex)) return "";
      if (place[0] >= columns || place[1] >= rows) return says("off-sheet", {hex: as, last: Sheet.label(columns - 1, rows - 1)});
      return says("not-land", {hex: as, water: T(WATER[water.get(hex)])});
    };
    const hexAt = (where, text, what) => {
      const fault = hexFault(text);
      if (fault) blame(where, "of", {what, fault});
      return fault ? "" : labelOf(text);
    };
    const hexList = (where, known, key, what) => {
      const texts = Sheet.words(known[key] || ""), found = new Set();
      if (key in known && !texts.length) blame(at(where, key), "no-hexes", {what});
      texts.forEach((text, n) => {
        const hex = labelOf(text);
        if (found.has(hex)) blame(at(where, key), "hex-twice", {what, hex: text});
        else if (!texts.slice(0, n).includes(text) && hexAt(at(where, key), text, what)) found.add(hex);
      });
      return [...found];
    };
    const sideFault = token => {
      const ends = token.split("-");
      if (ends.length !== 2) return says("not-side");
      const wrong = ends.map(hexFault).filter(Boolean);
      if (!wrong.length && !Sheet.areNeighbours(labelOf(ends[0]), labelOf(ends[1]))) return says("not-neighbours", {one: ends[0], other: ends[1]});
      return wrong.join(" and ");
    };
    const sides = (where, known, key) => Sheet.words(known[key] || "").flatMap(token => {
      const fault = sideFault(token);
      if (fault) blame(at(where, key), "side", {side: token, fault});
      return fault ? [] : [[token, Sheet.side(labelOf(token.split("-")[0]), labelOf(token.split("-")[1]))]];
    });
    areaLetters(["", 0, "areas_without_bonus"], top.areas_without_bonus || [], T("Area without bonus"));

    // What lies on hex-sides.
    const waters = new Map(), settled = new Map(), rivers = new Map(), courses = [], prices = new Map(), bridges = new Map(), ferries = new Map();
    const permitted = new Set(), shut = new Set();
    for (const [where, known] of blocks("river")) {
      const name = known.name ?? T("number {number}", {number: where[1] + 1}), course = [];
      for (const key of ["edges", "wide", "closed"]) {
        for (const [token, crossing] of sides(where, known, key)) {
          if (waters.has(crossing)) { blame(at(where, key), "river-twice", {side: token, name, other: waters.get(crossing)}); continue; }
          waters.set(crossing, name);
          course.push(crossing);
          if (key === "closed") shut.add(crossing); else rivers.set(crossing, POINTS[key]);
        }
      }
      if (!["edges", "wide", "closed"].some(key => key in known)) blame(where, "river-empty", {name});
      courses.push({name, sides: course});
    }
    const close = (crossing, what) => { shut.add(crossing); if (!settled.has(crossing)) settled.set(crossing, what); };
    for (const [where, known] of blocks("forbidden")) {
      const what = `[[forbidden]] ${where[1] + 1}`;
      if (!("edges" in known) && !("hexes" in known)) blame(where, "forbidden-empty", {what});
      const walled = new Set(hexList(where, known, "hexes", what).flatMap(hex => Sheet.neighbours(hex).filter(each => ground.has(each)).map(each => Sheet.side(hex, each))));
      const opened = new Set();
      for (const [token, crossing] of sides(where, known, "open")) {
        if (!walled.has(crossing)) blame(at(where, "open"), "nothing-open", {side: token, what});
        opened.add(crossing);
      }
      for (const crossing of walled) if (!opened.has(crossing)) close(crossing, what);
      for (const [token, crossing] of sides(where, known, "edges")) {
        if (settled.get(crossing) === what && !walled.has(crossing)) blame(at(where, "edges"), "listed-twice", {side: token, what});
        close(crossing, what);
      }
    }
    const settle = (where, token, crossing, what) => {
      if (settled.has(crossing)) { blame(where, "settled", {side: token, what, other: settled.get(crossing)}); return false; }
      settled.set(crossing, what);
      return true;
    };
    for (const [where, known] of blocks("priced")) {
      const what = `[[priced]] ${where[1] + 1}`;
      for (const [token, crossing] of sides(where, known, "edges")) {
        if (shut.has(crossing) && !settled.has(crossing)) blame(at(where, "edges"), "priced-closed", {side: token, what, river: waters.get(crossing)});
        else if (settle(at(where, "edges"), token, crossing, what)) prices.set(crossing, known.points ?? 0);
      }
    }
    const span = (where, known, what, bridge) => {
      if ("edges" in known && !Sheet.words(known.edges).length) blame(at(where, "edges"), "no-sides", {what: what[0].toUpperCase() + what.slice(1)});
      for (const [token, crossing] of sides(where, known, "edges")) if (settle(at(where, "edges"), token, crossing, what)) bridges.set(crossing, bridge);
    };
    for (const [where, known] of blocks("bridge")) {
      span(where, known, T("bridge {name}", {name: known.name ?? where[1] + 1}), {name: known.name ?? "", price: known.points ?? 0, toll: known.toll, single: known.single, banked: known.banked});
    }
    for (const [where, known] of blocks("causeway")) span(where, known, T("causeway {name}", {name: known.name ?? where[1] + 1}), {name: known.name ?? "", price: 0, toll: 0, built: true});
    const ferryEnds = (where, known, what) => {
      if (!("ends" in known)) return "";
      const here = at(where, "ends"), texts = known.ends.split("-");
      if (texts.length !== 2) { blame(here, "ferry-ends", {what}); return ""; }
      const ends = texts.map(text => hexAt(here, text.trim(), what)).filter(Boolean);
      if (ends.length < 2) return "";
      if (ends[0] === ends[1]) { blame(here, "ferry-circle", {what, hex: texts[0].trim()}); return ""; }
      if (Sheet.areNeighbours(ends[0], ends[1])) { blame(here, "ferry-neighbours", {what, ends: known.ends}); return ""; }
      return Sheet.side(ends[0], ends[1]);
    };
    for (const [where, known] of blocks("ferry")) {
      const name = known.name ?? T("number {number}", {number: where[1] + 1}), ends = ferryEnds(where, known, T("Ferry {name}", {name}));
      if (!ends) continue;
      if (ferries.has(ends)) blame(at(where, "ends"), "ferry-same", {name, other: ferries.get(ends).name});
      ferries.set(ends, {name, price: known.points ?? 0, toll: known.toll ?? 0, owners: known.owners ?? 1, moves: known.moves ?? 2});
    }
    for (const [where, known] of blocks("permitted")) {
      const what = `[[permitted]] ${where[1] + 1}`;
      for (const [token, crossing] of sides(where, known, "edges")) {
        const here = at(where, "edges");
        if (permitted.has(crossing)) blame(here, "listed-twice", {side: token, what});
        if (shut.has(crossing) && !bridges.has(crossing)) blame(here, "permitted-closed", {side: token, what});
        if (crossing.split("-").every(hex => homeAreas.includes(area.get(hex)))) blame(here, "permitted-home", {side: token, what});
        permitted.add(crossing);
      }
    }
    for (const [crossing, bridge] of bridges) if (bridge.built) permitted.add(crossing);
    const closed = new Set([...shut].filter(crossing => !bridges.has(crossing)));

    // Places.
    const names = new Map(), taken = new Map(), cities = new Set(), used = new Set();
    const alsoOf = known => (known.alt ?? "").split(",").map(part => part.trim()).filter(Boolean);
    const checkNames = (where, name, also) => [name, ...also].forEach((word, n) => {
      const here = at(where, n ? "alt" : "name");
      if (names.has(fold(word))) blame(here, "name-used", {name: word, other: names.get(fold(word))});
      else names.set(fold(word), name);
      if (/^[A-Z]{0,2}[0-9]+$/.test(word)) blame(here, "name-read", {name: word});
    });
    const placeAt = (where, known, what) => {
      if (!("hex" in known)) return "";
      const hex = hexAt(at(where, "hex"), known.hex, what);
      if (hex && taken.has(hex)) blame(at(where, "hex"), "taken", {what, hex, other: taken.get(hex)});
      else if (hex) taken.set(hex, what);
      return hex;
    };
    const stations = [], junctions = [];
    for (const [where, known] of blocks("station")) {
      const name = known.name ?? T("number {number}", {number: where[1] + 1}), keys = known.numbers, also = alsoOf(known);
      checkNames(where, name, also);
      for (const each of [name, ...also]) cities.add(each);
      if (keys && !keys.length) blame(at(where, "numbers"), "no-key", {name});
      (keys || []).forEach((key, n) => {
        if (!KEYS.includes(key)) blame(at(where, "numbers"), "key", {name, key: repr(key)});
        else if (keys.slice(0, n).includes(key)) blame(at(where, "numbers"), "key-twice", {name, key});
      });
      for (const key of keys || []) used.add(key);
      const hex = placeAt(where, known, T("Station {name}", {name}));
      if (!hex) continue;
      if (ground.get(hex) === "^") blame(at(where, "hex"), "station-mountain", {name, hex});
      let bonus = known.bonus ?? (known.minor ? kit.numbers.minor : kit.numbers.city);
      if (area.has(hex) && (top.areas_without_bonus || []).includes(area.get(hex))) {
        if (known.bonus) blame(at(where, "bonus"), "bonus-area", {name, bonus: repr(known.bonus), area: area.get(hex)});
        bonus = 0;
      }
      stations.push({name, also, keys: keys || [], hex, bonus, minor: known.minor ?? false, where});
    }
    const missing = KEYS.filter(key => !used.has(key));
    if (missing.length && "station" in top) blame(["station", 0, ""], missing.length > 1 ? "keys-missing" : "key-missing", {keys: missing.join(", ")});
    for (const [where, known] of blocks("junction")) {
      const name = known.name ?? T("number {number}", {number: where[1] + 1}), also = alsoOf(known);
      checkNames(where, name, also);
      const hex = placeAt(where, known, T("Junction {name}", {name}));
      if (!hex) continue;
      if ("area" in known && area.has(hex) && area.get(hex) !== known.area) blame(at(where, "area"), "junction-area", {name, area: known.area, hex, found: area.get(hex)});
      junctions.push({name, also, hex, bonus: known.bonus ?? 0, where});
    }

    // Specials, races, homes.
    const specials = [];
    for (const [where, known] of blocks("special")) {
      const number = known.number ?? 0, what = T("Special {number}", {number: repr(number)});
      if (size(number) > 6) blame(at(where, "number"), "special-number", {number: repr(number)});
      if (number && specials.some(other => repr(other.number) === repr(number))) blame(at(where, "number"), "special-twice", {number: repr(number)});
      if (!["hexes", "towns", "areas"].some(field => field in known)) blame(where, "special-end", {what});
      for (const field of ["within", "plain"]) if (field in known && !("areas" in known)) blame(at(where, field), "special-areas", {what, field});
      const listed = hexList(where, known, "hexes", what), byName = new Map();
      for (const place of [...stations, ...junctions]) for (const name of [place.name, ...place.also]) byName.set(fold(name), place.hex);
      for (const name of known.towns || []) if (!names.has(fold(name))) blame(at(where, "towns"), "special-town", {what, name});
      const towns = (known.towns || []).map(name => byName.get(fold(name))).filter(Boolean);
      const chosen = areaLetters(at(where, "areas"), known.areas || [], `${what}: area`);
      let region = [...area].filter(([hex, letter]) => chosen.includes(letter) && (!known.plain || ground.get(hex) === ".")).map(([hex]) => hex);
      if ("within" in known) {
        const homes = [...area].filter(([, letter]) => homeAreas.includes(letter)).map(([hex]) => hex);
        region = region.filter(hex => homes.some(home => Sheet.distance(hex, home) <= size(known.within)));
      }
      if (chosen.length && !region.length) blame(at(where, "areas"), "special-empty", {what, areas: chosen.join(", ")});
      const hexes = [...new Set([...listed, ...towns, ...region.sort(Sheet.compare)])].filter(hex => ground.has(hex));
      specials.push({number, title: known.title ?? "", hexes, note: known.note ?? "", where});
    }
    const hasSpecials = Boolean(top.special && top.special.length), races = table("transports");
    const total = "total" in races ? size(races.total) : hasSpecials ? kit.numbers.races_with_specials : kit.numbers.races;
    const special = [...new Set("special" in races ? races.special.map(size) : SPECIAL_RACES.filter(number => hasSpecials && number <= total))].sort((a, b) => a - b);
    for (const number of special) if (number > total) blame(["transports", 0, "special"], "special-race", {number, total});
    if (special.length && !hasSpecials) blame(["transports", 0, "special"], "no-specials");
    if (2 * total - special.length > KEYS.length) blame(["transports", 0, "total"], "races-keys", {total, special: special.length, needed: 2 * total - special.length, keys: KEYS.length});
    const homes = new Set(), startTable = top.home_terminals;
    const homeHexes = (field, list) => list.forEach((name, n) => {
      if (!cities.has(name)) blame(["home_terminals", 0, field], "home-unknown", {name});
      else if (list.slice(0, n).includes(name)) blame(["home_terminals", 0, field], "home-twice", {name});
    });
    for (const [field, value] of /** @type {[string, any][]} */ (Object.entries(startTable || {}))) {
      const here = ["home_terminals", 0, field];
      if (field === "first_round_ways") {
        if (!hasType(value, "number") || size(value) > 6) blame(here, "homes-ways", {shown: shown(value)});
        continue;
      }
      const match = /^([2-6])(?:-([2-6]))?$/.exec(field);
      const counts = field === "any" ? ["any"] : !match ? [] : [2, 3, 4, 5, 6].filter(n => n >= Number(match[1]) && n <= Number(match[2] || match[1])).map(String);
      if (!counts.length) blame(here, "homes-field", {field});
      for (const count of counts) { if (homes.has(count)) blame(here, "homes-twice", {count}); }
      if (isTable(value) && Object.keys(value).length) {
        const bad = Object.entries(value).filter(([, number]) => !hasType(number, "number"));
        for (const [city, number] of bad) blame(here, "homes-number", {city, field, shown: shown(number), kind: kit.types.number});
        const room = Object.values(value).reduce((all, each) => all + size(each), 0);
        if (counts[0] === "any" || counts.length > 1) blame(here, "homes-count", {field});
        else if (counts.length && !bad.length && room !== Number(counts[0])) blame(here, "homes-room", {field, room, count: counts[0]});
        homeHexes(field, Object.keys(value));
      } else if (value !== "any city") {
        if (!hasType(value, "lines") || !value.length) blame(here, "homes-value", {field, shown: shown(value)});
        else homeHexes(field, value);
      }
      for (const count of counts) homes.add(count);
    }
    if (startTable && !Object.keys(startTable).some(field => field !== "first_round_ways" && field !== "#")) blame(["home_terminals", 0, ""], "homes-empty");

    const board = {
      columns, rows, letters, ground, water, area, unread, areas, rivers, courses, prices, bridges, ferries, permitted, closed, stations: stations.filter(each => ground.has(each.hex)),
      junctions: junctions.filter(each => ground.has(each.hex)), specials: [...specials].sort((a, b) => size(a.number) - size(b.number)), homeAreas, foreignBuild: top.foreign_build ?? "none", homes,
    };
    if (!faults.length) {
      const [start, reached] = mainLand(board);
      for (const [section, places] of /** @type {[string, any[]][]} */ ([["station", board.stations], ["junction", board.junctions]])) {
        for (const place of places) if (!reached.has(place.hex)) blame(at(place.where, "hex"), `${section}-reach`, {name: place.name, hex: place.hex, start});
      }
      for (const each of board.specials) if (!each.hexes.some(hex => reached.has(hex))) blame(each.where, "special-reach", {number: each.number, title: each.title, start});
    }
    return {faults, board};
  };

  // Ways over the whole board.
  const isForeign = (board, hex) => !board.homeAreas.includes(board.area.get(hex));
  const linked = (board, hex) => [...Sheet.neighbours(hex), ...[...board.ferries.keys()].map(ends => ends.split("-")).filter(ends => ends.includes(hex)).flatMap(ends => ends.filter(end => end !== hex))];
  const mayLeave = (board, here, there) => {
    const crossing = Sheet.side(here, there);
    return !board.closed.has(crossing) && (board.foreignBuild === "free" || !isForeign(board, here) || board.permitted.has(crossing));
  };
  const mainLand = board => {
    let most = 0;
    /** @type {[string, Set<string>]} */
    let best = ["", new Set()];
    for (const station of board.stations) {
      if (best[1].has(station.hex)) continue;
      const reached = new Set([station.hex]), todo = [station.hex];
      while (todo.length) {
        const here = todo.pop();
        for (const there of linked(board, here)) {
          if (board.ground.has(there) && !reached.has(there) && mayLeave(board, here, there)) { reached.add(there); todo.push(there); }
        }
      }
      const cities = board.stations.filter(other => reached.has(other.hex)).length;
      if (cities > most) { best = [station.name, reached]; most = cities; }
    }
    return best;
  };
  /** The points of a step; 0 for a causeway. */
  const pointsOf = (board, kit, here, there) => {
    const crossing = Sheet.side(here, there);
    const own = board.ferries.get(crossing)?.price ?? board.bridges.get(crossing)?.price ?? board.prices.get(crossing);
    if (own !== undefined) return size(own);
    const mountains = Number(board.ground.get(here) === "^") + Number(board.ground.get(there) === "^");
    return [kit.numbers.plain, kit.numbers.slope, kit.numbers.ridge][mountains] + (board.rivers.get(crossing) || 0);
  };
  const known = new WeakMap();
  /** The hexes to which a roll pays a step from one, with its points. */
  const stepsFrom = (board, kit, here) => {
    if (!known.has(board)) known.set(board, new Map());
    const steps = known.get(board);
    if (!steps.has(here)) {
      steps.set(here, linked(board, here).filter(there => board.ground.has(there) && mayLeave(board, here, there)).map(there => [there, pointsOf(board, kit, here, there)])
        .filter(([there, price]) => price <= kit.numbers.roll || board.bridges.get(Sheet.side(here, there))?.banked));
    }
    return steps.get(here);
  };
  /** The cheapest line from any of some hexes to every other, or until one is reached: points, and the hex it starts from. */
  const spread = (board, kit, starts, until = "") => {
    const reached = new Map(), heap = [];
    const before = (a, b) => a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];
    const push = entry => {
      let n = heap.push(entry) - 1;
      while (n && before(heap[n], heap[(n - 1) >> 1])) { const up = (n - 1) >> 1; [heap[n], heap[up]] = [heap[up], heap[n]]; n = up; }
    };
    const pop = () => {
      const first = heap[0], last = heap.pop();
      if (heap.length) {
        heap[0] = last;
        for (let n = 0; ;) {
          let low = n;
          for (const child of [2 * n + 1, 2 * n + 2]) if (child < heap.length && before(heap[child], heap[low])) low = child;
          if (low === n) break;
          [heap[n], heap[low]] = [heap[low], heap[n]];
          n = low;
        }
      }
      return first;
    };
    for (const hex of starts) push([0, hex, hex]);
    while (heap.length) {
      const [points, here, start] = pop();
      if (reached.has(here)) continue;
      reached.set(here, [points, start]);
      if (here === until) break;
      for (const [there, price] of stepsFrom(board, kit, here)) if (!reached.has(there)) push([points + price, there, start]);
    }
    return reached;
  };
  /** Courses whose hex-sides do not join, each with the hex-sides that begin anew; two that end in water are joined by it. */
  const gaps = board => board.courses.flatMap(({name, sides}) => {
    const joined = new Map(), find = point => { while (joined.get(point) !== point) point = joined.get(point); return point; };
    const ends = sides.map(crossing => Sheet.cornersOf(crossing).map(([x, y]) => {
      const [one, other] = crossing.split("-").map(Sheet.centre), third = Sheet.at(3 * x - one[0] - other[0], 3 * y - one[1] - other[1]);
      const point = board.ground.has(third) ? `${x},${y}` : "water";
      if (!joined.has(point)) joined.set(point, point);
      return point;
    }));
    for (const [one, other] of ends) joined.set(find(one), find(other));
    const begun = new Set(), anew = [];
    ends.forEach(([one], n) => { if (!begun.has(find(one))) { if (begun.size) anew.push(sides[n]); begun.add(find(one)); } });
    return anew.length ? [{name, sides: anew}] : [];
  });

  /**
   * What a mapmaker would look at again; none of it is a fault.
   * @param {Board} board
   * @param {Kit} kit
   * @returns {string[]}
   */
  const remarks = (board, kit) => {
    const found = [], {roll, dear, least, remote, shown: most} = kit.numbers;
    const say = (code, values) => { found.push(fill(kit.says[code], values)); };
    const towns = board.stations.map(each => each.hex), byHex = new Map(board.stations.map(each => [each.hex, each]));
    const prices = [...byHex.keys()].map(hex => [hex, spread(board, kit, [...byHex.keys()].filter(each => each !== hex), hex).get(hex)]);
    const sorted = prices.filter(([, way]) => way).map(([, way]) => way[0]).sort((a, b) => a - b), usual = sorted.length ? sorted[(sorted.length - 1) >> 1] : 0;
    for (const [hex, way] of prices) {
      if (!way) say("alone-town", {name: byHex.get(hex).name, hex, roll});
      else if (way[0] >= Math.max(dear * usual, least)) say("dear-town", {name: byHex.get(hex).name, hex, points: way[0], near: byHex.get(way[1]).name, usual});
    }
    const reached = spread(board, kit, towns);
    for (const special of board.specials) {
      const named = {number: repr(special.number), title: special.title}, ways = special.hexes.filter(hex => reached.has(hex)).map(hex => reached.get(hex)[0]);
      if (!ways.length || Math.min(...ways) > remote) say(ways.length ? "dear-special" : "lost-special", {...named, points: Math.min(...ways), roll});
      const lost = special.hexes.filter(hex => !reached.has(hex));
      if (ways.length && lost.length) say("special-lost", {...named, hexes: firstOf(lost, most)});
    }
    const lost = [...board.ground.keys()].filter(hex => !reached.has(hex));
    if (lost.length) say("useless", {count: counted(lost.length, "hex", "hexes"), hexes: firstOf(lost, most)});
    const far = [...board.ground.keys()].filter(hex => reached.has(hex) && reached.get(hex)[0] > remote);
    if (far.length) say("remote", {count: counted(far.length, "hex", "hexes"), points: remote, hexes: firstOf(far, most)});
    const unpaid = [...board.ground.keys()].flatMap(hex => Sheet.neighbours(hex).filter(other => board.ground.has(other)).map(other => [hex, other]))
      .filter(([hex, other]) => Sheet.side(hex, other) === `${hex}-${other}` && !board.closed.has(`${hex}-${other}`))
      .filter(([hex, other]) => pointsOf(board, kit, hex, other) > roll && !board.bridges.get(`${hex}-${other}`)?.banked).map(pair => pair.join("-"));
    if (unpaid.length) say("unpaid", {count: counted(unpaid.length, "hex-side"), roll, sides: firstOf(unpaid, most)});
    for (const [ends, ferry] of board.ferries) if (size(ferry.price) > roll) say("unpaid-ferry", {name: ferry.name, ends, points: repr(ferry.price), roll});
    for (const {name, sides} of gaps(board)) say("river-gap", {name, sides: firstOf(sides, most)});
    const homeless = ["3", "4", "5", "6"].filter(count => !board.homes.has(count) && !board.homes.has("any"));
    if (homeless.length) say("homeless", {counts: homeless.join(" or ")});
    return found;
  };
  return {read, remarks, pointsOf, isForeign, hasType, isTable, shown, fold, KEYS, WATER, counted};
})();
