"""The page of a server for browsers: which kinds of clients the port takes for it, and the links to it."""

import socket
from collections.abc import Mapping, Sequence

from server.admission.server_key import ServerKey, page_context
from server.app.port_transport import PortSettings
from server.config.config import Config

FILES = (
    "play.html", "table.css", "play.css", "play.js", "connection.js", "decision.js", "look_back.js", "recording.js",
    "table.js", "view.js", "msgpack.js", "msgpack_encode.js", "icon.svg", "play.webmanifest",
)  # fmt: skip
"""The page, and what it loads (`server/web/static/`)."""

WARNINGS = {
    "plain": "The page is not encrypted: whoever is on the same network could read the cards and take a seat.",
    "tls": "The page's certificate is the server's own, so browsers warn before they show it; iPhones and iPads may "
    'refuse it even then: a certificate of a name (tls_cert) or web = "plain" helps.',
}
"""What a host has to know about the links, by the kind of page."""


def port_settings(config: Config, key: ServerKey | None) -> PortSettings:
    """What the port takes with these settings. `key`: the server's, if anything is encrypted. Raises ConfigError."""
    context = None if key is None or config.plain_tcp else key.context
    if config.web == "off":
        return PortSettings(context)
    from server.web.site import MovedSite, Site  # what it imports costs time at every start

    site = Site(FILES, [*own_names(), *config.web_names], secure=config.web == "tls")
    if config.web == "plain":
        return PortSettings(context, plain_site=site)
    return PortSettings(
        context, page_context(config.base_dir, config.tls_cert, config.tls_key), plain_site=MovedSite(), tls_site=site
    )


def own_names() -> list[str]:
    """The names by which the local network may know this machine."""
    name = socket.gethostname()
    host = name.partition(".")[0]
    return [name, host, f"{host}.local"] if name else []


def links(config: Config, addresses: Sequence[str], tables: Mapping[str, str]) -> list[str]:
    """The page's address for each table and each way in, in the order of `join_commands`; none without a page.

    Args:
        addresses: HOST:PORT of each way in; a link-local address with a zone works in no browser.
        tables: invitation, or an empty string, by the id of the table. Tables that need none share one link.
    """
    if config.web == "off":
        return []
    scheme = "https" if config.web == "tls" else "http"
    hosts = [address for address in addresses if "%" not in address]
    invited = [f"#table={table}&t={invite}" for table, invite in tables.items() if invite]
    fragments = ["", *invited] if len(invited) < len(tables) else invited
    return [f"{scheme}://{host}/{fragment}" for fragment in fragments for host in hosts]


def qr_code(link: str) -> str:
    """The link as a picture of half blocks, for a terminal; light on dark."""
    import io

    import segno

    out = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")
