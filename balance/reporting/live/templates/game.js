// The page of a game: what is edited (`now`, the file's own is `base`) is told by the address, asked of Python, shown.
const KINDS = ["duel", "attack", "kill"], SHARED = 700; // milliseconds of quiet before the field is worked out
let base, now, answer = {}, isReady = false, isSound = false, slow, quiet, drawn; // answer: to the newest question
const asker = startAsker({
  home: JSON.parse(byId("home").textContent),
  onReady: () => { isReady = true; ask(); },
  limit: 60_000,
  onFail: () => { byId("state").textContent = "This browser cannot run the page: it needs WebAssembly and module workers (Chrome 90, Firefox 114, Safari 16.4 or newer)."; },
});

// -- what is edited ---------------------------------------------------------------------------------------------------
const beginning = () => ({ rules: base.rules, header: [...base.table[0]], a: base.a, b: base.b, choices: {},
  rows: base.table.slice(1).map((cells, from) => ({ from, cells: [...cells] })) });
const tableNow = () => [now.header, ...now.rows.map(row => row.cells)];
const columnOf = name => now.header.indexOf(name);
const idOf = row => row.cells[columnOf("id")];
const nameOf = id => now.rows.find(row => idOf(row) === id)?.cells[columnOf("name")] ?? id;
const gameNow = () => ({ rules: now.rules, table: tableNow() }), gameBefore = () => ({ rules: base.rules, table: base.table });
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other), isEdited = () => !isSame(gameNow(), gameBefore());
const chosen = () => Object.fromEntries(Object.entries(now.choices).filter(([, option]) => option));
const wasOf = row => isSame(now.header, base.table[0]) && row.from !== null ? base.table[row.from + 1] : null;

// What differs from the file: the sides, the piece of the rules, cells as [row, column, text], rows gone and added; a
// table whole where its columns differ.
const differences = () => {
  const told = Object.fromEntries(["a", "b"].filter(side => now[side] !== base[side]).map(side => [side, now[side]]));
  if (Object.keys(chosen()).length) told.q = Object.entries(chosen());
  if (now.rules !== base.rules) {
    const [old, text] = [base.rules, now.rules], most = Math.min(old.length, text.length);
    let head = 0, tail = 0;
    while (head < most && old[head] === text[head]) head++;
    while (tail < most - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    told.r = [head, tail, text.slice(head, text.length - tail)];
  }
  if (!isSame(now.header, base.table[0])) return { ...told, t: tableNow() };
  const cells = now.rows.flatMap(row => row.from === null ? [] : row.cells.flatMap((text, column) => text === wasOf(row)[column] ? [] : [[row.from, column, text]]));
  const gone = base.table.slice(1).flatMap((_, from) => now.rows.some(row => row.from === from) ? [] : [from]);
  const added = now.rows.filter(row => row.from === null).map(row => row.cells);
  return { ...told, ...(cells.length && { c: cells }), ...(gone.length && { x: gone }), ...(added.length && { n: added }) };
};
const withDifferences = ({ a, b, q, r, t, c = [], x = [], n = [] }) => {
  now = { ...beginning(), ...(a && { a: String(a) }), ...(b && { b: String(b) }), choices: Object.fromEntries(q ?? []) };
  if (r) now.rules = base.rules.slice(0, r[0]) + r[2] + base.rules.slice(base.rules.length - r[1]);
  for (const [row, column, text] of c) now.rows[row].cells[column] = String(text);
  now.rows = now.rows.filter(({ from }) => !x.includes(from)).concat(n.map(cells => ({ from: null, cells: cells.map(String) })));
  if (t) takeTable(t);
};
const takeTable = ([header, ...rows]) => { // a row with the id of one of the file's is that one
  const from = new Map(base.table.slice(1).map((cells, place) => [cells[base.table[0].indexOf("id")], place]));
  if (!header.includes("id") || !header.includes("name")) throw Error("a table of units has ids and names");
  now.header = header.map(String);
  now.rows = rows.map(cells => ({ from: from.get(cells[columnOf("id")]) ?? null, cells: now.header.map((_, place) => String(cells[place] ?? "")) }));
};
const packedText = value => btoa(Array.from(new TextEncoder().encode(JSON.stringify(value)), byte => String.fromCharCode(byte)).join(""))
  .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const unpackedText = text => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0))));
