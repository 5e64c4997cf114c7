"""Conditions and requirements as tokens, `name` or `name:value`.

Belongs here: how what a text says of a unit, a target or a weapon is written in an effect. Does not belong here: to which
effect it belongs.
"""

import re
from collections.abc import Iterable
from typing import Any

from pipelines.rules_text import vocabulary
from pipelines.rules_text.nodes import Pred, Who


def dedupe(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for item in items if item))


def either(first: str, second: str) -> str:
    """A disjunction of two conditions; the first may be one already."""
    return f"{first}|{second}" if first.startswith("any_of:") else f"any_of:{first}|{second}"


def slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower()[:80]


def keyword_tokens(prefix: str, keywords: tuple[tuple[str, ...], ...], negated: bool = False) -> tuple[str, ...]:
    """`unit_keyword:X` for each keyword that must hold, `unit_keyword_any:X|Y` for alternatives."""
    infix = "_not" if negated else ""
    if not keywords:
        return ()
    if len(keywords) == 1:
        return tuple(f"{prefix}{infix}_keyword:{name}" for name in keywords[0])
    return (f"{prefix}{infix}_keyword_any:" + "|".join(" ".join(names) for names in keywords),)


def excluded_tokens(prefix: str, excluded: tuple[str, ...]) -> tuple[str, ...]:
    """`unit_not_keyword:X`, or `..._any:X|Y` for a target that has none of several."""
    if not excluded:
        return ()
    if prefix in {"target", "attacker"}:
        prefix_any = f"{prefix}_not_keyword_any:" + "|".join(excluded)
        return (prefix_any,) if len(excluded) > 1 else (f"{prefix}_not_keyword:{excluded[0]}",)
    return tuple(f"{prefix}_not_keyword:{name}" for name in excluded)


def pred_tokens(pred: Pred, prefix: str) -> tuple[str, ...]:
    """Condition tokens of one thing said about the owner (`unit`), the `target` or the `attacker`."""
    bar = "" if prefix == "unit" else f"{prefix}_"
    no = "not_" if pred.negated else ""
    name, arg = pred.name, pred.arg
    if name in {"below_starting_strength", "below_half_strength", "at_starting_strength", "battle_shocked"}:
        return (f"{no}{prefix}_{name}",)
    if name == "within":
        distance, who = arg
        if prefix != "unit":
            return (f"{no}{prefix}_within:{distance}",)
        if who is None:
            return (f"{no}enemy_within:{distance}",)
        side = "enemy" if who.owner == "enemy" else "friendly"
        named = "|".join(" ".join(k) for k in who.keywords) or who.model_name or ""
        return (f"{no}{side}_within:{distance}" + (f":{named}" if named else ""),)
    if name == "farther_than":
        return (f"{no}{bar}farther_than:{arg[0]}",)
    if name == "objective":
        if prefix == "unit":
            return (f"{no}within_objective:{arg}",)
        return (f"{no}{bar}within_objective" + ("" if arg == "any" else f":{arg}"),)
    if name == "engagement_range":
        return (f"{no}{bar}within_engagement_range" + (f":{arg}" if arg else ""),)
    if name == "half_range":
        return (f"{no}within_half_range",)
    if name == "keyword":
        role = "owner" if prefix == "unit" else prefix
        return keyword_tokens(role, arg, pred.negated)
    if name == "model_keyword":
        return keyword_tokens("model" if prefix == "unit" else prefix, arg)
    if name == "doctrine":
        return (f"{no}stance_active:{arg}",)
    if name == "order":
        return (f"{no}order_active",)
    if name == "state":
        return (f"{no}{bar}{slug(arg)}",)
    if name == "named":
        return (f"target_named:{arg}",)
    if name == "charged":
        return ("charging",) if prefix == "unit" else (f"{bar}charged",)
    if name == "disembarked":
        return ("disembarked_from_source",) if arg == "source" else ("disembarked_this_turn",)
    if name == "not_bearer":
        return ("not_bearer",)
    if name == "stationary":
        return (f"{no}stationary",)
    if name == "lost_wounds":
        return (f"{bar}model_lost_wounds",)
    if name == "was_target":
        return ()
    if name == "shocked_or_half":
        return (f"any_of:{prefix}_battle_shocked|{prefix}_below_half_strength",)
    if name == "hit_with":
        return (f"hit_with_weapon:{arg}",)
    if name == "opaque" and arg == "on the battlefield":
        return ()
    if name == "opaque":
        return (f"{bar}if:{slug(arg)}",)
    if name == "within_of_source":
        return (f"within_of_source:{arg}",)
    if name == "models_at_least":
        return (f"{no}{bar}models_at_least:{arg}",)
    if name == "not_selected":
        return (f"not_selected_to_{arg}",)
    if name == "eligible":
        return ()
    return (f"{no}{bar}{name}",)


