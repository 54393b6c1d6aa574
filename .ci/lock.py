"""Write requirements.lock anew: what playing needs, pinned as in constraints.txt, with the hashes of all files.

    python .ci/lock.py

The installer says what belongs together (a dry run), and the index it is set up with says which files there are. Only
names, versions and hashes are kept: the lock names no registry, and whichever is used has to hand out these very files.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from pathlib import Path

from pip._internal.models.index import PyPI

ROOT = Path(__file__).parents[1]
BUILDING = ["editables", "hatchling"]  # so that the package itself is built without fetching anything
ELSEWHERE = ["colorama"]  # what other systems need: the command line on Windows
PYTHONS = ("cp311", "cp312", "cp313", "abi3", "py3")
INDEX = os.environ.get("PIP_INDEX_URL", PyPI.simple_url)
HEAD = """\
# What playing needs, with the hashes of all files for Python 3.11 to 3.13; made by .ci/lock.py from constraints.txt.
# pip install --require-hashes -r requirements.lock
"""


def chosen() -> dict[str, str]:
    """Names and versions."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
        command += ["--report", str(report), "-c", str(ROOT / "constraints.txt"), *wanted, *BUILDING, *ELSEWHERE]
        subprocess.run(command, check=True)
        found = json.loads(report.read_text())["install"]
    return {normal(one["metadata"]["name"]): one["metadata"]["version"] for one in found}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def hashes(name: str, version: str) -> list[str]:
    with urllib.request.urlopen(f"{INDEX}/{name}/") as answer:
        page = answer.read().decode()
    found = set()
    for file, digest in re.findall(r'([^/"]+)#sha256=([0-9a-f]{64})', page):
        stem = re.sub(r"\.tar\.gz$|\.zip$|\.whl$", "", file)
        parts = stem.split("-")
        source = not file.endswith(".whl")
        known = "-".join(parts[1:]) if source and normal(parts[0]) == name else parts[1] if not source else ""
        if source:
            known = stem[len(name) + 1 :] if normal(stem[: len(name)]) == name else known
        fits = source or any(tag in "-".join(parts[2:]) for tag in PYTHONS)
        if known == version and fits:
            found.add(digest)
    if not found:
        raise SystemExit(f"{name} {version}: the index has no file of it")
    return sorted(found)


def main() -> None:
    lines = [HEAD]
    for name, version in sorted(chosen().items()):
        marked = f"{name}=={version}" + (' ; sys_platform == "win32"' if name in ELSEWHERE else "")
        lines.append(" \\\n".join([marked, *(f"    --hash=sha256:{one}" for one in hashes(name, version))]) + "\n")
    (ROOT / "requirements.lock").write_text("".join(lines))


if __name__ == "__main__":
    main()
