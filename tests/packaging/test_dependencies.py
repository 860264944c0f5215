"""What the program is built on: pinned, hashed, licensed and listed."""

import importlib.util
import json
import re
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest
from present import present

NAME = re.compile(r"[-_.]+")


@pytest.fixture(scope="module")
def dependencies(project: Path) -> ModuleType:
    """The script, loaded from its file: a package from outside has its folder's name."""
    path = project / "packaging" / "dependencies.py"
    spec = present(importlib.util.spec_from_file_location("dependencies", path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look
    present(spec.loader).exec_module(module)
    return module


def pins(path: Path) -> dict[str, str]:
    """Return the version of every package that a file pins, by its normal name."""
    found = re.findall(r"^([\w.-]+)==(\S+)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {NAME.sub("-", name).lower(): version for name, version in found}


def test_the_file_with_hashes_pins_what_the_other_pins(project: Path) -> None:
    assert pins(project / "constraints-hashes.txt") == pins(project / "constraints.txt"), (
        "run: make hashes"
    )


def test_every_pinned_version_has_hashes_and_no_file_names_a_host(project: Path) -> None:
    text = (project / "constraints-hashes.txt").read_text(encoding="utf-8")

    entries = re.split(r"^(?=\w)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE), flags=re.M)[1:]
    without = [one for one in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", one)]

    assert len(entries) == len(pins(project / "constraints.txt"))
    assert without == []
    assert "://" not in text + (project / "constraints.txt").read_text(encoding="utf-8")


def test_all_that_the_project_names_is_pinned(dependencies: ModuleType, project: Path) -> None:
    described = dependencies.read_project()

    named = [*described["build-system"]["requires"]]
    named += [one for of in dependencies.requirements_by_part(described).values() for one in of]

    names = {NAME.sub("-", re.split(r"[\[>=<!]", one)[0]).lower() for one in named}
    assert names - set(pins(project / "constraints.txt")) == set()


def test_the_requirements_are_those_of_the_core_and_of_what_is_named(
    dependencies: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    dependencies.main(["requirements"])
    core = capsys.readouterr().out.split()
    dependencies.main(["requirements", "serve"])
    more = capsys.readouterr().out.split()

    assert core[0].startswith("hatchling")
    assert any(one.startswith("typer>=") for one in core)
    assert not any(one.startswith("fastapi") for one in core)
    assert more[: len(core)] == core
    assert any(one.startswith("fastapi>=") for one in more)


def test_an_unknown_extra_is_answered_with_the_known_ones(
    dependencies: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        dependencies.main(["licences", "sevre"])

    assert "there is no sevre; choose from core, train, baselines" in capsys.readouterr().err


def test_every_dependency_of_the_core_is_listed_with_its_licence(
    dependencies: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    code = dependencies.main(["licences", "serve"])

    lines = capsys.readouterr().out.splitlines()
    rows = {
        cells[0].lower(): cells for cells in (re.split(r"\s*\|\s*", line)[1:-1] for line in lines)
    }
    assert lines[0] == "| package | version | licence | for | homepage |"
    assert rows["rich"][2] == "MIT License"
    assert rows["rich"][3] == "core"
    assert rows["starlette"][3] == "serve"  # which fastapi needs
    assert rows["markdown-it-py"][4].startswith("https://")  # which rich needs
    assert "keras" not in rows
    assert not any(row[2] == dependencies.UNKNOWN for row in rows.values())
    assert code == 0


def test_a_package_that_is_not_installed_is_told(
    dependencies: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    found = dependencies.find_dependencies({"core": ["no-such-package>=1", "rich"]})

    assert found.missing == {"no-such-package"}
    assert found.direct == {"rich"}


def test_a_requirement_of_another_system_is_left_out(dependencies: ModuleType) -> None:
    found = dependencies.find_dependencies({"core": ["rich; sys_platform == 'no-such'"]})

    assert found.dependencies == {}
    assert found.missing == set()


@pytest.fixture(scope="module")
def sbom(dependencies: ModuleType) -> str:
    """The bill of materials of the core and the phone page."""
    pytest.importorskip("cyclonedx", reason="the group `supply` is not installed")
    described = dependencies.read_project()
    known = dependencies.requirements_by_part(described)
    found = dependencies.find_dependencies({part: known[part] for part in ("core", "serve")})
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        return str(dependencies.make_sbom(described, found))


@pytest.mark.slow
def test_the_bill_of_materials_obeys_the_schema(sbom: str) -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(sbom) is None


def test_the_bill_of_materials_names_every_package_and_what_needs_it(
    sbom: str, dependencies: ModuleType, project: Path
) -> None:
    bill = json.loads(sbom)

    program = bill["metadata"]["component"]
    components = {one["name"].lower(): one for one in bill["components"]}
    needs = {one["ref"]: one.get("dependsOn", []) for one in bill["dependencies"]}
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert (program["name"], program["type"]) == ("sudoku-lens", "application")
    assert components["numpy"]["purl"].startswith("pkg:pypi/numpy@")
    assert all(one.get("licenses") for one in components.values())
    assert components["rich"]["bom-ref"] in needs[program["bom-ref"]]
    assert components["pygments"]["bom-ref"] in needs[components["rich"]["bom-ref"]]
    reached, todo = set(), [program["bom-ref"]]
    while todo:
        ref = todo.pop()
        if ref not in reached:
            reached.add(ref)
            todo += needs[ref]
    assert reached == set(needs)
