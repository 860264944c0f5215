"""What each technique is, in words for beginners: what it says, how to spot it, what follows.

The techniques are those of the teaching order, the easiest first. `help.technique_practice` has a
position for each.
"""

from dataclasses import dataclass
from typing import Final

from solver.human.position import Technique
from solver.human.words import Words, translate


@dataclass(frozen=True)
class Lesson:
    """A page on a technique: what it says, how to find one, and what it puts or strikes."""

    what: str
    spot: str
    effect: str

    def tell(self, words: Words) -> tuple[str, str, str]:
        """Return the three texts in a language."""
        return words.say(self.what), words.say(self.spot), words.say(self.effect)


_HIDDEN: Final = translate(
    "Help",
    "Some digits fit into just as many cells of a row, column or box. These cells are taken by "
    "them, one each. All other candidates of the cells are in the way.",
)
_HIDDEN_EFFECT: Final = translate(
    "Help", "All other digits are struck from the cells of the pattern."
)
_NAKED: Final = translate(
    "Help",
    "Some cells of a row, column or box have just as many candidates together as there are cells. "
    "The digits are used up by these cells. It does not matter yet which of them goes where.",
)
_NAKED_EFFECT: Final = translate(
    "Help", "The digits are struck from all other cells of the row, column or box."
)
_FISH_EFFECT: Final = translate(
    "Help", "The digit is struck from all other cells of the crossing lines."
)
_SEEN_BY_BOTH: Final = translate("Help", "The digit is struck from every cell that sees both ends.")
_LINKS: Final = translate(
    "Help",
    "Where a digit has only two places in a row, column or box, one of the two is right. Two such "
    "pairs are joined by ends that see each other, so these cannot both be right. So one of the "
    "two far ends must be right.",
)
_RECTANGLE: Final = translate(
    "Help",
    "Four cells at the corners of a rectangle lie in two boxes and share two candidates. If they "
    "held nothing else, the two digits could be swapped, and the puzzle would have two solutions. "
    "As it has only one, something must prevent that.",
)
_RECTANGLE_SPOT: Final = translate(
    "Help",
    "Look for cells with the same two candidates that form a rectangle over two boxes.",
)
_WING_EFFECT: Final = translate(
    "Help", "The shared digit is struck from every cell that sees all places it has in the pattern."
)
_CHAIN_EFFECT: Final = translate(
    "Help", "What both ends of the chain rule out is struck; now and then a digit is put."
)
_FORCING_EFFECT: Final = translate(
    "Help", "What comes out the same in every case is put or struck."
)

