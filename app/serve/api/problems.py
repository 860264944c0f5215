"""What a request can be refused for, as problem+json (RFC 9457): nothing of the inside is told."""

import json
from enum import Enum
from http import HTTPStatus
from typing import Final, NamedTuple

MEDIA_TYPE: Final = "application/problem+json"


class _Told(NamedTuple):
    status: int
    code: str
    detail: str
    retry_after: int | None = None


class Problem(Enum):
    """Every problem: its status, its code, which stays the same, and a sentence in English."""

    BAD_REQUEST = _Told(400, "bad_request", "The request is not well formed.")
    NO_SESSION = _Told(401, "no_session", "Scan the code on the computer once more.")
    SIGNED_OUT = _Told(
        401, "signed_out", "Another phone needed the room; scan the code on the computer once more."
    )
    FOREIGN = _Told(403, "foreign", "The request comes from another page than this one.")
    NOT_FOUND = _Told(404, "not_found", "There is nothing at this address.")
    WRONG_METHOD = _Told(405, "wrong_method", "This address cannot be asked in this way.")
    NOT_ACCEPTABLE = _Told(406, "not_acceptable", "There is no answer of the wanted type.")
    TOO_SLOW = _Told(408, "too_slow", "The request took too long to arrive.")
    TOO_LARGE = _Told(413, "too_large", "The picture has too many bytes; send a smaller one.")
    TOO_MANY_PIXELS = _Told(
        413, "too_many_pixels", "The picture has too many pixels; send a smaller one."
    )
    WRONG_TYPE = _Told(415, "wrong_type", "Only pictures and JSON are taken here.")
    MISDIRECTED = _Told(421, "misdirected", "The server does not have this name.")
    INVALID = _Told(422, "invalid", "A value is missing or not what it must be.")
    BAD_IMAGE = _Told(422, "bad_image", "No picture could be read; take the photo again.")
    NOT_SOLVED = _Told(422, "not_solved", "Nothing on the photo was solved.")
    NOT_UNIQUE = _Told(422, "not_unique", "The puzzle does not have exactly one solution.")
    TOO_HARD = _Told(422, "too_hard", "This takes longer than the server may take.")
    TOO_FAST = _Told(429, "too_fast", "Too many requests; wait a moment.", 2)
    FAULT = _Told(500, "fault", "The server has made a mistake; its log says which.")
    BUSY = _Told(503, "busy", "The server is busy; try again in a moment.", 1)

    @property
    def status(self) -> int:
        """Of HTTP."""
        return self.value.status

    @property
    def code(self) -> str:
        """What programs tell it by."""
        return self.value.code

    @property
    def headers(self) -> dict[str, str]:
        """What is sent beside the body."""
        if self.status == HTTPStatus.UNAUTHORIZED:
            return {"WWW-Authenticate": "Bearer"}  # RFC 9110, 11.6.1 wants a scheme to be named
        after = self.value.retry_after
        return {} if after is None else {"Retry-After": str(after)}

    def body(self) -> bytes:
        """Return the body, whose type is `MEDIA_TYPE`."""
        fields = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.value.detail,
            "code": self.code,
        }
        return json.dumps(fields).encode()


class ProblemError(Exception):
    """A request is refused; it travels from a worker to the server."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem
