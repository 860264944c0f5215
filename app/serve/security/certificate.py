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
    wanted = _normal_names(names)
    found = _read_pair(path)
    if found is not None:
        kept, before = found[0], _names_of(found[0])
        last = kept.not_valid_after_utc - timedelta(days=RENEWAL_DAYS)
        if wanted <= before and kept.not_valid_before_utc <= now <= last:
            return _describe(path, kept)
        wanted |= before if len(before) < 64 else frozenset()
    try:
        made, _ = _make(path, _TITLE, now, LIFE_DAYS, [(_alternatives(wanted), False)])
    except OSError as error:
        raise UsageError(
            f"the certificate cannot be kept in {path.parent}: {error.strerror}; make room there,"
            " or go without --https"
        ) from error
    return _describe(path, made)


_Extension = tuple[x509.ExtensionType, bool]
"""What stands in a certificate, and whether who does not know that must refuse it."""

_Pair = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]

_USES: Final = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
    *("key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)


def _make(
    path: Path,
    title: str,
    now: datetime,
    days: int,
    extensions: Iterable[_Extension],
    *,
    issuer: _Pair | None = None,
    is_authority: bool = False,
) -> _Pair:
    """Write a new key and its certificate, signed by an issuer or by itself, and return them.

    It holds from a day before, as the phone's clock may be behind. One that is no authority vouches
    for a server alone.

    Raises:
        OSError: if they cannot be written.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title)])
    uses = {"key_cert_sign", "crl_sign"} if is_authority else {"digital_signature"}
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
        (x509.KeyUsage(**{use: use in uses for use in _USES}), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
    ):
        builder = builder.add_extension(extension, critical=is_critical)
    certificate = builder.sign(key if issuer is None else issuer[1], hashes.SHA256())
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_whole(path, 0o600) as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
    return certificate, key


def _alternatives(names: Iterable[str]) -> x509.SubjectAlternativeName:
    return x509.SubjectAlternativeName([_general_name(name) for name in sorted(names)])


def _describe(path: Path, certificate: x509.Certificate, key: Path | None = None) -> Certificate:
    return Certificate(path, _fingerprint_of(certificate), certificate.not_valid_after_utc, key)


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
    return _describe(path, certificate, key)


def _read_pair(path: Path) -> _Pair | None:
    """Return the certificate and the key that are kept in a file, None where none can be used.

    That is so, too, where others could have read the key.
    """
    with contextlib.suppress(OSError, ValueError, TypeError):
        if not is_private(path):
            return None
        pem = path.read_bytes()
        certificate = x509.load_pem_x509_certificate(pem)
        key = serialization.load_pem_private_key(pem, password=None)
        is_pair = certificate.public_key() == key.public_key()
        if is_pair and isinstance(key, ec.EllipticCurvePrivateKey):
            return certificate, key
    return None


def _names_of(certificate: x509.Certificate) -> frozenset[str]:
    try:
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(str(name.value) for name in extension.value)


def _normal_names(names: Iterable[str]) -> frozenset[str]:
    """Return names and addresses as certificates have them, without those that none can have."""
    normal = set()
    for name in names:
        try:
            normal.add(str(ipaddress.ip_address(name)))
        except ValueError:
            # Names beyond ASCII stand there as the network writes them; others reach nobody.
            with contextlib.suppress(UnicodeError):
                lower = name.lower()
                normal.add(lower if name.isascii() else lower.encode("idna").decode())
    return frozenset(normal - {""})


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
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"),
    *("127.0.0.0/8", "fc00::/7", "fe80::/10", "::1/128"),
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
    wanted = sorted(_normal_names(names))
    try:
        authority = _find_authority(folder / _AUTHORITY_FILE, own_name, now)
        certificate, key = authority
        covered = [name for name in wanted if _is_covered(name, certificate)]
        extensions: list[_Extension] = [
            (_alternatives(covered), False),
            (x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), False),
        ]
        path = folder / _SIGNED_FILE
        signed, _ = _make(path, _TITLE, now, SIGNED_DAYS, extensions, issuer=authority)
    except OSError as error:
        raise UsageError(
            f"the authority cannot be kept in {folder}: {error.strerror}; make room there, or go "
            "without --authority"
        ) from error
    left_out = tuple(name for name in wanted if name not in covered)
    der = certificate.public_bytes(serialization.Encoding.DER)
    return Authority(der, _fingerprint_of(certificate), _describe(path, signed), left_out)


def _find_authority(path: Path, own_name: str, now: datetime) -> _Pair:
    """Return the authority that is kept, a new one where it ends soon or is not ours alone."""
    found = _read_pair(path)
    if found is not None and now <= found[0].not_valid_after_utc - timedelta(days=SIGNED_DAYS):
        return found
    title = f"Sudoku Lens at home ({own_name})" if own_name else "Sudoku Lens at home"
    permitted: list[x509.GeneralName] = [
        *(x509.DNSName(ending) for ending in sorted({*_ENDINGS, *_normal_names([own_name])})),
        *(x509.IPAddress(ipaddress.ip_network(network)) for network in NETWORKS),
    ]
    constraints = [(x509.NameConstraints(permitted, None), True)]
    return _make(path, title[:64], now, _AUTHORITY_DAYS, constraints, is_authority=True)


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
