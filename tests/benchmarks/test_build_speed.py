"""Seconds and peak memory of whole builds, each in a process of its own: `make benchmark` prints them.

HAMMERHOUSE_REAL_DATA adds a build of that folder. Not part of the tests: the figures depend on the machine.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("hammerhouse")


def measured(name: str, *args: object) -> None:
    """Run the program and print seconds, processor seconds and peak memory, and when each stage began."""
    started = time.monotonic()
    process = subprocess.Popen(
        [str(PROGRAM), *map(str, args)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stderr is not None
    stages = []
    for line in process.stderr:
        if line.strip() and not re.match(r"\s*read \d+/", line):
            stages.append(f"    {time.monotonic() - started:7.1f} s  {line.strip()}")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, memory = time.monotonic() - started, usage.ru_maxrss / 1024
    print(f"\n{name}: {seconds:.1f} s, processor {usage.ru_utime + usage.ru_stime:.1f} s, peak {memory:.0f} MB")
    print("\n".join(stages))
    assert process.returncode == 0


def test_build_of_the_small_set(tmp_path: Path) -> None:
    measured("raw/", "build", "--out", tmp_path)
    measured("raw/, nothing changed", "build", "--out", tmp_path)
    measured("describe", "describe")
    measured("matchup", "matchup", "--out", tmp_path, "Hellblaster Squad", "teq")


def test_build_of_real_data(tmp_path: Path) -> None:
    named = os.environ.get("HAMMERHOUSE_REAL_DATA", "")
    if named:
        folders = ["--raw", named, "--raw", ROOT / "raw" / "profiles"]
        measured("real data", "build", *folders, "--out", tmp_path)
        measured("real data, nothing changed", "build", *folders, "--out", tmp_path)
        pages = [path.stat().st_size for path in (tmp_path / "site").rglob("*.html")]
        site = sum(path.stat().st_size for path in (tmp_path / "site").rglob("*") if path.is_file())
        print(f"site: {site / 1e6:.0f} MB, {len(pages)} pages, largest {max(pages) / 1e3:.0f} KB")
