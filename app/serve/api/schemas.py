"""What is sent and answered as JSON; the OpenAPI description is made of it."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.recognition.outcome import Outcome
from solver.formats import Format
from solver.human.walk import Level

Digits = Annotated[
    str,
    Field(
        pattern=r"^[.0-9]{81}$",
        description="81 cells in reading order, `.` or `0` for an empty one",
        examples=[
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
        ],
    ),
]

Signs = Annotated[
    str,
    Field(
        pattern="^([.0-4]{16}|[.0-6]{36}|[.0-8]{64}|[.0-9]{81}|[.0-9A]{100}|[.0-9A-C]{144}"
        "|[.0-9A-G]{256}|[-.0-9]{225}|[-.0-9]{441})$",
        description="n² cells in reading order, n the side of the board; `.` or `0` for an empty "
        "one, `A` to `G` for 10 to 16; of a samurai the places of its square paper, `-` where "
        "there is no cell",
    ),
]


def _take_whole(value: object) -> object:
    """Return a number without fraction as the integer that JSON Schema takes it for: 5.0 is 5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WHOLE: Final = BeforeValidator(_take_whole)  # after the bounds, or these are not described
Cell = Annotated[int, Field(ge=0, le=440, description="0 to n² − 1, in reading order"), _WHOLE]
Digit = Annotated[int, Field(ge=1, le=16)]
Point = Annotated[list[float], Field(min_length=2, max_length=2, description="x, y in pixels")]
Line = Annotated[list[Point], Field(min_length=5, max_length=22)]
_CellKey = Annotated[str, Field(pattern=r"^([0-9]|[1-9][0-9]|[1-3][0-9][0-9]|4[0-3][0-9]|440)$")]
Language = Literal["en", "de", "fr"]
DepthName = Literal["look", "pattern", "step"]
MarkName = Literal["unit", "pattern", "target", "good", "bad", "unsure"]
NoteName = Literal["candidate", "reason", "removed", "placed"]
_LookalikeName = Literal["kenken", "nonogram", "kakuro", "suguru", "crossword"]
LevelName = Literal["easy", "medium", "hard", "expert", "extreme"]
_TechniqueName = Annotated[
    str, Field(pattern="^[a-z0-9_]+$", max_length=60, description="as in `names` of a lesson")
]
KindName = Literal["classic", "jigsaw", "diagonal", "windoku", "killer", "samurai"]
Regions = Annotated[
    str,
    Field(
        pattern=r"^[A-P]+$",
        min_length=16,
        max_length=256,
        description="of a jigsaw, and of boxes that are not the usual ones of their side: the "
        "region of each cell in reading order",
    ),
]
Total = Annotated[int, Field(ge=1, le=45), _WHOLE]
Cage = Annotated[
    tuple[Total, Annotated[list[Cell], Field(min_length=1, max_length=9)]], Field(strict=False)
]
Cages = Annotated[
    list[Cage], Field(max_length=81, description="of a killer: sum and cells of each cage")
]

EMPTY: Final = "." * 81


