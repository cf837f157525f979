"use strict";
// What both pages share: parts that the page holds packed, charts that tell their numbers, tables, files and links.
const byId = id => document.getElementById(id);
const unpacked = async name => {
  const letters = atob(byId(name).textContent.trim()), bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at); // five times as fast as Uint8Array.from
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};

// A bar chart of one distribution that tells its numbers under the pointer, or by the arrow keys once it has the focus.
const SVG = "http://www.w3.org/2000/svg";
const element = (name, attributes = {}, ...children) => {
  const node = SVG_NAMES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const SVG_NAMES = new Set(["svg", "rect", "line", "text", "path"]);
const TOP = 24, UNDER = 28; // room above the bars, and for the names below them
const LETTER = 9, WIDE = innerWidth < 480 ? 400 : 800; // the width of a letter in a drawing, and of a drawing

const chartOf = (picture, quantity, WIDTH = WIDE, HEIGHT = 240) => {
  const FLOOR = HEIGHT - UNDER;
  const { label, about, names } = picture, shares = picture[quantity] ?? picture.chances, old = picture.before ?? [];
  const highest = Math.max(...shares, ...old), step = WIDTH / names.length, gap = step > 6 ? Math.min(step * .2, 12) : 0;
  const heightOf = share => FLOOR - (highest ? share / highest * (FLOOR - TOP) : 0), tops = shares.map(heightOf);
  const bars = tops.map((y, place) => element("rect", { class: "bar", x: place * step + gap / 2, y, width: step - gap, height: FLOOR - y }));
  const numbers = shares.map(shortPercent), hasRoom = step > LETTER * Math.max(...numbers.map(text => text.length));
  const scale = hasRoom ? tops.map((y, place) => element("text", { x: (place + .5) * step, y: y - 5 }, numbers[place])) : gridOf(highest, WIDTH, FLOOR);
  const everyNth = nthOf(names, WIDTH);
  const ticks = names.flatMap((name, place) => place % everyNth ? [] :
    [nameAt((place + .5) * step, name, WIDTH, HEIGHT)]);
  const marks = old.map(heightOf).map((y, place) => element("line", { class: "was", x1: place * step, x2: (place + 1) * step, y1: y, y2: y }));
  const drawing = drawingOf(`${label}. ${about}`, WIDTH, HEIGHT, [...bars, ...marks, ...scale, ...ticks]);
  const reading = element("p", { class: "reading", "aria-live": "polite" }, about);
  onReading(drawing, names.length, (place, before) => {
    bars[before]?.classList.remove("at");
    bars[place].classList.add("at");
    reading.textContent = readingOf(picture, place);
  });
  return element("figure", {}, element("figcaption", {}, label, ...(picture.before ? [element("span", { class: "quiet" }, ", with marks where it was")] : [])), drawing, reading);
};
const nthOf = (names, WIDTH) => Math.ceil(names.length * (1 + Math.max(...names.map(name => name.length))) * (LETTER - 1) / WIDTH); // which of all names have room
const nameAt = (x, name, WIDTH, HEIGHT) => {
  const half = name.length * LETTER * .42;
  return element("text", { x: Math.min(Math.max(x, half), WIDTH - half), y: HEIGHT - 6 }, name);
};
const drawingOf = (label, WIDTH, HEIGHT, parts) => element("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMinYMid", tabindex: 0, role: "img",
  "aria-label": `${label} Arrow keys read the numbers.` }, ...parts, element("line", { class: "base", x1: 0, x2: WIDTH, y1: HEIGHT - UNDER, y2: HEIGHT - UNDER }));
// Calls `read` with the place of n under the pointer or the arrow keys, and the place before.
const onReading = (drawing, n, read) => {
  let at = -1;
  const go = place => {
    const before = at;
    at = Math.max(0, Math.min(n - 1, place));
    read(at, before);
  };
  drawing.addEventListener("pointermove", event => {
    const box = drawing.getBoundingClientRect(), { width, height } = drawing.viewBox.baseVal;
    go(Math.floor((event.clientX - box.left) / Math.min(box.width, box.height * width / height) * n));
  });
  drawing.addEventListener("keydown", event => {
    const place = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: n - 1 }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    go(place);
  });
};
const gridOf = (highest, WIDTH, FLOOR) => { // an axis: two to five lines of round chances
  if (!highest) return [];
  const power = 10 ** Math.floor(Math.log10(highest)), step = [.2, .5, 1, 2].map(part => part * power).find(part => highest / part < 6);
  return Array.from({ length: Math.floor(highest / step + 1e-9) }, (_, place) => (place + 1) * step).flatMap(share => {
    const y = FLOOR - share / highest * (FLOOR - TOP);
    return [element("line", { class: "grid", x1: 0, x2: WIDTH, y1: y, y2: y }), element("text", { class: "axis", x: 2, y: y - 4 }, `${Number((100 * share).toPrecision(3))}%`)];
  });
};

const readingOf = ({ names, chances, at_least, at_most, exactly, intervals, before, quantity }, place) => {
  const words = [`${quantity} ${names[place]}: ${percent(chances[place])}`];
  if (exactly?.[place]) words[0] += ` = ${exactly[place]}`;
  if (intervals?.[place]) words[0] += ` (95% interval ${intervals[place]})`;
  if (before) words.push(`was ${percent(before[place])}`);
  if (at_least) words.push(`at least ${names[place]}: ${percent(at_least[place])}`);
  if (at_most) words.push(`at most ${names[place]}: ${percent(at_most[place])}`);
  return words.join("; ");
};
const shortPercent = share => share > 0 && share < 5e-4 ? "<0.1%" : share > .9995 && share < 1 ? ">99.9%" : `${Number((100 * share).toFixed(1))}%`;
const percent = share => share > 0 && share < 1e-4 ? "<0.01%" : `${(100 * share).toFixed(2)}%`;

// The columns of a distribution: their heads in a table, in a file, and what stands in them.
const columnsOf = ({ names, chances, at_least, at_most, exactly, intervals, quantity }) => [
  [quantity, "value", names], ["chance", "chance", chances], ["at least", "at_least", at_least], ["at most", "at_most", at_most],
  ["exactly", "exactly", exactly], ["95% interval", "interval", intervals]];
const tableOf = picture => {
  const columns = [...columnsOf(picture), ["was", "was", picture.before]].filter(([, , values]) => values?.some(value => value !== ""));
  const cells = (values, scope) => values.map((value, column) => {
    const text = typeof value === "number" ? percent(value) : value;
    return scope === "col" || !column ? element("th", { scope }, text) : element("td", {}, text);
  });
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table of ${picture.label}` }, element("table", {},
    element("caption", { class: "hidden" }, picture.label),
    element("thead", {}, element("tr", {}, ...cells(columns.map(([head]) => head), "col"))),
    element("tbody", {}, ...picture.names.map((_, place) => element("tr", {}, ...cells(columns.map(([, , values]) => values[place]), "row"))))));
};
const cell = text => /[",\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : text;
const csvOf = pictures => [["distribution", ...columnsOf({}).map(([, name]) => name)].join(","), ...pictures.flatMap(picture =>
  picture.names.map((_, place) => [picture.label, ...columnsOf(picture).map(([, , values]) => values?.[place] ?? "")].map(cell).join(",")))].join("\r\n");
const saveAs = (name, type, text) => {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const copy = async (text, place) => {
  try { await navigator.clipboard.writeText(text); place.textContent = "Copied."; }
  catch { place.textContent = text; }
};
