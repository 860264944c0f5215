"""One command for every evaluation, and the figures of recognition, kept and side by side."""

from pathlib import Path

import pytest

from training.evaluate import MEASURES, SUBJECTS, Measure, format_figures, main, measure, read_table

TABLE = """Turned:

| photos | n | right |
|---|---|---|
| mine | 3 | 2 (66.7 %) |
| **all** | 4 | 3 (75.0 %) |

| ms | find |
|---|---|
| mine | 12 |
"""

LEVELS = Measure("levels", "training.rendered.levels", ("level 1", "level 5"), ("noise",))


@pytest.mark.parametrize("name", sorted([*SUBJECTS, "all"]))
def test_every_evaluation_can_be_asked_what_it_takes(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        main([name, "--help"])

    assert "usage:" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["weather"]])
def test_an_unknown_evaluation_is_refused_with_the_known_ones(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2

    told = capsys.readouterr().err
    assert all(name in told for name in SUBJECTS)


def test_what_a_command_prints_is_kept_and_not_measured_again(tmp_path: Path) -> None:
    assert measure([LEVELS], tmp_path) == 0
    assert "| noise | 0 … 1 |" in (tmp_path / "levels.md").read_text(encoding="utf-8")
    (tmp_path / "levels.md").write_text(TABLE, encoding="utf-8")

    assert measure([LEVELS], tmp_path) == 0

    assert (tmp_path / "levels.md").read_text(encoding="utf-8") == TABLE
    assert [file.name for file in tmp_path.iterdir()] == ["levels.md"]


def test_a_command_without_a_table_is_told_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure([Measure("broken", "training.no_such_module", ())], tmp_path) == 1

    assert "broken: ended with 1 and no table" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_figures_of_two_folders_stand_side_by_side(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder, right in ((before, "3 (75.0 %)"), (after, "4 (100.0 %)")):
        folder.mkdir()
        text = TABLE.replace("3 (75.0 %)", right)
        (folder / "photos.md").write_text(text, encoding="utf-8")

    table = format_figures([Measure("photos", "", ("n", "right"), ("all",))], [before, after])

    assert read_table(TABLE)["mine"] == {"n": "3", "right": "2 (66.7 %)"}  # of the first table
    assert len({one.name for one in MEASURES}) == len(MEASURES)

    assert table.splitlines() == [
        "| measure | figure | before | after |",
        "|---|---|---|---|",
        "| photos, all | n | 4 | 4 |",
        "| photos, all | right | 3 (75.0 %) | 4 (100.0 %) |",
    ]
