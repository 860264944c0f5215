"""A photo comes in by HTTP, and its report, or the solved photo, goes out."""

import io
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from command_rig import room_for
from fastapi.testclient import TestClient
from serve_rig import SETTINGS, make_phone

from app.recognition.results import PhotoResult
from app.report.photo_report import photo_report
from app.serve.api.schemas import Board, PhotoReport
from solver.grid import check_solution, format_grid, parse_grid
from vision.media.images import load_image

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

JPEG = {"Content-Type": "image/jpeg"}


@pytest.fixture(scope="module")
def page(newspaper: Path) -> bytes:
    """The newspaper page, half as large."""
    with Image.open(newspaper) as picture:
        half = picture.resize((picture.width // 2, picture.height // 2))
    return encode(half)


def encode(picture: Image.Image, form: str = "JPEG", **options: Any) -> bytes:
    data = io.BytesIO()
    picture.save(data, form, **options)
    return data.getvalue()


def blank(width: int = 640, height: int = 480) -> bytes:
    return encode(Image.new("RGB", (width, height), "white"))


def code_of(response: Any) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


@pytest.fixture
def phone(pipeline: "Pipeline") -> TestClient:
    return make_phone(pipeline)


def test_a_photo_is_answered_with_its_report_and_lattice(phone: TestClient, page: bytes) -> None:
    response = phone.post("/api/photos", content=page, headers=JPEG)

    told = PhotoReport.model_validate_json(response.content)
    board = told.boards[0]
    assert response.status_code == 200
    assert told.outcome == "solved"
    assert (told.width, told.height) == (800, 600)
    assert board.solution is not None
    assert not check_solution(parse_grid(board.clues), parse_grid(board.solution))
    assert np.allclose(board.lattice[0][0], board.corners[0], atol=0.1)
    assert np.allclose(board.lattice[9][9], board.corners[2], atol=0.1)


@pytest.mark.slow
def test_the_description_names_every_field_of_a_report(
    phone: TestClient, page: bytes, pipeline: "Pipeline"
) -> None:
    told = phone.post("/api/photos", content=page, headers=JPEG).json()

    assert set(told) == set(PhotoReport.model_fields)
    assert set(told["boards"][0]) == set(Board.model_fields)
    line = photo_report(pipeline.solve_photo(load_image(page)))
    assert set(line["boards"][0]) <= set(told["boards"][0])


@pytest.mark.parametrize(
    ("least_free", "kept", "keeps"),
    [(0, True, (True, True)), (2**62, False, (True, False)), (None, None, (False, False))],
    ids=["kept", "the disk is full", "not wanted"],
)
def test_whether_a_photo_is_kept_is_told_with_its_report(
    pipeline: "Pipeline",
    page: bytes,
    tmp_path: Path,
    least_free: int | None,
    kept: bool | None,
    keeps: tuple[bool, bool],
) -> None:
    keeping = replace(SETTINGS, keep=tmp_path, least_free_bytes=least_free or 0)
    phone = make_phone(pipeline, SETTINGS if least_free is None else keeping)

    told = phone.post("/api/photos", content=page, headers=JPEG).json()
    session = phone.get("/api/session").json()

    assert (told["outcome"], told["kept"]) == ("solved", kept)
    assert (session["keeps"], session["can_keep"]) == keeps
    assert len(list(tmp_path.iterdir())) == (2 if kept else 0)


def test_a_photo_that_could_not_be_written_whole_leaves_nothing_and_its_phone_is_told(
    pipeline: "Pipeline", page: bytes, tmp_path: Path
) -> None:
    phone = make_phone(pipeline, replace(SETTINGS, keep=tmp_path, least_free_bytes=0))

    with room_for(len(page) - 1):
        told = phone.post("/api/photos", content=page, headers=JPEG).json()

    assert (told["outcome"], told["kept"]) == ("solved", False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("accept", "form"), [("image/jpeg", "JPEG"), ("image/png", "PNG")])
def test_the_solved_photo_comes_instead_where_it_is_wanted(
    phone: TestClient, page: bytes, accept: str, form: str
) -> None:
    response = phone.post("/api/photos", content=page, headers={**JPEG, "Accept": accept})

    assert response.headers["content-type"] == accept
    with Image.open(io.BytesIO(response.content)) as picture:
        assert (picture.format, picture.size) == (form, (800, 600))
        assert picture.convert("RGB").tobytes() != Image.open(io.BytesIO(page)).tobytes()


@pytest.mark.parametrize(
    ("accept", "sent"),
    [
        ("image/*", "image/jpeg"),
        ("image/png;q=0.5, image/jpeg;q=0.2", "image/png"),
        ("text/html, application/json;q=0.1", "application/json"),
        ("application/json;q=0", None),
        ("image/png;q=x", None),
    ],
)
def test_of_several_types_the_most_wanted_one_is_sent_and_without_any_none(
    phone: TestClient, page: bytes, accept: str, sent: str | None
) -> None:
    response = phone.post("/api/photos", content=page, headers={**JPEG, "Accept": accept})

    if sent is None:
        assert code_of(response) == (406, "not_acceptable")
    else:
        assert response.headers["content-type"] == sent


def test_no_solved_photo_is_sent_where_nothing_is_solved(phone: TestClient) -> None:
    response = phone.post("/api/photos", content=blank(), headers={"Accept": "image/jpeg"})

    assert code_of(response) == (422, "not_solved")


def test_a_photo_without_a_board_is_no_mistake(phone: TestClient) -> None:
    response = phone.post("/api/photos", content=blank())

    assert response.status_code == 200
    assert (response.json()["outcome"], response.json()["boards"]) == ("no_board", [])


def test_a_board_is_read_where_the_corners_were_set_by_hand(phone: TestClient, page: bytes) -> None:
    first = phone.post("/api/photos", content=page).json()
    found = first["boards"][0]
    corners = ",".join(f"{value:.1f}" for point in found["corners"] for value in point)

    told = phone.post("/api/photos", content=page, params={"corners": corners}).json()

    assert told["boards"][0]["solution"] == found["solution"]
    assert np.allclose(told["boards"][0]["corners"], found["corners"], atol=0.1)
    assert told["id"] != first["id"]


CORNERS = (
    "",
    "1,2,3",
    "0,0,100,0,100,100,0,100,",
    "0,0,nan,0,100,100,0,100",
    "0,0,10,0,10,10,0,10",
    "9000,9000,9400,9000,9400,9400,9000,9400",
    "0,0,100,100,100,0,0,100",
)
KINDS = ("multipart/form-data; boundary=x", "application/json", "image")


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        *(({"params": {"corners": corners}}, (422, "invalid")) for corners in CORNERS),
        *(({"headers": {"Content-Type": kind}}, (415, "wrong_type")) for kind in KINDS),
    ],
)
def test_corners_of_no_board_and_what_says_it_is_no_picture_are_refused(
    phone: TestClient, page: bytes, beside: dict[str, Any], told: tuple[int, str]
) -> None:
    assert code_of(phone.post("/api/photos", content=page, **beside)) == told


