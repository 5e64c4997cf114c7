"""Pages that list: home, targets, factions, rules, points, coverage, data, method.

Belongs here: overviews. Does not belong here: a target, faction or unit (their own modules).
"""

from collections import Counter, defaultdict
from typing import Any

from reports.facts import Facts, Row
from reports.numbers import expected, plural, points, points_per_wound, share, whole
from reports.pages.common import (
    BIN_LABELS,
    SHARE_LABELS,
    group_address,
    group_name,
    group_of,
    headline,
    heat_cell,
    rules_page,
    target_columns,
    unit_address,
    version_key,
)
from reports.pages.target import STANDS_FOR
from reports.tables import Cell, Column, TableRow, TableView, number, text
from reports.words import ORIGIN_WORDS, STATUS_WORDS, effect_words, stopped_words, target_facts

Groups = dict[str, list[Row]]
POINTS_LISTED = 1_200


def groups(facts: Facts) -> Groups:
    """Datasheets by faction or patrol slug, in the order of names."""
    found: Groups = defaultdict(list)
    for sheet in sorted(facts.sheets, key=lambda s: (group_name(s), s["name"], s["datasheet_id"])):
        found[group_of(sheet)].append(sheet)
    return dict(found)


def _cards(found: Groups, patrols: bool, prefix: str = "") -> list[dict[str, str]]:
    return [
        {
            "name": group_name(sheets[0]),
            "href": prefix + group_address(sheets[0]),
            "words": plural(len(sheets), "datasheet"),
        }
        for sheets in found.values()
        if bool(sheets[0]["is_combat_patrol"]) == patrols
    ]


def home(facts: Facts, found: Groups, statuses: list[Row], quarantined: int) -> dict[str, Any]:
    """The home page."""
    names = {sheet["datasheet_id"]: sheet["name"] for sheet in facts.sheets}
    targets = [
        {
            "id": target["target_id"],
            "name": target["name"],
            "facts": target_facts(target),
            "best": _best_words(names, _best(facts, target["target_id"])),
        }
        for target in facts.targets
    ]
    by_points = any(facts.costs.values())
    texts = sum(row["texts"] for row in statuses)
    unread = sum(row["texts"] for row in statuses if row["status"] == "not_understood")
    read_share = share(1 - unread / texts) if texts else "-"
    modelled = sum(not facts.not_modelled(sheet["datasheet_id"]) for sheet in facts.sheets)
    return {
        "title": "Home",
        "description": "What one volley or one fight is expected to do, for every unit, against twelve targets.",
        "sentence": f"What one volley or one fight is expected to do, for {plural(len(facts.sheets), 'datasheet')} against "
        f"twelve targets: exact figures, every one traced to its source. {facts.dates.capitalize()}. "
        f"{read_share} of {plural(texts, 'rule text')} understood.",
        "targets": targets,
        "factions": _cards(found, False),
        "patrols": _cards(found, True),
        "profile": _profile(facts, found, by_points),
        "bins": BIN_LABELS if by_points else SHARE_LABELS,
        "measure": "The best that a unit of each faction reaches in one phase, standard scenario: "
        + (
            "points worn off the target for each point paid."
            if by_points
            else "share of the target's wounds taken off."
        ),
        "points_sentence": _points_sentence(facts),
        "coverage_sentence": f"Fully modelled: {modelled} of {plural(len(facts.sheets), 'datasheet')}. Conflicts between "
        f"sources: {sum(len(rows) for rows in facts.conflicts.values()):,}. Quarantined pieces: {quarantined:,}.",
    }


def _best(facts: Facts, target_id: str) -> Row | None:
    """The cheapest way to take a wound off a target; where nothing has a price, what takes most wounds off it."""
    rows = [
        row
        for sheet in facts.sheets
        if not sheet["is_legends"]
        for row in headline(facts, sheet["datasheet_id"])
        if row["target_id"] == target_id and row["expected_wounds_lost"] > 0
    ]
    priced = [row for row in rows if row["points_per_expected_wound"] is not None]
    if priced:
        return min(priced, key=lambda r: (r["points_per_expected_wound"], r["datasheet_id"]))
    return max(rows, key=lambda r: (r["expected_wounds_lost"], r["datasheet_id"])) if rows else None


