"""The site's files as files: links, anchors, structure, sizes, words. No browser."""

import filecmp
import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import duckdb
import pytest
from browser import raw_folder
from browser.harness import WORDS_OF_A_FAULT, Built
from lxml import html

from reports.facts import Facts, Row
from reports.pages import faction, target
from reports.site import Writer, write_site
from warehouse.read import open_published

Pages = dict[str, html.HtmlElement]


@pytest.fixture(scope="module")
def pages(built: Built) -> Pages:
    """Every page by its address below the site."""
    found = {}
    for path in sorted(built.site.rglob("*.html")):
        found[path.relative_to(built.site).as_posix()] = html.document_fromstring(path.read_bytes())
    assert len(found) > 35
    return found


@pytest.fixture(scope="module")
def sheets(built: Built) -> dict[str, str]:
    """Names of the fixture's datasheets by id."""
    with duckdb.connect(str(built.database), read_only=True) as connection:
        return dict(connection.execute("SELECT datasheet_id, name FROM core.datasheet").fetchall())


def _target(address: str, href: str) -> tuple[str, str]:
    """The page and the anchor that a link on a page leads to."""
    path, _, anchor = href.partition("#")
    folder = address.rpartition("/")[0]
    parts: list[str] = []
    for part in (f"{folder}/{path}" if path else address).split("/"):
        if part == "..":
            parts.pop()  # IndexError: the link leaves the site
        elif part not in ("", "."):
            parts.append(part)
    return unquote("/".join(parts)), unquote(anchor)


def test_every_link_and_anchor_resolves(pages: Pages, built: Built) -> None:
    ids = {address: set(page.xpath("//@id")) for address, page in pages.items()}
    linked = {"index.html", "404.html"}
    broken = []
    for address, page in pages.items():
        for href in page.xpath("//a/@href"):
            to, anchor = _target(address, href)
            linked.add(to) if to != address else None
            if to not in pages or (anchor and anchor not in ids[to]):
                broken.append((address, href))
        for asset in page.xpath("//script/@src | //link[@rel='stylesheet']/@href"):
            if not (built.site / _target(address, asset)[0]).is_file():
                broken.append((address, asset))
    assert broken == []
    assert set(pages) - linked == set()


def test_every_hit_of_the_search_exists(pages: Pages, built: Built) -> None:
    text = (built.site / "assets/search.js").read_text(encoding="utf-8")
    rows = json.loads(text.removeprefix("SEARCH(").removesuffix(");\n"))

    def address(row: list) -> str:
        if isinstance(row[2], str):
            return row[3]
        home = address(rows[row[2]])
        if row[0] == "u":
            return f"units/{home.split('/')[-1].removesuffix('.html')}/{row[3]}.html"
        return home + ("#weapons" if row[0] == "w" else "")

    assert len(rows) > 40
    for href in map(address, rows):
        to, anchor = _target("index.html", href)
        assert to in pages and (not anchor or pages[to].xpath("//*[@id=$a]", a=anchor)), href


def test_structure_of_every_page(pages: Pages) -> None:
    for address, page in pages.items():
        levels = [int(tag.tag[1]) for tag in page.xpath("//h1|//h2|//h3|//h4")]
        assert levels.count(1) == 1 and levels[0] == 1, address
        assert all(after - before <= 1 for before, after in pairwise(levels)), (address, levels)
        assert page.get("lang") == "en" and len(page.xpath("//main")) == 1 and len(page.xpath("//header")) == 1
        assert page.xpath("//title/text()") and page.xpath("//meta[@name='description']/@content")[0].strip(), address
        repeated = [name for name, count in Counter(page.xpath("//@id")).items() if count > 1]
        assert repeated == [], address
        for table in page.xpath("//table"):
            assert table.xpath("./caption")[0].text_content().strip(), address
            assert all(head.get("scope") == "col" for head in table.xpath("./thead//th")), address
            width = len(table.xpath("./thead/tr/th"))
            for row in table.xpath("./tbody/tr"):
                assert row[0].tag == "th" and row[0].get("scope") == "row", address
                assert len(row) == width, (address, table.get("id"))
        for figure in page.xpath("//figure"):
            named = figure.get("aria-labelledby")
            assert figure.xpath("./figcaption[@id=$n]", n=named)[0].text_content().strip(), address
        for control in page.xpath("//select|//main//input"):
            assert control.xpath("ancestor::label") or control.get("aria-label"), address


def test_no_script_of_a_name_and_no_handler(pages: Pages) -> None:
    for address, page in pages.items():
        assert not page.xpath("//img | //@onerror | //@onclick | //iframe"), address


def test_words(pages: Pages) -> None:
    for address, page in pages.items():
        shown = [t for t in page.xpath("//body//text()[not(ancestor::script)]") if WORDS_OF_A_FAULT.search(t)]
        attributes = [v for v in page.xpath("//@*") if WORDS_OF_A_FAULT.search(v)]
        if address != "data/index.html":  # the dictionary speaks of NULL and of types
            assert (shown, attributes) == ([], []), address
        for element in page.xpath("//p | //figcaption | //caption | //h1 | //h2 | //meta[@name='description']"):
            sentence = element.get("content") or element.text_content()
            assert not re.search(r"\(\s*\)|\s[.,;:](\s|$)|\.\.(\s|$)|,\s*\.|\{|\}", sentence), (address, sentence)
            assert not re.search(r"\b1 (models|units|rules|datasheets|texts|sizes)\b", sentence), (address, sentence)
            assert "  " not in (element.get("content") or ""), address


