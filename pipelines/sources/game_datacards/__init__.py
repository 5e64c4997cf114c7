"""Reader of the JSON data cards: faction files, Combat Patrols, core stratagems, enhancements, the index of patrols.

Belongs here: which of these a file is, and what it says of itself. Does not belong here: which source is right. `read`
is the only way in; it never raises on any bytes. Locators are JSON pointers.
"""

import json
import re
from typing import Any

from pipelines.sources.game_datacards import cards, rules
from pipelines.sources.game_datacards.access import Card, Cards, card_text
from pipelines.sources.records import RawFile, ReadResult


def read(data: bytes, file: RawFile) -> ReadResult:
    """Read one file of data cards. Combat Patrol sheets carry `is_combat_patrol` and the patrol as their book."""
    result = ReadResult()
    document = _parse(data, result)
    if document is None:
        return result
    found = Cards(result)
    if isinstance(document, list):
        result.title = "Enhancements"
        rules.read_enhancement_list(found, [Card(found, entry, f"/{n}") for n, entry in enumerate(document)])
    elif isinstance(document, dict):
        _read_document(found, Card(found, document, ""))
    else:
        result.reject("a file of data cards is an object or a list", locator="/")
    found.say_counts()
    return result


def _parse(data: bytes, result: ReadResult) -> Any:
    try:
        return json.loads(_LONE_SURROGATE.sub(_repaired, data.decode("utf-8-sig")))
    except UnicodeDecodeError:
        result.reject("the file is no text in UTF-8", locator="/")
    except json.JSONDecodeError as error:
        result.reject(f"no valid JSON: {error.msg}", locator=f"line {error.lineno} column {error.colno}")
    except ValueError as error:  # a number of thousands of digits
        result.reject(f"no usable JSON: {error}", locator="/")
    except RecursionError:
        result.reject("the JSON is nested too deeply", locator="/")
    return None


# Half of a pair of escapes is no letter, and no text that holds it can be stored. Escaped backslashes and whole pairs
# are looked at so that they are passed over.
_LONE_SURROGATE = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def _repaired(match: re.Match[str]) -> str:
    return r"\ufffd" if match["lone"] else match[0]


def _read_document(found: Cards, document: Card) -> None:
    result = found.result
    version, updated = document.raw("compatibleDataVersion"), document.text("updated")
    result.version = str(version) if isinstance(version, int | str) and str(version) else None
    result.dated = updated[:10] if updated[4:5] == "-" and updated[7:8] == "-" else None
    result.title = document.text("name") or None
    if document.has("combatPatrols"):
        result.title = "Index of Combat Patrols"
        rules.read_index(found, document)
        return
    owner = cards.owner_of(document)
    result.faction = owner.faction
    cards.read_datasheets(found, document, owner)
    rules.read_rules(found, document, owner)
    if not result.tables and not result.rejects:
        result.notices.append("the file holds no datasheets, rules or stratagems")


__all__ = ["card_text", "read"]
