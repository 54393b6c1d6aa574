"""Tells Gymnasium of our environments when somebody imports it, before or after this package; others pay nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType


class _Watcher(MetaPathFinder):
    """Waits for the import of Gymnasium, and adds ours to its end."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_tell(module: ModuleType) -> None:
                run(module)
                import_module("stammtisch.envs")

            spec.loader.exec_module = run_and_tell  # type: ignore[method-assign]
        return spec


def announce() -> None:
    """Make ``gymnasium.make("stammtisch/...")`` work, now or as soon as Gymnasium is there."""
    if "gymnasium" in sys.modules:
        import_module("stammtisch.envs")
    else:
        sys.meta_path.insert(0, _Watcher())