def test_names_are_shown_as_they_are(pages: Pages, sheets: dict[str, str]) -> None:
    assert {raw_folder.HOSTILE, raw_folder.QUOTED, raw_folder.LONGEST, raw_folder.PROFILE_ONLY} <= set(sheets.values())
    for datasheet_id, name in sheets.items():
        assert pages[f"units/{datasheet_id}.html"].xpath("//h1")[0].text_content() == name


def test_rules_that_are_not_modelled_are_marked_wherever_the_unit_is_ranked(
    pages: Pages, sheets: dict[str, str]
) -> None:
    partial = [i for i, name in sheets.items() if name == raw_folder.PARTIAL]
    page = pages[f"units/{partial[0]}.html"]
    assert "1 rule not modelled" in [b.text_content() for b in page.xpath("//*[contains(@class,'badge')]")]
    assert page.xpath("//table[@id='not-modelled']//tbody/tr")
    for address, ranking in pages.items():
        for row in ranking.xpath("//table[@id='ranking']/tbody/tr"):
            is_partial = row.xpath(".//a/@href")[0].endswith(f"{partial[0]}.html")
            assert bool(row.xpath(".//*[contains(@class,'partial')]")) == is_partial, address
            assert (row.get("data-modelled") == "no") == is_partial, address
    assert any(partial[0] in href for href in pages["coverage.html"].xpath("//table[@id='partial']//a/@href"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (raw_folder.PROFILE_ONLY, "has no weapon that can be resolved"),
        (raw_folder.UNARMED, "has no weapon that can be resolved"),
        (raw_folder.PROFILE_ONLY, "No rules known"),
        (raw_folder.NO_POINTS, "No source states its points"),
        (raw_folder.FACELESS, "No source states the characteristics"),
        ("Captain Varro Thane", "Combat Patrol units have no points"),
    ],
)
def test_what_is_missing_is_said(pages: Pages, sheets: dict[str, str], name: str, words: str) -> None:
    address = next(f"units/{i}.html" for i, known in sheets.items() if known == name)
    assert words in " ".join(pages[address].xpath("//main")[0].text_content().split())


def test_a_unit_without_guns_has_melee_rows_only(pages: Pages) -> None:
    rows = pages["units/ember-court/blade-dancers.html"].xpath("//table[@id='targets']/tbody/tr/td[1]/text()")
    assert rows and {row.strip() for row in rows} == {"melee"}


def test_units_without_points_stand_last_and_say_so(pages: Pages) -> None:
    for address, page in pages.items():
        for scenario in ("standard", "close", "cover"):
            rows = page.xpath("//table[@id='ranking']/tbody/tr[td[4]=$s or contains(td[4], $s)]", s=scenario)
            values = [row[7].text_content().strip() for row in rows]
            without = [value == "no points" for value in values]
            assert without == sorted(without), address
            figures = [
                float(row[7].get("data-v") or row[7].text_content())
                for row in rows
                if row[6].text_content() != "no points" and row[7].text_content().strip() != "no points"
            ]
            assert figures == sorted(figures, reverse=True), address
    assert "no points" in pages["targets/meq.html"].xpath("//table[@id='ranking']")[0].text_content()


def test_sizes_are_within_the_budgets(built: Built) -> None:
    for path in built.site.rglob("*.html"):
        assert path.stat().st_size < 300_000, path.name
    limits = {"vega.js": 1_000_000, "site.js": 40_000, "site.css": 25_000, "charts.js": 40_000, "search.js": 300_000}
    for name, limit in limits.items():
        assert 0 < (built.site / "assets" / name).stat().st_size < limit, name


def test_overviews_stay_light_in_a_game_of_full_size(built: Built, tmp_path: Path) -> None:
    """The fixture's units a hundred times over: more than two thousand rows for each target, a faction of 280 sheets."""
    with open_published(built.database) as connection:
        facts = Facts.read(connection)
    copies = range(100)

    def many(grouped: dict[str, list[Row]]) -> dict[str, list[Row]]:
        return {
            f"{key}-{copy}": [row | {"datasheet_id": f"{key}-{copy}"} for row in rows]
            for copy in copies
            for key, rows in grouped.items()
        }

    sheets = [
        sheet | {"datasheet_id": f"{sheet['datasheet_id']}-{copy}", "is_legends": copy % 3 == 0}
        for copy in copies
        for sheet in facts.sheets
    ]
    large = replace(
        facts,
        sheets=sheets,
        unit_matchups=many(facts.unit_matchups),
        weapons=many(facts.weapons),
        costs=many(facts.costs),
        effects=many(facts.effects),
    )
    writer = Writer(tmp_path, large)
    # Of 280 sheets 187 are no Legends: as many as in the largest faction of the game.
    court = [sheet for sheet in sheets if sheet["faction"] == "Ember Court"][:280]
    writer.page("factions/x.html", "faction.j2", faction.page(large, court))
    writer.page("targets/x.html", "target.j2", target.page(large, large.targets[3], ["Ember Court", "River Folk"]))
    for path in tmp_path.rglob("*.html"):
        assert 100_000 < path.stat().st_size < 300_000, path
    page = html.document_fromstring((tmp_path / "targets/x.html").read_bytes())
    assert "further rows are in the table" in page.text_content()
    assert len(page.xpath("//table[@id='ranking']/tbody/tr")) == sum(target.LISTED.values())


def test_two_writes_give_the_same_bytes(built: Built, tmp_path: Path) -> None:
    with open_published(built.database) as connection:
        write_site(connection, tmp_path)
    files = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(built.site) for path in built.site.rglob("*") if path.is_file())
    _, different, failed = filecmp.cmpfiles(tmp_path, built.site, [str(file) for file in files], shallow=False)
    assert (different, failed) == ([], [])
