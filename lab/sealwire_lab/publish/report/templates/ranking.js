// SPDX-License-Identifier: Apache-2.0
// Filters and sorting of the ranking table. Without this script the table stands as it is, and the filters stay hidden.
"use strict";

(() => {
  const table = document.querySelector("table.ranking");
  const form = document.querySelector("form.filters");
  const order = document.getElementById("order");
  const status = document.getElementById("count");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);

  // Addresses carry the choice, so that a filtered table can be linked to.
  const chosen = () => new URLSearchParams(location.hash.slice(1));

  function filter() {
    const wanted = Array.from(form.querySelectorAll("select")).filter((select) => select.value);
    const published = form.elements.published.checked;
    let shown = 0;
    for (const row of rows) {
      const fits =
        (published || !row.classList.contains("published")) &&
        wanted.every((select) => row.dataset[select.name] === select.value);
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    status.textContent = shown === 0 ? "No result fits; choose fewer filters." : `${shown} of ${rows.length} results.`;
    const address = new URLSearchParams();
    for (const select of wanted) address.set(select.name, select.value);
    if (published) address.set("published", "1");
    const text = address.toString();
    if (text !== location.hash.slice(1)) history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  }

  function value(row, column, kind) {
    const cell = row.cells[column];
    if (kind === "text") return (cell.dataset.value ?? cell.textContent).trim().toLowerCase();
    return cell.dataset.value === "" ? null : Number(cell.dataset.value);
  }

  function sort(head) {
    const column = heads.indexOf(head);
    const kind = head.dataset.kind;
    const first = head.dataset.first || "ascending";
    const now = head.getAttribute("aria-sort");
    const order = now === null ? first : now === "ascending" ? "descending" : "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    rows.sort((a, b) => {
      const left = value(a, column, kind);
      const right = value(b, column, kind);
      if (left === right) return 0;
      if (left === null) return 1; // what has no figure stays at the end, whichever way
      if (right === null) return -1;
      return left < right ? -sign : sign;
    });
    body.append(...rows);
  }

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    const unit = head.querySelector(".unit");
    button.append(head.firstChild);
    head.prepend(button);
    if (unit) button.setAttribute("aria-label", `${button.textContent} ${unit.textContent}`);
    button.addEventListener("click", () => {
      sort(head);
      order.value = String(heads.indexOf(head));
    });
    order.add(new Option(unit ? `${button.textContent}, ${unit.textContent}` : button.textContent, String(order.length)));
    if (head.hasAttribute("aria-sort")) order.value = String(order.length - 1);
  }
  order.addEventListener("change", () => {
    for (const other of heads) other.removeAttribute("aria-sort");
    sort(heads[Number(order.value)]);
  });
  order.closest("p").hidden = false;

  // Where the table is a list of cards, filters would fill the first screen.
  const narrow = matchMedia("(max-width: 760px)");
  const fold = () => (form.closest("details").open = !narrow.matches);
  narrow.addEventListener("change", fold);
  fold();

  const given = chosen();
  for (const select of form.querySelectorAll("select")) {
    const wanted = given.get(select.name);
    if (wanted && Array.from(select.options).some((option) => option.value === wanted)) select.value = wanted;
  }
  form.elements.published.checked = given.get("published") === "1";
  form.hidden = false;
  form.addEventListener("change", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