@pytest.mark.parametrize("kept", [0, 10_000], ids=["nothing", "cut short"])
def test_what_cannot_be_decoded_is_refused(phone: TestClient, page: bytes, kept: int) -> None:
    response = phone.post("/api/photos", content=page[:kept], headers=JPEG)

    assert code_of(response) == (422, "bad_image")
    assert "line" not in response.text


def test_too_many_pixels_are_refused(pipeline: "Pipeline") -> None:
    phone = make_phone(pipeline, replace(SETTINGS, max_pixels=640 * 480))

    assert phone.post("/api/photos", content=blank(640, 480)).status_code == 200
    response = phone.post("/api/photos", content=blank(640, 481))
    assert code_of(response) == (413, "too_many_pixels")


def test_too_many_bytes_are_refused(pipeline: "Pipeline", page: bytes) -> None:
    phone = make_phone(pipeline, replace(SETTINGS, max_bytes=len(page)))

    assert phone.post("/api/photos", content=page).status_code == 200
    assert code_of(phone.post("/api/photos", content=page + b"\0")) == (413, "too_large")


def test_every_photo_is_told_of_as_it_came(pipeline: "Pipeline", page: bytes) -> None:
    told: list[tuple[bytes, PhotoResult]] = []
    phone = make_phone(pipeline, on_result=lambda data, result: told.append((data, result)))

    report = phone.post("/api/photos", content=page).json()
    phone.post("/api/photos", content=b"no picture")

    ((data, result),) = told
    assert (data, result.outcome.value) == (page, report["outcome"])
    assert format_grid(result.boards[0].clues) == report["boards"][0]["clues"]


def test_a_fault_of_who_is_told_does_not_reach_the_phone(
    pipeline: "Pipeline", page: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_data: bytes, _result: PhotoResult) -> None:
        raise OSError("planted")

    phone = make_phone(pipeline, on_result=fail)

    assert phone.post("/api/photos", content=page).status_code == 200
    assert "a photo could not be handed on" in caplog.text