const linkOf = () => { const told = differences(); return Object.keys(told).length ? `#${packedText(told)}` : ""; };
const commit = () => { // a step in the history for each edit that is done
  if (linkOf() !== location.hash) history.pushState(null, "", linkOf() || location.pathname + location.search);
};
const fromAddress = () => {
  try { withDifferences(location.hash.length > 1 ? unpackedText(location.hash.slice(1)) : {}); }
  catch { withDifferences({}); byId("said").textContent = "The link cannot be read."; }
  showEdited();
  ask();
};
const edit = change => { change(); showEdited(); ask(); commit(); };

// -- asking -----------------------------------------------------------------------------------------------------------
const OLD = ["sentence", "changes", "summary", "faults", "rule-faults", "targets", "typical", "matrix", ...KINDS];
const markStale = isStale => { // nothing that is shown answers the question that stands above it
  for (const id of OLD) byId(id).classList.toggle("stale", isStale);
  byId("answers").setAttribute("aria-busy", isStale);
};
const request = (ask, more = {}) => JSON.stringify({ ask, file: base.file, saved: base.saved, kinds: base.kinds, shipped: base.shipped, a: now.a, b: now.b,
  choices: chosen(), now: gameNow(), ...more });
const working = (isBusy, words = "") => {
  clearTimeout(slow);
  byId("state").textContent = words;
  byId("stop").hidden = true;
  if (isBusy) slow = setTimeout(() => { byId("state").textContent = "Working it out …"; byId("stop").hidden = false; }, 600);
};
const ask = () => {
  clearTimeout(quiet);
  asker.dropBackground();
  isSound = false;
  markStale(true);
  if (!isReady) return;
  working(true);
  answer = {};
  const show = part => {
    if (part.faults || part.stopped || part.failure) return;
    answer = part;
    for (const kind of KINDS) if (part[kind]) showKind(kind, part[kind]);
    showSentence();
  };
  asker.ask(request("answers", { before: isEdited() ? gameBefore() : null }), { onPart: show, onAnswer: part => {
    const { faults = [], stopped, failure } = part;
    show(part);
    working(false, stopped ? "Stopped: what is missing was not worked out. Change something to ask anew." : failure ? `This cannot be answered: ${failure.trim().split("\n").at(-1)}` : "");
    isSound = !stopped && !failure && !faults.length;
    for (const kind of KINDS) byId(kind).hidden = !answer[kind] || faults.length > 0;
    if (!answer[base.kinds.at(-1)] || faults.length) for (const id of ["sentence", "summary"]) byId(id).textContent = "";
    showFaults(faults);
    byId("asked").hidden = !isSound;
    for (const id of isSound ? ["changes"] : ["changes", "targets", "matrix", "typical"]) byId(id).replaceChildren();
    markStale(false);
    if (isSound) { showChoices(); showField(); quiet = setTimeout(askField, SHARED); }
    document.body.dataset.answered = Number(document.body.dataset.answered ?? 0) + 1;
  } });
};

// -- the answers ------------------------------------------------------------------------------------------------------
const table = (label, heads, rows) => element("table", {}, element("caption", { class: "hidden" }, label),
  element("thead", {}, element("tr", {}, ...heads.map(head => head ? element("th", { scope: "col" }, head) : element("td")))), element("tbody", {}, ...rows));
