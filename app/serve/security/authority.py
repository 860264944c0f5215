"""A certificate authority of one's own, and the page from which a phone installs it.

It can vouch for nothing but private addresses and names of local networks (name constraints, RFC
5280, 4.2.1.10), so that who trusts it trusts it for nothing on the internet. Its key never leaves
this computer.
"""

import ipaddress
from collections.abc import Collection
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

from app.serve.security.certificate import (
    Certificate,
    fingerprint_of,
    general_name,
    normal_name,
    read_pair,
    usage_of,
    write_private,
)
from app.serve.security.known_clients import state_folder
from app.terminal.console import UsageError

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

_FILE: Final = "authority.pem"
_SIGNED_FILE: Final = "phone-page-signed.pem"


@dataclass(frozen=True)
class Authority:
    """An authority that was made, or found.

    Attributes:
        der: its certificate, as phones install it.
        fingerprint: SHA-256 of that, as phones show it.
        signed: the server's certificate, which it has signed.
        left_out: names that it may not vouch for.
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
        names: host names and addresses of the server, without ports.
        own_name: of this computer; a new authority may vouch for it, too.
        folder: where its key is kept; the user's own state folder when None.
        now: with time zone; the present when None.

    Raises:
        UsageError: if the folder cannot be written to.
    """
    now, folder = now or datetime.now(UTC), folder or state_folder()
    try:
        certificate, key = _find(folder / _FILE, now) or _make(folder / _FILE, own_name, now)
        wanted = sorted(name for name in map(normal_name, names) if name)
        covered = [name for name in wanted if _is_covered(name, certificate)]
        signed = _sign(folder / _SIGNED_FILE, covered, certificate, key, now)
    except OSError as error:
        raise UsageError(
            f"the authority cannot be kept in {folder}: {error.strerror}; make room there, or go "
            "without --authority"
        ) from error
    left_out = tuple(name for name in wanted if name not in covered)
    der = certificate.public_bytes(serialization.Encoding.DER)
    return Authority(der, fingerprint_of(certificate), signed, left_out)


_Pair = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]


def _find(path: Path, now: datetime) -> _Pair | None:
    """Return the authority that is kept, None where it ends soon or others could have its key."""
    found = read_pair(path)
    if found is None:
        return None
    certificate, key = found
    ends = certificate.not_valid_after_utc - timedelta(days=SIGNED_DAYS)
    return (
        (certificate, key) if isinstance(key, ec.EllipticCurvePrivateKey) and now <= ends else None
    )


