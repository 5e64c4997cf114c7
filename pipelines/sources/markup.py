"""HTML of the sources, turned into the plain text that every reader and the rules compiler share.

Belongs here: how markup becomes lines (`<br>`, paragraphs, list items, table rows), what is hidden, what is flavour.
Does not belong here: what the text means. Nothing here raises on broken markup: stray and unclosed tags are met in
every export.
"""

import re
from functools import lru_cache
from typing import Any

from lxml import etree

from pipelines.sources.text import normalise

# fmt: off
_BLOCKS = frozenset((
    "address", "article", "blockquote", "body", "dd", "div", "dl", "dt", "fieldset", "figure", "footer",
    "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "main", "nav", "ol", "p", "pre",
    "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "li",
))
_SILENT = frozenset((
    "script", "style", "head", "template", "noscript", "iframe", "svg", "button", "select", "option", "input",
    "textarea",
))
# fmt: on
_HIDDEN_CLASSES = frozenset({"tooltip_templates", "tooltip_content", "hidden"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_FLAVOUR_CLASSES = frozenset({"ShowFluff"})
_DIE_ICON = re.compile(r"/d([1-6])\.(?:png|svg|gif|webp)$", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_ESCAPED_TAG = re.compile(r"</?(?:span|a|b|i|br|p|div|li|ul)\b[^<>]*>", re.IGNORECASE)
_BREAK = "\n"
_WRAPPER = b"<html><body><div>%s</div></body></html>"


@lru_cache(maxsize=20_000)
def html_to_text(html: str) -> str:
    """The visible text of an HTML cell, normalised, one line for each paragraph, line break, list item and table row.

    List items begin with `- `, cells of a table row are joined by ` | `. Hidden parts (tooltip contents) and flavour
    paragraphs are left out (`flavour_text` gives those). Keywords keep their capitals, weapon abilities their brackets.
    A cell without markup is plain text: it is only normalised, and its lines stay lines.
    """
    text = _visible(html, flavour=False)
    # One export escaped its markup twice: the text of such a cell is HTML again.
    return _visible(text.replace("\n", "<br>"), flavour=False) if _ESCAPED_TAG.search(text) else text


@lru_cache(maxsize=2_000)
def flavour_text(html: str) -> str | None:
    """The flavour paragraphs of an HTML cell (marked as such by the source), None where there are none."""
    if "Fluff" not in html:
        return None
    found = [
        element_text(element, flavour=True)
        for element in parse_fragment(html).iter(etree.Element)
        if _FLAVOUR_CLASSES.intersection(classes(element))
    ]
    return "\n".join(text for text in found if text) or None


def parse_fragment(html: str) -> Any:
    """An HTML cell as a small lxml document. Never raises; an empty cell gives an empty document."""
    data = _WRAPPER % _CONTROL.sub("", html).encode("utf-8")
    return etree.fromstring(data, etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True))


def classes(element: Any) -> list[str]:
    """The class names of an element."""
    return (element.get("class") or "").split()


def element_text(element: Any, *, flavour: bool = False) -> str:
    """The visible text of an lxml element and what it contains, by the rules of `html_to_text`."""
    pieces: list[str] = []
    _walk(element, pieces, flavour)
    return _lines("".join(pieces))


def is_hidden(element: Any) -> bool:
    """Whether the page does not show the element (tooltip stores, scripts, `display:none`)."""
    if element.tag in _SILENT or _HIDDEN_CLASSES.intersection(classes(element)):
        return True
    return bool(_HIDDEN_STYLE.search(element.get("style") or ""))


def _visible(html: str, *, flavour: bool) -> str:
    if "<" not in html and "&" not in html:
        return _lines(html)
    return element_text(parse_fragment(html), flavour=flavour)


def _lines(text: str) -> str:
    """Normalised lines without the empty ones; a bullet that lost its text goes too."""
    lines = normalise(text).split("\n")
    return "\n".join(line for line in lines if line and line != "-")


def _walk(element: Any, pieces: list[str], flavour: bool) -> None:
    tag = element.tag
    if not isinstance(tag, str) or is_hidden(element):
        return
    if not flavour and _FLAVOUR_CLASSES.intersection(classes(element)):
        pieces.append(_BREAK)
        return
    if tag == "br":
        pieces.append(_BREAK)
    elif tag == "img":
        pieces.append(_image(element))
    elif tag == "tr":
        _row(element, pieces, flavour)
    else:
        _content(element, pieces, flavour)


def _content(element: Any, pieces: list[str], flavour: bool) -> None:
    block = element.tag in _BLOCKS
    if block:
        pieces.append(_BREAK + "- " if element.tag == "li" else _BREAK)
    pieces.append(_inline(element.text))
    for child in element:
        _walk(child, pieces, flavour)
        pieces.append(_inline(child.tail))
    if block:
        pieces.append(_BREAK)


def _row(element: Any, pieces: list[str], flavour: bool) -> None:
    """A table row: one line with ` | ` between its cells, unless a cell holds several lines (a table for layout)."""
    cells = [element_text(cell, flavour=flavour) for cell in element if isinstance(cell.tag, str)]
    cells = [cell for cell in cells if cell]
    joint = _BREAK if any("\n" in cell for cell in cells) else " | "
    pieces.append(_BREAK + joint.join(cells) + _BREAK)


def _inline(text: str | None) -> str:
    """Text between tags: its line ends are blanks, as a browser shows them."""
    return re.sub(r"\s+", " ", text) if text else ""


def _image(element: Any) -> str:
    """The face of a die icon (rules tables name results by them), else the picture's own words."""
    die = _DIE_ICON.search(element.get("src") or "")
    return die[1] if die else _inline(element.get("alt"))
