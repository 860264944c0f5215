"""The canonical form of a puzzle, by individualisation and refinement; compiled if numba is here.

B. McKay, A. Piperno 2014, "Practical graph isomorphism, II", J. Symbolic Computation 60: rows,
columns, digits and boxes carry colours that do not depend on how the puzzle is turned, ordered or
labelled. Each round mixes into a colour those of the clues around it (B. Weisfeiler, A. Leman
1968). Where lines remain alike, each of them in turn is given a colour of its own. Every way to
tell all lines apart is an order of rows and columns, and the smallest grid that they give is the
form. Colours that are equal by chance cost time only, as they are for all equivalent puzzles.

Nothing here differs with numba and without: colours have 31 bits, so that products fit into
int64. All kernels stand in one file, because numba's cache does not see changes across files.
"""

from typing import Final, NamedTuple

from solver.compilation import Ints, compiled, int_array

_MASK: Final = (1 << 31) - 1
_EMPTY_LINE: Final = 1 << 31
"""Sorts behind every colour."""

_ROUNDS: Final = 3
"""Of refinement, between two counts of the colours."""

# Odd numbers without a pattern; nothing depends on which.
_A: Final = 0x5851F42D
_B: Final = 0x2C9277B5
_C: Final = 0x6B43A9B5
_D: Final = 0x1D8E4E27


class FormSearch(NamedTuple):
    """What `find_form` works on, and what it found; lists, or arrays with numba.

    Attributes:
        clues: row, column, digit and box of each clue, one clue after the other.
        colours: at each depth those of rows, columns, digits and boxes.
        choices: at each depth the colour that lines share, the next line to look at, and the end.
        sums: scratch, one a colour.
        filled: number of clues in each row and column.
        orders: the rows, then the columns, in the order that is looked at.
        labels: scratch, one a digit.
        traces: number of traces, then the smallest at each depth: sums that do not depend on the
            puzzle's form. Only lines that lead to them are followed.
        form: the smallest grid so far, -1 first where there is none.
        lines: the puzzle's rows in the order of `form`, then the columns.
    """

    clues: Ints
    colours: Ints
    choices: Ints
    sums: Ints
    filled: Ints
    orders: Ints
    labels: Ints
    traces: Ints
    form: Ints
    lines: Ints


def start_search(side: int) -> FormSearch:
    """Return the memory of a search; call `forget` before each puzzle."""
    depths = 2 * side + 1
    sizes = (
        4 * side**2,
        depths * 4 * side,
        depths * 3,
        4 * side,
        2 * side,
        2 * side,
        side + 1,
        depths + 1,
        side**2,
        2 * side,
    )
    return FormSearch(*(int_array([0] * size) for size in sizes))


def forget(search: FormSearch) -> None:
    """Forget what was found, so that the next puzzle's form does not compete with it."""
    search.traces[0] = 0
    search.form[0] = -1


@compiled
def _mix(word: int) -> int:
    word &= _MASK
    word = (word ^ word >> 15) * _B & _MASK
    word = (word ^ word >> 13) * _D & _MASK
    return word ^ word >> 16


