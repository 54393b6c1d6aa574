"""Where somebody comes from: the address that limits go by, and whether it is this very computer."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from stammtisch.table.settings import EVERYBODY, THIS_COMPUTER, Settings, allowed_hosts

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")  # what proxies add


def address_of(connection: HTTPConnection, settings: Settings) -> str:
    """The address, of IPv6 the first half; behind a proxy the last one in its header, which the proxy wrote itself."""
    peer = connection.client.host if connection.client else ""
    if settings.proxy:
        given = connection.headers.getlist(settings.proxy)
        peer = given[-1].rpartition(",")[2].strip() if given else peer
    return network_of(peer)


def network_of(text: str) -> str:
    """What one household can choose freely is one address.

    >>> [network_of(text) for text in ("192.0.2.7", "::ffff:192.0.2.7", "2001:db8:1:2:3:4:5:6", "nonsense")]
    ['192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64', 'nonsense']
    """
    address = _read(text)
    if address is None:
        return text[:60]
    return str(address if isinstance(address, IPv4Address) else ip_network((int(address), 64), strict=False))


def is_local(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether somebody sits at this computer: no proxy speaks for others, and the page was opened by its own name."""
    if settings.proxy or any(name in connection.headers for name in _FORWARDED):
        return False
    peer = _read(connection.client.host) if connection.client else None
    return peer is not None and peer.is_loopback and host_of(connection) in _plain(THIS_COMPUTER)


def is_called_right(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether the page was opened under a name of this server.

    Open to a network, the address that was called will do, too: names can be made to lead here by anybody who owns a
    name (DNS rebinding), addresses cannot.
    """
    host = host_of(connection)
    if host in _plain(allowed_hosts(settings)):
        return True
    called = connection.scope.get("server") or ("", None)
    address = _read(host)
    return settings.host in EVERYBODY and address is not None and address == _read(str(called[0]))


def is_own_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from the own page; browsers always name the origin of a websocket."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.scope["type"] == "http"
    host = connection.headers.get("host", "")
    return bool(host) and origin in (f"http://{host}", f"https://{host}")


def host_of(connection: HTTPConnection) -> str:
    """The name by which the server was called; nothing where it is none."""
    try:
        split = urlsplit(f"//{connection.headers.get('host', '')}")
        return split.hostname if split.hostname and split.port != 0 and "@" not in split.netloc else ""
    except ValueError:
        return ""


def _plain(names: tuple[str, ...]) -> set[str]:
    return {name.strip("[]").lower() for name in names}


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
