"""The texts that hand labels point to, as the compiler gets them, and their score.

Belongs here: finding the rows that a label names in an export or a dump, making rule texts of them, the older words of the
labelled dumps. Does not belong here: how an effect and a label are matched (`rules_scoring`).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from data.real.rules_scoring import Score, add_text

from pipelines.rules_text import RuleText, compile_rule
from pipelines.sources.records import RawFile, ReadResult, Row
from pipelines.sources.text_dump import read
from pipelines.sources.wahapedia_csv import read_folder

Label = dict[str, Any]

TABLES = {
    "Stratagems.csv": ("stratagem",),
    "Enhancements.csv": ("enhancement",),
    "Detachment_abilities.csv": ("detachment_rule",),
    "Datasheets_abilities.csv": ("ability",),
    "Abilities.csv": ("army_rule", "rule"),
}
PARTS = ("when", "target", "effect", "restrictions")
GOLD_KINDS = {
    "crit_hit_on": ("critical_on", {"roll": "hit"}),
    "crit_wound_ap": ("critical_bonus", {"roll": "wound", "stat": "AP"}),
    "fnp": ("feel_no_pain", {}),
    "invulnerable": ("invulnerable_save", {}),
    "cover": ("benefit_of_cover", {}),
    "substitute_dice": ("substitute_roll", {}),
    "shoot_again": ("attack_again", {}),
    "shoot_out_of_phase": ("out_of_phase_attack", {}),
    "redirect_attacks": ("other_attack", {}),
    "blast_count_hidden_models": ("other_attack", {}),
    "allocate_to_hidden_models": ("other_attack", {}),
}
GOLD_PARAMS = {
    "feel_no_pain": {"n": "threshold"},
    "invulnerable_save": {"n": "threshold"},
    "critical_on": {"n": "threshold"},
    "hit_only_on": {"n": "threshold"},
    "critical_bonus": {"n": "delta"},
    "mortal_wounds": {
        "wounds": "amount",
        "wounds_per_success": "amount",
        "trigger_roll": "success_on",
        "dice_count": "dice",
    },
}
MEANING = {  # parameters that bear on the result; the labels' other ones are comments
    "modify": {"stat", "delta"},
    "critical_on": {"roll", "threshold"},
    "hit_only_on": {"threshold"},
    "out_of_phase_attack": set[str](),
    "attack_again": set[str](),
    "mortal_wounds": {"amount", "success_on", "dice", "max"},
}


def labels_of(path: Path) -> list[Label]:
    """The labelled texts of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def read_export(real_data: Path) -> ReadResult:
    """The full-game export."""
    files = {path.name: path.read_bytes() for path in sorted((real_data / "data" / "wahapedia-csv").glob("*.csv"))}
    return read_folder(files, RawFile("0" * 16, "wahapedia-csv", "wahapedia_csv", "0" * 64, 0))


def rule_text_of(table: str, row: Row) -> RuleText:
    """A row of the sources as the compiler gets it."""
    parts = {part: row[f"{part}_text"] for part in PARTS if table == "stratagem" and row[f"{part}_text"]}
    return RuleText(
        origin=table,
        name=row["name"],
        text="\n".join(parts.values()) if table == "stratagem" else row["text"] or "",
        kind=row.get("kind"),
        parts=parts,
        parent=row.get("parent"),
        faction=row.get("faction"),
        value=row.get("value"),
    )


def texts_of(result: ReadResult, ref: Mapping[str, Any]) -> list[RuleText]:
    """The texts of one label: the rule, and its titled parts, which the reader gives rows of their own."""
    key = ":".join(ref["key"].values())
    found = []
    for table in TABLES[ref["file"]]:
        seen: set[str] = set()  # one id stands once for each faction that has the rule
        rows = [row for row in result.rows(table) if f"{row['source_key']}:".startswith(f"{key}:")]
        for row in rows:
            if row["source_key"] not in seen:
                found.append(rule_text_of(table, row))
                seen.add(row["source_key"])
    return found


def score_export(result: ReadResult, labelled: Iterable[Mapping[str, Any]]) -> Score:
    """Score of the compiler on labelled texts of an export."""
    score = Score()
    for entry in labelled:
        texts = texts_of(result, entry["ref"])
        if not texts:
            raise LookupError(f"no row of the export is {entry['ref']}")
        add_texts(score, entry["name"], entry["effects"], texts)
    return score


def add_texts(score: Score, name: str, labels: Iterable[Mapping[str, Any]], texts: Iterable[RuleText]) -> None:
    """Compile the texts of one label and add them to the score as one."""
    compiled = [compile_rule(text) for text in texts]
    statuses = {result.status for result in compiled}
    status = next(status for status in ("read", "not_understood", "not_attack") if status in statuses)
    effects = [vars(effect) for result in compiled for effect in result.effects]
    add_text(score, name, labels, status, effects)


def score_gold(real_data: Path, number: str) -> Score:
    """Score of the compiler on the labelled effects of one dump."""
    (path,) = (real_data / "dumps").glob(f"{number}_*.txt")
    result = read(path.read_bytes(), RawFile("0" * 16, path.name, "text_dump", "0" * 64, 0))
    document = json.loads((real_data / "gold" / number / "effects.json").read_text(encoding="utf-8"))
    groups: dict[tuple[str, str, str | None], list[Label]] = {}
    for item in document["items"]:
        groups.setdefault((item["source_type"], item["source_name"], item["detachment"]), []).append(gold_label(item))
    score = Score()
    for (_, name, detachment), labels in groups.items():
        texts = list(_gold_texts(result, name, detachment))
        if texts:
            add_texts(score, name, labels, texts)
        elif any(label["kind"] != "none" and not label["accept_none"] for label in labels):
            raise LookupError(f"no row of dump {number} is {name}")
    return score


def _gold_texts(result: ReadResult, name: str, detachment: str | None) -> Iterator[RuleText]:
    """The first wording of a rule of that name, of its detachment where names repeat."""
    found = [
        (table, row)
        for table in ("stratagem", "enhancement", "detachment_rule", "army_rule", "ability", "rule")
        for row in result.rows(table)
        if row["name"].lower() == name.lower() and (row.get("text") or row.get("effect_text"))
    ]
    own = [(table, row) for table, row in found if row.get("detachment") == detachment]
    for table, row in (own or found)[:1]:
        yield rule_text_of(table, row)


def gold_label(item: Mapping[str, Any]) -> Label:
    """A labelled effect of a dump in the words of today."""
    kind, fixed = GOLD_KINDS.get(item["kind"], (item["kind"], {}))
    params = {GOLD_PARAMS.get(kind, {}).get(name, name): value for name, value in (item["params"] or {}).items()}
    if kind == "modify":
        params["delta"] = params.get("numeric_delta", params["n"])
    if kind == "grant_keyword":
        params["keyword"] = params["keyword"].lower()
    if str(params.get("dice", "")).startswith("Toughness"):
        params["dice"] = "T"  # the labels say it in words
    params = fixed | {name: value for name, value in params.items() if name in MEANING.get(kind, params)}
    side = None if kind == "none" else item["side"]
    return {**item, "kind": kind, "params": params, "side": side}
