"""What playing needs is pinned with hashes, as constraints.txt pins it, and no registry is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text()


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(text: str) -> dict[str, str]:
    return {normal(name): version for name, version in re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)}


def test_everything_that_playing_needs_has_hashes() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {normal(re.split(r"[><=~]", one)[0]) for one in wanted} <= set(pinned(LOCK))
    parts = re.split(r"\n(?=[A-Za-z])", LOCK)[1:]
    assert len(parts) == len(pinned(LOCK)) > 25
    for part in parts:
        assert re.fullmatch(
            r"\S+==\S+( ; sys_platform == \"win32\")?( \\\n    --hash=sha256:[0-9a-f]{64})+\n?", part
        ), part


def test_both_pin_the_same_versions_and_name_no_registry() -> None:
    text = (ROOT / "constraints.txt").read_text()
    known = pinned(text)
    assert {name: known[name] for name in pinned(LOCK) if name in known}.items() <= pinned(LOCK).items()
    for one in (LOCK, text):
        assert not re.search(r"://|index-url|find-links|@ ", one)
