"""Safe access to JSON of unknown completeness: a missing key or a wrong type is named with its pointer.

Belongs here: pointers, types, inactive entries, the cards' text notation. Does not belong here: what a key means.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pipelines.sources.markup import html_to_text
from pipelines.sources.records import ReadResult
from pipelines.sources.text import normalise

_EMPHASIS = re.compile(r"\*\*\*|\*\*|(?<=\w)\*(?=\s|$)|(?<![\w\s])\*(?=\w)")
_ODD_ENTITY = re.compile(r"&(x[0-9a-fA-F]{2,4};)")
_BULLET = re.compile(r"[^\S\n]*[■◦•▪●][^\S\n]*")
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)


class Incomplete(ValueError):
    """A key that is missing or of the wrong type; the message names it, `pointer` its place."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer


class Cards:
    """A file being read: its result, and how many entries of each kind were left out."""

    def __init__(self, result: ReadResult) -> None:
        self.result = result
        self.left_out: Counter[str] = Counter()

    def reject(self, card: "Card", reason: str) -> None:
        """Refuse an entry, with its pointer and its content."""
        self.result.reject(reason, str(card.value), locator=card.pointer or "/")

    def say_counts(self) -> None:
        """A notice for each kind of entry that was left out (what the file itself marks as inactive, pictures)."""
        for kind in sorted(self.left_out):
            self.result.notices.append(f"{self.left_out[kind]} entries left out: {kind}")


class Card:
    """A JSON value with its pointer."""

    def __init__(self, cards: Cards, value: Any, pointer: str) -> None:
        self.cards = cards
        self.value = value
        self.pointer = pointer

    def has(self, key: str) -> bool:
        """Whether the object has the key with something in it."""
        return isinstance(self.value, dict) and self.value.get(key) not in (None, "", [], {})

    def raw(self, key: str) -> Any:
        """A value as it is, None where there is none."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def need(self, key: str) -> str:
        """A text or number that must be there (it may be empty). Raises Incomplete."""
        if not isinstance(self.value, dict):
            raise Incomplete(self.pointer, "an object is expected here")
        if self.value.get(key) is None:
            raise Incomplete(self.pointer, f"the key '{key}' is missing")
        if isinstance(self.value[key], dict | list | bool):
            raise Incomplete(f"{self.pointer}/{key}", f"the key '{key}' is no text")
        return normalise(str(self.value[key]))

    def text(self, key: str) -> str:
        """A text that may be missing, as plain lines; anything but a text or number reads as empty."""
        value = self.raw(key)
        return card_text(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""

    def child(self, key: str) -> "Card":
        """The object under a key; an empty one where there is none."""
        value = self.raw(key)
        return Card(self.cards, value if isinstance(value, dict) else {}, f"{self.pointer}/{key}")

    def entries(self, key: str, *, required: bool = False) -> Iterator["Card"]:
        """The active objects of a list. Entries that are no objects, and a list that is none, are rejected."""
        for entry in self._list(key, required):
            if not isinstance(entry.value, dict):
                self.cards.reject(entry, "an object is expected here")
            elif entry.value.get("active") is False:
                self.cards.left_out[f"inactive {key}"] += 1
            else:
                yield entry

    def texts(self, key: str) -> Iterator[tuple[str, str]]:
        """The texts of a list with their pointers, as delivered. Entries that are no texts are rejected."""
        for entry in self._list(key, required=False):
            if isinstance(entry.value, str):
                yield entry.value, entry.pointer
            else:
                self.cards.reject(entry, "a text is expected here")

    def _list(self, key: str, required: bool) -> list["Card"]:
        value = self.raw(key)
        if value is None:
            if required:
                self.cards.reject(self, f"the key '{key}' is missing")
            return []
        place = Card(self.cards, value, f"{self.pointer}/{key}")
        if not isinstance(value, list):
            self.cards.reject(place, "a list is expected here")
            return []
        return [Card(self.cards, entry, f"{place.pointer}/{number}") for number, entry in enumerate(value)]


def card_text(text: str) -> str:
    """The notation of the cards as plain lines: emphasis marks dropped, square and ring bullets as `- ` lines."""
    plain = html.unescape(_ODD_ENTITY.sub(r"&#\1", text))
    if _TAG.search(plain):
        plain = html_to_text(plain.replace("\n", "<br>"))
    plain = _BULLET.sub("\n- ", _EMPHASIS.sub("", plain))
    return "\n".join(line for line in normalise(plain).split("\n") if line and line != "-")
