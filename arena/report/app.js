"use strict";
// The program of the report. Everything that bots wrote is untrusted: it becomes text nodes and nothing else, so
// there is no innerHTML here, and attributes get only our own words, numbers and plain labels.
(() => {
  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const PAGE = 100;
  const SVG = "http://www.w3.org/2000/svg";
  const MARKS = { k: "✓", h: "=", b: "??", l: "–", u: "·" };
  const FAILED = {
    timeout: "ran out of time", illegal: "made a move that the rules refuse", malformed: "sent a line that is no move", crashed: "crashed",
    flooded: "wrote too much", memory: "went over its memory limit", "no-start": "did not start",
  };
  const JUDGED = { k: "kept the win", h: "kept the draw", b: "blunder", l: "lost anyway", u: "not solved" };

  function node(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }
  function drawn(tag, attributes) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }
  const named = (text, kind = "name") => node("bdi", { class: kind }, text);
  const words = (text) => (text ? text.split(" ") : []);
  const counted = (count, noun, plural = noun + "s") => `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;

  function time(ms) {
    const three = (value) => String(Number(value.toPrecision(3)));
    if (ms >= 999.5) return `${three(ms / 1000)} s`;
    return ms >= 0.9995 || ms === 0 ? `${three(ms)} ms` : `${three(ms * 1000)} µs`;
  }

  // --- the tables: which game, and sorting --------------------------------------------------------

  function chooseGame(game) {
    for (const panel of $$(".panel")) panel.hidden = panel.dataset.game !== game;
  }

  function makeSortable(table) {
    const heads = $$("thead th", table);
    heads.forEach((head, column) => {
      if ("plain" in head.dataset) return;
      const button = node("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sortTable(table, heads, column));
    });
  }

  function sortTable(table, heads, column) {
    const head = heads[column];
    const numeric = head.classList.contains("num");
    const before = head.getAttribute("aria-sort");
    const down = before ? before === "ascending" : numeric && head.textContent.trim() !== "#";
    const value = (row) => {
      const cell = row.cells[column];
      const text = cell.dataset.v ?? cell.textContent.trim();
      if (!numeric) return text.toLowerCase();
      const number = parseFloat(text.replace(/[<>,]/g, ""));
      return Number.isNaN(number) ? -Infinity : number;
    };
    const rows = $$("tbody tr", table).map((row) => [value(row), row]);
    rows.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (down ? -1 : 1));
    table.tBodies[0].append(...rows.map((pair) => pair[1]));
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  }

  function showThatItScrolls(box) {
    const look = () => box.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 6);
    box.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    if (box.firstElementChild) sizes.observe(box.firstElementChild);
  }

  // --- the matches --------------------------------------------------------------------------------

  let data, columns, length, blunders, form;
  let order = [];
  let shown = 0;
  let sortedBy = "";
  let sortedDown = false;
  const text = (number) => data.texts[number];
  const bot = (number) => data.bots[number];

  async function unpack() {
    const bytes = Uint8Array.from(atob($("#packed").textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  function fill(select, first, options) {
    select.append(node("option", { value: "" }, first));
    for (const [value, label] of options) select.append(node("option", { value: String(value) }, label));
  }

  function prepareForm() {
    form = $("#filters");
    const bots = data.bots.map((name, number) => [number, name]);
    bots.sort((a, b) => a[1].localeCompare(b[1]));
    const played = new Set(columns.ending);
    fill(form.elements.game, "all", data.games.map((game, number) => [number, game.title]));
    fill(form.elements.bot, "any", bots);
    fill(form.elements.other, "any", bots);
    fill(form.elements.ending, "any", data.endings.map((ending, number) => [number, ending[0]]).filter((pair) => played.has(pair[0])));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", filter);
    form.addEventListener("reset", () => setTimeout(filter));
    form.hidden = false;
  }

  function resultOf(match, seat) {
    const winner = columns.winner[match];
    return winner < 0 ? "void" : winner === 0 ? "drawn" : winner === seat ? "won" : "lost";
  }

  function wanted() {
    const value = (name) => form.elements[name].value;
    const number = (name) => (value(name) === "" ? null : Number(value(name)));
    const [game, one, other, ending] = ["game", "bot", "other", "ending"].map(number);
    const result = value("result");
    const needle = value("text").trim().toLowerCase();
    const blunder = Boolean(form.elements.blunder?.checked);
    const seats = (match) => [[1, columns.first[match], columns.second[match]], [2, columns.second[match], columns.first[match]]];
    return (match) => {
      if (game !== null && columns.game[match] !== game) return false;
      if (ending !== null && columns.ending[match] !== ending) return false;
      if (needle && !`${columns.id[match]}\n${text(columns.detail[match])}`.toLowerCase().includes(needle)) return false;
      const fits = ([seat, mine, theirs]) =>
        (one === null || mine === one) && (other === null || theirs === other) &&
        (!result || resultOf(match, seat) === result) && (!blunder || blundersOf(match, one === null ? 0 : seat) > 0);
      return seats(match).some(fits);
    };
  }

  function blundersOf(match, seat) {
    if (!seat) return blunders[match];
    const seats = columns.seats[match].slice(words(columns.opening[match]).length);
    return [...columns.marks[match]].filter((mark, index) => mark === "b" && seats[index] === String(seat)).length;
  }

  function filter() {
    const fits = wanted();
    order = columns.id.map((_, match) => match).filter(fits);
    sort();
    const all = columns.id.length;
    $("#count").textContent = order.length === all ? counted(all, "match", "matches") : `${order.length.toLocaleString("en")} of ${counted(all, "match", "matches")}`;
    if (data.left_out) $("#count").textContent += `. ${counted(data.left_out, "text")} of bots left out to keep the page small: arena replay shows all`;
    $("#list tbody").replaceChildren();
    shown = 0;
    more();
  }

  function sortKey(match) {
    switch (sortedBy) {
      case "game": return data.games[columns.game[match]].title;
      case "first": return bot(columns.first[match]).toLowerCase();
      case "second": return bot(columns.second[match]).toLowerCase();
      case "winner": return winnerOf(match).toLowerCase();
      case "ending": return data.endings[columns.ending[match]][0];
      case "length": return length[match];
      case "blunders": return blunders[match];
      default: return columns.id[match];
    }
  }

  function sort() {
    if (!sortedBy) return;
    const keys = new Map(order.map((match) => [match, sortKey(match)]));
    const compare = typeof keys.get(order[0]) === "number" ? (a, b) => a - b : new Intl.Collator("en", { numeric: true }).compare;
    order.sort((a, b) => compare(keys.get(a), keys.get(b)) * (sortedDown ? -1 : 1) || a - b);
  }

  function winnerOf(match) {
    const winner = columns.winner[match];
    return winner < 0 ? "void" : winner === 0 ? "draw" : bot(columns[winner === 1 ? "first" : "second"][match]);
  }

  function more() {
    const rows = order.slice(shown, shown + PAGE).map(row);
    $("#list tbody").append(...rows);
    shown += rows.length;
    const rest = order.length - shown;
    $("#more").hidden = rest === 0;
    $("#more").textContent = `Show ${Math.min(PAGE, rest)} more of ${rest.toLocaleString("en")}`;
  }

  function row(match) {
    const open = node("button", { type: "button", class: "link id", "data-match": String(match) }, named(columns.id[match], ""));
    const seat = (number, column) => node("td", resultOf(match, number) === "won" ? { class: "won" } : {}, named(bot(columns[column][match])));
    const cells = [
      node("th", { scope: "row" }, open),
      node("td", { class: "mid" }, data.games[columns.game[match]].title),
      seat(1, "first"), seat(2, "second"),
      node("td", { class: "mid" }, named(winnerOf(match))),
      node("td", {}, data.endings[columns.ending[match]][0]),
      node("td", { class: "num minor" }, String(length[match])),
    ];
    if (form.elements.blunder) cells.push(node("td", { class: "num minor" }, columns.marks[match] ? String(blunders[match]) : "–"));
    return node("tr", {}, ...cells);
  }

  function show(values) {
    for (const name of ["game", "bot", "other", "result", "ending", "text"]) form.elements[name].value = String(values[name] ?? "");
    if (form.elements.blunder) form.elements.blunder.checked = Boolean(values.blunder);
    filter();
    $("#matches-title").focus({ preventScroll: true });
    $("#matches").scrollIntoView();
  }

  function gameOf(element) {
    const number = data.games.findIndex((game) => game.id === element.closest(".panel").dataset.game);
    return number < 0 ? "" : number;
  }

  function followTables() {
    $("#main").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const { pair, ending, blunders: blunderer, match } = button.dataset;
      if (match !== undefined) openMatch(Number(match));
      else if (pair) show({ game: gameOf(button), bot: pair.split(" ")[0], other: pair.split(" ")[1] });
      else if (blunderer) show({ game: gameOf(button), bot: blunderer, blunder: true });
      else if (ending) {
        const [number, name] = ending.split(" ");
        show({ game: gameOf(button), bot: number, result: "lost", ending: data.endings.findIndex((known) => known[0] === name) });
      }
    });
    for (const button of $$("[data-pair]")) {
      const [one, other] = button.dataset.pair.split(" ").map(Number);
      button.title = `${bot(one)} against ${bot(other)}`;
      button.setAttribute("aria-label", `${button.textContent}%: show the matches of ${bot(one)} against ${bot(other)}`);
    }
  }

  function followList() {
    $("#more").addEventListener("click", more);
    for (const button of $$("#list thead button")) {
      button.addEventListener("click", () => {
        const same = sortedBy === button.dataset.sort;
        sortedDown = same ? !sortedDown : button.closest("th").classList.contains("num");
        sortedBy = button.dataset.sort;
        for (const head of $$("#list thead th")) head.removeAttribute("aria-sort");
        button.closest("th").setAttribute("aria-sort", sortedDown ? "descending" : "ascending");
        filter();
      });
    }
  }

  // --- positions: the rules of the bundled games, as far as drawing needs them --------------------------

  function startOf(match) {
    const facts = {};
    for (const word of words(text(columns.start[match]))) {
      const equals = word.indexOf("=");
      facts[word.slice(0, equals)] = word.slice(equals + 1);
    }
    return facts;
  }

  const countdown = (key) => ({
    start: (facts) => ({ left: Number(facts[key]), all: Number(facts[key]), last: "-", key }),
    apply: (state, move) => ({ ...state, left: state.left - Number(move), last: move }),
    line: (state) => (state.key === "total" ? `total=${state.left}` : `n=${state.left}`),
    draw: drawCountdown,
  });
  const GAMES = {
    squares: countdown("total"),
    primes: countdown("n"),
    linked: { ...countdown("n"), line: (state) => `n=${state.left} previous=${state.last}` },
    "sum-to-zero": {
      start: (facts) => ({ sum: 0, all: facts.pool.split(",").map(Number), taken: new Map() }),
      apply: (state, move, seat) => ({ ...state, sum: state.sum + Number(move), taken: new Map(state.taken).set(Number(move), seat), last: Number(move) }),
      line: (state) => `sum=${state.sum} pool=${state.all.filter((number) => !state.taken.has(number)).join(",")}`,
      draw: drawPool,
    },
    grid: {
      start: (facts) => ({ scores: [Number(facts.you), Number(facts.opponent)], all: facts.grid.split(",").map(Number), taken: new Map() }),
      apply: (state, move, seat) => {
        const scores = [...state.scores];
        scores[2 - seat] -= Number(move);
        return { ...state, scores, taken: new Map(state.taken).set(Number(move), seat), last: Number(move) };
      },
      line: (state) => `you=${state.scores[0]} opponent=${state.scores[1]} grid=${state.all.map((number) => (state.taken.has(number) ? "x" : number)).join(",")}`,
      draw: drawGrid,
    },
  };

  function drawCountdown(state, moves, seats) {
    const strip = drawn("svg", { class: "strip", "aria-hidden": "true" });
    let at = 0;
    moves.forEach((move, index) => {
      const width = (100 * Number(move)) / state.all;
      strip.append(drawn("rect", { class: `s${seats[index]}`, x: `${at}%`, width: `${width}%`, height: "100%" }));
      at += width;
    });
    if (state.left > 0) strip.append(drawn("rect", { class: "left", x: `${at}%`, width: `${100 - at}%`, height: "100%" }));
    return [node("div", { class: "big" }, String(state.left)), node("div", { class: "of" }, `left of ${state.all}`), strip];
  }

  function chip(number, state) {
    const seat = state.taken.get(number);
    const kind = seat === undefined ? "chip" : `chip s${seat}`;
    const made = node("span", { class: state.last === number ? `${kind} now` : kind }, String(number).replace("-", "−"));
    if (seat !== undefined) made.append(node("span", { class: "sr" }, ` taken by seat ${seat}`));
    return made;
  }

  function drawPool(state) {
    const half = (fits) => node("div", { class: "chips" }, ...state.all.filter(fits).map((number) => chip(number, state)));
    return [
      node("div", { class: "big" }, String(state.sum).replace("-", "−")), node("div", { class: "of" }, "the sum"),
      half((number) => number < 0), half((number) => number > 0),
    ];
  }

  function drawGrid(state, moves, seats, names) {
    const size = Math.round(Math.sqrt(state.all.length));
    const cells = node("div", { class: "cells" }, ...state.all.map((number) => chip(number, state)));
    cells.style.gridTemplateColumns = `repeat(${size}, minmax(2.6rem, 3.5rem))`;
    const score = (index) => node("div", {}, node("div", { class: "big" }, String(state.scores[index])), node("small", {}, "score of ", named(names[index])));
    return [node("div", { class: "scores" }, score(0), score(1)), cells];
  }

  // --- one match, step by step --------------------------------------------------------------------

  let current = null;
  const viewer = $("#viewer");

  function openMatch(match) {
    const opening = words(columns.opening[match]);
    const seats = columns.seats[match];
    const moves = [...opening, ...words(columns.moves[match])].slice(0, seats.length);
    const game = GAMES[data.games[columns.game[match]].id];
    const states = [];
    if (game && columns.start[match] && !columns.pictures[match].length) {
      states.push(game.start(startOf(match)));
      moves.forEach((move, index) => states.push(game.apply(states[index], move, Number(seats[index]))));
    }
    const pairs = (list) => new Map(Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index], list[2 * index + 1]]));
    current = {
      match, game, states, moves, seats, opening: Math.min(opening.length, moves.length), ply: 0,
      names: [bot(columns.first[match]), bot(columns.second[match])],
      ms: words(columns.ms[match]).map(Number), marks: columns.marks[match],
      best: pairs(columns.best[match]), info: pairs(columns.info[match]), pictures: columns.pictures[match],
    };
    // A record that breaks the rules is shown up to there: its fault came later.
    const broken = text(columns.note[match]) && (states.length || current.pictures.length);
    current.fault = broken ? 0 : columns.fault[match];
    current.last = moves.length + (current.fault ? 1 : 0);
    describeMatch();
    listMoves();
    $("#ply").max = String(current.last);
    step(current.opening);
    if (!viewer.open) viewer.showModal();
    viewer.scrollTop = 0;
    $("#viewer-title").focus({ preventScroll: true });
    history.replaceState(null, "", `#match=${encodeURIComponent(columns.id[match])}`);
  }

  function describeMatch() {
    const { match, names } = current;
    const ending = data.endings[columns.ending[match]];
    const fact = (label, value) => (value ? [`${label} ${value}`] : []);
    $("#viewer-title").replaceChildren(named(names[0]), " – ", named(names[1]));
    $("#viewer-facts").textContent = [
      data.games[columns.game[match]].title, ...fact("", text(columns.options[match])).map((word) => word.trim()),
      `match ${columns.id[match]}`, `seed ${columns.seed[match]}`, columns.started[match].replace("T", " ") + " UTC",
    ].join(" · ");
    const winner = columns.winner[match];
    const who = winner < 0 ? ["Void."] : winner === 0 ? ["Draw."] : [node("strong", {}, named(names[winner - 1]), " won.")];
    const fault = columns.fault[match];
    const why = ending[0] === "completed" ? [" "] : fault ? [" ", named(names[fault - 1]), ` (${ending[0]}): `] : [` ${ending[0]}: `];
    const detail = text(columns.detail[match]) || (ending[0] === "completed" ? "" : ending[1]);
    $("#verdict").replaceChildren(...who, ...why, named(detail, "detail"), !detail || /[.!?]$/.test(detail) ? "" : ".");
    tell("#decisive", text(columns.decisive[match]));
    tell("#viewer-note", text(columns.note[match]));
    const stderr = text(columns.stderr[match]);
    $("#stderr-box").hidden = !stderr;
    $("#stderr").textContent = stderr;
    $("#stderr-title").replaceChildren("What ", columns.fault[match] ? named(names[columns.fault[match] - 1]) : "the bot", " wrote to stderr");
    const place = order.indexOf(match);
    $("#previous").disabled = place <= 0;
    $("#next").disabled = place < 0 || place >= order.length - 1;
  }

  function tell(selector, said) {
    $(selector).textContent = said;
    $(selector).hidden = !said;
  }

  function listMoves() {
    const { moves, seats, opening, ms, marks, best, names } = current;
    const items = moves.map((move, index) => {
      const own = index - opening;
      const mark = own < 0 ? "opening" : marks[own] ?? "u";
      const note = node("span", { class: "mark" });
      if (own < 0) note.append("opening");
      else if (mark === "b") note.append(node("b", { class: "badge" }, MARKS.b), ` ${best.get(own) ?? ""}`, node("span", { class: "sr" }, " (blunder)"));
      else if (marks) note.append(node("span", { "aria-hidden": "true" }, MARKS[mark]), node("span", { class: "sr" }, JUDGED[mark]));
      const button = node("button", { type: "button", "data-ply": String(index + 1) },
        node("span", { class: "number" }, own < 0 ? "" : `${own + 1}.`), node("span", { class: `seat s${seats[index]}`, "aria-hidden": "true" }),
        node("span", { class: "move" }, node("span", { class: "sr" }, `${names[seats[index] - 1] ?? ""} `), move), note,
        node("span", { class: "took" }, own < 0 ? "" : time(ms[own])));
      return node("li", {}, button);
    });
    if (current.fault) items.push(faultItem());
    $("#moves").replaceChildren(...items);
  }

  function faultItem() {
    const { fault, last, match, names } = current;
    return node("li", {}, node("button", { type: "button", "data-ply": String(last) },
      node("span", { class: "number" }), node("span", { class: `seat s${fault}`, "aria-hidden": "true" }),
      node("span", { class: "move" }, node("span", { class: "sr" }, `${names[fault - 1]} `), "✗"),
      node("span", { class: "mark" }, data.endings[columns.ending[match]][0])));
  }

  function step(ply) {
    const { last } = current;
    current.ply = Math.max(0, Math.min(ply, last));
    drawPosition();
    drawClocks();
    $("#ply").value = String(current.ply);
    for (const button of $$("[data-step]", viewer)) {
      const atEnd = ["first", "back"].includes(button.dataset.step) ? current.ply === 0 : current.ply === last;
      button.setAttribute("aria-disabled", String(atEnd));
    }
    for (const button of $$("[data-ply]", viewer)) {
      const here = Number(button.dataset.ply) === current.ply;
      if (!here) button.removeAttribute("aria-current");
      else {
        button.setAttribute("aria-current", "step");
        const list = $("#moves");
        const at = button.offsetTop - list.offsetTop;
        if (at < list.scrollTop || at + button.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = at - list.clientHeight / 2;
      }
    }
    $("#said").textContent = sentence();
    $("#ply").setAttribute("aria-valuetext", `${current.ply} of ${last}`);
    describeInfo();
  }

  function describeInfo() {
    const { ply, opening, seats, names, info } = current;
    const said = text(info.get(ply - 1 - opening) ?? 0);
    $("#info-box").hidden = !said;
    $("#info").textContent = said;
    $("#info-title").replaceChildren(...(said ? ["Info lines of ", named(names[seats[ply - 1] - 1])] : []));
  }

  function drawPosition() {
    const { game, states, moves, seats, names, pictures } = current;
    const ply = Math.min(current.ply, moves.length);
    const stage = $("#stage");
    if (states.length) {
      stage.dataset.state = game.line(states[ply]);
      stage.replaceChildren(...game.draw(states[ply], moves.slice(0, ply), seats, names));
    } else {
      delete stage.dataset.state;
      const picture = text(pictures[ply] ?? 0);
      stage.replaceChildren(picture ? node("pre", { class: "picture" }, picture) : node("p", { class: "note" }, "No picture of this position: arena replay may show it."));
    }
  }

  function drawClocks() {
    const { ply, opening, seats, ms, names, moves, fault, match } = current;
    const used = [0, 0];
    for (let index = opening; index < Math.min(ply, moves.length); index += 1) used[seats[index] - 1] += ms[index - opening];
    const clocks = [0, 1].map((seat) => {
      const latest = ply > opening && Number(seats[ply - 1]) === seat + 1;
      const next = ply < moves.length && Number(seats[ply]) === seat + 1;
      const failed = ply > moves.length && fault === seat + 1;
      return node("div", { class: next || failed ? "clock turn" : "clock" },
        node("span", { class: `swatch seat s${seat + 1}`, "aria-hidden": "true" }), named(names[seat]),
        node("div", { class: "time" }, time(used[seat])),
        node("small", {}, latest ? `${time(ms[ply - 1 - opening])} for this move` : next ? "to move" : failed ? data.endings[columns.ending[match]][0] : "\u00a0"));
    });
    $("#clocks").replaceChildren(...clocks);
  }

  function sentence() {
    const { ply, opening, moves, seats, names, marks, best, match, last, fault } = current;
    const end = ply === last ? ` The end: ${winnerOf(match) === "draw" ? "a draw" : columns.winner[match] < 0 ? "void" : `${winnerOf(match)} won`}.` : "";
    if (ply > moves.length) return `Here ${names[fault - 1]} ${FAILED[data.endings[columns.ending[match]][0]]}${reason(match)}${end}`;
    if (ply === 0) return last ? "The start." : `No move was made. ${text(columns.detail[match])}`;
    const own = ply - 1 - opening;
    const who = names[seats[ply - 1] - 1] ?? "The referee";
    if (own < 0) return `Opening move ${ply} of ${opening}, made by the referee for ${who}: ${moves[ply - 1]}.`;
    const mark = marks[own];
    const judged = mark === "b" ? ` Blunder: ${best.get(own) ?? "it gave the best result away"}.` : mark && mark !== "u" ? ` It ${mark === "l" ? "was lost anyway" : JUDGED[mark]}.` : "";
    return `Move ${own + 1} of ${moves.length - opening}: ${who} played ${moves[ply - 1]}.${judged}${end}`;
  }

  function reason(match) {
    const detail = text(columns.detail[match]);
    return detail ? `: ${detail}${/[.!?]$/.test(detail) ? "" : "."}` : ".";
  }

  function neighbour(by) {
    const place = order.indexOf(current.match) + by;
    if (place >= 0 && place < order.length) openMatch(order[place]);
  }

  function followViewer() {
    const to = { first: () => 0, back: () => current.ply - 1, on: () => current.ply + 1, last: () => current.last };
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
    viewer.addEventListener("keydown", (event) => {
      const wish = keys[event.key];
      if (!wish || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      step(to[wish]());
    });
    viewer.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (event.target === viewer) viewer.close();
      else if (button?.dataset.step) step(to[button.dataset.step]());
      else if (button?.dataset.ply) step(Number(button.dataset.ply));
    });
    $("#ply").addEventListener("input", () => step(Number($("#ply").value)));
    $("#close").addEventListener("click", () => viewer.close());
    $("#previous").addEventListener("click", () => neighbour(-1));
    $("#next").addEventListener("click", () => neighbour(1));
    viewer.addEventListener("close", () => history.replaceState(null, "", "#matches"));
    window.addEventListener("hashchange", openFromAddress);
  }

  function openFromAddress() {
    if (!location.hash.startsWith("#match=")) return;
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(7)); } catch { return; }
    const match = columns.id.lastIndexOf(id); // a void match may have been played again
    if (match >= 0) openMatch(match);
  }

  async function start() {
    const choice = $("#game-choice");
    if (choice) {
      choice.closest("label").hidden = false;
      choice.addEventListener("change", () => chooseGame(choice.value));
    }
    if ($(".panel")) chooseGame("all");
    for (const table of $$("table.sortable")) makeSortable(table);
    for (const box of $$(".scroll, .menu ul")) showThatItScrolls(box);
    if (!$("#packed")) return;
    if (typeof DecompressionStream === "undefined") {
      $("#count").textContent = "This browser is too old to unpack the matches; the tables above are complete.";
      return;
    }
    data = await unpack();
    columns = data.columns;
    length = columns.moves.map((moves) => words(moves).length);
    blunders = columns.best.map((list) => list.length / 2);
    prepareForm();
    followTables();
    followList();
    followViewer();
    filter();
    $("#list-box").hidden = false;
    openFromAddress();
    document.documentElement.dataset.ready = "true";
  }

  start();
})();
