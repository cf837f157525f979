const input = byId("expressions"), results = byId("results"), state = byId("state"), said = byId("said");
const CANNOT = "This browser cannot run the page: it needs WebAssembly and module workers (Chrome 90, Firefox 114, Safari 16.4 or newer).";
const HIDDEN_AFTER = 250, FINISHED_AFTER = 1500; // milliseconds: what is old leaves the page; what stays typed is finished
const MOST_BARS = 80, RARE = 5e-4; // values that are drawn one by one; what is not drawn at either end
let view = null, shown = null, answered = null, isReady = false, hiding, finishing; // shown, answered: to which text, so far and in full

const asker = startAsker({
  home: JSON.parse(byId("home").textContent),
  onReady: () => { isReady = true; ask(); },
  onFail: () => { state.textContent = CANNOT; },
  limit: 60_000,
});
const ask = () => {
  const text = input.value;
  input.rows = Math.max(2, Math.min(8, text.split("\n").length));
  clearTimeout(finishing);
  mark();
  if (isReady) work("Working out the new question …");
  asker.ask(text, { onPart: part => show(text, part), onAnswer: answer => end(text, answer) });
};
// What is shown answers another question than the one that stands above it: it is struck out at once, and soon gone.
const mark = () => {
  const isOld = shown !== input.value;
  for (const part of [results, byId("faults")]) part.classList.toggle("stale", isOld);
  results.inert = isOld;
  results.setAttribute("aria-busy", answered !== input.value);
  clearTimeout(hiding);
  if (isOld) hiding = setTimeout(() => document.body.classList.add("waiting"), HIDDEN_AFTER);
  else document.body.classList.remove("waiting");
};
const work = words => {
  state.textContent = words;
  if (!words && document.activeElement === byId("stop")) input.focus();
  byId("stop").hidden = !isReady || !words.endsWith("…");
};
const end = (text, { stopped, isLate, failure, ...answer }) => {
  work(isLate ? "Stopped after a minute without an answer." : stopped ? "Stopped." : failure ? `Python broke: ${failure.trim().split("\n").at(-1)}` : "");
  if (!stopped && !failure) show(text, answer);
  answered = text;
  results.setAttribute("aria-busy", false);
  document.body.dataset.answered = Number(document.body.dataset.answered ?? 0) + 1;
};
const show = (text, part) => {
  view = part;
  if (view.working) work(`Rolling dice; ${view.working} …`);
  const isOne = text.trim().split("\n").length < 2;
  byId("faults").hidden = !view.faults.length;
  byId("faults").replaceChildren(...view.faults.map(({ line, text: words }) => element("p", {}, isOne ? words : `Line ${line}: ${words}`)));
  input.setAttribute("aria-invalid", Boolean(view.faults.length));
  const lines = new Set(view.faults.map(({ line }) => line));
  input.style.backgroundImage = [...lines].map(() => "linear-gradient(var(--faint), var(--faint)), linear-gradient(var(--mark), var(--mark))").join(", ");
  input.style.backgroundSize = [...lines].map(() => "calc(100% - .35rem) 1.5em, .35rem 1.5em").join(", ");
  input.style.backgroundPosition = [...lines].map(line => `.35rem calc(.5rem + ${1.5 * (line - 1)}em), 0 calc(.5rem + ${1.5 * (line - 1)}em)`).join(", ");
  results.hidden = !view.sentence;
  if (view.sentence) {
    byId("sentence").textContent = view.sentence;
    byId("command").textContent = view.command;
    byId("notes").replaceChildren(...view.notes.map(note => element("p", { class: "quiet" }, note)));
    draw();
    byId("tables").replaceChildren(...view.pictures.map(tableOf));
    remember(text);
  }
  shown = text;
  mark();
};
const draw = () => {
  const quantity = document.querySelector("[name=quantity]:checked").value, groups = groupsOf(view.pictures, picture => picture.values ? picture.quantity : picture);
  byId("figures").replaceChildren(...groups.map(group => {
    const pictures = grouped(group.map(withoutTails));
    return pictures.length > 1 ? linesOf(pictures, quantity) : chartOf(pictures[0], quantity);
  }));
};
// Of many values a picture shows those that come up at all often, and if these are many, several together; the table has every number.
const withoutTails = picture => {
  if (!(picture.values?.length > MOST_BARS)) return picture;
  const first = picture.at_most.findIndex(share => share >= RARE), last = picture.at_least.findLastIndex(share => share >= RARE);
  return Object.fromEntries(Object.entries(picture).map(([key, values]) => [key, Array.isArray(values) ? values.slice(first, last + 1) : values]));
};
const grouped = pictures => {
  const spans = pictures.map(({ values }) => values ? values.at(-1) - values[0] : 0), least = Math.max(...spans) / MOST_BARS, power = 10 ** Math.floor(Math.log10(least));
  if (least <= 1) return pictures;
  const width = [1, 2, 5, 10].map(times => times * power).find(it => it >= least), isIn = value => Math.floor(value / width);
  return pictures.map(({ values, names, chances, at_least, at_most, exactly, intervals, ...picture }) => {
    const groups = groupsOf(values.keys(), place => isIn(values[place])), starts = groups.map(places => isIn(values[places[0]]) * width);
    return { ...picture, values: starts, names: starts.map(start => `${number(start)}–${number(start + width - 1)}`),
      chances: groups.map(places => places.reduce((sum, place) => sum + chances[place], 0)), at_least: groups.map(places => at_least[places[0]]), at_most: groups.map(places => at_most[places.at(-1)]) };
  });
};
const groupsOf = (items, keyOf) => {
  const groups = new Map();
  for (const item of items) {
    if (!groups.has(keyOf(item))) groups.set(keyOf(item), []);
    groups.get(keyOf(item)).push(item);
  }
  return [...groups.values()];
};
const number = value => value.toLocaleString("en").replace("-", "−");

// -- several expressions in one picture: each has a mark, a pattern of its line and a colour ---------------------------
const MARKS = ["M-5-5h10v10h-10z", "M0-6L6 5H-6z", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "M0-7L6 0L0 7L-6 0z", "M0 6L6-5H-6z", "M-5-1h4v-4h2v4h4v2h-4v4h-2v-4h-4z"];
const DASHES = ["", "8 4", "2 4", "12 4 2 4"];
const markOf = (series, x, y) => element("path", { class: `series s${series % 3} ${series < MARKS.length ? "full" : "open"}`, d: MARKS[series % MARKS.length], transform: `translate(${x} ${y})` });
const shareAt = ({ values, ...shares }, quantity, value) => {
  const place = quantity === "at_most" ? values.findLastIndex(it => it <= value) : values.findIndex(it => quantity === "at_least" ? it >= value : it === value);
  return place < 0 ? 0 : shares[quantity][place];
};
const linesOf = (pictures, quantity, WIDTH = WIDE, HEIGHT = 300) => {
  const FLOOR = HEIGHT - UNDER, { quantity: name } = pictures[0];
  const values = [...new Set(pictures.flatMap(picture => picture.values))].sort((a, b) => a - b), low = values[0], span = values.at(-1) - low + 1;
  const highest = Math.max(...pictures.flatMap(picture => picture[quantity])), xOf = value => (value - low + .5) / span * WIDTH, yOf = share => FLOOR - share / highest * (FLOOR - TOP);
  const series = pictures.flatMap((picture, place) => {
    const points = picture.values.map((value, at) => [xOf(value), yOf(picture[quantity][at])]), everyNth = Math.ceil(points.length / 30);
    const gaps = picture.values.map((value, at) => at ? value - picture.values[at - 1] : 0), least = Math.min(...gaps.slice(1)); // a line breaks where a value cannot come
    const d = points.map((point, at) => `${at && (quantity !== "chances" || gaps[at] === least) ? "L" : "M"}${point.map(it => it.toFixed(1)).join(" ")}`).join("");
    return [element("path", { class: `series s${place % 3}`, "stroke-dasharray": DASHES[place % DASHES.length], d }),
      ...points.filter((_, at) => at % everyNth === Math.floor(everyNth / 2)).map(([x, y]) => markOf(place, x, y))];
  });
  const names = Array.from({ length: span }, (_, place) => number(low + place)), everyNth = nthOf(names, WIDTH);
  const ticks = names.flatMap((text, place) => place % everyNth ? [] : [nameAt(xOf(low + place), text, WIDTH, HEIGHT)]);
  const at = element("line", { class: "at", y1: TOP, y2: FLOOR, x1: -9, x2: -9 });
  const label = `${name}: ${pictures.map(picture => picture.label).join(" and ")}`;
  const drawing = drawingOf(`${label}.`, WIDTH, HEIGHT, [...gridOf(highest, WIDTH, FLOOR), at, ...series, ...ticks]);
  const reading = element("p", { class: "reading", "aria-live": "polite" });
  onReading(drawing, span, place => {
    const value = low + place, words = { chances: "", at_least: "at least ", at_most: "at most " }[quantity];
    for (const end of ["x1", "x2"]) at.setAttribute(end, xOf(value));
    reading.textContent = `${name} ${words}${value}: ${pictures.map(picture => `${picture.label} ${percent(shareAt(picture, quantity, value))}`).join("; ")}`;
  });
  const legend = pictures.map(({ label, about }, place) => element("li", {}, element("svg", { viewBox: "0 0 48 16", class: "key", "aria-hidden": true },
    element("line", { class: `series s${place % 3}`, "stroke-dasharray": DASHES[place % DASHES.length], x1: 0, x2: 48, y1: 8, y2: 8 }), markOf(place, 24, 8)),
    element("span", {}, element("b", {}, label), ` ${about}`)));
  return element("figure", {}, element("figcaption", {}, `Chances by ${name}`), drawing, reading, element("ul", { class: "legend" }, ...legend));
};