@compiled
def _refine(
    clues: Ints, n_clues: int, box_rows: int, box_columns: int, colours: Ints, at: int, sums: Ints
) -> None:
    """Refine colours until their number stays the same.

    Args:
        clues: row, column, digit and box of each clue, one clue after the other.
        n_clues: how many there are.
        box_rows: rows of a box.
        box_columns: columns of a box.
        colours: from `at` on those of rows, columns, digits and boxes; changed in place.
        at: where they begin.
        sums: scratch, 4 × side.
    """
    side = box_rows * box_columns
    n_before = 0
    while True:
        for _ in range(_ROUNDS):
            for node in range(4 * side):
                sums[node] = 0
            for clue in range(0, 4 * n_clues, 4):
                row = clues[clue]
                column = side + clues[clue + 1]
                digit = 2 * side + clues[clue + 2]
                box = 3 * side + clues[clue + 3]
                word = _mix(
                    colours[at + row] * _A
                    + colours[at + column] * _B
                    + colours[at + digit] * _C
                    + colours[at + box] * _D
                )
                sums[row] += word
                sums[column] += word
                sums[digit] += word
                sums[box] += word
            for node in range(4 * side):
                colours[at + node] = _mix(colours[at + node] * _A + sums[node] * _C)
            _share_among(colours, at, side, box_rows)
            _share_among(colours, at + side, side, box_columns)
        n_colours = 0
        for node in range(at, at + 3 * side):
            is_new = 1
            for other in range(at, node):
                if colours[other] == colours[node]:
                    is_new = 0
                    break
            n_colours += is_new
        if n_colours == n_before or n_colours == 3 * side:
            return
        n_before = n_colours


@compiled
def _share_among(colours: Ints, at: int, side: int, n_lines: int) -> None:
    """Mix the colours of the lines of each band, or stack, into those of all of them."""
    for first in range(at, at + side, n_lines):
        total = 0
        for line in range(first, first + n_lines):
            total += _mix(colours[line] + _D)
        for line in range(first, first + n_lines):
            colours[line] = _mix(colours[line] * _C + total * _B)


@compiled
def _choose_class(
    colours: Ints, at: int, side: int, filled: Ints, prefers_columns: int
) -> tuple[int, int]:
    """Return a colour that several lines with clues share, and the first line of their kind.

    The class with fewest lines, then with the smaller colour; -1 if all lines with clues can be
    told apart. A row and a column single a cell out, and its digit, which in a full grid tells more
    than two rows.
    """
    for attempt in range(2):
        first = side * ((attempt + prefers_columns) & 1)
        best_size = side + 1
        best_colour = -1
        for line in range(first, first + side):
            if not filled[line]:
                continue
            colour = colours[at + line]
            size = 0
            for other in range(first, first + side):
                if filled[other] and colours[at + other] == colour:
                    size += 1
            if size > 1 and (size < best_size or (size == best_size and colour < best_colour)):
                best_size = size
                best_colour = colour
        if best_colour >= 0:
            return best_colour, first
    return -1, 0


@compiled
def _sorting_key(colours: Ints, at: int, filled: Ints, line: int) -> int:
    return colours[at + line] if filled[line] else _EMPTY_LINE


@compiled
def _order_lines(
    colours: Ints, at: int, side: int, n_lines: int, filled: Ints, first: int, orders: Ints
) -> None:
    """Order rows, or columns, by colour, those of a band together, and empty ones last.

    Empty lines keep their order: to swap two of a band changes nothing.

    Args:
        colours: the colours of the rows at `at`, then those of the columns.
        at: where they begin.
        side: number of rows.
        n_lines: rows of a band, or columns of a stack.
        filled: number of clues in each row and column.
        first: 0 for rows, side for columns.
        orders: rows, or columns, 0..side-1 in their order, from `first` on; out.
    """
    for line in range(side):
        band = line // n_lines * n_lines
        key = _sorting_key(colours, at, filled, first + line)
        place = line
        while place > band:
            before = orders[first + place - 1]
            if _sorting_key(colours, at, filled, first + before) <= key:
                break
            orders[first + place] = before
            place -= 1
        orders[first + place] = line
    # The bands by their first lines, now the smallest of each.
    for last in range(n_lines, side, n_lines):
        for band in range(last, 0, -n_lines):
            here = first + band
            before = here - n_lines
            key = _sorting_key(colours, at, filled, first + orders[here])
            if _sorting_key(colours, at, filled, first + orders[before]) <= key:
                break
            for offset in range(n_lines):
                line = orders[here + offset]
                orders[here + offset] = orders[before + offset]
                orders[before + offset] = line