def _best_words(names: dict[str, str], best: Row | None) -> str | None:
    if best is None:
        return None
    who = f"{names[best['datasheet_id']]} ({best['attack_type']})"
    if best["points_per_expected_wound"] is None:
        return f"most: {who}, {expected(best['expected_wounds_lost'])} wounds"
    return f"best: {who}, {points_per_wound(best['points_per_expected_wound'])} points per wound"


def _profile(facts: Facts, found: Groups, by_points: bool) -> TableView:
    wounds = {target["target_id"]: target["models"] * target["wounds"] for target in facts.targets}
    rows = []
    for sheets in found.values():
        best: dict[str, float] = {}
        for sheet in sheets:
            for row in headline(facts, sheet["datasheet_id"]):
                share_of = row["expected_wounds_lost"] / wounds[row["target_id"]]
                value = row["worn_return"] if by_points else share_of
                if value is not None:
                    best[row["target_id"]] = max(best.get(row["target_id"], 0.0), value)
        if best:
            cells = [
                heat_cell(best.get(target["target_id"]), best.get(target["target_id"]), by_points)
                for target in facts.targets
            ]
            rows.append(TableRow([text(group_name(sheets[0]), group_address(sheets[0])), *cells]))
    columns = [Column("Faction"), *target_columns(facts)]
    return TableView("profile", "Best unit of each faction against the twelve targets", columns, rows, matrix=True)


def targets_index(facts: Facts) -> dict[str, Any]:
    """The list of the archetype targets."""
    items = [
        {
            "href": f"{target['target_id']}.html",
            "name": target["name"],
            "words": f"{target_facts(target)}; {STANDS_FOR.get(target['target_id'], '')}",
        }
        for target in facts.targets
    ]
    return _list(
        "Targets",
        "Twelve targets, soft to hard. Each page ranks units and weapons.",
        [_section("targets", "Targets", items=items)],
    )


def factions_index(found: Groups) -> dict[str, Any]:
    """The list of factions and patrols."""
    sections = [_section("factions", "Factions", items=_cards(found, False, "../"))]
    patrols = _cards(found, True, "../")
    if patrols:
        sections.append(
            _section(
                "patrols",
                "Combat Patrols",
                "Their sheets have no points and never mix with the full game's.",
                items=patrols,
            )
        )
    every = [
        TableRow(
            (
                text(s["name"], f"../{unit_address(s['datasheet_id'])}"),
                text(group_name(s)),
                text(s["role"]),
                text("yes" if s["is_legends"] else ""),
            )
        )
        for sheets in found.values()
        for s in sheets
    ]
    columns = [Column("Datasheet"), Column("Faction or patrol"), Column("Role"), Column("Legends")]
    sections.append(
        _section("datasheets", "Every datasheet", table=TableView("all-datasheets", "Every datasheet", columns, every))
    )
    return _list("Factions", "Every faction and Combat Patrol of this build, and every datasheet by name.", sections)


def _list(
    title: str, description: str, sections: list[dict[str, Any]], parent: dict[str, str] | None = None
) -> dict[str, Any]:
    return {
        "title": title,
        "description": description,
        "sections": sections,
        "parent": parent,
        "charts_shown": [],
        "charts": {},
    }


def _section(
    anchor: str, title: str, words: str = "", items: Any = None, table: TableView | None = None, code: str = ""
) -> dict[str, Any]:
    return {"id": anchor, "title": title, "words": words, "cards": items, "table": table, "code": code}


# --- rules ---------------------------------------------------------------------------------------------------------


