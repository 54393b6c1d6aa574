"""A package installed by its path: what ``pip install`` leaves behind, without pip."""

from __future__ import annotations

import tomllib
from pathlib import Path

NIM = Path(__file__).parent / "toys" / "plugin"


def install(package: Path, place: Path) -> str:
    """Announce a package where Python looks for installed ones; what has to be in PYTHONPATH."""
    described = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = place / f"{described['name']}-{described['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {described['name']}\nVersion: {described['version']}\n"
    )
    groups = described["entry-points"].items()
    lines = [line for group, points in groups for line in (f"[{group}]", *(f"{k} = {v}" for k, v in points.items()))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return f"{place}:{package}"
