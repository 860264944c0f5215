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
        text = (_ROOT / source).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, page, content=fit_links(text, ".")))
    files.append(File.generated(config, "icon.svg", content=(_ROOT / _ICON).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Mend the links of a page; MkDocs calls this."""
    return fit_links(markdown, posixpath.dirname(page.file.src_uri) or ".")


def fit_links(markdown: str, folder: str) -> str:
    """Return the text of a page with links to pages of the site, or without a link.

    Args:
        markdown: of the page.
        folder: where it lies, from `docs/`, with forward slashes; `.` is `docs/` itself.
    """

    def fit(link: re.Match[str]) -> str:
        text, path, anchor = link[1], link[2], link[3] or ""
        if not path:
            return link[0]
        target = posixpath.normpath(posixpath.join("docs", folder, path))
        inside = target.removeprefix("docs/")
        if target in _PAGES:
            return f"[{text}]({posixpath.relpath(_PAGES[target], folder)}{anchor})"
        if folder == "." and path in _PAGES and not (_ROOT / "docs" / path).is_file():
            return f"[{text}]({_PAGES[path]}{anchor})"
        is_there = inside != target and (_ROOT / target).is_file()
        return link[0] if is_there or inside in _PAGES.values() else text

    return _LINK.sub(fit, markdown)
