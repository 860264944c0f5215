"""Certificates of `--https` and `--authority`: made on the spot, kept, and the page to install one.

A certificate encrypts, so nobody in the same Wi-Fi reads along, and browsers give a page the
camera. One that is signed by itself the user knows by its fingerprint. An authority of one's own
can vouch for nothing but private addresses and names of local networks (name constraints, RFC 5280,
4.2.1.10), so that who trusts it trusts it for nothing on the internet. Keys never leave this
computer.
"""

import contextlib
import ipaddress
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from fastapi import APIRouter
from fastapi.responses import Response

from app.serve.security.known_clients import is_private, state_folder
from app.terminal.exit_codes import UsageError
from vision.media.whole_files import open_whole

LIFE_DAYS: Final = 397
"""Browsers refuse certificates that last longer than 398 days."""

RENEWAL_DAYS: Final = 30
"""One that ends sooner than this is made anew."""

_FILE: Final = "phone-page.pem"
_MOST_BYTES: Final = 100_000
_TITLE: Final = "Sudoku Lens"


@dataclass(frozen=True)
class Certificate:
    """A certificate: a PEM file, which only its owner may read, and SHA-256 as browsers show it.

    It ends in UTC. Where its key stands in another PEM file, `key` is that one.
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
    networks need not be trusted anew each time. Names are without ports, `now` has a time zone.

    Raises:
        UsageError: if the folder cannot be written to.
    """
    now = now or datetime.now(UTC)
    path = (folder or state_folder()) / _FILE
    found = _read_pair(path)
    kept = None if found is None else found[0]
    wanted = frozenset(name for name in map(_normal_name, names) if name)
    if kept is not None:
        before = _names_of(kept)
        lasts = (
            kept.not_valid_before_utc
            <= now
            <= kept.not_valid_after_utc - timedelta(days=RENEWAL_DAYS)
        )
        if wanted <= before and lasts:
            return Certificate(path, _fingerprint_of(kept), kept.not_valid_after_utc)
        wanted |= before if len(before) < 64 else frozenset()
    key = ec.generate_private_key(ec.SECP256R1())
    made = _certify(_TITLE, key, now, LIFE_DAYS, [(_alternatives(sorted(wanted)), False)])
    try:
        _write_private(path, _pem_of(key, made))
    except OSError as error:
        raise UsageError(
            f"the certificate cannot be kept in {path.parent}: {error.strerror}; make room there,"
            " or go without --https"
        ) from error
    return Certificate(path, _fingerprint_of(made), made.not_valid_after_utc)


_Extension = tuple[x509.ExtensionType, bool]
"""What stands in a certificate, and whether who does not know that must refuse it."""