def _make(path: Path, own_name: str, now: datetime) -> _Pair:
    """Make an authority and keep it."""
    key = ec.generate_private_key(ec.SECP256R1())
    title = f"Sudoku Lens at home ({own_name})" if own_name else "Sudoku Lens at home"
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title[:64])])
    endings = {*_ENDINGS, normal_name(own_name)} - {""}
    permitted: list[x509.GeneralName] = [
        *(x509.DNSName(ending) for ending in sorted(endings)),
        *(x509.IPAddress(ipaddress.ip_network(network)) for network in NETWORKS),
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_AUTHORITY_DAYS - 1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage_of(is_authority=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write(path, key, certificate)
    return certificate, key


def _sign(
    path: Path,
    names: Collection[str],
    issuer: x509.Certificate,
    issuer_key: ec.EllipticCurvePrivateKey,
    now: datetime,
) -> Certificate:
    """Make a certificate of the server for these names, with a key of its own."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Sudoku Lens")])
    ends = now + timedelta(days=SIGNED_DAYS - 1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(ends)
        .add_extension(
            x509.SubjectAlternativeName([general_name(name) for name in names]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage_of(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
        .sign(issuer_key, hashes.SHA256())
    )
    _write(path, key, certificate)
    return Certificate(path, fingerprint_of(certificate), ends)


def _is_covered(name: str, authority: x509.Certificate) -> bool:
    """Tell whether an authority may vouch for a name or an address."""
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = [one.value for one in constraints.permitted_subtrees or ()]
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return any(name == one or name.endswith(f".{one}") for one in permitted)
    networks = (one for one in permitted if not isinstance(one, str))
    return any(one.version == address.version and address in one for one in networks)


def _write(path: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
    """Put key and certificate there whole, and never readable for others."""
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    write_private(path, pem + certificate.public_bytes(serialization.Encoding.PEM))


PAGE_PATH: Final = "/authority"
FILE_PATH: Final = "/authority.crt"

_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sudoku Lens: no more warnings</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="/icon-192.png">
<link rel="stylesheet" href="/page/scan.css"></head>
<body><main class="steps">
{parts}
</main></body></html>
"""

_PART: Final = """<section lang="{language}"><{level}>{title}</{level}>
<p>{meaning}</p>
<p><a class="button" href="/authority.crt">{install}</a></p>
<p>{compare}<br><code>{fingerprint}</code></p>
<ul><li>{apple}</li><li>{android}</li><li>{others}</li></ul>
<p>{remove}</p></section>"""

_WORDS: Final = (
    {
        "language": "en",
        "title": "No more warnings",
        "meaning": "Install the certificate of your own computer, and this phone trusts its page: "
        "live camera, sharing and installing work without a warning. It holds for private "
        "addresses and names of local networks alone, and for nothing on the internet.",
        "install": "Install the certificate",
        "compare": "Go on only if the phone shows the fingerprint that the computer shows "
        "(SHA-256):",
        "apple": "iPhone, iPad: Settings, “Profile Downloaded”, Install. Then General, About, "
        "Certificate Trust Settings: switch it on.",
        "android": "Android: Settings, search for “CA certificate”, install the file that was "
        "downloaded.",
        "others": "Computers: import the file into the browser as an authority for websites.",
        "remove": "To undo it, remove it at the same place.",
    },
    {
        "language": "de",
        "title": "Keine Warnung mehr",
        "meaning": "Mit dem Zertifikat Ihres eigenen Computers vertraut dieses Telefon seiner "
        "Seite: Live-Kamera, Teilen und Installieren gehen ohne Warnung. Es gilt nur für private "
        "Adressen und Namen lokaler Netze, für nichts im Internet.",
        "install": "Zertifikat installieren",
        "compare": "Nur weitermachen, wenn das Telefon denselben Fingerabdruck zeigt wie der "
        "Computer (SHA-256):",
        "apple": "iPhone, iPad: Einstellungen, „Profil geladen“, Installieren. Dann Allgemein, "
        "Info, Zertifikatsvertrauenseinstellungen: einschalten.",
        "android": "Android: Einstellungen, nach „CA-Zertifikat“ suchen, die geladene Datei "
        "installieren.",
        "others": "Computer: die Datei im Browser als Zertifizierungsstelle für Websites "
        "importieren.",
        "remove": "Rückgängig machen: an derselben Stelle entfernen.",
    },
    {
        "language": "fr",
        "title": "Plus d’avertissement",
        "meaning": "Avec le certificat de votre propre ordinateur, ce téléphone fait confiance à "
        "sa page : caméra en direct, partage et installation sans avertissement. Il ne vaut que "
        "pour les adresses privées et les noms de réseaux locaux, pour rien sur Internet.",
        "install": "Installer le certificat",
        "compare": "Ne continuez que si le téléphone montre la même empreinte que l’ordinateur "
        "(SHA-256) :",
        "apple": "iPhone, iPad : Réglages, « Profil téléchargé », Installer. Puis Général, "
        "Informations, Réglages des certificats : l’activer.",
        "android": "Android : Paramètres, chercher « certificat CA », installer le fichier "
        "téléchargé.",
        "others": "Ordinateurs : importez le fichier dans le navigateur comme autorité pour les "
        "sites web.",
        "remove": "Pour annuler, supprimez-le au même endroit.",
    },
)


def authority_routes(der: bytes, fingerprint: str) -> APIRouter:
    """Return the routes of the page and of the certificate that it offers; they hold no secret.

    Args:
        der: the authority's certificate.
        fingerprint: SHA-256 of it.
    """
    router = APIRouter(include_in_schema=False)
    parts = [
        _PART.format(
            level="h1" if number == 0 else "h2",
            fingerprint=escape(fingerprint),
            **{name: escape(text) for name, text in words.items()},
        )
        for number, words in enumerate(_WORDS)
    ]
    page = _PAGE.format(parts="\n".join(parts))

    async def show() -> Response:
        return Response(page, media_type="text/html; charset=utf-8")

    async def give() -> Response:
        # Phones offer to install what has this type.
        headers = {"Content-Disposition": 'attachment; filename="sudoku-lens-authority.crt"'}
        return Response(der, media_type="application/x-x509-ca-cert", headers=headers)

    router.add_api_route(PAGE_PATH, show, methods=["GET", "HEAD"])
    router.add_api_route(FILE_PATH, give, methods=["GET", "HEAD"])
    return router
