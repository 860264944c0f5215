"""What must be there before a test can go on."""

from typing import TypeVar

Thing = TypeVar("Thing")


def present(thing: Thing | None) -> Thing:
    """Return what is there; the test fails where it is None."""
    assert thing is not None
    return thing
