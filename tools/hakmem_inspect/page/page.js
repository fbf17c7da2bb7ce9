"use strict";
/* Draws the map and the blocks of the slab that is chosen. What a run is: page/cells.py. */
(async () => {
  const views = JSON.parse(await inflate(document.getElementById("data").textContent.trim()));
  const canvases = [...document.querySelectorAll("canvas.map")];
  const tip = document.getElementById("tip");
  const buttons = [...document.querySelectorAll("button[data-colour]")];
  const [KIND, UNIT, UNITS, CLASS, OWNER, CAPACITY, CARVED, AGE, RESIDENT, LIVE, CACHED, POSTED, ABSENT, TORN, HELD, INSIDE] = Array(16).keys();
  const HUES = ["#0072b2", "#d55e00", "#009e73", "#b35c93", "#a08200", "#3b9fd8", "#5a3e91", "#8a4b20", "#3d7a6c", "#c4314b"];
  const HUES_DARK = ["#4da3e0", "#ff8a3d", "#2fc79b", "#e09cc5", "#e8d44a", "#9ad7fb", "#b39ae6", "#d39a6d", "#8fd3c3", "#ff7d90"];
  const AGES = [[1e3, "under 1 s"], [6e4, "under 1 min"], [6e5, "under 10 min"], [Infinity, "older"]];
  let colour = buttons[0].dataset.colour;
  let chosen = null;
  let theme = {};

  async function inflate(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text();
  }

  function bits(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  }
  const has = (set, i) => (i >> 3) < set.length && ((set[i >> 3] >> (i & 7)) & 1) === 1;
  function countOf(set) {
    let count = 0;
    for (let byte of set) for (; byte; byte &= byte - 1) count++;
    return count;
  }

  function size(count) {
    if (count < 1024) return `${count} B`;
    let value = count / 1024;
    for (const unit of ["KiB", "MiB", "GiB"]) {
      if (value < 1024 || unit === "GiB") return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
      value /= 1024;
    }
  }
  const span = (ms) => (ms < 1e5 ? `${(ms / 1e3).toFixed(1)} s` : ms < 72e5 ? `${Math.round(ms / 6e4)} min` : `${Math.round(ms / 36e5)} h`);

  /* What drawing and telling need of each run, once. */
  for (const view of views) {
    view.byRun = new Map();
    for (const superslab of view.superslabs) {
      superslab.told = superslab.runs.map((run) => {
        if (run[KIND] !== "slab") return { run, superslab, view };
        const live = countOf(bits(run[LIVE])), cached = countOf(bits(run[CACHED]));
        return { run, superslab, view, live, cached, stride: view.sizes[run[CLASS]] };
      });
      for (const one of superslab.told) view.byRun.set(`${superslab.at}/${one.run[UNIT]}`, one);
    }
  }

  function readTheme() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(`--${name}`).trim();
    theme = Object.fromEntries(
      ["card", "ink", "mute", "rule", "mark", "empty", "retained", "kept", "large", "records", "live", "cached", "posted", "free", "hole",
       "fresh", "more", "less", "scale-0", "scale-1", "scale-2", "scale-3"].map((name) => [name, read(name)]));
    theme.dark = matchMedia("(prefers-color-scheme: dark)").matches;
    theme.hues = theme.dark ? HUES_DARK : HUES;
  }
  const scale = (part) => theme[`scale-${Math.min(3, Math.max(0, Math.floor(part * 4)))}`];

  /* Size classes are in order: along a line of hues, small ones violet, large ones red. */
  function hueOfClass(view, index) {
    const part = index / Math.max(1, view.sizes.length - 1);
    return `hsl(${Math.round(265 - 265 * part)} ${theme.dark ? "62% 62%" : "58% 44%"})`;
  }

  function colourOf(one) {
    const { run, view } = one;
    if (run[KIND] === "large") return theme.large;
    if (run[KIND] !== "slab") return theme[run[KIND]] || theme.empty;
    switch (colour) {
      case "class": return hueOfClass(view, run[CLASS]);
      case "owner": return theme.hues[run[OWNER] % theme.hues.length];
      case "waste": return scale(1 - (one.live * one.stride) / Math.max(1, run[HELD]));
      case "age": return run[AGE] < 0 ? theme.records : scale(AGES.findIndex(([most]) => run[AGE] < most) / 4);
      case "difference": return theme.mute;
    }
  }

  const liveBytes = (one) => (one === undefined ? 0 : one.run[KIND] === "slab" ? one.live * one.stride : one.run[KIND] === "large" ? one.run[UNITS] * one.view.unit : 0);

  /* In the other snapshot, what stands where this run does: bytes live then and now. */
  function differenceOf(one) {
    const other = views[1 - views.indexOf(one.view)];
    const from = one.run[UNIT], units = one.run[UNITS];
    let bytes = 0;
    for (let unit = from; unit < from + units; unit++) bytes += liveBytes(other.byRun.get(`${one.superslab.at}/${unit}`));
    return views.indexOf(one.view) === 1 ? liveBytes(one) - bytes : bytes - liveBytes(one);
  }

  /* ---- the map */

  const MOST_HEIGHT = 12000;

  function place(canvas, view) {
    const width = canvas.clientWidth || canvas.parentElement.clientWidth;
    const wanted = views.length === 2 ? 340 : 420;
    const columns = Math.max(1, Math.floor((width + 16) / (wanted + 16)));
    const strip = (width - 16 * (columns - 1)) / columns;
    const rows = Math.ceil(view.superslabs.length / columns);
    const pitch = Math.max(3, Math.min(rows <= 10 ? 44 : rows <= 60 ? 30 : 22, Math.floor(MOST_HEIGHT / Math.max(1, rows))));
    return { width, columns, strip, rows, pitch, high: pitch > 8 ? pitch - 5 : pitch - 1, cell: strip / 32 };
  }

  function drawMap(canvas, view) {
    const plan = (view.plan = place(canvas, view));
    const ratio = Math.min(devicePixelRatio || 1, 16000 / Math.max(1, plan.rows * plan.pitch));
    const height = Math.max(plan.pitch, plan.rows * plan.pitch);
    canvas.width = Math.round(plan.width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
    const to = canvas.getContext("2d");
    to.scale(ratio, ratio);
    view.superslabs.forEach((superslab, i) => {
      const x = Math.floor(i / plan.rows) * (plan.strip + 16), y = (i % plan.rows) * plan.pitch;
      for (const one of superslab.told) drawRun(to, one, x + one.run[UNIT] * plan.cell, y, one.run[UNITS] * plan.cell, plan.high);
    });
  }

  function drawRun(to, one, x, y, wide, high) {
    const gap = wide > 4 ? 1 : 0.4;
    const slab = one.run[KIND] === "slab";
    to.fillStyle = slab ? theme.empty : colourOf(one);
    to.fillRect(x, y, wide - gap, high);
    if (colour === "difference" && (slab || one.run[KIND] === "large")) {
      const change = differenceOf(one);
      const part = Math.min(1, Math.abs(change) / (one.run[UNITS] * one.view.unit));
      to.fillStyle = change === 0 ? theme.retained : change > 0 ? theme.more : theme.less;
      to.globalAlpha = change === 0 ? 0.6 : 0.35 + 0.65 * part;
      to.fillRect(x, y, wide - gap, high);
      to.globalAlpha = 1;
    } else if (slab) {
      const run = one.run;
      const live = (high * one.live) / one.run[CAPACITY], cached = (high * one.cached) / one.run[CAPACITY];
      to.fillStyle = colourOf(one);
      const least = one.live > 0 ? Math.max(1, live) : 0; /* one live block is to be seen */
      to.fillRect(x, y + high - least, wide - gap, least);
      const whole = colour === "waste" || colour === "age"; /* what these tell of is all that is held */
      to.globalAlpha = whole ? 1 : 0.4;
      to.fillRect(x, y + high - least - cached, wide - gap, cached);
      to.globalAlpha = whole ? 1 : 0.22;
      const held = Math.max(least + cached, (high * run[HELD]) / (run[UNITS] * one.view.unit));
      to.fillRect(x, y + high - held, wide - gap, held - least - cached);
      to.globalAlpha = 1;
    }
    if (chosen && chosen.superslab.at === one.superslab.at && chosen.run[UNIT] === one.run[UNIT] && high > 3) {
      to.strokeStyle = theme.ink;
      to.lineWidth = 2;
      to.strokeRect(x - 0.5, y - 0.5, wide - gap + 1, high + 1);
    }
  }

  function runAt(view, event) {
    const box = event.target.getBoundingClientRect(), plan = view.plan;
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const column = Math.floor(x / (plan.strip + 16)), row = Math.floor(y / plan.pitch);
    const superslab = row < plan.rows ? view.superslabs[column * plan.rows + row] : undefined;
    const unit = Math.floor((x - column * (plan.strip + 16)) / plan.cell);
    return superslab && superslab.told.find(({ run }) => run[UNIT] <= unit && unit < run[UNIT] + run[UNITS]);
  }

  const address = (one) => `0x${(BigInt(`0x${one.superslab.at}`) + BigInt(one.run[UNIT] * one.view.unit)).toString(16)}`;
  const KINDS = { unused: "free units, not resident", retained: "free units, resident for reuse", kept: "free units that a heap keeps",
                  records: "records of the library", guard: "the secure library's guard", large: "large block" };

  function facts(one) {
    const { run, view } = one;
    if (run[KIND] !== "slab") return [["what", KINDS[run[KIND]] || run[KIND]], ["size", `${run[UNITS]} × ${size(view.unit)}`], ["superslab", `0x${one.superslab.at}, ${one.superslab.tier}${one.superslab.dense ? ", in huge pages" : ""}`]];
    const inside = bits(run[INSIDE]), insides = countOf(inside);
    const [live, cached] = [LIVE, CACHED].map((set) => countOf(bits(run[set]).map((byte, i) => byte & ~inside[i])));
    const used = run[CARVED] - live - cached - insides;
    const told = [
      ["blocks", `${live} live, ${cached} cached, ${Math.max(0, used)} free, ${run[CAPACITY] - run[CARVED]} never used` +
                 (insides > 0 ? `, ${insides} inside coalesced ones` : "")],
      ["live", `${size(one.live * one.stride)} of ${size(run[UNITS] * view.unit)}`],
      ["owner", view.owners[run[OWNER]] || `heap ${run[OWNER]}`],
      ["superslab", `0x${one.superslab.at}, ${one.superslab.tier}${one.superslab.dense ? ", in huge pages" : ""}`],
    ];
    if (view.residents) told.push(["resident", size(run[RESIDENT])]);
    if (run[AGE] >= 0) told.push(["last taken from", `${span(run[AGE])} ago`]);
    if (run[TORN]) told.push(["torn", "it is in the middle of a change"]);
    return told;
  }
  const title = (one) => (one.run[KIND] === "slab" ? `Slab ${address(one)}, blocks of ${one.stride.toLocaleString("en")} B` : `${address(one)}`);

  function tell(event, lines) {
    tip.textContent = lines.join("\n");
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${event.clientY + box.height + 24 > innerHeight ? event.clientY - box.height - 12 : event.clientY + 18}px`;
  }

  canvases.forEach((canvas, i) => {
    const view = views[i];
    canvas.addEventListener("pointermove", (event) => {
      const one = runAt(view, event);
      if (!one) { tip.hidden = true; return; }
      const lines = [title(one), ...facts(one).map(([name, text]) => `${name}: ${text}`)];
      if (views.length === 2) {
        const change = differenceOf(one);
        lines.push(`live, from A to B: ${change > 0 ? "+" : change < 0 ? "−" : ""}${size(Math.abs(change))}`);
      }
      tell(event, lines);
    });
    canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
    canvas.addEventListener("click", (event) => {
      const one = runAt(view, event);
      if (one && one.run[KIND] === "slab") choose(one, true);
    });
  });

  /* ---- the blocks of a slab */

  const zoom = document.getElementById("zoom"), blocks = document.getElementById("blocks");
  let grid = null;

  function choose(one, show) {
    chosen = one;
    zoom.hidden = false;
    document.getElementById("zoom-title").textContent = title(one) + (views.length === 2 ? ` (${"AB"[views.indexOf(one.view)]})` : "");
    document.getElementById("zoom-facts").replaceChildren(...facts(one).flatMap(([name, text]) => [element("dt", name), element("dd", text)]));
    legend(document.getElementById("zoom-legend"), [["live", theme.live], ["cached", theme.cached], ["freed by another thread", theme.posted],
                                                    ["free", theme.free], ["given back to the system ⟋", theme.hole], ["never used", theme.fresh]]);
    draw();
    if (show && zoom.getBoundingClientRect().top > innerHeight - 120) zoom.scrollIntoView({ behavior: "smooth", block: "nearest" });
  }

  function drawBlocks() {
    if (!chosen) return;
    const { run, view, stride } = chosen;
    const width = blocks.clientWidth || blocks.parentElement.clientWidth - 32;
    const most = 26;
    const side = Math.max(3, Math.min(most, Math.floor(Math.sqrt((width * 420) / run[CAPACITY]))));
    const columns = Math.max(1, Math.floor(width / side)), rows = Math.ceil(run[CAPACITY] / columns);
    const ratio = devicePixelRatio || 1;
    blocks.width = width * ratio;
    blocks.height = rows * side * ratio;
    blocks.style.height = `${rows * side}px`;
    const to = blocks.getContext("2d");
    to.scale(ratio, ratio);
    const live = bits(run[LIVE]), cached = bits(run[CACHED]), posted = bits(run[POSTED]), absent = BigInt(`0x${run[ABSENT]}`);
    const inHole = (i) => {
      if (absent === 0n) return false;
      for (let page = Math.floor((i * stride) / view.page); page <= Math.floor(((i + 1) * stride - 1) / view.page); page++) {
        if ((absent >> BigInt(page)) & 1n) return true;
      }
      return false;
    };
    const inside = bits(run[INSIDE]);
    const state = (i) => (has(cached, i) ? "cached" : has(posted, i) ? "posted" : has(live, i) ? "live" : i >= run[CARVED] ? "fresh" : inHole(i) ? "hole" : "free");
    grid = { side, columns, state, inside };
    for (let i = 0; i < run[CAPACITY]; i++) {
      const x = (i % columns) * side, y = Math.floor(i / columns) * side, gap = side > 5 ? 1 : 0.5;
      const what = state(i);
      to.fillStyle = theme[what];
      to.fillRect(x, y, has(inside, i + 1) ? side : side - gap, side - gap);
      if (what === "hole" || what === "fresh") {
        to.strokeStyle = theme.rule;
        to.lineWidth = 1;
        to.strokeRect(x + 0.5, y + 0.5, side - gap - 1, side - gap - 1);
      }
      if (what === "hole") {
        to.beginPath();
        to.moveTo(x + 0.5, y + side - gap - 0.5);
        to.lineTo(x + side - gap - 0.5, y + 0.5);
        to.stroke();
      }
    }
  }

  blocks.addEventListener("pointermove", (event) => {
    const box = blocks.getBoundingClientRect();
    const i = Math.floor((event.clientY - box.top) / grid.side) * grid.columns + Math.floor((event.clientX - box.left) / grid.side);
    if (i < 0 || i >= chosen.run[CAPACITY]) return;
    let first = i, last = i;
    while (has(grid.inside, first)) first--;
    while (has(grid.inside, last + 1)) last++;
    const name = first === last ? `Block ${i}` : `Blocks ${first} to ${last}, coalesced`;
    const at = BigInt(address(chosen)) + BigInt(first * chosen.stride);
    const words = { posted: "freed by another thread", hole: "free, given back to the system", fresh: "never used" };
    const state = grid.state(i);
    document.getElementById("block").textContent = `${name}, 0x${at.toString(16)}: ${words[state] || state}`;
  });

  /* ---- the rest */

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }

  function legend(to, entries) {
    to.replaceChildren(...entries.map(([text, shade]) => {
      const one = element("span", "");
      const square = document.createElement("i");
      square.style.background = shade;
      one.append(square, text);
      return one;
    }));
  }

  function legendOfMap() {
    const view = views[views.length - 1];
    const used = new Map();
    for (const superslab of views.flatMap((one) => one.superslabs)) {
      for (const { run } of superslab.told) if (run[KIND] === "slab") used.set(run[CLASS], (used.get(run[CLASS]) || 0) + run[UNITS]);
    }
    const rest = [["large block", theme.large], ["retained", theme.retained], ["kept by a heap", theme.kept], ["records", theme.records], ["unused", theme.empty]];
    const entries = {
      class: () => [...used.keys()].sort((a, b) => used.get(b) - used.get(a)).slice(0, 12).sort((a, b) => a - b).map((index) => [size(view.sizes[index]), hueOfClass(view, index)]),
      owner: () => Object.entries(view.owners).slice(0, 12).map(([owner, who]) => [who, theme.hues[owner % theme.hues.length]]),
      waste: () => ["waste under 25 %", "under 50 %", "under 75 %", "more"].map((text, i) => [text, theme[`scale-${i}`]]),
      age: () => AGES.map(([, text], i) => [`last taken from: ${text}`, theme[`scale-${i}`]]),
      difference: () => [["more live in B", theme.more], ["less live in B", theme.less], ["as much", theme.retained]],
    };
    legend(document.getElementById("legend"), [...entries[colour](), ...rest]);
  }

  function draw() {
    readTheme();
    legendOfMap();
    canvases.forEach((canvas, i) => drawMap(canvas, views[i]));
    drawBlocks();
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.colour === colour));
  }

  for (const button of buttons) {
    button.addEventListener("click", () => { colour = button.dataset.colour; draw(); });
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, i) => head.addEventListener("click", () => {
      const key = (row) => Number(row.cells[i].dataset.is);
      body.append(...[...body.rows].sort((a, b) => key(b) - key(a)));
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", "descending");
    }));
  }
  let width = 0;
  new ResizeObserver(() => { if (Math.abs(innerWidth - width) > 1) { width = innerWidth; draw(); } }).observe(document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
  document.getElementById("wait").remove();

  /* map.html#0x7f0012345678 opens the slab of that address. */
  const wanted = /^#(0x[0-9a-f]+)$/i.exec(location.hash);
  if (wanted) {
    const at = BigInt(wanted[1]);
    for (const superslab of views[views.length - 1].superslabs) {
      const unit = Number((at - BigInt(`0x${superslab.at}`)) >> 16n);
      const one = superslab.told.find(({ run }) => run[KIND] === "slab" && run[UNIT] <= unit && unit < run[UNIT] + run[UNITS]);
      if (one) choose(one, true);
    }
  }
})().catch((error) => { document.getElementById("wait").textContent = `The map cannot be drawn: ${error.message}`; });
