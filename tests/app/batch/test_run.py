"""A batch as its user sees it, with planted work in place of photos."""

import csv
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command_rig import run_python
from puzzles import EASY, EASY_SOLUTION

from app.batch.batch_run import Run, RunOptions
from app.batch.inputs import InputFilter, InputNames
from app.batch.overlay_files import NamerOptions, OutputNamer, Outputs
from app.batch.photo_work import Job, JobResult, WorkOptions, describe_settings, lost_job
from app.batch.run_journal import Journal
from app.batch.sources import UNKNOWN_STAMP, InputFile
from app.cli.batch_command import journal_path, run_batch
from app.cli.command_options import BatchOptions
from app.terminal.exit_codes import InputError, MissingError, Stop, UsageError
from app.terminal.named_files import PICTURE_SUFFIXES
from vision.media.images import _WRITERS

RunPlanted = Callable[..., int]
Captured = pytest.CaptureFixture[str]


def plant(**words: str) -> None:
    for name, word in words.items():
        Path("album", f"{name}.jpg").write_text(f"{word} {name}", errors="replace")


def overlays(folder: str = "out") -> list[str]:
    found = Path(folder).rglob("*.jpg")
    return sorted(str(path.relative_to(folder)) for path in found)


def read_report(name: str = "report.jsonl") -> dict[str, dict[str, Any]]:
    reports = [json.loads(line) for line in Path(name).read_text().splitlines()]
    return {Path(report["file"]).stem: report for report in reports}


