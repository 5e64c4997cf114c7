"""The site in a real browser: loading, charts, tables, filters, search, themes, print.

Belongs here: what only a browser can tell. Does not belong here: what the files tell (`test_files`).
"""

import base64
import csv
import io
import re
import time
from pathlib import Path
from urllib.parse import unquote

import pdfplumber
import pytest
from browser import raw_folder
from browser.harness import WORDS_OF_A_FAULT, Browser, Built
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

UNIT = "units/ember-court/ember-guard.html"
HOSTILE = "units/ember-court/script-img-src-x-onerror-alert-1.html"
QUOTED = "units/ember-court/ol-quoted-sons-v1-5-prime.html"
BIG = "units/ember-court/thousand-feet.html"
PATROL = "units/wardens-of-korvath/korvath-line-squad.html"
FACTION = "factions/ember-court.html"
MAIN = ("index.html", UNIT, "targets/meq.html", FACTION, "coverage.html", "rules/ember-court--lantern-watch.html")

MARKS = """
const chart = document.getElementById(arguments[0]);
const count = (css) => chart.querySelectorAll(css).length;
return {rects: count('g.mark-rect.role-mark > path'), symbols: count('g.mark-symbol.role-mark > path'),
        texts: count('g.mark-text.role-mark > text'), lines: count('g.mark-line.role-mark > path')};
"""
ROWS = "return JSON.parse(document.getElementById('rows').textContent)[arguments[0]]"
COLUMN = """
const table = document.getElementById(arguments[0]), column = arguments[1];
return Array.from(table.tBodies[0].rows).filter((row) => !row.hidden).map((row) => {
  const cell = row.cells[column], text = cell.textContent.trim();
  return [text, cell.dataset.v === undefined ? text : cell.dataset.v]; });
"""
CONTRAST = """
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => { const f = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
const paper = (node) => { for (; node; node = node.parentElement) { const c = rgb(getComputedStyle(node).backgroundColor);
  if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
const property = arguments[1];
return Array.from(document.querySelectorAll(arguments[0])).slice(0, 60).map((node) => {
  const a = light(rgb(getComputedStyle(node)[property])), b = light(paper(node));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); });
"""


def _pages(built: Built) -> list[str]:
    return sorted(path.relative_to(built.site).as_posix() for path in built.site.rglob("*.html"))


def test_every_page_loads_draws_and_asks_for_nothing_outside(browser: Browser, built: Built) -> None:
    """All pages from disk: no word in the console, every chart drawn with marks, no fault in words, no sideways scroll."""
    asked: set[str] = set()
    charts = 0
    for address in _pages(built):
        browser.open(address)
        browser.draw_all()
        faults = browser.js(
            "return Array.from(document.querySelectorAll('.chart')).filter((chart) => {"
            " const svg = chart.querySelector('svg.marks');"
            " return svg.getBoundingClientRect().width <= 100"
            "  || svg.getBoundingClientRect().right > chart.getBoundingClientRect().right + 1"
            "  || !chart.querySelector('g.role-mark > path, g.role-mark > text'); }).map((chart) => chart.id)"
        )
        assert faults == [], address
        charts += browser.js("return document.querySelectorAll('.chart').length")
        text = browser.js("return Array.from(document.querySelectorAll('svg text'), (t) => t.textContent).join('\\n')")
        assert not WORDS_OF_A_FAULT.search(text), address
        assert browser.js("return document.documentElement.scrollWidth") <= 1440, address
        cut = browser.js(
            "return Array.from(document.querySelectorAll('.box'))"
            ".filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.firstChild.id)"
        )
        assert cut == [], address
        assert browser.logged() == [], address
        asked |= set(browser.requested())
    assert charts > 100
    allowed = tuple(unquote(start) for start in (browser.base, "data:", "about:blank"))
    assert [url for url in asked if not unquote(url).startswith(allowed)] == []


