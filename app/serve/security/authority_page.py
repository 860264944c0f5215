"""The page from which a phone installs the authority of this computer, and what it installs."""

from html import escape
from typing import Final

from fastapi import APIRouter
from fastapi.responses import Response

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
