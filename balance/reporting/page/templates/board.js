"use strict";
(() => {
  const byId = id => document.getElementById(id);
  const { frames, texts } = JSON.parse(byId("story").textContent);
  const last = frames.length - 1;
  const tokens = [...document.querySelectorAll("#board .token")];
  const states = [...document.querySelectorAll(".units .state")];
  const steps = [...document.querySelectorAll(".steps > li")].sort((a, b) => a.value - b.value);
  const list = document.querySelector(".turns");
  let at = -1, timer = 0;

  const draw = frame => {
    frame.units.forEach(([x, y, bar, marks, state], unit) => {
      const token = tokens[unit];
      token.classList.toggle("off", x === 0);
      if (x !== 0) token.style.transform = `translate(${x}px, ${y}px)`;
      token.querySelector(".left").setAttribute("width", bar);
      token.querySelector(".marks").innerHTML = texts[marks];
      states[unit].textContent = texts[state];
    });
    byId("under").innerHTML = texts[frame.under];
    byId("over").innerHTML = texts[frame.over];
  };

  const score = rows => byId("score").tBodies[0].replaceChildren(...rows.map(row => {
    const line = document.createElement("tr");
    row.forEach((text, place) => {
      const cell = document.createElement(place ? "td" : "th");
      if (!place) cell.scope = "row";
      cell.textContent = texts[text];
      line.append(cell);
    });
    return line;
  }));

  const tell = () => {
    const now = steps[at].cloneNode(true);
    for (const link of now.querySelectorAll("a")) link.replaceWith(...link.childNodes);
    const when = now.querySelector(".when");
    byId("round").textContent = when.textContent = when.textContent.replace(/\. $/, "");
    byId("now").replaceChildren(...now.childNodes);
    byId("count").textContent = `Step ${at} of ${last}`;
    byId("bar").value = at;
    for (const id of ["first", "back"]) byId(id).disabled = at === 0;
    for (const id of ["forward", "last"]) byId(id).disabled = at === last;
    for (const step of steps) step.removeAttribute("aria-current");
    steps[at].setAttribute("aria-current", "step");
    const box = list.getBoundingClientRect(), line = steps[at].getBoundingClientRect();
    list.scrollTop += line.top - box.top - (box.height - line.height) / 2;
  };

  const go = wanted => {
    const next = Math.max(0, Math.min(last, wanted));
    if (next === at) return;
    at = next;
    draw(frames[at]);
    score(frames[at].score);
    tell();
    history.replaceState(null, "", `#${at}`);
  };

  const play = on => {
    clearTimeout(timer);
    timer = 0;
    byId("play").textContent = on ? "Pause" : "Play";
    byId("play").setAttribute("aria-pressed", String(on));
    byId("now").setAttribute("aria-live", on ? "off" : "polite");
    if (!on) return;
    if (at === last) go(0);
    const next = () => {
      go(at + 1);
      if (at === last) play(false);
      else timer = setTimeout(next, 900 + Math.min(1800, 14 * byId("now").textContent.length));
    };
    timer = setTimeout(next, 700);
  };

  const by = (move) => () => { play(false); go(move()); };
  const moves = { Home: by(() => 0), ArrowLeft: by(() => at - 1), ArrowRight: by(() => at + 1), End: by(() => last) };
  byId("first").addEventListener("click", moves.Home);
  byId("back").addEventListener("click", moves.ArrowLeft);
  byId("forward").addEventListener("click", moves.ArrowRight);
  byId("last").addEventListener("click", moves.End);
  byId("play").addEventListener("click", () => play(!timer));
  byId("bar").addEventListener("input", () => { play(false); go(Number(byId("bar").value)); });

  document.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === " " && !event.target.closest("button, a")) {
      event.preventDefault();
      play(!timer);
    } else if (moves[event.key]) {
      event.preventDefault();
      moves[event.key]();
    }
  });
  list.addEventListener("click", event => {
    const step = event.target.closest(".steps > li");
    if (!step || getSelection().toString()) return;
    event.preventDefault();
    play(false);
    go(step.value);
  });

  const asked = () => Number(/^#(\d{1,6})$/.exec(location.hash)?.[1] ?? 0);
  addEventListener("hashchange", () => { play(false); go(asked()); });
  document.documentElement.classList.add("js");
  for (const step of steps) step.removeAttribute("id"); // the fragment names a step, and is no place to scroll to
  history.scrollRestoration = "manual";
  scrollTo(0, 0);
  go(asked());
})();
