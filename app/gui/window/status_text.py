"""What the status line says of a document, in few words and only what was measured."""

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLocale, QObject

from app.board.board_values import Doubt, say_seconds
from app.gui.photo.film_strip import Standing
from app.gui.window.status_line import Severity, StatusMessage, as_sentence

if TYPE_CHECKING:
    from app.board.board_state import BoardState, RuleDraft
    from app.gui.session.document import Document
    from app.recognition.results import BoardResult
    from solver.grid import Grid
    from solver.rules import Kind

_look_up = partial(QCoreApplication.translate, "Advice")
_SHORTEST_SECONDS: Final = 0.01
PLACE: Final = "place"
CANCEL: Final = "cancel"
RETRY: Final = "retry"
UNDO: Final = "undo"
RULES: Final = "rules"
KIND: Final = "kind:"
"""What the buttons of the status line ask for; after the last stands a kind of puzzle."""


class StatusText(QObject):
    """Writes statuses; an object of Qt only so that its sentences are translated."""

    def describe(self, document: "Document") -> StatusMessage:
        """Return what to say of a document."""
        status = self._describe(document)
        told = [self._warn_of_file(document)] if document.picture is not None else []
        if document.is_search_dropped:
            told.append(self.tr("The search was stopped, because you went on with this board."))
        return replace(status, detail=" ".join(filter(None, [*told, status.detail])))

    def _warn_of_file(self, document: "Document") -> str:
        told = []
        if not document.is_whole:
            told.append(
                self.tr("The file is cut short, and its last part is missing: copy it again.")
            )
        if document.pages > 1:
            text = self.tr(
                "Only the first of {count} pages is shown: save the others as files of their own."
            )
            told.append(text.format(count=document.pages))
        return " ".join(told)

    def _describe(self, document: "Document") -> StatusMessage:
        from app.recognition.outcome import Outcome

        held = document.board
        if document.is_working and (held is None or held.pending is None):
            return StatusMessage(
                Severity.WORKING, self._stage(document.stage), "", self.tr("Cancel"), CANCEL
            )
        if document.outcome is Outcome.BAD_IMAGE:
            headline = self.tr("This picture cannot be shown")
            fault = self._say_fault(document)
            return StatusMessage(Severity.BAD, headline, fault, self.tr("Try again"), RETRY)
        if document.has_failed:
            headline = self.tr("Something went wrong with this photo")
            return StatusMessage(Severity.BAD, headline, "", self.tr("Try again"), RETRY)
        if document.is_cancelled:
            return StatusMessage(
                Severity.IDLE, self.tr("Stopped"), "", self.tr("Find the board"), RETRY
            )
        if held is None:
            return self._without_board(document)
        if held.draft is not None:
            return self._drafted(document, held, held.draft)
        if held.pending is not None:
            return StatusMessage(Severity.WORKING, self.tr("Solving…"))
        if document.is_typed and not held.has_puzzle:
            headline = self.tr("An empty board")
            return StatusMessage(
                Severity.IDLE, headline, self.tr("Choose a cell and type its digit.")
            )
        if document.is_typed and held.board.outcome is Outcome.AMBIGUOUS:
            # Nothing is wrong with a puzzle that is not typed to its end.
            headline = self.tr("More than one solution so far")
            typing = StatusMessage(Severity.IDLE, headline, self.tr("Type the other digits."))
            return self._offer_kinds(typing, held.board)
        if held.solution is not None and held.is_given and not held.is_open:
            return self._being_solved(document, held, held.solution)
        if held.solution is not None:
            return self._solved(document, held)
        return self._unsolved(document, held)

    def _without_board(self, document: "Document") -> StatusMessage:
        from app.report.advice import ABOUT_LOOKALIKES, say_lookalike

        headline = self.tr("No board was found")
        advice = self.tr("Take the photo from above, near, with the whole border on it.")
        if document.result is not None and document.result.lookalike is not None:
            headline = say_lookalike(document.result.lookalike, _look_up)
            advice = _look_up(ABOUT_LOOKALIKES)
        place = self.tr("Place the board")
        return StatusMessage(Severity.DOUBTFUL, headline, advice, place, PLACE)

    def _drafted(
        self, document: "Document", held: "BoardState", draft: "RuleDraft"
    ) -> StatusMessage:
        """Say what of regions or cages does not fit yet."""
        from app.board.board_state import DraftFaultKind, find_draft_fault

        fault = find_draft_fault(draft, held.board.rules)
        if fault is None:
            return StatusMessage(Severity.WORKING, self.tr("Solving…"))
        row, column = divmod(fault.cells[0], held.side)
        text = {
            DraftFaultKind.SIZE: self.tr(
                "The region at row {row}, column {column} has {count} cells instead of {side}."
            ),
            DraftFaultKind.PIECES: self.tr(
                "The region at row {row}, column {column} falls into pieces."
            ),
            DraftFaultKind.CAGE_SIZE: self.tr(
                "The cage at row {row}, column {column} has more cells than there are digits."
            ),
            DraftFaultKind.NO_SUM: self.tr(
                "The cage at row {row}, column {column} has no sum yet: choose it and type the sum."
            ),
            DraftFaultKind.SUM: self.tr(
                "The sum of the cage at row {row}, column {column} must be {least} to {most}."
            ),
        }[fault.kind].format(
            row=row + 1,
            column=column + 1,
            count=len(fault.cells),
            side=held.side,
            least=fault.least,
            most=fault.most,
        )
        headline = self.tr("The regions do not fit yet")
        if held.board.kind == "killer":
            headline = self.tr("The cages do not fit yet")
        action, key = (self.tr("Undo"), UNDO) if document.timeline.past else ("", "")
        return StatusMessage(Severity.IDLE, headline, text, action, key)

    def _say_fault(self, document: "Document") -> str:
        from vision.media.images import ImageFault

        text = {
            ImageFault.EMPTY: self.tr("{name} is empty: copy or take the photo again."),
            ImageFault.NO_PICTURE: self.tr(
                "{name} is not a picture: choose a JPEG, PNG, HEIC, WebP, TIFF, BMP or GIF file."
            ),
            ImageFault.TOO_LARGE: self.tr(
                "{name} is too large: make it smaller, or crop it to the board."
            ),
            ImageFault.TOO_SMALL: self.tr(
                "{name} is too small: take the photo nearer, or with more pixels."
            ),
            ImageFault.DAMAGED: self.tr(
                "{name} is damaged, or of a kind that cannot be read here: export it again."
            ),
            ImageFault.MISSING: self.tr("{name} does not exist any more."),
            ImageFault.FORBIDDEN: self.tr("{name} may not be read: change its permissions."),
        }.get(document.fault or ImageFault.OTHER)
        if text is None:
            return as_sentence(document.message)
        return text.format(name=document.name)

    def _being_solved(
        self, document: "Document", held: "BoardState", solution: "Grid"
    ) -> StatusMessage:
        """Say of a puzzle that a person solves how far it is, and nothing that helps unasked."""
        seen = held.shown
        if (seen == solution).all():
            if held.wrong_entries:
                return self._solved(document, held)
            return StatusMessage(
                Severity.GOOD, self.tr("Solved: every digit is right"), self._took(document)
            )
        if seen.ravel()[list(held.cells)].all():
            headline = self.tr("Every cell is filled, but not every digit is right")
            return StatusMessage(
                Severity.DOUBTFUL, headline, self.tr("Check your entries among the hints.")
            )
        return StatusMessage(
            Severity.IDLE,
            self.tr("A puzzle with exactly one solution"),
            self.tr("Type your digits. Hints help as much as you like."),
        )

    def _took(self, document: "Document") -> str:
        clock = document.clocks.get(document.state.chosen or 0)
        if clock is None:
            return ""
        return self.tr("It took {0}.").format(say_seconds(clock.elapsed(time.monotonic())))

    def _solved(self, document: "Document", held: "BoardState") -> StatusMessage:
        from app.board.board_state import find_doubts

        is_instant = document.seconds < _SHORTEST_SECONDS
        shown = QLocale().toString(max(document.seconds, _SHORTEST_SECONDS), "f", 2)
        seconds = f"<\u00a0{shown}\u00a0s" if is_instant else f"{shown}\u00a0s"
        if (held.shown != held.solution).any():
            # "Solved" stands only above the solution.
            headline = " · ".join([self.tr("Exactly one solution"), seconds])
            details = [self.tr("Press S to see the whole solution.")]
        else:
            headline = " · ".join([self.tr("Solved"), self.tr("exactly one solution"), seconds])
            details = []
        if held.is_kind_named:
            details.append(self._name_rules(held.board.kind))
        wrong = len(held.wrong_entries)
        if wrong == 1:
            details.append(self.tr("One entry differs from the solution: see the cross."))
        elif wrong:
            details.append(
                self.tr("%n entries differ from the solution: see the crosses.", "", wrong)
            )
        doubts = list(find_doubts(held).values())
        unsure, overruled = doubts.count(Doubt.UNSURE), doubts.count(Doubt.OVERRULED)
        if unsure == 1:
            details.append(self.tr("One digit is not read for sure: compare the tinted cell."))
        elif unsure:
            details.append(
                self.tr("%n digits are not read for sure: compare the tinted cells.", "", unsure)
            )
        if overruled == 1:
            details.append(self.tr("The rules corrected one digit: see the tinted cell."))
        elif overruled:
            details.append(
                self.tr("The rules corrected %n digits: see the tinted cells.", "", overruled)
            )
        return StatusMessage(
            Severity.DOUBTFUL if unsure else Severity.GOOD,
            headline,
            " ".join(filter(None, details)),
        )

    def _unsolved(self, document: "Document", held: "BoardState") -> StatusMessage:
        from app.board.board_state import find_doubts
        from app.recognition.outcome import Outcome
        from app.report.advice import FaultKind, find_faults, leave_out, say_fault

        board, has_photo = held.board, not document.is_typed
        headline, fallback = {
            Outcome.AMBIGUOUS: (
                self.tr("More than one solution"),
                self.tr("Perhaps a digit was missed: compare with the photo."),
            ),
            Outcome.NO_SOLUTION: (
                self.tr("No solution: the digits contradict each other"),
                self.tr("Perhaps a digit was misread: compare with the photo.")
                if has_photo
                else self.tr("Perhaps a digit was mistyped."),
            ),
            Outcome.UNREADABLE: (
                self.tr("Not all digits can be read"),
                self.tr("Compare the tinted cells with the photo, and type what stands there."),
            ),
            Outcome.GAVE_UP: (self.tr("The solver gave up"), ""),
        }[board.outcome]
        faults = [leave_out(fault, held.by_hand) for fault in find_faults(board)]
        told = [
            say_fault(fault, _look_up, is_long=True, width=len(board.clues), symbols=held.symbols)
            for fault in faults
            if fault is not None and fault.kind is not FaultKind.OTHER_KIND
        ]
        if has_photo and board.kind == "killer":
            fallback = self.tr("Compare the cages and their sums with the photo.")
        detail = " ".join(told) or fallback
        severity = Severity.BAD if board.outcome is Outcome.NO_SOLUTION else Severity.DOUBTFUL
        is_at_odds = board.outcome is Outcome.NO_SOLUTION or held.by_hand
        if is_at_odds and Doubt.CONFLICT in find_doubts(held).values():
            detail = self.tr("A digit stands twice in a row, column or box: see the red cells.")
        action, key = (self.tr("Place the board"), PLACE) if has_photo else ("", "")
        if has_photo and board.kind == "killer":
            action, key = self.tr("Correct the cages"), RULES
        elif has_photo and board.kind == "jigsaw":
            action, key = self.tr("Correct the regions"), RULES
        if (held.by_hand or held.is_kind_named) and document.timeline.past:
            action, key = self.tr("Undo"), UNDO
        return self._offer_kinds(StatusMessage(severity, headline, detail, action, key), board)

    def _offer_kinds(self, status: StatusMessage, board: "BoardResult") -> StatusMessage:
        from app.report.advice import find_other_kinds, say_fault

        faults = find_other_kinds(board)
        if not faults:
            return status
        told = [say_fault(fault, _look_up, is_long=True) for fault in faults]
        words = {
            "diagonal": self.tr("Solve with diagonals"),
            "windoku": self.tr("Solve with windows"),
        }
        kinds = [fault.puzzle_kind for fault in faults]
        offers = [part for kind in kinds for part in (words[kind], f"{KIND}{kind}")]
        detail = " ".join([status.detail, *told]).strip()
        return StatusMessage(status.severity, status.headline, detail, *offers)

    def _name_rules(self, kind: "Kind") -> str:
        return {
            "diagonal": self.tr("Both diagonals count, as you said."),
            "windoku": self.tr("The four windows count, as you said."),
            "jigsaw": self.tr("The regions are as you said."),
            "killer": self.tr("The cages are as you said."),
        }.get(kind, "")

    def _stage(self, stage: str) -> str:
        return {
            "load": self.tr("Opening the photo…"),
            "find": self.tr("Finding the board…"),
            "read": self.tr("Reading the digits…"),
            "decode": self.tr("Checking the digits…"),
            "solve": self.tr("Solving…"),
        }.get(stage, self.tr("Waiting…"))


def standing_of(document: "Document", status: StatusMessage) -> Standing:
    """Return how a document stands in the list, of which its status is known."""
    if status.severity is Severity.WORKING:
        return Standing.WORKING
    if document.board is None or document.board.solution is None:
        return Standing.UNSOLVED
    return Standing.DOUBTFUL if status.severity is Severity.DOUBTFUL else Standing.SOLVED