def rules_pages(facts: Facts) -> dict[str, dict[str, Any]]:
    """`rules/index.html` and one page for each detachment: what each rule does, in our words."""
    by_place: dict[str, list[Row]] = defaultdict(list)
    for row in facts.shared_effects:
        if row["origin"] != "rule":
            by_place[rules_page(row)].append(row)
    names = {
        slug: next(
            (row["detachment"] or row["faction"] for row in rows if row["detachment"] or row["faction"]), "Army rules"
        )
        for slug, rows in by_place.items()
    }
    pages: dict[str, dict[str, Any]] = {}
    items = []
    for slug, rows in sorted(by_place.items(), key=lambda entry: (names[entry[0]], entry[0])):
        name, address = names[slug], f"rules/{slug}.html"
        # A page without a faction in its name is open to every army, whichever file printed it.
        faction = next((row["faction"] for row in rows if row["faction"]), "") if "--" in slug else ""
        texts = {(row["origin"], row["origin_id"]): row for row in rows}
        read = sum(row["status"] == "read" for row in texts.values())
        items.append(
            {
                "href": f"{slug}.html",
                "name": name,
                "words": f"{faction + ', ' if faction else ''}{plural(len(texts), 'rule')}, {read} change an attack",
            }
        )
        title = f"{name} ({faction})" if faction and faction != name else name
        pages[address] = _list(
            title,
            f"{plural(len(texts), 'rule')} of {name}, and what each does to an attack.",
            [_section("rules-heading", "Rules", table=_rules_table(rows))],
            {"href": "index.html", "name": "Rules"},
        )
    pages["rules/index.html"] = _list(
        "Rules",
        "Detachments and army rules, and what the compiler made of each text.",
        [_section("places", "Detachments and army rules", items=items)],
    )
    return pages


def _rules_table(rows: list[Row]) -> TableView:
    shown = [
        TableRow(
            (
                text(row["source_name"] or row["origin_name"]),
                text(str(ORIGIN_WORDS.get(row["origin"], row["origin"])).removesuffix("s")),
                text(STATUS_WORDS.get(row["status"], row["status"])),
                text(_what(row)),
                text(row["phase"]),
            )
        )
        for row in rows
    ]
    columns = [Column("Rule"), Column("Kind"), Column("Status"), Column("Effect in our words"), Column("Phase")]
    return TableView("rules", "Rules and what they do to an attack", columns, shown)


def _what(row: Row) -> str:
    if row["status"] == "not_understood":
        return stopped_words(row["stopped_at"])[:160]
    return str(row["category"] or "").replace("_", " ") if row["kind"] in (None, "none") else effect_words(row)


# --- points --------------------------------------------------------------------------------------------------------


def _points_sentence(facts: Facts) -> str:
    rows = [row for history in facts.history.values() for row in history]
    if not rows:
        return "No points list with a version was read."
    changed = {row["version"] for row in rows if row["change"]}
    latest = max(changed or {row["version"] for row in rows}, key=version_key)
    changes = [row["change"] for row in rows if row["version"] == latest and row["change"]]
    dearer, cheaper = sum(c > 0 for c in changes), sum(c < 0 for c in changes)
    if not dearer and not cheaper:
        return f"Version {latest}: no size changed its price against the version before."
    return f"Version {latest}: {plural(dearer, 'size')} dearer, {cheaper} cheaper than in the version before."


def points_page(facts: Facts) -> dict[str, Any]:
    """Prices that changed between versions of the points list."""
    names = {sheet["datasheet_id"]: sheet for sheet in facts.sheets}
    rows = [
        row | {"datasheet_id": datasheet_id}
        for datasheet_id, history in facts.history.items()
        for row in history
        if row["change"]
    ]
    rows.sort(
        key=lambda row: (
            tuple(-part for part in version_key(row["version"])),
            -abs(row["change"]),
            row["datasheet_id"],
            row["models"] or 0,
        )
    )
    shown = []
    for row in rows[:POINTS_LISTED]:
        sheet = names.get(row["datasheet_id"])
        name = sheet["name"] if sheet else row["datasheet_id"]
        href = f"../{unit_address(row['datasheet_id'])}" if sheet else None
        before = row["points"] - row["change"]
        shown.append(
            TableRow(
                (
                    text(name, href),
                    text(row["datasheet_id"].split("/")[0].replace("-", " ")),
                    text(row["version"]),
                    Cell(whole(row["models"]), None if row["models"] is None else float(row["models"])),
                    text(row["condition"]),
                    number(before, points),
                    number(row["points"], points),
                    Cell(f"{'+' if row['change'] > 0 else ''}{points(row['change'])}", float(row["change"])),
                    Cell(
                        share(row["change"] / before, signed=True) if before else "-",
                        row["change"] / before if before else None,
                    ),
                )
            )
        )
    heads = (("Datasheet", False), ("Faction", False), ("Version", False), ("Models", True), ("Condition", False))
    numeric = ("Before", "Points", "Change", "Change in per cent")
    columns = [
        *(Column(label, numeric=is_number) for label, is_number in heads),
        *(Column(label, numeric=True) for label in numeric),
    ]
    words = "" if rows else "No price changed between the versions that were read."
    if len(rows) > POINTS_LISTED:
        words = f"The first {POINTS_LISTED:,} of {len(rows):,}; the rest is in out.points_history."
    table = TableView("changes", "Changes of price, newest version first, largest first", columns, shown)
    return _list("Points", _points_sentence(facts), [_section("changes-heading", "Changes", words, table=table)])


