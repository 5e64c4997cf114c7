"""Facts in words: effects, conditions, statuses, targets. Deterministic, without praise.

Belongs here: how a row of the warehouse reads in a sentence. Does not belong here: rule prose of any source (pages show
names and our own words only), number formats (`numbers`).
"""

import json
from collections.abc import Mapping
from typing import Any

STATUS_WORDS = {"read": "read", "not_attack": "changes no attack", "not_understood": "not understood"}
ORIGIN_WORDS = {
    "ability": "abilities",
    "stratagem": "stratagems",
    "enhancement": "enhancements",
    "detachment_rule": "detachment rules",
    "army_rule": "army rules",
    "rule": "core rules",
}
_STATS = {
    "hit_roll": "the Hit roll",
    "wound_roll": "the Wound roll",
    "save_roll": "saving throws",
    "damage_roll": "the Damage roll",
    "A": "Attacks",
    "S": "Strength",
    "AP": "Armour Penetration",
    "D": "Damage",
    "BS": "Ballistic Skill",
    "WS": "Weapon Skill",
    "T": "Toughness",
    "Sv": "Save",
    "W": "Wounds",
}
_ROLLS = {
    "hit": "Hit rolls",
    "wound": "Wound rolls",
    "damage": "Damage rolls",
    "save": "saving throws",
    "attacks": "the number of attacks",
}
_WHICH = {"ones": "of 1", "any": "", "one_roll": "(one die)"}


def effect_words(effect: Mapping[str, Any]) -> str:
    """One effect row in a phrase, such as `+1 to the Hit roll against MONSTER`."""
    params = json.loads(effect["params"] or "{}") if isinstance(effect["params"], str) else dict(effect["params"] or {})
    phrase = _phrase(str(effect["kind"]), params)
    conditions = json.loads(effect["condition"] or "[]") if isinstance(effect["condition"], str) else []
    parts = [phrase]
    if effect["attack_type"] in ("ranged", "melee"):
        parts.append(f"({effect['attack_type']})")
    if effect["side"] == "defender":
        parts.append("when attacked")
    if conditions:
        return f"{' '.join(parts)}, given: {'; '.join(condition_words(token) for token in conditions)}"
    return " ".join(parts)


def stopped_words(stopped_at: object) -> str:
    """Where the compiler stopped; a rule of which the sources give no more than the name is said to be that."""
    if str(stopped_at).startswith("no text"):
        return "the sources give its name only"
    return f"stopped at: {stopped_at}"


def _signed(delta: Any) -> str:
    text = str(delta)
    return text if text.startswith(("-", "+")) else f"+{text}"


def _phrase(kind: str, params: Mapping[str, Any]) -> str:
    stat = _STATS.get(str(params.get("stat")), str(params.get("stat")))
    match kind:
        case "modify" if params.get("stat") == "AP" and str(params.get("delta")).lstrip("-+").isdigit():
            delta = int(params["delta"])
            return f"Armour Penetration {'worsened' if delta > 0 else 'improved'} by {abs(delta)}"
        case "modify":
            return f"{_signed(params.get('delta'))} to {stat}"
        case "set":
            return f"{stat} becomes {params.get('value')}"
        case "halve":
            return f"{stat} halved"
        case "reroll":
            roll = _ROLLS.get(str(params.get("roll")), str(params.get("roll")))
            return f"re-roll {roll} {_WHICH.get(str(params.get('which')), '')}".strip()
        case "grant_keyword":
            target = f"-{str(params['target_keyword']).lower()}" if params.get("target_keyword") else ""
            return f"[{params.get('keyword')}{target}{' ' + str(params['value']) if params.get('value') else ''}]"
        case "critical_on":
            return f"critical {params.get('roll')} on {params.get('threshold')}+"
        case "critical_bonus":
            return f"{_signed(params.get('delta'))} to {stat} on a critical {params.get('roll')}"
        case "always_fails":
            return f"{params.get('roll')} rolls of 1-{params.get('up_to')} fail"
        case "auto":
            return f"automatic {params.get('roll')}"
        case "hit_only_on":
            return f"hits only on {params.get('threshold')}+"
        case "ignore_modifiers":
            return "ignores modifiers to " + ", ".join(_STATS.get(s, s) for s in params.get("stats") or ["rolls"])
        case "invulnerable_save":
            return f"invulnerable save {params.get('threshold')}+{_versus(params)}"
        case "feel_no_pain":
            return f"Feel No Pain {params.get('threshold')}+{_versus(params)}"
        case "benefit_of_cover":
            return "Benefit of Cover"
        case "deny_cover":
            return "no Benefit of Cover"
        case "stealth":
            return "Stealth"
        case "mortal_wounds":
            return f"mortal wounds: {params.get('amount')} for each {params.get('per', 'use')}"
        case "other_attack":
            return str(params.get("summary") or "changes an attack in another way")
        case "none":
            return "changes no attack"
    return kind.replace("_", " ")


def _versus(params: Mapping[str, Any]) -> str:
    versus = params.get("versus")
    listed = [versus] if isinstance(versus, str) else list(versus or [])
    return f" against {' and '.join(listed)}" if listed and listed != ["any"] else ""


def condition_words(token: str) -> str:
    """A condition token in words: `target_within:12` -> `target within 12`."""
    name, _, value = token.partition(":")
    if name == "if":  # words of the text itself
        return value.replace("_", " ")
    return f"{name.replace('_', ' ')} {value.replace('|', ' or ').replace(':', ' ')}".strip()


def target_facts(target: Mapping[str, Any]) -> str:
    """`T4 Sv3+ W2, 5 models, 80 points`."""
    invulnerable = ""
    if target["invulnerable_save"]:
        versus = target["invulnerable_versus"]
        invulnerable = f" {int(target['invulnerable_save'])}++"
        invulnerable += f" ({versus} only)" if versus and versus != "any" else ""
    pain = f" FNP{int(target['feel_no_pain'])}+" if target["feel_no_pain"] else ""
    models = int(target["models"])
    price = f", {int(target['points'])} points" if target["points"] else ""
    return (
        f"T{int(target['toughness'])} Sv{int(target['save'])}+{invulnerable} W{int(target['wounds'])}{pain}, "
        f"{models} model{'' if models == 1 else 's'}{price}"
    )
