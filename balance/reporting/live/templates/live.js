"use strict";
// What both pages share: parts that the page holds packed, charts that tell their numbers, tables, files and links.
const byId = id => document.getElementById(id);
const unpacked = async name => {
  const letters = atob(byId(name).textContent.trim()), bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
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
const SVG_NAMES = new Set(["svg", "rect", "line", "text"]);
const TOP = 8, UNDER = 28; // room above the bars, and for the names below them

const chartOf = (picture, quantity, WIDTH = 800, HEIGHT = 240) => {
  const FLOOR = HEIGHT - UNDER;
  const { label, about, names } = picture, shares = picture[quantity] ?? picture.chances;
  const highest = Math.max(...shares), step = WIDTH / names.length, gap = step > 6 ? Math.min(step * .2, 12) : 0;
  const bars = shares.map((share, place) => {
    const height = highest ? share / highest * (FLOOR - TOP) : 0;
    return element("rect", { class: "bar", x: place * step + gap / 2, y: FLOOR - height, width: step - gap, height });
  });
  const everyNth = Math.ceil(names.length * Math.max(...names.map(name => name.length)) * (WIDTH > 600 && innerWidth < 480 ? 17 : 10) / WIDTH);
  const ticks = names.flatMap((name, place) => place % everyNth ? [] :
    [element("text", { x: Math.min(Math.max((place + .5) * step, 16), WIDTH - 16), y: HEIGHT - 6 }, name)]);
  const drawing = element("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMinYMid", tabindex: 0, role: "img",
    "aria-label": `${label}. ${about} Arrow keys read the bars.` },
    ...bars, element("line", { class: "base", x1: 0, x2: WIDTH, y1: FLOOR, y2: FLOOR }), ...ticks);
  const reading = element("p", { class: "reading", "aria-live": "polite" });
  let at = -1;
  const read = place => {
    bars[at]?.classList.remove("at");
    at = Math.max(0, Math.min(names.length - 1, place));
    bars[at].classList.add("at");
    reading.textContent = readingOf(picture, at);
  };
  drawing.addEventListener("pointermove", event => {
    const box = drawing.getBoundingClientRect();
    const wide = Math.min(box.width, box.height * WIDTH / HEIGHT), left = box.left;
    read(Math.floor((event.clientX - left) / wide * names.length));
  });
  drawing.addEventListener("keydown", event => {
    const place = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    read(place);
  });
  reading.textContent = about;
  return element("figure", {}, element("figcaption", {}, label), drawing, reading);
};

const readingOf = ({ names, chances, at_least, exactly, quantity }, place) => {
  const words = [`${quantity} ${names[place]}: ${percent(chances[place])}`];
  if (exactly?.[place]) words[0] += ` = ${exactly[place]}`;
  if (at_least) words.push(`at least ${names[place]}: ${percent(at_least[place])}`);
  return words.join("; ");
};
const percent = share => share > 0 && share < 1e-4 ? "<0.01%" : `${(100 * share).toFixed(2)}%`;

const tableOf = ({ names, chances, at_least, exactly, quantity, label }) => {
  const heads = [quantity, "chance", ...(at_least ? ["at least"] : []), ...(exactly?.some(text => text) ? ["exactly"] : [])];
  const row = place => [names[place], percent(chances[place]), ...(at_least ? [percent(at_least[place])] : []),
    ...(heads.includes("exactly") ? [exactly[place]] : [])];
  const cells = (texts, scope) => texts.map((text, column) =>
    scope === "col" || !column ? element("th", { scope }, text) : element("td", {}, text));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table of ${label}` }, element("table", {},
    element("caption", { class: "hidden" }, label),
    element("thead", {}, element("tr", {}, ...cells(heads, "col"))),
    element("tbody", {}, ...names.map((_, place) => element("tr", {}, ...cells(row(place), "row"))))));
};
const cell = text => /[",\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : text;
const csvOf = pictures => ["distribution,value,chance,at_least,exactly", ...pictures.flatMap(({ label, names, chances, at_least, exactly }) =>
  names.map((name, place) => [label, name, chances[place], at_least?.[place] ?? "", exactly?.[place] ?? ""].map(cell).join(",")))].join("\r\n");
const saveAs = (name, type, text) => {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const copy = async (text, place) => {
  try { await navigator.clipboard.writeText(text); place.textContent = "Copied."; }
  catch { place.textContent = text; }
};
