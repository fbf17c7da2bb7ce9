"use strict";
/* Draws the flame graph. What a node is: page/__init__.py. */
(async () => {
  const data = JSON.parse(await inflate(document.getElementById("data").textContent.trim()));
  const [NAME, FILE, CALLER, VALUES] = [0, 1, 2, 3];
  const canvas = document.getElementById("flame");
  const tip = document.getElementById("tip");
  const search = document.getElementById("search");
  const buttons = [...document.querySelectorAll("button[data-value]")];
  const ROW = 20, LEAST = 1, PAD = 4;
  const BYTES = [1, 3];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let value = data.nodes[0][VALUES][3] > 0 ? 3 : 1;
  let zoomed = 0;
  let boxes = [];
  let theme = {};

  async function inflate(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text();
  }

  const callees = data.nodes.map(() => []);
  data.nodes.forEach((node, i) => { if (i > 0) callees[node[CALLER]].push(i); });

  function size(count) {
    if (count < 1024) return `${count} B`;
    let left = count / 1024;
    for (const unit of ["KiB", "MiB", "GiB", "TiB"]) {
      if (left < 1024 || unit === "TiB") return `${left < 10 ? left.toFixed(1) : Math.round(left)} ${unit}`;
      left /= 1024;
    }
  }
  const shown = (count) => (BYTES.includes(value) ? size(count) : `${count.toLocaleString("en")} block${count === 1 ? "" : "s"}`);
  const of = (i) => data.nodes[i][VALUES][value];
  const nameOf = (i) => data.names[data.nodes[i][NAME]];
  const fileOf = (i) => data.files[data.nodes[i][FILE]];
  const part = (count, whole) => `${(whole ? (100 * count) / whole : 0).toFixed(count < whole / 10 ? 1 : 0)} %`;

  /* One hue for each file of code, those that hold the most first. */
  const hueOfFile = new Map();
  function chooseHues() {
    const weight = new Map();
    data.nodes.forEach((node, i) => {
      const below = callees[i].reduce((sum, one) => sum + of(one), 0);
      weight.set(node[FILE], (weight.get(node[FILE]) || 0) + of(i) - below);
    });
    const hues = [22, 205, 150, 320, 48, 265, 180, 0];
    [...weight.keys()].filter((file) => data.files[file]).sort((a, b) => weight.get(b) - weight.get(a))
      .forEach((file, i) => hueOfFile.set(file, hues[i % hues.length]));
  }

  function readTheme() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["card", "ink", "mute", "rule", "mark", "empty"]) theme[name] = style.getPropertyValue(`--${name}`).trim();
  }

  function colourOf(i, found) {
    if (found) return dark.matches ? "#d9a7ff" : "#a020c0";
    const hue = hueOfFile.get(data.nodes[i][FILE]);
    if (hue === undefined) return theme.empty;
    const shade = (data.nodes[i][NAME] * 37) % 9;
    return dark.matches ? `hsl(${hue} 38% ${27 + shade}%)` : `hsl(${hue} 62% ${72 + shade}%)`;
  }

  /* The callers of what is zoomed fill the width; below it the parts are in proportion. */
  function place(width) {
    boxes = [];
    const callers = [];
    for (let i = zoomed; i >= 0; i = data.nodes[i][CALLER]) callers.unshift(i);
    callers.forEach((i, depth) => boxes.push({ i, depth, left: 0, width, whole: i !== zoomed }));
    const scale = of(zoomed) ? width / of(zoomed) : 0;
    const below = [[zoomed, callers.length, 0]];
    while (below.length) {
      const [caller, depth, start] = below.pop();
      let left = start;
      for (const i of [...callees[caller]].sort((a, b) => of(b) - of(a))) {
        const wide = of(i) * scale;
        if (wide < LEAST) break;
        boxes.push({ i, depth, left, width: wide });
        below.push([i, depth + 1, left]);
        left += wide;
      }
    }
  }

  function draw() {
    const width = canvas.clientWidth, ratio = devicePixelRatio || 1;
    place(width);
    const height = (1 + Math.max(...boxes.map((box) => box.depth))) * ROW;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = '12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
    pen.textBaseline = "middle";
    const letter = pen.measureText("m").width;
    const wanted = search.value.trim().toLowerCase();
    for (const box of boxes) {
      const found = wanted !== "" && nameOf(box.i).toLowerCase().includes(wanted);
      const top = box.depth * ROW;
      pen.globalAlpha = box.whole ? 0.55 : 1;
      pen.fillStyle = colourOf(box.i, found);
      pen.fillRect(box.left, top, Math.max(box.width - 1, 0.5), ROW - 1);
      const letters = Math.floor((box.width - 2 * PAD) / letter);
      if (letters >= 3) {
        const name = nameOf(box.i);
        pen.globalAlpha = 1;
        pen.fillStyle = found ? (dark.matches ? "#1b0a24" : "#ffffff") : theme.ink;
        pen.fillText(name.length <= letters ? name : `${name.slice(0, letters - 1)}…`, box.left + PAD, top + ROW / 2);
      }
    }
    tellFound(wanted);
    document.getElementById("told").textContent = told(zoomed);
  }

  function told(i) {
    const file = fileOf(i) ? `, ${fileOf(i)}` : "";
    return `${nameOf(i)}${file}: ${shown(of(i))}, ${part(of(i), of(0))} of all`;
  }

  /* A call within another that is found, too, does not count twice. */
  function tellFound(wanted) {
    const to = document.getElementById("found");
    if (wanted === "") { to.textContent = ""; return; }
    let sum = 0, count = 0;
    const below = [0];
    while (below.length) {
      const i = below.pop();
      if (nameOf(i).toLowerCase().includes(wanted)) { sum += of(i); count++; } else below.push(...callees[i]);
    }
    to.textContent = count ? `${part(sum, of(0))}: ${shown(sum)}` : "none";
  }

  function tellFiles() {
    const legend = document.getElementById("legend");
    legend.textContent = "";
    for (const [file, hue] of [...hueOfFile].slice(0, 8)) {
      const entry = document.createElement("span"), mark = document.createElement("i");
      mark.style.background = dark.matches ? `hsl(${hue} 38% 31%)` : `hsl(${hue} 62% 76%)`;
      entry.append(mark, data.files[file]);
      legend.append(entry);
    }
  }

  function boxAt(event) {
    const frame = canvas.getBoundingClientRect();
    const x = event.clientX - frame.left, depth = Math.floor((event.clientY - frame.top) / ROW);
    return boxes.find((box) => box.depth === depth && x >= box.left && x < box.left + box.width);
  }

  function zoom(i) {
    zoomed = i;
    tip.hidden = true;
    draw();
  }

  canvas.addEventListener("click", (event) => {
    const box = boxAt(event);
    if (box) zoom(box.i);
  });
  canvas.addEventListener("pointermove", (event) => {
    const box = boxAt(event);
    tip.hidden = !box || event.pointerType === "touch";
    if (tip.hidden) return;
    tip.textContent = told(box.i).replace(": ", "\n");
    const frame = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, innerWidth - frame.width - 8))}px`;
    tip.style.top = `${event.clientY + 18 + frame.height > innerHeight ? event.clientY - frame.height - 10 : event.clientY + 18}px`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") { search.value = ""; zoom(0); }
  });
  search.addEventListener("input", draw);

  function choose(next) {
    value = next;
    for (const button of buttons) button.setAttribute("aria-pressed", String(Number(button.dataset.value) === value));
    draw();
  }
  for (const button of buttons) button.addEventListener("click", () => choose(Number(button.dataset.value)));

  for (const table of document.querySelectorAll("table.sortable")) {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => heading.addEventListener("click", () => {
      const rows = [...table.tBodies[0].rows];
      const is = (row) => row.cells[column].dataset.is;
      const numbers = rows.every((row) => is(row) !== "" && !Number.isNaN(Number(is(row))));
      rows.sort((a, b) => (numbers ? Number(is(b)) - Number(is(a)) : is(a).localeCompare(is(b))));
      table.tBodies[0].append(...rows);
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", numbers ? "descending" : "ascending");
    }));
  }

  function show() { readTheme(); tellFiles(); draw(); }
  readTheme();
  chooseHues();
  tellFiles();
  choose(value);
  addEventListener("resize", draw);
  dark.addEventListener("change", show);
})();
