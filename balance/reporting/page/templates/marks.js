// Pointing at a mark of a figure, tapping it, or walking over the marks with the arrow keys tells its numbers.
(() => {
  const SHARE = / \(share\)$/, LOWER = /(^|, )lower( \(share\))?$/;
  const narrow = matchMedia("(max-width: 42rem)");
  const digits = value => (Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3))))
    .replace("-", "−");
  const show = (value, name) => SHARE.test(name) ? `${digits(100 * value)}%` : digits(value);

  const told = (columns, row) => {
    const lines = [];
    let last = "";
    for (let at = 1; at < columns.length; at++) {
      const name = columns[at], value = row[at], label = name.replace(SHARE, "");
      if (LOWER.test(name)) {
        const high = row[++at], range = `${show(value, name)} to ${show(high, name)}`;
        if (value === null || high === null) continue;
        const of = label.replace(LOWER, "");
        if (of && of !== last) lines.push(`${of}: ${range}`);
        else if (value !== high) lines[lines.length - 1] += ` (${range})`;
      } else if (typeof value === "number") lines.push(`${last = label}: ${show(value, name)}`);
      else if (value) lines.push(/^\d/.test(value) ? `${label}: ${value}` : value);
    }
    return lines;
  };
  const title = ([name], row) => typeof row[0] === "number" ? `${name}: ${show(row[0], name)}` : row[0];

  for (const figure of document.querySelectorAll(".picture")) {
    const holder = figure.querySelector("script.numbers");
    if (!holder) continue;
    const marks = JSON.parse(holder.textContent), { rows, columns, spread } = marks;
    const image = figure.querySelector("img"), source = figure.querySelector("source");
    const reader = document.createElement("div"), ring = document.createElement("i"), tip = document.createElement("div");
    reader.className = "reader";
    reader.tabIndex = 0;
    ring.className = "ring";
    tip.className = "tip";
    ring.hidden = tip.hidden = true;
    const attributes = {
      role: "slider", "aria-label": `Marks of ${figure.querySelector(".number").textContent.trim().replace(/\.$/, "")}`,
      "aria-valuemin": 1, "aria-valuemax": rows.length, "aria-orientation": "vertical",
    };
    for (const [name, value] of Object.entries(attributes)) reader.setAttribute(name, value);
    reader.append(ring, tip);
    figure.querySelector(".plot").append(reader);

    const starts = rows.flatMap((row, at) => at && row[0] === rows[at - 1][0] ? [] : [at]);
    const stride = marks.wide.length / rows.length;  // across, down, and half the width of marks that have one
    let current = 0;
    const place = at => {
      const isNarrow = narrow.matches && source, flat = isNarrow ? marks.narrow : marks.wide;
      const scale = image.clientWidth / Number((isNarrow ? source : image).getAttribute("width"));
      return flat.slice(stride * at, stride * (at + 1)).map(length => length * scale);
    };
    const name = at => {
      current = at;
      reader.setAttribute("aria-valuenow", at + 1);
      reader.setAttribute("aria-valuetext", [title(columns, rows[at]), ...told(columns, rows[at])].join(", "));
    };
    const point = at => {
      name(at);
      const [x, y] = place(at), head = document.createElement("strong");
      head.textContent = title(columns, rows[at]);
      tip.replaceChildren(head, ...told(columns, rows[at]).map(line => {
        const part = document.createElement("span");
        part.textContent = line;
        return part;
      }));
      ring.hidden = tip.hidden = false;
      ring.style.left = `${x}px`;
      ring.style.top = `${y}px`;
      tip.style.left = `${Math.max(0, Math.min(x - tip.offsetWidth / 2, reader.clientWidth - tip.offsetWidth))}px`;
      tip.style.top = y > tip.offsetHeight + 14 ? `${y - tip.offsetHeight - 14}px` : `${y + 14}px`;
    };
    const hide = () => { ring.hidden = tip.hidden = true; };
    const nearest = event => {
      const box = reader.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      const [across, down] = { x: [1, .001], y: [.001, 1], both: [1, 1] }[spread];
      const far = rows.map((_, at) => {
        const [left, top, half = 0] = place(at);
        return Math.hypot(across * Math.max(0, Math.abs(left - x) - half), down * (top - y));
      });
      return far.indexOf(Math.min(...far));
    };
    const step = (key, at) => {
      const group = starts.findLastIndex(start => start <= at), jump = Math.sign({ ArrowUp: -1, ArrowDown: 1 }[key] ?? 0);
      const next = starts[group + jump];
      if (jump && starts.length < rows.length) return next === undefined ? at
        : Math.min(next + at - starts[group], (starts[group + jump + 1] ?? rows.length) - 1);
      return { Home: 0, End: rows.length - 1, ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1 }[key];
    };

    name(0);
    for (const kind of ["pointermove", "pointerdown"]) reader.addEventListener(kind, event => point(nearest(event)));
    reader.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") hide(); });
    reader.addEventListener("focus", () => point(current));
    reader.addEventListener("blur", hide);
    reader.addEventListener("keydown", event => {
      if (event.key === "Escape") hide();
      const next = step(event.key, current);
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      point(Math.max(0, Math.min(rows.length - 1, next)));
    });
  }
})();