// -- what was asked: a step of the browser's history for each expression that was finished, and a short list ------------
const addressOf = text => `#${encodeURIComponent(text.trim())}`;
let asked = history.state?.asked ?? [], isFinished = false, isTyping = false; // newest first; the address's text is finished
const remember = text => {
  if (location.hash !== addressOf(text)) {
    history[isFinished ? "pushState" : "replaceState"]({ asked }, "", addressOf(text));
    isFinished = false;
  }
  if (shown !== text && !view.faults.length) finishing = setTimeout(finish, isTyping ? FINISHED_AFTER : 0, text);
};
const finish = text => {
  isFinished = true;
  asked = [text.trim(), ...asked.filter(it => it !== text.trim())].slice(0, 8);
  history.replaceState({ asked }, "");
  list();
};
const list = () => {
  const others = asked.filter(text => text !== input.value.trim());
  byId("before").hidden = !others.length;
  byId("before").replaceChildren(element("span", { class: "quiet" }, "Asked before:"), ...others.map(text => askingOf(text, text.replaceAll("\n", " ⏎ "))));
};
const askingOf = (text, label) => {
  const button = element("button", { type: "button" }, label);
  button.addEventListener("click", () => put(text));
  return button;
};
const put = text => { input.value = text; isTyping = false; ask(); };
const fromAddress = () => {
  const text = location.hash.slice(1);
  try { put(text ? decodeURIComponent(text) : input.defaultValue); } catch { put(text); } // a link that was cut
};

input.addEventListener("input", () => { isTyping = true; ask(); });
for (const choice of document.querySelectorAll("[name=quantity]")) choice.addEventListener("change", draw);
for (const example of document.querySelectorAll("[data-example]")) example.addEventListener("click", () => put(example.dataset.example));
byId("stop").addEventListener("click", () => { asker.stop(); input.focus(); });
byId("csv").addEventListener("click", () => saveAs("odds.csv", "text/csv", csvOf(view.pictures)));
byId("json").addEventListener("click", () => saveAs("odds.json", "application/json", JSON.stringify(view.answer, null, 2)));
byId("link").addEventListener("click", () => copy(location.href, said));
byId("copy").addEventListener("click", () => copy(view.command, said));
addEventListener("hashchange", () => { isFinished = true; fromAddress(); });
byId("language").open = innerWidth >= 1152;
fromAddress();
list();
