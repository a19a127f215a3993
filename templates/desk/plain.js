// The desk of a game without a script of its own: the lines of its order form, each a button, and the text.

/** @type {GameScript} */
const Script = {
  blank: (pos, reader) => ({lines: []}),
  write: (pos, reader, plan) => plan.lines,
  read: (pos, reader, lines, word) => ({plan: {lines}, faults: []}),
  show: (pos, reader, plan, at, word) => ({
    tabs: [], at: "", title: word("orders"), told: plan.lines, sum: [], refused: [], faults: [], marks: [],
    steps: (pos.forms[reader] || []).map(line => ({label: line, go: {lines: [...plan.lines, line]}})),
  }),
  places: () => [],
  say: () => "",
};