def test_overlays_report_and_summary(run: RunPlanted, capsys: Captured) -> None:
    plant(b="empty", a="solved")

    code = run(report=Path("report.jsonl"))

    assert code == 1
    assert overlays() == ["a-solved.jpg"]
    assert [report["outcome"] for report in read_report().values()] == ["solved", "no_board"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 photos: 1 solved, 1 no_board"
    assert lines[-2:] == ["Solved pictures: out", "Report: report.jsonl"]


def test_what_is_known_is_not_done_again(run: RunPlanted, capsys: Captured) -> None:
    plant(a="solved", b="empty")
    run(report=Path("report.jsonl"))
    before = Path("report.jsonl").read_bytes()
    capsys.readouterr()

    run(report=Path("report.jsonl"))

    assert "2 known already" in capsys.readouterr().out
    assert Path("report.jsonl").read_bytes() == before  # seconds and all


def test_a_photo_that_has_moved_is_still_known(run: RunPlanted, capsys: Captured) -> None:
    plant(a="solved")
    run()
    shutil.move("album/a.jpg", "album/z.jpg")
    capsys.readouterr()

    run()

    assert "1 known already" in capsys.readouterr().out
    assert overlays() == ["a-solved.jpg", "z-solved.jpg"]


def test_a_photo_that_has_changed_is_done_again_and_its_old_overlay_goes(run: RunPlanted) -> None:
    plant(a="solved")
    run()

    plant(a="empty")
    code = run(report=Path("report.jsonl"))

    assert code == 1
    assert read_report()["a"]["outcome"] == "no_board"
    assert overlays() == []


def test_an_overlay_that_was_deleted_is_drawn_again(run: RunPlanted) -> None:
    plant(a="solved")
    run()
    Path("out/a-solved.jpg").unlink()

    run()

    assert overlays() == ["a-solved.jpg"]


def test_the_same_photo_under_two_names_is_done_once_and_told_twice(run: RunPlanted) -> None:
    plant(a="solved")
    shutil.copy("album/a.jpg", "album/b.jpg")
    shutil.copy("album/a.jpg", "album/c.jpeg")

    run("album", "album/b.jpg", report=Path("report.jsonl"))

    reports = read_report()
    assert list(reports) == ["a", "b", "c"]
    assert len({report["seconds"]["load"] for report in reports.values()}) == 1
    outputs = [Path("out", name) for name in ("a-solved.jpg", "b-solved.jpg", "c-solved.jpeg")]
    assert len({path.read_bytes() for path in outputs}) == 1


def test_without_resuming_everything_is_done_again(run: RunPlanted) -> None:
    plant(a="solved")
    run(report=Path("report.jsonl"))
    before = read_report()

    run(report=Path("report.jsonl"), resume=False)

    assert read_report()["a"]["seconds"] != before["a"]["seconds"]


def test_a_crash_is_told_and_not_met_again(run: RunPlanted, capsys: Captured) -> None:
    plant(a="crash", b="solved")

    code = run(report=Path("report.jsonl"))
    run()

    assert code == 3
    assert read_report()["a"]["outcome"] == "bad_image"
    assert "SIGSEGV" in read_report()["a"]["error"]
    told = capsys.readouterr()
    assert "album/a.jpg: decoding it ended the process, 3 times (signal SIGSEGV)" in told.err
    assert "2 known already" in told.out


def test_more_time_is_given_to_what_had_too_little(run: RunPlanted, capsys: Captured) -> None:
    plant(a="hang")
    run(timeout=0.3)
    run(timeout=0.2)
    shorter = capsys.readouterr().out

    code = run(timeout=0.5)

    assert code == 1
    assert "1 known already" in shorter
    assert "known already" not in capsys.readouterr().out


def test_a_file_that_others_wrote_is_not_replaced(run: RunPlanted) -> None:
    plant(a="solved")
    Path("out").mkdir()
    Path("out/a-solved.jpg").write_text("mine")

    with pytest.raises(UsageError, match=r"a-solved\.jpg is there already"):
        run()
    skipped = run(skip_existing=True)
    kept = Path("out/a-solved.jpg").read_text()
    run(overwrite=True)

    assert skipped == 0
    assert kept == "mine"
    assert Path("out/a-solved.jpg").read_text() == "solved a"


@pytest.mark.parametrize(("output", "solved"), [("album", ""), ("album/out", "out/")])
def test_outputs_among_the_photos_are_no_inputs(
    run: RunPlanted, capsys: Captured, output: str, solved: str
) -> None:
    plant(a="solved")

    for _ in range(2):
        run(output_dir=Path(output), recursive=output != "album")

    assert capsys.readouterr().out.count("1 photo: 1 solved") == 2
    assert overlays("album") == sorted(["a.jpg", f"{solved}a-solved.jpg"])


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_outputs_are_known_by_whatever_link_they_are_reached(
    run: RunPlanted, capsys: Captured, tmp_path: Path
) -> None:
    plant(a="solved")
    Path("link").symlink_to("album")
    run(output_dir=Path("link"))
    run("link", output_dir=Path("album"))
    told = capsys.readouterr().out.count("1 photo: 1 solved")

    Path("album/in").symlink_to(tmp_path / "out")
    run(output_dir=Path("out"), recursive=True)
    first = overlays()
    run(output_dir=Path("out"), recursive=True)

    assert told == 2
    assert overlays() == first


def test_shards_share_the_photos_and_agree_with_a_whole_run(run: RunPlanted) -> None:
    plant(**{f"p{number}": "solved" for number in range(12)})
    run(output_dir=Path("whole"))

    parts = []
    for shard in ("1/3", "2/3", "3/3"):
        run(report=Path("part.jsonl"), shard=shard)
        parts.append(set(read_report("part.jsonl")))

    assert sum(map(len, parts)) == len(set.union(*parts)) == 12
    assert min(map(len, parts)) > 0
    assert overlays() == overlays("whole")


def test_fail_fast_begins_nothing_more(run: RunPlanted) -> None:
    plant(a="empty", b="solved", c="solved", d="solved")

    code = run(report=Path("report.jsonl"), fail_fast=True)

    assert code == 1
    assert list(read_report()) == ["a", "b"]  # the second was in hand


def test_a_dry_run_says_what_would_be_done_and_does_nothing(
    run: RunPlanted, capsys: Captured, tmp_path: Path
) -> None:
    plant(a="solved")
    run()
    plant(b="solved")
    before = sorted(os.walk(tmp_path)), Path("out/sudoku-lens-journal.sqlite").read_bytes()
    capsys.readouterr()

    run(dry_run=True)
    run(dry_run=True, output_dir=Path("other"))

    here = tmp_path.resolve()
    assert capsys.readouterr().out.splitlines() == [
        "album/a.jpg: known, solved",
        f"album/b.jpg -> {here / 'out' / 'b-solved.jpg'}",
        f"album/a.jpg -> {here / 'other' / 'a-solved.jpg'}",
        f"album/b.jpg -> {here / 'other' / 'b-solved.jpg'}",
    ]
    after = sorted(os.walk(tmp_path)), Path("out/sudoku-lens-journal.sqlite").read_bytes()
    assert after == before


def test_the_report_comes_again_from_the_journal(run: RunPlanted) -> None:
    plant(b="solved", a="empty")
    run(report=Path("report.jsonl"))

    code = run_batch([], BatchOptions(output_dir=Path("out"), report=Path("again.jsonl")))

    assert code == 1
    assert Path("again.jsonl").read_bytes() == Path("report.jsonl").read_bytes()


def test_a_report_may_be_a_table(run: RunPlanted) -> None:
    plant(a="solved", b="crash")

    run(report=Path("report.csv"))

    with Path("report.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["file"], row["outcome"]) for row in rows] == [
        ("album/a.jpg", "solved"),
        ("album/b.jpg", "bad_image"),
    ]
    assert "SIGSEGV" in rows[1]["error"]
    assert list(rows[0])[-3:] == ["kind", "side", "looks_like"]


def test_json_lines_come_as_photos_are_done(run: RunPlanted, capsys: Captured) -> None:
    plant(a="solved")

    run(as_json=True)

    told = capsys.readouterr()
    assert json.loads(told.out)["file"] == "album/a.jpg"
    assert "1 photo: 1 solved" in told.err


def test_what_is_not_there_is_told_and_the_rest_goes_on(run: RunPlanted) -> None:
    plant(a="solved")

    code = run("missing.jpg", "album", report=Path("report.jsonl"))

    assert code == 3
    assert read_report()["missing"]["error"].startswith("the photo cannot be read: it does not")
    assert overlays() == ["a-solved.jpg"]


def test_a_folder_without_photos_is_told(run: RunPlanted, capsys: Captured) -> None:
    assert run() == 3
    assert "there is no photo and no puzzle" in capsys.readouterr().err


def test_texts_are_solved_in_bulk_beside_the_overlays(run: RunPlanted, capsys: Captured) -> None:
    Path("album/two.sdm").write_text(f"{EASY}\n{'.' * 81}\n")

    codes = [run(), run()]

    assert codes == [1, 1]
    assert Path("out/two-solved.sdm").read_text() == f"{EASY_SOLUTION}\nambiguous\n"
    assert capsys.readouterr().out.count("1 text: 2 puzzles, 1 solved") == 2


def test_a_bad_line_of_a_text_is_told_with_its_file(run: RunPlanted, capsys: Captured) -> None:
    Path("album/two.sdm").write_text(f"{EASY}\n{'.' * 16}\n")

    code = run()

    error = capsys.readouterr().err
    assert code == 3
    assert "album/two.sdm: line 2: lines of 81 cells are solved in bulk, not 4×4" in error
    assert "--bulk" not in error


def test_texts_are_solved_beside_themselves_without_an_output_folder(run: RunPlanted) -> None:
    Path("album/one.txt").write_text(f"{EASY}\n")

    code = run(output_dir=None, report=Path("report.jsonl"))
    again = run(output_dir=None, report=Path("report.jsonl"))

    assert (code, again) == (0, 0)
    assert sorted(path.name for path in Path("album").iterdir()) == ["one-solved.txt", "one.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems' names are text")
def test_names_that_are_no_text_go_through(run: RunPlanted) -> None:
    name = os.fsdecode(b"caf\xe9")
    plant(**{name: "solved"})

    codes = [run(report=Path("report.csv")), run(report=Path("report.jsonl"))]

    assert codes == [0, 0]
    assert Path(os.fsdecode(b"out/caf\xe9-solved.jpg")).exists()
    assert list(read_report()) == [name]
    assert b"album/caf\xe9.jpg,solved" in Path("report.csv").read_bytes()


def test_two_runs_do_not_share_a_journal(run: RunPlanted) -> None:
    plant(a="solved")
    run()
    journal = Journal.open(Path("out/sudoku-lens-journal.sqlite"))

    with pytest.raises(UsageError, match="another run is using it"):
        run()

    journal.close()


def test_a_journal_that_is_none_is_told(run: RunPlanted) -> None:
    plant(a="solved")
    Path("journal").write_text("no database, but long enough to be looked at " * 100)

    with pytest.raises(UsageError, match="it is no journal or is damaged"):
        run(journal=Path("journal"))


@pytest.mark.parametrize(
    ("wishes", "fault"),
    [
        ({"skip_existing": True, "overwrite": True}, "exclude each other"),
        ({"watch": True, "dry_run": True}, "exclude each other"),
        ({"shard": "0/4"}, "must be I/N"),
        ({"name": "{stem}"}, "must end with"),
        ({"name": "{stem}{suffix}", "output_dir": None}, "add --output-dir"),
        ({"report": Path("album")}, "is no file"),
        ({"report": Path("report.jpg")}, "is named like a photo"),
        ({"report": Path("-")}, "add --json"),
        ({"solver": "magic"}, "there is no solver magic"),
        ({"weights": Path("a.txt")}, "is no network"),
        *(
            ({"html": Path(page), what: Path(other)}, "same file")
            for page, what, other in (
                ("x.html", "report", "x.html"),
                ("x", "report", "x/index.html"),
                ("x.html", "report", "x_files/rows.js"),
                ("x.html", "journal", "x.html"),
                ("x.html", "journal", "x_files/rows.js"),
            )
        ),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is(
    run: RunPlanted, wishes: dict[str, Any], fault: str
) -> None:
    plant(a="solved")

    with pytest.raises(UsageError, match=fault):
        run(**wishes)

    assert not Path("out").exists()


def test_a_folder_that_may_not_be_written_to_ends_the_batch(run: RunPlanted) -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        pytest.skip("root may write to every folder")
    plant(a="solved")
    Path("out").mkdir(mode=0o500)

    with pytest.raises(UsageError, match="no permission"):
        run()

    assert list(Path("out").iterdir()) == []


def test_the_process_that_hands_photos_out_loads_nothing_slow() -> None:
    """The first photo need not wait for it."""
    report = "import app.cli.batch_command, sys; print(*sys.modules)"

    done = run_python("-c", report, check=True)

    assert {"numpy", "cv2", "PIL", "rich"}.isdisjoint(done.stdout.split())


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("journal", "fault"), [(None, "nothing to be worked on"), (Path("none"), "there is no journal")]
)
def test_nothing_named_is_nothing_to_do(journal: Path | None, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        run_batch([], BatchOptions(journal=journal, report=Path("report.jsonl")))


def test_the_pictures_that_overlays_can_be_are_those_that_can_be_written() -> None:
    assert frozenset(_WRITERS) == PICTURE_SUFFIXES


def test_a_file_where_an_unsolved_photos_overlay_would_go_is_not_ours(run: RunPlanted) -> None:
    plant(blank="empty")
    assert run() == 1
    stranger = Path("out/blank-solved.jpg")
    stranger.write_text("mine")

    with pytest.raises(UsageError, match="is there already"):
        run(resume=False)

    assert stranger.read_text() == "mine"


def test_a_report_that_would_replace_an_input_or_the_journal_is_refused(run: RunPlanted) -> None:
    Path("q.sdm").write_text(f"{EASY}\n")

    with pytest.raises(UsageError, match="is one of the inputs"):
        run("q.sdm", report=Path("album/../q.sdm"))
    with pytest.raises(UsageError, match="same file"):
        run(report=Path("x"), journal=Path("x"))

    assert Path("q.sdm").read_text() == f"{EASY}\n"


def test_a_gallery_in_the_present_folder_has_its_journal_beside_it(
    run: RunPlanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(blank="empty")
    Path("pages").mkdir()
    monkeypatch.chdir("pages")

    assert run("../album", output_dir=None, html=Path()) == 1

    assert Path("index.html").is_file()
    assert Path("../pages.journal").is_file()
    with pytest.raises(UsageError, match="--journal"):
        journal_path(BatchOptions(html=Path("/")))


def test_what_cannot_be_read_is_counted_once(run: RunPlanted, capsys: Captured) -> None:
    plant(a="solved")
    Path("album/gone.jpg").symlink_to("nowhere.jpg")

    code = run("album/gone.jpg", "album", "album/gone.jpg", report=Path("report.jsonl"))

    told = capsys.readouterr()
    assert code == 3
    assert told.out.splitlines()[0] == "2 photos: 1 solved, 1 bad_image"
    assert told.err.count("gone.jpg") == 1
    assert list(read_report()) == ["gone", "a"]


def test_a_text_that_is_named_twice_is_counted_once(run: RunPlanted, capsys: Captured) -> None:
    Path("album/q.sdm").write_text(f"{EASY}\n")

    run("album/q.sdm", "album", "album/missing.sdm", "album/missing.sdm")

    told = capsys.readouterr()
    assert "1 text: 1 puzzle, 1 solved" in told.out
    assert told.err.count("missing.sdm") == 1


def test_a_text_is_solved_again_where_nothing_but_its_solutions_is_kept(run: RunPlanted) -> None:
    text, solved = Path("album/q.sdm"), Path("album/q-solved.sdm")
    text.write_text(f"{EASY}\n")

    codes = [run("album/q.sdm", output_dir=None) for _ in range(2)]
    text.write_text(f"{EASY}\n{EASY}\n")
    codes.append(run("album/q.sdm", output_dir=None))

    assert codes == [0, 0, 0]
    assert solved.read_text() == f"{EASY_SOLUTION}\n{EASY_SOLUTION}\n"
    assert sorted(path.name for path in Path("album").iterdir()) == ["q-solved.sdm", "q.sdm"]


@pytest.mark.parametrize("text", ["mine", f"{EASY_SOLUTION}\nmine\n"])
def test_a_text_of_others_is_not_replaced_by_solutions(run: RunPlanted, text: str) -> None:
    Path("album/q.sdm").write_text(f"{EASY}\n")
    Path("album/q-solved.sdm").write_text(text)

    with pytest.raises(UsageError, match="is there already"):
        run("album/q.sdm", output_dir=None)

    assert Path("album/q-solved.sdm").read_text() == text
    assert len(list(Path("album").iterdir())) == 2


def test_a_dry_run_without_inputs_writes_no_report(run: RunPlanted, capsys: Captured) -> None:
    plant(a="empty")
    run()
    capsys.readouterr()
    again = BatchOptions(output_dir=Path("out"), report=Path("again.jsonl"), html=Path("pages"))

    code = run_batch([], replace(again, dry_run=True))

    assert code == 0
    assert capsys.readouterr().out.splitlines() == [
        "again.jsonl: written again, of 1 photo",
        f"{Path('pages/index.html')}: written again, of 1 photo",
    ]
    assert not Path("again.jsonl").exists()
    assert not Path("pages").exists()


def test_a_dry_run_ends_as_what_is_in_the_way_would_end_the_run(
    run: RunPlanted, capsys: Captured
) -> None:
    plant(a="solved")
    Path("out").mkdir()
    Path("out/a-solved.jpg").write_text("mine")

    codes = [
        run("missing.jpg", dry_run=True),
        run("album", "album", dry_run=True),
        run("nothing*", dry_run=True),
        run("album", dry_run=True, output_dir=None),
    ]

    lines = capsys.readouterr().out.splitlines()
    assert codes == [3, 2, 3, 0]
    assert (
        lines[0] == "missing.jpg: the photo cannot be read: it does not exist; check its name "
        "and its rights"
    )
    assert "a-solved.jpg is there already" in lines[1]
    assert lines[2:] == ["album/a.jpg"]


def test_a_dry_run_tells_of_texts_where_their_solutions_would_go(
    run: RunPlanted, capsys: Captured, tmp_path: Path
) -> None:
    Path("album/q.sdm").write_text(f"{EASY}\n")

    run(dry_run=True, output_dir=None)
    run(output_dir=None, report=Path("report.jsonl"))
    capsys.readouterr()
    run(dry_run=True, output_dir=None, report=Path("report.jsonl"))

    assert capsys.readouterr().out == "album/q.sdm: known\n"


def test_progress_counts_no_overlays_of_earlier_runs(tmp_path: Path) -> None:
    for name in ("a.jpg", "a-solved.jpg", "b.jpg"):
        (tmp_path / name).touch()
    with closing(Journal.open(None)) as journal:
        journal.begin_run("settings")
        overlay = str(tmp_path.resolve() / "a-solved.jpg")
        journal.claim_output(overlay, str(tmp_path / "a.jpg"))
        journal.end_output(overlay, b"digest")
        outputs = Outputs(journal, str(tmp_path.resolve()))
        intake = InputFilter(InputNames((str(tmp_path),)), outputs)
        counts: list[int] = []

        counting = threading.Thread(
            target=lambda count: counts.append(count()), args=[intake.counter(lambda _: True)]
        )
        counting.start()
        counting.join()

    assert counts == [2]


def test_results_depend_on_the_board_network_beside_own_weights(tmp_path: Path) -> None:
    own = tmp_path / "own.tflite"
    own.write_bytes(b"cells")
    settings = [describe_settings(WorkOptions(weights=own))]
    for content in (b"boards", b"others"):
        (tmp_path / "own-boards.tflite").write_bytes(content)
        settings.append(describe_settings(WorkOptions(weights=own)))

    assert len(set(settings)) == 3


def test_missing_networks_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Other packages leave modules that are called like ours, which may be found first."""
    other = ModuleType("models")
    other.__file__ = str(tmp_path / "models.py")
    monkeypatch.setitem(sys.modules, "models", other)

    with pytest.raises(MissingError, match="no networks in"):
        describe_settings(WorkOptions())


def test_a_text_of_puzzles_is_no_report(run: RunPlanted) -> None:
    plant(a="solved")
    Path("album/q.txt").write_text(f"{EASY}\n")

    with pytest.raises(UsageError, match="holds puzzles"):
        run(report=Path("album/q.txt"))

    assert Path("album/q.txt").read_text() == f"{EASY}\n"


def test_solutions_do_not_take_the_name_of_the_report(run: RunPlanted) -> None:
    Path("album/q.txt").write_text(f"{EASY}\n")

    run(output_dir=None, report=Path("album/q-solved.txt"))

    assert Path("album/q-solved.txt").read_text() == ""
    assert Path("album/q-solved-2.txt").read_text() == f"{EASY_SOLUTION}\n"


def test_a_page_of_others_is_no_gallery(run: RunPlanted) -> None:
    plant(a="empty")
    Path("page.html").write_text("<title>Mine</title>")

    with pytest.raises(UsageError, match="is no gallery"):
        run(html=Path("page.html"))
    kept = Path("page.html").read_text()
    codes = [run(html=Path("page.html"), overwrite=True), run(html=Path("page.html"))]

    assert kept == "<title>Mine</title>"
    assert codes == [1, 1]


@pytest.mark.usefixtures("run")
def test_a_file_whose_system_tells_of_no_changes_is_only_read_where_its_content_is_known() -> None:
    """In the second run the first of two is known; in the third, reading it hangs."""
    contents = {"a": b"one", "b": b"two"}
    begun: list[tuple[str, bool]] = []

    class Noting:
        is_losing = False

        def __call__(
            self, jobs: Iterator[Job | None], is_stopping: Callable[[], bool]
        ) -> Generator[JobResult, None, None]:
            for job in filter(None, jobs):
                begun.append((job.path, job.is_lookup))
                if self.is_losing and job.is_lookup:
                    lost = lost_job(job, "lost", 0.0, was_decoded=False)
                    yield replace(lost, digest=contents[job.path])
                else:
                    record = '{"outcome": "no_board"}'
                    yield JobResult(job, contents[job.path], "no_board", record, 0.0)

    def work_off(*names: str) -> list[str | None]:
        journal.begin_run("settings")
        namer = OutputNamer(journal, NamerOptions(None), lambda _: False)
        work = Run(journal, namer, RunOptions(is_drawn=False, reads_contents=False), Stop())
        found = (InputFile(one, one, "photo", 0, one, "", UNKNOWN_STAMP) for one in names)
        work.work_off(found, engine, lambda: None)
        return [one.record for one in journal.reported()]

    engine = Noting()
    with closing(Journal.open(None)) as journal:
        work_off("a")
        second = work_off("a", "b")
        engine.is_losing = True
        third = work_off("a", "b")

    assert begun == [("a", False), ("a", True), ("b", False), ("a", True), ("b", True)]
    assert second == third == ['{"outcome": "no_board"}'] * 2