class _Sent(BaseModel):
    """Sent by a client: an unknown field is a mistake, and no value is taken for another type's."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _KindPuzzle(_Sent):
    """A puzzle of any kind, without entries."""

    clues: Signs
    kind: KindName = "classic"
    regions: Regions | None = None
    cages: Cages | None = None


class Puzzle(_KindPuzzle):
    """A puzzle as it stands on the phone."""

    entries: Annotated[Signs, Field(description="none if left out")] = EMPTY

    @property
    def all_entries(self) -> str:
        """The entries, as many characters as there are clues where they were left out."""
        return self.entries if "entries" in self.model_fields_set else "." * len(self.clues)


class CheckedPuzzle(Puzzle):
    """A puzzle to solve, whose entries are held against the solution."""

    unsure: Annotated[
        list[Cell],
        Field(max_length=441, description="entries that may be misread; they are not called wrong"),
    ] = []


class NotedPuzzle(Puzzle):
    """A puzzle as it stands on the phone, with what help has to know beside its digits."""

    notes: Annotated[
        list[Annotated[int, Field(ge=0, le=131071), _WHOLE]],
        Field(
            max_length=441,
            description="for each cell the digits that are noted in its middle, as a sum of "
            "2^digit; none if left out. Help goes on from those that are right",
        ),
    ] = []
    symbols: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2)]] | None,
        Field(min_length=4, max_length=16, description="what the print has for 1, 2, …, n"),
    ] = None


class HintWish(NotedPuzzle):
    """A puzzle, and how much of its next step shall be told."""

    depth: DepthName = "look"
    language: Language = "en"
    steps_taken: Annotated[
        int, Field(ge=0, le=500, description="that were told before and count as done"), _WHOLE
    ] = 0


class RatingWish(_Sent):
    """A puzzle to rate, from its clues alone."""

    clues: Digits
    language: Language = "en"


class ExportWish(_KindPuzzle):
    """A puzzle to write in a format."""

    form: Annotated[Format, Field(strict=False)]  # JSON has its name alone


class ImportWish(_Sent):
    """A text that holds a puzzle."""

    text: Annotated[str, Field(description="a puzzle in any format, or a link")]


class CreationWish(_Sent):
    """What a new puzzle shall be like."""

    kind: KindName = "classic"
    side: Annotated[int, Field(ge=4, le=16), _WHOLE] = 9
    level: Annotated[
        LevelName | None, Field(description="of a classic puzzle of 9×9; any if left out")
    ] = None
    grids: Annotated[int, Field(ge=2, le=5, description="of a samurai"), _WHOLE] = 5


class LessonWish(_Sent):
    """A lesson on a technique, and the puzzle at hand to show it on."""

    technique: Annotated[
        _TechniqueName | None, Field(description="the easiest one if left out")
    ] = None
    language: Language = "en"
    puzzle: Annotated[NotedPuzzle | None, Field(description="at hand; none if left out")] = None


class PositionWish(_Sent):
    """A position to practise a technique on."""

    technique: _TechniqueName


class ProblemBody(BaseModel):
    """Why a request was refused (RFC 9457); `code` stays the same, the sentences may change."""

    type: Literal["about:blank"]
    title: str
    status: int
    detail: str
    code: str


class Health(BaseModel):
    """The server runs."""

    status: Literal["ok"]
    version: str


class Session(BaseModel):
    """What this phone may do here."""

    version: str
    languages: list[Language]
    max_bytes: int
    max_pixels: int
    keeps: Annotated[bool, Field(description="whether photos are kept on the computer")]
    can_keep: Annotated[bool, Field(description="whether there is room for the next one")]
    live: bool
    authority: Annotated[bool, Field(description="whether /authority has one to install")]


class UnsureCell(BaseModel):
    """A cell that was not read for sure, and what may stand there, 0 for nothing."""

    cell: Cell
    digits: list[Annotated[int, Field(ge=0, le=16)]]


class Checked(BaseModel):
    """The entries held against the solution."""

    right: list[Cell]
    wrong: list[Cell]
    unsure: Annotated[list[Cell], Field(description="look wrong, but may be misread")]


class CheckedBoard(Checked):
    """The same of a photo."""

    struck: Annotated[list[Cell], Field(description="noted candidates lack the right digit")]
    told_apart: Annotated[bool, Field(description="whether the clues are the print alone")]


class Board(BaseModel):
    """A board on a photo."""

    outcome: Outcome
    kind: KindName
    side: Annotated[int, Field(description="rows of the board, n")]
    regions: Regions | None
    cages: Cages | None
    symbols: Annotated[
        list[str] | None, Field(description="of the values, where there are more than nine")
    ]
    corners: Annotated[
        list[Point],
        Field(min_length=4, max_length=4, description="clockwise from the puzzle's top left"),
    ]
    clues: Signs
    entries: Annotated[Signs, Field(description="by hand, and no clues")]
    candidates: Annotated[
        list[str] | None, Field(description="digits that are noted in each cell, if any are")
    ]
    solution: Annotated[Signs | None, Field(description="verified, or nothing")]
    confidence: float
    corrected: Annotated[list[Cell], Field(description="read anew by the rules")]
    solver: str | None
    unsure: list[UnsureCell]
    advice: Annotated[list[str], Field(description="what to do better, in English")]
    faults: Annotated[list[dict[str, Any]], Field(description="the same, as codes and figures")]
    checked: CheckedBoard | None
    lattice: Annotated[
        list[Line], Field(min_length=5, max_length=22, description="where the n + 1 lines cross")
    ]
    handwritten: Annotated[list[Cell], Field(description="clues that look written by hand")]


class PhotoReport(BaseModel):
    """What came of a photo; places are in pixels of the photo as it is shown, upright."""

    id: str
    width: int
    height: int
    outcome: Outcome
    boards: list[Board]
    looks_like: Annotated[
        _LookalikeName | None,
        Field(description="the puzzle that it seems to show, where it shows no Sudoku"),
    ]
    kept: Annotated[
        bool | None,
        Field(description="whether the computer keeps the photo; null where it is not to"),
    ]
    seconds: Annotated[dict[str, float], Field(description="by stage")]
    warnings: Annotated[
        list[str], Field(description="what is wrong with the file, such as a missing end")
    ]


class PuzzleReport(BaseModel):
    """What came of a puzzle's clues."""

    outcome: Outcome
    clues: Signs
    entries: Signs
    solution: Annotated[Signs | None, Field(description="verified, or nothing")]
    conflicts: Annotated[list[Cell], Field(description="clues that stand twice in a unit")]
    faults: Annotated[
        list[dict[str, Any]], Field(description="what to do better, as codes and figures")
    ]
    checked: Annotated[Checked | None, Field(description="nothing without a solution")]


