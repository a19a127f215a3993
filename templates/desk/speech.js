// Words of orders in other languages, as the scripts read them: verbs at the beginning of a line, and words inside of it.

/** @typedef {{verbs: Object<string, string>, words: Object<string, string>}} Words  what is read, in small letters, by what it may be called */

const Speech = (() => {
  "use strict";
  const anyOf = texts => texts.filter(Boolean).sort((a, b) => b.length - a.length)
    .map(text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s+")).join("|") || "(?!)";
  const small = text => text.replace(/\s+/g, " ").toLowerCase();
  // Expressions are made once for a position.
  const once = make => {
    const made = new WeakMap();
    return (pos, names) => {
      if (!made.has(pos)) made.set(pos, make(pos, names));
      return made.get(pos);
    };
  };
  const verbIn = once(pos => new RegExp(`^\\s*(${anyOf(Object.keys(pos.speech.verbs))})(?!\\p{L})`, "iu"));
  const inside = once((pos, names) => {
    const known = new Set(names), all = anyOf([...names, ...Object.keys(pos.speech.words)]);
    return {known, words: new RegExp(`(?<![\\p{L}\\d])(?:${all})(?![\\p{L}\\d])`, "giu")};
  });
  /** A line with its verb as we write it. */
  const headed = (pos, line) => pos.speech ? line.replace(verbIn(pos), (_, verb) => pos.speech.verbs[small(verb)]) : line;
  /**
   * A line with all its words as we write them; names of the board, in small letters, stay as they are.
   * @param {string[]} names
   */
  const plain = (pos, names, line) => {
    if (!pos.speech) return line;
    const {known, words} = inside(pos, names), found = verbIn(pos).exec(line);
    const rest = line.slice(found ? found[0].length : 0)
      .replace(words, word => known.has(small(word)) ? word : pos.speech.words[small(word)] ?? word);
    return (found ? pos.speech.verbs[small(found[1])] : "") + rest;
  };
  /**
   * A text of ours with the words of orders in it as the reader calls them.
   * @param {Object<string, string>} spoken  by a word as we write it
   */
  const said = (spoken, text) => text.replace(new RegExp(`(?<![\\p{L}\\d_-])(?:${anyOf(Object.keys(spoken))})(?![\\p{L}\\d_?])`, "gu"), word => spoken[word]);
  const isPass = line => /^pass$/i.test(line);
  return {plain, headed, said, isPass};
})();