def owner_tokens(who: Who) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(requires, condition) of a friendly unit or model that a text names."""
    requires = [*keyword_tokens("unit", who.keywords), *excluded_tokens("unit", who.excluded)]
    requires += [f"unit_ability:{name}" for name in who.abilities if name != "this"]
    if who.model_name:
        named = who.level == "unit" and not who.keywords
        requires.append(f"unit_keyword:{who.model_name.upper()}" if named else f"model_name:{who.model_name}")
    if who.equipped:
        requires.append(f"equipped_with:{who.equipped}")
    condition: list[str] = []
    for pred in who.preds:
        if (
            pred.name == "within"
            and pred.arg[1] is not None
            and pred.arg[1].scope in {"self", "unit"}
            and not pred.negated
        ):
            continue
        tokens = pred_tokens(pred, "unit")
        (
            requires if pred.name in {"not_selected", "model_keyword", "within_of_source", "not_bearer"} else condition
        ).extend(tokens)
    return dedupe(requires), dedupe(condition)


def enemy_tokens(who: Who, prefix: str) -> tuple[str, ...]:
    """Condition tokens of an enemy unit, as target or as attacker."""
    tokens = [*keyword_tokens(prefix, who.keywords), *excluded_tokens(prefix, who.excluded)]
    tokens += [f"{prefix}_ability:{name}" for name in who.abilities]
    if who.model_name:
        tokens.append(f"{prefix}_named:{who.model_name}")
    for pred in who.preds:
        tokens += pred_tokens(pred, prefix)
    return dedupe(tokens)


def aura_of(who: Who) -> int | None:
    """The reach of an aura: the unit must be within so many inches of the rule's owner."""
    for pred in who.preds:
        if pred.name == "within" and not pred.negated:
            distance, source = pred.arg
            if source is not None and source.owner == "friend" and source.scope in {"self", "unit"}:
                return int(distance)
    return None


def scope_of(who: Who) -> str | None:
    """The scope of a friendly unit or model."""
    reach = aura_of(who)
    return f"aura:{reach}" if reach is not None else who.scope


OPAQUE_TOKENS = tuple(
    (re.compile(pattern), token)
    for pattern, token in (
        (r"^(?:if|when|each time) (?:it|this (?:unit|model)|the bearer(?:'s unit)?|this model's unit|your unit|that unit) (?:ends|makes|made|ended) a [Cc]harge move", "charging"),
        (r"^(?:if|when|each time) (?:it|this (?:unit|model)|the bearer(?:'s unit)?|this model's unit|that unit) disembark(?:s|ed) from", "disembarked_this_turn"),
        (r"^(?:if|when|each time) (?:it|this (?:unit|model)|the bearer(?:'s unit)?|your unit) [Rr]emain(?:s|ed) [Ss]tationary", "stationary"),
        (r"^while (?:(?:that|this) (?:unit|model) is )?Empowered$", "empowered"),
        (r"^once per battle for each ", "once_per_battle"),
        (r"^(?:while|if) the [A-Z][\w' !]+ is active(?: for your army)?$", "stance_active:NAME"),
    )
)  # fmt: skip


def weapon_keyword(printed: str) -> dict[str, Any] | None:
    """A weapon ability as printed, `[SUSTAINED HITS D3]`, as parameters; None when it is none that is known."""
    text = printed.strip("[] ").lower()
    anti = re.fullmatch(r"anti-(.+?) (\d)\+", text)
    if anti:
        return {"keyword": "anti", "value": int(anti.group(2)), "target_keyword": anti.group(1).upper()}
    found = re.fullmatch(r"(.*?)(?: (\d+|d3|d6(?:\+\d+)?|d3\+\d+))?", text)
    assert found is not None
    name, value = found.group(1), found.group(2)
    if name not in vocabulary.WEAPON_KEYWORDS:
        return None
    number: int | str | None = int(value) if value is not None and value.isdigit() else value.upper() if value else None
    return {"keyword": name, "value": number}
