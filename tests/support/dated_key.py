"""A server's key whose certificate is valid in other years: to a client as if its clock were wrong by as much."""

import ssl
from datetime import UTC, datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from protocol.wire.join_links import fingerprint
from server.admission.server_key import make_pem


def dated_pem(first: int, last: int) -> bytes:
    """The content of a key file. Its certificate is valid from the year `first` to the end of the year `last`."""
    made = make_pem()
    key = serialization.load_pem_private_key(made[made.index(b"-----BEGIN PRIVATE") :], None)
    usual = x509.load_pem_x509_certificate(made[made.index(b"-----BEGIN CERT") :])
    assert isinstance(key, EllipticCurvePrivateKey)
    certificate = (
        x509.CertificateBuilder(usual.issuer, usual.subject, usual.public_key(), usual.serial_number)
        .not_valid_before(datetime(first, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(last, 12, 31, tzinfo=UTC))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    der = certificate.public_bytes(serialization.Encoding.DER)
    heading = f"Roll Your Own server {fingerprint(der)}\n".encode()
    return heading + private + ssl.DER_cert_to_PEM_cert(der).encode()
