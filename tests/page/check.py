"""The page's scripts looked through as they are served: names, what is never used, types of what boards are given.

For ``make check``. The browser needs none of this, and neither do users: without Node it is skipped, and said.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from page.node import NODE, lay_out

PLACE = Path(sys.prefix) / "page" / "node_modules" / "typescript" / "bin" / "tsc"
OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "target": "es2022",
    "lib": ["es2023", "dom", "dom.iterable"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "noUnusedLocals": True,
    "noImplicitReturns": False,
    "noFallthroughCasesInSwitch": True,
    "allowUnreachableCode": False,
    "types": [],
}


def prepare(place: Path) -> Path:
    """The scripts in this folder, ready to be looked through."""
    web = lay_out(place)
    for foreign in (web / "vendor").rglob("*.js"):
        foreign.write_text(f"// @ts-nocheck\n{foreign.read_text(encoding='utf-8')}", encoding="utf-8")
    (place / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "include": ["web/**/*.js"]}))
    return web


def look_through(place: Path) -> str:
    """What is wrong with them, one line each."""
    command = [str(NODE), str(PLACE), "--project", str(place), "--pretty", "false"]
    return subprocess.run(command, capture_output=True, text=True, cwd=place, check=False).stdout


def main() -> int:
    missing = "Node" if NODE is None else "TypeScript (npm could not fetch it)" if not PLACE.exists() else None
    if missing:
        print(f"The page's scripts are not checked: there is no {missing}. Nothing else needs it.")
        return 0
    with TemporaryDirectory() as place:
        prepare(Path(place))
        wrong = look_through(Path(place))
    print(wrong or "The page's scripts: no issues found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
