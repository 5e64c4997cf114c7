"""What kind of raw file this is, told by its content; and which files of a folder are read together.

Belongs here: the marks of each kind, decoding of text, the walk over a raw folder. Does not belong here: reading a file
(one reader per kind). A name is a hint only: `points.pdf` may be a saved page, and is treated as one. What is no known
kind comes back as `unrecognised` with the reason, so that nothing is ignored in silence.
"""

import csv
import io
import json
import os
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pdfplumber

from pipelines.sources.pdf_errors import pdf_problem
from pipelines.sources.records import Kind
from pipelines.sources.text import normalise

Recognised = Kind | Literal["config"]

# Files beside the raw data that steer or describe it. They are told by name and place, unless their content is data.
_CONFIGURATION = ("README.md", "aliases.csv", "corrections.yml", "make_pdfs.py", "manifest.csv", ".gitkeep")

# A table of the export is known by the columns that it must have, those of which it has at least one, and those that
# would make it another table. Exports of other dates have other columns and another order beside them.
_EXPORT_TABLES: tuple[tuple[str, frozenset[str], frozenset[str], frozenset[str]], ...] = tuple(
    (name, frozenset(required.split()), frozenset(one_of.split()), frozenset(never.split()))
    for name, required, one_of, never in (
        ("Datasheets", "id name faction_id", "role loadout source_id virtual transport damaged_w", "cp_cost cost"),
        ("Datasheets_abilities", "datasheet_id line", "ability_id parameter", ""),
        ("Datasheets_detachment_abilities", "datasheet_id detachment_ability_id", "", ""),
        ("Datasheets_enhancements", "datasheet_id enhancement_id", "", ""),
        ("Datasheets_keywords", "datasheet_id keyword", "", ""),
        ("Datasheets_leader", "leader_id attached_id", "", ""),
        ("Datasheets_models", "datasheet_id line name m t w", "sv ld oc", "range bs_ws"),
        ("Datasheets_models_cost", "datasheet_id description cost", "", "m range"),
        ("Datasheets_options", "datasheet_id line description button", "", ""),
        ("Datasheets_stratagems", "datasheet_id stratagem_id", "", ""),
        ("Datasheets_unit_composition", "datasheet_id line description", "", "cost button name ability_id range"),
        ("Datasheets_wargear", "datasheet_id name range", "bs_ws ap d", ""),
        ("Detachment_abilities", "id name description", "detachment detachment_id", "cost cp_cost turn phase type"),
        ("Detachments", "id faction_id name", "type", "description cp_cost cost turn phase role"),
        ("Enhancements", "id name cost description", "detachment detachment_id legend", "cp_cost turn phase"),
        ("Stratagems", "name type description", "cp_cost turn phase", ""),
        (
            "Abilities",
            "id name description faction_id",
            "",
            "detachment detachment_id cost cp_cost turn phase type role",
        ),
        ("Factions", "id name link", "", "faction_id role type"),
        ("Last_update", "last_update", "", ""),
        ("Source", "id name edition", "", ""),
    )
)

_PROFILES_HEADER = {"book", "datasheet", "profile", "toughness", "wounds"}

_SIZE_LINE = re.compile(
    r"^[^\S\n]*\d{1,3}(?:\s*[-–]\s*\d{1,3})?\s*models?\b[^\n]{0,160}?\d{1,5}\s*pts\b", re.MULTILINE | re.IGNORECASE
)
_MANUAL_TITLE = re.compile(
    r"^[^\S\n]{0,40}(?:MUNITORUM|LEGENDS)\s{1,8}FIELD\s{1,8}MANUAL(?:[^\S\n]+20\d\d\b[^\n]{0,20})?[^\S\n]{0,40}$",
    re.MULTILINE,
)

