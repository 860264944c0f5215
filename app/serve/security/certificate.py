"""The certificate of `--https`: made on the spot, signed by itself, and kept for the next time.

It encrypts, so nobody in the same Wi-Fi reads along, and browsers give a page the camera. That it
is this computer's, the user sees by its fingerprint: no authority vouches for an address at home.
"""

import contextlib
import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from app.serve.security.known_clients import is_private, state_folder
from app.terminal.console import UsageError
from vision.media.whole_files import open_whole

LIFE_DAYS: Final = 397
"""Browsers refuse certificates that last longer than 398 days."""

RENEWAL_DAYS: Final = 30
"""One that ends sooner than this is made anew."""

_FILE: Final = "phone-page.pem"
_MOST_BYTES: Final = 100_000


@dataclass(frozen=True)
class Certificate:
    """A certificate with its key.

    Attributes:
        path: a PEM file with both, which only its owner may read.
        fingerprint: SHA-256 of the certificate, as browsers show it.
        ends: when it ends, UTC.
        key: a PEM file with the key, where that is another one.
    """

    path: Path
    fingerprint: str
    ends: datetime
    key: Path | None = None


def load_certificate(
    names: Collection[str], folder: Path | None = None, now: datetime | None = None
) -> Certificate:
    """Return the certificate for these names, the one kept if it still does, else a new one.

    A new one keeps the names of the one before, so that a computer which moves between two
    networks need not be trusted anew each time.

    Args:
        names: host names and addresses, without ports.
        folder: where it is kept; the user's own state folder when None.
        now: with time zone; the present when None.

    Raises:
        UsageError: if the folder cannot be written to.
    """
    now = now or datetime.now(UTC)
    path = (folder or state_folder()) / _FILE
    found = read_pair(path)
    kept = None if found is None else found[0]
    wanted = frozenset(name for name in map(normal_name, names) if name)
    if kept is not None:
        before = _names_of(kept)
        lasts = kept.not_valid_before_utc <= now <= kept.not_valid_after_utc - _days(RENEWAL_DAYS)
        if wanted <= before and lasts:
            return Certificate(path, fingerprint_of(kept), kept.not_valid_after_utc)
        wanted |= before if len(before) < 64 else frozenset()
    made, pem = _make(wanted, now)
    try:
        write_private(path, pem)
    except OSError as error:
        raise UsageError(
            f"the certificate cannot be kept in {path.parent}: {error.strerror}; make room there,"
            " or go without --https"
        ) from error
    return Certificate(path, fingerprint_of(made), made.not_valid_after_utc)


def _make(names: Collection[str], now: datetime) -> tuple[x509.Certificate, bytes]:
    """Return a new certificate, and it with its key as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Sudoku Lens")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _days(1))  # the phone's clock may be behind
        .not_valid_after(now + _days(LIFE_DAYS - 1))
        .add_extension(
            x509.SubjectAlternativeName([general_name(name) for name in sorted(names)]),
            critical=False,
        )
        # It vouches for nobody else: who trusts it trusts this server alone.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage_of(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return certificate, pem + certificate.public_bytes(serialization.Encoding.PEM)


def usage_of(*, is_authority: bool) -> x509.KeyUsage:
    """Return what a key may be used for: to sign certificates, or to encrypt connections."""
    return x509.KeyUsage(
        digital_signature=not is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )


def load_given(path: Path, key: Path, now: datetime | None = None) -> Certificate:
    """Return a certificate that the user has.

    Args:
        path: a PEM file of the certificate, and of those that lead to its authority.
        key: a PEM file of its key, which is not locked.
        now: with time zone; the present when None.

    Raises:
        UsageError: if a file cannot be read, they do not belong together, or it has ended.
    """
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        found = serialization.load_pem_private_key(key.read_bytes(), password=None)
    except OSError as error:
        raise UsageError(
            f"cannot read {error.filename}: {error.strerror}; name a file with --certificate and "
            "its key with --key"
        ) from error
    except TypeError as error:
        raise UsageError(
            f"{key} is locked with a passphrase; unlock a copy, as with: openssl pkey -in {key}"
        ) from error
    except ValueError as error:
        raise UsageError(
            f"{path} and {key} are no certificate and key in PEM form; convert them with openssl"
        ) from error
    if certificate.public_key() != found.public_key():
        raise UsageError(f"{key} is not the key of {path}; name the one that belongs to it")
    ends = certificate.not_valid_after_utc
    if ends < (now or datetime.now(UTC)):
        raise UsageError(f"{path} has ended on {ends:%Y-%m-%d}; renew it, or use --https alone")
    return Certificate(path, fingerprint_of(certificate), ends, key)


def read_pair(path: Path) -> tuple[x509.Certificate, PrivateKeyTypes] | None:
    """Return the certificate and the key that are kept in a file, None where none can be used.

    That is so, too, where others could have read the key.
    """
    with contextlib.suppress(OSError, ValueError, TypeError):
        if not is_private(path) or path.stat().st_size > _MOST_BYTES:
            return None
        pem = path.read_bytes()
        certificate = x509.load_pem_x509_certificate(pem)
        key = serialization.load_pem_private_key(pem, password=None)
        if certificate.public_key() == key.public_key():
            return certificate, key
    return None


def write_private(path: Path, pem: bytes) -> None:
    """Put the file there whole or not at all, and never readable for others."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_whole(path, 0o600) as file:
        file.write(pem)


def _names_of(certificate: x509.Certificate) -> frozenset[str]:
    try:
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(str(name.value) for name in extension.value)


def normal_name(name: str) -> str:
    """Return a name or an address as certificates have it; empty where none can."""
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        pass
    try:  # names beyond ASCII go into certificates as the network writes them
        return name.lower() if name.isascii() else name.lower().encode("idna").decode()
    except UnicodeError:  # nobody could reach the computer by it
        return ""


def general_name(name: str) -> x509.GeneralName:
    """Return a name or an address as a part of a certificate."""
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def fingerprint_of(certificate: x509.Certificate) -> str:
    """Return the SHA-256 of a certificate as browsers show it."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _days(number: int) -> timedelta:
    return timedelta(days=number)
