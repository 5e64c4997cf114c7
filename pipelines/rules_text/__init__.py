"""Rule text to effects: a normaliser, a grammar of rules English, and the compiler that turns sentences into effect rows.

Belongs here: the public interface of the package. Pure: no files, no network, no clock (the grammar is read once at import).
Does not belong here: stripping HTML (`pipelines.sources`), resolving an attack (`models`).

A text goes through `normalise` (one spelling), `document` (lines, bullets, options; `stratagem` and `printed` for texts of
another shape), `reading` (a sentence cut into segments that `rules.lark` reads and `to_nodes` turns into values), `ordering`
(what `instead`, `or` and a condition that follows belong to), and then `prefixes` and `clauses`, which keep the discourse of
`referents` and add rows. A new phrase is a rule in `rules.lark`, a method of its name in `to_nodes`, and an example in
tests/unit/rules_text/test_grammar.py, which fails for a rule without one.

Conditions that the grammar does not know, and that hold no word of an attack, become tokens `if:words_of_the_text`. Mortal
wounds that a rule deals to its own bearer are rows of side defender with the condition `self_inflicted`.
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
