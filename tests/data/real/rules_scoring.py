"""Scoring of compiled effects against labelled ones.

Belongs here: how a labelled text and a compiled one are matched. Does not belong here: the texts, the compiler.

A labelled effect is found when an emitted one of the same text has its side, kind and parameters; each emitted effect
matches one label. Phase and conditions are a second figure, over the matched pairs. `accept_none` and `accept_kinds` of a
label are honoured: such a label is not counted as missed, and an emitted effect of an accepted kind is not wrong.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

DEFAULTS: dict[str, dict[str, Any]] = {
    "critical_on": {"if_successful": None},
    "mortal_wounds": {"dice": 1, "per": None, "max": None},
    "grant_keyword": {"value": None, "target_keyword": None},
    "fight_on_death": {"action": None, "success_on": "auto"},
    "reroll": {},
}
FREE = {
    "other_attack": {"summary"},
    "ignore_modifiers": {"only"},
    "modify": {"limit", "only"},
    "mortal_wounds": {"die", "per", "max"},
}


def params_key(kind: str, params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Parameters in one comparable form: defaults filled in, numbers and words as text, lists sorted."""
    if kind == "other_attack":
        return ()
    full = {**DEFAULTS.get(kind, {}), **params}
    if kind == "critical_on" and full.get("if_successful") is None:
        full["if_successful"] = full.get("roll") == "hit"
    if kind == "mortal_wounds" and full.get("dice") in (None, 1, "1"):
        full.pop("dice", None)
    key = []
    for name, value in full.items():
        if name in FREE.get(kind, set()) or value is None:
            continue
        if isinstance(value, (list, tuple)):
            value = "|".join(sorted(str(v) for v in value))
        key.append((name, str(value).lower().rstrip("+")))
    return tuple(sorted(key))


def matches(label: Mapping[str, Any], emitted: Mapping[str, Any], loose: bool = False) -> bool:
    """Whether an emitted effect has the label's side, kind and parameters (`loose`: side and kind)."""
    kinds = {label["kind"], *label.get("accept_kinds", [])}
    if emitted["kind"] not in kinds or (label["side"] or None) != (emitted["side"] or None):
        return False
    if loose or emitted["kind"] != label["kind"]:
        return True
    return params_key(label["kind"], label["params"]) == params_key(emitted["kind"], emitted["params"])


@dataclass
class Score:
    """Counts over a set of texts; `notes` holds one line for each disagreement."""

    labelled: int = 0
    found: int = 0
    emitted: int = 0
    right: int = 0
    texts_without_attack: int = 0
    called_not_attack: int = 0
    false_not_attack: int = 0
    phase_right: int = 0
    condition_right: int = 0
    matched: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of emitted effects that are right."""
        return self.right / self.emitted if self.emitted else 1.0

    @property
    def recall(self) -> float:
        """Share of labelled attack effects that were found."""
        return self.found / self.labelled if self.labelled else 1.0

    @property
    def false_not_attack_rate(self) -> float:
        """Share of `not_attack` verdicts given to texts that change an attack."""
        return self.false_not_attack / self.called_not_attack if self.called_not_attack else 0.0


def add_text(
    score: Score, name: str, labels: Iterable[Mapping[str, Any]], status: str, effects: Iterable[Mapping[str, Any]]
) -> None:
    """Score one text: `labels` as in the labelled files, `effects` as emitted (kind none left out)."""
    attack = [label for label in labels if label["kind"] != "none"]
    must = [label for label in attack if not label.get("accept_none")]
    left = [dict(effect) for effect in effects if effect["kind"] != "none"]
    score.emitted += len(left)
    if status == "not_attack":
        score.called_not_attack += 1
        if must:
            score.false_not_attack += 1
            score.notes.append(f"{name}: called not_attack, but {[label['kind'] for label in must]}")
    for label in sorted(attack, key=lambda item: bool(item.get("accept_none"))):
        hit = next((effect for effect in left if matches(label, effect)), None)
        if not label.get("accept_none"):
            score.labelled += 1
        if hit is None:
            if not label.get("accept_none"):
                score.notes.append(f"{name}: missed {label['side']} {label['kind']} {label['params']}")
            continue
        left.remove(hit)
        score.right += 1
        score.found += 0 if label.get("accept_none") else 1
        score.matched += 1
        same_phase = label.get("phase") in (hit.get("phase"), None)
        same_condition = set(label.get("condition") or ()) == set(hit.get("condition") or ())
        score.phase_right += same_phase
        score.condition_right += same_condition
        if not same_phase:
            score.notes.append(f"{name}: phase of {label['kind']} {hit.get('phase')} for {label.get('phase')}")
        if not same_condition:
            score.notes.append(
                f"{name}: condition of {label['kind']} {sorted(hit.get('condition') or ())} for {sorted(label.get('condition') or ())}"
            )
    for effect in left:
        score.notes.append(f"{name}: wrong {effect['side']} {effect['kind']} {effect['params']}")
