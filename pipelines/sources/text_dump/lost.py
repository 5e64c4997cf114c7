"""Signs that a text lost words: links whose text vanished when the page was saved as text.

Belongs here: recognising the loss. Nothing is put back here, and nothing is guessed.
"""

import re
from functools import lru_cache
from itertools import pairwise

_VOWEL = "aeiou"
# `an` before a consonant: a keyword stood between (`an [KEYWORD] unit`). Single letters and silent h are fine.
_AN = re.compile(r"\b[Aa]n\s+(?P<next>[^\W\d_]{3,})")
_SOUNDS_LIKE_CONSONANT = re.compile(r"(?:uni(?!n)|use|one|eu)", re.IGNORECASE)
_SILENT = re.compile(r"h(?:our|onou?r|eir|onest)", re.IGNORECASE)
_A = re.compile(r"\ba\s+(?P<next>[AEIO][A-Z]{3,})\b")
_GAPS = (
    re.compile(r"(?<=\S) {2,}(?=\S)"),  # two blanks inside a printed line
    re.compile(r"(?<=\w) [,;.)](?=\s|$)"),  # a blank before the mark that followed the link
    re.compile(r"\((?:excluding|including)? *\)"),
    re.compile(r"\b(?:[Tt]he|[Aa]n?|[Tt]hat)\s+(?:and|or)\b"),
    re.compile(r"\bthe following the\b"),
    re.compile(r"\b(?:army|units?|models?)\((?=[a-z]{3,})"),
    re.compile(r"%\d{3,}\w*(?: \w+)?%"),
    re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)\. [a-z]{2,}"),
    re.compile(r"(?<![\w'])'s\b"),
    re.compile(r"\bThe\s+keywords? (?:is|are)\b"),
)
_OPEN_END = re.compile(r":\s*$")
_TABLE_BELOW = re.compile(r"\b(?:as shown below|as follows|shown in the table|in the table above)\b")


@lru_cache(maxsize=65_536)
def lost_in_line(raw: str, text: str) -> bool:
    """Whether one line shows that words are missing. `raw` is as printed, `text` normalised."""
    stripped = raw.strip()
    if any(gap.search(stripped if gap is _GAPS[0] else text) for gap in _GAPS):
        return True
    if _A.search(text):
        return True
    return any(_is_torn(match["next"]) for match in _AN.finditer(text))


def _is_torn(word: str) -> bool:
    if word.isupper() and len(word) <= 3:
        return False
    if _SOUNDS_LIKE_CONSONANT.match(word):
        return True
    return word[0].lower() not in _VOWEL and not _SILENT.match(word)


def lost_in_text(lines: list[tuple[str, str]]) -> bool:
    """Whether a rule lost words: in one of its (raw, text) lines, at its end, or its table."""
    if not lines:
        return False
    if any(lost_in_line(raw, text) for raw, text in lines):
        return True
    texts = [text for _, text in lines]
    if any(_is_lost_table(text) for text in texts):
        return True
    first_words = [text for text in texts if text[:1].islower() and not text.startswith(("x ", "and "))]
    starts_torn = bool(first_words) and texts[0] in first_words
    after_sentence = any(text[:1].islower() and before[-1:] in ".!?" for before, text in pairwise(texts))
    return starts_torn or after_sentence or bool(_OPEN_END.search(texts[-1])) or texts[-1].endswith(" an |")


def _is_lost_table(text: str) -> bool:
    return bool(text) and set(text) <= {"|", " "}