# A datasheet page as text. One strong mark is enough (a weapon table, a book table); of the weak ones it takes two.
_DUMP_STRONG = (
    re.compile(r"^[^\w\n]{0,12}(?:RANGED|MELEE) WEAPONS\s*\|\s*RANGE\b", re.MULTILINE),
    re.compile(r"^[^\w\n]{0,12}Book\s*\|\s*Kind\s*\|\s*Edition\b", re.MULTILINE),
)
_DUMP_WEAK = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^[^\w\n]{0,12}(?:RANGED|MELEE) WEAPONS\b",
        r"^[^\w\n]{0,12}WARGEAR (?:OPTIONS|ABILITIES)\s*$",
        r"^[^\w\n]{0,12}UNIT COMPOSITION\s*$",
        r"^[^\w\n]{0,12}ABILITIES\s*$",
        r"^[^\w\n]{0,12}STRATAGEMS\s*$",
        r"^[^\w\n]{0,12}DETACHMENT (?:ABILITY|RULE|RULES)\s*$",
        r"^[^\w\n]{0,12}(?:KEYWORDS|FACTION KEYWORDS):",
        r"^[^\w\n]{0,12}(?:ENHANCEMENTS|LED BY|LEADER|TRANSPORT|ARMY RULES?)\s*$",
        r"^[^\w\n]{0,12}WHEN:",
        r"^[^\w\n]{0,12}TARGET:",
        r"^[^\w\n]{0,12}EFFECT:",
        r"^[^\n|]{1,60} [–-] [^\n|]{1,60} Stratagem\s*$",
    )
)
_PAGE_MARKS = re.compile(
    r"RANGED WEAPONS|MELEE WEAPONS|UNIT COMPOSITION|FACTION KEYWORDS|WARGEAR OPTIONS|class=\"ds[A-Z]\w+|"
    r"class=\"(?:stratName|redTable|BreakInsideAvoid)",
    re.IGNORECASE,
)
_HTML = re.compile(r"<!doctype html|<html[\s>]|<head[\s>]|<body[\s>]", re.IGNORECASE)
_ERROR_PAGE = re.compile(
    r"\b404\b|\bnot found\b|\b403\b|\bforbidden\b|\b50[0234]\b|\bbad gateway\b|\bgateway time-?out\b|"
    r"\bservice unavailable\b|\binternal server error\b|\baccess denied\b|\bjust a moment\b|\battention required\b|"
    r"\bverify(?:ing)? you are (?:a )?human\b|\btoo many requests\b|\bpage (?:does not|doesn't) exist\b",
    re.IGNORECASE,
)
_CARD_MARKS = re.compile(
    r"(?:RANGED|MELEE)\s*WEAPONS\s+RANGE\s+A\s+[BW]S\b|\bM\s+T\s+SV\s+W\s+LD\s+OC\b", re.IGNORECASE
)
_MANUAL_WORDS = re.compile(r"MUNITORUM\s*FIELD\s*MANUAL", re.IGNORECASE)

_PDF_PAGES_LOOKED_AT = 12
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a ZIP archive, spreadsheet or word-processor file: unpack it or save its text"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip archive: unpack it"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it"),
    (b"Rar!", "a RAR archive: unpack it"),
    (b"\x89PNG", "a picture: no text can be read from it"),
    (b"\xff\xd8\xff", "a picture: no text can be read from it"),
    (b"GIF8", "a picture: no text can be read from it"),
    (b"SQLite format 3", "a database"),
    (b"PAR1", "a Parquet file"),
)


@dataclass(frozen=True)
class Recognition:
    """The kind of a file and, where it is `unrecognised`, why and what could be done."""

    kind: Recognised
    reason: str | None = None


@dataclass(frozen=True)
class Unit:
    """What one reader reads: a file, or the tables of an export folder together.

    `path` is relative to the raw folder (POSIX), for an export its folder (`.` where it is the raw folder itself).
    `files` are the relative paths, sorted; `tables` names the export table of each (`Datasheets.csv`), empty otherwise.
    `reason` says why a file is unrecognised, or what was odd about one that was not.
    """

    kind: Recognised
    path: str
    files: tuple[str, ...]
    tables: tuple[str, ...] = ()
    reason: str | None = None


def recognise(data: bytes, name: str) -> Recognised:
    """The kind of a file by its content; the name decides only between configuration files. Never raises."""
    return identify(data, name).kind


def identify(data: bytes, name: str) -> Recognition:
    """As `recognise`, with the reason for `unrecognised`."""
    if not data.strip():
        return Recognition("config") if _is_configuration(name) else _unknown("the file is empty")
    if b"%PDF-" in data[:1024]:
        return _identify_pdf(data)
    for signature, what in _SIGNATURES:
        if data.startswith(signature):
            return _unknown(what)
    text = decode_text(data)
    if text is None:
        return _unknown("binary data of no known kind")
    found = _identify_text(text)
    if found.kind == "unrecognised" and _is_configuration(name):
        return Recognition("config")
    return found