@pytest.mark.parametrize(("width", "height", "scheme"), [(360, 740, "light"), (360, 740, "dark"), (768, 1024, "dark")])
def test_narrow_screens_scroll_one_way_only(browser: Browser, width: int, height: int, scheme: str) -> None:
    browser.size(width, height)
    browser.colours(scheme)
    for address in (*MAIN, "data/index.html", f"units/ember-court/{_slug(raw_folder.LONGEST)}.html"):
        browser.open(address)
        browser.draw_all()
        assert browser.js("return document.documentElement.scrollWidth") <= width, address
        wide = browser.js(
            "return Array.from(document.querySelectorAll('.chart svg.marks')).filter((svg) =>"
            " svg.getBoundingClientRect().width > svg.closest('figure').getBoundingClientRect().width + 1).length"
        )
        assert wide == 0, address


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


@pytest.mark.parametrize("width", [360, 768])
def test_axis_labels_do_not_overlap(browser: Browser, width: int) -> None:
    browser.size(width, 900)
    for address in (UNIT, "targets/meq.html", FACTION):
        browser.open(address)
        browser.draw_all()
        overlaps = browser.js(
            "const found = []; for (const axis of document.querySelectorAll('.chart .role-axis-label')) {"
            " const boxes = Array.from(axis.querySelectorAll('text')).filter((t) => t.textContent"
            "  && getComputedStyle(t).opacity !== '0').map((t) => t.getBoundingClientRect());"
            " boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {"
            "  if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)"
            "   found.push(axis.closest('.chart').id); })); } return found;"
        )
        assert overlaps == [], address


def test_charts_have_a_mark_for_each_row(browser: Browser) -> None:
    browser.open(UNIT)
    browser.draw_all()
    rows = browser.js(ROWS, "profile-chart")
    inside = [row for row in rows if row["value"] is not None and 2 <= row["value"] <= 1000]
    marks = browser.js(MARKS, "profile-chart")
    assert (marks["symbols"], marks["texts"]) == (len(inside), len(rows) - len(inside))
    assert len(inside) > 6
    places = browser.js(
        "const box = document.querySelector('#profile-chart g.role-frame > path, #profile-chart g.role-frame > g > path')"
        ".getBoundingClientRect();"
        "return Array.from(document.querySelectorAll('#profile-chart g.mark-symbol.role-mark > path'), (p) => {"
        " const b = p.getBoundingClientRect(); return [(b.left + b.right) / 2, box.left, box.right]; });"
    )
    assert len({round(x) for x, _, _ in places}) > 3
    assert all(left - 1 <= x <= right + 1 for x, left, right in places)
    slain = browser.js(ROWS, "slain-geq-chart")
    marks = browser.js(MARKS, "slain-geq-chart")
    assert (marks["rects"], marks["lines"]) == (len(slain), 1)
    steps = browser.js(ROWS, "price-chart")
    assert browser.js(MARKS, "price-chart")["symbols"] == len(steps) == 4
    lifts = browser.js(ROWS, "lift-chart")
    assert browser.js(MARKS, "lift-chart")["symbols"] == 2 * len(lifts) > 0


def test_no_damage_is_a_word_and_never_a_mark(browser: Browser) -> None:
    browser.open("targets/knight.html")
    browser.draw_all()
    ranked = browser.js(ROWS, "ranking-chart")
    assert browser.js(MARKS, "ranking-chart")["rects"] == len(ranked) == len({row["unit"] for row in ranked})
    browser.open(UNIT)
    browser.draw_all()
    rows = [
        {"target": name, "attack_type": attacks, "value": value, "value_txt": shown}
        for name, attacks, value, shown in (
            ("soft", "ranged", 10, "10.0"),
            ("soft", "melee", 700, "700"),
            ("hard", "ranged", None, "no damage"),
            ("hard", "melee", 0, "no damage"),
            ("harder", "ranged", 5000, "1000+"),
        )
    ]
    browser.driver.set_script_timeout(20)
    browser.driver.execute_async_script(
        "const [rows, done] = arguments; const made = document.createElement('div'); made.id = 'made';"
        "made.className = 'chart'; document.querySelector('main').prepend(made);"
        "const spec = Object.assign({}, HAMMERHOUSE.light.charts.target_profile, {datasets: {main: rows}, height: 200});"
        "vegaEmbed(made, spec, {renderer: 'svg', actions: false}).then(() => done());",
        rows,
    )
    marks = browser.js(MARKS, "made")
    assert (marks["symbols"], marks["texts"]) == (2, 3)
    places = browser.js(
        "return Array.from(document.querySelectorAll('#made g.mark-symbol.role-mark > path'),"
        " (p) => Math.round(p.getBoundingClientRect().left))"
    )
    assert len(set(places)) == 2


def test_heat_map_has_a_cell_for_each_figure(browser: Browser) -> None:
    browser.open(FACTION)
    browser.draw_all()
    rows = browser.js(ROWS, "weapon-map")
    marks = browser.js(MARKS, "weapon-map")
    assert marks["rects"] == marks["texts"] == len(rows) > 100
    bins = browser.js(
        "return Array.from(document.querySelectorAll('#units td'), (c) => [c.className, Number(c.dataset.v)])"
        ".filter(([css, v]) => /^b\\d/.test(css))"
    )
    edges = (0.05, 0.10, 0.20, 0.30, 0.50)
    assert bins and all(css == f"b{sum(value >= edge for edge in edges)}" for css, value in bins)


def test_tooltips_say_what_the_table_says(browser: Browser) -> None:
    browser.open("targets/meq.html")
    browser.draw_all()
    table = {
        f"{name} ({attacks})": value
        for (name, _), (attacks, _), (value, _) in zip(
            browser.js(COLUMN, "ranking", 0),
            browser.js(COLUMN, "ranking", 3),
            browser.js(COLUMN, "ranking", 7),
            strict=True,
        )
    }
    bars = browser.driver.find_elements(By.CSS_SELECTOR, "#ranking-chart g.mark-rect.role-mark > path")
    browser.js("document.getElementById('ranking-chart').scrollIntoView()")
    compared = 0
    for bar in bars[:8]:
        ActionChains(browser.driver, duration=0).move_to_element(bar).perform()
        shown = browser.wait(
            "const t = document.querySelector('#vg-tooltip-element.visible'); return t && t.innerText;"
        )
        unit = re.search(r"unit:?\s+(.+)", shown)
        value = re.search(r"points:?\s+([\d.]+)", shown)
        assert unit and value, shown
        name = unit.group(1).replace(" (Ember Court)", "").replace(" (River Folk)", "").removesuffix(" (melee)")
        if f"{unit.group(1)}" in table:
            assert table[unit.group(1)] == value.group(1), name
            compared += 1
    assert compared >= 4


@pytest.mark.parametrize("table", ["ranking", "weapons"])
def test_sorting_keeps_missing_values_last_both_ways(browser: Browser, table: str) -> None:
    browser.open("targets/meq.html")
    heads = browser.driver.find_elements(By.CSS_SELECTOR, f"#{table} thead th")
    numeric = [index for index, head in enumerate(heads) if "n" in (head.get_attribute("class") or "").split()]
    assert len(numeric) >= 4
    for column in numeric:
        for direction in ("descending", "ascending"):
            browser.js("arguments[0].querySelector('button').click()", heads[column])
            assert heads[column].get_attribute("aria-sort") == direction
            keys = [_number(value) for _, value in browser.js(COLUMN, table, column)]
            known = [key for key in keys if key is not None]
            assert keys == known + [None] * (len(keys) - len(known)), column
            assert known == sorted(known, reverse=direction == "descending"), column
    assert browser.js("return document.querySelectorAll('th[aria-sort]').length") == 1


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def test_ties_keep_their_order_when_sorted(browser: Browser) -> None:
    browser.open("targets/meq.html")
    browser.js(
        "for (const b of document.querySelectorAll('#ranking .sort')) if (b.textContent === 'Attacks') b.click();"
    )
    rows = zip(browser.js(COLUMN, "ranking", 3), browser.js(COLUMN, "ranking", 1), strict=True)
    ranks = [_number(rank) for (attacks, _), (rank, _) in rows if attacks == "melee"]
    known = [rank for rank in ranks if rank is not None]
    assert len(known) > 3 and known == sorted(known)


def test_filters_live_in_the_address(browser: Browser) -> None:
    browser.open("targets/meq.html")
    before = _names_and_ranks(browser)
    output = browser.driver.find_element(By.CSS_SELECTOR, "form[data-table=ranking] output")
    _choose(browser, "faction", "River Folk")
    _choose(browser, "attacks", "ranged")
    rows = _names_and_ranks(browser)
    assert [name for (name, _), _ in rows] == ["Ember Guard"]
    assert all(row in before for row in rows) and rows[0][1][0] != "1"
    assert output.text.startswith("1 of ") and "River Folk" in output.text
    address = browser.driver.current_url
    assert address.endswith("#ranking?faction=River+Folk&attacks=ranged")

    browser.open(address.removeprefix(browser.base) + "&nonsense=1")
    assert [name for (name, _), _ in _names_and_ranks(browser)] == ["Ember Guard"]
    assert browser.js("return document.querySelector('[name=faction]').value") == "River Folk"
    assert abs(browser.js("return document.getElementById('ranking').getBoundingClientRect().top")) < 300
    browser.driver.refresh()
    assert len(_names_and_ranks(browser)) == 1

    browser.driver.find_element(By.CSS_SELECTOR, "#ranking tbody tr:not([hidden]) a").click()
    browser.wait("return location.href.includes('/units/')")
    browser.driver.back()
    browser.wait("return location.href.includes('/targets/')")
    assert len(_names_and_ranks(browser)) == 1

    browser.driver.find_element(By.CSS_SELECTOR, "form[data-table=ranking] button[type=reset]").click()
    browser.wait("return !location.hash.includes('faction')")
    assert _names_and_ranks(browser) == before


def _names_and_ranks(browser: Browser) -> list[tuple[list[str], list[str]]]:
    return list(zip(browser.js(COLUMN, "ranking", 0), browser.js(COLUMN, "ranking", 1), strict=True))


def _choose(browser: Browser, name: str, value: str) -> None:
    browser.js(
        "const c = document.querySelector(`[name='${arguments[0]}']`);"
        "if (c.type === 'checkbox') c.checked = arguments[1] === '1'; else c.value = arguments[1];"
        "c.dispatchEvent(new Event('input', {bubbles: true}));",
        name,
        value,
    )


def test_every_filter_does_something(browser: Browser) -> None:
    shown = "return Array.from(document.getElementById('ranking').tBodies[0].rows).filter((r) => !r.hidden).length"
    for name, value in (
        ("scenario", "close"),
        ("name", "phant"),
        ("legends", "0"),
        ("modelled", "1"),
        ("attacks", "melee"),
    ):
        browser.open("targets/meq.html")
        before = browser.js(COLUMN, "ranking", 0)
        _choose(browser, name, value)
        assert browser.js(shown) > 0, name
        assert browser.js(COLUMN, "ranking", 0) != before or name == "scenario", name
        assert f"{name}=" in browser.driver.current_url
    browser.open("targets/meq.html#weapons?weapon-attacks=melee")
    assert {text for text, _ in browser.js(COLUMN, "weapons", 4)} == {"melee"}
    assert {text for text, _ in browser.js(COLUMN, "ranking", 3)} == {"ranged", "melee"}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("emiles phant", "Émile's Phantôms"),
        ("ÉMILE’S", "Émile's Phantôms"),
        ("ol quoted", raw_folder.QUOTED),
        ("thousnd feet", raw_folder.BIG),
        ("script", raw_folder.HOSTILE),
        ("brighter", "BRIGHTER STILL"),
    ],
)
def test_search_finds(browser: Browser, typed: str, found: str) -> None:
    browser.open(UNIT)
    assert not any("search.js" in url for url in browser.requested())
    box = browser.driver.find_element(By.CSS_SELECTOR, ".search input")
    box.send_keys(typed)
    hits = browser.wait(
        "return Array.from(document.querySelectorAll('#hits a'), (a) => a.firstChild.textContent).slice(0, 12)"
    )
    assert found.lower() in [hit.lower() for hit in hits]


def test_search_by_keyboard(browser: Browser) -> None:
    browser.open("index.html")
    ActionChains(browser.driver).send_keys("/").perform()
    box = browser.driver.switch_to.active_element
    box.send_keys("ember guard")
    notes = browser.wait("return Array.from(document.querySelectorAll('#hits small'), (s) => s.textContent)")
    assert any("River Folk" in note for note in notes) and any("Ember Court" in note for note in notes)
    assert browser.js("return document.querySelector('.search [aria-live]').textContent").endswith("results")
    box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP)
    chosen = browser.js("return document.querySelector('#hits [aria-selected=true]').id")
    assert box.get_attribute("aria-activedescendant") == chosen == "hit-0"
    box.send_keys(Keys.ESCAPE)
    assert browser.js("return document.getElementById('hits').hidden")
    box.send_keys("thousand feet", Keys.ENTER)
    browser.wait("return location.pathname.endsWith('thousand-feet.html')")


