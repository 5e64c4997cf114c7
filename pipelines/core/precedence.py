"""Which source wins, per attribute, by kind and date.

Belongs here: the order of sources. Does not belong here: merging (`sheets`).

A newer source wins over an older one; where dates are equal or missing, the kind decides. Hand-kept profiles only fill
what no source states. Prices have an order of their own, since the Munitorum Field Manual is the price list.
"""

from dataclasses import dataclass, field

from pipelines.sources.records import RawFile, ReadResult, Row

# Best first. Structured exports are less often damaged than pages that lost text.
_FACT_ORDER = (
    "game_datacards",
    "wahapedia_csv",
    "saved_page",
    "datasheet_pdf",
    "text_dump",
    "profiles_csv",
)
_PRICE_ORDER = (
    "munitorum_pdf",
    "munitorum_text",
    "game_datacards",
    "wahapedia_csv",
    "saved_page",
    "text_dump",
    "datasheet_pdf",
    "profiles_csv",
)
# The first month in which a Munitorum Field Manual of that major version appeared: a bound for copies without a date.
_MANUAL_SINCE = {1: "2023-06", 2: "2024-06", 3: "2025-06", 4: "2025-12"}


@dataclass(frozen=True)
class Source:
    """One file with what its reader returned."""

    file: RawFile
    result: ReadResult
    aliases: dict[tuple[str, str], str] = field(default_factory=dict, compare=False)

    @property
    def dated(self) -> str:
        """ISO date of the source, empty where it states none."""
        return self.result.dated or ""


def version_key(version: str | None) -> tuple[int, ...]:
    """`4.10` sorts after `4.2`; no version sorts first."""
    return tuple(int(part) for part in (version or "").split(".") if part.isdigit())


def fact_rank(source: Source) -> tuple[object, ...]:
    """Sort key of a source for characteristics, weapons, keywords and texts: the best source sorts first."""
    hand_kept = source.file.kind == "profiles_csv"
    kind = _FACT_ORDER.index(source.file.kind) if source.file.kind in _FACT_ORDER else len(_FACT_ORDER)
    return (hand_kept, _descending(source.dated), kind, source.file.path, source.file.file_id)


def price_rank(source: Source) -> tuple[object, ...]:
    """Sort key of a source for prices: the newest price list first; hand-kept prices last."""
    hand_kept = source.file.kind == "profiles_csv"
    kind = _PRICE_ORDER.index(source.file.kind) if source.file.kind in _PRICE_ORDER else len(_PRICE_ORDER)
    version = tuple(-part for part in version_key(source.result.version)) if is_price_list(source) else ()
    return (hand_kept, _descending(price_date(source)), kind, version, source.file.path, source.file.file_id)


def is_price_list(source: Source) -> bool:
    """Whether the file is a Munitorum Field Manual."""
    return source.file.kind in ("munitorum_pdf", "munitorum_text")


def price_date(source: Source) -> str:
    """The date for ordering price lists: the stated one, else the month in which the manual's major version began."""
    if source.dated or not is_price_list(source):
        return source.dated
    major = version_key(source.result.version)[:1]
    return _MANUAL_SINCE.get(major[0], "") if major else ""


def _descending(text: str) -> tuple[int, ...]:
    """ISO dates in falling order, the empty one last."""
    return tuple(-ord(char) for char in text) if text else (0,)


def complete_first(source: Source, sheet: Row) -> bool:
    """False where a piece of this datasheet was rejected, so that its lists are incomplete."""
    locator = sheet["locator"]
    return not any(reject.locator.startswith(f"{locator}/") for reject in source.result.rejects) if locator else True
