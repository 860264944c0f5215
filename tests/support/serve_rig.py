"""The server's application in the test's own process, and phones that are signed in to it."""

import itertools
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any, Final, cast

from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.recognition.pipeline import Pipeline
from app.serve.api.application import make_application
from app.serve.request_workers import Task, do_request
from app.serve.server import OnResult, ServeSettings

TOKEN: Final = "a-token-for-tests-alone"
SETTINGS: Final = ServeSettings(token=TOKEN, hosts=frozenset({"testserver"}), is_live=False)

_numbers = itertools.count()


class Inline:
    """Does what requests ask for at once, in the test's own process."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._thread = ThreadPoolExecutor(1)
        self.asked: list[str] = []

    def stop(self) -> None:
        """There is nothing to end."""

    def submit(self, task: Task, _client: str) -> Future[Any]:
        """Do a task in a thread."""
        self.asked.append(task[0].__name__)
        return self._thread.submit(do_request, self._pipeline, task, lambda: None)


def ask(phone: TestClient, path: str, **fields: Any) -> Any:
    """Return what the server answers to a wish that it fulfils."""
    response = phone.post(path, json=fields)
    assert response.status_code == 200, response.text
    return response.json()


@cache
def _usual_application(pipeline: Pipeline) -> FastAPI:
    return make_application(SETTINGS, cast(Any, Inline(pipeline)))


def make_phone(
    pipeline: Pipeline, settings: ServeSettings = SETTINGS, on_result: OnResult | None = None
) -> TestClient:
    """Return a client that has shown the token, at an address of its own.

    The application of the usual settings is made once, as that takes longer than most tests.
    """
    if settings is SETTINGS and on_result is None:
        application = _usual_application(pipeline)
    else:
        application = make_application(settings, cast(Any, Inline(pipeline)), on_result)
    number = next(_numbers)
    address = f"10.0.{number // 250}.{number % 250 + 1}"
    client = TestClient(application, client=(address, 50000))
    client.get("/", params={"token": TOKEN})
    return client