def test_keyboard_reaches_the_content_and_the_tables(browser: Browser) -> None:
    browser.open("targets/meq.html")
    ActionChains(browser.driver).send_keys(Keys.TAB).perform()
    assert browser.js("return document.activeElement.className") == "skip"
    button = browser.driver.find_element(By.CSS_SELECTOR, "#ranking thead th:nth-child(8) button")
    browser.js("arguments[0].focus()", button)
    assert browser.js("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    button.send_keys(Keys.ENTER)
    assert browser.js("return document.activeElement.closest('th').getAttribute('aria-sort')") == "descending"


@pytest.mark.parametrize("address", [UNIT, FACTION, "coverage.html"])
def test_a_change_of_theme_draws_every_chart_again(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.draw_all()
    count = browser.js("return document.querySelectorAll('.chart svg.marks').length")
    for expected in ("light", "dark"):
        browser.driver.find_element(By.CSS_SELECTOR, ".theme").click()
        browser.wait(
            "return Array.from(document.querySelectorAll('.chart')).every((c) => c.dataset.look === arguments[0])",
            expected,
        )
        assert browser.js("return document.querySelectorAll('.chart svg.marks').length") == count
        assert browser.js("return document.documentElement.dataset.theme") == expected
        assert min(browser.js(CONTRAST, ".chart .role-axis-label text, .chart .role-axis-title text", "fill")) >= 4.5
        marks = ".chart:not([data-chart=heat_map]):not([data-chart=at_least_k]):not([data-chart=coverage]) .role-mark > path"
        assert min(browser.js(CONTRAST, f"{marks}[fill]:not([fill=none]):not([fill=transparent])", "fill") or [9]) >= 3
        for words in ("p", "a", "td", "th", "caption", ".badge", ".scale span", "figcaption", "button", "footer"):
            found = browser.js(CONTRAST, f"body {words}", "color")
            assert found == [] or min(found) >= 4.45, (words, expected)
    browser.driver.find_element(By.CSS_SELECTOR, ".theme").click()
    browser.wait("return !document.documentElement.dataset.theme")


def test_heat_map_text_can_be_read_in_both_themes(browser: Browser) -> None:
    browser.open(FACTION)
    browser.draw_all()
    for expected in ("light", "dark"):
        browser.driver.find_element(By.CSS_SELECTOR, ".theme").click()
        browser.wait("return document.getElementById('weapon-map').dataset.look === arguments[0]", expected)
        pairs = browser.js(
            "const all = (css) => Array.from(document.querySelectorAll('#weapon-map ' + css));"
            "const fill = (node) => getComputedStyle(node).fill;"
            "const cells = all('g.mark-rect.role-mark > path'); return all('g.mark-text.role-mark > text')"
            ".map((text, i) => [fill(text), fill(cells[i])]);"
        )
        assert min(_contrast(ink, paper) for ink, paper in {tuple(pair) for pair in pairs}) >= 4.45


def _contrast(first: str, second: str) -> float:
    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(first), light(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("address", "name"), [(HOSTILE, raw_folder.HOSTILE), (QUOTED, raw_folder.QUOTED)])
def test_hostile_names_are_only_names(browser: Browser, address: str, name: str) -> None:
    browser.open(address)
    browser.draw_all()
    assert browser.driver.find_element(By.TAG_NAME, "h1").text == name
    assert browser.js("return document.querySelectorAll('main img, main script').length") == 0
    assert browser.js("return document.querySelectorAll('.chart svg.marks').length") > 5
    browser.open("targets/geq.html")
    browser.draw_all()
    assert name in [text for text, _ in browser.js(COLUMN, "ranking", 0)]
    axis = browser.js(
        "return Array.from(document.querySelectorAll('#ranking-chart title, #ranking-chart text'), (t) => t.textContent)"
    )
    assert any(label.startswith(name[:20]) for label in axis)
    assert not browser.has_dialog()


def test_without_scripts_all_tables_stand_and_no_empty_chart(browser: Browser) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        for address in (UNIT, "targets/meq.html", FACTION, "coverage.html"):
            browser.open(address)
            tables = browser.driver.find_elements(By.CSS_SELECTOR, "table")
            assert tables and all(table.is_displayed() for table in tables), address
            charts = browser.driver.find_elements(By.CSS_SELECTOR, ".chart")
            assert charts and not any(chart.is_displayed() for chart in charts), address
            captions = browser.driver.find_elements(By.CSS_SELECTOR, "figcaption")
            assert all(caption.is_displayed() for caption in captions)
            for useless in browser.driver.find_elements(By.CSS_SELECTOR, ".filters, .tools, .theme, .search"):
                assert not useless.is_displayed()
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_secondary_tables_open_by_their_link(browser: Browser) -> None:
    browser.open(UNIT)
    assert not browser.js("return document.getElementById('distribution').closest('details').open")
    browser.js("document.querySelector('a[href=\"#distribution\"]').click()")
    browser.wait("return document.getElementById('distribution').closest('details').open")
    browser.open(f"{UNIT}#distribution")
    assert browser.js("return document.getElementById('distribution').closest('details').open")


def test_the_served_site_is_the_same(browser: Browser, served: str) -> None:
    for address in ("", UNIT, "targets/meq.html"):
        browser.open(address, base=served)
        browser.draw_all()
    browser.open("units/nobody/knows.html", base=served)
    assert browser.driver.find_element(By.TAG_NAME, "h1").text == "This page does not exist"
    assert browser.js("return getComputedStyle(document.querySelector('header.site')).display") == "flex"
    asked = [url for url in browser.requested() if not url.startswith(("data:", "about:", served))]
    assert asked == []
    unknown = [line for line in browser.logged() if "knows.html" not in line]
    assert unknown == []


def test_one_bundle_for_all_pages_and_few_requests(browser: Browser) -> None:
    browser.open(UNIT)
    browser.draw_all()
    asked = {url for url in browser.requested() if url.startswith("file:")}
    assert len(asked) <= 6


def test_csv_holds_the_rows_in_view_in_full(browser: Browser, tmp_path: Path) -> None:
    setting = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", setting)
    browser.open("targets/meq.html")
    _choose(browser, "attacks", "melee")
    shown = browser.js(COLUMN, "ranking", 7)
    browser.js("document.querySelector('.tools[data-table=ranking] [data-action=csv]').click()")
    path = tmp_path / "ranking.csv"
    end = time.monotonic() + 10
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)
    head, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
    assert head[0] == "Unit" and head[-1] == "build"
    assert [row[7] for row in rows] == [value for _, value in shown]
    assert {row[-1] for row in rows} == {browser.js("return document.body.dataset.build")}
    assert any(len(row[7].partition(".")[2]) > 3 for row in rows)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_print_shows_everything_on_paper(browser: Browser, scheme: str) -> None:
    browser.colours(scheme)
    browser.open(UNIT)
    browser.draw_all()
    browser.js("for (const d of document.querySelectorAll('details')) d.open = false;")
    with pdfplumber.open(_printed(browser)) as document:
        assert len(document.pages) <= 5
        text = "\n".join(page.extract_text() for page in document.pages)
        edges = [(w["x0"], w["x1"], page.width) for page in document.pages for w in page.extract_words()]
        drawn = sum(len(page.rects) + len(page.curves) for page in document.pages)
    assert all(left >= 0 and right <= width for left, right, width in edges)
    for words in (
        "Distribution of models slain",
        "Wasted",
        "Steady Glow",
        "Build ",
        "Sources and trust",
        "Unsaved",
    ):
        assert words in text
    assert "Copy link" not in text and "Theme" not in text
    assert drawn > 60


def test_print_repeats_the_heads_of_long_tables(browser: Browser) -> None:
    browser.open("data/index.html")
    with pdfplumber.open(_printed(browser)) as document:
        texts = [page.extract_text() for page in document.pages]
    first = next(index for index, text in enumerate(texts) if "Columns of the dictionary" in text)
    assert len(texts) - first > 5
    assert all("Meaning" in text for text in texts[first + 1 : -1])


def _printed(browser: Browser) -> io.BytesIO:
    made = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    return io.BytesIO(base64.b64decode(made["data"]))
