"""How much memory a worker may use."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

_MEGABYTE = 1 << 20


def limit_memory(megabytes: float) -> None:
    """From now on this process gets so much more and then a MemoryError; where the system cannot do that, nothing."""
    try:
        import resource
    except ImportError:
        return
    status = Path("/proc/self/status")
    if not status.exists():
        return
    used = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmData"))
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    with suppress(ValueError, OSError):  # a narrower limit is set already
        resource.setrlimit(resource.RLIMIT_DATA, (used * 1024 + int(megabytes * _MEGABYTE), most))
