"""Rule texts of the `core` tables into `core.effect`.

Belongs here: gathering texts, calling the compiler with its cache, one row per effect. Does not belong here: grammar
(`pipelines.rules_text`).
"""

import hashlib
import json
import pickle
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from pipelines.sources.records import Row
from pipelines.sources.weapon_keywords import KNOWN
from pipelines.steps import core
from pipelines.steps.workspace import Workspace, code_hash, fingerprint

if TYPE_CHECKING:
    from pipelines.rules_text import Compiled, RuleText

STEP = "effects"
TABLES = ("core.effect",)

_SHARED_RULES = ("stratagem", "enhancement", "detachment_rule", "army_rule", "rule")
# Headings of the core rules that define what the resolution models are made of.
_CORE_TERMS = frozenset(re.sub(r"[^a-z]+", " ", name) for name in KNOWN) | {
    "allocate attack",
    "attached units",
    "benefit of cover",
    "critical hit",
    "critical wound",
    "deadly demise",
    "extra attacks",
    "feel no pain",
    "fight again",
    "hit roll",
    "inflict damage",
    "invulnerable saves",
    "leader",
    "making attacks",
    "making attacks with psychic weapons",
    "modifying dice rolls",
    "modifying characteristics",
    "mortal wounds",
    "psychic attacks",
    "psychic weapons and abilities",
    "re rolls",
    "saving throw",
    "saving throws",
    "shoot again",
    "stealth",
    "wound roll",
}
_PARTS = {"when": "when_text", "target": "target_text", "effect": "effect_text", "restrictions": "restrictions_text"}


@dataclass(frozen=True)
class Origin:
    """Where a rule text stands."""

    origin: str
    origin_id: str
    wording: int | None
    row: Row
    rule: "RuleText"


def compile_effects(workspace: Workspace) -> None:
    """Compile every rule text; texts compiled before with the same grammar come from the cache."""
    mark = fingerprint(
        workspace.fingerprint_of(core.STEP), code_hash("pipelines/rules_text", "pipelines/steps/effects.py")
    )
    if workspace.is_current(STEP, mark):
        workspace.progress("effects unchanged")
        return
    workspace.forget(STEP)
    # Loading the package builds the parser, which takes a second: not for a build in which no text has changed.
    from pipelines.rules_text import GRAMMAR_HASH, compile_rules

    origins = list(gather(workspace))
    cache_path = workspace.cache / f"effects-{GRAMMAR_HASH[:16]}.pickle"
    cache: dict[str, Any] = pickle.loads(cache_path.read_bytes()) if cache_path.exists() else {}
    known = len(cache)
    workspace.progress(f"compiling {len(origins)} rule texts")
    compiled = compile_rules([entry.rule for entry in origins], cache)
    if len(cache) != known:
        temporary = cache_path.with_suffix(".tmp")
        cache_path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(pickle.dumps(cache, protocol=pickle.HIGHEST_PROTOCOL))
        temporary.replace(cache_path)
    rows = [row for entry, result in zip(origins, compiled, strict=True) for row in effect_rows(entry, result)]
    workspace.write("core.effect", rows)
    statuses = pd.Series([result.status for result in compiled]).value_counts().to_dict() if compiled else {}
    workspace.finished(STEP, mark, TABLES, texts=len(origins), statuses={str(k): int(v) for k, v in statuses.items()})


def gather(workspace: Workspace) -> Iterator[Origin]:
    """Every rule text: abilities, then the rules that datasheets share.

    A faction ability printed without a text points to an army rule that has its own row, and a rule that a file only
    names (an enhancement of a points list) has nothing to compile, so neither gives a row. The glossary of the core
    rules is no rule on top of the attack sequence: what it defines, the models are.
    """
    from pipelines.rules_text import RuleText

    sheets = workspace.read("core.datasheet").set_index("datasheet_id")
    for row in records(workspace.read("core.ability")):
        if row["kind"] == "faction" and not row["text"]:
            continue
        rule = RuleText(
            origin="ability",
            name=row["name"],
            text=row["text"] or "",
            kind=row["kind"],
            faction=_or_none(sheets["faction"].get(row["datasheet_id"])),
            value=row["value"],
        )
        yield Origin("ability", row["ability_id"], None, row, rule)
    for table in _SHARED_RULES:
        for row in records(workspace.read(f"core.{table}")):
            if table == "rule" and is_core_term(row["name"]):
                continue
            if not _rule_text(table, row).text:
                continue
            yield Origin(table, row[f"{table}_id"], int(row["wording"]), row, _rule_text(table, row))


def is_core_term(name: str) -> bool:
    """Whether a glossary heading defines a weapon keyword or a step of the attack sequence."""
    key = re.sub(r"[^a-z]+", " ", name.lower()).strip()
    return key in _CORE_TERMS


def _rule_text(table: str, row: Row) -> "RuleText":
    from pipelines.rules_text import RuleText

    parts = {part: row[column] for part, column in _PARTS.items() if table == "stratagem" and row[column]}
    text = "\n".join(parts.values()) if table == "stratagem" else row["text"] or ""
    return RuleText(
        origin=table,
        name=row["name"],
        text=text,
        parts=parts,
        parent=row.get("parent"),
        faction=row.get("faction"),
    )


def records(frame: pd.DataFrame) -> list[Row]:
    """Rows as dicts with None for what is missing."""
    return [{str(k): _or_none(v) for k, v in row.items()} for row in frame.to_dict("records")]


def _or_none(value: Any) -> Any:
    if isinstance(value, str | list | dict | tuple):
        return value
    return None if value is None or pd.isna(value) else value


def effect_rows(entry: Origin, result: "Compiled") -> list[Row]:
    """The rows of one text: its effects, or one row that says that there are none or that it was not understood."""
    base: Row = {
        "origin": entry.origin,
        "origin_id": entry.origin_id,
        "wording": entry.wording,
        "origin_name": entry.row["name"],
        "datasheet_id": entry.row.get("datasheet_id"),
        "detachment": entry.row.get("detachment"),
        "faction": entry.row.get("faction"),
        "status": result.status,
        "stopped_at": result.stopped_at,
        "source_key": entry.row.get("source_key"),
        "text_hash": hashlib.sha256(entry.rule.text.encode()).hexdigest()[:16],
        "file_id": entry.row.get("file_id"),
        "line_no": entry.row.get("line_no"),
        "locator": entry.row.get("locator"),
    }
    key = f"{entry.origin}:{entry.origin_id}" + (f"~{entry.wording}" if (entry.wording or 1) > 1 else "")
    if not result.effects:
        kind = "none" if result.status == "not_attack" else None
        return [base | {"effect_id": f"{key}#0", "kind": kind, "category": result.category}]
    return [
        base
        | {
            "effect_id": f"{key}#{number}",
            "category": effect.category,
            "side": effect.side,
            "phase": effect.phase,
            "attack_type": effect.attack_type,
            "kind": effect.kind,
            "params": json.dumps(effect.params, sort_keys=True, ensure_ascii=False),
            "condition": json.dumps(list(effect.condition), ensure_ascii=False),
            "requires": json.dumps(list(effect.requires), ensure_ascii=False),
            "weapon_filter": effect.weapon_filter,
            "choice_group": effect.choice_group,
            "instead_of": effect.instead_of,
            "scope": effect.scope,
            "source_name": effect.source_name,
        }
        for number, effect in enumerate(result.effects, start=1)
    ]
