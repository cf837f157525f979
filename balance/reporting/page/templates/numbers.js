// The numbers of each table and figure as a file, with all their digits, and a field that searches a long table.
(() => {
  const MOST_ROWS = 20;
  const NUMBER = /^[<>≈~±]?\s?[+−-]?[\d.,]+\s?(%|pp)?(\s?±.*|\s?\(.*\))?$/;  // a text that is its number, with its interval or not
  const PLAIN = /^[+−-]?[\d,]*\.?\d+$/;  // a number that is written out
  const LIVE = /^[=+\-@\t\r|]/;  // what a spreadsheet would work out
  const text = node => node.textContent.trim().replace(/\s+/g, " ");

  const quoted = value => {
    if (typeof value === "number") return String(value);
    const safe = LIVE.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const csv = ({ columns, rows }) =>
    [columns, ...rows].map(row => row.map(value => quoted(value ?? "")).join(",") + "\r\n").join("");

  const tableNumbers = (table, heads) => {
    const rows = [...table.tBodies[0].rows], bare = !table.classList.contains("sortable"), columns = [];
    const isNumber = cell => cell.dataset.sort !== undefined && (bare || NUMBER.test(text(cell)));
    heads.forEach((head, at) => {
      const cells = rows.map(row => row.cells[at]), name = text(head) || "name";
      const unit = at || !bare ? head.dataset.unit ?? (bare ? table.dataset.unit ?? "" : "") : "";
      const plain = unit ? name.replace(/,? %/, "") : name;
      const withUnit = word => unit && !(name + word).includes(unit) ? `${plain}${word} (${unit})` : `${unit === "%" ? name : plain}${word}`;
      const some = cells.some(isNumber), ends = cells.some(cell => cell.dataset.low !== undefined);
      const words = cell => text(cell) === "–" ? "" : text(cell);
      const written = cells.map(words).filter(Boolean), all = written.length && written.every(each => PLAIN.test(each));
      const digits = word => word === "" ? "" : Number(word.replace("−", "-").replaceAll(",", ""));
      const value = cell => isNumber(cell) ? Number(cell.dataset.sort) : all ? digits(words(cell)) : some ? "" : words(cell);
      const rest = some && !all && cells.some(cell => !isNumber(cell) && words(cell));
      if (some || !ends) columns.push([some || all ? withUnit("") : name, cells.map(value)]);
      if (rest) columns.push([`${name}, in words`, cells.map(cell => isNumber(cell) ? "" : words(cell))]);
      for (const [word, key] of ends ? [["lower", "low"], ["upper", "high"]] : [])
        columns.push([withUnit(`, ${word}`), cells.map(cell => key in cell.dataset ? Number(cell.dataset[key]) : "")]);
    });
    return { columns: columns.map(([name]) => name), rows: rows.map((_, at) => columns.map(([, values]) => values[at])) };
  };

  const save = (name, type, content) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  const pairs = list => list ? [...list.children].map(row => [text(row.children[0]), text(row.children[1])]) : [];
  const about = (figure, name, { columns, rows }) => JSON.stringify({
    report: text(document.querySelector("h1")),
    part: name,
    shows: text(figure.querySelector("figcaption")),
    columns,
    rows: rows.length,
    notes: [...figure.querySelectorAll("p.foot")].map(text),
    meaning: Object.fromEntries(pairs(figure.querySelector(".tips"))),
    source: Object.fromEntries(pairs(document.querySelector("footer .facts"))),
    table: figure.querySelector(".data a[download]")?.getAttribute("href"),
  }, null, 2) + "\n";

  const stem = text(document.querySelector("h1")).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40);
  const button = (label, more, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.append(label);
    const rest = document.createElement("span");
    rest.className = "hidden";
    rest.textContent = more;
    made.append(rest);
    made.addEventListener("click", action);
    return made;
  };

  for (const figure of document.querySelectorAll("figure.wide")) {
    const table = figure.querySelector("table"), holder = figure.querySelector("script.numbers");
    if (!table && !holder) continue;
    const name = text(figure.querySelector(".number")).replace(/\.$/, ""), file = `${stem || "report"}-${figure.id}`;
    const heads = table && [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const numbers = () => table ? tableNumbers(table, heads) : JSON.parse(holder.textContent);
    let line = figure.querySelector(".data");
    if (!line) {
      line = document.createElement("p");
      line.className = "data";
      figure.append(line);
    }
    line.prepend(
      button("CSV", ` of ${name}`, () => save(`${file}.csv`, "text/csv;charset=utf-8", csv(numbers()))),
      button("About", ` ${name}`, () => save(`${file}.json`, "application/json", about(figure, name, numbers()))),
    );
    if (table && table.tBodies[0].rows.length > MOST_ROWS) search(figure, table, name);
  }

  function search(figure, table, name) {
    const rows = [...table.tBodies[0].rows], words = rows.map(row => text(row).toLowerCase());
    const box = document.createElement("p"), label = document.createElement("label");
    const field = document.createElement("input"), count = document.createElement("output");
    box.className = "search";
    field.type = "search";
    label.append(`Search ${name} `, field);
    count.setAttribute("role", "status");
    box.append(label, count);
    figure.querySelector(".scroll").before(box);
    const show = () => {
      const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, at) => {
        row.hidden = !asked.every(word => words[at].includes(word));
        shown += !row.hidden;
      });
      count.textContent = shown === rows.length ? `${shown} rows` : `${shown} of ${rows.length} rows`;
    };
    field.addEventListener("input", show);
    show();
  }
})();
