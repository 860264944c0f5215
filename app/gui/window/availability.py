"""Which actions make sense for what is looked at."""

from typing import TYPE_CHECKING

from app.gui.window.actions import Actions

if TYPE_CHECKING:
    from app.gui.session.document import Document


def enable_actions(
    actions: Actions,
    document: "Document | None",
    count: int,
    *,
    is_ready: bool,
    can_undo: bool,
) -> None:
    """Switch the actions on that can be done now, and all others off.

    Args:
        actions: of the window.
        document: what is looked at, None for nothing.
        count: how many documents are open.
        is_ready: whether the networks are loaded.
        can_undo: whether there is a step to go back.
    """
    a = actions
    board = None if document is None else document.board
    is_solved = board is not None and board.solution is not None
    has_photo = document is not None and document.image is not None
    for is_on, some in (
        (document is not None, (a.close, a.remove)),
        (can_undo, (a.undo,)),
        (document is not None and bool(document.timeline.future), (a.redo,)),
        (is_solved, (a.solution, a.reveal_cell, a.copy_solution)),
        (is_solved and has_photo, (a.copy_image, a.save_image)),
        (board is not None, (a.kind, a.copy_digits, a.help_panel, a.walk_panel)),
        (has_photo, (a.place, a.place_other, a.search_again, a.fit, a.near, a.far, a.pixels)),
        (has_photo, (a.badges, a.board_near, *a.views)),
        (has_photo, (a.turn_left, a.turn_right)),
        (document is not None and document.path is not None, (a.show_folder,)),
        (
            document is not None and len(document.state.boards) > 1,
            (a.next_board, a.last_board),
        ),
        (count > 1, (a.next_photo, a.last_photo)),
        (is_ready, (a.type_puzzle, a.new_puzzle, a.technique_panel, a.history_panel)),
    ):
        for action in some:
            action.setEnabled(is_on)
    a.solution.setChecked(board is not None and is_solved and len(board.revealed) == 81)
