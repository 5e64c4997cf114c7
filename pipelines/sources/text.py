"""Text normalisation, slugs and name keys shared by all readers.

Belongs here: what makes two spellings of one text equal. Does not belong here: meaning.
"""

import hashlib
import os
import re
import unicodedata

_HYPHENS = dict.fromkeys(map(ord, "\u2010\u2011"), "-")
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u00b4\u2032"), "'")
_INCHES = dict.fromkeys(map(ord, "\u201c\u201d\u2033"), '"')
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"), None)
_FOLD = _HYPHENS | _APOSTROPHES | _INCHES | _INVISIBLE
_BLANKS = re.compile(r"[^\S\n]+")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_LONGEST_SLUG = 150
_LETTERS = {
    "ø": "o",
    "Ø": "O",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "ß": "ss",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ł": "l",
    "Ł": "L",
}
_LETTER_TABLE = {ord(k): v for k, v in _LETTERS.items()}


def normalise(text: str) -> str:
    """One spelling for each text: hyphens and apostrophes in ASCII, NFKC, single blanks, ends trimmed.

    U+2010 and U+2011 are replaced before NFKC (which would turn U+2011 into U+2010). The en dash is kept: it separates
    a detachment from a stratagem's type. Newlines are kept.
    """
    text = unicodedata.normalize("NFKC", text.translate(_FOLD)).translate(_FOLD)
    return "\n".join(_BLANKS.sub(" ", line).strip() for line in text.split("\n"))


def storable(name: str) -> str:
    """A file's name as text that can be written anywhere: bytes that are no UTF-8 are shown as `\\xff`."""
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")


def ascii_fold(text: str) -> str:
    """Letters without accents, other characters dropped where they have no ASCII form."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_FOLD).translate(_LETTER_TABLE))
    return decomposed.encode("ascii", "ignore").decode("ascii")


def slug(text: str) -> str:
    """A readable ASCII key in lower case: `Tristraen's Gilded Blades` -> `tristraens-gilded-blades`.

    Apostrophes vanish, every other run of non-letters becomes one hyphen. Empty input gives `unnamed`.
    A slug names files, which no disk takes at any length: one that is too long is cut and ends with a hash of the whole.
    """
    folded = ascii_fold(text).lower().replace("'", "")
    whole = _NOT_SLUG.sub("-", folded).strip("-") or "unnamed"
    if len(whole) <= _LONGEST_SLUG:
        return whole
    return f"{whole[:_LONGEST_SLUG].rstrip('-')}-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"


def name_key(text: str) -> str:
    """The key under which two spellings of a name meet: accents, case, apostrophes, hyphens, blanks do not matter.

    A name without any letter or digit in ASCII is its own key, so that two of those never meet by what they lack.
    """
    return _NOT_SLUG.sub("", ascii_fold(text).lower().replace("&", "and")) or normalise(text).strip().casefold()