# --- coverage ------------------------------------------------------------------------------------------------------


def coverage(facts: Facts, found: dict[str, list[Row]]) -> dict[str, Any]:
    """What was read and what was not: texts by origin and status, unread clauses, lines, conflicts, quarantine, checks."""
    statuses = found["statuses"]
    order = list(STATUS_WORDS)
    page = _list("Coverage", _coverage_words(statuses), [])
    page["charts"]["coverage-chart"] = [
        {
            "origin": ORIGIN_WORDS.get(row["origin"], row["origin"]),
            "status": STATUS_WORDS.get(row["status"], row["status"]),
            "texts": row["texts"],
            "position": order.index(row["status"]) if row["status"] in order else 9,
        }
        for row in statuses
    ]
    page["charts_shown"] = [
        {
            "id": "coverage-chart",
            "template": "coverage",
            "sentence": "Rule texts by origin and status.",
            "table": "texts",
        }
    ]
    page["sections"] = [
        _section("texts-heading", "Rule texts", table=_status_table(statuses)),
        _section(
            "clauses-heading",
            "Clauses that stopped the compiler",
            "The most frequent first. A text that was not understood is in no figure.",
            table=_simple(
                "clauses",
                "Unread clauses",
                (("Clause", "stopped_at"), ("Texts", "texts"), ("Example", "example"), ("Origin", "origin")),
                found["unread"],
                {"texts"},
            ),
        ),
        _section("units-heading", "Datasheets with rules that are not modelled", table=_partial(facts)),
        _section(
            "lines-heading",
            "Lines of text files",
            "Every line of every text file has one disposition.",
            table=_lines(found["lines"]),
        ),
        _section(
            "conflicts-heading",
            "Conflicts between sources",
            table=_simple(
                "conflict-kinds",
                "Conflicts by fact and reason",
                (("Fact", "attribute"), ("Reason", "reason"), ("Conflicts", "conflicts"), ("Example", "example")),
                found["conflicts"][:100],
                {"conflicts"},
            ),
        ),
        _section(
            "quarantine-heading",
            "Quarantine",
            "Pieces that no parser understood, with the reason."
            if found["quarantine"]
            else "Empty: every piece of every file was understood.",
            table=_simple(
                "quarantine",
                "Quarantined pieces",
                (("File", "path"), ("Place", "locator"), ("Text", "text"), ("Reason", "reason")),
                found["quarantine"][:500],
                set(),
            )
            if found["quarantine"]
            else None,
        ),
        _section(
            "notices-heading",
            "Remarks of the readers",
            table=_simple("notices", "Remarks", (("File", "path"), ("Remark", "text")), found["notices"][:500], set())
            if found["notices"]
            else None,
        ),
        _section("files-heading", "Files", table=_files(facts)),
        _section("checks-heading", "Checks", table=_checks(found["checks"])),
    ]
    return page


def _coverage_words(statuses: list[Row]) -> str:
    counts = Counter[str]()
    for row in statuses:
        counts[row["status"]] += row["texts"]
    total = sum(counts.values())
    if not total:
        return "No rules text was read."
    return (
        f"Of {plural(total, 'rule text')} {counts['read']:,} change an attack and are read, {counts['not_attack']:,} change no "
        f"attack, {counts['not_understood']:,} ({share(counts['not_understood'] / total)}) were not understood."
    )


