"""Rules that are printed as a name and a value: core abilities, orders.

Belongs here: what needs no sentence. Does not belong here: sentences.
"""

import re

from pipelines.rules_text import vocabulary
from pipelines.rules_text.model import Compiled, Effect, RuleText
from pipelines.rules_text.normalise import normalise

_CORE_NONE = {
    "deep strike": "reserves", "scouts": "movement", "infiltrators": "reserves", "leader": "army-building", "hover": "movement",
    "firing deck": "other", "lone operative": "other", "fights first": "other", "super-heavy walker": "movement",
}  # fmt: skip


def core_ability(rule: RuleText) -> Compiled | None:
    """A core ability by its name and printed value; None when it is none."""
    printed = f"{rule.name} {rule.value or ''}".strip()
    name = re.sub(r" *(?:\d*D?\d+(?:\+\d+)?[+\"]?)$", "", printed).strip().lower()
    value = rule.value or (re.search(r"(\d*D?\d+(?:\+\d+)?[+\"]?)$", rule.name) or [None, None])[1]
    if name == "deadly demise" and value:
        params = {"amount": str(value), "per": "unit", "success_on": 6}
        return _read_one(Effect("defender", "any", "any", "mortal_wounds", params, ("model_destroyed",), scope="self"))
    if name == "feel no pain" and value:
        threshold = re.search(r"\d", str(value))
        if threshold:
            versus = [w for w in ("psychic", "mortal") if w in str(rule.value).lower() or w in rule.text.lower()] or [
                "any"
            ]
            return _read_one(
                Effect(
                    "defender",
                    "any",
                    "any",
                    "feel_no_pain",
                    {"threshold": int(threshold.group(0)), "versus": versus},
                    scope="unit",
                )
            )
    if name == "stealth":
        return _read_one(Effect("defender", "shooting", "ranged", "stealth", {}, scope="unit"))
    if name in _CORE_NONE:
        return not_attack(_CORE_NONE[name])
    return None


def _read_one(effect: Effect) -> Compiled:
    return Compiled("read", None, (effect,), None)


def not_attack(category: str) -> Compiled:
    """A text that changes no attack."""
    return Compiled("not_attack", category, (Effect(None, None, None, "none", {}, category=category),), None)


_ORDER_LINE = re.compile(r"^(?:.*?[!|:.] *|)((?:(?:M|T|S[Vv]|W|L[Dd]|OC|BS|WS|A|S|AP|D) [+-]\d+\"?(?:,? |$))+) *\|?$")
_ORDER_STATS = {"T": "T", "SV": "Sv", "W": "W", "BS": "BS", "WS": "WS", "A": "A", "S": "S", "AP": "AP", "D": "D"}


def order_line(rule: RuleText) -> Compiled | None:
    """An order printed as a characteristic and a change: `WS +1` (an improvement by 1)."""
    text = normalise(rule.text).replace("\n", " ").strip()
    found = _ORDER_LINE.match(text)
    if not found:
        return None
    condition = (f"order_active:{rule.name}",)
    effects = []
    for stat, amount in re.findall(r"(M|T|SV|Sv|W|LD|Ld|OC|BS|WS|A|S|AP|D) ([+-]\d+)", found.group(1)):
        name = _ORDER_STATS.get(stat.upper())
        if name is None:
            continue
        delta = int(amount) * (-1 if name in vocabulary.LOWER_IS_BETTER else 1)
        attack_type = {"BS": "ranged", "WS": "melee"}.get(name, "any")
        phase = {"ranged": "shooting", "melee": "fight"}.get(attack_type, "any")
        side = "defender" if name in {"T", "Sv", "W"} else "attacker"
        weapon = attack_type if attack_type != "any" else None
        effects.append(
            Effect(
                side,
                phase,
                attack_type,
                "modify",
                {"stat": name, "delta": delta},
                condition,
                ("not_battle_shocked",),
                weapon,
                scope="unit",
            )
        )
    if not effects:
        return not_attack("objective" if "OC" in text else "movement")
    return Compiled("read", None, tuple(effects), None)
