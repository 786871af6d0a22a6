"""The server's key: made once, whole or not at all, for the owner's eyes only."""

import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from protocol.wire.join_links import fingerprint
from server.admission.server_key import invitation, load_or_create, make_pem
from server.errors import ConfigError
from server.storage.atomic_file import write_file
from tests.support.dated_key import dated_pem
from tests.support.limits import LIMIT
from tests.support.ryo_process import RyoProcesses

START = (
    "from pathlib import Path; from server.admission.server_key import load_or_create;"
    "print(load_or_create(Path({!r}))[0])"
)


def test_the_key_is_made_at_the_first_start_and_is_the_same_at_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    first = load_or_create(folder)
    assert re.fullmatch(r"[a-z2-7]{52}", first.fingerprint)
    assert load_or_create(folder)[0] == first.fingerprint
    assert [path.name for path in folder.iterdir()] == ["identity.pem"]
    assert (folder / "identity.pem").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    certificate = (folder / "identity.pem").read_text().partition("-----BEGIN CERT")
    assert fingerprint(ssl.PEM_cert_to_DER_cert("".join(certificate[1:]))) == first.fingerprint


def test_fault_23_the_certificate_is_valid_whatever_the_clock_says(tmp_path: Path) -> None:
    path = tmp_path / "cert.pem"
    path.write_bytes(make_pem())
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    key = certificate.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert key.curve.name == "secp256r1"
    assert certificate.not_valid_before_utc == datetime(2000, 1, 1, tzinfo=UTC)
    assert certificate.not_valid_after_utc == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert certificate.subject == certificate.issuer
    assert certificate.subject.rfc4514_string() == "CN=Roll Your Own"


def test_tls_1_3_only_and_nothing_to_resume(tmp_path: Path) -> None:
    context = load_or_create(tmp_path).context
    assert context.minimum_version == ssl.TLSVersion.TLSv1_3
    assert context.num_tickets == 0


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606])
def test_fault_21_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    load_or_create(tmp_path)
    (tmp_path / "identity.pem").chmod(mode)
    with pytest.raises(ConfigError, match="chmod 600") as refused:
        load_or_create(tmp_path)
    assert refused.value.exit_code == 78


def half(pem: bytes) -> bytes:
    return pem[: len(pem) // 2]


def key_only(pem: bytes) -> bytes:
    return pem[: pem.index(b"-----BEGIN CERT")]


def certificate_only(pem: bytes) -> bytes:
    return pem[pem.index(b"-----BEGIN CERT") :]


def of_two_servers(pem: bytes) -> bytes:
    return key_only(make_pem()) + certificate_only(pem)


def bit_flipped(pem: bytes) -> bytes:
    """In the signature, which OpenSSL does not look at when it loads the file."""
    at = pem.index(b"-----END CERT") - 12
    return pem[:at] + (b"A" if pem[at : at + 1] != b"A" else b"B") + pem[at + 1 :]


def empty(pem: bytes) -> bytes:
    return b""


def garbage(pem: bytes) -> bytes:
    return bytes(range(256))


@pytest.mark.parametrize(
    "damage", [half, key_only, certificate_only, of_two_servers, bit_flipped, empty, garbage], ids=lambda f: f.__name__
)  # fmt: skip
def test_fault_21_a_damaged_key_is_refused_and_never_replaced(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    load_or_create(tmp_path)
    path = tmp_path / "identity.pem"
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    with pytest.raises(ConfigError, match="damaged") as refused:
        load_or_create(tmp_path)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == damaged


def test_fault_21_an_encrypted_key_is_refused_without_a_question(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization

    pem = make_pem()
    key = serialization.load_pem_private_key(key_only(pem), None)
    locked = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )
    path = tmp_path / "identity.pem"
    path.write_bytes(locked + certificate_only(pem))
    path.chmod(0o600)
    with pytest.raises(ConfigError, match="damaged"):
        load_or_create(tmp_path)


def test_fault_21_serve_ends_with_78_and_one_sentence(ryo: RyoProcesses, tmp_path: Path) -> None:
    (tmp_path / "identity.pem").write_bytes(b"half a key")
    (tmp_path / "identity.pem").chmod(0o600)
    where = ("--port", "0", "--bind", "127.0.0.1", "--data-dir", str(tmp_path))
    done = ryo.run(tmp_path, "serve", "-q", *where, module="server")
    assert done.code == 78
    assert done.err.count("\n") == 1
    assert "identity.pem" in done.err
    assert not (tmp_path / "hands").exists()


@pytest.mark.slow
def test_fault_22_first_starts_at_once_agree_on_one_key(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    command = [sys.executable, "-c", START.format(str(folder))]
    starts = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(5)]
    prints = {start.communicate(timeout=LIMIT)[0].strip() for start in starts}
    assert prints == {load_or_create(folder).fingerprint}
    assert [path.name for path in folder.iterdir()] == ["identity.pem"]


@pytest.mark.parametrize("clock", ["1975-01-01 00:00:00", "2036-01-01 00:00:00"])
def test_fault_23_the_key_is_usable_with_a_wrong_clock(tmp_path: Path, clock: str) -> None:
    faketime = shutil.which("faketime")
    if faketime is None:
        pytest.skip("libfaketime is not installed")
    command = [faketime, clock, sys.executable, "-c", START.format(str(tmp_path))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    assert done.stdout.strip() == load_or_create(tmp_path).fingerprint


@pytest.mark.parametrize(("first", "last"), [(1990, 1999), (2900, 2999)], ids=["long over", "not yet"])
def test_fault_23_the_key_is_usable_whatever_the_dates_of_its_certificate(
    tmp_path: Path, first: int, last: int
) -> None:
    pem = dated_pem(first, last)
    write_file(tmp_path / "identity.pem", pem)
    assert load_or_create(tmp_path).fingerprint in pem.decode()
    assert (tmp_path / "identity.pem").read_bytes() == pem


def test_the_secret_is_derived_from_the_whole_file_and_stays_the_same(tmp_path: Path) -> None:
    key = load_or_create(tmp_path)
    assert key.secret == sha256(b"ryo secret 1\0" + (tmp_path / "identity.pem").read_bytes()).digest()


def test_a_key_that_cannot_be_kept_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "identity.pem").mkdir()
    with pytest.raises(ConfigError, match=r"The server's key is not safe: .*identity\.pem is not a regular file\."):
        load_or_create(tmp_path)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ConfigError, match=r"The server's key .*identity\.pem cannot be used: .*\."):
        load_or_create(tmp_path / "file" / "inside")


def test_an_invitation_that_was_sent_opens_the_table_after_an_update() -> None:
    assert invitation(bytes(range(32)), "main", 1) == "ztotlhlxus7zxahyhok3gc2gn4"


def test_an_invitation_is_128_bits_derived_from_server_table_and_number(tmp_path: Path) -> None:
    secret = load_or_create(tmp_path / "a").secret
    others = load_or_create(tmp_path / "b").secret
    first = invitation(secret, "main", 1)
    assert re.fullmatch(r"[a-z2-7]{26}", first)
    assert first == invitation(load_or_create(tmp_path / "a").secret, "main", 1)
    assert (
        len({first, invitation(secret, "main", 2), invitation(secret, "side", 1), invitation(others, "main", 1)}) == 4
    )