def _status_table(statuses: list[Row]) -> TableView:
    by_origin: dict[str, dict[str, int]] = defaultdict(dict)
    for row in statuses:
        by_origin[row["origin"]][row["status"]] = row["texts"]
    rows = [
        TableRow(
            [
                text(ORIGIN_WORDS.get(origin, origin)),
                *(Cell(whole(counts.get(s, 0)), float(counts.get(s, 0))) for s in STATUS_WORDS),
            ]
        )
        for origin, counts in by_origin.items()
    ]
    return TableView(
        "texts",
        "Rule texts by origin and status",
        [Column("Origin"), *(Column(w, numeric=True) for w in STATUS_WORDS.values())],
        rows,
    )


def _simple(
    anchor: str, caption: str, columns: tuple[tuple[str, str], ...], rows: list[Row], numeric: set[str]
) -> TableView:
    made = [
        TableRow(
            [
                Cell(whole(row[name]), float(row[name]))
                if name in numeric
                else text(row[name] if row[name] is None else str(row[name])[:300])
                for _, name in columns
            ]
        )
        for row in rows
    ]
    return TableView(anchor, caption, [Column(label, numeric=name in numeric) for label, name in columns], made)


def _partial(facts: Facts) -> TableView:
    rows = []
    for sheet in facts.sheets:
        missing = facts.not_modelled(sheet["datasheet_id"])
        if missing:
            rows.append(
                TableRow(
                    (
                        text(sheet["name"], unit_address(sheet["datasheet_id"])),
                        text(group_name(sheet)),
                        Cell(
                            str(len({m["origin_id"] for m in missing})), float(len({m["origin_id"] for m in missing}))
                        ),
                        text(", ".join(sorted({str(m["origin_name"]) for m in missing}))),
                    )
                )
            )
    columns = [Column("Datasheet"), Column("Faction"), Column("Rules", numeric=True), Column("Not modelled")]
    return TableView("partial", "Rules that are in no figure", columns, rows)


def _lines(lines: list[Row]) -> TableView:
    order = ("parsed", "repeat", "reference", "decoration", "quarantined")
    by_file: dict[str, dict[str, int]] = defaultdict(dict)
    for row in lines:
        by_file[row["path"]][row["disposition"]] = row["lines"]
    rows = [
        TableRow(
            [
                text(path),
                *(Cell(whole(counts.get(d, 0)), float(counts.get(d, 0))) for d in order),
                Cell(whole(sum(counts.values())), float(sum(counts.values()))),
            ]
        )
        for path, counts in by_file.items()
    ]
    return TableView(
        "lines",
        "Lines by disposition",
        [Column("File"), *(Column(d, numeric=True) for d in order), Column("All", numeric=True)],
        rows,
    )


def _files(facts: Facts) -> TableView:
    rows = [
        TableRow(
            (
                text(file["path"]),
                text(file["kind"]),
                text(file["title"]),
                text(file["edition"]),
                text(file["version"]),
                text(file["dated"]),
                Cell(whole(file["bytes"]), float(file["bytes"])),
            )
        )
        for file in facts.files.values()
    ]
    columns = [Column(h) for h in ("File", "Kind", "Title", "Edition", "Version", "Date")]
    return TableView("files", "Raw files as read", [*columns, Column("Bytes", numeric=True)], rows)


def _checks(checks: list[Row]) -> TableView:
    failed = [row for row in checks if not row["passed"]]
    passed = Counter(row["check_name"] for row in checks if row["passed"])
    rows = [
        TableRow(
            (text(row["check_name"]), text("failed"), text(row["table_name"]), text(row["message"] or row["observed"]))
        )
        for row in failed
    ]
    rows += [
        TableRow((text(name), text("passed"), text(plural(count, "table")), text(None)))
        for name, count in sorted(passed.items())
    ]
    return TableView("checks", "Checks of this build", [Column(h) for h in ("Check", "Result", "Of", "Observed")], rows)


# --- data and method -----------------------------------------------------------------------------------------------