@compiled
def _keep_smaller(digits: Ints, side: int, search: FormSearch) -> int:
    """Read the grid in this order, labelling digits as they come, and keep it if it is smaller.

    Returns:
        1 if it was kept, else 0.
    """
    form, orders, labels = search.form, search.orders, search.labels
    for digit in range(side + 1):
        labels[digit] = 0
    n_labels = 0
    is_smaller = form[0] < 0
    for cell in range(side * side):
        digit = digits[orders[cell // side] * side + orders[side + cell % side]]
        if digit and not labels[digit]:
            n_labels += 1
            labels[digit] = n_labels
        if not is_smaller:
            if labels[digit] > form[cell]:
                return 0
            is_smaller = labels[digit] < form[cell]
        # Up to the first smaller one, the labels are those that stand there.
        form[cell] = labels[digit]
    if not is_smaller:
        return 0
    for line in range(2 * side):
        search.lines[line] = orders[line]
    return 1


@compiled
def _keep_trace(search: FormSearch, depth: int, side: int) -> int:
    """Compare the colours' sum with the smallest so far, and forget what came of larger ones.

    Returns:
        1 if it is as small, else 0.
    """
    traces = search.traces
    trace = 0
    for node in range(depth * 4 * side, (depth + 1) * 4 * side):
        trace += _mix(search.colours[node] + _C)
    if depth < traces[0]:
        if trace > traces[1 + depth]:
            return 0
        if trace == traces[1 + depth]:
            return 1
    traces[0] = depth + 1
    traces[1 + depth] = trace
    search.form[0] = -1
    return 1


@compiled
def find_form(digits: Ints, box_rows: int, box_columns: int, search: FormSearch) -> int:
    """Find the puzzle's form, or a smaller one than that of another puzzle in the same search.

    Args:
        digits: side² digits in reading order, 0 = empty.
        box_rows: rows of a box.
        box_columns: columns of a box.
        search: holds what was found so far; changed in place.

    Returns:
        1 if the form and its lines are of this puzzle now, else 0.
    """
    side = box_rows * box_columns
    clues, colours, choices, filled = search.clues, search.colours, search.choices, search.filled
    n_clues = 0
    for line in range(2 * side):
        filled[line] = 0
    for row in range(side):
        for column in range(side):
            digit = digits[row * side + column]
            if digit:
                clues[4 * n_clues] = row
                clues[4 * n_clues + 1] = column
                clues[4 * n_clues + 2] = digit - 1
                clues[4 * n_clues + 3] = row // box_rows * box_rows + column // box_columns
                n_clues += 1
                filled[row] += 1
                filled[side + column] += 1
    for node in range(4 * side):
        colours[node] = 1 + node // side
    found = 0
    depth = 0
    is_new = 1
    while depth >= 0:
        at = depth * 4 * side
        if is_new:
            is_new = 0
            _refine(clues, n_clues, box_rows, box_columns, colours, at, search.sums)
            if not _keep_trace(search, depth, side):
                depth -= 1
                continue
            colour, first = _choose_class(colours, at, side, filled, depth & 1)
            if colour < 0:
                _order_lines(colours, at, side, box_rows, filled, 0, search.orders)
                _order_lines(colours, at, side, box_columns, filled, side, search.orders)
                found |= _keep_smaller(digits, side, search)
                depth -= 1
                continue
            choices[3 * depth] = colour
            choices[3 * depth + 1] = first
            choices[3 * depth + 2] = first + side
        line = choices[3 * depth + 1]
        end = choices[3 * depth + 2]
        while line < end and (not filled[line] or colours[at + line] != choices[3 * depth]):
            line += 1
        if line == end:
            depth -= 1
            continue
        choices[3 * depth + 1] = line + 1
        for node in range(at, at + 4 * side):
            colours[4 * side + node] = colours[node]
        colours[at + 4 * side + line] = _mix(colours[at + line] * _D + _A)
        depth += 1
        is_new = 1
    return found
