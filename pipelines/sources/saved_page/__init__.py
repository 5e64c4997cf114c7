"""Reader of saved web pages: a datasheet page as HTML, which still holds characteristics and invulnerable saves.

Belongs here: what kind of page it is. The facts are those of a page dump, read from the markup itself. Does not belong
here: which source is right. `read` is the only way in; it never raises on any bytes.
"""

from pipelines.sources.records import RawFile, ReadResult
from pipelines.sources.saved_page import rules
from pipelines.sources.saved_page.datasheet import read_datasheet
from pipelines.sources.saved_page.page import Page, error_of, parse


def read(data: bytes, file: RawFile) -> ReadResult:
    """Read a saved page. Rows carry the line of the file on which their element begins.

    An error page (404, a wall against robots) gives a notice and one reject, a page without a datasheet a notice.
    """
    result = ReadResult()
    page = parse(data, result)
    if page is None:
        return result
    frames = page.all("dsOuterFrame")
    if not frames:
        trouble = error_of(page)
        if trouble:
            result.notices.append(f"a saved error page: {trouble}")
            result.reject("a saved error page; save the datasheet's own page", trouble, line_no=1)
            return result
    _say_what(page, result)
    for number, frame in enumerate(frames, start=1):
        read_datasheet(page, frame, number, result)
    rules.read_rules(page, result)
    if not frames:
        result.notices.append("no datasheet on this page")
    return result


def _say_what(page: Page, result: ReadResult) -> None:
    """Title, faction and edition as the page states them."""
    result.faction, unit = page.heading()
    result.title = " – ".join(part for part in (result.faction, unit) if part) or page.title or None
    result.edition = page.edition()
