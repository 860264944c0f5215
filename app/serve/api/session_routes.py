"""Whether the server runs, and what a phone may do."""

from importlib.metadata import version

from fastapi import APIRouter, Request

from app.serve.api.schemas import Health, Session
from app.serve.api.upload_archive import has_room
from app.serve.host.serve_settings import ServeSettings
from app.terminal.languages import LANGUAGES

router = APIRouter()


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