def decode_text(data: bytes) -> str | None:
    """Text in UTF-8, UTF-16 (with or without its mark) or Windows-1252.

    None for binary data. Line ends become newlines.
    """
    text = _decode(data)
    if text is None:
        return None
    head = text[:20_000]
    control = sum(1 for letter in head if ord(letter) < 32 and letter not in "\t\n\r\f\x0b")
    if head and control > len(head) // 50:
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def export_table(data: bytes) -> str | None:
    """The table of the export that this file is (`Datasheets_wargear`), told by its header, or None."""
    header = _header(decode_text(data[:65_536]) or "", "|")
    columns = {name.lower() for name in header}
    if len(header) < 2 and columns != {"last_update"}:
        return None
    for name, required, one_of, never in _EXPORT_TABLES:
        if required <= columns and (not one_of or one_of & columns) and not never & columns:
            return name
    return None


def scan(folder: Path, leave_out: Collection[Path] = ()) -> list[Unit]:
    """What is to be read below a raw folder, sorted by path.

    Every file appears in exactly one unit. Links are listed but not followed, and a file that cannot be read is
    listed with its error, so that the build goes on without it. `leave_out` are files and folders (absolute) that are
    no raw data, such as what a build publishes into a raw folder.
    """
    root = folder.resolve()
    units: list[Unit] = []
    exports: dict[str, list[tuple[str, str]]] = {}
    for path in _walk(root, {place.resolve() for place in leave_out}):
        relative = path.relative_to(root).as_posix()
        if path.is_symlink():
            units.append(
                Unit("unrecognised", relative, (relative,), reason="a link: not followed, copy the file itself")
            )
            continue
        try:
            data = path.read_bytes() if path.is_file() else None
        except OSError as error:
            units.append(
                Unit("unrecognised", relative, (relative,), reason=f"cannot be read: {error.strerror or error}")
            )
            continue
        if data is None:
            units.append(Unit("unrecognised", relative, (relative,), reason="neither a file nor a folder"))
            continue
        found = identify(data, relative)
        if found.kind == "wahapedia_csv":
            exports.setdefault(path.parent.relative_to(root).as_posix(), []).append(
                (relative, export_table(data) or "")
            )
        else:
            units.append(Unit(found.kind, relative, (relative,), reason=found.reason))
    for place, members in exports.items():
        units.extend(_export_units(place, members))
    return sorted(units, key=lambda unit: (unit.path, unit.files))


def _export_units(place: str, members: Sequence[tuple[str, str]]) -> Iterable[Unit]:
    """One unit of a folder's tables.

    Of two files of one table the one that bears its name counts, the other is listed.
    """
    chosen: dict[str, str] = {}
    for relative, table in sorted(members, key=lambda item: (Path(item[0]).stem.lower() != item[1].lower(), item[0])):
        if table in chosen:
            reason = f"a second {table} table beside {chosen[table]}: put each export into a folder of its own"
            yield Unit("unrecognised", relative, (relative,), reason=reason)
        else:
            chosen[table] = relative
    pairs = sorted((relative, f"{table}.csv") for table, relative in chosen.items())
    yield Unit("wahapedia_csv", place, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs))


def _walk(root: Path, leave_out: Collection[Path] = ()) -> list[Path]:
    """All files below a folder, sorted, and links as they stand; folders that are links are not entered."""
    found: list[Path] = []
    for parent, folders, files in os.walk(root, followlinks=False):
        here = Path(parent)
        linked = [name for name in folders if (here / name).is_symlink()]
        folders[:] = sorted(name for name in folders if name not in linked and name not in (".git", "__pycache__"))
        folders[:] = [name for name in folders if here / name not in leave_out]
        found.extend(path for name in (*files, *linked) if (path := here / name) not in leave_out)
    return sorted(found)


def _unknown(reason: str) -> Recognition:
    return Recognition("unrecognised", reason)


def _is_configuration(name: str) -> bool:
    """Whether this is one of the files that describe the raw folder, which stand at its top."""
    return name in _CONFIGURATION


def _decode(data: bytes) -> str | None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    head = data[:4096]
    if b"\0" in head:
        for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
            if zeros.count(0) > 0.6 * max(1, len(zeros)):
                return data.decode(encoding, errors="replace")
        if head.count(0) > len(head) // 50:
            return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A text cut in the middle of a letter is still UTF-8; so is one with a few broken letters.
        broken = data.decode("utf-8-sig", errors="replace")
        letters = sum(1 for byte in data if byte >= 0x80)
        if error.start >= len(data) - 4 or broken.count("\ufffd") * 8 < letters:
            return broken
        return data.decode("cp1252", errors="replace")


