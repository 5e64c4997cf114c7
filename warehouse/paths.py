"""Where things are: raw folders, the published database, Parquet and site, and the places beside them.

Belongs here: names of files and folders, and how `--out`, `--raw`, HAMMERHOUSE_OUT and HAMMERHOUSE_RAW choose them.
Does not belong here: opening or writing any of them.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

DATABASE = "hammerhouse.duckdb"


def checkout() -> Path:
    """The checkout that the program runs from; the working folder where it is installed elsewhere."""
    root = Path(__file__).resolve().parents[1]
    return root if (root / "pyproject.toml").is_file() else Path.cwd()


@dataclass(frozen=True)
class Paths:
    """What a build publishes. All are absolute; nothing need exist."""

    database: Path
    parquet: Path
    site: Path

    @classmethod
    def resolve(cls, out: Path | None = None, environ: Mapping[str, str] | None = None) -> "Paths":
        """`out` first, then HAMMERHOUSE_OUT, then the checkout (which spreads the three over its own folders)."""
        named = os.environ if environ is None else environ
        folder = out or (Path(named["HAMMERHOUSE_OUT"]) if named.get("HAMMERHOUSE_OUT", "").strip() else None)
        if folder is None:
            root = checkout()
            return cls(root / "warehouse" / DATABASE, root / "warehouse" / "parquet", root / "reports" / "site")
        folder = folder.expanduser().absolute()
        return cls(folder / DATABASE, folder / "parquet", folder / "site")

    @property
    def previous(self) -> Path:
        """The database that was published before this one."""
        return self.database.with_name("hammerhouse.previous.duckdb")

    @property
    def lock(self) -> Path:
        """Held by the one build that may publish here."""
        return self.database.with_name(f"{DATABASE}.lock")

    @property
    def staging(self) -> Path:
        """Where a build puts what it makes, on the same disk as the database so that a rename is enough."""
        return self.database.with_name(f"{DATABASE}.build")

    @property
    def cache(self) -> Path:
        """What a build keeps for the next one."""
        return self.database.with_name(".cache")

    @property
    def outputs(self) -> tuple[Path, ...]:
        """Every file and folder that a build writes; half-swapped ones too."""
        files = (self.database, self.previous, self.lock, self.database.with_name(f"{DATABASE}.wal"))
        folders = (self.parquet, self.site)
        retired = (folder.with_name(f"{folder.name}.retired") for folder in folders)
        return (*files, self.staging, self.cache, *folders, *retired)


def raw_folders(named: Sequence[Path] = (), environ: Mapping[str, str] | None = None) -> list[Path]:
    """Those of `--raw`, else HAMMERHOUSE_RAW (several joined like PATH), else `raw/` of the checkout."""
    if named:
        return [folder.expanduser().absolute() for folder in named]
    variable = (os.environ if environ is None else environ).get("HAMMERHOUSE_RAW", "").strip()
    if variable:
        return [Path(part).expanduser().absolute() for part in variable.split(os.pathsep) if part.strip()]
    return [checkout() / "raw"]
