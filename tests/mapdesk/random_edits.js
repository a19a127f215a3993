// Random edits of a map at the desk, some as a mapmaker would make them, some as nobody would: for the test of parity.
(() => {
  let state = 1;
  const random = most => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor(state / 2 ** 32 * most); };
  const pick = list => list[random(list.length)];
  const told = JSON.parse(document.getElementById("told").textContent);
  const fields = told.kit.fields, SECTIONS = Object.keys(fields).filter(each => !["top", "cells", "numbered_grid", "transports"].includes(each));
  const columns = () => typeof Edits.doc().cols === "number" ? Math.min(14, Edits.doc().cols) : 12, rows = () => typeof Edits.doc().rows === "number" ? Math.min(11, Edits.doc().rows) : 9;
  const hex = () => random(14) ? Sheet.label(random(columns()), random(rows())) : pick(["Z99", "C17", "B99", "hex", "AAA1", "A0", "a1"]);
  const land = () => { for (let n = 0; n < 30; n += 1) { const one = hex(); if (Desk.board().ground.has(one)) return one; } return "A1"; };
  const side = () => {
    if (!random(20)) return pick(["A1", "A1-B9", "A1-A2-A3", "x-y", "C3-C3", `${hex()}-${hex()}`]);
    const one = random(4) ? land() : hex(), near = Sheet.parse(one) ? Sheet.neighbours(one).filter(each => !random(5) || Desk.board().ground.has(each)) : [];
    return near.length ? random(2) ? `${one}-${pick(near)}` : `${pick(near)}-${one}` : `${one}-B2`;
  };
  const many = (most, make) => [...Array(random(most + 1))].map(make);
  const names = () => ["station", "junction"].flatMap(section => Edits.blocks(section).map(each => each.name)).filter(each => typeof each === "string");
  const word = () => pick(["Wort", "Zell", "zell", "ZELL", "A5", "12", "Straße", "STRASSE", "x".repeat(301), "", " ", "a\u00adb", "Ö\"\\ü", "a\tb", "Alton", "Kreuz", ...names()]);
  const STRANGE = [true, false, 0, -1, 3, 7, 41, 1000, "words", "", [], ["N"], [1, 2], [1, "2"], {}, {a: 1}, [[1]], {a: {b: ["x", true]}}, {$: "1.5"}, {$: "123456789012345678901", int: true}];
  const PLAIN = {
    line: key => ["hex"].includes(key) ? random(3) ? land() : hex() : key === "ends" ? pick([`${land()}-${land()}`, `${land()} - ${land()}`, side(), "A1", "A1-A1", `${hex()}-${hex()}`, "A5-A5"]) : key === "area" ? pick(["H", "F", "L", "Q"]) : key === "alt" ? pick([`${word()}, ${word()}`, word(), ","]) : word(),
    text: key => (key === "hexes" ? many(3, random(2) ? land : hex) : many(4, side)).concat(random(9) ? [] : many(1, side)).join(pick([" ", "  ", "\n"])),
    number: () => pick([1, 2, 3, 4, 5, 6, 7, 9]), count: () => pick([0, 1, 2, 3, 6, 9]), flag: () => random(2) === 1,
    lines: key => key === "towns" ? many(3, () => pick([...names(), "Nirgends"])) : many(3, () => pick(["H", "L", "F", "C", "I", "Q", "HH"])),
    numbers: key => many(4, () => key === "special" ? 1 + random(24) : pick([...Check.KEYS, ...Check.KEYS, 17, 5, 70])),
  };
  const value = (kind, key) => random(25) ? (PLAIN[kind] ? PLAIN[kind](key) : pick(STRANGE)) : pick(STRANGE);
  const block = section => Object.fromEntries(Object.entries(fields[section]).filter(([, [, needed]]) => needed ? random(30) : !random(3)).map(([key, [kind]]) => [key, value(kind, key)]));
  const homes = () => pick(["any city", "any town", many(3, () => pick([...names(), "Nirgends"])), Object.fromEntries(many(3, () => [pick([...names(), "Nirgends"]), pick([1, 1, 2, 3, 0, "2"])])), 3, pick(STRANGE)]);
  const GRID = [
    lines => { lines.splice(1 + random(lines.length - 1), 1); }, lines => { lines[1 + random(lines.length - 1)] += " H."; }, lines => { lines[0] = lines[0].replace("C", "X"); }, lines => { lines[0] += "  M"; },
    lines => { const n = 1 + random(lines.length - 1); lines[n] = lines[n].replace(":", ""); }, lines => { const n = 1 + random(lines.length - 1); lines[n] = lines[n].replace(/\d+/, "99"); }, lines => { lines.push("  "); },
  ];
  const EDITS = [
    ...Array(8).fill(() => Edits.paint(many(3, () => [Sheet.label(random(columns()), random(rows())), pick(["H.", "H^", "L.", "L^", "F.", "C.", "~~", "oo", "--", random(9) ? "H." : pick(["Q.", "x", "HH", "~o"])])]))),
    ...Array(10).fill(() => { const section = pick(SECTIONS), blocks = Edits.blocks(section), n = random(blocks.length || 1), key = pick(Object.keys(fields[section])); if (blocks.length) Edits.set(section, n, key, random(8) ? value(fields[section][key][0], key) : undefined); }),
    ...Array(4).fill(() => { const section = pick(SECTIONS); Edits.add(section, block(section)); }),
    ...Array(3).fill(() => { const section = pick(SECTIONS), blocks = Edits.blocks(section); if (blocks.length) Edits.remove(section, random(blocks.length)); }),
    () => { const section = pick(SECTIONS), blocks = Edits.blocks(section); if (blocks.length) { const {"#": _, ...copy} = pick(blocks); Edits.add(section, copy); } },
    () => { const section = pick(SECTIONS), blocks = Edits.blocks(section); if (blocks.length) Edits.set(section, random(blocks.length), pick(["frobnicate", "x-y", "Ö"]), pick(STRANGE)); },
    () => { const key = pick(Object.keys(fields.top)); if (key === "format" && random(3)) return; Edits.put(key, random(3) ? value(fields.top[key][0], key) : undefined); },
    () => Edits.put("home_areas", PLAIN.lines("")), () => Edits.put("foreign_build", pick(["none", "stop", "free", "never"])), () => Edits.put("areas_without_bonus", PLAIN.lines("")),
    () => Edits.put("transports", pick([{total: 12}, {total: 18, special: []}, {total: 21, special: [4, 30]}, {total: 30}, undefined, {special: [4]}])),
    () => Edits.put("numbered_grid", pick([undefined, {letters: 8}, {letters: 30}, {letters: 3}, {letters: 0}])), () => Edits.put("pitch_km", pick([5, 5000, undefined])), () => Edits.put("id", pick(["ok", "Not ok"])),
    () => Edits.set("areas", 0, pick(["A", "H", "L", "abc", "F"]), pick(["Name", "", 3, undefined])),
    ...Array(3).fill(() => Edits.set("home_terminals", 0, pick(["any", "2", "3", "4", "5", "6", "2-4", "5-6", "first_round_ways", "7", "6-5"]), random(5) ? homes() : pick([1, 2, undefined]))), () => Edits.put("home_terminals", pick([{}, {any: "any city"}])),
    () => { if (typeof Edits.doc().cells?.grid === "string") { const lines = Edits.doc().cells.grid.split("\n"); pick(GRID)(lines); Edits.put("cells", {...Edits.doc().cells, grid: lines.join("\n")}); } },
    () => Edits.resize(8 + random(6), 6 + random(5)), () => Edits.undo(), () => Edits.undo(), () => Edits.redo(),
  ];
  const at = section => random(Edits.blocks(section).length || 1), course = () => [...Array(1 + random(4))].map(() => { const one = land(), near = Sheet.neighbours(one).filter(each => Desk.board().ground.has(each)); return near.length ? `${one}-${pick(near)}` : ""; }).filter(Boolean).join(" ");
  const MILD = [
    ...Array(5).fill(() => Edits.paint(many(6, () => [Sheet.label(random(columns()), random(rows())), pick(["H^", "L^", "H.", "L."])]).filter(([one]) => Desk.board().ground.has(one) && !Desk.board().stations.some(each => each.hex === one)))),
    () => Edits.paint([[land(), pick(["~~", "oo", "F."])]]), () => Edits.add("river", {name: "Neu", edges: course()}), () => Edits.add("river", {name: "Breit", wide: course()}), () => Edits.add("forbidden", {edges: course()}),
    () => Edits.set("ferry", at("ferry"), "points", 9), () => Edits.set("bridge", at("bridge"), "points", pick([3, 9])), () => Edits.put("home_terminals", {2: "any city"}), () => Edits.remove("bridge", 0), () => Edits.remove("ferry", 0), () => Edits.remove("causeway", 0),
    () => Edits.set("station", at("station"), "hex", land()), () => Edits.set("special", at("special"), "hexes", `${land()} ${land()}`), () => Edits.put("foreign_build", pick(["stop", "free"])), () => Edits.resize(8 + random(12), 9 + random(4)),
    () => Edits.paint([[Sheet.label(random(20), random(12)), "L."]]),
  ];
  // What chance hardly brings: a spit of land far from all towns, and hex-sides that two things claim.
  const far = mark => { Edits.begin(); Edits.resize(20, 9); Edits.paint([..."LMNOPQRST"].map(letter => [`${letter}9`, `L${mark}`])); };
  const isle = () => { Edits.begin(); Edits.resize(20, 9); Edits.paint([["T9", "L."]]); };
  const RARE = [
    () => { far("^"); Edits.set("special", 0, "hexes", "T9"); }, () => { far("."); Edits.paint([["R9", "L^"]]); Edits.set("station", 3, "hex", "T9"); },
    () => { far("."); Edits.set("special", 0, "hexes", "T9"); Edits.add("priced", {points: 9, edges: "S9-T9"}); }, () => Edits.add("priced", {points: 3, edges: "D4-E5 E4-E5"}), () => Edits.set("station", at("station"), "numbers", [11, 12, 11]),
    () => { far("."); Edits.set("station", 3, "hex", "T9"); Edits.add("priced", {points: 9, edges: "S9-T9"}); }, () => { isle(); Edits.set("junction", 0, "hex", "T9"); Edits.set("junction", 0, "area", undefined); },
    () => { isle(); Edits.set("special", 0, "hexes", "T9"); }, () => Edits.set("ferry", at("ferry"), "ends", pick(["A5-A6", "A5-A5", "A5"])), () => Edits.set("special", at("special"), "hexes", pick(["A5 A5", ""])), () => Edits.set("home_terminals", 0, "3", ["Alton", "Zell", "Alton"]), () => Edits.set("station", at("station"), "numbers", [77]),
    () => { Edits.begin(); const lines = Edits.doc().cells.grid.split("\n"); if (lines[3]) lines[3] = lines[3].replace(":", ""); Edits.put("cells", {...Edits.doc().cells, grid: lines.join("\n")}); },
  ];
  /** What the desk makes of so many edits: text, faults, remarks of each. */
  return ([seed, count]) => {
    state = seed;
    const found = [];
    for (let n = 0; n < count; n += 1) {
      if (n % 12 === 0 || !random(30)) Edits.begin();
      pick(!random(20) ? RARE : seed % 2 ? EDITS : MILD)();
      Edits.lift();
      const {faults, codes, remarks} = Desk.said();
      found.push([Edits.text(), faults, codes, remarks]);
    }
    return found;
  };
})()
