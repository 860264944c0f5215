"""The server's application in the test's own process, and phones that are signed in to it."""

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, cast

from fastapi.testclient import TestClient

from app.recognition.pipeline import Pipeline
from app.serve.api.application import make_application
from app.serve.request_workers import Task, do_request
from app.serve.server import OnResult, ServeSettings

TOKEN: Final = "a-token-for-tests-alone"
SETTINGS: Final = ServeSettings(token=TOKEN, hosts=frozenset({"testserver"}), is_live=False)


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
        self.asked.append(task.function.__name__)
        return self._thread.submit(do_request, self._pipeline, task, lambda: None)


def ask(phone: TestClient, path: str, **fields: Any) -> Any:
    """Return what the server answers to a wish that it fulfils."""
    response = phone.post(path, json=fields)
    assert response.status_code == 200, response.text
    return response.json()


def make_phone(
    pipeline: Pipeline, settings: ServeSettings = SETTINGS, on_result: OnResult | None = None
) -> TestClient:
    """Return a client that has shown the token."""
    client = TestClient(make_application(settings, cast(Any, Inline(pipeline)), on_result))
    client.get("/", params={"token": TOKEN})
    return client