const showSentence = () => {
  const main = answer[base.kinds.at(-1)], [row] = main?.rows ?? [], last = row?.cells.at(-1);
  if (!main) return;
  byId("sentence").textContent = main.sentence;
  byId("summary").textContent = [`${row.label} ${last.text}`, last.was, last.change].filter(text => text).join(", ");
  for (const id of ["sentence", "summary"]) byId(id).classList.remove("stale");
};
const showKind = (kind, { sentence, rows, pictures, heads = [""], command, trials }) => {
  const section = byId(kind), [said] = section.getElementsByClassName("said");
  section.hidden = false;
  section.classList.remove("stale");
  said.textContent = kind === base.kinds.at(-1) ? "" : sentence; // it heads the page
  if (trials) said.textContent += ` Too large to be exact: ${trials.toLocaleString("en")} simulated trials, with 95% intervals.`;
  const cells = ({ text, ...more }) => element("td", {}, element("b", {}, text), ...["ends", "was", "change"].filter(name => more[name]).map(name => element("small", { class: name }, more[name])));
  section.querySelector(".rows").replaceChildren(table(kind, ["", ...heads], rows.map(row => element("tr", {}, element("th", { scope: "row" }, row.label), ...row.cells.map(cells)))));
  section.querySelector(".figures").replaceChildren(...pictures.slice(0, 1).map(picture => chartOf(picture, "chances", 400, 150)));
  section.querySelector(".tables").replaceChildren(...pictures.slice(1).map(picture => chartOf(picture, "chances", 400, 150)), ...pictures.map(tableOf));
  section.querySelector("code").textContent = command;
};
const showChoices = () => byId("choices").replaceChildren(...answer.choices.flatMap(({ name, label, options }) => {
  const select = element("select", { id: `choose-${name}` }, ...options.map(option => element("option", { value: option }, option.replaceAll("_", " "))));
  select.value = now.choices[name] ?? options[0];
  select.addEventListener("change", () => edit(() => { now.choices[name] = select.value === options[0] ? "" : select.value; }));
  return [element("label", { for: select.id }, label), select];
}));

