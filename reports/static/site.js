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
  let theme = themes.includes(store.get()) ? store.get() : "system";
  const isDark = () => theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const themeButton = document.querySelector(".theme");
  function applyTheme() {
    if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
    if (themeButton) themeButton.textContent = "Theme: " + theme;
    drawn.forEach((view, element) => { view.finalize(); drawn.delete(element); draw(element); });
  }
  if (themeButton) themeButton.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]; store.set(theme); applyTheme();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);

  /* --- charts --------------------------------------------------------------------------------------------------- */
  const drawn = new Map();
  const block = document.getElementById("rows");
  const ROWS = block ? JSON.parse(block.textContent) : {};
  function specFor(element) {
    const site = window.HAMMERHOUSE;
    let text = JSON.stringify(site.charts[element.dataset.chart]);
    if (isDark()) for (const [light, dark] of Object.entries(site.dark_colours)) text = text.replaceAll(light, dark);
    const spec = JSON.parse(text);
    spec.datasets = { main: ROWS[element.id] || [] };
    spec.description = element.dataset.sentence || "";
    return spec;
  }
  function draw(element) {
    if (drawn.has(element) || !window.vegaEmbed || !window.HAMMERHOUSE) return Promise.resolve();
    const config = window.HAMMERHOUSE.themes[isDark() ? "dark" : "light"];
    return window.vegaEmbed(element, specFor(element), { renderer: "svg", actions: false, config })
      .then((result) => { drawn.set(element, result); });
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
  document.querySelectorAll(".chart").forEach((element) => watcher.observe(element));
  applyTheme();

  /* --- tables: sort on unrounded values, missing ones last both times ---------------------------------------------- */
  const keyOf = (cell, numeric) => {
    const raw = cell.dataset.v;
    if (numeric) return raw === undefined || raw === "" ? null : Number(raw);
    return (raw === undefined ? cell.textContent : raw).trim().toLowerCase();
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
  const anchorOf = () => location.hash.slice(1).split("?")[0];
  const stateOf = () => new URLSearchParams(location.hash.split("?")[1] || "");
  document.querySelectorAll("form.filters").forEach((form) => {
    const table = document.getElementById(form.dataset.table);
    const live = form.querySelector("output");
    const controls = Array.from(form.querySelectorAll("select, input"));
    const valueOf = (c) => c.type === "checkbox" ? (c.checked ? "1" : "") : c.value;
    const initial = new Map(controls.map((c) => [c, valueOf(c)]));
    const put = (c, value) => { if (c.type === "checkbox") c.checked = value === "1"; else c.value = value; };
    function accepts(row) {
      return controls.every((c) => {
        const value = valueOf(c);
        if (!value) return true;
        const have = row.dataset[c.name] || "";
        if (c.dataset.match === "contains") return have.toLowerCase().includes(value.toLowerCase());
        return c.type === "checkbox" ? have !== c.dataset.hides : have === value;
      });
    }
    function apply(remember) {
      let shown = 0;
      const rows = table.tBodies[0].rows;
      for (const row of rows) { row.hidden = !accepts(row); shown += row.hidden ? 0 : 1; }
      live.textContent = shown + " of " + rows.length + " rows shown; ranks are those of the whole list";
      if (!remember) return;
      const state = new URLSearchParams();
      controls.forEach((c) => { if (valueOf(c) !== initial.get(c)) state.set(c.name, valueOf(c)); });
      const text = state.toString();
      history.replaceState(null, "", "#" + (anchorOf() || table.id) + (text ? "?" + text : ""));
    }
    function restore() {
      const state = stateOf();
      controls.forEach((c) => put(c, state.has(c.name) ? state.get(c.name) : initial.get(c)));
      controls.forEach((c) => { if (c.tagName === "SELECT" && c.selectedIndex < 0) put(c, initial.get(c)); });
      apply(false);
    }
    form.addEventListener("input", () => apply(true));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => apply(true)));
    window.addEventListener("hashchange", restore);
    restore();
    const wanted = anchorOf() && document.getElementById(anchorOf());
    if (wanted && stateOf().toString()) wanted.scrollIntoView();
  });

  /* --- downloads: full precision, made from the rows in the page --------------------------------------------------- */
  const quote = (text) => /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  /* A cell that a spreadsheet would run as a formula gets an apostrophe; numbers stay numbers. */
  const safe = (text) => /^[=+@\t\r]|^-(?![\d.])/.test(text) ? "'" + text : text;
  function cells(table) {
    const heads = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent.trim());
    const rows = Array.from(table.tBodies[0].rows).filter((row) => !row.hidden)
      .map((row) => Array.from(row.cells, (cell) => cell.dataset.v !== undefined && cell.classList.contains("n") ? cell.dataset.v : cell.textContent.trim()));
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
    link() { return copy(location.href.split("#")[0] + location.hash); },
    columns(table) { table.classList.toggle("all"); },
  };
  function copy(text) { if (navigator.clipboard) navigator.clipboard.writeText(text).catch(() => {}); return text; }
  document.querySelectorAll(".tools button").forEach((button) => button.addEventListener("click", () => {
    const made = actions[button.dataset.action](document.getElementById(button.parentElement.dataset.table));
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
  window.SEARCH = (rows) => { entries = rows.map((row) => ({ row, text: fold(row[1]), words: fold(row[1]).split(" ") })); show(); };
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
  const order = { unit: 0, target: 1, faction: 2, rule: 3, weapon: 4 };
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
