"""How long a large page dump takes and how much memory it needs: many pages in one file.

Belongs here: seconds, bytes and their growth. Does not belong here: what the reader reads (unit tests).
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from unit.sources.text_dump.samples import PAGE, read_bytes

MEGABYTE = 1_000_000
FILLER = "Every tide turns, and every sailor knows the hour of it by the smell of the salt. "


def pages(size: int) -> bytes:
    """At least `size` bytes of pages: each has a sheet of its own, the rules are the same on all of them."""
    glossary = "\n".join(
        f"{name}\n{FILLER * 6}\n{FILLER * 12}" for name in ("Blast", "Pistol", "Heavy", "Melta", "Anti")
    )
    made: list[str] = []
    length = 0
    while length < size:
        number = len(made)
        page = PAGE.replace("Reef Guard", f"Reef Guard {number}").replace("REEF GUARD", f"REEF GUARD {number}")
        made.append(f"{page}\n{glossary}")
        length += len(made[-1].encode())
    return "\n".join(made).encode()


def seconds(data: bytes) -> float:
    started = time.perf_counter()
    read_bytes(data)
    return time.perf_counter() - started


def test_time_grows_with_the_size_of_the_file() -> None:
    small, large = pages(2 * MEGABYTE), pages(16 * MEGABYTE)
    read_bytes(small)
    short, long = min(seconds(small) for _ in range(2)), seconds(large)
    print(f"\n{len(small) / MEGABYTE:.0f} MB in {short:.1f} s, {len(large) / MEGABYTE:.0f} MB in {long:.1f} s")
    assert long / short < 2 * len(large) / len(small)


@pytest.mark.parametrize("megabytes", [50])
def test_memory_stays_in_proportion(tmp_path: Path, megabytes: int) -> None:
    """In a process of its own, so that only this file counts: peak memory below eight times the file."""
    path = tmp_path / "pages.txt"
    path.write_bytes(pages(megabytes * MEGABYTE))
    program = (
        "import resource, sys, time; from pathlib import Path; from unit.sources.text_dump.samples import read_bytes;"
        "data = Path(sys.argv[1]).read_bytes(); started = time.perf_counter(); result = read_bytes(data);"
        "print(time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,"
        " len(result.lines), len(result.tables['datasheet']), len(result.rejects))"
    )
    folders = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        env={"PYTHONPATH": ":".join(folders)},
        capture_output=True,
        text=True,
        check=True,
    )
    spent, peak, lines, sheets, rejects = (float(part) for part in done.stdout.split())
    unit = 1024 if sys.platform != "darwin" else 1
    size = path.stat().st_size
    print(
        f"\n{size / MEGABYTE:.0f} MB: {spent:.0f} s, peak {peak * unit / MEGABYTE:.0f} MB, {lines:.0f} lines, {sheets:.0f} sheets"
    )
    assert rejects == 0
    assert sheets == path.read_text(encoding="utf-8").count("Tide Wardens – Reef Guard")
    assert peak * unit < 8 * size + resource.getpagesize() * 25_000


def test_one_page_without_an_end(tmp_path: Path) -> None:
    """A page of one kind of line, a line of a megabyte, a megabyte of blank lines: no form of text is slow."""
    for data in (
        b"| " * 500_000,
        ("A sentence.Another: " * 50_000).encode(),
        b"\n" * MEGABYTE,
        ("NAME\n1CP\n" * 60_000).encode(),
        ("- 1 a- 1 b" * 60_000).encode(),
        ("KEYWORDS: " + "A, " * 300_000).encode(),
        ("RANGED WEAPONS | RANGE | A | BS | S | AP | D |\n| " + "assault " * 60_000 + "| 24 | 1 |\n").encode(),
        ("WARGEAR OPTIONS\n" + "- 1 model can be equipped with 1 horn.\n" * 20_000 + "KEYWORDS: CREW").encode(),
    ):
        assert seconds(data) < 20
