"""What `make docs` adds to MkDocs: pages from outside of `docs/`, and links that fit the site.

The README and CONTRIBUTING.md become pages of the site. Links to other files of the repository,
such as code, keep only their text, as the site does not hold them.
"""

import posixpath
import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File

_ROOT: Final = Path(__file__).parents[1]

_PAGES: Final = {"README.md": "project.md", "CONTRIBUTING.md": "contributing.md"}
"""Files of the repository's root, and where on the site they are."""

_ICON: Final = "app/gui/icon/sudoku-lens.svg"

_LINK: Final = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#\s:]*)(#[^)\s]*)?\)")
"""A text, a path without a scheme and an anchor; no pictures."""


def on_files(files: Any, config: Any) -> Any:
    """Add the pages and the icon that lie outside of `docs/`; MkDocs calls this."""
    for source, page in _PAGES.items():
        text = fit_links((_ROOT / source).read_text(encoding="utf-8"), "")
        text = text.replace("](docs/", "](")  # pictures, and what is missing
        files.append(File.generated(config, page, content=text))
    files.append(File.generated(config, "icon.svg", content=(_ROOT / _ICON).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Mend the links of a page; MkDocs calls this."""
    if page.file.src_uri in _PAGES.values():
        return markdown
    return fit_links(markdown, posixpath.join("docs", posixpath.dirname(page.file.src_uri)))


def fit_links(markdown: str, folder: str) -> str:
    """Return the text of a page with links to pages of the site, or without a link.

    Links to what is missing stay, so that MkDocs complains.

    Args:
        markdown: of the page.
        folder: where its file lies in the repository, with forward slashes.
    """
    on_site = posixpath.relpath(folder, "docs") if folder else "."

    def fit(link: re.Match[str]) -> str:
        text, path, anchor = link[1], link[2], link[3] or ""
        target = posixpath.normpath(posixpath.join(folder, path))
        if not path or not (_ROOT / target).exists():
            return link[0]
        if target in _PAGES or target.startswith("docs/"):
            page = _PAGES.get(target, target.removeprefix("docs/"))
            return f"[{text}]({posixpath.relpath(page, on_site)}{anchor})"
        return text

    return _LINK.sub(fit, markdown)
