"""A saved page as a tree: parsing, what is hidden, look-ups by class, error pages.

Belongs here: the page's frame. Does not belong here: datasheets and rules.
"""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from pipelines.sources.markup import classes, element_text
from pipelines.sources.records import ReadResult

_ERROR_WORDS = re.compile(
    r"\b(?:40[0134]|410|429|50[0234])\b|not found|forbidden|bad gateway|unavailable|access denied|just a moment"
    r"|attention required|verify(?:ing)? you are|too many requests|checking your browser|internal server error"
    r"|page (?:does not|doesn't) exist|enable javascript and cookies",
    re.IGNORECASE,
)
_EDITION = re.compile(r"wh40k(\d{1,2})ed|\b(\d{1,2})(?:st|nd|rd|th) edition", re.IGNORECASE)
_VARIANT = "snFl"


class Page:
    """A parsed page. `anchors` are its elements by id."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.title = _text_of(root.find(".//title"))
        self.anchors = {element.get("id"): element for element in root.iter(etree.Element) if element.get("id")}

    def all(self, name: str, within: Any | None = None) -> list[Any]:
        """Elements with a class, in document order."""
        place = self.root if within is None else within
        return [element for element in place.iter(etree.Element) if name in classes(element)]

    def heading(self) -> tuple[str | None, str | None]:
        """(faction, unit) of the page's heading `Faction – Unit`, each None where it is not stated."""
        spans = [
            _text_of(span) for heading in self.all("page_header2") for span in self.all("page_header_span2", heading)
        ]
        words = [span.strip("–- ") for span in spans if span.strip("–- ")]
        if words:
            return words[0], words[1] if len(words) > 1 else None
        faction, dash, unit = self.title.partition(" – ")
        return (faction.strip(), unit.strip()) if dash else (None, self.title or None)

    def edition(self) -> str | None:
        """The edition in the page's own address, or in the title of its book; None where neither states one."""
        stated = [link.get("href") or "" for link in self.root.iter("link") if link.get("rel") == "canonical"]
        stated += [image.get("title") or "" for image in self.all("logo3")]
        for text in stated:
            match = _EDITION.search(text)
            if match:
                return match[1] or match[2]
        return None

    def template(self, element: Any) -> Any | None:
        """The hidden text that an element shows when pointed at, None where it has none."""
        for part in element.iter(etree.Element):
            anchor = part.get("data-tooltip-content")
            if anchor:
                return self.anchors.get(anchor.lstrip("#"))
        return None


def parse(data: bytes, result: ReadResult) -> Page | None:
    """The page's tree; None with a reject where the bytes are no HTML."""
    is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    if b"<" not in data or (b"\x00" in data and not is_wide):
        result.reject("no HTML: not one tag is in the file", data[:200].decode("utf-8", errors="replace"), line_no=1)
        return None
    try:
        root = etree.fromstring(data, etree.HTMLParser(encoding=_encoding(data), remove_comments=True, huge_tree=True))
    except (etree.LxmlError, ValueError) as error:
        result.reject(f"no HTML that can be read: {error}", line_no=1)
        return None
    if root is None:
        result.reject("no HTML: the file has no element", line_no=1)
        return None
    _show_one_variant(root)
    return Page(root)


def _encoding(data: bytes) -> str | None:
    """UTF-8 where the bytes are UTF-8; otherwise what the page declares."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _show_one_variant(root: Any) -> None:
    """A keyword printed once for each filter of the page, all hidden until one is chosen: one of them is shown.

    Only where all say the same; otherwise which of them holds is not stated, and none is shown.
    """
    for element in list(root.iter(etree.Element)):
        run = [child for child in element if _VARIANT in classes(child)]
        if run and all("none" in (child.get("style") or "") for child in run):
            _show_runs(run)


def _show_runs(variants: list[Any]) -> None:
    run: list[Any] = []
    for variant in variants:
        if run and (run[-1].tail or "").strip() == "" and run[-1].getnext() is variant and not run[-1].tail:
            run.append(variant)
        else:
            _show_first(run)
            run = [variant]
    _show_first(run)


def _show_first(run: list[Any]) -> None:
    if run and len({"".join(variant.itertext()) for variant in run}) == 1:
        run[0].attrib.pop("style")


def error_of(page: Page) -> str | None:
    """What an error page says (its title or first heading), None for any other page."""
    headings = [_text_of(element) for element in page.root.iter("h1", "h2")]
    body = page.root.find("body")
    text = element_text(body) if body is not None else ""
    said = [page.title, *headings[:2], *([text[:300]] if len(text) < 1500 else [])]
    for words in said:
        if words and _ERROR_WORDS.search(words):
            return words.replace("\n", " ")[:120]
    return None if text.strip() else "an empty page"


def _text_of(element: Any | None) -> str:
    return " ".join(element_text(element).split()) if element is not None else ""


def siblings_until(element: Any, name: str) -> Iterator[Any]:
    """Elements behind an element, up to the next one that has the class or holds an element that has it."""
    for sibling in element.itersiblings():
        if isinstance(sibling.tag, str):
            if any(name in classes(part) for part in sibling.iter(etree.Element)):
                return
            yield sibling
