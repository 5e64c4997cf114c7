/* The browser's part: theme, charts from templates, sorting, filters, downloads, search. Every page works without it. */
"use strict";
(function () {
  const root = document.documentElement;
  const base = document.body.dataset.base || "";
  root.classList.remove("no-js");

  /* --- theme ---------------------------------------------------------------------------------------------------- */
  const store = { get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
                  set: (v) => { try { localStorage.setItem("theme", v); } catch { /* blocked for files from disk */ } } };
  const themes = ["system", "light", "dark"];
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  let theme = themes.includes(store.get()) ? store.get() : "system";
  const look = () => theme === "dark" || (theme === "system" && systemDark.matches) ? "dark" : "light";
  const themeButton = document.querySelector(".theme");
  function applyTheme() {
    if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
    if (themeButton) themeButton.textContent = "Theme: " + theme;
    Array.from(drawn.keys()).forEach(draw);
  }
  if (themeButton) themeButton.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]; store.set(theme); applyTheme();
  });
  systemDark.addEventListener("change", applyTheme);

  /* --- charts: those in sight first, the others when there is time, so that print finds them all ------------------- */
  const drawn = new Map();
  const block = document.getElementById("rows");
  const ROWS = block ? JSON.parse(block.textContent) : {};
  /* A height by rows is worked out here: Vega-Lite can fit the width only to a height in pixels. */
  function heightOf(spec, rows) {
    if (!spec.height.step) return spec.height;
    const { y, yOffset } = spec.layer ? spec.layer[0].encoding : spec.encoding;
    return spec.height.step * new Set(rows.map((row) => row[y.field])).size * (yOffset ? yOffset.scale.domain.length : 1);
  }
  function draw(element) {
    const site = window.HAMMERHOUSE, now = look();
    if (!window.vegaEmbed || !site) return Promise.resolve();
    const spec = JSON.parse(JSON.stringify(site[now].charts[element.dataset.chart]));
    spec.datasets = { main: ROWS[element.id] || [] };
    spec.height = heightOf(spec, spec.datasets.main);
    spec.description = element.dataset.sentence || "";
    const narrow = element.clientWidth < 480;
    if (element.dataset.chart === "heat_map" && element.clientWidth < 900) {
      spec.layer.forEach((layer) => { layer.encoding.x.axis.labelAngle = -90; });
      if (element.clientWidth < 640) spec.layer.length = 1; /* no room for figures: the table has them */
    }
    const config = Object.assign({}, site[now].config, { axisY: { labelLimit: narrow ? 120 : 260 } });
    if (drawn.has(element)) { drawn.get(element).finalize(); drawn.delete(element); }
    return window.vegaEmbed(element, spec, { renderer: "svg", actions: false, config }).then((result) => {
      drawn.set(element, result);
      element.dataset.look = now;
      return look() === now ? undefined : draw(element);
    });
  }
  const queue = [];
  let busy = 0;
  function next() {
    while (busy < 2 && queue.length) {
      busy += 1;
      draw(queue.shift()).catch((error) => console.error(error)).then(() => { busy -= 1; next(); });
    }
  }
  const watcher = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (entry.isIntersecting) { watcher.unobserve(entry.target); queue.push(entry.target); next(); }
  }), { rootMargin: "300px" });
  const charts = Array.from(document.querySelectorAll(".chart"));
  charts.forEach((element) => watcher.observe(element));
  applyTheme();
  const later = window.requestIdleCallback || ((run) => setTimeout(run, 200));
  function rest() {
    const waiting = charts.find((element) => !drawn.has(element) && !queue.includes(element) && element.clientWidth);
    if (!waiting) return;
    watcher.unobserve(waiting);
    draw(waiting).catch((error) => console.error(error)).then(() => later(rest));
  }
  window.addEventListener("load", () => setTimeout(() => later(rest), 1000));

  /* --- secondary tables: folded on screen, open for the reader who comes by a link, and in print -------------------- */
  const folds = Array.from(document.querySelectorAll("details.fold"));
  const anchored = () => document.getElementById(location.hash.slice(1).split("?")[0]);
  function unfold() {
    const wanted = anchored();
    const fold = wanted && wanted.closest("details.fold");
    if (fold) { fold.open = true; wanted.scrollIntoView(); }
  }
  folds.forEach((fold) => { fold.open = false; });
  unfold();
  window.addEventListener("hashchange", unfold);
  window.addEventListener("beforeprint", () => folds.forEach((fold) => { fold.open = true; }));

  /* --- tables: sort on unrounded values, missing ones last both times ---------------------------------------------- */
  const keyOf = (cell, numeric) => {
    const text = cell.textContent.trim();
    if (!numeric) return text.toLowerCase();
    const value = Number(cell.dataset.v === undefined ? text.replaceAll(",", "") : cell.dataset.v);
    return text === "" || Number.isNaN(value) ? null : value;
  };
  function sortBy(table, column, direction) {
    const head = table.tHead.rows[0].cells[column];
    const numeric = head.classList.contains("n");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).map((row, index) => ({ row, index, key: keyOf(row.cells[column], numeric) }));
    const sign = direction === "descending" ? -1 : 1;
    rows.sort((a, b) => {
      if (a.key === null || b.key === null) {
        if (a.key === b.key) return a.row.cells[column].textContent.localeCompare(b.row.cells[column].textContent) || a.index - b.index;
        return a.key === null ? 1 : -1;
      }
      return (numeric ? a.key - b.key : a.key.localeCompare(b.key)) * sign || a.index - b.index;
    });
    const fragment = document.createDocumentFragment();
    rows.forEach((entry) => fragment.append(entry.row));
    body.append(fragment);
    Array.from(table.tHead.rows[0].cells).forEach((cell) => cell.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", direction);
  }
  document.querySelectorAll("table.wide").forEach((table) => {
    const hidden = Array.from(table.tHead.rows[0].cells).flatMap((head, column) => head.classList.contains("detail") ? [column] : []);
    for (const row of table.tBodies[0].rows) hidden.forEach((column) => row.cells[column].classList.add("detail"));
  });
  document.querySelectorAll("table.sortable").forEach((table) => {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button"; button.className = "sort";
      button.append(...head.childNodes); head.append(button);
      button.addEventListener("click", () => {
        const first = head.classList.contains("n") ? "descending" : "ascending";
        const now = head.getAttribute("aria-sort");
        sortBy(table, column, now === null ? first : now === "ascending" ? "descending" : "ascending");
      });
    });
  });

  /* --- filters: rows are hidden, never ranked anew; the state lives in the fragment --------------------------------- */
  const stateOf = () => new URLSearchParams(location.hash.split("?")[1] || "");
  const valueOf = (c) => c.type === "checkbox" ? (c.checked ? "1" : "") : c.value;
  const put = (c, value) => { if (c.type === "checkbox") c.checked = value === "1"; else c.value = value; };
  const forms = Array.from(document.querySelectorAll("form.filters"));
  const controls = forms.flatMap((form) => Array.from(form.querySelectorAll("select, input")));
  const initial = new Map(controls.map((c) => [c, valueOf(c)]));
  function fragment(table) {
    const state = new URLSearchParams();
    controls.forEach((c) => { if (valueOf(c) !== initial.get(c)) state.set(c.name, valueOf(c)); });
    const text = state.toString();
    return "#" + table + (text ? "?" + text : "");
  }
  function saysOf(c) {
    if (c.type === "checkbox") return c.closest("label").textContent.trim();
    return c.tagName === "SELECT" ? c.options[c.selectedIndex].textContent : "name contains " + c.value;
  }
  const filters = forms.map((form) => {
    const table = document.getElementById(form.dataset.table);
    const live = form.querySelector("output");
    const own = controls.filter((c) => form.contains(c));
    const heads = Array.from(table.tHead.rows[0].cells);
    const column = new Map(own.map((c) => [c, heads.findIndex((head) => head.dataset.key === c.dataset.key)]));
    const accepts = (row) => own.every((c) => {
      const value = valueOf(c);
      if (!value) return true;
      if (c.type === "checkbox") return row.dataset[c.dataset.key] !== c.dataset.hides;
      const have = row.cells[column.get(c)].textContent.trim();
      return c.dataset.match === "contains" ? have.toLowerCase().includes(value.toLowerCase()) : have === value;
    });
    function apply() {
      let shown = 0;
      const rows = table.tBodies[0].rows;
      for (const row of rows) { row.hidden = !accepts(row); shown += row.hidden ? 0 : 1; }
      const active = own.filter((c) => valueOf(c)).map(saysOf);
      live.textContent = shown + " of " + rows.length + " rows shown" + (active.length ? " (" + active.join(", ") + ")" : "")
        + (form.dataset.ranked ? "; ranks are those of the whole list" : "");
    }
    const changed = () => { apply(); history.replaceState(null, "", fragment(table.id)); };
    form.addEventListener("input", changed);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(changed));
    return apply;
  });
  function restore() {
    const state = stateOf();
    controls.forEach((c) => put(c, state.has(c.name) ? state.get(c.name) : initial.get(c)));
    controls.forEach((c) => { if (c.tagName === "SELECT" && c.selectedIndex < 0) put(c, initial.get(c)); });
    filters.forEach((apply) => apply());
    const wanted = anchored();
    if (wanted && state.toString()) wanted.scrollIntoView();
  }
  if (forms.length) { window.addEventListener("hashchange", restore); restore(); }

  /* --- downloads: full precision, made from the rows in the page --------------------------------------------------- */
  const quote = (text) => /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  /* A cell that a spreadsheet would run as a formula gets an apostrophe; numbers stay numbers. */
  const safe = (text) => /^[=+@\t\r]|^-(?![\d.])/.test(text) ? "'" + text : text;
  function cells(table) {
    const heads = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent.trim());
    const rows = Array.from(table.tBodies[0].rows).filter((row) => !row.hidden)
      .map((row) => Array.from(row.cells, (cell) => cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v));
    return [heads, rows];
  }
  const actions = {
    csv(table) {
      const [heads, rows] = cells(table);
      const build = document.body.dataset.build;
      const lines = [[...heads, "build"], ...rows.map((row) => [...row, build])].map((row) => row.map((c) => quote(safe(c))).join(","));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
      link.download = table.id + ".csv"; link.click(); URL.revokeObjectURL(link.href);
      return lines.join("\n");
    },
    markdown(table) {
      const [heads] = cells(table);
      const rows = Array.from(table.tBodies[0].rows).filter((row) => !row.hidden).map((row) => Array.from(row.cells, (c) => c.textContent.trim().replaceAll("|", "\\|")));
      return copy([heads, heads.map(() => "---"), ...rows].map((row) => "| " + row.join(" | ") + " |").join("\n"));
    },
    link(table) { return copy(location.href.split("#")[0] + fragment(table.id)); },
    columns(table, button) { button.setAttribute("aria-pressed", String(table.classList.toggle("all"))); },
  };
  function copy(text) { if (navigator.clipboard) navigator.clipboard.writeText(text).catch(() => {}); return text; }
  document.querySelectorAll(".tools button").forEach((button) => button.addEventListener("click", () => {
    const made = actions[button.dataset.action](document.getElementById(button.parentElement.dataset.table), button);
    const label = button.textContent;
    if (made) { button.textContent = button.dataset.action === "csv" ? "saved" : "copied"; setTimeout(() => { button.textContent = label; }, 1200); }
  }));

  /* --- search ------------------------------------------------------------------------------------------------------ */
  const box = document.querySelector(".search input");
  if (!box) return;
  const list = box.parentElement.querySelector("ul");
  const said = box.parentElement.querySelector("[aria-live]");
  let entries = null, active = -1;
  const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/['\u2018\u2019]/g, "").replace(/[^a-z0-9]+/g, " ").trim();
  /* Units, weapons and rules name the row of their faction, unit or detachment: its name is their note, its address theirs. */
  const types = { t: "target", f: "faction", u: "unit", d: "rules", w: "weapon", r: "rule" };
  function whole(row, rows) {
    const [letter, name, place, part] = row;
    const type = types[letter];
    if (typeof place === "string") return [type, name, place, part];
    const home = whole(rows[place], rows);
    if (type === "unit") return [type, name, home[1], "units/" + home[3].split("/").pop().replace(/\.html$/, "") + "/" + part + ".html"];
    return [type, name, home[1], home[3] + (type === "weapon" ? "#weapons" : "")];
  }
  window.SEARCH = (rows) => { entries = rows.map((row) => ({ row: whole(row, rows), text: fold(row[1]), words: fold(row[1]).split(" ") })); show(); };
  function load() {
    if (entries || load.asked) return;
    load.asked = true;
    const script = document.createElement("script");
    script.src = base + "assets/search.js"; document.head.append(script);
  }
  function near(a, b) {
    if (Math.abs(a.length - b.length) > 1 || a.length < 4) return false;
    let i = 0; while (i < a.length && i < b.length && a[i] === b[i]) i += 1;
    return a.slice(i + 1) === b.slice(i + 1) || a.slice(i) === b.slice(i + 1) || a.slice(i + 1) === b.slice(i)
      || (a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2));
  }
  function score(entry, query, words) {
    if (entry.text === query) return 0;
    if (entry.text.startsWith(query)) return 1;
    if (words.every((w) => entry.words.some((e) => e.startsWith(w)))) return 2;
    if (entry.text.replaceAll(" ", "").includes(query.replaceAll(" ", ""))) return 3;
    return words.every((w) => entry.words.some((e) => e.startsWith(w) || near(w, e))) ? 4 : -1;
  }
  const order = { unit: 0, target: 1, faction: 2, rules: 3, rule: 4, weapon: 5 };
  function show() {
    const query = fold(box.value);
    list.replaceChildren(); active = -1;
    const open = query.length > 1 && entries !== null;
    list.hidden = !open; box.setAttribute("aria-expanded", String(open));
    if (!open) { said.textContent = ""; return; }
    const words = query.split(" ");
    const found = entries.map((entry) => ({ entry, rank: score(entry, query, words) })).filter((hit) => hit.rank >= 0);
    found.sort((a, b) => a.rank - b.rank || order[a.entry.row[0]] - order[b.entry.row[0]] || a.entry.text.localeCompare(b.entry.text));
    found.slice(0, 12).forEach(({ entry }, index) => {
      const [type, name, note, href] = entry.row;
      const item = document.createElement("li");
      item.id = "hit-" + index; item.setAttribute("role", "option");
      const link = document.createElement("a"); link.href = base + href; link.tabIndex = -1;
      const small = document.createElement("small"); small.textContent = " " + [type, note].filter(Boolean).join(", ");
      link.append(name, small); item.append(link); list.append(item);
    });
    said.textContent = found.length + (found.length === 1 ? " result" : " results");
  }
  function move(step) {
    const items = Array.from(list.children);
    if (!items.length) return;
    if (active >= 0) items[active].removeAttribute("aria-selected");
    active = (active + step + items.length) % items.length;
    items[active].setAttribute("aria-selected", "true");
    box.setAttribute("aria-activedescendant", items[active].id);
  }
  box.addEventListener("focus", load);
  box.addEventListener("input", () => { load(); show(); });
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { move(1); event.preventDefault(); }
    else if (event.key === "ArrowUp") { move(-1); event.preventDefault(); }
    else if (event.key === "Escape") { box.value = ""; show(); }
    else if (event.key === "Enter" && list.children.length) { location.href = list.children[Math.max(active, 0)].querySelector("a").href; }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) { box.focus(); event.preventDefault(); }
  });
})();
