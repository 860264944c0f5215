"""Algorithm X with dancing links, after D. E. Knuth, "Dancing Links", 2000.

https://arxiv.org/abs/cs/0011047. A puzzle is an exact cover: an option (digit in a cell) covers
four items (the cell is filled; its row, column and box have the digit), and every item has to be
covered once. On 9×9 these are 729 options and 324 items.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from solver.base import EffortBudget
from solver.exact.tree_search import SearchSolver
from solver.layout import LAYOUTS


def dancing_links() -> SearchSolver:
    """Build the solver that covers the item with fewest options, and uncovers it afterwards.

    An option chosen is a node, and an item with several options is a guess.
    """
    return SearchSolver("dancing-links", _search)


@dataclass
class _Links:
    """The torus of linked nodes, as arrays of indices.

    Node 0 is the root, 1..4 × side² are the heads of the items, and then come four nodes for each
    option, one after the other. An option is 4 × (cell × side + digit - 1) nodes after the first.

    Attributes:
        left, right: neighbours in the list of heads.
        up, down: neighbours in the list of an item.
        head: of the item that a node belongs to.
        sizes: number of options of each item, by head.
    """

    left: list[int]
    right: list[int]
    up: list[int]
    down: list[int]
    head: list[int]
    sizes: list[int]

    def copy(self) -> "_Links":
        return _Links(
            self.left.copy(),
            self.right.copy(),
            self.up.copy(),
            self.down.copy(),
            self.head,  # never changed
            self.sizes.copy(),
        )

    def siblings(self, node: int) -> list[int]:
        """Return the other nodes of the option, in turn from this one."""
        first = len(self.sizes)
        start = node - (node - first) % 4
        at = node - start
        return [start + (at + step) % 4 for step in (1, 2, 3)]

    def cover(self, item: int) -> None:
        """Take an item out of the list of heads, and its options out of all other items."""
        left, right, up, down = self.left, self.right, self.up, self.down
        right[left[item]] = right[item]
        left[right[item]] = left[item]
        node = down[item]
        while node != item:
            for other in self.siblings(node):
                down[up[other]] = down[other]
                up[down[other]] = up[other]
                self.sizes[self.head[other]] -= 1
            node = down[node]

    def uncover(self, item: int) -> None:
        """Undo `cover`, in the opposite order, by the links that the nodes have kept."""
        left, right, up, down = self.left, self.right, self.up, self.down
        node = up[item]
        while node != item:
            for other in reversed(self.siblings(node)):
                self.sizes[self.head[other]] += 1
                down[up[other]] = other
                up[down[other]] = other
            node = up[node]
        right[left[item]] = item
        left[right[item]] = item

    def smallest_item(self) -> int:
        """Return the first head with fewest options, or the root when all is covered."""
        best = item = self.right[0]
        fewest = self.sizes[best]
        while item:
            if self.sizes[item] < fewest:
                best, fewest = item, self.sizes[item]
            item = self.right[item]
        return best


def _search(
    clues: Sequence[int], side: int, budget: EffortBudget, solutions: list[list[int]]
) -> bool:
    """Search in place, by the links; see `solver.exact.tree_search.SearchFunction`."""
    links = _all_links(side).copy()
    if not _choose_clues(links, clues, side):
        return True
    first = len(links.sizes)
    if not budget.may_go_on():
        return False
    budget.nodes = 1
    # The node chosen in each covered item; an item whose head stands there is to be given up.
    chosen: list[int] = []
    is_forward = True
    while True:
        if is_forward:
            item = links.smallest_item()
            if not item:
                digits = list(clues)
                for node in chosen:
                    cell, digit = divmod((node - first) // 4, side)
                    digits[cell] = digit + 1
                solutions.append(digits)
                if len(solutions) == 2:
                    return False
                is_forward = False
                continue
            links.cover(item)
            budget.guesses += links.sizes[item] > 1
            node = links.down[item]
        else:
            if not chosen:
                return True
            node = chosen.pop()
            for other in reversed(links.siblings(node)):
                links.uncover(links.head[other])
            item = links.head[node]
            node = links.down[node]
        if node == item:
            links.uncover(item)
            is_forward = False
            continue
        if not budget.may_go_on():
            return False
        budget.nodes += 1
        chosen.append(node)
        for other in links.siblings(node):
            links.cover(links.head[other])
        is_forward = True


def _choose_clues(links: _Links, clues: Sequence[int], side: int) -> bool:
    """Cover what the clues cover, and return False when two of them cover the same item."""
    first = len(links.sizes)
    covered: set[int] = set()
    for cell, clue in enumerate(clues):
        if clue:
            start = first + 4 * (cell * side + clue - 1)
            for node in range(start, start + 4):
                item = links.head[node]
                if item in covered:
                    return False
                covered.add(item)
                links.cover(item)
    return True


@cache
def _all_links(side: int) -> _Links:
    """Return the links of a blank board, to be copied."""
    n_cells = side**2
    n_items = 4 * n_cells
    left = [n_items, *range(n_items)]
    right = [*range(1, n_items + 1), 0]
    up = list(range(n_items + 1))
    down = up.copy()
    head = up.copy()
    sizes = [0] * (n_items + 1)
    for cell, units in enumerate(LAYOUTS[side].units_of_cell.tolist()):
        for digit in range(side):
            in_units = (1 + n_cells + unit * side + digit for unit in units)
            for item in (1 + cell, *in_units):
                node = len(head)
                head.append(item)
                up.append(up[item])
                down.append(item)
                down[up[item]] = node
                up[item] = node
                sizes[item] += 1
    return _Links(left, right, up, down, head, sizes)
