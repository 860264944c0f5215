"""Lists what Sudoku Lens is built on: requirements for pip, licences, or a bill of materials.

    python packaging/dependencies.py requirements serve
    python packaging/dependencies.py licences
    python packaging/dependencies.py sbom serve > sbom.json

The words behind the command are extras or groups of `pyproject.toml`; the core is always there.
`licences` and `sbom` take every extra if none is named, and read what is installed beside this
Python. They need the group `supply`: pip install -c constraints.txt --group supply
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
CORE: Final = "core"
_WINDOW: Final = "pyside6"
"""How packages begin that only the window needs."""

UNKNOWN: Final = "unknown"
_LONGEST_LICENCE: Final = 60
"""Characters; what is longer is the text of a licence and not its name."""

_HOME_LABELS: Final = ("homepage", "home", "repository", "source", "source code", "documentation")


@dataclass
class Dependency:
    """One installed distribution that Sudoku Lens needs."""

    name: str
    version: str
    licence: str
    homepage: str
    parts: set[str] = field(default_factory=set)
    """`core`, or the extras and groups that need it."""

    needs: set[str] = field(default_factory=set)
    """Keys of the distributions that it needs itself."""


@dataclass(frozen=True)
class Dependencies:
    """What is installed of some parts, by key, and what is not."""

    dependencies: dict[str, Dependency]
    missing: set[str]
    direct: set[str]
    """Keys of those that the project itself names."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; 1 where something is not installed."""
    parser = argparse.ArgumentParser(prog="python packaging/dependencies.py")
    parser.add_argument("what", choices=["requirements", "licences", "sbom"])
    parser.add_argument("parts", nargs="*", metavar="EXTRA")
    parser.add_argument(
        "--without-window", action="store_true", help="leave Qt out of the requirements"
    )
    options = parser.parse_args(arguments)
    project = read_project()
    known = requirements_by_part(project)
    unknown = [part for part in options.parts if part not in known]
    if unknown:
        parser.error(f"there is no {unknown[0]}; choose from {', '.join(known)}")
    if options.what == "requirements":
        wanted = [*project["build-system"]["requires"]]
        wanted += [one for part in (CORE, *options.parts) for one in known[part]]
        if options.without_window:
            wanted = [one for one in wanted if not one.startswith(_WINDOW)]
        print("\n".join(dict.fromkeys(wanted)))
        return 0
    extras = list(project["project"]["optional-dependencies"])
    parts = [CORE, *(options.parts or extras)]
    try:
        found = find_dependencies({part: known[part] for part in parts})
        print(make_sbom(project, found) if options.what == "sbom" else format_table(found))
    except ImportError as error:
        parser.error(f"{error}; run: pip install -c constraints.txt --group supply")
    for name in sorted(found.missing):
        print(f"{name} is not installed and is left out", file=sys.stderr)
    for one in found.dependencies.values():
        if one.licence == UNKNOWN:
            print(f"{one.name} names no licence; look at its files", file=sys.stderr)
    return 1 if found.missing else 0


