"""The site builder: every page from the published warehouse, into one folder.

Belongs here: the order of pages, assets, the search index, writing files. Does not belong here: what is on a page
(`pages`). Two builds of the same input give identical files.
"""

import json
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb
import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from reports import charts, queries
from reports.facts import Facts, Row
from reports.pages import faction, lists, target, unit
from reports.pages.common import group_address, group_name, rules_page, unit_address


def write_site(
    connection: duckdb.DuckDBPyConnection, folder: Path, progress: Callable[[str], None] = lambda _: None
) -> int:
    """Write every page, the assets and the search index into `folder` (created; must be empty). Returns the pages."""
    facts = Facts.read(connection)
    writer = Writer(folder, facts)
    writer.assets()
    count = 0
    for address, template, context in _pages(connection, facts):
        writer.page(address, template, context)
        count += 1
        if count % 200 == 0:
            progress(f"{count:,} pages written")
    writer.search(facts)
    progress(f"{count:,} pages written")
    return count


class Writer:
    """Renders templates and writes files below one folder."""

    def __init__(self, folder: Path, facts: Facts) -> None:
        self._folder = folder
        self._site = {"build_id": facts.build_id, "dates": facts.dates}
        self._environment = Environment(
            loader=PackageLoader("reports"),
            autoescape=select_autoescape(default=True, default_for_string=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def page(self, address: str, template: str, context: dict[str, Any]) -> None:
        """One page. Chart rows go into the page as JSON with `<` escaped, so that no text can end the block."""
        rows = {name: rows for name, rows in context.get("charts", {}).items() if rows}
        data = json.dumps(rows, allow_nan=False, separators=(",", ":"), ensure_ascii=False) if rows else ""
        data = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        values = {"price_chart": False, "matchups": None, "durability": None, "lift": None, "parent": None, **context}
        values |= {"charts": context.get("charts_shown", []), "site": self._site, "base": "../" * address.count("/")}

        html = self._environment.get_template(template).render(**values, chart_rows=Markup(data))
        self.write(address, html)

    def write(self, address: str, content: str) -> None:
        path = self._folder / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")

    def assets(self) -> None:
        """Style, script, the Vega bundle and the chart templates."""
        static = resources.files("reports").joinpath("static")
        for name in ("site.css", "site.js"):
            self.write(f"assets/{name}", static.joinpath(name).read_text(encoding="utf-8"))
        self.write("assets/vega.js", vl_convert.javascript_bundle())  # type: ignore[call-arg]  # optional in fact
        payload = {
            name: {"charts": charts.specifications(palette), "config": charts.theme(palette)}
            for name, palette in (("light", charts.LIGHT), ("dark", charts.DARK))
        }
        text = json.dumps(payload, allow_nan=False, separators=(",", ":"), sort_keys=True)
        self.write("assets/charts.js", f"window.HAMMERHOUSE={text};\n")

    def search(self, facts: Facts) -> None:
        """The search index as `assets/search.js`."""
        text = json.dumps(search_rows(facts), ensure_ascii=False, separators=(",", ":"))
        self.write("assets/search.js", f"SEARCH({text});\n")


def search_rows(facts: Facts) -> list[list[str | int]]:
    """Rows of the search index: targets, groups, units, detachments, weapons, rules.

    Each is type (t target, f faction or patrol, u unit, d detachment, w weapon, r rule), name and where it is:
    `[type, name, note, address]`, or `[type, name, number]` for a unit, weapon or
    rule, whose number is that of its group, unit or detachment in this list. A unit adds its own part of the address.
    """
    rows: list[list[str | int]] = [
        ["t", t["name"], t["target_id"], f"targets/{t['target_id']}.html"] for t in facts.targets
    ]
    places: dict[str, int] = {}

    def place(kind: str, name: str, note: str, address: str) -> int:
        if address not in places:
            places[address] = len(rows)
            rows.append([kind, name, note, address])
        return places[address]

    units: dict[str, int] = {}
    for sheet in facts.sheets:
        group = place("f", group_name(sheet), "", group_address(sheet))
        units[sheet["datasheet_id"]] = len(rows)
        rows.append(["u", sheet["name"], group, unit_address(sheet["datasheet_id"]).split("/")[-1][:-5]])
    seen: set[str] = set()
    for sheet in facts.sheets:
        for weapon in facts.weapons.get(sheet["datasheet_id"], []):
            if weapon["weapon"].lower() not in seen:
                seen.add(weapon["weapon"].lower())
                rows.append(["w", weapon["weapon"], units[sheet["datasheet_id"]]])
    for row in facts.shared_effects:
        if row["origin"] == "rule":
            continue
        page = rules_page(row)
        name = row["detachment"] or row["faction"] or "Army rules"
        number = place("d", name, row["faction"] or "", f"rules/{page}.html")
        if f"{number}|{row['origin_name']}" not in seen:
            seen.add(f"{number}|{row['origin_name']}")
            rows.append(["r", row["origin_name"], number])
    return rows


def _pages(connection: duckdb.DuckDBPyConnection, facts: Facts) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every page as address, template and context."""

    def rows(sql: str) -> list[Row]:
        return queries.records(connection, sql)

    found = lists.groups(facts)
    report = {
        "statuses": rows(queries.STATUSES),
        "unread": rows(queries.UNREAD),
        "lines": rows(queries.LINES),
        "conflicts": rows(queries.CONFLICT_KINDS),
        "quarantine": rows(queries.QUARANTINE),
        "notices": rows(queries.NOTICES),
        "checks": rows(queries.CHECKS),
    }
    factions = sorted({group_name(sheet) for sheet in facts.sheets})
    yield "index.html", "index.j2", lists.home(facts, found, report["statuses"], len(report["quarantine"]))
    yield "targets/index.html", "list.j2", lists.targets_index(facts)
    yield "factions/index.html", "list.j2", lists.factions_index(found)
    for row in facts.targets:
        yield f"targets/{row['target_id']}.html", "target.j2", target.page(facts, row, factions)
    for sheets in found.values():
        yield group_address(sheets[0]), "faction.j2", faction.page(facts, sheets)
    for sheet in facts.sheets:
        yield unit_address(sheet["datasheet_id"]), "unit.j2", unit.page(facts, sheet)
    for address, context in lists.rules_pages(facts).items():
        yield address, "list.j2", context
    yield "points/index.html", "list.j2", lists.points_page(facts)
    yield "coverage.html", "list.j2", lists.coverage(facts, report)
    yield (
        "data/index.html",
        "list.j2",
        lists.data_page(
            rows("FROM meta.table ORDER BY table_name"), rows("FROM meta.column ORDER BY table_name, position")
        ),
    )
    yield "method.html", "list.j2", lists.method_page(rows(queries.SCENARIO_ROWS))
    yield "404.html", "404.j2", {"title": "Not found", "description": "This page does not exist.", "charts": {}}
