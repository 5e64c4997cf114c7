"""Rule text to effects: a normaliser, a grammar of rules English, and the compiler that turns sentences into effect rows.

Belongs here: the public interface of the package. Pure: no files, no network, no clock (the grammar is read once at import).
Does not belong here: stripping HTML (`pipelines.sources`), resolving an attack (`models`).
"""

from collections.abc import Iterable, MutableMapping

from pipelines.rules_text.cache import grammar_hash, key_of
from pipelines.rules_text.compiler import compile_rule
from pipelines.rules_text.model import Compiled, Effect, RuleText

GRAMMAR_HASH = grammar_hash()

__all__ = ["GRAMMAR_HASH", "Compiled", "Effect", "RuleText", "compile_rule", "compile_rules"]


def compile_rules(rules: Iterable[RuleText], cache: MutableMapping[str, Compiled] | None = None) -> list[Compiled]:
    """Compile many texts in order; a cache (any mapping, `cache.FileCache` for one on disk) spares those already seen."""
    known: MutableMapping[str, Compiled] = {} if cache is None else cache
    results = []
    for rule in rules:
        key = key_of(rule, GRAMMAR_HASH)
        if key not in known:
            known[key] = compile_rule(rule)
        results.append(known[key])
    return results
