"""The whole application: its routes, what it says where one fails, and the guards before them.

Here too: whether the server runs, and what a phone may do.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from app.serve.api import routes
from app.serve.api.page_files import PageFile, file_routes, read_page
from app.serve.api.photo_tasks import has_room
from app.serve.api.problems import MEDIA_TYPE, Problem, ProblemError, refusals
from app.serve.api.schemas import Health, ProblemBody, Session
from app.serve.security.certificate import FILE_PATH, PAGE_PATH, authority_routes
from app.serve.security.guard_chain import GuardRules, cookie_name, guarded
from app.serve.security.known_clients import Sessions
from app.serve.security.request_limits import BodyLimits
from app.serve.server import OnResult, ServeSettings
from app.serve.tracker_pool import TrackerPool, make_tracker
from app.terminal.languages import LANGUAGES
from app.workers.worker_pool import WorkerPool

if TYPE_CHECKING:
    from app.serve.security.certificate import Authority

logger = logging.getLogger(__name__)


router = APIRouter()

_OF_STATUS = {
    400: Problem.BAD_REQUEST,
    404: Problem.NOT_FOUND,
    405: Problem.WRONG_METHOD,
    413: Problem.TOO_LARGE,
    415: Problem.WRONG_TYPE,
    422: Problem.INVALID,
}
GUARDED = (
    Problem.NO_SESSION,
    Problem.FOREIGN,
    Problem.MISDIRECTED,
    Problem.TOO_FAST,
)
"""What the guards refuse any request for."""

_GONE = 499
"""Nobody is there to read it."""


def make_application(
    settings: ServeSettings,
    workers: WorkerPool,
    on_result: OnResult | None = None,
    page: Mapping[str, PageFile] | None = None,
    authority: "Authority | None" = None,
) -> FastAPI:
    """Put the application together.

    Args:
        workers: they end with the application.
        authority: of this computer, which phones may install; None where there is none.
    """

    @asynccontextmanager
    async def run(_: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await asyncio.to_thread(pool.close)
            await asyncio.to_thread(workers.stop)

    application = FastAPI(
        title="Sudoku Lens",
        version=version("sudoku-lens"),
        description="Solves Sudokus on photos, and helps with them, for phones near by.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=run,
        exception_handlers=_HANDLERS,
    )
    application.state.settings = settings
    application.state.workers = workers
    application.state.on_result = on_result and _telling(on_result)
    seats = settings.live_seats if settings.is_live else 0
    pool = TrackerPool(seats, partial(make_tracker, settings.talk))
    application.state.live_pool = pool
    files = read_page() if page is None else page
    rules = GuardRules(
        token=settings.token,
        hosts=settings.hosts,
        program_token=settings.program_token,
        public={"/api/health", *files} | (set() if authority is None else {PAGE_PATH, FILE_PATH}),
        bodies=BodyLimits(photo_bytes=settings.max_bytes),
        sessions=Sessions(settings.phones_file),
    )
    application.state.sessions = rules.sessions
    application.add_middleware(guarded, rules=rules)
    refused = refusals(*GUARDED)
    application.include_router(router, responses=refused)
    application.include_router(routes.router, responses=refused)
    application.include_router(file_routes(files))
    if authority is not None:
        application.include_router(authority_routes(authority.der, authority.fingerprint))
    _complete_description(application, settings)
    return application


@router.get("/api/health", summary="Ask whether the server runs", openapi_extra={"security": []})
async def health() -> Health:
    """Answer; anybody may ask."""
    return Health(status="ok", version=version("sudoku-lens"))


@router.get("/api/session", summary="Ask what this phone may do")
def session(request: Request) -> Session:
    """Tell what is possible here, and what is too large."""
    settings: ServeSettings = request.app.state.settings
    told = {
        "version": version("sudoku-lens"),
        "languages": list(LANGUAGES),
        "max_bytes": settings.max_bytes,
        "max_pixels": settings.max_pixels,
        "keeps": settings.keep is not None,
        "can_keep": settings.keep is not None
        and has_room(settings.keep, settings.least_free_bytes),
        "live": settings.is_live,
        "authority": settings.is_https and settings.has_authority,
    }
    return Session.model_validate(told)


def _problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    return Response(
        problem.body(), problem.status, {**problem.headers, **(headers or {})}, MEDIA_TYPE
    )


async def _on_problem(_: Request, error: ProblemError) -> Response:
    return _problem_response(error.problem)


def _answer_with(problem: Problem) -> Callable[[Request, Any], Coroutine[Any, Any, Response]]:
    async def on_error(_: Request, __: Exception) -> Response:
        return _problem_response(problem)

    return on_error


async def _on_invalid(_: Request, error: RequestValidationError) -> Response:
    if isinstance(error.body, bytes):  # it was not sent as JSON
        return _problem_response(Problem.WRONG_TYPE)
    is_json = all(fault["type"] != "json_invalid" for fault in error.errors())
    return _problem_response(Problem.INVALID if is_json else Problem.BAD_REQUEST)


async def _on_http(request: Request, error: HTTPException) -> Response:
    problem = _OF_STATUS.get(error.status_code, Problem.BAD_REQUEST)
    headers = dict(error.headers or {})
    if problem is Problem.WRONG_METHOD:
        # The error knows only the first route of an address that has several.
        methods = request.app.openapi()["paths"].get(request.url.path)
        if methods is not None:
            headers["Allow"] = ", ".join(sorted(method.upper() for method in methods))
    return _problem_response(problem, headers)


async def _on_gone(_: Request, __: Exception) -> Response:
    return Response(status_code=_GONE)


_HANDLERS: dict[int | type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]] = {
    ProblemError: _on_problem,
    RequestValidationError: _on_invalid,
    HTTPException: _on_http,
    ClientDisconnect: _on_gone,
    Exception: _answer_with(Problem.FAULT),
}


def _telling(act: Callable[[bytes, Any], None]) -> Callable[[bytes, Any], Awaitable[None]]:
    async def tell(data: bytes, what: Any) -> None:
        try:
            await asyncio.to_thread(act, data, what)
        except Exception:
            # The phone gets its answer whatever becomes of the photo here.
            logger.exception("a photo could not be handed on")

    return tell


def _complete_description(application: FastAPI, settings: ServeSettings) -> None:
    describe = application.openapi

    def describe_all() -> dict[str, Any]:
        told = describe()
        schemes = _security_schemes(settings)
        components = told.setdefault("components", {})
        components.setdefault("schemas", {})["ProblemBody"] = ProblemBody.model_json_schema()
        components["securitySchemes"] = schemes
        told["security"] = [{name: []} for name in schemes]  # any one of them
        return told

    application.openapi = describe_all  # type: ignore[method-assign]


def _security_schemes(settings: ServeSettings) -> dict[str, dict[str, str]]:
    schemes = {
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookie_name(settings.port, is_encrypted=settings.is_https),
            "description": "set by the address in the code on the computer",
        }
    }
    if settings.program_token is not None:
        schemes["token"] = {
            "type": "http",
            "scheme": "bearer",
            "description": "the token in the file that --token-file names",
        }
    return schemes
