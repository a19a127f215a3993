// Plays a game turn by turn. No library, nothing fetched; without motion where the reader wants none.
"use strict";
(() => {
  const id = (name) => document.getElementById(name);
  const { frames, keeper } = JSON.parse(id("told").textContent);
  const words = JSON.parse(id("words").textContent);
  const say = (key, values) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const groups = [...document.querySelectorAll("[data-to]")];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const last = frames.length - 1;
  const most = Math.max(1, ...frames.flatMap((frame) => frame.amounts.map((one) => one.amount)));
  let at = 0;
  let state = "still"; // or "playing", or "held" in the middle of a turn
  let held = Promise.resolve(); // kept when what is held may go on
  let release = () => {};
  let run = 0; // whoever waits goes on only while it is still the same run

  const speed = () => Number(id("speed").value);
  const wait = async (ms, mine) => {
    await new Promise((done) => setTimeout(done, ms / speed()));
    await held;
    if (mine !== run) throw new Error("stopped");
  };

  const svg = (name, attributes, parent, text = "") => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    parent.append(made);
    return made;
  };

  const html = (name, text, className = "") => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  const clear = () => {
    id("laid").replaceChildren();
    id("trains").replaceChildren();
  };

  const board = (number) => {
    for (const group of groups) {
      const { from, to } = group.dataset;
      group.classList.toggle("now", Number(from) <= number && number <= Number(to));
    }
  };

  const amounts = (frame) => {
    const rows = frame.amounts.map((one) => {
      const row = document.createElement("tr");
      if (one.code === keeper) row.className = "mine";
      const head = html("th", one.code);
      head.scope = "row";
      const cell = document.createElement("td");
      const gauge = html("span", "", "gauge");
      gauge.style.width = `${Math.max(0, (100 * one.amount) / most)}%`;
      gauge.style.background = one.colour;
      cell.append(gauge);
      row.append(head, cell, html("td", String(one.amount), "n"));
      return row;
    });
    id("amounts").replaceChildren(...rows);
  };

  const races = (frame, over = frame.races.length) => {
    const told = frame.races.slice(0, over).map((race) => {
      const trains = [...race.trains].sort((a, b) => (a.place || 99) - (b.place || 99));
      const came = trains.map((train) => {
        const dice = train.moves.map((move) => move.throw).join(" ");
        return `${train.place ? `${train.place}. ` : ""}${train.code}${dice ? ` (${dice})` : ""}${train.place ? "" : ` ${words.out}`}`;
      });
      return html("li", say("told", { what: say("race", race), told: came.join(", ") }));
    });
    id("races").replaceChildren(...(frame.races.length ? told : [html("li", words.none)]));
  };

  const named = (number) => (frames[number].turn ? say("turn", frames[number]) : words.opening);

  const show = (number) => {
    at = number;
    clear();
    board(number);
    amounts(frames[number]);
    races(frames[number]);
    id("slider").value = String(number);
    id("slider").setAttribute("aria-valuetext", named(number));
    id("where").textContent = named(number);
    id("caption").textContent = "";
    id("back").disabled = number === 0;
    id("on").disabled = number === last;
  };

  const line = (points, colour, width) => {
    const course = { points: points.map((point) => point.join()).join(" "), fill: "none", "stroke-linecap": "round" };
    svg("polyline", { ...course, stroke: "#fff", "stroke-width": width + 10, opacity: 0.8 }, id("laid"));
    return svg("polyline", { ...course, stroke: colour, "stroke-width": width }, id("laid"));
  };

  const lay = async (frame, mine) => {
    if (!frame.laid.length) return;
    id("caption").textContent = say("laying", frame);
    const pause = Math.min(300, 3500 / frame.laid.length);
    for (const piece of frame.laid) {
      line([piece.from, piece.to], piece.colour, 22);
      await wait(pause, mine);
    }
    await wait(500, mine);
  };

  const engine = (train, index) => {
    const made = svg("g", {}, id("trains"));
    svg("circle", { r: 52, fill: train.colour, stroke: "#fff", "stroke-width": 10 }, made);
    const text = { y: 13, "text-anchor": "middle", "font-size": 34, "font-weight": "bold", fill: "#fff" };
    svg("text", { ...text, stroke: "#000", "stroke-width": 6, "paint-order": "stroke" }, made, train.code);
    const die = svg("g", { visibility: "hidden" }, made);
    svg("rect", { x: 36, y: -104, width: 68, height: 68, rx: 12, fill: "#fff", stroke: "#000", "stroke-width": 5 }, die);
    const face = svg("text", { x: 70, y: -54, "text-anchor": "middle", "font-size": 48, "font-weight": "bold" }, die);
    const move = (place) => {
      const [x, y] = train.way[place];
      made.setAttribute("transform", `translate(${x + 26 * index} ${y - 26 * index})`);
    };
    move(0);
    return { train, move, at: 0, die, face };
  };

  const drive = async (one, to, mine, pause = 130) => {
    while (one.at < to) {
      one.at += 1;
      one.move(one.at);
      await wait(pause, mine);
    }
  };

  const race = async (ran, mine) => {
    clear();
    for (const train of ran.trains) line(train.way, train.colour, 14);
    const engines = ran.trains.map(engine);
    const head = say("race", ran);
    id("caption").textContent = head;
    await wait(700, mine);
    const rounds = Math.max(0, ...ran.trains.flatMap((train) => train.moves.map((move) => move.round)));
    for (let round = 1; round <= rounds; round += 1) {
      for (const one of engines) {
        for (const move of one.train.moves.filter((each) => each.round === round)) {
          id("caption").textContent = `${head}. ${say("throw", { ...move, code: one.train.code })}`;
          one.face.textContent = String(move.throw);
          one.die.setAttribute("visibility", "visible");
          await drive(one, move.at, mine);
          await wait(150, mine);
          one.die.setAttribute("visibility", "hidden");
        }
      }
    }
    for (const one of engines.filter((each) => !each.train.moves.length)) {
      id("caption").textContent = `${head}. ${say("alone", one.train)}`;
      await drive(one, one.train.way.length - 1, mine, Math.min(130, 2500 / one.train.way.length));
    }
    await wait(600, mine);
  };

  const carry = async (trip, mine) => {
    clear();
    line(trip.way, trip.colour, 14);
    const cube = engine({ ...trip, colour: trip.cube }, 0);
    id("caption").textContent = say("told", { what: trip.code, told: `${trip.from} - ${trip.to}` });
    await wait(500, mine);
    await drive(cube, trip.way.length - 1, mine, 250);
    await wait(400, mine);
  };

  const step = async (number, mine) => {
    const frame = frames[number];
    const still = calm.matches || !(frame.races.length + frame.laid.length + frame.trips.length);
    if (still) {
      await wait(1800, mine);
    } else {
      id("where").textContent = named(number);
      for (const [place, each] of frame.races.entries()) {
        races(frame, place); // how it ends is told when it has ended
        await race(each, mine);
      }
      races(frame);
      clear();
      await lay(frame, mine);
      for (const each of frame.trips) await carry(each, mine);
    }
    show(number);
    if (!still) await wait(700, mine);
  };

  const be = (now) => {
    state = now;
    id("play").textContent = now === "playing" ? words.pause : words.play;
  };

  const stop = () => {
    run += 1;
    be("still");
    release();
  };

  const play = async () => {
    if (at === last) show(0);
    const mine = (run += 1);
    be("playing");
    try {
      while (at < last) await step(at + 1, mine);
      stop();
    } catch (stopped) {
      if (stopped.message !== "stopped") throw stopped;
    }
  };

  const hold = () => {
    held = new Promise((done) => (release = done));
    be("held");
  };

  const goOn = () => {
    be("playing");
    release();
  };

  const press = () => ({ still: play, playing: hold, held: goOn })[state]();

  const go = (number) => {
    stop();
    show(Math.min(last, Math.max(0, number)));
  };

  id("slider").max = String(last);
  id("slider").addEventListener("input", () => go(Number(id("slider").value)));
  id("back").addEventListener("click", () => go(at - 1));
  id("on").addEventListener("click", () => go(at + 1));
  id("play").addEventListener("click", press);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input")) return;
    if (event.key === " " && event.target.closest("button, a")) return; // that presses it
    const act = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(last) }[event.key];
    const done = event.key === " " ? press : act;
    if (!done) return;
    event.preventDefault();
    done();
  });
  id("raced").hidden = !frames.some((frame) => frame.races.length);
  document.documentElement.classList.add("playing");
  show(last);
})();
