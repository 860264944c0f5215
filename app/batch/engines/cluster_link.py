"""The way to a cluster: one that runs somewhere, or one that is made here for a run."""

import contextlib
import logging
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from app.batch.engines.cluster_task import Describe
from app.terminal.exits import MissingError
from app.workers.child_process import Talk

LOCAL: Final = "local"
"""In place of an address: a cluster of this machine, for the time of the run."""

_CONNECT_SECONDS: Final = 15.0
_FIRST_WORKER_SECONDS: Final = 60.0


@dataclass(frozen=True)
class ClusterOptions:
    """Where the cluster is, and how it works.

    Attributes:
        address: of the scheduler, such as `tcp://host:8786`, or `LOCAL`.
        workers: of a local cluster.
        timeout: seconds that a photo may take, None for no end.
        talk: how much workers say where they run.
        settings: what results depend on.
        describe: tells the settings of the worker that calls it; None is not compared.
    """

    address: str = LOCAL
    workers: int = 1
    timeout: float | None = 60.0
    talk: Talk = field(default_factory=lambda: Talk(quiet=True))
    settings: str = ""
    describe: Describe | None = None


@contextlib.contextmanager
def connecting(options: ClusterOptions) -> Iterator[Any]:
    """Connect to the cluster, or make one, for the time of the block.

    Raises:
        MissingError: if there is none, or it has no worker.
    """
    from distributed import Client

    level = logging.DEBUG if options.talk.verbose > 1 else logging.CRITICAL
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(level)  # they have levels of their own
    with contextlib.ExitStack() as stack:
        address: Any = options.address
        if address == LOCAL:
            address = stack.enter_context(_local_cluster(options.workers, level))
        try:
            client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise MissingError(
                f"no scheduler answers at {address} ({error}); "
                "start one with: python -m dask scheduler"
            ) from error
        stack.callback(lambda: client.close(timeout=2.0))
        if options.address == LOCAL:
            client.register_plugin(_quiet_plugin())
        try:
            client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
        except TimeoutError as error:
            raise MissingError(
                f"the cluster {options.address} has no workers; start some with: "
                f"python -m dask worker {options.address}"
            ) from error
        yield client


def _local_cluster(workers: int, level: int) -> Any:
    import dask
    from distributed import LocalCluster

    with dask.config.set({"distributed.worker.multiprocessing-method": "spawn"}):
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # what answers there cannot be left out
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,  # photos are read in processes of their own
            silence_logs=level,
        )


def _quiet_plugin() -> Any:
    from distributed import WorkerPlugin

    class LeaveInterrupts(WorkerPlugin):  # type: ignore[misc]  # it comes without types
        """Lets Ctrl-C, which the terminal sends to all, end nothing but the client."""

        def setup(self, worker: object) -> None:
            """Be called in each worker as it starts, in its main thread."""
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return LeaveInterrupts()


def check_packages() -> None:
    """Make sure that Dask is there.

    Raises:
        MissingError: if not.
    """
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise MissingError(
            f"--cluster needs {error.name or 'distributed'}, which is not installed; "
            "run: pip install 'sudoku-lens[cluster]'"
        ) from error
