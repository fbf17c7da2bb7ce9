// A heading of a sortable table sorts by its column: numbers the most first, names by the alphabet.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  headings.forEach((heading, column) => heading.addEventListener("click", () => {
    const is = (row) => row.cells[column].dataset.is;
    const rows = [...body.rows];
    const numbers = rows.every((row) => is(row) !== "" && !Number.isNaN(Number(is(row))));
    body.append(...rows.sort((a, b) => (numbers ? is(b) - is(a) : is(a).localeCompare(is(b)))));
    for (const one of headings) one.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", numbers ? "descending" : "ascending");
  }));
}
