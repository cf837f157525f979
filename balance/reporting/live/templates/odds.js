const input = byId("expressions"), figures = byId("figures"), said = byId("said");
let view = null, answered = null, isReady = false; // answered: to which text
const CANNOT = "This browser cannot run the page: it needs WebAssembly and module workers (Chrome 90, Firefox 114, Safari 16.4 or newer).";
const asker = startAsker({
  home: JSON.parse(byId("home").textContent),
  onReady: () => { isReady = true; byId("state").textContent = ""; ask(); },
  onFail: () => { byId("state").textContent = CANNOT; },
});
const ask = () => {
  const text = input.value;
  markStale(text !== answered);
  asker.ask(text, { onAnswer: answer => show(text, answer) });
};
const markStale = isStale => { // what is shown answers another question than the one that stands above it
  byId("results").inert = isStale;
  byId("results").classList.toggle("stale", isStale);
  byId("results").setAttribute("aria-busy", isStale);
  byId("faults").classList.toggle("stale", isStale);
  if (isReady) byId("state").textContent = isStale ? "Working out the new question …" : "";
};
const show = (text, answer) => {
  if (answer.stopped || answer.failure) return;
  view = answer;
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
fromAddress();
