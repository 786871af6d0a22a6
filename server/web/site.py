"""What the web server has: the files of the page, and the place where its WebSocket begins. Everything else is refused.

Each refusal is one sentence. A page of another site cannot use the WebSocket, because the browser tells that site as
the origin; and no foreign name that leads to this machine works, because a name has to be one of the machine's own.
"""

import hashlib
import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple, Protocol

import h11

from server.web.static_files import static_bytes

PLAY = "/play"
"""Path of the WebSocket."""
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
"""Content types by the ending of the file's name."""
POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""What the page may load: files of this server, and nothing from anywhere else; no script in the page itself."""
_ALWAYS = (
    ("Content-Security-Policy", POLICY),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
Headers = tuple[tuple[str, str], ...]


class Answer(NamedTuple):
    """An answer of HTTP; `body` is sent with its length, and with a HEAD request only the length."""

    status: int
    headers: Headers = ()
    body: bytes = b""


UPGRADE = Answer(101)
"""The request asks for the WebSocket, and may have it."""


class _File(NamedTuple):
    kind: str
    tag: str
    body: bytes


class Answers(Protocol):
    """Whoever answers requests."""

    def answer(self, request: h11.Request) -> Answer:
        """The answer to a request without a body; `UPGRADE` if the WebSocket may begin."""


class MovedSite:
    """What a server with an encrypted page says where somebody asks for it without encryption."""

    def answer(self, request: h11.Request) -> Answer:
        """Sends the browser to the encrypted page."""
        host = next((value.decode("latin-1") for name, value in request.headers if name == b"host"), "")
        if request.method not in (b"GET", b"HEAD") or not _HOST.fullmatch(host):
            return sentence(400, "This server encrypts its page; its address begins with https.")
        return sentence(301, "The page is encrypted.", ("Location", f"https://{host}/"))


class Site:
    """The page's files, and who may use the WebSocket.

    Args:
        files: names in `server/web/static/`; the first one is also the page at ``/``.
        names: names of this machine in addresses that people type, besides ``localhost`` and plain addresses.
        secure: whether the site encrypts. One that does not may stand behind a proxy that does.
    """

    def __init__(self, files: Iterable[str], names: Iterable[str] = (), *, secure: bool) -> None:
        self._files = {f"/{name}": _file(name) for name in files}
        self._files["/"] = next(iter(self._files.values()))
        self._names = {"localhost", *(name.lower().rstrip(".") for name in names)}
        self._schemes = ("https",) if secure else ("http", "https")

    def answer(self, request: h11.Request) -> Answer:
        """As in `Answers`."""
        path = request.target.partition(b"?")[0].decode("latin-1")
        head = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.headers}  # h11 lowers names
        if path == PLAY:
            return self._play(request, head)
        if request.method not in (b"GET", b"HEAD"):
            return sentence(405, "This server only hands out its page.", ("Allow", "GET, HEAD"))
        file = self._files.get(path)
        if file is None:
            return sentence(404, "There is nothing here; the table is at the address without a path.")
        headers = (("Content-Type", file.kind), ("ETag", file.tag), ("Cache-Control", "no-cache"), *_ALWAYS)
        if head.get("if-none-match") == file.tag:
            return Answer(304, headers)
        return Answer(200, headers, file.body)

    def _play(self, request: h11.Request, head: dict[str, str]) -> Answer:
        host, origin = head.get("host", ""), head.get("origin")
        if request.method != b"GET":
            return sentence(405, "A WebSocket begins with GET.", ("Allow", "GET"))
        if "websocket" not in _tokens(head.get("upgrade", "")) or "upgrade" not in _tokens(head.get("connection", "")):
            return sentence(426, "Here is only the WebSocket of the page.", ("Upgrade", "websocket"))
        if head.get("sec-websocket-version") != "13":
            return sentence(
                426, "Only version 13 of the WebSocket is spoken.", ("Upgrade", "websocket"),
                ("Sec-WebSocket-Version", "13"),
            )  # fmt: skip
        if origin is None or origin.lower() not in [f"{scheme}://{host.lower()}" for scheme in self._schemes]:
            return sentence(403, "Only the page of this server may use its WebSocket.")
        if not self._is_own(host):
            return sentence(
                403, f"This server does not know that it is called {host[:80]!r}; its host can add the name."
            )
        return UPGRADE

    def _is_own(self, host: str) -> bool:
        """Whether a Host header names this machine: an address, or one of its names. Any port will do."""
        name = host.lower()
        if name.startswith("["):
            name = name[1:].partition("]")[0]
        elif name.count(":") == 1:
            name = name.partition(":")[0]
        try:
            ipaddress.ip_address(name.partition("%")[0])
        except ValueError:
            return name.rstrip(".") in self._names
        return True


def sentence(status: int, text: str, *headers: tuple[str, str]) -> Answer:
    """A refusal in one sentence."""
    return Answer(status, (("Content-Type", "text/plain; charset=utf-8"), *headers, *_ALWAYS), f"{text}\n".encode())


def _file(name: str) -> _File:
    body = static_bytes(name)
    return _File(TYPES[name.rpartition(".")[2]], f'"{hashlib.sha256(body).hexdigest()[:16]}"', body)


def _tokens(value: str) -> set[str]:
    """The words of a header that is a list."""
    return {word.strip().lower() for word in value.split(",")}
