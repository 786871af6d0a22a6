"""The server's key, with a self-signed certificate by which clients recognise the server.

A local network has no certificate authority. The server makes a key at its first start and keeps it, and clients
remember the SHA-256 of the certificate. The certificate is valid from 2000 to 9999: trust comes from that fingerprint,
and a wrong clock must not lock anybody out (fault 23).
"""

import base64
import hashlib
import hmac
import os
import ssl
from pathlib import Path
from typing import NamedTuple

from protocol.wire.join_links import ALPN, fingerprint
from server.errors import ConfigError
from server.storage.atomic_file import make_private_folder, others_can_read, write_file
from server.storage.filesystem import FileSystem, UnsafePath, check_owned

FILE = "identity.pem"
INVITE_BYTES = 16


class ServerKey(NamedTuple):
    """A server's key and certificate.

    Fields:
        fingerprint: SHA-256 of the certificate (DER) in base32, 52 small letters and digits.
        context: for the server's side of TLS connections.
        secret: 32 bytes derived from the key, which nobody else can make.
    """

    fingerprint: str
    context: ssl.SSLContext
    secret: bytes


def load_or_create(folder: Path) -> ServerKey:
    """The key that is kept in that folder; it is made at the first start. Raises ConfigError.

    Two servers that start at once get the same key: the file appears whole, and only once (fault 22). A file that is
    damaged, that is a link, or that other users own or can read is refused and never replaced, because clients remember
    its fingerprint.
    """
    path = folder / FILE
    try:
        make_private_folder(folder)
        FileSystem().check_dir(os.fspath(folder))
        if not os.path.lexists(path):
            write_file(path, make_pem(), replace=False)
        pem = _read(path)
    except UnsafePath as error:
        raise ConfigError(f"The server's key is not safe: {error.strerror}.") from None
    except OSError as error:
        raise ConfigError(f"The server's key {path} cannot be used: {error.strerror}.") from None
    try:
        context = server_context(path)
        der = ssl.PEM_cert_to_DER_cert(pem[pem.index("-----BEGIN CERTIFICATE-----") :])
        if not pem.startswith(_heading(der)):
            raise ValueError("not the certificate that was made")
    except (ssl.SSLError, ValueError):
        raise ConfigError(
            f"The server's key {path} is damaged. Put back a copy; with a new key all players must forget the old one."
        ) from None
    secret = hashlib.sha256(b"ryo secret 1\0" + pem.encode("ascii")).digest()
    return ServerKey(fingerprint(der), context, secret)


def server_context(path: Path, key: Path | None = None, protocol: str = ALPN) -> ssl.SSLContext:
    """The server's side of TLS: version 1.3 only, and no session tickets. Raises ssl.SSLError, OSError.

    Args:
        path: the certificate with those that lead to its authority, and the key if `key` is None.
        key: the key.
        protocol: the name of what is spoken (ALPN).
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    context.set_alpn_protocols([protocol])
    context.load_cert_chain(path, key, password=_no_password)
    return context


def page_context(folder: Path, certificate: str, key: str) -> ssl.SSLContext:
    """The same for browsers: with that certificate and key, else with the server's own. Raises ConfigError."""
    if not certificate:
        return server_context(folder / FILE, protocol="http/1.1")
    try:
        return server_context(Path(certificate).expanduser(), Path(key).expanduser() if key else None, "http/1.1")
    except OSError as error:  # ssl.SSLError is one
        reason = error.reason if isinstance(error, ssl.SSLError) else error.strerror
        raise ConfigError(f"The page's certificate {certificate} cannot be used: {reason or error}.") from None
    except ValueError as error:
        raise ConfigError(f"The page's certificate {certificate} cannot be used: {error}.") from None


def invitation(secret: bytes, table: str, number: int) -> str:
    """The invitation to a table: 128 bits in base32. Another number makes another invitation.

    It is derived from the secret of the key, so that join links stay valid after a restart although no file holds them.
    """
    message = b"ryo invite 1\0" + table.encode() + b"\0" + str(number).encode()
    digest = hmac.new(secret, message, hashlib.sha256).digest()
    return base64.b32encode(digest[:INVITE_BYTES]).decode().rstrip("=").lower()


def _heading(certificate: bytes) -> str:
    """The first line of the file. It shows a damaged certificate; OpenSSL compares key and certificate."""
    return f"Roll Your Own server {fingerprint(certificate)}\n"


def _no_password() -> str:
    # Otherwise OpenSSL would ask on the terminal for the password of an encrypted key.
    raise ValueError("the key is encrypted")


def _read(path: Path) -> str:
    check_owned(os.fspath(path))
    with path.open("rb") as file:
        if others_can_read(os.fstat(file.fileno())):
            raise ConfigError(f"The server's key {path} can be read by others; run: chmod 600 {path}")
        return file.read(1 << 16).decode("ascii", "replace")


def make_pem() -> bytes:
    """The content of a new file: heading, key, certificate. P-256, because every TLS library supports it."""
    from datetime import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Roll Your Own")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2000, 1, 1))
        .not_valid_after(datetime(9999, 12, 31, 23, 59, 59))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    heading = _heading(certificate.public_bytes(serialization.Encoding.DER))
    return heading.encode() + private + certificate.public_bytes(serialization.Encoding.PEM)
