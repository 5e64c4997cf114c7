"""Compiled results kept between builds, by hash of text and grammar.

Belongs here: the key of a text and a small file that holds a mapping. Does not belong here: compiling.
"""

import hashlib
import json
from collections.abc import Iterator, MutableMapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipelines.rules_text.model import Compiled, Effect, RuleText


def grammar_hash() -> str:
    """Hash of everything that decides what a text compiles to: the grammar and the modules of this package."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in sorted([*here.glob("*.lark"), *here.glob("*.py")]):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def key_of(rule: RuleText, grammar: str) -> str:
    """The key of a text under a grammar."""
    return hashlib.sha256(json.dumps([grammar, asdict(rule)], sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def to_json(compiled: Compiled) -> dict[str, Any]:
    """A result as plain JSON values."""
    return asdict(compiled)


def from_json(data: dict[str, Any]) -> Compiled:
    """A result from `to_json`'s values."""
    effects = tuple(
        Effect(**{**e, "condition": tuple(e["condition"]), "requires": tuple(e["requires"])}) for e in data["effects"]
    )
    return Compiled(data["status"], data["category"], effects, data["stopped_at"])


class FileCache(MutableMapping[str, Compiled]):
    """A mapping kept in one JSON file; `save` writes only what was asked for since it was opened, so it never grows stale."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        self._used: dict[str, Any] = {}
        try:
            loaded = json.loads(path.read_text(encoding="utf-8"))
            self._known = loaded if isinstance(loaded, dict) else {}
        except (OSError, ValueError):
            self._known = {}

    def __getitem__(self, key: str) -> Compiled:
        value = self._used.get(key) or self._known[key]
        self._used[key] = value
        return from_json(value)

    def __setitem__(self, key: str, value: Compiled) -> None:
        self._used[key] = to_json(value)

    def __delitem__(self, key: str) -> None:
        self._known.pop(key, None)
        del self._used[key]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._known, **self._used})

    def __len__(self) -> int:
        return len({**self._known, **self._used})

    def save(self) -> None:
        """Write the file whole, beside the old one first."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        aside = self._path.with_suffix(".new")
        aside.write_text(json.dumps(self._used, ensure_ascii=False, sort_keys=True), encoding="utf-8")
        aside.replace(self._path)
