"""What went wrong with a PDF, in words that say what to do.

Belongs here: the exceptions of pdfminer and pdfplumber, which wrap each other, turned into one sentence. Does not
belong here: reading.
"""

from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect


def pdf_problem(error: BaseException) -> str:
    """The sentence for a reject. Encryption is looked for through all causes, arguments included."""
    for each in _chain(error):
        if isinstance(each, PDFPasswordIncorrect | PDFEncryptionError):
            return "an encrypted PDF: save a copy without a password"
    innermost = _chain(error)[-1]
    return f"a damaged PDF ({type(innermost).__name__}): download it again"


def is_cut_off(data: bytes) -> bool:
    """Whether the end of the file is missing. Pages may still be readable, so what was read must be marked as a part."""
    return b"%%EOF" not in data[-4096:]


NO_PAGES = "the PDF has no pages: it is damaged, download it again"
NO_TEXT = "the PDF holds no text: it consists of pictures; use the original, or a text copy"
CUT_OFF = "the end of the PDF is missing, so pages may be missing too: download it again"


def _chain(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    queue: list[BaseException | None] = [error]
    while queue:
        each = queue.pop(0)
        if each is None or any(each is known for known in found):
            continue
        found.append(each)
        queue.extend(argument for argument in each.args if isinstance(argument, BaseException))
        queue.extend((each.__cause__, each.__context__))
    return found
