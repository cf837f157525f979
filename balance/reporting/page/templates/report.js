"use strict";
(() => {
  const value = ({ dataset: { sort, low }, textContent }) => sort ?? low ? Number(sort ?? low) : textContent.trim();
  const compare = (a, b) => typeof a === typeof b
    ? (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true }))
    : (typeof a === "number" ? -1 : 1);

  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    if (body.rows.length < 2) continue;
    [...table.tHead.rows[0].cells].forEach((head, index) => {
      if (!head.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const sign = down ? -1 : 1;
        const rows = [...body.rows];
        rows.sort((a, b) => sign * compare(value(a.cells[index]), value(b.cells[index])));
        body.append(...rows);
      });
    });
  }

  for (const figure of document.querySelectorAll(".heat")) {
    const table = figure.querySelector("table");
    const labels = table.querySelector(".labels").cells;
    const readout = document.createElement("p");
    readout.className = "readout";
    readout.setAttribute("aria-live", "polite");
    readout.textContent = "Point at or tap a cell, or move with the arrow keys, to read it here.";
    figure.querySelector(".scroll").after(readout);
    let marked = [];
    const show = cell => {
      const row = cell.parentNode.cells[0], column = labels[cell.cellIndex];
      for (const head of marked) head.classList.remove("on");
      marked = [row, column];
      for (const head of marked) head.classList.add("on");
      readout.textContent = `${row.textContent.trim()} × ${column.textContent.trim()}: ${cell.textContent.trim()}`;
      cell.title = readout.textContent;
    };
    const body = table.tBodies[0];
    let stop = body.rows[0].cells[1];
    stop.tabIndex = 0;
    const cellOf = event => event.target.closest("tbody td");
    table.addEventListener("pointerover", event => { if (cellOf(event)) show(cellOf(event)); });
    table.addEventListener("focusin", event => { if (cellOf(event)) show(cellOf(event)); });
    table.addEventListener("keydown", event => {
      const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      const cell = cellOf(event), move = moves[event.key];
      if (!cell || !move) return;
      const row = body.rows[cell.parentNode.sectionRowIndex + move[0]];
      const next = row && row.cells[cell.cellIndex + move[1]];
      event.preventDefault();
      if (!next || next.tagName !== "TD") return;
      stop.removeAttribute("tabindex");
      stop = next;
      stop.tabIndex = 0;
      stop.focus();
    });
  }

  for (const box of document.querySelectorAll(".scroll")) {
    const tell = () => {
      box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
      const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      box.tabIndex = scrolls ? 0 : -1;  // a stop for the keyboard only where there is somewhere to go
    };
    box.addEventListener("scroll", tell, { passive: true });
    new ResizeObserver(tell).observe(box);
  }

  const contents = document.querySelector("nav details");
  if (contents && matchMedia("(max-width: 66rem)").matches) contents.open = false;
})();
