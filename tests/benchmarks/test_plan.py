"""The plan of a large batch is told in units that fit its length."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.batch.run_progress import format_span


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.4, "0 s"),
        (59, "59 s"),
        (245, "4 min 05 s"),
        (17_000, "4 h 43 min"),
        (2 * 86_400, "2.0 days"),
        (424_000, "4.9 days"),
    ],
)
def test_a_time_is_told_in_units_that_fit_it(seconds: float, told: str) -> None:
    assert format_span(seconds) == told


@pytest.mark.parametrize("photos", [1_000, 100_000_000])
def test_a_plan_takes_no_zero_days(project: Path, photos: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.cluster", "plan", "--photos", str(photos)],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert re.search(r"\b0(\.0)? (days|core|s,)", done.stdout) is None
    spans = re.findall(r"^\d+ cores: (.+?),", done.stdout, flags=re.MULTILINE)
    expected = {
        1_000: ["4 s", "1 s", "1 s"],
        100_000_000: ["4.9 days", "19 h 41 min", "4 h 43 min"],
    }
    assert spans == expected[photos]
