"""The arrangement of a samurai, told from the lines of a picture."""

import cv2
import numpy as np
import pytest
from arrays import Image8
from present import present

from solver.rules import SAMURAI_GRIDS, samurai_rules
from training.pages.printed_board import KindLook, PrintedBoard, print_board, print_samurai
from training.pages.shape import Shape, box_regions, draw_grid, draw_samurai_clues, draw_shape
from training.rendered.filled_board import BoardLook
from vision.board import turn_lattice
from vision.kinds.samurai_grids import SamuraiPlace, find_samurai, may_be_grid

_CELL_PX = 30


def print_page(grids: tuple[tuple[int, int], ...]) -> PrintedBoard:
    """Print a samurai whose cells have 30 pixels."""
    width = 9 + max(map(max, grids))
    clues = draw_samurai_clues(grids, 0.4, np.random.default_rng(0))[:width, :width]
    look = KindLook(BoardLook())
    return print_samurai(grids, clues, _CELL_PX * width, look)


def frame(image: Image8, px: int = 90) -> Image8:
    """Return a picture with paper around it."""
    bordered = cv2.copyMakeBorder(image, px, px, px, px, cv2.BORDER_CONSTANT, value=(255,) * 3)
    return np.asarray(bordered, np.uint8)


@pytest.mark.parametrize("n_grids", [2, 3, 4, 5])
def test_each_grid_leads_to_all_others(n_grids: int) -> None:
    grids = SAMURAI_GRIDS[n_grids]
    printed = print_page(grids)
    photo = frame(printed.image)

    places = [find_samurai(photo, lattice + 90) for lattice in printed.lattices]

    for place in places:
        assert place is not None
        assert place.grids == tuple(sorted(grids))
        for (row, column), lattice in zip(grids, printed.lattices, strict=True):
            part = place.lattice[row : row + 10, column : column + 10]
            assert np.abs(part - lattice - 90).max() < 0.1 * _CELL_PX
        assert may_be_grid(photo, printed.lattices[0] + 90)


def test_boards_that_stand_beside_each_other_are_no_samurai() -> None:
    shape = Shape("classic", box_regions(3, 3))
    look = KindLook(BoardLook())
    clues = draw_grid(shape, np.random.default_rng(0))
    printed = print_board(shape, clues, (), 9 * _CELL_PX, look)
    pair = np.hstack([frame(printed.image, 10)] * 2)
    photo = np.vstack([pair, pair])
    lattice = printed.lattices[0] + 10

    assert find_samurai(photo, lattice) is None
    assert not may_be_grid(photo, lattice)


@pytest.mark.parametrize("place", [(0, 0), (7, 7), (0, 7)])
def test_nine_cells_of_a_larger_board_are_no_grid_of_a_samurai(place: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    shape = draw_shape("classic", 16, rng)
    clues = np.where(rng.random((16, 16)) < 0.4, draw_grid(shape, rng), 0).astype(np.uint8)
    printed = print_board(shape, clues, (), 16 * _CELL_PX, KindLook(BoardLook()))
    row, column = place
    part = printed.lattices[0][row : row + 10, column : column + 10]

    assert find_samurai(frame(printed.image), np.ascontiguousarray(part + 90)) is None


def test_nine_cells_of_a_board_at_the_edge_of_the_picture_are_no_grid_of_a_samurai() -> None:
    rng = np.random.default_rng(0)
    shape = draw_shape("classic", 12, rng)
    clues = np.where(rng.random((12, 12)) < 0.4, draw_grid(shape, rng), 0).astype(np.uint8)
    printed = print_board(shape, clues, (), 12 * _CELL_PX, KindLook(BoardLook()))
    photo = np.hstack([printed.image, np.full_like(printed.image, 255)])
    part = np.ascontiguousarray(printed.lattices[0][:10, :10])

    assert find_samurai(photo, part) is None


def test_a_grid_that_the_picture_cuts_off_belongs_to_it() -> None:
    printed = print_page(SAMURAI_GRIDS[5])
    left = 3 * _CELL_PX
    photo = np.ascontiguousarray(frame(printed.image, 0)[:, left:])
    middle = printed.lattices[SAMURAI_GRIDS[5].index((6, 6))] - np.array([left, 0], np.float32)

    place = present(find_samurai(photo, middle))

    assert len(place.grids) == 5
    assert place.lattice[..., 0].min() < -2 * _CELL_PX


def test_noise_between_the_grids_is_no_larger_board() -> None:
    printed = print_page(SAMURAI_GRIDS[5])
    rules = samurai_rules(SAMURAI_GRIDS[5])
    edge = round(float(printed.lattices[0][0, 0, 0]))
    sheet = np.full_like(printed.image, 255)
    for line in range(edge, len(sheet), _CELL_PX):
        sheet[line : line + 2] = sheet[:, line : line + 2] = 247
    is_cell = np.isin(np.arange(rules.width**2), rules.cells).reshape(rules.width, -1)
    is_grid = np.kron(is_cell, np.ones((_CELL_PX, _CELL_PX), np.bool_))
    is_grid = np.pad(is_grid, (edge, len(sheet) - len(is_grid) - edge), mode="edge")
    photo = frame(np.where(is_grid[..., None], printed.image, sheet))

    place = present(find_samurai(photo, printed.lattices[0] + 90))

    assert len(place.grids) == 5


def test_a_grid_with_faded_lines_leads_to_clear_ones() -> None:
    printed = print_page(SAMURAI_GRIDS[5])
    photo = frame(printed.image)
    photo[: 110 + 2 * _CELL_PX, : 110 + 2 * _CELL_PX] = 255

    place = present(find_samurai(photo, printed.lattices[0] + 90))

    assert len(place.grids) == 5


def test_grids_turn_with_their_lattice() -> None:
    places = np.stack(np.meshgrid(np.arange(16.0), np.arange(16.0)), axis=2).astype(np.float32)
    place = SamuraiPlace(places, ((0, 0), (6, 6)))

    turned = turn_lattice(places, 1)
    grids = place.turn_grids(1)

    assert grids == ((0, 6), (6, 0))
    corners = {tuple(turned[row : row + 10, column : column + 10].min(axis=(0, 1)))
               for row, column in grids}  # fmt: skip
    assert corners == {(0.0, 0.0), (6.0, 6.0)}
    assert place.turn_grids(4) == place.grids
