"""All guards around an application, in the order in which they must stand."""

from collections.abc import Collection
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Scope

from app.serve.security.body_guard import LIVE_PATH, PHOTO_PATH, PICTURE_PATH, BodyGuard, BodyLimits
from app.serve.security.header_guard import HeadersGuard
from app.serve.security.origin_guard import OriginGuard
from app.serve.security.rate_guard import Limit, Limiter, RateGuard, Rates, address_of
from app.serve.security.refusal_pages import is_page
from app.serve.security.session_guard import SessionGuard, Sessions, token_of


@dataclass(frozen=True)
class GuardRules:
    """Who may come in, and how much each may ask for.

    Attributes:
        token: the secret of the scanned address.
        hosts: names and addresses of this server, with or without port.
        public: exact paths that anybody may read, since they hold no secret.
        program_token: what programs send in place of a cookie, None where none may.
        rates: of requests.
        bodies: of requests.
        sessions: of the phones that have come in; they may be counted.
    """

    token: str
    hosts: Collection[str]
    public: Collection[str]
    program_token: str | None = None
    rates: Rates = field(default_factory=Rates)
    bodies: BodyLimits = field(default_factory=BodyLimits)
    sessions: Sessions = field(default_factory=Sessions)


def guarded(app: ASGIApp, rules: GuardRules) -> ASGIApp:
    """Return the application behind all guards.

    Cheap refusals come first, and no body is read before it is known whose it is. What reaches
    the application has its whole body, and `scope["state"]["client"]` unless it is public.

    Raises:
        ValueError: if the token is too short to be a secret, or no host is given.
    """
    if len(rules.token) < 16:
        raise ValueError(f"a token must have 16 signs at least, got {len(rules.token)}")
    if not rules.hosts:
        raise ValueError("there must be a host that the server answers to")
    rates = rules.rates
    app = BodyGuard(app, rules.bodies)
    app = RateGuard(
        app,
        [
            Limit(_is_photo, _client, Limiter(rates.photo)),
            Limit(_is_photo, address_of, Limiter(rates.photo_of_address)),
            Limit(_is_small, _client, Limiter(rates.small)),
            Limit(_is_small, address_of, Limiter(rates.small_of_address)),
            Limit(_is_frame, _client, Limiter(rates.frame)),
            Limit(_is_frame, address_of, Limiter(rates.frame_of_address)),
            Limit(_is_live, _client, Limiter(rates.live)),
            Limit(_is_live, address_of, Limiter(rates.live_of_address)),
        ],
    )
    app = SessionGuard(app, rules.token, rules.sessions, rules.public, rules.program_token)
    app = OriginGuard(app, rules.hosts)
    app = RateGuard(
        app,
        [
            Limit(lambda _: True, address_of, Limiter(rates.anything)),
            Limit(_is_sign_in, address_of, Limiter(rates.sign_in)),
        ],
    )
    return HeadersGuard(app)


def _client(scope: Scope) -> str:
    client: str = scope["state"]["client"]
    return client


def _is_photo(scope: Scope) -> bool:
    return _does_work(scope) and scope["path"] in (PHOTO_PATH, PICTURE_PATH)


def _is_frame(scope: Scope) -> bool:
    return _does_work(scope) and scope["path"] == LIVE_PATH


def _is_small(scope: Scope) -> bool:
    return _does_work(scope) and scope["path"] not in (PHOTO_PATH, PICTURE_PATH, LIVE_PATH)


def _is_live(scope: Scope) -> bool:
    return bool(scope["type"] == "websocket")


def _is_sign_in(scope: Scope) -> bool:
    return is_page(scope) and token_of(scope) is not None


def _does_work(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] not in ("GET", "HEAD")