class Note(BaseModel):
    """A small digit at its place in a cell."""

    cell: Cell
    digit: Digit
    kind: NoteName


class Lesson(BaseModel):
    """What a technique is, in words for beginners."""

    technique: _TechniqueName
    title: str
    what: str
    spot: Annotated[str, Field(description="how to find one")]
    effect: Annotated[str, Field(description="what follows")]


class _Shown(BaseModel):
    """What is told, in words and on the board."""

    text: Annotated[str, Field(description="what is told of what is marked")]
    marks: dict[_CellKey, MarkName]
    notes: list[Note]
    digits: Annotated[dict[_CellKey, Digit], Field(description="written large")]


class Hint(_Shown):
    """What is told of the next step."""

    lesson: Annotated[
        Lesson | None, Field(description="on the technique, once that is told and has one")
    ]
    has_step: Annotated[bool, Field(description="whether the depths tell more and more of a step")]
    is_stuck: Annotated[bool, Field(description="whether the techniques known here end")]
    steps_taken: Annotated[int, Field(description="that count as done")]


class TechniqueTitle(BaseModel):
    """A technique that has a lesson."""

    technique: _TechniqueName
    name: str


class _ToldPuzzle(BaseModel):
    """A puzzle of any kind."""

    kind: KindName
    side: Annotated[int, Field(description="of its grids")]
    clues: Signs
    regions: Regions | None
    cages: list[list[int | list[int]]] | None


class LessonPage(_ToldPuzzle, _Shown):
    """A lesson, and its technique at work on a board."""

    names: Annotated[list[TechniqueTitle], Field(description="all lessons, the easiest first")]
    lesson: Lesson
    is_at_hand: Annotated[bool, Field(description="whether it is shown on the puzzle at hand")]


class Creation(_ToldPuzzle):
    """A new puzzle."""

    solution: Annotated[Signs, Field(description="verified, and the only one")]


class Position(Creation):
    """A position with exactly one solution that needs a technique next."""

    notes: Annotated[list[int], Field(description="what easier steps left, as for hints, or none")]
    is_new: Annotated[bool, Field(description="whether it is of a new puzzle, not a stored one")]
    is_next: Annotated[bool, Field(description="whether nothing easier leads on")]


class Rating(BaseModel):
    """How hard a puzzle is; the score is on Sudoku Explainer's scale."""

    text: str
    score: float
    level: Level


class Export(BaseModel):
    """The text of a file, or a link, and its suffix; without text, `error` says why."""

    text: str | None = None
    suffix: str
    error: str | None = None


class Import(BaseModel):
    """The puzzle that a text holds; without clues, `error` says why there is none."""

    clues: str | None = None
    kind: KindName = "classic"
    regions: str | None = None
    cages: list[list[int | list[int]]] | None = None
    error: str | None = None