LESSONS: Final = {
    Technique.FULL_HOUSE: Lesson(
        translate(
            "Help",
            "A row, column or box has a single empty cell left. Each digit stands there once. So "
            "the empty cell takes the digit that is missing.",
        ),
        translate("Help", "Look for rows, columns and boxes that are almost full."),
        translate("Help", "The missing digit is put into the last cell."),
    ),
    Technique.HIDDEN_SINGLE_BOX: Lesson(
        translate(
            "Help",
            "In a box, a digit is still missing. Rows and columns that hold it already block all "
            "empty cells of the box but one. So it must go there.",
        ),
        translate(
            "Help",
            "Take a digit that stands on the board often. Follow its rows and columns into the "
            "boxes where it is missing.",
        ),
        translate("Help", "The digit is put into the only place that is left."),
    ),
    Technique.HIDDEN_SINGLE_LINE: Lesson(
        translate(
            "Help",
            "In a row or column, a digit is still missing. All its empty cells but one see that "
            "digit already, in a box or in a crossing line. So it must go into the last one.",
        ),
        translate(
            "Help",
            "Go along a row or column that is more than half full. Try each missing digit in each "
            "empty cell.",
        ),
        translate("Help", "The digit is put into the only place that is left."),
    ),
    Technique.NAKED_SINGLE: Lesson(
        translate(
            "Help",
            "A cell sees its row, its column and its box. If eight different digits stand there, "
            "only the ninth is left for the cell.",
        ),
        translate(
            "Help",
            "Look at empty cells where full lines and boxes cross. With candidates noted, it is a "
            "cell with a single one.",
        ),
        translate("Help", "The only candidate is put into its cell."),
    ),
    Technique.HIDDEN_SINGLE: Lesson(
        translate(
            "Help",
            "Regions of a jigsaw, long diagonals and windows hold each digit once, as boxes do. "
            "Where all cells of one but a single cell see a digit already, it must go there.",
        ),
        translate(
            "Help",
            "Take a digit that stands on the board often. Follow what it sees into regions, "
            "diagonals and windows.",
        ),
        translate("Help", "The digit is put into the only place that is left."),
    ),
    Technique.CAGE_COMBINATIONS: Lesson(
        translate(
            "Help",
            "The digits of a cage differ and add up to its sum. Few sets of digits do: 3 in two "
            "cells is 1+2, and 17 is 8+9. Digits that are in none of these sets are out.",
        ),
        translate(
            "Help",
            "Begin with cages of two or three cells whose sum is very small or very large. Where "
            "digits stand in a cage, take them off its sum.",
        ),
        translate("Help", "The other digits are struck from the cage. Its last cell is put."),
    ),
    Technique.INNIES_OUTIES: Lesson(
        translate(
            "Help",
            "A row, column or box of 9 cells adds up to 45. Take off the sums of the cages that "
            "lie in it. What is left is the sum of the cells that no such cage covers: the innies. "
            "Where cages stick out, their cells outside have the rest: the outies.",
        ),
        translate(
            "Help",
            "Look for rows, columns and boxes, one or a few side by side, that whole cages fill "
            "but for a cell or two.",
        ),
        translate(
            "Help",
            "A single cell takes the sum. Two or more lose the digits that it does not allow.",
        ),
    ),
    Technique.CAGE_DIGIT: Lesson(
        translate(
            "Help",
            "All sets of digits that are left for a cage have one digit in common. So the cage "
            "holds it. Cells beside the cage that see all its places there cannot have it.",
        ),
        translate(
            "Help",
            "Look at cages that lie in one row, column or box, and have one or two sets left. A "
            "sum of 7 in three cells is 1+2+4.",
        ),
        translate("Help", "The digit is struck from the cells that see all its places."),
    ),
    Technique.POINTING: Lesson(
        translate(
            "Help",
            "In a box, all places for a digit lie in one row or column. Wherever it goes in the "
            "box, it takes that line. So the line cannot have it anywhere else.",
        ),
        translate(
            "Help", "Look in each box for a digit whose candidates form a line: two or three cells."
        ),
        translate("Help", "The digit is struck from the rest of the row or column."),
    ),
    Technique.CLAIMING: Lesson(
        translate(
            "Help",
            "In a row or column, all places for a digit lie in one box. The line needs the digit "
            "there. So the box cannot have it anywhere else.",
        ),
        translate("Help", "Look along each line for a digit whose candidates stay within one box."),
        translate("Help", "The digit is struck from the rest of the box."),
    ),
    Technique.NAKED_PAIR: Lesson(
        _NAKED,
        translate("Help", "Look for two cells of a unit with the same two candidates."),
        _NAKED_EFFECT,
    ),
    Technique.HIDDEN_PAIR: Lesson(
        _HIDDEN,
        translate("Help", "Look for two digits that have the same two places in a unit."),
        _HIDDEN_EFFECT,
    ),
    Technique.NAKED_TRIPLE: Lesson(
        _NAKED,
        translate(
            "Help",
            "Look for three cells of a unit with three candidates together. None of them needs to "
            "have all three.",
        ),
        _NAKED_EFFECT,
    ),
    Technique.X_WING: Lesson(
        translate(
            "Help",
            "A digit has only two places in each of two rows, and these lie in the same two "
            "columns. Then it stands in two opposite corners of that rectangle. Both columns have "
            "their digit there. The same holds with rows and columns swapped.",
        ),
        translate(
            "Help", "Take one digit, and look for two lines in which it has the same two places."
        ),
        _FISH_EFFECT,
    ),
    Technique.HIDDEN_TRIPLE: Lesson(
        _HIDDEN,
        translate("Help", "Look for three digits that have only three places together in a unit."),
        _HIDDEN_EFFECT,
    ),
    Technique.NAKED_QUAD: Lesson(
        _NAKED,
        translate("Help", "Look for four cells of a unit with four candidates together."),
        _NAKED_EFFECT,
    ),
    Technique.SIMPLE_COLOURING: Lesson(
        translate(
            "Help",
            "Where a digit has only two places in a unit, one of the two is right. Such pairs are "
            "joined to a net and coloured in turn. Then either all cells of one colour are right, "
            "or all of the other.",
        ),
        translate(
            "Help",
            "Take a digit with many pairs. Colour them, and look for cells that see both colours, "
            "or for two cells of a colour that see each other.",
        ),
        translate(
            "Help",
            "The digit is struck where both colours are seen, or from a colour that sees itself.",
        ),
    ),
    Technique.REMOTE_PAIR: Lesson(
        translate(
            "Help",
            "Cells with the same two candidates form a chain, each seeing the next. Along it the "
            "two digits take turns. So the ends of a chain of even length hold one each.",
        ),
        translate("Help", "Look for four or more cells with the same two candidates."),
        translate("Help", "Both digits are struck from every cell that sees both ends."),
    ),
    Technique.XY_WING: Lesson(
        translate(
            "Help",
            "A cell has two candidates, and each of two cells that it sees shares one of them. "
            "Both of these have the same other candidate. Whatever the first cell holds, one of "
            "the two must take that other digit.",
        ),
        translate(
            "Help",
            "Look for three cells with two candidates each, such as 12, 13 and 23, where one sees "
            "the two others.",
        ),
        _WING_EFFECT,
    ),
    Technique.SWORDFISH: Lesson(
        translate(
            "Help",
            "An X-wing with three lines. In each of three rows a digit has two or three places, "
            "and all of them lie in the same three columns. The three columns have their digit "
            "there. The same holds with rows and columns swapped.",
        ),
        translate("Help", "Take one digit, and look for three lines with few places for it."),
        _FISH_EFFECT,
    ),
    Technique.XYZ_WING: Lesson(
        translate(
            "Help",
            "An XY-wing whose first cell has all three candidates. Whatever it holds, the shared "
            "digit stands in one of the three cells.",
        ),
        translate(
            "Help",
            "Look for a cell with three candidates that sees two cells, each with two of the "
            "three.",
        ),
        _WING_EFFECT,
    ),
    Technique.W_WING: Lesson(
        translate(
            "Help",
            "Two cells far apart have the same two candidates. A unit has only two places for one "
            "of the digits, and each of the cells sees one of these places. So they cannot both "
            "hold that digit, and one of them holds the other digit.",
        ),
        translate(
            "Help",
            "Look for two equal pairs that do not see each other, and for a pair of places "
            "between them.",
        ),
        translate("Help", "The other digit is struck from every cell that sees both cells."),
    ),
    Technique.UNIQUE_RECTANGLE_1: Lesson(
        _RECTANGLE,
        _RECTANGLE_SPOT,
        translate(
            "Help",
            "Three corners have just the two digits, so both are struck from the fourth corner.",
        ),
    ),
    Technique.UNIQUE_RECTANGLE_2: Lesson(
        _RECTANGLE,
        _RECTANGLE_SPOT,
        translate(
            "Help",
            "Two corners have the same one digit more. One of them must take it, so it is struck "
            "from every cell that sees both.",
        ),
    ),
    Technique.UNIQUE_RECTANGLE_4: Lesson(
        _RECTANGLE,
        _RECTANGLE_SPOT,
        translate(
            "Help",
            "One of the two digits is confined to two corners of a unit, so the other digit is "
            "struck from these.",
        ),
    ),
    Technique.UNIQUE_RECTANGLE_3: Lesson(
        _RECTANGLE,
        _RECTANGLE_SPOT,
        translate(
            "Help",
            "What two corners have more forms a naked pair or triple with other cells of a unit, "
            "and strikes as one.",
        ),
    ),
    Technique.HIDDEN_RECTANGLE: Lesson(
        _RECTANGLE,
        translate(
            "Help",
            "Look for a rectangle with one corner of two candidates. In the lines through the "
            "opposite corner, one digit stands in corners only.",
        ),
        translate("Help", "The other digit is struck from the opposite corner."),
    ),
    Technique.UNIQUE_LOOP: Lesson(
        translate(
            "Help",
            "A unique rectangle with more corners: a closed ring of six cells or more that share "
            "two candidates. If they held nothing else, the digits could be swapped all along the "
            "ring. As the puzzle has one solution, something must prevent that.",
        ),
        translate(
            "Help", "Look for many cells with the same two candidates, joined by lines and boxes."
        ),
        translate("Help", "It strikes like a unique rectangle."),
    ),
    Technique.BUG: Lesson(
        translate(
            "Help",
            "Every empty cell but one has two candidates. If all of them had two, there would be "
            "two solutions or none. So the one with three must take the digit that prevents it.",
        ),
        translate(
            "Help",
            "Look for it near the end, when a single cell has three candidates and all others two.",
        ),
        translate(
            "Help",
            "The cell takes the digit that stands three times in its row, column or box as a "
            "candidate.",
        ),
    ),
    Technique.HIDDEN_QUAD: Lesson(
        _HIDDEN,
        translate("Help", "Look for four digits that have only four places together in a unit."),
        _HIDDEN_EFFECT,
    ),
    Technique.JELLYFISH: Lesson(
        translate(
            "Help",
            "A swordfish with four lines. In each of four rows a digit has its places in the same "
            "four columns. The four columns have their digit there. The same holds with rows and "
            "columns swapped.",
        ),
        translate("Help", "Take one digit that is missing in many lines, and count its places."),
        _FISH_EFFECT,
    ),
    Technique.SKYSCRAPER: Lesson(
        _LINKS,
        translate(
            "Help",
            "Look for a digit with two places in each of two rows, one above the other on one "
            "side only. It works with columns, too.",
        ),
        _SEEN_BY_BOTH,
    ),
    Technique.TWO_STRING_KITE: Lesson(
        _LINKS,
        translate(
            "Help",
            "Look for a digit with two places in a row and two in a column, of which one each lie "
            "in the same box.",
        ),
        _SEEN_BY_BOTH,
    ),
    Technique.TURBOT_FISH: Lesson(
        _LINKS,
        translate("Help", "Look for a pair of places in a box and another one in a line."),
        _SEEN_BY_BOTH,
    ),
    Technique.GROUPED_TURBOT_FISH: Lesson(
        _LINKS,
        translate(
            "Help",
            "An end of a pair may be two or three cells of a box in one line. They count as one "
            "place.",
        ),
        _SEEN_BY_BOTH,
    ),
    Technique.WXYZ_WING: Lesson(
        translate(
            "Help",
            "Four cells have four candidates together. Only one of the digits could stand in them "
            "twice. So that digit must be among them, or there would be too few for four cells.",
        ),
        translate(
            "Help",
            "Look for three cells of a unit and a fourth that sees some of them, with four "
            "candidates in all.",
        ),
        _WING_EFFECT,
    ),
    Technique.XY_CHAIN: Lesson(
        translate(
            "Help",
            "A chain of cells with two candidates each. If the first is not the digit, it is its "
            "other one, and so the next cell is forced, and so on. The last cell is then the digit "
            "that the first one is not.",
        ),
        translate(
            "Help",
            "Begin in a cell with two candidates. Go on to cells that share the digit just put.",
        ),
        _CHAIN_EFFECT,
    ),
    Technique.X_CHAIN: Lesson(
        translate(
            "Help",
            "A chain through the places of one digit. Every second step is a pair of which one is "
            "right. So one of the two ends is right.",
        ),
        translate("Help", "Take a digit with many pairs, and join them end to end."),
        _CHAIN_EFFECT,
    ),
    Technique.AIC: Lesson(
        translate(
            "Help",
            "A chain that goes from digit to digit and from cell to cell. Every second step is "
            "either a pair of places or a cell with two candidates. So one of the two ends is "
            "right.",
        ),
        translate(
            "Help",
            "Suppose that a candidate is wrong, and follow what is forced until something is ruled "
            "out either way.",
        ),
        _CHAIN_EFFECT,
    ),
    Technique.CONTINUOUS_LOOP: Lesson(
        translate(
            "Help",
            "A chain whose end leads back to its beginning. It can be read in both directions. So "
            "of each two neighbours in it, one is right.",
        ),
        translate("Help", "Look for chains that close."),
        translate("Help", "What two neighbours of the ring both rule out is struck."),
    ),
    Technique.CELL_FORCING: Lesson(
        translate(
            "Help",
            "A cell must hold one of its candidates. Each of them is followed for itself. If all "
            "of them lead to the same, it is certain.",
        ),
        translate("Help", "Begin in a cell with two or three candidates that force much."),
        _FORCING_EFFECT,
    ),
    Technique.UNIT_FORCING: Lesson(
        translate(
            "Help",
            "A digit must stand somewhere in a row, column or box. Each of its places is followed "
            "for itself. If all of them lead to the same, it is certain.",
        ),
        translate("Help", "Begin with a digit that has two or three places in a unit."),
        _FORCING_EFFECT,
    ),
    Technique.DYNAMIC_FORCING: Lesson(
        translate(
            "Help",
            "A candidate is followed, and each conclusion may use all that fell before. If that "
            "ends in a contradiction, the candidate is wrong. Or several cases lead to the same.",
        ),
        translate("Help", "It is the last resort: note every conclusion as you go."),
        _FORCING_EFFECT,
    ),
    Technique.DYNAMIC_FORCING_PLUS: Lesson(
        translate(
            "Help",
            "A dynamic forcing chain that also uses pointing and claiming on its way. It reaches "
            "a little farther.",
        ),
        translate("Help", "It is the last resort: note every conclusion as you go."),
        _FORCING_EFFECT,
    ),
}
"""The techniques of the teaching order, the easiest first."""

# What stands on a page.
ON_BOARD: Final = translate("Help", "On your board now")
EXAMPLE: Final = translate("Help", "An example")
SPOT: Final = translate("Help", "How to spot it")
EFFECT: Final = translate("Help", "What follows")