// -- faults, each at its place ----------------------------------------------------------------------------------------
const showFaults = faults => {
  const ofUnits = faults.filter(({ path }) => path === "units"), ofRules = faults.filter(({ path, row }) => row && path !== "units");
  fillFaults("faults", faults, goTo);
  fillFaults("rule-faults", ofRules, goTo);
  byId("rules").setAttribute("aria-invalid", ofRules.length > 0);
  for (const input of byId("units").querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  for (const { row, field } of ofUnits) cellAt(row - 2, field)?.setAttribute("aria-invalid", "true");
  showLines(new Set(ofRules.map(({ row }) => row)));
  if (faults.length) byId("summary").textContent = faults[0].text;
};
const button = (label, words, onClick, more = {}) => {
  const node = element("button", { type: "button", "aria-label": label, ...more }, ...words);
  node.addEventListener("click", onClick);
  return node;
};
const fillFaults = (id, faults, go) => {
  byId(id).hidden = !faults.length;
  byId(id).replaceChildren(...faults.map(fault => button(fault.text, [fault.text], () => go(fault), { class: "fault" })));
};
const goTo = ({ path, row, field }) => {
  if (path === "units") return cellAt(row - 2, field)?.focus();
  const before = now.rules.split("\n").slice(0, (row ?? 1) - 1).join("\n").length, start = before && before + 1;
  byId("rules").focus();
  byId("rules").setSelectionRange(start, start + (now.rules.slice(start).split("\n")[0]).length);
};
const cellAt = (row, field) => byId("units").querySelector(`[data-row="${Number(row)}"][data-column="${columnOf(field)}"]`);
const showLines = (bad = new Set()) => {
  byId("lines").replaceChildren(...now.rules.split("\n").flatMap((_, place) => [element("span", bad.has(place + 1) ? { class: "bad" } : {}, String(place + 1)), "\n"]));
  byId("lines").scrollTop = byId("rules").scrollTop;
};

// -- units as a sheet -------------------------------------------------------------------------------------------------
const showSides = () => {
  const ids = now.rows.map(idOf);
  for (const [place, side] of ["a", "b"].entries()) {
    if (!ids.includes(now[side])) now[side] = ids[place] ?? ids[0];
    byId(side).replaceChildren(...now.rows.map(row => element("option", { value: idOf(row) }, row.cells[columnOf("name")] || idOf(row))));
    byId(side).value = now[side];
  }
};
const showEdited = () => {
  if (byId("rules").value !== now.rules) byId("rules").value = now.rules;
  showLines();
  showSides();
  const columns = [...now.header.entries()].filter(([, name]) => name !== "id");
  byId("units").replaceChildren(table("Units", [...columns.map(([, name]) => name.replaceAll("_", " ")), ""], now.rows.map((row, place) => element("tr", {},
    ...columns.map(([column, name]) => element("td", {}, cellOf(row, place, name, column))), element("td", { class: "tools" },
      tool("Duplicate", "+", row, () => { now.rows.splice(place + 1, 0, newRow(row)); }), tool("Remove", "×", row, () => { now.rows.splice(place, 1); }, now.rows.length < 2),
      tool("Restore", "↺", row, () => { row.cells = [...wasOf(row)]; }, !wasOf(row) || isSame(row.cells, wasOf(row))))))));
  byId("reset").disabled = !isEdited();
};
const tool = (label, sign, row, change, isDisabled) => button(`${label} ${row.cells[columnOf("name")]}`, [sign], () => { edit(change); byId("units").focus(); }, { title: label, ...(isDisabled && { disabled: "" }) });
const cellOf = (row, place, name, column) => {
  const input = element("input", { value: row.cells[column], "aria-label": `${name.replaceAll("_", " ")} of ${row.cells[columnOf("name")]}`, "data-row": place, "data-column": column,
    autocomplete: "off", spellcheck: "false", ...(name === "keywords" ? { list: "keywords", class: "long" } : name === "name" ? { class: "name" } : {}) });
  const mark = () => {
    const was = wasOf(row)?.[column];
    input.classList.toggle("changed", row.cells[column] !== was);
    input.title = was !== undefined && row.cells[column] !== was ? `In the file: ${was || "nothing"}; Escape restores it` : "";
  };
  input.addEventListener("input", () => { row.cells[column] = input.value; mark(); byId("reset").disabled = !isEdited(); ask(); });
  input.addEventListener("change", () => { commit(); showSides(); });
  input.addEventListener("keydown", event => {
    const was = wasOf(row)?.[column], next = { ArrowDown: place + 1, Enter: place + 1, ArrowUp: place - 1 }[event.key];
    if (event.key === "Escape" && was !== undefined) { input.value = was; input.dispatchEvent(new Event("input")); commit(); }
    if (next === undefined || name === "keywords" && event.key !== "Enter") return;
    event.preventDefault();
    byId("units").querySelector(`[data-row="${next}"][data-column="${column}"]`)?.select();
  });
  if (name === "keywords") for (const event of ["focus", "input"]) input.addEventListener(event, () => offerKeywords(input));
  mark();
  return input;
};
const offerKeywords = input => { // a list completes the last of several words
  const has = input.value.split(/[;,|]/).map(word => word.trim()).filter(word => word), column = columnOf("keywords");
  const all = new Set([...now.rows.flatMap(row => row.cells[column].split(/[;,|]/)), ...Array.from(now.rules.matchAll(/^\s*\[keywords\.(\w+)/gm), ([, word]) => word)].map(word => word.trim()).filter(word => word));
  const done = has.filter(word => all.has(word));
  byId("keywords").replaceChildren(...[...all].filter(word => !done.includes(word)).map(word => element("option", { value: [...done, word].join("; ") })));
};
const newRow = ({ cells }) => {
  const ids = new Set(now.rows.map(idOf)), copied = [...cells], [id, name] = [columnOf("id"), columnOf("name")];
  let number = 2;
  while (ids.has(`${cells[id]}_${number}`)) number++;
  copied[id] = `${cells[id]}_${number}`;
  copied[name] = `${cells[name]} ${number}`;
  return { from: null, cells: copied };
};

// -- the field, worked out in the background --------------------------------------------------------------------------
const known = new Map(), rulesKnown = new Map(); // a pair of rows under the same rules never needs to be asked twice
const keyOf = ({ rules, table: [header] }, one, other) => {
  const told = JSON.stringify([rules, header, now.choices]);
  if (!rulesKnown.has(told)) rulesKnown.set(told, rulesKnown.size);
  return `${rulesKnown.get(told)} ${JSON.stringify([one, other])}`;
};
const pairAt = (game, one, other) => known.get(keyOf(game, one, other));
const pairsOf = game => game.table.slice(1).flatMap((one, place) => game.table.slice(place + 1).map(other => [one, other]));
const askField = () => {
  const order = ([one, other]) => [one, other].some(cells => cells[columnOf("id")] === now.a) ? 0 : 1;
  for (const [game, isBefore] of [[gameNow(), false], ...(isEdited() ? [[gameBefore(), true]] : [])]) {
    const id = game.table[0].indexOf("id"), pairs = isBefore ? pairsOf(game) : pairsOf(game).sort((one, other) => order(one) - order(other));
    for (const [one, other] of pairs.filter(pair => !pairAt(game, ...pair) && (hasDuels() || !order(pair)))) {
      const text = JSON.stringify({ ...JSON.parse(request("cell")), now: game, a: one[id], b: other[id] });
      asker.ask(text, { isBackground: true, onAnswer: part => {
        const pair = part.there ? part : { there: { texts: ["–", "–", "–"] }, back: { texts: ["–", "–", "–"] } };
        known.set(keyOf(game, one, other), pair.there).set(keyOf(game, other, one), pair.back);
        clearTimeout(drawn);
        drawn = setTimeout(showField, 60);
      } });
    }
  }
};
const hasDuels = () => base.kinds.includes("duel");
const showField = () => { if (isSound) { showTargets(); if (hasDuels()) { showMatrix(); showTypical(); } } };
const wasPair = (one, other) => {
  const [before, [header, ...rows]] = [gameBefore(), base.table], at = cells => rows.find(row => row[header.indexOf("id")] === cells[columnOf("id")]);
  return isEdited() && at(one) && at(other) ? pairAt(before, at(one), at(other)) : undefined;
};
const beside = (text, was) => was !== undefined && was !== text ? [text, element("small", {}, `was ${was}`)] : [text];
const showTargets = () => {
  const game = gameNow(), one = now.rows.find(row => idOf(row) === now.a).cells;
  byId("targets-head").textContent = `${nameOf(now.a)} against all`;
  byId("targets").replaceChildren(table("One against all", ["target", "an attack does", ...(hasDuels() ? ["attacks until it is out", "wins"] : [])], now.rows.filter(row => row.cells !== one).map(({ cells }) => {
    const pair = pairAt(game, one, cells), was = wasPair(one, cells);
    return element("tr", {}, element("th", { scope: "row" }, cells[columnOf("name")]), ...(hasDuels() ? [0, 1, 2] : [0]).map(place => element("td", {}, ...beside(pair?.texts[place] ?? "…", was?.texts[place]))));
  })));
};
const showMatrix = () => {
  const game = gameNow(), names = now.rows.map(row => row.cells[columnOf("name")]);
  byId("matrix").replaceChildren(table("What the row scores against the column", ["", ...names], now.rows.map((row, place) => element("tr", {}, element("th", { scope: "row" }, names[place]),
    ...now.rows.map((other, column) => {
      if (column === place) return element("td", {}, "");
      const pair = pairAt(game, row.cells, other.cells), was = wasPair(row.cells, other.cells), score = pair?.score;
      const text = pair ? pair.texts[2] : "…", cell = button(`${names[place]} against ${names[column]}: ${text}`, beside(text, was?.texts[2]),
        () => { edit(() => { now.a = idOf(row); now.b = idOf(other); }); byId("a").focus(); }, score > .5 ? { class: "ahead" } : {});
      if (score !== undefined) cell.style.setProperty("--share", `${Math.round(Math.abs(score - .5) * 60)}%`);
      return element("td", {}, cell);
    })))));
};
const typicalOf = game => { // the mean distance from even, as price tells it
  const scores = pairsOf(game).map(pair => pairAt(game, ...pair)?.score), known = scores.filter(score => score !== undefined);
  const share = Number((50 + 100 * known.reduce((sum, score) => sum + Math.abs(score - .5), 0) / known.length).toFixed(0));
  return { left: scores.length - known.length, all: scores.length, text: known.length ? `${share}:${100 - share}` : "" };
};
const showTypical = () => {
  const { text, left, all } = typicalOf(gameNow()), was = isEdited() ? typicalOf(gameBefore()) : { left: 1 };
  byId("typical").textContent = left ? `Working through all duels: ${all - left} of ${all} …` : !all ? "" : `A typical duel of this field is ${text}${was.left ? "" : was.text === text ? ", as before" : `; it was ${was.text}`}.`;
};

// -- making two even --------------------------------------------------------------------------------------------------
const askEven = () => {
  working(true);
  asker.dropBackground();
  const show = ({ changes = [], is_whole, faults }) => {
    const rows = changes.map(({ side, field, from_, to, text, is_even }) => {
      const unit = nameOf(now[side]), apply = () => edit(() => { now.rows.find(row => idOf(row) === now[side]).cells[columnOf(field)] = String(to); });
      const cells = [String(from_), text, is_even ? "even" : "nearer", button(`Apply ${field} ${to} of ${unit}`, ["Apply"], apply)];
      return element("tr", {}, element("th", { scope: "row" }, `${unit}: ${field.replaceAll("_", " ")} ${to}`), ...cells.map(cell => element("td", {}, cell)));
    });
    const words = faults ? faults[0].text : rows.length ? "" : is_whole ? "These two are even, or no single number brings them nearer to it." : "";
    byId("changes").replaceChildren(...(words ? [element("p", {}, words)] : [table("Changes that make these two even", ["change", "from", `${nameOf(now.a)} scores`, "", ""], rows)]));
  };
  asker.ask(request("even"), { onPart: show, onAnswer: part => {
    working(false, part.stopped ? "Stopped." : "");
    if (part.changes || part.faults) show(part);
    askField();
    document.body.dataset.even = Number(document.body.dataset.even ?? 0) + 1;
  } });
};

// -- files ------------------------------------------------------------------------------------------------------------
const guarded = text => /^'*[=+\-@\t\r]/.test(text) && !/^[+-]?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text; // no formula for a spreadsheet
const csvNow = () => tableNow().map(cells => cells.map(text => cell(guarded(text))).join(",")).join("\r\n") + "\r\n";
const readTable = text => asker.ask(JSON.stringify({ ask: "table", text }), { onAnswer: ({ table, faults, failure }) => {
  fillFaults("read-faults", faults ?? (failure ? [{ text: "This is no table." }] : []), () => byId("pasted").focus());
  if (table) edit(() => takeTable(table)); else ask();
} });
const textOf = bytes => {
  const [first, second] = bytes, wide = first === 255 && second === 254 ? "utf-16le" : first === 254 && second === 255 ? "utf-16be" : "";
  try { return new TextDecoder(wide || "utf-8", { fatal: true }).decode(bytes); }
  catch { return new TextDecoder("windows-1252").decode(bytes); }
};
const start = async () => {
  base = JSON.parse(new TextDecoder().decode(await unpacked("held")));
  fromAddress();
  for (const id of ["even", "matrix-field"]) byId(id).hidden = !hasDuels();
  for (const side of ["a", "b"]) byId(side).addEventListener("change", ({ target }) => edit(() => { now[side] = target.value; }));
  for (const [id, deed] of Object.entries({
    swap: () => edit(() => { [now.a, now.b] = [now.b, now.a]; }),
    stop: () => asker.stop(),
    even: askEven,
    link: () => copy(location.href, byId("said")),
    copy: () => copy(answer[base.kinds.at(-1)].command, byId("said")),
    save: () => asker.ask(request("file"), { onAnswer: ({ text, faults }) => text ? saveAs(base.saved, "text/plain", text) : showFaults(faults) }),
    csv: () => saveAs("units.csv", "text/csv", csvNow()),
    add: () => edit(() => { now.rows.push(newRow(now.rows.at(-1))); }),
    reset: () => edit(() => { now = { ...beginning(), a: now.a, b: now.b, choices: now.choices }; }),
    read: () => readTable(byId("pasted").value),
  })) byId(id).addEventListener("click", deed);
  byId("file").addEventListener("change", async ({ target }) => readTable(textOf(new Uint8Array(await target.files[0].arrayBuffer()))));
  byId("rules").addEventListener("input", ({ target }) => { now.rules = target.value; showLines(); byId("reset").disabled = !isEdited(); ask(); });
  byId("rules").addEventListener("change", commit);
  byId("rules").addEventListener("scroll", () => { byId("lines").scrollTop = byId("rules").scrollTop; });
  addEventListener("popstate", fromAddress);
};
addEventListener("DOMContentLoaded", start);