def _identify_text(text: str) -> Recognition:
    head = text.lstrip()[:4096]
    if head.startswith(("{", "[")):
        found = _identify_json(text)
        if found:
            return found
    if _HTML.search(head):
        return _identify_html(text)
    found = _identify_csv(text)
    if found:
        return found
    dump = any(pattern.search(text) for pattern in _DUMP_STRONG)
    manual = bool(_MANUAL_TITLE.search(text)) or bool(_SIZE_LINE.search(text))
    if manual and not dump:
        return Recognition("munitorum_text")
    if dump or sum(1 for pattern in _DUMP_WEAK if pattern.search(text)) >= 2:
        return Recognition("text_dump")
    if len(text) < 20_000 and _ERROR_PAGE.search(text[:2000]):
        return _unknown(f"an error page instead of the page that was wanted ('{_first_line(text)}'): save it again")
    header = _header(text, "|") if "|" in _first_line(text) else _header(text, ",")
    if len(header) > 2:
        return _unknown(f"a table with the unknown header {', '.join(header)[:120]}")
    return _unknown("text of no known kind")


def _identify_json(text: str) -> Recognition | None:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        if re.search(
            r'"(?:datasheets|rangedWeapons|meleeWeapons|combatPatrols|compatibleDataVersion)"\s*:', text[:200_000]
        ):
            return Recognition("game_datacards")
        return None
    entries = content if isinstance(content, list) else [content]
    marks = {
        "datasheets",
        "stratagems",
        "combatPatrols",
        "isCombatPatrol",
        "compatibleDataVersion",
        "enhancements",
        "detachments",
    }
    if any(isinstance(entry, dict) and marks & entry.keys() for entry in entries):
        return Recognition("game_datacards")
    return _unknown("JSON without datasheets, stratagems or enhancements")


def _identify_html(text: str) -> Recognition:
    title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
    shown = normalise(re.sub(r"\s+", " ", title[1])) if title else ""
    if _PAGE_MARKS.search(text):
        return Recognition("saved_page")
    body = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", text[:40_000], flags=re.IGNORECASE | re.DOTALL)
    if _ERROR_PAGE.search(shown) or _ERROR_PAGE.search(body[:3000]):
        return _unknown(f"an error page instead of the page that was wanted ('{shown[:80]}'): save it again")
    return _unknown(f"a web page without datasheets or rules ('{shown[:80]}')")


def _identify_csv(text: str) -> Recognition | None:
    for separator in (",", ";", "\t"):
        if {name.strip().lower() for name in _header(text, separator)} >= _PROFILES_HEADER:
            return Recognition("profiles_csv")
    if export_table(text[:65_536].encode()):
        return Recognition("wahapedia_csv")
    return None


def _header(text: str, separator: str) -> list[str]:
    first = next((line for line in text.lstrip("\ufeff").split("\n", 5)[:5] if line.strip()), "")
    if len(first) > 4000:
        return []
    cells = next(csv.reader(io.StringIO(first), delimiter=separator), [])
    return [cell.strip().strip('"') for cell in cells if cell.strip()]


def _first_line(text: str) -> str:
    return normalise(next((line for line in text.split("\n") if line.strip()), ""))[:80]


def _identify_pdf(data: bytes) -> Recognition:
    try:
        return _identify_pdf_pages(data)
    except Exception as error:  # pdfminer raises nearly anything on damaged files
        return _unknown(pdf_problem(error))


def _identify_pdf_pages(data: bytes) -> Recognition:
    letters = 0
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for page in pdf.pages[:_PDF_PAGES_LOOKED_AT]:
            text = page.extract_text() or ""
            page.close()
            letters += len(text)
            if _CARD_MARKS.search(text):
                return Recognition("datasheet_pdf")
            if _MANUAL_WORDS.search(text) or _SIZE_LINE.search(text):
                return Recognition("munitorum_pdf")
        if not pdf.pages:
            return _unknown("a PDF without pages: it is damaged, download it again")
    if letters < 20:
        return _unknown("a PDF of pictures without text: use the original, or a text copy")
    return _unknown("a PDF with neither points nor datasheet cards on its first pages")
