"""The documentation as a site: whole, with links that lead somewhere."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

pytestmark = pytest.mark.slow


def build(project: Path, site: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(site)]
    return subprocess.run(command, cwd=project, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = build(project, folder)
    assert built.returncode == 0, built.stderr
    return folder


def test_every_page_of_the_documentation_is_there(site: Path, project: Path) -> None:
    docs = project / "docs"
    pages = {path.relative_to(docs).with_suffix(".html") for path in docs.rglob("*.md")}

    expected = {Path("index.html" if str(page) == "README.html" else page) for page in pages}
    assert {page for page in expected if not (site / page).is_file()} == set()
    assert (site / "project.html").is_file()
    assert (site / "contributing.html").is_file()


def test_every_link_of_the_site_leads_to_a_file_and_an_anchor(site: Path) -> None:
    broken = []
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue
        for link in re.findall(r'(?:href|src)="([^":]*)"', page.read_text(encoding="utf-8")):
            name, _, anchor = unquote(link).partition("#")
            target = (page.parent / name) if name else page
            is_there = target.exists() and (
                not anchor
                or anchor.startswith("__")
                or f'id="{anchor}"' in target.read_text(encoding="utf-8")
            )
            if not is_there:
                broken.append(f"{page.relative_to(site)}: {link}")
    assert broken == []


def test_links_to_code_keep_their_text_alone(site: Path) -> None:
    kinds = (site / "kinds.html").read_text(encoding="utf-8")

    assert "<code>line_weights.py</code>" in kinds
    assert 'line_weights.py"' not in kinds


def test_a_link_to_a_missing_page_ends_the_build(project: Path, tmp_path: Path) -> None:
    for name in ("docs", "app"):
        (tmp_path / name).symlink_to(project / name)
    for name in ("README.md", "mkdocs.yml"):
        shutil.copy(project / name, tmp_path)
    text = (project / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (tmp_path / "CONTRIBUTING.md").write_text(text + "\n[lost](docs/lost.md)\n", encoding="utf-8")
    (tmp_path / "packaging").mkdir()
    shutil.copy(project / "packaging" / "docs_site.py", tmp_path / "packaging")

    built = build(tmp_path, tmp_path / "site")

    assert built.returncode != 0
    assert "lost.md" in built.stderr