def data_page(tables: list[Row], columns: list[Row]) -> dict[str, Any]:
    """Where the tables are and what each column means."""
    sections = [
        _section(
            "files-heading",
            "Files",
            "The build publishes a DuckDB database (readable with DuckDB 2.0 or newer) and the same tables as Parquet. Query them with:",
            code="hammerhouse query \"FROM out.unit_matchup WHERE target_id = 'meq' LIMIT 10\"\n"
            "duckdb -c \"FROM 'parquet/out/target.parquet'\"",
        ),
        _section(
            "tables-heading",
            "Tables",
            table=_simple(
                "tables",
                "Tables and views",
                (("Table", "table_name"), ("One row per", "grain"), ("Rows", "row_count")),
                [row | {"row_count": row["row_count"] or 0} for row in tables],
                {"row_count"},
            ),
        ),
        _section(
            "columns-heading",
            "Columns",
            table=_simple(
                "columns",
                "Columns of the dictionary",
                (("Column", "column"), ("Type", "data_type"), ("Unit", "unit"), ("Meaning", "description")),
                [row | {"column": f"{row['table_name']}.{row['column_name']}"} for row in columns],
                set(),
            ),
        ),
    ]
    return _list("Data", "The published tables and the data dictionary.", sections)


def method_page(scenarios: list[Row]) -> dict[str, Any]:
    """How the figures are made."""
    measures = [
        (
            "Points per wound lost",
            "price of the attackers / expected wounds lost. Lower is better; where nothing is lost there is none.",
        ),
        ("Wounds lost per 100 points", "100 x expected wounds lost / price. The sort key: 0 is a proper value."),
        (
            "Worn return",
            "price of the target x share of its wounds taken off / price of the attackers. Half-dead models count half.",
        ),
        (
            "Points return",
            "price of slain models / price of the attackers. Strict: a Knight that survives returns nothing.",
        ),
        ("Wasted", "1 - expected wounds lost / expected damage: what overkill loses."),
        (
            "Chance of at least k",
            "probability that k or more models are slain in one phase, from the exact distribution.",
        ),
        (
            "Points lost per 100 points of fire",
            "what one real volley of an archetype attacker takes off, scaled to 100 of its points.",
        ),
    ]
    table = TableView(
        "measures",
        "Measures",
        [Column("Measure"), Column("Meaning")],
        [TableRow((text(a), text(b))) for a, b in measures],
        sortable=False,
    )
    scenario = TableView(
        "scenarios",
        "Scenarios",
        [Column("Scenario"), Column("Meaning")],
        [TableRow((text(s["scenario"]), text(s["description"]))) for s in scenarios],
        sortable=False,
    )
    steps = [
        (
            "Attacks",
            "Every bearer rolls its own number. Rapid Fire inside half range; Blast adds one for each five whole models.",
        ),
        (
            "Hit and wound",
            "Unmodified 1 fails, unmodified 6 is critical; modifiers are summed and held to -1..+1; re-rolls come before modifiers.",
        ),
        (
            "Saves",
            "The better of armour (changed by AP and cover) and invulnerable. Cover is not for a Save of 3+ or better against AP 0.",
        ),
        (
            "Damage",
            "Each unsaved attack goes to one model; what exceeds its wounds is lost. Feel No Pain rolls for each point.",
        ),
        ("Devastating Wounds", "No save; mortal wounds after all other attacks of the unit; they do not spill over."),
        ("Exactness", "Every figure is an exact expectation or probability. Nothing is sampled."),
        (
            "Not in the figures",
            "Abilities, stratagems and enhancements: they are shown apart, as gains. Archetypes have no abilities.",
        ),
    ]
    sequence = TableView(
        "sequence",
        "The attack sequence as we read it",
        [Column("Step"), Column("Reading")],
        [TableRow((text(a), text(b))) for a, b in steps],
        sortable=False,
    )
    return _list(
        "Method",
        "How the figures are made, what they mean and what they leave out.",
        [
            _section("sequence-heading", "Attack sequence", table=sequence),
            _section("measures-heading", "Measures", table=table),
            _section("scenarios-heading", "Scenarios", table=scenario),
        ],
    )