def _certify(
    title: str,
    key: ec.EllipticCurvePrivateKey,
    now: datetime,
    days: int,
    extensions: Iterable[_Extension],
    *,
    issuer: tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None = None,
    is_authority: bool = False,
) -> x509.Certificate:
    """Return a certificate of a key, signed by an issuer or by itself.

    It holds from a day before, as the phone's clock may be behind. One that is no authority vouches
    for a server alone.
    """
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title)])
    usage = x509.KeyUsage(
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
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name if issuer is None else issuer[0].subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=days - 1))
    )
    for extension, is_critical in (
        *extensions,
        (x509.BasicConstraints(is_authority, 0 if is_authority else None), True),
        (usage, True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
    ):
        builder = builder.add_extension(extension, critical=is_critical)
    return builder.sign(key if issuer is None else issuer[1], hashes.SHA256())


def _alternatives(names: Collection[str]) -> x509.SubjectAlternativeName:
    return x509.SubjectAlternativeName([_general_name(name) for name in names])


def _pem_of(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> bytes:
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return pem + certificate.public_bytes(serialization.Encoding.PEM)


def load_given(path: Path, key: Path, now: datetime | None = None) -> Certificate:
    """Return a certificate that the user has, from PEM files of it and of its key, not locked.

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
    return Certificate(path, _fingerprint_of(certificate), ends, key)


def _read_pair(path: Path) -> tuple[x509.Certificate, PrivateKeyTypes] | None:
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


def _write_private(path: Path, pem: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_whole(path, 0o600) as file:
        file.write(pem)


def _names_of(certificate: x509.Certificate) -> frozenset[str]:
    try:
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(str(name.value) for name in extension.value)


def _normal_name(name: str) -> str:
    """Return a name or an address as certificates have it; empty where none can."""
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        pass
    try:  # names beyond ASCII go into certificates as the network writes them
        return name.lower() if name.isascii() else name.lower().encode("idna").decode()
    except UnicodeError:  # nobody could reach the computer by it
        return ""


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _fingerprint_of(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


_AUTHORITY_DAYS: Final = 1825
"""How long an authority lasts: phones have to be told to trust the next one."""

SIGNED_DAYS: Final = 90
"""How long a certificate lasts that it has signed; each start makes one."""

NETWORKS: Final = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
"""The only addresses that it may vouch for: nobody on the internet has one of them."""

_ENDINGS: Final = ("local", "lan", "home", "internal", "home.arpa", "localhost", "fritz.box")
"""The only endings of names that it may vouch for, beside the name of this computer itself."""

_AUTHORITY_FILE: Final = "authority.pem"
_SIGNED_FILE: Final = "phone-page-signed.pem"


@dataclass(frozen=True)
class Authority:
    """An authority: its certificate as phones install it, and SHA-256 of that as they show it.

    `signed` is the server's certificate, which it has signed, but for names that were left out.
    """

    der: bytes
    fingerprint: str
    signed: Certificate
    left_out: tuple[str, ...]


def load_authority(
    names: Collection[str],
    own_name: str = "",
    folder: Path | None = None,
    now: datetime | None = None,
) -> Authority:
    """Return the authority of this computer, which is made if there is none, with a certificate.

    Args:
        names: of the server, without ports.
        own_name: of this computer; a new authority may vouch for it, too.
        now: with time zone; the present when None.

    Raises:
        UsageError: if the folder cannot be written to.
    """
    now, folder = now or datetime.now(UTC), folder or state_folder()
    try:
        path = folder / _AUTHORITY_FILE
        authority = _find(path, now) or _make_authority(path, own_name, now)
        certificate, _ = authority
        wanted = sorted(name for name in map(_normal_name, names) if name)
        covered = [name for name in wanted if _is_covered(name, certificate)]
        signed = _sign(folder / _SIGNED_FILE, covered, authority, now)
    except OSError as error:
        raise UsageError(
            f"the authority cannot be kept in {folder}: {error.strerror}; make room there, or go "
            "without --authority"
        ) from error
    left_out = tuple(name for name in wanted if name not in covered)
    der = certificate.public_bytes(serialization.Encoding.DER)
    return Authority(der, _fingerprint_of(certificate), signed, left_out)


_Pair = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]


def _find(path: Path, now: datetime) -> _Pair | None:
    """Return the authority that is kept, None where it ends soon or others could have its key."""
    found = _read_pair(path)
    if found is None:
        return None
    certificate, key = found
    ends = certificate.not_valid_after_utc - timedelta(days=SIGNED_DAYS)
    return (
        (certificate, key) if isinstance(key, ec.EllipticCurvePrivateKey) and now <= ends else None
    )


def _make_authority(path: Path, own_name: str, now: datetime) -> _Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    title = f"Sudoku Lens at home ({own_name})" if own_name else "Sudoku Lens at home"
    endings = {*_ENDINGS, _normal_name(own_name)} - {""}
    permitted: list[x509.GeneralName] = [
        *(x509.DNSName(ending) for ending in sorted(endings)),
        *(x509.IPAddress(ipaddress.ip_network(network)) for network in NETWORKS),
    ]
    constraints = x509.NameConstraints(permitted, None)
    certificate = _certify(
        title[:64], key, now, _AUTHORITY_DAYS, [(constraints, True)], is_authority=True
    )
    _write_private(path, _pem_of(key, certificate))
    return certificate, key


def _sign(path: Path, names: Collection[str], issuer: _Pair, now: datetime) -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    issued_by = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer[1].public_key())
    extensions = [(_alternatives(names), False), (issued_by, False)]
    certificate = _certify(_TITLE, key, now, SIGNED_DAYS, extensions, issuer=issuer)
    _write_private(path, _pem_of(key, certificate))
    return Certificate(path, _fingerprint_of(certificate), certificate.not_valid_after_utc)


def _is_covered(name: str, authority: x509.Certificate) -> bool:
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = [one.value for one in constraints.permitted_subtrees or ()]
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return any(name == one or name.endswith(f".{one}") for one in permitted)
    networks = (one for one in permitted if not isinstance(one, str))
    return any(one.version == address.version and address in one for one in networks)


PAGE_PATH: Final = "/authority"
FILE_PATH: Final = "/authority.crt"

_PAGE: Final = Path(__file__).with_name("authority.html")
"""What the page says in each language; the fingerprint is filled in."""


def authority_routes(der: bytes, fingerprint: str) -> APIRouter:
    """Return the routes of the page and of the certificate that it offers; they hold no secret."""
    router = APIRouter(include_in_schema=False)
    page = _PAGE.read_text(encoding="utf-8").replace("{fingerprint}", escape(fingerprint))

    async def show() -> Response:
        return Response(page, media_type="text/html; charset=utf-8")

    async def give() -> Response:
        # Phones offer to install what has this type.
        headers = {"Content-Disposition": 'attachment; filename="sudoku-lens-authority.crt"'}
        return Response(der, media_type="application/x-x509-ca-cert", headers=headers)

    router.add_api_route(PAGE_PATH, show, methods=["GET", "HEAD"])
    router.add_api_route(FILE_PATH, give, methods=["GET", "HEAD"])
    return router
