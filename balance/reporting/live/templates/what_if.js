let held, turned = new Map(); // dial -> place of its value, for those that were moved

const keyOf = (setting, read) => [...setting].filter(([dial]) => read.has(dial)).sort(([a], [b]) => a - b).map(pair => pair.join(":")).join(",");
const answerTo = (kind, setting) => {
  const { places, answers, forbidden, readSet } = held.kinds[kind], key = keyOf(setting, readSet);
  return { answer: answers[places[key]], reason: forbidden[key] };
};
const withDial = (dial, place) => {
  const setting = new Map(turned);
  if (place === held.dials[dial].base) setting.delete(dial); else setting.set(dial, place);
  return setting;
};

// -- what a terminal would be asked -----------------------------------------------------------------------------------
const quote = text => /^[\w.,:=+@%/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
const commandOf = (kind, setting) => {
  const sets = new Map(held.kinds[kind].set.map(text => text.split(/=(.*)/s).slice(0, 2))), words = [];
  for (const [dial, place] of setting) {
    const { option, texts, sets: { [kind]: set } } = held.dials[dial];
    if (!set) continue;
    if (set.group === "first") words.push("--first", texts[place]);
    else if (set.group === "choices") words.push("--choose", quote(`${set.path}=${texts[place]}`));
    else if (option) {
      const now = sets.get(set.path)?.split(",").filter(word => word) ?? set.several;
      sets.set(set.path, now.includes(option) ? now.filter(word => word !== option).join(",") : [...now, option].join(","));
    } else sets.set(set.path, texts[place]);
  }
  return [held.kinds[kind].command, ...[...sets].flatMap(([path, text]) => ["--set", quote(`${path}=${text}`)]), ...words].join(" ");
};

// -- numbers ----------------------------------------------------------------------------------------------------------
const shown = (number, share) => share ? percentOf(number) : Math.abs(number) >= 100 ? number.toFixed(1) : String(Number(number.toPrecision(4)));
const percentOf = share => share > 0 && share < 5e-4 ? "<0.1%" : `${(100 * share).toFixed(1)}%`;
const signed = (change, share) => {
  const text = share ? (100 * change).toFixed(1) : String(Number(change.toPrecision(3)));
  return `${change > 0 ? "+" : ""}${text.replace("-", "−")}${share ? " points" : ""}`;
};

// -- the answers ------------------------------------------------------------------------------------------------------
const show = () => {
  for (const kind of Object.keys(held.kinds)) showKind(kind);
  showSteps();
  for (const [dial, { texts, form }] of held.dials.entries()) {
    const place = turned.get(dial) ?? held.dials[dial].base, box = document.querySelector(`[data-dial="${dial}"]`);
    box.classList.toggle("turned", turned.has(dial));
    if (form === "slider") {
      box.querySelector("output").textContent = turned.has(dial) ? `${texts[held.dials[dial].base]} → ${texts[place]}` : texts[place];
      byId(`d${dial}`).setAttribute("aria-valuetext", texts[place]);
    }
  }
  history.replaceState(null, "", turned.size ? `#${linkOf()}` : location.pathname + location.search);
  byId("reset").disabled = !turned.size;
  document.body.dataset.answered = Number(document.body.dataset.answered ?? 0) + 1;
};
const showKind = kind => {
  const { answers, share, results } = held.kinds[kind], printed = answers[0], { answer, reason } = answerTo(kind, turned);
  const section = byId(kind), now = section.querySelector(".now"), figure = section.querySelector(".figure");
  section.querySelector("details").hidden = !answer;
  if (!answer) {
    const words = reason ? [reason] : ["Not in this page: so many changes at once were not worked out, or it is too large to be exact. In a terminal: ", element("code", {}, commandOf(kind, turned))];
    now.replaceChildren(element("p", {}, ...words));
    return figure.replaceChildren();
  }
  const change = answer.score - printed.score;
  const before = answer === printed ? "" : Math.abs(change) < 1e-12 ? "As before." : `Before: ${shown(printed.score, share)}; now ${signed(change, share)}.`;
  const lines = share
    ? Object.entries(results).filter(([name]) => name !== "draw" || answer.p_win.draw > 5e-4).sort(([a], [b]) => (a === "draw") - (b === "draw"))
        .map(([name, label]) => element("p", { class: "result" }, element("b", {}, percentOf(answer.p_win[name])), ` ${label}`, element("meter", { min: 0, max: 1, value: answer.p_win[name], "aria-label": label })))
    : [element("p", { class: "sentence" }, answer.sentence)];
  now.replaceChildren(...lines, element("p", { class: "before" }, before));
  figure.replaceChildren(...picturesOf(kind, answer).filter(({ names }) => names.length > 1).map(picture => chartOf(picture, "chances", 400, 150)));
  section.querySelector(".means").replaceChildren(meansTable(kind, answer, printed), element("p", {}, "In a terminal: ", element("code", {}, commandOf(kind, turned))));
};
const picturesOf = (kind, answer) => Object.entries(answer.pmf).map(([column, chances]) => {
  const { columns } = held.kinds[kind], label = `${columns[column]}: ${shown(answer.mean[column])} on average`;
  const shownChances = Object.entries(chances).map(([value, chance]) => [Number(value), chance]).sort(([a], [b]) => a - b).filter(([, chance]) => chance > 5e-4);
  return { label, about: "", quantity: columns[column], names: shownChances.map(([value]) => String(value)), chances: shownChances.map(([, chance]) => chance) };
});
const meansTable = (kind, answer, printed) => {
  const { columns, meanings, share } = held.kinds[kind], rows = Object.keys(answer.mean).filter(column => !(share && column === "winner"));
  const head = texts => element("tr", {}, ...texts.map(text => element("th", { scope: "col" }, text)));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Averages of ${kind}` }, element("table", {},
    element("caption", { class: "hidden" }, `Averages of ${kind}`), element("thead", {}, head(["average", "now", "before"])),
    element("tbody", {}, ...rows.map(column => element("tr", {}, element("th", { scope: "row", title: meanings[column] }, columns[column]),
      element("td", {}, shown(answer.mean[column])), element("td", {}, shown(printed.mean[column])))))));
};
const showSteps = () => {
  const [kind, column] = byId("steps").value.split("/"), { share: isShare, measures, answers: [printed] } = held.kinds[kind];
  const { answer } = answerTo(kind, turned), share = isShare && !column, score = it => column ? it.mean[column] : it.score;
  const moved = answer ? score(answer) - score(printed) : 0;
  byId("summary").textContent = !answer ? "Not in this page."
    : `${measures[column]}: ${shown(score(answer), share)}${Math.abs(moved) < 1e-12 ? "" : `, ${signed(moved, share)}`}`;
  for (const [dial, { texts, base, form }] of held.dials.entries()) {
    const place = turned.get(dial) ?? base, near = form === "slider" ? [place - 1, place + 1] : form === "switch" ? [1 - place] : [];
    const words = near.filter(next => next in texts).flatMap(next => {
      const step = answer && answerTo(kind, withDial(dial, next)).answer;
      if (!step) return [];
      const change = score(step) - score(answer);
      return [`${form === "switch" ? ["off", "on"][next] : texts[next]}: ${Math.abs(change) < 1e-12 ? "same" : signed(change, share)}`];
    });
    document.querySelector(`[data-dial="${dial}"] .step`).textContent = words.join(", ");
  }
};

// -- links, files -----------------------------------------------------------------------------------------------------
const linkOf = () => [...turned].map(([dial, place]) => `${encodeURIComponent(held.dials[dial].key)}=${encodeURIComponent(held.dials[dial].texts[place])}`).join("&");
const fromLink = () => {
  turned = new Map();
  for (const [key, text] of location.hash.slice(1).split("&").filter(part => part).map(part => part.split(/=(?=[^=]*$)/).map(decodeURIComponent))) {
    const dial = held.dials.findIndex(it => it.key === key), place = held.dials[dial]?.texts.indexOf(text) ?? -1;
    if (place >= 0) turned = withDial(dial, place);
  }
  for (const [dial, { base, form }] of held.dials.entries()) {
    const place = turned.get(dial) ?? base, control = byId(`d${dial}`);
    if (form === "switch") control.checked = Boolean(place); else control.value = place;
  }
};
const csv = () => ["question,what,before,now", ...Object.keys(held.kinds).flatMap(kind => {
  const { answer } = answerTo(kind, turned), [printed] = held.kinds[kind].answers, { columns } = held.kinds[kind];
  if (!answer) return [];
  const shares = Object.keys(answer.p_win ?? {}).map(name => [kind, `chance ${name}`, printed.p_win[name], answer.p_win[name]]);
  return [...shares, ...Object.keys(answer.mean).map(name => [kind, `mean ${columns[name]}`, printed.mean[name], answer.mean[name]])].map(row => row.map(cell).join(","));
})].join("\r\n");

const start = async () => {
  held = JSON.parse(new TextDecoder().decode(await unpacked("held")));
  for (const kind of Object.values(held.kinds)) kind.readSet = new Set(kind.read);
  byId("steps").value = `${Object.keys(held.kinds).at(-1)}/${Object.keys(Object.values(held.kinds).at(-1).measures)[0]}`;
  fromLink();
  for (const [dial, { form }] of held.dials.entries()) byId(`d${dial}`).addEventListener("input", ({ target }) => {
    turned = withDial(dial, form === "switch" ? Number(target.checked) : Number(target.value));
    show();
  });
  byId("state").textContent = "";
  show();
};
byId("steps").addEventListener("change", showSteps);
byId("reset").addEventListener("click", () => { history.replaceState(null, "", location.pathname); fromLink(); show(); });
byId("link").addEventListener("click", () => copy(location.href, byId("said")));
byId("csv").addEventListener("click", () => saveAs("what-if.csv", "text/csv", csv()));
addEventListener("hashchange", () => { fromLink(); show(); });
start();
