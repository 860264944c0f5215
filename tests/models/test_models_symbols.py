"""The symbol network's classes and alphabets."""

import numpy as np
import pytest
from arrays import Float32

from models.symbol_reader import (
    CLASSES,
    EMPTY,
    NO_SYMBOL,
    SYMBOLS,
    Alphabet,
    SymbolReader,
    choose_alphabet,
    class_of,
    list_alphabets,
    tell_values,
)
from training.rendered.large_digits import ALPHABETS, print_symbol
from training.symbols.train_symbols import draw_cells


def see(*cells: str | dict[str, float]) -> Float32:
    """Return what a reader makes of cells that look like a symbol, or like some of them."""
    seen = np.full((len(cells), CLASSES), 5e-4, np.float32)
    for row, cell in zip(seen, cells, strict=True):
        for symbol, likelihood in ({cell: 1.0} if isinstance(cell, str) else cell).items():
            row[class_of(symbol)] += likelihood
    return np.asarray(seen / seen.sum(axis=1, keepdims=True), np.float32)


def alphabet_of(side: int, name: str) -> Alphabet:
    return next(one for one in list_alphabets(side) if one.name == name)


def test_every_symbol_has_a_class_of_its_own() -> None:
    classes = [class_of(symbol) for symbol in ("", *SYMBOLS)]

    assert classes == list(range(NO_SYMBOL))
    assert classes[0] == EMPTY
    with pytest.raises(ValueError, match="no symbol 'Z'"):
        class_of("Z")


@pytest.mark.parametrize("side", [10, 12, 16, 25])
def test_alphabets_are_what_boards_are_printed_in(side: int) -> None:
    names = [name for name in ALPHABETS if side <= 16 or name != "hexadecimal"]
    printed = [tuple(print_symbol(value, name) for value in range(1, side + 1)) for name in names]

    known = [alphabet.symbols for alphabet in list_alphabets(side)]

    assert sorted(known) == sorted(printed)


@pytest.mark.parametrize("side", [9, 26])
def test_other_sides_have_no_alphabets(side: int) -> None:
    with pytest.raises(ValueError, match="sides 10 to 25"):
        list_alphabets(side)


@pytest.mark.parametrize("side", [10, 12, 16, 25])
@pytest.mark.parametrize("name", ALPHABETS)
def test_all_cells_together_tell_the_alphabet(side: int, name: str) -> None:
    if side > 16 and name == "hexadecimal":
        return
    symbols = alphabet_of(side, name).symbols

    choice = choose_alphabet(see(*symbols, *symbols, "", ""), side)

    assert choice.alphabet.symbols == symbols
    assert choice.is_clear


@pytest.mark.parametrize(("doubt", "is_clear"), [(0.0, True), (0.1, False)])
def test_a_cell_alone_tells_the_alphabet_only_beyond_doubt(doubt: float, is_clear: bool) -> None:
    choice = choose_alphabet(see(*"123456789" * 3, {"A": 1 - doubt, "4": doubt}), 10)

    assert choice.alphabet.name == "letters"
    assert choice.is_clear is is_clear


def test_figures_that_all_alphabets_share_tell_none() -> None:
    assert not choose_alphabet(see(*"123456789" * 3), 12).is_clear


@pytest.mark.parametrize(
    ("name", "drawn"),
    [("hexadecimal", {"0": "O", "1": "I"}), ("all letters", {"O": "0", "I": "1"})],
)
def test_two_symbols_drawn_alike_hide_no_alphabet(name: str, drawn: dict[str, str]) -> None:
    symbols = alphabet_of(16, name).symbols
    seen = see(*(drawn.get(symbol, symbol) for symbol in symbols * 2))

    choice = choose_alphabet(seen, 16)

    assert choice.alphabet.symbols == symbols
    assert choice.is_clear
    assert tell_values(seen, choice.alphabet)[:16].argmax(axis=1).tolist() == list(range(1, 17))


def test_two_symbols_that_a_board_has_stay_two() -> None:
    values = tell_values(see("1", "I"), alphabet_of(25, "letters"))

    assert values.argmax(axis=1).tolist() == [1, 18]


def test_dirt_in_a_cell_does_not_decide() -> None:
    symbols = alphabet_of(16, "hexadecimal").symbols

    choice = choose_alphabet(see(*symbols * 6, "Q", "22", "W"), 16)

    assert choice.alphabet.symbols == symbols
    assert choice.is_clear


@pytest.mark.parametrize(
    ("name", "looks", "value"),
    [
        ("hexadecimal", {"O": 0.6, "D": 0.1, "0": 0.3}, 1),
        ("all letters", {"0": 0.7, "O": 0.3}, 15),
        ("all letters", {"1": 0.6, "I": 0.4}, 9),
        ("numbers", {"B": 0.6, "8": 0.4}, 8),
        ("numbers", {"S": 0.5, "5": 0.5}, 5),
        ("letters", {"I": 0.5, "1": 0.5}, 1),
    ],
)
def test_symbols_that_look_alike_are_told_by_the_alphabet(
    name: str, looks: dict[str, float], value: int
) -> None:
    values = tell_values(see(looks), alphabet_of(16, name))

    assert values.shape == (1, 17)
    assert values[0].argmax() == value
    assert values[0, value] > 0.7
    assert values.sum() == pytest.approx(1, abs=1e-5)


def test_what_is_no_symbol_may_be_anything() -> None:
    seen = np.zeros((1, CLASSES), np.float32)
    seen[0, NO_SYMBOL] = 1

    assert tell_values(seen, alphabet_of(12, "numbers")) == pytest.approx(1 / 13)


def test_cells_that_show_nothing_at_all_are_surely_empty() -> None:
    noise = np.random.default_rng(0).normal(0, 1, (20, 32, 32))
    cells = np.clip(240 + noise, 0, 255).astype(np.uint8)
    cells[0] = 255

    assert SymbolReader.load().read(cells)[:, EMPTY].min() > 0.95


@pytest.mark.parametrize("turn", range(4))
def test_drawn_symbols_are_read_as_they_lie(turn: int) -> None:
    drawn = draw_cells(6)
    told = (drawn.classes > EMPTY) & (drawn.classes < NO_SYMBOL)
    cells = np.ascontiguousarray(np.rot90(drawn.cells[told], turn, axes=(1, 2)))

    seen = SymbolReader.load().read(cells)

    if turn == 0:
        assert (seen.argmax(axis=1) == drawn.classes[told]).mean() > 0.9
    else:
        assert (seen.argmax(axis=1) == NO_SYMBOL).mean() > 0.6
