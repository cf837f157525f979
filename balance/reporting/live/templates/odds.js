const input = byId("expressions"), figures = byId("figures"), said = byId("said");
let worker, isReady = false, busySince = 0, waiting = null, view = null, answered = null; // answered: to which text
const SLOW = 2000; // milliseconds after which an answer is given up for a newer question
let patience;

const start = async () => {
  isReady = false;
  const names = [...document.querySelectorAll("script[data-part]")].map(part => part.id);
  const contents = await Promise.all(names.map(unpacked));
  const parts = Object.fromEntries(names.map((name, place) => [name, contents[place]]));
  const modules = parts["balance.zip"];
  worker = new Worker(URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => data.ready ? begin() : show(data);
  worker.onerror = () => { byId("state").textContent = "This browser cannot run the page: it needs WebAssembly and module workers (Chrome 90, Firefox 114, Safari 16.4 or newer)."; };
  worker.postMessage({ parts, modules, home: JSON.parse(byId("home").textContent) });
};
const begin = () => { isReady = true; byId("state").textContent = ""; ask(); };

const ask = () => {
  waiting = input.value;
  markStale(waiting !== answered);
  if (!isReady) return;
  if (!busySince) return send();
  clearTimeout(patience);
  patience = setTimeout(startAgain, busySince + SLOW - performance.now());
};
const startAgain = () => { // without the answer to a question that nobody asks any more
  if (!busySince || waiting === null) return;
  worker.terminate();
  busySince = 0;
  byId("state").textContent = "Starting again …";
  start();
};
const markStale = isStale => { // what is shown answers another question than the one that stands above it
  byId("results").inert = isStale;
  byId("results").classList.toggle("stale", isStale);
  byId("results").setAttribute("aria-busy", isStale);
  byId("faults").classList.toggle("stale", isStale);
  if (isReady) byId("state").textContent = isStale ? "Working out the new question …" : "";
};
const send = () => {
  busySince = performance.now();
  worker.postMessage({ text: waiting });
  waiting = null;
};
const show = ({ text, answer }) => {
  busySince = 0;
  view = JSON.parse(answer);
  byId("faults").hidden = !view.faults;
  byId("faults").replaceChildren(...(view.faults ?? []).map(fault => element("p", {}, fault)));
  input.setAttribute("aria-invalid", Boolean(view.faults));
  byId("results").hidden = Boolean(view.faults);
  if (!view.faults) {
    byId("sentence").textContent = view.sentence;
    byId("command").textContent = view.command;
    byId("notes").replaceChildren(...view.notes.map(note => element("p", { class: "quiet" }, note)));
    draw();
    byId("tables").replaceChildren(...view.pictures.map(tableOf));
    history.replaceState(null, "", `#${encodeURIComponent(input.value.trim())}`);
  }
  answered = text;
  markStale(input.value !== text);
  document.body.dataset.answered = Number(document.body.dataset.answered ?? 0) + 1;
  if (waiting !== null) send();
};
const draw = () => {
  const quantity = document.querySelector("[name=quantity]:checked").value;
  figures.replaceChildren(...view.pictures.map(picture => chartOf(picture, quantity)));
};

input.addEventListener("input", ask);
for (const choice of document.querySelectorAll("[name=quantity]")) choice.addEventListener("change", draw);
for (const example of document.querySelectorAll("[data-example]"))
  example.addEventListener("click", () => { input.value = example.dataset.example; ask(); });
byId("csv").addEventListener("click", () => saveAs("odds.csv", "text/csv", csvOf(view.pictures)));
byId("json").addEventListener("click", () => saveAs("odds.json", "application/json", JSON.stringify(view.answer, null, 2)));
byId("link").addEventListener("click", () => copy(location.href, said));
byId("copy").addEventListener("click", () => copy(view.command, said));
const fromAddress = () => { if (location.hash.length > 1) input.value = decodeURIComponent(location.hash.slice(1)); };
addEventListener("hashchange", () => { fromAddress(); ask(); });
addEventListener("DOMContentLoaded", start);
fromAddress();