def read_project() -> dict[str, Any]:
    """Return what pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements_by_part(project: dict[str, Any]) -> dict[str, list[str]]:
    """Return the requirements of the core, of every extra, and of every group."""
    parts = {CORE: project["project"]["dependencies"]}
    parts.update(project["project"]["optional-dependencies"])
    groups = project["dependency-groups"]
    for name in groups:
        parts[name] = list(_of_group(groups, name))
    return parts


def find_dependencies(requirements: dict[str, list[str]]) -> Dependencies:
    """Follow requirements, as far as they hold on this system, to all that is installed for them.

    Raises:
        ImportError: if the package `packaging` is not installed.
    """
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found = Dependencies({}, set(), set())

    def follow(text: str, part: str, extras: frozenset[str], by: Dependency | None) -> None:
        requirement = Requirement(text)
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in extras or {""}):
            return
        key = canonicalize_name(requirement.name)
        try:
            dist = distribution(requirement.name)
        except PackageNotFoundError:
            found.missing.add(key)
            return
        described = Dependency(dist.metadata["Name"], dist.version, _licence(dist), _homepage(dist))
        one = found.dependencies.setdefault(key, described)
        if by is None:
            found.direct.add(key)
        else:
            by.needs.add(key)
        step = (key, part, frozenset(requirement.extras))
        if step not in followed:
            followed.add(step)
            one.parts.add(part)
            for needed in dist.requires or ():
                follow(needed, part, frozenset(requirement.extras), one)

    followed: set[tuple[str, str, frozenset[str]]] = set()
    for part, texts in requirements.items():
        for text in texts:
            follow(text, part, frozenset(), None)
    return found


def format_table(found: Dependencies) -> str:
    """Return a table in Markdown: name, version, licence, what needs it, homepage."""
    rows = [("package", "version", "licence", "for", "homepage"), ("---",) * 5]
    for _, one in sorted(found.dependencies.items()):
        parts = CORE if CORE in one.parts else ", ".join(sorted(one.parts))
        rows.append((one.name, one.version, one.licence, parts, one.homepage))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def make_sbom(project: dict[str, Any], found: Dependencies) -> str:
    """Return a bill of materials in CycloneDX 1.6 as JSON.

    Raises:
        ImportError: if the package `cyclonedx-python-lib` is not installed.
    """
    from cyclonedx.contrib.license.factories import LicenseFactory
    from cyclonedx.contrib.this.builders import this_component
    from cyclonedx.model import ExternalReference, ExternalReferenceType, XsUri
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.output.json import JsonV1Dot6
    from packageurl import PackageURL

    licences = LicenseFactory()

    def component(kind: ComponentType, name: str, version: str, licence: str, home: str) -> Any:
        return Component(
            type=kind,
            name=name,
            version=version,
            bom_ref=f"{name}=={version}",
            purl=PackageURL("pypi", None, name.lower(), version),
            licenses=[] if licence == UNKNOWN else [licences.make_from_string(licence)],
            external_references=[
                ExternalReference(type=ExternalReferenceType.WEBSITE, url=XsUri(home))
            ]
            if home
            else [],
        )

    own = project["project"]
    program = component(ComponentType.APPLICATION, own["name"], own["version"], own["license"], "")
    bom = Bom()
    bom.metadata.component = program
    bom.metadata.tools.components.add(this_component())
    components = {
        key: component(ComponentType.LIBRARY, one.name, one.version, one.licence, one.homepage)
        for key, one in found.dependencies.items()
    }
    bom.components.update(components.values())
    bom.register_dependency(program, [components[key] for key in sorted(found.direct)])
    for key, one in found.dependencies.items():
        bom.register_dependency(components[key], [components[need] for need in sorted(one.needs)])
    return JsonV1Dot6(bom).output_as_string(indent=2)


def _of_group(groups: dict[str, list[Any]], name: str) -> Iterator[str]:
    for one in groups[name]:
        if isinstance(one, str):
            yield one
        else:
            yield from _of_group(groups, one["include-group"])


def _licence(dist: Distribution) -> str:
    """Return the licence's name: its SPDX expression, or what the classifiers or the text say."""
    data = dist.metadata
    expression = data.get("License-Expression")
    if expression:
        return str(expression)
    named = [
        one.rpartition(" :: ")[2]
        for one in data.get_all("Classifier") or ()
        if one.startswith("License :: ") and not one.endswith("OSI Approved")
    ]
    if named:
        return ", ".join(named)
    text = str(data.get("License") or "").strip()
    first = text.partition("\n")[0].strip()
    return first if first and len(first) <= _LONGEST_LICENCE else UNKNOWN


def _homepage(dist: Distribution) -> str:
    labelled = {}
    for one in dist.metadata.get_all("Project-URL") or ():
        label, _, url = one.partition(",")
        labelled[re.sub(r"[-_]", " ", label.strip().lower())] = url.strip()
    for label in _HOME_LABELS:
        if label in labelled:
            return str(labelled[label])
    return str(dist.metadata.get("Home-page") or next(iter(labelled.values()), ""))


if __name__ == "__main__":
    sys.exit(main())
